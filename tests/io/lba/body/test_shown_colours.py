"""Materials that show anything else than the game draws, a colour of its palette or a region of its texture page: named, with a remedy."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import pytest
from support.sample_characters import opened

DATA: Any = bpy.data
Part = Callable[[str], ModuleType]


def said(part: Part, obj: Any) -> tuple[list[str], bool]:
    """The warnings of writing its body, and whether that is other bytes than the file's."""
    bodies, options = part("io.lba.bodies"), part("core.lba.game").BodyOptions()
    with part("core.reporting.log").collect() as log:
        data = bodies.pack_body(bpy.context, obj, options).pack()
    return [message.text for message in log.of("WARNING")], data != part("io.blender.source_data").kept(obj.data)


def node_of(material: Any, kind: str) -> Any:
    return next((node for node in material.node_tree.nodes if node.type == kind), None)


def picture() -> Any:
    image = DATA.images.new("painted", 4, 4)
    image.generated_color = (0.8, 0.1, 0.1, 1.0)
    return image


def another_picture(material: Any) -> None:
    node_of(material, "TEX_IMAGE").image = picture()


def no_picture(material: Any) -> None:
    material.node_tree.nodes.remove(node_of(material, "TEX_IMAGE"))


def another_region(material: Any) -> None:
    node = node_of(material, "TEX_IMAGE")
    node.image = node.image.copy()
    node.image["retro_anim_image"] = "LBA2 texture 2010 0F07"


def emission(material: Any) -> None:
    tree = material.node_tree
    tree.links.new(tree.nodes.new("ShaderNodeEmission").outputs[0], node_of(material, "OUTPUT_MATERIAL").inputs["Surface"])


def colour_node(material: Any) -> None:
    tree = material.node_tree
    inputs = node_of(material, "BSDF_PRINCIPLED").inputs
    for name in ("Base Color", "Emission Color"):
        tree.links.new(tree.nodes.new("ShaderNodeRGB").outputs[0], inputs[name])


def hue(material: Any) -> None:
    tree, node = material.node_tree, material.node_tree.nodes.new("ShaderNodeHueSaturation")
    for target in [link.to_socket for link in node_of(material, "TEX_IMAGE").outputs["Color"].links if link.to_node.type != "GROUP"]:
        tree.links.new(node.outputs["Color"], target)
    tree.links.new(node_of(material, "TEX_IMAGE").outputs["Color"], node.inputs["Color"])


REGION = "and the game draws the region 0000 1F1F of the texture page: "
EDITS: dict[str, tuple[str, Callable[[Any], None], str]] = {
    "another picture": ("TEXTURED", another_picture, f"shows painted, {REGION}assign a material of your own"),
    "no picture": ("TEXTURED", no_picture, f"does not show its picture, {REGION}assign a material of your own"),
    "another region": ("TEXTURED", another_region, f"{REGION}set its Texture Region to 2010 0F07"),
    "hue": ("TEXTURED", hue, "nodes change its picture, or where that lies"),
    "emission": ("PLAIN", emission, "nodes make its colour, of which the game gets none: give it a Principled BSDF with a plain colour"),
    "colour node": ("PLAIN", colour_node, "nodes make its colour"),
}


@pytest.mark.parametrize("edit", EDITS)
def test_of_the_files_own_materials(part: Part, tmp_path: Path, edit: str) -> None:
    obj, mesh = opened("lba", tmp_path)
    assert said(part, obj) == ([], False)
    kind, change, expected = EDITS[edit]
    slot = next(slot for slot in mesh.material_slots if (node_of(slot.material, "TEX_IMAGE") is not None) == (kind == "TEXTURED"))
    change(slot.material)
    (line,), changed = said(part, obj)
    assert line.startswith(slot.material.name) and expected in line and not changed

    if edit == "another region":
        slot.material["lba_region"] = "2010 0F07"
        assert said(part, obj) == ([], True)
        return
    own = DATA.materials.new("of one's own")
    part("io.blender.compat").shader_tree(own)
    slot.material = own
    lines, changed = said(part, obj)
    assert changed and not [text for text in lines if "of one's own: the nearest colour" not in text]


