"""OniSplit's XML files of one animation as documents: what did not change stays as it stands in the file."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields, replace
from pathlib import Path
from urllib.parse import unquote

from ...files.binary import Bytes
from ...files.disk.disk import read_file
from ...files.document import same
from ...files.file_names import same_file
from ...files.letter_case import Folders
from ...reporting import log
from ...reporting.errors import ExportError, FormatError, reading
from ..records import oban, tram_layout
from ..records.oban import Oban
from ..records.tram import Tram
from . import dae_motion, tram_out
from . import oban as xml_oban
from . import tram as xml_tram
from . import tree as xml_tree
from .dae_motion import DaeMotion
from .tree import Node

_NOT_KEPT = ("name", "level_id", "tail")
"""Fields that XML never has, without a loss: the name is the file's."""


@dataclass(frozen=True, eq=False)
class TramXml:
    """An XML file of a TRAM. data: the file, b"" for a new one. tree: its elements. before: its record; tram: the same, or edited.

    imported: the element that names another file with the motion, None where the XML has it itself. motion_path: that file, "" where it
    is not there: then there are no frames and no motion. stays: whether the element may stay as long as the motion is the same; what is
    written has the motion itself otherwise.
    """

    data: bytes
    tree: Node
    before: Tram
    tram: Tram
    imported: Node | None = None
    motion_path: str = ""
    stays: bool = True

    @classmethod
    def parse(cls, data: Bytes, path: str = "") -> TramXml:
        """path: where the file is, for a file beside it with its motion. Raises FormatError naming the line, and the file if it is that."""
        tree = xml_tree.parse(data)
        existing = ""

        def motion_of(element: Node, overlay: bool) -> DaeMotion | None:
            nonlocal existing
            existing = _beside(path, xml_tram.imported_path(element))
            if not existing:
                return None
            start, end = (_frame(element, name) for name in ("Start", "End"))
            with reading(existing):
                return dae_motion.read(read_file(existing), start, end, overlay)

        result, imported = xml_tram.read(tree, motion_of)
        return cls(bytes(data), tree, result, result, imported, existing)

    def beside(self, target: str) -> TramXml:
        """The same, to be written to `target`: the motion of another file goes into the XML where that file is not there."""
        existing = _beside(target, xml_tram.imported_path(self.imported)) if self.imported is not None else ""
        return replace(self, stays=bool(existing) and same_file(existing) == same_file(self.motion_path))

    @classmethod
    def new(cls, document: Tram) -> TramXml:
        """A file of its own. Raises ExportError for what XML cannot hold; what it leaves out is logged."""
        tree = tram_out.tree_of(document)
        data = _checked(tree)
        result = _read_back(data)
        _say_lost(document, result)
        return cls(data, xml_tree.parse(data), result, document)

    def named(self, path: str) -> TramXml:
        """The same with the animation called as its file."""
        name = name_of(path, tram_layout.TAG)
        before = replace(self.before, name=name)
        return replace(self, before=before, tram=before if self.tram is self.before else replace(self.tram, name=name))

    def pack(self) -> bytes:
        """Raises ExportError for what XML cannot hold; what it leaves out is logged."""
        if self.tram is self.before:
            return self.data
        imported = self.imported if self._same_motion() else None
        if imported is None and self.imported is not None:
            log.info(f"the motion is in the XML itself now, no longer in {xml_tram.imported_path(self.imported)}")
        before, after = tram_out.tree_of(self.before, self.imported), tram_out.tree_of(self.tram, imported)
        _checked(after)
        data = xml_tree.update(self.data, self.tree, before, after)
        _say_lost(self.tram, _read_back(data))
        return data

    def _same_motion(self) -> bool:
        """Whether the element that names another file with the motion can stay."""
        names = ("rotations", "heights", "velocities", "frame_count")
        return self.stays and all(same(getattr(self.tram, name), getattr(self.before, name)) for name in names)


