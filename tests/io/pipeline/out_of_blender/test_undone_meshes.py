"""An edit of a mesh that was saved and then undone: the file has it, Blender does not, and an export of clips says so until it is saved."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import pytest
from support.sample_characters import CHARACTERS, opened

OPS: Any = bpy.ops
CONTEXT: Any = bpy.context
DATA: Any = bpy.data
Part = Callable[[str], ModuleType]


def a_vertex(mesh: Any) -> None:
    mesh.data.vertices[3].co.x += 0.03


def the_object(mesh: Any) -> None:
    mesh.location.z += 0.1


def a_modifier(mesh: Any) -> None:
    mesh.modifiers.new("Displace", "DISPLACE").strength = 0.01


def step(name: str) -> None:
    OPS.ed.undo_push(message=name)


def names_of(folder: Path, game: str) -> tuple[str, str]:
    """The names of an armature of a game and of its largest mesh, which undo makes others of."""
    obj, mesh = opened(game, folder)
    return obj.name, mesh.name


def warned(part: Part, name: str) -> list[str]:
    """What an export of clips says of the meshes of an armature."""
    with part("core.reporting.log").collect() as log:
        part("io.pipeline.out_of_blender.left_meshes").report(bpy.context, [DATA.objects[name]], [], gone=True)
    return log.digest("WARNING")


def save(part: Part, name: str) -> list[str]:
    return part("io.pipeline.out_of_blender.character").save_character(bpy.context, DATA.objects[name]).paths


@pytest.mark.parametrize("edit", [a_vertex, the_object, a_modifier])
@pytest.mark.parametrize("game", CHARACTERS)
def test_saved_and_undone(part: Part, tmp_path: Path, game: str, edit: Callable[[Any], None]) -> None:
    name, mesh = names_of(tmp_path, game)

    def said() -> list[str]:
        return [line for line in warned(part, name) if f"{mesh} was edited" in line]

    assert not said()
    step("import")
    edit(DATA.objects[mesh])
    step("edit")
    assert said()
    assert save(part, name) and not said()
    step("save")
    OPS.ed.undo()
    OPS.ed.undo()
    (line,) = said()
    assert "Save Character" in line
    OPS.ed.redo()
    assert not said(), "the file has it"
    OPS.ed.undo()
    assert save(part, name) and not said()


@pytest.mark.parametrize("game", ["lba", "oni", "mindpower"])
def test_a_new_mesh_whose_first_save_is_undone(part: Part, tmp_path: Path, game: str) -> None:
    """The file has it, and Blender shows it as it is there."""
    name, mesh = names_of(tmp_path, game)
    step("import")
    new: Any = DATA.objects[mesh].copy()
    new.name, new.data = "another", DATA.meshes.new("another")
    new.data.from_pydata([(0, 0, 0), (0.1, 0, 0), (0, 0.1, 0)], [], [(0, 1, 2)])
    new.vertex_groups.new(name=DATA.objects[mesh].vertex_groups[0].name).add([0, 1, 2], 1.0, "REPLACE")
    for key in list(new.keys()):
        del new[key]
    CONTEXT.scene.collection.objects.link(new)
    step("add")
    assert any("another was edited or added" in line for line in warned(part, name))
    assert save(part, name)
    step("save")
    OPS.ed.undo()
    assert warned(part, name) == []
    DATA.objects["another"].location.x += 0.5
    (line,) = warned(part, name)
    assert line.startswith("another was edited, which is not in")


def test_an_import_that_is_undone(part: Part, tmp_path: Path) -> None:
    """No file has more for that."""
    name, _ = names_of(tmp_path, "mindpower")
    meshes = tmp_path / "mindpower/model/character"
    shutil.copyfile(meshes / "0001000000.lgo", meshes / "0001010000.lgo")
    step("import")
    count = len(DATA.objects)
    OPS.object.select_all(action="DESELECT")
    DATA.objects[name].select_set(True)
    CONTEXT.view_layer.objects.active = DATA.objects[name]
    assert OPS.import_anim.mindpower(filepath=str(meshes / "0001010000.lgo")) == {"FINISHED"}
    step("import onto it")
    assert len(DATA.objects) > count and warned(part, name) == []
    OPS.ed.undo()
    assert len(DATA.objects) == count and warned(part, name) == []


def test_a_mesh_that_was_written_out_of_the_file_and_comes_back(part: Part, tmp_path: Path) -> None:
    """By undo it is in Blender alone, until it is saved."""
    name, mesh = names_of(tmp_path, "lba")
    copy: Any = DATA.objects[mesh].copy()
    copy.data = copy.data.copy()
    CONTEXT.scene.collection.objects.link(copy)
    assert save(part, name) and warned(part, name) == []
    step("two")
    DATA.objects.remove(DATA.objects[mesh])
    step("one")
    assert save(part, name) and warned(part, name) == []
    step("save")
    OPS.ed.undo()
    OPS.ed.undo()
    (line,) = warned(part, name)
    assert line.startswith(f"{mesh} was edited or added")
    assert save(part, name) and warned(part, name) == []


def test_a_copy_of_the_armature_alone(part: Part, tmp_path: Path) -> None:
    """Its original still moves the mesh, which nobody takes out of the file."""
    name, _ = names_of(tmp_path, "oni")
    OPS.object.select_all(action="DESELECT")
    DATA.objects[name].select_set(True)
    OPS.object.duplicate()
    copy = CONTEXT.view_layer.objects.active
    (line,) = warned(part, copy.name)
    assert line.startswith(f"{copy.name} moves no mesh, and those that came in are on {name}: export the clips of that")
    assert warned(part, name) == []
