"""The motion of a figure over F frames: its bones' own channels, and the rotations and positions in the world that follow from them.

Blender's pose is pose_b = pose_parent * rest_parent^-1 * rest_b * basis_b. Bones are walked one by one, frames all at once: arrays are
(frames, bones, components), and `empty` lays them out in memory so that the frames of a bone lie together.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...motion import quaternion as quat
from ...motion.rotation_matrix import Floats
from .figure import Figure, Links


def empty(frames: int, bones: int, components: int) -> Floats:
    """(F, B, components) without values; the frames of each bone lie together in memory."""
    return np.empty((bones, frames, components)).swapaxes(0, 1)


@dataclass(frozen=True, eq=False)
class Standing:
    """The armature object's transform at F frames: rotations (F, 4), positions (F, 3), each with a single row while it stands still; scale:
    metres an armature unit."""

    rotations: Floats
    positions: Floats
    scale: float

    @classmethod
    def still(cls, figure: Figure) -> Standing:
        return cls(quat.of_matrix(figure.rotation)[None], figure.world[None, :3, 3], figure.scale)

    @property
    def is_nowhere(self) -> bool:
        """Whether armature space is the world."""
        still = len(self.rotations) == 1 and len(self.positions) == 1 and self.scale == 1
        return still and bool((self.rotations[0] == quat.IDENTITY).all()) and not self.positions.any()

    def at(self, frames: slice | NDArray[np.int64]) -> Standing:
        """At some of the frames."""
        rotations, positions = (rows if len(rows) == 1 else rows[frames] for rows in (self.rotations, self.positions))
        return Standing(rotations, positions, self.scale)


@dataclass(frozen=True, eq=False)
class Local:
    """A figure's channels: locations (F, B, 3) in armature units, rotations (F, B, 4), sizes (F, B, 3) or None where all are 1."""

    locations: Floats
    rotations: Floats
    sizes: Floats | None = None


@dataclass(frozen=True, eq=False)
class Motion:
    """A figure in the world: frames (F,), rotations (F, B, 4) of the bones, positions (F, B, 3) of their heads in metres, sizes (F, B, 3)
    of the bones' own scale or None where all are 1. standing: the armature object."""

    frames: Floats
    rotations: Floats
    positions: Floats
    sizes: Floats | None
    standing: Standing

    def at(self, frames: slice | NDArray[np.int64]) -> Motion:
        """Some of the frames."""
        sizes = None if self.sizes is None else self.sizes[frames]
        standing = self.standing.at(frames)
        return replace(
            self,
            frames=self.frames[frames],
            rotations=self.rotations[frames],
            positions=self.positions[frames],
            sizes=sizes,
            standing=standing,
        )


def forward(figure: Figure, frames: Floats, local: Local, standing: Standing | None = None) -> Motion:
    """From channels to the world. Scales of bones are not inherited here: where there are some, evaluated poses are what counts."""
    count, links = len(frames), figure.links
    standing = standing or Standing.still(figure)
    rotations, positions = empty(count, len(figure), 4), empty(count, len(figure), 3)
    for bone, parent in enumerate(figure.parents.tolist()):
        above, carried, axes = frame_of(figure, links, bone, rotations[:, parent] if parent >= 0 else None)
        head = carried if parent < 0 else carried + positions[:, parent]
        rotations[:, bone] = quat.multiply(above, local.rotations[:, bone])
        moves = not figure.fixed[bone] and local.locations[:, bone].any()
        positions[:, bone] = head + quat.rotate(axes, local.locations[:, bone]) if moves else head
    return to_world(frames, rotations, positions, local.sizes, standing)


def frame_of(figure: Figure, links: Links, bone: int, parent_rotation: Floats | None) -> tuple[Floats, Floats, Floats]:
    """What the channels of a bone count from, in armature space: the rotation before its own, the offset from the parent's head (or
    the head itself), and the axes of its location. parent_rotation: (F, 4), None for a root."""
    if parent_rotation is None:
        rest = links.rests[bone]
        axes = quat.IDENTITY if figure.unturned[bone] else rest
        return rest, links.positions[bone], axes
    own = quat.multiply(parent_rotation, links.rotations[bone])
    above = links.rests[bone] if figure.hinged[bone] else own
    axes = parent_rotation if figure.unturned[bone] else own
    return above, quat.rotate(parent_rotation, links.positions[bone]), axes


def to_world(frames: Floats, rotations: Floats, positions: Floats, sizes: Floats | None, standing: Standing) -> Motion:
    """From armature space to the world. rotations: (F, B, 4). positions: (F, B, 3) in armature units."""
    if standing.is_nowhere:
        return Motion(frames, rotations, positions, sizes, standing)
    return Motion(
        frames,
        quat.multiply(standing.rotations[:, None], rotations),
        quat.rotate(standing.rotations[:, None], positions * standing.scale) + standing.positions[:, None],
        sizes,
        standing,
    )


def rest_motion(figure: Figure) -> Motion:
    """The rest pose as a motion of one frame."""
    return Motion(np.zeros(1), figure.quaternions[None], figure.heads[None], None, Standing.still(figure))
