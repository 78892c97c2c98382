"""The animation file, field by field."""

from __future__ import annotations

import dataclasses
import struct
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from retro_anim.core.files.document import same
from retro_anim.core.lba.body.body import Body
from retro_anim.core.lba.characters.which_game import game_of
from retro_anim.core.lba.files.anm import Anm, frame_dtype, guess_game, recognise
from retro_anim.core.lba.files.lm1 import Lm1
from retro_anim.core.lba.files.lm2 import Lm2
from retro_anim.core.lba.files.variant import LBA1, LBA2, Variant
from retro_anim.core.reporting import log
from retro_anim.core.reporting.errors import FormatError
from support.lba import lba1_chain as chain
from support.lba import lba2_chain as chain2

from ..strategies import anms

ROTATE, TRANSLATE, ZOOM = 0, 1, 2
"""The words of the file."""


def anm(loop: int = 0, word3: int = 0, duration: int = 5, kind: int = 0, value: int = 0, frames: int = 2) -> bytes:
    """Two bones; every keyframe the same."""
    bones = struct.pack("<H3h", 0, 0, 0, 0) + struct.pack("<H3h", kind, value, 0, 0)
    return struct.pack("<4H", frames, 2, loop, word3) + frames * (struct.pack("<H3h", duration, 0, 0, 0) + bones)


def test_the_fields_of_a_file_written_by_hand() -> None:
    document = Anm.parse(chain.ANM)
    assert (len(document.frames), document.bone_count, document.loop_frame, document.word3) == (4, 5, 1, 1)
    assert document.durations.tolist() == [10, 15, 10, 5]
    assert document.times.tolist() == [0, 15, 25, 30]
    assert document.steps.tolist() == [[0, 0, 0], [0, 0, 240], [0, 0, 240], [10, -20, 30]]
    assert document.types.tolist() == [[0, 1, 0, 0, 0], [0, 1, 0, 0, 0], [1, 1, 0, 0, 0], [1, 1, 0, 0, 0]]
    assert document.values[1].tolist() == [[0, 0, 0], [0, 12, -8], [1000, 40, 0], [24, 0, 100], [128, 0, 0]]
    assert document.values[2].tolist() == [[0, 64, 0], [0, -12, 8], [24, 984, 300], [1000, 0, 924], [896, 512, 0]]
    assert document.values[3].tolist() == [[0, -64, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]]
    assert document.loops
    assert document.pack() == chain.ANM


@given(document=anms())
def test_what_is_written_is_read_again(document: Anm) -> None:
    data = document.pack()
    assert len(data) == 8 + len(document.frames) * (8 + 8 * document.bone_count)
    assert same(Anm.parse(data), document)
    assert recognise(data[:4096], len(data))


@pytest.mark.parametrize(
    ("path", "at"),
    [
        (("duration", 2), 8 + 2 * 48),
        (("step", (1, 2)), 8 + 48 + 2 + 4),
        (("bones", "type", (3, 4)), 8 + 3 * 48 + 8 + 4 * 8),
        (("bones", "value", (2, 3, 1)), 8 + 2 * 48 + 8 + 3 * 8 + 2 + 2),
    ],
)
def test_a_changed_field_changes_its_own_bytes(path: tuple[Any, ...], at: int) -> None:
    frames = Anm.parse(chain.ANM).frames.copy()
    table: Any = frames
    for name in path[:-1]:
        table = table[name]
    table[path[-1]] = 0x1234
    data = dataclasses.replace(Anm.parse(chain.ANM), frames=frames).pack()
    expected = chain.ANM[:at] + b"\x34\x12" + chain.ANM[at + 2 :]
    assert data == expected


@pytest.mark.parametrize(("field", "at"), [("loop_frame", 4), ("word3", 6)])
def test_a_changed_header_word(field: str, at: int) -> None:
    data = dataclasses.replace(Anm.parse(chain.ANM), **{field: 0x1234}).pack()
    assert data == chain.ANM[:at] + b"\x34\x12" + chain.ANM[at + 2 :]


def test_cut_off_anywhere() -> None:
    for size in range(len(chain.ANM)):
        with pytest.raises(FormatError):
            Anm.parse(chain.ANM[:size])


def test_a_wrong_size_states_both() -> None:
    with pytest.raises(FormatError, match=r"199 bytes instead of the 200\b") as caught:
        Anm.parse(chain.ANM[:-1])
    assert caught.value.offset == 0


@pytest.mark.parametrize("rest", [b"\0", b"abcd", bytes(100)])
def test_bytes_behind_the_keyframes_are_kept(rest: bytes) -> None:
    """The engines go by the counts, and never look at the size of a file."""
    data = chain.ANM + rest
    document = Anm.parse(data)
    assert (document.rest, document.pack()) == (rest, data)
    assert np.array_equal(document.frames, Anm.parse(chain.ANM).frames)
    assert any("behind the last keyframe; kept" in line for line in warnings(data, LBA1))
    assert not recognise(data, len(data))  # its name alone says what it is


