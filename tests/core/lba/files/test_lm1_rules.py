"""What a body must keep because the engine relies on it, each rule broken once."""

from __future__ import annotations

import re
import tracemalloc

import pytest
from retro_anim.core.lba.body.body import Body
from retro_anim.core.lba.body.visible_faces import shown_faces
from retro_anim.core.lba.files.lm1 import Lm1
from retro_anim.core.lba.files.palette import Palette
from retro_anim.core.reporting.errors import FormatError
from retro_anim.core.surface.holdable import holdable
from support.lba import lba1_chain as chain

GROUPS, NORMALS, POLYGONS, LINES, SPHERES = 0x5E, 0x11E, 0x128, 0x154, 0x15E
"""Where the counts of the sections stand."""


def group(index: int, field: int) -> int:
    return GROUPS + 2 + 38 * index + field


@pytest.mark.parametrize(
    ("at", "value", "problem", "offset"),
    [
        (group(2, 0), 31, "group 2: first point is not a multiple of 6 (31)", None),
        (group(2, 0), 36, "group 2: its points do not follow those of the group before (36)", None),  # a point in no group
        (group(2, 0), 24, "group 2: its points do not follow those of the group before (24)", None),  # a point in two
        (group(4, 2), 3, "the groups have 12 points, the body 11", GROUPS + 2),
        (group(4, 2), 1, "the groups have 10 points, the body 11", GROUPS + 2),
        (group(3, 4), 25, "group 3: pivot is not a multiple of 6 (25)", None),
        (group(3, 4), 0, "group 3: its pivot is no point of its parent (0)", None),
        (group(3, 4), 6, "group 3: its pivot is no point of its parent (6)", None),  # one of the first group, behind which that begins
        (group(3, 4), 30, "group 3: its pivot is no point of its parent (30)", None),
        (group(3, 4), 6 * 5000, "group 3: its pivot is no point of its parent (30000)", None),
        (group(3, 6), 39, "group 3: parent is not a multiple of 38 (39)", None),
        (group(3, 6), 0xFFFE, "group 3: parent is not a multiple of 38 (-2)", None),
        (group(3, 6), 0xFFFF, "group 3: the first group, and no other, must be the root (-1)", None),
        (group(0, 6), 0, "group 0: the first group, and no other, must be the root (0)", None),
        (group(3, 6), 3 * 38, "group 3: its parent does not come before it (114)", None),
        (group(3, 6), 4 * 38, "group 3: its parent does not come before it (152)", None),
        (group(1, 6), 38, "group 1: its parent does not come before it (38)", None),
        (group(1, 4), 6 * 5000, "group 1: its pivot is no point of its parent (30000)", None),
        (group(3, 6), 500 * 38, "group 3: its parent does not come before it (19000)", None),
    ],
)
def test_a_broken_rule(at: int, value: int, problem: str, offset: int | None) -> None:
    data = chain.LM1[:at] + value.to_bytes(2, "little") + chain.LM1[at + 2 :]
    with pytest.raises(FormatError, match=re.escape(problem)) as caught:
        Lm1.parse(data)
    assert caught.value.offset == (at if offset is None else offset)


@pytest.mark.parametrize(
    ("at", "value", "faces", "others"),
    [
        (POLYGONS + 2 + 4, 7, [1, 2], (1, 1)),
        (POLYGONS + 2 + 4, 66, [1, 2], (1, 1)),
        (POLYGONS + 2 + 10 + 6, 66, [0, 2], (1, 1)),
        (POLYGONS + 2 + 10 + 4, 1, [0, 1, 2], (1, 1)),  # a normal: it is shown without its light
        (POLYGONS + 2 + 22 + 8, 1, [0, 1, 2], (1, 1)),
        (LINES + 2 + 4, 67, [0, 1, 2], (0, 1)),
        (LINES + 2 + 6, 66, [0, 1, 2], (0, 1)),
        (SPHERES + 2 + 6, 66, [0, 1, 2], (1, 0)),
        (SPHERES + 2 + 6, 61, [0, 1, 2], (1, 0)),
    ],
)
def test_a_reference_to_nothing(at: int, value: int, faces: list[int], others: tuple[int, int]) -> None:
    data = chain.LM1[:at] + value.to_bytes(2, "little") + chain.LM1[at + 2 :]
    body = Lm1.parse(data)
    assert body.pack() == data
    assert shown_faces(body).tolist() == faces
    mesh = Body.of(body).mesh(Palette.plain())
    assert mesh is not None
    held = holdable(mesh)
    assert (len(held.lines), len(held.spheres)) == others


@pytest.mark.parametrize("corners", [0, 1, 2, 17, 255])
def test_a_polygon_of_too_few_or_too_many_corners(corners: int) -> None:
    at = POLYGONS + 3
    data = chain.LM1[:at] + bytes((corners,)) + chain.LM1[at + 1 :]
    with pytest.raises(FormatError, match=f"polygon 0 has {corners} points, not 3 to 16") as caught:
        Lm1.parse(data)
    assert caught.value.offset == at


@pytest.mark.parametrize("at", [0x1A, GROUPS, NORMALS, POLYGONS, LINES, SPHERES])
def test_counts_of_65535_cost_nothing(at: int) -> None:
    data = chain.LM1[:at] + b"\xff\xff" + chain.LM1[at + 2 :]
    Lm1.parse(chain.LM1)
    tracemalloc.start()
    try:
        with pytest.raises(FormatError):
            Lm1.parse(data)
        assert tracemalloc.get_traced_memory()[1] < 200_000
    finally:
        tracemalloc.stop()


def test_an_animated_body_without_groups() -> None:
    data = chain.LM1[:GROUPS] + b"\0\0" + chain.LM1[NORMALS:]
    with pytest.raises(FormatError, match="without groups"):
        Lm1.parse(data)


def test_a_body_of_the_second_game_is_named_as_such() -> None:
    head = b"\x10\x01\0\0\x60\0\0\0" + bytes(24) + b"\0\0\0\0\x60\0\0\0" * 8
    with pytest.raises(FormatError, match="LM2"):
        Lm1.parse(head + bytes(100))
