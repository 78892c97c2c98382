"""A new skeleton file from any armature: bones as they rest, actions in sequence, sampled at the game's 30 frames a second."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.declare.shared import Source
from ...core.mindpower.files.ranges import Row
from ...core.mindpower.files.skeleton.lab import Lab, new_lab
from ...core.mindpower.files.skeleton.lab_layout import DUMMY
from ...core.mindpower.files.tables.action_names import action_name
from ...core.mindpower.motion import timeline, timeline_keys
from ...core.mindpower.motion.rig import LabRig, from_blender
from ...core.mindpower.motion.timeline import Part
from ...core.mindpower.motion.update import encode_poses
from ...core.motion.rotations.rotation_matrix import Floats
from ...core.reporting import log, progress
from ...core.reporting.errors import ExportError
from ..blender import armature, source_data
from ..blender.motion import evaluated
from ..blender.surface.skinned import meshes_of, world_of
from ..pipeline.out_of_blender import packing
from ..pipeline.out_of_blender.selection import selection
from ..retarget.reading.read import figure_of
from ..retarget.reading.upright import looks_back
from . import marks
from .clips import actions as mindpower_actions
from .figure import dummies as mindpower_dummies
from .figure.figure_read import properties_of

_PLAYER, _FACTOR = 2.7, 20.0
"""Height of the game's players in units; by how much more or less a character is surely not meant to be."""

ROOT = "Root"
"""The bone that is added above several without a parent: the game wants one."""


@dataclass(frozen=True, eq=False)
class Rig:
    """names: of the file's bones, an added root first. turn: (3, 3) how the armature object is turned in the scene, size: how large it is.
    rig: the bones as the game gets them."""

    names: tuple[str, ...]
    added: bool
    rotation: Floats
    size: float
    rig: LabRig

    @property
    def to_model(self) -> NDArray[np.float64]:
        """(4, 4) the armature's space -> model space in game units, Blender's axes."""
        out = np.eye(4)
        out[:3, :3] = self.rotation * self.size
        return out


def rig_of(obj: bpy.types.Object) -> Rig:
    """How an armature becomes a skeleton of the game: rotated and scaled as its object is, at the position of the object.

    Raises ExportError for an armature without bones.
    """
    bones = _parents_first(obj)
    if not bones:
        raise ExportError(f"{obj.name} has no bones")
    added = sum(bone.parent is None for bone in bones) > 1
    if added:
        log.info(f"several bones have no parent: {ROOT} is added above them")
    _, rotation, size = obj.matrix_world.decompose()
    scales = np.abs(np.array(size, np.float64))
    if np.ptp(scales) > 1e-4 * scales.max():
        log.warning(f"{obj.name} is scaled differently along its axes; the mean is taken")
    rotated, mean = np.array(rotation.to_matrix(), np.float64), float(scales.mean()) or 1.0
    names = tuple(bone.name for bone in bones)
    number = {name: index + added for index, name in enumerate(names)}
    parents = [number[bone.parent.name] if bone.parent is not None else added - 1 for bone in bones]
    rest = np.array([bone.matrix_local for bone in bones], np.float64)
    rest[:, :3] = rotated @ rest[:, :3]
    if added:
        rest, parents, names = np.concatenate([np.eye(4)[None], rest]), [-1, *parents], (ROOT, *names)
    rig = LabRig(np.array(parents, np.int32), rest, rest, np.ones(len(rest), np.bool_), 1 / mean)
    return Rig(names, added, rotated, mean, rig)


def _parents_first(obj: bpy.types.Object) -> list[bpy.types.Bone]:
    members = [bone for bone in armature.bones_of(obj) if bone.parent is None]
    for bone in members:  # grows while it is walked through
        members.extend(bone.children)
    return members


@dataclass(frozen=True, eq=False)
class NewLab:
    """rows: of the action table. clips: each action as a part, and its first and last frame in the file."""

    lab: Lab
    rows: list[Row]
    rig: Rig
    clips: list[tuple[bpy.types.Action, Part, tuple[int, int]]]


def steps(context: bpy.types.Context, obj: bpy.types.Object, source: Source, key_type: int | None) -> progress.Steps[NewLab]:
    """The file, and what goes with it, clip by clip. Raises ExportError, StoppedError."""
    rig = rig_of(obj)
    _report_size(context, obj)
    if looks_back(obj):
        log.warning("it looks along +Y, and so backwards in the game: rotate it by 180 degrees around Z in Object Mode")
    actions = actions_of(context, obj, source)
    if not actions:
        raise ExportError(f"{obj.name} has no action, and a skeleton file is made of frames: retarget a clip onto it, or key a pose")
    inverse = np.linalg.inv(from_blender(rig.rig.binds, rig.rig.scale))
    template = replace(new_lab(rig.names, rig.rig.parents, inverse), dummies=_dummies(obj, rig))
    parts: list[Part] = []
    numbers = _numbers(actions)
    for number, action in enumerate(actions):
        yield from packing.part(number, len(actions), action.name)
        with packing.about(action):
            parts.append(_part(context, obj, rig, action, numbers[action]))
    line = timeline.join(parts, 0)
    lab = timeline_keys.assemble(template, None, parts, line, key_type)
    return NewLab(lab, timeline.new_rows((), line, parts), rig, list(zip(actions, parts, line.spans, strict=True)))


