"""A bone that is rotated, comes to rest and is moved then: the file's types let it go as the curves do, by a player of our own."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.lba.body.body import Body
from retro_anim.core.lba.files.lm1 import Lm1
from retro_anim.core.lba.files.variant import LBA1, LBA2, Variant
from retro_anim.core.motion.curves import Channel
from support.lba import lba1_chain

from .test_random_edits import chain, closing, worst

REST, ROTATED, MOVED = (0.0, 0.0), (1.0, 0.0), (0.0, 0.01)


@pytest.mark.parametrize("game", [LBA1, LBA2], ids=lambda game: game.name)
@pytest.mark.parametrize("loop_frame", [1, 9])
@pytest.mark.parametrize(
    ("keys", "types"),
    [
        ({1: ROTATED, 8: REST, 16: MOVED, 26: MOVED, 31: REST}, [0, 0, 1, 1, 1]),
        ({1: REST, 16: MOVED, 20: REST, 26: ROTATED, 31: REST}, [1, 1, 1, 0, 0]),
        ({1: REST, 8: ROTATED, 12: REST, 16: REST, 26: MOVED, 31: REST}, [None, 0, 0, None, 1, 1]),
    ],
)
def test_a_keyframe_at_rest_is_of_the_type_before(
    game: Variant, loop_frame: int, keys: dict[int, tuple[float, float]], types: list[int | None]
) -> None:
    edit = chain(game, 50.0, loop_frame)
    bone = edit.rig.skeleton.names[1]
    for frame, (angle, height) in keys.items():
        edit.lines[Channel(bone, "rotation_euler", 0)].put(frame, angle)
        for axis, value in enumerate((0.0, 0.0, height)):
            edit.lines[Channel(bone, "location", axis)].put(frame, value)
    after, _ = edit.export()
    assert all(wanted in (None, now) for wanted, now in zip(types, after.types[:, 1].tolist(), strict=True))
    if loop_frame == 9:  # else the root's steps have to go back as they came
        angle, units = worst(edit, after)
        assert angle < 1.5 * 360 / game.rotation
        assert units < 2.5


@pytest.mark.parametrize("game", [LBA1, LBA2], ids=lambda game: game.name)
def test_the_loop_frame_is_of_the_type_from_which_the_game_goes_back(game: Variant) -> None:
    edit = chain(game, 50.0, 0)
    bone = edit.rig.skeleton.names[1]
    end = closing(edit)
    assert end == 41
    for frame, angle in ((26, 0.0), (31, 1.0), (end, 0.0)):
        edit.lines[Channel(bone, "rotation_euler", 0)].put(frame, angle)
    for axis in range(3):
        for frame in (16, 26, 31, end):
            edit.lines[Channel(bone, "location", axis)].put(frame, 0.0)
    after, _ = edit.export()
    assert after.types[[0, 3], 1].tolist() == [0, 0]
    assert not after.values[0, 1].any()


@pytest.mark.parametrize("loop_frame", [0, 1, 9])
@pytest.mark.parametrize("kinds", [(0, 0, 1, 1), (0, 3, 1, 0), (2, 3, 0, 1), (0, 2, 3, 2), (1, 0, 2, 65535)])
@pytest.mark.parametrize("game", [LBA1, LBA2], ids=lambda game: game.name)
def test_what_a_file_cuts_off_stays_so(game: Variant, kinds: tuple[int, ...], loop_frame: int) -> None:
    """The file itself goes at once from a pose to rest; of a bone that nobody edited it keeps that, whatever is edited beside it. Of types
    LBA2 knows the lowest bit alone."""
    edit = chain(game, 50.0, loop_frame)
    edit.anm.frames["bones"]["type"][:, 1] = kinds
    edit.anm.frames["bones"]["value"][:, 1] = [(0, 0, 0), (200, 0, 0), (0, 0, 0), (0, 12, 0)]
    edit = type(edit).of(edit.anm, game, 50.0, body=Body.of(Lm1.parse(lba1_chain.LM1)))
    same, _ = edit.export()
    assert same.pack() == edit.anm.pack()
    other = edit.lines[Channel(edit.rig.skeleton.names[2], "rotation_euler", 0)]
    other.put(16, other.at(16) + 0.5)
    after, _ = edit.export()
    assert np.array_equal(after.frames["bones"][:, 1], edit.anm.frames["bones"][:, 1])


def test_the_way_back_is_played_more_often_than_the_way_in() -> None:
    edit = chain(LBA1, 50.0, 1)
    bone, end = edit.rig.skeleton.names[1], closing(edit) or 0.0
    for frame, (angle, height) in {1: MOVED, 16: REST, 26: REST, 31: ROTATED, end: REST}.items():
        edit.lines[Channel(bone, "rotation_euler", 0)].put(frame, angle)
        for axis, value in enumerate((0.0, 0.0, height)):
            edit.lines[Channel(bone, "location", axis)].put(frame, value)
    after, _ = edit.export()
    assert after.types[[0, 1, 3], 1].tolist() == [1, 0, 0]
