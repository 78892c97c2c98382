"""Two-bone IK in closed form: the middle joint stays in its plane, and near the stretched limb the goal yields softly."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....motion.rotations import quaternion as quat
from ....motion.rotations.directions import lengths, unit
from ....motion.rotations.rotation_matrix import Floats
from ...figures.spans import Spans

SOFT = 0.98
"""The part of the full length from which on the goal yields."""

STRAIGHT, SLIGHT = 0.02, 0.2
"""Sines between a limb and its first bone: of one that shows no side, and of one that is bent so little that it may show the wrong one."""

UNREACHED = 0.01
"""In leg lengths: a goal that is missed by more is out of reach."""

_ACROSS: Floats = np.array([1.0, 0.0, 0.0])
_INSTEAD: Floats = np.array([0.0, 1.0, 0.0])
"""What is opposite rotates about an axis across the first, and, where it lies along that, across the second."""


@dataclass(frozen=True, eq=False)
class Bent:
    """first, second: (F, 4) rotations in the world to be put before those of the two bones. end: (F, 3) where the limb ends. missed: (F,)
    metres from there to the goal."""

    first: Floats
    second: Floats
    end: Floats
    missed: Floats


def reach(length: Floats, wanted: Floats, present: Floats) -> Floats:
    """(F,) the distance that is taken up for a wanted one. It never is pulled in below what the limb has at present, so that a motion
    without a change keeps its straight legs."""
    start = SOFT * length
    room = length - start
    soft = np.where(wanted > start, start + room * (1 - np.exp(-np.maximum(wanted - start, 0) / np.maximum(room, 1e-30))), wanted)
    return np.minimum(np.maximum(soft, np.minimum(wanted, present)), length)


@dataclass(frozen=True, eq=False)
class Plan:
    """How a limb bends. distances: (F,) metres from where it begins to its end. normals: (F, 3) unit axes of the bend before the limb goes
    for its goal."""

    distances: Floats
    normals: Floats


def plan(start: Floats, middle: Floats, end: Floats, goal: Floats, hinge: Floats) -> Plan:
    """Joints and goal (F, 3). hinge: (F, 3) unit axes about which the limb bends, for where it is too straight to show it."""
    upper, whole = middle - start, end - start
    first, second, present = lengths(upper), lengths(end - middle), lengths(whole)
    taken = np.clip(reach(first + second, lengths(goal - start), present), np.abs(first - second) + 1e-9, first + second)
    cosine = _cosine(first, second, taken)
    # The side of the limb that the middle joint is on; a nearly straight limb is helped by its hinge, the more the further it bends.
    normal = np.cross(upper, whole) / np.maximum(first * present, 1e-30)[:, None]
    size, hinge = lengths(normal), _flat(hinge, _direction(whole, upper))
    further = np.clip(np.sqrt(1 - cosine**2) - size, 0, None)
    helped = np.clip(STRAIGHT - size, 0, None) + further * np.clip(1 - size / SLIGHT, 0, None)
    # One that is on the wrong side of it by as little is on the right one as soon as it bends twice as far.
    along = np.einsum("fi,fi->f", normal, hinge) / np.maximum(lengths(hinge), 1e-30) ** 2
    wrong = np.where(size < SLIGHT, np.clip(-along, 0, None), 0.0)
    helped = helped + 2 * wrong * np.clip(further / np.maximum(size, 1e-30), 0, 1)
    return Plan(taken, _direction(normal + hinge * helped[:, None], hinge))


def bend(start: Floats, middle: Floats, end: Floats, goal: Floats, planned: Plan) -> Bent:
    """Joints and goal (F, 3)."""
    first, second, there = np.tile(quat.IDENTITY, (len(end), 1)), np.tile(quat.IDENTITY, (len(end), 1)), end.copy()
    rows = np.flatnonzero(moves(end, goal))
    own = Plan(planned.distances[rows], planned.normals[rows])
    first[rows], second[rows], there[rows] = _bent(start[rows], middle[rows], end[rows], goal[rows], own)
    return Bent(first, second, there, np.where(moves(end, goal), lengths(goal - there), 0.0))


def moves(end: Floats, goal: Floats) -> NDArray[np.bool_]:
    """(F,) whether the end of a limb is elsewhere than its goal, both (F, 3)."""
    return lengths(goal - end) > 1e-12


def _bent(start: Floats, middle: Floats, end: Floats, goal: Floats, planned: Plan) -> tuple[Floats, Floats, Floats]:
    """The same of a limb whose end moves, with where it ends."""
    upper, lower, whole = middle - start, end - middle, end - start
    taken, normal, first = planned.distances, planned.normals, lengths(upper)
    ahead, there = _direction(whole, upper), _direction(goal - start, whole)
    swing = between(ahead, there)
    cosine = _cosine(first, lengths(lower), taken)
    sine = np.sqrt(1 - cosine**2)
    side = np.cross(ahead, normal)
    rotated_side = quat.rotate(swing, side)
    new_middle = start + (first * cosine)[:, None] * there + (first * sine)[:, None] * rotated_side
    new_end = start + taken[:, None] * there
    rotated_normal = quat.rotate(swing, normal)
    one = _carry(upper, new_middle - start, normal, rotated_normal)
    two = _carry(lower, new_end - new_middle, normal, rotated_normal)
    return one, two, new_end


def around(offsets: Floats, headings: Floats, least: Floats, room: float, most: Floats) -> Floats:
    """(F, 3) goals, counted from the joint in which the limb begins, that pass by it: nearer than the folded limb reaches they are on their
    way around it, and before that they yield softly, by little more than a third of `room` where the limb just reaches them.

    offsets: (F, 3) the goals. headings: (F, 3) unit directions to them, smoothed over time. least: (F,) metres from the joint to the end of
    the folded limb. room, most (F,): metres, the latter by which a goal yields at most."""
    distance = lengths(offsets)
    depth = np.clip((least - distance) / room, -20, 20)
    away = np.where(depth > -1, least + room * np.exp(-1 - depth), distance)
    shift = headings * away[:, None] - offsets
    share = np.minimum(np.minimum(room * np.exp(depth - 1), most) / np.maximum(lengths(shift), 1e-30), 1)
    return offsets + shift * share[:, None]


def between(start: Floats, end: Floats) -> Floats:
    """(F, 4) the least rotations from unit vectors to others; about a fixed axis where they are opposite."""
    dot = np.einsum("fi,fi->f", start, end)
    result = np.concatenate([1 + dot[:, None], np.cross(start, end)], axis=1)
    if (opposite := dot < -1 + 1e-9).any():
        across = np.cross(start[opposite], _ACROSS)
        result[opposite, 1:] = np.where((lengths(across) < 0.1)[:, None], np.cross(start[opposite], _INSTEAD), across)
    return quat.normalised(result)


def hinge_axis(upper: Floats, whole: Floats, rotations: Floats, fallback: Floats, spans: Spans) -> Floats:
    """(F, 3) the axis about which a limb bends over the whole clip, carried along by its first bone.

    upper, whole: (F, 3) from the first joint to the second and to the third. rotations: (F, 4) of the first bone in the world.
    fallback: (3,) in the bone's own axes, for a limb that never bends. spans: the clips, each of which has an axis of its own."""
    normal = quat.rotate(quat.conjugate(rotations), np.cross(upper, whole))
    scales = spans.spread(spans.largest(lengths(upper) * lengths(whole)))
    normal /= np.maximum(scales, 1e-30)[:, None]
    # The more it bends the more it shows: captures hold limbs for long that are straight, or bent backwards by some degrees.
    normal *= (lengths(normal) ** 2)[:, None]
    sums = np.array([normal[rows].sum(axis=0) for rows in spans.rows])
    bends = lengths(sums) > 1e-9
    own = np.where(bends[:, None], unit(sums), fallback)
    return quat.rotate(rotations, spans.spread(own))


