"""The text form of a mesh file: vertices and the like one a line, then materials and packets in braces."""

from __future__ import annotations

import re
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from ....reporting.errors import FormatError
from ..tokens import BOM, lines_of
from .model import Model, Packet, Surface, triangles_of

TABLES = {"v": 3, "n": 3, "c": 4, "t1": 2}
"""Keywords of lines of numbers, and how many there are: vertices, normals, colours, texture coordinates."""


_PIECES = re.compile(r"\S+", re.ASCII)


class _Parser:
    """The lines, one after the other."""

    def __init__(self, text: str) -> None:
        self.lines = lines_of(text.removeprefix(BOM).rstrip("\0\x1a"))
        self.line = 0
        self.tables: dict[str, list[list[str]]] = {name: [] for name in TABLES}
        self.rows: dict[str, list[int]] = {name: [] for name in TABLES}
        self.surfaces: list[Surface] = []
        self.surface_rows: list[dict[str, int]] = []
        self.packets: list[Packet] = []

    def run(self) -> Model:
        while (tokens := self.next()) is not None:
            if tokens[0] in TABLES and len(tokens) > TABLES[tokens[0]]:
                self.tables[tokens[0]].append(tokens[1 : TABLES[tokens[0]] + 1])
                self.rows[tokens[0]].append(self.line - 1)
            elif tokens[0] == "mtl" and len(tokens) > 1:
                self.surfaces.append(self.surface(tokens[1].strip('"{')))
            elif tokens[0] == "packet":
                self.packets.append(self.packet())
        if not self.tables["v"] or not self.packets:
            raise FormatError("not a mesh: no vertex or no packet in it", 0)
        arrays = {name: self.floats(rows, TABLES[name], name) for name, rows in self.tables.items()}
        return Model(arrays["v"], arrays["n"], arrays["c"], arrays["t1"], tuple(self.surfaces), tuple(self.packets))

    def next(self) -> list[str] | None:
        """The tokens of the next line that has any."""
        while self.line < len(self.lines):
            line = self.lines[self.line]
            tokens = line.split() if line.isascii() else _PIECES.findall(line)
            self.line += 1
            if tokens and not tokens[0].startswith(("#", "//")):
                return tokens
        return None

    def block(self) -> list[list[str]]:
        """The lines up to the closing brace."""
        return [tokens for tokens, _ in self.numbered()]

    def numbered(self) -> list[tuple[list[str], int]]:
        """The same, each with its number."""
        start, rows = self.line, list[tuple[list[str], int]]()
        while (tokens := self.next()) is not None:
            if tokens[0] == "}":
                return rows
            if tokens[0] != "{":
                rows.append((tokens, self.line - 1))
        raise FormatError(f"line {start}: a brace is never closed")

    def surface(self, name: str) -> Surface:
        packets, diffuse, texture = 1, (0.8, 0.8, 0.8), ""
        start = self.line
        self.surface_rows.append({"mtl": start - 1})
        for tokens, line in self.numbered():
            if tokens[0] == "packets:" and len(tokens) > 1:
                packets = int(self.whole([tokens[1]], start)[0])
            elif tokens[0] == "diffuse:" and len(tokens) > 3:
                red, green, blue = self.floats([tokens[1:4]], 3, "diffuse")[0].tolist()
                diffuse = (red, green, blue)
                self.surface_rows[-1]["diffuse"] = line
            elif tokens[0] == "texture:" and len(tokens) > 2:
                texture = " ".join(tokens[2:]).strip('"')
                self.surface_rows[-1]["texture"] = line
        return Surface(name, max(packets, 0), diffuse, texture)

    def packet(self) -> Packet:
        number, start = len(self.packets), self.line
        adjuncts: list[list[str]] = []
        strips: list[list[int]] = []
        swapped: list[bool] = []
        matrices = np.zeros(0, np.int64)
        for tokens in self.block():
            if tokens[0] == "adj":
                if len(tokens) < 5:
                    raise FormatError(f"packet {number}: an adjunct has {len(tokens) - 1} numbers")
                adjuncts.append([*tokens[1:7], *["0"] * (7 - len(tokens))])
            elif tokens[0] in ("str", "stp"):
                strip = self.integers(tokens[1:], start)
                if not strip or strip[0] != len(strip) - 1:
                    raise FormatError(f"packet {number}: a strip of {strip[:1]} has {max(len(strip) - 1, 0)} indices")
                strips.append(strip[1:])
                swapped.append(tokens[0] == "stp")
            elif tokens[0] == "tri":
                strips.append(self.integers(tokens[1:4], start))
                swapped.append(False)
            elif tokens[0] == "mtx":
                matrices = np.concatenate([matrices, self.whole(tokens[1:], start)])
        table = self.whole([token for row in adjuncts for token in row], start).reshape(-1, 6)
        joined = self.array(list(chain.from_iterable(strips)), start)
        return Packet(table, triangles_of(joined, list(map(len, strips)), swapped), matrices)

    def whole(self, tokens: list[str], line: int) -> NDArray[np.int64]:
        return self.array(self.integers(tokens, line), line)

    def integers(self, tokens: list[str], line: int) -> list[int]:
        try:
            return list(map(int, tokens))
        except ValueError:
            raise FormatError(f"line {line}: a number is expected in this block") from None

    def array(self, numbers: list[int], line: int) -> NDArray[np.int64]:
        try:
            return np.array(numbers, np.int64).reshape(-1)
        except OverflowError:
            raise FormatError(f"line {line}: a number is expected in this block") from None

    def floats(self, rows: list[list[str]], width: int, name: str) -> NDArray[np.float32]:
        try:
            table = np.array(rows, np.float64).reshape(-1, width)
        except ValueError:
            raise FormatError(f"{name}: numbers are expected") from None
        if not (np.abs(table) < 3.4e38).all():
            raise FormatError(f"{name}: a number is not finite")
        return table.astype(np.float32)


def read(text: str) -> Model:
    """Raises FormatError when it is no mesh, or a bone is one that no skeleton has."""
    model = _Parser(text).run()
    model.check()
    return model


def rows_of(text: str) -> tuple[dict[str, list[int]], list[dict[str, int]]]:
    """By table the line that each of its rows stands in, counted from 0, and of each material those of its name ("mtl"), "diffuse" and
    "texture", as far as it has them. Raises FormatError."""
    parser = _Parser(text)
    parser.run()
    return parser.rows, parser.surface_rows
