"""The nodes that a material shows, found from its active output backwards: through reroutes and muted nodes, which change nothing."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import bpy

OUTPUT, PRINCIPLED, PICTURE, _REROUTE = "ShaderNodeOutputMaterial", "ShaderNodeBsdfPrincipled", "ShaderNodeTexImage", "NodeReroute"
"""Kinds of nodes, as `bl_idname` has them: asked for `type`, Blender 4.2 lists all kinds that there are, each time."""

CORNERS = ("VERTEX_COLOR", "ATTRIBUTE")
"""Nodes that give the colours of a mesh's corners."""

_COLOURS = {"EMISSION": "Color", "BSDF_DIFFUSE": "Color"}
"""Shaders that show nothing but one colour: the input with that."""

_COLOURED = ("SHADER", "RGBA")
"""Types of sockets that pass on what is seen, not what shapes or mixes it."""


def origin(socket: Any) -> Any:
    """The output socket that an input has its value from; None where it has its own."""
    passed: set[str] = set()
    while (link := next((each for each in socket.links if not each.is_muted), None)) is not None:
        output, node = link.from_socket, link.from_node
        if node.name in passed:
            return None
        passed.add(node.name)
        if node.bl_idname == _REROUTE:
            socket = node.inputs[0]
        elif node.mute:
            socket = next((inner.from_socket for inner in node.internal_links if inner.to_socket == output), None)
            if socket is None:
                return None
        else:
            return output
    return None


def nodes_of(material: bpy.types.Material) -> list[Any]:
    """All of them, shown or not."""
    tree: Any = material.node_tree
    return list(tree.nodes) if tree is not None else []


_known: ContextVar[dict[int, list[Any]] | None] = ContextVar("known", default=None)


@contextmanager
def unchanged() -> Generator[None]:
    """Inside, materials stay as they are, so that their nodes are looked through once."""
    token = _known.set({})
    try:
        yield
    finally:
        _known.reset(token)


def origins(material: bpy.types.Material) -> list[Any]:
    """The output sockets that it shows something of, each once: from its active output backwards, what is behind a node's first colour
    first."""
    known, number = _known.get(), material.session_uid
    if known is None:
        return _origins(material)
    if number not in known:
        known[number] = _origins(material)
    return known[number]


def _origins(material: bpy.types.Material) -> list[Any]:
    reached: dict[tuple[str, str], Any] = {}
    sockets = [each.inputs["Surface"] for each in nodes_of(material) if each.bl_idname == OUTPUT and each.is_active_output]
    while sockets:
        output = origin(sockets.pop())
        if output is None or (key := (output.node.name, output.identifier)) in reached:
            continue
        reached[key] = output
        linked = [socket for socket in output.node.inputs if socket.is_linked and socket.enabled]
        sockets += sorted(linked, key=lambda socket: socket.type not in _COLOURED)[::-1]
    return list(reached.values())


def node_behind(socket: Any) -> Any:
    """The node that an input has its value from; None where it has its own."""
    output = origin(socket)
    return output.node if output is not None else None


def surface(material: bpy.types.Material) -> Any:
    """The node whose shader it shows; None without one."""
    return next((output.node for output in origins(material)), None)


def principled(material: bpy.types.Material) -> Any:
    """The Principled BSDF that it shows, maybe among other shaders; None without one."""
    return next((output.node for output in origins(material) if output.node.bl_idname == PRINCIPLED), None)


def colour_input(shader: Any) -> Any:
    """The input with the colour of a shader that shows one colour alone; None of another kind."""
    name = _COLOURS.get(shader.type)
    return shader.inputs[name] if name is not None else None
