"""Meshes: the text form and the binary one hold the same surface; indices that point nowhere are refused."""

from __future__ import annotations

import struct
from contextlib import suppress
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from retro_anim.core.oni2.files.mesh import mod
from retro_anim.core.oni2.files.mesh.mod import Mod, is_placed
from retro_anim.core.reporting import log
from retro_anim.core.reporting.errors import FormatError
from support import counted

TEXT = """\
version: 1.10
verts: 5
v\t0 0 0
v\t1 0 0
v\t1 1 0
v 0 1 0
v 0 0 .5e0
n 0 0 1
c 1 0.5 0 1
t1 0.25 0.75
mtl skin {
\tpackets: 1
\tprimitives: 1
\tdiffuse: 0.5 0.25 1
\ttexture: 0 "kno_skin"
}
mtl hair {
\tpackets: 1
\tshine: 0 "gloss"
}
packet 4 1 2 {
\tadj 0 0 0 0 0 0
\tadj 1 0 0 0 0 0
\tadj 3 0 0 0 0 1
\tadj 2 0 -1 -1 0 1
\tstr 4 0 1 2 3
\tmtx 2 0
}
packet 3 2 0 {
\tadj 0 0 0 0 0 1
\tadj 1 0 0 0 0 1
\tadj 4 -1 0 0 0 1
\tstp 3 0 1 2
\ttri 0 1 2
}
"""
HEADS = np.array([[0, 10, 0], [5, 0, 0], [0, 0, 7]], float)


def binary(trailer: bytes = b"mtxv", extra: int = 3) -> bytes:
    """The same surface as TEXT. extra: numbers of unknown meaning in front of the texture's name."""
    counts = struct.pack("<11I", 5, 1, 1, 1, 1, 1, 2, 7, 3, 2, 1)
    floats = np.array([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 0.5, 0, 0, 1, 1, 0.5, 0, 1, 0.25, 0.75, 9, 9, 8, 8, 8], "<f4")
    skin = b"skin " + struct.pack("<4I9f", 1, 1, 1, 2, *[0] * 3, 0.5, 0.25, 1, *[0] * 3) + bytes(4 * extra) + b"kno_skin\0\0\0"
    hair = b"hair " + struct.pack("<4I9f", 1, 2, 0, 2, *[0] * 3, 0.8, 0.8, 0.8, *[0] * 3)
    first = struct.pack("<4I", 4, 1, 2, 1) + struct.pack("<24i", *[0] * 6, 1, *[0] * 5, 3, *[0] * 4, 1, 2, 0, -1, -1, 0, 1) + bytes(24)
    first += struct.pack("<6I", 1, 4, 0, 1, 2, 3) + struct.pack("<2I", 2, 0)
    second = struct.pack("<4I", 3, 2, 0, 0) + struct.pack("<18i", *[0] * 5, 1, 1, *[0] * 4, 1, 4, -1, *[0] * 3, 1)
    second += struct.pack("<5I", 2, 3, 0, 1, 2) + struct.pack("<5I", 1, 3, 0, 1, 2)
    return b"version: 2.10\0" + counts + floats.tobytes() + skin + hair + first + second + trailer


def test_only_the_diffuse_colour_is_the_surface_s() -> None:
    shining = TEXT.replace('\ttexture: 0 "kno_skin"\n', '\tspecular: 0.1 0.2 0.3\n\ttexture: 0 "kno_skin"\n')
    assert Mod.parse(shining.encode()).model.surfaces[0].diffuse == pytest.approx((0.5, 0.25, 1))


@pytest.mark.parametrize("data", [TEXT.encode(), TEXT.replace("\n", "\r\n").encode(), binary(), binary(b"")])
def test_both_forms(data: bytes) -> None:
    document = Mod.parse(data)
    assert document.pack() == data
    model = document.model
    assert [(surface.name, surface.packets, surface.texture) for surface in model.surfaces] == [("skin", 1, "kno_skin"), ("hair", 1, "")]
    assert model.surfaces[0].diffuse == pytest.approx((0.5, 0.25, 1))
    assert [packet.triangles.tolist() for packet in model.packets] == [[[0, 1, 2], [3, 2, 1]], [[2, 1, 0], [0, 1, 2]]]
    assert model.packets[0].matrices.tolist() == [2, 0]
    assert model.bone_count == 3


@pytest.mark.parametrize("data", [TEXT.encode(), binary()])
def test_the_surface_at_rest(data: bytes) -> None:
    mesh = Mod.parse(data).model.mesh(HEADS, False)
    assert mesh.points[mesh.corners[:6]].tolist() == [[0, 0, 7], [1, 0, 7], [0, 11, 0], [1, 11, 0], [0, 11, 0], [1, 0, 7]]
    assert mesh.bones[mesh.corners[:6]].tolist() == [2, 2, 0, 0, 0, 2]
    assert mesh.points[mesh.corners[6:9]].tolist() == [[5, 0, 0.5], [6, 0, 0], [5, 0, 0]]
    assert mesh.material_of.tolist() == [0, 0, 1, 1]
    assert mesh.normals[[0, 6]].tolist() == [[0, 0, 1], [0, 0, 0]]
    assert mesh.uvs["t1"][[0, 3]].tolist() == [[0.25, 0.25], [0, 1]]
    assert mesh.colours is not None
    assert mesh.colours[[0, 3]].tolist() == [[255, 128, 0, 255], [255, 255, 255, 255]]
    assert len(mesh.points) == 7
    assert (mesh.starts.tolist(), mesh.counts.tolist()) == ([0, 3, 6, 9], [3, 3, 3, 3])
    assert Mod.parse(data).model.mesh(HEADS, True).points.max() == 1


