"""Two armatures as sticks, frame by frame, one above the other, in one picture."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import numpy as np

CELL = 260
_SIDES = {"left": (0.1, 0.35, 0.9), "right": (0.9, 0.2, 0.1), "": (0.15, 0.15, 0.15)}


def draw(rows: list[tuple[Any, dict[str, str]]], limbs: list[tuple[str, str]], frames: list[float], path: Path) -> None:
    """rows: armatures with role -> bone. limbs: roles to join. Left is blue, right is red. Each in its own size."""
    picture = np.ones((CELL * len(rows), CELL * len(frames), 3))
    for row, (obj, bones) in enumerate(rows):
        for column, frame in enumerate(frames):
            bpy.context.scene.frame_set(int(frame), subframe=frame - int(frame))
            shown = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
            positions = {role: np.array(shown.matrix_world @ shown.pose.bones[name].head) for role, name in bones.items()}
            cell = picture[row * CELL : (row + 1) * CELL, column * CELL : (column + 1) * CELL]
            _draw(cell, positions, limbs)
    path.parent.mkdir(parents=True, exist_ok=True)
    image: Any = bpy.data.images.new("picture", picture.shape[1], picture.shape[0])
    pixels = np.ones((*picture.shape[:2], 4), np.float32)
    pixels[..., :3] = picture[::-1]
    image.pixels.foreach_set(pixels.ravel())
    image.filepath_raw, image.file_format = str(path), "PNG"
    image.save()
    bpy.data.images.remove(image)


def _draw(cell: Any, positions: dict[str, Any], limbs: list[tuple[str, str]]) -> None:
    angle = 0.6
    across = np.array([np.cos(angle), np.sin(angle), 0.0])
    points = {
        role: np.array([position @ across, position[2] - 0.15 * (position @ [-np.sin(angle), np.cos(angle), 0.0])])
        for role, position in positions.items()
    }
    every = np.array(list(points.values()))
    middle, size = (every.max(axis=0) + every.min(axis=0)) / 2, float(np.ptp(every, axis=0).max()) * 1.15
    for one, other in limbs:
        if one in points and other in points:
            side = next((side for side in ("left", "right") if other.startswith(side)), "")
            ends = [(points[role] - middle) / size + 0.5 for role in (one, other)]
            for share in np.linspace(0, 1, 300):
                x, y = (ends[0] * (1 - share) + ends[1] * share) * CELL
                column, row = int(x), int(CELL - y)
                cell[max(row - 1, 0) : row + 2, max(column - 1, 0) : column + 2] = _SIDES[side]
    cell[:, :1] = cell[:1] = 0.8
