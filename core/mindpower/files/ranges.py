"""The actions in a skeleton file's long time line: which ranges of frames an action table names, and what no range covers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...reporting import log
from ...reporting.labels import first_few


@dataclass(frozen=True)
class Row:
    """A line of the action table: number of the action, first and last frame, frames at which something happens."""

    number: int
    start: int
    end: int
    keys: tuple[int, ...] = ()

    @property
    def unused(self) -> bool:
        return self.start == 0 and self.end == 0


@dataclass(frozen=True)
class Range:
    """Frames `start` to `end`, both included, with all rows that mean them."""

    start: int
    end: int
    rows: tuple[Row, ...] = ()

    def __len__(self) -> int:
        return self.end - self.start + 1

    @property
    def numbers(self) -> tuple[int, ...]:
        return tuple(row.number for row in self.rows)

    @property
    def keys(self) -> tuple[int, ...]:
        """The key frames of all rows that lie inside, each once."""
        return tuple(sorted({key for row in self.rows for key in row.keys if self.start <= key <= self.end}))


def ranges_of(rows: Sequence[Row], frame_count: int) -> list[Range]:
    """The distinct ranges that there are frames for, in the order of their start. What cannot be shown as it stands is warned of."""
    groups: dict[tuple[int, int], list[Row]] = {}
    beyond: list[int] = []
    lost: list[int] = []
    early: list[int] = []
    backwards: list[int] = []
    for row in rows:
        if row.unused:
            continue
        if row.start > row.end:
            backwards.append(row.number)
        elif row.start < 0:
            early.append(row.number)
        elif row.start >= frame_count:
            lost.append(row.number)
        else:
            if row.end >= frame_count:
                beyond.append(row.number)
            groups.setdefault((row.start, min(row.end, frame_count - 1)), []).append(row)
    if beyond:
        log.warning(f"actions beyond the last frame, {frame_count - 1}, which are cut off there: {first_few(beyond, 8)}")
    if lost:
        log.warning(f"actions beyond the last frame, {frame_count - 1}, which are not shown: {first_few(lost, 8)}")
    if early:
        log.warning(f"actions that start before frame 0, which are not shown: {first_few(early, 8)}")
    if backwards:
        log.warning(f"actions that end before they start, which are not shown: {first_few(backwards, 8)}")
    return [Range(start, end, tuple(rows)) for (start, end), rows in sorted(groups.items())]


def spare(ranges: Sequence[Range], frame_count: int) -> list[tuple[int, int]]:
    """Runs of frames, first and last, that no range covers."""
    runs: list[tuple[int, int]] = []
    free = 0
    for item in sorted(ranges, key=lambda item: item.start):
        if item.start > free:
            runs.append((free, item.start - 1))
        free = max(free, item.end + 1)
    if free < frame_count:
        runs.append((free, frame_count - 1))
    return runs
