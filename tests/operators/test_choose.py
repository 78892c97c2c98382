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
    kind = next(kind for kind in part("operators.shared.choose").CLASSES if getattr(kind, "game", "") == game)
    parts: dict[str, Any] = {tab.name: Lines() for tab in kind.tabs}
    made = type("Dialog", (kind.__mro__[1],), {"tabs": kind.tabs, "find": staticmethod(kind.find), **parts})()
    made.filepath, made.options, made.said = str(path), "{}", []
    made.report = lambda kinds, text: made.said.append(text)
    return made


@pytest.mark.parametrize("game", SAMPLES)
def test_the_first_line_is_chosen(part: Part, game: str) -> None:
    path, *tabs = SAMPLES[game]
    made = dialog(part, game, ROOT / path)
    assert made.fill()
    first, *others = (getattr(made, tab) for tab in tabs)
    assert made.tab == tabs[0]
    assert [line.chosen for line in first] == [True] + [False] * (len(first) - 1)
    assert all(others) and not any(line.chosen for lines in others for line in lines)


@pytest.mark.parametrize("game", SAMPLES)
def test_which_files_have_a_list(part: Part, game: str) -> None:
    contents = part("operators.shared.contents")
    assert [name for name in ("lba", "oni", "oni2", "mindpower") if contents.is_archive(str(ROOT / SAMPLES[game][0]), name)] == [game]
    assert not contents.is_archive(str(ROOT / "README.md"), game)
    assert not contents.is_archive(str(ROOT / "not there"), game)


@pytest.mark.parametrize("game", ["lba", "oni", "oni2", "mindpower"])
def test_a_file_that_cannot_be_opened_is_one_line(part: Part, game: str, tmp_path: Path) -> None:
    made = dialog(part, game, tmp_path / "not there")
    assert not made.fill()
    assert len(made.said) == 1 and "not there" in made.said[0]
