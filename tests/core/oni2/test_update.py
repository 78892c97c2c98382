"""Curves and back: untouched clips keep every bit, edits change what they are about, the root motion is computed anew when it changed."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from retro_anim.core.motion.curves import Channel, Curve, Curves, straight
from retro_anim.core.motion.sampling import BoneSamples
from retro_anim.core.oni2.files import anim as files
from retro_anim.core.oni2.files.anim import Anim, Kind
from retro_anim.core.oni2.files.header import Header
from retro_anim.core.oni2.files.skeleton.skel import Skel
from retro_anim.core.oni2.motion.channels import layout_for
from retro_anim.core.oni2.motion.motion import DELTA, Conversion
from retro_anim.core.oni2.motion.sampling import Samples
from retro_anim.core.oni2.motion.update import Before, _round_trip, strangers
from retro_anim.core.reporting import log
from retro_anim.core.reporting.errors import ExportError
from support.oni2.oni2_files import CHANNELS_SKEL, FRAME, TWO_BONES
from support.oni2.oni2_strategies import anims

from .conversions import clips, conversion_of, conversions, exported, frames_of, gather, imported, sampled, update


@given(clips())
def test_any_clip_comes_back_bit_by_bit(clip: tuple) -> None:
    conversion, anim = clip
    assert exported(imported(anim, conversion), conversion, Header.of(anim), anim).pack() == anim.pack()


@pytest.mark.filterwarnings("ignore:overflow", "ignore:invalid value")
@settings(max_examples=40)
@given(conversions(), st.data())
def test_any_finite_numbers_come_back(conversion: Conversion, data: st.DataObject) -> None:
    """Also those that Blender's own numbers cannot hold once they are moved or scaled."""
    anim = data.draw(anims(channels=len(conversion.layout)))
    assert exported(imported(anim, conversion), conversion, Header.of(anim), anim).pack() == anim.pack()


def test_a_whole_path_longer_than_any_number_is_no_matter_along_axes_that_the_stride_does_not_hold() -> None:
    most = float(np.finfo(np.float32).max)
    table = np.tile(np.array([most / 3, 0, 0.5], "f4"), (4, 1))
    anim = files.build("ani", 0, np.array([0, 0, 2.0]), 0, np.tile(np.array(FRAME, "f4"), (4, 1)), table)
    conversion = conversion_of(Skel.parse(TWO_BONES.encode()))
    assert exported(imported(anim, conversion), conversion, Header.of(anim), anim).pack() == anim.pack()


@given(clips())
def test_without_the_file_the_motion_is_the_same(clip: tuple) -> None:
    conversion, anim = clip
    new = exported(imported(anim, conversion), conversion, Header.of(anim), None)
    assert (new.kind, new.flags, new.loop) == (anim.kind, anim.flags, anim.loop)
    assert np.abs(new.values - anim.values).max() < 1e-3  # numbers up to 300, less an offset, scaled, as 32-bit ones
    rotations = [index for index, column in enumerate(conversion.layout.columns) if column.kind == "rot"]
    assert np.array_equal(new.values[:, rotations], anim.values[:, rotations])
    if anim.deltas is not None:
        assert new.deltas is not None
        assert np.array_equal(new.deltas, anim.deltas)


def two_bones(kind: Kind = "null", count: int = 4, deltas: bool = False, loops: bool = False) -> Anim:
    """The root goes 0.1 along X and -0.3 along Z with each frame."""
    values = np.tile(np.array(FRAME, "f4"), (count, 1))
    values[:, :3] += np.arange(count)[:, None] * np.array([0.1, 0, -0.3])
    table = np.tile(np.array([0.125, 0, -0.25], "f4"), (count, 1)) if deltas else None
    stride = np.array([0.3, 0, -0.9]) if table is None else table.sum(axis=0).astype(float)
    return files.build(kind, int(loops and kind == "ANI1"), stride, int(loops), values, table)


def edited(curves: Curves, channel: Channel, frame: int, by: float) -> Curves:
    curve = curves[channel]
    values = curve.values.copy()
    values[frame] += np.float32(by)
    return {**curves, channel: Curve(curve.frames, values)}


