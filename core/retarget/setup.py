"""What is the same for all clips of a source: the map laid on both figures, their reference poses brought together, how far they face."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from ..motion.rotations import quaternion as quat
from ..motion.rotations import rotation_matrix
from ..motion.rotations.rotation_matrix import Floats
from ..reporting import log
from ..reporting.errors import RetroAnimError
from ..reporting.labels import first_few
from .figures.figure import Figure
from .figures.maps.bone_map import BoneMap, Limb
from .figures.motion import Motion, rest_motion
from .ground import root
from .options import Options
from .transfer import mirror
from .transfer.alignment import align, facing, hinges, reference, splay, stance, unfit
from .transfer.binding import Binding, bind

_ENOUGH = 12
"""Frames that are a motion, not some poses."""

_NAMED = 3
"""Bones that a message names."""


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
    aligned rotations in the world. source_rotations: (S, 4). stands: the frame of its clip in which the source stands instead of at rest,
    and what is wrong with that. twisted: by target bone degrees about itself by which a limb bends beside its hinge. judged: whether the
    motion showed of any bone that the rest poses have it wrong, which another clip may not show. soles: by role what is up for the
    source's in its reference pose, where they are not level."""

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
    stands: tuple[float, str] | None = None
    twisted: dict[str, float] = field(default_factory=dict[str, float])
    judged: bool = False
    free: frozenset[str] | None = None
    controlled: bool = False
    soles: dict[str, Floats] = field(default_factory=dict[str, Floats])

    @cached_property
    def stand_alike(self) -> bool:
        """Whether the legs of both figures point in the same directions, so that no motion tells more of soles."""
        return splay.stand_alike(self.binding, self.facing.frame)

    @cached_property
    def scale(self) -> tuple[float, float]:
        """Target metres a source metre over the ground, 0 where the motion stays in place, and in heights. Longer steps go further, so that
        feet do not slide."""
        strides = {limb.limb: limb.stride for limb in self.limbs}
        stride = (strides.get("leftFoot", 1.0) + strides.get("rightFoot", 1.0)) / 2
        options = self.options
        over_ground = 0.0 if options.root_motion == "NONE" else 1.0 if options.keep_speed else self.factor * stride
        return over_ground, self.factor

    def suits(
        self,
        source: Figure,
        poses: Poses,
        motion: Motion | None,
        own: facing.Moving | None = None,
        others: facing.Moving | None = None,
    ) -> bool:
        """Whether it is that of another clip, too, for the same target, map and options: one of the same poses that faces alike."""
        same = self.binding.source is source and self.poses.are(poses) and _faces_as(self, motion, own, others) and _treads_as(self, motion)
        return same and not self.judged and not _judges(self, motion)


def prepare(
    source: Figure,
    target: Figure,
    bone_map: BoneMap,
    options: Options,
    poses: Poses | None = None,
    motion: Motion | None = None,
    own: facing.Moving | None = None,
    others: facing.Moving | None = None,
) -> Setup:
    """Lay the map on both figures and bring their reference poses together. motion: of all source bones, own: of the target's, others: of
    the source's in its other clips, which show where they face if their rest poses do not. Raises RetroAnimError when no pair of the map is
    there."""
    poses = poses or Poses()
    binding = _bound(bone_map, source, target, _start(source, poses))
    target = binding.target  # with what it cannot move held fast
    faced = facing.facing(binding, options.facing, motion, own, others)
    frame, looked = faced.frame, _looked(binding, motion)
    stood = _stood(bone_map, binding, options, poses, motion, looked)
    binding, standing = stood.binding, stood.pose if stood.stands is not None else None
    shown_by = _mirror(faced, options)
    binding = replace(binding, heels=heels) if (heels := reference.heels(shown_by.binding(binding), frame)) else binding
    soles = {} if standing is not None else _soles(binding, options, faced, poses, motion)
    leading = shown_by.binding(binding)
    goals, better = _goals(leading, options, faced, shown_by.by_role(soles)), dict[int, align.Goal]()
    if standing is not None and motion is not None and options.align == "AUTO":
        goals |= stance.ends(leading, shown_by.motion(motion), shown_by.motion(standing), frame)
    source_rotations, heads = stood.pose.rotations[0], stood.pose.positions[0]
    if options.align == "TPOSE":
        leads = replace(binding, heels=shown_by.rows(binding, binding.heels))
        rotated = align.corrections(source, reference.canonical_goals(leads, "source", faced.aligned - faced.yaw))
        source_rotations = quat.multiply(quat.of_matrix(rotated), source_rotations)
        heads = align.carried(source, heads, rotated)
        tails = heads + np.einsum("bij,bj->bi", rotated, binding.tails - binding.heads)
        binding = replace(bind(bone_map, source, target, heads, tails), heels=binding.heels)
    corrections, shown = align.corrections(target, goals), _hinges(binding, looked, source_rotations, frame, shown_by)
    if options.align == "AUTO":
        better = hinges.mended(shown, goals, corrections)
        corrections = align.corrections(target, goals | better) if better else corrections
        corrections = unfit.untwisted(binding, shown_by.by_row(binding, stood.off) if standing is None else {}, corrections, frame)
    references = quat.of_matrix(corrections @ _posed(target, options, poses))
    legs, is_mutual = root.legs(binding), options.align == "AUTO" and poses.source is None and standing is None
    factor = options.scale or legs.target / legs.source
    twisted = hinges.twisted(shown, target.names, _corrections(target, references)) if shown else {}
    return Setup(
        binding=binding,
        frame=frame,
        references=references,
        source_rotations=source_rotations,
        source_positions=heads,
        legs=_raised(legs, factor, binding, corrections, frame, bone_map if is_mutual else None),
        facing=faced,
        factor=factor,
        options=options,
        poses=poses,
        limbs=bone_map.limbs,
        stands=stood.stands,
        twisted=twisted,
        judged=bool(stood.off or better or twisted),
        soles=soles,
    )


