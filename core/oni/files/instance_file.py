"""What a .oni and a level have in common: instances by their numbers."""

from __future__ import annotations

from abc import ABC, abstractmethod

from ...files.binary import Bytes
from ...record import numerous
from ..records.record import Raw, Record
from .extraction import take
from .instances import Tables


@numerous
class InstanceFile(ABC):
    """tables: the descriptors of all instances, and their names."""

    tables: Tables

    @property
    @abstractmethod
    def raw_area(self) -> Raw:
        """What raw pointers lead to."""

    @abstractmethod
    def bytes_of(self, index: int) -> bytes:
        """An instance's data, with its prefix. Raises FormatError when it is not in the data table."""

    def part(self, index: int) -> Bytes:
        """As `bytes_of`, where it need not be a copy."""
        return self.bytes_of(index)

    def __len__(self) -> int:
        return len(self.tables)

    def blank(self, index: int) -> bool:
        return self.tables.blank(index)

    def name(self, index: int) -> str:
        return self.tables.name(index)

    def tag(self, index: int) -> str:
        return self.tables.tag(index)

    def record(self, index: int) -> Record:
        """An instance of a known kind. Raises FormatError, also for one that is in another file."""
        return take(self.tables, index, self.part(index), self.raw_area)
