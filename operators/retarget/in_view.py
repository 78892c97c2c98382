"""Operators of what is shown in the view without an action: the live preview, the reference pose, and poses kept by name."""

from collections.abc import Callable
from typing import Any

import bpy
from bpy.app.handlers import persistent
from bpy.props import StringProperty
from bpy.types import Context, Operator

from ...core.reporting.errors import RetroAnimError
from ...io.blender import identity
from ..shared import job, modal
from ..shared.layout import allowed
from . import ENDING, changed, options_of
from .settings import armatures_of, settings_of


class RETRO_ANIM_OT_retarget_preview(Operator):
    """Let the target follow the source at the present frame, while you change map and options; again, and it is as before"""

    bl_idname = "retro_anim.retarget_preview"
    bl_label = "Preview"
    bl_options = {"UNDO"}

    def execute(self, context: Context) -> Any:
        from . import posing, preview

        if preview.shown_in(context.scene) is not None:
            preview.stop()
            return {"FINISHED"}

        def begin() -> bool:
            with posing.ended(context):
                preview.start(context)
            return True

        return {"FINISHED"} if job.run(self, context, begin, aside=True) else {"CANCELLED"}


class _Posing:
    """What the operators of this mode share."""

    bl_options = {"UNDO"}  # as Blender wants it

    @classmethod
    def poll(cls, context: Context) -> bool:
        from . import posing

        return allowed(cls, posing.is_posing(settings_of(context)), "Needs source and target as they are aligned: Show Aligned")

    def run(self: Any, context: Context, work: Callable[[Any], None]) -> Any:
        def all_of_it() -> bool:
            work(settings_of(context))
            return True

        return {"FINISHED"} if job.run(self, context, all_of_it, aside=True) else {"CANCELLED"}


class RETRO_ANIM_OT_retarget_pose(_Posing, Operator):
    """Show source and target as they are aligned, to look at and to change; again, and both are as before"""

    bl_idname = "retro_anim.retarget_pose"
    bl_label = "Show Aligned"

    @classmethod
    def poll(cls, context: Context) -> bool:
        return allowed(cls, context.mode in ("OBJECT", "POSE"), "Needs object or pose mode")

    def execute(self, context: Context) -> Any:
        from . import posing

        if posing.has_begun(settings_of(context)):
            return self.run(context, lambda _settings: posing.leave(context))
        return self.run(context, lambda _settings: posing.begin(context))


class RETRO_ANIM_OT_retarget_pose_as_source(_Posing, Operator):
    """Pose the target as the source stands now; where bones of the target are selected only these"""

    bl_idname = "retro_anim.retarget_pose_as_source"
    bl_label = "Pose Target as Source"

    def execute(self, context: Context) -> Any:
        from ...io.retarget.in_view import posing
        from .mapping.map_table import read

        def pose(settings: Any) -> None:
            posed = getattr(context, "selected_pose_bones", None) or ()
            chosen = frozenset(bone.name for bone in posed if bone.id_data == settings.target)
            posing.as_source(context, settings.source, settings.target, read(settings), options_of(settings, ()), chosen)

        return self.run(context, pose)


class RETRO_ANIM_OT_retarget_pose_rest(_Posing, Operator):
    """Pose the target as it is at rest"""

    bl_idname = "retro_anim.retarget_pose_rest"
    bl_label = "Rest Pose"

    def execute(self, context: Context) -> Any:
        from ...io.retarget.in_view import posing

        result = self.run(context, lambda settings: posing.rest(settings.target))
        modal.redraw(context)  # Blender draws the view anew by itself only where an operator has also evaluated the scene
        return result


