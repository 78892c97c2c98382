"""The keys of a joined time line, as a file: those of the old one, and of the parts that stand in it now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...reporting import log
from ...reporting.errors import ExportError, Problem
from ..files.skeleton.lab import CURRENT, MAT43, MAT44, MOVING, QUAT, Lab
from . import evaluate
from .timeline import Frames, Part, TimeLine
from .update import as_quaternions


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


def rebuilt(template: Lab, parts: Sequence[Part], frame_count: int) -> tuple[Lab, list[Part]]:
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
    original = assemble(template, None, parts, line, None)
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
        matrices[..., 3, 3:] = 1
    else:
        matrices = evaluate.local_matrices(original, old)[..., :columns].swapaxes(0, 1).astype(np.float32)
    for index, part in enumerate(parts):
        where = np.flatnonzero(line.part == index)
        if not len(where):
            continue
        keys = part.keys.at(line.frame[where])
        rows = np.zeros((template.bone_count, len(where), 4, columns), np.float32)
        rows[..., :3, :3], rows[..., 3, :3] = keys.linear.swapaxes(0, 1), keys.positions.swapaxes(0, 1)
        rows[..., 3, 3:] = 1
        kept = (keys.kept_positions & keys.kept_rotations).T[..., None, None]
        matrices[:, where] = np.where(kept, matrices[:, where], rows)
    return template.with_matrices(matrices)