@pytest.mark.parametrize("header", [(0, 5), (4, 0), (0, 0)])
def test_no_keyframes_or_no_bones(header: tuple[int, int]) -> None:
    with pytest.raises(FormatError, match="not an animation"):
        Anm.parse(struct.pack("<4H", *header, 0, 0))


def test_counts_of_65535() -> None:
    with pytest.raises(FormatError, match=str(8 + 65535 * (8 + 8 * 65535))):
        Anm.parse(struct.pack("<4H", 65535, 65535, 0, 0))


@given(data=st.binary(max_size=100))
def test_random_bytes_are_refused_or_kept(data: bytes) -> None:
    try:
        document = Anm.parse(data)
    except FormatError:
        return
    assert document.pack() == data


def warnings(data: bytes, game: Variant) -> list[str]:
    with log.collect() as said:
        Anm.parse(data).check(game)
    assert all(message.level == "WARNING" for message in said.messages)
    return [message.text for message in said.messages]


@pytest.mark.parametrize("loop", [2, 3, 65535])
def test_a_loop_frame_beyond_the_end_means_no_loop(loop: int) -> None:
    data = anm(loop=loop)
    document = Anm.parse(data)
    assert not document.loops
    assert document.pack() == data
    said = warnings(data, LBA1)
    assert len(said) == 1
    assert f"loop frame {loop} of 2" in said[0]


def test_an_ordinary_file_needs_no_warning() -> None:
    assert warnings(chain.ANM, LBA1) == warnings(chain.ANM, LBA2) == []


@pytest.mark.parametrize("value", [2, 3, 65535])
def test_unknown_bone_types_are_kept_and_move_nothing(value: int) -> None:
    data = anm(kind=value, value=7)
    document = Anm.parse(data)
    assert document.kinds(LBA1).tolist() == [[ROTATE, ZOOM], [ROTATE, ZOOM]]
    assert document.kinds(LBA2)[:, 1].tolist() == [value & 1] * 2  # its engine looks at bit 0 alone
    assert document.pack() == data
    said = warnings(data, LBA1)
    assert len(said) == 1
    assert f"bone type {value}" in said[0]


def test_each_type_that_moves_nothing_is_named_once() -> None:
    """Of four bones behind the root: rotated, translated, and two that the game does not know."""
    frames = np.zeros(3, frame_dtype(5))
    frames["bones"]["type"] = [[9, 0, 1, 2, 7], [9, 0, 1, 2, 7], [9, 0, 1, 2, 2]]
    data = Anm(0, 0, frames).pack()
    assert warnings(data, LBA1) == [f"bone type {kind} moves nothing in the game; kept" for kind in (2, 7)]
    assert warnings(data, LBA2) == []


def test_bone_0_is_no_pose_whatever_its_word() -> None:
    document = Anm.parse(chain.ANM)
    assert document.kinds(LBA1)[:, 0].tolist() == [ROTATE] * 4
    assert document.kinds(LBA1)[:, 1].tolist() == [TRANSLATE] * 4


def test_zero_durations_stand_at_one_time() -> None:
    assert Anm.parse(anm(duration=0, frames=3)).times.tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    ("data", "game"),
    [
        (anm(), LBA1),
        (anm(value=1023, duration=100), LBA1),
        (anm(value=1024), LBA2),
        (anm(value=-1), LBA2),
        (anm(value=-1, kind=1), LBA1),  # a translation may be anything
        (anm(duration=101), LBA2),
        (anm(loop=1, word3=0), LBA2),
        (anm(loop=1, word3=1), LBA1),
    ],
)
def test_which_game_an_animation_alone_looks_like(data: bytes, game: Variant) -> None:
    assert guess_game(Anm.parse(data))[0] is game


@pytest.mark.parametrize(("body", "game"), [(Lm1.parse(chain.LM1), LBA1), (Lm2.parse(chain2.LM2), LBA2)])
def test_a_body_that_is_given_says_which_game_it_is(body: Lm1 | Lm2, game: Variant) -> None:
    """Whatever the animation looks like, but for what somebody has decided."""
    for data in (anm(), anm(duration=101)):
        assert game_of(Anm.parse(data), body=Body.of(body))[0] is game
        assert game_of(Anm.parse(data), body=Body.of(body), wanted="lba1")[0] is LBA1
        assert game_of(Anm.parse(data), body=Body.plain(2))[0] is game_of(Anm.parse(data))[0] is guess_game(Anm.parse(data))[0]


def test_the_games_animations(anims: dict[int, bytes]) -> None:
    for index, data in anims.items():
        document = Anm.parse(data)
        assert document.pack() == data, index
        assert recognise(data[:4096], len(data)), index
        assert guess_game(document)[0] is LBA1, index
        assert document.word3 == document.loop_frame, index
        assert np.all(document.durations > 0), index
    assert not Anm.parse(anims[178]).loops
    assert Anm.parse(anims[1]).durations.tolist() == [15, 9, 9, 9, 9]
    rotation = Anm.parse(anims[3])
    assert rotation.values[:, 0, 1].tolist() == [0, 102, 102, 0]
    assert Anm.parse(anims[443]).values[:, 0, 0].tolist().count(-4) == 1
