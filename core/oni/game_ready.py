"""What keeps the game, or OniSplit, from using an animation that its file can hold: a line each, with where it is and what to do."""

from __future__ import annotations

from collections.abc import Iterator

from ..files import address as addresses
from ..files.letter_case import find_beside
from ..reporting.errors import FormatError
from .files.library import Library
from .records.rotations import Rotations
from .records.tram import Tram
from .records.tram_layout import NONE, text_of

LAST_TRACK = 0x7FFF
"""Where the last track of rotations may start, at most: OniSplit reads that offset as a signed number, and imports none beyond it."""

THROWN_FRAMES = 256
"""Of an animation of somebody who is thrown, at most."""

OVERLAY, THROW_TARGET = 0x2000, 0x10000
"""Flags of an animation: it goes over another one; somebody is thrown in it."""

_HAPPENING = {
    "self_damage": ("damage", "frame"),
    "particles": ("particle", "start"),
    "footsteps": ("footstep", "frame"),
    "sounds": ("sound", "frame"),
    "motion_blur": ("motion blur", "start"),
}
"""Lists of what happens at a frame: what one of them is called, and the field with the frame."""

_SOUNDS = (".imp", ".grp", ".amb", "")
"""What the name of a sound's instance may end with."""


def problems_of(tram: Tram) -> list[str]:
    """All that the record itself shows. Raises FormatError for rotations that cannot be read."""
    return [*_unplayed(tram), *_too_long(tram), *_beyond_the_end(tram)]


def new_problems(tram: Tram, original: Tram | None) -> list[str]:
    """Those that the record it came from does not have: of a clip that somebody opened and edited nobody wants to hear what it always had.
    original: None for a new one."""
    known = {_what(problem) for problem in problems_of(original)} if original is not None else set[str]()
    return [problem for problem in problems_of(tram) if _what(problem) not in known]


def _what(problem: str) -> str:
    """Without where the animation ends, which is another place when it was made longer."""
    return problem.partition(", and the animation ends")[0]


def missing_names(tram: Tram, path: str, library: Library | None = None) -> list[str]:
    """What the record names, and no file around `path` has: its direct animations, and its sounds where any sounds are there."""
    library = library or Library()
    direct = [
        name
        for name in dict.fromkeys(tram.direct)
        if name and name != tram.name and library.find(name, path) is None and find_beside(path, f"{name}.xml") is None
    ]
    lines = [f"its direct animation {name} is in no file around {path}" for name in direct]
    if tram.sounds is None or not library.has_any("OSBD", path):
        return lines
    names = dict.fromkeys(text_of(bytes(each)) for each in tram.sounds["name"])
    silent = [name for name in names if name and not any(library.find(f"OSBD{name}{end}", path) for end in _SOUNDS)]
    return [*lines, *(f"its sound {name} is in no file around {path}" for name in silent)]


def last_track(block: bytes, tram: Tram) -> int:
    """Where the last track of a rotation block starts. Raises FormatError."""
    return int(Rotations.parse(block, tram.bone_count, tram.frame_count, tram.compression).offsets[-1])


def _unplayed(tram: Tram) -> Iterator[str]:
    """An overlay is played by its name, any other animation for its type, from a state to a state."""
    if tram.flags & OVERLAY:
        return
    values = {"type": tram.type, "from state": tram.from_state, "to state": tram.to_state}
    none = [label for label, value in values.items() if not value]
    if none:
        yield (
            f"{', '.join(none)}: None, so that the game never plays it: "
            "choose something else, or take the fields of another animation (New Animation Like)"
        )


def _too_long(tram: Tram) -> Iterator[str]:
    if tram.rotations is not None:
        start = last_track(tram.rotations, tram)
        if start > LAST_TRACK:
            yield (
                f"its last track of rotations starts at byte {start}, and OniSplit imports none that does beyond {LAST_TRACK}: "
                "choose Fewer Keys: Until It Fits, or split the animation"
            )
    if tram.flags & THROW_TARGET and tram.frame_count > THROWN_FRAMES:
        yield f"it has {tram.frame_count} frames, and somebody is thrown in it: the game takes at most {THROWN_FRAMES}"


def _beyond_the_end(tram: Tram) -> Iterator[str]:
    last = tram.frame_count - 1
    for number, attack in enumerate(tram.attacks if tram.attacks is not None else (), 1):
        start, end = int(attack["start"]), int(attack["end"])
        if end > last:
            yield f"attack {number} goes from frame {start} to {end}, and the animation ends at {last}"
        elif start > end:
            yield f"attack {number} starts at frame {start}, behind its end at {end}: it never hits"
    for name, (title, field) in _HAPPENING.items():
        block = getattr(tram, name)
        for number, row in enumerate(block if block is not None else (), 1):
            if int(row[field]) > last:
                yield f"{title} {number} is at frame {int(row[field])}, and the animation ends at {last}"
    if last < tram.action_frame != NONE:
        yield f"its action frame is {tram.action_frame}, and the animation ends at {last}"


def document_problems(document: object, address: str) -> list[str]:
    """Of an opened .oni, XML or entry of a level: FILE or FILE#ENTRY."""
    tram = getattr(document, "tram", None)
    if not isinstance(tram, Tram):
        return []
    try:
        return [*problems_of(tram), *missing_names(tram, addresses.split(address)[0])]
    except FormatError as error:
        return [str(error)]
