"""Meshes of Tales of Pirates: unedited the same files, edited what was edited; and characters of others as files of the game."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from numpy.typing import NDArray
from support.mindpower import mindpower_files

Part = Callable[[str], ModuleType]
FRAMES = (0, 13, 40, 60)
SAMPLE = Path(__file__).resolve().parents[3] / "samples" / "mindpower" / "model" / "character" / "0001000000.lgo"


@pytest.fixture
def fetch(part: Part) -> Callable[..., Any]:
    mindpower = part("io.mindpower.build")
    return lambda path, **options: mindpower.import_mindpower(bpy.context, mindpower.ImportOptions((str(path),), **options))


@pytest.fixture
def write(part: Part) -> Callable[..., dict[str, Path]]:
    """Exports; gives what was written by name."""
    export = part("io.mindpower.write")

    def run(path: Path, **options: Any) -> dict[str, Path]:
        return {
            Path(file).name: Path(file) for file in export.export_mindpower(bpy.context, export.ExportOptions(str(path), **options)).paths
        }

    return run


@pytest.fixture
def parse(part: Part) -> Callable[[Path], Any]:
    return lambda path: part("core.mindpower.files.mesh.lgo").Lgo.parse(path.read_bytes())


def test_a_character_with_helper_bones(fetch: Any, write: Any, game_file: Callable[[str], Path], tmp_path: Path) -> None:
    client = game_file("mindpower")
    fetch(client / "animation" / "0016.lab", helper_bones=True)
    written = write(tmp_path / "0016.lab", with_meshes=True)
    assert written["0016.lab"].read_bytes() == (client / "animation" / "0016.lab").read_bytes()
    assert written["0016000000.lgo"].read_bytes() == (client / "model" / "character" / "0016000000.lgo").read_bytes()


def test_a_mesh_alone(fetch: Any, write: Any, game_file: Callable[[str], Path], tmp_path: Path) -> None:
    source = game_file("mindpower/model/character/0088000000.lgo")
    imported = fetch(source)
    assert (len(imported.armatures), len(imported.meshes), len(imported.actions)) == (1, 1, 0)
    assert sum("mindpower_helper" not in bone for bone in imported.armatures[0].data.bones) == 38
    assert write(tmp_path / "any.lgo")["any.lgo"].read_bytes() == source.read_bytes()


def test_a_mesh_whose_skeleton_is_nowhere(fetch: Any, write: Any, game_file: Callable[[str], Path], tmp_path: Path) -> None:
    source = game_file("mindpower/model/character/0088000000.lgo")
    lonely = tmp_path / "lonely.lgo"
    lonely.write_bytes(source.read_bytes())
    imported = fetch(lonely)
    assert imported.meshes[0].vertex_groups
    assert write(tmp_path / "out.lgo")["out.lgo"].read_bytes() == source.read_bytes()


def test_an_edited_mesh(fetch: Any, write: Any, parse: Any, game_file: Callable[[str], Path], tmp_path: Path) -> None:
    """A vertex that was moved changes its bytes and no others. Written anew, for normals as they are shown, everything but the mesh block
    is as it was, and so are the other vertices."""
    source = game_file("mindpower/model/character/0088000000.lgo")
    (mesh,) = fetch(source).meshes
    mesh.data.vertices[5].co.x += 0.25
    kept, old = write(tmp_path / "kept.lgo")["kept.lgo"].read_bytes(), source.read_bytes()
    at = old.index(parse(source).mesh.positions[5].tobytes())
    assert kept[:at] + kept[at + 4 :] == old[:at] + old[at + 4 :]
    assert np.frombuffer(kept[at : at + 4], "<f4") == pytest.approx(np.frombuffer(old[at : at + 4], "<f4") + 0.25, abs=1e-6)
    now, before = parse(write(tmp_path / "out.lgo", normals="NEW")["out.lgo"]), parse(source)
    assert now.helpers.pack(now.version) == before.helpers.pack(now.version)
    assert now.materials.pack(now.version) == before.materials.pack(now.version)
    assert (now.version, now.mesh.fvf, now.control.tolist()) == (before.version, before.mesh.fvf, before.control.tolist())
    moved = before.mesh.positions.copy()
    moved[5, 0] += 0.25
    assert np.abs(_corners(now.mesh) - _corners(before.mesh, moved)).max() < 1e-5
    assert np.abs(_weights(now.mesh) - _weights(before.mesh)).max() < 1e-5


def test_normals_that_somebody_edited(
    fetch: Any, write: Any, parse: Any, part: Any, game_file: Callable[[str], Path], tmp_path: Path
) -> None:
    """Those of the file are kept, which is said; written as they are shown on request, also where no vertex was moved."""
    source = game_file("mindpower/model/character/0088000000.lgo")
    (mesh,) = fetch(source).meshes
    assert write(tmp_path / "same.lgo", normals="NEW")["same.lgo"].read_bytes() == source.read_bytes()
    mesh.data.normals_split_custom_set([(0, 0, 1)] * len(mesh.data.loops))
    with part("core.reporting.log").collect() as said:
        assert write(tmp_path / "kept.lgo")["kept.lgo"].read_bytes() == source.read_bytes()
    assert any("its normals are not those of the file" in line and "As Shown" in line for line in said.digest("WARNING"))
    with part("core.reporting.log").collect() as said:
        now = parse(write(tmp_path / "new.lgo", normals="NEW")["new.lgo"]).mesh
    assert not any("normals" in line for line in said.digest("WARNING"))
    assert np.abs(now.normals - [0, 0, 1]).max() < 0.02, "Blender keeps them in two numbers of 16 bits"


def test_a_mesh_that_is_mirrored_as_an_object(fetch: Any, write: Any, parse: Any, tmp_path: Path) -> None:
    """Faces wind around their normals in the file, as the format has it, so that the game draws them from outside."""
    (mesh,) = fetch(SAMPLE).meshes
    mesh.scale = (-1, 1, 1)
    geometry = parse(write(tmp_path / "mirrored.lgo")["mirrored.lgo"]).mesh
    corners = geometry.positions[geometry.triangles].astype(np.float64)
    assert (corners[..., 0].min(), corners[..., 0].max()) == pytest.approx(_mirrored_extent(parse(SAMPLE).mesh), abs=1e-6)
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    assert ((across * geometry.normals[geometry.triangles].sum(axis=1)).sum(axis=1) > 0).all()


def _mirrored_extent(mesh: Any) -> tuple[float, float]:
    """From left to right, on the other side."""
    sides = mesh.positions[:, 0]
    return -float(sides.max()), -float(sides.min())


def test_texture_coordinates_change_in_their_places(fetch: Any, write: Any, game_file: Callable[[str], Path], tmp_path: Path) -> None:
    """Of a vertex all of whose corners were moved on the texture 8 bytes change at most; where one corner alone was, it becomes two."""
    source = game_file("mindpower/model/character/0088000000.lgo")
    (mesh,) = fetch(source).meshes
    layer, vertex = mesh.data.uv_layers[0].uv, mesh.data.loops[0].vertex_index
    own = [loop.index for loop in mesh.data.loops if loop.vertex_index == vertex]
    assert len(own) > 1
    for loop in own:
        layer[loop].vector.y += 0.125
    old, new = source.read_bytes(), write(tmp_path / "uv.lgo")["uv.lgo"].read_bytes()
    changed = [index for index in range(len(old)) if old[index] != new[index]]
    assert len(new) == len(old) and 0 < len(changed) <= 4 and changed[-1] - changed[0] < 4
    layer[own[0]].vector.y -= 0.125
    assert len(write(tmp_path / "seam.lgo")["seam.lgo"].read_bytes()) > len(old)


def test_further_coordinates_are_written(fetch: Any, write: Any, parse: Any, tmp_path: Path) -> None:
    """Of a mesh that had one set."""
    (mesh,) = fetch(SAMPLE).meshes
    assert len(parse(SAMPLE).mesh.uvs) == 1
    (further := mesh.data.uv_layers.new(name="further").uv).foreach_set("vector", [0.25, 0.375] * len(mesh.data.loops))
    assert len(further)
    two = parse(write(tmp_path / "two.lgo")["two.lgo"]).mesh
    assert np.allclose(two.uvs[1], (0.25, 0.625)) and two.colours is None
    for name in ("a", "b", "c"):
        mesh.data.uv_layers.new(name=name)
    assert len(parse(write(tmp_path / "four.lgo")["four.lgo"]).mesh.uvs) == 4


def _corners(mesh: Any, positions: NDArray[Any] | None = None) -> NDArray[np.float64]:
    """(corners, 8) position, normal as far as Blender keeps it, texture coordinates."""
    table = np.concatenate([mesh.positions if positions is None else positions, mesh.uvs[0]], axis=1).astype(float)
    return table[mesh.indices]


def _weights(mesh: Any, bones: int = 38) -> NDArray[np.float64]:
    """(corners, bones)"""
    weights = np.zeros((len(mesh.positions), bones))
    for slot in range(mesh.influences):
        np.add.at(weights, (np.arange(len(weights)), mesh.palette[mesh.blend["index"][:, slot]].astype(int)), mesh.blend["weight"][:, slot])
    return weights[mesh.indices]


def test_edited_words_of_a_material(fetch: Any, write: Any, parse: Any, game_file: Callable[[str], Path], tmp_path: Path) -> None:
    source = game_file("mindpower/model/character/0088000000.lgo")
    (mesh,) = fetch(source).meshes
    slot = mesh.data.materials[0]
    slot["mindpower_opacity"], slot["mindpower_transparency"], slot["mindpower_textures"] = 0.5, 1, "other.bmp"
    now, before = parse(write(tmp_path / "out.lgo")["out.lgo"]), parse(source)
    assert (now.materials.opacity(0), now.materials.transparency(0), now.materials.textures(0)) == (0.5, 1, ["other.bmp"])
    assert now.mesh.pack(now.version) == before.mesh.pack(now.version)


def test_numbers_of_a_material_beyond_what_blender_holds(fetch: Any, write: Any, parse: Any, tmp_path: Path) -> None:
    """The file has 32 bits without a sign; what is as it was goes back as it was, and any other must be a number that the file can hold."""
    source = tmp_path / "odd.lgo"
    file = parse(SAMPLE)
    records = file.materials.records.copy()
    records["transparency"], records["opacity"] = 0xFFFFFFFE, -0.5
    source.write_bytes(replace(file, materials=replace(file.materials, records=records)).pack())
    (mesh,) = fetch(source).meshes
    slot = mesh.data.materials[0]
    assert write(tmp_path / "same.lgo")["same.lgo"].read_bytes() == source.read_bytes()
    slot["mindpower_textures"] = "other.bmp"
    now = parse(write(tmp_path / "out.lgo")["out.lgo"])
    assert (now.materials.opacity(0), now.materials.transparency(0), now.materials.textures(0)) == (-0.5, 0xFFFFFFFE, ["other.bmp"])
    for wrong in (float("nan"), 1e20, -1):
        slot["mindpower_transparency"] = wrong
        with pytest.raises(Exception, match="mindpower_transparency is no number that the file can hold"):
            write(tmp_path / "wrong.lgo")


@pytest.fixture
def man(game_file: Callable[[str], Path]) -> Any:
    """The armature and the mesh of a walking man that others have made."""
    bpy.ops.import_scene.gltf(filepath=str(game_file("mocap/cesium_man.gltf")))
    obj = next(one for one in bpy.data.objects if one.type == "ARMATURE")
    bpy.context.view_layer.objects.active = obj
    return obj, next(one for one in bpy.data.objects if one.type == "MESH" and one.find_armature() == obj)


def shown(obj: Any, frame: float) -> NDArray[np.float64]:
    """(V, 3) in the scene, sorted."""
    bpy.context.scene.frame_set(int(frame), subframe=frame - int(frame))
    evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    data = evaluated.to_mesh()
    points = np.array([evaluated.matrix_world @ vertex.co for vertex in data.vertices])
    evaluated.to_mesh_clear()
    return points[np.lexsort(np.round(points, 4).T)]


def test_a_character_of_others(man: Any, fetch: Any, write: Any, part: Part, tmp_path: Path) -> None:
    """The same places at the same times; quaternions do; a picture and an action table beside."""
    first, rate = man[0].animation_data.action.frame_range[0], bpy.context.scene.render.fps
    positions = [shown(man[1], first + frame * rate / 30) for frame in FRAMES]
    written = write(tmp_path / "0900.lab", with_meshes=True)
    assert sorted(written) == ["0900.lab", "0900000000.lgo", "CharacterAction.tx", "Image_0.bmp"]
    assert written["CharacterAction.tx"].read_bytes().split() == [b"900", b"1", b"0", b"60"]
    lab = part("core.mindpower.files.skeleton.lab").Lab.parse(written["0900.lab"].read_bytes())
    assert (lab.version, lab.key_type, lab.bone_count, lab.frame_count, len(lab.dummies)) == (0x1005, 3, 19, 61, 1)
    assert np.abs(np.linalg.norm(lab.quaternions, axis=2) - 1).max() < 1e-5
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    imported = fetch(tmp_path / "0900.lab", fps_mode="SET", frame_start=0)
    assert [action.name for action in imported.actions] == ["0900 1 wait"]
    images: list[Any] = list(bpy.data.images)
    assert [tuple(image.size) for image in images] == [(1024, 1024)]
    for frame, expected in zip(FRAMES, positions, strict=True):
        now = shown(imported.meshes[0], frame)
        assert all(np.abs(expected - point).max(axis=1).min() < 1e-5 for point in now[::17])


def test_more_frames_than_a_file_holds(man: Any, part: Part, tmp_path: Path) -> None:
    """A scene of 0.00001 frames a second, in which a second of the action is years of the game."""
    mindpower, (action,) = part("io.mindpower"), bpy.data.actions
    bpy.context.scene.render.fps, bpy.context.scene.render.fps_base = 1, 1e5
    with pytest.raises(part("core.reporting.errors").RetroAnimError, match=f"{action.name}: from frame 0 to .* is more than a file holds"):
        mindpower.export_mindpower(bpy.context, mindpower.ExportOptions(str(tmp_path / "0900.lab")))


def test_key_types_of_a_new_file(man: Any, part: Part) -> None:
    export = part("io.mindpower.pack")

    def pack(kind: str) -> Any:
        return export.pack_lab(bpy.context, man[0], export.ExportOptions("", key_type=kind)).lab

    assert [pack(kind).key_type for kind in ("AUTO", "QUAT", "MAT43", "MAT44")] == [3, 3, 1, 2]
    bone = man[0].pose.bones[5]
    for frame, size in ((0, 1.0), (20, 2.0)):
        bone.scale = (size, 1, 1)
        assert bone.keyframe_insert("scale", frame=frame)
    assert pack("AUTO").key_type == 1
    with pytest.raises(part("core.reporting.errors").ExportError, match="quaternions cannot hold"):
        pack("QUAT")


def test_more_bones_than_a_mesh_takes(write: Any, parse: Any, tmp_path: Path) -> None:
    """40 bones, a quad on each: files of at most 25."""
    data = bpy.data.armatures.new("many")
    obj = bpy.data.objects.new("many", data)
    bpy.context.collection.objects.link(obj)
    bpy.context.view_layer.objects.active = obj
    bpy.ops.object.mode_set(mode="EDIT")
    for index in range(40):
        bone = data.edit_bones.new(f"bone {index}")
        bone.head, bone.tail = (index, 0, 0), (index, 0, 1)
        if index:
            bone.parent = data.edit_bones[0]
    bpy.ops.object.mode_set(mode="OBJECT")
    positions = [(index + x, 0, z) for index in range(40) for x, z in ((0, 0), (0.5, 0), (0.5, 1), (0, 1))]
    mesh = bpy.data.meshes.new("quads")
    mesh.from_pydata(positions, [], [tuple(range(4 * index, 4 * index + 4)) for index in range(40)])
    quads = bpy.data.objects.new("quads", mesh)
    bpy.context.collection.objects.link(quads)
    modifier: Any = quads.modifiers.new("Armature", "ARMATURE")
    modifier.object = obj
    for index in range(40):
        quads.vertex_groups.new(name=f"bone {index}").add(list(range(4 * index, 4 * index + 4)), 1.0, "REPLACE")
    written = write(tmp_path / "many.lgo")
    assert len(written) == 2
    files = [parse(path).mesh for path in written.values()]
    assert sorted(len(file.palette) for file in files) == [15, 25]
    assert sum(len(file.triangles) for file in files) == 80
    assert sorted({int(bone) for file in files for bone in file.palette}) == list(range(40))


def test_to_gltf(part: Part, game_file: Callable[[str], Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One file with mesh, skin and a clip for every action."""
    out = tmp_path / "out.glb"
    assert part("cli.main").main(["convert", str(game_file("mindpower/animation/0741.lab")), "-o", str(out)]) == 0
    capsys.readouterr()
    data = out.read_bytes()
    document = json.loads(data[20 : 20 + int.from_bytes(data[12:16], "little")])
    assert [clip["name"] for clip in document["animations"]] == ["1_wait_1", "2_show_1"]
    assert (len(document["skins"]), len(document["skins"][0]["joints"]), len(document["meshes"])) == (1, 34, 1)
    assert len(document["images"]) == 1
    back = tmp_path / "0741.lab"
    assert part("cli.main").main(["convert", str(out), "-o", str(back)]) == 0
    parse, evaluate = part("core.mindpower.files.skeleton.lab").Lab.parse, part("core.mindpower.motion.evaluate")
    before, after = parse(game_file("mindpower/animation/0741.lab").read_bytes()), parse(back.read_bytes())
    order = [after.names.index(name) for name in before.names]
    positions = [evaluate.world_matrices(lab)[..., 3, :3] for lab in (before, after)]
    assert np.abs(positions[1][:33, order] - positions[0][:33]).max() < 1e-5  # action 1 is frames 0 to 32 in both
    assert {int(dummy["id"]) for dummy in after.dummies} == {int(dummy["id"]) for dummy in before.dummies}
    assert (tmp_path / "CharacterAction.tx").read_bytes().split() == [b"741", b"1", b"0", b"32", b"2", b"33", b"77"]


