"""Steps of retargeting on joints whose numbers are worked out by hand: heights of feet, headings, bent legs, rotations."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.reporting.errors import RetroAnimError
from retro_anim.core.retarget import retarget
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.figures.maps.bone_map import BoneMap, Chain, Limb, Pair, PairOptions, Space
from retro_anim.core.retarget.figures.motion import Local, Motion, rest_motion
from retro_anim.core.retarget.figures.spans import Spans
from retro_anim.core.retarget.figures.walk import forward
from retro_anim.core.retarget.ground import contacts, feet, held, root, start
from retro_anim.core.retarget.ground.pace import Pace
from retro_anim.core.retarget.options import Options
from retro_anim.core.retarget.reports import measures
from retro_anim.core.retarget.setup import prepare
from retro_anim.core.retarget.transfer import chains, mirror, transfer, twist
from retro_anim.core.retarget.transfer.alignment.align import swing
from retro_anim.core.retarget.transfer.alignment.facing import Facing
from retro_anim.core.retarget.transfer.binding import Binding, bind
from retro_anim.core.retarget.transfer.limbs import aim

from .. import rigs
from ..mapping.given import figure_of

UP, LEFT = np.array([0.0, 0, 1]), np.array([1.0, 0, 0])
LEGS = root.Legs(2.0, 2.0, 0.0, True)


def bound(source: Figure, target: Figure, bone_map: BoneMap = rigs.SAME) -> Binding:
    return bind(bone_map, source, target, source.heads)


def posed(figure: Figure, frames: int = 10, positions: Floats | None = None) -> Motion:
    """At rest, or with its joints elsewhere."""
    rest = rest_motion(figure)
    several = (
        np.tile(figure.heads if positions is None else positions, (frames, 1, 1)) if positions is None or positions.ndim == 2 else positions
    )
    rotations = np.tile(figure.quaternions, (len(several), 1, 1))
    return Motion(np.arange(len(several), dtype=float), rotations, several, None, rest.standing)


STANDS = rigs.humanoid()
HERE = bound(STANDS, STANDS)


def leg(side: str, touching: list[bool]) -> feet.Limb:
    first, second, end, toe = (HERE.roles[side + part] for part in ("UpperLeg", "LowerLeg", "Foot", "Toes"))
    return feet.Limb(side + "Foot", (first, second, end, toe), np.array(touching))


@pytest.mark.parametrize(("below", "lies"), [(0.5, True), (0.9, False)])
def test_who_lies_has_the_feet_less_than_two_fifths_of_a_leg_below_the_hips(below: float, lies: bool) -> None:
    """Of legs of 2 metres, with a level trunk, and feet that stand in one frame of ten."""
    positions = np.array(STANDS.heads)
    positions[:] = (0, 0, 1)
    positions[STANDS.index["head"]] = (0, 0.6, 1)
    for side in ("left", "right"):
        positions[STANDS.index[side + "Toes"]] = (0, 0, 1 - below)
    limbs = [leg(side, [True, *[False] * 9]) for side in ("left", "right")]
    assert feet.keeps_ground(limbs, posed(STANDS, 10, positions), HERE, 2.0).tolist() == [not lies]


@pytest.mark.parametrize("share", [0.02, 0.5, 1.0])
def test_a_level_is_the_quantile_that_numpy_has(share: float) -> None:
    random = np.random.default_rng(3)
    for count in (1, 2, 3, 51, 200):
        values = random.normal(size=count)
        assert contacts.quantile(values, share) == pytest.approx(float(np.quantile(values, share)), abs=1e-15)


def test_feet_of_a_target_that_lies_at_rest_are_measured_from_its_floor() -> None:
    limbs = [leg("left", [True] * 4)]
    motion = posed(STANDS, 4)
    toes = float(STANDS.heads[STANDS.index["leftToes"], 2])
    lying = replace(LEGS, stands=(True, False), target_floor=-0.7)
    assert feet.heights(limbs, HERE, motion, lying, in_source=False) == [pytest.approx(toes + 0.7)]
    assert (
        feet.heights(limbs, HERE, motion, lying, in_source=True)
        == feet.heights(limbs, HERE, motion, LEGS, in_source=False)
        == [pytest.approx(0.0)]
    )


def test_a_motion_is_above_its_rest_pose_by_its_lowest_foot() -> None:
    """The toes are at 0 in the motion, and were 0.3 above 0 at rest: it stands 0.3 metres lower."""
    toes = float(STANDS.heads[STANDS.index["leftToes"], 2])
    motion = posed(STANDS, 4, STANDS.heads - toes * UP)
    assert root.lift_of(HERE, motion, replace(LEGS, source_floor=0.3), "CONTACT") == pytest.approx(-0.3)


def test_feet_are_raised_against_the_hips() -> None:
    """A bone above the hips that carries the whole figure down raises no foot; both feet drawn up by 0.1 are raised by that."""
    down = STANDS.heads - 0.8 * UP
    assert root.raised(HERE, down) == pytest.approx(0.0, abs=1e-12)
    down[[STANDS.index[side + part] for side in ("left", "right") for part in ("Foot", "Toes")]] += 0.1 * UP
    assert root.raised(HERE, down) == pytest.approx(0.1)


def test_who_hangs_head_down_at_rest_does_not_stand() -> None:
    """Of source and target each for itself."""
    rest = np.array(STANDS.rest)
    rest[STANDS.index["head"], 2, 3] = 0.2
    bowed = replace(STANDS, rest=rest)
    assert root.legs(bound(bowed, STANDS)).stands == (False, True)
    assert root.legs(bound(STANDS, bowed)).stands == (True, False)


def test_who_goes_straight_on_looks_along_the_way() -> None:
    """Two metres along +X, which is a quarter from -Y, while the hips look there."""
    hips = HERE.followers[HERE.roles["hips"]].target
    path = np.stack([np.linspace(0, 2, 31), np.zeros(31), np.ones(31)], axis=1)
    begun = start.start_heading(HERE, {hips: path}, np.full(31, np.pi / 2), Facing(), 0.8, 30.0)
    assert (begun.heading, begun.straight) == (pytest.approx(np.pi / 2), True)


def test_where_the_object_stands_as_a_clip_begins() -> None:
    """The hips begin 3 to the side and 4 behind: so does the object, at its own height."""
    hips = HERE.followers[HERE.roles["hips"]].target
    standing = start.standing_at_start(HERE, {hips: STANDS.heads[hips] + np.array([[3.0, 4, 0.1]])}, 0.0, 0.8)
    assert standing is not None
    assert standing.positions == pytest.approx(np.array([[3.0, 4, 0]])) and standing.rotations == pytest.approx(np.array([[1.0, 0, 0, 0]]))


def straight() -> Figure:
    """Legs of two straight bones of 0.4."""
    offsets = np.array(rigs.OFFSETS)
    for side in ("left", "right"):
        offsets[rigs.NAMES.index(side + "LowerLeg")] = offsets[rigs.NAMES.index(side + "Foot")] = (0, 0, -0.4)
    return rigs.humanoid(None, offsets)


@pytest.mark.parametrize("deep", [0.0, 0.1])
def test_a_straight_leg_bends_at_the_knee_and_to_the_front(deep: float) -> None:
    """The body bobs by 0.1 above a foot that stands: the knee goes to -Y. Where the foot stays too far below, the hips come down for it."""
    figure = straight()
    binding = bound(figure, figure)
    heads, frames = np.array(figure.heads), 21
    up = 0.05 * np.cos(np.linspace(0, 2 * np.pi, frames)) - 0.05
    motion = posed(figure, frames, heads + up[:, None, None] * UP)
    rows = [binding.roles["left" + part] for part in ("UpperLeg", "LowerLeg", "Foot", "Toes")]
    limb = feet.Limb("leftFoot", (rows[0], rows[1], rows[2], rows[3]), np.ones(frames, bool))
    legs = replace(LEGS, source=0.8, target=0.8)
    footholds = held.Footholds(np.full(1, 0.016), hips_down=deep > 0)
    locked = held.Lock(
        binding, motion, Pace(motion.spans, motion.frames / 30, (None,)), held.AtRest(figure.quaternions, LEFT, legs), footholds
    ).locked([limb])
    hip, knee, ankle = (figure.index["left" + part] for part in ("UpperLeg", "LowerLeg", "Foot"))
    lowered = np.zeros(frames) if deep == 0 else locked.hips
    start_ = motion.positions[:, hip] - lowered[:, None] * UP
    middle = start_ + quat.rotate(locked.rotations[hip], np.array([0, 0, -0.4]))
    end = middle + quat.rotate(locked.rotations[knee], np.array([0, 0, -0.4]))
    assert middle[frames // 2, 1] < heads[knee, 1] - 0.05
    goal = motion.positions[:, ankle].mean(axis=0)
    off = np.linalg.norm(end - goal, axis=1)
    assert locked.missed["leftFoot"] == pytest.approx(off, abs=1e-9)
    assert off[frames // 2] < 1e-9 and (off.max() > 0.04 if deep == 0 else off.max() < 0.01)


def test_a_mirrored_limb_points_as_the_other_side_s() -> None:
    """Only the left arm of the source moves: mirrored, only the right one does, and nothing is off."""
    local, _ = rigs.dance(STANDS)
    rotations = np.tile([1.0, 0, 0, 0], (40, len(STANDS), 1))
    arm = STANDS.index["leftUpperArm"]
    rotations[:, arm] = local.rotations[:, arm]
    motion = forward(STANDS, np.arange(40.0), Local(np.zeros((40, len(STANDS), 3)), rotations))
    result = retarget.retarget(prepare(STANDS, STANDS, rigs.SAME, Options(feet=False, mirror=True)), motion, 30.0, "clip")
    reflection = measures.Reflection(mirror.partners(HERE), LEFT)
    rows = [HERE.roles[side + "UpperArm"] for side in ("left", "right")]
    errors = measures.limb_errors(HERE, motion, result.motion, np.eye(3), reflection, rows)
    assert max(float(values.max()) for values in errors.values()) < 1e-3
    plain = measures.limb_errors(HERE, motion, result.motion, np.eye(3), None, rows)
    assert min(float(values.max()) for values in plain.values()) > 5


def test_a_limb_that_folds_up_is_followed_by_half_at_a_fifth_of_its_length() -> None:
    """A joint that is a fifth as far away as at rest, and in another direction, a quarter of a rotation from there."""
    figure = figure_of(["leftUpperArm", "leftLowerArm"], [-1, 0], np.array([[0.0, 0, 0], [1, 0, 0]]))
    binding = bound(figure, figure, BoneMap(tuple(Pair(name, name, name) for name in figure.names)))
    for far, angle in ((0.1, 0.0), (0.2, 45.0), (0.3, 90.0)):
        motion = posed(figure, 3, np.array([[0.0, 0, 0], [0, far, 0]]))
        bent = aim.bends(binding, motion, np.eye(3), np.tile([1.0, 0, 0, 0], (3, 2, 1)))(0)
        assert bent is not None
        assert np.degrees(quat.angle(bent.rotations)) == pytest.approx(np.full(3, angle), abs=1e-6)


def test_a_twist_bone_in_the_middle_takes_half() -> None:
    """Of a hand that rotates a quarter about its forearm, which is far from the origin."""
    heads = np.array([[2.0, 3, 1], [3, 3, 1], [2.5, 3, 1], [2.25, 3, 1]])
    figure = figure_of(["leftLowerArm", "leftHand", "twist", "twist_2"], [-1, 0, 0, 0], heads)
    binding = bound(figure, figure, BoneMap(tuple(Pair(name, name, name) for name in figure.names[:2])))
    quarter = quat.about(LEFT, np.array(np.pi / 2))
    deltas = np.stack([np.array([[1.0, 0, 0, 0]]), quarter[None]], axis=1)
    own = {0: figure.quaternions[:1], 1: quat.multiply(quarter[None], figure.quaternions[1:2])}
    result = twist.twist_rotations(binding, deltas, own, figure.quaternions, Spans((1,)))
    for bone, share in ((2, 0.5), (3, 0.25)):
        wanted = quat.multiply(quat.about(LEFT, np.array(np.pi / 2 * share)), figure.quaternions[bone])
        assert quat.angle(quat.multiply(quat.conjugate(wanted), result[bone][0])) == pytest.approx(0, abs=1e-6)


def test_a_bone_between_that_inherits_is_left_to_its_parent() -> None:
    """Only one that does not is carried by the mapped bone above it."""
    bone_map = BoneMap(tuple(pair for pair in rigs.SAME if pair.source != "neck"))
    neck = STANDS.index["neck"]
    for hinged in (False, True):
        own = np.zeros(len(STANDS), bool)
        own[neck] = hinged
        figure = replace(STANDS, hinged=own)
        binding = bound(STANDS, figure, bone_map)
        deltas = np.tile([1.0, 0, 0, 0], (1, len(binding.followers), 1))
        assert (neck in transfer.world_rotations(binding, deltas, figure.quaternions)) == hinged


def test_a_rotation_is_shared_with_the_bones_between() -> None:
    """Of the head's 60 degrees upon the chest's 20 a neck that follows nothing takes half: 20 and 20."""
    options = PairOptions(distribute=True)
    pairs = (replace(pair, options=options) if pair.source == "head" else pair for pair in rigs.SAME if pair.source != "neck")
    binding = bound(STANDS, STANDS, BoneMap(tuple(pairs)))
    deltas = np.tile([1.0, 0, 0, 0], (1, len(binding.followers), 1))
    for role, degrees in (("head", 60.0), ("upperChest", 20.0)):
        deltas[:, binding.roles[role]] = quat.about(LEFT, np.radians(degrees))
    neck = STANDS.index["neck"]
    wanted = quat.multiply(quat.about(LEFT, np.radians(40.0)), STANDS.quaternions[neck])
    np.testing.assert_allclose(transfer.world_rotations(binding, deltas, STANDS.quaternions)[neck][0], wanted, atol=1e-9)


@pytest.mark.parametrize(("head", "chest", "neck"), [(0.5, 1.0, 25.0), (1.0, 0.5, 35.0)])
def test_what_is_shared_is_as_much_as_the_lines_let_through(head: float, chest: float, neck: float) -> None:
    """By Influence a head's 60 degrees are 30, a chest's 20 are 10; the neck is half way between both."""
    weights = {"head": head, "upperChest": chest}
    pairs = (
        replace(pair, options=PairOptions(distribute=pair.source == "head", weight=weights.get(pair.source, 1.0)))
        for pair in rigs.SAME
        if pair.source != "neck"
    )
    binding = bound(STANDS, STANDS, BoneMap(tuple(pairs)))
    deltas = np.tile([1.0, 0, 0, 0], (1, len(binding.followers), 1))
    for role, degrees in (("head", 60.0), ("upperChest", 20.0)):
        deltas[:, binding.roles[role]] = quat.about(LEFT, np.radians(degrees))
    bone = STANDS.index["neck"]
    wanted = quat.multiply(quat.about(LEFT, np.radians(neck)), STANDS.quaternions[bone])
    np.testing.assert_allclose(transfer.world_rotations(binding, deltas, STANDS.quaternions)[bone][0], wanted, atol=1e-9)


def test_of_several_bones_between_those_further_out_rotate_more() -> None:
    """A head's 60 degrees: 20 of the upper chest, 40 of the neck."""
    pair = replace(next(pair for pair in rigs.SAME if pair.source == "head"), options=PairOptions(distribute=True))
    others = (each for each in rigs.SAME if each.source not in ("upperChest", "neck", "head"))
    binding = bound(STANDS, STANDS, BoneMap((*others, pair)))
    deltas = np.tile([1.0, 0, 0, 0], (1, len(binding.followers), 1))
    deltas[:, binding.roles["head"]] = quat.about(LEFT, np.radians(60.0))
    rotations = transfer.world_rotations(binding, deltas, STANDS.quaternions)
    for name, degrees in (("upperChest", 20.0), ("neck", 40.0)):
        wanted = quat.multiply(quat.about(LEFT, np.radians(degrees)), STANDS.quaternions[STANDS.index[name]])
        np.testing.assert_allclose(rotations[STANDS.index[name]][0], wanted, atol=1e-9)


