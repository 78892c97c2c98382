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
from typing import Any, NamedTuple

import bpy
import numpy as np
from mathutils import Matrix

from ..core.motion.curves import Block, Channel
from ..core.retarget.figures.maps.bone_map import BoneMap, Pair
from ..core.retarget.options import RetargetOptions
from ..io.blender import compat, new_objects, scene
from ..io.blender.motion import curve_writer
from ..io.pipeline import games
from ..io.retarget.retarget import retarget_actions
from . import yardstick

OPS: Any = bpy.ops

Times = tuple[float, float]
"""Seconds of the wall clock and of the processor."""


class Took(NamedTuple):
    """Medians of a retargeting and of the bare jobs, each of the wall clock and of the processor, in seconds. error: metres by which joints
    are apart. memory: bytes of arrays and objects at most; pairs: of the float32 pairs of frame and value that are written."""

    ours: Times
    read: Times
    write: Times
    error: float = 0.0
    memory: int = 0
    pairs: int = 0

    @property
    def bare(self) -> Times:
        """Reader and writer."""
        return self.read[0] + self.write[0], self.read[1] + self.write[1]


def main() -> None:
    arguments = yardstick.parser(__doc__, runs=5)
    arguments.add_argument("--frames", default="1007,7000")
    arguments.add_argument("--bones", type=int, default=60)
    yardstick.add_game_data(arguments)
    arguments.add_argument("--no-bake", action="store_true")
    given = arguments.parse_args()
    print(f"Blender {bpy.app.version_string}, numpy {np.__version__}, {given.bones} bones, medians of {given.runs} runs")
    for frames in (int(number) for number in given.frames.split(",")):
        scenery = dancing(frames, given.bones)
        _tell(frames, long_clip(scenery, frames, given.runs), _bake(*scenery[:2], frames) if not given.no_bake else None)
    data = Path(given.game_data) / "lba1"
    if data.is_dir():
        yardstick.fresh()
        (part,) = games.import_files(bpy.context, [str(data / "FILE3D.HQR")], {"entities": "0"})
        took = many(part, given.runs)
        (ours, own), (write, writing) = took.ours, took.write
        beside = f"bare writer {write:.3f} s ({writing:.3f} s): {own / writing:.1f} times"
        print(f"{len(part.actions)} clips: {ours:.3f} s ({own:.3f} s), {beside}")


def _tell(frames: int, took: Took, bake: Times | None) -> None:
    (ours, own), (bare, baring) = took.ours, took.bare
    print(f"{frames} frames: {ours:.3f} s ({own:.3f} s), joints within {took.error:.1e} m")
    print(f"  bare reader and writer: {bare:.3f} s ({baring:.3f} s): {ours / bare:.2f} times ({own / baring:.2f} times)")
    print(f"  arrays at most: {took.memory / 1e6:.0f} MB, {took.memory / took.pairs:.1f} times the float32 pairs written")
    if bake is not None:
        seconds, work = bake
        print(f"  constraints and nla.bake: {seconds:.2f} s ({work:.2f} s): {seconds / ours:.0f} times as long ({work / own:.0f} times)")


def dancing(frames: int, bones: int) -> tuple[Any, Any, bpy.types.Action]:
    """A new file with a source that dances, a target, and the dance."""
    yardstick.fresh()
    source, target = rig("source", bones, 0), rig("target", bones, 1)
    moving = dance(source, frames)
    compat.assign(source, moving)
    return source, target, moving


def long_clip(scenery: tuple[Any, Any, bpy.types.Action], frames: int, runs: int) -> Took:
    """One clip of so many frames onto the same joints."""
    source, target, moving = scenery
    bone_map = BoneMap(tuple(Pair(bone.name, bone.name) for bone in source.pose.bones))
    spent: dict[str, list[Times]] = {"ours": [], "read": [], "write": []}
    error, pairs = 0.0, 0
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
    return Took(_median(spent["ours"]), _median(spent["read"]), _median(spent["write"]), error, memory, pairs)


def many(part: games.Imported, runs: int) -> Took:
    """All clips of a character onto another rig, whose names and rolls are others."""
    source, clips, target = part.armatures[0], list(part.actions), rig("target", 30, 1)
    bones = [bone.name for bone in target.pose.bones]
    bone_map = BoneMap(tuple(Pair(bone.name, name) for bone, name in zip(source.pose.bones, bones, strict=False)))
    options = RetargetOptions(actions=tuple(clip.name for clip in clips))
    spent: dict[str, list[Times]] = {"ours": [], "write": []}
    for run in range(runs + 1):
        result = _timed(spent["ours"], lambda: retarget_actions(bpy.context, source, target, bone_map, options))
        curves = [yardstick.curves_of(action, target) for action in result.actions]
        _timed(spent["write"], lambda curves=curves: yardstick.write(curves))
        without(target, clips)
        if run == 0:
            spent = {name: [] for name in spent}
    return Took(_median(spent["ours"]), (0.0, 0.0), _median(spent["write"]))


def _median(spent: list[Times]) -> Times:
    clock, work = zip(*spent, strict=True)
    return statistics.median(clock), statistics.median(work)


def _timed(spent: list[Times], job: Callable[[], Any]) -> Any:
    """Adds to `spent` what a job takes. Returns what the job returns."""
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
    scene.make_active(bpy.context, new_objects.link(bpy.context, obj))
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


def _bake(source: Any, target: Any, frames: int) -> Times:
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
