"""What the indices of a mesh mean, by hand: bones through a packet's matrices, rows of tables, materials of packets, what is nowhere."""

from __future__ import annotations

import struct
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from retro_anim.core.oni2.files.mesh.mod import Mod
from retro_anim.core.oni2.files.mesh.model import Model, Packet, Surface
from retro_anim.core.reporting.errors import FormatError

NOTHING = np.zeros((0, 3), np.float32)


def packet(adjuncts: list[list[int]], triangles: list[list[int]], matrices: list[int]) -> Packet:
    return Packet(*(np.array(rows, np.int64).reshape(shape) for rows, shape in
                    ((adjuncts, (-1, 6)), (triangles, (-1, 3)), (matrices, (-1,)))))  # fmt: skip


def model(*packets: Packet, vertices: int = 3, surfaces: int = 0, **tables: Any) -> Model:
    """Vertex number n is at (n, 0, 0)."""
    points = np.zeros((vertices, 3), np.float32)
    points[:, 0] = range(vertices)
    rows = {"normals": NOTHING, "colours": np.zeros((0, 4), np.float32), "coordinates": np.zeros((0, 2), np.float32)}
    rows |= {name: np.array(table, np.float32) for name, table in tables.items()}
    return Model(points, **rows, surfaces=tuple(Surface("", 1, (0.5, 0.5, 0.5), "") for _ in range(surfaces)), packets=packets)


def corner(vertex: int, bone: int = 0, normal: int = -1, colour: int = -1, coordinate: int = -1) -> list[int]:
    return [vertex, normal, colour, coordinate, -1, bone]


def triangle(bone: int = 0, matrices: list[int] | None = None) -> Packet:
    return packet([corner(0, bone), corner(1, bone), corner(2, bone)], [[0, 1, 2]], matrices or [])


@pytest.mark.parametrize(
    ("packets", "bones"),
    [
        ([], 0),
        ([packet([], [], [])], 0),
        ([triangle(-1)], 0),
        ([triangle(0)], 1),
        ([triangle(4), triangle(2)], 5),
        ([triangle(1, [7, 3, 9])], 4),
        ([triangle(3, [7, 3, 9])], 0),
    ],
)
def test_as_many_bones_as_the_highest_that_carries_something(packets: list[Packet], bones: int) -> None:
    """Without matrices the number is the bone's own, with them one of these; no number, or one behind them, is none."""
    assert model(*packets).bone_count == bones


def test_a_bone_that_no_skeleton_has_is_refused_by_its_number() -> None:
    """The last number that is believed is 2 to the power of 20, less one."""
    model(triangle(0xFFFFF)).check()
    with pytest.raises(FormatError, match=r"^packet 1: bone 1048576 of 1048576$"):
        model(triangle(), triangle(1, [0, 0x100000])).check()


def test_a_mesh_without_packets_has_no_faces() -> None:
    shown = model().faces()
    assert (shown.adjuncts.shape, shown.bones.shape, shown.packets.shape, shown.lost) == ((0, 6), (0,), (0,), 0)


@pytest.mark.parametrize(
    "odd",
    [
        packet([], [[0, 1, 2]], []),
        packet([corner(0)], [[0, 0, 1]], []),
        packet([corner(0)], [[0, 0, -1]], []),
        packet([corner(0, 1)], [[0, 0, 0]], [0]),
        packet([corner(0, -1)], [[0, 0, 0]], [0]),
        packet([corner(0, 0)], [[0, 0, 0]], [-2]),
        packet([corner(3)], [[0, 0, 0]], []),
        packet([corner(-1)], [[0, 0, 0]], []),
    ],
)
def test_a_triangle_on_something_that_is_not_there_is_counted_as_lost(odd: Packet) -> None:
    """No adjuncts, an adjunct, a matrix, a bone or a vertex beyond those there are; the triangles beside it keep their packets."""
    shown = model(triangle(), odd, triangle(2)).faces()
    assert (shown.lost, shown.packets.tolist(), shown.bones.tolist()) == (1, [0, 2], [0, 0, 0, 2, 2, 2])
    assert shown.adjuncts[:, 0].tolist() == [0, 1, 2, 0, 1, 2]


