"""What legs, floors and soles are measured at the reference poses, of a person whose hips are 1 metre high, on legs of 0.85."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.ground import root
from retro_anim.core.retarget.transfer.binding import Binding

from ..transfer.persons import PERSON, Joints, about, bound, figure, moving, rotated

LYING = rotated(about(0, 90))
"""On its back: head and ankles as high as the hips, toes 0.15 below them."""


def shifted(joints: Joints, up: float, size: float = 1.0, **more: float) -> Joints:
    """So much larger, then higher; some joints by so much in addition."""
    return {name: joint * size + np.array([0, 0, up + more.get(name, 0.0)]) for name, joint in joints.items()}


def raised(joints: Joints, up: float, size: float = 1.0, **more: float) -> Figure:
    """Bones and object."""
    return figure({name: joint - [0, 0, up] for name, joint in shifted(joints, up, size, **more).items()}, _at(up))


def _at(up: float) -> Floats:
    world = np.eye(4)
    world[2, 3] = up
    return world


TARGET = raised(PERSON, 0.05)


def measured(source: Figure, target: Figure = TARGET) -> root.Legs:
    return root.legs(bound(source, target))


def close(one: root.Legs, other: root.Legs) -> bool:
    numbers = [[each.source, each.target, each.source_floor, each.rise, each.target_floor, each.aligned] for each in (one, other)]
    others = [(each.known, each.stands, each.sure, each.at_origin) for each in (one, other)]
    return bool(np.allclose(*numbers, rtol=0, atol=1e-9)) and others[0] == others[1]


def test_two_that_stand() -> None:
    """A source of twice the size and 0.3 higher, its hips by 0.2 more: they would be 1 above the target's feet, so 2 above its own, if it
    stood as that, which has them 2.2 above; half of that is 1.1, by 0.1 more than the target's."""
    source = raised(PERSON, 0.3, 2.0, hips=0.2)
    assert close(measured(source), root.Legs(1.7, 0.85, 0.3, True, (True, True), 0.2, 0.05 - 0.1, (True, True), at_origin=True))


def test_a_source_that_lies() -> None:
    """Its floor is where the feet of one who stands as the target would be: 2 below its hips, which are 2.3 high; its toes are 0.3."""
    legs = measured(raised(LYING, 0.3, 2.0))
    assert close(legs, root.Legs(1.7, 0.85, 0.3, True, (False, True), 0.3 - 2.0, 0.05, (False, True)))


def test_a_target_that_lies() -> None:
    """Whose leg alone is known: the source's floor would be 1.7 below its hips; half of 2.2 below the target's is its own."""
    legs = measured(raised(PERSON, 0.3, 2.0, hips=0.2), raised(LYING, 0.05))
    assert close(legs, root.Legs(1.7, 0.85, 0.3, True, (True, False), 2.5 - 1.7 - 0.3, 1.05 - 1.1, (True, False), at_origin=True))


def test_without_hips_all_stand() -> None:
    for source in (PERSON, LYING):
        legs = root.legs(bound(raised(source, 0.3, 2.0), TARGET, "hips".__eq__))
        lowest = 0.3 if source is PERSON else 2.0
        assert close(legs, root.Legs(1.7, 0.85, lowest, True))


def test_without_a_head_hips_tell_who_stands() -> None:
    """More than half of a leg, 0.85, above the toes."""
    for high, stands in ((0.86, True), (0.84, False)):
        source = shifted(PERSON, 0.0, 2.0, hips=high - 2.0)
        assert root.legs(bound(figure(source), TARGET, "head".__eq__)).stands == (stands, True)
        assert root.legs(bound(TARGET, figure(source), "head".__eq__)).stands == (True, stands)


def test_without_legs_all_segments_are_measured() -> None:
    """A trunk of 0.4 and 0.2, arms of 0.3 and 0.25, and shoulders 0.2 aside and 0.05 above the chest."""
    trunk = bound(raised(PERSON, 0.3, 2.0), TARGET, lambda name: name.endswith(("Leg", "Foot", "Toes")))
    size = 0.6 + 2 * (0.55 + np.hypot(0.2, 0.05))
    assert close(root.legs(trunk), root.Legs(2 * size, size, 2.3, False))
    one = bound(raised(PERSON, 0.3, 2.0), TARGET, lambda name: name != "chest")
    assert close(root.legs(one), root.Legs(1.0, 1.0, 0.3 + 2.8, False))
    assert close(root.legs(bound(TARGET, TARGET, lambda name: True)), root.Legs(1.0, 1.0, 0.0, False))


