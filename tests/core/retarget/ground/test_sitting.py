"""Whoever sits with stretched legs, kneels or lies is on the ground with whatever touches it there, not with ankles as high as those of one
who stands on their soles: a target's ankles may be higher above its soles than the source's."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.retarget import retarget
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.figures.motion import Local, Motion
from retro_anim.core.retarget.figures.walk import forward
from retro_anim.core.retarget.options import Options
from retro_anim.core.retarget.setup import prepare

from .. import rigs

LEG, FRAMES, X = 0.83, 60, np.array([1.0, 0.0, 0.0])

ANKLE, HIGHER = 0.09, 0.08
"""Metres from the made-up humanoid's soles up to its ankles, and by how much more the target's are above its own."""

BENDS = {
    "lies on its face": {"hips": 90.0},
    "sits with stretched legs": {"leftUpperLeg": -90.0, "rightUpperLeg": -90.0},
    "kneels": {"leftLowerLeg": 90.0, "rightLowerLeg": 90.0},
}
"""Degrees about the lateral axis. All of these have the shins level."""

LOWEST = 0.06
"""Metres of the lowest joint above the ground, with flesh about it."""


KNEES_UP = {"leftUpperLeg": -100.0, "rightUpperLeg": -100.0, "leftLowerLeg": 35.0, "rightLowerLeg": 35.0}
"""The same of one who sits low with the legs ahead, whose shins lean by 65 degrees: on its heels, as its ankles are lower than those of one
who stands."""


def goes_down(figure: Figure, bends: dict[str, float], still: bool, ankle: float = ANKLE) -> Motion:
    """It stands on its soles and goes down, or is down all the time; the arms hang down or lie beside the body. ankle: metres above the
    soles."""
    share = np.ones(FRAMES) if still else np.interp(np.arange(FRAMES), [10, 35], [0, 1])
    rotations = np.broadcast_to(quat.IDENTITY, (FRAMES, len(figure), 4)).copy()
    for name, degrees in {**bends, "leftUpperArm": 60.0, "rightUpperArm": -60.0}.items():
        axis = X if name in bends else np.array([0.0, 1.0, 0.0])
        rotations[:, figure.names.index(name)] = quat.about(axis, np.radians(degrees) * share)
    moved = forward(figure, np.arange(1.0, FRAMES + 1), Local(np.zeros((FRAMES, len(figure), 3)), rotations))
    feet = [figure.names.index(side + "Foot") for side in ("left", "right")]
    least = np.where(np.isin(np.arange(len(figure)), feet), ankle + (LOWEST - ankle) * share[:, None], LOWEST)
    locations = np.zeros((FRAMES, len(figure), 3))
    locations[:, 0, 2] = (least - moved.positions[:, :, 2]).max(axis=1)
    return forward(figure, moved.frames, Local(locations, rotations))


@pytest.mark.parametrize("still", [False, True])
@pytest.mark.parametrize("pose", BENDS)
def test_whoever_is_down_does_not_float_by_the_height_of_its_ankles(pose: str, still: bool) -> None:
    source, target = rigs.without_toes(0.0), rigs.without_toes(HIGHER)
    motion = goes_down(source, BENDS[pose], still)
    result = retarget.retarget(prepare(source, target, rigs.SAME, Options(), motion=motion), motion, 30.0, "clip")
    lowest = forward(target, motion.frames, result.local).positions[-20:, :, 2].min(axis=1)
    assert motion.positions[-20:, :, 2].min(axis=1) == pytest.approx(np.full(20, LOWEST), abs=1e-6)
    assert lowest == pytest.approx(np.full(20, LOWEST), abs=0.02 * LEG)


@pytest.mark.parametrize("still", [False, True])
def test_ankles_that_are_lower_than_on_soles_are_not_on_them(still: bool) -> None:
    """Where the shins lean, too: the source's ankles are 0.06 m lower than at rest, and the target's, 0.09 m above its soles, as low."""
    source, target = rigs.without_toes(0.03), rigs.without_toes(0.0)
    motion = goes_down(source, KNEES_UP, still, ANKLE + 0.03)
    result = retarget.retarget(prepare(source, target, rigs.SAME, Options(), motion=motion), motion, 30.0, "clip")
    lowest = forward(target, motion.frames, result.local).positions[-20:, :, 2].min(axis=1)
    assert motion.positions[-20:, :, 2].min(axis=1) == pytest.approx(np.full(20, LOWEST), abs=1e-6)
    assert lowest == pytest.approx(np.full(20, LOWEST), abs=0.02 * LEG)


@pytest.mark.parametrize("pose", BENDS)
def test_a_body_that_floats_is_told_where_nothing_brings_it_down(pose: str) -> None:
    source, target = rigs.without_toes(0.0), rigs.without_toes(HIGHER)
    motion = goes_down(source, BENDS[pose], still=False)
    result = retarget.retarget(prepare(source, target, rigs.SAME, Options(feet=False), motion=motion), motion, 30.0, "clip")
    above = forward(target, motion.frames, result.local).positions[-1, :, 2].min() - LOWEST
    assert above > 0.05 * LEG and result.report.off_body * LEG == pytest.approx(above, abs=1e-3)
    assert any(line.startswith("the body lies") and "above the ground" in line for line in result.report.reasons())
