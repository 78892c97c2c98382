"""Tales of Pirates: one long time line of our own sample's skeleton in and out, against the bare writer and reader over the same curves.

    python -m retro_anim.benchmarks.time_line [--runs 5] [--clips 100]

in a Python that has Blender's module. A "clip" is forty frames.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import bpy
import numpy as np

from ..core.mindpower.files.skeleton.lab import Lab
from ..io.blender import compat
from ..io.mindpower import ExportOptions, ImportOptions, export_mindpower, import_mindpower
from ..io.mindpower.figure import figure_read
from . import yardstick
from .mindpower import to_action

SAMPLE = Path(__file__).resolve().parents[1] / "samples" / "mindpower" / "animation" / "0001.lab"


def main() -> None:
    yardstick.clips_in_and_out(__doc__, clips, once)


def once(paths: tuple[str, ...], work: Path) -> dict[str, float]:
    """Seconds of each job, in a new file."""
    brought = yardstick.brought_in(lambda: import_mindpower(bpy.context, ImportOptions(paths)))
    data, rest = Path(paths[0]).read_bytes(), figure_read.read(brought.obj).rig.rest
    options = ExportOptions(str(work / "out" / "0001.lab"), source="ALL", overwrite=True)
    took = yardstick.taken_out(lambda: export_mindpower(bpy.context, options), brought)
    yardstick.fresh()
    return took | {"bytes to action": yardstick.timed(lambda: to_action(data, rest))}


def imported(count: int, before: int) -> tuple[int, int]:
    """Bytes by which the process's peak is above `before` after an import of so many "clips", and their keys."""
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder) / "game"
        work.mkdir()
        paths = clips(work, count)
        yardstick.fresh()
        obj = import_mindpower(bpy.context, ImportOptions(paths)).armatures[0]
        grown = yardstick.peak() - before
    actions = list(bpy.data.actions)
    return grown, sum(len(curve.keyframe_points) for action in actions for curve in compat.curves(action, obj))


def clips(work: Path, count: int) -> tuple[str, ...]:
    """The sample's own frames, again and again, in one file without a client around it."""
    lab = Lab.parse(SAMPLE.read_bytes())
    rows = lab.keys.reshape(len(lab.bones), -1)
    positions, quaternions = (part.reshape(len(rows), lab.frame_count, -1) for part in np.split(rows, [3 * lab.frame_count], axis=1))
    again = np.arange(40 * count) % lab.frame_count
    path = work / SAMPLE.name
    path.write_bytes(lab.with_quaternions(positions[:, again], quaternions[:, again]).pack())
    return (str(path),)


if __name__ == "__main__":
    main()
    yardstick.leave()
