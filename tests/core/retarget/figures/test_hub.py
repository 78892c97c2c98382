"""Rigs whose pelvis hangs beside the spine, as MikuMikuDance's: what carries both goes with the hips, and nothing comes apart. And rigs
whose hips are elsewhere than the bone that rotates them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.figures.hub import with_hub
from retro_anim.core.retarget.figures.maps.bone_map import BoneMap, Chain, Pair
from retro_anim.core.retarget.figures.motion import Local
from retro_anim.core.retarget.figures.walk import forward
from retro_anim.core.retarget.options import Options
from retro_anim.core.retarget.retarget import retarget
from retro_anim.core.retarget.setup import prepare

from .. import rigs

HIPS, SPINE, ROOT = 0, 1, len(rigs.NAMES)


def beside(height: float) -> Figure:
    """A child whose hips and spine both hang on a further bone at some height."""
    plain = rigs.humanoid(rigs.random_rotations(4), rigs.OFFSETS * np.where(np.arange(len(rigs.NAMES)) < 6, 0.5, 0.8)[:, None])
    rest = np.concatenate([np.eye(4)[None], plain.rest])
    rest[0, 2, 3] = height
    parents = np.concatenate([[-1], plain.parents + 1]).astype(np.int32)
    parents[[1 + HIPS, 1 + SPINE]] = 0
    return Figure(("carrier", *plain.names), parents, rest, np.append(0.1, plain.lengths))


def connected() -> Figure:
    """The same with the hips, which carry the spine, connected to the bone on the ground."""
    target = beside(0.0)
    parents = np.array(target.parents)
    parents[1 + SPINE] = 1 + HIPS
    return replace(target, parents=parents, fixed=np.arange(len(target)) == 1 + HIPS)


def run(target: Figure, bone_map: BoneMap) -> tuple[Floats, Floats]:
    """The source's joints (F, B, 3) and the target's, by what is keyed."""
    source = rigs.rolled(1)
    _, motion = rigs.dance(source)
    setup = prepare(source, target, bone_map, Options(feet=False, floor="REST"), motion=motion)
    result = retarget(setup, motion, 30.0, "clip")
    return motion.positions, forward(target, motion.frames, result.local).positions


@pytest.mark.parametrize("mapped", [(), (Pair("hips", "carrier", role="root"),)])
def test_hips_and_spine_stay_together(mapped: tuple[Pair, ...]) -> None:
    target = beside(0.48)
    bone_map = with_hub(target, replace(rigs.SAME, pairs=(*mapped, *rigs.SAME.pairs)))
    theirs, ours = run(target, bone_map)
    apart = np.linalg.norm(ours[:, 1 + SPINE] - ours[:, 1 + HIPS], axis=1)
    assert np.ptp(apart) < 1e-6
    assert np.linalg.norm((ours[:, 1 + HIPS] - ours[0, 1 + HIPS]) - 0.8 * (theirs[:, HIPS] - theirs[0, HIPS]), axis=1).max() < 1e-6
    lines = [theirs[:, 1 + SPINE] - theirs[:, SPINE], ours[:, 2 + SPINE] - ours[:, 1 + SPINE]]
    one, other = (line / np.linalg.norm(line, axis=1, keepdims=True) for line in lines)
    assert np.abs(one - other).max() < 1e-6


@pytest.mark.parametrize(("height", "rotation"), [(0.47, "ALL"), (0.44, "NONE")])
@pytest.mark.parametrize("bones", [("spine",), ("spine", "chest")])
def test_a_spine_that_follows_as_a_chain_hangs_on_the_same_bone(height: float, rotation: str, bones: tuple[str, ...]) -> None:
    """By the chain's first bone, 0.05 above the hips at 0.485: a carrier that is nearer to them than half of that rotates with them."""
    target = beside(height)
    pairs = tuple(pair for pair in rigs.SAME if pair.role == "hips")
    bone_map = with_hub(target, BoneMap(pairs, (Chain(("spine", "chest", "neck"), bones, "spine"),)))
    assert [(pair.source, pair.target, pair.options.rotation) for pair in bone_map] == [
        ("hips", "carrier", rotation),
        ("hips", "hips", "ALL"),
    ]


