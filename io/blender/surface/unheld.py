"""What of an edited mesh no file of its game holds."""

from __future__ import annotations

from collections.abc import Sequence

import bpy

from ....core.declare.game import Game
from ....core.reporting import log
from .. import identity
from . import edited
from .images import image_of
from .skinned import mesh_of

_SAID: dict[edited.Part, str] = {
    "uvs": "texture coordinates were edited, and the game has none without a picture: give its materials one, or delete the UV map",
    "colours": "a colour attribute was edited, and the game has none: give the faces materials instead, or delete the attribute",
    "plain colours": "a material's colour was edited, and the game draws what has no picture without a texture: give it a picture",
}


def report(obj: bpy.types.Object, meshes: Sequence[bpy.types.Object]) -> dict[bpy.types.Object, set[edited.Part]]:
    """Say what was edited of the meshes of an armature and the game does not hold; returns what it holds, of those of which it does."""
    game, held = identity.game_of(obj), dict[bpy.types.Object, set[edited.Part]]()
    for mesh in meshes:
        data = mesh_of(mesh)
        edits = edited.edited_parts(data)
        missing = {part for part in edits if game is not None and not _holds(game, data, part)}
        with log.about(mesh.name):
            for part, text in _SAID.items():
                if part in missing:
                    log.warning(text)
        if edits - missing:
            held[mesh] = edits - missing
    return held


def _holds(game: Game, data: bpy.types.Mesh, part: edited.Part) -> bool:
    if part == "uvs":
        return game.uvs_alone or any(material is not None and image_of(material) is not None for material in data.materials)
    return {"colours": game.corner_colours, "plain colours": game.plain_colours}.get(part, True)
