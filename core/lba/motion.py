"""An animation as a Clip: the same keys, in the units and the unwrapped angles that curves need."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..clip import Clip, Event, Path, PropertyTrack, Track
from ..rig import Y_UP, Convention
from .anm import ROTATE, TRANSLATE, Anm
from .game import Game
from .playback import root_at_keys, turns_of

CONVENTION = Convention(Y_UP, ((0, 0, 1), (1, 2, -1), (2, 1, 1)))
"""Rx(alpha) * Rz(gamma) * Ry(beta) of the game is Rx(alpha) * Ry(-gamma) * Rz(beta) in Blender's axes."""

MASTER = "master_rotation"
"""The word that says that the animation drives the heading, keyed on the root bone."""

UNUSED = "master_unused"
"""Bone 0's alpha and gamma where the engine does not apply them."""

EXTRA = "bone_{}"
"""Type and three words of a bone of the animation that the armature has not: most animations have a few."""


@dataclass(frozen=True, eq=False)
class _Rows:
    """The keyframes in the order in which curves show them: all, and once more the loop frame, which closes the cycle."""

    index: NDArray[np.int64]
    times: NDArray[np.float64]
    generated: NDArray[np.bool_]


def movers_of(anm: Anm, game: Game) -> set[int]:
    """The bones that an animation translates at some keyframe."""
    return set(np.flatnonzero((anm.kinds(game) == TRANSLATE).any(axis=0)).tolist())


def _rows(anm: Anm) -> _Rows:
    count, times = len(anm.frames), anm.times.astype(np.float64)
    index = np.arange(count)
    if anm.loops and count > 1:
        index = np.append(index, anm.loop_frame)
        times = np.append(times, times[-1] + float(anm.durations[anm.loop_frame]))
    return _Rows(index, times, np.arange(len(index)) >= count)


def clip_of(
    anm: Anm,
    game: Game,
    name: str,
    events: list[tuple[int, str]] | None = None,
    shown: int | None = None,
    movers: Collection[int] = (),
) -> Clip:
    """Rotations, translations, root motion and master words of an animation.

    events: (keyframe, name). shown: bones that the armature has; the words of the others become properties.
    movers: bones that other animations of the character translate. Blender leaves what an action does not key as the action before
    left it, so bones at rest are keyed too, and a generated key puts the channel at rest that this animation does not use.
    """
    shown = anm.bone_count if shown is None else min(shown, anm.bone_count)
    rows = _rows(anm)
    radians = np.float64(2 * np.pi / game.turn)
    kinds = anm.kinds(game)[rows.index, :shown]
    raw = anm.values.astype(np.int64)[rows.index, :shown]
    raw[kinds > TRANSLATE] = 0
    raw[:, 0] = 0
    rotating, moving = (kinds == ROTATE).all(axis=0), (kinds == TRANSLATE).all(axis=0)
    tracks: list[Track] = []
    turned = np.flatnonzero(rotating & (np.arange(shown) > 0))
    if len(turned):
        tracks.append(Track("euler", turned, rows.times, _unwrapped(raw[:, turned], game) * radians, rows.generated))
    shifted = np.flatnonzero(moving)
    if len(shifted):
        tracks.append(Track("translation", shifted, rows.times, raw[:, shifted].astype(np.float64), rows.generated))
    at_start, zero = rows.times[:1], np.ones(1, bool)
    if len(shifted):
        tracks.append(Track("euler", shifted, at_start, np.zeros((1, len(shifted), 3)), zero))
    still = np.array([bone for bone in turned.tolist() if bone in movers], np.int64)
    if len(still):
        tracks.append(Track("translation", still, at_start, np.zeros((1, len(still), 3)), zero))
    for bone in np.flatnonzero(~(rotating | moving)).tolist():
        tracks += _mixed(bone, kinds[:, bone], raw[:, bone], rows, game)
    times = anm.times.astype(np.float64)
    loop = (float(times[anm.loop_frame]), float(rows.times[-1])) if anm.loops and len(times) > 1 else None
    marks = [Event(float(times[frame]), label) for frame, label in events or [] if frame < len(times)]
    return Clip(name, game.rate, tracks, _path(anm, game, rows), float(times[-1]), loop, _properties(anm, game, rows, shown), marks)


