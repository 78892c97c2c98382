"""One clip onto one character, measured on the poses that Blender shows: roles, facing and proportions are known beforehand, nothing is
asked of the code under test but its result."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import bpy
import numpy as np

from .pair_sources import Source, shorten
from .pair_targets import Target

LIMBS = tuple(
    (side + one, side + other)
    for side in ("left", "right")
    for one, other in (("UpperArm", "LowerArm"), ("LowerArm", "Hand"), ("UpperLeg", "LowerLeg"), ("LowerLeg", "Foot"), ("Foot", "Toes"))
)
_LOW, _SLOW = 0.08, 0.35
"""Leg lengths above the lowest level, and leg lengths a second: a foot that stands."""

FLIP = 45
"""Degrees a frame that a bone may rotate further than any of the source's."""


@dataclass(frozen=True)
class Shown:
    """What Blender shows at F frames: heads (F, B, 3), rotations (F, B, 3, 3) of the bones in the world, by name."""

    heads: Any
    rotations: Any
    names: dict[str, int]

    def at(self, bone: str) -> Any:
        return self.heads[:, self.names[bone]]


@dataclass(frozen=True)
class Measured:
    """limbs: degrees at most, and whose. rounding: degrees that float32 may hide. hips: of their path, in leg lengths. yaw: degrees off.

    flips: bones and frames that rotate over 45 degrees more from a frame to the next than any of the source's. skate_*: the worse foot, in
    leg lengths a second. reported: limb_max and shown limbs of the report; shown: the truth of the latter, limbs with held feet.
    hands: with goals by the body, what of both figures is known by hand.
    """

    limbs: float
    worst: str
    rounding: float
    hips: float
    yaw: float
    flips: tuple[str, ...]
    skate_source: float
    skate: float
    reported: tuple[float, float]
    shown: float
    report_yaw: float
    mapped: int
    good: bool
    seconds: float
    lines: tuple[str, ...]
    hands: Hands


@dataclass(frozen=True)
class Hands:
    """Hands that reach, beside the hips, where the source's do, by the length of the legs. missed: leg lengths at most where the arm is
    long enough. bent: where it is not, the part of its length at most by which it is not stretched. aside: degrees at most from it to its
    goal then. misreported: leg lengths, by which the report is off. plain: leg lengths missed without goals."""

    missed: float = 0.0
    bent: float = 0.0
    aside: float = 0.0
    misreported: float = 0.0
    plain: float = 0.0


def poses(obj: Any, frames: Any) -> Shown:
    """Evaluated poses."""
    scene = bpy.context.scene
    names = {bone.name: number for number, bone in enumerate(obj.pose.bones)}
    buffer = np.empty(16 * len(names), np.float32)
    heads, rotations = [], []
    for frame in frames:
        scene.frame_set(int(np.floor(frame)), subframe=float(frame - np.floor(frame)))
        shown = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
        shown.pose.bones.foreach_get("matrix", buffer)
        world = np.array(shown.matrix_world, np.float64)
        matrices = world @ buffer.reshape(-1, 4, 4).transpose(0, 2, 1).astype(np.float64)
        heads.append(matrices[:, :3, 3])
        linear = matrices[:, :3, :3]
        rotations.append(linear / np.linalg.norm(linear, axis=1, keepdims=True))
    return Shown(np.array(heads), np.array(rotations), names)


def leg(obj: Any, roles: dict[str, str]) -> float:
    """Metres of thigh and shin at rest, the mean of both."""
    world, bones = np.array(obj.matrix_world, np.float64), obj.data.bones
    lengths = []
    for side in ("left", "right"):
        joints = [world @ [*bones[roles[side + part]].head_local, 1.0] for part in ("UpperLeg", "LowerLeg", "Foot")]
        lengths.append(sum(np.linalg.norm(b - a) for a, b in pairwise(joints)))
    return float(np.mean(lengths))


def about_z(degrees: float) -> Any:
    angle = np.radians(degrees)
    return np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]])


