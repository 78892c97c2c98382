"""The commands to start with: which Python they take, and what they make of the sessions' ends."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import environments
import pytest
import sessions


def reports(**results: str) -> list[dict[str, Any]]:
    """What nox reports: `reports(lint="success")`."""
    return [
        {"name": name.partition("_")[0], "result": result, "signatures": [name], "reason": "no Python", "duration": 1.0, "processor": 30.0}
        for name, result in results.items()
    ]


@pytest.mark.parametrize(
    ("results", "code"),
    [
        ({"lint": "success", "blender_4": "success", "blender_5": "skipped"}, 0),
        ({"lint": "success", "blender_4": "skipped", "blender_5": "skipped"}, 1),
        ({"lint": "success"}, 0),  # no Blender was asked for
    ],
)
def test_some_blender_has_to_run(results: dict[str, str], code: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert sessions.summarise(reports(**results), tmp_path / "none") == code
    assert ("no Blender ran" in capsys.readouterr().out) == bool(code)


def test_tests_that_were_left_out_are_listed_by_reason(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    list_of_tests = tmp_path / "left_out.txt"
    list_of_tests.write_text("no game file\tnumpy 1\nno game file\tnumpy 2\nno game file\tnumpy 2\n", encoding="utf-8")
    sessions.print_left_out(list_of_tests)
    assert capsys.readouterr().out == "  left out  3 tests: no game file (numpy 1, numpy 2)\n"


def test_finds_a_python_by_running_it() -> None:
    version = f"{sys.version_info[0]}.{sys.version_info[1]}"
    python = environments.find_python("9.9", version)
    assert python is not None
    run = subprocess.run([python, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"], stdout=subprocess.PIPE, text=True)
    assert run.stdout.strip() == version


@pytest.mark.skipif(os.name == "nt", reason="a shell script stands in for Python")
def test_passes_over_a_python_that_does_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refuses, lies, right = (tmp_path / name / "python9.9" for name in ("refuses", "lies", "right"))
    for path, script in ((refuses, "exit 127"), (lies, "echo 3.11 /lies"), (right, "echo 9.9 /right")):
        path.parent.mkdir()
        path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        path.chmod(0o755)
    monkeypatch.setenv("PATH", os.pathsep.join(str(path.parent) for path in (refuses, lies)))
    assert environments.find_python("9.9") is None
    monkeypatch.setenv("PATH", os.pathsep.join(str(path.parent) for path in (refuses, lies, right)))
    environments._find_python.cache_clear()
    assert environments.find_python("9.9") == "/right"


def test_the_processor_time_is_summed_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sessions.summarise(reports(lint="success", types="success", core="failed"), tmp_path / "none", ["coverage  core 90.0 %"])
    printed = capsys.readouterr().out
    assert "passed    types: no Python (1 s, 30 s of processor)" in printed
    assert "  coverage  core 90.0 %\n" in printed
    assert printed.endswith("Sessions: 2 passed, 1 failed, 0 skipped; 1.5 minutes of processor\n")


@pytest.mark.skipif(os.name == "nt", reason="Windows does not count the processor time of children")
def test_a_session_counts_what_its_children_take(capsys: pytest.CaptureFixture[str]) -> None:
    """A stand-in for nox that starts another process, which works for a while, and then ends without a report."""
    busy = "import time\nwhile time.process_time() < 0.5: pass"
    nox = [sys.executable, "-c", f"import subprocess, sys; print('output'); subprocess.run([sys.executable, '-c', {busy!r}])"]
    before = os.times()
    result = sessions.run_session(nox, "lint", [], dict(os.environ))
    after = os.times()
    children = after.children_user + after.children_system - before.children_user - before.children_system
    assert result["result"] == "failed" and 0.5 <= result["processor"] <= children + 0.1  # the system rounds its own to hundredths
    assert "===== lint" in capsys.readouterr().out
