"""What an archive has to choose from, as labels."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..files.format import Format
from ..files.registry import HEAD, Registry, once
from ..reporting import log
from ..reporting.errors import FormatError
from .characters import characters
from .characters.characters import Characters
from .characters.users import all_users
from .characters.which_game import game_beside
from .files.hqd import names_for
from .files.hqr import Hqr
from .formats import FORMATS, HQR

_REGISTRY = Registry(lambda: FORMATS)


def contents(path: str, file3d: str = "", names: str = "") -> dict[str, list[tuple[int, str]]]:
    """What an archive has to choose from: "entities" and "entries", each as (number, label). file3d, names: files to use instead of those
    found beside. Raises FormatError."""
    archive = _REGISTRY.open_file(path).document
    if not isinstance(archive, Hqr):
        raise FormatError("no HQR archive", path=path)
    own = characters.of_archive(path, archive)
    if own is not None and own.table is archive:
        return {"entities": _entity_labels(own)}
    entities = _entity_labels(own or _characters(path, file3d))
    called = names_for(path, (game_beside(path) or (None, ""))[0], names)
    using = all_users(path, file3d)
    entries: list[tuple[int, str]] = []
    entry_of = once(HQR, archive, lambda index: _entry(archive, index))
    for index in range(len(archive)):
        if archive.blank(index):
            continue
        try:
            head, size, kind = entry_of(index)
        except FormatError as error:
            entries.append((index, f"{index}: {error.problem}"))
            continue
        what = f"{index}: {called[index]}, " if called[index] else f"{index}: "
        if kind is not None and kind.kind == "animation":
            users = using.get(index, ())
            use = f" ({' + '.join(users[0].roles)} of entity {users[0].entity})" if users else ""
            frames, bones = np.frombuffer(head[:4], "<u2").tolist()
            entries.append((index, f"{what}animation{use}, {frames} keyframes, {bones} bones"))
        elif kind is not None and kind.kind == "body":
            entries.append((index, f"{what}body, {size} bytes"))
    return {"entities": entities, "entries": entries}


def _entry(archive: Hqr, index: int) -> tuple[bytes, int, Format | None]:
    """Its first bytes, its size, and what it is. Raises FormatError."""
    head, size = archive.head(index, HEAD), archive.entry(index).real_size
    return head, size, _REGISTRY.recognise_entry(head, size=size)


def _characters(path: str, file3d: str) -> Characters | None:
    """Those given, or those beside an archive of the game's own name."""
    if file3d:
        return characters.of_file(file3d)
    try:
        return characters.beside(path) if Path(path).stem.lower() in ("anim", "body") else None
    except FormatError as error:
        log.warning(f"no entities: {error}")
        return None


def _entity_labels(table: Characters | None) -> list[tuple[int, str]]:
    labels: list[tuple[int, str]] = []
    for index in range(len(table) if table is not None else 0):
        assert table is not None
        try:
            entity = table.entity(index)
        except FormatError:
            continue
        bodies = ", ".join(map(str, entity.bodies))
        labels.append((index, f"{index}: body {bodies or '-'}, {len(entity.animations)} animations"))
    return labels
