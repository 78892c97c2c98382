"""How the rows of the bone map's table show their lines, in the room that the panel has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, takewhile
from typing import Any

from ....core.record import Record
from .. import bones_of, followed_twice, shown_as

_ENDS = " :_-.|"
"""What a prefix ends with."""


def shared(names: Iterable[str], numbers: bool = False) -> str:
    """The prefix that all names of a skeleton have before what tells them apart, `mixamorig:` or `Bip01 `: a narrow list shows them
    without. None where only numbers would be left, unless `numbers` allows that. A root may be called like the prefix alone."""
    known = sorted({name for name in names if name})
    if len(known) > 2 and all(name.startswith(known[0]) for name in known) and known[1][len(known[0])] in _ENDS:
        del known[0]
    ends = list(zip(known[0], known[-1], strict=False)) if len(known) > 1 else []
    prefix = "".join(first for first, _ in takewhile(lambda pair: pair[0] == pair[1], ends))
    prefix = prefix[: 1 + max(prefix.rfind(end) for end in _ENDS)]
    fine = str.isalnum if numbers else str.isalpha
    return prefix if all(fine(name[len(prefix) : len(prefix) + 1]) for name in known) else ""


_AROUND = 2
"""Letters that a name needs beside its own, so that the shorter column does not lose its end to the longer one."""


_LEAST = 0.6
"""The part of both names that has room at least; where it is less only the target's are shown, whose source is below the table."""


_FEW = 12
"""Letters for two columns; where there is room for more a long name, of which one is enough, takes no column away."""


class Columns(Record):
    """How the table's rows show their lines. source, target: what all names of that side have before what tells them apart. share: the part
    of a row that the source's take, 0 where only the target's have room. briefly: whether there is no room for both ends of chains. twice:
    bones of the target that stand in more than one line. longest: letters of the longest name of a bone."""

    source: str = ""
    target: str = ""
    share: float = 0.5
    briefly: bool = False
    twice: frozenset[str] = frozenset()
    longest: int = 0

    def text(self, line: Any, side: str) -> str:
        return line.shown(side, getattr(self, side), self.briefly)

    def title(self, line: Any, side: str) -> str:
        """The same for a sentence, in which a number alone is no name."""
        result = self.text(line, side)
        return line.shown(side) if result[:1].isdigit() else result

    def widths(self, bones: Sides) -> tuple[int, int]:
        """In letters, of source and target."""
        prefixes = self.source, self.target
        source, target = (
            max((len(shown_as(names, prefix, self.briefly)) for names in side), default=0)
            for side, prefix in zip(bones, prefixes, strict=True)
        )
        return source, target


Sides = tuple[list[list[str]], list[list[str]]]
"""The bones of each line, of source and target: read once, since a panel is drawn again whenever the mouse moves."""


def columns(lines: Sequence[Any], letters: int) -> Columns:
    """Of a table with room for so many letters in a row."""
    bones: Sides = [bones_of(line, "source") for line in lines], [bones_of(line, "target") for line in lines]
    names = [list(chain.from_iterable(side)) for side in bones]
    longest = max(map(len, chain.from_iterable(names)), default=0)
    whole = Columns(shared(names[0]), shared(names[1]), twice=followed_twice(zip(*bones, strict=True)), longest=longest)
    result = whole.but(briefly=sum(whole.widths(bones)) > letters)
    if sum(result.widths(bones)) > letters:
        source, target = (shared(side, numbers=True) for side in names)
        result = result.but(source=source, target=target)
    if letters < _FEW and sum(result.widths(bones)) * _LEAST > letters:
        return result.but(share=0.0)
    widths = [width + _AROUND for width in result.widths(bones)]
    return result.but(share=min(max(widths[0] / sum(widths), 0.35), 0.65))


shown: list[Columns] = [Columns()]
"""One: of the table that is drawn, for all of its rows."""
