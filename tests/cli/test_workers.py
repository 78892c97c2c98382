"""Processes that share a list of tasks, and what happens when somebody stops them."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from retro_anim.cli import convert, main, workers

Run = Callable[..., tuple[int, list[str], list[str]]]

SLOW = """
import json, sys, time
for line in sys.stdin:
    path = json.loads(line)
    time.sleep(0 if path.endswith("0") else 30)
    open(path, "w").close()
    print("\\x1eresult " + json.dumps(path), flush=True)
"""
"""A process that is quick with its first task alone."""


def test_nothing_goes_on_when_whoever_waits_for_answers_stops(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "command", lambda: [sys.executable, "-c", SLOW])
    tasks = [str(tmp_path / str(number)) for number in range(5)]
    answers = workers.answers(tasks, [], 2)
    start = time.monotonic()
    assert next(answers) == (0, tasks[0])
    answers.close()
    assert time.monotonic() - start < 20
    assert [path.name for path in tmp_path.iterdir()] == ["0"]


def test_ctrl_c_is_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def stop(_arguments: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(convert, "run", stop)
    assert main(["convert", str(tmp_path), "-o", f"{tmp_path}/"]) == 130
    assert capsys.readouterr().err == "stopped\n"
