"""From what Blender holds back to an ANM: untouched keys keep their values, everything else is encoded anew.

The import is replayed: what it would show is sampled just as what is there now, and where both say the same the file's own values stay.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...motion.rigs.rig import Rig
from ...reporting import log
from ...reporting.errors import ExportError, Problem
from ...reporting.folding import by_bone
from ...reporting.labels import CLEAR
from ..files.anm import Anm, frame_dtype
from ..files.variant import MAX_GROUPS
from .bones import encode_bones, restore_extra, rounded
from .events import report_events
from .loop import closed
from .root import encode_root
from .root_offset import below_root
from .sampled import UNSCALED, Before, Sampled, Settings
from .times import durations_of, loop_frame_of, matched, merged, report_merged, report_time_back, retimed, stands_at

MOST_KEYFRAMES = 65535
"""That a file can count."""


def update(sampled: Sampled, rig: Rig, settings: Settings, original: Anm | None) -> Anm:
    """The animation that Blender holds. Raises ExportError, naming bone and frame, for what the format cannot hold."""
    game, count = settings.game, len(sampled.frames)
    if count > MOST_KEYFRAMES:
        last = float(sampled.frames[MOST_KEYFRAMES])
        text = f"{count} keyframes, and a file counts at most {MOST_KEYFRAMES}: delete those from frame {last:g} on, or put fewer keys"
        raise ExportError([Problem(text, frame=last)])
    before = Before.of(original, rig, settings) if original is not None else None
    at_its_time = matched(sampled.frames, before)
    gone = merged(sampled.frames, before)
    end = None if sampled.closing is None else float(sampled.closing.frames[0])
    stands = stands_at(sampled.frames, end, before, settings)
    match = retimed(at_its_time, sampled.frames, before, gone, stands)
    report_merged(gone, sampled.frames, match)
    loop_frame = loop_frame_of(match, settings, original, sampled.frames, stands)
    came = before.shown if before is not None and settings.loop_frame == before.anm.loop_frame else None
    sampled = closed(sampled, came, loop_frame, settings, rig)
    bone_count = _bone_count(sampled, rig, settings)
    problems = _too_much(bone_count, sampled, rig, original)
    frames = np.zeros(count, frame_dtype(bone_count))
    frames["duration"], of_times = durations_of(sampled, before, at_its_time, settings, loop_frame)
    report_time_back(sampled, settings, loop_frame, int(frames["duration"][min(loop_frame, count - 1)]))
    root, of_root = encode_root(frames, sampled, match, settings, original, loop_frame)
    shown, reached = (sampled.positions, sampled.angles), (root.positions, root.angles)
    bones = below_root(sampled.bones, sampled.frames, shown, reached, rig, settings)
    of_bones = encode_bones(frames, replace(sampled, bones=bones), rig, match, original, game, loop_frame)
    for bone, values in sampled.extra.items():
        frames["bones"]["type"][:, bone] = values[:, 0]
        frames["bones"]["value"][:, bone] = values[:, 1:]
    if before is not None:
        restore_extra(frames, match, before.anm, len(rig.skeleton), sampled.extra)
        report_events(settings.markers, sampled, before.shown, match)
    if problems := [*problems, *of_times, *of_root, *of_bones]:
        raise ExportError(problems)
    word3 = settings.word3 if settings.word3 is not None else (0 if game.whole_master else loop_frame)
    return Anm(loop_frame, word3, frames, b"" if original is None else original.rest)


def _bone_count(sampled: Sampled, rig: Rig, settings: Settings) -> int:
    """The file's own count, and more only where a further bone of the armature is really posed."""
    wanted = settings.bone_count or len(rig.skeleton)
    used = rounded(sampled.bones.angles, settings.game).any(axis=(0, 2)) | np.rint(sampled.bones.positions).any(axis=(0, 2))
    last = int(np.flatnonzero(used)[-1]) + 1 if used.any() else 0
    return max(wanted, last, 1)


def _too_much(bones: int, sampled: Sampled, rig: Rig, original: Anm | None) -> list[str]:
    problems: list[str] = []
    if bones > MAX_GROUPS:
        text = f"{bones} bones: the game has room for {MAX_GROUPS}"
        if original is None or bones > original.bone_count:
            problems.append(text)
        else:  # it skips those that its body has no group for
            log.warning(f"{text}, as many as the file had")
    scaled = np.abs(sampled.bones.sizes - 1).max(axis=2) > UNSCALED
    why = f"the game has no scale: {CLEAR}"
    return [*problems, *by_bone(scaled, rig.skeleton.names, sampled.frames.tolist(), "is scaled", "are scaled", why)]
