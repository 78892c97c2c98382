"""Armatures and motions made up for tests in Blender: one set of joints under the names, rolls, axes and rest poses of common rigs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from mathutils import Euler, Matrix, Quaternion, Vector

RIGIFY_LIMBS = {
    "Shoulder": "shoulder",
    "UpperArm": "upper_arm",
    "LowerArm": "forearm",
    "Hand": "hand",
    "UpperLeg": "thigh",
    "LowerLeg": "shin",
    "Foot": "foot",
    "Toes": "toe",
}
"""Role -> Rigify's name of the bone, both without their side."""

_SIDE = {
    "Shoulder": ("upperChest", (0.04, 0.0, 0.12)),
    "UpperArm": ("Shoulder", (0.14, 0.01, 0.0)),
    "LowerArm": ("UpperArm", (0.27, 0.02, 0.0)),
    "Hand": ("LowerArm", (0.25, -0.02, 0.0)),
    "UpperLeg": ("hips", (0.1, 0.0, -0.05)),
    "LowerLeg": ("UpperLeg", (0.0, -0.02, -0.42)),
    "Foot": ("LowerLeg", (0.0, 0.03, -0.41)),
    "Toes": ("Foot", (0.0, -0.15, -0.07)),
}
JOINTS: dict[str, tuple[str, tuple[float, float, float]]] = {
    "hips": ("", (0.0, 0.0, 0.97)),
    "spine": ("hips", (0.0, 0.01, 0.1)),
    "chest": ("spine", (0.0, 0.0, 0.15)),
    "upperChest": ("chest", (0.0, 0.02, 0.15)),
    "neck": ("upperChest", (0.0, 0.0, 0.17)),
    "head": ("neck", (0.0, -0.01, 0.1)),
}
"""Role -> parent, and the offset from there in metres, in the T-pose."""

for _side, _sign in (("left", 1.0), ("right", -1.0)):
    for _part, (_parent, (_x, _y, _z)) in _SIDE.items():
        JOINTS[_side + _part] = (_side + _parent if _parent[0].isupper() else _parent, (_x * _sign, _y, _z))

PLAIN = {role: role for role in JOINTS}


def _names(trunk: str, limbs: str, left: str, right: str) -> dict[str, str]:
    """Names in the order of JOINTS; in `limbs` a star stands for the side."""
    parts = limbs.split(",")
    sided = [f"{part.replace('*', side)}" for side in (left, right) for part in parts]
    return dict(zip(JOINTS, [*trunk.split(","), *sided], strict=True))


MIXAMO = {
    role: f"mixamorig:{name}"
    for role, name in _names(
        "Hips,Spine,Spine1,Spine2,Neck,Head",
        "*Shoulder,*Arm,*ForeArm,*Hand,*UpLeg,*Leg,*Foot,*ToeBase",
        "Left",
        "Right",
    ).items()
}
UNREAL = _names(
    "pelvis,spine_01,spine_02,spine_03,neck_01,head",
    "clavicle_*,upperarm_*,lowerarm_*,hand_*,thigh_*,calf_*,foot_*,ball_*",
    "l",
    "r",
)
VRM = _names(
    "J_Bip_C_Hips,J_Bip_C_Spine,J_Bip_C_Chest,J_Bip_C_UpperChest,J_Bip_C_Neck,J_Bip_C_Head",
    "J_Bip_*_Shoulder,J_Bip_*_UpperArm,J_Bip_*_LowerArm,J_Bip_*_Hand,J_Bip_*_UpperLeg,J_Bip_*_LowerLeg,J_Bip_*_Foot,J_Bip_*_ToeBase",
    "L",
    "R",
)

RotationMode = Callable[[str, Any], Any]
"""(role, the bone's own matrix at rest) -> its matrix, same head."""


def build(
    name: str,
    names: dict[str, str] = PLAIN,
    rotation: RotationMode | None = None,
    pose: dict[str, tuple[float, float, float]] | None = None,
    sizes: dict[str, float] | None = None,
    root: str = "",
) -> Any:
    """An armature object in rest pose. names: role -> bone name; roles without one are left out, what hangs on them goes to their parents.

    pose: role -> Euler angles in the world of the limb at rest. sizes: factors of the offsets. root: a bone on the floor."""
    context = bpy.context
    data = bpy.data.armatures.new(name)
    obj = bpy.data.objects.new(name, data)
    context.collection.objects.link(obj)
    before = context.view_layer.objects.active
    context.view_layer.objects.active = obj
    bpy.ops.object.mode_set(mode="EDIT")
    rotations: dict[str, Any] = {}
    heads: dict[str, Any] = {}
    for role, (parent, travel) in JOINTS.items():
        own = Euler((pose or {}).get(role, (0.0, 0.0, 0.0))).to_matrix()
        above = rotations.get(parent, Matrix.Identity(3))
        rotations[role] = above @ own
        heads[role] = heads.get(parent, Vector((0, 0, 0))) + above @ Vector(travel) * (sizes or {}).get(role, 1.0)
    if root:
        bone = data.edit_bones.new(root)
        bone.head, bone.tail = (0, 0, 0), (0, 0.2, 0)
    for role, bone_name in names.items():
        bone = data.edit_bones.new(bone_name)
        children = [child for child, (parent, _) in JOINTS.items() if parent == role]
        tip = sum((heads[child] for child in children), Vector()) / len(children) if children else None
        bone.head = heads[role]
        bone.tail = (
            tip if tip is not None and (tip - heads[role]).length > 0.02 else heads[role] + rotations[role] @ Vector((0, -0.05, 0.02))
        )
        if rotation is not None:
            bone.matrix = rotation(role, bone.matrix.copy())
        parent = JOINTS[role][0]
        while parent and parent not in names:
            parent = JOINTS[parent][0]
        if parent:
            bone.parent = data.edit_bones[names[parent]]
        elif root:
            bone.parent = data.edit_bones[root]
    bpy.ops.object.mode_set(mode="OBJECT")
    for bone in obj.pose.bones:
        bone.rotation_mode = "QUATERNION"
    context.view_layer.objects.active = before
    return obj


