"""Joining actions to one long time line again: no frame of the file ever moves, since other characters and tables know it by its number."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...reporting import log
from ...reporting.errors import ExportError
from ..files.ranges import Range, Row
from .update import Keys

Frames = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Part:
    """An action to export. range: the frames of the old time line that it stands for, None for a new one. keys: what is there now.

    name: for messages. rows: of the action table that only this action knows. start: its first frame, counted from that of its range.
    """

    name: str
    keys: Keys
    range: Range | None = None
    rows: tuple[Row, ...] = ()
    start: int = 0

    def __len__(self) -> int:
        return len(self.keys.old)

    @property
    def in_place(self) -> bool:
        """Whether its frames are those of its range, one for one."""
        return self.range is not None and self.start == 0 and len(self) == len(self.range)

    @property
    def fits(self) -> bool:
        """Whether its frames are some or all of those of its range."""
        return self.range is not None and self.start >= 0 and self.start + len(self) <= len(self.range)

    @property
    def frames(self) -> Frames:
        """(K,) its frames of the old time line, where it fits."""
        assert self.range is not None
        return self.range.start + self.start + np.arange(len(self))


@dataclass(frozen=True, eq=False)
class TimeLine:
    """For every frame of the new time line where it comes from: a frame of the old one (old, -1 for none), or a part and its frame.

    spans: the new first and last frame of each part. moved: (old frames,) where each frame of the old time line is now.
    """

    old: Frames
    part: Frames
    frame: Frames
    spans: list[tuple[int, int]]
    moved: Frames

    def __len__(self) -> int:
        return len(self.old)

    @property
    def untouched(self) -> bool:
        """Whether it is the old one."""
        return bool((self.part < 0).all()) and np.array_equal(self.old, np.arange(len(self.moved)))


def join(parts: Sequence[Part], frame_count: int) -> TimeLine:
    """Where everything goes. A part stays in its frames where it fits in and changes none that others show; else it goes behind the last
    frame, and its rows with it, and its old frames stay as they were. One that is the whole time line replaces it, whatever its length,
    but for frames before its start. Raises ExportError where these frames would get other numbers."""
    whole: int | None = None
    behind: list[int] = []
    edits: list[tuple[int, Frames]] = []
    for group in _groups(parts):
        for index in group:
            part = parts[index]
            changed = part.keys.changed
            area = part.range
            if area is not None and len(group) == 1 and len(area) == frame_count and not part.in_place:
                if part.start < 0:
                    raise ExportError(
                        f"{part.name} is the whole timeline and begins {-part.start} frames earlier now: every frame of the file would get "
                        "another number, and tables name them by it: start it where it was, and put what is new behind its end"
                    )
                whole = index
            elif part.fits and not _shared(parts, group, index)[changed].any():
                edits.append((index, np.flatnonzero(changed)))
            else:
                behind.append(index)
                log.info(f"{part.name} {_reason(part)}: it goes behind the last frame, and the action table says so; the file needs it")
    return _laid_out(parts, frame_count, whole, behind, edits)


def _reason(part: Part) -> str:
    """Why it cannot stay where it is."""
    assert part.range is not None
    return "shares frames with other actions" if part.fits else f"has {len(part)} frames now, with room for {len(part.range)}"


def _groups(parts: Sequence[Part]) -> list[list[int]]:
    """Parts of the old time line, those together whose ranges overlap."""
    groups: list[list[int]] = []
    end = -1
    placed = [(part.range.start, part.range.end, index) for index, part in enumerate(parts) if part.range is not None]
    for start, last, index in sorted(placed):
        if start > end:
            groups.append([])
        groups[-1].append(index)
        end = max(end, last)
    return groups


def _shared(parts: Sequence[Part], group: list[int], index: int) -> NDArray[np.bool_]:
    """(K,) frames of a part written in place that other parts show, too."""
    own = parts[index].frames
    shared = np.zeros(len(own), np.bool_)
    for other in group:
        area = parts[other].range
        if other != index and area is not None:
            shared |= (own >= area.start) & (own <= area.end)
    return shared


def _laid_out(
    parts: Sequence[Part], frame_count: int, whole: int | None, behind: Sequence[int], edits: Sequence[tuple[int, Frames]]
) -> TimeLine:
    old, part, frame = np.arange(frame_count), np.full(frame_count, -1), np.zeros(frame_count, np.int64)
    moved = np.arange(frame_count)
    positions: dict[int, tuple[int, int]] = {}
    for index, changed in edits:
        frames = parts[index].frames
        part[frames[changed]], frame[frames[changed]] = index, changed
        positions[index] = int(frames[0]), int(frames[-1])
    runs = [(old, part, frame)]
    if whole is not None:
        first = parts[whole].start
        runs, moved = [(old[:first], part[:first], frame[:first])], np.minimum(moved, first + len(parts[whole]) - 1)
    length = sum(len(run[0]) for run in runs)
    fresh = [index for index, item in enumerate(parts) if item.range is None]
    for index in (*(() if whole is None else (whole,)), *behind, *fresh):
        count = len(parts[index])
        runs.append((parts[index].keys.old, np.full(count, index), np.arange(count)))
        positions[index] = length, length + count - 1
        length += count
    old, part, frame = (np.concatenate(columns) for columns in zip(*runs, strict=True))
    return TimeLine(old, part, frame, [positions[index] for index in range(len(parts))], moved)


def new_rows(rows: Sequence[Row], line: TimeLine, parts: Sequence[Part]) -> list[Row]:
    """The rows of a table on the old time line, on the new one: in their order, unused, reversed and far ones too."""
    count = len(line.moved)
    grown = len(line) - count if (line.moved != np.arange(count)).any() else 0
    ranges = {(part.range.start, part.range.end): index for index, part in enumerate(parts) if part.range is not None}

    def far(frame: int) -> int:
        return int(line.moved[frame]) if 0 <= frame < count else frame + grown

    out: list[Row] = []
    for row in rows:
        if row.unused:
            out.append(row)
            continue
        index = ranges.get((row.start, min(row.end, count - 1)))
        if index is None:
            out.append(Row(row.number, far(row.start), far(row.end), tuple(map(far, row.keys))))
            continue
        start, end = line.spans[index]
        inside = _inside(parts[index], row.start, start, end, far)
        stays = row.end >= count and (start, end) == (row.start, count - 1)
        out.append(Row(row.number, start, row.end if stays else end, tuple(map(inside, row.keys))))
    cut = [row.number for row, now in zip(rows, out, strict=True) if now.end - now.start < row.end - row.start and row.end < count]
    if cut and grown:
        log.warning(
            f"the time line is shorter now: actions of the table that reached beyond its end stop there: {', '.join(map(str, cut))}"
        )
    for index, part in enumerate(parts):
        if part.range is None:
            start, end = line.spans[index]
            out += [Row(row.number, start, end, tuple(start + key for key in row.keys)) for row in part.rows]
    return out


def _inside(part: Part, was: int, start: int, end: int, far: Callable[[int], int]) -> Callable[[int], int]:
    """Where a key frame of a part goes: with its frame, those of other frames where these go."""
    assert part.range is not None
    area = part.range

    def moved(key: int) -> int:
        return min(max(start + key - was - part.start, start), end) if area.start <= key <= area.end else far(key)

    return moved
