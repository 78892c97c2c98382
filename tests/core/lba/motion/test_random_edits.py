"""Any edit that a person makes with keys: the game shows it, to the format's step, or it is refused or reported. What the format holds
comes without a word."""

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
from retro_anim.core.reporting.errors import ExportError
from support.lba import lba1_chain

from ..edits import Action
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
    whole = at_once(after)
    pairs = [apart(shown(edit, frame, game), game.shown(index, 0.0)) for index, frame in enumerate(frames)]
    pairs += [
        apart(shown(edit, frames[index] + (until - frames[index]) * share, game), game.shown(index, share))
        for index, until in enumerate(ends)
        if index not in whole
        for share in SHARES[1:]
    ]
    return max(angle for angle, _ in pairs), max(units for _, units in pairs)


def at_once(anm: Anm) -> set[int]:
    """The keyframes from which a bone is posed to the next by another type, which the comparison with what Blender shows names."""
    following = np.append(np.arange(1, len(anm.frames)), anm.loop_frame if anm.loops else len(anm.frames) - 1)
    posed = anm.values.any(axis=2) & (anm.types < 2)
    return set(np.flatnonzero((posed & posed[following] & (anm.types != anm.types[following]))[:, 1:].any(axis=1)).tolist())


@st.composite
def edits(draw: st.DrawFn, edit: Action) -> None:
    """One edit that a person makes."""
    lines = edit.lines
    chosen = draw(st.sampled_from(sorted(channel for channel in lines if not channel.property.startswith("["))))
    line, frames = lines[chosen], keyframes(edit)
    frame = draw(st.sampled_from([*frames, closing(edit) or frames[-1]]))
    kind = draw(st.sampled_from(["value", "value", "insert", "delete", "stretch", "shift", "closing", "behind", "drop"]))
    amount = draw(st.floats(-5, 5)) if chosen.property.startswith("rotation") else draw(st.floats(-0.4, 0.4))
    if not len(line.frames):
        return
    if kind == "value":
        line.put(frame, line.at(frame) + amount)
    elif kind == "insert":
        between = draw(st.floats(frames[0], frames[-1]))
        line.put(between, line.at(between) + amount * draw(st.sampled_from([0, 1])))
    elif kind == "delete" and len(frames) > 2:
        for one in lines.values():
            one.drop(frame)
    elif kind == "stretch":
        factor = draw(st.sampled_from([0.8, 1.3, 2.0, 3.7]))
        edit.retime(lambda old: 1 + (old - 1) * factor)
    elif kind == "shift":
        edit.retime(lambda old: np.where(old >= frame - 0.01, old + 3.25, old))
    elif kind == "closing" and closing(edit) is not None:
        line.put(closing(edit) or 0.0, line.at(closing(edit) or 0.0) + amount)
    elif kind == "behind":
        line.put(frames[-1] + 30, line.at(frames[-1]) + amount)
    elif kind == "drop" and len(line.frames) > 2:
        line.drop(frame)


@BOTH
@many
@given(data=st.data())
def test_what_differs_is_reported(game: Variant, data: st.DataObject) -> None:
    edit = chain(game, data.draw(st.sampled_from([50.0, 60.0])), data.draw(st.sampled_from([0, 1, 9])))
    for _ in range(data.draw(st.integers(1, 3))):
        data.draw(edits(edit))
    try:
        after, said = edit.export()
    except ExportError as error:
        assert all("frame" in problem for problem in error.problems)
        return
    angle, units = worst(edit, after)
    step = 360 / game.rotation
    arms = 1000 * np.radians(step)  # half a step in each of three angles, over the length of the chain
    if angle > 6 * step or units > 3 + 6 * arms:
        assert said, (angle, units)


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
