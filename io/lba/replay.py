"""What an import of the exported animation would show: the export replayed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import bpy
import numpy as np

from ...core.lba.files.anm import Anm
from ...core.lba.files.variant import Variant
from ...core.lba.game import ExportOptions
from ...core.lba.motion.key_reduction import FITTING
from ...core.lba.motion.motion import CONVENTION, Source, clip_of, clips_of
from ...core.motion.blocks import blocks_of
from ...core.motion.clip import Clip
from ...core.motion.comparison import Steps
from ...core.motion.curves import Block, Timing
from ...core.motion.modes import modes_of
from ...core.reporting import log
from ..blender import armature, fields, identity, scene, source_data
from ..blender.motion import actions
from ..pipeline.changes import Replayed
from ..pipeline.fidelity.unedited import Came
from . import build
from .build import FORMAT
from .pack import Packed, pack_action
from .settings import Body, settings_of


def blocks(context: bpy.types.Context, obj: bpy.types.Object, action: bpy.types.Action) -> list[Block]:
    """The curves that the action would come back with. Raises ExportError for what the game cannot hold."""
    packed = pack_action(context, obj, action, ExportOptions(reduction="NONE"))
    rig, scale = armature.read_rig(obj, CONVENTION)
    clip = clip_of(Anm.parse(packed.data), packed.game, action.name, shown=len(rig.skeleton))
    timing = Timing(packed.game.rate, scene.fps(context.scene), float(action.curve_frame_range[0]))
    return blocks_of(clip, rig, timing, scale, "OBJECT", actions.start_of(obj, action))


def came(context: bpy.types.Context, action: bpy.types.Action, body: Body, options: ExportOptions) -> Came | None:
    """An action as its animation has it, where none of its fields was edited."""
    rig, scale = body.rig, body.scale
    data = source_data.kept(action, FORMAT)
    if data is None:
        return None
    anm = Anm.parse(data)
    settings = settings_of(context, body, action, anm, options)
    game, mine = settings.game, build.values_of(anm, settings.game)
    if any(fields.plain(mine[name]) != getattr(settings, name) for name in _HELD):
        return None
    packed = Packed(action, data, game, settings.timing.frames(anm.times.astype(np.float64)))
    return Came(
        packed, Source(anm, action.name), settings.timing, rig, scale, settings.root_motion, settings.placement, _steps(options, game)
    )


def motions(obj: bpy.types.Object, clips: Sequence[Came]) -> list[Clip]:
    """Of clips of an armature that `came` gave, all in one go."""
    movers, out = build.movers_known(obj), dict[int, Clip]()
    for game in {clip.packed.game for clip in clips}:
        same = [clip for clip in clips if clip.packed.game is game]
        out.update(zip(map(id, same), clips_of([clip.motion for clip in same], game, len(same[0].rig.skeleton), movers), strict=True))
    return [out[id(clip)] for clip in clips]


_HELD = "bone_count", "loop_frame", "word3", "first_duration", "first_step", "first_rotation"
"""The fields of an animation that the export reads."""


def replayed(context: bpy.types.Context, obj: bpy.types.Object, packed: Packed, body: Body, options: ExportOptions) -> Replayed:
    """The clip as it would come back with the options of its action."""
    rig, scale = body.rig, body.scale
    action, game = packed.action, packed.game
    with log.collect():  # what is odd was said when the action was packed
        settings = settings_of(context, body, action, None, options)
    if settings.begins is not None:
        settings = replace(settings, timing=replace(settings.timing, start=float(packed.frames[0])))

    def shown(data: bytes) -> list[Block]:
        clip = clip_of(Anm.parse(data), game, action.name, shown=len(rig.skeleton))
        return blocks_of(clip, rig, settings.timing, scale, settings.root_motion, settings.placement)

    def before() -> list[Block] | None:
        data = source_data.kept(action, FORMAT)
        return None if data is None else shown(data)

    blocks, anm = shown(packed.data), Anm.parse(packed.data)
    frames = settings.timing.frames(anm.times.astype(np.float64))
    closes = anm.loops and len(anm.frames) > 1
    loop = (float(frames[anm.loop_frame]), float(max(block.frames[-1] for block in blocks))) if closes else None
    unseen = frozenset[str]() if settings.root_is_visible() else frozenset(rig.skeleton.names[:1])
    steps, unit = _steps(options.reduced(identity.RETARGETED in action), game), settings.timing.fps / settings.timing.rate
    step = options.step if options.looks else 0.0
    return Replayed(
        obj, action, blocks, modes_of(rig), scale, steps, before, loop, unseen=unseen, unit=unit, step=step, unheld=lambda _: ("scale",)
    )


def _steps(options: ExportOptions, game: Variant) -> Steps:
    """Those of the format; with fewer keyframes the bound that was chosen."""
    steps = Steps(2 * np.pi / game.rotation, 1.0, 1.0)
    match options.reduction:
        case "ANGLE":
            away = 1 + options.max_angle * options.shell
            return Steps(max(steps.rotation, 2 * options.max_angle), away, away)
        case "DISTANCE":
            return Steps(np.pi, 1 + options.max_distance, 1 + options.max_distance)  # whatever each bone's own rotation
        case "FIT":
            return Steps(np.pi, 1 + FITTING[-1], 1 + FITTING[-1])
        case _:
            return steps
