"""What a figure does over F frames: its bones' own channels, and the rotations and places in the world that follow from them.

Blender's pose is pose_b = pose_parent * rest_parent^-1 * rest_b * basis_b. Bones are walked one by one, frames all at once.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ...motion import quaternion as quat
from ...motion.rotation_matrix import Floats
from .figure import Figure


@dataclass(frozen=True, eq=False)
class Standing:
    """Where an armature object is at F frames: turns (F, 4), places (F, 3), each with a single row while it stands still; scale: metres
    an armature unit."""

    turns: Floats
    places: Floats
    scale: float

    @classmethod
    def still(cls, figure: Figure) -> Standing:
        return cls(quat.of_matrix(figure.turn)[None], figure.world[None, :3, 3], figure.scale)

    def at(self, frames: slice) -> Standing:
        """At some of the frames."""
        turns, places = (rows if len(rows) == 1 else rows[frames] for rows in (self.turns, self.places))
        return Standing(turns, places, self.scale)


@dataclass(frozen=True, eq=False)
class Local:
    """A figure's channels: locations (B, F, 3) in armature units, turns (B, F, 4), sizes (B, F, 3) or None where all are 1."""

    locations: Floats
    turns: Floats
    sizes: Floats | None = None


@dataclass(frozen=True, eq=False)
class Motion:
    """A figure in the world: frames (F,), turns (B, F, 4) of the bones, places (B, F, 3) of their heads in metres, sizes (B, F, 3) of the
    bones' own scale or None where all are 1. standing: the armature object."""

    frames: Floats
    turns: Floats
    places: Floats
    sizes: Floats | None
    standing: Standing

    def at(self, frames: slice) -> Motion:
        """Some of the frames."""
        sizes = None if self.sizes is None else self.sizes[:, frames]
        standing = self.standing.at(frames)
        return replace(
            self, frames=self.frames[frames], turns=self.turns[:, frames], places=self.places[:, frames], sizes=sizes, standing=standing
        )


@dataclass(frozen=True, eq=False)
class Links:
    """Each bone's rest relative to its parent: turns (B, 4), places (B, 3) in the parent's axes, and rests (B, 4) in armature space."""

    turns: Floats
    places: Floats
    rests: Floats

    @classmethod
    def of(cls, figure: Figure) -> Links:
        rests, heads = figure.rest_turns, figure.rest[:, :3, 3]
        parents = figure.parents
        above = np.where((parents >= 0)[:, None, None], rests[parents], np.eye(3))
        start = np.where((parents >= 0)[:, None], heads[parents], 0.0)
        back = above.transpose(0, 2, 1)
        places = np.einsum("bij,bj->bi", back, heads - start)
        return cls(quat.of_matrix(back @ rests), places, quat.of_matrix(rests))


def forward(figure: Figure, frames: Floats, local: Local, standing: Standing | None = None) -> Motion:
    """From channels to the world. Scales of bones are not inherited here: where there are some, evaluated poses are what counts."""
    count, links = len(frames), Links.of(figure)
    standing = standing or Standing.still(figure)
    turns, places = np.empty((len(figure), count, 4)), np.empty((len(figure), count, 3))
    for bone, parent in enumerate(figure.parents.tolist()):
        above, carried, axes = frame_of(figure, links, bone, turns[parent] if parent >= 0 else None)
        head = carried if parent < 0 else carried + places[parent]
        turns[bone] = quat.multiply(above, local.turns[bone])
        moves = not figure.fixed[bone] and local.locations[bone].any()
        places[bone] = head + quat.rotate(axes, local.locations[bone]) if moves else head
    return to_world(figure, frames, turns, places, local.sizes, standing)


def frame_of(figure: Figure, links: Links, bone: int, parent_turn: Floats | None) -> tuple[Floats, Floats, Floats]:
    """What a bone's channels count from, in armature space: the turn before its own, the way from the parent's head (or the head
    itself), and the axes of its location. parent_turn: (F, 4), None for a root."""
    if parent_turn is None:
        rest = links.rests[bone]
        axes = quat.IDENTITY if figure.unturned[bone] else rest
        return rest, links.places[bone], axes
    own = quat.multiply(parent_turn, links.turns[bone])
    above = links.rests[bone] if figure.hinged[bone] else own
    axes = parent_turn if figure.unturned[bone] else own
    return above, quat.rotate(parent_turn, links.places[bone]), axes


def to_world(figure: Figure, frames: Floats, turns: Floats, places: Floats, sizes: Floats | None, standing: Standing) -> Motion:
    """From armature space to the world."""
    return Motion(
        frames,
        quat.multiply(standing.turns, turns),
        quat.rotate(standing.turns, places * standing.scale) + standing.places,
        sizes,
        standing,
    )


def rest_motion(figure: Figure) -> Motion:
    """The rest pose as a motion of one frame."""
    turns = quat.of_matrix(figure.turn @ figure.rest_turns)
    return Motion(np.zeros(1), turns[:, None], figure.heads[:, None], None, Standing.still(figure))
