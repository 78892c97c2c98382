"""Mutation testing: changes one piece of the core's code at a time, and runs the core's tests: a mutant that no test notices is a gap.

`python -m retro_anim.tools.mutants [--number N] [--minutes M] [--seed S] [--again FILE] [PATH…]`. Without a path: codecs, update and
retargeting. A mutant is a comparison, an operator, a constant, a condition, a negation or a returned value that is another one.
It is run in a copy of the repository against the tests of its own part that run its line, with the same examples every time, and is dead as
soon as one fails. Mutants that change nothing that can be seen are struck out in tools/mutants.txt, each with its reason.
"""

from __future__ import annotations

import argparse
import ast
import copy
import hashlib
import itertools
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
STRUCK = Path(__file__).with_name("mutants.txt")
USUAL = (
    "core/lba/files",
    "core/oni/files",
    "core/oni/records",
    "core/oni/xml",
    "core/oni2/files",
    "core/mindpower/files",
    "core/lba/motion/update.py",
    "core/oni/motion/update.py",
    "core/oni2/motion/update.py",
    "core/mindpower/motion/update.py",
    "core/retarget",
)
WAIT = (10, 0.2)
"""Seconds of the processor that tests may take, and more for each of them: a mutant that never ends is dead, too."""
AT_ONCE = 300
"""How many tests that run a line are run, those first that run least besides: an argument each."""

Covering = dict[str, dict[int, list[str]]]

_COMPARED = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
_OPERATED = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult,
    ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.LShift: ast.RShift, ast.RShift: ast.LShift, ast.MatMult: ast.Mult,
}  # fmt: skip
_JOINED = {ast.And: ast.Or, ast.Or: ast.And}


@dataclass(frozen=True)
class Mutant:
    """path: relative to the repository. function: the innermost around it. line, what: for people. number: among those of its module, in
    the order of its code. same: how many of the same name are before it."""

    path: str
    function: str
    line: int
    what: str
    number: int
    same: int

    @property
    def name(self) -> str:
        """The same when lines are added above it."""
        return f"{self.path}:{self.function}: {self.what}{f' ({self.same + 1})' if self.same else ''}"

    def rank(self, seed: int) -> str:
        """Random, and the same whatever other mutants there are."""
        return hashlib.sha256(f"{seed}:{self.name}".encode()).hexdigest()

    def source(self) -> str:
        """The module's, with it."""
        tree = ast.parse((ROOT / self.path).read_text(encoding="utf-8"))
        next(itertools.islice(_changed(tree), self.number, None))
        return ast.unparse(tree)


def mutants_of(path: str, source: str) -> list[Mutant]:
    """All that there are of a module."""
    mutants: list[Mutant] = []
    counts: Counter[tuple[str, str]] = Counter()
    for number, (function, line, what) in enumerate(_changed(ast.parse(source))):
        mutants.append(Mutant(path, function, line, what, number, counts[function, what]))
        counts[function, what] += 1
    return mutants


def _changed(tree: ast.Module) -> Iterator[tuple[str, int, str]]:
    """Changes a tree into one mutant after the other: the function and the line of each, and what it is."""
    for node, function in _nodes(tree):
        before = ast.unparse(node)
        for changed in _changes(node):
            kept = copy.deepcopy(node.__dict__)
            node.__dict__.update(changed)
            after = ast.unparse(node)
            if after != before:
                yield function, getattr(node, "lineno", 0), f"{_cut(before)} -> {_cut(after)}"
            node.__dict__.clear()
            node.__dict__.update(kept)


def _cut(text: str) -> str:
    return " ".join(text.split())[:70]


def _nodes(tree: ast.Module) -> Iterator[tuple[ast.AST, str]]:
    """Of functions, each with the function: declarations, types and docstrings are no behaviour; nor is what a message says."""
    pending: list[tuple[ast.AST, str]] = [(tree, "")]
    while pending:
        node, inside = pending.pop(0)
        if isinstance(node, ast.JoinedStr | ast.Raise | ast.Assert | ast.arg) or _is_message(node):
            continue
        if inside:
            yield node, inside
        inside = node.name if isinstance(node, ast.FunctionDef) else inside
        children = [
            child
            for name, value in ast.iter_fields(node)
            if name not in ("annotation", "returns", "decorator_list")
            for child in _all(value)
        ]
        pending = [(child, inside) for child in children] + pending


