"""What somebody did to meshes that no file of an export holds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import bpy

from ....core.declare.options import declared
from ....core.reporting import log
from ....core.reporting.labels import first_few
from ...blender import identity
from ...blender.surface import as_objects, moved, skinning, unheld
from ...blender.surface.skinned import astray, mesh_of, meshes_of
from ..changes import Item
from ..destination import targets, writing
from ..destination.writing import Output
from ..fidelity import skins

Key = tuple[str, int]


def report(context: bpy.types.Context, objects: Iterable[bpy.types.Object], outputs: Iterable[Output], *, gone: bool) -> None:
    """Say which meshes of armatures move by themselves, or are not as a file has them and would be written otherwise; once each. gone:
    those that are on them no more, too."""
    context.view_layer.update()
    going = _going(outputs)
    written = going.keys()
    named = as_objects.by_names()
    for obj in dict.fromkeys(objects):
        game = identity.game_of(obj)
        hanging = game is None or game.hanging_meshes
        present = [mesh for mesh in meshes_of(context, obj) if hanging or mesh.find_armature() == obj]
        meshes = [mesh for mesh in present if written.isdisjoint((mesh, mesh.data))]  # of the others their export says it
        if game is not None and game.single_mesh:
            beside = _report_beside(sorted(present, key=lambda mesh: mesh != context.view_layer.objects.active), going)
            meshes = [mesh for mesh in meshes if mesh not in beside]
        moving = {mesh: movers for mesh in meshes if (movers := moved.moved_by(mesh))}
        _report_moving(obj, moving)
        changing = {mesh: changed for mesh in meshes if (changed := moved.changed_by(mesh))}
        _report_changing(changing)
        _report_hidden([mesh.name for mesh in meshes if moved.is_shown_and_hidden(mesh)])
        edits = unheld.report(obj, meshes)
        for mesh in moving:
            edits.get(mesh, set[unheld.Edit]()).discard("matrix")
        for mesh in changing:
            edits.get(mesh, set[unheld.Edit]()).discard("modifiers")
        added = set(as_objects.added(obj, present))
        for mesh in meshes:
            if mesh not in added and skinning.modifiers_of(mesh) and (groups := astray(mesh, obj)):
                _report_astray(obj, mesh, groups)
        _report_edited(obj, edits, [mesh for mesh in meshes if mesh in added], joined=len(present) > 1)
        if gone:
            _report_gone(obj, as_objects.gone(obj, named, hanging=hanging), bool(present))


def report_weights(context: bpy.types.Context, items: Iterable[Item], outputs: Iterable[Output]) -> None:
    """Say which meshes are seen to follow the bones of clips by other weights than the game's."""
    written = _going(outputs).keys()  # of which their export says it
    skins.report(context, items, lambda obj, mesh: skinning.of_weights(obj, mesh) if written.isdisjoint((mesh, mesh.data)) else ())


def _report_beside(meshes: Sequence[bpy.types.Object], going: Mapping[bpy.types.ID, Key]) -> set[bpy.types.Object]:
    """Say which other meshes on an armature a game whose bodies are one mesh will not show, and give them: those that have no file but the
    one that a body goes to. meshes: of those that share their data the body comes first."""
    result: set[bpy.types.Object] = set()
    for body in meshes:
        into = None if body.data is None or body in result else going.get(body.data)
        if beside := [mesh for mesh in meshes if into is not None and mesh != body and _file_of(mesh) in (None, into)]:
            names, one = first_few([mesh.name for mesh in beside], 3), "it" if len(beside) == 1 else "them"
            why = f"a body of the game is one mesh, which is {body.name} here"
            log.warning(f"{names}: left out, since {why}: join {one} with that (Ctrl J), or delete {one}")
            result.update(beside)
    return result


def _file_of(mesh: bpy.types.Object) -> Key | None:
    data = mesh_of(mesh)
    path = targets.home(data)
    return writing.key_of(path, targets.entry_for(data, path)) if path else None


def _going(outputs: Iterable[Output]) -> dict[bpy.types.ID, Key]:
    """By the data of the meshes that have files of their own, or where several share it the objects, where each goes."""
    return {output.block: output.key for output in outputs if isinstance(output.block, bpy.types.Mesh | bpy.types.Object)}


