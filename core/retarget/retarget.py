"""A whole clip of one figure onto another: the steps in their order."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ..motion import quaternion as quat
from ..motion import rotation_matrix
from ..motion.curves import Block
from ..motion.rotation_matrix import Floats
from ..reporting.errors import RetroAnimError
from . import report
from .figures.bone_map import BoneMap
from .figures.figure import Figure
from .figures.motion import Local, Motion, Standing, rest_motion
from .ground import feet, root
from .options import Options
from .transfer import aim, align, facing, mirror, output, reference, transfer, twist
from .transfer.binding import Binding, bind
from .transfer.solve import Wanted, solve

_VISIBLE = 0.02
"""In leg lengths: feet that float or sink by less stay as they are."""


@dataclass(frozen=True, eq=False)
class Poses:
    """Poses that stand alike, each a motion of one frame: the source's, and where it has one the target's."""

    source: Motion | None = None
    target: Motion | None = None


@dataclass(frozen=True, eq=False)
class Setup:
    """What is the same for all clips of a source. references: (target bones, 4) aligned rotations in the world. source_rotations: (S,
    4)."""

    binding: Binding
    frame: Floats
    references: Floats
    source_rotations: Floats
    source_positions: Floats
    legs: root.Legs
    facing: facing.Facing
    factor: float
    options: Options


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
    report: report.Report
    contacts: dict[str, NDArray[np.bool_]] = field(default_factory=dict[str, NDArray[np.bool_]])

    def blocks(self, figure: Figure, frames: Floats) -> list[Block]:
        """The keys of the bones."""
        return output.blocks(figure, frames, self.local, self.rotated, self.moved, self.sized)


def prepare(
    source: Figure, target: Figure, bone_map: BoneMap, options: Options, poses: Poses | None = None, motion: Motion | None = None
) -> Setup:
    """Lay the map on both figures and bring their reference poses together. motion: of all source bones, which shows where the source
    faces if its rest pose does not. Raises RetroAnimError when no pair of the map is there."""
    poses = poses or Poses()
    start = poses.source or rest_motion(source)
    binding = bind(bone_map, source, target, start.positions[0])
    if not len(binding):
        raise RetroAnimError("no bone pair of the map is in both armatures")
    if binding.carrier >= 0:
        target = replace(target, fixed=target.fixed | (np.arange(len(target)) == binding.followers[binding.roles["hips"]].target))
        binding = replace(binding, target=target)
    faced = facing.facing(binding, options.facing, motion)
    frame = faced.frame
    source_rotations, rest, heads = start.rotations[0], target.rotation @ target.rest_rotations, start.positions[0]
    corrections = np.broadcast_to(np.eye(3), (len(target), 3, 3))
    if options.align == "AUTO":
        corrections = align.corrections(target, reference.goals(binding, frame))
    elif options.align == "TPOSE":
        corrections = align.corrections(target, reference.canonical_goals(binding, "target", faced.target))
        rotated = align.corrections(source, reference.canonical_goals(binding, "source", faced.target - faced.yaw))
        source_rotations = quat.multiply(quat.of_matrix(rotated), source_rotations)
        heads = align.carried(source, heads, rotated)
        binding = replace(bind(bone_map, source, target, heads), target=target)
    elif options.align == "POSE" and poses.target is not None:
        rest = rotation_matrix.from_quaternion(poses.target.rotations[0])
    references = quat.of_matrix(corrections @ rest)
    measured = root.legs(binding)
    factor = options.scale or measured.target / measured.source
    return Setup(binding, frame, references, source_rotations, heads, measured, faced, factor, options)


def retarget(setup: Setup, motion: Motion, fps: float, name: str = "", contacts: Mapping[str, NDArray[np.bool_]] | None = None) -> Result:
    """One clip. motion: of all source bones. fps: frames a second. contacts: where limbs stand, instead of what is detected."""
    started = time.perf_counter()
    binding, options, frames = setup.binding, setup.options, motion.frames
    if not len(frames):
        raise RetroAnimError(f"{name}: there are no frames")
    deltas = transfer.into(setup.frame, transfer.source_deltas(binding, motion, setup.source_rotations))
    scale = 1.0 if options.keep_speed else setup.factor, setup.factor
    in_place = options.root_motion == "NONE"
    limbs = feet.limbs(binding, motion, fps, setup.legs, options.hands, contacts)
    grounded = contacts is not None or feet.keeps_ground(limbs, motion, binding, setup.legs.source)
    above = feet.height(limbs, binding, motion, True, setup.legs) if grounded else None
    positions = root.positions(binding, motion, setup.frame, setup.legs, scale, options.floor, setup.source_positions, in_place, above)
    bends = aim.bends(binding, motion, setup.frame, deltas)
    if options.mirror:
        deltas, positions = _mirrored(setup, deltas, positions)
        bends = aim.mirrored(bends, mirror.partners(binding), setup.facing.lateral)
    wanted = _wanted(setup, motion, deltas, positions)
    aimed = aim.aim(binding, bends, wanted.rotations)
    wanted.rotations.update(aimed)
    still = Standing.still(binding.target)
    local, plain = _solved(setup, frames, wanted, still)
    if options.mirror:
        limbs = _other_limbs(limbs)
    sunk = _sunk(setup, motion, plain, limbs, above)
    if sunk:
        wanted.positions.update({bone: wanted.positions[bone] - np.array([0.0, 0.0, sunk]) for bone in _lifted(binding, wanted)})
        local, plain = _solved(setup, frames, wanted, still)
    locked, final, standing = feet.Locked(), plain, None
    acting = [limb for limb in limbs if (options.hands if limb.name.endswith("Hand") else options.feet and grounded)]
    if acting:
        locked = feet.lock(binding, acting, plain, setup.references, fps, setup.legs, setup.facing.lateral, options.hips_down)
        wanted.rotations.update(locked.rotations)
        if locked.hips.any():
            hips = binding.followers[binding.roles["hips"]].target
            wanted.positions[hips] = wanted.positions[hips] - locked.hips[:, None] * np.array([0.0, 0.0, 1.0])
    twisted = twist.twist_rotations(binding, deltas, wanted.rotations, setup.references) if options.twist else {}
    wanted.rotations.update(twisted)
    if options.root_motion == "OBJECT":
        standing = _object_path(setup, wanted.positions, deltas)
    elif options.root_motion == "BONE":
        _add_root_path(setup, wanted, deltas)
    if acting or twisted or options.root_motion in ("OBJECT", "BONE"):
        local, final = _solved(setup, frames, wanted, standing or still)
    rotated = tuple(sorted({*wanted.rotations, *wanted.locals}))
    moved = tuple(bone for bone in sorted({*wanted.positions, *wanted.shifts}) if not binding.target.fixed[bone])
    local = Local(local.locations, quat.continuous(local.rotations, positive=True), local.sizes)
    reported = _report(setup, motion, plain, final, local, rotated, limbs, locked, fps, name, set(aimed), time.perf_counter() - started)
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
    rotation = quat.multiply(motion.rotations[:, hips], quat.conjugate(quat.of_matrix(target.rotation @ target.rest_rotations[hips])))
    missed = wanted.positions[hips] - motion.positions[:, hips] - quat.rotate(rotation, arm)
    positions = wanted.positions | {carrier: motion.positions[:, carrier] + missed}
    return solve(target, frames, replace(wanted, positions=positions), setup.references, standing)


def _wanted(setup: Setup, motion: Motion, deltas: Floats, positions: dict[int, Floats]) -> Wanted:
    """What every follower asks for, by its options."""
    binding = setup.binding
    rotations = transfer.world_rotations(binding, deltas, setup.references)
    shifts: dict[int, Floats] = {}
    locals_: dict[int, Floats] = {}
    sizes: dict[int, Floats] = {}
    for row, follower in enumerate(binding.followers):
        if follower.options.rotation == "NONE":
            rotations.pop(follower.target, None)
        elif follower.options.space == "LOCAL":
            own = transfer.into(setup.frame, transfer.local_deltas(binding, row, motion, setup.source_rotations))
            reference_rotation = setup.references[follower.target]
            rotated = transfer.with_options(follower.options, own, reference_rotation)
            locals_[follower.target] = quat.multiply(rotated, quat.conjugate(reference_rotation))
            del rotations[follower.target]
        if follower.options.location and follower.target not in positions:
            shifts[follower.target] = _shift(setup, motion, row)
        if follower.options.scale and motion.sizes is not None:
            sizes[follower.target] = motion.sizes[:, follower.source]
    return Wanted(rotations, dict(positions), shifts, locals_, sizes)


def _shift(setup: Setup, motion: Motion, row: int) -> Floats:
    """(F, 3) the offset of a source bone's head from where its parent carries it, scaled, in the target's world at the reference pose."""
    bone = setup.binding.followers[row].source
    parent = int(setup.binding.source.parents[bone])
    if parent < 0:
        moved = motion.positions[:, bone] - setup.source_positions[bone]
    else:
        delta = quat.multiply(motion.rotations[:, parent], quat.conjugate(setup.source_rotations[parent]))
        rest = setup.source_positions[bone] - setup.source_positions[parent]
        moved = quat.rotate(quat.conjugate(delta), motion.positions[:, bone] - motion.positions[:, parent]) - rest
    return moved @ setup.frame.T * setup.factor


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


def _mirrored(setup: Setup, deltas: Floats, positions: dict[int, Floats]) -> tuple[Floats, dict[int, Floats]]:
    """The other side's rotations and positions, reflected; positions about where the hips stand at rest."""
    binding, normal = setup.binding, setup.facing.lateral
    swapped = mirror.partners(binding)
    starts = {bone: binding.target.joint(bone, binding.followers[binding.row[bone]].role) for bone in positions}
    result: dict[int, Floats] = {}
    for bone in positions:
        partner = binding.followers[swapped[binding.row[bone]]].target
        partner = partner if partner in positions else bone
        result[bone] = starts[bone] + mirror.reflect_vectors(positions[partner] - starts[partner], normal)
    return mirror.reflect_rotations(deltas[:, swapped], normal), result


