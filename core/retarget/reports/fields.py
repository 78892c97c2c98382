"""What one clip's retargeting gave, in numbers: the fields of its report."""

from __future__ import annotations

from copy import copy
from dataclasses import asdict, dataclass, field
from typing import Any, Self

import numpy as np

from ...motion.rotations.rotation_matrix import Floats
from ..transfer.limbs.two_bone_ik import UNREACHED

_KEYS = {"rotation_excess": "turn_excess", "quantisation_distance": "quantisation_way"}
"""Fields that have another name in the JSON document, which keeps its keys."""

GOOD_UNMAPPED, GOOD_REACH = 30.0, 0.5
"""Degrees and leg lengths: so far may what nothing follows rotate, and so far may it reach, without that anybody sees it."""


@dataclass(frozen=True)
class Unmapped:
    """A source bone that nothing follows. largest: degrees away from its rest pose. inside: whether mapped bones follow below it, so
    that its rotation is in theirs. reach: leg lengths from its joint to the furthest end of what hangs on it. matched: whether the target
    has a part there that could follow it."""

    bone: str
    largest: float
    inside: bool
    reach: float = 0.0
    matched: bool = True

    @property
    def visible(self) -> bool:
        """Whether a person misses it: an arm that nothing follows, not the tips of fingers, hair, or ends without length, nor a cape of
        which the target has none."""
        return self.largest > GOOD_UNMAPPED and not self.inside and self.reach > GOOD_REACH and self.matched


@dataclass(frozen=True)
class Reach:
    """How a hand or a foot came to its goal. frames: those in which it is out of reach. missed: metres, at most. kept: leg lengths by which
    it is further from it where it is held, at most. reaches: whether it goes for something; else it is only asked to be further out, in
    longer steps, or below other hips."""

    limb: str
    frames: int
    missed: float
    kept: float = 0.0
    reaches: bool = True

    @classmethod
    def of(cls, limb: str, missed: Floats, leg: float, kept: Floats | float = 0.0, reaches: bool = True) -> Reach:
        """missed: (F,) metres between goal and end, before feet are held. kept: (F,) metres by which that is more then. leg: the target's,
        in metres."""
        return cls(limb, int((missed > UNREACHED * leg).sum()), float(missed.max()), max(0.0, float(np.max(kept))) / leg, reaches)


