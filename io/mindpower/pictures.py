"""What a picture of a character shows."""

from __future__ import annotations

from ...core.mindpower.motion.rig import AXES
from ...core.surface.raster import Shape
from .plan import Character


def shapes(character: Character) -> list[Shape]:
    """Its meshes at rest."""
    return [Shape.of(part.surface, AXES) for part in character.parts]
