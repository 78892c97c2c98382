"""A whole clip of one figure onto another: the steps in their order."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ..motion import quaternion as quat
from ..motion.curves import Block
from ..motion.rotation_matrix import Floats
from ..reporting import log
from ..reporting.errors import RetroAnimError
from . import goals
from .figures.figure import Figure
from .figures.motion import Local, Motion, Standing
from .ground import feet, root
from .loops import joined
from .measures import report_of
from .options import Options as Options
from .report import Report
from .setup import Setup
from .setup import prepare as prepare
from .transfer import aim, mirror, output, transfer, twist
from .transfer.binding import Binding
from .transfer.solve import Wanted, solve
from .wanted import carried, mirrored, wanted_of

_VISIBLE = 0.02
"""In leg lengths: feet that float or sink by less stay as they are."""


@dataclass(frozen=True, eq=False)
class Result:
    """local: channels of the target's bones. rotated, moved, sized: the bones whose channels are keyed. standing: the object's motion
    where it carries it, else None. motion: the target in the world. contacts: by limb, where feet or hands stand."""

    local: Local
    rotated: tuple[int, ...]
    moved: tuple[int, ...]
    sized: tuple[int, ...]
    motion: Motion
    standing: Standing | None
    report: Report
    contacts: dict[str, NDArray[np.bool_]] = field(default_factory=dict[str, NDArray[np.bool_]])

    def blocks(self, figure: Figure, frames: Floats) -> list[Block]:
        """The keys of the bones."""
        return output.blocks(figure, frames, self.local, self.rotated, self.moved, self.sized)


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
    deltas = transfer.into(setup.frame, transfer.source_deltas(binding, motion, setup.source_rotations))
    asked = goals.Goals(setup, motion, deltas)
    for doubt in asked.doubts():
        log.warning(doubt)
    scale = 1.0 if options.keep_speed else setup.factor * asked.stride, setup.factor
    in_place = options.root_motion == "NONE"
    limbs = feet.limbs(binding, motion, fps, setup.legs, options.hands, contacts)
    grounded = contacts is not None or feet.keeps_ground(limbs, motion, binding, setup.legs.source)
    above = feet.height(limbs, binding, motion, True, setup.legs) if grounded else None
    positions = root.positions(binding, motion, setup.frame, setup.legs, scale, options.floor, setup.source_positions, in_place, above)
    bends = aim.bends(binding, motion, setup.frame, deltas)
    if options.mirror:
        deltas, positions = mirrored(setup, deltas, positions)
        bends = aim.mirrored(bends, mirror.partners(binding), setup.facing.lateral)
    wanted = wanted_of(setup, motion, deltas, positions)
    aimed = aim.aim(binding, bends, wanted.rotations)
    wanted.rotations.update(aimed)
    still = Standing.still(binding.target)
    local, plain = _solved(setup, frames, wanted, still)
    if options.mirror:
        limbs = feet.mirrored(limbs)
    sunk = _sunk(setup, motion, plain, limbs, above)
    if sunk:
        wanted.positions.update({bone: wanted.positions[bone] - np.array([0.0, 0.0, sunk]) for bone in _lifted(binding, wanted)})
        local, plain = _solved(setup, frames, wanted, still)
    posed, missed = _feet_at_goals(setup, asked, wanted, plain)
    locked, final = feet.Locked(), posed
    acting = [limb for limb in limbs if (options.hands if limb.name.endswith("Hand") else options.feet and grounded)]
    if acting:
        locked = feet.lock(binding, acting, posed, setup.references, fps, setup.legs, setup.facing.lateral, options.hips_down)
        wanted.rotations.update(locked.rotations)
        _lower(wanted, binding, locked.hips, loop)
    missed |= _hands_at_goals(setup, asked, wanted, posed, bool(acting))
    twisted = twist.twist_rotations(binding, deltas, wanted.rotations, setup.references) if options.twist else {}
    wanted.rotations.update(twisted)
    standing = carried(setup, wanted, deltas, fps)
    if acting or asked.feet or asked.hands or twisted or standing is not None or options.root_motion == "BONE":
        local, final = _solved(setup, frames, wanted, standing or still)
    rotated = tuple(sorted({*wanted.rotations, *wanted.locals}))
    carriers = {binding.carrier} - {-1}
    moved = tuple(bone for bone in sorted({*wanted.positions, *wanted.shifts, *carriers}) if not binding.target.fixed[bone])
    if loop is not None and options.from_first:  # control rigs have bones that do not inherit, whose channels do not come back
        local = joined(local, {*wanted.positions, *carriers}, loop)
    local = Local(local.locations, quat.continuous(local.rotations, positive=True), local.sizes)
    reported = report_of(setup, motion, plain, final, local, rotated, limbs, locked, fps, name, set(aimed), time.perf_counter() - started)
    reported = replace(reported, goals=goals.reports(missed, setup.legs.target))
    touching = {limb.name: limb.touching for limb in limbs}
    return Result(local, rotated, moved, tuple(sorted(wanted.sizes)), final, standing, reported, touching)


def _solved(setup: Setup, frames: Floats, wanted: Wanted, standing: Standing) -> tuple[Local, Motion]:
    """`solve`; where another bone moves for the hips, it goes to where it brings them to their position."""
    target, carrier = setup.binding.target, setup.binding.carrier
    local, motion = solve(target, frames, wanted, setup.references, standing)
    if carrier < 0:
        return local, motion
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


def _feet_at_goals(setup: Setup, asked: goals.Goals, wanted: Wanted, plain: Motion) -> tuple[Motion, dict[str, Floats]]:
    """The motion with the hips as high and the feet where the bone map asks for, and by limb (F,) metres by which that is missed."""
    if not asked.feet:
        return plain, {}
    still, ends, lift = Standing.still(setup.binding.target), asked.feet_at(plain), asked.lift(wanted.positions)
    if lift is not None:
        up = lift[:, None] * np.array([0.0, 0.0, 1.0])
        wanted.positions.update({bone: wanted.positions[bone] + up for bone in _lifted(setup.binding, wanted)})
        _, plain = _solved(setup, plain.frames, wanted, still)
    reached = asked.reach(ends, plain)
    wanted.rotations.update(reached.rotations)
    return _solved(setup, plain.frames, wanted, still)[1], reached.missed


def _hands_at_goals(setup: Setup, asked: goals.Goals, wanted: Wanted, posed: Motion, changed: bool) -> dict[str, Floats]:
    """The same for the hands, one after the other where one hangs on the other. changed: whether `posed` is behind `wanted`."""
    missed: dict[str, Floats] = {}
    still = Standing.still(setup.binding.target)
    for limb in asked.hands:
        if limb.limb in missed:
            continue
        if changed:
            _, posed = _solved(setup, posed.frames, wanted, still)
        reached, changed = asked.reach(asked.hand_at(limb, posed), posed), True
        wanted.rotations.update(reached.rotations)
        missed |= reached.missed
        if len(reached.missed) > 1 and max(values.max() for values in reached.missed.values()) > 0:
            # Each went half of the way: what one could not reach, the other goes for.
            _, posed = _solved(setup, posed.frames, wanted, still)
            more = asked.reach(asked.remainder(limb, reached.missed, posed), posed)
            wanted.rotations.update(more.rotations)
            missed |= more.missed
    return missed


def _sunk(setup: Setup, motion: Motion, plain: Motion, limbs: list[feet.Limb], above: float | None) -> float:
    """Metres by which the target's standing feet are above where they should be: a rest pose in a crouch, or one whose proportions are
    others than the legs', lets it float or sink. 0 where that is too little to be seen. above: of the source's standing feet."""
    measured, has = setup.legs, feet.height(limbs, setup.binding, plain, False, setup.legs)
    if above is None or has is None or setup.options.floor != "AUTO" or not measured.stands[1]:
        return 0.0
    lift = root.lift_of(setup.binding, motion, measured, "AUTO", above)
    kept = 0.0 if lift else min(above, above - measured.rise, key=abs)
    sunk = has - kept * setup.factor
    return sunk if abs(sunk) > _VISIBLE * measured.target else 0.0


def _lifted(binding: Binding, wanted: Wanted) -> list[int]:
    """The target bones that carry the body's height: all that are positioned but a root on the ground."""
    ground = binding.roles.get("root")
    return [bone for bone in wanted.positions if ground is None or bone != binding.followers[ground].target]
