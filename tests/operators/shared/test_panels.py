"""The games' panels and dialogs draw with what Blender really has."""

from __future__ import annotations

import tracemalloc
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import bpy
import pytest
from support.blender_layout import Layout, draw_part

OPS: Any = bpy.ops
SAMPLES = Path(__file__).resolve().parent.parent.parent.parent / "samples"
GAMES = {"lba": "lba1/walk.anm", "oni": "oni/TRAMmannequin_walk.oni", "oni2": "oni2/RB.DAT", "mindpower": "mindpower/animation/0001.lab"}


@pytest.mark.parametrize("game", GAMES)
def test_a_game_s_panel(addon: Any, part: Any, game: str) -> None:
    kinds = {name: part(f"operators.{name}.panel").PARTS[0] for name in GAMES}
    assert not any(kind.poll(bpy.context) for kind in kinds.values())
    assert getattr(OPS.import_anim, game)(filepath=str(SAMPLES / GAMES[game])) == {"FINISHED"}
    assert [name for name, kind in kinds.items() if kind.poll(bpy.context)] == [game]
    drawn: list[str] = []
    draw_part(kinds[game], Layout(drawn))
    source = "RB.DAT, entry" if game == "oni2" else Path(GAMES[game]).name
    assert any(line.startswith(f"From {source}") for line in drawn)


@pytest.mark.parametrize("failing", ["poll", "draw_folded", "draw"])
def test_a_part_that_fails_takes_no_other_along(addon: Any, part: Any, failing: str) -> None:
    """As panels of their own do: what stands below it, messages above all, is still there."""
    parts = part("operators.shared.parts")

    def fail(*_: Any) -> None:
        raise KeyError(failing)

    titles = {name: {"title": name, "draw": lambda _self, _context: None} for name in ("above", "odd", "below")}
    kinds = [type(name, (parts.Part,), own | ({failing: fail} if name == "odd" else {})) for name, own in titles.items()]
    drawn: list[str] = []

    class Folds(Layout):
        def panel(self, name: str, **_: Any) -> Any:
            return Layout(self.drawn), None if failing == "draw_folded" else Layout(self.drawn)

    with pytest.raises(KeyError, match=failing):
        parts.draw_parts(Folds(drawn), bpy.context, kinds)
    assert [name for name in drawn if name != "odd"] == ["above", "below"]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("category", ["import_anim", "export_anim"])
def test_a_game_s_dialogs(part: Any, game: str, category: str) -> None:
    """Every property of a dialog is one that the operator has, and the dialog leaves none out."""
    (kind,) = (kind for kind in part(f"operators.{game}").CLASSES if getattr(kind, "bl_idname", "") == f"{category}.{game}")
    has = set(getattr(getattr(OPS, category), game).get_rna_type().properties.keys())
    shown = [name for names in kind.groups().values() for name in names]
    assert len(shown) == len(set(shown)) and set(shown) <= has
    hidden = {"directory", "files", "ask", "started"} if category == "import_anim" else {"check_existing", "collection"}
    assert has - set(shown) == {"rna_type", "filepath", "filter_glob"} | hidden
    drawn: list[str] = []
    rna = getattr(getattr(OPS, category), game).get_rna_type()
    values = {name: getattr(prop, "default", None) for name, prop in rna.properties.items()}
    own = {name: getattr(kind, name) for name in ("bl_idname", "row", "options_class", "groups")}
    owner = SimpleNamespace(**values | own, category=category, layout=Layout(drawn), bl_rna=rna)
    owner.files, owner.paths = [], lambda: ()
    owner.suggestion = lambda context: kind.suggestion(owner, context)
    owner.shown, owner.usable, owner.said = (partial(each, owner) for each in (kind.shown, kind.usable, kind.said))
    kind.draw(owner, bpy.context)
    assert set(drawn) >= {name for name in shown if owner.shown(name)}


def test_of_several_files_all_comes_in_and_no_list_opens(part: Any) -> None:
    kind = part("operators.lba").CLASSES[0]
    owner = SimpleNamespace(row=kind.row, paths=lambda: ("ANIM.HQR", "walk.anm"))
    assert [kind.said(owner, bpy.context, name) for name in ("entries", "entities", "skeleton")] == ["all", "instead of entries", ""]
    owner.paths = lambda: ("ANIM.HQR",)
    assert kind.said(owner, bpy.context, "entries") == ""


