"""Small files of Tales of Pirates, written and read number by number, for tests that must not trust the product's own code."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path

NO_PARENT = 0xFFFFFFFF
MP_X = b"mp.x"

Matrix = list[list[float]]
IDENTITY: Matrix = [[float(row == column) for column in range(4)] for row in range(4)]


def flat(matrix: Matrix) -> bytes:
    return struct.pack("<16f", *(number for row in matrix for number in row))


def lab(
    parents: Sequence[int],
    positions: Sequence[Sequence[Sequence[float]]],
    rotations: Sequence[Sequence[Sequence[float]]],
    binds: Sequence[Matrix] | None = None,
    dummies: Sequence[tuple[int, int, Matrix]] = (),
    names: Sequence[str] = (),
) -> bytes:
    """Version 0x1005 with quaternions. positions, rotations: for each bone a list of frames. binds: inverse ones."""
    count = len(parents)
    head = struct.pack("<5I", 0x1005, count, len(positions[0]), len(dummies), 3)
    labels = list(names) or [f"Bip{index:02}" for index in range(count)]
    bones = b"".join(
        struct.pack("<64s2I", label.encode() + b"\0\xcd\xcd", index, parent & NO_PARENT)
        for index, (label, parent) in enumerate(zip(labels, parents, strict=True))
    )
    inverse = b"".join(map(flat, binds if binds is not None else [IDENTITY] * count))
    slots = b"".join(struct.pack("<2I", number, bone) + flat(matrix) for number, bone, matrix in dummies)
    keys = b""
    for bone in range(count):
        keys += b"".join(struct.pack("<3f", *position) for position in positions[bone])
        keys += b"".join(struct.pack("<4f", *rotation) for rotation in rotations[bone])
    return head + bones + inverse + slots + keys


def arm(frames: int) -> bytes:
    """A root 1 high and a child 1 further along x that turns about z, a little more in every frame; dummies 0 and 6."""
    positions = [[(0, 0, 1 + frame / 64)] for frame in range(frames)]
    steady = [[(0, 0, 0, 1)] * frames, [(0, 0, frame / 1024, 1 - frame * frame / 2**21) for frame in range(frames)]]
    moves = [[position[0] for position in positions], [(1, 0, 0)] * frames]
    binds = [[*IDENTITY[:3], [0, 0, -1, 1]], [*IDENTITY[:3], [-1, 0, -1, 1]]]
    hand = [*IDENTITY[:3], [2, 0, 1, 1]]
    return lab([-1, 0], moves, steady, binds, [(0, 0, IDENTITY), (6, 1, hand)], ["Bip01", "Bip01 Hand"])


def material(texture: str) -> bytes:
    """White, opaque, with one texture."""
    states = struct.pack("<3I", NO_PARENT, 0, 0) * 8
    head = struct.pack("<fI17f", 1, 0, *[1.0] * 12, *[0.0] * 5) + states

    def slot(stage: int, name: str) -> bytes:
        return struct.pack("<11I64sI", stage, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, name.encode("gb18030"), 0) + states

    return head + slot(0, texture) + b"".join(slot(NO_PARENT, "") for _ in range(3))


def moved(x: float, y: float, z: float) -> Matrix:
    return [*IDENTITY[:3], [x, y, z, 1.0]]


def lgo(
    texture: str = "skin.bmp",
    bones: Sequence[int] = (0, 1),
    spheres: Sequence[tuple[int, float]] = (),
    dummies: Sequence[tuple[int, Matrix, Matrix, int, int]] = (),
) -> bytes:
    """A square of two triangles of height 1, its left side on the palette's first bone, its right side on the last.

    spheres: number and radius; each is 1 along z from its dummy, or at (7, 8, 9). dummies: number, matrix, local matrix, parent.
    """
    corners = [(0, 0, 0), (1, 0, 0), (1, 0, 1), (0, 0, 1)]
    head = struct.pack("<8I", 0x1112, 4, 4, 6, 1, len(bones), 1, 0) + struct.pack("<3I", NO_PARENT, 0, 0) * 8
    mesh = head + b"".join(struct.pack("<3f", *corner) for corner in corners) + struct.pack("<3f", 0, 1, 0) * 4
    mesh += b"".join(struct.pack("<2f", x, 1 - z) for x, _, z in corners)
    for x, _, _ in corners:
        mesh += struct.pack("<4B4f", (len(bones) - 1) * x, 0, 0, 0, 1, 0, 0, 0)
    mesh += struct.pack(f"<{len(bones)}I", *bones) + struct.pack("<6I", 0, 2, 1, 0, 3, 2) + struct.pack("<4I", 2, 0, 4, 0)
    materials = struct.pack("<I", 1) + material(texture)
    helper = b""
    if dummies:
        helper += struct.pack("<I", len(dummies))
        helper += b"".join(struct.pack("<I", number) + flat(one) + flat(two) + struct.pack("<2I", *on) for number, one, two, *on in dummies)
    if spheres:
        helper += struct.pack("<I", len(spheres))
        helper += b"".join(struct.pack("<I4f", number, 0, 0, 1, radius) + flat(moved(7, 8, 9)) for number, radius in spheres)
    if helper:
        helper = struct.pack("<I", (1 if dummies else 0) | (0x20 if spheres else 0)) + helper
    head = struct.pack("<4I", 0x1005, 0, NO_PARENT, 0) + flat(IDENTITY) + bytes(24)
    return head + struct.pack("<4I", len(materials), len(mesh), len(helper), 0) + materials + mesh + helper


def bmp(red: int = 200, green: int = 40, blue: int = 10, side: int = 4) -> bytes:
    """A plain square, 24 bits a pixel."""
    rows = bytes([blue, green, red]) * side * side
    head = struct.pack("<2sI4xI", b"BM", 54 + len(rows), 54)
    return head + struct.pack("<IiiHHI12x2I", 40, side, side, 1, 24, 0, 0, 0) + rows


def scrambled(plain: bytes) -> bytes:
    return plain[-44:] + plain[44:-44] + plain[:44] + MP_X


HEADER = "//ID\tName\tSubname\tModel Type\tLogic Type\tFramework Number\tSuite Serial\tSuite Quantity\t" + "\t".join(
    [*(f"Part {part:02}" for part in range(8)), "FeffID", "EeffID", "Special Effect Action Serial", "Shadow", "Action ID", "Rest"]
)


def character(number: int, name: str, model_type: int, framework: int, suit: int, parts: Sequence[int], actions: int) -> str:
    """A line of CharacterInfo.txt."""
    values = [number, name, name, model_type, 1, framework, suit, 1, *parts, *[0] * (8 - len(parts)), 0, 0, 0, 1, actions, 0]
    return "\t".join(map(str, values))


ACTIONS = """\
// \u89d2\u8272\u52a8\u4f5c\r
//1\t"\u7a7a\u624b"\t\u666e\u901awaiting\r
1\r
\t1\t\t2\t\t9\t\t5\r
\t2\t\t0\t\t0\r
\t5,\t10 , 19\t\t12\t 15\t// run\r
\t55\t2\t9\r
\r
7\tmonster\r
\t1\t0\t4\r
\t7\t3\t30\t8\r
\t8\t6\t5\r
\t9\t40\t50\r
""".encode("gb18030")
"""A table as people write it: comments in Chinese, any blanks, rows that overlap, go beyond the end, or backwards."""


def client(root: Path, frames: int = 20) -> Path:
    """A client of mixed letter case: player model 1 with suits 0 and 3, monster 7 with two parts, and a ship of the same number."""
    files = {
        "Animation/0001.LAB": arm(frames),
        "Animation/0007.lab": arm(frames),
        "model/Character/0001000000.lgo": lgo("HEAD.BMP", spheres=[(0, 0.5), (6, 0.25)]),
        "model/Character/0001000001.LGO": lgo("body.bmp"),
        "model/Character/0001000004.lgo": lgo("body.bmp"),
        "model/Character/0001030002.lgo": lgo("body.bmp"),
        "model/Character/0007000000.lgo": lgo("body.bmp"),
        "model/Character/0007000002.lgo": lgo("body.bmp"),
        "Texture/CHARACTER/head.bmp": bmp(),
        "Texture/CHARACTER/Body.Bmp": scrambled(bmp(1, 2, 3)),
        "Scripts/TXT/characteraction.TX": ACTIONS,
        "Scripts/table/characterinfo.txt": "\r\n".join(
            [
                HEADER,
                character(1, "Strong Guy", 1, 1, 0, [2000, 255], 1),
                character(9, "Big Crab", 4, 7, 0, [1, 0, 1], 7),
                character(10, "Small Crab", 4, 7, 0, [1, 0, 0], 7),
                character(200, "Sloop", 2, 7, 0, [1], 0),
                "// the end",
            ]
        ).encode(),
    }
    for name, data in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return root


def product(one: Matrix, other: Matrix) -> Matrix:
    return [[sum(one[row][k] * other[k][column] for k in range(4)) for column in range(4)] for row in range(4)]


def worlds(data: bytes, frame: int) -> list[Matrix]:
    """world(b, frame) of a skeleton file with keys of type 1 or 3, for row vectors, from the format's definition alone."""
    version, bones, frames, dummies, kind = struct.unpack_from("<5I", data)
    parents = [struct.unpack_from("<I", data, 20 + 72 * bone + 68)[0] for bone in range(bones)]
    at = 20 + 72 * bones + 64 * bones + 72 * dummies
    result: list[Matrix] = []
    for bone in range(bones):
        if kind == 1:
            numbers = struct.unpack_from("<12f", data, at + 48 * frame)
            local = [[*numbers[3 * row : 3 * row + 3], float(row == 3)] for row in range(4)]
            at += 48 * frames
        else:
            once = version < 0x1003 and parents[bone] != NO_PARENT
            position = struct.unpack_from("<3f", data, at if once else at + 12 * frame)
            at += 12 if once else 12 * frames
            x, y, z, w = struct.unpack_from("<4f", data, at + 16 * frame)
            at += 16 * frames
            local = [
                [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y), 0],
                [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x), 0],
                [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y), 0],
                [*position, 1],
            ]
        result.append(local if parents[bone] == NO_PARENT else product(local, result[parents[bone]]))
    return result


