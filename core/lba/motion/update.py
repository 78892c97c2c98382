"""From what Blender holds back to an ANM: untouched keys keep their values, everything else is encoded anew.

The import is replayed: what it would show is sampled just as what is there now, and where both say the same the file's own values stay.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...motion.curves import CLOSEST, Curves, Placement, RootMotion, Timing, blocks_of, curves_of
from ...motion.rig import Rig
from ...motion.root_motion import whole_path
from ...motion.rotation_matrix import Floats
from ...motion.sampling import BoneSamples, key_frames, sample_curves, stepped
from ...reporting import log
from ...reporting.errors import ExportError
from ..files.anm import ROTATE, TRANSLATE, Anm, frame_dtype
from ..files.variant import LBA2, MAX_GROUPS, Variant
from .motion import EXTRA, MASTER, UNUSED, clip_of
from .playback import rotation_matrix_of
from .remainder import below_root

LONGEST = 65535


@dataclass(frozen=True, eq=False)
class Settings:
    """What the action holds of its file besides the curves.

    bone_count: bones of the animation, which may be more or fewer than the armature's; 0 for as many as the armature.
    first_duration, first_step, first_rotation: of keyframe 0, which no curve shows. loop_frame, word3: None for a new animation's defaults.
    """

    game: Variant
    timing: Timing
    scale: float
    root_motion: RootMotion
    placement: Placement = field(default_factory=Placement.origin)
    bone_count: int = 0
    loop_frame: int = 0
    word3: int | None = None
    first_duration: int = 0
    first_step: tuple[int, int, int] = (0, 0, 0)
    first_rotation: tuple[int, int, int] = (0, 0, 0)


@dataclass(frozen=True, eq=False)
class Sampled:
    """What Blender shows at K frames. positions, angles: (K, 3) root motion outside the bones' own channels, in game units and radians.

    master, unused: (K, C) keyed properties of the root bone, None where they are not. extra: the same of bones that the armature does not
    have, by their number. closing: the frame of the generated key that closes the loop, None without one.
    translated: bones that have location curves but no rotation curves, so that a key at rest is a translation.
    """

    frames: Floats
    bones: BoneSamples
    positions: Floats
    angles: Floats
    master: NDArray[np.float64] | None
    unused: NDArray[np.float64] | None
    extra: dict[int, Floats]
    closing: float | None = None
    translated: NDArray[np.bool_] | None = None


def sample(curves: Curves, frames: Floats, bones: BoneSamples, rig: Rig, settings: Settings, closing: float | None = None) -> Sampled:
    """Everything that the curves hold at `frames` (K,). bones: sampled by the caller, from the curves or from evaluated poses."""
    root = rig.skeleton.names[0]
    positions, angles = whole_path(curves, frames, rig, settings.scale, settings.root_motion, settings.placement)
    keyed = {(channel.bone, channel.property.split("_")[0]) for channel in curves}
    translated = np.array([(name, "location") in keyed and (name, "rotation") not in keyed for name in rig.skeleton.names])
    extra: dict[int, Floats] = {}
    for bone in range(len(rig.skeleton), max(settings.bone_count, len(rig.skeleton))):
        values = stepped(curves, root, EXTRA.format(bone), frames)
        if values is not None:
            extra[bone] = values
    return Sampled(
        frames,
        bones,
        positions,
        angles,
        stepped(curves, root, MASTER, frames),
        stepped(curves, root, UNUSED, frames),
        extra,
        closing,
        translated,
    )


def replay(anm: Anm, rig: Rig, settings: Settings) -> Sampled:
    """What the import of `anm` with these settings shows at its keyframes."""
    clip = clip_of(anm, settings.game, "", shown=len(rig.skeleton))
    blocks = blocks_of(clip, rig, settings.timing, settings.scale, settings.root_motion, settings.placement)
    curves = curves_of(blocks)
    frames = settings.timing.frames(anm.times.astype(np.float64)).astype(np.float32).astype(np.float64)
    bones = sample_curves(curves, frames, rig, settings.scale)
    closing = [block.frames[-1] for block in blocks if clip.loop and block.generated[-1] and not block.generated.all()]
    return sample(curves, frames, bones, rig, settings, float(closing[0]) if closing else None)


def keyframes_of(curves: Curves, settings: Settings) -> Floats:
    """(K,) the frames that become keyframes: wherever a curve has a key, or the start frame alone."""
    frames = key_frames(curves)
    return frames if len(frames) else np.array([settings.timing.start])


def update(sampled: Sampled, rig: Rig, settings: Settings, original: Anm | None) -> Anm:
    """The animation that Blender holds. Raises ExportError, naming bone and frame, for what the format cannot hold."""
    game, count = settings.game, len(sampled.frames)
    before = replay(original, rig, settings) if original is not None else None
    match = _match(sampled.frames, before)
    bone_count = _bone_count(sampled, rig, settings)
    problems = _too_much(bone_count, sampled, rig)
    frames = np.zeros(count, frame_dtype(bone_count))
    at_its_time, match = match, _retimed(match, sampled.frames, before)
    loop_frame = _loop_frame(match, settings, original, count)
    frames["duration"] = _durations(sampled, before, at_its_time, settings, original, loop_frame, problems)
    path = _encode_root(frames, sampled, match, settings, original, problems)
    bones = below_root(sampled.bones, sampled.frames, (sampled.positions, sampled.angles), path, rig, game)
    _encode_bones(frames, replace(sampled, bones=bones), rig, match, original, game, problems)
    for bone, values in sampled.extra.items():
        frames["bones"]["type"][:, bone] = values[:, 0]
        frames["bones"]["value"][:, bone] = values[:, 1:]
    if original is not None:
        _restore_extra(frames, match, original, len(rig.skeleton), sampled.extra)
    if problems:
        raise ExportError(problems)
    word3 = settings.word3 if settings.word3 is not None else (0 if game.whole_master else loop_frame)
    return Anm(loop_frame, word3, frames)


def _match(frames: Floats, before: Sampled | None) -> NDArray[np.int64]:
    """(K,) the keyframe of the original that stands at each frame, -1 for a new one."""
    if before is None:
        return np.full(len(frames), -1)
    index = np.searchsorted(before.frames, frames - 0.005).clip(0, len(before.frames) - 1)
    return np.where(np.abs(before.frames[index] - frames) < 0.005, index, -1)


def _retimed(match: NDArray[np.int64], frames: Floats, before: Sampled | None) -> NDArray[np.int64]:
    """(K,) as `match`; where all keyframes of the original are there, stretched alike or one by one between those that stayed, the one that
    each of them was: the type of a bone at rest has to stay, since the keyframes beside it are read by it."""
    if before is None or len(frames) != len(before.frames):
        return match
    order, was = np.arange(len(frames)), before.frames - before.frames[0]
    factor = (frames[-1] - frames[0]) / was[-1] if was[-1] > 0 else 1.0
    stretched = bool(np.abs(frames - frames[0] - was * factor).max() < 0.05)
    return order if stretched or ((match < 0) | (match == order)).all() else match


def _bone_count(sampled: Sampled, rig: Rig, settings: Settings) -> int:
    """The file's own count, and more only where a further bone of the armature is really posed."""
    wanted = settings.bone_count or len(rig.skeleton)
    used = _rounded(sampled.bones.angles, settings.game).any(axis=(0, 2)) | np.rint(sampled.bones.positions).any(axis=(0, 2))
    last = int(np.flatnonzero(used)[-1]) + 1 if used.any() else 0
    return max(wanted, last, 1)


