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


def renamed(character: Character, copy: Any, data: bool) -> None:
    """So that the alphabet has the copy first."""
    for mesh, name in ((character.mesh, "body"), (copy, "armour")):
        mesh.name = name
        if data:
            mesh.data.name = name


def single_users(character: Character, copy: Any) -> None:
    """Blender gives the original object the data under the new name."""
    character.mesh.select_set(True)
    copy.select_set(True)
    OPS.object.make_single_user(object=True, obdata=True)
    assert (character.mesh.name, character.mesh.data.name, copy.data.name) == ("0001000000", "0001000000.001", "0001000000")


def exported_and_renamed(character: Character, copy: Any) -> None:
    character.save()
    OPS.object.select_all(action="DESELECT")
    CONTEXT.view_layer.objects.active = character.mesh
    character.mesh.select_set(True)
    OPS.export_anim.mindpower(filepath=str(character.folder / "spare.lgo"))
    renamed(character, copy, False)


def excluded(character: Character, _copy: Any) -> None:
    """The original is in a collection that no view layer shows."""
    hidden = bpy.data.collections.new("hidden")
    CONTEXT.scene.collection.children.link(hidden)
    for collection in character.mesh.users_collection:
        collection.objects.unlink(character.mesh)
    hidden.objects.link(character.mesh)
    CONTEXT.view_layer.layer_collection.children["hidden"].exclude = True


@pytest.mark.parametrize(
    ("linked", "change"),
    [
        (True, single_users),
        (False, lambda character, copy: renamed(character, copy, data=True)),
        (True, lambda character, copy: renamed(character, copy, data=False)),
        (False, exported_and_renamed),
        (False, excluded),
    ],
)
def test_the_original_is_known(character: Character, linked: bool, change: Callable[[Character, Any], None]) -> None:
    before, where = character.file.read_bytes(), character.points("0001000000.lgo")
    copy = character.copy(linked)
    change(character, copy)
    for _ in range(2):
        character.save()
        assert character.file.read_bytes() == before
        assert np.abs(character.points("0001000001.lgo") - where).max(axis=0) == pytest.approx([AWAY, 0, 0], abs=1e-5)


def test_a_kept_copy_of_an_edited_mesh(character: Character) -> None:
    """The original, still called as it was, goes where it belongs."""
    copy = character.copy(linked=False)
    copy.location.x -= AWAY
    before = character.file.read_bytes()
    character.mesh.data.vertices[0].co.z += 0.25
    assert character.save()[0] == ["0001000000.lgo", "0001000001.lgo"]
    assert (character.folder / "0001000001.lgo").read_bytes() == before


def test_nobody_knows_the_original(character: Character) -> None:
    before = character.file.read_bytes()
    copy = character.copy(linked=False)
    renamed(character, copy, data=True)
    character.mesh.data.vertices[0].co.z += 0.25
    with pytest.raises(
        character.part("core.reporting.errors").ExportError, match=r"^armour, body are copies of one mesh, .* call that one 0001000000,"
    ):
        character.save()
    assert [file.name for file in character.folder.glob("*.lgo")] == ["0001000000.lgo"]
    assert character.file.read_bytes() == before
    character.mesh.name = "0001000000"
    assert character.save()[0] == ["0001000000.lgo", "0001000001.lgo"]
    assert np.abs(character.points("0001000001.lgo")[:, 0] - character.points("0001000000.lgo")[:, 0]).min() == pytest.approx(
        AWAY, abs=1e-5
    )


def test_the_original_is_deleted(character: Character) -> None:
    """What has a file of its own stays there, and the other one is named."""
    copy = character.copy(linked=True)
    character.save()
    before = character.file.read_bytes()
    bpy.data.objects.remove(character.mesh)
    copy.data.vertices[0].co.z += 0.25
    names, said = character.save()
    assert names == ["0001000001.lgo"]
    assert character.file.read_bytes() == before
    assert [line for line in said if "0001000000.lgo: no mesh on 0001 in this view layer is from it any more" in line]
    assert not [line for line in said if "edited" in line]


def test_a_copy_of_a_copy_outlives_it(character: Character) -> None:
    """Each file stays that of its mesh, whichever of those that share their data is deleted."""
    copy = character.copy(linked=False)
    character.mesh = copy
    character.copy(linked=True)
    assert character.save()[0] == ["0001000001.lgo", "0001000002.lgo"]
    before = (character.folder / "0001000001.lgo").read_bytes()
    bpy.data.objects.remove(copy)
    assert character.save()[0] == []
    assert (character.folder / "0001000001.lgo").read_bytes() == before


def test_files_that_did_not_come_in_are_not_replaced(character: Character) -> None:
    face = character.folder / "0001000001.lgo"
    shutil.copyfile(character.file, face)
    before = face.read_bytes()
    character.copy(linked=False)
    assert character.save()[0] == ["0001000002.lgo"]
    assert face.read_bytes() == before
    assert character.save()[0] == []


def test_meshes_alone(character: Character) -> None:
    """A copy is numbered as the game numbers meshes, and has that file from then on."""
    copy = character.copy(linked=False)
    copy.select_set(True)
    character.mesh.select_set(True)
    CONTEXT.view_layer.objects.active = character.mesh
    OPS.export_anim.mindpower(filepath=str(character.file))
    assert sorted(file.name for file in character.folder.glob("*.lgo")) == ["0001000000.lgo", "0001000001.lgo"]
    assert character.save()[0] == []


def test_a_copy_of_the_whole_character(character: Character) -> None:
    """Both go to the same files, which is said when the copy is written there."""
    OPS.object.select_all(action="DESELECT")
    character.mesh.select_set(True)
    character.obj.select_set(True)
    CONTEXT.view_layer.objects.active = character.obj
    OPS.object.duplicate(linked=False)
    character.obj = next(each for each in CONTEXT.selected_objects if each.type == "ARMATURE")
    mesh = next(each for each in CONTEXT.selected_objects if each.type == "MESH")
    mesh.data.vertices[0].co.z += 0.25
    names, said = character.save()
    assert "0001000000.lgo" in names
    assert [line for line in said if line.startswith("0001.001 was saved to 0001.lab and its meshes, to which 0001 belongs, too: ")]


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
