"""The report of each clip of a whole retargeting, worked out beside it: from angles that are given, and from where its joints are."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget import retarget
from retro_anim.core.retarget.figures.maps.bone_map import BoneMap, PairOptions
from retro_anim.core.retarget.figures.motion import Motion, rest_motion
from retro_anim.core.retarget.options import Options
from retro_anim.core.retarget.reports import measures
from retro_anim.core.retarget.reports.clip_reports import _held_back
from retro_anim.core.retarget.reports.fields import Unmapped
from retro_anim.core.retarget.retarget import Asked, Result
from retro_anim.core.retarget.setup import prepare
from retro_anim.core.retarget.transfer.alignment.facing import Facing

from .. import rigs
from ..invariants import walk

BODY = rigs.humanoid()
AT = BODY.index
SIZE = 1.3
TARGET = rigs.reordered(rigs.humanoid(rigs.random_rotations(8), rigs.OFFSETS * SIZE))
"""Its bones are in another order."""
LEG = sum(float(np.linalg.norm(rigs.OFFSETS[AT[name]])) for name in ("leftLowerLeg", "leftFoot"))
FPS = 30.0

LIMBS = {
    "spine": "chest", "chest": "upperChest", "neck": "head",
    **{
        side + upper: side + lower
        for side in ("left", "right")
        for upper, lower in (
            ("Shoulder", "UpperArm"), ("UpperArm", "LowerArm"), ("LowerArm", "Hand"), ("UpperLeg", "LowerLeg"), ("LowerLeg", "Foot"),
            ("Foot", "Toes"),
        )
    },
}  # fmt: skip
"""The limbs that are measured, by what they end at."""


def clip(arm: list[float], finger: list[float], slide: float = 0.0, down: float = 0.0) -> Motion:
    """A body that rotates its right arm and the little finger of that hand about Y, in degrees. slide: metres a frame that all of it goes
    along X. down: metres that it sinks in the last frame."""
    count = len(arm)
    rest = rest_motion(BODY)
    positions, rotations = np.tile(BODY.heads, (count, 1, 1)), np.tile(BODY.quaternions, (count, 1, 1))
    away = quat.about(np.array([0.0, 1, 0]), np.radians(arm))
    for bone, name in enumerate(BODY.names):
        if BODY.is_below(bone, AT["rightUpperArm"]):
            positions[:, bone] = BODY.heads[AT["rightUpperArm"]] + quat.rotate(away, BODY.heads[bone] - BODY.heads[AT["rightUpperArm"]])
            rotations[:, bone] = quat.multiply(away, rotations[:, bone])
        if name == "rightLittleProximal":
            rotations[:, bone] = quat.multiply(quat.about(np.array([0.0, 1, 0]), np.radians(finger)), rotations[:, bone])
    positions[..., 0] += slide * np.arange(count)[:, None]
    positions[-1, :, 2] -= down
    return Motion(np.arange(1.0, count + 1), rotations, positions, None, rest.standing)


def still_arm(name: str = "rightUpperArm") -> BoneMap:
    """The map of a body onto itself, of which an upper arm stays as it is, and without the little finger of the right hand."""
    pairs = [
        replace(pair, options=PairOptions(weight=0.0)) if pair.source == name else pair
        for pair in rigs.SAME
        if pair.source != "rightLittleProximal"
    ]
    return BoneMap(tuple(pairs))


def results(motions: list[Motion], bone_map: BoneMap, **options: Any) -> list[Result]:
    setup = prepare(BODY, TARGET, bone_map, Options(**options))
    asked = [Asked(motion, f"clip {number}", {"leftFoot": np.ones(len(motion.frames), bool)}) for number, motion in enumerate(motions)]
    return retarget.retarget_clips(setup, asked, FPS)


ARMS = [0.0, 10, 40, 20, -5], [0.0, 15, -25]


def test_reports_of_clips_by_hand() -> None:
    """The arm's direction is off by its angle, what hangs on it by the chord; the whole slides by 0.002 m a frame, 0.06 m a second."""
    both = [clip(ARMS[0], [0.0] * 5, slide=0.002), clip(ARMS[1], [3.0, 23.0, 3.0], down=0.05)]
    first, second = (result.report for result in results(both, still_arm(), feet=False))
    assert [(each.name, each.frames, each.bones, each.joints) for each in (first, second)] == [("clip 0", 5, 25, 24), ("clip 1", 3, 25, 24)]
    assert first.factor == second.factor == pytest.approx(SIZE)
    upper = rigs.OFFSETS[AT["rightLowerArm"]]
    level = float(np.hypot(upper[0], upper[2]))
    for report, angles in zip((first, second), ARMS, strict=True):
        chords = 2 * level * np.abs(np.sin(np.radians(angles) / 2))
        off = np.degrees(2 * np.arcsin(chords / 2 / np.linalg.norm(upper)))
        assert (report.limb_worst, report.limb_shown_worst) == ("rightUpperArm", "rightUpperArm")
        assert report.limb_max == report.limb_shown == pytest.approx(off.max(), abs=1e-4)
        assert report.limb_mean == pytest.approx(off.mean() / (len(LIMBS) + 1), abs=1e-4), "the hand has one bone below it now"
        assert report.joint_error == pytest.approx(SIZE * chords.max(), abs=1e-5)
    assert [first.skate_source, first.skate_plain, first.skate] == pytest.approx([0.06 / LEG] * 3, abs=1e-5)
    assert [second.skate_source, second.skate_plain, second.skate] == pytest.approx([0] * 3, abs=1e-5)
    assert [first.penetration, second.penetration] == pytest.approx([0, 0.05 * SIZE], abs=1e-5)
    assert (first.unmapped, second.unmapped) == ((), (Unmapped("rightLittleProximal", 23.0, False, 0.0, True),))
    for report in (first, second):
        assert (report.flips, report.snap, report.snap_bone, report.snap_frame, report.goals) == (0, 0, "", 0, ())
        assert (report.foot_pass, report.unreached, report.missed, report.hips_down, report.yaw) == (0, 0, 0, 0, 0)
        assert (report.holds_feet, report.lowers_hips, report.holds_hands) == (False, True, False)
        assert report.rotation_excess == pytest.approx(0, abs=1e-4) and report.seconds > 0


