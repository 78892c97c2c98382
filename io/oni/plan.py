"""Oni on its way into Blender: everything is read, checked and grouped by body before the scene is touched."""

from __future__ import annotations

from dataclasses import dataclass, field

import bpy
import numpy as np

from ...core import formats
from ...core.files import address
from ...core.files.format import Archive
from ...core.oni.body.body import Body, read_body
from ...core.oni.body.body_search import find_body
from ...core.oni.files.library import Library
from ...core.oni.files.onifile import OniFile
from ...core.oni.options import ImportOptions
from ...core.oni.posing import animation_of
from ...core.oni.records.oban import Oban
from ...core.oni.records.tram import Tram
from ...core.reporting import log
from ...core.reporting.errors import FormatError, RetroAnimError, reading
from ..blender import armature, source_data

BODY = "oni_body"
"""Custom property of an armature: FILE or FILE#ENTRY of its body, empty for our own."""

BODY_TAGS = ("ONCC", "TRBS", "TRCM")
ANIMATION_TAGS = ("TRAM", "OBAN")


@dataclass(frozen=True, eq=False)
class Clip:
    """An animation on its way in: its record, the bytes of its file or entry, and where they came from."""

    record: Tram | Oban
    data: bytes
    path: str
    entry: int


@dataclass(eq=False)
class Character:
    """A body and the clips for it. thing: an armature of the scene that takes the clips, None for a new one."""

    body: Body
    name: str
    obj: bpy.types.Object | None = None
    clips: list[Clip] = field(default_factory=list)


class Plan:
    """Everything is read and checked here, before the scene is touched. objects: the OBANs."""

    def __init__(self, context: bpy.types.Context, options: ImportOptions) -> None:
        self.options = options
        self.characters: dict[object, Character] = {}
        self.objects: list[Clip] = []
        self.failures: list[RetroAnimError] = []
        self.library = Library()
        active = context.view_layer.objects.active
        self.active = active if armature.is_game_armature(active) and BODY in active.data else None
        self.body = read_body(options.skeleton, options.detail, self.library) if options.skeleton else None

    def finish(self) -> None:
        """Raises the first failure where nothing can be imported; the others are said."""
        if not self.characters and not self.objects:
            raise self.failures[0] if self.failures else FormatError("nothing to import was found")
        for failure in self.failures:
            log.error(str(failure))

    def read(self, path: str) -> None:
        try:
            self._read(path)
        except RetroAnimError as error:
            if isinstance(error, FormatError):
                error.path = error.path or path
            self.failures.append(error)

    def _read(self, path: str) -> None:
        file, entry = address.split(path)
        if entry:
            archive = formats.archive_of(formats.open_file(file))
            if archive is None:
                raise FormatError(f"no archive, so it has no entry {entry}", path=file)
            self._archive(file, archive, entry)
            return
        opened = formats.open_file(path)
        if opened.format.kind == "animation":
            self._clip(opened.document, opened.data, path, source_data.LOOSE)
        elif opened.format.kind == "body" or _tag(opened.document) in BODY_TAGS:
            self._character(read_body(path, self.options.detail, self.library))
        elif opened.format.kind == "archive":
            self._archive(path, opened.document, self.options.entries)
        else:
            raise FormatError(f"{opened.format.label} holds nothing to import")

    def _archive(self, path: str, archive: Archive, wanted: str) -> None:
        """All animations, or the entries that are asked for: those and bodies."""
        names = {index: name for index in range(len(archive)) if (name := archive.name(index))}
        found = 0
        for index in address.select(wanted, len(archive), names):
            if archive.blank(index) or (not wanted and _tag(archive, index) not in ANIMATION_TAGS):
                continue
            where = formats.entry_address(archive, index, path)
            try:
                if _tag(archive, index) in BODY_TAGS:
                    self._character(read_body(where, self.options.detail, self.library))
                    continue
                with reading(where):
                    opened = formats.open_entry(archive.read(index), where)
                    if opened is None or opened.format.kind != "animation":
                        raise FormatError("neither an animation nor a body")
                    self._clip(opened.document, opened.data, path, index)
                found += 1
            except RetroAnimError as error:
                self.failures.append(error)
        if not found and not self.failures and not self.characters:
            raise FormatError("none of the entries is an animation or a body", path=path)

    def _clip(self, document: object, data: bytes, path: str, entry: int) -> None:
        record = animation_of(document)
        clip = Clip(record, data, path, entry)
        with log.about(path if entry == source_data.LOOSE else f"{path}#{record.name or entry}"):
            if isinstance(record, Oban):
                self.objects.append(clip)
                return
            record.check()
            self._character_for(record, path).clips.append(clip)

    def _character_for(self, record: Tram, path: str) -> Character:
        """The body given, the active armature if it fits, one found beside the file, or one of our own."""
        if record.rotations is None:
            raise FormatError("no rotations: there is nothing to import")
        if self.body is None and self.active is not None:
            names, parents, _, _ = armature.read_bones(self.active)
            if len(names) == record.bone_count:
                own = Body("", str(self.active.data[BODY]), parents, np.zeros((len(names), 3)), [None] * len(names))
                return self.characters.setdefault(self.active, Character(own, self.active.name, self.active))
        body = self.body or find_body(path, record.name, "", self.options.detail, record.bone_count, self.library)
        if len(body) != record.bone_count:
            raise FormatError(f"{record.bone_count} bones; {body.name or 'the body of our own'} has {len(body)}")
        return self._character(body)

    def _character(self, body: Body) -> Character:
        name = body.name[4:] or "neutral body"
        return self.characters.setdefault(body.address, Character(body, name))


def _tag(document: object, index: int = 0) -> str:
    """The tag of an instance; of anything else ""."""
    if isinstance(document, OniFile) and not len(document):
        return ""
    tag = getattr(document, "tag", None)
    return str(tag(index)) if callable(tag) else ""
