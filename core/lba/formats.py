"""The files of Little Big Adventure 1 and 2, for the registry: how to recognise them, and what to report about them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from ..files import address
from ..files.binary import Bytes
from ..files.format import Format, Kind, never
from ..files.registry import Registry
from ..reporting.errors import FormatError
from .characters.opened import looks_like_lm1
from .files import anm, entity_table, file3d, lm2, palette
from .files.anm import Anm, guess_game
from .files.archive import hqr_table
from .files.archive.hqr import Hqr
from .files.archive.hqr_table import METHODS
from .files.entity_table import EntityTable
from .files.file3d import Entity
from .files.lm1 import Lm1
from .files.lm2 import Lm2
from .files.palette import Palette
from .files.variant import Variant
from .game import ARCHIVES

Facts = dict[str, Any]

MOST_SHARED = 100
"""Entries that are listed as the same as one; of more there is the number."""


def anm_facts(document: Anm, game: Variant, why: str) -> Facts:
    """What `info` reports about an animation of `game`. duration: seconds from the first to the last keyframe; loop: a keyframe or None."""
    count, bones = len(document.frames), document.bone_count
    return {
        "game": game.name,
        "game_because": why,
        "bones": bones,
        "frames": count,
        "keys": count * bones,
        "duration": round(int(document.times[-1]) / game.rate, 6),
        "loop": document.loop_frame if document.loops else None,
    }


def _describe_anm(document: Anm) -> Facts:
    return anm_facts(document, *guess_game(document))


def _located_anm(document: Anm, where: str, wanted: str) -> Facts:
    """With what lies beside the file, and the game that was asked for."""
    from .characters import which_game  # here, as in the other games: what only some files need takes its time to load

    game, why = which_game.game_of(document, address.split(where)[0], wanted=wanted)
    document.check(game)
    return anm_facts(document, game, why)


def _named(kind: str) -> Callable[[str], bool]:
    """Whether an archive is the game's own of this kind, by its name. ANIM3DS.HQR of LBA2 is something else."""
    pattern = re.compile(kind + r"(?![a-z]|\d+[a-z]).*\.hqr")
    return lambda archive_name: pattern.match(archive_name.lower()) is not None


def _describe_lm1(document: Lm1) -> Facts:
    return {
        "game": "lba1",
        "bones": 1 if document.groups is None else len(document.groups),
        "points": len(document.points),
        "normals": len(document.normals),
        "polygons": len(document.polygons),
        "lines": len(document.lines),
        "spheres": len(document.spheres),
        "box": document.box.tolist(),
    }


def _describe_lm2(document: Lm2) -> Facts:
    return {
        "game": "lba2",
        "bones": max(1, len(document.groups)),
        "points": len(document.points),
        "normals": len(document.normals) + len(document.face_normals),
        "polygons": int(document.runs["count"].sum(dtype="i8")),
        "lines": len(document.lines),
        "spheres": len(document.spheres),
        "textures": len(document.textures),
        "box": document.box.tolist(),
    }


def _describe_hqr(document: Hqr) -> Facts:
    return {"entries": len(document), "blank": sum(document.blank(index) for index in range(len(document)))}


def _describe_entity(document: Entity) -> Facts:
    return {"game": "lba2" if document.wide else "lba1", **_entity_facts(document)}


def _entity_facts(entity: Entity) -> Facts:
    """events: what the game does during animations, as "ANIMATION: KEYFRAME WHAT, NUMBERS". unread: actions that nothing is known of."""
    events = [f"{animation}: {action.text}" for animation in entity.animations for action in entity.actions_of(animation)]
    facts: Facts = {"bodies": list(entity.bodies), "animations": list(entity.animations), "events": events}
    return {**facts, "unread": entity.unread} if entity.unread else facts


