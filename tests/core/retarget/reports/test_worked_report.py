"""Each line of a report word by word, at the number from which on it is said, and from which on it asks for a look."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from retro_anim.core.retarget.reports.fields import Reach, Unmapped
from retro_anim.core.retarget.reports.report import is_saved, saved

from .test_report import report

PLAIN = [
    "0 frames, 0 bones, scale 0, 0.00 s",
    "limb direction: under 0.001° at most (no limbs), under 0.001° on average",
    "foot skate: source 0.000, target 0.000 leg lengths/s",
]


def more(**values: Any) -> list[str]:
    """The lines that are said besides those of a report of nothing, a ! before those that ask for a look."""
    judged = report(**values)
    reasons = judged.reasons()
    return [("!" if line in reasons else "") + line for line in judged.lines() if line not in PLAIN]


def test_a_report_of_nothing() -> None:
    assert report().lines() == PLAIN and report().is_good and more() == []


def test_what_was_retargeted() -> None:
    assert more(frames=1, bones=60, factor=1.23456, seconds=2.346) == ["1 frame, 60 bones, scale 1.235, 2.35 s"]


HOLDS = "Hold Feet keeps them; or look at the scale"
LEAVES = "Hold Feet leaves clips as they are that do not keep to the ground; or look at the scale"
SLIDE = "!foot skate: source 0.000, target 0.041 leg lengths/s"


@pytest.mark.parametrize(
    ("values", "lines"),
    [
        ({"yaw": 0.0499}, []),
        ({"yaw": -0.05}, ["turned by -0.05° about the up axis, to face as the target does (Facing: By the World keeps it)"]),
        ({"limb_max": 0.999, "limb_mean": 0.001}, ["limb direction: 0.999° at most (no limbs), 0.001° on average"]),
        (
            {"limb_max": 1.0, "limb_worst": "arm"},
            [
                "!limb direction: 1° at most (arm), under 0.001° on average: look at its line of the bone map, and at Alignment",
            ],
        ),
        ({"frames": 7, "frames_read": 7}, ["7 frames, 0 bones, scale 0, 0.00 s"]),
        (
            {"frames": 7, "frames_read": 3, "limb_max": 1.0, "limb_worst": "arm"},
            [
                "7 frames, 0 bones, scale 0, 0.00 s",
                "!limb direction: 1° at most (arm) in the 3 of 7 frames that were read, under 0.001° on average: "
                "look at its line of the bone map, and at Alignment; Check Every Frame reads all",
            ],
        ),
        ({"limb_shown": 0.001}, []),
        ({"limb_shown": 0.0011, "limb_shown_worst": "arm"}, ["as shown, with held feet: 0.0011° at most (arm)"]),
        ({"chain_off": 0.029, "chain_off_which": "a…c"}, []),
        (
            {"chain_off": 0.031, "chain_off_which": "a…c", "chain_off_frame": 7.0},
            ["chain a…c: up to 0.03 of its length beside the line of the source's at frame 7, which has another number of bones"],
        ),
        ({"skate": 0.04}, ["foot skate: source 0.000, target 0.040 leg lengths/s"]),
        ({"skate": 0.041}, [SLIDE, f"feet slide more than the source's: {HOLDS}"]),
        ({"skate": 0.041, "holds_feet": True}, [SLIDE, f"feet slide more than the source's: {LEAVES}"]),
        ({"skate": 0.041, "foot_pass": 2.0, "skate_plain": 0.3}, [f"{SLIDE} (without Hold Feet 0.300)"]),
        ({"sway": 0.5}, ["sway of the hips: 0.5° to each side, in the pose; the character's heading has none of it"]),
        ({"joint_error": 0.0, "joints": 3}, ["joint error: under 0.001 m over 3 joints in proportion"]),
        ({"joint_error": 0.25, "joints": 3}, ["joint error: 0.25 m over 3 joints in proportion"]),
        ({"carried": 0.01}, []),
        ({"off_ground": 0.03}, []),
        (
            {"off_ground": 0.031, "off_ground_leg": "leftFoot"},
            ["!left foot stands 0.03 leg lengths above the ground, where the source's stands on it: Hold Feet puts it there"],
        ),
        ({"off_body": -0.05}, []),
        (
            {"off_body": -0.06, "off_body_frame": 7.5},
            [
                "!the body stands 0.06 leg lengths in the ground at frame 7.5, where the source's is on it: "
                "Hold Feet brings it closer, else move the root there"
            ],
        ),
        (
            {"off_body": 0.06, "off_body_frame": 7.0, "lies": True, "holds_feet": True},
            ["!the body lies 0.06 leg lengths above the ground at frame 7, where the source's is on it: move the root there"],
        ),
        ({"hand_above": 0.05}, []),
        (
            {"hand_above": 0.06, "hand_above_which": "leftHand", "holds_hands": True},
            ["!left hand is 0.06 leg lengths above the ground, where the source's is on it"],
        ),
        (
            {"hand_above": 0.06, "hand_above_which": "leftHand"},
            [
                "!left hand is 0.06 leg lengths above the ground, where the source's is on it: "
                "Hold Hands brings it as near as the arm reaches"
            ],
        ),
        ({"foot_above": 0.05}, []),
        (
            {"foot_above": 0.06, "foot_above_which": "leftFoot", "off_ground": 0.03},
            [
                "!left foot is 0.06 leg lengths above the ground, where the source's is on it: "
                "Hold Feet leaves one who lies as it is; a goal brings the foot there"
            ],
        ),
        ({"toes_below": 0.05}, []),
        (
            {"toes_below": 0.06, "toes_below_which": "leftFoot"},
            [
                "toes of the left foot end up to 0.06 leg lengths in the ground: "
                "they follow nothing, and the source's foot is above it; rotate them there"
            ],
        ),
        ({"foot_below": 0.05}, []),
        (
            {"foot_below": 0.1, "foot_below_which": "leftFoot", "foot_below_frame": 7.5, "holds_feet": True},
            ["left foot is 0.10 leg lengths further in the ground than the source's at frame 7.5: rotate it, or move the root, there"],
        ),
        (
            {"foot_below": 0.11, "foot_below_which": "rightFoot", "foot_below_frame": 7.0, "off_ground": 0.03, "off_body": 0.05},
            [
                "!right foot is 0.11 leg lengths further in the ground than the source's at frame 7: "
                "Hold Feet keeps feet out of it that stand, else rotate it, or move the root, there"
            ],
        ),
        ({"foot_below": 0.08, "off_body": -0.03}, []),
        ({"foot_below": 0.08, "off_ground": -0.03}, []),
        ({"part_below": 0.05, "part_below_which": "head"}, []),
        (
            {"part_below": 0.1, "part_below_which": "hips", "part_below_frame": 7.5},
            ["hips are 0.10 leg lengths further in the ground than the source's at frame 7.5: rotate it, or move the root, there"],
        ),
        (
            {"part_below": 0.11, "part_below_which": "leftHand", "part_below_frame": 7.0, "off_body": 0.05},
            ["!left hand is 0.11 leg lengths further in the ground than the source's at frame 7: rotate it, or move the root, there"],
        ),
        ({"part_below": 0.08, "part_below_which": "head", "off_body": -0.03}, []),
        ({"unlike": "curves differ"}, ["!curves differ"]),
        ({"rotation_excess": 0.01}, []),
        ({"rotation_excess": 0.02}, ["flips: 0, rotation beyond the source's 0.02°"]),
        ({"flips": 1}, ["!flips: 1, rotation beyond the source's under 0.001°"]),
        ({"snap": 15.0}, []),
        ({"hips_down": 0.0005}, ["held feet bring the hips down: by 0.001 m at most"]),
        (
            {"unreached": 1, "missed": 0.02},
            [
                "!held feet or hands are out of reach in 1 frame, by 0.020 m at most: "
                "Lower the Hips brings feet nearer; Mark Contacts lets you end a contact earlier"
            ],
        ),
        (
            {"unreached": 2, "missed": 0.02, "lowers_hips": True},
            [
                "!held feet or hands are out of reach in 2 frames, by 0.020 m at most: Mark Contacts lets you end a contact earlier",
            ],
        ),
        (
            {"off_ground": 0.031, "off_ground_leg": "leftFoot", "holds_feet": True},
            ["!left foot stands 0.03 leg lengths above the ground, where the source's stands on it: a goal brings it there"],
        ),
        ({"quantisation": 0.0}, ["rounded to the game's numbers: under 0.001° and under 0.001 m at most"]),
        ({"quantisation": 0.02, "quantisation_distance": 0.5}, ["rounded to the game's numbers: 0.02° and 0.5 m at most"]),
        ({"amiss": ("no such bone",)}, ["!no such bone"]),
        ({"notes": ("first", "second"), "asking": ("second",)}, ["first", "!second"]),
    ],
)
def test_what_is_said(values: dict[str, Any], lines: list[str]) -> None:
    assert more(**values) == lines


def test_limbs_as_they_are_shown_have_a_line_where_they_are_twice_as_far_off() -> None:
    """More than that."""
    assert [len(more(limb_max=0.4, limb_shown=shown)) for shown in (0.8, 0.81)] == [1, 2]


@pytest.mark.parametrize(("degrees", "asks"), [(16.0, False), (44.9, False), (45.0, True)])
def test_a_limb_that_snaps(degrees: float, asks: bool) -> None:
    text = (
        f"forearm rotates {degrees:.0f}° further into frame 7 than without held feet: "
        "its sole comes onto the ground there, or its limb is all but straight, or out of reach; "
        "Mark Contacts lets you end a contact earlier"
    )
    assert more(snap=degrees, snap_bone="forearm", snap_frame=7.0) == ["!" * asks + text]


@pytest.mark.parametrize(("degrees", "asks"), [(15.0, False), (19.9, False), (20.0, True)])
def test_a_joint_that_bends_further(degrees: float, asks: bool) -> None:
    further = f"bends {degrees:.0f}° further than the source's at frame 7.5"
    hips = f"left knee {further}: held feet bring the hips down there, by 0.020 m; without Lower the Hips it bends less, "
    held = f"left knee {further}: its foot is held on the ground; "
    hand = f"right elbow {further}: its hand is held on the ground; without Hold Hands as the source's"
    bent = {"bend": degrees, "bend_frame": 7.5}
    assert more(**bent, bend_limb="leftFoot", bend_hips=0.02) == ["!" * asks + hips + "without Hold Feet as the source's"]
    assert more(**bent, bend_limb="leftFoot") == ["!" * asks + held + "without Hold Feet as the source's"]
    least = hips.replace("0.020", "0.001")
    assert more(**bent, bend_limb="leftFoot", bend_hips=0.0005) == ["!" * asks + least + "without Hold Feet as the source's"]
    assert more(**bent, bend_limb="rightHand") == ["!" * asks + hand]
    assert more(bend=14.9, bend_limb="leftFoot") == []


@pytest.mark.parametrize(
    ("reaches", "remedy"), [(True, "less Strength pulls less"), (False, "Mark Contacts lets you end a contact earlier")]
)
def test_only_a_limb_that_reaches_for_something_is_pulled(reaches: bool, remedy: str) -> None:
    """Another pelvis height, stance or stride has no strength."""
    (line,) = more(snap=20.0, snap_bone="shin", snap_frame=7.0, goals=(Reach("leftFoot", 0, 0.0, 0.0, reaches),))
    assert line.endswith(f"out of reach; {remedy}")
    (line,) = more(goals=(Reach("leftFoot", 2, 0.5, 0.0, False),))
    assert line == "!left foot: its leg is too short in 2 frames, by 0.500 m at most, for this Pelvis Height, Stance or Stride"


def test_hips_that_something_else_carries() -> None:
    (line,) = more(carried=0.02, carried_frame=3.0)
    assert line == (
        "!the hips are 0.02 leg lengths from where their keys put them at frame 3: "
        "constraints, drivers or the parent of the object, or of bones above the hips, move them as well"
    )


def test_what_becomes_of_goals() -> None:
    """Of those that are out of reach, and of those that are held elsewhere, by more than 0.03 of the leg."""
    goals = (Reach("leftHand", 1, 0.05, 0.03), Reach("rightFoot", 0, 0.0, 0.031), Reach("leftFoot", 0, 0.005))
    assert more(goals=goals) == [
        "!left hand: its goal is out of reach in 1 frame, by 0.050 m at most: "
        "By Limb counts by its own length, and less Strength pulls less",
        "!right foot is held up to 0.03 leg lengths from its goal, where it stands: without Hold Feet it goes there",
    ]


def test_bones_that_nothing_follows() -> None:
    """Eight by name, the rest as a number; those that a person misses ask for a look."""
    arm, hair, spine = Unmapped("arm", 90.04, False, 2.0), Unmapped("hair", 20.0, False), Unmapped("spine", 90.0, True, 2.0)
    assert more(unmapped=(arm, hair, spine)) == [
        "!not mapped: arm rotates 90.0°: add a line to the bone map for it",
        "not mapped: hair rotates 20.0°",
        "not mapped: spine rotates 90.0° (taken over below)",
    ]
    assert more(unmapped=(hair,) * 9)[8:] == ["not mapped: 1 more moving bones"]
    assert more(unmapped=(hair,) * 9 + (arm,))[8:] == ["!not mapped: 2 more moving bones"]
    assert len(more(unmapped=(hair,) * 8)) == 8


@pytest.mark.parametrize(
    ("changed", "visible"),
    [({"largest": 30.0}, False), ({"largest": 30.1}, True), ({"reach": 0.5}, False), ({"reach": 0.51}, True), ({"matched": False}, False)],
)
def test_who_is_missed(changed: dict[str, Any], visible: bool) -> None:
    values: dict[str, Any] = {"largest": 90.0, "inside": False, "reach": 2.0, **changed}
    assert Unmapped("arm", **values).visible == visible


def test_reports_as_a_file() -> None:
    """Two spaces a level, a line break at the end; what else is a file is none of reports."""
    document = report(frames=7, rotation_excess=0.5, goals=(Reach("leftHand", 1, 0.05),)).document()
    assert (document["frames"], document["turn_excess"], document["quantisation_way"]) == (7, 0.5, None)
    assert "rotation_excess" not in document and document["goals"][0]["limb"] == "leftHand"
    data = saved([document, document])
    assert data.startswith(b'{\n  "reports": [\n    {\n') and data.endswith(b"}\n")
    assert json.loads(data)["reports"] == json.loads(json.dumps([document, document]))
    assert is_saved(data) and is_saved(saved([]))
    for other in (
        b"",
        b"[]",
        b"7",
        b"null",
        b'{"reports": 7}',
        b'{"reports": [{}]}',
        b'{"reports": [], "more": 1}',
        b'{"more": []}',
        b"\xff",
    ):
        assert not is_saved(other)
    assert not is_saved(b"[" * 100_000)


def test_a_report_with_other_values_is_another() -> None:
    first = report(frames=7)
    second = first.but(frames=8, seconds=1.0)
    assert (first.frames, second.frames, second.seconds, second.name) == (7, 8, 1.0, "walk")
    assert type(second) is type(first)


def test_a_goal_is_missed_by_more_than_a_hundredth_of_the_leg() -> None:
    """What a foot that is held is further from it counts in leg lengths, and never below 0."""
    missed = np.array([0.0, 0.02, 0.021])
    assert Reach.of("leftFoot", missed, 2.0, np.array([0.1, 0.5, 0.2])) == Reach("leftFoot", 1, 0.021, 0.25)
    assert Reach.of("leftFoot", missed, 2.0, np.array([-0.1, -0.5, -0.2])).kept == 0
    assert Reach.of("leftFoot", missed, 2.0).kept == 0
