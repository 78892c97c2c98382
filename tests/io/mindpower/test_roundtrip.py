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
        plan = self.part("io.mindpower.build")
        return plan.import_mindpower(bpy.context, plan.ImportOptions((str(path),), **options))

    def pack(self, obj: Any, **options: Any) -> Any:
        export = self.part("io.mindpower.pack")
        return export.pack_lab(bpy.context, obj, export.ExportOptions("", **options))

    def write(self, path: Path, **options: Any) -> list[str]:
        export = self.part("io.mindpower.write")
        return export.export_mindpower(bpy.context, export.ExportOptions(str(path), **options)).paths

    def lab(self, data: bytes) -> Any:
        return self.part("core.mindpower.files.skeleton.lab").Lab.parse(data)

    def worlds(self, data: bytes) -> np.ndarray[Any, Any]:
        """(F, bones, 4, 4) for row vectors, in model space."""
        return self.part("core.mindpower.motion.evaluate").world_matrices(self.lab(data))


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
    return next(obj for obj in bpy.data.objects if obj.type == "ARMATURE")


@pytest.mark.parametrize("name", [*FILES[:3], *(pytest.param(name, marks=pytest.mark.thorough) for name in FILES[3:])])
def test_the_same_files_again(pirates: Pirates, client: Path, tmp_path: Path, name: str) -> None:
    """Saved and reopened, with meshes and action table; and with the holder gone the same motion, of the sheared bones, too."""
    before = (client / "animation" / f"{name}.lab").read_bytes()
    meshes = pirates.fetch(client / "animation" / f"{name}.lab").meshes
    count = len(meshes)
    obj = reopened(tmp_path)
    bpy.context.view_layer.objects.active = obj
    written = [Path(file) for file in pirates.write(tmp_path / f"{name}.lab", with_meshes=True)]
    sources = {path.name: path for folder in ("animation", "model/character", "scripts/txt") for path in (client / folder).iterdir()}
    assert sum(path.suffix == ".lgo" for path in written) == count
    for path in written:
        assert path.read_bytes() == sources[path.name].read_bytes(), path.name
    bpy.data.batch_remove(list(bpy.data.texts))
    after, expected = pirates.pack(obj).data, pirates.worlds(before)
    farthest = float(np.abs(expected[..., 3, :3]).max())
    assert np.abs(pirates.worlds(after) - expected).max() < max(1e-5, 5e-7 * farthest), "single precision"


@pytest.mark.parametrize("name", ["0010", "0016"])
def test_the_same_file_in_other_ways(pirates: Pirates, client: Path, name: str) -> None:
    path = client / "animation" / f"{name}.lab"
    options = {"actions": "TIMELINE", "helper_bones": True, "scale": 10.0, "bone_direction": "CHILD", "frame_start": 0.0}
    imported = pirates.fetch(path, **options)
    assert len(imported.actions) == 1
    assert pirates.pack(imported.armatures[0]).data == path.read_bytes()
    bpy.data.batch_remove(list(bpy.data.texts))
    after = pirates.pack(imported.armatures[0]).data
    size = max(1.0, float(np.abs(pirates.worlds(path.read_bytes())[..., 3, :3]).max()) / 2)
    assert np.abs(pirates.worlds(after) - pirates.worlds(path.read_bytes())).max() < 1e-5 * size


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["0014", "0010", "0741"])
@pytest.mark.parametrize("key_type", ["AUTO", "QUAT", "MAT43", "MAT44"])
@pytest.mark.parametrize("longer", [-9, 5])
def test_another_length_where_the_file_is_lost(pirates: Pirates, client: Path, name: str, key_type: str, longer: int) -> None:
    imported = pirates.fetch(client / "animation" / f"{name}.lab", actions="TIMELINE", helper_bones=True, fps_mode="SET")
    count = pirates.pack(imported.armatures[0]).lab.frame_count
    bpy.data.batch_remove(list(bpy.data.texts))
    imported.actions[0].frame_end += longer
    try:
        packed = pirates.pack(imported.armatures[0], key_type=key_type)
    except pirates.part("core.reporting.errors").ExportError as error:
        assert key_type == "QUAT" and "quaternions cannot hold" in str(error)
    else:
        assert pirates.lab(packed.data).frame_count == count + longer


def test_nothing_is_left_of_a_file(pirates: Pirates, client: Path) -> None:
    imported = pirates.fetch(client / "animation" / "0014.lab")
    bpy.data.batch_remove([*bpy.data.texts, *bpy.data.actions])
    with pytest.raises(pirates.part("core.reporting.errors").ExportError, match="import it again"):
        pirates.pack(imported.armatures[0])


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["0741", "0010", "0014"])
@pytest.mark.parametrize("value", [3.4e38, -1e30, 1e20, 1e10, 1e-45, -1e-40, -0.0])
@pytest.mark.parametrize("seed", range(3))
def test_one_absurd_number(pirates: Pirates, client: Path, tmp_path: Path, name: str, value: float, seed: int) -> None:
    """Unedited it comes out as it went in, and Blender never gets what is no number."""
    data = (client / "animation" / f"{name}.lab").read_bytes()
    lab = pirates.lab(data)
    at = len(data) - len(lab.rest) - 4 * len(lab.keys) + 4 * int(np.random.default_rng(seed).integers(len(lab.keys)))
    spoiled = data[:at] + np.array(value, "<f4").tobytes() + data[at + 4 :]
    path = tmp_path / f"{name}.lab"
    path.write_bytes(spoiled)
    imported = pirates.fetch(path, helper_bones=bool(seed % 2))
    packed = pirates.pack(imported.armatures[0])
    assert packed.lab.key_type == lab.key_type and packed.data == spoiled
    curves = [curve for action in imported.actions for curve in pirates.part("io.blender.compat").curves(action)]
    assert all(np.isfinite(point.co.y) for curve in curves for point in curve.keyframe_points)


def test_operators(pirates: Pirates, client: Path, tmp_path: Path) -> None:
    path, out = client / "animation" / "0741.lab", tmp_path / "0741.lab"
    assert OPS.import_anim.mindpower(filepath=str(path)) == {"FINISHED"}
    assert OPS.export_anim.mindpower(filepath=str(out)) == {"FINISHED"}
    assert out.read_bytes() == path.read_bytes()
    table = client / "scripts" / "txt" / "CharacterAction.tx"
    assert (tmp_path / "CharacterAction.tx").read_bytes() == table.read_bytes()
    assert sorted(file.name for file in tmp_path.iterdir()) == ["0741.lab", "CharacterAction.tx"]
