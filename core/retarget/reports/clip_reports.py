"""The report of each clip, of what was measured bone by bone and of the clip as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

import numpy as np

from ...motion.rotations.rotation_matrix import Floats
from ..figures.motion import Motion
from ..ground import body, feet, held
from ..setup import Setup
from ..transfer.alignment import facing, stance
from ..transfer.binding import Binding
from . import knees, measures, up_axis
from .fields import Reach
from .flips import Flips
from .gauge import Gauge
from .report import GOOD_ANGLE, Report


@dataclass(frozen=True, eq=False)
class Reached:
    """What became of hands and feet. missed: by limb (F,) metres to its goal. kept: of some (F,) by which that is more where it is held.
    reaching: the limbs that go for something; others are only asked to be further out, in longer steps, or below other hips."""

    limbs: list[feet.Limb]
    locked: held.Locked
    missed: dict[str, Floats]
    kept: dict[str, Floats]
    reaching: frozenset[str]

    def of(self, rows: slice, leg: float) -> tuple[Reach, ...]:
        """The goals of the clip in these rows. leg: the target's, in metres."""
        return tuple(
            Reach.of(name, metres[rows], leg, self.kept[name][rows] if name in self.kept else 0.0, name in self.reaching)
            for name, metres in self.missed.items()
        )


@dataclass(frozen=True)
class Clip:
    """rotated: how many bones are. seconds: that its retargeting took."""

    name: str
    rotated: int
    seconds: float


def reports_of(gauge: Gauge, reached: Reached, clips: Sequence[Clip], fps: float) -> list[Report]:
    """What is measured of each clip, in their order."""
    setup, motion, final, locked, spans = gauge.setup, gauge.motions.source, gauge.motions.final, reached.locked, gauge.spans
    unmapped = measures.unmapped(setup, motion)
    unreached = measures.missed(locked, setup.legs, spans)
    skates = [_skates_of_source(gauge, reached.limbs, fps)]
    doubts, assumed, (stood, folded) = _doubts(setup, motion, fps), _assumed(setup), _folded(setup)
    twisted, bent = _twisted(setup), knees.furthest(gauge, reached.missed)
    motion.forget()
    skates += _skates_of_target(gauge, reached.limbs, fps)
    limbs, joints = _limbs(gauge), np.max(gauge.joints, axis=0) if gauge.joints else None
    deepest = measures.penetration(setup.binding, final, setup.legs)
    above = feet.heights(reached.limbs, setup.binding, final, setup.legs, in_source=False)
    chains, flips = _furthest(gauge), gauge.jumps.flips(setup.binding, motion)
    bodies, sunk = [(0.0, 0, False)] * len(spans), [(0.0, -1, 0)] * len(spans)
    if gauge.bearing is not None:
        bodies, sunk = body.worst(gauge.bearing, gauge.lowest, spans), body.sunk(gauge.deepest, spans)
    result: list[Report] = []
    for number, (clip, rows) in enumerate(zip(clips, spans.rows, strict=True)):
        held_back, is_held = _held_back(setup, {name: most[number] for name, (most, _) in gauge.limbs.items()})
        (worst, largest), (shown_worst, shown) = limbs.worst[number], limbs.shown[number]
        off, off_frame, lies = bodies[number]
        chain_off, chain, chain_frame = chains[number]
        flipping = _flipping(setup, flips[number], motion)
        deep, part, deep_frame = sunk[number]
        result.append(
            Report(
                name=clip.name,
                frames=spans.counts[number],
                bones=clip.rotated,
                factor=setup.factor,
                limb_max=largest,
                limb_mean=float(limbs.means[number]),
                limb_worst=worst,
                limb_shown=shown,
                limb_shown_worst=shown_worst,
                joint_error=None if joints is None else float(joints[number]),
                joints=len(gauge.joints),
                skate_source=float(skates[0][number]),
                skate_plain=float(skates[1][number]),
                skate=float(skates[2][number]),
                penetration=float(deepest[number]),
                rotation_excess=max(float(gauge.excess[number]), flips[number].beyond),
                flips=flips[number].count,
                flip_frame=float(motion.frames[flips[number].row]) if flips[number].count else 0.0,
                foot_pass=float(np.degrees(locked.added[number])) if len(locked.added) else 0.0,
                unreached=unreached[number][0],
                missed=unreached[number][1],
                hips_down=float(locked.hips[rows].max()) if len(locked.hips) else 0.0,
                holds_feet=setup.options.feet,
                lowers_hips=setup.options.hips_down,
                holds_hands=setup.options.hands,
                unmapped=unmapped[number],
                seconds=clip.seconds,
                notes=(*doubts[number], *assumed, *stood, *folded, *twisted, *held_back, *flipping),
                asking=(*doubts[number], *(assumed if setup.facing.is_doubtful else ()), *folded, *twisted, *held_back, *flipping),
                above=max(0.0, above[number] or 0.0),
                yaw=float(np.degrees(setup.facing.yaw)),
                faces_elsewhere=setup.facing.is_doubtful or bool(doubts[number]),
                off_body=off / setup.legs.target,
                off_body_frame=float(motion.frames[off_frame]),
                lies=lies,
                part_below=deep / setup.legs.target,
                part_below_which=setup.binding.followers[part].role if part >= 0 else "",
                part_below_frame=float(motion.frames[deep_frame]) if part >= 0 else 0.0,
                snap=float(gauge.snap.most[number]),
                snap_bone=setup.binding.target.names[int(gauge.snap.bones[number])] if gauge.snap.most[number] else "",
                snap_frame=float(motion.frames[gauge.snap.rows[number]]) if gauge.snap.most[number] else 0.0,
                goals=reached.of(rows, setup.legs.target),
                chain_off=chain_off,
                chain_off_which=chain,
                chain_off_frame=float(motion.frames[chain_frame]) if chain else 0.0,
                bend=bent[number].degrees,
                bend_limb=bent[number].limb,
                bend_frame=float(motion.frames[bent[number].row]) if bent[number].limb else 0.0,
                limb_held=is_held,
                bend_hips=knees.by_hips(bent[number], locked.hips, setup.legs.target),
            )
        )
    return result