@pytest.mark.parametrize("root_motion", ["BONE", "OBJECT", "NONE"])
@pytest.mark.parametrize("kind", ["null", "ANI1", "ani"])
def test_an_edited_angle_changes_one_number(kind: Kind, root_motion: str) -> None:
    conversion = conversion_of(Skel.parse(TWO_BONES.encode()), root_motion=root_motion)
    anim = two_bones(kind, deltas=kind == "ANI1")
    curves = edited(imported(anim, conversion), Channel("spine", "rotation_euler", 1), 2, 0.25)
    new = exported(curves, conversion, Header.of(anim), anim)
    assert np.argwhere(new.table != anim.table).tolist() == [[2, 7]]
    assert new.values[2, 7] == np.float32(0.75)
    assert np.array_equal(new.stride, anim.stride)


@pytest.mark.parametrize("kind", ["null", "ANI1", "ani"])
def test_a_moved_root_has_another_stride(kind: Kind) -> None:
    conversion = conversion_of(Skel.parse(TWO_BONES.encode()))
    anim = two_bones(kind)
    new = exported(edited(imported(anim, conversion), Channel("root", "location", 2), 3, -0.5), conversion, Header.of(anim), anim)
    assert np.argwhere(new.table != anim.table).tolist() == [[3, 2]]
    assert new.stride.tolist() == pytest.approx([0.3, 0, -1.4][3 - len(anim.stride) :], abs=1e-6)


@pytest.mark.parametrize("loops", [False, True])
@pytest.mark.parametrize(
    ("axis", "start", "end", "lost"),
    [
        (0, "null", "null", "1.8 m along X by frame 4, "),
        (1, "null", "null", "1.5 m along Y by frame 4, "),
        (2, "null", "null", ""),
        (None, "null", "null", ""),
        (0, "null", "ANI1", ""),
        (None, "ANI1", "null", "0.3 m along X by frame 4, "),
        (0, "ani", "ani", "1.8 m along X by frame 4, "),  # of one number by its flags
    ],
)
def test_a_stride_that_the_kind_does_not_hold_is_named(axis: int | None, start: Kind, end: Kind, lost: str, loops: bool) -> None:
    """1.5 metres more than the file's 0.3 along X; of a clip that is played once the root's channels have it all."""
    conversion, anim = conversion_of(Skel.parse(TWO_BONES.encode())), two_bones(start, loops=loops)
    curves = imported(anim, conversion)
    if axis is not None:
        channel = Channel("root", "location", axis)
        values = curves[channel].values + np.float32(0.5) * np.arange(len(curves[channel].values), dtype="f4")
        curves[channel] = Curve(curves[channel].frames, values)
    with log.collect() as said:
        exported(curves, conversion, Header.of(anim).as_kind(end), anim)
    named = [(f"root goes {lost}" in message.text, message.bone, message.frame) for message in said.messages]
    assert named == ([(True, "root", 4)] if lost and (loops or start != end) else [])
    wide = "; choose the kind ANI1, or set bit 0 of the flags" if end == "ani" else "; choose the kind ANI1"
    assert all(message.text.endswith(wide) for message in said.messages)


@pytest.mark.parametrize("rotated", [False, True])
def test_a_root_that_its_property_rotates_has_no_field_for_that(rotated: bool) -> None:
    conversion, anim = conversion_of(Skel.parse(TWO_BONES.encode())), two_bones("null")
    curves, frames = imported(anim, conversion), conversion.timing.frames(np.arange(4.0))
    samples = replace(gather(curves, frames, sampled(curves, frames, conversion), conversion, None), rotated=rotated)
    said = strangers(samples, conversion, Header.of(anim))
    assert ["the root's property root_turn rotates it" in line for line in said] == [True] * rotated


def test_a_loop_that_sways_has_no_stride_sideways() -> None:
    """The last frame is beside the first one, and the step back is like all others."""
    conversion, anim = conversion_of(Skel.parse(TWO_BONES.encode())), two_bones("null", loops=True)
    curves = imported(anim, conversion)
    channel = Channel("root", "location", 0)
    curves[channel] = Curve(curves[channel].frames[:4], np.array([0, 0.2, 0.1, -0.1], "f4"))
    with log.collect() as said:
        exported(curves, conversion, Header.of(anim), None)
    assert said.messages == []


