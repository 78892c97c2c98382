"""A character of Oni 2 out of Blender: mesh, Entity.type and list of animations, with no byte changed but for what was edited."""

from __future__ import annotations

import shutil
import struct
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from support.oni2.oni2_files import binary_mod

Part = Callable[[str], ModuleType]
OPS: Any = bpy.ops
SAMPLE = Path(__file__).resolve().parents[3] / "samples" / "oni2"
KIND, MOD, ANIMS = "Entity/mannequin/Entity.type", "Entity/mannequin/mannequin.mod", "entity.tune/mannequin/mannequin.anims"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    root = tmp_path / "game"
    shutil.copytree(SAMPLE, root, copy_function=shutil.copyfile)
    return root


def contents(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def imported(path: str) -> tuple[Any, Any]:
    """The armature, active, and its mesh."""
    OPS.import_anim.oni2(filepath=path, fps_mode="SET")
    obj: Any = bpy.context.view_layer.objects.active
    (mesh,) = (child for child in obj.children_recursive if child.type == "MESH")
    return obj, mesh


def export(path: Path, **options: Any) -> None:
    OPS.export_anim.oni2(filepath=str(path), **options)


def test_unedited_every_byte_stays(game: Path) -> None:
    before = contents(game)
    imported(str(game / KIND))
    export(game / KIND)
    export(game / MOD)
    assert contents(game) == before


@pytest.mark.parametrize("skeleton", ["mannequin.skel", "other.skel"])
def test_a_character_whose_type_names_no_skeleton_stays_so(game: Path, skeleton: str) -> None:
    """Its skeleton is found beside it, and goes back there; a folder that has none yet gets one, and its name."""
    kind = game / KIND
    (kind.parent / "mannequin.skel").rename(kind.parent / skeleton)
    kind.write_bytes(kind.read_bytes().replace(b"SKEL mannequin\n", b""))
    before = contents(game)
    imported(str(kind))
    export(kind)
    assert contents(game) == before
    new = game / "Entity" / "copy" / "Entity.type"
    export(new)
    assert new.read_bytes() == before[KIND] + b"SKEL copy\n"
    assert (new.parent / "copy.skel").read_bytes() == before[f"Entity/mannequin/{skeleton}"]


def duplicated(mesh: Any) -> Any:
    OPS.object.select_all(action="DESELECT")
    mesh.select_set(True)
    bpy.context.view_layer.objects.active = mesh
    OPS.object.duplicate()
    return bpy.context.view_layer.objects.active


def warned(part: Part, path: Path, **options: bool) -> list[str]:
    oni2 = part("io.oni2")
    return oni2.export_oni2(bpy.context, oni2.ExportOptions(str(path), **options)).warnings


@pytest.mark.parametrize("file", [KIND, MOD])
def test_a_further_mesh_is_left_out_by_name(part: Part, game: Path, file: str) -> None:
    """A .mod is one mesh. The one that is not active is named, whichever it is; joined, as the message says, both are written."""
    _, mesh = imported(str(game / KIND))
    faces = len(mesh.data.polygons)
    copy = duplicated(mesh)
    for body, other in ((copy, mesh), (mesh, copy)):
        bpy.context.view_layer.objects.active = body
        (line,) = (line for line in warned(part, game / file) if "left out" in line)
        assert (
            f"{other.name}: left out, since a body of the game is one mesh, which is {body.name} here: join it with that (Ctrl J)" in line
        )
    mesh.select_set(True)
    copy.select_set(True)
    OPS.object.join()
    assert not any("left out" in line for line in warned(part, game / file))
    assert len(part("core.oni2.files.mesh.mod").Mod.parse((game / MOD).read_bytes()).model.faces().packets) == 2 * faces


def test_a_body_that_a_new_mesh_is_written_over_is_named(part: Part, game: Path) -> None:
    """The new one has no file, and goes to that of the body."""
    obj, body = imported(str(game / KIND))
    OPS.mesh.primitive_cube_add(size=0.2)
    hat = bpy.context.object
    hat.vertex_groups.new(name=obj.data.bones[0].name).add(range(8), 1.0, "REPLACE")
    hat.parent = obj
    modifier: Any = hat.modifiers.new("armature", "ARMATURE")
    modifier.object = obj
    (line,) = (line for line in warned(part, game / KIND, overwrite=True, dry_run=True) if "left out" in line)
    assert f"{body.name}: left out, since a body of the game is one mesh, which is {hat.name} here" in line
    assert not any("left out" in line for line in warned(part, game / "hat.mod"))


def test_a_mesh_with_a_file_of_its_own_is_not_left_out(part: Part, game: Path) -> None:
    """As where somebody has opened a less detailed one besides."""
    shutil.copyfile(game / MOD, game / "Entity" / "mannequin" / "far.mod")
    obj, mesh = imported(str(game / KIND))
    OPS.import_anim.oni2(filepath=str(game / "Entity" / "mannequin" / "far.mod"))
    far = next(child for child in obj.children_recursive if child.type == "MESH" and child != mesh)
    for body in (mesh, far):
        bpy.context.view_layer.objects.active = body
        assert warned(part, game / KIND if body == mesh else game / "Entity" / "mannequin" / "far.mod") == []


def test_a_further_mesh_is_joined_before_the_character_is_saved(part: Part, game: Path) -> None:
    """Who exports a clip reads what works."""
    obj, mesh = imported(str(game / KIND))
    copy = duplicated(mesh)
    copy.location.x = 1
    bpy.context.view_layer.objects.active = obj
    obj.select_set(True)
    (line,) = warned(part, game / "Entity" / "mannequin" / "mannequin_walk.anim")
    assert "join what was added with the character's mesh (Ctrl J): then Save Character" in line and copy.name in line


def without_bone(obj: Any, number: int) -> None:
    name = next(bone.name for bone in obj.data.bones if bone["retro_anim_bone"] == number)
    bpy.context.view_layer.objects.active = obj
    OPS.object.mode_set(mode="EDIT")
    obj.data.edit_bones.remove(obj.data.edit_bones[name])
    OPS.object.mode_set(mode="OBJECT")


def edit_bones(obj: Any) -> Any:
    OPS.object.mode_set(mode="EDIT")
    return obj.data.edit_bones


def test_a_moved_joint_is_of_the_skeleton_and_of_the_mesh(part: Part, game: Path) -> None:
    """The mesh's vertices are relative to their bones: either file alone moves it in the game, and not in Blender."""
    obj, mesh = imported(str(game / KIND))
    head = edit_bones(obj)["head"]
    head.head.z += 0.1
    head.tail.z += 0.1
    OPS.object.mode_set(mode="OBJECT")
    skeleton = (game / MOD).with_suffix(".skel")
    assert warned(part, game / KIND, dry_run=True) == []
    (line,) = warned(part, skeleton, dry_run=True)
    assert f"head was moved at rest since the import, and the game moves {mesh.name} along, unlike Blender: export the mesh, too" in line
    (line,) = warned(part, game / MOD)
    assert "head was moved at rest since the import, and the mesh is written as it lies on them now: export the skeleton, too" in line
    assert warned(part, skeleton) == warned(part, game / MOD) == []


def test_a_bone_that_somebody_added_is_named(part: Part, game: Path) -> None:
    """With what hangs on it and its keys, also where the whole character is written."""
    before = contents(game)
    obj, mesh = imported(str(game / KIND))
    bone = edit_bones(obj).new("tail")
    bone.tail, bone.parent, bone.use_deform = (0, 0.1, 0), obj.data.edit_bones["root"], False
    OPS.object.mode_set(mode="OBJECT")
    for frame in (1, 9):
        obj.pose.bones["tail"].keyframe_insert("rotation_quaternion", frame=frame)
    assert warned(part, game / KIND) == []
    group = mesh.vertex_groups.new(name="tail")
    group.add([0], 1.0, "REPLACE")
    mesh.vertex_groups[0].remove([0])
    lines = warned(part, game / KIND)
    assert [line for line in lines if "1 bone left out that did not come from the skeleton (tail): remove them in Edit Mode" in line]
    assert [line for line in lines if "tail: not of the game's skeleton, so its keys are not written" in line]
    assert [line for line in lines if "1 vertex that only tail moves goes with the root: give them to bones of the file" in line]
    assert {name: data for name, data in contents(game).items() if name.endswith((".skel", ".anim"))}.items() <= before.items()


def test_a_bone_that_breaks_the_order_is_the_one_that_is_named(game: Path) -> None:
    obj, _ = imported(str(game / KIND))
    bones = edit_bones(obj)
    bones["upperarm_l"].parent = bones["root"]
    OPS.object.mode_set(mode="OBJECT")
    with pytest.raises(RuntimeError, match="upperarm_l hung on spine_01 when it came in, and now the bone upperarm_r does not follow the"):
        export(game / KIND)


def test_a_mesh_is_written_without_the_last_bone(part: Part, game: Path) -> None:
    """Its vertices go with the root, which is said."""
    obj, _ = imported(str(game / KIND))
    without_bone(obj, 14)
    lines = warned(part, game / MOD)
    assert any("vertices that no bone moves go with the root" in line for line in lines)
    bones = part("core.oni2.files.mesh.mod").Mod.parse((game / MOD).read_bytes()).model.faces().bones
    assert set(bones.tolist()) == set(range(14))


def test_a_bone_that_was_deleted_is_named(part: Part, game: Path) -> None:
    obj, _ = imported(str(game / KIND))
    without_bone(obj, 11)
    with pytest.raises(
        part("core.reporting.errors").ExportError,
        match="mannequin: bone 11 of the game's skeleton was deleted: undo that in Edit Mode, or import it",
    ):
        warned(part, game / KIND)


def test_one_vertex_changes_one_line(game: Path) -> None:
    before = (game / MOD).read_bytes().splitlines()
    _, mesh = imported(str(game / KIND))
    mesh.data.vertices[100].co.x += 0.125
    export(game / MOD)
    after = (game / MOD).read_bytes().splitlines()
    changed = [(old.split(), new.split()) for old, new in zip(before, after, strict=True) if old != new]
    ((old, new),) = changed
    assert old[0] == b"v" and float(new[1]) - float(old[1]) == pytest.approx(0.125, abs=1e-6) and new[2:] == old[2:]


def steel(material: Any) -> None:
    material.name = "steel"


def green(material: Any) -> None:
    tree = material.node_tree
    shader = next(node for node in tree.nodes if node.type == "BSDF_PRINCIPLED")
    red, _, blue, _ = shader.inputs["Base Color"].default_value
    shader.inputs["Base Color"].default_value = (red, 1, blue, 1)


def textured(material: Any) -> None:
    material["texture"] = "wood"


def pictured(material: Any) -> None:
    """The second one of its name, beside one that is left over."""
    nodes, links = material.node_tree.nodes, material.node_tree.links
    for name in ("other", "wood.png", "wood.png"):
        node = nodes.new("ShaderNodeTexImage")
        node.image = bpy.data.images.new(name, 4, 4)
    links.new(node.outputs["Color"], next(node for node in nodes if node.type == "BSDF_PRINCIPLED").inputs["Base Color"])


def unlit(material: Any) -> None:
    inputs = next(node for node in material.node_tree.nodes if node.type == "BSDF_PRINCIPLED").inputs
    red, _, blue, _ = inputs["Base Color"].default_value
    inputs["Base Color"].default_value, inputs["Emission Color"].default_value = (0, 0, 0, 1), (red, 1, blue, 1)
    inputs["Emission Strength"].default_value = 1.0


@pytest.mark.parametrize(
    ("edit", "line", "data"),
    [
        (steel, (b"mtl cloth {", b"mtl steel {"), (b"cloth ", b"steel ")),
        *(
            (
                edit,
                (b"diffuse: 0.25 0.5 0.75", b"diffuse: 0.25 1 0.75"),
                (struct.pack("<3f", 0.25, 0.5, 0.75), struct.pack("<3f", 0.25, 1, 0.75)),
            )
            for edit in (green, unlit)
        ),
        *((edit, (b'texture: 0 "cotton"', b'texture: 0 "wood"'), (b"cotton\0", b"wood\0\0\0")) for edit in (textured, pictured)),
    ],
)
@pytest.mark.parametrize("binary", [False, True])
def test_a_material_changes_its_own_bytes(part: Part, game: Path, edit: Any, line: Any, data: Any, binary: bool) -> None:
    text = (game / MOD).read_bytes()
    own = text[text.index(b"mtl ") : text.index(b"}", text.index(b"mtl ")) + 1]
    new = b'mtl cloth {\n\tpackets: 1\n\tprimitives: 180\n\tdiffuse: 0.25 0.5 0.75\n\ttexture: 0 "cotton"\n}'
    before = text.replace(own, new)
    if binary:
        before = binary_mod(part("core.oni2.files.mesh.mod").Mod.parse(before).model)
    (game / MOD).write_bytes(before)
    _, mesh = imported(str(game / KIND))
    export(game / MOD)
    assert (game / MOD).read_bytes() == before
    edit(mesh.data.materials[0])
    export(game / MOD)
    assert before.count((data if binary else line)[0]) == 1
    assert (game / MOD).read_bytes() == before.replace(*(data if binary else line))


def test_a_longer_texture_of_a_binary_makes_a_text(part: Part, game: Path) -> None:
    (game / MOD).write_bytes(binary_mod(part("core.oni2.files.mesh.mod").Mod.parse((game / MOD).read_bytes()).model))
    _, mesh = imported(str(game / KIND))
    textured(mesh.data.materials[0])
    export(game / MOD)
    assert b'texture:\t0 "wood"' in (game / MOD).read_bytes()


def test_other_faces_make_a_new_text_that_shows_the_same(part: Part, game: Path) -> None:
    _, mesh = imported(str(game / KIND))
    wanted = sorted(round(value, 4) for polygon in mesh.data.polygons[:-1] for value in polygon.center)
    import bmesh

    edit = bmesh.new()
    edit.from_mesh(mesh.data)
    edit.faces.ensure_lookup_table()
    bmesh.ops.delete(edit, geom=[edit.faces[-1]], context="FACES_ONLY")
    edit.to_mesh(mesh.data)
    edit.free()
    export(game / MOD)
    text = (game / MOD).read_text()
    assert text.startswith("version: 1.10\nverts: ") and text.rstrip().splitlines()[-1].startswith("mtxn ")
    packets = [line.split()[1:4] for line in text.splitlines() if line.startswith("packet ")]
    assert all(int(adjuncts) <= 255 and int(matrices) <= 8 for adjuncts, _, matrices in packets)
    OPS.wm.read_homefile(use_empty=True, use_factory_startup=True)
    _, again = imported(str(game / KIND))
    assert sorted(round(value, 4) for polygon in again.data.polygons for value in polygon.center) == pytest.approx(wanted, abs=2e-4)


def test_uses_and_new_clips_go_into_the_list(game: Path) -> None:
    before = contents(game)
    obj, _ = imported(str(game / KIND))
    walk = bpy.data.actions["mannequin_walk"]
    obj.animation_data.action = walk
    dance: Any = walk.copy()
    dance.name = "dance"
    for key in [key for key in list(dance.keys()) if key.startswith("retro_anim")]:
        del dance[key]
    dance["retro_anim_game"], dance["retro_anim_figure"] = "oni2", walk.get("retro_anim_figure", "")
    dance["oni2_aliases"], walk["oni2_aliases"] = "DANCE", "WALK, STROLL"
    obj.animation_data.action = dance
    export(game / KIND)
    after = contents(game)
    lines = after[ANIMS].decode().splitlines()
    old = before[ANIMS].decode().splitlines()
    assert lines == [*old[:-1], "\tmannequin_dance DANCE", "\tmannequin_walk STROLL", "}"]
    new = {"Entity/mannequin/mannequin_dance.anim", f"{ANIMS}.bak"}
    assert after.keys() - before.keys() == new and after[f"{ANIMS}.bak"] == before[ANIMS]
    assert {name for name in before if after[name] != before[name]} == {ANIMS}


def test_what_a_package_says_stays_there(part: Part, game: Path) -> None:
    """Of a clip that a package lists, and of one that is used for nothing any more."""
    packages = game / "entity.tune/animpkg"
    packages.mkdir()
    (packages / "base.apkg").write_text("Anims {\n\tmannequin_wave WAVE\n}\n")
    (game / ANIMS).write_text("package animpkg.base\nAnims {\n\tmannequin_walk WALK // slowly\n\tmannequin_idle STAND\n}\n")
    before = contents(game)
    imported(str(game / KIND))
    actions: Any = bpy.data.actions
    actions["mannequin_wave"]["oni2_aliases"], actions["mannequin_walk"]["oni2_aliases"] = "GREET", "STROLL"
    actions["mannequin_idle"]["oni2_aliases"] = ""
    oni2 = part("io.oni2")
    said = oni2.export_oni2(bpy.context, oni2.ExportOptions(path=str(game / KIND))).warnings
    assert [line for line in said if "WAVE" in line and ".apkg" in line]
    assert [line for line in said if "mannequin_idle is used for nothing" in line]
    after = contents(game)
    assert {name for name in before if after[name] != before[name]} == {ANIMS}
    assert after[ANIMS] == b"package animpkg.base\nAnims {\n\tmannequin_walk STROLL // slowly\n\tmannequin_wave GREET\n}\n"


def test_a_copy_for_another_use_has_a_file_of_its_own(part: Part, game: Path) -> None:
    before = contents(game)
    obj, _ = imported(str(game / KIND))
    walk = bpy.data.actions["mannequin_walk"]
    obj.animation_data.action = bow = walk.copy()
    bow.name, bow["oni2_aliases"] = "bow", "BOW"
    for curve in part("io.blender.compat").curves(bow):
        if "rotation" in curve.data_path:
            for key in curve.keyframe_points:
                key.co.y += 0.05
    export(game / KIND)
    after = contents(game)
    assert after.keys() - before.keys() == {"Entity/mannequin/mannequin_bow.anim", f"{ANIMS}.bak"}
    assert {name for name in before if after[name] != before[name]} == {ANIMS}
    old, lines = before[ANIMS].decode().splitlines(), after[ANIMS].decode().splitlines()
    assert lines == [*old[:-1], "\tmannequin_bow BOW", "}"]
    export(game / KIND)
    assert contents(game) == after


def test_out_of_the_archive_into_loose_files(game: Path) -> None:
    for folder in ("Entity", "entity.tune"):
        shutil.rmtree(game / folder)
    archive = (game / "RB.DAT").read_bytes()
    OPS.import_anim.oni2(filepath=str(game / "RB.DAT"), entries="Entity/mannequin/Entity.type", fps_mode="SET")
    with pytest.raises(
        RuntimeError, match=r"RB\.DAT, which is not written: choose .*game/Entity/mannequin/mannequin_\w+\.anim under Goes To"
    ):
        OPS.retro_anim.save_clips()
    (game / "Entity/mannequin").mkdir(parents=True)
    export(game / KIND)
    sample = contents(SAMPLE)
    assert {name: data for name, data in contents(game).items() if name != "RB.DAT"} == {
        name: data for name, data in sample.items() if name != "RB.DAT"
    }
    with pytest.raises(RuntimeError, match=r"RB\.DAT is not written: loose files go beside it"):
        export(game / "RB.DAT")
    assert (game / "RB.DAT").read_bytes() == archive


def test_an_armature_of_ones_own_becomes_a_character(game: Path) -> None:
    data = bpy.data.armatures.new("doll")
    doll: Any = bpy.data.objects.new("doll", data)
    bpy.context.collection.objects.link(doll)
    bpy.context.view_layer.objects.active = doll
    OPS.object.mode_set(mode="EDIT")
    hips = data.edit_bones.new("hips")
    hips.head, hips.tail = (0, 0, 1), (0, 0, 1.2)
    OPS.object.mode_set(mode="OBJECT")
    bone = doll.pose.bones["hips"]
    for frame in (1, 10):
        bone.location = (0, 0, frame / 10)
        bone.keyframe_insert("location", frame=frame)
    doll.animation_data.action.name = "wave"
    doll.animation_data.action["oni2_aliases"] = "WAVE"
    OPS.mesh.primitive_cube_add(location=(0, 0, 1))
    cube: Any = bpy.context.object
    cube.parent = doll
    cube.modifiers.new("Armature", "ARMATURE").object = doll
    cube.vertex_groups.new(name="hips").add(range(8), 1.0, "REPLACE")
    folder = game / "Entity/doll"
    folder.mkdir()
    bpy.context.view_layer.objects.active = doll
    export(folder / "Entity.type")
    assert (folder / "Entity.type").read_text() == "SKEL doll\nLodGroup {\n\thigh doll.mod 20\n}\n"
    assert (game / "entity.tune/doll/doll.anims").read_text() == "Anims {\n\tdoll_wave WAVE\n}\n"
    assert "v\t-1\t-1\t-1" in (folder / "doll.mod").read_text(), "relative to the bone, which is 1 m up"
    OPS.wm.read_homefile(use_empty=True, use_factory_startup=True)
    obj, mesh = imported(str(folder / "Entity.type"))
    assert [bone.name for bone in obj.data.bones] == ["hips"] and len(mesh.data.polygons) == 12
    points = np.array([mesh.matrix_world @ vertex.co for vertex in mesh.data.vertices])
    np.testing.assert_allclose([points.min(axis=0), points.max(axis=0)], [[-1, -1, 0], [1, 1, 2]], atol=1e-5)
    assert [action["oni2_aliases"] for action in bpy.data.actions] == ["WAVE"]


def test_a_character_that_is_refused_leaves_no_folders(part: Part, game: Path) -> None:
    OPS.import_anim.oni2(filepath=str(game / "RB.DAT"), entries="Entity/mannequin/Entity.type", fps_mode="SET")
    obj: Any = bpy.context.view_layer.objects.active
    walk = bpy.data.actions["mannequin_walk"]
    for number, name in enumerate(("a:b", "a?b"), 1):
        copy = walk.copy()
        copy.name = name
        curve = next(curve for curve in part("io.blender.compat").curves(copy) if len(curve.keyframe_points) > 1)
        curve.keyframe_points[0].co.y += 0.1 * number
    before = contents(game)
    with pytest.raises(part("core.reporting.errors").RetroAnimError, match=r"a:b and a\?b both go to"):
        part("io.pipeline.out_of_blender.character").save_character(bpy.context, obj, folder=str(game / "new"))
    assert contents(game) == before and not (game / "new").exists()
