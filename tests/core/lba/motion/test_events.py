"""What is said of keyframes, by hand: events of some that others have moved, and rotations by more than half a circle."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from retro_anim.core.lba.body.body import Body
from retro_anim.core.lba.files.variant import LBA1
from retro_anim.core.lba.motion.events import report_events
from retro_anim.core.lba.motion.half_circles import report_half_circles
from retro_anim.core.lba.motion.motion import CONVENTION
from retro_anim.core.lba.motion.sampled import Sampled
from retro_anim.core.motion.rigs.rig import Rig
from retro_anim.core.motion.sampling import BoneSamples
from retro_anim.core.reporting import log


def at(frames: list[float]) -> Sampled:
    """Without bones."""
    none = np.zeros((len(frames), 3))
    bones = BoneSamples(*(np.zeros((len(frames), 0, 3)) for _ in range(3)))
    return Sampled(np.array(frames), bones, none, none, None, None, {}, np.zeros(0, bool), lambda when: (none, none))


BEFORE = [1.0, 11.0, 21.0, 31.0]


def said(markers: list[tuple[int, str]], frames: list[float], match: list[int]) -> list[Any]:
    with log.collect() as heard:
        report_events(markers, at(frames), at(BEFORE), np.array(match))
    return heard.of("WARNING")


@pytest.mark.parametrize(
    ("markers", "frames", "match", "texts"),
    [
        ([(11, "left step")], BEFORE, [0, 1, 2, 3], []),
        (
            [(11, "left step")],
            [1, 6, 11, 21, 31],
            [0, -1, 1, 2, 3],
            ["left step of keyframe 1 (frame 11) happens at frame 6 now: give it keyframe 2 there"],
        ),
        ([(1, "left step")], [1, 6, 11, 21, 31], [0, -1, 1, 2, 3], []),
        ([(11, "no event")], [1, 6, 11, 21, 31], [0, -1, 1, 2, 3], []),
        (
            [(11, "left step")],
            [1, 21, 31],
            [0, 2, 3],
            ["left step of keyframe 1 (frame 11) happens at frame 21 now: insert a keyframe at frame 11 again"],
        ),
        ([(31, "left step")], [1, 21, 31], [0, 2, 3], ["left step of keyframe 3 (frame 31) happens never now: give it keyframe 2 there"]),
        (
            [(31, "left step")],
            [1, 11, 21],
            [0, 1, 2],
            [
                "left step of keyframe 3 (frame 31) happens never now: insert a keyframe at frame 31 again, or give it keyframe 2 there, "
                "which is at frame 21"
            ],
        ),
        (
            [(11, "left step")],
            [1, 5, 10, 21, 31],
            [0, -1, -1, 2, 3],
            [
                "left step of keyframe 1 (frame 11) happens at frame 5 now: insert a keyframe at frame 11 again, or give it keyframe 2 "
                "there, which is at frame 10"
            ],
        ),
        ([(16, "left step")], [1, 6, 11, 21, 31], [0, -1, 1, 2, 3], []),  # at no keyframe
        ([(11, "left step")], [1, 13, 21, 31], [0, -1, 2, 3], []),  # its keyframe was edited
        (
            [(11, "left step")],
            [1, 11, 21, 31],
            [0, 2, 1, 3],
            ["left step of keyframe 1 (frame 11) happens at frame 11 now: give it keyframe 2 there"],
        ),
    ],
)
def test_events_that_happen_elsewhere_now(markers: list[tuple[int, str]], frames: list[float], match: list[int], texts: list[str]) -> None:
    assert [message.text.partition("puts them: ")[2].partition("; or")[0] for message in said(markers, frames, match)] == texts


def test_the_first_of_several_is_where_to_look() -> None:
    (message,) = said([(21, "right step"), (11, "left step")], [1, 6, 11, 21, 31], [0, -1, 1, 2, 3])
    assert message.frame == 11 and message.text.index("left step") < message.text.index("right step")


@pytest.mark.parametrize(("circles", "more"), [(1, ""), (2, " (and 1 more such rotation)"), (3, " (and 2 more such rotations)")])
def test_rotations_by_more_than_half_a_circle_are_counted(circles: int, more: str) -> None:
    """By 190 degrees from keyframe to keyframe, and by 200 in the first."""
    frames = np.arange(4) * 10.0 + 1
    angles = np.zeros((4, 2, 3))
    angles[1 : circles + 1, 1, 0] = np.radians(200 + 190 * np.arange(circles))
    angles[circles + 1 :, 1, 0] = angles[circles, 1, 0]
    bones = BoneSamples(angles, np.zeros_like(angles), np.ones_like(angles))
    rig = Rig.build(Body.plain(2).skeleton(), CONVENTION)
    with log.collect() as heard:
        report_half_circles(replace(at(frames.tolist()), bones=bones), rig, LBA1)
    (line,) = heard.digest("WARNING")
    assert f"group 01 rotates by 200 degrees between frames 1 and 11{more}: " in line
