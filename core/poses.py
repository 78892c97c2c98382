"""Poses of any game's animations: which game's evaluation a file needs."""

from __future__ import annotations

from collections.abc import Callable

from . import formats
from .formats import Opened
from .lba.characters import posing as lba
from .mindpower.client import posing as mindpower
from .motion.pose import Pose, Wanted
from .oni import posing as oni
from .oni2.characters import posing as oni2
from .reporting.errors import FormatError, reading

POSERS: dict[str, Callable[[Opened, Wanted], Pose]] = {
    "lba": lba.pose_of,
    "oni": oni.pose_of,
    "oni2": oni2.pose_of,
    "mindpower": mindpower.pose_of,
}


def pose_of(address: str, wanted: Wanted) -> Pose:
    """The pose of the animation at `address`, a file or FILE#ENTRY. Raises FormatError when it cannot be opened or has no such frame."""
    opened = formats.open_file(address)
    if opened.format.kind != "animation" or opened.format.game not in POSERS:
        raise FormatError(f"no animation: {opened.format.label}", path=address)
    with reading(address):
        return POSERS[opened.format.game](opened, wanted)
