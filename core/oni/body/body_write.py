"""An edited body back into its file: what nobody touched keeps its bits, of a mesh that was edited what was edited."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...images.pixels import Pixels
from ...motion.rotation_matrix import Floats
from ...reporting import log
from ...reporting.errors import ExportError
from ..files.library import Instance
from ..files.onifile import OniFile, link
from ..records.body_records import SHAPES, field_position
from .body import HIGHEST, Body
from .body_file import box_of, sphere_of
from .closure import closure
from .drawn import Drawn, Points, points_of
from .geometry import NO_SURFACE, UNNAMED_TEXTURE, Piece, own_normals, to_strips
from .instances import Instances, packed
from .pictures_write import Inside
from .texture import Form

JOINT = 1e-4
"""Game units within which a joint is where the file has it."""

_CLEARLY = np.radians(20)
"""By how much a triangle must look elsewhere before its normals are worth a message."""

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


def edited_file(
    file: OniFile,
    body: Body,
    detail: int,
    drawn: Sequence[Drawn | None],
    offsets: Floats,
    every_detail: bool = False,
    pictures: Mapping[str, Pixels] | None = None,
    fresh_normals: bool = False,
    form: Form = "AUTO",
) -> OniFile:
    """The file with a body as it is now. body: as it is in the file at `detail`. drawn: of each bone. offsets: (B, 3) of the joints.
    every_detail: all levels of detail become this one. pictures: (H, W, 4) textures by name that go into the file itself.
    fresh_normals: points of the file get the normals that are shown, too. form: how the textures are stored.

    Raises ExportError for what the format cannot hold."""
    instances = Instances(file)
    inside = Inside(instances, pictures or {}, form)
    model = _model(instances, detail)
    changed = _joints(instances, offsets)
    meshes = _followed(instances, model, "meshes")
    start = SHAPES["TRGA"].head.itemsize
    rotated = list[Floats]()
    for bone, (own, before) in enumerate(zip(drawn, body.pieces, strict=True)):
        points = points_of(own, before, fresh_normals) if own is not None and len(own.triangles) else None
        changed |= _piece(instances, meshes, start + 4 * bone, own, points, _Before.of(body, bone), body.names[bone], inside)
        if own is not None and points is not None and before is not None:
            rotated.append(_rotated(own, points, before))
    if not fresh_normals:
        _report_light(np.concatenate([*rotated, np.zeros(0)]))
    several = _levels(instances) if instances.tag(0) == "TRBS" else {model}
    if every_detail and len(several) > 1:
        instances.put(0, packed_levels(model))
        return closure(Instance(instances.packed(), "", 0))
    if changed and len(several) > 1:
        log.warning(
            f"the other {len(several) - 1} levels of detail stay as they are: choose All for Levels of Detail, to give them this mesh"
        )
    result = instances.packed()
    orphans = any(before is not None and _orphaned(own, before) for own, before in zip(drawn, body.pieces, strict=True))
    return closure(Instance(result, "", 0)) if orphans or inside.replaces else result


def _orphaned(drawn: Drawn | None, before: Piece) -> bool:
    """Whether a bone's mesh is gone, or its texture that only this file has."""
    return drawn is None or (drawn.texture is not None and before.texture.startswith(UNNAMED_TEXTURE))


def _rotated(drawn: Drawn, points: Points, before: Piece) -> Floats:
    """By how much each triangle of the file looks elsewhere now, radians."""
    own = np.flatnonzero(drawn.face_numbers >= 0)
    now = own_normals(points.positions.astype(np.float64), points.triangles[own])
    cosine = np.einsum("ij,ij->i", now, before.faces[drawn.face_numbers[own]])
    return np.where(now.any(axis=1), np.arccos(np.clip(cosine, -1, 1)), 0.0)


def _report_light(angles: Floats) -> None:
    clearly = int((angles > _CLEARLY).sum())
    if clearly:
        log.warning(
            f"{clearly} triangles look elsewhere now, by up to {np.degrees(angles.max()):.0f} degrees, and keep the normals of the file: "
            "choose Normals: As Shown, to have them anew"
        )


def packed_levels(model: int) -> bytes:
    """A TRBS whose levels of detail are one."""
    head = np.zeros((), SHAPES["TRBS"].head)
    head["levels"] = int.from_bytes(link(model), "little")
    return head.tobytes()


def _levels(instances: Instances) -> set[int]:
    return {each >> 8 for each in instances.record(0).head["levels"].tolist() if each}


def _model(instances: Instances, detail: int) -> int:
    """The TRCM that is meant: as `body._of_detail` chooses it."""
    if instances.tag(0) != "TRBS":
        return 0
    links = instances.record(0).head["levels"].tolist()
    for level in (*range(min(max(detail, 0), HIGHEST), -1, -1), *range(HIGHEST + 1)):
        if links[level] and instances.data[links[level] >> 8] is not None:
            return links[level] >> 8
    raise ExportError("a body whose levels of detail are in other files: open one of those, a TRCM")


