"""A person of seventeen joints at round numbers, who stands in a T-pose and looks along -Y; and others, with joints elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations import rotation_matrix
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.figures.maps.bone_map import BoneMap, Pair
from retro_anim.core.retarget.figures.motion import Motion, Standing
from retro_anim.core.retarget.transfer.binding import Binding, bind

Joints = dict[str, Floats]

_SIDE = {
    "UpperLeg": ("hips", (0.1, 0.0, 0.95)),
    "LowerLeg": ("UpperLeg", (0.1, 0.0, 0.5)),
    "Foot": ("LowerLeg", (0.1, 0.0, 0.1)),
    "Toes": ("Foot", (0.1, -0.15, 0.0)),
    "UpperArm": ("chest", (0.2, 0.0, 1.45)),
    "LowerArm": ("UpperArm", (0.5, 0.0, 1.45)),
    "Hand": ("LowerArm", (0.75, 0.0, 1.45)),
}
_TRUNK = {"hips": ("", 1.0), "chest": ("hips", 1.4), "head": ("chest", 1.6)}

PERSON: Joints = {name: np.array([0.0, 0.0, height]) for name, (_, height) in _TRUNK.items()}
PARENTS = {name: above for name, (above, _) in _TRUNK.items()}
for _side, _sign in (("left", 1.0), ("right", -1.0)):
    for _part, (_above, _at) in _SIDE.items():
        PERSON[_side + _part] = np.array(_at) * (_sign, 1, 1)
        PARENTS[_side + _part] = _side + _above if _above in _SIDE else _above
NAMES = tuple(PERSON)


def about(axis: int, degrees: float) -> Floats:
    """(3, 3) a rotation about a world axis."""
    return rotation_matrix.about(axis, np.radians(np.array(degrees)))


def rotated(rotation: Floats, names: Callable[[str], bool] = lambda name: True, joints: Joints = PERSON, center: str = "hips") -> Joints:
    """Some of the joints rotated about one of them."""
    at = joints[center]
    return {name: at + rotation @ (joint - at) if names(name) else joint for name, joint in joints.items()}


def yawed(degrees: float, joints: Joints = PERSON) -> Joints:
    """About Z."""
    return rotated(about(2, degrees), joints=joints)


def figure(joints: Joints = PERSON, world: Floats | None = None, left: Floats | None = None, below: str = "") -> Figure:
    """Bones with the world's axes, their joints in armature space. below: a bone on which all of them hang."""
    names = (below, *NAMES) if below else NAMES
    rest = np.tile(np.eye(4), (len(names), 1, 1))
    rest[-len(NAMES) :, :3, 3] = [joints[name] for name in NAMES]
    parents = np.array([names.index(PARENTS.get(name) or below) if name != names[0] else -1 for name in names], np.int32)
    return Figure(names, parents, rest, np.full(len(names), 0.1), np.eye(4) if world is None else world, left=left)


def bound(source: Figure, target: Figure, without: Callable[[str], bool] = lambda name: False) -> Binding:
    """Each bone follows the one of its name. without: those that are not mapped."""
    return bind(BoneMap(tuple(Pair(name, name, role=name) for name in NAMES if not without(name))), source, target, source.heads)


def moving(frames: Sequence[Joints], rotations: Floats | None = None) -> Motion:
    """A motion through poses. rotations: (F, B, 4) of its bones."""
    positions = np.array([[joints[name] for name in NAMES] for joints in frames])
    own = np.tile(quat.IDENTITY, (*positions.shape[:2], 1)) if rotations is None else rotations
    return Motion(np.arange(float(len(frames))), own, positions, None, Standing(quat.IDENTITY[None], np.zeros((1, 3)), 1.0))
