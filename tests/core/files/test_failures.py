"""Entries of a file that fail alike are one line; whatever differs in more than numbers has its own."""

from __future__ import annotations

from retro_anim.core.files import failures


def test_entries_that_fail_alike_are_one_line() -> None:
    many = [(f"a.hqr#{index}", f"entry {index} lies outside the file, at 0x{index + 9:X} (offset 0x{4 * index:X})") for index in range(195)]
    other = [("a.hqr#7", "entry 7 is cut off"), ("b.hqr#7", many[7][1]), ("a.hqr", "not an archive"), ("c.anm", "too short")]
    assert failures.lines([*many, *other], "--json lists all") == [
        "a.hqr: 195 entries with the same fault (0, 1, 2, 3, 4 and 190 more; --json lists all), the first: "
        "entry 0 lies outside the file, at 0x9 (offset 0x0)",
        *(f"{where}: {problem}" for where, problem in other),
    ]


def test_a_few_have_a_line_each() -> None:
    few = [(f"a.hqr#{index}", f"entry {index} is cut off") for index in range(5)]
    assert failures.lines(few) == [f"{where}: {problem}" for where, problem in few]
    files = [(f"{name}.anm", "too short") for name in range(50)]
    assert len(failures.lines(files)) == 50


def test_what_is_wrong_in_many_places_of_a_file_is_one_line() -> None:
    attacks = [("a.oni", f"attack {number} goes from frame 9 to {number}") for number in range(1, 256)]
    other = [("a.oni", "no such type"), ("b.dat#TRAMb", attacks[0][1])]
    assert failures.lines([*attacks, *other], "--json lists all") == [
        "a.oni: attack 1 goes from frame 9 to 1 (one of 255 alike; --json lists all)",
        *(f"{where}: {problem}" for where, problem in other),
    ]
