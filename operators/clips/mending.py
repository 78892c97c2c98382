"""What mends a clip that the game could not hold as it is: its loop refitted, its curves made linear."""

from __future__ import annotations

from functools import partial
from typing import Any

import bpy
from bpy.types import Context, Operator

from ...io.blender import identity
from ..shared import job, messages
from ..shared.layout import LINKED, allowed
from ..shared.panel import active_action, animated
from . import saving, states


def _look_again(operator: Operator, context: Context, action: bpy.types.Action) -> None:
    """Where the last run asked for this button, or refused the clip, what is true of it now: its messages and its state in the list would
    be of before."""
    if not messages.names(context, action.name, operator.bl_label) and states.state(action) != "refused":
        return
    checked = job.Job(partial(saving.checked, context, "ACTIVE", "KEYS"))
    checked.drain(context)
    if checked.result is not None:
        saving.know(checked.result)
        messages.renew(context, action.name, checked.said)


class RETRO_ANIM_OT_refit_loop(Operator):
    """Put the closing key behind the last key, with the pose to which the game goes back, and make the frame range the loop"""

    bl_idname = "retro_anim.refit_loop"
    bl_label = "Refit Loop"
    bl_options = {"UNDO"}

    @classmethod
    def poll(cls, context: Context) -> bool:
        action, obj = active_action(context), animated(context)
        fine = action is not None and obj is not None and (identity.game_of(action) or identity.game_of(obj)) is not None
        if not fine or action is None:
            return allowed(cls, False, "Needs a clip of a game's character: the active object shows none")
        return allowed(cls, action.library is None, LINKED)

    def execute(self, context: Context) -> Any:
        from ...core.reporting import log
        from ...io.pipeline.loops import closing_key as loops

        action, obj = active_action(context), animated(context)
        assert action is not None and obj is not None
        game = identity.game_of(action) or identity.game_of(obj)
        assert game is not None

        def work() -> tuple[bpy.types.Action, float, float]:
            with log.about(action.name):
                return loops.refit(context, game)

        fitted = job.run(self, context, work, lambda: False)
        if fitted is None:
            return {"CANCELLED"}
        _look_again(self, context, action)
        self.report({"INFO"}, f"{fitted[0].name}: the loop goes from frame {fitted[1]:g} to its closing key at frame {fitted[2]:g}")
        return {"FINISHED"}


class RETRO_ANIM_OT_make_linear(Operator):
    """Draw straight lines between the keys of the active action, as the games go from key to key"""

    bl_idname = "retro_anim.make_linear"
    bl_label = "Make Linear"
    bl_options = {"UNDO"}

    @classmethod
    def poll(cls, context: Context) -> bool:
        action = active_action(context)
        if action is None:
            return allowed(cls, False, "Needs a clip: the active object shows none")
        return allowed(cls, action.library is None, LINKED)

    def execute(self: Any, context: Context) -> Any:
        from ...io.blender.motion import fcurves

        action, obj = active_action(context), animated(context)
        assert action is not None and obj is not None
        changed = fcurves.make_linear(action, obj)
        _look_again(self, context, action)
        self.report({"INFO"}, f"{action.name}: {changed} curves made linear")
        return {"FINISHED"}


CLASSES = (RETRO_ANIM_OT_refit_loop, RETRO_ANIM_OT_make_linear)
