"""Bones that have exchanged names: the curves of a clip that was not in use then move the other bone, in Blender as in what is written."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ....core.motion.curves import Channel
from ....core.reporting import log
from ....core.reporting.labels import first_few
from ...blender import armature, identity
from .pair import Pair


def report(pair: Pair) -> None:
    """Say which bones of a clip have the very curves with which the one that had their name before came in."""
    if pair.clip.obj.type == "ARMATURE" and (names := sorted(_moved_as_others(pair))):
        log.warning(
            f"{first_few(names)}: moved as the bones that had these names before they were renamed, while this clip was not in use: give "
            "the bones the names of before, show the clip, and rename them again",
            bone=names[0],
        )


def _moved_as_others(pair: Pair) -> Iterator[str]:
    bones = armature.bones_of(pair.clip.obj)
    renamed = {before: now for before, now in identity.renamed(pair.clip.obj).items() if before in bones}
    if not renamed:
        return
    came = {channel: row for block in pair.clip.before() or () for channel, row in zip(block.channels, block.values, strict=True)}
    for before, now in renamed.items():
        curves = {channel: curve.keys[:, 1] for channel, curve in pair.curves.items() if channel.bone == before}
        there = {channel: came.get(Channel(now, channel.property, channel.component), np.zeros(0)) for channel in curves}
        as_other = bool(curves) and all(np.array_equal(values, there[channel]) for channel, values in curves.items())
        if as_other and not all(np.array_equal(values, came.get(channel, np.zeros(0))) for channel, values in curves.items()):
            yield before
