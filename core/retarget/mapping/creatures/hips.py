"""A beast's tree from its hips on, wherever its maker began: in mid-trunk, at the shoulders, with all parts on a root on the ground, or
with several roots; and with jaws and ears on its head."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from ...figures.figure import Figure
from .body import Body, bodies
from .ends import Side
from .parts import MIDDLE, WELL_BEYOND

_NEARER = 0.5
"""The part of its distance from the root that something is away from a bone of the trunk at most to hang on that."""

_BESIDE = 0.15
"""The part of the way from hind to fore legs that something is away from the root at least to hang on another bone: it may be a pelvis."""

_AS_NEAR = 1.5
"""The part of the distance of what is nearest up to which another is nearly as near."""

_AT_ONE = 0.3
"""The same of where a leg begins and a bone beside it, for the leg to hang on that: a rump with a tail, which goes back from mid-trunk."""

_SAME, _STRAIGHT = 0.35, np.cos(np.radians(45))
"""The part of a bone's length that two which hang on it begin apart at most for that to be one place; and how a neck bends at most that
goes on to a head, rather than a head to its jaws."""

_RUMP = 0.35
"""The part of the way from the hind legs to the fore legs that the bone at which the ways to both part is in front of the former at most to
be the hips, with a rump behind it."""


def from_hips(whole: Side) -> list[Side]:
    """A figure whose trunk begins at its hips, wherever its maker began; where it does not show well which end these are at, also with
    the other end as that."""
    both = _may_look(whole)
    parents = [_parents_from_hips(body) for body in both]
    return [_rooted(whole, own) for own in parents] if any(parents) else [whole]


def has_no_front(whole: Side) -> bool:
    """Whether of what stands on fours it hardly shows which way it looks."""
    return len(_may_look(whole)) > 1


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
    _rehang_legs(body, parents)
    _rehang_faces(body, parents)
    hubs = {parents[bone] for bone in body.legs if parents[bone] >= 0 and body.kinds[parents[bone]] == MIDDLE}
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


def _rehang(body: Body, parents: list[int]) -> None:
    """Let what hangs on a root, but is nearer to the trunk, hang on that, and what has a root of its own on what it is nearest to."""
    figure, heads = body.figure, body.figure.heads
    length = float(np.linalg.norm(np.ptp(heads[list(body.legs)], axis=0)))
    for root in [bone for bone, above in enumerate(parents) if above < 0]:
        children = [bone for bone in figure.children[root] if body.kinds[bone] == MIDDLE]
        if len(figure.children[root]) < 2 or not children:
            continue
        main = max(children, key=lambda bone: len(figure.below(bone)))
        for bone in figure.children[root]:
            if bone == main:
                continue
            nearest, apart = _nearest(body, figure.below(main), bone)
            far = float(np.linalg.norm(heads[root] - heads[bone]))
            if apart < _NEARER * far and far > _BESIDE * length:
                parents[bone] = nearest
    _join(body, parents)


def _join(body: Body, parents: list[int]) -> None:
    """Let the parts of a body's middle be one, each of which has a root of its own, and legs hang on it that have one, too."""
    figure = body.figure
    middle = [bone for bone, above in enumerate(parents) if above < 0 and figure.children[bone] and body.kinds[bone] == MIDDLE]
    if not middle:
        return
    trunk = max(middle, key=lambda bone: len(figure.below(bone)))
    one = figure.below(trunk)
    for waiting in ([bone for bone in middle if bone != trunk], [leg for leg in _all_legs(body) if parents[leg] < 0]):
        while waiting:
            hosts = {bone: _nearest(body, one, bone) for bone in waiting}
            nearest = min(waiting, key=lambda bone: (hosts[bone][1], bone))
            parents[nearest] = _behind(body, parents, hosts[nearest][0], nearest)
            one = [*one, *figure.below(nearest)]
            waiting.remove(nearest)


def _nearest(body: Body, bones: Sequence[int], bone: int) -> tuple[int, float]:
    """Which of the bones that are of the middle is nearest to one, the first of those that are nearly so, and how far it is."""
    hosts = [host for host in bones if body.kinds[host] == MIDDLE]
    apart = np.linalg.norm(body.figure.heads[hosts] - body.figure.heads[bone], axis=1)
    nearest = int(np.argmax(apart <= _AS_NEAR * apart.min()))
    return hosts[nearest], float(apart[nearest])


def _behind(body: Body, parents: Sequence[int], host: int, bone: int) -> int:
    """The bone before one of the trunk, if that goes forward and another begins at its end: a shoulder where the neck does."""
    heads, above = body.position, parents[host]
    if above < 0 or body.kinds[bone] == MIDDLE or body.kinds[above] != MIDDLE or heads[above, 1] > heads[host, 1]:
        return host
    step = heads[host] - heads[above]
    return above if float((heads[bone] - heads[host]) @ step) <= WELL_BEYOND * float(step @ step) else host


def _all_legs(body: Body) -> list[int]:
    """The bones with which the legs of both sides begin."""
    return [*body.legs, *(body.twins[leg] for leg in body.legs)]


def _rehang_legs(body: Body, parents: list[int]) -> None:
    """Let legs hang on what begins where they do and goes on backwards, as a rump with a tail does."""
    figure, heads, ahead = body.figure, body.figure.heads, body.position[:, 1]
    trunk = {bone for leg in _all_legs(body) for bone in _up(parents, leg)}
    for leg in _all_legs(body):
        hub = parents[leg]
        beside = [bone for bone in figure.children[hub] if bone not in trunk] if hub >= 0 else []
        rumps = [bone for bone in beside if body.kinds[bone] == MIDDLE and figure.children[bone] and ahead[bone] < ahead[hub]]
        if rumps:
            nearest, apart = _nearest(body, rumps, leg)
            if apart < _AT_ONE * float(np.linalg.norm(heads[hub] - heads[leg])):
                parents[leg] = nearest


def _rehang_faces(body: Body, parents: list[int]) -> None:
    """Let jaws hang on the head, and what else hangs beside it, where a neck goes straight on to a place where both begin."""
    figure, kinds, heads = body.figure, body.kinds, body.figure.heads
    legs = _all_legs(body)
    front = float(body.position[legs, 1].max())
    hung: dict[int, list[int]] = {}
    for bone, above in enumerate(parents):
        hung.setdefault(above, []).append(bone)
    for neck, above in enumerate(parents):
        children = [child for child in hung.get(neck, ()) if kinds[child] == MIDDLE]
        if len(children) < 2 or above < 0 or kinds[neck] != MIDDLE or float(body.position[children, 1].min()) < front:
            continue
        step, on = heads[neck] - heads[above], heads[children] - heads[neck]
        length = float(np.linalg.norm(on[0]))
        if np.linalg.norm(on - on[0], axis=1).max() > _SAME * length or on[0] @ step < _STRAIGHT * length * np.linalg.norm(step):
            continue
        head = max(children, key=lambda child: (body.faces[child], float(np.mean(heads[figure.below(child), 2]))))
        for child in hung[neck]:
            if child != head and child not in legs:
                parents[child] = head


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
    if len(row) > 1 and parents.count(row[-1]) == 1:
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
