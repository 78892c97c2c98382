"""What `python3 dev.py test` runs. One session alone: `python3 dev.py test -s lint`.

Sessions run in this file's order, two at a time: the longest come first, so that in the end neither of the two waits long for the other.
The virtual environments are those of dev.py, so that the tests and the demonstration share them.
"""

import os
import sys
from collections.abc import Callable
from pathlib import Path

import nox
from nox.command import CommandFailed

sys.path.append(str(Path(__file__).parent / "tools"))
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
    project,
)

CI = os.environ.get("CI") == "true"
BLENDERS = list(project()["tool"]["retro_anim"]["python"])
NUMPYS = {"1": ["3.11"], "2": ["3.13", "3.11"]}
"""The dependency groups numpy-*, and the Pythons that they have wheels for, best first."""
IN_BLENDER = ["tests/cli/blender", "tests/io", "tests/operators", "tests/docs", "tests/new_game"]
"""The tests that need Blender; all others run without it."""

PACKAGING = ["tests/test_packaging.py", "tests/test_release.py"]
"""Those that need Blender's tool for extensions."""

WITH_RIGIFY = ["tests/io/retarget/test_rigify.py", "tests/io/retarget/test_rigify_animals.py", "tests/io/retarget/test_mapping.py"]
"""Of these the tests in which Rigify makes rigs, for a process of their own: Blender 4.2 may crash when glTF is exported after that."""

NEWEST = BLENDERS[-1]
"""The Blender that runs the tests marked `thorough`, too, which take half of the time: what they prove is the same in all. Where tests are
chosen by hand none is left out: `python3 dev.py test -s "blender(blender='4.2', form='checkout')" -- -m ""`."""

NONE_OR_ALL = [0, 5]
"""pytest's exit codes where nothing failed, be it that nothing was chosen."""

nox.options.default_venv_backend = "none"
# Else `python -m` puts this folder first on the import path, and our `io` in the way of Python's.
os.environ["PYTHONSAFEPATH"] = "1"
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # two sessions share two cores; small matrices gain nothing from more threads


def prepare(session: nox.Session, make: Callable[..., str], *arguments: object) -> str:
    """The Python of the environment that `make` makes; without the Python for it the session is left out."""
    try:
        return make(*arguments)
    except MissingPythonError as missing:
        if CI:
            session.error(str(missing))
        session.skip(str(missing))
    except SetupError as error:
        session.error(str(error))


def measure(name: str) -> tuple[list[str], dict[str, str]]:
    """The arguments and the environment with which pytest counts the lines it runs, where dev.py asks for that."""
    folder = os.environ.get("RETRO_ANIM_COVERAGE")
    if folder is None:
        return [], {}
    Path(folder).mkdir(parents=True, exist_ok=True)
    return ["--cov", "--cov-report="], {"COVERAGE_FILE": str(Path(folder, name))}


@nox.session
@nox.parametrize("form", [nox.param(form, id=form) for form in ("checkout", "zip")])
@nox.parametrize("blender", [nox.param(blender, id=blender) for blender in reversed(BLENDERS)])
def blender(session: nox.Session, blender: str, form: str) -> None:
    """The tests inside Blender: those of the checkout, in `NEWEST` all; the smoke tests of the zip as users install it."""
    python = prepare(session, blender_environment, blender)
    tests, settings = [*IN_BLENDER], {"RETRO_ANIM_UNDER_TEST": form}
    if form == "zip":
        session.run(python, "-m", "pytest", *tests, "-m", "smoke", *session.posargs, env=settings)
        return
    measured, more = measure(f"blender {blender}") if blender == NEWEST else ([], {})
    settings |= more
    others = [f"--ignore={path}" for path in WITH_RIGIFY]
    arguments = session.posargs or ([] if blender == NEWEST else ["-m", "not thorough"])
    session.run(python, "-m", "pytest", *tests, *others, *measured, *arguments, env=settings, success_codes=NONE_OR_ALL)
    measured = [*measured, "--cov-append"] if measured else []
    session.run(python, "-m", "pytest", *WITH_RIGIFY, *measured, *arguments, env=settings, success_codes=NONE_OR_ALL)


FULL_NUMPY = "2"
"""The numpy that all tests without Blender run with; the other one runs those of files and arrays, `CODECS`."""

CODECS = ["tests/core", "tests/cli/test_repeatable.py", "--ignore=tests/core/retarget"]


@nox.session
@nox.parametrize("numpy", [nox.param(numpy, id=f"numpy {numpy}") for numpy in reversed(NUMPYS)])
def core(session: nox.Session, numpy: str) -> None:
    """The tests that need no Blender."""
    groups = [f"numpy-{numpy}", "test"]
    python = prepare(session, environment, f"numpy-{numpy}", NUMPYS[numpy], groups, True)
    if numpy == FULL_NUMPY:
        tests, measured, settings = ["tests", *(f"--ignore={path}" for path in (*IN_BLENDER, *PACKAGING))], *measure("core")
    else:
        tests, measured, settings = CODECS, [], {}
    session.run(python, "-m", "pytest", *tests, *measured, *session.posargs, env=settings)


