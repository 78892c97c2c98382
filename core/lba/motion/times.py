"""When the keyframes stand, in the game's whole time units, and which of them were in the file."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...motion import finite, sampling
from ...motion.curves import CLOSEST
from ...motion.rigs.rig import Rig
from ...motion.rotations.rotation_matrix import Floats
from ...reporting import log
from ...reporting.errors import Problem
from ...reporting.folding import frames_text
from ...reporting.labels import counted
from ..files.anm import Anm
from ..files.variant import LBA2
from .sampled import Before, Sampled, Settings

LONGEST = 65535
_MOST = 2**53

_BESIDE = 0.5
"""Frames up to which a key that was baked on a whole frame stands for one beside it."""


def matched(frames: Floats, before: Before | None) -> NDArray[np.int64]:
    """(K,) the keyframe of the original that stands at each frame, -1 for a new one."""
    return np.full(len(frames), -1) if before is None else _standing(frames, before.shown.frames)


def _standing(frames: Floats, was: Floats) -> NDArray[np.int64]:
    """(K,) as `matched`, of an original whose keyframes stand at the frames `was`."""
    index = np.searchsorted(was, frames - 0.005).clip(0, len(was) - 1)
    return np.where(np.abs(was[index] - frames) < 0.005, index, -1)


def retimed(
    match: NDArray[np.int64], frames: Floats, before: Before | None, gone: NDArray[np.int64], stands: Floats | None = None
) -> NDArray[np.int64]:
    """(K,) as `match`; where all keyframes of the original are there but for `gone`, stretched alike or one by one between those that
    stayed, the one that each of them was: the type of a bone at rest has to stay, since the keyframes beside it are read by it. stands: as
    `stands_at` has them: the one that stands there."""
    if before is None:
        return match
    if stands is not None:
        match = _standing(frames, stands)
    if len(frames) != len(before.shown.frames) - len(gone):
        return match
    order = np.delete(np.arange(len(before.shown.frames)), gone)
    was = before.shown.frames[order] - before.shown.frames[0]
    stretched = bool(np.abs(frames - frames[0] - was * _factor(frames, before.shown.frames)).max() < 0.05)
    return order if stretched or ((match < 0) | (match == order)).all() else match


def stands_at(frames: Floats, closing: float | None, before: Before | None, settings: Settings) -> Floats:
    """(K,) the frames where the keyframes of the original stand now: where they came in, if the scene plays at another rate since; where
    they were; or shifted and stretched with the first key and the loop's end; whichever leads to the most keys that are there. frames:
    (K,) of the keyframes now. closing: that of the closing key."""
    if before is None:
        return np.zeros(0)
    was, end_now = before.shown.frames, float(frames[-1])
    fps, timing = settings.fps_before, settings.timing
    result = [was]
    if fps is not None and fps != timing.fps:
        result.insert(0, timing.start + (was - timing.start) * (fps / timing.fps))
    end = float(was[-1])
    if closing is not None and before.shown.closing is not None:
        end, end_now = float(before.shown.closing.frames[0]), closing
    if end > was[0]:
        result.append(frames[0] + (was - was[0]) * ((end_now - frames[0]) / (end - was[0])))
    return max(result, key=lambda stands: int((_standing(frames, stands) >= 0).sum()))


def loop_now(frames: Floats, closing: float | None, before: Before | None, settings: Settings) -> int:
    """Which of the keyframes at these frames (K,) is the one to which the loop goes back, as far as it is there; see `stands_at`."""
    if before is None or not len(frames) or settings.loop_frame != before.anm.loop_frame:
        return settings.loop_frame
    stands = stands_at(frames, closing, before, settings)
    match = retimed(matched(frames, before), frames, before, merged(frames, before), stands)
    return int(np.argmax(match == settings.loop_frame)) if (match == settings.loop_frame).any() else settings.loop_frame


def merged(frames: Floats, before: Before | None) -> NDArray[np.int64]:
    """The keyframes of the original that have gone into the one behind, at the same time: where all is so much shorter that Blender
    cannot keep them apart."""
    if before is None:
        return np.zeros(0, np.int64)
    was = before.shown.frames
    factor = _factor(frames, was)
    pairs = np.flatnonzero(before.anm.durations[1:] == 0) + 1
    if factor * CLOSEST > 1.1 * sampling.MERGE or not len(pairs):
        return np.zeros(0, np.int64)
    at_frames = frames[0] + (was[pairs] - was[0]) * factor
    near = (np.abs(frames - at_frames[:, None]) < CLOSEST).sum(axis=1)
    return pairs[near == 1] - 1


def one_a_unit(frames: Floats, closing: float | None, original: Anm | None, rig: Rig, settings: Settings) -> NDArray[np.bool_]:
    """(K,) which keys at these frames become keyframes, where several lie in one time unit: the first, the one to which the loop goes back,
    and pairs that the game leaps between in any case; and the last, unless it is new and the loop goes back to the first from the unit
    where it stands, which takes a unit. closing: the frame of the closing key, which is none of them."""
    units = _times(frames if closing is None else np.append(frames, closing), settings)
    if (np.diff(finite.whole(units)) >= 1).all():
        return np.ones(len(frames), bool)
    before = None if original is None else Before.of(original, rig, settings)
    match = matched(frames, before)
    instant = _instant(frames, before, match, settings)
    loop = loop_now(frames, closing, before, settings)
    stay = instant | np.append(instant[1:], closing is None or loop != 0 or match[-1] >= 0)
    stay[[0, loop if loop < len(frames) else 0]] = True
    return sampling.one_a_unit(units, stay if closing is None else np.append(stay, True))[: len(frames)]


def _times(frames: Floats, settings: Settings) -> Floats:
    """(K,) time units behind the first of these frames."""
    return settings.timing.times(frames) - settings.timing.times(frames[0])


def report_units(frames: Floats, kept: NDArray[np.bool_]) -> None:
    """Keys that become no keyframes. kept: (K,) as `one_a_unit` has them."""
    gone = frames[~kept].tolist()
    if gone:
        log.warning(
            f"{frames_text(gone)}: less than one time unit of the game from other keys, and of those in one unit it has a single keyframe, "
            "which is the one that is nearest: move keys apart, or make the clip longer, where that leaves too few",
            frame=gone[0],
        )


def report_merged(gone: NDArray[np.int64], frames: Floats, match: NDArray[np.int64]) -> None:
    """Where the game leaps and Blender cannot. gone: as `merged` has them; match: (K,) as `retimed`."""
    now = [(int(key), float(frames[at[0]])) for key in gone if len(at := np.flatnonzero(match == key + 1))]
    named = [f"{key} and {key + 1} at frame {frame:g}" for key, frame in now]
    if named:
        log.warning(
            f"keyframes {', '.join(named)} were at one time and are one key now: Blender keeps no two keys less than "
            f"{sampling.MERGE:g} frames apart, so the leap became a transition; put the pose before it on a key {CLOSEST:g} frames earlier",
            frame=now[0][1],
        )


def _factor(frames: Floats, was: Floats) -> float:
    """How much longer the whole of it is than it was."""
    length = float(was[-1] - was[0])
    return float(frames[-1] - frames[0]) / length if length > 0 else 1.0


def loop_frame_of(match: NDArray[np.int64], settings: Settings, original: Anm | None, frames: Floats, stands: Floats | None = None) -> int:
    """The same keyframe as in the file, wherever it stands now; where it is gone, the next that is left, or the one beside it, as of keys
    that were baked. A number set by the user, or out of range already, is kept. stands: as `stands_at` has them."""
    wanted = settings.loop_frame
    if original is None or wanted != original.loop_frame or not original.loops:
        if wanted >= len(frames) and original is not None and wanted != original.loop_frame:
            log.warning(
                f"Loop From is {wanted}, and the last keyframe {len(frames) - 1}: the game reads on behind the end; set a lower number"
            )
        return wanted
    kept = np.flatnonzero(match == wanted)
    if len(kept):
        return int(kept[0])
    after = min(wanted, len(frames) - 1)
    if stands is not None:
        stood = float(stands[wanted])
        beside, behind = int(np.abs(frames - stood).argmin()), int((frames < stood).sum())
        after = beside if abs(float(frames[beside]) - stood) <= _BESIDE else min(behind, len(frames) - 1)
    log.warning(
        f"keyframe {wanted}, to which the loop goes back, is gone: it goes back to keyframe {after} at frame {frames[after]:g} now; "
        f"{settings.of_loop or 'set Loop From to another one, or put a key there again'}",
        frame=float(frames[after]),
    )
    return after


def durations_of(
    sampled: Sampled, before: Before | None, match: NDArray[np.int64], settings: Settings, loop_frame: int
) -> tuple[NDArray[np.int64], list[str]]:
    """Whole time units between whole times from the first keyframe on, so that rounding never adds up; and what the format cannot hold of
    them."""
    problems: list[str] = []
    instant = _instant(sampled.frames, before, match, settings)
    from_key = np.maximum.accumulate(np.where(instant, 0, np.arange(len(instant))))
    times = finite.whole(_times(sampled.frames, settings)[from_key])
    durations = np.diff(times, prepend=times[0])
    kept = np.zeros(len(times), bool)
    if before is not None:
        kept[1:] = (match[1:] > 0) & (match[1:] == match[:-1] + 1)
        durations[kept] = before.anm.durations[match[kept]]
    short = (durations < 1) & ~kept & ~instant
    short[0] = False
    near = np.flatnonzero(short).tolist()
    if near:
        more = f", and {counted(len(near) - 1, 'more pair')}," if len(near) > 1 else ""
        pair = f"the keyframes at frames {sampled.frames[near[0] - 1]:g} and {sampled.frames[near[0]]:g}{more}"
        text = f"{pair} are less than one time unit apart: move them apart, or make the clip longer"
        problems.append(Problem(text, frame=float(sampled.frames[near[0]])))
    durations[0] = _first_duration(sampled, before, settings, loop_frame)
    long = np.flatnonzero((durations > LONGEST) | (durations < 0))
    if len(long):
        when = frames_text(sampled.frames[long].tolist())
        text = f"{when}: a duration of {durations[long].max()} time units, at most {LONGEST} are possible; put a key between"
        problems.append(Problem(text, frame=float(sampled.frames[long[0]])))
    return durations.clip(0, LONGEST), problems


def _instant(frames: Floats, before: Before | None, match: NDArray[np.int64], settings: Settings) -> NDArray[np.bool_]:
    """(K,) keyframes of no duration, which LBA2 has: just so far behind the one before as the import puts them, or as that is when all is
    stretched."""
    behind = np.diff(frames, prepend=-np.inf)
    instant = (np.abs(behind - CLOSEST) < CLOSEST / 10) & (settings.game is LBA2)
    order = retimed(match, frames, before, merged(frames, before))
    if before is not None:
        follows = np.concatenate([[False], (order[1:] > 0) & (order[1:] == order[:-1] + 1)])
        near = behind < 1.1 * CLOSEST * max(_factor(frames, before.shown.frames), 1.0)
        instant |= follows & near & (before.anm.durations[order.clip(0)] == 0)
    return instant


def _first_duration(sampled: Sampled, before: Before | None, settings: Settings, loop_frame: int) -> int:
    """How long it takes to reach keyframe 0. Where the loop leads back to it, that is the time to the closing key, once that is another."""
    asked = before is None or settings.first_duration == int(before.anm.durations[0])
    if loop_frame == 0 and sampled.closing is not None and asked:
        closing = sampled.closing.frames[0]
        came = before.shown if before is not None else None
        was = came.closing.frames[0] - came.frames[-1] if came is not None and came.closing is not None else np.inf
        gap = time_back(sampled, settings)
        if gap > 0 and abs(closing - sampled.frames[-1] - was) > 0.005:
            return gap
    return settings.first_duration


def time_back(sampled: Sampled, settings: Settings) -> int:
    """Time units from the last keyframe to the closing key, at most as many as floats count exactly."""
    assert sampled.closing is not None
    frames = np.array([sampled.frames[0], sampled.frames[-1], sampled.closing.frames[0]])
    first, last, closing = settings.timing.times(frames)
    return int(np.clip(np.rint(closing - first) - np.rint(last - first), -_MOST, _MOST))


def report_time_back(sampled: Sampled, settings: Settings, loop_frame: int, duration: int) -> None:
    """Where the loop's last step takes another time than up to the closing key. duration: of the loop frame."""
    if sampled.closing is None or not 0 <= loop_frame < len(sampled.frames):
        return
    shown = time_back(sampled, settings)
    if abs(shown - duration) > 1:
        last = float(sampled.frames[-1])
        frame, end = last + duration * settings.timing.fps / settings.timing.rate, float(sampled.closing.frames[0])
        remedy = settings.of_loop or f"press Refit Loop, which moves that to frame {frame:g}, or move the last keyframe"
        log.warning(
            f"in the game the loop's last step takes as long as the step to keyframe {loop_frame}: {duration} time units, and not the "
            f"{shown} up to the closing key; {remedy}",
            topic="loop",
            frame=end,
        )
