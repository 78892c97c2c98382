"""What an archive has to choose from: its characters and its entries, with what is known of each."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from ..files.format import Format
from ..files.registry import HEAD, Registry, once
from ..reporting import log
from ..reporting.errors import FormatError
from ..reporting.labels import counted
from .characters import characters, people
from .characters.characters import Characters
from .characters.opened import open_archive
from .characters.users import User, all_users
from .characters.which_game import game_beside
from .files.anm import Anm
from .files.archive.hqd import names_for
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
    table = own or _characters(path, file3d)
    entities, people_of = _entities(table), _People(table)
    game = (game_beside(path) or (None, ""))[0] or LBA1
    called = names_for(path, game, names)
    using = all_users(path, file3d)
    content_of = once(HQR, archive, lambda index: _content(archive, index, game))
    entries: list[Entry] = []
    for index in range(len(archive)):
        if archive.blank(index):
            continue
        name, users = called[index], using.get(index, ())
        try:
            line = _entry(index, name, content_of(index), users, people_of.body(game, index, len(archive)), people_of.used(users))
        except FormatError as error:
            line = Entry(index, f"{index}: {error.problem}", f"{index} {name}".strip(), "damaged")
        if line is not None:
            entries.append(replace(line, unused=bool(line.clips and using and index not in using)))
    return {"entities": entities, "entries": entries}


class _People:
    """Who the entities are, and whose bodies there are that have no name of their own."""

    def __init__(self, table: Characters | None) -> None:
        self.entities: dict[int, str] = {}
        self.owners: dict[int, str] = {}
        for index in range(len(table) if table is not None else 0):
            assert table is not None
            self.entities[index] = table.name(index)
            with suppress(FormatError):
                for body in table.entity(index).bodies if self.entities[index] and not table.blank(index) else ():
                    self.owners.setdefault(body, self.entities[index])

    def body(self, game: Variant, index: int, count: int) -> str:
        """Bodies of the first game without a name are what their entity is."""
        return people.name_of(game.name, "bodies", index, count) or (self.owners.get(index, "") if game is LBA1 else "")

    def used(self, users: tuple[User, ...]) -> str:
        """What an animation without a name is used for, and by whom."""
        if not users:
            return ""
        return f"{self.entities.get(users[0].entity) or f'entity {users[0].entity}'}: {' + '.join(users[0].roles)}"


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


def _entry(index: int, name: str, content: _Content, users: tuple[User, ...], whose: str, used: str) -> Entry | None:
    """An entry that can be imported; None for anything else. whose, used: who a body without a name is, and who uses an animation."""
    what = f"{index}: {name}, " if name else f"{index}: "
    if content.kind is not None and content.kind.kind == "animation":
        frames, bones = (int.from_bytes(content.head[at : at + 2], "little") for at in (0, 2))
        use = f" ({' + '.join(users[0].roles)} of entity {users[0].entity})" if users else ""
        label = f"{what}animation{use}, {counted(frames, 'keyframe')}, {counted(bones, 'bone')}"
        return Entry(index, label, f"{index} {name or used}".strip(), f"animation, {counted(bones, 'bone')}", 1, frames, content.seconds)
    if content.kind is not None and content.kind.kind == "body":
        who = name or whose
        return Entry(index, f"{index}: {f'{who}, ' if who else ''}body, {counted(content.size, 'byte')}", f"{index} {who}".strip(), "body")
    return None


def _seconds(archive: Hqr, index: int, game: Variant, whole: bytes | None) -> float:
    """How long an animation lasts; 0 where it cannot be read. whole: its bytes, where they are unpacked already."""
    try:
        return float(Anm.parse(archive.read(index) if whole is None else whole).durations[1:].sum()) / game.rate
    except FormatError:
        return 0.0


def _characters(path: str, file3d: str) -> Characters | None:
    """Those given, or those beside an archive of the game's own name."""
    if file3d:
        return characters.of_file(file3d)
    try:
        return characters.beside(path) if Path(path).stem.lower() in ("anim", "body") else None
    except FormatError as error:
        log.warning(f"no entities: {error}")
        return None


def _entities(table: Characters | None) -> list[Entry]:
    lines: list[Entry] = []
    for index in range(len(table) if table is not None else 0):
        assert table is not None
        try:
            entity = table.entity(index)
        except FormatError:
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
