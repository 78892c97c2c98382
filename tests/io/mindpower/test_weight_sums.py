"""Weights that do not sum to 1, which the game uses as they are and Blender scales: named, kept in the file, and mended as is said."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from support.mindpower import mindpower_files

Part = Callable[[str], ModuleType]
SUMS = (1, 0.25, 1.5, 1)
OPS: Any = bpy.ops
"""The stubs do not know what an operator takes."""


def test_what_is_said_is_seen_and_helps(part: Part, tmp_path: Path) -> None:
    lgo, log = part("core.mindpower.files.mesh.lgo").Lgo, part("core.reporting.log")
    square = lgo.parse(mindpower_files.lgo())
    blend = square.mesh.blend.copy()
    blend["weight"][:, 0] = SUMS
    path = tmp_path / "square.lgo"
    path.write_bytes(replace(square, mesh=replace(square.mesh, blend=blend)).pack())
    build, export = part("io.mindpower.build"), part("io.mindpower.write")
    with log.collect() as said:
        (mesh,) = build.import_mindpower(bpy.context, build.ImportOptions((str(path),))).meshes
    (line,) = [text for text in said.digest("WARNING") if "sum to 1" in text]
    bpy.context.view_layer.update()
    evaluated = mesh.evaluated_get(bpy.context.evaluated_depsgraph_get())
    shown = np.array([mesh.matrix_world @ vertex.co for vertex in evaluated.data.vertices])
    game = square.mesh.positions * np.array(SUMS)[:, None] * (1, -1, 1)
    assert f"{np.linalg.norm(shown - game, axis=1).max():.0%}" in line
    written = export.export_mindpower(bpy.context, export.ExportOptions(str(tmp_path / "kept.lgo"))).paths
    assert Path(written[0]).read_bytes() == path.read_bytes()
    bpy.context.view_layer.objects.active = mesh
    OPS.object.mode_set(mode="WEIGHT_PAINT")
    OPS.object.vertex_group_normalize_all(lock_active=False)
    OPS.object.mode_set(mode="OBJECT")
    written = export.export_mindpower(bpy.context, export.ExportOptions(str(tmp_path / "mended.lgo"))).paths
    mended = lgo.parse(Path(written[0]).read_bytes()).mesh
    assert mended.blend["weight"].sum(axis=1) == pytest.approx(1)
