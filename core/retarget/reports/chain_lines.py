"""How far the line of a chain is from its source's, where both have another number of bones: their joints do not correspond then, and no
limb of theirs is measured by itself."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from ...motion.rotations import quaternion as quat
from ...motion.rotations.directions import lengths, unit
from ...motion.rotations.rotation_matrix import Floats
from ..figures.columns import empty
from ..figures.motion import Motion
from ..setup import Setup
from ..transfer import mirror
from ..transfer.binding import Binding, Follower
from ..transfer.chains import Plan
from .measures import Reflection


def uneven(binding: Binding, reflection: Reflection | None) -> Iterator[tuple[Plan, Plan]]:
    """The chains of another number of bones that follow as a whole, each with the one whose source it follows: its own, or if mirrored that
    of the other side."""
    known: dict[Plan, Plan] = {}
    for row, follower in enumerate(binding.followers):
        leading = follower if reflection is None else binding.followers[reflection.partners[row]]
        if follower.is_uneven and follower.options.weight == 1 and follower.chain is not None and leading.chain is not None:
            known.setdefault(follower.chain[0], leading.chain[0])
    yield from known.items()


def named(binding: Binding, plan: Plan) -> str:
    """The target's bones in short."""
    first, last = (binding.target.names[bone] for bone in (plan.targets[0], plan.targets[-1]))
    return first if first == last else f"{first}…{last}"


def last_bones(follower: Follower) -> tuple[int, ...]:
    """Behind which of the target's bones a follower's joints are needed for this."""
    return (follower.chain[0].targets[-1],) if follower.is_uneven and follower.chain is not None else ()


def off(setup: Setup, chains: tuple[Plan, Plan], source: Motion, target: Motion, reflection: Reflection | None) -> Floats:
    """(F,) how far any point of a chain is at most from where it were if the chain pointed, at the same parts of its length, as the
    source's, in parts of its length."""
    own, leading = chains
    wanted = _line(source, leading.sources, leading.ends[0], setup.source_rotations) @ setup.frame.T
    has = _line(target, own.targets, own.ends[1], setup.binding.target.quaternions)
    wanted = wanted if reflection is None else mirror.reflect_vectors(wanted, reflection.normal)
    directions, steps = unit(np.diff(wanted, axis=1)), np.diff(has, axis=1)
    away, most = np.zeros((len(has), 3)), np.zeros(len(has))
    begins, own_begins = leading.begins[0], own.begins[1]
    knots: list[float] = np.union1d(begins, own_begins).tolist()
    for start, end in pairwise(knots):
        one, two = (int(np.searchsorted(each, (start + end) / 2)) - 1 for each in (begins, own_begins))
        step = steps[:, two] * ((end - start) / float(own_begins[two + 1] - own_begins[two]))
        away = away + step - directions[:, one] * lengths(step)[:, None]
        most = np.maximum(most, lengths(away))
    return np.asarray(most / np.maximum(lengths(steps).sum(axis=1), 1e-30), np.float64)


def _line(motion: Motion, bones: tuple[int, ...], end: Floats, references: Floats) -> Floats:
    """(F, n + 1, 3) the joints of a chain, and where its last bone ends."""
    last, result = bones[-1], empty(len(motion.frames), len(bones) + 1, 3)
    for row, bone in enumerate(bones):
        result[:, row] = motion.positions[:, bone]
    away = quat.multiply(motion.rotations[:, last], quat.conjugate(references[last]))
    result[:, -1] = result[:, -2] + quat.rotate(away, end)
    return result
