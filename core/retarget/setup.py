"""What is the same for all clips of a source: the map laid on both figures, their reference poses brought together, how far they face."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..motion import quaternion as quat
from ..motion import rotation_matrix
from ..motion.rotation_matrix import Floats
from ..reporting import log
from ..reporting.errors import RetroAnimError
from .figures.bone_map import BoneMap, Limb
from .figures.figure import Figure
from .figures.motion import Motion, rest_motion
from .ground import root
from .options import Options
from .transfer import align, facing, reference
from .transfer.binding import Binding, bind


@dataclass(frozen=True, eq=False)
class Poses:
    """Poses that stand alike, each a motion of one frame: the source's, and where it has one the target's."""

    source: Motion | None = None
    target: Motion | None = None

    def are(self, other: Poses) -> bool:
        """Whether both are the same poses, to the bit."""
        return _same(self.source, other.source) and _same(self.target, other.target)


@dataclass(frozen=True, eq=False)
class Setup:
    """What is the same for all clips of a source. free: the target's bones on which long parts hang that follow nothing; None where that is
    not known. controlled: whether bones of the source are moved by others of it, as in a rig of controls. references: (target bones, 4)
    aligned rotations in the world. source_rotations: (S, 4)."""

    binding: Binding
    frame: Floats
    references: Floats
    source_rotations: Floats
    source_positions: Floats
    legs: root.Legs
    facing: facing.Facing
    factor: float
    options: Options
    poses: Poses
    limbs: tuple[Limb, ...] = ()
    free: frozenset[str] | None = None
    controlled: bool = False

    def suits(self, source: Figure, poses: Poses, motion: Motion | None, own: facing.Moving | None = None) -> bool:
        """Whether it is that of another clip, too, for the same target, map and options: one of the same poses that faces alike."""
        return self.binding.source is source and self.poses.are(poses) and _faces_as(self, motion, own)


def prepare(
    source: Figure,
    target: Figure,
    bone_map: BoneMap,
    options: Options,
    poses: Poses | None = None,
    motion: Motion | None = None,
    own: facing.Moving | None = None,
) -> Setup:
    """Lay the map on both figures and bring their reference poses together. motion: of all source bones, own: of the target's, which show
    where they face if their rest poses do not. Raises RetroAnimError when no pair of the map is there."""
    poses = poses or Poses()
    start = _start(source, poses)
    binding = bind(bone_map, source, target, start.positions[0])
    if not len(binding):
        raise RetroAnimError("no bone pair of the map is in both armatures")
    if binding.carrier >= 0:
        target = replace(target, fixed=target.fixed | (np.arange(len(target)) == binding.followers[binding.roles["hips"]].target))
        binding = replace(binding, target=target)
    faced = facing.facing(binding, options.facing, motion, own)
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
    if measured.known and all(measured.sure) and "hips" in binding.roles:
        ours = root.raised(binding, align.carried(target, target.heads, corrections))
        theirs = -ours / factor  # as where the reverse direction agrees, which a pose that is given has not
        if options.align == "AUTO" and poses.source is None:
            theirs = _raised_back(bone_map, binding, frame)
        measured = replace(measured, aligned=(ours - factor * theirs) / 2)
    return Setup(binding, frame, references, source_rotations, heads, measured, faced, factor, options, poses, bone_map.limbs)


def _start(source: Figure, poses: Poses) -> Motion:
    """The source's reference pose, as it is before alignment."""
    return poses.source or rest_motion(source)


def _faces_as(before: Setup, motion: Motion | None, own: facing.Moving | None) -> bool:
    """Whether a clip of the same poses shows both figures to face as those of another clip do."""
    known = before.facing
    if not known.by_motion:
        return True
    standing = replace(before.binding, heads=_start(before.binding.source, before.poses).positions[0])
    return facing.facing(standing, before.options.facing, motion, own) == known


def _same(one: Motion | None, other: Motion | None) -> bool:
    if one is None or other is None:
        return one is other
    return np.array_equal(one.rotations, other.rotations) and np.array_equal(one.positions, other.positions)


def _raised_back(bone_map: BoneMap, binding: Binding, frame: Floats) -> float:
    """Metres by which the source's lowest foot would be higher than at rest if it were the one that follows. By half of what both
    directions have, a motion that goes there and back is at its height again."""
    source, target = binding.source, binding.target
    back = bone_map.reversed()  # in which only one of two that follow the same bone can be followed: the one with a role
    with log.collect():
        back = bind(replace(back, pairs=tuple(sorted(back.pairs, key=lambda pair: not pair.role))), target, source, target.heads)
    corrections = align.corrections(source, reference.goals(back, frame.T))
    return root.raised(back, align.carried(source, source.heads, corrections))