def test_a_bone_rotates_beyond_its_source_where_it_follows_it_against_another_parent() -> None:
    """The source's forearm stays level while its upper arm rotates by 30 degrees at most from a frame to the next; the target's upper arm
    stays, and its forearm does, against that, what the source's does against its own. Of what is mirrored that is not known."""
    motion = clip(ARMS[0], [0.0] * 5)
    rotations = motion.rotations.copy()
    below = [bone for bone in range(len(BODY)) if BODY.is_below(bone, AT["rightLowerArm"])]
    rotations[:, below] = BODY.quaternions[below]
    pairs = [replace(pair, options=PairOptions(space="LOCAL")) if pair.source == "rightLowerArm" else pair for pair in still_arm()]
    short = replace(motion.at(slice(0, 2)), rotations=rotations[:2])
    for mirror, excess in ((False, [30, 10]), (True, [0, 0])):
        both = results([replace(motion, rotations=rotations), short], BoneMap(tuple(pairs)), feet=False, mirror=mirror)
        assert [result.report.rotation_excess for result in both] == pytest.approx(excess, abs=1e-4)


def test_feet_slide_less_where_the_same_metres_are_covered_by_longer_legs() -> None:
    (report,) = (each.report for each in results([clip(ARMS[0], [0.0] * 5, slide=0.002)], still_arm(), feet=False, keep_speed=True))
    assert [report.skate_source, report.skate_plain, report.skate] == pytest.approx([0.06 / LEG, *[0.06 / LEG / SIZE] * 2], abs=1e-5)


@pytest.mark.parametrize(("left", "right", "skate"), [(True, True, 0.06), (True, False, 0.06), (False, True, 0.0)])
@pytest.mark.parametrize("mirror", [False, True])
def test_a_foot_of_the_source_that_slides_by_itself(left: bool, right: bool, skate: float, mirror: bool) -> None:
    """The left one goes ahead by 0.002 m a frame, 0.06 m a second, with all else where it was; what is not said to stand counts nothing."""
    motion = clip([0.0] * 5, [0.0] * 5)
    slides = np.array([BODY.is_below(bone, AT["leftFoot"]) for bone in range(len(BODY))])
    away = 0.002 * np.arange(5)[:, None] * np.where(slides, -1.0, 0.0)
    positions = motion.positions.copy()
    positions[..., 1] += away
    setup = prepare(BODY, TARGET, rigs.SAME, Options(feet=False, mirror=mirror))
    stands = {"leftFoot": np.full(5, left), "rightFoot": np.full(5, right)}
    (result,) = retarget.retarget_clips(setup, [Asked(replace(motion, positions=positions), "", stands)], FPS)
    assert result.report.skate_source == pytest.approx(skate / LEG, abs=1e-5)


