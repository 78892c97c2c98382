"""`archive restore`: a file, or one of its entries, as it was before the first export."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.lba import lba1_chain

Run = Callable[..., Any]


@pytest.fixture
def files(chain: Path) -> tuple[Path, Path]:
    """chain.hqr with both entries changed and a last one added, and its backup."""
    from retro_anim.core.lba.files.archive.hqr import Hqr

    path = chain / "chain.hqr"
    first = Hqr.parse(lba1_chain.HQR)
    changed = first.with_entry(0, b"first").with_entry(1, b"second").with_entry(len(first), b"added")
    path.write_bytes(changed.pack())
    backup = path.with_name("chain.hqr.bak")
    backup.write_bytes(lba1_chain.HQR)
    return path, backup


def test_the_whole_file(run: Run, files: tuple[Path, Path]) -> None:
    path, backup = files
    ran = run("archive", "restore", path)
    assert (ran.code, ran.out) == (0, f"restored: {path}\n")
    assert path.read_bytes() == backup.read_bytes() == lba1_chain.HQR


def test_one_entry_and_no_other(run: Run, files: tuple[Path, Path]) -> None:
    from retro_anim.core.lba.files.archive.hqr import Hqr

    path, backup = files
    assert run("archive", "restore", path, "1").code == 0
    before, after = Hqr.parse(lba1_chain.HQR), Hqr.parse(path.read_bytes())
    assert [after.read(0), after.read(1), after.read(4)] == [b"first", before.read(1), b"added"]
    assert bytes(after.blobs[after.slots[1]]) == bytes(before.blobs[before.slots[1]]), "packed as it was"
    assert backup.read_bytes() == lba1_chain.HQR
    assert run("archive", "restore", f"{path}#0").out == f"restored: {path}#0\n"
    assert run("archive", "restore", f"{path}#2").out == f"restored: {path}#2 (blank, as it was)\n"
    last = Hqr.parse(path.read_bytes())
    assert [last.read(index) for index in range(2)] == [before.read(index) for index in range(2)]
    assert last.blank(2) and last.read(4) == b"added"


def test_what_cannot_be_restored_is_one_line_and_nothing_changes(run: Run, files: tuple[Path, Path], chain: Path) -> None:
    path, backup = files
    before = path.read_bytes()
    for arguments, problem in (
        ((chain / "chain.anm",), "there is no backup, chain.anm.bak"),
        ((path, "7"), "there is no entry 7"),
        ((path, "4"), "the backup has no entry 4, which was added since, and stays"),
        ((path, "walk"), "no entry is called walk"),
        ((f"{path}#1", "1"), "one too many"),
    ):
        ran = run("archive", "restore", *arguments)
        assert ran.code == 1 and ran.out == "" and problem in ran.err and len(ran.errors) == 1
    backup.write_bytes(b"nonsense")
    assert run("archive", "restore", path, "1").code == 1
    assert path.read_bytes() == before
    assert run("archive").code == run("archive", "restore").code == 2


def test_entries_that_shared_their_bytes_share_them_again() -> None:
    from retro_anim.core.lba.files.archive.hqr import Hqr

    shared = Hqr.empty().with_entry(0, b"walk" * 9).with_entry(1, b"stand")
    shared = Hqr(np.array([0, 1, 0], np.int32), shared.blobs, {})
    before = Hqr.parse(shared.pack())
    changed = before.with_entry(2, b"own")
    assert changed.shared(2) == [] and changed.restored(2, before).pack() == before.pack()
    assert changed.restored(1, before).pack() == changed.pack()


def test_an_instance_of_an_oni_file(run: Run, tmp_path: Path) -> None:
    from retro_anim.core.oni.files.documents import TramFile
    from retro_anim.core.oni.files.onifile import OniFile, Part
    from support.oni.oni_trams import random_tram

    def with_trams(*seeds: int) -> bytes:
        records = [TramFile.new(random_tram(seed)).file.record(0) for seed in seeds]
        parts = [Part(each.tag, f"TRAM{index}", each.level_id, each.body, each.blocks) for index, each in enumerate(records)]
        return OniFile.build(parts).pack()

    path = tmp_path / "both.oni"
    path.write_bytes(with_trams(3, 4))
    path.with_name("both.oni.bak").write_bytes(with_trams(1, 2))
    assert run("archive", "restore", path, "TRAM1").code == 0
    after, first, second = (OniFile.parse(data) for data in (path.read_bytes(), with_trams(3, 4), with_trams(1, 2)))
    assert vars(after.record(0)) == vars(first.record(0)) and vars(after.record(1)) == vars(second.record(1))
