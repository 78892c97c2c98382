"""Stick into Blender."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import bpy

from ...core.motion.blocks import blocks_of
from ...core.motion.curves import Placement, Timing
from ...core.motion.rigs.matrix_rig import MatrixRig
from ...core.reporting import progress
from ...core.stick.game import GAME, ImportOptions
from ...core.stick.motion import RATE, clip_of, rig_of, skeleton_of
from ..blender import armature, identity
from ..pipeline.into_blender import importing
from ..pipeline.into_blender.importing import Imported, NewAction
from .plan import Character, Plan

FORMAT = "stick"
"""The kind of the source data of the game's actions."""


@dataclass(eq=False, kw_only=True)
class Stage(importing.Stage):
    rig: MatrixRig


def import_stick(context: bpy.types.Context, options: ImportOptions) -> Imported:
    """Open files and build armatures and actions. Raises RetroAnimError when nothing could be opened."""
    return progress.finish(steps(context, options))


def steps(context: bpy.types.Context, options: ImportOptions, beside: bool = False) -> progress.Steps[Imported]:
    """The same, character by character."""
    return (yield from importing.steps(GAME, Plan(context, options), Builder(context, options), beside))


class Builder(importing.Builder[ImportOptions, Character, Stage]):
    def frame_rate(self, characters: Sequence[Character]) -> float | None:
        return RATE

    def stage(self, character: Character) -> Stage:
        rig = rig_of(skeleton_of(character.clips[0].document))
        if character.armature is not None:
            data: Any = character.armature.data
            return Stage(character.armature, float(data[armature.SCALE]), "BONE", rig=rig)
        obj = armature.build(self.context, character.name, rig, self.options.scale)
        data = obj.data
        data[identity.RIG] = rig.skeleton.fingerprint
        return Stage(obj, self.options.scale, "BONE", rig=rig)

    def clips(self, stage: Stage, character: Character, fps: float, placement: Placement) -> list[NewAction]:
        timing = Timing(RATE, fps, self.options.frame_start)
        created: list[NewAction] = []
        for clip in character.clips:
            motion = clip_of(clip.document, clip.name)
            blocks = blocks_of(motion, stage.rig, timing, stage.scale, "BONE", placement)
            values = {"mood": clip.document.mood, "author": clip.document.author}
            created.append(NewAction(clip, blocks, motion, timing, FORMAT, values))
        return created
