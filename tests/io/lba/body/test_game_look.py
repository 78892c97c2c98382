"""The game's look: what a renderer shows against the palette index that the game's own rule gives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Vector
from mathutils.interpolate import poly_3d_calc

Part = Callable[[str], ModuleType]
Fetch = Callable[..., Any]

AXES = np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])
BODIES = {"lba1": (0, 6, 9, 10, 74), "lba2": (0, 7, 14, 33, 456)}
"""Ten characters: entries of each game's BODY.HQR."""

VIEW = Vector((0.5, -1.0, 0.6)).normalized()
SIDE, WIDTH = 640, 8.5
"""Pixels and metres of the picture."""


def towards_light() -> Any:
    """SetLightVector(896, 950, 0) of steps of 1024, in the game's axes: Rx(alpha) Ry(beta) of +Z."""
    alpha, beta = 896 * 2 * np.pi / 1024, 950 * 2 * np.pi / 1024
    x, y, z = np.sin(beta), 0.0, np.cos(beta)
    return np.array([x, np.cos(alpha) * y - np.sin(alpha) * z, np.sin(alpha) * y + np.cos(alpha) * z])


@dataclass
class Rule:
    """Of a face: colour, and shades at each of its corners, one for all where it is flat."""

    colour: int
    shades: Any
    dithered: bool = False


def rules_of_lm1(body: Any) -> dict[int, Rule]:
    """Whole shades, truncated, of N . L / range with |L| 59; drawn from corner to corner with a half added."""
    shades = np.floor(np.maximum(body.normals["direction"] @ towards_light() * 59, 0) / body.normals["range"])
    polygon, _, normal_at = body.corner_references()
    rules = {}
    for face, (material, colour) in enumerate(body.polygons[["material", "colour"]].tolist()):
        own = shades[body.stream[normal_at[polygon == face]]] if material >= 7 else np.zeros(1)
        rules[face] = Rule(colour, own + 0.5 if material >= 9 else own[:1], material == 10)
    return rules


def rules_of_lm2(body: Any) -> dict[int, Rule]:
    """N . L, of normals whose length is 1024 for each shade; types 1 flat, 4 and 6 Gouraud, 5 and 7 dithered; textured ones left out."""
    lights = np.concatenate([body.normals["direction"], body.face_normals["direction"]]).astype(float) @ towards_light() / 1024
    lights, faces, rules = lights.clip(0, 15.99), body.faces, {}
    for face, kind in enumerate(faces.kind.tolist()):
        corners = faces.corners[face, : 4 if faces.quad[face] else 3]
        shades = lights[[faces.normal[face]]] if kind == 1 else lights[corners] if kind >= 4 else np.zeros(1)
        if kind < 8 and kind != 2:
            rules[face] = Rule(int(faces.colour[face]) & 0xFF, shades, kind in (5, 7))
    return rules


def render(path: Path, focus: Any, size: float) -> Any:
    """(SIDE, SIDE, 3) uint8, lowest row first, seen from VIEW, one sample in the middle of each pixel, colours as displayed."""
    scene: Any = bpy.context.scene
    camera = bpy.data.cameras.new("camera")
    camera.type, camera.ortho_scale, camera.clip_end = "ORTHO", size, size * 10
    obj = bpy.data.objects.new("camera", camera)
    scene.collection.objects.link(obj)
    obj.location, obj.rotation_euler = Vector(focus) + VIEW * size * 2, (-VIEW).to_track_quat("-Z", "Y").to_euler()
    scene.camera = obj
    scene.render.engine, scene.cycles.samples, scene.cycles.use_denoising = "CYCLES", 1, False
    scene.cycles.pixel_filter_type, scene.cycles.filter_width = "BOX", 0.01
    scene.render.resolution_x = scene.render.resolution_y = SIDE
    scene.render.filepath, scene.render.image_settings.file_format = str(path), "PNG"
    scene.view_settings.view_transform, scene.render.dither_intensity = "Standard", 0.0
    bpy.ops.render.render(write_still=True)
    image: Any = bpy.data.images.load(str(path))
    pixels = np.array(image.pixels[:]).reshape(SIDE, SIDE, 4)
    return np.rint(pixels[..., :3] * 255).astype(int), np.array(obj.matrix_world.inverted_safe())


