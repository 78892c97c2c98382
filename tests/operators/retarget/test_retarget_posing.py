"""The reference pose in the window: shown, changed, kept by name with the map, and what retargeting makes of it on evaluated bones."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Quaternion
from support import blender_rigs as rigs

OPS: Any = bpy.ops
Part = Callable[[str], ModuleType]
LIMBS = [side + limb for side in ("left", "right") for limb in ("UpperArm", "LowerArm", "UpperLeg", "LowerLeg")]
NEXT = {"UpperArm": "LowerArm", "LowerArm": "Hand", "UpperLeg": "LowerLeg", "LowerLeg": "Foot"}


@pytest.fixture(autouse=True)
def kept_maps(part: Part, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(part("operators.retarget.mapping.bone_map"), "folder", lambda: tmp_path)
    return tmp_path


@pytest.fixture
def two(part: Part) -> tuple[Any, Any]:
    """A Mixamo rig in T-pose that dances, and an Unreal one in A-pose with rolls of its own."""
    source = rigs.build("hero", names=rigs.MIXAMO)
    target = rigs.build("mannequin", names=rigs.UNREAL, pose=rigs.a_pose(), rotation=rigs.rolled(1), root="root")
    target.location.x = 2.0
    rigs.dance(part, source, "clip", seed=3)
    settings().source, settings().target = source, target
    OPS.retro_anim.retarget_map()
    return source, target


def settings() -> Any:
    return bpy.context.scene.retro_anim_retarget


def directions(obj: Any, names: dict[str, str]) -> dict[str, Any]:
    """By role where limbs point in the world, as Blender shows them now."""
    shown: Any = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    result = {}
    for role in LIMBS:
        side = "left" if role.startswith("left") else "right"
        ends = [shown.matrix_world @ shown.pose.bones[names[joint]].head for joint in (role, side + NEXT[role[len(side) :]])]
        result[role] = np.array((ends[1] - ends[0]).normalized())
    return result


def apart(one: dict[str, Any], other: dict[str, Any]) -> float:
    """Degrees between directions, at most."""
    return max(float(np.degrees(np.arctan2(np.linalg.norm(np.cross(one[role], other[role])), one[role] @ other[role]))) for role in LIMBS)


def test_both_are_shown_as_they_are_aligned_and_come_back(two: Any) -> None:
    source, target = two
    before = directions(source, rigs.MIXAMO), directions(target, rigs.UNREAL), source.animation_data.action
    assert apart(before[0], before[1]) > 20
    assert OPS.retro_anim.retarget_pose() == {"FINISHED"}
    assert bpy.context.mode == "POSE" and bpy.context.view_layer.objects.active == target
    assert apart(directions(source, rigs.MIXAMO), directions(target, rigs.UNREAL)) < 0.01
    rest = {role: np.array([1.0 if role.startswith("left") else -1.0, 0, 0]) for role in LIMBS if "UpperArm" in role}
    assert all(directions(source, rigs.MIXAMO)[role] @ rest[role] > 0.99 for role in rest)  # the T-pose, not the dance
    assert OPS.retro_anim.retarget_pose() == {"FINISHED"}
    assert bpy.context.mode == "OBJECT"
    assert source.animation_data.action == before[2]
    assert apart(directions(source, rigs.MIXAMO), before[0]) < 1e-3 and apart(directions(target, rigs.UNREAL), before[1]) < 1e-3


@pytest.mark.usefixtures("two")
def test_what_only_moves_for_the_hips_is_not_rotated(part: Part) -> None:
    """The bone above a game's hips: rotated as it is aligned, it would swing the whole figure into the ground."""
    samples = Path(__file__).resolve().parents[3] / "samples"
    (imported,) = part("io.pipeline.games").import_files(bpy.context, [str(samples / "lba1/walk.anm")], {"fps_mode": "KEEP"})
    (target,) = imported.armatures
    settings().target = target
    OPS.retro_anim.retarget_map()
    hips = next(line.target for line in settings().pairs if line.role == "hips")
    assert OPS.retro_anim.retarget_pose() == {"FINISHED"}
    above = target.pose.bones[hips].parent
    assert np.allclose(above.matrix_basis, np.eye(4), atol=1e-6)
    assert (target.pose.bones[hips].head - target.data.bones[hips].head_local).length < 1e-5
    OPS.retro_anim.retarget_pose_as_source()
    assert np.allclose(above.matrix_basis, np.eye(4), atol=1e-6)


