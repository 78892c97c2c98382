"""Bones that get other names after a person has set up the bone map."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import pytest
from support import blender_rigs as rigs

OPS: Any = bpy.ops
Part = Callable[[str], ModuleType]


@pytest.fixture
def both(part: Part, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Any, Any]:
    monkeypatch.setattr(part("operators.retarget.mapping.bone_map"), "folder", lambda: tmp_path)
    source = rigs.build("hero", names=rigs.MIXAMO)
    target = rigs.build("mannequin", names=rigs.UNREAL, root="root")
    settings().source, settings().target = source, target
    OPS.retro_anim.retarget_map(anew=True)
    return source, target


def settings() -> Any:
    scene: Any = bpy.context.scene
    return scene.retro_anim_retarget


def pairs() -> dict[str, str]:
    return {line.target: line.source for line in settings().pairs if not line.is_chain}


@pytest.mark.parametrize("side", [0, 1])
def test_what_was_set_of_other_bones_stays(part: Part, both: tuple[Any, Any], side: int) -> None:
    """What follows the renamed bone is found again; nothing else that somebody asked for is lost."""
    bone_map, log = part("operators.retarget.mapping.bone_map"), part("core.reporting.log")
    line = next(each for each in settings().pairs if each.target == "upperarm_r")
    line.source = "mixamorig:RightShoulder"
    settings().limb_leftHand.reach, settings().limb_leftHand.near = "HAND", 0.1
    settings().pairs.remove(next(index for index, each in enumerate(settings().pairs) if each.target == "head"))
    before, names = pairs(), ("mixamorig:LeftForeArm", "lowerarm_l")
    assert before[names[1]] == names[0]
    both[side].data.bones[names[side]].name = f"left_{'fore' if side == 0 else 'lower'}arm"
    with log.collect() as said:
        result = bone_map.present(bpy.context, *both)
    (warning,) = said.of("WARNING")
    assert warning.text == "bones of the bone map have other names now: 1 line mapped anew, the others stay"
    source, target = ("left_forearm", names[1]) if side == 0 else (names[0], "left_lowerarm")
    expected = {bone: follows for bone, follows in before.items() if bone != names[1]} | {target: source}
    assert pairs() == expected == {pair.target: pair.source for pair in result.pairs}
    assert (settings().limb_leftHand.reach, round(settings().limb_leftHand.near, 6)) == ("HAND", 0.1)
    assert {pair.target: pair.source for pair in bone_map.present(bpy.context, *both)} == expected
