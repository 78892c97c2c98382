"""The given files of Oni, imported and exported, for the tests of this folder."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import pytest

Part = Callable[[str], ModuleType]


@pytest.fixture
def files(game_file: Callable[[str], Path], tmp_path: Path) -> Path:
    """A folder with the given .oni files."""
    folder = tmp_path / "oni"
    shutil.copytree(game_file("oni/instances"), folder, copy_function=shutil.copyfile)
    folder.chmod(0o755)
    return folder


@pytest.fixture
def fetch(part: Part) -> Callable[..., Any]:
    """Imports: `fetch(path, keys="EVERY")`."""
    oni = part("io.oni")
    return lambda *paths, **options: oni.import_oni(bpy.context, oni.ImportOptions(tuple(map(str, paths)), **options))


@pytest.fixture
def write(part: Part) -> Callable[..., list[str]]:
    """Exports the active action, or `action`: `write(path, sampling="VISUAL")`."""
    oni = part("io.oni")

    def run(path: Path, action: Any = None, **options: Any) -> list[str]:
        if action is not None:
            obj = owner_of(action)
            bpy.context.view_layer.objects.active = obj
            obj.animation_data.action = action
            if hasattr(obj.animation_data, "action_slot") and obj.animation_data.action_slot is None:
                obj.animation_data.action_slot = action.slots[0]
        return oni.export_oni(bpy.context, oni.ExportOptions(str(path), **options)).paths

    return run


@pytest.fixture
def source(game_file: Callable[[str], Path], tmp_path: Path) -> Path:
    """A copy of the given body."""
    return Path(shutil.copyfile(game_file("oni/instances/TRBSTESTbody.oni"), tmp_path / "TRBSTESTbody.oni"))


@pytest.fixture
def exported(tmp_path: Path) -> Callable[..., bytes]:
    """The file that the active armature becomes."""

    def run(**options: Any) -> bytes:
        out = tmp_path / "TRBSout.oni"
        ops: Any = bpy.ops
        assert ops.export_mesh.oni(filepath=str(out), overwrite=True, **options) == {"FINISHED"}
        return out.read_bytes()

    return run


def owner_of(action: Any) -> Any:
    """The object that an action moves."""
    moved = [obj for obj in bpy.data.objects if obj.animation_data and obj.animation_data.action == action]
    return (moved or [obj for obj in bpy.data.objects if obj.type == "ARMATURE"])[0]