def test_a_pose_that_is_kept_counts(two: Any, tmp_path: Path) -> None:
    """Where the source stands as in the pose, the target stands as it was posed; elsewhere it is rotated from there as the source is."""
    source, target = two
    OPS.retro_anim.retarget_pose()
    arm = target.pose.bones["upperarm_l"]
    arm.rotation_quaternion = arm.rotation_quaternion @ Quaternion((0.3, 0.8, 0.5), 0.4)
    bpy.context.view_layer.update()
    posed = directions(target, rigs.UNREAL)
    still = directions(source, rigs.MIXAMO)
    settings().pose_name = "Shrug"
    assert OPS.retro_anim.retarget_pose_keep() == {"FINISHED"}
    assert (settings().align, settings().reference) == ("POSE", "Shrug")
    OPS.retro_anim.retarget_pose()
    assert OPS.retro_anim.retarget(actions_from="ACTIVE", align="POSE", reference="Shrug", feet=False) == {"FINISHED"}
    for frame in (1, 13, 30):
        bpy.context.scene.frame_set(frame)
        shown: Any = source.evaluated_get(bpy.context.evaluated_depsgraph_get())
        moved = directions(target, rigs.UNREAL)
        for role in LIMBS:
            bone = shown.pose.bones[rigs.MIXAMO[role]]
            away = np.array((bone.matrix @ bone.bone.matrix_local.inverted()).to_3x3())
            assert np.abs(moved[role] - away @ posed[role]).max() < 2e-4, (frame, role)
    assert np.degrees(np.arccos(posed["leftUpperArm"] @ still["leftUpperArm"])) > 5
    # It is in the map's file, and offered for the same skeleton below another source.
    path = str(tmp_path / "saved.json")
    OPS.retro_anim.retarget_map_save(filepath=path)
    assert [pose["name"] for pose in json.loads(Path(path).read_text(encoding="utf-8"))["poses"]] == ["Shrug"]
    settings().poses.clear()
    OPS.retro_anim.retarget_map()
    assert [pose.name for pose in settings().poses] == ["Shrug"]
    settings().source = rigs.build("other", names=rigs.PLAIN)
    OPS.retro_anim.retarget_map()
    assert [pose.name for pose in settings().poses] == ["Shrug"]


def test_pose_target_as_source(two: Any) -> None:
    """Whatever the source is posed like meanwhile; where bones are selected only these."""
    source, target = two
    OPS.retro_anim.retarget_pose()
    source.pose.bones["mixamorig:LeftArm"].rotation_quaternion = Quaternion((0.2, 0.7, 0.6), 0.9)
    source.pose.bones["mixamorig:RightLeg"].rotation_quaternion = Quaternion((1, 0, 0), 0.8)
    bpy.context.view_layer.update()
    assert apart(directions(source, rigs.MIXAMO), directions(target, rigs.UNREAL)) > 20
    for bone in target.pose.bones:
        flags = bone if "select" in bone.bl_rna.properties else bone.bone  # of pose bones from 5.0 on
        flags.select = False
    assert OPS.retro_anim.retarget_pose_as_source() == {"FINISHED"}
    assert apart(directions(source, rigs.MIXAMO), directions(target, rigs.UNREAL)) < 0.01
    assert OPS.retro_anim.retarget_pose_rest() == {"FINISHED"}
    bpy.context.view_layer.update()
    assert np.abs(np.array([bone.matrix_basis for bone in target.pose.bones]) - np.eye(4)).max() < 1e-6
    # Two are kept, one goes again.
    OPS.retro_anim.retarget_pose_keep(name="Rest")
    OPS.retro_anim.retarget_pose_as_source()
    OPS.retro_anim.retarget_pose_keep(name="As Source")
    assert [pose.name for pose in settings().poses] == ["Rest", "As Source"]
    OPS.retro_anim.retarget_pose()
    OPS.retro_anim.retarget_pose_remove()
    assert ([pose.name for pose in settings().poses], settings().reference) == (["Rest"], "Rest")