@pytest.mark.parametrize("edit", ["pixels", "other image", "other material", "removed"])
def test_a_changed_picture(part: Part, fetch: Any, write: Any, parse: Any, tmp_path: Path, edit: str) -> None:
    """Written beside the mesh and named in it, or reported; the shape keeps its bytes."""
    imported = fetch(mindpower_files.client(tmp_path / "client") / "Animation" / "0007.lab")
    (mesh,) = (mesh for mesh in imported.meshes if mesh.name == "0007000000")
    source = tmp_path / "client" / "model" / "Character" / "0007000000.lgo"
    material = mesh.data.materials[0]
    node = next(node for node in material.node_tree.nodes if node.type == "TEX_IMAGE")
    other = bpy.data.images.new("new skin", 2, 2)
    pixels: Any = other.pixels
    pixels.foreach_set(np.tile(np.array([0, 1, 0, 1], np.float32), 4))
    if edit == "pixels":
        node.image.pixels[0] = 1.0
    elif edit == "other image":
        node.image = other
    elif edit == "other material":
        material = bpy.data.materials.new("fresh")
        material.use_nodes = True
        node: Any = material.node_tree.nodes.new("ShaderNodeTexImage")
        node.image = other
        mesh.data.materials[0] = material
    else:
        material.node_tree.nodes.remove(node)
    (tmp_path / "out").mkdir()
    with part("core.reporting.log").collect() as said:
        write(tmp_path / "out" / "0007.lab")
    assert (
        len([line for line in said.digest("WARNING") if "0007000000" in line and "edited, which is not in what is exported" in line]) == 1
    )
    with part("core.reporting.log").collect() as said:
        written = write(tmp_path / "out" / "0007.lab", with_meshes=True)
    now, before = parse(written["0007000000.lgo"]), parse(source)
    assert now.mesh.pack(now.version) == before.mesh.pack(before.version)
    if edit == "removed":
        assert now.pack() == before.pack() and any("no picture" in line for line in said.digest("WARNING"))
        return
    (name,) = now.materials.textures(0)
    pixels = part("core.mindpower.client.textures").decode(written[name].read_bytes())
    assert pixels.shape == ((4, 4, 4) if edit == "pixels" else (2, 2, 4))
    assert tuple(pixels[-1, 0]) == ((255, 2, 3, 255) if edit == "pixels" else (0, 255, 0, 255))


