"""Where a clip puts the object, as it is shown and as a file would bring it back: from where the clip came in."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import bpy
import numpy as np

from ....core.motion import comparison
from ....core.motion.curves import PATH_PROPERTY, PATHS, Channel, Placement, rotation_property
from ....core.motion.rotations.rotation_matrix import Floats
from .pair import Pair, moves_object, placement_of


class Standing:
    """Of a clip, for one run of its frames after another. frames: all of them."""

    def __init__(self, pair: Pair, frames: Floats) -> None:
        self._pair = pair
        self._frames = frames
        self._obj = pair.clip.obj
        self._keyed, self._written = moves_object(pair.curves), moves_object(pair.written)
        # Asked for before Blender evaluates other frames.
        self._placement = placement_of(pair) if self._keyed or self._written else Placement.origin()

    def keyed(self, values: Mapping[Channel, Floats], count: int) -> Floats:
        """(K, 4, 4) where the object's curves put it; there where no curve moves it."""
        return np.asarray(self._start_of_keyed @ self._basis(values, count)) if self._keyed else np.tile(np.eye(4), (count, 1, 1))

    def written(self, values: Mapping[Channel, Floats], count: int) -> Floats:
        """(K, 4, 4) where the file's curves put the object."""
        if not self._written:
            return np.tile(np.eye(4), (count, 1, 1))
        held = {Channel("", "scale", index): np.full(count, size) for index, size in enumerate(self._placement.scale.tolist())}
        basis = comparison.basis_of(held | _own(values), ("",), {"": self._pair.clip.modes[""]}, count)[:, 0]
        return np.asarray(self._start_of_written @ basis)

    def evaluated(self, first: bpy.types.Object) -> Floats:
        """(4, 4) where the object stands at the clip's first frame, as `first`, which Blender has evaluated there."""
        if not self._keyed or self._pair.clip.foreign is not None:
            return np.eye(4)
        basis = own_basis(first, first.rotation_mode, {}, 1)[0]
        return np.asarray(self._start(_size(basis)) @ basis)

    @cached_property
    def _start_of_keyed(self) -> Floats:
        first = self._frames[:1]
        return self._start(_size(self._basis(self._pair.shown_at(first, {""}), len(first))[0]))

    @cached_property
    def _start_of_written(self) -> Floats:
        return self._start(self._placement.scale)

    def _basis(self, values: Mapping[Channel, Floats], count: int) -> Floats:
        return own_basis(self._obj, self._pair.mode(""), _own(values), count)

    def _start(self, size: Floats) -> Floats:
        """(4, 4) the inverse of where the clip's motion starts, for an object of this size. What is no armature starts nowhere."""
        if self._obj.type != "ARMATURE":
            return np.eye(4)
        out = np.eye(4)
        out[:3, :3], out[:3, 3] = self._placement.rotation * np.where(size == 0, 1, size), self._placement.location
        return inverse(out)


def path(pair: Pair, values: Mapping[Channel, Floats], count: int) -> Floats:
    """(K, 4, 4) the root motion that properties hold, inside of the object."""
    own = {
        Channel("", "location" if channel.property == PATH_PROPERTY else "rotation_euler", channel.component): row
        for channel, row in values.items()
        if pair.in_place and channel.property in PATHS
    }
    return comparison.basis_of(own, ("",), {"": "ZYX"}, count)[:, 0]


def inverse(matrix: Floats) -> Floats:
    """(4, 4), also of an object that is scaled to nothing."""
    return np.asarray(np.linalg.pinv(matrix), np.float64)


def _own(values: Mapping[Channel, Floats]) -> dict[Channel, Floats]:
    """The object's among the channels."""
    return {channel: row for channel, row in values.items() if not channel.bone}


def own_basis(obj: bpy.types.Object, mode: str, keyed: Mapping[Channel, Floats], count: int) -> Floats:
    """(K, 4, 4) the object's own transform, where it is now but for what is keyed; without its deltas, by which a user has put it."""
    parts = ("location", rotation_property(mode)[0], "scale")
    held = {Channel("", part, index): np.full(count, float(value)) for part in parts for index, value in enumerate(getattr(obj, part))}
    return comparison.basis_of({**held, **keyed}, ("",), {"": mode}, count)[:, 0]


def _size(matrix: Floats) -> Floats:
    """(3,) scale of a matrix (4, 4)."""
    return np.asarray(np.sqrt((matrix[:3, :3] ** 2).sum(axis=0)), np.float64)
