"""Bone maps of rigs that Blender itself makes: Rigify's human metarig and what it generates, and imported game characters."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import pytest
from support.blender_rigs import RIGIFY_LIMBS

Part = Callable[[str], ModuleType]
OPS: Any = bpy.ops

TRUNK = {"hips": "spine", "spine": "spine.001", "chest": "spine.002", "upperChest": "spine.003", "neck": "spine.004", "head": "spine.006"}
TORSO = {"hips": "torso", "spine": "spine_fk.001", "chest": "spine_fk.002", "upperChest": "spine_fk.003", "neck": "neck", "head": "head"}


def limbs(pattern: str) -> dict[str, str]:
    """Role -> bone, `*` in the pattern being the part's name and `@` the side's letter."""
    return {
        side + role: pattern.replace("*", name).replace("@", letter)
        for side, letter in (("left", "L"), ("right", "R"))
        for role, name in RIGIFY_LIMBS.items()
    }


CONTROLS = {**TORSO, **limbs("*_fk.@"), "leftShoulder": "shoulder.L", "rightShoulder": "shoulder.R"}


@pytest.fixture
def figure(part: Part) -> Callable[[Any], Any]:
    return part("io.retarget.reading.read").figure_of


def got(part: Part, figure: Any, controls: bool, wanted: dict[str, str], profiles: bool = True) -> dict[str, str]:
    """What these roles are given to."""
    result = part("core.retarget.mapping.mapping").labels_of(figure, controls, profiles).roles
    return {role: figure.names[result[role]] for role in wanted if role in result}


def test_rigify(part: Part, figure: Callable[[Any], Any], game_file: Callable[[str], Path]) -> None:
    OPS.preferences.addon_enable(module="rigify")
    OPS.object.armature_human_metarig_add()
    metarig: Any = bpy.context.object
    plain = {**TRUNK, **limbs("*.@")}
    assert got(part, figure(metarig), False, plain) == plain
    bpy.data.objects.remove(metarig)
    OPS.object.armature_basic_human_metarig_add()
    OPS.pose.rigify_generate()
    rig = figure(bpy.data.objects["rig"])
    assert got(part, rig, True, CONTROLS) == CONTROLS
    arms_and_legs = {role: name for role, name in CONTROLS.items() if role not in TORSO}
    assert got(part, rig, True, arms_and_legs, profiles=False) == arms_and_legs
    deform = {role: f"DEF-{name}" for role, name in plain.items()}
    assert got(part, rig, False, deform) == deform
    part("io.lba").import_lba(bpy.context, part("io.lba").ImportOptions((str(game_file("lba1/ANIM.HQR")),), entries="1"))
    source = figure(bpy.context.object)
    result = part("core.retarget.mapping.mapping").map_bones(source, rig)
    pairs = {pair.role: (pair.source, pair.target) for pair in result if pair.role}
    assert pairs["leftUpperArm"] == ("group 04", "upper_arm_fk.L") and pairs["rightFoot"] == ("group 13", "foot_fk.R")
    assert pairs["hips"] == ("group 02", "torso") and pairs["head"] == ("group 14", "head")


def test_what_hands_and_feet_have_beyond_their_joints_counts_where_it_is_not_drawn(part: Any) -> None:
    """The files say no length of theirs: half of the bone above, as where a bone has no more than that to go on from."""
    sample = Path(__file__).parents[3] / "samples/mindpower/animation/0001.lab"
    (result,) = part("io.pipeline.games").import_files(bpy.context, [str(sample)], {"bone_direction": "CHILD"})
    (obj,) = result.armatures
    foot, figure = obj.data.bones["Bip01 L Foot"], part("io.retarget.reading.read").figure_of(obj)
    step = (foot.head_local - foot.parent.head_local).length
    assert foot.length < 0.2 * step
    assert figure.lengths[figure.names.index(foot.name)] == pytest.approx(0.5 * step, rel=1e-4)