def test_nothing_is_shared_where_no_bone_above_follows() -> None:
    pair = replace(next(pair for pair in rigs.SAME if pair.source == "head"), options=PairOptions(distribute=True))
    binding = bound(STANDS, STANDS, BoneMap((pair,)))
    rotations = transfer.world_rotations(binding, quat.about(LEFT, np.radians([[60.0]])), STANDS.quaternions)
    wanted = quat.multiply(quat.about(LEFT, np.radians(60.0)), STANDS.quaternions[STANDS.index["head"]])
    assert list(rotations) == [STANDS.index["head"]]
    np.testing.assert_allclose(rotations[STANDS.index["head"]][0], wanted, atol=1e-9)


@pytest.mark.parametrize("space", ["WORLD", "LOCAL"])
def test_bones_go_on_over_half_a_turn_in_each_of_several_clips(space: Space) -> None:
    """Half of the 300 degrees of a head upon what carries it: of the neck between, which follows nothing, or of the head itself."""
    options = PairOptions(distribute=space == "WORLD", weight=0.5 if space == "LOCAL" else 1.0, space=space)
    pairs = (replace(pair, options=options) if pair.source == "head" else pair for pair in rigs.SAME if pair.source != "neck")
    head = STANDS.index["head"]
    motion = posed(STANDS, 60)
    motion.rotations[:, head] = quat.multiply(quat.about(LEFT, np.radians(np.linspace(0, 300, 60))), STANDS.quaternions[head])
    setup = prepare(STANDS, STANDS, BoneMap(tuple(pairs)), Options(feet=False))
    bone = STANDS.index["neck"] if space == "WORLD" else head
    for result in retarget.retarget_clips(setup, [retarget.Asked(motion, "one"), retarget.Asked(motion, "two")], 30.0):
        rotations = result.motion.rotations[:, bone]
        wanted = quat.multiply(quat.about(LEFT, np.radians(np.linspace(0, 150, 60))), STANDS.quaternions[bone])
        assert quat.apart(rotations, wanted).max() < 1e-6


