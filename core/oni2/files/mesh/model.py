"""What both forms of a mesh file hold: vertices carried by one bone each, in packets of strips, packets in materials."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....reporting import log
from ....reporting.errors import FormatError
from ....surface.mesh import Material, Mesh

NONE = -1
"""An index that stands for nothing: no normal, no colour, no texture coordinate."""

_MOST_BONES = 1 << 20
"""More than any skeleton has."""


@dataclass(frozen=True)
class Surface:
    """A material of the file. packets: how many belong to it, in order. diffuse: red, green, blue. texture: "" without one."""

    name: str
    packets: int
    diffuse: tuple[float, float, float]
    texture: str


@dataclass(frozen=True, eq=False)
class Packet:
    """adjuncts: (A, 6) indices of vertex, normal, colour, first and second texture coordinate, and
    index into `matrices`.
    triangles: (T, 3) adjuncts, counter-clockwise from outside. matrices: (M,) bone numbers; empty where that
    index is the bone number itself."""

    adjuncts: NDArray[np.int64]
    triangles: NDArray[np.int64]
    matrices: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Faces:
    """The triangles that can be shown. adjuncts: (C, 6) of each corner, as a packet has them. bones: (C,) that carry the corners. packets:
    (C / 3,) of each triangle. lost: how many cannot be shown."""

    adjuncts: NDArray[np.int64]
    bones: NDArray[np.int64]
    packets: NDArray[np.int64]
    lost: int


@dataclass(frozen=True, eq=False)
class Model:
    """vertices, normals: (N, 3). colours: (N, 4), red, green, blue, alpha. coordinates: (N, 2), v downwards."""

    vertices: NDArray[np.float32]
    normals: NDArray[np.float32]
    colours: NDArray[np.float32]
    coordinates: NDArray[np.float32]
    surfaces: tuple[Surface, ...]
    packets: tuple[Packet, ...]

    @property
    def bone_count(self) -> int:
        """One more than the highest bone number in use."""
        return max((int(_bones(packet).max(initial=-1)) for packet in self.packets), default=-1) + 1

    def check(self) -> None:
        """Raises FormatError, naming the packet, for a bone that no skeleton has."""
        for number, packet in enumerate(self.packets):
            if (beyond := (bones := _bones(packet)) >= _MOST_BONES).any():
                raise FormatError(f"packet {number}: bone {bones[beyond][0]} of {_MOST_BONES}")

    def faces(self) -> Faces:
        """What the triangles name, left out where that is an adjunct, a vertex or a bone that is not there."""
        whole = [(packet, packet.triangles, _inside(packet.triangles, len(packet.adjuncts))) for packet in self.packets]
        parts = [(_adjuncts(packet, np.where(inside, triangles, 0)), inside) for packet, triangles, inside in whole]
        used = np.concatenate([*(adjuncts for (adjuncts, _), _ in parts), np.zeros((0, 3, 6), np.int64)])
        bones = np.concatenate([*(bones for (_, bones), _ in parts), np.zeros((0, 3), np.int64)])
        inside = np.concatenate([*(inside for _, inside in parts), np.zeros((0, 3), np.bool_)])
        there = (inside & _inside(used[:, :, 0], len(self.vertices)) & (bones >= 0)).all(axis=1)
        packets = np.repeat(np.arange(len(self.packets)), [len(packet.triangles) for packet in self.packets])
        return Faces(used[there].reshape(-1, 6), bones[there].ravel(), packets[there], int((~there).sum()))

    def mesh(self, heads: NDArray[np.float64], placed: bool) -> Mesh:
        """The surface at rest. heads: (bones, 3) where each bone is. placed: vertices are in character space already.

        Raises FormatError when a bone is used that is not there.
        """
        if self.bone_count > len(heads):
            raise FormatError(f"bone {self.bone_count - 1} carries vertices, but the skeleton has {len(heads)} bones")
        shown = self.faces()
        if shown.lost:
            log.warning(f"{shown.lost} triangles on vertices that are not there: left out")
        used = shown.adjuncts
        pairs, corner = np.unique(np.stack([used[:, 0], shown.bones], axis=1), axis=0, return_inverse=True)
        vertex, bone = pairs[:, 0], pairs[:, 1]
        points = self.vertices[vertex].astype(np.float64) + (0 if placed else heads[bone])
        faces = len(used) // 3
        colours = _rows(self.colours, used[:, 2], np.ones(4)) if len(self.colours) else None
        coordinates = _rows(self.coordinates, used[:, 3], np.zeros(2)) if len(self.coordinates) else None
        uvs = {} if coordinates is None else {"t1": coordinates * [1, -1] + [0, 1]}
        return Mesh(
            points=points,
            bones=bone,
            starts=np.arange(faces) * 3,
            counts=np.full(faces, 3),
            corners=corner.reshape(-1),
            normals=_rows(self.normals, used[:, 1], np.zeros(3)),
            material_of=self._surface_of_packets()[shown.packets],
            materials=[self._material(surface, colours is not None) for surface in self.surfaces] or [_material("oni2", (0.8,) * 3)],
            lines=[],
            spheres=[],
            uvs=uvs,
            colours=None if colours is None else np.rint(colours.clip(0, 1) * 255).astype(np.uint8),
        )

    def _surface_of_packets(self) -> NDArray[np.int64]:
        """(packets,) by the materials' own counts; what is left over belongs to the last one."""
        last = max(len(self.surfaces) - 1, 0)
        counts = np.minimum([surface.packets for surface in self.surfaces], len(self.packets)).astype(np.int64)
        order = np.repeat(np.arange(len(counts)), counts)[: len(self.packets)]
        return np.concatenate([order, np.full(len(self.packets) - len(order), last)]).astype(np.int64)

    def _material(self, surface: Surface, coloured: bool) -> Material:
        return _material(surface.name, surface.diffuse, coloured, {"texture": surface.texture} if surface.texture else {})


