"""What a retargeting did, in numbers, for people and as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import Any

from ..reporting.labels import counted

_KEYS = {"rotation_excess": "turn_excess", "quantisation_distance": "quantisation_way"}
"""Fields that have another name in the JSON document, which keeps its keys."""

GOOD_ANGLE, GOOD_SKATE, GOOD_UNMAPPED, GOOD_REACH, GOOD_GROUND, GOOD_BODY, GOOD_PATH = 1.0, 0.04, 30.0, 0.5, 0.03, 0.05, 0.01
"""Degrees, leg lengths a second, degrees, and four in leg lengths: what is worse can be seen, and asks for a look. A body that lies may be
further off the ground than a foot that stands: there is flesh about its joints, of which nothing is known."""

GOOD_SNAP, _SNAP = 45.0, 15.0
"""Degrees from one frame to the next beyond what a limb rotates anyway: what is a flip, and what is worth a line."""

_BEGINS = ("limb direction: ", "foot skate: ", "flips: ", "unreached: ")
"""Of the lines with numbers that may be good or not."""

_SHOWN = 8
"""Bones that nothing follows, by name."""


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
    """How a hand or a foot came to its goal. frames: those in which it is out of reach. missed: metres, at most."""

    limb: str
    frames: int
    missed: float


def saved(documents: list[Any]) -> bytes:
    """Reports, each as `Report.document` gives it, as a file."""
    return (json.dumps({"reports": documents}, indent=2) + "\n").encode()


def is_saved(data: bytes) -> bool:
    """Whether a file is one of reports."""
    try:
        document: Any = json.loads(data)
        return list(document) == ["reports"] and all("limb_max" in report for report in document["reports"])
    except (ValueError, TypeError, RecursionError):
        return False


def _short(value: float) -> str:
    """A number for people, who need not know how a rounding error begins."""
    return f"{value:.3g}" if value >= 1e-3 else "under 0.001"


@dataclass(frozen=True, kw_only=True)
class Report:
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
    flips: int
    """Neighbouring quaternions with a negative dot product."""
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

    snap: float = 0.0
    """The furthest that a limb which is held or reaches for a goal rotates from one frame to the next beyond what it would without."""
    snap_bone: str = ""
    """Which bone."""
    snap_frame: float = 0.0
    """Into which frame."""

    @property
    def is_good(self) -> bool:
        """Whether nothing asks for a look: limbs and facing as the source's, feet no worse, nothing flips or is out of reach."""
        return (
            self.limb_max < GOOD_ANGLE
            and self.skate <= self.skate_source + GOOD_SKATE
            and abs(self.off_ground) <= GOOD_GROUND
            and abs(self.off_body) <= GOOD_BODY
            and self.hand_above <= GOOD_BODY
            and self.carried <= GOOD_PATH
            and not self.faces_elsewhere
            and not self.ground_elsewhere
            and not self.unlike
            and not self.amiss
            and not self.flips
            and self.snap < GOOD_SNAP
            and not self.unreached
            and not any(item.frames for item in self.goals)
            and not any(item.visible for item in self.unmapped)
        )

    def _bearing(self) -> list[str]:
        if abs(self.off_body) <= GOOD_BODY:
            return []
        how, where = "lies" if self.lies else "stands", "above the ground" if self.off_body > 0 else "in the ground"
        return [
            f"the body {how} {abs(self.off_body):.2f} leg lengths {where} at frame {self.off_body_frame:g}, where the source's is on it: "
            "Hold Feet brings it closer, else move the root there"
        ]

    def _reaching_down(self) -> list[str]:
        text = (
            f"{self.hand_above_which} is {self.hand_above:.2f} leg lengths above the ground, where the source's is on it: "
            "Hold Hands brings it as near as the arm reaches"
        )
        return [text] if self.hand_above > GOOD_BODY else []

    def _toes(self) -> list[str]:
        text = (
            f"toes of {self.toes_below_which} end up to {self.toes_below:.2f} leg lengths in the ground: "
            "they follow nothing, and the source's foot is above it; rotate them there"
        )
        return [text] if self.toes_below > GOOD_BODY else []

    def _snapping(self) -> list[str]:
        text = (
            f"{self.snap_bone} rotates {self.snap:.0f}° further into frame {self.snap_frame:g} than without {self._bending()}: its limb is "
            "all but straight there, or out of reach"
        )
        return [text] if self.snap > _SNAP else []

    def _bending(self) -> str:
        return "held feet and goals" if self.goals else "held feet"

    def _elsewhere(self) -> list[str]:
        text = (
            f"the hips are {self.carried:.2f} leg lengths from where their keys put them at frame {self.carried_frame:g}: "
            "constraints, drivers or the parent of the object, or of bones above the hips, move them as well"
        )
        return [text] if self.carried > GOOD_PATH else []

    def _standing(self) -> list[str]:
        where = "above the ground" if self.off_ground > 0 else "in the ground"
        text = f"{self.off_ground_leg} stands {abs(self.off_ground):.2f} leg lengths {where}, where the source's stands on it"
        return [text] if abs(self.off_ground) > GOOD_GROUND else []

    def _held(self) -> list[str]:
        down = f"held feet bring the hips down: by {self.hips_down:.3f} m at most"
        missed = f"unreached: {counted(self.unreached, 'frame')}, {self.missed:.3f} m at most"
        return [text for text, is_shown in ((down, self.hips_down >= 5e-4), (missed, self.unreached > 0)) if is_shown]

    def document(self) -> dict[str, Any]:
        """Plain numbers and lists, as for JSON."""
        return {_KEYS.get(name, name): value for name, value in asdict(self).items()}

    def lines(self) -> list[str]:
        """A few lines for people."""
        return [*self._measured(), *self.amiss, *self._missed(), *self.notes]

    def reasons(self) -> list[str]:
        """Those of the lines for which the report asks for a look."""
        lines = self.lines()
        sure = [self.limb_max < GOOD_ANGLE, self.skate <= self.skate_source + GOOD_SKATE, not self.flips, not self.unreached]
        begins = [begin for begin, good in zip(_BEGINS, sure, strict=True) if not good]
        asking = {*self._elsewhere(), *self._standing(), *self._bearing(), *self._unreached_goals(), self.unlike, *self.asking, *self.amiss}
        asking.update(self._reaching_down())
        asking.update(self._snapping() if self.snap >= GOOD_SNAP else [])
        asking |= {self._unfollowed(item) for item in self.unmapped if item.visible}
        if any(item.visible for item in self.unmapped[_SHOWN:]):
            asking.add(self._more())
        return [line for line in lines if line in asking or line.startswith(tuple(begins))]

    def _measured(self) -> list[str]:
        result = [
            f"{counted(self.frames, 'frame')}, {counted(self.bones, 'bone')}, scale {self.factor:.4g}, {self.seconds:.2f} s",
            f"limb direction: {_short(self.limb_max)}° at most ({self.limb_worst or 'no limbs'}), {_short(self.limb_mean)}° on average",
            f"foot skate: source {self.skate_source:.3f}, target {self.skate:.3f} leg lengths/s (without foot pass {self.skate_plain:.3f})",
        ]
        if self.limb_shown > max(2 * self.limb_max, 1e-3):
            result.insert(2, f"as shown, with {self._bending()}: {_short(self.limb_shown)}° at most ({self.limb_shown_worst})")
        if abs(self.yaw) >= 0.05:
            result.insert(1, f"turned by {self.yaw:.4g}° about the up axis, to face as the target does (Facing: By the World keeps it)")
        if self.sway >= 0.5:
            result.append(f"sway of the hips: {self.sway:.1f}° to each side, in the pose; the character's heading has none of it")
        if self.skate > self.skate_source + GOOD_SKATE and not self.foot_pass:
            result.append("feet slide more than the source's: hold them, or look at the scale")
        if self.joint_error is not None:
            result.append(f"joint error: {_short(self.joint_error)} m over {self.joints} joints in proportion")
        if self.penetration >= 5e-4:
            result.append(f"feet lower than when they stand: {self.penetration:.3f} m")
        if self.above >= 5e-4:
            result.append(f"feet above the ground: {self.above:.3f} m")
        result += [
            *self._elsewhere(),
            *self._standing(),
            *self._bearing(),
            *self._reaching_down(),
            *self._toes(),
            *filter(None, [self.unlike]),
        ]
        if self.flips or self.rotation_excess > 0.01:
            result.append(f"flips: {self.flips}, rotation beyond the source's {_short(self.rotation_excess)}°")
        result += [*self._snapping(), *self._held(), *self._unreached_goals()]
        if self.quantisation is not None:
            result.append(
                f"rounded to the game's numbers: {_short(self.quantisation)}° and {_short(self.quantisation_distance or 0)} m at most"
            )
        return result

    def _missed(self) -> list[str]:
        result = [self._unfollowed(item) for item in self.unmapped[:_SHOWN]]
        return [*result, self._more()] if len(self.unmapped) > _SHOWN else result

    def _unreached_goals(self) -> list[str]:
        return [
            f"{item.limb}: its goal is out of reach in {counted(item.frames, 'frame')}, by {item.missed:.3f} m at most"
            for item in self.goals
            if item.frames
        ]

    def _unfollowed(self, item: Unmapped) -> str:
        return f"not mapped: {item.bone} rotates {item.largest:.1f}°{' (taken over below)' if item.inside else ''}"

    def _more(self) -> str:
        return f"not mapped: {len(self.unmapped) - _SHOWN} more moving bones"
