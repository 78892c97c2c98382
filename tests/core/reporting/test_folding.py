"""Messages that are equal but for bone and frame."""

from __future__ import annotations

import numpy as np
from retro_anim.core.reporting.folding import by_bone, frames_text


def test_frames() -> None:
    assert [frames_text(range(count)) for count in (1, 2, 3)] == ["frame 0", "frames 0 and 1", "frames 0, 1 and 2"]
    assert frames_text(range(6)) == "frames 0, 1, 2, 3, 4 and 5"
    assert frames_text([1.5, *range(8)]) == "9 frames (first: 1.5)"


def test_bones() -> None:
    off = np.zeros((3, 4), bool)
    off[1, 0] = off[1, 2] = off[0, 3] = off[2, 3] = True
    problems = by_bone(off, "abcd", [1, 10.5, 20], "is bent", "are bent", "no")
    assert problems == ["2 bones (first: a) are bent at frame 10.5: no", "d is bent at frames 1 and 20: no"]
    assert [(problem.bone, problem.frame) for problem in problems] == [("a", 10.5), ("d", 1)]
