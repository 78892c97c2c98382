"""Meshes written: a changed number changes its bytes alone in both forms; a new text holds every triangle within the limits of packets."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from retro_anim.core.oni2.files.mesh.mod import Mod
from retro_anim.core.oni2.files.mesh.mod_write import Triangles, _packets, can_patch, model_of, patched, text_of
from retro_anim.core.oni2.files.mesh.model import Surface
from retro_anim.core.reporting.errors import ExportError

from .test_mod import TEXT, binary


def test_one_number_of_a_binary_changes_four_bytes() -> None:
    before = Mod.parse(binary())
    vertices, uvs = before.model.vertices.copy(), before.model.coordinates.copy()
    vertices[3, 1], uvs[0, 0] = 2.5, 0.125
    after = patched(before, before.model, replace(before.model, vertices=vertices, coordinates=uvs))
    starts = [58 + 12 * 3 + 4, 58 + 12 * 5 + 12 + 16]
    different = [index for index, (old, new) in enumerate(zip(binary(), after, strict=True)) if old != new]
    assert all(any(start <= index < start + 4 for start in starts) for index in different)
    assert [np.frombuffer(after, "<f4", 1, start)[0] for start in starts] == [2.5, 0.125]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_one_number_of_a_text_changes_its_item(end: str) -> None:
    text = TEXT.replace("\n", end)
    before = Mod.parse(text.encode())
    vertices, uvs = before.model.vertices.copy(), before.model.coordinates.copy()
    vertices[4, 2], vertices[3, 0], uvs[0, 1] = 0.75, -0.1, 1 / 3
    vertices[1] = [2, 3, 4]
    after = patched(before, before.model, replace(before.model, vertices=vertices, coordinates=uvs)).decode()
    text = text.replace("v\t1 0 0", "v\t2 3 4")
    assert after == text.replace("v 0 0 .5e0", "v 0 0 0.75").replace("v 0 1 0", "v -0.1 1 0").replace("t1 0.25 0.75", "t1 0.25 0.33333334")


@pytest.mark.parametrize(
    ("index", "changes", "fits"),
    [
        (0, {}, True),
        (0, {"name": "cloth", "texture": "new_skin"}, True),
        (0, {"texture": "a"}, True),
        (0, {"texture": "a" * 8}, True),
        (0, {"texture": "a" * 9}, False),
        (0, {"texture": ""}, False),
        (0, {"name": "two words"}, False),
        (1, {"diffuse": (1.0, 0.0, 0.0)}, True),
        (1, {"texture": "a"}, False),  # which has none
    ],
)
def test_what_a_binary_has_room_for(index: int, changes: dict, fits: bool) -> None:
    mod = Mod.parse(binary())
    before = mod.model.surfaces[index]
    after = replace(before, **changes)
    assert can_patch(mod, before, after, index) == fits
    if fits:
        surfaces = [after if number == index else surface for number, surface in enumerate(mod.model.surfaces)]
        again = Mod.parse(patched(mod, mod.model, replace(mod.model, surfaces=tuple(surfaces))))
        assert list(again.model.surfaces) == surfaces


def read(text: str, heads: np.ndarray) -> list[tuple]:
    """Every triangle as its material and, for each corner, position in character space, bone, normal and texture coordinate."""
    tables: dict[str, list[list[float]]] = {"v": [], "n": [], "c": [], "t1": []}
    owners: list[str] = []
    faces: list[tuple] = []
    material, adjuncts, triangles, packet = "", list[list[int]](), list[list[int]](), 0
    for line in text.splitlines():
        items = line.split()
        match items[:1]:
            case [("v" | "n" | "c" | "t1") as name]:
                tables[name].append([float(item) for item in items[1:]])
            case ["mtl"]:
                material = items[1]
            case ["packets:"]:
                owners += [material] * int(items[1])
            case ["packet"]:
                adjuncts, triangles, counts = [], [], [int(item) for item in items[1:4]]
                assert counts[0] <= 255 and counts[2] <= 8
            case ["adj"]:
                adjuncts.append([int(item) for item in items[1:]])
            case ["tri"]:
                triangles.append([int(item) for item in items[1:]])
            case ["mtx"]:
                bones = [int(item) for item in items[1:]]
                for triangle in triangles:
                    corners = [adjuncts[index] for index in triangle]
                    rows = [(tables["v"][c[0]] + heads[bones[c[5]]], bones[c[5]], tables["n"][c[1]], tables["t1"][c[3]]) for c in corners]
                    faces.append((owners[packet], rows))
                packet += 1
            case ["mtxv"]:
                assert sum(map(int, items[1:])) == len(tables["v"]) and len(items) == len(heads) + 1
    return faces


@settings(max_examples=15)
@given(seed=st.integers(0, 2**32 - 1), points=st.integers(3, 300), bones=st.integers(1, 40))
def test_random_meshes_are_read_as_they_were(seed: int, points: int, bones: int) -> None:
    random = np.random.default_rng(seed)
    heads = random.uniform(-2, 2, (bones, 3))
    corners = np.array([random.choice(points, 3, replace=False) for _ in range(points)])
    mesh = Triangles(
        random.uniform(-3, 3, (points, 3)), random.integers(0, bones, points), corners,
        random.uniform(-1, 1, (points, 3, 3)), random.uniform(0, 1, (points, 3, 2)), None, random.integers(0, 2, points),
    )  # fmt: skip
    model = model_of(mesh, heads, [Surface("one two", 0, (0.5, 0.25, 0.125), "skin"), Surface("b", 0, (1, 1, 1), "")])
    text = text_of(model, bones)
    assert Mod.parse(text).model.bone_count == int(mesh.bones[corners].max()) + 1
    faces = read(text.decode(), heads)
    order = np.argsort(mesh.materials, kind="stable")
    assert [material for material, _ in faces] == [("one_two", "b")[index] for index in mesh.materials[order]]
    assert mesh.uvs is not None
    for (_, rows), face in zip(faces, order, strict=True):
        wanted = corners[face]
        np.testing.assert_allclose([row[0] for row in rows], mesh.points[wanted], atol=1e-5)
        assert [row[1] for row in rows] == mesh.bones[wanted].tolist()
        np.testing.assert_allclose([row[2] for row in rows], mesh.normals[face], atol=1e-5)
        np.testing.assert_allclose([row[3] for row in rows], mesh.uvs[face] * [1, -1] + [0, 1], atol=1e-5)


WRITTEN = """\
version: 1.10
verts: 4
normals: 2
colors: 2
tex1s: 4
tex2s: 0
tangents: 0
materials: 2
adjuncts: 6
primitives: 3
matrices: 3
reskins: 0

