"""What moves a target besides its action, so that what Blender shows has to be looked at."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

import bpy

from ...blender import armature
from ...blender.motion import evaluated, fcurves
from . import constraints


class Otherwise(NamedTuple):
    """differs: whether anything does: drivers; of the object constraints and parents, too; or other bones move the skin where the followed
    ones are. Constraints of bones make a control rig, which is another matter. driven: whether drivers move the bones themselves, at
    whichever frame."""

    differs: bool
    driven: bool

    @classmethod
    def of(cls, obj: bpy.types.Object, names: Sequence[str]) -> Otherwise:
        """names: of the bones that follow; those above them count, too."""
        driven = _driven_above(obj, names)
        differs = bool(driven) or evaluated.carried(obj) or bool(constraints.skins(obj, names))
        return cls(differs, not driven.isdisjoint(evaluated.REST))


def _driven_above(obj: bpy.types.Object, names: Sequence[str]) -> set[str]:
    """The properties that drivers move, of these bones, of those above them, and of the object."""
    drivers = obj.animation_data.drivers if obj.animation_data else ()
    driven = [channel for curve in drivers if (channel := fcurves.channel_of(curve)) is not None]
    bones = armature.bones_of(obj)
    above = {"", *chain.from_iterable((one.name for one in (bones[name], *bones[name].parent_recursive)) for name in names if driven)}
    return {channel.property for channel in driven if channel.bone in above}