def _material(name: str, diffuse: tuple[float, ...], coloured: bool = False, properties: dict[str, str] | None = None) -> Material:
    red, green, blue = (min(max(part, 0.0), 1.0) for part in diffuse)
    return Material(name, "SMOOTH", ((red, green, blue),), coloured=coloured, properties=dict(properties or {}))


def triangles_of(strips: NDArray[np.int64], counts: Sequence[int], swapped: Sequence[bool]) -> NDArray[np.int64]:
    """(T, 3) of strips (N,), one behind the other, of which each has so many numbers: the winding of every second triangle is reversed, the
    first one where it is `swapped`; those without an area are left out."""
    lengths = np.array(counts, np.int64)
    strip = np.repeat(np.arange(len(lengths)), lengths)
    at = np.arange(len(strips)) - (lengths.cumsum() - lengths)[strip]
    first = np.flatnonzero(at < lengths[strip] - 2)
    rows = np.stack([strips[first], strips[first + 1], strips[first + 2]], axis=1)
    odd = (at + np.array(swapped, np.bool_)[strip])[first] % 2 == 1
    rows[odd] = rows[odd][:, ::-1]
    flat = (rows[:, 0] == rows[:, 1]) | (rows[:, 1] == rows[:, 2]) | (rows[:, 0] == rows[:, 2])
    return rows[~flat]


def _bones(packet: Packet) -> NDArray[np.int64]:
    """(A,) the bone of each adjunct, a number below 0 where it names none."""
    matrix = packet.adjuncts[:, 5]
    if not len(packet.matrices):
        return matrix
    inside = _inside(matrix, len(packet.matrices))
    return np.where(inside, packet.matrices[np.where(inside, matrix, 0)], NONE)


def _adjuncts(packet: Packet, triangles: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(T, 3, 6) and the bones (T, 3) of the corners of triangles."""
    if not len(packet.adjuncts):
        return np.full((*triangles.shape, 6), NONE), np.full(triangles.shape, NONE)
    return packet.adjuncts[triangles], _bones(packet)[triangles]


def _rows(table: NDArray[np.float32], index: NDArray[np.int64], missing: NDArray[np.float64]) -> NDArray[np.float64]:
    """The rows of a table, `missing` where the index is NONE or leads nowhere."""
    inside = _inside(index, len(table))
    if not inside.any():
        return np.tile(missing, (len(index), 1))
    return np.where(inside[:, None], table[np.where(inside, index, 0)].astype(np.float64), missing)


def _inside(values: NDArray[np.int64], count: int) -> NDArray[np.bool_]:
    return (values >= 0) & (values < count)
