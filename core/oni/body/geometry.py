"""M3GM, the mesh of one bone: points, normals and texture coordinates in records of their own, and strips of triangles."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...motion import finite
from ...motion.rotations import directions
from ...motion.rotations.rotation_matrix import Floats
from ...reporting import log
from ...reporting.errors import FormatError, reading
from ...surface.holdable import LARGEST
from ..files.library import Instance, Library
from ..records.body_records import BodyRecord

NEW_STRIP = 0x80000000
"""The bit of an index that starts a strip."""


UNNAMED_TEXTURE = "TXMP_"
"""What a texture without a name is called, before its number in the file."""


@dataclass(frozen=True, eq=False)
class Piece:
    """A mesh in its bone's axes, game units.

    points, normals: (P, 3), the normals zero where there are none. uvs: (P, 2), v downwards. triangles: (T, 3) points, counter-clockwise.
    faces: (T, 3) the normals of the triangles. texture: the name of a TXMP, "" for none. numbers: (T,) which triangle of the file's strips
    each is, None for a mesh that is from no file. lost: how many of these are on points that are not there.
    """

    points: Floats
    normals: Floats
    uvs: Floats
    triangles: NDArray[np.int64]
    faces: Floats
    texture: str = ""
    numbers: NDArray[np.int64] | None = None
    lost: int = 0


NO_SURFACE = Piece(
    np.array([(0, 0, 0), (1e-3, 0, 0), (0, 1e-3, 0)]),
    np.tile((0.0, 0, 1), (3, 1)),
    np.zeros((3, 2)),
    np.array([[0, 1, 2]], np.int64),
    np.array([(0.0, 0, 1)]),
)
"""What a bone without a surface has in a file: nobody sees so small a triangle, and OniSplit, as the game's own files, expects a mesh for
each bone [BodyDatReader.cs]."""


def texture_name(instance: Instance, link: int, library: Library) -> str:
    """Of what a link to a TXMP means; of one without a name in the same file its number."""
    name = library.name_of(instance, link)
    return name or (f"{UNNAMED_TEXTURE}{link >> 8}" if link else "")


def read_piece(instance: Instance, library: Library) -> Piece:
    """The mesh that the M3GM `instance` puts together. Raises FormatError naming file and offset."""
    head = instance.record("M3GM").head

    def part(name: str, tag: str) -> BodyRecord | None:
        result = library.follow(instance, int(head[name]))
        return None if result is None else result.record(tag)

    with reading(instance.path):
        points, strips = part("points", "PNTA"), part("strips", "IDXA")
        if points is None or strips is None or points.items is None or strips.items is None:
            raise FormatError("a mesh without points or without triangles", instance.start)
        where = points.items.astype(np.float64)
        if not (np.abs(where) <= LARGEST).all():
            raise FormatError("points that are no numbers, or out of all reach", instance.start)
        triangles = _triangles(strips.items)
        there: NDArray[np.bool_] = np.all(triangles < len(where), axis=1)
        if not there.all():
            log.warning(f"{int((~there).sum())} triangles on points that are not there: left out")
        normals, uvs = _each(part("normals", "VCRA"), len(where), 3), _each(part("uvs", "TXCA"), len(where), 2)
        faces = _faces(part("face_normals", "VCRA"), part("normal_of", "IDXA"), len(triangles))
    texture = texture_name(instance, int(head["texture"]), library)
    numbers = np.flatnonzero(there)
    triangles, faces = triangles[there], faces[there]
    own = own_normals(where, triangles)
    rotated = np.einsum("ij,ij->i", own, faces) < 0
    triangles = np.where(rotated[:, None], triangles[:, [0, 2, 1]], triangles)
    own = np.where(rotated[:, None], -own, own)
    faces = np.where(np.abs(faces).max(axis=1, initial=0, keepdims=True) > 0, faces, own)
    whole = (triangles[:, 0] != triangles[:, 1]) & (triangles[:, 1] != triangles[:, 2]) & (triangles[:, 0] != triangles[:, 2])
    return Piece(where, normals, uvs, triangles[whole], faces[whole], texture, numbers[whole], len(there) - len(numbers))


def _triangles(strips: NDArray[np.int32]) -> NDArray[np.int64]:
    """(T, 3) points of all triangles, every second one of a strip reversed, so that all face the same side."""
    index = strips.astype(np.int64) & 0x7FFFFFFF
    instance = np.arange(len(index))
    start = np.maximum.accumulate(np.where(strips < 0, instance, -1)) if len(index) else instance
    last = np.flatnonzero((start >= 0) & (instance - start >= 2))
    result = np.stack([index[last - 2], index[last - 1], index[last]], axis=1)
    odd = ((last - start[last]) % 2 == 1)[:, None]
    return np.where(odd, result[:, [1, 0, 2]], result)


def to_strips(triangles: NDArray[np.int64]) -> NDArray[np.int32]:
    """(3 T,) the inverse of `_triangles`, each triangle a strip of its own."""
    index = triangles.astype(np.uint32)
    index[:, 0] |= NEW_STRIP
    return index.reshape(-1).view(np.int32)


def _each(record: BodyRecord | None, count: int, width: int) -> Floats:
    """(count, width) one row for each point; 0 where there is none."""
    out = np.zeros((count, width))
    if record is not None and record.items is not None:
        rows = _numbers(record.items[:count])
        out[: len(rows)] = rows
    return out


def _faces(normals: BodyRecord | None, normal_of: BodyRecord | None, count: int) -> Floats:
    """(count, 3) of the triangles; 0 where it is not stored."""
    out = np.zeros((count, 3))
    if normals is None or normal_of is None or normals.items is None or normal_of.items is None or not len(normals.items):
        return out
    which = normal_of.items[:count].astype(np.int64)
    known = (which >= 0) & (which < len(normals.items))
    rows = np.flatnonzero(known)
    out[rows] = _numbers(normals.items[which[rows]])
    return out


def _numbers(stored: NDArray[np.float32]) -> Floats:
    """As the file has them, 0 for what is none."""
    values = stored.astype(np.float64)
    return values if finite.are(values) else np.nan_to_num(values, posinf=0.0, neginf=0.0)


def own_normals(points: Floats, triangles: NDArray[np.int64]) -> Floats:
    """(T, 3) of length 1; 0 for triangles without a surface."""
    one, two, three = points[triangles[:, 0]], points[triangles[:, 1]], points[triangles[:, 2]]
    cross = directions.cross(two - one, three - one)
    length = np.linalg.norm(cross, axis=1, keepdims=True)
    return np.where(length > 0, cross / np.where(length > 0, length, 1), 0.0)
