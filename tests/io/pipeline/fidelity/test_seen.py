"""Every game says where its file would not show what Blender shows, and nothing where it does."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Quaternion

Part = Callable[[str], ModuleType]
SAMPLES = Path(__file__).resolve().parent.parent.parent.parent.parent / "samples"
GAMES = {
    "lba": ("lba1/walk.anm", "out.anm"),
    "oni": ("oni/TRAMmannequin_walk.oni", "out.oni"),
    "oni2": ("oni2/RB.DAT", "out.anim"),
    "mindpower": ("mindpower/animation/0001.lab", "out.lab"),
}

SCALES = {"lba": 0.001, "oni": 0.1, "oni2": 1.0, "mindpower": 1.0}
"""Blender units a game unit."""


class Sample:
    """A game's sample in an empty scene."""

    def __init__(self, part: Part, game: str, folder: Path, **options: Any) -> None:
        self.part, self.game = part, part(f"io.{game}")
        path, self.out = SAMPLES / GAMES[game][0], folder / GAMES[game][1]
        self.id = game
        imported = getattr(self.game, f"import_{game}")(bpy.context, self.game.ImportOptions((str(path),), fps_mode="SET", **options))
        self.obj = imported.armatures[0]
        self.action = self.obj.animation_data.action
        bpy.context.view_layer.objects.active = self.obj

    def export(self, **options: Any) -> Any:
        return getattr(self.game, f"export_{self.id}")(bpy.context, self.game.ExportOptions(str(self.out), dry_run=True, **options))

    def change(self, **options: Any) -> Any:
        (change,) = (change for change in self.export(**options).changes if change.action == self.action.name)
        return change

    def bone(self) -> Any:
        """The pose bone with a parent that the action rotates most."""
        spread: dict[str, float] = {}
        for curve in self.part("io.blender.compat").curves(self.action):
            bone = curve.data_path.split('"')[1] if '"' in curve.data_path else ""
            if bone and ".rotation" in curve.data_path and self.obj.pose.bones[bone].parent:
                spread[bone] = max(spread.get(bone, 0.0), float(np.ptp([point.co[1] for point in curve.keyframe_points])))
        return self.obj.pose.bones[max(spread, key=lambda name: spread[name])]


@pytest.fixture(params=GAMES)
def sample(request: pytest.FixtureRequest, part: Part, tmp_path: Path) -> Sample:
    return Sample(part, request.param, tmp_path)


@pytest.mark.parametrize("sampling", ["KEYS", "VISUAL"])
def test_unedited(sample: Sample, sampling: str) -> None:
    exported = sample.export(sampling=sampling)
    assert exported.changes and not any("from what is shown" in line for line in exported.warnings)
    assert all(change.worst is None for change in exported.changes)
    if sampling == "KEYS":
        assert exported.warnings == []


def test_a_constraint(sample: Sample) -> None:
    """Thirty degrees on top of what the curves say, in the bone's own axes."""
    bone = sample.bone()
    bpy.ops.object.empty_add()
    empty = bpy.context.object
    empty.rotation_euler[1] = np.radians(30.0)
    bpy.context.view_layer.objects.active = sample.obj
    constraint = bone.constraints.new("COPY_ROTATION")
    constraint.target, constraint.owner_space, constraint.mix_mode = empty, "LOCAL", "AFTER"
    change = sample.change()
    assert change.worst is not None and change.worst.bone == bone.name
    assert change.worst.difference == pytest.approx(30.0, abs=0.1)
    assert any("Copy Rotation constraint moves it: choose As It Looks" in line and line.startswith(bone.name) for line in change.messages)


def test_an_edit_that_the_file_holds(sample: Sample) -> None:
    """A keyed pose in the middle, as an animator makes it: bones and keys are counted, and nothing is wrong."""
    bone = sample.bone()
    curves = [curve for curve in sample.part("io.blender.compat").curves(sample.action) if f'"{bone.name}"].rot' in curve.data_path]
    index = len(curves[0].keyframe_points) // 2
    for curve in curves:
        curve.keyframe_points[index].co[1] += 0.05
        curve.update()
    if len(curves) == 4:
        length = np.linalg.norm([curve.keyframe_points[index].co[1] for curve in curves])
        for curve in curves:
            curve.keyframe_points[index].co[1] /= length
            curve.update()
    change = sample.change()
    assert (change.worst, change.messages) == (None, ())
    assert bone.name in change.bones and change.keys >= 1


def test_a_curve_that_is_bent(sample: Sample) -> None:
    bone = sample.bone()
    for curve in sample.part("io.blender.compat").curves(sample.action):
        if f'"{bone.name}"].rot' in curve.data_path:
            for point in curve.keyframe_points:
                point.interpolation = "CONSTANT"
    change = sample.change()
    if sample.id in ("oni2", "mindpower") and change.worst is None:
        pytest.skip("it has a key for every frame")
    assert change.worst is not None and change.worst.bone == bone.name
    assert any("straight lines" in line and "Make Linear" in line for line in change.messages)