def test_a_clip_without_frames_is_refused() -> None:
    with pytest.raises(RetroAnimError, match="empty: there are no frames"):
        retarget.retarget(prepare(STANDS, STANDS, rigs.SAME, Options()), posed(STANDS, 3).at(slice(0, 0)), 30.0, "empty")


def test_a_bone_that_is_scaled_has_keys_of_it() -> None:
    sizes = np.ones((5, len(STANDS), 3))
    sizes[:, STANDS.index["head"]] = np.linspace(1, 2, 5)[:, None]
    bone_map = BoneMap(tuple(replace(pair, options=PairOptions(scale=pair.source == "head")) for pair in rigs.SAME))
    motion = replace(posed(STANDS, 5), sizes=sizes)
    keys = retarget.retarget(prepare(STANDS, STANDS, bone_map, Options()), motion, 30.0, "clip").keys
    (scaled,) = [block for block in keys if "scale" in str(block.channels)]
    assert np.asarray(scaled.values).reshape(-1)[[0, -1]] == pytest.approx([1, 2])


def test_a_hand_beside_a_body_of_which_nothing_is_mapped_stays() -> None:
    arm = [pair for pair in rigs.SAME if pair.source in ("leftUpperArm", "leftLowerArm", "leftHand")]
    _, motion = rigs.dance(STANDS)
    plain, beside = (
        retarget.retarget(prepare(STANDS, STANDS, BoneMap(tuple(arm), limbs=limbs), Options(feet=False)), motion, 30.0, "clip")
        for limbs in ((), (Limb("leftHand", "SELF"),))
    )
    assert beside.motion.positions == pytest.approx(plain.motion.positions, abs=1e-6)


