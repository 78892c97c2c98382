"""The body file, field by field."""

from __future__ import annotations

import dataclasses
import struct
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from retro_anim.core.files.document import same
from retro_anim.core.lba.files.lm1 import Lm1, recognise
from retro_anim.core.reporting import log
from retro_anim.core.reporting.errors import FormatError
from support.lba import lba1_chain as chain

from ..strategies import lm1s


def test_the_fields_of_a_file_written_by_hand() -> None:
    body = Lm1.parse(chain.LM1)
    assert body.groups is not None
    assert (body.flags, body.info_size, body.info, body.tail, body.rest) == (3, 10, bytes(10), 0, b"")
    assert body.box.tolist() == [-150, 150, 0, 400, -50, 350]
    assert body.points[:5].tolist() == [[0, 0, 0], [0, 100, 0], [0, 0, 0], [50, 200, 0], [-50, 200, 0]]
    assert body.points[10].tolist() == [0, -80, 40]
    assert (body.groups["first_point"] // 6).tolist() == [0, 2, 5, 7, 9]
    assert body.groups["point_count"].tolist() == [2, 3, 2, 2, 2]
    assert body.groups["parent"].tolist() == [-1, 0, 38, 38, 76]
    assert (body.groups["pivot"] // 6).tolist() == [0, 1, 3, 4, 6]
    assert (body.groups["first_normal"] // 8).tolist() == [0, 0, 1, 1, 1]
    assert body.groups["normal_count"].tolist() == [0, 1, 0, 0, 0]
    assert body.normals["direction"].tolist() == [[0, 0, 64]]
    assert body.normals["range"].tolist() == [256]
    assert body.polygons.tolist() == [(0, 3, 20, 0), (7, 3, 36, 0), (9, 4, 52, 0)]
    assert body.stream.tolist() == [0, 12, 18, 0, 12, 18, 24, 0, 18, 0, 36, 0, 48, 0, 24]
    assert body.lines[["material", "colour", "colour2", "pad"]].tolist() == [(0, 15, 0, 0)]
    assert (body.lines["points"] // 6).tolist() == [[6, 9]]
    assert body.spheres[["colour", "radius", "point"]].tolist() == [(66, 25, 60)]
    assert body.pack() == chain.LM1


def test_references_lead_to_points_by_sixes() -> None:
    """Of 11 points the last is at 60."""
    assert Lm1.parse(chain.LM1).points_of(np.array([0, 60, 66, 61, 6])).tolist() == [0, 10, -1, -1, 1]


def test_corners_by_material() -> None:
    body = Lm1.parse(chain.LM1)
    polygon, point, normal = body.corner_references()
    assert polygon.tolist() == [0, 0, 0, 1, 1, 1, 2, 2, 2, 2]
    assert (body.stream[point] // 6).tolist() == [0, 2, 3, 2, 3, 4, 3, 6, 8, 4]
    assert normal.tolist() == [-1, -1, -1, 3, 3, 3, 7, 9, 11, 13]


@given(body=lm1s())
def test_what_is_written_is_read_again(body: Lm1) -> None:
    data = body.pack()
    read = Lm1.parse(data)
    assert same(read, body)
    assert read.pack() == data


FIELDS: list[tuple[str, object, int]] = [
    ("points", (3, 1), 0x1C + 3 * 6 + 2),
    ("groups", ("pivot", 2), 0x60 + 2 * 38 + 4),
    ("groups", ("type", 1), 0x60 + 38 + 8),
    ("groups", ("angles", (4, 2)), 0x60 + 4 * 38 + 14),
    ("groups", ("first_normal", 0), 0x60 + 16),
    ("groups", ("normal_count", 3), 0x60 + 3 * 38 + 18),
    ("groups", ("old_matrix", (1, 2, 2)), 0x60 + 38 + 36),
    ("normals", ("direction", (0, 1)), 0x122),
    ("normals", ("range", 0), 0x126),
    ("stream", 4, 0x13A),
    ("lines", ("points", (0, 1)), 0x15C),
    ("spheres", ("radius", 0), 0x164),
    ("box", 2, 6),
]


@pytest.mark.parametrize(("field", "where", "at"), FIELDS)
def test_a_changed_field_changes_its_own_bytes(field: str, where: Any, at: int) -> None:
    body = Lm1.parse(chain.LM1)
    table = getattr(body, field).copy()
    if isinstance(where, tuple) and isinstance(where[0], str):
        table[where[0]][where[1]] = 0x1234
    else:
        table[where] = 0x1234
    data = dataclasses.replace(body, **{field: table}).pack()
    assert data == chain.LM1[:at] + b"\x34\x12" + chain.LM1[at + 2 :]


@pytest.mark.parametrize(
    ("table", "field", "at"),
    [
        ("polygons", "colour2", 0x12D),
        ("lines", "pad", 0x159),
        ("spheres", "pad", 0x163),
        ("spheres", "colour2", 0x162),
    ],
)
def test_a_changed_byte(table: str, field: str, at: int) -> None:
    body = Lm1.parse(chain.LM1)
    changed = getattr(body, table).copy()
    changed[field][0] = 0x5A
    assert dataclasses.replace(body, **{table: changed}).pack() == chain.LM1[:at] + b"\x5a" + chain.LM1[at + 1 :]


@pytest.mark.parametrize(("field", "at"), [("flags", 0), ("tail", 0x168)])
def test_a_changed_word(field: str, at: int) -> None:
    data = dataclasses.replace(Lm1.parse(chain.LM1), **{field: 0x1236}).pack()
    assert data == chain.LM1[:at] + b"\x36\x12" + chain.LM1[at + 2 :]


@pytest.mark.parametrize("left", [0, 1])
def test_a_file_that_ends_before_its_last_word(left: int) -> None:
    data = chain.LM1[: len(chain.LM1) - 2 + left]
    with log.collect() as said:
        body = Lm1.parse(data)
    assert body.tail is None and body.rest == data[len(chain.LM1) - 2 :]
    assert any("before its last word" in line for line in said.digest("WARNING"))
    assert body.pack() == data


def test_a_static_body_has_no_groups() -> None:
    data = b"\x01\0" + chain.LM1[2:0x5E] + chain.LM1[0x11E:]
    body = Lm1.parse(data)
    assert body.groups is None
    assert len(body.points) == 11
    assert body.pack() == data


@pytest.mark.parametrize("claim", [0, 12, 4000, 65535])
def test_an_info_size_that_leads_nowhere(claim: int) -> None:
    """Some files claim another size than is there; the sections then stand where they always do."""
    data = chain.LM1[:14] + claim.to_bytes(2, "little") + chain.LM1[16:]
    body = Lm1.parse(data)
    assert body.points.tolist() == Lm1.parse(chain.LM1).points.tolist()
    assert body.pack() == data


def test_a_body_behind_a_wrong_info_size_may_have_references_that_lead_nowhere() -> None:
    """Its one line ends at point 999, of 11; that is no reason not to open it."""
    at = 0x15C
    data = bytearray(chain.LM1)
    data[14:16], data[at : at + 2] = struct.pack("<H", 5000), struct.pack("<H", 6 * 999)
    body = Lm1.parse(bytes(data))
    assert (body.lines["points"] // 6).tolist() == [[6, 999]] and not body.sound and body.pack() == bytes(data)


def test_an_honest_info_size_counts() -> None:
    data = chain.LM1[:14] + b"\x0e\0" + chain.LM1[16:0x1A] + b"more" + chain.LM1[0x1A:]
    body = Lm1.parse(data)
    assert body.info == bytes(10) + b"more"
    assert body.pack() == data


def test_bytes_after_the_end_are_kept_with_a_warning() -> None:
    with log.collect() as said:
        body = Lm1.parse(chain.LM1 + b"rest")
    assert [(message.level, "4 bytes" in message.text) for message in said.messages] == [("WARNING", True)]
    assert body.rest == b"rest"
    assert body.pack() == chain.LM1 + b"rest"


def test_cut_off_anywhere() -> None:
    for size in range(len(chain.LM1) - 2):
        with pytest.raises(FormatError):
            Lm1.parse(chain.LM1[:size])


@given(data=st.data())
def test_spoiled_bytes_are_refused_or_kept(data: st.DataObject) -> None:
    spoiled = bytearray(chain.LM1)
    for _ in range(data.draw(st.integers(1, 4))):
        spoiled[data.draw(st.integers(0, len(spoiled) - 1))] = data.draw(st.integers(0, 255))
    try:
        body = Lm1.parse(spoiled)
    except FormatError:
        return
    assert body.pack() == spoiled


@given(data=st.binary(max_size=200))
def test_random_bytes_are_refused_or_kept(data: bytes) -> None:
    try:
        body = Lm1.parse(data)
    except FormatError:
        return
    assert body.pack() == data


def test_the_games_bodies(bodies: dict[int, bytes]) -> None:
    for index, data in bodies.items():
        body = Lm1.parse(data)
        assert body.pack() == data, index
        assert recognise(data[:4096], len(data)), index
        assert body.groups is not None
        assert body.flags == 3, index
        assert int(body.groups["normal_count"].sum()) == len(body.normals), index
        assert np.all(body.polygons["material"] <= 10), index
    body = Lm1.parse(bodies[0])
    assert body.box.tolist() == [-273, 273, 0, 1240, -166, 200]


def test_a_body_without_groups_is_recognised_by_its_size() -> None:
    """28 bytes at least: a still one has normals behind its points, and no groups between them."""
    still = bytes(18) + (1).to_bytes(2, "little") + bytes(8)
    assert recognise(still, len(still))
    assert not recognise(still[:-1], len(still) - 1)
    moving = bytes([2]) + still[1:]
    assert not recognise(moving, len(moving)), "a group of 38 bytes does not fit"
