"""An animation as a Clip: the same keys, in the units and the unwrapped angles that curves need."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ...motion.clip import Clip, Event, Path, PropertyTrack, Track
from ...motion.rigs.rig import Y_UP, Convention
from ..files.anm import ROTATE, TRANSLATE, Anm, frame_dtype, kinds_of
from ..files.variant import LBA2, Variant
from .playback import root_at_keys, rotations_of_values, unused_of_values

CONVENTION = Convention(Y_UP, ((0, 0, 1), (1, 2, -1), (2, 1, 1)))
"""Rx(alpha) * Rz(gamma) * Ry(beta) of the game is Rx(alpha) * Ry(-gamma) * Rz(beta) in Blender's axes."""

MASTER = "master_rotation"
"""Whether the animation drives the heading, keyed on the root bone."""

UNUSED = "master_unused"
"""Bone 0's alpha and gamma where the engine does not apply them."""

EXTRA = "bone_{}"
"""Type and three values of a bone of the animation that the armature has not: most animations have a few."""


def movers_of(anm: Anm, game: Variant) -> set[int]:
    """The bones that an animation translates at some keyframe."""
    types = anm.types & 1 if game is LBA2 else anm.types
    return set((np.flatnonzero((types[:, 1:] == TRANSLATE).any(axis=0)) + 1).tolist())


@dataclass(frozen=True, eq=False)
class Source:
    """An animation that becomes a clip. events: (keyframe, name)."""

    anm: Anm
    name: str
    events: tuple[tuple[int, str], ...] = ()


def clip_of(
    anm: Anm, game: Variant, name: str, events: list[tuple[int, str]] | None = None, shown: int | None = None, movers: Collection[int] = ()
) -> Clip:
    """As `clips_of`, for one animation."""
    return clips_of([Source(anm, name, tuple(events or ()))], game, shown, movers)[0]


def clips_of(sources: Sequence[Source], game: Variant, shown: int | None = None, movers: Collection[int] = ()) -> list[Clip]:
    """Rotations, translations, root motion and master flags of animations, all converted in one go.

    shown: bones that the armature has; the others become properties.
    movers: bones that other animations of the character translate. Blender leaves what an action does not key as the action before
    left it, so bones at rest are keyed too, and a generated key puts the channel at rest that this animation does not use.
    """
    alike: dict[int, list[int]] = {}
    for index, source in enumerate(sources):
        alike.setdefault(source.anm.bone_count, []).append(index)
    clips: dict[int, Clip] = {}
    for members in alike.values():
        rows = _Rows.of([sources[index].anm for index in members], game, shown)
        clips.update((index, _clip(sources[index], game, rows, number, movers)) for number, index in enumerate(members))
    return [clips[index] for index in range(len(sources))]


