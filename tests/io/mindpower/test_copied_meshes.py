"""Copies of a mesh on a character of Tales of Pirates: the file of the original stays its own, and each copy gets another one."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest

OPS: Any = bpy.ops
CONTEXT: Any = bpy.context
Part = Callable[[str], ModuleType]
SAMPLES = Path(__file__).resolve().parents[3] / "samples" / "mindpower"
AWAY = 1.0
"""Metres that the copy stands away to the side."""


class Character:
    """The sample, whose list of characters names one mesh."""

    def __init__(self, part: Part, root: Path) -> None:
        self.part = part
        shutil.copytree(SAMPLES, root, copy_function=shutil.copyfile)
        self.folder = root / "model" / "character"
        self.file = self.folder / "0001000000.lgo"
        OPS.import_anim.mindpower(filepath=str(root / "animation" / "0001.lab"))
        self.obj = next(each for each in CONTEXT.scene.objects if each.type == "ARMATURE")
        self.mesh = next(each for each in self.obj.children_recursive if each.type == "MESH")

    def copy(self, linked: bool) -> Any:
        """As Shift D or Alt D make it, moved to the side."""
        OPS.object.select_all(action="DESELECT")
        self.mesh.select_set(True)
        CONTEXT.view_layer.objects.active = self.mesh
        OPS.object.duplicate(linked=linked)
        copy = CONTEXT.view_layer.objects.active
        copy.location.x += AWAY
        return copy

    def save(self) -> tuple[list[str], list[str]]:
        """The names of the files that are written, and what is said."""
        with self.part("core.reporting.log").heard() as said:
            saved = self.part("io.pipeline.out_of_blender.character").save_character(bpy.context, self.obj)
        return sorted(Path(path).name for path in saved.paths), said.digest("WARNING")

    def points(self, name: str) -> Any:
        """(vertices, 3) of a file, in the game's own axes, of which x is Blender's."""
        return self.part("core.mindpower.files.mesh.lgo").Lgo.parse((self.folder / name).read_bytes()).mesh.positions


@pytest.fixture
def character(part: Part, tmp_path: Path) -> Character:
    return Character(part, tmp_path / "client")


@pytest.mark.parametrize("linked", [False, True])
def test_a_copy_leaves_the_file_of_the_original_alone(character: Character, linked: bool) -> None:
    before, where = character.file.read_bytes(), character.points("0001000000.lgo")
    copy = character.copy(linked)
    names, said = character.save()
    assert names == ["0001000001.lgo"]
    assert character.file.read_bytes() == before
    now = character.points("0001000001.lgo")
    assert now.shape == where.shape
    assert np.abs(now - where).max(axis=0) == pytest.approx([AWAY, 0, 0], abs=1e-5)
    assert [line for line in said if line.startswith(f"{copy.name}: the client's list of characters has no part for 0001000001.lgo")]
    assert character.save()[0] == [], "all of it is where it belongs"


@pytest.mark.parametrize("linked", [False, True])
def test_both_are_edited(character: Character, linked: bool) -> None:
    """Neither is refused for the other, also when the .blend was opened again in between."""
    where = character.points("0001000000.lgo")
    copy = character.copy(linked)
    for number in range(2):
        for vertex, data in enumerate(dict.fromkeys([character.mesh.data, copy.data])):
            data.vertices[vertex].co.z += 0.25
        assert character.save()[0] == ["0001000000.lgo", "0001000001.lgo"]
        up = (number + 1) * 0.25
        for file, rows in zip(("0001000000.lgo", "0001000001.lgo"), ([0], [0 if linked else 1]), strict=True):
            raised = np.abs(np.diff([where, character.points(file)], axis=0)[0] - [AWAY * (file[-5] == "1"), 0, 0]).max(axis=1)
            assert raised[rows] == pytest.approx(up, abs=1e-5), file
        names = character.obj.name, character.mesh.name, copy.name
        OPS.wm.save_as_mainfile(filepath=str(character.folder / "saved.blend"))
        OPS.wm.open_mainfile(filepath=str(character.folder / "saved.blend"))
        character.obj, character.mesh, copy = (bpy.data.objects[name] for name in names)


def test_joined_as_it_is_told(character: Character) -> None:
    """What the list of characters has no part for goes into the mesh that it is joined with."""
    count = len(character.points("0001000000.lgo"))
    copy = character.copy(linked=False)
    copy.select_set(True)
    character.mesh.select_set(True)
    CONTEXT.view_layer.objects.active = character.mesh
    OPS.object.join()
    names, said = character.save()
    assert names == ["0001000000.lgo"]
    assert not [line for line in said if "list of characters" in line]
    assert len(character.points("0001000000.lgo")) == 2 * count
