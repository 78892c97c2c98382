"""What is kept of retargeting beside the scene: options under a name, maps that were accepted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import pytest

OPS: Any = bpy.ops
MENU = "RETRO_ANIM_MT_retarget_presets"


def test_options_are_kept_and_come_back_in_another_scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All that the options' part shows; which armatures, clips and poses are the scene's own."""
    monkeypatch.setattr(bpy.utils, "user_resource", lambda *_given, path="", **_named: str(_folder(tmp_path / path)))
    settings: Any = bpy.context.scene.retro_anim_retarget
    settings.root_motion, settings.feet, settings.scale, settings.step = "BONE", False, 0.25, 2.0
    settings.align, settings.pose_frame, settings.nla = "FRAME", 7, True
    assert OPS.retro_anim.retarget_preset(name="To Unreal") == {"FINISHED"}
    (kept,) = tmp_path.rglob("*.py")
    other: Any = bpy.data.scenes.new("other")
    assert other.retro_anim_retarget.root_motion == "HIPS"
    context: Any = bpy.context
    with context.temp_override(scene=other):
        assert OPS.script.execute_preset(filepath=str(kept), menu_idname=MENU) == {"FINISHED"}
    now = other.retro_anim_retarget
    assert (now.root_motion, now.feet, now.scale, now.step) == ("BONE", False, 0.25, 2.0)
    assert (now.align, now.pose_frame, now.nla) == ("AUTO", 1, False)
    assert getattr(bpy.types, MENU).bl_label == "To Unreal"
    getattr(bpy.types, MENU).bl_label = "Option Presets"


def test_accepted_maps_are_in_the_extensions_own_folder(
    addon: ModuleType, part: Callable[[str], ModuleType], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Blender knows it by the extension's name, and of a part of the extension knows nothing."""
    folders = {addon.__name__: tmp_path}
    monkeypatch.setattr(bpy.utils, "extension_path_user", lambda package, *, path: str(folders[package] / path))
    assert part("operators.retarget.mapping.bone_map").folder() == tmp_path / "bone_maps"


def _folder(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder
