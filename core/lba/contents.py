"""What an archive has to choose from: its characters and its entries, with what is known of each."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from ..files.format import Format
from ..files.registry import HEAD, Registry, once
from ..reporting.errors import FormatError
from ..reporting.labels import counted
from .called import Called, characters_of
from .characters import characters
from .characters.characters import Characters
from .characters.opened import open_archive
from .files.anm import Anm
from .files.archive.hqr import Hqr
from .files.entity_table import EntityTable
from .files.file3d import Entity
from .files.variant import LBA1, LBA2, Variant
from .formats import FORMATS, HQR

_REGISTRY = Registry(lambda: FORMATS)


@dataclass(frozen=True)
class Entry:
    """An entity or an entry. label: all of it in one text. title: who or what it is. kind: an entity's bodies, or what an entry is.
    clips: of an entity. frames: keyframes, of an entity those of all its clips. seconds: how long they last. name: of an entity.
    unused: of an animation that none of the entities has, where there are some."""

    index: int
    label: str
    title: str = ""
    kind: str = ""
    clips: int = 0
    frames: int = 0
    seconds: float = 0.0
    name: str = ""
    unused: bool = False


def contents(path: str, file3d: str = "", names: str = "") -> dict[str, list[tuple[int, str]]]:
    """As `listed`, each as (number, label)."""
    return {page: [(line.index, line.label) for line in lines] for page, lines in listed(path, file3d, names).items()}


def listed(path: str, file3d: str = "", names: str = "") -> dict[str, list[Entry]]:
    """What an archive has to choose from: "entities" and "entries". file3d, names: files to use instead of those found beside. Raises
    FormatError."""
    archive = _REGISTRY.open_file(path).document
    if not isinstance(archive, Hqr):
        raise FormatError("no HQR archive", path=path)
    own = characters.of_archive(path, archive)
    if own is not None and own.table is archive:
        return {"entities": _entities(replace(own, listed=names))}
    table = own or characters_of(path, file3d)
    entities, called = _entities(table), Called(path, archive, table, file3d, names)
    game, using = called.game, called.using
    content_of = once(HQR, archive, lambda index: _content(archive, index, game))
    entries: list[Entry] = []
    for index in range(len(archive)):
        if archive.blank(index):
            continue
        try:
            line = _entry(index, content_of(index), called)
        except FormatError as error:
            line = Entry(index, f"{index}: {error.problem}", f"{index} {called.names[index]}".strip(), "damaged")
        if line is not None:
            entries.append(replace(line, unused=bool(line.clips and using and index not in using)))
    return {"entities": entities, "entries": entries}


class _Content(NamedTuple):
    """What an entry is, by its first bytes. seconds: how long an animation lasts, as far as it can be read."""

    head: bytes
    size: int
    kind: Format | None
    seconds: float


def _content(archive: Hqr, index: int, game: Variant) -> _Content:
    """Raises FormatError."""
    head, size = archive.head(index, HEAD), archive.entry(index).real_size
    kind = _REGISTRY.recognise_entry(head, size=size)
    seconds = _seconds(archive, index, game, head if len(head) == size else None) if kind is not None and kind.kind == "animation" else 0.0
    return _Content(head, size, kind, seconds)


def _entry(index: int, content: _Content, called: Called) -> Entry | None:
    """An entry that can be imported; None for anything else."""
    kind = content.kind.kind if content.kind is not None else None
    name, known = called.names[index], called.of(index, kind)
    if kind == "animation":
        what = f"{index}: {name}, " if name else f"{index}: "
        frames, bones = (int.from_bytes(content.head[at : at + 2], "little") for at in (0, 2))
        users = called.using.get(index, ())
        use = f" ({' + '.join(users[0].roles)} of entity {users[0].entity})" if users else ""
        label = f"{what}animation{use}, {counted(frames, 'keyframe')}, {counted(bones, 'bone')}"
        return Entry(index, label, f"{index} {known}".strip(), f"animation, {counted(bones, 'bone')}", 1, frames, content.seconds)
    if kind == "body":
        label = f"{index}: {f'{known}, ' if known else ''}body, {counted(content.size, 'byte')}"
        return Entry(index, label, f"{index} {known}".strip(), "body")
    return None


def _seconds(archive: Hqr, index: int, game: Variant, whole: bytes | None) -> float:
    """How long an animation lasts; 0 where it cannot be read. whole: its bytes, where they are unpacked already."""
    try:
        return float(Anm.parse(archive.read(index) if whole is None else whole).durations[1:].sum()) / game.rate
    except FormatError:
        return 0.0


def _entities(table: Characters | None) -> list[Entry]:
    lines: list[Entry] = []
    for index in range(len(table) if table is not None else 0):
        assert table is not None
        try:
            entity = table.entity(index)
        except FormatError:
            continue
        if not entity.bodies and not entity.animations:  # a place that the game has left free
            continue
        bodies = ", ".join(map(str, entity.bodies))
        known = table.name(index)
        name = known or f"entity {index}"
        frames, seconds = _length(table, entity)
        label = f"{index}: {f'{known}, ' if known else ''}body {bodies or '-'}, {len(entity.animations)} animations"
        lines.append(Entry(index, label, f"{index} {name}", f"body {bodies or '-'}", len(entity.animations), frames, seconds, name))
    return lines


def _length(table: Characters, entity: Entity) -> tuple[int, float]:
    """Keyframes and seconds of all animations of a character, as far as its archive lies beside and they can be read."""
    path = table.folder / "ANIM.HQR"
    try:
        lengths = _lengths(str(path), path.stat().st_mtime_ns)
    except (OSError, FormatError):
        return 0, 0.0
    known = [lengths[index] for index in entity.animations if index in lengths]
    rate = (LBA2 if isinstance(table.table, EntityTable) else LBA1).rate
    return sum(frames for frames, _ in known), sum(units for _, units in known) / rate


@lru_cache(maxsize=4)
def _lengths(path: str, changed: int) -> dict[int, tuple[int, int]]:  # noqa: ARG001 - a part of the cache's key
    """Keyframes and time units of every animation of an archive that can be read."""
    archive, lengths = open_archive(Path(path)), dict[int, tuple[int, int]]()
    for index in range(len(archive)):
        if not archive.blank(index):
            try:
                anm = Anm.parse(archive.read(index))
            except FormatError:
                continue
            lengths[index] = len(anm.frames), int(anm.durations[1:].sum())
    return lengths
