"""Names of the other side, and partners by them."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import numpy as np
import pytest
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.figures.columns import Columns
from retro_anim.core.retarget.figures.maps.bone_map import BoneMap, Pair
from retro_anim.core.retarget.options import Align, Options
from retro_anim.core.retarget.setup import prepare
from retro_anim.core.retarget.transfer import mirror
from retro_anim.core.retarget.transfer.binding import bind

from .. import rigs
from ..mapping.given import figure_of


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("leftArm", "rightArm"),
        ("Arm.L", "Arm.R"),
        ("l_arm", "r_arm"),
        ("RIGHT", "LEFT"),
        ("ArmLeft", "ArmRight"),
        ("lower", "lower"),
        ("L", "R"),
        ("spine", "spine"),
        ("armleft", "armright"),
        ("wingRight", "wingLeft"),
        ("LEFT_WING", "RIGHT_WING"),
        ("Wing_r_02", "Wing_l_02"),
        ("L.wing", "R.wing"),
        ("wing.l.001", "wing.r.001"),
        ("cleft", "cleft"),
        ("bright", "bright"),
        ("upright", "upright"),
        ("cleft.L", "cleft.R"),
        ("leftover.R", "leftover.L"),
        ("Left", "Right"),
        ("R2_wing", "L2_wing"),
        ("rwing", "rwing"),
        ("wing", "wing"),
    ],
)
def test_the_name_of_the_other_side(name: str, other: str) -> None:
    """A word that merely ends in a side is none."""
    assert mirror.other_name(name) == other


def test_bones_without_a_role_have_partners_by_their_names() -> None:
    """Where the target has a bone of that name, and it follows something; else they are their own."""
    names = ["hips", "wing.L", "wing.R", "fin.L", "fin.R", "cleft", "cright", "ear.L"]
    figure = figure_of(names, [-1] + [0] * 7, np.arange(24.0).reshape(8, 3))
    pairs = [Pair(name, name) for name in names if name != "fin.R"]
    binding = bind(BoneMap((replace(pairs[0], role="hips"), *pairs[1:])), figure, figure, figure.heads)
    partners = {binding.named(row): binding.named(partner) for row, partner in enumerate(mirror.partners(binding))}
    assert partners == {"hips": "hips", "wing.L": "wing.R", "wing.R": "wing.L", "fin.L": "fin.L"} | {
        name: name for name in ("cleft", "cright", "ear.L")
    }


def test_bones_of_roles_have_partners_by_these_whatever_they_are_called() -> None:
    names = ["hips", "hand.L", "foot.L", "hand.R"]
    figure = figure_of(names, [-1, 0, 0, 0], np.arange(12.0).reshape(4, 3))
    pairs = tuple(Pair(name, name, role) for name, role in zip(names, ("hips", "leftHand", "rightHand", "leftFoot"), strict=True))
    assert mirror.partners(bind(BoneMap(pairs), figure, figure, figure.heads)) == [0, 2, 1, 3]


def test_vectors_are_reflected_in_any_plane() -> None:
    """The plane through (3, 4, 0) and up has the normal (4, -3, 0) / 5."""
    normal = np.array([0.8, -0.6, 0.0])
    assert mirror.reflect_vectors(np.array([[3.0, 4, 7], [4, -3, 1]]), normal) == pytest.approx(np.array([[3, 4, 7], [-4, 3, 1]]))
    rotations = np.array([[0.6, 0.0, 0.0, 0.8], [0.6, 0.64, -0.48, 0.0]])
    mirrored = np.array([[0.6, 0, 0, -0.8], [0.6, 0.64, -0.48, 0]])
    assert mirror.reflect_rotations(rotations, normal) == pytest.approx(mirrored)
    assert mirror.reflect_rotations(rotations[None], normal) == pytest.approx(mirrored[None])


_ARM = ("UpperArm", "LowerArm", "Hand", "Proximal")


@pytest.mark.parametrize("numbered", [True, False], ids=["names and roles say no sides", "one arm"])
@pytest.mark.parametrize("aside", [0.0, 5.0])
def test_what_has_no_other_side_points_as_it_does(numbered: bool, aside: float) -> None:
    """Two that stand alike, but for longer arms: nothing is to be rotated. aside: metres that one stands beside the other."""
    source = replace(rigs.humanoid(), world=np.array([[1.0, 0, 0, aside], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]))
    lengths = np.array([1.3 if "Arm" in name else 1.0 for name in rigs.NAMES])
    target, bone_map = rigs.humanoid(offsets=rigs.OFFSETS * lengths[:, None]), rigs.SAME
    if numbered:
        target = replace(target, names=tuple(f"bone_{bone}" for bone in range(len(target))))
        bone_map = BoneMap(tuple(map(Pair, rigs.NAMES, target.names)))
    else:
        bone_map = BoneMap(tuple(pair for pair in rigs.SAME if not (pair.source.startswith("left") and pair.source.endswith(_ARM))))
    setup = prepare(source, target, bone_map, Options(mirror=True))
    assert quat.apart(setup.references, target.quaternions).max() < 1e-6


def test_of_a_motion_only_what_is_asked_for_is_mirrored() -> None:
    """A large figure's would take memory and time for some soles."""
    plain = rigs.dance(rigs.humanoid())[1]
    asked: list[int] = []

    def column(bone: int) -> Floats:
        asked.append(bone)
        return plain.positions[:, bone]

    rotations = Columns(plain.rotations.shape, lambda bone: plain.rotations[:, bone])
    lazy = replace(plain, rotations=cast(Floats, rotations), positions=cast(Floats, Columns(plain.positions.shape, column)))
    across = np.array([1.0, 0, 0])
    shown = mirror.Mirror(across, across).motion(lazy)
    rotated = np.array([[np.cos(0.2), np.sin(0.2), 0, 0], [np.cos(0.3), 0, np.sin(0.3), 0]])
    assert mirror.Mirror(across, across).rotations(rotated) == pytest.approx(rotated * [1, 1, -1, -1]), "about X goes on, about others back"
    assert mirror.Mirror(None, None).rotations(rotated) is rotated
    assert np.array_equal(shown.positions[:, 3], plain.positions[:, 3] * [-1, 1, 1])
    assert np.array_equal(shown.rotations[:, 3], plain.rotations[:, 3] * [1, 1, -1, -1])
    assert asked == [3]


@pytest.mark.parametrize("align", ["AUTO", "TPOSE"])
@pytest.mark.parametrize("side", ["left", "right"])
def test_a_shoe_on_one_foot_shows_in_the_mirror(align: Align, side: str) -> None:
    """Its tip is behind the ankle: as of the source that is drawn in the mirror."""
    offsets = rigs.OFFSETS.copy()
    offsets[rigs.NAMES.index(f"{side}Toes"), 1] *= -1
    source, target = rigs.humanoid(rigs.random_rotations(3), offsets), rigs.humanoid(rigs.random_rotations(5), 1.2 * rigs.OFFSETS)
    shown = prepare(source, target, rigs.SAME, Options(mirror=True, align=align))
    drawn = prepare(rigs.mirrored(source), target, rigs.SAME, Options(align=align))
    assert quat.apart(shown.references, drawn.references).max() < 1e-6