def test_keys_of_the_object_that_are_muted(sample: Sample) -> None:
    """What moves the character in the file and not in Blender is the object's."""
    curves = [curve for curve in sample.part("io.blender.compat").curves(sample.action) if curve.data_path == "location"]
    if not curves:
        pytest.skip("its root motion is the root bone's")
    for curve in curves:
        curve.mute = True
    change = sample.change()
    assert change.worst is not None
    assert any(line.startswith(f"{sample.obj.name}: ") and "muted" in line for line in change.messages)


@pytest.mark.parametrize("root_motion", ["OBJECT", "NONE"])
def test_everything_is_muted(part: Part, tmp_path: Path, root_motion: str) -> None:
    """Of a loop in place nothing is left that shows how long it lasts."""
    sample = Sample(part, "lba", tmp_path, root_motion=root_motion)
    for curve in part("io.blender.compat").curves(sample.action):
        curve.mute = True
    change = sample.change()
    assert change.worst is not None and any("muted" in line for line in change.messages)


def test_all_keys_moved_in_time(part: Part, tmp_path: Path) -> None:
    """A clip of Little Big Adventure begins with its first key, wherever that is: said as what it is, and by one reason."""
    sample = Sample(part, "lba", tmp_path)
    for curve in part("io.blender.compat").curves(sample.action):
        for point in curve.keyframe_points:
            point.co[0] += 20
        curve.update()
    change = sample.change()
    assert len(change.messages) == 1 and "begins with its first key, which is at frame 21, and not frame 1" in change.messages[0]
    sample.action["retro_anim_frame_start"] = 21.0
    sample.action.frame_start, sample.action.frame_end = sample.action.frame_start + 20, sample.action.frame_end + 20
    assert (sample.change().worst, sample.change().messages) == (None, ())


def test_a_new_action_in_place_that_begins_on_the_way(part: Part, tmp_path: Path) -> None:
    """As a bake of the loop alone makes it: how far the properties had come by then is nothing that is seen."""
    sample = Sample(part, "lba", tmp_path, root_motion="NONE")
    for curve in part("io.blender.compat").curves(sample.action):
        if len(curve.keyframe_points) > 1:
            curve.keyframe_points.remove(curve.keyframe_points[0])
            curve.keyframe_points.remove(curve.keyframe_points[-1])  # and no loop
    sample.action.use_cyclic = sample.action.use_frame_range = False
    known = [*sample.action.keys()]
    for name in known:
        if name.startswith(("retro_anim_", "lba_")):
            del sample.action[name]
    change = sample.change()
    assert (change.state, change.worst, change.messages) == ("new", None, ())


def test_a_clip_beside_an_edited_one_is_unchanged(part: Part, tmp_path: Path) -> None:
    """Its quaternions may stand for the same rotations with the other sign, which goes by how the clip before it ends."""
    sample = Sample(part, "mindpower", tmp_path)
    curves = [curve for curve in part("io.blender.compat").curves(sample.action) if f'"{sample.bone().name}"].rot' in curve.data_path]
    count, before = len(curves[0].keyframe_points), np.zeros(4)
    for index in range(count):  # rotated once about itself: it ends as it did, with the other sign
        keys = [curve.keyframe_points[index] for curve in sorted(curves, key=lambda curve: curve.array_index)]
        rotation: Any = Quaternion([key.co[1] for key in keys]) @ Quaternion((0, 1, 0), 2 * np.pi * index / (count - 1))
        before = np.array(rotation) * (-1 if before @ np.array(rotation) < 0 else 1)
        for key, value in zip(keys, before, strict=True):
            key.co[1] = value
    changes = part("io.pipeline.out_of_blender.preview").what_would_change(bpy.context, "SCENE")
    assert [change.state for change in changes] == ["changed", *["unchanged"] * (len(changes) - 1)]
    assert changes[0].bones == (sample.bone().name,) and not any(change.keys for change in changes[1:])


def test_a_constraint_whose_influence_is_keyed(sample: Sample) -> None:
    """It is off at the frame that is shown."""
    bone = sample.bone()
    constraint = bone.constraints.new("LIMIT_ROTATION")
    constraint.owner_space = "LOCAL"
    constraint.use_limit_x = constraint.use_limit_y = constraint.use_limit_z = True
    first, last = sample.action.curve_frame_range
    for frame, influence in ((last, 1.0), (first, 0.0)):
        constraint.influence = influence
        assert constraint.keyframe_insert("influence", frame=frame)
    bpy.context.scene.frame_set(int(first))
    messages = sample.change().messages
    assert any("a Limit Rotation constraint moves it" in line and line.startswith(bone.name) for line in messages), messages