def _rounded(angles: Floats, game: Variant) -> NDArray[np.int64]:
    return np.rint(angles * (game.rotation / (2 * np.pi))).astype(np.int64) % game.rotation


def _too_much(bones: int, sampled: Sampled, rig: Rig) -> list[str]:
    problems: list[str] = []
    if bones > MAX_GROUPS:
        problems.append(f"{bones} bones: the game has room for {MAX_GROUPS}")
    scaled = np.abs(sampled.bones.sizes - 1).max(axis=2) > 1e-3
    for key, bone in np.argwhere(scaled).tolist():
        problems.append(f"{rig.skeleton.names[bone]} is scaled at frame {sampled.frames[key]:g}: the game has no scale")
    return problems


def _loop_frame(match: NDArray[np.int64], settings: Settings, original: Anm | None, count: int) -> int:
    """The same keyframe as in the file, wherever it stands now; a number set by the user, or out of range already, is kept."""
    if original is None or settings.loop_frame != original.loop_frame or not original.loops:
        return settings.loop_frame
    kept = np.flatnonzero(match == original.loop_frame)
    return int(kept[0]) if len(kept) else min(settings.loop_frame, count - 1)


def _durations(
    sampled: Sampled,
    before: Sampled | None,
    match: NDArray[np.int64],
    settings: Settings,
    original: Anm | None,
    loop_frame: int,
    problems: list[str],
) -> NDArray[np.int64]:
    """Whole time units between whole times, so that rounding never adds up."""
    instant = _instant(sampled.frames, settings.game)
    from_key = np.maximum.accumulate(np.where(instant, 0, np.arange(len(instant))))
    times = np.rint(settings.timing.times(sampled.frames[from_key])).astype(np.int64)
    durations = np.diff(times, prepend=times[0])
    kept = np.zeros(len(times), bool)
    if original is not None:
        kept[1:] = (match[1:] > 0) & (match[1:] == match[:-1] + 1)
        durations[kept] = original.durations[match[kept]]
    short = (durations < 1) & ~kept & ~instant
    short[0] = False
    problems += [
        f"the keyframes at frames {sampled.frames[key - 1]:g} and {sampled.frames[key]:g} are less than one time unit apart"
        for key in np.flatnonzero(short).tolist()
    ]
    durations[0] = _first_duration(sampled, before, settings, original, loop_frame)
    if sampled.closing is not None and 0 < loop_frame < len(times):
        back = round(float(settings.timing.times(np.array([sampled.closing]))[0])) - int(times[-1])
        if abs(back - int(durations[loop_frame])) > 1:
            log.warning(
                f"in the game the loop's last step takes as long as the step to keyframe {loop_frame}: {durations[loop_frame]} time units, "
                f"and not the {back} up to the closing key"
            )
    problems += [
        f"frame {sampled.frames[key]:g}: a duration of {durations[key]} time units, at most {LONGEST} are possible"
        for key in np.flatnonzero((durations > LONGEST) | (durations < 0)).tolist()
    ]
    return durations.clip(0, LONGEST)


