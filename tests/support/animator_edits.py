"""What an animator's tools do to an action on an armature: random edits of every kind, through Blender's own properties and operators."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
from hypothesis import strategies as st

Edit = Callable[["Animator"], None]


@dataclass(eq=False)
class Animator:
    """The armature with its present action. moving: bones that may be translated. scene: frames a game frame takes."""

    obj: Any
    curves: Callable[[], list[Any]]
    root: str

    @property
    def action(self) -> Any:
        return self.obj.animation_data.action

    def bone_curves(self, bone: str, kind: str = "rotation") -> list[Any]:
        return [curve for curve in self.curves() if f'["{bone}"]' in curve.data_path and kind in curve.data_path]

    def updated(self) -> None:
        for curve in self.curves():
            curve.update()


def bone_of(animator: Animator, number: int) -> Any:
    bones = animator.obj.pose.bones
    return bones[number % len(bones)]


def value_of_a_key(bone: int, key: int, by: float) -> Edit:
    def edit(animator: Animator) -> None:
        for curve in animator.bone_curves(bone_of(animator, bone).name)[:2]:
            curve.keyframe_points[key % len(curve.keyframe_points)].co[1] += by

    return edit


def key_added(bone: int, frame: float, by: float, interpolation: str) -> Edit:
    """As with the key I in the window: what is there, a little turned."""

    def edit(animator: Animator) -> None:
        name = bone_of(animator, bone).name
        for index, curve in enumerate(animator.bone_curves(name)):
            point = curve.keyframe_points.insert(frame, curve.evaluate(frame) + by * (index == 1))
            point.interpolation = interpolation

    return edit


def key_deleted(bone: int, key: int) -> Edit:
    def edit(animator: Animator) -> None:
        for curve in animator.bone_curves(bone_of(animator, bone).name):
            if len(curve.keyframe_points) > 1:
                curve.keyframe_points.remove(curve.keyframe_points[key % len(curve.keyframe_points)])

    return edit


def scaled_in_time(factor: float, whole: bool) -> Edit:
    def edit(animator: Animator) -> None:
        for curve in animator.curves():
            points = curve.keyframe_points
            keys = np.empty(2 * len(points))
            points.foreach_get("co", keys)
            frames = 1 + (keys[::2] - 1) * factor
            keys[::2] = np.rint(frames) if whole else frames
            points.foreach_set("co", keys)
            curve.update()

    return edit


def interpolated(bone: int, kind: str) -> Edit:
    def edit(animator: Animator) -> None:
        for curve in animator.bone_curves(bone_of(animator, bone).name):
            for point in curve.keyframe_points:
                point.interpolation = kind

    return edit


def in_another_mode(bones: list[int], mode: str, keyed: bool) -> Edit:
    def edit(animator: Animator) -> None:
        for number in bones:
            bone = bone_of(animator, number)
            bone.rotation_mode = mode
            if keyed:
                name = {"QUATERNION": "rotation_quaternion", "AXIS_ANGLE": "rotation_axis_angle"}.get(mode, "rotation_euler")
                for frame, angle in ((1, 0.1), (6, 0.7)):
                    setattr(bone, name, {"QUATERNION": (1, angle, 0, 0), "AXIS_ANGLE": (angle, 0, 1, 0)}.get(mode, (angle, 0.2, 0)))
                    bone.keyframe_insert(name, frame=frame)

    return edit


def constrained(bone: int, kind: str, influence: float, mute: bool) -> Edit:
    def edit(animator: Animator) -> None:
        target = bpy.data.objects.new("target", None)
        target.location, target.rotation_euler = (0.4, -0.3, 0.7), (0.3, 0.5, 0.7)
        bpy.context.scene.collection.objects.link(target)
        constraint = bone_of(animator, bone).constraints.new(kind)
        if kind == "LIMIT_ROTATION":
            constraint.owner_space, constraint.use_limit_x, constraint.max_x = "LOCAL", True, 0.1
        else:
            constraint.target = target
        if kind == "IK":
            constraint.chain_count = 2
        constraint.influence, constraint.mute = influence, mute

    return edit


def object_keyed(location: float, angle: float, linear: bool) -> Edit:
    def edit(animator: Animator) -> None:
        obj = animator.obj
        obj.rotation_mode = "ZYX"
        before, rotation = tuple(obj.location), tuple(obj.rotation_euler)
        for frame, share in ((1, 0.0), (9, 1.0)):
            obj.location = (before[0], before[1] + share * location, before[2] + 0.5 * share * location)
            obj.rotation_euler = (rotation[0], rotation[1], rotation[2] + share * angle)
            obj.keyframe_insert("location", frame=frame)
            obj.keyframe_insert("rotation_euler", frame=frame)
        for curve in animator.curves():
            if linear and curve.data_path in ("location", "rotation_euler"):
                for point in curve.keyframe_points:
                    point.interpolation = "LINEAR"

    return edit


def root_moved(key: int, axis: int, by: float) -> Edit:
    def edit(animator: Animator) -> None:
        for curve in animator.bone_curves(animator.root, "location"):
            if curve.array_index == axis:
                curve.keyframe_points[key % len(curve.keyframe_points)].co[1] += by

    return edit


def driven(bone: int) -> Edit:
    def edit(animator: Animator) -> None:
        one = bone_of(animator, bone)
        name = {"QUATERNION": "rotation_quaternion", "AXIS_ANGLE": "rotation_axis_angle"}.get(one.rotation_mode, "rotation_euler")
        one.driver_add(name, 1).driver.expression = "0.25"

    return edit


def muted(bone: int) -> Edit:
    def edit(animator: Animator) -> None:
        for curve in animator.bone_curves(bone_of(animator, bone).name):
            curve.mute = True

    return edit


def modified(bone: int) -> Edit:
    def edit(animator: Animator) -> None:
        for curve in animator.bone_curves(bone_of(animator, bone).name)[:1]:
            modifier = curve.modifiers.new("GENERATOR")
            modifier.use_additive = True
            modifier.coefficients = (0.3, 0.0)

    return edit


def without_inherited_rotation(bone: int) -> Edit:
    def edit(animator: Animator) -> None:
        animator.obj.data.bones[bone_of(animator, bone).name].use_inherit_rotation = False

    return edit


bones, keys, frames = st.integers(0, 18), st.integers(0, 11), st.integers(1, 12)
amounts = st.sampled_from([1e-7, 0.01, 0.3, -0.8])
interpolations = st.sampled_from(["LINEAR", "BEZIER", "CONSTANT"])
constraints = st.sampled_from(["IK", "COPY_ROTATION", "LIMIT_ROTATION", "DAMPED_TRACK"])
modes = st.sampled_from(["QUATERNION", "XYZ", "ZXY", "AXIS_ANGLE"])

OF_CURVES = st.one_of(
    st.builds(value_of_a_key, bones, keys, amounts),
    st.builds(key_added, bones, st.one_of(frames.map(float), st.sampled_from([3.5, 4.25, 7.1])), amounts, interpolations),
    st.builds(key_deleted, bones, keys),
    st.builds(interpolated, bones, interpolations),
    st.builds(root_moved, keys, st.integers(0, 2), amounts),
    st.builds(muted, bones),
    st.builds(modified, bones),
)
"""One edit of the action's own curves."""

EDITS = st.one_of(
    OF_CURVES,
    OF_CURVES,
    st.builds(scaled_in_time, st.sampled_from([0.5, 1.5, 2.0, 30.0]), st.booleans()),
    st.builds(in_another_mode, st.lists(bones, min_size=1, max_size=3), modes, st.booleans()),
    st.builds(constrained, bones, constraints, st.sampled_from([0.0, 0.5, 1.0]), st.booleans()),
    st.builds(object_keyed, st.sampled_from([0.0, 0.3]), st.sampled_from([0.0, 0.4]), st.booleans()),
    st.builds(driven, bones),
    st.builds(without_inherited_rotation, bones),
)  # fmt: skip
"""One edit of any kind."""
