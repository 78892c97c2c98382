"""Work of several parts: one that fails is reported, and the others are done."""

from __future__ import annotations

from pathlib import Path

import pytest
from retro_anim.core.reporting import log, partial
from retro_anim.core.reporting.errors import FormatError, RetroAnimError
from retro_anim.core.reporting.progress import StoppedError


def number(text: str) -> int:
    if not text.isdigit():
        raise FormatError("no number", path=text)
    return int(text)


def test_the_others_are_done() -> None:
    with log.collect() as said:
        assert partial.each(["1", "x", "3"], number) == [1, 3]
    assert [str(message) for message in said.of("ERROR")] == ["x: no number"]


def test_nothing_done_is_the_first_failure() -> None:
    with log.collect() as said, pytest.raises(FormatError, match="x: no number"):
        partial.each(["x", "y"], number)
    assert [str(message) for message in said.of("ERROR")] == ["y: no number"]
    assert partial.each([], number) == []


def test_what_the_system_refuses_is_a_part_that_fails(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("7")
    with log.collect() as said:
        assert partial.each([tmp_path / "none", tmp_path / "a"], Path.read_text) == ["7"]
    assert "No such file" in str(said.of("ERROR")[0])


def test_a_stop_ends_all_parts() -> None:
    def stopped(_: str) -> None:
        raise StoppedError("stopped")

    with pytest.raises(RetroAnimError, match="stopped"):
        partial.each(["1", "2"], stopped)
