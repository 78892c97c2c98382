"""Given captures whose rest pose has the legs opened by twenty degrees, and the feet with them. Both people stand upright on both feet at
first, so whatever the target is, the soles that it has at rest must be as level from side to side then."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import bpy
import numpy as np
import pytest
from support.pairs.pair_sources import SOURCES
from support.pairs.pair_targets import TARGETS
from support.pairs.pairs import shown_of

OPS = bpy.ops


@pytest.mark.parametrize("source", ["cmu", "jacks"])
@pytest.mark.parametrize("target", ["t_pose", "a_pose", "mixamo", "twinsen"])
def test_who_stands_does_not_stand_on_the_edges_of_its_soles(game_file: Callable[[str], Path], source: str, target: str) -> None:
    from retro_anim.core.retarget.mapping.mapping import map_bones
    from retro_anim.core.retarget.options import Options
    from retro_anim.io.retarget import retarget
    from retro_anim.io.retarget.reading import read

    OPS.wm.read_homefile(use_empty=True, use_factory_startup=True)
    one, two = SOURCES[source].make(game_file("")), TARGETS[target].make(game_file(""))
    bone_map = map_bones(read.figure_of(one), read.figure_of(two))
    options = retarget.RetargetOptions(core=Options(feet=False), actions=(one.animation_data.action.name,))
    result = retarget.retarget_actions(bpy.context, one, two, bone_map, options)
    shown = shown_of(two, result.actions[0], np.array([result.actions[0].frame_range[0]]))
    roles = TARGETS[target].roles
    yaw = np.radians(TARGETS[target].yaw)
    left = np.array([np.cos(yaw), np.sin(yaw), 0])
    for role in ("leftFoot", "rightFoot"):
        rest = (two.matrix_world @ two.data.bones[roles[role]].matrix_local).to_3x3().normalized()
        away = shown.rotations[0, shown.names[roles[role]]] @ np.array(rest).T
        assert abs(np.degrees(np.arcsin(away[:, 2] @ left))) < 7, role
