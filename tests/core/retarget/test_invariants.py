"""What must hold for any retargeting (I1 to I14), each with a mutant of the code that must break it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from retro_anim.core.motion import quaternion as quat
from retro_anim.core.motion import rotation_matrix
from retro_anim.core.motion.rotation_matrix import Floats
from retro_anim.core.retarget import measures, retarget
from retro_anim.core.retarget.figures import motion as motion_module
from retro_anim.core.retarget.figures.bone_map import BoneMap, Chain, Pair, PairOptions
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.figures.motion import Links, Local, Motion, Standing, forward
from retro_anim.core.retarget.ground import feet, root
from retro_anim.core.retarget.setup import prepare
from retro_anim.core.retarget.transfer import aim, align, chains, facing, mirror, output, transfer

from . import rigs

Options = retarget.Options


def run(
    source: Figure, motion: Motion, target: Figure, bone_map: BoneMap = rigs.SAME, fps: float = 30.0, **options: Any
) -> retarget.Result:
    return retarget.retarget(prepare(source, target, bone_map, Options(**options)), motion, fps, "clip")


def apart(one: Floats, other: Floats) -> float:
    return float(np.linalg.norm(one - other, axis=-1).max())


def straightened(motion: Motion, angle: float) -> Floats:
    """Places as seen from a figure that faces `angle` away."""
    return motion.positions @ rotation_matrix.about(2, np.array(angle))


# The figures of I2 to I4: one set of joints, dressed differently.
def rolled() -> Figure:
    return rigs.rolled(3)


def other_axes() -> Figure:
    return rigs.humanoid(rigs.random_rotations(4))


def other_rest() -> Figure:
    return rigs.reposed(rigs.humanoid(rigs.random_rotations(5)), 6, np.radians(25), rigs.yawed(np.pi / 2))


def identity() -> float:
    """I1: the curves of the source."""
    figure = rigs.rolled(1)
    local, motion = rigs.dance(figure)
    result = run(figure, motion, figure)
    rotations = quat.continuous(local.rotations, positive=True)
    return max(float(np.abs(rotations - result.local.rotations).max()), float(np.abs(local.locations - result.local.locations).max()))


def same_joints(target: Callable[[], Figure], angle: float) -> float:
    """I2 to I4: the joints of the source."""
    _, motion = rigs.dance(rigs.rolled(1))
    result = run(rigs.rolled(1), motion, target())
    return apart(straightened(result.motion, angle), motion.positions)


def there_and_back() -> float:
    """I6: to other proportions and axes, and back, without held feet."""
    source = rigs.rolled(1)
    offsets = rigs.OFFSETS * np.random.default_rng(9).uniform(0.7, 1.4, (len(rigs.NAMES), 1))
    target = rigs.reposed(rigs.humanoid(rigs.random_rotations(8), offsets), 2, 0.4)
    _, motion = rigs.dance(source)
    there = run(source, motion, target, feet=False)
    back = run(target, there.motion, source, rigs.SAME.reversed(), feet=False)
    return apart(back.motion.positions, motion.positions)


def limb_directions() -> float:
    """I7, in degrees."""
    offsets = rigs.OFFSETS * np.random.default_rng(9).uniform(0.6, 1.5, (len(rigs.NAMES), 1))
    target = rigs.reposed(rigs.humanoid(rigs.random_rotations(8), offsets), 2, 0.5)
    _, motion = rigs.dance(rigs.rolled(1))
    result = run(rigs.rolled(1), motion, target)
    worst = 0.0
    for name in rigs.LIMBS:
        bone = rigs.NAMES.index(name)
        child = int(np.flatnonzero(bone == rigs.PARENTS)[0])
        lines = [moved.positions[:, child] - moved.positions[:, bone] for moved in (result.motion, motion)]
        one, other = (offset / np.linalg.norm(offset, axis=1, keepdims=True) for offset in lines)
        worst = max(worst, float(np.degrees(np.arccos((one * other).sum(axis=1).clip(-1, 1))).max()))
    return worst


def flips() -> float:
    """I9: negative dot products of neighbours. The head turns round and round."""
    figure = rigs.rolled(1)
    local, _ = rigs.dance(figure, 80)
    local.rotations[:, rigs.NAMES.index("head")] = quat.about(np.array([0.0, 1.0, 0.0]), np.linspace(0, 6 * np.pi, 80))
    motion = forward(figure, np.arange(80.0), local)
    motion = replace(
        motion, rotations=quat.of_matrix(rotation_matrix.from_quaternion(motion.rotations))
    )  # signs as they come from evaluated poses
    return float(run(figure, motion, rolled()).report.flips)


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


def reflected(motion: Motion) -> Motion:
    """A symmetric figure's motion in the mirror x = 0, by hand: the joints of the other side, reflected."""
    swap = [rigs.NAMES.index(mirror.other_side(name)) for name in rigs.NAMES]
    return replace(motion, positions=motion.positions[:, swap] * np.array([-1.0, 1, 1]))


