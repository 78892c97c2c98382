"""Random documents that keep all rules of their format."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from retro_anim.core.lba.files import lm2
from retro_anim.core.lba.files.anm import Anm, frame_dtype
from retro_anim.core.lba.files.lm1 import GROUP, LINE, NORMAL, POLYGON, SPHERE, Lm1
from retro_anim.core.lba.files.lm2 import Lm2

unsigned = st.integers(0, 65535)
shorts = st.integers(-32768, 32767)
octets = st.integers(0, 255)


def sized_bytes(size: int) -> st.SearchStrategy[bytes]:
    return st.binary(min_size=size, max_size=size)


@st.composite
def anms(draw: st.DrawFn, types: st.SearchStrategy[int] = unsigned, longest: int = 65535) -> Anm:
    """Any values at all in the header and in every keyframe. types: of the bones."""
    count, bones = draw(st.integers(1, 6)), draw(st.integers(1, 5))
    frames = np.zeros(count, frame_dtype(bones))
    frames["duration"] = draw(arrays("<u2", count, elements=st.integers(0, longest)))
    frames["step"] = draw(arrays("<i2", (count, 3)))
    frames["bones"]["type"] = draw(arrays("<u2", (count, bones), elements=types))
    frames["bones"]["value"] = draw(arrays("<i2", (count, bones, 3)))
    return Anm(draw(unsigned), draw(unsigned), frames)


@st.composite
def polygon_tables(draw: st.DrawFn, points: int, normals: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Heads, and the streams behind them: materials that need a normal only where there is one."""
    heads: list[tuple[int, int, int, int]] = []
    data: list[int] = []
    point, normal = st.integers(0, points - 1).map(lambda index: 6 * index), st.integers(0, max(normals - 1, 0))
    for _ in range(draw(st.integers(0, 4))):
        material, corners = draw(st.integers(0, 12 if normals else 6)), draw(st.integers(3, 16))
        heads.append((material, corners, draw(octets), draw(octets)))
        if material >= 9:
            for _ in range(corners):
                data += [draw(normal), draw(point)]
        else:
            data += [draw(normal)] * (material >= 7) + [draw(point) for _ in range(corners)]
    return np.array(heads, POLYGON), np.array(data, "<u2")


@st.composite
def lm1s(draw: st.DrawFn, animated: bool | None = None) -> Lm1:
    """Groups in a random tree, each with points of its own; everything that the engine does not read is random."""
    counts = draw(st.lists(st.integers(1, 4), min_size=1, max_size=6))
    ends = np.cumsum(counts)
    total, normals = int(ends[-1]), draw(st.integers(0, 4))
    has_groups = draw(st.booleans()) if animated is None else animated
    groups = np.zeros(len(counts), GROUP)
    for index, group in enumerate(groups):
        parent = draw(st.integers(0, index - 1)) if index else -1
        first = int(ends[parent]) - counts[parent] if index else 0
        pivot = first + draw(st.integers(0, counts[parent] - 1)) if index else 0
        group["first_point"], group["point_count"] = 6 * (int(ends[index]) - counts[index]), counts[index]
        group["pivot"], group["parent"] = 6 * pivot, 38 * parent if index else -1
        group["type"], group["angles"] = draw(unsigned), [draw(shorts) for _ in range(3)]
        group["first_normal"], group["normal_count"] = draw(unsigned), draw(unsigned)
        group["old_matrix"] = draw(arrays("<i2", (3, 3)))
    polygons, polygon_stream = draw(polygon_tables(total, normals))
    point = st.integers(0, total - 1).map(lambda index: 6 * index)
    pairs, radii = st.tuples(point, point), st.tuples(unsigned, point)
    lines = [(*draw(sized_bytes(4)), draw(pairs)) for _ in range(draw(st.integers(0, 3)))]
    spheres = [(*draw(sized_bytes(4)), *draw(radii)) for _ in range(draw(st.integers(0, 3)))]
    info = draw(st.binary(max_size=20))
    return Lm1(
        flags=(draw(unsigned) & ~2) | 2 * has_groups,
        box=draw(arrays("<i2", 6, elements=st.integers(100, 9000))),
        info_size=len(info),
        info=info,
        points=draw(arrays("<i2", (total, 3))),
        groups=groups if has_groups else None,
        normals=np.array([(draw(arrays("<i2", 3)), draw(unsigned)) for _ in range(normals)], NORMAL),
        polygons=polygons,
        stream=polygon_stream,
        lines=np.array(lines, LINE),
        spheres=np.array(spheres, SPHERE),
        tail=draw(unsigned),
        rest=draw(st.binary(max_size=9)),
    )


