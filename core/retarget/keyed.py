"""From what brings the bones where they shall be to the keys of each clip, measured on the way."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, field

import numpy as np

from ..motion.curves import Block
from ..motion.rotations import quaternion as quat
from ..motion.rotations.rotation_matrix import Floats
from .reports.gauge import Gauge
from .sample import Sampled
from .transfer import output
from .transfer.solve import Solved


@dataclass(frozen=True)
class Joint:
    """Where a loop is joined. rows: of the clip, among those of all. first: the row of the clip whose pose the last one repeats.
    carriers: the bones that carry the figure through the world, which go on."""

    rows: slice
    first: int
    carriers: frozenset[int]

    def close(self, bone: int, *channels: Floats | None) -> None:
        """Make the last frame's channels (F, C) of a bone those of the first."""
        for values in channels:
            if values is not None and bone not in self.carriers:
                values[self.rows.stop - 1] = values[self.rows.start + self.first]


@dataclass(frozen=True, eq=False)
class Keyed:
    """By bone, in the order in which they are written, the keys of each clip. sampled: what some of them come from."""

    sampled: Sampled
    rotated: dict[int, list[Block]] = field(default_factory=dict[int, list[Block]])
    moved: dict[int, list[Block]] = field(default_factory=dict[int, list[Block]])
    sized: dict[int, list[Block]] = field(default_factory=dict[int, list[Block]])

    def blocks(self, clip: int, hanging: Set[int]) -> list[Block]:
        """hanging: the bones that are not rotated in this clip, whatever they are in others."""
        rotated = [self.rotated[bone][clip] for bone in sorted(self.rotated.keys() - hanging)]
        return rotated + [kind[bone][clip] for kind in (self.moved, self.sized) for bone in sorted(kind)]


def keyed(solved: Solved, rotated: set[int], moved: set[int], joints: Sequence[Joint], gauge: Gauge) -> Keyed:
    """Go through the bones, limb by limb: each is solved, written down and measured while those above it are at hand."""
    keys, figure, spans = Keyed(Sampled(solved.frames, gauge.spans)), solved.figure, gauge.spans
    frames, sizes = solved.frames.astype(np.float32), solved.sizes()
    straight = gauge.unbent(solved)
    for bone in figure.along_limbs:
        basis, locations = solved.channels(bone)
        if straight is not None:
            basis = straight.rotations(bone, basis)
        for joint in joints:
            joint.close(bone, basis, locations)
        if bone in rotated:
            basis = np.broadcast_to(quat.IDENTITY, (len(frames), 4)) if basis is None else basis
            keys.sampled.rotate(bone, basis)
            unflipped = quat.continuous(basis, positive=True, starts=spans.starts)
            keys.rotated[bone] = output.rotation_blocks(figure, bone, frames, unflipped, spans)
        if bone in moved:
            locations = np.zeros((len(frames), 3)) if locations is None else locations
            keys.sampled.move(bone, locations)
            keys.moved[bone] = output.blocks_of(figure.names[bone], "location", 3, frames, locations, spans)
        if sizes is not None and bone in solved.sized:
            keys.sized[bone] = output.blocks_of(figure.names[bone], "scale", 3, frames, sizes[:, bone], spans)
        basis = locations = None  # what is measured takes its own room
        gauge.add(bone)
    return keys
