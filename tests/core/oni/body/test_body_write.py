"""Edited bodies: what changes in the file, as a reader of its own sees it, and nothing else."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from retro_anim.core.oni.body.body import Body
from retro_anim.core.oni.body.body_file import body_file
from retro_anim.core.oni.body.body_read import Original, body_of
from retro_anim.core.oni.body.body_write import edited_file
from retro_anim.core.oni.body.closure import own_file
from retro_anim.core.oni.body.drawn import Drawn
from retro_anim.core.oni.body.geometry import Piece
from retro_anim.core.oni.body.instances import Instances
from retro_anim.core.oni.body.mannequin import mannequin
from retro_anim.core.oni.files.library import Instance, Library
from retro_anim.core.oni.files.onifile import OniFile
from retro_anim.core.oni.game import BodyOptions
from retro_anim.core.oni.records.body_records import BodyLayout
from retro_anim.core.reporting import log
from retro_anim.core.reporting.errors import ExportError
from support.oni.oni_bodies import read


def opened(data: bytes) -> tuple[OniFile, Body]:
    file = OniFile.parse(data)
    return file, body_of(Instance(file, "", 0), 4, Library())


def as_drawn(piece: Piece | None) -> Drawn | None:
    """As somebody sees it who did nothing."""
    if piece is None:
        return None
    corners = piece.triangles
    faces, points = np.arange(len(corners)), np.arange(len(piece.points))
    return Drawn(piece.points.copy(), points, corners.copy(), faces, piece.normals[corners], piece.uvs[corners])


def written(file: OniFile, body: Body, change: Callable[[list[Any]], None], **options: Any) -> bytes:
    drawn = [as_drawn(piece) for piece in body.pieces]
    change(drawn)
    return edited_file(Original(file), drawn, body.offsets, options=BodyOptions(**options)).pack()


def different(one: bytes, other: bytes) -> list[int]:
    """The offsets of bytes that differ, of files as large."""
    assert len(one) == len(other)
    return np.flatnonzero(np.frombuffer(one, "u1") != np.frombuffer(other, "u1")).tolist()


@pytest.fixture
def source(game_file: Callable[[str], Path]) -> bytes:
    return game_file("oni/instances/TRBSTESTbody.oni").read_bytes()


def test_the_reader_of_its_own_reads_the_given_body(source: bytes) -> None:
    body, own = opened(source)[1], read(source)
    for piece, bone in zip(body.pieces, own.bones, strict=True):
        assert piece is not None
        assert np.array_equal(bone.points, piece.points.astype(np.float32))
        assert np.array_equal(bone.triangles, piece.triangles)
    assert np.allclose(own.offsets, body.offsets)


def test_unedited_is_the_same_file(source: bytes) -> None:
    assert written(*opened(source), lambda drawn: None) == source


def test_one_vertex_changes_its_bytes(source: bytes) -> None:
    """Three floats, those of the faces around it, and the box and sphere if it was an end of them."""
    file, body = opened(source)

    def move(drawn: list[Any]) -> None:
        drawn[10].positions[2] += (0.0, 0.0, 0.01)

    result = written(file, body, move)
    before, after = read(source), read(result)
    for index, (old, new) in enumerate(zip(before.bones, after.bones, strict=True)):
        if index != 10:
            assert (old.points.tobytes(), old.normals.tobytes(), old.faces.tobytes()) == (
                new.points.tobytes(),
                new.normals.tobytes(),
                new.faces.tobytes(),
            )
    old, new = before.bones[10], after.bones[10]
    assert np.flatnonzero((old.points != new.points).any(axis=1)).tolist() == [2]
    assert new.points[2] == pytest.approx(old.points[2] + [0, 0, 0.01], abs=1e-6)
    assert (old.strips, old.uvs.tobytes(), old.normals.tobytes()) == (new.strips, new.uvs.tobytes(), new.normals.tobytes())
    touched = (new.triangles == 2).any(axis=1)
    assert (old.faces[~touched] == new.faces[~touched]).all()
    one, two, three = (new.points[new.triangles[touched]][:, corner] for corner in range(3))
    cross = np.cross(two - one, three - one)
    assert np.allclose(new.faces[touched], cross / np.linalg.norm(cross, axis=1, keepdims=True), atol=1e-5)
    assert new.box.tolist() == [new.points.min(axis=0).tolist(), new.points.max(axis=0).tolist()]
    inside = {at for first, last in after.where(10) for at in range(first, last)}
    assert set(different(source, result)) <= inside


def test_one_coordinate_of_the_texture_changes_its_bytes(source: bytes) -> None:
    file, body = opened(source)

    def move(drawn: list[Any]) -> None:
        uvs = drawn[3].uvs
        drawn[3] = replace(drawn[3], uvs=np.where((drawn[3].triangles == 1)[..., None], [0.125, 0.75], uvs))

    result = written(file, body, move)
    after = read(result)
    assert after.bones[3].uvs[1].tolist() == [0.125, 0.75]
    assert len(different(source, result)) <= 8


def test_a_corner_of_the_texture_leaves_all_normals(source: bytes) -> None:
    """Its point is one more, at the vertex where the file's is: no face looks elsewhere, not even by a rounding."""
    file, body = opened(source)

    def move(drawn: list[Any]) -> None:
        drawn[3].uvs[1, 1] += 0.25

    before, after = read(source).bones[3], read(written(file, body, move)).bones[3]
    assert len(after.points) == len(before.points) + 1
    assert after.faces.tobytes() == before.faces.tobytes()