NECK_PARENTS = [-1, 0, 0, 2, 3, 4]
NECK_POSITIONS = [(0, -0.112779, 3.946959), (0, 0, 0), (0, 0, 0), (0.296658, -0.08564, 0), (0.520112, 0.000422, 0), (0.597294, 0.146336, 0)]
NECK_ROTATIONS = [
    (-0.451655, 0.451655, 0.544066, 0.544066),
    (0, 0, 0, 1),
    (0.499999, -0.5, 0.5, 0.500001),
    (0.000002, -0.000001, 0.00051, 1),
    (0, 0, -0.169567, 0.985519),
    (0, 0, -0.076749, 0.99705),
]
NECK_WORLD = [[0, 0.952844, -0.303462, 0], [0, 0.303462, 0.952844, 0], [1, 0, 0, 0], [0, 1.318333, 4.0666, 1]]
"""0912.lab, frame 10: the bones up to the neck and where the neck is, for row vectors."""


def neck(frame: int = 10) -> bytes:
    """A file with these keys at `frame` and others around it."""
    positions = [[(9, 9, 9)] * frame + [position] + [(5, 5, 5)] for position in NECK_POSITIONS]
    rotations = [[(1, 0, 0, 0)] * frame + [rotation] + [(0, 1, 0, 0)] for rotation in NECK_ROTATIONS]
    return lab(NECK_PARENTS, positions, rotations)


