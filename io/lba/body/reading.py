"""What a body is read with: its parts as they come together, and which numbers of its file are given away."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ....core.lba.body import lm1_write, lm2_write
from ....core.lba.body.body import stamp_of
from ....core.lba.body.visible_faces import FaceColumns, columns_of, shown_faces
from ....core.lba.files import lm1, lm2
from ....core.lba.files.lm1 import Lm1
from ....core.lba.files.lm2 import Lm2
from ....core.lba.files.palette import Palette
from . import paint
from .paint import Paint
from .roles import Role
from .surface import Figure, Part

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(eq=False)
class Reading:
    """The parts of a shape as they come together."""

    figure: Figure
    wide: bool
    palette: Palette
    original: Lm1 | Lm2 | None
    rest: Floats
    """(P, 3) where the file's points are."""
    positions: list[Floats] = field(default_factory=list[Floats])
    groups: list[Ints] = field(default_factory=list[Ints])
    numbers: list[Ints] = field(default_factory=list[Ints])
    paints: dict[Any, Paint] = field(default_factory=dict[Any, Paint])
    pictures: dict[Any, Floats] = field(default_factory=dict[Any, Floats])
    foreign: bool = False
    """Whether the materials are those of the other game."""

    @cached_property
    def before(self) -> FaceColumns:
        """Of the file's faces."""
        assert self.original is not None
        return columns_of(self.original)

    def references(self, role: Role) -> Ints:
        """(N, ends) the points of the file's lines or spheres."""
        if isinstance(self.original, Lm2):
            return lm2_write.references_of(self.original, lm2.LINE if role == "LINES" else lm2.SPHERE)
        return lm1_write.references_of(self.original, lm1.LINE if role == "LINES" else lm1.SPHERE)

    @property
    def count(self) -> int:
        return sum(map(len, self.positions))

    def paint(self, material: bpy.types.Material | None) -> Paint:
        if material not in self.paints:
            self.paints[material] = paint.paint_of(material, self.palette, self.foreign)
            if self.original is not None:
                paint.report_picture(material, self.paints[material], self.wide)
        return self.paints[material]

    def pixels(self, image: bpy.types.Image) -> Floats:
        """(H, W, 4), 0 to 1, the lowest row first."""
        if image not in self.pictures:
            self.pictures[image] = paint.pixels_of(image)
        return self.pictures[image]

    @property
    def points(self) -> tuple[Floats, Ints, Ints]:
        """Positions (P, 3), groups and numbers of all points so far; a body may have lines and spheres alone."""
        if not self.positions:
            return np.zeros((0, 3)), np.zeros(0, np.int64), np.zeros(0, np.int64)
        return np.concatenate(self.positions), np.concatenate(self.groups), np.concatenate(self.numbers)

    def add(self, positions: Floats, groups: Ints, numbers: Ints) -> None:
        self.positions.append(positions)
        self.groups.append(groups)
        self.numbers.append(numbers)


class Taken:
    """Which numbers of the file are given away: of copies the first one is what the file has."""

    def __init__(self, original: Lm1 | Lm2 | None) -> None:
        self.original = original
        self.stamp = stamp_of(original.pack()) if original is not None else -1
        self.known: dict[str, set[int]] = {}

    def points(self, part: Part) -> Ints:
        count = len(self.original.points) if self.original is not None else 0
        given = part.numbers
        if given is None and len(part.positions) == count:  # it came in before numbers were kept
            return np.arange(count)
        return self._first("points", given, len(part.positions), count)

    def faces(self, part: Part) -> Ints:
        if self.original is None:
            return np.full(len(part.data.polygons), -1, np.int64)
        shown = shown_faces(self.original)
        if part.face_numbers is None and len(part.data.polygons) == len(shown):
            return shown
        return self._first("faces", part.face_numbers, len(part.data.polygons), int(shown.max(initial=-1)) + 1)

    def outlines(self, part: Part) -> Ints:
        """(V,) the line or sphere that each vertex is of."""
        if part.numbers is None or self.original is None:
            return np.full(len(part.positions), -1, np.int64)
        return self._numbers(part.numbers, len(self.original.lines if part.role == "LINES" else self.original.spheres))

    def _numbers(self, given: Ints, count: int) -> Ints:
        number = (given & 0xFFFF) - 1
        return np.where((given >> 16 == self.stamp) & (number < count), number, -1)

    def _first(self, kind: str, given: Ints | None, size: int, count: int) -> Ints:
        if given is None:
            return np.full(size, -1, np.int64)
        numbers = self._numbers(given, count)
        known = self.known.setdefault(kind, set())
        first = np.zeros(size, bool)
        first[np.unique(numbers, return_index=True)[1]] = True
        first &= ~np.isin(numbers, list(known)) & (numbers >= 0)
        known.update(numbers[first].tolist())
        return np.where(first, numbers, -1)
