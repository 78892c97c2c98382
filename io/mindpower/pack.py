"""Tales of Pirates out of Blender: the actions of a character joined to one time line again, with its dummies and its rows of the table."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass

import bpy

from ...core.declare.shared import Sampling, Source
from ...core.mindpower.files.ranges import Range
from ...core.mindpower.files.skeleton.lab import KEY_TYPES, Lab
from ...core.mindpower.files.tables.action_names import action_name
from ...core.mindpower.game import ExportOptions
from ...core.mindpower.motion import timeline, timeline_keys
from ...core.mindpower.motion.timeline import Part
from ...core.reporting import log, progress
from ...core.reporting.errors import ExportError
from ...core.reporting.labels import first_few
from ..blender import identity, source_data
from ..pipeline.destination import questions
from ..pipeline.fidelity.reasons import added_bones
from ..pipeline.out_of_blender import packing
from ..pipeline.out_of_blender.selection import emptied, selection
from . import marks, new_skeleton
from .clips import actions as mindpower_actions
from .clips import table as mindpower_table
from .clips.parts import base_of, part_of, template_of
from .clips.saved import Joined, Saved, is_other, with_saved
from .clips.table import Rows, rows_of
from .figure import figure_read
from .figure.figure import FORMAT, Figure


@dataclass(frozen=True, eq=False)
class Packed:
    """lab, data: the file. actions: the rows of the action table that go with it. figure: the armature, None for one that did not come
    from a file. clips: its actions. untouched: whether the time line is the file's own. new: the bones of an armature that did not come
    from a file."""

    lab: Lab
    data: bytes
    actions: Rows
    figure: Figure | None = None
    clips: tuple[PackedClip, ...] = ()
    untouched: bool = False
    new: new_skeleton.Rig | None = None


@dataclass(frozen=True, eq=False)
class PackedClip:
    """An action as a part of the time line. span: its first and last frame there."""

    action: bpy.types.Action
    part: Part
    span: tuple[int, int]


def pack_lab(context: bpy.types.Context, obj: bpy.types.Object, options: ExportOptions, saved: Saved | None = None) -> Packed:
    """The skeleton file that an armature stands for. saved: what it goes to, where that was written from here. Raises ExportError."""
    return progress.finish(steps(context, obj, options, saved))


def steps(context: bpy.types.Context, obj: bpy.types.Object, options: ExportOptions, saved: Saved | None = None) -> progress.Steps[Packed]:
    """`pack_lab`, clip by clip. Raises StoppedError, too."""
    kind = None if options.key_type == "AUTO" else {name: number for number, name in KEY_TYPES.items()}[options.key_type]
    if not marks.is_figure(obj):
        new = yield from new_skeleton.steps(context, obj, options.source, kind)
        clips = tuple(PackedClip(*clip) for clip in new.clips)
        return Packed(new.lab, new.lab.pack(), Rows(None, 0, new.rows), clips=clips, new=new.rig)
    figure = figure_read.read(obj)
    context.view_layer.update()
    figure_read.check_object(figure)
    parts = yield from _parts(context, figure, options)
    meant = list(parts)
    _report_added(context, figure, meant)
    template = template_of(figure)
    base, joined = base_of(figure, template, list(parts.values()))
    line = timeline.join(joined, figure.frame_count)
    rows = rows_of(figure, joined, meant, line)
    if base is not None and saved is not None:
        others = _siblings(obj, parts)
        _report_replaced(context, figure, options.sampling, parts, others, base, saved.lab)
        own = {(part.range.start, part.range.end) for part in joined if part.range is not None}  # whose frames they stand for alone
        elsewhere = [area for area in others.values() if (area.start, area.end) not in own]
        whole = with_saved(Joined(base, line, rows), saved, joined, elsewhere, _numbers_of_others(obj, parts))
        if kind is None and whole.base.key_type != base.key_type:
            log.warning(
                f"keys are {KEY_TYPES[whole.base.key_type]}, as in the file by now: what was written of other actions stays as it is"
            )
            kind = whole.base.key_type
        base, line, rows = whole.base, whole.line, whole.rows
    lab = timeline_keys.assemble(template, base, joined, line, kind)
    kept = source_data.kept(obj.data)
    data = lab.pack()
    if kept is not None and line.untouched and figure.original is not None and data == figure.original.pack():
        data = kept  # also where its bones come in an order that the game does not like
    clips = tuple(PackedClip(action, part, span) for action, part, span in zip(meant, joined, line.spans, strict=False))
    return Packed(lab, data, rows, figure, clips, line.untouched)


def _siblings(obj: bpy.types.Object, parts: Iterable[bpy.types.Action]) -> dict[bpy.types.Action, Range]:
    """The other actions of an armature that stand for frames of its file, and these."""
    ranges: dict[bpy.types.Action, Range] = {}
    for action in set(bpy.data.actions).difference(parts):
        with suppress(ExportError):  # spoiled: not of this export
            origin = mindpower_actions.origin(action)
            if origin is not None and selection.drives(action, obj):
                ranges[action] = origin.range
    return ranges


def _numbers_of_others(obj: bpy.types.Object, parts: Iterable[bpy.types.Action]) -> set[int] | None:
    """The numbers in the action table of the other actions of an armature; None where one has none yet, and may be any."""
    others = [action for action in set(bpy.data.actions).difference(parts) if selection.drives(action, obj)]
    numbers = [set(marks.numbers_of(action)) for action in others]
    return set[int]().union(*numbers) if all(numbers) else None


def _report_replaced(
    context: bpy.types.Context,
    figure: Figure,
    sampling: Sampling,
    parts: dict[bpy.types.Action, Part],
    others: dict[bpy.types.Action, Range],
    base: Lab,
    saved: Lab,
) -> None:
    """Say which actions that nobody edited take the place of what another, edited one of the same frames was written as."""
    for action, part in parts.items():
        if part.range is None or not is_other(base, saved, part) or _is_edited(action, part):
            continue
        same = [twin for twin, area in others.items() if (area.start, area.end) == (part.range.start, part.range.end)]
        twins = sorted(twin.name for twin in same if _is_edited(twin, part_of(context, figure, twin, sampling)))
        if twins:
            log.warning(
                f"{action.name} was not edited, and takes the place of what {first_few(twins)} "
                f"{'was' if len(twins) == 1 else 'were'} written as: export that instead, or choose As a New Action for one of them"
            )


def _report_added(context: bpy.types.Context, figure: Figure, meant: Iterable[bpy.types.Action]) -> None:
    """Say which bones that somebody added have keys; that the file has none of these at all is reported of those without vertices."""
    carrying = added_bones.of_armature(context, figure.obj).carrying.difference(*figure.names.helpers.values())
    for action in meant:
        with log.about(action.name):
            added_bones.report(figure.obj, action, added_bones.Added(carrying))


def _parts(context: bpy.types.Context, figure: Figure, options: ExportOptions) -> progress.Steps[dict[bpy.types.Action, Part]]:
    """The chosen actions as parts of the time line, one for each range. Raises UndecidedError for two edited ones of the same range."""
    chosen = chosen_actions(context, figure, options.source)
    for action in chosen:
        with packing.about(action):
            emptied.check(figure.obj, action, options.sampling)
        if questions.kept_apart(action.name):
            marks.make_new(action, obj=figure.obj)
    numbers = _numbered(figure, chosen)
    taken: dict[tuple[int, int], bpy.types.Action] = {}
    parts: dict[bpy.types.Action, Part] = {}
    for number, action in enumerate(chosen):
        yield from packing.part(number, len(chosen), action.name)
        with packing.about(action):
            part = part_of(context, figure, action, options.sampling, numbers.get(action, ()))
        if part.range is not None:
            key = part.range.start, part.range.end
            if (rival := taken.get(key)) is not None:
                same = f"{rival.name_full} and {action.name_full} both stand for frames {key[0]} to {key[1]} of the file"
                where = f"{figure.obj.name} {key[0]}-{key[1]}"
                if _is_edited(action, part) and _is_edited(rival, parts[rival]):
                    if not _replaces(action, rival, where, same):
                        continue
                elif not _is_edited(action, part):
                    continue
                else:
                    log.warning(f"{same}: {action.name} is written, as nothing was changed in the other; As a New Action keeps both")
                del parts[rival]
            taken[key] = action
        parts[action] = part
    return parts


def _replaces(action: bpy.types.Action, rival: bpy.types.Action, where: str, problem: str) -> bool:
    """Whether an edited action is meant, and not its rival of the same frames. Raises UndecidedError where nobody has said."""
    answers = [questions.answer_to(each.name, where) for each in (rival, action)]
    if sorted(map(str, answers)) != ["LEAVE", "REPLACE"]:
        problem = f"{problem}: choose As a New Action for one of them, or delete it"
        raise questions.UndecidedError(
            [
                questions.Question(rival.name, where, problem, ("REPLACE", "NEW", "LEAVE")),
                questions.Question(action.name, where, problem, ("NEW", "REPLACE", "LEAVE")),
            ]
        )
    return answers[1] == "REPLACE"


def _is_edited(action: bpy.types.Action, part: Part) -> bool:
    """Whether an action holds anything else than the frames that it came from."""
    origin = mindpower_actions.origin(action)
    if origin is None or not part.in_place or part.keys.changed.any():
        return True
    return any(mindpower_actions.key_changes(action, origin.timing, origin.keys))


def chosen_actions(context: bpy.types.Context, figure: Figure, source: Source) -> list[bpy.types.Action]:
    """The actions of the armature that are meant, in the order of their frames in the file, new ones last."""
    obj, new = figure.obj, [selection.NEW] if source in selection.WHOLE else []
    candidates = [action for _, action in selection.chosen_actions(context, source, FORMAT, *new, objects=[obj])]
    own = (action for action in bpy.data.actions if mindpower_actions.moves_bones(action) and selection.drives(action, obj))
    if source == "ACTIVE" and not candidates and any(own):
        log.warning(f"{obj.name} has no active action, and its NLA plays nothing, so that no action is written: choose one, or All Actions")
    chosen: list[bpy.types.Action] = []
    for action in candidates:
        with packing.about(action):
            fresh = mindpower_actions.origin(action) is None
        if fresh and not mindpower_actions.moves_bones(action):
            log.warning(f"{action.name} moves no bone: it is left out: choose an action of the armature's own")
        else:
            chosen.append(action)

    def order(action: bpy.types.Action) -> tuple[float, float, str]:
        origin = mindpower_actions.origin(action)
        return (origin.range.start, origin.range.end, "") if origin is not None else (float("inf"), 0.0, action.name)

    return sorted(dict.fromkeys(chosen), key=order)


def _numbered(figure: Figure, actions: list[bpy.types.Action]) -> dict[bpy.types.Action, tuple[int, ...]]:
    """The numbers in the action table of the actions that were made in Blender; one without gets what its name means, or the first free.

    Raises ExportError for two with the same number.
    """
    fresh = [action for action in actions if mindpower_actions.origin(action) is None]
    numbers = {action: () if identity.FURTHER in action else marks.numbers_of(action) for action in fresh}  # a further clip has none yet
    owners: dict[int, bpy.types.Action] = {}
    for action, number in ((action, number) for action, own in numbers.items() for number in own):
        if owners.setdefault(number, action) != action:
            raise ExportError(f"{owners[number].name} and {action.name} both have the number {number} of the action table")
    table, kind = mindpower_table.table_of(figure.obj)
    taken = set(owners) | {row.number for row in (table.of_type(kind) if table is not None else ()) if not row.unused}
    taken |= {number for action in actions if action not in numbers for number in marks.numbers_of(action)}
    free = mindpower_actions.free_numbers([action for action in fresh if not numbers[action]], taken)
    numbers |= {action: (number,) for action, number in free.items()}
    _say_free(free)
    return numbers


def _say_free(free: dict[bpy.types.Action, int]) -> None:
    """Which numbers actions get that have none: in one message, since the clips of a retargeted character are many."""
    if len(free) == 1:
        ((action, number),) = free.items()
        log.warning(
            f"{action.name} has no number in the action table: it is written as {number} {action_name(number)}: give it another under "
            "Numbers in the side panel if it is none"
        )
    elif free:
        written = ", ".join(f"{number} {action_name(number)} ({action.name})" for action, number in free.items())
        log.warning(
            f"{len(free)} actions have no number in the action table: they are written as {written}: give those others under Numbers in "
            "the side panel that are none"
        )
