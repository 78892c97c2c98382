"""No capture floats or sinks, whatever its rest pose: measured on standing feet, against where they stand at rest."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget import retarget
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.figures.motion import Local, Motion
from retro_anim.core.retarget.figures.walk import forward
from retro_anim.core.retarget.ground import feet, root
from retro_anim.core.retarget.options import Options
from retro_anim.core.retarget.setup import prepare
from retro_anim.core.retarget.transfer.binding import bind

from .. import invariants, rigs
from . import stances

TOES = [rigs.NAMES.index(side + "Toes") for side in ("left", "right")]
LEG = 0.83

CROUCH: stances.Rotations = {
    "leftUpperLeg": (0, -40),
    "leftLowerLeg": (0, 75),
    "leftFoot": (0, -35),
    "rightUpperLeg": (0, -40),
    "rightLowerLeg": (0, 75),
    "rightFoot": (0, -35),
}


def walk() -> tuple[Figure, Motion]:
    """A walk with the lower toes where they are at rest all the time."""
    figure, motion = invariants.walk()
    sunk = motion.positions[0, TOES, 2].min() - figure.heads[TOES, 2].min()
    return figure, replace(motion, positions=motion.positions - np.array([0.0, 0.0, sunk]))


def run(source: Figure, motion: Motion, target: Figure, **options: Any) -> retarget.Result:
    return retarget.retarget(prepare(source, target, rigs.SAME, Options(**options), motion=motion), motion, 30.0, "clip")


def lowest(target: Figure, result: retarget.Result) -> Floats:
    """(F,) metres of the lower toes above where the lower ones are at rest, by the keys that are written."""
    shown = forward(target, result.motion.frames, result.local)
    return shown.positions[:, TOES, 2].min(axis=1) - target.heads[TOES, 2].min()


def raised(figure: Figure, metres: float) -> Figure:
    """Another height of the whole rest pose."""
    rest = np.array(figure.rest)
    rest[:, 2, 3] += metres
    return replace(figure, rest=rest)


@pytest.mark.parametrize("feet", [False, True])
@pytest.mark.parametrize("stance", [*stances.STANCES, "crouching"])
@pytest.mark.parametrize("rest_height", [0.0, 0.1, 0.9, -0.97])
def test_a_walk_stays_on_the_ground_whatever_the_source_s_rest_pose(stance: str, rest_height: float, feet: bool) -> None:
    """A walk by a figure with its feet on the ground all the time. At rest it lies at some height, is in the air, or has its hips at
    the origin."""
    figure, motion = walk()
    posed = raised(stances.standing_as(figure, stances.STANCES.get(stance, CROUCH)), rest_height)
    target = rigs.humanoid(rigs.random_rotations(8), scale=1.2)
    result = run(posed, motion, target, feet=feet)
    assert abs(float(np.median(lowest(target, result)))) < 0.02 * LEG * 1.2
    assert result.report.above < 0.02 * LEG * 1.2


@pytest.mark.parametrize("stance", [*list(stances.STANCES)[:3], "crouching"])
def test_a_target_that_crouches_at_rest_does_not_sink(stance: str) -> None:
    figure, motion = walk()
    target = stances.standing_as(rigs.humanoid(rigs.random_rotations(8)), stances.STANCES.get(stance, CROUCH))
    assert abs(float(np.median(lowest(target, run(figure, motion, target))))) < 0.02 * LEG


@pytest.mark.parametrize("stance", [name for name in stances.STANCES if name.startswith("lying")])
def test_a_target_that_lies_at_rest_is_not_reported_below_the_ground(stance: str) -> None:
    """Its hips stay where they are at rest: the floor is as far below them as the source's."""
    figure, motion = walk()
    target = stances.standing_as(rigs.humanoid(rigs.random_rotations(8)), stances.STANCES[stance])
    report = run(figure, motion, target, feet=False).report
    assert report.penetration < 0.02
    assert report.above < 0.02


