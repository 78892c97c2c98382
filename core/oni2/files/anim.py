""".anim, the animation file: for every frame the value of every channel, whose meaning a skeleton gives.

Sources: OniGalore OBD:Oni2AS; Oni2Rebuilt animation.rs; mc3pc animation.cpp; libsr2 crAnimation.cpp.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ...files.binary import Bytes, Reader, joined
from ...record import numerous
from ...reporting import log
from ...reporting.errors import FormatError
from ...reporting.labels import counted
from . import interpretation

RATE = 30.0
"""Frames a second."""

Kind = Literal["ANI1", "ani", "null", "beta"]
"""By the first four bytes; "beta" is the dialect of Midtown Madness 2's beta, which has no magic."""

KINDS: tuple[Kind, ...] = ("ANI1", "ani", "null", "beta")
MAGIC: dict[Kind, bytes] = {"ANI1": b"ANI1", "ani": b"ani\0", "null": bytes(4), "beta": b""}
COMPRESSED = b"cmp\0"

LOOP = 1
"""Bit of the flags of ANI1."""

DELTAS = 1 << 31
"""Bit of the flags of ANI1: each frame's root delta follows its channels."""

WIDE, LEADING = 1, 2
"""Bits of the flags of ani: the stride has three floats; each frame's root delta stands before its channels."""

Floats = NDArray[np.float32]


