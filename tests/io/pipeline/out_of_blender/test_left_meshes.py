"""Whoever edits the mesh of a character and exports its clips learns that no file of these has it, until the character is saved."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import pytest
from support.sample_characters import CHARACTERS, SUFFIXES, opened

OPS: Any = bpy.ops
CONTEXT: Any = bpy.context
Part = Callable[[str], ModuleType]


@pytest.fixture(params=CHARACTERS)
def character(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, Any, Any]:
    """A game, an armature of it, and the mesh that has most vertices."""
    game = request.param
    return (game, *opened("lba1" if game == "lba" else game, tmp_path))


def lines(part: Part, game: str, folder: Path) -> list[str]:
    """What a dry run of an export says of meshes."""
    games, row = part("io.pipeline.games"), part("core.games").GAMES[game]
    exported = games.export(bpy.context, row, str(folder / f"out{SUFFIXES[game]}"), {"source": "ALL", "dry_run": True})
    return [line for line in exported.warnings if "edited" in line]


def moved(mesh: Any) -> None:
    mesh.data.vertices[3].co.x += 0.03


def without_a_face(mesh: Any) -> None:
    """By hand, in Edit Mode, which stays on."""
    CONTEXT.view_layer.objects.active = mesh
    OPS.object.mode_set(mode="EDIT")
    OPS.mesh.select_mode(type="FACE")
    OPS.mesh.select_all(action="SELECT")
    OPS.mesh.delete(type="ONLY_FACE")


def lighter(mesh: Any) -> None:
    vertex = next(vertex for vertex in mesh.data.vertices if len(vertex.groups))
    vertex.groups[0].weight *= 0.5


def carried_by_another(mesh: Any) -> None:
    vertex = next(vertex for vertex in mesh.data.vertices if len(vertex.groups) == 1)
    first, second = mesh.vertex_groups.new(name="one more"), mesh.vertex_groups[vertex.groups[0].group]
    first.add([vertex.index], 1.0, "REPLACE")
    second.remove([vertex.index])


def of_another_material(mesh: Any) -> None:
    mesh.data.materials.append(bpy.data.materials.new("more"))
    mesh.data.polygons[0].material_index = len(mesh.data.materials) - 1


def drawn_elsewhere(mesh: Any) -> None:
    layer = mesh.data.uv_layers.active or mesh.data.uv_layers.new()
    layer.uv[0].vector = (0.3, 0.123)


def coloured(mesh: Any) -> None:
    colours = mesh.data.color_attributes
    layer = colours[0] if len(colours) else colours.new("Col", "BYTE_COLOR", "CORNER")
    layer.data[0].color_srgb = (0.2, 0.9, 0.1, 1)


def sharpened(mesh: Any) -> None:
    edge = mesh.data.edges[0]
    edge.use_edge_sharp = not edge.use_edge_sharp


def flattened(mesh: Any) -> None:
    face = mesh.data.polygons[0]
    face.use_smooth = not face.use_smooth


SHAPES = (moved, without_a_face)


def recoloured(mesh: Any) -> None:
    material = mesh.data.materials[0]
    shader = next(node for node in material.node_tree.nodes if node.type == "BSDF_PRINCIPLED")
    for name in ("Base Color", "Emission Color"):
        shader.inputs[name].default_value = (0.1, 0.7, 0.2, 1)


LOOKS = (lighter, carried_by_another, of_another_material, drawn_elsewhere, coloured, sharpened, flattened, recoloured)
UNHELD: dict[tuple[str, Callable[[Any], None]], str] = {
    ("lba", drawn_elsewhere): "texture coordinates were edited or added, and the game has none without a picture",
    ("lba", coloured): "a colour attribute was edited or added, and the game has none",
    ("oni", coloured): "a colour attribute was edited or added, and the game has none",
    ("oni", recoloured): "a material's colour was edited, and the game draws what has no picture without a texture",
    ("mindpower", recoloured): "",  # its picture is shown, and that colour nowhere
}
"""What of these no file of a game has: Save Character would not write it."""


@pytest.mark.thorough
@pytest.mark.parametrize("edit", [*SHAPES, *LOOKS])
def test_an_edited_mesh(part: Part, tmp_path: Path, character: tuple[str, Any, Any], edit: Callable[[Any], None]) -> None:
    game, obj, mesh = character
    assert lines(part, game, tmp_path) == []
    edit(mesh)
    reported = lines(part, game, tmp_path)
    expected = UNHELD.get((game, edit))
    if expected is None:
        assert any(line.startswith(mesh.name) and "edited, which is not in what is exported" in line for line in reported), reported
        return
    assert [line for line in reported if expected not in line] == [] and bool(reported) == bool(expected)
    with part("core.reporting.log").collect() as said:
        part("io.pipeline.out_of_blender.character").save_character(bpy.context, obj)
    assert not expected or any(expected in line for line in said.digest("WARNING"))
    assert lines(part, game, tmp_path) == []


def node_linked(material: Any) -> None:
    tree = material.node_tree
    shader = next(node for node in tree.nodes if node.type == "BSDF_PRINCIPLED")
    tree.links.new(tree.nodes.new("ShaderNodeRGB").outputs[0], shader.inputs["Base Color"])


def another_shader(material: Any) -> None:
    tree = material.node_tree
    output = next(node for node in tree.nodes if node.type == "OUTPUT_MATERIAL")
    tree.links.new(tree.nodes.new("ShaderNodeEmission").outputs[0], output.inputs["Surface"])


@pytest.mark.parametrize("character", ["oni"], indirect=True)
@pytest.mark.parametrize("edit", [node_linked, another_shader])
def test_a_colour_that_nodes_make(part: Part, tmp_path: Path, character: tuple[str, Any, Any], edit: Callable[[Any], None]) -> None:
    game, obj, mesh = character
    edit(mesh.data.materials[0])
    expected = UNHELD[game, recoloured]
    (line,) = lines(part, game, tmp_path)
    assert expected in line
    with part("core.reporting.log").collect() as said:
        part("io.pipeline.out_of_blender.character").save_character(bpy.context, obj)
    assert any(expected in line for line in said.digest("WARNING"))
    assert lines(part, game, tmp_path) == []


def pictured(mesh: Any) -> list[Any]:
    """The pictures of its materials, one of which somebody made."""
    image = bpy.data.images.new("mine", 4, 4)
    tree = mesh.data.materials[0].node_tree
    node = next((node for node in tree.nodes if node.type == "TEX_IMAGE"), None) or tree.nodes.new("ShaderNodeTexImage")
    node.image = image
    trees = [material.node_tree for material in mesh.data.materials]
    return [node.image for tree in trees for node in tree.nodes if node.type == "TEX_IMAGE"]


def test_a_second_picture_of_one_name(part: Part, tmp_path: Path, character: tuple[str, Any, Any]) -> None:
    """As where a character is appended beside another: Blender calls the second ones by a number, and nobody edited anything."""
    game, _, mesh = character
    images = pictured(mesh)
    part("io.blender.surface.edited").remember(mesh.data)
    for image in images:
        image.name += ".001"
    assert lines(part, game, tmp_path) == []
    images[0].name = "another"
    assert any("edited" in line for line in lines(part, game, tmp_path))


@pytest.mark.parametrize("character", ["oni", "mindpower"], indirect=True)
def test_a_picture_that_is_painted_on(part: Part, tmp_path: Path, character: tuple[str, Any, Any]) -> None:
    """After it was written, and again after it was written so."""
    game, obj, mesh = character
    image, save = pictured(mesh)[0], part("io.pipeline.out_of_blender.character").save_character
    image.name, image.source = "mine", "GENERATED"
    for value in (0.25, 0.75):
        image.pixels.foreach_set([value] * len(image.pixels))
        image.update()
        (line,) = lines(part, game, tmp_path)
        assert line.startswith(f"{mesh.name} was edited, which is not in what is exported here: Save Character")
        assert save(CONTEXT, obj, overwrite=True).paths
        assert lines(part, game, tmp_path) == []


def test_a_picture_of_the_game_that_was_renamed(part: Part, tmp_path: Path, character: tuple[str, Any, Any]) -> None:
    game, _, _ = character
    for image in bpy.data.images:
        image.name = "renamed"
    assert lines(part, game, tmp_path) == []


def test_a_picture_whose_file_is_gone(part: Part, tmp_path: Path, character: tuple[str, Any, Any]) -> None:
    game, _, mesh = character
    image = pictured(mesh)[0]
    part("io.blender.surface.edited").remember(mesh.data)
    image.source, image.filepath = "FILE", str(tmp_path / "gone.png")
    image.reload()
    assert min(image.size) == 0 and lines(part, game, tmp_path) == []


def test_a_new_material_is_no_edit_of_a_colour(part: Part, tmp_path: Path, character: tuple[str, Any, Any]) -> None:
    """On a face, and taken off again."""
    game, _, mesh = character
    before = mesh.data.polygons[0].material_index
    of_another_material(mesh)
    (line,) = lines(part, game, tmp_path)
    assert "which is not in what is exported" in line
    part("io.blender.surface.edited").remember(mesh.data)
    mesh.data.polygons[0].material_index = before
    (line,) = lines(part, game, tmp_path)
    assert "which is not in what is exported" in line


def test_what_is_remembered_in_another_form(part: Part, tmp_path: Path, character: tuple[str, Any, Any]) -> None:
    """Says nothing of edits."""
    game, _, mesh = character
    mesh.data[part("io.blender.surface.edited").SHAPE] = "0badcafe"
    assert lines(part, game, tmp_path) == []


def test_looked_at_in_edit_mode(part: Part, tmp_path: Path, character: tuple[str, Any, Any]) -> None:
    """Which is no edit, whether it stays on or not."""
    game, _, mesh = character
    CONTEXT.view_layer.objects.active = mesh
    OPS.object.mode_set(mode="EDIT")
    assert lines(part, game, tmp_path) == []
    OPS.object.mode_set(mode="OBJECT")
    assert lines(part, game, tmp_path) == []


def test_saved_and_edited_again(part: Part, tmp_path: Path, character: tuple[str, Any, Any]) -> None:
    game, obj, mesh = character
    moved(mesh)
    saved = part("io.pipeline.out_of_blender.character").save_character(bpy.context, obj)
    assert saved.paths and lines(part, game, tmp_path) == []
    moved(mesh)
    assert len(lines(part, game, tmp_path)) == 1


def test_a_file_that_has_the_meshes(part: Part, tmp_path: Path, character: tuple[str, Any, Any]) -> None:
    """Of two games an export can take them along."""
    game, _, mesh = character
    moved(mesh)
    files: dict[str, tuple[str, dict[str, Any]]] = {"mindpower": ("out.lab", {"with_meshes": True}), "oni2": ("out.mod", {})}
    if game in files:
        name, options = files[game]
        row = part("core.games").GAMES[game]
        exported = part("io.pipeline.games").export(bpy.context, row, str(tmp_path / name), options)
        assert not any("edited" in line for line in exported.warnings), exported.warnings
        assert lines(part, game, tmp_path) == []


def placed_elsewhere(mesh: Any) -> Callable[[], object]:
    mesh.location.x += 0.05
    return lambda: setattr(mesh.location, "x", 0.0)


def under_a_shape_key(mesh: Any) -> Callable[[], object]:
    mesh.shape_key_add(name="Basis")
    key = mesh.shape_key_add(name="breath")
    key.data[3].co.x += 0.03
    key.value = 1.0
    return lambda: setattr(key, "value", 0.0)


def under_a_modifier(mesh: Any) -> Callable[[], object]:
    modifier = mesh.modifiers.new("spread", "DISPLACE")
    modifier.strength = 0.01
    mesh.modifiers.move(len(mesh.modifiers) - 1, 0)
    return lambda: mesh.modifiers.remove(modifier)


def copied(mesh: Any) -> Callable[[], object]:
    """A new mesh, that is of no file."""
    data: Any = bpy.data.meshes.new("another")
    other: Any = bpy.data.objects.new("another", data)
    data.from_pydata([(0, 0, 0), (0.1, 0, 0), (0, 0.1, 0)], [], [(0, 1, 2)])
    other.vertex_groups.new(name=mesh.vertex_groups[0].name).add([0, 1, 2], 1.0, "REPLACE")
    mesh.users_collection[0].objects.link(other)
    other.parent = mesh.parent
    other.modifiers.new("Armature", "ARMATURE").object = mesh.parent
    return lambda: bpy.data.objects.remove(other)


def in_a_colour_of_its_object(mesh: Any) -> Callable[[], object]:
    """A slot that has its material from the object, beside what the mesh has."""
    material: Any = bpy.data.materials.new("own")
    material.use_nodes = True
    material.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = (0.1, 0.7, 0.2, 1)
    slot = mesh.material_slots[mesh.data.polygons[0].material_index]
    slot.link = "OBJECT"
    slot.material = material
    return lambda: setattr(slot, "link", "DATA")


@pytest.mark.thorough
@pytest.mark.parametrize("edit", [placed_elsewhere, under_a_shape_key, under_a_modifier, in_a_colour_of_its_object, copied])
@pytest.mark.parametrize("undone", [True, False], ids=["undone", "saved"])
def test_a_mesh_that_was_edited_as_an_object(
    part: Part, tmp_path: Path, character: tuple[str, Any, Any], edit: Callable[[Any], Callable[[], object]], undone: bool
) -> None:
    """What is shown of it is in no file that is exported, until it is saved; an edit of what makes it so is another one."""
    game, obj, mesh = character
    undo = edit(mesh)
    (line,) = lines(part, game, tmp_path)
    joined = "join what was added with the character's mesh (Ctrl J): then " if (game, edit) == ("oni2", copied) else ""  # it has one mesh
    assert "edited" in line and f"which is not in what is exported here: {joined}Save Character" in line
    if joined and not undone:
        mesh.select_set(True)
        bpy.data.objects["another"].select_set(True)
        CONTEXT.view_layer.objects.active = mesh
        OPS.object.join()
        CONTEXT.view_layer.objects.active = obj
    if undone:
        undo()
    else:
        assert part("io.pipeline.out_of_blender.character").save_character(bpy.context, obj).paths
    assert lines(part, game, tmp_path) == []
    if edit is under_a_modifier and not undone:
        mesh.modifiers["spread"].strength = 0.02
        assert len(lines(part, game, tmp_path)) == 1


def test_a_mesh_that_was_taken_away(part: Part, tmp_path: Path, character: tuple[str, Any, Any]) -> None:
    """The game goes on showing it. A copy of the armature alone has lost nothing."""
    game, obj, mesh = character
    row = part("core.games").GAMES[game]

    def reported() -> list[str]:
        options = {"source": "ALL", "dry_run": True}
        exported = part("io.pipeline.games").export(bpy.context, row, str(tmp_path / f"out{SUFFIXES[game]}"), options)
        return [line for line in exported.warnings if "does not move it any more" in line]

    twin = obj.copy()
    obj.users_collection[0].objects.link(twin)
    CONTEXT.view_layer.objects.active = twin
    assert reported() == []
    CONTEXT.view_layer.objects.active = obj
    (collection,) = mesh.users_collection
    name = mesh.name
    collection.objects.unlink(mesh)
    (line,) = reported()
    assert line.startswith(f"{name} came with {obj.name}")
    collection.objects.link(mesh)
    assert reported() == []
    bpy.data.objects.remove(mesh)
    assert len(reported()) == 1
    if game == "lba":
        assert part("io.pipeline.out_of_blender.character").save_character(bpy.context, obj).paths
        assert reported() == []


def test_vertices_of_a_group_that_is_called_as_no_bone(part: Part, character: tuple[str, Any, Any], tmp_path: Path) -> None:
    """Are left behind in Blender, and not in the game. A bone that is renamed takes its groups along; groups that are something else, of
    vertices that bones move as well, say nothing."""
    game, obj, mesh = character
    games, row = part("io.pipeline.games"), part("core.games").GAMES[game]

    def said() -> list[str]:
        exported = games.export(bpy.context, row, str(tmp_path / f"out{SUFFIXES[game]}"), {"source": "ALL", "dry_run": True})
        return [line for line in exported.warnings if "vertex group" in line]

    group = mesh.vertex_groups[next(iter(mesh.data.vertices[3].groups)).group]
    bone = group.name
    group.name = "nobody"
    (line,) = said()
    assert line.startswith(f"{mesh.name}: no bone of {obj.name} is called as its vertex group nobody") and line.endswith("name of its bone")
    group.name = bone
    mesh.vertex_groups.new(name="mask").add([3], 1.0, "REPLACE")
    assert said() == []
