"""Little Big Adventure: importing a character with all its clips, against the bare writer and Blender's own importers.

    python -m retro_anim.benchmarks.lba1 [--runs 7] [--game-data FOLDER]

in a Python that has Blender's module. The folder is the one with lba1/ in it; it may also be named by RETRO_ANIM_GAME_DATA.
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

from ..core.lba.anm import Anm, frame_dtype
from ..io import compat, scene
from ..io.lba import ImportOptions, import_lba

Job = Callable[[], object]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--runs", type=int, default=7)
    default = os.environ.get("RETRO_ANIM_GAME_DATA") or str(Path(__file__).resolve().parents[2] / "shared" / "game_data")
    arguments.add_argument("--game-data", default=default)
    given = arguments.parse_args()
    folder = Path(given.game_data) / "lba1"
    if not folder.is_dir():
        sys.exit(f"no game data at {folder}")
    print(f"Blender {bpy.app.version_string}, numpy {np.__version__}, medians of {given.runs} runs")
    with tempfile.TemporaryDirectory() as work:
        _character(folder, Path(work), given.runs)
        _long_clip(Path(work), given.runs)


def _character(folder: Path, work: Path, runs: int) -> None:
    """All 38 clips of entity 0, from the archives to the armature, mesh and actions."""

    def ours() -> object:
        return import_lba(bpy.context, ImportOptions((str(folder / "FILE3D.HQR"),), entries="0", fps_mode="SET"))

    _fresh()
    thing, *_ = import_lba(bpy.context, ImportOptions((str(folder / "FILE3D.HQR"),), entries="0", fps_mode="SET")).armatures
    bare = _bare_writer(list(bpy.data.actions), thing)
    files, glb = _as_bvh(thing, work), _as_glb(work / "clips.glb")
    times = _interleaved({"ours": ours, "bare": bare, "bvh": lambda: [_bvh(path) for path in files], "gltf": lambda: _gltf(glb)}, runs)
    curves = sum(len(curve) for curve in _KEPT)
    print(f"entity 0: {len(_KEPT)} clips, {curves} curves")
    _table(times)


def _long_clip(work: Path, runs: int) -> None:
    """One clip of 60 bones x 1000 keyframes: more than the game allows, to see how it grows."""
    frames = np.zeros(1000, frame_dtype(60))
    frames["duration"] = 1
    random = np.random.default_rng(0)
    frames["bones"]["value"][:, 1:] = random.integers(0, 1024, (1000, 59, 3))
    path = work / "long.anm"
    path.write_bytes(Anm(1000, 1000, frames).pack())

    def ours() -> object:
        return import_lba(bpy.context, ImportOptions((str(path),), game="lba1", fps_mode="SET"))

    _fresh()
    ours()
    glb = _as_glb(work / "long.glb")
    print("one clip of 60 bones x 1000 keyframes")
    _table(_interleaved({"ours": ours, "gltf": lambda: _gltf(glb)}, runs))


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


def _table(times: dict[str, float]) -> None:
    for name, seconds in times.items():
        print(f"  {name:5} {1000 * seconds:8.1f} ms   {seconds / times['ours']:6.2f} x ours")


_KEPT: list[list[tuple[str, int, str, Any, Any]]] = []
"""For every clip its curves: path, index, group, keys, interpolation."""


def _bare_writer(actions: list[bpy.types.Action], thing: bpy.types.Object) -> Job:
    """The fastest way that Blender has, over the same curves: create, foreach_set twice, update. Arrays are ready beforehand."""
    _KEPT.clear()
    for action in actions:
        clip = []
        for curve in compat.curves(action, thing):
            keys = np.empty(2 * len(curve.keyframe_points), np.float32)
            curve.keyframe_points.foreach_get("co", keys)
            clip.append((curve.data_path, curve.array_index, curve.group.name, keys, np.full(len(keys) // 2, compat.LINEAR, np.int32)))
        _KEPT.append(clip)

    def write() -> None:
        owner = bpy.data.objects.new("owner", bpy.data.armatures.new("owner"))
        for clip in _KEPT:
            create = _plain(bpy.data.actions.new("bare"), owner)
            for path, index, group, keys, interpolation in clip:
                curve = create(path, index, group)
                curve.keyframe_points.add(len(interpolation))
                curve.keyframe_points.foreach_set("co", keys)
                curve.keyframe_points.foreach_set("interpolation", interpolation)
                curve.update()

    return write


def _plain(action: Any, owner: bpy.types.Object) -> Callable[[str, int, str], Any]:
    """(data path, index, group) -> F-curve, by the plainest call that each Blender has."""
    if not compat.SLOTTED:
        action.id_root = "OBJECT"
        return lambda path, index, group: action.fcurves.new(path, index=index, action_group=group)
    bag = action.layers.new("Layer").strips.new(type="KEYFRAME").channelbag(action.slots.new("OBJECT", owner.name), ensure=True)
    if bpy.app.version >= (5, 0, 0):
        return lambda path, index, group: bag.fcurves.new(path, index=index, group_name=group)
    return lambda path, index, group: bag.fcurves.new(path, index=index)


def _as_bvh(thing: bpy.types.Object, work: Path) -> list[Path]:
    """One file an action, a sample a tick, by Blender's own exporter."""
    files: list[Path] = []
    for number, action in enumerate(list(bpy.data.actions)):
        compat.assign(thing, action)
        scene.make_active(bpy.context, thing)
        files.append(work / f"clip{number}.bvh")
        first, last = (round(frame) for frame in action.frame_range)
        bpy.ops.export_anim.bvh(filepath=str(files[-1]), frame_start=first, frame_end=max(last, first + 1))
    return files


def _as_glb(path: Path) -> Path:
    bpy.ops.export_scene.gltf(filepath=str(path), export_animation_mode="ACTIONS", export_force_sampling=True)
    return path


def _bvh(path: Path) -> None:
    bpy.ops.import_anim.bvh(filepath=str(path))


def _gltf(path: Path) -> None:
    bpy.ops.import_scene.gltf(filepath=str(path))


def _fresh() -> None:
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)


if __name__ == "__main__":
    main()
    sys.stdout.flush()
    os._exit(0)  # some Blenders crash when left to end by themselves after a glTF export
