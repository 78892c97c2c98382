"""Normals that somebody edited, by flags or by themselves: the file keeps its own, which is said with the option that ends it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from support.sample_characters import game_of, opened

OPS: Any = bpy.ops
CONTEXT: Any = bpy.context
Part = Callable[[str], ModuleType]
OPTIONS = {
    "lba1": "Light: From the Shape",
    "lba2": "Light: From the Shape",
    "oni": "Normals: As Shown",
    "oni2": "Normals: As Shown",
    "mindpower": "Normals: As Shown",
}
"""By edition the option that ends it."""


def corners(mesh: Any) -> Any:
    """Positions of corners, of the faces' middles, and the normals, as they are shown at rest (C, 9)."""
    data = mesh.data
    data.calc_loop_triangles()
    points = np.array([vertex.co[:] for vertex in data.vertices])[[triangle.vertices[:] for triangle in data.loop_triangles]]
    normals = np.array([normal.vector[:] for normal in data.corner_normals])[[triangle.loops[:] for triangle in data.loop_triangles]]
    middles = np.repeat(points.mean(axis=1, keepdims=True), 3, axis=1)
    return np.concatenate([points, middles, normals], axis=2).reshape(-1, 9)


def away(shown: Any, written: Any) -> Any:
    """(C,) degrees from each normal that was shown to the nearest one at the same corner of the same face in the file."""
    apart = ((shown[:, None, :6] - written[None, :, :6]) ** 2).sum(axis=2)
    cosine = np.where(apart < 1e-6, shown[:, 6:] @ written[:, 6:].T, -1)
    return np.degrees(np.arccos(np.clip(cosine.max(axis=1), -1, 1)))


def sharpened(mesh: Any) -> None:
    """All around some faces, as many as LBA1 has room for."""
    edges = {edge.key: edge for edge in mesh.data.edges}
    for face in list(mesh.data.polygons)[::24]:
        for key in face.edge_keys:
            edges[key].use_edge_sharp = True


def flattened(mesh: Any) -> None:
    for face in list(mesh.data.polygons)[::24]:
        face.use_smooth = False


def upwards(mesh: Any) -> None:
    mesh.data.normals_split_custom_set([(0.0, 0.0, 1.0)] * len(mesh.data.loops))


def clip_lines(part: Part, game: str, folder: Path) -> list[str]:
    names = {"lba": "out.anm", "oni": "out.oni", "oni2": "out.anim", "mindpower": "out.lab"}
    row = part("core.games").GAMES[game_of(game)]
    path = str(folder / names[row.id])
    lines = part("io.pipeline.games").export(bpy.context, row, path, {"source": "ALL", "dry_run": True}).warnings
    return [line for line in lines if "edited" in line]


def saved(part: Part, obj: Any, **options: Any) -> list[str]:
    with part("core.reporting.log").collect() as log:
        part("io.pipeline.out_of_blender.character").save_character(bpy.context, obj, **options)
    return [message.text for message in log.messages if message.level == "WARNING"]


@pytest.mark.thorough
@pytest.mark.parametrize("edit", [sharpened, flattened, upwards])
@pytest.mark.parametrize("game", OPTIONS)
def test_edited_normals(part: Part, tmp_path: Path, game: str, edit: Callable[[Any], None]) -> None:
    obj, mesh = opened(game, tmp_path)
    assert (clip_lines(part, game, tmp_path), saved(part, obj)) == ([], [])
    edit(mesh)
    shown, option = corners(mesh), OPTIONS[game]
    if edit is not upwards or bpy.app.version >= (4, 5):
        (line,) = clip_lines(part, game, tmp_path)
        assert line.startswith(mesh.name) and f"Save Character, with {option}, or" in line
    assert any(f"choose {option}" in line for line in saved(part, obj))
    lines = saved(part, obj, normals="NEW")
    assert not any(option in line for line in lines)
    assert clip_lines(part, game, tmp_path) == []
    OPS.wm.read_homefile(use_empty=True, use_factory_startup=True)
    held = away(shown, corners(opened(game, tmp_path)[1])) < 2.0
    # In LBA the type of a face says whether it has one shade in all of it, and in LBA2 faces share the normals of points, which is said.
    limits = {"lba1": ["one shade in all of a face"], "lba2": ["one shade in all of a face", "one for each point"]}
    said = [limit for limit in limits.get(game, []) if any(limit in line for line in lines)]
    assert held.all() or said, (held.mean(), lines)


def test_an_edge_split_ends_what_shared_normals_are(part: Part, tmp_path: Path) -> None:
    """As the line advises; the modifier is taken along as it is shown."""
    obj, mesh = opened("lba2", tmp_path)
    sharpened(mesh)
    assert any("one for each point" in line for line in saved(part, obj, normals="NEW"))
    split = mesh.modifiers.new("split", "EDGE_SPLIT")
    split.use_edge_angle = False
    mesh.modifiers.move(1, 0)
    assert not any("one for each point" in line for line in saved(part, obj, normals="NEW"))


def test_a_mesh_without_normals_is_written_anew_with_those_that_are_shown(part: Part, tmp_path: Path) -> None:
    """Which is said as it is, and once: nothing is written the second time."""
    obj, mesh = opened("oni2", tmp_path)
    path = tmp_path / "oni2/Entity/mannequin/mannequin.mod"
    assert not any(line.startswith("n ") for line in path.read_text().splitlines())
    upwards(mesh)
    assert saved(part, obj, normals="NEW") == ["it has no normals in the file, so that it is written anew"]
    written = path.read_bytes()
    assert (saved(part, obj, normals="NEW"), path.read_bytes()) == ([], written)
    mesh.data.normals_split_custom_set([(1.0, 0.0, 0.0)] * len(mesh.data.loops))
    assert len(saved(part, obj, normals="NEW")) == 1 and path.read_bytes() != written


def test_normals_that_corners_share_are_written_anew_where_they_are_shown_with_several(part: Part, tmp_path: Path) -> None:
    obj, mesh = opened("oni2", tmp_path)
    upwards(mesh)
    saved(part, obj, normals="NEW")
    OPS.wm.read_homefile(use_empty=True, use_factory_startup=True)
    obj, mesh = opened("oni2", tmp_path)
    half = len(mesh.data.loops) // 2
    mesh.data.normals_split_custom_set([(0.0, 0.0, 1.0)] * half + [(1.0, 0.0, 0.0)] * (len(mesh.data.loops) - half))
    (line,) = saved(part, obj, normals="NEW")
    assert line == "corners that are shown with other normals have none of their own in the file, so that it is written anew"
    assert saved(part, obj, normals="NEW") == []
