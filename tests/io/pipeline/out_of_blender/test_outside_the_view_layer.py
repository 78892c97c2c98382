"""Meshes in a collection that the view layer leaves out: a body is without them, which is said."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import pytest
from support.sample_characters import opened

Part = Callable[[str], ModuleType]
CONTEXT: Any = bpy.context


def aside(*meshes: Any) -> None:
    """Put meshes into a collection of their own, and that alone."""
    collection = bpy.data.collections.new("aside")
    CONTEXT.scene.collection.children.link(collection)
    for mesh in meshes:
        for each in mesh.users_collection:
            each.objects.unlink(mesh)
        collection.objects.link(mesh)


def copied(mesh: Any) -> Any:
    other = mesh.copy()
    other.data = mesh.data.copy()
    CONTEXT.scene.collection.objects.link(other)
    return other


def said(part: Part, game: str, obj: Any) -> list[tuple[str, str]]:
    bodies, options = part(f"io.{game}.bodies"), part(f"core.{game}.game").BodyOptions()
    with part("core.reporting.log").collect() as log:
        bodies.pack_body(bpy.context, obj, options)
    return [(level, str(each)) for level in ("WARNING", "INFO") for each in log.of(level) if "view layer" in each.text]


@pytest.mark.parametrize("game", ["lba", "oni"])
def test_a_mesh_that_is_left_out_of_a_body(part: Part, tmp_path: Path, game: str) -> None:
    """The one that stays has nothing of the file in it."""
    obj, mesh = opened(game, tmp_path)
    other = copied(mesh)
    other.data.attributes.remove(other.data.attributes["game_point"])
    assert said(part, game, obj) == []
    aside(mesh)
    assert said(part, game, obj) == []
    CONTEXT.view_layer.layer_collection.children["aside"].exclude = True
    ((level, line),) = said(part, game, obj)
    outside = f"1 mesh in the collection aside, which the view layer leaves out, is not in the body: {mesh.name}: tick the collection"
    assert level == "WARNING" and outside in line


@pytest.mark.parametrize("game", ["lba", "oni"])
def test_backups_are_one_line_and_no_warning(part: Part, tmp_path: Path, game: str) -> None:
    obj, mesh = opened(game, tmp_path)
    aside(*(copied(mesh) for _ in range(6)))
    CONTEXT.view_layer.layer_collection.children["aside"].exclude = True
    ((level, line),) = said(part, game, obj)
    assert level == "INFO" and "6 meshes in the collection aside, which the view layer leaves out, are not in the body" in line


@pytest.mark.parametrize("game", ["lba", "oni"])
def test_meshes_of_ones_own_are_one_warning(part: Part, tmp_path: Path, game: str) -> None:
    obj, mesh = opened(game, tmp_path)
    others = [copied(mesh) for _ in range(6)]
    for other in others:
        other.data.attributes.remove(other.data.attributes["game_point"])
    aside(*others)
    CONTEXT.view_layer.layer_collection.children["aside"].exclude = True
    ((level, line),) = said(part, game, obj)
    assert level == "WARNING" and "6 meshes in the collection aside" in line and "and 1 more: tick the collection" in line