@pytest.mark.parametrize(
    ("name", "placed"), [("win32_kno.mod", True), ("RB.DAT#Entity/kno/Win32_a.mod", True), ("kno.mod", False), ("a/win32_/b.mod", False)]
)
def test_files_for_windows_are_placed_already(name: str, placed: bool) -> None:
    assert is_placed(Mod.parse(binary()), name) == placed
    assert not is_placed(Mod.parse(TEXT.encode()), name)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("stp 3 0 1 2", "stp 9 0 1 2", "packet 1: a strip"),
        ("stp 3 0 1 2", "stp 3 0 1 x", "a number is expected"),
        ("v 0 1 0", "v 0 nan 0", "not finite"),
        ("v 0 1 0", "v 0 a 0", "numbers are expected"),
        ("\ttri 0 1 2\n}", "", "never closed"),
        ("packet", "pocket", "no packet"),
    ],
)
def test_text_that_is_refused(old: str, new: str, problem: str) -> None:
    with pytest.raises(FormatError, match=problem):
        Mod.parse(TEXT.replace(old, new).encode())


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"version: 2.11\0" + bytes(100), "version 2.11: only 2.10 is known"),
        (binary(b"more"), "something other than the end"),
        (b"version: 2.10\0" + struct.pack("<11I", *[0xFFFFFFFF] * 11), "vertices"),
        (b"\0\1\2" * 30, "neither"),
    ],
)
def test_binary_that_is_refused(data: bytes, problem: str) -> None:
    with pytest.raises(FormatError, match=problem):
        Mod.parse(data)


@pytest.mark.parametrize(
    ("old", "new", "left"),
    [
        ("adj 1 0 0 0 0 0", "adj 5 0 0 0 0 0", 1),
        ("adj 1 0 0 0 0 0", "adj 1 1 0 0 0 0", 0),  # a normal
        ("adj 1 0 0 0 0 1", "adj 1 0 0 7 0 1", 0),  # a texture coordinate
        ("adj 1 0 0 0 0 0", "adj 1 0 0 0 0 2", 1),  # a matrix
        ("stp 3 0 1 2", "stp 3 0 1 3", 1),
    ],
)
def test_an_index_that_points_nowhere(old: str, new: str, left: int) -> None:
    data = TEXT.replace(old, new).encode()
    mod = Mod.parse(data)
    assert mod.pack() == data
    whole = Mod.parse(TEXT.encode()).model
    with log.collect() as said:
        mesh = mod.model.mesh(HEADS, False)
    lost = len(whole.mesh(HEADS, False).starts) - len(mesh.starts)
    assert (lost >= left and lost == mod.model.faces().lost) and bool(lost) == bool(left)
    assert [line.text for line in said.of("WARNING")] == ([f"{lost} triangles on vertices that are not there: left out"] if lost else [])


def test_a_bone_that_the_skeleton_has_not() -> None:
    with pytest.raises(FormatError, match="bone 2 carries vertices"):
        Mod.parse(TEXT.encode()).model.mesh(HEADS[:2], False)


@pytest.mark.parametrize("whole", [TEXT.encode(), binary()])
def test_cut_off_anywhere(whole: bytes) -> None:
    for length in range(len(whole)):
        with suppress(FormatError):
            Mod.parse(whole[:length]).model.mesh(HEADS, False)


@given(st.sampled_from([TEXT.encode(), binary()]), st.lists(st.tuples(st.integers(0, 5000), st.integers(0, 255)), min_size=1, max_size=3))
def test_any_changed_bytes(whole: bytes, changes: list[tuple[int, int]]) -> None:
    broken = bytearray(whole)
    for offset, value in changes:
        broken[offset % len(broken)] = value
    with suppress(FormatError):
        document = Mod.parse(bytes(broken))
        assert document.pack() == bytes(broken)
        document.model.mesh(HEADS, False)


def test_recognised() -> None:
    assert mod.recognise(TEXT.encode(), 0)
    assert mod.recognise(binary(), 0)
    assert not mod.recognise(b"Version: 101\nbone a {", 0)


def test_a_long_strip_winds_every_second_triangle_the_other_way() -> None:
    """Of six adjuncts in one strip; those of `stp` start with the reversed one."""
    text = TEXT.replace("\tstr 4 0 1 2 3\n", "\tstr 6 0 1 2 3 0 1\n").replace("\tstp 3 0 1 2\n", "\tstp 5 0 1 2 0 1\n")
    first, second = Mod.parse(text.encode()).model.packets
    assert first.triangles.tolist() == [[0, 1, 2], [3, 2, 1], [2, 3, 0], [1, 0, 3]]
    assert second.triangles.tolist() == [[2, 1, 0], [1, 2, 0], [1, 0, 2], [0, 1, 2]]


def test_strips_of_a_packet_wind_by_themselves_and_take_no_step_of_numpy_each() -> None:
    """One that is too short has no triangle; the next one counts anew, whether it is swapped or not."""
    strips, taken = "\tstr 4 0 1 2 3\n\tstp 2 0 1\n\tstr 0\n\ttri 0 1\n\tstp 4 0 1 2 3\n\ttri 3 1 0\n", list[int]()
    wanted = [[0, 1, 2], [3, 2, 1], [2, 1, 0], [1, 2, 3], [3, 1, 0]]
    for times in (20, 120):
        data = TEXT.replace("\tstr 4 0 1 2 3\n", strips * times).encode()
        with counted.calls() as calls:
            packet = Mod.parse(data).model.packets[0]
            taken.append(calls())
        assert packet.triangles.tolist() == wanted * times
    assert taken[1] - taken[0] < 15 * 6 * 100


def test_a_strip_that_comes_back_has_no_triangle_there() -> None:
    """Two equal corners, wherever they are among the three, enclose nothing."""
    for corners in ((1, 1, 2), (1, 2, 2), (1, 2, 1)):
        text = TEXT.replace("\tstp 3 0 1 2\n", f"\tstp 3 {corners[0]} {corners[1]} {corners[2]}\n")
        assert Mod.parse(text.encode()).model.packets[1].triangles.tolist() == [[0, 1, 2]]
    for count in range(3):
        text = TEXT.replace("\tstp 3 0 1 2\n", f"\tstp {' '.join(str(number) for number in (count, *range(count)))}\n")
        assert Mod.parse(text.encode()).model.packets[1].triangles.tolist() == [[0, 1, 2]]


def test_what_a_packet_says_besides_is_passed_over() -> None:
    model = Mod.parse(TEXT.replace("\ttri 0 1 2\n", "\tshade 9 9 9\n\ttri 0 1 2\n").encode()).model
    assert [packet.matrices.tolist() for packet in model.packets] == [[2, 0], []]


def test_the_packets_of_a_material_are_one_unless_it_says_how_many() -> None:
    """Packets go to the materials in their order, so many to each."""
    assert [each.packets for each in Mod.parse(TEXT.replace("\tpackets: 1\n", "").encode()).model.surfaces] == [1, 1]
    assert [each.packets for each in Mod.parse(TEXT.replace("\tpackets: 1\n", "\tpackets: 2\n", 1).encode()).model.surfaces] == [2, 1]


def test_the_first_line_counts() -> None:
    without = TEXT.split("\n", 2)[2].encode()  # neither version nor number of vertices
    assert len(Mod.parse(without).model.vertices) == 5
    with pytest.raises(FormatError, match=r"line 1: a brace is never closed"):
        Mod.parse(b"packet 1 1 1 {\n\tadj 0 0 0 0 0 0\n")


def test_what_editors_do_to_a_text() -> None:
    """A mark before it, a name with bytes that end lines in Unicode, or no version."""
    model = Mod.parse(TEXT.encode()).model
    marked = b"\xef\xbb\xbf" + TEXT.encode()
    bare = TEXT[TEXT.index("v\t") :].encode()
    named = TEXT.replace("mtl skin", "# \x85 mtl\nmtl sk\x85in").encode("latin-1")
    assert Mod.parse(named).model.surfaces[0].name == "sk\x85in"
    for data in (marked, bare, named):
        assert mod.recognise(data, len(data))
        other = Mod.parse(data).model
        assert (other.bone_count, len(other.surfaces), len(other.packets)) == (model.bone_count, 2, 2)
    assert not mod.recognise(b"v 0 0 0\nvt 0 0\nf 1 1 1\n", 0)


def test_without_materials_it_is_grey_and_not_of_the_colours_of_its_corners() -> None:
    document = Mod.parse(TEXT.encode())
    (grey,) = replace(document.model, surfaces=[]).mesh(HEADS, False).materials
    assert (grey.ramp, grey.coloured, grey.properties) == (((0.8, 0.8, 0.8),), False, {})


def test_colours_are_between_nothing_and_all() -> None:
    text = TEXT.replace("\tdiffuse: 0.5 0.25 1\n", "\tdiffuse: -0.5 1.5 1\n")
    assert Mod.parse(text.encode()).model.mesh(HEADS, False).materials[0].ramp == ((0.0, 1.0, 1.0),)


def test_a_mesh_without_normals_has_none() -> None:
    """No corner names one: each is three zeros."""
    text = "\n".join(line for line in TEXT.split("\n") if not line.startswith("n "))
    mesh = Mod.parse(text.encode()).model.mesh(HEADS, False)
    assert mesh.normals is not None and mesh.normals.shape == (len(mesh.corners), 3) and not mesh.normals.any()
