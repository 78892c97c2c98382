"""The record that an export starts from: what an action came from or a file holds already, with what properties and markers say."""

from __future__ import annotations

from pathlib import Path

import bpy

from ...core import formats
from ...core.oni.field_values import with_details
from ...core.oni.files.documents import ObanFile, TramFile
from ...core.oni.game import ExportOptions
from ...core.oni.posing import animation_of
from ...core.oni.records.oban import Oban
from ...core.oni.records.tram import Tram
from ...core.oni.xml.documents import ObanXml, TramXml
from ...core.reporting import log
from ...core.reporting.errors import FormatError
from ..blender import source_data
from . import build
from .fields import markers, properties


def kept_by(action: bpy.types.Action) -> object:
    """The document that travels with an action; None where there is none."""
    data = source_data.kept(action, build.TRAM_KIND, build.OBAN_KIND)
    path = source_data.path_of(action)
    if data is None:
        return None
    is_xml, is_tram = Path(path).suffix.lower() == ".xml", action[source_data.FORMAT] == build.TRAM_KIND
    with log.collect():  # what is odd was said when it came in
        if is_xml:
            return TramXml.parse(data, path).named(path) if is_tram else ObanXml.parse(data).named(path)
        return (TramFile if is_tram else ObanFile).parse(data)


def edited(action: bpy.types.Action, record: Tram | Oban) -> Tram | Oban:
    """The record with the values of the action's properties and markers."""
    kind = properties.TRAM if isinstance(record, Tram) else properties.OBAN
    if properties.read(action, kind) is None:
        return record
    markers.take_over(action)
    markers.report(action)
    details = properties.read(action, kind)
    assert details is not None
    return with_details(record, details)


def updated(action: bpy.types.Action, options: ExportOptions, bones: int) -> Tram | None:
    """The record of the file that is to be written, for an action that never was one: its fields stay."""
    record = held(options)
    if not isinstance(record, Tram) or record.bone_count != bones:
        return None
    if properties.read(action, properties.TRAM) is None:
        log.info(f"{record.name}: everything but the motion is kept")
    return record


def held(options: ExportOptions) -> Tram | Oban | None:
    """The animation that a file, or the entry that is to be updated, holds already."""
    entry = options.entry if Path(options.path).suffix.lower() == ".oni" else ""
    document = document_at(options.path, entry)
    try:
        return None if document is None else animation_of(document)
    except FormatError:
        return None


def document_at(path: str, entry: str = "") -> object:
    """What a file, or an entry of it, holds already; None for what cannot be read."""
    try:
        return formats.open_file(f"{path}#{entry}" if entry else path).document if Path(path).is_file() else None
    except FormatError:
        return None
