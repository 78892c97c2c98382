"""Both hands hang on each other, and one arm is too short for its half of the way: the other goes for the rest of it, and the first for
what that cannot reach. Measured on the bones as Blender shows them."""

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
    limb = part("core.retarget.figures.maps.bone_map").Limb
    steps: list[Any] = []
    for limbs in ((), (limb("leftHand", "HAND"), limb("rightHand", "HAND"))):
        options = module.RetargetOptions(core=part("core.retarget.options").Options(feet=False), actions=(clip,))
        action = module.retarget_actions(bpy.context, source, target, replace(bone_map, limbs=limbs), options).actions[0]
        part("io.blender.compat").assign(target, action)
        frames = np.arange(action.frame_range[0], action.frame_range[1] + 1)
        steps.append(elbow(pairs.poses(target, frames), TARGETS[name].roles))
    assert (steps[1] - steps[0]).max() < 45


@pytest.mark.thorough
@pytest.mark.parametrize(("source", "target"), [("zombie", "pirate"), ("cesium", "vroid")])
def test_each_hand_is_where_it_is_from_the_other_as_far_as_its_arm_reaches(part: Part, game_data: Path, source: str, target: str) -> None:
    """By the length of the legs; what is out of reach is reported of both, by how much and how often."""
    module, read = part("io.retarget.retarget"), part("io.retarget.reading.read")
    roles = pair_sources.SOURCES[source].roles, TARGETS[target].roles
    one, two = pair_sources.SOURCES[source].make(game_data), TARGETS[target].make(game_data)
    pair_sources.shorten(one, 250)
    bpy.context.view_layer.update()
    bone_map = part("core.retarget.mapping.mapping").map_bones(read.figure_of(one), read.figure_of(two))
    limb = part("core.retarget.figures.maps.bone_map").Limb
    bone_map = replace(bone_map, limbs=(limb("leftHand", "HAND"), limb("rightHand", "HAND")))
    options = module.RetargetOptions(core=part("core.retarget.options").Options(feet=False), actions=(one.animation_data.action.name,))
    result = module.retarget_actions(bpy.context, one, two, bone_map, options)
    keys = read.frames_of(result.actions[0], two, 1.0, at_keys=True)
    theirs, ours = pairs.poses(one, keys), pairs.shown_of(two, result.actions[0], keys)
    leg = pairs.leg(two, roles[1])
    yaw = pairs.about_z(TARGETS[target].yaw - pair_sources.SOURCES[source].yaw) * leg / pairs.leg(one, roles[0])
    for side, opposite in (("left", "right"), ("right", "left")):
        apart = (theirs.at(roles[0][f"{side}Hand"]) - theirs.at(roles[0][f"{opposite}Hand"])) @ yaw.T
        shoulder, elbow, hand = (ours.at(roles[1][side + part]) for part in ("UpperArm", "LowerArm", "Hand"))
        wanted = ours.at(roles[1][f"{opposite}Hand"]) + apart
        bones = [np.linalg.norm(end - start, axis=1) for start, end in ((shoulder, elbow), (elbow, hand))]
        far, missed = np.linalg.norm(wanted - shoulder, axis=1), np.linalg.norm(hand - wanted, axis=1) / leg
        reaches = (far < sum(bones)) & (far > np.abs(bones[0] - bones[1]))
        assert reaches.sum() > 20 and missed[reaches].max() < 0.02
        (listed,) = [goal for goal in result.reports[0].goals if goal.limb == f"{side}Hand"]
        assert listed.missed / leg == pytest.approx(missed.max(), abs=1e-4)
        assert listed.frames == (missed > 0.01).sum()
