"""Where a TRAM keeps what: the fields of its record, and the raw blocks that it points to."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ...files.binary import Bytes, Reader
from ...reporting.errors import FormatError
from .record import PREFIX, Raw
from .rotations import LARGEST, Rotations, remember

TAG = "TRAM"

NONE = 0xFFFF
"""No vocalization, no action frame, no extent."""

EULER, QUATERNION = 6, 16
"""The two compression sizes: bytes a key."""

EXTENT_POINT = np.dtype(
    [
        ("frame", "<u2"),
        ("attack", "u1"),
        ("frame_offset", "u1"),
        ("x", "<f4"),
        ("z", "<f4"),
        ("height", "<f4"),
        ("length", "<f4"),
        ("min_y", "<f4"),
        ("max_y", "<f4"),
        ("angle", "<f4"),
    ]
)
"""Where an attack reaches first, or farthest. z is minus the position's; the angle is in radians."""

HEIGHT = np.dtype("<f4")

VELOCITY = np.dtype([("x", "<f4"), ("z", "<f4")])

ATTACK = np.dtype(
    [
        ("bones", "<u4"),
        ("knockback", "<f4"),
        ("flags", "<u4"),
        ("hit_points", "<i2"),
        ("start", "<u2"),
        ("end", "<u2"),
        ("hit_type", "<u2"),
        ("hit_length", "<u2"),
        ("stun_length", "<u2"),
        ("stagger_length", "<u2"),
        ("zero", "S6"),
    ]
)

DAMAGE = np.dtype([("points", "<u2"), ("frame", "<u2")])

BLUR = np.dtype(
    [("bones", "<u4"), ("start", "<u2"), ("end", "<u2"), ("lifetime", "u1"), ("alpha", "u1"), ("interval", "u1"), ("zero", "u1")]
)

SHORTCUT = np.dtype([("from_state", "<u2"), ("length", "<u2"), ("flags", "<u4")])

THROW = np.dtype([("position", "<f4", 3), ("angle", "<f4"), ("distance", "<f4"), ("type", "<u2")])

FOOTSTEP = np.dtype([("frame", "<u2"), ("type", "<u2")])

PARTICLE = np.dtype([("start", "<u2"), ("end", "<u2"), ("bone", "<u4"), ("name", "S16")])

POSITION = np.dtype([("x", "<i2"), ("z", "<i2"), ("height", "<u2"), ("y_offset", "<i2")])

SOUND = np.dtype([("name", "S32"), ("frame", "<u2")])

EXTENT = np.dtype([("frame", "<i2"), ("angle", "<u2"), ("length", "<u2"), ("zero", "<i2"), ("min_y", "<i2"), ("max_y", "<i2")])

RECORD = np.dtype(
    [
        ("name_pointer", "<u4"),
        ("pointers", "<u4", 12),
        ("flags", "<u4"),
        ("direct", "<u4", 2),
        ("used_bones", "<u4"),
        ("replaced_bones", "<u4"),
        ("final_rotation", "<f4"),
        ("direction", "<u2"),
        ("vocalization", "<u2"),
        ("reach", "<f4"),
        ("min_y", "<f4"),
        ("max_y", "<f4"),
        ("attack_ring", "<f4", 36),
        ("first_extent", EXTENT_POINT),
        ("max_extent", EXTENT_POINT),
        ("alternate_direction", "<u4"),
        ("extent_count", "<u4"),
        ("extent_pointer", "<u4"),
        ("impact", "S16"),
        ("hard_pause", "<u2"),
        ("soft_pause", "<u2"),
        ("sound_count", "<u4"),
        ("unknown_158", "S6"),
        ("fps", "<u2"),
        ("compression", "<u2"),
        ("type", "<u2"),
        ("aiming_type", "<u2"),
        ("from_state", "<u2"),
        ("to_state", "<u2"),
        ("bone_count", "<u2"),
        ("frame_count", "<u2"),
        ("duration", "<u2"),
        ("varient", "<u2"),
        ("unknown_172", "<u2"),
        ("atomic_start", "<u2"),
        ("atomic_end", "<u2"),
        ("interpolation_end", "<u2"),
        ("interpolation_max", "<u2"),
        ("action_frame", "<u2"),
        ("first_level", "<u2"),
        ("invulnerable_start", "u1"),
        ("invulnerable_end", "u1"),
        ("attack_count", "u1"),
        ("damage_count", "u1"),
        ("blur_count", "u1"),
        ("shortcut_count", "u1"),
        ("footstep_count", "u1"),
        ("particle_count", "u1"),
    ]
)
"""The record after its prefix: 0x180 bytes."""

