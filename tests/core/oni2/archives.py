"""DAVE archives made from a dictionary."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Collection


def deflated(data: bytes) -> bytes:
    stream = zlib.compressobj(9, zlib.DEFLATED, -15)
    return bytes.fromhex("1AFA25DD") + stream.compress(data) + stream.flush()


def dave(files: dict[str, bytes], packed: Collection[str] = ()) -> bytes:
    """Folders end in a slash. packed: the names of the files that are deflated."""
    names, name_at = b"", {}
    for name in files:
        name_at[name] = len(names)
        names += name.encode("latin-1") + b"\0"
    table = 16 * len(files)
    start = -(-(0x800 + table + len(names)) // 0x800) * 0x800
    entries, data = b"", b""
    for name, content in files.items():
        stored = deflated(content) if name in packed else content
        entries += struct.pack("<4I", name_at[name], 0 if name.endswith("/") else start + len(data), len(content), len(stored))
        data += stored
    header = b"DAVE" + struct.pack("<3I", len(files), table, start - 0x800)
    head = header.ljust(0x800, b"\0") + entries + names
    return head.ljust(start, b"\0") + data