def directions(shown: Shown, roles: dict[str, str], limbs: Any) -> Any:
    lines = np.stack([shown.at(roles[end]) - shown.at(roles[start]) for start, end in limbs], axis=1)
    return lines / np.linalg.norm(lines, axis=-1, keepdims=True)


def apart(first: Any, second: Any) -> Any:
    """Degrees between unit vectors."""
    return np.degrees(2 * np.arcsin((np.linalg.norm(first - second, axis=-1) / 2).clip(0, 1)))


def rounding(shown: Shown, roles: dict[str, str], limbs: Any) -> float:
    """Degrees by which the shortest limb may be off, since Blender's poses are float32 along a chain of bones."""
    shortest = min(np.linalg.norm(shown.at(roles[end]) - shown.at(roles[start]), axis=1).min() for start, end in limbs)
    return float(np.degrees(4 * np.finfo(np.float32).eps * np.abs(shown.heads).max() / shortest))


def steps(rotations: Any) -> Any:
    """(F - 1, B) degrees from each frame to the next."""
    traces = np.einsum("fbij,fbij->fb", rotations[1:], rotations[:-1])
    return np.degrees(np.arccos(((traces - 1) / 2).clip(-1, 1)))


def skate(shown: Shown, roles: dict[str, str], standing: dict[str, Any], length: float, fps: float) -> float:
    worst = 0.0
    for foot, stands in standing.items():
        both = stands[1:] & stands[:-1]
        if both.any():
            moved = np.linalg.norm(np.diff(shown.at(roles[foot])[:, :2], axis=0), axis=1)
            worst = max(worst, float(moved[both].mean()) * fps / length)
    return worst


def standing(shown: Shown, roles: dict[str, str], length: float, fps: float) -> dict[str, Any]:
    """Foot -> (F,) whether it stands, for runs of at least three frames."""
    result = {}
    for side in ("left", "right"):
        foot = side + ("Toes" if side + "Toes" in roles else "Foot")
        path = shown.at(roles[foot])
        speed = np.linalg.norm(np.gradient(path[:, :2], axis=0), axis=1) * fps
        stands = (path[:, 2] < np.percentile(path[:, 2], 2) + _LOW * length) & (speed < _SLOW * length)
        kept = np.convolve(stands, np.ones(3), mode="same") >= 2
        result[foot] = stands & kept
    return result


def hands_of(
    theirs: Shown, ours: Shown, plain: Shown, roles: tuple[dict[str, str], dict[str, str]], factor: float, yaw: Any, report: Any
) -> Hands:
    """roles: of the source and of the target. factor: target metres a source metre. yaw: (3, 3) from the source's world to the target's."""
    values: dict[str, list[float]] = {"missed": [0.0], "bent": [0.0], "aside": [0.0], "misreported": [0.0], "plain": [0.0]}
    for side in ("left", "right"):
        parts = [side + part for part in ("UpperArm", "LowerArm", "Hand")]
        if not all(part in own for part in parts for own in roles):
            continue
        offset = (theirs.at(roles[0][parts[2]]) - theirs.at(roles[0]["hips"])) @ yaw.T * factor
        goal, (shoulder, elbow, hand) = ours.at(roles[1]["hips"]) + offset, (ours.at(roles[1][part]) for part in parts)
        upper, lower = (np.linalg.norm(one - other, axis=1).mean() for one, other in ((elbow, shoulder), (hand, elbow)))
        far, miss = np.linalg.norm(goal - shoulder, axis=1), np.linalg.norm(hand - goal, axis=1)
        long, near = far > upper + lower, far < abs(upper - lower)
        scale = leg_of(ours, roles[1])
        values["plain"].append(
            float(np.linalg.norm(plain.at(roles[1][parts[2]]) - plain.at(roles[1]["hips"]) - offset, axis=1).max()) / scale
        )
        if not (long | near).all():
            values["missed"].append(float(miss[~(long | near)].max()) / scale)
        if long.any():
            values["bent"].append(float(1 - np.linalg.norm(hand - shoulder, axis=1)[long].min() / (upper + lower)))
            reach, wanted = ((ends - shoulder)[long] / np.linalg.norm(ends - shoulder, axis=1)[long, None] for ends in (hand, goal))
            values["aside"].append(float(apart(reach, wanted).max()))
        listed = next(item for item in report.goals if item.limb == f"{side}Hand")
        values["misreported"].append(abs(listed.missed - float(miss.max())) / scale)
    return Hands(**{name: max(each) for name, each in values.items()})


