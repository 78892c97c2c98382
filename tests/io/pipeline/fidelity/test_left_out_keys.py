"""Clips of which keys are left out by a bound on where joints are, as those of retargeted ones are: whatever else takes part is named as in
others."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import pytest

Part = Callable[[str], Any]
SAMPLES = Path(__file__).resolve().parents[4] / "samples"
FILES = {"lba": Path("lba1", "walk.anm"), "oni": Path("oni", "TRAMmannequin_walk.oni")}


def muted(part: Part, obj: Any, action: Any) -> str:
    for curve in part("io.blender.compat").curves(action, obj):
        if curve.data_path.endswith(("rotation_euler", "rotation_quaternion")):
            curve.mute = True
    return "curves are muted"


def tracked(part: Part, obj: Any, action: Any) -> str:
    """The second bone of the skeleton points elsewhere."""
    aim: Any = bpy.data.objects.new("aim", None)
    bpy.context.collection.objects.link(aim)
    aim.location = (1, 1, 1)
    obj.pose.bones[1].constraints.new("DAMPED_TRACK").target = aim
    bpy.context.view_layer.update()
    return "a Damped Track constraint moves it"


@pytest.mark.thorough
@pytest.mark.parametrize("game", FILES)
@pytest.mark.parametrize("reduction", ["DISTANCE", "FIT", "AUTO"])
@pytest.mark.parametrize("condition", [None, muted, tracked], ids=["nothing", "muted", "tracked"])
def test_what_else_takes_part_is_named(part: Part, tmp_path: Path, game: str, reduction: str, condition: Any) -> None:
    games, row = part("io.pipeline.games"), part("core.games").GAMES[game]
    shutil.copytree(SAMPLES / FILES[game].parts[0], tmp_path / "in", copy_function=shutil.copyfile)
    imported = games.import_(bpy.context, row, [str(tmp_path / "in" / FILES[game].name)], {})
    obj, action = imported.armatures[0], imported.actions[0]
    part("io.blender.compat").assign(obj, action)
    if reduction == "AUTO":
        action[part("io.blender.identity").RETARGETED] = True
    says = condition(part, obj, action) if condition else ""
    new = tmp_path / f"new{FILES[game].suffix}"
    exported = games.export(bpy.context, row, str(new), {"reduction": reduction, "overwrite": True})
    lines = [line for line in map(str, exported.warnings) if "from what is shown" in line]
    assert any(says in line for line in lines) if says else not lines
