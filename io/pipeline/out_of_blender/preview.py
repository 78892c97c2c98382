"""What an export of every clip would do, each to the file or entry that it belongs to; nothing is written."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from typing import Any

import bpy

from ....core.declare.shared import Source
from ....core.reporting import log, progress
from ....core.reporting.errors import RetroAnimError
from ...blender import source_data
from ..changes import Change
from ..destination import settling, writing
from . import clips_by_file, exporting
from .selection import clips
from .writer import Writer


def what_would_change(context: bpy.types.Context, source: Source, **values: Any) -> list[Change]:
    """The clips of all games that `source` means. values: further export options, by name; what is none of a game's is left out."""
    return progress.finish(steps(context, source, **values))


def steps(context: bpy.types.Context, source: Source, **values: Any) -> progress.Steps[list[Change]]:
    """`what_would_change`, clip by clip. Stopped, it returns what it knows by then."""
    changes: list[Change] = []
    with tempfile.TemporaryDirectory() as nowhere, clips.for_export(context):
        own = {**values, "dry_run": True}
        for part in clips_by_file.parts(context, source, own, nowhere):
            try:
                changes += yield from _planned(part.writer, part.nowhere)
            except progress.StoppedError:
                log.warning("stopped: only the clips of the files before are known")
                break
    return changes


def _planned(writer: Writer[Any, Any], nowhere: bool) -> progress.Steps[list[Change]]:
    try:
        plan = yield from exporting.planned(writer)
    except progress.StoppedError:
        raise
    except RetroAnimError as error:
        names = [(action.name if action is not None else "", obj.name) for obj, action in writer.subjects]
        return [Change(action, obj, "", "refused", messages=(str(error),)) for action, obj in names]
    if not nowhere:
        return plan.changes
    edited = {output.where: _state(output) for output in plan.outputs}
    return [
        change if change.state == "refused" else replace(change, target="", state=edited.get(change.target, "new"))
        for change in plan.changes
    ]


def _state(output: writing.Output) -> Any:
    """Of what has no file to be written to."""
    if output.block is None or source_data.kept(output.block) is None:
        return "new"
    return "changed" if settling.edited(output) else "unchanged"
