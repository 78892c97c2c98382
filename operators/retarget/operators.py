"""Retargeting as an operator: actions in sequence with progress, stopped with Esc; its report in the panel and as JSON."""

import fnmatch
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import bpy
from bpy.props import EnumProperty, StringProperty
from bpy.types import Context, Event, Object, Operator
from bpy_extras.io_utils import ExportHelper

from ...core.reporting.errors import RetroAnimError
from ...core.reporting.labels import counted
from ...core.retarget.options import Options, RetargetOptions
from ..shared import job
from ..shared.declared import with_options
from ..shared.modal import Lasting
from . import NAMES, options_of, posing, preview
from . import bone_map as retarget_map
from .settings import armatures_of, list_choices, settings_of

if TYPE_CHECKING:
    from ...core.reporting import progress
    from ...core.retarget.figures.bone_map import BoneMap
    from ...core.retarget.reports.report import Report
    from ...io.retarget import retarget


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

    if TYPE_CHECKING:  # at run time Blender would read it
        _pair: tuple[str, str]
    doing = "Retargeting"
    _pair = "", ""

    def execute(self, context: Context) -> Any:
        result = job.run(self, context, lambda: self._steps(context), summary=lambda result: summary(result.reports, result.replaced))
        return {"CANCELLED"} if result is None else self._reported(context, result)

    def invoke(self, context: Context, event: Event) -> Any:
        def conclude(_operator: Any, now: Context, ended: "job.Job[retarget.Retargeted]") -> Any:
            result = job.conclude(self, now, ended, summary=lambda result: summary(result.reports, result.replaced))
            return {"CANCELLED"} if result is None else self._reported(now, result)

        return self.lasting(context, job.Job(lambda: self._steps(context)), conclude)

    def _prepare(self, context: Context) -> "tuple[retarget.Job, list[str] | list[None]]":
        """The work, and the names of actions; None for what the NLA shows."""
        from ...io.retarget import retarget

        preview.stop()
        posing.leave(context)
        source, target = retarget_map.pick(context, self.source, self.target)
        self._pair = source.name, target.name
        bone_map = self._map(context, source, target)
        options = options_of(self, ())
        chosen = [] if options.nla else self._chosen(source)
        running = retarget.Job(context, source, target, bone_map, replace(options, actions=tuple(chosen)))
        return running, [None] if options.nla else chosen

    def _steps(self, context: Context) -> "progress.Steps[retarget.Retargeted]":
        """Action by action; stopped, it keeps those that are done."""
        from ...core.reporting import log, progress
        from ...io.blender import scene
        from ...io.retarget.reading.source_actions import slots_as_actions

        with scene.edits_taken(context):
            running, chosen = self._prepare(context)
            with slots_as_actions(running.source, [name for name in chosen if name is not None]):
                for number, name in enumerate(chosen):
                    if (yield progress.Step(number, len(chosen), name or "NLA")):
                        log.warning(f"stopped after {number} of {len(chosen)} actions")
                        break
                    action = None if name is None else bpy.data.actions.get(name)
                    if action is not None or name is None:
                        running.step(action)
                return running.finish()

    def _chosen(self, source: Object) -> list[str]:
        """Names of actions. Raises RetroAnimError when there is none."""
        from ...io.retarget.reading import source_actions

        if self.actions_from == "ACTIVE" and not self.actions:
            return [action.name for action in source_actions.chosen_actions(source, ())]
        names = source_actions.clip_names(source)
        if self.actions or self.actions_from == "NAMED":
            names = named(self.actions, names)
        if not names and self.actions in ("", "[]"):
            raise RetroAnimError("no action is ticked" if self.actions_from == "NAMED" else f"{source.name} has no action")
        if not names:
            raise RetroAnimError(f"{source.name} has no action {self.actions}")
        return names

    def _map(self, context: Context, source: Object, target: Object) -> "BoneMap":
        """The map to use; the panel shows it, and one that a person made is remembered."""
        from ...core.retarget.figures import map_library
        from . import map_table

        settings = settings_of(context)
        if self.map_file:
            bone_map = map_library.load(self.map_file)
            settings.source, settings.target = source, target
            map_table.fill(settings, bone_map)
            return bone_map
        bone_map = retarget_map.present(context, source, target)
        if settings.edited:
            bone_map = retarget_map.printed(bone_map, source, target)
            retarget_map.remember(bone_map)
        return bone_map

    def _reported(self, context: Context, result: "retarget.Retargeted") -> Any:
        import json

        from ...io.blender import identity
        from ..clips import names, states

        settings = settings_of(context)
        settings.reports.clear()
        source, target = self._pair
        if (obj := bpy.data.objects.get(target)) is not None and identity.game_of(obj) is not None:
            states.new(result.actions)
        for action, report in zip(result.actions, result.reports, strict=True):
            line = settings.reports.add()
            line.title = names.short_name(action, bpy.data.objects.get(target)).removesuffix(f" of {source}")  # all are of it
            line.name, line.lines, line.document = action.name, "\n".join(report.lines()), json.dumps(report.document())
            line.reasons, line.is_good = "\n".join(report.reasons()), report.is_good
        settings.report = 0
        return {"FINISHED"}


