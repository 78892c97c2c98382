"""Where along the body the bones of its middle are: behind the hind limbs, between these and the fore limbs, on the neck, or beyond it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ....motion.rotations.rotation_matrix import Floats
from ...figures.figure import Figure
from .parts import EXACT, LARGE, LEFT, MIDDLE

_AS_FAR = 0.6
"""The part of the rest of a way that something else reaches beside it for the way to end where they part."""

_SHORT, _JAW, _HEAD, _FEW = 0.5, 0.35, 0.7, 3
"""The part of a neck's mean step below which its last one leads to a jaw, not to the head, below which that is sure, and above which it is
sure to be the head; and how many bones a neck has at least that shows it, and a head with jaw and tongue at most. A step that is longer
than a neck's the other way round may lead to the mere end of a head, or to a bone inside it that bears the face."""

_NECK, _PAIRS = 0.35, 2
"""The part of the way from hind to fore legs that the step to the last bone is at least for that to be a head, where a neck is too short to
show that it is no jaw; of what has so many pairs of legs."""

_EARS = 0.3
"""How far in front of fore legs something is, of how far these are in front of the hind legs, that is no chest."""

_PAIR = 2
"""For how many other bones a pair counts that hangs on a head: what bears eyes or ears is it, rather than what bears it and a jaw."""

_SAME = 0.1
"""The part of a neck's mean step below which what bears the face begins where the bone before it does, which may be the head."""

_AT_ONE = 0.35
"""The part of a bone's length that two which hang on it begin apart at most for that to be one place."""

_NEAR = 0.25
"""The part of the step to a bone of the trunk by which legs that begin with it are before or behind it at most."""

_BELLY = 0.2
"""The part of its way that a tail goes forward at most: it hangs straight down."""

_BENT, _STRAIGHT = np.cos(np.radians([65, 35]))
"""How a neck bends at most where a jaw begins, and at least where it goes on to the head."""


@dataclass(frozen=True, eq=False)
class Stations:
    """along: (B,) -1 at the end of the tail, 0 where the hindmost limbs hang, 1 where the foremost ones do, 2 at the head; of a limb or of
    what hangs on the way that of where it hangs. off: (B,) 0 for bones on that way, 1 for others of the middle, 0.5 for what may
    be the head or its jaw. blurred: (B,) of which it does not show whether it is of spine or neck, or a neck's last bone, a head on it, or
    its jaw. head: the bone that is sure to be it, or -1."""

    along: Floats
    off: Floats
    blurred: NDArray[np.bool_]
    head: int


