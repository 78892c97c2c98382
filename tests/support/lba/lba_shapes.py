"""Shapes of Little Big Adventure's bodies without Blender: what an import shows, taken for what somebody wants."""

from __future__ import annotations

from typing import Any

import numpy as np


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