def _report_size(context: bpy.types.Context, obj: bpy.types.Object) -> None:
    """Warn of a character that is far larger or smaller than any of the game's."""
    boxes = [(world_of(mesh), np.array(mesh.bound_box, np.float64)) for mesh in meshes_of(context, obj)]
    points = [box @ matrix[:3, :3].T + matrix[:3, 3] for matrix, box in boxes] or [figure_of(obj).heads]
    size = float(np.ptp(np.concatenate(points), axis=0).max())
    if np.isfinite(size) and size and not _PLAYER / _FACTOR < size < _PLAYER * _FACTOR:
        log.warning(f"{obj.name} is {size:.4g} units large, and the game's players are {_PLAYER:g} high: scale the armature in Object Mode")


def actions_of(context: bpy.types.Context, obj: bpy.types.Object, source: Source) -> list[bpy.types.Action]:
    """The present action first; of whatever game or program they came from. Strips of the NLA are clips as they play."""
    kinds = {str(action.get(source_data.FORMAT, selection.NEW)) for action in bpy.data.actions}
    chosen = [action for _, action in selection.chosen_actions(context, source, *kinds, objects=[obj])]
    present = obj.animation_data.action if obj.animation_data else None
    return sorted(dict.fromkeys(chosen), key=lambda action: action != present)


def _numbers(actions: list[bpy.types.Action]) -> dict[bpy.types.Action, tuple[int, ...]]:
    """Of the action table: those that were given, then what names mean; the others get what is left, which is reported."""
    numbers = {action: own for action in actions if (own := marks.numbers_of(action))}
    taken = {number for own in numbers.values() for number in own}
    free = mindpower_actions.free_numbers([action for action in actions if action not in numbers], taken)
    for action, number in free.items():
        numbers[action] = (number,)
        if mindpower_actions.meant_number(action.name, ()) != number:
            with packing.about(action):
                written = f"it is written as {number} {action_name(number)}"
                log.info(f"its name is that of no free action of the game: {written}; name it as one, such as run or attack 1")
    return numbers


def _part(context: bpy.types.Context, obj: bpy.types.Object, rig: Rig, action: bpy.types.Action, numbers: tuple[int, ...]) -> Part:
    """An action as keys, sampled as it looks: armatures of others have constraints, connected bones, inheritance of their own."""
    timing = mindpower_actions.new_timing(action, context, obj, "VISUAL")
    last = action.frame_end if action.use_frame_range else mindpower_actions.keyed(action, obj, "VISUAL")[1]
    count = max(2, mindpower_actions.span(action, timing, 0, obj, "VISUAL")[1] + 1 - mindpower_actions.repeats(action, obj))
    frames = timing.start + np.arange(count) * (timing.fps / timing.rate)
    names = rig.names[rig.added :]
    with evaluated.alone(obj, action):
        poses = evaluated.moved_poses(context, obj, names, np.minimum(frames, max(float(last), timing.start)), timing.start)
    poses[..., :3, :] = rig.rotation @ poses[..., :3, :]
    if rig.added:
        poses = np.concatenate([np.broadcast_to(np.eye(4), (count, 1, 4, 4)), poses], axis=1)
    rows = mindpower_actions.new_rows(action, timing, count, numbers)
    return Part(action.name, encode_poses(poses, rig.rig, None, np.full(count, -1)), None, rows)


def _dummies(obj: bpy.types.Object, rig: Rig) -> NDArray[np.void]:
    """Empties on the bones that are dummies, by their property or their name; without any, one at the character's base."""
    members: list[NDArray[np.void]] = []
    for child in sorted(obj.children, key=lambda child: child.name):
        number = _slot(child)
        if number >= 0 and child.parent_bone in rig.names:
            row = np.zeros(1, DUMMY)
            row["id"], row["parent"] = number, rig.names.index(child.parent_bone)
            rest = np.array(armature.bones_of(obj)[child.parent_bone].matrix_local, np.float64)
            rest[:3, 3] += rest[:3, 1] * armature.bones_of(obj)[child.parent_bone].length
            matrix = rest @ np.array(child.matrix_parent_inverse, np.float64) @ np.array(child.matrix_basis, np.float64)
            matrix[:3] = rig.rotation @ matrix[:3]
            row["matrix"] = from_blender(matrix, rig.rig.scale)
            members.append(row)
    if members:
        return np.concatenate(members)
    base = np.zeros(1, DUMMY)
    base["matrix"] = np.eye(4)
    return base


def _slot(obj: bpy.types.Object) -> int:
    """The number of a dummy, -1 for anything else. Other formats keep the names of empties, not their properties."""
    if mindpower_dummies.ID in obj:
        with properties_of(obj.name):
            return int(obj[mindpower_dummies.ID])
    match = re.match(r"dummy (\d{1,9})\b", obj.name) if obj.type == "EMPTY" else None
    return int(match[1]) if match else -1
