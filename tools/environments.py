"""The virtual environments under `.venv`, which the commands of dev.py and the sessions of noxfile.py share.

The Pythons they are made with, what is installed into them, and the link by which tools know the checkout as a package. This module has to
run in older Pythons than they: dev.py looks for a newer one with it.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
VENVS = ROOT / ".venv"

ANY_PYTHON = ("3.11", "3.13", "3.12", "3.14")

# What `import bpy` loads, by Debian's names.
SYSTEM_LIBRARIES = "libgl1 libgomp1 libsm6 libx11-6 libxfixes3 libxi6 libxkbcommon0 libxrender1 libxxf86vm1"


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
