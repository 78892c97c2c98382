"""What travels in the .blend: one hidden data-block per source file with the documents that came from it.

The holder is a text data-block whose name starts with a dot, so that Blender hides it. Actions and armatures point to it with a custom
property, so that append and link bring it along.
"""

from __future__ import annotations

import zlib
from functools import lru_cache
from pathlib import Path
from typing import Any

import bpy

from . import compat

SOURCE, ENTRY, FORMAT = "retro_anim_source", "retro_anim_entry", "retro_anim_format"
LOOSE = -1
"""The entry number of a file that is no archive."""

_LEVEL = 1
"""Of compression: the highest saves little more and takes three times as long."""

_PLAIN = b"\0"
"""What bytes begin with that are stored as they are; those of a compressed stream never do."""

_SMALL = 1 << 12
"""Bytes that are not worth compressing."""

Block = Any
"""An action or an armature: any data-block with custom properties."""


def pack(data: bytes) -> bytes:
    """The bytes as they are stored; large ones may be packed in a thread, for that leaves Python free."""
    return _PLAIN + data if len(data) <= _SMALL else zlib.compress(data, _LEVEL)


def _unpack(stored: bytes) -> bytes:
    return stored[1:] if stored[:1] == _PLAIN else zlib.decompress(stored)


def keep(block: Block, path: str, entry: int, kind: str, data: bytes, packed: bytes | None = None) -> None:
    """Store `data`, the document's bytes, and make `block` point to it. kind: the format's name. packed: what `pack` makes of it."""
    block[SOURCE] = _holder(path, entry, data, packed)
    block[ENTRY] = entry
    block[FORMAT] = kind


def kept(block: Block) -> bytes | None:
    """The document's bytes, None where the holder is gone."""
    holder = block.get(SOURCE)
    packed = holder.get(_key(block.get(ENTRY, LOOSE))) if isinstance(holder, bpy.types.Text) else None
    return _unpack(packed) if isinstance(packed, bytes) else None


def path_of(block: Block) -> str:
    """The file that a block came from, "" if unknown."""
    holder = block.get(SOURCE)
    return str(holder.get("path", "")) if isinstance(holder, bpy.types.Text) else ""


def origin(block: Block) -> tuple[str, int] | None:
    """The file and the entry that a block came from, None if it did not come from a file or its holder is gone."""
    path = path_of(block)
    return (path, int(block.get(ENTRY, LOOSE))) if path else None


def _key(entry: int) -> str:
    return f"entry {entry}" if entry != LOOSE else "file"


@lru_cache(maxsize=64)
def _full(path: str) -> str:
    return str(Path(path).resolve())


def _holder(path: str, entry: int, data: bytes, ready: bytes | None) -> bpy.types.Text:
    """The holder of `path`, unless it keeps other bytes under the same entry already: then one more."""
    key, full = _key(entry), _full(path)
    for text in bpy.data.texts:
        if text.library is None and text.get("path") == full:
            packed = text.get(key)
            if packed is None or _unpack(packed) == data:
                if packed is None:
                    text[key] = ready or pack(data)
                return text
    text = bpy.data.texts.new(f".{Path(path).name}"[: compat.NAME_LIMIT - 10])
    text["path"] = full
    text[key] = ready or pack(data)
    return text
