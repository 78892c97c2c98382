"""Oni 2 in Blender: what several test modules need."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import numpy as np

from support.oni2.oni2_files import FRAME, TWO_BONES

NEXT = (0.3, 1.05, -0.5, 0.3, 0.2, 0.3, -0.4, 0.5, 0.2)
"""A second frame behind FRAME."""


def null_of(frames: Any, stride: float = 0.0, loop: int = 0) -> bytes:
    table = np.array(frames, "<f4")
    return struct.pack("<3IfB", 0, *table.shape, stride, loop) + table.tobytes()


def two_bones(root: Path) -> Path:
    """The two bones of the worked example and a clip of two frames, as they lie in the game's folders."""
    folder = root / "Entity" / "two"
    folder.mkdir(parents=True)
    (folder / "two.skel").write_text(TWO_BONES)
    (folder / "Entity.type").write_text("SKEL two\n")
    (folder / "two_step.anim").write_bytes(null_of([FRAME, NEXT], -0.2))
    return folder
