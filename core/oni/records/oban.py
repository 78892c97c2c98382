"""OBAN, the animation of an object or a camera: one rigid transform with keys."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...files.binary import Bytes, Reader, joined
from ...reporting import log
from ...reporting.errors import ExportError, FormatError
from .record import PREFIX, Raw, Record

TAG = "OBAN"

LOOP, PING_PONG, RANDOM_START, AUTOSTART, LOCAL = 1, 2, 4, 8, 0x10
"""Flags. LOCAL: Z up, in the object's own space."""

KEY = np.dtype([("rotation", "<f4", 4), ("translation", "<f4", 3), ("frame", "<u4")])
"""rotation: x, y, z, -w."""

HEAD = np.dtype(
    [
        ("zero", "S12"),
        ("flags", "<u4"),
        ("initial", "<f4", (4, 3)),
        ("base", "<f4", (4, 3)),
        ("ticks", "<i2"),
        ("length", "<u2"),
        ("half_stop", "<u2"),
        ("key_count", "<u2"),
    ]
)
"""The record after its prefix, before the keys: 0x78 bytes."""

MOST_KEYS = 0xFFFF

_CLEARLY = 1e-3
"""How far the square of a rotation's length may be off 1 without a closer look: half of what is warned of."""

_PIECE = 1 << 15
"""Rotations that are looked at together: few steps for many, whose copies take less memory than the file."""

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Oban:
    """initial, base: (4, 3) float32, the images of the X, Y and Z axes and the translation; initial is that of key 0.

    name: with the tag. zero: the record's first bytes. ticks: a frame, not used by the game. length: in frames. half_stop: the frame
    where a door stands open. keys: (K,) of KEY. tail: what follows the keys (padding).
    """

    name: str
    level_id: int
    zero: bytes
    flags: int
    initial: Array
    base: Array
    ticks: int
    length: int
    half_stop: int
    keys: Array
    tail: bytes = b""

    @classmethod
    def new(cls, name: str) -> Oban:
        """One without motion: a single key at rest, 1 tick a frame, as OniSplit writes them."""
        rest = np.concatenate([np.eye(3), np.zeros((1, 3))]).astype(np.float32)
        keys = np.zeros(1, KEY)
        keys["rotation"][:, 3] = -1
        return cls(name, 0, b"", 0, rest, rest.copy(), 1, 1, 0, keys)

    @classmethod
    def of(cls, record: Record) -> Oban:
        """As `parse`."""
        return cls.parse(record.name, record.level_id, record.body)

    @classmethod
    def parse(cls, name: str, level_id: int, body: Bytes) -> Oban:
        """Of the bytes behind a record's prefix, on which the keys are a view. Raises FormatError for no keys, more than there are, or keys
        that do not ascend; offsets count from the prefix."""
        reader = Reader(body)
        if reader.left < HEAD.itemsize:
            raise FormatError(f"OBAN record of {reader.left + PREFIX} bytes; {HEAD.itemsize + PREFIX} expected before the keys", 0)
        head = reader.array(HEAD, 1, "OBAN record").reshape(())
        count = int(head["key_count"])
        if not count:
            raise FormatError("no keys", PREFIX + HEAD.itemsize - 2)
        if count * KEY.itemsize > reader.left:
            raise FormatError(f"{count} keys of {KEY.itemsize} bytes, {reader.left} bytes left", PREFIX + HEAD.itemsize)
        keys = reader.array(KEY, count, "keys")
        problem = problem_of(keys)
        if problem:
            raise FormatError(problem[1], PREFIX + HEAD.itemsize + KEY.itemsize * problem[0])
        return cls(
            name=name,
            level_id=level_id,
            zero=head["zero"].item(),
            flags=int(head["flags"]),
            initial=np.array(head["initial"]),
            base=np.array(head["base"]),
            ticks=int(head["ticks"]),
            length=int(head["length"]),
            half_stop=int(head["half_stop"]),
            keys=keys,
            tail=reader.rest(),
        )

    def record(self) -> Record:
        """Raises ExportError for more keys than the record can count."""
        return Record(TAG, self.name, self.level_id, joined(self.parts()))

    def parts(self) -> tuple[Array, Array, bytes]:
        """The record's body: its head, keys and tail. Raises ExportError as `record`."""
        if len(self.keys) > MOST_KEYS:
            raise ExportError(f"{self.name}: {len(self.keys)} keys; at most {MOST_KEYS} are possible")
        head = np.zeros((), HEAD)
        for name in ("zero", "flags", "initial", "base", "ticks", "length", "half_stop"):
            head[name] = getattr(self, name)
        head["key_count"] = len(self.keys)
        return head, self.keys.astype(KEY, copy=False), self.tail


def problem_of(keys: Array) -> tuple[int, str] | None:
    """The first key (of KEY) that cannot be, and why: frames must ascend, rotations be rotations. Lengths that are off are warned of."""
    if _ordinary(np.ascontiguousarray(keys)):
        return None
    frames = keys["frame"]
    back = np.flatnonzero(frames[1:] <= frames[:-1])
    if len(back):
        key = int(back[0]) + 1
        return key, f"key {key} at frame {frames[key]}, not after frame {frames[key - 1]}"
    lengths = np.linalg.norm(keys["rotation"].astype(np.float64), axis=1)
    none = np.flatnonzero(~(lengths > 0) | ~np.isfinite(lengths))
    if len(none):
        return int(none[0]), f"key {int(none[0])}: its rotation is none"
    if (np.abs(lengths - 1) > 1e-3).any():
        log.warning("rotations whose length is not 1; normalised")
    return None


def _ordinary(keys: Array) -> bool:
    """Whether nothing about the keys needs a closer look."""
    frames, rotations = keys["frame"], keys.view("<c16")[::2]  # a rotation as one number of 16 bytes: much faster to copy than as four
    with np.errstate(over="ignore", invalid="ignore"):
        pieces = (rotations[start : start + _PIECE] for start in range(0, len(keys), _PIECE))
        return bool((frames[1:] > frames[:-1]).all()) and all(map(_of_length_one, pieces))


def _of_length_one(rotations: Array) -> bool:
    """Whether all are clearly so. rotations: (K,) of 16 bytes."""
    squares = rotations.copy().view("<f4")
    np.square(squares, out=squares)
    pairs = squares.view("<c8")
    sums = (pairs[::2] + pairs[1::2]).view("<f4")  # two in one step
    lengths = sums[::2] + sums[1::2]
    return bool(lengths.min() > 1 - _CLEARLY and lengths.max() < 1 + _CLEARLY)


class ObanLayout:
    """An OBAN points to nothing."""

    def links(self, _body: Bytes) -> tuple[int, ...]:
        return ()

    def blocks(self, _body: Bytes, _raw: Raw) -> dict[int, bytes]:
        return {}


LAYOUT = ObanLayout()
