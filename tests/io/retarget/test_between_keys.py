"""A clip for a game between the source's frames: bones as Blender shows them, of source and target, at every time unit of the game and at
every frame of the scene."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from support import blender_rigs as rigs
from support.pairs import pair_sources, pairs
from support.pairs.pair_targets import TARGETS

from .test_game_ready import GAMES, character

Part = Callable[[str], ModuleType]
TICKS = {"lba1": 50, "lba2": 1000, "oni": 60, "oni2": 30, "mindpower": 30}
LIMBS = [
    (f"{side}{first}", f"{side}{second}")
    for side in ("left", "right")
    for first, second in (("UpperArm", "LowerArm"), ("UpperLeg", "LowerLeg"))
]


def back_and_forth(count: int) -> Any:
    """A motion that bends at each frame, most in the middle."""
    return np.resize([0.0, 1.0, 0.2, -1.0], count) * np.interp(np.arange(count), [0, count // 2 + 1, count - 1], [0.2, 1.0, 0.2])


def boxer(part: Part, start: float, count: int, motion: Callable[[int], Any] = back_and_forth) -> Any:
    """A rig that rotates its limbs by up to 0.35 of `motion`, in radians."""
    obj = rigs.build("boxer", names=rigs.MIXAMO)
    values: dict[tuple[str, str], Any] = {}
    for role, size in (("leftUpperArm", 0.35), ("rightUpperArm", -0.3), ("leftUpperLeg", 0.2), ("rightUpperLeg", -0.25)):
        axis = np.array(obj.data.bones[rigs.MIXAMO[role]].matrix_local.to_3x3())[0]  # about the world's X, in which no limb lies
        if role.endswith("Arm"):
            axis = np.array(obj.data.bones[rigs.MIXAMO[role]].matrix_local.to_3x3())[2]
        angle = size * motion(count)
        values[rigs.MIXAMO[role], "rotation_quaternion"] = np.concatenate([np.cos(angle / 2)[None], axis[:, None] * np.sin(angle / 2)])
    action = rigs.keyed(part, obj, "box", values, start)
    for curve in part("io.blender.compat").curves(action, obj):
        for key in curve.keyframe_points:
            key.interpolation = "LINEAR"
    action.use_frame_range = True
    action.frame_start, action.frame_end = start, start + count - 1
    return obj


def retargeted(part: Part, source: Any, target: Any, **options: Any) -> Any:
    """Its report."""
    job, read = part("io.retarget.retarget"), part("io.retarget.reading.read")
    bone_map = part("core.retarget.mapping.mapping").map_bones(read.figure_of(source), read.figure_of(target))
    core = part("core.retarget.options").Options(feet=False)
    (report,) = job.retarget_actions(bpy.context, source, target, bone_map, job.RetargetOptions(core=core, **options)).reports
    return report


def directions(obj: Any, bones: Sequence[Sequence[str]], frames: Sequence[float]) -> Any:
    """(F, L, 3) from joint to joint, as Blender shows them in the world."""
    result: list[list[Any]] = []
    for frame in frames:
        bpy.context.scene.frame_set(int(np.floor(frame)), subframe=float(frame - np.floor(frame)))
        shown = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
        heads = [[shown.matrix_world @ shown.pose.bones[bone].head for bone in pair] for pair in bones]
        result.append([np.array((second - first).normalized()) for first, second in heads])
    return np.array(result)


def apart(part: Part, source: Any, target: Any, frames: Any, yaw: float) -> Any:
    """(F, L) degrees between the directions of limbs. yaw: degrees by which the clip was rotated as a whole."""
    read = part("io.retarget.reading.read")
    bone_map = part("core.retarget.mapping.mapping").map_bones(read.figure_of(source), read.figure_of(target))
    pairs = [[bone_map.role(role) for role in limb] for limb in LIMBS]
    sides = [[[getattr(pair, side) for pair in limb] for limb in pairs] for side in ("source", "target")]
    angle = np.radians(yaw)
    rotation = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]])
    first, second = directions(source, sides[0], frames) @ rotation.T, directions(target, sides[1], frames)
    return np.degrees(2 * np.arcsin((np.linalg.norm(first - second, axis=-1) / 2).clip(0, 1)))


@pytest.mark.thorough
@pytest.mark.parametrize("fps", [24, 25, 30, 50, 60])
@pytest.mark.parametrize("game", ["lba1", "oni", "oni2", "mindpower"])
def test_at_each_time_unit_of_the_game_it_is_as_the_source(part: Part, scene: Any, game: str, fps: int) -> None:
    """Where the source's frames are between them, too."""
    bpy.context.scene.render.fps = fps
    source, target = boxer(part, 3, 25), character(part, game)
    report = retargeted(part, source, target)
    last = int(np.floor(24 * TICKS[game] / fps + 1e-6))
    frames = 3 + np.arange(last + 1) * fps / TICKS[game]
    off = apart(part, source, target, frames, report.yaw)
    assert off.max() < (0.4 if game == "oni2" else 0.05), "Oni 2's forearms and shins have no rotation about all axes"


