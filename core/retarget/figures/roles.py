"""What a bone may be to a body: the names of its parts, and their sides."""

from __future__ import annotations

import re

SIDES = ("left", "right")

TRUNK = ("hips", "spine", "chest", "upperChest", "neck", "head")
_ARM = ("Shoulder", "UpperArm", "LowerArm", "Hand")
_LEG = ("UpperLeg", "LowerLeg", "Foot", "Toes")
_FINGERS = (
    *(f"Thumb{joint}" for joint in ("Metacarpal", "Proximal", "Distal")),
    *(f"{finger}{joint}" for finger in ("Index", "Middle", "Ring", "Little") for joint in ("Proximal", "Intermediate", "Distal")),
)

ROLES = (
    "root",
    *TRUNK,
    "jaw",
    "leftEye",
    "rightEye",
    *(f"{side}{part}" for side in SIDES for part in (*_ARM, *_FINGERS, *_LEG)),
)
"""What a bone may be to a humanoid, in VRM's terms, from the trunk outwards; "root" is a bone above the hips, which carries the root
motion."""

LIMB_JOINTS = frozenset(f"{side}{part}" for side in SIDES for part in (*_ARM, *_LEG))
"""The parts of arms and legs."""

BODY = LIMB_JOINTS.union(TRUNK)
"""Those on which a body can stand or lie: neither its root, nor its face and fingers."""

FEET = ("leftToes", "rightToes", "leftFoot", "rightFoot")
"""What of a body is on the ground where it stands."""


def on_both_sides(part: str) -> tuple[str, str]:
    """Foot: leftFoot and rightFoot."""
    left, right = SIDES
    return left + part, right + part


def sided(role: str) -> tuple[str, str]:
    """The side of a role, "" for none, and the part of the body without it."""
    side = next((side for side in SIDES if role.startswith(side)), "")
    return side, role[len(side) :]


def role_label(role: str) -> str:
    """As people read it: leftUpperArm is the left upper arm."""
    return re.sub("(?=[A-Z])", " ", role).lower()


def other_side(role: str) -> str:
    """The role on the other side of the body; the role itself where it has none."""
    side, part = sided(role)
    return {"left": "right", "right": "left", "": ""}[side] + part


def end_bone(limb: str) -> str:
    """The name for a bone at the end of a limb that has none: hand.L for leftHand. It says what it is, so it is recognised in any
    skeleton, also in one whose bones are known by their numbers."""
    side, part = sided(limb)
    return f"{part.lower()}.{'L' if side == SIDES[0] else 'R'}"
