"""Mutation testing: changes one piece of the core's code at a time, and runs the core's tests: a mutant that no test notices is a gap.

`python -m retro_anim.tools.mutants [--number N] [--minutes M] [--seed S] [--jobs J] [PATH…]`. Without a path: codecs, update and
retargeting. A mutant is a comparison, an operator, a constant, a condition, a negation or a returned value that is another one. It is run
against the tests of its own part, those named after its module first, in a copy of the repository, and is dead as soon as one fails.
Mutants that change nothing that can be seen are struck out in tools/mutants.txt, each with its reason.
"""

from __future__ import annotations

import argparse
import ast
import copy
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
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
WAIT = 300
"""Seconds that tests may take: a mutant that never ends is dead, too."""

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
    """path: relative to the repository. line, what: for people. source: the module's, with it."""

    path: str
    line: int
    what: str
    source: str

    @property
    def name(self) -> str:
        return f"{self.path}:{self.line}: {self.what}"


def mutants_of(path: str, source: str) -> list[Mutant]:
    """All that there are of a module, in the order of its code."""
    tree = ast.parse(source)
    known: list[Mutant] = []
    for node in _nodes(tree):
        before = ast.unparse(node)
        for changed in _changes(node):
            kept = copy.deepcopy(node.__dict__)
            node.__dict__.update(changed)
            after = ast.unparse(node)
            if after != before:
                known.append(Mutant(path, getattr(node, "lineno", 0), f"{_cut(before)} -> {_cut(after)}", ast.unparse(tree)))
            node.__dict__.clear()
            node.__dict__.update(kept)
    return known


def _cut(text: str) -> str:
    return " ".join(text.split())[:70]


def _nodes(tree: ast.Module) -> Iterator[ast.AST]:
    """Of functions: declarations, types and docstrings are no behaviour; nor is what a message says."""
    pending: list[tuple[ast.AST, bool]] = [(tree, False)]
    while pending:
        node, inside = pending.pop(0)
        if isinstance(node, ast.JoinedStr | ast.Raise | ast.Assert | ast.arg) or _is_message(node):
            continue
        if inside:
            yield node
        inside = inside or isinstance(node, ast.FunctionDef)
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
    """As many as wanted of all, the same for the same seed."""
    files = sorted(file for path in paths for file in ([ROOT / path] if path.endswith(".py") else (ROOT / path).rglob("*.py")))
    known = [mutant for file in files for mutant in mutants_of(file.relative_to(ROOT).as_posix(), file.read_text(encoding="utf-8"))]
    return random.Random(seed).sample(known, min(number, len(known)))


def tests_of(path: str) -> list[list[str]]:
    """The core's tests to run, one list after the other: those named after the module, then those of its part."""
    part, stem = Path(path).parts[1], Path(path).stem
    folder = ROOT / "tests/core" / part
    named = sorted(str(test.relative_to(ROOT)) for test in folder.glob("test_*.py") if stem.strip("_") in test.stem)
    return [*([named] if named else []), [f"tests/core/{part}"]]


def passes(folder: Path, tests: list[str]) -> bool:
    """Whether tests pass in the checkout or the copy at `folder`, within the time that they may take."""
    command = [sys.executable, "-P", "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "--no-header", *tests]
    settings = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    if folder != ROOT:
        settings["PYTHONPATH"] = str(folder.parent)
    try:
        return subprocess.run(command, cwd=folder, env=settings, capture_output=True, timeout=WAIT, check=False).returncode in (0, 5)
    except subprocess.TimeoutExpired:
        return False


def killed(mutant: Mutant, folder: Path) -> bool:
    """Whether a test in the copy at `folder` notices it."""
    target = folder / mutant.path
    before = target.read_text(encoding="utf-8")
    target.write_text(mutant.source, encoding="utf-8")
    try:
        return not all(passes(folder, tests) for tests in tests_of(mutant.path))
    finally:
        target.write_text(before, encoding="utf-8")


def main(arguments: list[str]) -> int:
    command = argparse.ArgumentParser("retro_anim.tools.mutants", description=__doc__)
    command.add_argument("paths", nargs="*", default=list(USUAL))
    command.add_argument("--number", type=int, default=400)
    command.add_argument("--minutes", type=float, default=60.0)
    command.add_argument("--seed", type=int, default=1)
    command.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = command.parse_args(arguments)
    struck = (
        [line.split("  # ")[0].strip() for line in STRUCK.read_text(encoding="utf-8").splitlines() if "  # " in line]
        if STRUCK.is_file()
        else []
    )
    waiting = [mutant for mutant in drawn(options.paths, options.number, options.seed) if mutant.name not in struck]
    broken = sorted({part for mutant in waiting for part in tests_of(mutant.path)[-1] if not passes(ROOT, [part])})
    if broken:
        print(f"fail without any mutant: {', '.join(broken)}", file=sys.stderr)
        return 2
    end = time.monotonic() + 60 * options.minutes
    alive: list[Mutant] = []
    dead = 0

    def work(share: list[Mutant]) -> list[tuple[Mutant, bool]]:
        results: list[tuple[Mutant, bool]] = []
        with tempfile.TemporaryDirectory(prefix="retro_anim_mutants_") as temporary:
            folder = Path(temporary) / "retro_anim"
            shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(".git", ".venv", "__pycache__", "dist", "node_modules"))
            for mutant in share:
                if time.monotonic() > end:
                    break
                result = killed(mutant, folder)
                results.append((mutant, result))
                if not result:
                    print(f"alive: {mutant.name}", flush=True)
        return results

    with ThreadPoolExecutor(options.jobs) as pool:
        for results in pool.map(work, [waiting[start :: options.jobs] for start in range(options.jobs)]):
            dead += sum(result for _, result in results)
            alive += [mutant for mutant, result in results if not result]
    total = dead + len(alive)
    print(f"{dead} of {total} mutants dead ({100 * dead / max(total, 1):.0f} %), {len(alive)} alive; seed {options.seed}")
    return 1 if alive else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