def test_how_far_a_loop_goes_that_has_a_key_to_close_it() -> None:
    """The root goes 2 metres in the file's frames, and one more to the key with which it starts again."""
    frames, still = np.arange(3.0), np.zeros((3, 3))
    samples = Samples(frames, BoneSamples(*np.zeros((3, 3, 1, 3))), np.ones((3, 1, 3)), still, False, None, onwards=np.array([0.0, 0, 1]))
    assert _round_trip(samples, np.array([[0.0, 0, 0], [0, 0, 1], [0, 0, 2]])).tolist() == [0, 0, 3]


@pytest.mark.parametrize(
    ("path", "stride", "key", "by", "now"),
    [
        ([0, 0.2, 0.1, -0.1], 0.0, 1, 0.5, 0.0),  # sways, and comes back
        ([0, 0.2, 0.1, -0.1], -0.9, 1, 0.5, -0.9),  # the same, and the game moves it by itself
        ([0, -0.3, -0.6, -0.9], -1.2, 1, 0.5, -1.2),
        ([0, -0.3, -0.6, -0.9], -1.2, 0, 0.5, -1.2),  # its first frame
        ([0, -0.3, -0.6, -0.9], -1.2, 3, 0.5, -1.2),  # its last one
        ([0, -0.3, -0.6, -0.9], -1.2, 4, -0.5, -1.7),  # the key that closes it
        ([0, 0.2, 0.1, -0.1], -0.9, 4, -0.5, -1.4),  # the same, which shows 0 of -0.9
        ([0, -0.3, -0.6, -0.9], -1.2, [0, 4], [0.5, 0.001], -1.2),  # it follows the first one
        ([0, -0.3, -0.6, -0.9], -1.2, [0, 4], [-0.2, -0.5], -1.5),
        ([0, -0.3, -0.6, -0.9], -1.2, [0, 4], [0.2, -0.5], -1.7),
        ([0, -0.3, -0.6, -0.9], -1.2, range(5), 5.3, -1.2),  # all of them
        ([0, -0.3, -0.6, -0.9], -1.2, range(5), 100.1, -1.2),
    ],
)
def test_a_loop_goes_as_far_as_the_key_that_closes_it(
    path: list[float], stride: float, key: int | list[int] | range, by: float | list[float], now: float
) -> None:
    conversion, values = conversion_of(Skel.parse(TWO_BONES.encode())), np.tile(np.array(FRAME, "f4"), (4, 1))
    values[:, 2] += path
    anim = files.build("null", 0, np.array([0, 0, stride]), 1, values, None)
    curves, every, channel = imported(anim, conversion), conversion.timing.frames(np.arange(5.0)), Channel("root", "location", 2)
    keys = curves[channel].at(every).astype(np.float32)
    keys[np.asarray(key)] += np.asarray(by, np.float32)
    frames, closing = every[:4], float(every[4])
    curves[channel] = Curve(frames.astype(np.float32), keys[:4], straight(every.astype(np.float32), keys))
    samples = gather(curves, frames, sampled(curves, frames, conversion), conversion, closing)
    new = update(samples, conversion, Header.of(anim), Before.of(anim, conversion))
    assert new.stride.tolist() == pytest.approx([now], abs=1e-6)
    assert now != stride or new.stride.tobytes() == anim.stride.tobytes()


def test_a_stride_of_three_numbers_for_a_kind_of_one_is_named() -> None:
    conversion, anim = conversion_of(Skel.parse(TWO_BONES.encode())), two_bones("null")
    with log.collect() as said:
        new = exported(imported(anim, conversion), conversion, replace(Header.of(anim), stride=(4.0, 0.0, -2.0)), anim)
    assert new.stride.tolist() == [-2]
    assert ["4 m along X" in message.text for message in said.messages] == [True]


