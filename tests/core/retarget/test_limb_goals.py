"""Only the next joint of a limb says where its bones point: what hangs on them, sleeves and tails, does not. Figures and truth by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget import retarget
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.figures.maps.bone_map import BoneMap, Pair
from retro_anim.core.retarget.figures.motion import Local, Motion
from retro_anim.core.retarget.figures.walk import forward
from retro_anim.core.retarget.mapping import mapping
from retro_anim.core.retarget.options import Options
from retro_anim.core.retarget.setup import prepare

from . import rigs

Extra = tuple[str, str, tuple[float, float, float]]
"""Name, parent, offset from it."""

SLEEVES: tuple[Extra, ...] = (("Bone01", "leftUpperArm", (0.1, 0.0, -0.15)), ("Bone02", "rightLowerLeg", (0.0, 0.12, -0.1)))


def with_extras(figure: Figure, extras: tuple[Extra, ...], between: str = "") -> Figure:
    """The humanoid with more bones. between: the bone that hangs on the first extra instead of its parent."""
    names = [*figure.names, *(name for name, _, _ in extras)]
    rest = np.concatenate([figure.rest, np.tile(np.eye(4), (len(extras), 1, 1))])
    parents = [*figure.parents.tolist(), *(names.index(parent) for _, parent, _ in extras)]
    for bone, (_, parent, offset) in enumerate(extras, len(figure)):
        rest[bone, :3, 3] = rest[names.index(parent), :3, 3] + offset
    if between:
        parents[names.index(between)] = len(figure)
    order = sorted(range(len(names)), key=lambda bone: _depth(parents, bone))
    number = {bone: position for position, bone in enumerate(order)}
    return Figure(
        tuple(names[bone] for bone in order),
        np.array([number[parents[bone]] if parents[bone] >= 0 else -1 for bone in order], np.int32),
        rest[order],
        np.full(len(names), 0.1),
    )


def _depth(parents: list[int], bone: int) -> int:
    return 0 if parents[bone] < 0 else 1 + _depth(parents, parents[bone])


def worst_limb(source: Motion, target: Motion, figures: tuple[Figure, Figure]) -> float:
    """Degrees between the directions of arms and legs, from joint to joint of the same names."""
    worst = 0.0
    for name in rigs.LIMBS:
        child = rigs.NAMES[int(np.flatnonzero(rigs.NAMES.index(name) == rigs.PARENTS)[0])]
        lines: list[Floats] = []
        for moved, figure in zip((source, target), figures, strict=True):
            offset = moved.positions[:, figure.index[child]] - moved.positions[:, figure.index[name]]
            lines.append(offset / np.linalg.norm(offset, axis=1, keepdims=True))
        worst = max(worst, float(np.degrees(2 * np.arcsin(np.linalg.norm(lines[0] - lines[1], axis=1) / 2)).max()))
    return worst


@pytest.mark.parametrize("between", ["", "leftLowerArm"])
def test_sleeves_do_not_steer_limbs(between: str) -> None:
    """They hang elsewhere on the target, whose rest pose is another; `between`: the lower arm hangs on the sleeve's bone."""
    elsewhere = tuple((name, parent, (offset[1], offset[0], -offset[2])) for name, parent, offset in SLEEVES)
    source = with_extras(rigs.rolled(1), SLEEVES, between)
    target = with_extras(rigs.humanoid(rigs.random_rotations(8), rigs.OFFSETS * 1.3), elsewhere, between)
    bone_map = BoneMap((*rigs.SAME.pairs, *(Pair(name, name) for name, _, _ in SLEEVES)))
    _, motion = rigs.dance(source)
    result = retarget.retarget(prepare(source, target, bone_map, Options(feet=False)), motion, 30.0, "clip")
    assert worst_limb(motion, forward(target, motion.frames, result.local), (source, target)) < 1e-3
    assert result.report.limb_max < 1e-3


