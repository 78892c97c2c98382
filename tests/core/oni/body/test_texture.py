"""Textures by hand: each format, where the pixels are on PC and Mac, and what a body takes of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from retro_anim.core.oni.body.body_file import body_file
from retro_anim.core.oni.body.body_read import read_body
from retro_anim.core.oni.body.mannequin import mannequin
from retro_anim.core.oni.body.textures.pictures_write import texture_file
from retro_anim.core.oni.body.textures.texture import HEAD, read_texture, repainted
from retro_anim.core.oni.files.instances import MAC, PLACEHOLDER, WINDOWS
from retro_anim.core.oni.files.level import Level
from retro_anim.core.oni.files.library import Instance, Library
from retro_anim.core.oni.files.onifile import OniFile, Part
from retro_anim.core.reporting import log
from retro_anim.core.reporting.errors import FormatError

from ..files.test_levels import level_of

BGRA4444, BGR555, BGRA5551, RGBA, BGR, DXT1 = 0, 1, 2, 7, 8, 9
ENVIRONMENT = 0x200
"""Formats and a flag as the game and OniSplit number them."""

RED, GREEN, BLUE, WHITE, CLEAR = [255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255], [255, 255, 255, 255], [0, 0, 0, 0]

PIXELS = {
    BGRA4444: b"\x00\xff\xf0\xf0\x0f\xf0\x00\x00",
    BGR555: b"\x00\xfc\xe0\x83\x1f\x80\xff\xff",
    BGRA5551: b"\x00\xfc\xe0\x83\x1f\x80\x00\x00",
    RGBA: bytes([*RED, *GREEN, *BLUE, *CLEAR]),
    BGR: b"\0\0\xff\0" + b"\0\xff\0\0" + b"\xff\0\0\0" + b"\xff\xff\xff\0",
}
"""Two by two: red, green, blue, and nothing (white where there is no alpha)."""


def record(kind: int, width: int, height: int, flags: int = 0, **pointers: int) -> bytes:
    head = np.zeros((), HEAD)
    head["width"], head["height"], head["format"], head["flags"] = width, height, kind, flags
    for name, pointer in pointers.items():
        head[name] = pointer
    return head.tobytes() + bytes(28)


def texture(kind: int, width: int, height: int, data: bytes, flags: int = 0, checksum: int = WINDOWS) -> Instance:
    at = 0x94 if checksum == WINDOWS else 0x98
    file = OniFile.build([Part("TXMP", "TXMPmade", body=record(kind, width, height, flags), blocks={at: data})], checksum)
    return Instance(OniFile.parse(file.pack()), "made.oni", 0)


@pytest.mark.parametrize("kind", PIXELS)
@pytest.mark.parametrize("checksum", [WINDOWS, MAC])
def test_formats(kind: int, checksum: int) -> None:
    result = read_texture(texture(kind, 2, 2, PIXELS[kind], checksum=checksum))
    last = WHITE if kind in (BGR, BGR555) else CLEAR
    assert result.pixels.tolist() == [[RED, GREEN], [BLUE, last]]
    assert result.name == "TXMPmade"
    mirror = read_texture(texture(kind, 2, 2, PIXELS[kind], ENVIRONMENT)).pixels
    assert mirror[..., 3].min() == 255


def test_five_bits_are_spread_to_the_nearest_of_eight() -> None:
    """3 of 31 is 24.7 of 255, 4 is 32.9 and 16 is 131.6."""
    data = (3 << 10 | 4 << 5 | 16).to_bytes(2, "little")
    assert read_texture(texture(BGR555, 1, 1, data)).pixels.tolist() == [[[25, 33, 132, 255]]]


def test_blocks() -> None:
    """Four colours where the first is the larger one, else three and black; a block is cut where the picture ends."""
    four = b"\x00\xf8\x1f\x00" + bytes([0b11100100, 0, 0b01010101, 0])
    three = b"\x1f\x00\x00\xf8" + bytes([0b11100100, 0, 0, 0])
    pixels = read_texture(texture(DXT1, 6, 3, four + three)).pixels
    assert pixels.shape == (3, 6, 4)
    assert pixels[0].tolist() == [RED, BLUE, [170, 0, 85, 255], [85, 0, 170, 255], BLUE, RED]
    assert pixels[1].tolist() == [RED] * 4 + [BLUE] * 2
    assert pixels[2].tolist() == [BLUE] * 6
    wide = read_texture(texture(DXT1, 8, 4, four + three)).pixels
    assert wide[0, 4:].tolist() == [BLUE, RED, [127, 0, 127, 255], [0, 0, 0, 255]]


def test_a_mac_level_has_pixels_in_its_sep() -> None:
    data = level_of({"TXMPmade": record(RGBA, 2, 2, raw=0x40, sep=0x20)})
    level = Level.parse(data, b"", bytes(0x20) + PIXELS[RGBA])
    assert read_texture(Instance(level, "level1_Final.dat", 0)).pixels[0, 0].tolist() == RED
    with pytest.raises(FormatError, match="raw data file missing"):
        read_texture(Instance(Level.parse(data, bytes(100)), "level1_Final.dat", 0))


@pytest.mark.parametrize("flags", [ENVIRONMENT | 0x1004, 0x1000])
def test_in_the_place_of_another_one_its_flags_and_what_it_mirrors_stay(tmp_path: Path, flags: int) -> None:
    """Four bits a channel; where a texture mirrors, its alpha says how much, and is not shown."""
    parts = [
        Part("TXMP", "TXMPmade", body=record(BGRA4444, 2, 2, flags), blocks={148: PIXELS[BGRA4444]}, links={144: 1}),
        Part("TXMP", "TXMPenvmap/sky", flags=PLACEHOLDER),
    ]
    path = tmp_path / "TXMPmade.oni"
    path.write_bytes(OniFile.build(parts).pack())
    before = path.read_bytes()
    pixels = read_texture(Library().at(str(path))).pixels.copy()
    assert texture_file("TXMPmade", pixels, paths=[str(tmp_path / "TRBSone.oni")]).pack() == before
    pixels[1, 1] = RED
    after = texture_file("TXMPmade", pixels, paths=[str(tmp_path / "TRBSone.oni")]).pack()
    assert before.count(PIXELS[BGRA4444]) == 1
    assert after == before.replace(PIXELS[BGRA4444], PIXELS[BGRA4444][:6] + (b"\x00\x0f" if flags & ENVIRONMENT else b"\x00\xff"))
    assert b"TXMPenvmap/sky" in after
    wide = texture_file("TXMPmade", np.tile(pixels, (2, 2, 1)), paths=[str(path)])
    head = np.frombuffer(wide.bytes_of(0)[8:], HEAD, 1)[0]
    assert (head["width"], head["flags"] & ~np.uint32(0x1000), head["environment"]) == (4, flags & ~0x1000, 1 << 8 | 1)


def test_what_is_refused() -> None:
    for kind, width, height, problem in (
        (3, 2, 2, "format 3"),
        (RGBA, 0, 2, "0 x 2"),
        (RGBA, 65535, 65535, "bytes of raw data expected"),
        (DXT1, 5, 5, "32 bytes"),
    ):
        with pytest.raises(FormatError, match=problem):
            read_texture(texture(kind, width, height, bytes(16)))
    file = OniFile.build([Part("TXMP", "TXMPmade", body=record(RGBA, 2, 2))])
    with pytest.raises(FormatError, match="without pixels"):
        read_texture(Instance(file, "made.oni", 0))
    with pytest.raises(FormatError, match="left"):
        read_texture(Instance(OniFile.build([Part("TXMP", "TXMPmade", body=bytes(9))]), "made.oni", 0))


def test_a_body_with_its_textures(tmp_path: Path) -> None:
    """A character's own textures come before those of the meshes; what is not at hand or broken is only a name."""
    own = mannequin()
    pieces = [piece and replace(piece, texture="TXMPmesh") for piece in own.pieces]
    (tmp_path / "TRBSone.oni").write_bytes(body_file(replace(own, pieces=pieces), "TRBSone").pack())
    skin = OniFile.build([Part("TXMP", "TXMPskin", body=record(RGBA, 2, 2), blocks={0x94: PIXELS[RGBA]})])
    (tmp_path / "TXMPskin.oni").write_bytes(skin.pack())
    (tmp_path / "TXMPbroken.oni").write_bytes(OniFile.build([Part("TXMP", "TXMPbroken", body=record(5, 2, 2))]).pack())
    items = bytes(22) + b"\4\0" + bytes(16)
    parts = [
        Part("ONCC", "ONCCone", body=bytes(0xD00), links={0xC34: 1, 0xC38: 2}),
        Part("TRBS", "TRBSone", flags=PLACEHOLDER),
        Part("TRMA", "TRMAone", body=items, links={24: 3, 28: 3, 36: 4}),
        Part("TXMP", "TXMPskin", flags=PLACEHOLDER),
        Part("TXMP", "TXMPbroken", flags=PLACEHOLDER),
    ]
    (tmp_path / "ONCCone.oni").write_bytes(OniFile.build(parts).pack())
    with log.collect() as said:
        body = read_body(str(tmp_path / "ONCCone.oni"))
    textures = [piece.texture for piece in body.pieces if piece is not None]
    assert textures == ["TXMPskin", "TXMPskin", "TXMPmesh", "TXMPbroken"] + ["TXMPmesh"] * 15
    assert list(body.images) == ["TXMPskin"]
    assert "texture format 5" in said.digest("WARNING")[0]
    mesh = body.mesh()
    assert [(material.name, material.image is not None, material.blend) for material in mesh.materials] == [
        ("TXMPskin", True, "CLIP"),
        ("TXMPmesh", False, "OPAQUE"),
        ("TXMPbroken", False, "OPAQUE"),
    ]
    assert (np.bincount(mesh.material_of) == [24, 192, 12]).all()


