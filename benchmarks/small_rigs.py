"""Memory of retargeting short clips of small rigs, whose keys take little beside what one bone takes while it is computed.

    python -m retro_anim.benchmarks.small_rigs

in a Python that has Blender's module. Each rig is retargeted at two lengths, so that what grows with the frames is apart from what does
not: that is Python's objects for bones, channels and keys. A humanoid has roles, so that its feet are held, for which the motion is also
known as it is without that.
"""

from __future__ import annotations

import tracemalloc
from typing import Any

import bpy
import numpy as np

from ..core.retarget.figures.maps.bone_map import BoneMap, Pair
from ..io.blender import compat, new_objects, scene
from ..io.retarget.retarget import retarget_actions
from . import retarget, yardstick

OPS: Any = bpy.ops

ROWS: tuple[tuple[int, int], ...] = ((5, 1007), (10, 500), (20, 300), (22, 300), (22, 1007), (30, 1007), (60, 1007))
"""Bones and frames; 22 are a humanoid."""

_HUMANOID = 22
_SIDE = (
    ("Shoulder", "upperChest", (0.05, 0, 1.45)),
    ("UpperArm", "Shoulder", (0.2, 0, 1.45)),
    ("LowerArm", "UpperArm", (0.5, 0.02, 1.45)),
    ("Hand", "LowerArm", (0.75, 0, 1.45)),
    ("UpperLeg", "hips", (0.1, 0, 0.95)),
    ("LowerLeg", "UpperLeg", (0.1, -0.02, 0.5)),
    ("Foot", "LowerLeg", (0.1, 0, 0.08)),
    ("Toes", "Foot", (0.1, -0.13, 0.02)),
)
_TRUNK = (("hips", 1.0), ("spine", 1.1), ("chest", 1.25), ("upperChest", 1.4), ("neck", 1.5), ("head", 1.6))
"""By role where the joint is, of limbs that of the left side, in metres."""


def main() -> None:
    yardstick.parser(__doc__, runs=1).parse_args()
    print(f"Blender {bpy.app.version_string}, numpy {np.__version__}")
    print("| bones | frames | arrays and objects at most | to the float32 pairs written | bytes a frame | without frames |")
    print("| --- | --- | --- | --- | --- | --- |")
    for bones, frames in ROWS:
        (most, pairs), (half, _) = peak(bones, frames), peak(bones, frames // 2)
        each = (most - half) / (frames - frames // 2)
        alone = (most - each * frames) / 1e3
        print(f"| {bones} | {frames} | {most / 1e3:.0f} KB | {most / pairs:.2f} | {each:.0f} | {alone:.0f} KB |")


def peak(bones: int, frames: int) -> tuple[int, int]:
    """Bytes that retargeting has at most, and those of the float32 pairs of frame and value that it writes."""
    OPS.wm.read_homefile(use_empty=True, use_factory_startup=True)
    names = ("source", "target")
    source, target = (_humanoid(name) if bones == _HUMANOID else retarget.rig(name, bones, seed) for seed, name in enumerate(names))
    action = retarget.dance(source, frames)
    compat.assign(source, action)
    pairs_of = (Pair(bone.name, bone.name, bone.name if bones == _HUMANOID else "") for bone in source.pose.bones)
    bone_map = BoneMap(tuple(pairs_of))
    (created,) = retarget_actions(bpy.context, source, target, bone_map).actions
    pairs = sum(curve.keys.nbytes for curve in yardstick.curves_of(created, target))
    for _ in range(2):  # what is loaded, and stays, with the first runs is nothing that another one takes
        retarget.without(target, [action])
        retarget_actions(bpy.context, source, target, bone_map)
    retarget.without(target, [action])
    tracemalloc.start()
    retarget_actions(bpy.context, source, target, bone_map)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most, pairs


def _humanoid(name: str) -> Any:
    """The body of a person, its bones named by their roles."""
    joints: dict[str, tuple[str, Any]] = {}
    for at, (role, height) in enumerate(_TRUNK):
        joints[role] = _TRUNK[at - 1][0] if at else "", (0, 0, height)
    for side, sign in (("left", 1), ("right", -1)):
        for part, above, (x, y, z) in _SIDE:
            joints[side + part] = above if above in joints else side + above, (sign * x, y, z)
    data = bpy.data.armatures.new(name)
    obj = bpy.data.objects.new(name, data)
    scene.make_active(bpy.context, new_objects.link(bpy.context, obj))
    OPS.object.mode_set(mode="EDIT")
    for role, (above, head) in joints.items():
        bone: Any = data.edit_bones.new(role)
        below = next((joint for parent, joint in joints.values() if parent == role), np.array(head) + np.array([0, -0.05, 0.05]))
        bone.head, bone.tail, bone.parent = head, below, data.edit_bones[above] if above else None
    OPS.object.mode_set(mode="OBJECT")
    for posed in obj.pose.bones:
        posed.rotation_mode = "QUATERNION"
    return obj


if __name__ == "__main__":
    main()
    yardstick.leave()
