"""The reason that is given is what it is, and what is advised helps: no key of what the game does not hold, and no other key's fault."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import pytest
from support.sample_walk import SampleWalk
from support.shown_stages import STAGES

Part = Callable[[str], Any]
ELBOWS = {"lba": "group 04", "oni": "left_wrist", "oni2": "forearm_l"}


class Stage(SampleWalk):
    """bone: an elbow."""

    def __init__(self, part: Part, game: str, folder: Path) -> None:
        super().__init__(part, game, folder, bone_direction="GAME")
        self.bone = self.obj.pose.bones[ELBOWS[game]]

    def lines(self, **options: Any) -> list[str]:
        return [line for line in self.warnings(**options) if "from what is shown" in line]


@pytest.fixture
def stage(part: Part, tmp_path: Path) -> Callable[[str], Stage]:
    return lambda game: Stage(part, game, tmp_path)


def copied(stage: Stage) -> str:
    large = bpy.data.objects.new("large", None)
    large.scale = (1.4, 1.4, 1.4)
    bpy.context.collection.objects.link(large)
    stage.bone.constraints.new("COPY_SCALE").target = large
    return "the game holds no scale of it, which a Copy Scale constraint gives it"


def driven(stage: Stage) -> str:
    stage.bone.driver_add("scale", 1).driver.expression = "1.5"
    return "the game holds no scale of it, which a driver gives it"


def posed(stage: Stage) -> str:
    stage.bone.scale = (1.5, 1.5, 1.5)
    return "the game holds no scale of it"


@pytest.mark.parametrize("game", ELBOWS)
@pytest.mark.parametrize("given", [posed, copied, driven])
def test_scale_that_no_key_would_bring_into_the_file(stage: Callable[[str], Stage], game: str, given: Callable[[Stage], str]) -> None:
    it = stage(game)
    says = given(it)
    bpy.context.view_layer.update()
    (line,) = [line for line in it.lines() if "in scale off" in line]
    assert f"{says}: clear that, or mute what gives it that" in line


@pytest.mark.parametrize("game", ["oni", "oni2"])
def test_a_location_that_no_key_would_bring_into_the_file(stage: Callable[[str], Stage], game: str) -> None:
    it = stage(game)
    it.bone.location = (0.1, 0, 0)
    (line,) = it.lines()
    assert "the game holds no location of it" in line


def test_a_key_between_frames_is_not_one_of_another_length(stage: Callable[[str], Stage]) -> None:
    """What Blender interpolates between two quaternions is a little shorter than 1, and so is a key that is made of it."""
    it = stage("oni")
    bpy.context.scene.frame_set(25, subframe=0.4)
    quaternion = it.bone.rotation_quaternion.copy()
    quaternion.rotate(quaternion.__class__((0.8, 0.6, 0, 0)))
    it.bone.rotation_quaternion = [0.9995 * value for value in quaternion]
    assert it.bone.keyframe_insert("rotation_quaternion", frame=25.4)
    (line,) = it.lines()
    assert "its keys lie between the game's own times" in line


def test_keys_of_another_length_are_still_named(stage: Callable[[str], Stage]) -> None:
    """Twice as long at one end: halfway between 0 and 90 degrees that is at 63.4, and not at 45."""
    it = stage("oni")
    for curve in it.compat.curves(it.action, it.obj):
        if it.bone.name in curve.data_path:
            component = curve.array_index
            while len(curve.keyframe_points) > 2:
                curve.keyframe_points.remove(curve.keyframe_points[1])
            for point, value in zip(curve.keyframe_points, ((1, 0, 0, 0), (2**0.5, 2**0.5, 0, 0)), strict=True):
                point.co[1] = value[component]
            curve.update()
    assert any("not of length 1, which shifts what lies between them: choose As It Looks" in line for line in it.lines())
    assert it.lines(sampling="VISUAL") == []


def test_a_tilt_is_not_for_a_rotation_mode(stage: Callable[[str], Stage]) -> None:
    """About one axis alone all orders of angles are the same."""
    it = stage("lba")
    it.obj.rotation_mode = "XYZ"
    for frame, angle in ((1, 0.0), (19, 0.8), (37, 0.0)):
        it.obj.rotation_euler = (angle, 0, 0)
        assert it.obj.keyframe_insert("rotation_euler", frame=frame)
    assert not any("rotation mode" in line for line in it.lines())


def test_another_rotation_mode_is_named_on_the_way_back_of_a_loop_too(stage: Callable[[str], Stage]) -> None:
    """Where a bone is off most behind the last keyframe, that is no matter of the key that closes the loop."""
    it = stage("lba")
    curves = {curve.array_index: curve for curve in it.compat.curves(it.action, it.obj) if it.bone.name in curve.data_path}
    count = len(curves[0].keyframe_points)
    for axis, values in ((0, [0, 0, *[1] * (count - 3), 0]), (1, [1, 0, *[0] * (count - 3), 1]), (2, [0] * count)):
        for point, value in zip(curves[axis].keyframe_points, values, strict=True):  # one angle alone, but on the way back
            point.co[1] = value
        curves[axis].update()
    it.bone.rotation_mode = "XYZ"
    assert any(it.bone.name in line and "its rotation mode is XYZ and not ZYX: set it back" in line for line in it.lines())


def test_angles_that_stay_at_rest_lack_no_channel(stage: Callable[[str], Stage]) -> None:
    """A knee rotates about X alone. What plays in a slower strip has keys of Y and Z, too, which are 0."""
    it = stage("oni2")
    data = it.obj.animation_data
    data.action = None
    data.nla_tracks.new().strips.new("slow", 1, it.action).scale = 1.5
    lines = it.lines(source="NLA")
    assert lines and not any("has no channel" in line for line in lines)


def test_a_connected_bone_is_not_moved(part: Part, tmp_path: Path) -> None:
    """By its keys, which are written: a root can be connected, too."""
    stage = STAGES["Oni2"](part, tmp_path)
    assert stage.export(stage.out, dry_run=True).warnings == []
    bpy.ops.object.mode_set(mode="EDIT")
    stage.obj.data.edit_bones["root"].use_connect = True
    bpy.ops.object.mode_set(mode="OBJECT")
    (line,) = stage.export(stage.out, dry_run=True).warnings
    assert line.startswith("five_swing: root: ") and "it is connected, so that its location keys do not move it: choose As It Looks" in line
    assert stage.export(stage.out, dry_run=True, sampling="VISUAL").warnings == []


def test_the_closing_key_of_what_is_played_once(stage: Callable[[str], Stage]) -> None:
    it = stage("oni2")
    it.action.use_cyclic = False
    assert all("put Cyclic Animation on again, or delete that key" in line for line in it.lines())


def test_behind_a_new_last_frame_nothing_is_off(stage: Callable[[str], Stage]) -> None:
    """The walk has 48 frames, and a key of the pelvis behind them for its last velocity. A key of another bone there makes it a frame of
    its own; how fast the pelvis would go on from there, nobody has seen."""
    it = stage("oni")
    bpy.context.scene.frame_set(49)
    assert it.bone.keyframe_insert("rotation_quaternion", frame=49)
    assert it.lines() == []


def test_a_key_between_frames_takes_the_other_bones_along(stage: Callable[[str], Stage]) -> None:
    """A keyframe of Little Big Adventure is one of all bones: what one's key at 8.4 makes one at 8 shows the others as they were at 8.4."""
    it = stage("lba")
    swings = it.obj.pose.bones["group 06"].name
    for curve in it.compat.curves(it.action, it.obj):
        if swings in curve.data_path and curve.array_index == 0:
            for number, point in enumerate(curve.keyframe_points):
                point.co[1] = 1.5 * (number % 2)
            curve.update()
    bpy.context.scene.frame_set(8, subframe=0.4)
    it.bone.rotation_euler[0] += 0.5
    assert it.bone.keyframe_insert("rotation_euler", frame=8.4)
    lines = [line for line in it.lines() if "at the end of" not in line]
    assert len(lines) == 1 and "bones (first: group 06): 6.9" in lines[0] and "its keys lie between the game's own times" in lines[0]


