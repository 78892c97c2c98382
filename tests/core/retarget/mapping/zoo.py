"""Rigs as they are known from elsewhere: their bones' names and hierarchy, on a made-up body, with the role of each bone.

In the tables `*` stands for the side, `+` marks a bone between two others that has no role, `-` a bone that the rig does not have.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.figures.figure import Figure

ARM = ("Shoulder", "UpperArm", "LowerArm", "Hand")
LEG = ("UpperLeg", "LowerLeg", "Foot", "Toes")
FINGERS = ("Thumb", "Index", "Middle", "Ring", "Little")
_HIPS, _CHEST_TOP, _NECK, _HEAD, _CROWN = 0.98, 1.42, 1.5, 1.6, 1.8


@dataclass(frozen=True)
class Rig:
    """trunk: roots | hips | spine | neck | head. arm, leg: their bones from the body outwards. hand: a finger's bones, `@` its name.

    extras: leaves, as name:role of what they hang on. pelvis: the hips' bone is a branch beside the spine, as `hub pelvis`.
    """

    name: str
    sides: tuple[str, str]
    trunk: str
    arm: str
    leg: str
    hand: str = ""
    fingers: tuple[str, ...] = FINGERS
    extras: str = ""
    a_pose: float = 0.0
    arms_from_neck: bool = False
    thumbs: int = 3
    truth: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])


@dataclass(frozen=True, eq=False)
class Built:
    """A figure, and role -> names of bones that are right for it."""

    figure: Figure
    truth: dict[str, tuple[str, ...]]

    def renamed(self, names: dict[str, str]) -> Built:
        """The same with other names."""
        figure = replace(self.figure, names=tuple(names[name] for name in self.figure.names))
        return Built(figure, {role: tuple(names[name] for name in right) for role, right in self.truth.items()})


class _Body:
    def __init__(self, rig: Rig) -> None:
        self.rig = rig
        self.names: list[str] = []
        self.parents: list[int] = []
        self.heads: list[Floats] = []
        self.truth: dict[str, tuple[str, ...]] = {}

    def add(self, name: str, parent: int, head: Floats, role: str = "") -> int:
        self.names.append(name)
        self.parents.append(parent)
        self.heads.append(np.array(head, float))
        if role:
            self.truth[role] = (name,)
        return len(self.names) - 1

    def build(self) -> Built:
        roots, hips, spine, neck, head = (list(_split(part)) for part in self.rig.trunk.split("|"))
        bone = -1
        for name in roots:
            bone = self.add(name, bone, np.zeros(3))
        hip = bone = self.add(hips[0], bone, np.array([0, 0, _HIPS]), "hips")
        legs = self.add(hips[1], hip, np.array([0, 0.01, _HIPS - 0.02])) if len(hips) > 1 else hip
        heights = np.linspace(_HIPS + 0.1, _CHEST_TOP - 0.14, len(spine))
        roles = _spine_roles([name.lstrip("+") for name in spine if name[0] != "+"])
        self.truth.update(roles)
        for name, height in zip(spine, heights, strict=True):
            bone = self.add(name.lstrip("+"), bone, np.array([0, 0.02, height]))
        chest = bone
        for name, height in zip(neck, np.linspace(_NECK, _HEAD, len(neck) + 1)[:-1], strict=True):
            bone = self.add(name, bone, np.array([0, 0.02, height]), "" if "neck" in self.truth else "neck")
        top = bone
        skull = self.add(head[0], top, np.array([0, 0.01, _HEAD]), "head")
        for name in head[1:]:
            self.add(name, skull, np.array([0, 0.0, _CROWN]))
        collar = chest + 1 if self.rig.arms_from_neck else chest
        for side, side_name in zip(("left", "right"), self.rig.sides, strict=True):
            self.leg(side, side_name, legs)
            self.arm(side, side_name, collar)
        for extra in _split(self.rig.extras):
            for side, side_name in zip(("left", "right"), self.rig.sides, strict=True):
                name, at = extra.split(":")
                if "*" in name or side == "left":
                    role = at if at in self.truth else side + at
                    above = self.names.index(self.truth[role][0])
                    middle = self.heads[above] + np.array([0.03 if side == "left" else -0.03, 0.02, -0.06])
                    self.add(name.replace("*", side_name), above, middle)
        self.truth.update(self.rig.truth)
        return Built(self.figure(), self.truth)

    def limb(self, side: str, side_name: str, above: int, row: str, roles: tuple[str, ...], joints: Floats) -> tuple[int, int]:
        """Returns the bone of the third and the fourth part."""
        tokens = _split(row)
        left = list(roles)
        result: dict[str, int] = {}
        for token in tokens:
            if token[0] == "+":
                after = joints[roles.index(left[0])] if left else joints[-1]
                middle = (self.heads[above] + after) / 2
                above = self.add(token[1:].replace("*", side_name), above, middle)
                continue
            role = left.pop(0)
            if token != "-":
                above = result[role] = self.add(token.replace("*", side_name), above, joints[roles.index(role)], side + role)
        return result.get(roles[2], above), result.get(roles[3], above)

    def leg(self, side: str, side_name: str, above: int) -> None:
        x = 0.09 if side == "left" else -0.09
        joints = np.array([[x, 0.0, _HIPS - 0.05], [x, -0.015, 0.5], [x, 0.02, 0.09], [x, -0.12, 0.02]])
        self.limb(side, side_name, above, self.rig.leg, LEG, joints)

    def arm(self, side: str, side_name: str, above: int) -> None:
        sign = 1 if side == "left" else -1
        along = np.array([sign * np.cos(self.rig.a_pose), 0.0, -np.sin(self.rig.a_pose)])
        top = np.array([sign * 0.17, 0.02, _CHEST_TOP])
        joints = np.array([[sign * 0.03, 0.01, _CHEST_TOP - 0.02], top, top + 0.28 * along + [0, 0.01, 0], top + 0.54 * along])
        hand = self.limb(side, side_name, above, self.rig.arm, ARM, joints)[1]
        parts = _split(self.rig.hand)
        for finger, (called, across) in enumerate(zip(self.rig.fingers, (-0.04, -0.03, -0.01, 0.01, 0.03), strict=False)):
            bone = hand
            key = FINGERS[finger]
            names = [part.replace("*", side_name).replace("@", called) for part in parts]
            if key == "Thumb":
                names = [name for name, part in zip(names, parts, strict=True) if part[0] != "+"][: self.rig.thumbs]
                roles = ("Metacarpal", "Proximal", "Distal")
            else:
                roles = ("Proximal", "Intermediate", "Distal")
            start, step = (0.03, 0.03) if key == "Thumb" else (0.09, 0.03)
            joint = 0
            for name in names:
                back = name[0] == "+"
                position = joints[3] + along * (0.03 if back else start + step * joint) + [0, across, 0]
                bone = self.add(name.lstrip("+"), bone, position, "" if back or joint >= 3 else f"{side}{key}{roles[joint]}")
                joint += not back

    def figure(self) -> Figure:
        count = len(self.names)
        heads = np.array(self.heads)
        parents = np.array(self.parents, np.int32)
        rest = np.tile(np.eye(4), (count, 1, 1))
        lengths = np.full(count, 0.05)
        for bone in range(count):
            below = [child for child in range(count) if parents[child] == bone]
            away = np.zeros(3)
            if below:
                away = heads[below].mean(axis=0) - heads[bone]
            elif parents[bone] >= 0:
                away = heads[bone] - heads[parents[bone]]
            length = float(np.linalg.norm(away))
            if length > 1e-6:
                rest[bone, :3, :3] = _facing(away / length)
                lengths[bone] = length
        rest[:, :3, 3] = heads
        order = sorted(range(count), key=lambda bone: (_depth(parents, bone), bone))
        position = {bone: number for number, bone in enumerate(order)}
        ordered = np.array([position.get(int(parents[bone]), -1) for bone in order], np.int32)
        return Figure(tuple(self.names[bone] for bone in order), ordered, rest[order], lengths[order])


def _depth(parents: np.ndarray, bone: int) -> int:
    depth = 0
    while parents[bone] >= 0:
        bone, depth = int(parents[bone]), depth + 1
    return depth


def _facing(y: Floats) -> Floats:
    """(3, 3) a rotation whose Y axis is `y`."""
    side = np.cross([0.0, -1.0, 0.0] if abs(y[1]) < 0.9 else [1.0, 0.0, 0.0], y)
    side /= np.linalg.norm(side)
    return np.stack([side, y, np.cross(side, y)], axis=1)


def _split(text: str) -> list[str]:
    return [side_name.strip() for side_name in text.split(",") if side_name.strip()]


def _spine_roles(names: list[str]) -> dict[str, tuple[str, ...]]:
    if len(names) == 1:
        return {"trunk": (names[0],)}
    if len(names) == 2:
        return {"spine": (names[0],), "chest": (names[1],)}
    return {"spine": (names[0],), "chest": tuple(names[1:-1]), "upperChest": (names[-1],)}


def build(rig: Rig) -> Built:
    """The rig's figure and what is right for it."""
    return _Body(rig).build()
