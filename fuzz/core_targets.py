"""Targets without Blender: every format's parser with what it packs and reports, pictures, compressions, names, bone maps,
BVH and COLLADA."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from ..core import formats
from ..core.files.format import Archive, Format
from ..core.reporting import log
from ..core.reporting.errors import RetroAnimError
from . import motion_seeds, picture_seeds
from .target import Target

SAMPLES = Path(__file__).resolve().parent.parent / "samples"
_MOST_ENTRIES = 64

_XML = b'<?xml version="1.0"?>\n<Oni Version="0.99.0.0">\n    <%s Id="0">\n        <Lookup></Lookup>\n    </%s>\n</Oni>\n'
_SEEDS = {
    "TRAM XML": [_XML % ((b"Animation",) * 2)],
    "OBAN XML": [_XML % ((b"OBAN",) * 2)],
    "HQR": [b"\x08\0\0\0\x14\0\0\0\2\0\0\0\2\0\0\0\0\0ab"],
}
_BVH = b"""HIERARCHY
ROOT Hips {
OFFSET 0 1.5 0
CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
JOINT Knee {
OFFSET 1 -4 .5
CHANNELS 3 Zrotation Xrotation Yrotation
End Site {
OFFSET 0 -4 0
}}}
MOTION
Frames: 2
Frame Time: 0.04
0 9 .25 1 2 3 4 5 6
0,5 1e3 .25 1 2 nan 4 5
"""


def targets() -> Iterator[Target]:
    """In the order of the games' formats."""
    known = _samples()
    for kind in formats.known():
        seeds = [*known.get(kind.name, ()), *_SEEDS.get(kind.name, ())]
        yield Target(f"parse {kind.name}".replace(" ", "-"), tuple(seeds), _parsed(kind))
    yield Target("picture", tuple(picture_seeds.pictures()), _picture)
    yield Target("compression", (b"\x00abcdefgh", b"\xff\x00\x00ab"), _compression)
    yield Target("entry-names", (b"ANIM.HQR\n0 walk\n1:run\n",), _names)
    yield Target("entry-metadata", (b'{"entries": [{"description": "walk"}, null, {"type": ""}]}',), _metadata)
    yield Target("COLLADA", tuple(motion_seeds.collada()), _collada)
    yield Target("bone-map", (_bone_map(),), _map)
    yield Target(
        "BVH",
        (_BVH, _BVH.replace(b"3 Zrotation Xrotation", b"1").replace(b" {", b"\n{"), b"\xff\xfe" + _BVH.decode().encode("utf-16-le")),
        _bvh,
    )


def _samples() -> dict[str, list[bytes]]:
    """By format the samples, also those in archives."""
    known: dict[str, list[bytes]] = {}
    for path in sorted(path for path in SAMPLES.rglob("*") if path.is_file() and path.suffix not in (".py", ".pyc")):
        kind = formats.recognise_file(path)
        if kind is None:
            continue
        known.setdefault(kind.name, []).append(path.read_bytes())
        archive = formats.archive_of(formats.open_file(path))
        for index in range(min(len(archive), _MOST_ENTRIES) if archive is not None else 0):
            if archive is not None and not archive.blank(index):
                data = archive.read(index)
                inner = formats.recognise_entry(data, str(path), archive.name(index))
                if inner is not None:
                    known.setdefault(inner.name, []).append(data)
    return known


def _parsed(kind: Format) -> Callable[[bytes], None]:
    """Parsed, packed and described; what could be parsed comes back to the byte."""

    def run(data: bytes) -> None:
        with log.collect():
            kind.recognise(data[: formats.HEAD], len(data))
            document = kind.parse(data)
            assert document.pack() == data, "packing it gives other bytes"
            kind.describe(document)
            if kind.kind == "archive" or kind.archive is not None:
                _entries(document if kind.archive is None else kind.archive(document), kind)

    return run


def _entries(archive: Archive, kind: Format) -> None:
    for index in range(min(len(archive), _MOST_ENTRIES)):
        if archive.blank(index):
            continue
        archive.name(index)
        try:
            if kind.entry_facts is not None:
                kind.entry_facts(archive, index)
            archive.read(index)
        except RetroAnimError:
            continue


def _picture(data: bytes) -> None:
    """Scrambled ones, too; and what was read comes back as it is."""
    from ..core.images import png
    from ..core.mindpower.client import textures

    pixels = textures.decode(data)
    assert pixels.ndim == 3 and pixels.shape[2] == 4 and pixels.size
    assert (png.decode(png.encode(pixels)) == pixels).all()


def _compression(data: bytes) -> None:
    """Unpacked as far as it goes; and whatever it is, it packs and comes back."""
    from ..core.lba.files.archive import lz

    for method in (1, 2):
        packed = lz.compress(data, method)
        if packed is not None:
            assert lz.expand(packed, len(data), method)[0] == data
    for method in (1, 2):
        lz.expand(data, min(8 * len(data), 1 << 16), method)


def _names(data: bytes) -> None:
    from ..core.lba.files.archive import hqd

    hqd.EntryNames.parse(data)


def _metadata(data: bytes) -> None:
    from ..core.lba.files.archive import hqd

    assert all(hqd.EntryNames.of_metadata(data).by_entry.values())


def _collada(data: bytes) -> None:
    """A motion beside an Oni XML: whatever is read has finite places, and keys that a TRAM has room for."""
    from ..core.oni.xml import dae_motion

    with log.collect():
        for overlay in (False, True):
            motion = dae_motion.read(data, overlay=overlay)
            assert len(motion.heights) == motion.fields["frame_count"] == len(motion.path) - 1
            assert np.isfinite(motion.path).all() and np.isfinite(motion.offsets).all()


def _map(data: bytes) -> None:
    from ..core.retarget.figures.maps import map_file

    bone_map = map_file.parse(data)
    assert map_file.parse(map_file.pack(bone_map)) == bone_map


def _bvh(data: bytes) -> None:
    """What is written for Blender is read as the same, but for how long a figure without channels stands still."""
    from ..core.motion.bvh import reading as bvh_file

    with log.collect():
        text = bvh_file.plain(data)
        again = bvh_file.plain(text.encode())
    head = text.partition("\nMOTION\n")[0]
    assert again == text or (set(re.findall(r"CHANNELS (\d+)", head)) == {"0"} and again.startswith(head))


def _bone_map() -> bytes:
    from ..core.retarget.figures.maps import map_file
    from ..core.retarget.figures.maps.bone_map import BoneMap, Chain, Pair, PairOptions

    pair = Pair("hips", "pelvis", "hips", 0.9, "", PairOptions(weight=0.5, offset=(0.1, 0.0, 0.0)))
    return map_file.pack(BoneMap((pair,), (Chain(("a", "b"), ("c", "d", "e"), "tail", "INTERPOLATED", 1.0, ""),)))