def _instant(frames: Floats, game: Variant) -> NDArray[np.bool_]:
    """(K,) keyframes of no duration, which LBA2 has: just so far behind the one before as the import puts them."""
    behind = np.diff(frames, prepend=-np.inf)
    return (np.abs(behind - CLOSEST) < CLOSEST / 10) & (game is LBA2)


def _first_duration(sampled: Sampled, before: Sampled | None, settings: Settings, original: Anm | None, loop_frame: int) -> int:
    """How long it takes to reach keyframe 0. Where the loop leads back to it, that is the time to the closing key, once that was moved."""
    asked = original is None or settings.first_duration == int(original.durations[0])
    if loop_frame == 0 and sampled.closing is not None and asked and (before is None or before.closing != sampled.closing):
        gap = round(float(settings.timing.times(np.array([sampled.closing]))[0])) - round(
            float(settings.timing.times(sampled.frames[-1:])[0])
        )
        if gap > 0:
            return gap
    return settings.first_duration


def _beyond(values: NDArray[np.int64]) -> NDArray[np.bool_]:
    """What does not fit 16 signed bits."""
    return (values < -32768) | (values > 32767)


def _encode_bones(
    frames: NDArray[Any],
    sampled: Sampled,
    rig: Rig,
    match: NDArray[np.int64],
    original: Anm | None,
    game: Variant,
    problems: list[str],
) -> None:
    """Every bone but the root, at every keyframe: a rotation or a translation, the file's own values where they are the same."""
    shown = min(len(rig.skeleton), frames["bones"].shape[1])
    angles = _rounded(sampled.bones.angles[:, :shown], game)
    translations = np.rint(sampled.bones.positions[:, :shown]).astype(np.int64)
    translations[:, 0] = 0  # the root's are root motion
    rotated: NDArray[np.bool_] = np.any(angles, axis=2)
    moved: NDArray[np.bool_] = np.any(translations, axis=2)
    rotated[:, 0] = moved[:, 0] = False
    for key, bone in np.argwhere(rotated & moved).tolist():
        problems.append(
            f"{rig.skeleton.names[bone]} is both rotated and translated at frame {sampled.frames[key]:g}: the game can only do either"
        )
    for key, bone in np.argwhere(_beyond(translations).any(axis=2)).tolist():
        distance = np.abs(translations[key, bone]).max()
        problems.append(f"{rig.skeleton.names[bone]} moves {distance} units at frame {sampled.frames[key]:g}: at most 32767")
    rest = np.zeros(shown, bool) if sampled.translated is None else sampled.translated[:shown]
    kinds = np.where(moved | (~rotated & rest), TRANSLATE, ROTATE)
    values = np.where((kinds == TRANSLATE)[..., None], translations.clip(-32768, 32767), angles)
    types = kinds.copy()
    if original is not None:
        here = min(shown, original.bone_count)
        old = match >= 0
        old_types, old_values = original.types[match[old], :here].astype(np.int64), original.values[match[old], :here].astype(np.int64)
        old_kinds = original.kinds(game)[match[old], :here]
        now, now_kind = values[old, :here], kinds[old, :here]
        modulo = np.where(old_kinds == ROTATE, game.rotation, 65536)[..., None]
        equal: NDArray[np.bool_] = old_values % modulo == now % modulo
        posed: NDArray[np.bool_] = rotated | moved
        at_rest = ~posed[old, :here]
        old_rest: NDArray[np.bool_] = (old_kinds > TRANSLATE) | np.all(old_values % modulo == 0, axis=2)
        keep, rests = old_kinds == now_kind, at_rest & old_rest
        types[np.flatnonzero(old)[:, None], np.arange(here)] = np.where(keep | rests, old_types, now_kind)
        values[np.flatnonzero(old)[:, None], np.arange(here)] = np.where((equal & keep[..., None]) | rests[..., None], old_values, now)
    frames["bones"]["type"][:, 1:shown] = types[:, 1:]
    frames["bones"]["value"][:, 1:shown] = values[:, 1:]


