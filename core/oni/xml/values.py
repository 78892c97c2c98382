"""Reading OniSplit's XML: a cursor that takes elements in their fixed order, and their values within their limits.

Whatever is wrong is a FormatError that names the element and its line.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from ...motion.rotations.rotation_matrix import Floats
from ...reporting.errors import FormatError, RetroAnimError
from .floats import single, to_float
from .tree import Node


class Cursor:
    """The children of an element, taken one after the other."""

    def __init__(self, node: Node) -> None:
        self.node = node
        self.position = 0

    def optional(self, tag: str) -> Node | None:
        """The next element if it is `tag`."""
        if self.position < len(self.node.children) and self.node.children[self.position].tag == tag:
            self.position += 1
            return self.node.children[self.position - 1]
        return None

    def take(self, tag: str) -> Node:
        """The next element, which must be `tag`."""
        result = self.optional(tag)
        if result is None:
            raise self._unexpected(f"<{tag}> expected")
        return result

    def enter(self, tag: str) -> Cursor:
        return Cursor(self.take(tag))

    def all(self, tag: str) -> list[Node]:
        """All elements that are left, which must be `tag`."""
        start, self.position = self.position, len(self.node.children)
        for child in self.node.children[start:]:
            if child.tag != tag:
                raise wrong(child, f"<{child.tag}> where only <{tag}> may stand")
        return self.node.children[start:]

    def finish(self) -> None:
        if self.position < len(self.node.children):
            raise self._unexpected("nothing more expected")

    def whole(self, tag: str, low: int = 0, high: int = 0xFFFF) -> int:
        return whole(self.take(tag), low, high)

    def single(self, tag: str) -> np.float32:
        return np.float32(numbers(self.take(tag), 1)[0])

    def enumerated(self, tag: str, value: Callable[[str], int], high: int) -> int:
        """A number that is given by its name, or names, in an enumeration."""
        node = self.take(tag)
        try:
            result = value(node.text)
        except RetroAnimError as error:
            raise wrong(node, str(error)) from None
        if not 0 <= result <= high:
            raise wrong(node, f"{result} is not between 0 and {high}")
        return result

    def _unexpected(self, wanted: str) -> FormatError:
        if self.position < len(self.node.children):
            child = self.node.children[self.position]
            return wrong(child, f"{wanted} in <{self.node.tag}>, not <{child.tag}>")
        return wrong(self.node, f"{wanted} at the end of <{self.node.tag}>")


def wrong(node: Node, problem: str) -> FormatError:
    return FormatError(f"line {node.line}: {problem}", node.start)


def whole(node: Node, low: int, high: int) -> int:
    text = node.text
    if not re.fullmatch(r"[+-]?\d{1,10}", text):
        raise wrong(node, f"<{node.tag}>: {text or 'nothing'} is no whole number")
    if not low <= int(text) <= high:
        raise wrong(node, f"<{node.tag}>: {text} is not between {low} and {high}")
    return int(text)


def numbers(node: Node, count: int) -> list[float]:
    """Exactly `count` numbers, separated by spaces."""
    parts = node.text.split()
    if len(parts) != count:
        raise wrong(node, f"<{node.tag}>: {len(parts)} numbers instead of {count}")
    try:
        return [to_float(part) for part in parts]
    except ValueError as error:
        raise wrong(node, f"<{node.tag}>: {error} is no number") from None


def table(nodes: list[Node], count: int) -> Floats:
    """(nodes, count) numbers of elements."""
    return np.array([numbers(node, count) for node in nodes], np.float64).reshape(len(nodes), count)


def hundredths(node: Node, low: int, high: int) -> int:
    """A number with two decimals as the records have it. The rounding is OniSplit's: to the nearest, halves to even."""
    value = np.rint(np.float64(np.float32(numbers(node, 1)[0]) * np.float32(100)))
    if not low <= value <= high:
        raise wrong(node, f"<{node.tag}>: {node.text} is not between {low / 100:g} and {high / 100:g}")
    return int(value)


def from_hundredths(value: int | np.integer[Any]) -> str:
    return single(np.float32(value) / np.float32(100))


def leaf(tag: str, text: str | int | np.integer[Any] = "") -> Node:
    return Node(tag, str(text))


def branch(tag: str, *children: Node) -> Node:
    return Node(tag, children=list(children))