@pytest.mark.parametrize("side", ["left", "right"])
def test_a_leg_without_length_is_none(side: str) -> None:
    """Of a source, or a target, whose feet are where the thighs begin: then all segments are measured, to the next joint that is apart in
    both figures, which are toes for three joints of that leg."""
    flat = {**PERSON, **{side + part: PERSON[f"{side}UpperLeg"] for part in ("LowerLeg", "Foot")}}
    rest = 0.6 + 2 * (0.55 + np.hypot(0.2, 0.05) + np.hypot(0.1, 0.05)) + 0.85 + np.hypot(0.15, 0.1)
    short, plain = rest + 3 * np.hypot(0.15, 0.95), rest + sum(np.hypot(0.15, height) for height in (0.95, 0.5, 0.1))
    assert close(measured(figure(flat), figure()), root.Legs(short, plain, 0.0, False))
    assert close(measured(figure(), figure(flat)), root.Legs(plain, short, 0.0, False))
    shins = {**PERSON, f"{side}Foot": PERSON[f"{side}LowerLeg"]}
    assert measured(figure(shins), figure()).source == pytest.approx((0.85 + 0.45) / 2)


def feet_alone(*names: str) -> Binding:
    return bound(figure(), figure(), lambda name: name not in names)


def test_feet_that_are_the_first_of_a_map_show_the_ground() -> None:
    """As the last of it do."""
    motion = moving([shifted(PERSON, -0.2)] * 3)
    legs = root.Legs(0.85, 0.85, 0.0, True)
    for names in (("leftToes",), ("leftFoot", "rightFoot"), ("hips", "leftToes")):
        floor = 0.0 if "leftFoot" not in names else 0.1
        assert root.lift_of(feet_alone(*names), motion, replace(legs, source_floor=floor), "CONTACT") == pytest.approx(-0.2), names


def test_how_much_higher_feet_are_in_another_pose() -> None:
    """Counted from the hips, 0.05 lower: of toes that are 0.1 and 0.15 higher; nothing without feet or hips."""
    heads = figure(shifted(PERSON, 0.0, hips=-0.05, leftToes=0.1, rightToes=0.15)).heads
    assert root.raised(bound(figure(), figure()), heads) == pytest.approx(0.1 + 0.05)
    for names in (("hips",), ("leftFoot", "rightFoot", "leftToes", "rightToes")):
        assert root.raised(bound(figure(), figure(), names.__contains__), heads) == 0.0


@pytest.mark.parametrize("without", ["leftUpperLeg", "rightUpperLeg"])
def test_feet_of_which_but_one_has_a_thigh_are_beside_each_other(without: str) -> None:
    """What is across shows in both thighs: with one alone a foot that is ahead is in no stride, but it may be higher."""
    for toes, sure in ({"leftToes": np.array([0.0, -0.3, 0])}, True), ({"leftToes": np.array([0.0, 0, 0.05])}, False):
        joints = {name: joint + toes.get(name, 0.0) for name, joint in PERSON.items()}
        legs = root.legs(bound(figure(joints), figure(joints), without.__eq__))
        assert legs.sure == (sure, sure)
        assert root.legs(bound(figure(joints), figure(joints))).sure == (False, False)


def test_soles_are_counted_from_where_each_object_is() -> None:
    """Of toes that are 0.04 and 0.06 above the source's, and 0.03 and 0.02 above the target's."""
    source, target = raised(PERSON, 0.3, 2.0, leftToes=0.04, rightToes=0.06), raised(PERSON, -0.7, leftToes=0.03, rightToes=0.02)
    binding = bound(source, target)
    assert root.soles(binding, root.legs(binding), 0.5) == pytest.approx((0.04, 0.02))
    unsure = replace(root.legs(binding), sure=(False, True))
    assert root.soles(binding, unsure, 0.5) == pytest.approx((0.04, 0.02))
    assert root.soles(binding, replace(unsure, sure=(True, False)), 0.5) == pytest.approx((0.04, 0.02))
    assert root.soles(binding, replace(unsure, sure=(True, False)), 0.25) == pytest.approx((0.04, 0.01))