def test_a_painted_picture_is_not_written_back_unasked(part: Part, fetch: Any, write: Any, tmp_path: Path) -> None:
    """Meshes of other characters may name the same file, which is why it is asked."""
    client = Path(shutil.copytree(Path(__file__).resolve().parents[3] / "samples/mindpower", tmp_path / "client"))
    skeleton = client / "animation" / "0001.lab"
    (mesh,) = fetch(skeleton).meshes
    (node,) = (node for node in mesh.data.materials[0].node_tree.nodes if node.type == "TEX_IMAGE")
    node.image.pixels[0] = 1.0
    with pytest.raises(part("core.reporting.errors").ExportError, match="holds a picture that other characters may have, too"):
        write(skeleton, with_meshes=True)
    painted = list(node.image.pixels)
    write(skeleton, with_meshes=True, overwrite=True)
    assert not node.image.is_dirty and list(node.image.pixels) == painted
    node.image.reload()
    assert list(node.image.pixels) == painted


def test_weights_on_bones_that_are_not_there_stay_in_silence(part: Part, fetch: Any, write: Any, tmp_path: Path) -> None:
    """They were named as they came in; an export that keeps them says nothing, and one without any of a vertex does."""
    (tmp_path / "arm.lab").write_bytes(mindpower_files.arm(4))
    (tmp_path / "arm.lgo").write_bytes(mindpower_files.lgo(bones=(0, 9)))
    log = part("core.reporting.log")
    with log.collect() as said:
        (mesh,) = fetch(tmp_path / "arm.lgo").meshes
    assert any("bones that the skeleton does not have" in line for line in said.digest("WARNING"))
    with log.collect() as said:
        assert write(tmp_path / "out.lgo")["out.lgo"].read_bytes() == (tmp_path / "arm.lgo").read_bytes()
    assert not [line for line in said.digest("WARNING") if "without a weight" in line]
    for group in mesh.vertex_groups:
        group.remove([0])
    with log.collect() as said:
        write(tmp_path / "out.lgo", overwrite=True)
    assert any("1 vertex without a weight goes with the first bone" in line for line in said.digest("WARNING"))


