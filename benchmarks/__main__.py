"""All benchmarks, one after the other, each in a process of its own, and a table of the figures that have a goal.

`python -m retro_anim.benchmarks [--python PYTHON…] [NAME…]`: in this Python, or in each of these, such as those of several Blenders. Those
that need the games' own files are left out where these are not there. A figure that misses its goal ends in an exclamation mark.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

from . import figures

NAMES = ("start", "codecs", "oni", "oni2", "mindpower", "lba1", "check", "whole_game", "retarget")


_WHICH = "import bpy, os; print(bpy.app.version_string, flush=True); os._exit(0)"


def main(arguments: list[str]) -> int:
    command = argparse.ArgumentParser("retro_anim.benchmarks", description=__doc__)
    command.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(NAMES)}; all without one")
    command.add_argument("--python", action="append", default=[], help="with Blender's module; may be said several times")
    given = command.parse_args(arguments)
    failed, columns = 0, dict[str, list[figures.Figure]]()
    for python in given.python or [sys.executable]:
        version = subprocess.run([python, "-P", "-c", _WHICH], capture_output=True, text=True, check=False, timeout=300).stdout.split()
        own = columns[version[0] if version else Path(python).parent.parent.name] = []
        failed += _run(python, given.names or list(NAMES), own)
    print(figures.table(columns))
    return 1 if failed else 0


def _run(python: str, names: list[str], found: list[figures.Figure]) -> int:
    """How many of the benchmarks failed in a Python; their figures are added."""
    failed = 0
    for name in names:
        print(f"== {name}", flush=True)
        run = subprocess.run(
            [python, "-P", "-m", f"retro_anim.benchmarks.{name}"], capture_output=True, text=True, check=False, timeout=3600
        )
        found += figures.read(run.stdout)
        shown = [line for line in run.stdout.splitlines() if not line.startswith(("Info:", "Warning:"))]
        print("\n".join(shown if run.returncode == 0 else [*shown, *run.stderr.strip().splitlines()[-1:]]), flush=True)
        failed += run.returncode != 0 and "no game data" not in run.stderr
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
