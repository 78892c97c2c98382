"""Poses of any game's animations: which game's evaluation a file needs."""

from __future__ import annotations

import numpy as np

from . import formats
from .games import GAMES
from .motion.pose import Pose, Wanted
from .reporting.errors import FormatError, reading


def pose_of(address: str, wanted: Wanted) -> Pose:
    """The pose of the animation at `address`, a file or FILE#ENTRY. Raises FormatError when it cannot be opened, has no such frame, or
    has numbers there that are none."""
    opened = formats.open_file(address)
    if opened.format.kind != "animation":
        raise FormatError(f"no animation: {opened.format.label}", path=address)
    with reading(address), np.errstate(all="ignore"):  # what is not finite is refused below
        pose: Pose = GAMES[opened.format.game].core("posing").pose_of(opened, wanted)
        if not pose.finite:
            raise FormatError("its pose has values that are not finite")
        return pose