@numerous
class Anim:
    """flags: of ANI1 and ani, None where the kind has none. stride: (3,) or (1,) the whole root motion, z alone in the short form.
    loop: the last byte of the header, None for ANI1. table: (frames, width) with the root delta before or after the channels where
    the flags say so. tail: bytes behind the last frame."""

    kind: Kind
    flags: int | None
    stride: Floats
    loop: int | None
    table: Floats
    tail: bytes = b""

    @classmethod
    def parse(cls, data: Bytes, beta: bool = False) -> Anim:
        """beta: try the beta dialect where the first four bytes are no known kind, as the current interpretation may ask too.
        Raises FormatError unless the size is what the header says, or more (the rest is kept), and all values are finite."""
        reader = Reader(data)
        kind = _kind(reader, beta or interpretation.current().beta)
        reader.raw(len(MAGIC[kind]), "the magic")
        flags = reader.u32("flags") if kind in ("ANI1", "ani") else None
        frames = reader.u32("frame count")
        channels = reader.u32("channel count" if kind != "beta" else "bone count")
        channels = channels * 3 + 3 if kind == "beta" else channels
        stride = reader.array("<f4", stride_length(kind, flags), "the stride")
        loop = reader.u8("the loop byte") if kind != "ANI1" else None
        if not frames or not channels:
            raise FormatError(f"not an animation: {frames} frames of {channels} channels", 0)
        width = channels + 3 * has_deltas(kind, flags)
        expected = reader.offset + 4 * frames * width
        size = len(reader.data)
        if size < expected:
            raise FormatError(f"{size} bytes instead of the {expected} that {frames} frames of {channels} channels take", reader.offset)
        start = reader.offset
        table = reader.array("<f4", frames * width, "the frames").reshape(frames, width)
        _check_finite(stride, table, start, leads(kind, flags))
        tail = reader.rest()
        if tail:
            log.warning(f"{counted(len(tail), 'byte')} behind the last frame; kept")
        return cls(kind, flags, stride, loop, table, tail)

    @classmethod
    def again(cls, data: Bytes) -> Anim:
        """A file that was read before: what is odd about it was said then. Raises FormatError."""
        with log.collect():
            return cls.parse(data, beta=True)

    def pack(self) -> bytes:
        channels = self.channel_count
        counts = [] if self.flags is None else [self.flags]
        counts += [len(self.table), (channels - 3) // 3 if self.kind == "beta" else channels]
        last = b"" if self.loop is None else bytes([self.loop])
        header = MAGIC[self.kind] + np.array(counts, "<u4").tobytes() + self.stride.astype("<f4").tobytes() + last
        return joined([header, self.table.astype("<f4", copy=False), self.tail])

    @property
    def channel_count(self) -> int:
        return self.table.shape[1] - 3 * has_deltas(self.kind, self.flags)

    @property
    def values(self) -> Floats:
        """(frames, channels)"""
        first = 3 * leads(self.kind, self.flags)
        return self.table[:, first : first + self.channel_count]

    @property
    def deltas(self) -> Floats | None:
        """(frames, 3) how far the root goes from each frame to the next, None where the file has none."""
        if not has_deltas(self.kind, self.flags):
            return None
        return self.table[:, :3] if leads(self.kind, self.flags) else self.table[:, -3:]

    @property
    def loops(self) -> bool:
        if self.flags is not None and self.kind == "ANI1":
            return bool(self.flags & LOOP)
        return bool(self.loop)

    @property
    def travel(self) -> NDArray[np.float64]:
        """(3,) the stride, in all three axes."""
        out = np.zeros(3)
        out[3 - len(self.stride) :] = self.stride
        return out


def build(kind: Kind, flags: int, stride: NDArray[np.float64], loop: int, values: Floats, deltas: Floats | None, tail: bytes = b"") -> Anim:
    """An animation of a kind. flags: ignored where the kind has none; the bit for deltas is set as `deltas` says. stride: (3,)."""
    flags = with_deltas(kind, flags, deltas is not None)
    own = flags if kind in ("ANI1", "ani") else None
    parts = [values] if deltas is None else [deltas, values] if leads(kind, own) else [values, deltas]
    with np.errstate(over="ignore"):  # what is too large is refused when it is packed
        table, steps = np.concatenate(parts, axis=1).astype("<f4"), stride[3 - stride_length(kind, own) :].astype("<f4")
    return Anim(kind, own, steps, None if kind == "ANI1" else loop, table, tail)


def with_deltas(kind: Kind, flags: int, wanted: bool) -> int:
    bit = DELTAS if kind == "ANI1" else LEADING
    return flags | bit if wanted else flags & ~bit


def stride_length(kind: Kind, flags: int | None) -> int:
    return 3 if kind == "ANI1" or (kind == "ani" and (flags or 0) & WIDE) else 1


def leads(kind: Kind, flags: int | None) -> bool:
    """Whether each frame begins with its delta."""
    return kind == "ani" and bool((flags or 0) & LEADING)


def has_deltas(kind: Kind, flags: int | None) -> bool:
    return leads(kind, flags) or (kind == "ANI1" and bool((flags or 0) & DELTAS))


def _kind(reader: Reader, beta: bool) -> Kind:
    head = bytes(reader.data[:4])
    if len(head) < 4:
        raise FormatError(f"not an Oni 2 animation: {len(head)} bytes are too few", 0)
    if head == COMPRESSED:
        raise FormatError("compressed Smuggler's Run 2 animation is not supported")
    known: Kind | None = next((kind for kind in KINDS if MAGIC[kind] == head), None)
    if known is not None:
        return known
    if not is_beta(bytes(reader.data[:8]), len(reader.data)):
        raise FormatError("not an Oni 2 animation", 0)
    if not beta:
        raise FormatError("not an Oni 2 animation; it has the size of one of Midtown Madness 2's beta, which opens only on demand")
    return "beta"


def is_beta(head: bytes, size: int) -> bool:
    """Whether a file of `size` bytes that starts with `head` has exactly the size of the beta dialect."""
    if len(head) < 8:
        return False
    frames, bones = np.frombuffer(head[:8], "<u4").tolist()
    return frames > 0 and size == 13 + 4 * frames * (3 * bones + 3)


def recognise(head: bytes, size: int) -> bool:
    """Whether a file of `size` bytes that starts with `head` is an animation of one of the game's kinds, to the byte. Without a magic
    the size alone decides, so the beta dialect is not among them."""
    if head[:4] == COMPRESSED and size > 17:
        return True
    kind: Kind | None = next((kind for kind in KINDS if MAGIC[kind] == head[:4]), None)
    start = 4 if kind == "null" else 8
    if kind is None or len(head) < start + 8:
        return False
    flags = int.from_bytes(head[4:8], "little")  # which null does not have, nor heeds
    frames, channels = np.frombuffer(head[start : start + 8], "<u4").tolist()
    header = start + 8 + 4 * stride_length(kind, flags) + (kind != "ANI1")
    return frames > 0 and channels > 0 and size == header + 4 * frames * (channels + 3 * has_deltas(kind, flags))


def _check_finite(stride: Floats, table: Floats, start: int, leading: bool) -> None:
    if not np.isfinite(stride).all():
        raise FormatError("the stride is not a finite number", start - 4 * len(stride))
    bad = ~np.isfinite(table)
    if bad.any():
        frame, column = divmod(int(np.argmax(bad)), table.shape[1])
        what = f"channel {column - 3 * leading}" if column >= 3 * leading else f"delta {column}"
        raise FormatError(f"frame {frame}, {what}: not a finite number", start + 4 * (frame * table.shape[1] + column))
