"""The helper block of a mesh file: dummies, boxes, collision meshes, and bounding boxes and spheres."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....files.binary import Reader

DUMMIES, BOXES, MESHES, BOUNDING_BOXES, SPHERES = 1, 2, 4, 0x10, 0x20
"""Bits of the type mask."""

_MATRIX = ("matrix", "<f4", (4, 4))
_BOX = [("centre", "<f4", 3), ("radius", "<f4", 3)]

DUMMY = np.dtype([("id", "<u4"), _MATRIX, ("local", "<f4", (4, 4)), ("parent_type", "<u4"), ("parent", "<u4")])
OLD_DUMMY = np.dtype([("id", "<u4"), _MATRIX])
BOX = np.dtype([("id", "<u4"), ("type", "<u4"), ("state", "<u4"), *_BOX, _MATRIX, ("name", "u1", 32)])
MESH = np.dtype([("id", "<u4"), ("type", "<u4"), ("sub_type", "<u4"), ("name", "u1", 32), ("state", "<u4"), _MATRIX, *_BOX])
FACE = np.dtype([("vertices", "<u4", 3), ("neighbours", "<u4", 3), ("plane", "<f4", 4), ("centre", "<f4", 3)])
BOUNDING_BOX = np.dtype([("id", "<u4"), *_BOX, _MATRIX])
SPHERE = np.dtype([("id", "<u4"), ("centre", "<f4", 3), ("radius", "<f4"), _MATRIX])

LAST_SMALL_DUMMY = 0x1000
"""Up to this version a dummy has no parent and no local matrix."""


@dataclass(frozen=True, eq=False)
class HelperMesh:
    """head: (1,) of `MESH`. vertices: (n, 3). faces: array of `FACE`."""

    head: NDArray[Any]
    vertices: NDArray[np.float32]
    faces: NDArray[Any]

    @classmethod
    def parse(cls, reader: Reader) -> HelperMesh:
        head = reader.array(MESH, 1, "helper mesh")
        vertices, faces = reader.u32("vertex count"), reader.u32("face count")
        return cls(head, reader.array("<f4", 3 * vertices, "vertices").reshape(-1, 3), reader.array(FACE, faces, "faces"))

    def pack(self) -> bytes:
        return self.head.tobytes() + _counts(len(self.vertices), len(self.faces)) + self.vertices.tobytes() + self.faces.tobytes()


@dataclass(frozen=True, eq=False)
class Helpers:
    """What is None is not in the file. Matrices are in model space at bind.

    dummies: array of `DUMMY`, in old files of `OLD_DUMMY`. boxes: array of `BOX`. bounding_boxes: array of `BOUNDING_BOX`.
    spheres: array of `SPHERE`, whose id is the dummy of the skeleton that it follows. other_types: further bits of the type mask.
    old_version: the block's own version in a version 0 file.
    """

    dummies: NDArray[Any] | None = None
    boxes: NDArray[Any] | None = None
    meshes: tuple[HelperMesh, ...] | None = None
    bounding_boxes: NDArray[Any] | None = None
    spheres: NDArray[Any] | None = None
    other_types: int = 0
    old_version: int = 0
    rest: bytes = b""

    @classmethod
    def parse(cls, reader: Reader, version: int) -> Helpers:
        """The whole of `reader`. version: the file's. Raises FormatError."""
        old_version = reader.u32("version of the helpers") if version == 0 else 0
        types = reader.u32("helper types")

        def table(bit: int, record: np.dtype[Any], what: str) -> NDArray[Any] | None:
            return reader.array(record, reader.u32(f"number of {what}"), what) if types & bit else None

        dummies = table(DUMMIES, OLD_DUMMY if version <= LAST_SMALL_DUMMY else DUMMY, "dummies")
        boxes = table(BOXES, BOX, "boxes")
        meshes = tuple(HelperMesh.parse(reader) for _ in range(reader.u32("number of helper meshes"))) if types & MESHES else None
        bounding_boxes = table(BOUNDING_BOXES, BOUNDING_BOX, "bounding boxes")
        spheres = table(SPHERES, SPHERE, "bounding spheres")
        known = DUMMIES | BOXES | MESHES | BOUNDING_BOXES | SPHERES
        return cls(dummies, boxes, meshes, bounding_boxes, spheres, types & ~known, old_version, reader.rest())

    def pack(self, version: int) -> bytes:
        parts: list[tuple[int, bytes | None]] = [
            (DUMMIES, _table(self.dummies)),
            (BOXES, _table(self.boxes)),
            (MESHES, None if self.meshes is None else _counts(len(self.meshes)) + b"".join(mesh.pack() for mesh in self.meshes)),
            (BOUNDING_BOXES, _table(self.bounding_boxes)),
            (SPHERES, _table(self.spheres)),
        ]
        types = self.other_types | sum(bit for bit, part in parts if part is not None)
        head = [self.old_version, types] if version == 0 else [types]
        return _counts(*head) + b"".join(part for _, part in parts if part is not None) + self.rest


def _counts(*numbers: int) -> bytes:
    return np.array(numbers, "<u4").tobytes()


def _table(records: NDArray[Any] | None) -> bytes | None:
    return None if records is None else _counts(len(records)) + records.tobytes()
