"""What reports and warnings advise, in the words of the command line: they speak of options by their labels, as the window has them.

Names of files, actions and bones stay as they are: a report keeps them apart from its remedies, a message from what it is about, and
within a sentence a label of one word stands for an option only with a value behind it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from ...core.declare.options import Choice, Option, declared
from ...core.reporting.log import Log
from ...core.retarget.options import Options, RetargetOptions
from ...core.retarget.reports.report import Report

_MAP = "(--save-map writes the bone map, --map takes it)"

_NUMBER = r"(?= -?[\d.])"
"""Before which the label of a number stands for it."""

WITHOUT_OPTION = {
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
    "open the source in a scene of": "take files of",
    "retarget with NLA as One Clip what its strips show": "--nla retargets what its strips show",
}
"""What is no option, or no option of the command line."""


def as_options(text: str) -> str:
    """A sentence with arguments instead of the labels that stand for them."""
    table, labels = _table()
    return labels.sub(lambda match: table[match[0]], text)


def messages_as_options(said: Log) -> Log:
    """Messages, whose files and actions stay as they are called."""
    result = Log()
    result.messages = [replace(message, text=as_options(message.text)) for message in said.messages]
    return result


def report_as_options(report: Report) -> Report:
    """With its sentences about figures and clip in these words, which the remedies of its own lines get from `Report.lines`."""
    sentences = {name: tuple(map(as_options, getattr(report, name))) for name in ("notes", "asking", "amiss")}
    return report.but(unlike=as_options(report.unlike), **sentences)


@cache
def _table() -> tuple[dict[str, str], re.Pattern[str]]:
    """By what a sentence says what it is to say, and where that is, which is no part of a path, a name in quotes or a longer name; of two
    that begin alike the longer one."""
    options = (item for kind in (Options, RetargetOptions) for item in declared(kind).values())
    table = dict(entry for item in options for entry in _labels(item)) | WITHOUT_OPTION
    longest = "|".join(re.escape(text) + _NUMBER * text.endswith(":") for text in sorted(table, key=len, reverse=True))
    return table, re.compile(rf"""(?<![\w./\\'"#])(?:{longest})(?!\.?\w|[/\\'"#])""")


def _labels(item: Option) -> Iterator[tuple[str, str]]:
    """How texts name an option that has an argument, or its values."""
    if not item.flag:
        return
    for choice in item.choices:
        yield f"{item.label}: {choice.label}", f"{item.flag} {_value(choice)}"
        yield f"another {item.label} than {choice.label}", f"another {item.flag} than {_value(choice)}"
    if item.type == "bool" and " " in item.label:
        yield item.label, item.flag
        if item.default:
            yield f"without {item.label}", f"with --no-{item.flag.removeprefix('--')}"
    if item.type == "float":
        yield f"{item.label}:", item.flag


def _value(choice: Choice) -> str:
    return choice.flag or choice.id.lower()
