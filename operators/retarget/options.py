"""How to retarget, once for the operator and for the side panel."""

from __future__ import annotations

from typing import Any

from bpy.props import BoolProperty, EnumProperty, FloatProperty, StringProperty

from ...core.retarget.retarget import Options
from ...io.retarget.retarget import RetargetOptions

GROUPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Way", ("root_motion", "keep_speed", "floor", "scale", "mirror")),
    ("Contacts", ("feet", "hands", "hips_down")),
    ("Rest Poses", ("align", "pose_frame", "source_pose", "target_pose", "facing")),
    ("Keys", ("keys", "step", "twist", "rigify_ik", "assign")),
)
"""As the panel shows them."""

NAMES = tuple(name for _, names in GROUPS for name in names)


class RetargetChoices:
    """Properties of an operator, or of the settings in the scene."""

    root_motion: EnumProperty(
        name="Root Motion",
        description="What carries the way over the ground",
        items=(
            ("HIPS", "Hips", "The hips move, as in most motion capture"),
            ("BONE", "Root Bone", "The bone above the hips moves and turns over the ground"),
            ("OBJECT", "Object", "The armature object moves and turns; its present place is where the action begins"),
            ("NONE", "In Place", "The character stays; the hips only move up and down"),
        ),
        default="HIPS",
    )
    keep_speed: BoolProperty(
        name="Keep Speed",
        description="Cover the same metres a second over the ground; off: steps grow with the legs, so that feet do not slide",
    )
    floor: EnumProperty(
        name="Floor",
        items=(
            ("AUTO", "Automatic", "The ground that the source walks on, where its rest pose does not stand on it"),
            ("REST", "Rest Poses", "Heights count from both rest poses"),
            ("CONTACT", "Lowest Contact", "The lowest foot of the clip stands at the height of the target's feet at rest"),
        ),
        default="AUTO",
    )
    scale: FloatProperty(name="Scale", description="Target metres a source metre; 0: by the length of the legs", default=0.0, min=0.0)
    mirror: BoolProperty(name="Mirror", description="Exchange left and right")
    feet: BoolProperty(
        name="Hold Feet",
        description="Feet that stand on the ground stay where they stand; changes legs and hips. Off: exactly the source's limbs",
    )
    hands: BoolProperty(name="Hold Hands", description="The same for hands that touch the ground")
    hips_down: BoolProperty(name="Lower the Hips", description="Where held feet are out of reach the hips come down", default=True)
    align: EnumProperty(
        name="Alignment",
        description="How the two rest poses are brought together",
        items=(
            ("AUTO", "Automatic", "The target's bones are turned to where the source's point"),
            ("REST", "As They Are", "Both rest poses already stand alike"),
            ("TPOSE", "T-Pose", "Both are brought to one canonical pose; best between three or more characters"),
            ("FRAME", "At a Frame", "The source stands like the target's rest pose at a frame of its action"),
            ("POSE", "By Poses", "Poses of one or both that stand alike, kept as actions"),
        ),
        default="AUTO",
    )
    pose_frame: FloatProperty(
        name="Frame", description="The frame of the source's action in which it stands like the target's rest pose", default=1.0
    )
    source_pose: StringProperty(name="Source Pose", description="Action whose first frame is the source's pose; empty: its rest pose")
    target_pose: StringProperty(name="Target Pose", description="Action whose first frame is the target's pose; empty: its rest pose")
    facing: EnumProperty(
        name="Facing",
        items=(
            ("AUTO", "By the Figures", "The source's way of facing becomes the target's"),
            ("WORLD", "By the World", "North stays north"),
        ),
        default="AUTO",
    )
    keys: EnumProperty(
        name="Keys",
        items=(
            ("FRAMES", "Every Frame", "A key every step, as the source looks there"),
            ("SOURCE", "As the Source", "Keys where the source has them; in between it may move a little differently"),
        ),
        default="FRAMES",
    )
    step: FloatProperty(name="Step", description="Frames from key to key", default=1.0, min=0.01, soft_max=10.0)
    twist: BoolProperty(name="Twist Bones", description="Twist bones of the target take their part of a limb's twist", default=True)
    rigify_ik: BoolProperty(
        name="IK Controls", description="On a rig made by Rigify: move the IK controls too, and leave the switches at IK"
    )
    assign: BoolProperty(name="Show", description="Make the first new action the target's active one", default=True)


def options_of(choices: Any, actions: tuple[str, ...]) -> RetargetOptions:
    """From the properties."""
    inner = ("align", "facing", "root_motion", "keep_speed", "floor", "scale", "feet", "hands", "mirror", "twist")
    core = Options(drop=choices.hips_down, **{name: getattr(choices, name) for name in inner})
    outer = ("keys", "step", "pose_frame", "source_pose", "target_pose", "rigify_ik", "assign")
    return RetargetOptions(core=core, actions=actions, **{name: getattr(choices, name) for name in outer})
