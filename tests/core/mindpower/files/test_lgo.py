"""The mesh file: every block in every version, and what is refused."""

from __future__ import annotations

import dataclasses
import struct
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from retro_anim.core.files.binary import Reader
from retro_anim.core.files.document import same
from retro_anim.core.mindpower.files.mesh.geometry import BLEND, ELEMENT, SUBSET, uv_sets
from retro_anim.core.mindpower.files.mesh.helpers import BOUNDING_BOX, BOX, DUMMY, FACE, MESH, OLD_DUMMY, SPHERE, Helpers
from retro_anim.core.mindpower.files.mesh.lgo import Lgo, recognise
from retro_anim.core.mindpower.files.mesh.lgo_animation import Animation
from retro_anim.core.mindpower.files.mesh.materials import (
    MATERIAL,
    MATERIAL_0,
    MATERIAL_1,
    TEXTURE,
    TEXTURE_0,
    TEXTURE_1,
    Materials,
    fitting,
    new_material,
)
from retro_anim.core.mindpower.surface.surface import surface_of
from retro_anim.core.reporting import log
from retro_anim.core.reporting.errors import FormatError
from retro_anim.core.surface.holdable import holdable

from ..strategies import lgos


def u32(*numbers: int) -> bytes:
    return struct.pack(f"<{len(numbers)}I", *numbers)


def f32(*numbers: float) -> bytes:
    return struct.pack(f"<{len(numbers)}f", *numbers)


NONE = 0xFFFFFFFF
EYE = f32(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)
POINTS = f32(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1)
NORMALS = f32(*[0, 0, 1] * 4)
UVS = f32(0, 0, 1, 0, 0, 1, 1, 1)
COLOURS = bytes(range(16))
WEIGHTS = b"".join(bytes(index) + f32(*weight) for index, weight in [((0, 1, 9, 9), (0.25, 0.75, 0, 0)), ((1, 0, 0, 0), (0, 0, 0, 0))] * 2)
INDICES = u32(0, 1, 2, 0, 2, 3)
SUBSETS = u32(1, 0, 3, 0, 1, 3, 4, 0)
FVF = 0x1158


def file(version: int, *blocks: bytes, start: bytes = u32(5, NONE, 0)) -> bytes:
    """blocks: materials, mesh, helpers, animation."""
    sizes = [len(block) for block in blocks] + [0] * (4 - len(blocks))
    return u32(version) + start + EYE + u32(2, 12, 2, NONE) + b"\1\1\0\0\0\0\0\0" + u32(*sizes) + b"".join(blocks)


def mesh(version: int, old: int = 0) -> bytes:
    """Four points, two triangles, two subsets, a palette of two bones."""
    layout = version or old
    counts = u32(FVF, 4, 4, 6, 2, 2)
    vertices = POINTS + NORMALS + UVS + COLOURS + WEIGHTS
    if layout >= 0x1004:
        element = struct.pack("<2H4B", 0, 12, 3, 0, 1, 0)
        return counts + u32(2, 1) + bytes(96) + element + vertices + u32(7, 8) + INDICES + SUBSETS
    head = u32(old) if version == 0 else b""
    return head + counts + bytes(128 if layout == 0 else 96) + SUBSETS + vertices + b"\7\x08" + INDICES


