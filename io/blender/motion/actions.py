"""A clip as an action: its curves, its frame range, its markers, and what must be remembered to bring it back."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast, get_args

import bpy
import numpy as np
from numpy.typing import NDArray

from ....core.declare.imported import IMPORTED_FIELDS
from ....core.motion import modes
from ....core.motion.clip import Clip
from ....core.motion.curves import Block, Placement, RootMotion, Timing, rotation_property
from ....core.motion.rotations import rotation_matrix
from ....core.reporting import labels
from ....core.reporting.errors import ExportError
from ....core.surface.holdable import LARGEST
from .. import armature, compat, fields, source_data
from . import curve_writer, fcurves, pose_markers

_ROOT = fcurves.ROOT


def write(
    obj: bpy.types.Object, clips: Sequence[list[Block]], prepare: Callable[[bpy.types.Action], None] | None = None
) -> list[bpy.types.Action]:
    """An action of nothing but curves for the blocks of every clip, and of what `prepare` gives those that others are copied from;
    `give_names` gives them theirs."""
    return curve_writer.Writer(obj, prepare).write_all(clips)


def give_names(named: Iterable[tuple[bpy.types.Action, str]]) -> None:
    """Their names to many new actions, in the order of the names: Blender keeps its lists in that order, and looks for the place of each
    from the end."""
    labelled = [(labels.label(name, "action", compat.NAME_LIMIT), action) for action, name in named]
    for name, action in sorted(labelled, key=lambda pair: pair[0].lower()):
        action.name = name
        if source_data.NAME in action:
            action[source_data.NAME] = action.name


def finish(action: bpy.types.Action, clip: Clip, timing: Timing) -> None:
    """Fake user, frame range and markers; the action is not made active."""
    action.use_fake_user = True
    start, end = map(timing.frame, clip.loop or (0.0, clip.end))
    action.use_frame_range = True
    action.frame_start, action.frame_end = start, max(end, start)
    action.use_cyclic = clip.loop is not None
    marks = [(clip.loop[0], "loop")] if clip.loop else []
    if clip.loop and clip.loop[0] > 0:
        marks.insert(0, (0.0, "intro"))
    for time, name in (*marks, *((event.time, event.name) for event in clip.events)):
        pose_markers.add(action, labels.label(name, "marker"), timing.frame(time))


def show(obj: bpy.types.Object, action: bpy.types.Action, root_motion: RootMotion) -> None:
    """Make the action active, and give the bones what its curves drive."""
    obj[_ROOT] = root_motion
    if root_motion == "OBJECT" and obj.rotation_mode != "ZYX":
        obj.rotation_mode = "ZYX"
    for (bone, name), count in _properties(action, obj).items():
        owner = armature.pose_bones(obj).get(bone)
        if owner is not None and name not in owner:
            owner[name] = 0.0 if count == 1 else [0.0] * count
    compat.assign(obj, action)


def _properties(action: bpy.types.Action, obj: bpy.types.Object) -> dict[tuple[str, str], int]:
    """Custom properties of bones that curves of the action drive, by bone and name, with their number of components."""
    counts: dict[tuple[str, str], int] = {}
    for curve in compat.curves(action, obj):
        channel = fcurves.channel_of(curve) if curve.data_path.endswith('"]') else None
        if channel is not None and channel.bone and channel.property.startswith('["'):
            key = channel.bone, channel.property[2:-2]
            counts[key] = max(counts.get(key, 0), channel.component + 1)
    return counts


_rate: ContextVar[float | None] = ContextVar("rate", default=None)


@contextmanager
def played_at(rate: float | None) -> Generator[None]:
    """Inside, actions are taken as they play at `rate` frames a second, whatever the scene had when they came in; None: as then."""
    token = _rate.set(rate)
    try:
        yield
    finally:
        _rate.reset(token)


def rate_in_force() -> float | None:
    """What `played_at` was given last."""
    return _rate.get()


@dataclass(frozen=True, eq=False)
class Remembered:
    """The options with which an action came in. fps: the scene's rate then, or inside `played_at` the one that counts. fps_before: the one
    then."""

    fps: float
    start: float
    scale: float
    root_motion: RootMotion
    placement: Placement
    fps_before: float


def memory(timing: Timing, scale: float, root_motion: RootMotion, placement: Placement) -> dict[str, Any]:
    """The custom properties of an action that came in so."""
    numbers = [*placement.location.tolist(), *placement.angles.tolist(), *placement.scale.tolist()]
    values = {"fps": timing.fps, "frame_start": timing.start, "scale": scale, "root_motion": root_motion, "placement": numbers}
    return fields.properties(IMPORTED_FIELDS, values)


def remembered(action: bpy.types.Action) -> Remembered | None:
    """None for an action that never was imported. Raises ExportError for a property that cannot be what an import left there."""
    if not {"retro_anim_fps", "retro_anim_placement"} <= set(action.keys()):
        return None
    values = _imported(action)
    numbers = np.array(values["placement"], np.float64)
    absent = [item.property for item in IMPORTED_FIELDS if item.name not in values]
    problems = [f"{action.name}: {name} is gone: import the animation again, or delete retro_anim_fps as well" for name in absent]
    if numbers.size != 9 or not np.abs(numbers).max() <= LARGEST:  # nor where one is none
        problems.append(f"{action.name}: retro_anim_placement must be nine numbers of at most {LARGEST:g}: location, angles and scale")
    if problems:
        raise ExportError(problems)
    placement, fps = _placed(numbers.tobytes()), values["fps"]
    return Remembered(_rate.get() or fps, values["frame_start"], values["scale"], values["root_motion"], placement, fps)


def _imported(action: bpy.types.Action) -> dict[str, Any]:
    """The fields that an import left. Raises ExportError as `fields.read`: checked once, since most clips of a character have the same."""
    known = repr([fields.plain(action.get(item.property)) for item in IMPORTED_FIELDS])
    if known not in _checked:
        if len(_checked) >= _MOST:
            _checked.clear()
        _checked[known] = fields.read(action, IMPORTED_FIELDS)
    return _checked[known]


_MOST = 256
_checked: dict[str, dict[str, Any]] = {}
"""What fields were read as, by what properties had."""


def moved_object(action: bpy.types.Action | None) -> Remembered | None:
    """`remembered`, of an action whose root motion came in on the object; None for all others."""
    return remembered(action) if action is not None and action.get("retro_anim_root_motion") == "OBJECT" else None


def rebase(obj: bpy.types.Object, action: bpy.types.Action) -> None:
    """Where the root motion of the object is concerned, the action starts from where the character stands at its first frame."""
    if moved_object(action) is not None:
        now = start_of(obj, action)
        fields.fill(action, IMPORTED_FIELDS, {"placement": [*now.location.tolist(), *now.angles.tolist(), *now.scale.tolist()]})


def placement_of(obj: bpy.types.Object) -> Placement:
    """Where the user put the character: what its present action started from, if that is one of ours that moves it."""
    action = obj.animation_data.action if obj.animation_data else None
    if (before := moved_object(action)) is not None:
        return before.placement
    location, rotation, size = obj.matrix_basis.decompose()
    angles = rotation.to_euler("ZYX")
    return _placement(np.array([location, angles, size], np.float64))


def start_of(obj: bpy.types.Object, action: bpy.types.Action) -> Placement:
    """Where the character stands as an action begins, which may loop back to a later frame: what it moves from there is its motion."""
    before = remembered(action)
    first = min(action.frame_range[0], action.curve_frame_range[0] if before is None else before.start)
    location, euler, size = np.array(obj.location), obj.rotation_euler.copy(), np.array(obj.scale)
    rotation = {name: np.array(getattr(obj, name)) for name in ("rotation_quaternion", "rotation_axis_angle")} | {
        "rotation_euler": np.array(euler)
    }
    mode = obj.rotation_mode
    for curve in compat.curves(action, obj):
        if curve.data_path == fcurves.MODE:
            mode = fcurves.mode_of(curve.evaluate(first))
        table = location if curve.data_path == "location" else rotation.get(curve.data_path)
        if table is not None and curve.array_index < len(table):  # of no such number Blender shows nothing
            table[curve.array_index] = curve.evaluate(first)
    linear = modes.matrices(rotation[rotation_property(mode)[0]].astype(np.float64), mode)
    return Placement(location.astype(np.float64), linear, rotation_matrix.to_euler(linear, "ZYX"), size.astype(np.float64))


def root_motion_of(obj: bpy.types.Object, otherwise: RootMotion) -> RootMotion:
    """What carries the root motion of an armature's clips since they came in; for its new actions, too."""
    kept = obj.get(_ROOT, otherwise)
    return cast(RootMotion, kept) if kept in get_args(RootMotion) else otherwise


@lru_cache(maxsize=64)
def _placed(numbers: bytes) -> Placement:
    """`_placement`, which most clips of a character have in common."""
    return _placement(np.frombuffer(numbers, np.float64).reshape(3, 3))


def _placement(numbers: NDArray[np.float64]) -> Placement:
    """Rows: location, Euler angles in mode ZYX, scale."""
    location, angles, size = numbers
    return Placement(location, rotation_matrix.from_euler(angles, "ZYX"), angles, size)
