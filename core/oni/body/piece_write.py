"""An edited mesh of one bone back into its file: of a mesh with the same triangles what is elsewhere, else all of it anew."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...reporting import log
from ...reporting.errors import ExportError
from ..files.onifile import link
from ..records.body_records import SHAPES, field_position
from .body import Body
from .body_file import box_of, sphere_of
from .drawn import Drawn, Points, points_of
from .geometry import NO_SURFACE, Piece, own_normals, to_strips
from .instances import Instances, packed
from .textures.pictures_write import Inside

ROOM = 2048
"""Points of a bone's mesh beyond which OniSplit, too, says that there are too many [GeometryDaeReader.cs]."""

MOST_POINTS = 0x7FFF
"""Of a bone's mesh that is written at all: sixteen times that."""

_NOTHING = Drawn(
    NO_SURFACE.points,
    np.full(len(NO_SURFACE.points), -1),
    NO_SURFACE.triangles,
    np.full(len(NO_SURFACE.triangles), -1),
    NO_SURFACE.normals[NO_SURFACE.triangles],
    NO_SURFACE.uvs[NO_SURFACE.triangles],
    "",
)
"""What a bone has whose mesh was deleted."""


@dataclass(frozen=True)
class Slot:
    """Where the link to a bone's mesh is: the instance of the TRGA, and the offset in it."""

    bone: str
    meshes: int
    at: int

    def mesh(self, instances: Instances) -> int:
        """The instance that it leads to."""
        return int.from_bytes(instances.body(self.meshes)[self.at : self.at + 4], "little") >> 8


def put_piece(slot: Slot, drawn: Drawn | None, points: Points | None, known: Before | None, inside: Inside) -> bool:
    """The mesh of a bone; whether it changed. known: what it was, None where there was none."""
    instances, name = inside.instances, slot.bone
    before = known.piece if known is not None else None
    if drawn is None or points is None:
        if known is None or (drawn is not None and len(drawn.positions) and not len(known.shown)):
            return False
        drawn = _NOTHING
        points = points_of(drawn, None)
    if len(points.positions) > MOST_POINTS:
        raise ExportError(f"{name}: {len(points.positions)} points; at most {MOST_POINTS} are possible for a bone")
    if not np.isfinite(points.positions).all():
        raise ExportError(f"{name}: points that are nowhere")
    if len(points.positions) > max(ROOM, 0 if before is None else len(before.points)):
        log.warning(f"{name}: {len(points.positions)} points; OniSplit takes more than {ROOM} for too many: make its mesh simpler")
    if known is None or before is None:
        mesh = instances.add("M3GM", np.zeros((), SHAPES["M3GM"].head).tobytes())
        instances.lead(slot.meshes, slot.at, mesh)
        _new_mesh(mesh, drawn, points, inside)
        return True
    old = slot.mesh(instances)
    if instances.data[old] is None:
        raise ExportError(f"{name}: its mesh is in another file")
    if points.whole and len(points.source) == len(before.points) and _same_faces(drawn, points, known):
        return _same_mesh(slot, drawn, points, before, inside)
    _new_mesh(_own(instances, slot), drawn, points, inside, before)
    return True


def _own(instances: Instances, slot: Slot) -> int:
    """The mesh of one bone alone: a copy where others have the same."""
    old = slot.mesh(instances)
    if instances.leading[int.from_bytes(link(old), "little")] == 1:
        return old
    mesh = instances.add("M3GM", instances.body(old))
    instances.lead(slot.meshes, slot.at, mesh)
    return mesh


@dataclass(frozen=True, eq=False)
class Before:
    """The mesh of a bone in the file. shown: which of its triangles Blender holds."""

    piece: Piece
    shown: NDArray[np.int64]

    @classmethod
    def of(cls, body: Body, bone: int) -> Before | None:
        piece = body.pieces[bone]
        return None if piece is None else cls(piece, body.shown(bone))


def _same_faces(drawn: Drawn, points: Points, known: Before) -> bool:
    """Whether all triangles of the file are there that Blender can show, and no others."""
    numbers = drawn.face_numbers
    if not np.array_equal(np.sort(numbers), np.sort(known.shown)):
        return False
    return bool((_cycled(points.triangles) == _cycled(known.piece.triangles[numbers])).all())


def _cycled(triangles: NDArray[np.int64]) -> NDArray[np.int64]:
    """Each from its lowest corner on."""
    first = np.argmin(triangles, axis=1)
    return triangles[np.arange(len(triangles))[:, None], (first[:, None] + np.arange(3)) % 3]


