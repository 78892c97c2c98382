"""Feet whose toes follow nothing, since the source has none: where the foot tips, Hold Feet keeps the toes out of the ground and level, and
the report has them where it does not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget import retarget
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.figures.maps.bone_map import BoneMap
from retro_anim.core.retarget.figures.motion import Local, Motion
from retro_anim.core.retarget.figures.walk import forward
from retro_anim.core.retarget.options import Options
from retro_anim.core.retarget.setup import prepare

from .. import rigs

WITHOUT_TOES = BoneMap(tuple(pair for pair in rigs.SAME.pairs if not pair.role.endswith("Toes")))
FRAMES, ACROSS = 90, np.array([1.0, 0.0, 0.0])
LEG = np.hypot(0.02, 0.42) + np.hypot(0.03, 0.41)
"""Metres, as the made-up humanoids have it; their toes are 0.15 before and 0.07 below the foot's joint."""


def sinking(degrees: float) -> float:
    """Metres that toes go down where a foot tips about its joint."""
    return 0.15 * float(np.sin(np.radians(degrees))) + 0.07 * float(np.cos(np.radians(degrees))) - 0.07


def toeless() -> Figure:
    figure = rigs.rolled(1)
    kept = [bone for bone, name in enumerate(figure.names) if not name.endswith("Toes")]
    parents = [kept.index(parent) if parent >= 0 else -1 for parent in figure.parents[kept].tolist()]
    names = tuple(figure.names[bone] for bone in kept)
    return Figure(names, np.array(parents, np.int32), figure.rest[kept], figure.lengths[kept])


def with_ends() -> Figure:
    """Toes that end 0.1 before their joints, as high as these."""
    figure = rigs.humanoid(rigs.random_rotations(5))
    toes = [figure.names.index(f"{side}Toes") for side in ("left", "right")]
    ends = figure.rest[toes]
    ends[:, :3, 3] += [0.0, -0.1, 0.0]
    rest = np.concatenate([figure.rest, ends])
    parents = np.concatenate([figure.parents, np.array(toes, np.int32)])
    return Figure((*figure.names, "leftToesEnd", "rightToesEnd"), parents, rest, np.full(len(rest), 0.1))


def tipping(figure: Figure, degrees: float) -> Motion:
    """One who stands and tips the left foot, toes down, for a second; its joint stays where it is."""
    local = Local(np.zeros((FRAMES, len(figure), 3)), np.broadcast_to(quat.IDENTITY, (FRAMES, len(figure), 4)).copy())
    still = forward(figure, np.arange(1, FRAMES + 1, dtype=np.float64), local)
    angles = np.radians(degrees) * np.interp(np.arange(FRAMES), [20, 30, 60, 70], [0, 1, 1, 0])
    foot = figure.names.index("leftFoot")
    rotations, positions, tipped = still.rotations.copy(), still.positions.copy(), quat.about(ACROSS, angles)
    for bone in (bone for bone in range(len(figure)) if figure.is_below(bone, foot)):
        rotations[:, bone] = quat.multiply(tipped, still.rotations[:, bone])
        positions[:, bone] = still.positions[:, foot] + quat.rotate(tipped, still.positions[:, bone] - still.positions[:, foot])
    return replace(still, rotations=rotations, positions=positions)


def run(source: Figure, motions: list[Motion], target: Figure, hold: bool) -> list[retarget.Result]:
    setup = prepare(source, target, WITHOUT_TOES, Options(feet=hold))
    return retarget.retarget_clips(setup, [retarget.Asked(motion, "clip") for motion in motions], 30.0)


def above(target: Figure, result: retarget.Result, bone: str) -> Floats:
    """(F,) metres of a joint above where it is at rest, by the keys."""
    shown = forward(target, result.motion.frames, result.local)
    number = target.names.index(bone)
    return shown.positions[:, number, 2] - target.heads[number, 2]