def test_one_vertex_on_two_bones_is_two_points() -> None:
    heads = np.array([[0, 10, 0], [0, 20, 0.0]])
    mesh = model(packet([corner(0, 0), corner(1, 0), corner(0, 1)], [[0, 1, 2]], [])).mesh(heads, False)
    assert mesh.points[mesh.corners].tolist() == [[0, 10, 0], [1, 10, 0], [0, 20, 0]]
    assert mesh.bones[mesh.corners].tolist() == [0, 0, 1]


def test_corners_without_a_row_of_a_table_are_white_at_no_texture_without_a_normal() -> None:
    """The first corner has the second row of each table, the second one that is not there, the third none. v goes downwards in the file."""
    corners = [corner(0, 0, 1, 1, 1), corner(1, 0, 2, 2, 2), corner(2)]
    mesh = model(packet(corners, [[0, 1, 2]], []), surfaces=1, normals=[[1, 0, 0], [0, 0, 1]],
                 colours=[[0, 0, 0, 0], [0.2, 2, -1, 0.4]], coordinates=[[0, 0], [0.25, 0.75]]).mesh(np.zeros((1, 3)), False)  # fmt: skip
    assert mesh.normals is not None and mesh.normals.tolist() == [[0, 0, 1], [0, 0, 0], [0, 0, 0]]
    assert mesh.colours is not None and mesh.colours.tolist() == [[51, 255, 0, 102], [255] * 4, [255] * 4]
    assert mesh.uvs["t1"].tolist() == [[0.25, 0.25], [0, 1], [0, 1]]
    assert [material.coloured for material in mesh.materials] == [True]


def test_a_mesh_without_colours_and_coordinates_has_none_of_either() -> None:
    mesh = model(triangle(), surfaces=1).mesh(np.zeros((1, 3)), False)
    assert (mesh.colours, mesh.uvs, [material.coloured for material in mesh.materials]) == (None, {}, [False])


@pytest.mark.parametrize(
    ("counts", "expected"),
    [([], [0, 0, 0]), ([1], [0, 0, 0]), ([1, 1], [0, 1, 1]), ([0, 2, 5], [1, 1, 2]), ([9, 1], [0, 0, 0]), ([2, 0], [0, 0, 1])],
)
def test_packets_belong_to_materials_in_order_and_what_is_left_to_the_last(counts: list[int], expected: list[int]) -> None:
    whole = model(triangle(), triangle(), triangle())
    surfaces = tuple(Surface("", count, (0.0, 0.0, 0.0), "") for count in counts)
    assert replace(whole, surfaces=surfaces).mesh(np.zeros((1, 3)), False).material_of.tolist() == expected


def binary(packets: int, rest: bytes, texture: bytes = b"", name: bytes = b"a") -> bytes:
    """Version 2.10 of one vertex and one material, which names so many packets, and what follows it."""
    counts = struct.pack("<11I", 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0)
    material = name + b" " + struct.pack("<4I9f", packets, 0, int(bool(texture)), 0, *range(9)) + texture
    return b"version: 2.10\0" + counts + struct.pack("<3f", 1, 2, 3) + material + rest


EMPTY = bytes(16)
"""A packet of nothing: four counts of 0."""


def test_a_binary_mesh_has_no_more_packets_than_bytes_for_them() -> None:
    assert [len(Mod.parse(binary(count, count * EMPTY)).model.packets) for count in (0, 1, 3)] == [0, 1, 3]
    assert len(Mod.parse(binary(2, 2 * EMPTY + b"mtxv and more")).model.packets) == 2
    with pytest.raises(FormatError, match=r"^4 packets in 63 bytes") as raised:
        Mod.parse(binary(4, 3 * EMPTY + bytes(15)))
    assert raised.value.offset == 14 + 44 + 12 + 2 + 52


@pytest.mark.parametrize("before", [0, 1, 5])
def test_the_texture_of_a_binary_mesh_is_the_first_letter_behind_numbers_of_four_bytes(before: int) -> None:
    """Then zeros, as many as there are, and the packets. A count that begins with a zero ends them, too: the packet has one strip."""
    strip = struct.pack("<4I", 1, 0, 0, 0) + struct.pack("<6i", 0, -1, -1, -1, -1, 0)
    data = binary(1, strip, bytes(4 * before) + b"skin\0\0\0").replace(struct.pack("<11I", 1, *[0] * 5, 1, *[0] * 4),
                                                                       struct.pack("<11I", 1, *[0] * 5, 1, 1, *[0] * 3))  # fmt: skip
    (surface,), (own,) = Mod.parse(data).model.surfaces, Mod.parse(data).model.packets
    assert (surface.texture, surface.diffuse, own.adjuncts.tolist()) == ("skin", (3.0, 4.0, 5.0), [[0, -1, -1, -1, -1, 0]])


