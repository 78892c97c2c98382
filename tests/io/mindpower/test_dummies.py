"""Dummies that somebody took off their bones, or moves by something that the file has no room for, are named."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import pytest

Part = Callable[[str], ModuleType]
SAMPLE = Path(__file__).resolve().parents[3] / "samples" / "mindpower"
LEFT_OUT = "is not on a bone of the file: left out: parent it to one (Ctrl P, Bone)"
HELD = "of its own, of which the file holds nothing: delete them, and place it on its bone"


class Character:
    def __init__(self, part: Part, client: Path) -> None:
        shutil.copytree(SAMPLE, client, copy_function=shutil.copyfile)
        self.part, self.file = part, client / "animation" / "0001.lab"
        mindpower = part("io.mindpower")
        self.obj = mindpower.import_mindpower(bpy.context, mindpower.ImportOptions((str(self.file),), fps_mode="SET")).armatures[0]
        self.dummy = next(obj for obj in self.obj.children if obj.get("mindpower_dummy") == 6)

    def write(self) -> tuple[list[str], list[int]]:
        """What is said of the dummy, and the numbers of those that the file has."""
        mindpower = self.part("io.mindpower")
        bpy.context.view_layer.update()
        bpy.context.view_layer.objects.active = self.obj
        warnings = mindpower.export_mindpower(bpy.context, mindpower.ExportOptions(str(self.file))).warnings
        lab = self.part("core.mindpower.files.skeleton.lab").Lab.parse(self.file.read_bytes())
        return [line.partition(f"{self.dummy.name} ")[2] for line in warnings], sorted(lab.dummies["id"].tolist())


@pytest.fixture
def character(part: Part, tmp_path: Path) -> Character:
    return Character(part, tmp_path / "client")


def under_an_empty(character: Character) -> None:
    above: Any = bpy.data.objects.new("empty", None)
    bpy.context.scene.collection.objects.link(above)
    above.parent, character.dummy.parent, character.dummy.parent_type = character.obj, above, "OBJECT"


def on_nothing(character: Character) -> None:
    """As Alt P leaves it."""
    character.dummy.parent = None


def on_the_armature(character: Character) -> None:
    character.dummy.parent_type = "OBJECT"


@pytest.mark.parametrize("edit", [under_an_empty, on_nothing, on_the_armature])
def test_one_that_is_on_no_bone_is_named(character: Character, edit: Callable[[Character], None]) -> None:
    """Put back on a bone, as the message says, it is in the file again; deleted, nothing is said."""
    before = character.write()[1]
    edit(character)
    rest = [number for number in before if number != 6]
    assert character.write() == ([LEFT_OUT], rest)
    character.dummy.parent, character.dummy.parent_type, character.dummy.parent_bone = character.obj, "BONE", "Bip01 L Hand"
    assert character.write() == ([], before)
    bpy.data.objects.remove(character.dummy)
    character.dummy = character.obj
    assert character.write() == ([], rest)


def test_one_on_its_bone_is_written_whatever_scene_shows_it(character: Character) -> None:
    before = character.write()[1]
    for collection in list(character.dummy.users_collection):
        collection.objects.unlink(character.dummy)
    assert character.write() == ([], before)


def keyed(dummy: Any) -> None:
    dummy.keyframe_insert("location", frame=1)


def constrained(dummy: Any) -> None:
    dummy.constraints.new("COPY_LOCATION").target = next(each for each in dummy.parent.children if each != dummy)


@pytest.mark.parametrize(("edit", "what"), [(keyed, "keys"), (constrained, "constraints")])
def test_one_that_moves_by_itself_is_named(character: Character, edit: Callable[[Any], None], what: str) -> None:
    edit(character.dummy)
    assert character.write()[0] == [f"has {what} {HELD}"]


def test_one_of_another_character_on_this_one_is_that_ones(character: Character, part: Part) -> None:
    """As where somebody rides."""
    mindpower = part("io.mindpower")
    bpy.context.view_layer.objects.active = None
    for obj in bpy.context.view_layer.objects:
        obj.select_set(False)
    options = mindpower.ImportOptions((str(character.file),), fps_mode="SET")
    rider = mindpower.import_mindpower(bpy.context, options).armatures[0]
    assert rider != character.obj
    before = character.write()
    rider.parent = character.obj
    assert character.write() == before


@pytest.mark.parametrize("linked", [False, True])
def test_a_copy_whose_hidden_dummies_stayed_behind_has_those_of_the_file(character: Character, linked: bool) -> None:
    """Shift D and Alt D copy what is selected, and dummies come in hidden; a copy that nobody edited changes no file."""
    before = character.file.read_bytes()
    duplicate: Any = bpy.ops.object.duplicate
    for obj in (character.obj, *character.obj.children_recursive):
        obj.select_set(True)
    duplicate(linked=linked)
    character.obj = next(obj for obj in bpy.context.selected_objects if obj.type == "ARMATURE")
    assert [obj.type for obj in character.obj.children_recursive] == ["MESH"]
    with character.part("core.reporting.log").collect() as log:
        character.part("io.pipeline.out_of_blender.character").save_character(bpy.context, character.obj)
    assert log.digest("WARNING") == [] and character.file.read_bytes() == before


def without_dummies(character: Character) -> None:
    for obj in [obj for obj in character.obj.children if "mindpower_dummy" in obj]:
        bpy.data.objects.remove(obj)
    character.dummy = character.obj


def test_all_that_were_deleted_are_gone_and_named(character: Character) -> None:
    """Also of a character that has a copy with dummies of its own. So are those of one that was appended alone."""
    copy: Any = character.obj.copy()
    copy.data = character.obj.data.copy()
    bpy.context.scene.collection.objects.link(copy)
    character.dummy.copy().parent = copy
    without_dummies(character)
    remedy = "append the character with its dummies, or open it again"
    said = f"has no dummies any more, and its file is written without the 6 that it has: {remedy}"
    assert character.write() == ([said], [])


def test_a_linked_character_has_the_dummies_of_its_file(character: Character, tmp_path: Path) -> None:
    """Its own collection has none of them."""
    before, name = character.file.read_bytes(), character.obj.users_collection[0].name
    data: Any = bpy.data
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "library.blend"))
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    bpy.context.scene.render.fps = 30
    with data.libraries.load(str(tmp_path / "library.blend"), link=True) as (_, chosen):
        chosen.collections = [name]
    collection: Any = chosen.collections[0]
    bpy.context.scene.collection.children.link(collection)
    overridden = collection.override_hierarchy_create(bpy.context.scene, bpy.context.view_layer, do_fully_editable=True)
    for obj in (collection.objects[0], overridden.objects[0]):
        armature = obj if obj.type == "ARMATURE" else obj.find_armature()
        with character.part("core.reporting.log").collect() as log:
            character.part("io.pipeline.out_of_blender.character").save_character(bpy.context, armature)
        assert log.digest("WARNING") == [] and character.file.read_bytes() == before
