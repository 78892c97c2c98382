"""What a folder, a client or an archive holds, as one task for each character."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from ...core import formats
from ...core.declare.game import Game
from ...core.files import address
from ...core.files.file_names import distinct, file_name
from ...core.games import GAMES, listing_characters
from ...core.reporting import labels, log, partial
from ...core.reporting.errors import RetroAnimError, of_system
from .. import blender


@dataclass(frozen=True)
class Task:
    """What is imported at once. paths: as importers take them. values: import options by name. name: of the one character in it, "" for
    the armatures' own names. folder: below the output's. stamp: of all files that it may depend on."""

    paths: Sequence[str]
    values: dict[str, str] = field(default_factory=dict[str, str])
    name: str = ""
    folder: str = ""
    stamp: str = ""

    @property
    def key(self) -> str:
        """What tells it from the others of one output folder."""
        entries = [f"{name}={value}" for name, value in sorted(self.values.items())]
        return " ".join([self.folder, *self.paths, *entries])

    @property
    def title(self) -> str:
        """What a person knows it by."""
        first, more = Path(self.paths[0]).name, len(self.paths) - 1
        return self.name or str(Path(self.folder, first)) + (f" and {labels.counted(more, 'more file')}" if more else "")


def tasks_of(sources: Sequence[str]) -> list[Task]:
    """One for each character of what is named: folders, clients, archives, files or FILE#ENTRY. What cannot be opened is left out and
    reported as an error. Raises RetroAnimError where that is all that was named."""
    folders = distinct(labels.label(file_name(Path(address.split(source)[0]).stem)) for source in sources)
    stamp_of = cache(_stamp)  # of files in one folder it is the same

    def below(named: tuple[str, str]) -> list[Task]:
        """Those of one of several sources, in a folder of its own. Raises RetroAnimError where there are none."""
        source, folder = named
        path = address.split(source)[0]
        stamp = stamp_of(path) if Path(path).is_dir() else stamp_of(str(Path(path).parent), below=False)
        tasks = list(_folder(path, path) if Path(source).is_dir() else _file(source))
        if not tasks:
            raise RetroAnimError(f"{source}: no character and no animation in it")
        return [replace(task, folder=str(Path(folder, task.folder)), stamp=stamp) for task in tasks]

    own_folders = folders if len(sources) > 1 else [""]
    return [task for own in partial.each(zip(sources, own_folders, strict=True), below) for task in own]


PART = 64
"""Clips, at most, of what is made by `in_parts`: some seconds of work, and little to make again after a run that was ended."""


def in_parts(tasks: Iterable[Task]) -> Iterator[Task]:
    """The same, but loose files and entries of an archive in parts of like size, each with the bodies among the files; characters stay
    whole. Their folders tell them apart, also those of several games or archives in one folder."""
    for task in tasks:
        try:
            with of_system():
                yield from _parts(task)
        except RetroAnimError:  # it is gone meanwhile: who converts it says so
            yield task


def _parts(task: Task) -> Iterable[Task]:
    option, together, clips = _clips(task)
    count = -(-len(clips) // PART)
    if count <= 1:
        return [task]
    whose = file_name(Path(task.paths[0]).name if option else _label(clips[0]))
    parts: list[Task] = []
    for number in range(count):
        some = clips[len(clips) * number // count : len(clips) * (number + 1) // count]
        folder = str(Path(task.folder, f"{whose} part {number + 1:0{len(str(count))}} of {count}"))
        values, paths = ({option: ",".join(some)}, task.paths) if option else (task.values, (*together, *some))
        parts.append(replace(task, paths=paths, values=values, folder=folder))
    return parts


def _label(path: str) -> str:
    """Of the game whose file this is, "" of no game's."""
    kind = formats.recognise_file(path)
    return GAMES[kind.game].label if kind is not None else ""


def _clips(task: Task) -> tuple[str, list[str], list[str]]:
    """The clips of a task that may be imported apart from each other, as paths, or as entries for an option, with the paths that all of
    them need; none of a character."""
    if len(task.paths) != 1:
        kinds = {path: formats.recognise_file(path) for path in task.paths}
        clips = [path for path, kind in kinds.items() if kind is not None and kind.kind == "animation"]
        return "", [path for path in task.paths if path not in clips], clips
    if Path(task.folder).name == UNUSED:
        ((option, keys),) = task.values.items()
        return option, [], keys.split(",")
    (path,) = task.paths
    kind = None if task.values or task.name or path.lower().endswith(blender.IMPORTED) else formats.recognise_file(address.split(path)[0])
    if kind is None or kind.kind != "archive" or address.split(path)[1]:
        return "", [], []
    game = GAMES[kind.game]
    contents = _contents(game, path)
    lines = [(page.option, line.key) for page in game.pages if not page.whole for line in contents.get(page.name, ()) if line.clips]
    options = {option for option, _ in lines}
    return (options.pop(), [], [key for _, key in lines]) if len(options) == 1 else ("", [], [])


def _stamp(folder: str, below: bool = True) -> str:
    """Number, total size and latest change of the files in a folder. below: of those in the folders below it, too."""
    known: list[os.stat_result] = []
    for path, _, names in os.walk(folder) if below else islice(os.walk(folder), 1):
        for name in names:
            with suppress(OSError):  # it is gone meanwhile
                known.append(Path(path, name).stat())
    return f"{len(known)} {sum(each.st_size for each in known)} {max((each.st_mtime_ns for each in known), default=0)}"