def _other_limbs(limbs: list[feet.Limb]) -> list[feet.Limb]:
    by_name = {limb.name: limb.touching for limb in limbs}
    return [feet.Limb(limb.name, limb.rows, by_name.get(mirror.other_side(limb.name), limb.touching)) for limb in limbs]


def _object_path(setup: Setup, positions: dict[int, Floats], deltas: Floats) -> Standing:
    target = setup.binding.target
    path = root.ground_path(setup.binding, positions, deltas, target.world[:3, 3], setup.options.from_first)
    return Standing(quat.multiply(path.rotations, quat.of_matrix(target.rotation)), path.positions, target.scale)


def _add_root_path(setup: Setup, wanted: Wanted, deltas: Floats) -> None:
    """The bone above the hips carries the motion over the ground and the heading."""
    binding = setup.binding
    row = binding.roles.get("root")
    hips = binding.followers[binding.roles.get("hips", 0)].target
    bone = binding.followers[row].target if row is not None else int(binding.target.parents[hips])
    while row is None and bone >= 0 and int(binding.target.parents[bone]) >= 0:
        bone = int(binding.target.parents[bone])
    if bone < 0:
        raise RetroAnimError(f"{binding.target.names[hips]} has no bone above it that could carry the root motion")
    path = root.ground_path(binding, wanted.positions, deltas, binding.target.heads[bone])
    wanted.positions[bone] = path.positions
    wanted.rotations[bone] = quat.multiply(path.rotations, setup.references[bone])


