"""Armatures from elsewhere, of which two games make a skeleton of their own: what is written is compared with what is shown."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import mathutils
import pytest
from support.foreign import moving

Part = Callable[[str], ModuleType]

GAMES = {"oni2": ".anim", "mindpower": ".lab"}


@pytest.fixture
def rig(addon: Any) -> Any:
    """Three bones that lie as they like, moved by random quaternions, the first one elsewhere, too: so little that what lies between two
    frames is hardly off the straight way."""
    return moving(0.1)


@pytest.fixture(params=GAMES)
def export(request: Any, part: Part, tmp_path: Path) -> Callable[..., Any]:
    game = request.param
    row = part("core.games").GAMES[game]

    def run(**options: Any) -> Any:
        return part("io.pipeline.games").export(bpy.context, row, str(tmp_path / f"1234{GAMES[game]}"), options)

    run.game = game  # type: ignore[attr-defined]
    return run


def put(obj: Any) -> None:
    """Somewhere in the scene, turned and larger."""
    obj.location, obj.scale, obj.rotation_mode = (3, -1, 0.5), (2, 2, 2), "QUATERNION"
    obj.rotation_quaternion = mathutils.Euler((0.3, 0.2, 1.0)).to_quaternion()


def moves(obj: Any) -> None:
    """By its own keys, which turn it, too."""
    put(obj)
    for frame, angle in ((1, 1.0), (5, 1.1)):
        obj.rotation_quaternion, obj.location[0] = mathutils.Euler((0.3, 0.2, angle)).to_quaternion(), angle
        obj.keyframe_insert("rotation_quaternion", frame=frame)
        obj.keyframe_insert("location", frame=frame)


def follows(obj: Any) -> None:
    """Its parent."""
    parent = bpy.data.objects.new("Parent", None)
    bpy.context.scene.collection.objects.link(parent)
    obj.parent = parent
    for frame, x in ((1, 0.0), (5, 0.2)):
        parent.location[0] = x
        parent.keyframe_insert("location", frame=frame)


def is_constrained(obj: Any) -> None:
    """In its rotation."""
    target = bpy.data.objects.new("Target", None)
    bpy.context.scene.collection.objects.link(target)
    target.location = (2, 3, 1)
    obj.pose.bones["arm"].constraints.new("DAMPED_TRACK").target = target


@pytest.mark.parametrize("edit", [None, put, moves, follows, is_constrained])
def test_what_the_file_holds_is_not_reported(rig: Any, export: Any, edit: Any) -> None:
    if edit is not None:
        edit(rig)
    exported = export()
    (change,) = exported.changes
    assert change.worst is None and not change.messages and not exported.warnings


def test_what_bends_between_two_frames_is_named(addon: Any, export: Any) -> None:
    """At 64 degrees a frame, the hips are 6.45 off the straight way at frame 3.75."""
    obj = moving()
    here, there, shown = (rotation_at(obj, frame) for frame in (3, 4, 3.75))
    expected = here.slerp(there, 0.75).rotation_difference(shown).angle
    assert expected == pytest.approx(math.radians(6.454), abs=1e-4)
    (change,) = export().changes
    assert change.messages and "bends or leaps between two frames" in change.messages[0]
    assert change.worst.difference >= math.degrees(expected) - 0.01


def rotation_at(obj: Any, frame: float) -> mathutils.Quaternion:
    bpy.context.scene.frame_set(int(frame), subframe=frame % 1)
    return obj.pose.bones["hips"].matrix.to_quaternion()


def test_what_it_does_not_hold_is_refused(rig: Any, export: Any, part: Part) -> None:
    """Oni 2's skeleton has channels only for what is keyed; the pirates' quaternions have no scale."""
    limit = rig.pose.bones["arm"].constraints.new("LIMIT_SCALE")
    limit.use_min_x = limit.use_min_y = limit.use_min_z = True
    limit.min_x = limit.min_y = limit.min_z = 1.5
    with pytest.raises(part("core.reporting.errors").ExportError, match="arm is scaled") as problem:
        export(**({"key_type": "QUAT"} if export.game == "mindpower" else {}))
    assert len(problem.value.problems) == 1


def test_what_comes_back_otherwise_is_named(rig: Any, export: Any, part: Part, monkeypatch: pytest.MonkeyPatch) -> None:
    """Were the file to hold less than the poses, however that came: bone, frame and size are in the report."""
    replay = part(f"io.{export.game}.replay")
    taken = replay.blocks_of if export.game == "mindpower" else replay.motion.blocks_of

    def without(*arguments: Any) -> Any:
        blocks = []
        for block in taken(*arguments):
            kept = [row for row, channel in enumerate(block.channels) if channel.bone != "hand"]
            blocks.append(replace(block, channels=[block.channels[row] for row in kept], values=block.values[kept]))
        return blocks

    owner = replay if export.game == "mindpower" else replay.motion
    monkeypatch.setattr(owner, "blocks_of", without)
    (change,) = export().changes
    assert change.worst.bone == "hand" and change.worst.difference > 3
    assert change.messages[0].startswith("hand: ") and "degrees off at frame" in change.messages[0]


def test_a_strip_of_the_nla_is_written_as_it_plays(rig: Any, export: Any, part: Part) -> None:
    """Its five frames at half the speed are nine."""
    data = rig.animation_data
    action, slot = data.action, getattr(data, "action_slot", None)
    strip = data.nla_tracks.new().strips.new("slow", 1, action)
    if slot is not None:
        strip.action_slot = slot
    data.action, strip.scale = None, 2.0
    (change,) = export(source="NLA").changes
    written = Path(change.target).read_bytes()
    if export.game == "mindpower":
        count = part("core.mindpower.files.skeleton.lab").Lab.parse(written).frame_count
    else:
        count = len(part("core.oni2.files.anim").Anim.parse(written).table)
    assert (count, change.messages) == (9, ())
