"""Characters of Tales of Pirates for the tests of this folder."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from support.mindpower.mindpower_warrior import Part, Warrior


@pytest.fixture
def warrior(part: Part, game_file: Callable[[str], Path]) -> Warrior:
    return Warrior(part, game_file("mindpower"))


@pytest.fixture
def copied(game_file: Callable[[str], Path], tmp_path: Path) -> Path:
    """A client with one character, to be broken."""
    source, root = game_file("mindpower"), tmp_path / "client"
    for name in (
        "animation/0741.lab",
        "model/character/0741000000.lgo",
        "scripts/txt/CharacterAction.tx",
        "scripts/table/CharacterInfo.txt",
    ):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source / name, root / name)
    return root
