"""What may be otherwise than an import left it, beside keys: fields, custom properties, source data, armature, object and scene."""

from __future__ import annotations

from typing import Any

import bpy

from .animator_edits import (
    Animator,
    Edit,
    bone_of,
    constrained,
    driven,
    in_another_mode,
    interpolated,
    modified,
    value_of_a_key,
    without_inherited_rotation,
)

_TYPES: Any = bpy.types.Keyframe.bl_rna.properties["type"]
GENERATED = "GENERATED" if "GENERATED" in _TYPES.enum_items else "JITTER"


def field(name: str, value: Any) -> Edit:
    """Any custom property of an imported action, of any game."""

    def edit(animator: Animator) -> None:
        names = sorted(key for key in animator.action.keys() if name in key)  # noqa: SIM118 - actions are no mappings
        if names:
            before = animator.action[names[0]]
            animator.action[names[0]] = value(before) if callable(value) else value

    return edit


def gone(name: str) -> Edit:
    def edit(animator: Animator) -> None:
        for key in [key for key in animator.action.keys() if name in key][:1]:  # noqa: SIM118
            del animator.action[key]

    return edit


def of_oni(name: str, value: Any) -> Edit:
    """A property of a TRAM, as the panel sets it."""

    def edit(animator: Animator) -> None:
        group = getattr(animator.action, "oni_tram", None)
        if group is not None and group.present:
            setattr(group, name, value)

    return edit


def posed(bone: int, unkeyed: bool) -> Edit:
    def edit(animator: Animator) -> None:
        one = bone_of(animator, bone)
        one.scale[1] = 1.2 if unkeyed else 1.0
        one.location[0] += 0.1

    return edit


def every_curve(name: str, value: Any) -> Edit:
    def edit(animator: Animator) -> None:
        for curve in animator.curves()[2:4]:
            setattr(curve, name, value)

    return edit


def every_key(name: str, value: Any) -> Edit:
    def edit(animator: Animator) -> None:
        for point in animator.curves()[3].keyframe_points:
            setattr(point, name, value)

    return edit


def of(path: str, value: Any) -> Edit:
    """Any property of the object."""

    def edit(animator: Animator) -> None:
        *owners, name = path.split(".")
        owner = animator.obj
        for part in owners:
            owner = getattr(owner, part)
        before = getattr(owner, name)
        setattr(owner, name, value(before) if callable(value) else value)

    return edit


def frame_rate(animator: Animator) -> None:
    bpy.context.scene.render.fps = 24


def parented(animator: Animator) -> None:
    parent = bpy.data.objects.new("parent", None)
    bpy.context.scene.collection.objects.link(parent)
    parent.keyframe_insert("location", frame=1)
    parent.location = (1, 2, 3)
    parent.keyframe_insert("location", frame=9)
    animator.obj.parent = parent


def in_a_strip(animator: Animator) -> None:
    track = animator.obj.animation_data.nla_tracks.new()
    track.strips.new("over it", 3, bpy.data.actions[0]).blend_type = "ADD"


def one_more_curve(animator: Animator) -> None:
    bone = bone_of(animator, 2)
    bone.scale = (1.0, 1.5, 1.0)
    bone.keyframe_insert("scale", frame=3)


def without_a_curve(animator: Animator) -> None:
    bone_of(animator, 1).keyframe_delete("rotation_euler" if bone_of(animator, 1).rotation_mode != "QUATERNION" else "rotation_quaternion")


def rest_moved(animator: Animator) -> None:
    bpy.ops.object.mode_set(mode="EDIT")
    bones = animator.obj.data.edit_bones
    bones[min(2, len(bones) - 1)].head[0] += 0.3
    bpy.ops.object.mode_set(mode="OBJECT")


def bone_renamed(animator: Animator) -> None:
    bone_of(animator, 2).name = "another name"


def copied(animator: Animator) -> None:
    animator.action.copy().use_fake_user = True


def source_spoiled(animator: Animator) -> None:
    text = animator.action["retro_anim_source"]
    for key in [key for key in text.keys() if key != "path"]:  # noqa: SIM118
        text[key] = bytes(text[key])[:-9]


