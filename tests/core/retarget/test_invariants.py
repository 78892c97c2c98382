"""What must hold for any retargeting (I1 to I14)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.figures.maps.bone_map import BoneMap, Chain, Pair
from retro_anim.core.retarget.figures.motion import Motion
from retro_anim.core.retarget.figures.walk import forward
from retro_anim.core.retarget.mapping.mapping import map_bones
from retro_anim.core.retarget.transfer.limbs import aim

from . import rigs
from .invariants import (
    apart,
    chain_end,
    changed_by_feet,
    computed,
    evaluated,
    flips,
    identity,
    limb_directions,
    other_axes,
    other_rest,
    reflected,
    remembered,
    rolled,
    run,
    same_joints,
    skating,
    straightened,
    there_and_back,
)


def test_i1_identity() -> None:
    assert identity() < 1e-6


@pytest.mark.parametrize(("target", "angle", "most"), [(rolled, 0, 1e-5), (other_axes, 0, 2e-5), (other_rest, np.pi / 2, 1e-5)])
def test_i2_to_i4_same_joints(target: Callable[[], Figure], angle: float, most: float) -> None:
    assert same_joints(target, angle) < most


def test_i4_other_names() -> None:
    target = other_rest()
    names = tuple(f"bone_{number}" for number in range(len(target)))
    _, motion = rigs.dance(rigs.rolled(1))
    pairs = tuple(Pair(old, new, role=old) for old, new in zip(rigs.NAMES, names, strict=True))
    result = run(rigs.rolled(1), motion, replace(target, names=names), BoneMap(pairs))
    assert apart(straightened(result.motion, np.pi / 2), motion.positions) < 1e-5


@pytest.mark.parametrize("in_object", [False, True])
def test_i5_uniform_scale(in_object: bool) -> None:
    target = replace(rolled(), world=rigs.yawed(0, 1.7)) if in_object else rigs.humanoid(rigs.random_rotations(3), scale=1.7)
    _, motion = rigs.dance(rigs.rolled(1))
    result = run(rigs.rolled(1), motion, target)
    assert apart(result.motion.positions, motion.positions * 1.7) < 1e-5
    assert result.report.factor == pytest.approx(1.7)


def test_i6_there_and_back() -> None:
    assert there_and_back() < 1e-5


def test_i6b_an_unmapped_bone_between_is_named_and_harms_its_subtree_alone() -> None:
    source = rigs.rolled(1)
    _, motion = rigs.dance(source)
    fewer = BoneMap(tuple(pair for pair in rigs.SAME if pair.source != "neck"))
    there = run(source, motion, other_axes(), fewer)
    back = run(other_axes(), there.motion, source, fewer.reversed())
    wrong = np.linalg.norm(back.motion.positions - motion.positions, axis=2).max(axis=0)
    below = [bone for bone in range(len(source)) if source.is_below(bone, rigs.NAMES.index("neck"))]
    assert np.delete(wrong, below).max() < 1e-5 < wrong[below].max()
    assert [item.bone for item in there.report.unmapped] == ["neck"]
    assert there.report.unmapped[0].inside


def test_i7_limb_directions() -> None:
    assert limb_directions() < 1e-3


def test_i7_the_report_measures_the_same() -> None:
    target = rigs.humanoid(rigs.random_rotations(8), rigs.OFFSETS * 1.3)
    _, motion = rigs.dance(rigs.rolled(1))
    good, bad = run(rigs.rolled(1), motion, target).report, run(rigs.rolled(1), motion, rigs.reposed(target, 3, 0.5), align="REST").report
    assert good.limb_max < 1e-3
    assert good.joint_error is not None and good.joint_error < 1e-5
    assert bad.limb_max > 5


def test_i9_no_flips() -> None:
    assert flips() == 0


def test_i9_no_bone_turns_faster_than_its_source() -> None:
    _, motion = rigs.dance(rigs.rolled(1), 200, most=2.5)
    assert run(rigs.rolled(1), motion, other_rest()).report.rotation_excess < 1e-4


def test_i10_yaw_of_the_scene() -> None:
    source, target = rigs.rolled(1), other_axes()
    local, motion = rigs.dance(source)
    rotated = replace(source, world=rigs.yawed(0.7))
    rotated_motion = forward(rotated, motion.frames, local)
    one, other = run(source, motion, target), run(rotated, rotated_motion, target)
    assert apart(one.motion.positions, other.motion.positions) < 1e-6


def test_i10_a_frame_alone_is_the_frame_of_the_batch() -> None:
    source, target = rigs.rolled(1), other_rest()
    _, motion = rigs.dance(source)
    batch = run(source, motion, target)
    for frame in (0, 17, 39):
        alone = run(source, motion.at(slice(frame, frame + 1)), target)
        np.testing.assert_allclose(alone.motion.rotations[0], batch.motion.rotations[frame], rtol=0, atol=1e-12)
        np.testing.assert_allclose(alone.motion.positions[0], batch.motion.positions[frame], rtol=0, atol=1e-12)


def test_i10_mirror() -> None:
    source, target = rigs.rolled(1), other_axes()
    _, motion = rigs.dance(source)
    once = run(source, motion, target, mirror=True)
    assert apart(once.motion.positions, reflected(run(source, motion, target).motion).positions) < 1e-6
    twice = run(target, once.motion, source, rigs.SAME.reversed(), mirror=True)
    assert apart(twice.motion.positions, motion.positions) < 1e-6
    on_source = run(source, motion, source, mirror=True)
    assert apart(run(source, on_source.motion, target).motion.positions, once.motion.positions) < 1e-6


@pytest.mark.parametrize(("source", "target"), [(0.3, 0.0), (0.3, 0.3), (0.0, 0.3)])
def test_i10_mirror_of_rest_poses_that_are_not_alike_on_both_sides(source: float, target: float) -> None:
    """Of one figure in other rest poses: every joint is where that of the other side is in the mirror, from the hips. source, target:
    radians by which bones are rotated there."""
    one, two = rigs.reposed(rigs.rolled(1), 5, source), rigs.reposed(rigs.rolled(2), 6, target)
    _, motion = rigs.dance(one, most=0.5)
    result = run(one, motion, two, mirror=True, feet=False)
    ours, theirs = (each - each[:, :1] for each in (result.motion.positions, reflected(motion).positions))
    assert apart(ours, theirs) < 1e-6
    assert result.report.limb_max < 1e-3


def test_i14_chains_keep_the_last_bone() -> None:
    assert chain_end() < 1e-6


def test_i14_the_uppermost_bones_of_spines_of_three_and_two_agree() -> None:
    """By the map that is found: none of the three is lost."""
    full, (_, motion) = rigs.rolled(1), rigs.dance(rigs.rolled(1))
    target, _ = without(full, motion, "upperChest")
    renamed = Figure(tuple(f"c_{name}" for name in target.names), target.parents, target.rest, target.lengths)
    bone_map = map_bones(full, renamed)
    ((chain,), limb) = bone_map.chains, bone_map.role("leftUpperArm")
    assert (chain.source, chain.target) == (("spine", "chest", "upperChest"), ("c_spine", "c_chest")) and limb is not None
    result = run(full, motion, renamed, bone_map)
    first, last = full.index["upperChest"], renamed.index["c_chest"]
    one, two = motion.rotations[:, first], result.motion.rotations[:, last]
    changes = [quat.multiply(some[1:], quat.conjugate(some[:-1])) for some in (one, two)]
    assert quat.angle(quat.multiply(changes[0], quat.conjugate(changes[1]))).max() < 1e-6
    assert not {item.bone for item in result.report.unmapped} & {"spine", "chest", "upperChest"}


def test_i14_a_chain_onto_itself_is_exact() -> None:
    source = rigs.rolled(1)
    names = ("spine", "chest", "upperChest")
    pairs = tuple(pair for pair in rigs.SAME if pair.source not in names)
    _, motion = rigs.dance(source)
    result = run(source, motion, other_axes(), BoneMap(pairs, (Chain(names, names, "spine"),)))
    assert apart(result.motion.positions, motion.positions) < 2e-5


def test_i8_feet_that_stand_do_not_skate_more_than_the_source() -> None:
    assert skating() < 0.005


def test_i8_only_the_legs_turn() -> None:
    assert changed_by_feet() <= {side + part for side in ("left", "right") for part in ("UpperLeg", "LowerLeg")}


def test_i11_clips_do_not_change_one_another() -> None:
    assert remembered() < 1e-12  # the last bit depends on where numpy finds memory


def test_i12_keys_and_matrices_say_the_same() -> None:
    assert evaluated() < 1e-6


def test_i13_the_same_keys_everywhere() -> None:
    assert computed() < 1e-6


def without(figure: Figure, motion: Motion, name: str) -> tuple[Figure, Motion]:
    """The figure without a bone; its children hang on its parent."""
    keep = [bone for bone, other in enumerate(rigs.NAMES) if other != name]
    parents = [int(figure.parents[bone]) for bone in keep]
    gone = rigs.NAMES.index(name)
    parents = [int(figure.parents[gone]) if parent == gone else parent for parent in parents]
    less = Figure(
        tuple(rigs.NAMES[bone] for bone in keep),
        np.array([keep.index(parent) if parent >= 0 else -1 for parent in parents], np.int32),
        figure.rest[keep],
        figure.lengths[keep],
    )
    return less, replace(motion, rotations=motion.rotations[:, keep], positions=motion.positions[:, keep])


def neck_directions(spread: bool) -> float:
    """Degrees between the ways from chest to head, where one figure has a bending neck between them and the other has none; the limb
    has other children in neither. spread: the target has the neck, and it takes half of the turn."""
    full, (_, motion) = rigs.rolled(1), rigs.dance(rigs.rolled(1))
    less, less_motion = without(full, motion, "neck")
    pairs = tuple(pair for pair in rigs.SAME if pair.source != "neck" and not pair.source.endswith(("Shoulder", "Arm", "Hand", "Proximal")))
    pairs = tuple(replace(pair, options=replace(pair.options, distribute=spread)) if pair.source == "head" else pair for pair in pairs)
    source, played, target = (less, less_motion, full) if spread else (full, motion, less)
    result = run(source, played, target, BoneMap(pairs))
    lines = [
        moved.positions[:, figure.index["head"]] - moved.positions[:, figure.index["upperChest"]]
        for moved, figure in ((played, source), (result.motion, target))
    ]
    one, other = (offset / np.linalg.norm(offset, axis=1, keepdims=True) for offset in lines)
    return float(np.degrees(np.arccos((one * other).sum(axis=1).clip(-1, 1))).max())


@pytest.mark.parametrize("spread", [False, True])
def test_i7_limbs_with_bones_between(spread: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    assert neck_directions(spread) < 1e-3
    monkeypatch.setattr(aim, "aim", lambda *given: {})
    assert neck_directions(spread) > 1
