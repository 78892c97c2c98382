"""Light, alpha and culling of materials that came in: where no file of the game holds them that is said, and undone nothing is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import pytest
from support.sample_characters import CHARACTERS, opened

Part = Callable[[str], ModuleType]


def said(part: Part, obj: Any) -> list[str]:
    with part("core.reporting.log").collect() as log:
        part("io.pipeline.out_of_blender.character").save_character(bpy.context, obj)
    return [message.text for message in log.messages if message.level == "WARNING"]


def material_of(mesh: Any) -> Any:
    return mesh.material_slots[mesh.data.polygons[0].material_index].material


def shader_of(mesh: Any) -> Any:
    return next(node for node in material_of(mesh).node_tree.nodes if node.type == "BSDF_PRINCIPLED")


def emission(mesh: Any, on: bool) -> None:
    inputs = shader_of(mesh).inputs
    inputs["Emission Color"].default_value = (1, 0, 0, 1)
    inputs["Emission Strength"].default_value = 2.0 if on else 0.0


def alpha(mesh: Any, on: bool) -> None:
    shader_of(mesh).inputs["Alpha"].default_value = 0.4 if on else 1.0


def culling(mesh: Any, on: bool) -> None:
    material_of(mesh).use_backface_culling = on


def viewport(mesh: Any, on: bool) -> None:
    material = material_of(mesh)
    material.diffuse_color = (1, 0, 0, 1) if on else (*material["retro_anim_viewport"], 1)


EDITS = {
    "its edited Viewport Display colour in Solid view": (viewport, CHARACTERS.keys(), "edit that"),
    "Emission": (emission, CHARACTERS.keys(), "set its Strength to 0"),
    "an Alpha below 1": (alpha, {"oni", "oni2"}, "set it to 1"),
    "Backface Culling": (culling, {"oni", "oni2"}, "switch it off"),
}


@pytest.mark.parametrize("what", EDITS)
@pytest.mark.parametrize("game", CHARACTERS)
def test_what_no_file_holds(part: Part, tmp_path: Path, game: str, what: str) -> None:
    edit, games, remedy = EDITS[what]
    if game not in games:
        pytest.skip("its files hold that")
    obj, mesh = opened(game, tmp_path)
    assert said(part, obj) == []
    edit(mesh, True)
    (line,) = said(part, obj)
    assert line.startswith(f"{material_of(mesh).name}: Blender shows {what}, and the file has ") and line.endswith(remedy)
    edit(mesh, False)
    assert said(part, obj) == []


@pytest.mark.parametrize("surface", [0.8, 0.1])
def test_a_new_material_that_only_the_solid_viewport_colours(part: Part, tmp_path: Path, surface: float) -> None:
    """One whose surface has a colour, too, is meant by that; as it comes from other programs with a colour of its own for the viewport."""
    obj, mesh = opened("lba", tmp_path)
    new: Any = bpy.data.materials.new("cloth")
    if bpy.app.version < (5, 0):
        new.use_nodes = True
    new.diffuse_color = (0, 0, 1, 1)
    mesh.material_slots[mesh.data.polygons[0].material_index].material = new
    shader_of(mesh).inputs["Base Color"].default_value = (surface, 0.8, 0.8, 1)
    named = [line for line in said(part, obj) if line.startswith("cloth: Blender shows its edited Viewport Display colour")]
    assert len(named) == (surface == 0.8)


@pytest.mark.parametrize("game", CHARACTERS)
def test_nodes_that_change_a_picture(part: Part, tmp_path: Path, game: str) -> None:
    obj, mesh = opened(game, tmp_path)
    tree, shader = material_of(mesh).node_tree, shader_of(mesh)
    picture, hue = tree.nodes.new("ShaderNodeTexImage"), tree.nodes.new("ShaderNodeHueSaturation")
    picture.image = bpy.data.images.new("picture", 4, 4)
    tree.links.new(picture.outputs["Color"], hue.inputs["Color"])
    for name in ("Base Color", "Emission Color"):
        tree.links.new(hue.outputs["Color"], shader.inputs[name])
    expected = f"{material_of(mesh).name}: nodes change its picture, or where that lies, of which the file has nothing"
    assert len([line for line in said(part, obj) if expected in line]) == 1


@pytest.mark.parametrize("edit", [alpha, culling])
@pytest.mark.parametrize("game", CHARACTERS)
def test_a_clip_alone_names_what_the_body_would_hold(part: Part, tmp_path: Path, game: str, edit: Callable[[Any, bool], None]) -> None:
    obj, mesh = opened(game, tmp_path)

    def edited() -> list[str]:
        games, row = part("io.pipeline.games"), part("core.games").GAMES[game]
        suffix = next(each for each, holds in row.written.items() if holds in ("clip", "archive", "character"))
        options = {"source": "ALL", "dry_run": True}
        return [line for line in games.export(bpy.context, row, str(tmp_path / f"out{suffix}"), options).warnings if "edited" in line]

    assert edited() == []
    culled = material_of(mesh).use_backface_culling
    edit(mesh, not culled if edit is culling else True)
    lines = edited()
    assert len(lines) == (game == "mindpower") and all(mesh.name in line for line in lines)
    if game == "mindpower":
        said(part, obj)
        assert edited() == []
