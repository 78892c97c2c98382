"""All speeds as one table: against yardsticks in the same run, with 1, 10 and 100 times the work, and the peak of memory.

    python -m retro_anim.benchmarks.speeds [--runs 3] [--sizes 1 10 100] [--blenders 4.2 5.2] [--json]

Memory is what the largest work adds to the process's peak (import, export, enabling), what its arrays and bytes take (parsing, packing,
unpacking, retargeting), what `info` has more than importing numpy, and the largest process of `verify`. With --blenders in each of those
that `python3 dev.py test` has set up, else in the one that runs this. It needs our samples alone. Every job is a process of its own, so
that its memory is its own.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple


class Figure(NamedTuple):
    """value: how many times as much as its yardstick, by the size of the work; of what has none (goal below 0), MB/s. cost: seconds, or
    MB of what is memory, by size. memory: MB that the largest work needs at most, as the benchmark counts them."""

    what: str
    goal: float
    value: dict[str, float]
    cost: dict[str, float]
    memory: float


GAMES = {
    "lba": ("Little Big Adventure, clips", 1.25, ""),
    "oni": ("Oni, clips", 1.6, "bare reader"),
    "oni2": ("Oni 2, clips", 1.6, "bare reader"),
    "time_line": ("Tales of Pirates, time line", 1.05, "bare reader"),
}
"""By module: what it is; at most how many times as long as the bare writer an import may take; as what an export may take 4 times as
long. None takes more than twice its import, the comparison with what is seen included."""

_KEY = 72
"""Bytes of a key in Blender."""

_FRAMES, _BONES = (1007, 7000), 60
"""What is retargeted as one clip, however many parts other work has."""


def in_and_out(module: str, sizes: list[int], runs: int) -> Iterator[Figure]:
    """A game's clips into Blender and out of it."""
    from . import yardstick

    title, fast_in, yardstick_out = GAMES[module]
    job = import_module(f".{module}", __package__)
    yardstick.clip_times(job.clips, job.once, 1, 1)  # what Blender loads once is nobody's memory
    before, times = yardstick.peak(), {}
    for size in sizes:
        times[str(size)] = yardstick.clip_times(job.clips, job.once, size, runs)
    memory = (yardstick.peak() - before) / 1e6
    rows = [("import", fast_in, "bare writer"), ("export", 2, "import")]
    if yardstick_out:
        rows.append(("export", 4, yardstick_out))
    if all("bytes to action" in took for took in times.values()):
        rows.append(("bytes to action", fast_in, "bare writer"))
    for what, goal, bare in rows:
        value = {size: took[what] / took[bare] for size, took in times.items()}
        yield Figure(f"{title}: {what}, to the {bare}", goal, value, {size: took[what] for size, took in times.items()}, memory)


def held(sizes: list[int], _runs: int) -> Iterator[Figure]:
    """What the import of a long time line needs, in a process that has done nothing else."""
    from . import time_line, yardstick

    yardstick.clip_times(time_line.clips, time_line.once, 1, 1)
    before, value, cost = yardstick.peak(), dict[str, float](), dict[str, float]()
    for size in sizes:
        grown, keys = time_line.imported(size, before)
        value[str(size)], cost[str(size)] = grown / (_KEY * keys) - 1, grown / 1e6
    what = "Tales of Pirates, time line: memory of an import above its keys, to the keys"
    yield Figure(what, 2, value, cost, cost[str(sizes[-1])])


def retargeting(sizes: list[int], runs: int) -> Iterator[Figure]:
    """A long clip onto the same joints, and many clips of our sample's, which have a few frames each."""
    from . import lba, retarget, yardstick

    long = {str(frames): retarget.long_clip(retarget.dancing(frames, _BONES), frames, runs) for frames in _FRAMES}
    for frames in long:
        value = {size: took.ours[1] / took.bare[1] for size, took in long.items() if int(size) <= int(frames)}
        cost = {size: long[size].ours[1] for size in value}
        what = f"Retargeting, {frames} frames of {_BONES} bones: to the bare reader and writer"
        yield Figure(what, 1.25, value, cost, long[frames].memory / 1e6)
    memory = {size: took.memory / took.pairs for size, took in long.items()}
    cost = {size: took.memory / 1e6 for size, took in long.items()}
    yield Figure("Retargeting, the same: memory, to the keys", 3, memory, cost, list(cost.values())[-1])
    value, cost = dict[str, float](), dict[str, float]()
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            yardstick.fresh()
            took = retarget.many(lba.imported(lba.clips(Path(folder), size), Path(folder)), runs)
        value[str(size)], cost[str(size)] = took.ours[1] / took.write[1], took.ours[1]
    yield Figure("Retargeting, clips of 9 frames: to the bare writer", 3, value, cost, 0)


def files(sizes: list[int], _runs: int) -> Iterator[Figure]:
    """Parsing and packing; archives' entries unpacked."""
    from . import codecs

    for name in codecs.CODECS:
        times = {str(size): codecs.codec(name, size) for size in sizes}
        largest = times[str(sizes[-1])]
        for what in largest.seconds:
            value = {size: took.seconds[what] / took.copy for size, took in times.items()}
            seconds = {size: took.seconds[what] for size, took in times.items()}
            yield Figure(f"{name}: {what}, to a copy of the bytes", 4, value, seconds, largest.memory[what])
    for method in (1, 2):
        unpacked = {str(size): codecs.unpacked(method, size) for size in sizes}
        value = {size: length / (1 << 20) / seconds for size, (length, seconds, _) in unpacked.items()}
        seconds = {size: seconds for size, (_, seconds, _) in unpacked.items()}
        yield Figure(f"HQR entry, method {method}: MB/s", -18, value, seconds, unpacked[str(sizes[-1])][2])


