"""The export of every game: pack each subject, decide where it goes, refuse what would be a loss, and only then write."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import bpy

from ....core.declare.shared import ExportOptions
from ....core.reporting import log, progress
from ....core.reporting.errors import ExportError
from ....core.reporting.progress import Steps
from ...blender import scene
from ...blender.motion import actions
from .. import changes
from ..changes import Change, Exported, Item, Subject
from ..destination import settling, writing
from ..destination.writing import Output
from . import left_meshes
from .packing import packed
from .selection import clips
from .writer import Writer


def export(kind: type[Writer[Any, Any]], context: bpy.types.Context, options: ExportOptions) -> Exported:
    """`run` for a game's writer, whatever is made for the export alone removed afterwards."""
    return progress.finish(export_steps(kind, context, options))


def export_steps(kind: type[Writer[Any, Any]], context: bpy.types.Context, options: ExportOptions) -> Steps[Exported]:
    """`export`, subject by subject."""
    rate = scene.fps(context.scene) if options.fps_from == "SCENE" else None
    with clips.for_export(context), actions.played_at(rate):
        with log.heard() as said:
            writer = kind(context, options)
        exported = yield from steps(writer)
        return replace(exported, warnings=[*said.digest("WARNING"), *exported.warnings])


def run(writer: Writer[Any, Any]) -> Exported:
    """What is written, or is on the disk already. Raises RetroAnimError, with nothing written, when a subject holds what the game cannot,
    two of them go to the same file or entry, or something would be lost; in a dry run these are changes that are refused."""
    return progress.finish(steps(writer))


def steps(writer: Writer[Any, Any]) -> Steps[Exported]:
    """`run`, subject by subject. Raises StoppedError, with nothing written, where it is stopped."""
    with log.heard() as said:
        plan = yield from planned(writer)
        if not writer.options.dry_run:
            plan.settled.check()
        exported = write(writer, plan)
    return replace(exported, warnings=said.digest("WARNING"))


def write(writer: Writer[Any, Any], plan: Plan) -> Exported:
    """Carries out a plan of which nothing is refused, but in a dry run; without the warnings."""
    return write_all([(writer, plan)])[0]


def write_all(parts: Sequence[tuple[Writer[Any, Any], Plan]]) -> list[Exported]:
    """Carries out several plans as `write`: all of their files are written, or none."""
    real = [(writer, plan) for writer, plan in parts if not writer.options.dry_run]
    outputs = [output for _, plan in real for output in plan.outputs]
    writers = {output.path: writer for writer, plan in real for output in plan.outputs}
    settled = writing.joined([plan.settled for _, plan in real])
    writing.write_files(outputs, settled, lambda path, entries: writers[path].merged(path, entries))
    return [_exported(writer, plan) for writer, plan in parts]


def _exported(writer: Writer[Any, Any], plan: Plan) -> Exported:
    written, unchanged = ({output.where for output in part} for part in (plan.settled.changed, plan.settled.unchanged))
    paths = plan.settled.addresses(plan.outputs)
    return Exported(
        paths,
        [path for path in paths if path in written],
        [path for path in paths if path in unchanged],
        plan.changes,
        [],
        writer.options.dry_run,
    )


class Plan(NamedTuple):
    """An export before anything is written."""

    outputs: list[Output]
    settled: writing.Settled
    changes: list[Change]


def planned(writer: Writer[Any, Any]) -> Steps[Plan]:
    """Everything but the writing. Raises RetroAnimError as `run`, and StoppedError."""
    if not writer.subjects:
        raise writer.without_subject()
    dry = writer.options.dry_run
    items, refused = yield from packed(writer, dry)
    outputs, more = _outputs(writer, items, dry)
    left_meshes.report(writer.context, (obj for obj, _ in writer.subjects), outputs, gone=not writer.has_meshes)
    left_meshes.report_weights(writer.context, items, outputs)
    settled = settling.settle(outputs, writer.options.overwrite)
    return Plan(outputs, settled, changes.listed(items, outputs, settled, refused | more))


def _outputs(writer: Writer[Any, Any], items: list[Item], dry: bool) -> tuple[list[Output], dict[Subject, ExportError]]:
    """Where the subjects go; and those that go nowhere, where that is no error: if it is none of them alone, all of them."""
    try:
        return (writer.outputs([item.packed for item in items]) if items else []), {}
    except ExportError as error:
        if not dry:
            raise
        problem = error
    refused: dict[Subject, ExportError] = {}
    for item in items:
        try:
            writer.outputs([item.packed])
        except ExportError as error:
            refused[item.obj, item.action] = error
    left = [item for item in items if (item.obj, item.action) not in refused]
    if not refused:
        return [], {(item.obj, item.action): problem for item in items}
    outputs, more = _outputs(writer, left, dry)
    return outputs, refused | more
