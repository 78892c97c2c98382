"""When a foot stands, by its height and its speed, against the same reckoned clip by clip and sample by sample."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.figures.spans import Spans
from retro_anim.core.retarget.ground import contacts


def stretches(touching: list[bool]) -> list[tuple[int, int]]:
    """Of one clip, from the first sample up to the one behind the last."""
    edges = [False, *touching, False]
    starts = [at for at in range(len(touching)) if edges[at + 1] and not edges[at]]
    return [(start, next(at for at in range(start, len(touching) + 1) if not edges[at + 1])) for start in starts]


@pytest.mark.parametrize(
    ("away", "lasting"),
    [
        ([0.0, 5.0, 5.0, 0.0, 1.0, 2.0, 3.0], (1.0, 5)),  # two frames are no contact
        ([0.5, 0.5, 0.5, -3.0, -2.0, -1.0], (-1.0, 4)),
        ([1.0, -1.0, 1.0, -1.0], (0.0, 1)),
        ([2.0, 1.0], (1.0, 1)),
        ([-0.3], (-0.3, 0)),
    ],
)
def test_what_is_off_for_as_long_as_a_contact(away: list[float], lasting: tuple[float, int]) -> None:
    assert contacts.lasting(np.array(away)) == lasting


@pytest.mark.parametrize("counts", [(12,), (1,), (5, 1, 6), (3, 3, 4, 2)])
@pytest.mark.parametrize("seed", range(4))
def test_runs_are_stretches_within_clips(counts: tuple[int, ...], seed: int) -> None:
    spans, touching = Spans(counts), np.random.default_rng(seed).random(sum(counts)) < 0.6
    given = contacts.runs(touching, spans)
    wanted = [(rows.start + start, rows.start + stop) for rows in spans.rows for start, stop in stretches(touching[rows].tolist())]
    assert list(zip(given.starts.tolist(), given.stops.tolist(), strict=True)) == wanted and len(given) == len(wanted)
    assert given.lengths.tolist() == [stop - start for start, stop in wanted]
    samples, run = given.samples()
    assert samples.tolist() == [sample for start, stop in wanted for sample in range(start, stop)]
    assert run.tolist() == [number for number, (start, stop) in enumerate(wanted) for _ in range(start, stop)]
    long = given.of(given.lengths > 1)
    assert list(zip(long.starts.tolist(), long.stops.tolist(), strict=True)) == [each for each in wanted if each[1] - each[0] > 1]


def test_speed_is_that_over_the_ground() -> None:
    """Of a parabola its slope, whatever the times between samples, and whatever the height; at the ends of a clip of the one step there
    is. A clip of one sample stands still."""
    seconds = np.array([0.0, 0.1, 0.3, 0.6, 5.0, 7.0, 7.5])
    positions = np.stack([3 * seconds**2, 4 * seconds**2, np.sin(seconds)], axis=1)
    speeds = contacts.speed(positions, seconds, Spans((4, 1, 2)))
    assert speeds[1:3] == pytest.approx([10 * 0.1, 10 * 0.3])
    assert speeds[[0, 3]] == pytest.approx([5 * (0.1 + 0.0), 5 * (0.3 + 0.6)])
    assert speeds[4] == 0 and speeds[5:] == pytest.approx([5 * 14.5] * 2)


def foot(heights: list[float], step: float = 0.0) -> Floats:
    """A point at these heights, which goes so far from one sample to the next."""
    return np.stack([step * np.arange(len(heights)), np.zeros(len(heights)), heights], axis=1)


def still(count: int) -> Floats:
    """A body on the spot."""
    return np.zeros((count, 3))


@pytest.mark.parametrize(("height", "stands"), [(0.15, True), (0.17, False)])
def test_a_foot_stands_that_is_low(height: float, stands: bool) -> None:
    """Less than 0.08 of the leg, which is 2 here, above where it is at its lowest."""
    positions = foot([5.0] * 6 + [5 + height] * 3 + [5.0] * 6)
    touching = contacts.standing(positions, np.arange(15) / 10, 2.0, None, Spans((15,)))
    assert touching.tolist() == [True] * 6 + [stands] * 3 + [True] * 6


@pytest.mark.parametrize(("step", "stands"), [(0.069, True), (0.071, False)])
def test_a_foot_stands_that_is_slow(step: float, stands: bool) -> None:
    """Less than 0.35 leg lengths a second, of a leg of 2 at 10 samples a second."""
    touching = contacts.standing(foot([0.0] * 9, step), np.arange(9) / 10, 2.0, None, Spans((9,)))
    assert touching.tolist() == [stands] * 9


def test_a_foot_that_touches_the_ground_for_two_samples_does_so_in_passing() -> None:
    """One alone does not slide, and three are a stand, as are two beside a stand."""
    low = "x---xx----xxx---xx-xxxx-xx"
    near = foot([0.0 if each == "x" else 1.0 + at for at, each in enumerate(low)])
    stands, also_held = contacts.foot_contacts(near, np.arange(len(low)) / 10, 1.0, Spans((len(low),)), still(len(low)))
    assert "".join(".x"[int(each)] for each in stands) == "..........xxx...xxxxxxxxxx"
    assert "".join(".x"[int(each)] for each in also_held) == "....xx...................."
    two = contacts.foot_contacts(foot([0.0] * 4), np.arange(4) / 10, 1.0, Spans((2, 2)), still(4))
    assert [each.tolist() for each in two] == [[False] * 4, [True] * 4]


@pytest.mark.parametrize(
    ("heights", "rests"),
    [
        ([0.3] * 4, True),
        ([0.3] * 3, False),  # for 0.2 seconds
        ([0.3, 0.33, 0.3, 0.27, 0.3], True),
        ([0.3, 0.36, 0.3, 0.24, 0.3], False),  # further from its middle than 0.05
        ([0.3, 0.331, 0.361, 0.392, 0.422, 0.452], False),  # slowly on its way
        ([0.3, 0.3, 0.34, 0.34], False),  # faster than 0.35 a second, with no rest of 0.3 seconds before or behind
    ],
)
def test_a_foot_that_rests_on_something_higher_is_held_and_shows_no_ground(heights: list[float], rests: bool) -> None:
    """As one on a step of stairs: at 10 samples a second, of a leg of 1, between stands on the ground."""
    every = np.array([0.0, 0.0, 0.0, *heights, 0.0, 0.0, 0.0])
    positions = np.stack([0 * every, 0 * every, every], axis=1)
    stands, also_held = contacts.foot_contacts(positions, np.arange(len(every)) / 10, 1.0, Spans((len(every),)), still(len(every)))
    assert stands.tolist() == [True] * 3 + [False] * len(heights) + [True] * 3
    assert also_held.tolist() == [False] * 3 + [rests] * len(heights) + [False] * 3


@pytest.mark.parametrize(("step", "count", "stands"), [(0.02, 12, False), (0.02, 8, True), (0.009, 30, True), (0.011, 30, False)])
def test_a_foot_that_glides_steadily_over_the_ground_does_not_stand(step: float, count: int, stands: bool) -> None:
    """At 10 samples a second, of a leg of 1: further than 0.15 from its first to its last sample, and faster than 0.1 a second."""
    seconds, spans, gliding = np.arange(count) / 10, Spans((count,)), foot([0.0] * count, step)
    given, also_held = contacts.foot_contacts(gliding, seconds, 1.0, spans, still(count))
    assert given.tolist() == [stands] * count and not also_held.any()
    assert contacts.foot_contacts(gliding, seconds, 1.0, spans, 1.1 * gliding)[0].all(), "the body goes on over it"


def test_a_foot_that_goes_there_and_back_stands() -> None:
    positions = foot([0.0] * 20)
    positions[:, 0] = 0.2 * np.sin(np.linspace(0, np.pi, 20))
    assert contacts.foot_contacts(positions, np.arange(20) / 10, 1.0, Spans((20,)), still(20))[0].all()


def test_no_foot_rests_from_one_clip_to_the_next() -> None:
    heights = np.array([0.0, 0.0, 0.0, 0.3, 0.3, 0.3, 0.3, 0.3, 0.0, 0.0, 0.0])
    positions = np.stack([0 * heights, 0 * heights, heights], axis=1)
    _, also_held = contacts.foot_contacts(positions, np.arange(11) / 10, 1.0, Spans((6, 5)), still(11))
    assert not also_held.any()


def test_how_far_a_point_goes_in_each_run() -> None:
    ends = np.array([[0, 0, 0], [3, 4, 9], [3, 4, 0], [50, 0, 0], [50, 1, 0], [50, 0, 0]], float)
    runs = contacts.Runs(np.array([4, 10]), np.array([7, 13]))
    assert contacts.paths(ends, runs).tolist() == [5.0, 2.0]


def test_each_clip_has_its_own_ground() -> None:
    """Where the point is at its lowest, or where it is said to be. A sample of fifty may be lower."""
    positions = foot([3.0] * 4 + [5.0] * 4)
    seconds, spans = np.arange(8) / 10, Spans((4, 4))
    assert contacts.standing(positions, seconds, 1.0, None, spans).tolist() == [True] * 8
    assert contacts.standing(positions, seconds, 1.0, None, Spans((8,))).tolist() == [True] * 4 + [False] * 4
    assert contacts.standing(positions, seconds, 1.0, np.array([2.0, 5.0]), spans).tolist() == [False] * 4 + [True] * 4
    deep = foot([0.0] * 25 + [-1.0] + [0.0] * 25)
    wanted = [True] * 51
    assert contacts.standing(deep, np.arange(51) / 10, 1.0, None, Spans((51,))).tolist() == wanted


def test_how_far_a_standing_foot_slides() -> None:
    """The way over the ground from sample to sample while it touches, by the time of that, in leg lengths: of 3, 4 and 12 the second clip's
    step of 12 is to a sample that does not touch."""
    positions = np.array([[0, 0, 0], [3, 4, 9], [3, 4, 0], [100, 0, 0], [0, 0, 0], [12, 0, 0], [0, 0, 0]], float)
    seconds = np.array([0.0, 0.5, 2.0, 3.0, 4.0, 5.0, 6.0])
    touching = np.array([1, 1, 1, 0, 1, 0, 1], bool)
    assert contacts.skate(positions, seconds, touching, 2.0, Spans((4, 3))) == pytest.approx([5 / 2.0 / 2, 0])
    assert contacts.skate(positions, seconds / 100, touching, 2.0, Spans((4, 3))) == pytest.approx([500 / 2.0 / 2, 0]), "in short, too"
    assert contacts.skate(positions, seconds, np.ones(7, bool), 2.0, Spans((3, 4))) == pytest.approx([5 / 2 / 2, (100 + 24) / 3 / 2])
