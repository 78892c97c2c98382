"""What reports and warnings advise, in the words of the command line: they speak of options by their labels, as the window has them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from ...core.declare.options import Choice, Option, declared
from ...core.retarget.options import Options, RetargetOptions

_MAP = "(--save-map writes the bone map, --map takes it)"

_WITHOUT_OPTION = {
    "look at its line of the bone map": f"look at its pair in the bone map {_MAP}",
    "add a line to the bone map for it": f"add a pair to the bone map for it {_MAP}",
    "choose its controls in the bone map": f"name its controls in the bone map {_MAP}",
    "at Alignment": "at --align",
    "Mark Contacts lets you end a contact earlier": "a pose marker 'leftFoot up' or the like of the source's action, in a .blend, ends a "
    "contact earlier",
    "By Limb counts by its own length, and less Strength pulls less": '"reach": "LIMB" in the bone map counts by its own length, and '
    'less "strength" pulls less',
    "less Strength pulls less": 'less "strength" in the bone map pulls less',
    "for this Pelvis Height, Stance or Stride": 'for this "height", "stance" or "stride" of the bone map',
    "a goal brings": "a goal in the bone map brings",
    "open it in a scene of": "take one of",
    "retarget with NLA as One Clip what its strips show": "--nla retargets what its strips show",
}
"""What is no option, or no option of the command line."""


def as_options(text: str) -> str:
    """A line with arguments instead of the labels that stand for them."""
    table, labels = _table()
    return labels.sub(lambda match: table[match[0]], text)


@cache
def _table() -> tuple[dict[str, str], re.Pattern[str]]:
    """By what a line says what it is to say, and where that is; of two that begin alike the longer one."""
    table = (
        dict(entry for kind in (Options, RetargetOptions) for item in declared(kind).values() for entry in _labels(item)) | _WITHOUT_OPTION
    )
    longest = sorted(table, key=len, reverse=True)
    return table, re.compile(rf"(?<![\w.])(?:{'|'.join(map(re.escape, longest))})(?!\.?\w)")


def _labels(item: Option) -> Iterator[tuple[str, str]]:
    """How texts name an option that has an argument, or its values."""
    if not item.flag:
        return
    for choice in item.choices:
        yield f"{item.label}: {choice.label}", f"{item.flag} {_value(choice)}"
        yield f"another {item.label} than {choice.label}", f"another {item.flag} than {_value(choice)}"
    if item.type == "bool":
        yield item.label, item.flag
        if item.default:
            yield f"without {item.label}", f"with --no-{item.flag.removeprefix('--')}"
    if item.type == "float":
        yield f"{item.label}:", item.flag


def _value(choice: Choice) -> str:
    return choice.flag or choice.id.lower()
