"""A body as both games share it: groups that hang on points of their parents, and a rigid mesh on them."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...motion.rigs.skeleton import Skeleton
from ...surface.mesh import Mesh
from ..files.lm1 import GOURAUD, GROUP_SIZE, POINT_SIZE, Lm1
from ..files.lm2 import ROOT, Lm2
from ..files.palette import Palette
from ..files.texture import TexturePage
from . import lm1_mesh, lm2_mesh
from .light import Look, colours_of

_PLAIN_SPACING = 100.0
"""Between the bones of an armature that was built without a body, in game units."""


@dataclass(frozen=True, eq=False)
class Body:
    """parents: (G,) -1 for the first group, which the animation does not turn, and for others that stand at the origin as it does.
    pivots: (G,) the point that a group hangs on, of the parent group (not used without one).
    group_of: (P,) group of every point. points: (P, 3) relative to their group's pivot. source: the file, None for a plain armature.
    data: its bytes, where they are at hand."""

    parents: NDArray[np.int64]
    pivots: NDArray[np.int64]
    group_of: NDArray[np.int64]
    points: NDArray[np.float64]
    source: Lm1 | Lm2 | None = None
    data: bytes = b""

    @classmethod
    def of(cls, document: Lm1 | Lm2, data: bytes = b"") -> Body:
        """Of either game's body. data: what it packs to, where that is at hand."""
        body = cls.from_lm1(document) if isinstance(document, Lm1) else cls.from_lm2(document)
        return replace(body, data=data)

    @classmethod
    def from_lm1(cls, lm1: Lm1) -> Body:
        points = lm1.points.astype(np.float64)
        if lm1.groups is None:
            return cls(np.array([-1]), np.zeros(1, np.int64), np.zeros(len(points), np.int64), points, lm1)
        parents = np.where(lm1.groups["parent"] < 0, -1, lm1.groups["parent"].astype(np.int64) // GROUP_SIZE)
        group_of = np.repeat(np.arange(len(parents)), lm1.groups["point_count"])
        return cls(parents, lm1.groups["pivot"].astype(np.int64) // POINT_SIZE, group_of, points, lm1)

    @classmethod
    def from_lm2(cls, lm2: Lm2) -> Body:
        points = lm2.points["position"].astype(np.float64)
        if not lm2.animated:
            return cls(np.array([-1]), np.zeros(1, np.int64), np.zeros(len(points), np.int64), points, lm2)
        parents = lm2.groups["parent"].astype(np.int64)
        parents[(parents == ROOT) | (np.arange(len(parents)) == 0)] = -1
        group_of = np.repeat(np.arange(len(parents)), lm2.groups["point_count"])
        return cls(parents, lm2.groups["pivot"].astype(np.int64), group_of, points, lm2)

    @classmethod
    def plain(cls, groups: int) -> Body:
        """A stand-in where there is no body: every bone hangs on the root, side by side."""
        points = np.zeros((groups, 3))
        points[1:, 0] = _PLAIN_SPACING * (np.arange(1, groups) - groups / 2)
        points[1:, 1] = _PLAIN_SPACING
        parents = np.zeros(groups, np.int64)
        parents[0] = -1
        return cls(parents, np.arange(groups), np.zeros(groups, np.int64), points)

    @property
    def group_count(self) -> int:
        return len(self.parents)

    @property
    def pivot_positions(self) -> NDArray[np.float64]:
        """(G, 3) rest position of every group's pivot."""
        positions = np.zeros((self.group_count, 3))
        for group, parent in enumerate(self.parents.tolist()):
            if parent >= 0:
                pivot = self.pivots[group]
                positions[group] = positions[self.group_of[pivot]] + self.points[pivot]
        return positions

    @property
    def rest_points(self) -> NDArray[np.float64]:
        """(P, 3) in character space, all angles zero."""
        return self.pivot_positions[self.group_of] + self.points

    def skeleton(self) -> Skeleton:
        """Bones named after their group, all on the first, which carries the character.

        A bone points at its only child, else at the middle of what hangs on it or belongs to it."""
        heads = self.pivot_positions
        count, child = self.group_count, self.parents >= 0
        low, high, below = np.full((count, 3), np.inf), np.full((count, 3), -np.inf), np.zeros((count, 3))
        np.minimum.at(low, self.group_of, self.points)
        np.maximum.at(high, self.group_of, self.points)
        np.add.at(below, self.parents[child], heads[child])
        children = np.bincount(self.parents[child], minlength=count)[:, None]
        with np.errstate(invalid="ignore"):  # of groups without points
            middle = heads + np.where(low <= high, (low + high) / 2, 0)
        tips = np.where(children > 0, below / np.maximum(children, 1), middle)
        names = tuple(f"group {group:02d}" for group in range(self.group_count))
        further = (self.parents < 0) & (np.arange(self.group_count) > 0)
        return Skeleton(names, np.where(further, 0, self.parents).astype(np.int32), heads, tips)

    def mesh(self, palette: Palette, page: TexturePage | None = None, look: Look = "PLAIN") -> Mesh | None:
        """The surface in the colours of `palette`, None for a plain armature. page: the textures of LBA2, plain squares without.
        look: for a renderer's light, or as the game itself draws it."""
        if self.source is None:
            return None
        colours = colours_of(palette, look)
        if isinstance(self.source, Lm2):
            mesh = lm2_mesh.mesh_of(self.source, self.rest_points, self.group_of, colours, page or TexturePage.plain())
        else:
            mesh = lm1_mesh.mesh_of(self.source, self.rest_points, self.group_of, colours)
        return replace(mesh, stamp=stamp_of(self.packed))

    def lit_corners(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
        """(C,) polygon and point of every corner that the file draws, and (C, 3) the normal that lights it, zero for none."""
        assert self.source is not None
        return lm2_mesh.lit_corners(self.source) if isinstance(self.source, Lm2) else lm1_mesh.lit_corners(self.source)

    def smooth(self, types: NDArray[np.int64]) -> NDArray[np.bool_]:
        """(F,) whether polygons of these types have a shade at each corner, and not one in all."""
        return lm2_mesh.shading_of((types & 0xFF).astype(np.int32)) >= lm2_mesh.SMOOTH if isinstance(self.source, Lm2) else types >= GOURAUD

    @cached_property
    def packed(self) -> bytes:
        """The file's bytes; none of a plain armature."""
        return self.data if self.data or self.source is None else self.source.pack()


def stamp_of(packed: bytes) -> int:
    """What tells the numbers of a body's points and faces from those of another, of the file's bytes in 15 bits."""
    return zlib.crc32(packed) & 0x7FFF
