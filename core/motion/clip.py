"""A motion as all formats share it: keys where the game has keys, in the game's own axes and units."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

TrackKind = Literal["euler", "translation"]


@dataclass(frozen=True, eq=False)
class Track:
    """Keys of several bones at the same times.

    kind: "euler" are radians about the game's x, y and z axes, interpolated one by one and unwrapped, in the product order of the
        game's Rig; "translation" is the way from the rest place, in the parent's frame.
    bones: (B,) indices. times: (K,) in the clip's time units, ascending. values: (K, B, 3).
    generated: (K,) keys that only make the in-betweens right, or close the loop; no file has them.
    """

    kind: TrackKind
    bones: NDArray[np.int64]
    times: NDArray[np.float64]
    values: NDArray[np.float64]
    generated: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Path:
    """Accumulated root motion: times (K,), positions (K, 3), rotation (K, 3) as an euler track of the whole character."""

    times: NDArray[np.float64]
    positions: NDArray[np.float64]
    rotation: NDArray[np.float64]
    generated: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class PropertyTrack:
    """Numbers of the game that move nothing by themselves, kept as keyed custom properties of the root bone: values (K, C)."""

    name: str
    times: NDArray[np.float64]
    values: NDArray[np.float64]
    generated: NDArray[np.bool_]


@dataclass(frozen=True)
class Event:
    """Something the game does at a time, such as a footstep."""

    time: float
    name: str


@dataclass(frozen=True, eq=False)
class Clip:
    """rate: time units a second. end: time of the last key of the file. loop: first and closing time of the cycle, or None."""

    name: str
    rate: float
    tracks: list[Track]
    path: Path | None
    end: float
    loop: tuple[float, float] | None = None
    properties: list[PropertyTrack] = field(default_factory=list[PropertyTrack])
    events: list[Event] = field(default_factory=list[Event])
