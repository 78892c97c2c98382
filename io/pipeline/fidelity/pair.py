"""A clip as Blender shows it, beside what a file would bring back of it: which of its channels are not the same."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ....core.motion import comparison
from ....core.motion.comparison import REST
from ....core.motion.curves import PATHS, Channel, Placement, interpolated, is_rotation, rotation_property
from ....core.motion.rotations.rotation_matrix import Floats
from ....core.motion.sampling import MERGE
from ...blender import armature, identity
from ...blender.arrays import values_of
from ...blender.motion import actions, evaluated
from ...blender.motion.fcurves import MODE, ShownCurve, ShownCurves, keyed_modes
from ...blender.motion.nla import nla
from ..changes import Replayed

Still = dict[Channel, float]

_MOST_WHOLE = 4096
"""Whole frames that are looked at, over a minute of a game; where a clip plays longer, that many, evenly."""

_ROTATED = 1e-4
"""Of the axes of an object, which nobody sees."""

_LEAP = 1.0
"""Frames that a leap may take in Blender, to the generated key behind one of the file's, wherever that was moved to: none shows it."""


@dataclass(eq=False)
class Pair:
    """A clip as it is shown and as it would come back.

    curves: those that are not muted. still: where channels without a curve are, if not at rest. written: keys of the file (frames, values).
    evaluated: what else than curves takes part, "" for nothing. looks: whether the pose is written as it looks. different: channels whose
    keys are not the same. suspects: their bones, "" for the object. in_place: properties of the root hold the root motion, which counts
    as if it were shown."""

    clip: Replayed
    curves: ShownCurves
    muted: ShownCurves
    still: Still
    written: dict[Channel, tuple[NDArray[np.float32], NDArray[np.float32]]]
    evaluated: str
    looks: bool = False
    different: set[Channel] = field(default_factory=set[Channel])
    suspects: set[str] = field(default_factory=set[str])
    in_place: bool = False

    @classmethod
    def of(cls, clip: Replayed, curves: ShownCurves, looks: bool, came: actions.Remembered | None = None) -> Pair:
        """came: the options with which the action came in, where these are known to be the channels and the keys of its file, and all
        rotation modes those of the game."""
        muted = {channel: curve for channel, curve in curves.items() if curve.mute} if came is None else {}
        pair = cls(
            clip,
            {channel: curve for channel, curve in curves.items() if channel not in muted} if muted else curves,
            muted,
            # As it looks, another action is put on the pose that is there, without what is another one's.
            _still(clip) if looks or _is_shown(clip) else {},
            {},
            evaluated.takes_part(clip.obj, clip.action) or _of_the_rig(clip) or _of_modes(curves),
            looks,
        )
        if came is not None:
            pair.before = came
        pair.in_place = pair.before.root_motion == "NONE" if pair.before is not None else pair._holds_path()
        pair.written |= {
            channel: (block.frames, row)
            for block in clip.blocks
            for channel, row in zip(block.channels, block.values, strict=True)
            if pair.counts(channel)
        }
        if clip.foreign is not None:
            return pair
        others = {**pair.curves, **pair.written, **pair.still} if came is None else pair.still.keys() - curves.keys()
        pair.different = {channel for channel in others if pair.may_differ(channel)}
        pair.suspects = {"" if channel.property in PATHS else channel.bone for channel in pair.different}
        if came is None:
            pair.suspects |= {bone for bone in pair._moved() if pair.mode(bone) != clip.modes.get(bone)}
        if clip.obj.type == "ARMATURE" and moves_object(pair.written) and not _alike(placement_of(pair).scale, np.array(clip.obj.scale)):
            pair.suspects.add("")
        if pair.rotated_by_hand:
            pair.suspects.add("")
        return pair

    def _holds_path(self) -> bool:
        """Whether properties hold, of a clip that never came in, what its root is keyed with. Those that it has itself count from where
        they begin, which nobody sees."""
        held = any(channel.property in PATHS for block in self.clip.blocks for channel in block.channels)
        return held and not any(channel.property in PATHS for channel in self.curves)

    @cached_property
    def before(self) -> actions.Remembered | None:
        """The options with which the action came in."""
        return actions.remembered(self.clip.action)

    def mode(self, bone: str) -> str:
        """The rotation mode that a bone, or the object, is shown in: as keyed, of curves that the present one does not show, their own."""
        now = self._held.get(bone) or (armature.pose_bones(self.clip.obj)[bone] if bone else self.clip.obj).rotation_mode
        keyed = {part for part in ("rotation_quaternion", "rotation_euler", "rotation_axis_angle") if self._keyed(bone, part)}
        if self.looks or not keyed or rotation_property(now)[0] in keyed:
            return now
        meant = self.clip.modes.get(bone, "XYZ")
        if rotation_property(meant)[0] in keyed:
            return meant
        return {"rotation_quaternion": "QUATERNION", "rotation_axis_angle": "AXIS_ANGLE"}.get(keyed.pop(), "XYZ")

    @cached_property
    def _held(self) -> dict[str, str]:
        """Rotation modes that are keyed, and do not change."""
        return keyed_modes(self.curves)

    @cached_property
    def rotated_by_hand(self) -> bool:
        """Whether an armature, the rotation of which nothing keys, is rotated otherwise now than as the path came in that it goes."""
        clip = self.clip
        moved = {channel.property for channel in (*self.curves, *self.written) if not channel.bone} & REST.keys()
        unmoved = clip.obj.type != "ARMATURE" or moved - {"location", "scale"} or not moves_object(self.written)
        if unmoved or self.evaluated or not _is_shown(clip):
            return False
        now = actions.start_of(clip.obj, clip.action)
        return bool(np.abs(now.rotation - placement_of(self).rotation).max() > _ROTATED)

    def _keyed(self, bone: str, part: str) -> bool:
        return (bone, part) in self._driven

    @cached_property
    def _driven(self) -> set[tuple[str, str]]:
        """Bones with the properties of them that curves drive."""
        return {(channel.bone, channel.property) for channel in self.curves}

    def _moved(self) -> set[str]:
        return {channel.bone for channel in (*self.curves, *self.written) if is_rotation(channel.property)} & set(self.clip.modes)

    def counts(self, channel: Channel) -> bool:
        """Whether what a channel holds is seen, or counts as if it were."""
        return channel.property in REST or (self.in_place and channel.property in PATHS)

    def is_of_game(self, channel: Channel) -> bool:
        """The same of a bone that the game has: those that somebody added are in no clip of it. Of an armature from elsewhere all count."""
        return self.counts(channel) and (self.clip.foreign is not None or channel.bone in self.clip.modes)

    def may_differ(self, channel: Channel) -> bool:
        """Whether a channel may show anything else than what is written. Of bones that the game does not have none does by itself."""
        if not self.counts(channel) or channel.bone not in self.clip.modes:
            return False
        curve, keys = self.curves.get(channel), self.written.get(channel)
        rest = _rest(channel)
        if not channel.bone and keys is None and curve is None:
            return False
        if curve is None:
            values = keys[1] if keys is not None else np.full(1, rest)
            return bool((np.abs(values - self.still.get(channel, rest)) > 1e-6).any())
        if keys is None:
            return not curve.plain or bool((np.abs(curve.keys[:, 1] - (rest if channel.bone else curve.keys[0, 1])) > 1e-6).any())
        same = curve.plain and np.array_equal(curve.keys[:, 0], keys[0]) and np.array_equal(curve.keys[:, 1], keys[1])
        return not same or self._goes_on(curve)

    def _goes_on(self, curve: ShownCurve) -> bool:
        """Whether a clip plays beyond the keys of a curve that goes on in a line there: once, or up to the end of its loop."""
        first, last = self._played if curve.curve.extrapolation == "LINEAR" else (np.inf, -np.inf)
        return bool(first < curve.keys[0, 0] - MERGE or last > curve.keys[-1, 0] + MERGE)

    @cached_property
    def _played(self) -> tuple[float, float]:
        """From where to where a clip is played once, or up to where its loop ends."""
        first, last = self.clip.action.frame_range
        ends = [self.clip.loop[1] if self.clip.loop is not None else np.inf, np.inf if self.clip.closing is None else self.clip.closing]
        return first, min(last, *ends)

    def frames(self, bones: Sequence[str]) -> Floats:
        """All keys of these bones and the object, on both sides, and what lies between them."""
        if self.clip.frames is not None:
            return self.clip.frames[self.clip.frames <= self.range()[1] + MERGE]
        wanted = {*bones, ""}
        parts = [keys[0] for channel, keys in self.written.items() if channel.bone in wanted]
        parts += [curve.keys[:, 0] for channel, curve in self.curves.items() if channel.bone in wanted and self.counts(channel)]
        if not parts:
            return np.array([self.clip.action.frame_range[0]], np.float64)
        keys = np.unique(np.concatenate(list({part.tobytes(): part for part in parts}.values()))).astype(np.float64)
        frames = keys[np.append(True, np.diff(keys) >= MERGE)]
        first, last = self.range()
        inside = frames[(frames >= first - MERGE) & (frames <= last + MERGE)]
        if self.clip.closing is not None:
            inside = inside[inside < self.clip.closing - MERGE]
        compared = self._between(inside if len(inside) else frames[:1], wanted)
        for first, last in self._leaps(wanted):
            compared = compared[(compared <= first) | (compared >= last)]
        return compared

    def _between(self, keys: Floats, bones: set[str]) -> Floats:
        """Keys and what lies between them; where anything else than straight lines between keys is shown, whole frames, too, also behind
        the last key, as far as a clip plays that is played once."""
        modified = any(
            len(curve.curve.modifiers) for channel, curve in self.curves.items() if channel.bone in bones and self.counts(channel)
        )
        first, last = self.range()
        ends = first, last if self.clip.closing is None and self.clip.loop is None else keys[-1]  # what is repeated goes on in the game
        goes_on = any(self._goes_on(curve) for channel, curve in self.curves.items() if channel.bone in bones)
        if not (modified or self.evaluated or goes_on):
            return comparison.between(keys)
        begin, end = math.ceil(min(ends[0], keys[0])), math.floor(max(ends[1], keys[-1]) + MERGE)
        whole = np.unique(np.round(np.linspace(begin, end, int(np.clip(end - begin + 1, 0, _MOST_WHOLE)))))
        every = np.concatenate([keys, whole])
        return comparison.between(np.unique(every)) if modified else np.union1d(comparison.between(keys), whole)

    def _leaps(self, bones: set[str]) -> list[tuple[float, float]]:
        """Between which frames bones leap: from a key of the file to a generated one, a unit of the game's time later, where it shows the
        next pose. Stretched in Blender, that leap takes longer there, and nothing of it is seen in the game."""
        leaps = set[tuple[float, float]]()
        for block in self.clip.blocks:
            generated = block.generated
            if not self.clip.unit or not generated[1:-1].any() or not {channel.bone for channel in block.channels} & bones:
                continue
            shown = [self.curves[channel].keys[:, 0] for channel in block.channels if channel in self.curves]
            near = np.diff(block.frames[:-1]) < 1.5 * self.clip.unit
            for first, last in (block.frames[key : key + 2].tolist() for key in np.flatnonzero(generated[1:-1] & ~generated[:-2] & near)):
                behind = [float(keys[keys > first + MERGE / 2].min(initial=np.inf)) for keys in shown]
                leaps.add((first + MERGE / 2, max([last, *(frame for frame in behind if frame <= np.floor(first) + _LEAP)])))
        return sorted(leaps)

    def range(self) -> tuple[float, float]:
        """From where to where a clip is compared: as far as it is written, and as far as it plays in Blender. A loop's way back, which
        has a key that no file has, is none of a new action's, which has no loop yet, and none of one that ends before."""
        action = self.clip.action
        loops = self.before is not None and not self.ends_before_its_loop()
        parts = [block.frames if loops or not len(block.frames) else block.frames[~block.generated] for block in self.clip.blocks]
        ends = [float(end) for part in parts if len(part) for end in (part[0], part[-1])] or [float(action.frame_range[0])]
        first, last = (action.frame_start, action.frame_end) if action.use_frame_range else action.curve_frame_range
        return min(*ends, first), max(*ends, last, self.clip.until)

    def ends_before_its_loop(self) -> bool:
        """Whether neither a key nor the frame range reaches the key that closes the loop: a part of a clip, without its way back."""
        loop, action = self.clip.loop, self.clip.action
        if loop is None or not action.use_frame_range:
            return False
        keys = [float(curve.keys[-1, 0]) for channel, curve in self.curves.items() if self.is_of_game(channel)]
        return max([action.frame_end, *keys]) < loop[1] - MERGE

    def shown_value(self, channel: Channel, frames: Floats) -> Floats:
        """(K,) of one channel."""
        curve = self.curves.get(channel)
        return curve.at(frames) if curve is not None else np.full(len(frames), self.still.get(channel, _rest(channel)))

    def written_value(self, channel: Channel, frames: Floats) -> Floats:
        keys = self.written.get(channel)
        return np.full(len(frames), _rest(channel)) if keys is None else interpolated(frames, *keys)

    def written_at(self, frames: Floats, bones: set[str]) -> dict[Channel, Floats]:
        return {channel: interpolated(frames, *keys) for channel, keys in self.written.items() if channel.bone in bones}

    def shown_at(self, frames: Floats, bones: set[str]) -> dict[Channel, Floats]:
        values = {channel: np.full(len(frames), value) for channel, value in self.still.items() if channel.bone in bones}
        return values | {channel: curve.at(frames) for channel, curve in self.curves.items() if channel.bone in bones}

    def paths_at(self, frames: Floats) -> dict[Channel, Floats]:
        """(K,) of each property that holds the root motion, where these count."""
        return {channel: curve.at(frames) for channel, curve in self.curves.items() if self.in_place and channel.property in PATHS}


