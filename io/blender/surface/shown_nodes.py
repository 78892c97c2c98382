"""The nodes that a material shows, found from its active output backwards: through reroutes and muted nodes, which change nothing."""

from __future__ import annotations

from typing import Any

import bpy

CORNERS = ("VERTEX_COLOR", "ATTRIBUTE")
"""Nodes that give the colours of a mesh's corners."""

_COLOURS = {"EMISSION": "Color", "BSDF_DIFFUSE": "Color"}
"""Shaders that show nothing but one colour: the input with that."""


def origin(socket: Any) -> Any:
    """The output socket that an input has its value from; None where it has its own."""
    passed: set[str] = set()
    while (link := next((each for each in socket.links if not each.is_muted), None)) is not None:
        output, node = link.from_socket, link.from_node
        if node.name in passed:
            return None
        passed.add(node.name)
        if node.type == "REROUTE":
            socket = node.inputs[0]
        elif node.mute:
            socket = next((inner.from_socket for inner in node.internal_links if inner.to_socket == output), None)
            if socket is None:
                return None
        else:
            return output
    return None


def node_behind(socket: Any) -> Any:
    """The node that an input has its value from; None where it has its own."""
    output = origin(socket)
    return output.node if output is not None else None


def surface(material: bpy.types.Material) -> Any:
    """The node whose shader it shows; None without one."""
    tree: Any = material.node_tree
    outputs = [node for node in tree.nodes if node.type == "OUTPUT_MATERIAL" and node.is_active_output] if tree is not None else []
    return next((node for each in outputs if (node := node_behind(each.inputs["Surface"])) is not None), None)


def colour_input(shader: Any) -> Any:
    """The input with the colour of a shader that shows one colour alone; None of another kind."""
    name = _COLOURS.get(shader.type)
    return shader.inputs[name] if name is not None else None
