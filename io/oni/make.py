"""A body of Oni from an armature and meshes of any kind: a new character beside them, of the game's 19 bones, as the game would have it."""

from __future__ import annotations

from dataclasses import replace

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.motion.rigs.rig import Y_UP
from ...core.motion.rotations import quaternion
from ...core.oni.body.body import Body
from ...core.oni.body.body_file import body_file
from ...core.oni.body.body_read import Original
from ...core.oni.body.body_write import edited_file
from ...core.oni.body.mannequin import mannequin
from ...core.oni.game import GAME, ImportOptions, MakeOptions
from ...core.oni.motion.evaluate import Joints
from ...core.oni.motion.rig import NAMES, PARENTS, OniRig, t_pose_rotations
from ...core.reporting import log
from ...core.reporting.errors import ExportError
from ...core.retarget.figures.figure import Figure
from ...core.retarget.mapping.mapping import map_bones
from ...core.surface.mesh import Image
from ..blender import armature, scene
from ..blender.built import Built, beside
from ..blender.surface.skinned import as_shown, height_of, mesh_of, meshes_for_body, positions_of, strongest, world_of
from ..retarget.reading import read
from ..retarget.reading.upright import space_of
from .body import body_origin, drawn
from .build import SCALE, Builder
from .fields.properties import instance_name
from .plan import Character

Floats = NDArray[np.float64]

_LIMBS = {12: 13, 13: 14, 16: 17, 17: 18, 1: 2, 2: 3, 4: 5, 5: 6}
"""Bones that lie along the game's limbs in the T pose, each with the next one."""

_MID, _CHEST = 7, 8
_NEEDED = (0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 13, 16, 17)
"""Bones without which nothing of the game would move a character; mid, neck, shoulders and hands may be missing."""

_HANDS = {14: 13, 18: 17}
"""Hands with the arms that they are at the ends of."""

_FOLLOW = {14: 13, 18: 17}
"""Bones that are rotated as the one before them is."""


_USUAL, _FACTOR = 16.0, 4.0
"""Height of the game's characters in units; by how much more or less one may be."""


def make_body(context: bpy.types.Context, obj: bpy.types.Object, options: MakeOptions) -> Built:
    """Build the character that an armature and its meshes are in the game, beside them; they stay as they are.

    Which bone is which is found out as for retargeting. A limb that does not lie as in the game's T pose is rotated into it, with its mesh.
    Raises ExportError for what the game cannot hold, with the scene as it was."""
    with log.about(obj.name), scene.unchanged_on_failure(context), scene.object_mode(context, follow=True):
        meshes = meshes_for_body(context, obj)
        bones, space = bones_of(obj), space_of(obj)
        heads, parents = _heads(obj, bones, space, meshes), np.array(PARENTS, np.int32)
        with as_shown(context, meshes):
            scale = _scale(obj, meshes, options)
            joints, offsets = stand(heads / scale, parents)
            empty = Original(body_file(Body("", "", parents, offsets, [None] * len(parents)), instance_name(obj.name, "TRBS")))
            together = instance_name(f"{obj.name}_all", "TXMP")
            upright = drawn.Stand(obj, _numbers(obj, bones), space, scale, joints, bare=0, stem=obj.name, together=together)
            meshed = drawn.drawn_of(upright, meshes, empty.body, [""] * len(parents))
        file = edited_file(empty, meshed.drawn, offsets)
        images = {name: Image(name, pixels) for name, pixels in meshed.pictures.items()}
        return _built(context, obj, replace(Original(file).body, images=images))


def bones_of(obj: bpy.types.Object) -> dict[int, str]:
    """By the number of each bone of the game the bone of an armature that it is. Raises ExportError where arms, legs or the spine lack."""
    own = {bone.name for bone in armature.bones_of(obj)}
    if own.issuperset(NAMES):
        return dict(enumerate(NAMES))
    pairs = map_bones(read.figure_of(obj), _figure())
    number = {name: bone for bone, name in enumerate(NAMES)}
    result = {number[pair.target]: pair.source for pair in pairs if pair.target in number}
    for each in pairs.chains:
        for index, name in enumerate(each.target):
            if name in number and each.source:
                share = index / max(len(each.target) - 1, 1)
                result[number[name]] = each.source[round(share * (len(each.source) - 1))]
    if _MID in result and _CHEST not in result:  # a single bone between hips and arms carries the arms
        result[_CHEST] = result.pop(_MID)
    missing = [NAMES[bone] for bone in _NEEDED if bone not in result]
    if missing:
        names = f"{NAMES[0]}, {NAMES[1]} …"
        raise ExportError(f"{obj.name}: no bone is {', '.join(missing)}: call its bones as the game does ({names}), or as rigs usually do")
    return result