def _is_shown(clip: Replayed) -> bool:
    """Whether the object shows a clip now, by itself or by a strip of the NLA, with all that no key moves."""
    data = clip.obj.animation_data
    by_strip = data is not None and data.action is None and clip.action in nla.actions_of(clip.obj)
    return by_strip or (data is not None and data.action == clip.action) or identity.SHOWN in clip.action


def _of_the_rig(clip: Replayed) -> str:
    """What of the armature itself says that the curves of the game's bones are not all there is; "" for nothing."""
    if clip.foreign is not None:
        return "the armature is from elsewhere"
    bones = [bone for bone in armature.bones_of(clip.obj) if bone.name in clip.modes] if clip.obj.type == "ARMATURE" else []
    if any(bone.use_connect for bone in bones):
        return "connected bones"
    if any(other.name not in clip.modes for bone in bones for other in armature.others_above(bone)):
        return "bones above the game's"
    return ""


def _of_modes(curves: ShownCurves) -> str:
    """Whether rotation modes are keyed, and change; "" where none does."""
    changes = any(channel.property == MODE and not curve.mute and np.ptp(curve.keys[:, 1]) for channel, curve in curves.items())
    return "keyed rotation modes" if changes else ""


def _alike(one: Floats, other: Floats) -> bool:
    """Whether two scales (3,) are the same to the eye."""
    return all(math.isclose(*both, rel_tol=1e-4, abs_tol=1e-8) for both in zip(one.tolist(), other.tolist(), strict=True))


