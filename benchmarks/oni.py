"""Oni: many clips of one character into Blender and out again, against the bare writer and reader over the same curves, in the same run.

    python -m retro_anim.benchmarks.oni [--runs 5] [--clips 100]

in a Python that has Blender's module. The clips are copies of our own sample's walk.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import bpy
import numpy as np

from ..core.oni.documents import TramFile
from ..io import compat
from ..io.oni import ImportOptions, import_oni
from ..io.oni_export import export_oni
from ..io.oni_pack import ExportOptions

SAMPLES = Path(__file__).resolve().parents[1] / "samples" / "oni"

Kept = list[tuple[str, int, Any, Any]]
"""Path, index, keys, interpolation of every curve of an action."""


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--runs", type=int, default=5)
    arguments.add_argument("--clips", type=int, default=100)
    given = arguments.parse_args()
    print(f"Blender {bpy.app.version_string}, numpy {np.__version__}, medians of {given.runs} runs, {given.clips} clips")
    with tempfile.TemporaryDirectory() as work:
        _run(Path(work), given.clips, given.runs)


def _run(work: Path, clips: int, runs: int) -> None:
    paths = _clips(work, clips)
    out = work / "out"
    out.mkdir()
    times: dict[str, list[float]] = {}
    for run in range(runs + 1):
        for name, seconds in _once(paths, work, out).items():
            times.setdefault(name, []).extend([seconds] if run else [])
    for name, seconds in times.items():
        middle = statistics.median(seconds)
        print(f"  {name:12} {1000 * middle:8.1f} ms   {1000 * middle / clips:6.2f} ms a clip")


def _once(paths: tuple[str, ...], work: Path, out: Path) -> dict[str, float]:
    """Seconds of each job, in a new file."""
    _fresh()
    options = ImportOptions(paths, skeleton=str(work / "TRBSmannequin.oni"))
    took = {"import": _timed(lambda: import_oni(bpy.context, options))}
    thing = next(thing for thing in bpy.data.objects if thing.type == "ARMATURE")
    made = list(bpy.data.actions)
    kept: list[Kept] = []
    took["bare reader"] = _timed(lambda: kept.extend(_read(action, thing) for action in made))
    took["export"] = _timed(lambda: export_oni(bpy.context, ExportOptions(str(out / "all.oni"), "ALL")))
    took["bare writer"] = _timed(lambda: [_write(curves, thing) for curves in kept])
    return took


def _clips(work: Path, count: int) -> tuple[str, ...]:
    """The walk under many names, beside its body."""
    (work / "TRBSmannequin.oni").write_bytes((SAMPLES / "TRBSmannequin.oni").read_bytes())
    walk = TramFile.parse((SAMPLES / "TRAMmannequin_walk.oni").read_bytes()).tram
    paths: list[str] = []
    for number in range(count):
        path = work / f"TRAMwalk{number}.oni"
        path.write_bytes(TramFile.new(replace(walk, name=path.stem)).pack())
        paths.append(str(path))
    return tuple(paths)


def _read(action: bpy.types.Action, thing: bpy.types.Object) -> Kept:
    kept: Kept = []
    for curve in compat.curves(action, thing):
        count = len(curve.keyframe_points)
        keys, shape = np.empty(2 * count, np.float32), np.empty(count, np.int32)
        curve.keyframe_points.foreach_get("co", keys)
        curve.keyframe_points.foreach_get("interpolation", shape)
        kept.append((curve.data_path, curve.array_index, keys, shape))
    return kept


def _write(curves: Kept, thing: bpy.types.Object) -> None:
    """The fastest way that Blender has: create, foreach_set twice, update."""
    _, made = compat.new_action("bare", thing)
    make = made.new
    for path, index, keys, shape in curves:
        curve = make(path, index, "bare", None)
        curve.keyframe_points.add(len(shape))
        curve.keyframe_points.foreach_set("co", keys)
        curve.keyframe_points.foreach_set("interpolation", shape)
        curve.update()


def _timed(job: Callable[[], object]) -> float:
    start = time.perf_counter()
    job()
    return time.perf_counter() - start


def _fresh() -> None:
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)


if __name__ == "__main__":
    main()
