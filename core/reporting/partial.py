"""Work of several parts, of which one that fails does not harm the others."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from . import log
from .errors import RetroAnimError, of_system
from .progress import StoppedError

PartT = TypeVar("PartT")
ResultT = TypeVar("ResultT")


def each(parts: Iterable[PartT], work: Callable[[PartT], ResultT]) -> list[ResultT]:
    """The results of the parts that succeed. The others are reported as errors; where all of them fail, the first one's is raised."""
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
    if failures and not results:
        raise failures[0]
    for failure in failures:
        log.error(str(failure))
    return results
