"""A clip between its keys: how far it is from its source there, and what helps. A game's keys are on its time units; those of any other
rig are at frames, and between these a source bends that is eased from key to key, or rotates by Euler angles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...motion.curves import Block
from ...motion.modes import quaternions
from ...motion.rotations import quaternion as quat
from ...motion.rotations.directions import angle_between, lengths, unit
from ...motion.rotations.rotation_matrix import Floats
from ..figures.clip import Clip, Grid
from ..figures.figure import Figure
from ..figures.motion import Motion, joined
from ..ground.feet import VISIBLE
from ..limb_goals.limb_joints import joint_roles
from ..options import Keys, RetargetOptions
from ..setup import Setup
from ..transfer import mirror
from . import measures
from .report import Report

_SAID = 0.1
"""Degrees: less is not worth a line."""

_PATH = 0.005
"""Leg lengths: of the hips' path less is not worth a line."""

_AT = 1e-3
"""Frames: what is nearer to a key is at it."""

_FINEST = "it is faster than the game's time units"

_STILL = 1e-3
"""Radians from one frame to the next of bones that do not rotate."""

_BEND = float(np.radians(0.25))
"""Radians by which a bone and all that it hangs on bend between two frames: less is not looked at, since nobody sees it."""

OBJECT = -1
"""Instead of a bone's number: the object, which carries all bones, and is behind them where each has something of its own."""

_AT_ONCE = 32
"""Gaps between frames that are looked at because of all limbs together, beside that in which each of them bends most."""

_FEW = 64
"""Gaps that are all looked at."""

_TOGETHER = 1 << 14
"""Frames of all bones whose rotations are taken at once."""


def steep(values: NDArray[np.floating]) -> Floats:
    """(F - 1, ...) about how far a curve is from the line between two frames, in the middle, if it goes smoothly through its values
    (F, ...). Where it may jump instead it is somewhat more than beside that."""
    padded = np.concatenate([values[:1], values, values[-1:]]).astype(np.float64)
    steps = padded[1:] - padded[:-1]
    second = np.abs(steps[1:] - steps[:-1])
    bend = np.maximum(second[:-1], second[1:])
    return np.asarray(bend / 8 + np.minimum(np.abs(steps[1:-1]), bend) / 32, np.float64)


def twisting(angles: Floats) -> Floats:
    """(B, F - 1) radians by which bones at most are from the rotation in the middle between two frames, if their Euler angles (B, 3, F) go
    straight from one to the other. Those about two axes are, by an eighth of the product of their steps; any that go the longer way round
    are on the other side."""
    x, y, z = np.moveaxis(np.abs(angles[:, :, 1:] - angles[:, :, :-1]), 1, 0)
    around = np.where(np.maximum(np.maximum(x, y), z) > np.pi, np.pi, 0.0)
    return np.asarray((x * y + y * z + z * x) / 8 + around, np.float64)


def turning_over(components: Sequence[NDArray[np.floating]]) -> Floats | None:
    """(F - 1,) the same of a bone whose quaternion, of components (F,), changes its side from one frame to the next, as if its rotation
    went the longer way round; None for one that does not."""
    w, x, y, z = (values[1:] * values[:-1] for values in components)
    is_over = w + x + y + z < 0
    return np.where(is_over, np.pi, 0.0) if is_over.any() else None


def may_bend(parents: Sequence[int], bones: Mapping[int, Floats]) -> bool:
    """Whether a bone bends between two frames, with all that it hangs on, so that it is worth a line. parents: OBJECT or less than the
    bone's own number. bones: (F - 1,) radians of those that bend, or leg lengths by which they are moved."""
    if not bones or np.sum(list(bones.values()), axis=0).max(initial=0.0) < _BEND:
        return False
    return any(bend.max() >= _BEND for bend in _with_above(parents, bones).values())


def upon(parents: Sequence[int], steps: Mapping[int, Floats]) -> dict[int, Floats]:
    """By bone (F - 1,) radians by which it is at most from the rotation in the middle between two frames, because it goes straight there
    upon others that go straight: by an eighth of the product of both steps. steps: (F - 1,) radians of those that rotate."""
    result, above = dict[int, Floats](), dict[int, Floats]()
    for bone, parent in enumerate((OBJECT, *parents), OBJECT):
        under = above.get(parent) if bone != OBJECT else None
        own = steps.get(bone)
        if own is not None and under is not None:
            result[bone] = own * under / 8
        every = [each for each in (own, under) if each is not None]
        if every:
            above[bone] = np.sum(every, axis=0)
    return result


