"""A material that a slot has from the object, not from its mesh, is what is shown, and what a game's file gets."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from support.sample_characters import opened

OPS: Any = bpy.ops
CONTEXT: Any = bpy.context
Part = Callable[[str], ModuleType]
SHOWN = (0.8, 0.2, 0.4)
"""As displayed; parts of 255."""


def colours(mesh: Any) -> Any:
    """(F, 3) as displayed, at the first corner of each face."""
    shown = list[Any]()
    for face in mesh.data.polygons:
        nodes = mesh.material_slots[face.material_index].material.node_tree.nodes
        image = next((node.image for node in nodes if node.type == "TEX_IMAGE"), None)
        if image is None:
            linear = np.array(nodes["Principled BSDF"].inputs["Base Color"].default_value[:3])
            shown.append(np.where(linear > 0.0031308, 1.055 * linear ** (1 / 2.4) - 0.055, 12.92 * linear))
            continue
        width, height = image.size
        u, v = mesh.data.uv_layers[0].uv[face.loop_start].vector
        pixels = np.array(image.pixels[:]).reshape(height, width, 4)
        shown.append(pixels[int(v * height) % height, int(u * width) % width, :3])
    return np.array(shown)


@pytest.mark.parametrize("game", ["oni2", "mindpower"])
def test_a_material_of_the_object_is_written(part: Part, tmp_path: Path, game: str) -> None:
    obj, mesh = opened(game, tmp_path)
    assert not (np.abs(colours(mesh) - SHOWN) < 0.01).all(axis=1).any()
    index = mesh.data.polygons[0].material_index
    of_it = sum(face.material_index == index for face in mesh.data.polygons)
    material: Any = bpy.data.materials.new("own")
    shader = next(node for node in part("io.blender.compat").shader_tree(material).nodes if node.type == "BSDF_PRINCIPLED")
    shader.inputs["Base Color"].default_value = (*(((part + 0.055) / 1.055) ** 2.4 for part in SHOWN), 1.0)
    mesh.material_slots[index].link = "OBJECT"
    mesh.material_slots[index].material = material
    part("io.pipeline.out_of_blender.character").save_character(bpy.context, obj)
    OPS.wm.read_homefile(use_empty=True, use_factory_startup=True)
    _, written = opened(game, tmp_path)
    assert (np.abs(colours(written) - SHOWN) < 0.01).all(axis=1).sum() == of_it


def test_a_plain_one_that_the_game_does_not_draw_is_named(part: Part, tmp_path: Path) -> None:
    obj, mesh = opened("oni", tmp_path)

    def said() -> list[str]:
        with part("core.reporting.log").collect() as log:
            part("io.pipeline.out_of_blender.character").save_character(bpy.context, obj)
        return [line for line in log.digest("WARNING") if "without a texture: give it a picture" in line]

    assert said() == []
    slot = mesh.material_slots[mesh.data.polygons[0].material_index]
    before, slot.link = slot.material, "OBJECT"
    for same in (None, before, before.copy()):
        slot.material = same
        assert said() == []
    slot.material = bpy.data.materials.new("own")
    (line,) = said()
    assert mesh.name in line and "a material's colour was edited" in line
    slot.material = before
    slot.link = "DATA"
    assert said() == []
