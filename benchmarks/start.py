"""Enabling the extension, and the command line, against importing numpy: with byte code there, each in a process of its own.

`python -m retro_anim.benchmarks.start [--runs N]`: goals are a third, and 1.8 times.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

SAMPLES = Path(__file__).resolve().parent.parent / "samples"
_REGISTER = """
import bpy, time
start = time.process_time()
import retro_anim
retro_anim.register()
print("SECONDS", time.process_time() - start)
import os, sys
sys.stdout.flush()
os._exit(0)
"""
_NUMPY = 'import time; start = time.process_time(); import numpy; print("SECONDS", time.process_time() - start)'
_FILES = ("lba1/walk.anm", "oni/TRAMmannequin_walk.oni", "oni2/Entity/mannequin/mannequin_walk.anim", "mindpower/animation/0001.lab")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--runs", type=int, default=9)
    for name, seconds, numpy in measured(arguments.parse_args().runs):
        print(f"{name:26} {1000 * seconds:7.1f} ms   import numpy {1000 * numpy:7.1f} ms   {seconds / numpy:5.2f} x", flush=True)


def measured(runs: int) -> Iterator[tuple[str, float, float]]:
    """What it is, its seconds, and those of importing numpy in the same way."""
    with tempfile.TemporaryDirectory() as cache:
        settings = {**os.environ, "PYTHONPYCACHEPREFIX": cache}
        settings.pop("PYTHONDONTWRITEBYTECODE", None)
        enabled, numpy = _least([["-c", _REGISTER], ["-c", _NUMPY]], runs, settings, inside=True)
        yield "register()", enabled, numpy
        for file in _FILES:
            info = ["-m", "retro_anim.cli", "info", str(SAMPLES / file)]
            seconds, numpy = _least([info, ["-c", "import numpy"]], runs, settings, inside=False)
            yield f"info {file[-20:]}", seconds, numpy


def _of_children() -> float:
    """Seconds of the processor that ended processes took; of the clock where the system does not tell."""
    if sys.platform == "win32":
        return time.perf_counter()
    import resource

    times = resource.getrusage(resource.RUSAGE_CHILDREN)  # `os.times` counts hundredths of a second, a tenth of what is measured
    return times.ru_utime + times.ru_stime


def _least(commands: list[list[str]], runs: int, settings: dict[str, str], inside: bool) -> list[float]:
    """The shortest of several runs of each, in turn. inside: what the process measured itself."""
    best = [float("inf")] * len(commands)
    for _ in range(runs + 1):  # the first writes the byte code
        for number, command in enumerate(commands):
            start = _of_children()
            run = subprocess.run([sys.executable, "-P", *command], env=settings, capture_output=True, text=True, check=True)
            seconds = _of_children() - start
            best[number] = min(best[number], float(run.stdout.rpartition("SECONDS")[2].split()[0]) if inside else seconds)
    return best


if __name__ == "__main__":
    main()
