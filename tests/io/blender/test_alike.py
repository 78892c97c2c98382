"""Properties of actions that are copies of one another are as if each had been filled by itself."""

from __future__ import annotations

import math
from collections.abc import Callable
from types import ModuleType
from typing import Any

import bpy
import pytest

Part = Callable[[str], ModuleType]

FIRST: dict[str, Any] = {"whole": 3, "part": 0.0, "flag": True, "many": [1, 2, 3], "said": "yes"}
OTHERS: dict[str, dict[str, Any]] = {
    "the same": FIRST,
    "other values": {"whole": 4, "part": 2.5, "flag": False, "many": [4, 5, 6, 7], "said": "no, longer"},
    "the other zero": {**FIRST, "part": -0.0},
    "another type": {**FIRST, "part": 2, "whole": 1.5},
    "a number for a flag": {**FIRST, "flag": 1},
    "an empty list": {**FIRST, "many": []},
    "some are absent": {"part": 1.0, "said": "yes"},
    "none": {},
}


def properties_of(block: Any) -> list[tuple[Any, ...]]:
    """Name, type, value and what is shown of each property, in their order; the sign of zero, too."""
    every: list[tuple[Any, ...]] = []
    for name in block.keys():  # noqa: SIM118 - a data-block gives nothing by itself
        value = block[name]
        value = value.to_list() if hasattr(value, "to_list") else value
        sign = math.copysign(1, value) if isinstance(value, float) else 0
        every.append((name, type(value), value, sign, block.id_properties_ui(name).as_dict()))
    return every


@pytest.mark.parametrize("reverse", (False, True))
@pytest.mark.parametrize("case", OTHERS)
def test_a_copy_has_what_it_would_have_by_itself(part: Part, case: str, reverse: bool) -> None:
    fields, field = part("io.blender.fields"), part("core.declare.fields").Field
    table = (
        field("whole", "Whole", "integer", key="whole", help="A number", minimum=0, maximum=9),
        field("part", "Part", "number", key="part", help="A part of it", minimum=-1.0),
        field("flag", "Flag", "integer", key="flag", help="Yes or no"),
        field("many", "Many", "integers", key="many", help="Some", size=3),
        field("said", "Said", "text", key="said", help="What is said"),
    )
    both = [OTHERS[case], FIRST] if reverse else [FIRST, OTHERS[case]]
    each = [fields.properties(table, values) | {"besides": number} for number, values in enumerate(both)]
    alike = fields.Alike(table, each)
    first = bpy.data.actions.new("first")
    alike.prepare(first)
    for number, (block, values) in enumerate(zip((first, first.copy()), both, strict=True)):
        alike.complete(block, each[number])
        alone = bpy.data.actions.new("alone")
        fields.fill(alone, table, values)
        alone["besides"] = number
        assert properties_of(block) == properties_of(alone)


def test_orders_that_disagree(part: Part) -> None:
    each = [{"one": 1, "two": 2}, {"two": 2, "one": 1}]
    alike = part("io.blender.fields").Alike((), each)
    for values in each:
        block = bpy.data.actions.new("action")
        alike.prepare(block)
        alike.complete(block, values)
        assert list(block.items()) == list(values.items())
