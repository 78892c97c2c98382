"""Faces that look elsewhere than in the file, and keep its normals all the same: they are lit as if they still looked there."""

from __future__ import annotations

import numpy as np

from ..motion.rotation_matrix import Floats
from ..reporting import log
from ..reporting.labels import counted

_CLEARLY = np.radians(20)
"""What is less is hardly seen in the light."""


def report(angles: Floats, face: str, kept: str, remedy: str) -> None:
    """angles: (F,) radians by which each face looks elsewhere now. face: what the game calls one. kept: what of the file they keep.
    remedy: which option makes it anew."""
    clearly = int((angles > _CLEARLY).sum())
    if clearly:
        who, verb = counted(clearly, f"{face} looks", f"{face}s look"), "keeps" if clearly == 1 else "keep"
        most = np.degrees(angles.max())
        log.warning(f"{who} elsewhere now, by up to {most:.0f} degrees, and {verb} the {kept} of the file: choose {remedy}")
