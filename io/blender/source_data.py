"""What travels in the .blend: one hidden data-block per source file with the documents that came from it.

It is a text data-block whose name starts with a dot, so that Blender hides it. Actions and armatures point to it with a custom
property, so that append and link bring it along.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import bpy

from ...core.reporting import labels
from ...core.reporting.errors import FormatError
from . import compat, new_objects

SOURCE, ENTRY, FORMAT, NAME = (f"retro_anim_{name}" for name in ("source", "entry", "format", "block"))
"""Custom properties of a block. NAME: what it is called, by which a copy is known."""

LOOSE = -1
"""The entry number of a file that is no archive."""

_LEVEL = 1
"""Of compression: the highest saves little more and takes three times as long."""

_PLAIN = b"\0"
"""What bytes begin with that are stored as they are; those of a compressed stream never do."""

_SMALL = 1 << 14
"""Bytes that are not worth compressing."""

_TRIED, _TRIES = 1 << 12, 8
"""Bytes of each part of a document, and how many parts of it, that show whether it is worth compressing."""

Block = Any
"""An action or an armature: any data-block with custom properties."""


Packed = Callable[[], bytes]
"""Gives a document's bytes as they are stored, when they are ready."""


@contextmanager
def packing(documents: Iterable[bytes]) -> Generator[list[Packed]]:
    """What `keep` takes of each document. Large ones are packed meanwhile, in a thread, since that leaves Python free."""
    documents = list(documents)
    if all(len(data) <= _SMALL for data in documents):  # a thread takes longer to start than a character to come in
        yield [partial(_pack, data) for data in documents]
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as pool:
        yield [partial(_pack, data) if len(data) <= _SMALL else pool.submit(_pack, data).result for data in documents]


def _pack(data: bytes) -> bytes:
    """Stored as they are: small documents, those that are beyond the budget of what unpacks, and those that compressing does not halve, as
    long time lines of measured motion: it would take as long as the rest of their import, and their curves are many times as large."""
    from ...core.files import unpacking

    return zlib.compress(data, _LEVEL) if _SMALL < len(data) <= unpacking.LARGEST and _halves(data) else _PLAIN + data


def _halves(data: bytes) -> bool:
    """Whether compressing does, by parts from all over the document."""
    parts = b"".join(data[first : first + _TRIED] for first in range(0, len(data), max(_TRIED, len(data) // _TRIES)))
    return 2 * len(zlib.compress(parts, _LEVEL)) <= len(parts)


def _unpack(stored: Any) -> bytes | None:
    """None for a property that holds no document, because something else than `keep` wrote it."""
    from ...core.files import unpacking

    if not isinstance(stored, bytes):
        return None
    try:
        return stored[1:] if stored[:1] == _PLAIN else unpacking.inflate(stored)
    except FormatError:
        return None


def keep(block: Block, path: str, entry: int, kind: str, data: bytes, packed: Packed | None = None) -> None:
    """Store `data`, the document's bytes, and make `block` point to it. kind: the format's name. packed: as `packing` gives it."""
    for name, value in pointing(path, entry, kind, data, packed, block.name).items():
        block[name] = value


def pointing(path: str, entry: int, kind: str, data: bytes, packed: Packed | None, name: str = "") -> dict[str, Any]:
    """Store `data`; the custom properties of a block that points to it, which is, or will be, called `name`."""
    return {SOURCE: _source_text(path, entry, data, packed), ENTRY: entry, FORMAT: kind, NAME: name}


_unpacked: ContextVar[dict[tuple[str, str], bytes | None] | None] = ContextVar("unpacked", default=None)


@contextmanager
def unpacked_once() -> Generator[None]:
    """Inside, where no source data is changed, every document is unpacked once, however often it is asked for."""
    token = _unpacked.set({})
    try:
        yield
    finally:
        _unpacked.reset(token)


def kept(block: Block, *formats: str) -> bytes | None:
    """The document's bytes, None where the source data is gone, or of none of these formats where some are given."""
    text = block.get(SOURCE)
    if not isinstance(text, bpy.types.Text) or (formats and block.get(FORMAT) not in formats):
        return None
    entry = _key(entry_of(block))
    unpacked = _unpacked.get()
    if unpacked is None:
        return _unpack(text.get(entry))
    if (text.name_full, entry) not in unpacked:
        unpacked[text.name_full, entry] = _unpack(text.get(entry))
    return unpacked[text.name_full, entry]


def path_of(block: Block) -> str:
    """The file that a block came from, "" if unknown, or if what is kept is no path."""
    text = block.get(SOURCE)
    path = text.get("path") if isinstance(text, bpy.types.Text) else None
    return path if isinstance(path, str) and "\0" not in path else ""


def origin(block: Block) -> tuple[str, int] | None:
    """The file and the entry that a block came from, None if it did not come from a file or its source data is gone."""
    path = path_of(block)
    return (path, entry_of(block)) if path else None


def entry_of(block: Block) -> int:
    """The entry of the archive that a block came from; LOOSE if from none, or if that is not known."""
    entry = block.get(ENTRY, LOOSE)
    return entry if isinstance(entry, int) else LOOSE


def _key(entry: int) -> str:
    return f"entry {entry}" if entry != LOOSE else "file"


def _full(path: str) -> str:
    if not path:
        return ""
    whole = os.path.abspath(path)  # a relative path means another file in another folder
    folder, name = os.path.split(whole)
    if os.name == "nt" or os.path.islink(whole):  # noqa: PTH114 - Windows spells a file's own name in more than one way, too
        return str(Path(whole).resolve())
    return f"{_resolved(folder).rstrip(os.sep)}{os.sep}{name}"


@lru_cache(maxsize=64)
def _resolved(folder: str) -> str:
    """Of the folder alone, since each of many files that come in one by one lies in the same."""
    return str(Path(folder).resolve())


def _source_text(path: str, entry: int, data: bytes, packed: Packed | None) -> bpy.types.Text:
    """The text data-block of `path`, unless it has other bytes under the same entry already: then one more."""
    known = new_objects.known()
    full = known.get((_TEXTS, path))
    if full is None:
        full = known[_TEXTS, path] = _full(path)
    key, of_file = _key(entry), _texts_of(full)
    for text in of_file:
        stored = text.get(key)
        if stored is None or _unpack(stored) == data:
            if stored is None:
                text[key] = (packed or partial(_pack, data))()
            return text
    text = bpy.data.texts.new(labels.label(f".{os.path.split(path)[1]}", limit=compat.NAME_LIMIT - 10))
    text["path"] = full
    text[key] = (packed or partial(_pack, data))()
    of_file.append(text)
    return text


def _texts_of(full: str) -> list[bpy.types.Text]:
    """The text data-blocks of a file, in their order; while much is made, all of them are gone through but once."""
    known = new_objects.known()
    if _TEXTS not in known:
        by_path: dict[str, list[bpy.types.Text]] = {}
        for text in bpy.data.texts:
            path = text.get("path") if text.library is None else None
            if isinstance(path, str):
                by_path.setdefault(path, []).append(text)
        known[_TEXTS] = by_path
    return known[_TEXTS].setdefault(full, [])


_TEXTS = "source data"