def test_feet_above_the_ground_are_reported() -> None:
    """Heights by the rest poses alone: the capture walks 0.3 m above where its rest pose stands."""
    figure, motion = walk()
    above = replace(motion, positions=motion.positions + np.array([0.0, 0.0, 0.3]))
    report = run(figure, above, rigs.humanoid(rigs.random_rotations(8)), floor="REST").report
    assert report.above == pytest.approx(0.3, abs=0.01)
    assert "feet above the ground: 0.3" in "\n".join(report.lines())
    below = replace(motion, positions=motion.positions - np.array([0.0, 0.0, 0.3]))
    assert run(figure, below, rigs.humanoid(rigs.random_rotations(8)), floor="REST").report.penetration == pytest.approx(0.3, abs=0.01)


def test_a_clip_in_the_air_keeps_its_height() -> None:
    """Nothing stands: hips and feet wave about, well above the ground."""
    figure = rigs.rolled(1)
    _, plain = rigs.dance(figure, 60, most=1.5)
    motion = replace(plain, positions=plain.positions + np.array([0.0, 0.0, 0.2]))
    result = run(figure, motion, rigs.humanoid(rigs.random_rotations(8)))
    assert float(np.abs(result.motion.positions - motion.positions).max()) < 2e-5


def test_feet_are_held_in_clips_over_the_ground_alone() -> None:
    """One who walks keeps the feet where they stand; the same motion, swum face down, is left as it is."""
    figure, motion = walk()
    target = longer_shins()
    down = quat.about(np.array([1.0, 0.0, 0.0]), np.array(np.pi / 2))
    lying = replace(motion, rotations=quat.multiply(down, motion.rotations), positions=quat.rotate(down, motion.positions))
    for clip, held in ((motion, True), (lying, False)):
        result = retarget.retarget(prepare(figure, target, rigs.SAME, Options(), motion=clip), clip, 30.0, "clip", {})
        assert bool(result.report.foot_pass) is held
        assert (result.report.limb_shown > 0.01) is held


def longer_shins() -> Figure:
    sizes = np.ones((len(rigs.NAMES), 1))
    sizes[[rigs.NAMES.index(side + "LowerLeg") for side in ("left", "right")]] = 0.7
    sizes[[rigs.NAMES.index(side + "Foot") for side in ("left", "right")]] = 1.3
    return rigs.humanoid(rigs.random_rotations(8), rigs.OFFSETS * sizes)


def test_legs_in_proportion_of_one_whose_feet_stand_still_are_left_alone() -> None:
    """Nothing slides, so nothing is to be held, and no step is drawn to where it will stand."""
    figure, motion = walk()
    report = run(figure, motion, rigs.reposed(rigs.rolled(3), 3, 0.3), feet=True).report
    assert max(report.limb_shown, report.foot_pass, report.hips_down) < 1e-6


def test_what_holding_takes_at_a_step_s_edge_fades_beside_it() -> None:
    """Of a foot in the air it changes no more than of one that stands."""
    figure, motion = walk()
    target = longer_shins()
    plain, held = (run(figure, motion, target, feet=feet, hips_down=False) for feet in (False, True))
    toes = [target.index[side + "Toes"] for side in ("left", "right")]
    moved = np.linalg.norm((held.motion.positions - plain.motion.positions)[:, toes], axis=2)
    standing = np.stack([held.contacts[side + "Foot"] for side in ("left", "right")], axis=1)
    assert 0.001 < moved[~standing].max() <= moved[standing].max() + 1e-6


