"""Fewer rotation keys within a stated bound, in the file's own steps, and what OniSplit's method would keep beside it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...files.document import same
from ...motion import reduction
from ...motion.reduction import Bounds, Chain, Report
from ...motion.rotation_matrix import Floats
from ..records.rotations import Rotations, decode, encode
from ..records.tram import Tram
from .derived import Figure, derive
from .evaluate import local_rotations, rotations_of

_COMPARED = 600
"""Frames up to which the greedy method is tried, too; it takes long."""


@dataclass(frozen=True, eq=False)
class Fewer:
    """tram: with fewer keys. report: of each bone. before, after: bytes of the rotation blocks. greedy: keys that the longest run from
    each key on would keep with the same angle and measure, None where that was not tried."""

    tram: Tram
    report: Report
    before: int
    after: int
    greedy: int | None

    def lines(self) -> list[str]:
        """For the user: all bones together, bytes, and each bone whose keys became fewer."""
        head, *bones = self.report.lines()
        compared = [] if self.greedy is None else [f"the longest run from each key on (OniSplit's method) would keep {self.greedy} keys"]
        return [head, f"{self.before} bytes of rotations became {self.after}", *compared, *bones]


def fewer_keys(tram: Tram, names: tuple[str, ...], figure: Figure, bounds: Bounds) -> Fewer:
    """The animation with as few keys as hold the bounds; each key that stays keeps its bits. What follows from the motion is computed
    again where it changed. Raises FormatError without rotations, ExportError for what the format cannot hold."""
    rotations = rotations_of(tram)
    every = np.arange(tram.frame_count)
    wanted = local_rotations(rotations, every.astype(np.float64))
    raw = [_raw(rotations, bone, wanted[:, bone]) for bone in range(rotations.bone_count)]
    keys = np.stack([decode(track, rotations.key_size) for track in raw], axis=1)
    chain = Chain(names, figure.parents, figure.offsets)
    before = np.diff(rotations.starts)
    reduced = reduction.reduce_keys(chain, wanted, keys, before, bounds)
    tracks = [track[frames] for track, frames in zip(raw, reduced.kept, strict=True)]
    block = Rotations.of_tracks(reduced.kept, tracks, tram.frame_count, rotations.key_size)
    packed = block.pack()
    greedy = None
    if bounds.angle and not bounds.distance and tram.frame_count <= _COMPARED:
        greedy = sum(len(greedy_keys(keys[:, bone], wanted[:, bone], bounds)) for bone in range(len(names)))
    result = replace(tram, rotations=packed)
    if not same(packed, tram.rotations):
        result = derive(result, figure, tram.positions is not None, tram.attacks is not None)
    return Fewer(result, reduced.report, len(tram.rotations or b""), len(packed), greedy)


def greedy_keys(keys: Floats, wanted: Floats, bounds: Bounds) -> NDArray[np.int64]:
    """The frames of one track (N, 4) that stay when from each key on the longest run is taken that holds `bounds.angle`."""
    kept = [0]
    last = len(keys) - 1
    while kept[-1] < last:
        start = end = kept[-1]
        end += 1
        while end < last and end + 1 - start <= bounds.longest and _holds(keys, wanted, start, end + 1, bounds):
            end += 1
        kept.append(end)
    return np.array(kept)


def _holds(keys: Floats, wanted: Floats, start: int, end: int, bounds: Bounds) -> bool:
    piece = slice(start, end + 1)
    ends = np.array([0, end - start])
    shown = reduction.between_keys(keys[piece], ends, bounds)
    cosine = np.abs(np.einsum("ij,ij->i", shown, wanted[piece]))
    own = np.abs(np.einsum("ij,ij->i", keys[piece], wanted[piece])).min()
    return bool(cosine.min() >= min(np.cos(bounds.angle / 2), own))


def _raw(rotations: Rotations, bone: int, wanted: Floats) -> NDArray[np.generic]:
    """A key for every frame as the file would have it; where it has one, that one."""
    raw = encode(wanted, rotations.key_size)
    frames, own = rotations.track(bone)
    raw[frames] = own
    return raw
