"""Poses of any game's animations: which game's evaluation a file needs."""

from __future__ import annotations

from . import formats
from .games import GAMES
from .motion.pose import Pose, Wanted
from .reporting.errors import FormatError, reading


def pose_of(address: str, wanted: Wanted) -> Pose:
    """The pose of the animation at `address`, a file or FILE#ENTRY. Raises FormatError when it cannot be opened or has no such frame."""
    opened = formats.open_file(address)
    if opened.format.kind != "animation":
        raise FormatError(f"no animation: {opened.format.label}", path=address)
    with reading(address):
        return GAMES[opened.format.game].core("posing").pose_of(opened, wanted)
