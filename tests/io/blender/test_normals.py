"""Normals of a surface as Blender shows them: those of the file, at rest and posed, also where faces lie back to back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest

Part = Callable[[str], ModuleType]
Fetch = Callable[..., Any]

POINTS = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0.5], [-1, 0.5, 0.2]])
FACES = [[0, 1, 2], [0, 2, 1], [1, 3, 2], [2, 3, 1], [0, 2, 4]]
"""Two pairs back to back, and a face that lies on none."""

OF_POINTS = np.array([[0.4, 0.2, 0.9], [0.1, -0.3, 0.95], [0.0, 0.5, 0.85], [-0.3, 0.1, 0.9], [0.2, 0.1, 0.7]])
"""One direction a point, for the faces of both sides."""

BODIES_WITH_A_CAPE = (14, 15)
"""Entries of LBA2's BODY.HQR with faces back to back that are lit by the normals of their points."""


def angles(shown: Any, wanted: Any) -> Any:
    """Degrees between two lists of directions."""
    shown, wanted = (rows / np.linalg.norm(rows, axis=1, keepdims=True) for rows in (np.asarray(shown), np.asarray(wanted)))
    return np.degrees(np.arccos(np.clip((shown * wanted).sum(axis=1), -1, 1)))


def corner_normals(obj: Any) -> Any:
    mesh = obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
    return np.array([corner.vector for corner in mesh.corner_normals])


@pytest.fixture
def built(part: Part) -> tuple[Any, Any]:
    """The faces on an armature of one bone."""
    mesh, rigs, skeletons = part("core.surface.mesh"), part("core.motion.rigs.matrix_rig"), part("core.motion.rigs.skeleton")
    head, tip = np.zeros((1, 3)), np.array([[0, 0, 1.0]])
    rig = rigs.MatrixRig(skeletons.Skeleton(("bone",), np.array([-1], np.int32), head, tip), np.eye(3), np.eye(3)[None], head, tip)
    corners = np.array(FACES).ravel()
    surface = mesh.Mesh(
        points=POINTS,
        bones=np.zeros(len(POINTS), np.int64),
        starts=np.arange(len(FACES)) * 3,
        counts=np.full(len(FACES), 3),
        corners=corners,
        normals=OF_POINTS[corners],
        material_of=np.zeros(len(FACES), np.int64),
        materials=[mesh.Material("plain", "SMOOTH", ((1.0, 1.0, 1.0),))],
        lines=[],
        spheres=[],
    )
    armature = part("io.blender.armature").build(bpy.context, "rig", rig, 1.0)
    return armature, part("io.blender.surface.mesh").build(bpy.context, "surface", surface, rig, armature, 1.0)[0]


def test_faces_back_to_back_have_the_normals_they_were_given(built: tuple[Any, Any]) -> None:
    _, obj = built
    assert angles(corner_normals(obj), OF_POINTS[np.array(FACES).ravel()]).max() < 0.1


def test_normals_follow_the_pose(built: tuple[Any, Any]) -> None:
    armature, obj = built
    bone = armature.pose.bones["bone"]
    bone.rotation_mode, bone.rotation_euler = "XYZ", (1.0, -0.6, 0.3)
    bpy.context.view_layer.update()
    expected = OF_POINTS[np.array(FACES).ravel()] @ np.array(bone.matrix)[:3, :3].T
    assert angles(corner_normals(obj), expected).max() < 0.1


@pytest.mark.parametrize("entry", BODIES_WITH_A_CAPE)
def test_a_body_of_the_game(fetch: Fetch, part: Part, game_file: Callable[[str], Path], entry: int) -> None:
    """Every corner of a Gouraud face (types 4 to 7) against the normal of its point in the file."""
    archive = game_file("lba2/BODY.HQR")
    body = part("core.lba.files.lm2").Lm2.parse(part("core.lba.files.archive.hqr").Hqr.parse(archive.read_bytes()).read(entry))
    obj = next(one for one in fetch(archive, entries=str(entry)).meshes if not one.name.endswith(("lines", "spheres")))
    kinds = np.array([value.value & 0xFF for value in obj.data.attributes["lba_type"].data])
    smooth = [loop for face in obj.data.polygons if 4 <= kinds[face.index] < 8 for loop in face.loop_indices]
    assert len(smooth) > 500
    points = np.array([obj.data.loops[loop].vertex_index for loop in smooth])
    x, y, z = body.normals["direction"][points].astype(float).T
    wanted = np.stack([x, -z, y], axis=1)
    given = wanted.any(axis=1)
    assert angles(corner_normals(obj)[smooth][given], wanted[given]).max() < 0.5