def leg_of(shown: Shown, roles: dict[str, str]) -> float:
    """Metres of thigh and shin as they are shown, the left one's."""
    joints = [shown.at(roles[f"left{part}"]) for part in ("UpperLeg", "LowerLeg", "Foot")]
    return float(sum(np.linalg.norm(b - a, axis=1).mean() for a, b in pairwise(joints)))


def measure(source: Source, target: Target, data: Path, frames: int) -> Measured:
    """The clip's first frames, in a new scene."""
    from retro_anim.core.retarget.figures.maps.bone_map import Limb
    from retro_anim.core.retarget.mapping.mapping import map_bones
    from retro_anim.core.retarget.options import Options
    from retro_anim.io.retarget import retarget
    from retro_anim.io.retarget.reading import read

    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    one = source.make(data)  # first: Blender 4.2's importer of glTF crashes beside a generated rig of Rigify
    two = target.make(data)
    shorten(one, frames)
    bpy.context.view_layer.update()
    clip = one.animation_data.action
    bone_map = map_bones(read.figure_of(one), read.figure_of(two))
    results = {}
    for feet in (False, True):
        options = retarget.RetargetOptions(core=Options(feet=feet), actions=(clip.name,), earlier="KEEP")
        results[feet] = retarget.retarget_actions(bpy.context, one, two, bone_map, options)
    goals = replace(bone_map, limbs=(Limb("leftHand", reach="BODY"), Limb("rightHand", reach="BODY")))
    options = retarget.RetargetOptions(core=Options(feet=False), actions=(clip.name,), earlier="KEEP")
    reaching = retarget.retarget_actions(bpy.context, one, two, goals, options)
    plain, held = results[False], results[True]
    keys = read.frames_of(plain.actions[0], two, 1.0, at_keys=True)
    fps = bpy.context.scene.render.fps / bpy.context.scene.render.fps_base / float(np.median(np.diff(keys)))
    frames_ = keys.copy()
    if plain.actions[0].use_cyclic:  # a loop ends on the tick of its game that is nearest to its end
        frames_[-1] = read.frames_of(clip, one, 1.0, at_keys=False)[-1]
    theirs = poses(one, frames_)
    ours, feet_ours, hands_ours = (shown_of(two, result.actions[0], keys) for result in (plain, held, reaching))
    limbs = [(a, b) for a, b in LIMBS if {a, b} <= source.roles.keys() and {a, b} <= target.roles.keys()]
    yaw = about_z(target.yaw - source.yaw)
    wanted, has = directions(theirs, source.roles, limbs) @ yaw.T, directions(ours, target.roles, limbs)
    angles = apart(wanted, has)
    flat, other = wanted[..., 0] + 1j * wanted[..., 1], has[..., 0] + 1j * has[..., 1]
    lengths = leg(one, source.roles), leg(two, target.roles)
    paths = [shown.at(roles["hips"]) for shown, roles in ((theirs, source.roles), (ours, target.roles))]
    moved = [path - path[0] for path in paths]
    off = np.linalg.norm(moved[1] / lengths[1] - moved[0] @ yaw.T / lengths[0], axis=1).max()
    touching = standing(theirs, source.roles, lengths[0], fps)
    both = {foot: stands for foot, stands in touching.items() if foot in target.roles}
    followed = [theirs.names[bone] for bone in source.roles.values()]
    bones = [ours.names[bone] for bone in target.roles.values()]
    most = steps(theirs.rotations[:, followed]).max(axis=1)[:, None]
    flips = steps(ours.rotations[:, bones]) - most > FLIP
    names = list(ours.names)
    worst = np.unravel_index(int(angles.argmax()), angles.shape)
    report = plain.reports[0]
    return Measured(
        float(angles.max()),
        f"{limbs[int(worst[1])][0]} at {keys[int(worst[0])]:g}",
        rounding(theirs, source.roles, limbs) + rounding(ours, target.roles, limbs),
        float(off),
        float(np.degrees(np.angle((other * flat.conj()).sum()))),
        tuple(f"{names[bones[bone]]} at {keys[frame + 1]:g}" for frame, bone in np.argwhere(flips)),
        skate(theirs, source.roles, both, lengths[0], fps),
        skate(feet_ours, target.roles, both, lengths[1], fps),
        (report.limb_max, held.reports[0].limb_shown),
        float(apart(wanted, directions(feet_ours, target.roles, limbs)).max()),
        report.yaw,
        sum(pair.role in source.roles and source.roles[pair.role] == pair.source for pair in bone_map.pairs),
        held.reports[0].is_good,
        report.seconds,
        tuple(held.reports[0].lines()),
        hands_of(theirs, hands_ours, ours, (source.roles, target.roles), lengths[1] / lengths[0], yaw, reaching.reports[0]),
    )


