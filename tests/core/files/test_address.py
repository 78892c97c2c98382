"""FILE#ENTRY and the words that choose entries."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from retro_anim.core.files.address import select, spelled, split
from retro_anim.core.reporting import log
from retro_anim.core.reporting.errors import RetroAnimError
from support import counted

NAMES = {0: "TRAMWALK", 1: "TRAMrun", 3: "ONCC_a"}


def test_a_path_and_its_entry(tmp_path: Path) -> None:
    assert split("ANIM.HQR#12") == ("ANIM.HQR", "12")
    assert split("ANIM.HQR") == ("ANIM.HQR", "")
    assert split("a#b#c") == ("a#b", "c")
    there = tmp_path / "song #1.hqr"
    there.write_bytes(b"")
    assert split(str(there)) == (str(there), ""), "what exists as it stands wins"
    assert split(f"{there}#4") == (str(there), "4")


@pytest.mark.parametrize(
    ("wanted", "chosen"),
    [
        ("", [0, 1, 2, 3, 4]),
        ("*", [0, 1, 2, 3, 4]),
        ("3", [3]),
        ("3,1", [3, 1]),
        ("1-3", [1, 2, 3]),
        ("3;1 3, 2", [3, 1, 2]),
        ("2-99", [2, 3, 4]),
        ("0-0", [0]),
    ],
)
def test_numbers_and_ranges(wanted: str, chosen: list[int]) -> None:
    assert select(wanted, 5) == chosen


@pytest.mark.parametrize(
    ("wanted", "chosen"), [("tramwalk", [0]), ("TRAM*", [0, 1]), ("*a", [3]), ("ONCC_?", [3]), ("TRAM*,1,4", [0, 1, 4])]
)
def test_names_and_wildcards(wanted: str, chosen: list[int]) -> None:
    assert select(wanted, 5, NAMES) == chosen


@pytest.mark.parametrize(
    ("wanted", "chosen"), [("nurse, old", [1]), ("*old; 3", [1, 3]), ("0;Old Nurse", [0, 2]), ("nurse*", [1]), ("0, 2", [0, 2])]
)
def test_names_of_several_parts(wanted: str, chosen: list[int]) -> None:
    assert select(wanted, 5, {1: "Nurse, old", 2: "Old Nurse"}) == chosen


@pytest.mark.parametrize(
    ("wanted", "chosen"), [("walk[1].anim", [0]), ("a; b", [1]), ("2;WALK[1].anim", [2, 0]), ("walk[12].*", [2]), ("walk*", [0, 2])]
)
def test_names_with_what_separates_names_and_stands_for_letters(wanted: str, chosen: list[int]) -> None:
    assert select(wanted, 5, {0: "walk[1].anim", 1: "a; b", 2: "walk1.anim"}) == chosen


@pytest.mark.parametrize(
    ("wanted", "chosen"), [("Old Nurse", [1, 3]), ("0; old nurse", [0, 1, 3]), ("Old", []), ("Old Nurse; Nurse", [1, 3, 2])]
)
def test_the_name_of_a_character_means_all_its_clips(wanted: str, chosen: list[int]) -> None:
    """Of one whose own name begins alike none."""
    names = {1: "Old Nurse: walk", 2: "Nurse: walk", 3: "Old Nurse: stand", 4: "Old Nurses: stand"}
    if chosen:
        assert select(wanted, 5, names) == chosen
    else:
        with pytest.raises(RetroAnimError, match="no entry is called Old"):
            select(wanted, 5, names)


def test_all_of_many_are_chosen_one_by_one() -> None:
    """As Tick All does: the whole archive of a game. None of them is compared with all others."""
    names = {index: f"Entity/someone/walk_{index}.anim" for index in range(6000)}
    with counted.calls() as calls:
        assert select(",".join(map(str, names)), 6000, names) == list(names)
    assert calls() < 50 * len(names)


def test_a_name_that_looks_like_a_number_wins() -> None:
    assert select("3", 5, {1: "3"}) == [1]


@pytest.mark.parametrize("wanted", ["5", "9", "3-1", "x", "-1", "1-", "1-2-3", "TRAM", "²", "9" * 5000, "1-" + "9" * 5000])
def test_what_means_nothing_is_told(wanted: str) -> None:
    with pytest.raises(RetroAnimError, match="no entry"):
        select(wanted, 5, NAMES)


@pytest.mark.parametrize(
    ("wanted", "answer"),
    [
        ("twinsen, normal walk", "no entry is called twinsen, normal walk: did you mean Twinsen, normal?"),
        ("grob, 7", "no entry is called grob: did you mean Grobo?"),
        ("grobos", "no entry is called grobos: did you mean Grobo?"),
        ("Zoe", "no entry is called Zoe: there are Twinsen, normal; Grobo; s"),
    ],
)
def test_an_unknown_name_is_answered_with_like_ones(wanted: str, answer: str) -> None:
    """A name with commas is given whole where no part of it means anything."""
    with pytest.raises(RetroAnimError) as raised:
        select(wanted, 9, {0: "Twinsen, normal", 1: "Grobo", 2: "", 3: "s"})
    assert str(raised.value) == answer


@given(st.text(max_size=12), st.integers(0, 9))
def test_any_words_choose_entries_or_are_refused(wanted: str, count: int) -> None:
    try:
        chosen = select(wanted, count)
    except RetroAnimError:
        return
    assert len(set(chosen)) == len(chosen) and all(0 <= entry < count for entry in chosen)


@pytest.mark.parametrize(("indices", "text"), [([], ""), ([4], "4"), ([0, 1], "0-1"), ([0, 2, 3, 4, 9], "0,2-4,9")])
def test_entries_are_spelled_as_they_are_chosen(indices: list[int], text: str) -> None:
    assert spelled(indices) == text
    assert not text or select(text, 10) == indices


@pytest.mark.parametrize(("wanted", "said"), [("2-4", False), ("4", False), ("2-5", True), ("0-99", True)])
def test_a_range_beyond_the_end_is_told(wanted: str, said: bool) -> None:
    """What there is of it is meant; of one within nothing is said."""
    with log.collect() as reported:
        assert select(wanted, 5)[-1] == 4
    assert bool(reported.digest("WARNING")) == said
