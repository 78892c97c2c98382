"""The two compressions of HQR archives: method 1 (LZSS) and 2 (LZMIT), which differ only in the shortest match.

A flag byte governs the next eight items, lowest bit first: 1 a literal byte, 0 a u16 with the match's length in the
low four bits (less method + 1) and its distance in the rest (less 1). Source: EXPAND.ASM of the LBA1 engine. Unpacked by
zlib, since a match may copy what the one before has just written: only the flag bytes are followed here, one by one.
"""

from __future__ import annotations

import zlib

import numpy as np
from numpy.typing import NDArray

from ....files.binary import Bytes
from ....reporting.errors import FormatError
from . import as_deflate

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
    end, longest = len(packed), method + 16
    if size > end * 8 * longest // 17:  # a byte of flags and eight matches of two bytes become that much at most
        raise FormatError(f"damaged compressed data: {end} bytes cannot unpack to {size}", 0)
    sizes, deflated = as_deflate.items(method)
    pairs: NDArray[np.uint16] = np.ndarray(end + 17, "<u2", packed + bytes(18), strides=(1,))
    stream = as_deflate.stream()
    out: list[bytes] = []
    position = filled = used = 0
    while filled < size:
        if position >= end:
            raise FormatError(f"damaged compressed data: it ends after {filled} of {size} bytes", end)
        flagged: list[int] = []
        needed = min((size - filled + 7) // 8, _AT_ONCE)
        while position < end and len(flagged) < needed:
            flagged.append(position)
            position += _STEP[packed[position]]
        blocks = np.array(flagged)
        flags = pairs[blocks] & 255
        at = (blocks[:, None] + _STARTS[flags]).ravel()
        items = pairs[at] + _LITERALS[flags].ravel()
        ahead = filled + sizes[items].cumsum(dtype=np.int64)
        count = min(int(ahead.searchsorted(size)) + 1, len(items))
        if position > end:  # the last items are cut off
            count = min(count, int((at + 2 - items // as_deflate.LITERAL).searchsorted(end, "right")))
        try:
            out.append(stream.decompress(deflated[items[:count]].tobytes())[::2])
        except zlib.error:
            lost = (items < as_deflate.LITERAL) & (items >> 4 >= ahead - sizes[items])
            raise FormatError("damaged compressed data: a match points before the start", int(at[lost.argmax()])) from None
        if count:
            filled, used = int(ahead[count - 1]), int(at[count - 1]) + 2 - int(items[count - 1]) // as_deflate.LITERAL
    return b"".join(out)[:size], used


_AT_ONCE = 4096
"""Flag bytes: with their items they fit into the processor's cache."""

_BITS = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little")
_LITERALS = _BITS * np.int32(as_deflate.LITERAL)
_STARTS = np.cumsum(2 - _BITS, axis=1, dtype=np.int64) - 1 + _BITS
_STEP: list[int] = (17 - _BITS.sum(axis=1, dtype=np.int64)).tolist()
"""By flag byte: which items are literals, where each starts behind it, and how far it is to the next."""


def compress(data: Bytes, method: int) -> bytes | None:
    """`data` packed greedily, or None where packing does not help or the DOS loader could not expand it in place."""
    plain = bytes(data)
    shortest, longest = method + 1, method + 16
    size = len(plain)
    out = bytearray()
    positions: dict[bytes, list[int]] = {}
    position = lead = 0  # lead: how far the writer is ahead of the reader, at most
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
            for index in range(position, position + step):
                positions.setdefault(plain[index : index + shortest], []).append(index)
            position += step
            lead = max(lead, position - len(out))
    if len(out) >= size or lead > size - len(out) + RECOVER_AREA:
        return None
    return bytes(out)


def _longest(plain: bytes, position: int, positions: dict[bytes, list[int]], shortest: int, longest: int) -> tuple[int, int]:
    """Length and distance of the longest earlier match; length 0 where there is none worth its two bytes, as right before the end, where
    fewer are left than are looked up of earlier positions."""
    best, distance = 0, 0
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