def rolled(seed: int) -> RotationMode:
    """Random roll about the bone's own axis."""
    random = np.random.default_rng(seed)
    return lambda role, matrix: matrix @ Matrix.Rotation(random.uniform(-3.1, 3.1), 4, "Y")


def tumbled(seed: int) -> RotationMode:
    """Random axes, as an FBX may have them."""
    random = np.random.default_rng(seed)

    def rotation(role: str, matrix: Any) -> Any:
        created = Quaternion(random.normal(size=4).tolist()).normalized().to_matrix().to_4x4()
        created.translation = matrix.translation
        return created

    return rotation


def a_pose(angle: float = 0.7) -> dict[str, tuple[float, float, float]]:
    """Arms down by an angle."""
    return {"leftUpperArm": (0.0, angle, 0.0), "rightUpperArm": (0.0, -angle, 0.0)}


def bent(seed: int, most: float) -> dict[str, tuple[float, float, float]]:
    """Every bone but the hips turned at random."""
    random = np.random.default_rng(seed)
    return {role: tuple(random.uniform(-most, most, 3).tolist()) for role in JOINTS if role != "hips"}


def dance(part: Any, obj: Any, name: str = "dance", frames: int = 30, seed: int = 0, most: float = 0.9) -> Any:
    """An action with a key on every frame: all bones turn smoothly, the hips go about. It becomes the present one."""
    random = np.random.default_rng(seed)
    time = np.arange(frames) / 24
    created: dict[tuple[str, str], Any] = {}
    for bone in obj.pose.bones:
        waves = random.normal(size=(3, 3, 1)) * np.sin(random.uniform(0, 6, (3, 3, 1)) + time * np.array([1.0, 2.1, 3.3])[:, None])
        axis = waves.sum(axis=1) * most / 3
        angle = np.linalg.norm(axis, axis=0)
        created[bone.name, "rotation_quaternion"] = np.concatenate(
            [np.cos(angle / 2)[None], axis / np.maximum(angle, 1e-12) * np.sin(angle / 2)]
        )
        if bone.parent is None:
            created[bone.name, "location"] = np.stack([0.3 * time, 0.05 * np.sin(time * 5), 0.1 * np.sin(time * 3)])
    return keyed(part, obj, name, created)


def keyed(part: Any, obj: Any, name: str, values: dict[tuple[str, str], Any], start: float = 1.0) -> Any:
    """An action with a linear key on every frame, by bone and property (components, F). It becomes the present one."""
    curves = part("core.motion.curves")
    blocks = [
        curves.Block(
            [curves.Channel(bone, kind, index) for index in range(len(numbers))],
            np.arange(numbers.shape[1], dtype=np.float32) + start,
            np.asarray(numbers, np.float32),
            np.zeros(numbers.shape[1], bool),
        )
        for (bone, kind), numbers in values.items()
    ]
    action = part("io.blender.motion.curve_writer").Writer(obj).write(blocks)
    action.name = name
    part("io.blender.compat").assign(obj, action)
    return action


def linked(path: Path, name: str) -> Any:
    """An object of a file, linked into the scene."""
    libraries: Any = bpy.data.libraries
    with libraries.load(str(path), link=True) as (_, wanted):
        wanted.objects = [name]
    (obj,) = wanted.objects
    bpy.context.scene.collection.objects.link(obj)
    return obj


def apart(one: Any, other: Any) -> float:
    """The largest distance between two arrays of points."""
    return float(np.linalg.norm(one - other, axis=-1).max())


def joints(obj: Any, bones: Iterable[str], frames: Iterable[int]) -> Any:
    """(F, bones, 3) heads in the world, as Blender shows them."""
    scene = bpy.context.scene
    result = []
    for frame in frames:
        scene.frame_set(frame)
        shown = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
        result.append([shown.matrix_world @ shown.pose.bones[name].head for name in bones])
    scene.frame_set(1)
    return np.array(result, np.float64)


def pairs(part: Any, source: dict[str, str], target: dict[str, str]) -> Any:
    """The bone map by roles."""
    kinds = part("core.retarget.figures.maps.bone_map")
    return kinds.BoneMap(tuple(kinds.Pair(source[role], target[role], role=role) for role in JOINTS if role in source and role in target))
