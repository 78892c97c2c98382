"""What is reported of whom while an import is read: of characters that do not come in, as after Esc, nothing is said in the end."""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from ....core.reporting import log
from ....core.reporting.errors import RetroAnimError

Report = Callable[[Sequence[RetroAnimError]], None]


@dataclass(eq=False)
class _Part:
    """A part of what was read, of this path: what was reported meanwhile and what failed, and whom it gave something."""

    path: str
    characters: list[Any]
    messages: list[log.Message]
    failures: list[RetroAnimError] = field(default_factory=list[RetroAnimError])

    def concerns(self, present: Collection[int]) -> bool:
        """What nobody got anything of concerns whoever asked for it."""
        return not self.characters or any(id(each) in present for each in self.characters)


class Spoken:
    """characters, failures: those of a plan, as far as it has got."""

    def __init__(self, characters: dict[object, Any], failures: list[RetroAnimError]) -> None:
        self._characters = characters
        self._failures = failures
        self._parts: list[_Part] = []
        self._summed: list[log.Message] = []

    @contextmanager
    def part(self, path: str) -> Generator[None]:
        """Inside, a part of the path is read."""
        clips = {id(each): len(each.clips) for each in self._characters.values()}
        failed = len(self._failures)
        with log.heard() as inside:
            try:
                yield
            finally:
                more = [each for each in self._characters.values() if len(each.clips) != clips.get(id(each))]
                self._parts.append(_Part(path, more, inside.messages, self._failures[failed:]))

    @contextmanager
    def of(self, character: Any) -> Generator[None]:
        """Inside, something is said of one character."""
        with log.heard() as inside:
            yield
        self._parts.append(_Part("", [character], inside.messages))

    def sum_up(self, report: Report, failures: Sequence[RetroAnimError]) -> None:
        """Report what failed beside what worked."""
        with log.heard() as inside:
            report(failures)
        self._summed = inside.messages

    def only(self, report: Report, characters: Sequence[Any], paths: Sequence[str]) -> list[str]:
        """Take back what concerns none of these characters, which came in; returns those of the paths that gave them something."""
        present = {id(each) for each in characters}
        silent = [part for part in self._parts if not part.concerns(present)]
        if silent:
            log.take_back([*self._summed, *(message for part in silent for message in part.messages)])
            unsaid = {id(failure) for part in silent for failure in part.failures}
            self.sum_up(report, [each for each in self._failures if id(each) not in unsaid])
        used = {part.path for part in self._parts if any(id(each) in present for each in part.characters)}
        return [path for path in paths if path in used]
