"""`character make`: an armature of another format as a new character of a client; `copy` needs no Blender."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

SAMPLE = Path(__file__).resolve().parents[3] / "samples"


def test_copied_and_made(part: Callable[[str], ModuleType], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main: Any = part("cli.main").main
    client, mannequin = tmp_path / "CLIENT", tmp_path / "someone.glb"
    shutil.copytree(SAMPLE / "mindpower", client, copy_function=shutil.copyfile)
    assert main(["character", "copy", f"{client}#Mannequin", "--number", "900", "--name", "Guard"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "Guard: skeleton 0900, character 2, type 2 of actions; 5 files written"
    assert main(["convert", str(SAMPLE / "mindpower/animation/0001.lab"), "-o", str(mannequin)]) == 0
    assert main(["character", "make", str(mannequin), str(client), "--name", "Monster", "--like", "Guard"]) == 0
    assert "Monster: skeleton 0901, character 3, type 3 of actions; 5 files written" in capsys.readouterr().out
    assert main(["character", "make", str(mannequin), str(client), "--number", "900"]) == 1
    assert "number 900 of a skeleton is taken: 902 is free" in capsys.readouterr().err
    assert main(["character", "make", str(mannequin), str(tmp_path)]) == 1
    assert "no folder of a game that takes new characters" in capsys.readouterr().err
    assert main(["verify", str(client)]) == 0
