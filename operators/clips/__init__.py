"""Which actions are the clips of a character, and which of them are chosen."""

from collections.abc import Sequence
from typing import Any

import bpy
from bpy.types import Action, Context, Object

from ...core.reporting.labels import natural
from ...io.blender import identity
from ..shared import job
from ..shared.panel import active_action, animated


def belongs(action: Action, obj: Object) -> bool:
    """Whether an action is one of an object's clips: made for its figure, retargeted to it where it has none, or what it shows now."""
    shown = obj.animation_data.action if obj.animation_data else None
    figure = obj.data.get(identity.RIG) if obj.data is not None else None
    is_own = action.get(identity.RIG) == figure if identity.RIG in action else action.get(identity.RETARGETED) == obj.name
    return action == shown or is_own


def clips_of(obj: Object | None) -> list[Action]:
    """In the order of the list."""
    own = (action for action in bpy.data.actions if obj is not None and belongs(action, obj))
    return sorted(own, key=lambda action: counted(action, obj))


def counted(action: Action, obj: Object | None) -> list[str | int]:
    """By which the list is sorted."""
    from ..shared import clip_names  # which Blender's start does not need

    return natural(clip_names.short_name(action, obj))


def chosen_clips(context: Context, ticked: bool) -> Sequence[Action]:
    """The ticked clips of the character, or the one that is shown."""
    action: Any = active_action(context)
    if not ticked:
        return [action] if action is not None else []
    return [each for each in clips_of(animated(context)) if getattr(each, identity.TICKED, False)]


def make_active(context: Context, action: Action) -> None:
    """Show a clip on its character, which no preview and no reference pose of retargeting poses any more, and which stands where it stood
    before a clip that moved it. Raises RetroAnimError in the tweak mode of the NLA."""
    from ...io.blender import temporary_state
    from ...io.blender.motion import actions, standing

    obj = animated(context)
    if obj is not None:
        with temporary_state.kept_on_failure():
            temporary_state.give_back_with([obj])
            standing.stand_again(obj, action)
            actions.show(obj, action, actions.root_motion_of(obj, "OBJECT"))
        job.settle(context)
