"""The options of retargeting: what one clip needs, and what the whole job in Blender needs besides."""

from __future__ import annotations

from dataclasses import field
from typing import Literal, TypeAlias

from ..declare.options import Choice, option
from ..declare.options import Options as Checked

Align: TypeAlias = "Literal['AUTO', 'REST', 'TPOSE', 'FRAME', 'POSE']"
Facing: TypeAlias = "Literal['AUTO', 'WORLD']"
RootMotion: TypeAlias = "Literal['HIPS', 'BONE', 'OBJECT', 'NONE']"
Floor: TypeAlias = "Literal['AUTO', 'REST', 'CONTACT']"
Keys: TypeAlias = "Literal['FRAMES', 'SOURCE']"
Loop: TypeAlias = "Literal['AUTO', 'YES', 'NO']"
Earlier: TypeAlias = "Literal['REPLACE', 'REPLACE_ALL', 'KEEP']"

_FRAMES = 1048574.0
"""Blender's last frame."""


class Options(Checked):
    """How one clip is retargeted. from_first: the object stands and looks as the clip does when it
    starts, from where games count."""

    root_motion: RootMotion = option(
        "HIPS",
        "Root Motion",
        "What carries the motion over the ground",
        choices=(
            Choice("HIPS", "Hips", "The hips move, as in most motion capture; of a character of Little Big Adventure the object does"),
            Choice(
                "BONE",
                "Root Bone",
                "The bone above the hips moves and rotates over the ground; of a character of Little Big Adventure the object does",
            ),
            Choice("OBJECT", "Object", "The armature object moves and rotates; the action begins at its present location"),
            Choice("NONE", "In Place", "The character stays; the hips only move up and down"),
        ),
        group="Root Motion",
        flag="--root-motion",
    )
    keep_speed: bool = option(
        False,
        "Keep Speed",
        "Cover the same metres a second over the ground; off: steps grow with the legs, so that feet do not slide",
        group="Root Motion",
        flag="--keep-speed",
    )
    floor: Floor = option(
        "AUTO",
        "Floor",
        "What heights count from",
        choices=(
            Choice("AUTO", "Automatic", "The ground that the source walks on, where its rest pose does not stand on it"),
            Choice("REST", "Rest Poses", "Heights count from both rest poses"),
            Choice("CONTACT", "Lowest Contact", "The lowest foot of the clip stands at the height of the target's feet at rest"),
        ),
        group="Root Motion",
        flag="--floor",
    )
    scale: float = option(
        0.0,
        "Scale",
        "Target metres per source metre; 0: by the length of the legs",
        minimum=0.0,
        maximum=1e6,
        soft_maximum=10.0,
        group="Root Motion",
        flag="--scale",
        metavar="FACTOR",
    )
    mirror: bool = option(False, "Mirror", "Exchange left and right", group="Root Motion", flag="--mirror")
    feet: bool = option(
        True,
        "Hold Feet",
        "In clips that keep to the ground, feet that stand stay where they stand; changes legs and hips. Off: exactly the source's limbs",
        group="Contacts",
        flag="--feet",
    )
    hands: bool = option(False, "Hold Hands", "Hands and arms that touch the ground do not slide on it", group="Contacts", flag="--hands")
    hips_down: bool = option(
        True, "Lower the Hips", "Where held feet are out of reach the hips come down", group="Contacts", flag="--lower-hips"
    )
    align: Align = option(
        "AUTO",
        "Alignment",
        "How the two rest poses are brought together",
        choices=(
            Choice("AUTO", "Automatic", "The target's bones are rotated to where the source's point"),
            Choice("REST", "As They Are", "Both rest poses already stand alike"),
            Choice("TPOSE", "T-Pose", "Both are brought to one canonical pose; best between three or more characters", flag="t-pose"),
            Choice("FRAME", "At a Frame", "The source stands like the target's rest pose at a frame of its action"),
            Choice("POSE", "By Poses", "Poses of one or both that stand alike: one that the bone map keeps, or actions"),
        ),
        group="Rest Poses",
        flag="--align",
    )
    facing: Facing = option(
        "AUTO",
        "Facing",
        "Which way the target faces",
        choices=(
            Choice(
                "AUTO",
                "By the Armatures",
                "Each along its own front, wherever that is; one of which nothing shows it for certain is taken to look along -Y",
            ),
            Choice(
                "WORLD", "By the World", "The target looks and goes where the source does in the world, wherever its own front is at rest"
            ),
        ),
        group="Root Motion",
        flag="--facing",
    )
    twist: bool = option(True, "Twist Bones", "Twist bones of the target take their part of a limb's twist", group="Keys")
    from_first: bool = False


