"""As it looks, a clip is sampled at the game's frames, and the game goes straight between them: what bends or leaps there is named."""

from __future__ import annotations

import math
import shutil
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest

Part = Callable[[str], ModuleType]
SAMPLES = Path(__file__).resolve().parents[4] / "samples"
GAMES = {
    "oni": ("oni/TRAMmannequin_walk.oni", "left_biceps"),
    "oni2": ("oni2/Entity/mannequin/mannequin_walk.anim", "upperarm_l"),
}


class Arm:
    """An upper arm that swings alone, by a curve of its own: Euler angles, which straight lines between frames leave as they are."""

    def __init__(self, part: Part, game: str, folder: Path) -> None:
        self.sample, bone = SAMPLES / GAMES[game][0], GAMES[game][1]
        shutil.copytree(self.sample.parent, folder / "game")
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
        self.module, self.game, self.folder = part(f"io.{game}"), game, folder
        path = str(folder / "game" / self.sample.name)
        (self.obj,) = getattr(self.module, f"import_{game}")(bpy.context, self.module.ImportOptions((path,))).armatures
        bpy.context.view_layer.objects.active = self.obj
        action, self.bone = self.obj.animation_data.action, bone
        self.first, self.last = action.curve_frame_range
        compat = self.compat = part("io.blender.compat")
        for curve in compat.curves(action, self.obj):
            if f'"{bone}"' in curve.data_path and "rotation" in curve.data_path:
                curve.keyframe_points.clear()
        pose = self.obj.pose.bones[bone]
        pose.rotation_mode, pose.rotation_euler = "XYZ", (0, 0, 0)
        pose.keyframe_insert("rotation_euler", index=0, frame=self.first)
        wanted = f'pose.bones["{bone}"].rotation_euler'
        (self.curve,) = [curve for curve in compat.curves(action, self.obj) if (curve.data_path, curve.array_index) == (wanted, 0)]

    def curves(self) -> list[Any]:
        path = f'pose.bones["{self.bone}"].rotation_quaternion'
        return [curve for curve in self.compat.curves(self.obj.animation_data.action, self.obj) if curve.data_path == path]

    def key(self, frames: Any, angles: Any, interpolation: str) -> None:
        for frame, angle in zip(frames, angles, strict=True):
            point = self.curve.keyframe_points.insert(frame, angle)
            point.interpolation, point.handle_left_type, point.handle_right_type = interpolation, "AUTO", "AUTO"
        self.curve.update()

    def off(self) -> float:
        """Degrees between the curve and straight lines between frames of the game, at most at quarters."""
        every = np.arange(self.first, self.last + 1)
        at = (every[:-1, None] + np.array([0.25, 0.5, 0.75])).ravel()
        values, there = (np.array([self.curve.evaluate(frame) for frame in frames.tolist()]) for frames in (every, at))
        return math.degrees(np.abs(there - np.interp(at, every, values)).max())

    def lines(self, **options: Any) -> list[str]:
        chosen = self.module.ExportOptions(str(self.folder / f"out{self.sample.suffix}"), dry_run=True, sampling="VISUAL", **options)
        (change,) = getattr(self.module, f"export_{self.game}")(bpy.context, chosen).changes
        return [line for line in change.messages if self.bone in line]


@pytest.fixture(params=GAMES)
def arm(request: Any, part: Part, tmp_path: Path) -> Arm:
    return Arm(part, request.param, tmp_path)


@pytest.mark.parametrize("period", [16, 20, 24])
def test_smooth_swings_are_not_named(arm: Arm, period: int) -> None:
    frames = np.arange(arm.first, arm.last + 1, period / 4)
    arm.key(frames, 0.4 * np.sin(np.arange(len(frames)) * np.pi / 2), "BEZIER")
    assert 0.05 < arm.off() < 1
    assert arm.lines() == []


def test_a_bow_between_two_frames_is(arm: Arm) -> None:
    """Its keys show nothing of it."""
    arm.key((arm.first, arm.first + 6, arm.first + 7, arm.last), (0.0, 0.0, 0.0, 0.0), "LINEAR")
    point = arm.curve.keyframe_points[1]
    point.interpolation, point.handle_right_type = "BEZIER", "FREE"
    point.handle_right = (point.co[0] + 0.5, 0.9)
    off = arm.off()
    (line,) = arm.lines()
    size = float(line.split(" degrees off")[0].rpartition(" ")[2])
    assert size == pytest.approx(off, abs=0.05) and off > 15
    assert f"off at frame {arm.first + 6:g}." in line and "between two frames of the game" in line


