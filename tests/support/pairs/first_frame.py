"""The first frame of a given capture on a target, as Blender shows it: of people who stand upright then, on both feet."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy
import numpy as np

from .pair_sources import SOURCES
from .pair_targets import TARGETS
from .pairs import Shown, shown_of

OPS: Any = bpy.ops


@dataclass(frozen=True)
class FirstFrame:
    """target: the armature. roles: its bones by role, as mapped. lines: of the report."""

    target: Any
    shown: Shown
    roles: dict[str, str]
    lines: list[str]

    def away(self, bone: str) -> Any:
        """(3, 3) the rotation of a bone away from its rest, in the world."""
        rest = (self.target.matrix_world @ self.target.data.bones[bone].matrix_local).to_3x3().normalized()
        return self.shown.rotations[0, self.shown.names[bone]] @ np.array(rest).T


def first_frame(data: Path, source: str, target: str) -> FirstFrame:
    """Retargeted without feet that are held. data: the folder of the given files. source, target: by name."""
    from retro_anim.core.retarget.mapping.mapping import map_bones
    from retro_anim.core.retarget.options import Options
    from retro_anim.io.retarget import retarget
    from retro_anim.io.retarget.reading import read

    OPS.wm.read_homefile(use_empty=True, use_factory_startup=True)
    one, two = SOURCES[source].make(data), TARGETS[target].make(data)
    bone_map = map_bones(read.figure_of(one), read.figure_of(two))
    options = retarget.RetargetOptions(core=Options(feet=False), actions=(one.animation_data.action.name,))
    result = retarget.retarget_actions(bpy.context, one, two, bone_map, options)
    (action,) = result.actions
    shown = shown_of(two, action, np.array([action.frame_range[0]]))
    return FirstFrame(two, shown, {pair.role: pair.target for pair in bone_map.pairs}, list(result.reports[0].lines()))