def _skates_of_source(gauge: Gauge, limbs: list[feet.Limb], fps: float) -> Floats:
    """(N,) leg lengths a second by which the source's standing feet slide."""
    setup = gauge.setup
    theirs = feet.mirrored(limbs) if setup.options.mirror else limbs
    return measures.skates(setup.binding, theirs, gauge.motions.source, fps, setup.legs.source, in_source=True)


def _skates_of_target(gauge: Gauge, limbs: list[feet.Limb], fps: float) -> list[Floats]:
    """Twice (N,), as `_skates_of_source`: the target's before feet are held, and as it is keyed."""
    setup, result = gauge.setup, list[Floats]()
    for shown in (gauge.motions.plain, gauge.motions.final):
        result.append(measures.skates(setup.binding, limbs, shown, fps, setup.legs.target, in_source=False))
        gauge.motions.plain.forget()
    return result


@dataclass(frozen=True, eq=False)
class _Limbs:
    """Degrees by which limbs point elsewhere than the source's. worst, shown: of each clip the limb with the largest error, and that,
    before feet are held and as it is keyed. means: (N,)."""

    worst: list[tuple[str, float]]
    shown: list[tuple[str, float]]
    means: Floats


def _limbs(gauge: Gauge) -> _Limbs:
    clips = len(gauge.spans)
    means = np.mean([mean for _, mean in gauge.limbs.values()], axis=0) if gauge.limbs else np.zeros(clips)
    return _Limbs(_worst({name: most for name, (most, _) in gauge.limbs.items()}, clips), _worst(gauge.shown, clips), means)


def _worst(values: dict[str, Floats], clips: int) -> list[tuple[str, float]]:
    """Of each clip the name with the largest value, and that; of those that differ by rounding alone the first. values: by name (N,)."""
    if not values:
        return [("", 0.0)] * clips
    table = np.stack(list(values.values()), axis=1)
    return [(list(values)[at], float(row[at])) for at, row in zip(table.round(9).argmax(axis=1).tolist(), table, strict=True)]


def _furthest(gauge: Gauge) -> list[tuple[float, str, int]]:
    """Of each clip by how much of its length a chain is most beside the line of its source's, which one, and in which row; of those that
    differ by rounding alone the first."""
    result = [(0.0, "", 0)] * len(gauge.spans)
    for name, off in gauge.chains.items():
        for clip, rows in enumerate(gauge.spans.rows):
            at = rows.start + int(off[rows].round(6).argmax())
            if off[at] > result[clip][0] + 1e-6:
                result[clip] = float(off[at]), name, at
    return result


