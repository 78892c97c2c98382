"""The tables that are texts, and stay as they are but for the lines that somebody edits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

from ....files.binary import Bytes
from ....reporting.errors import FormatError
from .. import names


@dataclass(frozen=True, eq=False)
class TextTable:
    """what: such a file is, for messages. lines: the whole text, each with its line end, in the file's own encoding."""

    what: ClassVar[str]

    lines: tuple[bytes, ...]

    @classmethod
    def parse(cls, data: Bytes) -> Self:
        """Raises FormatError for what is no text, and for one in UTF-16."""
        text = bytes(data)
        if text.startswith(names.UTF_16):
            raise FormatError(f"{cls.what} in UTF-16, which the game does not read: save it as text of one byte a letter, not as Unicode")
        if (nul := text.find(b"\0")) >= 0:
            raise FormatError(f"not a text, so no {cls.what}", nul)
        return cls(tuple(text.splitlines(keepends=True)))

    def pack(self) -> bytes:
        return b"".join(self.lines)