@pytest.mark.parametrize(("version", "old"), [(0x1005, 0), (0x1004, 0), (0x1003, 0), (0x1000, 0), (0, 1), (0, 0)])
def test_a_mesh_written_by_hand(version: int, old: int) -> None:
    data = file(version, b"", mesh(version, old))
    lgo = Lgo.parse(data)
    assert (lgo.version, lgo.object_id, lgo.parent_id, lgo.kind) == (version, 5, NONE, 0)
    assert lgo.matrix.tolist() == np.eye(4).tolist()
    assert (lgo.control.tolist(), lgo.state) == ([2, 12, 2, NONE], b"\1\1\0\0\0\0\0\0")
    assert (lgo.materials, lgo.helpers, lgo.animation) == (None, None, None)
    result = lgo.mesh
    assert result is not None and result.normals is not None and result.colours is not None and result.blend is not None
    assert result.positions.tolist() == [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    assert result.normals.tolist() == [[0, 0, 1]] * 4
    assert result.uvs.tolist() == [[[0, 0], [1, 0], [0, 1], [1, 1]]]
    assert result.colours.ravel().tolist() == list(range(16))
    assert result.blend["index"][0].tolist() == [0, 1, 9, 9]
    assert result.palette.tolist() == [7, 8]
    assert result.triangles.tolist() == [[0, 1, 2], [0, 2, 3]]
    assert result.triangle_subsets.tolist() == [0, 1]
    assert result.influences == (2 if version >= 0x1004 else None)
    assert result.weights_in_use == 2
    assert lgo.pack() == data
    assert recognise(data, len(data))


def test_a_header_alone_is_a_mesh_of_nothing() -> None:
    """Of 120 bytes, whose last four numbers are the sizes of what follows; a byte less is none."""
    header = bytes(120)
    assert recognise(header, 120) and not recognise(header[:-1], 119)
    assert recognise(header[:-1] + b"\1", 120 + (1 << 24)) and not recognise(header[:-1] + b"\1", 120)


UNDRAWN = "in no part of the mesh, not drawn by the game; shown with the first material"
AGAIN = "in several parts of the mesh; shown once, with the last material: before the shape of the mesh is edited"


@pytest.mark.parametrize(
    ("subsets", "draws", "warnings"),
    [
        (SUBSETS, [1, 1], []),
        (u32(1, 3, 4, 0, 1, 0, 3, 0), [1, 1], []),
        (u32(0, 0, 0, 0, 1, 3, 4, 0), [0, 1], [f"1 triangle {UNDRAWN}: delete it, as an export of another shape would have it drawn"]),
        (u32(2, 0, 4, 0, 9, 3, 4, 0), [1, 2], [f"1 triangle {AGAIN}, duplicate it, with the material of the other part"]),
        (
            u32(0xFFFFFFFF, 0xFFFFFFFF, 0, 0, 0, 3, 0, 0),
            [0, 0],
            [f"2 triangles {UNDRAWN}: delete them, as an export of another shape would have them drawn"],
        ),
    ],
)
def test_triangles_in_no_part_or_in_several_are_said(subsets: bytes, draws: list[int], warnings: list[str]) -> None:
    """Each part is drawn by itself: count of triangles, first index, vertices, lowest vertex."""
    data = file(0x1005, b"", mesh(0x1005).replace(SUBSETS, subsets))
    with log.collect() as said:
        lgo = Lgo.parse(data)
    assert lgo.mesh is not None
    assert (lgo.mesh.draws.tolist(), said.digest("WARNING"), lgo.pack()) == (draws, warnings, data)


@pytest.mark.parametrize("influences", [0, 2])
def test_weights_in_use_are_written_as_they_are(influences: int) -> None:
    """The seventh number of a mesh, also where it is 0."""
    result = Lgo.parse(file(0x1005, b"", mesh(0x1005))).mesh
    assert result is not None
    packed = replace(result, influences=influences).pack(0x1005)
    assert np.frombuffer(packed[:28], "<u4")[6] == influences


def test_primitives_that_are_no_triangles_have_none() -> None:
    lgo = Lgo.parse(file(0x1005, b"", mesh(0x1005).replace(u32(FVF, 4, 4), u32(FVF, 5, 4))))
    assert lgo.mesh is not None
    assert (lgo.mesh.triangles.shape, lgo.mesh.triangle_subsets.shape) == ((0, 3), (0,))


def test_indices_that_are_no_whole_number_of_triangles() -> None:
    data = mesh(0x1005).replace(u32(FVF, 4, 4, 6, 2, 2), u32(FVF, 4, 4, 5, 2, 2)).replace(INDICES, INDICES[:-4])
    with log.collect() as said:
        lgo = Lgo.parse(file(0x1005, b"", data))
    assert said.digest("WARNING")[0] == "5 indices are no whole number of triangles"
    assert lgo.mesh is not None and lgo.mesh.triangles.tolist() == [[0, 1, 2]]


def test_weights_through_the_palette() -> None:
    """A vertex without weights hangs on its first bone; the four numbers of a file are two in use."""
    lgo = Lgo.parse(file(0x1005, b"", mesh(0x1005)))
    assert lgo.mesh is not None
    bones, weights = lgo.mesh.bones_and_weights(9)
    assert bones.tolist() == [[7, 8], [8, 7]] * 2
    assert weights.tolist() == [[0.25, 0.75], [1, 0]] * 2
    with log.collect() as said:
        bones, weights = lgo.mesh.bones_and_weights(8)
    assert weights.tolist() == [[0.25, 0], [0, 0]] * 2
    assert said.digest("WARNING")[0].startswith("4 vertices have weights on bones that the skeleton does not have")


def test_weights_that_are_no_numbers_are_none() -> None:
    """A vertex all of whose weights are such hangs on its first bone, as one without."""
    weights = WEIGHTS[:4] + f32(float("inf"), 0.75, 0, 0) + WEIGHTS[20:24] + f32(float("-inf"), float("nan"), 0, 0)
    weights += WEIGHTS[40:64] + f32(float("nan"), float("-inf"), 0, 0)
    result = Lgo.parse(file(0x1005, b"", mesh(0x1005).replace(WEIGHTS, weights))).mesh
    assert result is not None
    assert result.bones_and_weights(9)[1].tolist() == [[0, 0.75], [1, 0], [0.25, 0.75], [1, 0]]


def test_weights_on_bones_that_are_not_there_are_none_of_the_first() -> None:
    """With one bone in the palette whose number is 1: what the second slot names is not there."""
    whole = Lgo.parse(file(0x1005, b"", mesh(0x1005))).mesh
    assert whole is not None
    one = replace(whole, palette=np.ones(1, "<u4"))
    bones, weights = one.bones_and_weights(9)
    assert bones.tolist() == [[1, 0], [0, 1]] * 2
    assert weights.tolist() == [[0.25, 0], [0, 0]] * 2
    assert whole.blend is not None
    with log.collect() as said:
        replace(one, blend=whole.blend[:1], positions=whole.positions[:1]).bones_and_weights(9)
    assert [message.text.split(" on ")[0] for message in said.messages] == ["1 vertex has weights"]


def test_sets_of_texture_coordinates() -> None:
    assert [uv_sets(fvf) for fvf in (0x12, 0x112, 0x212, 0x312, 0x412)] == [0, 1, 2, 1, 4]


def test_record_sizes() -> None:
    """As the specification of the format gives them."""
    assert [kind.itemsize for kind in (MATERIAL, TEXTURE, TEXTURE_1, TEXTURE_0)] == [1004, 208, 240, 208]
    assert MATERIAL_1.itemsize == 8 + 68 + 128 + 4 * 240
    assert MATERIAL_0.itemsize == 68 + 128 + 4 * 208
    assert [kind.itemsize for kind in (DUMMY, OLD_DUMMY, BOX, BOUNDING_BOX, SPHERE, FACE)] == [140, 68, 132, 92, 84, 52]
    assert MESH.itemsize + 8 == 12 + 32 + 4 + 64 + 24 + 8
    assert [kind.itemsize for kind in (BLEND, SUBSET, ELEMENT)] == [20, 16, 8]


def texture(name: bytes, stage: int = 0) -> bytes:
    return u32(stage, 1, 0, 21, 1, 0, 0, 64, 32, 0) + b"\1\2\3\4" + name.ljust(64, b"\0") + u32(0xDEAD) + u32(NONE, 0, 0) * 8


def material(states: bytes, *textures: bytes) -> bytes:
    colours = f32(*(index / 16 for index in range(16)), 25)
    return f32(0.5) + u32(3) + colours + states.ljust(96, b"\xff") + b"".join(textures)


def test_a_material_written_by_hand() -> None:
    slots = [texture("面a.bmp".encode("gb18030")), texture(b"b.tga"), texture(b"left over", NONE), texture(b"not read", 3)]
    data = file(0x1005, u32(1) + material(u32(22, 1, 1, 24, 129, 129), *slots), b"")
    result = Lgo.parse(data).materials
    assert result is not None and len(result) == 1
    record = result.records[0]
    assert (result.opacity(0), result.transparency(0), float(record["power"])) == (0.5, 3, 25)
    assert record["specular"].tolist() == [8 / 16, 9 / 16, 10 / 16, 11 / 16]
    assert result.states(0) == {22: 1, 24: 129}
    assert result.textures(0) == ["面a.bmp", "b.tga"]
    assert record["textures"][0]["colour_key"].tolist() == [1, 2, 3, 4]
    assert (int(record["textures"][0]["width"]), int(record["textures"][0]["data"])) == (64, 0xDEAD)


def test_old_materials() -> None:
    colours = f32(*range(17))
    states = (u32(27, 1, 19, 5, NONE, 0) + bytes(40)) * 2
    old = u32(0, 0) + b"\1\2\3\4" + u32(21) + b"a.bmp".ljust(64, b"\0") + bytes(128)
    none = u32(NONE) + old[4:]
    first = Lgo.parse(file(0, u32(0, 1) + colours + states + old + none * 3)).materials
    assert first is not None
    assert (first.opacity(0), first.transparency(0), first.states(0), first.textures(0)) == (1, 0, {27: 1, 19: 5}, ["a.bmp"])
    newer = texture(b"c.bmp")[:112] + bytes(128)
    second = Lgo.parse(file(0, u32(1, 1) + f32(0.25) + u32(2) + colours + states + newer + (u32(NONE) + newer[4:]) * 3)).materials
    assert second is not None
    assert (second.opacity(0), second.transparency(0), second.states(0), second.textures(0)) == (0.25, 2, {27: 1, 19: 5}, ["c.bmp"])
    with pytest.raises(FormatError, match="materials of version 3"):
        Lgo.parse(file(0, u32(3, 0)))


def test_a_new_material() -> None:
    record = new_material(["我.bmp"], {22: 1})
    result = Materials(record)
    assert (result.opacity(0), result.states(0), result.textures(0)) == (1, {22: 1}, ["我.bmp"])
    assert same(Materials.parse(Reader(result.pack(0x1005)), 0x1005), result)


def test_a_new_material_has_room_for_eight_states_and_four_textures() -> None:
    record = new_material(["a.bmp", "b.bmp", "c.bmp", "d.bmp", "e.bmp"], {state: 2 * state for state in range(7, 15)})
    result = Materials(record)
    assert result.states(0) == {state: 2 * state for state in range(7, 15)}
    assert result.textures(0) == ["a.bmp", "b.bmp", "c.bmp", "d.bmp"]
    assert record["textures"]["stage"].tolist() == [[0, 1, 2, 3]] and record["textures"]["level"].tolist() == [[1, 1, 1, 1]]
    with pytest.raises(ValueError, match="there is room for 8 render states"):
        new_material([], dict.fromkeys(range(9), 1))
    empty = Materials(new_material([]))
    assert (empty.states(0), empty.textures(0)) == ({}, [])


@pytest.mark.parametrize("kind", [MATERIAL, MATERIAL_1, MATERIAL_0])
@pytest.mark.parametrize("count", [0, 2])
def test_a_new_material_in_an_older_file(kind: np.dtype, count: int) -> None:
    """What an older record has a field for is the new one's; how pictures are drawn is as in the first that the file has."""
    known = np.zeros(count, kind)
    known["textures"]["states"].view("<u4")[...] = 9
    known["diffuse"] = 0.25
    new = new_material(["a.bmp"], {22: 1, 24: 129})
    new["diffuse"], new["power"] = [0.5, 0.5, 1, 1], 3
    fitted = fitting(new, known)
    result = Materials(fitted)
    assert fitted.dtype == kind and fitted.shape == (1,)
    assert (result.states(0), result.textures(0), result.opacity(0)) == ({22: 1, 24: 129}, ["a.bmp"], 1)
    assert (fitted["diffuse"][0].tolist(), fitted["power"].tolist()) == ([0.5, 0.5, 1, 1], [3])
    if kind != MATERIAL:
        assert (fitted["textures"]["states"].view("<u4") == (9 if count else 0)).all()


def test_helpers_written_by_hand() -> None:
    dummies = u32(1, 4) + EYE + EYE + u32(2, 6)
    boxes = u32(1, 1, 2, 3) + f32(1, 2, 3, 4, 5, 6) + EYE + b"box".ljust(32, b"\0")
    faces = u32(0, 1, 2, NONE, NONE, NONE) + f32(0, 0, 1, 0, 7, 8, 9)
    meshes = u32(1, 9, 8, 7) + b"wall".ljust(32, b"\0") + u32(6) + EYE + f32(1, 2, 3, 4, 5, 6) + u32(3, 1) + POINTS[:36] + faces
    bounding = u32(1, 11) + f32(1, 2, 3, 4, 5, 6) + EYE
    spheres = u32(1, 12) + f32(1, 2, 3, 4) + EYE
    data = file(0x1005, b"", b"", u32(0x37) + dummies + boxes + meshes + bounding + spheres)
    result = Lgo.parse(data).helpers
    assert isinstance(result, Helpers)
    assert result.dummies is not None and result.boxes is not None and result.meshes is not None
    assert result.bounding_boxes is not None and result.spheres is not None
    assert result.dummies[["id", "parent_type", "parent"]].tolist() == [(4, 2, 6)]
    assert result.boxes["radius"].tolist() == [[4, 5, 6]]
    assert result.meshes[0].vertices.tolist() == [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
    assert result.meshes[0].faces["centre"].tolist() == [[7, 8, 9]]
    assert result.bounding_boxes["id"].tolist() == [11]
    assert result.spheres[["id", "radius"]].tolist() == [(12, 4)]
    assert Lgo.parse(data).pack() == data


@pytest.mark.parametrize(("version", "old"), [(0, b"\2\0\0\0"), (0x1000, b"")])
def test_old_dummies_are_small(version: int, old: bytes) -> None:
    result = Lgo.parse(file(version, b"", b"", old + u32(1, 2) + (u32(4) + EYE) * 2)).helpers
    assert isinstance(result, Helpers) and result.dummies is not None
    assert result.dummies["id"].tolist() == [4, 4]


def lab_body() -> bytes:
    return u32(1, 1, 0, 1) + b"only".ljust(64, b"\0") + u32(0, NONE) + EYE + f32(*range(12))


@pytest.mark.parametrize(("version", "extra"), [(0x1005, False), (0x1004, False), (0, False), (0, True)])
def test_an_animation_written_by_hand(version: int, extra: bool) -> None:
    bones = (u32(3) if version == 0 else b"") + lab_body()
    matrices = u32(2) + f32(*range(24))
    moved, changed = u32(1) + f32(*range(16)), u32(1) + texture(b"x.bmp")
    opacities = [b"opaque!!"] + [b""] * 15 if version >= 0x1005 else []
    spans = [b""] * 64
    blocks = [bones, matrices, *opacities, *spans[:5], moved, *spans[6:], *spans[:9], changed, *spans[10:]]
    data = file(version, b"", b"", b"", (u32(99) if extra else b"") + u32(*map(len, blocks)) + b"".join(blocks))
    result = Lgo.parse(data).animation
    assert isinstance(result, Animation)
    assert result.bones is not None and result.matrices is not None
    assert (result.bones.names, result.bones.old_version, result.old_version) == (
        ("only",),
        3 if version == 0 else 0,
        99 if extra else None,
    )
    assert result.matrices.tolist() == np.arange(24).reshape(2, 4, 3).tolist()
    assert result.opacities == tuple(opacities)
    assert [at for at, track in enumerate(result.texture_matrices) if track is not None] == [5]
    assert [at for at, track in enumerate(result.textures) if track is not None] == [9]
    assert Lgo.parse(data).pack() == data


@given(lgo=lgos())
def test_what_is_written_is_read_again(lgo: Lgo) -> None:
    data = lgo.pack()
    with log.collect() as said:
        read = Lgo.parse(data)
    assert same(read, lgo)
    assert read.pack() == data
    assert not any("cannot be understood" in message.text for message in said.messages)


@given(lgo=lgos(), data=st.data())
def test_any_byte_changed_or_cut(lgo: Lgo, data: st.DataObject) -> None:
    whole = bytearray(lgo.pack())
    for _ in range(3):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    cut = bytes(whole[: data.draw(st.integers(0, len(whole)))])
    for broken in (bytes(whole), cut):
        try:
            read = Lgo.parse(broken)
        except FormatError:
            continue
        assert read.pack() == broken
        if read.mesh is not None:
            assert read.mesh.triangle_subsets.shape == (len(read.mesh.triangles),)
            if read.mesh.blend is not None:
                read.mesh.bones_and_weights(4)


GOOD = file(0x1005, u32(1) + material(b"", *[texture(b"a")] * 4), mesh(0x1005), u32(0x20, 1, 2) + f32(0, 0, 0, 1) + EYE)
MESH_AT = 120 + 1008


def test_cut_off_anywhere() -> None:
    for length in range(len(GOOD)):
        with pytest.raises(FormatError):
            Lgo.parse(GOOD[:length])


def put(data: bytes, at: int, value: bytes) -> bytes:
    return data[:at] + value + data[at + len(value) :]


@pytest.mark.parametrize(
    ("data", "problem", "offset"),
    [
        (b"\x1f\x8b\x08\0" + GOOD, "compressed file (gzip)", None),
        (bytes(8) + GOOD, "older .lgo dialect", None),
        (bytes(8), "older .lgo dialect", None),
        (bytes(4000), "older .lgo dialect", None),
        (put(GOOD, 0, u32(0x1006)), "not a mesh file: version 0x1006", 0),
        (put(GOOD, 0, u32(1)), "not a mesh file: version 0x1", 0),
        (put(GOOD, 104, u32(len(GOOD))), "blocks of", 104),
        (put(GOOD, 104, u32(NONE, NONE, NONE, NONE)), "blocks of", 104),
        (put(GOOD, 120, u32(2)), "materials: 2 items of 1004 bytes expected, 1004 bytes left", 124),
        (put(GOOD, MESH_AT + 8, u32(NONE)), "positions", MESH_AT + 136),
        (put(GOOD, MESH_AT + 12, u32(7)), "subsets", None),
        (file(0, b"", mesh(0, 1).replace(u32(1), u32(2), 1)), "a mesh of version 2", 120),
    ],
)
def test_refused(data: bytes, problem: str, offset: int | None) -> None:
    with pytest.raises(FormatError) as caught:
        Lgo.parse(data)
    assert problem in caught.value.problem
    assert offset is None or caught.value.offset == offset


def test_a_triangle_on_a_vertex_that_is_not_there() -> None:
    data = GOOD.replace(INDICES, u32(0, 1, 2, 0, 4, NONE))
    lgo = Lgo.parse(data)
    assert lgo.pack() == data
    held = holdable(surface_of(lgo, 2, [None], ""))
    assert (len(held.points), held.corners.tolist()) == (4, [0, 1, 2])


def test_object_number_0_of_version_0_is_no_older_dialect() -> None:
    data = file(0, b"", mesh(0, 1), start=u32(0, NONE, 0))
    assert data[:8] == bytes(8)
    assert Lgo.parse(data).pack() == data


@pytest.mark.parametrize(
    ("data", "warning"),
    [
        (GOOD + b"!!", "2 bytes after the last block; kept"),
        (put(GOOD, 104 + 8, u32(len(GOOD) - MESH_AT - len(mesh(0x1005)) - 1)) , "the helpers cannot be understood"),
        (file(0x1005, b"", b"", b"", b"\1\2\3"), "the animation cannot be understood"),
        (file(0x1005, b"", mesh(0x1005) + b"more"), "4 bytes more than the mesh take; kept"),
        (put(GOOD, MESH_AT + 4, u32(5)), "primitives of type 5"),
        (GOOD.replace(POINTS, f32(float("nan")) + POINTS[4:]), "values that are not finite in the mesh"),
        (GOOD.replace(WEIGHTS, WEIGHTS[:4] + f32(float("inf")) + WEIGHTS[8:]), "values that are not finite in the mesh"),
        (file(0x1005, b"", b"", b"", u32(4 + len(lab_body()), *[0] * 145) + lab_body() + b"more"), "the animation cannot be understood"),
        (file(0x1005, b"", b"", b"", u32(0, 8, *[0] * 144) + u32(0) + b"more"), "the animation cannot be understood"),
    ],
)  # fmt: skip
def test_odd_but_read(data: bytes, warning: str) -> None:
    with log.collect() as said:
        assert Lgo.parse(data).pack() == data
    assert any(warning in message for message in said.digest("WARNING"))


def test_a_changed_field_changes_its_own_bytes() -> None:
    lgo = Lgo.parse(GOOD)
    assert lgo.mesh is not None
    for change, at in (({"object_id": 6}, 4), ({"kind": 9}, 12), ({"control": lgo.control + 1}, 80), ({"state": bytes(8)}, 96)):
        packed = dataclasses.replace(lgo, **change).pack()
        assert packed[:at] == GOOD[:at]
        assert packed[at : at + 16] != GOOD[at : at + 16]
        assert packed[at + 16 :] == GOOD[at + 16 :]
    moved = dataclasses.replace(lgo.mesh, positions=lgo.mesh.positions + 1)
    packed = dataclasses.replace(lgo, mesh=moved).pack()
    assert packed == GOOD.replace(POINTS, f32(*(value + 1 for value in struct.unpack("<12f", POINTS))))


def test_the_games_own_files(game_file: Callable[[str], Path]) -> None:
    files = sorted(game_file("mindpower/model/character").glob("*.lgo"))
    assert files
    for path in files:
        with log.collect() as said:
            lgo = Lgo.parse(path.read_bytes())
        assert lgo.pack() == path.read_bytes()
        assert lgo.mesh is not None and lgo.mesh.normals is not None
        finite = np.isfinite(lgo.mesh.positions).all() and np.isfinite(lgo.mesh.normals).all() and np.isfinite(lgo.mesh.uvs).all()
        assert [message.text for message in said.messages] == ([] if finite else ["values that are not finite in the mesh; kept"])
        _, weights = lgo.mesh.bones_and_weights(100)
        assert np.allclose(weights.sum(axis=1), 1, atol=1e-6)
        # The winding that the specification found: the computed normal points to the same side as the stored ones.
        corners = lgo.mesh.positions[lgo.mesh.triangles].astype(np.float64)
        computed = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        stored = lgo.mesh.normals[lgo.mesh.triangles].astype(np.float64).sum(axis=1)
        with_area = np.abs(computed).max(axis=1) > 0
        least = 0.98 if path.stem == "0289000000" else 0.99  # 4 of its 258 triangles face the other way
        assert (np.einsum("ij,ij->i", computed, stored)[with_area] > 0).mean() > least


def test_weights_through_an_empty_palette_are_none() -> None:
    """Every index leads nowhere, and that is said."""
    whole = Lgo.parse(file(0x1005, b"", mesh(0x1005))).mesh
    assert whole is not None
    with log.collect() as said:
        bones, weights = replace(whole, palette=whole.palette[:0]).bones_and_weights(9)
    assert not bones.any() and not weights.any()
    assert said.digest("WARNING")[0].startswith("4 vertices have weights on bones")