def _report(
    setup: Setup,
    motion: Motion,
    plain: Motion,
    final: Motion,
    local: Local,
    rotated: tuple[int, ...],
    limbs: list[feet.Limb],
    locked: feet.Locked,
    fps: float,
    name: str,
    aimed: set[int],
    seconds: float,
) -> report.Report:
    binding, measured = setup.binding, setup.legs
    errors = {} if setup.options.mirror else report.limb_errors(binding, motion, plain, setup.frame)
    worst = max(errors, key=lambda bone: float(errors[bone].max()), default="")
    joints = np.zeros(0) if setup.options.mirror else report.joint_errors(binding, motion, plain, setup.frame, setup.factor)
    legs = [limb for limb in limbs if limb.name.endswith("Foot")]
    source_legs = _other_limbs(legs) if setup.options.mirror else legs
    unreached, miss = report.missed(locked, measured)
    changes = [
        quat.angle(quat.multiply(quat.conjugate(plain.rotations[:, bone]), rotations)).max() for bone, rotations in locked.rotations.items()
    ]
    return report.Report(
        name,
        len(motion.frames),
        len(rotated),
        setup.factor,
        float(errors[worst].max()) if worst else 0.0,
        float(np.mean([values.mean() for values in errors.values()])) if errors else 0.0,
        worst,
        float(joints.max()) if len(joints) else None,
        len(joints),
        report.skates(binding, source_legs, motion, fps, measured.source, True),
        report.skates(binding, legs, plain, fps, measured.target, False),
        report.skates(binding, legs, final, fps, measured.target, False),
        report.penetration(binding, final, measured),
        report.flips(local.rotations),
        report.rotation_excess(binding, motion, plain, aimed) if not setup.options.mirror else 0.0,
        float(np.degrees(max(changes, default=0.0))),
        unreached,
        miss,
        float(locked.hips.max()) if len(locked.hips) else 0.0,
        report.unmapped(binding, motion),
        seconds,
        notes=report.doubts(binding, motion),
        above=max(0.0, feet.height(legs, binding, final, False, measured) or 0.0),
        yaw=float(np.degrees(setup.facing.yaw)),
    )