@dataclass(frozen=True, eq=False)
class _Stood:
    """The source as rotations are counted from. binding: the map laid on it so. pose: its one frame. stands: as in `Setup`. off: bones that
    are rotated wrongly at rest, as `unfit` gives them."""

    binding: Binding
    pose: Motion
    stands: tuple[float, str] | None
    off: dict[int, Floats]


def _stood(bone_map: BoneMap, binding: Binding, options: Options, poses: Poses, motion: Motion | None, looked: Motion | None) -> _Stood:
    """At rest, or in the pose that is given; where rotations cannot be counted from its rest pose, in a frame of its motion. looked: as
    `_looked` gives it."""
    start = _start(binding.source, poses)
    off = unfit.unfit(binding, looked, start.rotations[0]) if looked is not None and options.align == "AUTO" else {}
    wrong = _wrong(binding, off)
    if not wrong or motion is None or poses.source is not None or options.align not in ("AUTO", "TPOSE"):
        return _Stood(binding, start, None, off)
    pose = _standing(binding, motion)
    with log.collect():
        again = bind(bone_map, binding.source, binding.target, pose.positions[0], _tails(binding.source, pose))
    return _Stood(again, pose, (float(pose.frames[0]), wrong), off)


def _bound(bone_map: BoneMap, source: Figure, target: Figure, start: Motion) -> Binding:
    """The map laid on both figures; hips that another bone carries stay where they are on that."""
    binding = bind(bone_map, source, target, start.positions[0], _tails(source, start))
    if not len(binding):
        raise RetroAnimError("no bone pair of the map is in both armatures")
    if binding.carrier < 0:
        return binding
    hips = binding.followers[binding.roles["hips"]].target
    return replace(binding, target=replace(target, fixed=target.fixed | (np.arange(len(target)) == hips)))


def _goals(binding: Binding, options: Options, faced: facing.Facing, soles: dict[str, Floats]) -> dict[int, align.Goal]:
    """What the target's bones are aligned with; nothing where both poses are given as they stand alike."""
    if options.align == "TPOSE":
        return reference.canonical_goals(binding, "target", faced.aligned)
    return reference.goals(binding, faced.frame, soles) if options.align == "AUTO" else {}


def _posed(target: Figure, options: Options, poses: Poses) -> Floats:
    """(B, 3, 3) of its bones in the world, in the pose that is aligned."""
    if options.align == "POSE" and poses.target is not None:
        return rotation_matrix.from_quaternion(poses.target.rotations[0])
    return target.rotation @ target.rest_rotations


def _start(source: Figure, poses: Poses) -> Motion:
    """The source's reference pose, as it is before alignment."""
    return poses.source or rest_motion(source)


def _tails(source: Figure, pose: Motion) -> Floats:
    """(S, 3) of its bones in a pose of one frame."""
    away = quat.multiply(pose.rotations[0], quat.conjugate(source.quaternions))
    return pose.positions[0] + quat.rotate(away, source.tails - source.heads)


def _wrong(binding: Binding, off: dict[int, Floats]) -> str:
    """What is wrong with a source's rest pose from where rotations cannot be counted; "" where nothing is."""
    if stance.is_folded(binding, "source"):
        return "folded together"
    names = [binding.source.names[binding.followers[row].source] for row in off]
    return f"twisted ({first_few(names, _NAMED)})" if len(off) >= unfit.MANY else ""


