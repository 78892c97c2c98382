"""Soles of feet. Toes that follow nothing, as the source has none: a foot that tips as a shorter one does puts them into the ground,
though its ankle is as high above its own height at rest as the source's. Heels of feet that have toes: a foot that is held by its toes
would put its heel into the ground where that strikes first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations import quaternion as quat
from ...motion.rotations.directions import UP, unit
from ...motion.rotations.rotation_matrix import Floats
from ..figures.figure import Figure
from ..figures.motion import Motion
from ..figures.spans import Worst
from . import contacts, depths
from .feet import Limb
from .pace import Pace
from .source import Source
from .treads import Tread, lowest_at_rest, tread

_FAR = 0.6
"""In leg lengths from the ankle: what is further away is no part of the foot."""

_LEVEL = 0.5
"""Of the length of toes, how much higher or lower their ends are at rest at most."""

_STEEP = 0.5
"""The sine of how far beyond upright, on its instep, a foot may be tipped for its toes to bend up; the further, the less."""

_EASE = 0.1
"""Seconds over which the body rises and comes down."""

_BRIEF, _LEADS = 0.2, 1.0
"""Seconds: who stands again so soon has not left the ground; and for as long what is before or behind a stand leads into or out of it, with
as many in which that fades."""


@dataclass(frozen=True, eq=False)
class Toe:
    """A bone below a foot that follows nothing. arm, tip: (3,) from the foot's joint to its own, and from there to the end of what hangs on
    it, at rest, in the world. resting: the heights of both there."""

    bone: int
    arm: Floats
    tip: Floats
    resting: tuple[float, float]


@dataclass(frozen=True, eq=False)
class Sole:
    """What hangs on one foot of the target and follows nothing, or its heel. tread: of its mesh, which tells more where there is one.
    ground: the height at rest of the lowest of both treads. least: (F,) metres to which it may be below where it is
    at rest, 0 at most, as the source's foot is below its own; no number where the ground is not known. low: (F,) the same, whatever is
    known of the ground. theirs: (F,) the same, and as deep as the source's own mesh is where that is known."""

    bone: int
    toes: tuple[Toe, ...]
    tread: Tread | None
    ground: float
    least: Floats
    low: Floats
    theirs: Floats


@dataclass(frozen=True, eq=False)
class Bent:
    """By bone of toes that follow nothing: rotations (F, 4) in the world, and clips (N,), those in which it bends."""

    rotations: dict[int, Floats] = field(default_factory=dict[int, Floats])
    clips: dict[int, NDArray[np.bool_]] = field(default_factory=dict[int, NDArray[np.bool_]])

    def still(self, count: int) -> list[set[int]]:
        """Of each of N clips the toes that bend in others alone."""
        return [{bone for bone, bends in self.clips.items() if not bends[clip]} for clip in range(count)]