@pytest.mark.parametrize("root_motion", ["BONE", "OBJECT", "NONE"])
def test_a_moved_root_has_other_deltas_just_there(root_motion: str) -> None:
    """In the file's axes frame 2 lies 0.5 further along Z: the step to it is longer, the one from it shorter."""
    conversion = conversion_of(Skel.parse(TWO_BONES.encode()), root_motion=root_motion)
    anim = two_bones("ANI1", deltas=True)
    where = {"BONE": ("root", "location", 2), "OBJECT": ("", "location", 1), "NONE": ("root", '["root_motion"]', 1)}[root_motion]
    by = 0.5 if root_motion == "BONE" else -0.5
    new = exported(edited(imported(anim, conversion), Channel(*where), 2, by), conversion, Header.of(anim), anim)
    assert new.deltas is not None
    assert anim.deltas is not None
    change = new.deltas - anim.deltas
    assert change == pytest.approx(np.array([[0, 0, 0], [0, 0, 0.5], [0, 0, -0.5], [0, 0, 0]]), abs=1e-6)
    assert np.array_equal(new.deltas[[0, 3]], anim.deltas[[0, 3]])
    assert new.stride == pytest.approx(anim.stride, abs=1e-6)


def test_edited_deltas_are_taken_as_they_are() -> None:
    conversion = conversion_of(Skel.parse(TWO_BONES.encode()))
    anim = two_bones("ANI1", deltas=True)
    new = exported(edited(imported(anim, conversion), Channel("root", f'["{DELTA}"]', 2), 1, -1), conversion, Header.of(anim), anim)
    assert new.deltas is not None
    assert new.deltas[:, 2].tolist() == [-0.25, -1.25, -0.25, -0.25]
    assert np.array_equal(new.values, anim.values)
    assert new.stride.tolist() == [0.5, 0, -2]


@pytest.mark.parametrize(("loops", "last"), [(True, -0.3), (False, 0.0)])
def test_new_deltas_are_the_roots_steps(loops: bool, last: float) -> None:
    conversion = conversion_of(Skel.parse(TWO_BONES.encode()))
    anim = two_bones("null", loops=loops)
    header = Header.of(anim).as_kind("ANI1").with_deltas(True)
    new = exported(imported(anim, conversion), conversion, header, anim)
    assert new.deltas is not None
    assert new.deltas[:, 2].tolist() == pytest.approx([-0.3, -0.3, -0.3, last], abs=1e-6)
    assert new.loops == loops
    assert new.stride.tolist() == pytest.approx(new.deltas.sum(axis=0).tolist(), abs=1e-6)


def test_without_a_closing_key_a_loop_goes_on_as_it_ended() -> None:
    """The step back to the start is as long as the last one, where no key shows it."""
    conversion = conversion_of(Skel.parse(TWO_BONES.encode()), root_motion="BONE")
    curves = imported(two_bones("null"), conversion)
    for channel in [channel for channel in curves if channel.property == "location"]:
        values = curves[channel].values.copy()
        values[1:] += values[1:] - values[:-1]  # the first step is twice as long, then three times, twice: no two of one length
        values[-1] += (values[-1] - values[-2]) / 2
        curves[channel] = Curve(curves[channel].frames, values)
    header = Header.of(two_bones("ANI1", loops=True)).with_deltas(True)
    new = exported(curves, conversion, header, None)
    assert new.deltas is not None
    steps = new.deltas[:, 2]
    assert steps[-1] == steps[-2] != steps[1]


@pytest.mark.parametrize("start", ["null", "ANI1", "ani"])
@pytest.mark.parametrize("end", ["null", "ANI1", "ani"])
@pytest.mark.parametrize("loops", [False, True])
def test_kinds_change_into_one_another(start: Kind, end: Kind, loops: bool) -> None:
    conversion = conversion_of(Skel.parse(TWO_BONES.encode()))
    anim = two_bones(start, loops=loops)
    new = exported(imported(anim, conversion), conversion, Header.of(anim).as_kind(end), anim)
    assert (new.kind, new.loops) == (end, loops)
    assert np.array_equal(new.values, anim.values)
    assert new.stride[-1] == anim.stride[-1]
    assert Anim.parse(new.pack()).pack() == new.pack()
    if start == end:
        assert new.pack() == anim.pack()


