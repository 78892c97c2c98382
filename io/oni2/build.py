"""Oni 2 into Blender: armatures, meshes and actions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import bpy
import numpy as np

from ...core.motion.blocks import blocks_of_all
from ...core.motion.curves import Placement, Timing
from ...core.oni2.files.anim import RATE, Anim
from ...core.oni2.files.mesh.mod import is_placed
from ...core.oni2.game import GAME, ImportOptions
from ...core.oni2.motion.channels import layout_of
from ...core.oni2.motion.motion import Conversion, clip_of
from ...core.reporting import log, progress
from ...core.reporting.errors import FormatError
from ..blender import armature, identity, source_data
from ..blender.surface import mesh
from ..pipeline.into_blender import importing
from ..pipeline.into_blender.importing import Imported, NewAction
from . import figure
from .figure import Figure
from .plan import Character, Clip, Plan, origin

FORMAT = "ANIM"
"""The kind of the source data of the game's actions."""

MESH = "MOD"
"""The kind of the source data of meshes."""

COLUMNS, OFFSETS = "oni2_channels", "oni2_offsets"
"""Custom properties of actions: the meaning of each number of a frame, and the skeleton's offsets then."""


@dataclass(eq=False, kw_only=True)
class Stage(importing.Stage):
    figure: Figure


def import_oni2(context: bpy.types.Context, options: ImportOptions) -> Imported:
    """Open files and build armatures, meshes and actions. Raises RetroAnimError when nothing could be opened, or none of the animations;
    the scene is as it was then. What failed beside others that worked is reported as an error in the log."""
    return progress.finish(steps(context, options))


def steps(context: bpy.types.Context, options: ImportOptions, beside: bool = False) -> progress.Steps[Imported]:
    """The same, character by character: see io/pipeline/into_blender/importing.py."""
    return (yield from importing.steps(GAME, Plan(context, options), Builder(context, options), beside))


class Builder(importing.Builder[ImportOptions, Character, Stage]):
    def frame_rate(self, characters: Sequence[Character]) -> float | None:
        return RATE if any(character.clips for character in characters) else None

    def stage(self, character: Character) -> Stage:
        """The armature that takes the clips: one of the scene, or a new one; with the character's meshes."""
        built = figure.read(character.armature or self._armature(character))
        for where, mod in character.models:
            try:
                surface = mod.model.mesh(built.rig.skeleton.heads, is_placed(mod, where))
            except FormatError as error:
                error.path = error.path or where
                log.error(str(error))
                continue
            objects = mesh.build(self.context, f"{character.name} mesh", surface, built.rig, built.obj, built.scale)
            source_data.keep(objects[0].data, *origin(where), MESH, mod.pack())
            self.result.meshes.extend(objects)
        return Stage(built.obj, built.scale, figure=built)

    def _armature(self, character: Character) -> bpy.types.Object:
        options, skel = self.options, character.skel
        obj = figure.build(self.context, character.name, skel, options)
        data = armature.data_of(obj)
        data[identity.RIG] = character.address or obj.name
        source_data.keep(data, *origin(character.address or f"{character.name}.skel"), figure.FORMAT, skel.pack())
        return obj

    def clips(self, stage: Stage, character: Character, fps: float, placement: Placement) -> list[NewAction]:
        """One action per clip."""
        options, built = self.options, stage.figure
        timing = Timing(RATE, fps, options.frame_start)
        conversion = Conversion(
            built.skel, layout_of(built.skel), built.rig, timing, built.scale, options.root_motion, placement, options.interpretation
        )
        motions = [clip_of(clip.anim, replace(conversion, layout=clip.layout), clip.name) for clip in character.clips]
        blocks = blocks_of_all([(motion, timing) for motion in motions], built.rig, built.scale, options.root_motion, placement)
        offsets = built.skel.offsets.ravel().tolist()
        return [
            NewAction(clip, keyed, motion, timing, FORMAT, self._values(clip), {COLUMNS: clip.layout.text, OFFSETS: offsets})
            for clip, keyed, motion in zip(character.clips, blocks, motions, strict=True)
        ]

    def _values(self, clip: Clip) -> dict[str, Any]:
        values = {**values_of(clip.anim), "interpretation": self.options.interpretation.text}
        return {**values, "aliases": ", ".join(clip.aliases)} if clip.aliases else values


def values_of(anim: Anim) -> dict[str, Any]:
    """The fields of an animation that no curve shows, by name; those that its kind has."""
    values: dict[str, Any] = {"kind": anim.kind, "stride": anim.stride.astype(np.float64).tolist()}
    if anim.flags is not None:
        values["flags"] = f"0x{anim.flags:08X}"
    if anim.loop is not None:
        values["loop_byte"] = anim.loop
    return values
