"""How bodies are lit and coloured: light adds shades to a colour of the palette, as many as the normal's length and angle say.

Sources: P_OB_ISO.ASM ComputeAnimNormal (LBA1: N . L / range); LITLISTF.CPP LightList, LIGHT.CPP (LBA2: N . L / 2^16, in 1/256 shades).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...surface.mesh import SHADES, Colour, GameLook, Image, Shading
from ..files.palette import Palette
from ..game import Look

Floats = NDArray[np.float64]

LIGHT_LENGTH = 59
"""Of the vector to the light in LBA1 (P_TRIGO.ASM NormalLight)."""

LENGTH_OF_SHADE = 1024
"""Of a normal of LBA2, for each shade that it is lit at most: the light's 2^14, over 2^16 and over 256."""

BRIGHTEST = SHADES - 1 / 256
"""No ramp has more shades; the next one would follow."""


def shades_of_lm1(normals: NDArray[Any]) -> Floats:
    """(N,) shades that normals of an LM1 add at most, in the light's direction."""
    length = np.linalg.norm(normals["direction"].astype(np.float64), axis=1)
    shades = length * LIGHT_LENGTH / np.maximum(normals["range"].astype(np.float64), 1)
    return np.where(normals["range"] > 0, np.minimum(shades, BRIGHTEST), 0.0)


def shades_of_lm2(directions: Floats) -> Floats:
    """(N,) the same of normals (N, 3) of an LM2."""
    return np.minimum(np.linalg.norm(directions, axis=1) / LENGTH_OF_SHADE, BRIGHTEST)


def reach_of(shades: Floats, starts: NDArray[np.int64]) -> NDArray[np.int64]:
    """(F,) whole shades that faces are lit at most, of shades (C,) of their corners; starts: (F,) each face's first corner."""
    return np.maximum.reduceat(shades, starts).astype(np.int64) if len(starts) else np.zeros(0, np.int64)


@dataclass(frozen=True, eq=False)
class Colours:
    """The palette's colours as materials need them. look: as the game draws, or for the renderer's light."""

    palette: Palette
    look: Look = "PLAIN"

    @property
    def game(self) -> bool:
        return self.look == "GAME"

    def ramp(self, colour: int, shading: Shading, reach: int) -> tuple[Colour, ...]:
        """Those that a face of this colour can have: none is brighter than the light can make it."""
        return self.palette.ramp(colour)[: reach + 1] if shading != "UNLIT" else (self.palette.colour(colour),)

    def drawn(
        self, colour: int, shading: Shading, dithered: bool = False, screen_door: bool = False, alpha: float = 1.0
    ) -> GameLook | None:
        """None where the renderer's light is wanted."""
        if not self.game:
            return None
        return GameLook(_row(self.palette), colour, shading != "UNLIT", dithered, screen_door, alpha)

    def name(self, name: str, colour: int, shading: Shading, reach: int) -> str:
        """Of a material: with how many shades it is lit at most, where that is fewer than others are."""
        plain = name if shading == "UNLIT" or reach >= min(SHADES - 2, SHADES - 1 - colour % SHADES) else f"{name}+{reach}"
        return f"{plain} game" if self.game else plain


@lru_cache(maxsize=8)
def colours_of(palette: Palette, look: Look = "PLAIN") -> Colours:
    """The same for all bodies of a palette, which then share their materials."""
    return Colours(palette, look)


def _row(palette: Palette) -> Image:
    return Image("LBA palette", np.concatenate([palette.colours, np.full((256, 1), 255, np.uint8)], axis=1)[None], smooth=False)