def _all(value: object) -> list[ast.AST]:
    return [each for each in (value if isinstance(value, list) else [value]) if isinstance(each, ast.AST)]


def _is_message(node: ast.AST) -> bool:
    called = node.func if isinstance(node, ast.Call) else None
    if isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name) and called.value.id == "log":
        return True
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _changes(node: ast.AST) -> Iterator[dict[str, object]]:
    match node:
        case ast.Compare(ops=[only]) if type(only) in _COMPARED:
            yield {"ops": [_COMPARED[type(only)]()]}
        case ast.BinOp(op=operator) if type(operator) in _OPERATED:
            yield {"op": _OPERATED[type(operator)]()}
        case ast.AugAssign(op=operator) if type(operator) in _OPERATED:
            yield {"op": _OPERATED[type(operator)]()}
        case ast.BoolOp(op=operator):
            yield {"op": _JOINED[type(operator)]()}
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield {"op": ast.Not(), "operand": ast.UnaryOp(ast.Not(), operand)}
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            yield {"op": ast.UAdd()}
        case ast.If() | ast.IfExp():
            yield {"test": ast.Constant(False)}
            yield {"test": ast.Constant(True)}
        case ast.Constant(value=bool() as value):
            yield {"value": not value}
        case ast.Constant(value=int() | float() as value):
            yield {"value": value + 1}
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
            yield {"value": ast.Constant(None)}
        case ast.Continue() | ast.Break():
            return
        case _:
            return


def drawn(paths: list[str], number: int, seed: int) -> list[Mutant]:
    """As many as wanted of all: for the same seed the same, but for those of code that has changed since."""
    files = sorted(file for path in paths for file in ([ROOT / path] if path.endswith(".py") else (ROOT / path).rglob("*.py")))
    known = [mutant for file in files for mutant in mutants_of(file.relative_to(ROOT).as_posix(), file.read_text(encoding="utf-8"))]
    return sorted(known, key=lambda mutant: mutant.rank(seed))[:number]


def copied(folder: Path) -> Path:
    """The checkout, copied into a folder as the package `retro_anim`."""
    copy_of = folder / "retro_anim"
    shutil.copytree(ROOT, copy_of, ignore=shutil.ignore_patterns(".git", ".venv", "__pycache__", "dist", "site", "node_modules"))
    return copy_of


def run_tests(folder: Path, arguments: list[str], settings: dict[str, str], wait: int | None) -> bool:
    """Whether tests pass in a copy of the checkout, within the seconds that they may take, with the same examples every time."""

    def limit() -> None:
        if wait is not None and sys.platform != "win32":
            import resource

            resource.setrlimit(resource.RLIMIT_CPU, (wait, wait))

    command = [sys.executable, "-P", "-m", "pytest", "-q", "-p", "no:cacheprovider", "--no-header", *arguments]
    data = os.environ.get("RETRO_ANIM_GAME_DATA") or str(ROOT.parent / "shared" / "game_data")
    settings = {
        **os.environ,
        "RETRO_ANIM_GAME_DATA": data if Path(data).is_dir() else "none",
        "PYTHONPATH": str(folder.parent),
        "CI": "true",
        **settings,
    }
    try:
        run = subprocess.run(
            command, cwd=folder, env=settings, capture_output=True, timeout=wait and 30 * wait, check=False, preexec_fn=limit
        )
    except subprocess.TimeoutExpired:
        return False
    return run.returncode in (0, 5)


def covered(folder: Path, part: str) -> Covering | None:
    """By file and line the tests of a part of the core that run it, those first that run least; None where a test fails without any mutant.
    It also writes the byte code, so that a mutant's run compiles the mutant alone."""
    data = folder.parent / f"covered_{part}"
    arguments = ["--cov=core", "--cov-context=test", "--cov-report=", f"tests/core/{part}"]
    if not run_tests(folder, arguments, {"COVERAGE_FILE": str(data), "PYTHONDONTWRITEBYTECODE": ""}, None):
        return None
    from coverage import CoverageData

    known = CoverageData(str(data))
    known.read()
    lines: Covering = {}
    sizes: Counter[str] = Counter()
    for file in known.measured_files():
        by_line = {line: {_test(context) for context in contexts} for line, contexts in known.contexts_by_lineno(file).items()}
        of_file = set[str]().union(*by_line.values()) - {""}
        for line, tests in by_line.items():
            # What runs when a module is loaded concerns every test that uses the module.
            lines.setdefault(Path(file).as_posix(), {})[line] = list(of_file if tests == {""} else tests - {""})
            sizes.update(tests - {""})
    for tests in (tests for by_line in lines.values() for tests in by_line.values()):
        tests.sort(key=lambda test: (sizes[test], test))
    return lines


