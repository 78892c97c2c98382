"""What Oni's files hold besides motion, as tables of fields: of a TRAM, of each list that it has, and of an OBAN.

The panel is drawn from them, an import fills them, an export reads and checks them. Standard library alone.
"""

from __future__ import annotations

from ..declare.fields import Field, Kind
from ..declare.options import Choice
from .records import enums
from .records.enums import Enumeration, Flags

NONE = 0xFFFF
"""No vocalization, no action frame."""

OTHER = "OTHER"
"""The choice that stands for a number without a name; the number is kept."""

_BYTE, _UNSIGNED, _SIGNED = (0, 0xFF), (0, 0xFFFF), (-0x8000, 0x7FFF)
"""Limits of the types that files have whole numbers in."""


class OniField(Field):
    """codes: the numbers of its choices in the file, None where it has no choices. length: the most characters of a text."""

    codes: Enumeration | Flags | None = None
    length: int = 0


def _choice(name: str, label: str, codes: Enumeration, about: str = "") -> OniField:
    names = (Choice(each, each) for each in codes.names)
    choices = (*names, Choice(OTHER, "Other", "A number that has no name; it is kept"))
    return OniField(name, label, "choice", about, choices=choices, codes=codes)


def _flags(name: str, label: str, codes: Flags, about: str = "") -> OniField:
    choices = tuple(Choice(each, each) for each in codes.bits)
    return OniField(name, label, "flags", about, minimum=0, maximum=0xFFFFFFFF, choices=choices, codes=codes)


def _integer(name: str, label: str, about: str = "", limits: tuple[int, int] = _UNSIGNED, none: int | None = None) -> OniField:
    return OniField(name, label, "integer", about, minimum=limits[0], maximum=limits[1], none=none)


def _time(name: str, label: str, about: str = "", limits: tuple[int, int] = _UNSIGNED, none: int | None = None) -> OniField:
    return OniField(name, label, "integer", about, unit="frames", minimum=limits[0], maximum=limits[1], none=none, time=True)


def _text(name: str, label: str, length: int, about: str = "") -> OniField:
    return OniField(name, label, "text", about, length=length)


def _plain(name: str, label: str, kind: Kind, about: str = "", unit: str = "") -> OniField:
    return OniField(name, label, kind, about, unit=unit)


TRAM_FIELDS = (
    _text("name", "Name", 63, "Of the instance, with the tag TRAM"),
    _choice("type", "Type", enums.ANIMATION_TYPE, "What the game plays it for"),
    _choice("aiming_type", "Aiming Type", enums.ANIMATION_TYPE),
    _choice("from_state", "From State", enums.ANIMATION_STATE, "State of the character in which it can start"),
    _choice("to_state", "To State", enums.ANIMATION_STATE, "State of the character when it is over"),
    _flags("varient", "Variants", enums.VARIENT, "Weapons and moods for which it is"),
    _integer("first_level", "First Level", "Level of the game from which on it is there"),
    _flags("flags", "Flags", enums.ANIMATION_FLAGS),
    _time("atomic_start", "Atomic Start", "From here on nothing can interrupt it"),
    _time("atomic_end", "Atomic End"),
    _time("invulnerable_start", "Invulnerable Start", limits=_BYTE),
    _time("invulnerable_end", "Invulnerable End", limits=_BYTE),
    _flags("used_bones", "Overlay: Used Bones", enums.BONE_MASK),
    _flags("replaced_bones", "Overlay: Replaced Bones", enums.BONE_MASK),
    _integer("hard_pause", "Hard Pause"),
    _integer("soft_pause", "Soft Pause"),
    _integer("interpolation_end", "Interpolation End"),
    _integer("interpolation_max", "Interpolation Max"),
    _plain("final_rotation", "Final Rotation", "angle", "Heading of the character when it is over", "radians"),
    _choice("direction", "Direction", enums.DIRECTION, "Of the move, along which its attacks are measured"),
    _integer("vocalization", "Vocalization", "65535 for none", none=NONE),
    _time("action_frame", "Action Frame", "65535 for none", none=NONE),
    _text("impact", "Impact", 15, "Name of the impact effect, at most 15 characters"),
    _text("direct_1", "Direct Animation 1", 63, "Name of a TRAM, empty for none"),
    _text("direct_2", "Direct Animation 2", 63, "Name of a TRAM, empty for none"),
)

TRAM_LISTS: dict[str, tuple[OniField, ...]] = {
    "attacks": (
        _time("start", "Start"),
        _time("end", "End"),
        _flags("bones", "Bones", enums.BONE_MASK, "What strikes"),
        _flags("flags", "Flags", enums.ATTACK_FLAGS),
        _plain("knockback", "Knockback", "number"),
        _integer("hit_points", "Hit Points", limits=_SIGNED),
        _choice("hit_type", "Hit Type", enums.ANIMATION_TYPE, "Type of the animation that the victim plays"),
        _integer("hit_length", "Hit Length"),
        _integer("stun_length", "Stun Length"),
        _integer("stagger_length", "Stagger Length"),
    ),
    "self_damage": (_time("frame", "Frame"), _integer("points", "Points")),
    "particles": (_time("start", "Start"), _time("end", "End"), _choice("bone", "Bone", enums.BONE), _text("name", "Name", 15)),
    "footsteps": (_time("frame", "Frame"), _choice("type", "Foot", enums.FOOTSTEP)),
    "sounds": (_time("frame", "Frame"), _text("name", "Name", 31)),
    "motion_blur": (
        _time("start", "Start"),
        _time("end", "End"),
        _flags("bones", "Bones", enums.BONE_MASK),
        _integer("lifetime", "Lifetime", limits=_BYTE),
        _integer("alpha", "Alpha", limits=_BYTE),
        _integer("interval", "Interval", limits=_BYTE),
    ),
    "shortcuts": (
        _choice("from_state", "From State", enums.ANIMATION_STATE),
        _time("length", "Length", "Frames of the transition from that state"),
        _flags("flags", "Flags", enums.SHORTCUT_FLAGS),
    ),
    "throw": (
        _plain("position", "Target Position", "vector", "Where the victim stands"),
        _plain("angle", "Target Angle", "number", "As the file has it"),
        _plain("distance", "Distance", "number"),
        _choice("type", "Target Type", enums.ANIMATION_TYPE, "Type of the animation that the victim plays"),
    ),
}
"""The lists by the name of their block; there is at most one throw."""

OBAN_FIELDS = (
    _text("name", "Name", 63, "Of the instance, with the tag OBAN"),
    _flags("flags", "Flags", enums.OBAN_FLAGS),
    _time("half_stop", "Half Stop", "Where a door stands open"),
    _integer("ticks", "Ticks per Frame", "Not used by the game", _SIGNED),
)

FIELDS: dict[str, tuple[Field, ...]] = {"tram": TRAM_FIELDS, **TRAM_LISTS, "oban": OBAN_FIELDS}
"""All tables, by name."""
