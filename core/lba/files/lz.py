"""The two compressions of HQR archives: method 1 (LZSS) and 2 (LZMIT), which differ only in the shortest match.

A flag byte governs the next eight items, lowest bit first: 1 a literal byte, 0 a u16 with the match's length in the
low four bits (less method + 1) and its distance in the rest (less 1). Source: EXPAND.ASM of the LBA1 engine.
"""

from __future__ import annotations

from functools import cache

from ...files.binary import Bytes
from ...reporting.errors import FormatError

WINDOW = 4096
RECOVER_AREA = 500
"""Bytes behind the buffer in which the DOS loader keeps the packed data while it expands in place."""

_TRIES = 512
"""How many earlier positions of a match are tried; more does not make the game's own files noticeably smaller."""


def expand(data: Bytes, size: int, method: int) -> tuple[bytes, int]:
    """The `size` unpacked bytes, and how many of `data` were used.

    Raises FormatError when a match points before the start, or when data ends too early. A claimed size that no stream
    of this length can reach is refused before anything is unpacked.
    """
    packed = bytes(data)
    end = len(packed)
    extra, first_bytes = method + 1, _FIRST_BYTE[method]
    if size > end * (8 * (15 + extra)) // 17 + 8 * (15 + extra):
        raise FormatError(f"damaged compressed data: {end} bytes cannot unpack to {size}", 0)
    out = bytearray()
    position = filled = 0
    most = 8 * (15 + extra)
    try:
        while filled < size:
            runs, tail = (
                _RUNS[packed[position]] if filled + most <= size else _cut(packed[position], packed, position + 1, size - filled, extra)
            )
            position += 1
            for run in runs:
                if run:
                    out += packed[position : position + run]
                    position += run
                    filled += run
                length, near = first_bytes[packed[position]]
                distance = near + _SECOND_BYTE[packed[position + 1]]
                position += 2
                start = filled - distance
                filled += length
                if start < 0:
                    raise FormatError("damaged compressed data: a match points before the start", position - 2)
                if length <= distance:
                    out += out[start : start + length]
                else:
                    out += (out[start:] * (length // distance + 1))[:length]
            if tail:
                out += packed[position : position + tail]
                position += tail
                filled += tail
                if position > end:
                    raise IndexError
    except IndexError:
        raise FormatError(f"damaged compressed data: it ends after {len(out)} of {size} bytes", end) from None
    del out[size:]
    return bytes(out), position


_FIRST_BYTE = {method: [((byte & 15) + method + 1, (byte >> 4) + 1) for byte in range(256)] for method in (1, 2)}
_SECOND_BYTE = [byte << 4 for byte in range(256)]
"""The length that a match's first byte says by the method, with its share of the distance, and the share of the second byte: looked up,
since that takes a sixth less of the whole than reckoning them for each match."""


Runs = tuple[tuple[int, ...], int]
"""The literals before each match that a flag byte asks for, and those after the last."""


@cache
def _runs(flags: int, items: int) -> Runs:
    """Of the first `items` of a flag byte."""
    parts = "".join("l" if flags >> bit & 1 else "m" for bit in range(items)).split("m")
    return tuple(map(len, parts[:-1])), len(parts[-1])


_RUNS = [_runs(flags, 8) for flags in range(256)]


def _cut(flags: int, packed: bytes, position: int, left: int, extra: int) -> Runs:
    """As many of the last flag byte's items as it takes to fill `left` bytes; raises IndexError where `packed` ends."""
    items = 0
    while left > 0 and items < 8:
        if flags >> items & 1:
            left, position = left - 1, position + 1
        else:
            left, position = left - (packed[position] & 15) - extra, position + 2
        items += 1
    return _runs(flags, items)


def compress(data: Bytes, method: int) -> bytes | None:
    """`data` packed greedily, or None where packing does not help or the DOS loader could not expand it in place."""
    plain = bytes(data)
    shortest, longest = method + 1, method + 16
    size = len(plain)
    out = bytearray()
    positions: dict[bytes, list[int]] = {}
    lead = 0  # how far the writer is ahead of the reader, at most
    position = 0
    while position < size:
        flag_at = len(out)
        out.append(0)
        for bit in range(8):
            if position >= size:
                break
            length, distance = _longest(plain, position, positions, shortest, min(longest, size - position))
            step = length or 1
            if length:
                pair = (distance - 1) << 4 | (length - shortest)
                out += bytes((pair & 255, pair >> 8))
            else:
                out.append(plain[position])
                out[flag_at] |= 1 << bit
            for index in range(position, min(position + step, size - shortest + 1)):
                positions.setdefault(plain[index : index + shortest], []).append(index)
            position += step
            lead = max(lead, position - len(out))
    if len(out) >= size or lead > size - len(out) + RECOVER_AREA:
        return None
    return bytes(out)


def _longest(plain: bytes, position: int, positions: dict[bytes, list[int]], shortest: int, longest: int) -> tuple[int, int]:
    """Length and distance of the longest earlier match; length 0 where there is none worth its two bytes."""
    best, distance = 0, 0
    if longest < shortest:
        return best, distance
    for start in reversed(positions.get(plain[position : position + shortest], ())[-_TRIES:]):
        if position - start > WINDOW:
            break
        if best and plain[start + best] != plain[position + best]:
            continue
        length = shortest
        while length < longest and plain[start + length] == plain[position + length]:
            length += 1
        if length > best:
            best, distance = length, position - start
            if best == longest:
                break
    return best, distance