def test_feet_that_stand_above_the_ground() -> None:
    """All of it 0.1 m higher than at rest in the first clip; lower in the second, and in the third nothing stands."""
    setup = prepare(BODY, TARGET, rigs.SAME, Options(feet=False, floor="REST"))
    rest = clip([0.0] * 4, [0.0] * 4)
    asked = [
        Asked(
            replace(rest, positions=rest.positions + np.array([0, 0, up])),
            "",
            {f"{side}Foot": np.full(4, on) for side in ("left", "right")},
        )
        for up, on in ((0.1, True), (-0.1, True), (0.1, False))
    ]
    reports = [result.report for result in retarget.retarget_clips(setup, asked, FPS)]
    assert [report.above for report in reports] == pytest.approx([0.1 * SIZE, 0, 0], abs=1e-5)
    assert [report.penetration for report in reports] == pytest.approx([0, 0.1 * SIZE, 0], abs=1e-5)


def test_feet_out_of_reach_are_counted_by_frames() -> None:
    """A body that slides by 0.08 m a frame, on a foot that is said to stand: it is held in the middle, and missed at both ends alike, where
    the hip is further from there than a leg is long, by a hundredth of that."""
    (report,) = (each.report for each in results([clip([0.0] * 13, [0.0] * 13, slide=0.08)], rigs.SAME, hips_down=False))
    ankle, hip = TARGET.heads[TARGET.index["leftFoot"]], TARGET.heads[TARGET.index["leftUpperLeg"]]
    slides = 0.08 * SIZE * np.arange(-6, 7)[:, None] * (1.0, 0.0, 0.0)
    missed = np.linalg.norm(ankle - slides - hip, axis=1) - LEG * SIZE
    assert isinstance(report.unreached, int) and report.unreached == (missed > 0.01 * LEG * SIZE).sum() == 10 and report.hips_down == 0
    assert report.missed == pytest.approx(missed.max(), abs=0.02)


def test_where_no_limb_is_mapped_none_is_off() -> None:
    (report,) = (each.report for each in results([clip(ARMS[1], [0.0] * 3)], BoneMap((rigs.SAME.pairs[rigs.NAMES.index("leftHand")],))))
    assert (report.limb_max, report.limb_mean, report.limb_worst, report.limb_shown, report.limb_shown_worst) == (0, 0, "", 0, "")
    assert (report.off_body, report.off_body_frame, report.lies) == (0, 1, False), "nor any body"


def test_a_mirrored_clip_has_the_same_limbs_off_and_no_joints_to_compare() -> None:
    """The left arm stays as it is, which would follow the right one; feet that stand are the source's other ones."""
    motion = clip(ARMS[0], [0.0] * 5, slide=0.002)
    (report,) = (result.report for result in results([motion], still_arm("leftUpperArm"), feet=False, mirror=True))
    plain = results([motion], still_arm(), feet=False)[0].report
    assert (report.limb_worst, report.joint_error, report.joints) == ("leftUpperArm", None, 0)
    assert report.limb_max == pytest.approx(plain.limb_max, abs=1e-4)
    assert [report.skate_source, report.skate] == pytest.approx([0.06 / LEG] * 2, abs=1e-5)


def directions(positions: Floats, names: dict[str, str], limb: str) -> Floats:
    """(F, 3) of length 1."""
    offsets = positions[:, AT[names[limb]]] - positions[:, AT[limb]]
    return np.asarray(offsets / np.linalg.norm(offsets, axis=1)[:, None], np.float64)


def steps(rotations: Floats) -> Floats:
    """(F - 1,) degrees from one frame to the next."""
    return np.degrees(2 * np.arccos(np.abs(np.einsum("fi,fi->f", rotations[1:], rotations[:-1])).clip(0, 1)))


