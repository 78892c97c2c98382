"""Oni 2 in Blender: poses against the description, every clip out again as it came in, and what its skeleton is."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import mathutils
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.oni2.oni2_blender import two_bones
from support.oni2.oni2_files import CHANNELS_SKEL, FRAME, ROOT, SPINE
from support.oni2.oni2_strategies import anims_of, bone_lists

Part = Callable[[str], ModuleType]

ROTATED = {"-Z": np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]]), "+Z": np.array([[-1, 0, 0], [0, 0, 1], [0, 1, 0]])}
"""The game's axes in Blender's, for a character that looks along the game's -Z or +Z."""


@pytest.fixture
def two(tmp_path: Path) -> Path:
    return two_bones(tmp_path)


@pytest.fixture
def fetch(part: Part) -> Callable[..., Any]:
    oni2 = part("io.oni2.build")
    return lambda *paths, **options: oni2.import_oni2(bpy.context, oni2.ImportOptions(tuple(map(str, paths)), **options))


@pytest.fixture
def write(part: Part) -> Callable[..., list[str]]:
    export = part("io.oni2.write")
    return lambda path, **options: export.export_oni2(bpy.context, export.ExportOptions(str(path), **options)).paths


@pytest.fixture
def packed(part: Part) -> Callable[..., bytes]:
    """The bytes that an action stands for."""
    export = part("io.oni2.write")
    return lambda obj, action, **options: export.pack_action(bpy.context, obj, action, export.ExportOptions("", **options))


def world(obj: Any, facing: str = "-Z") -> np.ndarray:
    """(B, 4, 4) the evaluated bones with what the object does, in the game's axes."""
    bpy.context.view_layer.update()
    obj = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    back = np.eye(4)
    back[:3, :3] = ROTATED[facing].T
    rest = {bone.name: np.array(bone.matrix_local)[:3, :3] for bone in obj.data.bones}
    result = []
    for bone in obj.pose.bones:
        matrix = back @ np.array(obj.matrix_world @ bone.matrix)
        matrix[:3, :3] = matrix[:3, :3] @ rest[bone.name].T @ ROTATED[facing]
        result.append(matrix)
    return np.array(result)


@pytest.mark.parametrize("facing", ["-Z", "+Z"])
@pytest.mark.parametrize("direction", ["GAME", "CHILD"])
@pytest.mark.parametrize("root_motion", ["BONE", "OBJECT"])
def test_the_worked_example(fetch: Any, two: Path, facing: str, direction: str, root_motion: str) -> None:
    imported = fetch(two / "two_step.anim", facing=facing, bone_direction=direction, root_motion=root_motion, fps_mode="SET")
    (obj,) = imported.armatures
    bpy.context.scene.frame_set(1)
    assert np.abs(world(obj, facing)[0, :3] - ROOT).max() < 1e-6
    assert np.abs(world(obj, facing)[1, :3] - SPINE).max() < 1e-6
    bpy.context.scene.frame_set(1, subframe=0.5)
    assert world(obj, facing)[0, :3, 3] == pytest.approx([0.2, 1.05, -0.4], abs=1e-6)


def test_raw_numbers_in_the_curves(fetch: Any, two: Path, part: Part) -> None:
    """Angles as they are, in mode XZY; the root's translation less its offset."""
    imported = fetch(two / "two_step.anim", fps_mode="SET")
    curves = {
        (curve.data_path, curve.array_index): curve
        for curve in part("io.blender.compat").curves(imported.actions[0], imported.armatures[0])
    }
    for index, value in enumerate(FRAME[3:6]):
        assert curves['pose.bones["root"].rotation_euler', index].keyframe_points[0].co[:] == (1, np.float32(value))
    for index, value in enumerate(np.array(FRAME[:3]) - [0, 1, 0]):
        assert curves['pose.bones["root"].location', index].keyframe_points[0].co[1] == pytest.approx(value, abs=1e-7)
    assert imported.armatures[0].pose.bones["spine"].rotation_mode == "XZY"
    assert len(curves) == 9
    assert bpy.context.scene.render.fps == 30


def test_the_root_may_be_added_to_its_place(fetch: Any, two: Path) -> None:
    imported = fetch(two / "two_step.anim", offset="ADD")
    bpy.context.scene.frame_set(1)
    assert world(imported.armatures[0])[0, :3, 3] == pytest.approx([0.1, 2.05, -0.3], abs=1e-6)


def test_the_formula_is_blenders_own_euler(part: Part) -> None:
    evaluate, rotation = part("core.oni2.motion.evaluate"), part("core.motion.rotations.rotation_matrix")
    draw = np.random.default_rng(6)
    triples = draw.uniform(-7, 7, (1000, 3))
    ours = rotation.from_euler(triples, evaluate.MODE)
    for triple, matrix in zip(triples, ours, strict=True):
        x, y, z = triple
        blenders = mathutils.Euler(triple, "XZY").to_matrix()
        rotations = [mathutils.Matrix.Rotation(y, 3, "Y"), mathutils.Matrix.Rotation(z, 3, "Z"), mathutils.Matrix.Rotation(x, 3, "X")]
        assert np.abs(matrix - np.array(blenders)).max() < 2e-6
        assert np.abs(matrix - np.array(rotations[0] @ rotations[1] @ rotations[2])).max() < 2e-6


