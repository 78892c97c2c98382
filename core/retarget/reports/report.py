"""What a retargeting did, for people, and as a file."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from ...reporting.labels import counted
from ..figures.roles import role_label
from .fields import Fields

GOOD_ANGLE, GOOD_SKATE, GOOD_GROUND, GOOD_BODY, GOOD_PATH = 1.0, 0.04, 0.03, 0.05, 0.01
"""Degrees, leg lengths a second, and three in leg lengths: what is worse can be seen, and asks for a look. A body that lies may be further
off the ground than a foot that stands: there is flesh about its joints, of which nothing is known."""

GOOD_SWING = 0.1
"""Leg lengths by which a foot that does not stand may be in the ground, where it is on its way."""

GOOD_SNAP, _SNAP = 45.0, 15.0
"""Degrees from one frame to the next beyond what a limb rotates anyway: what is a flip, and what is worth a line."""

GOOD_BEND, BEND = 20.0, 15.0
"""Degrees by which a knee or an elbow bends further than the source's: what can be seen, and what is worth a line."""

CHAIN = 0.03
"""Of a chain's length, by which its line is beside its source's: what is worth a line."""

_LET_GO = "Mark Contacts lets you end a contact earlier"
"""What helps where a foot or a hand that is held cannot come along."""

_HELD = {"Foot": ("knee", "Hold Feet"), "Hand": ("elbow", "Hold Hands")}
"""By the end of a limb the joint that bends, and the option that holds it."""

_SHOWN = 8
"""Bones that nothing follows, by name."""


class Line(NamedTuple):
    """asks: whether it asks for a look. remedy: how the line goes on, with what helps, in which options are named by their labels: no name
    of a file, an action or a bone is in it."""

    text: str
    asks: bool = False
    remedy: str = ""