def another_source(animator: Animator) -> None:
    """As after a mistake under Custom Properties: what the other action came from, unless all of it is alike."""
    other = next(action for action in bpy.data.actions if action != animator.action)
    animator.action["retro_anim_source"] = other["retro_anim_source"]


def marker_moved(animator: Animator) -> None:
    for marker in list(animator.action.pose_markers)[:1]:
        marker.frame += 2


def baked(animator: Animator) -> None:
    for curve in animator.curves()[:1]:
        curve.convert_to_samples(1, 12)


OF_GAMES: dict[str, dict[str, Edit]] = {
    "lba": {
        "loop frame": field("loop_frame", lambda before: before + 1),
        "first step": field("first_step", lambda before: [each + 1 for each in before]),
        "word 3": field("word3", lambda before: before + 1),
        "spoiled field": field("bone_count", "many"),
        "other game": field("lba_game", "lba2"),
        "cyclic": of("animation_data.action.use_cyclic", lambda before: not before),
        "range": of("animation_data.action.frame_end", lambda before: before - 2),
        "marker": marker_moved,
        "little": value_of_a_key(1, 2, 1e-7),
        "mode": in_another_mode([1, 2], "QUATERNION", keyed=False),
        "rest": rest_moved,
        "order": of("rotation_mode", "XYZ"),
        "order of four": of("rotation_mode", "QUATERNION"),
    },
    "oni": {
        "whole number": of_oni("atomic_end", 3),
        "number": of_oni("max_distance", 7.5),
        "name": of_oni("name", "TRAMother"),
        "marker": marker_moved,
        "little": value_of_a_key(1, 2, 1e-7),
        "more than little": value_of_a_key(1, 2, 2e-4),
        "mode": in_another_mode([1, 2], "XYZ", keyed=False),
        "scaled": of("scale", (1.0, 2.0, 1.0)),
        "renamed": of("animation_data.action.name", "TRAMrenamed"),
    },
    "oni2": {
        "stride": field("stride", lambda before: [each + 1 for each in before]),
        "flags": field("flags", "0x80000000"),
        "channels": gone("oni2_channels"),
        "offsets": field("oni2_offsets", lambda before: [each + 0.5 for each in before]),
        "cyclic": of("animation_data.action.use_cyclic", lambda before: not before),
        "rest": rest_moved,
        "little": value_of_a_key(1, 2, 1e-7),
    },
}
"""Of one game alone, by what it is."""

ODD: dict[str, Edit] = {
    "spoiled rate": field("retro_anim_fps", "many"),
    "rate of the import": field("retro_anim_fps", 12.0),
    "start": field("frame_start", 5.0),
    "placement": field("placement", [1.0] * 9),
    "root motion": field("root_motion", "NONE"),
    "no placement": gone("placement"),
    "no source": gone("retro_anim_source"),
    "pose": posed(3, unkeyed=True),
    "keyed pose": posed(1, unkeyed=False),
    "extrapolation": every_curve("extrapolation", "LINEAR"),
    "mute": every_curve("mute", value=True),
    "modifier": modified(1),
    "interpolation": interpolated(1, "CONSTANT"),
    "key type": every_key("type", "EXTREME"),
    "generated": every_key("type", GENERATED),
    "one frame": every_key("co", (3.0, 0.0)),
    "scaled alike": of("scale", (2.0, 2.0, 2.0)),
    "elsewhere": of("location", (3.0, 2.0, 1.0)),
    "delta": of("delta_rotation_euler", (0.0, 0.4, 0.0)),
    "at rest": of("data.pose_position", "REST"),
    "influence": of("animation_data.action_influence", 0.5),
    "no range": of("animation_data.action.use_frame_range", value=False),
    "rate": frame_rate,
    "parent": parented,
    "constraint": constrained(2, "COPY_ROTATION", 1.0, mute=False),
    "driver": driven(2),
    "inherits": without_inherited_rotation(2),
    "strip": in_a_strip,
    "curve": one_more_curve,
    "no curve": without_a_curve,
    "bone renamed": bone_renamed,
    "copied": copied,
    "spoiled source": source_spoiled,
    "other source": another_source,
    "samples": baked,
}
"""Of any game."""
