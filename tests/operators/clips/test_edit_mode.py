"""What is saved while an armature is edited leaves it in edit mode."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import bpy as blender
import pytest

bpy: Any = blender
OPS: Any = bpy.ops
SAMPLES = Path(__file__).resolve().parents[3] / "samples"
FILES = {
    "mindpower": Path("mindpower", "animation", "0001.lab"),
    "lba": Path("lba1", "walk.anm"),
    "oni": Path("oni", "TRAMmannequin_walk.oni"),
}


@pytest.mark.parametrize("game", FILES)
@pytest.mark.parametrize("ticked", [False, True])
@pytest.mark.parametrize("mode", ["EDIT", "POSE"])
def test_saving_gives_the_mode_back(tmp_path: Path, game: str, ticked: bool, mode: str) -> None:
    top = FILES[game].parts[0]
    shutil.copytree(SAMPLES / top, tmp_path / top, copy_function=shutil.copyfile)
    path = tmp_path / FILES[game]
    assert getattr(OPS.import_anim, game)(filepath=str(path)) == {"FINISHED"}
    obj = bpy.context.view_layer.objects.active
    OPS.object.mode_set(mode=mode)
    assert OPS.retro_anim.save_clips(ticked=ticked) == {"FINISHED"}
    assert obj.mode == mode
