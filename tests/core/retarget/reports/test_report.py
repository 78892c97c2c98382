"""The lines of a report, and which of them ask for a look: those, and only those, for which it is no good one."""

from __future__ import annotations

from dataclasses import MISSING, fields, replace
from typing import Any

import numpy as np
import pytest
from retro_anim.core.retarget.reports.fields import Reach, Unmapped
from retro_anim.core.retarget.reports.report import Report

ARM = Unmapped("arm", 90.0, False, 10.0, True)
HAIR = Unmapped("hair", 90.0, False, 0.1, True)
DOUBT = "it is not certain where the source faces: it is taken to look along -Y"


def report(**values: Any) -> Report:
    numbers: dict[str, Any] = dict.fromkeys((item.name for item in fields(Report) if item.default is item.default_factory is MISSING), 0)
    return replace(Report(**{**numbers, "name": "walk", "limb_worst": "", "joint_error": None, "unmapped": ()}), **values)


CASES: list[tuple[dict[str, Any], list[str]]] = [
    ({}, []),
    ({"penetration": 0.2, "above": 0.2, "yaw": 90.0, "limb_shown": 8.0, "rotation_excess": 0.5, "quantisation": 0.1}, []),
    ({"limb_max": 1.5, "limb_worst": "hand"}, ["limb direction: 1.5° at most (hand)"]),
    ({"limb_max": 1.0, "limb_worst": "hand"}, ["limb direction: 1° at most (hand)"]),
    ({"skate": 0.2, "skate_source": 0.1}, ["foot skate: source 0.100, target 0.200"]),
    ({"skate": 0.2, "skate_source": 0.19}, []),
    ({"off_ground": -0.1, "off_ground_leg": "leftFoot"}, ["left foot stands 0.10 leg lengths in the ground"]),
    ({"hand_above": 0.1, "hand_above_which": "leftHand"}, ["left hand is 0.10 leg lengths above the ground"]),
    ({"foot_above": 0.1, "foot_above_which": "leftFoot"}, ["left foot is 0.10 leg lengths above the ground"]),
    ({"foot_above": 0.05, "foot_above_which": "leftFoot"}, []),
    (
        {"foot_above": 0.1, "foot_above_which": "leftFoot", "off_ground": 0.1, "off_ground_leg": "the lower foot"},
        ["the lower foot stands 0.10 leg lengths above the ground"],
    ),
    ({"off_body": 0.2, "lies": True}, ["the body lies 0.20 leg lengths above the ground"]),
    ({"off_body": 0.05}, []),
    ({"unlike": "the curve differs"}, ["the curve differs"]),
    ({"flips": 2, "rotation_excess": 163.0}, ["flips: 2, rotation beyond the source's 163°"]),
    ({"flips": 1}, ["flips: 1, rotation beyond the source's under 0.001°"]),
    ({"snap": 60.0, "snap_bone": "forearm", "snap_frame": 7.0}, ["forearm rotates 60° further into frame 7 than without held feet"]),
    ({"snap": 44.0, "snap_bone": "forearm"}, []),
    ({"unreached": 3, "missed": 0.1}, ["held feet or hands are out of reach in 3 frames, by 0.100 m at most"]),
    (
        {"goals": (Reach("leftHand", 4, 0.1), Reach("rightHand", 0, 0.0))},
        ["left hand: its goal is out of reach in 4 frames, by 0.100 m at most: By Limb"],
    ),
    ({"goals": (Reach("leftFoot", 0, 0.0, 0.1),)}, ["left foot is held up to 0.10 leg lengths from its goal, where it stands:"]),
    ({"goals": (Reach("leftFoot", 0, 0.0, 0.03),)}, []),
    ({"unmapped": (HAIR, ARM)}, ["not mapped: arm rotates"]),
    ({"unmapped": (HAIR,) * 8 + (ARM,)}, ["not mapped: 1 more"]),
    ({"unmapped": (HAIR,) * 9}, []),
    ({"notes": (DOUBT, "said")}, []),
    ({"notes": (DOUBT, "said"), "asking": (DOUBT,), "faces_elsewhere": True}, [DOUBT]),
]


@pytest.mark.parametrize(("values", "reasons"), CASES)
def test_what_makes_a_report_ask_for_a_look_is_one_of_its_lines(values: dict[str, Any], reasons: list[str]) -> None:
    judged = report(**values)
    given = judged.reasons()
    assert len(given) == len(reasons) and all(line.startswith(begin) for line, begin in zip(given, reasons, strict=True))
    assert judged.is_good == (not given) and set(given) <= set(judged.lines())


@pytest.mark.parametrize(
    ("values", "held", "advice"),
    [
        ({"off_body": 0.2}, "holds_feet", "Hold Feet brings it closer"),
        ({"hand_above": 0.1, "hand_above_which": "leftHand"}, "holds_hands", "Hold Hands brings it as near"),
        ({"skate": 0.2}, "holds_feet", "Hold Feet keeps them"),
    ],
)
def test_nobody_is_advised_to_do_what_is_done(values: dict[str, Any], held: str, advice: str) -> None:
    assert [advice in " ".join(report(**values, **{held: on}).lines()) for on in (False, True)] == [True, False]


