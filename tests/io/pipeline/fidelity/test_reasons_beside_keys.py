"""What moves bones and is neither a key of the action nor a constraint, and keys of kinds that no file has: written, or named with a remedy
that helps."""

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


def bone_of(stage: Stage) -> Any:
    return stage.obj.pose.bones[stage.names[2]]


def rotations(stage: Stage) -> list[Any]:
    return [curve for curve in stage.curves if f'"{stage.names[2]}"].rotation' in curve.data_path]


def inherits_at_first(stage: Stage) -> str:
    """From the middle on it does not inherit rotation; at the frame that is shown it does."""
    bone, (first, last) = stage.obj.data.bones[stage.names[2]], stage.action.curve_frame_range
    for frame, inherits in (((first + last) // 2, False), (first, True)):
        bone.use_inherit_rotation = inherits
        assert bone.keyframe_insert("use_inherit_rotation", frame=frame)
    return "Inherit Rotation of the armature's data is keyed: choose As It Looks, or delete these keys"


def rest_from_the_middle_on(stage: Stage) -> str:
    data, (first, last) = stage.obj.data, stage.action.curve_frame_range
    for frame, position in (((first + last) // 2, "REST"), (first, "POSE")):
        data.pose_position = position
        assert data.keyframe_insert("pose_position", frame=frame)
    return "Pose Position of the armature's data is keyed: choose As It Looks, or delete these keys"


def driven(stage: Stage) -> str:
    bone = stage.obj.data.bones[stage.names[2]]
    bone.driver_add("use_inherit_rotation").driver.expression = "frame < 5"
    return "a driver moves it: choose As It Looks"


@pytest.mark.parametrize("edit", [inherits_at_first, rest_from_the_middle_on, driven])
@pytest.mark.parametrize("game", ["Oni1", "Oni2", "pirates"])
def test_keys_of_the_armature_s_data(part: Part, tmp_path: Path, game: str, edit: Callable[[Stage], str]) -> None:
    """As keyed the file does not show what they do, which is said; as it looks it does at all whole frames, but where Blender 4.2 poses an
    armature before or after its Pose Position, as it comes."""
    stage = STAGES[game](part, tmp_path)
    frames = np.arange(stage.start, stage.action.curve_frame_range[1])
    expected = edit(stage)
    lines = stage.export(stage.out, sampling="KEYS", source="ACTIVE").warnings
    assert stage.steps_off(stage.out.read_bytes(), frames, stage.start)[0] > 100
    assert any(expected in line for line in lines), lines
    stage.export(stage.out, sampling="VISUAL", source="ACTIVE")
    assert edit is rest_from_the_middle_on or stage.steps_off(stage.out.read_bytes(), frames, stage.start)[0] < 2


@pytest.mark.parametrize("game", ["LBA1", "Oni1", "Oni2", "Oni2 loop", "pirates"])
def test_samples_instead_of_keys_as_they_look(part: Part, tmp_path: Path, game: str) -> None:
    """After Keys to Samples a curve has no last key that could be of any type."""
    stage = STAGES[game](part, tmp_path)
    first, last = stage.action.curve_frame_range
    for curve in rotations(stage):
        curve.convert_to_samples(int(first), int(last))  # the last one is left out, and Blender shows what was there until it is tagged
    (change,) = stage.export(stage.out, sampling="VISUAL", source="ACTIVE").changes
    assert change.state == "new" and change.worst is not None


@pytest.mark.parametrize("game", ["Oni1", "Oni2", "pirates"])
def test_keys_of_a_kind_that_an_import_alone_makes(part: Part, tmp_path: Path, game: str) -> None:
    stage = STAGES[game](part, tmp_path)
    for curve in rotations(stage):
        for point in curve.keyframe_points:
            point.type = part("io.blender.compat").GENERATED_KEY
    lines = stage.export(stage.out, sampling="KEYS", source="ACTIVE").warnings
    assert any(line.split(": ")[1] == stage.names[2] and line.endswith("make them of the type Keyframe") for line in lines), lines
    for curve in rotations(stage):
        for point in curve.keyframe_points:
            point.type = "KEYFRAME"
    assert stage.export(stage.out, sampling="KEYS", source="ACTIVE").warnings == []


def test_scale_that_is_not_inherited(part: Part, tmp_path: Path) -> None:
    stage = STAGES["pirates"](part, tmp_path)
    above = stage.obj.pose.bones[stage.names[1]]
    for frame, size in zip(stage.action.curve_frame_range, (1.0, 1.6), strict=True):
        above.scale = (1, size, 1)
        assert above.keyframe_insert("scale", frame=frame)
    stage.obj.data.bones[stage.names[2]].inherit_scale = "NONE"
    lines = stage.export(stage.out, sampling="KEYS", source="ACTIVE").warnings
    assert any(
        "it does not inherit the scale of bones above it: choose As It Looks, or set Inherit Scale to Full" in line for line in lines
    )
    assert not any("from what is shown" in line for line in stage.export(stage.out, sampling="VISUAL", source="ACTIVE").warnings)


@pytest.mark.parametrize("sampling", ["KEYS", "VISUAL"])
def test_another_order_of_angles_between_keys(part: Part, tmp_path: Path, sampling: str) -> None:
    """At its keys, which are converted, the bone is where it is shown, and nowhere else."""
    stage = STAGES["LBA1"](part, tmp_path)
    bone_of(stage).rotation_mode = "XYZ"
    lines = stage.export(stage.out, sampling=sampling, source="ACTIVE").warnings
    assert any(": its rotation mode is XYZ and not ZYX: set it back, or put keys between" in line for line in lines), lines
    bone_of(stage).rotation_mode = "ZYX"
    assert stage.export(stage.out, sampling=sampling, source="ACTIVE").warnings == []


@pytest.mark.parametrize("sampling", ["KEYS", "VISUAL"])
@pytest.mark.parametrize("game", ["Oni1", "Oni2", "pirates"])
def test_a_last_key_between_two_frames_of_the_game(part: Part, tmp_path: Path, game: str, sampling: str) -> None:
    """At 24 frames/s, on a whole one, as *Insert Keyframe* puts it: the next frame of the game shows what it holds."""
    stage = STAGES[game](part, tmp_path, 24)
    bone, kind = stage.obj.pose.bones[stage.names[2]], {"Oni2": "rotation_euler"}.get(game, "rotation_quaternion")
    last = max(point.co[0] for curve in stage.curves for point in curve.keyframe_points)
    frame = int(np.floor(last)) + 1
    bpy.context.scene.frame_set(frame)
    setattr(bone, kind, (0.4, -0.3, 0.9, 0.2)[: len(getattr(bone, kind))])
    bone.keyframe_insert(kind, frame=frame)
    stage.export(stage.out, sampling=sampling, source="ACTIVE")
    behind = np.array([1 + np.ceil((frame - 1) * stage.rate / 24) * 24 / stage.rate])
    assert stage.steps_off(stage.out.read_bytes(), behind, 1.0)[0] < 2


@pytest.mark.parametrize("size", [(0.0, 0.0, 0.0), (1.0, 0.0, 1.0)])
@pytest.mark.parametrize("game", ["LBA1", "Oni1", "Oni2"])
def test_a_bone_that_is_scaled_to_nothing(part: Part, tmp_path: Path, game: str, size: tuple[float, float, float]) -> None:
    """As one hides a limb: refused as any other scale is."""
    stage = STAGES[game](part, tmp_path)
    bone = next(bone for bone in stage.obj.pose.bones if bone.parent and bone.children)
    bone.scale = size
    with pytest.raises(part("core.reporting.errors").ExportError, match="is scaled"):
        stage.export(stage.out, sampling="VISUAL", source="ACTIVE")


@pytest.mark.parametrize("game", ["LBA1", "LBA2"])
def test_another_rate_makes_no_key_another_kind(part: Part, tmp_path: Path, game: str) -> None:
    """The key that closes a loop lies between the game's times then, as the others do."""
    stage = STAGES[game](part, tmp_path)
    bpy.context.scene.render.fps = 24
    lines = stage.export(stage.out, sampling="KEYS", source="ACTIVE").warnings
    assert not any("make them of the type Keyframe" in line for line in lines), lines


@pytest.mark.parametrize("moved", ["constraint", "pose"])
@pytest.mark.parametrize("game", ["LBA1", "LBA2"])
def test_a_root_away_from_its_origin(part: Part, tmp_path: Path, game: str, moved: str) -> None:
    """As it looks the bones below take that, as far as they can: no key and no Refit Loop changes anything about it."""
    stage = STAGES[game](part, tmp_path)
    root = stage.obj.pose.bones[stage.names[0]]
    if moved == "pose":
        root.location = (0.2, 0.3, 0.1)
    else:
        target = bpy.data.objects.new("target", None)
        target.location = (0.4, -0.3, 0.7)
        bpy.context.scene.collection.objects.link(target)
        constraint = root.constraints.new("COPY_LOCATION")
        constraint.target, constraint.influence = target, 0.5
    lines = stage.export(stage.out, sampling="VISUAL", source="ACTIVE").warnings
    assert any(": group 00 itself is " in line and line.endswith("move these, and leave the root") for line in lines), lines
    assert not any("from what is shown" in line for line in lines), lines


def test_a_pose_that_was_applied_as_rest_pose(part: Part, tmp_path: Path) -> None:
    """All bones are elsewhere than in the file's skeleton, as far as their heads went at rest: one line."""
    stage = STAGES["pirates"](part, tmp_path)
    ops: Any = bpy.ops
    bpy.context.scene.frame_set(5)
    ops.object.mode_set(mode="POSE")
    ops.pose.select_all(action="SELECT")
    ops.pose.armature_apply()
    ops.object.mode_set(mode="OBJECT")
    (line,) = stage.export(stage.out, sampling="KEYS", source="ACTIVE").warnings
    assert "5 bones" in line and "it was moved at rest" in line and "undo that in Edit Mode" in line


def test_what_lies_before_a_loop_s_end_is_not_hidden_by_it(part: Part, tmp_path: Path) -> None:
    """A bone that is off by most at the key that closes the loop, and by less between two keys before: both are named."""
    stage = STAGES["Oni2 loop"](part, tmp_path)
    for curve in rotations(stage):
        curve.keyframe_points[4].interpolation = "CONSTANT"
        curve.keyframe_points[-1].co[1] += 1.5
        curve.update()
    lines = [line for line in stage.export(stage.out, sampling="KEYS", source="ACTIVE").warnings if stage.names[2] in line]
    assert any("at frame 13 " in line and line.endswith("choose Refit Loop") for line in lines), lines
    shown = stage.steps_off(stage.out.read_bytes(), np.arange(5, 5.99, 0.125), stage.start)[0]
    assert shown > 100
    assert any("its curves are not straight lines between keys" in line for line in lines), lines
