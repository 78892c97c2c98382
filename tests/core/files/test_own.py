"""A file that is there is replaced only by one of its kind."""

from __future__ import annotations

from pathlib import Path

import pytest
from retro_anim.core.files.disk import disk
from retro_anim.core.reporting.errors import FormatError, RetroAnimError
from retro_anim.core.retarget.figures.maps import map_library
from retro_anim.core.retarget.figures.maps.bone_map import BoneMap, Pair
from retro_anim.core.retarget.reports import report

MAP = BoneMap((Pair("a", "b"),), (), "0" * 16, "1" * 16)
FOREIGN = (
    b"\x20\0\0\0\x30\0\0\0entries of an archive",
    b'{"format": "something else"}',
    b"[]",
    b'text about "format": "retro_anim bone map"',
    b"{",
)


@pytest.mark.parametrize("data", FOREIGN)
def test_what_is_no_bone_map_stays(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "ANIM.HQR"
    path.write_bytes(data)
    with pytest.raises(RetroAnimError, match=r"ANIM\.HQR: is there already, and is not a bone map: choose another name$"):
        map_library.save(path, MAP)
    assert path.read_bytes() == data


@pytest.mark.parametrize("data", [b"", b'\xef\xbb\xbf{ "version": 9, "format":"retro_anim bone map", oops'])
def test_bone_maps_and_empty_files_are_replaced(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "map.json"
    path.write_bytes(data)
    map_library.save(path, MAP)
    map_library.save(path, MAP)
    assert map_library.load(path) == MAP


def test_a_damaged_map_in_our_own_folder_is_replaced(tmp_path: Path) -> None:
    path = map_library.remember(tmp_path, MAP)
    path.write_bytes(b"damaged")
    assert map_library.load(map_library.remember(tmp_path, MAP)) == MAP


def test_a_check_that_fails_says_no(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"x")

    def no(_: bytes) -> bool:
        raise FormatError("damaged")

    with pytest.raises(RetroAnimError, match="is not a picture: move it away"):
        disk.check_own(path, "a picture", no, "move it away")
    disk.check_own(tmp_path / "nothing there", "a picture", no)
    with pytest.raises(RetroAnimError, match="is a folder"):
        disk.check_own(tmp_path, "a picture", no)


def test_files_of_reports() -> None:
    assert report.is_saved(report.saved([]))
    assert report.is_saved(report.saved([{"name": "walk", "limb_max": 0.5}]))
    for data in (b"", b"\xff", b"[" * 100000, b"[]", b'{"reports": 1}', b'{"reports": [{"name": "walk"}]}', b'{"reports": [], "more": 1}'):
        assert not report.is_saved(data)
