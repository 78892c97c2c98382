"""What an import asks for: everything is read, checked and grouped by character before the scene is touched."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, TypeVar

import bpy

from ....core import formats, games
from ....core.declare.game import Game
from ....core.declare.shared import ImportOptions
from ....core.files import address, failures
from ....core.reporting import log, partial
from ....core.reporting.errors import EMPTY, BlankError, FormatError, RetroAnimError, is_empty, with_remedy
from ....core.reporting.labels import natural, spans
from ....core.reporting.progress import Step, Steps, StoppedError
from .spoken import Spoken


@dataclass(frozen=True, eq=False)
class Clip:
    """An animation to import. name: of its action. path, entry, data: where it came from, and the document's bytes, as the source
    data keeps them; entry as in io/blender/source_data.py; no bytes where something else keeps them."""

    name: str
    path: str
    entry: int
    data: bytes


ClipT = TypeVar("ClipT", bound=Clip)


@dataclass(eq=False)
class Character(Generic[ClipT]):
    """Who the clips are for. armature: one of the scene that takes the clips, None for a new one. document: the bytes of the file that
    the armature keeps for all of its actions, where one file holds them all."""

    name: str
    armature: bpy.types.Object | None = None
    clips: list[ClipT] = field(default_factory=list[ClipT])
    document: bytes = b""


OptionsT = TypeVar("OptionsT", bound=ImportOptions)
CharacterT = TypeVar("CharacterT", bound=Character[Any])


class Plan(ABC, Generic[OptionsT, CharacterT]):
    """A game's plan defines how one path is read (`open`) and in which order (`ordered`); what fails does not harm the others.
    It is asked to open no file that is known to be another game's.

    characters: by whatever identifies them, in the order in which they were met. active: the active armature, if it is of the game. read:
    the paths that were read to their end.
    """

    game: ClassVar[Game]

    def __init__(self, context: bpy.types.Context, options: OptionsT) -> None:
        self.context = context
        self.options = options
        self.characters: dict[object, CharacterT] = {}
        self.failures: list[RetroAnimError] = []
        self.read: list[str] = []
        self.spoken = Spoken(self.characters, self.failures)
        active = context.view_layer.objects.active
        self.active = active if active is not None and self.takes(active) else None

    @abstractmethod
    def takes(self, obj: bpy.types.Object) -> bool:
        """Whether an object of the scene can take clips of the game."""

    @abstractmethod
    def open(self, path: str) -> Iterator[str] | None:
        """Read a path, and add what it holds to the characters. Raises RetroAnimError. Of a path that holds much, an iterator that reads
        it part by part, and gives the name of each before."""

    def ordered(self, paths: Sequence[str]) -> list[str]:
        """The paths in the order in which they are read: what others need comes first."""
        return list(paths)

    def steps(self) -> Steps[list[CharacterT]]:
        """Everything that is to be built. Raises the first failure where nothing can be, a blank entry last of all; the others are reported
        as errors, blank entries beside others as warnings. Raises StoppedError where it is stopped."""
        paths = self.ordered(self.options.paths)
        for number, path in enumerate(paths):
            with self.guarded(path), log.about(path):
                with self.spoken.part(path):
                    self._refuse_another_game(path)
                    parts = iter(self.open(path) or ())
                while (part := self._next(path, parts)) is not None:
                    if (yield Step(number, len(paths), f"reading {part}")):
                        raise StoppedError("stopped while reading: nothing was imported")
                self.read.append(path)
        if not self.characters:
            self.failures.sort(key=lambda failure: isinstance(failure, BlankError))
            partial.report(_one_a_file(self.failures), others=False)
            raise FormatError("nothing to import was found")
        self.spoken.sum_up(_report, self.failures)
        return list(self.characters.values())

    def _next(self, path: str, parts: Iterator[str]) -> str | None:
        """Read the part whose name came last, and return the next one's; None behind the last."""
        with self.spoken.part(path):
            return next(parts, None)

    def only(self, characters: Sequence[CharacterT]) -> list[str]:
        """No more came in than these: of the others nothing is said. Returns the paths that these came from."""
        return self.spoken.only(_report, characters, self.read)

    def _refuse_another_game(self, path: str) -> None:
        file = address.split(path)[0]
        if is_empty(file):
            raise FormatError(EMPTY, path=path)
        kind = None if os.path.isdir(file) else formats.recognise_file(file)  # noqa: PTH112 - a Path takes longer
        if kind is not None and kind.game != self.game.id:
            raise FormatError(
                f"a file of {games.GAMES[kind.game].label} ({kind.label}), which has an entry of its own in File > Import", path=path
            )

    @contextmanager
    def guarded(self, path: str) -> Generator[None]:
        """What is wrong with one file or entry does not harm the others."""
        try:
            yield
        except StoppedError:
            raise
        except RetroAnimError as error:
            if isinstance(error, FormatError):
                error.path = error.path or path
            self.failures.append(error)


def _one_a_file(failures: Sequence[RetroAnimError]) -> list[RetroAnimError]:
    """The first of each file: what is wrong with one entry of an archive is often wrong with all of them."""
    first: dict[str, RetroAnimError] = {}
    for failure in failures:
        first.setdefault(address.split(failure.path)[0] if isinstance(failure, FormatError) else str(failure), failure)
    return list(first.values())


def _report(reasons: Sequence[RetroAnimError]) -> None:
    """Those beside others: what is wrong with a file and its entries, blank ones, and the rest."""
    spoiled = [each for each in reasons if isinstance(each, FormatError) and not isinstance(each, BlankError)]
    for each in reasons:
        if not isinstance(each, FormatError):
            log.error(str(each))
    for text in failures.lines((each.path, with_remedy(FormatError(each.problem, each.offset))) for each in spoiled):
        log.error(text)
    _report_blank([each for each in reasons if isinstance(each, BlankError)])


def _report_blank(failures: Sequence[BlankError]) -> None:
    """Blank entries beside others: those of a file in one line, since a character may have a dozen."""
    files: dict[str, list[str]] = {}
    for failure in failures:
        file, entry = address.split(failure.path)
        files.setdefault(file, []).append(entry)
    for file, listed in files.items():
        entries = sorted(dict.fromkeys(listed), key=natural)  # several characters may name one
        if len(entries) == 1:
            log.warning(f"{file}: entry {entries[0]} is blank, so that nothing comes of it")
        else:
            log.warning(f"{file}: {len(entries)} entries are blank, so that nothing comes of them: {spans(entries)}")
