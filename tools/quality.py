"""docs/quality.md: what is promised, how each promise is tested, and the last figures, from the runs themselves.

`python -m retro_anim.tools.quality [--only speed mutants] [--fuzz SECONDS] [--mutants N] [--minutes M]` in a Python with Blender's module
and atheris; with --only mutants one without them will do. With --only the other sections stay as they are on the page: each says when and
with what it was made.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import subprocess
import sys
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/quality.md"

PROMISES = (
    ("A file that nobody edited comes back byte for byte", "`retro-anim verify`; tests of every format; unedited exports in every Blender"),
    ("What is seen is what is written, or it is named", "`tests/io/pipeline/fidelity/test_seen.py` and each game's `test_what_is_seen.py`"),
    (
        "Any bytes give a result or one line",
        "fuzzing of every parser and inside Blender: `python -m retro_anim.fuzz`, any time by hand; the test command has 10,000 inputs for "
        "each parser and 400 in each Blender, the same in every run",
    ),
    (
        "A failed import leaves the scene, a failed export the file",
        "`tests/io/pipeline/test_scene.py`, `test_safe_writing.py`, `tests/core/files/disk/test_disk.py`",
    ),
    ("Whatever call of the system fails, a file is the old or the new one", "`tests/core/files/disk/test_disk.py`"),
    ("Two processes that write into one file lose nothing of each other", "`tests/core/files/disk/test_sharing.py`"),
    (
        "Little that claims to be much, and a file far beyond any of a game, takes neither all memory nor all time",
        "`tests/core/files/test_unpacking.py`, `test_opening.py`",
    ),
    ("No operator ends in a traceback, whatever mode or scene it is called in", "`tests/operators/test_contexts.py`, `test_modal.py`"),
    ("A .blend from a stranger gives one line, and no long wait", "`tests/operators/test_spoiled.py`"),
    (
        "The same input gives the same bytes, documents and curves",
        "`tests/cli/test_repeatable.py`, `tests/io/pipeline/test_repeatable.py`, `tests/cli/blender/test_gltf.py`",
    ),
    ("Enabling the extension loads declarations alone", "`tests/operators/test_start.py`, `tests/core/test_games.py`"),
    ("Tests notice mistakes", "mutation testing: `python -m retro_anim.tools.mutants`"),
)

SAME_BYTES = (
    "Of the files that Blender's own exporters write for `convert`, `.glb`, `.gltf` with what is beside it, and `.bvh` are among these "
    "same bytes. An `.fbx` holds the time of its making and numbers that Blender draws anew in every run, a `.blend` addresses in "
    "memory: their contents are the same, their bytes are not."
)
WHERE = (
    "The test command runs all of these in Blender 5.2, the newest; in 4.2, 4.5 and 5.0 all but those marked `thorough`, which take more "
    "than half of the time and prove numbers rather than a Blender's own ways."
)
NOT_RUN = "Windows and macOS are not run here: letter case, reserved names and read-only files are simulated in tests."
MODULES = (
    "Blender's module for Python ends a script of its own accord where nothing holds `bpy` any more when Python has ended. Where something "
    "does, be it a class in a cache of Python's `typing`, that of 4.2 crashes (exit code 139) and that of 4.5 waits for ever, with the "
    "extension or without: `import bpy, ctypes; ctypes.pythonapi.Py_IncRef(ctypes.py_object(bpy))` is enough, and does nothing to those of "
    "5.0 and 5.2. So the commands and the tests end with `os._exit`, and so should scripts with these two modules."
)

HOW = (
    "Each section says when, where and by which command it was made; `python -m retro_anim.tools.quality` makes all of them anew.\n"
    "What lies between a speed and its goal is taken apart in [Where the time goes](performance.md)."
)

SECTIONS = {
    "bytes": "Bytes: the samples",
    "tests": "The tests above that run inside Blender or simulate faults",
    "speed": "Speed and memory",
    "fuzz": "Fuzzing: parsers",
    "fuzz-blender": "Fuzzing: inside Blender, all targets together",
    "mutants": "Mutants",
    "size": "Size of what is installed",
}
TESTS = (
    "tests/io/pipeline/fidelity/test_seen.py",
    "tests/io/pipeline/test_scene.py",
    "tests/io/pipeline/out_of_blender/test_safe_writing.py",
    "tests/io/pipeline/out_of_blender/test_safe_kinds.py",
    "tests/core/files/disk/test_disk.py",
    "tests/operators/test_spoiled.py",
)


def main(arguments: list[str]) -> int:
    command = argparse.ArgumentParser("retro_anim.tools.quality", description=__doc__)
    command.add_argument("--only", choices=list(SECTIONS), nargs="+", default=list(SECTIONS), help="make these anew")
    command.add_argument("--fuzz", type=int, default=10, metavar="SECONDS", help="for each target")
    command.add_argument("--targets", nargs="*", default=[], metavar="NAME", help="of the parsers; all without one")
    command.add_argument("--mutants", type=int, default=400, metavar="N")
    command.add_argument("--minutes", type=float, default=60, help="for all mutants")
    command.add_argument(
        "--blenders", nargs="+", default=["all"], metavar="VERSION", help="for the speeds; all that are set up without one"
    )
    command.add_argument("--runs", type=int, default=3, help="of each speed, of which the median counts")
    options = command.parse_args(arguments)
    calls = {
        "bytes": ["-m", "retro_anim.cli", "verify", "samples"],
        "tests": ["-m", "pytest", "-q", "-p", "no:cacheprovider", "--no-header", "--tb=line", *TESTS],
        "speed": ["-m", "retro_anim.benchmarks.speeds", "--blenders", *options.blenders, "--runs", str(options.runs)],
        "fuzz": ["-m", "retro_anim.fuzz", "--seconds", str(options.fuzz), *options.targets],
        "fuzz-blender": ["-m", "retro_anim.fuzz", "--in", "blender", "--seconds", str(4 * options.fuzz), "together"],
        "mutants": ["-m", "retro_anim.tools.mutants", "--number", str(options.mutants), "--minutes", str(options.minutes)],
        "size": ["-c", SIZE],
    }
    before = PAGE.read_text(encoding="utf-8") if PAGE.is_file() else ""
    sections = [_section(title, calls[name]) if name in options.only else _kept(before, title) for name, title in SECTIONS.items()]
    rows = "".join(f"| {promise} | {how} |\n" for promise, how in PROMISES)
    promises = f"# Quality\n\n| promise | tested by |\n|---|---|\n{rows}\n{WHERE}\n\n{SAME_BYTES}\n\n{NOT_RUN}\n\n{MODULES}"
    parts = [promises, f"## Last figures\n\n{HOW}", *filter(None, sections)]
    PAGE.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    return 0


SIZE = """
import pathlib, sys, tempfile
sys.path.insert(0, "tools")
from build_extension import ROOT, build
with tempfile.TemporaryDirectory() as folder:
    print(f"the zip, uncompressed: {build(ROOT, pathlib.Path(folder)).stat().st_size / 1e6:.1f} MB")
