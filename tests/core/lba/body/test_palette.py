"""256 colours in 16 ramps."""

from __future__ import annotations

import colorsys
from pathlib import Path

import pytest
from hypothesis import given
from retro_anim.core.lba.files.archive.hqr import Hqr
from retro_anim.core.lba.files.palette import Palette
from retro_anim.core.reporting.errors import FormatError

from ..strategies import sized_bytes

COUNTED = bytes(value % 256 for value in range(768))


@given(data=sized_bytes(768))
def test_what_is_read_is_written_as_it_was(data: bytes) -> None:
    assert Palette.parse(data).pack() == data


@pytest.mark.parametrize("size", [0, 1, 767, 769, 1024])
def test_only_one_size(size: int) -> None:
    with pytest.raises(FormatError, match=f"{size} bytes instead of a palette's 768"):
        Palette.parse(bytes(size))


def test_a_colour_has_eight_bits_a_channel() -> None:
    palette = Palette.parse(COUNTED)
    assert palette.colour(0) == (0, 1 / 255, 2 / 255)
    assert palette.colour(84) == (252 / 255, 253 / 255, 254 / 255)
    assert palette.colour(255) == (253 / 255, 254 / 255, 1.0)


def test_a_ramp_goes_to_the_end_of_its_sixteen_shades() -> None:
    palette = Palette.parse(COUNTED)
    assert palette.ramp(32) == tuple(palette.colour(index) for index in range(32, 48))
    assert palette.ramp(45) == tuple(palette.colour(index) for index in (45, 46, 47))
    assert palette.ramp(255) == (palette.colour(255),)


def test_our_own_gets_brighter_along_every_ramp() -> None:
    palette = Palette.plain()
    assert palette.colours.shape == (256, 3)
    brightness = palette.colours.astype(int).max(axis=1).reshape(16, 16)
    assert (brightness[:, 1:] > brightness[:, :-1]).all()
    grey = palette.colours[:16]
    assert (grey[:, 0] == grey[:, 1]).all()
    assert (grey[:, 1] == grey[:, 2]).all()


def test_the_other_ramps_of_our_own_go_round_the_colour_circle() -> None:
    """In fifteen steps, from red on; colours of 8 bits are off by less than a hundredth of the circle."""
    brightest = Palette.plain().colours[31::16] / 255
    hues = [colorsys.rgb_to_hsv(*colour)[0] for colour in brightest.tolist()]
    assert hues == pytest.approx([step / 15 for step in range(15)], abs=0.01)


def test_the_games_palette(game_data: Path) -> None:
    data = Hqr.parse((game_data / "lba1" / "RESS.HQR").read_bytes()).read(0)
    assert Palette.parse(data).pack() == data
    assert Palette.parse(data).colours.max() == 255
