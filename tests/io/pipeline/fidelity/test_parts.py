"""Parts of an action, as strips of the NLA or markers of the timeline have them: what a part shows and its file does not is named, with
what helps. Files are evaluated by the rules of their formats, apart from the code under test."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from support.shown_stage import Stage
from support.shown_stages import STAGES

Part = Callable[[str], ModuleType]


def marked(*frames: int) -> None:
    for frame in frames:
        bpy.context.scene.timeline_markers.new(f"from {frame}", frame=frame)


def pushed(stage: Stage, first: float, last: float, scale: float = 1.0) -> tuple[float, float]:
    """A part of the action as the only strip; from where to where it plays."""
    data = stage.obj.animation_data
    slot = getattr(data, "action_slot", None)
    data.action = None
    strip = data.nla_tracks.new().strips.new("part", 1, stage.action)
    if slot is not None:
        strip.action_slot = slot
    strip.action_frame_start, strip.action_frame_end, strip.scale = first, last, scale
    return strip.frame_start, strip.frame_end


def lines_of(exported: Any, name: str) -> list[str]:
    return [line for line in exported.warnings if line.startswith(f"{name}: ")]


def rotation_of(stage: Stage, bone: int = 2) -> list[Any]:
    name = stage.obj.pose.bones[bone].name
    return [curve for curve in stage.curves if f'"{name}"].rotation' in curve.data_path]


def modified(stage: Stage, kind: str, **values: Any) -> None:
    for curve in rotation_of(stage):
        modifier = curve.modifiers.new(kind)
        for name, value in values.items():
            setattr(modifier, name, value)


def noisy(stage: Stage) -> None:
    modified(stage, "NOISE", scale=1.3, strength=0.5)


def stepped(stage: Stage) -> None:
    modified(stage, "STEPPED", frame_step=3.5, frame_offset=0.3)


def smooth(stage: Stage) -> None:
    for curve in rotation_of(stage):
        for number in reversed(range(1, len(curve.keyframe_points) - 1)):
            if number % 4:
                curve.keyframe_points.remove(curve.keyframe_points[number])
        for point in curve.keyframe_points:
            point.interpolation = "BEZIER"
        curve.update()


@pytest.mark.parametrize("strip", [False, True])
@pytest.mark.parametrize("bend", [noisy, stepped, smooth])
@pytest.mark.parametrize("game", ["LBA1", "Oni1", "Oni2", "pirates"])
def test_what_bends_between_two_frames(part: Part, tmp_path: Path, game: str, bend: Callable[[Stage], None], strip: bool) -> None:
    """Nothing is said where that is no step of the format, as of smooth curves of a coarse one."""
    stage = STAGES[game](part, tmp_path)
    bend(stage)
    if strip:
        first, last = pushed(stage, 1, 9)
    else:
        first, last = 1.0, 9.0
        marked(1, 10)
    exported = stage.export(stage.out, source="NLA" if strip else "MARKERS")
    name, bone = "part" if strip else "from 1", stage.obj.pose.bones[2].name
    data, there = stage.clip_of(0 if strip else int(game == "pirates"), exported.changes[0])
    own = stage.names.index(bone)
    frames = stage.frames(first, last)
    shown, written = stage.shown(frames)[0][:, own], stage.written(data, there + (frames - first) * stage.rate / stage.fps)[0][:, own]
    off = 2 * np.degrees(np.arcsin((np.linalg.norm(shown - written, axis=(1, 2)) / np.sqrt(8)).clip(0, 1))).max()
    if off > 5 * stage.rotation:
        assert any(bone in line or "bones" in line for line in lines_of(exported, name)), f"silent, and {off:.1f} degrees off"


def test_what_to_do_about_a_bend(part: Part, tmp_path: Path) -> None:
    """In a part as in the whole of it: straight lines between keys, and keys for what modifiers do."""
    stage = STAGES["Oni2"](part, tmp_path)
    smooth(stage)
    marked(1, 10)
    exported = stage.export(stage.out, source="MARKERS", dry_run=True)
    said = "bend or leap between two frames, which the game passes straight: choose Make Linear, and bake modifiers into keys"
    assert any(said in line for line in lines_of(exported, "from 1"))
    part("io.blender.motion.fcurves").make_linear(stage.action, stage.obj)
    assert stage.export(stage.out, source="MARKERS", dry_run=True).warnings == []


@pytest.mark.parametrize("game", ["Oni1", "Oni2", "pirates"])
def test_a_part_that_is_cut_between_two_frames_of_the_game(part: Part, tmp_path: Path, game: str) -> None:
    """In a scene of twice its rate; where it begins a frame later, or ends a frame earlier, nothing of that is left."""
    stage = STAGES[game](part, tmp_path, fps=2 * STAGES[game].rate)
    said = "the part of the action {} at frame 6, between two frames of the game's rate: let it begin and end on these"
    marked(1, 7)
    assert any(said.format("ends") in line for line in lines_of(stage.export(stage.out, source="MARKERS", dry_run=True), "from 1"))
    bpy.context.scene.timeline_markers[1].frame = 6
    exported = stage.export(stage.out, source="MARKERS", dry_run=True)
    assert not any("game's rate" in line for line in lines_of(exported, "from 1"))
    assert any(said.format("begins") in line for line in lines_of(exported, "from 7"))
    bpy.context.scene.timeline_markers[1].frame = 7
    bpy.context.scene.timeline_markers.remove(bpy.context.scene.timeline_markers[0])
    assert not any("game's rate" in line for line in stage.export(stage.out, source="MARKERS", dry_run=True).warnings)


@pytest.mark.parametrize("strip", [False, True])
@pytest.mark.parametrize("game", ["Oni2", "pirates"])
def test_a_rotation_mode_that_is_another_one_later(part: Part, tmp_path: Path, game: str, strip: bool) -> None:
    """A part in which it is keyed, and the same all the time, is written as it is shown in that mode, at the game's frames."""
    stage = STAGES[game](part, tmp_path)
    bone = stage.obj.pose.bones[2]
    meant, other = bone.rotation_mode, "ZYX" if bone.rotation_mode != "QUATERNION" else "XYZ"
    if meant == "QUATERNION":
        for frame, angle in ((1, 0.0), (6, 1.0), (12, 0.5)):
            bone.rotation_euler = (angle, 0.7 * angle, -angle)
            bone.keyframe_insert("rotation_euler", frame=frame)
    bone.rotation_mode = other
    bone.keyframe_insert("rotation_mode", frame=1)
    if not strip:  # of a strip the mode of its last frame stays
        bone.rotation_mode = meant
        bone.keyframe_insert("rotation_mode", frame=9)
    frames = np.arange(1.0, 8.0)
    if strip:
        pushed(stage, 1, 7)
    else:
        marked(1, 8)
    bpy.context.scene.frame_set(1)
    stage.shown(frames[:1])
    shown = stage.shown(frames)
    bpy.context.scene.frame_set(12)
    if strip:
        bone.rotation_mode = meant
    exported = stage.export(stage.out, source="NLA" if strip else "MARKERS")
    data, there = stage.clip_of(0 if strip else int(game == "pirates"), exported.changes[0])
    own = stage.names.index(bone.name)
    written = stage.written(data, there + (frames - 1) * stage.rate / stage.fps)
    assert np.abs(shown[0][:, own] - written[0][:, own]).max() < 1e-3


