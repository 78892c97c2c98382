"""The mannequin for Little Big Adventure 2: its body as LM2 in a knitted shirt, its animations in milliseconds, and the archives."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..core.lba.characters.characters import TABLE_ENTRY
from ..core.lba.characters.companions import PAGE_ENTRY, PALETTE_ENTRY
from ..core.lba.files import lm2
from ..core.lba.files.anm import ROTATE, Anm
from ..core.lba.files.archive.hqr import Hqr
from ..core.lba.files.entity_table import EntityTable
from ..core.lba.files.file3d import END
from ..core.lba.files.lm1 import FLAT_LIT, GOURAUD, GROUP_SIZE, POINT_SIZE, Lm1
from ..core.lba.files.lm2 import ANIMATED, ENVIRONMENT, FLAT, QUAD, SOLID, TEXTURED, Lm2
from ..core.lba.files.palette import Palette
from ..core.lba.files.texture import SIDE, TexturePage
from .mannequin import CHEST, colour
from .shapes import Floats, whole

FOLDER = Path(__file__).parent / "lba2"

VERSION = 0x10
TEXTURED_GOURAUD = TEXTURED + 2
NORMAL_LENGTH = 0x4000 - 1
MILLISECONDS, STEPS = 20, 4
"""Of a tick of the first game, and of one of its angle steps."""

KNIT = 32
"""Texels of the shirt's pattern, in both directions; it repeats."""
ROUND, PER_UNIT = 4 * KNIT, KNIT / 96
"""Texels once round the chest, and up it for one unit: the pattern comes again and again."""
METHOD = 2


