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


@pytest.mark.parametrize("game", ["lba", "oni"])
def test_a_mesh_that_is_left_out_of_a_body(part: Part, tmp_path: Path, game: str) -> None:
    obj, mesh = opened(game, tmp_path)
    other = mesh.copy()
    CONTEXT.scene.collection.objects.link(other)

    def said() -> list[str]:
        bodies, options = part(f"io.{game}.bodies"), part(f"core.{game}.game").BodyOptions()
        with part("core.reporting.log").collect() as log:
            bodies.pack_body(bpy.context, obj, options)
        return [str(message) for message in log.of("WARNING") if "view layer" in message.text]

    assert said() == []
    collection = bpy.data.collections.new("aside")
    CONTEXT.scene.collection.children.link(collection)
    for each in mesh.users_collection:
        each.objects.unlink(mesh)
    collection.objects.link(mesh)
    assert said() == []
    CONTEXT.view_layer.layer_collection.children["aside"].exclude = True
    (line,) = said()
    assert f"{mesh.name}: its collection is excluded from the view layer, so that the body is without it: tick that" in line
