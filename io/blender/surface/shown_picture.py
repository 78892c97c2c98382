"""Whether a material shows its picture as a game draws it: by its UV map, times the colours of the corners at most."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import bpy

from .plain_colour import is_unlit, shader_of

_CORNERS = ("VERTEX_COLOR", "ATTRIBUTE")
"""Nodes that give the colours of a mesh's corners."""

_WHOLE = 0.999
"""From which on a factor, or a part of a colour, counts as 1."""


def is_altered(material: bpy.types.Material, drawn: str) -> bool:
    """Whether nodes make other colours of its picture, or lay it elsewhere. drawn: the name of the UV map by which the game draws it."""
    shader = shader_of(material)
    if shader is None:
        return False
    nodes = _sources([shader.inputs["Emission Color" if is_unlit(material) else "Base Color"]])
    for node in nodes:
        if node.type == "TEX_IMAGE":
            if _lies_elsewhere(node, drawn):
                return True
        elif node.type not in _CORNERS:
            sockets = _passed(node)
            if sockets is None:
                return True
            nodes += [each for each in _sources(sockets) if each not in nodes]
    return False


def shown_alpha(material: bpy.types.Material) -> float | None:
    """How opaque it is as a whole, also where the alpha of its picture is multiplied by that; None where other nodes say it."""
    shader = shader_of(material)
    if shader is None:
        return None
    (source,) = _sources([shader.inputs["Alpha"]]) or [None]
    if source is None:
        return float(shader.inputs["Alpha"].default_value)
    is_product = source.type == "MATH" and source.operation == "MULTIPLY" and not source.inputs[1].is_linked
    return float(source.inputs[1].default_value) if is_product else None


def _sources(sockets: Sequence[Any]) -> list[Any]:
    return [socket.links[0].from_node for socket in sockets if socket.links]


def _passed(node: Any) -> Sequence[Any] | None:
    """The sockets of what a node multiplies, or hands on; None of a node that does anything else."""
    if node.type == "REROUTE":
        return list(node.inputs)
    is_mix = node.type == "MIX_RGB" or (node.type == "MIX" and node.data_type == "RGBA")
    if not is_mix or node.blend_type != "MULTIPLY" or node.inputs[0].is_linked or node.inputs[0].default_value < _WHOLE:
        return None
    colours = [socket for socket in node.inputs if socket.type == "RGBA"]
    tinted = [socket for socket in colours if not socket.is_linked and min(socket.default_value[:3]) < _WHOLE]
    return None if tinted else colours


def _lies_elsewhere(node: Any, drawn: str) -> bool:
    links = node.inputs["Vector"].links
    if not links:
        return False
    source = links[0].from_node
    if source.type == "UVMAP":
        return source.uv_map not in ("", drawn)
    return not (source.type == "TEX_COORD" and links[0].from_socket.name == "UV")
