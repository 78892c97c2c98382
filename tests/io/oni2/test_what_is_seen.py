"""What is seen is what is written, or it is named: random edits of any kind, by an evaluator that shares no code with the package."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from support.animator_edits import EDITS, Animator, object_keyed, scaled_in_time
from support.oni2.oni2_shown import Skeleton, rows_of, table_of

Part = Callable[[str], ModuleType]
SAMPLES = Path(__file__).resolve().parents[3] / "samples"

ANGLE, DISTANCE = 0.0075, 2e-4
"""Degrees and metres: all numbers are floats, so that it is Blender's own 32 bits that count."""

NAMES, PARENTS = ["root", "spine", "arm", "hand", "leg"], [-1, 0, 1, 2, 0]
OFFSETS = [(0.0, 1.0, 0.0), (0.0, 0.4, 0.1), (0.3, 0.2, 0.0), (0.25, 0.0, 0.0), (0.1, -0.5, 0.0)]
SKELETON = """NumBones 5
bone root {
 offset 0 1 0
 bone spine {
  offset 0 0.4 0.1
  bone arm {
   offset 0.3 0.2 0
   bone hand {
    offset 0.25 0 0
   }
  }
 }
 bone leg {
  offset 0.1 -0.5 0
 }
}
"""

IMPORTS = st.fixed_dictionaries(
    {
        "root_motion": st.sampled_from(["BONE", "OBJECT"]),
        "bone_direction": st.sampled_from(["GAME", "CHILD"]),
        "fps_mode": st.sampled_from(["SET", "SET", "KEEP"]),
    }
)


def clip(seed: int, kind: str) -> bytes:
    """12 frames that swing about, the root on its way along -Z; all but "null" loop."""
    draw = np.random.default_rng(seed)
    values = np.cumsum(draw.normal(0, 0.25, (12, 18)), axis=0)
    values[:, :3] = values[:, :3] * 0.1 + [0, 1, 0] + np.outer(np.arange(12), [0, 0, -0.1])
    stride = values[-1, :3] - values[0, :3]
    deltas = np.diff(values[:, :3], axis=0, append=values[-1:, :3] + [[0.05, 0, -0.1]])
    table = np.concatenate([values, deltas], axis=1) if kind == "deltas" else values
    head = {
        "null": struct.pack("<3If", 0, 12, 18, stride[2]) + b"\0",
        "ani": b"ani\0" + struct.pack("<3I3f", 1, 12, 18, *stride) + b"\1",
        "loop": b"ANI1" + struct.pack("<3I3f", 1, 12, 18, *stride),
        "deltas": b"ANI1" + struct.pack("<3I3f", (1 << 31) + 1, 12, 18, *deltas.sum(axis=0)),
    }[kind]
    return head + table.astype("<f4").tobytes()


@settings(
    max_examples=20,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    seed=st.integers(1, 4),
    kind=st.sampled_from(["null", "ani", "loop", "deltas"]),
    options=IMPORTS,
    rate=st.sampled_from([24, 25, 30, 50, 60]),
    sampling=st.sampled_from(["KEYS", "VISUAL"]),
    edits=st.lists(EDITS, max_size=2),
)
def test_random_edits(
    part: Part, tmp_path: Path, seed: int, kind: str, options: dict[str, Any], rate: int, sampling: str, edits: list[Any]
) -> None:
    obj = stage(part, tmp_path, clip(seed, kind), options, rate)
    curves = part("io.blender.compat").curves
    animator = Animator(obj, lambda: list(curves(obj.animation_data.action, obj)), "root")
    for edit in edits:
        edit(animator)
    animator.updated()
    data, lines = exported(part, obj, tmp_path, sampling)
    if data is None:
        assert lines
        return
    if not edits:
        assert data == clip(seed, kind)
    body, fps = Skeleton(obj, NAMES, PARENTS, OFFSETS), bpy.context.scene.render.fps
    values = rows_of(data)
    leaps = any("between two frames" in line for line in lines)
    times = np.arange(0, len(values) - 0.99, 1 if (sampling == "VISUAL" and not leaps) or len(values) > 40 else 0.25)
    if lines and sampling == "KEYS":  # what was said may be about what lies between Blender's own keys
        keys = (np.array([point.co.x for curve in animator.curves() for point in curve.keyframe_points]) - 1) * 30 / fps
        times = np.union1d(times, keys[(keys >= 0) & (keys <= times[-1])])
        times = np.union1d(times, (times[1:] + times[:-1]) / 2)
    shown, written = body.shown(1 + times * fps / 30), body.written(values, times)
    rotated, moved = body.apart(shown, written)
    if not lines:
        assert rotated.max() < 2 * ANGLE, f"{body.names[rotated.max(axis=0).argmax()]} at {times[rotated.max(axis=1).argmax()]}"
        assert moved.max() < 2 * DISTANCE, times[moved.argmax()]
    elif not all("frame range ends" in line for line in lines):  # which is about what lies behind the clip
        assert rotated.max() > 0.5 * ANGLE or moved.max() > 0.5 * DISTANCE, lines


