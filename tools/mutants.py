"""Mutation testing: changes one piece of the core's code at a time, and runs the core's tests: a mutant that no test notices is a gap.

`python -m retro_anim.tools.mutants [--number N] [--minutes M] [--seed S] [--again FILE] [--kept FILE] [PATH…]`. Without a path: codecs,
update and retargeting. A mutant is a comparison, an operator, a constant, a condition, a negation or a returned value that is another one.
It is run in a copy of the repository against the tests of its own part that run its line, with the same examples every time, and is dead as
soon as one fails; which one is kept for the next run, where it goes first. Mutants that change nothing that can be seen are struck out in
tools/mutants.txt, each with its reason.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from . import mutant_runs
from .mutations import Mutant, drawn, part_of

STRUCK = Path(__file__).with_name("mutants.txt")

USUAL = (
    "core/lba/files",
    "core/oni/files",
    "core/oni/records",
    "core/oni/xml",
    "core/oni2/files",
    "core/mindpower/files",
    "core/lba/motion/bones.py",
    "core/lba/motion/update.py",
    "core/oni/motion/update.py",
    "core/oni2/motion/update.py",
    "core/mindpower/motion/update.py",
    "core/retarget",
)


def main(arguments: list[str]) -> int:
    command = argparse.ArgumentParser("retro_anim.tools.mutants", description=__doc__)
    command.add_argument("paths", nargs="*", default=list(USUAL))
    command.add_argument("--number", type=int, default=400)
    command.add_argument("--minutes", type=float, default=60.0)
    command.add_argument("--seed", type=int, default=1)
    command.add_argument("--seconds", type=float, default=60.0, help="of tests that run its line, the nearest first, for each mutant")
    command.add_argument("--again", type=Path, metavar="FILE", help="what an earlier run printed: of those drawn only the ones alive then")
    kept = Path(tempfile.gettempdir(), "retro_anim_mutants.json")
    command.add_argument("--kept", type=Path, default=kept, metavar="FILE", help="which test noticed each, read and written (%(default)s)")
    command.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = command.parse_args(arguments)
    chosen = drawn(options.paths, options.number, options.seed)
    waiting = _waiting(chosen, options.again)
    try:
        results = _results(waiting, options)
    except BrokenError as error:
        print(f"fail without any mutant: {error}", file=sys.stderr)
        return 2
    for part in sorted(results):
        print(f"{part}: {sum(results[part])} of {len(results[part])}")
    dead, total = sum(sum(each) for each in results.values()), sum(len(each) for each in results.values())
    alive, missed = total - dead, len(waiting) - total
    left_out = sum(mutant.name in _struck() for mutant in chosen)
    share = 100 * dead / max(total, 1)
    print(
        f"{dead} of {total} mutants dead ({share:.1f} %), {alive} alive, {left_out} struck out, {missed} not reached; seed {options.seed}"
    )
    return 1 if alive or missed else 0


class BrokenError(Exception):
    """Tests that fail without any mutant."""


def _struck() -> list[str]:
    """The names of mutants that change nothing that can be seen."""
    lines = STRUCK.read_text(encoding="utf-8").splitlines() if STRUCK.is_file() else []
    return [line.partition("  # ")[0] for line in lines if "  # " in line]


def _waiting(chosen: list[Mutant], again: Path | None) -> list[Mutant]:
    """Those that are to be tried. again: what an earlier run printed, of which only the ones alive then are."""
    struck = _struck()
    waiting = [mutant for mutant in chosen if mutant.name not in struck]
    if again is None:
        return waiting
    alive_then = [line.partition("  line ")[0] for line in again.read_text(encoding="utf-8").splitlines()]
    return [mutant for mutant in waiting if f"alive: {mutant.name}" in alive_then]


def _results(waiting: list[Mutant], options: argparse.Namespace) -> dict[str, list[bool]]:
    """By part, of its mutants that were reached, whether each is dead. Raises BrokenError."""
    end = time.monotonic() + 60 * options.minutes
    noticed: dict[str, str] = json.loads(options.kept.read_text(encoding="utf-8")) if options.kept.is_file() else {}
    with tempfile.TemporaryDirectory(prefix="retro_anim_mutants_") as temporary, ThreadPoolExecutor(options.jobs) as pool:
        folder = mutant_runs.copied(Path(temporary))

        def work(part: str, mutants: list[Mutant]) -> list[bool]:
            """Of mutants of a part, those that were reached, whether it is dead."""
            results: list[bool] = []
            with mutant_runs.Part(folder, part, covering[part] or mutant_runs.Covering({}, {})) as tests:
                for mutant in mutants:
                    if time.monotonic() > end:
                        break
                    test = tests.killed(mutant, noticed.get(mutant.name, ""), options.seconds)
                    results.append(test is not None)
                    if test is None:
                        print(f"alive: {mutant.name}  line {mutant.line}", flush=True)
                    elif test:
                        noticed[mutant.name] = test
                        options.kept.write_text(json.dumps(noticed, indent=1), encoding="utf-8")
            return results

        by_part = {part: [mutant for mutant in waiting if part_of(mutant) == part] for part in {part_of(mutant) for mutant in waiting}}
        parts = sorted(by_part, key=lambda part: -len(by_part[part]))
        covering = dict(zip(parts, pool.map(lambda part: mutant_runs.covered(folder, part), parts), strict=True))
        broken = [f"tests/core/{part}" for part in parts if covering[part] is None]
        if broken:
            raise BrokenError(", ".join(broken))
        # Each process has its share of every part, so that none waits for the largest part.
        shares = {part: [pool.submit(work, part, by_part[part][job :: options.jobs]) for job in range(options.jobs)] for part in parts}
        return {part: [dead for share in shares[part] for dead in share.result()] for part in parts}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
