"""Tales of Pirates into Blender: armature, skinned meshes, dummies and actions. What a file asks for: see mindpower_plan; the way back:
mindpower_export."""

from __future__ import annotations

import zlib
from dataclasses import dataclass

import bpy

from ...core.mindpower.files.helpers import Helpers
from ...core.mindpower.files.ranges import Range, ranges_of, spare
from ...core.mindpower.motion import shear
from ...core.mindpower.motion.evaluate import RATE
from ...core.mindpower.motion.motion import Motion
from ...core.mindpower.motion.rig import AXES
from ...core.motion.curves import Timing
from ...core.reporting import log, progress
from ..blender import actions, compat, mesh, scene, source_data
from . import actions as mindpower_actions
from . import dummies
from . import figure as mindpower_figure
from .plan import Character, ImportOptions, Part, Plan

TABLE, TYPE = "mindpower_table", "mindpower_type"
"""Custom properties of the armature: the action table, compressed, and the character's type in it."""

TABLE_PATH = "mindpower_table_path"

ERROR = "mindpower_error"
"""Custom property of an armature with sheared bones: how far vertices are from the game's places, at most."""

__all__ = ["ImportOptions", "Imported", "import_mindpower"]


@dataclass(frozen=True, eq=False)
class Imported:
    """What came in: armature objects, actions, and mesh objects, in the order of the files."""

    armatures: list[bpy.types.Object]
    actions: list[bpy.types.Action]
    meshes: list[bpy.types.Object]


def import_mindpower(context: bpy.types.Context, options: ImportOptions) -> Imported:
    """Open files and build what is in them. Raises RetroAnimError when nothing could be opened; the scene is as it was then. What failed
    beside others that worked is said as an error in the log."""
    plan = Plan(context, options)
    plan.read()
    characters = plan.finish()
    done = Imported([], [], [])
    with scene.unchanged_on_failure(context), scene.object_mode(context):
        if options.fps_mode == "SET":
            scene.set_fps(context.scene, RATE)
        for character in progress.steps(characters):
            with log.about(character.name):
                _build(context, options, character, done)
        if done.armatures:
            scene.make_active(context, done.armatures[-1])
    return done


def _build(context: bpy.types.Context, options: ImportOptions, character: Character, done: Imported) -> None:
    if character.obj is not None:
        _onto(context, options, character, mindpower_figure.read(character.obj), done)
        return
    with source_data.packing([character.data]) as packed:
        obj, motion, names = mindpower_figure.build(
            context, character.lab, character.name, options.scale, options.bone_direction, options.helper_bones
        )
        done.armatures.append(obj)
        mindpower_figure.data_of(obj)[actions.RIG] = character.path or character.name
        figure = mindpower_figure.fresh(obj, character.lab, motion, names)
        ranges, marked = _ranges(character, options)
        made = _actions(context, options, character, figure, motion, ranges, marked) if character.animated else []
        free = spare(ranges if made else [], character.lab.frame_count)
        mindpower_figure.remember(figure, character.path, character.data, packed[0], free)
    done.actions.extend(made)
    mindpower_actions.link(made, obj)
    _remember_table(obj, character)
    dummies.build(context, figure, character.lab)
    _meshes(context, figure, motion, character.parts, done)


def _onto(
    context: bpy.types.Context, options: ImportOptions, character: Character, figure: mindpower_figure.Figure, done: Imported
) -> None:
    """More for an armature that is there: its own file's actions once more, and meshes that it has not."""
    obj = figure.obj
    done.armatures.append(obj)
    if not character.animated:
        _meshes(context, figure, figure.replay(), character.parts, done)
        return
    if figure.original is None:
        source_data.keep(mindpower_figure.data_of(obj), character.path, source_data.LOOSE, mindpower_figure.FORMAT, character.data)
    motion = figure.motion_of(character.lab)
    made = _actions(context, options, character, figure, motion, *_ranges(character, options))
    done.actions.extend(made)
    mindpower_actions.link(made, obj)
    if TABLE not in mindpower_figure.data_of(obj):
        _remember_table(obj, character)
    _meshes(context, figure, motion, character.parts, done)


def _actions(
    context: bpy.types.Context,
    options: ImportOptions,
    character: Character,
    figure: mindpower_figure.Figure,
    motion: Motion,
    ranges: list[Range],
    marked: list[Range],
) -> list[bpy.types.Action]:
    """The first of them is the armature's present one."""
    timing = Timing(RATE, scene.fps(context.scene), options.frame_start)
    poses = character.table.poses if character.table is not None else None
    made = mindpower_actions.build(figure.obj, motion, figure.names, ranges, poses, timing, character.name, marked)
    compat.assign(figure.obj, made[0])
    return made


def _remember_table(obj: bpy.types.Object, character: Character) -> None:
    if character.table is not None:
        data = mindpower_figure.data_of(obj)
        data[TABLE], data[TABLE_PATH] = zlib.compress(character.table.document.pack(), 1), character.table.path
        data[TYPE] = character.table.type


def _ranges(character: Character, options: ImportOptions) -> tuple[list[Range], list[Range]]:
    """The frames of each action, and the ranges that are markers instead."""
    count = character.lab.frame_count
    whole = [Range(0, count - 1)]
    ranges = ranges_of(character.table.rows, count) if character.table is not None else []
    return (whole, ranges) if options.actions == "TIMELINE" or not ranges else (ranges, [])


def _meshes(context: bpy.types.Context, figure: mindpower_figure.Figure, motion: Motion | None, parts: list[Part], done: Imported) -> None:
    """The parts as skinned meshes, what else their files have, and how far vertices of sheared bones are from their places."""
    rig = figure.rig.as_built(figure.shown)
    for part in parts:
        objects = mesh.build(context, part.name, part.surface, rig, figure.obj, figure.rig.scale)
        for obj in objects:
            source_data.keep(obj.data, part.path, source_data.LOOSE, "LGO", part.data)
        if isinstance(part.lgo.helpers, Helpers):
            dummies.build_helpers(context, figure, part.lgo.helpers, objects[0])
        done.meshes.extend(objects)
    if motion is not None and motion.errors:
        _tell_errors(figure, motion, parts)


def _tell_errors(figure: mindpower_figure.Figure, motion: Motion, parts: list[Part]) -> None:
    worst = dict.fromkeys((figure.names.bones[bone] for bone in motion.errors), 0.0)
    largest = 0.0
    for part in parts:
        surface = part.surface
        if surface.weights is None:
            continue
        far = shear.vertex_errors(motion, surface.points @ AXES.T * figure.rig.scale, surface.bones, surface.weights)
        largest = max(largest, float(far.max(initial=0)))
        for bone in motion.errors:
            carried = ((surface.bones == bone) & (surface.weights > 0)).any(axis=1)
            worst[figure.names.bones[bone]] = max(worst[figure.names.bones[bone]], float(far[carried].max(initial=0)))
    mindpower_figure.data_of(figure.obj)[ERROR] = largest
    shear.report(worst, largest)
