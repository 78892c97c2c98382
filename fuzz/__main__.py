"""Fuzzes: `python -m retro_anim.fuzz [--in core|blender] [--seconds N] [--inputs N --seed N] [--corpus FOLDER] [--finds FOLDER] [--list]
[TARGET…]`.

Each target runs in a process of its own, so that a crash of Blender is seen as well; a target is any part of its name. What was found is
listed at the end, with the input that did it, and the exit code is 1. Needs atheris, which there is for Linux. The processes of the core
are forks of this one, for which all of it is instrumented once.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import re
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn

from . import one
from .target import Target

LONGEST = 1 << 16
"""Bytes of an input."""

MEMORY = 3000
"""Megabytes that a target may take, which is far more than any budget of what unpacks; Blender itself has some 300 of them."""

WAIT = 30
"""Seconds that an input may take."""

START = 300
"""Seconds that it may take to start and to run the seeds, on a busy machine."""

_SAME_ADDRESSES = 0x40000
"""Linux' ADDR_NO_RANDOMIZE: what libFuzzer takes for new depends on addresses, too."""

_FINISHED = "stat::peak_rss_mb"
"""What a process says last when it has done its work."""

END = 10
"""Seconds that it may take to end after that."""


@dataclass(frozen=True)
class Outcome:
    """inputs: how many were run. find: what happened, "" for nothing but results and errors of ours. input: the one that did it."""

    inputs: int
    find: str
    input: Path | None


def main(arguments: list[str]) -> int:
    command = argparse.ArgumentParser("retro_anim.fuzz", description=__doc__)
    command.add_argument("targets", nargs="*", metavar="TARGET", help="parts of names; all without one")
    command.add_argument("--in", dest="where", choices=("core", "blender"), default="core")
    command.add_argument("--seconds", type=int, default=60, help="for each target at most (%(default)s)")
    command.add_argument("--inputs", type=int, default=-1, metavar="N", help="for each target at most; any number without it")
    command.add_argument(
        "--seed", type=int, default=0, metavar="N", help="of the random numbers: with it the same inputs in every run; 0: others"
    )
    command.add_argument("--corpus", type=Path, help="keep the inputs that reach something new, and start from them the next time")
    command.add_argument("--finds", type=Path, default=Path("fuzz-finds"), help="where an input that fails is kept")
    command.add_argument("--list", action="store_true")
    options = command.parse_args(arguments)
    if find_spec("atheris") is None and not options.list:
        print("atheris is not installed; it is there for Linux: pip install --group fuzz", file=sys.stderr)
        return 2
    if options.seed and os.environ.get("PYTHONHASHSEED") != "0":
        _start_anew(arguments)
    known = list(one.targets(options.where)) if options.list or options.where == "blender" else one.watched(options.where)
    wanted = [target for target in known if not options.targets or any(part in target.name for part in options.targets)]
    if options.list:
        print("\n".join(target.name for target in wanted))
        return 0
    outcomes = [run(options.where, target, options) for target in wanted]
    count = sum(bool(outcome.find) for outcome in outcomes)
    print(f"{len(outcomes)} targets, {sum(outcome.inputs for outcome in outcomes)} inputs, {count} finds")
    return 1 if count else 0


def _start_anew(arguments: Sequence[str]) -> NoReturn:
    """With nothing left to chance: the order of sets, and addresses where the system allows it."""
    ctypes.CDLL(None).personality(_SAME_ADDRESSES)
    os.environ["PYTHONHASHSEED"] = "0"
    os.execv(sys.executable, [sys.executable, "-P", "-m", "retro_anim.fuzz", *arguments])


