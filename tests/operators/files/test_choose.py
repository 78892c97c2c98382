"""The list to choose from, as each game fills it, and what is said where there is nothing to choose."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import bpy as blender
import pytest
from support.blender_layout import Layout

bpy: Any = blender
OPS: Any = bpy.ops

ROOT = Path(__file__).resolve().parent.parent.parent.parent

Part = Callable[[str], Any]

SAMPLES = {
    "lba": ("samples/lba1/ANIM.HQR", "entities", "entries"),
    "oni2": ("samples/oni2/RB.DAT", "characters", "files"),
}


def dialog(part: Part, game: str, path: Path) -> Any:
    """The browser's operator without a window: Blender makes operators only there."""
    row = part("core.games").GAMES[game]
    result = type("Dialog", (part("operators.files.choose").Chooser,), {"row": row})()
    result.filepath, result.values, result.reported = str(path), dict, []
    result.report = lambda kinds, text: result.reported.append(text)
    return result


def browser(part: Part) -> Any:
    return part("operators.files.listing").browser_of(bpy.context)


@pytest.mark.parametrize("game", SAMPLES)
def test_the_first_line_is_chosen(part: Part, game: str) -> None:
    path, *tabs = SAMPLES[game]
    assert dialog(part, game, ROOT / path).fill(bpy.context)
    shown = browser(part)
    assert shown.tab == tabs[0]
    for tab in tabs:
        assert [line.chosen for line in shown.lines if line.page == tab][:2] in ([True, False], [True])
    assert part("operators.files.listing").keys(shown) == [next(line.key for line in shown.lines)]


class TestWholeGame:
    """LBA1 as it was sold: who is in it, and how it is chosen from."""

    @pytest.fixture
    def shown(self, part: Part, game_data: Path) -> Any:
        assert dialog(part, "lba", game_data / "lba1" / "ANIM.HQR").fill(bpy.context)
        return browser(part)

    def test_people_have_names(self, shown: Any) -> None:
        first = shown.lines[0]
        assert (first.title, first.kind, first.clips) == ("0 Twinsen, normal", "body 0, 1, 2, 3, 4, 5, 6", 38)
        assert [line.title for line in shown.lines if line.page == "entities"][1] == "5 Nurse, clipboard"

    def test_the_active_line_is_of_the_page(self, shown: Any) -> None:
        """Its picture stands beside the list."""
        shown.index = 2
        shown.tab = "entries"
        assert shown.lines[shown.index].page == "entries" and shown.lines[shown.index].chosen
        shown.tab = "entities"
        assert shown.lines[shown.index].page == "entities" and shown.lines[shown.index].chosen

    def test_a_clip_s_length(self, shown: Any) -> None:
        """The walk: five keyframes, and in all 36 fiftieths of a second behind the first."""
        walk = next(line for line in shown.lines if line.page == "entries" and line.key == "1")
        assert (walk.title, walk.frames, round(walk.seconds, 3)) == ("1 Twinsen, normal: walk", 5, 0.72)

    @pytest.mark.parametrize(("search", "keys"), [("nurse", ["5"]), ("NURSE clip", ["5"]), ("clip nurse", ["5"]), ("zzz", []), ("", 5)])
    def test_the_search(self, part: Part, shown: Any, search: str, keys: Any) -> None:
        shown.search = search
        left = [line.key for line, there in zip(shown.lines, part("operators.files.listing").shown(shown), strict=True) if there]
        assert left == keys or len(left) == keys

    def test_who_searches_and_imports_means_what_is_seen(self, part: Part, shown: Any) -> None:
        keys = part("operators.files.listing").keys
        shown.search = "nurse"
        assert (keys(shown), shown.lines[shown.index].key) == (["5"], "5"), "nobody has ticked the first one, which the search hides"
        shown.search = "zzz"
        assert (keys(shown), part("operators.files.listing").counts(shown)) == ([], (0, 5, 0)), "nothing is seen"
        shown.search = ""
        assert keys(shown) == ["5"]
        shown.lines[3].chosen = True  # by a person: no search changes that
        shown.search = "nurse"
        assert keys(shown) == ["20"]

    def test_accents_need_not_be_typed(self, part: Part, game_data: Path) -> None:
        assert dialog(part, "lba", game_data / "lba2" / "ANIM.HQR").fill(bpy.context)
        shown, listing = browser(part), part("operators.files.listing")
        accented = next(line for line in shown.lines if "é" in line.title)
        for search in (accented.title, accented.title.replace("é", "e"), accented.title.upper()):
            shown.search = search
            assert accented.key in [line.key for line, left in zip(shown.lines, listing.shown(shown), strict=True) if left]

    def test_ticks_of_what_is_shown(self, part: Part, shown: Any) -> None:
        listing = part("operators.files.listing")
        assert listing.counts(shown) == (1, 5, 5)
        shown.search = "body 16"
        OPS.retro_anim.tick(change="ALL")
        shown.search = ""
        assert listing.keys(shown) == ["10"], "nobody has ticked the first one, which the search hides"
        OPS.retro_anim.tick(change="INVERT")
        assert listing.keys(shown) == ["0", "5", "20", "40"]
        shown.search = "tank"
        OPS.retro_anim.tick(change="NONE")
        assert (listing.counts(shown), listing.keys(shown)) == ((3, 5, 1), ["0", "5", "40"])
        shown.tab = "entries"
        assert listing.counts(shown)[1] == 70
        shown.search = ""
        assert listing.keys(shown) == ["0"], "the other page has its own"
        OPS.retro_anim.tick(change="INVERT")
        assert listing.counts(shown)[0] == 69, "what is shown is inverted, ticked by a person or not"

    def test_a_list_of_names_that_is_given_in_the_browser_names_its_lines(self, part: Part, game_data: Path, tmp_path: Path) -> None:
        chosen = dialog(part, "lba", game_data / "lba1" / "FILE3D.HQR")
        chosen.values = lambda: {"names": str(names)}
        names = ""
        assert chosen.fill(bpy.context) and not chosen.check(bpy.context)
        shown = browser(part)
        shown.lines[2].chosen, shown.index, shown.search = True, 1, "body"
        names = tmp_path / "mine.json"
        entries = [{"type": "entity", "game": "LBA1", "description": f"person {number}"} for number in range(41)]
        names.write_text(json.dumps({"entries": entries}))
        assert chosen.check(bpy.context) and not chosen.check(bpy.context)
        assert [line.title for line in shown.lines] == [f"{number} person {number}" for number in (0, 5, 10, 20, 40)]
        assert (part("operators.files.listing").keys(shown), shown.index, shown.search) == (["10"], 1, "body")
        names = tmp_path / "nowhere.json"
        assert not chosen.check(bpy.context) and shown.lines[0].title == "0 person 0", "Import says what is wrong"


