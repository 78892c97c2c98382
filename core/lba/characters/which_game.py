"""Which of the two games an animation is from: by its body, by what lies beside it, and by its numbers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from ...files.letter_case import find_beside
from ...reporting.errors import FormatError
from ..files import lm1
from ..files.anm import Anm, guess_game
from ..files.archive.hqr import Hqr
from ..files.entity_table import EntityTable
from ..files.lm1 import Lm1
from ..files.variant import LBA1, LBA2, VARIANTS, Variant
from ..game import ARCHIVES
from .opened import archive_of, changed_at, looks_like_lm1, open_archive

if TYPE_CHECKING:
    from ..body.body import Body

SUFFIXES = {".lm1": LBA1, ".lm2": LBA2}
"""Of loose bodies."""


def game_of(anm: Anm, path: str | Path = "", body: Body | None = None, wanted: str = "") -> tuple[Variant, str]:
    """The game an animation is from, and why.

    path: its file, or the archive it is in. body: one that was given. wanted: "lba1" or "lba2" where someone has decided.
    """
    if wanted in VARIANTS:
        return VARIANTS[wanted], "as asked for"
    if body is not None and body.source is not None:
        return (LBA1, "its body is an LBA1 body (LM1)") if isinstance(body.source, Lm1) else (LBA2, "its body is an LBA2 body (LM2)")
    return (game_beside(path) if str(path) else None) or guess_game(anm)


def game_beside(path: str | Path) -> tuple[Variant, str] | None:
    """The game of a file by where it lies, whatever is in it; None where that does not decide it."""
    here = Path(path)
    is_archive = here.suffix.lower() in ARCHIVES
    kind = _archive_bodies(here) if is_archive else _loose_bodies(here)
    if kind is not None:
        return kind
    if is_archive and _is_lzmit(here):
        return LBA2, "its archive has entries of compression method 2"
    if find_beside(here, "FILE3D.HQR") is not None:
        return LBA1, "FILE3D.HQR lies beside it"
    resources = find_beside(here, "RESS.HQR")
    if resources is not None and _has_table(resources, resources.stat().st_mtime_ns):
        return LBA2, "RESS.HQR beside it has an entity table of LBA2"
    return None


def _archive_bodies(path: Path) -> tuple[Variant, str] | None:
    """By the bodies in BODY.HQR beside an archive, or else in the archive itself."""
    beside = find_beside(path, "BODY.HQR")
    for archive in (beside, path) if beside is not None else (path,):
        try:
            game = _kind_of_bodies(archive, archive.stat().st_mtime_ns)
        except (OSError, FormatError):
            continue
        if game is not None:
            return game, f"{archive.name} holds {game.label} bodies"
    return None


def _loose_bodies(path: Path) -> tuple[Variant, str] | None:
    """By the body of the same name, or else by all of the folder if they are of one kind."""
    for suffix, game in SUFFIXES.items():
        if find_beside(path, path.stem + suffix) is not None:
            return game, f"a body for {game.label} has its name"
    try:
        known = {other.suffix.lower() for other in path.parent.iterdir()} & SUFFIXES.keys()
    except OSError:
        return None
    if len(known) != 1:
        return None
    game = SUFFIXES[known.pop()]
    return game, f"bodies for {game.label} lie beside it"


@lru_cache(maxsize=4)
def _has_table(path: Path, changed: int) -> bool:
    from . import characters  # here, since few files ask for it

    try:
        known = characters.of_archive(str(path), archive_of(path, changed))
    except (OSError, FormatError):
        return False
    return known is not None and isinstance(known.table, EntityTable)


@lru_cache(maxsize=16)
def _kind_of_bodies(path: Path, changed: int) -> Variant | None:  # noqa: ARG001 - a part of the cache's key
    """The game of the first body in an archive, None where there is none, or it is no archive."""
    try:
        archive = open_archive(path)
    except FormatError:
        return None
    for index in _different(archive):
        try:
            data = archive.read(index)
        except FormatError:
            continue
        if lm1.is_lm2(data[:96]):
            return LBA2
        if looks_like_lm1(data, len(data)):
            return LBA1
    return None


def _different(archive: Hqr) -> Iterator[int]:
    """The entries, of those that are the same bytes only the first."""
    known = set[int]()
    for index in range(len(archive)):
        stored = archive.stored(index)
        if stored not in known:
            known.add(stored)
            yield index


def _is_lzmit(path: Path) -> bool:
    try:
        return _uses_lzmit(path, changed_at(path))
    except FormatError:
        return False


@lru_cache(maxsize=16)
def _uses_lzmit(path: Path, changed: int) -> bool:  # noqa: ARG001 - a part of the cache's key
    """Raises FormatError when it is no archive."""
    archive = open_archive(path)
    for index in _different(archive):
        try:
            if archive.entry(index).method == 2:
                return True
        except FormatError:
            continue
    return False
