"""What a picture of a character shows."""

from __future__ import annotations

from ...core.lba.motion.motion import CONVENTION
from ...core.surface.raster import Shape
from .body.plan_bodies import Character


def shapes(character: Character) -> list[Shape]:
    """Its body, as all its groups rest."""
    mesh = character.body.mesh(character.palette, character.page)
    return [Shape.of(mesh, CONVENTION.axes)] if mesh is not None else []
