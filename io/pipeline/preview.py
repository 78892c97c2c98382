"""What an export of every clip would do, each to the file or entry that it belongs to; nothing is written."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from typing import Any

import bpy

from ...core.declare.shared import Source
from ...core.reporting.errors import RetroAnimError
from ..blender import source_data
from . import clips, exporting, homes, settling, writing
from .changes import Change
from .exporting import Writer


def what_would_change(context: bpy.types.Context, source: Source, **values: Any) -> list[Change]:
    """The clips of all games that `source` means. values: further export options, by name; what is none of a game's is left out."""
    with tempfile.TemporaryDirectory() as nowhere, clips.for_export():
        own = {**values, "dry_run": True}
        return [change for part in homes.parts(context, source, own, nowhere) for change in _planned(part.writer, part.nowhere)]


def _planned(writer: Writer[Any, Any], nowhere: bool) -> list[Change]:
    try:
        plan = exporting.planned(writer)
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
