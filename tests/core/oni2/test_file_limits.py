"""What just still is a file of the game, and what is not; where bytes and words are looked for."""

from __future__ import annotations

import struct
from dataclasses import replace

import numpy as np
import pytest
from retro_anim.core.oni2.files import anim
from retro_anim.core.oni2.files.anim import Anim
from retro_anim.core.oni2.files.dave import Dave
from retro_anim.core.oni2.files.header import Header
from retro_anim.core.oni2.files.mesh import mod
from retro_anim.core.oni2.files.mesh.mod_write import Triangles, model_of
from retro_anim.core.oni2.files.mesh.model import Surface
from retro_anim.core.oni2.files.skeleton import skel
from retro_anim.core.oni2.files.skeleton.skel import Skel
from retro_anim.core.oni2.motion.motion import Conversion
from retro_anim.core.oni2.motion.sampling import Samples
from retro_anim.core.oni2.motion.update import Before
from retro_anim.core.reporting import log
from retro_anim.core.reporting.errors import ExportError, FormatError
from support.oni2.oni2_files import FRAME, TWO_BONES, dave

from .conversions import conversion_of, frames_of, gather, imported, sampled, update


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"RIF", "not an Oni 2 animation: 3 bytes are too few"),
        (b"RIFF", "not an Oni 2 animation"),
        (struct.pack("<2I", 1, 1) + bytes(5 + 4 * 6 - 1), "not an Oni 2 animation"),
        (b"ANI1" + struct.pack("<3I3f", 0, 1, 2, 0, 0, 0) + bytes(7), "35 bytes instead of the 36 that 1 frames of 2 channels take"),
    ],
)
def test_what_is_no_animation_is_refused_as_that(data: bytes, problem: str) -> None:
    with pytest.raises(FormatError) as raised:
        Anim.parse(data)
    assert raised.value.problem == problem


def test_the_dialect_without_a_magic_has_thirteen_bytes_before_its_frames() -> None:
    """Frames, bones, a float and a byte; then three numbers a bone and three for the root."""
    data = struct.pack("<2IfB", 2, 1, 0.5, 7) + np.arange(12, dtype="<f4").tobytes()
    document = Anim.parse(data, beta=True)
    assert (document.kind, document.flags, document.loop, document.stride.tolist(), document.channel_count) == ("beta", None, 7, [0.5], 6)
    assert document.values.tolist() == [[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]] and document.pack() == data
    assert anim.is_beta(data, len(data)) and not anim.is_beta(data, len(data) + 4) and not anim.is_beta(data[:7], len(data))


def test_a_compressed_animation_is_known_by_more_than_its_header() -> None:
    """Which has 17 bytes."""
    assert anim.recognise(b"cmp\0" + bytes(14), 18) and not anim.recognise(b"cmp\0" + bytes(13), 17)


@pytest.mark.parametrize(("kind", "flags"), [("ANI1", 0x80000001), ("ANI1", 2), ("ani", 3), ("ani", 0), ("null", 0)])
def test_an_animation_is_known_by_its_size_to_the_byte(kind: anim.Kind, flags: int) -> None:
    deltas = np.zeros((2, 3), "f4") if anim.has_deltas(kind, flags) else None
    data = anim.build(kind, flags, np.ones(3), 1, np.zeros((2, 5), "f4"), deltas).pack()
    assert anim.recognise(data, len(data))
    assert not any(anim.recognise(data, len(data) + off) for off in (-4, -1, 1, 4))


@pytest.mark.parametrize("text", [b"bone a {\0 offset", b"Version: 101\0\nNumBones 1 bone", b"bone {", b"numbones 4 foo", b"x bone a {"])
def test_what_is_no_text_or_begins_otherwise_is_no_skeleton(text: bytes) -> None:
    assert not skel.recognise(text, len(text))


def test_the_last_bone_is_pointed_at_by_its_parent() -> None:
    skeleton = Skel.parse(TWO_BONES.encode()).skeleton()
    assert skeleton.tips[0].tolist() == skeleton.heads[1].tolist() == pytest.approx([0, 1.2, 0])


def test_two_clauses_of_a_mesh_make_it_one() -> None:
    """Vertices, and a version before or a material or packet behind them; a version with a zero is the binary form."""
    for head in (
        b"version: 1.10\nv 0 0 0",
        b"# a\n  // b\nversion: 1\nv 0 0 0",
        b"v 1 2 3\nmtl a {",
        b"v 1 2 3\npacket 1",
        b"version: 3\0",
    ):
        assert mod.recognise(head, len(head))
    for head in (b"v 0 0 0", b"version: 1.10\n", b"v 1 2 3\nmtl a", b"v 1 2 3\n\0mtl a {", b"v a b\nmtl a {"):
        assert not mod.recognise(head, len(head))


def triangles(normals: list[list[float]]) -> Triangles:
    return Triangles(
        points=np.eye(3), bones=np.zeros(3, np.int64), corners=np.array([[0, 1, 2]]), normals=np.array([normals]), uvs=None, colours=None,
        materials=np.zeros(1, np.int64),
    )  # fmt: skip


