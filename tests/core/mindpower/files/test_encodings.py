"""Texts and names of clients in the encodings of the countries that they were made for."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from retro_anim.core import formats
from retro_anim.core.mindpower.files import names
from retro_anim.core.mindpower.files.tables.character_info import CharacterInfo
from retro_anim.core.reporting.errors import FormatError

NAMES = {
    "gb18030": ["普通螃蟹", "海盗船长", "小企鹅", "黑龙", "加勒比海的守卫者和他的朋友"],
    "big5": ["普通螃蟹", "海盜船長", "小企鵝", "黑龍", "加勒比海的守衛者和他的朋友"],
    "utf-8": ["普通螃蟹", "Большой краб", "Capitão", "黑龍", "Слуга"],
    "cp1251": ["Слуга", "Большой краб", "Чёрный дракон", "Капитан", "Рогатый пингвин"],
    "cp932": ["海賊", "ロングヘア", "スライム", "ランスの弟子", "お化けクラゲ"],
    "cp949": ["해적 선장", "숲의 정령", "거북이 전사", "해파리 여왕", "사막 전갈"],
    "cp874": ["ลันซ์", "วิญญาณป่า", "นักรบเต่า", "โจรสลัด", "ราชินีแมงกะพรุน"],
    "cp1252": ["Capitão Pirata", "Dragão Negro", "Assistência", "Cão de Guarda", "Höllenhund"],
}


@pytest.mark.parametrize("encoding", NAMES)
def test_names_are_read_in_the_encoding_of_their_list(encoding: str) -> None:
    """Among those of which nothing can be said."""
    raw = [b"Warrior", *(name.encode(encoding) for name in NAMES[encoding]), b"Attack Boat 1"]
    assert names.texts(raw) == ["Warrior", *NAMES[encoding], "Attack Boat 1"]


def test_few_names_and_cut_ones_are_chinese() -> None:
    """As the game's own are; a list of three says nothing. A long name may end within a letter."""
    assert names.encoding_of(name.encode("cp1251") for name in ("Краб", "Акула", "Ад")) == names.ENCODING
    cut = [("海" * 8 + name).encode("gb18030")[:17] for name in NAMES["gb18030"]]
    assert names.encoding_of(cut) == names.ENCODING
    assert names.texts(cut) == ["海" * 8 + "\ufffd"] * len(cut)


@pytest.mark.parametrize(
    ("letters", "behind", "is_text"), [(8, b"\xff", True), (8, b"\xffa", True), (8, b"\xffab", False), (7, b"\xff", False)]
)
def test_a_name_of_sixteen_bytes_may_be_cut_off_within_its_last_two(letters: int, behind: bytes, is_text: bool) -> None:
    assert names._share([("海" * letters).encode("gb2312") + behind], "gb2312") == is_text


@pytest.mark.parametrize("name", ["Seewölfe", "Éléphant", "Pirate à l'épée", "Büffel Ä", "Größter", "Bœuf"])
def test_an_accent_is_no_half_of_a_chinese_letter(name: str) -> None:
    assert names.texts([b"Warrior", name.encode("cp1252")]) == ["Warrior", name]


@pytest.mark.parametrize("names_of", ["gb18030", "big5", "cp932", "cp1251"])
def test_a_list_is_korean_or_thai_where_all_of_it_is(names_of: str) -> None:
    """One name of another country's among them, and it is neither."""
    for encoding in ("cp949", "cp874"):
        raw = [*(name.encode(encoding) for name in NAMES[encoding]), NAMES[names_of][2].encode(names_of)]
        assert names.encoding_of(raw) != encoding


def test_few_korean_letters_are_chinese_too() -> None:
    """Eleven of them say nothing; Chinese has them all."""
    assert names.encoding_of(name.encode("cp949") for name in ("거북이전", "숲의정령", "해파리")) == names.ENCODING
    assert names.encoding_of(name.encode("cp949") for name in ("거북이전", "숲의정령", "해적선장")) == "cp949"


@pytest.mark.parametrize("name", ["平面", "球体", "身体", "武器", "马"])
def test_a_chinese_name_that_was_numbered_stays_chinese(name: str) -> None:
    """Each could be letters of Korea, Thailand or Russia alone, and is no more Chinese or less for being there twelve times."""
    numbered = [f"{name}{number:02}" for number in range(1, 13)]
    assert names.texts(each.encode("gb2312") for each in numbered) == numbered


def test_twelve_russian_letters_are_russian() -> None:
    assert names.texts(name.encode("cp1251") for name in ("Краб", "Акула", "Ёрш")) == ["Краб", "Акула", "Ёрш"]


def test_four_names_say_that_they_are_not_chinese() -> None:
    assert names.encoding_of(name.encode("cp1251") for name in NAMES["cp1251"][:4]) == "cp1251"


def test_a_chinese_letter_behind_many_latin_ones_is_no_cut_utf_8() -> None:
    """The longer a name that is plain up to its last letter, the more it looks like UTF-8 that was cut off there."""
    titles = [f"Attack Boat Number {number} \u8239" for number in range(1, 5)]
    assert names.texts(title.encode("gb18030") for title in titles) == titles
    assert names.texts(title.encode() for title in titles) == titles


@pytest.mark.parametrize(("plain", "encoding"), [(7, "cp1252"), (8, "cp1252"), (6, "cp1251"), (5, "cp1251")])
def test_letters_here_and_there_are_accents(plain: int, encoding: str) -> None:
    """Three of ten or eleven bytes, which are no Chinese either; with three of nine it is another alphabet."""
    raw = [b"\xe9\xe9\xe9 " + bytes([65 + index]) * (plain - 1) for index in range(4)]
    assert names.encoding_of(raw) == encoding


def test_a_field_that_says_the_name_already_stays_with_its_garbage() -> None:
    """Up to the first NUL it is the name; behind it is whatever the writer's memory held."""
    before = b"skin\0\xcd\xcd\xcd"
    assert names.encode("skin", 8, before) == before
    assert names.encode("skins", 8, before) == b"skins\0\0\0"
    assert names.encode("skin", 9, before) == b"skin\0\0\0\0\0"


HEADER = "//ID\tName\tSubname\tModel Type\tLogic Type\tFramework Number\tSuite Serial\tSuite Quantity\tPart 00\tAction ID\r\n"


@pytest.mark.parametrize(
    ("name", "text"), [("CharacterInfo.txt", HEADER), ("people.txt", HEADER), ("CharacterAction.tx", "1\r\n\t1\t2\t44\r\n")]
)
def test_a_table_in_utf_16_is_refused_with_the_remedy(tmp_path: Path, name: str, text: str) -> None:
    """What Excel saves as Unicode Text; the game reads bytes."""
    path = tmp_path / name
    path.write_bytes(text.encode("utf-16"))
    with pytest.raises(FormatError, match="in UTF-16, which the game does not read: save it as"):
        formats.open_file(path)
    with pytest.raises(FormatError, match="not a text, so no list"):
        CharacterInfo.parse(HEADER.encode() + b"\0")


@pytest.mark.parametrize("name", ["0088.lab", "0088000000.lgo"])
def test_a_packed_file_is_refused_with_the_remedy(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(gzip.compress(bytes(100)))
    with pytest.raises(FormatError, match=r"gzip.*unpack it first"):
        formats.open_file(path)