@pytest.mark.parametrize(("game", "filename", "says"), [("mindpower", "", True), ("mindpower", "0001.lab", False), ("lba", "", True)])
def test_the_file_browser_says_what_import_does_without_a_file(part: Any, game: str, filename: str, says: bool) -> None:
    drawn: list[str] = []
    kind = part(f"operators.{game}").CLASSES[0]
    owner = SimpleNamespace(row=kind.row, bl_idname=kind.bl_idname, layout=Layout(drawn), groups=dict)
    space = SimpleNamespace(type="FILE_BROWSER", params=SimpleNamespace(filename=filename))
    kind.draw(owner, SimpleNamespace(space_data=space, region=None))
    assert ("lists the characters of this folder" in " ".join(drawn)) is says


def test_no_option_has_the_name_of_anything_else_of_its_operator(part: Any) -> None:
    declared = part("core.declare.options").declared
    importer, exporter = part("operators.files.importer").Importer, part("operators.files.exporter").Exporter
    for game in part("core.games").GAMES.values():
        assert not set(declared(game.import_options)) & set(dir(importer)), game.id
        assert not set(declared(game.export_options)) & set(dir(exporter)), game.id


def test_what_a_name_leaves_out_is_below_the_clips(part: Any) -> None:
    """A clip of several numbers is called by the first, and how many more there are: the panel says which."""
    assert OPS.import_anim.mindpower(filepath=str(SAMPLES / "mindpower/animation/0001.lab")) == {"FINISHED"}
    obj = bpy.context.view_layer.objects.active
    obj.animation_data.action["mindpower_names"] = "wait; alert wait"
    drawn: list[str] = []
    draw_part(part("operators.clips.panel").Clips, Layout(drawn))
    assert any(text.startswith("wait; alert wait, plays once") for text in drawn)


def test_a_copy_of_a_clip_of_tales_of_pirates_says_what_keeps_both(part: Any) -> None:
    """Both go to the same frames of one file; as a new action it goes behind them."""
    assert OPS.import_anim.mindpower(filepath=str(SAMPLES / "mindpower/animation/0001.lab")) == {"FINISHED"}
    panel, name = part("operators.mindpower.panel").Mindpower, bpy.context.view_layer.objects.active.animation_data.action.name

    def says() -> str:
        drawn: list[str] = []
        draw_part(panel, Layout(drawn))
        return " ".join(drawn)

    assert "same frames" not in says()
    assert OPS.retro_anim.clip_duplicate() == {"FINISHED"}
    assert f"{name} goes to the same frames" in says() and "As a New Action keeps both" in says()
    assert OPS.retro_anim.mindpower_new_action(number=7) == {"FINISHED"}
    assert "same frames" not in says()


def test_the_panel_of_an_object_animation(addon: Any, part: Any) -> None:
    """It is of no armature: the object alone has the action."""
    sample = SAMPLES / "oni/OBANmannequin_camera.oni"
    assert OPS.import_anim.oni(filepath=str(sample), target="CAMERA") == {"FINISHED"}
    bpy.context.view_layer.objects.active = bpy.data.objects["mannequin_camera"]
    panel = part("operators.oni.panel").Oni
    assert panel.poll(bpy.context)
    drawn: list[str] = []
    draw_part(panel, Layout(drawn))
    assert f"From {sample.name}" in drawn and "half_stop" in drawn


def test_a_row_of_each_list_says_what_a_click_on_it_does(addon: Any) -> None:
    manager: Any = bpy.context.window_manager
    scene: Any = bpy.context.scene
    settings = scene.retro_anim_retarget
    rows = [(settings, name) for name in ("index", "choice", "report")] + [(manager, "retro_anim_clip")]
    rows += [(getattr(manager, f"retro_anim_{name}"), "index") for name in ("messages", "browser", "archive")]
    assert all(owner.bl_rna.properties[name].description for owner, name in rows)