def test_i10_mirror() -> None:
    source, target = rigs.rolled(1), other_axes()
    _, motion = rigs.dance(source)
    once = run(source, motion, target, mirror=True)
    assert apart(once.motion.positions, reflected(run(source, motion, target).motion).positions) < 1e-6
    twice = run(target, once.motion, source, rigs.SAME.reversed(), mirror=True)
    assert apart(twice.motion.positions, motion.positions) < 1e-6
    on_source = run(source, motion, source, mirror=True)
    assert apart(run(source, on_source.motion, target).motion.positions, once.motion.positions) < 1e-6


SPINE = ("spine", "chest")


def two_bone_spine() -> tuple[Figure, BoneMap]:
    """The humanoid with `chest` and `upperChest` made one."""
    keep = [bone for bone, name in enumerate(rigs.NAMES) if name != "chest"]
    parents = [int(rigs.PARENTS[bone]) for bone in keep]
    parents = [rigs.NAMES.index("spine") if parent == rigs.NAMES.index("chest") else parent for parent in parents]
    full = rigs.humanoid(rigs.random_rotations(12))
    figure = Figure(
        tuple(rigs.NAMES[bone] for bone in keep),
        np.array([keep.index(parent) if parent >= 0 else -1 for parent in parents], np.int32),
        full.rest[keep],
        full.lengths[keep],
    )
    pairs = tuple(pair for pair in rigs.SAME if pair.source not in ("spine", "chest", "upperChest"))
    return figure, BoneMap(pairs, (Chain(("spine", "chest", "upperChest"), ("spine", "upperChest"), "spine"),))


def chain_end() -> float:
    source = rigs.rolled(1)
    target, bone_map = two_bone_spine()
    _, motion = rigs.dance(source)
    there = run(source, motion, target, bone_map)
    back = run(target, there.motion, source, bone_map.reversed())
    end = rigs.NAMES.index("upperChest")
    rotations = quat.multiply(quat.conjugate(motion.rotations[:, end]), back.motion.rotations[:, end])
    return float(quat.angle(rotations).max())


def test_i14_chains_keep_the_last_bone() -> None:
    assert chain_end() < 1e-6


def test_i14_a_chain_onto_itself_is_exact() -> None:
    source = rigs.rolled(1)
    names = ("spine", "chest", "upperChest")
    pairs = tuple(pair for pair in rigs.SAME if pair.source not in names)
    _, motion = rigs.dance(source)
    result = run(source, motion, other_axes(), BoneMap(pairs, (Chain(names, names, "spine"),)))
    assert apart(result.motion.positions, motion.positions) < 2e-5


def grown() -> float:
    """I5: the joints of the source, 1.7 times as far."""
    _, motion = rigs.dance(rigs.rolled(1))
    target = rigs.humanoid(rigs.random_rotations(3), scale=1.7)
    return apart(run(rigs.rolled(1), motion, target).motion.positions, motion.positions * 1.7)


def untold() -> float:
    """I6b: how many moving bones that nothing follows the report does not name."""
    _, motion = rigs.dance(rigs.rolled(1))
    fewer = BoneMap(tuple(pair for pair in rigs.SAME if pair.source not in ("neck", "leftHand")))
    reported = {item.bone: item.largest for item in run(rigs.rolled(1), motion, other_axes(), fewer).report.unmapped}
    return float(len({"neck", "leftHand"} - {name for name, largest in reported.items() if largest > 5}))