def test_every_axis_that_is_not_declared_is_locked(fetch: Any, tmp_path: Path) -> None:
    (tmp_path / "five.skel").write_text(CHANNELS_SKEL)
    (obj,) = fetch(tmp_path / "five.skel", limits=True).armatures
    pose = obj.pose.bones
    assert [tuple(pose[name].lock_rotation) for name in ("root", "arm_l", "piston")] == [
        (False, False, False), (True, False, False), (True, False, True)]  # fmt: skip
    assert [tuple(pose[name].lock_location) for name in ("root", "piston", "pelvis")] == [
        (False, False, False), (True, True, False), (True, True, True)]  # fmt: skip
    assert [tuple(pose[name].lock_scale) for name in ("root", "piston")] == [(True, True, True), (False, False, False)]
    (limit,) = pose["spine_01"].constraints
    assert (limit.use_limit_x, limit.use_limit_y, limit.euler_order, limit.owner_space) == (True, False, "XZY", "LOCAL")
    assert (limit.min_x, limit.max_x) == (-1.5, 1.5)
    assert sum(len(bone.constraints) for bone in pose) == 1
    assert obj.data.bones["piston"].head_local[:] == pytest.approx((0, -0.1, 1.7), abs=1e-6)


def test_without_being_asked_there_are_no_constraints(fetch: Any, tmp_path: Path) -> None:
    (tmp_path / "five.skel").write_text(CHANNELS_SKEL)
    (obj,) = fetch(tmp_path / "five.skel").armatures
    assert not any(bone.constraints for bone in obj.pose.bones)


@st.composite
def characters(draw: st.DrawFn, part: Part) -> tuple[bytes, bytes]:
    """A skeleton and a clip for it, of any kind."""
    skel, channels = part("core.oni2.files.skeleton.skel"), part("core.oni2.motion.channels")
    bones = draw(bone_lists(6))
    result = skel.write(bones, draw(st.sampled_from(["101", ""])))
    if not len(channels.layout_of(result)):
        result = skel.write(bones, "")
    return result.pack(), draw(anims_of(len(channels.layout_of(result)))).pack()


VARIANTS = st.fixed_dictionaries(
    {
        "order": st.sampled_from(["FILE", "BONE", "GROUPED"]),
        "offset": st.sampled_from(["REPLACE", "ADD"]),
        "scale_channels": st.sampled_from(["APPLY", "IGNORE"]),
        "facing": st.sampled_from(["-Z", "+Z"]),
        "bone_direction": st.sampled_from(["GAME", "CHILD"]),
        "root_motion": st.sampled_from(["BONE", "OBJECT", "NONE"]),
        "fps_mode": st.sampled_from(["KEEP", "SET"]),
        "scale": st.sampled_from([1.0, 0.01, 3.3]),
        "frame_start": st.sampled_from([1.0, 0.0, -12.5]),
    }
)


@pytest.mark.thorough
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data(), VARIANTS)
def test_any_clip_comes_back_bit_by_bit(part: Part, fetch: Any, packed: Any, write: Any, tmp_path: Path, data: Any, variant: dict) -> None:
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    skel, anim = data.draw(characters(part))
    (tmp_path / "one.skel").write_bytes(skel)
    (tmp_path / "one.anim").write_bytes(anim)
    imported = fetch(tmp_path / "one.anim", skeleton=str(tmp_path / "one.skel"), **variant)
    assert packed(imported.armatures[0], imported.actions[0]) == anim
    write(tmp_path / "again.skel", overwrite=True)
    assert (tmp_path / "again.skel").read_bytes() == skel


def test_files_and_the_blend(fetch: Any, write: Any, two: Path, tmp_path: Path) -> None:
    fetch(two / "two_step.anim", root_motion="OBJECT")
    saved = str(tmp_path / "saved.blend")
    bpy.ops.wm.save_as_mainfile(filepath=saved)
    bpy.ops.wm.open_mainfile(filepath=saved)
    for name in ("two_step.anim", "two.skel"):
        assert write(tmp_path / name) == [str(tmp_path / name)]
        assert (tmp_path / name).read_bytes() == (two / name).read_bytes()


def test_bytes_behind_a_clip_are_told_where_it_comes_in_alone(part: Part, fetch: Any, write: Any, two: Path, tmp_path: Path) -> None:
    path = two / "two_step.anim"
    path.write_bytes(path.read_bytes() + b"abc")
    log = part("core.reporting.log")
    with log.collect() as said:
        fetch(path)
    assert any("3 bytes behind the last frame" in line for line in said.digest("WARNING"))
    with log.collect() as said:
        write(tmp_path / "out.anim")
    assert (said.digest("WARNING"), (tmp_path / "out.anim").read_bytes()) == ([], path.read_bytes())


def test_a_skeleton_that_cannot_be_read_is_the_reason(part: Part, fetch: Any, two: Path) -> None:
    (path,) = two.glob("*.skel")
    path.write_text(path.read_text().rstrip().removesuffix("}"))
    clip = two / "two_step.anim"
    clip.write_bytes(b"ANI1" + struct.pack("<3I3f", 0, 2, 10, 0, 0, 0) + bytes(80))
    with pytest.raises(Exception, match=r"no skeleton with 10 channels .*: line \d+: a brace is never closed"):
        fetch(clip)


def test_an_armature_that_lost_bones_takes_no_clips_of_its_skeleton(fetch: Any, two: Path) -> None:
    clip = two / "two_step.anim"
    obj = fetch(clip).armatures[0]
    bpy.ops.object.mode_set(mode="EDIT")
    obj.data.edit_bones.remove(obj.data.edit_bones[-1])
    bpy.ops.object.mode_set(mode="OBJECT")
    (again,) = fetch(clip).armatures
    assert again != obj
    assert len(again.data.bones) == len(obj.data.bones) + 1
