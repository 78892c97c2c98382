"""What a retargeting did, measured on source and target."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ...motion.rotations import quaternion as quat
from ...motion.rotations.directions import angle_between
from ...motion.rotations.rotation_matrix import Floats
from ..figures.motion import Motion
from ..figures.roles import FEET, SIDES, on_both_sides
from ..figures.spans import Spans
from ..ground import contacts, held
from ..ground.feet import Limb
from ..ground.root import Legs
from ..setup import Setup
from ..transfer import mirror
from ..transfer.binding import Binding
from ..transfer.limbs.aim import Swung
from ..transfer.limbs.two_bone_ik import UNREACHED
from .fields import Unmapped

MOVING = 1.0
"""Degrees: an unmapped bone that rotates less is not worth reporting."""


_LIMBS = (("UpperArm", "LowerArm", "Hand"), ("UpperLeg", "LowerLeg", "Foot", "Toes"))
"""Roles without their side, from the body outwards."""

_SAME_JOINT = 1e-4
"""In leg lengths."""

_EQUAL, _ALIKE = 1e-10, 1e-14
"""Rotations whose chords differ by less are the same but for rounding; and steps whose cosines do, which are known in a third of the time:
they are within 2e-5 degrees of each other."""

ALONG = 0.8
"""Of its length what a spine has at least of an axis that it is along."""

_UPRIGHT = {
    (0, True): ("-90° about Y", "X"),
    (0, False): ("90° about Y", "-X"),
    (1, True): ("90° about X", "-Z"),
    (1, False): ("-90° about X", "Z"),
    (2, False): ("180° about X", "-Y"),
}
"""By axis, and whether it points along it, what brings it upwards, and which axis is up in a file that was opened as if Y were up."""


@dataclass(frozen=True, eq=False)
class Reflection:
    """partners: of each follower the row of the other side's. normal: (3,) from the right to the left."""

    partners: list[int]
    normal: Floats


def reflection_of(setup: Setup) -> Reflection | None:
    """None where left and right stay."""
    return Reflection(mirror.partners(setup.binding), setup.facing.lateral) if setup.options.mirror else None


def limb_rows(binding: Binding) -> list[int]:
    """The followers of limbs that have one mapped bone below them."""
    rows: list[int] = []
    for row, below in enumerate(binding.steering):
        follower = binding.followers[row]
        if len(below) != 1 or follower.is_uneven or binding.followers[below[0]].is_uneven or follower.options.rotation != "ALL":
            continue
        if binding.followers[below[0]].role not in ("hips", "root") and follower.role != "root":
            rows.append(row)
    return rows


def role_limbs(binding: Binding) -> list[tuple[int, int]]:
    """The followers of joints that follow each other in arms and legs, whichever bones carry them."""
    result: list[tuple[int, int]] = []
    for side in SIDES:
        for limb in _LIMBS:
            for first, second in pairwise(binding.rows_of(*(side + part for part in limb))):
                upper, lower = binding.followers[first], binding.followers[second]
                if first in binding.heels:
                    continue
                if not upper.is_uneven and not lower.is_uneven and upper.options.rotation == "ALL":
                    result.append((first, second))
    return result


def directions_apart(
    binding: Binding, source: Motion, joints: Floats, frame: Floats, limbs: list[tuple[int, int]], reflection: Reflection | None = None
) -> dict[tuple[int, int], Floats]:
    """By limb, as `role_limbs` gives them, (F,) degrees between the source's direction and that of joints (F, T, 3), of the followers.
    reflection: if mirrored."""
    result: dict[tuple[int, int], Floats] = {}
    for limb in limbs:
        wanted = leading_line(binding, source, frame, reflection, limb)
        result[limb] = np.degrees(angle_between(wanted, joints[:, limb[1]] - joints[:, limb[0]]))
    return result


def limb_errors(
    binding: Binding, source: Motion, target: Motion, frame: Floats, reflection: Reflection | None, rows: list[int]
) -> dict[int, Floats]:
    """By row (F,) degrees between the directions of limbs, `rows` of them as `limb_rows` gives them. reflection: if mirrored."""
    return {row: np.degrees(angle_between(*limb_lines(binding, source, target, frame, reflection, row))) for row in rows}


def limb_lines(
    binding: Binding, source: Motion, target: Motion, frame: Floats, reflection: Reflection | None, row: int
) -> tuple[Floats, Floats]:
    """(F, 3) of a limb from joint to joint in the target's world: as the source has it, in its own length, and as the target does."""
    ends = row, binding.steering[row][0]
    start, end = (target.positions[:, binding.followers[each].target] for each in ends)
    return leading_line(binding, source, frame, reflection, ends), _offsets(start, end)


