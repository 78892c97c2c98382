"""Which control of a rig carries which is tried: several at once where they cannot move the same bones, and not again in the next run."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import bpy
import pytest
from support import blender_rigs as rigs

Part = Callable[[str], ModuleType]

LIMBS = tuple(side + part for side in ("left", "right") for part in ("UpperArm", "LowerArm", "UpperLeg", "LowerLeg"))


@pytest.fixture
def rig(part: Part) -> Any:
    """Each limb copies a little of its pelvis's rotation, but for that of one arm, which copies its other arm's."""
    target = rigs.build("tied", rotation=rigs.rolled(2))
    for name in LIMBS:
        constraint = target.pose.bones[name].constraints.new("COPY_ROTATION")
        constraint.target, constraint.subtarget, constraint.influence = target, "hips", 0.3
    constraint.subtarget = "leftUpperArm"
    target.pose.bones["hips"].constraints.new("LIMIT_ROTATION")
    return target


@pytest.fixture
def carriers(part: Part, monkeypatch: pytest.MonkeyPatch) -> Callable[[Any], tuple[Any, int]]:
    """Looks them up as a new run does, and counts how often the rig was evaluated for it."""
    trials = part("io.retarget.control_rigs.trials").Trials
    core, controls = part("core.retarget.figures.maps.bone_map"), part("io.retarget.control_rigs.controls")
    bone_map = core.BoneMap(tuple(core.Pair(role, role, role) for role in rigs.PLAIN))
    counted: list[int] = []
    part("io.retarget.control_rigs.tried_rigs")._tried.clear()
    update = trials._update

    def counting(self: Any) -> None:
        counted.append(1)
        update(self)

    monkeypatch.setattr(trials, "_update", counting)

    def look_up(obj: Any) -> tuple[Any, int]:
        counted.clear()
        known = part("io.retarget.target_cache").Known(obj)
        answer = controls.Controls.of(bpy.context, obj, bone_map, False, known)
        return (answer.carriers, answer.switches), len(counted)

    return look_up


def test_bones_tried_at_once_are_carried_as_one_by_one(part: Part, rig: Any, carriers: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    together, few = carriers(rig)
    monkeypatch.setattr(part("io.retarget.control_rigs.reach"), "groups", lambda names, *_: [[name] for name in names])
    part("io.retarget.control_rigs.tried_rigs")._tried.clear()
    alone, many = carriers(rig)
    assert together == alone
    assert few < 0.7 * many


def test_a_rig_is_not_tried_again_by_the_next_run(rig: Any, carriers: Any) -> None:
    first, tried = carriers(rig)
    assert tried
    assert carriers(rig) == (first, 0)
    for switch in first[1]:  # as the new action leaves them
        owner = rig.pose.bones[switch.bone]
        owner.constraints[0].influence = switch.value
    assert carriers(rig) == (first, 0)


def _muted(rig: Any) -> None:
    rig.pose.bones["leftUpperLeg"].constraints[0].mute = True


def _other(rig: Any) -> None:
    rig.pose.bones["leftUpperLeg"].constraints[0].subtarget = "rightUpperLeg"


def _weaker(rig: Any) -> None:
    rig.pose.bones["leftUpperLeg"].constraints[0].influence = 0.5


def _own(rig: Any) -> None:
    rig.pose.bones["hips"]["switch"] = 1.0


def _driven(rig: Any) -> None:
    driver = rig.pose.bones["leftUpperLeg"].constraints[0].driver_add("influence").driver
    driver.expression = "0.5"


def _unturned(rig: Any) -> None:
    rig.data.bones["leftLowerLeg"].use_inherit_rotation = False


@pytest.mark.parametrize("edit", [_muted, _other, _weaker, _own, _driven, _unturned])
def test_an_edited_rig_is_tried_again(rig: Any, carriers: Any, edit: Callable[[Any], None]) -> None:
    carriers(rig)
    edit(rig)
    assert carriers(rig)[1] > 0


def test_a_preview_gives_back_what_has_a_long_name(part: Part, rig: Any) -> None:
    """The bone and its constraint together are longer than the name of a custom property may be."""
    bone = rig.pose.bones["leftUpperLeg"]
    bone.name = "left thigh of a beast, as long as names are"
    bone.constraints[0].name = "copies a part of the rotation of the pelvis"
    bone.constraints[0].influence = 0.25
    source = rigs.build("one")
    rigs.dance(part, source)
    names = {role: bone.name if role == "leftUpperLeg" else role for role in rigs.PLAIN}
    preview = part("io.retarget.in_view.preview").Preview(bpy.context, source, rig)
    preview.change(bpy.context, rigs.pairs(part, rigs.PLAIN, names), part("io.retarget.retarget").RetargetOptions())
    assert bone.constraints[0].influence == 0
    part("io.blender.temporary_state").give_back(rig)
    assert bone.constraints[0].influence == 0.25


def test_a_followed_bone_that_is_the_skin_of_another(part: Part, rig: Any) -> None:
    """As where a rig's bones of the skin are mapped beside their controls."""
    trials, names = part("io.retarget.control_rigs.trials"), list(rigs.PLAIN)
    with trials.at_rest(bpy.context, rig, ()):
        asked = trials.Asked(names, [], {"leftShoulder": "hips", "head": "leftUpperArm"})
        carriers, _ = trials.Trials(bpy.context, rig, asked).carriers()
    assert carriers["leftUpperArm"] == "leftShoulder" and carriers["rightHand"] == "rightLowerArm"