class RETRO_ANIM_OT_retarget_pose_keep(_Posing, Operator):
    """Keep the poses in which both stand now by a name, with the bone map, and align by them. Those that are kept already stay"""

    bl_idname = "retro_anim.retarget_pose_keep"
    bl_label = "Keep Pose"

    name: StringProperty(name="Name", description="Of the pose; empty: the panel's", options={"SKIP_SAVE"})

    def execute(self, context: Context) -> Any:
        from ...core.reporting.labels import unique
        from ...io.blender import temporary_state
        from ...io.retarget.in_view import posing
        from .mapping import bone_map
        from .mapping.map_table import add_pose, read

        def keep(settings: Any) -> None:
            wanted = (self.name or settings.pose_name).strip()
            if not wanted:
                raise RetroAnimError("the pose needs a name")
            (name,) = unique([wanted], settings.poses.keys())
            if wanted in settings.poses:
                self.report({"INFO"}, f"there is a pose {wanted} already: this one is kept as {name}")
            add_pose(settings, posing.kept(settings.source, settings.target, name))
            settings.align, settings.reference, settings.edited = "POSE", name, True
            bone_map.remember(bone_map.printed(read(settings), settings.source, settings.target))
            for obj in (settings.source, settings.target):
                temporary_state.note(obj)
            changed()

        return self.run(context, keep)


class RETRO_ANIM_OT_retarget_pose_remove(Operator):
    """Remove the chosen pose from the bone map, and from those that are remembered for the target"""

    bl_idname = "retro_anim.retarget_pose_remove"
    bl_label = "Remove Pose"
    bl_options = {"UNDO", "INTERNAL"}

    @classmethod
    def poll(cls, context: Context) -> bool:
        settings = settings_of(context)
        return allowed(cls, settings.poses.find(settings.reference) >= 0, "Needs a kept pose: choose it")

    def execute(self, context: Context) -> Any:
        from .mapping import bone_map

        settings = settings_of(context)
        position, (_source, target) = settings.poses.find(settings.reference), armatures_of(settings)
        if target is not None:
            job.run(self, context, lambda: bone_map.forget_pose(target, settings.reference), aside=True)
        settings.poses.remove(position)
        settings.reference = settings.poses[max(0, position - 1)].name if len(settings.poses) else ""
        settings.align = settings.align if settings.reference else "AUTO"
        settings.edited = True
        changed()
        return {"FINISHED"}


@persistent
def _leave(*_: Any) -> None:
    for end in [*ENDING]:
        end()
    _give_back(identity.PREVIEW)


def _give_back(kind: str = "") -> None:
    """Objects as they were before, also of what nobody runs any more, as a file or an undo step may hold it."""
    if any(identity.is_staged(obj, kind) for obj in bpy.data.objects):
        from ...io.blender import temporary_state

        temporary_state.give_all_back(kind)


_aside: list[Any] = []
"""What shows something again after the file was saved."""


@persistent
def _before_saving(*_: Any) -> None:
    """Of a library override Blender saves no property of ours: what it was before would be lost."""
    if any(identity.is_staged(obj) and obj.override_library is not None for obj in bpy.data.objects):
        from ...io.blender import temporary_state

        _aside[:] = temporary_state.aside()
        temporary_state.give_all_back()


@persistent
def _after_saving(*_: Any) -> None:
    if _aside:
        from ...io.blender import temporary_state

        try:
            temporary_state.resume(_aside)
        finally:
            _aside.clear()


_LEAVING = (
    bpy.app.handlers.save_pre,
    bpy.app.handlers.load_pre,
    bpy.app.handlers.load_post,
    bpy.app.handlers.undo_pre,
    bpy.app.handlers.undo_post,
    bpy.app.handlers.redo_pre,
    bpy.app.handlers.redo_post,
)


_HANDLERS = (
    *((handlers, _leave) for handlers in _LEAVING),
    (bpy.app.handlers.save_pre, _before_saving),
    (bpy.app.handlers.save_post, _after_saving),
    (bpy.app.handlers.save_post_fail, _after_saving),
)


def _settle(context: Context) -> None:
    if settings_of(context).before:
        from . import posing

        posing.settle(context)


def register() -> None:
    job.AFTER.append(_settle)
    for handlers, handler in _HANDLERS:
        handlers.append(handler)


def unregister() -> None:
    job.AFTER.remove(_settle)
    _leave()
    _give_back()
    for handlers, handler in _HANDLERS:
        if handler in handlers:
            handlers.remove(handler)


CLASSES = (
    RETRO_ANIM_OT_retarget_preview,
    RETRO_ANIM_OT_retarget_pose,
    RETRO_ANIM_OT_retarget_pose_as_source,
    RETRO_ANIM_OT_retarget_pose_rest,
    RETRO_ANIM_OT_retarget_pose_keep,
    RETRO_ANIM_OT_retarget_pose_remove,
)
