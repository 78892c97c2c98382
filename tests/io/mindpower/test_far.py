"""A character of Tales of Pirates far from the origin: as exact as Blender's numbers are there, and no more is promised."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import bpy
import numpy as np
import pytest
from support.mindpower import mindpower_files
from support.mindpower.mindpower_files import IDENTITY, moved, product, worlds

FRAMES = 20


def far_arm(distance: float) -> bytes:
    """Two bones that turn, the first one `distance` along x at rest and in all frames."""
    angles = np.linspace(0.0, 2.0, FRAMES)
    still = np.zeros(FRAMES)
    rotated = np.stack([still, np.sin(angles / 2), still, np.cos(angles / 2)], axis=1).tolist()
    more = np.stack([np.sin(angles), still, still, np.cos(angles)], axis=1).tolist()
    binds = [moved(-distance, 0, -1), moved(-distance - 1, 0, -1)]
    return mindpower_files.lab([-1, 0], [[(distance, 0, 1)] * FRAMES, [(1, 0, 0)] * FRAMES], [rotated, more], binds)


@pytest.mark.parametrize("distance", [0.0, 480.0, 5000.0])
def test_as_near_as_the_distance_allows(part: Callable[[str], ModuleType], tmp_path: Path, distance: float) -> None:
    data = far_arm(distance)
    (tmp_path / "arm.lab").write_bytes(data)
    mesh = mindpower_files.lgo()
    near = b"".join(struct.pack("<3f", *corner) for corner in ((0, 0, 0), (1, 0, 0), (1, 0, 1), (0, 0, 1)))
    corners = [(x + distance, 0.0, z) for x, z in ((0, 0), (1, 0), (1, 1), (0, 1))]
    (tmp_path / "arm.lgo").write_bytes(mesh.replace(near, b"".join(struct.pack("<3f", *corner) for corner in corners)))
    mindpower, log = part("io.mindpower.build"), part("core.reporting.log")
    paths = (str(tmp_path / "arm.lab"),)
    with log.collect() as said:
        options = mindpower.ImportOptions(paths, meshes=(str(tmp_path / "arm.lgo"),), fps_mode="SET", frame_start=0)
        (obj,) = mindpower.import_mindpower(bpy.context, options).meshes
    worst = 0.0
    for frame in range(FRAMES):
        bpy.context.scene.frame_set(frame)
        shown = obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh()
        for corner, bone, vertex in zip(corners, (0, 1, 1, 0), shown.vertices, strict=True):
            skin = product([*IDENTITY[:3], [-distance - bone, 0, -1, 1]], worlds(data, frame)[bone])
            x, y, z = (sum([*corner, 1.0][row] * skin[row][column] for row in range(4)) for column in range(3))
            worst = max(worst, float(np.linalg.norm(np.array(vertex.co) - (x, -y, z))))
    assert worst < max(1e-5, 1e-6 * distance)
    reports = [line for line in said.digest("WARNING") if "from the origin" in line]
    assert len(reports) == (distance > 0)
    if reports:
        assert worst < 5e-7 * distance