def walk(frames: int = 90) -> tuple[Figure, Motion]:
    """Steps in place of the feet: each leg swings while the other stands, and the hips go on over the ground, so that feet stand still."""
    figure = rigs.rolled(1)
    time = np.arange(frames) / 30
    local = Local(np.zeros((frames, len(figure), 3)), np.broadcast_to(quat.IDENTITY, (frames, len(figure), 4)).copy())
    plain = forward(figure, np.arange(1, frames + 1, dtype=np.float64), local)
    positions, rotations = plain.positions.copy(), plain.rotations.copy()
    for side, phase in (("left", 0.0), ("right", 0.5)):
        step = (time + phase) % 1.0
        swing = 0.5 * np.cos(2 * np.pi * step)
        hip, knee, foot, toe = (rigs.NAMES.index(side + part) for part in ("UpperLeg", "LowerLeg", "Foot", "Toes"))
        bend = quat.about(np.array([1.0, 0.0, 0.0]), swing)
        for bone in (hip, knee, foot, toe):
            rotations[:, bone] = quat.multiply(bend, rotations[:, bone])
            positions[:, bone] = positions[:, hip] + quat.rotate(bend, positions[:, bone] - positions[:, hip])
    # The lower foot carries the body: it stays on the ground where it came down.
    toes = [rigs.NAMES.index(side + "Toes") for side in ("left", "right")]
    lower = np.array(toes)[np.argmin(positions[:, toes, 2], axis=1)]
    standing = positions[np.arange(frames), lower]
    before = positions[np.maximum(np.arange(frames) - 1, 0), lower]
    path = -np.cumsum(standing - before, axis=0)
    path[:, 2] = positions[0, toes, 2].min() - standing[:, 2]
    return figure, replace(plain, positions=positions + path[:, None], rotations=rotations)


def skating() -> float:
    """I8: leg lengths a second by which feet slide more than the source's, on longer shins and shorter thighs, with wider hips."""
    figure, motion = walk()
    sizes = np.ones((len(rigs.NAMES), 1))
    sizes[[rigs.NAMES.index(side + "LowerLeg") for side in ("left", "right")]] = 0.7
    sizes[[rigs.NAMES.index(side + "Foot") for side in ("left", "right")]] = 1.3
    target = rigs.humanoid(rigs.random_rotations(8), rigs.OFFSETS * sizes)
    report = run(figure, motion, target, feet=True).report
    return report.skate - report.skate_source


def changed_by_feet() -> set[str]:
    """The bones whose turns in the world the foot pass changes."""
    figure, motion = walk()
    target = rigs.humanoid(rigs.random_rotations(8), rigs.OFFSETS * 1.2)
    one, other = (run(figure, motion, target, feet=feet).motion for feet in (False, True))
    away = quat.angle(quat.multiply(quat.conjugate(one.rotations), other.rotations)).max(axis=0)
    return {name for name, angle in zip(rigs.NAMES, away, strict=True) if angle > 1e-6}


def test_a_game_s_heading_without_the_hips_sway_changes_nothing_that_is_seen() -> None:
    figure = rigs.rolled(1)
    _, motion = rigs.dance(figure, most=0.5)
    one, other = (run(figure, motion, figure, root_motion="OBJECT", from_first=first) for first in (False, True))
    assert one.standing is not None
    assert other.standing is not None
    before, after = root.heading(one.standing.rotations), root.heading(other.standing.rotations)
    assert np.ptp(before) > 0.1
    np.testing.assert_allclose(after, 0, atol=1e-9)
    assert one.report.sway == 0
    assert np.radians(other.report.sway) == pytest.approx(np.ptp(before) / 2)
    assert apart(one.motion.positions, other.motion.positions) < 1e-9


def test_i8_feet_that_stand_do_not_skate_more_than_the_source() -> None:
    assert skating() < 0.005


def test_i8_only_the_legs_turn() -> None:
    assert changed_by_feet() <= {side + part for side in ("left", "right") for part in ("UpperLeg", "LowerLeg")}


def faster() -> float:
    """I9: degrees by which a bone turns more from frame to frame than its source."""
    _, motion = rigs.dance(rigs.rolled(1), 200, most=2.5)
    return run(rigs.rolled(1), motion, other_rest()).report.rotation_excess


def yawed() -> float:
    """I10: what a turn of the whole scene changes."""
    source, target = rigs.rolled(1), other_axes()
    local, motion = rigs.dance(source)
    rotated = replace(source, world=rigs.yawed(0.7))
    return apart(
        run(source, motion, target).motion.positions, run(rotated, forward(rotated, motion.frames, local), target).motion.positions
    )


def one_alone() -> float:
    """I10: what the other frames change in one."""
    _, motion = rigs.dance(rigs.rolled(1))
    batch = run(rigs.rolled(1), motion, other_rest())
    return apart(run(rigs.rolled(1), motion.at(slice(17, 18)), other_rest()).motion.positions[0], batch.motion.positions[17])


