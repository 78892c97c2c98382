"""Clips of a file that were written from here before, and are not among those of an export: what it holds of them stays."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ....core.mindpower.files.ranges import Range
from ....core.mindpower.files.skeleton.lab import QUAT, Lab
from ....core.mindpower.files.tables.action_names import action_name
from ....core.mindpower.files.tables.action_table import ActionRow
from ....core.mindpower.motion import timeline, timeline_keys
from ....core.mindpower.motion.timeline import Part, TimeLine
from ....core.reporting import log
from ....core.reporting.labels import first_few
from .table import Rows

Bools = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Saved:
    """A file that was written from here, and is to be replaced. rows: of its character in the action table that goes with it."""

    lab: Lab
    rows: tuple[ActionRow, ...] = ()


@dataclass(frozen=True, eq=False)
class Joined:
    """base: the file that kept keys come from. line: the whole new time line. rows: of the action table, on it."""

    base: Lab
    line: TimeLine
    rows: Rows


def with_saved(
    export: Joined, saved: Saved, parts: Sequence[Part], elsewhere: Collection[Range], present: Collection[int] | None = None
) -> Joined:
    """An export, of `parts`, with what the file that it goes to has of other actions.

    Of the old time line these are the frames for which no part stands, and those that a part leaves as they came in and that actions show
    which are not among the parts: `elsewhere`, their ranges. What was written behind the old time line goes behind all else, and its rows
    with it. All is of the file's kind of keys then. present: the numbers of all actions there are, None where they are not known.
    """
    count, lab = export.base.frame_count, saved.lab
    others = _others(count, parts, elsewhere)
    if not _is_like(export.base, lab):
        if others.any():
            log.warning(
                "the file that was written before has other frames or another version than the one that came in: what it has of other "
                "actions is left out: choose All Actions, to write them as well"
            )
        return export
    base = _in_kind(export.base, lab.key_type)
    rows = _rows_behind(saved, export.rows, count)
    behind = _marked(rows, lab.frame_count)
    if others.any():
        _report_dropped(behind | _marked([row for row in saved.rows if row.number in export.rows.own], lab.frame_count), count)
    if present is not None:
        _report_gone([row.number for row in rows if row.number not in present])
    frames = np.flatnonzero(behind)
    tables = [(here, there[:, :count], there[:, frames]) for here, there in zip(_tables(base), _tables(lab), strict=True)]
    if not len(frames) and all(np.array_equal(here[:, others], there[:, others]) for here, there, _ in tables):
        return export
    mixed = [np.concatenate([np.where(_along(others, here), there, here), more], axis=1) for here, there, more in tables]
    base = base.with_quaternions(mixed[0], mixed[1]) if base.key_type == QUAT else base.with_matrices(mixed[0])
    return Joined(base, _longer(export.line, count, len(frames)), _with_rows(export.rows, rows, len(export.line), behind))


def is_other(base: Lab, saved: Lab, part: Part) -> bool:
    """Whether the file has other frames by now where an action stands for them."""
    if not _is_like(base, saved):
        return False
    own = _frames(part)
    tables = zip(_tables(_in_kind(base, saved.key_type)), _tables(saved), strict=True)
    return not all(np.array_equal(before[:, own], now[:, own]) for before, now in tables)


def _report_gone(numbers: Sequence[int]) -> None:
    """Say which actions the file keeps that are not there any more."""
    if numbers:
        one = len(numbers) == 1
        log.warning(
            f"{first_few([f'{number} {action_name(number)}' for number in numbers], 3)} {'was' if one else 'were'} written into the file "
            f"before, and {'stays' if one else 'stay'} in it, though no action is {'it' if one else 'them'} any more: to leave "
            f"{'it' if one else 'them'} out, move the file away before the export, or export to another one"
        )


def _report_dropped(known: Bools, count: int) -> None:
    """Say how many frames behind the old ones nothing stands for. known: (frames of the file,) of which that is not so."""
    if dropped := int((~known[count:]).sum()):
        log.warning(
            f"{dropped} frames of the file, which were written behind those that came in, are of no action that is known to stay: they are "
            "left out: choose All Actions, to write their clips as well"
        )


def _others(count: int, parts: Sequence[Part], elsewhere: Collection[Range]) -> Bools:
    """(count,) frames of the old time line that are to be as the file has them."""
    others, shown = np.ones(count, np.bool_), np.zeros(count, np.bool_)
    for area in elsewhere:
        shown[area.start : area.end + 1] = True
    for part in parts:
        others[_frames(part)] = False
    free = shown & ~others
    for part in parts:
        if part.fits:
            free[part.frames[part.keys.changed]] = False
        else:
            free[_frames(part)] = False
    return others | free


def _frames(part: Part) -> slice:
    """Of the old time line those that an action stands for."""
    return slice(part.range.start, part.range.end + 1) if part.range is not None else slice(0, 0)


def _is_like(base: Lab, saved: Lab) -> bool:
    """Whether a file still has the bones and the frames of the old time line, whatever comes behind."""
    same = (base.version, base.bone_count) == (saved.version, saved.bone_count) and bool((base.parents == saved.parents).all())
    return same and saved.frame_count >= base.frame_count


def _in_kind(base: Lab, kind: int) -> Lab:
    """With keys of another kind, as an export writes them."""
    return base if base.key_type == kind else timeline_keys.assemble(base, base, (), timeline.join((), base.frame_count), kind)


def _tables(lab: Lab) -> tuple[NDArray[np.float32], ...]:
    """(bones, frames, ...) of its keys."""
    return (lab.positions, lab.quaternions) if lab.key_type == QUAT else (lab.matrices,)


def _along(frames: Bools, table: NDArray[np.float32]) -> Bools:
    """(1, frames, 1...) to choose from such a table."""
    return frames.reshape(1, -1, *(1,) * (table.ndim - 2))


def _rows_behind(saved: Saved, rows: Rows, count: int) -> list[ActionRow]:
    """The rows of actions that were written behind the old frames, and that an export neither has nor knows from the import."""
    known = {(row.number, row.start, row.end) for row in rows.rows}
    return [
        row
        for row in saved.rows
        if count <= row.start <= row.end < saved.lab.frame_count
        and row.number not in rows.own
        and (row.number, row.start, row.end) not in known
    ]


def _marked(rows: Sequence[ActionRow], count: int) -> Bools:
    """(count,) frames that rows name."""
    marked = np.zeros(count, np.bool_)
    for row in rows:
        marked[max(row.start, 0) : row.end + 1] = True
    return marked


def _longer(line: TimeLine, start: int, count: int) -> TimeLine:
    """With `count` more frames at its end, those from `start` on of the file that kept keys come from."""
    none = np.full(count, -1)
    old = np.concatenate([line.old, start + np.arange(count)])
    return replace(line, old=old, part=np.concatenate([line.part, none]), frame=np.concatenate([line.frame, none]))


def _with_rows(rows: Rows, behind: Sequence[ActionRow], start: int, frames: Bools) -> Rows:
    """With rows of which the frames come one after the other from `start` on now. frames: (frames of the file,) which these are."""
    to = start + np.cumsum(frames) - 1

    def moved(row: ActionRow) -> ActionRow:
        keys = tuple(int(to[key]) if row.start <= key <= row.end else key for key in row.keys)
        return replace(row, start=int(to[row.start]), end=int(to[row.end]), keys=keys)

    numbers = {row.number for row in behind}
    return replace(rows, rows=[*(row for row in rows.rows if row.number not in numbers), *map(moved, behind)])