def stage(part: Part, folder: Path, data: bytes, options: dict[str, Any], rate: int) -> Any:
    bpy.ops.wm.read_homefile(use_empty=True)
    (folder / "five.skel").write_text(SKELETON)
    (folder / "five_swing.anim").write_bytes(data)
    bpy.context.scene.render.fps = rate
    oni2 = part("io.oni2")
    return oni2.import_oni2(bpy.context, oni2.ImportOptions((str(folder / "five_swing.anim"),), **options)).armatures[0]


def exported(part: Part, obj: Any, folder: Path, sampling: str) -> tuple[bytes | None, list[str]]:
    """What is written, None where it is refused; and what is said."""
    oni2, path = part("io.oni2"), folder / "out.anim"
    path.unlink(missing_ok=True)
    bpy.context.view_layer.objects.active = obj
    with part("core.reporting.log").collect() as said:
        try:
            oni2.export_oni2(bpy.context, oni2.ExportOptions(str(path), sampling=sampling))
        except part("core.reporting.errors").ExportError as error:
            return None, error.problems
    # Curves of another rotation mode than the one that is on are named although nobody sees them.
    return path.read_bytes(), [line for line in said.digest("WARNING") if "since the rotation mode is another one" not in line]


def test_a_heading_that_the_object_keeps_is_written_in_silence(part: Part, tmp_path: Path) -> None:
    obj = stage(part, tmp_path, clip(1, "null"), {"root_motion": "BONE"}, 30)
    animator = Animator(obj, lambda: list(part("io.blender.compat").curves(obj.animation_data.action, obj)), "root")
    for angle in (0.4, 0.0):  # the second one keys again what the first one came to
        object_keyed(0.0, angle, True)(animator)
    data, lines = exported(part, obj, tmp_path, "KEYS")
    assert data is not None
    values = table_of(data)[1]
    was = table_of(clip(1, "null"))[1]
    cosine, sine = np.cos(0.4), np.sin(0.4)
    assert values[:, 0] == pytest.approx(cosine * was[:, 0] + sine * was[:, 2], abs=1e-5)
    assert not lines


def test_the_way_back_of_a_loop_of_half_the_speed_takes_twice_as_long(part: Part, tmp_path: Path) -> None:
    """12 frames and the one in which it goes back to the first are 24 and that one."""
    obj = stage(part, tmp_path, clip(1, "ani"), {"fps_mode": "KEEP"}, 24)
    animator = Animator(obj, lambda: list(part("io.blender.compat").curves(obj.animation_data.action, obj)), "root")
    scaled_in_time(2.0, False)(animator)
    data, lines = exported(part, obj, tmp_path, "KEYS")
    assert data is not None and not lines
    before, values = table_of(clip(1, "ani"))[1], table_of(data)[1]
    assert len(values) == 24
    assert values[::2] == pytest.approx(before, abs=1e-5)
    back = before[0, 3:] + 2 * np.pi * np.round((before[-1, 3:] - before[0, 3:]) / (2 * np.pi))
    assert values[-1, 3:] == pytest.approx((before[-1, 3:] + back) / 2, abs=1e-5)