def test_joints_are_measured_of_the_smallest_of_figures() -> None:
    """Three bones whose joints are where the source's are."""
    names = ["hips", "spine", "chest"]
    figure = figure_of(names, [-1, 0, 1], np.array([[0.0, 0, 1], [0, 0, 1.2], [0, 0, 1.4]]))
    bone_map = BoneMap(tuple(Pair(name, name, name) for name in names))
    result = retarget.retarget(prepare(figure, figure, bone_map, Options()), posed(figure, 3), 30.0, "clip")
    assert result.report.joint_error == pytest.approx(0.0, abs=1e-9)


def test_quantiles_of_groups_are_numpys() -> None:
    groups = [np.array([5.0, 1, 9]), np.array([7.0]), np.array([2.0, 8]), np.array([4.0, 0, 3, 6])]
    values, counts = np.concatenate(groups), [len(group) for group in groups]
    for share in (0.0, 0.25, 0.7, 0.95, 1.0):
        expected = [np.quantile(group, share) for group in groups]
        np.testing.assert_allclose(contacts.quantiles(values, counts, share), expected, atol=1e-12)


def test_a_rotation_in_the_parent_s_axes_is_beside_what_the_parent_does() -> None:
    """Hips that rotate by a radian carry all along: what hangs on them, the first bone of all, does nothing by itself."""
    carried = quat.about(LEFT, np.ones(3))
    still = posed(STANDS, 3)
    motion = replace(still, rotations=quat.multiply(carried[:, None], still.rotations))
    rotated = {role: transfer.local_deltas(HERE, HERE.roles[role], motion, STANDS.quaternions) for role in ("hips", "spine", "chest")}
    assert quat.apart(rotated["hips"], carried) == pytest.approx(np.zeros(3), abs=1e-6)
    assert quat.angle(rotated["spine"]) == pytest.approx(np.zeros(3), abs=1e-6)
    assert quat.angle(rotated["chest"]) == pytest.approx(np.zeros(3), abs=1e-6)


