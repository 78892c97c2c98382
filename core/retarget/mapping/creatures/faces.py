"""The small bones on the heads of two creatures, jaws, eyes, ears: they belong together by where they lie in the skull."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ....motion.rotations.rotation_matrix import Floats
from .body import Body
from .parts import LARGE, LEFT, MIDDLE
from .tree_match import TreeMatch

_APART = 0.35
"""How far bones of a kind may be apart, of their mean distance from the head's joint."""

_SIZES = 0.5
"""The logarithm by which skulls differ in size, of the body's."""

_LONGER = 1.2
"""The logarithm by which ears differ in length from ears, unlike from eyes."""

_LEAST, _SURE, _RIVAL = 0.3, 0.8, 0.6
"""Likeness of places from which on bones belong together, from which on that is sure, and the part of it that no other one reaches then."""


def faces(match: TreeMatch) -> dict[int, tuple[int, bool]]:
    """Of the first figure's bones on the head, but for the right ones, which of the second's belongs to it, and if that is sure; of the
    heads, too, where several fit. None where it does not show which bone the head is."""
    head = match.one.stations.head
    other = match.matched.get(head, -1)
    if head < 0 or other < 0 or match.two.stations.head not in (other, -1):
        return {}
    ones, twos = _on(match.one, head), _on(match.two, other)
    if not ones or not twos:
        return {}
    first, second = _offsets(match.one, ones), _offsets(match.two, twos)
    same = np.array([[match.one.kinds[a] == match.two.kinds[b] for b in twos] for a in ones])
    lengths, others = (np.maximum(np.linalg.norm(each, axis=1), 1e-9) for each in (first, second))
    tried = [1.0, *(lengths[:, None] / others)[same].tolist()]
    longer = np.log(np.maximum(match.one.mass[ones], 1e-4))[:, None] - np.log(np.maximum(match.two.mass[twos], 1e-4))
    sided = np.where(np.equal([match.one.kinds[bone] for bone in ones], LEFT)[:, None], np.exp(-((longer / _LONGER) ** 2) / 2), 1.0)
    likeness = max(
        (_alike(first, second * size, same) * sided * np.exp(-((np.log(size) / _SIZES) ** 2) / 2) for size in tried), key=_gained
    )
    best = _best(likeness)
    fits = sum(float(likeness[pair]) > _SURE for pair in best) > 1
    sure = likeness if fits else np.minimum(likeness, _alike(first, second, same))  # by what size one alone fits shows nothing
    heads = {head: (other, True)} if fits else {}
    return heads | {ones[a]: (twos[b], _is_sure(sure, a, b)) for a, b in best}


def _gained(likeness: Floats) -> float:
    return sum(float(likeness[pair]) for pair in _best(likeness))


def _on(body: Body, head: int) -> list[int]:
    return [bone for bone in body.figure.children[head] if body.kinds[bone] in (MIDDLE, LEFT) and body.mass[bone] < LARGE]


def _offsets(body: Body, bones: Sequence[int]) -> Floats:
    """(N, 3) from the head's joint, in lengths of the longest limb."""
    return body.along[bones] * body.steps[bones, None]


def _alike(first: Floats, second: Floats, same: Floats) -> Floats:
    """(N1, N2) the likeness of places, 0 where bones are in other parts of the body."""
    apart = np.linalg.norm(first[:, None] - second[None], axis=2)
    mean = (np.linalg.norm(first, axis=1)[:, None] + np.linalg.norm(second, axis=1)[None]) / 2
    return np.where(same, np.exp(-((apart / (_APART * np.maximum(mean, 1e-9))) ** 2) / 2), 0.0)


def _best(likeness: Floats) -> list[tuple[int, int]]:
    """The most alike first, each once."""
    rows, columns = set[int](), set[int]()
    result: list[tuple[int, int]] = []
    for number in np.argsort(-likeness, axis=None, kind="stable").tolist():
        a, b = divmod(number, likeness.shape[1])
        if likeness[a, b] > _LEAST and a not in rows and b not in columns:
            rows.add(a)
            columns.add(b)
            result.append((a, b))
    return result


def _is_sure(likeness: Floats, a: int, b: int) -> bool:
    others = np.concatenate([np.delete(likeness[a], b), np.delete(likeness[:, b], a)])
    return bool(likeness[a, b] > _SURE and (others < _RIVAL * likeness[a, b]).all())


def laid(match: TreeMatch, known: dict[int, tuple[int, bool]]) -> dict[int, bool]:
    """Let what belongs together on the heads do so, with what hangs on it as far as it did before. Returns of these bones of the first
    figure whether they are sure."""
    result: dict[int, bool] = {}
    for first, (second, is_sure) in known.items():
        pairs = [(first, second)]
        if match.one.kinds[first] == LEFT:
            pairs.append((match.one.twins[first], match.two.twins[second]))
        for one, two in pairs:
            if match.matched.get(one) != two and (is_sure or (one not in match.matched and two not in match.backward)):
                for bone in match.one.figure.below(one):
                    match.backward.pop(match.matched.pop(bone, -1), None)
                for bone in match.two.figure.below(two):
                    match.matched.pop(match.backward.pop(bone, -1), None)
                match.matched[one], match.backward[two] = two, one
            result[one] = is_sure
    match.matched = dict(sorted(match.matched.items()))
    return result
