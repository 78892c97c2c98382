"""Retargeting a long clip, the whole job in Blender, against what Blender has for it: Copy Rotation constraints and `nla.bake`.

    python -m retro_anim.benchmarks.retarget [--frames 1007,7000] [--bones 60] [--runs 5] [--no-bake]

in a Python that has Blender's module. Source and target have the same joints; the target's bones are rolled at random. Everything happens
in this one process: keys are read, retargeted with its report, and a new action is written and shown. The bake is run once, since it takes
long. The bare reader and writer do nothing but read the source's keys and write the same curves, from arrays that are ready: nothing that
retargets can be faster. Times are of the wall clock, and in brackets of all processor cores together, which other work on the machine does
not change. Where the game's files are, all clips of a character of Little Big Adventure 1 follow, beside a bare writer of their keys.
"""

from __future__ import annotations

import statistics
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix

from ..core.motion.curves import Block, Channel
from ..core.retarget.figures.bone_map import BoneMap, Pair
from ..core.retarget.options import RetargetOptions
from ..io.blender import compat, making, scene
from ..io.blender.motion import curve_writer
from ..io.pipeline import games
from ..io.retarget.retarget import retarget_actions
from . import yardstick

OPS: Any = bpy.ops


def main() -> None:
    arguments = yardstick.parser(__doc__, runs=5)
    arguments.add_argument("--frames", default="1007,7000")
    arguments.add_argument("--bones", type=int, default=60)
    yardstick.add_game_data(arguments)
    arguments.add_argument("--no-bake", action="store_true")
    given = arguments.parse_args()
    print(f"Blender {bpy.app.version_string}, numpy {np.__version__}, {given.bones} bones, medians of {given.runs} runs")
    for frames in (int(number) for number in given.frames.split(",")):
        _measure(frames, given.bones, given.runs, not given.no_bake)
    data = Path(given.game_data) / "lba1"
    if data.is_dir():
        _many(data, given.runs)


def _measure(frames: int, bones: int, runs: int, with_bake: bool) -> None:
    OPS.wm.read_homefile(use_empty=True, use_factory_startup=True)
    source, target = rig("source", bones, 0), rig("target", bones, 1)
    moving = dance(source, frames)
    compat.assign(source, moving)
    bone_map = BoneMap(tuple(Pair(bone.name, bone.name) for bone in source.pose.bones))
    spent: dict[str, list[tuple[float, float]]] = {"ours": [], "read": [], "write": []}
    error, memory, pairs = 0.0, 0, 0
    for run in range(runs + 1):
        result = _timed(spent["ours"], lambda: retarget_actions(bpy.context, source, target, bone_map))
        error = error or _apart(source, target, frames)
        curves = yardstick.curves_of(result.actions[0], target)
        pairs = sum(curve.keys.nbytes for curve in curves)
        _timed(spent["write"], lambda curves=curves: yardstick.write([curves]))
        _timed(spent["read"], lambda: _keys_of(moving, source))
        without(target, [moving])
        if run == 0:
            spent = {name: [] for name in spent}  # the first is not counted
    tracemalloc.start()
    retarget_actions(bpy.context, source, target, bone_map)
    memory = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    without(target, [moving])
    (ours, own), (read, reading), (write, writing) = (tuple(map(statistics.median, zip(*spent[name], strict=True))) for name in spent)
    print(f"{frames} frames: {ours:.3f} s ({own:.3f} s), joints within {error:.1e} m")
    bare, baring = read + write, reading + writing
    print(f"  bare reader and writer: {bare:.3f} s ({baring:.3f} s): {ours / bare:.2f} times ({own / baring:.2f} times)")
    print(f"  arrays at most: {memory / 1e6:.0f} MB, {memory / pairs:.1f} times the float32 pairs written")
    if with_bake:
        seconds, work = _bake(source, target, frames)
        print(f"  constraints and nla.bake: {seconds:.2f} s ({work:.2f} s): {seconds / ours:.0f} times as long ({work / own:.0f} times)")


def _many(data: Path, runs: int) -> None:
    """All clips of Little Big Adventure's hero onto another rig."""
    OPS.wm.read_homefile(use_empty=True, use_factory_startup=True)
    target = rig("target", 30, 1)
    bpy.context.view_layer.objects.active = None
    (part,) = games.import_files(bpy.context, [str(data / "FILE3D.HQR")], {"entities": "0"})
    source, clips = part.armatures[0], list(part.actions)
    bones = [bone.name for bone in target.pose.bones]
    bone_map = BoneMap(tuple(Pair(bone.name, name) for bone, name in zip(source.pose.bones, bones, strict=False)))
    options = RetargetOptions(actions=tuple(clip.name for clip in clips))
    spent: dict[str, list[tuple[float, float]]] = {"ours": [], "write": []}
    for run in range(runs + 1):
        result = _timed(spent["ours"], lambda: retarget_actions(bpy.context, source, target, bone_map, options))
        curves = [yardstick.curves_of(action, target) for action in result.actions]
        _timed(spent["write"], lambda curves=curves: yardstick.write(curves))
        without(target, clips)
        if run == 0:
            spent = {name: [] for name in spent}
    (ours, own), (write, writing) = (tuple(map(statistics.median, zip(*spent[name], strict=True))) for name in spent)
    print(f"{len(clips)} clips: {ours:.3f} s ({own:.3f} s), bare writer {write:.3f} s ({writing:.3f} s): {own / writing:.1f} times")


def _timed(spent: list[tuple[float, float]], job: Callable[[], Any]) -> Any:
    """Seconds of the wall clock and of the processor, added to `spent`. Returns what the job returns."""
    start, work = time.perf_counter(), time.process_time()
    result = job()
    spent.append((time.perf_counter() - start, time.process_time() - work))
    return result


def _keys_of(action: bpy.types.Action, obj: Any) -> list[Any]:
    """The bare reader: all keys of an action."""
    result: list[Any] = []
    for curve in compat.curves(action, obj):
        keys = np.empty(2 * len(curve.keyframe_points), np.float32)
        curve.keyframe_points.foreach_get("co", keys)
        result.append(keys)
    return result


def without(target: Any, clips: list[bpy.types.Action]) -> None:
    """The scene as before: only these actions."""
    target.animation_data.action = None
    keep = {clip.name for clip in clips}
    bpy.data.batch_remove([action for action in bpy.data.actions if action.name not in keep])


def rig(name: str, bones: int, seed: int) -> Any:
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


def dance(obj: Any, frames: int) -> bpy.types.Action:
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
    action = curve_writer.Writer(obj).write(blocks)
    action.name = "dance"
    return action


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
