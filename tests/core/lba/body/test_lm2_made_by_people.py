"""Bodies of LBA2 that people wrote: their header gives no version, size or box; they are posed as any body and kept to the byte."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from retro_anim.core import formats
from retro_anim.core.files.document import same
from retro_anim.core.lba.body.body import Body
from retro_anim.core.lba.files.anm import Anm
from retro_anim.core.lba.files.lm1 import Lm1
from retro_anim.core.lba.files.lm2 import Lm2
from retro_anim.core.lba.files.palette import Palette
from retro_anim.core.lba.files.variant import LBA2
from retro_anim.core.lba.motion.evaluate import evaluate
from retro_anim.core.lba.motion.playback import state_at
from retro_anim.core.reporting import log
from retro_anim.core.reporting.errors import FormatError
from support.lba import lba1_chain
from support.lba import lba2_chain as chain2

from .. import reference
from ..strategies import lm2s

NOTHING = bytes(32)
MADE = NOTHING + chain2.LM2[32:]
"""The chain's body with a header of zeros before the table of sections."""


def with_group(index: int, at: int, value: int, data: bytes = MADE) -> bytes:
    start = 96 + 8 * index + at
    return data[:start] + struct.pack("<H", value) + data[start + 2 :]


def posed(data: bytes, anm: bytes = chain2.ANM) -> np.ndarray:
    document = Anm.parse(anm)
    return evaluate(Body.of(Lm2.parse(data)), state_at(document, LBA2, document.times.astype(float)), LBA2).points


def slow(body: Lm2, anm: Anm, key: int) -> np.ndarray:
    """(P, 3) the points at a keyframe, one number at a time, groups without a parent at the origin."""
    world: list[list[float]] = []
    matrices: list[reference.Matrix] = []
    for index, (parent, pivot, count, _) in enumerate(body.groups.tolist()):
        moves = index > 0 and index < anm.bone_count and int(anm.types[key, index]) & 1
        values = anm.values[key, index].tolist() if 0 < index < anm.bone_count else [0, 0, 0]
        root = index == 0 or parent == 0xFFFF
        above = [[1.0, 0, 0], [0, 1.0, 0], [0, 0, 1.0]] if root else matrices[parent]
        alpha, beta, gamma = (0 if moves else value * 2 * np.pi / 4096 for value in values)
        matrices.append(reference.product(above, reference.rotation(alpha, beta, gamma)))
        origin = [0.0, 0.0, 0.0] if root else world[pivot]
        for local in body.points["position"][len(world) : len(world) + count].tolist():
            shifted = [one + more for one, more in zip(local, values if moves else (0, 0, 0), strict=True)]
            world.append([origin[row] + sum(matrices[-1][row][k] * shifted[k] for k in range(3)) for row in range(3)])
    return np.array(world)


def lasting(anm: Anm) -> list[int]:
    """Keyframes that share their time with no other."""
    return [key for key, time in enumerate(anm.times) if (anm.times == time).sum() == 1]


def test_a_header_of_zeros() -> None:
    body = Lm2.parse(MADE)
    assert (body.info, body.header_size, body.box.tolist(), body.animated, body.pack() == MADE) == (0, 0, [0] * 6, True, True)
    assert Body.of(body).group_count == 5
    np.testing.assert_array_equal(posed(MADE), posed(chain2.LM2))
    for name in ("body.lm2", "body", "0.lm1"):
        known = formats.recognise(MADE[: formats.HEAD], len(MADE), name)
        assert known is not None and known.name == ("LM1" if name.endswith("lm1") else "LM2")
    with pytest.raises(FormatError, match="this is an LBA2 body"):
        Lm1.parse(MADE)
    with pytest.raises(FormatError, match="this is an LBA1 body"):
        Lm2.parse(lba1_chain.LM1)


@pytest.mark.parametrize("at", range(0, 32, 2))
def test_any_word_of_the_header_is_kept(at: int) -> None:
    data = MADE[:at] + b"\x34\x02" + MADE[at + 2 :]
    body = Lm2.parse(data)
    assert (body.pack() == data, body.animated) == (True, True)
    assert formats.recognise(data[: formats.HEAD], len(data), "x").name == "LM2"  # pyright: ignore[reportOptionalMemberAccess]


def test_groups_that_make_no_sense_do_not_move() -> None:
    for data in (with_group(3, 0, 900), with_group(3, 2, 5000), with_group(1, 4, 4), with_group(3, 0, 900, chain2.LM2)):
        body = Lm2.parse(data)
        assert (body.animated, body.pack() == data, Body.of(body).group_count) == (False, True, 1)


def test_one_group_does_not_move() -> None:
    body_bytes = NOTHING + chain2.lm2((chain2.POINTS, [(0xFFFF, 0, 11, 0)]), runs=[])[32:]
    assert (Lm2.parse(body_bytes).animated, Body.of(Lm2.parse(body_bytes)).group_count) == (False, 1)