def test_a_chain_ends_where_the_next_mapped_bone_begins() -> None:
    """Bones of 1, the next one 1 further on, the one behind that at 5: two equal parts, whose middles are at a quarter and three."""
    figure = figure_of(list("abcd"), [-1, 0, 1, 2], np.array([0.0, 1.0, 2.0, 5.0])[:, None] * UP)
    chain = Chain(("a", "b"), ("a",), "trunk")
    worked = chains.plan(chain, figure, figure, chains.Joints(figure.heads, figure.tails), {2, 3}, {2, 3})
    assert worked.known == pytest.approx([0, 0.25, 0.75])


@pytest.mark.parametrize(
    ("stands", "hands", "acting"),
    [
        ((True, True), True, ["leftFoot", "rightFoot", "leftHand"]),
        ((True, False), False, ["leftFoot", "rightFoot"]),
        ((False, False), True, ["leftHand"]),
    ],
)
def test_feet_are_held_in_clips_over_the_ground_and_hands_where_they_are_asked_for(
    stands: tuple[bool, bool], hands: bool, acting: list[str]
) -> None:
    """Of two clips of two frames, in all of which everything touches the ground."""
    limbs = [leg("left", [True] * 4), leg("right", [True] * 4)]
    limbs.append(replace(limbs[0], name="leftHand"))
    held_limbs = feet.acting(limbs, np.array(stands), hands, Spans((2, 2)))
    assert [item.name for item in held_limbs] == acting
    touching = np.repeat(stands, 2).tolist()
    assert all(item.touching.tolist() == (touching if item.name.endswith("Foot") else [True] * 4) for item in held_limbs)


