"""Mesh files as the surface that all formats share: nothing is turned, only v counts upwards, and every material keeps its words."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from retro_anim.core.images.pixels import digest
from retro_anim.core.mindpower.client.textures import TextureFinder, images_of
from retro_anim.core.mindpower.files.mesh.geometry import BLEND
from retro_anim.core.mindpower.files.mesh.lgo import Lgo
from retro_anim.core.mindpower.files.mesh.materials import Materials, new_material
from retro_anim.core.mindpower.files.skeleton.lab import Lab
from retro_anim.core.mindpower.surface.surface import surface_of
from retro_anim.core.reporting import log
from retro_anim.core.reporting.errors import FormatError
from retro_anim.core.surface.mesh import Image
from support.mindpower import mindpower_files

from .strategies import lgos

CORNERS = [(0, 0, 0), (1, 0, 0), (1, 0, 1), (0, 0, 1)]


def picture(alpha: int = 255) -> Image:
    return Image("skin.bmp", np.full((2, 2, 4), alpha, "u1"))


@pytest.fixture
def square() -> Lgo:
    return Lgo.parse(mindpower_files.lgo(bones=(3, 5)))


def test_a_square(square: Lgo) -> None:
    surface = surface_of(square, 6, [picture()], "part")
    assert surface.points.tolist() == [list(corner) for corner in CORNERS]
    assert surface.corners.tolist() == [0, 2, 1, 0, 3, 2]
    assert (surface.starts.tolist(), surface.counts.tolist(), surface.material_of.tolist()) == ([0, 3], [3, 3], [0, 0])
    assert surface.normals.tolist() == [[0, 1, 0]] * 6
    assert surface.bones.tolist() == [[3], [5], [5], [3]]
    assert surface.weights is not None
    assert surface.weights.tolist() == [[1]] * 4
    assert {name: layer.tolist() for name, layer in surface.uvs.items()} == {
        "UVMap": [[0, 0], [1, 1], [1, 0], [0, 0], [0, 1], [1, 1]],
    }
    assert surface.colours is None


def test_its_material(square: Lgo) -> None:
    (material,) = surface_of(square, 6, [picture()], "part").materials
    assert (material.name, material.shading, material.blend, material.alpha, material.two_sided) == ("skin", "SMOOTH", "OPAQUE", 1.0, False)
    assert material.image is not None
    assert material.properties == {
        "mindpower_transparency": 0,
        "mindpower_opacity": 1.0,
        "mindpower_states": "",
        "mindpower_textures": "skin.bmp",
        "mindpower_picture": digest(material.image.pixels),
        "mindpower_diffuse": [1.0] * 4,
        "mindpower_ambient": [1.0] * 4,
        "mindpower_specular": [1.0] * 4,
        "mindpower_emissive": [0.0] * 4,
        "mindpower_power": 0.0,
    }


@pytest.mark.parametrize(
    ("kind", "opacity", "states", "alpha", "blend", "two_sided"),
    [
        (0, 1.0, {}, 255, "OPAQUE", False),
        (0, 1.0, {22: 1, 15: 1}, 255, "CLIP", True),
        (0, 1.0, {22: 3}, 0, "CLIP", False),
        (0, 0.5, {}, 255, "BLEND", False),
        (0, 1.0, {27: 1}, 255, "BLEND", False),
        (1, 1.0, {}, 255, "ADD", False),
        (4, 0.5, {27: 1}, 0, "ADD", False),
        (6, 1.0, {}, 255, "BLEND", False),
    ],
)
def test_transparency(square: Lgo, kind: int, opacity: float, states: dict[int, int], alpha: int, blend: str, two_sided: bool) -> None:
    record = new_material(["skin.bmp"], states)
    record["transparency"], record["opacity"] = kind, opacity
    (material,) = surface_of(replace(square, materials=Materials(record)), 6, [picture(alpha)], "part").materials
    assert (material.blend, material.two_sided, material.alpha) == (blend, two_sided, opacity)
    assert material.properties["mindpower_states"] == ", ".join(f"{state}={value}" for state, value in states.items())


def test_without_materials_pictures_or_names(square: Lgo) -> None:
    (plain,) = surface_of(replace(square, materials=None), 6, [], "part").materials
    assert (plain.name, plain.image) == ("part", None)
    (unnamed,) = surface_of(square, 6, [None], "part").materials
    assert (unnamed.name, unnamed.image) == ("part 0", None)
    with pytest.raises(FormatError, match="no mesh"):
        surface_of(replace(square, mesh=None), 6, [None], "part")


def test_every_subset_has_its_material(square: Lgo) -> None:
    assert square.mesh is not None
    subsets = np.array([(1, 0, 4, 0), (1, 3, 4, 0)], square.mesh.subsets.dtype)
    two = replace(square, mesh=replace(square.mesh, subsets=subsets), materials=Materials(np.repeat(new_material(["a.bmp"]), 2)))
    assert surface_of(two, 6, [None, None], "part").material_of.tolist() == [0, 1]


def test_two_sets_of_coordinates_and_colours(square: Lgo) -> None:
    assert square.mesh is not None
    colours = np.array([(1, 2, 3, 4), (5, 6, 7, 8), (9, 10, 11, 12), (13, 14, 15, 16)], "u1")
    mesh = replace(square.mesh, uvs=np.concatenate([square.mesh.uvs, square.mesh.uvs / 2]), colours=colours, normals=None)
    surface = surface_of(replace(square, mesh=mesh), 6, [picture()], "part")
    assert list(surface.uvs) == ["UVMap", "UVMap.001"]
    assert surface.uvs["UVMap.001"][1].tolist() == [0.5, 1]
    assert surface.colours is not None
    assert surface.colours[:3].tolist() == [[3, 2, 1, 4], [11, 10, 9, 12], [7, 6, 5, 8]]
    assert surface.materials[0].coloured
    assert not surface.normals.any()


def test_four_weights_none_and_wrong_ones(square: Lgo) -> None:
    assert square.mesh is not None
    blend = np.zeros(4, BLEND)
    blend["index"] = [(0, 1, 1, 0), (1, 0, 0, 0), (0, 9, 0, 0), (1, 0, 0, 0)]
    blend["weight"] = [(0.1, 0.2, 0.3, 0.4), (0, 0, 0, 0), (0.5, 0.5, 0, 0), (0.25, 0.75, 0, 0)]
    mesh = replace(square.mesh, blend=blend, influences=4)
    with log.collect() as said:
        surface = surface_of(replace(square, mesh=mesh), 5, [picture()], "part")
    assert surface.weights is not None
    assert np.round(surface.weights, 6).tolist() == [[0.1, 0, 0, 0.4], [0, 0, 0, 0], [0.5, 0, 0, 0], [0, 0.75, 0, 0]]
    assert "probably it is the wrong skeleton" in said.digest("WARNING")[0]
    whole = surface_of(replace(square, mesh=mesh), 6, [picture()], "part")
    assert whole.weights is not None
    assert (whole.weights[1].tolist(), whole.bones[1, 0]) == ([1, 0, 0, 0], 5)


def test_a_mesh_without_weights(square: Lgo) -> None:
    assert square.mesh is not None
    with log.collect() as said:
        surface = surface_of(replace(square, mesh=replace(square.mesh, blend=None)), 6, [picture()], "part")
    assert surface.weights is not None
    assert not surface.weights.any()
    assert said.digest("INFO") == ["a mesh without weights: no bone moves it"]


def test_values_that_are_no_numbers() -> None:
    data = bytearray(mindpower_files.lgo())
    at = data.index(struct.pack("<12f", *(number for corner in CORNERS for number in corner))) + 24
    data[at : at + 4] = struct.pack("<I", 0x7FA00000)  # one that even complains
    with log.collect() as said:
        surface = surface_of(Lgo.parse(bytes(data)), 2, [picture()], "part")
    assert surface.points[2].tolist() == [0, 0, 1]
    assert said.digest("WARNING") == ["values that are not finite in the mesh; kept"]


@settings(max_examples=30)
@given(lgo=lgos(), bones=st.integers(1, 30))
def test_any_mesh(lgo: Lgo, bones: int) -> None:
    if lgo.mesh is None:
        return
    images = [None] * (len(lgo.materials) if lgo.materials is not None else 0)
    with log.collect():
        surface = surface_of(lgo, bones, images, "part")
    assert surface.weights is not None
    assert surface.bones.shape == surface.weights.shape
    assert surface.bones.max(initial=0) < bones
    assert surface.material_of.max(initial=0) < len(surface.materials)
    assert len(surface.corners) == 3 * len(surface.starts) == len(surface.normals)
    assert np.isfinite(surface.points).all()
    assert all(layer.shape == (len(surface.corners), 2) for layer in surface.uvs.values())


def test_the_games_own_meshes(game_file: Callable[[str], Path]) -> None:
    folder = game_file("mindpower/model/character")
    for path in sorted(folder.glob("*.lgo")):
        lgo = Lgo.parse(path.read_bytes())
        lab = Lab.parse(game_file(f"mindpower/animation/{path.name[:4]}.lab").read_bytes())
        assert lgo.materials is not None and lgo.mesh is not None
        with log.collect() as said:
            surface = surface_of(lgo, lab.bone_count, images_of(lgo.materials, TextureFinder(path)), path.stem)
        assert said.messages == []
        assert surface.weights is not None
        assert np.abs(surface.weights.sum(axis=1) - 1).max() < 1e-5
        assert all(material.image is not None for material in surface.materials)
        # Faces look to where their normals point, in the file's own winding.
        a, b, c = surface.points[surface.corners.reshape(-1, 3)].swapaxes(0, 1)
        computed = np.cross(b - a, c - a)
        with_area = np.abs(computed).max(axis=1) > 0
        outwards = np.einsum("ij,ij->i", computed, surface.normals.reshape(-1, 3, 3).sum(axis=1))[with_area]
        assert (outwards > 0).mean() > (0.98 if path.stem == "0289000000" else 0.99)  # 4 of its 258 triangles face the other way


@pytest.mark.parametrize(
    ("sums", "scale", "said"),
    [
        ((1, 1, 1, 1), 1, []),
        ((0, 1, 1, 1), 1, []),  # on its first bone
        ((1, 1, 0.9995, 1), 1, []),  # nobody sees it
        ((1, 0.25, 1, 1), 1, ["1 vertex has weights that do not sum to 1", "up to 75% of the size"]),
        ((1, 1, 1.5, 0.75), 10, ["2 vertices have weights that do not sum to 1", "up to 71% of the size"]),
        ((1, 1, 0.00001, 1), 1, ["1 vertex has weights that do not sum to 1", "up to 141% of the size"]),
    ],
)
def test_weights_that_blender_scales_to_1(square: Lgo, sums: tuple[float, ...], scale: float, said: list[str]) -> None:
    """The game draws a vertex at rest at the sum of its weights times where it is, Blender where it is: the corners of a square of side 1
    are 0, 1, √2 and 1 from the origin."""
    assert square.mesh is not None and square.mesh.blend is not None
    blend = square.mesh.blend.copy()
    blend["weight"][:, 0] = sums
    mesh = replace(square.mesh, blend=blend, positions=square.mesh.positions * np.float32(scale))
    with log.collect() as messages:
        surface_of(replace(square, mesh=mesh), 6, [picture()], "part")
    warnings = messages.digest("WARNING")
    assert len(warnings) == min(len(said), 1)
    assert all(part in warnings[0] for part in said)


def test_weights_of_vertices_that_nobody_sees(square: Lgo) -> None:
    assert square.mesh is not None and square.mesh.blend is not None
    blend = square.mesh.blend.copy()
    blend["weight"][1, 0] = 0.5
    with log.collect() as messages:
        surface_of(replace(square, mesh=replace(square.mesh, blend=blend, indices=np.array([0, 3, 2], "<u4"))), 6, [picture()], "part")
    assert messages.digest("WARNING") == []