def test_names_with_other_characters(tmp_path: Path) -> None:
    """OniSplit writes what a file's name cannot have with percent signs."""
    skin = OniFile.build([Part("TXMP", "TXMPa/b", body=record(RGBA, 2, 2), blocks={0x94: PIXELS[RGBA]})])
    (tmp_path / "TXMPa%2Fb.oni").write_bytes(skin.pack())
    result = Library().find("TXMPa/b", str(tmp_path / "TRBSone.oni"))
    assert result is not None
    assert result.name == "TXMPa/b"


FORMATS = {"BGR": BGR, "BGR555": BGR555, "BGRA5551": BGRA5551, "BGRA4444": BGRA4444, "RGBA": RGBA}


@pytest.mark.parametrize("form", FORMATS)
def test_each_form_says_how_its_bytes_are_ordered(form: Any) -> None:
    """As OniSplit's importer does: little endian but for RGBA, whose bytes have one order; without it the game swaps them."""
    pixels = np.full((2, 4, 4), 255, np.uint8)
    pixels[0, 1] = 255, 0, 0, 255
    file = texture_file("TXMPours", pixels, form)
    head = np.frombuffer(file.bytes_of(0)[8:], HEAD, 1)[0]
    assert (int(head["flags"]), int(head["format"])) == (0 if form == "RGBA" else 0x1000, FORMATS[form])
    assert read_texture(Instance(file, "TXMPours.oni", 0)).pixels.tolist() == pixels.tolist()


