"""Tales of Pirates out of Blender: the actions of a character joined to one time line again, with its dummies and its action table."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import bpy
import numpy as np

from ..core import files, log, progress
from ..core.errors import ExportError, FormatError
from ..core.mindpower import names as file_names
from ..core.mindpower import timeline
from ..core.mindpower.action_table import ActionRow, ActionTable
from ..core.mindpower.channels import motion_of
from ..core.mindpower.evaluate import local_matrices
from ..core.mindpower.lab import KEY_TYPES, QUAT, Lab
from ..core.mindpower.motion import Motion
from ..core.mindpower.ranges import Range, Row
from ..core.mindpower.timeline import Part, TimeLine
from ..core.mindpower.update import Keys, as_quaternions, encode, encode_poses
from . import (
    armature,
    chosen,
    evaluated,
    fcurves,
    holder,
    mindpower_actions,
    mindpower_dummies,
    mindpower_figure,
    mindpower_mesh,
    mindpower_new,
)
from .mindpower import TABLE, TYPE
from .mindpower_figure import Figure

KeyType = Literal["AUTO", "QUAT", "MAT43", "MAT44"]


@dataclass(frozen=True)
class ExportOptions:
    """path: a .lab or an .lgo. source: which actions of the armature; the file's other frames stay as they were. sampling: KEYS, the
    curves, or VISUAL, the evaluated pose. key_type: AUTO keeps the file's own, or takes what the motion needs.

    table: the action table to write beside, or elsewhere by its path; "" for CharacterAction.tx beside the skeleton. meshes: also write
    the character's meshes beside it.
    """

    path: str
    source: chosen.Source = "ALL"
    sampling: Literal["KEYS", "VISUAL"] = "KEYS"
    key_type: KeyType = "AUTO"
    table: str = ""
    meshes: bool = False


@dataclass(frozen=True, eq=False)
class Packed:
    """lab: the file. table: the action table that goes with it, None without one. changed: whether its ranges are others than before."""

    lab: Lab
    data: bytes
    table: ActionTable | None
    type: int
    rows: list[Row]


def pack_lab(context: bpy.types.Context, thing: bpy.types.Object, options: ExportOptions) -> Packed:
    """The skeleton file that an armature stands for. Raises ExportError."""
    kind = None if options.key_type == "AUTO" else {name: number for number, name in KEY_TYPES.items()}[options.key_type]
    if not mindpower_figure.is_figure(thing):
        lab, rows = mindpower_new.pack(context, thing, options.source, kind)
        return Packed(lab, lab.pack(), None, 0, rows)
    figure = mindpower_figure.read(thing)
    evaluated.warn_of_object(thing)
    before = figure.replay()
    meant = chosen_actions(context, figure, options.source)
    taken: dict[tuple[int, int], str] = {}
    parts: list[Part] = []
    for action in progress.steps(meant):
        with log.about(action.name):
            part = _part(context, figure, before, action, options)
        if part.range is not None:
            key = part.range.start, part.range.end
            if key in taken:
                raise ExportError(f"{taken[key]} and {action.name} both stand for frames {key[0]} to {key[1]} of the file")
            taken[key] = action.name
        parts.append(part)
    template = _template(figure)
    base, parts = _base(figure, template, parts, options)
    line = timeline.join(parts, figure.frame_count)
    lab = timeline.assemble(template, base, parts, line, kind)
    table, number, rows = _table(figure, parts, meant, line)
    kept = holder.kept(thing.data)
    data = lab.pack()
    if kept is not None and line.untouched and figure.original is not None and data == figure.original.pack():
        data = kept  # also where its bones come in an order that the game does not like
    return Packed(lab, data, table, number, rows)


def chosen_actions(context: bpy.types.Context, figure: Figure, source: chosen.Source) -> list[bpy.types.Action]:
    """The actions of the armature that are meant, in the order of their frames in the file, new ones last."""
    own = figure.thing
    found = [action for thing, action in chosen.chosen_actions(context, source, mindpower_figure.FORMAT, [own]) if thing == own]
    if source == "ALL":
        found += [action for action in bpy.data.actions if _is_new(action) and chosen.drives(action, own)]

    def place(action: bpy.types.Action) -> tuple[float, float, str]:
        came = mindpower_actions.came(action)
        return (came.range.start, came.range.end, "") if came is not None else (float("inf"), 0.0, action.name)

    return sorted(dict.fromkeys(found), key=place)


def _is_new(action: bpy.types.Action) -> bool:
    """Whether it was made in Blender, and given numbers in the action table."""
    return holder.FORMAT not in action and bool(action.get(mindpower_actions.NUMBERS))


def _part(context: bpy.types.Context, figure: Figure, before: Motion | None, action: bpy.types.Action, options: ExportOptions) -> Part:
    """An action as keys of the file, one for each of the game's frames."""
    came = mindpower_actions.came(action)
    timing = came.timing if came is not None else mindpower_actions.new_timing(action, context)
    length = len(came.range) if came is not None else 0
    start, end = mindpower_actions.span(action, timing, length)
    places = np.arange(start, end + 1)
    frames = timing.start + places * (timing.fps / timing.rate)
    old = np.full(len(places), -1)
    if came is not None:
        inside = (places >= 0) & (places < length)
        old[inside] = came.range.start + places[inside]
        frames[inside] = timing.frames(np.arange(length, dtype=np.float64))[places[inside]]
    rows = () if came is not None else mindpower_actions.new_rows(action, timing, len(places))
    keys = _keys(context, figure, before, action, options, frames, old)
    return Part(action.name, keys, came.range if came is not None else None, rows)


