"""What a field of a bone map may be: the limits of texts, lists and numbers, from both sides."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from retro_anim.core.reporting.errors import FormatError
from retro_anim.core.retarget.figures.maps import map_fields, map_file


@pytest.mark.parametrize(
    ("read", "value", "result"),
    [
        (map_fields.text, "x" * 1024, "x" * 1024),
        (map_fields.text, "", ""),
        (map_fields.bone, "b", "b"),
        (map_fields.bones, ["a", "b"], ("a", "b")),
        (map_fields.rows, [0] * 20_000, [0] * 20_000),
        (map_fields.number, -1e6, -1e6),
        (map_fields.number, 3, 3.0),
        (map_fields.whole, 2.0, 2),
        (map_fields.part, 0, 0.0),
        (map_fields.part, 1, 1.0),
        (map_fields.factor, 0, 0.0),
        (map_fields.factor, 1000, 1000.0),
        (map_fields.angles, [1, 2.5, -3], (1.0, 2.5, -3.0)),
        (map_fields.truth, False, False),
        (map_fields.fingerprint, "0123456789abcdef", "0123456789abcdef"),
        (map_fields.fingerprint, "", ""),
        (map_fields.roles, {str(bone): "spine" for bone in range(20_000)}, {str(bone): "spine" for bone in range(20_000)}),
        (map_fields.rotations, {str(bone): [1, 0, 0, 0] for bone in range(20_000)}, {str(bone): (1, 0, 0, 0) for bone in range(20_000)}),
    ],
)  # fmt: skip
def test_what_is_within_the_limits(read: Callable[[object], Any], value: object, result: object) -> None:
    given = read(value)
    assert given == result and type(given) is type(result)


def test_rotations_have_a_length_of_one() -> None:
    """Which a person has to write within half and twice of it."""
    given = map_fields.rotations({"a": [0.51, 0, 0, 0], "b": [0, 0, 1.14, -1.52]})
    assert given == {"a": (1, 0, 0, 0), "b": pytest.approx((0, 0, 0.6, -0.8))}


@pytest.mark.parametrize(
    ("read", "value", "said"),
    [
        (map_fields.text, "x" * 1025, "at most 1024"),
        (map_fields.text, 3, "no text"),
        (map_fields.text, "a\tb", "printable"),
        (map_fields.bone, "", "is empty"),
        (map_fields.bones, ["a", ""], "is empty"),
        (map_fields.rows, [0] * 20_001, "at most 20000"),
        (map_fields.number, 1e6 + 1, "no number"),
        (map_fields.number, -1e6 - 1, "no number"),
        (map_fields.number, "1", "no number"),
        (map_fields.number, float("nan"), "no number"),
        (map_fields.whole, 1.5, "no whole number"),
        (map_fields.part, -0.001, "from 0 to 1"),
        (map_fields.part, 1.001, "from 0 to 1"),
        (map_fields.factor, -0.001, "from 0 to 1000"),
        (map_fields.factor, 1000.5, "from 0 to 1000"),
        (map_fields.angles, [1, 2, 3, 4], "three angles"),
        (map_fields.truth, 1, "neither true nor false"),
        (map_fields.fingerprint, 3, "16 hexadecimal"),
        (map_fields.fingerprint, "0123456789abcdef0", "16 hexadecimal"),
        (map_fields.roles, {str(bone): "spine" for bone in range(20_001)}, "at most 20000"),
        (map_fields.rotations, {str(bone): [1, 0, 0, 0] for bone in range(20_001)}, "at most 20000"),
        (map_fields.rotations, {"a": [0.49, 0, 0, 0]}, "no quaternion"),
        (map_fields.rotations, {"a": [0, 2.01, 0, 0]}, "no quaternion"),
        (map_fields.rotations, {"a": [1, 0, 0]}, "no quaternion"),
        (map_fields.rotations, {"a": [1, 0, 0, 0, 0]}, "no quaternion"),
    ],
)
def test_what_is_beyond_them(read: Callable[[object], Any], value: object, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        read(value)


def test_a_choice_is_told_by_the_first_six() -> None:
    with pytest.raises(ValueError, match=r"is none of b, c, d, e, f, g and 2 more$"):
        map_fields.one_of("", *"bcdefghi")("x")
    assert map_fields.one_of("", "b")("") == ""


def test_what_no_map_has_is_named_in_short() -> None:
    with pytest.raises(FormatError, match=f"'{'a' * 40}'"):
        map_fields.Fields({"b": 1, "a" * 50: 2}, "it").check_empty()


def test_a_file_without_a_version_is_none_of_the_first() -> None:
    """Whatever else it has."""
    document: dict[str, object] = {"format": "retro_anim bone map", "pairs": []}
    with pytest.raises(FormatError, match="version 0"):
        map_file.parse(json.dumps(document).encode())
    with pytest.raises(FormatError, match="is no bone map"):
        map_file.parse(b'{"version": 1, "pairs": []}')
