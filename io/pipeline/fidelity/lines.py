"""The lines about what is not written as it is shown, which a person can act on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ....core.motion.comparison import Difference
from ....core.reporting.labels import counted_from
from .pair import Pair
from .reasons.case import Case
from .reasons.causes import cause_of

LOOKS = "choose As It Looks"


class Line(NamedTuple):
    """bone: where it is worst, "" for the object. frame: when."""

    text: str
    bone: str
    frame: float


def lines(pair: Pair, differences: Sequence[Difference]) -> list[Line]:
    """What a person can do about each difference, worst first; those of the same cause in one line."""
    groups: dict[tuple[str, str], list[Difference]] = {}
    for each in differences:
        groups.setdefault(_reason(Case(pair, each)), []).append(each)
    return [_line(pair, group, why, remedy) for (why, remedy), group in groups.items()]


def _reason(case: Case) -> tuple[str, str]:
    other = "put more keys" if case.pair.looks else LOOKS
    cause, what = cause_of(case)
    return cause.why.format(what), cause.remedy.format(looks=other)


def _line(pair: Pair, group: Sequence[Difference], why: str, remedy: str) -> Line:
    worst = group[0]
    name = pair.clip.obj.name if worst.outside or not worst.bone else worst.bone
    who = counted_from(name, len(group), "bone")
    kinds: dict[tuple[bool, bool], Difference] = {}
    for each in group:  # the worst of each kind
        kinds.setdefault((each.rotated, each.scaled), each)
    sizes = ", ".join(f"{_size(each)} off at frame {each.frame:g}" for each in kinds.values())
    bone = "" if worst.outside else worst.bone
    return Line(f"{who}: {sizes} from what is shown: {why}: {remedy}", bone, worst.frame)


def _size(each: Difference) -> str:
    return f"{each.size:.3g} {'degrees' if each.rotated else 'in scale' if each.scaled else 'units'}"