def test_one_on_the_ground_carries_without_rotating() -> None:
    target = beside(0.0)
    bone_map = with_hub(target, rigs.SAME)
    _, ours = run(target, bone_map)
    between = ours[:, 1 + SPINE] - ours[:, 0]
    assert np.ptp(between, axis=0).max() < 1e-6, "it stands upright, and the spine on it"
    assert bone_map.pairs[0].options.rotation == "NONE"


def test_hips_that_cannot_move_are_carried() -> None:
    target = connected()
    theirs, ours = run(target, with_hub(target, rigs.SAME))
    assert np.linalg.norm((ours[:, 1 + HIPS] - ours[0, 1 + HIPS]) - 0.8 * (theirs[:, HIPS] - theirs[0, HIPS]), axis=1).max() < 1e-6


def test_a_spine_on_the_hips_needs_none() -> None:
    assert with_hub(rigs.rolled(2), rigs.SAME) is rigs.SAME


def test_a_bone_between_that_does_not_inherit_is_carried_along() -> None:
    """A further bone between upper and lower arm that does not take over rotations: the lower arm hangs on it."""
    plain = rigs.humanoid(rigs.random_rotations(4))
    upper, lower = (rigs.NAMES.index(name) for name in ("leftUpperArm", "leftLowerArm"))
    between = np.array(plain.rest[lower])
    between[:3, 3] = (plain.rest[upper, :3, 3] + plain.rest[lower, :3, 3]) / 2
    names = (*plain.names[:lower], "between", *plain.names[lower:])
    parents = np.insert(np.where(plain.parents >= lower, plain.parents + 1, plain.parents), lower, upper).astype(np.int32)
    parents[lower + 1] = lower
    rest = np.insert(plain.rest, lower, between, axis=0)
    target = Figure(names, parents, rest, np.full(len(names), 0.1), hinged=np.arange(len(names)) == lower)
    theirs, ours = run(target, rigs.SAME)
    kept = [bone for bone in range(len(names)) if bone != lower]
    assert np.abs((ours[:, kept] - ours[:, :1]) - (theirs - theirs[:, :1])).max() < 1e-5


@pytest.mark.parametrize("above", [0.1, -0.1])
def test_thighs_that_begin_above_the_hips_of_the_source(above: float) -> None:
    """Below those of a control rig, which has its pelvis' joint elsewhere: the hips stay upright, spine and thighs on their sides."""
    thighs = [rigs.NAMES.index(f"{side}UpperLeg") for side in ("left", "right")]
    offsets = [np.array(rigs.OFFSETS), np.array(rigs.OFFSETS)]
    for each, height in zip(offsets, (above, -0.1), strict=True):
        each[thighs, 0], each[thighs, 2] = (0.05, -0.05), height
    source, plain = (rigs.humanoid(None, each) for each in offsets)
    target = replace(plain, pelvis=np.array(plain.heads[HIPS]))
    motion = forward(source, np.arange(3.0), Local(np.zeros((3, len(source), 3)), np.tile(quat.IDENTITY, (3, len(source), 1))))
    result = retarget(prepare(source, target, rigs.SAME, Options(feet=False)), motion, 30.0, "clip")
    rotated = forward(target, motion.frames, result.local).rotations
    assert np.abs(rotated[:, HIPS, 0]).min() > np.cos(np.radians(1) / 2)
    chest = rigs.NAMES.index("chest")
    assert np.abs(rotated[:, chest, 0]).min() > np.cos(np.radians(1) / 2)


def test_what_else_follows_the_hips_or_is_above_them_leaves_the_carrier_to_them() -> None:
    """A skirt that follows the source's hips, too, is not above the target's; a carrier that follows the source's root is not the hips'."""
    target = beside(0.48)
    others = (Pair("hips", "leftToes"), Pair("root", "carrier", role="root"))
    carrying = with_hub(target, replace(rigs.SAME, pairs=(*others, *rigs.SAME.pairs))).pairs[0]
    assert (carrying.source, carrying.target) == ("hips", "carrier"), "else hips and spine come apart"


@pytest.mark.parametrize("pairs", [(), (Pair("hips", "Hips", role="hips"), Pair("spine", "spine", role="spine"))])
def test_where_no_hips_are_mapped_nothing_is_carried(pairs: tuple[Pair, ...]) -> None:
    """Nor where the target has no bone of that name, as a map from a file may have it."""
    bone_map = BoneMap(pairs)
    assert with_hub(beside(0.48), bone_map) is bone_map
