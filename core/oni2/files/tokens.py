"""The game's text files as tokens: names, numbers and braces between white space and comments, each with its position in the text."""

from __future__ import annotations

import math
import re
import string
import struct
from collections.abc import Iterator
from typing import NamedTuple

from ...files.binary import Bytes
from ...reporting.errors import ExportError, FormatError

ENCODING = "latin-1"
"""Every byte is a character, so that any file comes back as it was."""

BOM = "\xef\xbb\xbf"
"""What editors put before a text in UTF-8, as decoded here."""

_END = "\0\x1a"
"""What old programs put behind a text."""

_TOKEN = re.compile(r"(?:#|//)[^\r\n]*|[{}]|\"[^\"\r\n]*\"|(?:(?!//)[^\s{}#\"])+|\"", re.ASCII)
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?[fF]?\Z")
_FLOAT = struct.Struct("<f")
_LINE_END = re.compile(r"\r\n|[\r\n]")
_LARGEST = 3.4028234663852886e38
_LONGEST = 400


class Token(NamedTuple):
    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def keyword(self) -> str:
        """As keywords are compared: without case, without quotes and without the colon that some carry."""
        return self.text.strip('"').rstrip(":").lower()

    @property
    def number(self) -> float | None:
        """The value as a finite 32-bit number, None for any other token."""
        if len(self.text) > _LONGEST or not _NUMBER.match(self.text):
            return None
        value = float(self.text.rstrip("fF"))
        return _FLOAT.unpack(_FLOAT.pack(value))[0] if math.isfinite(value) and abs(value) <= _LARGEST else None


def decode(data: Bytes) -> str:
    return bytes(data).decode(ENCODING)


def lines_of(text: str, keepends: bool = False) -> list[str]:
    """Its lines. Of letters beyond ASCII, which may be half of one in another encoding, none ends a line."""
    return [line.decode(ENCODING) for line in text.encode(ENCODING).splitlines(keepends)]


def is_text(text: str) -> bool:
    """Whether there is no zero in it but behind its end."""
    return "\0" not in text.rstrip(_END)


def encode(text: str, names: str) -> bytes:
    """names: what in the text may be a person's. Raises ExportError for letters that no file has."""
    try:
        return text.encode(ENCODING)
    except UnicodeEncodeError as error:
        raise ExportError(f"{names} has characters that the file cannot hold: {text[error.start : error.end]!r}") from error


class Tokens:
    """Reads a text token by token; comments and white space are passed over."""

    def __init__(self, text: str, start: int = 0) -> None:
        self.text = text
        self._iterator = self._scan(start)
        self._next: Token | None = next(self._iterator, None)

    def _scan(self, start: int) -> Iterator[Token]:
        start = start or len(BOM) * self.text.startswith(BOM)
        for match in _TOKEN.finditer(self.text, start, len(self.text.rstrip(_END + string.whitespace))):
            text = match[0]
            if not text.startswith(("#", "//")):
                yield Token(text, match.start())

    @property
    def peek(self) -> Token | None:
        """What comes next, None at the end."""
        return self._next

    def take(self) -> Token | None:
        """The next token, which is used up."""
        token, self._next = self._next, next(self._iterator, None)
        return token

    def number(self) -> float | None:
        """The next token if it is a number; else None, and it stays."""
        value = self._next.number if self._next is not None else None
        if value is not None:
            self.take()
        return value

    def numbers(self, count: int, what: str, after: Token) -> tuple[float, ...]:
        """Raises FormatError with the line of `after`, and what stands there, when there are fewer than `count`."""
        values: list[float] = []
        while len(values) < count:
            value = self.number()
            if value is None:
                there = f", not {self._next.text}" if self._next is not None else ""
                raise self.error(f"{what}: a number expected{there}", after)
            values.append(value)
        return tuple(values)

    def skip_line(self, token: Token) -> None:
        """Pass over what stands on the same line as `token`, up to a brace."""
        end = line_end(self.text, token.end)
        while self._next is not None and self._next.start < end and self._next.text not in "{}":
            self.take()

    def skip_block(self, opening: Token) -> None:
        """Pass over everything up to the brace that closes the one just taken. Raises FormatError when there is none."""
        depth = 1
        while depth:
            token = self.take()
            if token is None:
                raise self.error("a brace is never closed", opening)
            depth += (token.text == "{") - (token.text == "}")

    def error(self, problem: str, token: Token) -> FormatError:
        return FormatError(f"line {line_of(self.text, token.start)}: {problem}", token.start)


def line_of(text: str, position: int) -> int:
    """Counted from 1."""
    return len(_LINE_END.findall(text, 0, position)) + 1


def line_end(text: str, position: int) -> int:
    """Where the line that `position` is in ends: at the last byte of its line end, which is that of any system, or at the text's end."""
    match = _LINE_END.search(text, position)
    return len(text) if match is None else match.end() - 1


def line_start(text: str, position: int) -> int:
    return max(text.rfind("\n", 0, position), text.rfind("\r", 0, position)) + 1


def line_end_of(text: str) -> str:
    """What ends the lines of a text: what ends its first one, a line feed where none has an end."""
    match = _LINE_END.search(text)
    return "\n" if match is None else match[0]