class RetargetOptions(Checked):
    """How actions are retargeted in Blender. core: what each clip needs. actions: names of the source's actions; empty: its present one."""

    core: Options = field(default_factory=Options)
    actions: tuple[str, ...] = ()
    pose_frame: float = option(
        1.0,
        "Frame",
        "The frame of the source's action in which it stands like the target's rest pose",
        minimum=-_FRAMES,
        maximum=_FRAMES,
        group="Rest Poses",
        flag="--pose-frame",
        metavar="FRAME",
    )
    reference: str = option(
        "",
        "Reference Pose",
        "By Poses: the name of one that the bone map keeps; empty: the two actions below",
        group="Rest Poses",
        flag="--reference",
        metavar="NAME",
    )
    source_pose: str = option(
        "",
        "Source Pose",
        "Action whose first frame is the source's pose; empty: its rest pose",
        group="Rest Poses",
        flag="--source-pose",
        metavar="ACTION",
    )
    target_pose: str = option(
        "",
        "Target Pose",
        "Action whose first frame is the target's pose; empty: its rest pose",
        group="Rest Poses",
        flag="--target-pose",
        metavar="ACTION",
    )
    keys: Keys = option(
        "FRAMES",
        "Keys",
        "Where the new action has keys",
        choices=(
            Choice("FRAMES", "Every Frame", "A key every step, as the source looks there"),
            Choice("SOURCE", "As the Source", "Keys where the source has them; in between it may move a little differently"),
        ),
        group="Keys",
    )
    step: float = option(
        1.0,
        "Step",
        "Frames from key to key",
        minimum=0.01,
        maximum=1e6,
        soft_maximum=10.0,
        group="Keys",
        flag="--step",
        metavar="FRAMES",
    )
    nla: bool = option(
        False, "NLA as One Clip", "What all strips of the source's NLA show together, instead of actions", group="Keys", flag="--nla"
    )
    loop: Loop = option(
        "AUTO",
        "Loop",
        "Whether the new action is a loop: its last pose is its first then, and the game goes on from there",
        choices=(
            Choice("AUTO", "As the Source", "Where the source's action is cyclic, or its curves are"),
            Choice("YES", "Yes", "One more step leads back to the first pose where the source does not end in it"),
            Choice("NO", "No", "It ends where the source ends"),
        ),
        group="Keys",
        flag="--loop",
    )
    earlier: Earlier = option(
        "REPLACE",
        "Earlier Results",
        "What becomes of the action that the last run made of the same clip for the same target",
        choices=(
            Choice(
                "REPLACE",
                "Replace",
                "The new action replaces it, with its name, its users and its strips of the NLA. One that was edited stays, and is named "
                "in the report; one that was renamed stays",
            ),
            Choice("REPLACE_ALL", "Replace Edited Too", "Also where it was edited; one that was renamed stays", flag="replace-all"),
            Choice("KEEP", "Keep", "It stays, and the new action is beside it"),
        ),
        group="Result",
        flag="--earlier",
    )
    rigify_ik: bool = option(
        False,
        "IK Controls",
        "On a rig made by Rigify: move the IK controls too, and leave the switches at IK",
        group="Keys",
        flag="--ik",
    )
    shape_keys: bool = option(
        False,
        "Shape Keys",
        "Shape keys of the source's meshes that move with an action, for those of the same names of the target's meshes",
        group="What Comes Along",
        flag="--shape-keys",
    )
    properties: bool = option(
        False,
        "Custom Properties",
        "Keys of custom properties, for those of the same names of the bones that follow, and of the object",
        group="What Comes Along",
        flag="--properties",
    )
    props: bool = option(
        False,
        "Props",
        "What hangs on the source's bones, such as weapons and bags, comes along as copies that hang on the target's",
        group="What Comes Along",
        flag="--props",
    )
    check_all: bool = option(
        False,
        "Check Every Frame",
        "Read the report from what Blender shows of the target at all frames, not only where constraints or drivers take part and most may "
        "go wrong; takes longer",
        group="Result",
        flag="--check-all",
    )
    assign: bool = option(True, "Show Result", "Make the first new action the target's active one", group="Result")