def test_the_clips_say_that_a_character_is_linked(addon: Any, part: Any, tmp_path: Path) -> None:
    clips, library = part("operators.clips.panel").Clips, str(tmp_path / "library.blend")
    said: list[bool] = []
    buttons = (OPS.retro_anim.clip_new, OPS.retro_anim.refit_loop, OPS.retro_anim.make_linear)
    able: list[set[bool]] = []
    OPS.import_anim.lba(filepath=str(SAMPLES / "lba1" / "walk.anm"))
    name = bpy.context.view_layer.objects.active.name  # type: ignore[union-attr]
    for linked in (False, True):
        if linked:
            OPS.wm.save_as_mainfile(filepath=library, copy=True)
            OPS.wm.read_homefile(use_empty=True)
            OPS.wm.link(directory=f"{library}/Object/", filename=name)
            bpy.context.view_layer.objects.active = bpy.context.scene.objects[name]
        drawn: list[str] = []
        draw_part(clips, Layout(drawn))
        said.append("Linked from library.blend: edits are not saved" in " ".join(drawn))
        able.append({button.poll() for button in buttons})
    assert said == [False, True]
    assert able == [{True}, {False}], "nothing of what they do would be saved"


def test_a_text_of_ten_million_letters_takes_no_more_room_than_its_lines(part: Any) -> None:
    """As a .blend from elsewhere may hold it: 40 lines are drawn, and no more of it is looked at."""
    drawn: list[str] = []
    text = "long word " * 1_000_000
    tracemalloc.start()
    part("operators.shared.layout").draw_whole(Layout(drawn), text, None)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(drawn) == 40 and drawn[-1].endswith("\u2026") and most < 1_000_000


@pytest.mark.parametrize(("pixels", "width"), [(1920, 960), (955, 915), (None, 960)])
def test_a_dialog_is_no_wider_than_its_window(part: Any, pixels: int | None, width: int) -> None:
    """At its edge the button that imports would be cut off. The background has no window. Blender may translate in another sense."""
    window = None if pixels is None else SimpleNamespace(width=pixels)
    asked: list[tuple[int, bool]] = []
    manager = SimpleNamespace(invoke_props_dialog=lambda _, width, translate, **__: asked.append((width, translate)) or {"RUNNING_MODAL"})
    context = SimpleNamespace(window=window, window_manager=manager)
    questions = SimpleNamespace(fill=lambda _: None, character="", clips="")
    browser = SimpleNamespace(started=False, fill=lambda _: True, title=lambda: "", row=SimpleNamespace(id=""))
    part("operators.shared.decide").RETRO_ANIM_OT_decide.invoke(questions, context, None)
    chooser = part("operators.files.choose")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chooser.preferences, "begin", lambda *_: None)
        chooser.Chooser.invoke(browser, context, None)
    assert asked == [(620, False), (width, False)]


@pytest.mark.parametrize(("height", "lines"), [(1080, 16), (540, 13), (430, 8), (200, 3), (None, 16)])
def test_a_dialog_with_a_list_is_no_higher_than_its_window(part: Any, height: int | None, lines: int) -> None:
    """As seen at a scale of 1: 16 lines make a dialog of 510 to 560 pixels, and the buttons are below them."""
    window = None if height is None else SimpleNamespace(height=height)
    assert part("operators.shared.layout").lines_in(window) == lines
    assert height is None or lines * 21 + 218 <= max(height, 300)


@pytest.mark.parametrize(
    ("levels", "shown"),
    [(["WARNING"], "1 warning"), (["ERROR", "WARNING", "WARNING"], "1 error, 2 warnings"), (["WARNING", "INFO"], "2 messages, 1 warning")],
)
def test_how_many_messages_there_are(addon: Any, part: Any, levels: list[str], shown: str) -> None:
    log = part("core.reporting.log").Log()
    log.messages += [part("core.reporting.log").Message(level, f"said {number}") for number, level in enumerate(levels)]
    part("operators.shared.messages").keep(bpy.context, log)
    drawn: list[str] = []
    draw_part(part("operators.shared.parts").Messages, Layout(drawn))
    assert shown in drawn