v\t0\t0\t0
v\t1\t0\t0
v\t0\t1\t0
v\t0\t0\t9

n\t0\t0\t1
n\t1\t0\t0

c\t1\t0.5\t0\t1
c\t1\t1\t1\t1

t1\t0\t0
t1\t0\t1
t1\t0.5\t0.75
t1\t1\t1

mtl b_c {
\tpackets:\t1
\tprimitives:\t1
\ttextures:\t0
\tillum:\tdiffuse
\tambient:\t0 0 0
\tdiffuse:\t1 1 1
\tspecular:\t0 0 0
}

mtl skin {
\tpackets:\t1
\tprimitives:\t2
\ttextures:\t1
\tillum:\tdiffuse
\tambient:\t0 0 0
\tdiffuse:\t0.5 0.25 0.33333334
\tspecular:\t0 0 0
\ttexture:\t0 "kno_skin"
}

packet 3 1 2 {
\tadj\t2\t0\t1\t0\t-1\t0
\tadj\t1\t0\t1\t3\t-1\t0
\tadj\t3\t1\t0\t2\t-1\t1
\ttri\t0\t1\t2
\tmtx 1 2
}

packet 3 2 1 {
\tadj\t0\t0\t1\t1\t-1\t0
\tadj\t1\t0\t1\t3\t-1\t0
\tadj\t2\t0\t1\t0\t-1\t0
\ttri\t0\t1\t2
\ttri\t2\t1\t0
\tmtx 1
}

