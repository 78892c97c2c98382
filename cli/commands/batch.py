"""`convert` into a folder: a file for each character, in several processes, with what is up to date left alone."""

from __future__ import annotations

import argparse
import json
import os
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from ...core.files.disk import folder_for, naming, read_file, write_file
from ...core.files.file_names import distinct, file_name
from ...core.reporting import log
from ...core.reporting.errors import BlankError, FormatError, RetroAnimError
from .. import blender, clips, declared, sampled, scenes, workers
from ..report import fail, note, show
from .characters import Task, in_parts, tasks_of

RECORD = ".retro-anim.json"
"""In the output folder: what was converted from what, so that it need not be done again."""

BEGUN = ".retro-anim.begun"
"""Beside it, as long as a run goes on: a line for each file that it has begun to write. A run that was ended leaves it for the next one."""

EXTENSIONS = (".glb", ".gltf", ".fbx", ".blend", ".bvh")
"""Of the files that are written into a folder."""


@dataclass(frozen=True)
class Folder:
    """An output that is a folder."""

    path: Path


@dataclass(frozen=True)
class Result:
    """written: paths. error: why there are none, or less than there should be; "" where all is well. blank: whether the source has nothing
    there. catalogues: of the assets in a .blend, as their paths."""

    written: tuple[str, ...]
    error: str = ""
    blank: bool = False
    catalogues: tuple[str, ...] = ()

    @property
    def outcome(self) -> str:
        if self.error:
            return "written in part" if self.written else "failed"
        return "empty" if self.blank else "written"


@dataclass(frozen=True)
class Work:
    """How every task is done: the output folder, the extension, whether loops are named for Godot, the games' options by name, whether any
    file there may be overwritten, and which may since an earlier run has written them, as paths in the folder."""

    out: Path
    extension: str
    godot: bool
    values: dict[str, Any]
    overwrite: bool
    ours: frozenset[str]

    def begin(self, target: Path) -> None:
        """Before a file is written. Raises RetroAnimError for one that somebody else has written, or this run for another character."""
        name = os.path.relpath(target, self.out)
        if target.exists() and not self.overwrite and name not in self.ours:
            raise RetroAnimError(f"{target}: is there already, and this folder's list does not know it: move it away, or say --overwrite")
        with naming(self.out / BEGUN), (self.out / BEGUN).open("a", encoding="utf-8", errors="surrogateescape") as begun:
            begun.write(f"{name}\n")


def run(arguments: argparse.Namespace) -> int:
    """Convert all that is named. Raises RetroAnimError when there is nothing to convert."""
    return convert(arguments)[0]


def convert(arguments: argparse.Namespace, *, parts: bool = False) -> tuple[int, list[Path]]:
    """As `run`, and all files that there are of what is named, which leaves out those of earlier runs that had other clips in them. The
    catalogues of assets stand in a list of the folder's own. parts: clips of no character in several files."""
    folder: Path = arguments.output.path
    ours = frozenset((*_outputs(_known(folder)), *_begun(folder)))
    work = Work(folder, f".{arguments.to}", bool(arguments.godot), declared.game_values(arguments), bool(arguments.overwrite), ours)
    if arguments.worker:
        return serve(work), []
    with log.collect() as messages:
        tasks = tasks_of(arguments.files)
    unread = list(map(str, messages.of("ERROR")))
    if parts:
        tasks = list(in_parts(tasks))
    if arguments.assets and work.extension == ".blend":
        _catalogues().check_catalogues(work.out)
    record = _Record(work)
    waiting, files = record.parted(tasks)
    if len(waiting) < len(tasks):
        note(f"{len(tasks) - len(waiting)} of {len(tasks)} are up to date")
    failures: list[str] = []
    outcomes: Counter[str] = Counter(failed=len(unread))
    clock = workers.Clock(len(waiting))
    with _folders(work.out, waiting), closing(_results(waiting, work, arguments)) as results:
        for count, (task, result) in enumerate(results, 1):
            for path in result.written:
                show(path)
            files += map(Path, result.written)
            outcomes[result.outcome] += 1
            if result.catalogues:
                _catalogues().write_catalogues(work.out, result.catalogues)
            if result.error:
                failures.append(result.error)
            else:
                record.add(task, result)
            note(f"[{count}/{len(waiting)}] {task.title}: {result.outcome}; {clock.left(count)} left")
        if not failures:
            (work.out / BEGUN).unlink(missing_ok=True)
    for failure in (*unread, *failures):
        fail(failure)
    also = "".join(f", {outcomes[each]} {each}" for each in ("written in part", "empty") if outcomes[each])
    note(f"{outcomes['written']} converted, {len(tasks) - len(waiting)} up to date, {outcomes['failed']} failed{also}")
    return (1 if unread or failures else 0), files


