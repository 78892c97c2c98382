"""characterposeinfo.bin: which number an action has in every weapon mode, and what it is called."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ....files.binary import Bytes
from ....reporting.errors import ExportError
from .. import names
from . import obfuscation
from .obfuscation import HEAD, INDEX

RECORD_SIZE = 124

_WEAPON_MODES = 7
"""A record has a number for each of them."""


def record_dtype(size: int) -> np.dtype[Any]:
    """A record: the head of all tables, then the action in each weapon mode. What a longer one has more is `more`."""
    return np.dtype(
        [*HEAD.descr, *INDEX.descr, ("actions", "<i2", _WEAPON_MODES), ("padding", "u1", 2), ("more", "u1", (size - RECORD_SIZE,))]
    )


@dataclass(frozen=True, eq=False)
class PoseInfo(obfuscation.Table):
    """records: array of `record_dtype`."""

    @classmethod
    def parse(cls, data: Bytes) -> PoseInfo:
        """Raises FormatError for records that are too small."""
        return cls(*obfuscation.parsed(data, RECORD_SIZE, record_dtype))

    @cached_property
    def names(self) -> dict[int, str]:
        """Pose -> its name, in the client's language."""
        return {int(record["id"]): names.decode(record["name"]).strip() for record in self.records}

    def with_pose(self, action: int, name: str) -> PoseInfo:
        """With another pose behind the last number, which is this action in every weapon mode. Raises ExportError for a name that is too
        long, or a table without a pose."""
        if not len(self.records):
            raise ExportError("there is no pose to go by")
        number = int(self.records["id"].max()) + 1
        field = np.frombuffer(names.encode(name, self.records["name"].shape[1]), "u1")
        records, index = obfuscation.inserted(self.records, len(self.records) - 1, number, field)
        records["actions"][index] = action
        return replace(self, records=records)

    @cached_property
    def poses(self) -> dict[int, tuple[int, int]]:
        """Action number -> pose and weapon mode; of several the first."""
        poses_of: dict[int, tuple[int, int]] = {}
        for record in self.records:
            for weapon, action in enumerate(record["actions"].tolist()):
                if action > 0:
                    poses_of.setdefault(action, (int(record["id"]), weapon))
        return poses_of


def recognise(head: bytes, size: int) -> bool:
    """Whether a file of `size` bytes that starts with `head` is whole records of the usual size, the first one with a name."""
    return obfuscation.looks_like_rows(head, RECORD_SIZE) and head[:4] == b"\x7c\0\0\0" and (size - 4) % RECORD_SIZE == 0