def leading_line(binding: Binding, source: Motion, frame: Floats, reflection: Reflection | None, ends: tuple[int, int]) -> Floats:
    """(F, 3) from what one follower follows to what another does, in the target's world."""
    leads = ends if reflection is None else tuple(reflection.partners[end] for end in ends)
    first, second = (source.positions[:, binding.followers[lead].source] for lead in leads)
    wanted = _offsets(first, second) if (frame == np.eye(3)).all() else (second - first) @ frame.T
    return wanted if reflection is None else mirror.reflect_vectors(wanted, reflection.normal)


def _offsets(start: Floats, end: Floats) -> Floats:
    """(F, 3) from one to the other; each component lies together in memory."""
    return np.subtract(end, start, out=np.empty((3, len(start))).T)


def doubts(binding: Binding, source: Motion) -> list[tuple[str, ...]]:
    """Of each clip what a person should look at in the source itself. A game's character lies as its files have it."""
    hips, head, spans = binding.roles.get("hips"), binding.roles.get("head"), source.spans
    if hips is None or head is None or binding.source.left is not None:
        return [()] * len(spans)
    first, second = binding.followers[hips], binding.followers[head]
    feet_down = [binding.followers[row].anchor - first.anchor for row in binding.rows_of(*on_both_sides("Foot"))]
    if any(offset[2] < -0.5 * np.linalg.norm(offset) for offset in feet_down):
        return [()] * len(spans)  # it stands on its feet: a four-legged one's back is level
    offsets = source.positions[:, second.source] - source.positions[:, first.source]
    high = offsets[:, 2] / np.maximum(np.linalg.norm(offsets, axis=1), 1e-30)
    rest = (second.anchor - first.anchor)[2] / max(float(np.linalg.norm(second.anchor - first.anchor)), 1e-30)
    most, least = np.maximum(spans.largest(high), rest), np.minimum(-spans.largest(-high), rest)
    hows = [
        "lies down" if low > -0.5 and top < 0.5 else "stands on its head" if top < -0.5 else ""
        for low, top in zip(least, most, strict=True)
    ]
    upright = [brought_upright(offsets[rows].mean(axis=0)) if how else "" for how, rows in zip(hows, spans.rows, strict=True)]
    asked = "at rest and all the time: was its file opened with the right up axis?"
    return [(f"the source {how} {asked}{helps}",) if how else () for how, helps in zip(hows, upright, strict=True)]


def brought_upright(spine: Floats) -> str:
    """What brings a figure upright whose head is in this direction from its hips; nothing where that is along no axis."""
    axis = int(np.abs(spine).argmax())
    helps = _UPRIGHT.get((axis, bool(spine[axis] > 0)))
    if helps is None or abs(spine[axis]) < ALONG * np.linalg.norm(spine):
        return ""
    rotation, up = helps
    given = f"={up}" if up.startswith("-") else f" {up}"
    return f" It stands if its object is rotated by {rotation}; a file that was opened with Y up has {up} up (--up{given})"


def joint_rows(binding: Binding, factor: float) -> list[int]:
    """The followers whose joints are in proportion all the way from the hips."""
    start = binding.roles.get("hips")
    rows: list[int] = []
    waiting = [] if start is None else [start]
    while waiting:
        row = waiting.pop()
        first = binding.followers[row]
        for child in binding.below[row]:
            second = binding.followers[child]
            wanted = float(np.linalg.norm(second.anchor - first.anchor)) * factor
            has = float(np.linalg.norm(binding.target.heads[second.target] - binding.target.heads[first.target]))
            if abs(has - wanted) <= 0.01 * wanted and not second.is_uneven:
                rows.append(child)
                waiting.append(child)
    return rows


def joint_errors(binding: Binding, source: Motion, target: Motion, frame: Floats, factor: float, row: int) -> Floats:
    """(N,) in each clip the greatest distance in metres of a joint from where the source's is, scaled about the hips."""
    hips, joint = binding.followers[binding.roles["hips"]], binding.followers[row]
    goal = source.positions[:, joint.source] - source.positions[:, hips.source]
    goal = (goal if (frame == np.eye(3)).all() else goal @ frame.T) * factor
    off = goal + target.positions[:, hips.target] - target.positions[:, joint.target]
    return np.sqrt(source.spans.largest(np.einsum("fi,fi->f", off, off)))


