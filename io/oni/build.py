"""Oni into Blender: armatures with their meshes and actions, and objects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import bpy
import numpy as np

from ...core.motion.blocks import blocks_of_all
from ...core.motion.clip import Clip as Motion
from ...core.motion.curves import Block, Placement, Timing
from ...core.oni.body.body import Body
from ...core.oni.field_values import Details
from ...core.oni.game import GAME, ImportOptions
from ...core.oni.motion.derived import Figure
from ...core.oni.motion.evaluate import RATE
from ...core.oni.motion.motion import Settings, clips_of
from ...core.oni.motion.object_motion import ObjectSettings, object_blocks, say_sheared
from ...core.oni.motion.rig import OniRig
from ...core.oni.records import oban
from ...core.oni.records.oban import Oban
from ...core.oni.records.tram import Tram
from ...core.reporting import labels, log, progress
from ...core.reporting.errors import reading
from ..blender import armature, arrays, compat, identity, new_objects, scene
from ..blender.surface import mesh
from ..pipeline.into_blender import bone_names, importing
from ..pipeline.into_blender.importing import Imported, NewAction
from . import parents
from .body import body_origin, drawn
from .fields import markers, properties
from .fields.properties import BODY
from .plan import Character, Clip, Plan

BOXES = "oni_boxes"
"""Custom property of an armature: the box around each bone's mesh, its low and its high corner, in the bone's axes and game units."""

DENSE = "oni_every_frame"
"""Custom property of an action: whether it was imported with a key every frame."""

TRAM_KIND, OBAN_KIND = "oni-tram", "oni-oban"
"""The kinds of the source data of the game's actions."""

SCALE = 0.1
"""Metres per game unit."""

LENS = 45.0
"""Degrees, across: the game's cameras as OniSplit exports them."""


@dataclass(eq=False, kw_only=True)
class Stage(importing.Stage):
    """rig: None of an object. local: whether an object's motion is relative to its parent. fields: those that its actions are copied
    with."""

    rig: OniRig | None = None
    local: bool = False
    fields: Details | None = None


def import_oni(context: bpy.types.Context, options: ImportOptions) -> Imported:
    """Open files and build armatures, meshes, objects and actions. Raises RetroAnimError when nothing could be opened; the scene is
    as it was then. What failed beside others that worked is reported as an error in the log."""
    return progress.finish(steps(context, options))


def steps(context: bpy.types.Context, options: ImportOptions, beside: bool = False) -> progress.Steps[Imported]:
    """The same, character by character: see io/pipeline/into_blender/importing.py."""
    plan = Plan(context, options)
    return (yield from importing.steps(GAME, plan, Builder(context, options, plan.target), beside))


