"""Work of several parts, of which one that fails does not harm the others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from . import log
from .errors import RetroAnimError, of_system
from .progress import StoppedError

PartT = TypeVar("PartT")
ResultT = TypeVar("ResultT")


def each(parts: Iterable[PartT], work: Callable[[PartT], ResultT]) -> list[ResultT]:
    """The results of the parts that succeed. The others are reported as errors; where all of them fail, the first one's is raised, and the
    rest are reported."""
    results: list[ResultT] = []
    failures: list[RetroAnimError] = []
    for part in parts:
        try:
            with of_system():
                results.append(work(part))
        except StoppedError:
            raise
        except RetroAnimError as error:
            failures.append(error)
    report(failures, bool(results))
    return results


def report(failures: Sequence[RetroAnimError], others: bool) -> None:
    """What failed, as errors. others: whether anything else did not, else the first is raised."""
    for failure in failures if others else failures[1:]:
        log.error(str(failure))
    if failures and not others:
        raise failures[0]
