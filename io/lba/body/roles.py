"""What the parts of a mesh are: faces of the surface, lines or spheres."""

from __future__ import annotations

from typing import Literal

import bpy
import numpy as np
from numpy.typing import NDArray

from ....core.reporting.errors import ExportError
from ....core.surface.connected import connected
from ....core.surface.mesh import OUTLINE_NUMBER, POINT_NUMBER, RADIUS
from ...blender.arrays import values_of
from ...blender.surface.skinned import float_attribute, mesh_of

Role = Literal["SURFACE", "LINES", "SPHERES"]

BAR = 8
"""Vertices of the bar that stands for a line."""

_LABELS: dict[Role, str] = {"SURFACE": "the surface", "LINES": "lines", "SPHERES": "spheres"}


def role_of(mesh: bpy.types.Object) -> Role:
    """What all connected parts of a mesh are. Raises ExportError where they are of several kinds, as after a join, and where the numbers
    of lines and spheres are no longer those of vertices."""
    data = mesh_of(mesh)
    if OUTLINE_NUMBER not in data.attributes:
        return "SURFACE"
    numbers = float_attribute(data, OUTLINE_NUMBER, "POINT")
    if numbers is None:
        raise ExportError(
            f"{mesh.name}: its attribute {OUTLINE_NUMBER} is not a number for each vertex any more, so that which parts are lines or "
            "spheres is not known: undo its conversion, or delete it where none are"
        )
    kinds = _kinds(data, numbers > 0)
    if len(kinds) > 1:
        raise ExportError(
            f"{mesh.name}: {' and '.join(_LABELS[kind] for kind in kinds)} are joined in one mesh, all of which would be written as the "
            "same: undo that, or separate them in Edit Mode (L over each part of one kind, then P, Selection); a new line or sphere is a "
            "copy (Shift D) of another one"
        )
    return kinds[0] if kinds else "SURFACE"


def _kinds(data: bpy.types.Mesh, numbered: NDArray[np.bool_]) -> list[Role]:
    """numbered: (V,) whether a vertex came in with a line or a sphere."""
    part = np.unique(connected(values_of(data.edges, "vertices", np.int32, 2).astype(np.int64), len(numbered)), return_inverse=True)[1]
    sizes = np.bincount(part)
    count = len(sizes)

    def has(which: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """(P,) the parts that one of these vertices (V,) is of."""
        return np.bincount(part[which], minlength=count) > 0

    outlines, welded = has(numbered), np.zeros(count, np.bool_)
    if (outlines & has(~numbered)).any():  # by new vertices, or since it hangs together with the surface
        points = float_attribute(data, POINT_NUMBER, "POINT")
        welded = outlines & has(points > 0) if points is not None else welded
    spheres = np.zeros(count, np.bool_)
    if RADIUS in data.attributes:  # where it was converted, or is 0 as in a file, a ball has more vertices than a bar
        radii = float_attribute(data, RADIUS, "POINT")
        spheres = outlines & ((sizes > BAR) | (has(radii > 0) if radii is not None else False))
    faced = np.zeros(len(numbered), np.bool_)
    faced[values_of(data.loops, "vertex_index", np.int32)] = True
    loose = ~outlines & ~has(faced) & (sizes > 1)  # edges are lines in the mesh of the surface, too
    those: dict[Role, NDArray[np.bool_]] = {
        "SURFACE": welded | ~outlines & ~loose,
        "LINES": outlines & ~spheres | loose & spheres.any(),
        "SPHERES": spheres,
    }
    return [kind for kind, parts in those.items() if parts.any()]
