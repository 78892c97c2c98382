"""Oni 2: many clips of one character into Blender and out again, against the bare writer and reader over the same curves, in the same run.

    python -m retro_anim.benchmarks.oni2 [--runs 5] [--clips 100]

in a Python that has Blender's module. The clips are copies of our own sample's walk.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import bpy

from ..io.oni2 import ExportOptions, ImportOptions, export_oni2, import_oni2
from . import yardstick

SAMPLES = Path(__file__).resolve().parents[1] / "samples" / "oni2" / "Entity" / "mannequin"
RATIOS = (("import", "bare writer"), ("export", "bare reader"))


def main() -> None:
    arguments = yardstick.parser(__doc__, runs=5)
    arguments.add_argument("--clips", type=int, default=100)
    given = arguments.parse_args()
    yardstick.say_where(given)
    print(f"{given.clips} clips")
    with tempfile.TemporaryDirectory() as work:
        _run(Path(work), given.clips, given.runs)


def _run(work: Path, clips: int, runs: int) -> None:
    paths = _clips(work, clips)
    (work / "out").mkdir()
    times: dict[str, list[float]] = {}
    for run in range(runs + 1):
        for name, seconds in _once(paths, work).items():
            times.setdefault(name, []).extend([seconds] if run else [])
    middle = {name: statistics.median(seconds) for name, seconds in times.items()}
    for name, seconds in middle.items():
        print(f"  {name:12} {1000 * seconds:8.1f} ms   {1000 * seconds / clips:6.2f} ms a clip")
    for job, bare in RATIOS:
        print(f"  {job} / {bare}: {middle[job] / middle[bare]:.2f}")


def _once(paths: tuple[str, ...], work: Path) -> dict[str, float]:
    """Seconds of each job, in a new file."""
    yardstick.fresh()
    took = {"import": _timed(lambda: import_oni2(bpy.context, ImportOptions(paths)))}
    obj = next(obj for obj in bpy.data.objects if obj.type == "ARMATURE")
    imported = list(bpy.data.actions)
    kept: list[list[yardstick.Curve]] = []
    took["bare reader"] = _timed(lambda: kept.extend(yardstick.curves_of(action, obj) for action in imported))
    options = ExportOptions(str(work / "out" / "all.anim"), source="ALL", overwrite=True)
    took["export"] = _timed(lambda: export_oni2(bpy.context, options))
    took["bare writer"] = _timed(lambda: yardstick.write(kept))
    return took


def _clips(work: Path, count: int) -> tuple[str, ...]:
    """The walk under many names, beside its skeleton."""
    (work / "mannequin.skel").write_bytes((SAMPLES / "mannequin.skel").read_bytes())
    walk = (SAMPLES / "mannequin_walk.anim").read_bytes()
    paths = [work / f"mannequin_walk{number}.anim" for number in range(count)]
    for path in paths:
        path.write_bytes(walk)
    return tuple(map(str, paths))


def _timed(job: Callable[[], object]) -> float:
    start = time.perf_counter()
    job()
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
