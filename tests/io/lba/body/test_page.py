"""The texture page of LBA2: faces of one's own by their place on it, and a page of one's own in RESS.HQR."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest

OPS: Any = bpy.ops
Part = Callable[[str], ModuleType]


@pytest.fixture
def resources(tmp_path: Path, part: Part) -> Path:
    """A RESS.HQR with a palette and a page: every texel its column's number, the first row holes."""
    target = tmp_path / "RESS.HQR"
    shutil.copyfile(Path(__file__).resolve().parents[4] / "samples/lba2/RESS.HQR", target)
    texels = np.tile(np.arange(256, dtype=np.uint8), (256, 1))
    texels[0] = 0
    hqr = part("core.lba.files.archive.hqr").Hqr
    archive = hqr.parse(target.read_bytes())
    while len(archive) < 7:
        archive = archive.with_entry(len(archive), b"\0", 0)
    target.write_bytes(archive.with_entry(6, texels.tobytes(), 0).pack())
    return target


def texels_in(path: Path, part: Part) -> np.ndarray:
    data = part("core.lba.files.archive.hqr").Hqr.parse(path.read_bytes()).read(6)
    return np.frombuffer(data, "u1").reshape(256, 256)


def opened(path: Path) -> Any:
    assert OPS.retro_anim.lba_page(how="OPEN", resources=str(path)) == {"FINISHED"}
    return next(image for image in bpy.data.images if "lba_page" in image)


def test_unchanged_it_is_the_same_file_and_a_texel_its_own(resources: Path, part: Part) -> None:
    before, old = resources.read_bytes(), texels_in(resources, part)
    image = opened(resources)
    assert OPS.retro_anim.lba_page(how="WRITE", image=image.name) == {"FINISHED"}
    assert resources.read_bytes() == before and not resources.with_name("RESS.HQR.bak").exists()
    palette = np.frombuffer(part("core.lba.files.archive.hqr").Hqr.parse(before).read(0), "u1").reshape(256, 3)
    pixels = np.array(image.pixels[:]).reshape(256, 256, 4)[::-1]
    np.testing.assert_allclose(pixels[5, 1:, :3] * 255, palette[1:], atol=0.6)
    assert (pixels[0, :, 3] == 0).all() and (pixels[5, 1:, 3] == 1).all()
    pixels = pixels.copy()
    pixels[20, 30, :3] = palette[77] / 255
    pixels[21, 31, 3] = 0
    image.pixels[:] = pixels[::-1].ravel().tolist()
    assert OPS.retro_anim.lba_page(how="WRITE", image=image.name) == {"FINISHED"}
    changed = np.argwhere(texels_in(resources, part) != old)
    assert changed.tolist() == [[20, 30], [21, 31]]
    assert (palette[texels_in(resources, part)[20, 30]] == palette[77]).all() and texels_in(resources, part)[21, 31] == 0
    assert resources.with_name("RESS.HQR.bak").read_bytes() == before


@pytest.mark.parametrize(("smooth", "holes", "kind"), [(False, False, 9), (True, False, 10), (True, True, 14)])
def test_faces_by_their_place_on_the_page(resources: Path, part: Part, smooth: bool, holes: bool, kind: int) -> None:
    image = opened(resources)
    data = bpy.data.armatures.new("rig")
    rig: Any = bpy.data.objects.new("rig", data)
    bpy.context.collection.objects.link(rig)
    bpy.context.view_layer.objects.active = rig
    OPS.object.mode_set(mode="EDIT")
    data.edit_bones.new("bone").tail = (0, 0, 1)
    OPS.object.mode_set(mode="OBJECT")
    mesh: Any = bpy.data.meshes.new("square")
    mesh.from_pydata([(-0.5, 0, 0), (0.5, 0, 0), (0.5, 0, 1), (-0.5, 0, 1)], [], [(0, 1, 2, 3)])
    mesh.polygons[0].use_smooth = smooth
    layer = mesh.uv_layers.new()
    for loop, coordinate in enumerate([(0.0, 0.0), (0.25, 0.0), (0.25, 1.0), (0.0, 1.0)]):
        layer.uv[loop].vector = coordinate
    material: Any = bpy.data.materials.new("skin")
    material.use_nodes = True
    nodes, links = material.node_tree.nodes, material.node_tree.links
    texture = nodes.new("ShaderNodeTexImage")
    texture.image = image
    shader = next(node for node in nodes if node.type == "BSDF_PRINCIPLED")
    links.new(texture.outputs["Color"], shader.inputs["Base Color"])
    if holes:
        links.new(texture.outputs["Alpha"], shader.inputs["Alpha"])
    mesh.materials.append(material)
    skin: Any = bpy.data.objects.new("square", mesh)
    bpy.context.collection.objects.link(skin)
    skin.parent = rig
    skin.modifiers.new("Armature", "ARMATURE").object = rig
    skin.vertex_groups.new(name="bone").add(range(4), 1.0, "REPLACE")
    options = part("core.lba.game")
    built = part("io.lba.make").make_body(bpy.context, rig, options.MakeOptions(game="lba2", palette=str(resources)))
    document = part("io.lba.bodies").pack_body(bpy.context, built.armature, options.BodyOptions(palette=str(resources)))
    assert document.faces.kind.tolist() == [kind]
    assert document.textures["corner"].tolist() == [0] and document.textures["mask"].tolist() == [[255, 255]], "the whole page"
    corners = {tuple(uv) for uv in document.faces.uv[0].tolist()}
    assert corners == {(0, 0), (0x4000, 0), (0x4000, 0xFFFF), (0, 0xFFFF)}, "8.8 fixed point, within the page"
    (drawn,) = (child for child in built.armature.children_recursive if child.type == "MESH")
    shown = next(node.image for node in drawn.data.materials[0].node_tree.nodes if node.type == "TEX_IMAGE")
    assert tuple(shown.size) == (256, 256)


def test_what_is_no_page(resources: Path) -> None:
    bpy.data.images.new("small", 64, 64)
    with pytest.raises(RuntimeError, match="small has 64 x 64 pixels; the texture page has 256 x 256"):
        OPS.retro_anim.lba_page(how="WRITE", image="small", resources=str(resources))
    with pytest.raises(RuntimeError, match=r"there is no RESS\.HQR"):
        OPS.retro_anim.lba_page(how="OPEN")
