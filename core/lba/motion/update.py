"""From what Blender holds back to an ANM: untouched keys keep their values, everything else is encoded anew.

The import is replayed: what it would show is sampled just as what is there now, and where both say the same the file's own values stay.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...motion.rig import Rig
from ...motion.rotation_matrix import Floats
from ...reporting import log
from ...reporting.errors import ExportError, Problem
from ...reporting.folding import by_bone
from ..files.anm import ROTATE, TRANSLATE, Anm, frame_dtype
from ..files.variant import MAX_GROUPS, Variant
from .events import report_events
from .loop import closed
from .root import beyond, encode_root
from .root_offset import below_root
from .sampled import Sampled, Settings, replay
from .times import durations_of, loop_frame_of, matched, merged, report_merged, report_time_back, retimed

MOST_KEYFRAMES = 65535
"""That a file can count."""


def update(sampled: Sampled, rig: Rig, settings: Settings, original: Anm | None) -> Anm:
    """The animation that Blender holds. Raises ExportError, naming bone and frame, for what the format cannot hold."""
    game, count = settings.game, len(sampled.frames)
    if count > MOST_KEYFRAMES:
        last = float(sampled.frames[MOST_KEYFRAMES])
        text = f"{count} keyframes, and a file counts at most {MOST_KEYFRAMES}: delete those from frame {last:g} on, or put fewer keys"
        raise ExportError([Problem(text, frame=last)])
    before = replay(original, rig, settings) if original is not None else None
    at_its_time = matched(sampled.frames, before)
    gone = merged(sampled.frames, before, original)
    match = retimed(at_its_time, sampled.frames, before, gone)
    report_merged(gone, sampled.frames, match)
    loop_frame = loop_frame_of(match, settings, original, sampled.frames)
    as_asked = original is None or settings.loop_frame == original.loop_frame
    sampled = closed(sampled, before if as_asked else None, loop_frame, settings.loop_frame, rig, game)
    bone_count = _bone_count(sampled, rig, settings)
    problems = _too_much(bone_count, sampled, rig, original)
    frames = np.zeros(count, frame_dtype(bone_count))
    frames["duration"] = durations_of(sampled, before, at_its_time, settings, original, loop_frame, problems)
    report_time_back(sampled, settings, loop_frame, int(frames["duration"][min(loop_frame, count - 1)]))
    path = encode_root(frames, sampled, match, settings, original, loop_frame, problems)
    bones = below_root(sampled.bones, sampled.frames, (sampled.positions, sampled.angles), path, rig, settings)
    _encode_bones(frames, replace(sampled, bones=bones), rig, match, original, game, problems)
    for bone, values in sampled.extra.items():
        frames["bones"]["type"][:, bone] = values[:, 0]
        frames["bones"]["value"][:, bone] = values[:, 1:]
    if original is not None:
        _restore_extra(frames, match, original, len(rig.skeleton), sampled.extra)
    if before is not None:
        report_events(settings.markers, sampled, before, match)
    if problems:
        raise ExportError(problems)
    word3 = settings.word3 if settings.word3 is not None else (0 if game.whole_master else loop_frame)
    return Anm(loop_frame, word3, frames, b"" if original is None else original.rest)


def _bone_count(sampled: Sampled, rig: Rig, settings: Settings) -> int:
    """The file's own count, and more only where a further bone of the armature is really posed."""
    wanted = settings.bone_count or len(rig.skeleton)
    used = _rounded(sampled.bones.angles, settings.game).any(axis=(0, 2)) | np.rint(sampled.bones.positions).any(axis=(0, 2))
    last = int(np.flatnonzero(used)[-1]) + 1 if used.any() else 0
    return max(wanted, last, 1)


def _rounded(angles: Floats, game: Variant) -> NDArray[np.int64]:
    return np.rint(angles * (game.rotation / (2 * np.pi))).astype(np.int64) % game.rotation


def _too_much(bones: int, sampled: Sampled, rig: Rig, original: Anm | None) -> list[str]:
    problems: list[str] = []
    if bones > MAX_GROUPS:
        text = f"{bones} bones: the game has room for {MAX_GROUPS}"
        if original is None or bones > original.bone_count:
            problems.append(text)
        else:  # it skips those that its body has no group for
            log.warning(f"{text}, as many as the file had")
    scaled = np.abs(sampled.bones.sizes - 1).max(axis=2) > 1e-3
    why = "the game has no scale"
    return [*problems, *by_bone(scaled, rig.skeleton.names, sampled.frames.tolist(), "is scaled", "are scaled", why)]


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
    names, when = rig.skeleton.names, sampled.frames.tolist()
    why = "the game can only do either"
    problems += by_bone(rotated & moved, names, when, "is both rotated and translated", "are both rotated and translated", why)
    far = np.abs(translations).max(initial=0)
    much = np.asarray(beyond(translations).any(axis=2))
    problems += by_bone(much, names, when, f"moves {far} units", f"move up to {far} units", "at most 32767")
    # At rest between translations it is translated, too: the keyframe before is taken as of this one's type.
    translated = sampled.translated[:shown] | (moved.any(axis=0) & ~rotated.any(axis=0))
    rest = np.broadcast_to(translated, moved.shape) if original is None else _resting(sampled.translated[:shown], match, original, game)
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


def _resting(translated: NDArray[np.bool_], match: NDArray[np.int64], original: Anm, game: Variant) -> NDArray[np.bool_]:
    """(K, B) which bones at rest are translated: in a new keyframe as in the next of the file's, since the game reads it by that."""
    rest = np.tile(translated, (len(match), 1))
    here = min(len(translated), original.bone_count)
    last = len(original.frames) - 1
    following = np.minimum.accumulate(np.where(match < 0, last, match)[::-1])[::-1]
    kinds = original.kinds(game)[following, :here]
    rest[:, :here] = np.where((match < 0)[:, None], kinds == TRANSLATE, rest[:, :here])
    return rest


def _restore_extra(frames: NDArray[Any], match: NDArray[np.int64], original: Anm, shown: int, known: dict[int, Floats]) -> None:
    """Bones that the armature does not show: the values of the matched keyframe, or of the one before, unless the action holds them."""
    source = np.maximum.accumulate(match).clip(0)
    for bone in range(shown, min(original.bone_count, frames["bones"].shape[1])):
        if bone not in known:
            frames["bones"][:, bone] = original.frames["bones"][source, bone]
