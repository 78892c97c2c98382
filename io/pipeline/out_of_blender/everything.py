"""All clips of a whole scene in one go, each to the file or entry that it belongs to: all of them, or none."""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from typing import Any

import bpy

from ....core.declare.shared import Source
from ....core.reporting import log, progress
from ....core.reporting.errors import ExportError
from ....core.reporting.labels import counted_from
from ...blender import identity
from ..changes import Exported
from ..destination import writing
from . import clips_by_file, exporting
from .exporting import Plan
from .selection import clips
from .writer import Writer


def export_everything(context: bpy.types.Context, source: Source = "SCENE", **values: Any) -> Exported:
    """The clips of all games that `source` means, those that belong to no file yet are reported and left out. values: further export
    options, by name; what is none of a game's is left out. Raises RetroAnimError, with nothing written, as the export of one file does."""
    return progress.finish(steps(context, source, **values))


def steps(context: bpy.types.Context, source: Source = "SCENE", **values: Any) -> progress.Steps[Exported]:
    """`export_everything`, clip by clip. Raises StoppedError, with nothing written, where it is stopped."""
    with ExitStack() as inside:
        nowhere = inside.enter_context(tempfile.TemporaryDirectory())
        inside.enter_context(clips.for_export(context))
        said = inside.enter_context(log.heard())
        plans: list[tuple[Writer[Any, Any], Plan]] = []
        taken: set[str] = set()
        for writer, homeless in clips_by_file.parts(context, source, values, nowhere):
            taken.update(action.name for _, action in writer.subjects if action is not None and action.library is None)
            if homeless:
                with log.about(_named(writer)):
                    log.warning(f"{clips_by_file.why_nowhere(writer)}: name a file in Goes To, or export it by itself")
            else:
                plan = yield from exporting.planned(writer)
                plans.append((writer, plan))
        if not plans:
            raise ExportError("there is no clip that belongs to a file: import a character first, or export to a file")
        if source == "SCENE" and (others := [name for name in _with_files() if name not in taken]):
            why = "no armature of the scene plays that: its character is in another scene, or gone"
            remedy = "export it there, or import the character again"
            log.info(f"{counted_from(others[0], len(others), 'clip')}: left out, since {why}: {remedy}")
        if not values.get("dry_run"):
            writing.joined([plan.settled for _, plan in plans]).check()
        return Exported.together(exporting.write_all(plans), said.digest("WARNING"))


def _with_files() -> list[str]:
    """The actions of this .blend that belong to files; not of games that keep all clips of a character in one, which has an armature."""
    known = ((action, identity.game_of(action)) for action in bpy.data.actions if action.library is None)
    return [action.name for action, game in known if game is not None and game.holding("clip") and clips_by_file.has_home(game, action)]


def _named(writer: Writer[Any, Any]) -> str:
    obj, action = writer.subjects[0]
    return counted_from((obj if action is None else action).name, len(writer.subjects), "clip")
