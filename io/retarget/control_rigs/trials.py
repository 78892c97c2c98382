"""Which control of a rig really carries which, by trying: each is rotated a little by itself, once, and those that go along rigidly are its
own. Those that cannot move the same bones are tried at once. Everything is put back as it was."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ....core.motion.rotations.rotation_matrix import Floats
from ....core.reporting import log
from ....core.reporting.labels import first_few
from ...blender import armature, compat, paths
from ...blender.motion import evaluated
from ...blender.paths import Switch
from . import constraints, reach

_ANGLE = 0.4
"""Radians by which a control is rotated to measure what it carries."""

_ACROSS, _ALONG = np.array([np.sqrt(0.5), 0.0, np.sqrt(0.5)]), np.array([0.0, 1.0, 0.0])
"""Axes of a bone about which it is rotated: across it, and along it."""

_NEAR = 1e-4
"""Between what matrices are and what they would be if one bone were fixed to another, armature units."""


@contextmanager
def at_rest(context: bpy.types.Context, obj: bpy.types.Object, switches: tuple[Switch, ...]) -> Generator[None]:
    """The rig in its rest pose, with the switches set, without its action. Everything is put back."""
    data = obj.animation_data
    action, used = (data.action, data.use_nla) if data else (None, False)
    slot = data.action_slot if data and compat.SLOTTED else None
    pose = evaluated.pose_values(obj)
    others = [Switch(bone, path, float(paths.value_at(obj, bone, path))) for bone, path in constraints.settings(obj)]
    before = [Switch(bone, path, float(paths.value_at(obj, bone, path))) for bone, path, _ in switches]
    try:
        if data:
            data.action, data.use_nla = None, False
        rest = {name: np.empty_like(values) for name, values in pose.items()}
        for name, values in rest.items():
            values[:] = evaluated.REST[name]
        evaluated.set_pose_values(obj, rest)
        for switch in switches:
            paths.set_at(obj, *switch)
        _update(context, obj)
        yield
    finally:
        if data:
            data.action, data.use_nla = action, used
            if compat.SLOTTED and action is not None:
                data.action_slot = slot
        evaluated.set_pose_values(obj, pose)
        for switch in (*others, *before):
            paths.set_at(obj, *switch)
        _update(context, obj)


def _update(context: bpy.types.Context, obj: bpy.types.Object) -> None:
    obj.update_tag(refresh={"OBJECT", "DATA", "TIME"})
    context.view_layer.update()


@dataclass(frozen=True)
class Asked:
    """Which bones of a rig are tried. followed: the controls that follow the source. beside: others, which follow nothing. skins: control
    -> the bone that moves the skin where it is. placing: controls that move where their bones begin, and rotate them about themselves
    alone: these point to where the next ones begin."""

    followed: Sequence[str]
    beside: Sequence[str]
    skins: Mapping[str, str]
    placing: Sequence[str] = ()


class Trials:
    """Bones of a rig that stands at rest, each rotated by itself."""

    def __init__(self, context: bpy.types.Context, obj: bpy.types.Object, asked: Asked) -> None:
        self._context, self._obj, self._asked = context, obj, asked
        self._names = [*asked.followed, *asked.beside]
        self._every = list(dict.fromkeys([*self._names, *asked.skins.values()]))
        self._rows = {name: row for row, name in enumerate(self._every)}

    def carriers(self) -> tuple[dict[str, str], tuple[Switch, ...]]:
        """Control -> the control right above it, "" for none; and what has to be switched so that those which are followed do what their
        own channels say."""
        obj, names, rows = self._obj, self._names, self._rows
        freed = constraints.freed(obj, self._asked.placing, names)
        moves, beside, loose, lost = self._all()
        lost = [name for name in lost if name not in self._asked.beside]

        def goes_along(name: str, mover: str) -> bool:
            return _goes_along(start[[rows[mover], rows[name]]], self._rotated([mover], [mover, name])[0])

        switches = constraints.off(obj, lost, self._asked.skins, self._follows)
        self._update()
        start = self._matrices(self._every)
        switches += constraints.loosened(obj, loose, goes_along)
        if switches:
            moves, beside, loose, _ = self._all()
        if loose:
            log.warning(f"{obj.name}: {first_few(sorted(loose), 6)} go along with others only in part; what they do may be off")
        depth = (moves | beside).sum(axis=0)
        result: dict[str, str] = {}
        for position, name in enumerate(names):
            above = np.flatnonzero(moves[:, position])
            result[name] = names[int(above[np.argmax(depth[above])])] if len(above) else ""
        return result, (*freed, *switches)

    def _all(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_], dict[str, list[str]], list[str]]:
        """(B, B) which of the controls moves which, and which shifts which, since that hangs on one that takes over no rotation; those that
        go along only in part, each with what moves it, and those that do not do what their own channels say."""
        names, count = self._names, len(self._names)
        moves, beside = np.zeros((2, count, count), bool)
        loose, lost = dict[str, list[str]](), list[str]()
        self._update()
        start = self._matrices(self._every)
        inverse, hinges = np.linalg.inv(start), self._hinges()
        for position, name, now, own in self._each(start):
            carried: Floats = now[position] @ inverse[position]
            along = np.abs(now - carried @ start).max(axis=(1, 2))[:count] < _NEAR
            still = np.abs(now - start).max(axis=(1, 2))[:count] < _NEAR
            for index in np.flatnonzero(~along & ~still & (hinges >= 0)).tolist():
                along[index], beside[position, index] = _shifted(carried, start, now, index, int(hinges[index]))
            still |= beside[position]
            moves[position] = along & ~still
            moves[position, position] = False
            for index in np.flatnonzero(~along & ~still):
                loose.setdefault(names[index], []).append(name)
            if not self._is_followed(name, start, now, own):
                lost.append(name)
        self._update()
        return moves, beside, loose, lost

    def _hinges(self) -> NDArray[np.int64]:
        """(B,) the row of the nearest bone, of each control itself and those above it, that takes over no rotation; -1 where there is none
        that is tried."""
        result: list[int] = []
        for name in self._names:
            bone = armature.bones_of(self._obj).get(name)
            while bone is not None and bone.use_inherit_rotation:
                bone = bone.parent
            result.append(-1 if bone is None or bone.parent is None else self._rows.get(bone.name, -1))
        return np.array(result, np.int64)

    def _each(self, start: Floats) -> list[tuple[int, str, Floats, Floats]]:
        """The number of each control, its name, and the bones (B, 4, 4) and its own channels (4, 4) while it is rotated. start: before."""
        reached, number = reach.reach(self._obj, self._names), {name: position for position, name in enumerate(self._names)}
        result: list[tuple[int, str, Floats, Floats]] = []
        for group in reach.groups(self._names, reached, self._every):
            together, owns = self._rotated(group, self._every)
            for name, own in zip(group, owns, strict=True):
                apart = np.array([other in reached[name] for other in self._every], np.bool_)
                result.append((number[name], name, np.where(apart[:, None, None], together, start), own))
        return sorted(result, key=lambda each: each[0])

    def _follows(self, name: str) -> bool:
        """Whether a bone does so now."""
        self._update()
        start = self._matrices(self._every)
        now, (own,) = self._rotated([name], self._every)
        return self._is_followed(name, start, now, own)

    def _is_followed(self, name: str, start: Floats, now: Floats, own: Floats) -> bool:
        """Whether a bone, and the one that moves the skin where it is, do what its own channels say. start, now: (B, 4, 4) before it is
        rotated and while it is. own: (4, 4) what its channels make of it then."""
        row = self._rows[name]
        if not constraints.are_alike(now[row], start[row] @ own):
            return False
        skin = self._rows.get(self._asked.skins.get(name, ""))
        if skin is None:
            return True
        inverse = np.linalg.inv(start)
        carried: Floats = now[row] @ inverse[row] @ start[skin]
        return constraints.points_alike(now[skin], carried)

    def _rotated(self, names: Sequence[str], every: list[str]) -> tuple[Floats, list[Floats]]:
        """(B, 4, 4) of bones `every` while some are rotated, and (4, 4) what the channels of each make of it; they are at rest again as
        soon as the rig is evaluated."""
        bones = [armature.pose_bones(self._obj)[name] for name in names]
        for bone in bones:
            _rotate(bone, _ANGLE, _ALONG if bone.name in self._asked.placing else _ACROSS)
        self._update()
        now, owns = self._matrices(every), [np.array(bone.matrix_basis, np.float64) for bone in bones]
        for bone in bones:
            _rotate(bone, 0.0, _ACROSS)
        return now, owns

    def _matrices(self, names: list[str]) -> Floats:
        bones = armature.pose_bones(self._obj.evaluated_get(self._context.evaluated_depsgraph_get()))
        return np.array([bones[name].matrix for name in names], np.float64)

    def _update(self) -> None:
        _update(self._context, self._obj)


def _shifted(carried: Floats, start: Floats, now: Floats, row: int, hinge: int) -> tuple[bool, bool]:
    """Whether a bone that is moved by another without being rotated is carried by that: its head is, and it takes over no rotation. And
    whether it rather hangs on a bone of which that is true. carried: (4, 4) what the other does. start, now: (B, 4, 4)."""
    if np.abs(now[row, :3, :3] - start[row, :3, :3]).max() >= _NEAR:
        return False, False
    if row == hinge:
        return bool(np.abs((carried @ start[row])[:3, 3] - now[row, :3, 3]).max() < _NEAR), False
    return False, bool(np.abs((now[row] - start[row] - now[hinge] + start[hinge])[:3, 3]).max() < _NEAR)


def _goes_along(start: Floats, now: Floats) -> bool:
    """Whether the second of two bones is carried by the first, or is not moved by it. (2, 4, 4) before and after that is rotated."""
    carried: Floats = now[:1] @ np.linalg.inv(start)[:1] @ start[1:]
    return min(float(np.abs(now[1:] - carried).max()), float(np.abs(now[1:] - start[1:]).max())) < _NEAR


def _rotate(bone: Any, angle: float, axis: Floats) -> None:
    """By a bone's own channels. axis: (3,), of the bone."""
    if bone.rotation_mode == "QUATERNION":
        bone.rotation_quaternion = (np.cos(angle / 2), *(np.sin(angle / 2) * axis))
    elif bone.rotation_mode == "AXIS_ANGLE":
        bone.rotation_axis_angle = (angle, *axis)
    else:
        bone.rotation_euler = angle * axis
