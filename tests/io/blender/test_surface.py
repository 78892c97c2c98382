"""Surfaces with several weights, texture coordinates, corner colours and textures, as Blender holds them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import bpy
import numpy as np
import pytest


@pytest.fixture
def built(part):
    """A mirrored rig of two bones and a quad between them with everything a mesh can have."""
    mesh, rigs, skeletons = part("core.surface.mesh"), part("core.motion.rigs.matrix_rig"), part("core.motion.rigs.skeleton")
    heads = np.array([[0.0, 0, 0], [0, 0, 1]])
    tips = heads + np.array([0, 0, 0.5])
    skeleton = skeletons.Skeleton(("low", "high"), np.array([-1, 0], np.int32), heads, tips)
    rig = rigs.MatrixRig(skeleton, np.diag([1.0, -1, 1]), np.repeat(np.eye(3)[None], 2, axis=0), heads, tips)
    pixels = np.zeros((2, 3, 4), np.uint8)
    pixels[0, :, 0], pixels[1, :, 2], pixels[..., 3] = 255, 255, 128
    material = mesh.Material("skin", "SMOOTH", ((1.0, 1.0, 1.0),), image=mesh.Image("skin.png", pixels), blend="CLIP", coloured=True)
    surface = mesh.Mesh(
        points=np.array([[0.0, 1, 0], [1, 1, 0], [1, 1, 1], [0, 1, 1]]),
        bones=np.array([[0, 1]] * 4),
        weights=np.array([[1.0, 0], [1, 0], [0.25, 0.75], [0.5, 0.5]]),
        starts=np.array([0]),
        counts=np.array([4]),
        corners=np.array([0, 1, 2, 3]),
        normals=np.tile([0.0, -1, 0], (4, 1)),  # (b - a) x (c - a) of the corners
        material_of=np.array([0]),
        materials=[material],
        lines=[],
        spheres=[],
        uvs={"UVMap": np.array([[0.0, 0], [1, 0], [1, 1], [0, 1]])},
        colours=np.array([[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255], [255, 255, 255, 128]], np.uint8),
    )
    obj = part("io.blender.armature").build(bpy.context, "rig", rig, 1.0)
    return part("io.blender.surface.mesh").build(bpy.context, "quad", surface, rig, obj, 1.0)[0], surface


def test_more_materials_than_blender_survives_are_left_out(built, part) -> None:
    """From 32,768 on its C code ends the process."""
    _, surface = built
    many = replace(surface, materials=surface.materials * 40_000, material_of=np.array([39_999]))
    with part("core.reporting.log").collect() as said:
        held = part("core.surface.holdable").holdable(many)
    assert len(held.materials) == 4096 and held.material_of.tolist() == [4095]
    assert [line for line in said.digest() if "materials" in line] == [
        "40000 materials, of which Blender gets the first 4096: faces of the others show the last"
    ]


def test_mirrored_axes_turn_the_faces_round(built) -> None:
    obj, _ = built
    corners = [obj.data.loops[index].vertex_index for index in obj.data.polygons[0].loop_indices]
    assert corners == [3, 2, 1, 0]
    assert np.allclose(obj.data.polygons[0].normal, obj.data.corner_normals[0].vector, atol=1e-3)


def test_corners_keep_their_coordinates_and_colours(built) -> None:
    obj, surface = built
    indices = {tuple(vertex.co): vertex.index for vertex in obj.data.vertices}
    assert indices[(0.0, -1.0, 0.0)] == 0
    colours = obj.data.color_attributes[0].data
    for loop in obj.data.loops:
        assert np.allclose(obj.data.uv_layers[0].uv[loop.index].vector, surface.uvs["UVMap"][loop.vertex_index])
        assert np.allclose(np.array(colours[loop.index].color_srgb) * 255, surface.colours[loop.vertex_index], atol=0.51)


def test_weights_are_shared(built) -> None:
    obj, surface = built
    names = [group.name for group in obj.vertex_groups]
    for vertex in obj.data.vertices:
        weights = {names[item.group]: item.weight for item in vertex.groups}
        wanted = dict(zip(("low", "high"), surface.weights[vertex.index], strict=True))
        assert weights == pytest.approx({name: weight for name, weight in wanted.items() if weight})


def test_the_texture_is_packed_upright_and_used_once(built, part) -> None:
    obj, surface = built
    picture: Any = bpy.data.images["skin.png"]
    pixels = np.array(picture.pixels[:]).reshape(2, 3, 4)
    assert picture.packed_file is not None
    assert np.allclose(pixels[0, 0], [0, 0, 1, 128 / 255], atol=1e-3)  # Blender's first row is the lowest
    (again,) = part("io.blender.surface.materials.materials").build_all(surface.materials[:1])
    assert again == obj.data.materials[0] and len(bpy.data.images) == 1


@pytest.mark.parametrize("blend", ["OPAQUE", "CLIP", "BLEND", "ADD"])
@pytest.mark.parametrize("shading", ["UNLIT", "FLAT"])
def test_every_blend_reaches_the_output(built, part, blend, shading) -> None:
    _, surface = built
    old = surface.materials[0]
    wanted = part("core.surface.mesh").Material("other", shading, ((0.5, 1.0, 1.0),), 0.5, old.image, blend, properties={"state": 3})
    (material,) = part("io.blender.surface.materials.materials").build_all([wanted])
    assert material["state"] == 3
    output = next(node for node in material.node_tree.nodes if node.type == "OUTPUT_MATERIAL")
    assert output.inputs["Surface"].is_linked
    texture = next(node for node in material.node_tree.nodes if node.type == "TEX_IMAGE")
    assert texture.outputs["Color"].is_linked
    assert texture.outputs["Alpha"].is_linked == (blend != "OPAQUE")


def test_materials_that_differ_by_colour_only(part) -> None:
    kind = part("core.surface.mesh").Material
    wanted = [
        kind(f"{shading} {red}", shading, ((red, 0.5, 0.25),), alpha)
        for shading, alpha in (("UNLIT", 1.0), ("FLAT", 0.5))
        for red in (0.0, 1.0)
    ]
    materials = part("io.blender.surface.materials.materials").build_all(wanted)
    assert [material.name for material in materials] == [material.name for material in wanted]
    for material, shown in zip(wanted, materials, strict=True):
        shader = next(node for node in shown.node_tree.nodes if node.type == "BSDF_PRINCIPLED")
        lit = material.shading != "UNLIT"
        assert np.allclose(shader.inputs["Base Color" if lit else "Emission Color"].default_value[:], (*shown.diffuse_color[:3], 1.0))
        assert np.allclose(shown.diffuse_color, [material.colour[0], 0.21404, 0.05088, material.alpha], atol=1e-4)
        assert np.isclose(shader.inputs["Alpha"].default_value, material.alpha)
        assert np.isclose(shader.inputs["Emission Strength"].default_value, 0.0 if lit else 1.0)
        assert np.allclose(shown["retro_anim_ramp"], material.ramp[0])
