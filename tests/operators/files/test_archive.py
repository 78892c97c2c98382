"""Archives managed from the window: any entry taken out, replaced, added and blanked, with the first state kept."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import bpy
import pytest
from support.blender_layout import Layout

OPS: Any = bpy.ops
Part = Callable[[str], ModuleType]
SAMPLE = Path(__file__).resolve().parents[3] / "samples" / "lba1"


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    shutil.copytree(SAMPLE, tmp_path / "game", copy_function=shutil.copyfile)
    return tmp_path / "game" / "ANIM.HQR"


@pytest.fixture
def read(part: Part) -> Callable[[Path], list[bytes | None]]:
    hqr = part("core.lba.files.archive.hqr").Hqr

    def entries(path: Path) -> list[bytes | None]:
        document = hqr.parse(path.read_bytes())
        return [None if document.blank(index) else document.read(index) for index in range(len(document))]

    return entries


def test_replaced_added_blanked_and_taken_out(archive: Path, read: Any, tmp_path: Path) -> None:
    before, first = read(archive), archive.read_bytes()
    picture = tmp_path / "picture.bin"
    picture.write_bytes(b"of a kind that nobody knows" * 9)
    run = OPS.retro_anim.archive_entry
    assert run(how="REPLACE", archive=str(archive), entries="1", filepath=str(picture)) == {"FINISHED"}
    assert run(how="ADD", archive=str(archive), filepath=str(picture)) == {"FINISHED"}
    assert run(how="BLANK", archive=str(archive), entries="0") == {"FINISHED"}
    assert read(archive) == [None, picture.read_bytes(), *before[2:], picture.read_bytes()]
    assert archive.with_name("ANIM.HQR.bak").read_bytes() == first
    (tmp_path / "out").mkdir()
    assert run(how="EXTRACT", archive=str(archive), entries="1-2", directory=str(tmp_path / "out")) == {"FINISHED"}
    assert sorted(path.read_bytes() for path in (tmp_path / "out").iterdir()) == sorted([picture.read_bytes(), before[2]])
    with pytest.raises(RuntimeError, match="is there already"):
        run(how="EXTRACT", archive=str(archive), entries="1", directory=str(tmp_path / "out"))
    with pytest.raises(RuntimeError, match="one entry is replaced by one file"):
        run(how="REPLACE", archive=str(archive), entries="1,2", filepath=str(picture))


def test_opening_the_list_leaves_what_the_last_run_said(archive: Path, part: Part) -> None:
    """Without a window the dialog itself does not open."""
    said = bpy.context.window_manager.retro_anim_messages
    OPS.import_anim.lba(filepath=str(archive), entries="0")
    before = [line.name for line in said.lines]
    asked = SimpleNamespace(filepath=str(archive), report=lambda *_: None)
    with pytest.raises(TypeError, match="invoke_props_dialog"):
        part("operators.files.archive").RETRO_ANIM_OT_archive.invoke(asked, bpy.context, None)
    assert len(bpy.context.window_manager.retro_anim_archive.entries) > 0
    assert before and [line.name for line in said.lines] == before


def test_the_dialog_has_one_button_below_what_it_does_at_once(archive: Path, part: Part) -> None:
    """Everything in it is done when it is clicked: there is nothing that could be cancelled."""
    manager = part("operators.files.archive")
    part("operators.files.entries").fill(manager.archive_of(bpy.context), str(archive))
    drawn: list[Any] = []
    manager.RETRO_ANIM_OT_archive.draw(SimpleNamespace(layout=Layout(drawn)), bpy.context)
    assert drawn[-1] == "Close" and "Cancel" not in drawn


def test_beside_the_files_to_choose_from_is_no_list(part: Part) -> None:
    """Of an archive that is not chosen yet, or was before, with buttons that would change it."""
    drawn: list[Any] = []
    browser = SimpleNamespace(space_data=SimpleNamespace(type="FILE_BROWSER"), region=None)
    part("operators.files.archive").RETRO_ANIM_OT_archive.draw(SimpleNamespace(layout=Layout(drawn)), browser)
    assert " ".join(drawn) == "Choose an archive: all of its entries are listed then"


def test_the_list_shows_every_entry_and_its_buttons_mean_what_is_ticked(archive: Path, part: Part, read: Any) -> None:
    manager = part("operators.files.archive")
    listed = manager.archive_of(bpy.context)
    part("operators.files.entries").fill(listed, str(archive))
    assert [item.kind for item in listed.entries] == ["LBA animation"] * len(read(archive)) and listed.entries[1].size
    listed.entries[1].chosen = listed.entries[2].chosen = True
    before = read(archive)
    assert OPS.retro_anim.archive_entry(how="BLANK") == {"FINISHED"}
    assert read(archive) == [before[0], None, None, *before[3:]]
    assert [item.kind for item in listed.entries][:3] == ["LBA animation", "blank", "blank"], "listed anew"


def test_what_is_no_archive(archive: Path, part: Part) -> None:
    with pytest.raises(RuntimeError, match="no archive was chosen"):
        part("operators.files.archive").archive_of(bpy.context).path = ""
        OPS.retro_anim.archive_entry(how="BLANK", entries="0")
    with pytest.raises(RuntimeError, match="no archive, so it has no entries"):
        OPS.retro_anim.archive_entry(how="BLANK", archive=str(archive.with_name("walk.anm")), entries="0")


@pytest.mark.parametrize(("how", "says"), [("ADD", "Add: a new entry"), ("REPLACE", "Replace: 2")])
def test_the_file_browser_says_which_entry_a_file_is_for(archive: Path, part: Part, how: str, says: str) -> None:
    manager, drawn = part("operators.files.archive"), list[str]()
    listed = manager.archive_of(bpy.context)
    part("operators.files.entries").fill(listed, str(archive))
    listed.index = 2
    kind = manager.RETRO_ANIM_OT_archive_entry
    owner = SimpleNamespace(how=how, entries="", archive="", layout=Layout(drawn))
    owner._entries = lambda context: kind._entries(owner, context)
    kind.draw(owner, bpy.context)
    assert drawn == [says]


@pytest.mark.parametrize(
    ("name", "how", "label"),
    [("extract", "EXTRACT", "Extract Here"), ("replace", "REPLACE", "Replace Entry"), ("add", "ADD", "Add to Archive")],
)
def test_the_file_browser_opens_beside_the_archive_and_its_button_says_what_it_does(
    archive: Path, part: Part, name: str, how: str, label: str
) -> None:
    """Its button is named after the operator."""
    manager, asked = part("operators.files.archive"), list[Any]()
    part("operators.files.entries").fill(manager.archive_of(bpy.context), str(archive))
    kind = getattr(manager, f"RETRO_ANIM_OT_archive_{name}")
    operator = getattr(OPS.retro_anim, f"archive_{name}")
    assert (kind.bl_label, operator.get_rna_type().properties["how"].default) == (label, how)
    owner = SimpleNamespace(how=how, archive="", directory="")
    own = SimpleNamespace(fileselect_add=asked.append, retro_anim_archive=manager.archive_of(bpy.context))
    kind.invoke(owner, SimpleNamespace(window_manager=own), None)
    assert asked == [owner] and Path(owner.directory) == archive.parent


def test_without_an_archive_at_hand_the_file_browser_opens_where_one_was(
    archive: Path, part: Part, monkeypatch: pytest.MonkeyPatch
) -> None:
    manager, asked = part("operators.files.archive"), list[Any]()
    monkeypatch.setattr(part("operators.files.entries"), "archive_at_hand", lambda _context: "")
    monkeypatch.setattr(manager.preferences, "last_folder", lambda _context, game: str(archive.parent) if game == "lba" else "")
    owner = SimpleNamespace(filepath="")
    manager.RETRO_ANIM_OT_archive.invoke(owner, SimpleNamespace(window_manager=SimpleNamespace(fileselect_add=asked.append)), None)
    assert asked == [owner] and owner.filepath == f"{archive.parent}{os.sep}"


def test_the_panel_manages_the_archive_of_the_active_clip(archive: Path, part: Part) -> None:
    """A character is chosen from the game's list of characters; its clips are in another archive."""
    assert OPS.import_anim.lba(filepath=str(archive.with_name("FILE3D.HQR")), entities="0") == {"FINISHED"}
    listing = part("operators.files.listing")
    browser = listing.browser_of(bpy.context)
    browser.path = str(archive.with_name("FILE3D.HQR"))
    assert part("operators.files.entries").archive_at_hand(bpy.context) == str(archive)
    bpy.context.view_layer.objects.active = None
    assert part("operators.files.entries").archive_at_hand(bpy.context) == browser.path, "no clip: the one that was chosen from last"


