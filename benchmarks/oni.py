"""Oni: many clips of one character into Blender and out again, against the bare writer and reader over the same curves, in the same run.

    python -m retro_anim.benchmarks.oni [--runs 5] [--clips 100]

in a Python that has Blender's module. The clips are copies of our own sample's walk.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import bpy

from ..core.oni.files.documents import TramFile
from ..io.oni import ExportOptions, ImportOptions, export_oni, import_oni
from . import yardstick

SAMPLES = Path(__file__).resolve().parents[1] / "samples" / "oni"


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
    yardstick.fresh()
    options = ImportOptions(paths=paths, skeleton=str(work / "TRBSmannequin.oni"))
    took = {"import": _timed(lambda: import_oni(bpy.context, options))}
    obj = next(obj for obj in bpy.data.objects if obj.type == "ARMATURE")
    reduced = list(bpy.data.actions)
    kept: list[list[yardstick.Curve]] = []
    took["bare reader"] = _timed(lambda: kept.extend(yardstick.curves_of(action, obj) for action in reduced))
    took["export"] = _timed(lambda: export_oni(bpy.context, ExportOptions(str(out / "all.oni"), source="ALL")))
    took["bare writer"] = _timed(lambda: yardstick.write(kept))
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


def _timed(job: Callable[[], object]) -> float:
    start = time.perf_counter()
    job()
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
