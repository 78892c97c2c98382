#!/usr/bin/env python3
"""The commands to start with. They set up what they need under `.venv`.

python3 dev.py zip [FOLDER]         make the extension to install, in `dist` or FOLDER; needs Python 3.11 or newer and nothing else
python3 dev.py demo [FILE...]       open a sample, or game files of your own, in real Blender and write them back
python3 dev.py docs [serve]         the documentation as a site, in `site`, with its links checked; `serve` shows it while you write
python3 dev.py test [ARGUMENT...]   check everything, two sessions at a time; the arguments go to nox: `-s lint types`, `--list`
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent / "tools"))
from environments import (
    ANY_PYTHON,
    ROOT,
    VENVS,
    MissingPythonError,
    SetupError,
    blender_environment,
    environment,
    find_python,
    link_as_package,
)
from sessions import coverage_lines, run_session, summarise

DEMO_BLENDERS = ("5.0", "5.2")
INSTALL_PYTHON = "Please install Python 3.11 or 3.13 with its venv module (on Debian and Ubuntu: python3-venv)."


def build(arguments: list[str]) -> int:
    """Makes the extension's zip."""
    return subprocess.call([sys.executable, str(ROOT / "tools" / "build_extension.py"), *arguments])


def docs(arguments: list[str]) -> int:
    """Builds the site, or shows it while one writes."""
    python = environment("docs", ANY_PYTHON, ["docs"])
    link_as_package()
    settings = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    code = subprocess.call([python, "-P", "-m", "mkdocs", *(arguments or ["build", "--quiet"])], cwd=ROOT, env=settings)
    if not arguments and not code:
        print(ROOT / "site" / "index.html")
    return code


def demo(files: list[str]) -> int:
    """Runs the demonstration in a Blender whose Python is there."""
    for blender in DEMO_BLENDERS:
        try:
            python = blender_environment(blender)
        except MissingPythonError:
            continue
        return subprocess.call([python, "-P", "-m", "retro_anim.samples.demo", *files])
    raise SetupError(INSTALL_PYTHON)


def test(arguments: list[str]) -> int:
    """Runs nox's sessions, by default all of them, two at a time, and sums up what ran and what was left out."""
    nox = [environment("nox", ANY_PYTHON, ["nox"]), "-P", "-m", "nox", "--noxfile", str(ROOT / "noxfile.py")]
    if {"-h", "--help", "-l", "--list", "--version"} & set(arguments):
        return subprocess.call([*nox, *arguments])
    listing = subprocess.run([*nox, "--list", "--json", *arguments], stdout=subprocess.PIPE, text=True)
    if listing.returncode:
        return listing.returncode
    names = [session["session"] for session in json.loads(listing.stdout)]
    left_out, coverage = VENVS / "left_out.txt", VENVS / "coverage"
    left_out.write_text("", encoding="utf-8")
    shutil.rmtree(coverage, ignore_errors=True)
    settings = {**os.environ, "RETRO_ANIM_LEFT_OUT": str(left_out), "RETRO_ANIM_COVERAGE": str(coverage)}
    rest = arguments[arguments.index("--") :] if "--" in arguments else []
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda name: run_session(nox, name, rest, settings), names))
    return summarise(results, left_out, coverage_lines(coverage)) or int(any(result["result"] == "failed" for result in results))


def main(arguments: list[str]) -> int:
    commands = {"zip": build, "demo": demo, "test": test, "docs": docs}
    if not arguments or arguments[0] not in commands:
        print(__doc__)
        return 0 if arguments and arguments[0] in ("-h", "--help") else 2
    try:
        if sys.version_info >= (3, 11):
            return commands[arguments[0]](arguments[1:])
        python = find_python(*ANY_PYTHON)
        if python is None:
            raise MissingPythonError(INSTALL_PYTHON)
        return subprocess.call([python, __file__, *arguments])
    except SetupError as error:
        print(error, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
