"""A whole clip of one figure onto another: the steps in their order."""

from __future__ import annotations

import time
from collections.abc import Mapping
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
from .figures.motion import Local, Motion, Standing
from .gauge import Gauge, report_of
from .ground import feet, root
from .options import Options as Options
from .report import Report
from .setup import Setup
from .setup import prepare as prepare
from .transfer import aim, mirror, output, twist
from .transfer.binding import Binding
from .transfer.solve import Solved, Wanted, solve
from .wanted import carried, deltas_of, mirrored, wanted_of

_VISIBLE = 0.02
"""In leg lengths: feet that float or sink by less stay as they are."""

_TOGETHER = 5
"""Bones that are measured together, after each of them is solved."""


@dataclass(frozen=True, eq=False)
class Result:
    """keys: of the bones' channels. solved: what they come from, of which `local` and `motion` are the whole. standing: the object's
    motion where it carries it, else None. contacts: by limb, where feet or hands stand."""

    keys: list[Block]
    solved: Solved
    standing: Standing | None
    report: Report
    contacts: dict[str, NDArray[np.bool_]] = field(default_factory=dict[str, NDArray[np.bool_]])
    joint: Joint | None = None

    @cached_property
    def local(self) -> Local:
        """Channels of the target's bones."""
        local = self.solved.local()
        if self.joint is not None:
            for bone in range(local.rotations.shape[1]):
                self.joint.close(bone, local.rotations[:, bone], local.locations[:, bone])
        return Local(local.locations, quat.continuous(local.rotations, positive=True), local.sizes)

    @cached_property
    def motion(self) -> Motion:
        """The target in the world."""
        return self.solved.motion(self.solved.sizes()).whole()


@dataclass(frozen=True)
class Joint:
    """Where a loop is joined. first: the row whose pose the last one repeats. carriers: the bones that carry the figure through the world,
    which go on."""

    first: int
    carriers: frozenset[int]

    def close(self, bone: int, *channels: Floats | None) -> None:
        """Make the last frame's channels (F, C) of a bone those of the first."""
        for values in channels:
            if values is not None and bone not in self.carriers:
                values[-1] = values[self.first]


def retarget(
    setup: Setup,
    motion: Motion,
    fps: float,
    name: str = "",
    contacts: Mapping[str, NDArray[np.bool_]] | None = None,
    loop: int | None = None,
) -> Result:
    """One clip. motion: of all source bones. fps: frames a second. contacts: where limbs stand, instead of what is detected. loop: the
    frame, by its row, whose pose the last one repeats."""
    started = time.perf_counter()
    binding, options, frames = setup.binding, setup.options, motion.frames
    if not len(frames):
        raise RetroAnimError(f"{name}: there are no frames")
    deltas = deltas_of(setup, motion)
    asked = goals.Goals(setup, motion, deltas)
    for doubt in asked.doubts():
        log.warning(doubt)
    scale = 1.0 if options.keep_speed else setup.factor * asked.stride, setup.factor
    in_place = options.root_motion == "NONE"
    limbs = feet.limbs(binding, motion, fps, setup.legs, options.hands, contacts)
    grounded = bool(contacts) or feet.keeps_ground(limbs, motion, binding, setup.legs.source)
    known = bool(contacts) or (grounded and feet.shows_ground(limbs))
    above = feet.height(limbs, binding, motion, True, setup.legs) if known else None
    positions = root.positions(binding, motion, setup.frame, setup.legs, scale, options.floor, setup.source_positions, in_place, above)
    bends = aim.bends(binding, motion, setup.frame, deltas)
    if options.mirror:
        deltas, positions = mirrored(setup, motion, deltas, positions)
        bends = aim.mirrored(bends, mirror.partners(binding), setup.facing.lateral)
    wanted = wanted_of(setup, motion, deltas, positions)
    swung = aim.aim(binding, bends, wanted.rotations)
    still, changed = Standing.still(binding.target), set[int]()
    solved = _solved(setup, frames, wanted, still)
    plain = posed = solved.motion(None)
    if options.mirror:
        limbs = feet.mirrored(limbs)
    sunk = _sunk(setup, motion, plain, limbs, above)
    if sunk:
        wanted.positions.update({bone: wanted.positions[bone] - np.array([0.0, 0.0, sunk]) for bone in _lifted(binding, wanted)})
        solved = _solved(setup, frames, wanted, still)
        plain = posed = solved.motion(None)
    missed: dict[str, Floats] = {}
    if asked.feet:
        posed, missed = _feet_at_goals(setup, asked, wanted, plain, changed)
    locked = feet.Locked()
    acting = [limb for limb in limbs if (options.hands if limb.name.endswith("Hand") else options.feet and grounded)]
    if acting:
        locked = feet.lock(binding, acting, posed, setup.references, fps, setup.legs, setup.facing.lateral, options.hips_down)
        _change(wanted, locked.rotations, changed)
        _lower(wanted, binding, locked.hips, loop)
    missed |= _hands_at_goals(setup, asked, wanted, posed, changed, bool(acting))
    twisted = twist.twist_rotations(binding, deltas, wanted.rotations, setup.references) if options.twist else {}
    _change(wanted, twisted, changed)
    carrying = carried(setup, wanted, deltas, fps, loop)
    standing = carrying.standing
    final = plain
    if acting or asked.feet or asked.hands or twisted or standing is not None or options.root_motion == "BONE":
        solved = _solved(setup, frames, wanted, standing or still)
        final = solved.motion(None)
    carriers = {binding.carrier} - {-1}
    moved = {bone for bone in (*wanted.positions, *wanted.shifts, *carriers) if not binding.target.fixed[bone]}
    joint: Joint | None = None
    if loop is not None and options.from_first:  # control rigs have bones that do not inherit, whose channels do not come back
        joint = Joint(loop, frozenset({*wanted.positions, *carriers}))
    gauge = Gauge(setup, motion, plain, final, changed, swung)
    keys = _keys(solved, {*wanted.rotations, *wanted.locals}, moved, joint, gauge)
    reported = report_of(setup, motion, plain, final, gauge, len(keys.rotated), limbs, locked, fps, name, time.perf_counter() - started)
    reported = replace(reported, goals=goals.reports(missed, setup.legs.target), sway=float(np.degrees(carrying.sway)))
    touching = {limb.name: limb.touching for limb in limbs}
    return Result(keys.blocks(), solved, standing, reported, touching, joint)


