"""From what Blender holds back to an animation: untouched floats keep their bits, everything else is encoded anew.

The import is replayed: what it would show is sampled just as what is there now, and where both agree the file's own numbers stay.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...reporting import log
from ...reporting.errors import ExportError, Problem
from ...reporting.folding import frames_text
from ...reporting.labels import CLEAR
from ..files import anim as files
from ..files.anim import Anim
from ..files.header import Header
from .channels import Column, Layout
from .motion import Conversion, bases_of
from .root_motion import root_positions
from .sampling import CLOSE, Samples, replay

Floats = NDArray[np.float64]
Numbers = NDArray[np.float32]

_LARGEST = float(np.finfo(np.float32).max)


@dataclass(frozen=True, eq=False)
class Before:
    """The animation as imported. conversion: as it was then, offsets included. samples: what Blender showed of it."""

    anim: Anim
    conversion: Conversion
    samples: Samples

    @classmethod
    def of(cls, anim: Anim, conversion: Conversion) -> Before:
        return cls(anim, conversion, replay(anim, conversion))


def update(samples: Samples, conversion: Conversion, header: Header, before: Before | None) -> Anim:
    """The animation that Blender holds. Raises ExportError, naming bone and frame, for what the format cannot hold."""
    problems = strangers(samples, conversion, header)
    values, kept = _values(samples, conversion, before)
    for frame, column in np.argwhere(~(np.abs(values) <= _LARGEST) & ~kept).tolist():
        name, when = _name(conversion, conversion.layout.columns[column]), float(samples.frames[frame])
        problems.append(Problem(f"{name}: a number at frame {when:g} is too large", name, when))
    if header.kind == "beta" and (values.shape[1] < 6 or values.shape[1] % 3):
        problems.append(f"the beta dialect has three numbers a bone and three for the root, not {values.shape[1]}: choose another kind")
    if problems:
        raise ExportError(problems)
    numbers = np.where(kept, 0.0, values).astype(np.float32)
    if before is not None:
        numbers = np.where(kept, _fitted(before.anim.values, len(numbers)), numbers)
    still = _is_still(samples, conversion, before, kept)
    with np.errstate(over="ignore", invalid="ignore"):  # what is too far is refused below
        deltas = _deltas(samples, conversion, header, before, numbers) if header.deltas else None
        if deltas is not None and samples.closes:
            deltas = deltas[:-1]
        stride = _stride(samples, conversion, header, before, numbers, deltas, still)
    _check_path(stride[3 - files.stride_length(header.kind, header.flags) :], deltas, samples, conversion)
    _report_sideways(stride, samples, conversion, header, None if before is None else before.anim, numbers, still)
    if samples.closes:
        numbers = numbers[:-1]
    tail = b"" if before is None else before.anim.tail
    return files.build(header.kind, header.flags, stride, header.loop, numbers, deltas, tail)


def _values(samples: Samples, conversion: Conversion, before: Before | None) -> tuple[Floats, NDArray[np.bool_]]:
    """(K, C) the file's numbers, and where those of the original are meant."""
    layout = conversion.layout
    now, rest = _tables(samples, conversion), bases_of(layout, conversion.skel, conversion.interpretation)
    outside = np.where(layout.of_root, samples.path[:, layout.index[2]], 0.0)
    kept = np.zeros(now.shape, bool)
    if before is not None and before.conversion.layout.columns == layout.columns:
        common = min(len(now), len(before.samples.frames))
        same = _alike(now[:common], _tables(before.samples, before.conversion)[:common])
        same &= ~layout.of_root | _alike(samples.path[:common], before.samples.path[:common])[:, layout.index[2]]
        kept[:common] = same & (rest == bases_of(layout, before.conversion.skel, before.conversion.interpretation))
    return now + rest + outside, kept


def _alike(first: Floats, second: Floats) -> NDArray[np.bool_]:
    """Where both are the same, NaN included."""
    return (first == second) | (np.isnan(first) & np.isnan(second))


def _tables(samples: Samples, conversion: Conversion) -> Floats:
    """(K, C) each column as it is seen, before the rest position is added."""
    kinds, bones, axes = conversion.layout.index
    sizes = samples.ignored if conversion.interpretation.scale == "IGNORE" else samples.bones.sizes
    return np.stack([samples.bones.positions, samples.bones.angles, sizes])[kinds, :, bones, axes].T


def _fitted(values: Numbers, count: int) -> Numbers:
    """The original's frames, cut or filled up to `count`."""
    return np.concatenate([values[:count], np.zeros((max(count - len(values), 0), values.shape[1]), np.float32)])


