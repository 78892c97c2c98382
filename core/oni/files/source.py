"""Where a container's bytes come from: memory, or a file of which only what is asked for is read."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from ...files.binary import Bytes
from ...files.opening import opened
from ...record import numerous
from ...reporting.errors import FormatError


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
    if offset > source.size or size > source.size - offset:
        raise FormatError(f"{what}: {size} bytes expected, {max(source.size - offset, 0)} left", offset)


@numerous
class RawArea:
    """The raw area of a container, see `record.Raw`. start, size: where it lies in its source."""

    source: Source
    start: int
    size: int

    def exactly(self, pointer: int, size: int, what: str) -> Bytes:
        if pointer > self.size or size > self.size - pointer:
            raise FormatError(f"{what}: {size} bytes of raw data expected at 0x{pointer:X}, but there are 0x{self.size:X}")
        return self.source.read(self.start + pointer, size, what)

    def up_to(self, pointer: int, size: int, what: str) -> Bytes:
        if pointer > self.size:
            raise FormatError(f"{what}: raw data expected at 0x{pointer:X}, but there are 0x{self.size:X} bytes")
        return self.exactly(pointer, min(size, self.size - pointer), what)


class NoRaw:
    """Stands for a raw area that is not there."""

    def exactly(self, _pointer: int, _size: int, what: str) -> Bytes:
        raise FormatError(f"{what}: raw data file missing")

    up_to = exactly
