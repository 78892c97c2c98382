"""How far a chain is beside the line of its source's, which has another number of bones: by joints and ends as Blender shows them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Vector
from support import blender_rigs as rigs

Part = Callable[[str], ModuleType]
FRAMES = 15


def tailed(name: str, lengths: Sequence[float], seed: int) -> Any:
    """A rig with a tail of bones of these lengths, which is not straight at rest."""
    obj, random = rigs.build(name), np.random.default_rng(seed)
    bpy.context.view_layer.objects.active = obj
    bpy.ops.object.mode_set(mode="EDIT")
    parent, at = obj.data.edit_bones["hips"], Vector((0, 0.05, 1))
    for number, length in enumerate(lengths):
        bone = obj.data.edit_bones.new(f"tail{number}")
        bone.head, bone.parent = at, parent
        at = at + Vector((random.normal() / 6, 1, random.normal() / 6)).normalized() * length
        bone.tail, bone.roll, parent = at, random.uniform(-3, 3), bone
    bpy.ops.object.mode_set(mode="OBJECT")
    for bone in obj.pose.bones:
        bone.rotation_mode = "QUATERNION"
    return obj


def tails(obj: Any, count: int) -> Any:
    """(F, count + 1, 3) joints and end."""
    result: list[list[Any]] = []
    for frame in range(1, FRAMES + 1):
        bpy.context.scene.frame_set(frame)
        shown = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
        bones = [shown.pose.bones[f"tail{number}"] for number in range(count)]
        result.append([shown.matrix_world @ point for point in (*(bone.head for bone in bones), bones[-1].tail)])
    return np.array(result)


def tangents(line: Any, lengths: Sequence[float], parts: Any) -> Any:
    """(F, P, 3) the directions at parts of the length."""
    steps = np.diff(line, axis=1)
    rows = np.searchsorted(np.cumsum(lengths) / sum(lengths), parts)
    return (steps / np.linalg.norm(steps, axis=2, keepdims=True))[:, rows]


@pytest.mark.parametrize(
    ("first", "second", "kind"),
    [
        ((0.2, 0.3, 0.4), (0.1, 0.3, 0.1, 0.2, 0.2), ""),
        ((0.1,) * 6, (0.4, 0.2), ""),
        ((0.2, 0.3), (0.2, 0.2, 0.2), "mirror"),
        ((0.2, 0.3), (0.2, 0.2, 0.2), "limited"),
    ],
)
def test_a_chain_beside_its_sources_line(part: Part, scene: Any, run: Any, first: Any, second: Any, kind: str) -> None:
    source, target = tailed("source", first, 1), tailed("target", second, 2)
    rigs.dance(part, source, frames=FRAMES, seed=4, most=1.2)
    if kind == "limited":
        limit: Any = target.pose.bones["tail1"].constraints.new("LIMIT_ROTATION")
        limit.use_limit_x, limit.use_limit_z, limit.owner_space = True, True, "LOCAL"
    kinds = part("core.retarget.figures.maps.bone_map")
    chain = kinds.Chain(*(tuple(f"tail{number}" for number in range(len(each))) for each in (first, second)), "tail")
    bone_map = kinds.BoneMap(rigs.pairs(part, rigs.PLAIN, rigs.PLAIN).pairs, (chain,))
    (report,) = run(source, target, bone_map, feet=False, mirror=kind == "mirror").reports
    parts = (np.arange(2000) + 0.5) / 2000
    wanted = tangents(tails(source, len(first)), first, parts) * ([-1, 1, 1] if kind == "mirror" else [1, 1, 1])
    away = np.cumsum(tangents(tails(target, len(second)), second, parts) - wanted, axis=1) / 2000
    off = np.linalg.norm(away, axis=2).max(axis=1)
    assert off.max() > 0.1
    assert report.chain_off == pytest.approx(off.max(), abs=2e-3)
    assert (report.chain_off_which, report.chain_off_frame) == (f"tail0…tail{len(second) - 1}", off.argmax() + 1)
