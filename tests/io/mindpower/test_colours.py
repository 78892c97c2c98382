"""Colours of characters of other games, and of one's own, as the game shows them: by pictures alone, read here by the formats' rules."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from support import counted
from support.paint import paint

OPS: Any = bpy.ops
DATA: Any = bpy.data
Part = Callable[[str], ModuleType]
SAMPLES = Path(__file__).resolve().parents[3] / "samples"


@pytest.fixture
def client(tmp_path: Path) -> Path:
    return Path(shutil.copytree(SAMPLES / "mindpower", tmp_path / "client"))


def shown(part: Part, client: Path) -> list[tuple[float, ...]]:
    """For each triangle of the newest character its middle in the game's axes, and red, green, blue (0 to 255) there."""
    rows: list[tuple[float, ...]] = []
    for path in sorted((client / "model/character").glob("0002*.lgo")):
        lgo = part("core.mindpower.files.mesh.lgo").Lgo.parse(path.read_bytes())
        assert len(lgo.materials) <= 16, "the game loads none with more"
        for material, corners in zip(lgo.mesh.triangle_subsets.tolist(), lgo.mesh.triangles, strict=True):
            (name,) = lgo.materials.textures(material)
            data = (client / "texture/character" / name).read_bytes()
            start, width, height = (int.from_bytes(data[at : at + 4], "little") for at in (10, 18, 22))
            u, v = lgo.mesh.uvs[0][corners].mean(axis=0) % 1
            at = start + int((1 - v) * height) * ((3 * width + 3) // 4 * 4) + 3 * int(u * width)
            rows.append((*lgo.mesh.positions[corners].mean(axis=0).tolist(), data[at + 2], data[at + 1], data[at]))
    return rows


def expected(obj: Any) -> list[tuple[float, ...]]:
    """The same of an armature's meshes in Blender, in the game's axes: its y is Blender's -y. Colours of pictures are no numbers."""
    rows: list[tuple[float, ...]] = []
    for mesh in (each for each in DATA.objects if each.type == "MESH" and each.find_armature() == obj):
        mesh.data.calc_loop_triangles()
        for triangle in mesh.data.loop_triangles:
            tree: Any = mesh.data.materials[triangle.material_index].node_tree
            inputs = next(node for node in tree.nodes if node.type == "BSDF_PRINCIPLED").inputs
            base, emitted = (np.array(inputs[name].default_value[:3]) for name in ("Base Color", "Emission Color"))
            linear = base if base.any() else emitted
            linear = np.full(3, np.nan) if inputs["Base Color"].links or inputs["Emission Color"].links else linear
            colour = 255 * np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
            middle = np.mean([mesh.matrix_world @ mesh.data.vertices[vertex].co for vertex in triangle.vertices], axis=0)
            rows.append((*(middle * [1, -1, 1]).tolist(), *colour.tolist()))
    return rows


@pytest.mark.parametrize("game", ["lba1", "lba2"])
def test_each_face_of_an_lba_body_has_its_colour(part: Part, client: Path, game: str) -> None:
    OPS.import_anim.lba(filepath=str(SAMPLES / game / "ANIM.HQR"), entities="0")
    obj = bpy.context.view_layer.objects.active
    meant = np.array(sorted(expected(obj)))
    mindpower = part("io.mindpower")
    first = mindpower.make_character(bpy.context, obj, client, mindpower.CharacterOptions(name="New", like="Mannequin"))
    now = np.array(sorted(shown(part, client)))
    assert len(now) == len(meant) and len(np.unique(meant[:, 3:], axis=0)) > 3
    nearest = np.abs(now[:, None, :3] - meant[None, :, :3]).max(axis=2).argmin(axis=1)
    assert sorted(nearest.tolist()) == list(range(len(meant)))
    plain = ~np.isnan(meant[nearest, 3])
    assert plain.mean() > 0.8 and now[plain, 3:] == pytest.approx(meant[nearest[plain], 3:], abs=1)
    files = [Path(path).read_bytes() for path in first.paths if path.endswith((".lgo", ".bmp"))]
    again = mindpower.make_character(bpy.context, obj, client, mindpower.CharacterOptions(name="Again", like="Mannequin"))
    others = [Path(path).read_bytes().replace(b"0003000", b"0002000") for path in again.paths if path.endswith((".lgo", ".bmp"))]
    assert others == files, "the same bytes each time"


def boxes(kinds: list[Any]) -> Any:
    """An armature of one bone with a cube for each material, all one mesh."""
    rig: Any = DATA.objects.new("boxes", DATA.armatures.new("boxes"))
    bpy.context.collection.objects.link(rig)
    bpy.context.view_layer.objects.active = rig
    OPS.object.mode_set(mode="EDIT")
    rig.data.edit_bones.new("hips").tail = (0, 0, 1)
    OPS.object.mode_set(mode="OBJECT")
    rig.pose.bones["hips"].keyframe_insert("rotation_quaternion", frame=1)
    data = DATA.meshes.new("boxes")
    square = np.array([(0, 0, 0), (0.5, 0, 0), (0.5, 0, 1), (0, 0, 1)])
    points = np.concatenate([square + np.array([index, 0, 0]) for index in range(len(kinds))])
    data.from_pydata(points.tolist(), [], np.arange(4 * len(kinds)).reshape(-1, 4).tolist())
    data.uv_layers.new()
    for index, kind in enumerate(kinds):
        data.materials.append(kind)
        data.polygons[index].material_index = index
    mesh: Any = DATA.objects.new("boxes", data)
    bpy.context.collection.objects.link(mesh)
    mesh.modifiers.new("Armature", "ARMATURE").object = rig
    mesh.vertex_groups.new(name="hips").add(range(len(points)), 1.0, "REPLACE")
    mesh.parent = rig
    return rig


def test_more_pictures_than_a_mesh_takes_are_several_files(part: Part, client: Path) -> None:
    kinds = [paint(f"p{index}", picture=np.full((4, 4, 4), [index / 255, 0, 1, 1])) for index in range(18)]
    rig = boxes([*kinds, *(paint(f"c{index}", (0, index / 40, 0)) for index in range(20))])
    mindpower = part("io.mindpower")
    mindpower.make_character(bpy.context, rig, client, mindpower.CharacterOptions(name="New", like="Mannequin"))
    assert len(list((client / "model/character").glob("0002*.lgo"))) == 2
    colours = {round(row[0] - 0.25): row[3:] for row in shown(part, client)}
    assert [colours[index] for index in range(18)] == [(index, 0, 255) for index in range(18)]
    assert len({colours[index] for index in range(18, 38)}) == 20


def test_half_transparent_and_made_by_nodes(part: Part, client: Path) -> None:
    glass, noise = paint("glass", (1, 0, 0)), paint("noise", (0, 0, 1))
    inputs = next(node for node in glass.node_tree.nodes if node.type == "BSDF_PRINCIPLED").inputs
    inputs["Alpha"].default_value = 0.5
    tree = noise.node_tree
    tree.links.new(tree.nodes.new("ShaderNodeTexNoise").outputs["Color"], tree.nodes["Principled BSDF"].inputs["Base Color"])
    rig, mindpower = boxes([glass, noise]), part("io.mindpower")
    with part("core.reporting.log").collect() as said:
        mindpower.make_character(bpy.context, rig, client, mindpower.CharacterOptions(name="New", like="Mannequin"))
    assert [each.text for each in said.of("WARNING") if "nodes" in each.text] == [
        "noise: nodes make the colour, which the game draws white: bake it into a picture"
    ]
    (path,) = (client / "model/character").glob("0002*.lgo")
    materials = part("core.mindpower.files.mesh.lgo").Lgo.parse(path.read_bytes()).materials
    assert [materials.opacity(index) for index in range(2)] == [0.5, 1.0]


def test_colours_of_vertices_are_those_of_corners(part: Part, client: Path) -> None:
    """Blender's own default for a new attribute is one colour a vertex."""
    rig = boxes([paint("plain", (1, 1, 1))])
    (mesh,) = rig.children
    layer: Any = mesh.data.color_attributes.new("Mine", "BYTE_COLOR", "POINT")
    for index in range(4):
        layer.data[index].color_srgb = (index / 3, 0, 1, 1)
    mesh.data.color_attributes.active_color = layer
    mindpower = part("io.mindpower")
    mindpower.make_character(bpy.context, rig, client, mindpower.CharacterOptions(name="New", like="Mannequin"))
    (path,) = (client / "model/character").glob("0002*.lgo")
    geometry = part("core.mindpower.files.mesh.lgo").Lgo.parse(path.read_bytes()).mesh
    assert sorted(geometry.colours.tolist()) == [[255, 0, red, 255] for red in (0, 85, 170, 255)]


def test_colours_that_a_material_shows_are_written(part: Part, tmp_path: Path) -> None:
    """To a mesh that came without any; the game would draw others too, which are named instead."""
    mindpower, export = part("io.mindpower.build"), part("io.mindpower.write")
    path = SAMPLES / "mindpower/model/character/0001000000.lgo"
    (mesh,) = mindpower.import_mindpower(bpy.context, mindpower.ImportOptions((str(path),))).meshes
    layer = mesh.data.color_attributes.new("tint", "BYTE_COLOR", "CORNER")
    layer.data.foreach_set("color_srgb", [1.0, 0.0, 0.0, 1.0] * len(mesh.data.loops))
    others = mesh.data.polygons[: len(mesh.data.polygons) // 2]
    mesh.data.materials.append(mesh.data.materials[0].copy())
    for polygon in others:
        polygon.material_index = len(mesh.data.materials) - 1

    def written() -> tuple[Any, list[str]]:
        with part("core.reporting.log").collect() as said:
            export.export_mindpower(bpy.context, export.ExportOptions(str(tmp_path / "new.lgo")))
        geometry = part("core.mindpower.files.mesh.lgo").Lgo.parse((tmp_path / "new.lgo").read_bytes()).mesh
        return geometry.colours, [each.text.partition(":")[0] for each in said.of("WARNING") if "no material shows" in each.text]

    colours, named = written()
    assert colours is None and named == ["tint"]
    tree: Any = mesh.data.materials[0].node_tree
    show, mix = tree.nodes.new("ShaderNodeVertexColor"), tree.nodes.new("ShaderNodeMixRGB")
    show.layer_name, mix.blend_type = "tint", "MULTIPLY"
    tree.links.new(next(node for node in tree.nodes if node.type == "TEX_IMAGE").outputs["Color"], mix.inputs["Color1"])
    tree.links.new(show.outputs["Color"], mix.inputs["Color2"])
    tree.links.new(mix.outputs["Color"], tree.nodes["Principled BSDF"].inputs["Base Color"])
    colours, named = written()
    assert not named and {tuple(row) for row in colours.tolist()} == {(0, 0, 255, 255), (255, 255, 255, 255)}


def test_groups_of_nodes_within_each_other(part: Part, tmp_path: Path) -> None:
    """Eighteen, each twice in the next: 2^18 times the innermost, whose colours are written all the same."""
    mindpower, export = part("io.mindpower.build"), part("io.mindpower.write")
    path = SAMPLES / "mindpower/model/character/0001000000.lgo"
    (mesh,) = mindpower.import_mindpower(bpy.context, mindpower.ImportOptions((str(path),))).meshes
    mesh.data.color_attributes.new("tint", "BYTE_COLOR", "CORNER")
    trees: list[Any] = [DATA.node_groups.new(f"group {number}", "ShaderNodeTree") for number in range(18)]
    show, through = trees[0].nodes.new("ShaderNodeVertexColor"), trees[0].nodes.new("NodeReroute")
    show.layer_name = "tint"
    trees[0].links.new(show.outputs["Color"], through.inputs[0])
    for tree, inner in zip((*trees[1:], mesh.data.materials[0].node_tree), trees, strict=True):
        for _ in range(2):
            tree.nodes.new("ShaderNodeGroup").node_tree = inner
    with counted.calls() as calls:
        export.export_mindpower(bpy.context, export.ExportOptions(str(tmp_path / "new.lgo")))
    assert calls() < 100_000
    assert part("core.mindpower.files.mesh.lgo").Lgo.parse((tmp_path / "new.lgo").read_bytes()).mesh.colours is not None
