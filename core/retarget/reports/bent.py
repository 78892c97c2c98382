"""Which clips bend between the frames at which they are sampled, a source or what is written, and where that is to be looked at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...motion.curves import Block
from ...motion.rotations import quaternion as quat
from ...motion.rotations.directions import unit
from ...motion.rotations.rotation_matrix import Floats
from ..figures.clip import Clip
from ..figures.figure import Figure
from ..figures.motion import Motion
from ..limb_goals.limb_joints import joint_roles
from ..setup import Setup
from . import measures
from .bending import BEND, OBJECT, at_most, bones_at_once, may_bend, steep, steps_of, upon, with_above
from .looks import AT
from .report import Report

_STILL = 1e-3
"""Radians from one frame to the next of bones that do not rotate."""

_AT_ONCE = 32
"""Gaps between frames that are looked at because of all limbs together, beside that in which each of them bends most."""

_FEW = 64
"""Gaps that are all looked at."""


@dataclass(frozen=True)
class Parted:
    """Of the target the bones that rotate upon the one above in other parts than the source's do. bones: of chains, of less weight, or
    upon such. others: those whose source hangs on another bone than what the one above follows, each with its source and these two, -1
    for none."""

    bones: frozenset[int]
    others: tuple[tuple[int, int, int, int], ...]

    @classmethod
    def of(cls, setup: Setup) -> Parted:
        binding, bones, others = setup.binding, set[int](), list[tuple[int, int, int, int]]()
        alone = [one.chain is None and one.options.rotation == "ALL" and one.options.weight == 1 for one in binding.followers]
        whole = [own or (one.chain is not None and one.chain[0].weight == 1) for own, one in zip(alone, binding.followers, strict=True)]
        upon_rows: list[int] = binding.above.tolist()
        for row, (one, above) in enumerate(zip(binding.followers, upon_rows, strict=True)):
            carrier, under = int(binding.source.parents[one.source]), -1 if above < 0 else binding.followers[above].source
            if not alone[row] or (above >= 0 and not whole[above]) or one.options.distribute:
                bones.add(one.target)
            elif carrier != under:
                others.append((one.target, one.source, carrier, under))
        return cls(frozenset(bones), tuple(others))

    def bends(self, sources: Sequence[Motion], counts: Sequence[int]) -> list[dict[int, Floats]]:
        """Of each of several clips, by bone (F - 1,) radians by which `others` are at most from where the source has them in the middle
        between two frames, where that goes in two parts in any of the clips. counts: how many frames of each count."""
        result: list[dict[int, Floats]] = [{} for _ in sources]
        ends = np.cumsum(counts).tolist()
        many = bones_at_once(ends[-1])
        for start in range(0, len(self.others) if ends[-1] > 1 else 0, many):
            bones, *others = zip(*self.others[start : start + many], strict=True)
            leads, carriers, unders = (np.stack([_rotations(sources, bone, counts) for bone in rows]) for rows in others)
            apart = quat.relative(unders, carriers)
            moved = quat.apart(apart[:, 1:], apart[:, :-1])
            rows = np.flatnonzero(moved.max(axis=1) > _STILL)
            own = quat.relative(carriers[rows], leads[rows])
            bends = moved[rows] * quat.apart(own[:, 1:], own[:, :-1]) / 8
            for some, first, end in zip(result, [0, *ends], ends, strict=False):
                some |= zip(np.array(bones)[rows].tolist(), bends[:, first : end - 1], strict=True)  # without the step to the next clip
        return result


def _rotations(motions: Sequence[Motion], bone: int, counts: Sequence[int]) -> Floats:
    """(F, 4) of one bone in all of them; of none no rotation."""
    if bone < 0:
        return np.broadcast_to(quat.IDENTITY, (sum(counts), 4))
    return np.concatenate([motion.rotations[:count, bone] for motion, count in zip(motions, counts, strict=True)])


def bent_limbs(setup: Setup, report: Report) -> set[int]:
    """Numbers of the target's bones of limbs that are held or go for a goal: these rotate by themselves, whatever is above."""
    ends = {goal.limb for goal in report.goals}
    if report.foot_pass:
        ends |= {"leftFoot", "rightFoot", *(("leftHand", "rightHand") if report.holds_hands else ())}
    rows = setup.binding.rows_of(*(role for end in sorted(ends) for role in joint_roles(end)))
    return {setup.binding.followers[row].target for row in rows}