def test_a_leap_is(arm: Arm) -> None:
    arm.key((arm.first, arm.first + 9, arm.last), (0.0, 0.8, 0.8), "CONSTANT")
    (line,) = arm.lines()
    assert (
        line.startswith(f"{arm.bone}: 34.") and f" degrees off at frame {arm.first + 8.75:g} from what is shown: it bends or leaps" in line
    )


def _on_a_chord(arm: Arm, degrees: float, frames: int) -> float:
    """There in so many frames, and slowly back, on straight lines of quaternions. Returns by how much the rotation is off at quarters
    between two frames, in degrees: quaternions on a chord are as long as it is near to the origin, and the nearer, the faster they turn."""
    arm.key((arm.first,), (0.0,), "LINEAR")
    pose = arm.obj.pose.bones[arm.bone]
    pose.rotation_mode = "QUATERNION"
    half = math.radians(degrees) / 2
    there = (math.cos(half), math.sin(half), 0, 0)
    for frame, values in ((arm.first, (1, 0, 0, 0)), (arm.first + frames, there), (arm.last, (1, 0, 0, 0))):
        pose.rotation_quaternion = values
        pose.keyframe_insert("rotation_quaternion", frame=frame)
    for curve in arm.curves():
        for point in curve.keyframe_points:
            point.interpolation = "LINEAR"
    share = np.arange(4 * frames + 1) / (4 * frames)
    angles = 2 * np.degrees(np.arctan2(share * math.sin(half), 1 - share + share * math.cos(half)))
    return float(np.abs(angles - np.interp(share, share[::4], angles[::4])).max())


def test_a_chord_that_turns_unevenly_is(arm: Arm) -> None:
    """Its keys lie at whole frames, and its curves are straight."""
    off = _on_a_chord(arm, 170, 3)
    assert off > 3
    lines = [line for line in arm.lines() if "between two frames of the game" in line]
    if arm.game == "oni":  # whose file has the two keys, and the chord between them
        assert lines == []
    else:
        assert float(lines[0].split(" degrees off")[0].rpartition(" ")[2]) == pytest.approx(off, rel=0.25)  # angles, and no chord


def test_a_chord_that_turns_evenly_is_not(arm: Arm) -> None:
    assert _on_a_chord(arm, 60, 8) < 0.5
    assert [line for line in arm.lines() if "between two frames of the game" in line] == []


def test_a_modifier_that_ends_between_two_frames_is(arm: Arm) -> None:
    arm.key((arm.first, arm.last), (0.0, 0.0), "LINEAR")
    modifier = arm.curve.modifiers.new("GENERATOR")
    modifier.use_additive, modifier.coefficients = True, (0.6, 0.0)
    modifier.use_restricted_range, modifier.frame_start, modifier.frame_end = True, arm.first + 4.3, arm.first + 4.6
    (line,) = arm.lines()
    assert f"34.4 degrees off at frame {arm.first + 4.5:g} from what is shown" in line


def test_a_constraint_on_top_counts(arm: Arm) -> None:
    """What is shown is what the scene shows: held, the bone does not leap."""
    arm.key((arm.first, arm.first + 9, arm.last), (0.0, 0.8, 0.8), "CONSTANT")
    held = arm.obj.pose.bones[arm.bone].constraints.new("LIMIT_ROTATION")
    held.use_limit_x, held.min_x, held.max_x, held.owner_space = True, 0.0, 0.0, "LOCAL"
    assert arm.lines() == []


def test_fewer_keys_are_no_bend(part: Part, tmp_path: Path) -> None:
    """What goes straight does so, whichever keys are left out; a leap is one all the same."""
    arm = Arm(part, "oni", tmp_path)
    arm.key((arm.first, arm.first + 9, arm.last), (0.0, 0.8, 0.8), "LINEAR")
    assert arm.lines(reduction="DISTANCE") == []
    arm.key((arm.first, arm.first + 9, arm.last), (0.0, 0.8, 0.8), "CONSTANT")
    (leap,) = arm.lines(reduction="DISTANCE")
    assert "leaps between two frames of the game" in leap


@pytest.fixture
def copies(arm: Arm) -> Any:
    """A constraint that rotates the arm by 0.8 radians as another object is, which itself stands still."""
    arm.key((arm.first, arm.last), (0.0, 0.0), "LINEAR")
    other = bpy.data.objects.new("other", None)
    bpy.context.collection.objects.link(other)
    other.rotation_euler = (0.8, 0.0, 0.0)
    constraint = arm.obj.pose.bones[arm.bone].constraints.new("COPY_ROTATION")
    constraint.target, constraint.owner_space, constraint.target_space, constraint.mix_mode = other, "LOCAL", "WORLD", "ADD"
    return constraint


