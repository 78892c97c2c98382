"""The palette: 256 colours of 8 bits a channel, 16 ramps of 16 shades; and a plain one of ours for when the game's is not at hand."""

from __future__ import annotations

import colorsys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...files.binary import Bytes
from ...reporting.errors import FormatError

if TYPE_CHECKING:
    from ...surface.mesh import Colour

SIZE = 768
SHADES = 16


@dataclass(frozen=True, eq=False)
class Palette:
    """colours: (256, 3) u8, red, green, blue. instead_of: why it is a plain one of ours, where that is not reported yet."""

    colours: NDArray[np.uint8]
    instead_of: str = ""

    @classmethod
    def parse(cls, data: Bytes) -> Palette:
        if len(data) != SIZE:
            raise FormatError(f"{len(data)} bytes instead of a palette's {SIZE}", 0)
        return cls(np.frombuffer(data, "u1").reshape(256, 3))

    def pack(self) -> bytes:
        return self.colours.tobytes()

    @classmethod
    def plain(cls, instead_of: str = "") -> Palette:
        """Ramp 0 grey, the others round the colour circle, dark to bright."""
        ramps = [colorsys.hsv_to_rgb((ramp - 1) / 15, 0.55 if ramp else 0.0, 1.0) for ramp in range(16)]
        shades = np.linspace(0.15, 1.0, SHADES)
        colours = np.round(255 * shades[None, :, None] * np.array(ramps)[:, None, :]).astype(np.uint8).reshape(256, 3)
        return cls(colours, instead_of)

    def colour(self, index: int) -> Colour:
        red, green, blue = (self.colours[index & 255] / 255).tolist()
        return red, green, blue

    def ramp(self, index: int) -> tuple[Colour, ...]:
        """The shades from `index` to the end of its ramp: what the light walks through."""
        first = index & 255
        shades = (self.colours[first : (first | SHADES - 1) + 1] / 255).tolist()
        return tuple((red, green, blue) for red, green, blue in shades)


def recognise(_head: bytes, size: int) -> bool:
    return size == SIZE