def named(text: str, names: list[str]) -> list[str]:
    """Those of the names that a list of names or patterns means; a name may itself hold commas, and so may those of a list as JSON."""
    import json

    if text in names:
        return [text]
    try:
        listed = json.loads(text)
    except (ValueError, RecursionError):
        listed = None
    if isinstance(listed, list):
        return [name for name in names if name in listed]
    wanted = [part.strip() for part in text.split(",") if part.strip()]
    return [name for name in names if any(name == part or fnmatch.fnmatchcase(name, part) for part in wanted)]


def summary(reports: "list[Report]", replaced: int = 0) -> str:
    """One line about all of them. replaced: how many have replaced actions of the last run."""
    if not reports:
        return "nothing was retargeted"
    frames, seconds = sum(report.frames for report in reports), sum(report.seconds for report in reports)
    worst = max(report.limb_max for report in reports)
    skate = max(report.skate for report in reports)
    many = f"{len(reports)} actions, " if len(reports) > 1 else ""
    many += f"{replaced} instead of the last run's, " if replaced else ""
    work = f"{many}{counted(frames, 'frame')} in {seconds:.2f} s"
    return f"{work}; limbs within {max(worst, 1e-3):.2g}°, feet slide {skate:.3f} leg lengths/s at most"


class RETRO_ANIM_OT_retarget_list(Operator):
    """List the source's actions to choose from"""

    bl_idname = "retro_anim.retarget_list"
    bl_label = "List Actions"
    bl_options = {"UNDO", "INTERNAL"}

    def execute(self, context: Context) -> Any:
        settings = settings_of(context)

        def fill() -> bool:
            list_choices(settings, armatures_of(settings)[0] or retarget_map.pick(context)[0])
            return True

        return {"FINISHED"} if job.run(self, context, fill) else {"CANCELLED"}


class RETRO_ANIM_OT_retarget_contacts(Operator):
    """Write where feet and hands stand as markers of the source's present action, where they can be moved; retargeting then takes these"""

    bl_idname = "retro_anim.retarget_contacts"
    bl_label = "Mark Contacts"
    bl_options = {"UNDO"}

    def execute(self, context: Context) -> Any:
        from ...io.retarget.reading import markers

        def mark() -> str:
            source, target = retarget_map.pick(context)
            bone_map = retarget_map.present(context, source, target)
            return f"{markers.mark_contacts(context, source, target, bone_map, options_of(settings_of(context), ()))} markers"

        reported = job.run(self, context, mark)
        if reported is None:
            return {"CANCELLED"}
        self.report({"INFO"}, reported)
        return {"FINISHED"}


class RETRO_ANIM_OT_retarget_report(retarget_map.JsonFile, Operator, ExportHelper):
    """Save the reports of the last retargeting as JSON"""

    bl_idname = "retro_anim.retarget_report"
    bl_label = "Save Report"

    def execute(self, context: Context) -> Any:
        from ...core.files.disk import check_own, write_file
        from ...core.retarget.reports.report import is_saved, saved
        from ...io.blender import fields

        documents = [fields.grouped(line.document) for line in settings_of(context).reports]

        def save() -> bool:
            path = bpy.path.abspath(self.filepath)
            check_own(path, "a report of retargeting", is_saved)
            write_file(path, saved(documents))
            return True

        return {"FINISHED"} if job.run(self, context, save) else {"CANCELLED"}


def pass_on(operator: Any, settings: Any) -> None:
    """The panel's choices to its button."""
    import json

    for name in NAMES:
        setattr(operator, name, getattr(settings, name))
    operator.actions_from = {"CHOSEN": "NAMED"}.get(settings.actions_from, settings.actions_from)
    if settings.actions_from == "CHOSEN":
        operator.actions = json.dumps([choice.name for choice in settings.choices if choice.chosen])


CLASSES = (RETRO_ANIM_OT_retarget, RETRO_ANIM_OT_retarget_list, RETRO_ANIM_OT_retarget_contacts, RETRO_ANIM_OT_retarget_report)