def stand(heads: Floats, parents: NDArray[np.int32]) -> tuple[Joints, Floats]:
    """How a body's bones are rotated at rest, at `heads` (B, 3) in the game's axes and units, and the offsets (B, 3) of their joints: as
    the T pose has them, limbs by the smallest rotation to where they lie."""
    flat = t_pose_rotations(parents)
    rotations = flat.copy()
    for bone, child in _LIMBS.items():
        along, away = quaternion.rotate(flat[bone], np.array([1.0, 0, 0])), heads[child] - heads[bone]
        length = float(np.linalg.norm(away))
        if length > 1e-6:
            rotations[bone] = quaternion.multiply(_between(along, away / length), flat[bone])
    for bone, other in _FOLLOW.items():
        away = quaternion.multiply(rotations[other], quaternion.conjugate(flat[other]))
        rotations[bone] = quaternion.multiply(away, flat[bone])
    offsets = quaternion.rotate(quaternion.conjugate(rotations[parents]), heads - heads[parents])
    offsets[0] = 0
    return Joints(heads[None], rotations[None]), offsets


def _between(one: Floats, other: Floats) -> Floats:
    """(4,) the smallest rotation from one unit vector to another."""
    if float(one @ other) < -0.999999:
        side = np.cross(one, [0.0, 1.0, 0.0] if abs(one[1]) < 0.9 else [1.0, 0.0, 0.0])
        return np.array([0.0, *(side / np.linalg.norm(side))])
    whole = np.array([1.0 + float(one @ other), *np.cross(one, other)])
    return whole / np.linalg.norm(whole)


def _figure() -> Figure:
    """The game's bones, as retargeting knows a skeleton."""
    body = mannequin()
    rig = OniRig.build(body.names, body.parents, body.offsets, body.lengths, "CHILD", body.height)
    rest = np.tile(np.eye(4), (len(body), 1, 1))
    rest[:, :3, :3], rest[:, :3, 3] = rig.rest, rig.heads * SCALE
    return Figure(body.names, body.parents, rest, np.linalg.norm(rig.tips - rig.heads, axis=1) * SCALE, left=GAME.left)


def _heads(obj: bpy.types.Object, bones: dict[int, str], space: Floats, meshes: list[bpy.types.Object]) -> Floats:
    """(19, 3) in the game's axes, Blender units. What the armature lacks is at the next bone that it has."""
    own, matrix = armature.bones_of(obj), space @ np.array(obj.matrix_world, np.float64)
    heads = np.full((len(NAMES), 3), np.nan)
    for bone, name in bones.items():
        heads[bone] = (np.array(own[name].head_local, np.float64) @ matrix[:3, :3].T + matrix[:3, 3]) @ Y_UP
    for hand, arm in _HANDS.items():
        if hand not in bones:
            heads[hand] = _end(heads[arm], bones[arm], space, meshes)
    lacking = [bone for bone in range(len(NAMES)) if bone not in bones]
    for bone in (each for each in reversed(lacking) if np.isnan(heads[each, 0])):
        child = next(
            (each for each in range(bone + 1, len(NAMES)) if PARENTS[each] == bone and not np.isnan(heads[each, 0])), PARENTS[bone]
        )
        heads[bone] = heads[child]
    for bone in lacking:
        heads[bone] = heads[PARENTS[bone]] if np.isnan(heads[bone, 0]) else heads[bone]
    if lacking:
        log.warning(f"it has no {', '.join(NAMES[bone] for bone in lacking)}: these bones are there without a mesh, at their neighbours")
    return heads


def _end(head: Floats, name: str, space: Floats, meshes: list[bpy.types.Object]) -> Floats:
    """(3,) in the game's axes, where what hangs on a bone ends as seen from its head: its middle, and as far beyond it."""
    points = [np.zeros((0, 3))]
    for mesh in meshes:
        groups = {group.index: group.name for group in mesh.vertex_groups}
        own = [strongest(vertex, groups) for vertex in mesh_of(mesh).vertices]
        chosen = np.array([group is not None and groups[group] == name for group in own], bool)
        points.append(positions_of(mesh, space @ world_of(mesh))[chosen] @ Y_UP)
    every = np.concatenate(points)
    return 2 * every.mean(axis=0) - head if len(every) else head


def _scale(obj: bpy.types.Object, meshes: list[bpy.types.Object], options: MakeOptions) -> float:
    """Metres a unit, so that the character is as high as is asked for."""
    high = height_of(meshes)
    if not options.height:
        units = high / SCALE
        if high and not _USUAL / _FACTOR < units < _USUAL * _FACTOR:
            log.warning(f"it is {units:.4g} units high, and the game's characters are about {_USUAL:g}: choose Height")
        return SCALE
    if not high:
        raise ExportError(f"{obj.name} is flat, and cannot be {options.height:g} units high")
    return high / options.height


def _numbers(obj: bpy.types.Object, bones: dict[int, str]) -> dict[str, int]:
    """The game's bone of each bone: its own, or that of the nearest bone above it; of those above all the pelvis."""
    own = {name: bone for bone, name in sorted(bones.items(), reverse=True)}
    result: dict[str, int] = {}
    for bone in armature.bones_of(obj):
        above = (each.name for each in (bone, *bone.parent_recursive) if each.name in own)
        result[bone.name] = own[next(above, bones[0])]
    return result


def _built(context: bpy.types.Context, obj: bpy.types.Object, body: Body) -> Built:
    builder = Builder(context, ImportOptions(), None)
    new = builder.stage(Character(f"{obj.name} Oni", body=body)).obj
    armature.data_of(new)[body_origin.OWN] = True
    drawn.forget(builder.result.meshes, body.images)
    return beside(context, obj, new, builder.result.meshes, GAME)
