"""The mannequin in the shape of Oni: 19 bones with a mesh each, along their limbs, and its poses as rotations of those bones."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from ..core.lba.files.anm import Anm
from ..core.lba.files.lm1 import GOURAUD
from ..core.motion.rotations import quaternion
from ..core.motion.rotations.rotation_matrix import from_euler
from ..core.oni.body.body import Body
from ..core.oni.body.geometry import Piece
from ..core.oni.body.mannequin import block
from ..core.oni.motion.rig import NAMES
from . import gait
from .mannequin import HIPS, Segment, figure
from .shapes import Floats, Shape

SCALE = 0.0136
"""Oni's units a unit of the mannequin: 16 high, as people of the game are."""
DIGITS = 5
"""What is rounded away differs from machine to machine."""

TEXTURE = "TXMPmannequin"

PARENTS = np.array((-1, 0, 1, 2, 0, 4, 5, 0, 7, 8, 9, 9, 11, 12, 13, 9, 15, 16, 17), np.int32)

# Bone axes in those of the mannequin, which hangs its arms (X left, Y up, Z front): X along the limb, and Y, Z such that they are the
# game's once the arms are raised to the T pose.
_UP = ((0, 1, 0), (0, 0, 1), (1, 0, 0))
_LEG = ((0, -1, 0), (0, 0, 1), (-1, 0, 0))
_ARM = ((0, -1, 0), (0, 0, -1), (1, 0, 0))
_LEFT_FIST, _RIGHT_FIST = ((0, -1, 0), (-1, 0, 0), (0, 0, -1)), ((0, -1, 0), (1, 0, 0), (0, 0, 1))
_LEFT_SHOULDER, _RIGHT_SHOULDER = ((1, 0, 0), (0, 0, -1), (0, 1, 0)), ((-1, 0, 0), (0, 0, -1), (0, -1, 0))

_MIDDLE, _NECK, _COLLAR = (0.0, 650.0, 0.0), (0.0, 936.0, 0.0), (64.0, 912.0, 0.0)

_SIDE = {"thigh": "thigh", "calf": "shin", "foot": "foot", "biceps": "upper arm", "wrist": "forearm", "handfist": "hand"}
"""The mannequin's segment of the bones of a limb."""


def axes_of(bone: str) -> Floats:
    """(3, 3) rows: the bone's axes in the mannequin's."""
    side, _, part = bone.partition("_")
    if part in ("thigh", "calf", "foot"):
        return np.array(_LEG, np.float64)
    if part in ("biceps", "wrist"):
        return np.array(_ARM, np.float64)
    if part == "handfist":
        return np.array(_LEFT_FIST if side == "left" else _RIGHT_FIST, np.float64)
    if part == "shoulder":
        return np.array(_LEFT_SHOULDER if side == "left" else _RIGHT_SHOULDER, np.float64)
    return np.array(_UP, np.float64)


def segment_of(bone: str) -> str:
    """The segment that a bone rotates with. The mannequin has no middle, no neck and no shoulders of their own."""
    side, _, part = bone.partition("_")
    if part in _SIDE:
        return f"{side} {_SIDE[part]}"
    return {"pelvis": "hips", "mid": "hips", "head": "head"}.get(bone, "chest")


def position_of(bone: str, segments: dict[str, Segment]) -> Floats:
    """(3,) where its joint is in the mannequin at rest."""
    side, _, part = bone.partition("_")
    if part == "shoulder":
        return np.array(_COLLAR) * ((1 if side == "left" else -1), 1, 1)
    own = {"mid": _MIDDLE, "neck": _NECK}
    return np.array(own[bone] if bone in own else segments[segment_of(bone)].position, np.float64)


def body(name: str) -> Body:
    segments = {segment.name: segment for segment in figure()}
    positions = np.array([position_of(bone, segments) for bone in NAMES])
    offsets = np.zeros((len(NAMES), 3))
    for bone, parent in enumerate(PARENTS.tolist()):
        if parent >= 0:
            offsets[bone] = axes_of(NAMES[parent]) @ (positions[bone] - positions[parent])
    pieces = [piece(bone, shapes_of(bone, segments), positions[index], segments) for index, bone in enumerate(NAMES)]
    return Body(name, "", PARENTS, np.round(offsets * SCALE, DIGITS), pieces)


