"""The lines and the spheres of a body stay where they are shown, whatever becomes of the mesh of its faces."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest

OPS: Any = bpy.ops
CONTEXT: Any = bpy.context
Part = Callable[[str], ModuleType]
SAMPLES = Path(__file__).resolve().parents[4] / "samples"
OPENED = {"lba1": "ANIM.HQR", "lba2": "RESS.HQR"}


def opened(path: Path) -> Any:
    """The first character of a game, alone in the scene."""
    for obj in list(bpy.data.objects):
        bpy.data.objects.remove(obj)
    OPS.import_anim.lba(filepath=str(path), entities="0")
    return next(each for each in CONTEXT.scene.objects if each.type == "ARMATURE")


def mesh_named(end: str) -> Any:
    return next(each for each in CONTEXT.scene.objects if each.type == "MESH" and each.name.partition(".")[0].endswith(end))


def bounds(end: str) -> Any:
    """(2, 3) of a mesh in the scene."""
    mesh = mesh_named(end)
    CONTEXT.view_layer.update()
    points = np.array([mesh.matrix_world @ vertex.co for vertex in mesh.data.vertices])
    return np.stack([points.min(axis=0), points.max(axis=0)])


def moved_as_an_object(mesh: Any) -> None:
    mesh.location.x += 0.3


def moved_in_edit_mode(mesh: Any) -> None:
    for vertex in mesh.data.vertices:
        vertex.co.x += 0.3


@pytest.mark.parametrize("game", OPENED)
@pytest.mark.parametrize("edit", [moved_as_an_object, moved_in_edit_mode])
def test_lines_and_spheres_stay_where_they_are_shown(part: Part, tmp_path: Path, game: str, edit: Callable[[Any], None]) -> None:
    shutil.copytree(SAMPLES / game, tmp_path / game, copy_function=shutil.copyfile)
    path = tmp_path / game / OPENED[game]
    obj = opened(path)
    faces = bounds("mesh")
    edit(mesh_named("mesh"))
    lines, spheres = bounds("lines"), bounds("spheres")
    part("io.pipeline.out_of_blender.character").save_character(bpy.context, obj)
    opened(path)
    assert np.abs(bounds("lines") - lines).max() < 0.002
    assert np.abs(bounds("spheres") - spheres).max() < 0.002
    assert bounds("mesh")[1, 0] == pytest.approx(faces[1, 0] + 0.3, abs=0.002)


@pytest.mark.parametrize("game", OPENED)
def test_lines_and_spheres_that_are_moved_along(part: Part, tmp_path: Path, game: str) -> None:
    """By a script, after which nothing has been drawn."""
    shutil.copytree(SAMPLES / game, tmp_path / game, copy_function=shutil.copyfile)
    path = tmp_path / game / OPENED[game]
    obj = opened(path)
    before = {end: bounds(end) for end in ("lines", "spheres")}
    for end in ("mesh", *before):
        mesh_named(end).location.x += 0.3
    part("io.pipeline.out_of_blender.character").save_character(bpy.context, obj)
    opened(path)
    for end, known in before.items():
        assert np.abs(bounds(end) - known - [0.3, 0, 0]).max() < 0.002
