"""What a body may have: what the engines have room for, what the files' numbers reach, and how large the games' own bodies are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...reporting import log
from ...reporting.errors import ExportError
from ..files.variant import MAX_GROUPS

LARGEST = 32767
"""Of a coordinate."""

GROUPS = "groups"
"""Key of how many groups an edited file had, among the counts of it."""

LM1_MOST = {"points": 500, "normals": 500, "polygons, lines and spheres": 1000}
"""Room in the engine of LBA1 (buffers of P_OB_ISO.ASM)."""

LM2_LARGEST = {"points": 377, "polygons": 483, "polygons, lines and spheres": 501, "textures": 4}
"""Of the bodies of LBA2; how much room its engine has is not known."""

MOST_CORNERS = 16
"""Of a polygon of LBA1."""


@dataclass(frozen=True, eq=False)
class Size:
    """Of a body. counts: by the names of the limits. local: (P, 3) points relative to their groups' pivots. group_of: (P,)."""

    counts: Mapping[str, int]
    names: tuple[str, ...]
    local: NDArray[np.int64]
    group_of: NDArray[np.int64]


def check(size: Size, before: Mapping[str, int] | None = None, wide: bool = False) -> None:
    """Raises ExportError with a line for each limit that is passed, by number and remedy; what `before`, the counts of the file, passed as
    well is reported.

    wide: of LBA2, where it is reported what is more than in the game's own bodies, and than in the file."""
    problems: list[str] = []
    before = before or {}
    groups = len(size.names)
    if groups > MAX_GROUPS:
        _pass(f"{groups} groups, the game has room for {MAX_GROUPS}", "merge bones", groups <= before.get(GROUPS, 0), problems)
    far = np.abs(size.local).max(axis=1, initial=0) > LARGEST
    if far.any():
        point = int(np.argmax(far))
        at = f"a point of {size.names[size.group_of[point]]} is at {size.local[point].tolist()} from its pivot"
        problems.append(f"{at}, a file reaches {LARGEST}: make it smaller, by Height in Make It an LBA Body or by scaling bones and meshes")
    for what, most in (LM2_LARGEST if wide else LM1_MOST).items():
        count = size.counts.get(what, 0)
        if count > (0xFFFF if wide else most):
            room = f"a file holds {0xFFFF}" if wide else f"the game has room for {most}"
            as_before = not wide and count <= before.get(what, 0)
            _pass(f"{count} {what}, {room}", "take some away, by a Decimate modifier", as_before, problems)
        elif count > max(most, before.get(what, 0)):
            log.warning(f"{count} {what}, the game's own bodies have up to {most}: whether it has room for more is not known")
    if problems:
        raise ExportError(problems)


def _pass(text: str, remedy: str, as_before: bool, problems: list[str]) -> None:
    """A limit that is passed: a problem, but where the file passed it as far."""
    if as_before:
        log.warning(f"{text}: as many as the file had, or fewer")
    else:
        problems.append(f"{text}: {remedy}")
