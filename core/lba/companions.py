"""What belongs to an animation and lies beside it: its body, the palette, the entities; and from these, which game it is from.

Whoever opens an animation without saying more gets these. Every choice is told through the log.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from .. import address, log
from ..errors import FormatError, reading
from ..files import find_beside, read_file
from . import anm, lm1
from .anm import Anm, guess_game
from .body import Body
from .file3d import Entity
from .game import GAMES, LBA1, LBA2, Game
from .hqr import Hqr
from .lm1 import Lm1
from .palette import Palette

PALETTE_ENTRY = 0
"""In RESS.HQR."""


def body_for(path: str | Path, entry: int | None, bone_count: int) -> tuple[Body, str, str]:
    """The body to show an animation on, its address ('' for a plain one of ours), and why it is this one.

    path, entry: the animation's file, or its archive and entry. bone_count: of the animation.
    """
    found = _loose_body(Path(path), bone_count) if entry is None else _entity_body(Path(path), entry) or _neighbour_body(Path(path), entry)
    if found is None:
        reason = "no body lies beside it"
        log.warning(f"{reason}: a plain armature of {bone_count} bones")
        return Body.plain(bone_count), "", reason
    document, where, reason = found
    log.info(f"body {where}: {reason}")
    return Body.from_lm1(document), where, reason


def palette_for(path: str | Path) -> tuple[Palette, str]:
    """The palette and its address: a .pal file itself, else the RESS.HQR's in the folder of `path`, else a plain one of ours and ''."""
    file = Path(address.split(str(path))[0])
    source = file if file.suffix.lower() == ".pal" else find_beside(file, "RESS.HQR") if str(path) else None
    if source is None:
        log.warning("no RESS.HQR with the game's palette lies beside it: plain colours")
        return Palette.plain(), ""
    try:
        palette, where = _palette(source)
    except FormatError as error:
        log.warning(f"plain colours: {error}")
        return Palette.plain(), ""
    log.info(f"palette {where}")
    return palette, where


def entities_beside(path: str | Path) -> Hqr | None:
    """The FILE3D.HQR in the folder of `path`."""
    archive = find_beside(path, "FILE3D.HQR")
    if archive is None:
        return None
    try:
        return _open_archive(archive)
    except FormatError as error:
        log.warning(f"no entities: {error}")
        return None


def game_of(anm: Anm, path: str | Path = "", body: Body | None = None, wanted: str = "") -> tuple[Game, str]:
    """The game an animation is from, and why.

    path: its file, or the archive it is in. body: one that was given. wanted: "lba1" or "lba2" where someone has decided.
    """
    if wanted in GAMES:
        return GAMES[wanted], "as asked for"
    if body is not None and body.source is not None:
        return LBA1, "its body is an LBA1 body (LM1)"
    return (game_beside(path) if str(path) else None) or guess_game(anm)


def game_beside(path: str | Path) -> tuple[Game, str] | None:
    """What the place of a file says about its game, whatever is in it; None when it says nothing."""
    here = Path(path)
    is_archive = here.suffix.lower() == ".hqr"
    kind = _archive_bodies(here) if is_archive else _loose_bodies(here)
    if kind is not None:
        return kind
    if is_archive and _uses_lzmit(here):
        return LBA2, "its archive has entries of compression method 2"
    if find_beside(here, "FILE3D.HQR") is not None:
        return LBA1, "FILE3D.HQR lies beside it"
    return None


def _archive_bodies(path: Path) -> tuple[Game, str] | None:
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


def _loose_bodies(path: Path) -> tuple[Game, str] | None:
    """By the body of the same name, or else by all of the folder if they are of one kind."""
    kinds = {".lm1": LBA1, ".lm2": LBA2}
    for suffix, game in kinds.items():
        if find_beside(path, path.stem + suffix) is not None:
            return game, f"a body for {game.label} has its name"
    try:
        found = {other.suffix.lower() for other in path.parent.iterdir()} & kinds.keys()
    except OSError:
        return None
    if len(found) != 1:
        return None
    game = kinds[found.pop()]
    return game, f"bodies for {game.label} lie beside it"


def _entity_body(path: Path, entry: int) -> tuple[Lm1, str, str] | None:
    """The first body of the first entity that uses entry `entry` of ANIM.HQR."""
    entities, bodies = find_beside(path, "FILE3D.HQR"), find_beside(path, "BODY.HQR")
    if path.name.lower() != "anim.hqr" or entities is None or bodies is None:
        return None
    for number, first_body in _users(entities, entities.stat().st_mtime_ns).get(entry, ()):
        found = _body_entry(bodies, first_body)
        if found is not None:
            return found, f"{bodies}#{first_body}", f"the first body of entity {number}, which uses the animation"
    return None


