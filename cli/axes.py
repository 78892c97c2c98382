"""Which axis is up, and along which a character looks, in files of other programs: a .bvh does not say it, and others may be wrong."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..core.motion.rotations.rotation_matrix import Floats
from ..core.reporting import log
from ..core.reporting.errors import RetroAnimError

FOREIGN = (".glb", ".gltf", ".fbx", ".bvh")
"""Files that may have any axes. A .blend has Blender's, and a game's file the game's."""

AXES = ("X", "Y", "Z", "-X", "-Y", "-Z")
_FRAMES = 9
"""Of a clip, that are looked at."""
_CLEAR = 2.0
"""How much longer along one axis a direction is than beside it, to be along that axis."""
_NEAR = 0.15
"""How far feet on the ground are from it, in heights of the figure; captures have their soles and their noise in that."""
_BELOW = 0.03
"""How far a body that lies is in the ground at most: one that stands at the origin reaches to both sides of it."""
_FAR = 0.2
"""How far the middle of a figure goes over the ground that its rest pose does not show, in heights: one that lies has its feet at any
height by chance, and stays there."""
_HEAD, _FOOT = "head|neck", "foot|ankle"
_LEFT, _RIGHT = (
    re.compile(rf"(?i:{side})|(^|[^A-Za-z]){side[0]}(?=[A-Z_.]|$)|(^|_|\.){side[0].lower()}(?=[A-Z_.]|$)") for side in ("Left", "Right")
)


@dataclass(frozen=True)
class Axes:
    """up, forward: axes of the file, "" to find them out: of a .bvh by its skeleton and motion; others have Y up and look along Z.
    prefix: of the arguments that say them."""

    up: str = ""
    forward: str = ""
    prefix: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        if self.up and self.forward and self.up[-1] == self.forward[-1]:
            raise RetroAnimError(f"{self.up} cannot be up when the character looks along {self.forward}")

    @classmethod
    def of(cls, arguments: argparse.Namespace, prefix: str = "") -> Axes:
        """What was given for the arguments of `add_to`."""
        up, forward = (getattr(arguments, f"{prefix.replace('-', '_')}{name}") for name in ("up", "forward"))
        return cls(up, forward, prefix)

    def check(self, paths: Iterable[str]) -> None:
        """Raises RetroAnimError where they are given and none of the files can have them."""
        known = list(paths)
        if self.given and known and not any(path.lower().endswith(FOREIGN) for path in known):
            raise RetroAnimError(f"{known[0]}: {self.arguments} are for {', '.join(FOREIGN)}: others say themselves which axis is up")

    @property
    def arguments(self) -> str:
        """Their names."""
        return f"--{self.prefix}up and --{self.prefix}forward"

    @property
    def given(self) -> bool:
        return bool(self.up or self.forward)

    def complete(self, other: Axes) -> Axes:
        """With what `other` says where nothing was said; the forward that goes with an up where neither does, or both clash."""
        up = self.up or (other.up if self.forward[-1:] != other.up[-1:] else "Z" if self.forward[-1:] == "Y" else "Y")
        forward = self.forward or (other.forward if other.forward[-1:] != up[-1:] else "-Y" if up[-1] == "Z" else "Z")
        return Axes(up, forward, self.prefix)

    @property
    def matrix(self) -> Floats:
        """(3, 3) from the file's axes to Blender's, where Z is up and characters look along -Y."""
        up, forward = _vector(self.up), _vector(self.forward)
        return np.stack([np.cross(up, forward), -forward, up])  # its left is along X


STANDARD = Axes("Y", "Z")
"""As glTF has it, and as most .bvh are."""


def add_to(command: argparse.ArgumentParser, of: str = "", prefix: str = "") -> None:
    """The arguments --up and --forward. of: whose axes they are, in the help. prefix: of their names, as in --onto-up."""
    kinds = f"{of or 'a'} {', '.join(FOREIGN[:-1])} or {FOREIGN[-1]}"
    command.add_argument(f"--{prefix}up", choices=AXES, default="", help=f"the axis that is up in {kinds}; found out unless given")
    command.add_argument(
        f"--{prefix}forward",
        choices=AXES,
        default="",
        help=f"the axis along which the character of {kinds} looks, such as --{prefix}forward -Y; found out unless given",
    )


def open_bvh(read: Callable[[str, str], None], path: str, axes: Axes) -> None:
    """Import a .bvh upright and looking along -Y. read: imports it with an axis as Blender's forward and another as up."""
    import bpy

    if axes.up and axes.forward:
        read(_opposite(axes.forward), axes.up)
        return
    before = {collection: set(collection) for collection in (bpy.data.objects, bpy.data.armatures, bpy.data.actions)}
    read(_opposite(STANDARD.forward), STANDARD.up)
    imported = next((obj for obj in bpy.data.objects if obj.type == "ARMATURE" and obj not in before[bpy.data.objects]), None)
    wanted = axes.complete(STANDARD if imported is None else _measured(imported))
    if wanted == STANDARD:
        return
    bpy.data.batch_remove([item for collection, old in before.items() for item in collection if item not in old])
    read(_opposite(wanted.forward), wanted.up)
    if not axes.given:
        log.info(f"{path}: {wanted.up} is up, and the character looks along {wanted.forward}; {axes.arguments} say otherwise")


def stand(objects: list[Any], axes: Axes) -> None:
    """Put objects of a file with Y up upright, whose axes are others."""
    import bpy
    from mathutils import Matrix

    change = axes.complete(STANDARD).matrix @ STANDARD.matrix.T
    if np.allclose(change, np.eye(3)):
        return
    rotation = Matrix(change.tolist()).to_4x4()
    for obj in [obj for obj in objects if obj.parent is None]:
        if obj.animation_data is None or obj.animation_data.action is None or (obj.type == "ARMATURE" and not _moves(obj)):
            obj.matrix_world = rotation @ obj.matrix_world
            continue
        above = bpy.data.objects.new(f"{obj.name} axes", None)
        bpy.context.scene.collection.objects.link(above)
        above.matrix_world = rotation
        obj.parent = above


