"""Sources and targets with something wrong in themselves: they are followed as they look, or the report says what is wrong and what
helps. The truth is measured here on evaluated poses."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from support import blender_rigs as rigs

OPS: Any = bpy.ops
Part = Callable[[str], ModuleType]
FRAMES = range(1, 31)
LIMBS = (("UpperArm", "LowerArm", "Hand"), ("UpperLeg", "LowerLeg", "Foot"))


def figures(part: Part) -> tuple[Any, Any]:
    source, target = rigs.build("one"), rigs.build("two", rotation=rigs.rolled(2))
    rigs.dance(part, source)
    return source, target


def apart(source: Any, target: Any) -> float:
    """Degrees between the limbs that both show, at most."""
    most = 0.0
    for roles in ([side + name for name in limb] for side in ("left", "right") for limb in LIMBS):
        lines = [np.diff(rigs.joints(obj, roles, FRAMES), axis=1) for obj in (source, target)]
        first, second = (line / np.linalg.norm(line, axis=2, keepdims=True) for line in lines)
        most = max(most, float(np.degrees(2 * np.arcsin(np.linalg.norm(first - second, axis=2) / 2)).max()))
    return most


@pytest.mark.parametrize("carried", [False, True])
def test_a_source_that_is_stretched_is_followed_as_it_looks(part: Part, run: Any, carried: bool) -> None:
    source, target = figures(part)
    if carried:
        carrier = bpy.data.objects.new("carrier", None)
        bpy.context.collection.objects.link(carrier)
        carrier.rotation_euler, source.parent = (0.0, 0.0, 0.3), carrier
    (carrier if carried else source).scale = (1.0, 1.2, 1.4)
    report = run(source, target, feet=False, facing="WORLD").reports[0]
    assert apart(source, target) < 1e-3
    assert report.limb_max < 1e-3


@pytest.mark.parametrize("later", [False, True])
@pytest.mark.parametrize("active", [False, True])
def test_a_source_whose_rotation_modes_are_keyed_is_followed_as_it_looks(part: Part, run: Any, later: bool, active: bool) -> None:
    """Whatever modes its bones have now; under another action these are what they were."""
    source, target = figures(part)
    arms = [source.pose.bones[rigs.PLAIN[side + "UpperArm"]] for side in ("left", "right")]
    for bone in arms:
        for frame in (1, 30):
            bone.rotation_euler = (0.02 * frame, 0.03 * frame, 0.01 * frame)
            bone.keyframe_insert("rotation_euler", frame=frame)
        bone.rotation_mode = "ZXY"
        bone.keyframe_insert("rotation_mode", frame=1)
        bone.rotation_mode = "QUATERNION"
        if later:
            bone.keyframe_insert("rotation_mode", frame=15)
    action = source.animation_data.action
    if not active:
        source.animation_data.action = None
    for bone in arms:
        bone.rotation_mode = "QUATERNION"
    run(source, target, feet=False, facing="WORLD", actions=(action.name,))
    assert active or {bone.rotation_mode for bone in arms} == {"QUATERNION"}
    part("io.blender.compat").assign(source, action)
    rigs.joints(source, ["leftHand"], range(1, 3))  # where a mode changes, Blender converts what it was: the second time it shows the keys
    assert apart(source, target) < 1e-3


def test_a_target_that_is_stretched_is_told(part: Part, run: Any) -> None:
    source, target = figures(part)
    target.scale = (1.0, 1.0, 1.4)
    report = run(source, target, feet=False).reports[0]
    assert apart(source, target) > 1
    assert report.limb_max > 1
    assert not report.is_good
    assert any("apply its scale" in line for line in report.reasons())


def test_how_a_source_of_the_same_bones_is_scaled_is_not_the_targets(part: Part, run: Any) -> None:
    source, target = figures(part)
    bone = source.pose.bones["chest"]
    bone.scale = (1.3, 1.3, 1.3)
    bone.keyframe_insert("scale", frame=1)
    run(source, target, feet=False)
    bpy.context.scene.frame_set(5)
    assert np.allclose(target.pose.bones["chest"].scale, 1.0)


@pytest.mark.parametrize("keyed", [False, True])
@pytest.mark.parametrize("number", [0, 1])
def test_bones_that_a_negative_scale_mirrors_are_told(part: Part, run: Any, number: int, keyed: bool) -> None:
    """Of the source or the target, by their pose or by a key. What carries nothing, as the mirrored ends of a game's skeleton, and two
    axes at once, which are a rotation, are not."""
    both = figures(part)
    bones = both[number].pose.bones
    bones["leftHand"].scale, bones["chest"].scale = (-1.0, 1.0, 1.0), (-1.0, -1.0, 1.0)
    assert not any("mirrored" in line for line in run(*both, feet=False).reports[0].reasons())
    bones["chest"].scale = (1.0, 1.0, 1.0)
    both[1].animation_data_clear()
    bones["leftUpperArm"].scale = (1.0, -1.0, 1.0)
    if keyed:
        bones["leftUpperArm"].keyframe_insert("scale", frame=1)
    report = run(*both, feet=False).reports[0]
    assert number == 0 or apart(*both) > 90
    (line,) = [line for line in report.reasons() if "mirrored by a negative scale" in line]
    assert line.startswith(f"leftUpperArm of {both[number].name}:")
    assert not report.is_good


@pytest.mark.parametrize("number", [0, 1])
@pytest.mark.parametrize("scale", [(0.0, 0.0, 0.0), (1.0, 0.0, 1.0)])
def test_what_is_scaled_to_nothing_is_refused(part: Part, run: Any, number: int, scale: tuple[float, float, float]) -> None:
    both = figures(part)
    both[number].scale = scale
    actions = len(bpy.data.actions)
    with pytest.raises(part("core.reporting.errors").RetroAnimError, match=f"{both[number].name} is scaled to nothing"):
        run(*both, feet=False)
    assert len(bpy.data.actions) == actions


@pytest.mark.parametrize("shown", [False, True])
def test_keys_that_are_no_numbers_are_told(part: Part, run: Any, shown: bool) -> None:
    """shown: read from evaluated poses."""
    source, target = figures(part)
    if shown:
        source.pose.bones["head"].constraints.new("LIMIT_ROTATION")
    action = source.animation_data.action
    curves = {(curve.data_path, curve.array_index): curve for curve in part("io.blender.compat").curves(action, source)}
    for component in range(4):
        curves['pose.bones["leftLowerArm"].rotation_quaternion', component].keyframe_points[7].co[1] = np.nan
    report = run(source, target, feet=False).reports[0]
    assert not report.is_good
    (line,) = [line for line in report.reasons() if "no numbers" in line]
    assert "leftLowerArm" in line
    lower = rigs.joints(target, ["leftLowerArm", "leftHand"], FRAMES)
    assert np.isfinite(lower).all()
    others = part("io.blender.compat").curves(target.animation_data.action, target)
    assert all(np.isfinite(key.co[1]) for curve in others for key in curve.keyframe_points)


def test_a_driver_is_found_at_whichever_frame_it_acts(part: Part, run: Any) -> None:
    """In the one frame of 200 in which nothing else of the source moves much."""
    source, target = rigs.build("one"), rigs.build("two")
    rigs.dance(part, source, frames=200)
    bone = target.pose.bones["leftLowerArm"]
    for axis, value in enumerate(("cos(1)", "0", "0", "sin(1)")):
        driver = bone.driver_add("rotation_quaternion", axis).driver
        driver.type, driver.expression = "SCRIPTED", f"{value} if frame == 101 else {1 if axis == 0 else 0}"
    report = run(source, target, feet=False).reports[0]
    lines = [np.diff(rigs.joints(obj, ["leftLowerArm", "leftHand"], range(1, 201)), axis=1)[:, 0] for obj in (source, target)]
    first, second = (line / np.linalg.norm(line, axis=1, keepdims=True) for line in lines)
    truth = np.degrees(2 * np.arcsin(np.linalg.norm(first - second, axis=1) / 2)).max()
    assert not report.is_good
    assert report.limb_shown == pytest.approx(truth, abs=0.1)


def test_next_to_nothing_that_follows_is_no_success(part: Part, run: Any) -> None:
    source, target = rigs.build("prop", {"hips": "hips"}), rigs.build("two")
    rigs.dance(part, source)
    report = run(source, target, rigs.pairs(part, {"hips": "hips"}, {"hips": "hips"}), feet=False).reports[0]
    assert not report.is_good
    assert any("only 1 of two's 22 bones follows prop" in line for line in report.reasons())


@pytest.mark.parametrize("relative", [False, True])
def test_a_target_on_the_bone_of_another_armature_moves_as_an_object(part: Part, run: Any, relative: bool) -> None:
    """The bone leans, and its armature stands elsewhere."""
    source, target = figures(part)
    carrier = rigs.build("seat", {"hips": "seat"}, rotation=rigs.tumbled(4))
    carrier.location, carrier.rotation_euler = (3.0, 1.0, 0.5), (0.0, 0.2, 0.7)
    carrier.data.bones["seat"].use_relative_parent = relative
    target.parent, target.parent_type, target.parent_bone = carrier, "BONE", "seat"
    bpy.context.view_layer.update()
    stood = [np.array(obj.matrix_world @ obj.data.bones["hips"].head_local) for obj in (source, target)]
    run(source, target, feet=False, facing="WORLD", root_motion="OBJECT", floor="REST")
    assert apart(source, target) < 1e-2
    moved = [rigs.joints(obj, ["hips"], FRAMES)[:, 0] - start for obj, start in zip((source, target), stood, strict=True)]
    legs = [np.linalg.norm(np.diff(rigs.joints(obj, ["leftUpperLeg", "leftLowerLeg"], [1])[0], axis=0)) for obj in (source, target)]
    assert np.abs(moved[1] - moved[0] * legs[1] / legs[0]).max() < 1e-3


def test_the_rotation_of_a_mirrored_matrix_is_that_of_its_negative(part: Part) -> None:
    """As in Blender: as near are several others, of which one build of numpy took this and another that, from frame to frame."""
    rng = np.random.default_rng(3)
    rotations = np.linalg.qr(rng.normal(size=(50, 3, 3)))[0]
    rotations *= np.linalg.det(rotations)[:, None, None]
    for mirror in (np.diag([-1.0, -1.0, -1.0]), np.diag([-1.0, 1.0, 1.0]), np.diag([1.0, 1.0, -2.0])):
        noisy = rotations @ mirror + rng.normal(0, 1e-7, (50, 3, 3))
        assert np.allclose(part("io.retarget.reading.read").orthonormal(noisy), -rotations @ np.sign(mirror), atol=1e-5)


@pytest.mark.parametrize("grows", ["object", "hips", "leftHand", ""])
def test_a_source_that_grows_by_keys_is_named(part: Part, run: Any, grows: str) -> None:
    """Where all of it does, or most; a hand is not what it stands on."""
    source, target = figures(part)
    owner = source if grows in ("object", "") else source.pose.bones[grows]
    for frame, size in ((1, 1.0), (30, 1.5)):
        owner.scale = (size if grows else 1.0,) * 3
        owner.keyframe_insert("scale", frame=frame)
    with part("core.reporting.log").collect() as said:
        run(source, target, feet=False)
    lines = [line for line in said.digest("WARNING") if "grows and shrinks by keys, from 1.00 to 1.50" in line]
    assert [("one" if grows == "object" else grows) in line for line in lines] == ([True] if grows in ("object", "hips") else [])


@pytest.mark.parametrize("keys", ["muted", "no numbers"])
def test_a_source_that_does_not_grow_is_not_said_to(part: Part, run: Any, keys: str) -> None:
    """A key that is no number is reported as such."""
    source, target = figures(part)
    hips = source.pose.bones["hips"]
    for frame, size in ((1, 1.0), (30, 1.5 if keys == "muted" else 1.0)):
        hips.scale = (size,) * 3
        hips.keyframe_insert("scale", frame=frame)
    for curve in part("io.blender.compat").curves(source.animation_data.action, source):
        if curve.data_path.endswith("scale"):
            curve.mute = keys == "muted"
            curve.keyframe_points[0].co.y = curve.keyframe_points[0].co.y if keys == "muted" else float("nan")
    with part("core.reporting.log").collect() as said:
        run(source, target, feet=False)
    assert not [line for line in said.digest("WARNING") if "grows and shrinks" in line]


@pytest.mark.parametrize("linked", [False, True])
def test_an_action_of_the_same_name_in_another_file_is_another(part: Part, run: Any, tmp_path: Path, linked: bool) -> None:
    """linked: whether the source is that from the other file."""
    rigs.dance(part, rigs.build("one"), "walk", seed=1)
    OPS.wm.save_as_mainfile(filepath=str(tmp_path / "theirs.blend"), copy=True)
    OPS.wm.read_homefile(use_empty=True)
    libraries: Any = bpy.data.libraries  # of the file that is open now
    own, target = rigs.build("own"), rigs.build("two", rotation=rigs.rolled(2))
    rigs.dance(part, own, "walk", seed=2)
    with libraries.load(str(tmp_path / "theirs.blend"), link=True) as (_, wanted):
        wanted.objects = ["one"]
    theirs: Any = wanted.objects[0]
    bpy.context.scene.collection.objects.link(theirs)
    clips, both = ["walk", "walk [theirs.blend]"], [own, theirs]
    source = theirs if linked else own
    assert sorted(part("io.retarget.reading.source_actions").clip_names(source)) == clips
    for action, whose in zip(run(source, target, feet=False, actions=tuple(clips)).actions, both, strict=True):
        part("io.blender.compat").assign(target, action)
        assert apart(whose, target) < 1e-3


@pytest.mark.parametrize("keyed", ["custom", "muted"])
def test_a_source_that_nothing_moves_stands_at_rest(part: Part, run: Any, keyed: str) -> None:
    """Nothing of it is read from curves, neither at its keys nor between them."""
    source, target = rigs.build("one"), rigs.build("two", rotation=rigs.rolled(3))
    action, new_curve = part("io.blender.compat").new_action("still", source)[0], part("io.blender.compat").new_curve
    source.animation_data_create().action = action
    curve = new_curve(action, '["mood"]' if keyed == "custom" else 'pose.bones["hips"].location', 0, "more")
    curve.mute = keyed == "muted"
    for frame in (1.0, 30.0):
        curve.keyframe_points.insert(frame, frame)
    (created,) = run(source, target, keys="SOURCE").actions
    assert tuple(created.curve_frame_range) == (1, 30)
    hips, arm = (rigs.joints(target, (bone,), (1, 15, 30)) for bone in ("hips", "leftHand"))
    assert max(np.ptp(hips, axis=0).max(), np.ptp(arm, axis=0).max()) < 1e-6