def test_normals_that_are_the_same_to_six_decimals_are_one() -> None:
    mesh = triangles([[0.1234561, 0, 1], [0.1234564, 0, 1], [0.1234571, 0, 1]])
    model = model_of(mesh, np.zeros((1, 3)), [Surface("a", 0, (0.0, 0.0, 0.0), "")])
    assert len(model.normals) == 2 and model.packets[0].adjuncts[:, 1].tolist() == [0, 0, 1]


def test_the_game_has_room_for_255_materials() -> None:
    surfaces = [Surface("a", 0, (0.0, 0.0, 0.0), "")] * 256
    assert len(model_of(triangles([[0, 0, 1]] * 3), np.zeros((1, 3)), surfaces[1:]).surfaces) == 255
    with pytest.raises(ExportError, match="256 materials; the game has room for 255"):
        model_of(triangles([[0, 0, 1]] * 3), np.zeros((1, 3)), surfaces)


def test_a_name_that_begins_outside_the_names_is_none() -> None:
    """The first byte behind the entries is the first of the names; the last byte of the file may be a name's."""
    data = bytearray(dave({"a": b"", "b": b"x"}))
    assert [Dave.parse(data).name(index) for index in range(2)] == ["a", "b"]
    for start, name in ((-1, ""), (0, "a"), (len(data) - 0x800 - 32 - 1, "x"), (len(data) - 0x800 - 32, "")):
        data[0x800:0x804] = struct.pack("<i", start)
        if start >= 0:
            assert Dave.parse(data).name(0) == name


def test_an_entry_is_inside_the_file_behind_the_entries() -> None:
    data = bytearray(dave({"a": b"12345"}))
    offset = len(data) - 5
    assert (Dave.parse(data).read(0), Dave.parse(data).find("A")) == (b"12345", 0)
    for where, stands in ((offset + 1, None), (0x800 + 16 - 1, None), (0x800 + 16, b"a\0\0\0\0")):
        data[0x804:0x808] = struct.pack("<I", where)
        if stands is not None:
            assert Dave.parse(data).read(0) == stands
            continue
        with pytest.raises(FormatError, match="entry 0 lies outside the file: 5 bytes") as raised:
            Dave.parse(data).read(0)
        assert raised.value.offset == 0x800
    for index in (-1, 1):
        with pytest.raises(FormatError, match=f"there is no entry {index}; the archive has 1"):
            Dave.parse(data).read(index)


def walking(loops: bool) -> tuple[Conversion, Samples, Header]:
    """The root goes 0.5 along Z with each of three frames; the kind has deltas."""
    values = np.tile(np.array(FRAME, "f4"), (3, 1))
    values[:, 2] = [0, 0.5, 1]
    clip = anim.build("ANI1", int(loops), np.zeros(3), 0, values, None)
    conversion = conversion_of(Skel.parse(TWO_BONES.encode()))
    with log.collect():
        curves = imported(clip, conversion)
        frames = np.arange(3.0) + frames_of(curves, conversion)[0]
        samples = gather(curves, frames, sampled(curves, frames, conversion), conversion)
    return conversion, samples, Header.of(clip).with_deltas(True)


@pytest.mark.parametrize(
    ("loops", "onwards", "last"), [(True, [0.25, 0, 2.0], [0.25, 0, 2]), (True, None, [0, 0, 0.5]), (False, [0.25, 0, 2.0], [0, 0, 0])]
)
def test_the_last_delta_of_a_loop_leads_to_the_key_that_closes_it(loops: bool, onwards: list[float] | None, last: list[float]) -> None:
    """Without such a key it goes on as it did; what does not loop ends there."""
    conversion, samples, header = walking(loops)
    samples = replace(samples, onwards=None if onwards is None else np.array(onwards))
    new = update(samples, conversion, header, None)
    assert new.deltas is not None and new.deltas[:2, 2].tolist() == [0.5, 0.5]
    assert new.deltas[2].tolist() == pytest.approx(last) and new.stride.tolist() == pytest.approx([last[0], 0, 1 + last[2]])


def test_a_loop_that_nobody_moved_keeps_its_stride_also_with_a_key_that_closes_it() -> None:
    """Whatever that is: the root goes 1 along Z, and the file says -7."""
    values = np.tile(np.array(FRAME, "f4"), (3, 1))
    values[:, 2] = [0, 0.5, 1]
    clip = anim.build("null", 0, np.array([0, 0, -7.0]), 1, values, None)
    conversion = conversion_of(Skel.parse(TWO_BONES.encode()))
    curves, before = imported(clip, conversion), Before.of(clip, conversion)
    for closes in (False, True):
        frames = before.samples.frames[0] + np.arange(3.0 + closes)
        samples = replace(gather(curves, frames, sampled(curves, frames, conversion), conversion), closes=closes)
        assert update(samples, conversion, Header.of(clip), before).pack() == clip.pack()


def test_one_bone_is_enough_for_the_dialect_without_a_magic() -> None:
    """Three numbers for it, and three for the root."""
    conversion = conversion_of(Skel.parse(b"bone root { offset 0 0 0 }"))
    clip = anim.build("beta", 0, np.zeros(3), 0, np.arange(12, dtype="f4").reshape(2, 6), None)
    curves, before = imported(clip, conversion), Before.of(clip, conversion)
    samples = gather(curves, before.samples.frames, sampled(curves, before.samples.frames, conversion), conversion)
    assert update(samples, conversion, Header.of(clip), before).pack() == clip.pack()