@pytest.mark.parametrize(
    ("game", "fps", "better"), [("lba1", 24, 25), ("oni", 25, 30), ("oni2", 24, 30), ("mindpower", 50, 30), ("oni", 24, 30)]
)
def test_what_is_between_time_units_is_reported_with_a_rate_that_helps(part: Part, scene: Any, game: str, fps: int, better: int) -> None:
    bpy.context.scene.render.fps = fps
    source, target = boxer(part, 3, 25), character(part, game)
    report = retargeted(part, source, target)
    off = apart(part, source, target, np.arange(3, 28), report.yaw)
    at_keys = apart(part, source, target, 3 + np.arange(3) * fps / TICKS[game], report.yaw).max()
    assert off.max() > 1
    assert report.between == pytest.approx(off.max(), abs=max(0.05, 2 * at_keys))
    (reason,) = report.reasons()
    frame = 3 + int(off.max(axis=1).argmax())
    assert f"leg lengths further from the source's, at frame {frame}" in reason, "all limbs bend most there"
    assert reason.endswith(f"open the source in a scene of {better} frames/s")

    bpy.context.scene.render.fps = better
    report = retargeted(part, source, target)
    assert report.is_good
    assert apart(part, source, target, np.arange(3, 28), report.yaw).max() < (0.4 if game == "oni2" else 0.05)


@pytest.mark.thorough
@pytest.mark.parametrize(("source", "target"), [("jacks", "pirate"), ("cesium", "pirate"), ("rokoko", "pirate")])
def test_what_nobody_sees_between_time_units_asks_for_nothing(part: Part, game_data: Path, source: str, target: str) -> None:
    """Captures in a scene of 25 frames/s, in which a joint is never 0.02 leg lengths from where the source's limbs would have it, but for
    toes: feet in long boots tip less."""
    one, two = pair_sources.SOURCES[source].make(game_data), TARGETS[target].make(game_data)
    bpy.context.scene.render.fps, bpy.context.scene.render.fps_base = 25, 1.0
    pair_sources.shorten(one, 125)
    report = retargeted(part, one, two)
    roles = pair_sources.SOURCES[source].roles, TARGETS[target].roles
    frames = np.arange(one.animation_data.action.frame_range[0], two.animation_data.action.frame_range[1])
    theirs, ours = pairs.poses(one, frames), pairs.poses(two, frames)
    yaw = pairs.about_z(TARGETS[target].yaw - pair_sources.SOURCES[source].yaw)
    off: dict[str, Any] = {}
    for start, end in pairs.LIMBS:
        if {start, end} <= roles[0].keys() and {start, end} <= roles[1].keys():
            wanted, has = (shown.at(own[end]) - shown.at(own[start]) for shown, own in zip((theirs, ours), roles, strict=True))
            size = np.linalg.norm(has, axis=1, keepdims=True)
            off[end] = off.get(start, 0.0) + has - wanted @ yaw.T * size / np.linalg.norm(wanted, axis=1, keepdims=True)
    assert max(np.linalg.norm(each, axis=1).max() for end, each in off.items() if "Toes" not in end) < 0.02 * pairs.leg(two, roles[1])
    assert report.between > 1
    assert any("between keys" in line for line in report.lines())
    assert not any("between keys" in line for line in report.reasons())


