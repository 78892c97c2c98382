"""A character's collection (TRAC) with an animation more, so that the game plays it, or with one less."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from ..files import address
from ..files.disk import disk
from ..reporting.errors import ExportError, FormatError, reading
from ..reporting.labels import first_few
from .body.body import ANIMATIONS_LINK
from .body.textures import texture_list
from .files.level import Level
from .files.library import Instance, Library
from .files.onifile import OniFile
from .records.trac import TAG, USUAL_WEIGHT, Collection


class Collected(NamedTuple):
    """path: of the .oni that was written. names: of all animations in it, with the tag."""

    path: str
    names: tuple[str, ...]


def collections(path: str) -> list[str]:
    """The names of the collections of a level or a .oni; none of what cannot be read."""
    try:
        file = Library().open(path)
    except FormatError:
        return []
    return [file.name(index) for index in range(len(file)) if file.tag(index) == TAG and not file.blank(index) and file.name(index)]


def collection_of(source: str, folder: str = "") -> tuple[Collection, Instance]:
    """The collection that FILE or FILE#ENTRY means, and where it is. folder: of one in a level the .oni that is there already goes first.

    Raises FormatError, and ExportError for what is no collection."""
    library = Library()
    names = [] if address.split(source)[1] else collections(source)
    if len(names) > 1 or (names and isinstance(library.open(source), Level)):
        raise ExportError(f"{source}: choose the collection: {first_few(names, 8)}")
    instance = library.at(source)
    if instance.tag != TAG:
        raise ExportError(f"{source}: a {instance.tag}, and not a {TAG}: name the collection of a character")
    own = Path(folder, f"{instance.name}.oni")
    if not isinstance(instance.file, OniFile) and own.is_file():
        return collection_of(str(own))
    with reading(instance.path):
        return Collection.of(instance.file.record(instance.index)), instance


class Changed(NamedTuple):
    """A collection as it is to be. path: the .oni that it goes to. data: its bytes. names: of all animations in it, with the tag."""

    path: str
    data: bytes
    names: tuple[str, ...]


def changed(source: str, names: Sequence[str], folder: str = "", weight: int = USUAL_WEIGHT, remove: bool = False) -> Changed:
    """A collection with some animations more, or less, and nothing written; see `collect`."""
    folder = folder or str(Path(address.split(source)[0]).absolute().parent)
    collection, instance = collection_of(source, folder)
    for name in names:
        collection = collection.without(name) if remove else collection.with_animation(name, weight)
    if isinstance(instance.file, OniFile):
        return Changed(instance.path, instance.file.with_record(instance.index, collection.record).pack(), collection.names)
    return Changed(str(Path(folder, f"{instance.name}.oni")), OniFile.of(collection.record).pack(), collection.names)


def collect(source: str, name: str, folder: str = "", weight: int = USUAL_WEIGHT, remove: bool = False) -> Collected:
    """Put an animation into a collection, or take it out. source: a .oni, which is changed and keeps a .bak, or LEVEL.dat#NAME, whose
    collection is written as a .oni into `folder`, "" for the level's. name: of the animation, with the tag.

    Raises RetroAnimError, with nothing written."""
    after = changed(source, [name], folder, weight, remove)
    disk.write_file(disk.check_target(after.path), after.data, backup=True)
    return Collected(after.path, after.names)


def collections_for(body: str, paths: Sequence[str]) -> list[str]:
    """FILE#NAME of the collections of all classes around some files that have the body of that name (with the tag); where no class is
    there, of all collections that stand beside them as .oni."""
    library = Library()
    of_classes: list[Instance] = []
    beside: list[Instance] = []
    for path in filter(None, paths):
        for each in texture_list.classes_with(body, path, library):
            with suppress(FormatError):
                there = library.follow(each, texture_list.link_of(each, ANIMATIONS_LINK))
                of_classes += [there] if there is not None and there.tag == TAG else []
        beside += library.beside(path, TAG)
    return list(dict.fromkeys(_address(each) for each in of_classes or beside))


def _address(instance: Instance) -> str:
    alone = isinstance(instance.file, OniFile) and not instance.index
    return instance.path if alone else f"{instance.path}#{instance.name}"