@pytest.mark.parametrize(("read", "said"), [(0, False), (1, True), (2, True), (3, False)])
def test_how_many_of_the_frames_were_read_is_said_where_not_all_were(read: int, said: bool) -> None:
    """With what reads the others; of a report in which nothing was read again there is nothing to say."""
    lines = " ".join(report(frames=3, frames_read=read).lines())
    assert (f"in the {read} of 3 frames that were read" in lines, "Check Every Frame reads all" in lines) == (said, said)


def test_how_feet_slid_before_they_were_held_is_said_where_they_are() -> None:
    lines = [" ".join(report(skate_plain=0.3, foot_pass=degrees).lines()) for degrees in (0.0, 2.0)]
    assert ["(without Hold Feet 0.300)" in text for text in lines] == [False, True]


def test_a_bone_that_rotates_further_than_its_source_has_a_line_though_it_asks_for_no_look() -> None:
    lines = [report(rotation_excess=degrees).lines() for degrees in (0.009, 0.5)]
    assert set(lines[1]) - set(lines[0]) == {"flips: 0, rotation beyond the source's 0.5°"}


@pytest.mark.parametrize(
    ("goals", "holds", "why"),
    [
        ((), True, "held feet:"),
        ((Reach("leftHand", 0, 0.0),), True, "held feet and goals:"),
        ((Reach("leftHand", 0, 0.0),), False, "goals:"),
    ],
)
def test_a_limb_that_snaps_less_than_a_flip_has_a_line(goals: tuple[Reach, ...], holds: bool, why: str) -> None:
    values = {"snap_bone": "forearm", "snap_frame": 7.5, "goals": goals, "holds_feet": holds}
    lines = [report(snap=degrees, **values).lines() for degrees in (14.0, 20.0)]
    (line,) = set(lines[1]) - set(lines[0])
    assert line.startswith(f"forearm rotates 20° further into frame 7.5 than without {why}")


def test_a_goal_is_missed_by_a_share_of_the_leg() -> None:
    """Of a leg of 2 m a hundredth is 2 cm; of one of half a metre, 5 mm."""
    missed = np.array([0.0, 0.011, 0.021, 0.05])
    assert [Reach.of("leftHand", missed, leg) for leg in (2.0, 0.5)] == [Reach("leftHand", 2, 0.05), Reach("leftHand", 3, 0.05)]


@pytest.mark.parametrize(
    ("values", "remedy"),
    [
        ({"limb_max": 1.5}, "look at its line of the bone map, and at Alignment"),
        ({"off_ground": 0.1, "off_ground_leg": "leftFoot"}, "Hold Feet puts it there"),
        ({"off_ground": 0.1, "off_ground_leg": "the lower foot", "holds_feet": True}, "Floor: Lowest Contact puts it there"),
        (
            {"off_ground": 0.1, "off_ground_leg": "leftFoot", "holds_feet": True, "goals": (Reach("leftFoot", 0, 0.0),)},
            "its goal keeps it there",
        ),
        ({"snap": 60.0}, "Mark Contacts lets you end a contact earlier"),
        ({"snap": 60.0, "goals": (Reach("leftHand", 0, 0.0),)}, "less Strength pulls less"),
        ({"unreached": 1}, "Lower the Hips brings feet nearer; Mark Contacts lets you end a contact earlier"),
        ({"goals": (Reach("leftFoot", 1, 0.1),)}, "less Strength pulls less"),
        ({"goals": (Reach("leftFoot", 1, 0.1, 0.0, False),)}, "for this Pelvis Height, Stance or Stride"),
        ({"unmapped": (ARM,)}, "add a line to the bone map for it"),
    ],
)
def test_what_asks_for_a_look_says_what_helps(values: dict[str, Any], remedy: str) -> None:
    (line,) = report(**values).reasons()
    assert line.endswith(remedy)


def test_eight_bones_without_a_pair_are_named_and_the_rest_counted() -> None:
    def lines(count: int) -> list[str]:
        unmapped = tuple(Unmapped(f"bone {number}", 30.0 + number, False, 1.0, True) for number in range(count))
        return [
            line.removesuffix(": add a line to the bone map for it") for line in report(unmapped=unmapped).lines() if "not mapped" in line
        ]

    assert lines(8) == [f"not mapped: bone {number} rotates {30 + number:.1f}°" for number in range(8)]
    assert lines(11)[8:] == ["not mapped: 3 more moving bones"]


def test_who_misses_a_bone_without_a_pair() -> None:
    """A person does where it rotates far, reaches far, none below takes it over, and there is one like it: each of the four counts."""
    assert ARM.visible
    for changed in ({"largest": 0.0}, {"inside": True}, {"reach": 0.0}, {"matched": False}):
        assert not replace(ARM, **changed).visible


@pytest.mark.parametrize(
    ("field", "least", "begin"),
    [
        ("penetration", 0.0005, "feet lower than when they stand: 0.001 m"),
        ("above", 0.0005, "feet above the ground: 0.001 m"),
        ("hips_down", 0.0005, "held feet bring the hips down: by 0.001 m"),
        ("sway", 0.5, "sway of the hips: 0.5°"),
        ("yaw", 0.05, "turned by 0.05°"),
        ("heading", 0.05, "in the game's file it begins looking ahead: turned by -0.05°"),
    ],
)
def test_what_is_not_nothing_when_it_is_rounded_has_a_line(field: str, least: float, begin: str) -> None:
    lines = [[line for line in report(**{field: value}).lines() if line.startswith(begin)] for value in (0.98 * least, least)]
    assert [len(each) for each in lines] == [0, 1]
