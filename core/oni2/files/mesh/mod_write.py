"""Mesh files written: single numbers of one that is there, or a whole one anew, as a text of version 1.10.

The limits of packets are those of the published exporter for the engine's meshes (AngelStudiosBlenderAddon export_mod.py); no file of the
game says others.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....reporting.errors import ExportError
from ..tokens import decode, encode, lines_of
from . import mod_binary, mod_text
from .mod import Mod
from .model import NONE, Model, Packet, Surface

MOST_ADJUNCTS, MOST_MATRICES = 255, 8
"""In a packet."""
MOST_MATERIALS = 255

_NUMBER = re.compile(r"\S+", re.ASCII)
_NAMES = "a material's name or texture"

Tables = tuple[NDArray[np.float32], NDArray[np.float32]]
"""A table of numbers as it was, and as it is."""

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Triangles:
    """points: (V, 3) at rest, in character space. bones: (V,) the one that carries each. corners: (T, 3) points, counter-clockwise from
    outside. normals: (T, 3, 3). uvs: (T, 3, 2), v upwards, None without. colours: (T, 3, 4) from 0 to 1, None without. materials: (T,)."""

    points: Floats
    bones: Ints
    corners: Ints
    normals: Floats
    uvs: Floats | None
    colours: Floats | None
    materials: Ints


def patched(mod: Mod, before: Model, after: Model) -> bytes:
    """The file with what differs between two models of one shape, whose surfaces `can_patch` has let through; all else of it stays. Raises
    ExportError for names that the text cannot hold."""
    tables = [(getattr(before, name), getattr(after, name)) for name in ("vertices", "normals", "colours", "coordinates")]
    surfaces = [(index, *pair) for index, pair in enumerate(zip(before.surfaces, after.surfaces, strict=True)) if pair[0] != pair[1]]
    return _patched_binary(mod.data, tables, surfaces) if mod.binary else _patched_text(mod.data, tables, surfaces)


def can_patch(mod: Mod, before: Surface, after: Surface, index: int) -> bool:
    """Whether the file has room for what a material of it is now; otherwise it has to be written anew."""
    if after == before:
        return True
    if not mod.binary:
        rows = mod_text.rows_of(decode(mod.data))[1][index]
        lines = {"diffuse": after.diffuse != before.diffuse, "texture": after.texture != before.texture}
        one = re.fullmatch(r"[^\s{}\"]+", after.name) and '"' not in after.texture and (after.texture or not lines["texture"])
        return bool(one) and all(name in rows for name, needed in lines.items() if needed)
    position = mod_binary.read_with_positions(mod.data)[1][index]
    names = re.fullmatch(r"[^\s\0]+", after.name) and after.name.isascii() and after.texture.isascii()
    room = 0 if position.texture is None else position.texture[1] - position.texture[0]
    return bool(names) and (after.texture == before.texture or 0 < len(after.texture) <= room)


def _patched_binary(data: bytes, tables: Sequence[Tables], surfaces: Sequence[tuple[int, Surface, Surface]]) -> bytes:
    result = bytearray(data)
    for start, (old, new) in zip(mod_binary.offsets_of(data), tables, strict=False):
        for index in np.flatnonzero(old.ravel() != new.ravel()).tolist():
            result[start + 4 * index : start + 4 * index + 4] = np.float32(new.ravel()[index]).tobytes()
    positions = mod_binary.read_with_positions(data)[1] if surfaces else []
    for index, old, new in reversed(surfaces):
        position = positions[index]
        if new.texture != old.texture and position.texture is not None:
            first, last = position.texture
            result[first:last] = new.texture.encode("ascii").ljust(last - first, b"\0")
        result[position.diffuse : position.diffuse + 12] = np.array(new.diffuse, "<f4").tobytes()
        if new.name != old.name:
            result[slice(*position.name)] = new.name.encode("ascii")
    return bytes(result)


def _patched_text(data: bytes, tables: Sequence[Tables], surfaces: Sequence[tuple[int, Surface, Surface]]) -> bytes:
    text = decode(data)
    lines = lines_of(text, keepends=True)
    rows_of, positions = mod_text.rows_of(text)
    for rows, (old, new) in zip(rows_of.values(), tables, strict=True):
        for row in np.flatnonzero((old != new).any(axis=1)).tolist():
            line = lines[rows[row]]
            tokens = list(_NUMBER.finditer(line))[1:]
            for column in reversed(np.flatnonzero(old[row] != new[row]).tolist()):
                at = tokens[column]
                line = f"{line[: at.start()]}{number(new[row, column])}{line[at.end() :]}"
            lines[rows[row]] = line
    for index, old, new in surfaces:
        position = positions[index]
        line = lines[position["mtl"]]
        at = line.index(old.name, list(_NUMBER.finditer(line))[1].start())
        lines[position["mtl"]] = line[:at] + new.name + line[at + len(old.name) :]
        if new.diffuse != old.diffuse:
            lines[position["diffuse"]] = _with_numbers(lines[position["diffuse"]], new.diffuse, old.diffuse)
        if new.texture != old.texture:
            line, tokens = lines[position["texture"]], list(_NUMBER.finditer(lines[position["texture"]]))
            lines[position["texture"]] = f'{line[: tokens[2].start()]}"{new.texture}"{line[tokens[-1].end() :]}'
    return encode("".join(lines), _NAMES)


def _with_numbers(line: str, new: Sequence[float], old: Sequence[float]) -> str:
    """The line with other numbers behind its keyword; those that stay keep their text."""
    for at, value, before in reversed(list(zip(list(_NUMBER.finditer(line))[1:], new, old, strict=False))):
        if value != before:
            line = f"{line[: at.start()]}{number(value)}{line[at.end() :]}"
    return line


def number(value: float) -> str:
    """The shortest text that a 32-bit number is read from again."""
    return np.format_float_positional(np.float32(value), trim="-")


def model_of(mesh: Triangles, heads: Floats, surfaces: Sequence[Surface]) -> Model:
    """Vertices relative to their bones and in their order, and packets of triangles for each material. heads: (B, 3) where bones are.

    surfaces: by the numbers in `materials`; their packets are counted anew. Raises ExportError."""
    if len(surfaces) > MOST_MATERIALS:
        raise ExportError(f"{len(surfaces)} materials; the game has room for {MOST_MATERIALS}")
    order = np.argsort(mesh.bones, kind="stable")
    order = order[np.isin(order, mesh.corners)]
    at = np.zeros(len(mesh.bones), np.int64)
    at[order] = np.arange(len(order))
    vertices = (mesh.points - heads[mesh.bones])[order].astype(np.float32)
    corners = at[mesh.corners].ravel()
    normals, normal = _unique(mesh.normals.reshape(-1, 3))
    colours, colour = _unique(mesh.colours.reshape(-1, 4)) if mesh.colours is not None else _nothing(corners, 4)
    down = mesh.uvs.reshape(-1, 2) * [1, -1] + [0, 1] if mesh.uvs is not None else None
    coordinates, coordinate = _unique(down) if down is not None else _nothing(corners, 2)
    bones = mesh.bones[mesh.corners].ravel()
    rows = np.stack([corners, normal, colour, coordinate, np.full(len(corners), NONE), bones], axis=1).reshape(-1, 3, 6)
    packets: list[Packet] = []
    counted: list[Surface] = []
    for index, surface in enumerate(surfaces):
        own = _packets(rows[mesh.materials == index])
        packets += own
        counted.append(Surface(surface.name, len(own), surface.diffuse, surface.texture))
    return Model(vertices, normals, colours, coordinates, tuple(counted), tuple(packets))


def _unique(rows: Floats) -> tuple[NDArray[np.float32], Ints]:
    table, index = np.unique(np.round(rows, 6).astype(np.float32) + np.float32(0), axis=0, return_inverse=True)
    return table, index.reshape(-1)


def _nothing(corners: Ints, width: int) -> tuple[NDArray[np.float32], Ints]:
    return np.zeros((0, width), np.float32), np.full(len(corners), NONE)


def _packets(faces: Ints) -> list[Packet]:
    """As few as come of filling one after another. faces: (T, 3, 6) adjuncts with bone numbers."""
    packets: list[Packet] = []
    adjuncts: dict[tuple[int, ...], int] = {}
    bones: dict[int, int] = {}
    triangles: list[list[int]] = []

    def close() -> None:
        if triangles:
            table = np.array(list(adjuncts), np.int64).reshape(-1, 6)
            table[:, 5] = [bones[bone] for bone in table[:, 5].tolist()]
            packets.append(Packet(table, np.array(triangles, np.int64), np.array(list(bones), np.int64)))
        adjuncts.clear()
        bones.clear()
        triangles.clear()

    for face in faces.tolist():
        keys = [tuple(corner) for corner in face]
        if len({*adjuncts, *keys}) > MOST_ADJUNCTS or len({*bones, *(key[5] for key in keys)}) > MOST_MATRICES:
            close()
        for key in keys:
            adjuncts.setdefault(key, len(adjuncts))
            bones.setdefault(key[5], len(bones))
        triangles.append([adjuncts[key] for key in keys])
    close()
    return packets


def text_of(model: Model, bone_count: int) -> bytes:
    """The whole file. Raises ExportError for names that the text cannot hold."""
    counts = [
        ("verts", len(model.vertices)), ("normals", len(model.normals)), ("colors", len(model.colours)), ("tex1s", len(model.coordinates)),
        ("tex2s", 0), ("tangents", 0), ("materials", len(model.surfaces)), ("adjuncts", sum(len(each.adjuncts) for each in model.packets)),
        ("primitives", sum(len(each.triangles) for each in model.packets)), ("matrices", bone_count), ("reskins", 0),
    ]  # fmt: skip
    lines = ["version: 1.10", *(f"{name}: {count}" for name, count in counts), ""]
    for name, table in (("v", model.vertices), ("n", model.normals), ("c", model.colours), ("t1", model.coordinates)):
        lines += ["\t".join([name, *map(number, row)]) for row in table.tolist()]
        lines += [""] if len(table) else []
    first = 0
    for surface in model.surfaces:
        own = model.packets[first : first + surface.packets]
        first += surface.packets
        lines += [*_material(surface, sum(len(packet.triangles) for packet in own)), ""]
    for packet in model.packets:
        lines.append(f"packet {len(packet.adjuncts)} {len(packet.triangles)} {len(packet.matrices)} {{")
        lines += ["\tadj\t" + "\t".join(map(str, row)) for row in packet.adjuncts.tolist()]
        lines += ["\ttri\t" + "\t".join(map(str, row)) for row in packet.triangles.tolist()]
        lines += [f"\tmtx {' '.join(map(str, packet.matrices.tolist()))}", "}", ""]
    vertices, normals = _of_bones(model, bone_count)
    lines += [f"mtxv {' '.join(map(str, vertices))}", f"mtxn {' '.join(map(str, normals))}", ""]
    return encode("\n".join(lines), _NAMES)


def _material(surface: Surface, triangles: int) -> list[str]:
    name = re.sub(r"[\s{}\"]+", "_", surface.name) or "material"
    lines = [
        f"mtl {name} {{",
        f"\tpackets:\t{surface.packets}",
        f"\tprimitives:\t{triangles}",
        f"\ttextures:\t{int(bool(surface.texture))}",
    ]
    lines += ["\tillum:\tdiffuse", "\tambient:\t0 0 0", f"\tdiffuse:\t{' '.join(map(number, surface.diffuse))}", "\tspecular:\t0 0 0"]
    return [*lines, *([f'\ttexture:\t0 "{surface.texture}"'] if surface.texture else []), "}"]


def _of_bones(model: Model, count: int) -> tuple[list[int], list[int]]:
    """How many vertices each bone carries, and how many normals are used on it first."""
    rows = np.concatenate([np.zeros((0, 6), np.int64), *(packet.adjuncts for packet in model.packets)])
    bones = np.concatenate([np.zeros(0, np.int64), *(packet.matrices[packet.adjuncts[:, 5]] for packet in model.packets)])
    result: list[list[int]] = []
    for column in (0, 1):
        _, where = np.unique(rows[:, column], return_index=True)
        result.append(np.bincount(bones[where], minlength=count).tolist())
    return result[0], result[1]
