"""Of a single file the first state is kept beside it: whatever was there that no export from here has written."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from support.lba import lba1_chain
from support.one_edit import edit

Part = Callable[[str], ModuleType]


def forget(part: Part) -> None:
    """As another session begins: what the blocks know is all that is known."""
    writing = part("io.pipeline.destination.writing")
    writing._here.clear()
    writing._own.clear()


def test_of_a_loose_file_the_first_state_is_kept(fetch: Any, write: Any, part: Part, chain: Path, tmp_path: Path) -> None:
    """As of an archive: the game's own file is not written over for ever. What an export has made new is none."""
    path, new = chain / "chain.anm", tmp_path / "new.anm"
    (action,) = fetch(path).actions
    for _ in range(2):
        edit(part, action)
        write(new)
        assert {each.name for each in tmp_path.glob("new*")} == {"new.anm"}
    for _ in range(2):
        edit(part, action)
        write(path)
        assert path.with_name("chain.anm.bak").read_bytes() == lba1_chain.ANM != path.read_bytes()


@pytest.mark.parametrize("again", [False, True], ids=["at once", "in another session"])
def test_the_first_state_is_kept_where_nothing_was_to_be_written_before(
    fetch: Any, write: Any, part: Part, chain: Path, again: bool
) -> None:
    """An export of a clip as it came in finds its file as it is: that is the game's still, and nothing that was written from here."""
    path = chain / "chain.anm"
    (action,) = fetch(path).actions
    assert write(path) == [str(path)]
    if again:
        forget(part)
    edit(part, action)
    write(path)
    assert path.with_name("chain.anm.bak").read_bytes() == lba1_chain.ANM != path.read_bytes()


@pytest.mark.parametrize("again", [False, True], ids=["at once", "in another session"])
def test_the_first_state_of_a_copy_made_by_hand_is_kept(
    fetch: Any, write: Any, part: Part, chain: Path, tmp_path: Path, again: bool
) -> None:
    """Somebody has put a copy of the game's file elsewhere; an export finds nothing to write there, twice, and then an edit goes there."""
    path = tmp_path / "copy.anm"
    (action,) = fetch(chain / "chain.anm").actions
    shutil.copyfile(chain / "chain.anm", path)
    for _ in range(2):
        assert write(path) == [str(path)]
        if again:
            forget(part)
    for _ in range(2):
        edit(part, action)
        write(path)
        assert path.with_name("copy.anm.bak").read_bytes() == lba1_chain.ANM != path.read_bytes()


@pytest.mark.parametrize("again", [False, True], ids=["at once", "in another session"])
def test_what_an_export_has_made_stays_its_own(fetch: Any, write: Any, part: Part, chain: Path, tmp_path: Path, again: bool) -> None:
    """Also where the next export had nothing to write: no .bak of what was made from here."""
    path = tmp_path / "new.anm"
    (action,) = fetch(chain / "chain.anm").actions
    for _ in range(3):
        write(path)
        if again:
            forget(part)
    edit(part, action)
    write(path)
    assert {each.name for each in tmp_path.glob("new*")} == {"new.anm"}