@pytest.mark.parametrize("game", GAMES)
def test_frames_on_time_units_leave_nothing_to_report(part: Part, scene: Any, game: str) -> None:
    bpy.context.scene.render.fps = min(TICKS[game], 100)
    report = retargeted(part, boxer(part, 1, 25), character(part, game))
    assert not [line for line in report.lines() if "between" in line]


def test_the_last_pose_of_a_clip_that_ends_between_two_time_units_is_reported(part: Part, scene: Any) -> None:
    """It is on the later one: at its own frame the target is not there yet. 23 steps at 24 a second are 28.75 at 30."""
    source, target = boxer(part, 1, 24, lambda count: np.eye(count)[-1]), character(part, "mindpower")
    report = retargeted(part, source, target)
    off = apart(part, source, target, np.arange(1, 25), report.yaw)
    assert off[-1].max() > 2
    assert report.between == pytest.approx(off.max(), abs=0.05)
    assert not report.is_good


def test_a_source_faster_than_the_game_at_a_multiple_of_its_rate_asks_for_nothing(part: Part, scene: Any) -> None:
    """There is nothing to do about it; the line says how much it is."""
    bpy.context.scene.render.fps = 60
    source, target = boxer(part, 1, 25), character(part, "mindpower")
    report = retargeted(part, source, target)
    assert report.between == pytest.approx(apart(part, source, target, np.arange(1, 26), report.yaw).max(), abs=0.05)
    assert report.between > 5
    assert report.is_good and any(line.endswith("it is faster than the game's time units") for line in report.lines())


@pytest.mark.parametrize("game", ["lba2", "oni"])
def test_fewer_keys_name_the_step_that_has_more(part: Part, scene: Any, game: str) -> None:
    bpy.context.scene.render.fps = 30
    source, target = boxer(part, 1, 25, lambda count: 3 * np.sin(np.arange(count) / 4)), character(part, game)
    reports: list[Any] = []
    step = 4.0
    for _ in range(2):
        report = retargeted(part, source, target, step=step)
        reports.append(report)
        (said,) = [line for line in reports[0].lines() if "Step: " in line]
        step = float(said.partition("Step: ")[2].split()[0])
    assert not reports[0].is_good and step == 2
    assert reports[1].between < reports[0].between


@pytest.mark.thorough
def test_a_clip_of_more_keys_than_oni_has_room_for_is_measured_as_it_is_exported(part: Part, scene: Any) -> None:
    """20 seconds have 1200 time units, of 19 bones: 160 kilobytes, where a file holds 64. Retargeted clips are written with fewer."""
    bpy.context.scene.render.fps = 24
    source, target = boxer(part, 1, 481, lambda count: np.sin(np.arange(count) / 9)), character(part, "oni")
    log, texts = part("core.reporting.log"), list(bpy.data.texts)
    with log.collect() as said:
        report = retargeted(part, source, target)
    assert [str(message) for message in said.of("WARNING") if "cannot hold" in str(message)] == []
    assert report.frames == 1201 and 0 < report.quantisation < 10
    assert list(bpy.data.texts) == texts


def test_what_oni_refuses_for_another_reason_is_packed_once(part: Part, scene: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fewer keys are no remedy for a bone that is scaled."""
    obj, replay = character(part, "oni"), part("io.oni.replay")
    action = rigs.keyed(part, obj, "grows", {(obj.data.bones[1].name, "scale"): np.full((3, 2), 2.0)}, 1)
    packed, pack = [], replay.pack_action

    def counted(*arguments: Any, **options: Any) -> Any:
        packed.append(arguments)
        return pack(*arguments, **options)

    monkeypatch.setattr(replay, "pack_action", counted)
    with pytest.raises(part("core.reporting.errors").ExportError):
        replay.blocks(bpy.context, obj, action)
    assert len(packed) == 1
