"""Whole clips of one figure onto another: the steps in their order. Clips that are short go through them together, one after another in
one array, each with contacts, floor, loop and report of its own."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..motion import quaternion as quat
from ..motion.curves import Block
from ..motion.rotation_matrix import Floats
from ..reporting import log
from ..reporting.errors import RetroAnimError
from . import goals
from .figures.motion import Local, Motion, Standing, joined
from .gauge import Gauge, reports_of
from .ground import body, feet, held, level, root, soles
from .keyed import Joint, keyed
from .options import Options as Options
from .report import Report
from .sample import Sample
from .setup import Setup
from .setup import prepare as prepare
from .transfer import aim, mirror, twist
from .transfer.binding import Binding
from .transfer.solve import Solved, Wanted, solve
from .wanted import carried_clips, deltas_of, mirrored, wanted_of


@dataclass(frozen=True, eq=False)
class Asked:
    """A clip to be retargeted. motion: of all source bones. contacts: where limbs stand, instead of what is detected. loop: the frame, by
    its row, whose pose the last one repeats."""

    motion: Motion
    name: str = ""
    contacts: Mapping[str, NDArray[np.bool_]] = field(default_factory=dict[str, NDArray[np.bool_]])
    loop: int | None = None


@dataclass(frozen=True, eq=False)
class Together:
    """What the keys of clips come from that were retargeted together. joints: of those that loop."""

    solved: Solved
    counts: tuple[int, ...]
    joints: Sequence[Joint]

    @cached_property
    def locals(self) -> list[Local]:
        """Channels of the target's bones, in each clip."""
        local = self.solved.local()
        for bone in range(local.rotations.shape[1]):
            for joint in self.joints:
                joint.close(bone, local.rotations[:, bone], local.locations[:, bone])
        every = self.motion.spans.rows
        sizes = [None if local.sizes is None else local.sizes[rows] for rows in every]
        rotations = [quat.continuous(local.rotations[rows], positive=True) for rows in every]
        return [Local(local.locations[rows], own, size) for rows, own, size in zip(every, rotations, sizes, strict=True)]

    @cached_property
    def motion(self) -> Motion:
        """The target in the world."""
        return self.solved.motion(self.solved.sizes(), self.counts).whole()


@dataclass(frozen=True, eq=False)
class Result:
    """keys: of the bones' channels. standing: the object's motion where it carries it, else None. contacts: by limb, where feet or hands
    stand. clip: which of those that were retargeted together."""

    keys: list[Block]
    standing: Standing | None
    report: Report
    contacts: dict[str, NDArray[np.bool_]]
    together: Together
    clip: int
    sample: Sample

    @property
    def local(self) -> Local:
        """Channels of the target's bones."""
        return self.together.locals[self.clip]

    @property
    def motion(self) -> Motion:
        """The target in the world."""
        return self.together.motion.clips[self.clip]


def retarget(
    setup: Setup,
    motion: Motion,
    fps: float,
    name: str = "",
    contacts: Mapping[str, NDArray[np.bool_]] | None = None,
    loop: int | None = None,
) -> Result:
    """One clip. fps: frames a second. The rest as `Asked` has it."""
    return retarget_clips(setup, [Asked(motion, name, contacts or {}, loop)], fps)[0]


def retarget_clips(setup: Setup, clips: Sequence[Asked], fps: float) -> list[Result]:
    """Several clips, to the same results as each by itself. fps: frames a second."""
    alike: dict[bool, list[int]] = {}
    started = time.perf_counter()
    for number, clip in enumerate(clips):
        if not len(clip.motion.frames):
            raise RetroAnimError(f"{clip.name}: there are no frames")
        alike.setdefault(clip.motion.sizes is None, []).append(number)
    results: dict[int, Result] = {}
    for numbers in alike.values():
        results |= dict(zip(numbers, _together(setup, [clips[number] for number in numbers], fps, started), strict=True))
        started = time.perf_counter()
    return [results[number] for number in range(len(clips))]