@pytest.mark.parametrize("data", [MADE, chain2.LM2])
def test_several_groups_without_a_parent(data: bytes) -> None:
    """Each stands at the origin, and rotates there as its bone says; in Blender they hang on the first, which carries the character."""
    body_bytes = with_group(3, 0, 0xFFFF, data)
    body = Body.of(Lm2.parse(body_bytes))
    assert (body.parents.tolist(), body.skeleton().parents.tolist()) == ([-1, 0, 1, -1, 2], [-1, 0, 1, 0, 2])
    assert body.pivot_positions[3].tolist() == [0, 0, 0]
    anm = Anm.parse(chain2.ANM)
    result = posed(body_bytes)
    for key in lasting(anm):
        np.testing.assert_allclose(result[key], slow(Lm2.parse(body_bytes), anm, key), atol=1e-9)


def test_the_first_group_is_the_root_whatever_it_says() -> None:
    np.testing.assert_array_equal(posed(with_group(0, 0, 0)), posed(chain2.LM2))


@pytest.mark.parametrize("section", [3, 6, 7])
@pytest.mark.parametrize("offset", [0, 96, 0xFFFFFFFF])
def test_sections_without_a_record_may_be_anywhere(section: int, offset: int) -> None:
    """Those that a body lacks."""
    points = NOTHING + chain2.lm2(runs=[])[32:]
    name, whole = ("face_normals", "spheres", "textures")[(3, 6, 7).index(section)], Lm2.parse(chain2.LM2)
    empty = replace(Lm2.parse(points), **{name: np.zeros(0, "V8")})
    plain = empty.pack()
    at = 0x20 + 8 * section
    data = plain[: at + 4] + struct.pack("<I", offset) + plain[at + 8 :]
    body = Lm2.parse(data)
    assert body.pack() == data
    assert formats.recognise(data[: formats.HEAD], len(data), "x").name == "LM2"  # pyright: ignore[reportOptionalMemberAccess]
    filled = replace(body, **{name: getattr(whole, name)})
    assert same(getattr(Lm2.parse(filled.pack()), name), getattr(whole, name)), "what is added has its place"


def test_without_normals() -> None:
    body = replace(Lm2.parse(MADE), normals=Lm2.parse(MADE).normals[:0])
    mesh = Body.of(Lm2.parse(body.pack())).mesh(Palette.plain())
    assert mesh is not None and np.isfinite(mesh.normals).all()


@given(body=lm2s(animated=True), header=st.binary(min_size=32, max_size=32))
def test_any_body_with_any_header(body: Lm2, header: bytes) -> None:
    data = header[:4] + b"\0\0" + header[6:] + body.pack()[32:]
    read = Lm2.parse(data)
    assert read.pack() == data
    assert same(read.points, body.points)
    assert Body.of(read).group_count == (len(body.groups) if len(body.groups) > 1 or read.info & 0x100 else 1)


@given(data=st.data())
def test_spoiled_bytes_are_refused_or_kept(data: st.DataObject) -> None:
    spoiled = bytearray(MADE)
    for _ in range(data.draw(st.integers(1, 4))):
        spoiled[data.draw(st.integers(0, len(spoiled) - 1))] = data.draw(st.integers(0, 255))
    try:
        body = Lm2.parse(spoiled)
    except FormatError:
        return
    assert body.pack() == spoiled
    Body.of(body).mesh(Palette.plain())


@pytest.mark.parametrize(("name", "groups", "clip"), [("Human_Hand", 18, "Human_Hand_P1"), ("Twinsen_Mario_LBA2", 15, "Twinsen_Walk")])
def test_the_given_bodies(game_file: Callable[[str], Path], name: str, groups: int, clip: str) -> None:
    path = game_file(f"lba2/{name}.lm2")
    opened = formats.open_file(path)
    assert (opened.format.name, opened.document.pack() == path.read_bytes()) == ("LM2", True)
    body, anm = Body.of(opened.document), Anm.parse(game_file(f"lba2/{clip}.anm").read_bytes())
    assert body.group_count == groups
    result = posed(path.read_bytes(), anm.pack())
    for key in lasting(anm):
        np.testing.assert_allclose(result[key], slow(opened.document, anm, key), atol=1e-6)
    assert np.ptp(result, axis=0).max() > 50


def test_groups_that_cannot_be_posed_are_named_without_a_header_too() -> None:
    """A parent that comes later: the body comes in at rest, and is kept to the byte."""
    data = with_group(2, 0, 4)
    with log.collect() as said:
        body = Lm2.parse(data)
    assert said.digest("WARNING") == ["group 2: its parent does not come before it (4) (offset 0x70): its groups do not move"]
    assert not body.animated and body.pack() == data