def test_an_entry_is_added_by_the_button_of_its_own(archive: Path, part: Part, read: Any) -> None:
    manager = part("operators.files.archive")
    part("operators.files.entries").fill(manager.archive_of(bpy.context), str(archive))
    before = read(archive)
    assert OPS.retro_anim.archive_add(filepath=str(archive.with_name("walk.anm"))) == {"FINISHED"}
    assert read(archive)[: len(before)] == before and len(read(archive)) == len(before) + 1


def test_entries_are_brought_back_from_the_first_state(archive: Path, part: Part, read: Any) -> None:
    manager, before = part("operators.files.archive"), read(archive)
    run = OPS.retro_anim.archive_entry
    assert run(how="BLANK", archive=str(archive), entries="0-2") == {"FINISHED"}
    assert run(how="RESTORE", archive=str(archive), entries="0,2") == {"FINISHED"}
    assert read(archive) == [before[0], None, *before[2:]]
    drawn = list[str]()
    for buttons in (2, 1):
        part("operators.files.entries").fill(manager.archive_of(bpy.context), str(archive))
        manager.RETRO_ANIM_OT_archive.draw(SimpleNamespace(layout=Layout(drawn)), bpy.context)
        assert drawn.count("retro_anim.archive_entry") == buttons, "Blank, and Restore where there is a first state"
        archive.with_name("ANIM.HQR.bak").unlink(missing_ok=True)
        drawn.clear()
    with pytest.raises(RuntimeError, match="no backup"):
        run(how="RESTORE", archive=str(archive), entries="1")


