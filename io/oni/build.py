"""Oni into Blender: armatures with their meshes and actions, and objects. What a file asks for: see oni_plan; the way back: oni_export."""

from __future__ import annotations

from dataclasses import dataclass

import bpy
import numpy as np

from ...core.motion.clip import Clip as Motion
from ...core.motion.curves import Block, Placement
from ...core.oni.motion.derived import Figure
from ...core.oni.motion.evaluate import RATE
from ...core.oni.motion.motion import Settings, blocks_of
from ...core.oni.motion.object_motion import ObjectSettings, object_blocks
from ...core.oni.motion.rig import OniRig
from ...core.oni.records import oban
from ...core.oni.records.oban import Oban
from ...core.oni.records.tram import Tram
from ...core.reporting import labels, log, progress
from ...core.reporting.errors import FormatError, reading
from ..blender import actions, armature, compat, mesh, scene, source_data
from . import markers, properties
from .plan import BODY, Character, Clip, ImportOptions, Plan

BOXES = "oni_boxes"
"""Custom property of an armature: the box around each bone's mesh, its low and its high corner, in the bone's axes and game units."""

DENSE = "oni_every_frame"
"""Custom property of an action: whether it came in with a key every frame."""

TRAM_KIND, OBAN_KIND = "oni-tram", "oni-oban"
"""What the holder says of a file that is kept."""

SCALE = 0.1
"""Metres a game unit."""

LENS = 45.0
"""Degrees, across: the game's cameras as OniSplit exports them."""

__all__ = ["ImportOptions", "Imported", "import_oni"]


@dataclass(frozen=True, eq=False)
class Imported:
    """What came in: armatures, objects and cameras, and the actions of both, in the order of the files."""

    armatures: list[bpy.types.Object]
    objects: list[bpy.types.Object]
    actions: list[bpy.types.Action]


def import_oni(context: bpy.types.Context, options: ImportOptions) -> Imported:
    """Open files and build armatures, meshes, objects and actions. Raises RetroAnimError when nothing could be opened; the scene is
    as it was then. What failed beside others that worked is said as an error in the log."""
    plan = Plan(context, options)
    for path in options.paths:
        plan.read(path)
    plan.finish()
    with scene.unchanged_on_failure(context), scene.object_mode(context):
        target = context.view_layer.objects.active
        if options.fps_mode == "SET" and (plan.objects or any(character.clips for character in plan.characters.values())):
            scene.set_fps(context.scene, RATE)
        armatures: list[bpy.types.Object] = []
        made: list[bpy.types.Action] = []
        for character in progress.steps(list(plan.characters.values())):
            armatures.append(_character(context, options, character, made))
        objects = [_object(context, options, clip, target, made) for clip in progress.steps(plan.objects)]
        if armatures or objects:
            scene.make_active(context, (armatures or objects)[-1])
        return Imported(armatures, objects, made)


def _character(context: bpy.types.Context, options: ImportOptions, character: Character, made: list[bpy.types.Action]) -> bpy.types.Object:
    obj = character.obj or _figure(context, options, character)
    rig, scale = read_rig(obj)
    placement = actions.placement_of(obj)
    fps, dense = scene.fps(context.scene), options.keys == "EVERY"
    settings = Settings(fps, options.frame_start, scale, options.root_motion, placement, dense)
    named: list[tuple[str, list[Block]]] = []
    for clip in character.clips:
        assert isinstance(clip.record, Tram)
        with log.about(clip.record.name), reading(clip.path):
            named.append((clip.record.name, blocks_of(clip.record, rig, settings)))
    written = actions.write(obj, named)
    for clip, action in zip(character.clips, written, strict=True):
        assert isinstance(clip.record, Tram)
        _finish(action, clip, clip.record.frame_count, settings)
        actions.remember(action, settings.timing, scale, options.root_motion, placement)
        action[actions.RIG] = obj.data.get(actions.RIG, "")
        markers.update(action)
    if written:
        actions.show(obj, written[0], options.root_motion)
    made += written
    return obj


