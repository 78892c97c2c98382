"""A body's file moves its meshes by bones alone, as the game does: where Blender shows them to move otherwise that is said before they are
written, and what is advised ends it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import pytest
from support.sample_characters import CHARACTERS, opened

OPS: Any = bpy.ops
DATA: Any = bpy.data
CONTEXT: Any = bpy.context
Part = Callable[[str], ModuleType]


@pytest.fixture(params=CHARACTERS)
def character(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Any, Any]:
    return opened(request.param, tmp_path)


def said(part: Part, obj: Any) -> list[str]:
    """The warnings of saving the character that are not about how its faces look."""
    with part("core.reporting.log").collect() as log:
        part("io.pipeline.out_of_blender.character").save_character(bpy.context, obj)
    return [message.text for message in log.messages if message.level == "WARNING" and "now, by up to" not in message.text]


def modifier(mesh: Any) -> Any:
    return next(each for each in mesh.modifiers if each.type == "ARMATURE")


Undo = Callable[[], object]


def off(_: Any, mesh: Any) -> Undo:
    modifier(mesh).show_viewport = False
    return lambda: setattr(modifier(mesh), "show_viewport", True)


def without_groups(_: Any, mesh: Any) -> Undo:
    modifier(mesh).use_vertex_groups = False
    return lambda: setattr(modifier(mesh), "use_vertex_groups", True)


def in_one_group(_: Any, mesh: Any) -> Undo:
    modifier(mesh).vertex_group = mesh.vertex_groups[1].name
    return lambda: setattr(modifier(mesh), "vertex_group", "")


def twice(obj: Any, mesh: Any) -> Undo:
    second = mesh.modifiers.new("second", "ARMATURE")
    second.object = obj
    return lambda: mesh.modifiers.remove(second)


def behind(_: Any, mesh: Any) -> Undo:
    mesh.modifiers.new("spread", "DISPLACE").strength = 0.0
    return lambda: mesh.modifiers.move(1, 0)


def without_deform(obj: Any, mesh: Any) -> Undo:
    group = mesh.vertex_groups[mesh.data.vertices[0].groups[0].group].name
    obj.data.bones[group].use_deform = False
    return lambda: setattr(obj.data.bones[group], "use_deform", True)


def shape_keys(_: Any, mesh: Any) -> Undo:
    mesh.shape_key_add(name="Basis")
    key = mesh.shape_key_add(name="breath")
    key.keyframe_insert("value", frame=1)
    return lambda: mesh.shape_key_clear()


def keyed(_: Any, mesh: Any) -> Undo:
    mesh.keyframe_insert("location", frame=1)
    return lambda: mesh.animation_data_clear()


def shown_by_keys(_: Any, mesh: Any) -> Undo:
    mesh.keyframe_insert("hide_viewport", frame=1)
    return lambda: mesh.animation_data_clear()


def hidden(_: Any, mesh: Any) -> Undo:
    mesh.hide_set(True)
    return lambda: mesh.hide_set(False)


EDITS: dict[str, tuple[Callable[[Any, Any], Undo], str]] = {
    "off": (off, "no Armature modifier moves it in Blender"),
    "without groups": (without_groups, "leaves out vertex groups"),
    "in one group": (in_one_group, "leaves out vertex groups"),
    "twice": (twice, "2 Armature modifiers move it, and the game moves it once"),
    "behind": (behind, "spread acts on the posed mesh"),
    "without deform": (without_deform, "Deform is off"),
    "shape keys": (shape_keys, "keys or drivers of its shape keys may change it"),
    "keyed": (keyed, "keys or drivers of its own may change it"),
    "shown by keys": (shown_by_keys, "keys or drivers of its visibility may change it"),
    "hidden": (hidden, "it is hidden in Blender"),
}


@pytest.mark.thorough
@pytest.mark.parametrize("edit", EDITS)
def test_a_mesh_that_moves_otherwise(part: Part, character: tuple[Any, Any], edit: str) -> None:
    obj, mesh = character
    assert said(part, obj) == []
    change, expected = EDITS[edit]
    undo = change(obj, mesh)
    CONTEXT.view_layer.update()
    (line,) = said(part, obj)
    assert expected in line
    undo()
    CONTEXT.view_layer.update()
    assert said(part, obj) == []
