"""Lines of chains of another number of bones, worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.figures.maps.bone_map import BoneMap, Chain, Pair
from retro_anim.core.retarget.figures.motion import Local, Motion
from retro_anim.core.retarget.figures.walk import forward
from retro_anim.core.retarget.options import Options
from retro_anim.core.retarget.retarget import Asked, retarget_clips
from retro_anim.core.retarget.setup import prepare

from ..mapping.given import figure_of


def tail(*heights: float) -> Figure:
    """Hips half a metre up, and on them bones from these heights on; the last one ends three metres up."""
    heads = np.outer([0.5, *heights], (0, 0, 1.0))
    tails = np.vstack([heads[1:], [[0, 0, 3.0]]])
    return figure_of(["hips", *"abcd"[: len(heights)]], list(range(-1, len(heights))), heads, tails)


@pytest.mark.parametrize("weight", [1.0, 0.5])
def test_one_bone_that_follows_two_is_beside_where_they_bend(weight: float) -> None:
    """The second of two, a metre each, bends by 90 degrees: a single one of two metres points where that does, and its end is a metre
    short of the first one's and a metre beyond the second's. In a clip that bends by nothing it is on the line, and with less influence
    nobody expects it there."""
    source, target = tail(1.0, 2.0), tail(1.0)
    bone_map = BoneMap((Pair("hips", "hips", "hips"),), (Chain(("a", "b"), ("a",), "tail", weight=weight),))
    rotations = np.tile(quat.IDENTITY, (3, 3, 1))
    rotations[2, 2] = quat.about(np.array([1.0, 0, 0]), np.array(np.pi / 2))
    motion = forward(source, np.arange(3.0), Local(np.zeros((3, 3, 3)), rotations))
    setup = prepare(source, target, bone_map, Options(feet=False))
    still, bent = retarget_clips(setup, [Asked(motion.at(slice(0, 2)), "still"), Asked(motion, "bent")], 30.0)
    assert (still.report.chain_off, still.report.chain_off_which) == (pytest.approx(0, abs=1e-6), "")
    if weight == 1:
        assert bent.report.chain_off == pytest.approx(np.sqrt(2) / 2)
        assert (bent.report.chain_off_which, bent.report.chain_off_frame) == ("a", 2)
    else:
        assert bent.report.chain_off == 0


def joints(figure: Figure, motion: Motion) -> Floats:
    """(F, n + 1, 3) of all bones but the first, and the end of the last."""
    last = len(figure) - 1
    away = quat.multiply(motion.rotations[:, last], quat.conjugate(figure.quaternions[last]))
    end = motion.positions[:, last] + quat.rotate(away, figure.tails[last] - figure.heads[last])
    return np.concatenate([motion.positions[:, 1:], end[:, None]], axis=1)


def furthest(source: Floats, target: Floats, parts: tuple[Floats, Floats], count: int) -> Floats:
    """(F,) the same as the report's number, by going along both chains in small steps of which each is as long as the target's. parts: of
    both chains, where along it at rest each bone ends, from 0 to 1."""
    most, away = np.zeros(len(target)), np.zeros((len(target), 3))
    for part in (np.arange(count) + 0.5) / count:
        one, two = (int(np.sum(part > each)) for each in parts)
        begins = 0.0 if two == 0 else parts[1][two - 1]
        step = (target[:, two + 1] - target[:, two]) / (parts[1][two] - begins) / count
        line = source[:, one + 1] - source[:, one]
        away += step - line * (np.linalg.norm(step, axis=1) / np.linalg.norm(line, axis=1))[:, None]
        most = np.maximum(most, np.linalg.norm(away, axis=1))
    return most / np.linalg.norm(np.diff(target, axis=1), axis=2).sum(axis=1)


@pytest.mark.parametrize(("ones", "twos"), [((1.0, 1.5, 2.5), (1.0, 2.2)), ((1.0, 2.2), (1.0, 1.2, 1.5, 2.5)), ((1.0,), (1.0, 1.4))])
def test_as_far_as_small_steps_along_both_lead_apart(ones: tuple[float, ...], twos: tuple[float, ...]) -> None:
    """At the frame at which that is most."""
    source, target = tail(*ones), tail(*twos)
    names = tuple("abcd"[: len(ones)]), tuple("abcd"[: len(twos)])
    setup = prepare(source, target, BoneMap((Pair("hips", "hips", "hips"),), (Chain(*names, "tail"),)), Options(feet=False))
    rotations = np.random.default_rng(3).normal(size=(5, len(source), 4)) * [0.1, 0.2, 0.2, 0.2] + quat.IDENTITY
    rotations[:, 0] = quat.IDENTITY
    motion = forward(source, np.arange(5.0), Local(np.zeros((5, len(source), 3)), rotations / np.linalg.norm(rotations, axis=2)[..., None]))
    (result,) = retarget_clips(setup, [Asked(motion, "bent")], 30.0)
    parts = tuple((np.array([*each[1:], 3.0]) - 1.0) / 2.0 for each in (ones, twos))
    expected = furthest(joints(source, motion), joints(target, result.motion), (parts[0], parts[1]), 200)
    assert result.report.chain_off == pytest.approx(expected.max(), abs=1e-4)
    assert result.report.chain_off_frame == np.argmax(expected)
    assert result.report.chain_off_which == f"a…{names[1][-1]}"