@pytest.mark.parametrize(("alpha", "kind"), [((255, 255), BGR), ((255, 0), BGRA5551), ((255, 136), BGRA4444)])
def test_as_needed_is_what_the_game_knows(alpha: tuple[int, int], kind: int) -> None:
    """RGBA is none of its own: patches of it alone read that."""
    pixels = np.zeros((2, 2, 4), np.uint8)
    pixels[..., 3] = alpha
    file = texture_file("TXMPours", pixels)
    assert int(np.frombuffer(file.bytes_of(0)[8:], HEAD, 1)[0]["format"]) == kind
    assert read_texture(Instance(file, "TXMPours.oni", 0)).pixels[..., 3].tolist() == [list(alpha)] * 2


def test_lost_alpha_is_named() -> None:
    with log.collect() as said:
        texture_file("TXMPours", np.full((2, 2, 4), 128, np.uint8), "BGR")
    assert [str(message) for message in said.of("WARNING")] == [
        "TXMPours: the picture's alpha is lost: BGR has none; choose another Texture Format"
    ]


@pytest.mark.parametrize(("before", "flags", "kind"), [(DXT1, 0x1005, BGRA4444), (RGBA, 5, RGBA), (BGRA5551, 0x1005, BGRA5551)])
def test_a_texture_of_another_size_changes_format_and_flags(before: int, flags: int, kind: int) -> None:
    """One with smaller pictures behind it, whose wrapping is off, becomes a plain one; that stays off, and so does a format with alpha."""
    body, block = repainted(record(before, 4, 4, flags), bytes(128), np.full((8, 8, 4), 128, np.uint8))
    head = np.frombuffer(body[: HEAD.itemsize], HEAD)[0]
    assert (int(head["format"]), int(head["flags"])) == (kind, 4 if kind == RGBA else 0x1004)
    assert len(block) == 64 * (4 if kind == RGBA else 2)
