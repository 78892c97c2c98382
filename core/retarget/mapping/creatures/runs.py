"""From one fork of what belongs together to the next: the runs of bones of two bodies, and whether they are pairs or a chain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from ....motion.rotations.directions import unit
from ....motion.rotations.rotation_matrix import Floats
from ...figures.figure import Figure
from .body import Body
from .parts import LARGE, MIDDLE, roots_on_ground
from .tree_match import TreeMatch

Chained = tuple[tuple[int, ...], tuple[int, ...]]
"""Bones of both bodies that follow as a chain."""

_STRAIGHT, _EVEN = np.cos(np.radians(35)), 2.5
"""A spine, neck or tail bends less from bone to bone, and its bones differ less in length; else it is a limb."""

_MOST = 2
"""Bones that follow one alone at most, where another one of its row is there that some of them could follow."""

_AT_HUB = 1e-6
"""By how much stations differ that are one."""

_ROW = 3
"""Joints of a limb that is a row of bones alike, at least."""


def runs_of(match: TreeMatch) -> list[tuple[list[int], list[int]]]:
    """The bones from one fork of what is matched, or of a limb of both, to the next, the upper fork left out, of both figures."""
    matched, backward = match.matched, match.backward
    hubs = [_hubs(body, limbs) for body, limbs in zip((match.one, match.two), match.limbs, strict=True)]
    above = {first: _nearest(match.one, first, matched) for first in matched}
    over = {second: _nearest(match.two, second, backward) for second in backward}
    below: dict[int, list[int]] = {}
    for first, parent in above.items():
        below.setdefault(parent, []).append(first)
    forks = {first for first, second in matched.items() if _forks(match.one, first) and _forks(match.two, second)}
    forks |= roots_on_ground(match.one.figure)  # a body may have a bone more between these and its hips
    if (head := match.one.stations.head) >= 0 and matched.get(head) == match.two.stations.head:
        forks.add(head)
    # What hangs elsewhere in the other figure begins a run of its own.
    inner = {
        first
        for first, parent in above.items()
        if parent >= 0 and matched[parent] == over[matched[first]] and len(below[parent]) == 1 and parent not in forks
    }
    ends = matched.keys() - {above[first] for first in inner}
    runs: list[tuple[list[int], list[int]]] = []
    for first in (first for first in matched if first in ends):
        start = first
        while start in inner:
            start = above[start]
        tops = above[start], over[matched[start]]
        ones, twos = _path(match.one, first, tops[0]), _path(match.two, matched[first], tops[1])
        elsewhere = match.one.kinds[first] == MIDDLE and matched.get(tops[0], -1) != tops[1]
        ones = ones[ones.index(start) :] if elsewhere or tops[0] < 0 else ones
        twos = twos[twos.index(matched[start]) :] if elsewhere or tops[1] < 0 else twos
        ones, twos = _of_the_limb(match.one, ones, matched, hubs[0]), _of_the_limb(match.two, twos, backward, hubs[1])
        runs.append((ones, [bone for bone in twos if bone not in backward or backward[bone] in ones]))
    return runs


def _forks(body: Body, bone: int) -> bool:
    """Whether a limb ends in several parts at a bone, as a hand in fingers."""
    return body.kinds[bone] != MIDDLE and len(body.figure.children[bone]) > 1


def _hubs(body: Body, limbs: Sequence[int]) -> set[int]:
    """The bones on which large limbs hang."""
    return {int(body.figure.parents[bone]) for bone in limbs if body.mass[bone] > LARGE}


def _of_the_limb(body: Body, bones: list[int], known: dict[int, int], hubs: set[int]) -> list[int]:
    """Without what is a part of the body's middle, where the last one is of a limb, and without bones between on which other limbs hang: a
    limb or tail may hang on another bone of the trunk. known: the bones that belong to one of the other body."""
    middle = body.kinds[bones[-1]] == MIDDLE
    return [bone for bone in bones if (bone in known or bone not in hubs) if middle or body.kinds[bone] != MIDDLE]


def together(match: TreeMatch, ones: list[int], twos: list[int]) -> tuple[list[tuple[int, int]], Chained | None]:
    """The pairs of a run, and the chain where it is a spine, neck, tail or large limb of another number of bones."""
    first, ends = ones[0], list[tuple[int, int]]()
    if match.one.kinds[first] != MIDDLE and min(match.one.mass[first], match.two.mass[twos[0]]) > LARGE:
        return _of_large_limb(match, ones, twos)
    if len(match.one.figure.children[ones[-1]]) > 1 and len(match.two.figure.children[twos[-1]]) > 1:
        whole = ones, twos
        ends, ones, twos = [(ones[-1], twos[-1])], ones[:-1], twos[:-1]  # where a neck ends begins a head
        if min(len(ones), len(twos)) == 1 and max(len(ones), len(twos)) > _MOST and both_flexible(match, *whole):
            return [], (tuple(whole[0]), tuple(whole[1]))
    elif min(len(ones), len(twos)) > 1:
        longer = _on_to_the_tip(match.one.figure, ones, match.matched), _on_to_the_tip(match.two.figure, twos, match.backward)
        if both_flexible(match, *longer):
            ones, twos = longer
    if len(ones) == len(twos):
        return [*_matched(match, ones), *ends], None
    if not both_flexible(match, ones, twos) and match.one.kinds[first] == MIDDLE:
        while min(len(ones), len(twos)) > 1 and match.matched.get(ones[-1]) == twos[-1]:
            ends, ones, twos = [(ones[-1], twos[-1]), *ends], ones[:-1], twos[:-1]  # behind a neck a head and a jaw
    least = 1 if ends else 2
    if min(len(ones), len(twos)) >= least and (both_flexible(match, ones, twos) or _are_along(match, ones, twos)):
        return ends, (tuple(ones), tuple(twos))
    if not ends and max(match.one.mass[ones[0]], match.two.mass[twos[0]]) < LARGE:
        return list(zip(ones, twos, strict=False)), None  # a jaw is a jaw, whether or not it has a tongue
    return [*_matched(match, ones), *ends], None


def _are_along(match: TreeMatch, ones: Sequence[int], twos: Sequence[int]) -> bool:
    """Whether all are on the way from tail to head, in both bodies, and but of the tail, of the trunk, or of the neck: whatever their
    lengths, and however a tail hangs down, each is where it is along the row."""
    sections: set[int] = set()
    for body, bones in ((match.one, ones), (match.two, twos)):
        if body.kinds[bones[0]] != MIDDLE or body.stations.off[bones].any():
            return False
        sections.update(np.clip(np.ceil(body.stations.along[bones] - _AT_HUB), 0, 2).astype(int).tolist())
    return len(sections) == 1


def _of_large_limb(match: TreeMatch, ones: list[int], twos: list[int]) -> tuple[list[tuple[int, int]], Chained | None]:
    """The pairs of two limbs out to their tips or forks, or the chain of two rows of another number of bones alike."""
    ones, twos = _from_one_joint(match, ones, twos)
    ones, twos = _on_to_the_tip(match.one.figure, ones, match.matched), _on_to_the_tip(match.two.figure, twos, match.backward)
    if len(ones) != len(twos) and min(len(ones), len(twos)) > 1 and both_flexible(match, ones, twos):
        return [], (tuple(ones), tuple(twos))
    return _filled(match, ones, twos), None


def _filled(match: TreeMatch, ones: Sequence[int], twos: Sequence[int]) -> list[tuple[int, int]]:
    """Those of the bones that belong together, and those between and behind them, where there are as many in both."""
    pairs = _matched(match, ones)
    corners = [(ones.index(first), twos.index(second)) for first, second in pairs] + [(len(ones), len(twos))]
    for (a, b), (c, d) in pairwise(corners):
        if c - a == d - b:
            pairs += zip(ones[a + 1 : c], twos[b + 1 : d], strict=True)
    return pairs


def _from_one_joint(match: TreeMatch, ones: list[int], twos: list[int]) -> tuple[list[int], list[int]]:
    """Without the shoulder blade or half pelvis with which only one of two limbs begins."""
    pairs = _matched(match, ones)
    known = {first for first, _ in pairs}, {second for _, second in pairs}
    before = [[bone in joints for bone in bones].index(True) for bones, joints in zip((ones, twos), known, strict=True)]
    above = int(match.one.figure.parents[ones[0]])
    begins = above < 0 or match.one.kinds[above] == MIDDLE
    return (ones[before[0] :], twos[before[1] :]) if begins and min(before) == 0 else (ones, twos)


def _matched(match: TreeMatch, ones: Sequence[int]) -> list[tuple[int, int]]:
    """Those of the bones to which one of the second figure belongs, and that one."""
    return [(bone, match.matched[bone]) for bone in ones if bone in match.matched]


def _nearest(body: Body, bone: int, matched: dict[int, int]) -> int:
    """The next bone that one hangs on that is matched, -1 without one."""
    bone = body.hangs[bone]
    while bone >= 0 and bone not in matched:
        bone = body.hangs[bone]
    return bone


def _path(body: Body, bone: int, top: int) -> list[int]:
    """From below `top` down to a bone."""
    path: list[int] = []
    while bone >= 0 and bone != top:
        path.insert(0, bone)
        bone = body.hangs[bone]
    return path


def _on_to_the_tip(figure: Figure, bones: Sequence[int], known: Mapping[int, int]) -> list[int]:
    """With the bones behind the last one, as long as there is no fork; without, where any of them is in another run, as what leads to a
    bone that belongs to one of the other body is."""
    result = list(bones)
    while len(figure.children[result[-1]]) == 1:
        result += figure.children[result[-1]]
    return result if known.keys().isdisjoint(figure.below(bones[-1])[1:]) else list(bones)


def are_rows(match: TreeMatch, ones: Sequence[int], twos: Sequence[int]) -> bool:
    """Whether two limbs are rows of bones alike, of which only where they are along the limb shows which is which."""
    return (
        min(len(ones), len(twos)) >= _ROW < max(len(ones), len(twos))
        and _are_even(_steps(match.one.figure, ones))
        and _are_even(_steps(match.two.figure, twos))
    )


def both_flexible(match: TreeMatch, ones: Sequence[int], twos: Sequence[int]) -> bool:
    """Whether the bones of either figure are as of a spine, neck, tail or tentacle: of such, each is where it is along the row."""
    return _flexible(match.one.figure, ones) and _flexible(match.two.figure, twos)


def _flexible(figure: Figure, bones: Sequence[int]) -> bool:
    """Whether bones are a spine, neck or tail, not a limb: they go on without sharp bends, in steps of about one length."""
    steps = _steps(figure, bones)
    units = unit(steps)
    return _are_even(steps) and bool((np.einsum("ij,ij->i", units[1:], units[:-1]) > _STRAIGHT).all())


def _steps(figure: Figure, bones: Sequence[int]) -> Floats:
    """(N - 1, 3) from bone to bone."""
    return np.diff(figure.heads[list(bones)], axis=0)


def _are_even(steps: Floats) -> bool:
    """Whether steps (N, 3) are of about one length."""
    lengths = np.linalg.norm(steps, axis=1)
    return not len(lengths) or float(lengths.max()) < _EVEN * float(lengths.min())
