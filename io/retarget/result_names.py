"""What the results of retargeting are called: after the clip and the target, neither of which is lost where there is no room for both."""

from __future__ import annotations

import os

from ...core.files.file_names import LONGEST_STEM, shortened
from ..blender import compat

_ROOM = min(compat.NAME_LIMIT, LONGEST_STEM) - len(".001")
"""Bytes of a name, also as that of a file; Blender puts a number behind one that is taken."""

_CLIP = 20
"""Bytes that the clip's name has at least."""


def ending(target: str) -> str:
    """By which a result is known as one for this target."""
    return shortened(f" on {target}", _ROOM - _CLIP)


def result_name(clip: str, target: str) -> str:
    end = ending(target)
    return shortened(clip, _ROOM - len(os.fsencode(end))) + end