def _followed(instances: Instances, index: int, name: str) -> int:
    """The instance that a field of a TRCM leads to."""
    other = int(instances.record(index).head[name]) >> 8
    if instances.data[other] is None:
        raise ExportError(f"the {instances.tag(other)} of this body is in another file: open it from its level")
    return other


def _joints(instances: Instances, offsets: Floats) -> bool:
    """All levels of detail have the same joints."""
    changed = False
    for index in range(len(instances.data)):
        if instances.tag(index) != "TRTA" or instances.data[index] is None:
            continue
        record = instances.record(index)
        assert record.items is not None
        if len(record.items) != len(offsets):
            continue
        moved = np.abs(record.items - offsets).max(axis=1) > JOINT
        moved[0] = False
        if moved.any():
            items = np.where(moved[:, None], offsets.astype("<f4"), record.items)
            instances.put(index, packed("TRTA", items, record.head, record.tail))
            changed = True
    return changed


def _piece(
    instances: Instances,
    meshes: int,
    at: int,
    drawn: Drawn | None,
    points: Points | None,
    known: _Before | None,
    name: str,
    inside: Inside,
) -> bool:
    """The mesh of a bone; whether it changed. at: of the link to it in the TRGA. known: what it was, None where there was none."""
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
        instances.lead(meshes, at, mesh)
        _new_mesh(instances, mesh, drawn, points, inside)
        return True
    old = int.from_bytes(instances.body(meshes)[at : at + 4], "little") >> 8
    if instances.data[old] is None:
        raise ExportError(f"{name}: its mesh is in another file")
    if points.whole and len(points.source) == len(before.points) and _same_faces(drawn, points, known):
        return _same_mesh(instances, meshes, at, drawn, points, before, inside)
    mesh = _own(instances, meshes, at, old)
    _new_mesh(instances, mesh, drawn, points, inside, before)
    return True


def _own(instances: Instances, meshes: int, at: int, old: int) -> int:
    """The mesh of one bone alone: a copy where others have the same."""
    if instances.leading[int.from_bytes(link(old), "little")] == 1:
        return old
    mesh = instances.add("M3GM", instances.body(old))
    instances.lead(meshes, at, mesh)
    return mesh


@dataclass(frozen=True, eq=False)
class _Before:
    """The mesh of a bone in the file. shown: which of its triangles Blender holds."""

    piece: Piece
    shown: NDArray[np.int64]

    @classmethod
    def of(cls, body: Body, bone: int) -> _Before | None:
        piece = body.pieces[bone]
        return None if piece is None else cls(piece, body.shown(bone))


def _same_faces(drawn: Drawn, points: Points, known: _Before) -> bool:
    """Whether all triangles of the file are there that Blender can show, and no others."""
    numbers = drawn.face_numbers
    if not np.array_equal(np.sort(numbers), np.sort(known.shown)):
        return False
    return bool((_cycled(points.triangles) == _cycled(known.piece.triangles[numbers])).all())


def _cycled(triangles: NDArray[np.int64]) -> NDArray[np.int64]:
    """Each from its lowest corner on."""
    first = np.argmin(triangles, axis=1)
    return triangles[np.arange(len(triangles))[:, None], (first[:, None] + np.arange(3)) % 3]


def _same_mesh(instances: Instances, meshes: int, at: int, drawn: Drawn, points: Points, before: Piece, inside: Inside) -> bool:
    """Of a mesh with the triangles of the file what is elsewhere."""
    mesh = int.from_bytes(instances.body(meshes)[at : at + 4], "little") >> 8
    normals = not np.array_equal(points.normals, before.normals.astype(np.float32))
    uvs = not np.array_equal(points.uvs, before.uvs.astype(np.float32))
    painted = inside.changes(drawn.texture, before)
    if not (points.moved.any() or normals or uvs or painted):
        return False
    mesh = _own(instances, meshes, at, mesh)
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


def _new_mesh(instances: Instances, mesh: int, drawn: Drawn, points: Points, inside: Inside, before: Piece | None = None) -> None:
    """All parts of a mesh anew; triangles of the file keep its normals where their corners are where they were."""
    order = np.lexsort((np.arange(len(drawn.face_numbers)), np.where(drawn.face_numbers >= 0, drawn.face_numbers, 1 << 40)))
    triangles, numbers = points.triangles[order], drawn.face_numbers[order]
    faces = own_normals(points.positions.astype(np.float64), triangles)
    if before is not None and len(before.triangles):
        # A face that was cut up leaves its number to its pieces.
        whole = (_cycled(points.source[triangles]) == _cycled(before.triangles[numbers.clip(0)])).all(axis=1)
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
