"""The made-up chain of five groups as a body of LBA2: every kind of polygon record once, written word by word."""

from __future__ import annotations

import struct

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
NORMALS = [(0, 0, 0x4000, group) for _, group in POINTS]
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


def polygons() -> bytes:
    parts: list[bytes] = []
    for kind, records in RUNS:
        data = b"".join(struct.pack(f"<{len(record)}H", *record) for record in records)
        parts.append(struct.pack("<HHHH", kind, len(records), 8 + len(data), 0) + data)
    return b"".join(parts)


def sections() -> list[tuple[int, bytes]]:
    """Count and bytes of the eight sections."""
    return [
        (len(GROUPS), b"".join(struct.pack("<4H", *group) for group in GROUPS)),
        (len(POINTS), b"".join(struct.pack("<3hH", *place, group) for place, group in POINTS)),
        (len(NORMALS), b"".join(struct.pack("<3hH", *normal) for normal in NORMALS)),
        (len(FACE_NORMALS), b"".join(struct.pack("<3hH", *normal) for normal in FACE_NORMALS)),
        (sum(len(records) for _, records in RUNS), polygons()),
        (len(LINES), b"".join(struct.pack("<4H", *line) for line in LINES)),
        (len(SPHERES), b"".join(struct.pack("<4H", *sphere) for sphere in SPHERES)),
        (len(TEXTURES), b"".join(struct.pack("<I", texture) for texture in TEXTURES)),
    ]


def starts() -> list[int]:
    """Where the sections begin, and the file's end."""
    places = [96]
    for _, data in sections():
        places.append(places[-1] + len(data))
    return places


def lm2() -> bytes:
    parts = sections()
    head = struct.pack("<ihh6i", INFO, 96, 0, *BOX)
    table = b"".join(struct.pack("<II", count, start) for (count, _), start in zip(parts, starts(), strict=False))
    return head + table + b"".join(data for _, data in parts)


LM2 = lm2()


def entity_table(entities: list[bytes]) -> bytes:
    """An offset table, its last place the end, and the entities behind it."""
    place = 4 * (len(entities) + 1)
    offsets = [place]
    for entity in entities:
        offsets.append(offsets[-1] + len(entity))
    return struct.pack(f"<{len(offsets)}I", *offsets) + b"".join(entities)


def entity(bodies: list[tuple[int, int]], animations: list[tuple[int, int]]) -> bytes:
    """(role, entry) of each; no actions."""
    parts = [struct.pack("<BBBhB", 1, role, 4, index, 0) for role, index in bodies]
    parts += [struct.pack("<BHBhB", 3, role, 4, index, 0) for role, index in animations]
    return b"".join(parts) + b"\xff"
