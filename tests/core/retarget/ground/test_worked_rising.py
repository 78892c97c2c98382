"""By how much a body rises whose boots are in the ground: boots of one point each, a decimetre below their joints, by numbers."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.figures.motion import Motion, Standing
from retro_anim.core.retarget.figures.spans import Spans
from retro_anim.core.retarget.ground.feet import Limb
from retro_anim.core.retarget.ground.pace import Pace
from retro_anim.core.retarget.ground.soles import Sole, Soles
from retro_anim.core.retarget.ground.treads import tread

ANKLE = 0.1
REST = np.tile(np.eye(4), (2, 1, 1))
REST[:, :3, 3] = (0.1, 0, ANKLE), (-0.1, 0, ANKLE)
FIGURE = Figure(
    ("leftFoot", "rightFoot"),
    np.array([-1, -1], np.int32),
    REST,
    np.full(2, 0.05),
    sole_points=np.array([(0.1, 0, 0), (-0.1, 0, 0.0)]),
    sole_weights=np.eye(2),
)


def rise(
    deep: list[tuple[float, float]],
    stands: list[tuple[bool, bool]],
    counts: tuple[int, ...] = (),
    visible: float = 0.0,
    seconds: float = 1.0,
    lies: Floats | float = 0.0,
) -> Floats:
    """deep: of each frame metres by which the left and the right boot are in the ground; stands: whether they stand. seconds: of each
    frame."""
    frames = np.arange(float(len(deep)))
    positions = np.tile(FIGURE.heads, (len(deep), 1, 1))
    positions[:, :, 2] = ANKLE - np.array(deep)
    motion = Motion(frames, np.tile(quat.IDENTITY, (len(deep), 2, 1)), positions, None, Standing.still(FIGURE), counts)
    spans = Spans(counts or (len(deep),))
    none = np.zeros(len(deep))
    by_leg = {name: Sole(bone, (), tread(FIGURE, bone, bone), 0.0, none, none, none) for bone, name in enumerate(FIGURE.names)}
    legs = [Limb(name, (0, 0, bone, bone), np.array(stands)[:, bone]) for bone, name in enumerate(FIGURE.names)]
    known = Soles(FIGURE, by_leg, np.ones(len(deep), bool))
    time = Pace(spans, seconds * frames, [None] * len(spans))
    return known.rise(motion, [*legs, Limb("leftHand", (0, 0, 0, 0), np.ones(len(deep), bool))], time, visible, lies)


BOTH, LEFT, NONE = (True, True), (True, False), (False, False)


def test_a_body_rises_by_what_all_boots_that_stand_are_in_the_ground() -> None:
    """What one of them alone is deeper is for its leg to bend; one above the ground keeps the body down."""
    assert rise([(0.05, 0.02)] * 5, [BOTH] * 5) == pytest.approx(np.full(5, 0.02))
    assert rise([(0.05, 0.02)] * 5, [LEFT] * 5) == pytest.approx(np.full(5, 0.05))
    assert rise([(0.05, -0.02)] * 5, [BOTH] * 5).tolist() == [0] * 5
    assert rise([(0.05, 0.02)] * 5, [NONE] * 5).tolist() == [0] * 5


def test_between_contacts_a_body_rises_evenly() -> None:
    """From 0.06 in frame 4 to 0 in frame 10; before the first contact and behind the last as there. Where that is even, a mean over time
    changes nothing."""
    deep = [(0.06, 0.0)] * 5 + [(0.0, 0.0)] * 11
    stands = [NONE] * 2 + [LEFT] * 3 + [NONE] * 5 + [LEFT] * 3 + [NONE] * 3
    result = rise(deep, stands)
    assert result[:4] == pytest.approx(np.full(4, 0.06)) and result[5:10] == pytest.approx([0.05, 0.04, 0.03, 0.02, 0.01])
    assert result[11:] == pytest.approx(np.zeros(5), abs=1e-12)
    assert 0.05 < result[4] < 0.06 and 0 < result[10] < 0.01, "it does not begin and end with a jerk"


def test_while_no_foot_stands_a_body_rises_by_what_any_boot_is_in_the_ground() -> None:
    """Who leaps off bends no knee for boots that are longer than the source's; and falls from no more than it rises evenly."""
    deep = [(0.0, 0.0)] * 3 + [(0.03, 0.12)] * 5 + [(0.01, -0.2)] * 3 + [(0.04, 0.0)] * 3
    stands = [BOTH] * 3 + [NONE] * 8 + [LEFT] * 3
    result = rise(deep, stands, seconds=0.1)
    assert result[:2] == pytest.approx([0.0, 0.0]) and result[4:7] == pytest.approx([0.12] * 3)
    assert result[9:10] == pytest.approx([0.04 * 7 / 9]) and result[12:] == pytest.approx([0.04, 0.04])


@pytest.mark.parametrize("leads_in", [False, True])
def test_long_before_or_behind_a_stand_a_boot_in_the_ground_is_none_of_the_bodys(leads_in: bool) -> None:
    """In full for a second, and fading in the next. Frames of a tenth of a second, of which the last that stands is the third."""
    deep, stands = [(0.0, 0.0)] * 3 + [(0.03, 0.12)] * 30, [BOTH] * 3 + [NONE] * 30
    result = rise(deep[::-1], stands[::-1], seconds=0.1)[::-1] if leads_in else rise(deep, stands, seconds=0.1)
    assert result[4:12] == pytest.approx(np.full(8, 0.12)) and result[13:22] == pytest.approx(np.linspace(0.108, 0.012, 9))
    assert result[23:] == pytest.approx(np.zeros(10))


@pytest.mark.parametrize(("between", "rises"), [(3, False), (4, True)])
def test_a_body_does_not_bob_where_it_stands_again_at_once(between: int, rises: bool) -> None:
    """Frames of 0.045 seconds: stands that are 0.18 and 0.225 seconds apart."""
    deep, stands = [(0.0, 0.0)] * 5 + [(0.03, 0.12)] * between + [(0.0, 0.0)] * 5, [LEFT] * 5 + [NONE] * between + [LEFT] * 5
    most = float(rise(deep, stands, seconds=0.045).max())
    assert most > 0.06 if rises else most == 0


def test_a_body_that_bears_on_its_knees_does_not_rise_for_its_boots() -> None:
    """By as much less as it does, which smoothing leaves."""
    deep, stands = [(0.0, 0.0)] * 3 + [(0.03, 0.12)] * 8, [BOTH] * 3 + [NONE] * 8
    assert not rise(deep, stands, seconds=0.1, lies=np.repeat([0.0, 1.0], [3, 8])).any()
    assert rise(deep, stands, seconds=0.1, lies=0.25)[4:] == pytest.approx(np.full(7, 0.09))


@pytest.mark.parametrize(("visible", "rises"), [(0.049, True), (0.051, False)])
def test_a_clip_in_which_nobody_sees_it_stays(visible: float, rises: bool) -> None:
    """Each by itself."""
    deep = [(0.05, 0.05)] * 4 + [(0.2, 0.2)] * 4 + [(0.01, 0.01)] * 4
    assert rise(deep, [BOTH] * 12, (4, 4, 4), visible) == pytest.approx(np.repeat([0.05 * rises, 0.2, 0.0], 4))
