"""What belongs to an animation and lies beside it: its body, the palette, the entities; and from these, which game it is from.

Whoever opens an animation without saying more gets these. Every choice is told through the log.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import lru_cache
from pathlib import Path

from .. import address, log
from ..errors import FormatError, reading
from ..files import find_beside, read_file
from . import anm, characters, lm1
from .anm import Anm, guess_game
from .body import Body
from .entity_table import EntityTable
from .game import GAMES, LBA1, LBA2, Game
from .hqr import Hqr
from .lm1 import Lm1
from .lm2 import Lm2
from .palette import Palette
from .texture import TexturePage
from .users import users_of

PALETTE_ENTRY, PAGE_ENTRY = 0, 6
"""In RESS.HQR; the texture page in that of LBA2."""

Document = Lm1 | Lm2
_SUFFIXES = {".lm1": LBA1, ".lm2": LBA2}


def body_for(path: str | Path, entry: int | None, bone_count: int, file3d: str = "", which: int = 0) -> tuple[Body, str, str]:
    """The body to show an animation on, its address ('' for a plain one of ours), and why it is this one.

    path, entry: the animation's file, or its archive and entry. bone_count: of the animation. file3d: the entities, if not those beside
    the archive. which: of the bodies of an entity, counted from 0; the first where it has not so many.
    """
    if entry is None:
        found = _loose_body(Path(path), bone_count)
    else:
        found = _entity_body(Path(path), entry, file3d, which) or _neighbour_body(Path(path), entry)
    if found is None:
        reason = "no body lies beside it"
        log.warning(f"{reason}: a plain armature of {bone_count} bones")
        return Body.plain(bone_count), "", reason
    document, where, reason = found
    log.info(f"body {where}: {reason}")
    return Body.of(document), where, reason


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


def page_for(path: str | Path) -> TexturePage:
    """The texture page of LBA2 in the RESS.HQR in the folder of `path`, else a plain one of ours."""
    file = Path(address.split(str(path))[0])
    source = find_beside(file, "RESS.HQR") if str(path) else None
    if source is None:
        log.warning("no RESS.HQR with the game's textures lies beside it: plain squares")
        return TexturePage.plain()
    try:
        with reading(f"{source}#{PAGE_ENTRY}"):
            return TexturePage.parse(_open_archive(source).read(PAGE_ENTRY))
    except FormatError as error:
        log.warning(f"plain squares instead of textures: {error}")
        return TexturePage.plain()


def game_of(anm: Anm, path: str | Path = "", body: Body | None = None, wanted: str = "") -> tuple[Game, str]:
    """The game an animation is from, and why.

    path: its file, or the archive it is in. body: one that was given. wanted: "lba1" or "lba2" where someone has decided.
    """
    if wanted in GAMES:
        return GAMES[wanted], "as asked for"
    if body is not None and body.source is not None:
        return (LBA1, "its body is an LBA1 body (LM1)") if isinstance(body.source, Lm1) else (LBA2, "its body is an LBA2 body (LM2)")
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
    resources = find_beside(here, "RESS.HQR")
    if resources is not None and _has_table(resources, resources.stat().st_mtime_ns):
        return LBA2, "RESS.HQR beside it has an entity table of LBA2"
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
    for suffix, game in _SUFFIXES.items():
        if find_beside(path, path.stem + suffix) is not None:
            return game, f"a body for {game.label} has its name"
    try:
        found = {other.suffix.lower() for other in path.parent.iterdir()} & _SUFFIXES.keys()
    except OSError:
        return None
    if len(found) != 1:
        return None
    game = _SUFFIXES[found.pop()]
    return game, f"bodies for {game.label} lie beside it"


def _entity_body(path: Path, entry: int, file3d: str, which: int) -> tuple[Document, str, str] | None:
    """A body of the first entity that uses entry `entry` of ANIM.HQR."""
    for user in users_of(path, entry, file3d):
        bodies = bodies_beside(path, file3d)
        if bodies is None:
            return None
        if user.bodies:
            place = which if which < len(user.bodies) else 0
            found = _body_entry(bodies, user.bodies[place])
            if found is not None:
                reason = f"body {place} of entity {user.entity}, which uses the animation"
                return found, f"{bodies}#{user.bodies[place]}", reason
    return None


def bodies_beside(path: str | Path, file3d: str = "") -> Path | None:
    """BODY.HQR beside an archive, or else beside the entities."""
    return find_beside(path, "BODY.HQR") or (find_beside(address.split(file3d)[0], "BODY.HQR") if file3d else None)


def _neighbour_body(path: Path, entry: int) -> tuple[Document, str, str] | None:
    """The last body before the entry in the same archive, or the first one after it."""
    with reading(str(path)):
        bodies = _bodies_in(path, _changed(path))
    before = bisect_left(bodies, entry)
    index = bodies[before - 1] if before else bodies[0] if bodies else None
    found = None if index is None else _body_entry(path, index)
    return None if found is None else (found, f"{path}#{index}", "the nearest body in the same archive")


def _loose_body(path: Path, bone_count: int) -> tuple[Document, str, str] | None:
    """The .lm1 or .lm2 of the same name, or else the only one in the folder that has as many groups."""
    for suffix in _SUFFIXES:
        same_name = find_beside(path, f"{path.stem}{suffix}")
        if same_name is not None and (document := _loose_document(same_name)) is not None:
            return document, str(same_name), "it has the animation's name"
    fitting = [
        (document, str(other), "the only body in the folder with as many groups as the animation has bones")
        for other in sorted(path.parent.glob("*.[lL][mM][12]"))
        if (document := _loose_document(other)) is not None and Body.of(document).group_count == bone_count
    ]
    if len(fitting) > 1:
        log.warning(f"{len(fitting)} bodies in the folder fit: none is taken")
    return fitting[0] if len(fitting) == 1 else None


def _loose_document(path: Path) -> Document | None:
    try:
        with reading(str(path)):
            data = read_file(path)
            return Lm2.parse(data) if path.suffix.lower() == ".lm2" else Lm1.parse(data)
    except FormatError as error:
        log.warning(f"a body that cannot be used: {error}")
        return None


def _body_entry(path: Path, index: int) -> Document | None:
    """The entry as a body; None where it is something else or cannot be read."""
    try:
        return _document(path, _changed(path), index)
    except FormatError:
        return None


@lru_cache(maxsize=32)
def _document(path: Path, changed: int, index: int) -> Document | None:
    data = _open_archive(path).read(index)
    if lm1.is_lm2(data[:96]):
        return Lm2.parse(data)
    # An animation has its size written all over it; as a body without groups almost anything could be read.
    is_body = looks_like_lm1(data, len(data)) and not anm.recognise(data, len(data))
    return Lm1.parse(data) if is_body else None


@lru_cache(maxsize=4)
def _bodies_in(path: Path, changed: int) -> list[int]:
    """The entries that are bodies. Many animations ask, so they are looked for once."""
    archive = _open_archive(path)
    return [index for index in range(len(archive)) if not archive.blank(index) and _body_entry(path, index) is not None]


def looks_like_lm1(head: bytes, size: int) -> bool:
    """As `lm1.recognise`, and there are points: a picture that starts black looks like a body without."""
    points_at = lm1.INFO_AT + int.from_bytes(head[14:16], "little")
    return lm1.recognise(head, size) and any(head[points_at : points_at + 2])


def _changed(path: Path) -> int:
    """When the file was written last, so that a new one is read again. Raises FormatError."""
    try:
        return path.stat().st_mtime_ns
    except OSError as error:
        raise FormatError(error.strerror or str(error)) from error


def _open_archive(path: Path) -> Hqr:
    with reading(str(path)):
        return _archive(path, _changed(path))


@lru_cache(maxsize=8)
def _archive(path: Path, changed: int) -> Hqr:
    return Hqr.parse(read_file(path))


@lru_cache(maxsize=4)
def _has_table(path: Path, changed: int) -> bool:
    try:
        found = characters.of_archive(str(path), _archive(path, changed))
    except (OSError, FormatError):
        return False
    return found is not None and isinstance(found.table, EntityTable)


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
