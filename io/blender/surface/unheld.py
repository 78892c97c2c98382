"""What of an edited mesh no file of its game holds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

import bpy

from ....core.declare.game import Game
from ....core.reporting import log
from ....core.reporting.labels import first_few
from .. import identity
from . import as_objects, edited
from .materials import images, plain_colour
from .materials.images import image_of, is_painted
from .skinned import mesh_of, used_slots

_SAID: dict[edited.MeshPart, str] = {
    "uvs": "texture coordinates were edited or added, and the game has none without a picture: give its materials one, or delete the UV "
    "map",
    "further uvs": "a further UV map was edited, and the game draws by one alone: delete it, or where it is meant tick its camera (Active "
    "Render), and delete the other",
    "colours": "a colour attribute was edited or added, and the game has none: give the faces materials instead, or delete the attribute",
    "plain colours": "a material's colour was edited, and the game draws what has no picture without a texture: give it a picture",
}


Edit: TypeAlias = edited.MeshPart | as_objects.ObjectPart | Literal["pictures"]


def report(obj: bpy.types.Object, meshes: Sequence[bpy.types.Object]) -> dict[bpy.types.Object, set[Edit]]:
    """Say what was edited of the meshes of an armature and the game does not hold; returns what it holds, of those of which it does."""
    game, held = identity.game_of(obj), dict[bpy.types.Object, set[Edit]]()
    for mesh in meshes:
        data = mesh_of(mesh)
        edits = edited.edited_parts(data)
        if len(data.uv_layers) < 2 and game is not None and game.uv_maps < 2:
            edits.discard("further uvs")  # which no file had
        missing = {part for part in edits if game is not None and not _holds(game, data, part)}
        with log.about(mesh.name):
            for part, text in _SAID.items():
                if part in missing:
                    log.warning(text)
        parts: set[Edit] = {*(edits - missing), *as_objects.edited_parts(obj, mesh)}
        if game is not None and not game.pictures and any(map(is_painted, _pictures([mesh]))):
            parts.add("pictures")
        if parts:
            held[mesh] = parts
    if game is not None and game.pictures:
        _report_painted(meshes, game.pictures)
    return held


def remember_pictures(obj: bpy.types.Object | None, meshes: Sequence[bpy.types.Object]) -> None:
    """That the pictures of meshes on an armature are as a file has them, of a game that writes them with these."""
    game = identity.game_of(obj) if obj is not None else None
    if game is not None and not game.pictures:
        for image in _pictures(meshes):
            images.remember(image)


def _report_painted(meshes: Sequence[bpy.types.Object], remedy: str) -> None:
    """Say which pictures that the file does not hold were painted on."""
    if painted := sorted(image.name for image in _pictures(meshes) if is_painted(image)):
        log.warning(f"{first_few(painted, 2)} {'was' if len(painted) == 1 else 'were'} painted on, and {remedy}")


def report_on_objects(obj: bpy.types.Object, meshes: Sequence[bpy.types.Object]) -> None:
    """Say of the meshes of a body that they have plain colours by materials of the objects, of which the game has none."""
    game = identity.game_of(obj)
    for mesh in meshes if game is not None and not game.plain_colours else ():
        if _is_plain_on_object(mesh):
            with log.about(mesh.name):
                log.warning(_SAID["plain colours"])


def _is_plain_on_object(mesh: bpy.types.Object) -> bool:
    """Whether faces have a plain colour by a material of the object, and another one, or none, by that of the mesh."""
    data, colours = mesh_of(mesh), plain_colour.shown
    used = used_slots(data)
    slots: Any = [(slot, data.materials[index]) for index, slot in enumerate(mesh.material_slots) if index in used]
    pairs = [(slot.material, below) for slot, below in slots if slot.link == "OBJECT" and slot.material is not None]
    plain = [(own, below) for own, below in pairs if own != below and plain_colour.is_plain(own)]
    return any(not plain_colour.is_plain(below) or colours(own) != colours(below) for own, below in plain)


def _pictures(meshes: Sequence[bpy.types.Object]) -> set[bpy.types.Image]:
    used = {material for mesh in meshes for material in edited.used_materials(mesh_of(mesh)) if material is not None}
    return {image for material in used if (image := image_of(material)) is not None}


def _holds(game: Game, data: bpy.types.Mesh, part: edited.MeshPart) -> bool:
    if part == "further uvs":
        return game.uv_maps > 1
    if part == "uvs":
        return game.uvs_alone or any(material is not None and image_of(material) is not None for material in data.materials)
    return {"colours": game.corner_colours, "plain colours": game.plain_colours, "settings": game.material_settings}.get(part, True)
