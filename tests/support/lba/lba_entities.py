"""Who uses what in the archives of Little Big Adventure, read by the specification alone."""

from __future__ import annotations

import struct
from itertools import pairwise
from pathlib import Path


def unpacked(archive: bytes) -> list[bytes | None]:
    """The entries of an HQR, by the specification alone; None for blank ones."""
    count = struct.unpack_from("<I", archive)[0] // 4
    result: list[bytes | None] = []
    for offset in struct.unpack_from(f"<{count - 1}I", archive):
        if not offset:
            result.append(None)
            continue
        size, packed, method = struct.unpack_from("<IIH", archive, offset)
        data, out, at = archive[offset + 10 : offset + 10 + packed], bytearray(), 0
        while method and len(out) < size:
            flags, at = data[at], at + 1
            for bit in range(8):
                if len(out) >= size:
                    break
                if flags >> bit & 1:
                    out.append(data[at])
                    at += 1
                else:
                    pair, at = data[at] | data[at + 1] << 8, at + 2
                    for _ in range((pair & 15) + method + 1):
                        out.append(out[-(pair >> 4) - 1])
        result.append(bytes(out) if method else data)
        assert len(result[-1] or b"") == size
    assert struct.unpack_from("<I", archive, 4 * (count - 1))[0] == len(archive)
    return result


def records(entity: bytes, wide: bool) -> list[tuple[int, int, int]]:
    """Kind (1 body, 3 animation), role and entry of every record."""
    at, result = 0, list[tuple[int, int, int]]()
    while entity[at] != 0xFF:
        kind, broad = entity[at], wide and entity[at] == 3
        role = struct.unpack_from("<H", entity, at + 1)[0] if broad else entity[at + 1]
        size_at = at + 2 + broad
        result.append((kind, role, struct.unpack_from("<h", entity, size_at + 1)[0]))
        at = size_at + entity[size_at]
    return result


def group_count(body: bytes, wide: bool) -> int:
    if wide:
        return struct.unpack_from("<I", body, 0x20)[0]
    at = 0x10 + struct.unpack_from("<h", body, 14)[0]
    points = struct.unpack_from("<H", body, at)[0]
    return struct.unpack_from("<H", body, at + 2 + 6 * points)[0]


def roles_of(folder: Path, wide: bool) -> list[tuple[int, int]]:
    """(role, entry) of the first character's clips, by the specification alone."""
    if wide:
        table = unpacked((folder / "RESS.HQR").read_bytes())[44] or b""
        entity = table[struct.unpack_from("<I", table)[0] :]
    else:
        entity = unpacked((folder / "FILE3D.HQR").read_bytes())[0] or b""
    return [(role, entry) for kind, role, entry in records(entity, wide) if kind == 3]


def steps_of(folder: Path, wide: bool, index: int) -> list[tuple[int, int]]:
    """(kind, keyframe) of the steps in the walk of a character, by the specification alone."""
    if wide:
        table = unpacked((folder / "RESS.HQR").read_bytes())[44] or b""
        offsets = struct.unpack_from(f"<{struct.unpack_from('<I', table)[0] // 4}I", table)
        entity = [table[first:last] for first, last in pairwise(offsets)][index]
    else:
        entity = unpacked((folder / "FILE3D.HQR").read_bytes())[index] or b""
    at, result = 0, list[tuple[int, int]]()
    while entity[at] != 0xFF:
        kind, broad = entity[at], wide and entity[at] == 3
        size_at = at + 2 + broad
        if kind == 3 and entity[at + 1] == 1:
            position = size_at + 4
            for _ in range(entity[size_at + 3]):
                assert entity[position] in (5, 15, 16), "steps, and a hit with its strength"
                result += [(entity[position], entity[position + 1])] if entity[position] > 5 else []
                assert entity[position] > 5 or entity[position + 2] == 7
                position += 2 + (entity[position] == 5)
        at = size_at + entity[size_at]
    return result


def contents(folder: Path) -> dict[str, bytes]:
    """The files of a folder, by their names."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}
