"""Animation files: the three retail headers, every kind byte by byte, and broken ones."""

from __future__ import annotations

import struct
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from retro_anim.core.files.document import same
from retro_anim.core.oni2.files import anim
from retro_anim.core.oni2.files.anim import Anim
from retro_anim.core.oni2.formats import ANIM
from retro_anim.core.reporting import log
from retro_anim.core.reporting.errors import FormatError
from support.oni2.oni2_strategies import anims

HEADERS = {
    "ANI1": "414E4931 00000080 21000000 78000000 BD974DBD 00000000 63A703BF",
    "ani": "616E6900 01000000 51000000 A2000000 7D187DBD 00000000 00000000 01",
    "null": "00000000 51000000 A2000000 AA9D003E 01",
}
"""kno_atk_comb_bak_bakkckCH, kno_atk_BLH1_lft_punch and kno_BR2H1_HighPunchBackRight."""

EXPECTED = {
    "ANI1": (0x80000000, 33, 120, (-0.0502, 0, -0.5143), False, 28, 16264),
    "ani": (1, 81, 162, (-0.0618, 0, 0), True, 29, 52517),
    "null": (None, 81, 162, (0, 0, 0.1256), True, 17, 52505),
}


def retail(kind: str) -> bytes:
    header = bytes.fromhex(HEADERS[kind])
    return header + np.arange((EXPECTED[kind][-1] - len(header)) // 4, dtype="<f4").tobytes()


@pytest.mark.parametrize("kind", HEADERS)
def test_retail_headers(kind: str) -> None:
    flags, frames, channels, stride, loops, header, size = EXPECTED[kind]
    data = retail(kind)
    assert len(bytes.fromhex(HEADERS[kind])) == header
    assert len(data) == size
    document = Anim.parse(data)
    assert (document.kind, document.flags, document.loops) == (kind, flags, loops)
    assert document.values.shape == (frames, channels)
    assert document.travel == pytest.approx(stride, abs=5e-5)
    assert document.pack() == data
    assert anim.recognise(data[:4096], size)
    assert not anim.recognise(data[:4096], size - 4)


@pytest.mark.parametrize("kind", HEADERS)
def test_kind_and_numbers_of_frames_and_channels_are_enough_to_know_it(kind: str) -> None:
    """Twelve bytes of what has no flags, sixteen of the others."""
    data, least = retail(kind), 12 if kind == "null" else 16
    assert anim.recognise(data[:least], len(data)) and not anim.recognise(data[: least - 1], len(data))
    for at in (least - 8, least - 4):
        assert not anim.recognise(data[:at] + bytes(4) + data[at + 4 : 64], len(data))


@pytest.mark.parametrize(("kind", "flags", "row"), [("ANI1", 0, [0, 1, 10, 11, 12]), ("ani", 1, [10, 11, 12, 0, 1])])
def test_deltas_stand_before_or_after_the_channels(kind: anim.Kind, flags: int, row: list[int]) -> None:
    values, deltas = np.arange(4, dtype="<f4").reshape(2, 2), np.arange(6, dtype="<f4").reshape(2, 3) + 10
    document = anim.build(kind, flags, np.array([1.0, 2, 3]), 1, values, deltas)
    parsed = Anim.parse(document.pack())
    assert parsed.table[0].tolist() == row
    assert parsed.deltas is not None
    assert parsed.values.tolist() == values.tolist()
    assert parsed.deltas.tolist() == deltas.tolist()


@pytest.mark.parametrize(
    ("kind", "flags", "size"),
    [("ANI1", 0, 940), ("ANI1", 0x80000001, 1084), ("ani", 0, 933), ("ani", 1, 941), ("ani", 3, 1085), ("null", 0, 929)],
)
def test_sizes_of_the_worked_example(kind: anim.Kind, flags: int, size: int) -> None:
    """Twelve frames of nineteen channels."""
    deltas = np.zeros((12, 3), "<f4") if anim.has_deltas(kind, flags) else None
    document = anim.build(kind, flags, np.zeros(3), 0, np.zeros((12, 19), "<f4"), deltas)
    assert len(document.pack()) == size
    assert Anim.parse(document.pack()).channel_count == 19


@given(anims())
def test_documents_come_back(document: Anim) -> None:
    with log.collect() as said:
        again = Anim.parse(document.pack())
    assert same(again, document)
    assert bool(said.messages) == bool(document.tail)
    with log.collect() as said:
        assert same(Anim.again(document.pack()), document)
    assert said.messages == []


@given(anims(kinds=("beta",)))
def test_the_beta_dialect_opens_on_demand(document: Anim) -> None:
    data = document.pack()[: 13 + document.table.nbytes]
    if data[:4] in (b"ANI1", b"ani\0"):
        return
    with pytest.raises(FormatError, match="on demand"):
        Anim.parse(data)
    assert same(Anim.parse(data, beta=True).table, document.table)
    assert Anim.parse(data, beta=True).pack() == Anim.again(data).pack() == data
    assert not anim.recognise(data, len(data))


@given(anims(), st.data())
def test_cut_off_and_changed_bytes(document: Anim, data: st.DataObject) -> None:
    whole = document.pack()
    least = len(whole) - len(document.tail)
    for length in range(least):
        with pytest.raises(FormatError):
            Anim.parse(whole[:length])
    broken = bytearray(whole)
    broken[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    with suppress(FormatError):
        assert Anim.parse(bytes(broken)).pack() == bytes(broken)


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "too few"),
        (b"cmp\0" + struct.pack("<2IfB", 1, 6, 0, 0) + bytes(10), "compressed Smuggler's Run 2 animation is not supported"),
        (b"RIFF" + bytes(40), "not an Oni 2 animation"),
        (b"ANI1" + struct.pack("<3I3f", 0, 0xFFFFFFFF, 0xFFFFFFFF, 0, 0, 0) + bytes(8), "instead of the"),
        (b"ANI1" + struct.pack("<3I3f", 0, 0, 3, 0, 0, 0), "0 frames"),
        (b"ANI1" + struct.pack("<3I3f", 0, 3, 0, 0, 0, 0), "0 channels"),
        (bytes(4) + struct.pack("<2IfB", 2, 2, float("nan"), 0) + bytes(16), "stride"),
        (bytes(4) + struct.pack("<2IfB4f", 2, 2, 0, 0, 0, 0, 0, float("inf")), "frame 1, channel 1"),
        (b"ani\0" + struct.pack("<3IfB4f", 2, 1, 1, 0, 0, 0, float("nan"), 0, 0), "frame 0, delta 1"),
    ],
)
def test_what_is_refused(data: bytes, problem: str) -> None:
    with pytest.raises(FormatError, match=problem):
        Anim.parse(data)