@dataclass(frozen=True, eq=False)
class _Rows:
    """The keyframes of several animations of as many bones, in the order in which curves show them: all, and once more the loop frame,
    which closes the cycle. Bones B are those that are shown.

    starts: (A + 1,) first row of each animation. times: of each animation (K,). generated: (R,). kinds: (R, B). raw: (R, B, 3) values,
    bone 0 zero. angles: (R, B, 3) radians, unwrapped. still: (A, B) kinds of bones that never change it, -1 for those that do.
    path, rotated: (R, 3) accumulated root motion, units and angle steps. master: (R, 1) type of bone 0. unused: (R, 3) its values that the
    engine does not apply. odd: (A,) whether there are such. extra: (R, X, 4) type and values of the bones that are not shown.
    """

    starts: NDArray[np.int64]
    times: list[NDArray[np.float64]]
    generated: NDArray[np.bool_]
    kinds: NDArray[np.int64]
    raw: NDArray[np.int64]
    angles: NDArray[np.float64]
    still: NDArray[np.int64]
    path: NDArray[np.float64]
    rotated: NDArray[np.float64]
    master: NDArray[np.float64]
    unused: NDArray[np.float64]
    odd: NDArray[np.bool_]
    extra: NDArray[np.float64]

    @classmethod
    def of(cls, anms: list[Anm], game: Variant, shown: int | None) -> _Rows:
        width = anms[0].bone_count if shown is None else min(max(shown, 1), anms[0].bone_count)
        closes = np.array([anm.loops and len(anm.frames) > 1 for anm in anms])
        counts = np.array([len(anm.frames) for anm in anms]) + closes
        starts = np.concatenate([[0], np.cumsum(counts)])
        first = starts[:-1]
        keys = [(anm.frames, anm.frames[anm.loop_frame : anm.loop_frame + more]) for anm, more in zip(anms, closes.tolist(), strict=True)]
        # As bytes, since numpy takes long for structures.
        frames = np.frombuffer(b"".join([part.tobytes() for parts in keys for part in parts]), frame_dtype(anms[0].bone_count))
        bones, steps = frames["bones"], frames["step"].astype(np.float64)
        generated = np.zeros(starts[-1], bool)
        generated[starts[1:][closes] - 1] = True
        passed = np.cumsum(frames["duration"], dtype=np.float64)
        times = np.split(passed - np.repeat(passed[first], counts), first[1:])
        extra = np.dstack([bones["type"][:, width:, None], bones["value"][:, width:]]).astype(np.float64)
        bones = bones[:, :width]
        kinds, raw = kinds_of(bones["type"], game), bones["value"].astype(np.int64)
        rotations = rotations_of_values(bones["type"][:, 0], raw[:, 0], game)
        unused = unused_of_values(bones["type"][:, 0], raw[:, 0], game)
        raw[kinds > TRANSLATE] = 0
        raw[:, 0] = 0
        lowest, highest = np.minimum.reduceat(kinds, first), np.maximum.reduceat(kinds, first)
        still = np.where((lowest == highest) & (highest <= TRANSLATE), highest, -1)
        path = root_at_keys(steps, rotations, game, first)
        return cls(
            starts,
            times,
            generated,
            kinds,
            raw,
            _unwrapped(raw, first, game) * np.float64(2 * np.pi / game.rotation),
            still,
            path.positions,
            path.angles * (2 * np.pi / game.rotation),
            bones["type"][:, :1].astype(np.float64),
            unused.astype(np.float64),
            np.logical_or.reduceat(unused.any(axis=1), first),
            extra,
        )


def _unwrapped(raw: NDArray[np.int64], first: NDArray[np.int64], game: Variant) -> NDArray[np.int64]:
    """(R, B, 3) angles -> angles that go as the engine goes, without jumps; anew from each row in `first`."""
    steps = raw % game.rotation
    shortest = np.empty_like(steps)
    shortest[1:] = game.wrap(np.diff(steps, axis=0))
    shortest[first] = steps[first]
    total = np.cumsum(shortest, axis=0)
    before = np.concatenate([np.zeros((1, *total.shape[1:]), np.int64), total[first[1:] - 1]])
    return total - np.repeat(before, np.diff(np.append(first, len(raw))), axis=0)


