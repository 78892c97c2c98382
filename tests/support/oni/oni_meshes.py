"""Bodies made up for tests: any points, seams, normals and triangles on the game's 19 bones."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from retro_anim.core.oni.body.body_file import body_file
from retro_anim.core.oni.body.geometry import Piece
from retro_anim.core.oni.body.mannequin import mannequin


def random_body(seed: int) -> bytes:
    """Triangles that are there twice, from behind, without a surface, and in any winding; bones without a mesh; normals of length 0."""
    rng = np.random.default_rng(seed)
    plain = mannequin()
    offsets = plain.offsets + rng.normal(size=(19, 3)) * 0.2
    offsets[0] = 0
    pieces = [None if rng.random() < 0.1 else _piece(rng) for _ in range(19)]
    return body_file(replace(plain, pieces=pieces, offsets=offsets), "TRBSrandom").pack()


def _piece(rng: np.random.Generator) -> Piece:
    count = int(rng.integers(3, 30))
    points = rng.normal(size=(count, 3)) * rng.choice([0.1, 1, 5])
    if rng.random() < 0.3:  # seams: two points in one place
        points[count // 2 :] = points[: count - count // 2]
    normals = rng.normal(size=(count, 3))
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    if rng.random() < 0.2:
        normals[:] = 0
    triangles = rng.integers(0, count, (int(rng.integers(1, 40)), 3))
    if rng.random() < 0.3:
        triangles = np.concatenate([triangles, triangles[:, [0, 2, 1]]])
    if rng.random() < 0.3:
        triangles = np.concatenate([triangles, triangles])
    one, two, three = (points[triangles[:, corner]] for corner in range(3))
    faces = np.cross(two - one, three - one)
    length = np.linalg.norm(faces, axis=1, keepdims=True)
    faces /= np.where(length > 0, length, 1)
    if rng.random() < 0.3:
        faces *= rng.choice([-1, 1], (len(faces), 1))
    uvs = rng.random((count, 2)) * rng.choice([1, 3])
    return Piece(points, normals, uvs, triangles, faces, texture=str(rng.choice(["", "TXMPone", "TXMPtwo"])))
