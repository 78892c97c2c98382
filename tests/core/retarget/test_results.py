"""What a retargeting gives: keys, names of the other side, locked axes, and the report."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import pytest
from retro_anim.core.motion.curves import Channel
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations import rotation_matrix
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.figures.maps.bone_map import BoneMap, Pair, PairOptions
from retro_anim.core.retarget.figures.motion import Local, Standing
from retro_anim.core.retarget.figures.walk import forward
from retro_anim.core.retarget.ground import root
from retro_anim.core.retarget.options import Options
from retro_anim.core.retarget.retarget import Asked, retarget_clips
from retro_anim.core.retarget.setup import prepare
from retro_anim.core.retarget.transfer import mirror, output

from . import rigs
from .invariants import apart, other_axes, other_rest, run


def test_a_game_s_heading_without_the_hips_sway_changes_nothing_that_is_seen() -> None:
    figure = rigs.rolled(1)
    _, motion = rigs.dance(figure, most=0.5)
    one, other = (run(figure, motion, figure, root_motion="OBJECT", from_first=first) for first in (False, True))
    assert one.standing is not None
    assert other.standing is not None
    before, after = root.heading(one.standing.rotations), root.heading(other.standing.rotations)
    assert np.ptp(before) > 0.1
    np.testing.assert_allclose(after, 0, atol=1e-9)
    assert one.report.sway == one.report.heading == 0
    assert np.radians(other.report.sway) == pytest.approx(np.ptp(before) / 2)
    assert apart(one.motion.positions, other.motion.positions) < 1e-9


def test_channels_give_the_motion() -> None:
    """Keys, read back and put through the hierarchy, are where the report says."""
    target = other_rest()
    _, motion = rigs.dance(rigs.rolled(1))
    result = run(rigs.rolled(1), motion, target)
    again = forward(target, motion.frames, result.local)
    assert apart(again.positions, result.motion.positions) < 1e-9
    assert len(result.keys) == len(rigs.NAMES) + 1


def test_the_time_that_clips_took_is_shared_by_their_frames() -> None:
    figure = rigs.rolled(1)
    _, motion = rigs.dance(figure)
    began = time.perf_counter()
    setup = prepare(figure, figure, rigs.SAME, Options(feet=False))
    results = retarget_clips(setup, [Asked(motion, "all"), Asked(motion.at(slice(0, 3)), "three")], 30.0)
    long, short = (result.report.seconds for result in results)
    assert 0 < long + short <= time.perf_counter() - began and long == pytest.approx(short * len(motion.frames) / 3)


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


def test_a_bone_that_takes_no_rotation_is_not_keyed() -> None:
    _, motion = rigs.dance(rigs.rolled(1))
    pairs = tuple(replace(pair, options=PairOptions(rotation="NONE")) if pair.source == "neck" else pair for pair in rigs.SAME)
    result = run(rigs.rolled(1), motion, other_axes(), BoneMap(pairs))
    keyed = {channel.bone for block in result.keys for channel in block.channels}
    assert keyed == set(rigs.NAMES) - {"neck"} == {rigs.NAMES[bone] for bone in result.sample.rotated}


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
    # Which is no fault of the bone map.
    assert result.report.limb_held and not plain.report.limb_held
    assert result.report.reasons() == [note]


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
        "holds_feet",
        "lowers_hips",
        "holds_hands",
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
        "carried",
        "carried_frame",
        "unlike",
        "asking",
        "amiss",
        "hand_above",
        "hand_above_which",
        "toes_below",
        "toes_below_which",
        "foot_below",
        "foot_below_which",
        "foot_below_frame",
        "part_below",
        "part_below_which",
        "part_below_frame",
        "snap",
        "snap_bone",
        "snap_frame",
        "foot_above",
        "foot_above_which",
        "between",
        "between_path",
        "bend",
        "bend_limb",
        "bend_frame",
        "bend_hips",
        "frames_read",
        "chain_off",
        "chain_off_which",
        "chain_off_frame",
        "heading",
        "flip_frame",
        "limb_held",
    ]


@pytest.mark.parametrize("asked", [True, False])
def test_scales_are_copied_where_they_are_asked_for(asked: bool) -> None:
    """Of the head alone, which grows to twice its height; other bones have no keys of a scale."""
    figure = rigs.rolled(1)
    _, motion = rigs.dance(figure, 12)
    sizes = np.ones((12, len(figure), 3))
    sizes[:, figure.index["head"], 1] = np.linspace(1, 2, 12)
    sizes[:, figure.index["neck"]] = 3
    options = PairOptions(scale=asked)
    bone_map = BoneMap(tuple(replace(pair, options=options) if pair.role == "head" else pair for pair in rigs.SAME.pairs))
    result = run(figure, replace(motion, sizes=sizes), other_axes(), bone_map=bone_map)
    scaled = [block for block in result.keys if block.channels[0].property == "scale"]
    assert [block.channels[0].bone for block in scaled] == (["head"] if asked else [])
    if asked:
        values = scaled[0].values.T
        assert values == pytest.approx(sizes[:, figure.index["head"]], abs=1e-6)
        assert result.local.sizes is not None
        assert result.local.sizes[:, figure.index["neck"]] == pytest.approx(np.ones((12, 3)))


@pytest.mark.parametrize("parent", [-1, 0])
def test_what_hangs_on_nothing_moves_as_far_as_the_source_s(parent: int) -> None:
    """A prop beside the figure, whose location is followed: from where it rests, twice as far for a figure of twice the size. So it does
    where the target's hangs on hips, which stay."""

    def with_prop(scale: float, parent: int = -1) -> Figure:
        figure, rest = rigs.humanoid(scale=scale), np.eye(4)
        rest[:3, 3] = (0.5, 0.2, 0.3)
        return Figure(
            (*figure.names, "prop"),
            np.append(figure.parents, np.int32(parent)),
            np.concatenate([figure.rest, rest[None]]),
            np.append(figure.lengths, 0.1),
        )

    source, target = with_prop(1), with_prop(2, parent)
    locations = np.zeros((5, len(source), 3))
    locations[:, -1] = np.random.default_rng(1).normal(size=(5, 3))
    motion = forward(source, np.arange(5.0), Local(locations, np.tile(quat.IDENTITY, (5, len(source), 1))))
    bone_map = BoneMap((*rigs.SAME.pairs, Pair("prop", "prop", options=PairOptions(location=True))))
    result = run(source, motion, target, bone_map=bone_map)
    assert result.motion.positions[:, -1] == pytest.approx(target.heads[-1] + 2 * locations[:, -1], abs=1e-5)
    (block,) = [block for block in result.keys if block.channels[0] == Channel("prop", "location", 0)]
    assert block.channels == [Channel("prop", "location", axis) for axis in range(3)]
    values = block.values.T
    assert values == pytest.approx(2 * locations[:, -1], abs=1e-5)