def test_the_step_back_of_a_stretched_loop_with_deltas(part: Part, tmp_path: Path) -> None:
    """The last delta leads to the closing key: at half the speed the loop goes as far as before."""
    oni2, anim = part("io.oni2"), part("core.oni2.files.anim").Anim
    imported = oni2.import_oni2(bpy.context, oni2.ImportOptions((str(SAMPLES / "oni2" / "RB.DAT"),), fps_mode="SET"))
    obj, action = imported.armatures[0], next(action for action in imported.actions if action.use_cyclic)
    obj.animation_data.action = action
    bpy.context.view_layer.objects.active = obj
    before, lines = exported(part, obj, tmp_path, "KEYS")
    assert before is not None and not lines and anim.parse(before).deltas is not None
    for curve in part("io.blender.compat").curves(action):
        for point in curve.keyframe_points:
            point.co[0] = 1 + 2 * (point.co[0] - 1)
        curve.update()
    action.frame_end = 1 + 2 * (action.frame_end - 1)
    after, lines = exported(part, obj, tmp_path, "KEYS")
    assert after is not None and not lines
    was, now = anim.parse(before), anim.parse(after)
    assert len(now.table) == 2 * len(was.table) and now.stride == pytest.approx(was.stride, abs=1e-5)
    assert now.deltas.sum(axis=0) == pytest.approx(was.deltas.sum(axis=0), abs=1e-5)


@pytest.mark.parametrize("sampling", ["KEYS", "VISUAL"])
@pytest.mark.parametrize("path", ["location", 'pose.bones["root"].location'])
def test_a_loop_in_place_stays_there(part: Part, tmp_path: Path, path: str, sampling: str) -> None:
    """The hips sway in the sample, without a stride: a key in the midst that is moved is no way to go, and the key that closes it shows
    none."""
    oni2, anim = part("io.oni2"), part("core.oni2.files.anim").Anim
    source = SAMPLES / "oni2" / "Entity" / "mannequin" / "mannequin_idle.anim"
    root_motion = "OBJECT" if path == "location" else "BONE"
    options = oni2.ImportOptions((str(source),), fps_mode="SET", root_motion=root_motion)
    obj = oni2.import_oni2(bpy.context, options).armatures[0]
    curves = part("io.blender.compat").curves(obj.animation_data.action)
    curve = next(curve for curve in curves if (curve.data_path, curve.array_index) == (path, 0))
    curve.keyframe_points[10].co[1] += 0.02
    data, lines = exported(part, obj, tmp_path, sampling)
    assert data is not None and not lines
    assert anim.parse(data).stride.tolist() == anim.parse(source.read_bytes()).stride.tolist() == [0, 0, 0]


@pytest.mark.parametrize("sampling", ["KEYS", "VISUAL"])
def test_a_loop_in_a_strip_of_twice_the_length_stays_a_loop(part: Part, tmp_path: Path, sampling: str) -> None:
    obj = stage(part, tmp_path, clip(1, "loop"), {"fps_mode": "SET"}, 30)
    data = obj.animation_data
    action, slot = data.action, data.action_slot if part("io.blender.compat").SLOTTED else None
    strip = data.nla_tracks.new().strips.new("strip", 1, action)
    if slot is not None:
        strip.action_slot = slot
    data.action, strip.scale = None, 2.0
    written, lines = exported(part, obj, tmp_path, sampling)
    assert written is not None and not lines
    flags, frames = struct.unpack_from("<2I", written, 4)
    assert (flags, frames) == (1, 24)
    assert table_of(written)[1][::2] == pytest.approx(table_of(clip(1, "loop"))[1], abs=1e-4 if sampling == "VISUAL" else 1e-5)


@pytest.mark.parametrize("sampling", ["KEYS", "VISUAL"])
def test_a_loop_that_comes_back_to_another_pose_than_its_first_is_named(part: Part, tmp_path: Path, sampling: str) -> None:
    """Its first key alone is another one: the closing key shows what was the first pose."""
    obj = stage(part, tmp_path, clip(1, "ani"), {"fps_mode": "SET"}, 30)
    curves = part("io.blender.compat").curves(obj.animation_data.action, obj)
    next(curve for curve in curves if '"arm"]' in curve.data_path and "rotation" in curve.data_path).keyframe_points[0].co[1] += 0.3
    data, lines = exported(part, obj, tmp_path, sampling)
    assert data is not None and len(lines) == 1
    assert "arm" in lines[0] and "at frame 13" in lines[0] and "17.2 degrees off" in lines[0] and "Refit Loop" in lines[0]
