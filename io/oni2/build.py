"""Oni 2 into Blender: armatures, meshes and actions. What a file asks for: see oni2_plan; the way back: oni2_export."""

from __future__ import annotations

from dataclasses import dataclass, replace

import bpy
import numpy as np

from ...core.files import address
from ...core.motion.clip import Clip as Motion
from ...core.motion.curves import Timing
from ...core.oni2.characters import game_files
from ...core.oni2.files.anim import RATE, Anim
from ...core.oni2.files.interpretation import Interpretation
from ...core.oni2.files.mod import is_placed
from ...core.oni2.motion.channels import Layout, layout_of
from ...core.oni2.motion.motion import Stage, blocks_of
from ...core.reporting import log, progress
from ...core.reporting.errors import FormatError, RetroAnimError
from ..blender import actions, mesh, scene, source_data
from . import figure as oni2_figure
from .figure import Figure, data_of
from .plan import Character, Clip, ImportOptions, Plan

FORMAT = "ANIM"
KIND, FLAGS, LOOP, STRIDE, ALIASES, READING, COLUMNS, OFFSETS = (
    f"oni2_{name}" for name in ("kind", "flags", "loop_byte", "stride", "aliases", "reading", "channels", "offsets")
)
"""Custom properties of actions: what no curve shows, and how the file was taken."""

__all__ = ["ImportOptions", "Imported", "import_oni2"]


@dataclass(frozen=True, eq=False)
class Imported:
    """What came in: the armature objects and the actions, in the order of the files."""

    armatures: list[bpy.types.Object]
    actions: list[bpy.types.Action]


def import_oni2(context: bpy.types.Context, options: ImportOptions) -> Imported:
    """Open files and build armatures, meshes and actions. Raises RetroAnimError when nothing could be opened; the scene is
    as it was then. What failed beside others that worked is said as an error in the log."""
    characters = Plan(context, options).run()
    with scene.unchanged_on_failure(context), scene.object_mode(context):
        return _build(context, options, characters)


def _build(context: bpy.types.Context, options: ImportOptions, characters: list[Character]) -> Imported:
    objects: list[bpy.types.Object] = []
    made: list[bpy.types.Action] = []
    if options.fps_mode == "SET" and any(character.clips for character in characters):
        scene.set_fps(context.scene, RATE)
    for character in progress.steps(characters):
        figure = _figure(context, options, character)
        objects.append(figure.obj)
        first = len(made)
        made += _actions(context, figure, character.clips, options)
        if len(made) > first:
            actions.show(figure.obj, made[first], options.root_motion)
    scene.make_active(context, objects[-1])
    return Imported(objects, made)


def _figure(context: bpy.types.Context, options: ImportOptions, character: Character) -> Figure:
    """The armature that takes the clips: one of the scene, or a new one; with the character's meshes."""
    figure = character.figure
    if figure is None:
        skel = character.skel
        obj = oni2_figure.build(context, character.name, skel, options.facing, options.bone_direction, options.scale, options.limits)
        data_of(obj)[actions.RIG] = character.where or character.name
        keep(data_of(obj), character.where or f"{character.name}.skel", oni2_figure.FORMAT, skel.pack())
        figure = oni2_figure.read(obj)
    for where, mod in character.models:
        try:
            surface = mod.model.mesh(figure.rig.skeleton.heads, is_placed(mod, where))
        except FormatError as error:
            error.path = error.path or where
            log.error(str(error))
            continue
        mesh.build(context, f"{character.name} mesh", surface, figure.rig, figure.obj, figure.scale)
    return figure


def _actions(context: bpy.types.Context, figure: Figure, clips: list[Clip], options: ImportOptions) -> list[bpy.types.Action]:
    """One action a clip."""
    placement, interpretation = actions.placement_of(figure.obj), options.interpretation
    timing = Timing(RATE, scene.fps(context.scene), options.frame_start)
    stage = Stage(figure.skel, layout_of(figure.skel), figure.rig, timing, figure.scale, options.root_motion, placement, interpretation)
    named = [(clip.name, blocks_of(clip.anim, replace(stage, layout=clip.layout))) for clip in clips]
    made = actions.write(figure.obj, named)
    for action, clip in zip(made, clips, strict=True):
        count = len(clip.anim.table)
        loop = (0.0, float(count)) if clip.anim.loops and count > 1 else None
        actions.finish(action, Motion(clip.name, RATE, [], None, float(count - 1), loop), timing)
        action.use_cyclic = clip.anim.loops
        actions.remember(action, timing, figure.scale, options.root_motion, placement)
        action[actions.RIG] = data_of(figure.obj).get(actions.RIG, "")
        keep(action, clip.where, FORMAT, clip.data)
        remember_header(action, clip.anim)
        remember_layout(action, clip.layout, interpretation)
        action[OFFSETS] = figure.skel.offsets.ravel().tolist()
        if clip.aliases:
            action[ALIASES] = ", ".join(clip.aliases)
    return made


def keep(block: source_data.Block, where: str, kind: str, data: bytes) -> None:
    """Keep a file, or an archive's entry by its number."""
    path, entry = address.split(where)
    number = source_data.LOOSE
    if entry:
        try:
            found = game_files.opened(path).find(entry)
        except RetroAnimError:
            found = None
        number = found if found is not None else int(entry) if entry.isdigit() else source_data.LOOSE
    source_data.keep(block, path, number, kind, data)


def remember_header(action: bpy.types.Action, anim: Anim) -> None:
    """What no curve shows, as properties of the action that the user can see and change. Flags as text: Blender's whole numbers end
    at 2^31."""
    action[KIND] = anim.kind
    action[STRIDE] = anim.stride.astype(np.float64).tolist()
    if anim.flags is not None:
        action[FLAGS] = f"0x{anim.flags:08X}"
    if anim.loop is not None:
        action[LOOP] = anim.loop


def remember_layout(action: bpy.types.Action, layout: Layout, interpretation: Interpretation) -> None:
    action[READING] = interpretation.text
    action[COLUMNS] = layout.text