"""


def _kept(before: str, title: str) -> str:
    """The section as it is on the page, or nothing."""
    match = re.search(rf"^### {re.escape(title)}\n.*?(?=\n### |\Z)", before, re.MULTILINE | re.DOTALL)
    return match[0].strip() if match else ""


def _section(title: str, call: list[str]) -> str:
    run = subprocess.run([sys.executable, "-P", *call], cwd=ROOT, capture_output=True, text=True, check=False)
    shown = (run.stdout.strip() or run.stderr.strip()[-400:]).replace(str(ROOT), ".")
    print(f"== {title}\n{shown}", flush=True)
    if not shown.startswith("|"):  # of a table each line is one of the page
        shown = "".join(f"    {line.rstrip()}\n" if line.strip() else "\n" for line in shown.splitlines())
    named = "" if "-c" in call else f", by `python {' '.join(call).replace('-p no:cacheprovider ', '')}`"
    return f"### {title}\n\n{_where()}{named}:\n\n{shown.rstrip()}"


def _where() -> str:
    import numpy as np

    blender = ""
    if find_spec("bpy"):
        import bpy

        blender = f"Blender {bpy.app.version_string}, "
    today = datetime.now(UTC).strftime("%Y-%m-%d")
    versions = f"{blender}Python {platform.python_version()}, numpy {np.__version__}"
    load = f", load {os.getloadavg()[0]:.0f} of {os.cpu_count()}" if hasattr(os, "getloadavg") else ""
    return f"{today}, {versions}, {platform.system()} on {platform.machine()}{load}"


if __name__ == "__main__":
    code = main(sys.argv[1:])
    sys.stdout.flush()
    os._exit(code)  # some Blenders wait for ever when left to end by themselves
