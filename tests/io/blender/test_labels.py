"""Names in files that Blender cannot hold: they come in with others, move what they should, and go out as they were."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from support.mindpower import mindpower_files

Part = Callable[[str], ModuleType]

HARD = ["a\0b", "\x1b[31m", "", "x" * 300, "x" * 301, "骨" * 40, "b\x7f", "\xff\xfe", 'quo"te\\']


def run(part: Part, game: str, path: Path, **options: Any) -> Any:
    module = part(f"io.{game}")
    return getattr(module, f"import_{game}")(bpy.context, module.ImportOptions((str(path),), **options))


@pytest.mark.parametrize("name", ["a\0b", "\x1b[31m", "x" * 300, "b\x7f", "\xff\xfe", "\x85\x9b"])
def test_bones_of_oni2(part: Part, tmp_path: Path, name: str) -> None:
    """Two of the name, that must differ; renaming another leaves their own names."""
    text = f'bone "root" {{ offset 0 1 0 bone "{name}" {{ offset 0 0 1 bone "{name}" {{ offset 0 0 1 }} }} }}'
    source = tmp_path / "hard.skel"
    source.write_bytes(text.encode("latin-1"))
    (obj,) = run(part, "oni2", source).armatures
    assert len(obj.data.bones) == 3
    assert all(len(bone.name.encode()) <= 63 and bone.name.isprintable() for bone in obj.data.bones)
    export = part("io.oni2")
    bpy.context.view_layer.objects.active = obj
    for file, renamed in (("same.skel", ""), ("other.skel", "stem")):
        if renamed:
            obj.data.bones["root"].name = renamed
        export.export_oni2(bpy.context, export.ExportOptions(str(tmp_path / file)))
        wanted = source.read_bytes().replace(b'"root"', renamed.encode()) if renamed else source.read_bytes()
        assert (tmp_path / file).read_bytes().replace(b'"stem"', b"stem") == wanted


@pytest.mark.parametrize("name", ["\x1b[31m", "b\x7f\x01", "  ", "骨\u202e", "y" * 62])
def test_bones_of_mindpower(part: Part, tmp_path: Path, name: str) -> None:
    count = 3
    positions, rotations = [[(0, 0, 1)] * 2] * count, [[(0, 0, 0, 1)] * 2] * count
    data = bytearray(mindpower_files.lab([-1, 0, 1], positions, rotations))
    field = name.encode("gb18030").ljust(64, b"\0")
    for bone in (1, 2):
        at = 20 + 72 * bone
        data[at : at + 64] = field
    source = tmp_path / "hard.lab"
    source.write_bytes(data)
    imported = run(part, "mindpower", source)
    assert len({bone.name for bone in imported.armatures[0].data.bones}) == count
    assert all(bone.name.isprintable() for bone in imported.armatures[0].data.bones)
    export = part("io.mindpower.write")
    bpy.context.view_layer.objects.active = imported.armatures[0]
    export.export_mindpower(bpy.context, export.ExportOptions(str(tmp_path / "out.lab")))
    assert (tmp_path / "out.lab").read_bytes() == bytes(data)


@pytest.mark.parametrize("name", HARD)
def test_whatever_has_a_name(part: Part, name: str) -> None:
    """Armature, mesh, material, image, texture coordinates, group, action and marker."""
    mesh, skeletons, rigs = part("core.surface.mesh"), part("core.motion.rigs.skeleton"), part("core.motion.rigs.matrix_rig")
    (bone,) = part("core.reporting.labels").unique([name])
    heads = np.zeros((1, 3))
    skeleton = skeletons.Skeleton((bone,), np.array([-1], np.int32), heads, heads + np.array([0, 0, 1]))
    rig = rigs.MatrixRig(skeleton, np.eye(3), np.eye(3)[None], heads, heads + np.array([0, 0, 1]))
    obj = part("io.blender.armature").build(bpy.context, name, rig, 1.0)
    image = mesh.Image(name, np.zeros((2, 2, 4), np.uint8))
    surface = mesh.Mesh(
        np.eye(3), np.zeros(3, np.int64), np.array([0]), np.array([3]), np.arange(3), np.zeros((3, 3)), np.array([0]),
        [mesh.Material(name, "SMOOTH", ((1.0, 1.0, 1.0),), image=image)], [], [], uvs={name: np.zeros((3, 2))},
    )  # fmt: skip
    build = part("io.blender.surface.mesh").build
    first, second = (build(bpy.context, name, surface, rig, obj, 1.0)[0] for _ in range(2))
    assert first.data.materials[0] == second.data.materials[0]
    assert (len(first.vertex_groups), len(first.data.uv_layers)) == (1, 1)
    assert first.vertex_groups[0].name == bone == obj.data.bones[0].name
    curves = part("core.motion.curves")
    (action,) = part("io.blender.motion.actions").write(obj, [[]])
    part("io.blender.motion.actions").give_names([(action, name)])
    clip = part("core.motion.clip").Clip(name, 30, [], None, 1.0, events=[part("core.motion.clip").Event(0.0, name)])
    part("io.blender.motion.actions").finish(action, clip, curves.Timing(30, 24, 1))
    blocks = [obj, obj.data, first, first.data, first.data.materials[0], bpy.data.images[0], action, *action.pose_markers]
    assert all(block.name and block.name.isprintable() for block in blocks)


@pytest.mark.parametrize("stem", ["n" * 200, "new\nline", "骨头", "\udcff\udcfe"])
def test_names_of_files(part: Part, tmp_path: Path, stem: str) -> None:
    source = tmp_path / f"{stem}.skel"
    source.write_text('bone "root" { offset 0 1 0 }')
    (obj,) = run(part, "oni2", source).armatures
    assert obj.name.isprintable()
    assert part("io.blender.source_data").kept(obj.data) == source.read_bytes()
