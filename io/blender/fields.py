"""Values as custom properties of data-blocks: a game's table of fields, filled at import, read and checked at export; lists of numbers."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, cast

from ...core.declare.checks import checked
from ...core.declare.fields import Field

Block = Any
"""Any data-block with custom properties."""


def fill(block: Block, table: Iterable[Field], values: Mapping[str, Any]) -> None:
    """Give a block the values, by field name, as its custom properties; several whole numbers are shown as such."""
    for item in table:
        if item.name in values:
            known = _KNOWN.get(id(item)) or _known(item)
            _give(block, known, numbers(values[item.name]) if known.sequence else values[item.name])


def _give(block: Block, known: _Known, value: Any) -> None:
    """A property, and how Blender is to show it."""
    item, name, sequence, _ = known
    block[name] = value
    text = isinstance(value, str)
    if text or not sequence or len(value):
        one = text or isinstance(value, int | float)
        whole = isinstance(value, int) if one else getattr(block[name], "typecode", "d") == "i"
        shown = known.shown.get((text, whole))
        if shown is None:
            shown = known.shown[text, whole] = _shown(item, text, whole)
        block.id_properties_ui(name).update(**shown)


def properties(table: Iterable[Field], values: Mapping[str, Any]) -> dict[str, Any]:
    """The custom properties that `fill` gives a block, by their names."""
    every: dict[str, Any] = {}
    for item in table:
        if item.name in values:
            known = _KNOWN.get(id(item)) or _known(item)
            every[known.name] = numbers(values[item.name]) if known.sequence else values[item.name]
    return every


class Alike:
    """The custom properties of many data-blocks that are copied from a few: those get what the first one has, its tooltips and limits,
    too, and each copy what it has otherwise. Blender keeps how a property is shown while its value stays of one type."""

    def __init__(self, tables: Iterable[Field], each: Sequence[dict[str, Any]]) -> None:
        """tables: the fields among the properties. each: the properties of every block."""
        self._fields = {item.property: item for item in tables}
        kinds = list(dict.fromkeys(map(tuple, each)))
        order = _merged(kinds)
        every: dict[str, Any] = {}
        for values in reversed(each):
            every |= values
        self._common = {name: every[name] for name in order}
        self._in_order = {names for names in kinds if tuple(name for name in order if name in set(names)) == names}

    def prepare(self, block: Block) -> None:
        """Give a block that copies will be made of what any of them has."""
        self._all(block, self._common)

    def complete(self, block: Block, values: dict[str, Any]) -> None:
        """Give such a block, or a copy of it, its own properties."""
        if tuple(values) not in self._in_order:
            self._anew(block, values)
            return
        for name, first in self._common.items():
            value = values.get(name, _ABSENT)
            if value is first:
                continue
            if value is _ABSENT:
                del block[name]
            elif type(value) is not type(first) or (_is_list(value) and not (value and first)):
                self._anew(block, values)
                return
            elif value != first or ((isinstance(value, float) or _is_list(value)) and repr(value) != repr(first)):  # -0.0 is not 0.0
                block[name] = value

    def _anew(self, block: Block, values: dict[str, Any]) -> None:
        block.id_properties_clear()
        self._all(block, values)

    def _all(self, block: Block, values: dict[str, Any]) -> None:
        for name, value in values.items():
            item = self._fields.get(name)
            if item is None:
                block[name] = value
            else:
                _give(block, _KNOWN.get(id(item)) or _known(item), value)


_ABSENT = object()


def _is_list(value: object) -> bool:
    return isinstance(value, list)


def _merged(several: Iterable[tuple[str, ...]]) -> list[str]:
    """All names, in the order that each of several lists has them in, as far as these agree."""
    order: list[str] = []
    for names in several:
        at = 0
        for name in names:
            if name not in order:
                order.insert(at, name)
            at = order.index(name) + 1
    return order


class _Known(NamedTuple):
    """A field, its property's name, whether it is a sequence, and how Blender is to show it as text or not, as whole numbers or not."""

    item: Field
    name: str
    sequence: bool
    shown: dict[tuple[bool, bool], dict[str, Any]]


_KNOWN: dict[int, _Known] = {}
"""By the id of a field, since every action of an import asks for the same; the field is kept with it, so that the id stays its own."""


def _known(item: Field) -> _Known:
    sequence = item.kind in ("numbers", "series", "vector") or (item.kind == "integers" and item.size > 2)
    known = _KNOWN[id(item)] = _Known(item, item.property, sequence, {})
    return known


def _shown(item: Field, text: bool, whole: bool) -> dict[str, Any]:
    """How Blender is to show a property: its tooltip, and of numbers the limits; several whole numbers, kept as floats, without digits
    after the point."""
    details: dict[str, Any] = {"description": item.tooltip}
    if text:
        return details
    kind = int if whole else float
    limits = {"min": item.minimum, "max": item.maximum}
    details |= {name: kind(limit) for name, limit in limits.items() if limit is not None}
    return details | ({"precision": 0, "step": 100} if item.kind in ("integers", "series") and not whole else {})


def read(block: Block, table: Iterable[Field]) -> dict[str, Any]:
    """The values that a block has, by field name. Raises ExportError, a line for each that is not what its field can hold."""
    table = tuple(table)
    values = {item.property: plain(block[item.property]) for item in table if item.property in block}
    return checked(table, values, block.name)


def copied(value: Any) -> Any:
    """A property's value by itself: what Blender gives of lists and groups is gone when the property is."""
    if isinstance(value, list):  # of groups
        return [copied(item) for item in cast("list[Any]", value)]
    return next((getattr(value, name)() for name in ("to_list", "to_dict") if hasattr(value, name)), value)


def plain(value: Any) -> Any:
    """Lists and the like as tuples; everything else as it is."""
    if isinstance(value, str | bytes | Mapping) or not hasattr(value, "__len__"):
        return cast(Any, value)
    return tuple(value.to_list() if hasattr(value, "to_list") else value)


def listed(text: object) -> list[Any]:
    """What a property keeps as JSON: a list, empty for any other text, for a file may be spoiled."""
    kept = _unpacked(text)
    return cast("list[Any]", kept) if isinstance(kept, list) else []


def grouped(text: object) -> dict[str, Any]:
    """As `listed`, of values by their names."""
    kept = _unpacked(text)
    return cast("dict[str, Any]", kept) if isinstance(kept, dict) else {}


def _unpacked(text: object) -> object:
    try:
        return json.loads(str(text))
    except (ValueError, RecursionError):
        return None


def numbers(values: Iterable[Any]) -> list[float]:
    """Whole numbers as a property holds them: as floats, since Blender's FBX exporter takes any three numbers for a vector of floats and
    fails on others. `whole` reads them."""
    return [float(value) for value in values]


def whole(values: Any) -> list[int] | None:
    """The whole numbers of a property, which older .blend files hold as such; None for anything else."""
    if not hasattr(values, "__len__") or isinstance(values, str | bytes):
        return None
    items = list(values)
    if not all(isinstance(value, int | float) and math.isfinite(value) and value == value // 1 for value in items):
        return None
    return [int(value) for value in items]
