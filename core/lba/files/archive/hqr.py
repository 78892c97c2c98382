"""HQR, the archive of both games: a table of offsets, then entries of header, packed data and, in voice files, hidden records."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....files import address, unpacking
from ....files.binary import Bytes, Reader
from ....reporting import log
from ....reporting.errors import BlankError, FormatError
from . import lz
from .hqr_table import HEADER, METHODS, end_of_entries, first_offset


@dataclass(frozen=True)
class Entry:
    """The header of one entry: sizes in bytes, unpacked and in the file; method 0 plain, 1 LZSS, 2 LZMIT."""

    real_size: int
    packed_size: int
    method: int


@dataclass(frozen=True, eq=False)
class Hqr:
    """An archive as it is: which slot shows which blob, and the blobs in file order.

    slots: for every slot of the table the index of its blob, or -1 for one without (blank, or with a value kept in `odd`).
        Slots of the same blob share an offset ("virtual entries").
    blobs: header, data and hidden records of an entry, up to the next one.
    odd: table values that point nowhere in the file, by slot; kept as they are. Of an archive that is cut off also where its entries end,
        behind the last slot, until it is written anew.
    closed: whether the last table value is where the entries end, as in all files of the games. It is not one of `slots`.
    tail: bytes behind the end of the entries, or behind a table of blank slots alone, such as padding; none in the games' files.
    """

    slots: NDArray[np.int32]
    blobs: tuple[memoryview | bytes, ...]
    odd: dict[int, int]
    closed: bool = True
    tail: bytes = b""

    @classmethod
    def parse(cls, data: Bytes) -> Hqr:
        """Raises FormatError when this is no HQR archive. Damaged entries do not harm the others: see `read`."""
        reader = Reader(data)
        size = reader.left
        if size < 8:
            raise FormatError(f"not an HQR archive: {size} bytes are too few", 0)
        first = first_offset(np.frombuffer(reader.data[: size // 4 * 4], "<u4"), size)
        if first % 4 or first == 0 or first > size:
            raise FormatError(f"not an HQR archive: the first entry cannot be at {first} in {size} bytes", 0)
        table = reader.array("<u4", first // 4, "the offset table")
        end = end_of_entries(table, reader.data)
        closed = end is not None
        slots = table[:-1] if closed else table
        valid = (slots >= first) & (slots < size)
        starts, blob_of = np.unique(slots[valid], return_inverse=True)
        if end is None:
            end = size if len(starts) else first  # behind blank slots alone nothing is an entry
        index = np.full(len(slots), -1, np.int32)
        index[valid] = blob_of
        ends = [*starts.tolist(), end]
        blobs = tuple(reader.data[start:end] for start, end in pairwise(ends))
        odd = {int(slot): int(slots[slot]) for slot in np.flatnonzero(~valid & (slots != 0))}
        if end > size:
            log.warning(f"it is cut off: its entries end at 0x{end:X}, or its last one starts there, and {size} bytes are there")
            odd[len(slots)], end = end, size
        return cls(index, blobs, odd, closed, bytes(reader.data[end:]))

    @classmethod
    def empty(cls) -> Hqr:
        return cls(np.zeros(0, np.int32), (), {})

    def pack(self) -> bytes:
        count = len(self.slots) + self.closed
        starts = np.cumsum([4 * count, *map(len, self.blobs)], dtype=np.int64)
        table = np.zeros(count, "<u4")
        filled = self.slots >= 0
        table[: len(self.slots)][filled] = starts[self.slots[filled]]
        if self.closed:
            table[-1] = starts[-1]
        for slot, value in self.odd.items():
            table[slot] = value
        return b"".join((table.tobytes(), *self.blobs, self.tail))

    def __len__(self) -> int:
        return len(self.slots)

    def blank(self, index: int) -> bool:
        return bool(self.slots[index] < 0) and index not in self.odd

    def name(self, index: int) -> str:  # noqa: ARG002 - as archives are asked for the names of their entries
        """Entries of an HQR are only counted."""
        return ""

    def shared(self, index: int) -> list[int]:
        """The other slots that show the same blob."""
        slots = self.showing(index)
        own = bisect_left(slots, index)
        return [*slots[:own], *slots[own + 1 :]]

    def showing(self, index: int) -> Sequence[int]:
        """All slots that show the blob of this one, which is among them; none for one without. In their order."""
        return self._slots_by_blob[int(self.slots[index])] if self.slots[index] >= 0 else ()

    @cached_property
    def _slots_by_blob(self) -> dict[int, list[int]]:
        slots: dict[int, list[int]] = {}
        for slot, blob in enumerate(self.slots.tolist()):
            slots.setdefault(blob, []).append(slot)
        return slots

    @cached_property
    def _starts(self) -> list[int]:
        """Where each blob starts in the file."""
        return list(accumulate(map(len, self.blobs), initial=4 * (len(self.slots) + self.closed)))

    def stored(self, index: int) -> int:
        """The index of the blob that a slot shows, -1 for none."""
        return int(self.slots[index])

    def offset(self, index: int) -> int:
        """Where the entry starts in the file."""
        blob = int(self.slots[index])
        if blob < 0:
            return self.odd.get(index, 0)
        return self._starts[blob]

    def entry(self, index: int) -> Entry:
        """The header. Raises FormatError when the entry is blank, outside the file or cut off."""
        if not 0 <= index < len(self):
            raise FormatError(f"there is no entry {index}; the archive has {len(self)}")
        if self.blank(index):
            raise BlankError(f"entry {index} is blank")
        if index in self.odd:
            raise FormatError(f"entry {index} lies outside the file, at 0x{self.odd[index]:X}", 4 * index)
        blob = self.blobs[int(self.slots[index])]
        left = len(blob) - HEADER.size
        if left < 0:
            raise FormatError(f"entry {index} is cut off in its header", self.offset(index))
        entry = Entry(*HEADER.unpack_from(blob))
        if entry.method >= len(METHODS):
            raise FormatError(f"entry {index} has unknown compression method {entry.method}", self.offset(index) + 8)
        unpacking.check_size(entry.real_size, f"entry {index}", self.offset(index))
        stored = entry.packed_size if entry.method else max(entry.packed_size, entry.real_size)
        if stored > left:
            raise FormatError(f"entry {index} claims {stored} bytes, {left} are there", self.offset(index))
        return entry

    def read(self, index: int) -> bytes:
        """The unpacked bytes. Raises FormatError as `entry`, and when the compressed data is damaged."""
        entry = self.entry(index)
        data = memoryview(self.blobs[int(self.slots[index])])[HEADER.size :]
        if entry.method == 0:
            return bytes(data[: entry.real_size])
        unpacking.spend(entry.real_size, f"entry {index}", self.offset(index))
        try:
            plain, used = lz.expand(data[: entry.packed_size], entry.real_size, entry.method)
        except FormatError as error:
            raise FormatError(f"entry {index}: {error.problem}", self.offset(index) + HEADER.size + (error.offset or 0)) from None
        if used != entry.packed_size:
            log.warning(f"entry {index}: {entry.packed_size - used} packed bytes were not needed")
        return plain

    def head(self, index: int, count: int) -> bytes:
        """The first `count` unpacked bytes, or as many as there are. Raises FormatError as `read`, for damage as far as that."""
        entry = self.entry(index)
        data = memoryview(self.blobs[int(self.slots[index])])[HEADER.size :]
        size = min(count, entry.real_size)
        if entry.method == 0:
            return bytes(data[:size])
        unpacking.spend(size, f"entry {index}", self.offset(index))
        try:
            return lz.expand(data[: entry.packed_size], size, entry.method)[0]
        except FormatError as error:
            raise FormatError(f"entry {index}: {error.problem}", self.offset(index) + HEADER.size + (error.offset or 0)) from None

    def hidden(self, index: int) -> bytes:
        """The records between this entry's data and the next table offset."""
        entry = self.entry(index)
        return bytes(self.blobs[int(self.slots[index])][HEADER.size + entry.packed_size :])

    def with_entry(self, index: int, data: bytes, method: int = 1) -> Hqr:
        """A new archive in which slot `index` (at most one past the last) holds `data`; every other blob stays as it is.

        A slot that shared its blob gets one of its own; hidden records stay with the entry. Packed with `method` where that helps. Raises
        FormatError where another slot, whose entry was cut off, would show a part of the new one.
        """
        if not 0 <= index <= len(self):
            raise FormatError(f"entry {index} cannot be written: the archive has {len(self)}, so {len(self)} is the first new one")
        packed = lz.compress(data, method) if method else None
        header = HEADER.pack(len(data), len(packed or data), method if packed else 0)
        old = int(self.slots[index]) if index < len(self) else -1
        blob = header + (packed or data)
        if old >= 0 and not self.shared(index):
            blobs = (*self.blobs[:old], blob + self._hidden_or_nothing(index), *self.blobs[old + 1 :])
            return replace(self, blobs=blobs, odd=self._odd_without(index))._unreached()
        slots = np.append(self.slots, np.int32(-1)) if index == len(self) else self.slots.copy()
        position = self._position_after(index)
        slots[slots >= position] += 1
        slots[index] = position
        blobs = (*self.blobs[:position], blob, *self.blobs[position:])
        return replace(self, slots=slots, blobs=blobs, odd=self._odd_without(index))._unreached()

    def _odd_without(self, index: int) -> dict[int, int]:
        """As of the archive that is written anew, in which this slot is another."""
        return {slot: value for slot, value in self.odd.items() if slot != index and slot < len(self)}

    def _unreached(self) -> Hqr:
        """Itself, unless it has grown as far as a slot points that showed nothing: Raises FormatError then, which names all such slots."""
        end = self._starts[-1] + len(self.tail)
        if any(self._starts[0] <= value < end for value in self.odd.values()):
            slots = address.spelled(sorted(self.odd))
            lie = f"entry {slots} lies" if len(self.odd) == 1 else f"entries {slots} lie"
            remedy = f"make {'it' if len(self.odd) == 1 else 'them'} blank first (archive blank FILE {slots})"
            raise FormatError(f"{lie} outside the file, and would show what is written: {remedy}, or take a whole copy of the archive")
        return self

    @property
    def methods(self) -> tuple[str, ...]:
        """The names of the compressions, by number."""
        return METHODS

    def replaced(self, index: int, data: bytes, method: int | None = None) -> Hqr:
        """As `with_entry`. method: None for the one that the entry has, or else most of the archive's entries have.

        A compression of LBA2 in an archive that has LZSS alone is reported: LBA1 cannot read it."""
        known = self._method_counts()
        if method is None:
            own = self._method_of(index) if index < len(self) else None
            method = own if own is not None else max(known, key=lambda each: known[each], default=1)
        if index == len(self):
            self._report_cut_off()
        if method == len(METHODS) - 1 and known.keys() and method not in known:
            log.warning(f"entry {index}: no other entry is {METHODS[method]}, and Little Big Adventure 1 cannot read that")
        return self.with_entry(index, data, method)

    def _report_cut_off(self) -> None:
        """That the entry behind which a new one goes was cut off before."""
        last = next((index for index in range(len(self)) if self.slots[index] == len(self.blobs) - 1), None)
        try:
            if last is not None:
                self.entry(last)
        except FormatError as error:
            log.warning(f"{error.problem}: it was cut off before, and stays so")

    def blanked(self, index: int) -> Hqr:
        """A new archive in which slot `index` is blank; every other slot stays as it is. Raises FormatError where there is none."""
        if not 0 <= index < len(self):
            raise FormatError(f"there is no entry {index}; the archive has {len(self)}")
        slots = self.slots.copy()
        slots[index] = -1
        return replace(self, **_only_shown(slots, self.blobs), odd=self._odd_without(index))

    def _method_of(self, index: int) -> int | None:
        try:
            return self.entry(index).method
        except FormatError:
            return None

    def _method_counts(self) -> dict[int, int]:
        """How many entries have each compression, as far as they can be read; LZSS first where as many have two."""
        methods = [method for index in range(len(self)) if (method := self._method_of(index)) is not None]
        return {method: methods.count(method) for method in (1, 2, 0) if method in methods}

    def restored(self, index: int, backup: Hqr) -> Hqr:
        """A new archive in which slot `index` is as in `backup`, to the byte, hidden records included; every other slot stays as it is.

        One that is blank there becomes blank; one that shared its blob there shares it again where that is unchanged. Raises FormatError
        for a slot that one of them does not have.
        """
        if not 0 <= index < len(self):
            raise FormatError(f"there is no entry {index} to restore; the archive has {len(self)}")
        if index >= len(backup):
            raise FormatError(f"the backup has no entry {index}, which was added since, and stays: it can be made blank instead")
        wanted = int(backup.slots[index])
        slots, blobs = self.slots.copy(), list(self.blobs)
        odd = self._odd_without(index)
        slots[index] = -1
        if index in backup.odd:
            odd[index] = backup.odd[index]
        if wanted >= 0:
            blob = backup.blobs[wanted]
            twins = [int(slots[slot]) for slot in backup.shared(index) if slot < len(slots) and slots[slot] >= 0]
            same = [twin for twin in twins if bytes(blobs[twin]) == bytes(blob)]
            position = same[0] if same else int(slots[:index].max(initial=-1)) + 1
            if not same:
                slots[slots >= position] += 1
                blobs.insert(position, blob)
            slots[index] = position
        return replace(self, **_only_shown(slots, blobs), odd=odd)._unreached()

    def _hidden_or_nothing(self, index: int) -> bytes:
        try:
            return self.hidden(index)
        except FormatError:
            return b""

    def _position_after(self, index: int) -> int:
        """Where a new blob of slot `index` goes so that the blobs stay in slot order: that of slot 0 marks the table's end."""
        return int(self.slots[:index].max(initial=-1)) + 1


def _only_shown(slots: NDArray[np.int32], blobs: Sequence[memoryview | bytes]) -> dict[str, Any]:
    """`slots` and `blobs` of an archive without the blobs that no slot shows."""
    left = np.unique(slots[slots >= 0]).astype(np.int32)
    slots = np.where(slots >= 0, np.searchsorted(left, slots), -1).astype(np.int32)
    return {"slots": slots, "blobs": tuple(blobs[int(blob)] for blob in left)}
