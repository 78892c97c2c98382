"""The mesh block of a mesh file: vertices in model space at bind, triangles, and weights through a palette of bones."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....files.binary import Reader
from ....reporting import log
from ....reporting.errors import FormatError
from ....reporting.labels import counted
from .materials import OLD_STATE, STATE

NORMAL, DIFFUSE, BLENDED = 0x10, 0x40, 0x1000
"""Bits of the flexible vertex format (Direct3D's FVF). Texture coordinates: 0x100 one set, else 0x200 two, 0x400 four."""
TRIANGLES = 4
"""The primitive type of triangle lists, the only one in the game's files."""
ELEMENTS = 0x1004
"""From this version on there are vertex elements, and the subsets come last."""
OLD_WEIGHTS = 2
"""Weights that count in older ones, whose header does not say how many."""

ELEMENT = np.dtype([("stream", "<u2"), ("offset", "<u2"), ("type", "u1"), ("method", "u1"), ("usage", "u1"), ("usage_index", "u1")])
BLEND = np.dtype([("index", "u1", 4), ("weight", "<f4", 4)])
SUBSET = np.dtype([("primitive_count", "<u4"), ("start_index", "<u4"), ("vertex_count", "<u4"), ("min_index", "<u4")])

Floats = NDArray[np.float32]


def uv_sets(fvf: int) -> int:
    """How many sets of texture coordinates the engine reads; three sets (0x300) count as one."""
    return next((count for count in (1, 2, 4) if fvf & count << 8), 0)


@dataclass(frozen=True, eq=False)
class Geometry:
    """Every field of the block. V vertices.

    fvf: says which of the arrays there are, and must agree with them. render_states: (8,) of `STATE`, in the oldest files (2, 8) of
    `OLD_STATE`. positions: (V, 3). normals: (V, 3). uvs: (sets, V, 2), v downwards. colours: (V, 4) blue, green, red, alpha.
    blend: (V,) of `BLEND`, whose index is into palette. palette: bones of the skeleton; one byte each in old files.
    indices: three for each triangle, of vertices that may not be there.
    subsets: one for each material. influences: weights in use for each vertex, None in old files.
    elements: array of `ELEMENT`. unused_palette: the length that the header gives a palette that is not in the file.
    """

    fvf: int
    positions: Floats
    indices: NDArray[np.uint32]
    subsets: NDArray[Any]
    normals: Floats | None = None
    uvs: Floats = field(default_factory=lambda: np.zeros((0, 0, 2), "<f4"))
    colours: NDArray[np.uint8] | None = None
    blend: NDArray[Any] | None = None
    palette: NDArray[Any] = field(default_factory=lambda: np.zeros(0, "<u4"))
    influences: int | None = None
    elements: NDArray[Any] = field(default_factory=lambda: np.zeros(0, ELEMENT))
    render_states: NDArray[Any] = field(default_factory=lambda: np.zeros(8, STATE))
    primitive_type: int = TRIANGLES
    unused_palette: int = 0
    old_version: int = 0
    rest: bytes = b""

    @classmethod
    def parse(cls, reader: Reader, version: int) -> Geometry:
        """The whole of `reader`. version: the file's. Raises FormatError when arrays do not fit."""
        start = reader.offset
        old_version = reader.u32("version of the mesh") if version == 0 else 0
        layout = version or old_version
        if layout not in (0, 1) and layout < 0x1000:
            raise FormatError(f"a mesh of version {layout}, which is none of 0, 1", start)
        fields = ("vertex format", "primitive type", "vertex count", "index count", "subset count", "palette length")
        fvf, primitive_type, vertices, index_count, subset_count, palette_length = map(reader.u32, fields)
        influences = reader.u32("bone influences") if layout >= ELEMENTS else None
        element_count = reader.u32("vertex element count") if layout >= ELEMENTS else 0
        render_states = (
            reader.array(OLD_STATE, 16, "render states").reshape(2, 8) if layout == 0 else reader.array(STATE, 8, "render states")
        )
        elements = reader.array(ELEMENT, element_count, "vertex elements")
        subsets = reader.array(SUBSET, subset_count, "subsets") if layout < ELEMENTS else np.zeros(0, SUBSET)
        positions = _vectors(reader, 3, vertices, "positions")
        normals = _vectors(reader, 3, vertices, "normals") if fvf & NORMAL else None
        uvs = _vectors(reader, 2, vertices * uv_sets(fvf), "texture coordinates").reshape(-1 if vertices else 0, vertices, 2)
        colours = reader.array("u1", 4 * vertices, "colours").reshape(-1, 4) if fvf & DIFFUSE else None
        blended = palette_length > 0 if layout >= ELEMENTS else bool(fvf & BLENDED)
        blend = reader.array(BLEND, vertices, "weights") if blended else None
        palette = reader.array("<u4" if layout >= ELEMENTS else "u1", palette_length if blended else 0, "palette")
        indices = reader.array("<u4", index_count, "indices")
        if layout >= ELEMENTS:
            subsets = reader.array(SUBSET, subset_count, "subsets")
        mesh = cls(
            fvf, positions, indices, subsets, normals, uvs, colours, blend, palette, influences, elements, render_states, primitive_type,
            0 if blended else palette_length, old_version, reader.rest(),
        )  # fmt: skip
        mesh._check()
        return mesh

    def pack(self, version: int) -> bytes:
        """The block in a file of `version`, which must be of the kind it was read from."""
        layout = version or self.old_version
        head = [self.old_version] if version == 0 else []
        palette_length = len(self.palette) if self.blend is not None else self.unused_palette
        head += [self.fvf, self.primitive_type, len(self.positions), len(self.indices), len(self.subsets), palette_length]
        if layout >= ELEMENTS:
            head += [self.influences or 0, len(self.elements)]
        parts = [np.array(head, "<u4"), self.render_states, self.elements]
        parts += [self.subsets] if layout < ELEMENTS else []
        parts += [self.positions, self.normals, self.uvs, self.colours, self.blend, self.palette, self.indices]
        parts += [self.subsets] if layout >= ELEMENTS else []
        return b"".join(part.tobytes() for part in parts if part is not None) + self.rest

    @property
    def weights_in_use(self) -> int:
        """How many of the four weights count: what the header says, two in old files, as the engine has it."""
        return OLD_WEIGHTS if self.influences is None else min(max(self.influences, 1), 4)

    @cached_property
    def triangles(self) -> NDArray[np.int64]:
        """(T, 3) vertices of each triangle, whether they are there or not, in the file's winding; none where the primitives are something
        else."""
        if self.primitive_type != TRIANGLES:
            return np.zeros((0, 3), np.int64)
        return self.indices[: len(self.indices) // 3 * 3].astype(np.int64).reshape(-1, 3)

    @cached_property
    def triangle_subsets(self) -> NDArray[np.int64]:
        """(T,) the subset, and so the material, of each triangle; 0 for those that no subset names."""
        numbers = np.zeros(len(self.triangles), np.int64)
        for index, subset in enumerate(self.subsets):
            first = int(subset["start_index"]) // 3
            numbers[first : first + int(subset["primitive_count"])] = index
        return numbers

    @property
    def draws(self) -> NDArray[np.int64]:
        """(T,) how often the game draws each triangle: as many subsets name it."""
        count = len(self.triangles)
        first = self.subsets["start_index"].astype(np.int64) // 3
        ends = np.minimum(first + self.subsets["primitive_count"], count)
        first = np.minimum(first, count)
        return np.cumsum(np.bincount(first, minlength=count + 1) - np.bincount(ends, minlength=count + 1))[:count]

    def bones_and_weights(self, bone_count: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """(V, N) bones of the skeleton and (V, N) weights, for a mesh with weights on a skeleton of `bone_count` bones.

        Weights of a vertex that are all 0 become 1 on its first bone. Weights on bones, or indices into the palette, that do not exist
        become 0; that is warned of. Raises ValueError for a mesh without weights.
        """
        if self.blend is None:
            raise ValueError("the mesh has no weights")
        count = self.weights_in_use
        slots = self.blend["index"][:, :count].astype(np.int64)
        weights = np.nan_to_num(self.blend["weight"][:, :count].astype(np.float64), nan=0.0, posinf=0.0, neginf=0.0)
        weights[~weights.any(axis=1), 0] = 1
        inside = slots < len(self.palette)
        bones = self.palette.astype(np.int64)[np.where(inside, slots, 0)] if len(self.palette) else np.zeros_like(slots)
        there = inside & (bones < bone_count)
        if (lost := int(((weights != 0) & ~there).any(axis=1).sum())) > 0:
            who = counted(lost, "vertex has", "vertices have")
            log.warning(f"{who} weights on bones that the skeleton does not have: probably it is the wrong skeleton")
        return np.where(there, bones, 0), np.where(there, weights, 0)

    def _check(self) -> None:
        if self.primitive_type != TRIANGLES:
            log.warning(f"primitives of type {self.primitive_type}, not triangles; kept, not shown")
        elif len(self.indices) % 3:
            log.warning(f"{len(self.indices)} indices are no whole number of triangles")
        arrays = [self.positions, self.normals, self.uvs, None if self.blend is None else self.blend["weight"]]
        if not all(np.isfinite(array).all() for array in arrays if array is not None):
            log.warning("values that are not finite in the mesh; kept")


def _vectors(reader: Reader, size: int, count: int, what: str) -> Floats:
    """(count, size)"""
    return reader.array("<f4", size * count, what).reshape(-1, size)
