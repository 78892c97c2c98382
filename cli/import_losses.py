"""What Blender's importers of FBX and glTF would lose of a motion: locations of connected bones, the rate that a glTF was sampled at."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..core.motion.rotations.rotation_matrix import Floats
from ..core.reporting import log

_RATES = ((24, 1.0), (25, 1.0), (30, 1.0), (30, 1.001), (24, 1.001), (48, 1.0), (50, 1.0), (60, 1.0), (60, 1.001), (100, 1.0), (120, 1.0))
"""Frames a second, as a scene has them in two numbers."""
_WHOLE = 0.02
"""Frames by which the keys of a sampled motion are off whole ones at most: times in glTF are of single precision."""
_ALIKE = 1e-3
"""Frames by which one rate may fit worse than another that is less usual: 30 frames a second and 29.97 are as far apart after one frame."""
_SAMPLED, _SLOWEST, _FASTEST = 8, 10, 1000
"""Keys at least of a motion that is sampled evenly, and frames a second of such a one."""
_MOVES = 1e-4
"""Of a figure's size, by which a key moves a bone: what comes in through FBX is less exact."""


def open_gltf(read: Callable[[], None]) -> None:
    """Import a glTF, which holds seconds, in a scene of the rate at which its keys are on whole frames. read: imports it."""
    import bpy

    data, render = bpy.data, bpy.context.scene.render
    known = [
        (items, {item.name for item in items})
        for items in (
            *(data.objects, data.armatures, data.meshes, data.materials, data.images),
            *(data.actions, data.cameras, data.lights, data.collections),
        )
    ]
    actions = set(data.actions)
    own = (render.fps, float(render.fps_base))
    with true_seconds():
        read()
    keys = _key_frames(action for action in data.actions if action not in actions)
    fitting = rate_of(keys, own)
    if fitting is None:
        return
    data.batch_remove([item for items, names in known for item in items if item.name not in names])
    render.fps, render.fps_base = fitting
    with true_seconds():
        read()
    log.info(f"its keys are {fitting[0] / fitting[1]:.4g} a second, which is the scene's rate now")


@contextmanager
def true_seconds() -> Generator[None]:
    """Blender's importer and exporter of glTF multiply the frame rate by its base, by which it is to be divided: 30.03 instead of 29.97."""
    import bpy

    render = bpy.context.scene.render
    base = float(render.fps_base)
    render.fps_base = 1 / base
    try:
        yield
    finally:
        render.fps_base = base


def _key_frames(actions: Iterable[Any]) -> Floats:
    """Of all curves, each frame once."""
    from ..io.blender import compat
    from ..io.blender.arrays import values_of

    curves = [curve for action in actions for curve in compat.every_curve(action)]
    frames = [values_of(curve.keyframe_points, "co", np.float32, 2)[:, 0] for curve in curves]
    return np.unique(np.concatenate(frames)).astype(np.float64) if frames else np.zeros(0)


def rate_of(keys: Floats, own: tuple[int, float]) -> tuple[int, float] | None:
    """The rate of a scene in which keys are on whole frames; None where they are in the present one, or in none. keys: in frames of a
    scene of the rate `own`, counted from any start."""
    if len(keys) < 3 or not np.isfinite(keys).all():
        return None
    off: list[float] = []
    for rate in (own, *_RATES):
        frames: Floats = (keys - keys[0]) * (rate[0] / rate[1]) / (own[0] / own[1])
        off.append(float(np.abs(frames - np.round(frames)).max()))
    least = min(off)
    if least >= _WHOLE:
        return _even(keys, own[0] / own[1])
    best = next(number for number, each in enumerate(off) if each < least + _ALIKE)
    return (own, *_RATES)[best] if best else None


def _even(keys: Floats, own: float) -> tuple[int, float] | None:
    """The rate of keys that are as far from each other as most are, or some times as far. own: of the keys' frames."""
    step = float(np.median(np.diff(keys)))
    if len(keys) < _SAMPLED or step <= 0 or not _SLOWEST <= own / step <= _FASTEST:
        return None
    step = float(keys[-1] - keys[0]) / round(float(keys[-1] - keys[0]) / step)
    frames: Floats = (keys - keys[0]) / step
    if np.abs(frames - np.round(frames)).max() >= _WHOLE:
        return None
    return round(own / step), round(own / step) / (own / step)


def at_the_scenes_rate(actions: Iterable[Any]) -> None:
    """Blender's importer of FBX has its keys at 24 frames a second where the file has 23.976, though the scene has the file's rate then."""
    import bpy

    from ..io.retarget.reading import clips

    for action in actions:
        clips.retime(action, 1 / bpy.context.scene.render.fps_base)


def release_moved(armatures: Iterable[Any], actions: Iterable[Any]) -> None:
    """Disconnect the bones that an action moves away from their parents: an FBX does not say what is connected, Blender's importer connects
    whatever starts where its parent ends, and a connected bone stays there. armatures, actions: all that came in."""
    import bpy

    from ..io.blender import compat
    from ..io.blender.arrays import values_of
    from ..io.blender.motion import fcurves

    reach: dict[str, float] = {}
    for curve in (curve for action in actions for curve in compat.every_curve(action)):
        channel = fcurves.channel_of(curve)
        if channel is not None and channel.property == "location":
            furthest = float(np.abs(values_of(curve.keyframe_points, "co", np.float32, 2)[:, 1]).max(initial=0.0))
            reach[channel.bone] = max(reach.get(channel.bone, 0.0), furthest)
    for obj in armatures:
        heads = np.array([bone.head_local for bone in obj.data.bones]).reshape(-1, 3)
        size = float((heads.max(0) - heads.min(0)).max()) if len(heads) else 0.0
        held = [bone.name for bone in obj.data.bones if bone.use_connect and reach.get(bone.name, 0.0) > _MOVES * size]
        if not held:
            continue
        active = bpy.context.view_layer.objects.active
        bpy.context.view_layer.objects.active = obj
        bpy.ops.object.mode_set(mode="EDIT")
        for name in held:
            obj.data.edit_bones[name].use_connect = False
        bpy.ops.object.mode_set(mode="OBJECT")
        bpy.context.view_layer.objects.active = active
