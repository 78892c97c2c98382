"""Bones of a skeleton file, and how its text declares them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ..tokens import ENCODING

MOST = 10_000
"""Bones of a skeleton, at most: far more than the game's 53, and what Blender can still show."""

Kind = Literal["trans", "rot", "scale"]

KINDS: tuple[Kind, Kind, Kind] = ("trans", "rot", "scale")

Triple = tuple[float, float, float]


@dataclass(frozen=True)
class Declared:
    """A channel keyword of a bone. axis: 0 to 2. value: what a locked channel is held at. limit: lowest and highest value."""

    kind: Kind
    axis: int
    locked: bool = False
    value: float = 0.0
    limit: tuple[float, float] | None = None


@dataclass(frozen=True)
class Bone:
    """parent: index of the enclosing bone, -1 for the root. offset: from the parent, metres. low, high: `rotmin` and `rotmax`, radians.

    label: where the name stands in the text. body: where the text behind the opening brace begins. numbers: where each number of the
    offset stands, empty without one.
    """

    name: str
    parent: int
    offset: Triple = (0.0, 0.0, 0.0)
    channels: tuple[Declared, ...] = ()
    low: Triple | None = None
    high: Triple | None = None
    label: tuple[int, int] = (0, 0)
    body: int = 0
    numbers: tuple[tuple[int, int], ...] = ()


def text_of(channels: Sequence[Declared]) -> str:
    """The channels of a bone as the file declares them, in one line."""
    return " ".join(map(line_of, channels))


def line_of(channel: Declared) -> str:
    """A channel as the file declares it."""
    line = channel.kind + "XYZ"[channel.axis]
    if channel.locked:
        line += f" lock {number(channel.value)}"
    if channel.limit is not None:
        line += f" limit {' '.join(map(number, channel.limit))}"
    return line


def number(value: float) -> str:
    """The shortest decimal text of a 32-bit number."""
    return np.format_float_positional(np.float32(value), unique=True, trim="0")


def token(name: str) -> str:
    """A bone's name as one token of the file."""
    cleaned = re.sub(r'[\s{}#"]|//', "_", name.encode(ENCODING, "replace").decode(ENCODING))
    return cleaned or "bone"
