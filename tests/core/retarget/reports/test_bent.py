"""Which bones bend between frames, and the frames that tell it, in numbers made by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.retarget.figures.clip import Clip
from retro_anim.core.retarget.figures.maps.bone_map import BoneMap, Chain, PairOptions
from retro_anim.core.retarget.figures.motion import Motion, rest_motion
from retro_anim.core.retarget.options import Options
from retro_anim.core.retarget.reports.bent import Bent, Parted, bent_limbs
from retro_anim.core.retarget.reports.fields import Reach
from retro_anim.core.retarget.setup import prepare
from retro_anim.core.retarget.transfer.output import block, rotation_block

from .. import rigs
from .test_report import report as report_of

SETUP = prepare(rigs.humanoid(), rigs.humanoid(), rigs.SAME, Options())


@pytest.mark.parametrize("count", [4, 9000])
def test_bones_that_rotate_in_other_parts_bend_upon_each_other(count: int) -> None:
    """Steps of 40, 30 and 20 degrees in one gap of a clip, be it short or long: an eighth of each with what is below it, all together."""
    figure, gap = rigs.humanoid(), count // 2
    bones = {figure.index[name]: degrees for name, degrees in (("upperChest", 40.0), ("neck", 30.0), ("head", 20.0))}
    later = np.arange(count) > gap
    rotations = {bone: quat.about(np.eye(3)[0], np.radians(np.where(later, degrees, 0.0))) for bone, degrees in bones.items()}
    blocks = [rotation_block(figure, bone, np.arange(count), values) for bone, values in rotations.items()]
    result = Bent.of_keys(figure, blocks, count, frozenset(bones))
    assert result is not None
    together = np.max(result.bends, axis=0)
    assert np.flatnonzero(together > 1e-3).tolist() == [gap]
    chest, neck, head = np.radians([40, 30, 20])
    assert together[gap] == pytest.approx((chest * neck + (chest + neck) * head) / 8, rel=1e-3)


def parted(*missing: str, chains: tuple[Chain, ...] = (), **options: PairOptions) -> tuple[set[str], list[tuple[str, ...]]]:
    """By names, of a body that follows one like itself but for some bones, and others with options of their own."""
    figure = rigs.humanoid()
    pairs = (replace(pair, options=options.get(pair.target, pair.options)) for pair in rigs.SAME.pairs if pair.target not in missing)
    result = Parted.of(prepare(figure, figure, BoneMap(tuple(pairs), chains), Options()))
    return {figure.names[bone] for bone in result.bones}, [tuple(figure.names[bone] for bone in each) for each in result.others]


def test_which_bones_rotate_upon_each_other_in_other_parts_than_the_source_s() -> None:
    """None of a body that is alike; one that follows in part, and those upon it; one whose source hangs on what nothing follows. What is
    upon a chain that follows as a whole rotates as its source does, but for what hangs on another bone."""
    assert parted() == (set(), [])
    for options in (PairOptions(weight=0.5), PairOptions(rotation="SWING")):
        assert parted(chest=options) == ({"chest", "upperChest"}, [])
    assert parted(hips=PairOptions(weight=0.5)) == ({"hips", "spine", "leftUpperLeg", "rightUpperLeg"}, [])
    assert parted(chest=PairOptions(distribute=True)) == ({"chest"}, [])
    assert parted("neck") == (set(), [("head", "head", "neck", "upperChest")])
    trunk = ("spine", "chest", "upperChest")
    assert parted(*trunk, chains=(Chain(trunk, trunk, "trunk"),)) == ({*trunk}, [])
    loose = parted(*trunk, chains=(Chain(trunk, trunk, "trunk", weight=0.5),))
    assert loose == ({*trunk, "neck", "leftShoulder", "rightShoulder"}, [])


def test_what_goes_straight_upon_nothing_that_rotates_bends_by_nothing() -> None:
    """One bone by 40 degrees, and one frame of two."""
    figure = rigs.humanoid()
    chest, neck = figure.index["upperChest"], figure.index["neck"]
    rotations = quat.about(np.eye(3)[0], np.radians([0.0, 40.0]))
    blocks = [rotation_block(figure, bone, np.arange(2), rotations) for bone in (chest, neck)]
    assert Bent.of_keys(figure, blocks[:1], 2, frozenset((chest, neck))) is None
    assert Bent.of_keys(figure, blocks, 2, frozenset((chest, neck))) is not None
    assert Bent.of_keys(figure, blocks, 1, frozenset((chest, neck))) is None
    elsewhere = Bent.of_keys(figure, [], 3, others={chest: np.array([0.01, 0.0]), neck: np.array([0.02, 0.0])})
    assert elsewhere is not None and np.max(elsewhere.bends, axis=0) == pytest.approx([0.03, 0.0]), "but for what is elsewhere anyway"


def test_angles_that_go_straight_bend_a_bone_by_an_eighth_of_their_product() -> None:
    """40 degrees about X and 30 about Y from one frame to the next; those of the object, which is no bone, are not looked at here."""
    figure = rigs.humanoid()
    figure = replace(figure, modes=tuple("XYZ" if name == "neck" else "QUATERNION" for name in figure.names))
    angles = np.radians([[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [40.0, 30.0, 0.0]])
    blocks = [block(bone, "rotation_euler", 3, np.arange(3), angles) for bone in ("neck", "")]
    result = Bent.of_keys(figure, blocks, 3)
    assert result is not None and np.max(result.bends, axis=0) == pytest.approx([0, np.radians(40) * np.radians(30) / 8])
    assert Bent.of_keys(figure, blocks[1:], 3) is None


@pytest.mark.parametrize("count", [3, 9000])
def test_a_bone_that_hangs_on_another_than_its_source_does_goes_in_two_parts(count: int) -> None:
    """The source's bone rotates by 5 degrees a frame upon its own, that by 20 upon what the target's follows, or by 30 upon nothing: an
    eighth of the product. What rests upon the other bends by nothing, in short clips and long ones."""
    figure = rigs.humanoid()
    under, carrier, lead = (figure.index[name] for name in ("chest", "neck", "head"))
    degrees = np.arange(count, dtype=np.float64)
    motion = Motion(
        degrees + 1.0, np.tile(figure.quaternions, (count, 1, 1)), np.zeros((count, len(figure), 3)), None, rest_motion(figure).standing
    )
    for bone, step in ((under, 10.0), (carrier, 30.0), (lead, 35.0), (len(figure) - 1, 50.0)):
        motion.rotations[:, bone] = quat.about(np.eye(3)[0], np.radians(step * degrees))
    parted = Parted(frozenset(), ((7, lead, carrier, under), (8, lead, under, under), (9, lead, carrier, -1)))
    (result,) = parted.bends([motion], [count])
    own, upon_other, alone = np.radians([5.0, 20.0, 30.0])
    assert sorted(result) == [7, 9]
    assert result[7] == pytest.approx(np.full(count - 1, own * upon_other / 8))
    assert result[9] == pytest.approx(np.full(count - 1, own * alone / 8))
    assert parted.bends([motion], [1]) == [{}]


def test_of_several_clips_each_goes_in_parts_of_its_own() -> None:
    """One of three frames, of which a fourth does not count, one of a single frame, and one that rotates twice as far each time."""
    figure = rigs.humanoid()
    carrier, lead = (figure.index[name] for name in ("neck", "head"))

    def clip(count: int, degrees: float) -> Motion:
        motion = rest_motion(figure).at(np.zeros(count, np.int64))
        steps = np.arange(count) * np.radians(degrees)
        motion.rotations[:, carrier], motion.rotations[:, lead] = quat.about(np.eye(3)[0], steps), quat.about(np.eye(3)[0], 3 * steps)
        return motion

    every = Parted(frozenset(), ((9, lead, carrier, -1),)).bends([clip(4, 6.0), clip(1, 0.0), clip(3, 12.0)], [3, 1, 3])
    once = np.radians(6.0) * np.radians(12.0) / 8
    assert all(bends[9] == pytest.approx(wanted) for bends, wanted in zip(every, ([once] * 2, [], [4 * once] * 2), strict=True))
    assert [len(bends[9]) for bends in every] == [2, 0, 2]


def test_gaps_are_looked_at_in_which_it_may_be_seen_that_a_bone_bends() -> None:
    """The hips in one, the left leg with them in another; not 0.2 degrees in a third. What is keyed inside a gap may bend it, whatever its
    ends tell; at frames nothing is inside."""
    figure = SETUP.binding.source
    frames = np.arange(201.0)
    still = rest_motion(figure).at(np.zeros(201, np.int64))
    hips, leg = np.zeros(200), np.zeros(200)
    hips[[30, 150]], leg[[70, 100, 150]] = [0.04, 0.02], [0.05, np.radians(0.2), 0.04]
    bones = {figure.index["hips"]: hips, figure.index["leftUpperLeg"]: leg}
    clip, keyed = Clip(frames, frames, 0.0), np.array([30.25, 31.0, 120.25])
    bent = Bent.of(figure, bones, keyed)
    assert bent.frames(SETUP, still, clip).tolist() == [30.25, 30.5, 70.5, 120.25, 120.5, 150.5]
    other = Bent.of(figure, {figure.index["head"]: np.roll(hips, 1)})
    assert not len(other.keyed) and bent.beside(None) is bent
    assert bent.beside(other).frames(SETUP, still, clip).tolist() == [30.25, 30.5, 31.5, 70.5, 120.25, 120.5, 150.5, 151.5]


def test_where_more_may_bend_it_a_few_gaps_are_all_looked_at_and_of_many_some() -> None:
    """Constraints do, or drivers: of many gaps those in which what is known bends most, and others."""
    figure = SETUP.binding.source
    frames = np.arange(201.0)
    still = rest_motion(figure).at(np.zeros(201, np.int64))
    hips = np.zeros(200)
    hips[180] = 0.04
    known = Bent.of(figure, {figure.index["hips"]: hips}, np.array([180.25, 190.25]))
    for bent in (replace(known, is_all=False), known.beside(Bent(np.zeros(0), (), is_all=False))):
        looks = bent.frames(SETUP, still, Clip(frames, frames, 0.0))
        assert {180.25, 180.5} <= set(looks.tolist()) and 30 < len(looks) < 50
    few = np.arange(9.0)
    some = Bent(np.array([2.25, 3.0, 3.9995, 4.0005]), (), is_all=False).frames(SETUP, still.at(slice(0, 9)), Clip(few, few, 0.0))
    assert some.tolist() == [0.5, 1.5, 2.25, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5], "so few are all looked at"


def test_of_many_gaps_none_is_looked_at_where_nothing_is_known_that_could_bend() -> None:
    """Of a hand alone no limb is measured."""
    figure, frames = SETUP.binding.source, np.arange(201.0)
    alone = prepare(figure, figure, BoneMap((rigs.SAME.pairs[rigs.NAMES.index("leftHand")],)), Options())
    looks = Bent(np.zeros(0), (), is_all=False).frames(alone, rest_motion(figure).at(np.zeros(201, np.int64)), Clip(frames, frames, 0.0))
    assert looks.tolist() == []


def test_of_many_gaps_in_which_it_may_be_seen_those_are_looked_at_in_which_most_bends() -> None:
    """In each gap the hips bend, half a degree; in one ever more the arm, and in one the leg more than ever else."""
    figure = SETUP.binding.source
    frames = np.arange(201.0)
    still = rest_motion(figure).at(np.zeros(201, np.int64))
    leg, arm = np.zeros(200), np.zeros(200)
    leg[3], arm[100:] = 0.01, np.linspace(0, 0.1, 100)
    bones = {figure.index["hips"]: np.full(200, 0.0087), figure.index["leftUpperLeg"]: leg, figure.index["leftUpperArm"]: arm}
    looks = Bent.of(figure, bones).frames(SETUP, still, Clip(frames, frames, 0.0))
    assert looks.tolist() == [0.5, 3.5, *(np.arange(168, 200) + 0.5).tolist()], "the first of gaps that are alike"


@pytest.mark.parametrize(("degrees", "hands", "sides"), [(0.0, True, ()), (5.0, False, ("Leg",)), (5.0, True, ("Leg", "Arm"))])
def test_limbs_bend_by_themselves_that_are_held_or_go_for_a_goal(degrees: float, hands: bool, sides: tuple[str, ...]) -> None:
    """Feet that are held change something, or nothing; a hand goes for a goal."""
    figure = SETUP.binding.target
    for goals, arms in (((), ()), ((Reach("leftHand", 0, 0.0),), ("left",))):
        report = report_of(foot_pass=degrees, holds_hands=hands, goals=goals)
        names = {figure.names[bone] for bone in bent_limbs(SETUP, report)}
        limbs = {side + part for side in ("left", "right") for part in ("UpperLeg", "UpperArm")}
        expected = {name for name in limbs if name.endswith(sides)} | {f"{side}UpperArm" for side in arms}
        assert names & limbs == expected
