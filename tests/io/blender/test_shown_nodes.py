"""What a material shows is what leads to its active output, whatever other nodes lie in its tree and in whichever order."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import bpy
import pytest

DATA: Any = bpy.data
Part = Callable[[str], ModuleType]
RED, GREEN = (1.0, 0.0, 0.0, 1.0), (0.0, 1.0, 0.0, 1.0)


class Tree:
    """Of a new material with nothing but an output."""

    def __init__(self) -> None:
        self.material = DATA.materials.new("painted")
        if self.material.node_tree is None:
            self.material.use_nodes = True
        self.nodes, self.links = self.material.node_tree.nodes, self.material.node_tree.links
        self.nodes.clear()
        self.output = self.nodes.new("ShaderNodeOutputMaterial").inputs["Surface"]

    def picture(self, name: str, size: int = 4) -> Any:
        node = self.nodes.new("ShaderNodeTexImage")
        if size:
            node.image = DATA.images.new(name, size, size)
        else:
            node.image = DATA.images.new(name, 1, 1)
            node.image.source, node.image.filepath = "FILE", "//nowhere.png"
        return node

    def shader(self, colour: tuple[float, ...] = GREEN) -> Any:
        node = self.nodes.new("ShaderNodeBsdfPrincipled")
        node.inputs["Base Color"].default_value = colour
        return node

    def mix(self) -> Any:
        node = self.nodes.new("ShaderNodeMix")
        node.data_type = "RGBA"
        return node

    def colours(self, mix: Any) -> list[Any]:
        return [socket for socket in (*mix.inputs, *mix.outputs) if socket.type == "RGBA"]


@pytest.fixture
def tree() -> Tree:
    return Tree()


def test_the_shader_is_the_one_that_is_linked(part: Part, tree: Tree) -> None:
    plain = part("io.blender.surface.materials.plain_colour")
    tree.shader(RED)
    assert plain.shown(tree.material) == pytest.approx(part("core.surface.srgb").displayed(tree.material.diffuse_color)), "nothing is shown"
    tree.links.new(tree.shader().outputs[0], tree.output)
    assert plain.shown(tree.material) == pytest.approx((0, 1, 0), abs=1e-5)


def test_a_shader_among_others(part: Part, tree: Tree) -> None:
    mixed, clear = tree.nodes.new("ShaderNodeMixShader"), tree.nodes.new("ShaderNodeBsdfTransparent")
    tree.links.new(clear.outputs[0], mixed.inputs[1])
    tree.links.new(tree.shader().outputs[0], mixed.inputs[2])
    tree.links.new(mixed.outputs[0], tree.output)
    assert part("io.blender.surface.materials.plain_colour").shown(tree.material) == pytest.approx((0, 1, 0), abs=1e-5)


def test_the_picture_is_the_one_whose_colours_are_seen(part: Part, tree: Tree) -> None:
    """Behind a mixture, and neither what is left over, nor what mixes it, nor what the roughness is."""
    images = part("io.blender.surface.materials.images")
    tree.picture("left over")
    shader, mix, rough, mask, shown = tree.shader(), tree.mix(), tree.picture("rough"), tree.picture("mask"), tree.picture("shown")
    tree.links.new(shader.outputs[0], tree.output)
    tree.links.new(rough.outputs["Color"], shader.inputs["Roughness"])
    tree.links.new(mask.outputs["Color"], mix.inputs[0])
    first, _, result = tree.colours(mix)
    tree.links.new(shown.outputs["Color"], first)
    assert images.image_of(tree.material) != shown.image and images.shows_picture(tree.material), "the roughness alone"
    tree.links.new(result, shader.inputs["Base Color"])
    assert images.image_of(tree.material) == shown.image and images.name_of(tree.material) == "shown"


def test_a_picture_whose_colours_go_nowhere(part: Part, tree: Tree) -> None:
    """It is the material's nevertheless, as no other is."""
    images = part("io.blender.surface.materials.images")
    shader, picture = tree.shader(), tree.picture("aside")
    tree.links.new(shader.outputs[0], tree.output)
    tree.links.new(picture.outputs["Alpha"], shader.inputs["Alpha"])
    assert not images.shows_picture(tree.material) and images.image_of(tree.material) == picture.image
    tree.links.new(picture.outputs["Color"], shader.inputs["Base Color"])
    assert images.shows_picture(tree.material)


def test_a_picture_that_is_not_found_has_its_name_alone(part: Part, tree: Tree) -> None:
    images = part("io.blender.surface.materials.images")
    shader, lost = tree.shader(), tree.picture("lost", 0)
    tree.links.new(shader.outputs[0], tree.output)
    tree.links.new(lost.outputs["Color"], shader.inputs["Base Color"])
    assert images.image_of(tree.material) is None and images.name_of(tree.material) == "lost" and images.shows_picture(tree.material)


def test_circles_end(part: Part, tree: Tree) -> None:
    shader, first, second = tree.shader(), tree.mix(), tree.mix()
    tree.links.new(shader.outputs[0], tree.output)
    for mix, other in ((first, second), (second, first)):
        tree.links.new(tree.colours(mix)[-1], tree.colours(other)[0])
    tree.links.new(tree.colours(first)[-1], shader.inputs["Base Color"])
    assert part("io.blender.surface.materials.images").image_of(tree.material) is None
    assert part("io.blender.surface.materials.shown_nodes").principled(tree.material) == shader
