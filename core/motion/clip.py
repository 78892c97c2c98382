"""A motion as all formats share it: keys where the game has keys, in the game's own axes and units."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ..record import numerous

Values = NDArray[np.floating[Any]]
"""Numbers of a file or of a calculation: 32 or 64 bits."""

TrackKind = Literal["euler", "quaternion", "translation", "scale"]


@numerous
class Track:
    """Keys of several bones at the same times, as the game's rig (`Rig` or `MatrixRig`) takes them.

    kind: "euler" are radians about the game's x, y and z axes, interpolated one by one and unwrapped, in the product order of the
        game's Rig; "quaternion" the bone's local rotation w, x, y, z, each key with the sign that its curves shall have;
        "translation" the displacement from the rest position; "scale" factors along the bone's axes.
    bones: (B,) indices. times: (K,) in the clip's time units, ascending. values: (K, B, components), 4 of a quaternion, else 3, or as
    many as `components` names, any strides and float type.
    generated: (K,) keys that only make the in-betweens right, or close the loop; no file has them.
    components: the game's axes that the track has; () for all of them. Quaternions are whole.
    """

    kind: TrackKind
    bones: NDArray[np.int64]
    times: NDArray[np.float64]
    values: Values
    generated: NDArray[np.bool_]
    components: tuple[int, ...] = ()


@numerous
class Path:
    """Accumulated root motion: times (K,), positions (K, 3), rotation (K, 3) as an euler track of the whole character, None where the
    game's root motion never rotates."""

    times: NDArray[np.float64]
    positions: NDArray[np.float64]
    rotation: NDArray[np.float64] | None
    generated: NDArray[np.bool_]


@numerous
class PropertyTrack:
    """Numbers of the game that move nothing by themselves, kept as a keyed custom property of a bone: values (K, C), of the elements
    `components`, () for the first C. stepped: each key holds until the next."""

    name: str
    times: NDArray[np.float64]
    values: Values
    generated: NDArray[np.bool_]
    bone: int = 0
    stepped: bool = True
    components: tuple[int, ...] = ()


@dataclass(frozen=True)
class Event:
    """Something the game does at a time, such as a footstep."""

    time: float
    name: str


@numerous
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
