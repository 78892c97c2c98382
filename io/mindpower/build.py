"""Tales of Pirates into Blender: armature, skinned meshes, dummies and actions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import bpy
import numpy as np

from ...core.mindpower.files.mesh.helpers import Helpers
from ...core.mindpower.files.ranges import spare
from ...core.mindpower.files.skeleton.lab_layout import RATE
from ...core.mindpower.game import GAME, ImportOptions
from ...core.mindpower.motion import shear
from ...core.mindpower.motion.channels import clip_of, matrix_rig
from ...core.mindpower.motion.motion import Motion
from ...core.mindpower.motion.rig import AXES
from ...core.motion.blocks import blocks_of_all
from ...core.motion.curves import Placement, Timing
from ...core.reporting import progress
from ..blender import armature, compat, identity, source_data
from ..blender.surface import mesh
from ..pipeline.into_blender import importing
from ..pipeline.into_blender.importing import Imported, NewAction
from . import marks
from .clips import actions, table
from .figure import dummies, figure, figure_read, meshes
from .figure.figure import Figure
from .plan import Character, Part, Plan

ERROR = "mindpower_error"
"""Custom property of an armature with sheared bones: the largest distance of a vertex from where the game has it."""

__all__ = ["ImportOptions", "Imported", "import_mindpower"]


@dataclass(eq=False, kw_only=True)
class Stage(importing.Stage):
    """motion: what the bones hold at all frames of the file, None where that is lost. new: whether the armature was just built."""

    figure: Figure
    motion: Motion | None
    new: bool


def import_mindpower(context: bpy.types.Context, options: ImportOptions) -> Imported:
    """Open files and build what is in them. Raises RetroAnimError when nothing could be opened; the scene is as it was then. What failed
    beside others that worked is reported as an error in the log."""
    return progress.finish(steps(context, options))


def steps(context: bpy.types.Context, options: ImportOptions, beside: bool = False) -> progress.Steps[Imported]:
    """The same, character by character: see io/pipeline/into_blender/importing.py."""
    return (yield from importing.steps(GAME, Plan(context, options), Builder(context, options), beside))


class Builder(importing.Builder[ImportOptions, Character, Stage]):
    def frame_rate(self, characters: Sequence[Character]) -> float | None:
        return RATE if characters else None

    def stage(self, character: Character) -> Stage:
        """The armature of a skeleton file, of the scene or a new one. The rest is built when it has its actions."""
        if character.armature is not None:
            known = figure_read.read(character.armature)
            if character.clips:
                return self._stage(known, known.motion_of(character.lab), new=False)
            return self._stage(known, None if known.before is None else known.before.shown, new=False)
        surfaces = [part.surface for part in character.parts]
        shown = surfaces if self.options.helper_bones else None
        obj, motion, names = figure.build(self.context, character.lab, character.name, self.options, shown)
        armature.data_of(obj)[identity.RIG] = character.path or character.name
        stage = self._stage(figure.fresh(obj, character.lab, motion, names), motion, new=True)
        if surfaces:
            stage.points = np.concatenate([surface.points for surface in surfaces]) @ AXES * stage.figure.rig.scale
        return stage

    def _stage(self, known: Figure, motion: Motion | None, *, new: bool) -> Stage:
        return Stage(known.obj, known.rig.scale, "BONE", Placement.origin(), figure=known, motion=motion, new=new)

    def clips(self, stage: Stage, character: Character, fps: float, placement: Placement) -> list[NewAction]:
        """One action per range, in its own length from its own start."""
        if not character.clips:
            return []
        assert stage.motion is not None
        timing, poses = Timing(RATE, fps, self.options.frame_start), character.poses
        motions = [
            clip_of(stage.motion, clip.name, clip.range.start, clip.range.end + 1, actions.events_of(clip.range, clip.marked, poses))
            for clip in character.clips
        ]
        rig = matrix_rig(stage.motion.rig, stage.figure.names)
        blocks = blocks_of_all([(motion, timing) for motion in motions], rig, 1.0, "BONE", placement)
        stage.motion = replace(stage.motion, dense=None)  # which is in the curves now, and as large as they are
        return [
            NewAction(clip, keyed, replace(motion, tracks=[]), timing, figure.FORMAT, actions.values_of(clip.range, poses))
            for clip, keyed, motion in zip(character.clips, blocks, motions, strict=True)
        ]

    def show(self, stage: Stage, action: bpy.types.Action) -> None:
        compat.assign(stage.obj, action)

    def finish(self, stage: Stage, character: Character) -> None:
        """The source data, which the actions point to as well, the action table, dummies and meshes."""
        data = armature.data_of(stage.obj)
        if stage.new:
            ranges = [clip.range for clip in character.clips]
            free = spare(ranges, character.lab.frame_count)
            figure.remember(stage.figure, character.path, character.document, stage.packed, free)
        elif stage.actions and stage.figure.original is None:
            source_data.keep(data, character.path, source_data.LOOSE, figure.FORMAT, character.document, stage.packed)
        for action in stage.actions:
            action[source_data.SOURCE], action[source_data.ENTRY] = data[source_data.SOURCE], source_data.LOOSE
        if character.table is not None and (stage.new or (stage.actions and table.TABLE not in data)):
            table.remember(stage.obj, character.table.document, character.table.path, character.table.type)
        known = stage.figure
        hooks = dummies.build(self.context, known, character.lab) if stage.new else dummies.present(known)
        self._meshes(stage, character.parts, hooks)

    def _meshes(self, stage: Stage, parts: list[Part], hooks: Sequence[bpy.types.Object]) -> None:
        """The parts as skinned meshes, what else their files have, and the error of vertices on sheared bones. hooks: the dummies."""
        known = stage.figure
        rig = known.rig.as_built(known.shown)
        for part in parts:
            objects = mesh.build(self.context, part.name, part.surface, rig, known.obj, known.rig.scale)
            for obj in objects:
                source_data.keep(obj.data, part.path, source_data.LOOSE, meshes.FORMAT, part.data)
            if isinstance(part.lgo.helpers, Helpers):
                dummies.build_helpers(self.context, known, part.lgo.helpers, objects[0], hooks)
            marks.add_mesh(known.obj, part.path)
            self.result.meshes.extend(objects)
        if stage.motion is not None and stage.motion.errors:
            _report_errors(known, stage.motion, parts)
        if stage.motion is not None and parts:
            shear.report_distance(stage.motion)


def _report_errors(known: Figure, motion: Motion, parts: list[Part]) -> None:
    """Of the bones whose vertices show that they are not exact."""
    worst = shear.worst_of(motion, [part.surface for part in parts])
    shown = {known.names.bones[bone]: far for bone, far in worst.items() if far > shear.VISIBLE * known.rig.scale}
    armature.data_of(known.obj)[ERROR] = max(shown.values(), default=0.0)
    shear.report(shown)