def test_a_value_that_is_no_number_is_told_by_its_offset() -> None:
    data = bytearray(retail("null"))
    data[17 + 4 * (162 * 3 + 5) : 17 + 4 * (162 * 3 + 6)] = struct.pack("<f", float("nan"))
    with pytest.raises(FormatError) as caught:
        Anim.parse(bytes(data))
    assert (caught.value.problem, caught.value.offset) == ("frame 3, channel 5: not a finite number", 17 + 4 * (162 * 3 + 5))


@given(anims())
def test_facts(document: Anim) -> None:
    """A frame is a thirtieth of a second, and the last one is shown for none."""
    facts, (frames, channels) = ANIM.describe(document), document.values.shape
    assert (facts["frames"], facts["channels"], facts["keys"]) == (frames, channels, frames * channels)
    assert facts["duration"] == pytest.approx((frames - 1) / 30, abs=1e-6)


@pytest.mark.parametrize(("column", "name"), [(0, "delta 0"), (2, "delta 2"), (3, "channel 0"), (4, "channel 1")])
def test_a_number_that_is_none_is_called_as_what_it_is(column: int, name: str) -> None:
    """In this kind the three deltas of a frame stand before its channels."""
    document = anim.build("ani", 1, np.zeros(3), 0, np.ones((2, 2), "<f4"), np.ones((2, 3), "<f4"))
    table = document.table.copy()
    table[1, column] = np.nan
    with pytest.raises(FormatError, match=f"frame 1, {name}: not"):
        Anim.parse(document.pack().replace(document.table.tobytes(), table.tobytes()))
