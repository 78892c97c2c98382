"""The fields of Oni 2: what an action or a bone may hold, and what is refused by name and range."""

from __future__ import annotations

from typing import Any

import pytest
from retro_anim.core.declare.checks import checked
from retro_anim.core.oni2.fields import ACTION_FIELDS, BONE_FIELDS
from retro_anim.core.reporting.errors import ExportError


@pytest.mark.parametrize(
    ("properties", "values"),
    [
        ({"oni2_loop_byte": 255}, {"loop_byte": 255}),
        ({"oni2_flags": "0x80000001"}, {"flags": 0x80000001}),
        ({"oni2_flags": " 17 "}, {"flags": 17}),
        ({"oni2_flags": 5}, {"flags": 5}),
        ({"oni2_stride": (0.5,)}, {"stride": (0.5,)}),
        ({"oni2_stride": (1, 2, 3)}, {"stride": (1.0, 2.0, 3.0)}),
        ({"oni2_kind": "null", "other": "text"}, {"kind": "null"}),
    ],
)
def test_values_of_an_action(properties: dict[str, Any], values: dict[str, Any]) -> None:
    assert checked(ACTION_FIELDS, properties, "walk") == values


@pytest.mark.parametrize(
    ("properties", "problem"),
    [
        ({"oni2_loop_byte": 300}, r"walk: oni2_loop_byte \(Loop Byte\) is 300, and must be a whole number from 0 to 255"),
        ({"oni2_loop_byte": -1}, "is -1, and must be a whole number from 0 to 255"),
        ({"oni2_loop_byte": "many"}, "is 'many', and must be a whole number from 0 to 255"),
        ({"oni2_flags": "many"}, r"oni2_flags \(Flags\) is 'many', and must be a whole number from 0 to 0xFFFFFFFF"),
        ({"oni2_flags": "0x100000000"}, "must be a whole number from 0 to 0xFFFFFFFF"),
        ({"oni2_flags": 1.5}, "must be a whole number from 0 to 0xFFFFFFFF"),
        ({"oni2_stride": (1, 2, 3, 4)}, "must be up to 3 numbers"),
        ({"oni2_stride": "far"}, "must be up to 3 numbers"),
        ({"oni2_stride": (1, "far", 3)}, "is 'far', and must be a number"),
        ({"oni2_stride": (1e39,)}, r"is 1e\+39, and must be a number from"),
        ({"oni2_kind": "ANI2"}, "must be one of ANI1, ani, null, beta"),
    ],
)
def test_what_an_action_cannot_hold(properties: dict[str, Any], problem: str) -> None:
    with pytest.raises(ExportError, match=problem) as caught:
        checked(ACTION_FIELDS, properties, "walk")
    assert "\n" not in caught.value.problems[0]


def test_limits_of_a_bone_are_three_numbers() -> None:
    with pytest.raises(ExportError, match=r"spine: oni2_rotmin \(Lowest Rotation\) must be 3 numbers"):
        checked(BONE_FIELDS, {"oni2_rotmin": (1, 2)}, "spine")
