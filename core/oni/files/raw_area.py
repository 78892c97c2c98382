"""The raw area of a container: the large arrays that stand outside of its records."""

from __future__ import annotations

from ...files.binary import Bytes
from ...files.source import Source
from ...record import numerous
from ...reporting.errors import FormatError


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
