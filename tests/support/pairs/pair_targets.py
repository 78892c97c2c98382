"""Eighteen characters to retarget onto: rigs under their published bone names, with proportions, rolls and rest poses of our own, and
games' bodies. Which bone is what was written by hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix

from .. import blender_rigs as rigs
from . import pair_sources
from .pair_sources import Roles

OPS: Any = bpy.ops

BIPED = rigs._names(  # pyright: ignore[reportPrivateUsage]
    "Bip01 Pelvis,Bip01 Spine,Bip01 Spine1,Bip01 Spine2,Bip01 Neck,Bip01 Head",
    "Bip01 * Clavicle,Bip01 * UpperArm,Bip01 * Forearm,Bip01 * Hand,Bip01 * Thigh,Bip01 * Calf,Bip01 * Foot,Bip01 * Toe0",
    "L",
    "R",
)
VALVE = {role: f"ValveBiped.{name.replace(' ', '_')}" for role, name in BIPED.items()}
HUMAN_IK = {role: name.removeprefix("mixamorig:") for role, name in rigs.MIXAMO.items()}
DAZ = rigs._names(  # pyright: ignore[reportPrivateUsage]
    "hip,abdomenLower,abdomenUpper,chestLower,neckLower,head",
    "*Collar,*ShldrBend,*ForearmBend,*Hand,*ThighBend,*Shin,*Foot,*Toe",
    "l",
    "r",
)
NUMBERED = {role: f"bone_{7 * number % 23:02d}" for number, role in enumerate(rigs.JOINTS)}

CHILD = {"neck": 0.7, "head": 0.8, "spine": 0.7, "chest": 0.6, "upperChest": 0.6} | {
    side + part: size
    for side in ("left", "right")
    for part, size in {"UpperArm": 0.6, "LowerArm": 0.55, "Hand": 0.5, "LowerLeg": 0.5, "Foot": 0.45, "Toes": 0.6, "UpperLeg": 0.8}.items()
}
STOCKY = {side + part: size for side in ("left", "right") for part, size in {"LowerLeg": 0.8, "Foot": 0.85, "UpperArm": 1.3}.items()}


@dataclass(frozen=True)
class Target:
    """make: puts it into the scene. roles: role -> bone whose head is the joint, as Blender shows it. yaw: degrees about Z from looking
    along -Y."""

    make: Callable[[Path], Any]
    roles: Roles
    yaw: float = 0.0
    tags: frozenset[str] = field(default_factory=frozenset[str])


Row = tuple[str, str, tuple[float, float, float]]


def with_bones(obj: Any, rows: list[Row]) -> Any:
    """More bones: name, parent, and the offset from its tail; in both, and in pairs with `*` for L and R, metres to the left."""
    before = bpy.context.view_layer.objects.active
    bpy.context.view_layer.objects.active = obj
    OPS.object.mode_set(mode="EDIT")
    bones = obj.data.edit_bones
    for name, parent, (x, y, z) in rows:
        bone = bones.new(name)
        above = bones[parent]
        bone.head = above.tail
        bone.tail = np.array(above.tail) + np.array([x, y, z])
        bone.parent = above
    OPS.object.mode_set(mode="OBJECT")
    for bone in obj.pose.bones:
        bone.rotation_mode = "QUATERNION"
    bpy.context.view_layer.objects.active = before
    return obj


def sided(rows: list[Row], left: str, right: str) -> list[Row]:
    """Each row for both sides, `*` in names standing for the side."""
    return [
        (name.replace("*", side), parent.replace("*", side), (sign * x, y, z))
        for side, sign in ((left, 1), (right, -1))
        for name, parent, (x, y, z) in rows
    ]


def fingers(pattern: str, hand: str, names: tuple[str, ...]) -> list[Row]:
    """Three bones each. pattern: with {finger}, {joint} and a star for the side."""
    rows: list[Row] = []
    for number, finger in enumerate(names):
        above = hand
        for joint in (1, 2, 3):
            name = pattern.format(finger=finger, joint=joint)
            rows.append((name, above, (0.03, -0.012 * number, -0.004 * joint)))
            above = name
    return rows


def mixamo(_: Path) -> Any:
    rows = fingers("mixamorig:*Hand{finger}{joint}", "mixamorig:*Hand", ("Thumb", "Index", "Middle", "Ring", "Pinky"))
    rows += [("mixamorig:*Toe_End", "mixamorig:*ToeBase", (0, -0.06, 0))]
    obj = rigs.build("mixamo", names=rigs.MIXAMO, rotation=rigs.rolled(1), sizes=STOCKY)
    return with_bones(obj, [*sided(rows, "Left", "Right"), ("mixamorig:HeadTop_End", "mixamorig:Head", (0, 0, 0.18))])


def unreal(_: Path) -> Any:
    rows = fingers("{finger}_0{joint}_*", "hand_*", ("thumb", "index", "middle", "ring", "pinky"))
    rows += [("upperarm_twist_01_*", "clavicle_*", (0.1, 0, 0)), ("lowerarm_twist_01_*", "upperarm_*", (0.1, 0, 0))]
    rows += [("thigh_twist_01_*", "pelvis", (0.02, 0, -0.1)), ("ik_foot_*", "root", (0.1, 0, 0.05)), ("ik_hand_*", "root", (0.4, 0, 1))]
    obj = rigs.build("unreal", names=rigs.UNREAL, pose=rigs.a_pose(0.8), rotation=rigs.tumbled(2), root="root")
    return with_bones(obj, sided(rows, "l", "r"))


def vroid(_: Path) -> Any:
    rows = fingers("J_Bip_*_{finger}{joint}", "J_Bip_*_Hand", ("Thumb", "Index", "Middle", "Ring", "Little"))
    rows += [(f"J_Sec_*_Hair{number}_01", "J_Bip_C_Head", (0.03 * number, 0.02, -0.1)) for number in (1, 2, 3)]
    rows += [("J_Sec_*_Bust1", "J_Bip_C_UpperChest", (0.05, -0.08, 0)), ("J_Adj_*_FaceEye", "J_Bip_C_Head", (0.03, -0.06, 0))]
    return with_bones(rigs.build("vroid", names=rigs.VRM, root="Root", sizes={"upperChest": 0.7}), sided(rows, "L", "R"))


def centimetres(_: Path) -> Any:
    """As an FBX comes in: its bones in centimetres and with Y up, the object turned and scaled back."""
    obj = rigs.build("centimetres", names=HUMAN_IK, pose=rigs.a_pose(0.4), rotation=rigs.tumbled(5))
    obj.data.transform(Matrix.Rotation(-np.pi / 2, 4, "X") @ Matrix.Scale(100, 4))
    obj.rotation_euler, obj.scale = (np.pi / 2, 0, 0), (0.01, 0.01, 0.01)
    return obj


def placed(obj: Any, yaw: float, scale: float) -> Any:
    obj.rotation_euler, obj.scale, obj.location = (0, 0, np.radians(yaw)), (scale,) * 3, (3.0, -2.0, 0.0)
    return obj


def metarig(_: Path) -> Any:
    OPS.preferences.addon_enable(module="rigify")
    OPS.object.armature_human_metarig_add()
    return bpy.context.object


def generated(_: Path) -> Any:
    """Rigify's own work takes several seconds, so it is kept for the next pairs."""
    path = Path(bpy.app.tempdir) / "pairs_rigify.blend"
    if not path.exists():
        OPS.preferences.addon_enable(module="rigify")
        OPS.object.armature_basic_human_metarig_add()
        metarig: Any = bpy.context.object
        OPS.pose.rigify_generate()
        bpy.data.libraries.write(str(path), {bpy.data.objects["rig"]})
        bpy.data.batch_remove([metarig, *[obj for obj in bpy.data.objects if obj.name.startswith(("rig", "WGT"))]])
    libraries: Any = bpy.data.libraries
    with libraries.load(str(path)) as (_, wanted):
        wanted.objects = ["rig"]
    bpy.context.collection.objects.link(wanted.objects[0])
    return wanted.objects[0]


