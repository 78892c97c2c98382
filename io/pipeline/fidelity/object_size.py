"""How large a character is shown in the scene, which no clip holds: by the scale of its object, its delta scale, or what it hangs on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import bpy
import numpy as np

from ....core.motion.curves import Channel
from ....core.motion.rotations.rotation_matrix import Floats
from ....core.reporting import log
from ...blender import arrays, compat
from ...blender.motion import actions
from .object_transform import own_basis

TOPIC = "object scale"
"""Of the messages that say it."""

_CLOSE = 1e-4
"""As a factor: what nobody sees."""

_OWN = "the object's scale, which was changed after the import"

_SHOWN = "retro_anim_shown_size"
"""Custom property of an action that came in where something else than the object's own scale counted: the size along its axes then."""


def memory(obj: bpy.types.Object, own: Floats) -> dict[str, Any]:
    """The custom properties of an action that comes in onto an object, as it is shown now. own: (3,) the object's scale for the action."""
    linear = _linear(obj)
    sizes = np.linalg.norm(linear, axis=0) * (np.sign(np.linalg.det(linear)), 1, 1)
    return {} if np.allclose(sizes, own, rtol=_CLOSE) else {_SHOWN: sizes.tolist()}


def report(obj: bpy.types.Object, action: bpy.types.Action, carried: bool) -> None:
    """Say where an armature is shown in another size than its clip came in; a clip that never came in starts in the object's own.
    carried: whether what it hangs on does the same in the game."""
    if (what := _said(obj, action, carried)) is not None:
        log.warning(what, topic=TOPIC)


def report_of_body(obj: bpy.types.Object) -> None:
    """Say where an armature is shown in another size than its body will have; one at which its clip came in is meant. That it is mirrored
    is said where its meshes are read."""
    sizes = np.linalg.norm(_linear(obj), axis=0)
    action = obj.animation_data.action if obj.animation_data is not None else None
    meant = _shown(action, _came(obj, action)) if action is not None and actions.remembered(action) is not None else np.ones(3)
    what = _shape(sizes, 1.0, np.ones(3))
    if what is not None and _shape(sizes, 1.0, np.abs(meant)) is not None:
        with log.about(obj.name):
            log.warning(
                f"it is {what}, and the scale of objects is not exported: scale that back; or to have it in the body, apply it to the "
                "armature and its meshes (Object > Apply > Scale)",
                topic=TOPIC,
            )


def is_other(obj: bpy.types.Object, action: bpy.types.Action, carried: bool = False) -> bool:
    """Whether there is anything to report, of an action that does not key it all the while."""
    return (carried or not _stands_as_it_came(obj, action)) and _said(obj, action, carried) is not None


def _said(obj: bpy.types.Object, action: bpy.types.Action, carried: bool) -> str | None:
    if obj.type != "ARMATURE":
        return None
    keys = list(_keys(obj, action))
    if not (carried or keys) and _stands_as_it_came(obj, action):
        return None
    basis, scale = _as_keyed(obj, action, keys)
    shown = basis if carried else _linear(obj, basis)
    sizes = np.linalg.norm(shown, axis=0)
    own = _came(obj, action)
    came = own if carried else _shown(action, own)
    what = _shape(sizes, float(np.linalg.det(shown)), came)
    if what is None or _grows(action, keys):
        return None
    by, remedy = _cause(obj, own, scale), "scale that back to what it was"
    if by == _OWN and keys:
        by, remedy = "the object's scale, which is keyed", "delete the keys of that, and scale it back to what it was"
    return f"{obj.name} is {what}, by {by}: the scale of objects is not exported: {remedy}"


def _shape(sizes: Floats, determinant: float, came: Floats) -> str | None:
    """How an object is shown otherwise than it came in. sizes, came: (3,) along its axes."""
    if not np.allclose(sizes, sizes[0], rtol=_CLOSE):
        return "scaled differently along its axes"
    if determinant * came.prod() < 0:
        return "mirrored"
    if came.all() and not np.allclose(sizes, np.abs(came), rtol=_CLOSE):
        return f"shown at {float((sizes / np.abs(came)).mean()):.4g} times its size"
    return None


