"""What a picture of a character shows."""

from __future__ import annotations

from ...core.motion.rigs.rig import Y_UP
from ...core.oni2.files.mesh.mod import is_placed
from ...core.surface.raster import Shape
from .plan import Character


def shapes(character: Character) -> list[Shape]:
    """Its meshes at rest."""
    heads = character.skel.skeleton().heads
    return [Shape.of(mod.model.mesh(heads, is_placed(mod, where)), Y_UP) for where, mod in character.models]
