"""A new game is one folder on each floor, and one line: a copy of the package gets one, and every door knows it."""

from __future__ import annotations

import json
import math
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
FLOORS = ("core", "io", "operators", "cli")

pytestmark = pytest.mark.skipif(find_spec("bpy") is None, reason="needs Blender")


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What checks.py found out, in a process of its own."""
    folder, out = tmp_path_factory.mktemp("copy"), tmp_path_factory.mktemp("out")
    package = folder / "retro_anim"
    package.mkdir()
    for name in ("__init__.py", "blender_manifest.toml"):
        shutil.copy(ROOT / name, package / name)
    for floor in FLOORS:
        shutil.copytree(ROOT / floor, package / floor, ignore=shutil.ignore_patterns("__pycache__"))
    before = {path.relative_to(package): path.read_bytes() for path in package.rglob("*.py")}
    shutil.copytree(HERE / "floors", package, dirs_exist_ok=True)
    table = package / "core" / "games.py"
    table.write_text(table.read_text(encoding="utf-8").replace('    "mindpower",\n', '    "mindpower",\n    "stick",\n'), encoding="utf-8")
    changed = [path for path, data in before.items() if (package / path).read_bytes() != data]
    assert changed == [Path("core/games.py")]
    environment = {**os.environ, "BLENDER_USER_RESOURCES": str(tmp_path_factory.mktemp("user")), "PYTHONSAFEPATH": "1"}
    environment.pop("PYTHONPATH", None)
    command = [sys.executable, str(HERE / "checks.py"), str(folder), str(HERE / "walk.stick"), str(out)]
    run = subprocess.run(command, cwd=out, env=environment, capture_output=True, text=True, timeout=300)
    lines = [line for line in run.stdout.splitlines() if line.startswith("RESULTS ")]
    assert lines, run.stdout[-2000:] + run.stderr[-4000:]
    return json.loads(lines[0].removeprefix("RESULTS "))


def test_the_window(results: dict[str, Any]) -> None:
    assert results["menus"] == [True, True]
    assert results["handler"] == ["import_anim.stick", ".stick"]
    assert results["panel"] == [True]


def test_the_list(results: dict[str, Any]) -> None:
    assert results["list"] == [["0", "walk, 3 frames"]]
    assert results["chosen"] == ["FINISHED", 1]


def test_the_import(results: dict[str, Any]) -> None:
    assert results["imported"] == ["FINISHED"]
    assert results["scene"] == ["ARMATURE", "walk", ["hips", "chest", "arm", "hand"], 3, "somebody"]


def test_the_export(results: dict[str, Any]) -> None:
    assert results["identical"]
    assert "stick_mood" in results["refused"] and "from 0 to 9" in results["refused"]
    assert results["edited"] == [["mood 3", "mood 4"], ["1 0 0 0", "0.6000000238418579 0.800000011920929 0 0"]]


def test_info_and_verify(results: dict[str, Any]) -> None:
    info = results["info"]
    assert (info["format"], info["bones"], info["frames"], info["duration"], info["mood"]) == ("stick", 4, 3, 0.2, 3)
    assert results["verify"] == {"files": 1, "entries": 1, "identical": 1, "skipped": 0, "different": [], "failed": []}


def test_the_pose(results: dict[str, Any]) -> None:
    """By hand: the hips turn by 45 degrees about Z at (0, -0.125, 1.1); the arm leaves the chest at a quarter to the side and up."""
    bones = {bone["name"]: bone["position"] for bone in results["pose"]["bones"]}
    side = 0.25 * math.sqrt(0.5)
    assert bones["hips"] == pytest.approx([0, -0.125, 1.1])
    assert bones["arm"] == pytest.approx([side, side - 0.125, 1.1 + 0.5 + 0.25])


def test_convert_both_ways(results: dict[str, Any]) -> None:
    assert results["convert"] == [0, 0]
    assert results["converted"] == [True, True]


def test_retarget_both_ways(results: dict[str, Any]) -> None:
    assert results["retarget"] == [0, 0]
    mine, other = ({bone["name"]: bone["position"] for bone in pose["bones"]} for pose in (results["pose"], results["retargeted"]))
    for name, position in mine.items():
        assert other[name] == pytest.approx(position, abs=2e-3)