def remembered() -> float:
    """I11: what a clip changes in the next one with the same preparation, and in what it was given."""
    source, target = rigs.rolled(1), other_axes()
    motions = [rigs.dance(source, seed=seed)[1] for seed in range(3)]
    setup = prepare(source, target, rigs.SAME, Options())
    together = [retarget.retarget(setup, motion, 30.0) for motion in motions]
    untouched = [rigs.dance(source, seed=seed)[1] for seed in range(3)]
    given = max(apart(one.rotations, other.rotations) for one, other in zip(motions, untouched, strict=True))
    alone = [run(source, motion, target) for motion in untouched]
    results = max(apart(one.motion.positions, other.motion.positions) for one, other in zip(together, alone, strict=True))
    return max(results, given)


def by_matrices(figure: Figure, local: Local) -> Floats:
    """(F, B, 3) heads in the world by Blender's own formula: pose = parent's pose * parent's rest^-1 * rest * basis, with 4x4 matrices."""
    basis = np.zeros((*local.rotations.shape[:2], 4, 4))
    basis[..., :3, :3], basis[..., :3, 3], basis[..., 3, 3] = rotation_matrix.from_quaternion(local.rotations), local.locations, 1
    poses: list[Floats] = []
    for bone, parent in enumerate(figure.parents.tolist()):
        rest = figure.rest[bone] @ basis[:, bone]
        poses.append(rest if parent < 0 else poses[parent] @ np.linalg.inv(figure.rest[parent]) @ rest)
    return (figure.world @ np.stack(poses, axis=1))[..., :3, 3]


def evaluated() -> float:
    """I12: how far the joints by key arrays are from those by whole matrices."""
    figure = replace(other_rest(), world=rigs.yawed(0.4, 1.3))
    local, _ = rigs.dance(figure)
    return apart(forward(figure, np.arange(40.0), local).positions, by_matrices(figure, local))


KNOWN = {
    "hips": [0.992414113, -0.0331571047, -0.00500235562, 0.118278531],
    "leftUpperArm": [0.924315305, 0.205477381, 0.309096182, 0.0887683102],
    "rightHand": [0.921843894, -0.274241524, 0.262874026, 0.0767637139],
    "leftLowerLeg": [0.944153518, 0.281217006, -0.153432741, -0.0771331577],
    "head": [0.969416873, 0.0728101455, 0.197686842, -0.125894882],
}
"""Of the keys on the last frame."""


def computed() -> float:
    """I13: how far the keys are from those that every Blender, with its own numpy, gives."""
    _, motion = rigs.dance(rigs.rolled(1))
    rotations = run(rigs.rolled(1), motion, other_rest()).local.rotations
    return max(float(np.abs(rotations[-1, rigs.NAMES.index(name)] - numbers).max()) for name, numbers in KNOWN.items())


def test_i11_clips_do_not_change_one_another() -> None:
    assert remembered() < 1e-12  # the last bit depends on where numpy finds memory


def test_i12_keys_and_matrices_say_the_same() -> None:
    assert evaluated() < 1e-6


def test_i13_the_same_keys_everywhere() -> None:
    assert computed() < 1e-6


def legs_alike(binding: Any, legs: Any = root.legs) -> root.Legs:
    return replace(legs(binding), source=1.0, target=1.0)


def smoothed(binding: Any, motion: Motion, reference: Floats, deltas: Any = transfer.source_deltas) -> Floats:
    result = np.asarray(deltas(binding, motion, reference))
    return quat.normalised(result + result.mean(axis=0, keepdims=True))


def kept(binding: Any, motion: Motion, reference: Floats, deltas: Any = transfer.source_deltas) -> Floats:
    result: Floats = np.asarray(deltas(binding, motion, reference))
    motion.rotations[0] = motion.rotations[-1]
    return result


def parentless(figure: Figure, links: Links, bone: int, *_: Floats | None) -> tuple[Floats, Floats, Floats]:
    return links.rests[bone], links.positions[bone], links.rests[bone]


def no_alignment(goals: Any, binding: Any) -> dict[int, align.Goal]:
    return {}


def swing_only(own: Floats, goal: align.Goal, above: Floats) -> Floats:
    return align.swing(own[0], goal.wanted[0])


