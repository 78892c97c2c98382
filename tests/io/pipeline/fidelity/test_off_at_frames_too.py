"""A bone that is off at the frames that are sampled hides nothing of what it does between others of them."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
from retro_anim.core.motion.comparison import Bones, Comparison, Steps
from retro_anim.core.motion.rotations.rotation_matrix import from_euler

SAMPLED = np.arange(30.0)
LEAP = 12


def posed(degrees: Any) -> Any:
    """(K, 1, 4, 4)"""
    angles = np.zeros((len(degrees), 1, 3))
    angles[:, 0, 0] = np.radians(degrees)
    poses = np.tile(np.eye(4), (len(degrees), 1, 1, 1))
    poses[:, :, :3, :3] = from_euler(angles, "XYZ")
    return poses


@pytest.mark.parametrize("off", [0.0, 20.0, 60.0])
@pytest.mark.parametrize("leap", [0.0, 30.0])
def test_a_leap_is_named_whatever_is_off_at_frames(part: Callable[[str], ModuleType], off: float, leap: float) -> None:
    """The strips of the NLA show the bone elsewhere by `off` from frame 20 on, and it leaps before."""
    bones = Bones(("bone",), np.array([-1]), np.eye(4)[None], np.ones(1, bool))

    def look(frames: Any, steps: Steps, stretches: Any = None) -> Any:
        compared = Comparison(bones, steps, 1.0, stretches)
        still = np.tile(np.eye(4), (len(frames), 1, 1))
        shown = np.where(frames >= LEAP, leap, 0.0)
        written = np.interp(frames, SAMPLED, np.where(SAMPLED >= LEAP, leap, 0.0)) - np.interp(frames, [20, 21], [0, off])
        compared.add(frames, (posed(shown), still), (posed(written), still))
        return compared.differences()

    clip = SimpleNamespace(steps=Steps(1e-3, 1e-3, 1e-3), scale=1.0, obj=None)
    pair = SimpleNamespace(frames=lambda _: SAMPLED, clip=clip, curves={}, evaluated="the NLA")
    named = {each.bone for each in look(SAMPLED, clip.steps)}
    assert named == ({"bone"} if off else set())
    apart = part("io.pipeline.fidelity.between_frames").differences(pair, bones, look, named)
    expected = [(LEAP - 0.25, pytest.approx(0.75 * leap))] if leap else []
    assert [(each.frame, each.size) for each in apart] == expected
