"""A whole game at once: every character of Little Big Adventure with its body and all its clips, against a bare script.

    python -m retro_anim.benchmarks.whole_game [--runs 3] [--characters 30,82,300] [--no-lba2] [--game-data FOLDER]

in a Python that has Blender's module. The archives are made of the given entries under new numbers: as many characters of LBA1 as are asked
for, and all 345 of LBA2 with its 2083 clips. The bare script has everything ready in memory and builds the same scene, no file read and
nothing converted, by the plainest fast calls that Blender has: armatures, meshes with their attributes, materials, textures and weights,
curves, markers, and custom properties with the files in them. Times are of the processor, so that other work on the machine counts less;
both run in turn, each in a new file. The list is what a person sees on opening an archive.
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
from . import archives, bare_scene, plain_scene, yardstick


def main() -> None:
    arguments = yardstick.parser(__doc__, runs=3)
    yardstick.add_game_data(arguments)
    arguments.add_argument("--characters", default="30,82,300")
    arguments.add_argument("--no-lba2", action="store_true")
    given = arguments.parse_args()
    yardstick.say_where(given)
    counts = [int(count) for count in given.characters.split(",")]
    with tempfile.TemporaryDirectory() as work:
        paths: dict[int, Path] = {}
        for count in counts:
            folder = Path(work) / str(count)
            folder.mkdir()
            paths[count] = folder / "FILE3D.HQR"
            clips = archives.lba1(yardstick.game_folder(given, "lba1"), folder, count)
            _whole(f"LBA1, {clips} clips", paths[count], given.runs)
        if len(counts) > 1:
            _growth(paths, min(counts), max(counts), given.runs)
    if not given.no_lba2:
        with tempfile.TemporaryDirectory() as work:
            _, clips = archives.lba2(yardstick.game_folder(given, "lba2"), Path(work))
            _list(f"LBA2's ANIM.HQR, {clips} entries", Path(work) / "ANIM.HQR", given.runs)
            _whole(f"LBA2, {clips} clips", Path(work) / "RESS.HQR", given.runs)


def _growth(paths: dict[int, Path], few: int, many: int, runs: int) -> None:
    """The time of a character, many against few: in turn, since the machine is faster at one time than at another."""
    ratios: list[float] = []
    for run in range(runs + 1):
        each = {
            count: statistics.median(_imported(paths[count])[1] / count for _ in range(times)) for count, times in ((few, 3), (many, 1))
        }
        if run:
            ratios.append(each[many] / each[few])
    print(f"a character at {many} / at {few}: {statistics.median(ratios):.2f}")


def _imported(path: Path) -> tuple[int, float]:
    """How many characters, and the seconds that it took, in a new file."""
    yardstick.fresh()
    start = time.process_time()
    count = len(import_lba(bpy.context, ImportOptions((str(path),), fps_mode="SET")).armatures)
    return count, time.process_time() - start


def _whole(title: str, path: Path, runs: int) -> None:
    """Prints one line."""
    ours: list[float] = []
    bare: list[float] = []
    count = 0
    for run in range(runs + 1):
        count, took = _imported(path)
        kept = plain_scene.kept()
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
