"""Both hands hang on each other, and one arm is too short for its half of the way: the other goes for the rest of it. Measured on the
bones as Blender shows them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from support.pairs import pair_sources, pairs
from support.pairs.pair_targets import TARGETS

Part = Callable[[str], ModuleType]


def elbow(shown: pairs.Shown, roles: dict[str, str]) -> Any:
    """(F - 1,) degrees that the right lower arm rotates against the upper arm."""
    upper, lower = (shown.rotations[:, shown.names[roles[f"right{part}"]]] for part in ("UpperArm", "LowerArm"))
    bent = np.einsum("fji,fjk->fik", upper, lower)
    return np.degrees(np.arccos(((np.einsum("fij,fij->f", bent[1:], bent[:-1]) - 1) / 2).clip(-1, 1)))


@pytest.mark.parametrize("name", ["vroid", "unreal"])
def test_an_elbow_does_not_leap_for_what_the_other_hand_cannot_reach(part: Part, game_data: Path, name: str) -> None:
    module, read = part("io.retarget.retarget"), part("io.retarget.reading.read")
    source, target = pair_sources.game("mindpower/animation/0113.lab")(game_data), TARGETS[name].make(game_data)
    bpy.context.view_layer.update()
    clip = next(action.name for action in bpy.data.actions if "wait" in action.name)
    bone_map = part("core.retarget.mapping.mapping").map_bones(read.figure_of(source), read.figure_of(target))
    limb = part("core.retarget.figures.bone_map").Limb
    steps: list[Any] = []
    for limbs in ((), (limb("leftHand", "HAND"), limb("rightHand", "HAND"))):
        options = module.RetargetOptions(core=part("core.retarget.options").Options(feet=False), actions=(clip,))
        action = module.retarget_actions(bpy.context, source, target, replace(bone_map, limbs=limbs), options).actions[0]
        part("io.blender.compat").assign(target, action)
        frames = np.arange(action.frame_range[0], action.frame_range[1] + 1)
        steps.append(elbow(pairs.poses(target, frames), TARGETS[name].roles))
    assert (steps[1] - steps[0]).max() < 45
