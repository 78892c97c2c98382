"""What the benchmarks share: the bare writer as a yardstick, jobs measured alternately, and the peak of memory."""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from itertools import repeat
from pathlib import Path
from typing import Any, NamedTuple

import bpy
import numpy as np

from ..io.blender import compat

Job = Callable[[], object]


class Curve(NamedTuple):
    """An F-curve as arrays that Blender takes: keys frame, value, frame, value… types: of keys, None where all are plain ones."""

    path: str
    index: int
    group: str
    keys: Any
    interpolation: Any
    types: Any


def parser(description: str | None, runs: int) -> argparse.ArgumentParser:
    arguments = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--runs", type=int, default=runs)
    return arguments


def add_game_data(arguments: argparse.ArgumentParser) -> None:
    default = os.environ.get("RETRO_ANIM_GAME_DATA") or str(Path(__file__).resolve().parents[2] / "shared" / "game_data")
    arguments.add_argument("--game-data", default=default, help="the folder with a folder for each game; or RETRO_ANIM_GAME_DATA")


def game_folder(given: argparse.Namespace, name: str) -> Path:
    folder = Path(given.game_data) / name
    if not folder.is_dir():
        sys.exit(f"no game data at {folder}")
    return folder


def say_where(given: argparse.Namespace) -> None:
    print(f"Blender {bpy.app.version_string}, numpy {np.__version__}, medians of {given.runs} runs")


def fresh() -> None:
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)


def curves_of(action: bpy.types.Action, obj: bpy.types.Object) -> list[Curve]:
    """An action's curves, ready to be written again."""
    curves: list[Curve] = []
    for curve in compat.curves(action, obj):
        count = len(curve.keyframe_points)
        keys, interpolation, types = np.empty(2 * count, np.float32), np.empty(count, np.int32), np.empty(count, np.int32)
        curve.keyframe_points.foreach_get("co", keys)
        curve.keyframe_points.foreach_get("interpolation", interpolation)
        curve.keyframe_points.foreach_get("type", types)
        group = curve.group.name if curve.group else ""
        special = types if (types != compat.KEYFRAME_VALUE).any() else None
        curves.append(Curve(curve.data_path, curve.array_index, group, keys, interpolation, special))
    return curves


def write(clips: Iterable[list[Curve]], names: Iterable[str] = repeat("bare")) -> list[bpy.types.Action]:
    """The plainest fast calls that Blender has, an action a clip: create in its group, foreach_set of keys, interpolation and, where they
    are not all plain ones, types, update. The arrays are ready beforehand."""
    owner = bpy.data.objects.new("owner", bpy.data.armatures.new("owner"))
    actions: list[bpy.types.Action] = []
    for clip, name in zip(clips, names, strict=False):
        actions.append(bpy.data.actions.new(name))
        create = _plain(actions[-1], owner)
        for path, index, group, keys, interpolation, types in clip:
            curve = create(path, index, group)
            curve.keyframe_points.add(len(interpolation))
            curve.keyframe_points.foreach_set("co", keys)
            curve.keyframe_points.foreach_set("interpolation", interpolation)
            if types is not None:
                curve.keyframe_points.foreach_set("type", types)
            curve.update()
    return actions


def _plain(action: Any, owner: bpy.types.Object) -> Callable[[str, int, str], Any]:
    """(data path, index, group) -> F-curve, by the plainest call that each Blender has."""
    if not compat.SLOTTED:
        action.id_root = "OBJECT"
        return lambda path, index, group: action.fcurves.new(path, index=index, action_group=group)
    bag = action.layers.new("Layer").strips.new(type="KEYFRAME").channelbag(action.slots.new("OBJECT", owner.name), ensure=True)
    if bpy.app.version >= (5, 0, 0):
        return lambda path, index, group: bag.fcurves.new(path, index=index, group_name=group)
    groups: dict[str, Any] = {}

    def create(path: str, index: int, group: str) -> Any:
        curve = bag.fcurves.new(path, index=index)
        if group not in groups:
            groups[group] = bag.groups.new(group)
        curve.group = groups[group]
        return curve

    return create


