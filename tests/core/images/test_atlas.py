"""Several pictures in one: each whole, apart from the others, and as small as the largest side asks for."""

from __future__ import annotations

import numpy as np
from retro_anim.core.images.atlas import LARGEST, joined

RANDOM = np.random.default_rng(3)


def test_each_picture_is_where_it_says() -> None:
    sizes = [(16, 16), (1, 1), (8, 40), (33, 7), (1, 1), (64, 64)]
    pictures = [RANDOM.integers(0, 256, (*size, 4), np.uint8) for size in sizes]
    whole, areas = joined(pictures)
    height, width = whole.shape[:2]
    assert (height & (height - 1), width & (width - 1)) == (0, 0) and max(height, width) <= 128
    used = np.zeros((height, width), int)
    for picture, (u, v, wide, high) in zip(pictures, areas, strict=True):
        x, y, across, down = (round(value) for value in (u * width, v * height, wide * width, high * height))
        assert np.array_equal(whole[y : y + down, x : x + across], picture)
        used[y - 1 : y + down + 1, x - 1 : x + across + 1] += 1
        assert np.array_equal(whole[y - 1, x : x + across], picture[0]), "its edge goes on, so that filtering shows nothing else"
    assert used.max() == 1


def test_too_large_ones_are_halved() -> None:
    picture = np.repeat(np.repeat(RANDOM.integers(0, 256, (512, 512, 4), np.uint8), 4, axis=0), 4, axis=1)
    whole, areas = joined([picture, picture[:1, :1]])
    assert max(whole.shape[:2]) == LARGEST
    u, v, wide, high = (areas[0] * LARGEST).round().astype(int)
    assert (wide, high) == (512, 512) and np.array_equal(whole[v : v + 512, u : u + 512], picture[::4, ::4])
