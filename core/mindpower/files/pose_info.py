"""characterposeinfo.bin: which number an action has in every weapon mode, and what it is called."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...files.binary import Bytes, Reader
from ...reporting import log
from ...reporting.errors import FormatError
from . import names, obfuscation
from .obfuscation import HEAD, Obfuscation

WEAPONS = ("unarmed", "sword", "two-hand", "dual", "gun", "bow", "dagger")
"""The weapon modes, in the order of the numbers in a record."""

POSE_COUNT = 54
POSES = (
    "wait", "show", "sleep", "alert wait", "run", "alert run", "attack 1", "attack 2", "attack 3", "power attack",
    "skill 1", "skill 2", "skill 3", "skill 4", "skill 5", "sit", "die", "wave", "cry", "jump",
    "anger", "dare", "gay", "emote 1", "emote 2", "emote 3", "emote 4", "mine", "collect", "sit 2",
    "lean 1", "lean 2", "scene 1", "scene 2", "scene 3", "scene 4", "scene 5", "reserved 1", "reserved 2", "skill 6",
    "skill 7", "fly wait", "fly run", "fly show", "fly sit", "skill 12", "skill 13", "skill 14", "skill 15", "skill 16",
    "skill 17", "skill 18", "skill 19", "skill 20",
)  # fmt: skip
"""The engine's names of poses 1 to 54 (CharacterAction.h)."""

RECORD_SIZE = 124


def record_dtype(size: int) -> np.dtype[Any]:
    """A record: the head of all tables, then the action in each weapon mode. What a longer one has more is `more`."""
    return np.dtype(
        [*HEAD.descr, ("unknown", "u1", 28), ("actions", "<i2", len(WEAPONS)), ("padding", "u1", 2), ("more", "u1", (size - RECORD_SIZE,))]
    )


@dataclass(frozen=True, eq=False)
class PoseInfo:
    """records: array of `record_dtype`. obfuscation: how the file hides them. rest: bytes after the last whole record, as they are."""

    records: NDArray[Any]
    obfuscation: Obfuscation = "none"
    rest: bytes = b""

    @classmethod
    def parse(cls, data: Bytes) -> PoseInfo:
        """Raises FormatError for records that are too small."""
        reader = Reader(data)
        size = reader.u32("record size")
        if not RECORD_SIZE <= size <= 1 << 16:
            raise FormatError(f"records of {size} bytes, at least {RECORD_SIZE} are needed", 0)
        plain, mode = obfuscation.revealed(reader.raw(reader.left // size * size, "records"), size)
        info = cls(np.frombuffer(plain, record_dtype(size)), mode, reader.rest())
        if info.rest:
            log.warning(f"{len(info.rest)} bytes after the last record; kept")
        return info

    def pack(self) -> bytes:
        size = self.records.dtype.itemsize
        return np.array([size], "<u4").tobytes() + obfuscation.hidden(self.records.tobytes(), size, self.obfuscation) + self.rest

    @cached_property
    def names(self) -> dict[int, str]:
        """Pose -> its name, in the client's language."""
        return {int(record["id"]): names.decode(record["name"]).strip() for record in self.records}

    @cached_property
    def poses(self) -> dict[int, tuple[int, int]]:
        """Action number -> pose and weapon mode; of several the first."""
        poses_of: dict[int, tuple[int, int]] = {}
        for record in self.records:
            for weapon, action in enumerate(record["actions"].tolist()):
                if action > 0:
                    poses_of.setdefault(action, (int(record["id"]), weapon))
        return poses_of


@dataclass(frozen=True)
class ActionName:
    """What an action is. pose: 1 to 54, 0 when it is not known. weapon: index into `WEAPONS`. client_name: in the client's own table."""

    number: int
    pose: int
    weapon: int
    client_name: str = ""

    def __str__(self) -> str:
        """The engine's English name, with the weapon unless there is none: "run", "attack 1, sword"."""
        known = POSES[self.pose - 1] if 0 < self.pose <= POSE_COUNT else self.client_name or f"action {self.number}"
        return f"{known}, {WEAPONS[self.weapon]}" if self.weapon else known


def action_name(number: int, info: PoseInfo | None = None) -> ActionName:
    """What action `number` of any type of character is: by the client's table, else by the order that all known clients have."""
    if info is not None and number in info.poses:
        pose, weapon = info.poses[number]
        return ActionName(number, pose, weapon, info.names.get(pose, ""))
    if 0 < number <= POSE_COUNT * len(WEAPONS):
        weapon, pose = divmod(number - 1, POSE_COUNT)
        return ActionName(number, pose + 1, weapon, info.names.get(pose + 1, "") if info else "")
    return ActionName(number, 0, 0)


def recognise(head: bytes, size: int) -> bool:
    """Whether a file of `size` bytes that starts with `head` is whole records of the usual size, the first one with a name."""
    return obfuscation.looks_like_rows(head, RECORD_SIZE) and head[:4] == b"\x7c\0\0\0" and size > 4 and (size - 4) % RECORD_SIZE == 0
