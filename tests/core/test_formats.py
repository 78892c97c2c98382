"""Files of the games of which nothing is read say what they are, and what to open instead."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from retro_anim.core import formats
from retro_anim.core.games import GAMES
from retro_anim.core.reporting.errors import FormatError, with_remedy


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("level0_Final.raw", bytes(64), "open the .dat of the same name"),
        ("LEVEL0_FINAL.SEP", bytes(64), "open the .dat of the same name"),
        ("ONCCkonoko.xml", b'<?xml version="1.0"?><Oni><ONCC id="0"/></Oni>', "opened as .oni"),
        ("TRAMwalk.dae", b"<COLLADA/>", "open the .xml beside it"),
        ("tree.lmo", bytes(64), "models of the scene"),
        ("fire.eff", bytes(64), "an effect"),
        ("game.ZIP", b"PK\3\4" + bytes(60), "a packed file: unpack it"),
        ("lba.gog", bytes(64), "an image of a disk: open what is on it"),
        ("Walk.BVH", b"HIERARCHY", "Blender opens it itself, as do the commands retarget and convert"),
        ("notes.txt", b"a text", "not a file of any known format"),
    ],
)
def test_what_is_not_read(tmp_path: Path, name: str, content: bytes, said: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(FormatError, match=said) as refused:
        formats.open_file(path)
    assert str(refused.value).startswith(str(path))


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("old.lgo", bytes(200), "an older .lgo dialect, which is not supported"),
        ("street.anim", b"cmp\0" + bytes(40), "compressed Smuggler's Run 2 animation is not supported"),
        ("walk.anim", struct.pack("<2IfB9f", 1, 2, 0, 0, *range(9)), "opens only on demand"),
        (
            "TRAMwalk.oni",
            struct.pack("<QI4H", 0x0003BA70A8D8AE11, 0x56523332, 64, 20, 16, 8) + bytes(60),
            "PlayStation 2 files are not supported",
        ),
        ("TRAMrun.oni", struct.pack("<QI4H", 0, 0x56523333, 64, 20, 16, 8) + bytes(60), "OniX .* not supported"),
    ],
)
def test_what_is_of_another_program_is_not_called_damaged(tmp_path: Path, name: str, content: bytes, said: str) -> None:
    """Another copy of it would not help."""
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(FormatError, match=said) as refused:
        formats.open_file(path)
    assert with_remedy(refused.value) == str(refused.value)


def test_what_a_game_opens_is_read() -> None:
    """But for what its contents decide: OniSplit's XML is of many kinds."""
    for game in GAMES.values():
        assert set(game.instead) & set(game.opened) <= {".xml"}
        assert all(extension == extension.lower() for extension in game.instead)
