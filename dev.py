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
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any

ROOT = Path(__file__).resolve().parent
VENVS = ROOT / ".venv"

ANY_PYTHON = ("3.11", "3.13", "3.12", "3.14")
DEMO_BLENDERS = ("5.0", "5.2")

# What `import bpy` loads, by Debian's names.
SYSTEM_LIBRARIES = "libgl1 libgomp1 libsm6 libx11-6 libxfixes3 libxi6 libxkbcommon0 libxrender1 libxxf86vm1"
INSTALL_PYTHON = "Please install Python 3.11 or 3.13 with its venv module (on Debian and Ubuntu: python3-venv)."


class SetupError(Exception):
    """What stands in the way, as one line for the user."""


class MissingPythonError(SetupError):
    """No Python of the version that is needed."""


# Pythons


def find_python(*versions: str) -> str | None:
    """The path of a Python of the first of these versions ("3.11") that this machine has."""
    return next((path for path in map(_find_python, versions) if path), None)


@lru_cache(maxsize=None)
def _find_python(version: str) -> str | None:
    return next((path for path in (_try_python(version, command) for command in _candidates(version)) if path), None)


def _candidates(version: str) -> Iterator[list[str]]:
    if ".".join(map(str, sys.version_info[:2])) == version:
        yield [sys.executable]
    if sys.platform == "win32":
        yield ["py", "-" + version]
    name = "python" + version
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    for installed in sorted(pyenv.glob(f"versions/{version}.*/bin/{name}")):
        yield [str(installed)]
    # All of PATH, not only the first: a version manager's stand-in may refuse where the one behind it works.
    names = (name, "python") if sys.platform == "win32" else (name,)
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        yield from ([command] for command in (shutil.which(each, path=folder) for each in names) if command)


