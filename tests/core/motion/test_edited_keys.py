"""Which keys of a clip somebody has changed, by hand."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.motion.curves import Block, Channel
from retro_anim.core.motion.edited_keys import edited


def block(
    values: list[list[float]], name: str = "location", bone: str = "arm", frames: list[float] | None = None, generated: str = ""
) -> Block:
    """A row for each component, with keys at frames 1, 2, 3 … generated: x for each key that no file has."""
    rows = np.array(values, np.float32)
    at = np.arange(1, rows.shape[1] + 1) if frames is None else np.array(frames)
    own = np.array([each == "x" for each in generated.ljust(rows.shape[1])])
    return Block([Channel(bone, name, index) for index in range(len(rows))], at.astype(np.float32), rows, own)


BEFORE = block([[1, 2, 3], [0, 0, 0]])
QUATERNION = [[1, 0.8, 0.6], [0, 0.6, 0.8], [0, 0, 0], [0, 0, 0]]


def reversed_rows(rows: list[list[float]], keys: list[int]) -> list[list[float]]:
    return [[-value if key in keys else value for key, value in enumerate(row)] for row in rows]


@pytest.mark.parametrize(
    ("now", "before", "expected"),
    [
        (BEFORE, BEFORE, ((), 0)),
        (block([[1, 2, 3], [0, 0, -0.0]]), BEFORE, ((), 0)),
        (block([[1, 2.5, 3], [0, 0, 0]]), BEFORE, (("arm",), 1)),
        (block([[1, 2.5, 3], [0, 1, 0]]), BEFORE, (("arm",), 1)),  # a key of both is one
        (block([[1.5, 2, 3], [0, 1, 0]]), BEFORE, (("arm",), 2)),
        (block([[1, 2, 3], [0, 0, 0]], frames=[1, 2, 4]), BEFORE, (("arm",), 2)),  # one is gone, and one new
        (block([[1, 2], [0, 0]]), BEFORE, (("arm",), 1)),
        (block([[1, 2, 3, 4], [0, 0, 0, 0]]), BEFORE, (("arm",), 1)),
        (block([[1, 2, 3, 4], [0, 0, 0, 0]], generated="   x"), BEFORE, ((), 0)),
        (block([[1, 2, 3], [0, 0, 0]], generated="xxx"), BEFORE, (("arm",), 3)),
        (BEFORE, block([[1, 2, 3], [0, 0, 0]], generated="xxx"), (("arm",), 3)),
        (block([[1, 2, 3], [0, 0, 0]], bone=""), BEFORE, (("object", "arm"), 6)),
        (BEFORE, block([[1, 2, 3], [0, 0, 0]], bone=""), (("arm", "object"), 6)),
        (block([[1, 2 + 2e-5]]), block([[1, 2]]), (("arm",), 1)),
        (block([[1, 2 + 2e-5]], "rotation_euler"), block([[1, 2]], "rotation_euler"), (("arm",), 1)),
        (block([[1, 2 + 5e-6]], "rotation_euler"), block([[1, 2]], "rotation_euler"), ((), 0)),
        (block([[1 + 2 * np.pi, 2 - 4 * np.pi]], "rotation_euler"), block([[1, 2]], "rotation_euler"), ((), 0)),
        (block([[1 + np.pi, 2]], "rotation_euler"), block([[1, 2]], "rotation_euler"), (("arm",), 1)),
    ],
)
def test_keys_that_are_others(now: Block, before: Block, expected: tuple[tuple[str, ...], int]) -> None:
    assert edited([now], [before], "object") == expected


@pytest.mark.parametrize(
    ("rows", "count"),
    [
        (QUATERNION, 0),
        (reversed_rows(QUATERNION, [0, 1, 2]), 0),
        (reversed_rows(QUATERNION, [1]), 0),
        ([*QUATERNION[:3], [0, 5e-8, 0]], 0),
        ([*QUATERNION[:3], [0, 5e-7, 0]], 1),
        (reversed_rows([*QUATERNION[:3], [0, 0.5, 0]], [0, 1, 2]), 1),
        (QUATERNION[:3], 3),  # a component has no keys any more
    ],
)
def test_quaternions_of_either_sign_are_the_same(rows: list[list[float]], count: int) -> None:
    name = "rotation_quaternion"
    assert edited([block(rows, name)], [block(QUATERNION, name)], "object")[1] == count


@pytest.mark.parametrize("length", [0.5, 3.0])
def test_quaternions_of_any_length_are_the_same_of_either_sign(length: float) -> None:
    name, rows = "rotation_quaternion", (length * np.array(QUATERNION)).tolist()
    for keys in ([], [1], [0, 1, 2]):
        assert edited([block(reversed_rows(rows, keys), name)], [block(rows, name)], "object") == ((), 0)


def test_quaternions_whose_components_have_keys_of_their_own_are_compared_as_they_are() -> None:
    name = "rotation_quaternion"
    whole, shorter = block(QUATERNION, name), block([row[:2] for row in QUATERNION], name)
    fewer = [
        Block(each.channels[rows], each.frames, each.values[rows], each.generated)
        for each, rows in ((whole, slice(3)), (shorter, slice(3, 4)))
    ]
    assert edited(fewer, [whole], "object") == (("arm",), 1)
