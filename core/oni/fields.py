"""What Oni's files hold besides motion, as tables of fields: of a TRAM, of each list that it has, and of an OBAN.

The panel is drawn from them, an import fills them, an export reads and checks them. Standard library alone.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from ..declare.fields import Field, Kind
from ..declare.options import Choice
from . import enums
from .enums import Enumeration, Flags

NONE = 0xFFFF
"""No vocalization, no action frame."""

OTHER = "OTHER"
"""The choice that stands for a number without a name; the number is kept."""

_BYTE, _UNSIGNED, _SIGNED = (0, 0xFF), (0, 0xFFFF), (-0x8000, 0x7FFF)
"""Limits of the types that files have whole numbers in."""

_STEP = 6.283185307179586 / 65535
"""Radians of one step of an angle in 16 bits."""


class OniField(Field):
    """codes: the numbers of its choices in the file, None where it has no choices. length: the most characters of a text. step: what one
    of the file's whole numbers stands for, 0 where it is a number itself."""

    codes: Enumeration | Flags | None = None
    length: int = 0
    step: float = 0.0

    @property
    def choices(self) -> tuple[Choice, ...]:
        return choices_of(self.codes) if self.codes is not None else ()


@cache
def items_of(codes: Enumeration | Flags) -> list[tuple[str, str, str, int]]:
    """The id, label, help and number of each choice; shared by all fields with these codes."""
    if isinstance(codes, Flags):
        return [(each, each, f"Bit 0x{bit:X} in the file", bit) for each, bit in codes.bits.items()]
    named = [(each, each, f"{number} in the file", number) for number, each in zip(codes.numbers, codes.names, strict=True)]
    return [*named, (OTHER, "Other", "A number that has no name; it is kept", 0xFFFF)]


@cache
def choices_of(codes: Enumeration | Flags) -> tuple[Choice, ...]:
    return tuple(Choice(*described[:3]) for described in items_of(codes))


def _choice(name: str, label: str, codes: Enumeration, about: str, **details: Any) -> OniField:
    return OniField(name, label, "choice", about, codes=codes, **details)


def _flags(name: str, label: str, codes: Flags, about: str, **details: Any) -> OniField:
    return OniField(name, label, "flags", about, minimum=0, maximum=0xFFFFFFFF, codes=codes, **details)


def _integer(name: str, label: str, about: str, limits: tuple[int, int] = _UNSIGNED, **details: Any) -> OniField:
    return OniField(name, label, "integer", about, minimum=limits[0], maximum=limits[1], **details)


def _time(name: str, label: str, about: str, limits: tuple[int, int] = _UNSIGNED, **details: Any) -> OniField:
    return _integer(name, label, about, limits, unit="frames", time=True, **details)


def _text(name: str, label: str, length: int, about: str, **details: Any) -> OniField:
    return OniField(name, label, "text", about, length=length, **details)


def _plain(name: str, label: str, kind: Kind, about: str, unit: str = "", **details: Any) -> OniField:
    return OniField(name, label, kind, about, unit=unit, **details)


def _scaled(name: str, label: str, about: str, stored: tuple[int, int], **details: Any) -> OniField:
    """Hundredths of a game unit. stored: the least and the largest whole number."""
    low, high = (number / 100 for number in stored)
    return OniField(name, label, "number", about, minimum=low, maximum=high, step=0.01, unit="game units", **details)


def _ring(name: str, label: str, first: int, side: str) -> OniField:
    """Half of the attack ring, whose sectors are 10 degrees."""
    parts = tuple(f"{10 * sector}°" for sector in range(first, first + 18))
    about = (
        f"How far attacks reach on the {side} side, from the front at 0° over the left at 90° to the back at 180°; edited by hand it stays"
    )
    return OniField(name, label, "numbers", about, size=18, parts=parts, unit="game units", group="Attack Ring", short=label)


_AS_IT_IS = "As the file has it; what the game does with it is not known"