def shapes_of(bone: str, segments: dict[str, Segment]) -> Sequence[Shape]:
    """What is drawn with it. The waist and the neck, parts of other segments there, are drawn with bones of their own."""
    hips, head = segments["hips"].shapes, segments["head"].shapes
    own = {"pelvis": hips[1:], "mid": hips[:1], "neck": head[:1], "head": head[1:]}
    if bone.endswith("shoulder"):
        return ()
    return own[bone] if bone in own else segments[segment_of(bone)].shapes


def piece(bone: str, shapes: Sequence[Shape], position: Floats, segments: dict[str, Segment]) -> Piece:
    """The mesh of a bone in its axes."""
    if not shapes:  # of a shoulder: a peg inside the chest
        return _textured(block((0.0, 0.0, 0.3, 0.3), (1.2, 0.0, 0.25, 0.25)))
    drawn_on = {"mid": "hips", "neck": "head"}.get(bone, segment_of(bone))
    away = np.array(segments[drawn_on].position, np.float64) - position
    points: list[Floats] = []
    normals: list[Floats] = []
    uvs: list[tuple[float, float]] = []
    triangles: list[tuple[int, int, int]] = []
    faces: list[Floats] = []
    for shape in shapes:
        areas = [_area(shape.points[list(corners)]) for corners, _ in shape.faces]
        smooth = np.zeros_like(shape.points)
        for (corners, paint), area in zip(shape.faces, areas, strict=True):
            if paint.material >= GOURAUD:
                smooth[list(corners)] += area
        known: dict[tuple[int, int, int], int] = {}
        for number, ((corners, paint), area) in enumerate(zip(shape.faces, areas, strict=True)):
            is_smooth = paint.material >= GOURAUD
            ring: list[int] = []
            for corner in corners:
                key = corner, paint.colour, -1 if is_smooth else number
                if key not in known:
                    known[key] = len(points)
                    points.append(shape.points[corner] + away)
                    normals.append(smooth[corner] if is_smooth else area)
                    uvs.append(((paint.colour % 16 + 0.5) / 16, (paint.colour // 16 + 0.5) / 16))
                ring.append(known[key])
            for second, third in pairwise(ring[1:]):
                triangles.append((ring[0], second, third))
                faces.append(area)
    axes = axes_of(bone).T
    return _textured(
        Piece(
            np.array(points) @ axes * SCALE,
            _unit(np.array(normals)) @ axes,
            np.array(uvs),
            np.array(triangles),
            _unit(np.array(faces)) @ axes,
        )
    )


def _textured(created: Piece) -> Piece:
    rounded = [np.round(values, DIGITS) for values in (created.points, created.normals, created.uvs)]
    return Piece(rounded[0], rounded[1], rounded[2], created.triangles, np.round(created.faces, DIGITS), TEXTURE)


def _area(corners: Floats) -> Floats:
    """Twice the area of a polygon, as a vector along its normal."""
    return np.cross(corners, np.roll(corners, -1, axis=0)).sum(axis=0)


def _unit(vectors: Floats) -> Floats:
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)


def locals_of(segments: Sequence[Segment], anm: Anm) -> Floats:
    """(keyframes, bones, 4) the rotations of Oni's bones relative to their parents."""
    rotated: dict[str, Floats] = {}
    for index, segment in enumerate(segments):
        own = from_euler(anm.values[:, index].astype(np.float64) * 2 * np.pi / gait.FULL_CIRCLE, gait.ORDER)
        own = np.where((anm.types[:, index] == 0)[:, None, None] & (index > 0), own, np.eye(3))
        rotated[segment.name] = own if segment.parent is None else rotated[segment.parent] @ own
    world = np.stack([rotated[segment_of(bone)] @ axes_of(bone).T for bone in NAMES], axis=1)
    above = np.where((PARENTS < 0)[:, None, None], np.eye(3), world[:, PARENTS])
    return quaternion.of_matrix(np.swapaxes(above, -1, -2) @ world)


def root_of(anm: Anm) -> Floats:
    """(keyframes, 3) where the pelvis is, without its root motion."""
    bob = [segment.name for segment in figure()].index("bob")
    return (np.array(HIPS, np.float64) + anm.values[:, bob].astype(np.float64)) * SCALE
