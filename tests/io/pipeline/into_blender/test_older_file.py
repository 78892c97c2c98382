"""A .blend of our samples, saved in Blender 4.2 by an older version: every clip goes out as it came in.

Its actions and armatures do not say which game they are of, and hold whole numbers where floats stand now.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import pytest

ROOT = Path(__file__).parents[4]
SAMPLES = ROOT / "samples"
LBA = [f"entity 0 {name}{suffix}" for suffix in ("", ".001") for name in ("stand", "walk", "turn left", "animation 64")]
CLIPS = {
    "TRAMmannequin_idle": "oni/TRAMmannequin_idle.oni",
    "TRAMmannequin_walk": "oni/TRAMmannequin_walk.oni",
    "OBANmannequin_camera": "oni/OBANmannequin_camera.oni",
    "mannequin_idle": "oni2/Entity/mannequin/mannequin_idle.anim",
    "mannequin_walk": "oni2/Entity/mannequin/mannequin_walk.anim",
    "mannequin_wave": "oni2/Entity/mannequin/mannequin_wave.anim",
}
SKELETON = "mindpower/animation/0001.lab"
Part = Callable[[str], ModuleType]


@pytest.fixture(autouse=True)
def older_file(scene: Any) -> None:
    bpy.ops.wm.open_mainfile(filepath=str(ROOT / "tests" / "data" / "before.blend"))


def activate(action: bpy.types.Action) -> None:
    """Show the action on the armature, or other object, that it is of."""
    rig = action.get("retro_anim_rig")
    (obj,) = [
        obj
        for obj in bpy.data.objects
        if (obj.type == "ARMATURE" and obj.data.get("retro_anim_rig") == rig if rig is not None else obj.name == "mannequin_camera")
    ]
    bpy.context.view_layer.objects.active = obj
    obj.animation_data_create().action = action
    if hasattr(obj.animation_data, "action_slot"):
        obj.animation_data.action_slot = action.slots[0]


def exported(part: Part, game: str, target: Path, **options: Any) -> bytes:
    """Each game's import has set the scene's rate, so that of the last one is left."""
    module = part(f"io.{game}")
    getattr(module, f"export_{game}")(bpy.context, module.ExportOptions(str(target), fps_from="IMPORT", **options))
    return target.read_bytes()


def test_it_is_an_older_file() -> None:
    assert not any("retro_anim_game" in block for blocks in (bpy.data.actions, bpy.data.armatures, bpy.data.objects) for block in blocks)
    assert [type(value) for value in bpy.data.actions["entity 0 walk"]["lba_first_step"]] == [int] * 3
    assert len(bpy.data.actions) == len(LBA) + len(CLIPS) + 3


@pytest.mark.parametrize("name", LBA)
def test_little_big_adventure(part: Part, tmp_path: Path, name: str) -> None:
    action = bpy.data.actions[name]
    activate(action)
    game = "lba2" if name.endswith(".001") else "lba1"
    archive = part("core.lba.files.archive.hqr").Hqr.parse((SAMPLES / game / "ANIM.HQR").read_bytes())
    original = archive.read(action["retro_anim_entry"])
    assert exported(part, "lba", tmp_path / "kept.anm") == original
    bpy.data.texts.remove(action["retro_anim_source"])
    again = part("core.lba.files.anm").Anm.parse(exported(part, "lba", tmp_path / "lost.anm"))
    first = part("core.lba.files.anm").Anm.parse(original)
    assert (again.frames["step"] == first.frames["step"]).all()
    assert (again.frames["duration"] == first.frames["duration"]).all()


@pytest.mark.parametrize("name", CLIPS)
def test_a_clip_a_file(part: Part, tmp_path: Path, name: str) -> None:
    sample = SAMPLES / CLIPS[name]
    activate(bpy.data.actions[name])
    assert exported(part, sample.relative_to(SAMPLES).parts[0], tmp_path / sample.name) == sample.read_bytes()


def test_tales_of_pirates(part: Part, tmp_path: Path) -> None:
    activate(bpy.data.actions["Mannequin 18 wave"])
    assert exported(part, "mindpower", tmp_path / "0001.lab", source="ALL") == (SAMPLES / SKELETON).read_bytes()


def test_every_game_is_recognised(part: Part) -> None:
    game_of = part("io.blender.identity").game_of
    expected = {"entity": "lba", "Mannequin": "mindpower", "TRAMmannequin": "oni", "OBANmannequin": "oni", "mannequin": "oni2"}
    for action in bpy.data.actions:
        assert game_of(action).id == expected[action.name.replace("_", " ").split()[0]], action.name