def test_feet_that_are_one_with_the_shins_leave_the_length_of_the_legs_known() -> None:
    """Legs of twice the length walk twice as far, whatever the length of the arms."""
    figure, motion = walk()
    offsets = np.array(rigs.OFFSETS)
    for name in rigs.NAMES:
        times = 2 if name.endswith(("LowerLeg", "Foot")) else 3 if name.endswith(("LowerArm", "Hand")) else 1
        offsets[rigs.NAMES.index(name)] *= times
    bone_map = replace(rigs.SAME, pairs=tuple(pair for pair in rigs.SAME if not pair.role.endswith(("Foot", "Toes"))))
    setup = prepare(figure, rigs.humanoid(offsets=offsets), bone_map, Options(), motion=motion)
    result = retarget.retarget(setup, motion, 30.0, "clip")
    moves = [each.positions[-1, 0, :2] - each.positions[0, 0, :2] for each in (motion, result.motion)]
    assert np.linalg.norm(moves[0]) > 0.3
    assert moves[1] == pytest.approx(2 * moves[0], abs=1e-6)


def kick(degrees: float = 40.0) -> tuple[Figure, Motion]:
    """One who stands on the left leg all the time, and from the second second on leans the hips about it, so that the right one rises."""
    figure, frames = rigs.rolled(1), 90
    local = Local(np.zeros((frames, len(figure), 3)), np.broadcast_to(quat.IDENTITY, (frames, len(figure), 4)).copy())
    plain = forward(figure, np.arange(1, frames + 1, dtype=np.float64), local)
    lean = quat.about(np.array([0.0, 1.0, 0.0]), np.radians(degrees) * np.interp(np.arange(frames), [30, 60], [0, 1]))
    hip = plain.positions[:, [rigs.NAMES.index("leftUpperLeg")]]
    leaning = [bone for bone, name in enumerate(rigs.NAMES) if name not in [f"left{part}" for part in ("LowerLeg", "Foot", "Toes")]]
    rotations, positions = plain.rotations.copy(), plain.positions.copy()
    positions[:, leaning] = (hip + quat.rotate(lean[:, None], plain.positions - hip))[:, leaning]
    leaning.remove(rigs.NAMES.index("leftUpperLeg"))
    rotations[:, leaning] = quat.multiply(lean[:, None], plain.rotations)[:, leaning]
    return figure, replace(plain, rotations=rotations, positions=positions)


def wide_hips() -> Figure:
    offsets = rigs.OFFSETS.copy()
    offsets[[rigs.NAMES.index(side + "UpperLeg") for side in ("left", "right")], 0] *= 3.5
    return rigs.humanoid(rigs.random_rotations(8), offsets)


def left_toes(target: Figure, result: retarget.Result) -> Floats:
    """(F,) metres above where they are at rest, by the keys that are written."""
    return forward(target, result.motion.frames, result.local).positions[:, TOES[0], 2] - float(target.heads[TOES[0], 2])


def test_one_who_stands_in_the_ground_is_no_good_result() -> None:
    """Wide hips that lean bring the leg they stand on as much lower as they are wider than the source's."""
    figure, motion = kick()
    target = wide_hips()
    result = run(figure, motion, target, feet=False, floor="REST")
    sunk = 0.25 * float(np.sin(np.radians(40)))
    assert left_toes(target, result)[[0, -1]] == pytest.approx([0.0, -sunk], abs=1e-4)
    assert result.report.off_ground * LEG == pytest.approx(-sunk, rel=0.02)
    assert not result.report.is_good
    assert (
        f"left foot stands {sunk / LEG:.2f} leg lengths in the ground, where the source's stands on it: Hold Feet puts it there"
        in result.report.lines()
    )


def test_one_who_stands_is_held_on_the_ground() -> None:
    figure, motion = kick()
    target = wide_hips()
    result = run(figure, motion, target)
    assert np.abs(left_toes(target, result)).max() < 1e-4
    (bends,) = result.report.reasons()
    assert bends.startswith("right knee bends "), "as the hips come down for the other leg"
    assert result.report.off_ground == pytest.approx(0, abs=1e-4)


@pytest.mark.parametrize("lean", [0.0, 40.0])
def test_a_source_that_stands_in_the_ground_itself_stays_so(lean: float) -> None:
    """A tenth of a metre lower than its rest pose: the same body is shown as it is, and nothing is wrong with that."""
    figure, motion = kick(lean)
    lower = replace(motion, positions=motion.positions - np.array([0.0, 0.0, 0.1]))
    report = run(figure, lower, rigs.rolled(3), feet=False, floor="REST").report
    assert report.penetration == pytest.approx(0.1, abs=1e-3)
    assert report.is_good


