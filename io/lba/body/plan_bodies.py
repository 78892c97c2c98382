"""The characters of an import: which body an animation moves, with the colours and the texture page that belong to it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import bpy

from ....core import formats
from ....core.files import address
from ....core.lba.body.body import Body
from ....core.lba.characters import companions, which_game
from ....core.lba.files.actions import Action
from ....core.lba.files.anm import Anm
from ....core.lba.files.lm2 import Lm2
from ....core.lba.files.palette import Palette
from ....core.lba.files.texture import TexturePage
from ....core.lba.files.variant import LBA1, LBA2, VARIANTS, Variant
from ....core.lba.game import GAME, ImportOptions
from ....core.lba.motion.motion import CONVENTION
from ....core.reporting import log
from ....core.reporting.errors import FormatError
from ...blender import armature, source_data
from ...pipeline.into_blender import plan

BODY_KINDS = {"lba-lm1": LBA1, "lba-lm2": LBA2}
"""The game of a body, by the format of the source data that its armature keeps."""


@dataclass(frozen=True, eq=False)
class Use:
    """What a character uses an animation for. actions: what the game does at its keyframes. entity: the character's number, None where
    that is not known, or the clip moves the body of another one."""

    roles: tuple[str, ...] = ()
    actions: tuple[Action, ...] = ()
    entity: int | None = None


@dataclass(frozen=True, eq=False)
class Clip(plan.Clip):
    anm: Anm
    game: Variant
    use: Use


@dataclass(eq=False, kw_only=True)
class Character(plan.Character[Clip]):
    """A body and the clips for it. address: of the body's file. page: textures, of a body that has some. entities: numbers of those that
    came in on it."""

    body: Body
    address: str = ""
    palette: Palette
    page: TexturePage | None = None
    entities: list[int] = field(default_factory=list[int])


class Bodies:
    """loose: of files of their own, which animations opened with them may belong to. given: the body that the options name, where it is,
    and what it is called; None where they name none. characters: those of the import, which this adds to."""

    def __init__(self, options: ImportOptions, active: bpy.types.Object | None, characters: dict[object, Character]) -> None:
        self._options, self._active, self._characters = options, active, characters
        self.loose: list[Character] = []
        self.given = _given(options.skeleton)

    def of_animation(self, anm: Anm, path: str, entry: int) -> Character:
        """The body given, the active armature if it fits, one found beside the file, or a plain one."""
        if self.given is not None:
            return self.character(*self.given)
        index = entry if entry != source_data.LOOSE else None
        with log.collect() as messages:
            body, where, _ = companions.body_for(path, index, anm.bone_count, self._options.file3d, self._options.body)
        if self._active is not None:
            count = sum(armature.INDEX in bone for bone in armature.data_of(self._active).bones)
            if count == anm.bone_count or (where and _came_from(self._active, where)):
                return self._existing(self._active)  # nobody asks then what lies beside the file
        if where or len(self.loose) != 1:
            log.repeat(messages)
        if not where and len(self.loose) == 1:  # the one that was opened with it
            return self.loose[0]
        return self.character(body, where, stem_of(where) if where else stem_of(path))

    def character(self, body: Body, where: str, name: str) -> Character:
        """The one with a body: the active armature if that came from there, or one that the import knows already. where: the file or entry
        of the body, "" for a plain one."""
        if self._active is not None and where and _came_from(self._active, where):
            return self._existing(self._active)
        key = where or ("plain" if body.source is None else name, body.group_count)
        if key not in self._characters:
            palette, source = Palette.plain(), ""
            if body.source is not None:
                given = self._options.palette
                palette, source = companions.palette_of(given) if given else companions.palette_beside(where)
            textured = isinstance(body.source, Lm2) and len(body.source.textures) > 0
            page = companions.page_for(source or where) if textured else None
            self._characters[key] = Character(name, body=body, address=where, palette=palette, page=page)
        return self._characters[key]

    def _existing(self, obj: bpy.types.Object) -> Character:
        if obj not in self._characters:
            with armature.readable(obj):
                rig, _ = armature.read_rig(obj, CONVENTION)
            body = Body.plain(len(rig.skeleton))
            self._characters[obj] = Character(obj.name, obj, body=body, palette=Palette.plain())
        return self._characters[obj]

    def game_of(self, anm: Anm, path: str, character: Character) -> tuple[Variant, str]:
        """Which of the two games an animation is of, and how one knows that, "" where the options say so."""
        if self._options.game in VARIANTS:
            return VARIANTS[self._options.game], ""
        body = str(armature.data_of(character.armature).get(source_data.FORMAT, "")) if character.armature is not None else ""
        known = BODY_KINDS.get(body)
        if known is not None:
            return known, "so is the character's body"
        return which_game.game_of(anm, path, character.body)


def _given(skeleton: str) -> tuple[Body, str, str] | None:
    if not skeleton:
        return None
    opened = formats.open_file(skeleton)
    if not is_body(opened):
        raise FormatError("not a body", path=skeleton)
    return Body.of(opened.document), skeleton, stem_of(skeleton)


def is_body(opened: formats.Opened) -> bool:
    """Whether a file is a body of the game."""
    return opened.format.kind == "body" and opened.format.game == GAME.id


def stem_of(where: str) -> str:
    """What a file, or an entry of one, is called in names: "BODY 12"."""
    path, entry = address.split(where)
    return f"{_file_stem(path)} {entry}".strip()


@lru_cache(maxsize=16)
def _file_stem(path: str) -> str:
    """The same for all entries of an archive."""
    return Path(path).stem


def _came_from(obj: bpy.types.Object, where: str) -> bool:
    path, entry = address.split(where)
    return source_data.origin(obj.data) == (str(Path(path).resolve()), int(entry) if entry else source_data.LOOSE)
