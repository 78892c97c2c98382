"""What is made ready for Blender and out of it: order and names of bones, excerpts, welded vertices, pictures, errors of shear."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from retro_anim.core.images import pictures
from retro_anim.core.mindpower.files.mesh.lgo import Lgo
from retro_anim.core.mindpower.files.mesh.materials import new_material
from retro_anim.core.mindpower.files.skeleton.lab import Lab, new_lab
from retro_anim.core.mindpower.motion import evaluate, fitting, shear
from retro_anim.core.mindpower.motion.prepared import excerpt, ordered
from retro_anim.core.mindpower.motion.rig import LabRig
from retro_anim.core.mindpower.surface.welded import Triangles, edited, split
from retro_anim.core.reporting import log
from retro_anim.core.reporting.errors import ExportError
from retro_anim.core.reporting.labels import unique

from ..strategies import labs

NAME_LIMIT = 63
"""Bytes in most of Blender's names."""

MATERIALS = [new_material(["a.bmp"]), new_material(["b.bmp"])]
"""Of the faces of `quads`."""


@given(st.lists(st.text(max_size=80), max_size=30))
def test_names_are_such_that_blender_takes_them(names: list[str]) -> None:
    result = unique(names)
    assert len(set(result)) == len(names)
    assert all(0 < len(name.encode()) <= NAME_LIMIT for name in result)
    assert unique(result) == result


def test_the_first_of_a_name_keeps_it() -> None:
    assert unique(["a", "b", "a", "", "a"], ["b"]) == ("a", "b.001", "a.001", "bone 3", "a.002")


def shuffled() -> Lab:
    """A chain of three whose root is in the middle, and a dummy on the last link."""
    lab = new_lab(["tip", "root", "middle"], [2, -1, 1], np.tile(np.eye(4), (3, 1, 1)))
    rotations = np.random.default_rng(1).normal(size=(3, 4, 4))
    rotations /= np.linalg.norm(rotations, axis=2, keepdims=True)
    return lab.with_quaternions(np.random.default_rng(2).normal(size=(3, 4, 3)), rotations)


def test_parents_come_first() -> None:
    with log.collect():
        lab = Lab.parse(shuffled().pack())
    result = ordered(lab)
    assert result.names == ("root", "middle", "tip")
    assert result.parents.tolist() == [-1, 0, 1]
    assert result.bones["id"].tolist() == [0, 1, 2]
    assert np.allclose(evaluate.world_matrices(result), evaluate.world_matrices(lab)[:, [1, 2, 0]])
    assert ordered(result) is result


@given(labs())
def test_an_excerpt_is_a_file_with_the_same_frames(lab: Lab) -> None:
    frames = np.arange(lab.frame_count)[::2]
    with log.collect():
        result = Lab.parse(excerpt(lab, frames).pack())
    assert (result.version, result.key_type, result.frame_count) == (lab.version, lab.key_type, len(frames))
    assert result.bones.tobytes() == lab.bones.tobytes()
    if lab.version not in (0, 1, 0x1000, 0x1001, 0x1002):
        with np.errstate(all="ignore"):
            assert np.array_equal(evaluate.local_matrices(result), evaluate.local_matrices(lab, frames), equal_nan=True)
    assert excerpt(lab, np.zeros(0, np.int64)).frame_count == 1


