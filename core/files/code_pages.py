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


def _encodings(data: bytes) -> Iterator[str]:
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        yield "utf-16"
        return
    yield "utf-8-sig"
    if not is_western(data):
        yield from _ASIAN
    yield from ("cp1252", "latin-1")