@dataclass(frozen=True, kw_only=True)
class Report(Fields):
    """The fields with the lines that say them."""

    @property
    def is_good(self) -> bool:
        """Whether nothing asks for a look: limbs and facing as the source's, feet no worse, nothing flips or is out of reach."""
        return not self.reasons()

    def lines(self, say: Callable[[str], str] = str) -> list[str]:
        """A few lines for people. say: gives a remedy as it is where options have other names than in the window."""
        return [line.text + say(line.remedy) for line in self._lines()]

    def reasons(self, say: Callable[[str], str] = str) -> list[str]:
        """Those of the lines for which the report asks for a look. say: as of `lines`."""
        return [line.text + say(line.remedy) for line in self._lines() if line.asks]

    def _lines(self) -> Iterator[Line]:
        yield from self._limbs()
        yield from self._feet()
        yield from self._ground()
        yield from self._changed()
        if self.quantisation is not None:
            distance = _short(self.quantisation_distance or 0)
            yield Line(f"rounded to the game's numbers: {_short(self.quantisation)}° and {distance} m at most")
        yield from (Line(text, asks=True) for text in self.amiss)
        yield from self._unmapped()
        yield from (Line(text, text in self.asking) for text in self.notes)

    def _limbs(self) -> Iterator[Line]:
        yield Line(f"{counted(self.frames, 'frame')}, {counted(self.bones, 'bone')}, scale {self.factor:.4g}, {self.seconds:.2f} s")
        if abs(self.yaw) >= 0.05:
            faced = f"turned by {self.yaw:.4g}° about the up axis, to face as the target does"
            yield Line(faced, remedy=" (Facing: By the World keeps it)")
        if abs(self.heading) >= 0.05:
            yield Line(f"in the game's file it begins looking ahead: turned by {-self.heading:.4g}° about the up axis there")
        is_part = 0 < self.frames_read < self.frames
        read = f" in the {self.frames_read} of {self.frames} frames that were read" if is_part else ""
        most = f"{_short(self.limb_max)}° at most ({self.limb_worst or 'no limbs'}){read}"
        is_off = not (self.limb_max < GOOD_ANGLE or self.limb_held)  # of those that are held a line of its own says why
        remedy = ": look at its line of the bone map, and at Alignment" if is_off else ""
        remedy = f"{remedy}; Check Every Frame reads all" if is_part else remedy
        yield Line(f"limb direction: {most}, {_short(self.limb_mean)}° on average", is_off, remedy)
        if self.limb_shown > max(2 * self.limb_max, 1e-3):
            yield Line(f"as shown, with {self._bending()}: {_short(self.limb_shown)}° at most ({self.limb_shown_worst})")
        if self.chain_off >= CHAIN:
            yield Line(
                f"chain {self.chain_off_which}: up to {self.chain_off:.2f} of its length beside the line of the source's at frame "
                f"{self.chain_off_frame:g}, which has another number of bones"
            )

    def _feet(self) -> Iterator[Line]:
        slides = not self.skate <= self.skate_source + GOOD_SKATE
        without = f" (without Hold Feet {self.skate_plain:.3f})" if self.foot_pass else ""
        yield Line(f"foot skate: source {self.skate_source:.3f}, target {self.skate:.3f} leg lengths/s", slides, without)
        if self.sway >= 0.5:
            yield Line(f"sway of the hips: {self.sway:.1f}° to each side, in the pose; the character's heading has none of it")
        if slides and not self.foot_pass:
            leaves = "Hold Feet leaves clips as they are that do not keep to the ground"
            remedy = leaves if self.holds_feet else "Hold Feet keeps them"
            yield Line("feet slide more than the source's", remedy=f": {remedy}; or look at the scale")
        if self.joint_error is not None:
            yield Line(f"joint error: {_short(self.joint_error)} m over {self.joints} joints in proportion")
        if self.penetration >= 5e-4:
            yield Line(f"feet lower than when they stand: {self.penetration:.3f} m")
        if self.above >= 5e-4:
            yield Line(f"feet above the ground: {self.above:.3f} m")

    def _ground(self) -> Iterator[Line]:
        """What is not where the source has it, or the keys."""
        if self.carried > GOOD_PATH:
            yield Line(
                f"the hips are {self.carried:.2f} leg lengths from where their keys put them at frame {self.carried_frame:g}: "
                "constraints, drivers or the parent of the object, or of bones above the hips, move them as well",
                asks=True,
            )
        if abs(self.off_ground) > GOOD_GROUND:
            off = f"{abs(self.off_ground):.2f} leg lengths {_where(self.off_ground)}"
            yield Line(f"{role_label(self.off_ground_leg)} stands {off}, where the source's stands on it", True, self._to_ground())
        if abs(self.off_body) > GOOD_BODY:
            closer = "" if self.holds_feet else "Hold Feet brings it closer, else "
            yield Line(
                f"the body {'lies' if self.lies else 'stands'} {abs(self.off_body):.2f} leg lengths {_where(self.off_body)} "
                f"at frame {self.off_body_frame:g}, where the source's is on it",
                True,
                f": {closer}move the root there",
            )
        if self.hand_above > GOOD_BODY:
            yield Line(
                f"{role_label(self.hand_above_which)} is {self.hand_above:.2f} leg lengths above the ground, where the source's is on it",
                True,
                "" if self.holds_hands else ": Hold Hands brings it as near as the arm reaches",
            )
        if self.foot_above > GOOD_BODY and abs(self.off_ground) <= GOOD_GROUND:  # else that says it
            yield Line(
                f"{role_label(self.foot_above_which)} is {self.foot_above:.2f} leg lengths above the ground, where the source's is on it",
                True,
                ": Hold Feet leaves one who lies as it is; a goal brings the foot there",
            )
        if self.toes_below > GOOD_BODY:
            yield Line(
                f"toes of the {role_label(self.toes_below_which)} end up to {self.toes_below:.2f} leg lengths in the ground: "
                "they follow nothing, and the source's foot is above it; rotate them there"
            )
        if self.foot_below > GOOD_BODY + max(0.0, -self.off_ground, -self.off_body):  # else these say it
            remedy = "" if self.holds_feet else "Hold Feet keeps feet out of it that stand, else "
            yield Line(
                f"{role_label(self.foot_below_which)} is {self.foot_below:.2f} leg lengths further in the ground than the source's "
                f"at frame {self.foot_below_frame:g}",
                self.foot_below > GOOD_SWING,
                f": {remedy}rotate it, or move the root, there",
            )
        if self.part_below > GOOD_BODY + max(0.0, -self.off_body):
            part = "hips are" if self.part_below_which == "hips" else f"{role_label(self.part_below_which)} is"
            yield Line(
                f"{part} {self.part_below:.2f} leg lengths further in the ground than the source's at frame {self.part_below_frame:g}",
                self.part_below > GOOD_SWING,
                ": rotate it, or move the root, there",
            )
        if self.unlike:
            yield Line(self.unlike, asks=True)

    def _to_ground(self) -> str:
        """What brings a foot onto the ground."""
        if not self.off_ground_leg.endswith("Foot"):  # none of them stands
            return ": Floor: Lowest Contact puts it there"
        if not self.holds_feet:
            return ": Hold Feet puts it there"
        has_goal = any(item.reaches and item.limb == self.off_ground_leg for item in self.goals)
        return ": its goal keeps it there" if has_goal else ": a goal brings it there"

    def _changed(self) -> Iterator[Line]:
        """What held feet and goals do, and do not reach."""
        if self.flips or self.rotation_excess > 0.01:
            yield Line(f"flips: {self.flips}, rotation beyond the source's {_short(self.rotation_excess)}°", self.flips > 0)
        if self.snap > _SNAP:
            remedy = "less Strength pulls less" if any(item.reaches for item in self.goals) else _LET_GO
            yield Line(
                f"{self.snap_bone} rotates {self.snap:.0f}° further into frame {self.snap_frame:g} than without {self._bending()}: "
                "its sole comes onto the ground there, or its limb is all but straight, or out of reach",
                self.snap >= GOOD_SNAP,
                f"; {remedy}",
            )
        if self.hips_down >= 5e-4:
            yield Line(f"held feet bring the hips down: by {self.hips_down:.3f} m at most")
        if self.bend >= BEND:
            yield self._bent()
        if self.unreached:
            yield Line(
                f"held feet or hands are out of reach in {counted(self.unreached, 'frame')}, by {self.missed:.3f} m at most",
                True,
                f": {'' if self.lowers_hips else 'Lower the Hips brings feet nearer; '}{_LET_GO}",
            )
        for item in self.goals:
            if item.frames:
                limb, often = role_label(item.limb), f"in {counted(item.frames, 'frame')}, by {item.missed:.3f} m at most"
                if item.reaches:
                    text = f"its goal is out of reach {often}"
                    remedy = ": By Limb counts by its own length, and less Strength pulls less"
                else:
                    text, remedy = f"its leg is too short {often}", ", for this Pelvis Height, Stance or Stride"
                yield Line(f"{limb}: {text}", True, remedy)
            if item.kept > GOOD_GROUND:
                yield Line(
                    f"{role_label(item.limb)} is held up to {item.kept:.2f} leg lengths from its goal, where it stands",
                    True,
                    ": without Hold Feet it goes there",
                )

    def _bent(self) -> Line:
        """Which joint of a held limb bends further than the source's, why, and what helps."""
        side, end = self.bend_limb[:-4], self.bend_limb[-4:]
        joint, option = _HELD[end]
        why, remedy = f"its {end.lower()} is held on the ground", f"; without {option} as the source's"
        if self.bend_hips >= 5e-4:
            why = f"held feet bring the hips down there, by {self.bend_hips:.3f} m"
            remedy = f"; without Lower the Hips it bends less, without {option} as the source's"
        further = f"{side} {joint} bends {self.bend:.0f}° further than the source's at frame {self.bend_frame:g}"
        return Line(f"{further}: {why}", self.bend >= GOOD_BEND, remedy)

    def _bending(self) -> str:
        if not self.goals:
            return "held feet"
        return "held feet and goals" if self.holds_feet else "goals"

    def _unmapped(self) -> Iterator[Line]:
        """Bones that nothing follows."""
        for item in self.unmapped[:_SHOWN]:
            below = " (taken over below)" if item.inside else ""
            remedy = ": add a line to the bone map for it" if item.visible else ""
            yield Line(f"not mapped: {item.bone} rotates {item.largest:.1f}°{below}", item.visible, remedy)
        if more := self.unmapped[_SHOWN:]:
            yield Line(f"not mapped: {len(more)} more moving bones", any(item.visible for item in more))


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


def _where(height: float) -> str:
    return "above the ground" if height > 0 else "in the ground"