def _clip(source: Source, game: Variant, rows: _Rows, number: int, movers: Collection[int]) -> Clip:
    anm, times = source.anm, rows.times[number]
    part = slice(int(rows.starts[number]), int(rows.starts[number + 1]))
    generated = rows.generated[part]
    rotated, shifted, mixed = _uses(rows.still[number].tobytes())
    tracks: list[Track] = []
    if len(rotated):
        tracks.append(Track("euler", rotated, times, rows.angles[part].take(rotated, axis=1), generated))
    if len(shifted):
        tracks.append(Track("translation", shifted, times, rows.raw[part].take(shifted, axis=1).astype(np.float64), generated))
        tracks.append(Track("euler", shifted, _START, np.zeros((1, len(shifted), 3)), _ONE))
    idle = np.array([bone for bone in rotated.tolist() if bone in movers], np.int64) if movers else shifted[:0]
    if len(idle):
        tracks.append(Track("translation", idle, _START, np.zeros((1, len(idle), 3)), _ONE))
    for bone in mixed.tolist():
        tracks += _mixed(bone, rows.kinds[part, bone], rows.raw[part, bone], times, generated, game)
    count = len(anm.frames)
    loop = (float(times[anm.loop_frame]), float(times[-1])) if generated[-1] else None
    marks = [Event(float(times[frame]), label) for frame, label in source.events if frame < count]
    path = Path(times, rows.path[part], rows.rotated[part], generated)
    properties = [PropertyTrack(MASTER, times, rows.master[part], generated)]
    if rows.odd[number]:
        properties.append(PropertyTrack(UNUSED, times, rows.unused[part], generated))
    first = rows.kinds.shape[1]
    properties += [
        PropertyTrack(EXTRA.format(first + bone), times, rows.extra[part, bone], generated) for bone in range(rows.extra.shape[1])
    ]
    return Clip(source.name, game.rate, tracks, path, float(times[count - 1]), loop, properties, marks)


_START, _ONE = np.zeros(1), np.ones(1, bool)
"""The one generated key of channels that stay at rest."""


@lru_cache(maxsize=64)
def _uses(still: bytes) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Of a row of `_Rows.still`: bones that only rotate, without bone 0, which is no pose; that only move; that do both."""
    kinds = np.frombuffer(still, np.int64)
    return np.flatnonzero(kinds[1:] == ROTATE) + 1, np.flatnonzero(kinds == TRANSLATE), np.flatnonzero(kinds < 0)


def _mixed(
    bone: int, kinds: NDArray[np.int64], raw: NDArray[np.int64], when: NDArray[np.float64], closing: NDArray[np.bool_], game: Variant
) -> list[Track]:
    """A bone that changes its type: the destination's type rules, and the numbers before are taken as of that type.

    Where those numbers are not zero, a generated key one time unit after the change gives the engine's path: the old channel is
    at rest there, the new one 1/n from the reinterpreted numbers.
    """
    times, angles, positions, created = [float(when[0])], [np.zeros(3)], [np.zeros(3)], [False]
    rest = np.zeros(3)  # full circles so far, so that a bone does not rotate back while it is translated

    def put(time: float, kind: int, angle: NDArray[np.float64], position: NDArray[np.float64], generated: bool) -> None:
        times.append(time)
        angles.append(angle if kind == ROTATE else rest)
        positions.append(position if kind == TRANSLATE else np.zeros(3))
        created.append(generated)

    first = raw[0].astype(np.float64)
    angle = first % game.rotation if kinds[0] == ROTATE else np.zeros(3)
    angles[0], positions[0] = (angle if kinds[0] == ROTATE else np.zeros(3)), (first if kinds[0] == TRANSLATE else np.zeros(3))
    for row in range(1, len(kinds)):
        changed = kinds[row] != kinds[row - 1]
        before = raw[row - 1]
        if changed:
            rest = angle - before % game.rotation if kinds[row - 1] == ROTATE else rest
            angle = rest + before % game.rotation
        shortest = game.wrap(raw[row] % game.rotation - before % game.rotation)
        length = when[row] - when[row - 1]
        if changed and before.any() and length > 1:
            start = before + (raw[row] - before) / length
            put(float(when[row - 1]) + 1, int(kinds[row]), angle + shortest / length, start, True)
        angle = angle + shortest
        put(float(when[row]), int(kinds[row]), angle, raw[row].astype(np.float64), bool(closing[row]))
    bones, keys, generated = np.array([bone]), np.array(times), np.array(created)
    rotated = np.array(angles)[:, None] * (2 * np.pi / game.rotation)
    return [Track("euler", bones, keys, rotated, generated), Track("translation", bones, keys, np.array(positions)[:, None], generated)]
