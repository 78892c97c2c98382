"""Ways of changing what is seen that no other test has: each is in the file, by the rules of its format, or named with a remedy."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Quaternion
from support.shown_stage import Stage
from support.shown_stages import STAGES

Part = Callable[[str], ModuleType]
DEGREE = 1.1
"""What nobody sees between two frames that are sampled, and a bit."""


def bone_of(stage: Stage, number: int = 2) -> Any:
    return stage.obj.pose.bones[stage.names[number]]


def followed() -> Any:
    """An object that stands and that constraints follow."""
    target = bpy.data.objects.new("target", None)
    target.location, target.rotation_euler = (0.4, -0.3, 0.7), (0.3, 0.5, 0.7)
    bpy.context.scene.collection.objects.link(target)
    return target


def constrained(kind: str) -> Callable[[Stage], None]:
    def edit(stage: Stage) -> None:
        constraint = bone_of(stage, 3 if kind == "IK" else 2).constraints.new(kind)
        constraint.target = followed()
        if kind == "IK":
            constraint.chain_count = 2

    return edit


def without_inherited_rotation(stage: Stage) -> None:
    stage.obj.data.bones[stage.names[2]].use_inherit_rotation = False


def in_mode(mode: str) -> Callable[[Stage], None]:
    """Keyed anew in a rotation mode that is not the game's, fast."""

    def edit(stage: Stage) -> None:
        bone = bone_of(stage)
        bone.rotation_mode = mode
        first, last = stage.action.curve_frame_range
        for frame, angles in ((first, (0.1, 0.2, 0.4)), (last, (5.9, 4.2, 7.4))):
            bone.rotation_euler = angles
            bone.keyframe_insert("rotation_euler", frame=frame)
        linear(stage)

    return edit


def linear(stage: Stage) -> None:
    for curve in stage.curves:
        for point in curve.keyframe_points:
            point.interpolation = "LINEAR"


BETWEEN: dict[str, Callable[[Stage], None]] = {
    "copies": constrained("COPY_ROTATION"),
    "tracks": constrained("DAMPED_TRACK"),
    "IK": constrained("IK"),
    "inherits": without_inherited_rotation,
    "XYZ": in_mode("XYZ"),
    "ZXY": in_mode("ZXY"),
}


@pytest.mark.thorough
@pytest.mark.parametrize("edit", BETWEEN)
@pytest.mark.parametrize("game", ["Oni1", "Oni2", "Oni2 loop", "pirates"])
def test_between_two_sampled_frames(part: Part, tmp_path: Path, game: str, edit: str) -> None:
    """What one armature does by itself flips there, too; what nobody sees is not named."""
    stage = STAGES[game](part, tmp_path)
    BETWEEN[edit](stage)
    (change,) = stage.export(stage.out, sampling="VISUAL", source="ACTIVE").changes
    frames = stage.frames(stage.start, stage.action.curve_frame_range[1] - 0.01)
    degrees = stage.steps_off(stage.out.read_bytes(), frames, stage.start)[0] * stage.rotation
    if degrees > DEGREE:
        assert any("between two frames" in line for line in change.messages) or any("end of the loop" in line for line in change.messages)
    if degrees < 0.9 / DEGREE:
        assert change.messages == () and change.worst is None


def keyed_mode(stage: Stage) -> None:
    bone = bone_of(stage)
    first, last = stage.action.curve_frame_range
    bone.keyframe_insert("rotation_mode", frame=first)
    bone.rotation_mode = "ZYX" if bone.rotation_mode != "ZYX" else "XYZ"
    bone.keyframe_insert("rotation_mode", frame=round((first + last) / 2))
    bpy.context.scene.frame_set(1)


def grows(stage: Stage) -> None:
    for frame, size in zip(stage.action.curve_frame_range, (1.0, 1.5), strict=True):
        stage.obj.scale = (size, size, size)
        stage.obj.keyframe_insert("scale", frame=frame)


def driven(path: str) -> Callable[[Stage], None]:
    def edit(stage: Stage) -> None:
        stage.obj.driver_add(path, 0).driver.expression = "frame * 0.05"

    return edit


