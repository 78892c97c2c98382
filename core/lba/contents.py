"""What an archive has to choose from, in words."""

from __future__ import annotations

from pathlib import Path

from .. import formats
from ..errors import FormatError
from . import companions
from .anm import Anm
from .file3d import Entity
from .hqr import Hqr


def contents(path: str, file3d: str = "") -> dict[str, list[tuple[int, str]]]:
    """What an archive has to choose from: "entities" and "entries", each as (number, label). Raises FormatError."""
    archive = formats.open_file(path).document
    if not isinstance(archive, Hqr):
        raise FormatError("no HQR archive", path=path)
    if holds_entities(archive):
        return {"entities": _entity_labels(archive)}
    table = formats.open_file(file3d).document if file3d else companions.entities_beside(path)
    entities = _entity_labels(table) if isinstance(table, Hqr) and Path(path).stem.lower() in ("anim", "body") else []
    entries: list[tuple[int, str]] = []
    for index in range(len(archive)):
        if archive.blank(index):
            continue
        try:
            data = archive.read(index)
            kind = formats.recognise_entry(data)
        except FormatError as error:
            entries.append((index, f"{index}: {error.problem}"))
            continue
        if kind is not None and kind.kind == "animation":
            anm = Anm.parse(data)
            entries.append((index, f"{index}: animation, {len(anm.frames)} keyframes, {anm.bone_count} bones"))
        elif kind is not None and kind.kind == "body":
            entries.append((index, f"{index}: body, {len(data)} bytes"))
    return {"entities": entities, "entries": entries}


def _entity_labels(table: Hqr) -> list[tuple[int, str]]:
    labels: list[tuple[int, str]] = []
    for index in range(len(table)):
        try:
            entity = Entity.parse(table.read(index))
        except FormatError:
            continue
        bodies = ", ".join(map(str, entity.bodies))
        labels.append((index, f"{index}: body {bodies or '-'}, {len(entity.animations)} animations"))
    return labels


def holds_entities(archive: Hqr) -> bool:
    """Whether the first entry that is not blank is an entity."""
    first = next((index for index in range(len(archive)) if not archive.blank(index)), None)
    if first is None:
        return False
    try:
        kind = formats.recognise_entry(archive.read(first))
    except FormatError:
        return False
    return kind is not None and kind.kind == "entity"