def test_a_part_of_a_rotation_that_is_posed_and_not_keyed(sample: Sample) -> None:
    """One of its curves is deleted."""
    bone = sample.bone()
    curves = [curve for curve in sample.part("io.blender.compat").curves(sample.action) if f'"{bone.name}"].rot' in curve.data_path]
    most = max(curves, key=lambda curve: float(np.ptp([point.co[1] for point in curve.keyframe_points])))
    kind, index, peak = (
        most.data_path.rpartition(".")[2],
        most.array_index,
        max(most.keyframe_points, key=lambda point: abs(point.co[1])).co[1],
    )
    bags = sample.action.layers[0].strips[0].channelbags if hasattr(sample.action, "layers") else [sample.action]
    bags[0].fcurves.remove(most)
    getattr(bone, kind)[index] = peak
    assert any(line.startswith(bone.name) and "it is posed and not keyed" in line for line in sample.change().messages)


def test_constraints_are_named_by_what_holds_them(sample: Sample) -> None:
    bone = sample.bone()
    bpy.ops.object.empty_add(location=(1.0, 2.0, 3.0))
    constraint = bone.constraints.new("IK")
    constraint.target, constraint.chain_count = bpy.context.object, 2
    bpy.context.view_layer.objects.active = sample.obj
    assert any("an Inverse Kinematics constraint moves it" in line for line in sample.change().messages)
    assert not any(f"on {bone.name} constraint" in line for line in sample.change().messages)


def test_a_delta_location(sample: Sample) -> None:
    """One that stands still puts the character elsewhere, one with keys moves it."""
    sample.obj.delta_location = (3.0, 0.0, 0.0)
    assert (sample.change().worst, sample.change().messages) == (None, ())
    first, last = sample.action.curve_frame_range
    for frame, where in ((first, 0.0), (last, 0.5)):
        sample.obj.delta_location = (where, 0.0, 0.0)
        sample.obj.keyframe_insert("delta_location", frame=frame)
    change = sample.change()
    assert change.worst is not None and change.worst.difference == pytest.approx(0.5 / SCALES[sample.id], rel=0.1)
    assert any("delta transform moves it" in line for line in change.messages)


def test_other_ways_to_inherit_scale(sample: Sample) -> None:
    """They are nothing while nothing is scaled."""
    for bone in sample.obj.data.bones:
        bone.inherit_scale = "ALIGNED"
    assert (sample.change().worst, sample.change().messages) == (None, ())


@pytest.mark.thorough
def test_what_is_said_of_the_choice_of_clips_is_returned(sample: Sample) -> None:
    bpy.context.scene.render.fps, bpy.context.scene.render.fps_base = 17, 1.0
    assert any("came in at" in line and "the scene has 17 now" in line for line in sample.export().warnings)


def test_stretched_time_is_said(sample: Sample) -> None:
    """Blender plays at half the speed, which no file knows; the keys stay where they are."""
    assert not any("Time Stretching" in line for line in sample.export().warnings)
    bpy.context.scene.render.frame_map_new = 200
    (line,) = (line for line in sample.export().warnings if "Time Stretching" in line)
    assert "2 times as long" in line and "set Old and New to the same" in line


def test_a_muted_group_counts_where_blender_goes_by_it(part: Part, tmp_path: Path) -> None:
    """Before actions had slots a muted group silenced its curves; since then it does nothing."""
    sample = Sample(part, "oni", tmp_path)
    bone, scene = sample.bone(), bpy.context.scene

    def moves() -> bool:
        scene.frame_set(scene.frame_start)
        first = np.array(bone.matrix_basis)
        scene.frame_set(int(sample.action.frame_range[1]) // 2)
        return bool(np.abs(np.array(bone.matrix_basis) - first).max() > 1e-3)

    assert moves()
    curve = next(one for one in part("io.blender.compat").curves(sample.action) if f'"{bone.name}"].rot' in one.data_path)
    curve.group.mute = True
    sample.action.update_tag()
    silenced, change = not moves(), sample.change()
    assert (change.worst is not None) == silenced == any("its curves are muted" in line for line in change.messages)


def test_a_curve_that_goes_on_behind_its_last_key(part: Part, tmp_path: Path) -> None:
    sample = Sample(part, "oni", tmp_path)
    bone = sample.bone()
    for curve in part("io.blender.compat").curves(sample.action):
        if f'"{bone.name}"].rot' in curve.data_path:
            for point in list(curve.keyframe_points)[:2:-1]:
                curve.keyframe_points.remove(point)
            curve.extrapolation = "LINEAR"
    change = sample.change()
    assert change.worst is not None and change.worst.bone == bone.name
    assert any("go on in a line" in line and "put a key at the end of the clip" in line for line in change.messages)