NAMED: dict[str, tuple[Callable[[Stage], None], str]] = {
    "mode": (keyed_mode, "its rotation mode is keyed: choose As It Looks, or delete these keys"),
    "grows": (grows, "its scale is keyed, which the game does not hold: delete these keys"),
    "driven": (driven("location"), "a driver moves it: bake its motion: Bake Action with Visual Keying, and delete the driver"),
    "delta driven": (driven("delta_location"), "a driver moves it: bake its motion"),
}


@pytest.mark.thorough
@pytest.mark.parametrize("edit", NAMED)
@pytest.mark.parametrize("game", STAGES)
def test_the_reason_is_named(part: Part, tmp_path: Path, game: str, edit: str) -> None:
    stage = STAGES[game](part, tmp_path)
    change, expected = NAMED[edit]
    change(stage)
    lines = stage.export(stage.out, sampling="KEYS", source="ACTIVE").warnings
    worst, where = stage.steps_off(stage.out.read_bytes(), stage.frames(stage.start, stage.action.curve_frame_range[1] - 0.01), stage.start)
    assert worst > 2, where
    assert [line for line in lines if expected in line], lines


@pytest.mark.parametrize("sampling", ["KEYS", "VISUAL"])
@pytest.mark.parametrize("game", ["Oni1", "Oni2", "pirates"])
def test_cycles_behind_the_last_key(part: Part, tmp_path: Path, game: str, sampling: str) -> None:
    """The clip plays on in Blender by its modifiers alone, as far as its range goes; what is written of that is not off, the rest named."""
    stage = STAGES[game](part, tmp_path)
    for curve in stage.curves:
        curve.modifiers.new("CYCLES")
    first, last = stage.action.curve_frame_range
    stage.action.use_frame_range = True
    stage.action.frame_start, stage.action.frame_end = first, last + 10
    lines = stage.export(stage.out, sampling=sampling, source="ACTIVE").warnings
    worst, _ = stage.steps_off(stage.out.read_bytes(), np.arange(stage.start, last + 10), stage.start)
    assert worst < 2 or any("its curves have modifiers: bake them into keys" in line for line in lines), lines


@pytest.mark.parametrize("game", [game for game in STAGES if game != "LBA2"])  # which refuses it
def test_a_modifier_that_acts_between_two_keys(part: Part, tmp_path: Path, game: str) -> None:
    """Its keys lie far apart, and neither they nor the middles between them show anything of it."""
    stage = STAGES[game](part, tmp_path)
    first, last = stage.action.curve_frame_range
    for curve in [curve for curve in stage.curves if f'"{stage.names[2]}"].rot' in curve.data_path][1:3]:
        for number in range(len(curve.keyframe_points) - 2, 0, -1):
            curve.keyframe_points.remove(curve.keyframe_points[number])
        modifier = curve.modifiers.new("NOISE")
        modifier.strength, modifier.use_restricted_range = 0.8, True
        modifier.frame_start, modifier.frame_end = first + 1.8, first + 2.2
    lines = stage.export(stage.out, sampling="KEYS", source="ACTIVE").warnings
    frames = stage.frames(stage.start, last - 0.01)
    worst, where = stage.steps_off(stage.out.read_bytes(), frames, stage.start)
    assert worst < 2 or any("modifiers" in line for line in lines), (where, lines)


def test_what_ends_a_loop_elsewhere_is_no_matter_of_keys(part: Part, tmp_path: Path) -> None:
    """A constraint that lets go in the course of a loop: as it looks, no further key and no Refit Loop brings it back."""
    stage = STAGES["Oni2 loop"](part, tmp_path)
    constraint = bone_of(stage, 4).constraints.new("COPY_ROTATION")
    constraint.target = followed()
    for frame, influence in zip(stage.action.curve_frame_range, (1.0, 0.0), strict=True):
        constraint.influence = influence
        constraint.keyframe_insert("influence", frame=frame)
    (line,) = [
        line
        for line in stage.export(stage.out, sampling="VISUAL", source="ACTIVE").warnings
        if stage.names[4] in line and "frame 13" in line
    ]
    assert "a Copy Rotation constraint has it elsewhere at the end of the loop" in line and "put more keys" not in line


