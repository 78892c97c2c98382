"""Oni: everything an import asks for is read, checked and grouped by body or object before the scene is touched."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import bpy
import numpy as np

from ...core import formats
from ...core.files import address
from ...core.files.format import Archive
from ...core.oni.body.body import Body
from ...core.oni.body.body_read import read_body
from ...core.oni.body.body_search import find_body
from ...core.oni.files.library import Library
from ...core.oni.files.onifile import OniFile
from ...core.oni.game import GAME, ImportOptions
from ...core.oni.posing import animation_of
from ...core.oni.records.oban import Oban
from ...core.oni.records.tram import Tram
from ...core.oni.xml.documents import name_of
from ...core.reporting import log
from ...core.reporting.errors import FormatError, reading
from ...core.reporting.progress import Steps
from ..blender import armature, identity, source_data
from ..pipeline.into_blender import plan
from .fields.properties import BODY

BODY_TAGS = ("ONCC", "TRBS", "TRCM")
ANIMATION_TAGS = ("TRAM", "OBAN")


@dataclass(frozen=True, eq=False)
class Clip(plan.Clip):
    """record: a TRAM of a character, an OBAN of an object."""

    record: Tram | Oban


@dataclass(eq=False)
class Character(plan.Character[Clip]):
    """A body and the clips for it; without a body an object, with its one clip."""

    body: Body | None = None


class Plan(plan.Plan[ImportOptions, Character]):
    """body: the one that the options give. target: the object that is active before the import."""

    game = GAME

    def __init__(self, context: bpy.types.Context, options: ImportOptions) -> None:
        super().__init__(context, options)
        self.library = Library()
        self.target = context.view_layer.objects.active
        self.body = read_body(options.skeleton, options.detail, self.library) if options.skeleton else None

    def takes(self, obj: bpy.types.Object) -> bool:
        return armature.is_game_armature(obj) and identity.game_of(obj) is GAME

    def steps(self) -> Steps[list[Character]]:
        """Characters before objects."""
        characters = yield from super().steps()
        return sorted(characters, key=lambda character: character.body is None)

    def ordered(self, paths: Sequence[str]) -> list[str]:
        """Bodies first, so that animations of other folders find them."""
        return sorted(paths, key=lambda path: not Path(path).name.upper().startswith(BODY_TAGS))

    def open(self, path: str) -> Iterator[str] | None:
        file, entry = address.split(path)
        if entry:
            archive = formats.archive_of(formats.open_file(file))
            if archive is None:
                raise FormatError(f"no archive, so it has no entry {entry}", path=file)
            return self._archive(file, archive, entry)
        opened = formats.open_file(path)
        if opened.format.kind == "animation":
            self._clip(opened.document, opened.data, path, source_data.LOOSE)
        elif opened.format.kind == "body" or (isinstance(opened.document, OniFile) and _tag(opened.document) in BODY_TAGS):
            self._character(read_body(path, self.options.detail, self.library))
        elif opened.format.kind == "archive":
            return self._archive(path, opened.document, self.options.entries)
        else:
            raise FormatError(f"{opened.format.label} holds nothing to import")
        return None

    def _archive(self, path: str, archive: Archive, chosen: str) -> Iterator[str]:
        """All animations, or the entries that are chosen: those and bodies."""
        names = {index: name for index in range(len(archive)) if (name := archive.name(index))}
        count = 0
        for index in address.select(chosen, len(archive), names):
            if archive.blank(index) or (not chosen and _tag(archive, index) not in ANIMATION_TAGS):
                continue
            yield names.get(index) or f"entry {index}"
            with self.guarded(formats.entry_address(archive, index, path)):
                self._entry(path, archive, index)
                count += 1
        if not count and not self.failures:
            raise FormatError("none of the entries is an animation or a body", path=path)

    def _entry(self, path: str, archive: Archive, index: int) -> None:
        entry = formats.entry_address(archive, index, path)
        if _tag(archive, index) in BODY_TAGS:
            self._character(read_body(entry, self.options.detail, self.library))
            return
        with reading(entry):
            opened = formats.open_entry(archive.read(index), entry)
            if opened is None or opened.format.kind != "animation":
                raise FormatError("neither an animation nor a body")
            self._clip(opened.document, opened.data, path, index)

    def _clip(self, document: object, data: bytes, path: str, entry: int) -> None:
        record = animation_of(document)
        clip = Clip(record.name or name_of(path, record.record().tag), path, entry, data, record)
        with log.about(path if entry == source_data.LOOSE else f"{path}#{record.name or entry}"):
            if isinstance(record, Oban):
                if self.options.target == "ACTIVE" and self.target is None:
                    raise FormatError("there is no active object to move")
                name = record.name.removeprefix("OBAN") or "object"
                self.characters[clip] = Character(name, clips=[clip])
                return
            record.check()
            self._character_for(record, path).clips.append(clip)

    def _character_for(self, record: Tram, path: str) -> Character:
        """The body given, the active armature if it fits, one beside the file, or one of our own."""
        if record.rotations is None:
            raise FormatError("no rotations: there is nothing to import")
        if self.body is None and self.active is not None:
            with armature.readable(self.active):
                names, parents, _, _ = armature.read_bones(self.active)
            if len(names) == record.bone_count:
                own = Body("", str(self.active.data.get(BODY, "")), parents, np.zeros((len(names), 3)), [None] * len(names))
                return self.characters.setdefault(self.active, Character(self.active.name, self.active, body=own))
        along = [each.body for each in self.characters.values() if each.body is not None and each.body.address]
        body = self.body or find_body(path, record.name, self.options.detail, record.bone_count, self.library, along)
        if len(body) != record.bone_count:
            raise FormatError(f"{record.bone_count} bones; {body.name or 'the body of our own'} has {len(body)}")
        return self._character(body)

    def _character(self, body: Body) -> Character:
        name = body.name[4:] or "neutral body"
        key = os.path.abspath(body.address) if body.address else ""  # it may have been given, and found by its folder
        return self.characters.setdefault(key, Character(name, body=body))


def _tag(document: object, index: int = 0) -> str:
    """The tag of an instance; of anything else ""."""
    if isinstance(document, OniFile) and not len(document):
        return ""
    tag = getattr(document, "tag", None)
    return str(tag(index)) if callable(tag) else ""
