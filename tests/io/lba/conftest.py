"""What tests of this folder edit: a folder of Little Big Adventure 2, the walk of LBA1's hero, and our samples of both games."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from support.lba import lba2_chain as chain2
from support.lba.lba2_folder import CHAIN, COUNT, FIRST_RANDOM, KINDS, TREE, random_anm, tree
from support.lba.lba_edits import Part, Walk

SAMPLES = Path(__file__).resolve().parents[3] / "samples"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """ANIM.HQR of a made-up folder of the game."""
    folder = tmp_path / "LBA2"
    folder.mkdir()
    anims = [chain2.ANM, *(random_anm(seed, 12 + seed) for seed in range(COUNT))]
    (folder / "ANIM.HQR").write_bytes(chain2.archive([*anims, None, 0]))
    bodies = [chain2.LM2, chain2.lm2(runs=chain2.every_kind()), chain2.lm2(tree(), runs=[])]
    (folder / "BODY.HQR").write_bytes(chain2.archive([*bodies]))
    entities = [
        chain2.entity([(0, CHAIN), (1, KINDS)], [(0, 0), (1, 0), (200, 1)]),
        chain2.entity([(0, TREE)], [(0, FIRST_RANDOM + number) for number in range(COUNT)]),
    ]
    (folder / "RESS.HQR").write_bytes(chain2.resources(entities))
    return folder / "ANIM.HQR"


@pytest.fixture
def walk(fetch: Any, part: Part, anims: Path) -> Walk:
    return Walk(fetch, part, anims)


@pytest.fixture(params=["lba1", "lba2"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A copy of our sample of either game."""
    target = tmp_path / "game"
    shutil.copytree(SAMPLES / request.param, target, copy_function=shutil.copyfile)
    return target