def interleaved_times(jobs: dict[str, Job], runs: int) -> dict[str, float]:
    """The median seconds of the processor of each job; the jobs alternate, each in a new file, after one run that is not counted."""
    times: dict[str, list[float]] = {name: [] for name in jobs}
    for run in range(runs + 1):
        for name, job in jobs.items():
            fresh()
            start = time.process_time()
            job()
            if run:
                times[name].append(time.process_time() - start)
    return {name: statistics.median(values) for name, values in times.items()}


def peak() -> int:
    """Bytes of memory that the process has had at most; 0 where the system does not tell."""
    if sys.platform == "win32":
        return 0
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def timed(job: Job) -> float:
    """Seconds of the processor that it takes, so that whatever else the machine does counts on neither side."""
    start = time.process_time()
    job()
    return time.process_time() - start


Prepare = Callable[[Path, int], tuple[str, ...]]
"""Writes so many clips into a folder, and returns their paths."""

Once = Callable[[tuple[str, ...], Path], dict[str, float]]
"""The seconds of each job ("import", "bare reader", "export", "bare writer", where it is measured "bytes to action", which is an import's
curves alone) with these files, in a new file."""


class Brought(NamedTuple):
    """What an import brought in: its seconds and those of the bare reader, the armature, and the curves of each action."""

    took: dict[str, float]
    obj: Any
    curves: list[list[Curve]]


def brought_in(job: Job) -> Brought:
    """An import in a new file."""
    fresh()
    took = {"import": timed(job)}
    obj = next(obj for obj in bpy.data.objects if obj.type == "ARMATURE")
    actions = list(bpy.data.actions)
    curves: list[list[Curve]] = []
    took["bare reader"] = timed(lambda: curves.extend(curves_of(action, obj) for action in actions))
    return Brought(took, obj, curves)


def taken_out(job: Job, brought: Brought) -> dict[str, float]:
    """The seconds of all jobs, with those of an export, and of the bare writer in a new file."""
    took = brought.took | {"export": timed(job)}
    fresh()
    return took | {"bare writer": timed(lambda: write(brought.curves))}


def clip_times(prepare: Prepare, once: Once, count: int, runs: int) -> dict[str, float]:
    """The median seconds of each job with `count` clips, after one run that is not counted."""
    times: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder) / "game"  # an import also looks at what is beside the files' folder, which is not to be all temporary files
        work.mkdir()
        paths = prepare(work, count)
        (work / "out").mkdir()
        for run in range(runs + 1):
            for name, seconds in once(paths, work).items():
                times.setdefault(name, []).extend([seconds] if run else [])
    return {name: statistics.median(seconds) for name, seconds in times.items()}


def clips_in_and_out(description: str | None, prepare: Prepare, once: Once) -> None:
    """Prints the medians of import, export, bare writer and bare reader of many clips, and the ratios."""
    arguments = parser(description, runs=5)
    arguments.add_argument("--clips", type=int, default=100)
    given = arguments.parse_args()
    say_where(given)
    print(f"{given.clips} clips")
    middle = clip_times(prepare, once, given.clips, given.runs)
    for name, seconds in middle.items():
        print(f"  {name:12} {1000 * seconds:8.1f} ms   {1000 * seconds / given.clips:6.2f} ms a clip")
    for job, bare in (("import", "bare writer"), ("export", "bare reader")):
        print(f"  {job} / {bare}: {middle[job] / middle[bare]:.2f}")


def growth(job: Job) -> float:
    """Megabytes by which a job, in a new file, raises the process's peak of memory."""
    fresh()
    before = peak()
    job()
    return (peak() - before) / 1e6


def leave() -> None:
    """Some Blenders crash, or wait for ever, when left to end by themselves."""
    sys.stdout.flush()
    os._exit(0)
