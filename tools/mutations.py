"""Mutants of a module: its code with one piece of it changed, and a fixed way to draw some of all that there are."""

from __future__ import annotations

import ast
import copy
import hashlib
import itertools
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

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

    def of(self, source: str) -> str:
        """The module's source with it, of that without it."""
        tree = ast.parse(source)
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
    """Of functions, each with the function: declarations, types and docstrings are no behaviour; nor is what a message says, what is
    asserted, as by zip's `strict`, or by which number below 0 numpy is asked for what is left of a shape."""
    pending: list[tuple[ast.AST, str]] = [(tree, "")]
    rests: set[int] = set()
    while pending:
        node, inside = pending.pop(0)
        if isinstance(node, ast.JoinedStr | ast.Raise | ast.Assert | ast.arg) or _is_message(node) or _is_strict(node):
            continue
        if inside:
            yield node, inside
        if id(node) in rests:
            continue
        inside = node.name if isinstance(node, ast.FunctionDef) else inside
        rests |= {id(argument) for argument in _of_reshape(node) if isinstance(argument, ast.UnaryOp)}
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


def _of_reshape(node: ast.AST) -> list[ast.expr]:
    """What the method is given."""
    called = node.func if isinstance(node, ast.Call) else None
    return node.args if isinstance(node, ast.Call) and isinstance(called, ast.Attribute) and called.attr == "reshape" else []


def _is_strict(node: ast.AST) -> bool:
    return isinstance(node, ast.keyword) and node.arg == "strict"


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


def part_of(mutant: Mutant) -> str:
    return Path(mutant.path).parts[1]
