"""What a new action has beside its curves: frame range, cycle and markers, what it is to the game, and whose it is."""

from __future__ import annotations

import bpy

from ...core.declare.game import Game
from ...core.reporting import log
from ...core.retarget.figures.clip import Clip
from ..blender import identity
from .reading import clips


def add(created: bpy.types.Action, action: bpy.types.Action | None, clip: Clip, source: bpy.types.Object, target: bpy.types.Object) -> None:
    """Frame range, cycle and markers, with what these and the clip are to the game, and whose it is."""
    clips.finish(created, action, clip)
    game = identity.game_of(target)
    if game is not None and action is not None:
        _add_meaning(created, action, game, source, target)
    created[identity.RETARGETED] = target.name
    figure = target.data.get(identity.RIG) if target.data else None
    if figure is not None:
        created[identity.RIG] = figure


def _add_meaning(
    created: bpy.types.Action, action: bpy.types.Action, game: Game, source: bpy.types.Object, target: bpy.types.Object
) -> None:
    """What the source's action is to the game; between variants of it what means the same in both, and what stays behind is reported."""
    same = identity.game_of(action) is game
    along_with = [item.property for items in game.fields.values() for item in items if same and item.retargeted]
    values = {key: action[key] for key in along_with if key in action}
    came, goes = identity.variant_of(action, game) or identity.variant_of(source, game), identity.variant_of(target, game)
    if came and goes and came != goes:
        values, markers, left = game.core("between_games").across(
            values, [(marker.frame, marker.name) for marker in created.pose_markers], came, goes
        )
        for marker in [marker for marker in created.pose_markers if (marker.frame, marker.name) in markers]:
            created.pose_markers.remove(marker)
        if left:
            with log.about(created.name):
                log.warning(left)
    for key, value in values.items():
        created[key] = value
