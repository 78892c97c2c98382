"""How the character moves, when the object, the root bone and the root's custom properties carry a part of it each: taken together as
Blender shows them."""

from __future__ import annotations

import numpy as np

from .blocks import path_from
from .curves import Channel, Curves, Placement, RootMotion, path_channels, sample
from .rigs.rig import Rig
from .rotations import euler, rotation_matrix
from .rotations.rotation_matrix import Floats
from .sampling import key_frames

_STILL = 1e-5
"""Blender units and radians that a carrier may be away from where it stood and still carry nothing."""

_OBJECT = [Channel("", name, axis) for name in ("location", "rotation_euler") for axis in range(3)]


def whole_path(
    curves: Curves,
    frames: Floats,
    rig: Rig,
    scale: float,
    root_motion: RootMotion,
    placement: Placement,
    begins: float | None,
) -> tuple[Floats, Floats]:
    """Positions (K, 3) in game units and rotation (K, 3) in radians at `frames` (K,): as `path_from` gives them for `root_motion`, and what
    else moves the character, the object outside, the root bone inside. begins: the frame from which a path counts that properties hold,
    since nobody sees where it is; None from the origin."""
    carriers: tuple[RootMotion, ...] = ("OBJECT", "NONE", "BONE")
    parts: list[tuple[Floats, Floats]] = []
    for carrier in carriers:
        if carrier != root_motion and (carrier == "NONE" or not _carries(curves, frames, rig, scale, carrier, placement)):
            continue
        positions, angles = path_from(curves, frames, rig, scale, carrier, placement)
        if carrier == "NONE" and begins is not None:
            positions = positions - path_from(curves, np.array([begins]), rig, scale, carrier, placement)[0]
        parts.append((positions, angles))
    positions, angles = parts[0]
    head = rig.skeleton.heads[0]
    for more, rotated in parts[1:]:
        linear = path_matrix(angles, rig)
        positions = positions + np.einsum("kij,kj->ki", linear, head + more) - head
        angles = _after(angles, rotated, rig)
    return positions, angles


def _carries(curves: Curves, frames: Floats, rig: Rig, scale: float, carrier: RootMotion, placement: Placement) -> bool:
    """Whether keys of `carrier` move the character at all, at these or at `frames` (K,)."""
    channels = [channel for part in path_channels(rig, carrier) for channel in part]
    keyed = key_frames(curves, channels)
    if not len(keyed):
        return False
    positions, angles = path_from(curves, np.union1d(keyed, frames), rig, scale, carrier, placement)
    return bool(np.abs(positions).max() * scale > _STILL or np.abs(angles).max() > _STILL)


def path_matrix(angles: Floats, rig: Rig) -> Floats:
    """(K, 3, 3) rotations, in the game's axes, of its triples (K, 3) in radians."""
    linear = np.eye(3)
    for axis, component, sign in rig.convention.product:
        linear = linear @ rotation_matrix.about(axis, sign * angles[..., component])
    return rig.convention.axes.T @ linear @ rig.convention.axes


def _after(outer: Floats, inner: Floats, rig: Rig) -> Floats:
    """(K, 3) the triples of outer * inner; their sum, with all whole circles, where they are about one axis."""
    first, _, last = (component for _, component, _ in rig.convention.product)
    off = [np.delete(np.abs(outer), first, axis=1), np.delete(np.abs(inner), last, axis=1)]
    if any(part.max(initial=0.0) < _STILL for part in off) or not np.abs(outer).max(initial=0.0) or not np.abs(inner).max(initial=0.0):
        return outer + inner
    mode = "".join("XYZ"[axis] for axis, _, _ in reversed(rig.convention.product))
    linear = rig.convention.axes @ path_matrix(outer, rig) @ path_matrix(inner, rig) @ rig.convention.axes.T
    angles = rotation_matrix.to_euler(linear, mode)
    near = np.zeros((1, 3))
    for axis, component, sign in rig.convention.product:
        near[0, axis] = sign * (outer[0, component] + inner[0, component])
    angles = euler.continuous(angles[:, None], near, mode)[:, 0]
    out = np.empty_like(angles)
    for axis, component, sign in rig.convention.product:
        out[:, component] = sign * angles[:, axis]
    return out


def object_motion(curves: Curves, frames: Floats, placement: Placement) -> tuple[Floats, Floats] | None:
    """Rotations (K, 3, 3) and translations (K, 3), in the armature's own space and Blender units, by which the object's keys move it from
    its placement; None where they do not."""
    keyed = key_frames(curves, _OBJECT)
    if not len(keyed):
        return None
    moved = _object(curves, frames, placement)  # also whole circles from key to key, and what curves do between
    return None if _is_still(*moved) and _is_still(*_object(curves, keyed, placement)) else moved


def _object(curves: Curves, frames: Floats, placement: Placement) -> tuple[Floats, Floats]:
    location = sample(curves, _OBJECT[:3], frames, placement.location)
    angles = sample(curves, _OBJECT[3:], frames, placement.angles)
    return relative(rotation_matrix.from_euler(angles, "ZYX"), location, placement)


def relative(linear: Floats, location: Floats, placement: Placement) -> tuple[Floats, Floats]:
    """Rotations (K, 3, 3) and locations (K, 3) of an object -> how it has moved from its placement, in its own space there."""
    size = np.where(placement.scale == 0, 1, placement.scale)
    return placement.rotation.T @ linear, (location - placement.location) @ placement.rotation / size


def _is_still(linear: Floats, offset: Floats) -> bool:
    return bool(np.abs(linear - np.eye(3)).max(initial=0.0) < _STILL and np.abs(offset).max(initial=0.0) < _STILL)
