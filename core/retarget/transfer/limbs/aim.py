"""Limbs that their own bone's rotation does not carry as a whole: in the source, bones that nothing follows bend between the joints, or
a joint moves; in the target, bones between take a part of the rotation. Such a limb is swung until it points where the source's does."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ....motion.rotations import quaternion as quat
from ....motion.rotations.directions import lengths, unit
from ....motion.rotations.rotation_matrix import Floats
from ...figures.columns import Columns
from ...figures.motion import Motion
from ...figures.spans import Spans
from ..binding import Binding
from ..mirror import reflect_rotations
from ..solve import Rotations
from . import two_bone_ik

EXACT = 1e-6
"""Radians: a limb that is off by less stays as it is."""

_SHORT = 0.02
"""In sizes of the figure: where shorter offsets bend, that is not worth following."""

_NONE, _ROUNDED = 1e-4, 1e-3
"""In sizes of the figure: shorter offsets have no direction at all; and what rounding makes of the direction of short ones."""

_AT_ONCE = 1 << 14
"""Rows times frames that are looked at together."""

_FOLDED = (0.1, 0.3)
"""In lengths at the reference pose: below the first a limb that folds up is not followed, above the second in full."""


@dataclass(frozen=True, eq=False)
class Bent:
    """rotations: (F, 4), or (4,) where there is none, in the target's world: from where the source bone's own rotation takes the offset to
    the next mapped joint, to where that is. left: (F,) where a bone is left alone; None: nowhere."""

    rotations: Floats
    left: NDArray[np.bool_] | None = None


NOTHING: Set[int] = frozenset()

Bend = Callable[[int], Bent | None]
"""Of a follower's row; None for what is no limb that has one next mapped joint, or is left alone all the time."""


def bends(binding: Binding, motion: Motion, frame: Floats, deltas: Floats, stiff: Set[int] = NOTHING) -> Bend:
    """deltas: (F, T, 4) rotations in the target's world. stiff: as `stiff` gives it, where there is no need to look at the motion."""
    size = float(np.ptp(binding.heads, axis=0).max())
    spans = motion.spans

    def bend(row: int) -> Bent | None:
        below = binding.steering[row]
        if len(below) != 1 or not _is_limb(binding, row, below[0]):
            return None
        follower, child = binding.followers[row], binding.followers[below[0]]
        start = frame @ (child.anchor - follower.anchor)
        length = float(np.linalg.norm(start))
        if length <= _NONE * size:
            return None
        if row in stiff:
            return Bent(quat.IDENTITY)
        offset = motion.positions[:, child.source] - motion.positions[:, follower.source]
        offset = offset if (frame == np.eye(3)).all() else offset @ frame.T
        carried = quat.rotate(deltas[:, row], start)
        if np.abs(carried - offset).max() < EXACT / 4 * length:
            return Bent(quat.IDENTITY)
        carried, wanted = carried / length, unit(offset)
        short = length <= _SHORT * size
        apart = np.abs(carried - wanted)
        if apart.max() < (_ROUNDED if short else EXACT / 2):
            return Bent(quat.IDENTITY)
        if short:  # each clip of which it is true all the time
            left = spans.largest(apart.T).max(axis=0) >= _ROUNDED
            return None if left.all() else Bent(quat.IDENTITY, spans.spread(left) > 0)
        bent = two_bone_ik.between(carried, wanted)
        share = ((lengths(offset) / length - _FOLDED[0]) / (_FOLDED[1] - _FOLDED[0])).clip(0, 1)
        bent = bent if (share == 1).all() else quat.power(bent, share)
        none = spans.largest(apart.T).max(axis=0) < EXACT / 2  # the clips in which it would be none by itself
        return Bent(np.where((spans.spread(none) > 0)[:, None], quat.IDENTITY, bent))

    return bend


def stiff(binding: Binding, motion: Motion, reference: Floats) -> Set[int]:
    """The rows whose next joint hangs on their source bone itself, always as it does in the reference pose. reference: (S, 4)."""
    figure, positions = binding.source, motion.positions
    links = [(row, binding.followers[row], binding.followers[below[0]]) for row, below in enumerate(binding.steering) if len(below) == 1]
    links = [(row, one, other) for row, one, other in links if one.chain is None and figure.parents[other.source] == one.source]
    if isinstance(positions, Columns):
        links = [] if positions.moved is None else [link for link in links if link[2].source not in positions.moved]
    if not links or (not isinstance(positions, Columns) and len(links) * len(motion.frames) > _AT_ONCE):
        return NOTHING
    ones, others = [one.source for _, one, _ in links], [other.source for _, _, other in links]
    starts = np.array([other.anchor - one.anchor for _, one, other in links])
    resting = quat.rotate(quat.conjugate(reference[ones]), starts)
    if isinstance(positions, Columns):
        off = np.abs(figure.links.positions[others] * motion.standing.scale - resting).max(axis=1)
    else:
        off = np.abs(positions[:, others] - positions[:, ones] - quat.rotate(motion.rotations[:, ones], resting)).max(axis=(0, 2))
    fits = off < EXACT / 8 * np.linalg.norm(starts, axis=1)
    return {row for (row, _, _), fit in zip(links, fits.tolist(), strict=True) if fit}


