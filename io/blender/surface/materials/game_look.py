"""Materials as the game itself draws: light adds whole shades to a colour of its palette.

Only nodes that EEVEE and Cycles both have, and no lamps: the light is a direction, in one node group that all such materials share.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import bpy

from .....core.reporting import labels
from .....core.surface.mesh import LIGHT, SHADES, TWIN, GameLook
from ... import compat

LIGHT_GROUP = "Game Light"
"""Name of the node group that holds where the light comes from."""

LOOK_GROUP = "Game Look"
"""First part of the names of the node groups that look colours up, one for every palette."""

DIRECTION = "Direction"
"""Name of the node in the light's group, whose ball can be turned."""

SCREEN = (640.0, 480.0)
"""Pixels of the game's screen: how fine its patterns are."""

_TOWARDS_LIGHT = (-0.4387, -0.6355, 0.6355)
"""The light of the first game's inventory: SetLightVector(896, 950, 0), in Blender's axes."""

_GAMMA = 2.2

_SOCKETS = {
    "Colour": ("Float", 0.0),
    "Lit": ("Float", 0.0),
    "Dithered": ("Float", 0.0),
    "Screen Door": ("Float", 0.0),
    "Alpha": ("Float", 1.0),
    "Textured": ("Float", 0.0),
    "Texture": ("Color", (1.0, 1.0, 1.0, 1.0)),
    "Texture Alpha": ("Float", 1.0),
}
"""Inputs of the group: their kinds and what they are where a material says nothing."""


def add(tree: Any, look: GameLook, palette: bpy.types.Image) -> None:
    """Complete the tree of a material that is made for a renderer's light: with outputs of their own for EEVEE and Cycles, so that what
    goes to other programs stays the material without the look."""
    group = tree.nodes.new("ShaderNodeGroup")
    group.node_tree, group.location = _look_group(palette), (0, 700)
    values = {"Colour": look.colour, "Lit": look.lit, "Dithered": look.dithered, "Screen Door": look.screen_door, "Alpha": look.alpha}
    texture = next((node for node in tree.nodes if node.type == "TEX_IMAGE"), None)
    if texture is not None:
        values["Textured"] = 1.0
        tree.links.new(texture.outputs["Color"], group.inputs["Texture"])
        tree.links.new(texture.outputs["Alpha"], group.inputs["Texture Alpha"])
    for name, value in values.items():
        group.inputs[name].default_value = float(value)
    general = next(node for node in tree.nodes if node.type == "OUTPUT_MATERIAL")
    for height, target in enumerate(("EEVEE", "CYCLES")):
        output = tree.nodes.new("ShaderNodeOutputMaterial")
        output.target, output.location, output.is_active_output = target, (300, 800 - 200 * height), False
        tree.links.new(group.outputs[0], output.inputs["Surface"])
    general.is_active_output = True


def recolour(tree: Any, look: GameLook) -> None:
    """Give the copy of a material another colour."""
    group = next(node for node in tree.nodes if node.type == "GROUP")
    group.inputs["Colour"].default_value = float(look.colour)


class _Nodes:
    """Puts nodes of calculations into the tree of a group, one beside another."""

    def __init__(self, tree: Any) -> None:
        self.tree = tree
        self.inputs, self.output = tree.nodes.new("NodeGroupInput"), tree.nodes.new("NodeGroupOutput")

    def new(self, kind: str, **properties: Any) -> Any:
        node = self.tree.nodes.new(f"ShaderNode{kind}")
        node.location = (180 * len(self.tree.nodes), -160 * (len(self.tree.nodes) % 3))
        for name, value in properties.items():
            setattr(node, name, value)
        self.output.location = (node.location[0] + 400, 0)
        return node

    def math(self, operation: str, *values: Any) -> Any:
        """The result of an operation on sockets and numbers."""
        node = self.new("Math", operation=operation)
        self.fill(zip(node.inputs, values, strict=False))
        return node.outputs[0]

    def vector(self, operation: str, *values: Any) -> Any:
        node = self.new("VectorMath", operation=operation)
        self.fill(zip(node.inputs, values, strict=False))
        return node.outputs["Value" if operation in ("LENGTH", "DOT_PRODUCT") else "Vector"]

    def mix(self, factor: Any, *values: Any) -> Any:
        """A colour between two."""
        node = self.new("Mix", data_type="RGBA")
        self.fill(zip((node.inputs[0], *(socket for socket in node.inputs if socket.type == "RGBA")), (factor, *values), strict=True))
        return next(socket for socket in node.outputs if socket.type == "RGBA")

    def fill(self, pairs: Iterable[tuple[Any, Any]]) -> None:
        """Inputs with what goes into them: sockets, or values of their own."""
        for socket, value in pairs:
            if isinstance(value, bpy.types.NodeSocket):
                self.tree.links.new(value, socket)
            else:
                socket.default_value = value