def _same_mesh(slot: Slot, drawn: Drawn, points: Points, before: Piece, inside: Inside) -> bool:
    """Of a mesh with the triangles of the file what is elsewhere."""
    normals = not np.array_equal(points.normals, before.normals.astype(np.float32))
    uvs = not np.array_equal(points.uvs, before.uvs.astype(np.float32))
    painted = inside.changes(drawn.texture, before)
    if not (points.moved.any() or normals or uvs or painted):
        return False
    instances = inside.instances
    mesh = _own(instances, slot)
    if points.moved.any():
        _put_points(instances, mesh, points)
        _put_face_normals(instances, mesh, points, before)
    if normals:
        _put(instances, mesh, "normals", "VCRA", points.normals)
    if uvs:
        _put(instances, mesh, "uvs", "TXCA", points.uvs)
    if painted:
        inside.put(mesh, drawn.texture if drawn.texture is not None else before.texture)
    return True


def _new_mesh(mesh: int, drawn: Drawn, points: Points, inside: Inside, before: Piece | None = None) -> None:
    """All parts of a mesh anew; triangles of the file keep its normals where their corners are where they were."""
    instances = inside.instances
    order = np.lexsort((np.arange(len(drawn.face_numbers)), np.where(drawn.face_numbers >= 0, drawn.face_numbers, 1 << 40)))
    triangles, numbers = points.triangles[order], drawn.face_numbers[order]
    faces = own_normals(points.positions.astype(np.float64), triangles)
    if before is not None and len(before.triangles):
        # A face that was cut up leaves its number to its pieces.
        whole = (_cycled(points.vertex[triangles]) == _cycled(before.triangles[numbers.clip(0)])).all(axis=1)
        stays = (numbers >= 0) & whole & ~points.moved[triangles].any(axis=1)
        faces[stays] = before.faces[numbers[stays]]
    if before is not None and before.lost:
        log.warning(f"{before.lost} triangles of the file are not written: they are on points that it does not have")
    _put_points(instances, mesh, points)
    _put(instances, mesh, "normals", "VCRA", points.normals)
    _put(instances, mesh, "uvs", "TXCA", points.uvs)
    _put(instances, mesh, "face_normals", "VCRA", faces)
    _put(instances, mesh, "strips", "IDXA", to_strips(triangles))
    _put(instances, mesh, "normal_of", "IDXA", np.arange(len(triangles)))
    if inside.changes(drawn.texture, before):
        inside.put(mesh, drawn.texture if drawn.texture is not None or before is None else before.texture)


def _put(instances: Instances, mesh: int, name: str, tag: str, items: NDArray[Any], **fields: Any) -> None:
    """Another part of a mesh; its padding stays."""
    at = field_position(SHAPES["M3GM"].head, name)
    old = int(instances.record(mesh).head[name])
    kind = SHAPES[tag].item
    assert kind is not None
    record = instances.record(old >> 8) if old and instances.data[old >> 8] is not None else None
    rows = items.astype(kind.base)
    tail = record.tail if record is not None and len(record) == len(rows) else b""
    instances.below(mesh, at, tag, packed(tag, rows, record.head if record is not None else None, tail, **fields))


def _put_points(instances: Instances, mesh: int, points: Points) -> None:
    """With the box and the sphere around them: the file's as long as its box fits."""
    old = int(instances.record(mesh).head["points"])
    fields: dict[str, Any] = {"box": box_of(points.positions), "sphere": sphere_of(points.positions)}
    if old and np.array_equal(instances.record(old >> 8).head["box"], fields["box"].astype("<f4")):
        fields = {}
    _put(instances, mesh, "points", "PNTA", points.positions, **fields)


def _put_face_normals(instances: Instances, mesh: int, points: Points, before: Piece) -> None:
    """Of the triangles that have a corner elsewhere."""
    head = instances.record(mesh).head
    if not head["face_normals"] or not head["normal_of"] or before.numbers is None:
        return
    which, table = instances.record(int(head["normal_of"]) >> 8).items, instances.record(int(head["face_normals"]) >> 8).items
    assert which is not None
    assert table is not None
    rows, normals = which.astype(np.int64).copy(), [row.copy() for row in table]
    users = np.bincount(rows[(rows >= 0) & (rows < len(normals))], minlength=len(normals))
    fresh = own_normals(points.positions.astype(np.float64), before.triangles).astype("<f4")
    for face in np.flatnonzero(points.moved[before.triangles].any(axis=1)).tolist():
        at = int(before.numbers[face])
        if at >= len(rows) or not fresh[face].any():
            continue
        if 0 <= rows[at] < len(normals) and users[rows[at]] == 1:
            normals[rows[at]] = fresh[face]
        else:
            rows[at] = len(normals)
            normals.append(fresh[face])
            users = np.append(users, 1)
    _put(instances, mesh, "face_normals", "VCRA", np.array(normals))
    _put(instances, mesh, "normal_of", "IDXA", rows)
