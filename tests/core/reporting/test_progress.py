"""How far a job is, reported before each of its parts."""

from __future__ import annotations

from collections.abc import Generator

import pytest
from retro_anim.core.reporting import ending
from retro_anim.core.reporting.progress import Step, Steps, finish, listen, steps


@pytest.mark.parametrize(
    ("step", "text", "share"),
    [
        (Step(0, 1, "Twinsen"), ": Twinsen", 0.0),
        (Step(0, 2, "Twinsen"), " 1 of 2: Twinsen", 0.0),
        (Step(2, 82, "Twinsen"), " 3 of 82: Twinsen", 2 / 82),
        (Step(0, 0, "Twinsen"), ": Twinsen", 0.0),
    ],
)
def test_a_step_behind_a_word(step: Step, text: str, share: float) -> None:
    assert (str(step), step.share) == (text, share)


def job(said: list[str]) -> Steps[int]:
    for number in range(4):
        yield Step(number, 4, "part")
        said.append(str(number))
    return 7


def test_all_of_a_job_at_once() -> None:
    """With a listener or none, who hears nothing later."""
    heard, said = list[float](), list[str]()
    assert finish(job(said)) == 7 and said == ["0", "1", "2", "3"]
    with listen(heard.append):
        assert finish(job(said)) == 7
    assert finish(job(said)) == 7 and list(steps("ab")) == ["a", "b"]
    assert heard == [0.0, 0.25, 0.5, 0.75]


def test_items_are_reported_one_by_one() -> None:
    heard: list[float] = []
    with listen(heard.append):
        items = steps("abcd")
        assert next(items) == "a" and heard == [0.0]
        assert list(items) == ["b", "c", "d"] and heard == [0.0, 0.25, 0.5, 0.75]
        assert list(steps("")) == []


@pytest.fixture
def forgotten() -> Generator[None]:
    """What this process was asked."""
    yield
    ending.forget()


@pytest.mark.usefixtures("forgotten")
def test_a_process_that_shall_end_does_no_further_part() -> None:
    closed: list[str] = []

    def long() -> Steps[None]:
        try:
            yield Step(0, 2, "first")
            ending.ask(15)
            yield Step(1, 2, "second")
            closed.append("never")
        finally:
            closed.append("closed")

    with pytest.raises(KeyboardInterrupt) as caught:
        finish(long())
    assert (caught.value.args, closed) == ((15,), ["closed"])
    with pytest.raises(KeyboardInterrupt):
        next(steps("ab"))
    ending.forget()
    assert list(steps("ab")) == ["a", "b"]
