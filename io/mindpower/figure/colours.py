"""Which colours of a mesh's corners go into the game: those that its materials show."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ....core.reporting import log
from ...blender.arrays import values_of
from ...blender.surface.materials.materials import COLOURS
from ...blender.surface.materials.painted import painted
from ...blender.surface.skinned import used_slots
from .mesh_materials import materials_of


@dataclass(frozen=True, eq=False)
class Colours:
    """layer: the colour attribute. white: the slots whose material does not show it."""

    layer: Any
    white: tuple[int, ...] = ()


def colours_of(obj: bpy.types.Object, had: bool | None) -> Colours | None:
    """The colours that are written. had: whether the mesh of the file has some, None for a mesh of no file.

    The game draws the colours of every mesh that has them, Blender those alone that a material asks for; so a mesh that came without any
    gets none that no material shows, which is said."""
    data: Any = obj.data
    layers = data.color_attributes
    if had and COLOURS in layers:
        return Colours(layers[COLOURS])
    if not len(layers):
        return None
    shown = [set(_shown(material, layers)) for material in materials_of(obj)]
    used = used_slots(data)
    name = next((layer.name for layer in layers if any(layer.name in shown[slot] for slot in used if slot < len(shown))), "")
    if name:
        return Colours(layers[name], tuple(slot for slot in sorted(used) if slot >= len(shown) or name not in shown[slot]))
    active = layers.get(COLOURS) or layers.active_color
    if had is not False:
        return None if active is None else Colours(active)
    if not (names := [layer.name for layer in painted(data)]):
        return None
    log.warning(
        f"{', '.join(names)}: no material shows these colours, which the game would draw, so they are left "
        "out: multiply the picture by a Color Attribute node in the material, to have them written"
    )
    return None


def corner_colours(data: bpy.types.Mesh, chosen: Colours | None) -> NDArray[np.uint8] | None:
    """(C, 4) blue, green, red, alpha."""
    if chosen is None or chosen.layer.domain not in ("CORNER", "POINT"):
        return None
    values = values_of(chosen.layer.data, "color_srgb", np.float32, 4)
    if chosen.layer.domain == "POINT":
        values = values[values_of(data.loops, "vertex_index", np.int32)]
    if chosen.white:
        counts = values_of(data.polygons, "loop_total", np.int32)
        values[np.repeat(np.isin(values_of(data.polygons, "material_index", np.int32), chosen.white), counts)] = 1
    return np.round(np.clip(values, 0, 1) * 255).astype(np.uint8)[:, [2, 1, 0, 3]]


def _shown(material: bpy.types.Material | None, layers: Any) -> Iterator[str]:
    """The names of the colour attributes whose nodes lead anywhere."""
    for node in _nodes(material.node_tree) if material is not None else ():
        if not any(socket.is_linked for socket in node.outputs):
            continue
        if node.type == "VERTEX_COLOR":
            default = layers[layers.render_color_index].name if 0 <= layers.render_color_index < len(layers) else ""
            yield node.layer_name or default
        elif node.type == "ATTRIBUTE" and node.attribute_type == "GEOMETRY":
            yield node.attribute_name


def _nodes(tree: Any) -> Iterator[Any]:
    """Also those within groups, of each group once: one in one in one, each twice, is no end of nodes."""
    trees = [tree] if tree is not None else []
    for each in trees:
        for node in each.nodes:
            yield node
            if node.type == "GROUP" and node.node_tree is not None and node.node_tree not in trees:
                trees.append(node.node_tree)