def _keys(
    context: bpy.types.Context,
    figure: Figure,
    before: Motion | None,
    action: bpy.types.Action,
    options: ExportOptions,
    frames: np.ndarray,
    old: np.ndarray,
) -> Keys:
    if options.sampling == "VISUAL":
        with evaluated.alone(figure.thing, action):
            shown = evaluated.poses(context, figure.thing, figure.shown, frames)
        return encode_poses(shown.swapaxes(0, 1), figure.rig, before, old)
    curves = fcurves.read_curves(action, figure.thing).curves
    if renamed := _renamed(figure):
        # Blender renames bones in the present action alone.
        bones = armature.bones_of(figure.thing)
        before_names = {bones[name][mindpower_figure.NAME]: name for name in renamed.values()}
        curves = {
            channel if channel.bone in bones else channel._replace(bone=before_names.get(channel.bone, channel.bone)): curve
            for channel, curve in curves.items()
        }
    modes = {bone.name: bone.rotation_mode for bone in figure.thing.pose.bones}
    seen = motion_of(curves, figure.names, figure.rig, frames, modes)
    return encode(seen, before, figure.original, old, figure.moved, figure.errors)


def _template(figure: Figure) -> Lab:
    """Everything but the keys, with names and dummies as they are now."""
    template = figure.template if figure.original is None else figure.original
    bones = template.bones.copy()
    now = _renamed(figure)
    for index, name in now.items():
        bones["name"][index] = np.frombuffer(file_names.encode(name, bones["name"].shape[1], bones["name"][index].tobytes()), "u1")
    return replace(template, bones=bones, dummies=mindpower_dummies.read(figure), frame_count=figure.frame_count)


def _renamed(figure: Figure) -> dict[int, str]:
    """The bones that were renamed, by number."""
    bones = armature.bones_of(figure.thing)
    return {index: name for index, name in enumerate(figure.names.bones) if bones[name].get(mindpower_figure.NAME, name) != name}


def _base(figure: Figure, template: Lab, parts: list[Part], options: ExportOptions) -> tuple[Lab | None, list[Part]]:
    """The old time line: the file itself, or what its actions and the frames that none of them shows tell of it."""
    if figure.original is not None:
        return figure.original, parts
    spare = [_spare_part(figure, run) for run in _runs(figure.spare)]
    base, marked = timeline.rebuilt(template, [*parts, *spare], figure.frame_count)
    return base, marked


def _runs(frames: np.ndarray) -> list[np.ndarray]:
    """Frames, ascending, in runs without gaps."""
    return [run for run in np.split(np.arange(len(frames)), np.flatnonzero(np.diff(frames) != 1) + 1) if len(run)]


def _spare_part(figure: Figure, places: np.ndarray) -> Part:
    """Frames that no action shows, as the armature keeps them. places: of them in the template."""
    lab, old = figure.template, figure.spare[places]
    local = local_matrices(lab, places)
    turns = lab.quaternions[:, places] if lab.key_type == QUAT else as_quaternions(local[..., :3, :3]).astype(np.float32)
    none = np.zeros(turns.shape[:2], np.bool_)
    linear, moved = local[..., :3, :3].astype(np.float32), local[..., 3, :3].astype(np.float32)
    return Part("", Keys(moved, turns, linear, old, none, none, none), Range(int(old[0]), int(old[-1])))


def _table(figure: Figure, parts: list[Part], meant: list[bpy.types.Action], line: TimeLine) -> tuple[ActionTable | None, int, list[Row]]:
    """The action table on the new time line, the character's type in it, and its rows."""
    data = mindpower_figure.data_of(figure.thing)
    table = ActionTable.parse(zlib.decompress(data[TABLE])) if TABLE in data else None
    number = int(data.get(TYPE, 0))
    before = table.types.get(number, ()) if table is not None else ()
    claimed = {row.number for part in parts if part.range is None for row in part.rows}
    changes = {part.range: (action, place) for action, part, place in zip(meant, parts, line.places, strict=False) if part.range}
    ranges = {(item.start, item.end): found for item, found in changes.items()}
    rows: list[Row] = []
    for place, row in enumerate(timeline.new_rows(before, line, parts)):
        if place >= len(before):
            rows.append(row)
            continue
        own = before[place]
        if own.number in claimed:
            continue
        found = ranges.get((own.start, min(own.end, figure.frame_count - 1)))
        keys = row.keys if found is None else _marked(own, row, *found)
        rows.append(ActionRow(row.number, row.start, row.end, keys, own.type, own.line))
    return table, number, rows


