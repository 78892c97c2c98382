"""What the keys of a few frames come from, so that the curves that were written can be compared with what was computed and measured."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..motion.rotations.rotation_matrix import Floats
from .figures.spans import Spans

_TOGETHER, _LEAST = 8, 2
"""Frames of all clips that are retargeted together, and of each of them."""


@dataclass(frozen=True, eq=False)
class Sample:
    """The channels of the bones that are written, at some frames (K,) of a clip: rotations (R, K, 4) of the `rotated` bones, locations
    (M, K, 3) of the `moved` ones."""

    frames: Floats
    rotated: tuple[int, ...]
    rotations: Floats
    moved: tuple[int, ...]
    locations: Floats


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

    @cached_property
    def _every(self) -> tuple[Floats, Floats]:
        both = [(self._rotations, 4), (self._locations, 3)]
        rotations, locations = (np.stack(list(own.values())) if own else np.zeros((0, len(self._rows), width)) for own, width in both)
        return rotations, locations

    def of(self, clip: int, hanging: Set[int]) -> Sample:
        """hanging: the bones that are not rotated in this clip, whatever they are in others."""
        rows, (rotations, locations) = self._clips[clip], self._every
        rotated, moved = tuple(self._rotations), tuple(self._locations)
        if hanging:
            rotations = rotations[[bone not in hanging for bone in rotated]]
            rotated = tuple(bone for bone in rotated if bone not in hanging)
        return Sample(self._frames[rows], rotated, rotations[:, rows], moved, locations[:, rows])