@contextmanager
def _folders(out: Path, tasks: Iterable[Task]) -> Generator[None]:
    """The folders of the output, without those that stay empty. A list of what was begun stays only where some of that is there."""
    with ExitStack() as own:
        for folder in dict.fromkeys((out, *(out / task.folder for task in tasks))):
            own.enter_context(folder_for(folder))
        try:
            yield
        finally:
            if not any((out / name).exists() for name in _begun(out)):
                (out / BEGUN).unlink(missing_ok=True)


def _catalogues() -> ModuleType:
    from ...io.pipeline import library

    return library


def _known(folder: Path) -> dict[str, Any]:
    """What the record of an output folder holds, nothing for one that we have not written."""
    try:
        known: Any = json.loads(read_file(folder / RECORD))
        return dict(known)
    except (FormatError, ValueError, TypeError):
        return {}


def _begun(folder: Path) -> list[str]:
    """What a run that was ended had begun to write in an output folder."""
    try:
        return read_file(folder / BEGUN).decode("utf-8", "surrogateescape").splitlines()
    except FormatError:
        return []


def _outputs(known: dict[str, Any]) -> Iterator[str]:
    """All paths of a record, in their folder."""
    for entry in known.values():
        try:
            yield from map(str, entry["outputs"])
        except (KeyError, TypeError):  # not as we wrote it
            continue


class _Record:
    """What is up to date: the same task, by the same options, from files as they were, with its outputs still there."""

    def __init__(self, work: Work) -> None:
        self._path = work.out / RECORD
        self._how = f"{work.extension} {work.godot} {json.dumps(work.values, sort_keys=True, default=str)}"
        self._known = _known(work.out)

    def _has(self, task: Task) -> bool:
        try:
            entry = self._known[f"{self._how} {task.key}"]
            return entry["stamp"] == task.stamp and all(path.is_file() for path in self._outputs(task))
        except (KeyError, TypeError):  # not converted yet, or not as we wrote it
            return False

    def parted(self, tasks: Iterable[Task]) -> tuple[list[Task], list[Path]]:
        """The tasks that are to be done, and the files of those that are up to date."""
        waiting: list[Task] = []
        files: list[Path] = []
        for task in tasks:
            if self._has(task):
                files += self._outputs(task)
            else:
                waiting.append(task)
        return waiting, files

    def _outputs(self, task: Task) -> list[Path]:
        return [self._path.parent / path for path in self._known[f"{self._how} {task.key}"]["outputs"]]

    def add(self, task: Task, result: Result) -> None:
        outputs = [os.path.relpath(path, self._path.parent) for path in result.written]
        self._known[f"{self._how} {task.key}"] = {"stamp": task.stamp, "outputs": outputs}
        write_file(self._path, json.dumps(self._known, indent=1).encode())