def keyed(owner: Any, path: str, keys: list[tuple[float, Any]], part: Part, interpolation: str = "CONSTANT") -> Any:
    """The curve of a property of another data-block, or of a constraint of the armature, through its keys; it ends as it begins."""
    for frame, value in [*keys, (round(keys[-1][0]) + 8, keys[0][1])]:  # and back, where it is a loop
        setattr(owner, path, value)
        owner.keyframe_insert(path, frame=frame)
    obj = owner.id_data
    (curve,) = [
        curve
        for curve in part("io.blender.compat").curves(obj.animation_data.action, obj)
        if curve.data_path == owner.path_from_id(path) and np.ptp([point.co[1] for point in curve.keyframe_points])
    ]
    for point in curve.keyframe_points:
        point.interpolation = interpolation
    return curve


def leap_of(line: str) -> tuple[float, float]:
    """Degrees, and how far behind a frame of the game, of a line about what is between two."""
    assert "from what is shown: it bends or leaps between two frames of the game" in line
    degrees, frame = line.split(": ", 1)[1].split(" from what")[0].split(" degrees off at frame ")
    return float(degrees), float(frame) % 1


def test_a_keyed_influence_that_leaps_is(arm: Arm, copies: Any, part: Part) -> None:
    keyed(copies, "influence", [(arm.first, 0.0), (arm.first + 6, 1.0)], part)
    (line,) = arm.lines()
    assert leap_of(line) == pytest.approx((34.4, 0.75), abs=0.2)


def test_a_keyed_influence_that_grows_over_frames_is_not(arm: Arm, copies: Any, part: Part) -> None:
    keyed(copies, "influence", [(arm.first, 0.0), (arm.first + 8, 1.0)], part, "BEZIER")
    assert arm.lines() == []


def test_a_keyed_influence_for_less_than_a_frame_is(arm: Arm, copies: Any, part: Part) -> None:
    keyed(copies, "influence", [(arm.first, 0.0), (arm.first + 6.6, 1.0), (arm.first + 6.9, 0.0)], part)
    (line,) = arm.lines()
    assert line.startswith(f"{arm.bone}: 45.8 degrees off at frame {arm.first + 6.75:g} from what is shown: it bends or leaps")


@pytest.mark.parametrize(("at", "size", "where"), [(6.0, 34.4, 0.75), (6.4, 22.9, 0.5)])
def test_what_a_constraint_follows_leaps(arm: Arm, copies: Any, part: Part, at: float, size: float, where: float) -> None:
    keyed(copies.target, "rotation_euler", [(arm.first, (0, 0, 0)), (arm.first + at, (0.8, 0, 0))], part)
    (line,) = arm.lines()
    assert leap_of(line) == pytest.approx((size, where), abs=0.2)


def test_a_driver_that_leaps_is(arm: Arm, part: Part) -> None:
    arm.key((arm.first, arm.last), (0.0, 0.0), "LINEAR")
    pose = arm.obj.pose.bones[arm.bone]
    pose.keyframe_delete("rotation_euler", index=0, frame=arm.first)
    pose.keyframe_delete("rotation_euler", index=0, frame=arm.last)
    driver = pose.driver_add("rotation_euler", 0).driver
    driver.type, driver.expression = "SCRIPTED", f"0.8 if {arm.first + 6} <= frame < {arm.first + 12} else 0.0"
    (line,) = arm.lines()
    assert leap_of(line) == pytest.approx((34.4, 0.75), abs=0.2)


def test_a_strip_that_leaps_is(arm: Arm, part: Part) -> None:
    """One that is added to the action, and begins between two frames."""
    arm.key((arm.first, arm.last), (0.0, 0.0), "LINEAR")
    pose, data = arm.obj.pose.bones[arm.bone], arm.obj.animation_data
    own, slot = data.action, getattr(data, "action_slot", None)
    data.action = None
    pose.rotation_euler = (0.8, 0, 0)
    for frame in (1, 8):
        pose.keyframe_insert("rotation_euler", index=0, frame=frame)
    added, data.action = data.action, own
    if slot is not None:
        data.action_slot = slot
    strip = data.nla_tracks.new().strips.new("added", int(arm.first) + 6, added)
    strip.extrapolation, strip.blend_type = "NOTHING", "REPLACE"
    data.action_blend_type = "ADD"
    (line,) = arm.lines()
    assert leap_of(line) == pytest.approx((34.4, 0.25), abs=0.2)  # it shows its last frame