def _marked(own: ActionRow, row: Row, action: bpy.types.Action, place: tuple[int, int]) -> tuple[int, ...]:
    """The key frames of a row after the markers of its action. row: as it is on the new time line."""
    came = mindpower_actions.came(action)
    assert came is not None
    gone, added = mindpower_actions.key_changes(action, came.timing, came.keys)
    start, _ = mindpower_actions.span(action, came.timing, len(came.range))
    kept = [now for was, now in zip(own.keys, row.keys, strict=True) if was - own.start not in gone]
    return tuple(sorted([*kept, *(place[0] + key - start for key in added)])) if gone or added else row.keys


def write_table(options: ExportOptions, packed: Packed, lab: Path) -> str:
    """Write the action table if there is anything to say; returns its path, "" for none.

    A table that is there already keeps all its other types.
    """
    target = Path(options.table) if options.table else lab.with_name("CharacterAction.tx")
    if not packed.rows:
        return ""
    base = packed.table or ActionTable(())
    if target.is_file():
        try:
            base = ActionTable.parse(files.read_file(target))
        except FormatError as error:
            raise ExportError(f"{target}: {error}") from error
    number = packed.type or (int(lab.stem) if lab.stem.isdecimal() and len(lab.stem) < 5 else 0) or 1
    made = base.with_rows(number, packed.rows)
    data = made.pack()
    if not target.is_file() or files.read_file(target) != data:
        files.write_file(target, data, backup=True)
    return str(target)


def skeleton_of(thing: bpy.types.Object) -> mindpower_mesh.Skeleton:
    """What meshes on an armature are written for."""
    if mindpower_figure.is_figure(thing):
        figure = mindpower_figure.read(thing)
        bones = {name: bone for bone, name in enumerate(figure.names.bones)}
        bones |= {name: bone for bone, pair in figure.names.helpers.items() for name in pair}
        place = np.linalg.inv(np.array(thing.matrix_world, np.float64))
        place[:3] /= figure.rig.scale
        return mindpower_mesh.Skeleton(thing, bones, place, figure.template.bone_count)
    rig = mindpower_new.rig_of(thing)
    bones = {name: bone for bone, name in enumerate(rig.names)}
    return mindpower_mesh.Skeleton(thing, bones, rig.place @ np.linalg.inv(np.array(thing.matrix_world, np.float64)), len(bones))


def export_mindpower(context: bpy.types.Context, options: ExportOptions) -> list[str]:
    """Write the skeleton file of the active armature with its action table, those of several beside one another, or meshes alone; returns
    the paths written. Raises RetroAnimError, with nothing written, when one of them holds what the game cannot."""
    things = chosen.armatures(context, options.source)
    if not things:
        raise ExportError("select an armature to export, or a mesh on it")
    path = Path(options.path)
    alone = path.suffix.lower() == ".lgo"
    found: dict[Path, bytes] = {}
    tables: list[tuple[Packed, Path]] = []
    for thing in things:
        target = path if len(things) == 1 else path.with_name(f"{chosen.file_name(thing.name)}{path.suffix}")
        if not alone:
            packed = pack_lab(context, thing, options)
            _add(found, target, packed.data)
            tables.append((packed, target))
        if alone or options.meshes:
            for name, data in _meshes(context, thing, target, alone).items():
                _add(found, name, data)
    for target, data in found.items():
        files.write_file(target, data)
    written = [str(target) for target in found]
    written += [table for packed, target in tables if (table := write_table(options, packed, target))]
    return list(dict.fromkeys(written))


def _add(found: dict[Path, bytes], target: Path, data: bytes) -> None:
    if found.setdefault(target, data) != data:
        raise ExportError(f"two different files would be written to {target}")


def _meshes(context: bpy.types.Context, thing: bpy.types.Object, target: Path, alone: bool) -> dict[Path, bytes]:
    """The mesh files and pictures of an armature; of meshes alone those that are selected, or all."""
    meshes = mindpower_mesh.meshes_of(thing, context)
    active = context.view_layer.objects.active
    if alone and active in meshes:
        meshes = [mesh for mesh in meshes if mesh == active or mesh.select_get()]
    if not meshes:
        if alone:
            raise ExportError(f"no mesh is moved by {thing.name}")
        return {}
    skeleton = skeleton_of(thing)
    packed: list[mindpower_mesh.PackedMesh] = []
    for mesh in meshes:
        packed += mindpower_mesh.pack(mesh, skeleton, len(packed))
    found: dict[Path, bytes] = {}
    count = 0
    for item in packed:
        name = item.name or _mesh_name(target, count)
        count += not item.name
        _add(found, target if alone and len(packed) == 1 else target.with_name(f"{name}.lgo"), item.data)
        for picture, data in item.pictures.items():
            _add(found, target.with_name(picture), data)
    return found


def _mesh_name(target: Path, part: int) -> str:
    """By the number of the skeleton, as the game looks for it; else after it."""
    number = int(target.stem) if target.suffix.lower() == ".lab" and target.stem.isdecimal() and len(target.stem) < 5 else -1
    if number >= 0:
        return f"{1_000_000 * number + part:010}"
    return f"{target.stem}_{part}" if part else target.stem
