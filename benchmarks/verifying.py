"""`verify` of a whole game: by all cores against one process, by the clock.

`python -m retro_anim.benchmarks.verifying [--sizes 1 10 100]`: a game is our samples so many times, half a megabyte each. What is less
than 16 MB is not shared, since a process takes its time to start.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from . import start

_KINDS = (".anm", ".hqr", ".lm1", ".lm2", ".oni", ".anim", ".skel", ".mod", ".type", ".lab", ".lgo")


class Verified(NamedTuple):
    """How many times the samples; seconds of the clock by all cores and by one process; MB that a process of it has at most."""

    size: int
    seconds: float
    alone: float
    memory: float


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--sizes", type=int, nargs="+", default=[1, 10, 100])
    for size, seconds, alone, memory in measured(arguments.parse_args().sizes):
        print(f"{size:4} x {seconds:7.2f} s   one process {alone:7.2f} s   {seconds / alone:5.2f} x   {memory:6.1f} MB", flush=True)


def measured(sizes: Sequence[int]) -> Iterator[Verified]:
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            for number in range(size):
                _copied(Path(folder, f"{number:03}"))
            command = ["-m", "retro_anim.cli", "verify", folder]
            seconds, memory = _clock(command)
            yield Verified(size, seconds, _clock([*command, "--jobs", "1"])[0], memory)


def _clock(command: list[str]) -> tuple[float, float]:
    begun = time.perf_counter()
    took, _ = start.run(command)
    return time.perf_counter() - begun, took.memory


def _copied(folder: Path) -> None:
    """All files of the games that the samples have."""
    for path in sorted(start.SAMPLES.rglob("*")):
        if path.suffix.lower() in _KINDS:
            target = folder / path.relative_to(start.SAMPLES)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)


if __name__ == "__main__":
    main()