def keyed(result: retarget.Result) -> list[str]:
    """The bones that have keys, in their order."""
    return list(dict.fromkeys(channel.bone for block in result.keys for channel in block.channels))


@pytest.mark.parametrize("degrees", [15.0, 20.0, 40.0])
def test_held_feet_keep_toes_out_of_the_ground(degrees: float) -> None:
    """The ankle rises by what the toes would sink, and the toes bend up by as much as the foot tips down."""
    source, target = toeless(), with_ends()
    motion = tipping(source, degrees)
    result = run(source, [motion], target, True)[0]
    assert above(target, result, "leftToes").min() == pytest.approx(0, abs=1e-3)
    assert above(target, result, "leftToesEnd").min() == pytest.approx(0, abs=1e-3)
    assert above(target, result, "leftFoot")[45] == pytest.approx(sinking(degrees), abs=1e-3)
    assert above(target, result, "rightFoot") == pytest.approx(np.zeros(FRAMES), abs=1e-4)
    foot, own = target.names.index("leftFoot"), source.names.index("leftFoot")
    changes = [quat.multiply(each[45], quat.conjugate(each[0])) for each in (result.motion.rotations[:, foot], motion.rotations[:, own])]
    assert np.degrees(quat.apart(*changes)) < 1e-3
    (bends,) = result.report.reasons()
    assert bends.startswith("left knee bends "), "which is straight, and has to for the ankle to rise"


@pytest.mark.parametrize("high", [-0.97, 1.0])
def test_toes_stay_out_of_the_ground_of_a_source_that_rests_elsewhere(high: float) -> None:
    """As captures have it, with their hips at the origin at rest: they walk on the ground of the world."""
    source, target = toeless(), with_ends()
    rest = source.rest.copy()
    rest[:, 2, 3] += high
    hung = replace(source, rest=rest)
    motion = tipping(hung, 20)
    result = run(hung, [replace(motion, positions=motion.positions - [0.0, 0.0, high])], target, True)[0]
    for bone in ("leftToes", "leftToesEnd"):
        assert above(target, result, bone).min() == pytest.approx(0, abs=1e-3)


@pytest.mark.parametrize("count", [1, FRAMES - 1])
def test_toes_stay_level_where_no_foot_stands(count: int) -> None:
    """In single poses, and in clips in which a foot never is still: they bend up by as much as the foot tips, and their joints stay."""
    source, target = toeless(), with_ends()
    tipped = tipping(source, 20)
    rows, path = np.full(count, 45), np.arange(count)[:, None, None] * np.array([0.0, -0.1, 0.0])
    pose = replace(tipped, frames=tipped.frames[:count], rotations=tipped.rotations[rows], positions=tipped.positions[rows] + path)
    results = [run(source, [pose], target, hold)[0] for hold in (False, True)]
    assert not any(touching.any() for result in results for touching in result.contacts.values())
    for result in results:
        assert above(target, result, "leftToes") == pytest.approx(np.full(count, -sinking(20)), abs=1e-3)
    ends = [above(target, result, "leftToesEnd") for result in results]
    assert ends[0] == pytest.approx(np.full(count, -sinking(20) - 0.1 * np.sin(np.radians(20))), abs=1e-3)
    assert ends[1] == pytest.approx(np.full(count, -sinking(20)), abs=1e-3)
    assert above(target, results[1], "rightToesEnd") == pytest.approx(np.zeros(count), abs=1e-3)


def test_toes_are_measured_in_the_target_s_own_metres() -> None:
    """One that is a hundred times as large and far to the side, with a tongue that stands up from the toes' joint higher than they are
    long."""
    target, far = with_ends(), np.array([3000.0, 0.0, 0.0])
    rest = np.concatenate([target.rest, target.rest[-2:]])
    rest[-2:, :3, 3] += [0.0, 0.1, 0.3]
    rest[:, :3, 3] = 100 * rest[:, :3, 3] + far
    parents = np.concatenate([target.parents, target.parents[-2:]])
    large = Figure((*target.names, "leftTongue", "rightTongue"), parents, rest, np.full(len(rest), 10.0))
    source = toeless()
    result = run(source, [tipping(source, 20)], large, True)[0]
    assert above(large, result, "leftToes").min() == pytest.approx(0, abs=0.1)
    assert above(large, result, "leftToesEnd").min() == pytest.approx(0, abs=0.1)