def _together(frames: int) -> int:
    """How many bones are taken at once: many, since a step of numpy takes longer than a bone of a short clip; not all of a long one, which
    would be twice its keys."""
    return max(1, _TOGETHER // max(1, frames))


def _steps(rotating: Mapping[int, NDArray[np.floating]]) -> dict[int, Floats]:
    """By bone (F - 1,) radians from one to the next of quaternions (4, F), or at most of Euler angles (3, F)."""
    result = {bone: np.abs(np.diff(values.astype(np.float64))).sum(axis=0) for bone, values in rotating.items() if len(values) < 4}
    others = [bone for bone, values in rotating.items() if len(values) == 4]
    many = _together(rotating[others[0]].shape[1]) if others else 1
    for start in range(0, len(others), many):
        some = others[start : start + many]
        every = np.array([rotating[bone] for bone in some], np.float64)
        cosines = np.abs(np.einsum("bcf,bcf->bf", every[:, :, 1:], every[:, :, :-1])).clip(0, 1)
        result |= dict(zip(some, 2 * np.arccos(cosines), strict=True))
    return result


def astray(values: Floats, mode: str) -> Floats:
    """(F - 1, B) radians by which bones are from the rotation in the middle between two frames, if what they are keyed in (F, B, C) goes
    straight from one to the other."""
    rotations, middles = quaternions(values, mode), quaternions((values[1:] + values[:-1]) / 2, mode)
    return quat.apart(middles, quat.slerp(rotations[:-1], rotations[1:], np.array(0.5)))


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

    def bends(self, source: Motion, count: int) -> dict[int, Floats]:
        """By bone (F - 1,) radians by which `others` are at most from where the source has them in the middle between two frames, where
        that goes in two parts. source: of which so many frames count."""
        result: dict[int, Floats] = {}
        many = _together(count)
        for start in range(0, len(self.others) if count > 1 else 0, many):
            bones, *others = zip(*self.others[start : start + many], strict=True)
            leads, carriers, unders = (np.stack([_rotations(source, bone, count) for bone in rows]) for rows in others)
            apart = quat.relative(unders, carriers)
            moved = quat.apart(apart[:, 1:], apart[:, :-1])
            rows = np.flatnonzero(moved.max(axis=1) > _STILL)
            own = quat.relative(carriers[rows], leads[rows])
            result |= zip(np.array(bones)[rows].tolist(), moved[rows] * quat.apart(own[:, 1:], own[:, :-1]) / 8, strict=True)
        return result


def _rotations(motion: Motion, bone: int, count: int) -> Floats:
    """(F, 4) of one bone; of none no rotation."""
    return np.broadcast_to(quat.IDENTITY, (count, 4)) if bone < 0 else motion.rotations[:count, bone]


def bent_limbs(setup: Setup, report: Report) -> set[int]:
    """The same of limbs that are held or go for a goal."""
    ends = {goal.limb for goal in report.goals}
    if report.foot_pass:
        ends |= {"leftFoot", "rightFoot", *(("leftHand", "rightHand") if report.holds_hands else ())}
    rows = setup.binding.rows_of(*(role for end in sorted(ends) for role in joint_roles(end)))
    return {setup.binding.followers[row].target for row in rows}


Keyed = Mapping[int, Sequence[NDArray[Any]]]
"""By bone what it rotates by: its components, each (F,)."""


def at_most(modes: Sequence[str], keyed: Keyed) -> dict[int, Floats]:
    """By bone (F - 1,) about how far at most it is from the rotation in the middle between two frames, if its components go straight from
    one to the other; those without are not. modes: of all bones, and if it is among them the object's at the end."""
    euler = [bone for bone in keyed if modes[bone] not in ("QUATERNION", "AXIS_ANGLE")]
    result = dict[int, Floats](zip(euler, twisting(np.array([keyed[bone] for bone in euler], np.float64)), strict=True)) if euler else {}
    for bone, components in keyed.items():
        if modes[bone] == "AXIS_ANGLE":
            result[bone] = astray(np.array([components], np.float64).transpose(2, 0, 1), "AXIS_ANGLE")[:, 0]
        elif modes[bone] == "QUATERNION" and (over := turning_over(components)) is not None:
            result[bone] = over
    return result


@dataclass(frozen=True, eq=False)
class Bent:
    """What is known of a clip that bends between the frames at which it is sampled. keyed: of the source's keys the frames. bends:
    (F - 1,) radians by which each bone may, with all that it hangs on."""

    keyed: Floats
    bends: Sequence[Floats]

    @classmethod
    def of(cls, figure: Figure, bones: Mapping[int, Floats], keyed: Floats | None = None) -> Bent:
        """bones: (F - 1,) of each bone by itself."""
        return cls(np.zeros(0) if keyed is None else keyed, list(_with_above(figure.parents.tolist(), bones).values()))

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
        bends, steps = at_most(figure.modes, keyed), _steps(rotating)
        for bone, bend in upon(figure.parents.tolist(), steps).items():
            bends[bone] = bends.get(bone, 0.0) + bend
        for bone, bend in (others or {}).items():
            bends[bone] = bends.get(bone, 0.0) + bend
        if count < 2 or not may_bend(figure.parents.tolist(), bends):
            return None
        return cls.of(figure, bends)

    def beside(self, other: Bent | None) -> Bent:
        """Both of source and target."""
        return self if other is None else Bent(np.union1d(self.keyed, other.keyed), [*self.bends, *other.bends])

    def frames(self, setup: Setup, source: Motion, clip: Clip) -> Floats:
        """Frames between the others that tell how much it bends: the middles of the gaps in which each bone or limb does so most, and of
        those in which all together do; and what is keyed there. source: at the frames of the clip."""
        frames, keyed = clip.sampled, self.keyed
        gaps = np.arange(len(frames) - 1) if len(frames) - 1 <= _FEW else self._gaps(setup, source, len(frames))
        behind = np.searchsorted(frames, keyed).clip(1, len(frames) - 1)
        inside = np.isin(behind - 1, gaps) & (np.minimum(keyed - frames[behind - 1], frames[behind] - keyed) > _AT)
        return np.unique(np.concatenate([(frames[gaps] + frames[gaps + 1]) / 2, keyed[inside]]))

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


def _with_above(parents: Sequence[int], bones: Mapping[int, Floats]) -> dict[int, Floats]:
    """By how much bones bend with all that they hang on, the object too."""
    result = {OBJECT: bones[OBJECT]} if OBJECT in bones else dict[int, Floats]()
    for bone, parent in enumerate(parents):
        every = [each for each in (bones.get(bone), result.get(parent)) if each is not None]
        if every:
            result[bone] = every[0] if len(every) == 1 else every[0] + every[1]
    return result


@dataclass(frozen=True, eq=False)
class Looks:
    """Where a clip is looked at, and its source: beside its keys at the scene's frames from its first key on, in the middle between keys
    that are far apart, and where its source bends; and at the keys beside these. frames: (L,) ascending. source: (L,) the same but at keys,
    which have what the source shows up to a time unit before or behind: not always ascending. keys: (K,) those of them that are keys, as
    rows. numbers: (K,) which of the clip's keys these are."""

    frames: Floats
    source: Floats
    keys: NDArray[np.int64]
    numbers: NDArray[np.int64]

    @classmethod
    def of(cls, clip: Clip, grid: Grid | None, bends: Floats | None = None) -> Looks:
        """grid: of a game. bends: frames at which the source bends so that it may be seen."""
        keys = clip.frames[: len(clip.sampled)]
        end = min(float(clip.sampled[-1]), float(keys[-1]))
        apart = np.diff(keys)
        is_far = apart > 1.5 * (1.0 if grid is None else grid.tick)
        if grid is None and bends is None and not is_far.any():
            return _NOTHING
        middles = (keys[:-1] + apart / 2)[is_far]
        scene = np.arange(clip.start - np.floor(clip.start - keys[0]), end, 1.0) if grid is not None or len(middles) else np.zeros(0)
        every = np.concatenate([scene, middles, [end], np.zeros(0) if bends is None else bends])
        more = np.unique(every[(every >= keys[0]) & (every <= end)])
        beside = _beside(keys, more)
        is_off = np.abs(more[:, None] - keys[beside]).min(axis=1) > _AT
        more, rows = more[is_off], np.unique(beside[is_off])
        frames = np.concatenate([keys[rows], more])
        order = np.argsort(frames, kind="stable")
        return cls(frames[order], np.concatenate([clip.sampled[rows], more])[order], np.argsort(order)[: len(rows)], rows)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing between the keys to look at."""
        return len(self.keys) == len(self.frames)

    @cached_property
    def others(self) -> NDArray[np.int64]:
        """(L - K,) the rows that are no keys."""
        return np.delete(np.arange(len(self.frames)), self.keys)

    @cached_property
    def beside(self) -> NDArray[np.int64]:
        """(L, 2) the rows of the keys before and behind."""
        return self.keys[_beside(self.frames[self.keys], self.frames)]


_NOTHING = Looks(np.zeros(0), np.zeros(0), np.zeros(0, np.int64), np.zeros(0, np.int64))


def _beside(keys: Floats, frames: Floats) -> NDArray[np.int64]:
    """(F, 2) the rows of the keys before and behind each frame."""
    behind = np.searchsorted(keys, frames)
    return np.stack([behind - 1, behind], axis=1).clip(0, len(keys) - 1)


@dataclass(frozen=True)
class Peak:
    """By how much more something of `limb` is off at `frame` than at the keys beside, at most. apart: frames between these."""

    more: float = 0.0
    limb: str = ""
    frame: float = 0.0
    apart: float = 0.0

    @classmethod
    def of(cls, more: Floats, looks: Looks, limbs: Sequence[str]) -> Peak:
        """more: (limbs, L) by how much each is more off where it is looked; of those that are alike the first is named."""
        if not more.size or not more.max() > 0:
            return cls()
        limb, at = divmod(int(more.argmax()), len(looks.frames))
        return cls(float(more[limb, at]), limbs[limb], float(looks.frames[at]), float(np.ptp(looks.frames[looks.beside[at]])))


@dataclass(frozen=True)
class Between:
    """rotated: degrees by which a limb points away from the source's. moved: leg lengths by which its end is away from where limbs up to
    it would have it if they pointed as the source's. carried: leg lengths by which the hips are away from the source's path."""

    rotated: Peak = Peak()
    moved: Peak = Peak()
    carried: Peak = Peak()

    @classmethod
    def of(cls, setup: Setup, every: Sequence[Looks], sources: Sequence[Motion], targets: Sequence[Motion]) -> list[Between]:
        """Of several clips of one setup, at once. sources, targets: at the frames that are looked at."""
        binding, reflection = setup.binding, measures.reflection_of(setup)
        source, target = joined(sources), joined(targets)
        rotated, moved, away, limbs = list[Floats](), list[Floats](), dict[int, Floats](), list[str]()
        for row in sorted(measures.limb_rows(binding), key=lambda row: binding.followers[row].target):  # from the body outwards
            wanted, has = measures.limb_lines(binding, source, target, setup.frame, reflection, row)
            end = binding.steering[row][0]
            limbs.append(binding.named(row))
            away[end] = away.get(row, 0.0) + has - unit(wanted) * lengths(has)[:, None]
            rotated.append(np.degrees(angle_between(wanted, has)))
            moved.append(lengths(away[end]) / setup.legs.target)
        starts = np.cumsum([0, *(len(looks.frames) for looks in every)])
        beside = np.concatenate([start + looks.beside for start, looks in zip(starts, every, strict=False)])
        count = len(target.frames)
        off = [np.array(each).reshape(-1, count) for each in (rotated, moved)]
        more = [np.nan_to_num(each - each[:, beside].max(axis=2)) for each in off]
        more.append(_off_path(setup, source, target, reflection, beside))
        return [
            cls(
                *(
                    Peak.of(each[:, start : start + len(looks.frames)], looks, named)
                    for each, named in zip(more, (limbs, limbs, ["hips"]), strict=True)
                )
            )
            for start, looks in zip(starts.tolist(), every, strict=False)
        ]

    def reported(self, report: Report, grid: Grid | None, fps: float, asked: RetargetOptions) -> Report:
        """With lines where they are worth it. They ask for a look where it can be seen and something helps: it is gone with the next key,
        so that a limb that is off by a degree shows less there than all the time. grid: of a game. fps: frames a second of the scene."""
        rotated, moved, carried = self.rotated, self.moved, self.carried

        def line(peak: Peak, what: str) -> tuple[str, bool]:
            why, helps = _of_frames(peak, asked) if grid is None else _reason(peak, grid, fps, asked.keys)
            return f"between keys {what}, at frame {peak.frame:.5g}: {why}", helps and peak.more >= VISIBLE

        lines: list[tuple[str, bool]] = []
        if rotated.more >= _SAID:
            end = line(moved, f"the end of {moved.limb} is up to {moved.more:.3g} leg lengths further from the source's")
            limb, _ = line(rotated, f"{rotated.limb} is up to {rotated.more:.3g}° further from the source's")
            lines.append(end if end[1] else (limb, False))
        if carried.more >= _PATH:
            lines.append(line(carried, f"the hips are up to {carried.more:.3g} leg lengths beside the source's path"))
        notes, asking = [text for text, _ in lines], [text for text, asks in lines if asks]
        return report.but(between=rotated.more, between_path=carried.more, notes=(*report.notes, *notes), asking=(*report.asking, *asking))


def _off_path(setup: Setup, source: Motion, target: Motion, reflection: measures.Reflection | None, beside: NDArray[np.int64]) -> Floats:
    """(1, L) leg lengths by which the hips are away from where they were if they went between two keys as the source's do; (0, L) without
    hips. beside: (L, 2) the rows of the keys before and behind."""
    row = setup.binding.roles.get("hips")
    if row is None:
        return np.zeros((0, len(target.frames)))
    hips, (over_ground, upwards) = setup.binding.followers[row], setup.scale
    wanted = source.positions[:, hips.source] @ setup.frame.T * np.array([over_ground, over_ground, upwards])
    wanted = wanted if reflection is None else mirror.reflect_vectors(wanted, reflection.normal)
    off = target.positions[:, hips.target] - wanted
    before, behind = beside.T
    share = (target.frames - target.frames[before]) / np.maximum(target.frames[behind] - target.frames[before], _AT)
    return lengths(off - off[before] - (off[behind] - off[before]) * share[:, None])[None] / setup.legs.target


def _of_frames(peak: Peak, asked: RetargetOptions) -> tuple[str, bool]:
    """The same as `_reason` of keys at the scene's frames."""
    if asked.keys == "SOURCE" and peak.apart > asked.step + _AT:
        return "Keys: Every Frame has more of them", True
    finer = f"Step: {asked.step / 2:.4g} has twice as many"
    if asked.step > 1 + _AT:
        return f"Keys: Every Frame, and {finer}" if asked.keys == "SOURCE" else finer, True
    return f"between whole frames, where only motion blur and other frame rates show it ({finer} keys)", False


def _reason(peak: Peak, grid: Grid, fps: float, keys: Keys) -> tuple[str, bool]:
    """The reason, or the remedy, and whether it is one that helps."""
    ticks = peak.apart / grid.tick
    if keys == "SOURCE" and ticks > grid.apart + 0.5:
        return "Keys: Every Frame has more of them", True
    if grid.apart > 1 and ticks > 1.5:
        every = "Keys: Every Frame, and " if keys == "SOURCE" else ""
        return f"{every}Step: {grid.apart * grid.tick / 2:.4g} has twice as many", True
    if abs(grid.tick - round(grid.tick)) < _AT or abs(grid.step - round(grid.step)) < _AT:
        return _FINEST, False
    rate = fps / grid.tick
    better = _rate(rate, fps)
    return f"the game's time units, {rate:g} a second, are between the source's frames: open it in a scene of {better:g} frames/s", True


def _rate(rate: float, fps: float) -> float:
    """The lowest frames a second, from `fps` on, of which each is on one of `rate` ticks; else that of the ticks."""
    parts = [rate / count for count in range(1, int(rate) + 1) if rate % count == 0]
    return min([each for each in parts if each >= fps], default=rate)
