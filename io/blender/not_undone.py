"""Custom properties that say what a file has of a data-block. Undo takes the property back, and leaves the file as it was written: so what
they are is also known for the session."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import bpy

_values: dict[tuple[int, str], Any] = {}
"""By Blender's number of a block in the session, which undo keeps, and the name of the property."""

_changes: dict[tuple[int, str], dict[str, bool]] = {}
"""By the same, lines of a property that writing a file has added (True) or dropped."""


def keep(block: bpy.types.ID, name: str, value: str | list[float]) -> None:
    block[name] = value
    _values[block.session_uid, name] = value


def kept(block: bpy.types.ID, name: str) -> Any:
    """What a property was set to last, in this session or before; None for nothing. Somebody else may have spoilt it."""
    return _values.get((block.session_uid, name), block.get(name))


def lines_of(block: bpy.types.ID, name: str) -> list[str]:
    """The lines of a property, with those that `change_lines` has added since, and without those that it has dropped."""
    value, changes = block.get(name), _changes.get((block.session_uid, name), {})
    present = [line for line in value.splitlines() if changes.get(line, True)] if isinstance(value, str) else []
    return list(dict.fromkeys([*present, *(line for line, is_there in changes.items() if is_there)]))


def add_lines(block: bpy.types.ID, name: str, lines: Iterable[str]) -> None:
    """Lines that undo takes back together with what they stand for."""
    changes, new = _changes.get((block.session_uid, name), {}), list(lines)
    for line in new:
        if changes.get(line) is False:
            del changes[line]
    block[name] = "\n".join(dict.fromkeys([*lines_of(block, name), *new]))


def change_lines(block: bpy.types.ID, name: str, *, added: Iterable[str] = (), dropped: Iterable[str] = ()) -> None:
    """Add and drop lines as the file was written, which undo does not take back."""
    _changes.setdefault((block.session_uid, name), {}).update(dict.fromkeys(added, True) | dict.fromkeys(dropped, False))
    block[name] = "\n".join(lines_of(block, name))
