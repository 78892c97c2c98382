"""A body before it is one of a game's files: groups, points, faces, lines and spheres, in the game's axes and units."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations.directions import angle_between
from ...reporting import log
from .body import Body

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_SMALL = 20.0
"""Area of a face in square units, below which it has no direction to speak of."""

_EDGE = 1e-6
"""Of a rounded unit, within which two numbers are one."""


NOWHERE = 0xFFFF
"""A reference that leads to no point or normal in either game, for one that never did."""


@dataclass(frozen=True, eq=False)
class Outlines:
    """Lines or spheres. numbers: (N,) which they are in the file, -1 for new ones. points: (N, 2) or (N, 1) of the shape. colours: (N,)
    indices in the palette. radii: (N,) of spheres."""

    numbers: Ints
    points: Ints
    colours: Ints
    radii: Floats = field(default_factory=lambda: np.zeros(0))

    @classmethod
    def none(cls, ends: int) -> Outlines:
        return cls(np.zeros(0, np.int64), np.zeros((0, ends), np.int64), np.zeros(0, np.int64))


@dataclass(frozen=True, eq=False)
class Shape:
    """names, parents: (G,) of the groups; -1 for a root. heads: (G, 3) where each hangs on its parent.

    positions: (P, 3) at rest in character space. group_of: (P,). numbers: (P,) which point of the file each is, -1 for new ones.
    starts, counts: (F,) runs of corners. corners: (C,) points. face_numbers: (F,) which face of the file each is, -1 for new ones.
    types: (F,) of polygons as the file counts them. colours: (F,) in the palette. reach: (F,) shades that light adds at most.
    normals: (C, 3) outwards, of any length. regions: (F, 3) corner and masks of a texture's region, -1 without one. uvs: (C, 2) in units of
    the region, v upwards. box: (6,) as files have it, None for the extent.
    """

    names: tuple[str, ...]
    parents: Ints
    heads: Floats
    positions: Floats
    group_of: Ints
    numbers: Ints
    starts: Ints
    counts: Ints
    corners: Ints
    face_numbers: Ints
    types: Ints
    colours: Ints
    reach: Ints
    normals: Floats
    regions: Ints
    uvs: Floats
    lines: Outlines = field(default_factory=lambda: Outlines.none(2))
    spheres: Outlines = field(default_factory=lambda: Outlines.none(1))
    box: Ints | None = None

    @property
    def used(self) -> NDArray[np.bool_]:
        """(P,) the points of something that is drawn."""
        used = np.zeros(len(self.positions), bool)
        for points in (self.corners, self.lines.points, self.spheres.points):
            used[points.ravel()] = True
        return used

    def face(self, index: int) -> NDArray[Any]:
        """The corners of a face."""
        first = int(self.starts[index])
        return np.arange(first, first + int(self.counts[index]))

    def flat_normals(self) -> Floats:
        """(F, 3) across each face, as long as twice its area."""
        following = np.arange(len(self.corners)) + 1
        following[self.starts + self.counts - 1] = self.starts
        points = self.positions[self.corners]
        crossed: Floats = np.cross(points, points[following])
        return np.asarray(np.add.reduceat(crossed, self.starts), np.float64) if len(self.starts) else np.zeros((0, 3))


@dataclass(frozen=True, eq=False)
class Points:
    """The points of a shape in the order of a file: group by group, the file's own before new ones, rounded.

    world: (N, 3) whole numbers in character space. group_of: (N,). local: (N, 3) relative to the group's pivot. numbers: (N,) of the file.
    index: (P,) of each of the shape's points. counts: (G,) of each group. pivots: (G,) what each group hangs on, 0 for a root.
    """

    world: Ints
    group_of: Ints
    local: Ints
    numbers: Ints
    index: Ints
    counts: Ints
    pivots: Ints

    @property
    def by_number(self) -> dict[int, int]:
        """Where each of the file's points is now."""
        return {number: index for index, number in enumerate(self.numbers.tolist()) if number >= 0}


_NO_BODY = Body(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros((0, 3)))


def arranged(shape: Shape, original: Body | None) -> Points:
    """original: the body that the shape came from, None for a new one.

    A group hangs on a point of its parent at its bone's head. Where there is none, a point that is nothing but its pivot goes along, or
    else there is a new one. Whatever hangs on a pivot is measured from where that is after rounding, so that nothing adds up. A file of
    LBA2 whose group hangs on another group's point keeps that, as long as both stay what they were.
    """
    world = _rounded(shape.positions)
    groups, numbers = shape.group_of.tolist(), shape.numbers.tolist()
    heads = _rounded(shape.heads)
    at = {number: index for index, number in enumerate(numbers) if number >= 0}
    file = _NO_BODY if original is None else original
    rest = file.rest_points
    hanging = np.flatnonzero(file.parents >= 0).tolist()
    before = {group: at.get(int(file.pivots[group]), -1) for group in hanging}
    loose = (~shape.used).tolist()
    pivots = [-1] * len(heads)
    for group, parent in enumerate(shape.parents.tolist()):
        if parent < 0:
            if any(heads[group]):
                log.warning(f"{shape.names[group]} is at {heads[group]}: a root stands at the origin in the game; its points stay")
            continue
        old, head = before.get(group, -1), heads[group]
        if old >= 0 and world[old] == head:
            as_it_was = (file.group_of[numbers[old]], file.parents[group]) == (groups[old], parent)
            if groups[old] == parent or as_it_was:
                pivots[group] = old
                continue
        pivots[group] = next((point for point, where in enumerate(world) if where == head and groups[point] == parent), -1)
        if pivots[group] >= 0:
            continue
        alone = (
            old >= 0
            and loose[old]
            and groups[old] == parent
            and {heads[other] for other, pivot in before.items() if pivot == old} == {head}
        )
        if alone and world[old] == _rounded(rest[numbers[old]])[0]:
            world[old], pivots[group] = head, old
        else:
            pivots[group] = len(world)
            world.append(head)
            groups.append(parent)
            numbers.append(-1)
    return _in_order(np.array(world, np.int64).reshape(-1, 3), np.array(groups, np.int64), np.array(numbers, np.int64), pivots, shape)


