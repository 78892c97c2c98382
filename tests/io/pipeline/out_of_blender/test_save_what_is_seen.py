"""*Save Character* says what of a body is not written as it is seen: a mesh that is gone or hangs on a bone alone, a picture not shown."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import pytest
from support.sample_characters import opened

OPS: Any = bpy.ops
DATA: Any = bpy.data
CONTEXT: Any = bpy.context
Part = Callable[[str], ModuleType]
FILES = {"oni": "TRBSmannequin.oni", "oni2": "mannequin.mod", "mindpower": "0001000000.lgo"}
"""By game the file of the sample's mesh."""


def said(part: Part, obj: Any) -> list[str]:
    """The warnings; nothing of this is written."""
    with part("core.reporting.log").collect() as log:
        saved = part("io.pipeline.out_of_blender.character").save_character(bpy.context, obj)
    assert saved.paths == []
    return [message.text for message in log.messages if message.level == "WARNING"]


@pytest.mark.parametrize("game", FILES)
def test_a_mesh_that_is_gone(part: Part, tmp_path: Path, game: str) -> None:
    obj, mesh = opened(game, tmp_path)
    assert said(part, obj) == []
    DATA.objects.remove(mesh)
    (line,) = said(part, obj)
    assert FILES[game] in line and "bring the mesh back" in line


@pytest.mark.parametrize("game", ["oni2", "mindpower"])
def test_a_mesh_that_hangs_on_a_bone(part: Part, tmp_path: Path, game: str) -> None:
    """Oni and Little Big Adventure take it with its bone."""
    obj, _ = opened(game, tmp_path)
    OPS.mesh.primitive_cube_add(size=0.2)
    hat = CONTEXT.object
    hat.parent, hat.parent_type, hat.parent_bone = obj, "BONE", obj.data.bones[1].name
    CONTEXT.view_layer.objects.active = obj
    (line,) = said(part, obj)
    assert line.startswith(f"{hat.name} hangs on {obj.name}") and "Armature Deform" in line


def test_a_picture_that_is_not_shown(part: Part, tmp_path: Path) -> None:
    """In Oni 2 a plain colour is written instead, and Little Big Adventure has no pictures."""
    obj, mesh = opened("mindpower", tmp_path)
    material = mesh.material_slots[0].material
    hide(material)
    (line,) = said(part, obj)
    assert line == f"{material.name} does not show its picture: the file keeps 0001000000.bmp"


def test_a_picture_of_oni_that_is_not_shown(part: Part, tmp_path: Path) -> None:
    obj, mesh = opened("oni", tmp_path)
    material = mesh.material_slots[0].material
    if material.node_tree is None:
        material.use_nodes = True
    node = material.node_tree.nodes.new("ShaderNodeTexImage")
    node.image = DATA.images.new("TXMPmannequin", 4, 4)
    shader = next(each for each in material.node_tree.nodes if each.type == "BSDF_PRINCIPLED")
    material.node_tree.links.new(node.outputs["Color"], shader.inputs["Base Color"])
    for shown in (True, False):
        if not shown:
            hide(material)
        with part("core.reporting.log").collect() as log:
            part("io.oni.bodies").pack_body(bpy.context, obj, part("core.oni.game").BodyOptions(str(tmp_path / "TRBSnew.oni")))
        says = f"{material.name} does not show its picture: the file keeps TXMPmannequin"
        assert (says in [message.text for message in log.messages]) is not shown


def hide(material: Any) -> None:
    """The colours of its pictures go nowhere."""
    for link in [link for link in material.node_tree.links if link.from_node.type == "TEX_IMAGE"]:
        material.node_tree.links.remove(link)
