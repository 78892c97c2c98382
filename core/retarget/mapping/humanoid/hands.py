"""Fingers, below the hand, and eyes and jaw, by their names."""

from __future__ import annotations

from collections.abc import Sequence

from ..naming.names import Side
from ..naming.vocabulary import FINGERS
from .evidence import Evidence

_FINGER = 0.3
"""A name must score so much for a bone to be a finger's."""

_FACE = 0.22

_JOINTS = ("Proximal", "Intermediate", "Distal")
_THUMB_JOINTS = ("Metacarpal", "Proximal", "Distal")


def label_fingers(evidence: Evidence, side: Side) -> None:
    """Give one hand's fingers their roles."""
    tree, hand = evidence.tree, evidence.bone(side + "Hand")
    below = tree.below(hand)[1:]  # of no hand all bones
    own = [bone for bone in below if evidence.names[bone].side == side or (hand >= 0 and not evidence.names[bone].side)]
    chains = {finger: _longest(evidence, [bone for bone in own if evidence.named(bone, finger) > _FINGER]) for finger in FINGERS}
    numbered = _numbered(evidence, [bone for bone in own if evidence.named(bone, "Finger") > _FINGER], hand, bool(chains["Thumb"]))
    for finger, named in chains.items():
        chain = named or numbered.get(finger, [])
        if finger != "Thumb" and _has_metacarpal(evidence, chain, hand):
            chain = chain[1:]
        for joint, bone in zip(_THUMB_JOINTS if finger == "Thumb" else _JOINTS, chain, strict=False):
            evidence.give(f"{side}{finger}{joint}", bone, max(evidence.named(bone, finger), 0.9 * evidence.named(bone, "Finger")))
        if chain:
            evidence.result.fingers[side + finger] = tuple(tree.bones[bone] for bone in chain[:3])


def _numbered(evidence: Evidence, bones: Sequence[int], hand: int, thumb: bool) -> dict[str, list[int]]:
    """Fingers that are only numbered: from 0 or from 1, the thumb among them unless it has a name of its own (`thumb`). One without a
    number is none of them."""
    inside = set(bones)
    roots = [bone for bone in bones if evidence.tree.parents[bone] not in inside and evidence.names[bone].numbers]
    ranks = _ranks([evidence.names[bone].numbers for bone in roots])
    if not roots or len(set(ranks)) < len(ranks):
        return {}
    ordered = [bone for _, bone in sorted(zip(ranks, roots, strict=True))]
    first = 1 if thumb or (min(ranks) > 0 and len(ordered) < len(FINGERS) and not _is_thumb(evidence, ordered, hand)) else 0
    chains = [_longest(evidence, [bone for bone in evidence.tree.below(root) if bone in inside]) for root in ordered]
    return dict(zip(FINGERS[first:], chains, strict=False))


def _ranks(numbers: Sequence[tuple[str, ...]]) -> list[int]:
    """Which finger each name means: `Finger12` and `finger2-1` are joints of fingers 1 and 2, `finger02` is finger 2."""
    single = [digits[0] for digits in numbers if len(digits) == 1]
    by_digit = len({text[0] for text in single}) == len(single) > 1 or len(single) == 1
    ranks: list[int] = []
    for digits in numbers:
        text = digits[0][:4]
        ranks.append(int(text[0] if len(digits) == 1 and by_digit and len(text) == 2 else text))
    return ranks


def _is_thumb(evidence: Evidence, roots: Sequence[int], hand: int) -> bool:
    """Whether the first finger begins nearer to the hand's joint than the others do."""
    if hand < 0 or len(roots) < 2:
        return False
    away = [evidence.tree.distance(hand, bone) for bone in roots]
    return away[0] < 0.7 * sum(away[1:]) / len(away[1:])


def _has_metacarpal(evidence: Evidence, chain: Sequence[int], hand: int) -> bool:
    """Whether a finger begins in the palm: by its name, or, of four bones, nearer to the hand's joint than its first bone is long. A finger
    with a tip begins at the knuckle."""
    if len(chain) < 2:
        return False
    first, tree = evidence.names[chain[0]], evidence.tree
    in_palm = hand >= 0 and first.joint is None and tree.distance(hand, chain[0]) < tree.distance(chain[0], chain[1])
    return first.joint == 0 or (len(chain) == 4 and (in_palm or first.numbers[-1:] in (("0",), ("00",))))


def _longest(evidence: Evidence, bones: Sequence[int]) -> list[int]:
    """The longest chain of bones that hang on each other, from its upper end."""
    inside = set(bones)
    best: list[int] = []
    for bone in bones:
        chain = [one for one in evidence.tree.path_up(bone) if one in inside][::-1]
        if len(chain) > len(best):
            best = chain
    return best


def label_face(evidence: Evidence) -> None:
    """Give eyes and jaw their roles."""
    result = evidence.result
    for role, side, part in (("leftEye", "left", "Eye"), ("rightEye", "right", "Eye"), ("jaw", "", "jaw")):
        bones = [bone for bone, name in enumerate(evidence.names) if name.side == side and evidence.named(bone, part) > _FACE]
        digits = max(bones, key=lambda bone: evidence.named(bone, part) - 1e-3 * evidence.tree.depths[bone], default=-1)
        if digits >= 0 and evidence.tree.bones[digits] not in result.roles.values():
            evidence.give(role, digits, evidence.named(digits, part))