def _moves(obj: Any) -> bool:
    """Whether an action moves an armature as a whole."""
    from ..io.blender import compat

    return any(not curve.data_path.startswith("pose.") for curve in compat.curves(obj.animation_data.action, obj))


def _measured(obj: Any) -> Axes:
    """The axes of a figure that was imported with Y up and Z forward: up where both its rest pose and its motion have the head above the
    feet along one other axis, or its motion alone where the rest pose lies and it is plain that the figure stands on the ground of that
    axis, where one that stands at rest with Y up has to walk all the time; forward where it stands at rest, and its left and right and its
    toes, if it has any, agree."""
    import bpy

    bones = list(obj.data.bones)
    names, called = [bone.name for bone in bones], _called(obj)
    rest = np.array([bone.head_local for bone in bones]).reshape(-1, 3) @ STANDARD.matrix
    scene = bpy.context.scene
    first, last = int(scene.frame_start), int(scene.frame_end)
    frames = sorted({first + (last - first) * part // (_FRAMES - 1) for part in range(_FRAMES)})
    moved: list[Floats] = []
    current = scene.frame_current
    for frame in frames:
        scene.frame_set(frame)
        moved.append(np.array([obj.pose.bones[name].head for name in names]).reshape(-1, 3) @ STANDARD.matrix)
    scene.frame_set(current)
    standing, resting = (_between(called, points, _HEAD, _FOOT) for points in (np.mean(moved, axis=0), rest))
    up = _axis(standing)
    if not up or (up != _axis(resting) and not _walks(called, np.array(moved), up, always=_axis(resting) == STANDARD.up)):
        up = STANDARD.up
    sides = _side(called, rest) if _axis(resting) == up else None
    forward = "" if sides is None else _axis(_flat(np.cross(sides, _vector(up)), up))
    toes = _between(called, rest, "toe", _FOOT)
    if toes is not None and (shown := _axis(_flat(toes, up))) and shown != forward:
        forward = ""
    return Axes(up, forward or Axes(up).complete(STANDARD).forward)


def _called(obj: Any) -> list[str]:
    """Of each bone its name; where no name is a head's or no name a foot's, what each is by its structure, "" for most."""
    names = [bone.name for bone in obj.data.bones]
    if all(any(re.search(kind, name, re.IGNORECASE) for name in names) for kind in (_HEAD, _FOOT)):
        return names
    from ..core.retarget.mapping.humanoid.labels import label
    from ..io.retarget.reading.read import figure_of

    figure = figure_of(obj)
    roles = {figure.names[bone]: role for role, bone in label(figure).roles.items()}
    return [roles.get(name, "") for name in names]


def _walks(names: list[str], moved: Floats, up: str, *, always: bool) -> bool:
    """Whether a figure whose rest pose does not show what is up is upright in all frames (F, joints, 3) if `up` is up, with a foot on the
    ground at some time, or `always` while it goes over it, and does not lie on it if `STANDARD.up` is. The ground is at the origin, as
    captures have it."""
    heads, feet = ([index for index, name in enumerate(names) if re.search(kind, name, re.IGNORECASE)] for kind in (_HEAD, _FOOT))
    heights, usual = moved @ _vector(up), moved @ _vector(STANDARD.up)
    tall = float((heights[:, heads].mean(axis=1) - heights[:, feet].mean(axis=1)).mean())
    upright = all(_axis(_between(names, points, _HEAD, _FOOT)) == up for points in moved)
    lowest_foot = heights[:, feet].min(axis=1)
    stands = np.abs(lowest_foot if always else lowest_foot.min()).max() < _NEAR * tall
    goes = not always or float(np.linalg.norm(_flat(np.ptp(moved.mean(axis=1), axis=0), up))) > _FAR * tall
    lowest = usual.min(axis=1)
    lies = lowest.min() > -_BELOW * tall and lowest.max() < _NEAR * tall
    return bool(upright and stands and goes and not lies)


def _between(names: list[str], points: Floats, first: str, second: str) -> Floats | None:
    """From the middle of the bones of one kind to that of another; None where there are none."""
    ends = [[index for index, name in enumerate(names) if re.search(kind, name, re.IGNORECASE)] for kind in (second, first)]
    return points[ends[1]].mean(axis=0) - points[ends[0]].mean(axis=0) if all(ends) else None


def _side(names: list[str], points: Floats) -> Floats | None:
    """From right to left."""
    left, right = ([index for index, name in enumerate(names) if kind.search(name)] for kind in (_LEFT, _RIGHT))
    return points[left].mean(axis=0) - points[right].mean(axis=0) if len(left) == len(right) > 0 else None


def _flat(direction: Floats, up: str) -> Floats:
    return direction * (_vector(up) == 0)


def _axis(direction: Floats | None) -> str:
    """The axis that a direction is clearly along, "" for none."""
    if direction is None:
        return ""
    longest = int(np.argmax(np.abs(direction)))
    if abs(direction[longest]) <= _CLEAR * np.linalg.norm(np.delete(direction, longest)):
        return ""
    return ("-" if direction[longest] < 0 else "") + "XYZ"[longest]


def _vector(axis: str) -> Floats:
    result = np.zeros(3)
    result["XYZ".index(axis[-1])] = -1.0 if axis.startswith("-") else 1.0
    return result


def _opposite(axis: str) -> str:
    return axis[1:] if axis.startswith("-") else f"-{axis}"
