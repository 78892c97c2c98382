"""Whether a material shows its picture as a game draws it: by its UV map, times the colours of the corners at most."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import bpy
import numpy as np

from .images import image_of, shows_picture
from .materials import RAMP
from .plain_colour import is_unlit
from .shown_nodes import CORNERS, colour_input, node_behind, origin, principled, surface

_WHOLE = 0.999
"""From which on a factor, or a part of a colour, counts as 1."""


OPAQUE = 0.995
"""From which alpha on a material is wholly opaque."""


def is_altered(material: bpy.types.Material, drawn: str) -> bool:
    """Whether nodes make other colours of its picture, or lay it elsewhere, or show something else. False where it has none, or none of
    whose colours are linked to anything. drawn: the name of the UV map by which the game draws it."""
    shader = surface(material)
    if image_of(material) is None or not shows_picture(material):
        return False
    nodes = [shader] if shader is not None else []
    for node in nodes:
        if node.type == "TEX_IMAGE":
            if _lies_elsewhere(node, drawn):
                return True
        elif node.type not in CORNERS and not _is_own(node, material):
            sockets = _passed(node, material)
            if sockets is None:
                return True
            nodes += [each for each in _sources(sockets) if each not in nodes]
    return not any(node.type == "TEX_IMAGE" for node in nodes)


def shown_alpha(material: bpy.types.Material) -> float | None:
    """How opaque it is as a whole, also where the alpha of its picture is multiplied by that; None where other nodes say it."""
    shader = principled(material)
    if shader is None:
        return None
    source = node_behind(shader.inputs["Alpha"])
    if source is None:
        return float(shader.inputs["Alpha"].default_value)
    is_product = source.type == "MATH" and source.operation == "MULTIPLY" and not source.inputs[1].is_linked
    return float(source.inputs[1].default_value) if is_product else None


def _sources(sockets: Sequence[Any]) -> list[Any]:
    return [node for node in map(node_behind, sockets) if node is not None]


def _passed(node: Any, material: bpy.types.Material) -> Sequence[Any] | None:
    """The sockets of what a node shows, or multiplies; None of a node that does anything else."""
    if node.type == "BSDF_PRINCIPLED":
        return [node.inputs["Emission Color" if is_unlit(material) else "Base Color"]]
    if (colour := colour_input(node)) is not None:
        return [colour]
    if node.type in ("ADD_SHADER", "MIX_SHADER"):
        return _beside_clear(node)
    is_mix = node.type == "MIX_RGB" or (node.type == "MIX" and node.data_type == "RGBA")
    if not is_mix or node.blend_type != "MULTIPLY" or node.inputs[0].is_linked or node.inputs[0].default_value < _WHOLE:
        return None
    colours = [socket for socket in node.inputs if socket.type == "RGBA"]
    tinted = [socket for socket in colours if origin(socket) is None and min(socket.default_value[:3]) < _WHOLE]
    return None if tinted else colours


def _is_own(node: Any, material: bpy.types.Material) -> bool:
    """Whether it is the colour by which a file itself multiplies the picture, which an import leaves in the shader's input, too."""
    shader = principled(material)
    if node.type != "RGB" or RAMP not in material:
        return False
    inputs = [] if shader is None else [shader.inputs[name].default_value for name in ("Base Color", "Emission Color")]
    return shader is None or any(np.allclose(node.outputs[0].default_value, each, atol=1e-4) for each in inputs)


def _beside_clear(node: Any) -> Sequence[Any] | None:
    """The input of a sum or a mixture of shaders beside a transparent one, as pictures with holes have it: mixed by the picture's alpha."""
    shaders = [socket for socket in node.inputs if socket.type == "SHADER"]
    others = [socket for socket in shaders if (source := node_behind(socket)) is not None and source.type != "BSDF_TRANSPARENT"]
    if len(others) != 1:
        return None
    share = origin(node.inputs[0]) if node.type == "MIX_SHADER" else None
    by_alpha = share is not None and share.node.type == "TEX_IMAGE" and share.name == "Alpha"
    return others if node.type == "ADD_SHADER" or by_alpha else None


def _lies_elsewhere(node: Any, drawn: str) -> bool:
    """Of a node with a picture."""
    output = origin(node.inputs["Vector"])
    while output is not None and output.node.type == "MAPPING" and _is_same(output.node):
        output = origin(output.node.inputs["Vector"])
        if output is None:
            return True
    if output is None:
        return False
    source = output.node
    if source.type == "UVMAP":
        return source.uv_map not in ("", drawn)
    if source.type == "ATTRIBUTE":
        return (source.attribute_type, source.attribute_name, output.name) != ("GEOMETRY", drawn, "Vector")
    return not (source.type == "TEX_COORD" and output.name == "UV")


def _is_same(mapping: Any) -> bool:
    """Whether a Mapping node gives what it gets."""
    if mapping.vector_type == "NORMAL":
        return False
    wanted = {"Location": 0.0, "Rotation": 0.0, "Scale": 1.0}
    sockets = [socket for socket in mapping.inputs if socket.name in wanted and socket.enabled]
    return all(origin(each) is None and all(abs(part - wanted[each.name]) < 1e-6 for part in each.default_value) for each in sockets)
