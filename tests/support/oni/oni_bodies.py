"""A body by the formats' description alone: the bytes of a .oni -> points, triangles and joints. Shares no code with the package."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass
class Bone:
    """points, normals, uvs: (P, ...). triangles: (T, 3), their sides by `faces` (T, 3), the normals. strips: bytes. box: (2, 3)."""

    points: np.ndarray
    normals: np.ndarray
    uvs: np.ndarray
    triangles: np.ndarray
    faces: np.ndarray
    strips: bytes
    box: np.ndarray
    parts: tuple[int, ...]


@dataclass
class Figure:
    name: str
    bones: list[Any]
    offsets: np.ndarray
    levels: set[int]
    spans: list[tuple[int, int]]

    def where(self, bone: int) -> list[tuple[int, int]]:
        """The spans in the file of all records of a bone's mesh."""
        return [self.spans[index] for index in self.bones[bone].parts]


def read(data: bytes, level: int = 4) -> Figure:
    """Of a TRBS in a file of version 32."""
    count = struct.unpack_from("<I", data, 0x14)[0]
    table, _, names = struct.unpack_from("<3I", data, 0x20)
    rows = [struct.unpack_from("<4s4I", data, 0x40 + 20 * index) for index in range(count)]
    spans = [(table + at - 8, table + at - 8 + size) if at else (0, 0) for _, at, _, size, _ in rows]
    for index, (first, last) in enumerate(spans):
        assert last == first or struct.unpack_from("<I", data, first)[0] == index << 8 | 1, "an instance's own number"

    def record(index: int) -> bytes:
        first, last = spans[index]
        return data[first + 8 : last]

    def follow(body: bytes, at: int) -> int:
        link = struct.unpack_from("<I", body, at)[0]
        assert link == 0 or (link & 0xFF == 1 and link >> 8 < count)
        return link >> 8

    def array(index: int, kind: str, at: int, width: int) -> np.ndarray:
        body = record(index)
        number = struct.unpack_from("<I", body, at)[0]
        return (
            np.frombuffer(body, kind, number * width, at + 4).reshape(-1, width) if width > 1 else np.frombuffer(body, kind, number, at + 4)
        )

    assert rows[0][0] == b"SBRT"
    links = [follow(record(0), 4 * each) for each in range(5)]
    model = record(links[level])
    meshes, joints = record(follow(model, 0x54)), record(follow(model, 0x58))
    number = struct.unpack_from("<H", meshes, 22)[0]
    bones: list[Bone | None] = []
    for bone in range(number):
        mesh = follow(meshes, 24 + 4 * bone)
        if not mesh:
            bones.append(None)
            continue
        parts = [follow(record(mesh), 4 + 4 * each) for each in range(6)]
        points, normals, table_of, uvs = (array(parts[each], "<f4", 52 if each == 0 else 20, 2 if each == 3 else 3) for each in range(4))
        strips, which = array(parts[4], "<u4", 20, 1), array(parts[5], "<i4", 20, 1)
        triangles = _triangles(strips.tolist())
        assert len(which) == len(triangles)
        faces = table_of[which]
        one, two, three = (points[triangles[:, corner]] for corner in range(3))
        away = np.einsum("ij,ij->i", np.cross(two - one, three - one), faces) < 0
        triangles = np.where(away[:, None], triangles[:, [0, 2, 1]], triangles)
        box = np.frombuffer(record(parts[0]), "<f4", 6, 12).reshape(2, 3)
        bones.append(Bone(points, normals, uvs, triangles, faces, strips.tobytes(), box, (mesh, *parts)))
    offsets = np.frombuffer(joints, "<f4", 3 * number, 24).reshape(-1, 3)
    start = names + rows[0][2]
    return Figure(data[start : data.index(b"\0", start)].decode(), bones, offsets, set(links), spans)


def _triangles(strips: list[int]) -> np.ndarray:
    """An index with the top bit starts a strip; of each strip every second triangle faces the other side."""
    result: list[tuple[int, int, int]] = []
    strip: list[int] = []
    for index in strips:
        strip = [index & 0x7FFFFFFF] if index >> 31 else [*strip, index]
        if len(strip) > 2:
            a, b, c = strip[-3:]
            result.append((a, b, c) if len(strip) % 2 else (b, a, c))
    return np.array(result, np.int64).reshape(-1, 3)


def textures_of(data: bytes) -> list[str]:
    """The names that a TRMA, the first instance of a file of version 32, leads to for each bone, "" for none."""
    table, _, names = struct.unpack_from("<3I", data, 0x20)
    rows = [struct.unpack_from("<4s4I", data, 0x40 + 20 * index) for index in range(struct.unpack_from("<I", data, 0x14)[0])]
    assert rows[0][0] == b"AMRT"
    first = table + rows[0][1]
    links = struct.unpack_from(f"<{struct.unpack_from('<H', data, first + 22)[0]}I", data, first + 24)
    for link in links:
        assert not link or (link & 0xFF == 1 and rows[link >> 8][0] == b"PMXT")
    return [data[names + rows[link >> 8][2] :].split(b"\0", 1)[0].decode() if link else "" for link in links]
