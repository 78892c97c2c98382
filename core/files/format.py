"""A file format as everything else sees it: its name, and how it is recognised, opened and described."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

from .disk.opening import LARGEST

if TYPE_CHECKING:
    from .binary import Bytes

Kind = Literal["animation", "body", "skeleton", "archive", "entity", "palette"]


class Archive(Protocol):
    """A file of files. Entries are counted from 0; a blank one has a number and no file."""

    def __len__(self) -> int: ...

    def blank(self, index: int) -> bool: ...

    def name(self, index: int) -> str:
        """The entry's own name, empty where entries are only counted."""
        ...

    def read(self, index: int) -> bytes:
        """The entry's bytes, unpacked. Raises FormatError."""
        ...

    def pack(self) -> bytes: ...


@dataclass(frozen=True)
class Format:
    """recognise: from the first bytes (4096 or all) and the size. parse: raises FormatError. describe: facts for `info`, JSON-ready.

    open: for files that are too large to be read as a whole: the document by path, and the bytes that its pack() gives back.
    archive: for a kind that is an archive besides. entry_facts: how an archive stores an entry, which it may not be able to read.
    stored: what an archive stores an entry as, by number; entries of one number are the same, those below 0 none.
    around: facts by where a loose file is, from its path. located: in place of `describe`, facts of the document that need its address too,
    and the game that was asked for ("" or "auto" for none), of a format that several games share; raises FormatError.
    expected: whether an archive of this name has only entries of this kind, so that one that does not look like it is damaged.
    unready: what keeps the game from using a document that its file can hold, a line each, from it and its address.
    called: what people call the entries of an archive, as far as that is known, by number: from its path, the archive, the kinds of its
    entries, and a list of names ("" for one that lies beside); raises FormatError for such a list.
    listed: what a name means that is none of the archive's entries, but in a list which is one: its format, document and bytes; from the
    archive's path, the archive and the name; None where it is not that, raises FormatError where it is like that.
    file_name: in small letters, of the one file of it that a game has, which is one whatever it begins with.
    largest: bytes that a file of it may have.
    """

    name: str
    label: str
    game: str
    kind: Kind
    extensions: tuple[str, ...]
    recognise: Callable[[bytes, int], bool]
    parse: Callable[[Bytes], Any]
    describe: Callable[[Any], dict[str, Any]]
    open: Callable[[str], tuple[Any, bytes]] | None = None
    archive: Callable[[Any], Archive] | None = None
    entry_facts: Callable[[Any, int], dict[str, Any]] | None = None
    stored: Callable[[Any, int], int] | None = None
    around: Callable[[str], dict[str, Any]] | None = None
    located: Callable[[Any, str, str], dict[str, Any]] | None = None
    expected: Callable[[str], bool] | None = None
    unready: Callable[[Any, str], list[str]] | None = None
    called: Callable[[str, Any, Mapping[int, Kind], str], dict[int, str]] | None = None
    listed: Callable[[str, Any, str], tuple[Format, Any, Bytes] | None] | None = None
    file_name: str = ""
    largest: int = LARGEST


def never(_head: bytes, _size: int) -> bool:
    """How a format is recognised that no content shows, but its name, or where it lies."""
    return False
