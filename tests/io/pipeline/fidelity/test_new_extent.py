"""Frame ranges of clips that were made in Blender: what is written beside them, and what the game repeats instead, is said."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import pytest
from support.sample_walk import SampleWalk

OPS: Any = bpy.ops
Part = Callable[[str], Any]


class Fresh(SampleWalk):
    """A clip that never came in: some bones rotate by `angles` at `frames`, and are straight between."""

    def __init__(self, part: Part, game: str, folder: Path, frames: tuple[int, ...], angles: tuple[float, ...]) -> None:
        super().__init__(part, game, folder)
        for obj in (self.obj, *self.obj.pose.bones):
            obj.matrix_basis = obj.matrix_basis.Identity(4)
        self.action = bpy.data.actions.new("fresh")
        self.compat.assign(self.obj, self.action)
        for bone in self.obj.pose.bones[2:5]:
            property_ = "rotation_quaternion" if bone.rotation_mode == "QUATERNION" else "rotation_euler"
            for frame, angle in zip(frames, angles, strict=True):
                setattr(bone, property_, (1.0, angle, 0.0, 0.0) if property_ == "rotation_quaternion" else (angle, 0.0, 0.0))
                assert bone.keyframe_insert(property_, frame=frame)
        for curve in self.compat.curves(self.action, self.obj):
            for point in curve.keyframe_points:
                point.interpolation = "LINEAR"

    def of_range(self, start: int, end: int, cyclic: bool) -> list[str]:
        self.action.use_frame_range, self.action.use_cyclic = True, cyclic
        self.action.frame_start, self.action.frame_end = start, end
        return [line for line in self.warnings() if "frame range" in line]


@pytest.mark.parametrize("game", ["lba", "oni", "oni2"])
@pytest.mark.parametrize("cyclic", [False, True])
def test_a_new_clip_of_another_extent_than_its_frame_range(part: Part, tmp_path: Path, game: str, cyclic: bool) -> None:
    it = Fresh(part, game, tmp_path, (1, 11, 21, 31, 41), (0.0, 0.1, 0.2, -0.1, 0.0))
    assert it.of_range(1, 41, cyclic) == []
    (line,) = it.of_range(1, 21, cyclic)
    assert "its frame range ends at frame 21, and all of it is written, up to frame 41: delete the keys behind" in line
    it.of_range(21, 41, cyclic)
    (line,) = [line for line in it.warnings() if "frame 21" in line]
    all_of_it = "its frame range begins at frame 21, and all of it is written, from frame 1 on: delete the keys before"
    assert (all_of_it if game == "lba" else "keys before frame 21, where the ") in line
    lines = it.of_range(1, 61, cyclic)
    assert len(lines) == (cyclic or game == "lba")
    assert all("its frame range ends at frame 61, and the game goes on with" in line for line in lines)


def test_a_new_clip_that_holds_its_last_pose(part: Part, tmp_path: Path) -> None:
    """Both remedies end the line: the range where the keys end, or a key where the range does."""
    it = Fresh(part, "lba", tmp_path, (1, 11), (0.1, 0.1))
    (line,) = it.of_range(1, 41, cyclic=False)
    assert line.endswith("goes on with the loop at frame 21: end the range there, or put a key at frame 41, if it is to be as long")
    assert it.of_range(1, 21, cyclic=False) == []
    for bone in it.obj.pose.bones[2:5]:
        property_ = "rotation_quaternion" if bone.rotation_mode == "QUATERNION" else "rotation_euler"
        assert bone.keyframe_insert(property_, frame=41)
    assert it.of_range(1, 41, cyclic=False) == []


def test_a_new_clip_that_repeats_by_modifiers(part: Part, tmp_path: Path) -> None:
    it = Fresh(part, "lba", tmp_path, (1, 11, 21), (0.0, 0.1, 0.0))
    for curve in it.compat.curves(it.action, it.obj):
        curve.modifiers.new("CYCLES")
    (line,) = it.of_range(1, 61, cyclic=True)
    assert line.endswith("goes on with the loop at frame 31: bake its curves, which repeat by Cycles modifiers, into keys")
    for curve in it.compat.curves(it.action, it.obj):
        keys = [(float(frame), curve.evaluate(frame)) for frame in range(1, 62)]
        curve.modifiers.remove(curve.modifiers[0])
        for frame, value in keys:
            curve.keyframe_points.insert(frame, value)
    assert it.of_range(1, 61, cyclic=True) == []


@pytest.mark.parametrize("game", ["oni", "oni2", "lba"])
def test_a_new_loop_that_does_not_come_back(part: Part, tmp_path: Path, game: str) -> None:
    """Little Big Adventure takes its time from the last keyframe to the one to which it goes back, which Refit Loop shows."""
    it = Fresh(part, game, tmp_path, (1, 11, 21, 31, 41), (0.0, 0.1, 0.2, -0.1, 0.2))
    lines = it.of_range(1, 41, cyclic=True)
    assert len(lines) == (game == "lba")
    if lines:
        assert "its frame range repeats 40 frames, and the game takes 10 more to go back to frame 1: choose Refit Loop" in lines[0]
        assert OPS.retro_anim.refit_loop() == {"FINISHED"}
        assert it.action.frame_range[:] == (1, 51) and it.warnings() == []


def test_a_new_loop_that_is_led_into(part: Part, tmp_path: Path) -> None:
    """Keys before its frame range, which ends as that begins: the game plays those once."""
    it = Fresh(part, "lba", tmp_path, (1, 11, 21, 31, 41), (0.3, 0.1, 0.2, -0.1, 0.1))
    assert it.of_range(11, 41, cyclic=True) == []
    assert len(it.of_range(21, 41, cyclic=True)) == 1


@pytest.mark.parametrize("path", [False, True])
def test_a_new_loop_without_a_path_has_its_way_back(part: Part, tmp_path: Path, path: bool) -> None:
    """Of Oni: the frame of the closing key is the first one again; up to it the file goes, whether a key of the pelvis says so or none."""
    it = Fresh(part, "oni", tmp_path, (1, 11, 21, 31, 41), (0.0, 0.1, 0.2, -0.1, 0.0))
    if path:
        root = next(bone for bone in it.obj.pose.bones if bone.parent is None)
        assert all(root.keyframe_insert("location", frame=frame) for frame in (1, 41))
    assert it.of_range(1, 41, cyclic=True) == []
    out = tmp_path / "TRAMfresh.oni"
    it.games.export(bpy.context, it.row, str(out), {})
    data = out.read_bytes()
    (table,) = struct.unpack_from("<I", data, 0x20)
    assert data[0x40:0x44] == b"MART" and struct.unpack_from("<H", data, table + 0x16C) == (40,)
