"""A body of one of the two games as one of the other: its numbers mean other colours and polygon types there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest

OPS: Any = bpy.ops
DATA: Any = bpy.data
Part = Callable[[str], ModuleType]
SAMPLES = Path(__file__).resolve().parents[4] / "samples"


def shown(obj: Any) -> dict[tuple[float, ...], np.ndarray]:
    """By the middle of each face, from the lowest point of all and in shares of the height, its plain colour as displayed; of a picture
    none."""
    points, rows = [], []
    for mesh in (each for each in DATA.objects if each.type == "MESH" and each.find_armature() == obj):
        where = np.array([mesh.matrix_world @ vertex.co for vertex in mesh.data.vertices]) - np.array(obj.matrix_world.translation)
        points.append(where)
        for face in mesh.data.polygons:
            tree: Any = mesh.data.materials[face.material_index].node_tree
            inputs = next(node for node in tree.nodes if node.type == "BSDF_PRINCIPLED").inputs
            base, emitted = (np.array(inputs[name].default_value[:3]) for name in ("Base Color", "Emission Color"))
            if not inputs["Base Color"].links and not inputs["Emission Color"].links:
                rows.append((where[list(face.vertices)].mean(axis=0), base if base.any() else emitted))
    high = np.ptp(np.concatenate(points)[:, 2])
    return {tuple(np.round(middle / high, 2).tolist()): colour ** (1 / 2.2) for middle, colour in rows}


@pytest.mark.parametrize(("game", "other"), [("lba1", "lba2"), ("lba2", "lba1")])
def test_colours_are_as_they_look(game: str, other: str) -> None:
    OPS.import_anim.lba(filepath=str(SAMPLES / game / "ANIM.HQR"), entities="0")
    before = shown(bpy.context.object)
    assert OPS.retro_anim.lba_make(game=other, height=1240, palette=str(SAMPLES / other / "RESS.HQR")) == {"FINISHED"}
    after = shown(bpy.context.object)
    both = before.keys() & after.keys()
    assert len(both) > 0.8 * len(before)
    away = np.array([np.abs(before[key] - after[key]).max() for key in both])
    assert np.median(away) < 0.05 and (away < 0.15).mean() > 0.97