def _folder(path: str, root: str) -> Iterator[Task]:
    """A client as a whole; else the files in a folder, and the folders below it."""
    client = _client(path)
    entries = [] if client else sorted(Path(path).iterdir())
    below = os.path.relpath(path, root)
    for task in client or _files([str(entry) for entry in entries if entry.is_file()]):
        yield Task(task.paths, task.values, task.name, str(Path(below, task.folder)))
    for entry in entries:
        if entry.is_dir():
            yield from _as_far_as_read(_folder(str(entry), root))


def _as_far_as_read(tasks: Iterable[Task]) -> Iterator[Task]:
    """The tasks of one of several sources: what cannot be opened, such as a folder that is gone meanwhile, is reported as an error."""
    try:
        with of_system():
            yield from tasks
    except RetroAnimError as error:
        log.error(str(error))


def _client(path: str) -> list[Task]:
    game = listing_characters(path)
    try:
        return _listed(game, path) if game is not None else []
    except RetroAnimError:
        return []


UNUSED = "clips of no character"
"""The folder for what an archive holds besides its characters."""


def _contents(game: Game, path: str) -> Mapping[str, Any]:
    from ...io.pipeline import games

    with log.collect():
        return games.contents(game, path, {})


def _unused(game: Game, path: str) -> list[Task]:
    """The clips of an archive that none of its characters has, together."""
    contents = _contents(game, path)
    lines = [(page.option, line.key) for page in game.pages if not page.whole for line in contents.get(page.name, ()) if line.unused]
    options = dict.fromkeys(option for option, _ in lines)
    return [Task((path,), {option: ",".join(key for each, key in lines if each == option)}, folder=UNUSED) for option in options]


def _listed(game: Game, path: str) -> list[Task]:
    """The characters of a list, as the game's pages have them."""
    contents = _contents(game, path)
    lines = [(page.option, line) for page in game.pages if page.whole for line in contents.get(page.name, ())]
    names = iter(distinct(labels.label(file_name(line.name)) for _, line in lines if line.name))
    return [Task((path,), {option: line.key}, next(names) if line.name else "") for option, line in lines]


def _files(paths: list[str]) -> Iterator[Task]:
    """The files of one folder: characters of lists, each list once; else files that hold a character; else all the others of a game
    together, since bodies and clips belong to each other."""
    loose: dict[str, list[str]] = {}
    archives: list[tuple[Game, str]] = []
    listed: dict[str, list[list[tuple[Any, ...]]]] = {}

    def of_file(path: str) -> Iterator[Task]:
        kind = None if path.lower().endswith(blender.IMPORTED) else formats.recognise_file(path)
        if kind is None:
            return
        game = GAMES[kind.game]
        if game.written.get(Path(path).suffix.lower()) == "character":
            yield Task((path,), name=file_name(Path(path).stem))
        elif kind.kind not in ("archive", "entity"):
            loose.setdefault(game.id, []).append(path)
        elif tasks := _listed(game, path) if kind.kind == "archive" or game.folders else [Task((path,))]:
            yield from _unknown(tasks, listed.setdefault(game.id, []), by_path=kind.kind == "entity")
        else:
            archives.append((game, path))
        if kind.kind == "archive" and not game.folders:
            yield from _unused(game, path)

    for path in paths:
        yield from _as_far_as_read(of_file(path))
    for game, path in archives:
        if game.id not in listed:
            yield from _as_far_as_read(_with_clips(path))
    for game_id, members in loose.items():
        if not GAMES[game_id].folders:
            yield Task(tuple(members))


def _unknown(tasks: list[Task], known: list[list[tuple[Any, ...]]], *, by_path: bool) -> list[Task]:
    """The characters of a list; none where it is a known one. by_path: whether lists in different files differ."""
    keys = [(task.paths if by_path else (), *task.values.items()) for task in tasks]
    if keys in known:
        return []
    known.append(keys)
    return tasks


def _file(source: str) -> list[Task]:
    if address.split(source)[1] or source.lower().endswith(blender.IMPORTED):
        return [Task((source,))]
    with log.collect() as messages:
        tasks_here = list(_files([source]))
    problems = messages.of("ERROR")
    if problems:
        raise RetroAnimError(str(problems[0]))
    if not tasks_here:
        kind = formats.recognise_file(source)
        return [] if kind is None else [_whole(source)]
    return tasks_here


def _whole(path: str) -> Task:
    """All that an archive holds, in a folder of its own."""
    return Task((path,), folder=file_name(Path(path).stem))


def _with_clips(path: str) -> Iterator[Task]:
    """An archive as a whole, if there are clips in it."""
    if _has_clips(path):
        yield _whole(path)


def _has_clips(path: str) -> bool:
    archive = formats.archive_of(formats.open_file(path))
    if archive is None:
        return False
    for index in range(len(archive)):
        if not archive.blank(index):
            try:
                kind = formats.recognise_entry(archive.read(index), path, archive.name(index))
            except RetroAnimError:
                continue
            if kind is not None and kind.kind == "animation":
                return True
    return False
