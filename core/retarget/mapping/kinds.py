"""What kind of figure the names and roles of its bones show: a humanoid's body, bones that are but numbered, a trunk across the legs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from ..figures.figure import Figure
from .humanoid.evidence import Labels
from .naming.names import Name
from .naming.selection import DEFORM, has_layers
from .naming.vocabulary import AUTOMATIC, NEUTRAL

_ACROSS = 0.5
"""The cosine between trunk and legs below which they go across each other."""

_LONG = 0.35
"""What a tail reaches out from its first bone at least, of the hips' distance from the knees."""

_REACHING, _STEEP, _ON_GROUND, _MANY_LEGS = 0.12, 0.6, 0.2, 6
"""Legs reach out further, of the figure's size, and, unlike a long coat, of the height at which they begin; they begin higher, of the
figure's height, than toes; and how many of them a human has not."""


def body(labels: Labels) -> set[int]:
    """Bones of the humanoid, which follow by their roles or not at all; also tips and metacarpals of fingers."""
    fingers = {bone for bone, name in enumerate(labels.names) if name.finger}
    return {*labels.roles.values(), *labels.spine, *labels.neck, *fingers}


def in_common(one: Labels, two: Labels) -> int:
    """Bones that two humanoids can share: by their roles, and of spine, neck and fingers as many as both have."""
    hands = one.fingers.keys() & two.fingers.keys()
    many = ("spine", "chest", "upperChest", "neck", *hands)
    roles = [role for role in one.roles.keys() & two.roles.keys() if not role.startswith(many)]
    fingers = sum(min(len(one.fingers[hand]), len(two.fingers[hand])) for hand in hands)
    return len(roles) + min(len(one.spine), len(two.spine)) + min(len(one.neck), len(two.neck)) + fingers


def nameless(labels: Labels) -> bool:
    """Whether the bones of a figure are but numbered."""
    return not any(says_more(name) or name.side for name in labels.names)


def has_arms(labels: Labels) -> bool:
    """Whether the names of a figure say which of its limbs are arms."""
    roles = [f"{side}{part}" for side in ("left", "right") for part in ("UpperArm", "LowerArm")]
    return all(role in labels.roles and role not in labels.notes for role in roles)


def plain(labels: Labels) -> Labels:
    """What the names of a figure say alone, whose structure is no humanoid's after all."""
    return Labels(labels.names, sides=tuple(name.side for name in labels.names))


def is_bent(figure: Figure, roles: Mapping[str, int]) -> bool:
    """Whether the trunk goes across the legs, as that of a bird or of a lizard on its hind legs, whose limbs are named as a human's."""
    top = next((roles[role] for role in ("upperChest", "chest", "neck", "head") if role in roles), -1)
    feet = [roles[role] for role in ("leftLowerLeg", "rightLowerLeg", "leftFoot", "rightFoot") if role in roles]
    if top < 0 or not feet:
        return False
    hips = figure.heads[roles["hips"]]
    trunk, legs = figure.heads[top] - hips, figure.heads[feet].mean(axis=0) - hips
    return abs(float(trunk @ legs)) < _ACROSS * float(np.linalg.norm(trunk) * np.linalg.norm(legs))


def is_tailed(figure: Figure, labels: Labels) -> bool:
    """Whether something else hangs on the hips that is long and goes on from bone to bone, as a tail does."""
    hips, feet = labels.roles["hips"], [labels.roles[role] for role in ("leftLowerLeg", "rightLowerLeg") if role in labels.roles]
    leg = max((float(np.linalg.norm(figure.heads[foot] - figure.heads[hips])) for foot in feet), default=0.0)
    body = {*labels.roles.values(), *labels.spine}
    over, bone = {hips}, int(figure.parents[hips])
    while bone >= 0:
        over.add(bone)
        bone = int(figure.parents[bone])
    waiting = [(child, child) for bone in over for child in figure.children[bone] if child not in over]
    while waiting:
        bone, start = waiting.pop()
        if bone in body:
            continue
        if float(np.linalg.norm(figure.heads[bone] - figure.heads[start])) > _LONG * leg > 0:
            return not any(below in body for below in figure.below(start))
        waiting += [(child, start) for child in figure.children[bone]]
    return False


def many_legged(figure: Figure) -> bool:
    """Whether three pairs of limbs or more reach out to the ground, as an insect's or a crab's: whatever their names, no human has them."""
    heads = figure.heads
    if len(heads) < _MANY_LEGS:
        return False
    size, low = np.ptp(heads, axis=0), float(heads[:, 2].min())
    least, highest = _REACHING * float(np.linalg.norm(size)), _ON_GROUND * float(size[2])
    ends: list[float] = (np.minimum(heads[:, 2], figure.tails[:, 2]) - low).tolist()
    parents, points = figure.parents.tolist(), heads.tolist()
    legs: set[int] = set()
    for tip, children in enumerate(figure.children):
        bone, above = tip, parents[tip]
        while above >= 0 and not children:
            out = math.hypot(points[tip][0] - points[above][0], points[tip][1] - points[above][1])
            up = points[above][2] - low
            if out > max(least, _STEEP * up) and highest < up > 2 * ends[tip]:
                legs.add(bone)
                break
            bone, above = above, parents[above]
    return len(legs) >= _MANY_LEGS


def plain_bone(name: Name) -> bool:
    return name.doubt > 0.25 or not set(name.tokens) & {"ik", "pole", "target", "end", "nub", "tip", "mch", "org", "def", "twist", "roll"}


def says_more(name: Name) -> bool:
    """Whether the name says more than that it is a bone, and its number: not where a program gives such names by itself."""
    return any(len(token) > 1 and token not in NEUTRAL | AUTOMATIC for token in name.tokens)


def layered(names: Sequence[Name]) -> bool:
    return has_layers(names, DEFORM, frozenset(("mch", "org")))
