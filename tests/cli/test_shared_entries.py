"""Thousands of slots of an archive may show the same bytes: what these are is asked once, not once a slot."""

from __future__ import annotations

import json
import os
import struct
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from retro_anim.cli import report
from retro_anim.core import archives
from retro_anim.core.lba.contents import contents
from retro_anim.core.lba.files.archive import hqr, hqr_table, lz
from retro_anim.core.lba.formats import entry_facts
from support.lba import lba1_chain as chain

from .conftest import Ran

Run = Callable[..., Ran]
SLOTS = 4000


@pytest.fixture
def crowded(tmp_path: Path) -> Path:
    """An archive of 4000 slots with one blob, an animation, and another blob that is damaged."""
    packed = lz.compress(chain.ANM, 1)
    assert packed is not None
    blob = hqr_table.HEADER.pack(len(chain.ANM), len(packed), 1) + packed
    damaged = hqr_table.HEADER.pack(5000, 4, 1) + b"\x00\xff\xff\xff"
    start = 4 * (SLOTS + 3)
    second = start + len(blob)
    table = struct.pack(f"<{SLOTS + 3}I", *[start] * SLOTS, second, second, second + len(damaged))
    path = tmp_path / "ANIM.HQR"
    path.write_bytes(table + blob + damaged)
    (tmp_path / "BODY.HQR").write_bytes(b"no archive")
    return path


@pytest.fixture
def unpacked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The sizes of what is unpacked from now on."""
    sizes: list[int] = []
    expand = lz.expand

    def counted(data: memoryview, size: int, method: int) -> tuple[bytes, int]:
        sizes.append(size)
        return expand(data, size, method)

    monkeypatch.setattr(hqr.lz, "expand", counted)
    return sizes


def test_info(run: Run, crowded: Path, unpacked: list[int]) -> None:
    tracemalloc.start()
    ran = run("info", crowded, "--json")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    (facts,) = ran.json["files"]
    first, last = (next(each for each in facts["contents"] if each["index"] == index) for index in (0, SLOTS - 1))
    assert (first["format"], first["bones"], first["frames"]) == ("ANM", 5, 4)
    assert {**first, "path": "", "index": 0, "shared_with": []} == {**last, "path": "", "index": 0, "shared_with": []}
    assert last["path"] == f"{crowded}#{SLOTS - 1}" and last["shared_by"] == SLOTS and last["shared_with"] == list(range(100))
    assert [failed["path"] for failed in ran.json["failed"]] == [f"{crowded}#{SLOTS}", f"{crowded}#{SLOTS + 1}"]
    assert len(unpacked) <= 8  # each of the two to see what bodies there are, and what it is
    assert peak < 60_000_000


def test_a_large_document_is_not_held_as_text(monkeypatch: pytest.MonkeyPatch) -> None:
    document = {"contents": [{"shared_with": list(range(1000))}] * 300}
    size = len(json.dumps(document, indent=2))
    with Path(os.devnull).open("w") as nowhere:
        monkeypatch.setattr(sys, "stdout", nowhere)
        tracemalloc.start()
        report.show_json(document)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < size / 20


def test_who_shares_what_takes_no_longer_for_more_of_them() -> None:
    """The hundred that are named, and how many there are, with no list of all of them for each."""
    blob = hqr_table.HEADER.pack(4, 4, 0) + bytes(4)
    archive = hqr.Hqr(np.zeros(20_000, np.int32), (blob,), {})
    assert entry_facts(archive, 50)["shared_with"] == [*range(50), *range(51, 101)]
    tracemalloc.start()
    facts = entry_facts(archive, 19_999)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (facts["shared_with"], facts["shared_by"]) == (list(range(100)), 20_000)
    assert peak < 8000


def test_lists(crowded: Path, unpacked: list[int]) -> None:
    assert [entry["label"] for entry in archives.listed(str(crowded))[:2]] == ["LBA animation"] * 2
    assert len(unpacked) <= 8  # each of the two to see who there is, and what it is
    assert len(contents(str(crowded))["entries"]) == SLOTS + 2
    assert len(unpacked) <= 10