def _light_group() -> bpy.types.NodeTree:
    """Cosine of the angle between the surface and the light, 0 where it looks away. The group that is there already, as it was turned."""
    known = bpy.data.node_groups.get(LIGHT_GROUP)
    if known is not None and known.library is None:
        return known
    tree: Any = bpy.data.node_groups.new(LIGHT_GROUP, "ShaderNodeTree")
    tree.interface.new_socket("Light", in_out="OUTPUT", socket_type="NodeSocketFloat")
    nodes = _Nodes(tree)
    ball, geometry = nodes.new("Normal", name=DIRECTION, label="Light From"), nodes.new("NewGeometry")
    ball.outputs["Normal"].default_value = _TOWARDS_LIGHT
    side = nodes.math("MULTIPLY_ADD", geometry.outputs["Backfacing"], -2.0, 1.0)  # renderers show the normal of the side that is seen
    nodes.fill([(ball.inputs["Normal"], geometry.outputs["Normal"])])
    nodes.fill([(nodes.output.inputs["Light"], nodes.math("MAXIMUM", nodes.math("MULTIPLY", ball.outputs["Dot"], side), 0.0))])
    return tree


def _look_group(palette: bpy.types.Image) -> bpy.types.NodeTree:
    """The calculation, with one palette."""
    name = labels.label(f"{LOOK_GROUP} {palette.name}", LOOK_GROUP, compat.NAME_LIMIT)
    known: Any = bpy.data.node_groups.get(name)
    if known is not None and known.library is None and any(getattr(node, "image", None) == palette for node in known.nodes):
        return known
    tree: Any = bpy.data.node_groups.new(name, "ShaderNodeTree")
    for socket, (kind, value) in _SOCKETS.items():
        tree.interface.new_socket(socket, in_out="INPUT", socket_type=f"NodeSocket{kind}").default_value = value
    tree.interface.new_socket("Surface", in_out="OUTPUT", socket_type="NodeSocketShader")
    nodes = _Nodes(tree)
    given = nodes.inputs.outputs
    pixel = nodes.vector("FLOOR", nodes.vector("MULTIPLY", nodes.new("TexCoord").outputs["Window"], (*SCREEN, 0.0)))
    shades = _shades(nodes, given, pixel)
    drawn = _of_palette(nodes, palette, nodes.math("ADD", given["Colour"], shades))
    colour = nodes.mix(given["Textured"], drawn, _of_texture(nodes, given, shades))
    emission, surface = nodes.new("Emission"), nodes.new("MixShader")
    nodes.fill([(emission.inputs["Color"], colour)])
    shaders = (nodes.new("BsdfTransparent").outputs[0], emission.outputs[0])
    nodes.fill(zip(surface.inputs, (_opacity(nodes, given, pixel), *shaders), strict=True))
    nodes.fill([(nodes.output.inputs["Surface"], surface.outputs[0])])
    return tree


def _shades(nodes: _Nodes, given: Any, pixel: Any) -> Any:
    """Whole shades that the light adds. What is dithered takes the next one at as many pixels as its fraction says."""
    light = nodes.new("Group", node_tree=_light_group()).outputs["Light"]
    strength = nodes.vector("LENGTH", nodes.new("Attribute", attribute_name=LIGHT).outputs["Vector"])
    noise = nodes.new("TexWhiteNoise", noise_dimensions="2D")
    nodes.fill([(noise.inputs["Vector"], pixel)])
    shade = nodes.math("MULTIPLY", nodes.math("MULTIPLY", light, strength), given["Lit"])
    shade = nodes.math("ADD", shade, nodes.math("MULTIPLY", noise.outputs["Value"], given["Dithered"]))
    return nodes.math("MINIMUM", nodes.math("FLOOR", shade), SHADES - 1.0)


def _of_palette(nodes: _Nodes, palette: Any, index: Any) -> Any:
    texel, lookup = nodes.new("CombineXYZ"), nodes.new("TexImage", image=palette, interpolation="Closest", extension="EXTEND")
    across = nodes.math("MULTIPLY", nodes.math("ADD", index, 0.5), 1 / palette.size[0])
    nodes.fill([(texel.inputs["X"], across), (texel.inputs["Y"], 0.5), (lookup.inputs["Vector"], texel.outputs[0])])
    return lookup.outputs["Color"]


def _of_texture(nodes: _Nodes, given: Any, shades: Any) -> Any:
    """A texture is darkened as displayed, in proportion to the shades: the game's own table for that is not read."""
    share = nodes.math("POWER", nodes.math("DIVIDE", shades, SHADES - 1.0), _GAMMA)
    share = nodes.math("MAXIMUM", share, nodes.math("SUBTRACT", 1.0, given["Lit"]))
    return nodes.mix(share, (0.0, 0.0, 0.0, 1.0), given["Texture"])


def _opacity(nodes: _Nodes, given: Any, pixel: Any) -> Any:
    """Nothing of faces that look away, nor of every other pixel of a screen-door. Of two faces back to back Cycles finds either one."""
    hidden = nodes.math("MULTIPLY", nodes.math("MODULO", nodes.vector("DOT_PRODUCT", pixel, (1.0, 1.0, 0.0)), 2.0), given["Screen Door"])
    twin = nodes.new("Attribute", attribute_name=TWIN).outputs["Fac"]
    front = nodes.math("MAXIMUM", nodes.math("SUBTRACT", 1.0, nodes.new("NewGeometry").outputs["Backfacing"]), twin)
    own = nodes.math("MULTIPLY", given["Alpha"], given["Texture Alpha"])
    return nodes.math("MULTIPLY", nodes.math("MULTIPLY", front, own), nodes.math("SUBTRACT", 1.0, hidden))
