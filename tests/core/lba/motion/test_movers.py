"""Which bones an animation moves."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.lba.files.anm import Anm, frame_dtype
from retro_anim.core.lba.files.variant import LBA1, LBA2, Variant
from retro_anim.core.lba.motion.motion import movers_of


@pytest.mark.parametrize(("game", "movers"), [(LBA1, {2}), (LBA2, {2, 4})])
def test_bones_that_are_translated_at_some_keyframe(game: Variant, movers: set[int]) -> None:
    """Type 0 rotates, 1 translates and 2 zooms, which the games do not draw; LBA2 knows the lowest bit alone. Bone 0 has none."""
    frames = np.zeros(3, frame_dtype(5))
    frames["bones"]["type"] = [[1, 0, 0, 0, 0], [1, 0, 1, 2, 0], [1, 0, 0, 0, 3]]
    assert movers_of(Anm(0, 0, frames), game) == movers
