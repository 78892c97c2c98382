"""What a retargeting gives, with all of its report, does not depend on where figures stand, on units, nor on the rate of frames."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget import retarget
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.figures.maps.bone_map import BoneMap, Limb
from retro_anim.core.retarget.figures.motion import Motion, Standing
from retro_anim.core.retarget.figures.roles import other_side
from retro_anim.core.retarget.options import Options
from retro_anim.core.retarget.setup import prepare

from . import invariants, rigs
from .ground.test_body import falls, with_arms
from .limb_goals.test_goals import lengthened

SHIFT = np.array([3.0, -2.0, 0.5])
ROTATION = rigs.yawed(0.7)


class Job(NamedTuple):
    source: Figure
    motion: Motion
    target: Figure
    bone_map: BoneMap = rigs.SAME
    options: Options = Options()
    fps: float = 30.0
    loop: int | None = None

    def run(self) -> retarget.Result:
        setup = prepare(self.source, self.target, self.bone_map, self.options, motion=self.motion)
        return retarget.retarget(setup, self.motion, self.fps, "clip", loop=self.loop)


def moved(figure: Figure) -> Figure:
    """The object and what is in it."""
    world = np.array(figure.world)
    world[:3, 3] += SHIFT
    return replace(figure, world=world)


def rotated(job: Job) -> Job:
    """Both objects about Z, with what is in them."""
    source, target = (replace(figure, world=ROTATION @ figure.world) for figure in (job.source, job.target))
    rotation = quat.of_matrix(ROTATION[:3, :3])
    rotations, positions = quat.multiply(rotation, job.motion.rotations), quat.rotate(rotation, job.motion.positions)
    motion = replace(job.motion, rotations=rotations, positions=positions, standing=Standing.still(source))
    return job._replace(source=source, target=target, motion=motion)


def in_object(figure: Figure) -> Figure:
    """The bones in the object, over the ground."""
    rest = np.array(figure.rest)
    rest[:, :2, 3] += SHIFT[:2]
    return replace(figure, rest=rest, pelvis=None if figure.pelvis is None else figure.pelvis + SHIFT * [1, 1, 0])


def scaled(figure: Figure, size: float) -> Figure:
    rest = np.array(figure.rest)
    rest[:, :3, 3] *= size
    pelvis = None if figure.pelvis is None else figure.pelvis * size
    return replace(figure, rest=rest, lengths=figure.lengths * size, pelvis=pelvis)


class Change(NamedTuple):
    """of: the job. shift, size: where its result is, and how large. factor, frames: times that the report has as much of the field and of
    frames. rotation: how its result is rotated."""

    of: Callable[[Job], Job]
    shift: Any = 0.0
    size: float = 1.0
    factor: float = 1.0
    frames: float = 1.0
    rotation: Floats = np.eye(3)


CHANGES = {
    "source elsewhere": Change(
        lambda job: job._replace(source=moved(job.source), motion=replace(job.motion, positions=job.motion.positions + SHIFT))
    ),
    "target elsewhere": Change(lambda job: job._replace(target=moved(job.target)), SHIFT),
    "target elsewhere in its object": Change(lambda job: job._replace(target=in_object(job.target)), SHIFT * [1, 1, 0]),
    "both rotated": Change(rotated, rotation=ROTATION[:3, :3]),
    "source in other units": Change(
        lambda job: job._replace(source=scaled(job.source, 3.0), motion=replace(job.motion, positions=job.motion.positions * 3.0)),
        factor=1 / 3,
    ),
    "target in other units": Change(lambda job: job._replace(target=scaled(job.target, 3.0)), size=3.0, factor=3.0),
    "twice the frames a second": Change(
        lambda job: job._replace(fps=60.0, motion=replace(job.motion, frames=job.motion.frames * 2)), frames=2.0
    ),
}

LENGTHS = ("joint_error", "penetration", "missed", "hips_down", "above", "bend_hips")
"""Fields of the report in metres of the target."""
FRAMES = ("off_body_frame", "carried_frame", "snap_frame", "bend_frame", "chain_off_frame", "flip_frame")


def walks() -> Job:
    """Onto longer shins and wider hips, with a spine of another number of bones."""
    source, motion = invariants.walk()
    target, bone_map = invariants.two_bone_spine()
    sizes = [[1.3 if name.endswith("Foot") else 2.0 if name.endswith("UpperLeg") else 1.0] for name in rigs.NAMES if name != "chest"]
    rest = np.array(target.rest)
    for bone, parent in enumerate(target.parents.tolist()):
        if parent >= 0:
            rest[bone, :3, 3] = rest[parent, :3, 3] + (target.rest[bone, :3, 3] - target.rest[parent, :3, 3]) * sizes[bone]
    return Job(source, motion, replace(target, rest=rest), bone_map, loop=29)


def lies() -> Job:
    """Onto arms that are too short for it to lie on, at a joint of the hips that is not where its bone begins."""
    source, motion = falls()
    target = with_arms(0.7)
    return Job(source, motion, replace(target, pelvis=target.heads[0] + [0, 0.02, 0.05]), options=Options(feet=False))


def reaches() -> Job:
    """With goals of its hands by the body and by each other, mirrored."""
    target = rigs.humanoid(rigs.random_rotations(4), lengthened(1.5, "LowerArm", "Hand"), 2.0)
    bone_map = replace(rigs.SAME, limbs=(Limb("leftHand", "BODY"), Limb("rightHand", "SELF")))
    return Job(rigs.humanoid(), rigs.dance(rigs.humanoid(), most=0.5)[1], target, bone_map, Options(mirror=True))


def lacks() -> Job:
    """Of a map that leaves out neck and an arm, as the rest poses have it."""
    pairs = tuple(
        pair for pair in rigs.SAME if pair.source != "neck" and not pair.source.startswith(("leftUpperArm", "leftLowerArm", "leftHand"))
    )
    target = rigs.reposed(rigs.humanoid(rigs.random_rotations(5)), 6, 0.4)
    return Job(rigs.rolled(1), rigs.dance(rigs.rolled(1))[1], target, BoneMap(pairs), Options(align="REST", floor="CONTACT"))


def hangs() -> Job:
    """From thighs above the hips' joint onto a control rig whose thighs are below it."""
    offsets = [np.array(rigs.OFFSETS), np.array(rigs.OFFSETS)]
    for each, height in zip(offsets, (0.1, -0.1), strict=True):
        each[[rigs.NAMES.index(f"{side}UpperLeg") for side in ("left", "right")], 2] = height
    source, target = (rigs.humanoid(None, each) for each in offsets)
    return Job(source, rigs.dance(source)[1], replace(target, pelvis=np.array(target.heads[0])))


