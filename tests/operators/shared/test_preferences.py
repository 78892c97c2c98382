"""The games that were opened are remembered, and the menu opens the browser on them."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import bpy as blender
import pytest
from support.blender_layout import Layout

bpy: Any = blender
OPS: Any = bpy.ops
SAMPLES = Path(__file__).resolve().parents[3] / "samples"
Part = Callable[[str], ModuleType]


@pytest.fixture
def own(part: Part) -> Iterator[Any]:
    own = part("operators.shared.preferences").preferences(bpy.context)
    own.remembered.clear()
    yield own
    own.remembered.clear()


def remembered(own: Any) -> list[tuple[str, str]]:
    return [(item.game, Path(item.name).name) for item in own.remembered]


def test_what_a_person_has_chosen_from_is_remembered(own: Any) -> None:
    for file in ("lba1/ANIM.HQR", "lba2/ANIM.HQR", "lba1/ANIM.HQR"):
        OPS.import_anim.lba_choose(filepath=str(SAMPLES / file), entities="0", ask=True)
    OPS.import_anim.oni2_choose(filepath=str(SAMPLES / "oni2/RB.DAT"), entries="Entity/mannequin/*")
    assert [Path(item.name).parent.name for item in own.remembered] == ["lba1", "lba2"], "a script's imports are not"


def test_it_can_be_left_out_and_forgotten(own: Any) -> None:
    own.remember = False
    OPS.import_anim.lba_choose(filepath=str(SAMPLES / "lba1/ANIM.HQR"), entities="0", ask=True)
    assert remembered(own) == []
    own.remember = True
    OPS.import_anim.lba_choose(filepath=str(SAMPLES / "lba1/ANIM.HQR"), entities="0", ask=True)
    assert remembered(own) == [("lba", "ANIM.HQR")]
    assert OPS.retro_anim.forget(index=1) == {"CANCELLED"}
    assert OPS.retro_anim.forget(index=0) == {"FINISHED"} and remembered(own) == []


def test_no_more_than_a_menu_has_room_for(part: Part, own: Any, tmp_path: Path) -> None:
    preferences = part("operators.shared.preferences")
    for number in range(preferences.MOST + 3):
        preferences.remember(bpy.context, "lba", str(tmp_path / str(number) / "ANIM.HQR"))
    assert len(own.remembered) == preferences.MOST
    assert Path(own.remembered[0].name).parent.name == str(preferences.MOST + 2)


def test_entries_of_the_menu_differ(part: Part) -> None:
    shown = part("operators.shared.preferences").shown
    assert shown(["/a/LBA/ANIM.HQR", "/b/c/LBA/ANIM.HQR", "/b/LBA2/ANIM.HQR"]) == ["a/LBA/ANIM.HQR", "c/LBA/ANIM.HQR", "LBA2/ANIM.HQR"]
    assert shown(["/client", "/client"]) == ["//client", "//client"]


def test_the_menu_and_the_preferences_draw_them(part: Part, own: Any) -> None:
    preferences = part("operators.shared.preferences")
    preferences.remember(bpy.context, "lba", str(SAMPLES / "lba1/ANIM.HQR"))
    preferences.remember(bpy.context, "gone", "/nowhere")
    drawn: list[str] = []
    preferences.draw_remembered(Layout(drawn), bpy.context)
    assert drawn == ["import_anim.lba_choose"]
    kind = preferences.RetroAnimPreferences
    kind.draw(SimpleNamespace(layout=Layout(drawn), bl_rna=own.bl_rna, remembered=own.remembered), bpy.context)
    assert drawn.count("retro_anim.forget") == 2
    assert {"bone_names", "bone_direction", "fps_mode", "pictures", "cache", "names", "retro_anim.add_game_folder"} <= set(drawn)


def test_new_imports_of_a_person_begin_as_the_preferences_say(part: Part, own: Any) -> None:
    begin, given = part("operators.shared.preferences").begin, SimpleNamespace(is_property_set=lambda name, ghost: name == "fps_mode")
    operator = SimpleNamespace(bone_names="GAME", bone_direction="CHILD", fps_mode="KEEP", properties=given)
    own.bone_direction = "GAME"
    begin(bpy.context, operator)
    assert (operator.bone_names, operator.bone_direction, operator.fps_mode) == ("KNOWN", "GAME", "KEEP")
    own.bone_direction = "CHILD"


def test_the_file_browser_says_which_folder_is_meant(part: Part) -> None:
    """Else it has "No Properties" beside the folders."""
    drawn: list[str] = []
    part("operators.shared.preferences").RETRO_ANIM_OT_add_game_folder.draw(SimpleNamespace(layout=Layout(drawn)), bpy.context)
    assert " ".join(drawn) == "The folder of a game; those inside it are looked through, too"


def test_the_folder_of_a_game_is_listed_in_the_menus(own: Any) -> None:
    assert OPS.retro_anim.add_game_folder(directory=str(SAMPLES / "oni2")) == {"FINISHED"}
    assert remembered(own) == [("oni2", "RB.DAT")]


def test_a_client_is_listed_from_a_folder_above_it(own: Any, tmp_path: Path) -> None:
    """As an archive is; what lies in its own folders is not listed again."""
    shutil.copytree(SAMPLES / "mindpower", tmp_path / "Игры" / "my client", copy_function=shutil.copyfile)
    assert OPS.retro_anim.add_game_folder(directory=f"{tmp_path}/") == {"FINISHED"}
    assert [(item.game, Path(item.name)) for item in own.remembered] == [("mindpower", tmp_path / "Игры" / "my client")]


def test_a_folder_that_is_not_there_is_not_called_one_without_games(own: Any, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for name, said in (("nowhere", "nowhere: (?!no game)"), ("empty", "empty: no game whose characters could be listed")):
        with pytest.raises(RuntimeError, match=said):
            OPS.retro_anim.add_game_folder(directory=str(tmp_path / name))


@pytest.mark.parametrize("refused", ["", "Error: Cannot open file userpref.blend for writing\nError: Saving preferences failed\n"])
def test_it_is_kept_at_once_in_the_window(part: Part, own: Any, monkeypatch: pytest.MonkeyPatch, refused: str) -> None:
    """Blender reports a folder of preferences that nobody can write to as an exception."""
    saved: list[str] = []

    def save() -> None:
        saved.append("" if own.remembered[0].game == "oni2" else "too early")
        if refused:
            raise RuntimeError(refused)

    module, said = part("operators.shared.preferences"), list[tuple[set[str], str]]()
    app = SimpleNamespace(background=False, use_userpref_skip_save_on_exit=False)
    monkeypatch.setattr(module, "bpy", SimpleNamespace(app=app, path=bpy.path, ops=SimpleNamespace(wm=SimpleNamespace(save_userpref=save))))
    operator = SimpleNamespace(directory=str(SAMPLES / "oni2"), report=lambda *what: said.append(what))
    assert module.RETRO_ANIM_OT_add_game_folder.execute(operator, bpy.context) == {"FINISHED"}
    warned = [text for level, text in said if level == {"WARNING"}]
    assert saved == [""]
    assert warned == (["Blender's preferences are not saved: Cannot open file userpref.blend for writing"] if refused else [])


def test_a_folder_that_the_system_refuses_is_one_line(own: Any) -> None:
    """A name that no system can have; Python 3.13 takes it for one of no folder."""
    with pytest.raises(RuntimeError) as refused:
        OPS.retro_anim.add_game_folder(directory="9" * 400)
    assert len(str(refused.value).strip().splitlines()) == 1
    assert any(said in str(refused.value) for said in ("File name too long", "no game whose characters could be listed"))


def test_a_folder_that_was_not_chosen_is_none(own: Any) -> None:
    """Not the one in which Blender was started, where archives may lie, too."""
    with pytest.raises(RuntimeError, match="no folder is given"):
        OPS.retro_anim.add_game_folder()


def test_lists_of_names_are_found_in_a_folder(part: Part, own: Any, tmp_path: Path) -> None:
    """For an archive that has none beside it."""
    (tmp_path / "ANIM.HQR.json").write_text('{"entries": [{"type": "animation", "description": "Stands there"}]}')
    (tmp_path / "game").mkdir()
    archive = tmp_path / "game" / "ANIM.HQR"
    archive.write_bytes((SAMPLES / "lba1" / "ANIM.HQR").read_bytes())
    own.names = str(tmp_path)
    OPS.import_anim.lba_choose(filepath=str(archive), entries="0", ask=True)
    OPS.import_anim.lba_choose(filepath=str(archive), entries="0")
    assert [action.name for action in bpy.data.actions if "Stands there" in action.name] == ["ANIM 0 Stands there"]
    own.names = ""


def test_the_documentation_is_made_of_the_pages_that_came_along(part: Part, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    documentation = part("operators.shared.documentation")
    monkeypatch.setattr(documentation, "folder", lambda: tmp_path)
    assert bpy.ops.retro_anim.documentation() == {"FINISHED"}
    assert "<h1" in (tmp_path / "index.html").read_text(encoding="utf-8")
    assert (tmp_path / "guides/wave.html").exists()
    monkeypatch.setattr(documentation, "folder", lambda: tmp_path / "index.html")
    with pytest.raises(RuntimeError, match="the pages cannot be written"):
        bpy.ops.retro_anim.documentation()


def test_what_is_copied_for_a_report(part: Part) -> None:
    text = part("operators.shared.about").about(bpy.context)
    assert "Retro Game Animation 0." in text and bpy.app.version_string in text


def test_a_fault_is_shown_and_copied_for_a_report(part: Part) -> None:
    """What nobody expects still ends as an exception; the side panel says what to do, and a report has the traceback."""

    def work() -> None:
        part("core.reporting.log").warning("something before it")
        raise ZeroDivisionError("by nought")

    with pytest.raises(ZeroDivisionError):
        part("operators.shared.job").run(None, bpy.context, work)
    lines = [item.name for item in bpy.context.window_manager.retro_anim_messages.lines]
    assert len(lines) == 2 and "ZeroDivisionError: by nought" in lines[0] and "Copy for a Report" in lines[0]
    text = part("operators.shared.about").about(bpy.context)
    assert "Warning: something before it" in text and 'raise ZeroDivisionError("by nought")' in text