def test_a_name_of_a_binary_mesh_ends_within_256_bytes() -> None:
    assert Mod.parse(binary(0, b"", name=b"n" * 255)).model.surfaces[0].name == "n" * 255
    with pytest.raises(FormatError, match=r"^material 0: its name does not end"):
        Mod.parse(binary(0, b"", name=b"n" * 256))


@pytest.mark.parametrize("kind", [0, 3])
def test_a_strip_of_a_binary_mesh_is_of_kind_1_or_2(kind: int) -> None:
    with pytest.raises(FormatError, match=rf"^packet 0: a strip of kind {kind}"):
        Mod.parse(binary(1, struct.pack("<4I", 0, 1, 0, 0) + struct.pack("<5I", kind, 3, 0, 1, 2)))


def text(*lines: str) -> Model:
    return Mod.parse("\n".join(["v 0 0 0", *lines]).encode()).model


def test_a_material_of_a_text_that_says_nothing_is_one_packet_of_light_grey() -> None:
    (surface,) = text("mtl a {", "}", "packet {", "}").surfaces
    assert (surface.packets, surface.diffuse, surface.texture) == (1, (0.8, 0.8, 0.8), "")


@pytest.mark.parametrize(
    ("line", "packets", "diffuse", "texture"),
    [
        ("packets:", 1, 0.8, ""),
        ("packets: 0", 0, 0.8, ""),
        ("packets: -3", 0, 0.8, ""),
        ("packets: 4 5", 4, 0.8, ""),
        ("diffuse: 0.5 0.5", 1, 0.8, ""),
        ("diffuse: 0.5 0.5 0.5", 1, 0.5, ""),
        ("texture: 0", 1, 0.8, ""),
        ('texture: 0 "two words"', 1, 0.8, "two words"),
    ],
)
def test_a_line_of_a_material_counts_when_it_has_all_its_values(line: str, packets: int, diffuse: float, texture: str) -> None:
    (surface,) = text("mtl a {", line, "}", "packet {", "}").surfaces
    assert (surface.packets, surface.diffuse, surface.texture) == (packets, (diffuse,) * 3, texture)


def test_an_adjunct_of_a_text_has_four_numbers_at_least_and_zeros_for_the_others() -> None:
    (own,) = text("packet {", "adj 1 2 3 4", "adj 1 2 3 4 5", "adj 1 2 3 4 5 6 7 8", "mtx 4", "mtx 5 6", "}").packets
    assert own.adjuncts.tolist() == [[1, 2, 3, 4, 0, 0], [1, 2, 3, 4, 5, 0], [1, 2, 3, 4, 5, 6]]
    assert own.matrices.tolist() == [4, 5, 6]
    with pytest.raises(FormatError, match=r"^packet 1: an adjunct has 3 numbers$"):
        text("packet {", "}", "packet {", "adj 1 2 3", "}")


def test_a_line_of_numbers_counts_when_it_has_all_of_them() -> None:
    whole = text("v 1 2", "v 1 2 3 4", "t1 1", "t1 1 2 3", "c 1 2 3", "c 1 2 3 4", "mtl", "packet {", "}")
    assert (whole.vertices.tolist(), whole.coordinates.tolist(), whole.colours.tolist()) == ([[0] * 3, [1, 2, 3]], [[1, 2]], [[1, 2, 3, 4]])
    assert whole.surfaces == ()


@pytest.mark.parametrize("count", ["", "4 0 1 2", "2 0 1 2"])
def test_a_strip_of_a_text_has_as_many_indices_as_it_says(count: str) -> None:
    with pytest.raises(FormatError, match=r"^packet 0: a strip of"):
        text("packet {", f"str {count}", "}")


def test_a_text_without_a_vertex_or_a_packet_is_no_mesh() -> None:
    for lines in (["n 0 0 1", "packet {", "}"], ["v 0 0 0"]):
        with pytest.raises(FormatError, match="no vertex or no packet"):
            Mod.parse("\n".join(lines).encode())
