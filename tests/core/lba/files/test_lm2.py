"""The body file of LBA2, field by field, and the surface that it makes."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from retro_anim.core import formats
from retro_anim.core.files.document import same
from retro_anim.core.lba.body.body import Body
from retro_anim.core.lba.files.lm1 import Lm1
from retro_anim.core.lba.files.lm2 import Lm2
from retro_anim.core.lba.files.palette import Palette
from retro_anim.core.lba.files.texture import TexturePage
from retro_anim.core.reporting.errors import FormatError
from retro_anim.core.surface.mesh import Mesh
from support.lba import lba1_chain as chain
from support.lba import lba2_chain as chain2

from ..strategies import lm2s

GROUPS, POINTS, NORMALS, FACE_NORMALS, _, LINES, SPHERES, TEXTURES, _ = chain2.starts()


def test_the_fields_of_a_file_written_by_hand() -> None:
    body = Lm2.parse(chain2.LM2)
    assert (body.info, body.box.tolist(), body.polygon_count) == (0x510, [-150, 150, 0, 400, -50, 350], 10)
    assert body.groups["parent"].tolist() == [0xFFFF, 0, 1, 1, 2]
    assert body.groups["pivot"].tolist() == [0, 1, 3, 4, 6]
    assert body.groups["point_count"].tolist() == [2, 3, 2, 2, 2]
    assert body.groups["face_normal_count"].tolist() == [0, 2, 0, 0, 0]
    assert body.points["position"][10].tolist() == [0, -80, 40]
    assert body.points["group"].tolist() == [0, 0, 1, 1, 1, 2, 2, 3, 3, 4, 4]
    assert body.face_normals["direction"].tolist() == [[0, 0, 0x4000], [0x4000, 0, 0]]
    assert body.face_normals["group"].tolist() == [1, 1]
    assert body.runs["type"].tolist() == [0, 1, 0x8004, 0x8002, 0x0A, 0x800C, 0x8011, 0x4009, 0xC00A]
    assert body.runs["count"].tolist() == [1, 2, 1, 1, 1, 1, 1, 1, 1]
    assert body.runs["size"].tolist() == [20, 32, 20, 20, 32, 40, 40, 24, 24]
    assert body.lines[["type", "colour"]].tolist() == [(0, 15)]
    assert body.lines["points"].tolist() == [[6, 9]]
    assert body.spheres.tolist() == [(0, 66, 10, 25), (1, 67, 9, 12)]
    assert body.textures["corner"].tolist() == [0, 0x2010, 0]
    assert body.textures["mask"].tolist() == [[7, 7], [0x1F, 0x0F], [0xFF, 0xFF]]
    assert body.pack() == chain2.LM2


def test_polygons_as_columns() -> None:
    faces = Lm2.parse(chain2.LM2).faces
    assert faces.kind.tolist() == [0, 1, 1, 4, 2, 10, 12, 17, 9, 10]
    assert faces.quad.tolist() == [False, False, False, True, True, False, True, True, False, True]
    assert faces.corners[:, :3].tolist() == [list(record[:3]) for _, records in chain2.RUNS for record in records]
    assert faces.corners[faces.quad, 3].tolist() == [4, 5, 4, 4, 4]
    assert faces.colour.tolist() == [0x1214, 36, 37, 52, 99, 0, 7, 7, 7, 7]
    assert faces.normal.tolist() == [0, 11, 12, 0, 4, 0, 1, 12, 12, 3]
    assert faces.handle.tolist() == [-1, -1, -1, -1, -1, 1, 0, 2, 1, 2]
    assert faces.scale.tolist() == [0] * 8 + [0x0420, 0x1008]
    assert faces.uv[5, :3].tolist() == [[0x0000, 0x0080], [0x2100, 0x1080], [0xFFFF, 0x8000]]
    assert faces.uv[6].tolist() == [[0, 0], [0x1000, 0], [0x1000, 0x1000], [0, 0x1000]]


@given(body=lm2s())
def test_what_is_written_is_read_again(body: Lm2) -> None:
    data = body.pack()
    read = Lm2.parse(data)
    assert same(read, body)
    assert read.pack() == data


@given(body=lm2s())
def test_every_body_can_be_shown(body: Lm2) -> None:
    mesh = Body.of(Lm2.parse(body.pack())).mesh(Palette.plain())
    assert mesh is not None
    assert mesh.corners.max(initial=0) < len(mesh.points)
    assert mesh.material_of.max(initial=-1) < len(mesh.materials)
    for start, count in zip(mesh.starts.tolist(), mesh.counts.tolist(), strict=True):
        assert 3 <= len(set(mesh.corners[start : start + count].tolist())) == count
    assert all(np.isfinite(uv).all() and uv.shape == (len(mesh.corners), 2) for uv in mesh.uvs.values())


FIELDS: list[tuple[str, str, Any, int]] = [
    ("groups", "pivot", 0, GROUPS + 2),
    ("groups", "face_normal_count", 4, GROUPS + 4 * 8 + 6),
    ("points", "position", (3, 1), POINTS + 3 * 8 + 2),
    ("points", "group", 7, POINTS + 7 * 8 + 6),
    ("normals", "direction", (2, 2), NORMALS + 2 * 8 + 4),
    ("normals", "group", 10, NORMALS + 10 * 8 + 6),
    ("face_normals", "group", 1, FACE_NORMALS + 14),
    ("runs", "size", 1, chain2.run_starts()[1] + 4),
    ("lines", "type", 0, LINES),
    ("lines", "colour", 0, LINES + 2),
    ("spheres", "type", 1, SPHERES + 8),
    ("spheres", "radius", 0, SPHERES + 6),
    ("textures", "corner", 2, TEXTURES + 8),
]


@pytest.mark.parametrize(("table", "field", "where", "at"), FIELDS)
def test_a_changed_field_changes_its_own_bytes(table: str, field: str, where: Any, at: int) -> None:
    body = Lm2.parse(chain2.LM2)
    changed = getattr(body, table).copy()
    changed[field][where] = 0x1234
    data = dataclasses.replace(body, **{table: changed}).pack()
    assert data == chain2.LM2[:at] + b"\x34\x12" + chain2.LM2[at + 2 :]
    assert Lm2.parse(data).pack() == data


@pytest.mark.parametrize(("field", "at"), [("info", 0), ("polygon_count", 0x40)])
def test_a_changed_number(field: str, at: int) -> None:
    data = dataclasses.replace(Lm2.parse(chain2.LM2), **{field: 0x12345678}).pack()
    assert data == chain2.LM2[:at] + b"\x78\x56\x34\x12" + chain2.LM2[at + 4 :]


def test_every_word_of_the_polygons_is_a_field() -> None:
    body = Lm2.parse(chain2.LM2)
    for index in range(len(body.stream)):
        stream = body.stream.copy()
        stream[index] ^= 0x5A5A
        data = dataclasses.replace(body, stream=stream).pack()
        assert sum(one != other for one, other in zip(data, chain2.LM2, strict=True)) == 2


def test_recognised_by_content_and_told_from_lm1() -> None:
    for name in ("body.lm2", "body", "body.bin"):
        kept = formats.recognise(chain2.LM2[:4096], len(chain2.LM2), name)
        assert kept is not None
        assert kept.name == "LM2", name
    with pytest.raises(FormatError, match="LM2"):
        Lm1.parse(chain2.LM2)
    with pytest.raises(FormatError, match="this is an LBA1 body"):
        Lm2.parse(chain.LM1)
    with pytest.raises(FormatError, match="not an LBA2 body"):
        Lm2.parse(b"something else altogether" * 9)


@pytest.fixture
def mesh() -> Mesh:
    palette = Palette(np.arange(768, dtype=np.uint8).reshape(256, 3))
    texels = (np.arange(65536) * 7 % 251).astype(np.uint8).reshape(256, 256)
    changed = Body.of(Lm2.parse(chain2.LM2)).mesh(palette, TexturePage(texels))
    assert changed is not None
    return changed


def test_rest_places_are_those_of_the_same_body_in_the_first_game(mesh: Mesh) -> None:
    first = Body.of(Lm1.parse(chain.LM1))
    assert mesh.points.tolist() == first.rest_points.tolist()
    assert mesh.bones.tolist() == first.group_of.tolist()


def test_colours_and_shading(mesh: Mesh) -> None:
    reported = [(mesh.materials[index].name, mesh.materials[index].shading) for index in mesh.material_of.tolist()]
    assert reported == [
        ("LBA2 0:20", "UNLIT"),
        ("LBA2 1:36", "FLAT"),
        ("LBA2 1:37", "FLAT"),
        ("LBA2 4:52", "SMOOTH"),
        ("LBA2 2:99", "UNLIT"),
        ("LBA2 10 texture 2010 0F1F", "SMOOTH"),
        ("LBA2 12 texture 0000 0707 holes", "UNLIT"),
        ("LBA2 17 texture 0000 FFFF", "FLAT"),
        ("LBA2 9 texture 2010 0F1F", "FLAT"),
        ("LBA2 10 texture 0000 FFFF", "SMOOTH"),
    ]
    by_name = {material.name: material for material in mesh.materials}
    assert by_name["LBA2 0:20"].ramp == ((60 / 255, 61 / 255, 62 / 255),)
    assert len(by_name["LBA2 1:36"].ramp) == 12
    assert by_name["LBA2 2:99"].alpha == 0.5
    assert [line.points for line in mesh.lines] == [(6, 9)]
    spheres = [(sphere.point, sphere.radius, mesh.materials[sphere.material].alpha) for sphere in mesh.spheres]
    assert spheres == [(10, 25.0, 1.0), (9, 12.0, 0.5)]
    smooth = np.repeat([mesh.materials[index].shading == "SMOOTH" for index in mesh.material_of], mesh.counts)
    assert mesh.normals[smooth].tolist() == [[0, 0, 0x4000]] * int(smooth.sum())
    assert not mesh.normals[~smooth].any()


@pytest.mark.parametrize(("face", "corner", "region", "masks"), [(5, 0, 0x2010, (31, 15)), (6, 0, 0, (7, 7)), (7, 0, 0, (255, 255))])
def test_a_texture_shows_what_the_engine_looks_up(mesh: Mesh, face: int, corner: int, region: int, masks: tuple[int, int]) -> None:
    """At the corners and all over the face: page[corner + ((v >> 8) & mask) * 256 + ((u >> 8) & mask)]."""
    fixed = Lm2.parse(chain2.LM2).faces.uv[face]
    first = int(mesh.starts[face])
    image = mesh.materials[mesh.material_of[face]].image
    assert image is not None
    assert not image.smooth
    height, width = image.pixels.shape[:2]
    assert (width, height) == (masks[0] + 1, masks[1] + 1)
    shares = np.random.default_rng(face).dirichlet(np.ones(3), 200)
    shares = np.concatenate([np.eye(3), shares])
    uv = shares @ mesh.uvs["UVMap"][first : first + 3]
    u, v = np.floor(shares @ (fixed[:3] + 0.5) / 256).astype(int).T
    texel = (np.arange(65536) * 7 % 251)[(region + (v & masks[1]) * 256 + (u & masks[0])) % 65536]
    column, row = np.floor(uv[:, 0] % 1 * width).astype(int), np.floor((1 - uv[:, 1]) % 1 * height).astype(int)
    sampled = image.pixels[row % height, column % width]
    assert (sampled[:, 0] == texel * 3 % 256).all()
    assert (sampled[:, 3] == np.where((texel == 0) & (mesh.materials[mesh.material_of[face]].blend == "CLIP"), 0, 255)).all()


def test_environment_maps_as_from_the_front(mesh: Mesh) -> None:
    """u = ((nx + 0x4000) * sx) >> 4 in 8.8 texels; here n = (0, 0, 0x4000)."""
    first = int(mesh.starts[9])
    u = 0x4000 * 0x08 // 16 / 256
    v = 0x4000 * 0x10 // 16 / 256
    assert mesh.uvs["UVMap"][first] == pytest.approx((u / 256, 1 - v / 256), abs=1e-4)


def test_masks_that_are_no_powers_of_two() -> None:
    page = TexturePage(np.arange(65536).astype("<u2").view("u1")[::2].reshape(256, 256))
    region = page.region(0x0105, 0b101, 0b010)
    assert region.shape == (4, 8)
    assert region[0].tolist() == [5, 6, 5, 6, 9, 10, 9, 10]


def test_texels_in_colours() -> None:
    """Red, green, blue and how opaque: all are, but texel 0 where it is a hole."""
    palette, page = Palette(np.arange(768).astype("u1").reshape(256, 3)), TexturePage(np.arange(65536).astype("u1").reshape(256, 256))
    for holes, first in ((False, 255), (True, 0)):
        assert page.pixels(palette, 0, 1, 0, holes).tolist() == [[[0, 1, 2, first], [3, 4, 5, 255]]]


def test_a_texture_page_is_its_bytes() -> None:
    data = bytes(range(256)) * 256
    assert TexturePage.parse(data).pack() == data
    with pytest.raises(FormatError, match="65535 bytes"):
        TexturePage.parse(data[1:])


def test_triangles_have_their_first_texture_coordinates_again() -> None:
    """As their fourth corner is their first one."""
    faces = Lm2.parse(chain2.LM2).faces
    mapped = ~faces.quad & faces.uv.any(axis=(1, 2))
    assert mapped.tolist() == [False] * 5 + [True] + [False] * 4
    assert faces.uv[5, 3].tolist() == [0x0000, 0x0080] and faces.corners[5, 3] == faces.corners[5, 0]
