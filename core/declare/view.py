"""How a game shows its characters: where it looks from, and where its light comes from."""

from __future__ import annotations

from typing import Literal

from ..record import Record


class View(Record):
    """azimuth, elevation: degrees, of the direction towards the viewer; round the character from its front towards its left, and up.

    projection: ORTHO, where a game unit is `pixels` wide on the screen whatever its distance, or PERSP, whose picture is `field` degrees
    wide, from `away` game units away, or `distance` times the character's height where that is 0. aspect: how much wider than high a
    pixel is. screen: in pixels. light: azimuth and elevation of the direction towards the light. tile: of the floor, in game units.
    background: red, green, blue as displayed. dressed: whether io/<game>/game_view.py gives characters the look that they have in the
    game.
    """

    projection: Literal["ORTHO", "PERSP"] = "PERSP"
    azimuth: float = 30.0
    elevation: float = 15.0
    pixels: float = 0.0
    field: float = 50.0
    distance: float = 2.5
    away: float = 0.0
    aspect: float = 1.0
    screen: tuple[int, int] = (640, 480)
    light: tuple[float, float] = (30.0, 50.0)
    tile: float = 1.0
    background: tuple[float, float, float] = (0.1, 0.1, 0.12)
    dressed: bool = False
