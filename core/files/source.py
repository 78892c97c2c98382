"""Where a container's bytes come from: memory, or a file of which only what is asked for is read."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from ..record import numerous
from ..reporting.errors import FormatError
from .binary import Bytes
from .disk.opening import opened


class Source(Protocol):
    """Bytes that can be read in any order."""

    @property
    def size(self) -> int: ...

    def read(self, offset: int, size: int, what: str) -> Bytes:
        """Raises FormatError when they are not all there."""
        ...


@numerous
class Memory:
    """A file that was read as a whole."""

    data: Bytes

    @property
    def size(self) -> int:
        return len(self.data)

    def read(self, offset: int, size: int, what: str) -> Bytes:
        if offset + size > len(self.data):
            check(self, offset, size, what)
        return memoryview(self.data)[offset : offset + size]


@numerous
class OnDisk:
    """A file on disk; it is open only while something is read. size: when it was opened first."""

    path: str
    size: int

    @classmethod
    def of(cls, path: str | Path) -> OnDisk:
        """Raises FormatError when there is no such file."""
        try:
            return cls(str(path), Path(path).stat().st_size)
        except OSError as error:
            raise FormatError(error.strerror or str(error), path=str(path)) from error

    def read(self, offset: int, size: int, what: str) -> Bytes:
        check(self, offset, size, what)
        with opened(self.path) as (file, _):
            file.seek(offset)
            data = file.read(size)
        if len(data) != size:
            raise FormatError(f"{what}: the file became shorter", offset, self.path)
        return data


def check(source: Source, offset: int, size: int, what: str) -> None:
    """Raises FormatError unless the bytes are there."""
    if size > source.size - offset:
        raise FormatError(f"{what}: {size} bytes expected, {max(source.size - offset, 0)} left", offset)
