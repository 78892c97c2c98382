"""Why a bone is not written as it is shown, and what to do about it: one table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import bpy
import numpy as np

from ....core.motion.comparison import REST, Difference
from ....core.motion.curves import PATHS, Channel
from ....core.motion.rotation_matrix import Floats
from ...blender import armature, compat
from ...blender.arrays import of_property
from ...blender.motion import evaluated, nla_keys
from ...blender.motion.fcurves import ShownCurve
from .pair import Pair

_CLOSE = 0.02

_ROUNDED = 2e-3
"""Frames that a key may be off by single precision alone."""


class Case(NamedTuple):
    """A difference, with everything that may be the reason."""

    pair: Pair
    difference: Difference

    @property
    def bone(self) -> Any:
        """The pose bone; the object where it is the object that is elsewhere, or no armature."""
        own = self.pair.clip.obj if self.difference.outside or not self.difference.bone else None
        return own if own is not None else armature.pose_bones(self.pair.clip.obj)[self.difference.bone]

    @property
    def owners(self) -> tuple[str, ...]:
        """Whose channels count: the bone's, and of one without parent the object's, too."""
        if self.difference.outside or not self.difference.bone:
            return ("",)
        return (self.difference.bone, "") if self.bone.parent is None else (self.difference.bone,)

    @property
    def curves(self) -> list[tuple[Channel, ShownCurve]]:
        return [(channel, curve) for channel, curve in self.pair.curves.items() if self._moves(channel) and channel in self.pair.different]

    def _moves(self, channel: Channel) -> bool:
        """Whether a channel has a part in where this is; of a root also what holds its path in place."""
        if channel.property in PATHS:
            return self.pair.in_place and "" in self.owners
        return channel.bone in self.owners and channel.property in REST


class Cause(NamedTuple):
    """holds: whether it is this. why: the end of a sentence about the bone; "{}" is what `holds` gives. remedy: what to do. topic: that
    of the message in which a game has explained it already, in its own words."""

    holds: Callable[[Case], str | bool]
    why: str
    remedy: str
    topic: str = ""


def _constraint(case: Case) -> str:
    """The constraint that moves the bone, or a bone above or below whose IK does."""
    bone = case.bone
    own = [one for one in bone.constraints if not one.mute and one.influence > 0]
    if own:
        return _kind(own[0])
    if isinstance(bone, bpy.types.PoseBone):
        for child in bone.children_recursive:
            for one in child.constraints:
                if one.type == "IK" and not one.mute and one.influence > 0 and _within(bone, child, one.chain_count):
                    return f"{_kind(one)} on {child.name}"
    return ""


def _object_constraint(case: Case) -> str:
    """Of an object itself: how its bones look does not say where it is."""
    return _constraint(case) if isinstance(case.bone, bpy.types.Object) else ""


def _kind(constraint: Any) -> str:
    name = constraint.bl_rna.properties["type"].enum_items[constraint.type].name
    return f"an {name} constraint" if name[0] in "AEIOU" else f"a {name} constraint"


def _within(bone: bpy.types.PoseBone, end: bpy.types.PoseBone, count: int) -> bool:
    chain = [end, *end.parent_recursive]
    return bone in (chain[:count] if count else chain)


def _driver(case: Case) -> bool:
    prefix = f'pose.bones["{bpy.utils.escape_identifier(case.difference.bone)}"]'
    paths = [curve.data_path for curve in evaluated.driven(case.pair.clip.obj)]
    return any(path.startswith(prefix) or ("" in case.owners and path in REST) for path in paths)


def _nla(case: Case) -> bool:
    return case.pair.evaluated == "the NLA"


def _deltas(case: Case) -> bool:
    return case.pair.evaluated == "delta transforms" and _root(case)


def _parent(case: Case) -> bool:
    obj = case.pair.clip.obj
    return (case.difference.outside or not case.difference.bone) and obj.parent is not None


def _inherits(case: Case) -> bool:
    return isinstance(case.bone, bpy.types.PoseBone) and not (case.bone.bone.use_inherit_rotation and case.bone.bone.use_local_location)


def _inherits_scale(case: Case) -> str:
    kind = case.bone.bone.inherit_scale if isinstance(case.bone, bpy.types.PoseBone) else "FULL"
    return "" if kind in ("FULL", "NONE") else kind.replace("_", " ").title()


def _muted(case: Case) -> bool:
    return any(channel.bone in case.owners and channel.property in REST for channel in case.pair.muted)


def _posed(case: Case) -> bool:
    keyed = {(channel.bone, channel.property) for channel in case.pair.curves}
    return any(channel.bone in case.owners and (channel.bone, channel.property) not in keyed for channel in case.pair.still)


def _modifier(case: Case) -> bool:
    return any(len(curve.curve.modifiers) for _, curve in case.curves)


def _later(case: Case) -> str:
    """Where its first key is, of a game whose clips begin with that, if it was another frame when the clip came in."""
    came_in = case.pair.clip.unit and case.pair.before is not None
    shown = min((float(curve.keys[0, 0]) for channel, curve in case.pair.curves.items() if channel.property in REST), default=np.inf)
    written = min((float(keys[0][0]) for keys in case.pair.written.values()), default=0.0)
    return f"frame {shown:g}, and not frame {written:g}" if came_in and _CLOSE < abs(shown - written) < np.inf else ""


def _closing(case: Case) -> bool:
    """Behind the last key of the file: at the key that closes the loop, or on a straight line to it."""
    last, end, loop = _last_own_key(case.pair), case.pair.range()[1], case.pair.clip.loop
    keys = [float(curve.keys[-1, 0]) for channel, curve in case.pair.curves.items() if channel.property in REST]
    if not case.pair.clip.action.use_cyclic or last is None or case.difference.frame <= last + _CLOSE:
        return False
    if loop is not None and abs(loop[1] - max([end, *keys])) < min(1, 0.6 * (loop[1] - last)) and _off_grid(case):
        return False  # rounded with all the others, by half a frame of the game at most
    return case.difference.frame >= end - _CLOSE or not _curved(case)


def _loop_pose(case: Case) -> bool:
    loop = case.pair.clip.loop
    return loop is not None and abs(case.difference.frame - loop[0]) < _CLOSE


def _root(case: Case) -> bool:
    return isinstance(case.bone, bpy.types.Object) or case.bone.parent is None


def _unknown(_: Case) -> bool:
    return True


def _last_own_key(pair: Pair) -> float | None:
    ends = [float(block.frames[~block.generated][-1]) for block in pair.clip.blocks if (~block.generated).any() and len(block.frames) > 1]
    return max(ends) if ends else None


def _carried(case: Case) -> bool:
    """A root alone, while everything below it is where it is shown."""
    return case.difference.carried


def _half_circle(case: Case) -> str:
    """The rotation between two keys that is more than the game can tell from one the other way."""
    for channel, curve in case.curves:
        if channel.property != "rotation_euler":
            continue
        frames, values = curve.keys[:, 0], curve.keys[:, 1]
        index = int(np.searchsorted(frames, case.difference.frame).clip(1, max(len(frames) - 1, 1)))
        if len(frames) > 1 and abs(float(values[index] - values[index - 1])) > np.pi * (1 + 1e-5):
            angle = abs(np.degrees(float(values[index] - values[index - 1])))
            return f"{angle:.4g} degrees between frames {frames[index - 1]:g} and {frames[index]:g}"
    return ""


def _quaternions(case: Case) -> tuple[Floats, Floats]:
    """Frames (K,) and quaternions (K, 4) that a bone is keyed with; none where its curves do not have the same keys."""
    curves = {channel: curve for channel, curve in case.curves if channel.property == "rotation_quaternion"}
    keys = [curve.keys for _, curve in sorted(curves.items())]
    if len(keys) != 4 or any(not np.array_equal(each[:, 0], keys[0][:, 0]) for each in keys):
        return np.zeros(0), np.zeros((0, 4))
    return keys[0][:, 0].astype(np.float64), np.stack([each[:, 1] for each in keys], axis=1).astype(np.float64)


def _opposite(case: Case) -> str:
    """Two quaternions that lead the long way round in Blender."""
    frames, values = _quaternions(case)
    back = np.flatnonzero((values[1:] * values[:-1]).sum(axis=1) < 0)
    if not len(back):
        return ""
    nearest = int(back[np.abs(frames[back] + frames[back + 1] - 2 * case.difference.frame).argmin()])
    return f"frames {frames[nearest]:g} and {frames[nearest + 1]:g}"


def _lengths(case: Case) -> bool:
    _, values = _quaternions(case)
    return bool((np.abs(np.linalg.norm(values, axis=1) - 1) > 1e-4).any())


def _chord(case: Case) -> bool:
    """Whether nothing but the rotation between the quaternion keys around it may be the reason."""
    frames, values = _quaternions(case)
    if not case.difference.rotated or len(frames) < 2:
        return False
    index = int(np.searchsorted(frames, case.difference.frame).clip(1, len(frames) - 1))
    lengths = np.maximum(np.linalg.norm(values[index - 1 : index + 1], axis=1), 1e-9)
    angle = 2 * np.degrees(np.arccos(min(1.0, abs(float(values[index] @ values[index - 1])) / float(lengths.prod()))))
    within = frames[index - 1] + _CLOSE < case.difference.frame < frames[index] - _CLOSE
    return bool(within and case.difference.size < 0.1 * angle)


def _between_frames(case: Case) -> bool:
    """Near a frame at which the NLA shows what no straight line between two keys does."""
    between = of_property(case.pair.clip.action.get(nla_keys.BETWEEN))
    return bool(between.size) and bool(np.abs(between - case.difference.frame).min() < 1)


def _in_between(case: Case) -> str:
    """The kind of the keys that the import put between the game's frames, where one is shown between the same two as this."""
    at = case.difference.frame
    shown = np.concatenate([np.zeros(0), *(curve.keys[:, 0] for _, curve in case.curves)])
    for block in case.pair.clip.blocks:
        if not any(channel.bone in case.owners for channel in block.channels) or not block.generated.any():
            continue
        own = np.append(block.frames[~block.generated], np.inf)
        after = int(np.searchsorted(own, at, "right"))
        low, high = own[max(after - 1, 0)], own[min(after, len(own) - 1)]
        between = block.frames[block.generated & (block.frames > low) & (block.frames < high)]
        if np.isfinite(high) and (np.abs(shown[:, None] - between) < _CLOSE).any():
            return compat.GENERATED_KEY.title()
    return ""


