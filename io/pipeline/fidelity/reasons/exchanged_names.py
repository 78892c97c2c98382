"""Bones that have exchanged names: the curves of a clip that was not in use then move the other bone, in Blender as in what is written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import bpy
import numpy as np

from .....core.motion.curves import Block, Channel, values_of
from .....core.reporting import log
from .....core.reporting.errors import ExportError, Problem, RetroAnimError
from .....core.reporting.labels import first_few
from ....blender import armature, identity
from ....blender.motion import fcurves
from ....blender.motion.fcurves import ShownCurves
from .. import unedited
from ..pair import Pair


def report(pair: Pair) -> None:
    """Say which bones of a clip have the very curves with which the one that had their name before came in."""
    obj = pair.clip.obj
    if obj.type == "ARMATURE" and (names := sorted(_moved_as_others(obj, pair.clip.before() or (), pair.curves))):
        log.warning(_text(names), bone=names[0])


def explained(error: ExportError, writer: unedited.Source, obj: bpy.types.Object, action: bpy.types.Action | None) -> ExportError:
    """Why a clip is refused: where bones have exchanged names that, since what the game does not hold of either follows from it."""
    if action is None or obj.type != "ARMATURE" or not _renamed(obj):
        return error
    try:
        with log.collect():
            came = writer.came(obj, action)
            blocks = () if came is None else unedited.curves_of(writer, obj, [came])[0]
    except RetroAnimError:
        return error
    names = sorted(_moved_as_others(obj, blocks, fcurves.shown_curves(action, obj)))
    return ExportError([Problem(_text(names), names[0])]) if names else error


def _text(names: Sequence[str]) -> str:
    return (
        f"{first_few(names)}: moved as the bones that had these names before they were renamed, while this clip was not in use: give "
        "the bones the names of before, show the clip, and rename them again"
    )


def _renamed(obj: bpy.types.Object) -> dict[str, str]:
    """Names that other bones have now: what the bone is called that had each."""
    bones = armature.bones_of(obj)
    return {before: now for before, now in identity.renamed(obj).items() if before in bones}


def _moved_as_others(obj: bpy.types.Object, blocks: Sequence[Block], shown: ShownCurves) -> Iterator[str]:
    """blocks: the curves with which the clip came in."""
    renamed = _renamed(obj)
    if not renamed:
        return
    came = values_of(blocks)
    for before, now in renamed.items():
        curves = {channel: curve.keys[:, 1] for channel, curve in shown.items() if channel.bone == before}
        there = {channel: came.get(Channel(now, channel.property, channel.component), np.zeros(0)) for channel in curves}
        as_other = bool(curves) and all(np.array_equal(values, there[channel]) for channel, values in curves.items())
        if as_other and not all(np.array_equal(values, came.get(channel, np.zeros(0))) for channel, values in curves.items()):
            yield before
