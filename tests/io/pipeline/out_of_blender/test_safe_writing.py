"""Nothing is lost by an export: what is there is known before it is written over, and what is something else is refused."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import pytest
from support.lba import lba1_chain
from support.one_edit import edit

Part = Callable[[str], ModuleType]
OPS: Any = bpy.ops

OTHERS = {"body": lba1_chain.LM1, "palette": bytes(range(64)) * 12, "sound": b"Creative Voice File\x1a" + bytes(300)}


@pytest.fixture
def archive(part: Part, chain: Path) -> Path:
    """chain.hqr: an animation at 0 and 1, then entries of other kinds."""
    result = part("core.lba.files.archive.hqr").Hqr.empty()
    for index, data in enumerate((lba1_chain.ANM, lba1_chain.ANM, *OTHERS.values())):
        result = result.with_entry(index, data)
    path = chain / "chain.hqr"
    path.write_bytes(result.pack())
    return path


def put(part: Part, path: Path, index: int, data: bytes) -> None:
    """Another program at work."""
    path.write_bytes(part("core.lba.files.archive.hqr").Hqr.parse(path.read_bytes()).with_entry(index, data).pack())


@pytest.fixture
def walk(fetch: Any, chain: Path, archive: Path) -> Any:
    imported = fetch(archive, entries="0", skeleton=str(chain / "chain.lm1"))
    return imported.actions[0]


@pytest.fixture
def others_anm(part: Part) -> bytes:
    """The animation as another program left it."""
    anm = part("core.lba.files.anm").Anm.parse(lba1_chain.ANM)
    data = bytearray(anm.pack())
    data[8] ^= 1  # the duration of the first keyframe
    return bytes(data)


@pytest.mark.parametrize("kind", OTHERS)
def test_an_entry_of_another_kind_is_never_replaced(write: Any, archive: Path, walk: Any, errors: Any, kind: str) -> None:
    before, index = archive.read_bytes(), 2 + list(OTHERS).index(kind)
    with pytest.raises(errors, match=rf"chain\.hqr#{index} is an entry of another kind.*'new'"):
        write(archive, entry=str(index), overwrite=True)
    assert archive.read_bytes() == before and not archive.with_name("chain.hqr.bak").exists()


def test_what_another_program_changed_is_left_or_asked_about(
    write: Any, entry: Any, part: Part, archive: Path, walk: Any, others_anm: bytes, errors: Any, said: Any
) -> None:
    put(part, archive, 0, others_anm)
    assert "changed by another program" in said(write, archive)
    assert entry(archive, 0) == others_anm
    edit(part, walk)
    with pytest.raises(errors, match=r"#0 was changed by another program.*choose Replace Anyway to"):
        write(archive)
    assert entry(archive, 0) == others_anm
    changed = archive.read_bytes()
    assert write(archive, overwrite=True) == [f"{archive}#0"]
    assert entry(archive, 0) not in (others_anm, lba1_chain.ANM)
    assert archive.with_name("chain.hqr.bak").read_bytes() == changed
    assert write(archive) == [f"{archive}#0"], "what was written last is known"
    written = entry(archive, 0)
    put(part, archive, 0, others_anm)
    with pytest.raises(errors, match=r"#0 was changed by another program.*choose Replace Anyway to"):
        write(archive)
    write(archive, overwrite=True)
    assert entry(archive, 0) == written, "edits that were written before are edits still"


def test_what_a_copy_was_written_over_is_not_another_programs(write: Any, part: Part, archive: Path, walk: Any, errors: Any) -> None:
    copy = walk.copy()
    edit(part, copy)
    assert write(archive, source="ALL") == [f"{archive}#0"]
    edit(part, walk, 0.2)
    with pytest.raises(errors, match=rf"chain\.hqr#0 holds {copy.name} now: choose Replace Anyway"):
        write(archive, source="ACTIVE")


def test_another_entry_that_changed_is_no_hindrance(
    write: Any, entry: Any, part: Part, archive: Path, walk: Any, others_anm: bytes
) -> None:
    put(part, archive, 1, others_anm)
    edit(part, walk)
    write(archive)
    assert entry(archive, 1) == others_anm and entry(archive, 0) != lba1_chain.ANM


def test_a_loose_file_that_changed_is_left_or_asked_about(
    fetch: Any, write: Any, part: Part, chain: Path, others_anm: bytes, errors: Any, said: Any
) -> None:
    path = chain / "chain.anm"
    (action,) = fetch(path).actions
    path.write_bytes(others_anm)
    assert "changed by another program" in said(write, path)
    assert path.read_bytes() == others_anm
    edit(part, action)
    with pytest.raises(errors, match="changed by another program"):
        write(path)
    write(path, overwrite=True)
    assert path.with_name("chain.anm.bak").read_bytes() == others_anm != path.read_bytes()


def test_an_unedited_clip_touches_nothing(write: Any, archive: Path, walk: Any) -> None:
    archive.chmod(0o444)
    before = archive.stat()
    assert write(archive) == [f"{archive}#0"]
    after = archive.stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_a_read_only_archive_is_said_and_left(write: Any, part: Part, archive: Path, walk: Any, errors: Any) -> None:
    before = archive.read_bytes()
    archive.chmod(0o444)
    edit(part, walk)
    with pytest.raises(errors, match="read-only"):
        write(archive)
    assert archive.read_bytes() == before and {path.name for path in archive.parent.iterdir()} == {"chain.anm", "chain.lm1", "chain.hqr"}


def test_new_stays_the_entry_of_the_action(write: Any, entry: Any, part: Part, archive: Path, walk: Any, tmp_path: Path) -> None:
    assert write(archive, entry="new") == [f"{archive}#5"]
    edit(part, walk)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "saved.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "saved.blend"))
    assert write(archive) == [f"{archive}#5"]
    assert entry(archive, 0) == lba1_chain.ANM != entry(archive, 5)
    assert len(part("core.lba.files.archive.hqr").Hqr.parse(archive.read_bytes())) == 6


def test_of_two_copies_the_edited_one_is_meant(
    write: Any, entry: Any, part: Part, archive: Path, walk: Any, errors: Any, said: Any
) -> None:
    copy = walk.copy()
    copy.name = "amble"
    edit(part, copy)
    text = said(write, archive, source="ALL")
    assert f"amble, a copy of {walk.name}, is written to" in text and f"{walk.name} was not edited" in text
    assert entry(archive, 0) != lba1_chain.ANM
    before = archive.read_bytes()
    edit(part, walk, 0.6)
    edit(part, copy, 0.9)
    with pytest.raises(errors, match=r"both go to .*#0, and differ"):
        write(archive, source="ALL")
    assert archive.read_bytes() == before


def test_a_copy_does_not_write_over_what_its_original_wrote(
    write: Any, entry: Any, part: Part, archive: Path, walk: Any, errors: Any
) -> None:
    """It asks, until it has a place of its own, or was asked to take that one."""
    copy = walk.copy()
    edit(part, walk)
    write(archive)
    edit(part, copy, 0.6)
    part("io.blender.compat").assign(bpy.context.object, copy)
    written = entry(archive, 0)
    with pytest.raises(errors, match=r"chain 0\.001 is a copy of chain 0.*#0: name the entry .*'new'.*or Replace Anyway"):
        write(archive)
    assert entry(archive, 0) == written
    copy["retro_anim_to_entry"] = "new"
    assert write(archive) == [f"{archive}#5"] and entry(archive, 0) == written and "retro_anim_to_entry" not in copy
    edit(part, copy, 0.2)
    assert write(archive) == [f"{archive}#5"]
    third = walk.copy()
    edit(part, third, 0.3)
    part("io.blender.compat").assign(bpy.context.object, third)
    third["retro_anim_to_entry"] = "0"
    with pytest.raises(errors, match=r"changed by another program|copy of"):
        third["retro_anim_to_entry"] = ""
        write(archive)
    third["retro_anim_to_entry"] = "0"
    assert write(archive, overwrite=True) == [f"{archive}#0"] and entry(archive, 0) != written
    edit(part, third, 0.3)
    assert write(archive) == [f"{archive}#0"], "it belongs there now"


def test_an_unedited_copy_asks_nothing(write: Any, archive: Path, walk: Any, part: Part, said: Any) -> None:
    part("io.blender.compat").assign(bpy.context.object, walk.copy())
    assert not said(write, archive)


def test_a_copy_in_a_file_of_its_own(fetch: Any, write: Any, part: Part, chain: Path, tmp_path: Path, errors: Any) -> None:
    path = chain / "chain.anm"
    (action,) = fetch(path).actions
    copy = action.copy()
    edit(part, copy)
    part("io.blender.compat").assign(bpy.context.object, copy)
    with pytest.raises(errors, match=r"is a copy of .*: choose another file, or Replace Anyway"):
        write(path)
    assert path.read_bytes() == lba1_chain.ANM
    assert write(tmp_path / "own.anm") == [str(tmp_path / "own.anm")]


def test_files_of_one_export_never_overwrite_each_other(
    fetch: Any, write: Any, part: Part, chain: Path, tmp_path: Path, errors: Any
) -> None:
    first = fetch(chain / "chain.anm").actions[0]
    second = first.copy()
    first.name, second.name = "Walk", "walk"
    edit(part, second)
    with pytest.raises(errors, match=r"Walk and walk both go to|walk and Walk both go to"):
        write(tmp_path / "out.anm", source="ALL")
    assert not list(tmp_path.glob("*.anm"))
    second.name = "nul"
    (tmp_path / "Walk.anm").write_bytes(lba1_chain.ANM[:8] + b"\1" + lba1_chain.ANM[9:])
    with pytest.raises(errors, match=r"Walk\.anm is there already"):
        write(tmp_path / "out.anm", source="ALL")
    write(tmp_path / "out.anm", source="ALL", overwrite=True)
    assert {path.name for path in tmp_path.glob("*.anm*")} == {"Walk.anm", "Walk.anm.bak", "_nul.anm"}
    write(tmp_path / "out.anm", source="ALL")


def test_a_file_of_another_kind_or_a_folder_is_refused(fetch: Any, write: Any, chain: Path, tmp_path: Path, errors: Any) -> None:
    fetch(chain / "chain.anm")
    shutil.copyfile(chain / "chain.lm1", tmp_path / "body.anm")
    (tmp_path / "folder.anm").mkdir()
    (tmp_path / "folder.hqr").mkdir()
    with pytest.raises(errors, match=r"body\.anm: what is there is of another kind \(LBA1 body\)"):
        write(tmp_path / "body.anm", overwrite=True)
    for name in ("folder.anm", "folder.hqr"):
        with pytest.raises(errors, match="is a folder"):
            write(tmp_path / name, entry="new")
    assert (tmp_path / "body.anm").read_bytes() == lba1_chain.LM1
    before = sorted(tmp_path.iterdir())
    with pytest.raises(RuntimeError, match="is a folder: name a file in it"):
        OPS.export_anim.lba(filepath=f"{tmp_path}/")
    assert sorted(tmp_path.iterdir()) == before


def test_a_file_whose_name_is_none_of_the_game_is_refused(fetch: Any, chain: Path, tmp_path: Path) -> None:
    """A renamed archive opens by what it holds; nothing is written beside it instead. Where no file is there, the extension is added."""
    fetch(chain / "chain.anm")
    shutil.copyfile(chain / "chain.lm1", tmp_path / "ANIM.dat")
    with pytest.raises(RuntimeError, match=r"ANIM\.dat: is there, and its name does not end in \.anm or \.hqr: rename it"):
        OPS.export_anim.lba(filepath=str(tmp_path / "ANIM.dat"))
    assert [path.name for path in tmp_path.glob("ANIM*")] == ["ANIM.dat"]
    OPS.export_anim.lba(filepath=str(tmp_path / "other.dat"))
    assert (tmp_path / "other.dat.anm").is_file()
