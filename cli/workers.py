"""Several processes of the command line that share a list of tasks: what is given to them and what they answer is JSON, a line each."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from ..core.reporting import ending

_PATIENCE = 30
"""Seconds that a process without tasks may take to end: some Blenders wait for ever for one of their own threads."""

_GRACE = 5
"""Seconds that a process which shall stop may take to do so: what Blender itself is at ends before."""

_RESULT = "\x1eresult "
"""What the line begins with on which a process gives a result; Blender prints whatever it likes on others."""

_START = """
import importlib.util, sys
sys.argv[:] = ["retro-anim", *sys.argv[sys.argv.index("--") + 1 :]]
spec = importlib.util.spec_from_file_location("retro_anim", {root!r} + "/__init__.py", submodule_search_locations=[{root!r}])
sys.modules["retro_anim"] = package = importlib.util.module_from_spec(spec)
spec.loader.exec_module(package)
from retro_anim.cli import script
script()
"""
"""Runs this very package as `retro_anim`, whatever its folder is called, with the arguments after `--`."""


class EndedError(Exception):
    """A process ended instead of an answer. code: its exit code."""

    def __init__(self, code: int) -> None:
        self.code = code
        super().__init__(f"code {code}")


def command() -> list[str]:
    """What starts a process like this one, before its arguments. A Blender starts without what its user has set up: it is there sooner,
    and need not have this extension enabled."""
    start = _START.format(root=str(Path(__file__).parent.parent))
    module: Any = sys.modules.get("bpy")
    binary: str = module.app.binary_path if module is not None else ""
    if binary:
        return [binary, "--background", "--factory-startup", "--python-expr", start, "--"]
    return [sys.executable, "-c", start, "--"]


def answers(tasks: Sequence[Any], arguments: Sequence[str], count: int) -> Generator[tuple[int, Any], None, None]:
    """Each task's index with what a process answered, or an EndedError, as they come. arguments: after `command`. count: of processes.

    Closed before its end, it ends the processes at what they do, and begins no other task.
    """
    import tempfile

    free: SimpleQueue[Process] = SimpleQueue()
    # What a process that is killed leaves behind goes with this folder.
    nowhere = tempfile.TemporaryDirectory(prefix="retro_anim.", ignore_cleanup_errors=True)
    processes = [Process([*command(), *arguments], nowhere.name) for _ in range(count)]
    for process in processes:
        free.put(process)

    def one(task: Any) -> Any:
        process = free.get()
        try:
            return process.do(task)
        except EndedError as ended:
            return ended
        finally:
            free.put(process)

    pool, complete = ThreadPoolExecutor(count), False
    try:
        running = {pool.submit(one, task): index for index, task in enumerate(tasks)}
        for future in as_completed(running):
            yield running[future], future.result()
        complete = True
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        if not complete:
            stop(processes)
        pool.shutdown()
        for process in processes:
            process.end()
        nowhere.cleanup()


def stop(processes: Sequence[Process]) -> None:
    """End them at what they do: asked to, they leave nothing half behind; those that do not hear it in time are killed."""
    for process in processes:
        process.kill(asked=True)
    patience = time.monotonic() + _GRACE
    for process in processes:
        process.kill(patience - time.monotonic())


def serve(do: Callable[[Any], Any]) -> int:
    """Do the tasks that come in until there are no more."""
    for line in sys.stdin:
        ending.check()
        print(_RESULT + json.dumps(do(json.loads(line))), flush=True)
    return 0


class Clock:
    """How long it will go on, from what is behind."""

    def __init__(self, total: int) -> None:
        self._total, self._start = total, time.monotonic()

    def left(self, ready: int) -> str:
        """Minutes and seconds until all is ready."""
        minutes, rest = divmod(round((time.monotonic() - self._start) / ready * (self._total - ready)), 60)
        return f"{minutes}:{rest:02}"


class Process:
    """A process that does one task after the other, started when the first comes; where it ends, it is started again."""

    def __init__(self, command: list[str], temporary: str = "") -> None:
        """temporary: the folder for its temporary files, the system's where there is none."""
        self._command = command
        self._environment = {**os.environ, **dict.fromkeys(("TMPDIR", "TEMP", "TMP"), temporary)} if temporary else None
        self._process: subprocess.Popen[str] | None = None

    def do(self, task: Any) -> Any:
        """Raises EndedError."""
        process = self._started()
        assert process.stdin is not None and process.stdout is not None
        try:
            process.stdin.write(json.dumps(task) + "\n")
            process.stdin.flush()
            for line in process.stdout:
                if line.startswith(_RESULT):
                    return json.loads(line.removeprefix(_RESULT))
        except OSError:
            pass
        code = process.wait()
        self._close()
        raise EndedError(code)

    def start(self) -> None:
        """Before the first task, so that it need not wait for it."""
        self._started()

    def _started(self) -> subprocess.Popen[str]:
        if self._process is None:
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                encoding="utf-8",
                errors="replace",
                env=self._environment,
            )
        return self._process

    def kill(self, patience: float = 0.0, *, asked: bool = False) -> None:
        """End it whatever it does, unless it ends by itself within so many seconds. asked: only ask it to."""
        if (process := self._process) is None:
            return
        if asked:
            process.terminate()
            return
        try:
            process.wait(max(patience, 0.0))
        except subprocess.TimeoutExpired:
            process.kill()

    def end(self) -> None:
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()
            try:
                self._process.wait(_PATIENCE)
            except subprocess.TimeoutExpired:  # it has done all its tasks
                self._process.kill()
                self._process.wait()
            self._close()

    def _close(self) -> None:
        """It has ended: nothing of it stays open."""
        if self._process is not None:
            for pipe in (self._process.stdin, self._process.stdout):
                with suppress(OSError):  # a task that it did not take any more
                    assert pipe is not None
                    pipe.close()
        self._process = None
