"""The given clips as sources of retargeting, with what each of their bones is, written by hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy
import numpy as np

OPS: Any = bpy.ops
Roles = dict[str, str]
"""Role -> bone whose head is the joint."""


@dataclass(frozen=True)
class Source:
    """make: puts it into the scene, with its clip shown. yaw: degrees about Z from looking along -Y."""

    make: Callable[[Path], Any]
    roles: Roles
    yaw: float = 0.0


def _both(parts: dict[str, str], left: str, right: str) -> Roles:
    """A star in the names stands for the side."""
    return {side + role: name.replace("*", own) for side, own in (("left", left), ("right", right)) for role, name in parts.items()}


_CMU = {
    "UpperArm": "*Arm",
    "LowerArm": "*ForeArm",
    "Hand": "*Hand",
    "UpperLeg": "*UpLeg",
    "LowerLeg": "*Leg",
    "Foot": "*Foot",
    "Toes": "*ToeBase",
}
_JOINT_NAMED = {
    "UpperArm": "*Shoulder",
    "LowerArm": "*Elbow",
    "Hand": "*Wrist",
    "UpperLeg": "*Hip",
    "LowerLeg": "*Knee",
    "Foot": "*Ankle",
    "Toes": "*Toe",
}
_BIPED = {
    "UpperArm": "Bip01 * UpperArm",
    "LowerArm": "Bip01 * ForeArm",
    "Hand": "Bip01 * Hand",
    "UpperLeg": "Bip01 * Thigh",
    "LowerLeg": "Bip01 * Calf",
    "Foot": "Bip01 * Foot",
    "Toes": "Bip01 * Toe0",
}
_ONI = {
    "UpperArm": "*_biceps",
    "LowerArm": "*_wrist",
    "Hand": "*_handfist",
    "UpperLeg": "*_thigh",
    "LowerLeg": "*_calf",
    "Foot": "*_foot",
}
CMU = {"hips": "Hips", **_both(_CMU, "Left", "Right")}
PIRATE = {"hips": "Bip01 Pelvis", **_both(_BIPED, "L", "R")}
ONI = {"hips": "pelvis", **_both(_ONI, "left", "right")}
_GROUPS = {
    "hips": 2,
    "leftUpperArm": 4,
    "leftLowerArm": 5,
    "rightUpperArm": 6,
    "rightLowerArm": 7,
    "leftUpperLeg": 8,
    "leftLowerLeg": 9,
    "leftFoot": 10,
    "rightUpperLeg": 11,
    "rightLowerLeg": 12,
    "rightFoot": 13,
}
TWINSEN = {role: f"group {number:02d}" for role, number in _GROUPS.items()}
_NODES = {
    "hips": 2,
    "leftUpperArm": 16,
    "leftLowerArm": 17,
    "leftHand": 18,
    "rightUpperArm": 13,
    "rightLowerArm": 14,
    "rightHand": 15,
    "leftUpperLeg": 7,
    "leftLowerLeg": 8,
    "leftFoot": 9,
    "leftToes": 10,
    "rightUpperLeg": 3,
    "rightLowerLeg": 4,
    "rightFoot": 5,
    "rightToes": 6,
}
CESIUM = {role: f"Node_{number}" for role, number in _NODES.items()}


def _new(make: Callable[[], object]) -> Any:
    """The armature that comes with it."""
    before = set(bpy.data.objects.keys())
    bpy.context.view_layer.objects.active = None  # else a game's clip goes to the character that is there
    for obj in bpy.context.selected_objects:  # else edit mode, in Blender's own importers, makes their bones anew
        obj.select_set(False)
    make()
    objects: Any = bpy.data.objects
    return max((obj for obj in objects if obj.type == "ARMATURE" and obj.name not in before), key=lambda obj: len(obj.data.bones))


def bvh(name: str) -> Callable[[Path], Any]:
    def make(data: Path) -> Any:
        path = str(data / "mocap" / f"{name}.bvh")
        return _new(lambda: OPS.import_anim.bvh(filepath=path, global_scale=0.06, update_scene_fps=True))

    return make


def cesium(data: Path) -> Any:
    return _new(lambda: OPS.import_scene.gltf(filepath=str(data / "mocap" / "cesium_man.gltf")))


def game(path: str, clip: str = "", **options: Any) -> Callable[[Path], Any]:
    """A file of a game, with the first action whose name holds `clip` shown."""

    def make(data: Path) -> Any:
        from retro_anim.io.blender import compat
        from retro_anim.io.pipeline import games

        own: set[str] = set(bpy.data.actions.keys())
        obj = _new(lambda: games.import_files(bpy.context, [str(data / path)], options))
        actions: Any = bpy.data.actions
        fitting = [action for action in actions if action.name not in own and clip in action.name]
        if fitting:
            compat.assign(obj, fitting[0])
        return obj

    return make


SOURCES: dict[str, Source] = {
    "cmu": Source(bvh("cmu_01_01_600"), CMU),
    "jacks": Source(bvh("ad_cmu1_jumping_jacks"), {"hips": "Hips", **_both(_JOINT_NAMED, "Left", "Right")}),
    "zombie": Source(bvh("ad_fair1_zombie"), CMU),
    "rokoko": Source(bvh("ad_rokoko_jesse_dance"), CMU),
    "cesium": Source(cesium, CESIUM, 90.0),
    "twinsen": Source(game("lba1/FILE3D.HQR", "walk", entities="0"), TWINSEN),
    "pirate": Source(game("mindpower/animation/0001.lab", "run"), PIRATE),
    "pirate_0010": Source(game("mindpower/animation/0010.lab"), PIRATE),
    "pirate_0088": Source(game("mindpower/animation/0088.lab"), PIRATE),
    "pirate_0741": Source(game("mindpower/animation/0741.lab"), PIRATE),
    "oni": Source(game("oni/instances/TRAMSHINZOMidle1_wiki.oni"), ONI),
}


def shorten(obj: Any, frames: int) -> None:
    """Only the first frames of the clip that is shown."""
    from retro_anim.io.blender import compat

    for curve in compat.curves(obj.animation_data.action, obj):
        points = curve.keyframe_points
        at = np.empty(2 * len(points), np.float32)
        points.foreach_get("co", at)
        start = at[0]
        for number in range(len(points) - 1, -1, -1):
            if at[2 * number] > start + frames - 1:
                points.remove(points[number], fast=True)
            else:
                break
        curve.update()