def test_reports_of_held_feet_by_where_joints_are() -> None:
    """On longer shins and shorter thighs: what held feet add is what differs from the same clips without."""
    sizes = np.ones((len(rigs.NAMES), 1))
    sizes[[AT[f"{side}LowerLeg"] for side in ("left", "right")]] = 0.7
    sizes[[AT[f"{side}Foot"] for side in ("left", "right")]] = 1.3
    source, walking = walk(40)
    target = rigs.humanoid(rigs.random_rotations(8), rigs.OFFSETS * sizes)
    clips = [Asked(walking, "long"), Asked(walking.at(slice(10, 28)), "short")]
    held, plain = (
        retarget.retarget_clips(prepare(source, target, rigs.SAME, Options(feet=feet, floor="REST")), clips, FPS) for feet in (True, False)
    )
    legs = [AT[side + part] for side in ("left", "right") for part in ("UpperLeg", "LowerLeg", "Foot")]
    for asked, own, other in zip(clips, held, plain, strict=True):
        report, final, before = own.report, own.motion, other.motion
        apart = {
            limb: np.degrees(
                np.arccos(
                    np.einsum("fi,fi->f", directions(asked.motion.positions, LIMBS, limb), directions(final.positions, LIMBS, limb)).clip(
                        -1, 1
                    )
                )
            ).max()
            for limb in LIMBS
        }
        assert report.limb_shown == pytest.approx(max(apart.values()), abs=1e-3) and report.limb_shown > 1
        assert apart[report.limb_shown_worst] == pytest.approx(report.limb_shown, abs=1e-3)
        assert report.limb_max == pytest.approx(other.report.limb_max, abs=1e-4) and report.limb_max < 0.01
        added = [
            np.degrees(2 * np.arccos(np.abs(np.einsum("fi,fi->f", final.rotations[:, bone], before.rotations[:, bone])).clip(0, 1))).max()
            for bone in legs
        ]
        assert report.foot_pass == pytest.approx(max(added), abs=1e-3) and report.foot_pass > 1
        down = (before.positions[:, AT["hips"], 2] - final.positions[:, AT["hips"], 2]).max()
        assert report.hips_down == pytest.approx(max(down, 0), abs=1e-6)
        beyond = {bone: steps(final.rotations[:, bone]) - steps(before.rotations[:, bone]) for bone in legs}
        snap = max(float(values.max()) for values in beyond.values())
        assert report.snap == pytest.approx(snap, abs=1e-3) and report.snap > 0.1
        bone = AT[report.snap_bone]
        frame = int(np.flatnonzero(asked.motion.frames == report.snap_frame)[0])
        assert beyond[bone][frame - 1] == pytest.approx(snap, abs=1e-3)
        assert (report.skate_plain, report.skate_source) == pytest.approx((other.report.skate, other.report.skate_source), abs=1e-9)
        assert report.skate < 0.005 < report.skate_plain
        assert report.rotation_excess == pytest.approx(other.report.rotation_excess, abs=1e-4)
        assert (report.joint_error, report.joints) == (pytest.approx(other.report.joint_error, abs=1e-6), other.report.joints)
        lowest = np.stack(
            [final.positions[:, bone, 2] - target.heads[bone, 2] for bone in [AT[f"{side}Foot"] for side in ("left", "right")]]
        )
        toes = np.stack([final.positions[:, bone, 2] - target.heads[bone, 2] for bone in [AT[f"{side}Toes"] for side in ("left", "right")]])
        assert report.penetration == pytest.approx(max(0.0, -lowest.min(), -toes.min()), abs=1e-6)


@pytest.mark.parametrize("free", [None, frozenset[str]()])
@pytest.mark.parametrize(("most", "rounded"), [(40.0, 40.0), (40.12343, 40.123), (40.12384, 40.124)])
def test_a_root_that_nothing_follows_is_measured_by_itself(most: float, rounded: float, free: frozenset[str] | None) -> None:
    """Hips that rotate by 30 degrees about Z, of which the rest is 10 in the first frame; no bone below rotates otherwise. They hang on
    nothing, so that whatever is free could follow them."""
    bone_map = BoneMap(tuple(pair for pair in rigs.SAME if pair.source != "hips"))
    setup = replace(prepare(BODY, BODY, bone_map, Options()), free=free)
    away = quat.about(np.array([0.0, 0, 1]), np.radians([10.0, most]))
    rest = rest_motion(BODY)
    offsets = BODY.heads - BODY.heads[0]
    positions = BODY.heads[0] + quat.rotate(away[:, None], offsets[None])
    motion = Motion(np.arange(2.0), quat.multiply(away[:, None], BODY.quaternions[None]), positions, None, rest.standing)
    ((item,),) = measures.unmapped(setup, motion)
    assert (item.bone, item.largest, item.inside, item.matched) == ("hips", rounded, True, True)
    reach = np.linalg.norm(np.concatenate([BODY.heads, BODY.tails]) - BODY.heads[0], axis=1).max()
    assert item.reach == pytest.approx(reach / LEG, abs=1e-3)