def _rest(channel: Channel) -> float:
    values = REST.get(channel.property, ())
    return values[channel.component] if channel.component < len(values) else 0.0


def _still(clip: Replayed) -> Still:
    """Channels that are not at rest now and stay so while the clip plays, of bones in the rotation mode that they have."""
    obj, modes, result = clip.obj, clip.modes, dict[Channel, float]()
    if obj.type != "ARMATURE":
        return result
    bones = armature.pose_bones(obj)
    for name, rest in REST.items():
        rows = values_of(bones, name, np.float32, len(rest))
        for row in np.flatnonzero((np.abs(rows - np.array(rest, np.float32)) > 1e-6).any(axis=1)).tolist():
            bone = bones[row]
            if bone.name in modes and (not is_rotation(name) or name == rotation_property(bone.rotation_mode)[0]):
                result |= {Channel(bone.name, name, index): float(value) for index, value in enumerate(rows[row])}
    others = evaluated.posed_by_others(obj, clip.action) if result else set[tuple[str, str]]()
    return {channel: value for channel, value in result.items() if (channel.bone, channel.property) not in others}


def placement_of(pair: Pair) -> Placement:
    """From where the object moves: that it came in at; its first frame where that counts, or where it never came in."""
    before = pair.before
    return actions.start_of(pair.clip.obj, pair.clip.action) if before is None or pair.clip.from_first else before.placement


def moves_object(channels: Iterable[Channel]) -> bool:
    return any(not channel.bone and channel.property in REST for channel in channels)
