"""The motion in a .dae by hand: which order of rotations is meant, which frames are taken, and keys that are meant to be at frames."""

from __future__ import annotations

import re

import numpy as np
import pytest
from retro_anim.core.motion.rotations.rotation_matrix import Floats, from_quaternion
from retro_anim.core.oni.motion.evaluate import local_rotations
from retro_anim.core.oni.xml import dae_motion
from retro_anim.core.oni.xml.dae_motion import DaeMotion
from retro_anim.core.reporting import log
from retro_anim.core.reporting.errors import FormatError
from support.oni import oni_dae

from ..example import OFFSETS

UPRIGHT = np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]])
"""Of a file with Z up: its Z is the game's Y."""

FRAMES = 5
ROOT = np.random.default_rng(11).uniform(-3, 12, (FRAMES + 1, 3))


def text_of(pelvis: tuple[float, float, float], frames: int = FRAMES) -> str:
    """A file with Y up. pelvis: degrees about X, Y and Z, the same in all frames."""
    angles = np.zeros((frames, 19, 3))
    angles[:, 0] = pelvis
    return oni_dae.dae(angles, ROOT[: frames + 1], OFFSETS)


def z_up(text: str, tool: str = "Tool") -> str:
    tooled = f"<asset><contributor><authoring_tool>{tool}</authoring_tool></contributor>"
    return text.replace("Y_UP", "Z_UP").replace("<asset>", tooled)


def pelvis_of(motion: DaeMotion) -> Floats:
    """(3, 3) in the first frame."""
    return from_quaternion(local_rotations(motion.rotations, np.array([0.0])))[0, 0]


def written(degrees: tuple[float, float, float]) -> Floats:
    return UPRIGHT @ oni_dae.matrix(np.array(degrees))


def reversed_order(degrees: tuple[float, float, float]) -> Floats:
    """About Z last."""
    return UPRIGHT @ oni_dae.about(2, degrees[2]) @ oni_dae.about(1, degrees[1]) @ oni_dae.about(0, degrees[0])


@pytest.mark.parametrize(
    ("pelvis", "tool", "is_reversed"),
    [
        ((90.0, 0.0, 18.0), "Tool", False),
        ((90.0, 0.0, 17.0), "Tool", True),
        ((90.0, 0.0, 18.0), "OniSplit v0.9", True),
        ((90.0, -30.0, 60.0), "Tool", False),
        ((90.0, -45.0, 60.0), "Tool", True),
    ],
)
def test_angles_are_meant_in_the_other_order_unless_the_pelvis_stands_clearly_so(
    pelvis: tuple[float, float, float], tool: str, is_reversed: bool
) -> None:
    """By how high its X axis points. About X by 90 degrees: as they are written the sine of Z, in the other order that of -Y. It is clear
    where that is 0.3 more: the sine of 17.46 degrees. What OniSplit wrote is always meant so."""
    motion = dae_motion.read(z_up(text_of(pelvis), tool).encode())
    assert pelvis_of(motion) == pytest.approx((reversed_order if is_reversed else written)(pelvis), abs=3e-4)


def test_only_nodes_as_onisplit_writes_them_have_the_other_order() -> None:
    """A position, then rotations about X, Y and Z: of the pelvis, and of every other bone. What follows these stays behind them."""
    pelvis = (90.0, 10.0, 5.0)
    plain = z_up(text_of(pelvis))
    assert pelvis_of(dae_motion.read(plain.encode())) == pytest.approx(reversed_order(pelvis), abs=3e-4)
    moved = re.sub(r'(<node id="head"[^>]*>)(<translate [^<]*</translate>)((?:<rotate [^<]*</rotate>)*)', r"\1\3\2", plain)
    other_axis = plain.replace('<rotate sid="rotX">1 0 0', '<rotate sid="rotX">0 1 0', 1)
    assert moved != plain != other_axis
    assert pelvis_of(dae_motion.read(moved.encode())) == pytest.approx(written(pelvis), abs=3e-4)
    about = oni_dae.about(1, 90) @ oni_dae.about(1, 10) @ oni_dae.about(2, 5)
    assert pelvis_of(dae_motion.read(other_axis.encode())) == pytest.approx(UPRIGHT @ about, abs=3e-4)
    assert pelvis_of(dae_motion.read(plain.replace("Z_UP", "Y_UP").encode())) == pytest.approx(UPRIGHT.T @ written(pelvis), abs=3e-4)
    behind = re.sub(r'(<node id="pelvis".*?rotZ">[^<]*</rotate>)', r"\1<translate>1 2 3</translate>", plain, count=1)
    motion = dae_motion.read(behind.encode())
    first = UPRIGHT @ (ROOT[0] + UPRIGHT.T @ reversed_order(pelvis) @ [1, 2, 3])
    assert [float(motion.path[0, 0]), float(motion.heights[0]), float(motion.path[0, 1])] == pytest.approx(first, abs=1e-5)


