"""The made-up chain of five groups as a body of LBA2: every kind of polygon record once, written word by word."""

from __future__ import annotations

import struct
from itertools import accumulate

POINTS = [
    ((0, 0, 0), 0),
    ((0, 100, 0), 0),
    ((0, 0, 0), 1),
    ((50, 200, 0), 1),
    ((-50, 200, 0), 1),
    ((0, 0, 0), 2),
    ((0, 0, 300), 2),
    ((0, 0, 0), 3),
    ((-100, 0, 0), 3),
    ((0, 0, 0), 4),
    ((0, -80, 40), 4),
]
GROUPS = [(0xFFFF, 0, 2, 0), (0, 1, 3, 2), (1, 3, 2, 0), (1, 4, 2, 0), (2, 6, 2, 0)]
FACE_NORMALS = [(0, 0, 0x4000, 1), (0x4000, 0, 0, 1)]
TEXTURES = [0x07070000, 0x0F1F2010, 0xFFFF0000]

RUNS: list[tuple[int, list[tuple[int, ...]]]] = [
    (0x0000, [(0, 2, 3, 0xAB, 0x1214, 0)]),  # solid triangle
    (0x0001, [(2, 3, 4, 0, 36, 11), (4, 3, 2, 0, 37, 12)]),  # flat triangles
    (0x8004, [(3, 6, 8, 4, 52, 0)]),  # Gouraud quad
    (0x8002, [(0, 2, 6, 5, 99, 4)]),  # transparent quad
    (0x000A, [(2, 3, 4, 1, 0, 0, 0x0000, 0x0080, 0x2100, 0x1080, 0xFFFF, 0x8000)]),  # Gouraud, textured triangle
    (0x800C, [(3, 6, 8, 4, 7, 1, 0, 0, 0x1000, 0, 0x1000, 0x1000, 0, 0x1000, 0, 0xBEEF)]),  # solid, textured quad with holes
    (0x8011, [(3, 6, 8, 4, 7, 12, 0, 0, 0x100, 0, 0x100, 0x100, 0, 0x100, 2, 0)]),  # the same in perspective, flat
    (0x4009, [(3, 6, 8, 1, 7, 12, 0x0420, 0x1111)]),  # environment-mapped triangle
    (0xC00A, [(3, 6, 8, 4, 7, 3, 0x1008, 2)]),  # environment-mapped quad
]
LINES = [(0, 15, 6, 9)]
SPHERES = [(0, 66, 10, 25), (1, 67, 9, 12)]
INFO, BOX = 0x510, (-150, 150, 0, 400, -50, 350)


Run = tuple[int, list[tuple[int, ...]]]
Body = tuple[list[tuple[tuple[int, int, int], int]], list[tuple[int, int, int, int]]]
"""Points with their group, and groups."""


def polygons(runs: list[Run]) -> bytes:
    parts: list[bytes] = []
    for kind, records in runs:
        data = b"".join(struct.pack(f"<{len(record)}H", *record) for record in records)
        parts.append(struct.pack("<HHHH", kind, len(records), 8 + len(data), 0) + data)
    return b"".join(parts)


def sections(body: Body = (POINTS, GROUPS), runs: list[Run] = RUNS) -> list[tuple[int, bytes]]:
    """Count and bytes of the eight sections."""
    points, groups = body
    normals = [(0, 0, 0x4000, group) for _, group in points]
    return [
        (len(groups), b"".join(struct.pack("<4H", *group) for group in groups)),
        (len(points), b"".join(struct.pack("<3hH", *position, group) for position, group in points)),
        (len(normals), b"".join(struct.pack("<3hH", *normal) for normal in normals)),
        (len(FACE_NORMALS), b"".join(struct.pack("<3hH", *normal) for normal in FACE_NORMALS)),
        (sum(len(records) for _, records in runs), polygons(runs)),
        (len(LINES), b"".join(struct.pack("<4H", *line) for line in LINES)),
        (len(SPHERES), b"".join(struct.pack("<4H", *sphere) for sphere in SPHERES)),
        (len(TEXTURES), b"".join(struct.pack("<I", texture) for texture in TEXTURES)),
    ]


def starts(parts: list[tuple[int, bytes]] | None = None) -> list[int]:
    """Where the sections begin, and the file's end."""
    positions = [96]
    for _, data in parts or sections():
        positions.append(positions[-1] + len(data))
    return positions


def run_starts() -> list[int]:
    """Where each of RUNS begins, and where the last one ends."""
    return list(accumulate((8 + sum(2 * len(record) for record in records) for _, records in RUNS), initial=starts()[4]))


def lm2(body: Body = (POINTS, GROUPS), runs: list[Run] = RUNS, info: int = INFO) -> bytes:
    parts = sections(body, runs)
    head = struct.pack("<ihh6i", info, 96, 0, *BOX)
    table = b"".join(struct.pack("<II", count, start) for (count, _), start in zip(parts, starts(parts), strict=False))
    return head + table + b"".join(data for _, data in parts)


LM2 = lm2()


