"""A character's body: bones with their meshes."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations import quaternion
from ...motion.rotations.rotation_matrix import Floats
from ...reporting import log
from ...surface.holdable import holdable
from ...surface.mesh import Image, Mesh
from ..files.library import Instance
from ..motion.evaluate import Joints
from ..motion.rig import names_of, neutral_height, t_posed
from .geometry import Piece
from .textures.body_textures import material_of

HIGHEST = 4
"""The level of detail with the most triangles; 0 has the fewest."""

MOST_BONES = 256
"""A hierarchy counts its bones with bytes."""

MOST_NUMBERED = 0xFFFF
"""Points, and triangles, that attributes of a mesh can tell apart."""

ANIMATIONS_LINK = 0xC80
"""Where an ONCC keeps its link to a TRAC."""

_NONE = np.zeros(0, np.int64)
"""So that what is joined of no bones has a type."""


@dataclass(frozen=True, eq=False)
class Body:
    """name: of the TRBS or TRCM, with the tag; "" for our own. address: FILE#ENTRY it was read from, "" for our own.

    parents: (B,) of the bones, -1 for bone 0; parents come first. offsets: (B, 3) from the parent's joint in the parent's axes, game units;
    bone 0's are 0. pieces: the mesh of each bone, None for a bone without. images: the textures that are at hand, by their TXMP's name.
    root: the TRBS or TRCM in its file, None for our own. textures: (B,) of each bone's mesh as that file has it, where a character (ONCC)
    gives it another one.
    """

    name: str
    address: str
    parents: NDArray[np.int32]
    offsets: Floats
    pieces: Sequence[Piece | None]
    images: Mapping[str, Image] = field(default_factory=dict[str, Image])
    root: Instance | None = None
    textures: tuple[str, ...] = ()

    def __len__(self) -> int:
        """Bones."""
        return len(self.parents)

    @property
    def names(self) -> tuple[str, ...]:
        """Of the bones, as the game has them."""
        return names_of(len(self))

    @property
    def has_meshes(self) -> bool:
        return any(piece is not None for piece in self.pieces)

    @cached_property
    def low(self) -> Floats:
        """(B, 3) the corner of the box around each bone's mesh in the bone's axes; the joint itself without one."""
        return np.array([_ends(piece)[0] for piece in self.pieces]).reshape(-1, 3)

    @cached_property
    def high(self) -> Floats:
        """(B, 3) the other corner."""
        return np.array([_ends(piece)[1] for piece in self.pieces]).reshape(-1, 3)

    @property
    def lengths(self) -> Floats:
        """(B,) how far each limb reaches along its bone's +X: to the end of its mesh, or else to the farthest child."""
        reach = np.maximum(self.high[:, 0], 0.0)
        for bone, parent in enumerate(self.parents.tolist()):
            if parent >= 0 and self.pieces[parent] is None:
                reach[parent] = max(reach[parent], float(np.linalg.norm(self.offsets[bone])))
        return np.where(reach > 0.05, reach, 1.0)

    @cached_property
    def height(self) -> float:
        """Of the pelvis in the T pose: the lowest point of the meshes is on the ground, without meshes the lowest joint."""
        points = _points(t_posed(self.parents, self.offsets), self._with_pieces(range(len(self))))
        return max(0.0, -float(points[:, 1].min())) if len(points) else neutral_height(self.parents, self.offsets)

    @cached_property
    def rest(self) -> Joints:
        """The joints of the T pose, (1, B, ...), with the pelvis at its neutral height, as the armature stands in Blender."""
        return t_posed(self.parents, self.offsets, self.height)

    def mesh(self, bones: Sequence[int] | None = None) -> Mesh:
        """The meshes of all bones, or of some, as one surface in the T pose: character space, game units, each point on one bone.

        Materials are called as their TXMP.
        """
        chosen = self._with_pieces(range(len(self)) if bones is None else bones)
        pieces = [piece for _, piece in chosen]
        names = list(dict.fromkeys(piece.texture for piece in pieces))
        first = np.cumsum([0, *(len(piece.points) for piece in pieces)])
        parts = [piece.triangles.reshape(-1) + start for piece, start in zip(pieces, first[:-1].tolist(), strict=True)]
        corners = np.concatenate([*parts, _NONE])
        own, normals = _bones(chosen), _joined([piece.normals for piece in pieces], 3)
        count = len(corners) // 3
        point_numbers, face_numbers = self._numbers([bone for bone, _ in chosen])
        return Mesh(
            points=_points(self.rest, chosen),
            bones=own,
            starts=np.arange(count) * 3,
            counts=np.full(count, 3),
            corners=corners,
            normals=quaternion.rotate(self.rest.rotations[0, own], normals)[corners],
            material_of=np.repeat(
                np.array([names.index(piece.texture) for piece in pieces], np.int64), [len(piece.triangles) for piece in pieces]
            ),
            materials=[material_of(name, self.images.get(name)) for name in names],
            lines=[],
            spheres=[],
            uvs={"UVMap": _joined([piece.uvs for piece in pieces], 2)[corners] * [1.0, -1] + [0.0, 1]},
            numbers=face_numbers,
            point_numbers=point_numbers,
            stamp=self.stamp,
        )

    def _with_pieces(self, bones: Iterable[int]) -> list[tuple[int, Piece]]:
        """Those of some bones that have a mesh, with it."""
        return [(bone, piece) for bone in bones if (piece := self.pieces[bone]) is not None]

    @cached_property
    def starts(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """(B + 1,) where the points, and the triangles, of each bone begin when those of all bones are counted."""
        sizes = [(len(piece.points), len(piece.triangles)) if piece is not None else (0, 0) for piece in self.pieces]
        points, triangles = np.array([(0, 0), *sizes], np.int64).cumsum(axis=0).T
        return points, triangles

    @cached_property
    def stamp(self) -> int:
        """What tells the numbers of its points and triangles from those of another body, in 15 bits."""
        parts = (part for piece in self.pieces if piece is not None for part in (piece.points, piece.triangles))
        return zlib.crc32(b"".join(part.tobytes() for part in parts)) & 0x7FFF

    def shown(self, bone: int) -> NDArray[np.int64]:
        """Which triangles of a bone's mesh Blender holds: all but those that are there already."""
        first = int(self.starts[1][bone])
        return self._shown[(self._shown >= first) & (self._shown < int(self.starts[1][bone + 1]))] - first

    @cached_property
    def _shown(self) -> NDArray[np.int64]:
        every = np.arange(int(self.starts[1][-1]))
        with log.collect():
            held = holdable(replace(self.mesh(), numbers=every)).numbers
        assert held is not None
        return held

    def _numbers(self, bones: Sequence[int]) -> tuple[NDArray[np.int64] | None, NDArray[np.int64] | None]:
        """Of the points and triangles of some bones; None for our own body, and for one with more than can be numbered."""
        points, triangles = self.starts
        if self.root is None or max(points[-1], triangles[-1]) >= MOST_NUMBERED:
            return None, None
        return _ranges(points.tolist(), bones), _ranges(triangles.tolist(), bones)


def _ends(piece: Piece | None) -> tuple[Floats, Floats]:
    if piece is None or not len(piece.points):
        return np.zeros(3), np.zeros(3)
    return piece.points.min(axis=0), piece.points.max(axis=0)


def _ranges(ends: Sequence[int], bones: Sequence[int]) -> NDArray[np.int64]:
    """The numbers of what some bones have, where `ends` (B + 1,) says where those of each begin."""
    runs: list[NDArray[np.int64]] = [np.arange(ends[bone], ends[bone + 1], dtype=np.int64) for bone in bones]
    return np.concatenate([*runs, _NONE])


def _bones(chosen: Sequence[tuple[int, Piece]]) -> NDArray[np.int64]:
    """(P,) of the points of these bones' meshes which bone's each is."""
    return np.repeat(np.array([bone for bone, _ in chosen], np.int64), [len(piece.points) for _, piece in chosen])


def _points(joints: Joints, chosen: Sequence[tuple[int, Piece]]) -> Floats:
    """(P, 3) the points of these bones' meshes where `joints` (1, B, ...) put them."""
    own = _bones(chosen)
    return joints.positions[0, own] + quaternion.rotate(joints.rotations[0, own], _joined([piece.points for _, piece in chosen], 3))


def _joined(parts: list[Floats], width: int) -> Floats:
    return np.concatenate([*parts, np.zeros((0, width))])