def _lacking(case: Case) -> str:
    """What the bone is keyed with, and the clip's file has no channel for."""
    written = {(channel.bone, channel.property) for channel in case.pair.written}
    lacking = {channel.property for channel, _ in case.curves if channel.bone and (channel.bone, channel.property) not in written}
    return " and ".join(sorted(lacking & {"location", "scale"}))


def _curved(case: Case) -> bool:
    return any(not curve.linear for _, curve in case.curves)


def _goes_on(case: Case) -> bool:
    """Outside of the keys of a curve that goes on in a line there."""
    at = case.difference.frame
    return any(
        curve.curve.extrapolation == "LINEAR" and not curve.keys[0, 0] - _CLOSE < at < curve.keys[-1, 0] + _CLOSE
        for _, curve in case.curves
    )


def _beyond(case: Case) -> bool:
    last = max((float(keys[0][-1]) for keys in case.pair.written.values()), default=0.0)
    return case.difference.frame > last + _CLOSE


def _off_grid(case: Case) -> bool:
    """Keys that lie where the file has none."""
    written = [keys[0] for channel, keys in case.pair.written.items() if channel.bone in case.owners]
    if not written:
        return False
    there: Floats = np.unique(np.concatenate(written)).astype(np.float64)
    keys = np.unique(np.concatenate([curve.keys[:, 0] for _, curve in case.curves] or [there]))
    nearest = np.abs(there[np.searchsorted(there, keys).clip(0, len(there) - 1)] - keys)
    before = np.abs(there[np.maximum(np.searchsorted(there, keys) - 1, 0)] - keys)
    return bool((np.minimum(nearest, before) > _ROUNDED).any())


