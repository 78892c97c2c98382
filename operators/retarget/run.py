"""A run of retargeting: which actions, by which map, one after the other, and what is reported of them."""

from __future__ import annotations

import fnmatch
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import bpy
from bpy.types import Context, Object

from ...core.reporting.errors import RetroAnimError
from ...core.reporting.labels import counted, natural
from ...io.blender import identity
from ..clips import states
from ..shared import clip_names
from . import options_of, posing, preview
from .mapping import bone_map as retarget_map
from .settings import settings_of

if TYPE_CHECKING:
    from ...core.reporting import progress
    from ...core.retarget.figures.maps.bone_map import BoneMap
    from ...core.retarget.reports.report import Report
    from ...io.retarget import retarget


class Run:
    """given: the operator, with what it was given. pair: the names of source and target."""

    def __init__(self, given: Any) -> None:
        self.given = given
        self.pair = "", ""

    def _prepare(self, context: Context) -> tuple[retarget.Job, list[str] | list[None]]:
        """The work, and the names that mean actions for the source; None for what the NLA shows."""
        from ...io.retarget import retarget

        preview.stop()
        source, target = retarget_map.pick(context, self.given.source, self.given.target)
        self.pair = source.name, target.name
        bone_map = self._map(context, source, target)
        options = options_of(self.given, ())
        chosen = [] if options.nla else self._chosen(source)
        running = retarget.Job(context, source, target, bone_map, replace(options, actions=tuple(chosen)))
        return running, [None] if options.nla else chosen

    def steps(self, context: Context) -> progress.Steps[retarget.Retargeted]:
        """Action by action; stopped, it keeps those that are done. Where it fails, a reference pose is shown again as it was posed."""
        from ...core.reporting import log, progress
        from ...io.blender import scene
        from ...io.retarget.reading.source_actions import by_name, slots_as_actions

        with scene.edits_taken(context), posing.ended(context):
            running, chosen = self._prepare(context)
            with slots_as_actions(running.source, [name for name in chosen if name is not None]):
                keys = {name: identity.key_of(action) for name, action in by_name().items()}
                with running.all_or_none():
                    for number, name in enumerate(chosen):
                        if (yield progress.Step(number, len(chosen), name or "NLA")):
                            log.warning(f"stopped after {number} of {len(chosen)} actions")
                            break
                        action = None if name is None else identity.action_of(keys[name])
                        if action is not None or name is None:
                            running.step(action)
                return (yield from running.finish())

    def _chosen(self, source: Object) -> list[str]:
        """Names of actions. Raises RetroAnimError when there is none."""
        from ...io.retarget.reading import source_actions

        if self.given.actions_from == "ACTIVE" and not self.given.actions:
            known = source_actions.by_name()
            return [source_actions.name_of(action, known) for action in source_actions.chosen_actions(source, ())]
        names = source_actions.clip_names(source)
        if self.given.actions or self.given.actions_from == "NAMED":
            names = named(self.given.actions, names)
        if not names and self.given.actions in ("", "[]"):
            raise RetroAnimError("no action is ticked" if self.given.actions_from == "NAMED" else f"{source.name} has no action")
        if not names:
            raise RetroAnimError(f"{source.name} has no action {self.given.actions}")
        return names

    def _map(self, context: Context, source: Object, target: Object) -> BoneMap:
        """The map to use; the panel shows it, and one that a person made is remembered."""
        from ...core.retarget.figures.maps import map_library
        from .mapping import map_table

        settings = settings_of(context)
        if self.given.map_file:
            bone_map = map_library.load(self.given.map_file)
            settings.source, settings.target = source, target
            map_table.fill(settings, bone_map)
            return bone_map
        bone_map = retarget_map.present(context, source, target)
        if settings.edited:
            bone_map = retarget_map.printed(bone_map, source, target)
            retarget_map.remember(bone_map)
        return bone_map

    def concluded(self, context: Context, result: retarget.Retargeted | None) -> Any:
        """Its reports in the panel. result: None where nothing came of it."""
        if result is None:
            return {"CANCELLED"}

        settings = settings_of(context)
        settings.reports.clear()
        source, target = self.pair
        if (obj := bpy.data.objects.get(target)) is not None and identity.game_of(obj) is not None:
            states.new(result.actions)
        titles = [clip_names.short_name(action, obj).removesuffix(f" of {source}") for action in result.actions]  # all are of it
        listed = sorted(zip(titles, result.actions, result.reports, strict=True), key=lambda each: natural(each[0]))
        for title, action, report in listed:
            line = settings.reports.add()
            line.title, line.name, line.lines, line.document = title, action.name, "\n".join(report.lines()), json.dumps(report.document())
            line.reasons, line.is_good = "\n".join(report.reasons()), report.is_good
        settings.report = next((number for number, line in enumerate(settings.reports) if not line.is_good), 0)
        return {"FINISHED"}

    def summary(self, result: retarget.Retargeted) -> str:
        return summary(result.reports, result.replaced)


def named(text: str, names: list[str]) -> list[str]:
    """Those of the names that a list of names or patterns means; a name may itself hold commas, and so may those of a list as JSON."""
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


def summary(reports: list[Report], replaced: int = 0) -> str:
    """One line about all of them. replaced: how many have replaced actions of the last run."""
    if not reports:
        return "nothing was retargeted"
    frames, seconds = sum(report.frames for report in reports), sum(report.seconds for report in reports)
    worst = max(report.limb_max for report in reports)
    skate = max(report.skate for report in reports)
    many = f"{len(reports)} actions, " if len(reports) > 1 else ""
    many += f"{replaced} instead of the last run's, " if replaced else ""
    work = f"{many}{counted(frames, 'frame')} in {seconds:.2f} s"
    if doubtful := sum(not report.is_good for report in reports):
        work += f"; {counted(doubtful, 'action')} to look at, see Report"
    return f"{work}; limbs within {max(worst, 1e-3):.2g}°, feet slide {skate:.3f} leg lengths/s at most"
