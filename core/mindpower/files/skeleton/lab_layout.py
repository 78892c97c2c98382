"""The skeleton file's numbers and records, and how much space its keys take."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

MAT43, MAT44, QUAT = 1, 2, 3
KEY_TYPES = {MAT43: "MAT43", MAT44: "MAT44", QUAT: "QUAT"}

CURRENT = 0x1005
"""The version that the game's own writers write."""
ANCIENT = 1
"""The version of a few old files, which end with a saved pose table that the engine refuses."""
MOVING = 0x1003
"""From this version on every QUAT bone has a position for each frame, not the root alone."""
VERSIONS = (0, ANCIENT, *range(0x1000, CURRENT + 1))

RATE = 30.0
"""Frames a second."""

NO_PARENT = 0xFFFFFFFF
TRAILER = 32
NAME_SIZE = 64
NUMBERS = {MAT43: 12, MAT44: 16, QUAT: 7}
"""float32 values in a key."""

BONE = np.dtype([("name", "u1", NAME_SIZE), ("id", "<u4"), ("parent", "<u4")])
DUMMY = np.dtype([("id", "<u4"), ("parent", "<u4"), ("matrix", "<f4", (4, 4))])


def key_sizes(version: int, key_type: int, frame_count: int, parents: NDArray[np.uint32]) -> NDArray[np.int64]:
    """(bones,) how many float32 values the keys of each bone take. parents: as the file has them."""
    sizes = np.full(len(parents), NUMBERS[key_type] * frame_count, np.int64)
    if key_type == QUAT and version < MOVING:
        sizes[parents != NO_PARENT] = 3 + 4 * frame_count
    return sizes


def parent_indices(raw: NDArray[np.uint32]) -> NDArray[np.int32]:
    """(bones,) -1 for 0xFFFFFFFF, else as they are."""
    return raw.astype(np.int32)


def parents_first(parents: NDArray[np.int32]) -> NDArray[np.int64]:
    """The indices of all bones that hang on a root, every parent before its children; as they are where that is so."""
    count = len(parents)
    if (parents < np.arange(count)).all():
        return np.arange(count)
    children: list[list[int]] = [[] for _ in range(count)]
    for bone, parent in enumerate(parents.tolist()):
        if parent >= 0:
            children[parent] += [bone]
    order: list[int] = [bone for bone, parent in enumerate(parents.tolist()) if parent < 0]
    for bone in order:  # grows while it is walked through
        order += children[bone]
    return np.array(order, np.int64)


def recognise(head: bytes, size: int) -> bool:
    """Whether a file of `size` bytes that starts with `head` can be a skeleton: version, key type and a size that fits."""
    if len(head) < 24 or (version := int.from_bytes(head[:4], "little")) not in VERSIONS:
        return False
    start = 8 if version == 0 else 4
    bones, frames, dummies, key_type = np.frombuffer(head, "<u4", 4, start).tolist()
    if not bones or not frames or key_type not in KEY_TYPES:
        return False
    fixed = start + 16 + bones * 136 + dummies * DUMMY.itemsize
    if key_type == QUAT and version < MOVING:
        least = fixed + bones * (12 + 16 * frames)
        return least <= size <= least + bones * 12 * frames + TRAILER
    return size == fixed + 4 * NUMBERS[key_type] * bones * frames
