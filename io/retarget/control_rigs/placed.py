"""Where the controls of a rig come to, and the keys that bring them there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ....core.motion.curves import Block, is_rotation
from ....core.motion.rotations import quaternion as quat
from ....core.motion.rotations.rotation_matrix import Floats
from ....core.retarget.figures.figure import Figure
from ....core.retarget.figures.motion import Motion
from ....core.retarget.transfer import output
from .shaped import Shape


class PlacedControls:
    """whole: the figure of the rig. carriers: control -> the control that carries it. part, motion: of what was retargeted, by the names of
    controls: the controls themselves, or the bones that they move where these have another shape."""

    def __init__(self, whole: Figure, carriers: Mapping[str, str], part: Figure, motion: Motion, shape: Shape | None) -> None:
        self._whole, self._carriers, self._part, self._motion = whole, carriers, part, motion
        is_carried_by_hub = shape is not None and shape.hub and shape.hub not in part.index and shape.first in part.index
        self._placed = frozenset[str]() if shape is None else shape.placed
        self._hub, self._first = (shape.hub, shape.first) if shape is not None and is_carried_by_hub else ("", "")

    def keys(self, blocks: Iterable[Block]) -> Iterator[Block]:
        """Those of the controls instead of those of the bones."""
        for block in blocks:
            name, kind = block.channels[0].bone, block.channels[0].property
            if is_rotation(kind):
                yield self._own_rotation(name)
                if name in self._placed:
                    yield self.location(name, self._position(name))
            elif kind == "location" and name == self._first:
                yield self._own_rotation(self._hub)
                yield self.location(self._hub, self._position(self._hub))
            elif kind == "location":
                yield self.location(name, self._position(name))
            else:
                yield block

    def _own_rotation(self, name: str) -> Block:
        return self.rotation(name, quat.multiply(self.delta(name), self.rest(name)), self.carried(name))

    def rotation(self, name: str, rotations: Floats, before: Floats) -> Block:
        """Keys that rotate a control from where something else brings it (F, 4) to `rotations` (F, 4)."""
        own = quat.multiply(quat.conjugate(before), rotations)
        return output.rotation_block(self._whole, self._whole.index[name], self._motion.frames, quat.continuous(own, -2, positive=True))

    def location(self, name: str, positions: Floats) -> Block:
        """Keys that bring a control to positions (F, 3)."""
        bone, carrier, standing = self._whole.index[name], self._carrier(name), self._motion.standing
        delta = self.delta(carrier)
        axes = quat.multiply(delta, self.rest(name))
        if self._whole.unturned[bone]:
            parent = int(self._whole.parents[bone])
            axes = quat.multiply(delta, self._whole.quaternions[parent]) if parent >= 0 else delta
        origin = self._position(carrier) if carrier else standing.positions
        start = self.head(carrier) if carrier else self._whole.world[:3, 3]
        moved = quat.rotate(quat.conjugate(axes), positions - origin - quat.rotate(delta, self.head(name) - start)) / standing.scale
        return output.block(name, "location", 3, self._motion.frames, moved)

    def rest(self, name: str) -> Floats:
        """(4,) its rotation at rest."""
        return self._whole.quaternions[self._whole.index[name]]

    def head(self, name: str) -> Floats:
        """(3,) its head at rest."""
        return self._whole.heads[self._whole.index[name]]

    def carried(self, name: str) -> Floats:
        """(F, 4) the rotation of a control as what carries it brings it."""
        return quat.multiply(self.delta(self._carrier(name)), self.rest(name))

    def delta(self, name: str) -> Floats:
        """(F, 4) the rotation of a control away from its rest: that of its bone; of the hub that of the first one; of the object for
        none."""
        name = self._first if name and name == self._hub else name
        if name not in self._part.index:
            return quat.multiply(self._motion.standing.rotations, quat.conjugate(quat.of_matrix(self._whole.rotation)))
        row = self._part.index[name]
        return quat.multiply(self._motion.rotations[:, row], quat.conjugate(self._part.quaternions[row]))

    def joint(self, name: str) -> Floats:
        """(F, 3) where what was retargeted begins."""
        return self._motion.positions[:, self._part.index[name]]

    def _carrier(self, name: str) -> str:
        """The control that carries it, where it is known what that comes to; else ""."""
        carrier = self._carriers.get(name, "")
        return carrier if carrier in self._part.index or carrier == self._hub else ""

    def _position(self, name: str) -> Floats:
        """(F, 3) where a control is: as its bone has it, of the hub as that has it which it carries."""
        if name == self._hub:
            below = self._first
            while self._carriers.get(below, "") in self._part.index:
                below = self._carriers[below]
            return self._position(below) - quat.rotate(self.delta(name), self.head(below) - self.head(name))
        return self.joint(name) + quat.rotate(self.delta(name), self.head(name) - self._part.heads[self._part.index[name]])
