"""`convert` of files and folders that are gone when their turn comes: each is a line, and the others are converted."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from support.sample_files import SAMPLES

Convert = Callable[..., tuple[int, list[str], list[str]]]
Part = Callable[[str], ModuleType]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two clips of one game, and in a folder of its own one of another."""
    (gone := tmp_path / "clips" / "gone").mkdir(parents=True)
    for name in ("walk.anm", "mannequin.lm1"):
        shutil.copy(SAMPLES / "lba1" / name, tmp_path / "clips")
    shutil.copy(SAMPLES / "oni" / "OBANmannequin_camera.oni", gone)
    return gone.parent


@pytest.mark.parametrize("target", ["out.blend", "out.bvh"])
def test_a_folder_goes_while_its_files_are_listed(
    convert: Convert, folder: Path, part: Part, tmp_path: Path, target: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    inputs = part("cli.inputs")
    honest = inputs.below

    def below(path: str) -> list[str]:
        files = honest(path)
        shutil.rmtree(folder / "gone")
        return files

    monkeypatch.setattr(inputs, "below", below)
    code, written, said = convert(folder, "-o", tmp_path / target)
    assert (code, len(written)) == (1, 1)
    assert said[-1] == f"{folder / 'gone' / 'OBANmannequin_camera.oni'}: No such file or directory"


def test_a_folder_goes_before_it_is_looked_into(
    convert: Convert, folder: Path, part: Part, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tasks = part("cli.batch.tasks")
    honest = tasks._client

    def client(path: str) -> object:
        if Path(path).name == "gone":
            shutil.rmtree(path)
        return honest(path)

    monkeypatch.setattr(tasks, "_client", client)
    code, written, said = convert(folder, "-o", f"{tmp_path / 'out'}/", "--jobs", 1)
    assert (code, len(written)) == (1, 1)
    assert said[-2:] == [f"{folder / 'gone'}: No such file or directory", "1 converted, 0 up to date, 1 failed"]


def test_a_file_goes_before_its_size_is_asked(folder: Path, part: Part, monkeypatch: pytest.MonkeyPatch) -> None:
    tasks = part("cli.batch.tasks")
    known = [tasks._stamp(str(folder), below=below) for below in (False, True)]
    size = sum(path.stat().st_size for path in folder.iterdir() if path.is_file())
    assert known[0].split()[:2] == ["2", str(size)] and known[1].split()[0] == "3"
    (folder / "lost.anm").touch()
    honest = Path.stat

    def stat(path: Path) -> object:
        if path.name == "lost.anm":
            raise FileNotFoundError(path)
        return honest(path)

    monkeypatch.setattr(Path, "is_file", lambda path: path.name != "gone")
    monkeypatch.setattr(Path, "stat", stat)
    assert [tasks._stamp(str(folder), below=below) for below in (False, True)] == known


def test_a_file_goes_before_it_is_parted(part: Part, tmp_path: Path) -> None:
    tasks = part("cli.batch.tasks")
    waiting = [tasks.Task((str(tmp_path / "lost.hqr"),)), tasks.Task((str(tmp_path / "a.anm"), str(tmp_path / "b.anm")))]
    assert list(tasks.in_parts(waiting)) == waiting