def _try_python(version: str, command: list[str]) -> str | None:
    """The interpreter's own path; None when it does not run, is another version, or lacks what pip and venv need."""
    code = "import sys, ssl, venv, ensurepip; print('%d.%d' % sys.version_info[:2], sys.executable)"
    try:
        run = subprocess.run([*command, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    except OSError:
        return None
    answer, _, path = run.stdout.strip().partition(" ")
    return path if run.returncode == 0 and answer == version else None


# Environments


def project() -> dict[str, Any]:
    """pyproject.toml. Needs Python 3.11, as everything below does that calls it."""
    return _read_toml("pyproject.toml")


def _read_toml(name: str) -> dict[str, Any]:
    import tomllib

    return tomllib.loads((ROOT / name).read_text(encoding="utf-8"))


def environment(name: str, pythons: Sequence[str], groups: Sequence[str], install: bool = False) -> str:
    """The Python of `.venv/NAME`, which is made or brought up to date first where that is needed.

    pythons: the versions to make it with, best first. groups: dependency groups of pyproject.toml.
    install: whether this checkout is installed into it. Raises MissingPythonError when none of these versions is there.
    """
    with _one_at_a_time():
        return _environment(name, pythons, groups, install)


def _environment(name: str, pythons: Sequence[str], groups: Sequence[str], install: bool) -> str:
    folder = VENVS / name
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    pins = [pin for group in groups for pin in project()["dependency-groups"][group]]
    state = json.dumps([str(folder), pins, _installed() if install else ""])
    stamp = folder / "state.json"
    if python.exists() and stamp.is_file() and stamp.read_text(encoding="utf-8") == state:
        return str(python)

    base = find_python(*pythons)
    if base is None:
        raise MissingPythonError(f"no Python {' or '.join(pythons)} with its venv module on this machine")
    print(f"Setting up .venv/{name}: {', '.join(pins)}", flush=True)
    if not python.exists():
        _run(base, "-m", "venv", "--clear", str(folder))
    _run(str(python), "-m", "pip", "install", "-qq", *pins)
    if install:
        _run(str(python), "-m", "pip", "install", "-qq", "--editable", str(ROOT))
    if any(pin.startswith("bpy==") for pin in pins):
        _ensure_bpy_imports(str(python))
    stamp.write_text(state, encoding="utf-8")
    return str(python)


@contextmanager
def _one_at_a_time() -> Iterator[None]:
    """Keeps other processes from setting up an environment meanwhile."""
    VENVS.mkdir(exist_ok=True)
    with (VENVS / "lock").open("a") as lock:
        if sys.platform == "win32":
            import msvcrt

            while True:
                try:
                    msvcrt.locking(lock.fileno(), msvcrt.LK_LOCK, 1)  # gives up after ten seconds
                    break
                except OSError:
                    continue
        else:
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX)
        yield  # closing the file lifts the lock, as does the end of the process


def _installed() -> str:
    """What an installed checkout is made from, apart from its code."""
    version = _read_toml("blender_manifest.toml")["version"]
    return json.dumps([project()["project"], version, (ROOT / "setup.py").read_text(encoding="utf-8")])


def blender_environment(blender: str) -> str:
    """The Python of the environment with this Blender ("5.0"), the test tools and this checkout."""
    python = project()["tool"]["retro_anim"]["python"][blender]
    return environment("blender-" + blender, [python], ["blender-" + blender, "test"], install=True)


def _ensure_bpy_imports(python: str) -> None:
    """Installs the system libraries that a bare Linux lacks, or says how to."""
    error = _import_error(python)
    if error and "cannot open shared object file" in error:
        command = ["apt-get", "install", "-y", "--no-install-recommends", *SYSTEM_LIBRARIES.split()]
        if not shutil.which("apt-get"):
            raise SetupError(f"Blender misses a library of your system: {error}")
        if os.geteuid() != 0:
            raise SetupError(f"Blender misses libraries of your system, please run: sudo {' '.join(command)}")
        print("Installing the system libraries that Blender needs", flush=True)
        _run("apt-get", "update", "-q")
        _run("env", "DEBIAN_FRONTEND=noninteractive", *command)
        error = _import_error(python)
    if error:
        raise SetupError(f"Blender does not start: {error}")


def _import_error(python: str) -> str | None:
    """The last line of what `import bpy` complains of, or None."""
    run = subprocess.run([python, "-c", "import bpy, os; os._exit(0)"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    return None if run.returncode == 0 else (run.stderr.strip().splitlines() or [f"exit code {run.returncode}"])[-1]


def _run(*command: str) -> None:
    if subprocess.run(command).returncode:
        raise SetupError(f"failed: {' '.join(command)}")


def link_as_package() -> None:
    """Makes .venv/link/retro_anim lead to the checkout, whatever its folder is called: pyright and the site look there."""
    link = VENVS / "link" / "retro_anim"
    if link.exists() and link.samefile(ROOT):
        return
    link.parent.mkdir(parents=True, exist_ok=True)
    link.unlink(missing_ok=True)
    if sys.platform == "win32":  # a symbolic link would take administrator rights
        subprocess.run(["cmd", "/c", "mklink", "/J", str(link), str(ROOT)], check=True)
    else:
        link.symlink_to(ROOT)


# Commands


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


_printing = Lock()


def run_session(nox: list[str], name: str, arguments: list[str], settings: dict[str, str]) -> dict[str, Any]:
    """Runs one session and prints its output as a whole. Returns nox's report of it, with `processor`: seconds of user and system."""
    print(f"Started: {name}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        report, output = Path(folder, "report.json"), Path(folder, "output.txt")
        with output.open("wb") as file:
            command = [*nox, "--report", str(report), "-s", name, *arguments]
            process = subprocess.Popen(command, stdout=file, stderr=subprocess.STDOUT, env=settings)
            processor = _wait(process)
        with _printing:
            print(f"\n===== {name}", flush=True)
            sys.stdout.buffer.write(output.read_bytes())
            sys.stdout.flush()
        if report.exists():
            result: dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))["sessions"][0]
        else:
            result = {"name": name, "signatures": [name], "result": "failed", "reason": "nox did not run it", "duration": 0.0}
    return {**result, "processor": processor}


def _wait(process: subprocess.Popen[bytes]) -> float | None:
    """Waits for a process. Returns the processor seconds of it and all it waited for; None on Windows, which does not count them."""
    if sys.platform == "win32":
        process.wait()
        return None
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = status
    return usage.ru_utime + usage.ru_stime


def summarise(sessions: list[dict[str, Any]], left_out: Path, coverage: Sequence[str] = ()) -> int:
    """Prints how each session ended. Returns 1 when Blender sessions were asked for and none of them ran, else 0."""
    labels = {"success": "passed", "skipped": "left out", "failed": "failed", "aborted": "failed"}
    counts = dict.fromkeys(labels.values(), 0)
    print("\nSummary")
    for session in sessions:
        label = labels[session["result"]]
        counts[label] += 1
        reason = ": " + session["reason"] if session.get("reason") else ""
        processor = f", {session['processor']:.0f} s of processor" if session.get("processor") is not None else ""
        print(f"  {label:8}  {session['signatures'][0]}{reason} ({session['duration']:.0f} s{processor})")
    print_left_out(left_out)
    blenders = {session["result"] for session in sessions if session["name"] == "blender"}
    no_blender_ran = blenders == {"skipped"}
    if no_blender_ran:
        print("  failed    no Blender ran")
    for line in coverage:
        print(f"  {line}")
    minutes = sum(session.get("processor") or 0 for session in sessions) / 60
    total = f"; {minutes:.1f} minutes of processor" if minutes else ""
    print(f"Sessions: {counts['passed']} passed, {counts['failed']} failed, {counts['left out']} skipped{total}", flush=True)
    return int(no_blender_ran)


def print_left_out(left_out: Path) -> None:
    """Prints the reasons for which single tests were skipped, from lines of "REASON<tab>WHERE"."""
    skipped: dict[str, list[str]] = {}
    for line in left_out.read_text(encoding="utf-8").splitlines() if left_out.exists() else []:
        reason, _, where = line.partition("\t")
        skipped.setdefault(reason, []).append(where)
    for reason, wheres in skipped.items():
        print(f"  left out  {len(wheres)} tests: {reason} ({', '.join(dict.fromkeys(wheres))})")


def coverage_lines(folder: Path) -> list[str]:
    """How much of each floor the measured sessions ran, as lines of text; none where nothing was measured."""
    if not folder.is_dir():
        return []
    python, report = environment("lint", ANY_PYTHON, ["lint"]), folder / "report.json"
    data_files = sorted(str(path) for path in folder.iterdir())
    settings = {**os.environ, "COVERAGE_FILE": str(folder / "all")}
    for command in (["combine", "-q", "--keep", *data_files], ["json", "-q", "-o", str(report)]):
        if subprocess.call([python, "-P", "-m", "coverage", *command], cwd=ROOT, env=settings):
            return ["coverage  could not be counted"]
    lines: dict[str, list[int]] = {}
    for path, facts in json.loads(report.read_text(encoding="utf-8"))["files"].items():
        counts = lines.setdefault(Path(path).parts[0], [0, 0])
        counts[0] += facts["summary"]["covered_lines"]
        counts[1] += facts["summary"]["num_statements"]
    shares = ", ".join(f"{floor} {100 * covered / total:.1f} %" for floor, (covered, total) in sorted(lines.items()) if total)
    measured = ", ".join(sorted(path.name for path in folder.iterdir() if path.name not in ("all", "report.json")))
    return [f"coverage  {shares} of the lines ({measured})"]


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