def _test(context: str) -> str:
    """The test, or of what a fixture ran, which several may share, the file of the tests; "" outside of tests."""
    return context.partition("::")[0] if context.endswith("|setup") else context.rpartition("|")[0]


def killed(mutant: Mutant, folder: Path, covering: Covering) -> bool:
    """Whether a test in the copy at `folder` that ran its line notices it; what no test has run is alive. Of an expression of several lines
    not each counts as run: then the nearest above does."""
    target, lines = folder / mutant.path, covering.get(mutant.path, {})
    tests = lines.get(max((line for line in lines if line <= mutant.line and lines[line]), default=0), [])
    if not tests:
        return False
    before, times = target.read_bytes(), target.stat()
    target.write_text(mutant.source(), encoding="utf-8")
    settings = {"PYTHONDONTWRITEBYTECODE": "1", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}  # both for speed
    try:
        return not run_tests(folder, ["-x", *tests[:AT_ONCE]], settings, int(WAIT[0] + WAIT[1] * min(len(tests), AT_ONCE)))
    finally:
        target.write_bytes(before)
        os.utime(target, ns=(times.st_atime_ns, times.st_mtime_ns))


def part_of(mutant: Mutant) -> str:
    return Path(mutant.path).parts[1]


def main(arguments: list[str]) -> int:
    command = argparse.ArgumentParser("retro_anim.tools.mutants", description=__doc__)
    command.add_argument("paths", nargs="*", default=list(USUAL))
    command.add_argument("--number", type=int, default=400)
    command.add_argument("--minutes", type=float, default=60.0)
    command.add_argument("--seed", type=int, default=1)
    command.add_argument("--again", type=Path, metavar="FILE", help="what an earlier run printed: of those drawn only the ones alive then")
    command.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = command.parse_args(arguments)
    struck = (
        [line.split("  # ")[0].strip() for line in STRUCK.read_text(encoding="utf-8").splitlines() if "  # " in line]
        if STRUCK.is_file()
        else []
    )
    chosen = drawn(options.paths, options.number, options.seed)
    waiting = [mutant for mutant in chosen if mutant.name not in struck]
    if options.again:
        alive_then = [line.partition("  line ")[0] for line in options.again.read_text(encoding="utf-8").splitlines()]
        waiting = [mutant for mutant in waiting if f"alive: {mutant.name}" in alive_then]
    end = time.monotonic() + 60 * options.minutes
    alive: list[Mutant] = []
    dead = 0
    with tempfile.TemporaryDirectory(prefix="retro_anim_mutants_") as temporary, ThreadPoolExecutor(options.jobs) as pool:
        folders = [copied(Path(temporary, str(number))) for number in range(options.jobs)]
        parts = sorted({part_of(mutant) for mutant in waiting})
        coverings = dict(zip(parts, pool.map(lambda part: covered(folders[0], part), parts), strict=True))
        broken = [f"tests/core/{part}" for part, covering in coverings.items() if covering is None]
        if broken:
            print(f"fail without any mutant: {', '.join(broken)}", file=sys.stderr)
            return 2

        def work(share: list[Mutant], folder: Path) -> list[tuple[Mutant, bool]]:
            results: list[tuple[Mutant, bool]] = []
            for mutant in share:
                if time.monotonic() > end:
                    break
                result = killed(mutant, folder, coverings[part_of(mutant)] or {})
                results.append((mutant, result))
                if len(results) % 20 == 0:
                    print(f"{len(results)} of {len(share)} by one of {options.jobs}", file=sys.stderr, flush=True)
                if not result:
                    print(f"alive: {mutant.name}  line {mutant.line}", flush=True)
            return results

        for results in pool.map(work, [waiting[start :: options.jobs] for start in range(options.jobs)], folders):
            dead += sum(result for _, result in results)
            alive += [mutant for mutant, result in results if not result]
    total = dead + len(alive)
    left_out = sum(mutant.name in struck for mutant in chosen)
    share = 100 * dead / max(total, 1)
    print(f"{dead} of {total} mutants dead ({share:.1f} %), {len(alive)} alive, {left_out} struck out; seed {options.seed}")
    return 1 if alive else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