def test_the_active_entry_stays_so_and_a_new_one_becomes_it(archive: Path, part: Part, read: Any) -> None:
    """Whoever presses Blank twice would blank the first entry."""
    manager = part("operators.files.archive")
    listed = manager.archive_of(bpy.context)
    part("operators.files.entries").fill(listed, str(archive))
    listed.index = 2
    assert OPS.retro_anim.archive_entry(how="BLANK") == {"FINISHED"} and listed.index == 2
    assert OPS.retro_anim.archive_add(filepath=str(archive.with_name("walk.anm"))) == {"FINISHED"}
    assert listed.index == len(listed.entries) - 1 == len(read(archive)) - 1
    asked = list[tuple[str, bool]]()
    monkey = SimpleNamespace(invoke_confirm=lambda *_, message, translate, **__: asked.append((message, translate)))
    owner = SimpleNamespace(how="BLANK", _entries=lambda context: "2")
    manager.RETRO_ANIM_OT_archive_entry.invoke(owner, SimpleNamespace(window_manager=monkey), None)
    assert asked == [("Entry 2: the first state of the archive is kept as a .bak", False)]


def test_the_browser_below_shows_what_the_archive_holds_now(archive: Path, part: Part) -> None:
    choose, listing = part("operators.files.choosing"), part("operators.files.listing")
    game = part("core.games").GAMES["lba"]
    browser = listing.browser_of(bpy.context)
    assert listing.fill(browser, game, part("io.pipeline.games").contents(game, str(archive), {}), str(archive))
    browser.tab = "entries"
    keys = [line.key for line in browser.lines if line.page == "entries"]
    next(line for line in browser.lines if line.page == "entries" and line.key == "3").chosen = True
    browser.index = next(number for number, line in enumerate(browser.lines) if line.page == "entries" and line.key == "2")
    assert OPS.retro_anim.archive_entry(how="BLANK", archive=str(archive), entries="1") == {"FINISHED"}
    assert OPS.retro_anim.archive_entry(how="ADD", archive=str(archive), filepath=str(archive.with_name("walk.anm"))) == {"FINISHED"}
    here = [line for line in browser.lines if line.page == "entries"]
    assert [line.key for line in here] == [*(key for key in keys if key != "1"), str(len(keys))]
    assert (listing.keys(browser), browser.tab, browser.lines[browser.index].key) == (["3"], "entries", "2")
    assert choose.look_again(bpy.context, "another") is None


def test_entries_are_called_by_name(archive: Path, part: Part, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By who uses them, or by a list of a person's own; they are searched by it, and where nobody has a name is no column for it."""
    manager, entries = part("operators.files.archive"), part("operators.files.entries")
    listed = manager.archive_of(bpy.context)

    def drawn() -> list[str]:
        result = list[str]()
        manager.RETRO_ANIM_OT_archive.draw(SimpleNamespace(layout=Layout(result)), bpy.context)
        return result

    entries.fill(listed, str(archive))
    browser = part("core.lba.contents").listed(str(archive))["entries"]
    assert [f"{item.number} {item.called}" for item in listed.entries] == [line.title for line in browser]
    assert "walk" in listed.entries[1].called and "walk" in listed.entries[1].name and "Name" in drawn()
    (tmp_path / "names").mkdir()
    (tmp_path / "names" / "ANIM.HQR.json").write_text('{"entries": [{"description": "stands about"}]}', encoding="utf-8")
    monkeypatch.setattr(part("operators.shared.preferences"), "names_folder", lambda _context: str(tmp_path))
    entries.fill(listed, str(archive))
    assert listed.entries[0].called == "stands about" and "walk" in listed.entries[1].called
    monkeypatch.undo()
    alone = tmp_path / "OTHER.HQR"
    shutil.copyfile(archive, alone)
    entries.fill(listed, str(alone))
    assert [item.called for item in listed.entries] == [""] * len(browser) and "Name" not in drawn()