def _mode(case: Case) -> str:
    owner = case.owners[0]
    now, meant = case.pair.mode(owner), case.pair.clip.modes.get(owner)
    rotates = any(each.bone == owner and each.property.startswith("rotation") for each in (*dict(case.curves), *case.pair.still))
    return f"{now} and not {meant}" if meant not in (None, now) and rotates else ""


def _object_scale(case: Case) -> bool:
    before = case.pair.before
    return (
        case.difference.outside
        and case.pair.clip.obj.type == "ARMATURE"
        and before is not None
        and not np.allclose(before.placement.scale, np.array(case.pair.clip.obj.scale), rtol=1e-4)
    )


def _scaled(case: Case) -> bool:
    return case.difference.scaled


CAUSES: tuple[Cause, ...] = (
    Cause(_nla, "the NLA takes part", "{looks}, or mute its tracks"),
    Cause(_object_constraint, "{} moves it", "bake its motion: Bake Action with Visual Keying and Clear Constraints"),
    Cause(_constraint, "{} moves it", "{looks}"),
    Cause(_driver, "a driver moves it", "{looks}"),
    Cause(_deltas, "its delta transform moves it", "key its own location and rotation instead"),
    Cause(_object_scale, "the object's scale was changed after the import", "scale the object back to what it was"),
    Cause(_parent, "its parent moves it", "bake its motion: Bake Action with Visual Keying and Clear Parents"),
    Cause(_inherits, "it does not inherit rotation or location from its parent", "{looks}, or put Inherit Rotation and Local Location on"),
    Cause(_inherits_scale, "it inherits scale as {}", "{looks}, or set Inherit Scale to Full"),
    Cause(_muted, "its curves are muted", "unmute or delete them"),
    Cause(_modifier, "its curves have modifiers", "bake them into keys"),
    Cause(_carried, "the game puts the root itself at its origin, and the bones below it take the rest", "move these instead", "root"),
    Cause(_half_circle, "a rotation of {}: the game rotates the other way", "put a key between", "half circle"),
    Cause(_opposite, "more than half a circle between {}: the game rotates the other way", "put a key between"),
    Cause(_later, "the game's clip begins with its first key, which is at {}", "move all keys back"),
    Cause(_closing, "the loop goes back to its first keyframe, not to what the last key shows", "choose Refit Loop", "loop"),
    Cause(
        _between_frames,
        "between two frames the NLA shows something else than the straight line that the game goes",
        "let strips end in the pose that follows, blend them, or give them whole frames of the game's rate",
    ),
    Cause(
        _in_between,
        "keys of the type {} lie there, between the game's frames, where the file has none",
        "key it at whole frames, and delete the keys of that type beside them",
    ),
    Cause(_lacking, "the clip's file has no channel for its {}", "delete these keys, or move a bone that has one"),
    Cause(_curved, "its curves are not straight lines between keys, as the game goes", "choose Make Linear, or put keys between"),
    Cause(_lengths, "its quaternion keys are not of length 1, which shifts what lies between them", "insert its keys anew"),
    Cause(_chord, "between two keys Blender takes the chord of a rotation, and the game the arc", "put keys between"),
    Cause(_goes_on, "its curves go on in a line before their first and behind their last key", "put a key at the end of the clip"),
    Cause(_posed, "it is posed and not keyed", "insert a keyframe for it"),
    Cause(_beyond, "the file ends before", "move its keys into the action's frame range"),
    Cause(_off_grid, "its keys lie between the game's own times, or too close together", "move them to whole frames of the game's rate"),
    Cause(_mode, "its rotation mode is {}", "set it back"),
    Cause(_scaled, "the game does not hold that scale", "apply or remove it"),
    Cause(_loop_pose, "the pose of the key that closes the loop is written", "choose Refit Loop", "loop"),
    Cause(_root, "the game does not hold that much of a root", "move the bones below it instead", "root"),
    Cause(_unknown, "the file does not hold it", "look at its keys there"),
)
"""In this order; the first that holds is said."""
