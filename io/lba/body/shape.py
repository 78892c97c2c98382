"""An armature and its meshes as the shape of a body."""

from __future__ import annotations

from collections.abc import Sequence

import bpy
import numpy as np

from ....core.lba.body.body import Body
from ....core.lba.body.shape import Shape
from ....core.lba.files.lm1 import Lm1
from ....core.lba.files.lm2 import Lm2
from ....core.lba.files.palette import Palette
from ....core.reporting.errors import ExportError
from . import paint, resources
from .faces import Faces, read_faces
from .outlines import Outline, loose_edges, outlines_from, outlines_of
from .reading import Reading, Taken
from .surface import Figure, Part, part_of


def shape_of(
    figure: Figure,
    meshes: Sequence[bpy.types.Object],
    original: Lm1 | Lm2 | None,
    wide: bool,
    palette: Palette,
    foreign: bool = False,
) -> Shape:
    """The shape of a body. original: the file that it came from. wide: for LBA2. foreign: of meshes of the other game.
    Raises ExportError for vertices that no bone moves."""
    parts = [part_of(mesh, figure) for mesh in meshes]
    rest = Body.of(original).rest_points if original is not None else np.zeros((0, 3))
    reading = Reading(figure, wide, palette, original, rest, foreign=foreign)
    taken = Taken(original)
    faces = Faces()
    lines: list[Outline] = []
    spheres: list[Outline] = []
    for part in (each for each in parts if each.role == "SURFACE"):
        first = reading.count
        _check_weights(part)
        reading.add(part.positions, part.groups, taken.points(part))
        read_faces(reading, part, first, taken.faces(part), faces)
        lines += loose_edges(reading, part, first)
    for part in (each for each in parts if each.role != "SURFACE"):
        _check_weights(part)
        numbers = taken.outlines(part)
        (lines if part.role == "LINES" else spheres).extend(outlines_from(reading, part, numbers))
    paint.report_opacity(reading.paints, wide)
    if any(chosen.matched for chosen in reading.paints.values()):
        resources.report_plain(palette)
    positions, group_of, point_numbers = reading.points
    return Shape(
        names=figure.names,
        parents=figure.parents,
        heads=figure.heads,
        positions=positions,
        group_of=group_of,
        numbers=point_numbers,
        lines=outlines_of(lines, 2),
        spheres=outlines_of(spheres, 1),
        **faces.columns(),
    )


def _check_weights(part: Part) -> None:
    bare = np.flatnonzero(part.groups < 0)
    if len(bare):
        raise ExportError(f"{part.obj.name}: {len(bare)} vertices have no bone (the first is vertex {bare[0]}): give them a weight")
