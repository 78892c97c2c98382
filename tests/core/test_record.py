"""Records behave as frozen dataclasses do."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, field, fields, replace

import pytest
from retro_anim.core.record import Record, numerous


class Point(Record):
    """A point."""

    x: int
    y: int = 2
    names: list[str] = field(default_factory=list[str])


class Named(Point):
    name: str = "a"
    fixed: int = field(default=7, init=False)

    def __post_init__(self) -> None:
        if self.x < 0:
            raise ValueError("below 0")


def test_values_go_by_position_or_name() -> None:
    assert Point(1) == Point(x=1) == Point(1, 2) and Point(1) != Point(2)
    assert [item.name for item in fields(Named)] == ["x", "y", "names", "name", "fixed"]  # pyright: ignore[reportArgumentType]
    assert repr(Named(3, name="b")) == "Named(x=3, y=2, names=[], name='b', fixed=7)"
    first, second = Point(1), Point(1)
    first.names.append("a")
    assert second.names == []
    assert Named(1).fixed == 7 and Named(1, 2, ["a"], "b").name == "b"


class Colour(Record):
    shades: list[int] = field(default_factory=list[int])


class Coloured(Point, Colour):
    names: tuple[str, ...] = ("a",)  # pyright: ignore[reportIncompatibleVariableOverride, reportAssignmentType]


def test_defaults_of_all_bases_count_and_those_of_the_class_before_theirs() -> None:
    assert Coloured(x=1).names == ("a",) and Coloured(x=1).shades == []


def test_another_class_is_another_value() -> None:
    assert Point(1) != Named(1)
    assert len({Named(1, names=()), Named(1, names=())}) == 1  # pyright: ignore[reportArgumentType]


def test_it_is_frozen_and_replaced() -> None:
    with pytest.raises(FrozenInstanceError):
        Point(1).x = 2  # pyright: ignore[reportAttributeAccessIssue]
    with pytest.raises(FrozenInstanceError):
        del Point(1).x  # pyright: ignore[reportAttributeAccessIssue]
    assert replace(Named(1), y=5) == Named(1, 5)  # pyright: ignore[reportType, reportArgumentType, reportCallIssue]
    assert Named(1).but(y=5) == Named(1, 5) and type(Named(1).but()) is Named
    with pytest.raises(TypeError, match="no 'z'"):
        Named(1).but(z=5)
    with pytest.raises(ValueError, match="below 0"):
        Named(1).but(x=-1)
    with pytest.raises(ValueError, match="below 0"):
        replace(Named(1), x=-1)  # pyright: ignore[reportType, reportArgumentType, reportCallIssue]


@pytest.mark.parametrize(
    ("values", "named", "problem"),
    [
        ((), {}, "Point needs x"),
        ((1, 2, [], 4), {}, "at most 3"),
        ((1,), {"x": 2}, "'x' twice"),
        ((1,), {"z": 2}, "no 'z'"),
        ((), {"y": 2}, "needs x"),
        ((), {"z": 2, "y": 2, "names": []}, "no 'z'"),
    ],
)
def test_wrong_arguments_are_refused(values: tuple[object, ...], named: dict[str, object], problem: str) -> None:
    with pytest.raises(TypeError, match=problem):
        Point(*values, **named)  # pyright: ignore[reportArgumentType]


def test_what_is_set_once_for_all_cannot_be_given() -> None:
    with pytest.raises(TypeError, match="fixed"):
        Named(1, fixed=8)  # pyright: ignore[reportCallIssue]


@numerous
class Sample:
    values: list[int]
    name: str = "a"


def test_what_is_numerous_is_a_dataclass_that_is_equal_to_itself_alone_and_has_no_guard_at_run_time() -> None:
    sample = Sample([1])
    assert replace(sample, name="b").name == "b" and [item.name for item in fields(Sample)] == ["values", "name"]  # pyright: ignore[reportArgumentType]
    assert sample == sample and sample != Sample([1]) and len({sample, Sample([1])}) == 2
    assert Sample.__setattr__ is object.__setattr__
