"""Chains of different length: a spine of two bones onto one of three, fingers of three onto two.

Along both chains runs a parameter, the part of the length in the reference pose. A target bone takes the rotation that the source has,
relative to what carries the chain, at the parameter of its centre. The last bones agree exactly, so the whole rotation is the same. Of a
limb the joints that both have agree exactly, too: the chain goes from each to the next.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ...motion.rotations import quaternion as quat
from ...motion.rotations.rotation_matrix import Floats
from ..figures.columns import empty
from ..figures.figure import Figure
from ..figures.maps.bone_map import Chain

_SAME_PART = 0.02
"""Of a chain's length: last bones that begin in the same part of it, but for how it bends, are aligned by the very same points."""


@dataclass(frozen=True, eq=False)
class Plan:
    """sources, targets: numbers of the bones, in order. carrier: the mapped source bone above the chain, -1 without one.

    known: (n + 1,) parameters of the carrier and the source bones, ascending. wanted: (m,) those of the target bones. nearest: for each
    target bone the index of the source bone that is nearest to it. anchors: (m, 3) where the target bones' heads lie on the source. joints:
    the indices of target bones whose joints are those of a source bone. begins: the parameters where each bone begins and the last one
    ends, (n + 1,) of the source's and (m + 1,) of the target's. ends: (3,) each in the world, from the head of the last bone to its end, of
    the source in its reference pose, of the target at rest.
    """

    sources: tuple[int, ...]
    targets: tuple[int, ...]
    carrier: int
    known: Floats
    wanted: Floats
    nearest: tuple[int, ...]
    anchors: Floats
    joints: frozenset[int]
    begins: tuple[Floats, Floats]
    ends: tuple[Floats, Floats]
    name: str = ""
    weight: float = 1.0


class Joints(NamedTuple):
    """(B, 3) of a figure's bones in its reference pose."""

    heads: Floats
    tails: Floats


def plan(chain: Chain, source: Figure, target: Figure, joints: Joints, mapped_sources: set[int], mapped_targets: set[int]) -> Plan:
    """joints: of the source. mapped_sources, mapped_targets: bones of pairs, which end and carry the chain."""
    heads = joints.heads
    ones, twos = chain.in_common
    sources, targets = [source.index[chain.source[one]] for one in ones], [target.index[chain.target[two]] for two in twos]
    same = {two - twos[0]: one - ones[0] for two, one in chain.joints.items()} if chain.mode == "INTERPOLATED" else {}
    same = _corresponding(same, len(sources), len(targets))
    line, other_line = (
        _line(source, sources, joints, mapped_sources),
        _line(target, targets, Joints(target.heads, target.tails), mapped_targets),
    )
    ends, other_ends = _parameters(line), _parameters(other_line)
    known, centres = (np.concatenate([[0.0], (each[1:] + each[:-1]) / 2]) for each in (ends, other_ends))
    parts = {0: 0} | same | {len(targets): len(sources)}
    itself = {two + 1: one + 1 for two, one in same.items()}  # as `known` counts them, where a part's number is its last bone before it
    wanted = _drawn(centres, known, parts | itself)[1:]
    begins = _drawn(other_ends, ends, parts)
    anchors = np.stack([np.interp(begins[:-1], ends, line[:, axis]) for axis in range(3)], axis=1)
    anchors[list(same)] = heads[[sources[one] for one in same.values()]]
    if abs(begins[-2] - ends[-2]) < _SAME_PART:
        anchors[-1] = heads[sources[-1]]
    carrier = int(source.parents[sources[0]])
    while carrier >= 0 and carrier not in mapped_sources:
        carrier = int(source.parents[carrier])
    nearest = tuple(int(np.argmin(np.abs(known[1:] - value))) for value in wanted)
    last = line[-1] - line[-2], other_line[-1] - other_line[-2]
    return Plan(
        tuple(sources),
        tuple(targets),
        carrier,
        known,
        wanted,
        nearest,
        anchors,
        frozenset(same),
        (ends, begins),
        last,
        chain.name,
        chain.weight,
    )


def _corresponding(same: dict[int, int], sources: int, targets: int) -> dict[int, int]:
    """The joints of both with those between them where both have as many. sources, targets: how many bones there are."""
    result = dict(same)
    for (two, one), (next_two, next_one) in pairwise([(0, 0), *same.items(), (targets, sources)]):
        if next_two - two == next_one - one:
            result |= {two + step: one + step for step in range(next_one - one)}
    return dict(sorted(result.items()))


def _drawn(target: Floats, source: Floats, agree: dict[int, int]) -> Floats:
    """Parameters (m,) of the target in those (n,) of the source, so that these agree, by their indices, and others lie between them."""
    rows = sorted(agree)
    return np.interp(target, target[rows], source[[agree[row] for row in rows]])


def rotations(plan: Plan, deltas: Mapping[int, Floats], starts: Sequence[int] = (0,)) -> Floats:
    """(F, m, 4) rotations away from the reference for the target bones. deltas: (F, 4) those of the source's bones, in the world. starts:
    of the clips."""
    count = len(deltas[plan.sources[0]])
    still = np.broadcast_to(quat.IDENTITY, (count, 4))
    carrier = deltas[plan.carrier] if plan.carrier >= 0 else still
    back = quat.conjugate(carrier)
    relative = [still, *(quat.multiply(back, deltas[bone]) for bone in plan.sources)]
    result = empty(count, len(plan.targets), 4)
    for position in range(len(plan.targets)):
        value = float(plan.wanted[position])
        after = min(max(int(np.searchsorted(plan.known, value)), 1), len(plan.known) - 1)
        width = float(plan.known[after] - plan.known[after - 1])
        share = (value - float(plan.known[after - 1])) / width if width > 1e-12 else 1.0
        between = relative[after] if share >= 1 - 1e-9 else _part(relative[after - 1], relative[after], share, starts)
        result[:, position] = quat.multiply(carrier, between)
    return result


def _part(first: Floats, second: Floats, share: float, starts: Sequence[int]) -> Floats:
    """(F, 4) what is between two rotations (F, 4)."""
    return quat.multiply(first, quat.power_over(quat.relative(first, second), share, starts))


def _line(figure: Figure, bones: list[int], joints: Joints, mapped: set[int]) -> Floats:
    """(n + 1, 3) the heads, and where the chain ends: the next mapped bone, else the tail; where tails show nothing, a bone further on."""
    below = [child for child in range(bones[-1] + 1, len(figure)) if child in mapped and figure.is_below(child, bones[-1])]
    nearest = [child for child in below if not any(between != child and figure.is_below(child, between) for between in below)]
    heads, last = joints.heads, joints.heads[bones[-1]]
    if nearest:
        end = heads[nearest].mean(axis=0)  # as far as the middle of what comes next: shoulders and neck of a chest
    else:
        end = joints.tails[bones[-1]] if figure.ends_at_joints else 2 * last - heads[bones[max(len(bones) - 2, 0)]]
    return np.concatenate([heads[bones], end[None]])


def _parameters(line: Floats) -> Floats:
    """(n + 1,) parts of the length, 0 to 1; even parts where there is no length."""
    steps = np.linalg.norm(np.diff(line, axis=0), axis=1)
    steps = np.maximum(steps, 1e-6 * steps.max()) if steps.max() > 1e-12 else np.ones(len(steps))
    return np.concatenate([[0.0], np.cumsum(steps) / steps.sum()])