def test_the_rest_pose_is_drawn_at_once(part: Part, two: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not only when the view is turned next."""
    drawn = list[float]()
    bone = two[1].pose.bones["upperarm_l"]
    monkeypatch.setattr(part("operators.shared.modal"), "redraw", lambda _context: drawn.append(bone.matrix_basis.to_quaternion().angle))
    OPS.retro_anim.retarget_pose()
    assert bone.matrix_basis.to_quaternion().angle > 0.1
    OPS.retro_anim.retarget_pose_rest()
    assert drawn == [pytest.approx(0, abs=1e-6)]


def test_a_pose_that_is_kept_under_a_name_in_use_gets_another(two: Any, capfd: pytest.CaptureFixture[str]) -> None:
    """Both are there, each as it was kept, the new one chosen; what it is called is said."""
    _source, target = two
    OPS.retro_anim.retarget_pose()
    settings().pose_name = "Shrug"
    OPS.retro_anim.retarget_pose_keep()
    first = settings().poses["Shrug"].document
    arm = target.pose.bones["upperarm_l"]
    arm.rotation_mode = "QUATERNION"
    arm.rotation_quaternion = arm.rotation_quaternion @ Quaternion((0, 0, 1), 0.4)
    bpy.context.view_layer.update()
    capfd.readouterr()
    assert OPS.retro_anim.retarget_pose_keep() == {"FINISHED"}
    assert "Shrug.001" in capfd.readouterr().out
    OPS.retro_anim.retarget_pose_keep(name="Shrug")
    assert [pose.name for pose in settings().poses] == ["Shrug", "Shrug.001", "Shrug.002"]
    assert settings().poses["Shrug"].document == first != settings().poses["Shrug.001"].document
    assert (settings().align, settings().reference) == ("POSE", "Shrug.002")


@pytest.mark.parametrize("how", ["another", "none", "deleted"])
def test_both_come_back_also_where_another_target_is_chosen_meanwhile(part: Part, two: Any, how: str) -> None:
    source, target = two
    action, before = source.animation_data.action, directions(source, rigs.MIXAMO)
    OPS.retro_anim.retarget_pose()
    if how == "deleted":
        OPS.object.mode_set(mode="OBJECT")
        bpy.context.scene.collection.objects.unlink(target)
    else:
        settings().target = rigs.build("other", names=rigs.PLAIN) if how == "another" else None
    assert source.animation_data.action is None
    assert not OPS.retro_anim.retarget_pose_rest.poll()
    assert part("operators.retarget.posing").has_begun(settings())
    assert OPS.retro_anim.retarget_pose() == {"FINISHED"}
    assert source.animation_data.action == action and not part("io.blender.identity").is_staged(target)
    assert apart(directions(source, rigs.MIXAMO), before) < 1e-3
    assert not part("operators.retarget.posing").has_begun(settings())


def test_a_pose_that_is_removed_is_not_offered_again(two: Any) -> None:
    """Neither for these two skeletons nor for the target below another source; without a chosen one the button says what it needs."""
    source, _target = two
    OPS.retro_anim.retarget_pose()
    for name in ("One", "Two"):
        OPS.retro_anim.retarget_pose_keep(name=name)
    OPS.retro_anim.retarget_pose()
    settings().source = rigs.build("other", names=rigs.PLAIN)
    OPS.retro_anim.retarget_map()
    settings().pairs[0].weight = 0.9
    OPS.retro_anim.retarget_pose()
    OPS.retro_anim.retarget_pose_keep(name="Three")  # the other source's map is remembered, with all three
    OPS.retro_anim.retarget_pose()
    settings().reference = "Two"
    assert OPS.retro_anim.retarget_pose_remove() == {"FINISHED"}
    for known in (settings().source, source):
        settings().source = known
        OPS.retro_anim.retarget_map()
        assert sorted(pose.name for pose in settings().poses) == ["One", "Three"]
    settings().reference = ""
    assert not OPS.retro_anim.retarget_pose_remove.poll()


def test_a_pose_that_is_not_there_is_named(two: Any) -> None:
    with pytest.raises(RuntimeError, match="no reference pose Nobody"):
        OPS.retro_anim.retarget(actions_from="ACTIVE", align="POSE", reference="Nobody")


@pytest.mark.parametrize("shown", ["retarget_pose", "retarget_preview"])
@pytest.mark.parametrize("how", ["chosen", "imported"])
def test_another_clip_of_a_figure_that_shows_something_stays(part: Part, two: Any, shown: str, how: str) -> None:
    """Chosen in the list, or imported on it: leaving afterwards would take it off again, and put back the one before."""
    source, _target = two
    samples = Path(__file__).resolve().parents[3] / "samples"
    (imported,) = part("io.pipeline.games").import_files(bpy.context, [str(samples / "lba1/walk.anm")], {"fps_mode": "KEEP"})
    (target,) = imported.armatures
    settings().target = target
    assert getattr(OPS.retro_anim, shown)() == {"FINISHED"}
    assert target.animation_data.action is None
    if bpy.context.mode != "OBJECT":
        OPS.object.mode_set(mode="OBJECT")
    bpy.context.view_layer.objects.active = target
    if how == "chosen":
        wanted = imported.actions[0].copy()
        wanted.name = "wanted"
        part("operators.clips").make_active(bpy.context, wanted)
    else:
        assert OPS.import_anim.lba(filepath=str(samples / "lba1/walk.anm")) == {"FINISHED"}
        wanted = target.animation_data.action
        assert wanted not in (None, imported.actions[0])
    assert not part("operators.retarget.posing").has_begun(settings())
    assert source.animation_data.action.name == "clip"
    if shown == "retarget_preview":
        part("operators.retarget.preview").stop()
    part("operators.retarget.posing").leave(bpy.context)
    assert target.animation_data.action == wanted
