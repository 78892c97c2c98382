"""Blocks of keys -> F-curves of new actions, in bulk."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import bpy
import numpy as np

from ....core.motion.curves import Block, Channel
from .. import compat, new_objects
from ..paths import data_path
from .block_keys import add_samples, adder, are_kept, fill_long, is_long, rows_of
from .changed_keys import ClipKeys, Signature, overwrite


class _Written(NamedTuple):
    """An action, whose it is, and what it was made from."""

    action: bpy.types.Action
    owner: bpy.types.Object
    clip: ClipKeys


_LATEST = "latest"
"""Of the actions with the same curves, the one that was written last."""


_FIRST = "\1"
"""A name before all others."""


@dataclass(eq=False)
class _Known:
    """What was written already. written: by signature, then by types and times of the keys. positions: by signature, of each channel's
    curve in Blender's list. curves: to be duplicated, by keys, and by component and keys. numbers: of channels; lists: the same by the id
    of a list of them, which is kept, so that the id stays its own."""

    written: dict[Signature, dict[Hashable, _Written]] = field(default_factory=dict[Signature, dict[Hashable, _Written]])
    positions: dict[Signature, list[int]] = field(default_factory=dict[Signature, list[int]])
    curves: dict[Hashable, Any] = field(default_factory=dict[Hashable, Any])
    numbers: dict[tuple[Channel, ...], int] = field(default_factory=dict[tuple[Channel, ...], int])
    lists: dict[int, tuple[list[Channel], int]] = field(default_factory=dict[int, tuple[list[Channel], int]])

    def signature(self, blocks: Sequence[Block]) -> Signature:
        return tuple((self._number(block.channels), block.stepped) for block in blocks)

    def _number(self, channels: list[Channel]) -> int:
        known = self.lists.get(id(channels))
        if known is None:
            known = self.lists[id(channels)] = channels, self.numbers.setdefault(tuple(channels), len(self.numbers))
        return known[1]


def _nothing(_action: bpy.types.Action) -> None:
    """What prepares an action that needs nothing."""


class Writer:
    """Fills new actions of one object. Clips of a character have the same curves, many of them the same number of keys, and bones at rest
    the same keys, and so have characters that are built alike: what is alike is copied from what was written before, which takes half the
    time of making it anew. Best written are those with many keys first, since a copy is easily shortened."""

    def __init__(self, owner: bpy.types.Object, prepare: Callable[[bpy.types.Action], None] | None = None) -> None:
        """prepare: gives an action that is not copied from another one of the same object what all copies of it are to have."""
        self._owner = owner
        self._prepare: Callable[[bpy.types.Action], None] = prepare or _nothing
        self._known: _Known = new_objects.known().setdefault(_Known, _Known())

    def write(self, blocks: list[Block]) -> bpy.types.Action:
        """A new action with one F-curve for every channel; generated keys get a keyframe type of their own.

        Nothing may be added to the action before all actions of its object are written, nor may it have its name before all of an import
        are: Blender keeps its lists in order, and looks for a place in them from the end. Before all others it is not in the way of those
        that get their names later."""
        return self._write(self._clip(blocks))

    def write_all(self, clips: Sequence[list[Block]]) -> list[bpy.types.Action]:
        """As `write`, of clips in any order."""
        most_keys_first = sorted(range(len(clips)), key=lambda number: -sum(len(block.frames) for block in clips[number]))
        each = [self._clip(clips[number]) for number in most_keys_first]
        rooms: dict[Signature, _Written] = {}
        written = [self._write(clip, rooms, each[at + 1 : at + _AHEAD]) for at, clip in enumerate(each)]
        for room in rooms.values():
            bpy.data.actions.remove(room.action)
        return [action for _, action in sorted(zip(most_keys_first, written, strict=True), key=lambda pair: pair[0])]

    def _clip(self, blocks: list[Block]) -> ClipKeys:
        kind = tuple(block.generated.tobytes() for block in blocks)
        return ClipKeys(blocks, self._known.signature(blocks), kind, tuple(block.frames.tobytes() for block in blocks))

    def _write(self, clip: ClipKeys, rooms: dict[Signature, _Written] | None = None, later: Sequence[ClipKeys] = ()) -> bpy.types.Action:
        """rooms: actions with curves that have room for the keys of several clips, none of which has most keys in all of them; more are
        made where that serves those that come later."""
        known = self._known.written.setdefault(clip.signature, {})
        like = known.get((clip.kind, clip.times)) or known.get(clip.kind)
        if like is None and _LATEST in known and _shortens(known[_LATEST].clip, clip):
            like = known[_LATEST]
        if like is None and rooms is not None:
            like = self._room(clip, rooms, later)
        if like is None:
            action = self._new(clip)
        else:
            positions = self._known.positions.get(clip.signature)
            if positions is None:
                positions = self._known.positions[clip.signature] = _positions(like)
            action = self._copied(like, clip, positions)
        if all(map(are_kept, clip.times)):  # else it has fewer keys than others need
            known[clip.kind, clip.times] = known[clip.kind] = known[_LATEST] = _Written(action, self._owner, clip)
        return action

    def _room(self, clip: ClipKeys, rooms: dict[Signature, _Written], later: Sequence[ClipKeys]) -> _Written | None:
        """An action to shorten, None where it would not serve several others, too."""
        room = rooms.get(clip.signature)
        if room is not None and _shortens(room.clip, clip):
            return room
        most, others = clip, 0
        for other in later:
            if other.signature == clip.signature and other.kind != clip.kind:  # which a copy of the clip itself serves
                both = most._replace(kind=tuple(max(pair, key=len) for pair in zip(most.kind, other.kind, strict=True)))
                if all(_shortens(both, each) for each in (clip, most, other)):
                    most, others = both, others + 1
        if others < 2 or list(map(len, most.kind)) == list(map(len, clip.kind)):  # the clip itself serves them
            return None
        if room is not None:
            bpy.data.actions.remove(room.action)
        action, curves = compat.new_action(_FIRST, self._owner)
        self._prepare(action)
        for block, kind in zip(most.blocks, most.kind, strict=True):
            add = adder(kind, block.stepped)
            for bone, path, component in block.channels:
                add(curves.new(data_path(bone, path), component, bone or _OBJECT).keyframe_points)
        rooms[clip.signature] = _Written(action, self._owner, most._replace(times=(b"",) * len(most.kind)))
        return rooms[clip.signature]

    def _copied(self, like: _Written, clip: ClipKeys, positions: list[int]) -> bpy.types.Action:
        """A copy of an action with the same curves, of which those are written anew that have other keys.
        positions: of each channel's curve in Blender's list."""
        action = like.action.copy()
        if like.owner != self._owner:
            _bare(action, self._owner)
            self._prepare(action)
        overwrite(compat.listed_curves(action), positions, like.clip, clip)
        return action

    def _new(self, clip: ClipKeys) -> bpy.types.Action:
        """Where Blender can, every curve as a copy of one with as many keys, or with the very same ones: of bones at rest."""
        action, curves = compat.new_action(_FIRST, self._owner)
        self._prepare(action)
        at_rest: dict[Hashable, Any] = {}
        sampled: dict[int, Any] = {}
        for block, generated, times in zip(clip.blocks, clip.kind, clip.times, strict=True):
            kind = generated, block.stepped
            add, is_kept = adder(generated, block.stepped), are_kept(times)
            long = is_kept and is_long(block)
            rests = (block.values == block.values[:, :1]).all(axis=1).tolist() if compat.DUPLICATES else [False] * len(block.channels)
            for (bone, path, component), rest, row in zip(block.channels, rests, rows_of(block), strict=True):
                same = (component, kind, times, row[1:2].tobytes()) if rest else None
                twin = at_rest.get(same)
                like = self._model(curves, sampled if long else None, component, kind) if twin is None else twin
                curve = curves.new(data_path(bone, path), component, bone or _OBJECT, like)
                if twin is not None:
                    continue
                if rest:
                    at_rest[same] = curve
                if long:
                    if like is None:
                        add_samples(curve, int(row[0]), len(generated))
                    fill_long(curve, row, generated, block.stepped)
                    continue
                points = curve.keyframe_points
                if like is None:
                    add(points)
                if compat.DUPLICATES and is_kept:
                    self._known.curves[component, kind] = self._known.curves[kind] = curve
                points.foreach_set("co", row)
                curve.update()  # while its keys are at hand: a second walk through all of them takes as long again
        for model in sampled.values():
            curves.remove(model)
        return action

    def _model(self, curves: compat.NewCurves, sampled: dict[int, Any] | None, component: int, kind: tuple[bytes, bool]) -> Any:
        """A curve with as many keys or samples, to make another one from; None where there is none yet. sampled: those of samples, by their
        number, None for a curve of keys. kind: which keys are generated, and whether the curve is stepped."""
        if sampled is not None:
            return _sampled(sampled, curves, len(kind[0]))
        known = self._known.curves
        return known.get((component, kind)) or known.get(kind)


def _sampled(models: dict[int, Any], curves: compat.NewCurves, count: int) -> Any:
    """A curve with so many samples to make others from, where Blender can: it samples a curve frame by frame. models: by their number."""
    if compat.DUPLICATES and count not in models:
        models[count] = curves.model(len(models))
        add_samples(models[count], 0, count)
    return models.get(count)


_OBJECT = "Object Transforms"
"""The group of curves that move the whole object, as Blender calls it."""


def _bare(action: bpy.types.Action, owner: bpy.types.Object) -> None:
    """A copy of another object's action without what that one was given besides its curves."""
    action.id_properties_clear()
    for marker in list(action.pose_markers):
        action.pose_markers.remove(marker)
    compat.name_slot(action, owner)


