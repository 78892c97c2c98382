"""ANM, the animation file of both games: keyframes that hold the complete state of all bones."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...files.binary import Bytes, Reader
from ...record import numerous
from ...reporting import log
from ...reporting.errors import FormatError
from ...reporting.labels import counted
from .variant import LBA1, LBA2, Variant

HEADER = 8
ROTATE, TRANSLATE, ZOOM = 0, 1, 2

BONE = np.dtype([("type", "<u2"), ("value", "<i2", 3)])


@lru_cache(maxsize=64)
def frame_dtype(bones: int) -> np.dtype[Any]:
    """A keyframe: time to travel to it, displacement over it (x, y, z), and every bone's type and three values."""
    return np.dtype([("duration", "<u2"), ("step", "<i2", 3), ("bones", BONE, (bones,))])


@numerous
class Anm:
    """loop_frame: the keyframe to which playback returns. word3: read by neither engine.

    frames: structured array of `frame_dtype(bones)`, one item a keyframe; durations in 1/50 s (LBA1) or ms (LBA2). rest: bytes behind
    the last of them, which neither engine looks at.
    """

    loop_frame: int
    word3: int
    frames: NDArray[Any]
    rest: bytes = b""

    @classmethod
    def parse(cls, data: Bytes) -> Anm:
        """Raises FormatError unless there are 8 + frames * (8 + 8 * bones) bytes, with at least one of each; further ones are kept."""
        reader = Reader(data)
        size = reader.left
        count, bones, loop_frame, word3 = reader.array("<u2", 4, "counts of keyframes and bones, loop frame and word 3").tolist()
        if not count or not bones:
            raise FormatError(f"not an animation: {count} keyframes of {bones} bones", 0)
        expected = HEADER + count * (8 + 8 * bones)
        if size < expected:
            raise FormatError(f"{size} bytes instead of the {expected} that {count} keyframes of {bones} bones take", 0)
        return cls(loop_frame, word3, reader.array(frame_dtype(bones), count, "keyframes"), reader.rest())

    def pack(self) -> bytes:
        head = np.array([len(self.frames), self.bone_count, self.loop_frame, self.word3], "<u2")
        return head.tobytes() + self.frames.tobytes() + self.rest

    @property
    def bone_count(self) -> int:
        return int(self.frames["bones"].shape[1])

    @property
    def durations(self) -> NDArray[np.uint16]:
        """(frames,) time units from the keyframe before; of keyframe 0, from whatever was played."""
        return self.frames["duration"]

    @property
    def steps(self) -> NDArray[np.int16]:
        """(frames, 3) how far each keyframe takes the character, game units."""
        return self.frames["step"]

    @property
    def types(self) -> NDArray[np.uint16]:
        """(frames, bones); bone 0 holds the master flags."""
        return self.frames["bones"]["type"]

    @property
    def values(self) -> NDArray[np.int16]:
        """(frames, bones, 3); bone 0 holds the master rotation alpha, beta, gamma."""
        return self.frames["bones"]["value"]

    @property
    def times(self) -> NDArray[np.int64]:
        """(frames,) when each keyframe's pose stands, in the file's time units; keyframe 0 at 0."""
        times = np.cumsum(self.durations, dtype=np.int64)
        return times - times[0]

    @property
    def loops(self) -> bool:
        return self.loop_frame < len(self.frames)

    def kinds(self, game: Variant) -> NDArray[np.int64]:
        """(frames, bones) as `kinds_of`."""
        return kinds_of(self.types, game)

    def check(self, game: Variant) -> None:
        """Say what the engines would stumble over, or do not look at; nothing here keeps the file from opening."""
        if self.rest:
            log.warning(f"{counted(len(self.rest), 'byte')} behind the last keyframe; kept")
        if not self.loops:
            log.warning(f"loop frame {self.loop_frame} of {len(self.frames)} keyframes: played once")
        if game is LBA1:
            for kind in sorted({*self.types[:, 1:][self.types[:, 1:] > TRANSLATE].tolist()}):
                log.warning(f"bone type {kind} moves nothing in the game; kept")


def kinds_of(types: NDArray[np.integer[Any]], game: Variant) -> NDArray[np.int64]:
    """(K, B) ROTATE, TRANSLATE or ZOOM as the engine takes the types (K, B); unknown types of LBA1 count as ZOOM, which moves
    nothing. Bone 0 is a ROTATE."""
    kinds = (types & 1).astype(np.int64) if game is LBA2 else np.minimum(types, ZOOM).astype(np.int64)
    kinds[:, 0] = ROTATE
    return kinds


def recognise(head: bytes, size: int) -> bool:
    """Whether a file of `size` bytes that starts with `head` has exactly an animation's size."""
    if len(head) < HEADER:
        return False
    count, bones = np.frombuffer(head[:4], "<u2").tolist()
    return count > 0 and bones > 0 and size == HEADER + count * (8 + 8 * bones)


def guess_game(anm: Anm) -> tuple[Variant, str]:
    """The game that an animation alone looks like, and why."""
    values = anm.values[:, 1:][anm.kinds(LBA1)[:, 1:] == ROTATE]
    if len(values) and (values.min() < 0 or values.max() > LBA1.rotation - 1):
        return LBA2, "angles beyond 0..1023"
    if int(anm.durations.max()) > 100:
        return LBA2, "durations over 100"
    if anm.word3 != anm.loop_frame:
        return LBA2, "the fourth word differs from the loop frame"
    return LBA1, "nothing speaks for LBA2"