def _carry(old: Floats, new: Floats, old_normal: Floats, new_normal: Floats) -> Floats:
    """(F, 4) rotations that bring a bone and the normal of its plane to new ones: the bone by the shortest way, then about itself."""
    before, after = _direction(old, old_normal), _direction(new, new_normal)
    swing = between(before, after)
    normal = quat.rotate(swing, _flat(old_normal, before))
    angle = np.arctan2(np.einsum("fi,fi->f", np.cross(normal, new_normal), after), np.einsum("fi,fi->f", normal, new_normal))
    return quat.multiply(quat.about(after, angle), swing)


def _cosine(first: Floats, second: Floats, distance: Floats) -> Floats:
    """(F,) of the angle between a first bone and the line to where the limb ends, (F,) metres away."""
    return np.clip((first**2 + distance**2 - second**2) / np.maximum(2 * first * distance, 1e-30), -1, 1)


def _flat(vector: Floats, axis: Floats) -> Floats:
    """What is left of vectors without their part along unit axes."""
    return vector - axis * np.einsum("fi,fi->f", vector, axis)[:, None]


def _direction(vectors: Floats, otherwise: Floats) -> Floats:
    """(F, 3) unit vectors; those of others where there is no direction."""
    return np.where(lengths(vectors)[:, None] > 1e-12, unit(vectors), unit(otherwise))
