"""Clips written back to where they came from: the chosen ones, all at once, and what that would change."""

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

import bpy
from bpy.props import BoolProperty, EnumProperty
from bpy.types import Context, Event, Operator

from ...core.declare.shared import SAMPLINGS, SOURCES, Source
from ...core.reporting.labels import counted, line
from ...io.blender import identity
from ..shared import decide, job, messages, modal
from ..shared.layout import allowed
from ..shared.panel import active_action, animated
from . import chosen_clips, states

TEXT = "What Would Change"
"""The text data-block with what was found."""


class RETRO_ANIM_OT_save_clips(modal.InWindow, Operator):
    """Write the clip back to the file or entry that it goes to; nothing else of an archive changes"""

    bl_idname = "retro_anim.save_clips"
    bl_label = "Save"

    ticked: BoolProperty(name="Ticked", description="All ticked clips of the character instead of the one that is shown")

    @classmethod
    def description(cls, _context: Context, properties: Any) -> str:
        every = "Write all ticked clips, each back to the file or entry that it goes to, or none where one is refused"
        return every if properties.ticked else ""  # the class's own

    def invoke(self: Any, context: Context, event: Event) -> Any:
        self.in_window = True
        return self.execute(context) if self.ticked else self._asked(context) or self.execute(context)

    def _asked(self: Any, context: Context) -> Any:
        """Of a clip that no file can take yet, as one of a level or a new one: where it goes is asked, by its game's exporter."""
        from ...io.pipeline.destination import targets
        from ...io.pipeline.out_of_blender import clips_by_file

        action, obj = active_action(context), animated(context)
        game = identity.game_of(action) or identity.game_of(obj) if action is not None and obj is not None else None
        if game is None or not game.holding("clip") or clips_by_file.has_home(game, action):
            return None
        home = targets.home(action)
        reason = game.refused.get(Path(home).suffix.lower(), "") or "no file has it yet: name one"
        self.report({"INFO"}, line(f"{action.name}: {reason}"))
        messages.begun(self, getattr(bpy.ops.export_anim, game.id))
        return {"CANCELLED"}

    @classmethod
    def poll(cls, context: Context) -> bool:
        return allowed(cls, animated(context) is not None, "Needs an active object whose clips are saved")

    def execute(self: Any, context: Context) -> Any:
        names = [action.name for action in chosen_clips(context, self.ticked)]
        return decide.save_clips(self, context, names, [] if self.in_window else None)


class RETRO_ANIM_OT_what_would_change(modal.InWindow, Operator):
    """Say what an export would change in each clip's file, and where the game would not show what Blender shows; nothing is written"""

    bl_idname = "retro_anim.what_would_change"
    bl_label = "What Would Change"

    source: EnumProperty(name="Source", items=[(each.id, each.label, each.help) for each in SOURCES], default="ALL")
    sampling: EnumProperty(name="Sampling", items=[(each.id, each.label, each.help) for each in SAMPLINGS], default="KEYS")

    def execute(self: Any, context: Context) -> Any:
        check = job.Job(partial(checked, context, self.source, self.sampling, self.in_window))
        return modal.run_or_begin(self, context, check, _report, "Checking", self.in_window)


def checked(context: Context, source: Source, sampling: str, in_window: bool = False) -> Any:
    """Clip by clip what an export would change; returns it. Nothing is written. in_window: whether a person sees the pose."""
    from ...core.reporting import log
    from ...core.reporting.errors import ExportError
    from ...io.pipeline.out_of_blender import preview
    from ..shared import unkeyed

    posed = unkeyed.of_scene(context) if in_window else {}
    changes = yield from preview.steps(context, source, sampling=sampling)
    for change in changes:
        with log.about(change.action or change.armature):
            if change.state == "refused":
                log.warning(f"refused: {ExportError(_reasons(change))}")
            elif change.state != "unchanged":
                log.info(change.would)
    unkeyed.report(posed, unkeyed.clips_of(changes))
    if changes and all(change.state == "unchanged" for change in changes):
        log.info(f"nothing would change: {counted(len(changes), 'clip')} as in the file")
    return changes


def _reasons(change: Any) -> list[str]:
    """Why a clip is refused, without its name, which is said before."""
    return [text.removeprefix(f"{change.action or change.armature}: ") for text in change.messages]


def know(changes: Iterable[Any]) -> None:
    """The list of clips shows what was found of each."""
    states.know({change.action: change.state for change in changes if change.action})


def _report(operator: Any, context: Context, ended: job.Job[Any]) -> Any:
    from ...io.pipeline.changes import Exported

    listed = job.conclude(operator, context, ended)
    if listed is None:
        return {"CANCELLED"}
    if not listed:
        what = "select an imported character; a clip on another rig stays in the .blend: retarget it onto one"
        operator.report({"WARNING"}, f"there is no clip of a game: {what}")
        return {"CANCELLED"}
    know(listed)
    text = bpy.data.texts.get(TEXT) or bpy.data.texts.new(TEXT)
    text.from_string("".join(f"{line}\n" for change in listed for line in (change.line, *(f"    {each}" for each in change.messages))))
    refused = [_reasons(change)[0] for change in listed if change.state == "refused" and change.messages]
    reason = f": {refused[0]}" if len(set(refused)) == 1 else ""
    summary = Exported([], [], [], listed, [], dry=True).summary
    operator.report({"WARNING" if refused else "INFO"}, line(f"{summary}{reason}; all clips are in the text '{TEXT}'"))
    return {"FINISHED"}


class RETRO_ANIM_OT_export_everything(modal.InWindow, Operator):
    """Write every clip of all characters to the file or entry that it belongs to; what was not edited stays as it is"""

    bl_idname = "retro_anim.export_everything"
    bl_label = "Export Everything"

    source: EnumProperty(name="Source", items=[(each.id, each.label, each.help) for each in SOURCES], default="SCENE")
    sampling: EnumProperty(name="Sampling", items=[(each.id, each.label, each.help) for each in SAMPLINGS], default="KEYS")

    def execute(self: Any, context: Context) -> Any:
        options = {"source": self.source, "sampling": self.sampling}
        return decide.export(self, context, None, "", options, [] if self.in_window else None)


CLASSES = (RETRO_ANIM_OT_save_clips, RETRO_ANIM_OT_what_would_change, RETRO_ANIM_OT_export_everything)
