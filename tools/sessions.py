"""Sessions of nox: run one at a time, their output printed as a whole, and all of them summed up: what passed, what was left out, how much
of the code they ran.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import Any

from environments import ANY_PYTHON, ROOT, environment

_printing = Lock()


def run_session(nox: list[str], name: str, arguments: list[str], settings: dict[str, str]) -> dict[str, Any]:
    """Runs one session and prints its output as a whole. Returns nox's report of it, with `processor`: seconds of user and system."""
    print(f"Started: {name}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        report, output = Path(folder, "report.json"), Path(folder, "output.txt")
        with output.open("wb") as file:
            command = [*nox, "--report", str(report), "-s", name, *arguments]
            process = subprocess.Popen(command, stdout=file, stderr=subprocess.STDOUT, env=settings)
            processor = _wait(process)
        with _printing:
            print(f"\n===== {name}", flush=True)
            sys.stdout.buffer.write(output.read_bytes())
            sys.stdout.flush()
        if report.exists():
            result: dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))["sessions"][0]
        else:
            result = {"name": name, "signatures": [name], "result": "failed", "reason": "nox did not run it", "duration": 0.0}
    return {**result, "processor": processor}


def _wait(process: subprocess.Popen[bytes]) -> float | None:
    """Waits for a process. Returns the processor seconds of it and all it waited for; None on Windows, which does not count them."""
    if sys.platform == "win32":
        process.wait()
        return None
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = status
    return usage.ru_utime + usage.ru_stime


def summarise(sessions: list[dict[str, Any]], left_out: Path, coverage: Sequence[str] = ()) -> int:
    """Prints how each session ended. Returns 1 when Blender sessions were asked for and none of them ran, else 0."""
    labels = {"success": "passed", "skipped": "left out", "failed": "failed", "aborted": "failed"}
    counts = dict.fromkeys(labels.values(), 0)
    print("\nSummary")
    for session in sessions:
        label = labels[session["result"]]
        counts[label] += 1
        reason = ": " + session["reason"] if session.get("reason") else ""
        processor = f", {session['processor']:.0f} s of processor" if session.get("processor") is not None else ""
        print(f"  {label:8}  {session['signatures'][0]}{reason} ({session['duration']:.0f} s{processor})")
    print_left_out(left_out)
    blenders = {session["result"] for session in sessions if session["name"] == "blender"}
    no_blender_ran = blenders == {"skipped"}
    if no_blender_ran:
        print("  failed    no Blender ran")
    for line in coverage:
        print(f"  {line}")
    minutes = sum(session.get("processor") or 0 for session in sessions) / 60
    total = f"; {minutes:.1f} minutes of processor" if minutes else ""
    print(f"Sessions: {counts['passed']} passed, {counts['failed']} failed, {counts['left out']} skipped{total}", flush=True)
    return int(no_blender_ran)


def print_left_out(left_out: Path) -> None:
    """Prints the reasons for which single tests were skipped, from lines of "REASON<tab>WHERE"."""
    skipped: dict[str, list[str]] = {}
    for line in left_out.read_text(encoding="utf-8").splitlines() if left_out.exists() else []:
        reason, _, where = line.partition("\t")
        skipped.setdefault(reason, []).append(where)
    for reason, wheres in skipped.items():
        print(f"  left out  {len(wheres)} tests: {reason} ({', '.join(dict.fromkeys(wheres))})")


def coverage_lines(folder: Path) -> list[str]:
    """How much of each floor the measured sessions ran, as lines of text; none where nothing was measured."""
    if not folder.is_dir():
        return []
    python, report = environment("lint", ANY_PYTHON, ["lint"]), folder / "report.json"
    data_files = sorted(str(path) for path in folder.iterdir())
    settings = {**os.environ, "COVERAGE_FILE": str(folder / "all")}
    for command in (["combine", "-q", "--keep", *data_files], ["json", "-q", "-o", str(report)]):
        if subprocess.call([python, "-P", "-m", "coverage", *command], cwd=ROOT, env=settings):
            return ["coverage  could not be counted"]
    lines: dict[str, list[int]] = {}
    for path, facts in json.loads(report.read_text(encoding="utf-8"))["files"].items():
        counts = lines.setdefault(Path(path).parts[0], [0, 0])
        counts[0] += facts["summary"]["covered_lines"]
        counts[1] += facts["summary"]["num_statements"]
    shares = ", ".join(f"{floor} {100 * covered / total:.1f} %" for floor, (covered, total) in sorted(lines.items()) if total)
    measured = ", ".join(sorted(path.name for path in folder.iterdir() if path.name not in ("all", "report.json")))
    return [f"coverage  {shares} of the lines ({measured})"]
