"""The list of textures (TRMA) that a class of a level draws a body with, taken out as a file of its own with another texture."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from retro_anim.core.oni.body.textures.texture_list import TextureList, list_file, lists_for
from retro_anim.core.oni.files.library import file_name
from support.oni.oni_bodies import textures_of

from ..files.test_levels import level_of

SKINS = ("TXMPIteration001/KS_pelvis", "TXMPIteration001/KS_head")


@pytest.fixture
def level(tmp_path: Path) -> Path:
    """Two classes; the second has the body and, of two bones, the list."""
    instances = {
        "ONCCother": bytes(0xC34 + 0x60),
        "ONCCkonoko": bytes(0xC34) + struct.pack("<II", 2 << 8 | 1, 3 << 8 | 1) + bytes(0x60),
        "TRBSkonoko": bytes(20),
        "TRMAkonoko": bytes(22) + struct.pack("<HII", 2, 4 << 8 | 1, 5 << 8 | 1),
        **{name: bytes(32) for name in SKINS},
    }
    path = tmp_path / "level0_Final.dat"
    path.write_bytes(level_of(instances))
    path.with_suffix(".raw").write_bytes(bytes(32))
    return path


def test_out_of_a_level(level: Path) -> None:
    assert lists_for("TRBSkonoko", [str(level)]) == [TextureList("TRMAkonoko", "ONCCkonoko", SKINS)]
    assert lists_for("TRBSelse", [str(level)]) == []
    data = list_file("TRMAkonoko", (), {1: "TXMPnew"}, [str(level)]).pack()
    assert textures_of(data) == [SKINS[0], "TXMPnew"]
    (level.parent / "TRMAkonoko.oni").write_bytes(data)
    assert textures_of(list_file("TRMAkonoko", (), {0: ""}, [str(level)]).pack()) == ["", "TXMPnew"]


def test_a_new_list() -> None:
    assert textures_of(list_file("TRMAours", ("TXMPa", "", "TXMPa"), {}, []).pack()) == ["TXMPa", "", "TXMPa"]


def test_names_of_files_are_those_of_onisplit() -> None:
    assert file_name(SKINS[1]) == "TXMPIteration001%2FKS_head.oni"
    assert file_name('TXMPa:b"') == "TXMPa%3Ab%22.oni"
