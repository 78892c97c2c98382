"""A character's body out of ONCC, TRBS or TRCM records [CharacterClass.cs, GeometryDatReader.cs]."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import zip_longest

import numpy as np
from numpy.typing import NDArray

from ...reporting import log
from ...reporting.errors import FormatError, reading
from ...surface.holdable import LARGEST
from ..files.library import Instance, Library
from ..files.onifile import OniFile
from .body import HIGHEST, MOST_BONES, Body
from .geometry import Piece, read_piece
from .textures.body_textures import images_of
from .textures.texture_list import BODY_LINK, list_of

MOST_TRIANGLES = 1_000_000
"""Of a body; the game's have some thousand."""


def read_body(address: str, detail: int = HIGHEST, library: Library | None = None) -> Body:
    """The body that FILE#ENTRY means: a .oni with an ONCC, TRBS or TRCM, or such an instance of a .oni or a level.

    detail: 0 to 4; where a body does not have that level, the next lower one, else the lowest. Raises FormatError naming file and offset.
    """
    files = library or Library()
    return body_of(files.at(address), detail, files)


def body_of(instance: Instance, detail: int, library: Library, pictures: bool = True) -> Body:
    """As `read_body`, of an ONCC, TRBS or TRCM. pictures: whether its textures are looked for."""
    result, skins = instance, None
    if result.tag == "ONCC":
        listed = list_of(result, library)
        skins = listed.textures if listed is not None else ()
        result = _linked(result, BODY_LINK, "TRBS", library)
    root, name = result, result.name
    if result.tag == "TRBS":
        result = _of_detail(result, detail, library)
    parents, offsets, pieces = _skeleton(result, library)
    own = tuple(piece.texture if piece is not None else "" for piece in pieces)
    if skins is not None:  # the character's own textures come before those of the meshes
        textures = [skin or texture for skin, texture in zip_longest(skins[: len(own)], own, fillvalue="")]
        pieces = [piece and replace(piece, texture=texture) for piece, texture in zip(pieces, textures, strict=True)]
    images = images_of([piece.texture for piece in pieces if piece is not None and pictures], result, library)
    return Body(name or result.name, _address(instance), parents, offsets, pieces, images, root, own)


def _skeleton(trcm: Instance, library: Library) -> tuple[NDArray[np.int32], NDArray[np.float64], list[Piece | None]]:
    """(B,) parents, (B, 3) offsets of joints from them, and each bone's mesh."""
    head = trcm.record("TRCM").head
    bones = int(head["bone_count"])

    def part(field: str, tag: str) -> Instance:
        other = library.follow(trcm, int(head[field]))
        if other is None:
            raise FormatError(f"a TRCM without its {tag}", trcm.start, trcm.path)
        return other

    offsets, hierarchy, meshes = part("offsets", "TRTA"), part("hierarchy", "TRIA"), part("meshes", "TRGA")
    rows, tree, links = offsets.record("TRTA").items, hierarchy.record("TRIA").items, meshes.record("TRGA").items
    assert rows is not None and tree is not None and links is not None
    if not len(rows) == len(tree) == len(links) == bones or not 0 < bones <= MOST_BONES:
        problem = f"a skeleton of {bones} bones with {len(rows)} offsets, {len(tree)} links of its hierarchy and {len(links)} meshes"
        raise FormatError(problem, trcm.start, trcm.path)
    if not (np.abs(rows) <= LARGEST).all():
        raise FormatError("offsets of bones that are no numbers, or out of all reach", offsets.start, offsets.path)
    with reading(hierarchy.path):
        parents = parents_of(tree["child"].tolist(), tree["sibling"].tolist(), hierarchy.start)
    away = rows.astype(np.float64)
    away[0] = 0
    return parents, away, _pieces(meshes, links.tolist(), library)


@dataclass(frozen=True, eq=False)
class Original:
    """A body's file, and which of its levels of detail is meant."""

    file: OniFile
    detail: int = HIGHEST

    @cached_property
    def body(self) -> Body:
        """As the file has it, without the pictures."""
        return body_of(Instance(self.file, "", 0), self.detail, Library(), pictures=False)


def parents_of(child: Sequence[int], sibling: Sequence[int], at: int | None = None) -> NDArray[np.int32]:
    """(B,) parents by walking from bone 0 to the first children and next siblings, 0 for none; the parents in the file mean nothing.

    Raises FormatError for a cycle, a bone that is not reached, and one that comes before its parent.
    """
    count = len(child)
    parents = np.full(count, -2, np.int32)
    ahead = [(0, -1)]
    while ahead:
        bone, parent = ahead.pop()
        if bone >= count:
            raise FormatError(f"the hierarchy leads to bone {bone} of {count}", at)
        if parents[bone] != -2:
            raise FormatError(f"the hierarchy comes to bone {bone} twice", at)
        if parent >= bone or (parent < 0 and bone):
            raise FormatError(f"bone {bone} stands before its parent", at)
        parents[bone] = parent
        ahead += [(other, above) for other, above in ((sibling[bone], parent), (child[bone], bone)) if other]
    if (parents == -2).any():
        raise FormatError(f"bone {int(np.argmax(parents == -2))} is not in the hierarchy", at)
    return parents


def _of_detail(instance: Instance, detail: int, library: Library) -> Instance:
    links = instance.record("TRBS").head["levels"].tolist()
    for level in (*range(min(max(detail, 0), HIGHEST), -1, -1), *range(HIGHEST + 1)):
        result = library.follow(instance, links[level])
        if result is not None:
            if level != detail:
                log.warning(f"{instance.name or 'the body'} has no level of detail {detail}; {level} is taken")
            return result
    raise FormatError("a body without any level of detail", instance.start, instance.path)


def _linked(instance: Instance, at: int, tag: str, library: Library) -> Instance:
    """What the link at offset `at` of a record means."""
    body = instance.body()
    if len(body) < at + 4:
        raise FormatError(f"{instance.tag} record of {len(body)} bytes has no link at 0x{at:X}", instance.start, instance.path)
    link = int.from_bytes(body[at : at + 4], "little")
    result = library.follow(instance, link)
    if result is None:
        missing = library.name_of(instance, link)
        raise FormatError(
            f"its {tag} {missing or 'is missing'}{' is in no file beside it' if missing else ''}", instance.start, instance.path
        )
    return result


def _pieces(meshes: Instance, links: list[int], library: Library) -> list[Piece | None]:
    known: dict[int, Piece | None] = {0: None}
    for link in dict.fromkeys(links):
        result = library.follow(meshes, link)
        known[link] = None if result is None else read_piece(result, library)
        if result is None and link:
            log.warning(f"the mesh {library.name_of(meshes, link)} is in no file beside; its bone has none")
    pieces = [known[link] for link in links]
    total = sum(len(piece.triangles) + len(piece.points) for piece in pieces if piece is not None)
    if total > MOST_TRIANGLES:
        raise FormatError(f"a body of {total} points and triangles", meshes.start, meshes.path)
    return pieces


def _address(instance: Instance) -> str:
    return (
        instance.path
        if instance.index == 0 and instance.path.lower().endswith(".oni")
        else f"{instance.path}#{instance.name or instance.index}"
    )
