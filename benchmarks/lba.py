"""Little Big Adventure: many clips of an archive in, and unedited into it again, against the bare writer and reader over the same curves.

    python -m retro_anim.benchmarks.lba [--runs 5] [--clips 100]

in a Python that has Blender's module. All clips are our own sample's walk, each with its bones rotated by other angles.
"""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import bpy
import numpy as np

from ..core.lba.files.anm import Anm
from ..core.lba.files.archive.hqr import Hqr
from ..io.lba import ExportOptions, ImportOptions, export_lba, import_lba
from ..io.pipeline.games import Imported
from . import yardstick

SAMPLES = Path(__file__).resolve().parents[1] / "samples" / "lba1"


def main() -> None:
    yardstick.clips_in_and_out(__doc__, clips, once)


def once(paths: tuple[str, ...], work: Path) -> dict[str, float]:
    """Seconds of each job, in a new file."""
    brought = yardstick.brought_in(lambda: imported(paths, work))
    return yardstick.taken_out(lambda: export_lba(bpy.context, ExportOptions(paths[0], source="ALL")), brought)


def imported(paths: tuple[str, ...], work: Path) -> Imported:
    """All clips of the archive, with their body."""
    every = ImportOptions(paths, entries="0-9999", skeleton=str(work / "mannequin.lm1"), game="lba1")
    return import_lba(bpy.context, every)


def clips(work: Path, count: int) -> tuple[str, ...]:
    """An archive with the walk in so many entries, beside its body."""
    for name in ("mannequin.lm1", "RESS.HQR"):
        shutil.copy(SAMPLES / name, work)
    archive, walk = Hqr.empty(), Anm.parse((SAMPLES / "walk.anm").read_bytes())
    for index in range(count):
        frames = walk.frames.copy()
        frames["bones"]["value"][:, 1:] += np.int16(index)
        archive = archive.with_entry(index, replace(walk, frames=frames).pack())
    (work / "ANIM.HQR").write_bytes(archive.pack())
    return (str(work / "ANIM.HQR"),)


if __name__ == "__main__":
    main()
    yardstick.leave()
