"""Materials of a mesh that came from a file: new ones go into the file, and what it does not show is named."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest

Part = Callable[[str], ModuleType]
SAMPLE = Path(__file__).resolve().parents[3] / "samples" / "mindpower"


class Character:
    """The sample's mesh in a client's folder of its own."""

    def __init__(self, part: Part, folder: Path) -> None:
        shutil.copytree(SAMPLE, folder)
        self.part, self.client = part, folder
        self.file = folder / "model" / "character" / "0001000000.lgo"
        self.open()

    def open(self) -> None:
        mindpower = self.part("io.mindpower")
        (self.mesh,) = mindpower.import_mindpower(bpy.context, mindpower.ImportOptions((str(self.file),))).meshes
        self.before = self.read()

    def read(self) -> Any:
        return self.part("core.mindpower.files.mesh.lgo").Lgo.parse(self.file.read_bytes())

    def write(self) -> list[str]:
        mindpower = self.part("io.mindpower")
        with self.part("core.reporting.log").collect() as said:
            mindpower.export_mindpower(bpy.context, mindpower.ExportOptions(str(self.file)))
        return said.digest("WARNING")

    def use(self, material: Any, faces: int = 5) -> None:
        self.mesh.data.materials.append(material)
        for face in self.mesh.data.polygons[:faces]:
            face.material_index = len(self.mesh.data.materials) - 1


@pytest.fixture
def character(part: Part, tmp_path: Path) -> Character:
    return Character(part, tmp_path / "client")


def test_a_new_material_is_in_the_file(character: Character) -> None:
    """The game needs one for each part of a mesh."""
    character.use(bpy.data.materials.new("new"))
    assert character.write() == []
    now, before = character.read(), character.before
    assert len(now.materials) == len(now.mesh.subsets) == len(before.materials) + 1
    assert now.mesh.subsets["primitive_count"].tolist()[-1] == 5
    assert (now.materials.records[: len(before.materials)] == before.materials.records).all()
    assert now.materials.textures(len(before.materials)) == []


def red_paint() -> Any:
    material: Any = bpy.data.materials.new("red paint")
    material.diffuse_color = (1, 0, 0, 1)
    tree = material.node_tree
    for node in [] if tree is None else tree.nodes:
        if node.type == "BSDF_PRINCIPLED":
            node.inputs["Base Color"].default_value = (1, 0, 0, 1)
    return material


def colour_of(character: Character, triangle: int) -> list[int]:
    """Blue, green, red of the first texture of the file's material at the middle of a triangle."""
    now = character.read()
    (name,) = now.materials.textures(int(now.mesh.triangle_subsets[triangle]))
    (picture,) = character.client.rglob(name)
    data = picture.read_bytes()
    start, width, height = (int.from_bytes(data[at : at + 4], "little") for at in (10, 18, 22))
    u, v = now.mesh.uvs[0][now.mesh.triangles[triangle]].mean(axis=0)
    at = start + int((1 - v) * height) * ((3 * width + 3) // 4 * 4) + 3 * int(u * width)
    return list(data[at : at + 3])


def test_a_colour_without_a_picture_gets_one(character: Character) -> None:
    """The file has no colours of its own that the game would show; the textured faces stay as they were, also when it is written again."""
    character.use(red_paint())
    character.mesh.data.materials.append(bpy.data.materials.new("nobody's"))
    for _ in range(2):
        assert character.write() == []
        now, before = character.read(), character.before
        assert len(now.materials) == len(before.materials) + 1
        assert (now.materials.records[:1] == before.materials.records).all()
        painted = np.flatnonzero(now.mesh.triangle_subsets == 1)
        assert len(painted) >= 5 and {tuple(colour_of(character, triangle)) for triangle in painted.tolist()} == {(0, 0, 255)}
        kept, then = (mesh.uvs[0][mesh.triangles[mesh.triangle_subsets == 0]].reshape(-1, 2) for mesh in (now.mesh, before.mesh))
        assert {tuple(row) for row in np.round(kept, 5).tolist()} <= {tuple(row) for row in np.round(then, 5).tolist()}


def test_a_colour_instead_of_the_file_s_picture(character: Character) -> None:
    character.mesh.data.materials[0] = red_paint()
    assert character.write() == []
    assert len(character.read().materials) == 1
    assert colour_of(character, 0) == [0, 0, 255]


def test_a_copied_material_has_the_picture_that_is_there(character: Character) -> None:
    pictures = {path: path.read_bytes() for path in character.client.rglob("*.bmp")}
    character.use(character.mesh.data.materials[0].copy())
    character.write()
    now = character.read().materials
    assert now.textures(len(now) - 1) == now.textures(0) != []
    assert {path: path.read_bytes() for path in character.client.rglob("*.bmp")} == pictures


def test_a_new_picture_goes_along(character: Character) -> None:
    material = bpy.data.materials.new("painted")
    tree: Any = material.node_tree
    if tree is None:
        material.use_nodes = True
        tree = material.node_tree
    node = tree.nodes.new("ShaderNodeTexImage")
    node.image = bpy.data.images.new("mine", 8, 8)
    shader = next(node for node in tree.nodes if node.type == "BSDF_PRINCIPLED")
    tree.links.new(node.outputs["Color"], shader.inputs["Base Color"])
    character.use(material)
    character.write()
    now = character.read().materials
    assert now.textures(len(now) - 1) == ["mine.bmp"]
    assert [path.name for path in character.client.rglob("mine.bmp")] == ["mine.bmp"]


def test_materials_that_are_gone_are_named(character: Character) -> None:
    data = character.file.read_bytes()
    character.mesh.data.materials.clear()
    (line,) = character.write()
    assert "material 1 is gone: the file keeps its own" in line
    assert character.file.read_bytes() == data


def test_a_picture_that_goes_nowhere_is_named(character: Character) -> None:
    tree = character.mesh.data.materials[0].node_tree
    for link in [link for node in tree.nodes if node.type == "TEX_IMAGE" for link in node.outputs["Color"].links]:
        tree.links.remove(link)
    (line,) = character.write()
    assert "does not show its picture: the file keeps" in line


def shader_of(character: Character) -> Any:
    return next(node for node in character.mesh.data.materials[0].node_tree.nodes if node.type == "BSDF_PRINCIPLED")


def test_the_alpha_of_a_material_of_the_file_is_its_opacity(character: Character) -> None:
    """The property, which is the file's own number, comes before it where somebody changed that."""
    shader_of(character).inputs["Alpha"].default_value = 0.25
    assert character.write() == []
    now, before = character.read().materials.records, character.before.materials.records
    assert now["opacity"].tolist() == [0.25] and (now["states"] == before["states"]).all()
    character.mesh.data.materials[0]["mindpower_opacity"] = 0.75
    (line,) = character.write()
    assert character.read().materials.records["opacity"].tolist() == [0.75]
    assert "its Alpha is 0.25, and the file has its mindpower_opacity, 0.75: set that, or delete it" in line
    del character.mesh.data.materials[0]["mindpower_opacity"]
    assert character.write() == []
    assert character.read().materials.records["opacity"].tolist() == [0.25]


@pytest.mark.parametrize("kind", ["holes", "blended"])
def test_the_opacity_of_a_picture_with_alpha(character: Character, kind: str) -> None:
    """Unedited it is the file's; multiplied with the picture's alpha it is edited there."""
    materials = character.part("core.mindpower.files.mesh.materials")
    records = character.before.materials.records.copy()
    records["opacity"] = 0.5
    records["states"][0] = materials.new_states({15: 1} if kind == "holes" else {27: 1})
    character.file.write_bytes(replace(character.before, materials=replace(character.before.materials, records=records)).pack())
    bpy.data.batch_remove(list(bpy.data.objects))
    character.open()
    assert character.write() == [] and character.read().materials.opacity(0) == 0.5
    if kind == "blended":
        (link,) = shader_of(character).inputs["Alpha"].links
        link.from_node.inputs[1].default_value = 0.75
        assert character.write() == [] and character.read().materials.opacity(0) == 0.75


def test_a_material_of_the_file_gets_two_sides_and_back(character: Character) -> None:
    """Direct3D's state 22 is how faces are culled, 1 not at all."""
    material, before = character.mesh.data.materials[0], character.file.read_bytes()
    material.use_backface_culling = False
    assert character.write() == []
    assert character.read().materials.states(0) == {22: 1, **character.before.materials.states(0)}
    material.use_backface_culling = True
    assert character.write() == []
    assert character.file.read_bytes() == before


def test_two_sides_leave_all_other_states_alone(character: Character) -> None:
    """One with two unlike values, one that is there twice, and one behind an empty slot."""
    materials = character.part("core.mindpower.files.mesh.materials")
    records = character.before.materials.records.copy()
    states = records["states"][0]
    states["state"], states["values"] = [7, 15, 7, 22, materials.UNUSED, 24, *[materials.UNUSED] * 2], [[1, 2], *[[3, 3]] * 7]
    character.file.write_bytes(replace(character.before, materials=replace(character.before.materials, records=records)).pack())
    bpy.data.batch_remove(list(bpy.data.objects))
    character.open()
    character.mesh.data.materials[0].use_backface_culling = False
    assert character.write() == []
    states["values"][3] = 1
    assert character.read().materials.records.tobytes() == records.tobytes()


def test_a_material_whose_states_are_full_keeps_them(character: Character) -> None:
    """There are eight of them."""
    materials = character.part("core.mindpower.files.mesh.materials")
    records = character.before.materials.records.copy()
    records["states"][0] = materials.new_states(dict.fromkeys(range(100, 108), 1))
    character.file.write_bytes(replace(character.before, materials=replace(character.before.materials, records=records)).pack())
    bpy.data.batch_remove(list(bpy.data.objects))
    character.open()
    character.mesh.data.materials[0].use_backface_culling = False
    (line,) = character.write()
    assert "Backface Culling is off, and the file keeps it on (there is room for 8 render states, and all of it is in use)" in line
    assert character.read().materials.states(0) == dict.fromkeys(range(100, 108), 1)


def tinted(tree: Any, picture: Any, shader: Any, factor: float) -> None:
    """The corners' colours, as a whole as the game has them."""
    mix, corners = tree.nodes.new("ShaderNodeMixRGB"), tree.nodes.new("ShaderNodeVertexColor")
    mix.blend_type, mix.inputs["Fac"].default_value = "MULTIPLY", factor
    tree.links.new(picture.outputs["Color"], mix.inputs["Color1"])
    tree.links.new(corners.outputs["Color"], mix.inputs["Color2"])
    tree.links.new(mix.outputs["Color"], shader.inputs["Base Color"])


def another_hue(tree: Any, picture: Any, shader: Any) -> None:
    hue = tree.nodes.new("ShaderNodeHueSaturation")
    tree.links.new(picture.outputs["Color"], hue.inputs["Color"])
    tree.links.new(hue.outputs["Color"], shader.inputs["Base Color"])


def half(tree: Any, picture: Any, shader: Any) -> None:
    tinted(tree, picture, shader, 0.5)


def mapped(tree: Any, picture: Any, _: Any) -> None:
    tree.links.new(tree.nodes.new("ShaderNodeMapping").outputs["Vector"], picture.inputs["Vector"])


def by_another_map(tree: Any, picture: Any, _: Any) -> None:
    node = tree.nodes.new("ShaderNodeUVMap")
    node.uv_map = "another"
    tree.links.new(node.outputs["UV"], picture.inputs["Vector"])


def whole(tree: Any, picture: Any, shader: Any) -> None:
    tinted(tree, picture, shader, 1.0)


def by_its_map(tree: Any, picture: Any, _: Any) -> None:
    node = tree.nodes.new("ShaderNodeUVMap")
    node.uv_map = "UVMap"
    tree.links.new(node.outputs["UV"], picture.inputs["Vector"])


def by_coordinates(tree: Any, picture: Any, _: Any) -> None:
    tree.links.new(tree.nodes.new("ShaderNodeTexCoord").outputs["UV"], picture.inputs["Vector"])


def through_a_reroute(tree: Any, picture: Any, _: Any) -> None:
    node, reroute = tree.nodes.new("ShaderNodeUVMap"), tree.nodes.new("NodeReroute")
    node.uv_map = "UVMap"
    tree.links.new(node.outputs["UV"], reroute.inputs[0])
    tree.links.new(reroute.outputs[0], picture.inputs["Vector"])


def by_an_attribute(tree: Any, picture: Any, _: Any) -> None:
    node = tree.nodes.new("ShaderNodeAttribute")
    node.attribute_name = "UVMap"
    tree.links.new(node.outputs["Vector"], picture.inputs["Vector"])


def mapped_to_itself(tree: Any, picture: Any, _: Any) -> None:
    node = tree.nodes.new("ShaderNodeMapping")
    tree.links.new(tree.nodes.new("ShaderNodeTexCoord").outputs["UV"], node.inputs["Vector"])
    tree.links.new(node.outputs["Vector"], picture.inputs["Vector"])


def mapped_aside(tree: Any, picture: Any, shader: Any) -> None:
    mapped_to_itself(tree, picture, shader)
    picture.inputs["Vector"].links[0].from_node.inputs["Rotation"].default_value[2] = 0.5


def muted(tree: Any, picture: Any, shader: Any) -> None:
    another_hue(tree, picture, shader)
    shader.inputs["Base Color"].links[0].from_node.mute = True


def shown_by(tree: Any, shader: Any) -> None:
    tree.links.new(shader.outputs[0], next(node for node in tree.nodes if node.type == "OUTPUT_MATERIAL").inputs["Surface"])


def unlit(tree: Any, picture: Any, _: Any) -> None:
    light = tree.nodes.new("ShaderNodeEmission")
    tree.links.new(picture.outputs["Color"], light.inputs["Color"])
    shown_by(tree, light)


def unlit_hue(tree: Any, picture: Any, shader: Any) -> None:
    another_hue(tree, picture, shader)
    light = tree.nodes.new("ShaderNodeEmission")
    tree.links.new(shader.inputs["Base Color"].links[0].from_socket, light.inputs["Color"])
    shown_by(tree, light)


def red_light(tree: Any, _: Any, __: Any) -> None:
    light = tree.nodes.new("ShaderNodeEmission")
    light.inputs["Color"].default_value = (1, 0, 0, 1)
    shown_by(tree, light)


def half_clear(tree: Any, _: Any, shader: Any) -> None:
    mix = tree.nodes.new("ShaderNodeMixShader")
    tree.links.new(tree.nodes.new("ShaderNodeBsdfTransparent").outputs[0], mix.inputs[1])
    tree.links.new(shader.outputs[0], mix.inputs[2])
    shown_by(tree, mix)


def with_holes(tree: Any, picture: Any, shader: Any) -> None:
    half_clear(tree, picture, shader)
    mix = next(node for node in tree.nodes if node.type == "MIX_SHADER")
    tree.links.new(picture.outputs["Alpha"], mix.inputs[0])


CHANGES = (another_hue, half, mapped, by_another_map, mapped_aside, unlit_hue, red_light, half_clear)
NONE = (whole, by_its_map, by_coordinates, through_a_reroute, by_an_attribute, mapped_to_itself, muted, unlit, with_holes)


@pytest.mark.parametrize("is_new", [False, True])
@pytest.mark.parametrize(("edit", "named"), [*((edit, 1) for edit in CHANGES), *((edit, 0) for edit in NONE)])
def test_nodes_between_a_picture_and_what_is_shown_are_named(character: Character, edit: Any, named: int, is_new: bool) -> None:
    material = character.mesh.data.materials[0]
    if is_new:
        material = material.copy()
        for key in list(material.keys()):
            del material[key]
        character.use(material)
    tree = material.node_tree
    nodes = {node.type: node for node in tree.nodes}
    edit(tree, nodes["TEX_IMAGE"], nodes["BSDF_PRINCIPLED"])
    lines = character.write()
    assert sum(f"{material.name}: nodes change its picture, or where that lies" in line for line in lines) == len(lines) == named


@pytest.mark.parametrize("kind", ["MATERIAL", "MATERIAL_0", "MATERIAL_1"])
def test_records_of_older_files(part: Part, kind: str) -> None:
    """A new one has its own states, colours and picture."""
    materials = part("core.mindpower.files.mesh.materials")
    dtype = getattr(materials, kind)
    first: Any = np.frombuffer(bytes(index % 251 for index in range(dtype.itemsize)), dtype)
    record = materials.fitting(materials.new_material(["a.bmp"], {22: 1, 15: 3}), first)
    assert record.dtype == dtype and record["diffuse"].tolist() == [[1, 1, 1, 1]]
    assert materials.Materials(record).textures(0) == ["a.bmp"]
    assert materials.Materials(record).states(0) == {22: 1, 15: 3}
    assert materials.fitting(materials.new_material([]), first[:0]).shape == (1,)


def test_a_further_mesh_gets_a_file_of_its_own(character: Character) -> None:
    """And not the one that another mesh of the character came from."""
    obj = character.mesh.find_armature()
    data = bpy.data.meshes.new("more")
    data.from_pydata([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [], [(0, 1, 2)])
    more = bpy.data.objects.new("more", data)
    bpy.context.collection.objects.link(more)
    modifier: Any = more.modifiers.new("Armature", "ARMATURE")
    modifier.object = obj
    more.vertex_groups.new(name=obj.data.bones[0].name).add([0, 1, 2], 1.0, "REPLACE")
    before = character.file.read_bytes()
    mindpower = character.part("io.mindpower")
    bpy.context.view_layer.objects.active = obj
    for _ in range(2):
        mindpower.export_mindpower(bpy.context, mindpower.ExportOptions(str(character.client / "animation" / "0001.lab"), with_meshes=True))
    assert character.file.read_bytes() == before
    (written,) = set(character.file.parent.glob("*.lgo")) - {character.file}
    mesh = character.part("core.mindpower.files.mesh.lgo").Lgo.parse(written.read_bytes()).mesh
    assert (written.name, len(mesh.positions)) == ("0001000001.lgo", 3)
