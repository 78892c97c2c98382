"""Lines and spheres of a shape as records of a file."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .shape import NOWHERE, Ints, Outlines, Points

Records = NDArray[Any]


def mended(kind: np.dtype[Any], wanted: Outlines, points: Points, unit: int, before: Records | None, old: Ints) -> Records:
    """The records, the file's own first: those of `wanted`, and those that Blender was not shown, since they are on points that are not
    there. unit: what references to points are multiplied by. before: the file's. old: (N, ends) the points of these, -1 for none.

    Of a kept record only what differs changes; the low byte of a colour is the palette's index."""
    if before is None:
        return _shown(kind, wanted, points, unit, None)
    hidden, numbers = _hidden(kind, before, old, points, unit)
    shown = np.sort(np.where(wanted.numbers < 0, len(before), wanted.numbers), kind="stable")
    order = np.argsort(np.concatenate([shown, numbers]), kind="stable")
    return np.concatenate([_shown(kind, wanted, points, unit, before), hidden])[order]


def _hidden(kind: np.dtype[Any], before: Records, old: Ints, points: Points, unit: int) -> tuple[Records, Ints]:
    """Records on a point that is not there, and their numbers; those whose other end is gone are gone, too."""
    now = np.array([points.by_number.get(point, -1) for point in old.ravel().tolist()], np.int64).reshape(old.shape)
    numbers = np.flatnonzero((old < 0).any(axis=1) & ((old < 0) | (now >= 0)).all(axis=1))
    records = before[numbers].astype(kind)
    name = _references(kind)
    given = records[name].reshape(old[numbers].shape).astype(np.int64)
    nowhere = np.where((given % unit == 0) & (given < unit * len(points.world)), NOWHERE, given)
    references = np.where(old[numbers] < 0, nowhere, now[numbers] * unit)
    records[name] = references if name == "points" else references[:, 0]
    return records, numbers


def _references(kind: np.dtype[Any]) -> str:
    return "points" if "points" in (kind.names or ()) else "point"


def _shown(kind: np.dtype[Any], wanted: Outlines, points: Points, unit: int, before: Records | None) -> Records:
    order = np.argsort(np.where(wanted.numbers < 0, np.iinfo(np.int64).max, wanted.numbers), kind="stable")
    records = np.zeros(len(order), kind)
    kept = wanted.numbers[order] >= 0
    if before is not None:
        records[kept] = before[wanted.numbers[order][kept]]
    name = _references(kind)
    references = points.index[wanted.points[order]] * unit
    records[name] = references if name == "points" else references[:, 0]
    colour = records["colour"].astype(np.int64)
    records["colour"] = np.where(kept, (colour & ~0xFF) | wanted.colours[order], wanted.colours[order])
    if "radius" in (kind.names or ()):
        records["radius"] = np.clip(np.rint(wanted.radii[order]), 0, 0xFFFF)
        if "colour2" in (kind.names or ()):
            records["colour2"] = np.where(kept, records["colour2"], wanted.colours[order])
    return records