@dataclass(frozen=True, eq=False)
class Soles:
    """By leg of the target, where it has toes, or joints below the foot that follow nothing. is_held: (F,) where feet are held."""

    target: Figure
    by_leg: dict[str, Sole]
    is_held: NDArray[np.bool_]

    def sunk(self, target: Motion) -> dict[str, Floats]:
        """By leg (F,) metres by which the sole is deeper than it may be, below 0 where it is above that, or its ground is not known."""
        return {name: self._sunk(sole, target) for name, sole in self.by_leg.items()}

    def held(self, target: Motion) -> dict[str, Floats]:
        """The same where feet are held; below 0 elsewhere."""
        return {name: np.where(self.is_held, deep, -np.inf) for name, deep in self.sunk(target).items()}

    def rise(self, target: Motion, legs: Sequence[Limb], time: Pace, visible: float, lies: Floats | float = 0.0) -> Floats:
        """(F,) metres by which the body has to be higher for the meshes of all feet that stand to be out of the ground, and of any foot
        while none stands, as before a leap, smoothed over time; what one of those that stand is deep alone is for its leg to bend. 0 in
        clips in which none stands, or that is no more than `visible` metres. legs: with when they stand. lies: (F,) from 0 to 1, whether
        the body bears on anything but a foot, for which that has to be on the ground."""
        least, most, spans = np.full(len(target.frames), np.inf), np.zeros(len(target.frames)), target.spans
        for item in legs:
            sole = self.by_leg.get(item.name)
            if sole is not None and sole.tread is not None:
                deep = self._sunk(sole, target).clip(0)
                np.minimum(least, deep, out=least, where=item.touching)
                np.maximum(most, deep, out=most)
        most *= 1 - lies
        result = np.zeros(len(least))
        for rows in spans.rows:
            own = least[rows]
            stands = np.flatnonzero(own < np.inf)
            if len(stands):
                between = np.interp(np.arange(float(len(own))), stands, own[stands])
                result[rows] = np.maximum(between, _leading(time.seconds[rows], stands) * most[rows])
        result = time.smoothed(result[:, None], _EASE)[:, 0]
        return np.where(spans.spread(spans.largest(result)) > visible, result, 0.0)

    def sunk_below(self, bone: int, target: Motion) -> Floats | None:
        """The same of one foot by its bone; None where it has no such sole."""
        return next((self._sunk(sole, target) for sole in self.by_leg.values() if sole.bone == bone), None)

    def ends_below(self, target: Motion) -> list[tuple[str, float]]:
        """Of each clip the foot whose toes end furthest below where the source's foot lets them, and metres; "" and 0 where none do. Of
        feet with meshes `meshes_below` knows more."""
        result, spans = Worst(target.spans), target.spans
        for name, sole in self.by_leg.items():
            if sole.tread is not None:
                continue
            for toe in (each for each in sole.toes if each.tip.any()):
                rotation = quat.multiply(target.rotations[:, toe.bone], quat.conjugate(self.target.quaternions[toe.bone]))
                end = target.positions[:, toe.bone, 2] + quat.rotate(rotation, toe.tip)[:, 2] - toe.resting[1]
                deepest = spans.largest(sole.low - end)
                result.add(name, spans.starts[deepest > 0], deepest[deepest > 0])
        return result.by_clip

    def meshes_below(self, target: Motion) -> list[tuple[str, float, int]]:
        """Of each clip the foot whose mesh is furthest below where the source's is, whether that stands or not, for as long as a contact
        takes: metres, and the row; "" and 0 where none is."""
        result = [("", 0.0, rows.start) for rows in target.spans.rows]
        for name, sole in self.by_leg.items():
            if sole.tread is not None:
                bending = [toe.bone for toe in sole.toes if toe.tip.any()]
                shown = (tread(self.target, sole.bone, bending[0]) if len(bending) == 1 else None) or sole.tread
                deep = (sole.theirs - shown.lowest(self.target, target) + sole.ground).clip(0)
                for clip, rows in enumerate(target.spans.rows):
                    metres, at = contacts.lasting(deep[rows])
                    if metres > result[clip][1]:
                        result[clip] = name, metres, rows.start + at
        return result

    @property
    def may_bend(self) -> bool:
        """Whether a foot has toes that follow nothing."""
        return any(toe.tip.any() for sole in self.by_leg.values() for toe in sole.toes)

    def bent(self, target: Motion, least: float) -> Bent:
        """Rotations of toes that keep their ends out of the ground as far as their joints are, on the feet of
        `target`, in clips in which that is more than `least` metres and the ground is known, whether feet are held in them or not."""
        result, spans = Bent(), target.spans
        for sole in self.by_leg.values():
            is_known = ~np.isnan(sole.least)
            change = self._change(sole, target)
            ankle = target.positions[:, sole.bone, 2]
            for toe in (each for each in sole.toes if each.tip.any()):
                dorsal = unit(np.cross(toe.tip, UP))
                tip, up = (quat.rotate(change, each)[:, 2] for each in (toe.tip, np.cross(dorsal, toe.tip)))
                joint = ankle + quat.rotate(change, toe.arm)[:, 2]
                level = np.minimum(toe.resting[1] - joint, float(toe.tip[2])) + sole.low
                reach = np.maximum(np.hypot(tip, up), 1e-9)
                highest = np.arctan2(up, tip) % (2 * np.pi)
                angle = highest - np.arccos((level / reach).clip(-1, 1))
                length = float(np.linalg.norm(toe.tip))
                angle = np.where((tip < level) & is_known, angle, 0.0) * (1 + up / (_STEEP * length)).clip(0, 1)
                bends = spans.largest(np.abs(angle)) * length > least
                if bends.any():
                    angle *= spans.spread(bends.astype(np.float64))
                    raised = quat.multiply(change, quat.about(dorsal, angle))
                    result.rotations[toe.bone] = quat.multiply(raised, self.target.quaternions[toe.bone])
                    result.clips[toe.bone] = bends
        return result

    def _change(self, sole: Sole, target: Motion) -> Floats:
        """(F, 4) what a foot rotates away from its rest."""
        return quat.multiply(target.rotations[:, sole.bone], quat.conjugate(self.target.quaternions[sole.bone]))

    def _sunk(self, sole: Sole, target: Motion) -> Floats:
        if sole.tread is not None:
            heights = [sole.tread.lowest(self.target, target) - sole.ground]
        else:
            change, ankle = self._change(sole, target), target.positions[:, sole.bone, 2]
            heights = [ankle + quat.rotate(change, toe.arm)[:, 2] - toe.resting[0] for toe in sole.toes]
        deep = sole.least - np.minimum.reduce(heights)
        return np.where(np.isnan(deep), -np.inf, deep)

    def standing_off(self, away: Mapping[str, Floats], levels: Mapping[str, Floats], target: Motion) -> dict[str, Floats]:
        """`away`, as `level.off_ground` gives it, of soles where they are lower than the joint of the foot: what is between the ground and
        as far below it as it may be is off by nothing.

        levels: as `level.heights` gives them."""
        result = dict(away)
        for name, sole in self.by_leg.items():
            if name in result:
                deep = self._sunk(sole, target)
                off = np.minimum(-deep, np.maximum(sole.least - deep, 0.0))
                result[name] = np.where(np.isnan(levels[name]) | np.isnan(sole.least), result[name], np.minimum(result[name], off))
        return result


