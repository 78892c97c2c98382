"""Mutants that are struck out: each is one of the code as it is now, and has its reason."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from retro_anim.tools.mutant_runs import covered
from retro_anim.tools.mutants import STRUCK
from retro_anim.tools.mutations import ROOT, mutants_of

LINES = [line for line in STRUCK.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]


@pytest.mark.parametrize("path", sorted({line.partition(":")[0] for line in LINES}))
def test_what_is_struck_out_is_there(path: str) -> None:
    source = Path(ROOT, path).read_text(encoding="utf-8")
    struck = {line.partition("  # ")[0] for line in LINES if line.startswith(f"{path}:")}
    assert not struck - {mutant.name for mutant in mutants_of(path, source)}


def test_each_has_a_reason() -> None:
    assert all(line.partition("  # ")[2].strip() for line in LINES)
    assert len(LINES) == len(set(LINES))


@pytest.mark.thorough
def test_all_tests_that_run_a_line_are_known(tmp_path: Path) -> None:
    """The first line of a function that each test of its file calls."""
    copied = tmp_path / "retro_anim"
    copied.symlink_to(ROOT, target_is_directory=True)
    known = covered(copied, "reporting")
    assert known is not None
    (called,) = [lines for file, lines in known.tests.items() if file.endswith("core/reporting/folding.py")]
    function = next(
        node for node in ast.parse(Path(ROOT, "core/reporting/folding.py").read_text("utf-8")).body if isinstance(node, ast.FunctionDef)
    )
    first = next(node.lineno for node in function.body if not isinstance(node, ast.Expr))
    assert len([test for _, test in called[first] if "test_folding" in test]) == 2
