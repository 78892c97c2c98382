"""What every target bone shall do in the world, by the options of its pair; mirrored, and with its path carried by something else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from ..motion.rotations import quaternion as quat
from ..motion.rotations.rotation_matrix import Floats
from ..reporting.errors import RetroAnimError
from .figures.columns import Columns, Recent
from .figures.motion import Motion, Standing
from .figures.spans import Spans
from .ground import course, root, start
from .setup import Setup
from .transfer import mirror, transfer
from .transfer.solve import Wanted

_KEPT = 2
"""Followers whose rotations stay at hand."""


def deltas_of(setup: Setup, motion: Motion) -> Floats:
    """(F, T, 4) for each follower the rotation of its source away from the reference pose, in the target's world; computed when they are
    asked for."""
    source = transfer.source_deltas(setup.binding, motion, setup.source_rotations)
    known: Recent[Floats] = Recent(lambda row: transfer.into(setup.frame, source[:, row]), _KEPT)
    return _columns(setup, motion, lambda row: known[row])


def _columns(setup: Setup, motion: Motion, column: Callable[[int], Floats]) -> Floats:
    return cast(Floats, Columns((len(motion.frames), len(setup.binding), 4), column))


def wanted_of(setup: Setup, motion: Motion, deltas: Floats, positions: dict[int, Floats]) -> Wanted:
    """What every follower asks for, by its options."""
    binding, starts = setup.binding, motion.spans.starts.tolist()
    known = None if setup.options.mirror else transfer.at_once(binding, motion, setup.frame, setup.source_rotations, setup.references)
    rotations = transfer.world_rotations(binding, deltas, setup.references, known, starts)
    shifts: dict[int, Floats] = {}
    locals_: dict[int, Floats] = {}
    sizes: dict[int, Floats] = {}
    is_mirrored, normal = setup.options.mirror, setup.facing.lateral
    leads = mirror.partners(binding) if is_mirrored else list(range(len(binding)))
    for row, follower in enumerate(binding.followers):
        if follower.options.rotation == "NONE":
            rotations.drop(follower.target)
        elif follower.options.space == "LOCAL":
            own = transfer.into(setup.frame, transfer.local_deltas(binding, leads[row], motion, setup.source_rotations))
            own = mirror.reflect_rotations(own, normal) if is_mirrored else own
            reference_rotation = setup.references[follower.target]
            rotated = transfer.with_options(follower.options, own, reference_rotation, starts)
            locals_[follower.target] = quat.multiply(rotated, quat.conjugate(reference_rotation))
            rotations.drop(follower.target)
        if follower.options.location and follower.target not in positions:
            shift = _shift(setup, motion, leads[row])
            shifts[follower.target] = mirror.reflect_vectors(shift, normal) if is_mirrored else shift
        if follower.options.scale and motion.sizes is not None:
            sizes[follower.target] = motion.sizes[:, binding.followers[leads[row]].source]
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


def mirrored(setup: Setup, motion: Motion, deltas: Floats, positions: dict[int, Floats]) -> tuple[Floats, dict[int, Floats]]:
    """The other side's rotations and positions, reflected; positions about where the hips stand at rest."""
    binding, normal = setup.binding, setup.facing.lateral
    swapped = mirror.partners(binding)
    starts = {bone: binding.target.joint(bone, binding.followers[binding.row[bone]].role) for bone in positions}
    result: dict[int, Floats] = {}
    for bone in positions:
        partner = binding.followers[swapped[binding.row[bone]]].target
        partner = partner if partner in positions else bone
        result[bone] = starts[bone] + mirror.reflect_vectors(positions[partner] - starts[partner], normal)
    return _columns(setup, motion, lambda row: mirror.reflect_rotations(deltas[:, swapped[row]], normal)), result


@dataclass(frozen=True, eq=False)
class Carried:
    """What carries a clip over the ground. standing: the object's motion, None where it stands still as it is. sway: radians that the hips
    look to one side and the other of the heading that carries them, where that is not their own. path: that of the bone above the hips,
    where that carries them. heading: radians about Z from ahead to where the clip looks as it starts, from where a game counts."""

    standing: Standing | None = None
    sway: float = 0.0
    path: Standing | None = None
    heading: float = 0.0


def carried_clips(setup: Setup, wanted: Wanted, deltas: Floats, fps: float, spans: Spans, loops: Sequence[int | None]) -> list[Carried]:
    """What carries each clip over the ground, by the options: the bone above the hips, which is added to `wanted`, or the object. loops: of
    each clip the row whose pose the last one repeats."""
    every: list[Carried] = []
    for rows, loop in zip(spans.rows, loops, strict=True):
        own = Columns((rows.stop - rows.start, len(setup.binding), 4), lambda row, rows=rows: deltas[:, row][rows])
        positions = {bone: values[rows] for bone, values in wanted.positions.items()}
        every.append(carried(setup, positions, cast(Floats, own), fps, loop))
    if setup.options.root_motion == "BONE":
        bone, paths = _root_bone(setup), [each.path for each in every if each.path is not None]
        wanted.positions[bone] = np.concatenate([path.positions for path in paths])
        rotations = np.concatenate([path.rotations for path in paths])
        wanted.rotations.put({bone: quat.multiply(rotations, setup.references[bone])})
    return every


def carried(setup: Setup, positions: dict[int, Floats], deltas: Floats, fps: float, loop: int | None) -> Carried:
    """The same of one clip, of which nothing is changed."""
    binding, options, standing, swaying, ahead = setup.binding, setup.options, None, 0.0, 0.0
    if not options.from_first and options.root_motion not in ("BONE", "OBJECT"):
        return Carried()
    row = binding.hips
    hips = headings = start.hips_heading(binding, deltas[:, row], setup.facing, options.mirror)
    if options.from_first:
        begins = start.start_heading(binding, positions, hips, setup.facing, setup.legs.target, fps)
        path = positions[binding.followers[row].target][:, :2]
        headings = course.course(hips, path, begins, setup.legs.target, fps, loop)
        swaying, ahead = course.sway(hips, headings), begins.heading
        standing = start.standing_at_start(binding, positions, begins.heading, setup.legs.target)
    if options.root_motion == "OBJECT":
        target = binding.target
        along = root.ground_path(binding, positions, headings, target.world[:3, 3])
        return Carried(
            Standing(quat.multiply(along.rotations, quat.of_matrix(target.rotation)), along.positions, target.scale), swaying, heading=ahead
        )
    if options.root_motion == "BONE":
        path_of_root = root.ground_path(binding, positions, hips, binding.target.heads[_root_bone(setup)])
        return Carried(standing, path=path_of_root, heading=ahead)
    return Carried(standing, heading=ahead)


def _root_bone(setup: Setup) -> int:
    """The bone above the hips that carries the motion over the ground and the heading."""
    binding = setup.binding
    row = binding.roles.get("root")
    hips = binding.followers[binding.hips].target
    bone = binding.followers[row].target if row is not None else int(binding.target.parents[hips])
    while row is None and bone >= 0 and int(binding.target.parents[bone]) >= 0:
        bone = int(binding.target.parents[bone])
    if bone < 0:
        raise RetroAnimError(
            f"{binding.target.names[hips]} has no bone above it that could carry the root motion: choose another Root Motion than Root Bone"
        )
    return bone
