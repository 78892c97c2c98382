"""What an armature keeps of the body that it came from, so that an export finds it again."""

from __future__ import annotations

import json

import bpy

from ....core.oni.body.body import Body
from ....core.oni.body.closure import own_file
from ....core.oni.files.onifile import OniFile
from ....core.reporting import log
from ....core.reporting.errors import FormatError
from ...blender import armature, fields, source_data

KIND = "oni-body"
"""The kind of the source data of a body."""

DETAIL, SHOWN = "oni_detail", "oni_shown"
"""Custom properties of an armature: the level of detail that came in; the names of its bones' textures then, as JSON."""

OWN = "oni_own"
"""Custom property of an armature that somebody made a body of; it has no file until it is saved."""


def keep(block: bpy.types.Armature, body: Body, detail: int) -> None:
    """Let an armature remember the body that it came from."""
    if body.root is None:
        return
    alone = body.root.index == 0 and isinstance(body.root.file, OniFile)
    entry = source_data.LOOSE if alone else body.root.index
    try:
        data = own_file(body.root).pack()
    except FormatError as error:
        log.warning(f"an export cannot keep what else is in its file, which is damaged: {error}")
        return
    source_data.keep(block, body.root.path, entry, KIND, data)
    block[DETAIL] = detail
    names = [piece.texture if piece is not None else "" for piece in body.pieces]
    if tuple(names) != body.textures:
        block[SHOWN] = json.dumps(names)


def original_of(obj: bpy.types.Object) -> OniFile | None:
    """The file that an armature's body came from, or one of it alone where that was a level."""
    block = armature.data_of(obj)
    data = source_data.kept(block, KIND)
    if data is None:
        return None
    with log.collect():
        return OniFile.parse(data)


def shown_of(block: bpy.types.Armature) -> list[str]:
    """By which names the bones had their textures when they came in, where these are not those of the body's file."""
    return list(map(str, fields.listed(block.get(SHOWN))))
