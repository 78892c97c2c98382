"""Joining actions to one long time line again: no frame of the file ever moves, since other characters and tables know it by its number."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...reporting import log
from ...reporting.errors import ExportError, Problem
from ..files.lab import CURRENT, MAT43, MAT44, MOVING, QUAT, Lab
from ..files.ranges import Range, Row
from . import evaluate
from .update import Keys, as_quaternions

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


def assemble(template: Lab, original: Lab | None, parts: Sequence[Part], line: TimeLine, key_type: int | None = None) -> Lab:
    """The whole file. template: everything but the keys. original: the file that kept keys come from.

    key_type: None for the template's own, or matrices where a quaternion is not enough. Raises ExportError when the wished type cannot
    hold the motion.
    """
    if original is not None and key_type in (None, original.key_type) and line.untouched and len(line) == original.frame_count:
        return replace(template, key_type=original.key_type, frame_count=original.frame_count, keys=original.keys)
    kind = _kind(template, original, parts, line, key_type)
    template = _trailed(template, len(line))
    kept = np.maximum(line.old, 0)
    if kind == QUAT:
        return _quaternions(template, original, parts, line, kept)
    return _matrices(template, original, parts, line, kept, kind)


def _trailed(template: Lab, frame_count: int) -> Lab:
    """With the pose table at the end of an ancient file going up to the last frame, where it did."""
    saved = template.saved_range
    if saved is None or saved[1] != template.frame_count - 1:
        return template
    return replace(template, rest=template.rest[:8] + np.uint32(frame_count - 1).tobytes() + template.rest[12:])


def rebuilt(template: Lab, parts: Sequence[Part], frame_count: int, key_type: int | None = None) -> tuple[Lab, list[Part]]:
    """Where the original is lost: the old time line out of the parts themselves, and the parts with what is as in it marked as kept.

    Frames that several parts show are taken from the first; frames that none shows hold the pose before.
    """
    part, frame = np.full(frame_count, -1), np.zeros(frame_count, np.int64)
    order = sorted((not item.in_place, item.range.start, index) for index, item in enumerate(parts) if item.range is not None)
    for _, _, index in order:
        area, shown = parts[index].range, np.arange(len(parts[index]))
        assert area is not None
        at = parts[index].start + shown
        shown = shown[(at >= 0) & (at < len(area))]
        shown = shown[part[area.start + parts[index].start + shown] < 0]
        at = area.start + parts[index].start + shown
        part[at], frame[at] = index, shown
    known = np.flatnonzero(part >= 0)
    if not len(known):
        raise ExportError("nothing is left of the file's frames, neither an action nor the file itself: import it again")
    source = known[np.maximum(np.searchsorted(known, np.arange(frame_count), "right") - 1, 0)]
    part, frame = part[source], frame[source]
    line = TimeLine(np.full(frame_count, -1), part, frame, [], np.arange(frame_count))
    original = assemble(template, None, parts, line, key_type)
    marked: list[Part] = []
    for index, item in enumerate(parts):
        keys = item.keys
        if item.range is not None and item.in_place:
            same = np.zeros(keys.positions.shape[:2], np.bool_)
            owners: list[int] = np.unique(part[keys.old]).tolist()
            for owner in owners:
                here = np.flatnonzero(part[keys.old] == owner)
                theirs, ours = parts[owner].keys.at(frame[keys.old[here]]), keys.at(here)
                off = np.abs(theirs.linear - ours.linear).max(axis=(-1, -2)) + np.abs(theirs.positions - ours.positions).max(axis=-1)
                same[here] = off < 1e-5 if owner != index else True
            keys = replace(keys, kept_positions=same, kept_rotations=same)
        marked.append(replace(item, keys=keys))
    return original, marked


def _kind(template: Lab, original: Lab | None, parts: Sequence[Part], line: TimeLine, wished: int | None) -> int:
    kind = wished or template.key_type
    if kind != QUAT:
        return kind
    for index, part in enumerate(parts):
        used = part.keys.skewed & ~part.keys.kept_rotations & (line.part == index).any()
        if used.any():
            bone, frame = np.argwhere(used.T)[0].tolist()
            name = template.names[int(bone)]
            what = f"{name} is scaled, mirrored or sheared at its frame {frame}"
            if wished == QUAT:
                raise ExportError(Problem(f"{part.name}: {what}, which quaternions cannot hold", name))
            with log.about(part.name):
                log.warning(f"{what}: keys are written as matrices (MAT43) instead of quaternions", bone=name)
            return MAT43
    if original is not None and original.key_type != QUAT:
        linear = evaluate.local_matrices(original)[..., :3, :3]
        off = np.abs(linear @ linear.swapaxes(-1, -2) - np.eye(3)).max(axis=(-1, -2))
        bad = np.flatnonzero(((off > 1e-3) | (np.linalg.det(linear) < 0)).any(axis=0))
        if len(bad):
            name = template.names[int(bad[0])]
            raise ExportError(Problem(f"{name} is scaled, mirrored or sheared, which quaternions cannot hold", name))
    return kind


def _quaternions(template: Lab, original: Lab | None, parts: Sequence[Part], line: TimeLine, old: Frames) -> Lab:
    if original is None:
        shape = (template.bone_count, len(line))
        positions, quaternions = np.zeros((*shape, 3), np.float32), np.zeros((*shape, 4), np.float32)
    elif original.key_type == QUAT:
        positions, quaternions = original.positions[:, old], original.quaternions[:, old]
    else:
        local = evaluate.local_matrices(original, old).swapaxes(0, 1)
        positions, quaternions = local[..., 3, :3].astype(np.float32), _in_file_order(as_quaternions(local[..., :3, :3])).astype(np.float32)
    for index, part in enumerate(parts):
        where = np.flatnonzero(line.part == index)
        if not len(where):
            continue
        keys = part.keys.at(line.frame[where])
        rotations = _in_file_order(keys.rotations)
        for out, new, kept in ((positions, keys.positions, keys.kept_positions), (quaternions, rotations, keys.kept_rotations)):
            out[:, where] = np.where(kept.T[..., None], out[:, where], new.swapaxes(0, 1))
    moves = np.ptp(positions, axis=1).max(axis=1) > 1e-6
    if (template.version < MOVING) and (moves & (template.parents >= 0)).any():
        bone = int(np.argmax(moves & (template.parents >= 0)))
        text = f"{template.names[bone]} moves, which version 0x{template.version:X} cannot hold: written as the current version"
        log.warning(text, bone=template.names[bone])
        template = replace(template, version=CURRENT, old_version=0, rest=b"")
    return template.with_quaternions(positions, quaternions)


def _in_file_order(rotations: NDArray[np.floating[Any]]) -> NDArray[np.floating[Any]]:
    """Quaternions (..., 4) w, x, y, z as the file has them, x, y, z, w."""
    return rotations[..., [1, 2, 3, 0]]


def _matrices(template: Lab, original: Lab | None, parts: Sequence[Part], line: TimeLine, old: Frames, kind: int) -> Lab:
    columns = 4 if kind == MAT44 else 3
    if original is None:
        matrices = np.zeros((template.bone_count, len(line), 4, columns), np.float32)
    else:
        matrices = evaluate.local_matrices(original, old)[..., :columns].swapaxes(0, 1).astype(np.float32)
    if columns == 4:
        matrices[..., 3, 3] = 1
    for index, part in enumerate(parts):
        where = np.flatnonzero(line.part == index)
        if not len(where):
            continue
        keys = part.keys.at(line.frame[where])
        rows = np.concatenate([keys.linear, keys.positions[:, :, None]], axis=2).swapaxes(0, 1)
        kept = (keys.kept_positions & keys.kept_rotations).T[..., None, None]
        matrices[:, where, :, :3] = np.where(kept, matrices[:, where, :, :3], rows)
    return template.with_matrices(matrices)
