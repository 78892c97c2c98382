"""Text in the code pages of the countries in which games were sold, which nothing in a file says."""

from __future__ import annotations

import pytest
from retro_anim.core.files.code_pages import decoded, is_japanese, is_korean, is_russian, is_thai, is_western
from retro_anim.core.reporting.errors import FormatError

TEXTS = {
    "ascii": "Warrior\nBoat 1",
    "utf-8": "Größe\n海盗船长\nКапитан",
    "utf-8-sig": "Größe",
    "utf-16": "Größe\n海盗船长",
    "cp1252": "Größe der Straße\nCapitão Pirata",
    "gb2312": "普通螃蟹\n海盗船长\n加勒比海的守卫者和他的朋友",
    "cp932": "ロングヘア\nスライム\nお化けクラゲ",
    "cp949": "해적 선장\n숲의 정령\n거북이 전사",
    "cp874": "ลันซ์\nวิญญาณป่า\nนักรบเต่า\nโจรสลัด",
    "cp1251": "Слуга\nБольшой краб\nЧёрный дракон",
}


@pytest.mark.parametrize("encoding", TEXTS)
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_text_is_read_in_the_code_page_of_its_country(encoding: str, line_end: str) -> None:
    """With line feeds alone."""
    assert decoded(TEXTS[encoding].replace("\n", line_end).encode(encoding)) == TEXTS[encoding]


def test_half_a_letter_is_no_text() -> None:
    with pytest.raises(FormatError, match="not text"):
        decoded(b"\xff\xfea")


@pytest.mark.parametrize(("is_it", "own"), [(is_japanese, "cp932"), (is_korean, "cp949"), (is_thai, "cp874"), (is_russian, "cp1251")])
def test_what_is_one_country_s_is_no_other_s(is_it: object, own: str) -> None:
    assert callable(is_it)
    for encoding in ("cp1252", "gb2312", "cp932", "cp949", "cp874", "cp1251"):
        assert is_it(TEXTS[encoding].encode(encoding)) == (encoding == own)
    assert not is_it(b"Warrior") and is_western(TEXTS["cp1252"].encode("cp1252")) and not is_western(TEXTS[own].encode(own))


@pytest.mark.parametrize(
    ("is_it", "encoding", "letter", "least"), [(is_korean, "cp949", "해", 12), (is_thai, "cp874", "น", 24), (is_russian, "cp1251", "я", 12)]
)
def test_few_letters_show_no_country(is_it: object, encoding: str, letter: str, least: int) -> None:
    """Of Thailand's, of which two may be one of China's, twice as many."""
    assert callable(is_it)
    assert [is_it((letter * count).encode(encoding)) for count in (least - 1, least)] == [False, True]