def _describe_entities(document: EntityTable) -> Facts:
    present = [index for index in range(len(document)) if not document.blank(index)]
    characters: list[Facts] = [{"path": f"entity {index}", **_entity_facts(document.entity(index))} for index in present]
    events = sum(len(character["events"]) for character in characters)
    return {"game": "lba2", "entities": len(document), "blank": len(document) - len(present), "events": events, "contents": characters}


def _describe_palette(document: Palette) -> Facts:
    return {"colours": len(document.colours)}


def entry_facts(archive: Hqr, index: int) -> Facts:
    """How an entry is stored. Raises FormatError as `Hqr.entry`."""
    entry, slots = archive.entry(index), archive.showing(index)
    shared = [slot for slot in slots[: MOST_SHARED + 1] if slot != index]
    return {
        "size": entry.real_size,
        "packed_size": entry.packed_size,
        "method": METHODS[entry.method],
        "shared_with": shared[:MOST_SHARED],
        **({"shared_by": len(slots)} if len(slots) > MOST_SHARED + 1 else {}),
    }


def _called(path: str, archive: Hqr, kinds: Mapping[int, Kind], names: str) -> dict[int, str]:
    from .called import entry_names  # which knows the characters, and is loaded when somebody asks

    return entry_names(path, archive, kinds, names)


def _listed(path: str, archive: Hqr, wanted: str) -> tuple[Format, Entity, Bytes] | None:
    """One of the characters of the table that is an entry of LBA2's RESS.HQR."""
    from .called import entry_names
    from .characters.characters import of_archive

    own = None if re.fullmatch(r"[\d\s,-]*", wanted) else of_archive(path, archive)
    if own is None or not isinstance(own.table, EntityTable):
        return None
    try:
        chosen = address.select(wanted, len(own), {index: name for index in range(len(own)) if (name := own.name(index))})
    except address.UnknownEntryError as error:
        if any(entry_names(path, archive, {}).values()):
            return None
        raise FormatError(str(error), path=path) from error
    if len(chosen) != 1:
        raise FormatError(f"{wanted} means {len(chosen)} characters, not one", path=path)
    return LISTED, own.table.entity(chosen[0]), own.table.stored(chosen[0])


ANM = Format(
    "ANM",
    "LBA animation",
    "lba",
    "animation",
    (".anm",),
    anm.recognise,
    Anm.parse,
    _describe_anm,
    located=_located_anm,
    expected=_named("anim"),
)
LM1 = Format("LM1", "LBA1 body", "lba", "body", (".lm1",), looks_like_lm1, Lm1.parse, _describe_lm1, expected=_named("body"))
LM2 = Format("LM2", "LBA2 body", "lba", "body", (".lm2",), lm2.recognise, Lm2.parse, _describe_lm2)
ENTITY = Format("FILE3D", "LBA1 entity", "lba", "entity", (), file3d.recognise, Entity.parse, _describe_entity, expected=_named("file3d"))
LISTED = Format("ENTITY", "LBA2 entity", "lba", "entity", (), never, partial(Entity.parse, wide=True), _describe_entity)
"""One of an entity table."""
ENTITIES = Format("ENTITIES", "LBA2 entity table", "lba", "entity", (), entity_table.recognise, EntityTable.parse, _describe_entities)
PALETTE = Format("PAL", "LBA palette", "lba", "palette", (".pal",), palette.recognise, Palette.parse, _describe_palette)
HQR = Format(
    "HQR",
    "LBA archive",
    "lba",
    "archive",
    ARCHIVES,
    hqr_table.recognise,
    Hqr.parse,
    _describe_hqr,
    entry_facts=entry_facts,
    stored=Hqr.stored,
    called=_called,
    listed=_listed,
)

FORMATS = (ANM, LM2, PALETTE, ENTITIES, LM1, ENTITY, HQR)

REGISTRY = Registry(lambda: FORMATS)
"""These formats alone, for entries that the game itself names."""
"""In the order in which contents are tried: the most certain first."""