class StationFinder:
    """heads: (B, 3) in axes left, forward, up. kinds, mass, hangs, legs: as of `Body`. main: (B,) as of `main_limbs`. steps: (B,) from the
    parent."""

    def __init__(
        self,
        figure: Figure,
        heads: Floats,
        kinds: Sequence[int],
        main: NDArray[np.bool_],
        steps: Floats,
        mass: Floats,
        hangs: Sequence[int],
        legs: Sequence[int],
    ) -> None:
        self.figure, self.heads, self.kinds, self.main, self.mass, self.legs = figure, heads, kinds, main, mass, legs
        self.parents: list[int] = figure.parents.tolist()
        self.hangs = hangs
        self.hung: list[list[int]] = [[] for _ in hangs]
        for bone, above in enumerate(hangs):
            if above >= 0:
                self.hung[above].append(bone)
        self.steps: list[float] = steps.tolist()
        self.middle = [bone for bone, kind in enumerate(kinds) if kind == MIDDLE]
        bare = self._bare_roots()
        inside = set(self.middle) - bare
        self.near: dict[int, list[int]] = {bone: [] for bone in inside}
        for bone in inside:
            above = hangs[bone] if hangs[bone] in inside else self.parents[bone]
            if above in inside:
                self.near[bone].append(above)
                self.near[above].append(bone)

    def run(self) -> Stations:
        count = len(self.figure)
        along, off = np.full(count, np.nan), np.ones(count)
        hubs = self._hubs()
        if hubs is None:
            return Stations(np.zeros(count), np.zeros(count), np.zeros(count, np.bool_), -1)
        hind, fore = hubs
        between = self._between(hind, fore)
        tail, neck = self._ends(hind, fore, between)
        trunk = float(np.linalg.norm(self.heads[fore] - self.heads[hind])) or np.inf
        top = min(between)
        self._set(along, off, between, 0.0, 1.0)
        if hind == fore:
            along[hind] = 0.5
        elif top not in (hind, fore):
            along[top] = 0.0  # hips and spine hang on it
        self._set(along, off, [hind, *tail], 0.0, -1.0)
        head, is_blurred = self._head(neck, trunk)
        self._set(along, off, [fore, *neck[: head + 1]], 1.0, 2.0)
        blurred = np.zeros(count, np.bool_)
        if hind != fore:
            blurred[self._where_legs_begin([*between, *neck])] = True
        if is_blurred:
            off[neck[-1]] = 0.5
            blurred[neck[-2:]] = True
        elif head > 1 and not _SAME < self._last_step(neck[: head + 1]) < 1 / _SHORT:
            blurred[neck[head - 1 : head + 1]] = True
        for bone in range(count):
            above = self.hangs[bone]
            if np.isnan(along[bone]):
                along[bone] = along[above] if above >= 0 and not np.isnan(along[above]) else 0.0
        shows = neck and not is_blurred and (len(neck) - head <= _FEW or self._bears_ears(neck[head]))
        return Stations(along, off, blurred, neck[head] if shows else -1)

    def _set(self, along: Floats, off: Floats, row: Sequence[int], first: float, last: float) -> None:
        """Give bones in a row their part of the way from the first to the last."""
        lengths = np.array([0.0, *(float(np.linalg.norm(self.heads[b] - self.heads[a])) for a, b in pairwise(row))])
        at = np.cumsum(lengths)
        for bone, part in zip(row, at / max(float(at[-1]), 1e-12), strict=True):
            if np.isnan(along[bone]):
                along[bone], off[bone] = first + (last - first) * part, 0.0

    def _bare_roots(self) -> set[int]:
        """Roots on which nothing but one bone hangs, above bones on which more does."""
        result: set[int] = set()
        hubs = {hub for bone, hub in enumerate(self.hangs) if hub != self.parents[bone]}
        for bone in self.middle:
            above = self.parents[bone]
            if (above < 0 or above in result) and len(self.figure.children[bone]) == 1 and len(result) < 2 and bone not in hubs:
                result.add(bone)
        return result if any(len(self.figure.children[bone]) > 1 for bone in self.middle) else set()

    def _hubs(self) -> tuple[int, int] | None:
        """The bones on which the hindmost and the foremost large limbs hang, but for ears; None without any."""
        limbs = [bone for bone, kind in enumerate(self.kinds) if kind == LEFT and self.main[bone] and self.parents[bone] in self.near]
        heads = {bone for bone in {self.parents[limb] for limb in limbs} if self._bears_ears(bone)}
        hubs = {
            self.hangs[limb] if self.hangs[limb] in self.near else self.parents[limb] for limb in limbs if self.parents[limb] not in heads
        }
        ahead = self.heads[:, 1] + self.heads[:, 2]
        if not hubs:
            return None
        return min(hubs, key=lambda bone: (ahead[bone], bone)), max(hubs, key=lambda bone: (ahead[bone], bone))

    def _between(self, hind: int, fore: int) -> list[int]:
        """The bones from one to the other, both included; the hind one alone where no bones lead there."""
        came: dict[int, int] = {hind: -1}
        waiting = [hind]
        for bone in waiting:
            for other in self.near[bone]:
                if other not in came:
                    came[other] = bone
                    waiting.append(other)
        row = [fore]
        while row[-1] >= 0:
            row.append(came.get(row[-1], -1))
        return row[-2::-1] if row[-2] == hind else [hind]

    def _ends(self, hind: int, fore: int, between: Sequence[int]) -> tuple[list[int], list[int]]:
        """The bones behind the hindmost limbs to the end of the tail, and before the foremost ones to the end."""
        if hind != fore:
            tails = [row for bone in self.near[hind] if bone not in between and self._is_behind(row := self._out(bone, hind), hind)]
            necks = [self._out(bone, fore) for bone in self.near[fore] if bone not in between]
            ahead = max(necks, key=self._reach_of, default=list[int]())
            return max(tails, key=self._reach_of, default=list[int]()), ahead
        rows = [self._out(bone, hind) for bone in self.near[hind]]
        rows.sort(key=lambda row: self._goes(row, hind))
        front = rows[-1] if rows and self._goes(rows[-1], hind) > 0 else []
        back = rows[0] if rows and self._goes(rows[0], hind) < 0 else []
        return back, front

    def _where_legs_begin(self, row: Sequence[int]) -> list[int]:
        """Bones of a row behind its first one with which legs begin that their maker hung on them, of what stands on two pairs: such a bone
        is one maker's last of the spine, and another's first of the neck."""
        result: list[int] = []
        for above, bone in pairwise(row):
            step = self.heads[bone] - self.heads[above]
            near = _NEAR * float(step @ step)
            hung = [leg for leg in self.legs if self.parents[leg] == bone] if len(self.legs) == _PAIRS else []
            result += [bone] * any(abs(float((self.heads[leg] - self.heads[bone]) @ step)) <= near for leg in hung)
        return result

    def _is_behind(self, row: Sequence[int], start: int) -> bool:
        """Whether a row does not go forward from where it begins, as a belly does, and no tail."""
        along = self.heads[row[-1]] - self.heads[start]
        return float(along[1]) <= _BELLY * float(np.linalg.norm(along))

    def _goes(self, row: Sequence[int], start: int) -> float:
        """How far forward and up a row goes, all in all: the end of a scorpion's tail is above its body."""
        return float((self.heads[list(row)].mean(axis=0) - self.heads[start]) @ [0, 1, 1])

    def _reach_of(self, row: Sequence[int]) -> float:
        return float(sum(self.steps[bone] for bone in row))

    def _out(self, bone: int, before: int) -> list[int]:
        """The longest row of bones from one on, away from another."""
        came = {before: (before, 0.0), bone: (before, 0.0)}
        waiting = [bone]
        for one in waiting:
            for other in self.near[one]:
                if other not in came:
                    came[other] = one, came[one][1] + float(np.linalg.norm(self.heads[other] - self.heads[one]))
                    waiting.append(other)
        row = [max(waiting, key=lambda one: came[one][1])]
        while row[-1] != bone:
            row.append(came[row[-1]][0])
        return self._to_fork(row[::-1], before, {one: far for one, (_, far) in came.items()})

    def _to_fork(self, row: list[int], before: int, far: dict[int, float]) -> list[int]:
        """Up to where something else goes on nearly as far, as the other half of a fish's tail does, or, of these, the one that bears a
        face, as a head beside a mane does. far: how far along each bone is."""
        for at, bone in enumerate(row[:-1]):
            others = [other for other in self.near[bone] if other not in (row[at + 1], row[at - 1] if at else before)]
            faced = [other for other in (row[at + 1], *others) if self._bears_pairs(self._beyond(other, bone))]
            if others and len(faced) == 1:
                if faced[0] == row[at + 1]:
                    continue
                return [*row[: at + 1], faced[0]]
            reached = max((far[one] for other in others for one in self._beyond(other, bone)), default=0.0)
            if reached - far[bone] > _AS_FAR * (far[row[-1]] - far[bone]):
                return row[: at + 1]
        return row

    def _bears_pairs(self, bones: Sequence[int]) -> bool:
        """Whether something small and paired hangs on any of the bones, as eyes and ears do."""
        return any(self.kinds[child] == LEFT and not self.main[child] for bone in bones for child in self.figure.children[bone])

    def _beyond(self, bone: int, before: int) -> list[int]:
        """A bone and all that goes on from it, away from another."""
        result = [bone]
        came = {bone: before}
        for one in result:
            for other in self.near[one]:
                if other != came[one]:
                    came[other] = one
                    result.append(other)
        return result

    def _is_wing(self, bone: int) -> bool:
        """Whether a limb of three joints or more begins here, as wings that are small beside the legs: no ear has as many."""
        children = self.figure.children
        return self.kinds[bone] == LEFT and self.mass[bone] > LARGE and any(children[below] for below in children[bone])

    def _parts_at_one(self, bone: int) -> bool:
        """Whether several bones of the middle that hang on one begin at one place, as a jaw and a muzzle do."""
        points = self.heads[[child for child in self.hung[bone] if self.kinds[child] == MIDDLE]]
        return len(points) > 1 and bool(np.ptp(points, axis=0).max() < _AT_ONE * np.linalg.norm(points[0] - self.heads[bone]))

    def _bears_ears(self, bone: int) -> bool:
        """Whether a bone is so far in front of the fore legs of what stands on fours, and several others go on from it, as jaw and trunk do
        from an elephant's head, that what hangs on it are ears, no arms or wings."""
        if len(self.legs) < 2 or sum(self.kinds[child] == MIDDLE for child in self.hung[bone]) < 2:
            return False
        along = self.heads[list(self.legs), 1]
        return bool(self.heads[bone, 1] - along.max() > _EARS * np.ptp(along))

    def _head(self, row: Sequence[int], trunk: float) -> tuple[int, bool]:
        """Which of the bones is the head, the one on which most hangs, else the last one but for a jaw; and whether that is doubtful.

        trunk: how far the fore legs are from the hind ones."""
        hung = [sum({LEFT: _PAIR, MIDDLE: 1}.get(self.kinds[child], 0) for child in self.hung[bone]) for bone in row]
        hung = [most + self._parts_at_one(bone) for most, bone in zip(hung, row, strict=True)]
        for at, bone in enumerate(row[:-_FEW]):
            if any(self._is_wing(child) for child in self.hung[bone]) and not self._bears_ears(bone):
                hung[at] = 0  # a chest
        if max(hung, default=0) > 1:
            return max(range(len(row)), key=lambda at: (hung[at], at)), False
        if len(row) < _FEW:
            return len(row) - 1, bool(row) and (len(self.legs) != _PAIRS or self.steps[row[-1]] < _NECK * trunk)
        at_one = [at for at in (len(row) - 1, len(row) - 2) if at > 1 and self._last_step(row[: at + 1]) < _SAME]
        if at_one:  # a jaw begins where the head does
            return at_one[-1] - 1, False
        part = self._last_step(row)
        step, on = self.heads[row[-2]] - self.heads[row[-3]], self.heads[row[-1]] - self.heads[row[-2]]
        along = float(step @ on) / max(float(np.linalg.norm(step) * np.linalg.norm(on)), 1e-12)
        if along > EXACT and len(row) > _FEW:  # a jaw may have a mere end
            head, is_blurred = self._head(row[:-1], trunk)
            if head == len(row) - 3:
                return head, is_blurred
        is_jaw = part < _SHORT or (along < _BENT and part < 1 / _HEAD)
        is_sure = part < _JAW or along < _BENT if is_jaw else along > _STRAIGHT and _HEAD < part < 1 / _SHORT
        return len(row) - (2 if is_jaw else 1), not is_sure

    def _last_step(self, row: Sequence[int]) -> float:
        """The last step of a row in parts of the mean one before it."""
        *before, last = [self.steps[bone] for bone in row[1:]]  # the first one leads there from anywhere
        return last / max(float(np.mean(before)), 1e-12)
