"""Fewer rotation keys within a stated bound, in the file's own steps, and what OniSplit's method would keep beside it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...motion.reduction import reduction
from ...motion.reduction.reduction import Bounds, Chain, Report
from ...motion.rotations.rotation_matrix import Floats
from ...reporting.errors import ExportError
from ..records.rotations import Rotations, decode, encode
from .derived import Figure
from .evaluate import local_rotations

FITTING = tuple(np.radians(np.geomspace(0.05, 5.0, 21)).tolist())
"""Angles, each a quarter larger than the one before, of which the smallest is looked for that leaves few enough keys."""

_COMPARED = 600
"""Frames up to which the greedy method is tried, too; it takes long."""


@dataclass(frozen=True, eq=False)
class Thinned:
    """rotations: with fewer keys; those that were given where none is left out. report: of each bone. before, after: bytes of the blocks.
    greedy: keys that the longest run from each key on would keep with the same angle and measure, None where that was not tried.
    angle: what was held, radians, 0 for none."""

    rotations: Rotations
    report: Report
    before: int
    after: int
    greedy: int | None
    angle: float = 0.0

    def lines(self) -> list[str]:
        """For the user: all bones together, bytes, and each bone whose keys became fewer."""
        head, *bones = self.report.lines()
        compared = [] if self.greedy is None else [f"the longest run from each key on (OniSplit's method) would keep {self.greedy} keys"]
        return [head, f"{self.before} bytes of rotations became {self.after}", *compared, *bones]


def thin(rotations: Rotations, names: tuple[str, ...], figure: Figure, bounds: Bounds) -> Thinned:
    """As few keys as hold the bounds; each one that stays keeps its bits. rotations: may be more than the format can hold. Raises
    FormatError for a key that is no rotation."""
    return _thinned(rotations, _every(rotations), names, figure, bounds)


def thin_to_fit(rotations: Rotations, names: tuple[str, ...], figure: Figure, last_track: int, shell: float) -> Thinned:
    """The same within the smallest of `FITTING` with which the last track starts at `last_track` or before it; of a block that does
    already with all its keys. shell: around the bones, for the report. Raises ExportError where the largest angle is not enough."""
    wanted = _every(rotations)
    if int(rotations.offsets[-1]) <= last_track:
        before = np.diff(rotations.starts)
        none = np.zeros(len(names))
        return Thinned(rotations, Report(names, before, before, none, none, none), rotations.size, rotations.size, None)

    def within(angle: float) -> tuple[Thinned, bool]:
        thinned = _thinned(rotations, wanted, names, figure, Bounds(angle=angle, shell=shell), compared=False)
        return thinned, int(thinned.rotations.offsets[-1]) <= last_track

    low, high, best = 0, len(FITTING), None
    while low < high:
        middle = (low + high) // 2
        thinned, fits = within(FITTING[middle])
        best, low, high = (thinned, low, middle) if fits else (best, middle + 1, high)
    if best is None:
        keys = int(within(FITTING[-1])[0].report.after.sum())
        angle = np.degrees(FITTING[-1])
        raise ExportError(f"{keys} rotation keys are left within {angle:.0f} degrees, and still too many: split the animation")
    return best


def _every(rotations: Rotations) -> Floats:
    """(N, B, 4) at every frame."""
    return local_rotations(rotations, np.arange(rotations.frame_count, dtype=np.float64))


def _thinned(
    rotations: Rotations, wanted: Floats, names: tuple[str, ...], figure: Figure, bounds: Bounds, compared: bool = True
) -> Thinned:
    raw = [_raw(rotations, bone, wanted[:, bone]) for bone in range(rotations.bone_count)]
    keys = np.stack([decode(track, rotations.key_size) for track in raw], axis=1)
    chain = Chain(names, figure.parents, figure.offsets)
    reduced = reduction.reduce_keys(chain, wanted, keys, np.diff(rotations.starts), bounds)
    tracks = [track[frames] for track, frames in zip(raw, reduced.kept, strict=True)]
    block = Rotations.of_tracks(reduced.kept, tracks, rotations.frame_count, rotations.key_size)
    greedy = None
    if compared and bounds.angle and not bounds.distance and rotations.frame_count <= _COMPARED:
        greedy = sum(len(greedy_keys(keys[:, bone], wanted[:, bone], bounds)) for bone in range(len(names)))
    if np.array_equal(block.starts, rotations.starts) and np.array_equal(block.frames, rotations.frames):
        block = rotations
    return Thinned(block, reduced.report, rotations.size, block.size, greedy, bounds.angle)


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
