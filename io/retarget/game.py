"""Back to the game: what the target's game asks of a retargeting, by its row of the table."""

from __future__ import annotations

from dataclasses import replace

import bpy
import numpy as np

from ...core.declare.game import Game
from ...core.retarget.clips import Result
from ...core.retarget.figures.clip import Clip, Grid
from ...core.retarget.figures.figure import Figure
from ...core.retarget.figures.maps.bone_map import BoneMap, Pair, PairOptions
from ...core.retarget.ground.feet import VISIBLE
from ...core.retarget.options import Options
from ...core.retarget.setup import Setup
from ..blender import armature, identity


def game_of(obj: bpy.types.Object) -> Game | None:
    """The game that an armature is a character of; None for all others, and for one whose bones are not the game's."""
    return identity.game_of(obj) if armature.is_game_armature(obj) else None


def adapted(target: bpy.types.Object, bone_map: BoneMap, options: Options) -> tuple[BoneMap, Options]:
    """The map and the options as the target's game needs them.

    A clip begins where the object stands then, and looks as it does, which is what files count from. Where a bone rotates or moves,
    never both, the motion over the ground goes to the object, which the export takes for root motion from the first keyframe on, and up
    and down to the bone above the hips, which is there for that."""
    game, hips = game_of(target), bone_map.role("hips")
    if game is None:
        return bone_map, options
    options = replace(options, from_first=True)
    if not game.exclusive or hips is None or hips.target not in armature.pose_bones(target):
        return bone_map, options
    bone = armature.pose_bones(target)[hips.target]
    above = {parent.name for parent in bone.parent_recursive}
    pairs = tuple(pair for pair in bone_map.pairs if pair.target not in above)
    if bone.parent is not None and bone.parent.parent is not None:
        pairs = (Pair(hips.source, bone.parent.name, options=PairOptions(rotation="NONE")), *pairs)
    motion = "NONE" if options.root_motion == "NONE" else "OBJECT"
    return replace(bone_map, pairs=pairs), replace(options, root_motion=motion)


def limited(target: bpy.types.Object, figure: Figure, bone_map: BoneMap) -> Figure:
    """The figure with what its game cannot move held fast: where bones rotate or move all but the bone that goes up and down, where the
    game's skeleton has locks the locked axes."""
    game = game_of(target)
    if game is not None and game.locks:
        poses = [armature.pose_bones(target)[name] for name in figure.names]
        locked, still = np.array([pose.lock_rotation for pose in poses], bool), np.array([pose.lock_location for pose in poses], bool)
        return replace(figure, locked=locked, fixed=figure.fixed | still.all(axis=1))
    if game is not None and game.exclusive:
        movers = {pair.target for pair in bone_map.pairs if pair.options.rotation == "NONE"}
        return replace(figure, fixed=np.array([name not in movers for name in figure.names]))
    return figure


def bones_in_file(target: bpy.types.Object) -> list[str]:
    """Those that the target's game has: all of them are in its file, whether a clip moves them or not. Helpers beside them are not."""
    return [] if game_of(target) is None else [bone.name for bone in armature.bones_of(target) if armature.INDEX in bone]


def grid_of(target: bpy.types.Object, fps: float, step: float) -> Grid | None:
    """The time units of the target's game, and how many of them `step` frames are; None where it is no game's."""
    rate = identity.rate_of(target) if game_of(target) is not None else None
    return None if rate is None else Grid.of(fps, rate, step, _by_quaternions(target))


def _by_quaternions(target: bpy.types.Object) -> bool:
    """Whether all bones of an armature rotate by quaternions from pose to pose."""
    return all(bone.rotation_mode == "QUATERNION" for bone in armature.pose_bones(target))


def jumps(target: bpy.types.Object, setup: Setup, clip: Clip, result: Result) -> str:
    """What is to be said of a loop that goes on over the ground in a game that begins each round where the last one began; else nothing.
    The target in the world, which takes as much memory as its keys, is asked for in such games alone."""
    game, row = game_of(target), setup.binding.roles.get("hips")
    if game is None or not game.moves_itself or clip.loop is None or row is None or setup.options.root_motion in ("NONE", "OBJECT"):
        return ""
    path = result.motion.positions[:, setup.binding.followers[row].target, :2]
    far = float(np.linalg.norm(path[-1] - path[clip.loop]))
    if far < VISIBLE * setup.legs.target:
        return ""
    why = "since it moves its characters itself: Root Motion: In Place keeps them"
    return f"in the game the hips jump back by {far:.2f} m at each loop, {why}"


def leads_into_loops(target: bpy.types.Object) -> bool:
    """Whether a clip of the target's game can lead into its loop."""
    game = game_of(target)
    return game is not None and game.intros