@pytest.mark.parametrize(
    ("twisted", "align", "said"),
    [
        ({}, "AUTO", ()),
        (
            {"leftLowerArm": 61.4},
            "AUTO",
            "leftLowerArm: rotated about itself by up to 61° beside where the limb bends: "
            "Alignment: By Poses takes poses in which both stand alike",
        ),
        (
            {"leftLowerArm": 40.0, "rightFoot": 70.0},
            "REST",
            "leftLowerArm, rightFoot: rotated about themselves by up to 70° beside where the limb bends: Alignment: Automatic mends that",
        ),
    ],
)
def test_limbs_that_are_rotated_beside_where_they_bend(twisted: dict[str, float], align: Any, said: str) -> None:
    """They ask for a look, in every clip."""
    setup = replace(prepare(BODY, TARGET, rigs.SAME, Options(align=align)), twisted=twisted)
    for result in retarget.retarget_clips(setup, [Asked(clip([0.0] * count, [0.0] * count)) for count in (2, 3)], FPS):
        assert result.report.notes == result.report.asking == ((said,) if said else ())


@pytest.mark.parametrize("is_doubtful", [False, True])
def test_where_a_figure_is_taken_to_look_asks_for_a_look_where_that_is_doubtful(is_doubtful: bool) -> None:
    """It is said anyway."""
    setup = prepare(BODY, TARGET, rigs.SAME, Options())
    setup = replace(setup, facing=Facing(assumed=("target",), is_doubtful=is_doubtful))
    (result,) = retarget.retarget_clips(setup, [Asked(clip([0.0] * 3, [0.0] * 3))], FPS)
    said = "it is not certain where the target faces: it is taken to look along -Y"
    assert result.report.notes == (said,) and result.report.asking == ((said,) if is_doubtful else ())
    assert result.report.faces_elsewhere == is_doubtful


@pytest.mark.parametrize(
    ("align", "stands", "said", "asked"),
    [
        ("AUTO", None, (), ("source", "target")),
        ("TPOSE", (3.96, "seated"), ("the source is seated at rest: its frame 4 serves as its reference pose",), ("target",)),
        ("REST", None, (), ()),
        ("AUTO", (3.96, "seated"), ("the source is seated at rest: its frame 4 serves as its reference pose",), ("target",)),
    ],
)
def test_figures_that_are_folded_together_at_rest(align: Any, stands: Any, said: tuple[str, ...], asked: tuple[str, ...]) -> None:
    """Legs that go up along the trunk; not of the source where one of its frames serves instead."""
    upwards = np.array(rigs.OFFSETS)
    for name in ("LowerLeg", "Foot"):
        upwards[[AT[side + name] for side in ("left", "right")], 2] *= -1
    body = rigs.humanoid(offsets=upwards)
    setup = replace(prepare(body, body, rigs.SAME, Options(align=align, feet=False)), stands=stands)
    (result,) = retarget.retarget_clips(setup, [Asked(replace(rest_motion(body).at(np.zeros(3, np.int64)), frames=np.arange(3.0)))], FPS)
    replaced = tuple(f"{line} (Alignment: By Poses takes another one)" for line in said)
    folds = tuple(
        f"the {side} is folded together at rest: bones may be twisted: Alignment: By Poses takes one in which both stand alike"
        for side in asked
    )
    of_rest = [each for each in result.report.notes if "at rest: " in each]
    assert of_rest == [*replaced, *folds] and [each for each in result.report.asking if "at rest: " in each] == [*folds]


def test_limbs_that_the_target_s_game_holds_back_are_named() -> None:
    """Those that are off by a degree or more, by the axes that are locked, with the most of them."""
    axes = np.array([[True, False, True], [True, False, True], [False, True, False], [False] * 3, [True] * 3])
    target = SimpleNamespace(names=tuple("abcde"), locked=axes)
    setup: Any = SimpleNamespace(binding=SimpleNamespace(target=target))
    off = {"a": 2.0, "b": 12.34, "c": 1.0, "e": 0.99}
    notes, is_held = _held_back(setup, off | {"d": 90.0})
    text = "{}: the game has no rotation about {} there, and they point up to {}° away from the source's"
    assert notes == (text.format("a, b", "X and Z", 12.3), text.format("c", "Y", 1)) and not is_held
    assert _held_back(setup, off | {"d": 0.99}) == (notes, True)
    assert _held_back(setup, {"d": 0.99}) == ((), False)
