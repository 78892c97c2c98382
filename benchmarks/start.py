"""Enabling the extension, and the command line, against importing numpy: with byte code there, each in a process of its own.

`python -m retro_anim.benchmarks.start [--runs N] [--sizes 1 10 100]`: goals are a third, and 1.8 times, of files of the usual size; then
the same of files that are so many times as large.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

SAMPLES = Path(__file__).resolve().parent.parent / "samples"
_REGISTER = """
import bpy, time
try:
    import resource
except ImportError:
    peak = lambda: 0
else:
    peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
before, start = peak(), time.process_time()
import retro_anim
retro_anim.register()
print("SECONDS", time.process_time() - start, peak() - before)
import os, sys
sys.stdout.flush()
os._exit(0)
"""
_NUMPY = 'import time; start = time.process_time(); import numpy; print("SECONDS", time.process_time() - start, 0)'
_FILES = {
    "info walk.anm": ("lba1/walk.anm", "walk.anm"),
    "info TRAMmannequin_walk.oni": ("oni/TRAMmannequin_walk.oni", "TRAMwalk.oni"),
    "info OBANmannequin_camera.oni": ("oni/OBANmannequin_camera.oni", "OBANcamera.oni"),
    "info mannequin_walk.anim": ("oni2/Entity/mannequin/mannequin_walk.anim", "walk.anim"),
    "info 0001.lab": ("mindpower/animation/0001.lab", "0001.lab"),
}
"""The sample, and what its larger ones are called."""

_UNIT = 1 if sys.platform == "darwin" else 1024
"""Bytes in which the system counts a process's peak of memory."""


class Started(NamedTuple):
    """What ran; how many times the usual work; its seconds, and those of importing numpy in the same way; MB above numpy's, or above
    Blender's where it is enabled there."""

    name: str
    size: int
    seconds: float
    numpy: float
    memory: float


class Run(NamedTuple):
    """Seconds of the processor, and the peak of memory in MB, 0 where the system does not tell."""

    seconds: float
    memory: float


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--runs", type=int, default=9)
    arguments.add_argument("--sizes", type=int, nargs="+", default=[1, 10, 100])
    given = arguments.parse_args()
    for name, size, seconds, numpy, memory in measured(given.runs, given.sizes):
        against = f"import numpy {1000 * numpy:7.1f} ms   {seconds / numpy:5.2f} x   {memory:6.1f} MB more"
        print(f"{name:30}{size:4} x {1000 * seconds:7.1f} ms   {against}", flush=True)


def measured(runs: int, sizes: Sequence[int]) -> Iterator[Started]:
    """Enabling, then `info` of each kind of file: of 1 time the work the sample itself."""
    with tempfile.TemporaryDirectory() as folder:
        settings = {**os.environ, "PYTHONPYCACHEPREFIX": str(Path(folder, "cache"))}
        settings.pop("PYTHONDONTWRITEBYTECODE", None)
        enabled, numpy = _least([["-c", _REGISTER], ["-c", _NUMPY]], runs, settings, inside=True)
        yield Started("register()", 1, enabled.seconds, numpy.seconds, enabled.memory)
        larger = [str(size) for size in sizes if size != 1]
        subprocess.run([sys.executable, "-P", "-m", f"{__package__}.large", folder, *larger], check=True)
        for name, (sample, large) in _FILES.items():
            jobs = [["-m", "retro_anim.cli", "info", str(SAMPLES / sample)], ["-c", "import numpy"]]
            info, numpy = _least(jobs, runs, settings, inside=False)
            for size in sizes:
                path = Path(folder, str(size), large)
                took = info if size == 1 else run(["-m", "retro_anim.cli", "info", str(path)], settings)[0]
                yield Started(name, size, took.seconds, numpy.seconds, max(took.memory - numpy.memory, 0))


def run(command: Sequence[str], settings: dict[str, str] | None = None) -> tuple[Run, str]:
    """What a Python with these arguments takes, in a process of its own with all that it starts, and what it prints."""
    start = time.perf_counter()
    process = subprocess.Popen([sys.executable, "-P", *command], env=settings, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    output, problem = process.stdout, process.stderr
    assert output is not None and problem is not None
    with output, problem:
        if sys.platform == "win32":
            shown, said = process.communicate()
            seconds, memory = time.perf_counter() - start, 0.0
        else:
            shown, said = output.read(), problem.read()
            _, status, used = os.wait4(process.pid, 0)  # of this process alone, and more exact than `os.times`
            process.returncode = os.waitstatus_to_exitcode(status)
            seconds, memory = used.ru_utime + used.ru_stime, used.ru_maxrss * _UNIT / 1e6
    if process.returncode:
        raise SystemExit(f"{' '.join(command)}: {said.decode(errors='replace').strip()[-400:]}")
    return Run(seconds, memory), shown.decode(errors="replace")


def _least(commands: list[list[str]], runs: int, settings: dict[str, str], inside: bool) -> list[Run]:
    """The least of several runs of each, in turn. inside: what the process measured itself."""
    best: list[Any] = [Run(float("inf"), float("inf"))] * len(commands)
    for _ in range(runs + 1):  # the first writes the byte code
        for number, command in enumerate(commands):
            took, shown = run(command, settings)
            if inside:
                seconds, peak = map(float, shown.rpartition("SECONDS")[2].split()[:2])
                took = Run(seconds, peak * _UNIT / 1e6)
            best[number] = Run(min(best[number].seconds, took.seconds), min(best[number].memory, took.memory))
    return best


if __name__ == "__main__":
    main()
