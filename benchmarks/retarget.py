"""Retargeting a long clip, the whole job in Blender, against what Blender has for it: Copy Rotation constraints and `nla.bake`.

    python -m retro_anim.benchmarks.retarget [--frames 1007,7000] [--bones 60] [--runs 5] [--no-bake]

in a Python that has Blender's module. Source and target have the same joints; the target's bones are rolled at random. Everything happens
in this one process: keys are read, retargeted with its report, and a new action is written and shown. The bake is run once, since it takes
long. The bare writer does nothing but write the same curves, from arrays that are ready: nothing that makes keys can be faster. Times are
of the wall clock, and in brackets of all processor cores together, which other work on the machine does not change. Memory is the growth of
the process's peak during the first retargeting.
"""

from __future__ import annotations

import statistics
import time
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix

from ..core.motion.curves import Block, Channel
from ..core.retarget.figures.bone_map import BoneMap, Pair
from ..io.blender import compat, fcurves, making, scene
from ..io.retarget.retarget import retarget_actions
from . import yardstick

OPS: Any = bpy.ops


def main() -> None:
    arguments = yardstick.parser(__doc__, runs=5)
    arguments.add_argument("--frames", default="1007,7000")
    arguments.add_argument("--bones", type=int, default=60)
    arguments.add_argument("--no-bake", action="store_true")
    given = arguments.parse_args()
    print(f"Blender {bpy.app.version_string}, numpy {np.__version__}, {given.bones} bones, medians of {given.runs} runs")
    for frames in (int(number) for number in given.frames.split(",")):
        _measure(frames, given.bones, given.runs, not given.no_bake)


def _measure(frames: int, bones: int, runs: int, with_bake: bool) -> None:
    OPS.wm.read_homefile(use_empty=True, use_factory_startup=True)
    source, target = _rig("source", bones, 0), _rig("target", bones, 1)
    compat.assign(source, _dance(source, frames))
    bone_map = BoneMap(tuple(Pair(bone.name, bone.name) for bone in source.pose.bones))
    before, times, works, bare, error = yardstick.peak(), list[float](), list[float](), list[float](), 0.0
    grown = 0
    curves: list[yardstick.Curve] = []
    for run in range(runs):
        start, work = time.perf_counter(), time.process_time()
        result = retarget_actions(bpy.context, source, target, bone_map)
        times.append(time.perf_counter() - start)
        works.append(time.process_time() - work)
        if run == 0:
            grown = yardstick.peak() - before
            error = _apart(source, target, frames)
            curves = yardstick.curves_of(result.actions[0], target)
        start = time.perf_counter()
        yardstick.write([curves])
        bare.append(time.perf_counter() - start)
        target.animation_data.action = None
        bpy.data.actions.remove(result.actions[0])
    ours, own, least = statistics.median(times), statistics.median(works), statistics.median(bare)
    print(f"{frames} frames: {ours:.3f} s ({own:.3f} s), joints within {error:.1e} m, memory {grown / 2**20:.0f} MB more")
    if with_bake:
        seconds, work = _bake(source, target, frames)
        print(f"  constraints and nla.bake: {seconds:.2f} s ({work:.2f} s): {seconds / ours:.0f} times as long ({work / own:.0f} times)")
        print(f"  the bare writer: {least:.3f} s, so that the bake takes {seconds / least:.0f} times as long as writing the keys alone")


def _rig(name: str, bones: int, seed: int) -> Any:
    """Chains of five bones that branch from a spine; seed 0: no roll."""
    data = bpy.data.armatures.new(name)
    obj = bpy.data.objects.new(name, data)
    scene.make_active(bpy.context, making.link(bpy.context, obj))
    random = np.random.default_rng(seed)
    OPS.object.mode_set(mode="EDIT")
    imported: list[Any] = []
    for number in range(bones):
        bone: Any = data.edit_bones.new(f"bone {number}")
        parent = imported[number - 1] if number % 5 else imported[number // 10 * 5] if imported else None
        start = np.array(parent.tail if parent and number % 5 else parent.head if parent else (0, 0, 1), np.float64)
        bone.head = start + (0 if number % 5 or parent is None else np.array([0.1 * (number % 7 - 3), 0.05, 0.1]))
        bone.tail = np.array(bone.head) + np.array([0.05 * (number % 3 - 1), 0.02 * (number % 4 - 1.5), 0.2])
        if parent is not None:
            bone.parent = parent
        if seed:
            bone.matrix = bone.matrix @ Matrix.Rotation(random.uniform(-3, 3), 4, "Y")
        imported.append(bone)
    OPS.object.mode_set(mode="OBJECT")
    for bone in obj.pose.bones:
        bone.rotation_mode = "QUATERNION"
    return obj


def _dance(obj: Any, frames: int) -> bpy.types.Action:
    """Every bone keyed on every frame."""
    random = np.random.default_rng(2)
    at, clock = np.arange(frames, dtype=np.float32) + 1, np.arange(frames) / 24
    blocks: list[Block] = []
    for bone in obj.pose.bones:
        waves = random.normal(size=(3, 3, 1)) * np.sin(random.uniform(0, 6, (3, 3, 1)) + clock * np.array([1.0, 2.1, 3.3])[:, None])
        axis = waves.sum(axis=1) * 0.3
        angle = np.linalg.norm(axis, axis=0)
        values = np.concatenate([np.cos(angle / 2)[None], axis / np.maximum(angle, 1e-9) * np.sin(angle / 2)])
        blocks.append(_block(bone.name, "rotation_quaternion", values, at))
    blocks.append(_block(obj.pose.bones[0].name, "location", np.stack([np.sin(clock), np.cos(clock), 0.1 * np.sin(3 * clock)]), at))
    return fcurves.Writer(obj).write("dance", blocks)


def _block(bone: str, name: str, values: Any, at: Any) -> Block:
    channels = [Channel(bone, name, index) for index in range(len(values))]
    return Block(channels, at, values.astype(np.float32), np.zeros(len(at), bool))


def _bake(source: Any, target: Any, frames: int) -> tuple[float, float]:
    """As people do it by hand."""
    start, work = time.perf_counter(), time.process_time()
    for bone in target.pose.bones:
        constraint = bone.constraints.new("COPY_ROTATION")
        constraint.target, constraint.subtarget = source, bone.name
        # The rolls differ, so the source's world rotation is not the target's: the bake is faster than a right one would be.
        if bone.parent is None:
            follow = bone.constraints.new("COPY_LOCATION")
            follow.target, follow.subtarget = source, bone.name
    scene.make_active(bpy.context, target)
    OPS.nla.bake(
        frame_start=1,
        frame_end=frames,
        only_selected=False,
        visual_keying=True,
        clear_constraints=True,
        use_current_action=False,
        bake_types={"POSE"},
    )
    return time.perf_counter() - start, time.process_time() - work


def _apart(source: Any, target: Any, frames: int) -> float:
    """The largest distance of joints on ten frames."""
    worst = 0.0
    for frame in np.linspace(1, frames, 10).astype(int).tolist():
        bpy.context.scene.frame_set(frame)
        graph = bpy.context.evaluated_depsgraph_get()
        one, other = (np.array([bone.head for bone in obj.evaluated_get(graph).pose.bones]) for obj in (source, target))
        worst = max(worst, float(np.linalg.norm(one - other, axis=1).max()))
    return worst


if __name__ == "__main__":
    main()
    yardstick.leave()
