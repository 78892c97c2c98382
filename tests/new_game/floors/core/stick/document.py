"""The file: a header, a line for each bone, and for each frame a line with the root's location and one with each bone's quaternion.

    stick 1
    mood 3
    author somebody
    bone hips - 0 0 1
    bone arm hips 0.5 0 0
    frame 0 0 0
    1 0 0 0
    1 0 0 0

Numbers stand in their shortest form. Z is up, units are metres, quaternions are w x y z from the parent's axes, ten frames a second.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..files.binary import Bytes
from ..motion.rotations.rotation_matrix import Floats
from ..reporting.errors import FormatError

SIGNATURE = b"stick 1\n"


@dataclass(frozen=True, eq=False)
class Stick:
    """mood, author: of the header. names, parents: (B,) of the bones, parents first, -1 for none. offsets (B, 3) from the parent.
    locations (F, 3) of the root from its rest; rotations (F, B, 4) w, x, y, z."""

    mood: int
    author: str
    names: tuple[str, ...]
    parents: tuple[int, ...]
    offsets: Floats
    locations: Floats
    rotations: Floats

    @classmethod
    def parse(cls, data: Bytes) -> Stick:
        """Raises FormatError with the line that is wrong."""
        text = bytes(data).decode("utf-8", "surrogateescape")
        reader = _Reader(text.split("\n"))
        reader.take("stick 1")
        mood, author = int(reader.number(reader.take("mood "), 1)[0]), reader.take("author ")
        names, parents, offsets = reader.bones()
        locations, rotations = reader.frames(len(names))
        document = cls(mood, author, names, parents, offsets, locations, rotations)
        if document.pack() != bytes(data):
            raise FormatError("numbers are not in their shortest form")
        return document

    def pack(self) -> bytes:
        lines = ["stick 1", f"mood {self.mood}", f"author {self.author}"]
        for name, parent, offset in zip(self.names, self.parents, self.offsets.tolist(), strict=True):
            lines.append(f"bone {name} {self.names[parent] if parent >= 0 else '-'} {_numbers(offset)}")
        for location, rotations in zip(self.locations.tolist(), self.rotations.tolist(), strict=True):
            lines += [f"frame {_numbers(location)}", *map(_numbers, rotations)]
        return ("\n".join(lines) + "\n").encode("utf-8", "surrogateescape")


class _Reader:
    def __init__(self, lines: list[str]) -> None:
        self.lines, self.at = lines, 0

    def take(self, start: str) -> str:
        """The rest of the next line, which begins with `start`."""
        line = self.lines[self.at] if self.at < len(self.lines) else ""
        if not line.startswith(start):
            raise self.wrong(f"'{start.strip()}' was expected")
        self.at += 1
        return line[len(start) :]

    def follows(self, start: str) -> bool:
        return self.at < len(self.lines) and self.lines[self.at].startswith(start)

    def number(self, text: str, count: int) -> list[float]:
        try:
            numbers = [float(part) for part in text.split(" ")]
        except ValueError:
            raise self.wrong("a number was expected") from None
        if len(numbers) != count or not np.isfinite(numbers).all():
            raise self.wrong(f"{count} finite numbers were expected")
        return numbers

    def bones(self) -> tuple[tuple[str, ...], tuple[int, ...], Floats]:
        names: list[str] = []
        parents: list[int] = []
        offsets: list[list[float]] = []
        while self.follows("bone "):
            name, _, rest = self.take("bone ").partition(" ")
            parent, _, numbers = rest.partition(" ")
            if not name or name in names or (parent != "-" and parent not in names):
                raise self.wrong("a bone needs a name of its own, and a parent above it or '-'")
            offsets.append(self.number(numbers, 3))
            parents.append(names.index(parent) if parent != "-" else -1)
            names.append(name)
        if not names:
            raise self.wrong("a bone was expected")
        return tuple(names), tuple(parents), np.array(offsets)

    def frames(self, count: int) -> tuple[Floats, Floats]:
        locations: list[list[float]] = []
        rotations: list[list[list[float]]] = []
        while self.follows("frame "):
            locations.append(self.number(self.take("frame "), 3))
            rotations.append([self.number(self.take(""), 4) for _ in range(count)])
        if not locations:
            raise self.wrong("a frame was expected")
        return np.array(locations), np.array(rotations)

    def wrong(self, problem: str) -> FormatError:
        return FormatError(f"line {self.at + 1}: {problem}")


def _numbers(values: list[float]) -> str:
    return " ".join(repr(value).removesuffix(".0") for value in values)
