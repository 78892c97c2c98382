"""About which axis a limb bends in each frame, by how it is bent and by the axis of the whole clip, worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.figures.spans import Spans
from retro_anim.core.retarget.transfer.limbs.bend_axes import bend_axes

X, Y, Z = np.eye(3)
NO_JOINTS = np.zeros((0, 2), np.int64)


def leg(sines: list[float], across: Floats = Y) -> tuple[Floats, Floats]:
    """Upper bones of 3 metres, away from straight down by angles of these sines; and whole limbs of 5 metres, which hang down."""
    aside = np.array(sines)[:, None]
    upper = 3 * (aside * across - np.sqrt(1 - aside**2) * Z)
    return upper, np.tile(-5 * Z, (len(sines), 1))


def axes(sines: list[float], counts: tuple[int, ...] = (), joints: NDArray[np.int64] = NO_JOINTS) -> list[int]:
    """1 where it bends about X, -1 where it does the other way."""
    still = np.tile(quat.IDENTITY, (len(sines), 1))
    hinge = np.tile(X, (len(sines), 1))
    result = bend_axes(*leg(sines), still, hinge, Spans(counts or (len(sines),)), joints, lambda values: values)
    assert np.abs(result) == pytest.approx(hinge, abs=1e-9)
    return result[:, 0].round().astype(int).tolist()


@pytest.mark.parametrize(("sine", "axis"), [(-0.5, 1), (-0.1, 1), (0.0, 1), (0.1, 1), (0.19, 1), (0.21, -1), (0.5, -1)])
def test_only_a_clear_bend_against_the_whole_clip_is_one(sine: float, axis: int) -> None:
    """Ahead, towards Y, is against it; where its sine is below 0.2 the limb may but seem so."""
    assert axes([sine]) == [axis]


def test_a_slight_bend_beside_a_clear_one_is_meant() -> None:
    """As long as it is against the whole clip without a break, in its clip; in a loop also over the joint."""
    sines = [0.1, 0.3, 0.1, -0.1, 0.1]
    assert axes(sines) == [-1, -1, -1, 1, 1]
    assert axes(sines, joints=np.array([[0, 4]])) == [-1, -1, -1, 1, -1]
    assert axes(sines, counts=(2, 3)) == [-1, -1, 1, 1, 1]
    assert axes([0.1, -0.1, 0.3], joints=np.array([[0, 2]])) == [-1, 1, -1]


def test_the_less_a_limb_is_bent_the_more_the_axis_of_the_whole_clip_counts() -> None:
    """Bent about Y here: by the square of its sine, against that of 0.02."""
    sines = [0.0, 0.02, 0.04, 0.5]
    still, hinge = np.tile(quat.IDENTITY, (4, 1)), np.tile(X, (4, 1))
    result = bend_axes(*leg(sines, X), still, hinge, Spans((4,)), NO_JOINTS, lambda values: values)
    wanted = np.array([[0.0004, sine**2, 0] for sine in sines])
    assert result == pytest.approx(wanted / np.linalg.norm(wanted, axis=1)[:, None], abs=1e-9)


@pytest.mark.parametrize("size", [1e-6, 0.01, 100.0])
def test_how_long_a_limb_is_does_not_count(size: float) -> None:
    upper, whole = leg([-0.5, 0.02, 0.1, 0.3], X + Y)
    still, hinge = np.tile(quat.IDENTITY, (4, 1)), np.tile(X, (4, 1))
    plain, sized = (bend_axes(by * upper, by * whole, still, hinge, Spans((4,)), NO_JOINTS, lambda values: values) for by in (1.0, size))
    assert sized == pytest.approx(plain, abs=1e-9)


def test_axes_are_smoothed_as_the_bone_carries_them() -> None:
    """It rotates by a right angle about Z from the first frame to the second, and the bend with it; in the third it is twice as large."""
    rotations = quat.about(Z, np.radians([0.0, 90, 90]))
    upper, whole = leg([0.02, 0.02, 0.04], X)
    upper = quat.rotate(rotations, upper)
    hinge = quat.rotate(rotations, np.tile(X, (3, 1)))
    result = bend_axes(upper, whole, rotations, hinge, Spans((3,)), NO_JOINTS, lambda values: np.tile(values.mean(axis=0), (3, 1)))
    wanted = np.array([0.0004, (0.0004 + 0.0004 + 0.0016) / 3, 0])
    assert result == pytest.approx(quat.rotate(rotations, np.tile(wanted / np.linalg.norm(wanted), (3, 1))), abs=1e-9)


@pytest.mark.parametrize("sine", [0.05, 0.19])
def test_a_limb_that_seems_bent_backwards_bends_as_in_a_mirror(sine: float) -> None:
    """Against the whole clip by as much as aside: of both only the first is the other way about, and counts no more for that."""
    still, hinge = quat.IDENTITY[None], X[None]
    result = bend_axes(*leg([sine], (X + Y) / np.sqrt(2)), still, hinge, Spans((1,)), NO_JOINTS, lambda values: values)
    wanted = sine**2 / np.sqrt(2) * (X + Y) + 0.02**2 * X
    assert result[0] == pytest.approx(wanted / np.linalg.norm(wanted), abs=1e-9)
