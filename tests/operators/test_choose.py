"""The list to choose from, as each game fills it, and what is said where there is nothing to choose."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent

Part = Callable[[str], Any]

SAMPLES = {
    "lba": ("samples/lba1/ANIM.HQR", "entities", "entries"),
    "oni2": ("samples/oni2/RB.DAT", "characters", "files"),
}


class Lines(list[Any]):
    def add(self) -> Any:
        self.append(SimpleNamespace(key="", name="", chosen=False))
        return self[-1]


def dialog(part: Part, game: str, path: Path) -> Any:
    """The dialog without a window: Blender makes operators only there."""
    row = part("core.games").GAMES[game]
    kind = part("operators.shared.choose").chooser(row)
    lines: dict[str, Any] = {page.name: Lines() for page in row.pages}
    result = type("Dialog", (kind.__mro__[1],), {"row": row, **lines})()
    result.filepath, result.options, result.reported = str(path), "{}", []
    result.report = lambda kinds, text: result.reported.append(text)
    return result


@pytest.mark.parametrize("game", SAMPLES)
def test_the_first_line_is_chosen(part: Part, game: str) -> None:
    path, *tabs = SAMPLES[game]
    shown = dialog(part, game, ROOT / path)
    assert shown.fill()
    first, *others = (getattr(shown, tab) for tab in tabs)
    assert shown.tab == tabs[0]
    assert [line.chosen for line in first] == [True] + [False] * (len(first) - 1)
    assert all(others) and not any(line.chosen for lines in others for line in lines)


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
    assert not shown.fill()
    assert len(shown.reported) == 1 and "not there" in shown.reported[0]


@pytest.mark.parametrize("game", SAMPLES)
def test_contents_are_read_once(part: Part, game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By whoever finds that there is something to choose from, and not again by the list."""
    games, choose, path = part("io.pipeline.games"), part("operators.shared.choose"), str(ROOT / SAMPLES[game][0])
    times: list[str] = []
    contents = games.contents
    monkeypatch.setattr(games, "contents", lambda row, file, values: times.append(file) or contents(row, file, values))
    opened: list[Any] = []
    monkeypatch.setattr(choose, "_call", lambda operator, called: (opened.append(dialog(part, game, Path(path))), opened[0].fill()))
    kind = next(kind for kind in part(f"operators.{game}.operators").CLASSES if kind.bl_idname == f"import_anim.{game}")
    row = part("core.games").GAMES[game]
    values = {page.option: "" for page in row.pages} | {"game": "auto", "names": "", "palette": "", "file3d": ""}
    operator = SimpleNamespace(row=row, ask=True, paths=lambda: (path,), values=lambda: values, kept=list)
    operator._listed = lambda *arguments: kind._listed(operator, *arguments)
    assert kind.execute(operator, None) == {"CANCELLED"}
    assert times == [path] and len(getattr(opened[0], SAMPLES[game][1])) > 0
    assert dialog(part, game, Path(path)).fill() and len(times) == 2, "a later list looks for itself"