def test_a_joint_moves_in_its_own_numbers(source: bytes) -> None:
    file, body = opened(source)
    offsets = body.offsets.copy()
    offsets[13] += (0.5, 0, 0)
    result = edited_file(Original(file), [as_drawn(piece) for piece in body.pieces], offsets).pack()
    assert read(result).offsets[13] == pytest.approx(offsets[13])
    assert len(different(source, result)) <= 4


def test_a_point_more(source: bytes) -> None:
    """A triangle is split: the other points keep their numbers and bits, the other bones everything."""
    file, body = opened(source)

    def split(drawn: list[Any]) -> None:
        own = drawn[5]
        a, b, c = own.triangles[0].tolist()
        middle = len(own.positions)
        triangles = np.concatenate([[[a, b, middle], [b, c, middle], [c, a, middle]], own.triangles[1:]])
        numbers = np.concatenate([[-1, -1, -1], own.face_numbers[1:]])
        old = body.pieces[5]
        normals = np.concatenate([old.normals, [[1.0, 0, 0]]])[triangles]
        uvs = np.concatenate([old.uvs, [[0.5, 0.5]]])[triangles]
        positions = np.concatenate([own.positions, own.positions[[a, b, c]].mean(axis=0, keepdims=True)])
        drawn[5] = Drawn(positions, np.append(own.numbers, -1), triangles, numbers, normals, uvs)

    after, before = read(written(file, body, split)), read(source)
    old, new = before.bones[5], after.bones[5]
    assert len(new.points) == len(old.points) + 1
    assert new.points[:-1].tobytes() == old.points.tobytes()
    assert len(new.triangles) == len(old.triangles) + 2
    for index in (4, 6, 18):
        assert after.bones[index].points.tobytes() == before.bones[index].points.tobytes()
        assert after.bones[index].strips == before.bones[index].strips


def rooms(data: bytes) -> set[int]:
    """Bytes behind the texture coordinates of each mesh."""
    start, (count,) = int.from_bytes(data[0x20:0x24], "little"), struct.unpack_from("<I", data, 0x14)
    sizes = set[int]()
    for index in range(count):
        tag, at, _, size, _ = struct.unpack_from("<4s4I", data, 0x40 + 20 * index)
        if tag == b"ACXT":
            sizes.add(size - 8 - 24 - 8 * int.from_bytes(data[start + at + 20 : start + at + 24], "little"))
    return sizes


def test_the_room_behind_texture_coordinates_stays(source: bytes) -> None:
    """The given file, which OniSplit wrote, has 480 bytes there: so has one with other coordinates, and a new one."""
    assert rooms(source) == {480}
    file, body = opened(source)

    def fewer(drawn: list[Any]) -> None:
        drawn[3] = replace(
            drawn[3],
            triangles=drawn[3].triangles[:2],
            face_numbers=drawn[3].face_numbers[:2],
            normals=drawn[3].normals[:2],
            uvs=drawn[3].uvs[:2],
        )

    assert rooms(written(file, body, fewer)) == {480}
    assert rooms(body_file(mannequin(), "TRBSnew").pack()) == {480}


def test_more_points_than_onisplit_takes_is_said(source: bytes) -> None:
    file, body = opened(source)

    def many(drawn: list[Any], faces: int) -> None:
        corners = np.arange(3 * faces).reshape(-1, 3)
        positions = np.random.default_rng(1).normal(size=(3 * faces, 3))
        normals = np.tile([0.0, 0, 1], (faces, 3, 1))
        drawn[3] = Drawn(positions, np.full(3 * faces, -1), corners, np.full(faces, -1), normals, np.zeros((faces, 3, 2)))

    for faces, lines in ((682, 0), (683, 1)):
        with log.collect() as said:
            written(file, body, lambda drawn, faces=faces: many(drawn, faces))
        assert sum("2048" in message.text for message in said.messages) == lines
    with pytest.raises(ExportError, match="32769 points"):
        written(file, body, lambda drawn: many(drawn, 10923))


