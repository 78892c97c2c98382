"""Oni 2: many clips of one character into Blender and out again, against the bare writer and reader over the same curves, in the same run.

    python -m retro_anim.benchmarks.oni2 [--runs 5] [--clips 100]

in a Python that has Blender's module. The clips are our own sample's walk, each with other values.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import bpy
import numpy as np

from ..core.oni2.files.anim import Anim
from ..io.oni2 import ExportOptions, ImportOptions, export_oni2, import_oni2
from . import yardstick

SAMPLES = Path(__file__).resolve().parents[1] / "samples" / "oni2" / "Entity" / "mannequin"


def main() -> None:
    yardstick.clips_in_and_out(__doc__, clips, once)


def once(paths: tuple[str, ...], work: Path) -> dict[str, float]:
    """Seconds of each job, in a new file."""
    brought = yardstick.brought_in(lambda: import_oni2(bpy.context, ImportOptions(paths)))
    options = ExportOptions(str(work / "out" / "all.anim"), source="ALL", overwrite=True)
    return yardstick.taken_out(lambda: export_oni2(bpy.context, options), brought)


def clips(work: Path, count: int) -> tuple[str, ...]:
    """The walk under many names, beside its skeleton."""
    (work / "mannequin.skel").write_bytes((SAMPLES / "mannequin.skel").read_bytes())
    walk = Anim.parse((SAMPLES / "mannequin_walk.anim").read_bytes())
    paths = [work / f"mannequin_walk{number}.anim" for number in range(count)]
    for number, path in enumerate(paths):
        path.write_bytes(replace(walk, table=walk.table + np.float32(0.001 * number)).pack())
    return tuple(map(str, paths))


if __name__ == "__main__":
    main()
    yardstick.leave()