def _unwrapped(raw: NDArray[np.int64], game: Game) -> NDArray[np.int64]:
    """(K, B, 3) angle words -> steps that go the way the engine goes, without jumps."""
    angles = raw % game.turn
    return np.cumsum(np.concatenate([angles[:1], game.wrap(np.diff(angles, axis=0))]), axis=0)


def _mixed(bone: int, kinds: NDArray[np.int64], raw: NDArray[np.int64], rows: _Rows, game: Game) -> list[Track]:
    """A bone that changes its type: the destination's type rules, and the numbers before are taken as of that type.

    Where those numbers are not zero, a generated key one time unit after the change gives the engine's path: the old channel is
    at rest there, the new one 1/n of the way from the reinterpreted numbers.
    """
    times, angles, places, made = [float(rows.times[0])], [np.zeros(3)], [np.zeros(3)], [False]
    rest = np.zeros(3)  # whole turns that the angles have made, so that a bone does not turn back while it moves

    def put(time: float, kind: int, angle: NDArray[np.float64], place: NDArray[np.float64], generated: bool) -> None:
        times.append(time)
        angles.append(angle if kind == ROTATE else rest)
        places.append(place if kind == TRANSLATE else np.zeros(3))
        made.append(generated)

    first = raw[0].astype(np.float64)
    angle = first % game.turn if kinds[0] == ROTATE else np.zeros(3)
    angles[0], places[0] = (angle if kinds[0] == ROTATE else np.zeros(3)), (first if kinds[0] == TRANSLATE else np.zeros(3))
    for row in range(1, len(kinds)):
        changed = kinds[row] != kinds[row - 1]
        before = raw[row - 1]
        if changed:
            rest = angle - before % game.turn if kinds[row - 1] == ROTATE else rest
            angle = rest + before % game.turn
        way = game.wrap(raw[row] % game.turn - before % game.turn)
        length = rows.times[row] - rows.times[row - 1]
        if changed and before.any() and length > 1:
            start = before + (raw[row] - before) / length
            put(float(rows.times[row - 1]) + 1, int(kinds[row]), angle + way / length, start, True)
        angle = angle + way
        put(float(rows.times[row]), int(kinds[row]), angle, raw[row].astype(np.float64), bool(rows.generated[row]))
    bones, when, generated = np.array([bone]), np.array(times), np.array(made)
    turned = np.array(angles)[:, None] * (2 * np.pi / game.turn)
    return [Track("euler", bones, when, turned, generated), Track("translation", bones, when, np.array(places)[:, None], generated)]


def _path(anm: Anm, game: Game, rows: _Rows) -> Path:
    steps, turns = anm.steps.astype(np.int64)[rows.index], turns_of(anm, game)[rows.index]
    root = root_at_keys(steps, turns, game)
    return Path(rows.times, root.positions, root.angles * (2 * np.pi / game.turn), rows.generated)


def _properties(anm: Anm, game: Game, rows: _Rows, shown: int) -> list[PropertyTrack]:
    master = anm.frames["bones"][:, 0][rows.index]
    tracks = [PropertyTrack(MASTER, rows.times, master["type"].astype(np.float64)[:, None], rows.generated)]
    unused = master["value"].astype(np.float64) - turns_of(anm, game)[rows.index]
    if unused.any():
        tracks.append(PropertyTrack(UNUSED, rows.times, unused, rows.generated))
    for bone in range(shown, anm.bone_count):
        words = anm.frames["bones"][rows.index, bone]
        values = np.column_stack([words["type"], words["value"]]).astype(np.float64)
        tracks.append(PropertyTrack(EXTRA.format(bone), rows.times, values, rows.generated))
    return tracks
