"""Whatever an animator does with strips of the NLA and slots, in every game: what a clip writes moves as Blender plays it, or the export
names what does not. Files are evaluated by the rules of their formats, apart from the code under test."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st
from support.animator_edits import EDITS, OF_CURVES, Animator
from support.shown_stage import Stage
from support.shown_stages import STAGES

Part = Callable[[str], ModuleType]

strips = st.fixed_dictionaries(
    {
        "at": st.integers(-3, 30),
        "scale": st.sampled_from((1.0, 1.0, 0.5, 2.0, 1.3)),
        "repeat": st.sampled_from((1.0, 1.0, 2.0, 1.5)),
        "trim": st.sampled_from(((0, 0), (0, 0), (2, 0), (0, 3), (3, 4))),
        "reverse": st.booleans(),
        "blend_in": st.sampled_from((0, 0, 0, 4)),
        "blend": st.sampled_from(("REPLACE", "REPLACE", "COMBINE", "ADD")),
        "influence": st.sampled_from((1.0, 1.0, 0.4)),
    }
)

PLAIN = {"at": 0, "scale": 1.0, "repeat": 1.0, "trim": (0, 0), "reverse": False, "blend_in": 0, "blend": "REPLACE", "influence": 1.0}


def push(stage: Stage, wanted: list[dict[str, Any]]) -> tuple[float, float]:
    """The clip as strips, each on a track of its own; when they begin and end."""
    data = stage.obj.animation_data
    slot = getattr(data, "action_slot", None)
    data.action = None
    for number, each in enumerate(wanted):
        strip = data.nla_tracks.new().strips.new(f"strip {number}", each["at"], stage.action)
        if slot is not None:
            strip.action_slot = slot
        strip.use_auto_blend = False
        first, last = stage.action.curve_frame_range  # and not the range that repeats
        strip.action_frame_start, strip.action_frame_end = first + each["trim"][0], last - each["trim"][1]
        strip.scale, strip.repeat, strip.use_reverse = each["scale"], each["repeat"], each["reverse"]
        if number:  # the lowest one has nothing to blend with
            strip.blend_type, strip.blend_in, strip.influence = each["blend"], each["blend_in"], each["influence"]
            strip.use_animated_influence = each["influence"] < 1
    shown = [strip for track in data.nla_tracks for strip in track.strips]
    return min(strip.frame_start for strip in shown), max(strip.frame_end for strip in shown)


RANDOM = settings(
    deadline=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
"""Of every test here: the same examples in each run, not made smaller where one fails."""


@pytest.mark.thorough
@pytest.mark.parametrize("game", STAGES)
@settings(RANDOM, max_examples=8)
@given(edits=st.lists(EDITS, max_size=1), stack=st.lists(strips, min_size=1, max_size=2), root_motion=st.sampled_from(["BONE", "OBJECT"]))
@example(edits=[], stack=[PLAIN, {**PLAIN, "at": 5, "scale": 0.5}], root_motion="BONE")
@example(edits=[], stack=[PLAIN, {**PLAIN, "at": 3, "blend": "COMBINE", "blend_in": 4}], root_motion="OBJECT")
def test_strips(part: Part, tmp_path: Path, game: str, edits: list[Any], stack: list[dict[str, Any]], root_motion: str) -> None:
    stage = STAGES[game](part, tmp_path, root_motion="" if game == "pirates" else root_motion)
    animator = Animator(stage.obj, lambda: stage.curves, stage.root)
    for edit in edits:
        edit(animator)
    animator.updated()
    first, last = push(stage, stack)
    judged(stage, first, last)


def judged(stage: Stage, first: float, last: float, sampling: str = "KEYS") -> None:
    try:
        exported = stage.export(stage.out, sampling=sampling, source="ACTIVE")
    except stage.part("core.reporting.errors").RetroAnimError:
        return  # refused by name
    # Quarters of frames, but not the very last: a strip that another pass follows jumps there.
    worst, where = stage.steps_off(stage.out.read_bytes(), stage.frames(first, last), first)
    (change,) = exported.changes
    if worst > 2:
        assert exported.warnings, f"silent, and {where} is {worst:.1f} steps off"
    if worst < stage.least and change.worst is not None:
        # A clip begins where the game puts the character, and its heading is rounded; what is off by that may be said.
        worst, where = stage.steps_off(stage.out.read_bytes(), stage.frames(first, last), first, anywhere=False)
        assert worst > stage.least, f"{change.messages}, and the worst is {worst:.2f} steps ({where})"


@pytest.mark.parametrize("game", STAGES)
def test_a_strip_of_a_range(part: Part, tmp_path: Path, game: str) -> None:
    """Of a range that somebody gave the action before pushing it down, the strip plays no more, and no more is written."""
    stage = STAGES[game](part, tmp_path)
    stage.action.use_frame_range, stage.action.use_cyclic = True, False
    began, ended = stage.action.curve_frame_range
    stage.action.frame_start, stage.action.frame_end = began + 4, ended - 4
    stage.obj.animation_data.action = None
    strip = stage.obj.animation_data.nla_tracks.new().strips.new("part", 1, stage.action)
    assert (strip.frame_start, strip.frame_end) == (1, ended - began - 7)
    judged(stage, 1.0, strip.frame_end)
    written, _ = stage.written(stage.out.read_bytes(), np.array([0.0, strip.frame_end - 1]) * stage.rate / stage.fps)
    shown, _ = stage.from_start(stage.shown(np.array([1.0, strip.frame_end])), 1.0)
    assert np.abs(shown - written).max() < 0.02


def test_a_part_of_bones_that_only_move(part: Part, tmp_path: Path) -> None:
    """Of LBA 1, where a group rotates or moves in a keyframe: one that moves in all of them does so in a part of them."""
    stage = STAGES["LBA1"](part, tmp_path)
    push(stage, [{**PLAIN, "at": 1, "trim": (15, 4)}])
    assert not any("group 01" in line for line in stage.export(stage.out, source="ACTIVE").warnings)
    anm = part("core.lba.files.anm").Anm.parse(stage.out.read_bytes())
    assert anm.types[:, 1].tolist() == [1, 1, 1, 1]


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("game", ["Oni2", "pirates"])
def test_a_strip_without_frames(part: Part, tmp_path: Path, game: str, reverse: bool) -> None:
    """Blender plays a frame of the action there: written as it is at whole frames, and said."""
    stage = STAGES[game](part, tmp_path)
    began, ended = stage.action.curve_frame_range
    first, last = push(stage, [{**PLAIN, "at": 2, "trim": (5, ended - began - 5), "scale": 4.0, "reverse": reverse}])
    assert last - first == 4
    exported = stage.export(stage.out, sampling="KEYS", source="ACTIVE")
    worst, where = stage.steps_off(stage.out.read_bytes(), np.arange(first, last + 0.5), first)
    assert worst < 2, where
    assert any("the strip has no frames of" in line and "set Frame Start and End" in line for line in exported.warnings), exported.warnings


@pytest.mark.thorough
@pytest.mark.parametrize("game", ["LBA2", "pirates"])
@settings(RANDOM, max_examples=8)
@given(edits=st.lists(EDITS, max_size=2), sampling=st.sampled_from(["KEYS", "VISUAL"]), fps=st.sampled_from([None, 24, 60]))
def test_edits(part: Part, tmp_path: Path, game: str, edits: list[Any], sampling: str, fps: int | None) -> None:
    """Of the action itself; the other games have tests of their own."""
    stage = STAGES[game](part, tmp_path, fps)
    animator = Animator(stage.obj, lambda: stage.curves, stage.root)
    for edit in edits:
        edit(animator)
    animator.updated()
    judged(stage, stage.start, stage.action.curve_frame_range[1], sampling)


@pytest.mark.skipif(bpy.app.version < (4, 4), reason="actions have no slots")
@pytest.mark.parametrize("game", STAGES)
@settings(RANDOM, max_examples=4)
@given(first=st.lists(OF_CURVES, max_size=1), second=st.lists(OF_CURVES, min_size=1, max_size=2))
def test_slots(part: Part, tmp_path: Path, game: str, first: list[Any], second: list[Any]) -> None:
    """Two slots of one action are two clips."""
    stage = STAGES[game](part, tmp_path)
    data, slots = stage.obj.animation_data, [stage.obj.animation_data.action_slot, another_slot(stage.action)]
    for slot, edits in zip(slots, (first, second), strict=True):
        data.action_slot = slot
        animator = Animator(stage.obj, lambda: stage.curves, stage.root)
        for edit in edits:
            edit(animator)
        animator.updated()
    data.action_slot = slots[0]
    last = stage.action.curve_frame_range[1]
    try:
        exported = stage.export(stage.out, source="ALL")
    except part("core.reporting.errors").RetroAnimError:
        return
    assert len(exported.changes) == 2
    for number, change in enumerate(exported.changes):
        data.action_slot = slots[number]
        written, there = stage.clip_of(number, change)
        worst, where = stage.steps_off(written, stage.frames(stage.start, last), stage.start, there)
        if worst > 2:
            assert change.messages, f"{change.action}: silent, and {where} is {worst:.1f} steps off"
        if worst < stage.least:
            assert change.worst is None, f"{change.action}: {change.messages}, and the worst is {worst:.2f} steps ({where})"


def another_slot(action: Any) -> Any:
    """A second slot with the same keys."""
    bags = action.layers[0].strips[0].channelbags
    slot = action.slots.new("OBJECT", "Other")
    other = bags.new(slot)
    for curve in bags[0].fcurves:
        copy = other.fcurves.new(curve.data_path, index=curve.array_index)
        for point in curve.keyframe_points:
            copy.keyframe_points.insert(*point.co).interpolation = point.interpolation
        for old, new in zip(curve.keyframe_points, copy.keyframe_points, strict=True):
            new.type = old.type
    return slot


@pytest.mark.parametrize(
    ("source", "stack"),
    [
        ("ALL", [PLAIN]),
        ("NLA", [PLAIN]),
        ("NLA", [{**PLAIN, "scale": 2.0}]),
        ("ACTIVE", [PLAIN, {**PLAIN, "at": 3, "blend": "COMBINE"}]),
        ("MARKERS", []),
    ],
)
def test_a_pose_that_no_key_holds(part: Part, tmp_path: Path, source: str, stack: list[dict[str, Any]]) -> None:
    """Half a radian of the hand, which strips show as well as the action does, in each clip of it."""
    stage = STAGES["Oni2"](part, tmp_path)
    bags = stage.action.layers[0].strips[0].channelbags if hasattr(stage.action, "layers") else [stage.action]
    for curve in [curve for curve in stage.curves if '"hand"' in curve.data_path]:
        bags[0].fcurves.remove(curve)
    hand = stage.obj.pose.bones["hand"]
    hand.rotation_euler = (0.0, 0.0, 0.0)
    if stack:
        push(stage, stack)
    else:
        bpy.context.scene.timeline_markers.new("part", frame=4)
    assert not any("hand" in line for line in stage.export(stage.out, source=source, dry_run=True).warnings)
    hand.rotation_euler = (0.0, 0.5, 0.0)
    (change,) = stage.export(stage.out, source=source, dry_run=True).changes
    assert change.worst is not None and change.worst.bone == "hand"
    assert change.worst.difference == pytest.approx(np.degrees(0.5), abs=0.1)
    assert any("posed and not keyed: insert a keyframe" in line for line in change.messages)


def test_curves_of_a_rotation_mode_and_of_a_bone_that_is_no_more(part: Part, tmp_path: Path) -> None:
    """Strips that are blended are sampled with the first, and without the other, of which Blender shows nothing."""
    stage = STAGES["Oni2"](part, tmp_path)
    stage.obj.pose.bones["hand"].keyframe_insert("rotation_mode", frame=1)
    part("io.blender.compat").new_curve(stage.action, 'pose.bones["gone"].location', 0, "gone").keyframe_points.insert(1.0, 0.5)
    first, last = push(stage, [PLAIN, {**PLAIN, "at": 3, "blend_in": 4}])
    stage.export(stage.out, source="ACTIVE")
    worst, where = stage.steps_off(stage.out.read_bytes(), np.arange(first, last + 0.5), first)
    assert worst < 2, where


@pytest.mark.parametrize("blend_in", [0, 4])
@pytest.mark.parametrize("game", STAGES)
def test_frames_of_a_strip_are_those_of_the_scene(part: Part, tmp_path: Path, game: str, blend_in: int) -> None:
    """Where it plays, as with those of parts and of the whole NLA."""
    stage = STAGES[game](part, tmp_path)
    for curve in stage.curves:
        for point in curve.keyframe_points:
            point.interpolation = "CONSTANT"
    first, last = push(stage, [{**PLAIN, "at": 401, "scale": 2.0}])
    (strip,) = stage.obj.animation_data.nla_tracks[0].strips
    strip.blend_in = blend_in
    (change,) = stage.export(stage.out, source="NLA", dry_run=True).changes
    assert change.worst is not None and first <= change.worst.frame <= last


@pytest.mark.parametrize("scale", [0.5, 0.3])
@pytest.mark.parametrize("game", ["Oni1", "Oni2", "pirates"])
def test_a_faster_strip_is_exact_at_the_game_s_frames(part: Part, tmp_path: Path, game: str, scale: float) -> None:
    """However many keys lie in one: only Little Big Adventure has a single keyframe there for all bones."""
    stage = STAGES[game](part, tmp_path)
    first, last = push(stage, [{**PLAIN, "at": 1, "scale": scale}])
    stage.export(stage.out, source="NLA")
    worst, where = stage.steps_off(stage.out.read_bytes(), np.arange(first, last - 0.01), first)
    assert worst < 2, where


@pytest.mark.parametrize("game", STAGES)
def test_the_clip_itself(part: Part, tmp_path: Path, game: str) -> None:
    """Unedited: what the evaluation here is worth."""
    stage = STAGES[game](part, tmp_path)
    assert stage.export(stage.out, sampling="KEYS", source="ACTIVE").warnings == []
    first, last = stage.action.curve_frame_range
    worst, where = stage.steps_off(stage.out.read_bytes(), stage.frames(first, last - 0.01), stage.start)
    assert worst < 0.2, where