def on_the_spot() -> tuple[Figure, Motion]:
    """The walk without its way over the ground: feet slide back under the body, so that none of them stands."""
    figure, motion = walk()
    hips = motion.positions[:, :1] * np.array([1.0, 1.0, 0.0])
    return figure, replace(motion, positions=motion.positions - hips)


def low_ankles() -> Figure:
    """Ankles half as high above the soles, on legs as long."""
    offsets = rigs.OFFSETS.copy()
    offsets[TOES, 2] *= 0.2
    figure = rigs.humanoid(rigs.random_rotations(8), offsets)
    return raised(figure, 0.02 - float(figure.heads[TOES, 2].min()))


@pytest.mark.parametrize("feet", [False, True])
def test_one_who_walks_on_the_spot_does_not_sink(feet: bool) -> None:
    """Feet of another shape point as the source's do, and would be in the ground."""
    figure, motion = on_the_spot()
    target = low_ankles()
    result = run(figure, motion, target, feet=feet)
    assert not any(touching.any() for touching in result.contacts.values())
    assert abs(float(np.quantile(lowest(target, result), 0.02))) < 0.02 * LEG
    assert result.report.is_good


def single_pose(sinks: bool) -> tuple[Figure, Motion, Figure]:
    """Too short for a foot to stand in it, and the other foot does not come down at all, so that nothing shows the ground; onto feet of
    another shape."""
    figures = walk()[0], low_ankles()
    source, target = figures if sinks else figures[::-1]
    posed = stances.standing_as(source, {"leftUpperLeg": (0, -60)})
    local = Local(np.zeros((1, len(rigs.NAMES), 3)), np.tile([1.0, 0.0, 0.0, 0.0], (1, len(rigs.NAMES), 1)))
    return source, forward(posed, np.zeros(1), local), target


@pytest.mark.parametrize("sinks", [True, False])
def test_a_single_pose_off_the_ground_is_no_good_result(sinks: bool) -> None:
    source, pose, target = single_pose(sinks)
    result = run(source, pose, target, floor="REST")
    away = float(lowest(target, result)[0]) / LEG
    assert away < -0.03 if sinks else away > 0.03
    assert result.report.off_ground == pytest.approx(away, rel=0.05)
    assert not result.report.is_good
    assert run(source, pose, source, floor="REST").report.is_good


@pytest.mark.parametrize("sinks", [True, False])
def test_a_single_pose_stands_on_the_ground(sinks: bool) -> None:
    """By both rest poses, not by the clip: the same motion comes back as it was."""
    source, pose, target = single_pose(sinks)
    result = run(source, pose, target)
    assert abs(float(lowest(target, result)[0])) < 0.01 * LEG
    assert result.report.is_good
    setup = prepare(target, source, rigs.SAME.reversed(), Options(), motion=result.motion)
    back = retarget.retarget(setup, result.motion, 30.0, "back")
    np.testing.assert_allclose(back.motion.positions, pose.positions, rtol=0, atol=1e-5)


@pytest.mark.parametrize("feet", [False, True])
@pytest.mark.parametrize("floor", [-2.5, 1.5])
def test_who_drowns_or_stands_on_a_roof_does_so_in_the_target(floor: float, feet: bool) -> None:
    """At rest it stands at its origin; in the clip it goes from there to somewhere else and stays."""
    figure, motion = walk()
    heights = floor * np.interp(np.arange(len(motion.frames)), [30, 34], [0, 1])
    away = replace(motion, positions=motion.positions + heights[:, None, None] * np.array([0.0, 0.0, 1.0]))
    target = rigs.humanoid(rigs.random_rotations(8), scale=1.2)
    result = run(figure, away, target, feet=feet)
    off = np.abs(lowest(target, result) - 1.2 * heights)
    assert max(off[:25].max(), off[40:].max()) < 0.02
    assert result.report.is_good


