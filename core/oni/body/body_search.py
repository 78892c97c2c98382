"""Which body an animation moves: the one that was asked for, else one of the same file, of a .oni beside it, or of the level."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path

from ...files import address as addresses
from ...reporting import log
from ...reporting.errors import FormatError
from ..files.library import Instance, Library
from ..records import trac
from .body import ANIMATIONS_LINK, HIGHEST, Body
from .body_read import body_of
from .mannequin import mannequin

NO_BODY = "no body at hand: shown on a neutral one of our own, whose proportions are not the game's"

_CHAIN = 16
"""Animation collections that lead to one another, at most."""


def find_body(
    address: str, animation: str, detail: int = HIGHEST, bones: int = 0, library: Library | None = None, along: Sequence[Body] = ()
) -> Body:
    """The body for the animation called `animation` (with the tag) from `address`, a path or FILE#ENTRY: the first of these that can be
    read: in the same file, a .oni beside it, a level beside it; among several that of the character whose collection has the animation,
    else the one whose name is most like the animation's; else one of `along`, which come in with it from elsewhere, or of our own. bones:
    how many it must have, 0 for any. library: files that are open already. Logs which one it is.
    """
    library = library or Library()
    for candidates in _groups(library, addresses.split(address)[0]):
        for instance in _likely(candidates, animation, library):
            try:
                body = library.once(("body", instance.path, instance.index, detail), partial(body_of, instance, detail, library))
            except FormatError as error:
                log.warning(f"not a body to use: {error}")
                continue
            if bones in (0, len(body)):
                log.info(f"shown on the body {body.name or 'of'} in {Path(instance.path).name}")
                return body
    for body in sorted(along, key=lambda body: -_alike(body.name, animation)):
        if bones in (0, len(body)):
            log.info(f"shown on the body {body.name}, which comes in with it")
            return body
    log.warning(NO_BODY)
    return mannequin()


def _groups(library: Library, path: str) -> Iterator[list[Instance]]:
    """The bodies to choose from: each group only where those before have none."""
    for tag in ("ONCC", "TRBS"):
        yield library.once(("inside", path, tag), lambda tag=tag: list(_inside(library, path, tag)))
    for tag in ("ONCC", "TRBS"):
        yield library.once(("beside", path, tag), lambda tag=tag: list(library.beside(path, tag)))
    for level in library.levels(path):
        for tag in ("ONCC", "TRBS"):
            yield library.once(("level", level, tag), lambda level=level, tag=tag: list(library.all_of(level, tag)))


def _inside(library: Library, path: str, tag: str) -> Iterator[Instance]:
    """Of the file itself."""
    try:
        file = library.open(path)
    except FormatError:  # an XML, or an error that its own reader reports better
        return
    for index in range(len(file)):
        if file.tag(index) == tag and not file.blank(index):
            yield Instance(file, path, index)


def _likely(instances: list[Instance], animation: str, library: Library) -> Iterable[Instance]:
    """The most likely one first."""
    if len(instances) < 2 or not animation:
        return instances
    return sorted(
        instances, key=lambda instance: (not _owns(instance, animation, library), -_alike(instance.name, animation), instance.name)
    )


def _alike(body: str, animation: str) -> int:
    """How many letters behind the tags the names begin with in common."""
    same = [one == other for one, other in zip(body[4:].lower(), animation[4:].lower(), strict=False)]
    return next((count for count, equal in enumerate(same) if not equal), len(same))


def _owns(instance: Instance, animation: str, library: Library) -> bool:
    """Whether the animation is in the collections of an ONCC."""
    return animation in library.once(("animations", instance.path, instance.index), partial(_animations, instance, library))


def _animations(instance: Instance, library: Library) -> set[str]:
    """The names of all in the collections of an ONCC, as far as these can be read."""
    names: set[str] = set()
    if instance.tag != "ONCC":
        return names
    try:
        body = instance.body()
        result = library.follow(instance, int.from_bytes(body[ANIMATIONS_LINK : ANIMATIONS_LINK + 4], "little"))
        for _ in range(_CHAIN):
            if result is None or result.tag != trac.TAG:
                return names
            collection = trac.Collection.of(result.file.record(result.index))
            names.update(collection.names)
            result = library.find(collection.parent, result.path)
    except FormatError:
        pass
    return names
