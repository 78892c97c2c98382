"""The report is about the curves that Blender has: where these are others than were computed, it is measured anew and says so."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from support import blender_rigs as rigs

Part = Callable[[str], ModuleType]
Spoil = Callable[[Any], None]
FRAMES = range(1, 31)


def spoiled(part: Part, monkeypatch: pytest.MonkeyPatch, spoil: Spoil) -> None:
    """Let something happen to each action as soon as it is written."""
    writer = part("io.blender.motion.curve_writer").Writer
    write = writer.write

    def worse(self: Any, blocks: Any) -> Any:
        action = write(self, blocks)
        for curve in part("io.blender.compat").listed_curves(action):
            if curve.data_path == 'pose.bones["leftUpperArm"].rotation_quaternion':
                spoil(curve)
        return action

    monkeypatch.setattr(writer, "write", worse)


def run(
    part: Part, clips: int = 1, mode: str = "QUATERNION", prepare: Callable[[], None] = lambda: None, align: str = "AUTO"
) -> tuple[Any, Any, list[Any]]:
    """Source, target and reports. prepare: called as soon as the source moves."""
    module, core = part("io.retarget.retarget"), part("core.retarget.options")
    source, target = rigs.build("one"), rigs.build("two", rotation=rigs.tumbled(3))
    for bone in target.pose.bones:
        bone.rotation_mode = mode
    names = tuple(rigs.dance(part, source, f"dance {number}").name for number in range(clips))
    asked = module.RetargetOptions(core=core.Options(feet=False, align=align), actions=names)
    prepare()
    return source, target, module.retarget_actions(bpy.context, source, target, rigs.pairs(part, rigs.PLAIN, rigs.PLAIN), asked).reports


def zero_y(curve: Any) -> None:
    if curve.array_index == 1:
        for point in curve.keyframe_points:
            point.co.y = 0.0
        curve.update()


def later(curve: Any) -> None:
    for point in curve.keyframe_points:
        point.co.x += 1.0
    curve.update()


def few(curve: Any) -> None:
    while len(curve.keyframe_points) > 3:
        curve.keyframe_points.remove(curve.keyframe_points[-1])


def muted(curve: Any) -> None:
    curve.extrapolation, curve.data_path = "LINEAR", 'pose.bones["nobody"].rotation_quaternion'


@pytest.mark.parametrize("spoil", [zero_y, later, few, muted])
def test_other_curves_than_were_computed_are_no_good_result(part: Part, monkeypatch: pytest.MonkeyPatch, spoil: Spoil) -> None:
    """The limb's error is that which Blender shows."""
    source, target, (report,) = run(part, prepare=lambda: spoiled(part, monkeypatch, spoil))
    lines = [np.diff(rigs.joints(obj, ("leftUpperArm", "leftLowerArm"), FRAMES), axis=1)[:, 0] for obj in (source, target)]
    first, second = (line / np.linalg.norm(line, axis=1, keepdims=True) for line in lines)
    angle = float(np.degrees(2 * np.arcsin(np.linalg.norm(first - second, axis=1) / 2)).max())
    assert angle > 2
    assert report.limb_max >= angle - 1e-2
    assert not report.is_good
    assert any(line.startswith("leftUpperArm is rotated by ") for line in report.lines())


def test_one_of_many_clips_is_enough(part: Part, monkeypatch: pytest.MonkeyPatch) -> None:
    number = [0]

    def spoil(curve: Any) -> None:
        number[0] += curve.array_index == 0
        if number[0] == 6:
            zero_y(curve)

    reports = run(part, 6, prepare=lambda: spoiled(part, monkeypatch, spoil))[2]
    assert [bool(report.unlike) for report in reports].count(True) == 1
    assert sum(not report.is_good for report in reports) == 1


@pytest.mark.parametrize("mode", ["QUATERNION", "XYZ", "ZXY", "AXIS_ANGLE"])
@pytest.mark.parametrize("clips", [1, 3])
def test_what_was_computed_is_what_is_there(part: Part, mode: str, clips: int) -> None:
    for report in run(part, clips, mode)[2]:
        assert report.unlike == ""
        assert report.limb_max < 1e-3


def test_angles_of_hundreds_of_rotations_are_what_was_computed(part: Part) -> None:
    """Euler angles go on from rotation to rotation, and a curve has them in single precision: 6e-5 radians between numbers near 900."""
    module, core = part("io.retarget.retarget"), part("core.retarget.options")
    source, target = rigs.build("one"), rigs.build("two", rotation=rigs.tumbled(3))
    for bone in target.pose.bones:
        bone.rotation_mode = "XYZ"
    half = np.arange(1800) * 0.25
    spin = np.stack([np.cos(half), 0 * half, np.sin(half), 0 * half])
    names = (rigs.keyed(part, source, "spin", {("hips", "rotation_quaternion"): spin}).name,)
    asked = module.RetargetOptions(core=core.Options(feet=False), actions=names)
    result = module.retarget_actions(bpy.context, source, target, rigs.pairs(part, rigs.PLAIN, rigs.PLAIN), asked)
    curves = part("io.blender.compat").listed_curves(result.actions[0])
    angles = [max(abs(point.co.y) for point in curve.keyframe_points) for curve in curves if '"hips"].rotation' in curve.data_path]
    assert max(angles) > 850
    assert result.reports[0].unlike == ""


@pytest.mark.parametrize("align", ["AUTO", "REST", "TPOSE", "FRAME", "POSE"])
def test_clips_of_one_rig_are_computed_at_once(part: Part, monkeypatch: pytest.MonkeyPatch, align: str) -> None:
    """What a clip takes by itself is mostly not its frames. All dances are in the same pose at a frame."""
    core = part("core.retarget.retarget")
    clips_of, together = core.retarget_clips, list[int]()

    def counted(setup: Any, asked: Any, fps: float) -> Any:
        together.append(len(asked))
        return clips_of(setup, asked, fps)

    monkeypatch.setattr(core, "retarget_clips", counted)
    assert len(run(part, 5, align=align)[2]) == 5
    assert together == [5]
