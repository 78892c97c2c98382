"""What the comparison with what Blender shows costs: an export with it, against the same export without it, in the same run.

    python -m retro_anim.benchmarks.check [--runs 7] [--game-data FOLDER]

in a Python that has Blender's module. Each export is of clips that nobody has edited, which are found to be what they came from before
they are compared, and again with one key of one bone edited in each. The goal is at most 1.5 times as long.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import bpy
import numpy as np

from ..core.lba.files.anm import Anm, frame_dtype
from ..core.oni.files.documents import TramFile
from ..io import lba, mindpower, oni, oni2
from ..io.blender import compat
from ..io.lba.write import Writer as LbaWriter
from ..io.mindpower.write import Writer as PiratesWriter
from ..io.oni.write import Writer as OniWriter
from ..io.oni2.write import Writer as Oni2Writer
from . import yardstick

SAMPLES = Path(__file__).resolve().parents[1] / "samples" / "oni"
ONI2 = SAMPLES.with_name("oni2") / "Entity" / "mannequin"


def main() -> None:
    arguments = yardstick.parser(__doc__, runs=7)
    yardstick.add_game_data(arguments)
    given = arguments.parse_args()
    folder = yardstick.game_folder(given, "lba1")
    yardstick.say_where(given)
    with tempfile.TemporaryDirectory() as work:
        _compare("LBA, 38 clips", LbaWriter, given.runs, *_character(folder, Path(work)))
        _compare("LBA, one clip of 30 bones x 1000 keyframes", LbaWriter, given.runs, *_long_clip(Path(work)))
        few, many = (_compare(f"Oni, {count} clips", OniWriter, given.runs, *_oni(Path(work), count)) for count in (25, 100))
        for what, one, other in zip(("unedited", "one bone edited"), few, many, strict=True):
            print(f"growth, {what}: {1000 * one / 25:.2f} ms a clip of 25, {1000 * other / 100:.2f} of 100")
        _compare("Oni 2, 100 clips", Oni2Writer, given.runs, *_oni2(Path(work)))
        client = yardstick.game_folder(given, "mindpower") / "animation"
        for name, keys in (("0741", "quaternions"), ("0010", "matrices")):
            _compare(f"Tales of Pirates, {name} ({keys})", PiratesWriter, given.runs, *_pirates(client / f"{name}.lab", Path(work)))


Fetch = Callable[[], Any]
Export = Callable[[], Any]


def _compare(title: str, writer: type, runs: int, fetch: Fetch, export: Export) -> list[float]:
    """Prints milliseconds with and without the check, and their ratio; returns the seconds that it took, unedited and edited."""
    cost: list[float] = []
    for edited in (False, True):
        yardstick.fresh()
        imported = fetch()
        bpy.context.view_layer.objects.active = imported.armatures[0]
        if edited:
            for action in imported.actions:
                _edit(action)
        times: dict[bool, list[float]] = {True: [], False: []}
        for run in range(runs + 1):
            for checked in (True, False):
                with _switched(writer, checked):
                    seconds = _seconds(export)
                if run:
                    times[checked].append(seconds)
        took = {checked: statistics.median(values) for checked, values in times.items()}
        what = "one bone edited" if edited else "unedited"
        print(f"{title}, {what}: {1000 * took[True]:.0f} ms, {1000 * took[False]:.0f} without: {took[True] / took[False]:.2f} times")
        cost.append(took[True] - took[False])
    return cost


def _seconds(job: Export) -> float:
    """Of the processor, so that whatever else the machine does counts on neither side."""
    begun = time.process_time()
    job()
    return time.process_time() - begun


@contextmanager
def _switched(writer: Any, on: bool) -> Generator[None]:
    """An export without anything to compare, where it is off."""
    own = writer.replayed
    if not on:
        writer.replayed = lambda *_: ()
    try:
        yield
    finally:
        writer.replayed = own


def _edit(action: bpy.types.Action) -> None:
    """A rotation of a bone, at a key in the middle: a quaternion stays one of length 1, as keys that somebody inserts are."""
    curves = [curve for curve in compat.curves(action) if ".rotation" in curve.data_path and len(curve.keyframe_points) > 2]
    own = [curve for curve in curves if curve.data_path == curves[0].data_path] if curves else []
    if not own:
        return
    points = [curve.keyframe_points[len(curve.keyframe_points) // 2] for curve in own]
    values = np.array([point.co[1] for point in points])
    length = np.linalg.norm(values)
    values[-1] += 0.05
    for point, value in zip(points, values * (length / np.linalg.norm(values) if len(values) == 4 else 1), strict=True):
        point.co[1] = value
    for curve in own:
        curve.update()


def _character(folder: Path, work: Path) -> tuple[Fetch, Export]:
    paths, out = (str(folder / "FILE3D.HQR"),), str(work / "out.hqr")
    return (
        lambda: lba.import_lba(bpy.context, lba.ImportOptions(paths, entries="0", fps_mode="SET")),
        lambda: lba.export_lba(bpy.context, lba.ExportOptions(out, source="ALL", overwrite=True)),
    )


def _long_clip(work: Path) -> tuple[Fetch, Export]:
    frames = np.zeros(1000, frame_dtype(30))
    frames["duration"] = 2
    frames["bones"]["value"][:, 1:] = np.random.default_rng(0).integers(0, 1024, (1000, 29, 3))
    path, out = work / "long.anm", str(work / "long_out.anm")
    path.write_bytes(Anm(1000, 1000, frames).pack())
    return (
        lambda: lba.import_lba(bpy.context, lba.ImportOptions((str(path),), game="lba1", fps_mode="SET")),
        lambda: lba.export_lba(bpy.context, lba.ExportOptions(out, overwrite=True)),
    )


def _oni2(work: Path) -> tuple[Fetch, Export]:
    (work / "mannequin.skel").write_bytes((ONI2 / "mannequin.skel").read_bytes())
    (work / "out2").mkdir()
    paths = [work / f"mannequin_walk{number}.anim" for number in range(100)]
    for path in paths:
        path.write_bytes((ONI2 / "mannequin_walk.anim").read_bytes())
    options = oni2.ImportOptions(tuple(map(str, paths)))
    out = str(work / "out2" / "all.anim")
    return (
        lambda: oni2.import_oni2(bpy.context, options),
        lambda: oni2.export_oni2(bpy.context, oni2.ExportOptions(out, source="ALL", overwrite=True)),
    )


def _pirates(source: Path, work: Path) -> tuple[Fetch, Export]:
    """A skeleton with all its actions, away from its client."""
    path, out = work / source.name, str(work / f"out_{source.name}")
    path.write_bytes(source.read_bytes())
    options = mindpower.ImportOptions((str(path),), fps_mode="SET")
    return (
        lambda: mindpower.import_mindpower(bpy.context, options),
        lambda: mindpower.export_mindpower(bpy.context, mindpower.ExportOptions(out, source="ALL", overwrite=True)),
    )


def _oni(work: Path, count: int) -> tuple[Fetch, Export]:
    walk = TramFile.parse((SAMPLES / "TRAMmannequin_walk.oni").read_bytes()).tram
    (work / "TRBSmannequin.oni").write_bytes((SAMPLES / "TRBSmannequin.oni").read_bytes())
    (work / f"out{count}").mkdir()
    paths: list[str] = []
    for number in range(count):
        path = work / f"TRAMwalk{number}.oni"
        path.write_bytes(TramFile.new(replace(walk, name=path.stem)).pack())
        paths.append(str(path))
    options = oni.ImportOptions(tuple(paths), skeleton=str(work / "TRBSmannequin.oni"))
    out = str(work / f"out{count}" / "all.oni")
    return (
        lambda: oni.import_oni(bpy.context, options),
        lambda: oni.export_oni(bpy.context, oni.ExportOptions(out, source="ALL", overwrite=True)),
    )


if __name__ == "__main__":
    main()
    yardstick.leave()
