"""Mutants that are struck out: each is one of the code as it is now, and has its reason."""

from __future__ import annotations

from pathlib import Path

import pytest
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
