"""Whether a source that stands at rest lies in its clips because its file was opened with another axis up: its rest pose stands along one
axis, its motion along another, and goes over the ground across that."""

from __future__ import annotations

import numpy as np

from ...motion.rotations.rotation_matrix import Floats
from ..figures.motion import Motion
from ..figures.roles import on_both_sides
from ..figures.spans import Spans
from ..ground import contacts, feet
from ..transfer.binding import Binding
from .measures import ALONG, brought_upright

_UPRIGHT = 0.5
"""Of the length of trunk or legs, what goes up or down at least where a figure stands."""

_NEAR, _RATHER = 0.2, 1.5
"""In leg lengths, how near the feet are to the origin of the object along the axis that they stand along, at most; or how many times as
long they stand along that than along Z, at least."""


def laid_over(binding: Binding, source: Motion, leg: float, fps: float) -> list[str]:
    """Of each clip what a person should look at; "" where nothing. leg: the source's, in metres. A game's character lies as its clip has
    it."""
    hips, head, below = binding.roles.get("hips"), binding.roles.get("head"), binding.rows_of(*on_both_sides("Foot"))
    nothing = [""] * len(source.spans)
    if hips is None or head is None or len(below) < 2 or binding.source.left is not None:
        return nothing
    low, top, *ends = (binding.followers[row] for row in (hips, head, *below))
    if _up(top.anchor - low.anchor) < _UPRIGHT or max(_up(end.anchor - low.anchor) for end in ends) > -_UPRIGHT:
        return nothing
    points = [source.positions[:, one.source] for one in (low, top, *ends)]
    return [
        _laid(*(each[rows] for each in points), origin=binding.source.world[:3, 3], leg=leg, seconds=source.frames[rows] / fps)
        for rows in source.spans.rows
    ]


def _laid(hips: Floats, head: Floats, *ends: Floats, origin: Floats, leg: float, seconds: Floats) -> str:
    """The same of one clip. ends: (F, 3) each of both feet."""
    spine = (head - hips) / np.maximum(np.linalg.norm(head - hips, axis=1), 1e-30)[:, None]
    mean = spine.mean(axis=0)
    axis = int(np.abs(mean).argmax())
    up = np.copysign(np.eye(3)[axis], mean[axis])
    if spine[:, 2].max() > _UPRIGHT or mean @ up < ALONG or np.median((np.mean(ends, axis=0) - hips) @ up) > -_UPRIGHT * leg:
        return ""
    others = [each for each in range(3) if each != axis]
    stood = [np.stack([each[:, others[0]], each[:, others[1]], each @ up], axis=1) for each in ends]
    along, plain = (_standing(each, seconds, leg) for each in (stood, ends))
    ground = contacts.quantile(np.minimum.reduce([each[:, 2] for each in stood]), contacts.LOWEST) - float(origin @ up)
    if along < feet.GROUNDED or (abs(ground) > _NEAR * leg and along < _RATHER * plain):
        return ""
    return f"the source stands at rest and lies all the time: was its file opened with the right up axis?{brought_upright(mean)}"


def _standing(ends: list[Floats] | tuple[Floats, ...], seconds: Floats, leg: float) -> float:
    """The part of a clip in which one of some points (F, 3) stands."""
    spans = Spans((len(seconds),))
    return float(np.logical_or.reduce([contacts.standing(each, seconds, leg, None, spans) for each in ends]).mean())


def _up(offset: Floats) -> float:
    return float(offset[2] / max(float(np.linalg.norm(offset)), 1e-30))