def rigify_roles(prefix: str) -> Roles:
    roles = {"hips": f"{prefix}spine", "spine": f"{prefix}spine.001"}
    for side, letter in (("left", "L"), ("right", "R")):
        roles |= {side + role: f"{prefix}{name}.{letter}" for role, name in rigs.RIGIFY_LIMBS.items()}
    return roles


LYING = {"hips": (-np.pi / 2, 0.0, 0.0), "spine": (0.0, 0.3, 0.0), "leftUpperLeg": (0.4, 0.0, 0.2), "rightUpperArm": (0.0, 0.6, 0.3)}

TARGETS: dict[str, Target] = {
    "t_pose": Target(lambda _: rigs.build("t_pose", names=BIPED, rotation=rigs.rolled(3)), BIPED),
    "a_pose": Target(lambda _: rigs.build("a_pose", names=DAZ, pose=rigs.a_pose(), rotation=rigs.rolled(4), sizes=STOCKY), DAZ),
    "arms_down": Target(lambda _: rigs.build("arms_down", names=VALVE, pose=rigs.a_pose(1.45), rotation=rigs.rolled(6)), VALVE),
    "child": Target(lambda _: rigs.build("child", names=HUMAN_IK, rotation=rigs.rolled(7), sizes=CHILD), HUMAN_IK),
    "giant": Target(
        lambda _: rigs.build("giant", names=HUMAN_IK, rotation=rigs.rolled(8), sizes=dict.fromkeys(rigs.JOINTS, 11.0)), HUMAN_IK
    ),
    "centimetres": Target(centimetres, HUMAN_IK),
    "turned": Target(lambda _: placed(rigs.build("turned", names=rigs.UNREAL, rotation=rigs.tumbled(9)), 30.0, 1.0), rigs.UNREAL, 30.0),
    "scaled": Target(lambda _: placed(rigs.build("scaled", names=rigs.MIXAMO, rotation=rigs.rolled(10)), 0.0, 2.5), rigs.MIXAMO),
    "lying": Target(lambda _: rigs.build("lying", names=HUMAN_IK, pose=LYING, rotation=rigs.rolled(11)), HUMAN_IK),
    "unreal": Target(unreal, rigs.UNREAL),
    "vroid": Target(vroid, rigs.VRM),
    "mixamo": Target(mixamo, rigs.MIXAMO),
    "metarig": Target(metarig, rigify_roles("")),
    "rigify": Target(generated, rigify_roles("ORG-"), tags=frozenset({"controls"})),
    "numbered": Target(lambda _: rigs.build("numbered", names=NUMBERED, rotation=rigs.rolled(12)), NUMBERED),
    "twinsen": Target(lambda data: pair_sources.SOURCES["twinsen"].make(data), pair_sources.TWINSEN, tags=frozenset({"given"})),
    "pirate": Target(lambda data: pair_sources.SOURCES["pirate"].make(data), pair_sources.PIRATE, tags=frozenset({"given"})),
    "oni": Target(lambda data: pair_sources.SOURCES["oni"].make(data), pair_sources.ONI, tags=frozenset({"given"})),
}