mtxv 0 3 1
mtxn 0 1 1
"""


def test_a_whole_text() -> None:
    """Four of five points are used: three on bone 1, relative to it, in a triangle that is there from both sides; one on bone 2, in the
    triangle of the first material."""
    points = np.array([[0, 0, 9], [1, 2, 3], [2, 2, 3], [1, 3, 3], [5, 5, 5]], float)
    mesh = Triangles(
        points, np.array([2, 1, 1, 1, 0]), np.array([[1, 2, 3], [3, 2, 0], [3, 2, 1]]),
        np.array([[[0, 0, 1]] * 3, [[0, 0, 1], [0, -0.0, 1], [1, 0, 0]], [[0, 0, 1]] * 3]),
        np.array([[[0, 0], [1, 0], [0, 1]], [[0, 1], [1, 0], [0.5, 0.25]], [[0, 1], [1, 0], [0, 0]]]),
        np.array([[[1, 1, 1, 1]] * 3, [[1, 1, 1, 1], [1, 1, 1, 1], [1, 0.5, 0, 1]], [[1, 1, 1, 1]] * 3]), np.array([1, 0, 1]),
    )  # fmt: skip
    surfaces = [Surface("b { c", 7, (1, 1, 1), ""), Surface("skin", 3, (0.5, 0.25, 1 / 3), "kno_skin")]
    model = model_of(mesh, np.array([[0, 0, 0], [1, 2, 3], [0, 0, 0]], float), surfaces)
    assert text_of(model, 3).decode() == WRITTEN
    bare = text_of(model_of(replace(mesh, uvs=None, colours=None), np.zeros((3, 3)), surfaces), 3).decode()
    assert "colors: 0\ntex1s: 0\n" in bare and "\nc\t" not in bare and "\nt1\t" not in bare
    assert "\tadj\t3\t1\t-1\t-1\t-1\t1\n" in bare and "\nmtxv 0 3 1\n" in bare and "\n\n\n" not in bare
    assert model_of(replace(mesh, colours=None), np.zeros((3, 3)), surfaces).colours.shape == (0, 4)
    nameless = text_of(model_of(mesh, np.zeros((3, 3)), [replace(each, name="") for each in surfaces]), 3).decode()
    assert nameless.count("mtl material {\n") == 2


@pytest.mark.parametrize(("columns", "most"), [((0,), 255), ((0, 5), 8)])
def test_a_packet_is_filled_to_its_limits(columns: tuple[int, ...], most: int) -> None:
    """255 adjuncts and 8 bones are room enough, one more are not; what was in one packet is there again in the next that needs it."""
    corners = np.zeros((most + 1, 6), np.int64)
    corners[:, columns] = np.arange(most + 1)[:, None]
    order = np.array([[0, at, at + 1] for at in range(1, most)])
    (whole,) = _packets(corners[order[: most - 2]])
    assert (len(whole.adjuncts), len(whole.matrices)) == (most, most if 5 in columns else 1)
    first, second = _packets(corners[order])
    assert (len(first.adjuncts), len(first.triangles), len(second.triangles)) == (most, most - 2, 1)
    assert second.triangles.tolist() == [[0, 1, 2]] and second.adjuncts[:, 0].tolist() == [0, most - 1, most]


@pytest.mark.parametrize(
    ("index", "changes", "fits"),
    [
        (0, {}, True),
        (0, {"name": "cloth", "texture": "new skin"}, True),
        (0, {"texture": ""}, False),
        (0, {"texture": 'a"b'}, False),
        (0, {"name": ""}, False),
        (0, {"name": "two words"}, False),
        (0, {"name": "brace{"}, False),
        (0, {"name": 'a"b'}, False),
        (1, {"name": "fur"}, True),
        (1, {"name": "fur", "diffuse": (1.0, 0.0, 0.0)}, False),  # which has no line for it
        (1, {"texture": "a"}, False),
    ],
)
def test_what_a_text_has_room_for(index: int, changes: dict, fits: bool) -> None:
    mod = Mod.parse(TEXT.encode())
    after = replace(mod.model.surfaces[index], **changes)
    assert can_patch(mod, mod.model.surfaces[index], after, index) == fits
    if fits:
        surfaces = [after if number == index else surface for number, surface in enumerate(mod.model.surfaces)]
        again = Mod.parse(patched(mod, mod.model, replace(mod.model, surfaces=tuple(surfaces))))
        assert list(again.model.surfaces) == surfaces


def test_a_texture_without_a_name_has_no_room_for_one() -> None:
    mod = Mod.parse(TEXT.replace('texture: 0 "kno_skin"', "texture: 0").encode())
    first = mod.model.surfaces[0]
    assert first.texture == "" and not can_patch(mod, first, replace(first, texture="a"), 0)


def test_all_that_is_edited_of_both_materials_of_a_binary() -> None:
    """Names of other lengths move what stands behind them."""
    mod = Mod.parse(binary())
    first, second = mod.model.surfaces
    surfaces = (
        replace(first, name="s", texture="a", diffuse=(1.0, 0.0, 0.25)),
        replace(second, name="a_longer_name", diffuse=(0.0, 1.0, 0.5)),
    )
    after = patched(mod, mod.model, replace(mod.model, surfaces=surfaces))
    assert Mod.parse(after).model.surfaces == surfaces
    assert len(after) == len(binary()) - 3 + 9 and after.count(b"a\0\0\0\0\0\0\0") == 1
    kept = replace(first, diffuse=(0.5, 0.25, 0.5))
    changed = patched(mod, mod.model, replace(mod.model, surfaces=(kept, second)))
    assert sum(one != other for one, other in zip(changed, binary(), strict=True)) <= 4


@pytest.mark.parametrize("changes", [{"name": "two words"}, {"name": "a\0"}, {"name": ""}, {"name": "\xe9"}, {"texture": "\xe9"}])
def test_what_a_binary_cannot_hold(changes: dict) -> None:
    mod = Mod.parse(binary())
    assert not can_patch(mod, mod.model.surfaces[0], replace(mod.model.surfaces[0], **changes), 0)


def test_an_edited_line_of_a_text_keeps_all_else_of_it() -> None:
    """Blanks, a name that is also in its keyword, numbers that stay as somebody wrote them, and what stands behind."""
    text = TEXT.replace("mtl skin {", 'mtl\t "t"  {').replace("\tdiffuse: 0.5 0.25 1", "\tdiffuse:\t0.50  .25 1.000 // red")
    text = text.replace('0 "kno_skin"', '0  "kno skin"')
    mod = Mod.parse(text.encode())
    first = mod.model.surfaces[0]
    assert (first.name, first.texture) == ("t", "kno skin")
    after = replace(first, name="cloth", texture="x", diffuse=(first.diffuse[0], 0.125, first.diffuse[2]))
    written = patched(mod, mod.model, replace(mod.model, surfaces=(after, *mod.model.surfaces[1:]))).decode()
    expected = text.replace('"t"', '"cloth"').replace(".25 1.000", "0.125 1.000").replace('"kno skin"', '"x"')
    assert written == expected


def test_what_a_text_cannot_hold() -> None:
    one = Triangles(np.eye(3), np.zeros(3, int), np.array([[0, 1, 2]]), np.ones((1, 3, 3)), None, None, np.zeros(1, int))
    with pytest.raises(ExportError, match="256 materials; the game has room for 255"):
        model_of(one, np.zeros((1, 3)), [Surface("x", 0, (1, 1, 1), "")] * 256)
    assert len(model_of(one, np.zeros((1, 3)), [Surface("x", 0, (1, 1, 1), "")] * 255).surfaces) == 255
    with pytest.raises(ExportError, match="characters that the file cannot hold"):
        text_of(model_of(one, np.zeros((1, 3)), [Surface("\u6c34", 0, (1, 1, 1), "")]), 1)
    mod = Mod.parse(TEXT.encode())
    surfaces = (replace(mod.model.surfaces[0], name="\u6c34"), *mod.model.surfaces[1:])
    with pytest.raises(ExportError, match="a material's name or texture has characters that the file cannot hold: '\u6c34'"):
        patched(mod, mod.model, replace(mod.model, surfaces=surfaces))


def test_triangles_are_in_one_packet_as_long_as_there_is_room() -> None:
    """Two of four corners, on one bone, the seventh."""
    corners = np.zeros((4, 6), np.int64)
    corners[:, 0], corners[:, 5] = np.arange(4), 7
    (packet,) = _packets(corners[[[0, 1, 2], [0, 2, 3]]])
    assert packet.triangles.tolist() == [[0, 1, 2], [0, 2, 3]]
    assert (packet.matrices.tolist(), packet.adjuncts[:, 0].tolist()) == ([7], [0, 1, 2, 3])


@pytest.mark.parametrize(
    ("changes", "old", "new"),
    [
        ({"texture": "new_skin"}, '"kno_skin"', '"new_skin"'),
        ({"name": "cloth"}, "mtl skin", "mtl cloth"),
        ({"diffuse": (0.75, 0.25, 1.0)}, "diffuse: 0.5 0.25 1", "diffuse: 0.75 0.25 1"),
    ],
)
def test_what_of_a_surface_is_edited_in_a_text_changes_there_alone(changes: dict, old: str, new: str) -> None:
    before = Mod.parse(TEXT.encode())
    surfaces = (replace(before.model.surfaces[0], **changes), *before.model.surfaces[1:])
    assert patched(before, before.model, replace(before.model, surfaces=surfaces)).decode() == TEXT.replace(old, new)
