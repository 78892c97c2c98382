"""Keys of which Blender shows nothing: a bone that is connected to its parent has its location from there, whatever its curves say."""

from __future__ import annotations

import bpy
import numpy as np

from ....core.reporting import log
from ....core.retarget.figures.figure import Figure
from ....core.retarget.figures.maps.bone_map import BoneMap
from ...blender import compat
from ...blender.motion import fcurves
from ...blender.motion.nla import nla
from . import keys

_NOTICED = 0.01
"""Of the figure's height: shorter motions of bones are what exporters leave in limbs of a fixed length."""


def tell(obj: bpy.types.Object, action: bpy.types.Action | None, figure: Figure, bone_map: BoneMap) -> None:
    """Warn of followed bones, and those above them, that are connected and would move by their keys. action: None for the NLA's."""
    actions = nla.actions_of(obj) if action is None else [action]
    least = _NOTICED * float(np.ptp(figure.heads, axis=0).max()) / max(figure.scale, 1e-12)
    moving = {name for each in actions for name, most in _moved(obj, each, figure).items() if most > least}
    if not moving:
        return
    sources = bone_map.sources()
    below = [figure.index[name] for name in sources if name in figure.index]
    for name in sorted(moving):
        if any(figure.is_below(bone, figure.index[name]) for bone in below):
            above = figure.names[int(figure.parents[figure.index[name]])]
            log.warning(
                f"{name} of {obj.name} is connected to {above}, so that Blender shows nothing of its keys of location, "
                "and they are not followed: disconnect it (Edit Mode, Bone > Relations > Connected) to have that motion"
            )


def _moved(obj: bpy.types.Object, action: bpy.types.Action, figure: Figure) -> dict[str, float]:
    """By the connected bones whose location has keys how far these go, at most, in the armature's units."""
    result: dict[str, float] = {}
    if not figure.fixed.any():
        return result
    for curve in compat.quick_curves(action, obj):
        if curve.data_path.endswith(".location") and compat.has_values(curve) and not compat.is_muted(curve):
            channel = fcurves.channel_of(curve)
            bone = figure.index.get(channel.bone) if channel is not None else None
            if bone is not None and figure.fixed[bone] and figure.parents[bone] >= 0:
                name = figure.names[bone]
                result[name] = max(result.get(name, 0.0), float(np.ptp(keys.fcurves_keys(curve)[1])))
    return result