def _beside(path: str, name: str) -> str:
    """The file that an Import element of the file at `path` names, whatever the letter case; "" where it is not there."""
    if not path or not name:
        return ""
    folder, plain = Path(path).parent, Path(name.replace("\\", "/"))
    for directory in (folder / plain.parent, folder):
        exact = directory / plain.name
        if (existing := exact if exact.is_file() else Folders().file(directory, plain.name)) is not None:
            return str(existing)
    return ""


def _frame(element: Node, name: str) -> int:
    """Start or End of an Import element, 0 where it has none."""
    text = element.attributes.get(name) or next((node.text for node in element.children if node.tag == name), "0")
    if not re.fullmatch(r"\d{1,5}", text):
        raise FormatError(f"line {element.line}: {name} of <{element.tag}>: {text or 'nothing'} is no frame", element.start)
    return int(text)


@dataclass(frozen=True, eq=False)
class ObanXml:
    """An XML file of an OBAN. data: the file. tree: its elements. before: its record; oban: the same, or edited."""

    data: bytes
    tree: Node
    before: Oban
    oban: Oban

    @classmethod
    def parse(cls, data: Bytes) -> ObanXml:
        """Raises FormatError naming the line."""
        tree = xml_tree.parse(data)
        result = xml_oban.read(tree)
        return cls(bytes(data), tree, result, result)

    @classmethod
    def new(cls, document: Oban) -> ObanXml:
        """A file of its own. Raises ExportError for what XML cannot hold; what it leaves out is logged."""
        result = cls.parse(_checked(xml_oban.tree_of(document)))
        _say_lost(document, result.oban)
        return replace(result, oban=document)

    def named(self, path: str) -> ObanXml:
        """The same with the animation called as its file."""
        name = name_of(path, oban.TAG)
        before = replace(self.before, name=name)
        return replace(self, before=before, oban=before if self.oban is self.before else replace(self.oban, name=name))

    def pack(self) -> bytes:
        """Raises ExportError for what XML cannot hold; what it leaves out is logged."""
        if self.oban is self.before:
            return self.data
        after = xml_oban.tree_of(self.oban)
        _checked(after)
        data = xml_tree.update(self.data, self.tree, xml_oban.tree_of(self.before), after)
        _say_lost(self.oban, xml_oban.read(xml_tree.parse(data)))
        return data


def name_of(path: str, tag: str) -> str:
    """The name of a file's first instance, with the tag: OniSplit goes by the file's name."""
    name = unquote(Path(path).stem)
    return name if name.startswith(tag) else tag + name


def _checked(tree: Node) -> bytes:
    """The file. Raises ExportError where reading it would not be possible."""
    data = xml_tree.write(tree)
    try:
        xml_tree.parse(data)
    except FormatError as error:
        raise ExportError(f"cannot be written as XML: {error.problem}") from None
    return data


def _read_back(data: bytes) -> Tram:
    """What was written. Raises ExportError where that is nothing."""
    try:
        result = xml_tram.read(xml_tree.parse(data))[0]
    except FormatError as error:
        raise ExportError(f"cannot be written as XML: {error.problem}") from None
    if result.compression == tram_layout.QUATERNION and not result.flags & xml_tram.OVERLAY:
        log.info("OniSplit converts quaternion keys to angles where the Overlay flag is not set")
    if result.frame_count and result.velocities is None:
        log.info("OniSplit does not read an animation without velocities")
    return result


def _say_lost(wanted: Tram | Oban, written: Tram | Oban) -> None:
    """Log which fields are read back with other values."""
    lost = [field.name for field in fields(wanted) if field.name not in _NOT_KEPT]
    lost = [name.replace("_", " ") for name in lost if not same(getattr(wanted, name), getattr(written, name))]
    if lost:
        log.warning(f"XML cannot hold all of it; only a .oni keeps {', '.join(lost)} as it is")
