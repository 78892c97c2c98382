"""What can go wrong with a person's files or options. Everything else that is raised is a bug of ours."""

from __future__ import annotations

import os
from collections.abc import Generator, Sequence
from contextlib import contextmanager

EMPTY = "the file is empty: put a whole copy in its place"
"""Instead of the first bytes that a parser misses: it is what a broken download leaves."""


class RetroAnimError(Exception):
    """An expected failure: its text is one line for the user, without a traceback."""


class FormatError(RetroAnimError):
    """A file is not what it should be.

    problem: what is wrong, as a sentence without a full stop.
    offset: byte offset in the file (or in the unpacked archive entry), None when no single position is at fault.
    path: the file, or FILE#ENTRY; filled in by `reading()` where the parser does not know it.
    """

    def __init__(self, problem: str, offset: int | None = None, path: str = "") -> None:
        super().__init__(problem)
        self.problem = problem
        self.offset = offset
        self.path = path

    def __str__(self) -> str:
        where = f"{self.path}: " if self.path else ""
        location = f" (offset 0x{self.offset:X})" if self.offset is not None else ""
        return f"{where}{self.problem}{location}"


def with_remedy(error: RetroAnimError) -> str:
    """The error's text, with what to do about it where that is no more than the file, whose bytes are not what they should be."""
    damaged = isinstance(error, FormatError) and error.offset is not None
    return f"{error}; it is damaged, was cut off, or is something else by that name: copy it from the game again" if damaged else str(error)


class BlankError(FormatError):
    """An entry that is named has nothing in it, which is no fault of the file."""


class Problem(str):
    """A line of an ExportError that knows where to look. bone: "" for none, or the object. frame: of the scene, None for none."""

    __slots__ = ("bone", "frame")
    bone: str
    frame: float | None

    def __new__(cls, text: str, bone: str = "", frame: float | None = None) -> Problem:
        problem = super().__new__(cls, text)
        problem.bone, problem.frame = bone, frame
        return problem

    def but(self, text: str) -> Problem:
        """Another text about the same bone and frame."""
        return Problem(text, self.bone, self.frame)


class ExportError(RetroAnimError):
    """The scene holds something that the game's file cannot; `problems` says what, one line each, those of type Problem also where.

    named: whether each of them begins with the name of the action or object that it is about.
    """

    def __init__(self, problems: Sequence[str] | str, named: bool = False) -> None:
        self.problems: list[str] = [problems] if isinstance(problems, str) else list(problems)
        self.named = named
        shown = "; ".join(self.problems[:5])
        more = f"; and {len(self.problems) - 5} more" if len(self.problems) > 5 else ""
        super().__init__(shown + more)

    @property
    def where(self) -> Problem:
        """The whole text, with the bone and the frame of the first problem that knows one."""
        known = (problem for problem in self.problems if isinstance(problem, Problem) and (problem.bone or problem.frame is not None))
        return next(known, Problem("")).but(str(self))


def reading(path: str) -> _Reading:
    """Name the file in every FormatError raised inside that does not name one yet. Of an empty file that is all there is to say."""
    return _Reading(path)


def is_empty(path: str) -> bool:
    """Whether there is a file without a byte."""
    try:
        return os.path.isfile(path) and os.path.getsize(path) == 0  # noqa: PTH113, PTH202 - a Path takes longer
    except (OSError, ValueError):
        return False


class _Reading:
    """By hand, since each part of a file is read inside one: a generator takes three times as long."""

    __slots__ = ("_path",)

    def __init__(self, path: str) -> None:
        self._path = path

    def __enter__(self) -> None:
        pass

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, FormatError) and not error.path:
            error.path = self._path
            if is_empty(self._path):
                error.problem, error.offset = EMPTY, None


@contextmanager
def of_system() -> Generator[None]:
    """What the operating system refuses inside is one line, too: a name that is too long, a folder that nobody may look into, memory."""
    try:
        yield
    except BrokenPipeError:  # whoever reads the output has had enough
        raise
    except OSError as error:
        where = f"{error.filename}: " if error.filename is not None else ""
        raise RetroAnimError(f"{where}{error.strerror or error}") from error
    except MemoryError as error:
        raise RetroAnimError(f"there is not enough memory: {str(error) or 'too much at once'}") from error


class OptionError(RetroAnimError):
    """An option has a value that it cannot have."""