def test_the_beta_dialect_needs_three_numbers_a_bone() -> None:
    """Of a root with two channels it cannot be."""
    conversion = conversion_of(Skel.parse(b"bone root { offset 0 0 0 transZ rotY }"))
    anim = files.build("null", 0, np.zeros(3), 0, np.zeros((2, 2), "f4"), None)
    with pytest.raises(ExportError, match="the beta dialect has three numbers a bone and three for the root, not 2"):
        exported(imported(anim, conversion), conversion, Header.of(anim).as_kind("beta"), anim)


def test_deltas_need_a_kind_that_has_them() -> None:
    with pytest.raises(ExportError, match="cannot hold the root's deltas"):
        Header("null").with_deltas(True)
    assert not Header("ANI1", deltas=True).as_kind("ani").deltas


def test_a_stride_that_is_given_wins() -> None:
    conversion = conversion_of(Skel.parse(TWO_BONES.encode()))
    anim = two_bones("ani")
    new = exported(imported(anim, conversion), conversion, replace(Header.of(anim), stride=(7.0,)), anim)
    assert new.stride.tolist() == [7.0]


def test_longer_and_shorter_clips() -> None:
    conversion = conversion_of(Skel.parse(TWO_BONES.encode()))
    anim = two_bones(count=4)
    curves = imported(anim, conversion)
    short = {channel: Curve(curve.frames[:3], curve.values[:3]) for channel, curve in curves.items()}
    assert np.array_equal(exported(short, conversion, Header.of(anim), anim).table, anim.table[:3])
    rotation = Channel("spine", "rotation_euler", 0)
    longer = {
        **curves,
        rotation: Curve(np.append(curves[rotation].frames, 7).astype("f4"), np.append(curves[rotation].values, 0.2).astype("f4")),
    }
    new = exported(longer, conversion, Header.of(anim), anim)
    assert len(new.table) == 7
    assert np.array_equal(new.table[:4], anim.table)
    assert new.values[4:, 6] == pytest.approx([-0.2, 0, 0.2], abs=1e-6)
    assert np.abs(new.values[4:, :6] - anim.values[3, :6]).max() < 1e-6
    late = {rotation: Curve(np.array([1, 4e7], "f4"), np.zeros(2, "f4"))}
    with pytest.raises(ExportError, match="frames of the game from its start"):
        exported(late, conversion, Header(), None)


def test_keys_before_the_start_are_said() -> None:
    conversion = conversion_of(Skel.parse(TWO_BONES.encode()))
    with log.collect() as said:
        exported({Channel("spine", "rotation_euler", 0): Curve(np.array([-3, 2], "f4"), np.zeros(2, "f4"))}, conversion, Header(), None)
    assert "keys before frame 1" in said.messages[0].text


@pytest.mark.parametrize(
    ("channel", "value", "problem"),
    [
        (Channel("spine_01", "location", 1), 0.5, "spine_01 moves along Y at frame 1: the skeleton has no channel"),
        (Channel("arm_l", "rotation_euler", 0), 1.0, "arm_l rotates about X at frame 1: that is locked"),
        (Channel("pelvis", "scale", 2), 2.0, "pelvis is scaled along Z at frame 1"),
        (Channel("root", "location", 0), np.inf, "root: a number at frame 1 is too large"),
    ],
)
def test_what_the_skeleton_cannot_say_is_refused(channel: Channel, value: float, problem: str) -> None:
    conversion = conversion_of(Skel.parse(CHANNELS_SKEL.encode()), root_motion="OBJECT")
    anim = files.build("null", 0, np.zeros(3), 0, np.zeros((1, 19), "f4"), None)
    curves = {**imported(anim, conversion), channel: Curve(np.ones(1, "f4"), np.array([value], "f4"))}
    with pytest.raises(ExportError, match=problem):
        exported(curves, conversion, Header.of(anim), anim)