MUTANTS: list[tuple[str, Any, str, Any, Callable[[], float], float]] = [
    ("no alignment", align, "rotation_to", lambda own, goal, above: np.eye(3), lambda: same_joints(other_rest, np.pi / 2), 1e-2),
    ("swing only", align, "rotation_to", swing_only, lambda: same_joints(other_rest, np.pi / 2), 1e-2),
    (
        "transposed fit",
        align,
        "fit",
        lambda own, wanted, fit=align.fit: fit(own, wanted).T,
        lambda: same_joints(other_rest, np.pi / 2),
        1e-2,
    ),
    (
        "transposed swing",
        align,
        "swing",
        lambda one, other, swing=align.swing: swing(other, one),
        lambda: same_joints(other_rest, np.pi / 2),
        1e-2,
    ),
    ("no common frame", transfer, "into", lambda frame, rotations: rotations, lambda: same_joints(other_rest, np.pi / 2), 1e-2),
    ("local axes", transfer, "source_deltas", None, lambda: same_joints(rolled, 0), 1e-2),
    ("a fit that is off", align, "fit", lambda own, wanted, fit=align.fit: fit(own, wanted) @ rigs.TILT, there_and_back, 1e-3),
    ("no alignment of limbs", align, "swing", lambda one, other: np.eye(3), limb_directions, 1.0),
    ("no sign fix", quat, "continuous", lambda rotations, axis=0, positive=False, starts=None: rotations, flips, 0.5),
    ("turned back", transfer, "into", lambda frame, rotations: quat.conjugate(rotations), identity, 1e-2),
    ("no pinned end", chains, "rotations", None, chain_end, 1e-2),
    ("no length of legs", root, "legs", legs_alike, grown, 1e-2),
    ("nothing reported", measures, "unmapped", lambda *given: [()], untold, 1.5),
    ("feet let go", feet, "lock", lambda *given: feet.Locked(), skating, 0.007),
    ("turned twice", transfer, "into", lambda frame, rotations: quat.multiply(rotations, rotations), faster, 0.1),
    ("no facing", facing, "facing", lambda *given: facing.Facing(), yawed, 1e-2),
    ("input kept", transfer, "source_deltas", kept, remembered, 1e-3),
    ("no parents", motion_module, "frame_of", parentless, evaluated, 1e-2),
    ("turned back everywhere", transfer, "into", lambda frame, rotations: quat.conjugate(rotations), computed, 1e-2),
    ("other frames", transfer, "source_deltas", smoothed, one_alone, 1e-3),
]


@pytest.mark.parametrize("mutant", MUTANTS, ids=[mutant[0] for mutant in MUTANTS])
def test_i10m_mutants_are_found(mutant: tuple[str, Any, str, Any, Callable[[], float], float], monkeypatch: pytest.MonkeyPatch) -> None:
    name, module, attribute, changed, measure, at_least = mutant
    if name == "local axes":
        original = transfer.source_deltas

        def changed(binding: Any, motion: Motion, reference: Floats) -> Floats:
            """Q0^-1 Q instead of Q Q0^-1."""
            rotated = np.asarray(original(binding, motion, reference))
            for row, follower in enumerate(binding.followers):
                start = reference[follower.source]
                rotated[row] = quat.multiply(quat.multiply(quat.conjugate(start), rotated[row]), start)
            return rotated

    if name == "no pinned end":
        rotations = chains.rotations
        monkeypatch.setattr(chains, "rotations", lambda plan, deltas: rotations(replace(plan, wanted=plan.wanted * 0.8), deltas))
    else:
        monkeypatch.setattr(module, attribute, changed)
    if attribute == "source_deltas":  # which what is plain does without
        monkeypatch.setattr(transfer, "at_once", lambda *given: {})
    assert measure() > at_least


def test_mutant_no_mirrored_axis(monkeypatch: pytest.MonkeyPatch) -> None:
    _, motion = rigs.dance(rigs.rolled(1))
    plain = run(rigs.rolled(1), motion, other_axes())
    monkeypatch.setattr(mirror, "reflect_rotations", lambda rotations, normal: rotations)
    once = run(rigs.rolled(1), motion, other_axes(), mirror=True)
    assert apart(once.motion.positions, reflected(plain.motion).positions) > 1e-2


def test_channels_give_the_motion() -> None:
    """Keys, read back and put through the hierarchy, are where the report says."""
    target = other_rest()
    _, motion = rigs.dance(rigs.rolled(1))
    result = run(rigs.rolled(1), motion, target)
    again = forward(target, motion.frames, result.local)
    assert apart(again.positions, result.motion.positions) < 1e-9
    assert len(result.keys) == len(rigs.NAMES) + 1