class Builder(importing.Builder[ImportOptions, Character, Stage]):
    """target: the object that is active before the import."""

    def __init__(self, context: bpy.types.Context, options: ImportOptions, target: bpy.types.Object | None) -> None:
        super().__init__(context, options)
        self.target = target

    def frame_rate(self, characters: Sequence[Character]) -> float | None:
        return RATE if any(character.clips for character in characters) else None

    def stage(self, character: Character) -> Stage:
        if character.body is None:
            obj = self.target if self.options.target == "ACTIVE" and self.target is not None else self._new_object(character.name)
            local = any(isinstance(clip.record, Oban) and clip.record.flags & oban.LOCAL for clip in character.clips)
            return Stage(obj, self.options.scale, "OBJECT", Placement.origin(), local=local)
        obj = character.armature or self._new_armature(character.name, character.body)
        rig, scale = read_rig(obj)
        return Stage(obj, scale, rig=rig)

    def clips(self, stage: Stage, character: Character, fps: float, placement: Placement) -> list[NewAction]:
        """One action per clip."""
        options = self.options
        if stage.rig is None:
            return [self._object_action(clip, fps) for clip in character.clips]
        settings = Settings(fps, options.frame_start, stage.scale, options.root_motion, placement, options.keys == "EVERY")
        timing = settings.timing
        motions: list[Motion] = []
        converted = clips_of([clip.record for clip in character.clips if isinstance(clip.record, Tram)], stage.rig, settings)
        for clip in character.clips:
            with log.about(clip.name), reading(clip.path):
                motions.append(next(converted))
        timed = [(motion, timing) for motion in motions]
        blocks = blocks_of_all(timed, stage.rig, settings.scale, settings.root_motion, placement)
        return [
            self._action(clip, keyed, motion, timing, TRAM_KIND)
            for clip, keyed, motion in zip(character.clips, blocks, motions, strict=True)
        ]

    def show(self, stage: Stage, action: bpy.types.Action) -> None:
        if stage.rig is not None:
            super().show(stage, action)
        else:
            stage.obj.rotation_mode = "QUATERNION"
            compat.assign(stage.obj, action)
            if not stage.local:
                parents.set_inverse(self.context, stage.obj)

    def describe(self, stage: Stage, character: Character, action: bpy.types.Action) -> None:
        """All clips of a character are of one kind, with mostly the same fields."""
        stage.fields = properties.fill(action, character.clips[0].record)

    def finish(self, stage: Stage, character: Character) -> None:
        timing = Timing(RATE, scene.fps(self.context.scene), self.options.frame_start)
        for clip, action in zip(character.clips, stage.actions, strict=True):
            kind = properties.TRAM if isinstance(clip.record, Tram) else properties.OBAN
            markers.put(action, kind, properties.fill(action, clip.record, stage.fields), timing)

    def _object_action(self, clip: Clip, fps: float) -> NewAction:
        """The action of an OBAN."""
        record, options = clip.record, self.options
        assert isinstance(record, Oban)
        dense, local = options.keys == "EVERY", bool(record.flags & oban.LOCAL)
        settings = ObjectSettings(fps, options.frame_start, options.scale, dense, local)
        with log.about(clip.name), reading(clip.path):
            say_sheared(record.base)
            blocks = object_blocks(record, settings)
        motion = Motion(clip.name, RATE, [], None, float(record.keys["frame"][-1]))
        return self._action(clip, blocks, motion, settings.timing, OBAN_KIND)

    def _action(self, clip: Clip, blocks: list[Block], motion: Motion, timing: Timing, kind: str) -> NewAction:
        return NewAction(clip, blocks, motion, timing, kind, properties={DENSE: self.options.keys == "EVERY"})

    def _new_armature(self, name: str, body: Body) -> bpy.types.Object:
        """In the T pose, with its meshes."""
        context, options = self.context, self.options
        rig = OniRig.build(body.names, body.parents, body.offsets, body.lengths, options.bone_direction, body.height)
        rig = bone_names.named(rig, GAME, options.bone_names)
        obj = armature.build(context, name, rig, options.scale, body.names)
        data = obj.data
        assert isinstance(data, bpy.types.Armature)
        data[identity.RIG] = body.address or obj.name
        data[BODY] = body.address
        if body.has_meshes and body.address:
            data[BOXES] = np.concatenate([body.low, body.high], axis=1).ravel().tolist()
        meshes = self.result.meshes
        first = len(meshes)
        if options.pieces == "ONE" and body.has_meshes:
            meshes.extend(mesh.build(context, f"{name} mesh", body.mesh(), rig, obj, options.scale))
        elif options.pieces == "SEPARATE":
            for bone, piece in enumerate(body.pieces):
                if piece is not None:
                    meshes.extend(mesh.build(context, f"{name} {body.names[bone]}", body.mesh([bone]), rig, obj, options.scale))
        body_origin.keep(data, body, options.detail)
        drawn.remember(meshes[first:])
        return obj

    def _new_object(self, name: str) -> bpy.types.Object:
        """An empty or a camera for an OBAN."""
        scale, name = self.options.scale, labels.label(name, "object", compat.NAME_LIMIT)
        if self.options.target != "CAMERA":
            obj = bpy.data.objects.new(name, None)
            obj.empty_display_type, obj.empty_display_size = "ARROWS", 10 * scale
            return new_objects.link(self.context, obj)
        camera = bpy.data.cameras.new(name)
        camera.sensor_fit, camera.angle = "HORIZONTAL", float(np.radians(LENS))
        camera.clip_start, camera.clip_end = scale, 10000 * scale
        return new_objects.link(self.context, bpy.data.objects.new(name, camera))


def read_rig(obj: bpy.types.Object) -> tuple[OniRig, float]:
    """The rig that an armature stands for, and its scale. Raises ValueError when its bones carry no numbers."""
    names, parents, matrices, scale = armature.read_bones(obj)
    return OniRig.of_rest(names, parents, matrices[:, :3, :3], matrices[:, :3, 3] / scale), scale


def figure_of(obj: bpy.types.Object, rig: OniRig) -> Figure:
    """The sizes of an armature's body, as far as they are known."""
    boxes = arrays.of_property(armature.data_of(obj).get(BOXES))
    parents, offsets = rig.skeleton.parents, rig.bone_offsets
    if boxes.size != 6 * len(parents):
        return Figure(parents, offsets)
    corners = boxes.reshape(-1, 2, 3)
    return Figure(parents, offsets, corners[:, 0], corners[:, 1])
