"""The files of Oni, for the registry: how to recognise them, and what to report about them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..files.binary import Bytes
from ..files.disk.disk import read_file
from ..files.format import Archive, Format
from . import enums
from .files.documents import BodyFile, CollectionFile, ObanFile, TramFile
from .files.instances import VR31, VR32, Tables, tag_bytes, version_of
from .files.level import Level
from .files.onifile import OniFile
from .motion.evaluate import RATE
from .records import body_records, oban, trac, tram_layout
from .records.oban import Oban
from .records.rotations import Rotations
from .records.tram import Tram
from .xml import encodings

if TYPE_CHECKING:
    from .xml.documents import ObanXml, TramXml

Facts = dict[str, Any]


def tram_facts(document: Tram) -> Facts:
    """What `info` reports about a TRAM. duration: seconds from the first to the last frame."""
    document.check()
    keys = 0
    if document.rotations is not None:
        keys = len(Rotations.parse(document.rotations, document.bone_count, document.frame_count, document.compression).keys)
    lists = ("attacks", "self_damage", "motion_blur", "shortcuts", "footsteps", "particles", "sounds")
    return {
        "name": document.name,
        "bones": document.bone_count,
        "frames": document.frame_count,
        "keys": keys,
        "duration": round(max(document.frame_count - 1, 0) / RATE, 6),
        "loop": None,
        "compression": document.compression,
        "animation_type": enums.ANIMATION_TYPE.name_of(document.type),
        "from_state": enums.ANIMATION_STATE.name_of(document.from_state),
        "to_state": enums.ANIMATION_STATE.name_of(document.to_state),
        "flags": enums.ANIMATION_FLAGS.names_of(document.flags),
        **{name: len(block) for name in lists if (block := getattr(document, name)) is not None},
        "links": [name for name in document.direct if name],
    }


def oban_facts(document: Oban) -> Facts:
    """What `info` reports about an OBAN. duration: seconds from frame 0 to the last key."""
    return {
        "name": document.name,
        "bones": 1,
        "frames": document.length,
        "keys": len(document.keys),
        "duration": round(int(document.keys["frame"][-1]) / RATE, 6),
        "loop": 0 if document.flags & (oban.LOOP | oban.PING_PONG) else None,
        "flags": enums.OBAN_FLAGS.names_of(document.flags),
        "half_stop": document.half_stop,
    }


def instances_by_type(tables: Tables) -> Facts:
    """How many instances of each tag there are, and how many are in other files."""
    blank = [tables.blank(index) for index in range(len(tables))]
    tags = Counter(tables.tag(index) for index in range(len(tables)) if not blank[index])
    return {"entries": len(tables), "blank": sum(blank), "types": dict(sorted(tags.items()))}


def _body_facts(document: BodyFile) -> Facts:
    if len(document.records) != 1:
        return {"name": document.file.name(0), **instances_by_type(document.file.tables)}
    (record,) = document.records.values()
    items = {} if record.items is None else {"items": len(record)}
    return {"name": document.file.name(0), **items, "links": len(document.file) - 1}


def _collection_facts(document: CollectionFile) -> Facts:
    collection = document.collection
    animations = [f"{name} {weight}" for name, weight in zip(collection.names, collection.weights, strict=True)]
    return {"name": document.file.name(0), "parent": collection.parent, "animations": animations}


def _entry_facts(archive: OniFile | Level, index: int) -> Facts:
    return {"type": archive.tag(index), "record_size": int(archive.tables.descriptors["size"][index])}


def _unready(document: Any, address: str) -> list[str]:
    from .game_ready import document_problems

    return document_problems(document, address)


def _first_is(tag: str) -> Callable[[bytes, int], bool]:
    """Recognises a .oni by the tag of its first instance."""
    stored = tag_bytes(tag)
    return lambda head, _size: head[0x40:0x44] == stored and version_of(head) == VR32


def _open_level(path: str) -> tuple[Level, bytes]:
    level = Level.open(path)
    return level, level.front


def _archive(document: TramFile | ObanFile | CollectionFile | BodyFile) -> Archive:
    return document.file


def _xml_of(tag: bytes) -> Callable[[bytes, int], bool]:
    """Recognises OniSplit's XML by its first two elements."""
    pattern = re.compile(rb"<Oni\b[^<>]*>\s*(?:<!--.*?-->\s*)*<" + tag + rb"\b", re.DOTALL)

    def recognise(head: bytes, _size: int) -> bool:
        encoding = encodings.certain(head) or encodings.UTF_8
        if encoding != encodings.UTF_8:
            head = head.decode(encoding, "ignore").encode(encodings.UTF_8, "ignore")
        return head.lstrip(encodings.BOM + b" \t\r\n")[:1] == b"<" and pattern.search(head) is not None

    return recognise


