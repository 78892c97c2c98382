"""Events of keyframes that others have moved, by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from retro_anim.core.lba.motion.events import report_events
from retro_anim.core.lba.motion.sampled import Sampled
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
            ["left step of keyframe 1 (frame 11) happens at frame 21 now: give it another keyframe there"],
        ),
        ([(31, "left step")], [1, 21, 31], [0, 2, 3], ["left step of keyframe 3 (frame 31) happens never now: give it keyframe 2 there"]),
        (
            [(31, "left step")],
            [1, 11, 21],
            [0, 1, 2],
            ["left step of keyframe 3 (frame 31) happens never now: give it another keyframe there"],
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
