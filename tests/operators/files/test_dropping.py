"""Files dropped on the window: each goes to the game that it is of, and its dialog asks for nothing that the files do not have."""

from __future__ import annotations

import gzip
import re
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import bpy
import pytest
from support.sample_files import CLIPS

SAMPLES = Path(__file__).resolve().parents[3] / "samples"
GAMES = ("lba", "oni", "oni2", "mindpower")
Part = Callable[[str], ModuleType]


def dropped(part: Part, game: str, *names: str, **given: Any) -> tuple[Any, Any]:
    """The importer's class, and what stands for one of it with these files."""
    kind = part(f"operators.{game}").CLASSES[0]
    return kind, SimpleNamespace(row=kind.row, paths=lambda: tuple(str(SAMPLES / name) for name in names), **given)


def test_no_extension_makes_blender_ask_for_the_game(addon: Any) -> None:
    handlers: list[Any] = [bpy.types.FileHandler.bl_rna_get_subclass_py(f"IO_FH_{game}") for game in GAMES]
    taken = Counter(each for handler in handlers for each in handler.bl_file_extensions.split(";"))
    assert set(taken.values()) == {1}
    assert set(taken) >= {".anm", ".hqr", ".oni", ".dat", ".xml", ".anim", ".skel", ".mod", ".type", ".lab", ".lgo"}


@pytest.mark.parametrize(
    ("game", "name", "other"),
    [("oni", "oni2/RB.DAT", "oni2"), ("oni", "oni/TRAMmannequin_walk.oni", ""), ("oni2", "oni2/RB.DAT", ""), ("lba", "lba1/ANIM.HQR", "")],
)
def test_a_file_of_another_game_goes_there(part: Part, game: str, name: str, other: str) -> None:
    kind, files = dropped(part, game, name)
    assert part("operators.files.opening").other_game(kind.row, files.paths()) == other


def test_a_file_that_is_of_no_game_stays_where_it_was_dropped(part: Part, tmp_path: Path) -> None:
    (tmp_path / "own.dat").write_bytes(b"something else")
    kind, files = dropped(part, "oni", str(tmp_path / "own.dat"))
    assert part("operators.files.opening").other_game(kind.row, files.paths()) == ""


ENTRIES = [
    ("oni", ["oni/TRAMmannequin_walk.oni", "oni/TRAMmannequin_idle.oni"], False),
    ("oni", ["oni/TRAMmannequin_walk.oni", "level.dat"], True),
    ("lba", ["lba1/walk.anm", "lba1/wave.anm"], False),
    ("lba", ["lba1/walk.anm", "body.lm1", "body.LM2"], False),
    ("lba", ["lba1/ANIM.HQR", "lba2/ANIM.HQR"], True),
    ("oni", [], True),
]


@pytest.mark.parametrize(("game", "names", "asks"), ENTRIES)
def test_entries_are_asked_for_where_a_file_has_some(part: Part, game: str, names: list[str], asks: bool) -> None:
    kind, files = dropped(part, game, *names, entries="")
    assert kind.shown(files, "entries") is asks
    files.entries = "1"
    assert kind.shown(files, "entries"), "what was given is never hidden"


@pytest.mark.parametrize("game", GAMES)
def test_an_empty_file_is_called_empty(part: Part, tmp_path: Path, game: str) -> None:
    """Not by the first bytes that are missing: it is what a broken download leaves. Dropped on the window, it says so at once."""
    path = tmp_path / {"lba": "walk.anm", "oni": "walk.oni", "oni2": "walk.anim", "mindpower": "0001.lab"}[game]
    path.touch()
    says = f"{path}: the file is empty: put a whole copy in its place"
    with pytest.raises(RuntimeError, match=re.escape(says)):
        getattr(bpy.ops.import_anim, game)(filepath=str(path))
    assert part("operators.files.opening").damaged([str(path)]) == says


@pytest.mark.parametrize(("game", "name"), [("lba", "lba2/ANIM.HQR"), ("lba", "lba2/walk.anm"), ("oni", "oni/TRAMmannequin_walk.oni")])
def test_a_damaged_file_says_so_before_its_options_are_asked_for(part: Part, tmp_path: Path, game: str, name: str) -> None:
    damaged, whole = part("operators.files.opening").damaged, SAMPLES / name
    cut = tmp_path / whole.name
    cut.write_bytes(whole.read_bytes()[:12])
    assert damaged((str(whole),)) == ""
    assert damaged((str(cut),)).startswith(f"{cut}: ")
    assert damaged((str(cut),)).endswith("copy it from the game again")
    with pytest.raises(RuntimeError, match="copy it from the game again"):
        getattr(bpy.ops.import_anim, game)(filepath=str(cut))


def test_a_packed_file_is_not_called_damaged(part: Part, tmp_path: Path) -> None:
    """What helps is another matter, and is said."""
    packed = tmp_path / "0088.lab"
    packed.write_bytes(gzip.compress(bytes(100)))
    assert part("operators.files.opening").damaged((str(packed),)) == f"{packed}: a compressed file (gzip): unpack it first"


def test_a_path_that_the_system_refuses_is_no_damaged_file(part: Part, monkeypatch: pytest.MonkeyPatch) -> None:
    damaged = part("operators.files.opening").damaged
    assert damaged(("x" * 5000,)) == ""
    monkeypatch.setattr(part("core.formats"), "open_file", lambda _path: bytearray(1 << 62))
    assert "there is not enough memory" in damaged((str(SAMPLES / CLIPS["lba"]),))


def test_what_came_in_is_not_said_to_be_from_the_file_that_failed(addon: Any, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The first of several is damaged: those that came in are counted, and what is wrong with the other one is said."""
    (tmp_path / "TRAMbroken.oni").write_bytes((SAMPLES / "oni/TRAMmannequin_idle.oni").read_bytes()[:300])
    for name in ("TRAMmannequin_walk.oni", "TRBSmannequin.oni"):
        shutil.copy(SAMPLES / "oni" / name, tmp_path)
    ops: Any = bpy.ops
    files = [{"name": "TRAMbroken.oni"}, {"name": "TRAMmannequin_walk.oni"}]
    ops.import_anim.oni(directory=str(tmp_path), files=files)
    (line,) = (each for each in capfd.readouterr().out.splitlines() if "1 action from" in each)
    assert "1 character, 1 mesh, 1 action from TRAMmannequin_walk.oni; " in line and "TRAMbroken.oni: the data table ends at" in line
