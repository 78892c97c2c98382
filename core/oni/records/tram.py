"""TRAM, a character's animation: the record with all its raw blocks. The rotations are kept as the file's bytes (see `rotations`)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...record import numerous
from ...reporting import log
from ...reporting.errors import ExportError
from .record import Record
from .tram_layout import BLOCKS, DIRECT, EULER, LIMITS, NONE, RECORD, STORED, TAG, Array, read_head, stored_fields


@numerous
class Tram:
    """One field for each of the record's, in its order, and one for each raw block, None where its pointer is 0.

    name: with the tag. direct: names of the direct animations, "" for none. Bytes of names: without trailing zeros, see `text_of`.
    final_rotation: radians. attack_ring: (36,) reach for each 10 degrees. first_extent, max_extent: () of EXTENT_POINT.
    compression: EULER or QUATERNION, the bytes of a key. heights: (frames,) float32; the other blocks: arrays of the dtypes above;
    throw: () of THROW. rotations: the block's bytes as they are. tail: what follows the record (padding).
    """

    name: str
    level_id: int
    name_pointer: int
    flags: int
    direct: tuple[str, str]
    used_bones: int
    replaced_bones: int
    final_rotation: np.float32
    direction: int
    vocalization: int
    reach: np.float32
    min_y: np.float32
    max_y: np.float32
    attack_ring: Array
    first_extent: Array
    max_extent: Array
    alternate_direction: int
    impact: bytes
    hard_pause: int
    soft_pause: int
    unknown_158: bytes
    fps: int
    compression: int
    type: int
    aiming_type: int
    from_state: int
    to_state: int
    bone_count: int
    frame_count: int
    duration: int
    varient: int
    unknown_172: int
    atomic_start: int
    atomic_end: int
    interpolation_end: int
    interpolation_max: int
    action_frame: int
    first_level: int
    invulnerable_start: int
    invulnerable_end: int
    heights: Array | None = None
    velocities: Array | None = None
    attacks: Array | None = None
    self_damage: Array | None = None
    motion_blur: Array | None = None
    shortcuts: Array | None = None
    throw: Array | None = None
    footsteps: Array | None = None
    particles: Array | None = None
    positions: Array | None = None
    rotations: bytes | None = None
    sounds: Array | None = None
    extents: Array | None = None
    tail: bytes = b""

    @classmethod
    def new(cls, name: str, frames: int, bones: int = 19) -> Tram:
        """One without motion: 60 frames a second, compression 6, no attacks, sounds or the like, everything else 0."""
        head = np.zeros((), RECORD)
        head["vocalization"] = head["action_frame"] = NONE
        head["min_y"], head["max_y"] = 1e9, -1e9
        head["first_extent"]["frame"] = head["max_extent"]["frame"] = NONE
        head["fps"], head["compression"], head["bone_count"] = 60, EULER, bones
        head["frame_count"] = head["duration"] = frames
        return cls(name=name, level_id=0, direct=("", ""), **stored_fields(head))

    @classmethod
    def of(cls, record: Record) -> Tram:
        """Raises FormatError when the record or a raw block is not as its counts have it; offsets count from the record's prefix."""
        head = read_head(record.body)
        blocks: dict[str, Any] = {}
        for name, (at, kind, _) in BLOCKS.items():
            data = record.blocks.get(at)
            if data is not None:
                values = data if name == "rotations" else np.frombuffer(data, kind)
                blocks[name] = values.reshape(()) if name == "throw" and isinstance(values, np.ndarray) else values
        direct = (record.links.get(DIRECT[0], ""), record.links.get(DIRECT[1], ""))
        tail = record.body[RECORD.itemsize :]
        return cls(name=record.name, level_id=record.level_id, direct=direct, **stored_fields(head), **blocks, tail=tail)

    def record(self) -> Record:
        """Raises ExportError for a block with more elements than its counter can hold, or one that does not have an element a frame."""
        head = np.zeros((), RECORD)
        for name in STORED:
            head[name] = getattr(self, name)
        blocks: dict[int, bytes] = {}
        problems: list[str] = []
        for name, (at, kind, count) in BLOCKS.items():
            block: Array | bytes | None = getattr(self, name)
            if block is None:
                continue
            blocks[at] = block if isinstance(block, bytes) else block.astype(kind, copy=False).tobytes()
            if count:
                problems += self._count(head, name, count, len(block))
        if problems:
            raise ExportError([f"{self.name}: {problem}" for problem in problems])
        links = {at: link for at, link in zip(DIRECT, self.direct, strict=True) if link}
        return Record(TAG, self.name, self.level_id, head.tobytes() + self.tail, blocks, links)

    def check(self) -> None:
        """Warn of what the game may stumble over; nothing here keeps the animation from opening."""
        if self.fps != 60:
            log.warning(f"{self.fps} frames a second; 60 are used, as in all animations")
        if self.rotations is None:
            log.warning("no rotations: nothing moves in it")

    def _count(self, head: Array, name: str, count: str, length: int) -> list[str]:
        """Store the number of a block's elements; returns what is wrong with it."""
        if count == "frame_count":
            return [] if length == self.frame_count else [f"{length} {name.replace('_', ' ')} for {self.frame_count} frames"]
        if length > LIMITS[name]:
            return [f"{length} {name.replace('_', ' ')}; at most {LIMITS[name]} are possible"]
        head[count] = length
        return []
