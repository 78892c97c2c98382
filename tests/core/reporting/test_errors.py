"""What the operating system refuses, and what errors say."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from retro_anim.core.reporting import manifest
from retro_anim.core.reporting.errors import BlankError, ExportError, FormatError, Problem, RetroAnimError, of_system, reading, with_remedy


def test_one_line(tmp_path: Path) -> None:
    with pytest.raises(RetroAnimError, match=r"none: No such file or directory$"), of_system():
        (tmp_path / "none").read_bytes()
    with pytest.raises(RetroAnimError, match=r"^there is not enough memory: Unable to allocate .*$"), of_system():
        np.empty(1 << 55)


def test_who_reads_the_output_has_had_enough() -> None:
    with pytest.raises(BrokenPipeError), of_system():
        raise BrokenPipeError


def test_a_damaged_file_has_its_name_the_byte_and_what_to_do() -> None:
    """The inner name stays; another error has none."""
    with pytest.raises(FormatError) as caught, reading("a.hqr"):
        raise FormatError("too short", 31)
    assert str(caught.value) == "a.hqr: too short (offset 0x1F)"
    assert with_remedy(caught.value).startswith("a.hqr: too short (offset 0x1F); it is damaged, was cut off, or is something else")
    with pytest.raises(FormatError, match=r"^a\.hqr#3: too short$") as inner, reading("a.hqr"), reading("a.hqr#3"):
        raise BlankError("too short")
    assert with_remedy(inner.value) == "a.hqr#3: too short"
    with pytest.raises(RetroAnimError, match=r"^no$") as other, reading("a.hqr"):
        raise RetroAnimError("no")
    assert with_remedy(other.value) == "no"
    assert str(FormatError("too short", 0)) == "too short (offset 0x0)"


def test_of_an_empty_file_there_is_no_more_to_say(tmp_path: Path) -> None:
    path = tmp_path / "a.hqr"
    path.touch()
    with pytest.raises(FormatError) as caught, reading(str(path)):
        raise FormatError("version: 4 bytes expected, 0 left", 0)
    assert with_remedy(caught.value) == f"{path}: the file is empty: put a whole copy in its place"
    with pytest.raises(FormatError, match=r"#0: no box$"), reading(f"{path}#0"):
        raise FormatError("no box")


def test_an_export_error_says_its_first_five_problems() -> None:
    assert [str(ExportError(list("abcdefg")[:count])) for count in (1, 5, 6, 7)] == [
        "a",
        "a; b; c; d; e",
        "a; b; c; d; e; and 1 more",
        "a; b; c; d; e; and 2 more",
    ]
    assert ExportError("one").problems == ["one"] and not ExportError("one").named


@pytest.mark.parametrize(
    ("problems", "bone", "frame"),
    [
        (["a"], "", None),
        ([Problem("a"), Problem("b", "arm"), Problem("c", "leg", 3.0)], "arm", None),
        (["a", Problem("b", "", 0.0), Problem("c", "leg", 3.0)], "", 0.0),
    ],
)
def test_where_to_look_is_what_the_first_problem_knows(problems: list[str], bone: str, frame: float | None) -> None:
    error = ExportError(problems)
    assert (error.where, error.where.bone, error.where.frame) == (str(error), bone, frame)


def test_another_text_about_the_same_place() -> None:
    other = Problem("a", "arm", 3.0).but("b")
    assert (other, other.bone, other.frame) == ("b", "arm", 3.0)


def test_the_manifest_is_read_from_beside_the_code() -> None:
    assert manifest.read()["id"] == "retro_anim"
