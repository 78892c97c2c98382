"""Messages to the user, from code that knows no window.

Deep code calls `info` and `warning`; whoever runs the job (an operator, the command line, a test) collects them with
`collect()` and shows `Log.digest()`. Equal messages are folded, so that 300 warnings stay one line.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Literal

from ..record import Record

Level = Literal["INFO", "WARNING", "ERROR"]


class Message(Record):
    level: Level
    text: str
    where: str = ""
    """The file, entry or action that the message is about."""

    topic: str = ""
    """What it explains, for whoever would otherwise say the same in other words."""

    bone: str = ""
    frame: float | None = None
    """Where to look, where the message knows it."""

    def __str__(self) -> str:
        return f"{self.where}: {self.text}" if self.where else self.text


class Log:
    messages: list[Message]

    def __init__(self) -> None:
        self.messages = []

    def of(self, *levels: Level) -> list[Message]:
        return [message for message in self.messages if message.level in levels]

    def digest(self, *levels: Level) -> list[str]:
        """One line for each different text, most severe first; of one that was reported several times the count and its first address."""
        wanted = levels or ("ERROR", "WARNING", "INFO")
        groups: dict[tuple[Level, str], list[Message]] = {}
        for message in self.of(*wanted):
            groups.setdefault((message.level, message.text), []).append(message)
        ordered = sorted(groups.items(), key=lambda item: wanted.index(item[0][0]))
        return [_folded(same) for _, same in ordered]


def _folded(same: list[Message]) -> str:
    """Messages of one text as a line."""
    first = next((message.where for message in same if message.where), "")
    return str(same[0]) if len(same) == 1 else f"{same[0].text} ({len(same)} times{f', first: {first}' if first else ''})"


_log: ContextVar[Log | None] = ContextVar("log", default=None)
_where: ContextVar[str] = ContextVar("where", default="")


@contextmanager
def collect() -> Generator[Log]:
    """Gather every message reported inside."""
    log = Log()
    token = _log.set(log)
    try:
        yield log
    finally:
        _log.reset(token)


@contextmanager
def about(where: str) -> Generator[None]:
    """Messages reported inside name `where`."""
    token = _where.set(where)
    try:
        yield
    finally:
        _where.reset(token)


def _say(level: Level, text: str, topic: str = "", bone: str = "", frame: float | None = None) -> None:
    log = _log.get()
    if log is not None:
        log.messages.append(Message(level, text, _where.get(), topic, bone, frame))


@contextmanager
def heard() -> Generator[Log]:
    """Gather every message reported inside, and pass it on."""
    inside = Log()
    try:
        with collect() as inside:
            yield inside
    finally:
        repeat(inside)


def repeat(reported: Log) -> None:
    """Report again what was collected, once it is known to be of interest."""
    log = _log.get()
    if log is not None:
        log.messages += reported.messages


def take_back(messages: Sequence[Message]) -> None:
    """These, as they were reported, turn out to concern nobody."""
    log = _log.get()
    if log is not None:
        unsaid = {id(message) for message in messages}
        log.messages[:] = [message for message in log.messages if id(message) not in unsaid]


def info(text: str, bone: str = "", frame: float | None = None) -> None:
    """Something the user may want to know."""
    _say("INFO", text, "", bone, frame)


def warning(text: str, topic: str = "", bone: str = "", frame: float | None = None) -> None:
    """Something that went partly wrong, or will surprise. topic, bone, frame: see `Message`."""
    _say("WARNING", text, topic, bone, frame)


def error(text: str) -> None:
    """One part of the job failed while the rest goes on."""
    _say("ERROR", text)