def test_a_bone_loses_its_mesh_and_another_gets_one(source: bytes) -> None:
    file, body = opened(source)

    def swap(drawn: list[Any]) -> None:
        drawn[18] = None

    result = written(file, body, swap)
    after = read(result)
    assert np.ptp(after.bones[18].points, axis=0).max() < 2e-3, "a mesh for OniSplit, which reads one of each bone, that nobody sees"
    assert len(after.bones[18].triangles) == 1
    assert len(result) < len(source)
    file, body = opened(result)
    block = as_drawn(mannequin().pieces[10])
    assert block is not None
    new = replace(block, numbers=np.full(24, -1), face_numbers=np.full(12, -1), texture="TXMPown")

    def put(drawn: list[Any]) -> None:
        drawn[18] = new

    again = opened(written(file, body, put))[1].pieces[18]
    assert again is not None
    assert again.texture == "TXMPown"
    assert len(again.triangles) == 12


def test_all_levels_of_detail() -> None:
    """Five of them of which the first is another: it stays, and is named; or becomes this one, and is gone."""
    levels = _with_a_coarse_level()
    file, body = opened(levels)

    def move(drawn: list[Any]) -> None:
        drawn[0].positions[0] += (0.25, 0, 0)

    with log.collect() as said:
        one = written(file, body, move)
    assert "the other 1 levels of detail stay as they are" in said.digest("WARNING")[0]
    assert len(read(one).levels) == 2
    assert read(one, 0).bones[0].points.tobytes() == read(levels, 0).bones[0].points.tobytes()
    every = written(file, body, move, every_detail=True)
    assert len(read(every).levels) == 1
    assert read(every, 0).bones[0].points.tobytes() == read(one).bones[0].points.tobytes() != read(levels).bones[0].points.tobytes()
    assert len(every) < len(one)


def _with_a_coarse_level() -> bytes:
    """The mannequin, whose lowest level of detail lacks the arms."""
    fine = Instances(OniFile.parse(body_file(mannequin(), "TRBSours").pack()))
    coarse = body_file(replace(mannequin(), pieces=[*mannequin().pieces[:11], *[None] * 8]), "TRBScoarse")
    number = {index: fine.add(coarse.tag(index), coarse.bytes_of(index)[8:]) for index in range(1, len(coarse))}
    for new in number.values():
        for at in BodyLayout(fine.tag(new)).links(fine.body(new)):
            old = int.from_bytes(fine.body(new)[at : at + 4], "little")
            if old:
                fine.lead(new, at, number[old >> 8])
    fine.lead(0, 0, number[1])
    return fine.packed().pack()


def test_a_body_out_of_a_level_is_the_given_one(game_file: Callable[[str], Path], source: bytes) -> None:
    """The level was packed from these files by an independent program, which makes one of parts that are alike."""
    library = Library()
    inside = library.at(f"{game_file('oni/level/level1_Final.dat')}#TRBSTESTbody")
    data = own_file(inside).pack()
    one, other = read(data), read(source)
    assert one.name == other.name == "TRBSTESTbody"
    for left, right in zip(one.bones, other.bones, strict=True):
        assert left.points.tobytes() == right.points.tobytes()
        assert left.strips == right.strips
    file, body = opened(data)
    assert written(file, body, lambda drawn: None) == data

    def move(drawn: list[Any]) -> None:
        drawn[2].positions[0] += (0.0, 0.5, 0)

    moved = read(written(file, body, move))
    assert [index for index in range(19) if moved.bones[index].points.tobytes() != one.bones[index].points.tobytes()] == [2]


@settings(max_examples=25)
@given(st.integers(0, 2**32 - 1))
def test_random_meshes_come_back(seed: int) -> None:
    """Any triangles on any points, with seams and hard edges, in place of a body's own: each corner is where and as it was."""
    rng = np.random.default_rng(seed)
    file, body = opened(body_file(mannequin(), "TRBSours").pack())
    drawn: list[Any] = [as_drawn(piece) for piece in body.pieces]
    bone, count, faces = int(rng.integers(19)), int(rng.integers(3, 30)), int(rng.integers(1, 40))
    triangles = np.array([rng.choice(count, 3, replace=False) for _ in range(faces)])
    normals = rng.normal(size=(faces, 3, 3))
    normals /= np.linalg.norm(normals, axis=2, keepdims=True)
    normals[rng.random(faces) < 0.5] = (1.0, 0, 0)
    none = np.full(count, -1)
    drawn[bone] = Drawn(rng.normal(size=(count, 3)), none, triangles, np.full(faces, -1), normals, rng.random((faces, 3, 2)).round(1))
    after = read(edited_file(Original(file), drawn, body.offsets).pack()).bones[bone]
    assert after is not None
    assert len(after.triangles) == faces
    assert np.allclose(after.points[after.triangles], drawn[bone].positions[triangles], atol=1e-6)
    assert np.allclose(after.normals[after.triangles], normals, atol=2e-4)
    assert np.allclose(after.uvs[after.triangles], drawn[bone].uvs, atol=1e-4)
