"""What belongs to an animation and lies beside it: its body, the palette and the textures.

These are used where the options name no others. Every choice is reported in the log.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import lru_cache
from pathlib import Path

from ...declare.naming import called
from ...declare.options import declared
from ...files import address
from ...files.disk.disk import read_file
from ...files.letter_case import find_beside
from ...reporting import log
from ...reporting.errors import FormatError, reading
from ...reporting.labels import counted
from ..body.body import Body
from ..files.palette import Palette
from ..files.texture import TexturePage
from ..game import ImportOptions
from .opened import Document, body_entry, body_file, changed_at, open_archive
from .users import users_of
from .which_game import SUFFIXES

PALETTE_ENTRY, PAGE_ENTRY = 0, 6
"""In RESS.HQR; the texture page in that of LBA2."""


def body_for(path: str | Path, entry: int | None, bone_count: int, file3d: str = "", which: int = 0) -> tuple[Body, str, str]:
    """The body to show an animation on, its address ('' for a plain one of ours), and why it is this one.

    path, entry: the animation's file, or its archive and entry. bone_count: of the animation. file3d: the entities, if not those beside
    the archive. which: of the bodies of an entity, counted from 0; the first where it has not so many.
    """
    if entry is None:
        body = _loose_body(Path(path), bone_count)
    else:
        body = _entity_body(Path(path), entry, file3d, which) or _neighbour_body(Path(path), entry)
    if body is None:
        bodies = bodies_beside(path, file3d)
        unused = f"which body of {bodies.name} it is for is not known" if bodies is not None and entry is None else "no character uses it"
        reason = "no body lies beside it" if bodies is None else unused
        log.warning(
            f"{reason}: a plain armature of {counted(bone_count, 'bone')}; "
            f"name its body as {called(declared(ImportOptions)['skeleton'])}, such as {bodies or 'BODY.HQR'}#0"
        )
        return Body.plain(bone_count), "", reason
    document, where, reason = body
    log.info(f"body {where}: {reason}")
    return Body.of(document), where, reason


def palette_beside(path: str | Path) -> tuple[Palette, str]:
    """The palette of the RESS.HQR in the folder of `path`, as `palette_of`."""
    source = _ress_beside(path)
    if source is None:
        log.warning("no RESS.HQR with the game's palette lies beside it: plain colours")
        return Palette.plain(), ""
    return palette_of(source)


def palette_of(source: str | Path) -> tuple[Palette, str]:
    """The palette and its address: of a file, a loose palette or an archive, else a plain one of ours and ''."""
    source = Path(source)
    try:
        with reading(str(source)):
            palette, where = _palette(source, changed_at(source))
    except FormatError as error:
        log.warning(f"plain colours: {error}")
        return Palette.plain(), ""
    log.info(f"palette {where}")
    return palette, where


def page_for(path: str | Path) -> TexturePage:
    """The texture page of LBA2 in the RESS.HQR in the folder of `path`, else a plain one of ours."""
    source = _ress_beside(path)
    if source is None:
        log.warning("no RESS.HQR with the game's textures lies beside it: plain squares")
        return TexturePage.plain()
    try:
        with reading(str(source)):
            return _page(source, changed_at(source))
    except FormatError as error:
        log.warning(f"plain squares instead of textures: {error}")
        return TexturePage.plain()


def _ress_beside(path: str | Path) -> Path | None:
    """The RESS.HQR in the folder of a file or an entry."""
    return find_beside(address.split(str(path))[0], "RESS.HQR") if str(path) else None


def _entity_body(path: Path, entry: int, file3d: str, which: int) -> tuple[Document, str, str] | None:
    """A body of the first entity that uses entry `entry` of ANIM.HQR."""
    for user in users_of(path, entry, file3d):
        bodies = bodies_beside(path, file3d)
        if bodies is None:
            return None
        if user.bodies:
            number = which if which < len(user.bodies) else 0
            body = body_entry(bodies, user.bodies[number])
            if body is not None:
                reason = f"body {number} of entity {user.entity}, which uses the animation"
                return body, f"{bodies}#{user.bodies[number]}", reason
    return None


def bodies_beside(path: str | Path, file3d: str) -> Path | None:
    """BODY.HQR beside an archive, or else beside the entities."""
    return find_beside(path, "BODY.HQR") or (find_beside(address.split(file3d)[0], "BODY.HQR") if file3d else None)


def _neighbour_body(path: Path, entry: int) -> tuple[Document, str, str] | None:
    """The last body before the entry in the same archive, or the first one after it."""
    with reading(str(path)):
        bodies = _bodies_in(path, changed_at(path))
    before = bisect_left(bodies, entry)
    index = bodies[before - 1] if before else bodies[0] if bodies else None
    body = None if index is None else body_entry(path, index)
    return None if body is None else (body, f"{path}#{index}", "the nearest body in the same archive")


def _loose_body(path: Path, bone_count: int) -> tuple[Document, str, str] | None:
    """The .lm1 or .lm2 of the same name, or else the only one in the folder that has as many groups."""
    for suffix in SUFFIXES:
        same_name = find_beside(path, f"{path.stem}{suffix}")
        if same_name is not None and (document := body_file(same_name)) is not None:
            return document, str(same_name), "it has the animation's name"
    fitting = [
        (document, str(other), "the only body in the folder with as many groups as the animation has bones")
        for other in sorted(path.parent.glob("*.[lL][mM][12]"))
        if (document := body_file(other)) is not None and Body.of(document).group_count == bone_count
    ]
    if len(fitting) > 1:
        log.warning(f"{len(fitting)} bodies in the folder fit: none is taken")
    return fitting[0] if len(fitting) == 1 else None


@lru_cache(maxsize=4)
def _bodies_in(path: Path, changed: int) -> list[int]:  # noqa: ARG001 - a part of the cache's key
    """The entries that are bodies. Many animations ask, so they are looked for once."""
    archive = open_archive(path)
    return [index for index in range(len(archive)) if not archive.blank(index) and body_entry(path, index) is not None]


@lru_cache(maxsize=4)
def _page(path: Path, changed: int) -> TexturePage:  # noqa: ARG001 - a part of the cache's key
    """The texture page of an archive, which all characters of a game share."""
    with reading(f"{path}#{PAGE_ENTRY}"):
        return TexturePage.parse(open_archive(path).read(PAGE_ENTRY))


@lru_cache(maxsize=4)
def _palette(path: Path, changed: int) -> tuple[Palette, str]:  # noqa: ARG001 - a part of the cache's key
    """The palette of a loose file or of an archive, and its address."""
    with reading(str(path)):
        if path.suffix.lower() != ".hqr":
            return Palette.parse(read_file(path)), str(path)
        return Palette.parse(open_archive(path).read(PALETTE_ENTRY)), f"{path}#{PALETTE_ENTRY}"
