"""Values of fields of every kind: what is taken, as what, and what is refused in which words."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from retro_anim.core.declare.checks import checked, shown, wrong
from retro_anim.core.declare.fields import Field, Kind
from retro_anim.core.declare.options import Choice
from retro_anim.core.oni.fields import OniField
from retro_anim.core.reporting.errors import ExportError

CHOICES = (Choice("WALK", "Walk"), Choice("RUN", "Run"))


def field(kind: Kind, minimum: float | None = None, maximum: float | None = None, size: int = 1) -> Field:
    return Field("a", "A", kind, minimum=minimum, maximum=maximum, size=size, choices=CHOICES if kind == "choice" else ())


@pytest.mark.parametrize("detail", ["minimun", "tooltip", "locked"])
def test_a_detail_that_no_field_has_is_no_detail(detail: str) -> None:
    """Nor what a field does or makes of its details; a game's own are its own."""
    details: Any = {detail: 1}
    for kind in (Field, OniField):
        with pytest.raises(TypeError, match=detail):
            kind("a", "A", **details)
    assert OniField("a", "A", step=0.5, size=2).step == 0.5
    with pytest.raises(TypeError, match="step"):
        Field("a", "A", step=0.5)


@pytest.mark.parametrize(
    ("kind", "size", "given", "held"),
    [
        ("integer", 1, 3, 3),
        ("integer", 1, 3.0, 3),
        ("flags", 1, 6.0, 6),
        ("number", 1, 3, 3.0),
        ("angle", 1, 0.5, 0.5),
        ("text", 1, "", ""),
        ("choice", 1, "RUN", "RUN"),
        ("hexadecimal", 1, "0x80000000", 1 << 31),
        ("hexadecimal", 1, 0xFFFFFFFF, 0xFFFFFFFF),
        ("hexadecimal", 1, 0, 0),
        ("hexadecimal", 1, 7.0, 7),
        ("vector", 1, np.array([1, 2, 3]).tolist(), (1.0, 2.0, 3.0)),
        ("numbers", 3, (1,), (1.0,)),
        ("numbers", 3, (1, 2.5, 3), (1.0, 2.5, 3.0)),
        ("integers", 2, (1, 2.0), (1, 2)),
        ("series", 1, (), ()),
        ("series", 1, range(5), (0, 1, 2, 3, 4)),
    ],
)
def test_what_a_field_holds(kind: Kind, size: int, given: Any, held: Any) -> None:
    """As the plain type that the file's writer takes."""
    result = checked([field(kind, size=size)], {"a": given, "other": 1}, "walk")
    assert result == {"a": held} and type(result["a"]) is type(held)
    assert not isinstance(held, tuple) or [type(each) for each in result["a"]] == [type(each) for each in held]


WHOLE, BITS = "must be a whole number", "must be a whole number from 0 to 0xFFFFFFFF"


@pytest.mark.parametrize(
    ("kind", "size", "given", "said"),
    [
        ("integer", 1, 3.5, f"is 3.5, and {WHOLE}"),
        ("integer", 1, True, f"is True, and {WHOLE}"),
        ("flags", 1, "3", f"is '3', and {WHOLE}"),
        ("number", 1, math.inf, "is inf, and must be a number"),
        ("angle", 1, math.nan, "is nan, and must be a number"),
        ("number", 1, None, "is None, and must be a number"),
        ("text", 1, 3, "is 3, and must be a text"),
        ("choice", 1, "walk", "is 'walk', and must be one of WALK, RUN"),
        ("hexadecimal", 1, -1, f"is -1, and {BITS}"),
        ("hexadecimal", 1, 1 << 32, f"is 4294967296, and {BITS}"),
        ("hexadecimal", 1, 1.5, f"is 1.5, and {BITS}"),
        ("hexadecimal", 1, "many", f"is 'many', and {BITS}"),
        ("hexadecimal", 1, math.inf, f"is inf, and {BITS}"),
        ("hexadecimal", 1, None, f"is None, and {BITS}"),
        ("vector", 1, (1, 2), "must be 3 numbers"),
        ("vector", 1, (1, 2, 3, 4), "must be 3 numbers"),
        ("vector", 1, "123", "must be 3 numbers"),
        ("vector", 1, b"123", "must be 3 numbers"),
        ("vector", 1, 3, "must be 3 numbers"),
        ("vector", 1, (1, 2, "3"), "is '3', and must be a number"),
        ("numbers", 3, (), "must be up to 3 numbers"),
        ("numbers", 3, (1, 2, 3, 4), "must be up to 3 numbers"),
        ("integers", 2, (1,), "must be 2 whole numbers"),
        ("integers", 2, (1, 2.5), f"is 2.5, and {WHOLE}"),
        ("series", 1, 3, "must be numbers"),
        ("series", 1, "12", "must be numbers"),
        ("series", 1, (1, 2, 2.5), f"is 2.5, and {WHOLE}"),
    ],
)
def test_what_a_field_cannot_hold(kind: Kind, size: int, given: Any, said: str) -> None:
    """Every wrong one of a table in a line of its own, with owner, property and label."""
    assert wrong(field(kind, size=size), given) == said
    table = [Field("b", "B", key="game_b"), field(kind, size=size), Field("c", "C")]
    with pytest.raises(ExportError) as caught:
        checked(table, {"game_b": "x", "a": given, "c": 3}, "walk")
    assert caught.value.problems == [f"walk: game_b (B) is 'x', and {WHOLE}", f"walk: a (A) {said}"]


