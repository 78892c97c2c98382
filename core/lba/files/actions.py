"""Actions: what the game does during an animation, such as a step that sounds, as entities list them.

Sources: FICHE.C GereAnimAction of both games; what the numbers mean in the second one, ScummVM's parser/entity.cpp.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from ...reporting.errors import ExportError

BOX = 14
"""The type of an action that gives a body, in LBA2 also an animation from a keyframe on, another collision box."""

_RECORD_OF_BODY = 1


class Layout(NamedTuple):
    """title: what happens, with numbers by their names. numbers: names and struct codes, of one number each, behind the
    keyframe. framed: whether a keyframe comes first; without one it happens with the action before."""

    title: str
    numbers: tuple[tuple[str, str], ...] = ()
    framed: bool = True

    @property
    def size(self) -> int:
        """Bytes behind the type byte."""
        return self.framed + struct.calcsize(self.codes)

    @property
    def codes(self) -> str:
        return "<" + "".join(code for _, code in self.numbers)


_AT = (("x", "h"), ("y", "h"), ("z", "h"))
_FLIGHT = (("alpha", "h"), ("beta", "h"), ("speed", "h"), ("weight", "B"), ("strength", "B"))
_SPRITE = ("sprite", "B")
_BOX = tuple((name, "h") for name in ("x min", "y min", "z min", "x max", "y max", "z max"))
_THROW = (("height", "h"), _SPRITE, *_FLIGHT)
_SAMPLE = ("sample", "h")

LBA1: dict[int, Layout] = {
    5: Layout("hit", (("strength", "B"),)),
    6: Layout("sound {sample}", (_SAMPLE,)),
    7: Layout("sound {sample}", (_SAMPLE, ("random frequency", "h"))),
    8: Layout("throw", _THROW),
    9: Layout("throw magic ball", (("height", "h"), ("alpha", "h"), ("speed", "h"), ("weight", "B"))),
    10: Layout("sound {sample} repeated", (_SAMPLE, ("times", "h"))),
    11: Layout("throw at target", (("height", "h"), _SPRITE, ("target", "B"), ("speed", "h"), ("strength", "B"))),
    12: Layout("throw at angle", _THROW),
    13: Layout("sound {sample} stops", (_SAMPLE,)),
    BOX: Layout("box", _BOX, framed=False),
    15: Layout("left step"),
    16: Layout("right step"),
    17: Layout("hero hits"),
    18: Layout("throw", (*_AT, _SPRITE, *_FLIGHT)),
    19: Layout("throw at angle", (*_AT, _SPRITE, *_FLIGHT)),
    20: Layout("throw at target", (*_AT, _SPRITE, ("target", "B"), ("speed", "h"), ("strength", "B"))),
    21: Layout("throw magic ball", (*_AT, ("alpha", "h"), ("speed", "h"), ("weight", "B"))),
}
"""By their type. In bodies and animations alike."""

LBA2: dict[int, Layout] = {
    **LBA1,
    10: Layout("sound {sample} repeated", (_SAMPLE, ("offset", "h"), ("volume", "B"), ("frequency", "h"), ("times", "h"))),
    BOX: Layout("box", _BOX),
    22: Layout("super hit", (("strength", "B"), *_AT, ("size", "h"))),
    23: Layout("throw object {object}", (*_AT, ("object", "h"), *_FLIGHT)),
    26: Layout("particles {flow}", (*_AT, ("flow", "B"))),
    27: Layout("throw dart", (("height", "h"), ("alpha", "h"), ("speed", "h"), ("weight", "B"))),
    28: Layout("shield", (("last keyframe", "B"),)),
    29: Layout("magic sound"),
    30: Layout("throw shell", (*_AT, ("number", "B"))),
    31: Layout("box of the animation"),
    32: Layout("impact {impact}", (("impact", "h"),), framed=False),
    33: Layout("returns what hits"),
    34: Layout("can be returned", (("strength", "B"),), framed=False),
    35: Layout("transparent", framed=False),
    36: Layout("scale {scale}", (("scale", "i"),), framed=False),
    37: Layout("left jump"),
    38: Layout("right jump"),
    39: Layout("sound {sample}", (_SAMPLE, ("offset", "h"), ("volume", "B"), ("frequency", "h"))),
    40: Layout("impact {impact}", (*_AT, ("impact", "h"))),
    41: Layout("throw magic", (("height", "h"), ("alpha", "h"), ("speed", "h"), ("weight", "B"), ("number", "B"))),
    42: Layout("lightning"),
}


@cache
def _titles() -> re.Pattern[str]:
    return re.compile("|".join(re.sub(r"\\{\w+\\}", r"-?\\d+", re.escape(layout.title)) for layout in LBA2.values()))


def is_event(name: str) -> bool:
    """Whether a marker of this name is an action of an animation."""
    return _titles().fullmatch(name) is not None


_NAMING = ("sample", "object", "flow", "impact", "scale")
"""Numbers that are in the titles."""


@dataclass(frozen=True)
class Action:
    """frame: keyframe at which it happens; of an action without one, that of the action before. kind: the type byte. title: what happens,
    such as "sound 42". numbers: all that follow in the file, by name."""

    frame: int
    kind: int
    title: str
    numbers: tuple[tuple[str, int], ...] = ()

    @property
    def text(self) -> str:
        """The keyframe, what happens, and the numbers that the title has not."""
        numbers = [f"{name} {value}" for name, value in self.numbers if name not in _NAMING]
        return ", ".join([f"{self.frame} {self.title}", *numbers])


def actions_of(data: bytes, wide: bool, op: int) -> tuple[list[Action], int]:
    """The actions of a record, up to the first one of unknown type or cut off, and how many the record claims.

    data: what follows the index, with the count first. wide: of LBA2. op: the type of the record."""
    layouts = LBA2 if wide else LBA1
    if op == _RECORD_OF_BODY:
        layouts = {**layouts, BOX: LBA1[BOX]}
    actions: list[Action] = []
    offset, frame = 1, 0
    claimed = data[0] if data else 0
    for _ in range(claimed):
        layout = layouts.get(data[offset]) if offset < len(data) else None
        if layout is None or offset + 1 + layout.size > len(data):
            break
        kind, at = data[offset], offset + 1
        if layout.framed:
            frame, at = data[at], at + 1
        values: Sequence[int] = struct.unpack_from(layout.codes, data, at)
        numbers = tuple(zip((name for name, _ in layout.numbers), values, strict=True))
        actions.append(Action(frame, kind, layout.title.format_map(dict(numbers)), numbers))
        offset += 1 + layout.size
    return actions, claimed


def bytes_of(actions: Sequence[Action], wide: bool, op: int) -> bytes:
    """What `actions_of` reads. Raises ExportError for a number that its field cannot hold, or more actions than a record counts."""
    layouts = LBA2 if wide else LBA1
    if op == _RECORD_OF_BODY:
        layouts = {**layouts, BOX: LBA1[BOX]}
    if len(actions) > 0xFF:
        raise ExportError(f"{len(actions)} actions, a record has room for {0xFF}")
    parts = [bytes((len(actions),))]
    for action in actions:
        layout = layouts.get(action.kind)
        if layout is None:
            raise ExportError(f"{action.text}: the other game has this, and this one not")
        numbers = dict(action.numbers)
        try:
            values = [numbers[name] for name, _ in layout.numbers]
            frame = bytes((action.frame,)) if layout.framed else b""
            parts.append(bytes((action.kind,)) + frame + struct.pack(layout.codes, *values))
        except KeyError as error:
            raise ExportError(f"{action.text}: the number {error.args[0]} is missing") from None
        except (struct.error, ValueError):
            raise ExportError(f"{action.text}: a number is beyond what its field holds") from None
    return b"".join(parts)


_NEVER = " (never)"


def listed(actions: Sequence[Action], count: int) -> str:
    """Actions of an animation of `count` keyframes as a text, in which those at keyframes that it does not have are marked: the game never
    gets to them."""
    return "; ".join(action.text + _NEVER * (action.frame >= count) for action in actions)


def of_list(text: str, wide: bool) -> list[tuple[Action, bool]]:
    """What `listed` wrote, each with whether the game never gets to it; what is no action is left out."""
    result: list[tuple[Action, bool]] = []
    for part in text.split("; "):
        number, _, rest = part.removesuffix(_NEVER).partition(" ")
        action = action_of(rest, int(number), wide) if number.isdigit() else None
        if action is not None:
            result.append((action, part.endswith(_NEVER)))
    return result


def action_of(text: str, frame: int, wide: bool) -> Action | None:
    """An action by a marker's text, "sound 42" or "hit, strength 5"; None for a text that is none. Numbers are 0 where none is named."""
    head, *rest = (part.strip() for part in text.split(","))
    numbered = [re.fullmatch(r"(.+) (-?\d+)", part) for part in rest]
    named = {match[1]: int(match[2]) for match in numbered if match is not None}
    for kind, layout in (LBA2 if wide else LBA1).items():
        match = re.fullmatch(re.sub(r"\\{(\w+)\\}", r"(?P<\1>-?\\d+)", re.escape(layout.title)), head)
        if match is None or len(named) < len(rest):
            continue
        given = {**{name: int(value) for name, value in match.groupdict().items()}, **named}
        if rest and given.keys() != dict(layout.numbers).keys():  # several types share a title
            continue
        numbers = tuple((name, given.get(name, 0)) for name, _ in layout.numbers)
        return Action(frame, kind, layout.title.format_map(dict(numbers)), numbers)
    return None