@pytest.mark.parametrize("above", ["leftUpperArm", "rightUpperLeg"])
def test_a_helper_where_a_limb_begins_does_not_hide_it(above: str) -> None:
    """One without length, from which the limb hangs: what is above it points to the limb, not past it to the elbow."""
    parent = rigs.NAMES[rigs.PARENTS[rigs.NAMES.index(above)]]
    offset = tuple((rigs.humanoid().heads[rigs.NAMES.index(above)] - rigs.humanoid().heads[rigs.NAMES.index(parent)]).tolist())
    helper: tuple[Extra, ...] = (("helper", parent, offset),)
    source = with_extras(rigs.humanoid(), helper, above)
    target = with_extras(rigs.humanoid(None, rigs.OFFSETS * [[1.0, 1.3, 0.8]]), helper, above)
    bone_map = BoneMap((*rigs.SAME.pairs, Pair("helper", "helper")))
    _, motion = rigs.dance(source)
    result = retarget.retarget(prepare(source, target, bone_map, Options(feet=False)), motion, 30.0, "clip")
    assert worst_limb(motion, forward(target, motion.frames, result.local), (source, target)) < 1e-3


def test_a_moving_sleeve_does_not_steer_its_arm() -> None:
    """The arm has a joint between that nothing follows, so that it is aimed in every frame; the sleeve flaps."""
    source = with_extras(rigs.rolled(1), SLEEVES)
    local, plain = rigs.dance(source)
    rotations = np.array(local.rotations)
    sleeve = source.index["Bone01"]
    rotations[:, sleeve] = quat.about(np.array([0.0, 1.0, 0.0]), np.linspace(0, 12, len(plain.frames)))
    motion = forward(source, plain.frames, Local(local.locations, rotations))
    target = with_extras(rigs.humanoid(rigs.random_rotations(8)), SLEEVES)
    bone_map = BoneMap((*rigs.SAME.pairs, *(Pair(name, name) for name, _, _ in SLEEVES)))
    result = retarget.retarget(prepare(source, target, bone_map, Options(feet=False)), motion, 30.0, "clip")
    assert worst_limb(motion, result.motion, (source, target)) < 1e-3


def renamed(figure: Figure) -> Figure:
    """The body by the names of Unreal's mannequin, so that the two figures are not one and the same skeleton."""
    sides = {"left": "_l", "right": "_r"}
    parts = {"UpperArm": "upperarm", "LowerArm": "lowerarm", "Hand": "hand", "UpperLeg": "thigh", "LowerLeg": "calf", "Foot": "foot"}
    names = {side + part: name + end for side, end in sides.items() for part, name in parts.items()}
    return replace(figure, names=tuple(names.get(name, name) for name in figure.names))


def test_bones_that_share_only_a_number_are_no_pair() -> None:
    tail: tuple[Extra, ...] = (("Bone01", "hips", (0.0, 0.15, 0.0)), ("Bone02", "Bone01", (0.0, 0.2, 0.0)))
    sleeve: tuple[Extra, ...] = (("Bone01", "leftUpperArm", (0.1, 0.0, -0.15)), ("Bone02", "Bone01", (0.0, 0.0, -0.1)))
    one, other = with_extras(rigs.rolled(1), tail), renamed(with_extras(rigs.rolled(1), sleeve))
    numbered = {pair.source for pair in mapping.map_bones(one, other)} & {"Bone01", "Bone02"}
    assert not numbered


def test_bones_of_one_number_on_the_same_limb_are_a_pair() -> None:
    sleeve: tuple[Extra, ...] = (("Bone01", "leftUpperArm", (0.1, 0.0, -0.15)), ("Bone02", "Bone01", (0.0, 0.0, -0.1)))
    one, other = with_extras(rigs.rolled(1), sleeve), renamed(with_extras(rigs.rolled(2), sleeve))
    pairs = {pair.source: pair.target for pair in mapping.map_bones(one, other)}
    assert pairs["Bone01"] == "Bone01"
    assert pairs["Bone02"] == "Bone02"
