"""Tales of Pirates out of Blender: the actions of a character joined to one time line again, with its dummies and its action table."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import bpy
import numpy as np

from ...core.files import disk
from ...core.mindpower import formats
from ...core.mindpower.client.client_files import MESHES, TEXTURES, Client
from ...core.mindpower.files.lab import KEY_TYPES, Lab
from ...core.mindpower.files.pose_info import action_name
from ...core.mindpower.motion import timeline
from ...core.mindpower.motion.timeline import Part
from ...core.mindpower.options import ExportOptions
from ...core.reporting import log, progress
from ...core.reporting.errors import ExportError, FormatError
from ..blender import source_data
from ..pipeline import selection, writing
from ..pipeline.writing import Output
from . import actions as mindpower_actions
from . import figure as mindpower_figure
from . import meshes as mindpower_mesh
from . import new_skeleton
from . import table as mindpower_table
from .figure import Figure
from .pack import base_of, part_of, template_of
from .table import Rows, rows_of


@dataclass(frozen=True, eq=False)
class Packed:
    """lab, data: the file. actions: the rows of the action table that go with it."""

    lab: Lab
    data: bytes
    actions: Rows


def pack_lab(context: bpy.types.Context, obj: bpy.types.Object, options: ExportOptions) -> Packed:
    """The skeleton file that an armature stands for. Raises ExportError."""
    kind = None if options.key_type == "AUTO" else {name: number for number, name in KEY_TYPES.items()}[options.key_type]
    if not mindpower_figure.is_figure(obj):
        lab, rows = new_skeleton.pack(context, obj, options.source, kind)
        return Packed(lab, lab.pack(), Rows(None, 0, rows))
    figure = mindpower_figure.read(obj)
    context.view_layer.update()
    mindpower_figure.check_object(figure)
    before = figure.replay()
    meant = chosen_actions(context, figure, options.source)
    numbers = _numbered(figure, meant)
    taken: dict[tuple[int, int], bpy.types.Action] = {}
    found: dict[bpy.types.Action, Part] = {}
    for action in progress.steps(meant):
        with log.about(action.name):
            part = part_of(context, figure, before, action, options.sampling, numbers.get(action, ()))
        if part.range is not None:
            if part.range.end >= figure.frame_count:
                raise ExportError(f"{action.name} stands for frames up to {part.range.end} of a file of {figure.frame_count}")
            key = part.range.start, part.range.end
            if (other := taken.get(key)) is not None:
                same = f"both stand for frames {key[0]} to {key[1]} of the file"
                if _is_edited(action, part) and _is_edited(other, found[other]):
                    raise ExportError(f"{other.name} and {action.name} {same}")
                if not _is_edited(action, part):
                    continue
                log.warning(f"{other.name} and {action.name} {same}: {action.name} is written, as nothing was changed in the other")
                del found[other]
            taken[key] = action
        found[action] = part
    meant, parts = list(found), list(found.values())
    template = template_of(figure)
    base, parts = base_of(figure, template, parts)
    line = timeline.join(parts, figure.frame_count)
    lab = timeline.assemble(template, base, parts, line, kind)
    rows = rows_of(figure, parts, meant, line)
    kept = source_data.kept(obj.data)
    data = lab.pack()
    if kept is not None and line.untouched and figure.original is not None and data == figure.original.pack():
        data = kept  # also where its bones come in an order that the game does not like
    return Packed(lab, data, rows)


def _is_edited(action: bpy.types.Action, part: Part) -> bool:
    """Whether an action says anything else than the frames that it came from."""
    came = mindpower_actions.came(action)
    if came is None or not part.in_place or part.keys.changed.any():
        return True
    return any(mindpower_actions.key_changes(action, came.timing, came.keys))


def chosen_actions(context: bpy.types.Context, figure: Figure, source: selection.Source) -> list[bpy.types.Action]:
    """The actions of the armature that are meant, in the order of their frames in the file, new ones last."""
    own = figure.obj
    found = [action for obj, action in selection.chosen_actions(context, source, mindpower_figure.FORMAT, objects=[own]) if obj == own]
    for action in (action for action in found if not mindpower_actions.moves_bones(action)):
        log.warning(
            f"{action.name} moves no bone: it is left out" if mindpower_actions.came(action) is None else f"{action.name} has lost its keys"
        )
    found = [action for action in found if mindpower_actions.moves_bones(action) or mindpower_actions.came(action) is not None]
    if source == "ALL":
        found += [action for action in bpy.data.actions if source_data.FORMAT not in action and _is_of(action, own)]

    def place(action: bpy.types.Action) -> tuple[float, float, str]:
        came = mindpower_actions.came(action)
        return (came.range.start, came.range.end, "") if came is not None else (float("inf"), 0.0, action.name)

    return sorted(dict.fromkeys(found), key=place)


def _is_of(action: bpy.types.Action, obj: bpy.types.Object) -> bool:
    """Whether an action that was made in Blender is one of the armature's."""
    return mindpower_actions.moves_bones(action) and selection.drives(action, obj)


