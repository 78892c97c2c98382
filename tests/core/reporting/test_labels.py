"""Names as Blender takes them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from retro_anim.core.reporting.labels import counted_from, first_few, label, unique

NAMES = st.text(st.characters(), max_size=90)
"""Halves of characters included."""

LIMIT = 63
"""Bytes in most of Blender's names."""


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Bip01 L Hand", "Bip01 L Hand"),
        ("a\0b", "a\\x00b"),
        ("\x1b[31m\x7f\x9b", "\\x1b[31m\\x7f\\x9b"),
        ("left‮right", "left\\u202eright"),
        ("骨头", "骨头"),
        (b"\xff\xfeBip".decode("utf-8", "surrogateescape"), "\\xff\\xfeBip"),
        ("\ud83d", "\\ud83d"),
        ("", "unnamed"),
        ("  ", "unnamed"),
        ("x" * 300, "x" * 63),
        ("骨" * 22, "骨" * 21),
    ],
)
def test_one_name(text: str, shown: str) -> None:
    assert label(text) == shown


@given(names=st.lists(NAMES, max_size=12), taken=st.lists(NAMES, max_size=3))
def test_many_names(names: list[str], taken: list[str]) -> None:
    result = unique(names, taken)
    assert len(set(result)) == len(names)
    assert not set(result) & set(taken)
    assert all(0 < len(name.encode()) <= LIMIT and name.isprintable() for name in result if name.isascii())
    assert unique(result) == result


def test_a_thousand_of_one_name_are_told_apart() -> None:
    assert unique(["x" * 300] * 1200)[-1] == "x" * 58 + ".1199"


def test_of_long_lists_the_first_are_named_and_the_rest_counted() -> None:
    assert first_few(["a", "b"], 2) == "a, b"
    assert first_few([1, 2, 3, 4], 3) == "1, 2, 3 and 1 more"
    assert counted_from("arm", 1, "bone") == "arm"
    assert counted_from("arm", 3, "bone") == "3 bones (first: arm)"
    assert first_few([]) == ""
