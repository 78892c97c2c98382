"""OniSplit itself packs what is written into a level, where it is at hand: RETRO_ANIM_ONISPLIT names OniSplit.exe, run by mono."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from retro_anim.core.oni.body.body_file import body_file
from retro_anim.core.oni.body.body_read import Original, body_of, read_body
from retro_anim.core.oni.body.body_write import edited_file
from retro_anim.core.oni.body.mannequin import mannequin
from retro_anim.core.oni.body.textures.pictures_write import texture_file
from retro_anim.core.oni.files.documents import TramFile
from retro_anim.core.oni.files.library import Instance, Library
from support.oni.oni_trams import random_tram

from ..body.test_body_write import as_drawn

PROGRAM = os.environ.get("RETRO_ANIM_ONISPLIT", "")


@pytest.mark.skipif(not (PROGRAM and Path(PROGRAM).is_file() and shutil.which("mono")), reason="no OniSplit: RETRO_ANIM_ONISPLIT, and mono")
def test_it_packs_a_level_of_what_is_written(tmp_path: Path) -> None:
    folder, level = tmp_path / "files", tmp_path / "level1_Final.dat"
    folder.mkdir()
    pixels = np.random.default_rng(1).integers(0, 256, (8, 8, 4)).astype(np.uint8)
    (folder / "TRAMours.oni").write_bytes(TramFile.new(replace(random_tram(1), name="TRAMours", direct=("", ""))).pack())
    (folder / "TXMPours.oni").write_bytes(texture_file("TXMPours", pixels).pack())
    empty = body_file(mannequin(), "TRBSours")
    body = body_of(Instance(empty, "", 0), 4, Library())
    drawn = [piece and replace(piece, texture="TXMPinside") for piece in map(as_drawn, body.pieces)]
    file = edited_file(Original(empty), drawn, body.offsets, pictures={"TXMPinside": pixels})
    (folder / "TRBSours.oni").write_bytes(file.pack())
    run = subprocess.run(["mono", PROGRAM, "-import:nosep", str(folder), str(level)], capture_output=True, text=True, timeout=120)
    assert run.returncode == 0 and level.is_file(), run.stdout + run.stderr
    inside = read_body(f"{level}#TRBSours")
    for piece, own in zip(inside.pieces, body.pieces, strict=True):
        assert piece is not None
        assert own is not None
        assert np.array_equal(piece.points[piece.triangles], own.points[own.triangles])
    assert all(np.array_equal(image.pixels[..., :3], pixels[..., :3]) for image in inside.images.values())
