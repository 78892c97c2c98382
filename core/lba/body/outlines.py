"""Lines and spheres of a shape as records of a file."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .shape import Outlines, Points


def mended(kind: np.dtype[Any], wanted: Outlines, points: Points, unit: int, before: NDArray[Any] | None) -> NDArray[Any]:
    """The records, the file's own first, as many as `wanted` has. unit: what references to points are multiplied by. before: the file's.

    Of a kept record only what differs changes; the low byte of a colour is the palette's index."""
    order = np.argsort(np.where(wanted.numbers < 0, np.iinfo(np.int64).max, wanted.numbers), kind="stable")
    records = np.zeros(len(order), kind)
    kept = wanted.numbers[order] >= 0
    if before is not None:
        records[kept] = before[wanted.numbers[order][kept]]
    name = "points" if "points" in (kind.names or ()) else "point"
    references = points.index[wanted.points[order]] * unit
    records[name] = references if name == "points" else references[:, 0]
    colour = records["colour"].astype(np.int64)
    records["colour"] = np.where(kept, (colour & ~0xFF) | wanted.colours[order], wanted.colours[order])
    if "radius" in (kind.names or ()):
        records["radius"] = np.clip(np.rint(wanted.radii[order]), 0, 0xFFFF)
        if "colour2" in (kind.names or ()):
            records["colour2"] = np.where(kept, records["colour2"], wanted.colours[order])
    return records