def soles(source: Source, deeper: Floats | None, references: Floats) -> Soles:
    """deeper: (F,) metres by which a foot of one who lies may be lower. references: (target bones, 4) its aligned rotations."""
    binding, measured, footing = source.binding, source.legs, source.footing
    legs = [item for item in source.limbs if item.name.endswith("Foot")]
    spans = source.motion.spans
    result = Soles(binding.target, {}, spans.spread(footing.is_grounded.astype(np.float64)) > 0)
    known = footing.is_grounded | ~np.isnan(footing.lowest)
    if not legs or not all(measured.sure):
        return result
    ends = [(binding.followers[item.rows[2]], binding.followers[source.leads[item.rows[2]]]) for item in legs]
    followed = {one.target for one in binding.followers}, {one.source for one in binding.followers}
    heads, theirs = binding.target.heads, binding.heads
    lowest = [
        min(float(points[bone, 2]) for bone in bones)
        for points, bones in ((heads, [own.target for own, _ in ends]), (theirs, [lead.source for _, lead in ends]))
    ]
    shows = spans.spread(known.astype(np.float64)) > 0
    meshes = [tread(binding.target, own.target, binding.followers[item.rows[3]].target) for item, (own, _) in zip(legs, ends, strict=True)]
    worn = depths.meshes(source, legs)
    ground, floor = lowest_at_rest(meshes), lowest_at_rest(worn)
    for mesh, item, (own, lead), boot in zip(meshes, legs, ends, worn, strict=True):
        raised = float(heads[own.target, 2]) - lowest[0]
        if item.rows[3] != item.rows[2]:
            toes = (_heel(binding.target, own.target, binding.followers[item.rows[3]].target, references, raised),)
            points = [lead.source]
        else:
            toes = _toes(binding.target, own.target, followed[0], _FAR * measured.target, raised)
            points = [lead.source, *_below(binding.source, theirs, lead.source, followed[1], _FAR * measured.source)]
        if not toes and mesh is None:
            continue
        if mesh is not None and item.rows[3] != item.rows[2]:
            points = [binding.followers[source.leads[item.rows[3]]].source]
        above = np.minimum.reduce([source.motion.positions[:, bone, 2] - theirs[bone, 2] for bone in points])
        above = depths.allowed(above + float(theirs[lead.source, 2]) - lowest[1], item.touching, source)
        least = np.minimum(above, 0.0 if deeper is None else -deeper)
        deepest = least
        if mesh is not None and boot is not None:
            deepest = np.minimum(least, depths.allowed(boot.lowest(binding.source, source.motion) - floor, item.touching, source))
        result.by_leg[item.name] = Sole(own.target, toes, mesh, ground, np.where(shows, least, np.nan), least, deepest)
    return result


