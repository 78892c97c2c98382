"""Retargeting as an operator: actions in sequence with progress, stopped with Esc; its report in the panel and as JSON."""

from contextlib import suppress
from typing import Any

import bpy
from bpy.props import EnumProperty, IntProperty, StringProperty
from bpy.types import Context, Event, Operator
from bpy_extras.io_utils import ExportHelper

from ...core.reporting.errors import RetroAnimError
from ...core.reporting.labels import counted
from ...core.retarget.options import Options, RetargetOptions
from ..shared import job
from ..shared.declared import with_options
from ..shared.modal import Lasting
from . import NAMES, options_of
from .mapping import lines
from .settings import armatures_of, settings_of


@with_options(Options, RetargetOptions)
class RETRO_ANIM_OT_retarget(Lasting, Operator):
    """Give the source's animations to the target: a new action for each, instead of the last run's; nothing else is changed"""

    bl_idname = "retro_anim.retarget"
    bl_label = "Retarget"
    bl_options = {"UNDO"}

    source: StringProperty(name="Source", description="Empty: the panel's, else the other selected armature", options={"SKIP_SAVE"})
    target: StringProperty(name="Target", description="Empty: the panel's, else the active armature", options={"SKIP_SAVE"})
    actions_from: EnumProperty(name="Actions", items=(("ACTIVE", "Active", ""), ("ALL", "All", ""), ("NAMED", "Named", "")), default="ALL")
    actions: StringProperty(name="Names", description="Names of actions, with * and ?, separated by commas", options={"SKIP_SAVE"})
    map_file: StringProperty(
        name="Bone Map",
        description="JSON; empty: the panel's table, else one accepted before, else by names and structure",
        options={"SKIP_SAVE"},
    )

    doing = "Retargeting"

    def execute(self, context: Context) -> Any:
        from .run import Run

        run = Run(self)
        return run.concluded(context, job.run(self, context, lambda: run.steps(context), summary=run.summary))

    def invoke(self, context: Context, event: Event) -> Any:
        from .run import Run

        run = Run(self)

        def conclude(_operator: Any, now: Context, ended: job.Job[Any]) -> Any:
            return run.concluded(now, job.conclude(self, now, ended, summary=run.summary))

        return self.lasting(context, job.Job(lambda: run.steps(context)), conclude)


class RETRO_ANIM_OT_retarget_list(Operator):
    """List the source's actions to choose from"""

    bl_idname = "retro_anim.retarget_list"
    bl_label = "List Actions"
    bl_options = {"UNDO", "INTERNAL"}

    def execute(self, context: Context) -> Any:
        from .choices import list_choices
        from .mapping import bone_map

        settings = settings_of(context)

        def fill() -> bool:
            list_choices(settings, armatures_of(settings)[0] or bone_map.pick(context)[0], context)
            return True

        return {"FINISHED"} if job.run(self, context, fill, aside=True) else {"CANCELLED"}


class RETRO_ANIM_OT_retarget_swap(Operator):
    """Exchange source and target, with the bone map: the reverse direction"""

    bl_idname = "retro_anim.retarget_swap"
    bl_label = "Exchange Source and Target"
    bl_options = {"UNDO"}

    def execute(self, context: Context) -> Any:
        from .mapping import bone_map, map_table

        settings = settings_of(context)
        result = job.run(self, context, lambda: map_table.read(settings).reversed(), aside=True)
        if result is None:
            return {"CANCELLED"}
        with suppress(RetroAnimError):  # a single one goes to the other field
            bone_map.settle(context)
        settings.source, settings.target = settings.target, settings.source
        map_table.fill(settings, result)
        return {"FINISHED"}


class RETRO_ANIM_OT_retarget_contacts(Operator):
    """Write where feet and hands stand as markers of the source's present action, where they can be moved; retargeting then takes these"""

    bl_idname = "retro_anim.retarget_contacts"
    bl_label = "Mark Contacts"
    bl_options = {"UNDO"}

    def execute(self, context: Context) -> Any:
        from ...io.retarget.reading import markers
        from . import posing
        from .mapping import bone_map

        def mark() -> str:
            with posing.ended(context):
                source, target = bone_map.pick(context)
                present = bone_map.present(context, source, target)
                action, count = markers.mark_contacts(context, source, target, present, options_of(settings_of(context), ()))
            if not count:
                remaining = "its markers are kept" if markers.marks(action) else "no markers"
                return f"nothing stands on the ground for long in {action.name}: {remaining}"
            return f"{counted(count, 'marker')} in {action.name}: seen in the Action Editor with Marker > Show Pose Markers"

        reported = job.run(self, context, mark, aside=True)
        if reported is None:
            return {"CANCELLED"}
        self.report({"INFO"}, reported)
        return {"FINISHED"}


class RETRO_ANIM_OT_retarget_report(lines.JsonFile, Operator, ExportHelper):
    """Save the reports of the last retargeting as JSON"""

    bl_idname = "retro_anim.retarget_report"
    bl_label = "Save Report"

    def execute(self, context: Context) -> Any:
        from ...core.files.disk.disk import check_own, write_file
        from ...core.retarget.reports.report import is_saved, saved
        from ...io.blender import fields

        documents = [fields.grouped(line.document) for line in settings_of(context).reports]

        def save() -> bool:
            path = bpy.path.abspath(self.filepath)
            check_own(path, "a report of retargeting", is_saved)
            write_file(path, saved(documents))
            return True

        return {"FINISHED"} if job.run(self, context, save, aside=True) else {"CANCELLED"}


class RETRO_ANIM_OT_retarget_show(Operator):
    """Show the clip that this line is about on the target, and the one that it follows on the source"""

    bl_idname = "retro_anim.retarget_show"
    bl_label = "Show Source and Result"
    bl_options = {"UNDO", "INTERNAL"}

    index: IntProperty(options={"HIDDEN", "SKIP_SAVE"})

    def execute(self: Any, context: Context) -> Any:
        from .shown_clip import show

        reports = settings_of(context).reports
        if not 0 <= self.index < len(reports):
            return {"CANCELLED"}
        settings_of(context).report = self.index
        shown = job.run(self, context, lambda: show(context, reports[self.index].name), lambda: False)
        return {"CANCELLED"} if shown is None else {"FINISHED"}


def pass_on(operator: Any, settings: Any) -> None:
    """The panel's choices to its button."""
    import json

    for name in NAMES:
        setattr(operator, name, getattr(settings, name))
    operator.actions_from = {"CHOSEN": "NAMED"}.get(settings.actions_from, settings.actions_from)
    if settings.actions_from == "CHOSEN":
        operator.actions = json.dumps([choice.name for choice in settings.choices if choice.chosen])


CLASSES = (
    RETRO_ANIM_OT_retarget,
    RETRO_ANIM_OT_retarget_list,
    RETRO_ANIM_OT_retarget_swap,
    RETRO_ANIM_OT_retarget_contacts,
    RETRO_ANIM_OT_retarget_report,
    RETRO_ANIM_OT_retarget_show,
)