@dataclass(frozen=True, kw_only=True)
class Fields:
    """What one clip's retargeting gave: angles in degrees, lengths in metres where a field says nothing else."""

    name: str
    frames: int
    bones: int
    """That are keyed."""
    factor: float
    """Target metres per source metre."""
    limb_max: float
    """Between the directions of source and target limbs that have one mapped bone below them, before feet are held."""
    limb_mean: float
    limb_worst: str
    """The limb with the largest."""
    joint_error: float | None
    """The greatest distance from where the source's joint is, scaled about the hips, among those whose segments all are in proportion; None
    where none is."""
    joints: int
    """How many were measured for that."""
    skate_source: float
    """Leg lengths a second by which standing feet slide: the source's."""
    skate_plain: float
    """The target's before feet are held."""
    skate: float
    """The target's as it is written."""
    penetration: float
    """The deepest that a foot's joint comes below its height at rest."""
    flips: int = 0
    """How often bones jump from one frame to the next where the source does not; of a control rig also those that move the skin, in what
    Blender shows."""
    rotation_excess: float
    """The greatest rotation of a bone from frame to frame beyond the source's."""
    foot_pass: float
    """The greatest rotation that held feet add."""
    unreached: int
    """Frames in which a standing foot misses its position by more than 1 % of the leg."""
    missed: float
    """By how much, at most."""
    hips_down: float
    """By how much held feet bring the hips down, at most."""
    holds_feet: bool = False
    lowers_hips: bool = False
    """Whether Hold Feet is on, and so is nothing to advise."""
    holds_hands: bool = False
    unmapped: tuple[Unmapped, ...]
    seconds: float = 0.0
    quantisation: float | None = None
    """The greatest error of a bone's own rotation in the numbers of the game's file; None where the target is no game's."""
    quantisation_distance: float | None = None
    """The same of a bone's position in the world."""
    notes: tuple[str, ...] = field(default_factory=tuple)
    """What is to be said of figures and clip, in sentences."""
    yaw: float = 0.0
    """About Z, by which the whole clip is turned."""
    above: float = 0.0
    """By which standing feet are above the height that the lowest has at rest, in the middle of all frames."""
    goals: tuple[Reach, ...] = ()
    """Of hands and feet that the bone map gives one."""
    limb_shown: float = 0.0
    """As `limb_max`, but as Blender shows it, with what held feet and hands change."""
    limb_shown_worst: str = ""
    """The limb with that."""
    sway: float = 0.0
    """Of the hips to either side of the heading that a game's character has, which has no part in it."""
    off_ground: float = 0.0
    """Leg lengths by which a foot stands above the ground, in it if negative, where the source's stands on it, at most."""
    off_ground_leg: str = ""
    """Which foot."""
    faces_elsewhere: bool = False
    """Whether a figure whose facing is not certain may face another way by its rest pose, or lies there, or may have another axis up."""
    ground_elsewhere: bool = False
    """Whether it is not certain where the ground of one of the figures is."""
    off_body: float = 0.0
    """Leg lengths by which the body's lowest joint is above the ground, in it if negative, where the source's is on it, at most."""
    off_body_frame: float = 0.0
    """At which frame."""
    lies: bool = False
    """Whether that joint is none of a foot."""
    carried: float = 0.0
    """Leg lengths by which the hips are not where the keys put them, as Blender shows it, at most."""
    carried_frame: float = 0.0
    """At which frame."""
    unlike: str = ""
    """Where the curves that Blender has are not those that were computed, "" where they are."""
    asking: tuple[str, ...] = ()
    """Those of the notes that ask for a look."""
    amiss: tuple[str, ...] = ()
    """What is wrong in source or target themselves, of which the figures know nothing, with what helps."""
    hand_above: float = 0.0
    """Leg lengths by which a hand is above the ground where the source's is on it, at most."""
    hand_above_which: str = ""
    """Which hand."""
    toes_below: float = 0.0
    """Leg lengths by which toes that follow nothing end in the ground where the source's foot is above it, at most."""
    toes_below_which: str = ""
    """Of which foot."""
    foot_below: float = 0.0
    """Leg lengths by which the mesh of a foot is further in the ground than the source's, at most."""
    foot_below_which: str = ""
    """Which foot."""
    foot_below_frame: float = 0.0
    """At which frame."""
    part_below: float = 0.0
    """Leg lengths by which a joint of the body that is none of a foot is further in the ground than the source's, at most."""
    part_below_which: str = ""
    """Which, by its role."""
    part_below_frame: float = 0.0
    """At which frame."""
    snap: float = 0.0
    """The furthest that a limb which is held or reaches for a goal rotates from one frame to the next beyond what it would without."""
    snap_bone: str = ""
    """Which bone."""
    snap_frame: float = 0.0
    """Into which frame."""
    foot_above: float = 0.0
    """Leg lengths by which a foot is above the ground where the source's is on it, at most, of a clip in which feet are not held,
    as of one who lies."""
    foot_above_which: str = ""
    """Which foot."""

    between: float = 0.0
    """By which a limb points further away from the source's between the keys of the new action than at them, at most."""
    between_path: float = 0.0
    """Leg lengths by which the hips are beside the source's path between the keys of the new action, at most."""
    bend: float = 0.0
    """The furthest that the knee or elbow of a limb which is held bends beyond the source's; 0 where that is not worth a line."""
    bend_limb: str = ""
    """Which limb's."""
    bend_frame: float = 0.0
    """At which frame."""
    bend_hips: float = 0.0
    """By how much held feet bring the hips down there."""
    frames_read: int = 0
    """In how many of them what Blender shows was read, where that may be something else than the keys say; 0 where that need not be."""
    chain_off: float = 0.0
    """Parts of its length by which a chain of another number of bones than its source's is away from where the source's line has it, at
    most."""
    chain_off_which: str = ""
    """Which chain, by the target's bones."""
    chain_off_frame: float = 0.0
    """At which frame."""
    heading: float = 0.0
    """About Z, from ahead to where the clip looks as it starts: a game's file has it looking ahead then."""
    flip_frame: float = 0.0
    """Into which frame the bone flips, by its keys, that goes furthest beyond the source's; 0 where none does."""
    limb_held: bool = False
    """Whether the limbs that are off so that it shows are only those whose game does not let them rotate about all axes."""

    def but(self, **values: Any) -> Self:
        """The same with other values. dataclasses.replace would go through all of these fields for each of many clips."""
        result = copy(self)
        vars(result).update(values)
        return result

    def document(self) -> dict[str, Any]:
        """Plain numbers and lists, as for JSON."""
        return {_KEYS.get(name, name): value for name, value in asdict(self).items()}