def _leading(seconds: Floats, stands: NDArray[np.int64]) -> Floats:
    """(F,) from 0 to 1, whether a frame leads into or out of a stand; 0 in stands. stands: (S,) ascending, their rows, one at least."""
    rows = np.arange(len(seconds))
    behind = np.searchsorted(stands, rows)
    last, first = stands[(behind - 1).clip(0)], stands[behind.clip(max=len(stands) - 1)]
    away = np.minimum(np.abs(seconds - seconds[last]), np.abs(seconds - seconds[first]))
    result = np.where(away > 0, 2 - away / _LEADS, 0.0).clip(0, 1)
    result[(last < rows) & (rows < first) & (seconds[first] - seconds[last] < _BRIEF)] = 0.0
    return np.asarray(result, np.float64)


def _toes(figure: Figure, foot: int, followed: set[int], far: float, raised: float) -> tuple[Toe, ...]:
    """What hangs on a foot of the target. raised: metres by which that is higher at rest than the lower one."""
    result: list[Toe] = []
    heads = figure.heads
    for bone in _below(figure, heads, foot, followed, far):
        if int(figure.parents[bone]) != foot or figure.hinged[bone]:
            continue
        ends = [heads[each] for each in range(len(figure)) if each != bone and figure.is_below(each, bone)] or [figure.tails[bone]]
        tip = max((end - heads[bone] for end in ends), key=lambda offset: float(np.hypot(offset[0], offset[1])))
        ahead = float(np.dot(tip[:2], (heads[bone] - heads[foot])[:2])) > 0 and abs(tip[2]) < _LEVEL * float(np.linalg.norm(tip))
        joint = float(heads[bone, 2]) - raised
        tip = tip if ahead else np.zeros(3)  # heels do not bend, nor what stands up
        result.append(Toe(bone, heads[bone] - heads[foot], tip, (joint, joint + float(tip[2]))))
    return tuple(result)


def _heel(figure: Figure, foot: int, toes: int, references: Floats, raised: float) -> Toe:
    """The heel of a foot that has toes, which is as high as its joint: at rest, or where it is flatter, as it is aligned with the source's.
    raised: metres by which the foot is higher at rest than the lower one."""
    aligned = quat.multiply(references[foot], quat.conjugate(figure.quaternions[foot]))
    flat = float(figure.heads[toes, 2] - quat.rotate(aligned, figure.heads[toes] - figure.heads[foot])[2])
    joint = min(float(figure.heads[foot, 2]), flat) - raised
    return Toe(foot, np.zeros(3), np.zeros(3), (joint, joint))


def _below(figure: Figure, heads: Floats, foot: int, followed: set[int], far: float) -> list[int]:
    """The bones that hang on a foot with nothing between that is followed, whose joints are lower than its own at rest."""
    result: list[int] = []
    waiting = list(figure.children[foot])
    while waiting:
        bone = waiting.pop()
        if bone not in followed:
            waiting += figure.children[bone]
            if heads[bone, 2] < heads[foot, 2] and np.linalg.norm(heads[bone] - heads[foot]) < far:
                result.append(bone)
    return result