def _rounded(positions: Floats) -> list[tuple[int, ...]]:
    return [tuple(row) for row in np.rint(positions).astype(np.int64).reshape(-1, 3).tolist()]


def _in_order(world: Ints, groups: Ints, numbers: Ints, pivots: list[int], shape: Shape) -> Points:
    late = np.where(numbers < 0, np.iinfo(np.int64).max, numbers)
    order = np.lexsort((np.arange(len(world)), late, groups))
    index = np.empty(len(order), np.int64)
    index[order] = np.arange(len(order))
    world, groups = world[order], groups[order]
    on = np.array([index[pivot] if pivot >= 0 else 0 for pivot in pivots], np.int64)
    origin = np.where((shape.parents >= 0)[:, None], world[on] if len(world) else np.zeros((len(on), 3), np.int64), 0)
    return Points(
        world=world,
        group_of=groups,
        local=world - origin[groups],
        numbers=numbers[order],
        index=index[: len(shape.positions)],
        counts=np.bincount(groups, minlength=len(pivots)),
        pivots=on,
    )


def cycle(points: Any) -> tuple[int, ...]:
    """The corners of a face from the smallest on, in their order: equal for one face wherever it starts."""
    values = list(points)
    first = values.index(min(values))
    return tuple(values[first:] + values[:first])


def extent(world: Ints) -> Ints:
    """(6,) Xmin, Xmax, Ymin, Ymax, Zmin, Zmax of points."""
    if not len(world):
        return np.zeros(6, np.int64)
    return np.stack([world.min(axis=0), world.max(axis=0)], axis=1).ravel()


def unit(vectors: Floats) -> Floats:
    """Of length 1; zero stays."""
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return vectors / np.where(length < _EDGE, 1, length)


def rotated_faces(shape: Shape, rest: Floats) -> Floats:
    """(F,) by how much the file's faces look elsewhere than they did, in radians. rest: (P', 3) where its points were."""
    numbers = shape.numbers[shape.corners]
    known = np.append(rest, np.zeros((1, 3)), axis=0)  # the last is that of new points, whose number is -1
    before = replace(shape, positions=known[numbers], corners=np.arange(len(numbers)))
    ours = np.minimum.reduceat(numbers, shape.starts) >= 0 if len(shape.starts) else np.zeros(0, bool)
    one, other = shape.flat_normals(), before.flat_normals()
    areas = np.minimum(np.linalg.norm(one, axis=1), np.linalg.norm(other, axis=1)) / 2
    compared = ours & (shape.face_numbers >= 0) & (areas > _SMALL)
    return np.where(compared, angle_between(one, other), 0)


def relit_faces(shape: Shape, faces: Ints, points: Ints, normals: Floats) -> Floats:
    """(F,) by how much the normals shown at the corners of the file's faces are others than the file's, in radians. faces, points: (C',)
    of the file's corners. normals: (C', 3) that light them, zero for none."""
    owners = np.repeat(shape.face_numbers, shape.counts)
    many = max(int(points.max(initial=0)), int(shape.numbers.max(initial=0))) + 1
    before, now = faces * many + points, owners * many + shape.numbers[shape.corners]
    order = np.argsort(before, kind="stable")
    at = order[np.searchsorted(before[order], now).clip(0, max(len(before) - 1, 0))] if len(before) else np.zeros(0, np.int64)
    if not len(at):
        return np.zeros(len(shape.starts))
    known = (owners >= 0) & (shape.numbers[shape.corners] >= 0) & (before[at] == now)
    apart = np.maximum.reduceat(np.where(known, angle_between(shape.normals, normals[at]), 0), shape.starts)
    return np.where(np.linalg.norm(shape.flat_normals(), axis=1) / 2 > _SMALL, apart, 0)


def bent_faces(shape: Shape) -> Floats:
    """(F,) by how much the normals shown at the corners of faces are others than where these look, in radians."""
    flat = np.repeat(shape.flat_normals(), shape.counts, axis=0)
    return np.maximum.reduceat(angle_between(shape.normals, flat), shape.starts) if len(shape.starts) else np.zeros(0)
