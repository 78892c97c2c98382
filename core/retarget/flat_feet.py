"""Feet of one who stands on level soles stand on theirs. From ankle to toes a foot points as the source's does; where the ankles are of
unlike height, that lifts the heel or presses it into the ground."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ..motion.rotations import quaternion as quat
from ..motion.rotations.directions import UP, angle_between, unit
from ..motion.rotations.rotation_matrix import Floats
from .figures.motion import Motion
from .ground.feet import VISIBLE, Limb
from .ground.source import Source
from .ground.treads import tread
from .setup import Setup
from .transfer.alignment import align, stance
from .transfer.alignment.reference import is_sole
from .transfer.mirror import reflect_vectors

_SEEN = np.radians(5)
"""A foot that is tipped by less stays as it points."""

_ALIKE, _STEADY = np.radians(10), 0.95
"""How far a sole that is down is from its rest at most, and how far the frames agree, from 0 to 1, for it to be level at both."""

_EVEN = np.radians(3)
"""How far feet and shins point otherwise than those of the other side, in the mirror, at the rest of a figure that stands on both."""

_ENOUGH = 5
"""So many frames in which a foot is down show something."""


@dataclass(frozen=True, eq=False)
class Flat:
    """rotations: (F, 4) in the world by target bone. raised: (N,) metres by which the body rises in each clip, so that the legs point as
    before. added: (N,) radians by which a foot rotates at most."""

    raised: Floats
    added: Floats
    rotations: dict[int, Floats] = field(default_factory=dict[int, Floats])


def flat(setup: Setup, source: Source, target: Motion, feet: list[Limb]) -> Flat:
    """The feet that have toes in both figures, in the clips in which the source stands on them. target: as they point. feet: legs, and when
    they are held."""
    spans, binding = target.spans, setup.binding
    result = Flat(np.zeros(len(spans)), np.zeros(len(spans)))
    if not _stands(setup, feet):
        return result
    heads, rest = binding.target.heads, binding.target.quaternions
    bones = [[binding.followers[row].target for row in item.rows[2:]] for item in feet]
    soles = [quat.rotate(quat.multiply(setup.references[foot], quat.conjugate(rest[foot])), UP) for foot, _ in bones]
    for clip, rows in enumerate(spans.rows):
        ups = _levels(setup, source, feet, rows)
        tipped = [0.0 if up is None else float(angle_between(sole, up)) for sole, up in zip(soles, ups, strict=True)]
        if max(tipped) < _SEEN:
            continue
        lower: list[float] = []
        for item, (foot, toes), sole, up in zip(feet, bones, soles, ups, strict=True):
            if up is not None:
                reference, rotations = setup.references[foot], target.rotations[:, foot]
                levelled = quat.multiply(quat.of_matrix(align.swing(sole, up)), reference)
                changed = quat.multiply(rotations[rows], quat.multiply(quat.conjugate(reference), levelled))
                result.rotations.setdefault(foot, rotations.copy())[rows] = changed
                arm, down = quat.rotate(quat.conjugate(rest[foot]), heads[toes] - heads[foot]), item.touching[rows]
                lower.append(float(np.median(quat.rotate(rotations[rows][down], arm)[:, 2] - quat.rotate(changed[down], arm)[:, 2])))
        result.raised[clip], result.added[clip] = np.mean(lower), max(tipped)
    return result


def _stands(setup: Setup, feet: list[Limb]) -> bool:
    """Whether both figures have toes and stand on both feet at rest, the target on level ones: its mesh shows them, or without one that
    both are alike, which those of a pose are not."""
    binding, rows = setup.binding, [item.rows for item in feet]
    if len(rows) < 2 or any(
        binding.steering[foot] != (toes,) or not is_sole(binding, binding.followers[foot].role) for _, _, foot, toes in rows
    ):
        return False
    meshes = [tread(binding.target, *(binding.followers[row].target for row in each[2:])) for each in rows]
    shown = [mesh.is_level(VISIBLE * setup.legs.target) for mesh in meshes if mesh is not None]
    if len(shown) == len(rows):
        return all(shown)
    first, second = (
        np.stack([unit(binding.offsets("target", start, [end])[0]) for start, end in ((shin, foot), (foot, toes))])
        for _, shin, foot, toes in rows
    )
    return bool(angle_between(reflect_vectors(first, setup.facing.lateral_at_rest), second).max() < _EVEN)


def _levels(setup: Setup, source: Source, feet: list[Limb], rows: slice) -> list[Floats | None]:
    """For each foot (3,) what is up for the target's sole in the reference pose, where the source's is level at rest and while it is lowest
    in a clip; None where it is not. One that is down for too short to show that is as the other, so that feet that stand are alike."""
    ups = [_up(setup, source, item) for item in feet]
    shown = [_is_level(setup, source, item, rows) for item in feet]
    return [up if own or (own is None and any(shown)) else None for up, own in zip(ups, shown, strict=True)]


def _is_level(setup: Setup, source: Source, item: Limb, rows: slice) -> bool | None:
    """Whether the source's sole is level while it is lowest in a clip; None where it is down for too short to show it."""
    follower, motion, down = setup.binding.followers[source.leads[item.rows[2]]], source.motion, item.touching[rows]
    heights = motion.positions[rows, follower.source, 2][down]
    if len(heights) < _ENOUGH:
        return None if len(heights) else False
    share = max(stance.DOWN, (_ENOUGH - 1) / (len(heights) - 1))
    lowest = motion.rotations[rows, follower.source][down][stance.lowest(heights, share)]
    away = quat.multiply(lowest, quat.conjugate(setup.source_rotations[follower.source]))
    mean = quat.rotate(quat.conjugate(away), UP).mean(axis=0)
    return bool(np.linalg.norm(mean) >= _STEADY and angle_between(unit(mean), setup.soles.get(follower.role, UP)) <= _ALIKE)


def _up(setup: Setup, source: Source, item: Limb) -> Floats:
    """(3,) what is up for the target's sole in the reference pose, if the source's is level."""
    up = setup.frame @ setup.soles.get(setup.binding.followers[source.leads[item.rows[2]]].role, UP)
    return reflect_vectors(up, setup.facing.lateral) if source.swap else up
