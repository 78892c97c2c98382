"""Little Big Adventure into Blender: armatures, meshes and actions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np

from ...core.files import address
from ...core.lba.fields import ARMATURE_FIELDS
from ...core.lba.files.actions import Action, listed
from ...core.lba.files.anm import Anm
from ...core.lba.files.lm2 import Lm2
from ...core.lba.files.variant import LBA1, LBA2, Variant
from ...core.lba.game import GAME, ImportOptions
from ...core.lba.motion.motion import CONVENTION, Source, clips_of, movers_of
from ...core.lba.motion.playback import rotations_of
from ...core.motion.blocks import blocks_of_all
from ...core.motion.clip import Clip as Motion
from ...core.motion.curves import Channel, Placement, Timing
from ...core.motion.rigs.rig import Rig
from ...core.reporting import progress
from ..blender import armature, fields, identity, source_data
from ..blender.motion import curve_writer
from ..blender.surface import mesh
from ..pipeline.into_blender import bone_names, importing
from ..pipeline.into_blender.importing import Imported, NewAction
from ..pipeline.out_of_blender.selection import selection
from .body import resources
from .body.plan_bodies import Character, Clip
from .plan import Plan

FORMAT = "lba-anm"
"""The kind of the source data of the game's actions."""

VARIANT = "lba_game"
"""Custom property of armatures and actions: lba1 or lba2."""

ENTITY = "lba_entity"
"""Custom property of the armature: the number of the character in the list of characters, where it came in by that; and of
each of its clips, since several characters may share an armature."""

_MOVERS = "lba_movers"
"""Custom property of the armature: bones that some clip translates."""


@dataclass(eq=False, kw_only=True)
class Stage(importing.Stage):
    rig: Rig


def import_lba(context: bpy.types.Context, options: ImportOptions) -> Imported:
    """Open files and build armatures, meshes and actions. Raises RetroAnimError when nothing could be opened; the scene is
    as it was then. What failed beside others that worked is reported as an error in the log."""
    return progress.finish(steps(context, options))


def steps(context: bpy.types.Context, options: ImportOptions, beside: bool = False) -> progress.Steps[Imported]:
    """The same, character by character: see io/pipeline/into_blender/importing.py."""
    builder = Builder(context, options)
    result = yield from importing.steps(GAME, Plan(context, options), builder, beside)
    for obj, bones in builder.newly_moved:
        _rest_earlier(obj, bones, result.actions)
    return result


class Builder(importing.Builder[ImportOptions, Character, Stage]):
    """newly_moved: armatures that were there already, with the names of bones that only clips of this import translate."""

    def __init__(self, context: bpy.types.Context, options: ImportOptions) -> None:
        super().__init__(context, options)
        self.newly_moved: list[tuple[bpy.types.Object, list[str]]] = []
        self._rigs: dict[int, Rig] = {}

    def frame_rate(self, characters: Sequence[Character]) -> float | None:
        clips = [clip for character in characters for clip in character.clips]
        if not clips:
            return None
        game = clips[0].game
        return game.frame_rate(np.concatenate([clip.anm.times for clip in clips if clip.game is game]))

    def figure(self, character: Character) -> armature.Figure:
        rig = bone_names.named(Rig.build(character.body.skeleton(), CONVENTION, self.options.bone_direction), GAME, self.options.bone_names)
        self._rigs[id(character)] = rig
        return armature.Figure(character.name, rig, self.options.scale)

    def stage(self, character: Character) -> Stage:
        """The armature that takes the clips: one of the scene, or a new one with its mesh."""
        if character.armature is not None:
            with armature.readable(character.armature):
                rig, scale = armature.read_rig(character.armature, CONVENTION)
            return Stage(character.armature, scale, rig=rig)
        rig, obj = self._rigs.pop(id(character)), self.prepared(character)
        data = _data(obj)
        data[identity.RIG] = character.address or obj.name
        source = character.body.source
        if source is not None or character.clips:
            data[VARIANT] = character.clips[0].game.name if source is None else (LBA2 if isinstance(source, Lm2) else LBA1).name
        if len(character.entities) == 1:  # of several each clip has its own
            data[ENTITY] = character.entities[0]
        surface = character.body.mesh(character.palette, character.page, self.options.look)
        if surface is not None:
            self.result.meshes.extend(mesh.build(self.context, f"{character.name} mesh", surface, rig, obj, self.options.scale))
        if source is not None:
            fields.fill(data, ARMATURE_FIELDS, {"box": list(map(int, source.box))})
            path, entry = address.split(character.address)
            resources.keep(data, self.options.palette)
            kind = "lba-lm2" if isinstance(source, Lm2) else "lba-lm1"
            source_data.keep(data, path, int(entry) if entry else source_data.LOOSE, kind, character.body.packed)
        return Stage(obj, self.options.scale, rig=rig)

    def clips(self, stage: Stage, character: Character, fps: float, placement: Placement) -> list[NewAction]:
        """One action per clip."""
        clips = character.clips
        known, movers = _movers(stage.obj, clips)
        if character.armature is not None and movers > known:
            self.newly_moved.append(
                (stage.obj, [stage.rig.skeleton.names[bone] for bone in movers - known if bone < len(stage.rig.skeleton)])
            )
        motions = _motions(stage, clips, movers)
        timings = {game: Timing(game.rate, fps, self.options.frame_start) for game in {clip.game for clip in clips}}
        timed = [(motion, timings[clip.game]) for clip, motion in zip(clips, motions, strict=True)]
        blocks = blocks_of_all(timed, stage.rig, stage.scale, self.options.root_motion, placement)
        return [
            NewAction(
                clip,
                keyed,
                motion,
                timing,
                FORMAT,
                values_of(clip.anm, clip.game, clip.use.roles, clip.use.actions),
                {ENTITY: clip.use.entity} if clip.use.entity is not None else {},
            )
            for clip, keyed, (motion, timing) in zip(clips, blocks, timed, strict=True)
        ]