@pytest.mark.parametrize("number", [-3.0, -0.6, 0.6, 2.6, 5.4, 7.0, 100.0])
def test_a_rotation_mode_that_has_no_name(part: Part, tmp_path: Path, number: float) -> None:
    """Blender rounds what is between two, and goes on where a script keys a number for which there is no mode."""
    stage = STAGES["Oni2"](part, tmp_path)
    bone = stage.obj.pose.bones[2]
    meant = bone.rotation_mode
    for frame, angle in ((1, 0.2), (6, 1.0), (12, 0.5)):
        bone.rotation_euler = (angle, 0.7 * angle, -angle)
        bone.rotation_quaternion = (0.8, 0.6 * angle, 0.3, 0)
        bone.rotation_axis_angle = (angle, angle, 0.3, 0.6)
        for name in ("rotation_euler", "rotation_quaternion", "rotation_axis_angle"):
            bone.keyframe_insert(name, frame=frame)
    bone.keyframe_insert("rotation_mode", frame=1)
    (mode,) = (curve for curve in stage.curves if curve.data_path.endswith("rotation_mode"))
    mode.keyframe_points[0].co.y = number
    mode.update()
    frames = np.array([1.0, 6.0, 12.0])
    stage.shown(frames[:1])
    shown, own = stage.shown(frames)[0], stage.names.index(bone.name)
    bone.rotation_mode = meant
    stage.export(stage.out)
    written = stage.written(stage.out.read_bytes(), frames - 1)[0]
    assert np.abs(shown[:, own] - written[:, own]).max() < 1e-3


@pytest.mark.parametrize("numbers", [(1, 6), (6, 6), (4, 4)])
def test_strips_that_add_up_to_a_rotation_mode_that_has_no_name(part: Part, tmp_path: Path, numbers: tuple[int, int]) -> None:
    """Blender shows the last mode of all then."""
    stage = STAGES["Oni2"](part, tmp_path)
    bone, data = stage.obj.pose.bones[2], stage.obj.animation_data
    first, slot = stage.action, getattr(data, "action_slot", None)
    bone.keyframe_insert("rotation_mode", frame=1)
    data.action = bpy.data.actions.new("more")
    bone.keyframe_insert("rotation_mode", frame=12)
    more, slots = data.action, (slot, getattr(data, "action_slot", None))
    data.action = None
    for action, own, number in zip((first, more), slots, numbers, strict=True):
        for curve in part("io.blender.compat").every_curve(action):
            if curve.data_path.endswith("rotation_mode"):
                curve.keyframe_points[0].co.y = number
                curve.update()
        strip = data.nla_tracks.new().strips.new(action.name, 1, action)
        strip.blend_type, strip.frame_end = "REPLACE" if action == first else "ADD", 12
        if own is not None:
            strip.action_slot = own
    frames = np.array([1.0, 6.0, 12.0])
    stage.shown(frames)
    shown, own = stage.shown(frames)[0], stage.names.index(bone.name)
    stage.export(stage.out)
    written = stage.written(stage.out.read_bytes(), frames - 1)[0]
    assert np.abs(shown[:, own] - written[:, own]).max() < 1e-3