@dataclass(frozen=True, eq=False)
class _Keys:
    """By bone, in the order in which they are written."""

    rotated: dict[int, Block] = field(default_factory=dict[int, Block])
    moved: dict[int, Block] = field(default_factory=dict[int, Block])
    sized: dict[int, Block] = field(default_factory=dict[int, Block])

    def blocks(self) -> list[Block]:
        return [kind[bone] for kind in (self.rotated, self.moved, self.sized) for bone in sorted(kind)]


def _keys(solved: Solved, rotated: set[int], moved: set[int], joint: Joint | None, gauge: Gauge) -> _Keys:
    """Go through the bones, limb by limb: each is solved, written down and measured while those above it are at hand."""
    keys, figure = _Keys(), solved.figure
    order, frames = figure.along_limbs, solved.frames.astype(np.float32)
    sizes = solved.sizes()
    for start in range(0, len(order), _TOGETHER):
        some = order[start : start + _TOGETHER]
        for bone in some:
            basis, locations = solved.channels(bone)
            if joint is not None:
                joint.close(bone, basis, locations)
            if bone in rotated:
                basis = np.broadcast_to(quat.IDENTITY, (len(solved.frames), 4)) if basis is None else basis
                keys.rotated[bone] = output.rotation_block(figure, bone, frames, gauge.unflipped(basis))
            if bone in moved:
                locations = np.zeros((len(solved.frames), 3)) if locations is None else locations
                keys.moved[bone] = output.block(figure.names[bone], "location", 3, frames, locations)
            if sizes is not None and bone in solved.sized:
                keys.sized[bone] = output.block(figure.names[bone], "scale", 3, frames, sizes[:, bone])
        gauge.add(set(some))
    return keys


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


def _lower(wanted: Wanted, binding: Binding, lower: Floats, loop: int | None) -> None:
    """Let the hips come down, by metres (F,); at the end of a loop as far as where it begins."""
    if lower.any():
        hips = binding.followers[binding.roles["hips"]].target
        lower[-1] = lower[-1 if loop is None else loop]
        wanted.positions[hips] = wanted.positions[hips] - lower[:, None] * np.array([0.0, 0.0, 1.0])


def _feet_at_goals(setup: Setup, asked: goals.Goals, wanted: Wanted, plain: Motion, changed: set[int]) -> tuple[Motion, dict[str, Floats]]:
    """The motion with the hips as high and the feet where the bone map asks for, and by limb (F,) metres by which that is missed."""
    still, ends, lift = Standing.still(setup.binding.target), asked.feet_at(plain), asked.lift(wanted.positions)
    if lift is not None:
        up = lift[:, None] * np.array([0.0, 0.0, 1.0])
        wanted.positions.update({bone: wanted.positions[bone] + up for bone in _lifted(setup.binding, wanted)})
        plain = _solved(setup, plain.frames, wanted, still).motion(None)
    reached = asked.reach(ends, plain)
    _change(wanted, reached.rotations, changed)
    return _solved(setup, plain.frames, wanted, still).motion(None), reached.missed


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
            posed = _solved(setup, posed.frames, wanted, still).motion(None)
        reached, is_behind = asked.reach(asked.hand_at(limb, posed), posed), True
        _change(wanted, reached.rotations, changed)
        missed |= reached.missed
        if len(reached.missed) > 1 and max(values.max() for values in reached.missed.values()) > 0:
            # Each went half of the way: what one could not reach, the other goes for.
            posed = _solved(setup, posed.frames, wanted, still).motion(None)
            more = asked.reach(asked.remainder(limb, reached.missed, posed), posed)
            _change(wanted, more.rotations, changed)
            missed |= more.missed
    return missed


def _sunk(setup: Setup, motion: Motion, plain: Motion, limbs: list[feet.Limb], above: float | None) -> float:
    """Metres by which the target's standing feet are above where they should be: a rest pose in a crouch, or one whose proportions are
    others than the legs', lets it float or sink. 0 where that is too little to be seen. above: of the source's standing feet."""
    measured, has = setup.legs, feet.height(limbs, setup.binding, plain, False, setup.legs)
    if above is None or has is None or setup.options.floor != "AUTO" or not measured.stands[1]:
        return 0.0
    lift = root.lift_of(setup.binding, motion, measured, "AUTO", above)
    kept = 0.0 if lift else max(0.0, min(above, above - measured.rise, key=abs))  # on something, never in the ground
    sunk = has - kept * setup.factor
    return sunk if abs(sunk) > _VISIBLE * measured.target else 0.0


def _lifted(binding: Binding, wanted: Wanted) -> list[int]:
    """The target bones that carry the body's height: all that are positioned but a root on the ground."""
    ground = binding.roles.get("root")
    return [bone for bone in wanted.positions if ground is None or bone != binding.followers[ground].target]
