"""Meshes written: a changed number changes its bytes alone in both forms; a new text holds every triangle within the limits of packets."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from retro_anim.core.files.binary import Reader
from retro_anim.core.oni2.files.mesh.mod import Mod
from retro_anim.core.oni2.files.mesh.mod_binary import _bounded
from retro_anim.core.oni2.files.mesh.mod_write import Triangles, _packets, can_patch, model_of, patched, text_of
from retro_anim.core.oni2.files.mesh.model import Surface
from retro_anim.core.reporting.errors import ExportError, FormatError

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
    after = patched(before, before.model, replace(before.model, vertices=vertices, coordinates=uvs)).decode()
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


def test_what_a_text_cannot_hold() -> None:
    one = Triangles(np.eye(3), np.zeros(3, int), np.array([[0, 1, 2]]), np.ones((1, 3, 3)), None, None, np.zeros(1, int))
    with pytest.raises(ExportError, match="256 materials; the game has room for 255"):
        model_of(one, np.zeros((1, 3)), [Surface("x", 0, (1, 1, 1), "")] * 256)
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


@pytest.mark.parametrize(("size", "most"), [(15, 1), (31, 2), (32, 3), (159, 10)])
def test_no_more_records_are_looked_for_than_there_may_be(size: int, most: int) -> None:
    """Of 16 bytes at least, but for one that may have begun."""
    assert _bounded(most, Reader(bytes(size)), "packets") == range(most)
    with pytest.raises(FormatError, match=f"{most + 1} packets in {size} bytes"):
        _bounded(most + 1, Reader(bytes(size)), "packets")