def mirrored(bend: Bend, partners: Sequence[int], normal: Floats) -> Bend:
    """The other side's, reflected."""

    def reflected(row: int) -> Bent | None:
        other = bend(partners[row])
        return None if other is None else replace(other, rotations=reflect_rotations(other.rotations, normal))

    return reflected


Swung = dict[int, NDArray[np.bool_]]
"""Target bone -> (N,) in which of the clips it is swung."""


def aim(binding: Binding, bend: Bend, rotations: Rotations, spans: Spans, stiff: Set[int] = NOTHING) -> Swung:
    """Let the limbs that are off point where the source's do. rotations: of the target bones. spans: the clips. stiff: rows of which is
    known that `bend` gives no rotation. Returns the bones that are swung for it, which are known when their rotations were asked for."""
    swung: Swung = {}

    def aimed(row: int, path: list[int], own: dict[int, Callable[[], Floats]], bone: int) -> Floats:
        return _aimed(binding, path, {each: make() for each, make in own.items()}, bend(row), swung, spans)[bone]

    for row, below in enumerate(binding.steering):
        path = _path(binding, row) if len(below) == 1 else []
        if path and path[0] in rotations and _is_limb(binding, row, below[0]):
            own = {bone: rotations.maker(bone) for bone in path[:-1] if bone in rotations}
            if row in stiff and len(own) == 1:
                continue
            for bone in own:
                rotations.make(bone, lambda row=row, path=path, own=own, bone=bone: aimed(row, path, own, bone))
    return swung


def _aimed(
    binding: Binding, path: list[int], rotations: dict[int, Floats], bend: Bent | None, swung: Swung, spans: Spans
) -> dict[int, Floats]:
    """The rotations (F, 4) of the bones of a path, swung as far as the limb is off."""
    if bend is None or (bend.rotations.ndim == 1 and len(rotations) == 1):
        return rotations
    rests, heads = binding.target.quaternions, binding.target.heads
    carried = quat.multiply(rotations[path[0]], quat.conjugate(rests[path[0]]))
    wanted = quat.rotate(quat.multiply(bend.rotations, carried), heads[path[-1]] - heads[path[0]])
    swing = two_bone_ik.between(unit(_chord(binding, path, rotations, rests)), unit(wanted))
    off = quat.angle(swing) > EXACT
    if bend.left is not None:
        off &= ~bend.left
    if not off.any():
        return rotations
    clips = spans.any(off)
    swung.update({bone: clips | swung[bone] if bone in swung else clips for bone in rotations})
    swing = np.where(off[:, None], swing, quat.IDENTITY)
    return {bone: quat.multiply(swing, values) for bone, values in rotations.items()}


def _is_limb(binding: Binding, row: int, child: int) -> bool:
    """Whether the bone rotates as a whole to where the next joint is: the hips and what carries the root motion do not, and an uneven
    chain's joints do not correspond."""
    first, second = binding.followers[row], binding.followers[child]
    options = first.options
    plain = options.space == "WORLD" and options.rotation == "ALL" and options.weight == 1 and not any(options.offset)
    even = not first.is_uneven and not second.is_uneven
    return plain and even and not second.options.location and not {first.role, second.role} & {"root", "hips"}


def _path(binding: Binding, row: int) -> list[int]:
    """The target's bones from a follower's to the next mapped one below it."""
    first, bone = binding.followers[row].target, binding.followers[binding.steering[row][0]].target
    path = [bone]
    while bone != first:
        bone = int(binding.target.parents[bone])
        path.insert(0, bone)
    return path


def _chord(binding: Binding, path: list[int], rotations: dict[int, Floats], rests: Floats) -> Floats:
    """(F, 3) from the first bone's head to the last one's, as the rotations carry it."""
    heads = binding.target.heads
    carrier, whole = path[0], np.zeros((len(rotations[path[0]]), 3))
    for bone, after in pairwise(path):
        carrier = bone if bone in rotations else carrier
        whole += quat.rotate(quat.multiply(rotations[carrier], quat.conjugate(rests[carrier])), heads[after] - heads[bone])
    return whole
