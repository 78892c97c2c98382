"""A bone map laid upon two figures: which target bone follows what, where that is in the reference pose, and what lies next below it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import dist
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations.rotation_matrix import Floats
from ...reporting import log
from ...reporting.labels import first_few
from ..figures.figure import Figure
from ..figures.maps.bone_map import BoneMap, Chain, Pair, PairOptions
from ..figures.roles import BODY, role_label, sided
from . import chains

Side = Literal["source", "target"]

_LIMBS = (("Shoulder", "UpperArm", "LowerArm", "Hand"), ("UpperLeg", "LowerLeg", "Foot", "Toes"))
"""From the body outwards."""

_ALIKE = 0.02
"""Of a scale, by which the bones of one figure differ at most."""

_ENDS, _BODY_CHAINS = ("Hand", "Toes"), ("spine", "neck", "left", "right")


@dataclass(frozen=True, eq=False)
class Follower:
    """target, source: indices of the bones. anchor: (3,) the position in the source's reference pose that is the target bone's head.
    chain: the chain it belongs to, and its index in it; None for a pair."""

    target: int
    source: int
    anchor: Floats
    role: str = ""
    options: PairOptions = field(default_factory=PairOptions)
    chain: tuple[chains.Plan, int] | None = None

    @property
    def is_uneven(self) -> bool:
        """Whether it is in a chain of other length than its source's, so that no joint there corresponds to its own."""
        return self.chain is not None and self.chain[1] not in self.chain[0].joints


@dataclass(frozen=True, eq=False)
class Binding:
    """followers: ordered as the target's bones. heads, tails: (S, 3) of the source's bones in its reference pose, in the world. heels: the
    rows of feet that do not point to their toes, as `reference.heels` finds them."""

    source: Figure
    target: Figure
    followers: tuple[Follower, ...]
    heads: Floats
    tails: Floats
    heels: frozenset[int] = frozenset()

    def __len__(self) -> int:
        return len(self.followers)

    @cached_property
    def row(self) -> dict[int, int]:
        """Number of a target bone -> row of its follower."""
        return {follower.target: row for row, follower in enumerate(self.followers)}

    @cached_property
    def roles(self) -> dict[str, int]:
        """Role -> row of its follower."""
        return {follower.role: row for row, follower in reversed(list(enumerate(self.followers))) if follower.role}

    def rows_of(self, *roles: str) -> list[int]:
        """The rows of those of some roles that the map has, in this order."""
        return [self.roles[role] for role in roles if role in self.roles]

    @cached_property
    def carrier(self) -> int:
        """The target bone above the hips that follows the same source bone and so moves for them; -1 where the hips move themselves."""
        row = self.roles.get("hips")
        while row is not None and (row := int(self.above[row])) >= 0:
            if self.followers[row].source == self.followers[self.roles["hips"]].source:
                return self.followers[row].target
        return -1

    @cached_property
    def above(self) -> NDArray[np.int64]:
        """(T,) the row of the nearest follower above each, -1 where there is none."""
        result = np.zeros(len(self), np.int64)
        for row, follower in enumerate(self.followers):
            bone = int(self.target.parents[follower.target])
            while bone >= 0 and bone not in self.row:
                bone = int(self.target.parents[bone])
            result[row] = self.row[bone] if bone >= 0 else -1
        return result

    @cached_property
    def _nearest(self) -> tuple[list[int], ...]:
        """For each row those of which it is `above`."""
        result: tuple[list[int], ...] = tuple([] for _ in range(len(self)))
        for row, above in enumerate(map(int, self.above)):
            if above >= 0:
                result[above].append(row)
        return result

    @cached_property
    def below(self) -> tuple[tuple[int, ...], ...]:
        """For each row the rows of the nearest followers below it that are apart from it in both figures."""
        anchors, heads = np.array([follower.anchor for follower in self.followers]), self.target.heads
        near = 1e-5 * max(float(np.ptp(heads, axis=0).max()), 1e-9), 1e-5 * max(float(np.ptp(self.heads, axis=0).max()), 1e-9)
        joints, spots = [heads[follower.target].tolist() for follower in self.followers], anchors.tolist()
        result: list[tuple[int, ...]] = []
        for row in range(len(self)):
            rows: list[int] = []
            waiting = list(self._nearest[row])
            while waiting:
                child = waiting.pop(0)
                if dist(joints[child], joints[row]) > near[0] and dist(spots[child], spots[row]) > near[1]:
                    rows.append(child)
                else:
                    waiting += self._nearest[child]
            result.append(tuple(rows))
        return tuple(result)

    @property
    def loose(self) -> list[int]:
        """The rows of parts of the target's body that have no parent, and on which its hips do not hang: nothing keeps them where they
        belong."""
        hips = self.followers[self.roles["hips"]].target if "hips" in self.roles else -1
        rows = [row for role, row in self.roles.items() if role in BODY] if hips >= 0 else []
        bones = {row: self.followers[row].target for row in rows}
        return sorted(row for row, bone in bones.items() if self.target.parents[bone] < 0 and not self.target.is_below(hips, bone))

    @property
    def hips(self) -> int:
        """Their row; of a figure of which they are not known, that of the first bone."""
        return self.roles.get("hips", 0)

    @cached_property
    def steering(self) -> tuple[tuple[int, ...], ...]:
        """For each row those of `below` that show where it points: of a limb's bone the next joint of the limb alone, of hand and trunk
        the parts of the body; what else hangs on them (sleeves, tails, weapons) says nothing, nor does a thumb alone. Of other bones
        all."""
        result: list[tuple[int, ...]] = []
        for row, follower in enumerate(self.followers):
            below = self.below[row]
            side, part = sided(follower.role)
            limb = next((limb for limb in _LIMBS if part in limb[:-1]), None)
            if side and limb is not None:
                later = [side + name for name in limb[limb.index(part) + 1 :]]
                below = () if row in self.heels else self._first_of(below, later)
            elif side and part in _ENDS:
                below = tuple(child for child in below if self._is_body(child))
                below = () if all(map(self._is_thumb, below)) else below
            elif follower.role:
                below = tuple(child for child in below if self._is_body(child)) or below
            result.append(below)
        joints = {rows[0] for row, rows in enumerate(result) if rows and sided(self.followers[row].role)[0]}
        return tuple(
            rows if self.followers[row].role else tuple(child for child in rows if child not in joints) for row, rows in enumerate(result)
        )

    @cached_property
    def is_one_figure(self) -> bool:
        """Whether both are of the same proportions, whatever their size and their bones' axes; or nothing shows of what they are."""
        links = np.array([(row, below) for row, rows in enumerate(self.steering) for below in rows])
        if not len(links):
            return True
        joints = (np.array([each.anchor for each in self.followers]), self.target.heads[[each.target for each in self.followers]])
        lengths = [np.linalg.norm(each[links[:, 1]] - each[links[:, 0]], axis=1) for each in joints]
        shares = lengths[1] / np.maximum(lengths[0], 1e-30)
        return bool(np.ptp(shares) < _ALIKE * np.median(shares))

    def _first_of(self, rows: tuple[int, ...], later: list[str]) -> tuple[int, ...]:
        """The row of the first of the roles that is there at or below some rows, alone."""
        rows_by_role: dict[str, int] = {}
        waiting = list(rows)
        while waiting:
            row = waiting.pop()
            if (role := self.followers[row].role) in later:
                rows_by_role[role] = row
            else:
                waiting += self._nearest[row]  # also the limb's bone that begins where a helper above it does
        return tuple(rows_by_role[role] for role in later if role in rows_by_role)[:1]

    def offsets(self, side: Side, row: int, others: Sequence[int]) -> Floats:
        """(N, 3) from a follower's joint to those of others, in one of the figures in its reference pose."""
        rows = [self.followers[each] for each in (row, *others)]
        joints = np.array([each.anchor for each in rows]) if side == "source" else self.target.heads[[each.target for each in rows]]
        return joints[1:] - joints[0]

    def _is_body(self, row: int) -> bool:
        """Whether a follower is a part of the body, by its role or as one of a spine, neck or finger."""
        follower = self.followers[row]
        return bool(follower.role) or (follower.chain is not None and follower.chain[0].name.startswith(_BODY_CHAINS))

    def _is_thumb(self, row: int) -> bool:
        follower = self.followers[row]
        return sided(follower.role or (follower.chain[0].name if follower.chain else ""))[1].startswith("Thumb")

    def named(self, row: int) -> str:
        """The target bone's name."""
        return self.target.names[self.followers[row].target]


