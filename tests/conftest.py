"""What all tests share: the games' own files, how hypothesis works here, and a list of what was left out and why."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parent.parent
GAME_DATA = Path(os.environ.get("RETRO_ANIM_GAME_DATA") or ROOT.parent / "shared" / "game_data")
"""The games' own files, which are not ours to ship, by default in a folder beside the checkout. `none` leaves out what needs them."""

CI = os.environ.get("CI") == "true"

# The same examples at every run where nobody looks on; new ones elsewhere, so that what is rare is found some day.
settings.register_profile("retro_anim", deadline=None, max_examples=60, derandomize=CI, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("retro_anim")


@pytest.fixture(scope="session")
def game_file() -> Callable[[str], Path]:
    """The path of a game's own file or folder: `game_file("lba1/ANIM.HQR")`. Skips the test where there is none."""

    def find(name: str) -> Path:
        path = GAME_DATA / name
        if path.exists():
            return path
        missing = f"file {name}" if name and GAME_DATA.is_dir() else "files"
        reason = f"no game {missing}: set RETRO_ANIM_GAME_DATA to a folder that has them"
        if CI and GAME_DATA.name != "none":
            pytest.fail(reason)
        pytest.skip(reason)

    return find


@pytest.fixture(scope="session")
def game_data(game_file: Callable[[str], Path]) -> Path:
    """The folder with the games' own files. Where there is none the test is skipped."""
    return game_file("")


_deselected: list[str] = []
"""Why tests were left out unasked, one for each."""


def pytest_deselected(items: list[pytest.Item]) -> None:
    left_out = [item for item in items if item.config.getoption("markexpr") == "not thorough"]
    _deselected.extend("thorough: they run in the newest Blender" for _ in left_out)


def pytest_report_header() -> str:
    return f"Python {platform.python_version()}, numpy {np.__version__}"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Adds what was skipped to the list that `dev.py test` prints in the end."""
    target = os.environ.get("RETRO_ANIM_LEFT_OUT")
    skipped: list[pytest.TestReport] = terminalreporter.stats.get("skipped", [])
    if not target:
        return
    blender = sys.modules.get("bpy")
    where = f"Blender {blender.app.version_string}" if blender else f"numpy {np.__version__}"
    with Path(target).open("a", encoding="utf-8") as file:
        reasons = (report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr) for report in skipped)
        for reason in (*reasons, *_deselected):
            file.write(f"{reason.removeprefix('Skipped: ')}\t{where}\n")
