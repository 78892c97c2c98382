"""What the text of an XML file is encoded in: by its first bytes, else as it declares."""

from __future__ import annotations

import codecs
import re

BOM = codecs.BOM_UTF8
UTF_8 = "utf-8"

_TWO_BYTES = {codecs.BOM_UTF16_LE: "utf-16le", codecs.BOM_UTF16_BE: "utf-16be", b"<\0": "utf-16le", b"\0<": "utf-16be"}
"""What a file of such characters begins with: a byte order mark, or its first one. Names as both Python and the parser know them."""

_DECLARED = re.compile(rb"""<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z0-9._-]+)["']""")


def certain(data: bytes) -> str | None:
    """What the text of a file is encoded in by its first bytes, whatever it declares: a tool that saves text leaves what was declared, as
    .NET declares UTF-16 for all that is a text before it is a file. None where the declaration says it."""
    if data.startswith(BOM) or _declared(data).lower().startswith("utf-16"):
        return UTF_8
    return _TWO_BYTES.get(data[:2])


def encoding(data: bytes) -> str:
    """What the text of a file that has been read is encoded in, as Python calls it."""
    return certain(data) or codecs.lookup(_declared(data) or UTF_8).name


def _declared(data: bytes) -> str:
    """As it stands in a declaration of single bytes; "" for none."""
    declared = _DECLARED.match(data)
    return declared[1].decode() if declared else ""
