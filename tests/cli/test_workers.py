"""Processes that share a list of tasks, and what happens when somebody stops them."""

from __future__ import annotations

import argparse
import gc
import importlib
import io
import os
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import pytest
from retro_anim.cli import blender, script, workers
from retro_anim.cli import main as command_line
from retro_anim.cli.commands import convert
from retro_anim.cli.main import main
from retro_anim.core.files.disk import disk
from retro_anim.core.reporting import ending, progress

Run = Callable[..., tuple[int, list[str], list[str]]]

SLOW = """
import json, sys, tempfile, time
for line in sys.stdin:
    path = json.loads(line)
    tempfile.mkdtemp()
    time.sleep(0 if path.endswith("0") else 30)
    open(path, "w").close()
    print("\\x1eresult " + json.dumps(path), flush=True)
"""
"""A process that is quick with its first task alone."""


def test_nothing_goes_on_when_whoever_waits_for_answers_stops(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "command", lambda: [sys.executable, "-c", SLOW])
    (temporary := tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    tasks = [str(tmp_path / str(number)) for number in range(5)]
    answers = workers.answers(tasks, [], 2)
    assert next(answers) == (0, tasks[0])
    answers.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["0", "temporary"]
    assert not any(temporary.iterdir()), "not what a process has made that was ended either"


def test_nothing_of_a_process_stays_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first one does its task, the second dies of it."""
    one = 'print("\\x1eresult 1", flush=True) if json.loads(line) else sys.exit(7)'
    monkeypatch.setattr(workers, "command", lambda: [sys.executable, "-c", f"import json, sys\nfor line in sys.stdin: {one}"])
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always", ResourceWarning)
        answered = {index: str(answer) for index, answer in workers.answers([1, 0, 1], [], 2)}
        gc.collect()
    assert answered == {0: "1", 1: "code 7", 2: "1"}
    assert not [str(each.message) for each in warned]


def test_ctrl_c_is_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def stop(_arguments: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(convert, "run", stop)
    assert main(["convert", str(tmp_path), "-o", f"{tmp_path}/"]) == 130
    assert capsys.readouterr().err == "stopped\n"


@pytest.fixture
def number(name: str) -> Iterator[int]:
    """Of the signal, which a process can be started without: in the background, say."""
    number = getattr(signal, name)
    before = signal.signal(number, signal.default_int_handler if name == "SIGINT" else signal.SIG_DFL)
    yield number
    signal.signal(number, before)


@pytest.mark.parametrize("name", [name for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)])
def test_asked_to_end_it_clears_up_as_by_ctrl_c(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    before = signal.getsignal(number)

    def stop(_arguments: object) -> int:
        with tempfile.TemporaryDirectory():
            os.kill(os.getpid(), number)
            time.sleep(5)
        return 0

    monkeypatch.setattr(convert, "run", stop)
    assert main(["convert", str(tmp_path), "-o", f"{tmp_path}/"]) == 128 + number
    assert capsys.readouterr().err == "stopped\n"
    assert not any(tmp_path.iterdir())
    assert signal.getsignal(number) is before


@pytest.mark.parametrize("name", [name for name in ("SIGINT", "SIGTERM") if hasattr(signal, name)])
def test_asked_to_end_while_its_arguments_are_read(
    number: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    read = command_line.parser

    def stop(wanted: Sequence[str] = ()) -> argparse.ArgumentParser:
        os.kill(os.getpid(), number)
        time.sleep(5)
        return read(wanted)

    monkeypatch.setattr(command_line, "parser", stop)
    assert main(["info", "nothing"]) == 128 + number
    assert capsys.readouterr() == ("", "stopped\n")


WHILE_LOADING = """
import os, signal, sys

class Finder:
    def find_spec(self, name, *_more):
        if name == "{module}":
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Finder())
from retro_anim.cli import script
script()
"""


@pytest.mark.usefixtures("number")
@pytest.mark.parametrize("name", ["SIGINT"])
@pytest.mark.parametrize("module", ["retro_anim.cli.main", "retro_anim.core.declare.naming", "retro_anim.cli.interpretations"])
def test_ctrl_c_while_modules_are_loaded_is_no_traceback(module: str) -> None:
    process = subprocess.run(
        [sys.executable, "-P", "-c", WHILE_LOADING.format(module=module), "info", "nothing"], capture_output=True, text=True, check=False
    )
    assert (process.returncode, process.stdout, process.stderr) == (-signal.SIGINT, "", "")


def as_script(body: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """`info` with another body, as a module of its own that is run."""
    run = f"from retro_anim import cli; from retro_anim.cli.commands import info; info.run = lambda _: {body}; cli.script()"
    (folder / "run_info.py").write_text(run)
    paths = os.pathsep.join([str(folder), *sys.path])
    command = [sys.executable, "-P", "-m", "run_info", "info", "nothing"]
    return subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": paths})


@pytest.mark.parametrize("name", [name for name in ("SIGINT", "SIGTERM") if hasattr(signal, name)])
def test_asked_to_end_while_text_is_run_its_code_says_so(number: int, tmp_path: Path) -> None:
    """As it is wherever a dataclass is declared: Python takes a KeyboardInterrupt in there for one that nobody caught."""
    process = as_script(f"exec({f'import os, time; os.kill(os.getpid(), {int(number)}); time.sleep(5)'!r})", tmp_path)
    assert (process.returncode, process.stdout, process.stderr) == (128 + number, "", "stopped\n")


@pytest.mark.parametrize("name", [name for name in ("SIGINT", "SIGTERM") if hasattr(signal, name)])
def test_asked_to_end_when_it_has_ended_its_code_says_what_became_of_it(number: int, tmp_path: Path) -> None:
    process = as_script(f"__import__('atexit').register(__import__('os').kill, __import__('os').getpid(), {int(number)}) and 0", tmp_path)
    assert (process.returncode, process.stdout, process.stderr) == (0, "", "")


class Swallowing:
    """Python prints what is raised while an object goes, and goes on."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __del__(self) -> None:
        os.kill(os.getpid(), self.number)
        time.sleep(5)


