"""TRMA, the list of a character's textures, one for each bone: its class (ONCC) leads to it, and the game draws the body with them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from ....reporting.errors import FormatError
from ...files.library import Instance, Library
from ...files.onifile import OniFile
from ...records.body_records import SHAPES, BodyRecord
from ...records.record import Record

TAG, CLASS = "TRMA", "ONCC"

BODY_LINK, LIST_LINK = 0xC34, 0xC38
"""Where an ONCC keeps its links to TRBS and TRMA."""

_ITEMS = SHAPES[TAG].head.itemsize


@dataclass(frozen=True)
class TextureList:
    """name: with the tag, "" of one inside the file of its class. owner: the name of that class. textures: of each bone, "" for none."""

    name: str
    owner: str
    textures: tuple[str, ...]


def list_of(instance: Instance, library: Library) -> TextureList | None:
    """The list of an ONCC; None where it has none that can be read."""
    try:
        link = link_of(instance, LIST_LINK)
        there = library.follow(instance, link)
        items = None if there is None else there.record(TAG).items
        if there is None or items is None:
            return None
        return TextureList(there.name, instance.name, tuple(library.name_of(there, item) for item in items.tolist()))
    except FormatError:
        return None


def lists_for(body: str, paths: Sequence[str]) -> list[TextureList]:
    """The lists of all classes around some files that have the body of that name (with the tag)."""
    library = Library()
    there = (list_of(instance, library) for path in paths if path for instance in classes_with(body, path, library))
    return list(dict.fromkeys(each for each in there if each is not None))


def list_file(name: str, before: Sequence[str], changes: Mapping[int, str], paths: Sequence[str]) -> OniFile:
    """The list of that name with other textures for some bones, as a .oni. before: what the bones have otherwise, where the list is in no
    file around `paths`. Raises RetroAnimError for names that no file can have."""
    library = Library()
    there = next((each for path in paths if path and (each := library.find(name, path)) is not None and each.tag == TAG), None)
    record = there.file.record(there.index) if there is not None else _new(name, before)
    links = record.links | {_ITEMS + 4 * bone: texture for bone, texture in changes.items()}
    record = replace(record, links={at: links[at] for at in sorted(links) if links[at]})
    if there is not None and isinstance(there.file, OniFile):
        return there.file.with_record(there.index, record)
    return OniFile.of(record)


def _new(name: str, textures: Sequence[str]) -> Record:
    body = BodyRecord(TAG, np.zeros((), SHAPES[TAG].head), np.zeros(len(textures), "<u4"), b"").pack()
    return Record(TAG, name, 0, body, links={_ITEMS + 4 * bone: texture for bone, texture in enumerate(textures)})


def classes_with(body: str, path: str, library: Library) -> Iterator[Instance]:
    """The classes around a file that have the body of that name (with the tag)."""
    levels = (instance for level in library.levels(path) for instance in library.all_of(level, CLASS))
    return (instance for instance in chain(library.beside(path, CLASS), levels) if _has(instance, body, library))


def _has(instance: Instance, body: str, library: Library) -> bool:
    try:
        return library.name_of(instance, link_of(instance, BODY_LINK)) == body
    except FormatError:
        return False


def link_of(instance: Instance, at: int) -> int:
    """A link in the record of an instance, by its position there."""
    return int.from_bytes(instance.body()[at : at + 4], "little")
