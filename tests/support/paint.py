"""Materials of one's own: a plain colour, or a picture."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np


def paint(name: str, colour: tuple[float, float, float] = (0.8, 0.8, 0.8), picture: np.ndarray | None = None) -> Any:
    """colour: linear. picture: (H, W, 4), 0 to 1 as displayed, the lowest row first."""
    material: Any = bpy.data.materials.new(name)
    if material.node_tree is None:
        material.use_nodes = True
    tree = material.node_tree
    shader = next(node for node in tree.nodes if node.type == "BSDF_PRINCIPLED")
    shader.inputs["Base Color"].default_value = (*colour, 1)
    if picture is not None:
        image: Any = bpy.data.images.new(name, picture.shape[1], picture.shape[0], alpha=True)
        image.pixels.foreach_set(picture.astype(np.float32).ravel())
        node = tree.nodes.new("ShaderNodeTexImage")
        node.image = image
        tree.links.new(node.outputs["Color"], shader.inputs["Base Color"])
    return material
