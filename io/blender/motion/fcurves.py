"""The F-curves of an action as plain arrays: its keys, and what Blender shows of them."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ....core.motion.comparison import REST
from ....core.motion.curves import PATHS, Channel, Curve, Curves, interpolated, is_rotation, rotation_property, straight
from ....core.motion.modes import Converted, in_modes
from ....core.motion.rotations.rotation_matrix import Floats
from ....core.reporting import log
from ....core.reporting.errors import ExportError, Problem
from ....core.reporting.labels import counted_from, first_few
from .. import armature, compat, identity
from ..arrays import KIND, values_of
from ..paths import BONE
from . import renamed_curves

IMPORTED = "retro_anim_fps"
"""Custom property of actions that came from a file."""

ROOT = "retro_anim_root_motion"
"""Custom property of such actions and their armatures: what carries the root motion."""

MODE = "rotation_mode"
"""Property of a bone or an object that may be keyed, too: where it changes, what rotation curves show is another frame's mode."""

_BONE_PATH = re.compile(rf"{BONE}\.?(.+)")

_PROPERTIES: Any = bpy.types.PoseBone.bl_rna.properties
_MODES: dict[int, str] = {item.value: item.identifier for item in _PROPERTIES[MODE].enum_items}


@dataclass(frozen=True, eq=False)
class ReadCurves:
    """curves: what the action keys. generated: frames of the generated keys, of curves that have both. resting: curves that have generated
    keys alone, with these; in the rotation modes in which they are."""

    curves: Curves
    generated: Mapping[Channel, Floats]
    resting: Curves


@dataclass(frozen=True, eq=False)
class ShownCurve:
    """A curve as Blender shows it. keys: (K, 2) frame and value, generated ones too. plain: straight lines between them, and nothing else.
    linear: whether the keys are so joined, where modifiers are left out."""

    curve: Any
    keys: NDArray[np.float32]
    plain: bool
    linear: bool

    @property
    def mute(self) -> bool:
        return compat.is_muted(self.curve)

    def at(self, frames: Floats) -> Floats:
        """(F,) its values."""
        inside = self.curve.extrapolation == "CONSTANT" or (self.keys[0, 0] <= frames[0] and frames[-1] <= self.keys[-1, 0])
        if self.plain and inside:
            return interpolated(frames, self.keys[:, 0], self.keys[:, 1])
        return np.array([self.curve.evaluate(frame) for frame in frames.tolist()])


ShownCurves = dict[Channel, ShownCurve]
"""By what they drive; bones by the names that they have now."""

_reads: ContextVar[dict[bpy.types.Action, ShownCurves] | None] = ContextVar("reads", default=None)


@contextmanager
def recorded() -> Generator[dict[bpy.types.Action, ShownCurves]]:
    """Gathers the curves of every action that is read inside, so that nobody has to read them a second time."""
    reads: dict[bpy.types.Action, ShownCurves] = {}
    token = _reads.set(reads)
    try:
        yield reads
    finally:
        _reads.reset(token)


def shown_curves(action: bpy.types.Action, owner: bpy.types.Object) -> ShownCurves:
    """The curves of an action on `owner` as Blender has them."""
    with log.collect(), recorded() as reads:
        read_curves(action, owner)
    return reads[action]


