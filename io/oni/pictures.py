"""What a picture of a character shows."""

from __future__ import annotations

from ...core.motion.rigs.rig import Y_UP
from ...core.surface.raster import Shape
from .plan import Character


def shapes(character: Character) -> list[Shape]:
    """Its body in the T pose; nothing of what has none of its own."""
    body = character.body
    return [Shape.of(body.mesh(), Y_UP)] if body is not None and body.address and body.has_meshes else []
