"""Shapes of Little Big Adventure's bodies without Blender: what an import shows, taken for what somebody wants."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

FLAT_LIT = 7

SQUARE = [(10, 10, 0), (110, 10, 0), (110, 110, 0), (10, 110, 0)]


def shape_of(document: Any) -> Any:
    """The shape of a body as its surface stands, with nothing changed."""
    from retro_anim.core.lba.body.body import Body
    from retro_anim.core.lba.body.shape import Outlines, Shape
    from retro_anim.core.lba.body.visible_faces import columns_of
    from retro_anim.core.lba.files.palette import Palette
    from retro_anim.core.surface.holdable import holdable

    body = Body.of(document)
    mesh = body.mesh(Palette.plain())
    assert mesh is not None
    mesh = holdable(mesh)
    columns = columns_of(document)
    numbers = mesh.numbers
    assert numbers is not None
    reach = np.array([material.properties["lba_reach"] for material in mesh.materials], np.int64)
    colour = np.array([material.properties.get("lba_colour", 0) for material in mesh.materials], np.int64)

    def outlines(items: list[Any], ends: int) -> Any:
        points = np.array([item.points if ends == 2 else (item.point,) for item in items], np.int64).reshape(-1, ends)
        radii = np.array([getattr(item, "radius", 0.0) for item in items])
        return Outlines(np.arange(len(items)), points, colour[[item.material for item in items]], radii)

    return Shape(
        names=body.skeleton().names,
        parents=body.parents,
        heads=body.pivot_positions,
        positions=mesh.points,
        group_of=body.group_of,
        numbers=np.arange(len(mesh.points)),
        starts=mesh.starts,
        counts=mesh.counts,
        corners=mesh.corners,
        face_numbers=numbers,
        types=columns.types[numbers],
        colours=columns.colours[numbers],
        reach=reach[mesh.material_of],
        normals=mesh.normals,
        regions=columns.regions[numbers],
        uvs=mesh.uvs.get("UVMap", np.zeros((len(mesh.corners), 2))),
        lines=outlines(mesh.lines, 2),
        spheres=outlines(mesh.spheres, 1),
    )


def new_shape(points: Sequence[tuple[int, int, int]], faces: Sequence[Sequence[int]], **fields: Any) -> Any:
    """New faces of one group, lit alone, but for `fields`."""
    from retro_anim.core.lba.body.shape import Shape

    corners = np.array([point for face in faces for point in face], np.int64)
    counts = np.array([len(face) for face in faces], np.int64)
    number = len(faces)
    given: dict[str, Any] = {
        "names": ("root",),
        "parents": np.array([-1]),
        "heads": np.zeros((1, 3)),
        "positions": np.array(points, float),
        "group_of": np.zeros(len(points), np.int64),
        "numbers": np.full(len(points), -1),
        "starts": np.cumsum(counts) - counts,
        "counts": counts,
        "corners": corners,
        "face_numbers": np.full(number, -1),
        "types": np.full(number, FLAT_LIT),
        "colours": np.full(number, 20),
        "reach": np.full(number, 10),
        "normals": np.zeros((len(corners), 3)),
        "regions": np.full((number, 3), -1),
        "uvs": np.zeros((len(corners), 2)),
    }
    return Shape(**given | fields)
