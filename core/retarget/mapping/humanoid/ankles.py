"""Ankles between shin and a bone that is called foot: rigs that call the ball of the foot so would have their shins aim there."""

from __future__ import annotations

from math import pi

from ....motion.rotations.directions import angle_between
from ...anatomy.tree import Tree
from .evidence import Evidence

_BENT = pi / 6
"""At an ankle the leg bends by more than this; bones that share the shin's twist lie on its line."""

_LONG = 0.1, 0.6
"""The least and the greatest length of a foot, from ankle to ball, of its shin's."""

_DROP = 0.2
"""Of the leg's length: what a ball is at most below its ankle. The hock of one who walks on the toes is higher."""

_SURE = 0.9
"""How sure it is that the leg's bend is the ankle."""


def label_feet(evidence: Evidence) -> None:
    """Where the shins end at a bone between them and the feet, that bone is the foot, and the one that is called so the toes. Both legs
    alike, also where only one of them stands so that it shows."""
    legs = {side: _leg(evidence, side) for side in ("left", "right")}
    above = max(_ankle_above(evidence, side, *leg) if leg else 0 for side, leg in legs.items())
    taken = set(evidence.result.roles.values())
    for side, leg in legs.items():
        shin = leg[1] if leg else []
        if not 0 < above < len(shin) or evidence.tree.bones[shin[-1 - above]] in taken:  # as a knee is
            continue
        ankle = shin[-1 - above]
        for part in ("Foot", "Toes"):
            if side + part in evidence.result.roles:
                evidence.result.drop(side + part)
        evidence.give(side + "Foot", ankle, evidence.named(ankle, "Foot"), _SURE)
        evidence.give(side + "Toes", shin[-1], evidence.named(shin[-1], "Toes"), _SURE)


def _leg(evidence: Evidence, side: str) -> tuple[int, list[int]] | None:
    """The hip's bone and the bones from the knee down to what is called foot; None without them."""
    hip, knee, ball = (evidence.bone(side + part) for part in ("UpperLeg", "LowerLeg", "Foot"))
    return (hip, evidence.tree.between(knee, ball)) if min(hip, knee, ball) >= 0 else None


def _ankle_above(evidence: Evidence, side: str, hip: int, shin: list[int]) -> int:
    """How many bones above the last one of a shin its ankle is, 0 if the last one is."""
    tree, knee, ball = evidence.tree, shin[0], shin[-1]
    bends = [_bend(tree, knee, bone, ball) for bone in shin[1:-1]]
    if not bends or max(bends) < _BENT:
        return 0
    at = bends.index(max(bends)) + 1
    ankle = shin[at]
    if max(bends) < _bend_at_ball(evidence, side, ankle, ball) or not _is_foot(tree, hip, knee, ankle, ball):
        return 0
    return len(shin) - 1 - at


def _bend_at_ball(evidence: Evidence, side: str, ankle: int, ball: int) -> float:
    """By how much the foot bends at what may be its ball, or its ankle; 0 where nothing shows it."""
    below, toes = evidence.tree.children[ball], evidence.bone(side + "Toes")
    tips = (toes,) if toes >= 0 else below
    return _bend(evidence.tree, ankle, ball, tips[0]) if len(tips) == 1 else 0.0


def _is_foot(tree: Tree, hip: int, knee: int, ankle: int, ball: int) -> bool:
    """Whether two joints are as far apart, and as near in height, as those of a foot that stands on its sole."""
    shin, foot = tree.distance(knee, ankle), tree.distance(ankle, ball)
    leg = tree.heads[ball] - tree.heads[hip]
    drop = float((tree.heads[ball] - tree.heads[ankle]) @ leg)
    return _LONG[0] * shin < foot < _LONG[1] * shin and drop < _DROP * float(leg @ leg)


def _bend(tree: Tree, first: int, middle: int, last: int) -> float:
    """The angle in radians by which the way over three joints bends at the middle one; 0 where two of them are one."""
    return float(angle_between(tree.heads[middle] - tree.heads[first], tree.heads[last] - tree.heads[middle]))
