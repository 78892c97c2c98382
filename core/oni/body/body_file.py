"""A body as a .oni of its own: TRBS, its TRCM and everything below, laid out as OniSplit writes them [GeometryDatWriter.cs]."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations.rotation_matrix import Floats
from ...reporting.errors import ExportError
from ..files.instances import PLACEHOLDER, UNNAMED
from ..files.onifile import OniFile, Part
from ..records.body_records import SHAPES, BodyRecord
from .body import MOST_BONES, Body
from .geometry import NO_SURFACE, Piece, to_strips

TAG = "TRBS"


def body_file(body: Body, name: str) -> OniFile:
    """A file with the body at all levels of detail. name: with the tag. Raises ExportError for what the format cannot hold."""
    if not 0 < len(body) <= MOST_BONES:
        raise ExportError(f"{name}: {len(body)} bones; 1 to {MOST_BONES} are possible")
    if not name.startswith(TAG):
        raise ExportError(f"{name}: the name of a body begins with {TAG}")
    parts = _Parts()
    parts.add("TRBS", levels=[_link(1)] * 5)
    parts.add("TRCM", bone_count=len(body), meshes=_link(2), offsets=_link(3), hierarchy=_link(4))
    meshes = len(parts.records)
    parts.add("TRGA", items=np.zeros(len(body), "<u4"))
    parts.add("TRTA", items=body.offsets.astype("<f4"))
    parts.add("TRIA", items=hierarchy_of(body.parents))
    links = [parts.piece(piece or NO_SURFACE) for piece in body.pieces]
    parts.records[meshes] = BodyRecord("TRGA", parts.records[meshes].head, np.array(links, "<u4"), b"")
    return parts.file(name)


class _Parts:
    """The instances of a file that is put together; textures are placeholders behind them."""

    def __init__(self) -> None:
        self.records: list[BodyRecord] = []
        self.texture_of: dict[int, str] = {}

    def add(self, tag: str, items: NDArray[Any] | None = None, **fields: Any) -> int:
        """Another instance; the link to it. items: (n, ...) of the shape's."""
        head = np.zeros((), SHAPES[tag].head)
        for field, value in fields.items():
            head[field] = value
        self.records.append(BodyRecord(tag, head, items, bytes(SHAPES[tag].room)))
        return _link(len(self.records) - 1)

    def piece(self, piece: Piece) -> int:
        """A mesh and its parts; the link to it."""
        index = len(self.records)
        names = ("points", "normals", "face_normals", "uvs", "strips", "normal_of")
        mesh = self.add("M3GM", None, **{name: _link(index + 1 + instance) for instance, name in enumerate(names)})
        points = piece.points.astype("<f4")
        self.add("PNTA", points, box=box_of(points), sphere=sphere_of(points))
        self.add("VCRA", piece.normals.astype("<f4"))
        self.add("VCRA", piece.faces.astype("<f4"))
        self.add("TXCA", piece.uvs.astype("<f4"))
        self.add("IDXA", to_strips(piece.triangles))
        self.add("IDXA", np.arange(len(piece.triangles), dtype="<i4"))
        if piece.texture:
            self.texture_of[index] = piece.texture
        return mesh

    def file(self, name: str) -> OniFile:
        textures = list(dict.fromkeys(self.texture_of.values()))
        for index, texture in self.texture_of.items():
            self.records[index].head["texture"] = _link(len(self.records) + textures.index(texture))
        result = [
            Part(record.tag, "" if index else name, body=record.pack(), flags=UNNAMED if index else 0)
            for index, record in enumerate(self.records)
        ]
        return OniFile.build([*result, *(Part("TXMP", texture, flags=PLACEHOLDER) for texture in textures)])


def _link(index: int) -> int:
    return index << 8 | 1


def hierarchy_of(parents: NDArray[np.int32]) -> NDArray[Any]:
    """(B,) of TRIA's items, children in the order of their numbers."""
    kind = SHAPES["TRIA"].item
    assert kind is not None
    out = np.zeros(len(parents), kind)
    last: dict[int, int] = {}
    for bone, parent in enumerate(parents.tolist()):
        if parent < 0:
            continue
        if parent in last:
            out["sibling"][last[parent]] = bone
        else:
            out["child"][parent] = bone
        out["parent"][bone] = parent
        last[parent] = bone
    return out


def box_of(points: NDArray[Any]) -> Floats:
    """(2, 3)."""
    return np.array([points.min(axis=0), points.max(axis=0)]) if len(points) else np.zeros((2, 3))


def sphere_of(points: NDArray[Any]) -> Floats:
    """(4,) a middle and a radius that hold all points."""
    middle = box_of(points).mean(axis=0)
    return np.append(middle, np.linalg.norm(points - middle, axis=1).max(initial=0.0))