KEY = (152, 157, 159, 104, 224, 102, 171, 112, 233, 209, 224, 224, 203, 221, 209, 203, 213, 207)
"""What newer clients add to the bytes of their tables."""


def obfuscated(table: bytes, once: bool = False) -> bytes:
    """A table (.bin) as newer clients have it. once: the key starts at the first record alone, not at each."""
    size = struct.unpack_from("<I", table)[0]
    return table[:4] + bytes((byte + KEY[(at if once else at % size) % 18]) % 256 for at, byte in enumerate(table[4:]))


def table_character(number: int, name: str, model_type: int, framework: int, suit: int, parts: Sequence[int], actions: int) -> bytes:
    """A record of Characterinfo.bin, with garbage wherever nothing is known."""
    head = struct.pack("<2I", 1, number) + (name.encode("gb18030") + b"\0").ljust(72, b"\xcd")
    numbers = struct.pack("<2Bx11H", model_type, 2, framework, suit, 1, *parts, *[0] * (8 - len(parts)))
    effects = struct.pack("<3H4B3H2H", 460, 0, 0, 0, 0, 1, 0, 1, 392, 6, 1, actions)
    return (head + b"\xee" * 81 + numbers + effects).ljust(940, b"\xdd")


def character_table(*records: bytes) -> bytes:
    """Characterinfo.bin."""
    return struct.pack("<I", 940) + b"".join(records)


PUBLIC = character_table(
    table_character(1, "Strong Guy", 1, 1, 0, [2000, 255], 1),
    bytes(940),
    table_character(9, "Big Crab", 4, 7, 0, [1, 0, 1], 7),
    table_character(10, "\u6c34\u624b", 4, 7, 0, [1, 0, 0], 7),
    table_character(200, "Sloop", 2, 7, 0, [1], 0),
)


def public_client(root: Path, table: bytes = PUBLIC) -> Path:
    """`client` as public ones are: with Characterinfo.bin alone, in which the small crab is called \u6c34\u624b."""
    client(root)
    (root / "Scripts" / "table" / "characterinfo.txt").unlink()
    (root / "Scripts" / "table" / "CharacterInfo.BIN").write_bytes(table)
    return root
