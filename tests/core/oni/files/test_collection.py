"""Collections of animations (TRAC): by hand, in a .oni and out of a level, changed by one row."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from retro_anim.core import archives
from retro_anim.core.oni.collection import collect, collection_of, collections
from retro_anim.core.oni.files.instances import PLACEHOLDER
from retro_anim.core.oni.files.onifile import OniFile, Part
from retro_anim.core.oni.records.trac import Collection
from retro_anim.core.reporting.errors import ExportError, FormatError, RetroAnimError

from .test_levels import level_of

NAMES = ("TRAMKONCOMidle1", "TRAMKONCOMpunch_heavy")


def body(weights: tuple[int, ...], tail: bytes = b"") -> bytes:
    """16 bytes of padding, the parent, 2 bytes, the count; for each a weight, 6 bytes and a link."""
    rows = b"".join(struct.pack("<H6sI", weight, b"\0\0\xad\xde\xad\xde", 0) for weight in weights)
    return b"\xad\xde" * 8 + struct.pack("<IHH", 0, 0, len(weights)) + rows + tail


def collection(path: Path, tail: bytes = b"") -> bytes:
    """As OniSplit exports one: names of others in placeholders."""
    links = {16: 1, 24 + 8: 2, 24 + 12 + 8: 3}
    others = ("TRACkonokocore", *NAMES)
    main = Part("TRAC", "TRACkonoko", body=body((100, 30), tail), links=links)
    data = OniFile.build([main, *(Part(name[:4], name, flags=PLACEHOLDER) for name in others)]).pack()
    path.write_bytes(data)
    return data


def plain(data: bytes) -> tuple[str, list[tuple[int, str]]]:
    """Parent, weights and names, read without the package's records: descriptors of 20 bytes behind the head of 64."""
    count, names_at = struct.unpack_from("<I", data, 20)[0], struct.unpack_from("<I", data, 40)[0]
    table = [struct.unpack_from("<4sIIII", data, 64 + 20 * index) for index in range(count)]
    names = [data[names_at + row[2] :].split(b"\0", 1)[0].decode() for row in table]
    at = struct.unpack_from("<I", data, 32)[0] + table[0][1] - 8 + 8
    parent, rows = struct.unpack_from("<I", data, at + 16)[0], struct.unpack_from("<H", data, at + 22)[0]
    pairs = [struct.unpack_from("<H6xI", data, at + 24 + 12 * row) for row in range(rows)]
    return names[parent >> 8] if parent else "", [(weight, names[link >> 8]) for weight, link in pairs]


@pytest.mark.parametrize("tail", [b"", bytes(12)])
def test_an_animation_more_and_again_without_it(tmp_path: Path, tail: bytes) -> None:
    path = tmp_path / "TRACkonoko.oni"
    before = collection(path, tail)
    assert plain(before) == ("TRACkonokocore", [(100, NAMES[0]), (30, NAMES[1])])
    collected = collect(str(path), "TRAMKONCOMspin", weight=50)
    assert collected == (str(path), (*NAMES, "TRAMKONCOMspin"))
    assert plain(path.read_bytes()) == ("TRACkonokocore", [(100, NAMES[0]), (30, NAMES[1]), (50, "TRAMKONCOMspin")])
    assert (tmp_path / "TRACkonoko.oni.bak").read_bytes() == before
    collect(str(path), "TRAMKONCOMspin", remove=True)
    assert plain(path.read_bytes()) == plain(before)
    with pytest.raises(ExportError, match="has no TRAMKONCOMspin"):
        collect(str(path), "TRAMKONCOMspin", remove=True)


def test_another_weight_changes_its_bytes(tmp_path: Path) -> None:
    path = tmp_path / "TRACkonoko.oni"
    before = collection(path, bytes(20))
    collect(str(path), NAMES[1], weight=31)
    after = path.read_bytes()
    assert [index for index, (one, other) in enumerate(zip(before, after, strict=True)) if one != other] == [
        before.index(body((100, 30))[36:38] + b"\0\0\xad\xde\xad\xde")
    ]
    with pytest.raises(ExportError, match="a weight of 0"):
        collect(str(path), NAMES[1], weight=0)
    assert path.read_bytes() == after


def test_out_of_a_level_it_is_a_file_of_its_own_that_grows(tmp_path: Path) -> None:
    level = tmp_path / "mod #1" / "level0_Final.dat"
    level.parent.mkdir()
    data = bytearray(level_of({NAMES[0]: bytes(32), "TRACkonoko": body((100,))}))
    data[data.index(b"\0\0\xad\xde\xad\xde") + 6 :][:0] = b""
    at = bytes(data).rindex(b"\0\0\xad\xde\xad\xde") + 6
    data[at : at + 4] = (0 << 8 | 1).to_bytes(4, "little")
    level.write_bytes(data)
    assert collections(str(level)) == ["TRACkonoko"]
    with pytest.raises(ExportError, match="choose the collection: TRACkonoko"):
        collect(str(level), NAMES[0])
    assert collect(f"{level}#TRACkonoko", "TRAMKONCOMspin").path == str(level.parent / "TRACkonoko.oni"), "beside it"
    folder = tmp_path / "KONOKO"
    folder.mkdir()
    for name in ("TRAMKONCOMspin", "TRAMKONCOMjump"):
        written = collect(f"{level}#TRACkonoko", name, str(folder)).path
    assert Path(written) == folder / "TRACkonoko.oni"
    assert plain((folder / "TRACkonoko.oni").read_bytes()) == (
        "",
        [(100, NAMES[0]), (100, "TRAMKONCOMspin"), (100, "TRAMKONCOMjump")],
    )
    assert level.read_bytes() == data
    assert [each.name for each in archives.extracted(str(level), "TRACkonoko")] == ["TRACkonoko.oni"]


def test_what_is_no_collection_is_named(tmp_path: Path) -> None:
    path = tmp_path / "TRACkonoko.oni"
    collection(path)
    data = bytearray(path.read_bytes())
    at = data.index(struct.pack("<IHH", 1 << 8 | 1, 0, 2)) + 6
    data[at : at + 2] = (500).to_bytes(2, "little")
    path.write_bytes(data)
    with pytest.raises(FormatError, match=r"TRACkonoko\.oni: animations of a TRAC"):
        collection_of(str(path))
    other = tmp_path / "TRAMother.oni"
    other.write_bytes(OniFile.build([Part("TRAM", "TRAMother", body=bytes(400))]).pack())
    with pytest.raises(RetroAnimError, match="a TRAM, and not a TRAC"):
        collect(str(other), "TRAMKONCOMspin")
    assert collections(str(tmp_path / "none.dat")) == []
    assert Collection.of(OniFile.build([Part("TRAC", "TRACnone", body=body(()))]).record(0)).names == ()


def test_a_collection_without_a_parent_gets_none(tmp_path: Path) -> None:
    """No link to nothing is written into it."""
    path = tmp_path / "TRACalone.oni"
    parts = [Part("TRAC", "TRACalone", body=body((100,)), links={24 + 8: 1}), Part("TRAM", NAMES[0], flags=PLACEHOLDER)]
    path.write_bytes(OniFile.build(parts).pack())
    file = OniFile.parse(path.read_bytes())
    edited = Collection.of(file.record(0)).with_animation(NAMES[1], 5)
    assert (edited.parent, sorted(edited.record.links.values())) == ("", sorted(NAMES))
