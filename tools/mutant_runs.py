"""Runs of tests for mutation testing: which tests run which line, and whether one of them notices a mutant.

The tests of a part are loaded once, by a process of its own (`python -m retro_anim.tools.mutant_runs PART`); for each mutant it forks, puts
the mutant's code into the functions that are loaded, and runs its tests. Where a line is run while its module is loaded, what was loaded is
forgotten, and loaded again with the mutant. It needs a system that can fork.
"""

from __future__ import annotations

import ast
import functools
import gc
import importlib.util
import itertools
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from types import CodeType, FunctionType
from typing import IO, Any, NoReturn

from .mutations import ROOT, Mutant

WAIT = 10
"""Seconds of the processor that tests may take besides twice their own: a mutant that never ends is dead, too."""
PATIENCE = 10
"""How many times as long they may take by the clock, as where a mutant waits for a lock that nothing gives back."""
SHORT = 0.005
"""Seconds of a test that takes less than is measured."""
AT_ONCE = 1000
"""How many tests are run."""
_QUIET = ("-q", "-p", "no:cacheprovider", "--no-header", "--tb=no")
_FAILED, _NONE_CHOSEN = 1, 5
"""What pytest answers."""


@dataclass(frozen=True)
class Covering:
    """tests: by file and line seconds and name of the tests that run it, the quickest first. loading: by file the lines that are run while
    a module is loaded."""

    tests: dict[str, dict[int, list[tuple[float, str]]]]
    loading: dict[str, set[int]]


def copied(folder: Path) -> Path:
    """The checkout, copied into a folder as the package `retro_anim`."""
    copy_of = folder / "retro_anim"
    shutil.copytree(ROOT, copy_of, ignore=shutil.ignore_patterns(".git", ".venv", "__pycache__", "dist", "site", "node_modules"))
    return copy_of


def _settings(folder: Path) -> dict[str, str]:
    """The environment of a run in a copy of the checkout, with the same examples every time."""
    data = os.environ.get("RETRO_ANIM_GAME_DATA") or str(ROOT.parent / "shared" / "game_data")
    return {
        **os.environ,
        "RETRO_ANIM_GAME_DATA": data if Path(data).is_dir() else "none",
        "PYTHONPATH": str(folder.parent),
        "CI": "true",
    }


def covered(folder: Path, part: str) -> Covering | None:
    """Which tests of a part of the core run which lines; None where a test fails without any mutant."""
    data = folder.parent / f"covered_{part}"
    arguments = ["--cov=core", "--cov-context=test", "--cov-report=", "--durations=0", f"tests/core/{part}"]
    command = [sys.executable, "-P", "-m", "pytest", *_QUIET, *arguments]
    # The quicker core, which the project is set to, counts a line once: no test but the first that runs it would be known.
    settings = {**_settings(folder), "COVERAGE_FILE": str(data), "COVERAGE_CORE": "ctrace"}
    with tempfile.TemporaryFile("w+") as shown:
        began = time.monotonic()
        run = subprocess.Popen(command, cwd=folder, env=settings, stdout=shown, stderr=subprocess.DEVNULL)
        _, status, used = os.wait4(run.pid, 0)
        run.returncode = os.waitstatus_to_exitcode(status)
        if run.returncode:
            return None
        shown.seek(0)
        timed = re.findall(r"^ *([\d.]+)s call +(.+)$", shown.read(), re.MULTILINE)
    # Of seconds by the clock those of the processor, so that a busy machine chooses the same tests as a quiet one.
    share = (used.ru_utime + used.ru_stime) / (time.monotonic() - began)
    took = Counter[str]()
    for seconds, test in timed:
        for name in {test, test.partition("[")[0], test.partition("::")[0]}:
            took[name] += round(1000 * float(seconds) * share)
    from coverage import CoverageData

    known = CoverageData(str(data))
    known.read()
    result = Covering({}, {})
    for file in known.measured_files():
        by_line = {line: {_test(context) for context in contexts} for line, contexts in known.contexts_by_lineno(file).items()}
        of_file = set[str]().union(*by_line.values()) - {""}
        result.loading[Path(file).as_posix()] = {line for line, tests in by_line.items() if "" in tests}
        for line, tests in by_line.items():
            # What runs when a module is loaded concerns every test that uses the module.
            quickest = sorted((max(took[test] / 1000, SHORT), test) for test in (of_file if tests == {""} else tests - {""}))
            result.tests.setdefault(Path(file).as_posix(), {})[line] = quickest
    return result


