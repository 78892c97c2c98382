"""What an export cannot decide by itself: in the window it asks, a script gets an error. The answers hold for the next export alone."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

from ....core.declare.shared import Answer
from ....core.record import Record
from ....core.reporting.errors import ExportError


class Question(Record):
    """title: what goes out, mostly an action's name. where: FILE or FILE#ENTRY, or the scene. problem: a line. answers: those that can be
    given, the one that loses nothing first."""

    title: str
    where: str
    problem: str
    answers: tuple[Answer, ...]


class UndecidedError(ExportError):
    """An export that could go on if somebody answered."""

    def __init__(self, questions: list[Question]) -> None:
        self.questions = questions
        super().__init__(list(dict.fromkeys(question.problem for question in questions)), named=True)


Answers = Mapping[tuple[str, str], Answer]
"""By title and target of the question."""

_answers: ContextVar[Answers | None] = ContextVar("answers", default=None)


@contextmanager
def answered(answers: Answers) -> Generator[None]:
    """Exports inside go by these answers."""
    token = _answers.set(answers)
    try:
        yield
    finally:
        _answers.reset(token)


_there: ContextVar[bool] = ContextVar("there", default=False)


@contextmanager
def asking(there: bool) -> Generator[None]:
    """there: whether inside somebody can be asked also what a script is only informed, or decides by an option."""
    token = _there.set(there)
    try:
        yield
    finally:
        _there.reset(token)


def can_ask() -> bool:
    """What `asking` was given last."""
    return _there.get()


def answer_to(title: str, where: str) -> Answer | None:
    return (_answers.get() or {}).get((title, where))


def kept_apart(title: str) -> bool:
    """Whether a clip is to go to an entry, frames or a file of its own."""
    return any(answer == "NEW" and name == title for (name, _), answer in (_answers.get() or {}).items())