@st.composite
def lm2_polygons(draw: st.DrawFn, points: int, textures: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Runs of every kind, in any order; textured ones only where there are textures. Unused words are random."""
    heads: list[tuple[int, int, int]] = []
    data: list[int] = []
    point, handle = st.integers(0, points - 1), st.integers(0, max(textures - 1, 0))
    for _ in range(draw(st.integers(0, 6))):
        low = draw(st.integers(0, 23 if textures else 7))
        kind = low | draw(st.sampled_from([0, 0x4000, 0x8000, 0xC000])) | draw(st.sampled_from([0, 0x100, 0x2000]))
        count = draw(st.integers(0, 3))
        size = int(lm2.lengths_of(np.array(kind)))
        heads.append((kind, count, draw(st.sampled_from([8 + 2 * size * count, 0, 0xFFFFFFFF]))))
        for _ in range(count):
            record = draw(arrays("<u2", size))
            corners = 4 if kind & 0x8000 else 3
            record[:corners] = [draw(point) for _ in range(corners)]
            if low >= 8:
                record[(7 if kind & 0x4000 else 14) if kind & 0x8000 else 3] = draw(handle)
            data += record.tolist()
    return np.array(heads, lm2.RUN), np.array(data, "<u2")


@st.composite
def lm2s(draw: st.DrawFn, animated: bool | None = None) -> Lm2:
    """Groups in a random tree, polygons of all kinds; everything that the engine does not read is random."""
    counts = draw(st.lists(st.integers(1, 4), min_size=1, max_size=6))
    ends = np.cumsum(counts)
    total, textures = int(ends[-1]), draw(st.integers(0, 3))
    has_groups = draw(st.booleans()) if animated is None else animated
    groups = np.zeros(len(counts) if has_groups else 0, lm2.GROUP)
    for index, group in enumerate(groups):
        parent = draw(st.integers(0, index - 1)) if index else 0xFFFF
        pivot = int(ends[parent]) - draw(st.integers(1, counts[parent])) if index else draw(unsigned)
        group["parent"], group["pivot"], group["point_count"], group["face_normal_count"] = parent, pivot, counts[index], draw(unsigned)
    runs, polygon_stream = draw(lm2_polygons(total, textures))
    point = st.integers(0, total - 1)
    lines = [(draw(unsigned), draw(unsigned), (draw(point), draw(point))) for _ in range(draw(st.integers(0, 3)))]
    spheres = [(draw(unsigned), draw(unsigned), draw(point), draw(unsigned)) for _ in range(draw(st.integers(0, 3)))]
    normals = [
        np.array([(draw(arrays("<i2", 3)), draw(unsigned)) for _ in range(count)], lm2.NORMAL)
        for count in (draw(st.sampled_from([total, 0, total + 1])), draw(st.integers(0, 3)))
    ]
    info = draw(st.integers(-(2**31), 2**31 - 1))
    return Lm2(
        info=info if has_groups else info & ~lm2.ANIMATED,
        box=draw(arrays("<i4", 6)),
        groups=groups,
        points=np.array([(draw(arrays("<i2", 3)), draw(unsigned)) for _ in range(total)], lm2.POINT),
        normals=normals[0],
        face_normals=normals[1],
        polygon_count=draw(st.integers(0, 2**32 - 1)),
        runs=runs,
        stream=polygon_stream,
        lines=np.array(lines, lm2.LINE),
        spheres=np.array(spheres, lm2.SPHERE),
        textures=np.array([(draw(unsigned), draw(arrays("u1", 2))) for _ in range(textures)], lm2.TEXTURE),
        rest=draw(st.binary(max_size=9)),
    )


def hqr_bytes(blobs: list[bytes], slots: Sequence[int | None]) -> bytes:
    """An archive laid out by hand: for every slot its blob, or None for a blank one."""
    start = 4 * (len(slots) + 1)
    offsets = [start + sum(map(len, blobs[:index])) for index in range(len(blobs) + 1)]
    table = [0 if slot is None else offsets[slot] for slot in slots]
    return struct.pack(f"<{len(table) + 1}I", *table, offsets[-1]) + b"".join(blobs)


def record(data: bytes, real: int | None = None, method: int = 0, packed: int | None = None) -> bytes:
    """Header and data of one entry; the sizes may be lies."""
    return struct.pack("<IIH", len(data) if real is None else real, len(data) if packed is None else packed, method) + data
