"""*Make It an LBA Body*: characters of one's own as the game would have them, seen by an evaluation of the written bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import bpy
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mathutils import Vector
from support.someone import someone

OPS: Any = bpy.ops
SAMPLES = Path(__file__).resolve().parents[4] / "samples"
Part = Callable[[str], ModuleType]


def figure(seed: int, bones: int, faces: int = 12) -> Any:
    """An armature of bones in any direction that hang anywhere, rotated and scaled, with a mesh of triangles and quads."""
    random = np.random.default_rng(seed)
    data = bpy.data.armatures.new("rig")
    obj = bpy.data.objects.new("rig", data)
    bpy.context.collection.objects.link(obj)
    bpy.context.view_layer.objects.active = obj
    bpy.ops.object.mode_set(mode="EDIT")
    names = []
    for index in range(bones):
        bone = data.edit_bones.new(f"bone {index}")
        bone.head = Vector(random.uniform(-0.6, 0.6, 3).tolist())
        bone.tail = bone.head + Vector(random.uniform(0.05, 0.3, 3).tolist())
        bone.roll = float(random.uniform(-3, 3))
        if index:
            bone.parent = data.edit_bones[names[int(random.integers(0, index))]]
        names.append(bone.name)
    bpy.ops.object.mode_set(mode="OBJECT")
    points = random.uniform(-0.7, 0.7, (4 * faces, 3))
    corners = [[4 * face + corner for corner in range(3 + face % 2)] for face in range(faces)]
    mesh = bpy.data.meshes.new("skin")
    mesh.from_pydata(points.tolist(), [], corners)
    skin = bpy.data.objects.new("skin", mesh)
    bpy.context.collection.objects.link(skin)
    for vertex in range(len(points)):
        for name, weight in zip(random.choice(names, 2), (0.7, 0.3), strict=True):
            (skin.vertex_groups.get(name) or skin.vertex_groups.new(name=name)).add([vertex], weight, "ADD")
    skin.parent = obj
    modifier: Any = skin.modifiers.new("Armature", "ARMATURE")
    modifier.object = obj
    obj.location = (1.0, -2.0, 0.5)
    obj.rotation_euler = (0.3, -0.2, 1.1)
    bpy.context.view_layer.update()
    return obj, skin


def evaluated(document: Any) -> Any:
    """(P, 3) the points as the engine puts them at rest: group after group, from its pivot. Its arithmetic, written anew."""
    if hasattr(document.groups, "dtype") and "first_point" in document.groups.dtype.names:
        parents = [parent // 38 if parent >= 0 else -1 for parent in document.groups["parent"].tolist()]
        pivots, points = (document.groups["pivot"] // 6).tolist(), document.points.tolist()
    else:
        parents = [parent if parent != 0xFFFF else -1 for parent in document.groups["parent"].tolist()]
        pivots, points = document.groups["pivot"].tolist(), document.points["position"].tolist()
    world: list[list[int]] = []
    for parent, pivot, count in zip(parents, pivots, document.groups["point_count"].tolist(), strict=True):
        origin = world[pivot] if parent >= 0 else [0, 0, 0]
        world += [[a + b for a, b in zip(origin, point, strict=True)] for point in points[len(world) : len(world) + count]]
    return np.array(world, float)


def to_game(positions: Any, origin: Any) -> Any:
    """Metres in Blender's axes -> units in the game's."""
    x, y, z = (1000 * (np.asarray(positions, float) - np.asarray(origin))).T
    return np.stack([x, z, -y], axis=1)


@pytest.fixture
def make(part: Part) -> Callable[..., Any]:
    maker, options = part("io.lba.make"), part("core.lba.game")
    return lambda obj, **given_: maker.make_body(bpy.context, obj, options.MakeOptions(**given_))


@pytest.fixture
def pack(part: Part) -> Callable[[Any], Any]:
    bodies, options = part("io.lba.bodies"), part("core.lba.game")
    return lambda obj: bodies.pack_body(bpy.context, obj, options.BodyOptions())


@pytest.fixture
def said(part: Part) -> Iterator[Any]:
    with part("core.reporting.log").collect() as messages:
        yield messages


@settings(max_examples=12)
@given(seed=st.integers(0, 10**6), bones=st.integers(1, 28), game=st.sampled_from(["lba1", "lba2"]))
def test_every_point_is_within_half_a_unit_and_goes_round(part: Part, seed: int, bones: int, game: str) -> None:
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    maker, bodies, options = part("io.lba.make"), part("io.lba.bodies"), part("core.lba.game")
    obj, skin = figure(seed, bones)
    shown = to_game([skin.matrix_world @ vertex.co for vertex in skin.data.vertices], obj.matrix_world.translation)
    built = maker.make_body(bpy.context, obj, options.MakeOptions(game=game))
    document = bodies.pack_body(bpy.context, built.armature, options.BodyOptions())
    world = evaluated(document)
    away = np.abs(world[None] - shown[:, None]).max(axis=2).min(axis=1)
    assert away.max() <= 0.5 + 1e-3
    drawn = next(each for each in built.meshes if each.name.endswith("mesh"))
    again = to_game([drawn.matrix_world @ vertex.co for vertex in drawn.data.vertices], drawn.matrix_world.translation)
    assert np.abs(again - world).max() < 1e-2, "what is shown is what is written"
    parents = [bone.parent.name if bone.parent else "" for bone in built.armature.data.bones]
    assert parents[0] == "" and "" not in parents[1:]
    source = part("io.blender.source_data")
    assert document.pack() == source.kept(built.armature.data)


def test_the_operator_and_an_edit_afterwards(make: Any, pack: Any, part: Part) -> None:
    obj, _skin = figure(3, 6)
    bpy.context.view_layer.objects.active = obj
    assert OPS.retro_anim.lba_make(game="lba1", height=1240) == {"FINISHED"}
    new = bpy.context.view_layer.objects.active
    assert new != obj and obj.name in bpy.data.objects
    world = evaluated(pack(new))
    assert abs(float(np.ptp(world[:, 1])) - 1240) <= 1
    mesh: Any = next(each for each in bpy.data.objects if each.type == "MESH" and each.find_armature() == new)
    mesh.data.vertices[5].co.z += 0.01
    assert np.abs(evaluated(pack(new)) - world).max() == 10


def test_as_high_as_another_character(make: Any, pack: Any, part: Part) -> None:
    """Of this game, since units of others are of another size; also of one that is shown larger."""
    games, rows, errors = part("io.pipeline.games"), part("core.games").GAMES, part("core.reporting.errors")
    mannequin = games.import_(bpy.context, rows["lba"], [str(SAMPLES / "lba1" / "mannequin.lm1")], {"scale": 0.01}).armatures[0]
    stranger = games.import_(bpy.context, rows["oni"], [str(SAMPLES / "oni" / "TRAMmannequin_walk.oni")], {}).armatures[0]
    obj, _skin = figure(3, 6)
    other = part("core.lba.files.lm1").Lm1.parse((SAMPLES / "lba1" / "mannequin.lm1").read_bytes())
    built = make(obj, like=mannequin.name)
    assert abs(float(np.ptp(evaluated(pack(built.armature))[:, 1])) - float(np.ptp(evaluated(other)[:, 1]))) <= 1.5
    before = set(bpy.data.objects.keys())
    for name in (stranger.name, obj.name, "nobody"):
        with pytest.raises(errors.ExportError, match=f"{name} is no character of Little Big Adventure 1 and 2 in this scene"):
            make(obj, like=name)
    assert set(bpy.data.objects.keys()) == before
    bpy.data.batch_remove([each for each in bpy.data.objects if each.find_armature() == mannequin])
    with pytest.raises(errors.ExportError, match="has no mesh whose height could be taken"):
        make(obj, like=mannequin.name)


def test_more_bones_than_the_game_has_room_for(make: Any, pack: Any, part: Part, said: Any) -> None:
    obj, _skin = figure(5, 45, 120)
    errors = part("core.reporting.errors")
    before = set(bpy.data.objects.keys())
    with pytest.raises(errors.ExportError, match="Merge Bones"):
        make(obj, merge=False)
    assert set(bpy.data.objects.keys()) == before
    built = make(obj)
    assert len(pack(built.armature).groups) == 30
    assert any("merged into their parents" in message.text for message in said.of("WARNING"))


def test_vertices_without_a_bone_are_named_and_go_with_the_root(make: Any, pack: Any, said: Any) -> None:
    obj, skin = figure(7, 3)
    for group in skin.vertex_groups:
        group.remove([0, 1])
    built = make(obj)
    assert any("2 vertices have no bone: they go with root" in message.text for message in said.of("WARNING"))
    assert pack(built.armature).groups["point_count"][0] >= 2


def test_a_textured_material_gives_each_face_its_colour(make: Any, pack: Any, part: Part) -> None:
    obj, skin = figure(9, 2, 2)
    palette = part("core.lba.files.palette").Palette.plain().colours
    image: Any = bpy.data.images.new("two colours", 2, 1)
    image.pixels = [value for index in (40, 200) for value in (*(palette[index] / 255).tolist(), 1.0)]
    material: Any = bpy.data.materials.new("painted")
    tree = part("io.blender.compat").shader_tree(material)
    node = tree.nodes.new("ShaderNodeTexImage")
    node.image = image
    tree.links.new(node.outputs["Color"], tree.nodes["Principled BSDF"].inputs["Base Color"])
    skin.data.materials.append(material)
    layer = skin.data.uv_layers.new(name="UVMap")
    for polygon, u in zip(skin.data.polygons, (0.25, 0.75), strict=True):
        for loop in polygon.loop_indices:
            layer.uv[loop].vector = (u, 0.5)
    document = pack(make(obj, game="lba1").armature)
    lit = part("core.lba.body.nearest_colour").lit_as
    assert min(document.polygons["colour"].tolist()) // 16 == lit(40)[0] // 16 == 40 // 16
    assert {int(colour) // 16 for colour in document.polygons["colour"]} == {40 // 16, 200 // 16}


def test_a_concave_face_is_written_as_triangles(make: Any, pack: Any) -> None:
    obj, skin = figure(11, 1, 1)
    skin.data.clear_geometry()
    outline = [(0, 0, 0), (0.4, 0, 0), (0.1, 0, 0.1), (0, 0, 0.4), (-0.3, 0, 0.2)]
    skin.data.from_pydata(outline, [], [[0, 1, 2, 3, 4]])
    skin.vertex_groups.new(name="bone 0").add(list(range(5)), 1.0, "REPLACE")
    assert pack(make(obj, game="lba1").armature).polygons["count"].tolist() == [3, 3, 3]


def test_edges_alone_are_lines(make: Any, pack: Any) -> None:
    obj, skin = figure(13, 1, 1)
    skin.data.clear_geometry()
    skin.data.from_pydata([(0, 0, 0), (0.4, 0, 0), (0.1, 0, 0.1), (0, 0, 0.7)], [(0, 3)], [[0, 1, 2]])
    skin.vertex_groups.new(name="bone 0").add(list(range(4)), 1.0, "REPLACE")
    assert len(pack(make(obj, game="lba1").armature).lines) == 1


def test_a_mirrored_object_keeps_its_outside(make: Any, pack: Any) -> None:
    """The volume that the written faces enclose is that of the ball, also where its object is mirrored."""
    obj, _skin = figure(3, 2, 1)
    obj.matrix_world.identity()
    bpy.ops.mesh.primitive_uv_sphere_add(segments=8, ring_count=6, radius=0.5)
    ball: Any = bpy.context.view_layer.objects.active
    ball.parent, ball.scale = obj, (-1, 1, 1)
    ball.vertex_groups.new(name="bone 0").add(range(len(ball.data.vertices)), 1, "REPLACE")
    bpy.data.objects.remove(bpy.data.objects["skin"])
    bpy.context.view_layer.update()
    document = pack(make(obj, game="lba1").armature)
    world, stream, volume = evaluated(document), document.stream.tolist(), 0.0
    for count in document.polygons["count"].tolist():  # flat ones: a normal, and the corners
        points, stream = world[[point // 6 for point in stream[1 : 1 + count]]], stream[1 + count :]
        volume += sum(np.dot(points[0], np.cross(points[at], points[at + 1])) / 6 for at in range(1, len(points) - 1))
    assert volume == pytest.approx(0.43e9, rel=0.05)


@pytest.mark.parametrize(("tilt", "lies"), [(0, False), (np.pi / 2, True)])
def test_who_lies_is_named(make: Any, said: Any, tilt: float, lies: bool) -> None:
    character = someone()
    character.rotation_euler.x = tilt
    bpy.context.view_layer.update()
    make(character)
    assert any("its head is not above its hips: turn it upright" in str(message) for message in said.of("WARNING")) == lies


@pytest.mark.parametrize("lines", [[], ["skin: colour 11"]])
def test_the_dialog_has_no_empty_box(part: Callable[[str], ModuleType], monkeypatch: pytest.MonkeyPatch, lines: list[str]) -> None:
    """It lists what materials become: of a mesh without one nothing but a line across would be seen."""
    panel, layout = part("operators.lba.character"), MagicMock()
    monkeypatch.setattr(panel, "active_armature", lambda _context: object())
    monkeypatch.setattr(part("io.lba.make"), "colours_of", lambda *_: lines)
    panel.RETRO_ANIM_OT_lba_make.draw(
        SimpleNamespace(layout=layout, palette="", game="lba2", merge=True, draw_option=MagicMock()), bpy.context
    )
    assert layout.box.called == bool(lines)


def test_the_dialog_says_of_a_texture_that_it_stays_one(part: Callable[[str], ModuleType], game_file: Callable[[str], Path]) -> None:
    """Of a body of the second game a material has a colour of the palette or a region of the texture page."""
    own: Any = bpy.ops
    own.import_anim.lba(filepath=str(game_file("lba2/BODY.HQR")), entries="0")
    lines = part("io.lba.make").colours_of(bpy.context, bpy.context.object, "", "lba2")
    textured = [line for line in lines if " texture " in line]
    assert textured and all(line.endswith(": its place on the texture page") for line in textured)
    assert all(0 <= int(line.rpartition(": colour ")[2]) <= 255 for line in lines if line not in textured)