def _encode_root(
    frames: NDArray[Any],
    sampled: Sampled,
    match: NDArray[np.int64],
    settings: Settings,
    original: Anm | None,
    problems: list[str],
) -> tuple[Floats, Floats]:
    """Steps and master rotation. What is rounded away in one keyframe is made up for in the next, so that the path does not drift.

    Returns where the game has the character then: positions (K, 3), units, and angles (K, 3), radians."""
    game, count = settings.game, len(frames)
    quantum = 2 * np.pi / game.rotation
    follows = np.concatenate([[False], (match[1:] > 0) & (match[1:] == match[:-1] + 1)])
    slack = 0.6 + 1e-6 * float(np.abs(sampled.positions).max())  # half a unit, and what float32 curves lose far away
    rotations: NDArray[np.int64] = np.zeros((count, 3), np.int64)
    steps: NDArray[np.int64] = np.zeros((count, 3), np.int64)
    rotations[0], steps[0] = settings.first_rotation, settings.first_step
    wanted = np.rint((sampled.angles - sampled.angles[0]) / quantum).astype(np.int64)
    if not game.whole_master:
        wanted[:, [0, 2]] = 0  # LBA1 has a heading alone
    positions, headings = np.zeros((count, 3)), np.zeros((count, 3))
    heading, position = np.zeros(3, np.int64), np.zeros(3)
    path = sampled.positions - sampled.positions[0]
    if np.rint(sampled.angles[0, 1] / quantum):  # the whole path was rotated: the steps are in the character's own axes
        path = path @ rotation_matrix_of(sampled.angles[0] * [0.0, 1, 0])
    for key in range(1, count):
        rotations[key] = wanted[key] - heading
        heading = heading + rotations[key]
        rotated = rotation_matrix_of(heading * quantum)
        step = rotated.T @ (path[key] - position)
        same = follows[key] and original is not None and np.abs(step - original.steps[match[key]]).max() <= slack
        steps[key] = original.steps[match[key]] if same and original is not None else np.rint(step)
        position = position + rotated @ steps[key]
        positions[key], headings[key] = position, heading * quantum
    problems += [
        f"frame {sampled.frames[key]:g}: the character moves or rotates too far in one keyframe: at most 32767 units"
        for key in np.flatnonzero(_beyond(steps).any(axis=1) | _beyond(rotations).any(axis=1)).tolist()
    ]
    if game.whole_master:
        problems += [
            f"frame {sampled.frames[key]:g}: the character rotates by half a turn or more in one keyframe, which the game takes the other "
            "way round: insert a keyframe in between"
            for key in np.flatnonzero((rotations != game.wrap(rotations))[1:].any(axis=1)).tolist()
        ]
    frames["step"] = steps.clip(-32768, 32767)
    unused = np.zeros((count, 3)) if sampled.unused is None else sampled.unused
    drives: NDArray[np.bool_] = np.any(rotations, axis=1)
    flags: NDArray[np.int64] = (drives if sampled.master is None else np.rint(sampled.master[:, 0])).astype(np.int64)
    if game.whole_master:
        flags[1:] |= drives[1:]
    frames["bones"]["type"][:, 0] = flags & 0xFFFF
    master = rotations + np.rint(unused).astype(np.int64)
    if sampled.unused is not None:
        master[0] = np.array(settings.first_rotation) + np.rint(unused[0]).astype(np.int64)
    frames["bones"]["value"][:, 0] = master.clip(-32768, 32767)
    return positions, headings


def _restore_extra(frames: NDArray[Any], match: NDArray[np.int64], original: Anm, shown: int, known: dict[int, Floats]) -> None:
    """Bones that the armature does not show: the values of the matched keyframe, or of the one before, unless the action holds them."""
    source = np.maximum.accumulate(match).clip(0)
    for bone in range(shown, min(original.bone_count, frames["bones"].shape[1])):
        if bone not in known:
            frames["bones"][:, bone] = original.frames["bones"][source, bone]