@dataclass(frozen=True)
class Goaled:
    """A clip with goals. beyond: degrees by which a bone rotates further into a frame than any of the source's, at most; whose, and when.
    missed: leg lengths at most between a hand that reaches beside the hips and where the source's does, where the arm is long enough."""

    beyond: float
    bone: str
    frame: float
    missed: float


def goaled(source: Source, target: Target, data: Path, limbs: dict[Any, Any], fps: float = 0.0) -> Goaled:
    """limbs: what each shall reach for. fps: the scene's, where it is not the source's own."""
    from retro_anim.core.retarget.figures.maps.bone_map import Limb
    from retro_anim.core.retarget.mapping.mapping import map_bones
    from retro_anim.core.retarget.options import Options
    from retro_anim.io.retarget import retarget
    from retro_anim.io.retarget.reading import read

    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    one, two = source.make(data), target.make(data)
    if fps:
        bpy.context.scene.render.fps, bpy.context.scene.render.fps_base = round(fps), 1.0
    bpy.context.view_layer.update()
    clip = one.animation_data.action
    bone_map = map_bones(read.figure_of(one), read.figure_of(two))
    goals = replace(bone_map, limbs=tuple(Limb(name, reach=reach) for name, reach in limbs.items()))
    options = retarget.RetargetOptions(core=Options(feet=False), actions=(clip.name,))
    result = retarget.retarget_actions(bpy.context, one, two, goals, options)
    keys = read.frames_of(result.actions[0], two, 1.0, at_keys=True)
    theirs, ours = poses(one, keys), shown_of(two, result.actions[0], keys)
    followed = [theirs.names[bone] for bone in source.roles.values()]
    bones = [ours.names[bone] for bone in target.roles.values()]
    beyond = steps(ours.rotations[:, bones]) - steps(theirs.rotations[:, followed]).max(axis=1)[:, None]
    row, column = np.unravel_index(int(beyond.argmax()), beyond.shape)
    missed = 0.0
    if set(limbs.values()) == {"BODY"} and all(name.endswith("Hand") for name in limbs):
        factor = leg(two, target.roles) / leg(one, source.roles)
        yaw = about_z(target.yaw - source.yaw)
        missed = hands_of(theirs, ours, ours, (source.roles, target.roles), factor, yaw, result.reports[0]).missed
    return Goaled(float(beyond.max()), list(ours.names)[bones[int(column)]], float(keys[int(row) + 1]), missed)


def shown_of(obj: Any, action: Any, frames: Any) -> Shown:
    from retro_anim.io.blender import compat

    compat.assign(obj, action)
    return poses(obj, frames)
