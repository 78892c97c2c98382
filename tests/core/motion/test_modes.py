"""Rotation curves in the mode that is meant."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.motion.curves import Curve, rotation_channels
from retro_anim.core.motion.modes import in_modes
from retro_anim.core.reporting.errors import RetroAnimError


def test_keys_beyond_the_time_line() -> None:
    """They are sampled at every frame between them, which would take all memory."""
    frames, values = np.array([1, 1e9], np.float32), np.zeros(2, np.float32)
    curves = {channel: Curve(frames, values, None) for channel in rotation_channels("thigh", "XYZ")}
    with pytest.raises(RetroAnimError, match="keys from frame 1 to 1000000000: Blender's time line ends at 1048574"):
        in_modes(curves, {"thigh": "XYZ"}, {"thigh": "QUATERNION"})
