"""Pictures of plain colours: each colour around the point that is given for it, whatever their number."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.images.swatches import BLOCK, swatches


@pytest.mark.parametrize("count", [1, 2, 3, 5, 17, 256])
def test_each_colour_is_around_its_point(count: int) -> None:
    colours = np.random.default_rng(count).integers(0, 256, (count, 3), np.uint8)
    pixels, middles = swatches(np.concatenate([colours, colours[:1]]))
    height, width = pixels.shape[:2]
    assert (height & (height - 1), width & (width - 1)) == (0, 0) and height <= width <= 2 * height
    assert width * height < 4 * BLOCK * BLOCK * count or count == 1
    for colour, (u, v) in zip([*colours, colours[0]], middles, strict=True):
        row, column = int(v * height), int(u * width)
        around = pixels[row - BLOCK // 2 : row + BLOCK // 2, column - BLOCK // 2 : column + BLOCK // 2]
        assert around.shape[:2] == (BLOCK, BLOCK) and (around == [*colour, 255]).all()


def test_the_order_of_colours_changes_nothing_in_the_picture() -> None:
    colours = np.arange(30, dtype=np.uint8).reshape(10, 3)
    assert (swatches(colours)[0] == swatches(colours[::-1])[0]).all()
