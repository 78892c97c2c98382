"""OniSplit's XML of an OBAN, read and written: a plain dump of the record, in which two elements have misleading names [XML:OBAN]."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .. import enums
from ..records import oban
from ..records.oban import KEY, MOST_KEYS, Oban
from .floats import singles
from .tree import Node
from .values import Cursor, branch, leaf, numbers, whole, wrong

TICKS, LENGTH = "FrameLength", "FrameCount"
"""FrameLength is the ticks a frame, FrameCount the length in frames."""


@np.errstate(over="ignore", invalid="ignore")  # what is beyond single precision is infinite, and kept or refused as that
def read(root: Node) -> Oban:
    """The OBAN of <Oni><OBAN>, without a name. Raises FormatError naming the element and its line."""
    if root.tag != "Oni":
        raise wrong(root, f"<Oni> expected, not <{root.tag}>")
    outer = Cursor(root)
    record = outer.enter("OBAN")
    outer.finish()
    flags = record.enumerated("Flags", enums.OBAN_FLAGS.value, 0xFFFFFFFF)
    initial, base = (_transform(record.take(tag)) for tag in ("InitialTransform", "BaseTransform"))
    ticks, length, half_stop = record.whole(TICKS, -0x8000, 0x7FFF), record.whole(LENGTH), record.whole("HalfStopFrame")
    list_of_keys = record.take("KeyFrames")
    rows = [_key(Cursor(node)) for node in Cursor(list_of_keys).all("OBANKeyFrame")]
    record.finish()
    if not 0 < len(rows) <= MOST_KEYS:
        raise wrong(list_of_keys, f"<KeyFrames>: {len(rows)} keys; 1 to {MOST_KEYS} are possible")
    keys = np.array(rows, KEY)
    result = Oban("", 0, b"", flags, initial, base, ticks, length, half_stop, keys)
    problem = oban.problem_of(keys)
    if problem:
        raise wrong(list_of_keys.children[problem[0]], problem[1])
    return result


def _transform(node: Node) -> NDArray[np.float32]:
    """(4, 3)."""
    return np.array(numbers(node, 12), np.float32).reshape(4, 3)


def _key(cursor: Cursor) -> tuple[list[float], list[float], int]:
    rotation, translation = numbers(cursor.take("Rotation"), 4), numbers(cursor.take("Translation"), 3)
    frame = whole(cursor.take("Time"), 0, 0xFFFFFFFF)
    cursor.finish()
    return rotation, translation, frame


def tree_of(document: Oban) -> Node:
    """The elements."""
    flags = leaf("Flags", enums.OBAN_FLAGS.text(document.flags))
    flags.long = True
    keys = (
        branch("OBANKeyFrame", leaf("Rotation", singles(*rotation)), leaf("Translation", singles(*translation)), leaf("Time", frame))
        for rotation, translation, frame in document.keys
    )
    record = branch(
        "OBAN",
        flags,
        leaf("InitialTransform", singles(*document.initial.ravel())),
        leaf("BaseTransform", singles(*document.base.ravel())),
        leaf(TICKS, document.ticks),
        leaf(LENGTH, document.length),
        leaf("HalfStopFrame", document.half_stop),
        branch("KeyFrames", *keys),
    )
    record.attributes["id"] = "0"
    return branch("Oni", record)