def test_a_mesh_that_hangs_on_the_armature_as_an_object_is_named(fetch: Any, write: Any, part: Part, tmp_path: Path) -> None:
    shutil.copytree(SAMPLE.parents[2], tmp_path / "client")
    skeleton = tmp_path / "client" / "animation" / "0001.lab"
    (armature,) = fetch(skeleton).armatures
    cube = bpy.data.objects.new("cube", bpy.data.meshes.new("cube"))
    bpy.context.collection.objects.link(cube)
    cube.parent = armature
    with part("core.reporting.log").collect() as said:
        write(skeleton, with_meshes=True, overwrite=True)
    (line,) = [line for line in said.digest("WARNING") if "cube" in line]
    assert "left out" in line and "Armature modifier" in line


def test_a_mesh_that_is_gone_is_named(part: Part, fetch: Any, write: Any, tmp_path: Path) -> None:
    """Its file stays in the client, and is shown; where nothing is gone, or all goes elsewhere, nothing is said."""
    shutil.copytree(SAMPLE.parents[2], tmp_path / "client")
    skeleton = tmp_path / "client" / "animation" / "0001.lab"
    shutil.copyfile(SAMPLE, tmp_path / "client" / "model" / "character" / "0001000001.lgo")
    first, second = fetch(skeleton, parts="all").meshes

    def said(path: Path = skeleton, with_meshes: bool = True) -> list[str]:
        with part("core.reporting.log").collect() as heard:
            write(path, with_meshes=with_meshes, overwrite=True)
        return [line for line in heard.digest("WARNING") if "any more" in line]

    assert said() == []
    name = first.name
    bpy.data.objects.remove(first)
    (line,) = said(with_meshes=False)
    assert line.startswith(f"{name} came with 0001, which does not move it any more")
    (line,) = said()
    assert f"{name}.lgo: no mesh on" in line and "bring the mesh back" in line
    assert (tmp_path / "client" / "model" / "character" / f"{name}.lgo").read_bytes() == SAMPLE.read_bytes()
    assert said(with_meshes=False) == []  # as it was said what to do
    assert said(tmp_path / "elsewhere.lab") == []
    second.parent, second.modifiers[0].object = None, None
    (line,) = said()
    assert f"{name}.lgo, {second.name}.lgo: no mesh on" in line and "shows them" in line