FUZZED = {"core": 10000, "blender": 400}
"""Inputs in the test command: for each target of the core, and for all of Blender's together, from one seed of random numbers, so that the
same change gives the same answer, however quick the machine is. By hand it can be any time and seed:
`python3 dev.py test -s fuzz -- --inputs -1 --seconds 60 --seed 0`."""

FUZZED_SECONDS = 180
"""That a target may take on a machine that is too slow for that: then there are fewer inputs."""


@nox.session
@nox.parametrize("where", [nox.param(where, id=where) for where in ("core", *BLENDERS)])
def fuzz(session: nox.Session, where: str) -> None:
    """Coverage-guided inputs for every parser, and inside each Blender for whatever reaches its own code."""
    if sys.platform != "linux":
        session.skip("atheris is there for Linux alone")
    if where == "core":
        python = prepare(session, environment, "fuzz", ["3.11"], ["numpy-1", "test"], True)
        arguments = ["--in", "core", "--inputs", str(FUZZED["core"])]
    else:
        python = prepare(session, blender_environment, where)
        arguments = ["--in", "blender", "--inputs", str(FUZZED["blender"])]
        arguments += [] if session.posargs else ["together"]
    try:
        session.run(python, "-m", "pip", "install", "-qq", *project()["dependency-groups"]["fuzz"])
    except CommandFailed:
        session.skip("atheris cannot be installed here")
    session.run(python, "-m", "retro_anim.fuzz", "--seed", "1", "--seconds", str(FUZZED_SECONDS), *arguments, *session.posargs)


NEWEST_PYTHON = "3.14"
"""That of some distributions' own Blender; of no wheel."""


@nox.session
def newest(session: nox.Session) -> None:
    """The tests of files and arrays with the newest Python, on machines that have it."""
    if find_python(NEWEST_PYTHON) is None:
        session.skip(f"no Python {NEWEST_PYTHON} with its venv module on this machine")
    python = prepare(session, environment, "newest", [NEWEST_PYTHON], ["numpy-2", "test"], True)
    session.run(python, "-m", "pytest", *CODECS, *session.posargs)


CODE = [
    "core",
    "io",
    "operators",
    "cli",
    "samples",
    "benchmarks",
    "tools",
    "fuzz",
    "tests",
    "__init__.py",
    "dev.py",
    "noxfile.py",
    "setup.py",
]
IMPORT_CONTRACTS = "import importlinter.cli as cli; cli.lint_imports_command()"


@nox.session
def lint(session: nox.Session) -> None:
    """Style, common mistakes, terms, and what may import what: all of it, also where the first finds something."""
    python = prepare(session, environment, "lint", ANY_PYTHON, ["lint"])
    link_as_package()
    checks = {
        "ruff check": ["-m", "ruff", "check", "--output-format=concise", "."],
        "ruff format": ["-m", "ruff", "format", "--check", "."],
        "imports": ["-c", IMPORT_CONTRACTS, "--no-cache", "--no-logo"],
        "names": ["-m", "pylint", "--jobs", "2", "--recursive", "y", *CODE],
        "terms": ["-m", "codespell_lib", *CODE, "docs", *(path.name for path in ROOT.glob("*.md"))],
    }
    failed: list[str] = []
    for name, arguments in checks.items():
        try:
            session.run(python, *arguments, env={"PYTHONPATH": str(VENVS / "link")})
        except CommandFailed:
            failed.append(name)
    if failed:
        session.error(", ".join(failed))


@nox.session
def types(session: nox.Session) -> None:
    """Types: strict in core, basic elsewhere, against stubs of the newest Blender."""
    python = prepare(session, environment, "types", ANY_PYTHON, ["types"])
    link_as_package()
    session.run(python, "-m", "pyright", "--pythonpath", python, *session.posargs)


@nox.session
def docs(session: nox.Session) -> None:
    """The site: every link leads somewhere, every name of the API page is there."""
    python = prepare(session, environment, "docs", ANY_PYTHON, ["docs"])
    link_as_package()
    session.run(python, "-P", "-m", "mkdocs", "build", "--quiet", "--strict", *session.posargs, env={"NO_MKDOCS_2_WARNING": "1"})


@nox.session
def package(session: nox.Session) -> None:
    """The zip for users, made by a Python with nothing installed, and checked by Blender's own tool; a release; what pip installs."""
    python = prepare(session, any_blender)
    session.run(find_python(*ANY_PYTHON) or python, "-I", "-S", "tools/build_extension.py", "dist")
    session.run(python, "-m", "pytest", *PACKAGING, *session.posargs)


def any_blender() -> str:
    """The environment of the newest Blender whose Python is there."""
    pythons = project()["tool"]["retro_anim"]["python"]
    here = [blender for blender in reversed(BLENDERS) if find_python(pythons[blender])]
    return blender_environment((here or BLENDERS)[0])
