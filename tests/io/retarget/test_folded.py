"""The given capture of a dancer whose rest pose is folded together. At first the dancer stands upright on both feet, as its skull and toes
show; whatever the target is, its head and soles must be upright then, too, which no direction of a limb shows."""

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


@pytest.mark.parametrize("target", ["t_pose", "a_pose", "arms_down", "pirate", "twinsen"])
def test_heads_and_soles_of_one_who_stands_are_upright(game_file: Callable[[str], Path], target: str) -> None:
    from retro_anim.core.retarget.mapping.mapping import map_bones
    from retro_anim.core.retarget.options import Options
    from retro_anim.io.retarget import retarget
    from retro_anim.io.retarget.reading import read

    OPS.wm.read_homefile(use_empty=True, use_factory_startup=True)
    source, figure = SOURCES["rokoko"].make(game_file("")), TARGETS[target].make(game_file(""))
    bone_map = map_bones(read.figure_of(source), read.figure_of(figure))
    options = retarget.RetargetOptions(core=Options(feet=False), actions=(source.animation_data.action.name,))
    result = retarget.retarget_actions(bpy.context, source, figure, bone_map, options)
    shown = shown_of(figure, result.actions[0], np.array([result.actions[0].frame_range[0]]))
    roles = {pair.role: pair.target for pair in bone_map.pairs}
    for role in ("head", "leftToes", "rightToes"):
        bone = roles[role] if role in roles else roles[role.replace("Toes", "Foot")]
        rest = (figure.matrix_world @ figure.data.bones[bone].matrix_local).to_3x3().normalized()
        away = shown.rotations[0, shown.names[bone]] @ np.array(rest).T
        assert np.degrees(np.arccos(away[2, 2])) < 40, role
    assert any("is folded together at rest: its frame" in line for line in result.reports[0].lines())
