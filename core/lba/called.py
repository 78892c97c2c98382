"""What people call the entries of an archive: by a list of names, else by who or what they are."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from ..files.format import Kind
from ..reporting import log
from ..reporting.errors import FormatError
from .characters import characters, people
from .characters.characters import Characters
from .characters.users import all_users
from .characters.which_game import game_beside
from .files.archive.hqd import names_for
from .files.archive.hqr import Hqr
from .files.variant import LBA1


class Called:
    """names: of entries of any kind, from a list. using: who uses an animation. game: the one that the archive is taken to be of."""

    def __init__(self, path: str, archive: Hqr, table: Characters | None, file3d: str = "", names: str = "") -> None:
        """table: the characters that belong to the archive. file3d, names: files to use instead of those found beside. Raises FormatError
        for `names`."""
        self.game = (game_beside(path) or (None, ""))[0] or LBA1
        self.names = names_for(path, self.game, names)
        self.using = all_users(path, file3d)
        self._count = len(archive)
        self._entities: dict[int, str] = {}
        self._owners: dict[int, str] = {}
        for index in range(len(table) if table is not None else 0):
            assert table is not None
            self._entities[index] = table.name(index)
            with suppress(FormatError):
                for body in table.entity(index).bodies if self._entities[index] and not table.blank(index) else ():
                    self._owners.setdefault(body, self._entities[index])

    def of(self, index: int, kind: Kind | None) -> str:
        """What an entry of that kind is called, else what it is used for or whose it is, "" where that is not known."""
        if kind == "animation":
            return self.names[index] or self._used(index)
        return self.names[index] or (self._body(index) if kind == "body" else "")

    def _body(self, index: int) -> str:
        """Bodies of the first game without a name are what their entity is."""
        return people.name_of(self.game.name, "bodies", index, self._count) or (self._owners.get(index, "") if self.game is LBA1 else "")

    def _used(self, index: int) -> str:
        users = self.using.get(index, ())
        return f"{self._entities.get(users[0].entity) or f'entity {users[0].entity}'}: {' + '.join(users[0].roles)}" if users else ""


def characters_of(path: str, file3d: str) -> Characters | None:
    """Those given, or those beside an archive of the game's own name."""
    if file3d:
        return characters.of_file(file3d)
    try:
        return characters.beside(path) if Path(path).stem.lower() in ("anim", "body") else None
    except FormatError as error:
        log.warning(f"no entities: {error}")
        return None


def entry_names(path: str, archive: Hqr, kinds: Mapping[int, Kind], names: str = "") -> dict[int, str]:
    """By entry, as far as it is known. kinds: of those that can be read. names: see `Called`. Raises FormatError for that."""
    own = characters.of_archive(path, archive)
    if own is not None and own.table is archive:
        own = replace(own, listed=names)
        return {index: own.name(index) for index in range(len(own)) if own.name(index)}
    called = Called(path, archive, own or characters_of(path, ""), names=names)
    return {index: name for index in range(len(archive)) if (name := called.of(index, kinds.get(index)))}
