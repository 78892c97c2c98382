"""An edit of a mesh that was saved and then undone: the file has it, Blender does not, and an export of clips says so until it is saved."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import pytest

OPS: Any = bpy.ops
CONTEXT: Any = bpy.context
DATA: Any = bpy.data
Part = Callable[[str], ModuleType]
SAMPLES = Path(__file__).resolve().parents[4] / "samples"
FILES = {
    "lba": ("lba2/RESS.HQR", {"entities": "0"}),
    "oni": ("oni/TRAMmannequin_walk.oni", {}),
    "oni2": ("oni2/Entity/mannequin/Entity.type", {}),
    "mindpower": ("mindpower/animation/0001.lab", {}),
}


def a_vertex(mesh: Any) -> None:
    mesh.data.vertices[3].co.x += 0.03


def the_object(mesh: Any) -> None:
    mesh.location.z += 0.1


def a_modifier(mesh: Any) -> None:
    mesh.modifiers.new("Displace", "DISPLACE").strength = 0.01


def step(name: str) -> None:
    OPS.ed.undo_push(message=name)


@pytest.mark.parametrize("edit", [a_vertex, the_object, a_modifier])
@pytest.mark.parametrize("game", FILES)
def test_saved_and_undone(part: Part, tmp_path: Path, game: str, edit: Callable[[Any], None]) -> None:
    path, options = FILES[game]
    folder = path.split("/")[0]
    shutil.copytree(SAMPLES / folder, tmp_path / folder, copy_function=shutil.copyfile)
    getattr(OPS.import_anim, game)(filepath=str(tmp_path / path), **options)
    obj = next(each for each in CONTEXT.scene.objects if each.type == "ARMATURE")
    CONTEXT.view_layer.objects.active = obj
    mesh = max((each for each in obj.children_recursive if each.type == "MESH"), key=lambda each: len(each.data.vertices))
    names = obj.name, mesh.name

    def said() -> list[str]:
        """What an export of clips says of the mesh."""
        with part("core.reporting.log").collect() as log:
            part("io.pipeline.out_of_blender.left_meshes").report(bpy.context, [DATA.objects[names[0]]], [], gone=True)
        return [line for line in log.digest("WARNING") if f"{names[1]} was edited" in line]

    def save() -> list[str]:
        return part("io.pipeline.out_of_blender.character").save_character(bpy.context, DATA.objects[names[0]]).paths

    assert not said()
    step("import")
    edit(mesh)
    step("edit")
    assert said()
    assert save() and not said()
    step("save")
    OPS.ed.undo()
    OPS.ed.undo()
    (line,) = said()
    assert "Save Character" in line
    OPS.ed.redo()
    assert not said(), "the file has it"
    OPS.ed.undo()
    assert save() and not said()