def test_what_is_chosen_is_imported_by_the_browser_itself(part: Part) -> None:
    """Its reports are its own: the line that a person reads is the last one."""
    assert OPS.import_anim.lba_choose(filepath=str(ROOT / SAMPLES["lba"][0]), entities="0") == {"FINISHED"}
    assert len(bpy.data.actions) == 4


def test_a_dialog_without_a_tick_imports_nothing(part: Part) -> None:
    chosen = dialog(part, "lba", ROOT / SAMPLES["lba"][0])
    assert chosen.fill(bpy.context)
    part("operators.files.listing").tick(browser(part), [False] * len(browser(part).lines))
    chosen.from_list = True
    assert chosen.execute(bpy.context) == {"CANCELLED"} and chosen.reported == ["nothing was chosen: tick a line of the list, or click one"]


def test_two_browsers_in_two_windows(part: Part) -> None:
    """The first shows and imports nothing of the other's list: the keys of its lines would be others in its own file."""
    first, second = (dialog(part, game, ROOT / SAMPLES[game][0]) for game in ("lba", "oni2"))
    assert first.fill(bpy.context) and second.fill(bpy.context)
    shown = [line.key for line in browser(part).lines]
    first.values = lambda: {"names": "another"}
    assert not first.check(bpy.context) and [line.key for line in browser(part).lines] == shown
    said: list[str] = []
    first.layout = SimpleNamespace(label=lambda text, icon: said.append(text))
    first.from_list = True
    first.draw(bpy.context)
    assert first.execute(bpy.context) == {"CANCELLED"} and first.reported == said
    assert said[0].startswith("the browser was opened on another file in another window")