TRAM_FIELDS = (
    _text("name", "Name", 63, "Of the instance, with the tag TRAM"),
    _choice("type", "Type", enums.ANIMATION_TYPE, "What the game plays it for"),
    _choice("from_state", "From State", enums.ANIMATION_STATE, "State of the character in which it can start"),
    _choice("to_state", "To State", enums.ANIMATION_STATE, "State of the character when it is over"),
    _flags("varient", "Variants", enums.VARIENT, "Weapons and moods for which it is"),
    _flags("flags", "Flags", enums.ANIMATION_FLAGS, "What the character does and can do while it plays"),
    _choice("aiming_type", "Aiming Type", enums.ANIMATION_TYPE, "Type of the aiming animation over it", group="Game", short="Aiming"),
    _choice("direction", "Direction", enums.DIRECTION, "Of the move, along which its attacks are measured", group="Game"),
    _plain(
        "final_rotation", "Final Rotation", "angle", "Heading of the character when it is over", "radians", group="Game", short="Rotation"
    ),
    _integer("first_level", "First Level", "Level of the game from which on it is there", group="Game"),
    _time("atomic_start", "Atomic Start", "From here on nothing can interrupt it", group="Atomic", short="Start"),
    _time("atomic_end", "Atomic End", "Up to here nothing can interrupt it", group="Atomic", short="End"),
    _time(
        "invulnerable_start", "Invulnerable Start", "From here on nothing hurts the character", _BYTE, group="Invulnerable", short="Start"
    ),
    _time("invulnerable_end", "Invulnerable End", "Up to here nothing hurts it", _BYTE, group="Invulnerable", short="End"),
    _integer("hard_pause", "Hard Pause", _AS_IT_IS, group="Pauses", short="Hard"),
    _integer("soft_pause", "Soft Pause", _AS_IT_IS, group="Pauses", short="Soft"),
    _integer("interpolation_end", "Interpolation End", _AS_IT_IS, group="Interpolation", short="End"),
    _integer("interpolation_max", "Interpolation Max", _AS_IT_IS, group="Interpolation", short="Max"),
    _integer("vocalization", "Vocalization", "What the character calls out, by its number", none=NONE, group="Effects", short="Voice"),
    _time("action_frame", "Action Frame", "When the animation does what it is for", none=NONE, group="Effects"),
    _text("impact", "Impact", 15, "Name of the impact effect, at most 15 characters", group="Effects"),
    _text(
        "direct_1",
        "Direct Animation 1",
        63,
        "Name of a TRAM, with or without that tag; empty for none",
        group="Direct Animations",
        short="First",
    ),
    _text(
        "direct_2",
        "Direct Animation 2",
        63,
        "Name of a TRAM, with or without that tag; empty for none",
        group="Direct Animations",
        short="Second",
    ),
    _flags("used_bones", "Overlay: Used Bones", enums.BONE_MASK, "Bones that an overlay moves", group="Overlay", short="Used"),
    _flags(
        "replaced_bones",
        "Overlay: Replaced Bones",
        enums.BONE_MASK,
        "Bones whose motion an overlay replaces",
        group="Overlay",
        short="Replaced",
    ),
    _choice(
        "compression",
        "Compression",
        enums.COMPRESSION,
        "How rotations are stored; OniSplit keeps quaternions only with the flag Overlay",
        group="Format",
    ),
    _integer("fps", "Frames per Second", "The game plays 60, whatever stands here", group="Format", short="FPS"),
    _choice(
        "alternate_direction",
        "Alternate Direction",
        enums.DIRECTION,
        "Second direction of the move; what the game does with it is not known",
        group="Format",
        short="Alternate",
    ),
    _plain(
        "reach", "Reach", "number", "Of all attacks, the largest of the ring; edited by hand it stays", "game units", group="Attack Ring"
    ),
    _plain("min_y", "Lowest", "number", "Point of all attacks; edited by hand it stays", "game units", group="Attack Ring"),
    _plain("max_y", "Highest", "number", "Point of all attacks; edited by hand it stays", "game units", group="Attack Ring"),
    _ring("ring_left", "Left", 0, "left"),
    _ring("ring_right", "Right", 18, "right"),
)