def test_a_picture_of_ones_own(part: Part, tmp_path: Path) -> None:
    obj, mesh = opened("lba", tmp_path)
    slot = next(slot for slot in mesh.material_slots if node_of(slot.material, "TEX_IMAGE") is None)
    own = slot.material = DATA.materials.new("of one's own")
    part("io.blender.compat").shader_tree(own)
    node = own.node_tree.nodes.new("ShaderNodeTexImage")
    node.image = picture()
    own.node_tree.links.new(node.outputs["Color"], node_of(own, "BSDF_PRINCIPLED").inputs["Base Color"])
    lines, changed = said(part, obj)
    expected = "of one's own: each face gets the colour of the palette that is nearest to its part of painted, which the game does not have"
    assert changed and len([line for line in lines if line.startswith(expected)]) == 1


def lost(name: str) -> Any:
    """A picture whose file is not there."""
    image = DATA.images.new(name, 4, 4)
    image.source, image.filepath = "FILE", "//not there.png"
    assert tuple(image.size) == (0, 0)
    return image


def test_a_region_whose_picture_is_not_found(part: Part, tmp_path: Path) -> None:
    obj, mesh = opened("lba", tmp_path)
    node = next(node for slot in mesh.material_slots if (node := node_of(slot.material, "TEX_IMAGE")) is not None)
    name = node.image.name
    DATA.images.remove(node.image)
    node.image = lost(name)
    assert said(part, obj) == ([], False)


def test_a_picture_of_ones_own_that_is_not_found(part: Part, tmp_path: Path) -> None:
    obj, mesh = opened("lba", tmp_path)
    slot = next(slot for slot in mesh.material_slots if node_of(slot.material, "TEX_IMAGE") is None)
    own = slot.material = DATA.materials.new("of one's own")
    tree = part("io.blender.compat").shader_tree(own)
    node = tree.nodes.new("ShaderNodeTexImage")
    node.image = lost("gone")
    tree.links.new(node.outputs["Color"], node_of(own, "BSDF_PRINCIPLED").inputs["Base Color"])
    lines = [line for line in said(part, obj)[0] if "the nearest colour" not in line]
    assert len(lines) == 1 and lines[0].startswith("of one's own: its picture is not found")


def test_an_alpha_that_the_polygon_type_does_not_have(part: Part, tmp_path: Path) -> None:
    obj, mesh = opened("lba", tmp_path)
    slot = next(slot for slot in mesh.material_slots if node_of(slot.material, "TEX_IMAGE") is None)
    material, kind = slot.material, slot.material["lba_type"]
    alpha = node_of(material, "BSDF_PRINCIPLED").inputs["Alpha"]
    assert alpha.default_value == 1
    alpha.default_value = 0.4
    (line,), changed = said(part, obj)
    assert line.startswith(f"{material.name}: Blender shows an Alpha of 0.4, and polygons of type {kind} are opaque: set Polygon Type to 2")
    assert not changed
    material["lba_type"] = 2
    assert said(part, obj) == ([], True)
    alpha.default_value = 1
    (line,), _ = said(part, obj)
    assert line.endswith("and polygons of type 2 are transparent: set Alpha to 0.5, or Polygon Type to another one")
    material["lba_type"] = kind
    assert said(part, obj) == ([], False)


def test_materials_with_the_same_alpha_are_named_at_once(part: Part, tmp_path: Path) -> None:
    obj, mesh = opened("lba", tmp_path)
    names: set[str] = set()
    for slot in mesh.material_slots:
        alpha = node_of(slot.material, "BSDF_PRINCIPLED").inputs["Alpha"]
        if not alpha.is_linked:
            alpha.default_value = 0.4
            names.add(slot.material.name)
    (line,), changed = said(part, obj)
    named, _, more = line.partition(": ")[0].partition(" and ")
    assert len(names) > 3 and set(named.split(", ")) < names and more == f"{len(names) - 3} more" and not changed
    assert "Blender shows an Alpha of 0.4, and polygons of type" in line and line.endswith(
        "are opaque: set Polygon Type to 2, or Alpha to 1"
    )