def values_of(anm: Anm, game: Variant, roles: Sequence[str] = (), actions: Sequence[Action] = ()) -> dict[str, Any]:
    """The fields of an animation that no curve shows, by name."""
    values = {
        "game": game.name,
        "loop_frame": anm.loop_frame,
        "word3": anm.word3,
        "bone_count": anm.bone_count,
        "first_duration": int(anm.durations[0]),
        "first_step": anm.steps[0].tolist(),
        "first_rotation": rotations_of(anm, game)[0].tolist(),
    }
    if actions:
        values["events"] = listed(actions, len(anm.frames))
    return {**values, "roles": ", ".join(roles)} if roles else values


def _motions(stage: Stage, clips: Sequence[Clip], movers: set[int]) -> list[Motion]:
    """The keys of every clip."""
    motions: dict[int, Motion] = {}
    for game in {clip.game for clip in clips}:
        chosen = [clip for clip in clips if clip.game is game]
        sources = [Source(clip.anm, clip.name, tuple((action.frame, action.title) for action in clip.use.actions)) for clip in chosen]
        motions.update(zip(map(id, chosen), clips_of(sources, game, len(stage.rig.skeleton), movers), strict=True))
    return [motions[id(clip)] for clip in clips]


def _movers(obj: bpy.types.Object, clips: Sequence[Clip]) -> tuple[set[int], set[int]]:
    """The bones that clips imported before translate, and those that any of the character's clips does."""
    data = _data(obj)
    known = movers_known(obj)
    movers = known.union(*(movers_of(clip.anm, clip.game) for clip in clips))
    if movers:
        data[_MOVERS] = fields.numbers(sorted(movers))
    return known, movers


def movers_known(obj: bpy.types.Object) -> set[int]:
    """The bones that some clip of an armature translates, as far as they came in."""
    return set(fields.whole(_data(obj).get(_MOVERS)) or ())


def _rest_earlier(obj: bpy.types.Object, bones: Sequence[str], new: Sequence[bpy.types.Action]) -> None:
    """In earlier actions of the armature these bones stay where they rest."""
    channels = [Channel(bone, "location", axis) for bone in bones for axis in range(3)]
    for action in bpy.data.actions:
        if action not in new and action.library is None and action.get(source_data.FORMAT) == FORMAT and selection.drives(action, obj):
            curve_writer.put_at_rest(action, obj, channels)


def _data(obj: bpy.types.Object) -> bpy.types.Armature:
    assert isinstance(obj.data, bpy.types.Armature)
    return obj.data
