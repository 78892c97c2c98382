"""Who uses an animation: the characters that have it, by the entities that lie beside its archive."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path

from ...files import address
from ...files.letter_case import find_beside
from ...reporting.errors import FormatError
from ..files.actions import Action
from ..files.file3d import role_name
from . import characters


@dataclass(frozen=True)
class User:
    """entity: its number. name: who it is, "" where that is not known. bodies: its entries of BODY.HQR, in order. roles: what it uses the
    animation for. read: gives `actions`."""

    entity: int
    bodies: tuple[int, ...]
    roles: tuple[str, ...]
    name: str = ""
    read: Callable[[], Sequence[Action]] = field(default=tuple[Action, ...], compare=False, repr=False)

    @property
    def actions(self) -> tuple[Action, ...]:
        """What the game does then."""
        return tuple(self.read())


def users_of(path: str | Path, entry: int, file3d: str = "") -> tuple[User, ...]:
    """The characters that use entry `entry` of the archive at `path`, in order.

    file3d: where they are, if not beside ANIM.HQR. None where there are no entities, or they cannot be read.
    """
    return all_users(path, file3d).get(entry, ())


def all_users(path: str | Path, file3d: str) -> dict[int, tuple[User, ...]]:
    """As `users_of`, by entry, for all that some character uses."""
    source = file3d or _source_beside(Path(path))
    if not source:
        return {}
    try:
        changed = Path(address.split(source)[0]).stat().st_mtime_ns
    except OSError:
        return {}
    return _all_users(source, changed)


def _source_beside(path: Path) -> str:
    if path.name.lower() != "anim.hqr":
        return ""
    table = find_beside(path, "FILE3D.HQR") or find_beside(path, "RESS.HQR")
    return str(table) if table is not None else ""


@lru_cache(maxsize=4)
def _all_users(source: str, changed: int) -> dict[int, tuple[User, ...]]:  # noqa: ARG001 - a part of the cache's key
    """Animation entry -> users, none where the file cannot be read, which is remembered as well. changed: when the file was written last,
    so that a new one is read again."""
    try:
        entities = characters.of_file(source)
    except FormatError:
        return {}
    users: dict[int, tuple[User, ...]] = {}
    for index in range(len(entities)):
        try:
            entity = entities.entity(index)
        except FormatError:
            continue
        for animation, roles in entity.animations.items():
            names = tuple(dict.fromkeys(map(role_name, roles)))
            user = User(index, tuple(entity.bodies), names, entities.name(index), partial(entity.actions_of, animation))
            users[animation] = (*users.get(animation, ()), user)
    return users