def _flipping(setup: Setup, flips: Flips, motion: Motion) -> tuple[str, ...]:
    """Which bone jumps furthest beyond the source's."""
    if not flips.count:
        return ()
    name, frame = setup.binding.target.names[flips.bone], motion.frames[flips.row]
    remedy = _against_flips(setup.binding, flips.bone)
    return (f"{name} flips by {flips.degrees:.0f}° into frame {frame:g}, where no bone of the source does: {remedy}",)


def _against_flips(binding: Binding, bone: int) -> str:
    """Why a bone may flip that follows, or hangs on one that does, and what helps."""
    figure, own = binding.target, bone
    while bone not in binding.row:
        bone = int(figure.parents[bone])
    follower = binding.followers[binding.row[bone]]
    line = "its line" if bone == own else f"the line of {figure.names[bone]} above it"
    if figure.locked[bone].any():
        return "its game lets it rotate about some axes alone; rotate it there by hand"
    if follower.options.rotation in ("SWING", "TWIST"):
        return f"{line} takes over the {follower.options.rotation.lower()} alone; Rotation: All takes over the rest"
    if follower.options.weight != 1:
        return f"{line} has an Influence of {follower.options.weight:g}, by which rotations of half a turn go either way; 1 takes over all"
    if follower.chain is not None:
        return f"{line} is a chain that shares rotations out; Chain: One to One takes them over as they are"
    return f"look at how {line} follows, or that of the bone above it"


def _held_back(setup: Setup, limbs: dict[str, float]) -> tuple[tuple[str, ...], bool]:
    """The limbs that are off so that it shows, since the target's game does not let them rotate about all axes, and whether no other limb
    is off. limbs: degrees, by name."""
    locked = dict(zip(setup.binding.target.names, setup.binding.target.locked, strict=True))
    off = [name for name, angle in limbs.items() if angle >= GOOD_ANGLE]
    axes: dict[str, list[str]] = {}
    for name in off:
        if locked[name].any():
            axes.setdefault(" and ".join("XYZ"[axis] for axis in np.flatnonzero(locked[name]).tolist()), []).append(name)
    lines = tuple(
        f"{', '.join(names)}: the game has no rotation about {those} there, and they point "
        f"up to {max(limbs[name] for name in names):.3g}° away from the source's"
        for those, names in axes.items()
    )
    return lines, bool(off) and all(locked[name].any() for name in off)


def _folded(setup: Setup) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What is said of rest poses from where limbs' rotations about themselves cannot be counted: where another pose serves instead, and
    where that is for a person to choose."""
    if setup.options.align not in ("AUTO", "TPOSE"):
        return (), ()
    stood: tuple[str, ...] = ()
    if setup.stands is not None:
        frame, wrong = setup.stands
        text = f"the source is {wrong} at rest: its frame {round(frame, 1):g} serves as its reference pose"
        stood = (f"{text} (Alignment: By Poses takes another one)",)
    sides = [side for side in get_args(stance.Side) if not (side == "source" and stood) and stance.is_folded(setup.binding, side)]
    remedy = "bones may be twisted: Alignment: By Poses takes one in which both stand alike"
    return stood, tuple(f"the {side} is folded together at rest: {remedy}" for side in sides)


def _twisted(setup: Setup) -> tuple[str, ...]:
    """Limbs whose skin is wrung although they point where they should."""
    if not setup.twisted:
        return ()
    names, most = ", ".join(setup.twisted), max(setup.twisted.values())
    own = "themselves" if len(setup.twisted) > 1 else "itself"
    automatic = setup.options.align == "AUTO"
    remedy = "By Poses takes poses in which both stand alike" if automatic else "Automatic mends that"
    return (f"{names}: rotated about {own} by up to {most:.0f}° beside where the limb bends: Alignment: {remedy}",)


def _doubts(setup: Setup, motion: Motion, fps: float) -> list[tuple[str, ...]]:
    """Of each clip what a person should look at in the source itself."""
    laid = up_axis.laid_over(setup.binding, motion, setup.legs.source, fps)
    return [(*known, *filter(None, [also])) for known, also in zip(measures.doubts(setup.binding, motion), laid, strict=True)]


def _assumed(setup: Setup) -> tuple[str, ...]:
    """The figures of which nothing shows for certain where they face."""
    faced = setup.facing
    angles = {"source": faced.source, "target": faced.target}
    return tuple(
        f"it is not certain where the {side} faces: it is taken to look along {facing.looks(angles[side])}" for side in faced.assumed
    )
