"""Text in the code page of whoever wrote it, which nothing says."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..reporting.errors import FormatError

_ASIAN = ("gb2312", "cp932", "big5", "gb18030")
"""In an order in which the text of each is rarely that of one before it."""
_ODD = re.compile("[\uff61-\uff9f\ue000-\uf8ff]")
"""What such text consists of where it is another one's: half letters of Japan, and those that nobody has defined."""
_ASIAN_BYTES = re.compile(
    rb"[\x80-\xff](?:(?<=[\x80-\x89\x8b\x8d\x8f-\x99\x9b\x9d\xa0-\xbf])|[\x80-\xff]{2}|(?<![A-Za-z].)[\x80-\xff]|[\x80-\xff](?![a-z]))"
)
"""What is no letter with an accent, three of these, or two that are not inside of a word; it begins with one set, as that is looked for
ten times as fast."""
_KANA = re.compile("[\u3041-\u30fe]")
_HANGUL = re.compile("[\uac00-\ud7a3]")
_NOT_PLAIN = re.compile(rb"[\x80-\xff]+")
_THAI = re.compile(rb"(?:[\xe0-\xe4]?[\xa1\xa2\xa4\xa6-\xce][\xd1\xd4-\xda\xe7-\xec]{0,3}[\xd0\xd2\xd3\xe5]?|[\xcf\xe6\xf0-\xf9])+")
"""Consonants, each with a vowel before it, vowels and tones above and below, and a vowel behind it; signs and digits."""
_RUSSIAN = re.compile(rb"(?:[\xa8\xc0-\xdf]?[\xb8\xe0-\xff])+")
"""Letters of which no capital stands before another one."""

_ENOUGH = 12
"""Korean syllables, or Russian letters, or half as many of Thailand's, of which as many would have others among them if they were Chinese:
six in ten letters of Chinese are among what Korea's code page has for its own, and three in ten could be two of Thailand's."""

_ACCENTS = 3
"""Letters with accents beside one another, at most."""


def decoded(data: bytes) -> str:
    """With line feeds alone. Raises FormatError for what is no text."""
    for encoding in _encodings(data):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if encoding not in _ASIAN or not _ODD.search(text):
            return text.replace("\r\n", "\n").replace("\r", "\n")
    raise FormatError("this is not text")


def is_western(data: bytes) -> bool:
    """Whether it has nothing but letters with accents, none beside another, unless inside of a word: "Größe"."""
    return not _ASIAN_BYTES.search(data)


def is_japanese(data: bytes) -> bool:
    """Whether it is text with Japan's own letters in its own code page."""
    try:
        text = data.decode("cp932")
    except UnicodeDecodeError:
        return False
    return bool(_KANA.search(text)) and not _ODD.search(text)


def alone(data: bytes) -> Iterator[str]:
    """The encoding of text in letters that are one country's alone, if it is that. What is there again and again, as what was numbered
    is, counts once: it says no more than the first time."""
    once = b"\n".join(sorted(set(_NOT_PLAIN.findall(data))))
    yield from (encoding for encoding, is_it in (("cp949", is_korean), ("cp874", is_thai), ("cp1251", is_russian)) if is_it(once))


def is_korean(data: bytes) -> bool:
    """Whether its letters are Korea's own, and many, which in China's code page are some that are never without others."""
    try:
        text = data.decode("euc_kr")
    except UnicodeDecodeError:
        return False
    letters = [letter for letter in text if letter.isalpha() and not letter.isascii()]
    return len(letters) >= _ENOUGH and all(map(_HANGUL.match, letters))


def is_thai(data: bytes) -> bool:
    """Whether its letters stand as Thailand's do, and are many."""
    return _are_all(_THAI, data, 2 * _ENOUGH)


def is_russian(data: bytes) -> bool:
    """Whether its letters are small ones of Russia's, with a capital before them here and there, and many, and some more beside one another
    than accents ever are."""
    return _are_all(_RUSSIAN, data, _ENOUGH) and max(map(len, _NOT_PLAIN.findall(data))) > _ACCENTS


def _are_all(letters: re.Pattern[bytes], data: bytes, many: int) -> bool:
    parts = _NOT_PLAIN.findall(data)
    return sum(map(len, parts)) >= many and all(map(letters.fullmatch, parts))


def _encodings(data: bytes) -> Iterator[str]:
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        yield "utf-16"
        return
    yield "utf-8-sig"
    if not is_western(data):
        yield from alone(data)
        yield from _ASIAN
    yield from ("cp1252", "latin-1")