def _together(setup: Setup, clips: Sequence[Asked], fps: float, started: float) -> list[Result]:
    """Clips that are alike in whether bones are scaled."""
    motion = joined([clip.motion for clip in clips])
    binding, options, frames, spans = setup.binding, setup.options, motion.frames, motion.spans
    footing = feet.footing(binding, motion, fps, setup.legs, options.hands, [clip.contacts for clip in clips])
    deltas = deltas_of(setup, motion)
    asked = goals.Goals(setup, motion, deltas)
    for doubt in asked.doubts():
        for clip in clips:
            with log.about(clip.name):
                log.warning(doubt)
    scale = 1.0 if options.keep_speed else setup.factor * asked.stride, setup.factor
    lifts = [root.lift_of(binding, clip.motion, setup.legs, options.floor, above) for clip, above in zip(clips, footing.above, strict=True)]
    positions = root.positions(
        binding, motion, setup.frame, scale, spans.spread(lifts), setup.source_positions, options.root_motion == "NONE"
    )
    stiff = aim.stiff(binding, motion, setup.source_rotations)
    bends = aim.bends(binding, motion, setup.frame, deltas, stiff)
    if options.mirror:
        deltas, positions = mirrored(setup, motion, deltas, positions)
        bends, stiff = aim.mirrored(bends, mirror.partners(binding), setup.facing.lateral), aim.NOTHING
    wanted = wanted_of(setup, motion, deltas, positions)
    swung = aim.aim(binding, bends, wanted.rotations, spans, stiff)
    still, changed, followed = Standing.still(binding.target), set[int](), set(wanted.rotations)
    limbs = feet.mirrored(footing.limbs) if options.mirror else footing.limbs
    acting = feet.acting(limbs, footing.is_grounded & options.feet, options.hands, spans)
    bent = [binding.followers[row].target for limb in acting for row in limb.rows]
    solved = _solved(setup, frames, wanted, still)
    plain = posed = solved.motion(None, motion.counts).holding(bent)
    sunk = level.sunk(binding, setup.legs, options.floor, setup.factor, lifts, plain, limbs, footing)
    if any(sunk):
        lower = spans.spread(sunk)[:, None] * np.array([0.0, 0.0, 1.0])
        wanted.positions.update({bone: wanted.positions[bone] - lower for bone in _lifted(binding, wanted)})
        solved = _solved(setup, frames, wanted, still)
        plain = posed = solved.motion(None, motion.counts).holding(bent)
    levels = level.heights(binding, limbs, motion, setup.legs, lifts, options.mirror, footing.is_grounded)
    bearing = body.bearing(binding, motion, setup.legs, setup.factor, options.floor, lifts, footing)
    deeper = None if bearing is None else bearing.deeper
    below = soles.soles(binding, limbs, motion, setup.legs, lifts, options.mirror, footing, deeper)
    least = np.full(len(spans), feet.VISIBLE * setup.legs.target)
    if bearing is not None and options.feet and options.floor != "REST" and not asked.feet:
        stands = np.logical_or.reduce([~np.isnan(each) for each in levels.values()]) if levels else np.zeros(len(frames), bool)
        away = level.off_ground(binding, limbs, levels, plain, bearing.deeper)
        rows = {item.rows[3]: away[item.name] for item in limbs if item.name in away}
        down = body.lowered(bearing, binding, plain, fps, setup.legs, [clip.loop for clip in clips], stands, rows)
        if down.any():
            least[spans.any(down != 0)] = 0.0  # feet that stand stay on the ground while the body comes down to it
            lower = down[:, None] * np.array([0.0, 0.0, 1.0])
            wanted.positions.update({bone: wanted.positions[bone] - lower for bone in _lifted(binding, wanted)})
            solved = _solved(setup, frames, wanted, still)
            plain = posed = solved.motion(None, motion.counts).holding(bent)
    missed: dict[str, Floats] = {}
    if asked.feet:
        posed, missed = _feet_at_goals(setup, asked, wanted, plain, changed)
    locked, toes = held.Locked(), soles.Bent()
    if acting:
        lateral = setup.facing.lateral
        away = {} if asked.feet or not options.feet else level.off_ground(binding, limbs, levels, posed, deeper)
        leads = mirror.partners(binding) if options.mirror else range(len(binding))

        def leading(limb: feet.Limb) -> Floats:
            return motion.positions[:, binding.followers[leads[limb.rows[3]]].source] / setup.legs.source

        own = None if asked.feet else leading
        deep = below.held(posed) if away else {}
        locked = held.lock(
            binding, acting, posed, setup.references, fps, setup.legs, lateral, options.hips_down, spans, away, least, own, deep
        )
        _change(wanted, locked.rotations, changed)
        _lower(wanted, binding, locked.hips, zip(spans.rows, clips, strict=True))
        toes = _bent_toes(setup, below, wanted, posed, deep)
        _change(wanted, toes.rotations, changed)
    missed |= _hands_at_goals(setup, asked, wanted, posed, changed, bool(acting))
    twisted = twist.twist_rotations(binding, deltas, wanted.rotations, setup.references, spans) if options.twist else {}
    _change(wanted, twisted, changed)
    carrying = carried_clips(setup, wanted, deltas, fps, spans, [clip.loop for clip in clips])
    standings = [each.standing for each in carrying]
    moves = any(standing is not None for standing in standings)
    final = plain
    if acting or asked.feet or asked.hands or twisted or moves or options.root_motion == "BONE":
        standing = Standing.joined([standing or still for standing in standings], spans)
        solved = _solved(setup, frames, wanted, standing)
        final = solved.motion(None, motion.counts)
    carriers = {binding.carrier} - {-1}
    moved = {bone for bone in (*wanted.positions, *wanted.shifts, *carriers) if not binding.target.fixed[bone]}
    joints: list[Joint] = []
    if options.from_first:  # control rigs have bones that do not inherit, whose channels do not come back
        going = frozenset({*wanted.positions, *carriers})
        joints = [Joint(rows, clip.loop, going) for clip, rows in zip(clips, spans.rows, strict=True) if clip.loop is not None]
    gauge = Gauge(setup, motion, plain, final, changed, swung, bearing, below)
    keys = keyed(solved, {*wanted.rotations, *wanted.locals}, moved, joints, gauge)
    legs = {binding.followers[row].target for limb in acting if limb.name.endswith("Foot") for row in limb.rows}
    hanging = [set[int]() if grounded else legs - followed for grounded in footing.is_grounded.tolist()]
    hanging = [bones | still_toes for bones, still_toes in zip(hanging, toes.still(len(clips)), strict=True)]
    rotated = [len(keys.rotated) - len(bones) for bones in hanging]
    names, seconds = [clip.name for clip in clips], time.perf_counter() - started
    reports = reports_of(setup, motion, plain, final, gauge, rotated, limbs, locked, missed, fps, names, seconds)
    standing_legs = feet.acting(limbs, footing.is_grounded, False, spans)
    off = below.standing_off(level.off_ground(binding, limbs, levels, final, deeper), levels, final)
    worst = level.worst(standing_legs, off, spans)
    lowest = level.lowest_off(binding, setup.legs, setup.factor, final, footing).tolist()
    worst = [own if own[0] or not away else ("the lower foot", away) for own, away in zip(worst, lowest, strict=True)]
    doubts = [
        level.doubts(setup.legs, options.floor, each.faces_elsewhere or above is not None)
        for each, above in zip(reports, footing.above, strict=True)
    ]
    reports = [
        replace(
            each,
            sway=float(np.degrees(moving.sway)),
            off_ground=metres / setup.legs.target,
            off_ground_leg=leg,
            ground_elsewhere=bool(doubt),
            notes=(*each.notes, *doubt),
            asking=(*each.asking, *doubt),
        )
        for each, moving, (leg, metres), doubt in zip(reports, carrying, worst, doubts, strict=True)
    ]
    together = Together(solved, spans.counts, joints)
    return [
        Result(
            keys.blocks(clip, hanging[clip]),
            standings[clip],
            reports[clip],
            {limb.name: limb.touching[rows] for limb in limbs},
            together,
            clip,
            keys.sample(clip, hanging[clip]),
        )
        for clip, rows in enumerate(spans.rows)
    ]


