"""What somebody does to the meshes of a character as objects is named before its clips are written, at every frame alike, until what is
advised was done."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from support import sample_characters

OPS: Any = bpy.ops
DATA: Any = bpy.data
CONTEXT: Any = bpy.context
Part = Callable[[str], ModuleType]
Opened = Callable[..., tuple[Any, Any]]


@pytest.fixture
def opened(tmp_path: Path) -> Opened:
    return lambda game: sample_characters.opened(game, tmp_path)


@pytest.fixture
def said(part: Part) -> Callable[[Any], list[str]]:
    """What an export of clips says of meshes."""

    def report(obj: Any) -> list[str]:
        with part("core.reporting.log").collect() as log:
            part("io.pipeline.out_of_blender.left_meshes").report(bpy.context, [obj], [], gone=True)
        return list(log.digest("WARNING"))

    return report


@pytest.fixture
def save(part: Part) -> Callable[[Any], list[str]]:
    """Saves a character; returns the warnings."""

    def save_character(obj: Any) -> list[str]:
        with part("core.reporting.log").collect() as log:
            part("io.pipeline.out_of_blender.character").save_character(bpy.context, obj)
        return list(log.digest("WARNING"))

    return save_character


Said = Callable[[Any], list[str]]


def hat(obj: Any, bone: str = "") -> Any:
    """A small new mesh that hangs on a bone."""
    data = DATA.meshes.new("hat")
    data.from_pydata([(0, 0, 0), (0.1, 0, 0), (0, 0.1, 0), (0, 0, 0.1)], [], [(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)])
    worn = DATA.objects.new("hat", data)
    obj.users_collection[0].objects.link(worn)
    hung(obj, worn, bone)
    return worn


def hung(obj: Any, mesh: Any, bone: str = "") -> None:
    """On a bone, where it is."""
    world = mesh.matrix_world.copy()
    mesh.parent, mesh.parent_type, mesh.parent_bone = obj, "BONE", bone or obj.data.bones[-1].name
    CONTEXT.view_layer.update()
    mesh.matrix_world = world
    CONTEXT.view_layer.update()


def moving_bone(obj: Any) -> Any:
    """One that is elsewhere at frame 9, as somebody posed it."""
    bone = obj.pose.bones[-1]
    bone.rotation_mode = "XYZ"
    for frame, angle in ((1, 0.0), (9, 1.2)):
        bone.rotation_euler = (angle, 0, 0)
        bone.keyframe_insert("rotation_euler", frame=frame)
    return bone


@pytest.mark.parametrize("game", ["lba", "oni"])
def test_a_new_mesh_that_hangs_on_a_bone(game: str, opened: Opened, said: Said, save: Said) -> None:
    """These games take it into the body."""
    obj, mesh = opened(game)
    obj.animation_data_clear()
    hat(obj).data.materials.append(mesh.data.materials[0])
    (line,) = said(obj)
    assert line.startswith("hat was edited or added")
    save(obj)
    assert said(obj) == []


@pytest.mark.parametrize("game", ["oni2", "mindpower"])
def test_a_new_mesh_that_hangs_on_a_bone_and_that_no_file_holds(game: str, opened: Opened, said: Said) -> None:
    obj, _ = opened(game)
    hat(obj)
    assert said(obj) == []


@pytest.mark.parametrize("game", sample_characters.CHARACTERS)
def test_a_mesh_that_was_hung_on_a_bone(game: str, opened: Opened, said: Said, save: Said) -> None:
    """Where no body takes it in it is as good as gone."""
    obj, mesh = opened(game)
    mesh.modifiers.clear()
    obj.animation_data_clear()
    hung(obj, mesh)
    if game in ("oni2", "mindpower"):
        (line,) = said(obj)
        assert line.startswith(f"{mesh.name} came with {obj.name}, which does not move it any more")
        return
    mesh.data.vertices[0].co.x += 0.01
    (line,) = said(obj)
    assert line.startswith(f"{mesh.name} was edited")
    save(obj)
    assert said(obj) == []


def test_a_mesh_on_a_bone_at_every_frame(part: Part, opened: Opened, said: Said) -> None:
    """Is where it was, as the file has it at rest; one that was moved on its bone is not."""
    obj, mesh = opened("oni")
    mesh.modifiers.clear()
    obj.animation_data.action = None
    moving_bone(obj)
    CONTEXT.scene.frame_set(1)
    hung(obj, mesh)
    part("io.blender.surface.as_objects").remember(mesh)
    for frame in (1, 5, 9):
        CONTEXT.scene.frame_set(frame)
        assert said(obj) == []
    mesh.location.x += 0.1
    assert len(said(obj)) == 1
    part("io.blender.surface.as_objects").remember(mesh)
    CONTEXT.scene.frame_set(3)
    assert said(obj) == []


@pytest.mark.parametrize("game", ["lba", "oni"])
def test_a_body_is_the_same_at_every_frame(game: str, part: Part, opened: Opened) -> None:
    """With a mesh on a bone that is posed otherwise at each."""
    obj, mesh = opened(game)
    obj.animation_data_clear()
    moving_bone(obj)
    CONTEXT.scene.frame_set(1)
    hat(obj).data.materials.append(mesh.data.materials[0])
    files: list[Any] = []
    for frame in (1, 5, 9):
        CONTEXT.scene.frame_set(frame)
        part("io.pipeline.out_of_blender.character").save_character(bpy.context, obj)
        data = Path(part("io.pipeline.destination.targets").home(obj.data)).read_bytes()
        files.append(np.nan_to_num(np.frombuffer(data[: len(data) // 4 * 4], "<f4")))  # which are numbers of Oni's body
    for each in files[1:]:
        np.testing.assert_allclose(each, files[0], rtol=1e-4, atol=1e-5)


def test_a_mesh_that_stands_by_itself(opened: Opened, said: Said) -> None:
    """As steps of the character move the armature as an object, and not the mesh."""
    obj, mesh = opened("lba")
    mesh.parent = None
    obj.location.x += 1.0
    assert said(obj) == []


def test_settings_that_are_none_of_the_mesh(part: Part, opened: Opened, said: Said) -> None:
    """Panels, and what another version of Blender has."""
    obj, mesh = opened("mindpower")
    modifier = mesh.modifiers.new("smooth", "SUBSURF")
    as_objects = part("io.blender.surface.as_objects")
    as_objects.remember(mesh)
    for name in (each.identifier for each in modifier.bl_rna.properties if each.identifier.startswith(("open_", "show_expanded"))):
        setattr(modifier, name, not getattr(modifier, name))
    assert said(obj) == []
    mesh[as_objects.MADE] = mesh[as_objects.MADE].replace('"levels"', '"levels_of_another_version"')
    assert said(obj) == []
    modifier.uv_smooth = "NONE"
    assert len(said(obj)) == 1


def test_a_shape_key_of_another_value(part: Part, opened: Opened, said: Said) -> None:
    obj, mesh = opened("mindpower")
    mesh.shape_key_add(name="Basis")
    key = mesh.shape_key_add(name="smile")
    key.value = 0.5
    part("io.blender.surface.as_objects").remember(mesh)
    assert said(obj) == []
    key.value = 1.0
    assert len(said(obj)) == 1
    key.value = 0.5
    key.data[0].co.x += 1.0
    assert len(said(obj)) == 1


def test_a_keyed_shape_key(part: Part, opened: Opened, said: Said) -> None:
    """Is another at every frame, which no file of a game holds."""
    obj, mesh = opened("mindpower")
    mesh.shape_key_add(name="Basis")
    key = mesh.shape_key_add(name="smile")
    for frame, value in ((1, 0.0), (9, 1.0)):
        key.value = value
        key.keyframe_insert("value", frame=frame)
    for frame in (1, 5, 9):
        CONTEXT.scene.frame_set(frame)
        (line,) = said(obj)
        assert line.startswith(f"{mesh.name} changes from frame to frame by keys or drivers of its shape keys, which no file of the game")
    mesh.data.shape_keys.animation_data_clear()
    key.value = 0.0
    mesh.shape_key_clear()
    part("io.blender.surface.as_objects").remember(mesh)
    assert said(obj) == []


@pytest.mark.parametrize("path", ["hide_viewport", "hide_render"])
def test_a_mesh_that_is_shown_and_hidden_by_keys(opened: Opened, said: Said, path: str) -> None:
    """The game shows it all the time."""
    obj, mesh = opened("lba")
    for frame, value in ((1, False), (5, True)):
        setattr(mesh, path, value)
        mesh.keyframe_insert(path, frame=frame)
    (line,) = said(obj)
    assert line.startswith(f"{mesh.name} has keys or drivers of visibility, which no file of the game holds: the game shows it all")
    mesh.animation_data_clear()
    setattr(mesh, path, False)
    assert said(obj) == []


def test_a_modifier_of_a_mesh_that_keys_show_and_hide(opened: Opened, said: Said) -> None:
    """Is said as well."""
    obj, mesh = opened("lba")
    mesh.keyframe_insert("hide_render", frame=1)
    mesh.modifiers.new("finer", "SUBSURF")
    assert ["visibility" in line for line in said(obj)] == [True, False]


def test_a_wave(part: Part, opened: Opened, said: Said) -> None:
    """No file holds it: to remove it is what helps, and not to save it. What else was edited is said besides."""
    obj, mesh = opened("mindpower")
    wave = mesh.modifiers.new("Wave", "WAVE")
    (line,) = said(obj)
    assert line.startswith(f"{mesh.name} changes from frame to frame by the modifier Wave, which no file of the game holds: remove that")
    mesh.data.vertices[3].co.x += 0.03
    assert sum(line.startswith(f"{mesh.name} was edited") for line in said(obj)) == 1
    mesh.data.vertices[3].co.x -= 0.03
    part("io.blender.surface.edited").remember(mesh.data)
    mesh.modifiers.remove(wave)
    assert said(obj) == []


def test_an_input_of_geometry_nodes(part: Part, opened: Opened, said: Said) -> None:
    obj, mesh = opened("mindpower")
    group = DATA.node_groups.new("wind", "GeometryNodeTree")
    group.interface.new_socket("strength", in_out="INPUT", socket_type="NodeSocketFloat")
    modifier = mesh.modifiers.new("wind", "NODES")
    modifier.node_group = group
    part("io.blender.surface.as_objects").remember(mesh)
    assert said(obj) == []
    if hasattr(modifier, "properties"):
        modifier.properties.inputs.Socket_0.value = 3.0
    else:
        modifier["Socket_0"] = 3.0
    assert len(said(obj)) == 1


def driven(mesh: Any) -> None:
    mesh.driver_add("location", 0).driver.expression = "2"


def stashed(mesh: Any) -> None:
    """Keys in a strip."""
    for frame, x in ((1, 0.0), (9, 3.0)):
        mesh.location.x = x
        mesh.keyframe_insert("location", frame=frame)
    data = mesh.animation_data
    data.nla_tracks.new().strips.new("slide", 1, data.action)
    data.action = None


def shifted(mesh: Any) -> None:
    mesh.delta_location.x = 1.0
    mesh.keyframe_insert("delta_location", frame=1)


def led(mesh: Any) -> None:
    """By an empty that moves away from where the mesh is."""
    target = DATA.objects.new("leader", None)
    CONTEXT.scene.collection.objects.link(target)
    for frame, x in ((1, 0.0), (9, 3.0)):
        target.location.x = x
        target.keyframe_insert("location", frame=frame)
    mesh.constraints.new("COPY_LOCATION").target = target
    mesh.constraints.new("LIMIT_SCALE")


@pytest.mark.parametrize("frame", [1, 9])
@pytest.mark.parametrize(("animate", "by"), [(driven, "drivers"), (stashed, "keys"), (shifted, "keys"), (led, "constraints")])
def test_a_mesh_that_moves_by_itself(animate: Callable[[Any], None], by: str, frame: int, opened: Opened, said: Said) -> None:
    """Whatever the frame at which somebody looks."""
    obj, mesh = opened("mindpower")
    animate(mesh)
    CONTEXT.scene.frame_set(frame)
    (line,) = said(obj)
    assert line.startswith(f"{mesh.name} has {by} of its own as an object")
    assert "delete them" in line


@pytest.mark.parametrize("game", sample_characters.CHARACTERS)
def test_a_copy_of_a_mesh(game: str, opened: Opened, said: Said, save: Said) -> None:
    obj, mesh = opened(game)
    twin = mesh.copy()
    twin.data = mesh.data.copy()
    mesh.users_collection[0].objects.link(twin)
    (line,) = said(obj)
    assert line.startswith(f"{twin.name} was edited or added")
    if game != "oni2":  # in which both go to one file
        save(obj)
        assert said(obj) == []


@pytest.mark.parametrize("game", sample_characters.CHARACTERS)
def test_a_mesh_in_a_collection_that_is_excluded(game: str, opened: Opened, said: Said) -> None:
    """Is not gone."""
    obj, mesh = opened(game)
    collection = DATA.collections.new("aside")
    CONTEXT.scene.collection.children.link(collection)
    for each in mesh.users_collection:
        each.objects.unlink(mesh)
    collection.objects.link(mesh)
    CONTEXT.view_layer.layer_collection.children["aside"].exclude = True
    assert said(obj) == []


def test_a_mesh_of_a_client_that_is_gone(opened: Opened, said: Said, save: Said) -> None:
    """Saving says what is to be done with its file, and then no export does."""
    obj, mesh = opened("mindpower")
    name = mesh.name
    DATA.objects.remove(mesh)
    (line,) = said(obj)
    assert line.startswith(f"{name} came with")
    assert any("keeps it as it is, and shows it" in line for line in save(obj))
    assert said(obj) == []


def test_the_same_character_twice(opened: Opened, said: Said, tmp_path: Path) -> None:
    """Another one has a mesh of the same name, and this one has lost its own."""
    opened("oni")
    path = str(tmp_path / "two.blend")
    OPS.wm.save_as_mainfile(filepath=path, copy=True)
    for each in list(DATA.objects):
        DATA.objects.remove(each)
    for _ in range(2):
        with DATA.libraries.load(path) as (source, taken):
            taken.objects = list(source.objects)
        for each in taken.objects:
            CONTEXT.scene.collection.objects.link(each)
    first, second = (each for each in CONTEXT.scene.objects if each.type == "ARMATURE")
    assert said(first) == said(second) == []
    DATA.objects.remove(next(each for each in CONTEXT.scene.objects if each.type == "MESH" and each.find_armature() == first))
    assert len(said(first)) == 1 and said(second) == []


def flat(mesh: Any) -> None:
    for face in list(mesh.data.polygons)[::24]:
        face.use_smooth = not face.use_smooth


def looking_up(mesh: Any) -> None:
    mesh.data.normals_split_custom_set([(0.0, 0.6, 0.8)] * len(mesh.data.loops))


@pytest.mark.thorough
@pytest.mark.parametrize("edit", [flat, looking_up])
@pytest.mark.parametrize("game", sample_characters.CHARACTERS)
def test_normals_that_the_file_kept(game: str, edit: Callable[[Any], None], part: Part, opened: Opened, said: Said, save: Said) -> None:
    """Are edited still, until they are written."""
    obj, mesh = opened(game)
    obj.animation_data_clear()
    edit(mesh)
    before = said(obj)
    if "custom_normal" in mesh.data.attributes or edit is flat:
        assert "Save Character, with" in before[0]
    save(obj)
    assert said(obj) == before
    part("io.pipeline.out_of_blender.character").save_character(bpy.context, obj, normals="NEW")
    assert said(obj) == []
    edit(mesh)
    mesh.data.vertices[0].co.x += 0.01  # so that some of it is written in any case
    save(obj)
    assert said(obj) == []


@pytest.mark.parametrize("value", [5, 1.5, b"\xff", [1.0, 2.0], {"a": 1}, "x:y,z", "[1]", '{"a": 1}', '[["a", {"b": 1}]]'])
def test_spoiled_properties(value: Any, part: Part, opened: Opened, said: Said) -> None:
    as_objects = part("io.blender.surface.as_objects")
    obj, mesh = opened("mindpower")
    obj.data[as_objects.NAMES] = value
    if not isinstance(value, str):
        assert said(obj) == []
    obj.data[as_objects.NAMES] = mesh.name
    mesh[as_objects.MADE] = value
    assert len(said(obj)) == (value == '[["a", {"b": 1}]]')