def starting(sizes: list[int], runs: int) -> Iterator[Figure]:
    """Enabling the extension, and the command line: the goal is of files of the usual size."""
    from . import start

    every = list(start.measured(runs, sizes))
    for name in dict.fromkeys(each.name for each in every):
        own = [each for each in every if each.name == name]
        goal, value = 0.33 if name == "register()" else 1.8, {str(own[0].size): own[0].seconds / own[0].numpy}
        yield Figure(f"{name}, to importing numpy", goal, value, {str(each.size): each.seconds for each in own}, own[-1].memory)


def verifying(sizes: list[int], _runs: int) -> Iterator[Figure]:
    """A whole game looked at by all cores."""
    from . import verifying as job

    every = list(job.measured(sizes))
    value = {str(each.size): each.seconds / each.alone for each in every}
    cost = {str(each.size): each.seconds for each in every}
    yield Figure("verify of a game by all cores, to one process (clock)", 1, value, cost, every[-1].memory)


JOBS = {"start": starting, "files": files, "verify": verifying, **dict.fromkeys(GAMES), "memory": held, "retarget": retargeting}


def _other(python: str, jobs: list[str], sizes: list[int], runs: int) -> list[Figure]:
    command = [python, "-P", "-m", f"{__package__}.speeds", "--json", "--runs", str(runs), "--sizes", *map(str, sizes), "--job", *jobs]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    line = next((line for line in run.stdout.splitlines() if line.startswith("FIGURES ")), None)
    if line is None:
        raise SystemExit(f"{python}: {' '.join(jobs)}: {(run.stderr.strip() or run.stdout.strip()).splitlines()[-1]}")
    return [Figure(**figure) for figure in json.loads(line.removeprefix("FIGURES "))]


def table(figures: dict[str, list[Figure]]) -> str:
    """As Markdown: figures by Blender, of the largest work, `info` of the usual one; growth and memory of the Blender in which they are
    worst."""
    names = list(figures)
    rows = [["speed", "goal", *names, "growth", "memory"], ["---"] * (len(names) + 4)]
    for same in zip(*figures.values(), strict=True):
        first = same[0]
        size = list(first.value)[-1]
        goal = f"≥ {-first.goal:g}" if first.goal < 0 else f"≤ {first.goal:g}"
        memory = max(figure.memory for figure in same)
        shown_memory = "" if not memory else f"{memory:.0f} MB" if memory >= 10 else f"{memory:.1f} MB"
        shown = [f"{figure.value[size]:.2f}" if figure.value[size] < 100 else f"{figure.value[size]:.0f}" for figure in same]
        rows.append(
            [
                first.what,
                goal,
                *shown,
                max((_growth(figure) for figure in same), key=lambda growth: growth[0])[1],
                shown_memory,
            ]
        )
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _growth(figure: Figure) -> tuple[float, str]:
    """How much longer each part of the work takes where there is more of it, at worst; and all of them, for people."""
    each = [cost / int(size) for size, cost in figure.cost.items() if cost > 0]  # little memory is room that was there before
    if len(each) < 2:
        return 0, ""
    return each[-1] / each[0], " : ".join(f"{part / each[0]:.2f}" for part in each)


def main(arguments: list[str]) -> int:
    command = argparse.ArgumentParser(
        "retro_anim.benchmarks.speeds", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    command.add_argument("--runs", type=int, default=3)
    command.add_argument("--sizes", type=int, nargs="+", default=[1, 10, 100])
    command.add_argument("--blenders", nargs="+", metavar="VERSION", help="'all' for all that are set up")
    command.add_argument("--json", action="store_true")
    command.add_argument("--job", nargs="+", default=list(JOBS), choices=list(JOBS))
    options = command.parse_args(arguments)
    if options.json and len(options.job) == 1:
        work: Any = JOBS[options.job[0]]
        figures = list(work(options.sizes, options.runs) if work else in_and_out(options.job[0], options.sizes, options.runs))
        print("\nFIGURES " + json.dumps([figure._asdict() for figure in figures]), flush=True)
        os._exit(0)  # some Blenders hang or crash where they are left to end by themselves
    pythons = {"here": sys.executable} if not options.blenders else _set_up(options.blenders)
    by_blender = {
        name: [each for job in options.job for each in _other(python, [job], options.sizes, options.runs)]
        for name, python in pythons.items()
    }
    if options.json:
        print(json.dumps({name: [figure._asdict() for figure in figures] for name, figures in by_blender.items()}))
    else:
        print(table(by_blender), end="")
    return 0


def _set_up(blenders: list[str]) -> dict[str, str]:
    """The Pythons of the environments beside the one that runs this, by Blender."""
    beside = Path(sys.prefix).parent
    folders = sorted(beside.glob("blender-*")) if "all" in blenders else [beside / f"blender-{name}" for name in blenders]
    script = Path("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    return {f"Blender {folder.name.removeprefix('blender-')}": str(folder / script) for folder in folders}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