def page() -> TexturePage:
    """The pattern in the upper left corner: a band of diamonds, a thin line, and rows of stitches."""
    texels = np.zeros((SIDE, SIDE), np.uint8)
    for v in range(KNIT):
        for u in range(KNIT):
            stitch = (u // 2 + v) % 2
            diamond = abs(u % 16 - 8) + abs(v - 11)
            tint = colour("blue", 8 + 2 * stitch)
            if v in (1, 21):
                tint = colour("sky", 12 + stitch)
            elif diamond < 7:
                tint = colour("yellow", 11 + stitch) if diamond in (0, 1, 5, 6) else colour("red", 8 + 2 * stitch)
            texels[v, u] = tint
    return TexturePage(texels)


def body(first: Lm1) -> Lm2:
    """The same groups, points, faces, lines and spheres; faces of more than four corners in pieces."""
    assert first.groups is not None
    groups = np.zeros(len(first.groups), lm2.GROUP)
    parents = first.groups["parent"].astype(np.int64)
    groups["parent"] = np.where(parents < 0, lm2.ROOT, parents // GROUP_SIZE)
    groups["pivot"], groups["point_count"] = first.groups["pivot"] // POINT_SIZE, first.groups["point_count"]
    points = np.zeros(len(first.points), lm2.POINT)
    points["position"], points["group"] = first.points, np.repeat(np.arange(len(groups)), groups["point_count"])
    faces = _Faces(first, points)
    groups["face_normal_count"] = np.bincount(faces.normals["group"], minlength=len(groups))
    runs, stream = faces.runs()
    lines, spheres = np.zeros(len(first.lines), lm2.LINE), np.zeros(len(first.spheres), lm2.SPHERE)
    lines["colour"], lines["points"] = first.lines["colour"], first.lines["points"] // POINT_SIZE
    spheres["colour"], spheres["point"] = first.spheres["colour"], first.spheres["point"] // POINT_SIZE
    spheres["radius"] = first.spheres["radius"]
    return Lm2(
        info=VERSION | ANIMATED,
        box=first.box.astype("<i4"),
        groups=groups,
        points=points,
        normals=faces.point_normals(),
        face_normals=faces.normals,
        polygon_count=len(faces.records),
        runs=runs,
        stream=stream,
        lines=lines,
        spheres=spheres,
        textures=np.array([(0, (KNIT - 1, KNIT - 1))], lm2.TEXTURE),
    )


class _Faces:
    """The polygons of a body as records of LBA2, and the normals that they need, those of flat faces in the order of their groups."""

    def __init__(self, first: Lm1, points: NDArray[np.void]) -> None:
        self.points = points
        self.smooth = np.zeros((len(points), 3))
        self.area = np.zeros((len(points), 3))
        self.records: list[tuple[int, list[int]]] = []
        flat: list[tuple[int, Floats, int]] = []
        polygon, point_at, normal_at = first.corner_references()
        for face, (material, tint) in enumerate(first.polygons[["material", "colour"]].tolist()):
            own = polygon == face
            corners = (first.stream[point_at[own]] // POINT_SIZE).tolist()
            area = _area(points["position"][corners].astype(np.float64))
            self.area[corners] += area
            if material >= GOURAUD:
                self.smooth[corners] += first.normals["direction"][first.stream[normal_at[own]]]
            group = int(points["group"][corners[0]])
            for piece in _pieces(corners):
                if FLAT_LIT <= material < GOURAUD:
                    flat.append((group, area, len(self.records)))
                self.records.append(self._record(piece, material, tint))
        flat.sort(key=lambda item: item[0])
        self.normals = np.zeros(len(flat), lm2.NORMAL)
        for number, (group, area, record) in enumerate(flat):
            self.normals[number] = tuple(_scaled(area).tolist()), group
            self.records[record][1][5] = len(points) + number

    def _record(self, corners: list[int], material: int, tint: int) -> tuple[int, list[int]]:
        """Its type, and the values P1 ... colour, normal, and for the shirt the texture coordinates and the texture."""
        quad = len(corners) == 4
        ends = corners if quad else [*corners, 0]
        if material == CHEST.material and tint == CHEST.colour:
            coordinates = self._knit(corners)
            stream = [*ends, 0, corners[0], *coordinates, *([0, 0] if quad else [])]
            return TEXTURED_GOURAUD | QUAD * quad, stream
        kind = lm2.GOURAUD if material >= GOURAUD else FLAT if material >= FLAT_LIT else SOLID
        return kind | QUAD * quad, [*ends, tint, corners[0]]

    def _knit(self, corners: list[int]) -> list[int]:
        """8.8 fixed U, V: round the chest and down it, beyond the pattern, where it comes again."""
        positions = self.points["position"][corners].astype(np.float64)
        round_it = np.arctan2(positions[:, 0], positions[:, 2]) / (2 * np.pi)
        round_it += np.round(round_it[0] - round_it)  # no corner on the other side of the seam
        across = whole(256 * (ROUND * (round_it + 0.5)) + 256 * KNIT)
        down = whole(256 * (300 - positions[:, 1]) * PER_UNIT)
        return np.stack([across, down], axis=1).astype(int).ravel().tolist()

    def point_normals(self) -> NDArray[np.void]:
        """Where no smooth face is, that of the faces round the point."""
        normals = np.zeros(len(self.points), lm2.NORMAL)
        has_smooth = self.smooth.any(axis=1, keepdims=True)
        normals["direction"] = [_scaled(row).tolist() for row in np.where(has_smooth, self.smooth, self.area)]
        normals["group"] = self.points["group"]
        return normals

    def runs(self) -> tuple[NDArray[np.void], NDArray[np.uint16]]:
        """All records of one type together, in the order of the types."""
        kinds = sorted({kind for kind, _ in self.records})
        assert not any(kind & ENVIRONMENT for kind in kinds)
        runs = np.zeros(len(kinds), lm2.RUN)
        stream: list[int] = []
        for run, kind in zip(runs, kinds, strict=True):
            own = [record for other, record in self.records if other == kind]
            run["type"], run["count"] = kind, len(own)
            run["size"] = lm2.RUN.itemsize + 2 * sum(map(len, own))
            stream += [value for record in own for value in record]
        return runs, np.array(stream, "<u2")


def _area(corners: Floats) -> Floats:
    return np.cross(corners, np.roll(corners, -1, axis=0)).sum(axis=0)


def _scaled(direction: Floats) -> Floats:
    length = np.linalg.norm(direction)
    return whole(direction * (NORMAL_LENGTH / length)).astype(int) if length else np.zeros(3, int)


def _pieces(corners: list[int]) -> list[list[int]]:
    """A polygon as triangles and quads from its first corner."""
    return [[corners[0], *corners[start : start + 3]] for start in range(1, len(corners) - 1, 2)]


def animation(first: Anm) -> Anm:
    """In milliseconds and 4096 steps; the master word drives the heading as there."""
    frames = first.frames.copy()
    frames["duration"] *= MILLISECONDS
    rotations = (frames["bones"]["type"] == ROTATE)[..., None]
    rotations[:, 0] = True
    frames["bones"]["value"] = np.where(rotations, frames["bones"]["value"] * STEPS, frames["bones"]["value"])
    return Anm(first.loop_frame, 0, frames)


def entity(roles: Mapping[str, int]) -> bytes:
    """Body 0, and the animations in the order of their entries."""
    records = [struct.pack("<BBBhB", 1, 0, 4, 0, 0)]
    records += [struct.pack("<BHBhB", 3, role, 4, entry, 0) for entry, role in enumerate(roles.values())]
    return b"".join(records) + bytes((END,))


def files(lm1: Lm1, animations: Mapping[str, Anm], roles: Mapping[str, int], palette: Palette) -> dict[str, bytes]:
    """All files by name. RESS.HQR has the palette, the texture page and the entity table where the game has them, and blank entries."""
    shape = body(lm1).pack()
    packed = {name: animation(anm).pack() for name, anm in animations.items()}
    table = entity(roles)
    offsets = struct.pack("<2I", 8, 8 + len(table))
    resources = {PALETTE_ENTRY: palette.pack(), PAGE_ENTRY: page().pack(), TABLE_ENTRY: EntityTable.parse(offsets + table).pack()}
    return {
        "mannequin.lm2": shape,
        **{f"{name}.anm": data for name, data in packed.items()},
        "BODY.HQR": archive({0: shape}).pack(),
        "ANIM.HQR": archive(dict(enumerate(packed.values()))).pack(),
        "RESS.HQR": archive(resources).pack(),
    }


def archive(entries: Mapping[int, bytes]) -> Hqr:
    """With blank entries between."""
    hqr = Hqr(np.full(max(entries) + 1, -1, np.int32), (), {})
    for number, data in sorted(entries.items()):
        hqr = hqr.with_entry(number, data, METHOD)
    return hqr
