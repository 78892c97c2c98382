"""A character that was built of another one: where it stands, and what of it is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import bpy

from ...core.declare.game import Game
from . import identity, scene


@dataclass(frozen=True)
class Built:
    """armature: of the new character. meshes: its meshes."""

    armature: bpy.types.Object
    meshes: list[bpy.types.Object]


def beside(
    context: bpy.types.Context, obj: bpy.types.Object, new: bpy.types.Object, meshes: Sequence[bpy.types.Object], game: Game
) -> Built:
    """A game's new character, placed beside the armature that it was built of, and made active."""
    identity.mark(new, game)
    new.location = obj.matrix_world.translation
    new.location.x += 1.25 * max((float(mesh.dimensions.x) for mesh in meshes), default=1.0)
    scene.make_active(context, new)
    return Built(new, list(meshes))
