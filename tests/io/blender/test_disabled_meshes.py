"""Where what is disabled in viewports stands: Blender leaves its matrix as it was, however that moves on which it hangs."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
import pytest
from support import blender_rigs as rigs


@pytest.mark.parametrize("how", ["object", "bone", "relative bone", "below another", "alone"])
@pytest.mark.parametrize("away", ["object", "collection"])
def test_it_stands_where_blender_shows_it_again(part: Any, how: str, away: str) -> None:
    stands = part("io.blender.parenting").stands
    obj = rigs.build("hero", names=rigs.PLAIN)
    mesh = bpy.data.objects.new("mesh", bpy.data.meshes.new("mesh"))
    apart = bpy.data.collections.new("apart")
    bpy.context.scene.collection.children.link(apart)
    apart.objects.link(mesh)
    if how != "alone":
        mesh.parent = obj
        mesh.matrix_parent_inverse = rigs.Matrix.Rotation(0.4, 4, "X")
    if how == "below another":
        mesh.parent = bpy.data.objects.new("between", None)
        apart.objects.link(mesh.parent)
        mesh.parent.parent = obj
        mesh.parent.location = (0.1, 0.2, 0.3)
    elif "bone" in how:
        mesh.parent_type, mesh.parent_bone = "BONE", "leftLowerArm"
        obj.data.bones["leftLowerArm"].use_relative_parent = how == "relative bone"
    bpy.context.view_layer.update()
    hidden = mesh if away == "object" else apart
    hidden.hide_viewport = True
    obj.location, obj.rotation_euler = (0.5, -2.0, 0.25), (0.1, 0.2, 0.7)
    obj.pose.bones["leftUpperArm"].rotation_mode = "XYZ"
    obj.pose.bones["leftUpperArm"].rotation_euler = (0.3, 0.8, -0.2)
    mesh.location, mesh.scale = (1.0, 2.0, 3.0), (1.0, 1.5, 2.0)
    bpy.context.view_layer.update()
    composed = stands(mesh)
    hidden.hide_viewport = False
    bpy.context.view_layer.update()
    assert np.abs(composed - np.array(mesh.matrix_world)).max() < 1e-5


@pytest.mark.parametrize("how", ["VERTEX", "VERTEX_3", "path"])
def test_where_vertices_or_a_path_put_it_it_stays(part: Any, how: str) -> None:
    """Worked: a vertex lies at 0 3 0, three have their middle at 1/3 1 2/3, and the path begins at 2 0 0."""
    corners = bpy.data.meshes.new("corners")
    corners.from_pydata([(1, 0, 0), (0, 3, 0), (0, 0, 2)], [], [(0, 1, 2)])
    path: Any = bpy.data.curves.new("path", "CURVE")
    spline = path.splines.new("POLY")
    spline.points.add(1)
    spline.points[0].co, spline.points[1].co = (2, 0, 0, 1), (5, 0, 0, 1)
    path.use_path = True
    parent = bpy.data.objects.new("parent", path if how == "path" else corners)
    mesh: Any = bpy.data.objects.new("mesh", bpy.data.meshes.new("mesh"))
    for each in (parent, mesh):
        bpy.context.scene.collection.objects.link(each)
    mesh.parent = parent
    if how != "path":
        mesh.parent_type, mesh.parent_vertices = how, (1, 0, 0) if how == "VERTEX" else (0, 1, 2)
    bpy.context.view_layer.update()
    mesh.hide_viewport = True
    bpy.context.view_layer.update()
    wanted = {"VERTEX": (0, 3, 0), "VERTEX_3": (1 / 3, 1, 2 / 3), "path": (2, 0, 0)}[how]
    assert np.abs(part("io.blender.parenting").stands(mesh)[:3, 3] - wanted).max() < 1e-5