def _positions(written: _Written) -> list[int]:
    """Where the curve of each channel is in Blender's list, which is in the order of the groups."""
    positions = {(curve.data_path, curve.array_index): at for at, curve in enumerate(compat.listed_curves(written.action))}
    return [positions[path] for path in paths_of(written.clip.blocks)]


def put_at_rest(action: bpy.types.Action, owner: bpy.types.Object, channels: Sequence[Channel]) -> None:
    """A generated key of 0, at the action's start, for each of the channels that it does not key: else Blender leaves them as the action
    before has left them."""
    present = {(curve.data_path, curve.array_index) for curve in compat.curves(action, owner)}
    absent = [(channel, data_path(channel.bone, channel.property)) for channel in channels]
    absent = [(channel, path) for channel, path in absent if (path, channel.component) not in present]
    curves = compat.more_curves(action, owner) if absent else None
    if curves is None:
        return
    block = Block([], np.array(action.curve_frame_range[:1], np.float32), np.zeros((0, 1), np.float32), np.ones(1, np.bool_))
    add, key = adder(block.generated.tobytes(), False), np.array([block.frames[0], 0], np.float32)
    for channel, path in absent:
        curve = curves.new(path, channel.component, channel.bone or _OBJECT)
        add(curve.keyframe_points)
        curve.keyframe_points.foreach_set("co", key)
        curve.update()


def paths_of(blocks: Sequence[Block]) -> list[tuple[str, int]]:
    """Data path and index of each channel in turn."""
    return [(data_path(bone, path), component) for block in blocks for bone, path, component in block.channels]


def _shortens(old: ClipKeys, new: ClipKeys) -> bool:
    """Whether each new block has no more keys than the old one, and not so many fewer that making it anew is faster."""
    return all(len(now) <= len(before) <= 2 * len(now) + _SPARE for before, now in zip(old.kind, new.kind, strict=True))


_SPARE = 16
"""Keys that take no time to lay aside."""

_AHEAD = 64
"""Clips that are looked at to find how much room they need together."""
