"""Clips that an exporter samples frame by frame: how long that takes, said before it begins, and how many frames are too many."""

from __future__ import annotations

from typing import Any

from ..core.reporting import log
from ..core.reporting.errors import RetroAnimError
from . import blender, scenes
from .report import note

MOST = 100_000
"""Frames of a clip: at 30 a second nearly an hour. A file that says it is longer mostly holds a number that nobody meant."""

PER_SECOND = 14_000
"""Bones times frames that Blender's exporters sample in a second, about."""

LONG = 30
"""Seconds that are worth saying beforehand."""


def bound(actions: dict[Any, list[Any]], extension: str, title: str) -> None:
    """Take clips that are too long out of a scene that is written and not kept, and report each as an error; say how long the others take
    where that is long. actions: by object. title: what is written. Raises RetroAnimError where no clip is left."""
    frames = {action: _frames(action) for own in actions.values() for action in own}  # some may be of several objects
    too_long = [action for action, count in frames.items() if count > MOST]
    problems = [
        f"{action.name}: left out of the {extension}, which would hold each of its {frames[action]} frames, and takes {MOST} at most: "
        "shorten it, or write a .blend or .bvh"
        for action in too_long
    ]
    samples = 0
    for obj, own in actions.items():
        bones = len(obj.data.bones) if obj.type == "ARMATURE" else 1
        kept = [action for action in own if frames[action] <= MOST]
        samples += bones * sum(frames[action] for action in kept)
        if kept and len(kept) < len(own):
            scenes.make_current(obj, kept[0])
        actions[obj] = kept
    blender.module().data.batch_remove(too_long)
    if problems and not any(actions.values()):
        raise RetroAnimError("; ".join(problems))
    for problem in problems:
        log.error(problem)
    if samples > LONG * PER_SECOND:
        note(f"{title}: every frame of every bone is sampled, which takes about {samples // PER_SECOND} seconds")


def _frames(action: Any) -> int:
    start, end = action.curve_frame_range
    return round(float(end) - float(start)) + 1