def _mirror(faced: facing.Facing, options: Options) -> mirror.Mirror:
    """By which the target is aligned with the source."""
    return mirror.Mirror(faced.frame.T @ faced.lateral, faced.lateral) if options.mirror else mirror.Mirror(None, None)


def _hinges(binding: Binding, motion: Motion | None, reference: Floats, frame: Floats, shown_by: mirror.Mirror) -> list[list[hinges.Hinge]]:
    """Those that the source's motion shows."""
    if motion is None:
        return []
    return hinges.shown(shown_by.binding(binding), shown_by.motion(motion), shown_by.rotations(reference), frame)


def _looked(binding: Binding, motion: Motion | None) -> Motion | None:
    """Some frames of what shows how bones are rotated about themselves; None where there is too little of it, or where both are one figure,
    of which all is taken over as it is."""
    return None if motion is None or len(motion.frames) < _ENOUGH or binding.is_one_figure else motion.few()


def _judges(setup: Setup, motion: Motion | None) -> bool:
    """Whether a clip shows that a rest pose has bones wrong with which another clip agrees."""
    binding, looked, rotations = setup.binding, _looked(setup.binding, motion), setup.source_rotations
    if looked is None:
        return False
    shown = _hinges(binding, looked, rotations, setup.frame, _mirror(setup.facing, setup.options))
    if shown and hinges.twisted(shown, binding.target.names, _corrections(binding.target, setup.references)):
        return True
    return setup.options.align == "AUTO" and setup.stands is None and bool(unfit.unfit(binding, looked, rotations))


def _corrections(target: Figure, references: Floats) -> Floats:
    """(B, 3, 3) the rotations in the world from the target's rest to its reference pose."""
    return rotation_matrix.from_quaternion(quat.multiply(references, quat.conjugate(target.quaternions)))


def _standing(binding: Binding, motion: Motion) -> Motion:
    """The source where it stands most as the target does at rest, over where it is at rest itself: its path stays where it is."""
    pose = motion.at(np.array([stance.nearest(binding, motion)]))
    first = binding.followers[binding.hips].source
    return replace(pose, positions=pose.positions + (binding.heads[first] - pose.positions[0, first]) * (1, 1, 0))


def _faces_as(before: Setup, motion: Motion | None, own: facing.Moving | None, others: facing.Moving | None) -> bool:
    """Whether a clip of the same poses shows both figures to face as those of another clip do."""
    known = before.facing
    if not known.by_motion:
        return True
    standing = replace(before.binding, heads=_start(before.binding.source, before.poses).positions[0])
    return facing.facing(standing, before.options.facing, motion, own, others) == known


def _soles(binding: Binding, options: Options, faced: facing.Facing, poses: Poses, motion: Motion | None) -> dict[str, Floats]:
    """Of a source at rest: whoever gives a pose has its soles level."""
    if options.align != "AUTO" or poses.source is not None:
        return {}
    return splay.soles(binding, motion, faced)


def _treads_as(before: Setup, motion: Motion | None) -> bool:
    """Whether a clip of the same poses shows the source's soles as those of another clip do."""
    if before.stands is not None:
        return True
    soles = {} if before.stand_alike else _soles(before.binding, before.options, before.facing, before.poses, motion)
    return soles.keys() == before.soles.keys() and all(np.array_equal(up, before.soles[role]) for role, up in soles.items())


def _same(one: Motion | None, other: Motion | None) -> bool:
    if one is None or other is None:
        return one is other
    return np.array_equal(one.rotations, other.rotations) and np.array_equal(one.positions, other.positions)


def _raised(legs: root.Legs, factor: float, binding: Binding, corrections: Floats, frame: Floats, back: BoneMap | None) -> root.Legs:
    """With by how much alignment raises the target over its lowest foot: half of it, and half of what the reverse direction does, so that
    a motion that goes there and back is at its height again. back: the map, None where the reverse direction is not aligned by it."""
    if not legs.known or not all(legs.sure) or "hips" not in binding.roles:
        return legs
    ours = root.raised(binding, align.carried(binding.target, binding.target.heads, corrections))
    theirs = -ours / factor if back is None else _raised_back(back, binding, frame)  # without it: as where that agrees
    return replace(legs, aligned=(ours - factor * theirs) / 2)


def _raised_back(bone_map: BoneMap, binding: Binding, frame: Floats) -> float:
    """Metres by which the source's lowest foot would be higher than at rest if it were the one that follows."""
    source, target = binding.source, binding.target
    back = bone_map.reversed()  # in which only one of two that follow the same bone can be followed: the one with a role
    with log.collect():
        back = bind(replace(back, pairs=tuple(sorted(back.pairs, key=lambda pair: not pair.role))), target, source, target.heads)
    corrections = align.corrections(source, reference.goals(back, frame.T))
    return root.raised(back, align.carried(source, source.heads, corrections))