@pytest.mark.parametrize(("header", "frame"), [(Header("ANI1", deltas=True), 2), (Header("ANI1"), 3), (Header("null"), 3)])
def test_a_path_that_is_longer_than_any_number_of_the_file_is_refused(header: Header, frame: int) -> None:
    """Each of its positions fits. Both its steps and the whole are refused, with what helps, and without a warning of numpy's."""
    conversion = conversion_of(Skel.parse(TWO_BONES.encode()))
    path = {Channel("root", "location", 2): Curve(np.arange(1, 4, dtype="f4"), np.array([-2e38, -1.9e38, 3e38], "f4"))}
    with pytest.raises(ExportError, match="bring its keys closer") as refused, warnings.catch_warnings():
        warnings.simplefilter("error")
        exported(path, conversion, header, None)
    assert refused.value.where.bone == "root"
    assert refused.value.where.frame == frame


def test_refusals_of_one_reason_are_one_line() -> None:
    conversion = conversion_of(Skel.parse(CHANNELS_SKEL.encode()), root_motion="OBJECT")
    anim = files.build("null", 0, np.zeros(3), 0, np.zeros((1, 19), "f4"), None)
    strange = (("spine_01", "scale", 2), ("spine_01", "location", 1), ("pelvis", "location", 1), ("arm_l", "rotation_euler", 0))
    curves = {Channel(*each): Curve(np.ones(1, "f4"), np.array([3.0], "f4")) for each in strange}
    remedy = "clear that, or mute what gives it that, or move a bone that has a channel for it"
    with pytest.raises(ExportError) as refused:
        exported({**imported(anim, conversion), **curves}, conversion, Header.of(anim), anim)
    assert refused.value.problems == [
        f"arm_l rotates about X at frame 1: that is locked in the skeleton: {remedy}",
        "2 bones (first: spine_01 moves along Y at frame 1 and is scaled along Z at frame 1): "
        f"the skeleton has no channel for that: {remedy}",
    ]


def test_a_locked_axis_at_its_constant_is_no_stranger() -> None:
    conversion = conversion_of(Skel.parse(CHANNELS_SKEL.encode()))
    anim = files.build("null", 0, np.zeros(3), 0, np.zeros((1, 19), "f4"), None)
    curves = {**imported(anim, conversion), Channel("arm_l", "rotation_euler", 0): Curve(np.ones(1, "f4"), np.array([0.5], "f4"))}
    assert exported(curves, conversion, Header.of(anim), anim).pack() == anim.pack()


def test_a_locked_scale_at_its_constant_is_no_stranger() -> None:
    """Where scale channels are applied; where they are not, a bone of that size has no channel for it."""
    skel = Skel.parse(b"bone root { offset 0 0 0 transZ rotY scaleX lock 2 }")
    anim = files.build("null", 0, np.zeros(3), 0, np.zeros((1, 2), "f4"), None)
    conversion = conversion_of(skel)
    scale = {Channel("root", "scale", 0): Curve(np.ones(1, "f4"), np.array([2], "f4"))}
    assert exported(imported(anim, conversion) | scale, conversion, Header.of(anim), anim).pack() == anim.pack()
    wider = {Channel("root", "scale", 0): Curve(np.ones(1, "f4"), np.array([3], "f4"))}
    with pytest.raises(ExportError, match="root is scaled along X at frame 1: that is locked"):
        exported(imported(anim, conversion) | wider, conversion, Header.of(anim), anim)


def test_deltas_that_nobody_keyed_keep_their_bits() -> None:
    """A zero may have a sign."""
    conversion = conversion_of(Skel.parse(TWO_BONES.encode()))
    table = np.tile(np.array([-0.0, 0, -0.25], "f4"), (4, 1))
    anim = files.build("ANI1", 0, table.sum(axis=0).astype(float), 0, two_bones().values, table)
    curves = {channel: curve for channel, curve in imported(anim, conversion).items() if DELTA not in channel.property}
    assert exported(curves, conversion, Header.of(anim), anim).pack() == anim.pack()


def test_a_kind_has_its_own_fields_alone() -> None:
    """ANI1 says by a flag that it loops, the others by a byte."""
    assert Header("null", loop=1).as_kind("ANI1") == Header("ANI1", flags=1)
    assert Header("ANI1", flags=0x80000001, deltas=True).as_kind("null") == Header("null", loop=1)
    assert Header("null", loop=1).as_kind("ani") == Header("ani", flags=1, loop=1)