def _results(tasks: list[Task], work: Work, arguments: argparse.Namespace) -> Generator[tuple[Task, Result], None, None]:
    """Each task with its result, as they come."""
    count = min(arguments.jobs or os.cpu_count() or 1, len(tasks))
    if count <= 1:
        yield from ((task, do(task, work)) for task in tasks)
        return
    blender.module()
    for index, answer in workers.answers([asdict(task) for task in tasks], [*arguments.argv, "--worker"], count):
        task = tasks[index]
        if isinstance(answer, workers.EndedError):
            yield task, Result((), f"{task.paths[0]}: Blender ended while it was converted (code {answer.code})")
        else:
            yield task, Result(tuple(answer["written"]), answer["error"], answer["blank"], tuple(answer["catalogues"]))


def serve(work: Work) -> int:
    """Do the tasks that come in until there are no more."""

    def answer(task: dict[str, Any]) -> dict[str, Any]:
        return asdict(do(Task(tuple(task["paths"]), task["values"], task["name"], task["folder"], task["stamp"]), work))

    return workers.serve(answer)


def do(task: Task, work: Work) -> Result:
    """Import a task's character and write its files."""
    with log.collect() as messages:
        try:
            written = _written(task, work)
        except BlankError:
            return Result((), blank=True)
        except RetroAnimError as error:
            return Result((), str(error))
    problems = [str(problem) for problem in messages.of("ERROR")]
    catalogues = _catalogues().marked_paths() if work.extension == ".blend" else ()
    return Result(tuple(written), "; ".join(problems), catalogues=tuple(catalogues))


def _written(task: Task, work: Work) -> list[str]:
    blender.empty_scene()
    if blender.is_blenders(task.paths[0]):
        blender.load(task.paths[0])
    else:
        engine = {} if work.extension == ".blend" else scenes.FOR_ENGINES
        scenes.import_ours(task.paths, {**engine, **work.values, **task.values})
    objects = scenes.characters() if blender.is_blenders(task.paths[0]) else scenes.everyone()
    if work.extension == ".bvh":
        objects = [obj for obj in objects if obj.type == "ARMATURE" and scenes.moves(obj)]
    if not objects:
        what = "clip of an armature" if work.extension == ".bvh" else "character and no animation"
        raise RetroAnimError(f"{task.paths[0]}: no {what} in it")
    folder = work.out / task.folder
    folder.mkdir(parents=True, exist_ok=True)
    actions: dict[Any, list[Any]] = {obj: scenes.actions_of(obj, is_only=len(objects) == 1) if scenes.moves(obj) else [] for obj in objects}
    named = (f"{file_name(obj.name)}{work.extension}" for obj in objects)
    names = [task.name] if task.name and len(objects) == 1 else [name.removesuffix(work.extension) for name in distinct(named)]
    if work.extension == ".blend":
        target = folder / f"{task.name or names[0] if len(objects) == 1 else file_name(Path(task.paths[0]).stem)}.blend"
        work.begin(target)
        blender.save(target, several=len(objects) > 1)
        return [str(target)]
    if work.extension in clips.EXTENSIONS:
        sampled.bound(actions, work.extension, task.title)
    clips.prepare_all(actions, godot=work.godot)
    if work.extension == ".bvh":
        return [path for obj, name in zip(objects, names, strict=True) for path in _clip_files(obj, actions[obj], folder / name, work)]
    scenes.stash_several(actions)
    written: list[str] = []
    for obj, name in zip(objects, names, strict=True):
        target = folder / f"{name}{work.extension}"
        if len(objects) > 1:
            scenes.choose(obj)
        work.begin(target)
        blender.save(target, several=len(objects) > 1, chosen=len(objects) > 1)
        written.append(str(target))
    return written


def _clip_files(obj: Any, actions: Sequence[Any], folder: Path, work: Work) -> Iterator[str]:
    """A file for each clip, in a folder of the character's."""
    names = distinct(f"{file_name(action.name)}.bvh" for action in actions)
    with folder_for(folder):
        for action, name in zip(actions, names, strict=True):
            scenes.make_current(obj, action)
            target = folder / name
            work.begin(target)
            blender.save(target)
            yield str(target)