def _numbered(figure: Figure, actions: list[bpy.types.Action]) -> dict[bpy.types.Action, tuple[int, ...]]:
    """The numbers in the action table of the actions that were made in Blender; one without gets what its name means, or the first free.

    Raises ExportError for two with the same number.
    """
    fresh = [action for action in actions if mindpower_actions.came(action) is None]
    numbers = {action: mindpower_actions.numbers_of(action) for action in fresh}
    owners: dict[int, bpy.types.Action] = {}
    for action, number in ((action, number) for action, own in numbers.items() for number in own):
        if owners.setdefault(number, action) != action:
            raise ExportError(f"{owners[number].name} and {action.name} both have the number {number} of the action table")
    table, kind = mindpower_table.table_of(figure.obj)
    taken = set(owners) | {row.number for row in (table.of_type(kind) if table is not None else ()) if not row.unused}
    taken |= {number for action in actions if action not in numbers for number in mindpower_actions.numbers_of(action)}
    for action in fresh:
        if not numbers[action]:
            number = mindpower_actions.free_number(action.name, taken)
            taken.add(number)
            numbers[action] = (number,)
            log.warning(f"{action.name} has no number in the action table: it is written as {number} {action_name(number)}")
    return numbers


def skeleton_of(obj: bpy.types.Object) -> mindpower_mesh.Skeleton:
    """What meshes on an armature are written for."""
    if abs(obj.matrix_world.determinant()) < 1e-24:
        raise ExportError(f"{obj.name} is scaled to nothing: give the object a scale")
    if mindpower_figure.is_figure(obj):
        figure = mindpower_figure.read(obj)
        mindpower_figure.check_object(figure)
        bones = {name: bone for bone, name in enumerate(figure.names.bones)}
        bones |= {name: bone for bone, pair in figure.names.helpers.items() for name in pair}
        place = np.linalg.inv(np.array(obj.matrix_world, np.float64))
        place[:3] /= figure.rig.scale
        return mindpower_mesh.Skeleton(obj, bones, place, figure.template.bone_count)
    rig = new_skeleton.rig_of(obj)
    bones = {name: bone for bone, name in enumerate(rig.names)}
    return mindpower_mesh.Skeleton(obj, bones, rig.place @ np.linalg.inv(np.array(obj.matrix_world, np.float64)), len(bones))


