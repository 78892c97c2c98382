"""What mends a clip that the game could not hold as it is: its loop refitted, its curves made linear, or renamed as its bones."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from typing import Any

import bpy
from bpy.types import Context, Operator

from ...core.declare.shared import Source
from ...core.reporting.labels import counted, line
from ...io.blender import identity
from ..shared import job, messages
from ..shared.layout import LINKED, allowed
from ..shared.panel import active_action, active_armature, animated
from . import saving, states


def _look_again(operator: Operator, context: Context, actions: Collection[bpy.types.Action], source: Source = "ACTIVE") -> None:
    """Where the last run asked for this button, or refused one of the clips, what is true of them now: their messages and their states in
    the list would be of before. source: which they are."""
    if not any(messages.names(context, each.name, operator.bl_label) or states.state(each) == "refused" for each in actions):
        return
    checked = job.Job(partial(saving.checked, context, source, "KEYS"))
    checked.drain(context)
    if checked.result is not None:
        saving.know(checked.result)
        messages.renew(context, [each.name for each in actions], checked.said)


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
        _look_again(self, context, [action])
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
        _look_again(self, context, [action])
        says = f"{counted(changed, 'curve')} made linear" if changed else "its curves are straight lines already"
        self.report({"INFO"}, line(f"{action.name}: {says}"))
        return {"FINISHED"}


class RETRO_ANIM_OT_rename_curves(Operator):
    """Give the curves of the character's clips, but for those that other objects use, the names that its bones have now"""

    bl_idname = "retro_anim.rename_curves"
    bl_label = "Rename Curves"
    bl_options = {"UNDO"}

    @classmethod
    def poll(cls, context: Context) -> bool:
        from ...io.blender import armature

        obj = active_armature(context)
        if obj is None or obj.data is None or not armature.is_game_armature(obj):
            return allowed(cls, False, "Needs a game's character: select one")
        return allowed(cls, obj.data.library is None, LINKED)

    def execute(self: Any, context: Context) -> Any:
        from ...io.blender.motion import renamed_curves
        from ...io.pipeline.out_of_blender.selection import selection

        obj = active_armature(context)
        assert obj is not None
        mended = renamed_curves.rename(selection.clips_of_nobody_else(obj), obj)
        _look_again(self, context, mended, "ALL")
        self.report({"INFO"}, f"{obj.name}: curves of {counted(len(mended), 'clip')} renamed")
        return {"FINISHED"}


CLASSES = (RETRO_ANIM_OT_refit_loop, RETRO_ANIM_OT_make_linear, RETRO_ANIM_OT_rename_curves)
