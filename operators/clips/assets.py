"""Clips as assets, from the side panel."""

from functools import partial
from typing import Any

import bpy
from bpy.app.handlers import persistent
from bpy.props import EnumProperty

from ...core.reporting.errors import RetroAnimError
from ...core.reporting.labels import counted
from ...io.blender import identity
from ..shared import job, messages, modal
from ..shared.panel import animated


class RETRO_ANIM_OT_mark_assets(modal.InWindow, bpy.types.Operator):
    """Mark clips as assets, with a picture of their pose, in catalogues by game, character and kind"""

    bl_idname = "retro_anim.mark_assets"
    bl_label = "Mark as Assets"
    bl_options = {"UNDO"}

    source: EnumProperty(
        name="Clips",
        description="Which clips become assets",
        items=(
            ("TICKED", "Ticked Clips", "The ticked clips of the active character"),
            ("ALL", "All Clips", "All clips of the active character"),
            ("SCENE", "Whole Scene", "All clips of all characters"),
        ),
    )

    def execute(self: Any, context: bpy.types.Context) -> Any:
        work = job.Job(partial(_marked, context, self.source))
        return modal.run_or_begin(self, context, work, _tell, "Marking", self.in_window)


def _marked(context: bpy.types.Context, source: str) -> Any:
    from ...io.pipeline import library

    if source == "SCENE":
        objects = [obj for obj in context.scene.objects if identity.game_of(obj) is not None]
    else:
        obj = animated(context)
        objects = [obj] if obj is not None else []
    clips = [clip for obj in objects for clip in library.clips_of(obj)]
    if source == "TICKED":
        clips = [(obj, action) for obj, action in clips if getattr(action, identity.TICKED, True)]
    if not clips:
        raise RetroAnimError("there is no clip to mark: select an imported character")
    return (yield from library.mark(context, list({action.name: (obj, action) for obj, action in clips}.values())))


def _tell(operator: Any, context: bpy.types.Context, ended: job.Job[Any]) -> Any:
    marked = job.conclude(operator, context, ended, summary=lambda actions: f"{counted(len(actions), 'action')} marked as assets")
    return {"CANCELLED"} if marked is None else {"FINISHED"}


@persistent
def _saved(*_: Any) -> None:
    """What was marked before the .blend had a folder, or came along into this one, has its catalogues there."""
    actions: Any = bpy.data.actions
    if not bpy.data.filepath or not any(identity.CATALOGUE in action for action in actions):
        return
    from ...core.reporting import log
    from ...io.pipeline import library

    with log.collect() as said:
        try:
            library.keep_on_saving()
        except RetroAnimError as error:
            log.error(str(error))
    if said.messages:
        messages.keep(bpy.context, said, failed=True)


def register() -> None:
    bpy.app.handlers.save_post.append(_saved)


def unregister() -> None:
    bpy.app.handlers.save_post.remove(_saved)


CLASSES = (RETRO_ANIM_OT_mark_assets,)
