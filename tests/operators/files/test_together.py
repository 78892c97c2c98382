"""What comes in with one import belongs together, from whichever folders it is."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import bpy
import pytest

OPS: Any = bpy.ops
SAMPLES = Path(__file__).resolve().parents[3] / "samples"
MODELS = {
    "mindpower": ("mindpower/animation/0001.lab", "mindpower/model/character/0001000000.lgo"),
    "oni": ("oni/TRAMmannequin_walk.oni", "oni/TRBSmannequin.oni"),
}


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("game", list(MODELS))
def test_a_motion_and_its_model_of_two_folders_are_one_character(addon: object, tmp_path: Path, game: str, first: int) -> None:
    """In either order; nothing is said to be missing that came in as well."""
    paths = []
    for folder, source in zip(("motion", "model"), MODELS[game], strict=True):
        (tmp_path / folder).mkdir()
        paths.append(shutil.copyfile(SAMPLES / source, tmp_path / folder / Path(source).name))
    files = [{"name": str(path)} for path in (paths[first], paths[1 - first])]
    assert getattr(OPS.import_anim, game)(directory=str(tmp_path), files=files) == {"FINISHED"}
    (armature,) = [obj for obj in bpy.data.objects if obj.type == "ARMATURE"]
    meshes: list[Any] = [obj for obj in bpy.data.objects if obj.type == "MESH"]
    assert meshes and all(mesh.modifiers[0].object == armature for mesh in meshes)
    assert armature.animation_data.action is not None
    said = [line.name for line in bpy.context.window_manager.retro_anim_messages.lines]
    assert not [line for line in said if "no mesh of it" in line or "no skeleton" in line or "no body at hand" in line]
