"""Tales of Pirates through Blender: the same file again, and the same motion where the file itself is lost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest

OPS: Any = bpy.ops
"""The stubs do not know our operators."""

Part = Callable[[str], ModuleType]
FILES = ("0001", "0005", "0010", "0014", "0016", "0088", "0311", "0725", "0741", "0860")
SHEARED = ("0014", "0016", "0088", "0725", "0860")


class Pirates:
    """Importing and exporting, and how a file moves."""

    def __init__(self, part: Part) -> None:
        self.part = part

    def fetch(self, path: Path, **options: Any) -> Any:
        plan = self.part("io.mindpower")
        return plan.import_mindpower(bpy.context, plan.ImportOptions((str(path),), **options))

    def pack(self, thing: Any, **options: Any) -> Any:
        export = self.part("io.mindpower_export")
        return export.pack_lab(bpy.context, thing, export.ExportOptions("", **options))

    def write(self, path: Path, **options: Any) -> list[str]:
        export = self.part("io.mindpower_export")
        return export.export_mindpower(bpy.context, export.ExportOptions(str(path), **options))

    def lab(self, data: bytes) -> Any:
        return self.part("core.mindpower.lab").Lab.parse(data)

    def worlds(self, data: bytes) -> np.ndarray[Any, Any]:
        """(bones, F, 4, 4) for row vectors, in model space."""
        return self.part("core.mindpower.evaluate").world_matrices(self.lab(data))


@pytest.fixture
def pirates(part: Part) -> Pirates:
    return Pirates(part)


@pytest.fixture
def client(game_file: Callable[[str], Path]) -> Path:
    return game_file("mindpower")


def reopened(folder: Path) -> Any:
    """The armature, after the scene was saved and opened again."""
    saved = str(folder / "saved.blend")
    bpy.ops.wm.save_as_mainfile(filepath=saved)
    bpy.ops.wm.open_mainfile(filepath=saved)
    return next(thing for thing in bpy.data.objects if thing.type == "ARMATURE")


@pytest.mark.parametrize("name", FILES)
def test_the_same_files_again(pirates: Pirates, client: Path, tmp_path: Path, name: str) -> None:
    """Saved and reopened, with meshes and action table; and with the holder gone the same motion, of the sheared bones, too."""
    before = (client / "animation" / f"{name}.lab").read_bytes()
    meshes = pirates.fetch(client / "animation" / f"{name}.lab").meshes
    count = len(meshes)
    thing = reopened(tmp_path)
    bpy.context.view_layer.objects.active = thing
    written = [Path(file) for file in pirates.write(tmp_path / f"{name}.lab", meshes=True)]
    sources = {path.name: path for folder in ("animation", "model/character", "scripts/txt") for path in (client / folder).iterdir()}
    assert sum(path.suffix == ".lgo" for path in written) == count
    for path in written:
        assert path.read_bytes() == sources[path.name].read_bytes(), path.name
    bpy.data.batch_remove(list(bpy.data.texts))
    after = pirates.pack(thing).data
    assert np.abs(pirates.worlds(after) - pirates.worlds(before)).max() < 1e-5


@pytest.mark.parametrize("name", ["0010", "0016"])
def test_the_same_file_in_other_ways(pirates: Pirates, client: Path, name: str) -> None:
    path = client / "animation" / f"{name}.lab"
    pirates_way = {"actions": "TIMELINE", "helper_bones": True, "scale": 10.0, "bone_direction": "CHILD", "frame_start": 0.0}
    made = pirates.fetch(path, **pirates_way)
    assert len(made.actions) == 1
    assert pirates.pack(made.armatures[0]).data == path.read_bytes()
    bpy.data.batch_remove(list(bpy.data.texts))
    after = pirates.pack(made.armatures[0]).data
    size = max(1.0, float(np.abs(pirates.worlds(path.read_bytes())[..., 3, :3]).max()) / 2)
    assert np.abs(pirates.worlds(after) - pirates.worlds(path.read_bytes())).max() < 1e-5 * size


def test_operators(pirates: Pirates, client: Path, tmp_path: Path) -> None:
    path, out = client / "animation" / "0741.lab", tmp_path / "0741.lab"
    assert OPS.import_anim.mindpower(filepath=str(path)) == {"FINISHED"}
    assert OPS.export_anim.mindpower(filepath=str(out)) == {"FINISHED"}
    assert out.read_bytes() == path.read_bytes()
    table = client / "scripts" / "txt" / "CharacterAction.tx"
    assert (tmp_path / "CharacterAction.tx").read_bytes() == table.read_bytes()
    assert sorted(file.name for file in tmp_path.iterdir()) == ["0741.lab", "CharacterAction.tx"]