def unmapped(setup: Setup, source: Motion) -> list[tuple[Unmapped, ...]]:
    """Of each clip the source bones that nothing follows and that move, those that rotate most first."""
    binding, leg = setup.binding, setup.legs.source
    used = {follower.source for follower in binding.followers}
    used |= {bone for follower in binding.followers if follower.chain for bone in follower.chain[0].sources}
    carries: set[int] = set()
    for bone in used:
        parent = int(binding.source.parents[bone])
        while parent >= 0 and parent not in carries:
            carries.add(parent)
            parent = int(binding.source.parents[parent])
    figure, spans = binding.source, source.spans
    result = [list[Unmapped]() for _ in spans.counts]
    rest, followed = figure.quaternions, sorted(used)
    for bone, parent in enumerate(figure.parents.tolist()):
        if bone in used:
            continue
        rotation, still = source.rotations[:, bone], rest[bone]
        if parent >= 0:
            rotation = quat.multiply(quat.conjugate(source.rotations[:, parent]), rotation)
            still = quat.multiply(quat.conjugate(rest[parent]), still)
        begun = quat.apart(rotation, spans.spread(rotation[spans.starts]))
        moving = np.flatnonzero(np.degrees(spans.largest(begun)) > MOVING).tolist()
        if not moving:
            continue
        away = np.degrees(spans.largest(quat.apart(rotation, still)))
        reach = round(figure.reach(bone) / leg, 3)
        # Others in the same joint are how a rig of controls moves it; in any other a cape may begin where the neck does.
        moves = np.abs(figure.heads[followed] - figure.heads[bone]).max(axis=1).min(initial=np.inf) < _SAME_JOINT * leg
        matched = not (setup.controlled and moves) and _is_matched(binding, bone, setup.free)
        for clip in moving:
            result[clip].append(Unmapped(figure.names[bone], round(float(away[clip]), 3), bone in carries, reach, matched))
    return [tuple(sorted(items, key=lambda item: -item.largest)) for items in result]


def _is_matched(binding: Binding, bone: int, free: frozenset[str] | None) -> bool:
    """Whether the target has anything where a source bone hangs that could follow it."""
    followers = {follower.source: follower.target for follower in binding.followers}
    while bone >= 0 and bone not in followers:
        bone = int(binding.source.parents[bone])
    return free is None or bone < 0 or binding.target.names[followers[bone]] in free


def skates(binding: Binding, limbs: Sequence[Limb], motion: Motion, fps: float, leg: float, *, in_source: bool) -> Floats:
    """(N,) the worst foot's skate in each clip. limbs: of which the legs count."""
    seconds, spans = motion.frames / fps, motion.spans
    worst = np.zeros(len(spans))
    for item in (item for item in limbs if item.name.endswith("Foot")):
        follower = binding.followers[item.rows[3]]
        positions = motion.positions[:, follower.source if in_source else follower.target]
        worst = np.maximum(worst, contacts.skate(positions, seconds, item.held, leg, spans))
    return worst


def penetration(binding: Binding, target: Motion, measured: Legs) -> Floats:
    """(N,) of each clip metres by which feet or toes go deepest below their heights at rest; below the floor where the target does not
    stand at rest."""
    deepest = np.zeros(len(target.spans))
    for row in binding.rows_of(*FEET):
        bone = binding.followers[row].target
        rest = float(binding.target.heads[bone, 2]) if measured.stands[1] else measured.target_floor
        deepest = np.maximum(deepest, target.spans.largest(rest - target.positions[:, bone, 2]))
    return deepest


def rotation_excess(binding: Binding, source: Motion, target: Motion, bones: set[int], swung: Swung) -> Floats:
    """(N,) degrees by which some target bones rotate more from one frame to the next than their source, if they follow one of it; of those
    that are swung none in the clip."""
    followers = [binding.followers[binding.row[bone]] for bone in bones & binding.row.keys()]
    followers = [follower for follower in followers if follower.chain is None and follower.options.rotation == "ALL"]
    spans = source.spans
    largest = np.zeros(len(spans))
    for follower in followers if len(source.frames) > 1 else ():
        both = target.rotations[:, follower.target], source.rotations[:, follower.source]
        cosines = [np.einsum("fi,fi->f", rotations[1:], rotations[:-1]) for rotations in both]
        if np.abs(cosines[0] - cosines[1]).max() < _ALIKE:  # so that signs, which mean nothing here, are the same, too
            continue
        own, leading = (quat.chords(rotations[1:], rotations[:-1]) for rotations in both)
        excess = spans.largest_step(own - leading)
        if excess.max() > _EQUAL:
            excess = spans.largest_step(quat.of_chords(own) - quat.of_chords(leading))
        if follower.target in swung:
            excess[swung[follower.target]] = 0.0
        largest = np.maximum(largest, excess)
    return np.degrees(largest)


def steps_beyond(plain: Motion, final: Motion, bone: int) -> Floats:
    """(F - 1,) degrees by which a target bone rotates more from one frame to the next in `final` than in `plain`."""
    chords = [quat.chords(rotations[1:], rotations[:-1]) for rotations in (final.rotations[:, bone], plain.rotations[:, bone])]
    return np.degrees(quat.of_chords(chords[0]) - quat.of_chords(chords[1]))


def missed(locked: held.Locked, measured: Legs, spans: Spans) -> list[tuple[int, float]]:
    """Of each clip the frames in which a goal is missed by more than it may, and the greatest miss in metres."""
    if not locked.missed:
        return [(0, 0.0)] * len(spans)
    worst = np.maximum.reduce(list(locked.missed.values()))
    beyond = worst > UNREACHED * measured.target
    return [(int(beyond[rows].sum()), float(most)) for rows, most in zip(spans.rows, spans.largest(worst), strict=True)]
