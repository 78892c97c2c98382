"""The reference pose: both figures shown as they are aligned, the target posed by a person, and poses kept by name with the bone map."""

from collections.abc import Callable
from typing import Any

from bpy.props import StringProperty
from bpy.types import Context, Operator

from ...core.reporting.errors import RetroAnimError
from ...io.blender import identity
from ..shared import job
from ..shared.layout import allowed
from . import bone_map as retarget_map
from . import changed, options_of, preview
from .settings import armatures_of, settings_of

_MODES = ("OBJECT", "EDIT", "POSE")
"""Those that armatures have."""


def is_posing(settings: Any) -> bool:
    """Whether the panel's armatures are shown as they are aligned."""
    return all(obj is not None and identity.is_staged(obj, identity.POSE) for obj in armatures_of(settings))


def leave(context: Context) -> None:
    """Both armatures, their mode and the selection as before."""
    from ...io.blender import fields, temporary_state

    settings = settings_of(context)
    if not temporary_state.give_all_back(identity.POSE) or not settings.before:
        return
    before = fields.grouped(settings.before)
    settings.before = ""
    names, mode = before.get("selected"), before.get("mode")
    _select(context, names if isinstance(names, list) else [], str(before.get("active")), mode if mode in _MODES else "OBJECT")


def _select(context: Context, names: list[str], active: str, mode: Any) -> None:
    from ...io.blender import scene

    objects: Any = context.view_layer.objects
    scene.leave_edit_mode(context)
    for obj in objects:
        obj.select_set(obj.name in names)
    objects.active = objects.get(active)
    if mode != "OBJECT" and objects.active is not None:
        scene.enter_mode(objects.active, mode)


class _Posing:
    """What the operators of this mode share."""

    bl_options = {"UNDO"}  # as Blender wants it

    @classmethod
    def poll(cls, context: Context) -> bool:
        return allowed(cls, is_posing(settings_of(context)), "Needs source and target as they are aligned: Show Aligned")

    def run(self: Any, context: Context, work: Callable[[Any], None]) -> Any:
        def all_of_it() -> bool:
            work(settings_of(context))
            return True

        return {"FINISHED"} if job.run(self, context, all_of_it) else {"CANCELLED"}


class RETRO_ANIM_OT_retarget_pose(_Posing, Operator):
    """Show source and target as they are aligned, to look at and to change; again, and both are as before"""

    bl_idname = "retro_anim.retarget_pose"
    bl_label = "Show Aligned"

    @classmethod
    def poll(cls, context: Context) -> bool:
        return allowed(cls, context.mode in ("OBJECT", "POSE"), "Needs object or pose mode")

    def execute(self, context: Context) -> Any:
        if is_posing(settings_of(context)):
            leave(context)
            return {"FINISHED"}
        return self.run(context, lambda _settings: self._begin(context))

    def _begin(self, context: Context) -> None:
        import json

        from ...io.blender import scene
        from ...io.retarget.in_view import posing

        preview.stop()
        settings = settings_of(context)
        source, target = retarget_map.pick(context)
        bone_map = retarget_map.present(context, source, target)
        settings.source, settings.target = source, target
        active = scene.active(context)
        before = {
            "selected": [obj.name for obj in scene.selected(context)],
            "active": active.name if active else "",
            "mode": active.mode if active else "OBJECT",
        }
        posing.begin(context, source, target, bone_map, options_of(settings, ()))
        settings.before = json.dumps(before)
        _select(context, [source.name, target.name], target.name, "POSE")


class RETRO_ANIM_OT_retarget_pose_as_source(_Posing, Operator):
    """Pose the target as the source stands now; where bones of the target are selected only these"""

    bl_idname = "retro_anim.retarget_pose_as_source"
    bl_label = "Pose Target as Source"

    def execute(self, context: Context) -> Any:
        from ...io.retarget.in_view import posing
        from .map_table import read

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

        return self.run(context, lambda settings: posing.rest(settings.target))


class RETRO_ANIM_OT_retarget_pose_keep(_Posing, Operator):
    """Keep the poses in which both stand now by a name, with the bone map, and align by them"""

    bl_idname = "retro_anim.retarget_pose_keep"
    bl_label = "Keep Pose"

    name: StringProperty(name="Name", description="Of the pose; empty: the panel's", options={"SKIP_SAVE"})

    def execute(self, context: Context) -> Any:
        from ...io.retarget.in_view import posing
        from .map_table import add_pose, read

        def keep(settings: Any) -> None:
            name = (self.name or settings.pose_name).strip()
            if not name:
                raise RetroAnimError("the pose needs a name")
            add_pose(settings, posing.kept(settings.source, settings.target, name))
            settings.align, settings.reference, settings.edited = "POSE", name, True
            retarget_map.remember(retarget_map.printed(read(settings), settings.source, settings.target))
            changed()

        return self.run(context, keep)


class RETRO_ANIM_OT_retarget_pose_remove(Operator):
    """Remove the chosen pose from the bone map"""

    bl_idname = "retro_anim.retarget_pose_remove"
    bl_label = "Remove Pose"
    bl_options = {"UNDO", "INTERNAL"}

    def execute(self, context: Context) -> Any:
        settings = settings_of(context)
        position = settings.poses.find(settings.reference)
        if position < 0:
            return {"CANCELLED"}
        settings.poses.remove(position)
        settings.reference = settings.poses[max(0, position - 1)].name if len(settings.poses) else ""
        settings.align = settings.align if settings.reference else "AUTO"
        settings.edited = True
        changed()
        return {"FINISHED"}


CLASSES = (
    RETRO_ANIM_OT_retarget_pose,
    RETRO_ANIM_OT_retarget_pose_as_source,
    RETRO_ANIM_OT_retarget_pose_rest,
    RETRO_ANIM_OT_retarget_pose_keep,
    RETRO_ANIM_OT_retarget_pose_remove,
)
"""The poses' operators."""
