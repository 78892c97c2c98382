"""Bodies of Little Big Adventure 2 in Blender: every kind of polygon, their colours and normals, and hostile ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from support.lba import lba2_chain as chain2
from support.lba.lba2_folder import KINDS
from support.lba.lba_stage import Fetch, Part

OPS: Any = bpy.ops
"""The stubs do not know our operators."""


def texel(u: int, v: int, handle: int) -> int:
    """What the engine shows at 8.8 fixed coordinates in the region of a handle."""
    corner, mask = chain2.TEXTURES[handle] & 0xFFFF, chain2.TEXTURES[handle] >> 16
    return chain2.page()[(corner + ((v >> 8) & mask >> 8) * 256 + ((u >> 8) & mask & 0xFF)) % 65536]


def test_every_kind_of_polygon(fetch: Fetch, game: Path) -> None:
    """Unlit, flat, or smooth; transparent or with holes; and every corner shows the engine's texel, or the palette's colour."""
    obj = fetch(game.with_name("BODY.HQR"), entries=str(KINDS), scale=1.0).armatures[0]
    mesh = next(child for child in obj.children if not child.name.endswith(("lines", "spheres"))).data
    runs = chain2.every_kind()
    assert len(mesh.polygons) == len(runs) == 96
    assert [value.value for value in mesh.attributes["lba_type"].data] == [kind for kind, _ in runs]
    colours, known = chain2.palette(), {}
    for polygon, (kind, (record,)) in zip(mesh.polygons, runs, strict=True):
        low, quad, environment = kind & 0xFF, bool(kind & 0x8000), bool(kind & 0x4000)
        assert [mesh.loops[loop].vertex_index for loop in polygon.loop_indices] == list(record[: 4 if quad else 3])
        material: Any = mesh.materials[polygon.material_index]
        shader = next(node for node in material.node_tree.nodes if node.type == "BSDF_PRINCIPLED")
        lit = low % 4 if low >= 8 else {1: 1, 4: 2, 5: 2, 6: 2, 7: 2}.get(low, 0)
        assert polygon.use_smooth == (lit != 1), kind
        assert (shader.inputs["Emission Strength"].default_value == 1) == (lit == 0), kind
        if low < 8:
            shade = 3 if lit == 0 else 3 + (16 - 3) * 2 // 3
            index = 16 * (low % 16) + shade
            wanted = np.array(list(colours[3 * index : 3 * index + 3])) / 255
            wanted = np.where(wanted <= 0.04045, wanted / 12.92, ((wanted + 0.055) / 1.055) ** 2.4)
            assert np.allclose(material.diffuse_color[:3], wanted, atol=1e-5), kind
            assert material.diffuse_color[3] == (0.5 if low in (2, 3) else 1), kind
            continue
        image = next(node for node in material.node_tree.nodes if node.type == "TEX_IMAGE")
        assert (image.extension, image.interpolation) == ("REPEAT", "Closest")
        width, height = image.image.size
        if image.image.name not in known:
            buffer = np.empty(4 * width * height, np.float32)
            image.image.pixels.foreach_get(buffer)
            known[image.image.name] = np.rint(buffer.reshape(height, width, 4) * 255).astype(int)
        pixels = known[image.image.name]
        holes = low % 8 >= 4
        assert shader.inputs["Alpha"].is_linked == holes, kind
        mean = pixels[pixels[..., 3] > 0][:, :3].mean(axis=0) / 255  # what the solid viewport shows
        assert np.allclose(material.diffuse_color[:3], np.where(mean <= 0.04045, mean / 12.92, ((mean + 0.055) / 1.055) ** 2.4), atol=0.01)
        if environment:
            continue
        handle, first = (record[14], 6) if quad else (record[3], 6)
        for corner, loop in enumerate(polygon.loop_indices):
            u, v = mesh.uv_layers["UVMap"].uv[loop].vector
            compared = pixels[int(np.floor(v % 1 * height)), int(np.floor(u % 1 * width))]
            index = texel(record[first + 2 * corner], record[first + 1 + 2 * corner], handle)
            assert compared[:3].tolist() == list(colours[3 * index : 3 * index + 3]), (kind, corner)
            assert compared[3] == (0 if holes and index == 0 else 255), (kind, corner)


def test_normals_of_gouraud_faces(fetch: Fetch, game: Path) -> None:
    """Those of their points: here all (0, 0, 0x4000), the game's front, which is Blender's -Y. Flat faces have their own."""
    obj = fetch(game.with_name("BODY.HQR"), entries=str(KINDS)).armatures[0]
    mesh = next(child for child in obj.children if not child.name.endswith(("lines", "spheres"))).data
    for polygon, (kind, _) in zip(mesh.polygons, chain2.every_kind(), strict=True):
        low = kind & 0xFF
        if low % 4 >= 2 if low >= 8 else low >= 4:
            for loop in polygon.loop_indices:
                assert np.allclose(mesh.corner_normals[loop].vector, (0, -1, 0), atol=1e-2), kind
        elif low == 1:
            for loop in polygon.loop_indices:
                assert np.allclose(mesh.corner_normals[loop].vector, polygon.normal, atol=1e-2), kind


def test_a_render_shows_the_games_colours(fetch: Fetch, game: Path, tmp_path: Path) -> None:
    """A solid face and a solid textured one, straight from the front: unlit, so the very colours of palette and page."""
    square = [(-100, 0, 0), (100, 0, 0), (100, 200, 0), (-100, 200, 0)]
    body: chain2.Body = ([(position, 0) for position in square] + [((0, 0, 0), 0)] * 7, [(0xFFFF, 0, 11, 0)])
    uv = (0, 0x800, 0x800, 0x800, 0x800, 0, 0, 0)  # the region once, its first row on top
    for name, runs, wanted in (
        ("plain", [(0x8000, [(0, 1, 2, 3, 77, 0)])], lambda x, y: 77),
        ("texture", [(0x8008, [(0, 1, 2, 3, 0, 0, *uv, 0, 0)])], lambda x, y: texel(x << 8, y << 8, 0)),
    ):
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
        file = game.with_name(f"{name}.lm2")
        file.write_bytes(chain2.lm2(body, runs))
        obj = fetch(file, scale=0.01).armatures[0]
        for part in [child for child in obj.children if child.name.endswith(("lines", "spheres"))]:
            bpy.data.objects.remove(part)
        pixels = _picture(tmp_path / "picture.png")
        colours = chain2.palette()
        for y in range(8):
            for x in range(8):
                index = wanted(x, y)
                compared = pixels[60 - 8 * y, 8 * x + 4]
                assert np.abs(compared * 255 - np.array(list(colours[3 * index : 3 * index + 3]))).max() < 2, (name, x, y)


def _picture(path: Path) -> Any:
    """(64, 64, 3), lowest row first, of the square of two metres over the origin, seen from the front."""
    scene: Any = bpy.context.scene
    camera = bpy.data.cameras.new("camera")
    camera.type, camera.ortho_scale = "ORTHO", 2.0
    obj = bpy.data.objects.new("camera", camera)
    obj.location, obj.rotation_euler = (0, -10, 1), (np.pi / 2, 0, 0)
    scene.collection.objects.link(obj)
    scene.camera = obj
    scene.render.engine, scene.cycles.samples, scene.cycles.device = "CYCLES", 1, "CPU"
    scene.cycles.pixel_filter_type, scene.cycles.filter_width = "BOX", 0.01
    scene.render.resolution_x = scene.render.resolution_y = 64
    scene.render.resolution_percentage, scene.render.dither_intensity = 100, 0
    scene.view_settings.view_transform = "Standard"
    scene.render.image_settings.file_format, scene.render.filepath = "PNG", str(path)
    bpy.ops.render.render(write_still=True)
    image = bpy.data.images.load(str(path))
    pixels: Any = image.pixels
    return np.array(pixels[:]).reshape(64, 64, -1)[..., :3]


def test_hostile_bodies(fetch: Fetch, part: Part, tmp_path: Path) -> None:
    file = tmp_path / "chain.lm2"
    file.write_bytes(chain2.LM2[:0x20] + b"\xff" * 64 + chain2.LM2[0x60:])  # counts
    with pytest.raises(part("core.reporting.errors").RetroAnimError) as raised:
        fetch(file)
    assert str(raised.value).startswith(str(file))
    assert not bpy.data.objects
    assert not bpy.data.armatures


def test_groups_that_cannot_be_posed_stay_still(fetch: Fetch, part: Part, tmp_path: Path) -> None:
    file = tmp_path / "chain.lm2"
    file.write_bytes(chain2.LM2[: 96 + 8] + b"\x04\0" + chain2.LM2[96 + 10 :])
    with part("core.reporting.log").collect() as said:
        imported = fetch(file)
    assert len(imported.armatures[0].data.bones) == 1
    assert any("its groups do not move" in line for line in said.digest("WARNING"))


def test_cut_off_anywhere(fetch: Fetch, part: Part, tmp_path: Path) -> None:
    """A file cut off at any place is refused, and nothing of it stays in the scene."""
    for name, data in (("chain.lm2", chain2.LM2), ("chain.anm", chain2.ANM)):
        file = tmp_path / name
        for size in range(0, len(data), 7):
            file.write_bytes(data[:size])
            with pytest.raises(part("core.reporting.errors").RetroAnimError):
                fetch(file, game="lba2")
    assert not bpy.data.objects
    assert not bpy.data.actions


def test_the_archive_of_an_island(fetch: Fetch, part: Part, game: Path) -> None:
    """CITADEL.OBL and the like are archives as BODY.HQR is."""
    island = game.with_name("CITADEL.OBL")
    island.write_bytes(game.with_name("BODY.HQR").read_bytes())
    obj = fetch(island, entries="0").armatures[0]
    mesh = next(child for child in obj.children if not child.name.endswith(("lines", "spheres")))
    mesh.data.vertices[1].co.z += 0.01
    bpy.context.view_layer.objects.active = obj
    bodies, hqr = part("io.lba.bodies"), part("core.lba.files.archive.hqr").Hqr
    bodies.export_body(bpy.context, obj, part("core.lba.game").BodyOptions(str(island)))
    before, after = (hqr.parse(game.with_name(name).read_bytes()) for name in ("BODY.HQR", "CITADEL.OBL"))
    assert [before.read(entry) == after.read(entry) for entry in range(2)] == [False, True]
    assert game.with_name("CITADEL.OBL.bak").read_bytes() == game.with_name("BODY.HQR").read_bytes()
