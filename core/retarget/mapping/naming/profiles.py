"""Rigs that are known by heart: which bone has which role. A skeleton is recognised by its names, whatever their prefix and separators.

Only rigs of which names and structure do not show everything are here; the others need no profile.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

from .names import Name, read_names

_SURE = 0.9
"""Part of a profile's bones that a skeleton must have."""


@dataclass(frozen=True)
class Profile:
    """name: of the rig. roles: role -> bone name. controls: whether the bones are controls, of a rig that has deform bones as well.

    parents: for skeletons whose names are only numbers, bone name -> the parent that it must have, "" for none.
    """

    name: str
    roles: dict[str, str]
    controls: bool = False
    parents: dict[str, str] = field(default_factory=dict[str, str])


Key = tuple[str, str, int]


def _sided(left: str, right: str, roles: dict[str, str]) -> dict[str, str]:
    """Roles of both sides from patterns in which `*` stands for the side."""
    return {side + role: text.replace("*", token) for side, token in (("left", left), ("right", right)) for role, text in roles.items()}


_LBA = {
    "root": 0,
    "hips": 2,
    "chest": 3,
    "head": 14,
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

PROFILES = (
    Profile(
        "Little Big Adventure, human",
        {role: f"group {number:02d}" for role, number in _LBA.items()},
        parents={
            f"group {group:02d}": f"group {parent:02d}" if parent >= 0 else ""
            for group, parent in enumerate((-1, 0, 1, 2, 3, 4, 3, 6, 2, 8, 9, 2, 11, 12, 3))
        },
    ),
    Profile(
        "Oni",
        {
            "hips": "pelvis",
            "spine": "mid",
            "chest": "chest",
            "neck": "neck",
            "head": "head",
            **_sided(
                "left",
                "right",
                {
                    "Shoulder": "*_shoulder",
                    "UpperArm": "*_biceps",
                    "LowerArm": "*_wrist",
                    "Hand": "*_handfist",
                    "UpperLeg": "*_thigh",
                    "LowerLeg": "*_calf",
                    "Foot": "*_foot",
                },
            ),
        },
    ),
    Profile(
        "Rigify, generated",
        {
            "root": "root",
            "hips": "torso",
            "spine": "spine_fk.001",
            "chest": "spine_fk.002",
            "upperChest": "spine_fk.003",
            "neck": "neck",
            "head": "head",
            **_sided(
                "L",
                "R",
                {
                    "Shoulder": "shoulder.*",
                    "UpperArm": "upper_arm_fk.*",
                    "LowerArm": "forearm_fk.*",
                    "Hand": "hand_fk.*",
                    "UpperLeg": "thigh_fk.*",
                    "LowerLeg": "shin_fk.*",
                    "Foot": "foot_fk.*",
                    "Toes": "toe_fk.*",
                },
            ),
        },
        controls=True,
    ),
)


@cache
def _keys(position: int) -> tuple[dict[str, Key], dict[Key, Key | None]]:
    """Of one of the profiles: role -> normal form of its bone's name, and normal form of a bone -> that of its parent."""
    profile = PROFILES[position]
    bones = tuple({*profile.roles.values(), *profile.parents})
    keys = dict(zip(bones, map(_key, read_names(bones)), strict=True))
    parents = {keys[bone]: keys[parent] if parent else None for bone, parent in profile.parents.items()}
    return {role: keys[bone] for role, bone in profile.roles.items()}, parents


def _key(name: Name) -> Key:
    return name.plain, name.side, name.copy


def profile_of(names: Sequence[Name], parents: Sequence[int], *, controls: bool) -> tuple[Profile, dict[str, int]] | None:
    """The profile that fits, and role -> bone; None where none does. controls: whether controls are looked for."""
    bones: dict[Key, int] = {}
    for bone, name in enumerate(names):
        bones.setdefault(_key(name), bone)
    for position, profile in enumerate(PROFILES):
        if profile.controls and not controls:
            continue
        roles, above = _keys(position)
        result = {role: bones[key] for role, key in roles.items() if key in bones}
        hangs = all(key in bones and parents[bones[key]] == (bones.get(parent, -2) if parent else -1) for key, parent in above.items())
        if len(result) >= _SURE * len(profile.roles) and hangs:
            return profile, result
    return None