def read_curves(
    action: bpy.types.Action, owner: bpy.types.Object, modes: Mapping[str, str] | None = None, looks: bool = False
) -> ReadCurves:
    """The keys of an action on `owner`, generated ones left out. modes: the rotation mode that the game has for bones, by name, and for the
    object (""); their curves are brought to it. looks: whether the evaluated pose is written.

    Curves that have the name of a bone from before it was renamed move nothing in Blender, and count where none have its new name. Raises
    ExportError where a keyframe is not finite."""
    bones: Mapping[str, bpy.types.PoseBone] = dict(armature.pose_bones(owner).items()) if owner.pose else {}
    renamed = identity.renamed(owner) if owner.type == "ARMATURE" else {}
    keys, strange, left_behind = _Keys(), set[str](), list[tuple[Any, Channel]]()
    for curve in compat.quick_curves(action, owner):
        channel = channel_of(curve)
        if channel is None or not compat.has_values(curve):
            continue
        if not channel.bone or channel.bone in bones:
            keys.add(curve, channel)
        elif channel.bone in renamed:
            left_behind.append((curve, channel._replace(bone=renamed[channel.bone])))
        else:
            strange.add(channel.bone)
    doubled = {channel for _, channel in left_behind if channel in keys.shown}
    alone = [(curve, channel) for curve, channel in left_behind if channel not in doubled]
    for curve, channel in alone:
        keys.add(curve, channel)
    if keys.spoiled:
        more, first = f", and {len(keys.spoiled) - 1} more" if len(keys.spoiled) > 1 else "", keys.spoiled[0]
        text = f"keyframes that are no finite numbers: {first}{more}: delete them, or give them other values"
        raise ExportError(first.but(text))
    if strange:
        log.warning(
            f"bones that {owner.name} does not have are left out: {first_few(sorted(strange))}: delete their keys, or name bones so"
        )
    if left_behind:
        renamed_curves.report({channel.bone for _, channel in alone}, {channel.bone for channel in doubled}, renamed, looks)
    present = {name: bone.rotation_mode for name, bone in bones.items()} | {"": owner.rotation_mode} | keyed_modes(keys.shown)
    converted = in_modes(keys.curves, present, modes or {})
    own = [name for name in converted.reordered if IMPORTED in action and (name or action.get(ROOT) == "OBJECT")]
    _warn_of_modes(converted, own, owner.name, looks)
    reads = _reads.get()
    if reads is not None:
        reads[action] = keys.shown
    idle = {name: rotation_property(present[name])[0] for name in converted.dropped}
    generated = {
        channel: frames
        for channel, frames in keys.generated.items()
        if not is_rotation(channel.property) or idle.get(channel.bone, channel.property) == channel.property
    }
    return ReadCurves(converted.curves, generated, keys.resting)


def keyed_modes(shown: ShownCurves) -> dict[str, str]:
    """The rotation modes that curves hold all the time, by bone, "" for the object: Blender shows these, whatever they are now."""
    held = ((channel.bone, curve) for channel, curve in shown.items() if channel.property == MODE and not curve.mute)
    return {owner: mode_of(float(curve.keys[0, 1])) for owner, curve in held if not np.ptp(curve.keys[:, 1])}


def mode_of(number: float) -> str:
    """The rotation mode for which a number stands in a curve, as Blender rounds it; beyond them all it shows the last."""
    return _MODES.get(math.floor(number + 0.5), compat.BELOW_MODES if number < 0 else "ZYX")


@dataclass(eq=False)
class _Keys:
    """curves: without their generated keys. generated: the frames of those. resting: curves that have no other keys. shown: all curves as
    Blender has them. spoiled: bone, property and frame of keyframes that are not finite."""

    curves: Curves = field(default_factory=dict[Channel, Curve])
    generated: dict[Channel, Floats] = field(default_factory=dict[Channel, Floats])
    resting: Curves = field(default_factory=dict[Channel, Curve])
    shown: ShownCurves = field(default_factory=dict[Channel, "ShownCurve"])
    spoiled: list[Problem] = field(default_factory=list[Problem])

    def add(self, curve: Any, channel: Channel) -> None:
        keys = values_of(compat.key_points(curve), "co", np.float32, 2)
        types, interpolation = _kinds(curve)
        kept = types != compat.GENERATED_VALUE
        moves = not channel.property.startswith("[") or channel.property in PATHS
        if moves and not (finite := np.isfinite(keys)).all():
            frames = keys[~finite.all(axis=1), 0].tolist()
            what = f"{channel.bone or 'the object'}, {channel.property}"
            self.spoiled += [Problem(f"{what}, frame {frame:g}", channel.bone, frame if np.isfinite(frame) else None) for frame in frames]
        curved = bool((interpolation[:-1] != compat.LINEAR).any()) and moves
        exact = not curved and not curve.modifiers
        self.shown[channel] = ShownCurve(curve, keys, exact, not curved)
        if not kept.any():
            self.resting[channel] = Curve(keys[:, 0], keys[:, 1], None if exact else _evaluator(curve))
        else:
            shown = (None if kept.all() else straight(keys[:, 0], keys[:, 1])) if exact else _evaluator(curve)
            self.curves[channel] = Curve(keys[kept, 0], keys[kept, 1], shown)
            if not kept.all():
                self.generated[channel] = keys[~kept, 0].astype(np.float64)


