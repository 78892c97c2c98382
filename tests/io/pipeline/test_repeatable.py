"""The same scene of the same files in every run of a Blender, whatever seed and locale; the same files and curves in all Blenders."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

KNOWN = json.loads((Path(__file__).resolve().parents[2] / "data/scene.json").read_text(encoding="utf-8"))
"""As `python -m retro_anim.tools.repeatable --blender` printed it in one of the Blenders."""


def scene(**settings: str) -> dict[str, Any]:
    """What is there after the imports, in a process of its own."""
    command = [sys.executable, "-P", "-m", "retro_anim.tools.repeatable", "--blender"]
    run = subprocess.run(command, env={**os.environ, **settings}, capture_output=True, text=True, check=False, timeout=300)
    start = run.stdout.find("{\n")
    assert start >= 0, run.stderr
    return json.loads(run.stdout[start : run.stdout.rindex("}") + 1])


@pytest.fixture(scope="module")
def first() -> dict[str, Any]:
    return scene(PYTHONHASHSEED="0")


def test_the_same_scene_in_every_run(first: dict[str, Any]) -> None:
    assert scene(PYTHONHASHSEED="4711", LC_ALL="C", TZ="Asia/Tokyo") == first


@pytest.mark.parametrize("sample", KNOWN)
def test_the_same_files_and_curves_in_every_blender(first: dict[str, Any], sample: str) -> None:
    now, known = first[sample], KNOWN[sample]
    assert now["file"] == known["file"]
    assert now["curves"].keys() == known["curves"].keys()
    assert np.abs(np.array(list(now["curves"].values())) - list(known["curves"].values())).max() <= 1e-6
