"""How a document is stored with the blocks that came from it."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import bpy
import numpy as np
import pytest

Part = Callable[[str], ModuleType]

NOISE = np.random.default_rng(1).bytes(1 << 17)
STILL = bytes(1 << 17)


@pytest.mark.parametrize(
    ("data", "most"),
    [(NOISE, len(NOISE) + 1), (STILL, len(STILL) // 100), (STILL + NOISE[: 1 << 16], len(NOISE)), (NOISE[:100], 101)],
    ids=["does not shrink", "shrinks", "shrinks to a third", "small"],
)
def test_a_document_takes_no_more_than_its_bytes_and_comes_back(part: Part, data: bytes, most: int) -> None:
    source_data, action = part("io.blender.source_data"), bpy.data.actions.new("walk")
    source_data.keep(action, "walk.lab", source_data.LOOSE, "LAB", data)
    assert len(action[source_data.SOURCE]["file"]) <= most
    assert source_data.kept(action) == data


def test_what_compressing_does_not_halve_is_stored_as_it_is(part: Part) -> None:
    """So that a long time line takes no time that saves next to nothing beside its curves."""
    source_data, action = part("io.blender.source_data"), bpy.data.actions.new("dance")
    keys = np.random.default_rng(2).normal(size=1 << 15).astype(np.float32).tobytes()
    with source_data.packing([keys]) as packed:
        source_data.keep(action, "dance.lab", source_data.LOOSE, "LAB", keys, packed[0])
    assert action[source_data.SOURCE]["file"] == b"\0" + keys
    assert source_data.kept(action) == keys