def _test(context: str) -> str:
    """The test, or of what a fixture ran, which several may share, the file of the tests; "" outside of tests. Of a name with brackets in
    its brackets, which pytest does not find, all tests of its function."""
    test = context.partition("::")[0] if context.endswith("|setup") else context.rpartition("|")[0]
    return test if test.count("[") < 2 else test.partition("[")[0]


class Part:
    """The tests of a part of the core, loaded in a process of their own. folder: the copy of the checkout."""

    def __init__(self, folder: Path, part: str, covering: Covering) -> None:
        self.covering, self.folder = covering, folder
        command = [sys.executable, "-P", "-m", "retro_anim.tools.mutant_runs", part]
        settings = {**_settings(folder), "PYTHONDONTWRITEBYTECODE": "1", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, cwd=folder, env=settings, stdin=pipe, stdout=pipe, text=True)

    def __enter__(self) -> Part:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.communicate()

    def killed(self, mutant: Mutant, first: str, seconds: float) -> str | None:
        """The test that notices a mutant, of those that run its line; None where it lives, "" where it never ends. What no test has run is
        alive. Of an expression of several lines not each counts as run: then the nearest above does. first: the test that noticed it in an
        earlier run. seconds: of tests, those of files that import its module first, the quickest first."""
        lines = self.covering.tests.get(mutant.path, {})
        near = max((line for line in lines if line <= mutant.line and lines[line]), default=0)
        tests, loading = lines.get(near, []), near in self.covering.loading.get(mutant.path, set())
        module = Path(mutant.path).stem
        tests = sorted(tests, key=lambda test: (test[1] != first, module not in _imported(self.folder / test[1].partition("::")[0])))
        ends = itertools.accumulate(took for took, _ in tests)
        chosen = [(test, took) for (took, test), end in zip(tests, ends, strict=True) if end <= seconds or test == first][:AT_ONCE]
        if not chosen:
            return None
        wait = int(WAIT + 2 * sum(took for _, took in chosen))
        job = {"mutant": asdict(mutant), "tests": [test for test, _ in chosen], "wait": wait, "loading": loading}
        questions, answers = self.process.stdin, self.process.stdout
        assert questions is not None and answers is not None
        print(json.dumps(job), file=questions, flush=True)
        return json.loads(answers.readline())["failed"]