def test_a_pose_without_keys_in_another_mode_is_to_be_keyed(stage: Callable[[str], Stage]) -> None:
    """In the mode of before it would not be shown any more."""
    it = stage("oni")
    own = next(curve for curve in it.compat.curves(it.action, it.obj) if it.bone.name in curve.data_path)
    for frame in [point.co[0] for point in own.keyframe_points]:
        assert it.bone.keyframe_delete("rotation_quaternion", frame=frame)
    it.bone.rotation_mode = "XYZ"
    it.bone.rotation_euler = (0.5, 0.2, 0)
    (line,) = it.lines()
    assert "it is posed and not keyed: insert a keyframe for it" in line


@pytest.mark.parametrize("root_motion", ["BONE", "OBJECT", "NONE"])
def test_keys_before_the_start_lie_between_no_times(part: Part, tmp_path: Path, root_motion: str) -> None:
    """What is off then is where the root begins, by as much all the time."""
    it = SampleWalk(part, "oni", tmp_path, root_motion=root_motion)
    for curve in it.compat.curves(it.action, it.obj):
        for point in curve.keyframe_points:
            point.co[0] -= 7
        curve.update()
    (line,) = [line for line in it.warnings() if "from what is shown" in line]
    assert "the game begins a clip where the character is" in line


def test_a_bone_whose_keys_are_moved_is_off_by_the_loop(stage: Callable[[str], Stage]) -> None:
    """Its last key shows what was the first pose, and the game goes back to what is the first one now."""
    it = stage("oni2")
    for curve in it.compat.curves(it.action, it.obj):
        if it.bone.name in curve.data_path:
            for point in curve.keyframe_points:
                point.co[0] -= 7
            curve.update()
    (line,) = it.lines()
    assert "the loop goes back to its first keyframe, not to what the last key shows" in line


def test_a_clip_whose_last_keys_are_deleted_ends_with_those_that_are_left(stage: Callable[[str], Stage]) -> None:
    """Behind them nothing is off: the file ends there, which is named, and nobody has seen how fast the root would go on."""
    it = stage("oni")
    for curve in it.compat.curves(it.action, it.obj):
        for point in reversed(curve.keyframe_points):
            if point.co[0] > 24:
                curve.keyframe_points.remove(point)
    assert it.lines() == []
    (line,) = [line for line in it.warnings() if "frame range" in line]
    assert f"its frame range ends at frame {it.action.frame_end:g}, and the clip in the file with its last key, at frame 24:" in line
    it.action.frame_end = 24
    assert not any("frame range" in line for line in it.warnings())
