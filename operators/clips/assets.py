"""Clips as assets, from the side panel."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import bpy
from bpy.app.handlers import persistent
from bpy.props import EnumProperty, StringProperty
from bpy.types import Context, Operator

from ...core.reporting.errors import RetroAnimError
from ...core.reporting.labels import counted
from ...io.blender import identity
from ..shared import job, messages, modal
from ..shared.layout import allowed
from ..shared.panel import active_armature, animated
from . import make_active, preview_range


class RETRO_ANIM_OT_mark_assets(modal.InWindow, Operator):
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

    def execute(self: Any, context: Context) -> Any:
        work = job.Job(partial(_marked, context, self.source))
        return modal.run_or_begin(self, context, work, partial(_report, self.in_window), "Marking", self.in_window)


class RETRO_ANIM_OT_use_asset(Operator):
    """Bring a copy of the clip into this .blend, and show it on the active character"""

    bl_idname = "retro_anim.use_asset"
    bl_label = "Show on Active Character"
    bl_options = {"UNDO"}

    name: StringProperty(name="Action", description="Its name in the asset library", options={"SKIP_SAVE"})
    filepath: StringProperty(name="File", description="The .blend that it is in", subtype="FILE_PATH", options={"SKIP_SAVE"})

    @classmethod
    def poll(cls, context: Context) -> bool:
        return allowed(cls, active_armature(context) is not None, "Needs the character that shall have the clip to be active")

    def execute(self: Any, context: Context) -> Any:
        from ...io.pipeline import library

        obj = active_armature(context)
        assert obj is not None

        def work() -> Any:
            action = bpy.data.actions.get(self.name) if not self.filepath else library.take(obj, self.name, self.filepath)
            if action is None:
                raise RetroAnimError(f"there is no action {self.name}")
            make_active(context, action)
            return action

        if job.run(self, context, work, summary=lambda action: f"{action.name} on {obj.name}") is None:
            return {"CANCELLED"}
        preview_range.update(context.scene)
        return {"FINISHED"}


def _in_asset_browser(menu: Any, context: Any) -> None:
    """In the menu of a clip there, above what Blender has there for poses: its twenty entries begin with what spoils a clip."""
    asset = getattr(context, "asset", None)
    if asset is not None and asset.id_type == "ACTION":
        chosen = menu.layout.operator("retro_anim.use_asset", icon="ARMATURE_DATA")
        chosen.name, chosen.filepath = asset.name, asset.full_library_path
        menu.layout.separator()


def _marked(context: Context, source: str) -> Any:
    from ...io.pipeline import library

    if source == "SCENE":
        objects = [obj for obj in context.scene.objects if identity.game_of(obj) is not None]
    else:
        obj = animated(context)
        objects = [obj] if obj is not None else []
    every = [clip for obj in objects for clip in library.clips_of(obj)]
    clips = [(obj, action) for obj, action in every if source != "TICKED" or getattr(action, identity.TICKED, True)]
    if not clips:
        raise RetroAnimError(f"there is no clip to mark: {_remedy(objects, bool(every))}")
    return (yield from library.mark(context, list({action.name: (obj, action) for obj, action in clips}.values())))


def _remedy(objects: Sequence[bpy.types.Object], unticked: bool) -> str:
    if unticked:
        return "none is ticked"
    linked = [obj for obj in objects if obj.animation_data and obj.animation_data.action and obj.animation_data.action.library]
    if linked:
        return f"those of {linked[0].name} are linked: mark them in the file that they are in"
    return "select an imported character"


def _report(in_window: bool, operator: Any, context: Context, ended: job.Job[Any]) -> Any:
    marked = job.conclude(operator, context, ended, summary=lambda actions: f"{counted(len(actions), 'action')} marked as assets")
    if marked is None:
        return {"CANCELLED"}
    modal.push_undo(in_window, "Mark as Assets")
    return {"FINISHED"}


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
    menu: Any = bpy.types.ASSETBROWSER_MT_context_menu
    menu.prepend(_in_asset_browser)


def unregister() -> None:
    bpy.app.handlers.save_post.remove(_saved)
    menu: Any = bpy.types.ASSETBROWSER_MT_context_menu
    menu.remove(_in_asset_browser)


CLASSES = (RETRO_ANIM_OT_mark_assets, RETRO_ANIM_OT_use_asset)