def test_a_line_that_is_clicked_is_the_chosen_one_unless_somebody_has_ticked(part: Part) -> None:
    listing, contents = part("operators.files.listing"), part("io.pipeline.contents")
    shown = browser(part)
    lines = [contents.Line(str(number), f"{number}") for number in range(5)]
    assert listing.fill(shown, part("core.games").GAMES["lba"], {"entities": lines, "entries": lines})
    shown.index = 3
    assert listing.keys(shown) == ["3"]
    shown.index = 1
    assert listing.keys(shown) == ["1"]
    shown.lines[4].chosen = True
    assert listing.keys(shown) == ["4"], "the first tick takes the place of the one that nobody made"
    shown.lines[1].chosen, shown.index = True, 2
    assert listing.keys(shown) == ["1", "4"]
    shown.lines[4].chosen = shown.lines[1].chosen = False
    shown.index = 3
    assert listing.keys(shown) == []
    shown.tab, shown.index = "entries", 9
    assert listing.keys(shown) == ["4"]
    assert listing.elsewhere(shown) == []
    shown.tab, shown.lines[2].chosen = "entities", True
    assert listing.elsewhere(shown) == [], "nobody has ticked anything on the other page"
    shown.tab = "entries"
    assert listing.elsewhere(shown) == ["1 in Characters"]


def test_a_tick_on_another_page_moves_nothing(part: Part) -> None:
    """Import stays below the mouse."""
    listing, contents, choose = map(part, ("operators.files.listing", "io.pipeline.contents", "operators.files.choosing"))
    shown = browser(part)
    lines = [contents.Line(str(number), f"{number}") for number in range(3)]
    drawn: list[list[Any]] = []
    for ticked in (False, True):
        assert listing.fill(shown, part("core.games").GAMES["lba"], dict.fromkeys(("entities", "entries"), lines))
        if ticked:
            shown.lines[-1].chosen = True
        drawn.append([])
        choose.draw_list(Layout(drawn[-1]), shown)
    (at,) = (number for number, text in enumerate(drawn[1]) if str(text).startswith("Also ticked: 1 in Entries"))
    assert drawn[0][at] == "" and drawn[0][:at] + drawn[0][at + 1 :] == drawn[1][:at] + drawn[1][at + 1 :]


