"""Literals and matches of an archive's entry in the words of Deflate, so that zlib unpacks them.

Deflate has no match of two bytes: every byte is written twice, which makes one of four of it. Codes are whatever a stream says, here such
that a literal and a match take three bytes each: 12 bits and again 12, or 10 for the length and 14 for the distance. So each is looked up
by itself, and none is shifted to where the one before ends. Source: RFC 1951.
"""

from __future__ import annotations

import zlib
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

LITERAL = 1 << 16
"""Added to a literal, to tell it from a match; its upper byte does not count."""

_MATCH_LENGTHS, _DISTANCES = 17, 26
"""How many of Deflate's symbols of each are used: up to 42 and 8192 bytes, twice what a match has."""

_END = 256
"""The symbol at the end; those below are literals, those above lengths."""


def _extra(count: int, of_each: int) -> list[int]:
    """Bits behind each symbol's code: none for twice as many symbols as have one, two and so on."""
    return [max(symbol // of_each - 1, 0) for symbol in range(count)]


_EXTRA_OF_LENGTH, _EXTRA_OF_DISTANCE = _extra(_MATCH_LENGTHS, 4), _extra(_DISTANCES, 2)
_BITS = [*[12] * _END, 2, *(10 - extra for extra in _EXTRA_OF_LENGTH), 2, 2, 3, 6, 7]
_BITS_OF_DISTANCE = [*(14 - extra for extra in _EXTRA_OF_DISTANCE), 2, 2]
"""Bits of each symbol's code. The last are of symbols that do not occur: zlib refuses codes that leave any bits without a meaning."""

_ORDER = (16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14)
"""In which the bits of those codes come by which the bits of symbols are written."""


@cache
def _head() -> Any:
    """What has read the codes, but nothing else yet."""
    bits = [4 if number in _ORDER and number != 18 else 0 for number in range(max(_ORDER) + 1)]
    codes = _codes(bits)
    fields = [(1, 1), (2, 2), (len(_BITS) - _END - 1, 5), (len(_BITS_OF_DISTANCE) - 1, 5), (len(_ORDER) - 4, 4)]
    fields += [(bits[number], 3) for number in _ORDER]
    fields += [(codes[number], 4) for number in _BITS + _BITS_OF_DISTANCE]
    at = value = 0
    for field, size in fields:
        value, at = value | field << at, at + size
    stream = zlib.decompressobj(-zlib.MAX_WBITS)
    stream.decompress(value.to_bytes(at // 8, "little"))
    return stream


def stream() -> Any:
    """A decompressor of items, from which each byte comes twice."""
    return _head().copy()


def _codes(bits: list[int]) -> list[int]:
    """The code of each symbol, its first bit lowest."""
    codes, code, before = [0] * len(bits), 0, 0
    for size, symbol in sorted((size, symbol) for symbol, size in enumerate(bits) if size):
        code, before = code << size - before, size
        codes[symbol], code = int(f"{code:0{size}b}"[::-1], 2), code + 1
    return codes


def _values(codes: list[int], bits: list[int], extra: list[int]) -> NDArray[np.int64]:
    """Each value's code with the bits behind it, from the lowest value on."""
    parts = zip(codes, bits, extra, strict=True)
    return np.concatenate([code | np.arange(1 << more, dtype=np.int64) << size for code, size, more in parts])


@cache
def items(method: int) -> tuple[NDArray[np.uint8], NDArray[np.void]]:
    """By the two bytes of a match, and by LITERAL plus one byte: how many bytes it is, and the three bytes that say so to zlib."""
    codes, first = _codes(_BITS), _END + 1
    lengths = _values(codes[first : first + _MATCH_LENGTHS], _BITS[first : first + _MATCH_LENGTHS], _EXTRA_OF_LENGTH)
    distances = _values(_codes(_BITS_OF_DISTANCE)[:_DISTANCES], _BITS_OF_DISTANCE[:_DISTANCES], _EXTRA_OF_DISTANCE)
    sizes = np.arange(16) + method + 1
    matches = (distances[1::2] << 10)[:, None] | lengths[2 * sizes - 3]
    literals = np.array(codes[:_END]) * (1 + (1 << 12))
    deflated = np.empty((2, LITERAL), "<u4")
    size_of = np.ones((2, LITERAL), np.uint8)
    deflated[0], size_of[0] = matches.ravel(), np.tile(sizes, LITERAL // len(sizes))
    deflated[1] = np.tile(literals, LITERAL // len(literals))
    return size_of.ravel(), np.ndarray(2 * LITERAL, "V3", deflated.data, strides=deflated.strides[-1:])
