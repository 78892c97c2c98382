"""Little Big Adventure: importing a character with all its clips, against the bare writer and Blender's own importers.

    python -m retro_anim.benchmarks.lba1 [--runs 7] [--game-data FOLDER]

in a Python that has Blender's module. The folder is the one with lba1/ in it; it may also be named by RETRO_ANIM_GAME_DATA.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import bpy
import numpy as np

from ..core.lba.files.anm import Anm, frame_dtype
from ..io.blender import compat, scene
from ..io.lba import ImportOptions, import_lba
from . import yardstick


def main() -> None:
    arguments = yardstick.parser(__doc__, runs=7)
    yardstick.add_game_data(arguments)
    given = arguments.parse_args()
    folder = yardstick.game_folder(given, "lba1")
    yardstick.say_where(given)
    with tempfile.TemporaryDirectory() as work:
        _character(folder, Path(work), given.runs)
        _long_clip(Path(work), given.runs)


def _character(folder: Path, work: Path, runs: int) -> None:
    """All 38 clips of entity 0, from the archives to the armature, mesh and actions."""

    def ours() -> object:
        return import_lba(bpy.context, ImportOptions((str(folder / "FILE3D.HQR"),), entries="0", fps_mode="SET"))

    grown = yardstick.growth(ours)
    yardstick.fresh()
    obj, *_ = import_lba(bpy.context, ImportOptions((str(folder / "FILE3D.HQR"),), entries="0", fps_mode="SET")).armatures
    clips = [yardstick.curves_of(action, obj) for action in bpy.data.actions]
    files, glb = _as_bvh(obj, work), _as_glb(work / "clips.glb")
    jobs: dict[str, yardstick.Job] = {
        "ours": ours,
        "bare": lambda: yardstick.write(clips),
        "bvh": lambda: [_bvh(path) for path in files],
        "gltf": lambda: _gltf(glb),
    }
    times = yardstick.interleaved_times(jobs, runs)
    print(f"entity 0: {len(clips)} clips, {sum(map(len, clips))} curves, memory {grown:.1f} MB more")
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

    grown = yardstick.growth(ours)
    glb = _as_glb(work / "long.glb")
    print(f"one clip of 60 bones x 1000 keyframes, memory {grown:.1f} MB more")
    _table(yardstick.interleaved_times({"ours": ours, "gltf": lambda: _gltf(glb)}, runs))


def _table(times: dict[str, float]) -> None:
    for name, seconds in times.items():
        print(f"  {name:5} {1000 * seconds:8.1f} ms   {seconds / times['ours']:6.2f} x ours")


def _as_bvh(obj: bpy.types.Object, work: Path) -> list[Path]:
    """One file an action, a sample a tick, by Blender's own exporter."""
    files: list[Path] = []
    for number, action in enumerate(list(bpy.data.actions)):
        compat.assign(obj, action)
        scene.make_active(bpy.context, obj)
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


if __name__ == "__main__":
    main()
    yardstick.leave()
