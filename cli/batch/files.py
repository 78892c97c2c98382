"""One task into its files: a character with all its clips."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...core.files.disk.disk import folder_for
from ...core.files.file_names import distinct, file_name
from ...core.reporting import log
from ...core.reporting.errors import BlankError, RetroAnimError
from .. import blender, clips, sampled, scenes
from ..axes import Axes
from . import record
from .tasks import Task


@dataclass(frozen=True)
class Work:
    """How every task is done: the output folder, the extension, whether loops are named for Godot, the games' options by name, whether any
    file there may be overwritten, which may since an earlier run has written them, as paths in the folder, and the axes of the files."""

    out: Path
    extension: str
    godot: bool
    values: dict[str, Any]
    overwrite: bool
    ours: frozenset[str]
    axes: Axes


@dataclass(frozen=True)
class Result:
    """written: paths. error: why there are none, or less than there should be; "" where all is well. blank: whether the source has nothing
    there. catalogues: of the assets in a .blend, as their paths. warnings: each with what it is about, or ""."""

    written: Sequence[str] = ()
    error: str = ""
    blank: bool = False
    catalogues: Sequence[str] = ()
    warnings: Sequence[tuple[str, str]] = ()

    @property
    def outcome(self) -> str:
        if self.error:
            return "written in part" if self.written else "failed"
        return "empty" if self.blank else "written"


def convert(task: Task, work: Work) -> Result:
    """Import what a task names, and write its files."""
    with log.collect() as messages:
        try:
            written = _write(task, work, _opened(task, work))
        except BlankError:
            return Result(blank=True)
        except RetroAnimError as error:
            return Result(error=str(error), warnings=_warnings(messages))
    catalogues = _catalogues() if work.extension == ".blend" else ()
    return Result(written, "; ".join(map(str, messages.of("ERROR"))), catalogues=catalogues, warnings=_warnings(messages))


def _warnings(messages: log.Log) -> list[tuple[str, str]]:
    return [(message.text, message.where) for message in messages.of("WARNING")]


def _catalogues() -> list[str]:
    from ...io.pipeline import library

    return library.marked_paths()


def _opened(task: Task, work: Work) -> list[Any]:
    """The objects that have files of their own, in a scene with nothing else. Raises RetroAnimError where there are none."""
    blender.empty_scene()
    if blender.is_blenders(task.paths[0]):
        blender.load(task.paths[0], work.axes)
        objects = scenes.characters()
    else:
        engine = {} if work.extension == ".blend" else scenes.FOR_ENGINES
        scenes.import_ours(task.paths, {**engine, **work.values, **task.values})
        objects = scenes.everyone()
    if work.extension == ".bvh":
        objects = [obj for obj in objects if obj.type == "ARMATURE" and scenes.moves(obj)]
    if not objects:
        what = "clip of an armature" if work.extension == ".bvh" else "character and no animation"
        raise RetroAnimError(f"{task.paths[0]}: no {what} in it")
    return objects


def _write(task: Task, work: Work, objects: Sequence[Any]) -> list[str]:
    """One .blend of all objects; of other formats a file for each object, or of .bvh for each of its clips. Returns their paths."""
    several = len(objects) > 1
    targets = _targets(task, work, objects)
    if work.extension == ".blend":
        target = targets[0].with_name(f"{file_name(Path(task.paths[0]).stem)}.blend") if several else targets[0]
        return [_save(target, work, several=several)]
    actions = {obj: scenes.actions_of(obj, is_only=not several) if scenes.moves(obj) else [] for obj in objects}
    if work.extension == ".bvh":
        clips.prepare_all(actions, godot=work.godot)
        folders = (target.with_suffix("") for target in targets)
        return [path for obj, folder in zip(objects, folders, strict=True) for path in _write_clips(obj, actions[obj], folder, work)]
    sampled.bound(actions, work.extension, task.title)
    clips.prepare_all(actions, godot=work.godot)
    scenes.stash_several(actions)
    written: list[str] = []
    for obj, target in zip(objects, targets, strict=True):
        if several:
            scenes.choose(obj)
        written.append(_save(target, work, several=several, chosen=several))
    return written


def _targets(task: Task, work: Work, objects: Sequence[Any]) -> list[Path]:
    """A file for each object, called after it, or after the task where it is the only one."""
    folder = work.out / task.folder
    if task.name and len(objects) == 1:
        return [folder / f"{task.name}{work.extension}"]
    return [folder / name for name in distinct(f"{file_name(obj.name)}{work.extension}" for obj in objects)]


def _write_clips(obj: Any, actions: Sequence[Any], folder: Path, work: Work) -> Iterator[str]:
    """A file for each clip, in a folder of the character's."""
    names = distinct(f"{file_name(action.name)}.bvh" for action in actions)
    with folder_for(folder):
        for action, name in zip(actions, names, strict=True):
            scenes.make_current(obj, action)
            yield _save(folder / name, work)


def _save(target: Path, work: Work, *, several: bool = False, chosen: bool = False) -> str:
    """The scene, as `blender.save`. Raises RetroAnimError where somebody else has written that file, or this run for another character."""
    name = os.path.relpath(target, work.out)
    if target.exists() and not work.overwrite and name not in work.ours:
        raise RetroAnimError(f"{target}: is there already, and this folder's list does not know it: move it away, or say --overwrite")
    record.begin(work.out, name)
    blender.save(target, several=several, chosen=chosen)
    return str(target)