def _is_still(samples: Samples, conversion: Conversion, before: Before | None, kept: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(3,) the axes along which the root moves as in the original."""
    count = len(samples.frames) - samples.closes
    if before is None or count != len(before.samples.frames):
        return np.zeros(3, bool)
    path, root, axes = _alike(samples.path[:count], before.samples.path), conversion.layout.of_root, conversion.layout.index[2]
    return np.array([path[:, axis].all() and kept[:count, root & (axes == axis)].all() for axis in range(3)], bool)


def _deltas(samples: Samples, conversion: Conversion, header: Header, before: Before | None, numbers: Numbers) -> Numbers:
    """(K, 3) Those that are keyed, changed by as much as the root's steps have changed since the import; without any, the root's steps."""
    count = len(numbers)
    positions = samples.path if conversion.root_motion != "BONE" else root_positions(numbers, conversion.layout)
    steps = _steps(positions, header.loops, samples.onwards)
    if before is None or before.anim.deltas is None:
        return (steps if samples.deltas is None else samples.deltas).astype(np.float32)
    old = before.anim.deltas
    known = min(count, len(old))
    positions = before.samples.path if conversion.root_motion != "BONE" else root_positions(before.anim.values, before.conversion.layout)
    was = _steps(positions, header.loops, before.samples.onwards)
    changed = steps[:known] - was[:known]
    if samples.onwards is None or before.samples.onwards is None:
        changed[-1:] = 0  # the last one leads out of the clip, which nothing shows
    changed[-1:] *= np.abs(changed[-1:]) > CLOSE  # the closing key's time is rounded to 32 bits
    out = steps.astype(np.float32)
    keyed = old[:known] if samples.deltas is None else samples.deltas[:known].astype(np.float32)
    out[:known] = np.where(changed == 0, keyed, (keyed + changed).astype(np.float32))
    if samples.deltas is not None and before.samples.deltas is not None:
        untouched = (changed == 0) & (samples.deltas[:known] == before.samples.deltas[:known])
        out[:known] = np.where(untouched, old[:known], out[:known])
    return out


def _steps(positions: Floats, loops: bool, onwards: Floats | None) -> Floats:
    """(K, 3) the step from each frame to the next; the last one's, where it loops, to the closing key, without such as long as the one
    before."""
    steps = np.diff(positions, axis=0)
    last = (steps[-1] if onwards is None else onwards) if loops and len(steps) else np.zeros(3)
    return np.concatenate([steps, last[None]])


def _stride(
    samples: Samples,
    conversion: Conversion,
    header: Header,
    before: Before | None,
    numbers: Numbers,
    deltas: Numbers | None,
    still: NDArray[np.bool_],
) -> Floats:
    """(3,) that of the header where the user gave one; the original's along axes where the root has not moved; else the sum of the deltas,
    or the travel of the root over the clip: of a loop that came in what it was, and how much further it goes to its closing key."""
    positions = root_positions(numbers, conversion.layout)
    travel = positions[-1] - positions[0] if samples.stride is None else samples.stride.copy()
    travel = travel if deltas is None else deltas.astype(np.float64).sum(axis=0)
    if before is not None:
        old, axes = before.anim, np.arange(3 - len(before.anim.stride), 3)
        if deltas is not None:
            known = old.deltas is not None and deltas.shape == old.deltas.shape
            still = (deltas == old.deltas).all(axis=0) if known else np.zeros(3, bool)
        elif (further := _further(samples, before.samples)) is not None:
            still, travel[axes] = further == 0, old.stride + further[axes]
        travel[axes] = np.where(still[axes], old.stride, travel[axes])
    if header.stride is not None:
        travel[3 - len(header.stride) :] = header.stride
    return travel


def _further(now: Samples, then: Samples) -> Floats | None:
    """(3,) how much further a loop goes than it did: as far as its closing key was moved, less how far its first one was moved along with
    that; None where no keys say it. The first one alone is a pose as any other, which the loop still comes back to."""
    if now.closing is None or then.closing is None:
        return None
    moved, first = now.closing - then.closing, now.first - then.first
    further = moved - np.clip(first, np.minimum(moved, 0.0), np.maximum(moved, 0.0))
    return np.where(np.abs(further) < CLOSE, 0.0, further)


def _check_path(stride: Floats, deltas: Numbers | None, samples: Samples, conversion: Conversion) -> None:
    """stride: what the file holds of it. Raises ExportError where the root's path, each of whose numbers fits, has a step or a whole that
    does not."""
    far = np.zeros(0, bool) if deltas is None else ~np.isfinite(deltas).all(axis=1)
    if far.any() or not (np.abs(stride) <= _LARGEST).all():
        root, frame = conversion.rig.skeleton.names[0], float(samples.frames[np.argmax(far) if far.any() else -1])
        text = f"{root}: its path is longer at frame {frame:g} than any number in the file: bring its keys closer to each other"
        raise ExportError([Problem(text, root, frame)])


def _report_sideways(
    stride: Floats,
    samples: Samples,
    conversion: Conversion,
    header: Header,
    before: Anim | None,
    numbers: Numbers,
    still: NDArray[np.bool_],
) -> None:
    """Name what of a stride (3,) the kind does not hold. The poses have it, in the root's channels: a loop does not come to where it starts
    again, and of a clip that is played once nothing is missing that the kind of the file that came in had. still: (3,) axes along which
    the root moves as it did there."""
    if files.stride_length(header.kind, header.flags) == 3:
        return
    given = header.stride is not None and len(header.stride) == 3
    if not given and header.loops:
        stride = _round_trip(samples, root_positions(numbers, conversion.layout))
    frame = float(samples.frames[-1])
    lost = np.abs(stride) > [CLOSE, CLOSE if header.loops or given else np.inf, np.inf]  # what is played once may end lower
    if not given and before is not None and len(before.stride) == 1:
        lost &= ~still & header.loops
    if lost.any():
        root = conversion.rig.skeleton.names[0]
        path = " and ".join(f"{stride[axis]:.3g} m along {'XYZ'[axis]}" for axis in np.flatnonzero(lost).tolist())
        wide = "the kind ANI1, or set bit 0 of the flags" if header.kind == "ani" else "the kind ANI1"
        text = f"{root} goes {path} by frame {frame:g}, which the stride of the {header.kind} kind does not hold, it has Z alone"
        log.warning(f"{text}: the character is back where it was when the clip is over; choose {wide}", bone=root, frame=frame)


def _round_trip(samples: Samples, positions: Floats) -> Floats:
    """(3,) how far a loop comes until it starts again: to its closing key; without such what is more than one step can bring back."""
    if samples.stride is not None:
        return samples.stride
    travel = positions[-1] - positions[0]
    if samples.closes:
        return travel
    if samples.onwards is not None:
        return travel + samples.onwards
    return np.where(np.abs(travel) > 1.5 * np.abs(np.diff(positions, axis=0)).max(axis=0, initial=0), travel, 0.0)


_LOCKED, _LACKING = (
    f"{why}: {CLEAR}, or move a bone that has a channel for it"
    for why in ("that is locked in the skeleton", "the skeleton has no channel for that")
)


def strangers(samples: Samples, conversion: Conversion, header: Header) -> list[str]:
    """What moves without a channel for it."""
    problems = (
        ["the root's property root_turn rotates it, for which the game's file has no field: rotate the root bone"]
        if samples.rotated
        else []
    )
    shape = samples.bones.angles.shape[1:]
    rest = {"rot": np.zeros(shape), "trans": np.zeros(shape), "scale": np.ones(shape)}
    free = {kind: np.ones(shape, bool) for kind in rest}
    for column in conversion.layout.columns:
        free[column.kind][column.bone, column.axis] = column.kind == "scale" and conversion.interpretation.scale == "IGNORE"
    held = Layout(tuple(conversion.layout.held))
    for column, value, base in zip(
        held.columns, conversion.layout.held.values(), bases_of(held, conversion.skel, conversion.interpretation), strict=True
    ):
        if column.kind != "scale" or conversion.interpretation.scale == "APPLY":
            rest[column.kind][column.bone, column.axis] = value - base
    if conversion.root_motion != "BONE" and not header.deltas:
        noise = CLOSE + 1e-6 * np.abs(samples.path).max()  # of 32 bits, where it starts from some other position
        problems += [
            f"the character moves along {'XYZ'[axis]}: the root has no channel for that, and there are no deltas"
            for axis in np.flatnonzero(free["trans"][0] & (np.abs(samples.path) > noise).any(axis=0)).tolist()
        ]
    verbs = {"rot": "rotates about", "trans": "moves along", "scale": "is scaled along"}
    tables = {"rot": samples.bones.angles, "trans": samples.bones.positions, "scale": samples.bones.sizes}
    locked = np.zeros((3, *shape), bool)
    for bone, kind, axis in conversion.layout.held:
        locked[list(tables).index(kind), bone, axis] = True
    strange_bones: dict[str, dict[int, list[Problem]]] = {}
    for (kind, table), held_axes in zip(tables.items(), locked, strict=True):
        # What no curve drives is at its constant, if the skeleton has one, whatever that is.
        off = (np.abs(table - rest[kind]) > CLOSE) & (np.abs(table - (kind == "scale")) > CLOSE)
        for why, meant in ((_LOCKED, held_axes), (_LACKING, ~held_axes)):
            strange = off & free[kind] & meant
            for bone in np.flatnonzero(strange.any(axis=(0, 2))).tolist():
                about = " and ".join("XYZ"[axis] for axis in np.flatnonzero(strange[:, bone].any(axis=0)).tolist())
                when = samples.frames[strange[:, bone].any(axis=1)].tolist()
                problem = Problem(f"{verbs[kind]} {about} at {frames_text(when)}", conversion.rig.skeleton.names[bone], when[0])
                strange_bones.setdefault(why, {}).setdefault(bone, []).append(problem)
    return problems + [_of_all(bones, why) for why, bones in strange_bones.items()]


def _of_all(bones: dict[int, list[Problem]], why: str) -> Problem:
    """What bones, by number, do for one reason: "arm moves along Y at frame 1: ..", "4 bones (first: arm moves along Y at frame 1): .."."""
    first = bones[min(bones)]
    what = f"{first[0].bone} {' and '.join(first)}"
    return first[0].but(f"{len(bones)} bones (first: {what}): {why}" if len(bones) > 1 else f"{what}: {why}")


def _name(conversion: Conversion, column: Column) -> str:
    return conversion.rig.skeleton.names[column.bone]