def every_kind() -> list[Run]:
    """Runs of all 24 types, each as triangles and quads, with and without an environment map. The four corners of quads are those of a
    square; textures are repeated beyond their region."""
    runs: list[Run] = []
    for low in range(24):
        for flags in (0, 0x4000, 0x8000, 0xC000):
            corners = (3, 6, 8, 4) if flags & 0x8000 else (2, 3, 4)
            colour, normal, handle = 16 * (low % 16) + 3, 11, low % len(TEXTURES)
            positions = [(0x0180 + 0x900 * index, 0x2080 + 0x1300 * index) for index in range(len(corners))]
            uv = [value for position in positions for value in position]
            if flags & 0x4000:
                scale = 0x1008
                record = (*corners, colour, normal, scale, handle) if flags & 0x8000 else (*corners, handle, colour, normal, scale, 0)
            elif low < 8:
                record = (*corners, colour, normal) if flags & 0x8000 else (*corners, 0, colour, normal)
            else:
                record = (*corners, colour, normal, *uv, handle, 0) if flags & 0x8000 else (*corners, handle, colour, normal, *uv)
            runs.append((low | flags, [record]))
    return runs


Frame = tuple[int, tuple[int, int, int], list[tuple[int, int, int, int]]]
"""Duration, step, and of every bone its type and three words."""


def anm(frames: list[Frame], loop_frame: int = 0, word3: int = 101) -> bytes:
    parts = [struct.pack("<4H", len(frames), len(frames[0][2]), loop_frame, word3)]
    for duration, step, bones in frames:
        parts.append(struct.pack("<H3h", duration, *step) + b"".join(struct.pack("<H3h", *bone) for bone in bones))
    return b"".join(parts)


FRAMES: list[Frame] = [
    (250, (3, 0, 90), [(0, 0, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0), (0, 4090, 0, -200)]),
    (400, (0, 0, 600), [(3, 0, 256, 0), (1, 0, 30, -8), (0, 4000, 100, 0), (0, 96, 0, 400), (0, 512, 0, 4096)]),
    (0, (0, 0, 0), [(2, 0, 0, 0), (1, 0, -30, 8), (0, 100, 3900, 1200), (0, 4000, 0, 3600), (0, 3584, 2048, 0)]),
    (333, (10, -20, 500), [(1, -40, -256, 60), (0, 90, 0, 0), (1, 5, 0, 40), (0, 0, 0, 0), (0, 3584, 0, 0)]),
    (267, (0, 0, 600), [(0, 7, 8, 9), (1, 0, 0, 0), (0, 0, 0, 0), (3, 4, 4, 4), (0, 0, 0, -224)]),
]
"""The chain in motion: a keyframe of no duration, bones that change between turning and moving, also where the numbers before are not
zero, angles beyond a turn, all master flags, an exact half turn, leftovers in the fourth word."""

ANM = anm(FRAMES, loop_frame=1)


def packed(data: bytes) -> bytes:
    """As an entry of compression method 2: literals, and where the last three bytes come again, one reference to them."""
    out, position = b"", 0
    while position < len(data):
        flags, items = 0, b""
        for bit in range(8):
            if position >= len(data):
                break
            length = 3
            while (
                length < 18
                and position >= 3
                and data[position : position + length + 1] == (data[position - 3 : position] * 7)[: length + 1]
            ):
                length += 1
            if (
                position >= 3
                and len(data) - position >= length
                and data[position : position + length] == (data[position - 3 : position] * 7)[:length]
            ):
                items += struct.pack("<H", length - 3 | 2 << 4)
                position += length
            else:
                flags |= 1 << bit
                items += data[position : position + 1]
                position += 1
        out += bytes((flags,)) + items
    return struct.pack("<IIH", len(data), len(out), 2) + out


def archive(entries: list[bytes | int | None]) -> bytes:
    """An HQR: packed entries, None for a blank one, a number for one that shows the same bytes as that one."""
    position = 4 * (len(entries) + 1)
    table: list[int] = []
    blobs: list[bytes] = []
    for entry in entries:
        if isinstance(entry, bytes):
            blobs.append(packed(entry))
            table.append(position)
            position += len(blobs[-1])
        else:
            table.append(0 if entry is None else table[entry])
    return struct.pack(f"<{len(table) + 1}I", *table, position) + b"".join(blobs)


def palette() -> bytes:
    return bytes((index * 7 + component * 50) % 256 for index in range(256) for component in range(3))


def page() -> bytes:
    return bytes((x * 3 + y * 5) % 251 for y in range(256) for x in range(256))


def resources(entities: list[bytes]) -> bytes:
    """RESS.HQR: palette, texture page and the table of entities where the game has them, blank and shared entries between."""
    entries: list[bytes | int | None] = [None] * 45
    entries[0], entries[6], entries[44] = palette(), page(), entity_table(entities)
    entries[1], entries[2], entries[7] = b"something else", 1, 6
    return archive(entries)


def entity_table(entities: list[bytes]) -> bytes:
    """An offset table, its last place the end, and the entities behind it."""
    position = 4 * (len(entities) + 1)
    offsets = [position]
    for entity in entities:
        offsets.append(offsets[-1] + len(entity))
    return struct.pack(f"<{len(offsets)}I", *offsets) + b"".join(entities)


def entity(bodies: list[tuple[int, int]], animations: list[tuple[int, int]]) -> bytes:
    """(role, entry) of each; no actions."""
    parts = [struct.pack("<BBBhB", 1, role, 4, index, 0) for role, index in bodies]
    parts += [struct.pack("<BHBhB", 3, role, 4, index, 0) for role, index in animations]
    return b"".join(parts) + b"\xff"
