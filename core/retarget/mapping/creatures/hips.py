"""A beast's tree from its hips on, wherever its maker began: in mid-trunk, at the shoulders, or with all parts on a root on the ground."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from ...figures.figure import Figure
from .body import Body, bodies
from .ends import Side
from .parts import LARGE, LEFT, MIDDLE

_NEARER = 0.5
"""The part of its distance from the root that something is away from a bone of the trunk at most to hang on that."""

_RUMP = 0.35
"""The part of the way from the hind legs to the fore legs that the bone at which the ways to both part is in front of the former at most to
be the hips, with a rump behind it."""

_UNCLEAR = 0.6
"""What speaks for one end of a body being its front at least for anything to be sure."""


def from_hips(whole: Side) -> list[Side]:
    """A figure whose trunk begins at its hips, wherever its maker began; where it does not show well which end these are at, also with
    the other end as that."""
    both = _may_look(whole)
    parents = [_parents_from_hips(body) for body in both]
    return [_rooted(whole, own) for own in parents] if any(parents) else [whole]


def has_no_front(whole: Side) -> bool:
    """Whether of what stands on fours it hardly shows which way it looks."""
    both = _may_look(whole)
    return len(both) > 1 and abs(both[0].ahead) < _UNCLEAR


def _may_look(whole: Side) -> list[Body]:
    """The body that most speaks for, and the one that looks the other way where that does not show of what stands on fours."""
    straight = sorted((body for body in whole.bodies if not body.rotated), key=lambda body: -body.ahead)
    return straight if straight[0].on_fours and not straight[0].front_shows else straight[:1]


def _rooted(whole: Side, parents: Sequence[int] | None) -> Side:
    """A figure from its hips on, which says as much about its front as the whole did. parents: as of `_parents_from_hips`."""
    if parents is None:
        return whole
    figure, rows = _reordered(whole.bodies[0].figure, parents)
    names = [whole.names[row] for row in rows]
    each = bodies(figure, [name.side for name in names])
    before, after = ([body for body in group if not body.rotated] for group in (whole.bodies, each))
    if len(before) == len(after):
        after = [replace(body, ahead=was.ahead, front_shows=was.front_shows) for body, was in zip(after, before, strict=True)]
    return Side([*after, *(body for body in each if body.rotated)], names, [whole.bones[row] for row in rows])


def _parents_from_hips(body: Body) -> list[int] | None:
    """(B,) the parents of a figure whose trunk begins at the hips, -1 for roots; None where it does already, or stands on no four legs."""
    if not body.on_fours:
        return None
    figure = body.figure
    parents: list[int] = figure.parents.tolist()
    _rehang(body, parents)
    hubs = {parents[bone] for bone in range(len(figure)) if _begins_leg(body, bone)}
    hubs.discard(-1)
    if not hubs:
        return None
    along = body.position[:, 1]
    hind, fore = min(hubs, key=lambda bone: (along[bone], bone)), max(hubs, key=lambda bone: (along[bone], -bone))
    over = _up(parents, fore)
    fork = next((bone for bone in _up(parents, hind) if bone in over), -1)
    heads = figure.heads
    near = fork >= 0 and np.linalg.norm(heads[fork] - heads[hind]) <= _RUMP * np.linalg.norm(heads[fore] - heads[hind])
    if hind != fore and not near:
        _begin_at(parents, hind)
    return parents if parents != figure.parents.tolist() else None


def _begins_leg(body: Body, bone: int) -> bool:
    above = int(body.figure.parents[bone])
    return body.kinds[bone] == LEFT and body.mass[bone] > LARGE and above >= 0 and body.kinds[above] == MIDDLE


def _rehang(body: Body, parents: list[int]) -> None:
    """Let what hangs on a root, but is nearer to the trunk, hang on that."""
    figure, heads = body.figure, body.figure.heads
    for root in [bone for bone, above in enumerate(parents) if above < 0]:
        children = [bone for bone in figure.children[root] if body.kinds[bone] == MIDDLE]
        if len(figure.children[root]) < 2 or not children:
            continue
        main = max(children, key=lambda bone: len(figure.below(bone)))
        hosts = [bone for bone in figure.below(main) if body.kinds[bone] == MIDDLE]
        for bone in figure.children[root]:
            if bone == main:
                continue
            apart = np.linalg.norm(heads[hosts] - heads[bone], axis=1)
            nearest = int(np.argmin(apart))
            if float(apart[nearest]) < _NEARER * float(np.linalg.norm(heads[root] - heads[bone])):
                parents[bone] = hosts[nearest]


def _up(parents: Sequence[int], bone: int) -> list[int]:
    """A bone and all above it."""
    row: list[int] = []
    while bone >= 0:
        row.append(bone)
        bone = parents[bone]
    return row


def _begin_at(parents: list[int], hips: int) -> None:
    """Let the hips be above what was above them, but for a root on which all hangs by one bone."""
    row = _up(parents, hips)
    count = [0] * len(parents)
    for above in parents:
        if above >= 0:
            count[above] += 1
    while len(row) > 1 and count[row[-1]] == 1 and parents[row[-1]] < 0:
        row.pop()
    parents[row[0]] = parents[row[-1]]
    for below, above in pairwise(row):
        parents[above] = below


def _reordered(figure: Figure, parents: Sequence[int]) -> tuple[Figure, list[int]]:
    """A figure with other parents, these first, and which bone each of its bones was."""
    order: dict[int, None] = {}
    for bone in range(len(parents)):
        order.update(dict.fromkeys(reversed([each for each in _up(parents, bone) if each not in order])))
    rows = list(order)
    number = {-1: -1} | {bone: row for row, bone in enumerate(rows)}
    other = Figure(
        tuple(figure.names[bone] for bone in rows),
        np.array([number[parents[bone]] for bone in rows], np.int32),
        figure.rest[rows],
        figure.lengths[rows],
        figure.world,
        left=figure.left,
    )
    return other, rows