def export_mindpower(context: bpy.types.Context, options: ExportOptions) -> list[str]:
    """Write the skeleton file of the active armature with its action table, those of several beside one another, or meshes alone; returns
    the paths written. Raises RetroAnimError, with nothing written, when one of them holds what the game cannot."""
    objects = selection.armatures(context, options.source)
    if not objects:
        raise ExportError("select an armature to export, or a mesh on it")
    path = Path(options.path)
    alone = path.suffix.lower() == ".lgo"
    outputs: list[Output] = []
    tables: dict[Path, bytes] = {}
    for obj in objects:
        several = len(objects) > 1
        target = path.with_name(f"{disk.file_name(obj.name)}{path.suffix}") if several else path
        if not alone:
            packed = pack_lab(context, obj, options)
            outputs.append(_skeleton(obj, target, packed, several))
            _add_table(tables, packed.actions, target, options.table)
        if alone or options.with_meshes:
            outputs += _meshes(context, obj, target, alone, several)
    for target, data in tables.items():
        if writing.present(target) != data:
            disk.check_target(target)
    written = writing.write_files(outputs, options.overwrite)
    for target, data in tables.items():
        if writing.present(target) != data:
            disk.write_file(target, data, backup=True)
    return [*written, *map(str, tables)]


def _skeleton(obj: bpy.types.Object, target: Path, packed: Packed, derived: bool) -> Output:
    """Raises ExportError where the file is anything else than a skeleton."""
    present = writing.present(target)
    writing.refuse_other(target, present, formats.LAB)
    return Output(
        obj.name, str(target), packed.data, obj.data, present=present, derived=derived, other=_other(present, packed.lab), backup=True
    )


def _other(present: bytes | None, lab: Lab) -> str:
    """What is there instead, where that is the skeleton of another character."""
    if not present:
        return ""
    try:
        with log.collect():
            names = Lab.parse(present).names
    except FormatError:
        return "a damaged skeleton"
    return "" if sorted(names) == sorted(lab.names) else f"another skeleton, of {len(names)} bones"


def _add_table(tables: dict[Path, bytes], rows: Rows, lab: Path, wanted: str) -> None:
    """The action table that the rows go to, if there are any; one that is there keeps the types of other characters."""
    if rows.rows:
        target = mindpower_table.target_of(lab, wanted)
        known = tables.get(target) or (disk.read_file(target) if target.is_file() else None)
        tables[target] = mindpower_table.packed(rows, target, known, lab)


def _meshes(context: bpy.types.Context, obj: bpy.types.Object, target: Path, alone: bool, several: bool) -> list[Output]:
    """The mesh files and pictures of an armature; of meshes alone those that are selected, or all."""
    meshes = mindpower_mesh.meshes_of(obj, context)
    active = context.view_layer.objects.active
    if alone and active in meshes:
        meshes = [mesh for mesh in meshes if mesh == active or mesh.select_get()]
    if not meshes:
        if alone:
            raise ExportError(f"no mesh is moved by {obj.name}")
        return []
    skeleton = skeleton_of(obj)
    packed: list[tuple[bpy.types.Object, mindpower_mesh.PackedMesh]] = []
    for mesh in meshes:
        packed += [(mesh, item) for item in mindpower_mesh.pack(mesh, skeleton, len(packed))]
    outputs: list[Output] = []
    count = 0
    client = Client.of(target)
    models, textures = ((client and client.folder(layout)) or target.parent for layout in (MESHES, TEXTURES))
    for mesh, item in packed:
        name = item.name or _mesh_name(target, count)
        count += not item.name
        chosen = alone and len(packed) == 1
        path = target if chosen else (target.parent if alone else models) / f"{name}.lgo"
        present = writing.present(path)
        writing.refuse_other(path, present, formats.LGO)
        outputs.append(Output(mesh.name, str(path), item.data, mesh.data, present=present, derived=several or not chosen, backup=True))
        for picture, data in item.pictures.items():
            path = textures / picture
            outputs.append(Output(picture, str(path), data, present=writing.present(path), derived=True, backup=True))
    return outputs


def _mesh_name(target: Path, part: int) -> str:
    """By the number of the skeleton, as the game looks for it; else after it."""
    number = int(target.stem) if target.suffix.lower() == ".lab" and target.stem.isdecimal() and len(target.stem) < 5 else -1
    if number >= 0:
        return f"{1_000_000 * number + part:010}"
    return f"{target.stem}_{part}" if part else target.stem
