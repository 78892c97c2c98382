"""Little Big Adventure into Blender: armatures, meshes and actions. What a file asks for: see lba_plan; the way back: lba_export."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import bpy
import numpy as np

from ...core.files import address
from ...core.lba.files.anm import Anm
from ...core.lba.files.lm2 import Lm2
from ...core.lba.files.variant import LBA1, LBA2, Game
from ...core.lba.motion.motion import CONVENTION, Source, clips_of, movers_of
from ...core.lba.motion.playback import rotations_of
from ...core.motion.clip import Clip as Motion
from ...core.motion.curves import Placement, Timing, blocks_of_all
from ...core.motion.rig import Rig
from ...core.reporting import progress
from ..blender import actions, armature, mesh, properties, scene, source_data
from .character import GAME, Character, Clip, ImportOptions
from .plan import Plan

FORMAT = "lba-anm"
"""What actions of the game are known by."""

_LOOSE_BODIES = (".lm1", ".lm2")
"""Extensions of loose bodies."""

_MOVERS = "lba_movers"
"""Custom property of the armature: bones that some clip translates."""

__all__ = ["FORMAT", "ImportOptions", "Imported", "import_lba"]


@dataclass(frozen=True, eq=False)
class Imported:
    """What came in: the armature objects and the actions, in the order of the files."""

    armatures: list[bpy.types.Object]
    actions: list[bpy.types.Action]


def import_lba(context: bpy.types.Context, options: ImportOptions) -> Imported:
    """Open files and build armatures, meshes and actions. Raises RetroAnimError when nothing could be opened; the scene is
    as it was then. What failed beside others that worked is said as an error in the log."""
    plan = Plan(context, options)
    for path in sorted(options.paths, key=lambda path: Path(path).suffix.lower() not in _LOOSE_BODIES):  # for the animations among them
        plan.read(path)
    characters = plan.finish()
    with scene.unchanged_on_failure(context), scene.object_mode(context):
        return _build(context, options, characters)


def _build(context: bpy.types.Context, options: ImportOptions, characters: list[Character]) -> Imported:
    objects: list[bpy.types.Object] = []
    made: list[bpy.types.Action] = []
    total = [clip for character in characters for clip in character.clips]
    if options.fps_mode == "SET" and total:
        game = total[0].game
        scene.set_fps(context.scene, game.frame_rate(np.concatenate([clip.anm.times for clip in total if clip.game is game])))
    for character in progress.steps(characters):
        obj, rig, scale = _figure(context, options, character)
        objects.append(obj)
        placement = actions.placement_of(obj)
        first = len(made)
        made += _actions(obj, rig, scale, character.clips, options, placement, scene.fps(context.scene))
        if len(made) > first:
            actions.show(obj, made[first], options.root_motion)
    if objects:
        scene.make_active(context, objects[-1])
    return Imported(objects, made)


def _figure(context: bpy.types.Context, options: ImportOptions, character: Character) -> tuple[bpy.types.Object, Rig, float]:
    """The armature that takes the clips: one of the scene, or a new one with its mesh."""
    if character.obj is not None:
        rig, scale = armature.read_rig(character.obj, CONVENTION)
        return character.obj, rig, scale
    rig = Rig.build(character.body.skeleton(), CONVENTION, options.bone_direction)
    obj = armature.build(context, character.name, rig, options.scale)
    _data(obj)[actions.RIG] = character.address or character.name
    source = character.body.source
    if source is not None or character.clips:
        _data(obj)[GAME] = character.clips[0].game.name if source is None else (LBA2 if isinstance(source, Lm2) else LBA1).name
    surface = character.body.mesh(character.palette, character.page)
    if surface is not None:
        mesh.build(context, f"{character.name} mesh", surface, rig, obj, options.scale)
    if character.address and source is not None:
        path, entry = address.split(character.address)
        kind = "lba-lm2" if isinstance(source, Lm2) else "lba-lm1"
        source_data.keep(obj.data, path, int(entry) if entry else source_data.LOOSE, kind, source.pack())
    return obj, rig, options.scale


def _actions(
    obj: bpy.types.Object,
    rig: Rig,
    scale: float,
    clips: list[Clip],
    options: ImportOptions,
    placement: Placement,
    fps: float,
) -> list[bpy.types.Action]:
    """One action a clip."""
    with source_data.packing(clip.data for clip in clips) as packed:
        motions = _motions(obj, rig, clips)
        timings = {game: Timing(game.rate, fps, options.frame_start) for game in {clip.game for clip in clips}}
        timed = [(motion, timings[clip.game]) for clip, motion in zip(clips, motions, strict=True)]
        blocks = blocks_of_all(timed, rig, scale, options.root_motion, placement)
        made = actions.write(obj, list(zip((clip.name for clip in clips), blocks, strict=True)))
        for action, clip, motion, stored in zip(made, clips, motions, packed, strict=True):
            timing = timings[clip.game]
            actions.finish(action, motion, timing)
            actions.remember(action, timing, scale, options.root_motion, placement)
            action[actions.RIG] = _data(obj).get(actions.RIG, "")
            source_data.keep(action, clip.path, clip.entry, FORMAT, clip.data, stored)
            remember_words(action, clip.anm, clip.game)
            if clip.roles:
                action["lba_roles"] = ", ".join(clip.roles)
    return made


def _motions(obj: bpy.types.Object, rig: Rig, clips: list[Clip]) -> list[Motion]:
    """The keys of every clip."""
    movers = _movers(obj, clips)
    found: dict[int, Motion] = {}
    for game in {clip.game for clip in clips}:
        chosen = [clip for clip in clips if clip.game is game]
        sources = [Source(clip.anm, clip.name, clip.events) for clip in chosen]
        found.update(zip(map(id, chosen), clips_of(sources, game, len(rig.skeleton), movers), strict=True))
    return [found[id(clip)] for clip in clips]


def _movers(obj: bpy.types.Object, clips: list[Clip]) -> set[int]:
    """The bones that any of the character's clips translates, those that came in before included."""
    data = _data(obj)
    found = set(properties.whole(data.get(_MOVERS)) or ()).union(*(movers_of(clip.anm, clip.game) for clip in clips))
    if found:
        data[_MOVERS] = properties.numbers(sorted(found))
    return found


def _data(obj: bpy.types.Object) -> bpy.types.Armature:
    assert isinstance(obj.data, bpy.types.Armature)
    return obj.data


def remember_words(action: bpy.types.Action, anm: Anm, game: Game) -> None:
    """The words of the file that no curve shows, as properties of the action that the user can see and change."""
    action[GAME] = game.name
    action["lba_loop_frame"] = anm.loop_frame
    action["lba_word3"] = anm.word3
    action["lba_bone_count"] = anm.bone_count
    action["lba_first_duration"] = int(anm.durations[0])
    action["lba_first_step"] = properties.numbers(anm.steps[0])
    action["lba_first_turn"] = properties.numbers(rotations_of(anm, game)[0])