def _report_moving(obj: bpy.types.Object, moving: Mapping[bpy.types.Object, Sequence[moved.Mover]]) -> None:
    """As where somebody has posed and keyed in Object Mode what was to be a bone. moving: what moves each mesh."""
    for what, names in _alike(moving):
        have = f"has {what} of its own as an object" if len(names) == 1 else f"have {what} of their own as objects"
        log.warning(
            f"{first_few(names, 3)} {have}, which no file of the game holds: delete them, and move the bones of {obj.name} in Pose Mode "
            "instead"
        )


def _alike(by_mesh: Mapping[bpy.types.Object, Sequence[str]]) -> Iterator[tuple[str, list[str]]]:
    """What is said of meshes, and the names of those of which the same is."""
    for said in dict.fromkeys(map(tuple, by_mesh.values())):
        yield " and ".join(said), [mesh.name for mesh, own in by_mesh.items() if tuple(own) == said]


def _report_changing(changing: Mapping[bpy.types.Object, Sequence[str]]) -> None:
    """As where a face is animated by shape keys. changing: what makes another shape of each mesh."""
    for what, names in _alike(changing):
        one = len(names) == 1
        log.warning(
            f"{first_few(names, 3)} {'changes' if one else 'change'} from frame to frame by {what}, which no file of the game "
            f"holds: remove that, and let bones move {'it' if one else 'them'} instead"
        )


def _report_hidden(names: Sequence[str]) -> None:
    """names: of meshes that keys or drivers show and hide."""
    if names:
        have, them = ("has", "it") if len(names) == 1 else ("have", "them")
        log.warning(
            f"{first_few(names, 3)} {have} keys or drivers of visibility, which no file of the game holds: the game shows {them} all the "
            "time, and without these so does Blender"
        )


def _report_astray(obj: bpy.types.Object, mesh: bpy.types.Object, groups: Sequence[str]) -> None:
    """As where a vertex group was renamed, or its bone deleted."""
    with log.about(mesh.name):
        log.warning(
            f"no bone of {obj.name} is called as its vertex group {first_few(groups)}, whose vertices none of them moves in Blender, and "
            "the game moves: give that the name of its bone"
        )


def _report_edited(
    obj: bpy.types.Object, edits: Mapping[bpy.types.Object, set[unheld.Edit]], added: Sequence[bpy.types.Object], *, joined: bool
) -> None:
    """Say which meshes are not as the game's files have them. edits: what was edited of each. added: those that no file has. joined: there
    are more than one, which a game whose bodies are one mesh needs joined."""
    names = list(dict.fromkeys(mesh.name for mesh in (*(mesh for mesh, parts in edits.items() if parts), *added)))
    if not names:
        return
    how = f"{'was' if len(names) == 1 else 'were'} {'edited or added' if added else 'edited'}"
    game = identity.game_of(obj)
    first = "join what was added with the character's mesh (Ctrl J): then " if added and joined and game and game.single_mesh else ""
    log.warning(
        f"{first_few(names, 3)} {how}, which is not in what is exported here: {first}Save Character"
        f"{_option(obj, set[unheld.Edit]().union(*edits.values()))}, or an export of the body or the mesh, writes that"
    )


def _report_gone(obj: bpy.types.Object, gone: Mapping[str, bpy.types.Object | None], others: bool) -> None:
    """Say which meshes the game goes on showing, although the armature moves them no more. others: whether it moves any. Without any,
    beside an armature that moves them all, it is a copy without meshes, of which nothing is to be saved."""
    names, movers = list(gone), {each.name for each in gone.values() if each is not None}
    if names and not others and None not in gone.values():
        log.warning(
            f"{obj.name} moves no mesh, and those that came in are on {', '.join(sorted(movers))}: export the clips of that, or duplicate "
            "the meshes along with the armature, to see what moves"
        )
    elif names:
        one, they = ("it", "it") if len(names) == 1 else ("them", "they")
        log.warning(
            f"{first_few(names, 3)} came with {obj.name}, which does not move {one} any more, and the game's file still has {one}: bring "
            f"{one} back, or Save Character, which takes {one} out of the file, writes what {they} became part of, or says what to do"
        )


def _option(obj: bpy.types.Object, edits: set[unheld.Edit]) -> str:
    """With what else than its defaults the character is saved, so that all of this is written."""
    game = identity.game_of(obj)
    if game is None or not edits & {"shading", "normals"}:
        return ""
    item = declared(game.core("game").SaveOptions)["normals"]
    return f", with {item.label}: {next(choice.label for choice in item.choices if choice.id == 'NEW')}"