def _stands_as_it_came(obj: bpy.types.Object, action: bpy.types.Action) -> bool:
    """Whether nothing has to be reckoned, as with nearly every clip."""
    scale, delta = np.array(obj.scale), np.array(obj.delta_scale)
    own = obj.parent is None and bool((delta == 1).all()) and _SHOWN not in action
    return own and bool(((scale == scale[0]) & (scale > 0) & (scale == _came(obj, action))).all())


def _came(obj: bpy.types.Object, action: bpy.types.Action) -> Floats:
    """(3,) the scale of the object that a clip came in with, or that one stands in that did not come in."""
    before = actions.remembered(action)
    return np.array(obj.scale) if before is None else before.placement.scale


def _shown(action: bpy.types.Action, own: Floats) -> Floats:
    """(3,) how large the object was shown when the clip came in. own: by its own scale, which counts where nothing else is known."""
    kept = arrays.of_property(action.get(_SHOWN))
    return kept if kept.size == 3 and np.isfinite(kept).all() else own


def _cause(obj: bpy.types.Object, came: Floats, scale: Floats) -> str:
    """scale: (3,) the object's own, as it is shown."""
    if not np.allclose(scale, came, rtol=_CLOSE):
        return _OWN
    if not np.allclose(np.array(obj.delta_scale), 1, rtol=_CLOSE):
        return "its delta scale"
    return f"the scale of its parent {obj.parent.name}" if obj.parent is not None else "the object's scale"


def _grows(action: bpy.types.Action, keys: Sequence[Any]) -> bool:
    """Whether the clip itself changes the size, which is compared frame by frame; curves (keys) that hold one size in its range do not."""
    first, last = action.frame_range

    def spread(curve: Any) -> float:
        frames = arrays.values_of(curve.keyframe_points, "co", np.float32, 2)[:, 0].clip(first, last)
        return float(np.ptp([curve.evaluate(frame) for frame in (first, last, *frames.tolist())]))

    return any(len(curve.modifiers) or spread(curve) > _CLOSE for curve in keys)


def _as_keyed(obj: bpy.types.Object, action: bpy.types.Action, keys: Sequence[Any]) -> tuple[Floats, Floats]:
    """(3, 3) from the object's axes to its parent's as the clip begins, where curves (keys) scale it, and (3,) its own scale then."""
    scale = np.array(obj.scale, np.float64)
    for curve in keys:
        scale[curve.array_index] = curve.evaluate(action.frame_range[0])
    if (scale == np.array(obj.scale)).all():
        return np.array(obj.matrix_basis, np.float64)[:3, :3], scale
    keyed = {Channel("", "scale", axis): scale[axis : axis + 1] for axis in range(3)}
    return own_basis(obj, obj.rotation_mode, keyed, 1)[0, :3, :3] * np.array(obj.delta_scale), scale


def _keys(obj: bpy.types.Object, action: bpy.types.Action) -> Iterator[Any]:
    """The curves of an action that scale the object, along its axes: of another number Blender shows nothing."""
    return (
        curve
        for curve in compat.quick_curves(action, obj)
        if curve.data_path == "scale" and curve.array_index < 3 and len(curve.keyframe_points) and not compat.is_muted(curve)
    )


def _linear(obj: bpy.types.Object, basis: Floats | None = None) -> Floats:
    """(3, 3) from the object's axes to the scene's, by properties alone: the matrices that Blender keeps may be of the last redraw. basis:
    (3, 3) as far as its parent, None as it is now."""
    linear, child = np.array(obj.matrix_basis, np.float64)[:3, :3] if basis is None else basis, obj
    while child.parent is not None:
        own = np.array(child.parent.matrix_basis, np.float64)[:3, :3]
        linear = own @ np.array(child.matrix_parent_inverse, np.float64)[:3, :3] @ linear
        child = child.parent
    return linear