@pytest.mark.parametrize(("stands", "lift"), [((True, False), 0.0), ((False, True), -0.3)])
def test_ground_that_is_near_the_rest_pose_s_is_that_of_a_source_that_stands(stands: tuple[bool, bool], lift: float) -> None:
    """Whether the target stands at rest does not matter. Of a source that does not, the ground is the world's, 0.3 below its rest."""
    toes = float(STANDS.heads[STANDS.index["leftToes"], 2])
    motion = posed(STANDS, 4, STANDS.heads - toes * UP)
    near = replace(LEGS, source=100.0, source_floor=0.3, stands=stands)
    assert root.lift_of(HERE, motion, near, "AUTO") == pytest.approx(lift)


@pytest.mark.parametrize("end", [UP, -UP, np.array([1.0, 0, 0]), np.array([0.6, 0, -0.8])])
def test_a_swing_is_the_least_rotation_between_two_directions(end: Floats) -> None:
    """Its trace is 1 and twice the cosine of the angle between them; opposite ones are half a rotation apart."""
    rotation = swing(UP, end)
    assert rotation @ UP == pytest.approx(end)
    assert rotation @ rotation.T == pytest.approx(np.eye(3)) and np.linalg.det(rotation) == pytest.approx(1)
    assert np.trace(rotation) == pytest.approx(1 + 2 * float(UP @ end))


def test_a_share_of_a_rotation_is_kept_by_a_bone_that_does_not_inherit() -> None:
    """Half of the head's 40 degrees upon the chest's 20, not the chest's alone, of which it would be carried along."""
    options, neck = PairOptions(distribute=True), STANDS.index["neck"]
    pairs = (replace(pair, options=options) if pair.source == "head" else pair for pair in rigs.SAME if pair.source != "neck")
    figure = replace(STANDS, hinged=np.arange(len(STANDS)) == neck)
    binding = bound(STANDS, figure, BoneMap(tuple(pairs)))
    deltas = np.tile([1.0, 0, 0, 0], (1, len(binding.followers), 1))
    for role, degrees in (("head", 60.0), ("upperChest", 20.0)):
        deltas[:, binding.roles[role]] = quat.about(LEFT, np.radians(degrees))
    wanted = quat.multiply(quat.about(LEFT, np.radians(40.0)), figure.quaternions[neck])
    np.testing.assert_allclose(transfer.world_rotations(binding, deltas, figure.quaternions)[neck][0], wanted, atol=1e-9)