@functools.cache
def _imported(file: Path) -> frozenset[str]:
    """What a file imports, each name alone."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    known = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    modules = [node.module or "" for node in known if isinstance(node, ast.ImportFrom)]
    return frozenset(name.rpartition(".")[2] for name in [*modules, *(alias.name for node in known for alias in node.names)])


def _serve(part: str) -> None:
    """Answers jobs, a line each, until there are no more."""
    import pytest

    answers = os.fdopen(os.dup(1), "w")
    with tempfile.TemporaryFile("w+") as shown:
        os.dup2(shown.fileno(), 1)
        pytest.main(["--collect-only", *_QUIET, f"tests/core/{part}"])
        for line in sys.stdin:
            job = json.loads(line)
            failed = _failed(Mutant(**job["mutant"]), job["tests"], job["wait"], job["loading"], shown)
            print(json.dumps({"failed": failed}), file=answers, flush=True)


def _failed(mutant: Mutant, tests: list[str], wait: int, loading: bool, shown: IO[str]) -> str | None:
    """The first test that fails with a mutant; "" where it is not known which, None where all pass."""
    shown.seek(0)
    shown.truncate()
    child = os.fork()
    if not child:
        os._exit(_with(mutant, tests, wait, loading))
    answer = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    shown.seek(0)
    named = re.search(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", shown.read(), re.MULTILINE)
    # A file of tests that cannot be loaded with a mutant has noticed it.
    if answer > _FAILED and answer != _NONE_CHOSEN and not named and not loading:
        raise RuntimeError(f"{mutant.name}: pytest ended with {answer}")
    return None if answer in (0, _NONE_CHOSEN) else named[1] if named else ""


def _with(mutant: Mutant, tests: list[str], wait: int, loading: bool) -> int:
    """What pytest answers with a mutant in the modules that are loaded, within seconds of the processor. loading: load them anew."""
    import resource

    import pytest

    resource.setrlimit(resource.RLIMIT_CPU, (wait, wait))
    signal.alarm(PATIENCE * wait)
    sys.stdin.close()
    (_load_with if loading else _put_in)(mutant)
    answer = int(pytest.main(["-x", *_QUIET, *tests]))
    sys.stdout.flush()
    return answer


def _module_of(mutant: Mutant) -> str:
    return f"retro_anim.{mutant.path.removesuffix('.py').replace('/', '.')}"


class _Mutated(SourceFileLoader):
    """The module of a mutant, and no other."""

    def __init__(self, mutant: Mutant) -> None:
        super().__init__(_module_of(mutant), str(Path(mutant.path).resolve()))
        self.text = mutant.of(Path(mutant.path).read_text(encoding="utf-8"))

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        return importlib.util.spec_from_file_location(name, self.path, loader=self) if name == self.name else None

    def get_data(self, path: str) -> bytes:
        return self.text.encode() if path == self.path else super().get_data(path)

    def path_stats(self, path: str) -> NoReturn:
        """So that no code is looked for that was kept of the file."""
        raise OSError(path)


def _load_with(mutant: Mutant) -> None:
    """Forgets every module of the product and its tests, so that they are loaded again, with a mutant."""
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if file and Path(file).is_relative_to(Path.cwd()) and not name.startswith(("__main__", "retro_anim.tools")):
            del sys.modules[name]
    sys.meta_path.insert(0, _Mutated(mutant))


def _put_in(mutant: Mutant) -> None:
    """Gives the functions that a mutant changes its code, wherever they were imported to, and forgets what they have given so far."""
    before = Path(mutant.path).read_text(encoding="utf-8")
    codes = [_functions(compile(text, mutant.path, "exec")) for text in (ast.unparse(ast.parse(before)), mutant.of(before))]
    changed = {one.co_qualname: other for one, other in zip(*codes, strict=True) if not _same(one, other)}
    module = _module_of(mutant)
    for each in gc.get_objects():
        if isinstance(each, FunctionType) and each.__module__ == module and (code := changed.get(each.__code__.co_qualname)):
            each.__code__ = code
        elif isinstance(each, functools._lru_cache_wrapper) and str(each.__module__).startswith("retro_anim."):  # pyright: ignore
            each.cache_clear()


def _functions(code: CodeType) -> Iterator[CodeType]:
    """Of a module and its classes; what is inside of functions goes with them."""
    for each in code.co_consts:
        if isinstance(each, CodeType):
            is_function = bool(each.co_flags & 2) and not each.co_name.startswith("<")
            yield from [each] if is_function else _functions(each)


def _same(one: CodeType, other: CodeType) -> bool:
    """But for where they stand in the file."""

    def parts(code: CodeType) -> list[Any]:
        constants = [parts(each) if isinstance(each, CodeType) else repr(each) for each in code.co_consts]
        return [code.co_code, code.co_names, code.co_varnames, constants]

    return parts(one) == parts(other)


if __name__ == "__main__":
    _serve(sys.argv[1])
