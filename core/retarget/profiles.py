"""Rigs that are known by heart: which bone has which role. A skeleton is recognised by its names, whatever their prefix and separators.

Only rigs of which names and structure do not say everything are here; the others need no profile.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from .names import Name, read_names

_SURE = 0.9
"""Part of a profile's bones that a skeleton must have."""


@dataclass(frozen=True)
class Profile:
    """name: of the rig. roles: role -> bone name. controls: whether the bones are controls, of a rig that has deform bones as well.

    parents: for skeletons whose names are only numbers, the parents that the first bones must have.
    """

    name: str
    roles: dict[str, str]
    controls: bool = False
    parents: tuple[int, ...] = ()


Key = tuple[str, str, int]


def _sided(left: str, right: str, roles: dict[str, str]) -> dict[str, str]:
    """Roles of both sides from patterns in which `*` stands for the side."""
    return {side + role: text.replace("*", word) for side, word in (("left", left), ("right", right)) for role, text in roles.items()}


_LBA = {
    **{"root": 0, "hips": 2, "chest": 3, "head": 14},
    **{"leftUpperArm": 4, "leftLowerArm": 5, "rightUpperArm": 6, "rightLowerArm": 7},
    **{"leftUpperLeg": 8, "leftLowerLeg": 9, "leftFoot": 10, "rightUpperLeg": 11, "rightLowerLeg": 12, "rightFoot": 13},
}

PROFILES = (
    Profile(
        "Little Big Adventure, human",
        {role: f"group {number:02d}" for role, number in _LBA.items()},
        parents=(-1, 0, 1, 2, 3, 4, 3, 6, 2, 8, 9, 2, 11, 12, 3),
    ),
    Profile(
        "Oni",
        {
            **{"hips": "pelvis", "spine": "mid", "chest": "chest", "neck": "neck", "head": "head"},
            **_sided(
                "left",
                "right",
                {
                    **{"Shoulder": "*_shoulder", "UpperArm": "*_biceps", "LowerArm": "*_wrist", "Hand": "*_handfist"},
                    **{"UpperLeg": "*_thigh", "LowerLeg": "*_calf", "Foot": "*_foot"},
                },
            ),
        },
    ),
    Profile(
        "Rigify, generated",
        {
            **{"root": "root", "hips": "torso", "spine": "spine_fk.001", "chest": "spine_fk.002", "upperChest": "spine_fk.003"},
            **{"neck": "neck", "head": "head"},
            **_sided(
                "L",
                "R",
                {
                    **{"Shoulder": "shoulder.*", "UpperArm": "upper_arm_fk.*", "LowerArm": "forearm_fk.*", "Hand": "hand_fk.*"},
                    **{"UpperLeg": "thigh_fk.*", "LowerLeg": "shin_fk.*", "Foot": "foot_fk.*", "Toes": "toe_fk.*"},
                },
            ),
        },
        controls=True,
    ),
)


@cache
def _keys(place: int) -> dict[str, Key]:
    """Role -> normal form of its bone's name, of one of the profiles."""
    roles = PROFILES[place].roles
    return dict(zip(roles, map(_key, read_names(tuple(roles.values()))), strict=True))


def _key(name: Name) -> Key:
    return name.plain, name.side, name.copy


def profile_of(names: Sequence[Name], parents: Sequence[int], controls: bool) -> tuple[Profile, dict[str, int]] | None:
    """The profile that fits, and role -> bone; None where none does. controls: whether controls are looked for."""
    bones: dict[Key, int] = {}
    for bone, name in enumerate(names):
        bones.setdefault(_key(name), bone)
    for place, profile in enumerate(PROFILES):
        if (profile.controls and not controls) or tuple(parents[: len(profile.parents)]) != profile.parents:
            continue
        found = {role: bones[key] for role, key in _keys(place).items() if key in bones}
        if len(found) >= _SURE * len(profile.roles):
            return profile, found
    return None
