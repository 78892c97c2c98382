"""Further UV maps: games draw by the one by which Blender renders; where they have no other, further ones are named with what ends that."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from support.sample_characters import CHARACTERS, SUFFIXES, opened

OPS: Any = bpy.ops
CONTEXT: Any = bpy.context
Part = Callable[[str], ModuleType]


def lines(part: Part, game: str, folder: Path) -> list[str]:
    row = part("core.games").GAMES[game]
    exported = part("io.pipeline.games").export(bpy.context, row, str(folder / f"out{SUFFIXES[game]}"), {"source": "ALL", "dry_run": True})
    return [line for line in exported.warnings if "edited" in line]


def save(part: Part, obj: Any) -> list[str]:
    with part("core.reporting.log").collect() as said:
        part("io.pipeline.out_of_blender.character").save_character(bpy.context, obj)
    return [line for line in said.digest("WARNING") if "UV map" in line]


def rendered(mesh: Any) -> Any:
    return next(layer for layer in mesh.data.uv_layers if layer.active_render)


@pytest.fixture(params=CHARACTERS)
def character(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, Any, Any]:
    """A game, an armature of it, and its mesh, which has texture coordinates that are in the file."""
    game = request.param
    obj, mesh = opened(game, tmp_path)
    if not len(mesh.data.uv_layers):
        mesh.data.uv_layers.new(name="t1")
    return game, obj, mesh


def test_a_further_map(part: Part, tmp_path: Path, character: tuple[str, Any, Any]) -> None:
    game, obj, mesh = character
    save(part, obj)
    assert lines(part, game, tmp_path) == []
    layer = mesh.data.uv_layers.new(name="extra")
    layer.uv[0].vector = (0.3, 0.123)
    reported = lines(part, game, tmp_path)
    if game == "mindpower":
        (line,) = reported
        assert "Save Character" in line and save(part, obj) == [] and lines(part, game, tmp_path) == []
        return
    (line,) = reported
    assert "a further UV map was edited, and the game draws by one alone: delete it" in line
    assert any("a further UV map was edited" in line for line in save(part, obj))
    mesh.data.uv_layers.remove(mesh.data.uv_layers["extra"])
    assert lines(part, game, tmp_path) == save(part, obj) == []


def test_the_map_by_which_blender_renders(part: Part, tmp_path: Path, character: tuple[str, Any, Any]) -> None:
    """Whichever is selected in the list."""
    game, obj, mesh = character
    layer = mesh.data.uv_layers.new(name="extra")
    shown = np.full((len(mesh.data.loops), 2), 0.375, np.float32)
    layer.uv.foreach_set("vector", shown.ravel())
    layer.active_render = True
    mesh.data.uv_layers.active_index = 0
    save(part, obj)
    OPS.wm.read_homefile(use_empty=True, use_factory_startup=True)
    _, mesh = opened(game, tmp_path)
    written = np.array([corner.vector[:] for corner in rendered(mesh).uv])
    pictured = written if game != "lba" else written[np.repeat(_pictured(mesh), [len(face.vertices) for face in mesh.data.polygons])]
    assert len(pictured) and np.abs(pictured - 0.375).max() < 0.01


def _pictured(mesh: Any) -> list[bool]:
    """Of the faces which have a picture; LBA keeps coordinates for these alone."""
    nodes = [any(node.type == "TEX_IMAGE" and node.image for node in slot.material.node_tree.nodes) for slot in mesh.material_slots]
    return [nodes[face.material_index] for face in mesh.data.polygons]


def test_more_maps_than_tales_of_pirates_has(part: Part, tmp_path: Path) -> None:
    """Four: that by which Blender renders, wherever it stands among them, and the first of the others."""
    obj, mesh = opened("mindpower", tmp_path)
    maps = mesh.data.uv_layers
    while len(maps) < 6:
        maps.new(name=f"more {len(maps)}")
    maps[5].active_render = True
    (line,) = save(part, obj)
    left, _, rest = line.partition(": the game has 4 UV maps of a mesh: ")
    assert left.split(": ")[-1] == f"{maps[3].name}, {maps[4].name}"
    assert rest == "the one that Blender renders is written, and the first of the others"
