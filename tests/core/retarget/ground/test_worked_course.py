"""The heading of a game's character by hand: how far a clip turns it, and the string that is pulled taut between the bounds of its hips."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.ground.course import Start, course, sway

HERE = np.zeros((1, 2))


def headings(
    hips: list[float] | Floats, path: Floats = HERE, straight: bool = False, loop: int | None = None, fps: float = 8.0, start: float = 0.0
) -> Floats:
    """Degrees of degrees, of legs of 2 metres. path: of a point, one who stays."""
    line = np.tile(path, (len(hips), 1)) if len(path) == 1 else path
    return np.degrees(course(np.radians(np.array(hips)), line, Start(np.radians(start), straight), 2.0, fps, loop))


def spike(row: int, degrees: float, count: int = 11) -> list[float]:
    return [degrees if each == row else 0.0 for each in range(count)]


@pytest.mark.parametrize(("fps", "heading"), [(8.0, 105 - 5), (1.0, 110), (12.0, 290 / 3 - 10)])
def test_a_clip_turns_from_where_it_begins_to_where_it_ends(fps: float, heading: float) -> None:
    """By what the hips turn from the first to the last quarter of a second, in means: of two frames, one, and three."""
    result = headings([0, 10, 20, 50, 70, 80, 100, 110], fps=fps, start=200)
    assert (result[0], result[-1]) == pytest.approx((200, 200 + heading))


@pytest.mark.parametrize(("hips", "heading"), [(29.0, 0.0), (31.0, 31.0), (-29.0, 0.0), (-31.0, -31.0), (30.0, 30.0)])
def test_less_than_30_degrees_are_another_stance(hips: float, heading: float) -> None:
    assert headings([0.0] * 4 + [hips] * 4)[-1] == pytest.approx(heading)


@pytest.mark.parametrize(("lead", "by_lead"), [(29.0, 0.0), (40.0, 40.0)])
@pytest.mark.parametrize(("once", "more"), [(0.4, 0.0), (0.6, 0.6), (-25.0, -25.0)])
@pytest.mark.parametrize("straight", [False, True])
def test_a_loop_behind_a_lead_turns_by_itself(lead: float, by_lead: float, once: float, more: float, straight: bool) -> None:
    """The lead by the mean of a quarter of a second from where the loop begins, or not at all on a straight way; the loop by what its ends
    are apart, half a degree at least."""
    hips = [0.0, 0.0, 0.0, lead - 1, lead + 1, lead, lead - 1 + once]
    result = headings(hips, straight=straight, loop=3, start=10)
    at_loop = 0.0 if straight else by_lead
    assert result[[0, 3, 6]] == pytest.approx(10 + np.array([0.0, at_loop, at_loop + more]))


def test_a_clip_that_ends_where_its_loop_begins_has_none() -> None:
    """It turns as any other, by the means of two frames."""
    assert headings([0, 0, 0, 60, 80], loop=4)[-1] == pytest.approx(70)


@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize("degrees", [15, 60, 170])
def test_an_arc_turns_by_the_angle_that_it_spans(side: int, degrees: float) -> None:
    """Wherever it begins; 30 metres in radius."""
    angles = np.radians(degrees) * np.linspace(0, 1, 21)
    line = [7, 5] + 30 * np.stack([1 - np.cos(angles), -np.sin(angles)], axis=1) * [side, 1]
    assert headings([0.0] * 21, line, True)[-1] == pytest.approx(side * degrees)


@pytest.mark.parametrize(("aside", "bends"), [(0.159, False), (0.161, True), (-0.159, False), (-0.161, True)])
def test_a_way_may_sway_by_eight_hundredths_of_a_leg(aside: float, bends: bool) -> None:
    """2 metres long, aside in its middle: a bend there is twice 2 atan(aside), back from that side."""
    line = np.array([[3, 0], [3 - aside, -1], [3, -2.0]])
    assert headings([0.0, 0, 0], line, True)[-1] == pytest.approx(4 * np.degrees(np.arctan(aside)) if bends else 0)
    assert headings([0.0, 0, 0], 10 * line, True)[-1] == pytest.approx(4 * np.degrees(np.arctan(aside))), "ten times as large it does bend"


@pytest.mark.parametrize(("aside", "bends"), [(1.7, False), (1.8, True)])
def test_a_way_bends_from_ten_degrees_on(aside: float, bends: bool) -> None:
    """Over 80 metres: 4 atan(1.7 / 40) are 9.7 degrees, with 1.8 they are 10.3."""
    line = np.array([[0, 0], [-aside, -40], [0, -80.0]])
    assert headings([0.0, 0, 0], line, True)[-1] == pytest.approx(4 * np.degrees(np.arctan(aside / 40)) if bends else 0)


def test_the_middle_of_a_way_is_where_half_of_it_is_covered() -> None:
    """Not of the frames, nor where it is furthest aside."""
    line = np.array([[1, 1], [4, -2], [5, -4], [3, -5], [2, -6], [1, -9], [1, -11.0]])
    first, second = np.array([2, -6]), np.array([-2, -6])
    wanted = 2 * np.degrees(np.arctan2(first[0] * second[1] - first[1] * second[0], first @ second))
    assert headings([0.0] * 7, line, True)[-1] == pytest.approx(wanted)


@pytest.mark.parametrize("side", [1, -1])
def test_a_string_is_taut_around_what_hips_do(side: int) -> None:
    """60 degrees beside them in a clip that does not turn: around 130 it goes through 70, in a straight line each way."""
    assert side * headings(spike(5, side * 130.0)) == pytest.approx([0, 14, 28, 42, 56, 70, 56, 42, 28, 14, 0])


@pytest.mark.parametrize(("straight", "loop"), [(True, None), (False, 0), (True, 0)])
@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize("row", [5, 9])
def test_hips_sway_about_their_middle_where_a_clip_goes_straight_on_or_is_a_loop(
    straight: bool, loop: int | None, side: int, row: int
) -> None:
    """Of 0 and 130 degrees it is 65: 5 beyond to each side."""
    wanted = [0.0] + [5.0 if each == row else -5.0 for each in range(1, 10)] + [0.0]
    assert side * headings(spike(row, side * 130.0), straight=straight, loop=loop) == pytest.approx(wanted)


@pytest.mark.parametrize("side", [1, -1])
def test_a_string_is_taut_in_the_lead_and_in_the_loop(side: int) -> None:
    """It begins anew where the loop does."""
    hips = spike(4, side * 130.0, 9) + spike(3, side * 130.0, 8)
    wanted = np.interp(np.arange(17), [0, 4, 8, 12, 16], [0, 70, 0, 70, 0])
    assert side * headings(hips, loop=8) == pytest.approx(wanted)


@pytest.mark.parametrize("side", [1, -1])
def test_a_string_comes_to_its_heading_where_a_loop_begins(side: int) -> None:
    """Also where hips look 58 degrees away from that. They sway by 70 to both sides: 10 beyond."""
    hips = np.zeros(17)
    hips[[4, 8, 12, 16]] = 70, 58, -70, 58
    wanted = np.interp(np.arange(17), [0, 4, 8, 12, 16], [0, 10, 0, -10, 0])
    assert side * headings(side * hips, straight=True, loop=8) == pytest.approx(wanted)


@pytest.mark.parametrize(("degrees", "follows"), [(119.0, 0.0), (121.0, 61.0)])
def test_hips_that_swing_by_no_more_than_120_degrees_swing_about_their_middle(degrees: float, follows: float) -> None:
    assert headings(spike(5, degrees))[5] == pytest.approx(follows)
    assert headings(spike(5, degrees), loop=1)[5] == pytest.approx(follows)


@pytest.mark.parametrize(("heading", "slack"), [(31.0, 20.0), (29.0, 60.0)])
def test_hips_sway_less_in_a_clip_that_turns(heading: float, slack: float) -> None:
    """By 20 degrees beside a line from the first heading to the last, instead of 60: of 150 in between more than either is followed."""
    hips = [0.0] * 3 + [150.0] + [heading] * 3
    assert headings(hips)[3] == pytest.approx(150 - slack)


def test_a_turn_that_hips_make_evenly_is_followed_evenly() -> None:
    """Beside it they sway by 19 degrees about their middle."""
    line, swing = np.linspace(0, 180, 19), 19.0 * np.array([*[0.0] * 4, *[1, -1] * 5, *[0.0] * 5])
    assert headings(line + swing, loop=0) == pytest.approx(line)


def test_a_long_clip_is_pulled_taut_as_a_whole() -> None:
    """300 frames with two spikes; the hips beside these are within 60 degrees of it as well."""
    hips = [0.0] * 100 + [130.0] + [0.0] * 99 + [-130.0] + [0.0] * 99
    assert headings(hips) == pytest.approx(
        np.interp(np.arange(300), [0, 99, 100, 101, 199, 200, 201, 299], [0, 60, 70, 60, -60, -70, -60, 0])
    )
    assert headings([40.0] * 300, start=-20) == pytest.approx(np.full(300, -20))


def test_hips_sway_by_half_of_what_they_look_to_both_sides() -> None:
    assert sway(np.array([1.0, 3.0, 2.0]), np.array([0.5, 1.0, 3.0])) == pytest.approx((2 - -1) / 2)
