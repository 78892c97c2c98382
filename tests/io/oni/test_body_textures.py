"""Textures of bodies out of Blender: into the body's file or beside it, and the list by which the game draws a character."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from support.oni.oni_bodies import textures_of
from support.oni.oni_shown import body_in_blender, pictured

OPS: Any = bpy.ops
DATA: Any = bpy.data
Part = Callable[[str], ModuleType]


@pytest.mark.parametrize("textures", ["INSIDE", "BESIDE", "NAMES"])
def test_a_picture_of_ones_own(source: Path, exported: Any, part: Part, tmp_path: Path, textures: str) -> None:
    """In the file itself, beside it, or by its name alone; read again it looks the same, and unedited is the same file."""
    _, mesh = body_in_blender(source)
    material, pixels = pictured()
    mesh.data.materials[0] = material
    data = exported(textures=textures)
    assert (tmp_path / "TXMPskin.oni").exists() is (textures == "BESIDE")
    body = part("core.oni.body.body_read").read_body(str(tmp_path / "TRBSout.oni"))
    if textures == "NAMES":
        assert not body.images
        return
    (shown,) = body.images.values()
    assert np.array_equal(shown.pixels[::-1], np.rint(pixels * 255).astype(np.uint8))
    bpy.ops.wm.read_homefile(use_empty=True)
    _, mesh = body_in_blender(tmp_path / "TRBSout.oni")
    assert exported(textures=textures) == data
    if textures == "INSIDE":
        again: Any = next(each for each in DATA.images if tuple(each.size) == (4, 2))
        values = list(again.pixels)
        values[4:7] = (1.0, 0.0, 0.0)
        again.pixels[:] = values
        painted = exported()
        assert 0 < sum(one != other for one, other in zip(data, painted, strict=True)) <= 3


def test_a_character_s_own_textures_are_not_written_into_its_body(source: Path, exported: Any, part: Part, tmp_path: Path) -> None:
    """An ONCC gives each bone a texture of its own; the body that it leads to has none, and has none afterwards."""
    files, records = part("core.oni.files.onifile"), part("core.oni.records.body_records")
    links = np.array([3 << 8 | 1] * 19, "<u4")
    skins = records.BodyRecord("TRMA", np.zeros((), records.SHAPES["TRMA"].head), links, b"").pack()
    parts = [
        files.Part("ONCC", "ONCCone", body=bytes(0xD00), links={0xC34: 1, 0xC38: 2}),
        files.Part("TRBS", "TRBSTESTbody", flags=2),
        files.Part("TRMA", "", body=skins, flags=1),
        files.Part("TXMP", "TXMPskin", flags=2),
    ]
    (tmp_path / "ONCCone.oni").write_bytes(files.OniFile.build(parts).pack())
    _, mesh = body_in_blender(tmp_path / "ONCCone.oni")
    assert mesh.data.materials[0]["oni_texture"] == "TXMPskin"
    assert exported() == source.read_bytes()
    mesh.data.materials[0]["oni_texture"] = "TXMPother"
    exported()
    body = part("core.oni.body.body_read").read_body(str(tmp_path / "TRBSout.oni"))
    assert {piece.texture for piece in body.pieces} == {"TXMPother"}


@pytest.fixture
def warned(part: Part) -> Callable[..., str]:
    """The warnings of an export."""

    def run(path: Path, **options: Any) -> str:
        log, bodies = part("core.reporting.log"), part("io.oni.bodies")
        with log.collect() as said:
            bodies.export_body(bpy.context, bpy.context.object, bodies.BodyOptions(path=str(path), overwrite=True, **options))
        return "\n".join(map(str, said.of("WARNING")))

    return run


def head_of() -> Any:
    """The mesh of the head of a body in pieces."""
    return next(each for each in DATA.objects if each.type == "MESH" and each.name.endswith(" head"))


SKINS = [f"TXMPIteration001/KS_{bone}" for bone in range(19)]


@pytest.fixture
def character(source: Path, part: Part) -> Path:
    """A class whose list gives each bone of the body a texture of its own, by the names that the game has."""
    files, records = part("core.oni.files.onifile"), part("core.oni.records.body_records")
    items = np.array([1 + bone << 8 | 1 for bone in range(19)], "<u4")
    body = records.BodyRecord("TRMA", np.frombuffer(b"\xad\xde" * 12, records.SHAPES["TRMA"].head)[0], items, b"").pack()
    placeholders = [files.Part("TXMP", name, flags=2) for name in SKINS]
    source.with_name("TRMAtest.oni").write_bytes(files.OniFile.build([files.Part("TRMA", "TRMAtest", body=body), *placeholders]).pack())
    parts = [
        files.Part("ONCC", "ONCCtest", body=bytes(0xD00), links={0xC34: 1, 0xC38: 2}),
        files.Part("TRBS", "TRBSTESTbody", flags=2),
        files.Part("TRMA", "TRMAtest", flags=2),
    ]
    source.with_name("ONCCtest.oni").write_bytes(files.OniFile.build(parts).pack())
    return source.with_name("ONCCtest.oni")


@pytest.mark.parametrize("opened_by", ["ONCCtest.oni", "TRBSTESTbody.oni"])
def test_a_picture_under_a_new_name_goes_into_the_list_by_which_the_game_draws_it(character: Path, opened_by: str) -> None:
    source, skins = character.with_name("TRBSTESTbody.oni"), character.with_name("TRMAtest.oni")
    body_in_blender(character.with_name(opened_by), pieces="SEPARATE")
    head = head_of()
    head.data.materials[0], pixels = pictured()
    before = skins.read_bytes()
    out = {"filepath": str(source), "overwrite": True}
    assert OPS.export_mesh.oni(**out, textures="BESIDE") == {"FINISHED"}
    assert textures_of(before) == SKINS
    after = skins.read_bytes()
    assert textures_of(after) == [*SKINS[:10], "TXMPskin", *SKINS[11:]]
    assert b"\xad\xde" * 11 in after, "what else it has stays"
    assert skins.with_name("TRMAtest.oni.bak").read_bytes() == before
    bpy.ops.wm.read_homefile(use_empty=True)
    body_in_blender(character, pieces="SEPARATE")
    head = head_of()
    (image,) = [node.image for node in head.data.materials[0].node_tree.nodes if node.type == "TEX_IMAGE"]
    assert np.allclose(np.array(image.pixels).reshape(pixels.shape), pixels, atol=0.003)
    assert OPS.export_mesh.oni(filepath=str(source), textures="BESIDE") == {"FINISHED"}
    assert skins.read_bytes() == after


def test_a_bone_without_a_texture_is_named_as_that(character: Path, part: Part) -> None:
    body_in_blender(character, pieces="SEPARATE")
    head_of().data.materials.clear()
    log, bodies, body = part("core.reporting.log"), part("io.oni.bodies"), character.with_name("TRBSTESTbody.oni")
    with log.collect() as said:
        bodies.export_body(bpy.context, bpy.context.object, bodies.BodyOptions(path=str(body), overwrite=True, textures="NAMES"))
    assert "TRMAtest, by which ONCCtest is drawn, names no texture for some bones now" in map(str, said.messages)
    assert textures_of(character.with_name("TRMAtest.oni").read_bytes()) == [*SKINS[:10], "", *SKINS[11:]]


def test_a_picture_under_a_name_with_a_slash_takes_the_place_of_the_game_s(character: Path, part: Part) -> None:
    """OniSplit writes the slash as %2F."""
    body_in_blender(character, pieces="SEPARATE")
    material, _ = pictured()
    (node,) = [node for node in material.node_tree.nodes if node.type == "TEX_IMAGE"]
    node.image["oni_texture"] = SKINS[10]
    head_of().data.materials[0] = material
    before = {each.name for each in character.parent.iterdir()}
    body = character.with_name("TRBSTESTbody.oni")
    data = body.read_bytes()
    bodies = part("io.oni.bodies")
    said = bodies.export_body(bpy.context, bpy.context.object, bodies.BodyOptions(path=str(body), textures="BESIDE")).summary
    assert said == f"unchanged: {body}; written beside it: TXMPIteration001%2FKS_10.oni"
    assert {each.name for each in character.parent.iterdir()} - before == {"TXMPIteration001%2FKS_10.oni"}
    assert body.read_bytes() == data
    assert part("core.oni.files.library").Library().find(SKINS[10], str(body)).name == SKINS[10]


def test_without_its_class_a_list_that_is_not_known_is_not_written(source: Path, part: Part, warned: Any) -> None:
    body_in_blender(source, pieces="SEPARATE")
    head = head_of()
    head.data.materials[0], _ = pictured()
    assert "list of textures (TRMA)" in warned(source, textures="BESIDE")
    assert not [each for each in source.parent.iterdir() if each.name.startswith("TRMA")]


def test_pictures_inside_that_the_game_does_not_draw_are_said(character: Path, warned: Any) -> None:
    body_in_blender(character, pieces="SEPARATE")
    head = head_of()
    head.data.materials[0], _ = pictured()
    said = warned(character.with_name("TRBSTESTbody.oni"))
    assert "ONCCtest" in said and "Files Beside It" in said