def test_without_held_feet_limbs_are_exact_and_the_report_has_the_toes() -> None:
    source, target = toeless(), with_ends()
    result = run(source, [tipping(source, 20)], target, False)[0]
    assert above(target, result, "leftToes")[45] == pytest.approx(-sinking(20), abs=1e-3)
    assert result.report.limb_shown < 1e-3
    assert result.report.off_ground == pytest.approx(-sinking(20) / LEG, abs=1e-3)
    assert result.report.off_body == pytest.approx(-sinking(20) / LEG, abs=1e-3)
    assert not result.report.is_good
    assert any("left foot stands 0.06 leg lengths in the ground" in line for line in result.report.reasons())
    assert not any("Toes" in bone for bone in keyed(result))


def test_ends_of_toes_in_the_ground_are_told() -> None:
    """They are 0.25 before the foot's joint, further than the joints of the toes that feet are held by. A foot that is held bends them."""
    source, target = toeless(), with_ends()
    plain, held = (run(source, [tipping(source, 20)], target, hold)[0].report for hold in (False, True))
    deep = (sinking(20) + 0.1 * float(np.sin(np.radians(20)))) / LEG
    assert plain.toes_below == pytest.approx(deep, abs=1e-3)
    assert any(f"toes of the left foot end up to {deep:.2f} leg lengths in the ground" in line for line in plain.lines())
    assert held.toes_below < 0.01
    assert not any("toes of" in line for line in held.lines())


def test_toes_that_the_source_has_too_go_as_deep_as_its_own() -> None:
    """That nothing follows them is the map's doing."""
    figure = rigs.rolled(3)
    result = run(figure, [tipping(figure, 20)], figure, True)[0]
    assert above(figure, result, "leftToes")[45] == pytest.approx(-sinking(20), abs=1e-3)


@pytest.mark.parametrize(("depth", "is_good"), [(0.0, False), (2.5, True)])
def test_toes_of_one_who_is_far_below_the_ground_say_nothing(depth: float, is_good: bool) -> None:
    """As in games, where one drowns or falls: clips have heights over the origin."""
    source, target = replace(toeless(), left=np.array([1.0, 0.0, 0.0])), with_ends()
    motion = tipping(source, 20)
    deep = replace(motion, positions=motion.positions - [0.0, 0.0, depth])
    assert run(source, [deep], target, False)[0].report.is_good == is_good


def test_what_is_too_little_to_be_seen_stays() -> None:
    source, target = toeless(), with_ends()
    assert sinking(5) < 0.02 * LEG
    result = run(source, [tipping(source, 5)], target, True)[0]
    assert above(target, result, "leftFoot") == pytest.approx(np.zeros(FRAMES), abs=1e-4)
    assert result.report.is_good, result.report.reasons()


def test_toes_have_keys_in_the_clips_in_which_they_bend() -> None:
    source, target = toeless(), with_ends()
    motions = [tipping(source, 20), tipping(source, 0)]
    together = run(source, motions, target, True)
    for motion, result in zip(motions, together, strict=True):
        alone = run(source, [motion], target, True)[0]
        assert keyed(result) == keyed(alone)
        assert result.local.rotations == pytest.approx(alone.local.rotations, abs=1e-12)
        assert result.report.bones == alone.report.bones
    bent, straight = ({bone for bone in keyed(result) if "Toes" in bone} for result in together)
    assert (bent, straight) == ({"leftToes"}, set())
