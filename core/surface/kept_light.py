"""Faces that are lit in the game by other normals than Blender shows: by those of the file, which they keep though they look elsewhere now,
or by one for all that share a point, or are in a face."""

from __future__ import annotations

import numpy as np

from ..motion.rotations.rotation_matrix import Floats
from ..reporting import log
from ..reporting.labels import counted

_CLEARLY = np.radians(20)
"""What is less is hardly seen in the light."""


def report(angles: Floats, face: str, kept: str, remedy: str, shaded: Floats | None = None) -> None:
    """angles: (F,) radians by which each face looks elsewhere now. face: what the game calls one. kept: what of the file they keep.
    remedy: which option makes it anew. shaded: (F,) by how much the normals that are shown at its corners are others than the file's."""
    elsewhere = angles > _CLEARLY
    _say(angles[elsewhere], counted(int(elsewhere.sum()), f"{face} looks", f"{face}s look") + " elsewhere", kept, remedy)
    if shaded is not None:
        alone = (shaded > _CLEARLY) & ~elsewhere
        _say(shaded[alone], counted(int(alone.sum()), f"{face} has", f"{face}s have") + " other normals", kept, remedy)


def report_flat(shaded: Floats) -> None:
    """shaded: (F,) by how much the normals that are shown at the corners of faces with one shade are others than that has."""
    count = int((shaded > _CLEARLY).sum())
    if count:
        who = counted(count, "face is", "faces are")
        whose = "its type has" if count == 1 else "their types have"
        log.warning(
            f"{who} shown with other normals, and {whose} one shade in all of a face: for a smooth one assign a material of your own"
        )


def report_shared(apart: Floats) -> None:
    """apart: (F,) by how much the normals shown at the corners of faces are others than those of their points, which faces share."""
    count = int((apart > _CLEARLY).sum())
    if count:
        log.warning(
            f"{counted(count, 'face has', 'faces have')} other normals than the faces around, and the game has one for each point: split "
            "the mesh there (Mesh > Split > Faces by Edges), or put an Edge Split modifier before the Armature modifier"
        )


def _say(angles: Floats, who: str, kept: str, remedy: str) -> None:
    if len(angles):
        verb = "keeps" if len(angles) == 1 else "keep"
        log.warning(f"{who} now, by up to {np.degrees(angles.max()):.0f} degrees, and {verb} the {kept} of the file: choose {remedy}")
