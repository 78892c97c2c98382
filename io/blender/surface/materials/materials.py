"""A game's materials as Blender's: colours and textures that look right in the solid viewport and in renders."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import bpy
import numpy as np

from .....core.reporting import labels
from .....core.surface.mesh import Colour, Image, Material
from .....core.surface.srgb import linear
from ... import arrays, compat, new_objects
from . import game_look
from .images import NAME, PIXELS, checksum
from .shown_nodes import OUTPUT, PICTURE, PRINCIPLED

RAMP = "retro_anim_ramp"
"""Custom property of a material: the game's shades, dark to bright, red, green, blue after one another."""

VIEWPORT = "retro_anim_viewport"
"""Custom property of a material: the Viewport Display colour that it came in with."""

COLOURS = "Colour"
"""Name of the attribute with the corner colours of a mesh."""


def build_all(wanted: Sequence[Material]) -> list[bpy.types.Material]:
    """The materials, or those of the same name, colours and texture that are there already.

    Unlit ones shine by themselves, so that they have the game's very colour under any light; lit ones are matt. Those that differ by no
    more than their colour are copied from one another: each value that is set makes Blender look through the whole tree.
    """
    plain: dict[Hashable, bpy.types.Material] = {}
    known = new_objects.known()
    built: list[bpy.types.Material] = []
    for material in wanted:
        present = known.get(id(material))  # bodies share what they are built of, too
        if present is None or present[1] is not material:
            present = known[id(material)] = _known(material, known, plain), material
        built.append(present[0])
    return built


def _known(material: Material, known: dict[Hashable, Any], plain: dict[Hashable, bpy.types.Material]) -> bpy.types.Material:
    """One that was built already while many objects are made, or a new one."""
    if material.look is not None:
        return _build(material, plain)
    drawn = material.shading, material.blend, material.alpha, material.coloured, material.two_sided
    kind = material.name, material.ramp, repr(material.properties), id(material.image), drawn
    present = known.get(kind)
    if present is None:
        present = known[kind] = _build(material, plain), material.image
    return present[0]


def _build(material: Material, plain: dict[Hashable, bpy.types.Material]) -> bpy.types.Material:
    ramp = [component for shade in material.ramp for component in shade]
    texture = image(material.image) if material.image is not None else None
    name = labels.label(material.name, "material", compat.NAME_LIMIT)
    known = bpy.data.materials.get(name)
    if known is not None and known.library is None and _same(known, ramp, texture, material):
        return known
    look = material.look
    drawn = None if look is None else (look.lit, look.dithered, look.screen_door, look.alpha, look.palette.pixels.tobytes())
    kind = (material.shading, material.blend, material.alpha, material.two_sided, tuple(material.properties), drawn)
    like = plain.get(kind) if texture is None and not material.coloured else None
    created: Any = bpy.data.materials.new(name) if like is None else like.copy()
    created[RAMP] = ramp
    for key, value in material.properties.items():  # Blender's whole numbers have 32 bits
        created[key] = float(value) if isinstance(value, int) and value >= 1 << 31 else value
    created.diffuse_color = (*linear(_shown(material)), material.alpha)  # the solid viewport shows this one
    created[VIEWPORT] = created.diffuse_color[:3]
    if like is not None:
        created.name = name
        _coloured(created.node_tree, material).default_value = (*linear(material.colour), 1.0)
        if look is not None:
            game_look.recolour(created.node_tree, look)
        return created
    created.roughness = 1.0
    created.use_backface_culling = not material.two_sided
    if material.blend in ("BLEND", "ADD") or (material.alpha if look is None else look.alpha) < 1:
        created.surface_render_method = "BLENDED"
    _shade(compat.shader_tree(created), material, texture)
    if look is not None:
        game_look.add(created.node_tree, look, image(look.palette))
    if texture is None and not material.coloured and material.blend != "ADD":
        plain[kind] = created
    return created


def _unlit(material: Material) -> bool:
    return material.shading == "UNLIT" or material.blend == "ADD"


def _coloured(tree: Any, material: Material) -> Any:
    """The input of the shader that takes the colour."""
    shader = next(node for node in tree.nodes if node.bl_idname == PRINCIPLED)
    return shader.inputs["Emission Color" if _unlit(material) else "Base Color"]


def _shown(material: Material) -> Colour:
    """The colour that stands for a material: of a texture the mean of what is not a hole, times the plain colour."""
    if material.image is None:
        return material.colour
    pixels = material.image.pixels.reshape(-1, 4)
    pixels = pixels[pixels[:, 3] >= 128] if (pixels[:, 3] >= 128).any() else pixels
    red, green, blue = (pixels[:, :3].mean(axis=0) / 255 * material.colour).tolist()
    return red, green, blue


def _same(known: Any, ramp: list[float], texture: bpy.types.Image | None, material: Material) -> bool:
    before = arrays.of_property(known.get(RAMP))
    if RAMP not in known or len(before) != len(ramp) or not (before.tolist() == ramp or np.allclose(before, ramp)):
        return False
    images = {node.image for node in known.node_tree.nodes if node.bl_idname == PICTURE}
    return images == ({texture} if texture else set()) and all(known.get(name) == value for name, value in material.properties.items())