def test_an_upright_pelvis_of_which_each_bone_has_other_axes() -> None:
    """It is as it is written, and its axes are converted on either side, as those of all others, and where they stand."""
    pelvis = (90.0, 0.0, 60.0)
    angles = np.zeros((FRAMES, 19, 3))
    angles[:, 0] = pelvis
    motion = dae_motion.read(z_up(oni_dae.dae(angles, ROOT, OFFSETS @ UPRIGHT)).encode())
    assert pelvis_of(motion) == pytest.approx(written(pelvis) @ UPRIGHT.T, abs=3e-4)
    assert motion.offsets[1:] == pytest.approx(OFFSETS[1:])


@pytest.mark.parametrize(
    ("start", "end", "rows"),
    [
        (0, 0, range(FRAMES)),
        (1, 4, range(1, 4)),
        (2, 4, range(2, 4)),
        (0, 1, range(1)),
        (FRAMES - 1, 0, range(FRAMES - 1, FRAMES)),
        (FRAMES, 0, range(FRAMES)),
        (3, 3, range(3)),
        (-1, 2, range(2)),
        (0, 99, range(FRAMES)),
        (0, -2, range(FRAMES)),
    ],
)
def test_which_frames_are_taken(start: int, end: int, rows: range) -> None:
    """From a start that is before the end, else from the first; up to an end that is not one of them, else to the last."""
    motion = dae_motion.read(text_of((0.0, 0.0, 0.0)).encode(), start, end)
    taken = ROOT[rows.start : rows.stop + 1]
    assert motion.heights == pytest.approx(taken[:-1, 1], abs=1e-5)
    assert motion.path == pytest.approx(taken[:, [0, 2]], abs=1e-5)
    fields = motion.fields
    assert (fields["frame_count"], fields["duration"], fields["bone_count"], fields["compression"]) == (len(rows), len(rows), 19, 6)
    assert fields["velocities"]["x"] == pytest.approx(np.diff(taken[:, 0]), abs=1e-5)
    assert fields["velocities"]["z"] == pytest.approx(np.diff(taken[:, 2]), abs=1e-5)


@pytest.mark.parametrize(
    ("metres", "factor", "says"), [("0.1", 1.0, False), ("0.10000005", 1.0, False), ("0.2", 2.0, True), ("0.05", 0.5, True)]
)
def test_a_unit_of_the_game_is_a_tenth_of_a_metre(metres: str, factor: float, says: bool) -> None:
    with log.collect() as said:
        motion = dae_motion.read(text_of((0.0, 0.0, 0.0)).replace('meter="0.1"', f'meter="{metres}"').encode())
    assert motion.heights == pytest.approx(factor * ROOT[:-1, 1], rel=1e-5) and motion.path == pytest.approx(
        factor * ROOT[:, [0, 2]], rel=1e-5
    )
    assert motion.offsets[1:] == pytest.approx(factor * OFFSETS[1:], rel=1e-5) and not motion.offsets[0].any()
    assert said.digest() == ([f"a unit of {float(metres):g} metres: positions are multiplied by {factor:g}"] if says else [])


@pytest.mark.parametrize(("late", "degrees"), [(0.008, 90.0), (0.02, 90 / 1.02)])
def test_a_key_that_is_all_but_at_a_frame_is_at_it(late: float, degrees: float) -> None:
    """By less than a hundredth of a frame; else the curve is on its way there."""
    curve = oni_dae.animation(999, "head/rotX.ANGLE", np.array([0.0, 90.0])).replace(">0 0.01666667<", f">0 {(1 + late) / 60:.9f}<")
    text = text_of((0.0, 0.0, 0.0))
    block = next(part for part in re.findall(r"<animation>.*?</animation>\n", text, re.DOTALL) if 'target="head/rotX.ANGLE"' in part)
    keys = dae_motion.read(text.replace(block, curve).encode()).rotations.track(10)[1]
    assert keys[1].tolist() == [round(degrees * 65535 / 360), 0, 0]


def test_what_stands_still_has_keys_at_its_ends_alone() -> None:
    """A bone that moves in the middle keeps the keys around that; each is the steps of 360 / 65535 degrees of its angle."""
    angles = np.zeros((7, 19, 3))
    angles[3:5, 4, 2] = 90
    root = np.zeros((8, 3))
    rotations = dae_motion.read(oni_dae.dae(angles, root, OFFSETS).encode()).rotations
    assert [rotations.track(bone)[0].tolist() for bone in (0, 4)] == [[0, 6], [0, 2, 3, 4, 5, 6]]
    assert rotations.track(4)[1].tolist() == [[0, 0, 0], [0, 0, 0], [0, 0, 16384], [0, 0, 16384], [0, 0, 0], [0, 0, 0]]


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("left_", "l_", "no node for left_thigh, left_calf, left_foot, left_shoulder and 3 more: a character has 19 bones"),
        ("pelvis", "hips", "no node for pelvis: a character has 19 bones"),
    ],
)
def test_bones_that_are_missing_are_named(old: str, new: str, problem: str) -> None:
    with pytest.raises(FormatError, match=problem):
        dae_motion.read(text_of((0.0, 0.0, 0.0)).replace(old, new).encode())
