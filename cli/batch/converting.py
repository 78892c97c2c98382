"""`convert` into a folder: a file for each character, in several processes, with what is up to date left alone."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Generator, Iterable, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from ...core.files.disk.disk import folder_for
from ...core.reporting import log
from .. import declared, inputs, unused, workers
from ..axes import Axes
from ..report import fail, note, show
from . import files, record
from .files import Result, Work
from .tasks import Task, in_parts, tasks_of

EXTENSIONS = (".glb", ".gltf", ".fbx", ".blend", ".bvh")
"""Of the files that are written into a folder."""


@dataclass(frozen=True)
class Folder:
    """An output that is a folder."""

    path: Path


def run(arguments: argparse.Namespace) -> int:
    """Convert all that is named. Raises RetroAnimError when there is nothing to convert."""
    return convert(arguments)[0]


def convert(arguments: argparse.Namespace, *, parts: bool = False) -> tuple[int, list[Path]]:
    """As `run`, and all files that there are of what is named, which leaves out those of earlier runs that had other clips in them. The
    catalogues of assets stand in a list of the folder's own. parts: clips of no character in several files."""
    from ...io.pipeline import library

    work = _work(arguments)
    if arguments.worker:
        return workers.serve(lambda task: asdict(files.convert(Task(**task), work))), []
    with log.collect() as messages:
        tasks = tasks_of(arguments.files)
    work.axes.check(path for task in tasks for path in task.paths)
    unused.report(arguments, (path for task in tasks for path in task.paths), work.extension, folder=True)
    unread = list(map(str, messages.of("ERROR")))
    if parts:
        tasks = list(in_parts(tasks))
    if arguments.assets and work.extension == ".blend":
        library.check_catalogues(work.out)
    oriented = f" {work.axes.up} {work.axes.forward}" if work.axes.given else ""
    known = record.Record(work.out, f"{work.extension} {work.godot} {json.dumps(work.values, sort_keys=True, default=str)}{oriented}")
    waiting, paths = known.parted(tasks)
    if len(waiting) < len(tasks):
        note(f"{len(tasks) - len(waiting)} of {len(tasks)} are up to date")
    results: list[Result] = []
    said = log.Log()
    clock = workers.Clock(len(waiting))
    with _folders(work.out, waiting), closing(_results(waiting, work, arguments)) as incoming:
        for count, (task, result) in enumerate(incoming, 1):
            for path in result.written:
                show(path)
            if result.catalogues:
                library.write_catalogues(work.out, result.catalogues)
            if not result.error:
                known.add(task, result.written)
            results.append(result)
            said.messages += [log.Message("WARNING", text, where or task.title) for text, where in result.warnings]
            note(f"[{count}/{len(waiting)}] {task.title}: {result.outcome}; {clock.left(count)} left")
        if not any(result.error for result in results):
            record.forget_begun(work.out)
    for line in said.digest("WARNING"):
        note(line)
    code = _summed_up(results, unread, len(tasks) - len(waiting))
    return code, [*paths, *(Path(path) for result in results for path in result.written)]


def _summed_up(results: Sequence[Result], unread: Sequence[str], up_to_date: int) -> int:
    """Say what failed, and how much did not. Returns the exit code."""
    failures = [*unread, *(result.error for result in results if result.error)]
    outcomes = Counter(result.outcome for result in results) + Counter(failed=len(unread))
    for failure in failures:
        fail(failure)
    also = "".join(f", {outcomes[each]} {each}" for each in ("written in part", "empty") if outcomes[each])
    note(f"{outcomes['written']} converted, {up_to_date} up to date, {outcomes['failed']} failed{also}")
    return 1 if failures else 0


def _work(arguments: argparse.Namespace) -> Work:
    out: Path = arguments.output.path
    return Work(
        out,
        f".{arguments.to or EXTENSIONS[0][1:]}",
        arguments.godot,
        declared.game_values(arguments),
        bool(arguments.overwrite),
        record.ours(out),
        Axes.of(arguments),
    )


@contextmanager
def _folders(out: Path, tasks: Iterable[Task]) -> Generator[None]:
    """The folders of the output, without those that stay empty."""
    with ExitStack() as own:
        for folder in dict.fromkeys((out, *(out / task.folder for task in tasks))):
            own.enter_context(folder_for(folder))
        try:
            yield
        finally:
            record.forget_unwritten(out)


def _results(tasks: list[Task], work: Work, arguments: argparse.Namespace) -> Generator[tuple[Task, Result], None, None]:
    """Each task with its result, as they come."""
    count = min(inputs.jobs(arguments), len(tasks))
    if count <= 1:
        yield from ((task, files.convert(task, work)) for task in tasks)
        return
    for index, answer in workers.answers([asdict(task) for task in tasks], [*arguments.argv, "--worker"], count):
        task = tasks[index]
        if isinstance(answer, workers.EndedError):
            yield task, Result(error=f"{task.paths[0]}: Blender ended while it was converted (code {answer.code})")
        else:
            yield task, Result(**answer)
