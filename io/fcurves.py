"""Blocks of keys <-> F-curves, in bulk."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import bpy
import numpy as np

from ..core import log
from ..core.curves import Block, Channel, Curve, Curves
from ..core.rotation import Floats
from . import compat

_BONE_PATH = re.compile(r'pose\.bones\["((?:[^"\\]|\\.)*)"\]\.?(.+)')


@lru_cache(maxsize=4096)
def data_path(bone: str, name: str) -> str:
    """The path, from its object, of a property of a bone, or of the object where `bone` is empty."""
    if not bone:
        return name
    dot = "" if name.startswith("[") else "."
    return f'pose.bones["{bpy.utils.escape_identifier(bone)}"]{dot}{name}'


def write_blocks(curves: compat.NewCurves, blocks: list[Block]) -> None:
    """One F-curve for every channel; generated keys get a keyframe type of their own."""
    for block in blocks:
        count = len(block.frames)
        keys = np.empty((len(block.channels), count, 2), np.float32)
        keys[..., 0] = block.frames
        keys[..., 1] = block.values
        rows = keys.reshape(len(block.channels), 2 * count)
        interpolation = np.full(count, compat.CONSTANT if block.stepped else compat.LINEAR, np.int32)
        types = np.where(block.generated, compat.GENERATED_VALUE, compat.KEYFRAME_VALUE).astype(np.int32)
        alike, marked = (block.stepped, block.generated.tobytes()), bool(block.generated.any())
        for (bone, name, component), row in zip(block.channels, rows, strict=True):
            curve, ready = curves.make(data_path(bone, name), component, bone or "Object Transforms", alike)
            points = curve.keyframe_points
            if not ready:
                points.add(count)
                points.foreach_set("interpolation", interpolation)
                if marked:
                    points.foreach_set("type", types)
            points.foreach_set("co", row)
            curve.update()


@dataclass(frozen=True, eq=False)
class ReadCurves:
    """curves: what the action keys. closing: the frame of the last generated key, None without one."""

    curves: Curves
    closing: float | None


def read_curves(action: bpy.types.Action, owner: bpy.types.Object) -> ReadCurves:
    """The keys of an action on `owner`, generated ones left out. Says what an export as keyed passes over."""
    found: Curves = {}
    closing: list[float] = []
    rounded, modified = 0, 0
    for curve in compat.curves(action, owner):
        channel = _channel(curve)
        if channel is None or not len(curve.keyframe_points):
            continue
        count = len(curve.keyframe_points)
        keys, types, interpolation = np.empty(2 * count, np.float32), np.empty(count, np.int32), np.empty(count, np.int32)
        curve.keyframe_points.foreach_get("co", keys)
        curve.keyframe_points.foreach_get("type", types)
        curve.keyframe_points.foreach_get("interpolation", interpolation)
        kept = types != compat.GENERATED_VALUE
        if kept.any() and not kept[-1]:
            closing.append(float(keys[-2]))
        curved = bool((interpolation[:-1] != compat.LINEAR).any()) and not channel.property.startswith("[")
        rounded += curved
        modified += len(curve.modifiers) > 0
        if kept.any():
            exact = not curved and not curve.modifiers
            found[channel] = Curve(keys[::2][kept], keys[1::2][kept], None if exact else _evaluator(curve))
    if rounded:
        log.warning(f"{rounded} curves are not linear: the game goes straight from keyframe to keyframe")
    if modified:
        log.warning(f"{modified} curves have modifiers, which an export as keyed leaves out")
    if owner.animation_data and len(owner.animation_data.drivers):
        log.warning(f"{len(owner.animation_data.drivers)} drivers are left out by an export as keyed")
    return ReadCurves(found, max(closing) if closing else None)


def _channel(curve: Any) -> Channel | None:
    match = _BONE_PATH.fullmatch(curve.data_path)
    if match:
        return Channel(bpy.utils.unescape_identifier(match[1]), match[2], curve.array_index)
    return Channel("", curve.data_path, curve.array_index) if "." not in curve.data_path else None


def _evaluator(curve: Any) -> Callable[[Floats], Floats]:
    return lambda frames: np.array([curve.evaluate(frame) for frame in frames.tolist()])