def run(where: str, target: Target, options: argparse.Namespace) -> Outcome:
    """Fuzz a target in a process of its own."""
    seconds, corpus, finds = options.seconds, options.corpus, options.finds
    with ExitStack() as stack:
        temporary, owner = tempfile.mkdtemp(prefix="retro_anim_fuzz_"), os.getpid()
        stack.callback(lambda: shutil.rmtree(temporary) if os.getpid() == owner else None)  # not by a fork that ends
        seeds, kept, failed = (
            Path(temporary, "seeds"),
            corpus / target.name if corpus else Path(temporary, "corpus"),
            Path(temporary, "bad"),
        )
        for folder in (seeds, kept, failed):
            folder.mkdir(parents=True, exist_ok=True)
        known = target.seeds or (b"",)
        files = [seeds / str(number) for number in range(len(known))]
        for file, seed in zip(files, known, strict=True):
            file.write_bytes(seed)
        listed = Path(temporary, "listed")  # else they come in the order of the file system
        listed.write_text(",".join(map(str, files)), encoding="utf-8")
        flags = [
            f"-max_total_time={seconds}",
            "-reload=0",  # by the clock
            f"-runs={options.inputs}",
            f"-seed_inputs=@{listed}",
            f"-max_len={LONGEST}",
            f"-timeout={WAIT}",
            f"-report_slow_units={WAIT}",
            f"-rss_limit_mb={MEMORY}",
            "-print_final_stats=1",
        ]
        flags += [f"-artifact_prefix={failed}/", "-detect_leaks=0", "-use_value_profile=0", f"-seed={options.seed}"]
        start = time.monotonic()
        said, ended = _ended(where, target, [*flags, str(kept)], seconds, temporary)
        inputs = int((re.findall(r"number_of_executed_units: (\d+)", said) or re.findall(r"^#(\d+)", said, re.MULTILINE) or ["0"])[-1])
        bad = next(iter(sorted(failed.iterdir())), None)
        find = _what(said, ended) if bad is not None or ended else ""
        culprit = None
        if bad is not None:
            finds.mkdir(parents=True, exist_ok=True)
            culprit = finds / f"{target.name}-{bad.name[-12:]}"
            culprit.write_bytes(bad.read_bytes())
        print(f"{target.name:24} {inputs:9} inputs {time.monotonic() - start:5.0f} s  {find or 'nothing'}", flush=True)
        if culprit is not None:
            print(f"{'':24} {culprit}", flush=True)
        return Outcome(inputs, find, culprit)


def _ended(where: str, target: Target, arguments: Sequence[str], seconds: int, temporary: str) -> tuple[str, int]:
    """What a process has said, and its exit code: 0 for one that had done its work and would not end, as some Blenders do. temporary: the
    folder for whatever it, and Blender, leave behind."""
    said: list[str] = []
    reading, writing = os.pipe()
    process = os.fork()
    if not process:
        os.environ["TMPDIR"] = temporary
        _fuzz(where, target, arguments, writing)
    os.close(writing)
    watch = threading.Timer(seconds + START + 2 * WAIT, os.kill, (process, signal.SIGKILL))
    watch.start()
    with os.fdopen(reading, errors="replace") as lines:
        for text in lines:
            said.append(text)
            if text.startswith(_FINISHED):
                break
        code = _exit_code(process, END) if said and said[-1].startswith(_FINISHED) else _exit_code(process)
    watch.cancel()
    watch.join()  # a process that forks has no other thread
    return "".join(said), code


def _exit_code(process: int, seconds: float | None = None) -> int:
    """Of a process that ends, or is killed after some seconds, which is a fine end."""
    last = time.monotonic() + (seconds or 0)
    while seconds is not None and os.waitid(os.P_PID, process, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
        if time.monotonic() > last:
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
            return 0
        time.sleep(0.05)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def _fuzz(where: str, target: Target, arguments: Sequence[str], said: int) -> NoReturn:
    """In the new process, which leaves by Python's own exit: it is there that libFuzzer keeps the input of an exception."""
    os.dup2(said, 2)
    os.dup2(said, 1)  # Python's exceptions are printed there
    if where == "blender":  # its threads would be missing in a fork
        os.execv(sys.executable, [sys.executable, "-P", "-m", "retro_anim.fuzz.one", where, target.name, *arguments])
    one.fuzz(target, arguments)
    sys.exit()


def _what(said: str, code: int) -> str:
    """What ended a process, as one line."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    start = next((number for number, line in enumerate(lines) if "Uncaught Python exception" in line), None)
    if start is not None:
        frames = [line for line in lines[start:] if line.startswith("File ")]
        return f"{lines[start + 1]} in {frames[-1] if frames else '?'}"[:400]
    reasons = re.findall(r"(?:ERROR: libFuzzer: |SUMMARY: )(.*)", said)
    return (reasons or lines[-1:] or [f"exit code {code}"])[0][:400]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