@dataclass(frozen=True, eq=False)
class Bent:
    """What is known of a clip that bends between the frames at which it is sampled. keyed: of the source's keys the frames. bends:
    (F - 1,) radians by which each bone may, with all that it hangs on. is_all: whether nothing else can bend it, as constraints can."""

    keyed: Floats
    bends: Sequence[Floats]
    is_all: bool = True

    @classmethod
    def of(cls, figure: Figure, bones: Mapping[int, Floats], keyed: Floats | None = None) -> Bent:
        """bones: (F - 1,) of each bone by itself."""
        return cls(np.zeros(0) if keyed is None else keyed, list(with_above(figure.parents.tolist(), bones).values()))

    @classmethod
    def of_keys(
        cls,
        figure: Figure,
        blocks: Sequence[Block],
        count: int,
        parted: Set[int] = frozenset(),
        others: Mapping[int, Floats] | None = None,
        *,
        upright: bool = False,
    ) -> Bent | None:
        """Of what is written, with straight lines between so many frames; None where that bends nothing that is worth a line. parted: the
        bones that rotate upon each other in other parts than the source's do. others: by bone (F - 1,) radians by which it is elsewhere for
        other reasons. upright: whether all bones rotate upon what carries the root motion."""
        keyed: dict[int, Sequence[NDArray[Any]]] = {}
        rotating: dict[int, NDArray[np.floating]] = {}
        for block in blocks:
            first = block.channels[0]
            bone = figure.index.get(first.bone) if first.bone else OBJECT
            if bone is None or block.values.shape[1] < count:
                continue
            values = block.values[:, :count]
            if first.property in ("rotation_euler", "rotation_axis_angle") and bone != OBJECT:
                keyed[bone] = list(values)
            if (upright or bone in parted) and first.property in ("rotation_euler", "rotation_quaternion"):
                rotating[bone] = values
        bends, steps = at_most(figure.modes, keyed), steps_of(rotating)
        for bone, bend in upon(figure.parents.tolist(), steps).items():
            bends[bone] = bends.get(bone, 0.0) + bend
        for bone, bend in (others or {}).items():
            bends[bone] = bends.get(bone, 0.0) + bend
        if count < 2 or not may_bend(figure.parents.tolist(), bends):
            return None
        return cls.of(figure, bends)

    def beside(self, other: Bent | None) -> Bent:
        """Both of source and target."""
        if other is None:
            return self
        return Bent(np.union1d(self.keyed, other.keyed), [*self.bends, *other.bends], self.is_all and other.is_all)

    def frames(self, setup: Setup, source: Motion, clip: Clip) -> Floats:
        """Frames between the others that tell how much it bends: the middles of the gaps in which it may be seen, or which have keys
        inside; of many those in which each bone or limb does so most, and those in which all together do; and what is keyed there. source:
        at the frames of the clip."""
        frames, keyed = clip.sampled, self.keyed
        behind = np.searchsorted(frames, keyed).clip(1, len(frames) - 1)
        inside = np.minimum(keyed - frames[behind - 1], frames[behind] - keyed) > AT
        keyed, own = keyed[inside], behind[inside] - 1
        gaps = np.union1d(np.flatnonzero(np.max(self.bends, axis=0) >= BEND), own) if self.is_all else np.arange(len(frames) - 1)
        if len(gaps) > _FEW:
            gaps = np.intersect1d(gaps, self._gaps(setup, source, len(frames)))
        return np.unique(np.concatenate([(frames[gaps] + frames[gaps + 1]) / 2, keyed[np.isin(own, gaps)]]))

    def _gaps(self, setup: Setup, source: Motion, count: int) -> NDArray[np.int64]:
        """Numbers of gaps, ascending. count: of the frames."""
        binding, every = setup.binding, list(self.bends)
        for row in measures.limb_rows(binding):
            start, end = (source.positions[:count, binding.followers[each].source] for each in (row, binding.steering[row][0]))
            every.append(steep(unit(end - start)).sum(axis=1))
        if not every:
            return np.zeros(0, np.int64)
        most = np.argsort(-np.sum(every, axis=0), kind="stable")[:_AT_ONCE]
        return np.union1d([int(bend.argmax()) for bend in every], most).astype(np.int64)
