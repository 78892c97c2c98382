"""Heads on necks that lean differently: by eye it is the gaze that counts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from retro_anim.core.motion.rotations import rotation_matrix
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.transfer.alignment.align import corrections
from retro_anim.core.retarget.transfer.alignment.reference import goals
from retro_anim.core.retarget.transfer.binding import bind

from .. import rigs

TARGET = rigs.rolled(5)
HEAD, NECK = TARGET.index["head"], TARGET.index["neck"]
UP = np.array([0.0, 0, 1])


def leaning(lean: float, tilt: float) -> Figure:
    """The target with a neck that leans to its front by `lean` degrees, and a head whose bone leans by `tilt`."""
    rest = np.array(TARGET.rest)
    ahead, bent = (rotation_matrix.about(0, np.radians(angle)) for angle in (lean, tilt))
    rest[HEAD, :3, 3] = rest[NECK, :3, 3] + ahead @ (rest[HEAD, :3, 3] - rest[NECK, :3, 3])
    rest[HEAD, :3, :3] = bent @ rest[HEAD, :3, :3]
    return replace(TARGET, rest=rest)


def led(source: Figure) -> tuple[Floats, Floats]:
    """Where up goes with the target's neck and head when it is aligned."""
    rotations = corrections(TARGET, goals(bind(rigs.SAME, source, TARGET, source.heads), np.eye(3)))
    return rotations[NECK] @ UP, rotations[HEAD] @ UP


@pytest.mark.parametrize("lean", [0.0, 20.0, 40.0])
def test_a_head_stays_upright_where_both_are(lean: float) -> None:
    neck, head = led(leaning(lean, 10.0))
    assert np.degrees(np.arccos(min(neck @ UP, 1))) == pytest.approx(lean, abs=1e-4)
    assert head == pytest.approx(UP, abs=1e-12)


def test_a_head_that_rests_bent_goes_with_its_neck() -> None:
    neck, head = led(leaning(40.0, 60.0))
    assert head == pytest.approx(neck, abs=1e-12)


@pytest.mark.parametrize("lean", [0.0, 20.0])
def test_a_bone_across_its_neck_does_not_say_how_the_head_is_held(lean: float) -> None:
    """As importers draw a last bone, of which they know no end."""
    _, head = led(leaning(lean, 90.0))
    assert head == pytest.approx(UP, abs=1e-12)
