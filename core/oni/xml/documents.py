"""OniSplit's XML files of one animation as documents: what did not change stays as it stands in the file."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from pathlib import Path
from urllib.parse import unquote

from ...files.binary import Bytes
from ...files.document import same
from ...reporting import log
from ...reporting.errors import ExportError, FormatError
from ..records import oban, tram
from ..records.oban import Oban
from ..records.tram import Tram
from . import oban as xml_oban
from . import tram as xml_tram
from . import tram_out
from . import tree as xml_tree
from .tree import Node

OVERLAY = 0x2000
"""The flag of animations whose keys may be quaternions in OniSplit."""

_NOT_KEPT = ("name", "level_id", "tail")
"""Fields that XML never has, without a loss: the name is the file's."""


@dataclass(frozen=True, eq=False)
class TramXml:
    """An XML file of a TRAM. data: the file, b"" for a new one. tree: its elements. before: its record; tram: the same, or edited.

    imported: the element that names another file with the motion, for an animation without motion of its own (and without frames).
    """

    data: bytes
    tree: Node
    before: Tram
    tram: Tram
    imported: Node | None = None

    @classmethod
    def parse(cls, data: Bytes) -> TramXml:
        """Raises FormatError naming the line."""
        tree = xml_tree.parse(data)
        result, imported = xml_tram.read(tree)
        return cls(bytes(data), tree, result, result, imported)

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
        name = name_of(path, tram.TAG)
        before = replace(self.before, name=name)
        return replace(self, before=before, tram=before if self.tram is self.before else replace(self.tram, name=name))

    def pack(self) -> bytes:
        """Raises ExportError for what XML cannot hold; what it leaves out is logged."""
        if self.tram is self.before:
            return self.data
        imported = self.imported if self.tram.rotations is None and not self.tram.frame_count else None
        before, after = tram_out.tree_of(self.before, self.imported), tram_out.tree_of(self.tram, imported)
        _checked(after)
        data = xml_tree.update(self.data, self.tree, before, after)
        _say_lost(self.tram, _read_back(data))
        return data


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
    if result.compression == tram.QUATERNION and not result.flags & OVERLAY:
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