@pytest.mark.parametrize("name", [name for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)])
@pytest.mark.parametrize("then", ["write", "step", "job", "task", "error", "nothing"])
def test_asked_to_end_it_does_so_where_that_was_swallowed(
    number: int, then: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Blender prints what is raised in a handler or a driver and goes on, and other add-ons catch everything."""
    monkeypatch.setattr(sys, "stdin", io.StringIO("1\n"))
    (tmp_path / "a.anm").write_bytes(b"old")
    reached: list[object] = []

    def job() -> progress.Steps[None]:
        try:
            yield progress.Step(0, 1, "all")
            reached.append(0)
        finally:
            reached.append("closed")

    kinds: dict[str, Callable[[], object]] = {
        "write": lambda: disk.write_file(tmp_path / "a.anm", b"new"),
        "step": lambda: reached.extend(progress.steps([1])),
        "job": lambda: progress.finish(job()),
        "task": lambda: workers.serve(reached.append),
        "error": lambda: importlib.import_module("such_a_module_is_not_there"),
        "nothing": int,
    }

    def run(_arguments: object) -> int:
        Swallowing(number)
        kinds[then]()
        return 0

    monkeypatch.setattr(convert, "run", run)
    assert main(["convert", str(tmp_path), "-o", f"{tmp_path}/"]) == 128 + number
    assert capsys.readouterr() == ("", "stopped\n")
    assert reached == (["closed"] if then == "job" else [])
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"old"]
    disk.write_file(tmp_path / "a.anm", b"new")  # the next command goes on


@pytest.mark.parametrize("name", [name for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)])
def test_asked_to_end_again_it_does_so_but_not_while_it_clears_up(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    steps: list[str] = []

    def ask(step: str) -> None:
        os.kill(os.getpid(), number)
        time.sleep(0.01)
        steps.append(step)

    def run(_arguments: object) -> int:
        with suppress(KeyboardInterrupt):
            ask("swallowed")
        try:
            ask("again")
        finally:
            try:
                raise ValueError
            except ValueError:
                ask("cleared up")
        return 0

    monkeypatch.setattr(convert, "run", run)
    assert main(["convert", str(tmp_path), "-o", f"{tmp_path}/"]) == 128 + number
    assert steps == ["cleared up"] and capsys.readouterr().err == "stopped\n"


@pytest.mark.parametrize("name", [name for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)])
def test_asked_to_end_while_blenders_module_is_loaded_it_waits(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Loading that is broken off leaves Blender half there, and the process crashes."""
    (tmp_path / "bpy.py").write_text(f"import os\nos.kill(os.getpid(), {int(number)})\nsum(range(1000))\nwhole = True\n", "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(sys.modules, "bpy", SimpleNamespace())
    del sys.modules["bpy"]
    before = signal.getsignal(number)
    monkeypatch.setattr(convert, "run", lambda _arguments: bool(blender.module()) * 3)
    assert main(["convert", str(tmp_path), "-o", f"{tmp_path}/"]) == 128 + number
    assert capsys.readouterr().err == "stopped\n"
    assert sys.modules["bpy"].whole
    assert signal.getsignal(number) is before


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="a signal that this system does not have")
def test_a_command_that_was_started_to_outlive_its_terminal_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As `nohup` starts it."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    monkeypatch.setattr(convert, "run", lambda _arguments: os.kill(os.getpid(), signal.SIGHUP) or 3)
    assert main(["convert", str(tmp_path), "-o", f"{tmp_path}/"]) == 3
    assert signal.signal(signal.SIGHUP, before) is signal.SIG_IGN


@pytest.mark.parametrize("name", ["blender_a1B2c3", "temporary"])
def test_blenders_temporary_folder_goes_with_the_process(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that has loaded Blender ends at once, so that Blender does not remove it; it may also be that of everybody."""
    (folder := tmp_path / name).mkdir()
    (folder / "quit.blend").write_bytes(b"")
    monkeypatch.setitem(sys.modules, "bpy", SimpleNamespace(app=SimpleNamespace(tempdir=f"{folder}{os.sep}")))
    monkeypatch.setattr(sys, "argv", ["retro-anim", "info", str(tmp_path / "nothing.hqr")])

    def end(code: int) -> None:
        raise EOFError(code)

    monkeypatch.setattr(os, "_exit", end)
    monkeypatch.setattr(ending, "signals", list)  # this process goes on
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(EOFError, match="1"):
        script()
    signal.signal(signal.SIGINT, before)
    assert folder.exists() == (name == "temporary")
