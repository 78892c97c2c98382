"""Colours and pictures of a character that is made one of Oni, which draws each bone with one texture: by the file that is read again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from support.oni.oni_bodies import read
from support.paint import paint
from support.someone import someone

OPS: Any = bpy.ops
DATA: Any = bpy.data
Part = Callable[[str], ModuleType]
SAMPLES = Path(__file__).resolve().parents[3] / "samples"


def colours_of(part: Part, path: Path) -> list[list[np.ndarray]]:
    """Of each bone the different colours (red, green, blue) at the middles of its faces in the file."""
    body = part("core.oni.body.body_read").read_body(str(path))
    result: list[list[np.ndarray]] = []
    for piece in body.pieces:
        image = body.images.get(piece.texture)
        if image is None:
            result.append([])
            continue
        height, width = image.pixels.shape[:2]
        at = piece.uvs[piece.triangles].mean(axis=1) % 1
        rows = image.pixels[(at[:, 1] * height).astype(int), (at[:, 0] * width).astype(int), :3]
        result.append(list(np.unique(rows, axis=0)))
    return result


def test_plain_colours_and_pictures_of_one_bone(part: Part, tmp_path: Path) -> None:
    """Below the middle of each ball red, above a picture that its faces have three times, green on the left and blue on the right."""
    rig = someone()
    (mesh,) = rig.children
    picture = np.zeros((8, 8, 4))
    picture[:, :4], picture[:, 4:] = (0, 1, 0, 1), (0, 0, 1, 1)
    mesh.data.materials.append(paint("red", (1, 0, 0)))
    mesh.data.materials.append(paint("two", picture=picture))
    uvs = mesh.data.uv_layers.active.uv
    left = np.zeros(len(mesh.data.polygons), bool)
    for face in mesh.data.polygons:
        face.material_index = int(face.normal.z > 0)
        left[face.index] = face.normal.x > 0
        for corner, loop in enumerate(face.loop_indices):
            uvs[loop].vector = (2 + (0.25 if left[face.index] else 0.75) + 0.01 * (corner - 1), 1.5 + 0.01 * (corner % 2))
    assert OPS.retro_anim.oni_make() == {"FINISHED"}
    path = tmp_path / "TRBSsomeone.oni"
    assert OPS.export_mesh.oni(filepath=str(path)) == {"FINISHED"}
    every = colours_of(part, path)
    for bone, colours in enumerate(every):
        if bone in (0, 1, 4, 10):  # which have a ball of their own, upright
            assert [colour.tolist() for colour in colours] == [[0, 0, 255], [0, 255, 0], [255, 0, 0]], bone


def test_an_lba_body_has_its_colours_and_its_arms_are_stretched(part: Part, tmp_path: Path) -> None:
    OPS.import_anim.lba(filepath=str(SAMPLES / "lba1" / "ANIM.HQR"), entities="0")
    obj: Any = bpy.context.object
    meant: set[tuple[int, ...]] = set()
    for mesh in (each for each in obj.children if each.type == "MESH"):
        for slot in {face.material_index for face in mesh.data.polygons}:
            inputs = next(node for node in mesh.data.materials[slot].node_tree.nodes if node.type == "BSDF_PRINCIPLED").inputs
            base, emitted = (np.array(inputs[name].default_value[:3]) for name in ("Base Color", "Emission Color"))
            linear = base if base.any() else emitted
            shown = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
            meant.add(tuple(np.rint(255 * shown).astype(int).tolist()))
    assert OPS.retro_anim.oni_make(height=16) == {"FINISHED"}
    path = tmp_path / "TRBSmannequin.oni"
    assert OPS.export_mesh.oni(filepath=str(path)) == {"FINISHED"}
    now = {tuple(colour.tolist()) for colours in colours_of(part, path) for colour in colours}
    assert len(meant) > 3 and now == meant


def test_a_rig_without_hands_has_its_arms_in_the_t_pose(tmp_path: Path) -> None:
    rig = someone()
    OPS.object.mode_set(mode="EDIT")
    for side in ("Left", "Right"):
        rig.data.edit_bones.remove(rig.data.edit_bones[f"mixamorig:{side}Hand"])
    OPS.object.mode_set(mode="OBJECT")
    (mesh,) = rig.children
    for side in ("Left", "Right"):
        hand, arm = (mesh.vertex_groups[f"mixamorig:{side}{name}"] for name in ("Hand", "ForeArm"))
        own = [vertex.index for vertex in mesh.data.vertices if any(item.group == hand.index for item in vertex.groups)]
        arm.add(own, 1.0, "REPLACE")
        mesh.vertex_groups.remove(hand)
    assert OPS.retro_anim.oni_make() == {"FINISHED"}
    path = tmp_path / "TRBSsomeone.oni"
    assert OPS.export_mesh.oni(filepath=str(path)) == {"FINISHED"}
    body = read(path.read_bytes())
    for bone in (13, 17):
        piece = body.bones[bone]
        assert piece is not None
        low, high = piece.points.min(axis=0), piece.points.max(axis=0)
        assert high[0] > 2.5 and np.abs(low[1:] + high[1:]).max() < 1.5, "the whole arm lies along its bone, which is +X"


@pytest.mark.parametrize("grey", [False, True])
def test_nothing_but_white_needs_no_picture(part: Part, tmp_path: Path, grey: bool) -> None:
    rig = someone()
    if grey:
        rig.children[0].data.materials.append(paint("new"))
    OPS.retro_anim.oni_make()
    path = tmp_path / "TRBSsomeone.oni"
    OPS.export_mesh.oni(filepath=str(path))
    assert part("core.oni.body.body_read").read_body(str(path)).images == {}


@pytest.mark.parametrize("rotated", [False, True])
def test_who_looks_back_is_rotated(part: Part, rotated: bool) -> None:
    """As characters of Oni 2 do: their left is on the right, and they look along +Y, unless somebody rotated them."""
    OPS.import_anim.oni2(filepath=str(SAMPLES / "oni2" / "RB.DAT"))
    obj: Any = next(each for each in DATA.objects if each.type == "ARMATURE")
    bpy.context.view_layer.objects.active = obj
    if rotated:
        obj.rotation_mode, obj.rotation_euler = "XYZ", (0, 0, np.pi)
        bpy.context.view_layer.update()
    for game in ("oni", "lba"):
        bpy.context.view_layer.objects.active = obj
        with part("core.reporting.log").collect() as said:
            options = part(f"core.{game}.game").MakeOptions(height=16 if game == "oni" else 1240)
            new: Any = part(f"io.{game}.make").make_body(bpy.context, obj, options).armature
        assert any("looks along +Y" in message.text for message in said.messages) != rotated
        feet = ("left_foot", "right_foot") if game == "oni" else ("foot_l", "foot_r")
        left, right = (new.data.bones[name].head_local.x for name in feet)
        assert left > 0.05 > -0.05 > right, "its left is at +X, as of all who look along -Y"
        if game == "oni":
            assert new.data.bones["left_handfist"].head_local.x > 3 * left, "the arms point away from the body"
