"""Oni: many clips of one character into Blender and out again, against the bare writer and reader over the same curves, in the same run.

    python -m retro_anim.benchmarks.oni [--runs 5] [--clips 100]

in a Python that has Blender's module. The clips are our own sample's walk, each with its bones rotated by other angles.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import bpy
import numpy as np

from ..core.oni.files.documents import TramFile
from ..core.oni.motion.evaluate import rotations_of
from ..io.oni import ExportOptions, ImportOptions, export_oni, import_oni
from . import yardstick

SAMPLES = Path(__file__).resolve().parents[1] / "samples" / "oni"


def main() -> None:
    yardstick.clips_in_and_out(__doc__, clips, once)


def once(paths: tuple[str, ...], work: Path) -> dict[str, float]:
    """Seconds of each job, in a new file."""
    options = ImportOptions(paths=paths, skeleton=str(work / "TRBSmannequin.oni"))
    brought = yardstick.brought_in(lambda: import_oni(bpy.context, options))
    return yardstick.taken_out(lambda: export_oni(bpy.context, ExportOptions(str(work / "out" / "all.oni"), source="ALL")), brought)


def clips(work: Path, count: int) -> tuple[str, ...]:
    """The walk under many names, beside its body."""
    (work / "TRBSmannequin.oni").write_bytes((SAMPLES / "TRBSmannequin.oni").read_bytes())
    walk = TramFile.parse((SAMPLES / "TRAMmannequin_walk.oni").read_bytes()).tram
    keys = rotations_of(walk)
    paths: list[str] = []
    for number in range(count):
        path = work / f"TRAMwalk{number}.oni"
        rotations = replace(keys, keys=keys.keys + np.int16(8 * number)).pack()
        path.write_bytes(TramFile.new(replace(walk, name=path.stem, rotations=rotations)).pack())
        paths.append(str(path))
    return tuple(paths)


if __name__ == "__main__":
    main()
    yardstick.leave()
