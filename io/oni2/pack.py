"""What an action or an armature of Oni 2 stands for: an .anim, or a .skel."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import bpy
import numpy as np

from ...core.motion.curves import Placement, Timing, of_clip
from ...core.motion.modes import modes_of
from ...core.motion.rotations.rotation_matrix import Floats
from ...core.oni2.fields import ACTION_FIELDS, DELTA
from ...core.oni2.files.anim import RATE, Anim, has_deltas
from ...core.oni2.files.header import Header
from ...core.oni2.files.interpretation import Interpretation
from ...core.oni2.files.skeleton.skel import Skel
from ...core.oni2.game import ExportOptions
from ...core.oni2.motion import foreign
from ...core.oni2.motion.channels import Layout, layout_of
from ...core.oni2.motion.motion import SCALE, Conversion
from ...core.oni2.motion.sampling import evaluated, frames_of, gather, sampled
from ...core.oni2.motion.update import Before, update
from ...core.reporting import log
from ...core.reporting.errors import ExportError
from ..blender import armature, arrays, fields, scene, source_data
from ..blender.motion import actions, fcurves
from ..blender.motion import evaluated as shown
from ..blender.motion.nla import nla_keys
from ..pipeline.loops.closing import closing_of
from . import figure as oni2_figure
from .build import COLUMNS, FORMAT, OFFSETS
from .figure import Figure

_INTERPRETATION = next(field.property for field in ACTION_FIELDS if field.name == "interpretation")


def pack_action(
    context: bpy.types.Context,
    obj: bpy.types.Object,
    action: bpy.types.Action,
    options: ExportOptions,
    figure: Figure | None = None,
) -> bytes:
    """The .anim that an action on an armature stands for. figure: the armature, where it has been read already. Raises ExportError."""
    if oni2_figure.is_figure(obj):
        anim = _of_figure(context, figure or oni2_figure.read(obj), action, options)
    else:
        anim = _of_other(context, obj, action, options)
    return anim.pack()


def _of_figure(context: bpy.types.Context, figure: Figure, action: bpy.types.Action, options: ExportOptions) -> Anim:
    obj = figure.obj
    conversion = conversion_of(context, figure, action)
    original = original_of(action)
    before = None if original is None else Before.of(original, conversion_before(conversion, action, original))
    read = fcurves.read_curves(action, obj, modes_of(figure.rig), looks=options.looks)
    if not options.looks:
        read = replace(read, curves=of_clip(read.curves, figure.rig.skeleton.names, DELTA, SCALE))
    header = header_of(action, original, options)
    closing = _closing(action, read) if header.loops else None
    frames = frames_of(read.curves, conversion, closing)
    if options.looks:
        keyed = sampled(read.curves, frames, conversion)
        with shown.alone(obj, action):
            bones = evaluated(shown.poses(context, obj, figure.rig.skeleton.names, frames), keyed, conversion)
    else:
        bones = sampled(read.curves, frames, conversion)
    samples = replace(
        gather(read.curves, frames, bones, conversion, closing),
        closes=closing_of(action, obj, read.curves, imported=header.loops) is not None,
    )
    return update(samples, conversion, header, before)


def _closing(action: bpy.types.Action, read: fcurves.ReadCurves) -> float | None:
    """The frame of the generated keys that close a loop, None without such."""
    return max((float(frames[-1]) for frames in nla_keys.closing_keys(action, read.generated).values()), default=None)


def original_of(action: bpy.types.Action) -> Anim | None:
    """The document that an action came from, if it is kept."""
    data = source_data.kept(action, FORMAT)
    return Anim.again(data) if data is not None else None


def conversion_of(context: bpy.types.Context, figure: Figure, action: bpy.types.Action) -> Conversion:
    """What was remembered at import; for an action that never was imported, what the scene has."""
    came = actions.remembered(action)
    interpretation = Interpretation.parse(str(action.get(_INTERPRETATION, "")))
    layout = _layout(figure.skel, action, interpretation)
    if came is None:
        timing = Timing(RATE, scene.fps(context.scene), float(action.frame_range[0]))
        root_motion, start = actions.root_motion_of(figure.obj, "BONE"), actions.start_of(figure.obj, action)
        return Conversion(figure.skel, layout, figure.rig, timing, figure.scale, root_motion, start, interpretation)
    if abs(came.scale - figure.scale) > 1e-9 * figure.scale:
        log.warning(f"the armature's scale is {figure.scale:g}, the action was imported at {came.scale:g}")
    timing = Timing(RATE, came.fps, came.start)
    return Conversion(figure.skel, layout, figure.rig, timing, figure.scale, came.root_motion, came.placement, interpretation)


def _layout(skel: Skel, action: bpy.types.Action, interpretation: Interpretation) -> Layout:
    """The channels as the animation was imported with them, if the skeleton still has all its bones."""
    layout = layout_of(skel, interpretation.order)
    try:
        kept = layout.with_text(str(action.get(COLUMNS, "")))
    except ValueError:
        return layout
    return kept if len(kept) and max(column.bone for column in kept.columns) < len(skel.bones) else layout


def conversion_before(conversion: Conversion, action: bpy.types.Action, original: Anim) -> Conversion:
    """What the action was imported with."""
    came = actions.remembered(action)
    scale = came.scale if came is not None else conversion.scale
    layout = conversion.layout
    if len(layout) != original.channel_count:
        raise ExportError(
            f"{original.channel_count} channels were imported, but {len(layout)} would be written: bones, or "
            "their channels, are others than then: bring them back as they were"
        )
    numbers = arrays.of_property(action.get(OFFSETS))
    skel = conversion.skel
    if numbers.size == skel.offsets.size and not np.array_equal(numbers, skel.offsets.ravel()):
        skel = skel.with_offsets(numbers.reshape(-1, 3))
    return replace(conversion, skel=skel, scale=scale)


def header_of(action: bpy.types.Action, original: Anim | None, options: ExportOptions) -> Header:
    """As the action was imported, with what the user has changed on it, as the kind that was chosen. Raises ExportError for a property
    that the file cannot hold."""
    values = fields.read(action, ACTION_FIELDS)
    before = Header.of(original) if original is not None else _stored(values)
    header = before if original is None else _changed(values, before, original)
    if header.loops == before.loops:
        header = header.looping(bool(action.use_cyclic))
    if options.kind != "AUTO":
        header = header.as_kind(options.kind)
    if options.deltas != "AUTO":
        header = header.with_deltas(options.deltas == "WRITE")
    elif original is None and "kind" not in values and header.kind == "ANI1":
        header = header.with_deltas(False)
    return header


def _stored(values: dict[str, Any]) -> Header:
    """By the fields of the action alone."""
    kind, flags = values.get("kind", "ANI1"), values.get("flags", 0)
    return Header(kind, flags, values.get("loop_byte", 0), has_deltas(kind, flags))


def _changed(values: dict[str, Any], header: Header, original: Anim) -> Header:
    """Flags, loop byte and stride, where the fields differ from the file."""
    if original.flags is not None:
        header = replace(header, flags=values.get("flags", original.flags))
    if original.loop is not None:
        header = replace(header, loop=values.get("loop_byte", original.loop))
    stride = np.array(values.get("stride", original.stride), np.float32)
    return header if np.array_equal(stride, original.stride) else replace(header, stride=tuple(stride.tolist()))


@dataclass(frozen=True, eq=False)
class Other:
    """An armature that did not come from the game, as the skeleton that it would be. names: of its bones, in the file's order. rest:
    (B, 4, 4) as they rest in the armature."""

    conversion: Conversion
    names: list[str]
    rest: Floats


def other_of(context: bpy.types.Context, obj: bpy.types.Object, action: bpy.types.Action, options: ExportOptions) -> Other:
    """Raises ExportError for what cannot be a skeleton."""
    skel = oni2_figure.skel_of(obj, options.facing)
    names, _, _ = oni2_figure.plain(obj, options.facing)
    rig = oni2_figure.plain_rig(skel, names, options.facing)
    timing = Timing(RATE, scene.fps(context.scene), float(action.frame_range[0]))
    conversion = Conversion(skel, layout_of(skel), rig, timing, 1.0, "BONE", Placement.origin(), Interpretation(facing=options.facing))
    return Other(conversion, names, np.array([armature.bones_of(obj)[name].matrix_local for name in names], np.float64))


def _of_other(context: bpy.types.Context, obj: bpy.types.Object, action: bpy.types.Action, options: ExportOptions) -> Anim:
    """An action of an armature that did not come from the game: sampled as it looks, with what the object does, on the skeleton that the
    armature would be."""
    log.info(f"{obj.name} did not come from a skeleton of the game: every frame is taken as it looks")
    other = other_of(context, obj, action, options)
    conversion, curves = other.conversion, fcurves.read_curves(action, obj, looks=True).curves
    frames = frames_of(curves, conversion)
    with shown.alone(obj, action):
        poses = shown.moved_poses(context, obj, other.names, frames, float(frames[0]))
    bones = foreign.samples_of(poses, other.rest, conversion)
    inside = {channel: curve for channel, curve in curves.items() if channel.bone}
    samples = replace(gather(inside, frames, bones, conversion), closes=closing_of(action, obj, curves) is not None)
    return update(samples, conversion, header_of(action, None, options), None)
