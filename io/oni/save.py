"""A whole character of Oni in one go: its body, its animations, and the collection that lists them."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import bpy

from ...core.oni import collection
from ...core.oni.body.body_read import Original
from ...core.oni.files.library import file_name
from ...core.oni.game import BodyOptions, ExportOptions, SaveOptions
from ...core.oni.posing import animation_of
from ...core.oni.records.oban import Oban
from ...core.oni.records.tram import Tram
from ...core.reporting import log, progress
from ...core.reporting.errors import ExportError
from ...core.reporting.labels import first_few
from ..blender import armature, source_data
from ..blender.surface.skinned import meshes_of
from ..pipeline.changes import Item
from ..pipeline.destination import settling, targets, writing
from ..pipeline.destination.writing import Output
from ..pipeline.out_of_blender import character, packing
from ..pipeline.out_of_blender.character import Saved
from . import bodies
from .body import body_origin
from .fields.properties import BODY, instance_name
from .pack import Packed
from .write import Writer, holds


class _Writer(Writer):
    """Each clip to its own file."""

    def _updates(self, action: bpy.types.Action, original: Tram | Oban) -> bool:
        home = targets.home(action)
        return targets.original_of(action) is None and _is_loose(home) and (home.lower().endswith(".xml") or holds(home, original))


def save_character(context: bpy.types.Context, obj: bpy.types.Object, options: SaveOptions | None = None) -> Saved:
    """Write the body and the clips of an armature to the .oni files that they came from, and new clips into its collection. What came from
    a level, or is new, goes into the folder of the options. Raises RetroAnimError, with no file changed."""
    options = options or SaveOptions()
    with character.saving(context), tempfile.TemporaryDirectory() as nowhere:
        body = _body(context, obj, options, nowhere)
        clips, items = _clips(context, obj, options, nowhere)
        homeless = [output.title for output in (*body, *clips) if Path(output.path).parent == Path(nowhere)]
        if homeless:
            remedy = "choose a Folder: OniSplit imports its .oni files into the level (OniSplit -import)"
            raise ExportError(f"{first_few(homeless, 3)}: new, or from a level, which is not written: {remedy}")
        listed = _listed(obj, items, clips, options)
        return character.written(obj.name, [*body, *clips, *listed], options.overwrite, items=items)


def _folder(options: SaveOptions, home: str, nowhere: str) -> Path:
    """Where goes what has no .oni of its own: beside the one that it came from, where that is no level."""
    return Path(options.folder or (Path(home).parent if _is_loose(home) else nowhere))


def _body(context: bpy.types.Context, obj: bpy.types.Object, options: SaveOptions, nowhere: str) -> list[Output]:
    """Nothing of a body that stands for no file and was not made either, and of one in a level that nobody edited."""
    data = armature.data_of(obj)
    home = targets.home(data)
    original = body_origin.original_of(obj)
    if not meshes_of(context, obj):
        if original is not None and home and Original(original).body.has_meshes:
            character.report_gone(obj, Path(home.partition("#")[0]).name)
        return []
    if not (home or body_origin.OWN in data):
        return []
    name = original.name(0) if original is not None else ""
    own = Path(home).suffix.lower() == ".oni" and (targets.written(data) is not None or source_data.entry_of(data) == source_data.LOOSE)
    path = Path(home) if own else _folder(options, home, nowhere) / file_name(name or instance_name(obj.name, "TRBS"))
    taken = BodyOptions(
        str(path), textures=options.textures, normals=options.normals, every_detail=options.every_detail, overwrite=options.overwrite
    )
    outputs = bodies.outputs_of(context, obj, taken)
    whole = original is None or any(settling.edited(output) if output.block is not None else True for output in outputs)
    return outputs if whole or outputs[0].present is not None else []


def _clips(context: bpy.types.Context, obj: bpy.types.Object, options: SaveOptions, nowhere: str) -> tuple[list[Output], list[Item]]:
    """Each to its own file; of what is in a level that which was edited."""
    taken = ExportOptions(
        str(Path(nowhere, "clip.oni")), source="ALL", sampling=options.sampling, reduction=options.reduction, overwrite=options.overwrite
    )
    writer = _Writer(context, taken, [obj])
    items = progress.finish(packing.packed(writer))[0] if writer.subjects else []
    body = targets.home(armature.data_of(obj))
    outputs: list[Output] = []
    for item in items:
        assert item.action is not None
        name = item.packed.record.name or instance_name(item.action.name, item.packed.record.record().tag)
        path = _home(item.action, item.packed, items) or _folder(options, targets.home(item.action) or body, nowhere) / file_name(name)
        (output,) = writer.for_file(path, [(obj, item.action)]).outputs([item.packed])
        if output.present is not None or settling.edited(output):
            outputs.append(replace(output, title=item.action.name))
    return outputs, items


def _home(action: bpy.types.Action, packed: Packed, items: Sequence[Item]) -> Path | None:
    """The file that a clip came from, was written to, or is to go to; None of a level's, of one without, and of a copy by another name."""
    home = targets.home(action)
    if not _is_loose(home):
        return None
    original = targets.original_of(action)
    first = next((item.packed.record.name for item in items if item.action == original), None)
    return None if first is not None and first != packed.record.name and not targets.wanted_file(action) else Path(home)


def _is_loose(path: str) -> bool:
    """Whether a file is one that is written, and not a level."""
    return Path(path).suffix.lower() in (".oni", ".xml") and Path(path).parent.is_dir()


def _listed(obj: bpy.types.Object, items: Sequence[Item], clips: Sequence[Output], options: SaveOptions) -> list[Output]:
    """The collection of the character with the animations that are new in the game."""
    new = {output.block for output in clips if output.present is None}
    records = [item.packed.record for item in items if item.action in new and _is_new(item.packed)]
    names = [record.name for record in records if isinstance(record, Tram)]
    if not names:
        return []
    original = body_origin.original_of(obj)
    paths = [str(armature.data_of(obj).get(BODY, "")).partition("#")[0], *dict.fromkeys(output.path for output in clips)]
    candidates = [options.collection] if options.collection else collection.collections_for(original.name(0) if original else "", paths)
    if len(candidates) != 1:
        which = f"{len(candidates)} collections (TRAC) are there" if candidates else "no collection (TRAC) is beside it"
        log.warning(f"{', '.join(names)}: the game plays what is in no collection by its name alone: {which}: choose one as Collection")
        return []
    folder = options.folder or str(Path(clips[0].path).parent)
    known = collection.collection_of(candidates[0], folder)[0].names
    missing = [name for name in names if name not in known]
    if not missing:
        return []
    after = collection.changed(candidates[0], missing, folder)
    return [Output("the collection", after.path, after.data, present=writing.present(after.path), backup=True)]


def _is_new(packed: Packed) -> bool:
    """Whether the game has no animation of that name yet."""
    before = animation_of(packed.kept) if packed.kept is not None else None
    return before is None or before.name != packed.record.name
