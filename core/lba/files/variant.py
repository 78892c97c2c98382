"""What differs between the two games, as numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

VariantName = Literal["lba1", "lba2"]

RATES = (30, 25, 24, 50, 60, 40, 100)
"""Frames a second that people work with, in the order of preference."""


@dataclass(frozen=True)
class Variant:
    """rotation: angle steps of a full circle. rate: time units a second. whole_master: all three bone-0 angles rotate the
    character, and only with master flag bit 0 (LBA2); otherwise beta alone does, always. tie: the direction of an exact
    half circle between keys, 0 for the sign of the raw difference, -1 for always negative."""

    name: VariantName
    label: str
    rotation: int
    rate: float
    whole_master: bool
    tie: int

    def frame_rate(self, times: NDArray[Any]) -> float:
        """Frames a second with which keyframes at `times` (K,) lie on whole frames, if there is such a rate: LBA1's ticks in LBA1; in LBA2,
        which counts milliseconds, the first of the usual rates, 30 where none does."""
        if self.rate in RATES:
            return self.rate
        whole = (rate for rate in RATES if not (times.astype(np.int64) * rate % int(self.rate)).any())
        return float(next(whole, RATES[0]))

    def wrap(self, difference: NDArray[np.int64]) -> NDArray[np.int64]:
        """Differences (...) of two angles in 0..rotation-1, in angle steps, the shorter of both as the engine takes it."""
        half = self.rotation // 2
        if self.tie:
            return (difference + half) % self.rotation - half
        return difference - self.rotation * (difference > half) + self.rotation * (difference < -half)


LBA1 = Variant("lba1", "Little Big Adventure 1", 1024, 50.0, whole_master=False, tie=0)
LBA2 = Variant("lba2", "Little Big Adventure 2", 4096, 1000.0, whole_master=True, tie=-1)
VARIANTS: dict[str, Variant] = {game.name: game for game in (LBA1, LBA2)}

MAX_GROUPS = 30
"""Matrices that both engines have room for (P_TRIGO.ASM TabMat)."""
