"""What Blender shows and what a file would bring back, bone by bone."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Steps:
    """The least that a format can tell apart. rotation: radians. translation: of bones, game units. path: of the root motion, game units.
    scale: a factor, inf where the format holds no scale that anybody could miss."""

    rotation: float
    translation: float
    path: float
    scale: float = 1e-3
