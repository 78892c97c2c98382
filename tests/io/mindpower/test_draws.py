"""Triangles that the game does not draw, or draws in several parts: marked, and named where a mesh that is written anew draws them once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import bmesh
import bpy
import numpy as np
import pytest
from support.mindpower import mindpower_files

Part = Callable[[str], ModuleType]
OPS: Any = bpy.ops


class Square:
    """Two triangles in parts of `subsets`, each of as many triangles from one on."""

    def __init__(self, part: Part, folder: Path, subsets: list[tuple[int, int]], **changes: Any) -> None:
        self.part, self.folder = part, folder
        square = self.read(mindpower_files.lgo())
        rows = np.repeat(square.mesh.subsets, len(subsets))
        rows["primitive_count"], rows["start_index"] = [count for count, _ in subsets], [3 * first for _, first in subsets]
        self.path = folder / "square.lgo"
        self.path.write_bytes(replace(square, mesh=replace(square.mesh, subsets=rows, **changes)).pack())
        build = part("io.mindpower.build")
        with part("core.reporting.log").collect() as said:
            (self.mesh,) = build.import_mindpower(bpy.context, build.ImportOptions((str(self.path),))).meshes
        self.said = said.digest("WARNING")

    def read(self, data: bytes) -> Any:
        return self.part("core.mindpower.files.mesh.lgo").Lgo.parse(data)

    def split(self) -> None:
        """An edge of the first triangle, so that there are three triangles."""
        work = bmesh.new()
        work.from_mesh(self.mesh.data)
        work.faces.ensure_lookup_table()
        (edge,) = [edge for edge in work.faces[0].edges if len(edge.link_faces) == 1][:1]
        bmesh.ops.subdivide_edges(work, edges=[edge], cuts=1)
        work.to_mesh(self.mesh.data)

    def write(self) -> tuple[list[str], bytes]:
        export = self.part("io.mindpower.write")
        with self.part("core.reporting.log").collect() as said:
            (path,) = export.export_mindpower(bpy.context, export.ExportOptions(str(self.folder / "written.lgo"))).paths
        return [line for line in said.digest("WARNING") if "drawn" in line], Path(path).read_bytes()


def marked(square: Square, name: str) -> list[bool]:
    values: Any = square.mesh.data.attributes[name]
    assert (values.data_type, values.domain) == ("BOOLEAN", "FACE")
    return [each.value for each in values.data]


def test_a_triangle_in_no_part(part: Part, tmp_path: Path) -> None:
    square = Square(part, tmp_path, [(1, 1)])
    assert marked(square, "mindpower_undrawn") == [True, False]
    assert any("1 triangle in no part of the mesh" in line and "delete it" in line for line in square.said)
    assert square.write() == ([], square.path.read_bytes())
    square.mesh.data.vertices[0].co.x += 0.05
    lines, data = square.write()
    assert (lines, square.read(data).mesh.draws.tolist()) == ([], [0, 1])
    square.split()
    (line,), data = square.write()
    assert "2 triangles that the game did not draw are drawn now: delete them first" in line
    assert square.read(data).mesh.draws.tolist() == [1, 1, 1]


def test_selected_as_is_said_and_deleted(part: Part, tmp_path: Path) -> None:
    square = Square(part, tmp_path, [(1, 1)])
    square.split()
    data: Any = square.mesh.data
    bpy.context.view_layer.objects.active = square.mesh
    OPS.object.mode_set(mode="EDIT")
    data.attributes.active = data.attributes["mindpower_undrawn"]
    OPS.mesh.select_mode(type="FACE")
    OPS.mesh.select_all(action="DESELECT")
    OPS.mesh.select_by_attribute()
    OPS.mesh.delete(type="FACE")
    OPS.object.mode_set(mode="OBJECT")
    lines, written = square.write()
    assert (lines, square.read(written).mesh.draws.tolist()) == ([], [1])


def test_a_triangle_in_two_parts(part: Part, tmp_path: Path) -> None:
    square = Square(part, tmp_path, [(2, 0), (1, 1)])
    assert marked(square, "mindpower_drawn_again") == [False, True]
    assert any("1 triangle in several parts of the mesh" in line and "duplicate it" in line for line in square.said)
    square.split()
    (line,), _ = square.write()
    assert "1 triangle that the game drew in several parts is drawn once now: duplicate it" in line
    work, marks = bmesh.new(), marked(square, "mindpower_drawn_again")
    work.from_mesh(square.mesh.data)
    bmesh.ops.duplicate(work, geom=[face for face, again in zip(work.faces, marks, strict=True) if again])
    work.to_mesh(square.mesh.data)
    assert square.write()[0] == []


def test_one_that_nobody_sees_is_not_drawn_anew(part: Part, tmp_path: Path) -> None:
    """A triangle in no part, with a vertex twice, so that Blender does not hold it."""
    square = Square(part, tmp_path, [(1, 1)], indices=np.array([0, 0, 1, 0, 3, 2], "<u4"))
    square.split()
    lines, data = square.write()
    assert (lines, square.read(data).mesh.draws.tolist()) == ([], [1, 1])


@pytest.mark.parametrize("drawn", [True, False])
def test_vertices_of_what_is_not_drawn_are_nowhere_else(part: Part, tmp_path: Path, drawn: bool) -> None:
    """The last vertex, of the second triangle alone, has a weight of a half."""
    blend = Square(part, tmp_path, [(2, 0)]).read(mindpower_files.lgo()).mesh.blend.copy()
    blend["weight"][3, 0] = 0.5
    square = Square(part, tmp_path, [(2 if drawn else 1, 0)], blend=blend)
    assert any("sum to 1" in line for line in square.said) == drawn