BY_HAND = ("extents", "attack_ring", "reach", "min_y", "max_y")
"""What follows from motion and attacks, until somebody edits it."""

TRAM_LISTS: dict[str, tuple[OniField, ...]] = {
    "attacks": (
        _time("start", "Start", "From here on it can hit"),
        _time("end", "End", "Up to here it can hit"),
        _flags("bones", "Bones", enums.BONE_MASK, "What strikes"),
        _flags("flags", "Flags", enums.ATTACK_FLAGS, "How it can be blocked"),
        _plain("knockback", "Knockback", "number", "How far the victim is thrown back, as the file has it"),
        _integer("hit_points", "Hit Points", "What it takes from the victim", _SIGNED),
        _choice("hit_type", "Hit Type", enums.ANIMATION_TYPE, "Type of the animation that the victim plays"),
        _integer("hit_length", "Hit Length", _AS_IT_IS),
        _integer("stun_length", "Stun Length", _AS_IT_IS),
        _integer("stagger_length", "Stagger Length", _AS_IT_IS),
    ),
    "self_damage": (
        _time("frame", "Frame", "When it hurts"),
        _integer("points", "Points", "What it takes from the character itself"),
    ),
    "particles": (
        _time("start", "Start", "First frame with it"),
        _time("end", "End", "Last frame with it"),
        _choice("bone", "Bone", enums.BONE, "Where it comes from"),
        _text("name", "Name", 15, "Of the particle, at most 15 characters"),
    ),
    "footsteps": (
        _time("frame", "Frame", "When the foot comes down"),
        _choice("type", "Foot", enums.FOOTSTEP, "Which one"),
    ),
    "sounds": (_time("frame", "Frame", "When it is heard"), _text("name", "Name", 31, "Of the sound, at most 31 characters")),
    "motion_blur": (
        _time("start", "Start", "First frame with it"),
        _time("end", "End", "Last frame with it"),
        _flags("bones", "Bones", enums.BONE_MASK, "What leaves a trail"),
        _integer("lifetime", "Lifetime", "Of a trail, as the file has it", _BYTE),
        _integer("alpha", "Alpha", "Of a trail, as the file has it", _BYTE),
        _integer("interval", "Interval", "Between trails, as the file has it", _BYTE),
    ),
    "shortcuts": (
        _choice("from_state", "From State", enums.ANIMATION_STATE, "State of the character in which it is taken"),
        _time("length", "Length", "Frames of the transition from that state"),
        _flags("flags", "Flags", enums.SHORTCUT_FLAGS, "How it is taken"),
    ),
    "throw": (
        _plain("position", "Target Position", "vector", "Where the victim stands"),
        _plain("angle", "Target Angle", "number", "As the file has it"),
        _plain("distance", "Distance", "number", "Between the two, as the file has it"),
        _choice("type", "Target Type", enums.ANIMATION_TYPE, "Type of the animation that the victim plays"),
    ),
    "extents": (
        _time("frame", "Frame", "At which an attack reaches that far", _SIGNED),
        OniField(
            "angle",
            "Angle",
            "angle",
            "To where it reaches, from the front to the left",
            unit="radians",
            minimum=0.0,
            maximum=6.2832,
            step=_STEP,
        ),
        _scaled("length", "Length", "How far it reaches from the root", _UNSIGNED),
        _scaled("min_y", "Lowest", "Point of what strikes", _SIGNED),
        _scaled("max_y", "Highest", "Point of what strikes", _SIGNED),
    ),
}
"""The lists by the name of their block; there is at most one throw."""

OBAN_FIELDS = (
    _text("name", "Name", 63, "Of the instance, with the tag OBAN"),
    _flags("flags", "Flags", enums.OBAN_FLAGS, "How it is played"),
    _time("half_stop", "Half Stop", "Where a door stands open"),
    _integer("ticks", "Ticks per Frame", "Not used by the game", _SIGNED),
)

FIELDS: dict[str, tuple[Field, ...]] = {"tram": TRAM_FIELDS, **TRAM_LISTS, "oban": OBAN_FIELDS}
"""All tables, by name."""
