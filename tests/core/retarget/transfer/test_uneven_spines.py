"""Two spines of one shape, of unlike numbers of bones: what the joints say of one they say of the other."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget import retarget
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.figures.maps.bone_map import BoneMap, Chain, Limb
from retro_anim.core.retarget.figures.motion import Motion, rest_motion
from retro_anim.core.retarget.figures.walk import forward
from retro_anim.core.retarget.options import Options
from retro_anim.core.retarget.setup import prepare

from .. import rigs

TRUNK = ("spine", "chest", "upperChest")


def without(*names: str, rotations: Floats | None = None) -> Figure:
    """The humanoid with fewer bones, whose children hang on what is above."""
    keep = [bone for bone, name in enumerate(rigs.NAMES) if name not in names]
    parents: list[int] = []
    for bone in keep:
        parent = int(rigs.PARENTS[bone])
        while parent >= 0 and parent not in keep:
            parent = int(rigs.PARENTS[parent])
        parents.append(keep.index(parent) if parent >= 0 else -1)
    full = rigs.humanoid(rotations)
    return Figure(tuple(rigs.NAMES[bone] for bone in keep), np.array(parents, np.int32), full.rest[keep], full.lengths[keep])


def retargeted(source: Figure, motion: Motion, target: Figure, limbs: tuple[Limb, ...] = ()) -> Motion:
    pairs = tuple(pair for pair in rigs.SAME.pairs if pair.source not in TRUNK)
    chain = Chain(tuple(name for name in TRUNK if name in source.index), tuple(name for name in TRUNK if name in target.index), "spine")
    setup = prepare(source, target, BoneMap(pairs, (chain,), limbs=limbs), Options(feet=False))
    result = retarget.retarget(setup, motion, 30.0, "clip")
    return forward(target, motion.frames, result.local)


@pytest.mark.parametrize(("fewer", "most"), [("target", 3.0), ("source", 5.0)])
def test_a_chest_that_begins_elsewhere_leans_no_further(fewer: str, most: float) -> None:
    """Both stand alike: nothing has to rotate, but by how much the longer bone cuts the bend of the back."""
    few, many = without("upperChest", rotations=rigs.random_rotations(5)), rigs.humanoid(rigs.random_rotations(6))
    source, target = (many, few) if fewer == "target" else (few, many)
    there = retargeted(source, rest_motion(source), target)
    angles = np.degrees(quat.angle(quat.multiply(quat.conjugate(target.quaternions), there.rotations[0])))
    chest = [target.index[name] for name in (*TRUNK, "leftShoulder", "leftUpperArm", "head") if name in target.index]
    assert angles[chest].max() < most


def test_a_hand_beside_the_own_body_is_there_also_where_the_spine_is_one_bone() -> None:
    """The body is the same, so that the hand is where the source's is."""
    source, target = rigs.rolled(1), without("chest", "upperChest", rotations=rigs.random_rotations(5))
    local, _ = rigs.dance(source, most=0.0)
    rotations = local.rotations.copy()
    for name, axis, angle in (("leftUpperArm", (0.0, 1.0, 0.0), 1.0), ("leftLowerArm", (0.5, 0.0, -0.85), 2.0)):
        axes = source.quaternions[source.index[name]]
        about = quat.about(np.array(axis) / np.linalg.norm(axis), np.full(len(rotations), angle))
        rotations[:, source.index[name]] = quat.multiply(quat.multiply(quat.conjugate(axes), about), axes)
    frames = np.arange(len(rotations), dtype=float)
    motion = forward(source, frames, type(local)(local.locations, rotations))
    there = retargeted(source, motion, target, (Limb("leftHand", reach="SELF"),))
    hand = there.positions[:, target.index["leftHand"]] - there.positions[:, target.index["hips"]]
    wanted = motion.positions[:, source.index["leftHand"]] - motion.positions[:, source.index["hips"]]
    assert np.linalg.norm(wanted[0] - (0.0, -0.1, 0.25)) < 0.2
    assert np.linalg.norm(hand - wanted, axis=1).max() < 0.005


def test_the_last_of_an_uneven_spine_rotates_as_the_sources_last() -> None:
    """It is not swung to where the neck begins, as a limb is to its next joint: that lies elsewhere on the longer bone."""
    source, target = rigs.humanoid(), without("upperChest")
    _, motion = rigs.dance(source, 10)
    pairs = tuple(pair for pair in rigs.SAME.pairs if pair.source in ("hips", "neck", "head"))
    setup = prepare(source, target, BoneMap(pairs, (Chain(TRUNK, ("spine", "chest"), "spine"),)), Options(feet=False))
    there = forward(target, motion.frames, retarget.retarget(setup, motion, 30.0, "clip").local)
    last, sources = there.rotations[:, target.index["chest"]], motion.rotations[:, source.index["upperChest"]]
    assert np.degrees(quat.apart(last, sources)).max() < 0.01