@pytest.mark.parametrize(
    ("minimum", "maximum", "limits", "inside"),
    [
        (None, None, "", [-1e9, 0, 1e9]),
        (2, None, " of at least 2", [2, 1e9]),
        (None, 5, " of at most 5", [-1e9, 5]),
        (2, 5, " from 2 to 5", [2, 3, 5]),
        (-0.5, 0, " from -0.5 to 0", [-0.5, 0]),
    ],
)
@pytest.mark.parametrize("kind", ["number", "vector", "numbers"])
def test_limits_are_allowed_themselves(minimum: float | None, maximum: float | None, limits: str, inside: list[float], kind: Kind) -> None:
    """What is beyond is refused with them, as is what is no number."""
    item = field(kind, minimum, maximum)
    several = 0 if kind == "number" else 3 if kind == "vector" else 1

    def said(number: Any) -> str:
        return wrong(item, (number,) * several if several else number)

    assert [said(number) for number in inside] == [""] * len(inside)
    beyond = [*([] if minimum is None else [minimum - 0.25]), *([] if maximum is None else [maximum + 0.25])]
    assert [said(number) for number in beyond] == [f"is {number:g}, and must be a number{limits}" for number in beyond]
    assert said("x") == f"is 'x', and must be a number{limits}"


def test_a_wrong_value_is_shown_short() -> None:
    for value in ("x" * 10**6, b"x" * 10**6, 10**4000, list(range(10**5)), {"x": "y" * 10**6}):
        assert len(shown(value)) < 200
    assert (shown("x" * 58), shown(b"ab"), shown(3.5)) == ("'" + "x" * 58 + "'", "b'ab'", "3.5")


def test_a_field_says_what_it_is() -> None:
    plain = Field("speed", "Speed", "number", "How fast it is", unit="metres per second")
    assert (plain.property, plain.editable, plain.time, plain.retargeted, plain.choices, plain.components) == (
        "speed",
        True,
        False,
        False,
        (),
        (),
    )
    assert plain.tooltip == "How fast it is. In metres per second"
    assert Field("speed", "Speed", help="In metres", unit="metres").tooltip == "In metres"
    assert (Field("speed", "Speed", unit="metres").tooltip, Field("speed", "Speed").tooltip) == ("In metres", "")
    assert Field("speed", "Speed", key="game_speed").property == "game_speed"
    locked = plain.locked()
    assert (locked.editable, locked.label, plain.editable) == (False, "Speed", True)


@pytest.mark.parametrize(
    ("item", "components"),
    [
        (field("vector"), ("X", "Y", "Z")),
        (field("numbers", size=3), ("X", "Y", "Z")),
        (field("integers", size=3), ("X", "Y", "Z")),
        (field("integers", size=2), ()),
        (field("series", size=3), ()),
        (Field("a", "A", "vector", parts=("U", "V", "W")), ("U", "V", "W")),
    ],
)
def test_three_numbers_are_along_the_axes(item: Field, components: tuple[str, ...]) -> None:
    assert item.components == components


@pytest.mark.parametrize(
    ("minimum", "none", "first"), [(None, None, 0), (0, None, 0), (0, 0, 1), (-1, -1, 0), (3, -1, 3), (None, 0, 1), (None, 1, 0)]
)
def test_the_first_number_that_is_not_none(minimum: float | None, none: int | None, first: int) -> None:
    assert Field("a", "A", minimum=minimum, none=none).first == first
