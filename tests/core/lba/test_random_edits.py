"""Random edits that the format holds come without a word, and the game shows them, by an evaluator of our own."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from retro_anim.core.lba.body.body import Body
from retro_anim.core.lba.files.anm import Anm
from retro_anim.core.lba.files.lm1 import Lm1
from retro_anim.core.lba.files.variant import LBA1, LBA2, Variant
from retro_anim.core.motion.curves import Channel
from support import lba1_chain

from .edits import Action
from .player import Film, apart, shown

BOTH = pytest.mark.parametrize("game", [LBA1, LBA2], ids=lambda game: game.name)
many = hypothesis_settings(max_examples=25, deadline=None)
SHARES = (0.0, 0.25, 0.5, 0.75)


def chain(game: Variant, fps: float, loop_frame: int) -> Action:
    """The chain; in LBA2 the same in that game's numbers, since what it makes of a bone's numbers of another type only a scene shows."""
    source, body = Anm.parse(lba1_chain.ANM), Body.of(Lm1.parse(lba1_chain.LM1))
    frames = source.frames.copy()
    frames["bones"]["value"][:, 0] = 0  # where the game rotates the character on its way, curves that came in are straight
    if game is LBA2:
        frames["duration"] *= 20
        frames["bones"]["value"][:, 2:] *= 4
    return Action.of(Anm(loop_frame, source.word3, frames), game, fps, body=body)


def film(anm: Anm, edit: Action) -> Film:
    skeleton = edit.rig.skeleton
    return Film.of(anm.pack(), edit.settings.game.name, skeleton.parents.tolist(), np.array(skeleton.heads))


def keyframes(edit: Action) -> list[float]:
    """The frames of all keys that are not generated."""
    frames = sorted({round(float(frame), 4) for line in edit.lines.values() for frame in line.frames[~line.generated]})
    return [frame for index, frame in enumerate(frames) if not index or frame - frames[index - 1] >= 0.01]


def closing(edit: Action) -> float | None:
    """The last generated key of the object's curves."""
    frames = [
        float(line.frames[-1]) for channel, line in edit.lines.items() if not channel.bone and len(line.frames) and line.generated[-1]
    ]
    return max(frames, default=None)


def worst(edit: Action, after: Anm) -> tuple[float, float]:
    """Degrees and units between what Blender shows and what the game will, at keyframes, between them, and on the way back."""
    game, frames, end = film(after, edit), keyframes(edit), closing(edit)
    if end is not None:
        frames = [frame for frame in frames if frame < end - 0.01]
    if len(frames) != len(after.frames):
        return 360.0, np.inf
    ends = [*frames[1:], end] if end is not None and after.loops else frames[1:]
    pairs = [apart(shown(edit, frame, game), game.shown(index, 0.0)) for index, frame in enumerate(frames)]
    pairs += [
        apart(shown(edit, frames[index] + (until - frames[index]) * share, game), game.shown(index, share))
        for index, until in enumerate(ends)
        for share in SHARES[1:]
    ]
    return max(angle for angle, _ in pairs), max(units for _, units in pairs)


@BOTH
@many
@given(data=st.data())
def test_what_the_format_holds_comes_without_a_word(game: Variant, data: st.DataObject) -> None:
    """Whole steps at keyframes, less than half a circle from each other, whole times, and new keys where the curves have them."""
    edit = chain(game, 50.0, 9)
    unit = 50 / game.rate
    edit.retime(lambda old: 1 + (old - 1) * 4)
    for _ in range(data.draw(st.integers(1, 4))):
        kinds = edit.anm.kinds(game)
        group = data.draw(st.sampled_from([group for group in range(1, 4) if len(set(kinds[:, group].tolist())) == 1]))
        moves = bool(kinds[0, group])
        name = edit.rig.skeleton.names[group]
        line = edit.lines[Channel(name, "location" if moves else "rotation_euler", data.draw(st.integers(0, 2)))]
        frame = data.draw(st.sampled_from(keyframes(edit)))
        amount = data.draw(st.integers(-20, 20))
        line.put(frame, line.at(frame) + amount * (0.001 if moves else 2 * np.pi / game.rotation))
    late = data.draw(st.sampled_from(keyframes(edit)[1:]))
    more = data.draw(st.integers(0, 40)) * unit
    edit.retime(lambda old: np.where(old >= late - 0.01, old + more, old))
    after, said = edit.export()
    assert said == []
    angle, units = worst(edit, after)
    assert angle < 0.01
    assert units < 1.0
    frames = np.array(keyframes(edit))
    assert np.abs(np.cumsum(after.durations[1:], dtype=float) * unit - (frames[1:] - frames[0])).max() < 0.51 * unit
