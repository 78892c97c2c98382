"""What belongs to an animation and lies beside it: its body, the palette, the entities; and from these, which game it is from.

Whoever opens an animation without saying more gets these. Every choice is told through the log.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from .. import log
from ..errors import FormatError, reading
from ..files import find_beside, read_file
from . import lm1
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
    document, address, reason = found
    body = Body.from_lm1(document)
    log.info(f"body {address}: {reason}")
    if body.group_count != bone_count:
        log.info(f"the body has {body.group_count} groups, the animation {bone_count} bones")
    return body, address, reason


def palette_for(path: str | Path) -> tuple[Palette, str]:
    """The palette of the RESS.HQR in the folder of `path` and its address, or a plain one of ours and ''."""
    archive = find_beside(path, "RESS.HQR")
    if archive is not None:
        address = f"{archive}#{PALETTE_ENTRY}"
        try:
            with reading(str(archive)):
                palette = Palette.parse(_open_archive(archive).read(PALETTE_ENTRY))
            log.info(f"palette {address}")
            return palette, address
        except FormatError as error:
            log.warning(f"no palette: {error}")
    log.warning("no RESS.HQR with the game's palette lies beside it: plain colours")
    return Palette.plain(), ""


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


def game_of(anm: Anm, path: str | Path = "", archive: Hqr | None = None, body: Body | None = None, wanted: str = "") -> tuple[Game, str]:
    """The game an animation is from, and why.

    path: its file. archive: the archive it is in. body: one that was given or found for it. wanted: "lba1" or "lba2" to decide it.
    """
    if wanted in GAMES:
        return GAMES[wanted], "as asked for"
    if body is not None and body.source is not None:
        return LBA1, "its body is an LBA1 body (LM1)"
    return game_beside(path, archive) or guess_game(anm)


def game_beside(path: str | Path, archive: Hqr | None = None) -> tuple[Game, str] | None:
    """What a file's place says about its game, whatever is in it."""
    here = Path(path) if str(path) else None
    if here is not None and _is_lm2(here.with_suffix(".lm2")):
        return LBA2, "an LBA2 body (LM2) lies beside it"
    bodies = find_beside(here, "BODY.HQR") if here is not None and archive is not None else None
    if bodies is not None and _holds_lm2(bodies):
        return LBA2, "BODY.HQR beside it holds LBA2 bodies (LM2)"
    if archive is not None and _uses_lzmit(archive):
        return LBA2, "its archive has entries of compression method 2"
    if here is not None and find_beside(here, "FILE3D.HQR") is not None:
        return LBA1, "FILE3D.HQR lies beside it"
    return None


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
        return Lm1.parse(data) if looks_like_lm1(data, len(data)) else None
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


def _holds_lm2(path: Path) -> bool:
    """Whether the first entry that can be read is an LBA2 body."""
    try:
        archive = _open_archive(path)
    except FormatError:
        return False
    for index in range(len(archive)):
        try:
            return lm1.is_lm2(archive.read(index)[:96])
        except FormatError:
            continue
    return False


def _is_lm2(path: Path) -> bool:
    try:
        return path.is_file() and lm1.is_lm2(read_file(path)[:96])
    except FormatError:
        return False


def _uses_lzmit(archive: Hqr) -> bool:
    for index in range(len(archive)):
        try:
            if archive.entry(index).method == 2:
                return True
        except FormatError:
            continue
    return False