def test_the_object_may_only_go_where_the_root_can() -> None:
    skel = Skel.parse(b"bone root { offset 0 0 0 transZ rotY }")
    conversion = conversion_of(skel, root_motion="OBJECT")
    anim = files.build("null", 0, np.zeros(3), 0, np.zeros((2, 2), "f4"), None)
    side = edited(imported(anim, conversion), Channel("", "location", 0), 1, 0.5)
    with pytest.raises(ExportError, match="the character moves along X"):
        exported(side, conversion, Header.of(anim), anim)
    noise = edited(edited(imported(anim, conversion), Channel("", "location", 0), 1, 5e-4), Channel("", "location", 1), 1, 1000)
    assert exported(noise, conversion, Header.of(anim), anim).values[:, 0].tolist() == [0, -1000], "no more than 32 bits can hold there"
    onwards = edited(imported(anim, conversion), Channel("", "location", 1), 1, 0.5)
    new = exported(onwards, conversion, Header.of(anim), anim)
    assert new.values[:, 0].tolist() == [0, -0.5]
    assert new.stride.tolist() == [-0.5]


def test_a_longer_bone_moves_what_is_relative_to_it() -> None:
    """The rest position has moved: the curves are the same, the file's numbers become others; angles keep their bits."""
    skel = Skel.parse(TWO_BONES.encode())
    then = conversion_of(skel)
    now = conversion_of(skel.with_offsets(np.array([[0, 1.5, 0], [0, 0.4, 0]])))
    anim = two_bones()
    new = exported(imported(anim, then), now, Header.of(anim), anim, then)
    assert (new.values[:, 1] - anim.values[:, 1]).tolist() == pytest.approx([0.5] * 4, abs=1e-6)
    assert np.array_equal(np.delete(new.values, 1, axis=1), np.delete(anim.values, 1, axis=1))


@given(st.integers(1, 4), st.sampled_from(["null", "ANI1", "ani"]))
def test_one_channel_clips(count: int, kind: Kind) -> None:
    skel = Skel.parse(TWO_BONES.encode())
    with log.collect():
        conversion = replace(conversion_of(skel), layout=layout_for(skel, 1))
    anim = files.build(kind, 0, np.zeros(3), 1, np.linspace(0, 1, count, dtype="f4")[:, None], None)
    curves = imported(anim, conversion)
    assert set(curves) == {Channel("root", "rotation_euler", 1)}
    assert exported(curves, conversion, Header.of(anim), anim).pack() == anim.pack()


def test_a_key_that_closes_a_loop_is_no_frame_of_its_deltas() -> None:
    """It shows the first frame again: a row for each of the others."""
    conversion, anim = conversion_of(Skel.parse(TWO_BONES.encode())), two_bones("ANI1", deltas=True, loops=True)
    curves = imported(anim, conversion)
    frames = frames_of(curves, conversion)
    samples = replace(gather(curves, frames, sampled(curves, frames, conversion), conversion), closes=True)
    new = update(samples, conversion, Header.of(anim), None)
    assert new.deltas is not None and len(new.deltas) == len(new.values) == len(frames) - 1


@pytest.mark.parametrize(("fps", "at"), [(24.0, 2.0), (50.0, 3.0)])
def test_a_last_key_between_two_frames_of_the_game_is_written(fps: float, at: float) -> None:
    """On a whole frame of the scene, a quarter or a fifth of the game's behind the clip's own last one: the next one holds its pose."""
    conversion, anim = conversion_of(Skel.parse(TWO_BONES.encode()), fps=fps), two_bones(count=2)
    curves, channel = imported(anim, conversion), Channel("spine", "rotation_euler", 0)
    own = curves[channel]
    curves[channel] = Curve(np.append(own.frames, np.float32(at)), np.append(own.values, np.float32(0.75)))
    new = exported(curves, conversion, Header.of(anim), anim)
    assert len(new.values) == 3
    assert new.values[2, 6] == 0.75
    assert np.array_equal(new.values[:2], anim.values)
