"""Which float is what, assumptions for clips that do not fit, and the pose of the worked example."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from retro_anim.core.oni2.files.interpretation import Interpretation, Order
from retro_anim.core.oni2.files.skeleton.skel import Skel
from retro_anim.core.oni2.motion.channels import Column, Layout, layout_for, layout_of, plausible
from retro_anim.core.oni2.motion.evaluate import locals_of, values_at, world_of
from retro_anim.core.reporting import log
from retro_anim.core.reporting.errors import FormatError
from support.oni2.oni2_files import CHANNELS_SKEL, FILE_ORDER, FRAME, GROUPED, ROOT, SPINE, TWO_BONES
from support.oni2.oni2_strategies import short, skels


def named(skel: Skel, layout: Layout) -> list[tuple[str, str]]:
    return [(skel.bones[bone].name, f"{kind}{'XYZ'[axis]}") for bone, kind, axis in layout.columns]


def listed(text: str) -> list[tuple[str, str]]:
    result, bone = [], ""
    for token in text.split():
        if token[-1] in "XYZ":
            result.append((bone, token))
        else:
            bone = token
    return result


@pytest.mark.parametrize(("order", "expected"), [("FILE", FILE_ORDER), ("BONE", FILE_ORDER), ("GROUPED", GROUPED)])
def test_the_worked_example(order: Order, expected: str) -> None:
    skel = Skel.parse(CHANNELS_SKEL.encode())
    layout = layout_of(skel, order)
    assert len(layout) == 19
    assert named(skel, layout) == listed(expected)
    assert layout.held == {Column(2, "rot", 0): 0.5}


def test_within_a_bone_the_order_of_the_lines_counts() -> None:
    skel = Skel.parse(b"bone a { rotZ transX rotX }")
    assert named(skel, layout_of(skel)) == [("a", "rotZ"), ("a", "transX"), ("a", "rotX")]
    assert named(skel, layout_of(skel, "BONE")) == [("a", "transX"), ("a", "rotX"), ("a", "rotZ")]
    assert named(skel, layout_of(skel, "GROUPED")) == [("a", "transX"), ("a", "rotZ"), ("a", "rotX")]


@pytest.mark.parametrize(
    ("count", "assumption"),
    [
        (19, ""),
        (1, "one channel: the root rotates about Y"),
        (16, "without the channels for scale"),
        (18, "the root's translation and every bone's rotation"),
        (20, "locked channels have numbers too"),
        (31, "with scale for every bone that declares none"),
        (33, "the root's translation, every bone's rotation and scale"),
    ],
)
def test_assumptions(count: int, assumption: str) -> None:
    skel = Skel.parse(CHANNELS_SKEL.encode())
    with log.collect() as said:
        layout = layout_for(skel, count)
    assert (len(layout), layout.assumption) == (count, assumption)
    assert [assumption in message.text for message in said.messages] == [True] * bool(assumption)


def test_clips_that_fit_nothing_state_both_counts() -> None:
    with pytest.raises(FormatError, match=r"17 channels.*has 19"):
        layout_for(Skel.parse(CHANNELS_SKEL.encode()), 17)


def test_one_channel_is_the_skeletons_own_where_it_has_just_one() -> None:
    skel = Skel.parse(b"bone door { offset 0 0 0 bone hinge { offset 1 0 0 rotX } }")
    assert layout_for(skel, 1).columns == (Column(1, "rot", 0),)


@pytest.mark.parametrize(
    ("count", "bones", "token"), [(1, 1, "Y"), (2, 3, "door"), (3, 1, "prop"), (6, 1, "chain"), (120, 39, "kno"), (162, 53, "xkno")]
)
def test_without_a_skeleton(count: int, bones: int, token: str) -> None:
    with log.collect() as said:
        skel = plausible(count)
    assert (len(skel.bones), len(layout_of(skel))) == (bones, count)
    assert token in said.messages[0].text
    assert said.messages[0].level == "WARNING"


@pytest.mark.parametrize("count", [4, 5, 7, 121, 3 * 10_001 + 3])
def test_without_a_skeleton_some_counts_fit_nothing(count: int) -> None:
    with pytest.raises(FormatError, match=f"{count} channels fit no plain one"):
        plausible(count)


def pose(skel: Skel, values: tuple[float, ...], **options: Any) -> np.ndarray:
    interpretation = Interpretation(**options)
    layout = layout_for(skel, len(values), interpretation.order)
    return world_of(skel, locals_of(skel, layout, np.array([values]), interpretation))[0]


def test_the_pose_of_the_worked_example() -> None:
    world = pose(Skel.parse(TWO_BONES.encode()), FRAME)
    assert np.abs(world[0, :3] - ROOT).max() < 1e-6
    assert np.abs(world[1, :3] - SPINE).max() < 1e-6


def test_the_root_added_to_its_offset() -> None:
    world = pose(Skel.parse(TWO_BONES.encode()), FRAME, offset="ADD")
    assert world[0, :3, 3] == pytest.approx((0.1, 2.05, -0.3))
    assert np.abs(world[0, :3, :3] - ROOT[:, :3]).max() < 1e-6


def test_locked_axes_and_scale() -> None:
    skel = Skel.parse(b"bone a { offset 1 2 3 transY lock 5 rotX lock 0.5 scaleX scaleY lock 2 bone b { offset 1 1 1 } }")
    world = pose(skel, (3.0,))
    rotated = np.array([[1, 0, 0], [0, np.cos(0.5), -np.sin(0.5)], [0, np.sin(0.5), np.cos(0.5)]])
    assert world[0, :3] == pytest.approx(np.column_stack([rotated * [3, 2, 1], [1, 5, 3]]))
    assert world[1, :3, 3] == pytest.approx(np.array([1, 5, 3]) + rotated @ [3, 2, 1])
    assert pose(skel, (3.0,), scale="IGNORE")[0, :3, :3] == pytest.approx(rotated)
    assert pose(skel, (3.0,), offset="ADD")[0, :3, 3] == pytest.approx([1, 7, 3])


def independent(skel: Skel, layout: Layout, values: np.ndarray) -> list[np.ndarray]:
    """World matrices bone by bone from elementary rotations, in the order that the description gives."""
    world: list[np.ndarray] = []
    for index, bone in enumerate(skel.bones):
        position, angle, size = list(bone.offset), [0.0] * 3, [1.0] * 3
        for column, value in [*layout.held.items(), *zip(layout.columns, values, strict=True)]:
            if column.bone == index:
                {"trans": position, "rot": angle, "scale": size}[column.kind][column.axis] = value
        (cx, cy, cz), (sx, sy, sz) = np.cos(angle), np.sin(angle)
        rx = np.array([[1, 0, 0], [0, cx, -sx], [0, sx, cx]])
        ry = np.array([[cy, 0, sy], [0, 1, 0], [-sy, 0, cy]])
        rz = np.array([[cz, -sz, 0], [sz, cz, 0], [0, 0, 1]])
        local = np.eye(4)
        local[:3, :3] = ry @ rz @ rx @ np.diag(size)
        local[:3, 3] = position
        world.append(local if bone.parent < 0 else world[bone.parent] @ local)
    return world


@given(skels(), st.data(), st.sampled_from(["FILE", "BONE", "GROUPED"]))
def test_any_skeleton_against_an_independent_calculation(skel: Skel, data: st.DataObject, order: Order) -> None:
    layout = layout_of(skel, order)
    values = np.array(data.draw(st.lists(short, min_size=len(layout), max_size=len(layout))))
    result = world_of(skel, locals_of(skel, layout, values[None], Interpretation(order)))[0]
    expected = np.array(independent(skel, layout, values))
    assert np.allclose(result, expected, atol=1e-6 * max(1.0, np.abs(expected).max()))


def test_between_frames_it_goes_straight() -> None:
    values = np.array([[0, 10], [4, 20], [6, 40]], np.float32)
    assert values_at(values, np.array([-1, 0, 0.25, 1.5, 2, 9])).tolist() == [[0, 10], [0, 10], [1, 12.5], [5, 30], [6, 40], [6, 40]]
