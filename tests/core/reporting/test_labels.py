"""Names as Blender takes them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from retro_anim.core.reporting.labels import counted, counted_from, escaped, first_few, label, line, natural, spans, unique, with_article

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
    assert first_few(["Twinsen, normal, walk", "run"]) == "Twinsen, normal, walk; run"
    assert first_few(["a", "b"], between=" or ") == "a or b"


@pytest.mark.parametrize(("limit", "shown"), [(7, "骨头"), (6, "骨头"), (5, "骨"), (3, "骨"), (2, "un"), (0, "")])
def test_a_name_is_cut_between_its_characters(limit: int, shown: str) -> None:
    """Of three bytes each; where none fits it is called otherwise."""
    assert label("骨头", limit=limit) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\u00a0b", "a\u00a0b"),
        ("a b\n", "a b\\x0a"),
        ("\x9f", "\\x9f"),
        ("\u2028", "\\u2028"),
        ("\U000e0001", "\\U000e0001"),
        ("\udcff", "\\xff"),
    ],
)
def test_what_controls_a_terminal_is_escaped(text: str, shown: str) -> None:
    assert escaped(text) == shown


def test_a_message_is_one_line_of_bounded_length() -> None:
    assert line("x" * 1000) == "x" * 1000
    assert line("a" * 600 + "b" * 401) == "a" * 500 + " ... " + "a" * 99 + "b" * 401
    assert line("a\nb") == "a\\x0ab"


@pytest.mark.parametrize(
    ("noun", "spoken"),
    [
        ("LBA body", "an LBA body"),
        ("animation", "an animation"),
        ("bone", "a bone"),
        ("Animation", "an Animation"),
        ("TRAM", "a TRAM"),
        ("LPs", "an LPs"),
        ("HQR", "an HQR"),
        ("Bone", "a Bone"),
        ("Oni", "an Oni"),
    ],
)
def test_nouns_have_the_article_that_is_spoken(noun: str, spoken: str) -> None:
    assert with_article(noun) == spoken


def test_numbers_with_their_nouns() -> None:
    assert [counted(number, "entry", "entries") for number in (0, 1, 2)] == ["0 entries", "1 entry", "2 entries"]
    assert counted(3, "bone") == "3 bones" and counted(1, "bone") == "1 bone"
    assert counted_from("arm", 2, "bone") == "2 bones (first: arm)"


def test_names_are_sorted_as_people_count() -> None:
    assert sorted(["b1", "A10", "a9", "a9b2", "a", "10", "9"], key=natural) == ["9", "10", "a", "a9", "a9b2", "A10", "b1"]


def test_numbers_that_follow_each_other_are_a_span() -> None:
    assert spans(["3", "5", "6", "7", "9", "10", "arm", "b1", "b2"]) == "3, 5-7, 9, 10, arm, b1, b2"
    assert spans(["2"]) == "2" and spans([]) == ""
