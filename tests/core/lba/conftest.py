"""What all tests of the core share: the games' own entries."""

from __future__ import annotations

from pathlib import Path

import pytest
from retro_anim.core.lba.body.body import Body
from retro_anim.core.lba.files.anm import Anm
from retro_anim.core.lba.files.archive.hqr import Hqr
from retro_anim.core.lba.files.lm1 import Lm1


def entries(path: Path) -> dict[int, bytes]:
    archive = Hqr.parse(path.read_bytes())
    return {index: archive.read(index) for index in range(len(archive)) if not archive.blank(index)}


@pytest.fixture(scope="session")
def anims(game_data: Path) -> dict[int, bytes]:
    """The entries of the game's ANIM.HQR."""
    return entries(game_data / "lba1" / "ANIM.HQR")


@pytest.fixture(scope="session")
def bodies(game_data: Path) -> dict[int, bytes]:
    """The entries of the game's BODY.HQR."""
    return entries(game_data / "lba1" / "BODY.HQR")


@pytest.fixture(scope="session")
def twinsen(anims: dict[int, bytes], bodies: dict[int, bytes]) -> tuple[Body, Anm]:
    """The hero's body and his walk."""
    return Body.from_lm1(Lm1.parse(bodies[0])), Anm.parse(anims[1])