def _kinds(curve: Any) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """(K,) types and interpolation of a curve's keys; samples are keys of the usual type, joined by straight lines."""
    points = curve.keyframe_points
    if len(points):
        return values_of(points, "type", KIND), values_of(points, "interpolation", KIND)
    count = len(curve.sampled_points)
    return np.zeros(count, KIND), np.full(count, compat.LINEAR, KIND)


def make_linear(action: bpy.types.Action, owner: bpy.types.Object) -> int:
    """Straight lines between the keys of what moves bones or the object, as the games go; returns how many curves were others."""
    count = 0
    for curve in compat.curves(action, owner):
        channel = channel_of(curve)
        points = curve.keyframe_points
        moves = channel is not None and (channel.property in REST or channel.property in PATHS)
        if not moves or (values_of(points, "interpolation", KIND)[:-1] == compat.LINEAR).all():
            continue
        points.foreach_set("interpolation", np.full(len(points), compat.LINEAR, KIND))
        curve.update()
        count += 1
    return count


def moves_object(action: bpy.types.Action, owner: bpy.types.Object) -> bool:
    """Whether an action moves the object itself."""
    return any(curve.data_path == "location" or is_rotation(curve.data_path) for curve in compat.curves(action, owner))


def _warn_of_modes(converted: Converted, reordered: list[str], owner: str, looks: bool) -> None:
    """Which rotation curves Blender does not show as they were made; a warning where that is not what is written. reordered: owners of
    imported Euler curves in another order."""
    say = log.info if looks else log.warning
    if converted.dropped:
        say(
            "rotation curves that do nothing, since the rotation mode is another one, are left out: "
            f"{first_few(sorted({name or owner for name in converted.dropped}))}: delete them, or set the mode back",
            bone=min(converted.dropped),
        )
    if converted.idle:
        shown = "they are written as they look" if looks else "their curves are converted: set it back to see them, or delete these curves"
        say(
            f"rotation mode of {_count(converted.idle, owner)} is not that of the curves, which do nothing now: {shown}",
            bone=converted.idle[0],
        )
    if reordered:
        count = _count(reordered, owner)
        log.info(f"rotation mode of {count} is not the imported one: written is what Blender shows now", bone=reordered[0])


def _count(names: list[str], owner: str) -> str:
    """How many bones, and the first of them; or the object."""
    return counted_from(names[0] or owner, len(names), "bone")


def channel_of(curve: Any) -> Channel | None:
    """What a curve drives; None for anything but properties of bones and of the object itself."""
    return _driven(curve.data_path, curve.array_index)


@lru_cache(maxsize=16384)
def _driven(path: str, index: int) -> Channel | None:
    """The bone, empty for the object itself, and its property that a path leads to."""
    match = _BONE_PATH.fullmatch(path)
    if match:
        return Channel(bpy.utils.unescape_identifier(match[1]), match[2], index)
    return Channel("", path, index) if "." not in path else None


def _evaluator(curve: Any) -> Callable[[Floats], Floats]:
    return lambda frames: np.array([curve.evaluate(frame) for frame in frames.tolist()])