JOBS = {job.__name__: job for job in (walks, lies, reaches, lacks, hangs)}


@cache
def known(job: str) -> tuple[Job, retarget.Result]:
    begun = JOBS[job]()
    return begun, begun.run()


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("job", JOBS)
def test_the_result_is_the_same(job: str, change: str) -> None:
    begun, plain = known(job)
    how = CHANGES[change]
    result = how.of(begun).run()
    size = float(np.ptp(begun.target.heads)) * how.size
    wanted_at = plain.motion.positions @ how.rotation.T * how.size + how.shift
    np.testing.assert_allclose(result.motion.positions, wanted_at, rtol=0, atol=1e-6 * size)
    np.testing.assert_allclose(result.local.rotations, plain.local.rotations, rtol=0, atol=1e-6)
    assert {name: touching.tolist() for name, touching in result.contacts.items()} == {
        name: touching.tolist() for name, touching in plain.contacts.items()
    }
    fields, wanted = result.report.document(), plain.report.document()
    times = {"factor": how.factor} | dict.fromkeys(LENGTHS, how.size) | dict.fromkeys(FRAMES, how.frames)
    for name in wanted.keys() - {"seconds"}:
        assert near(fields[name]) == near(wanted[name], times.get(name, 1.0)), name


@pytest.mark.parametrize("job", JOBS)
def test_the_order_of_bones_is_of_no_matter(job: str) -> None:
    begun, plain = known(job)
    order = rigs.other_order(begun.source)
    motion = replace(begun.motion, rotations=begun.motion.rotations[:, order], positions=begun.motion.positions[:, order])
    result = begun._replace(source=rigs.reordered(begun.source), motion=motion, target=rigs.reordered(begun.target)).run()
    order = rigs.other_order(begun.target)
    np.testing.assert_allclose(result.local.rotations, plain.local.rotations[:, order], rtol=0, atol=1e-6)
    np.testing.assert_allclose(result.motion.positions, plain.motion.positions[:, order], rtol=0, atol=1e-6)
    fields, wanted = result.report.document(), plain.report.document()
    any_of_several = {"seconds", "limb_worst", "limb_shown_worst"}  # limbs that are all as good
    assert {name for name in wanted.keys() - any_of_several if near(fields[name]) != near(wanted[name])} == set()


@pytest.mark.parametrize("job", JOBS)
def test_in_the_mirror_the_other_side_does_the_same(job: str) -> None:
    begun, plain = known(job)
    across = np.array([-1.0, 1, 1])
    motion = replace(begun.motion, rotations=begun.motion.rotations * [1, 1, -1, -1], positions=begun.motion.positions * across)
    pairs = (
        replace(each, source=other_side(each.source), target=other_side(each.target), role=other_side(each.role)) for each in begun.bone_map
    )
    limbs = (replace(limb, limb=other_side(limb.limb)) for limb in begun.bone_map.limbs)
    bone_map = replace(begun.bone_map, pairs=tuple(pairs), limbs=tuple(limbs))
    result = begun._replace(source=rigs.mirrored(begun.source), motion=motion, target=rigs.mirrored(begun.target), bone_map=bone_map).run()
    np.testing.assert_allclose(result.motion.positions, plain.motion.positions * across, rtol=0, atol=1e-6)
    fields, wanted = result.report.document(), plain.report.document()
    numbers = [name for name, value in wanted.items() if isinstance(value, float | int) and name != "seconds"]
    assert {name for name in numbers if near(fields[name]) != near(wanted[name])} == set()


def near(value: Any, times: float = 1.0) -> Any:
    """Numbers to four digits, wherever they are."""
    if isinstance(value, dict):
        return {key: near(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [near(each) for each in value]
    return round(value * times, 4) if isinstance(value, float) else value