def bind(bone_map: BoneMap, source: Figure, target: Figure, heads: Floats, tails: Floats | None = None) -> Binding:
    """Lay the map on the figures. heads, tails: (S, 3) the source's reference pose; without tails they are those at rest. What the figures
    do not have is left out, with a warning."""
    result: dict[int, Follower] = {}
    missing: list[str] = []
    tails = source.tails if tails is None else tails
    for pair in bone_map.pairs:
        source_bone, target_bone = source.index.get(pair.source), target.index.get(pair.target)
        if source_bone is None or target_bone is None:
            missing.append(_lost(pair, source_bone is None))
        elif target_bone in result:
            log.warning(f"{pair.target} is in more than one pair; it follows {source.names[result[target_bone].source]}", bone=pair.target)
        else:
            result[target_bone] = Follower(target_bone, source_bone, heads[source_bone], pair.role, pair.options)
    planned: list[tuple[Chain, chains.Plan]] = []
    joints = [(chain.source[one], chain.target[two]) for chain in bone_map.chains for two, one in chain.joints.items()]
    mapped = {follower.source for follower in result.values()} | {source.index[one] for one, _ in joints if one in source.index}
    mapped_targets = {*result} | {target.index[two] for _, two in joints if two in target.index}
    for chain in bone_map.chains:
        lost = [name for name in chain.source if name not in source.index] + [name for name in chain.target if name not in target.index]
        if lost or not chain.source or not chain.target:
            missing.append(f"{', '.join(lost) or 'bones'} of the chain {chain.name}")
            continue
        planned.append((chain, chains.plan(chain, source, target, chains.Joints(heads, tails), mapped, mapped_targets)))
    taken = {follower.role: target.names[follower.target] for follower in result.values() if follower.role}
    for chain, plan in planned:
        for position, bone in enumerate(plan.targets):
            if bone not in result:
                name = target.names[bone]
                role = chain.role_of(name)
                if taken.setdefault(role, name) != name and role:
                    if name in chain.roles:
                        log.warning(f"{name} and {taken[role]} have the same role, {role_label(role)}; {taken[role]} keeps it", bone=name)
                    role = ""
                result[bone] = Follower(
                    bone,
                    plan.sources[plan.nearest[position]],
                    plan.anchors[position],
                    role,
                    PairOptions(weight=plan.weight),
                    (plan, position),
                )
    if missing:
        log.warning(f"the map names what is not there: {first_few(missing, 6)}")
    return Binding(source, target, tuple(result[bone] for bone in sorted(result)), heads, tails)


def _lost(pair: Pair, in_source: bool) -> str:
    return f"{pair.source} (source)" if in_source else f"{pair.target} (target)"
