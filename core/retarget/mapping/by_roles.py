"""The bones of two humanoids by their roles; spines, necks and fingers of other numbers of bones as chains."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..figures.figure import Figure
from ..figures.roles import ROLES, SIDES
from .humanoid.evidence import Labels
from .pairing import UNSURE, Pairing

_ROLED = 3
"""Bones that a spine or neck may have to be paired by VRM's roles; more, and in another number than the other figure's, make a chain."""


def pair_by_roles(pairing: Pairing) -> None:
    """Pair what has one role in both."""
    one, two = pairing.source_labels, pairing.target_labels
    chained = _long(pairing, "spine", one.spine, two.spine) | _long(pairing, "neck", one.neck, two.neck)
    fingers = {role for hand in one.fingers if hand in two.fingers for role in _finger(pairing, hand)}
    for role in ROLES:
        if role in one.roles and role in two.roles and role not in chained | fingers:
            if role == "root" and not _roots_alike(pairing):
                continue
            pairing.pair(one.roles[role], two.roles[role], role, *_sure(pairing, role), distribute=_spreads(pairing, role))


def _sure(pairing: Pairing, role: str) -> tuple[float, str]:
    """Confidence and note of a role that both have."""
    confidence = min(pairing.source_labels.confidence[role], pairing.target_labels.confidence[role])
    notes = [
        f"{token}: {labels.notes[role]}"
        for token, labels in (("source", pairing.source_labels), ("target", pairing.target_labels))
        if role in labels.notes
    ]
    return confidence, "; ".join(notes)


def _long(pairing: Pairing, name: str, one: Sequence[int], two: Sequence[int]) -> set[str]:
    """A spine or neck of many bones: as a chain, or bone by bone where both have as many. Returns the roles that need no pair of
    their own.

    A spine of three bones onto one of two is a chain, too, or the third would be lost; the other way round two roles are enough, as the
    bone without one goes along, and shoulders are nearer to the source's than those of a chain."""
    roles = {"spine", "chest", "upperChest"} if name == "spine" else {"neck"}
    few = max(len(one), len(two)) <= _ROLED and not (name == "spine" and len(one) > len(two) > 1)
    if not one or not two or (few and len(one) != len(two)):
        return set()
    both_labels = (pairing.source_labels, pairing.target_labels)
    confidence = min((labels.confidence[role] for labels in both_labels for role in roles if role in labels.roles), default=0.5)
    if len(one) == len(two):
        named = {bone: role for role, bone in pairing.target_labels.roles.items() if role in roles}
        for first, second in zip(one, two, strict=True):
            role = named.get(second, "")
            both = _sure(pairing, role) if role in pairing.source_labels.roles else (confidence, "")
            pairing.pair(first, second, role, *both)
    else:
        pairing.chain(one, two, name, confidence)
    return roles


def _finger(pairing: Pairing, hand: str) -> list[str]:
    """A finger of another number of bones as a chain. Returns the roles that need no pair of their own."""
    one, two = pairing.source_labels.fingers[hand], pairing.target_labels.fingers[hand]
    if len(one) == len(two):
        return []
    pairing.chain(one, two, hand, 0.85)
    return [role for role in ROLES if role.startswith(hand)]


def _spreads(pairing: Pairing, role: str) -> bool:
    """Whether the target has bones of spine or neck before this one that nothing else moves: they share its rotation."""
    one, two = pairing.source_labels, pairing.target_labels
    if role == "chest":
        return "spine" in two.roles and "spine" not in one.roles
    return role == "head" and len(two.neck) > len(one.neck) and len(two.neck) > 1


def _roots_alike(pairing: Pairing) -> bool:
    """Whether both roots stand at about the same height of the body: one on the floor is no match for one in the pelvis."""
    heights: list[float] = []
    for figure, labels in ((pairing.source, pairing.source_labels), (pairing.target, pairing.target_labels)):
        root, hips = figure.heads[labels.roles["root"]], figure.heads[labels.roles["hips"]]
        size = float(np.linalg.norm(figure.heads.max(axis=0) - figure.heads.min(axis=0))) or 1.0
        heights.append(float(np.linalg.norm(hips - root)) / size)
    return abs(heights[0] - heights[1]) < 0.2


def doubt_joints(pairing: Pairing, beasts: bool) -> None:
    """Be sure of no foot of a leg that has other joints than the other's, whatever its name: a hock is one beast's ankle."""
    for side in SIDES:
        one, two = (_joints(figure, labels, side) for figure, labels in pairing.figures())
        if min(one[0], two[0]) > 0 and (one != two if beasts else one[0] != two[0]):
            for bone, pair in pairing.pairs.items():
                if pair.role in (f"{side}Foot", f"{side}Toes"):
                    pairing.pairs[bone] = replace(
                        pair, confidence=min(pair.confidence, UNSURE), note=pair.note or "its leg has other joints than the source's"
                    )


_APART = 0.01
"""Of the length of a lower leg, between two joints."""


def _joints(figure: Figure, labels: Labels, side: str) -> tuple[int, int]:
    """How many joints there are from the lower leg's to the foot's, 0 where one is missing, and bones one after the other behind it.
    Bones of a control rig that begin where the next one does are no joints of their own."""
    knee, foot = labels.roles.get(f"{side}LowerLeg", -1), labels.roles.get(f"{side}Foot", -1)
    if min(knee, foot) < 0:
        return 0, 0
    steps, bone = 0, foot
    least = _APART * float(np.linalg.norm(figure.heads[foot] - figure.heads[knee]))
    while bone >= 0 and bone != knee:
        above = int(figure.parents[bone])
        steps += float(np.linalg.norm(figure.heads[bone] - figure.heads[above])) > least
        bone = above
    return (steps, _longest(figure, foot)) if bone == knee else (0, 0)


def _longest(figure: Figure, bone: int) -> int:
    longest, row = -1, [bone]
    while row:
        longest, row = longest + 1, [child for one in row for child in figure.children[one]]
    return longest
