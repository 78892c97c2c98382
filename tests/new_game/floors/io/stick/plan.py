"""Which characters an import of Stick has."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import bpy

from ...core import formats
from ...core.reporting.errors import FormatError
from ...core.stick.document import Stick
from ...core.stick.game import GAME, ImportOptions
from ...core.stick.motion import skeleton_of
from ..blender import armature, identity, source_data
from ..pipeline.into_blender import plan


@dataclass(frozen=True, eq=False)
class Clip(plan.Clip):
    document: Stick


class Character(plan.Character[Clip]):
    """A skeleton with its clips."""


class Plan(plan.Plan[ImportOptions, Character]):
    game = GAME

    def takes(self, obj: bpy.types.Object) -> bool:
        return armature.is_game_armature(obj) and identity.game_of(obj) is GAME

    def open(self, path: str) -> None:
        opened = formats.open_file(path)
        document = opened.document
        if not isinstance(document, Stick):
            raise FormatError("no animation of Stick")
        print_ = skeleton_of(document).fingerprint
        name = Path(path).stem
        character = self.characters.setdefault(print_, Character(name, self._existing(document)))
        character.clips.append(Clip(name, path, source_data.LOOSE, opened.data, document))

    def _existing(self, document: Stick) -> bpy.types.Object | None:
        """The active armature, if it has the same bones."""
        if self.active is None:
            return None
        names, parents, _, _ = armature.read_bones(self.active)
        return self.active if (names, tuple(parents.tolist())) == (document.names, document.parents) else None
