"""How alike the bones of two figures are: by where they are in the body, by what hangs on them, and by their names where both have some."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ....motion.rotations.rotation_matrix import Floats
from ..kinds import says_more
from ..naming.names import FRONT_PARTS, Name
from ..naming.vocabulary import BEASTS, CENTRAL, FRONT, SIDED, Scores
from .body import Body
from .parts import MIDDLE, roots_apart

_APART = (0.35, 0.35, 0.55, 0.8, 1.2, 1.2, 0.2, 0.5, 1.3, 0.25, 1.25, 0.4, 0.3, 0.2, 0.5)
"""How far bones of a kind may be apart: in position; of 1 in the direction to their tips and from their parents; in the logarithms of what
hangs on them and of its ends; in the number of bones out to the tip; in the part of the way out; in where their limb begins and ends,
in its rank; in the small pairs on them; of 1 in the direction to the next; in the way from where their limb begins, of its length; and
in where they are on the way from tail to head, and whether they are on it."""

_IN_MIDDLE = (0.85, 1.7, 1.5, 1.3, 1.8, 0.25, 0.2, 0.45, 0.6, 0.2, 0.3, 1.2, 0.0, 3.0, 1.0)
_OF_LIMBS = (2.25, 0.65, 1.65, 0.9, 0.35, 0.2, 0.25, 1.45, 0.35, 0.4, 0.0, 1.0, 0.9, 1.0, 0.0)
_NAME = 3.5
_JOINT = 5.0
"""The weights of all these for the bones of trunk, neck and tail, for those of limbs, of two names, and of joints of legs."""

SIGNS = (0, 7, 8, 9, 13, 14), (3, 4, 5, 10), (1, 2, 11), (6, 8, 12)
"""What of all these says where in the body bones are, what hangs on them, where they point, and where in their limb they are."""

_LESS = 0.25
"""The part of its weight with which something counts less."""

AT_HEAD = 1.95
"""The station from which on what is not on the way from tail to head hangs on the head."""

_SIDES = {"left": 1, "right": -1, "": 0}


def likeness(one: Body, two: Body, first: Sequence[Name], second: Sequence[Name], *, less: Sequence[int] = ()) -> Floats:
    """(B1, B2) 0 to 1, -1 for bones that cannot belong together, as a root on the ground and hips. first, second: the bones' names. less:
    what counts less than it should, one of `SIGNS`."""
    apart = (
        _distances(one.position, two.position),
        _distances(one.reach, two.reach),
        _distances(one.along, two.along),
        np.abs(_log(one.mass)[:, None] - _log(two.mass)[None]),
        np.abs(_log(one.tips)[:, None] - _log(two.tips)[None]),
        np.abs(one.below[:, None] - two.below[None]),
        np.abs(one.out[:, None] - two.out[None]),
        _distances(one.base, two.base),
        _distances(one.end, two.end),
        np.abs(one.rank[:, None] - two.rank[None]),
        np.abs(one.faces[:, None] - two.faces[None]),
        _distances(one.onward, two.onward),
        _distances(one.within, two.within),
        np.abs(one.stations.along[:, None] - two.stations.along[None]),
        np.abs(one.stations.off[:, None] - two.stations.off[None]),
    )
    middle = np.isin(one.kinds, (MIDDLE,))[:, None]
    in_middle, of_limbs = (
        [_LESS * weight if sign in less else weight for sign, weight in enumerate(weights)] for weights in (_IN_MIDDLE, _OF_LIMBS)
    )
    total, most = np.zeros(apart[0].shape), np.where(middle, sum(in_middle), sum(of_limbs))
    for trunk, limb, distance, allowed in zip(in_middle, of_limbs, apart, _APART, strict=True):
        total += np.where(middle, trunk, limb) * np.exp(-((distance / allowed) ** 2) / 2)
    named, known = _by_name(first, second)
    joint, shown = np.sqrt(one.joints) @ np.sqrt(two.joints).T, one.joints.sum(axis=1)[:, None] * two.joints.sum(axis=1)
    total = (total + _NAME * named * known + _JOINT * joint * shown) / (most + _NAME * known + _JOINT * shown)
    kinds = np.array(one.kinds)[:, None] == np.array(two.kinds)[None]
    left, right = (np.array([_SIDES[name.side] for name in names]) for names in (first, second))
    sides = left[:, None] * right[None]
    may = kinds & roots_apart(one.figure, two.figure) & (sides >= 0) & ~_fingers_apart(one, two) & ~_heads_apart(one, two)
    return np.where(may, total, -1.0)


def _fingers_apart(one: Body, two: Body) -> NDArray[np.bool_]:
    """(B1, B2) where but one is a finger, one of several on a hand, or but one merely twists."""
    return (np.abs(one.fingers[:, None] - two.fingers[None]) == 1) | (one.twists[:, None] != two.twists[None])


def _heads_apart(one: Body, two: Body) -> NDArray[np.bool_]:
    """(B1, B2) where one is of the neck or the head, and the other hangs on the head, or but one is what is sure to be the head."""
    at = [(body.stations.along, body.stations.off) for body in (one, two)]
    (first, beyond), (second, other) = (((along > 1) & (off == 0), (along > AT_HEAD) & (off == 1)) for along, off in at)
    middle = np.equal(one.kinds, MIDDLE)[:, None]
    apart = (first[:, None] & other[None]) | (beyond[:, None] & second[None])
    heads = [body.stations.head for body in (one, two)]
    if min(heads) >= 0:
        here = np.arange(len(one.kinds)) == heads[0], np.arange(len(two.kinds)) == heads[1]
        apart |= here[0][:, None] != here[1][None]
    return middle & apart


def _distances(one: Floats, two: Floats) -> Floats:
    return np.linalg.norm(one[:, None] - two[None], axis=2)


def _log(values: Floats) -> Floats:
    return np.log(np.maximum(values, 1e-4))


def _by_name(first: Sequence[Name], second: Sequence[Name]) -> tuple[Floats, Floats]:
    """(B1, B2) how alike the names are, 0 to 1, and whether both say something."""
    ones, twos = [meaning(name) for name in first], [meaning(name) for name in second]
    keys = {key: number for number, key in enumerate({key for parts in (*ones, *twos) for key in parts})}
    rows = [np.zeros((len(parts), len(keys))) for parts in (ones, twos)]
    for table, parts in zip(rows, (ones, twos), strict=True):
        for bone, scores in enumerate(parts):
            for key, score in scores.items():
                table[bone, keys[key]] = score
    shared = np.minimum(rows[0][:, None], rows[1][None]).max(axis=2, initial=0.0)
    most = np.minimum(rows[0].max(axis=1, initial=0.0)[:, None], rows[1].max(axis=1, initial=0.0)[None])
    known = np.minimum(1.0, most)
    alike = shared / np.maximum(most, 1e-9)
    plain = np.array([name.plain if says_more(name) else "" for name in first])[:, None] == np.array([name.plain for name in second])[None]
    return np.where(plain, 1.0, alike), np.where(plain, 1.0, known)


def meaning(name: Name) -> Scores:
    """What a bone may be by its name, of a human or a beast, 0 to 1 each."""
    beast = {BEASTS[token]: 1.0 for token in name.tokens if token in BEASTS}
    parts: Scores = {}
    for token in name.tokens:
        for part, score in (SIDED if name.side else CENTRAL).get(token, {}).items():
            parts[part] = max(parts.get(part, 0.0), score)
    for part, score in name.parts.items():
        parts[part] = max(parts.get(part, 0.0) * 0.5, score / max(name.doubt, 0.05))
    if FRONT & set(name.tokens):
        parts = {FRONT_PARTS.get(part, part): score for part, score in parts.items()}
    factor = 0.3 if beast else 1.0
    return {**{part: factor * score for part, score in parts.items()}, **beast}
