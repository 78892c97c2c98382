"""docs/quality.md: what is promised, how each promise is tested, and the last figures, from the runs themselves.

`python -m retro_anim.tools.quality [--fuzz SECONDS] [--mutants N] [--minutes M]` in a Python with Blender's module and atheris.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/quality.md"

PROMISES = (
    ("A file that nobody edited comes back byte for byte", "`retro-anim verify`; tests of every format; unedited exports in every Blender"),
    ("What is seen is what is written, or it is named", "`tests/io/pipeline/test_seen.py` and each game's `test_what_is_seen.py`"),
    ("Any bytes give a result or one line", "fuzzing of every parser and inside Blender: `python -m retro_anim.fuzz`"),
    (
        "A failed import leaves the scene, a failed export the file",
        "`tests/io/pipeline/test_scene.py`, `test_safe_writing.py`, `tests/core/files/test_disk.py`",
    ),
    ("A .blend from a stranger gives one line, and no long wait", "`tests/operators/test_spoiled.py`"),
    ("The same input gives the same bytes, documents and curves", "`tests/cli/test_repeatable.py`, `tests/io/pipeline/test_repeatable.py`"),
    ("Enabling the extension loads declarations alone", "`tests/operators/test_start.py`, `tests/core/test_games.py`"),
    ("Tests notice mistakes", "mutation testing: `python -m retro_anim.tools.mutants`"),
)

NOT_RUN = "Windows and macOS are not run here: letter case, reserved names and read-only files are simulated in tests."


def main(arguments: list[str]) -> int:
    command = argparse.ArgumentParser("retro_anim.tools.quality", description=__doc__)
    command.add_argument("--fuzz", type=int, default=10, metavar="SECONDS", help="for each target")
    command.add_argument("--targets", nargs="*", default=[], metavar="NAME", help="of the parsers; all without one")
    command.add_argument("--mutants", type=int, default=400, metavar="N")
    command.add_argument("--minutes", type=float, default=60, help="for all mutants")
    command.add_argument("--benchmarks", nargs="*", default=[], metavar="NAME", help="all without one")
    options = command.parse_args(arguments)
    limits = ["--number", str(options.mutants), "--minutes", str(options.minutes)]
    runs = (
        ("Bytes: the samples", ["cli", "verify", "samples"]),
        ("Speed", ["benchmarks", *options.benchmarks]),
        ("Fuzzing: parsers", ["fuzz", "--seconds", str(options.fuzz), *options.targets]),
        ("Fuzzing: inside Blender, all targets together", ["fuzz", "--in", "blender", "--seconds", str(4 * options.fuzz), "together"]),
        *([("Mutants", ["tools.mutants", *limits])] if options.mutants else []),
    )
    sections = "".join(_section(title, call) for title, call in runs)
    rows = "".join(f"| {promise} | {how} |\n" for promise, how in PROMISES)
    PAGE.write_text(
        f"# Quality\n\n| promise | tested by |\n|---|---|\n{rows}\n{NOT_RUN}\n\n## Last figures\n\n{_where()}\n{sections}", encoding="utf-8"
    )
    return 0


def _where() -> str:
    import bpy
    import numpy as np

    today = datetime.now(UTC).strftime("%Y-%m-%d")
    versions = f"Blender {bpy.app.version_string}, Python {platform.python_version()}, numpy {np.__version__}"
    return f"Made on {today} by `python -m retro_anim.tools.quality`: {versions}, {platform.system()} on {platform.machine()}.\n"


def _section(title: str, call: list[str]) -> str:
    run = subprocess.run(
        [sys.executable, "-P", "-m", f"retro_anim.{call[0]}", *call[1:]], cwd=ROOT, capture_output=True, text=True, check=False
    )
    shown = (run.stdout.strip() or run.stderr.strip()[-400:]).replace(str(ROOT), ".")
    print(f"== {title}\n{shown}", flush=True)
    lines = "".join(f"    {line.rstrip()}\n" if line.strip() else "\n" for line in shown.splitlines())
    return f"\n### {title}\n\n    python -m retro_anim.{' '.join(call)}\n\n{lines}"


if __name__ == "__main__":
    code = main(sys.argv[1:])
    sys.stdout.flush()
    os._exit(code)  # some Blenders wait for ever when left to end by themselves