STRIDE: stances.Rotations = {"leftUpperLeg": (0, 35), "rightUpperLeg": (0, -20), "rightLowerLeg": (0, 50)}


@pytest.mark.parametrize("metres", [-0.5, 0.02, 0.9])
@pytest.mark.parametrize("declared", [False, True])
def test_a_capture_all_above_or_below_its_own_ground_is_told(metres: float, declared: bool) -> None:
    """Its heights are kept, since it may walk on a platform; whoever knows it does not takes the lowest contact. A game's character has
    the heights of its game."""
    figure, motion = walk()
    figure = replace(figure, left=np.array([1.0, 0.0, 0.0])) if declared else figure
    higher = replace(motion, positions=motion.positions + np.array([0.0, 0.0, metres]))
    target = rigs.humanoid(rigs.random_rotations(8), scale=1.2)
    kept, put = (run(figure, higher, target, floor=floor) for floor in ("AUTO", "CONTACT"))
    lines = [line for line in kept.report.reasons() if f"{abs(metres) / LEG:.2f} leg lengths" in line and "Lowest Contact" in line]
    asks = not declared and abs(metres) > 0.1
    assert len(lines) == asks
    assert kept.report.is_good == (not asks)
    assert abs(float(np.median(lowest(target, put)))) < 0.03
    assert put.report.is_good


def test_a_source_whose_ground_is_not_certain_is_no_good_result() -> None:
    """Its rest pose is one in the middle of a run, and in the clip no foot stands."""
    figure, motion = on_the_spot()
    running = raised(stances.standing_as(figure, STRIDE), 0.12)
    target = rigs.humanoid(rigs.random_rotations(8))
    report = run(running, motion, target).report
    assert "it is not certain where the source's ground is" in report.notes[-1]
    assert not report.is_good
    chosen = run(running, motion, target, floor="CONTACT")
    assert abs(float(np.quantile(lowest(target, chosen), 0.02))) < 0.01 * LEG
    assert chosen.report.is_good


def test_steps_show_the_ground_whatever_the_source_s_rest_pose() -> None:
    figure, motion = walk()
    running = raised(stances.standing_as(figure, STRIDE), 0.12)
    assert run(running, motion, rigs.humanoid(rigs.random_rotations(8))).report.is_good


@pytest.mark.parametrize(("stance", "height", "certain"), [("", 0.0, True), ("", 0.2, True), ("", -0.97, True), ("stride", 0.0, False)])
def test_a_target_whose_ground_is_not_certain_is_no_good_result(stance: str, height: float, certain: bool) -> None:
    """It stands on one leg. Where its origin is says nothing: whoever stands on both feet at rest has the ground below them."""
    figure, motion = walk()
    target = rigs.humanoid(rigs.random_rotations(8))
    report = run(figure, motion, raised(stances.standing_as(target, STRIDE) if stance else target, height)).report
    assert any("where the target's ground is" in note for note in report.notes) is not certain
    assert report.is_good is certain


@pytest.mark.parametrize(("frames", "known"), [(0, False), (5, False), (10, True)])
def test_who_stands_for_a_fifth_of_a_clip_shows_where_the_ground_is(frames: int, known: bool) -> None:
    """Of 40 frames some in which it stands; then it is carried off at 3 metres a second."""
    figure, count = rigs.humanoid(), 40
    local = Local(np.zeros((count, len(figure), 3)), np.tile(quat.IDENTITY, (count, len(figure), 1)))
    local.locations[:, 0, 1] = -0.1 * np.maximum(np.arange(count) - frames, 0)
    binding = bind(rigs.SAME, figure, figure, figure.heads)
    footing = feet.footing(binding, forward(figure, np.arange(1.0, count + 1), local), 30.0, root.legs(binding), False)
    assert footing.above == [pytest.approx(0) if known else None]