def quads(count: int, sharp: bool = False) -> Triangles:
    """A strip of quads side by side, each on a bone of its own and half on the next one. sharp: corners have normals of their own."""
    points = np.array([(x, 0.0, z) for x in range(count + 1) for z in (0, 1)])
    faces = np.array([face for x in range(count) for face in ((2 * x, 2 * x + 2, 2 * x + 3), (2 * x, 2 * x + 3, 2 * x + 1))])
    normals = np.tile([0.0, 1, 0], (len(faces), 3, 1))
    if sharp:
        normals[1::2] = [1, 0, 0]
    bones = np.stack([np.arange(2 * count + 2) // 2, np.arange(2 * count + 2) // 2 + 1], axis=1)
    weights = np.tile([0.75, 0.25], (2 * count + 2, 1))
    return Triangles(points, bones, weights, faces, normals, points[faces][None, :, :, [0, 2]], np.arange(len(faces)) % 2)


def test_corners_that_agree_are_one_vertex() -> None:
    (result,) = split(quads(5), MATERIALS)
    mesh = Lgo.parse(result.pack()).mesh
    assert mesh is not None
    assert (len(mesh.positions), len(mesh.triangles), len(mesh.subsets)) == (12, 10, 2)
    assert mesh.subsets["primitive_count"].tolist() == [5, 5]
    (sharp,) = split(quads(5, True), MATERIALS)
    assert sharp.mesh is not None
    assert len(sharp.mesh.positions) > 12


@pytest.mark.parametrize("count", [3, 24, 30, 80])
def test_no_file_has_more_bones_than_the_game_takes(count: int) -> None:
    with log.collect() as said:
        files = split(quads(count), MATERIALS)
    assert all(file.mesh is not None and len(file.mesh.palette) <= 25 for file in files)
    assert sum(len(file.mesh.triangles) for file in files if file.mesh is not None) == 2 * count
    assert any(f"{count + 2} bones" in line for line in said.digest()) == (len(files) > 1) == (count + 2 > 25)


def test_an_edited_file_is_not_split() -> None:
    (result,) = split(quads(5), MATERIALS)
    with pytest.raises(ExportError, match="32 bones"):
        edited(quads(30), result, result.materials)


@given(st.integers(1, 9), st.integers(1, 9), st.randoms(use_true_random=False))
def test_pictures_come_back(width: int, height: int, random: Any) -> None:
    pixels = np.frombuffer(random.randbytes(4 * width * height), np.uint8).reshape(height, width, 4)
    assert np.array_equal(pictures.decode(pictures.encode(pixels, "skin.tga")), pixels)
    opaque = pixels.copy()
    opaque[..., 3] = 255
    assert np.array_equal(pictures.decode(pictures.encode(pixels, "SKIN.BMP")), opaque)
    with pytest.raises(ValueError, match=r"not as \.png"):
        pictures.encode(pixels, "skin.png")


def test_errors_of_shear_are_those_of_the_vertices() -> None:
    """Two bones, the second sheared; vertices on it and between them, by the skinning formula itself."""
    lab = new_lab(["root", "arm"], [-1, 0], np.tile(np.eye(4), (2, 1, 1)))
    keys = np.zeros((2, 3, 4, 3))
    keys[:, :, :3] = np.eye(3)
    keys[1, :, 0, 1] = [0, 0.5, 1]
    lab = lab.with_matrices(keys.astype(np.float32))
    rig = LabRig.of(lab)
    motion = fitting.fit(lab, rig, choose=True)
    assert sorted(motion.errors) == [1]
    points, bones = np.array([[1.0, 0, 0], [0, 2, 0], [0, 0, 3]]), np.array([[1, 0], [1, 0], [0, 1]])
    weights = np.array([[1.0, 0], [0.5, 0.5], [1, 0]])
    far = shear.vertex_errors(motion, points, bones, weights)
    off = np.concatenate([motion.errors[1], np.zeros((3, 1, 4))], axis=1)
    shares = (1, 0.5, 0)
    moved = [(off @ np.append(point, 1))[:, :3] * share for point, share in zip(points, shares, strict=True)]
    expected = [np.linalg.norm(offsets, axis=1).max() for offsets in moved]
    assert np.allclose(far, expected, atol=1e-6)
    assert far[0] > 0.1
    assert far[2] == 0
    with log.collect() as said:
        shear.report({"arm": float(far[0])})
    assert "arm" in said.digest("WARNING")[0]