def _shade(tree: Any, material: Material, texture: bpy.types.Image | None) -> None:
    shader = next(node for node in tree.nodes if node.bl_idname == PRINCIPLED)
    inputs: Any = shader.inputs
    inputs["Roughness"].default_value = 1.0
    inputs["Specular IOR Level"].default_value = 0.0
    if material.alpha < 1:  # every value that is set makes Blender look through the whole tree
        inputs["Alpha"].default_value = material.alpha
    colour = (*linear(material.colour), 1.0)
    if _unlit(material):
        inputs["Base Color"].default_value = (0.0, 0.0, 0.0, 1.0)
        inputs["Emission Strength"].default_value = 1.0
    target = _coloured(tree, material)
    target.default_value = colour
    source = _product(tree, material, texture, colour)
    if source is not None:
        tree.links.new(source, target)
    if texture is not None and material.blend != "OPAQUE":
        alpha = next(node for node in tree.nodes if node.bl_idname == PICTURE).outputs["Alpha"]
        tree.links.new(_alpha(tree, alpha, material), inputs["Alpha"])
    if material.blend == "ADD":
        _add(tree, shader)


def _product(tree: Any, material: Material, texture: bpy.types.Image | None, colour: tuple[float, ...]) -> Any:
    """The texture times the corner colours times the plain colour; None where the plain colour is all."""
    sources: list[Any] = []
    if texture is not None and material.image is not None:
        node = tree.nodes.new("ShaderNodeTexImage")
        node.image, node.interpolation, node.location = texture, "Linear" if material.image.smooth else "Closest", (-600, 300)
        sources.append(node.outputs["Color"])
    if material.coloured:
        node = tree.nodes.new("ShaderNodeVertexColor")
        node.layer_name, node.location = COLOURS, (-600, 0)
        sources.append(node.outputs["Color"])
    if not sources:
        return None
    if any(part < 0.999 for part in colour):
        node = tree.nodes.new("ShaderNodeRGB")
        node.outputs[0].default_value, node.location = colour, (-600, -200)
        sources.append(node.outputs[0])
    while len(sources) > 1:
        node = tree.nodes.new("ShaderNodeMix")
        node.data_type, node.blend_type, node.location = "RGBA", "MULTIPLY", (-300, 200 * len(sources) - 400)
        colours = [socket for socket in node.inputs if socket.type == "RGBA"]
        node.inputs[0].default_value = 1.0
        for socket, source in zip(colours, (sources.pop(), sources.pop()), strict=True):
            tree.links.new(source, socket)
        sources.append(next(socket for socket in node.outputs if socket.type == "RGBA"))
    return sources[0]


def _alpha(tree: Any, alpha: Any, material: Material) -> Any:
    """The texture's alpha, cut at one half for CLIP, times the material's."""
    node = tree.nodes.new("ShaderNodeMath")
    node.location = (-300, -200)
    node.operation = "GREATER_THAN" if material.blend == "CLIP" else "MULTIPLY"
    node.inputs[1].default_value = 0.499 if material.blend == "CLIP" else material.alpha
    tree.links.new(alpha, node.inputs[0])
    return node.outputs[0]


def _add(tree: Any, shader: Any) -> None:
    """What is behind shows through wholly, and the material's light is added."""
    output = next(node for node in tree.nodes if node.bl_idname == OUTPUT)
    clear, light, both = (tree.nodes.new(f"ShaderNode{name}") for name in ("BsdfTransparent", "Emission", "AddShader"))
    emission = shader.inputs["Emission Color"]
    if emission.is_linked:
        tree.links.new(emission.links[0].from_socket, light.inputs["Color"])
    else:
        light.inputs["Color"].default_value = emission.default_value
    tree.links.new(clear.outputs[0], both.inputs[0])
    tree.links.new(light.outputs[0], both.inputs[1])
    tree.links.new(both.outputs[0], output.inputs["Surface"])
    tree.nodes.remove(shader)


def image(texture: Image) -> bpy.types.Image:
    """The texture packed into the .blend, or one of the same name and pixels that is there already."""
    known_images = new_objects.known()
    key = texture.name, texture.pixels.shape, texture.pixels.tobytes()
    if key not in known_images:
        known_images[key] = _image(texture)
    return known_images[key]


def _image(texture: Image) -> bpy.types.Image:
    height, width = texture.pixels.shape[:2]
    pixels = (texture.pixels[::-1].astype(np.float32) / 255).ravel()  # Blender's first row is the lowest
    name = labels.label(texture.name, "image", compat.NAME_LIMIT)
    known = bpy.data.images.get(name)
    if known is not None and known.library is None and tuple(known.size) == (width, height):
        present = np.empty(len(pixels), np.float32)
        known.pixels.foreach_get(present)
        if np.allclose(present, pixels, atol=1 / 512):
            return known
    created: Any = bpy.data.images.new(name, width, height, alpha=True)
    created.alpha_mode = "CHANNEL_PACKED"
    created.pixels.foreach_set(pixels)
    created.pack()
    created[NAME], created[PIXELS] = name, checksum(texture.pixels)
    return created