def _change(wanted: Wanted, rotations: Mapping[int, Floats], changed: set[int]) -> None:
    """Other rotations than those of the source."""
    wanted.rotations.put(rotations)
    changed.update(rotations)


def _solved(setup: Setup, frames: Floats, wanted: Wanted, standing: Standing) -> Solved:
    """`solve`; where another bone moves for the hips, it goes to where it brings them to their position."""
    target, carrier = setup.binding.target, setup.binding.carrier
    solved = solve(target, frames, wanted, setup.references, standing)
    if carrier < 0:
        return solved
    motion = solved.motion(None)
    hips = setup.binding.followers[setup.binding.roles["hips"]].target
    arm = target.joint(hips, "hips") - target.heads[hips]
    rotation = quat.multiply(motion.rotations[:, hips], quat.conjugate(target.quaternions[hips]))
    missed = wanted.positions[hips] - motion.positions[:, hips] - quat.rotate(rotation, arm)
    positions = wanted.positions | {carrier: motion.positions[:, carrier] + missed}
    return solve(target, frames, replace(wanted, positions=positions), setup.references, standing)


def _lower(wanted: Wanted, binding: Binding, lower: Floats, clips: Iterable[tuple[slice, Asked]]) -> None:
    """Let the hips come down, by metres (F,); at the end of a loop as far as where it begins."""
    if lower.any():
        hips = binding.followers[binding.roles["hips"]].target
        for rows, clip in clips:
            lower[rows.stop - 1] = lower[rows.stop - 1 if clip.loop is None else rows.start + clip.loop]
        wanted.positions[hips] = wanted.positions[hips] - lower[:, None] * np.array([0.0, 0.0, 1.0])


