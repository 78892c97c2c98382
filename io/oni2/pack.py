"""Oni 2 out of Blender: actions as .anim, armatures as .skel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, get_args

import bpy
import numpy as np

from ...core.files import disk
from ...core.motion.curves import Placement, Timing
from ...core.oni2 import formats
from ...core.oni2.files.anim import RATE, Anim, Kind, has_deltas
from ...core.oni2.files.header import Header
from ...core.oni2.files.interpretation import Facing, Interpretation
from ...core.oni2.files.skel import Skel
from ...core.oni2.motion import foreign
from ...core.oni2.motion.channels import Layout, layout_of
from ...core.oni2.motion.motion import Stage
from ...core.oni2.motion.sampling import evaluated, frames_of, gather, sampled
from ...core.oni2.motion.update import Before, update
from ...core.reporting import log, progress
from ...core.reporting.errors import ExportError, FormatError
from ..blender import actions, armature, fcurves, scene, source_data
from ..blender import evaluated as shown
from ..pipeline import writing
from ..pipeline.selection import Source, armatures, chosen_actions
from . import figure as oni2_figure
from .build import COLUMNS, FLAGS, FORMAT, KIND, LOOP, OFFSETS, READING, STRIDE
from .figure import Figure


@dataclass(frozen=True)
class ExportOptions:
    """path: an .anim, or a .skel for the armatures instead of their actions. source: which actions. sampling: KEYS, the curves, or VISUAL,
    the evaluated pose. kind: of the file, AUTO for the one it came from. deltas: whether each frame has the root's step, AUTO as it came
    in. facing: where an armature that did not come from the game looks to there. overwrite: also what
    another program has changed, or nobody chose."""

    path: str
    source: Source = "ACTIVE"
    sampling: Literal["KEYS", "VISUAL"] = "KEYS"
    kind: Literal["AUTO", "ANI1", "ani", "null"] = "AUTO"
    deltas: Literal["AUTO", "WRITE", "LEAVE"] = "AUTO"
    facing: Facing = "-Z"
    overwrite: bool = False


def export_oni2(context: bpy.types.Context, options: ExportOptions) -> list[str]:
    """Write the chosen actions, or armatures; returns the paths written. Raises RetroAnimError, with nothing written, when one of them
    holds what the game cannot, or two of them go to the same place."""
    if Path(options.path).suffix.lower() == ".skel":
        skeletons = [(obj.name, obj.data, oni2_figure.skel_of(obj, options.facing).pack()) for obj in armatures(context, options.source)]
        return _write(options, ".skel", skeletons, "there is no armature to export")
    chosen = chosen_actions(context, options.source, FORMAT)
    figures = {obj: oni2_figure.read(obj) for obj in dict(chosen) if oni2_figure.is_figure(obj)}
    packed = [(action.name, action, pack_action(context, obj, action, options, figures.get(obj))) for obj, action in progress.steps(chosen)]
    return _write(options, ".anim", packed, "there is no action to export: select an armature with an action")


def _write(options: ExportOptions, extension: str, packed: Sequence[tuple[str, source_data.Block, bytes]], nothing: str) -> list[str]:
    """One at the path itself, several beside it, named after the actions."""
    if not packed:
        raise ExportError(nothing)
    outputs: list[writing.Output] = []
    for name, block, data in packed:
        derived = len(packed) > 1
        path = str(Path(options.path).parent / f"{disk.file_name(name)}{extension}") if derived else options.path
        present = writing.present(path)
        writing.refuse_other(path, present, formats.SKEL if extension == ".skel" else formats.ANIM)
        other = _other(present, data) if present and extension == ".skel" else ""
        outputs.append(writing.Output(name, path, data, block, present=present, derived=derived, other=other))
    return writing.write_files(outputs, options.overwrite)


def _other(present: bytes, data: bytes) -> str:
    """What is there instead, where that is the skeleton of another figure."""
    try:
        before, after = ([bone.name for bone in Skel.parse(each).bones] for each in (present, data))
    except FormatError:
        return "a damaged skeleton"
    return "" if before == after else f"another skeleton, of {len(before)} bones"


def pack_action(
    context: bpy.types.Context,
    obj: bpy.types.Object,
    action: bpy.types.Action,
    options: ExportOptions,
    figure: Figure | None = None,
) -> bytes:
    """The .anim that an action on an armature stands for. figure: the armature, where it has been read already."""
    with log.about(action.name):
        try:
            if oni2_figure.is_figure(obj):
                anim = _of_figure(context, figure or oni2_figure.read(obj), action, options)
            else:
                anim = _of_other(context, obj, action, options)
        except ExportError as error:
            raise ExportError([f"{action.name}: {problem}" for problem in error.problems]) from error
        shown.warn_of_object(obj)
        return anim.pack()


def _of_figure(context: bpy.types.Context, figure: Figure, action: bpy.types.Action, options: ExportOptions) -> Anim:
    obj = figure.obj
    stage = stage_of(context, figure, action)
    original = _original(action)
    before = None if original is None else Before.of(original, _stage_before(stage, action, original))
    modes = {"": "ZYX", **dict(zip(figure.rig.skeleton.names, figure.rig.modes, strict=True))}
    read = fcurves.read_curves(action, obj, modes, looks=options.sampling == "VISUAL")
    frames = frames_of(read.curves, stage)
    if options.sampling == "VISUAL":
        keyed = sampled(read.curves, frames, stage)
        with shown.alone(obj, action):
            bones = evaluated(shown.poses(context, obj, figure.rig.skeleton.names, frames), keyed, stage)
    else:
        bones = sampled(read.curves, frames, stage)
    header = header_of(action, original, options)
    return update(gather(read.curves, frames, bones, stage), stage, header, before)


def _original(action: bpy.types.Action) -> Anim | None:
    data = source_data.kept(action) if action.get(source_data.FORMAT) == FORMAT else None
    return Anim.parse(data, beta=True) if data is not None else None


def stage_of(context: bpy.types.Context, figure: Figure, action: bpy.types.Action) -> Stage:
    """What the action plays on: what was remembered at import; for an action that never was imported, what the scene says."""
    came = actions.remembered(action)
    interpretation = Interpretation.parse(str(action.get(READING, "")))
    layout = _layout(figure.skel, action, interpretation)
    if came is None:
        timing = Timing(RATE, scene.fps(context.scene), float(action.frame_range[0]))
        root_motion, start = actions.root_motion_of(figure.obj, "BONE"), actions.start_of(figure.obj, action)
        return Stage(figure.skel, layout, figure.rig, timing, figure.scale, root_motion, start, interpretation)
    if abs(came.scale - figure.scale) > 1e-9 * figure.scale:
        log.warning(f"the armature's scale is {figure.scale:g}, the action came in at {came.scale:g}")
    timing = Timing(RATE, came.fps, came.start)
    return Stage(figure.skel, layout, figure.rig, timing, figure.scale, came.root_motion, came.placement, interpretation)


def _layout(skel: Skel, action: bpy.types.Action, interpretation: Interpretation) -> Layout:
    """The channels as the clip came in with them, if the skeleton still has all its bones."""
    layout = layout_of(skel, interpretation.order)
    try:
        kept = layout.with_text(str(action.get(COLUMNS, "")))
    except ValueError:
        return layout
    return kept if len(kept) and max(column.bone for column in kept.columns) < len(skel.bones) else layout


def _stage_before(stage: Stage, action: bpy.types.Action, original: Anim) -> Stage:
    """The stage on which the action came in."""
    came = actions.remembered(action)
    scale = came.scale if came is not None else stage.scale
    layout = stage.layout
    if len(layout) != original.channel_count:
        raise ExportError(f"{original.channel_count} channels came in, but {len(layout)} are to go out: its properties have changed")
    numbers = np.array(action.get(OFFSETS, ()), np.float64)
    skel = stage.skel
    if numbers.size == skel.offsets.size and not np.array_equal(numbers, skel.offsets.ravel()):
        skel = skel.with_offsets(numbers.reshape(-1, 3))
    return replace(stage, skel=skel, scale=scale)


def header_of(action: bpy.types.Action, original: Anim | None, options: ExportOptions) -> Header:
    """As the action came in, with what the user has changed on it, as the kind that was chosen. Raises ExportError for a property that
    says nothing."""
    known = original is not None or KIND in action
    header = Header.of(original) if original is not None else _told(action)
    came = header
    if original is not None:
        header = _changed(action, header, original)
    if header.loops == came.loops:
        header = header.looping(bool(action.use_cyclic))
    if options.kind != "AUTO":
        header = header.as_kind(options.kind)
    if options.deltas != "AUTO":
        header = header.with_deltas(options.deltas == "WRITE")
    elif not known and header.kind == "ANI1":
        header = header.with_deltas(False)
    return header


def _told(action: bpy.types.Action) -> Header:
    """By the properties of the action alone."""
    kind: Kind = next((kind for kind in get_args(Kind) if kind == action.get(KIND)), "ANI1")
    header = Header(kind, _flags(action, 0), int(action.get(LOOP, 0)) & 0xFF)
    return replace(header, deltas=has_deltas(kind, header.flags))


def _changed(action: bpy.types.Action, header: Header, original: Anim) -> Header:
    """Flags, loop byte and stride, where the properties say something else than the file."""
    if original.flags is not None:
        header = replace(header, flags=_flags(action, original.flags))
    if original.loop is not None:
        header = replace(header, loop=int(action.get(LOOP, original.loop)) & 0xFF)
    stride = np.array(action.get(STRIDE, original.stride), np.float64)
    if stride.shape == original.stride.shape and not np.array_equal(stride.astype(np.float32), original.stride):
        header = replace(header, stride=tuple(stride.tolist()))
    return header


def _flags(action: bpy.types.Action, otherwise: int) -> int:
    text = str(action.get(FLAGS, "")).strip()
    try:
        return int(text, 0) & 0xFFFFFFFF if text else otherwise
    except ValueError:
        raise ExportError(f"its property {FLAGS} is no number: {text}") from None


def _of_other(context: bpy.types.Context, obj: bpy.types.Object, action: bpy.types.Action, options: ExportOptions) -> Anim:
    """An action of an armature that did not come from the game: sampled as it looks, on the skeleton that the armature would be."""
    log.info(f"{obj.name} did not come from a skeleton of the game: every frame is taken as it looks")
    skel = oni2_figure.skel_of(obj, options.facing)
    names, _, _ = oni2_figure.plain(obj, options.facing)
    rig = oni2_figure.plain_rig(skel, names, options.facing)
    timing = Timing(RATE, scene.fps(context.scene), float(action.frame_range[0]))
    stage = Stage(skel, layout_of(skel), rig, timing, 1.0, "BONE", Placement.origin(), Interpretation(facing=options.facing))
    curves = fcurves.read_curves(action, obj, looks=True).curves
    frames = frames_of(curves, stage)
    rest = np.array([armature.bones_of(obj)[name].matrix_local for name in names], np.float64)
    with shown.alone(obj, action):
        bones = foreign.samples_of(shown.poses(context, obj, names, frames), rest, stage)
    return update(gather(curves, frames, bones, stage), stage, header_of(action, None, options), None)
