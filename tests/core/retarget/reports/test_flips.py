"""Bones that jump where the source does not, in rotations made by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.retarget.figures.maps.bone_map import BoneMap, Chain, PairOptions, RotationMode
from retro_anim.core.retarget.figures.motion import Motion, rest_motion
from retro_anim.core.retarget.options import Options
from retro_anim.core.retarget.reports.clip_reports import _against_flips
from retro_anim.core.retarget.reports.flips import Flips, Jumps
from retro_anim.core.retarget.retarget import Asked, retarget_clips
from retro_anim.core.retarget.setup import prepare

from .. import rigs

BODY = rigs.humanoid()
HEAD = BODY.index["head"]


def nodding(degrees: list[float], aside: float = 5.0) -> Motion:
    """The head rotates about its own X axis, a little aside."""
    rest, count = rest_motion(BODY), len(degrees)
    rotations = np.tile(BODY.quaternions, (count, 1, 1))
    own = quat.multiply(
        quat.about(np.array([1.0, 0, 0]), np.radians(degrees)), quat.about(np.array([0, 0, 1.0]), np.array(np.radians(aside)))
    )
    rotations[:, HEAD] = quat.multiply(rotations[:, HEAD], own)
    return Motion(np.arange(1.0, count + 1), rotations, np.tile(BODY.heads, (count, 1, 1)), None, rest.standing)


@pytest.mark.parametrize(("rotation", "flips"), [("ALL", 0), ("SWING", 1), ("TWIST", 1)])
def test_a_part_of_a_rotation_that_jumps_is_said(rotation: RotationMode, flips: int) -> None:
    """Upside down and a little aside a head is as near to being turned about as not: its swing, and its twist, go over in three frames, of
    which the middle one is a flip. The clips before and behind, which end and begin elsewhere, have none."""
    pairs = [replace(pair, options=PairOptions(rotation=rotation)) if pair.source == "head" else pair for pair in rigs.SAME]
    setup = prepare(BODY, BODY, BoneMap(tuple(pairs)), Options(feet=False))
    degrees: list[float] = np.linspace(150, 210, 20).tolist()
    clips = [Asked(nodding([0.0, 5.0]), "one"), Asked(nodding(degrees), "two"), Asked(nodding([90.0, 85.0]), "three")]
    first, over, last = (result.report for result in retarget_clips(setup, clips, 24.0))
    assert (first.flips, over.flips > 0, last.flips) == (0, flips > 0, 0)
    named = [line for line in over.reasons() if line.startswith("head flips by ")]
    assert len(named) == flips
    if flips:
        assert "into frame 11, where no bone of the source does" in named[0] and over.rotation_excess > 45
        assert named[0].endswith(f": its line takes over the {rotation.lower()} alone; Rotation: All takes over the rest")
    assert (first.flip_frame, over.flip_frame, last.flip_frame) == (0, 11 if flips else 0, 0)


def test_what_helps_against_flips_is_said_by_what_causes_them() -> None:
    """A body of the source's own bones, of which one half its rotation, another is in a chain, and one of a game has no third axis."""
    below = [("leftHand", PairOptions(weight=0.5)), ("head", PairOptions())]
    pairs = [replace(pair, options=dict(below).get(pair.source, pair.options)) for pair in rigs.SAME if pair.source not in ("neck", "head")]
    chain = Chain(("neck", "head"), ("chest", "upperChest", "neck"))
    bone_map = BoneMap(tuple(pair for pair in pairs if pair.target not in chain.target), (chain,))
    locked = np.zeros((len(BODY), 3), bool)
    locked[BODY.index["leftFoot"], 2] = True
    binding = prepare(BODY, replace(BODY, locked=locked), bone_map, Options(feet=False)).binding
    says = {name: _against_flips(binding, BODY.index[name]) for name in ("leftHand", "head", "leftFoot", "rightHand")}
    assert says["leftHand"].startswith("its line has an Influence of 0.5,")
    assert says["head"].startswith("the line of neck above it is a chain")
    assert says["leftFoot"].startswith("its game lets it")
    assert says["rightHand"] == "look at how its line follows, or that of the bone above it"


@pytest.mark.parametrize("apart", [0.5, 1, 2, 4])
def test_keys_that_are_further_apart_may_have_more_between_them(apart: float) -> None:
    """A swing that goes over by nearly 180 degrees, from one key to the next."""
    pairs = [replace(pair, options=PairOptions(rotation="SWING")) if pair.source == "head" else pair for pair in rigs.SAME]
    setup, motion = prepare(BODY, BODY, BoneMap(tuple(pairs)), Options(feet=False)), nodding([176.0, 184.0], 4.0)
    (result,) = retarget_clips(setup, [Asked(replace(motion, frames=motion.frames * apart), "over")], 24.0)
    assert result.report.flips == (apart < 3)


def test_flips_are_counted_beyond_what_any_bone_of_the_source_does_there() -> None:
    """Two clips: the source's head rotates by 90 degrees into the last row of the first, and by 30 into the third of the other."""
    binding = prepare(BODY, BODY, rigs.SAME, Options(feet=False)).binding
    source = replace(nodding([0.0, 0, 0, 90, 90, 90, 120, 120, 120, 120, 120]), counts=(4, 7))
    steps = {5: ([0, 2, 5, 8], [100.0, 140, 60, 50]), 6: ([2], [170.0]), 7: ([2, 8], [134.0, 70])}
    jumps = Jumps({bone: (np.array(rows), np.array(degrees)) for bone, (rows, degrees) in steps.items()})
    first, second = jumps.flips(binding, source)
    assert (first.count, first.bone, first.row, first.degrees, first.beyond) == (3, 5, 1, 100, pytest.approx(100))
    assert (second.count, second.bone, second.row, second.degrees, second.beyond) == (2, 7, 9, 70, pytest.approx(70))
    assert jumps.flips(binding, replace(source, counts=(11,)))[0].count == 5
    assert Jumps().flips(binding, source) == [Flips(), Flips()]


def test_what_the_source_does_is_no_flip() -> None:
    setup = prepare(BODY, BODY, rigs.SAME, Options(feet=False))
    (result,) = retarget_clips(setup, [Asked(nodding([0.0, 100.0, 200.0]), "jumps")], 24.0)
    assert result.report.flips == 0
