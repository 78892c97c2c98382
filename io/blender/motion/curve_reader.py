"""F-curves of an action against the blocks of keys that an import makes, bit for bit."""

from __future__ import annotations

from collections.abc import Sequence

import bpy
import numpy as np
from numpy.typing import NDArray

from ....core.motion.curves import Block
from .. import compat
from ..arrays import KIND
from . import block_keys, curve_writer
from .fcurves import ShownCurve, ShownCurves


def as_written(action: bpy.types.Action, owner: bpy.types.Object, blocks: Sequence[Block], slack: float = 0.0) -> ShownCurves | None:
    """The curves of an action on `owner` where `curve_writer` would make them just so of the blocks: these channels and no others, the same
    frames and values, types and interpolation of keys, none muted, with modifiers or going on behind its ends. Else None. slack: what
    values may be off all the same."""
    exact = compat.exact_curves(action, owner, curve_writer.paths_of(blocks))
    if exact is None or compat.has_muted_groups(action):
        return None
    curves = iter(exact)
    shown: ShownCurves = {}
    for block in blocks:
        rows = block_keys.keys_of(block)
        interpolation, types = block_keys.kinds_of(block.generated.tobytes(), block.stepped)
        keys, kind = np.empty(rows.shape[1], np.float32), np.empty(len(block.frames), KIND)
        for channel, row, curve in zip(block.channels, rows, curves, strict=False):
            if curve.mute or curve.extrapolation != "CONSTANT" or len(curve.modifiers):
                return None
            points = curve.keyframe_points
            if len(points) != len(kind):
                return None
            points.foreach_get("co", keys)
            if keys.tobytes() != row.tobytes() and not _near(keys, row, slack):
                return None
            points.foreach_get("interpolation", kind)
            if kind.tobytes() != interpolation:
                return None
            points.foreach_get("type", kind)
            if kind.tobytes() != types:
                return None
            shown[channel] = ShownCurve(curve, row.reshape(-1, 2), not block.stepped, not block.stepped)
    return shown


def _near(keys: NDArray[np.float32], row: NDArray[np.float32], slack: float) -> bool:
    """Whether keys, frame and value in turn, are the same but for a little of the values, and the sign of what is nothing."""
    return keys[::2].tobytes() == row[::2].tobytes() and bool((np.abs(keys[1::2] - row[1::2]) <= slack).all())
