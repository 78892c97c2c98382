"""Tales of Pirates: from the bytes of the largest skeleton file to an action, against the bare writer, in the same run.

    python -m retro_anim.benchmarks.mindpower [--runs 7] [--game-data FOLDER]

in a Python that has Blender's module. The folder is the one with mindpower/ in it; it may also be named by RETRO_ANIM_GAME_DATA.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import numpy as np

from ..core.curves import Timing
from ..core.mindpower import fitting
from ..core.mindpower.channels import BoneNames, blocks_of
from ..core.mindpower.lab import Lab
from ..core.mindpower.prepared import unique
from ..core.mindpower.rig import LabRig
from ..io import actions, compat, mindpower_figure
from ..io.mindpower import ImportOptions, import_mindpower

Job = Callable[[], object]
Curve = tuple[str, int, str, Any, Any]
"""Path, index, group, keys, interpolation."""


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--runs", type=int, default=7)
    default = os.environ.get("RETRO_ANIM_GAME_DATA") or str(Path(__file__).resolve().parents[2] / "shared" / "game_data")
    arguments.add_argument("--game-data", default=default)
    given = arguments.parse_args()
    folder = Path(given.game_data) / "mindpower"
    if not folder.is_dir():
        sys.exit(f"no game data at {folder}")
    print(f"Blender {bpy.app.version_string}, numpy {np.__version__}, medians of {given.runs} runs")
    source = folder / "animation" / "0001.lab"
    with tempfile.TemporaryDirectory() as work:
        path = Path(work) / source.name  # away from its client, so that nothing but the skeleton and its motion comes in
        path.write_bytes(source.read_bytes())
        _one_action(path, given.runs)
    _client(source, given.runs)


def _one_action(path: Path, runs: int) -> None:
    """The whole time line as one action."""
    data = path.read_bytes()

    def whole() -> object:
        return import_mindpower(bpy.context, ImportOptions((str(path),), fps_mode="SET"))

    _fresh()
    thing = import_mindpower(bpy.context, ImportOptions((str(path),), fps_mode="SET")).armatures[0]
    kept = _curves(thing)
    rest = mindpower_figure.read(thing).rig.rest

    def action() -> object:
        lab = Lab.parse(data)
        rig = LabRig.of(lab).with_rest(rest)
        names = BoneNames(unique(lab.names))
        blocks = blocks_of(fitting.fit(lab, rig, True), names, 0, lab.frame_count, Timing(30.0, 30.0))
        return actions.write(_owner(), [("ours", blocks)])

    times = _interleaved({"bytes to action": action, "bare writer": lambda: _write(kept), "whole import": whole}, runs)
    _table("0001.lab as one action", times, kept)


def _client(path: Path, runs: int) -> None:
    """As a person opens it: meshes, textures, dummies, and an action for every range."""

    def whole() -> object:
        return import_mindpower(bpy.context, ImportOptions((str(path),), fps_mode="SET"))

    _fresh()
    made = import_mindpower(bpy.context, ImportOptions((str(path),), fps_mode="SET"))
    kept: list[list[Curve]] = []
    for action in made.actions:
        compat.assign(made.armatures[0], action)
        kept += _curves(made.armatures[0])
    times = _interleaved({"bare writer": lambda: _write(kept), "whole import": whole}, runs)
    _table(f"0001.lab in its client's folder, {len(made.actions)} actions", times, kept)


def _curves(thing: bpy.types.Object) -> list[list[Curve]]:
    """The present action's curves, ready to be written again."""
    found: list[Curve] = []
    for curve in compat.curves(thing.animation_data.action, thing):
        keys = np.empty(2 * len(curve.keyframe_points), np.float32)
        curve.keyframe_points.foreach_get("co", keys)
        found.append((curve.data_path, curve.array_index, curve.group.name, keys, np.full(len(keys) // 2, compat.LINEAR, np.int32)))
    return [found]


def _write(kept: list[list[Curve]]) -> None:
    """The fastest way that Blender has, over the same curves: create, foreach_set twice, update. Arrays are ready beforehand."""
    owner = _owner()
    for clip in kept:
        _, curves = compat.new_action("bare", owner)
        make = curves.new
        for path, index, group, keys, interpolation in clip:
            curve = make(path, index, group)
            curve.keyframe_points.add(len(interpolation))
            curve.keyframe_points.foreach_set("co", keys)
            curve.keyframe_points.foreach_set("interpolation", interpolation)
            curve.update()


def _owner() -> bpy.types.Object:
    return bpy.data.objects.new("owner", bpy.data.armatures.new("owner"))


def _interleaved(jobs: dict[str, Job], runs: int) -> dict[str, float]:
    """The median seconds of each job; in turn, each in a new file, after one run that is not counted."""
    times: dict[str, list[float]] = {name: [] for name in jobs}
    for run in range(runs + 1):
        for name, job in jobs.items():
            _fresh()
            start = time.perf_counter()
            job()
            if run:
                times[name].append(time.perf_counter() - start)
    return {name: statistics.median(values) for name, values in times.items()}


def _table(title: str, times: dict[str, float], kept: list[list[Curve]]) -> None:
    keys = sum(len(curve[4]) for clip in kept for curve in clip)
    print(f"{title}: {sum(map(len, kept))} curves, {keys} keys")
    for name, seconds in times.items():
        share = times["bare writer"] / seconds
        print(f"  {name:16} {1000 * seconds:8.1f} ms  {keys / seconds / 1e6:6.2f} million keys a second  {share:6.1%} of the bare writer")


def _fresh() -> None:
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)


if __name__ == "__main__":
    main()
    sys.stdout.flush()
    os._exit(0)