BLOCKS: dict[str, tuple[int, np.dtype[Any], str]] = {
    "heights": (0x04, HEIGHT, "frame_count"),
    "velocities": (0x08, VELOCITY, "frame_count"),
    "attacks": (0x0C, ATTACK, "attack_count"),
    "self_damage": (0x10, DAMAGE, "damage_count"),
    "motion_blur": (0x14, BLUR, "blur_count"),
    "shortcuts": (0x18, SHORTCUT, "shortcut_count"),
    "throw": (0x1C, THROW, ""),
    "footsteps": (0x20, FOOTSTEP, "footstep_count"),
    "particles": (0x24, PARTICLE, "particle_count"),
    "positions": (0x28, POSITION, "frame_count"),
    "rotations": (0x2C, np.dtype("u1"), ""),
    "sounds": (0x30, SOUND, "sound_count"),
    "extents": (0x134, EXTENT, "extent_count"),
}
"""Of each raw block: where its pointer stands, what it holds, and the field that counts it. In the order in which OniSplit writes them."""

DIRECT = (0x38, 0x3C)
"""Where the links to the direct animations stand."""

LIMITS = {name: np.iinfo(RECORD[count].base).max for name, (_, _, count) in BLOCKS.items() if count}
"""The most elements that each counted block can have."""

_COUNTS = tuple(count for _, _, count in BLOCKS.values() if count and count != "frame_count")

_COUNTED = [*_COUNTS, "frame_count"]

STORED = tuple(name for name in RECORD.names or () if name not in ("pointers", "extent_pointer", "direct", *_COUNTS))
"""The fields of the record that do not follow from its blocks and links."""

_PLAIN = [name for name in STORED if RECORD[name].kind in "uiS"]

_FLOATS = [name for name in STORED if RECORD[name] == np.float32]

_COUNTS_ALONE, _PLAIN_ALONE = RECORD[_COUNTED], RECORD[_PLAIN]
"""The record with nothing but those."""

_COMPOUND = [name for name in STORED if name not in (*_PLAIN, *_FLOATS)]

Array = NDArray[Any]


def read_head(body: Bytes) -> Array:
    """The record's own fields, () of RECORD. Raises FormatError unless they can be those of an animation; offsets count from the prefix."""
    if not RECORD.itemsize <= len(body) < RECORD.itemsize + 32:
        raise FormatError(f"TRAM record of {len(body) + PREFIX} bytes instead of {RECORD.itemsize + PREFIX}", 0)
    head = Reader(body[: RECORD.itemsize]).array(RECORD, 1, "record").reshape(())
    if int(head["compression"]) not in (EULER, QUATERNION):
        raise FormatError(f"compression size {head['compression']}; 6 and 16 are known", _position("compression"))
    if not head["frame_count"]:
        raise FormatError("no frames", _position("frame_count"))
    return head


def stored_fields(head: Array) -> dict[str, Any]:
    """The record's fields by name: whole numbers and bytes as Python's own, floats as float32, compound ones as arrays."""
    plain = cast("tuple[Any, ...]", head.view(_PLAIN_ALONE).item())
    floats = {name: head[name][()] for name in _FLOATS}  # by themselves: Python's own would not keep every bit of what is no number
    return dict(zip(_PLAIN, plain, strict=True)) | floats | {name: np.array(head[name]) for name in _COMPOUND}


def text_of(name: bytes) -> str:
    """A name in a fixed number of bytes: up to the first zero."""
    return name.partition(b"\0")[0].decode("latin-1")


def _position(field: str) -> int:
    """The offset of a field from the prefix."""
    return PREFIX + sum(RECORD[name].itemsize for name in (RECORD.names or ())[: (RECORD.names or ()).index(field)])


class TramLayout:
    """Where a TRAM keeps pointers and links."""

    def links(self, _body: Bytes) -> tuple[int, ...]:
        return DIRECT

    def blocks(self, body: Bytes, raw: Raw) -> dict[int, bytes]:
        head = read_head(body)
        counts: dict[str, int] = dict(zip(_COUNTED, head.view(_COUNTS_ALONE).item(), strict=True))
        result: dict[int, bytes] = {}
        for name, (at, kind, count) in BLOCKS.items():
            pointer = int.from_bytes(body[at : at + 4], "little")
            number = counts[count] if count else 1
            if not pointer:
                if count not in ("", "frame_count") and number:
                    raise FormatError(f"{number} {name.replace('_', ' ')}, but no pointer to them", PREFIX + at)
            elif name == "rotations":
                result[at] = _rotations(head, pointer, raw)
            else:
                result[at] = bytes(raw.exactly(pointer, number * kind.itemsize, name.replace("_", " ")))
        return result


LAYOUT = TramLayout()


def _rotations(head: Array, pointer: int, raw: Raw) -> bytes:
    """The rotation block, which ends where its last track does."""
    bones, frames, key_size = (int(head[name]) for name in ("bone_count", "frame_count", "compression"))
    data = raw.up_to(pointer, LARGEST + 1 + (key_size + 1) * frames, "rotations")
    try:
        rotations = Rotations.parse(data, bones, frames, key_size)
    except FormatError as error:
        where = f", at 0x{pointer + error.offset:X} of the raw data" if error.offset is not None else ""
        raise FormatError(error.problem + where) from None
    block = bytes(data[: rotations.size])
    remember(block, rotations)
    return block