def _figure(context: bpy.types.Context, options: ImportOptions, character: Character) -> bpy.types.Object:
    """A new armature in the T pose, with its mesh."""
    body = character.body
    rig = OniRig.build(body.names, body.parents, body.offsets, body.lengths, options.bone_direction)
    obj = armature.build(context, character.name, rig.matrix, options.scale)
    data = obj.data
    assert isinstance(data, bpy.types.Armature)
    data[actions.RIG] = body.address or body.name or character.name
    data[BODY] = body.address
    if body.has_meshes and body.address:
        data[BOXES] = np.concatenate([body.low, body.high], axis=1).ravel().tolist()
    if options.meshes == "ONE" and body.has_meshes:
        mesh.build(context, f"{character.name} mesh", body.mesh(), rig.matrix, obj, options.scale)
    elif options.meshes == "SEPARATE":
        for bone, piece in enumerate(body.pieces):
            if piece is not None:
                mesh.build(context, f"{character.name} {body.names[bone]}", body.mesh([bone]), rig.matrix, obj, options.scale)
    return obj


def read_rig(obj: bpy.types.Object) -> tuple[OniRig, float]:
    """The rig that an armature stands for, and its scale. Raises ValueError when its bones carry no numbers."""
    names, parents, matrices, scale = armature.read_bones(obj)
    return OniRig.of_rest(names, parents, matrices[:, :3, :3], matrices[:, :3, 3] / scale), scale


def figure_of(obj: bpy.types.Object, rig: OniRig) -> Figure:
    """The sizes of an armature's body, as far as they are known."""
    boxes = np.array(obj.data.get(BOXES, ()), np.float64)
    parents, offsets = rig.skeleton.parents, rig.offsets
    if boxes.size != 6 * len(parents):
        return Figure(parents, offsets)
    corners = boxes.reshape(-1, 2, 3)
    return Figure(parents, offsets, corners[:, 0], corners[:, 1])


def _object(
    context: bpy.types.Context, options: ImportOptions, clip: Clip, target: bpy.types.Object | None, made: list[bpy.types.Action]
) -> bpy.types.Object:
    """An OBAN on the object that is meant."""
    record = clip.record
    assert isinstance(record, Oban)
    settings = ObjectSettings(
        scene.fps(context.scene), options.frame_start, options.scale, options.keys == "EVERY", bool(record.flags & oban.LOCAL)
    )
    with log.about(record.name), reading(clip.path):
        blocks = object_blocks(record, settings)
        if options.target == "ACTIVE" and target is None:
            raise FormatError("there is no active object to move")
    obj = target if options.target == "ACTIVE" and target is not None else _new_object(context, options, record.name[4:] or "object")
    (action,) = actions.write(obj, [(record.name, blocks)])
    _finish(action, clip, int(record.keys["frame"][-1]) + 1, settings)
    actions.remember(action, settings.timing, options.scale, "OBJECT", Placement.origin())
    markers.update(action)
    obj.rotation_mode = "QUATERNION"
    compat.assign(obj, action)
    made.append(action)
    return obj


def _new_object(context: bpy.types.Context, options: ImportOptions, name: str) -> bpy.types.Object:
    name = labels.label(name, "object", compat.NAME_LIMIT)
    if options.target != "CAMERA":
        obj = bpy.data.objects.new(name, None)
        obj.empty_display_type, obj.empty_display_size = "ARROWS", 10 * options.scale
        return scene.link(context, obj)
    camera = bpy.data.cameras.new(name)
    camera.sensor_fit, camera.angle = "HORIZONTAL", float(np.radians(LENS))
    camera.clip_start, camera.clip_end = options.scale, 10000 * options.scale
    return scene.link(context, bpy.data.objects.new(name, camera))


def _finish(action: bpy.types.Action, clip: Clip, frames: int, settings: Settings | ObjectSettings) -> None:
    """All that must be remembered of an action's file."""
    actions.finish(action, Motion(clip.record.name, RATE, [], None, float(frames - 1)), settings.timing)
    action[DENSE] = settings.dense
    properties.fill(action, clip.record)
    source_data.keep(action, clip.path, clip.entry, TRAM_KIND if isinstance(clip.record, Tram) else OBAN_KIND, clip.data)
