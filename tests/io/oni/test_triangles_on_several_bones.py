"""Oni moves each triangle with one bone: one whose corners hang on several is named before it is written, and what is advised ends that."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
from support.sample_characters import opened

OPS: Any = bpy.ops
Part = Callable[[str], ModuleType]


def said(part: Part, obj: Any) -> list[str]:
    bpy.context.view_layer.objects.active = obj
    with part("core.reporting.log").collect() as log:
        part("io.pipeline.out_of_blender.character").save_character(bpy.context, obj)
    return [message.text for message in log.of("WARNING") if "several bones" in message.text]


def moved_to(mesh: Any, vertices: list[int], bone: str) -> None:
    for group in mesh.vertex_groups:
        group.remove(vertices)
    mesh.vertex_groups[bone].add(vertices, 1, "REPLACE")


def test_a_corner_that_hangs_on_another_bone(part: Part, tmp_path: Path) -> None:
    obj, mesh = opened("oni", tmp_path)
    assert said(part, obj) == []
    corners = list(mesh.data.polygons[0].vertices)
    own = mesh.vertex_groups[mesh.data.vertices[corners[0]].groups[0].group].name
    other = next(group.name for group in mesh.vertex_groups if group.name != own)
    moved_to(mesh, corners[:1], other)
    around = sum(corners[0] in polygon.vertices for polygon in mesh.data.polygons)
    (line,) = said(part, obj)
    assert line.startswith(f"{around} triangle") and "Mesh > Split > Selection" in line

    bpy.context.view_layer.objects.active = mesh
    for polygon in mesh.data.polygons:
        polygon.select = corners[0] in polygon.vertices
    OPS.object.mode_set(mode="EDIT")
    OPS.mesh.split()
    OPS.object.mode_set(mode="OBJECT")
    moved_to(mesh, sorted({vertex for polygon in mesh.data.polygons if polygon.select for vertex in polygon.vertices}), other)
    assert said(part, obj) == []
