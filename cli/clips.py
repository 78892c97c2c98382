"""Clips as engines want them, before a scene is written for one: names that fit, intro and loop apart, and ends on whole frames."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ..core.reporting import labels

EXTENSIONS = (".glb", ".gltf", ".fbx")
"""Of what is written for engines."""

GODOT_LOOP = "-loop"
"""What the name of a clip ends with that Godot is to loop."""


def prepare_all(actions: dict[Any, list[Any]], *, godot: bool) -> None:
    """Rename the actions of objects, and add one for every loop that has an intro; only for a scene that is written and not kept.
    actions: by object. godot: whether loops say so by their names."""
    named = [item for obj, own in actions.items() for item in _named(obj, own, godot, len(actions) == 1)]
    for number, (_, _, action) in enumerate(named):
        action.name = f"clip {number}"  # so that no name is taken by one that is renamed itself
    for obj in actions:
        mine = [(name, action) for owner, name, action in named if owner == obj]
        names = labels.unique(name for name, _ in mine)
        actions[obj] = [action for _, action in mine]
        for name, (_, action) in zip(names, mine, strict=True):
            action.name = name


def _named(obj: Any, actions: Sequence[Any], godot: bool, alone: bool) -> list[tuple[Any, str, Any]]:
    named: list[tuple[Any, str, Any]] = []
    for action in actions:
        name = engine_name(_own_name(action.name, obj.name) if alone else action.name)
        _end_on_frames(action, obj)
        first = float(action.curve_frame_range[0])
        if action.use_frame_range and action.use_cyclic:
            if intro_frames(action):
                named.append((obj, f"{name}_intro", _intro(action, first)))
            name += GODOT_LOOP if godot else ""
        named.append((obj, name, action))
    return named


def intro_frames(action: Any) -> float:
    """How many frames of a clip are played once, before its loop."""
    looped = action.use_frame_range and action.use_cyclic
    return round(max(float(action.frame_start) - float(action.curve_frame_range[0]), 0.0), 3) if looped else 0.0


def engine_name(name: str) -> str:
    """Letters, digits, _ and - alone: what every engine takes for a clip."""
    return re.sub(r"[^\w-]+", "_", name).strip("_") or "clip"


def _own_name(name: str, owner: str) -> str:
    """A clip's name without that of its character."""
    return name[len(owner) :] if name.startswith(owner) and name[len(owner) :].strip(" _") else name


def _intro(action: Any, first: float) -> Any:
    intro = action.copy()
    intro.use_frame_range, intro.use_cyclic = True, False
    intro.frame_start, intro.frame_end = first, action.frame_start
    return intro


def _end_on_frames(action: Any, obj: Any) -> None:
    """Stretch a clip, by half a frame at most, so that its start and its end are whole frames: exporters sample those alone, and a loop
    that is cut off before its end jumps."""
    import numpy as np

    from ..io.blender import compat
    from ..io.blender.arrays import set_values, values_of

    start, end = map(float, action.frame_range)
    before = np.unique([float(action.curve_frame_range[0]), start, end])
    after = np.round(before)
    if np.abs(after - before).max() < 1e-4 or len(np.unique(after)) < len(before):
        return
    for curve in compat.curves(action, obj):
        for name in ("co", "handle_left", "handle_right"):
            points = values_of(curve.keyframe_points, name, np.float32, 2)
            points[:, 0] = np.interp(points[:, 0], before, after, left=None, right=None)
            set_values(curve.keyframe_points, name, points)
        curve.update()
    if action.use_frame_range:
        action.frame_start, action.frame_end = round(start), round(end)