def _tram_xml(data: Bytes, path: str = "") -> TramXml:
    from .xml.documents import TramXml  # here, since what only some files need takes its time to load

    return TramXml.parse(data, path)


def _oban_xml(data: Bytes) -> ObanXml:
    from .xml.documents import ObanXml

    return ObanXml.parse(data)


def _open_tram_xml(path: str) -> tuple[TramXml, bytes]:
    data = read_file(path)
    return _tram_xml(data, path).named(path), data


def _open_oban_xml(path: str) -> tuple[ObanXml, bytes]:
    data = read_file(path)
    return _oban_xml(data).named(path), data


ONI_EXTENSION = (".oni",)

TRAM = Format(
    "TRAM",
    "Oni animation",
    "oni",
    "animation",
    ONI_EXTENSION,
    _first_is(tram_layout.TAG),
    TramFile.parse,
    lambda document: tram_facts(document.tram),
    archive=_archive,
    unready=_unready,
)
OBAN = Format(
    "OBAN",
    "Oni object animation",
    "oni",
    "animation",
    ONI_EXTENSION,
    _first_is(oban.TAG),
    ObanFile.parse,
    lambda document: oban_facts(document.oban),
    archive=_archive,
)
TRAC = Format(
    "TRAC",
    "Oni collection of animations",
    "oni",
    "entity",
    ONI_EXTENSION,
    _first_is(trac.TAG),
    CollectionFile.parse,
    _collection_facts,
    archive=_archive,
)
BODY_PARTS = tuple(
    Format(tag, f"Oni body ({tag})", "oni", "body", ONI_EXTENSION, _first_is(tag), BodyFile.parse, _body_facts, archive=_archive)
    for tag in body_records.SHAPES
)
TRAM_XML = Format(
    "TRAM XML",
    "Oni animation as OniSplit's XML",
    "oni",
    "animation",
    (),
    _xml_of(b"Animation"),
    _tram_xml,
    lambda document: tram_facts(document.tram),
    open=_open_tram_xml,
    unready=_unready,
)
OBAN_XML = Format(
    "OBAN XML",
    "Oni object animation as OniSplit's XML",
    "oni",
    "animation",
    (),
    _xml_of(b"OBAN"),
    _oban_xml,
    lambda document: oban_facts(document.oban),
    open=_open_oban_xml,
)
"""Both go by their contents alone: folders have XML files of other kinds, too."""
LEVEL = Format(
    "VR31",
    "Oni level",
    "oni",
    "archive",
    (),
    lambda head, _size: version_of(head) == VR31,
    Level.parse,
    lambda document: instances_by_type(document.tables),
    open=_open_level,
    entry_facts=_entry_facts,
)
ONI = Format(
    "VR32",
    "Oni instances",
    "oni",
    "archive",
    ONI_EXTENSION,
    lambda head, _size: version_of(head) != 0,
    OniFile.parse,
    lambda document: instances_by_type(document.tables),
    entry_facts=_entry_facts,
)

FORMATS = (TRAM, OBAN, TRAC, *BODY_PARTS, TRAM_XML, OBAN_XML, LEVEL, ONI)
"""In the order in which contents are tried; ONI is any other .oni, also a damaged one."""
