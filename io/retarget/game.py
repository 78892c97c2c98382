"""Back to the game: what a game's armature asks of a retargeting, and what its numbers round away."""

from __future__ import annotations

from dataclasses import replace

import bpy
import numpy as np

from ...core.lba.files.variant import VARIANTS
from ...core.reporting import log
from ...core.reporting.errors import RetroAnimError
from ...core.retarget.figures.bone_map import BoneMap, Pair, PairOptions
from ...core.retarget.figures.figure import Figure
from ...core.retarget.retarget import Options
from ..blender import armature

_LBA = "lba_game"

_RATES = {"oni_": 60.0, "oni2_": 30.0, "mindpower_": 30.0}
"""By how the custom properties of a game's armature begin: keyframes a second."""


def is_lba(obj: bpy.types.Object) -> bool:
    """Whether an armature is a figure of Little Big Adventure."""
    return armature.is_game_armature(obj) and obj.data is not None and obj.data.get(_LBA) is not None


def _names_above(bone: bpy.types.PoseBone) -> list[str]:
    return [above.name for above in bone.parent_recursive]


def adapted(target: bpy.types.Object, bone_map: BoneMap, options: Options) -> tuple[BoneMap, Options]:
    """The map and the options as the target's game needs them.

    A bone of Little Big Adventure turns or moves, never both: the way over the ground goes to the object, which the export takes for root
    motion from the first keyframe on, and up and down to the bone above the hips, which is there for that."""
    hips = bone_map.role("hips")
    if not is_lba(target) or hips is None or hips.target not in target.pose.bones:
        return bone_map, options
    parent = target.pose.bones[hips.target].parent
    above = set(_names_above(target.pose.bones[hips.target]))
    pairs = tuple(pair for pair in bone_map.pairs if pair.target not in above)
    if parent is not None and parent.parent is not None:
        pairs = (Pair(hips.source, parent.name, options=PairOptions(rotation="NONE")), *pairs)
    bone_map = replace(bone_map, pairs=pairs)
    motion = "OBJECT" if options.root_motion == "HIPS" else options.root_motion
    return bone_map, replace(options, root_motion=motion, from_first=True)


def limited(target: bpy.types.Object, figure: Figure, bone_map: BoneMap) -> Figure:
    """The figure with what its game cannot move held fast: of Little Big Adventure all but the bone that goes up and down, of Oni 2 the
    axes that the skeleton locks."""
    if _game(target) == "oni2_":
        poses = [target.pose.bones[name] for name in figure.names]
        locked, still = np.array([pose.lock_rotation for pose in poses], bool), np.array([pose.lock_location for pose in poses], bool)
        return replace(figure, locked=locked, fixed=figure.fixed | still.all(axis=1))
    if not is_lba(target):
        return figure
    movers = {pair.target for pair in bone_map.pairs if pair.options.rotation == "NONE"}
    return replace(figure, fixed=np.array([name not in movers for name in figure.names]))


def step_of(target: bpy.types.Object, fps: float, step: float) -> float | None:
    """Frames from key to key that are whole ticks of the target's game, as near to `step` as can be; None where it is no game's."""
    rate = _rate(target)
    if rate is None:
        return None
    return max(1, round(step * rate / fps)) * fps / rate


def _rate(target: bpy.types.Object) -> float | None:
    """Ticks a second of the game that an armature is from."""
    if target.data is not None and is_lba(target):
        return VARIANTS[str(target.data[_LBA])].rate if str(target.data[_LBA]) in VARIANTS else None
    return _RATES.get(_game(target))


def _game(target: bpy.types.Object) -> str:
    """A key of _RATES; "" for all others."""
    if target.data is None or not armature.is_game_armature(target):
        return ""
    names = list(target.data.keys())
    return next((prefix for prefix in _RATES if any(name.startswith(prefix) for name in names)), "")


def quantisation(context: bpy.types.Context, target: bpy.types.Object, action: bpy.types.Action) -> tuple[float, float] | None:
    """Degrees between a bone's own rotation in an action and in the game's file, and metres between its places, at most; None where the
    target is no game's, or its game cannot hold the action."""
    game = "lba_" if is_lba(target) else _game(target)
    if not game:
        return None
    from . import replay  # brings the exports of all games

    try:
        return replay.losses(context, target, action, game)
    except RetroAnimError as error:
        log.warning(f"the game cannot hold it as it is: {error}")
        return None