@pytest.mark.parametrize("game", ["lba1", "lba2"])
def test_faces_have_the_colour_that_the_game_gives_them(
    fetch: Fetch, part: Part, game_file: Callable[[str], Path], tmp_path: Path, game: str
) -> None:
    """Pixel by pixel: flat and unlit faces exactly; smooth ones within a shade of what the game draws from corner to corner, dithered ones
    too, but for faces that look away from the light at a corner: the game starts from 0 there, the renderer from the angle."""
    archive = game_file(f"{game}/BODY.HQR")
    hqr = part("core.lba.files.archive.hqr").Hqr
    document = part("core.lba.files.lm1").Lm1 if game == "lba1" else part("core.lba.files.lm2").Lm2
    palette = np.frombuffer(hqr.parse(game_file(f"{game}/RESS.HQR").read_bytes()).read(0), "u1").reshape(256, 3).astype(int)
    bodies = [document.parse(hqr.parse(archive.read_bytes()).read(entry)) for entry in BODIES[game]]
    imported = fetch(archive, entries=",".join(map(str, BODIES[game])), look="GAME")
    surfaces = [mesh for mesh in imported.meshes if not mesh.name.endswith(("lines", "spheres"))]
    for index, armature in enumerate(imported.armatures):
        armature.location.x = 1.6 * index
    bpy.context.view_layer.update()
    pixels, to_camera = render(tmp_path / "seen.png", (3.2, 0, 0.7), WIDTH)
    depsgraph = bpy.context.evaluated_depsgraph_get()
    from_camera = np.linalg.inv(to_camera)
    rules = {surface.name: (rules_of_lm1 if game == "lba1" else rules_of_lm2)(body) for body, surface in zip(bodies, surfaces, strict=True)}
    differences: dict[str, list[int]] = {"flat": [], "smooth": [], "dithered": [], "far": []}
    shown = set()
    for row, column in np.argwhere((pixels != pixels[0, 0]).any(axis=2))[::3].tolist():
        x, y = ((column + 0.5) / SIDE - 0.5) * WIDTH, ((row + 0.5) / SIDE - 0.5) * WIDTH
        start = Vector((from_camera @ [x, y, 0, 1])[:3])
        hit, where, normal, face, obj, _ = bpy.context.scene.ray_cast(depsgraph, start, -VIEW)
        rule = rules[obj.name].get(face) if hit and obj.name in rules else None
        if rule is None or normal @ VIEW < 0.1:
            continue
        corners = [obj.matrix_world @ obj.data.vertices[index].co for index in obj.data.polygons[face].vertices]
        shares = np.ones(1) if len(rule.shades) == 1 else np.array(poly_3d_calc(corners, where))
        if len(shares) > 3:
            continue  # what the game draws between four corners depends on how they lie on its screen
        candidates = np.flatnonzero((palette == pixels[row, column]).all(axis=1))
        wanted = rule.colour + int(shares @ rule.shades)
        lit = len(shares) == 1 or bool(np.min(rule.shades) >= 1) or shares.max() > 0.9
        steps = candidates[np.abs(candidates - wanted).argmin()] - wanted if len(candidates) else 99
        kind = "flat" if len(shares) == 1 else "far" if not lit else "dithered" if rule.dithered else "smooth"
        differences[kind].append(int(steps))
        shown.add((obj.name, face))
    assert len(shown) > 200
    assert len({name for name, _ in shown}) == len(surfaces) == 5
    flat, smooth, dithered, far = (np.array(differences[kind]) for kind in ("flat", "smooth", "dithered", "far"))
    assert (flat == 0).mean() > 0.97
    assert (smooth == 0).mean() > 0.8
    assert (np.abs(smooth) <= 1).mean() > 0.99
    assert (np.abs(dithered) <= 1).mean() > 0.97
    assert (np.abs(far) <= 2).mean() > 0.9


def test_one_light_for_all_and_as_it_was_turned(fetch: Fetch, chain: Path) -> None:
    """A further import finds the light's group and leaves it turned; every material looks its own colour up."""
    meshes = fetch(chain / "chain.lm1", look="GAME").meshes
    light: Any = bpy.data.node_groups["Game Light"]
    light.nodes["Direction"].outputs["Normal"].default_value = (0.0, 0.0, 1.0)
    bpy.context.view_layer.objects.active = None
    assert fetch(chain / "chain.lm1", look="GAME").meshes[0].data.materials[0] == meshes[0].data.materials[0]
    assert [group.name for group in bpy.data.node_groups if group.name.startswith("Game Light")] == ["Game Light"]
    assert len(bpy.data.node_groups) == 2
    assert tuple(light.nodes["Direction"].outputs["Normal"].default_value) == (0.0, 0.0, 1.0)
    shown = {}
    for material in meshes[0].data.materials:
        (group,) = (node for node in material.node_tree.nodes if node.type == "GROUP")
        shown[material.name] = [group.inputs[name].default_value for name in ("Colour", "Lit", "Dithered", "Screen Door")]
    assert shown == {
        "LBA 0:20 game": [20, 0, 0, 0],
        "LBA 7:36 game": [36, 1, 0, 0],
        "LBA 9:52 game": [52, 1, 0, 0],
        "LBA 0:15 game": [15, 0, 0, 0],
        "LBA 0:66 game": [66, 0, 0, 0],
    }


def test_other_programs_get_the_plain_colours(fetch: Fetch, chain: Path) -> None:
    """Exporters follow the output for all renderers; EEVEE and Cycles have one each for the look."""
    plain = fetch(chain / "chain.lm1").meshes[0].data.materials
    bpy.context.view_layer.objects.active = None
    for ours, material in zip(plain, fetch(chain / "chain.lm1", look="GAME").meshes[0].data.materials, strict=True):
        outputs = {node.target: node for node in material.node_tree.nodes if node.type == "OUTPUT_MATERIAL"}
        assert {target: output.inputs["Surface"].links[0].from_node.type for target, output in outputs.items()} == {
            "ALL": "BSDF_PRINCIPLED",
            "EEVEE": "GROUP",
            "CYCLES": "GROUP",
        }
        assert [target for target, output in outputs.items() if output.is_active_output] == ["ALL"]
        shader, other = (
            next(node for node in tree.nodes if node.type == "BSDF_PRINCIPLED") for tree in (material.node_tree, ours.node_tree)
        )
        assert material.name == f"{ours.name} game"
        for name in ("Base Color", "Emission Color"):
            assert tuple(shader.inputs[name].default_value) == tuple(other.inputs[name].default_value)


def test_both_looks_beside_each_other(fetch: Fetch, chain: Path) -> None:
    plain = fetch(chain / "chain.lm1").meshes[0].data
    bpy.context.view_layer.objects.active = None
    game = fetch(chain / "chain.lm1", look="GAME").meshes[0].data
    assert not {material.name for material in plain.materials} & {material.name for material in game.materials}
    assert "game_light" in game.attributes
    assert "game_light" not in plain.attributes
    lengths = np.linalg.norm([item.vector for item in game.attributes["game_light"].data], axis=1)
    assert lengths[:3].tolist() == [0, 0, 0]  # unlit; then (0, 0, 64) with range 256
    assert np.allclose(lengths[3:], 64 * 59 / 256)
