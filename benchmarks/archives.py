"""Whole games' worth of archives, made of a few given entries under new numbers."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ..core.lba.files.archive.hqr import Hqr
from ..core.lba.files.archive.hqr_table import HEADER
from ..core.lba.files.entity_table import EntityTable
from ..core.lba.files.file3d import ANIMATION, BODY, Entity, Record

LONG_EVERY = 30
"""Of so many characters of LBA1 one has as many clips as the player; the others have five to seven."""

_TABLE_ENTRY = 44
"""Of the table of characters in LBA2's RESS.HQR."""


def lba1(given: Path, folder: Path, characters: int) -> int:
    """FILE3D, BODY, ANIM and RESS of LBA1 with so many characters, each with a body and clips of its own. Returns how many clips."""
    entities, bodies, clips = (_archive(given / f"{name}.HQR") for name in ("FILE3D", "BODY", "ANIM"))
    known = [index for index in range(len(entities)) if not entities.blank(index)]
    tables: list[bytes] = []
    new_bodies: list[bytes] = []
    new_clips: list[bytes] = []
    for number in range(characters):
        entity = Entity.parse(entities.read(known[0] if number % LONG_EVERY == 0 else known[1 + number % (len(known) - 1)]))
        at = {index: len(new_bodies) + order for order, index in enumerate(entity.bodies)}
        new_bodies += [_blob(bodies, index) for index in entity.bodies]
        at_clips = {index: len(new_clips) + order for order, index in enumerate(entity.animations)}
        new_clips += [_blob(clips, index) for index in entity.animations]
        records = tuple(_moved(record, at, at_clips) for record in entity.records)
        tables.append(_plain(Entity(records, entity.rest, entity.wide).pack()))
    for name, blobs in (("FILE3D", tables), ("BODY", new_bodies), ("ANIM", new_clips)):
        (folder / f"{name}.HQR").write_bytes(_joined(blobs))
    (folder / "RESS.HQR").write_bytes((given / "RESS.HQR").read_bytes())
    return len(new_clips)


def lba2(given: Path, folder: Path) -> tuple[int, int]:
    """BODY and ANIM of LBA2 with all the entries that its table of characters names, 345 characters and 2083 clips. Returns how many."""
    bodies, clips, resources = (_archive(given / f"{name}.HQR") for name in ("BODY", "ANIM", "RESS"))
    table = EntityTable.parse(resources.read(_TABLE_ENTRY))
    everybody = [table.entity(index) for index in range(len(table)) if not table.blank(index)]
    whole = [entity for entity in everybody if not any(bodies.blank(index) for index in entity.bodies) and _all_there(clips, entity)]
    body_of, clip_of = [-1] * len(bodies), [-1] * len(clips)
    for number, entity in enumerate(everybody):
        like = whole[number % len(whole)]
        _spread(body_of, entity.bodies, list(like.bodies))
        _spread(clip_of, entity.animations, list(like.animations))
    _fill(body_of, clip_of, whole[0])
    (folder / "BODY.HQR").write_bytes(_joined([_blob(bodies, index) for index in body_of]))
    (folder / "ANIM.HQR").write_bytes(_joined([_blob(clips, index) for index in clip_of]))
    (folder / "RESS.HQR").write_bytes((given / "RESS.HQR").read_bytes())
    return len(everybody), len(clip_of)


def _all_there(clips: Hqr, entity: Entity) -> bool:
    return bool(entity.bodies) and bool(entity.animations) and not any(clips.blank(index) for index in entity.animations)


def _spread(chosen: list[int], wanted: Sequence[int] | dict[int, list[int]], like: list[int]) -> None:
    """The entries that are wanted, from those of another character in turn, where no character has them yet."""
    for order, index in enumerate(wanted):
        if chosen[index] < 0:
            chosen[index] = like[order % len(like)]


def _fill(body_of: list[int], clip_of: list[int], like: Entity) -> None:
    """Entries that no character uses."""
    for chosen, known in ((body_of, list(like.bodies)), (clip_of, list(like.animations))):
        for index, value in enumerate(chosen):
            if value < 0:
                chosen[index] = known[index % len(known)]


def _archive(path: Path) -> Hqr:
    return Hqr.parse(path.read_bytes())


def _blob(archive: Hqr, index: int) -> bytes:
    """An entry as it is stored: header and packed data."""
    return bytes(archive.blobs[int(archive.slots[index])])


def _plain(data: bytes) -> bytes:
    return HEADER.pack(len(data), len(data), 0) + data


def _joined(blobs: list[bytes]) -> bytes:
    """An archive of these entries; each has bytes of its own."""
    return Hqr(np.arange(len(blobs), dtype=np.int32), tuple(blobs), {}).pack()


def _moved(record: Record, bodies: dict[int, int], clips: dict[int, int]) -> Record:
    """With the number that its entry has now."""
    at = {BODY: bodies, ANIMATION: clips}.get(record.op)
    if at is None:
        return record
    return Record(record.op, record.role, record.size, struct.unpack("<h", struct.pack("<H", at[record.index]))[0], record.actions)