def test_parts_of_the_body_without_a_parent_are_told() -> None:
    """Nothing keeps a limb at the body that hangs on nothing; bones that are no part of a body, and hips, may do so."""
    figure = rigs.rolled(1)
    _, motion = rigs.dance(figure)
    parents = figure.parents.copy()
    parents[[rigs.NAMES.index(name) for name in ("leftUpperLeg", "rightUpperLeg", "rightIndexProximal")]] = -1
    said = [line for line in run(figure, motion, replace(figure, parents=parents)).report.reasons() if "no parent" in line]
    assert len(said) == 1 and "leftUpperLeg, rightUpperLeg." in said[0]
    assert not [line for line in run(figure, motion, figure).report.lines() if "no parent" in line]


def test_a_body_that_begins_at_its_chest_hangs_together() -> None:
    """Its hips hang on that, so that nothing goes a way of its own."""
    figure = rigs.rolled(1)
    _, motion = rigs.dance(figure)
    parents, (hips, spine, chest) = figure.parents.copy(), (figure.index[name] for name in ("hips", "spine", "chest"))
    parents[[chest, spine, hips]] = -1, chest, spine
    begun = rigs.reordered(replace(figure, parents=parents))
    assert np.count_nonzero(begun.parents < 0) == 1
    assert not [line for line in run(figure, motion, begun).report.lines() if "no parent" in line]
