"""The same documents of the same files in every run: with any hash seed, locale, time zone and numpy."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

KNOWN = json.loads((Path(__file__).resolve().parent.parent / "data/documents.json").read_text(encoding="utf-8"))
"""As `python -m retro_anim.tools.repeatable` prints it: what another numpy and another Python have given."""


@pytest.mark.parametrize(
    "settings",
    [
        {"PYTHONHASHSEED": "0"},
        {"PYTHONHASHSEED": "4711", "LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8", "TZ": "Asia/Tokyo"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONOPTIMIZE": "1"},
    ],
    ids=["seed 0", "turkish", "C"],
)
def test_documents(settings: dict[str, str]) -> None:
    command = [sys.executable, "-P", "-m", "retro_anim.tools.repeatable"]
    run = subprocess.run(command, env={**os.environ, **settings}, capture_output=True, text=True, check=False, timeout=300)
    assert run.returncode == 0, run.stderr
    now = json.loads(run.stdout)
    assert {name for name in KNOWN if now.get(name) != KNOWN[name]} == set() and now.keys() == KNOWN.keys()