def _bent_toes(setup: Setup, below: soles.Soles, wanted: Wanted, posed: Motion, deep: Mapping[str, Floats]) -> soles.Bent:
    """The toes that follow nothing, on the feet that are held. deep: of those, as `soles.Soles.held` gives it."""
    if not deep:
        return soles.Bent()
    motion = _solved(setup, posed.frames, wanted, Standing.still(setup.binding.target)).motion(None, posed.counts)
    return below.bent(motion, feet.VISIBLE * setup.legs.target)


def _feet_at_goals(setup: Setup, asked: goals.Goals, wanted: Wanted, plain: Motion, changed: set[int]) -> tuple[Motion, dict[str, Floats]]:
    """The motion with the hips as high and the feet where the bone map asks for, and by limb (F,) metres by which that is missed."""
    still, ends, lift = Standing.still(setup.binding.target), asked.feet_at(plain), asked.lift(wanted.positions)
    if lift is not None:
        up = lift[:, None] * np.array([0.0, 0.0, 1.0])
        wanted.positions.update({bone: wanted.positions[bone] + up for bone in _lifted(setup.binding, wanted)})
        plain = _solved(setup, plain.frames, wanted, still).motion(None, plain.counts)
    reached = asked.reach(ends, plain)
    _change(wanted, reached.rotations, changed)
    return _solved(setup, plain.frames, wanted, still).motion(None, plain.counts), reached.missed


def _hands_at_goals(
    setup: Setup, asked: goals.Goals, wanted: Wanted, posed: Motion, changed: set[int], is_behind: bool
) -> dict[str, Floats]:
    """The same for the hands, one after the other where one hangs on the other. is_behind: whether `posed` is behind `wanted`."""
    missed: dict[str, Floats] = {}
    still = Standing.still(setup.binding.target)
    for limb in asked.hands:
        if limb.limb in missed:
            continue
        if is_behind:
            posed = _solved(setup, posed.frames, wanted, still).motion(None, posed.counts)
        reached, is_behind = asked.reach(asked.hand_at(limb, posed), posed), True
        _change(wanted, reached.rotations, changed)
        missed |= reached.missed
        if len(reached.missed) > 1 and max(values.max() for values in reached.missed.values()) > 0:
            # Each went half of the way: what one could not reach, the other goes for.
            posed = _solved(setup, posed.frames, wanted, still).motion(None, posed.counts)
            more = asked.reach(asked.remainder(limb, reached.missed, posed), posed)
            _change(wanted, more.rotations, changed)
            missed |= more.missed
    return missed


def _lifted(binding: Binding, wanted: Wanted) -> list[int]:
    """The target bones that carry the body's height: all that are positioned but a root on the ground."""
    ground = binding.roles.get("root")
    return [bone for bone in wanted.positions if ground is None or bone != binding.followers[ground].target]