def test_thousands_of_lines_stay_smooth(part: Part, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their letters are made plain once, not for each redraw and each letter of a search."""
    listing, contents = part("operators.files.listing"), part("io.pipeline.contents")
    lines = [contents.Line(str(number), f"{number} someone of many", clips=number) for number in range(5000)]
    shown, plain, asked = browser(part), listing._plain, list[str]()
    monkeypatch.setattr(listing, "_plain", lambda text: asked.append(text) or plain(text))
    assert listing.fill(shown, part("core.games").GAMES["lba"], {"entities": lines})
    shown.search = "some 4"
    for _ in range(10):
        listing.shown(shown)
        listing.counts(shown)
    assert sum("many" in text for text in asked) == len(lines)
    assert sum(listing.shown(shown)) == sum("4" in str(number) for number in range(5000))


@pytest.mark.parametrize("name", ["lba", "oni", "oni2", "mindpower"])
@pytest.mark.parametrize("game", SAMPLES)
def test_which_files_have_a_list(part: Part, game: str, name: str) -> None:
    """Of one game's archive no other game has a list; and none has one of what is no archive."""
    rows, errors = part("core.games").GAMES, part("core.reporting.errors").RetroAnimError

    def lists(path: Path) -> bool:
        try:
            return any(part("io.pipeline.games").contents(rows[name], str(path), {}).values())
        except errors:
            return False

    assert lists(ROOT / SAMPLES[game][0]) == (name == game)
    assert not lists(ROOT / "README.md") and not lists(ROOT / "not there")


def test_an_option_that_a_page_sets_is_the_importer_s(part: Part) -> None:
    for game in part("core.games").GAMES.values():
        assert {page.option for page in game.pages} <= set(part("core.declare.options").declared(game.import_options))


@pytest.mark.parametrize("game", ["lba", "oni", "oni2", "mindpower"])
def test_a_file_that_cannot_be_opened_is_one_line(part: Part, game: str, tmp_path: Path) -> None:
    shown = dialog(part, game, tmp_path / "not there")
    assert not shown.fill(bpy.context)
    assert len(shown.reported) == 1 and "not there" in shown.reported[0]


@pytest.mark.parametrize("game", SAMPLES)
def test_contents_are_read_once(part: Part, game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By whoever finds that there is something to choose from, and not again by the browser."""
    games, choose, path = part("io.pipeline.games"), part("operators.files.choosing"), ROOT / SAMPLES[game][0]
    row, times = part("core.games").GAMES[game], list[str]()
    contents = games.contents
    monkeypatch.setattr(games, "contents", lambda row, file, values: times.append(file) or contents(row, file, values))
    choose._listed[game, str(path)] = contents(row, str(path), {})
    assert dialog(part, game, path).fill(bpy.context) and times == []
    assert dialog(part, game, path).fill(bpy.context) and times == [str(path)], "a later one looks for itself"


@pytest.mark.parametrize("game", SAMPLES)
def test_a_folder_without_a_file_opens_the_browser_on_the_game_in_it(
    part: Part, game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the file browser confirms a folder: its path, and no file."""
    opened: list[str] = []
    monkeypatch.setattr(part("operators.files.choosing"), "ask", lambda row, path, options, listed: opened.append(path) or {"CANCELLED"})
    importer = getattr(bpy.ops.import_anim, game)
    assert importer(filepath=f"{(ROOT / SAMPLES[game][0]).parent}{os.sep}", ask=True) == {"CANCELLED"}
    assert len(opened) == 1 and Path(opened[0]).parent == (ROOT / SAMPLES[game][0]).parent
    with pytest.raises(RuntimeError, match=r"choose a file in it \("):
        importer(filepath=f"{tmp_path}{os.sep}", ask=True)


@pytest.mark.parametrize(
    ("names", "opens"),
    [
        (("lba1/ANIM.HQR", "lba1/BODY.HQR"), True),
        (("lba1/BODY.HQR", "lba1/ANIM.HQR", "lba1/FILE3D.HQR"), True),
        (("lba1/ANIM.HQR", "lba1/BODY.HQR", "lba1/RESS.HQR"), True),
        (("lba2/ANIM.HQR", "lba2/RESS.HQR"), True),
        (("lba1/ANIM.HQR", "lba1/walk.anm"), False),
        (("lba1/walk.anm", "lba1/ANIM.HQR"), False),
        (("lba1/ANIM.HQR", "lba1/nobody.hqr"), False),
        (("lba1/ANIM.HQR", "lba2/ANIM.HQR"), False),
        (("lba2/ANIM.HQR", "lba1/RESS.HQR"), False),
    ],
)
def test_archives_of_one_game_open_one_browser(part: Part, monkeypatch: pytest.MonkeyPatch, names: tuple[str, ...], opens: bool) -> None:
    """Its characters need all of them, that of the palette too; else everything in them would come in. Other files come in together."""
    opened: list[tuple[str, bool]] = []

    def ask(_row: Any, path: str, _options: Any, listed: Any) -> set[str]:
        opened.append((path, bool(listed["entities"])))
        return {"CANCELLED"}

    monkeypatch.setattr(part("operators.files.choosing"), "ask", ask)
    paths = [str(ROOT / "samples" / name) for name in names]
    dropped = SimpleNamespace(row=part("core.games").GAMES["lba"], values=lambda: {"entries": "", "entities": ""}, kept=list)
    result = part("operators.files.opening").browse(dropped, paths)
    assert opened == ([(paths[0], True)] if opens else []) and (result is None) is not opens


def test_pictures_take_at_most_a_tenth_of_the_window_s_time(part: Part, monkeypatch: pytest.MonkeyPatch) -> None:
    """As long as the window takes to draw them, nine times as long nothing is drawn again, but a second at most."""
    pictures = part("operators.files.pictures")
    now, drawn = [100.0], []

    class Region:
        def tag_redraw(self) -> None:
            drawn.append(now[0])

    monkeypatch.setattr(pictures.time, "perf_counter", lambda: now[0])
    monkeypatch.setattr(pictures, "_fill", lambda _preview, _pixels: None)
    monkeypatch.setattr(pictures, "_previews", {"\n".join(pictures.Wanted("lba", str(n), "", "", "")): n for n in range(3)})
    monkeypatch.setattr(pictures, "_thread", type("Thread", (), {"is_alive": lambda self: True})())
    monkeypatch.setattr(pictures, "_region", [Region()])
    for number, (seconds, pause) in enumerate([(0.1, 0.9), (0.004, 0.25), (0.4, 1.0)]):
        pictures._finished.append((pictures.Wanted("lba", str(number), "", "", ""), object()))
        assert pictures._take() == 0.0 and drawn == [*drawn[:number], now[0]]
        now[0] += seconds
        assert pictures._take() == pytest.approx(pause) and len(drawn) == number + 1
    assert pictures._take() == 0.25 and len(drawn) == 3


def test_pictures_are_drawn_outside_the_window(part: Part, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the first one on, whether they can be kept or not: drawn in the window's own process they would hold it up."""
    pictures, keeping = part("operators.files.pictures"), part("io.pipeline.pictures")
    path, nowhere = str(ROOT / SAMPLES["lba"][0]), tmp_path / "a file"
    nowhere.write_bytes(b"")
    expected = keeping.drawn(part("core.games").GAMES["lba"], path, "entities", "0")
    monkeypatch.setattr(keeping, "drawn", lambda *_given: pytest.fail("drawn here"))
    wanted = [pictures.Wanted("lba", path, "entities", key, str(nowhere)) for key in ("0", "700")]
    pictures.shown_in(None)
    monkeypatch.setattr(pictures, "_waiting", [list(wanted)])
    try:
        pictures._draw_all()
    finally:
        pictures._end()
    (first, pixels), (second, nothing) = pictures._finished.popleft(), pictures._finished.popleft()
    assert [first, second] == wanted and nothing is None
    assert pixels.shape == (128, 128, 4) and (pixels == expected).all()


def test_a_browser_that_closes_meanwhile_leaves_no_process_and_no_empty_picture(
    part: Part, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The picture that the thread had begun with is asked for again when a browser opens."""
    pictures, keeping, errors = part("operators.files.pictures"), part("io.pipeline.pictures"), part("core.reporting.errors")

    def kept(*_given: Any) -> Any:
        pictures.closed()
        raise errors.FormatError("none is kept yet")

    wanted = pictures.Wanted("lba", str(ROOT / SAMPLES["lba"][0]), "entities", "0", str(tmp_path))
    monkeypatch.setattr(keeping, "kept", kept)
    monkeypatch.setattr(part("cli.workers"), "command", lambda: pytest.fail("started for nobody"))
    previews = {"\n".join(wanted): object()}
    monkeypatch.setattr(pictures, "_previews", previews)
    pictures.shown_in(None)
    monkeypatch.setattr(pictures, "_waiting", [[wanted]])
    pictures._draw_all()
    pictures._take()
    assert not pictures._process and not pictures._finished and not previews


DROPPED = [
    ("notes.bin", "notes.bin: is no file of Tales of Pirates; of its kind are only CharacterInfo.txt and Characterinfo.bin"),
    ("readme.TXT", "readme.TXT: is no file of Tales of Pirates; of its kind are only CharacterInfo.txt and Characterinfo.bin"),
    ("CHARACTERINFO.BIN", ""),
    ("0001.lab", ""),
]


@pytest.mark.parametrize(("name", "says"), DROPPED)
def test_a_list_of_characters_is_dropped_on_the_window(part: Part, tmp_path: Path, name: str, says: str) -> None:
    """Blender asks a drop for its extension alone: another file of that extension is refused before a dialog of its options."""
    handler = bpy.types.FileHandler.bl_rna_get_subclass_py("IO_FH_mindpower")
    assert {".bin", ".txt", ".lab", ".lgo"} <= set(handler.bl_file_extensions.split(";"))
    (tmp_path / name).write_bytes(b"")
    assert part("operators.files.opening").not_opened(part("core.games").GAMES["mindpower"], (str(tmp_path / name),)) == says


def test_the_browser_has_a_page_before_it_shows_any(part: Part, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blender writes a warning to the console for each look at a choice that has no value."""
    listing = part("operators.files.listing")
    monkeypatch.setattr(listing, "_tabs", [])
    assert listing.browser_of(bpy.context).tab
