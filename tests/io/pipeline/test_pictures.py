"""Pictures of what a file has to choose from: drawn without Blender's data, once, and drawn again when the file has changed."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy as blender
import numpy as np
import pytest

bpy: Any = blender
SAMPLES = Path(__file__).resolve().parents[3] / "samples"
Part = Callable[[str], ModuleType]

SHOWN = {
    "lba": ("lba1/FILE3D.HQR", "entities", "0"),
    "oni": ("oni/TRBSmannequin.oni", "entries", ""),
    "oni2": ("oni2/RB.DAT", "entries", "Entity/mannequin/*.type"),
    "mindpower": ("mindpower", "entries", "1"),
}


@pytest.fixture
def draw(part: Part, tmp_path: Path) -> Callable[..., Any]:
    def draw(game: str, path: str | Path, option: str, key: str) -> Any:
        return part("io.pipeline.pictures").picture(part("core.games").GAMES[game], str(path), option, key, tmp_path / "kept")

    return draw


@pytest.mark.parametrize("game", SHOWN)
def test_each_game_s_characters_in_a_thread(draw: Any, game: str) -> None:
    """Without touching Blender's data: nothing of it is more or other afterwards."""
    before = {name: len(getattr(bpy.data, name)) for name in ("objects", "meshes", "armatures", "images", "materials")}
    path, option, key = SHOWN[game]
    drawn: list[Any] = []
    thread = threading.Thread(target=lambda: drawn.append(draw(game, SAMPLES / path, option, key)))
    thread.start()
    thread.join(60)
    (picture,) = drawn
    assert picture.shape == (128, 128, 4)
    shown = picture[picture[..., 3] > 250]
    assert 800 < len(shown) < 12000 and shown[:, :3].std() > 5
    assert before == {name: len(getattr(bpy.data, name)) for name in before}


def test_it_is_kept_and_drawn_again_when_the_file_changes(part: Part, draw: Any, tmp_path: Path, monkeypatch: Any) -> None:
    folder = tmp_path / "game"
    shutil.copytree(SAMPLES / "lba1", folder)
    first = draw("lba", folder / "FILE3D.HQR", "entities", "0")
    (kept,) = (tmp_path / "kept").iterdir()
    image = bpy.data.images.load(str(kept))  # as others read it: rows from the bottom, 0 to 1
    shown = np.array(image.pixels[:]).reshape(128, 128, 4)[::-1]
    np.testing.assert_array_equal(np.round(shown[..., 3] * 255), first[..., 3])
    monkeypatch.setattr(part("core.surface.raster"), "draw", lambda *_given: pytest.fail("drawn again"))
    np.testing.assert_array_equal(draw("lba", folder / "FILE3D.HQR", "entities", "0"), first)
    monkeypatch.undo()
    part("core.files.disk.disk").write_file(folder / "BODY.HQR", (folder / "BODY.HQR").read_bytes())
    draw("lba", folder / "FILE3D.HQR", "entities", "0")
    assert len(list((tmp_path / "kept").iterdir())) == 2
    (tmp_path / "kept" / "mine.png").write_bytes(b"")
    assert part("io.pipeline.pictures").clear(tmp_path / "kept") == 2
    assert [path.name for path in (tmp_path / "kept").iterdir()] == ["mine.png"]


def test_what_cannot_be_seen_is_asked_for_once(draw: Any, tmp_path: Path, part: Part, monkeypatch: Any) -> None:
    assert draw("lba", SAMPLES / "lba1/FILE3D.HQR", "entities", "700") is None
    monkeypatch.setattr(part("io.pipeline.pictures"), "drawn", lambda *_given: pytest.fail("tried again"))
    assert draw("lba", SAMPLES / "lba1/FILE3D.HQR", "entities", "700") is None


def test_a_folder_that_cannot_be_written(part: Part, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    game = part("core.games").GAMES["lba"]
    picture = part("io.pipeline.pictures").picture(game, str(SAMPLES / "lba1/FILE3D.HQR"), "entities", "0", tmp_path / "file")
    assert picture is not None


def test_the_folder_of_a_game(part: Part, tmp_path: Path) -> None:
    choices = part("io.pipeline.folders").choices
    listed = {(game.id, Path(path).relative_to(SAMPLES).as_posix()) for game, path in choices(str(SAMPLES / "lba1"))}
    assert {game for game, _ in listed} == {"lba"} and len(listed) == 1
    assert [(game.id, Path(path).name) for game, path in choices(str(SAMPLES / "mindpower"))] == [("mindpower", "mindpower")]
    assert ("oni2", "RB.DAT") in [(game.id, Path(path).name) for game, path in choices(str(SAMPLES / "oni2"))]
    with pytest.raises(part("core.reporting.errors").RetroAnimError, match="no game"):
        choices(str(tmp_path))
