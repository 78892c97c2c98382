"""What the keys of a few frames come from, so that the curves that were written can be compared with what was computed and measured."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass

import numpy as np

from ..motion.rotation_matrix import Floats
from .figures.spans import Spans

_TOGETHER, _LEAST = 8, 2
"""Frames of all clips that are retargeted together, and of each of them."""


@dataclass(frozen=True, eq=False)
class Sample:
    """The channels of the bones that are written, at some frames (K,) of a clip: by bone rotations (K, 4) and locations (K, 3)."""

    frames: Floats
    rotations: dict[int, Floats]
    locations: dict[int, Floats]


class Sampled:
    """The same of all clips, bone by bone. frames: (F,) of all of them."""

    def __init__(self, frames: Floats, spans: Spans) -> None:
        most = max(_LEAST, _TOGETHER // len(spans))
        counts = [min(count, most) for count in spans.counts]
        # The last row of each clip, and of the rest every so many: a clip begins as many others do.
        rows = [
            first + (np.arange(1, own + 1) * count) // own - 1
            for first, count, own in zip(spans.starts.tolist(), spans.counts, counts, strict=True)
        ]
        self._rows, self._clips = np.concatenate(rows), Spans(tuple(counts)).rows
        self._frames = frames[self._rows]
        self._rotations: dict[int, Floats] = {}
        self._locations: dict[int, Floats] = {}

    def rotate(self, bone: int, rotations: Floats) -> None:
        """rotations: (F, 4) of its channel."""
        self._rotations[bone] = rotations[self._rows]

    def move(self, bone: int, locations: Floats) -> None:
        """locations: (F, 3) of its channel."""
        self._locations[bone] = locations[self._rows]

    def of(self, clip: int, hanging: Set[int]) -> Sample:
        """hanging: the bones that are not rotated in this clip, whatever they are in others."""
        rows = self._clips[clip]
        rotations = {bone: values[rows] for bone, values in self._rotations.items() if bone not in hanging}
        return Sample(self._frames[rows], rotations, {bone: values[rows] for bone, values in self._locations.items()})
