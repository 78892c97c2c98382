"""From segments to the files of LBA1: body, entity, archives."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence

import numpy as np

from ..core.lba.files.archive.hqr import Hqr
from ..core.lba.files.lm1 import FLAT_LIT, GOURAUD, GROUP, GROUP_SIZE, LINE, NORMAL, POINT_SIZE, POLYGON, SPHERE, Lm1
from .mannequin import Segment
from .shapes import Floats, Shape, whole

NORMAL_LENGTH = 64


class _Assembly:
    """The tables of a body while they grow, segment by segment."""

    def __init__(self) -> None:
        self.points: list[tuple[float, ...]] = []
        self.normals: list[tuple[tuple[int, ...], int]] = []
        self.polygons: list[tuple[int, int, int, int]] = []
        self.stream: list[int] = []

    def point(self, position: Iterable[float]) -> int:
        self.points.append(tuple(position))
        return len(self.points) - 1

    def normal(self, direction: Floats, spread: int) -> int:
        scaled = whole(direction * (NORMAL_LENGTH / np.linalg.norm(direction)))
        self.normals.append((tuple(scaled.astype(int).tolist()), spread))
        return len(self.normals) - 1

    def shape(self, shape: Shape) -> None:
        """Its points and faces; a smooth corner's normal is the mean of the smooth faces round it, bigger faces counting more."""
        first = len(self.points)
        for position in shape.points.tolist():
            self.point(position)
        areas = [_area(shape.points[list(corners)]) for corners, _ in shape.faces]
        smooth = np.zeros((len(shape.points), 3))
        for (corners, paint), area in zip(shape.faces, areas, strict=True):
            if paint.material >= GOURAUD:
                smooth[list(corners)] += area
        known: dict[tuple[int, int], int] = {}
        for (corners, paint), area in zip(shape.faces, areas, strict=True):
            self.polygons.append((paint.material, len(corners), paint.colour, 0))
            if FLAT_LIT <= paint.material < GOURAUD:
                self.stream.append(self.normal(area, paint.range))
            for corner in corners:
                if paint.material >= GOURAUD:
                    key = corner, paint.range
                    if key not in known:
                        known[key] = self.normal(smooth[corner], paint.range)
                    self.stream.append(known[key])
                self.stream.append(POINT_SIZE * (first + corner))


def _area(corners: Floats) -> Floats:
    """Twice the area of a polygon, as a vector along its normal."""
    return np.cross(corners, np.roll(corners, -1, axis=0)).sum(axis=0)


def body(
    segments: Sequence[Segment],
    lines: Sequence[tuple[str, str, int]] = (),
    spheres: Sequence[tuple[str, int, int]] = (),
) -> Lm1:
    """lines: two marks and a colour. spheres: a mark, a radius in units and a colour. The collision box is left empty."""
    assembly = _Assembly()
    pivots: dict[str, int] = {"root": 0}
    marks: dict[str, int] = {}
    groups = np.zeros(len(segments), GROUP)
    index = {segment.name: number for number, segment in enumerate(segments)}
    for segment, group in zip(segments, groups, strict=True):
        points, normals = len(assembly.points), len(assembly.normals)
        for child in segments:
            if child.parent == segment.name:
                pivots[child.name] = assembly.point(np.subtract(child.position, segment.position))
        marks |= {name: assembly.point(position) for name, position in segment.marks.items()}
        for shape in segment.shapes:
            assembly.shape(shape)
        group["first_point"], group["point_count"] = POINT_SIZE * points, len(assembly.points) - points
        group["first_normal"], group["normal_count"] = NORMAL.itemsize * normals, len(assembly.normals) - normals
        group["pivot"] = POINT_SIZE * pivots[segment.name]
        group["parent"] = GROUP_SIZE * index[segment.parent] if segment.parent else -1
    return Lm1(
        flags=3,
        box=np.zeros(6, "<i2"),
        info_size=10,
        info=bytes(10),
        points=np.array(assembly.points).astype("<i2"),
        groups=groups,
        normals=np.array(assembly.normals, NORMAL),
        polygons=np.array(assembly.polygons, POLYGON),
        stream=np.array(assembly.stream, "<u2"),
        lines=np.array([(0, tint, 0, 0, (POINT_SIZE * marks[a], POINT_SIZE * marks[b])) for a, b, tint in lines], LINE),
        spheres=np.array([(0, tint, 0, 0, radius, POINT_SIZE * marks[mark]) for mark, radius, tint in spheres], SPHERE),
        tail=0,
    )


def body_record(generic: int, entry: int, box: Sequence[int]) -> bytes:
    """A record of FILE3D: body `entry` in the role `generic`, with its own collision box (x, y, z least, then most)."""
    actions = struct.pack("<B6h", 14, *box)
    return struct.pack("<BBBhB", 1, generic, 4 + len(actions), entry, 1) + actions


def animation_record(generic: int, entry: int, actions: Sequence[tuple[int, int]]) -> bytes:
    """A record of FILE3D: animation `entry` in the role `generic`; actions: kind and keyframe, such as 15 the left foot's step."""
    return struct.pack("<BBBhB", 3, generic, 4 + 2 * len(actions), entry, len(actions)) + b"".join(map(bytes, actions))


ENTITY_END = b"\xff"


def archive(entries: Iterable[bytes], method: int = 1) -> Hqr:
    hqr = Hqr(np.zeros(0, np.int32), (), {})
    for number, data in enumerate(entries):
        hqr = hqr.with_entry(number, data, method)
    return hqr