def _neighbour_body(path: Path, entry: int) -> tuple[Lm1, str, str] | None:
    """The last body before the entry in the same archive, or the first one after it."""
    archive = _open_archive(path)
    for index in (*range(entry - 1, -1, -1), *range(entry + 1, len(archive))):
        found = None if archive.blank(index) else _body_entry(path, index)
        if found is not None:
            return found, f"{path}#{index}", "the nearest body in the same archive"
    return None


def _loose_body(path: Path, bone_count: int) -> tuple[Lm1, str, str] | None:
    """The .lm1 of the same name, or else the only one in the folder that has as many groups."""
    same_name = find_beside(path, f"{path.stem}.lm1")
    if same_name is not None and (document := _loose_lm1(same_name)) is not None:
        return document, str(same_name), "it has the animation's name"
    fitting = [
        (document, str(other), "the only body in the folder with as many groups as the animation has bones")
        for other in sorted(path.parent.glob("*.[lL][mM]1"))
        if (document := _loose_lm1(other)) is not None and _groups(document) == bone_count
    ]
    if len(fitting) > 1:
        log.warning(f"{len(fitting)} bodies in the folder fit: none is taken")
    return fitting[0] if len(fitting) == 1 else None


def _groups(document: Lm1) -> int:
    return 1 if document.groups is None else len(document.groups)


def _loose_lm1(path: Path) -> Lm1 | None:
    try:
        with reading(str(path)):
            return Lm1.parse(read_file(path))
    except FormatError as error:
        log.warning(f"a body that cannot be used: {error}")
        return None


def _body_entry(path: Path, index: int) -> Lm1 | None:
    """The entry as a body; None where it is something else or cannot be read."""
    try:
        data = _open_archive(path).read(index)
        # An animation has its size written all over it; as a body without groups almost anything could be read.
        is_body = looks_like_lm1(data, len(data)) and not anm.recognise(data, len(data))
        return Lm1.parse(data) if is_body else None
    except FormatError:
        return None


def looks_like_lm1(head: bytes, size: int) -> bool:
    """As `lm1.recognise`, and there are points: a picture that starts black looks like a body without."""
    points_at = lm1.INFO_AT + int.from_bytes(head[14:16], "little")
    return lm1.recognise(head, size) and any(head[points_at : points_at + 2])


def _open_archive(path: Path) -> Hqr:
    with reading(str(path)):
        try:
            return _archive(path, path.stat().st_mtime_ns)
        except OSError as error:
            raise FormatError(error.strerror or str(error)) from error


@lru_cache(maxsize=4)
def _archive(path: Path, changed: int) -> Hqr:
    """changed: when the file was written last, so that a new one is read again."""
    return Hqr.parse(read_file(path))


@lru_cache(maxsize=4)
def _users(path: Path, changed: int) -> dict[int, list[tuple[int, int]]]:
    """Animation entry -> (entity, its first body) of all entities in the FILE3D.HQR at `path` that use it, in order."""
    users: dict[int, list[tuple[int, int]]] = {}
    archive = _archive(path, changed)
    for index in range(len(archive)):
        try:
            entity = Entity.parse(archive.read(index))
        except FormatError:
            continue
        for body in list(entity.bodies)[:1]:
            for animation in entity.animations:
                users.setdefault(animation, []).append((index, body))
    return users


@lru_cache(maxsize=16)
def _kind_of_bodies(path: Path, changed: int) -> Game | None:
    """The game of the first body in an archive, None where there is none. Raises FormatError when it is no archive."""
    archive = _open_archive(path)
    for index in range(len(archive)):
        try:
            data = archive.read(index)
        except FormatError:
            continue
        if lm1.is_lm2(data[:96]):
            return LBA2
        if looks_like_lm1(data, len(data)):
            return LBA1
    return None


def _uses_lzmit(path: Path) -> bool:
    try:
        archive = _open_archive(path)
    except FormatError:
        return False
    for index in range(len(archive)):
        try:
            if archive.entry(index).method == 2:
                return True
        except FormatError:
            continue
    return False


def _palette(path: Path) -> tuple[Palette, str]:
    """The palette of a .pal file or of an archive, and its address."""
    with reading(str(path)):
        if path.suffix.lower() == ".pal":
            return Palette.parse(read_file(path)), str(path)
        return Palette.parse(_open_archive(path).read(PALETTE_ENTRY)), f"{path}#{PALETTE_ENTRY}"