def test_a_rotation_mode_of_the_object_that_is_another_one_later(part: Part, tmp_path: Path) -> None:
    stage = STAGES["Oni2"](part, tmp_path, root_motion="OBJECT")
    obj = stage.obj
    for frame, angle in ((1, 0.0), (6, 1.0), (12, 1.0)):
        obj.rotation_euler = (1.2 * angle, 0.9 * angle, 0.7 * angle)
        obj.keyframe_insert("rotation_euler", frame=frame)
    obj.rotation_mode = "XYZ"
    obj.keyframe_insert("rotation_mode", frame=1)
    obj.rotation_mode = "ZYX"
    exported = stage.export(stage.out)
    worst, where = stage.steps_off(stage.out.read_bytes(), np.arange(1.0, 8.0), 1.0)
    assert exported.warnings or worst < 2, where


@pytest.mark.skipif(bpy.app.version < (4, 4), reason="muted groups are silent in actions, too")
@pytest.mark.parametrize("game", STAGES)
def test_a_muted_group_in_a_strip(part: Part, tmp_path: Path, game: str) -> None:
    """Blender plays such curves of an active action with slots, and not those of a strip."""
    stage = STAGES[game](part, tmp_path)
    for curve in rotation_of(stage):
        curve.group.mute = True
    assert stage.export(stage.out, dry_run=True).warnings == []
    pushed(stage, *stage.action.curve_frame_range)
    exported = stage.export(stage.out, source="NLA", dry_run=True)
    assert any(stage.obj.pose.bones[2].name in line and "its curves are muted: unmute or delete them" in line for line in exported.warnings)


@pytest.mark.parametrize(("game", "cut"), [("LBA1", 8), ("LBA1", 20), ("LBA2", 8), ("LBA2", 14), ("Oni2 loop", 8)])
def test_the_second_part_of_a_loop(part: Part, tmp_path: Path, game: str, cut: int) -> None:
    """It is played once, up to the key that closed the loop; nothing of that can be refitted."""
    stage = STAGES[game](part, tmp_path)
    marked(1, cut)
    exported = stage.export(stage.out, source="MARKERS")
    lines = lines_of(exported, f"from {cut}")
    assert not any("Refit Loop" in line or "Cyclic Animation" in line for line in lines)
    last = stage.action.curve_frame_range[1]
    data, there = stage.clip_of(1, exported.changes[1])
    worst, where = stage.steps_off(data, np.array([cut, last]), cut, there)
    assert worst < 2 or any("from where it is shown" in line for line in lines), where


def test_a_part_between_markers_whose_loop_is_open_is_called_no_strip(part: Part, tmp_path: Path) -> None:
    stage = STAGES["LBA1"](part, tmp_path)
    for curve in rotation_of(stage):
        curve.keyframe_points[-1].co.y += 0.5
        curve.update()
    marked(1)
    (line,) = [line for line in stage.export(stage.out, source="MARKERS").warnings if "the closing key at frame 46" in line]
    assert line.endswith("; bake what it plays into an action of its own, to let that go on in another way")


@pytest.mark.parametrize(("game", "base"), [("Oni2", 1.001), ("Oni2", 1.25), ("pirates", 1.001)])
def test_a_part_at_another_rate_than_it_came_in(part: Part, tmp_path: Path, game: str, base: float) -> None:
    """Which puts its keys beside the game's frames, by however little; with what it says nothing is left."""
    stage = STAGES[game](part, tmp_path)
    bpy.context.scene.render.fps_base = base
    marked(1, 4)
    lines = lines_of(stage.export(stage.out, source="MARKERS", dry_run=True), "from 1")
    said = f"at the scene's {30 / base:g} frames per second its keys lie between the game's own times: give the scene the rate again"
    assert lines and all(said in line for line in lines)
    assert lines_of(stage.export(stage.out, source="MARKERS", fps_from="IMPORT", dry_run=True), "from 1") == []


def test_a_strip_that_eases_from_a_rotation_to_a_translation(part: Part, tmp_path: Path) -> None:
    """Which the game does at once: it is refused, and Make Linear helps."""
    stage = STAGES["LBA2"](part, tmp_path)
    for curve in stage.curves:
        for point in curve.keyframe_points:
            point.interpolation, point.handle_left_type, point.handle_right_type = "BEZIER", "AUTO", "AUTO"
        curve.update()
    pushed(stage, *stage.action.curve_frame_range, scale=1.3)
    (change,) = stage.export(stage.out, source="NLA", dry_run=True).changes
    assert change.state == "refused" and any("rotated and translated" in line and "choose Make Linear" in line for line in change.messages)
    part("io.blender.motion.fcurves").make_linear(stage.action, stage.obj)
    assert stage.export(stage.out, source="NLA", dry_run=True).changes[0].state != "refused"
