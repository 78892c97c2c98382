"""Refit Loop on clips of Oni 2: closing key, range and cyclic flag as an import has them."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest

Part = Callable[[str], ModuleType]
OPS: Any = bpy.ops
SKELETON = "NumBones 2\nbone root {\n offset 0 1 0\n bone spine {\n  offset 0 0.4 0.1\n }\n}\n"
COUNT = 8


class Loop:
    """Two bones over eight frames: the root goes along -Z, the spine swings."""

    def __init__(self, part: Part, folder: Path) -> None:
        self.part, self.folder, self.lba = part, folder, part("io.oni2")
        values = np.zeros((COUNT, 9), "<f4")
        values[:, 1], values[:, 2] = 1, -0.25 * np.arange(COUNT)
        values[:, 6] = 0.3 * np.sin(np.arange(COUNT))
        values[:, 6:] += np.array([0, 0, 0], "<f4")
        head = b"ANI1" + struct.pack("<3I3f", 1, COUNT, 9, 0, 0, -0.25 * COUNT)
        (folder / "two.skel").write_text(SKELETON)
        self.path = folder / "two.anim"
        self.path.write_bytes(head + values.tobytes())
        imported = self.lba.import_oni2(bpy.context, self.lba.ImportOptions((str(self.path),), fps_mode="SET"))
        self.obj, self.action = imported.armatures[0], imported.actions[0]
        bpy.context.view_layer.objects.active = self.obj
        self.obj.select_set(True)

    @property
    def curves(self) -> list[Any]:
        return [curve for curve in self.part("io.blender.compat").curves(self.action, self.obj) if len(curve.keyframe_points) > 1]

    def keys(self) -> dict[tuple[str, int], list[tuple[float, float]]]:
        return {(curve.data_path, curve.array_index): [tuple(point.co) for point in curve.keyframe_points] for curve in self.curves}

    def export(self) -> tuple[bytes, list[str]]:
        out = self.folder / "out.anim"
        warnings = self.lba.export_oni2(bpy.context, self.lba.ExportOptions(str(out))).warnings
        return out.read_bytes(), warnings

    def refit(self) -> None:
        assert OPS.retro_anim.refit_loop() == {"FINISHED"}


@pytest.fixture
def loop(addon: Any, part: Part, tmp_path: Path) -> Loop:
    return Loop(part, tmp_path)


def close(one: Any, other: Any) -> bool:
    return one.keys() == other.keys() and all(np.allclose(one[name], other[name], atol=2e-6) for name in one)


def test_what_was_not_edited_stays(loop: Loop) -> None:
    before, (data, warnings) = loop.keys(), loop.export()
    assert (data, warnings) == (loop.path.read_bytes(), [])
    loop.refit()
    assert close(loop.keys(), before)
    assert loop.export() == (data, [])


def test_closing_keys_and_range_that_are_gone_come_back(loop: Loop) -> None:
    before = loop.keys()
    for curve in loop.curves:
        curve.keyframe_points.remove(curve.keyframe_points[-1])
    loop.action.use_cyclic = loop.action.use_frame_range = False
    loop.refit()
    assert close(loop.keys(), before)
    assert loop.action.use_cyclic
    assert (loop.action.frame_start, loop.action.frame_end) == (1.0, 1.0 + COUNT)
    assert loop.export() == (loop.path.read_bytes(), [])


def test_a_longer_clip_closes_behind_its_last_frame(loop: Loop) -> None:
    """The root goes on as far as in the last frame, the spine back to where it started."""
    for curve in loop.curves:
        points = curve.keyframe_points
        values = [points[-2].co[1] + (points[-2].co[1] - points[-3].co[1]) * (step + 1) for step in range(3)]
        for step, value in enumerate(values):
            points.insert(COUNT + 1 + step, value, options={"FAST"}, keyframe_type="KEYFRAME").interpolation = "LINEAR"
        for point in points:
            if point.co[0] > COUNT:
                point.type = "KEYFRAME"
        curve.update()
    loop.refit()
    ends = {name: keys[-1] for name, keys in loop.keys().items()}
    assert {frame for frame, _ in ends.values()} == {float(COUNT + 4)}
    assert loop.action.frame_end == COUNT + 4
    first = {name: keys[0] for name, keys in loop.keys().items()}
    swings = [name for name in ends if "spine" in name[0]]
    assert swings and all(ends[name][1] == pytest.approx(first[name][1], abs=1e-5) for name in swings)
    data, warnings = loop.export()
    assert warnings == []
    assert struct.unpack_from("<I", data, 8)[0] == COUNT + 3


def test_closing_keys_that_were_baked_are_no_frame(loop: Loop) -> None:
    """A bake or a copy makes them common keys, at the end of the range, with the pose of the start."""
    for curve in loop.curves:
        for point in curve.keyframe_points:
            point.type = "KEYFRAME"
    assert loop.export() == (loop.path.read_bytes(), [])


def test_a_keyed_rotation_mode_stays_as_it_is(loop: Loop) -> None:
    """It is no angle that could be closed."""
    for frame in (1, 40):
        loop.obj.pose.bones["spine"].keyframe_insert("rotation_mode", frame=frame)
    before = {path: keys for path, keys in loop.keys().items() if path[0].endswith("rotation_mode")}
    loop.refit()
    assert len(before) == 1 and before.items() <= loop.keys().items()