def test_a_moving_source_object_counts() -> None:
    source = rigs.rolled(1)
    local, motion = rigs.dance(source)
    count = len(motion.frames)
    path = Standing(quat.about(np.array([0.0, 0, 1]), np.linspace(0, 2, count)), np.linspace([0.0, 0, 0], [3, 1, 0], count), 1.0)
    moving = forward(source, motion.frames, local, path)
    result = run(source, moving, other_axes())
    assert apart(result.motion.positions, moving.positions) < 2e-5


def test_output_names() -> None:
    assert mirror.other_name("mixamorig:LeftArm") == "mixamorig:RightArm"
    assert mirror.other_name("Bip01 L Thigh") == "Bip01 R Thigh"
    assert mirror.other_name("thigh_l") == "thigh_r"
    assert mirror.other_name("upper_arm_fk.L") == "upper_arm_fk.R"
    assert mirror.other_name("lowerarm_r") == "lowerarm_l"
    assert mirror.other_name("clavicle") == "clavicle"


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


def test_a_bone_that_takes_no_rotation_is_not_keyed() -> None:
    _, motion = rigs.dance(rigs.rolled(1))
    pairs = tuple(replace(pair, options=PairOptions(rotation="NONE")) if pair.source == "neck" else pair for pair in rigs.SAME)
    result = run(rigs.rolled(1), motion, other_axes(), BoneMap(pairs))
    keyed = {channel.bone for block in result.keys for channel in block.channels}
    assert keyed == set(rigs.NAMES) - {"neck"}


def test_a_source_that_lies_down_is_told() -> None:
    lying = np.eye(4)
    lying[:3, :3] = rotation_matrix.about(0, np.array(np.pi / 2))
    local, standing = rigs.dance(rigs.rolled(1), most=0.3)
    on_its_back = replace(rigs.rolled(1), world=lying)
    motion = forward(on_its_back, standing.frames, local)
    assert run(rigs.rolled(1), standing, other_axes()).report.notes == ()
    (note,) = run(on_its_back, motion, other_axes()).report.notes
    assert "up axis" in note


@pytest.mark.parametrize("free", [(0,), (0, 1), ()])
def test_locked_axes_stay_still(free: tuple[int, ...]) -> None:
    locked = np.zeros((len(rigs.NAMES), 3), bool)
    knee = rigs.NAMES.index("leftLowerLeg")
    locked[knee] = [axis not in free for axis in range(3)]
    _, motion = rigs.dance(rigs.rolled(1))
    target = replace(other_axes(), locked=locked, modes=("XYZ",) * len(rigs.NAMES))
    result = run(rigs.rolled(1), motion, target)
    angles = output.rotation_values(result.local.rotations[:, knee], "XYZ")
    assert np.abs(angles[:, locked[knee]]).max() < 1e-9
    # What hangs below turns as the source does all the same.
    foot = rigs.NAMES.index("leftFoot")
    plain = run(rigs.rolled(1), motion, replace(target, locked=np.zeros_like(locked)))
    away = quat.multiply(quat.conjugate(plain.motion.rotations[:, foot]), result.motion.rotations[:, foot])
    assert quat.angle(away).max() < 1e-6
    # And the report says why the knee does not.
    (note,) = result.report.notes
    axes = " and ".join("XYZ"[axis] for axis in range(3) if axis not in free)
    assert note.startswith(f"leftLowerLeg: the game has no rotation about {axes} there, ") and f"{result.report.limb_max:.3g}°" in note
    assert plain.report.notes == ()


def test_the_document_of_a_report_keeps_its_keys() -> None:
    _, motion = rigs.dance(rigs.rolled(1))
    document = run(rigs.rolled(1), motion, other_axes()).report.document()
    motion_keys = ["name", "frames", "bones", "factor", "limb_max", "limb_mean", "limb_worst", "joint_error", "joints"]
    feet_keys = [
        "skate_source",
        "skate_plain",
        "skate",
        "penetration",
        "flips",
        "turn_excess",
        "foot_pass",
        "unreached",
        "missed",
        "hips_down",
    ]
    shown = ["limb_shown", "limb_shown_worst"]
    assert list(document) == [
        *motion_keys,
        *feet_keys,
        "unmapped",
        "seconds",
        "quantisation",
        "quantisation_way",
        "notes",
        "yaw",
        "above",
        "goals",
        *shown,
        "sway",
        "off_ground",
        "off_ground_leg",
        "faces_elsewhere",
        "ground_elsewhere",
        "off_body",
        "off_body_frame",
        "lies",
        "asking",
    ]