def test_a_file_that_has_keys_between_rotates_no_other_way(part: Part, tmp_path: Path) -> None:
    """Two circles between two keys, of a game that has one for every frame."""
    stage = STAGES["pirates"](part, tmp_path)
    bone = bone_of(stage, 3)
    bone.rotation_mode = "XYZ"
    for frame, angle in zip(stage.action.curve_frame_range, (0.0, 13.0), strict=True):
        bone.rotation_euler = (angle, 0, 0)
        bone.keyframe_insert("rotation_euler", frame=frame)
    linear(stage)
    lines = stage.export(stage.out, sampling="KEYS", source="ACTIVE").warnings
    assert not any("rotates the other way" in line for line in lines)


def test_an_object_and_its_root_in_quaternions(part: Part, tmp_path: Path) -> None:
    """Both are keyed in four components; what is said is about the bone's."""
    stage = STAGES["Oni1"](part, tmp_path)
    stage.obj.rotation_mode = "QUATERNION"
    for frame, angle in zip(stage.action.curve_frame_range, (0.0, 0.7), strict=True):
        stage.obj.rotation_quaternion = Quaternion((0, 0, 1), angle)
        stage.obj.keyframe_insert("rotation_quaternion", frame=frame)
    linear(stage)
    lines = stage.export(stage.out, sampling="KEYS", source="ACTIVE").warnings
    assert any("the chord of a rotation" in line for line in lines if "pelvis" in line), lines


def test_a_bone_that_hangs_on_none_names_the_action(part: Part, tmp_path: Path) -> None:
    stage = STAGES["Oni2"](part, tmp_path)
    edit_mode: Any = bpy.ops.object.mode_set
    edit_mode(mode="EDIT")
    stage.obj.data.edit_bones["hand"].parent = None
    edit_mode(mode="OBJECT")
    with pytest.raises(part("core.reporting.errors").ExportError, match=r"^five_swing: .*bone hand hangs on no other"):
        stage.export(stage.out, source="ACTIVE")


@pytest.mark.parametrize("game", ["LBA1", "LBA2"])
def test_a_start_that_is_rotated_is_named_by_the_angle_that_is_seen(part: Part, tmp_path: Path, game: str) -> None:
    """204.6 degrees one way are 155.4 the other; a whole circle is nothing."""
    stage = STAGES[game](part, tmp_path, root_motion="BONE")
    heading = next(curve for curve in stage.curves if f'"{stage.root}"].rotation_euler' in curve.data_path and curve.array_index == 2)
    before = [point.co.y for point in heading.keyframe_points]
    for angle, expected in ((-204.6, ["155.4"]), (-360.0, [])):
        for point, value in zip(heading.keyframe_points, before, strict=True):
            point.co.y = value + np.radians(angle)
        lines = stage.export(stage.out, sampling="KEYS", source="ACTIVE", dry_run=True).warnings
        assert [line.split("starts rotated by ")[1].split(" degrees")[0] for line in lines if "starts rotated by" in line] == expected


@pytest.mark.parametrize("game", ["Oni1", "pirates"])
def test_a_quaternion_of_the_other_sign_is_named_as_it_looks(part: Part, tmp_path: Path, game: str) -> None:
    """The same rotation at its frame; Blender comes there by more than half a circle."""
    stage = STAGES[game](part, tmp_path)
    for curve in stage.curves:
        if f'"{stage.names[2]}"].rotation_quaternion' in curve.data_path:
            curve.keyframe_points[len(curve.keyframe_points) // 2].co.y *= -1
    stage.action.update_tag()
    (line,) = stage.export(stage.out, sampling="VISUAL", source="ACTIVE").warnings
    assert line.split(": ")[1] == stage.names[2] and "between two frames of the game" in line


@pytest.mark.thorough
def test_a_range_of_a_million_frames(part: Part, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody's long range makes no long wait, and what modifiers do is named all the same."""
    stage, counts = STAGES["Oni1"](part, tmp_path), list[int]()
    kind = part("io.pipeline.fidelity.pair").Pair
    whole = kind.frames

    def counted(pair: Any, bones: Any) -> Any:
        frames = whole(pair, bones)
        counts.append(len(frames))
        return frames

    monkeypatch.setattr(kind, "frames", counted)
    for curve in stage.curves:
        curve.modifiers.new("CYCLES")
    stage.action.use_frame_range, stage.action.frame_end = True, 1_000_000
    lines = stage.export(stage.out, sampling="KEYS", source="ACTIVE").warnings
    assert any("its curves have modifiers: bake them into keys" in line for line in lines), lines
    assert 1000 < max(counts) < 20_000
