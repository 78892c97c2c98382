"""A whole game at once: every character of Little Big Adventure with its body and all its clips, against a bare script.

    python -m retro_anim.benchmarks.whole_game [--runs 3] [--characters 30,82,300] [--no-lba2] [--game-data FOLDER]

in a Python that has Blender's module. The archives are made of the given entries under new numbers: as many characters of LBA1 as are
asked for, and all 345 of LBA2 with its 2083 clips. The bare script has everything ready in memory and builds nothing but armatures, meshes
with their materials and weights, and curves, by the plainest fast calls that Blender has. Times are of the processor, so that other work
on the machine counts less; both run in turn, each in a new file. The list is what a person sees on opening an archive.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path

import bpy

from ..core.lba.characters import characters, opened, users, which_game
from ..io.lba import ImportOptions, import_lba
from ..io.lba.contents import contents
from . import archives, bare_scene, yardstick


def main() -> None:
    arguments = yardstick.parser(__doc__, runs=3)
    yardstick.add_game_data(arguments)
    arguments.add_argument("--characters", default="30,82,300")
    arguments.add_argument("--no-lba2", action="store_true")
    given = arguments.parse_args()
    yardstick.say_where(given)
    each: dict[int, float] = {}
    for count in map(int, given.characters.split(",")):
        with tempfile.TemporaryDirectory() as work:
            clips = archives.lba1(yardstick.game_folder(given, "lba1"), Path(work), count)
            each[count] = _whole(f"LBA1, {clips} clips", Path(work) / "FILE3D.HQR", given.runs)
    if len(each) > 1:
        few, many = min(each), max(each)
        print(f"a character at {many} / at {few}: {each[many] / each[few]:.2f}")
    if not given.no_lba2:
        with tempfile.TemporaryDirectory() as work:
            _, clips = archives.lba2(yardstick.game_folder(given, "lba2"), Path(work))
            _list(f"LBA2's ANIM.HQR, {clips} entries", Path(work) / "ANIM.HQR", given.runs)
            _whole(f"LBA2, {clips} clips", Path(work) / "RESS.HQR", given.runs)


def _whole(title: str, path: Path, runs: int) -> float:
    """Prints one line; returns the seconds of a character."""
    ours: list[float] = []
    bare: list[float] = []
    count = 0
    for run in range(runs + 1):
        yardstick.fresh()
        start = time.process_time()
        count = len(import_lba(bpy.context, ImportOptions((str(path),), fps_mode="SET")).armatures)
        took = time.process_time() - start
        kept = bare_scene.kept()
        yardstick.fresh()
        start = time.process_time()
        bare_scene.build(kept)
        if run:  # the first one is not counted
            ours.append(took)
            bare.append(time.process_time() - start)
    middle, least = statistics.median(ours), statistics.median(bare)
    print(
        f"{title}, {count} characters: {middle:.2f} s, {1000 * middle / count:.2f} ms a character, {middle / least:.2f} x the bare script"
    )
    return middle / count


def _list(title: str, path: Path, runs: int) -> None:
    times: list[float] = []
    for run in range(runs + 1):
        for kept in (characters, opened, users, which_game):  # as when it is opened for the first time
            for name in vars(kept):
                clear = getattr(getattr(kept, name), "cache_clear", None)
                if clear is not None:
                    clear()
        start = time.process_time()
        lines = sum(map(len, contents(str(path), {}).values()))
        if run:
            times.append(time.process_time() - start)
    print(f"{title}: list of {lines} lines in {statistics.median(times):.2f} s")


if __name__ == "__main__":
    main()
    yardstick.leave()
