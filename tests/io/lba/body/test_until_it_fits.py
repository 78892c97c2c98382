"""*Until It Fits*: as few keyframes as the game's largest animations have; what is larger is reported."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest

Part = Callable[[str], ModuleType]
LARGEST = 7900
"""Bytes, 7.9 KB, of the first game; of the second one 8208, by entry 2029 of its ANIM.HQR."""


@pytest.fixture
def busy(fetch: Any, chain: Path) -> Any:
    """Makes an action of so many frames, with a key on each, in which every bone moves all the time."""
    obj = fetch(chain / "chain.lm1").armatures[0]
    bpy.context.view_layer.objects.active = obj

    def animated(frames: int, swing: float) -> Any:
        action = bpy.data.actions.new("busy")
        obj.animation_data_create().action = action
        random = np.random.default_rng(3)
        rates = random.uniform(0.2, 0.9, (len(obj.pose.bones), 3))
        for frame in range(frames):
            for bone, rate in zip(obj.pose.bones, rates, strict=True):
                if bone.parent is not None:
                    bone.rotation_euler = swing * np.sin(rate * frame)
                    bone.keyframe_insert("rotation_euler", frame=1 + frame)
        return obj

    return animated


def test_a_long_clip_is_made_to_fit(busy: Any, part: Part, tmp_path: Path) -> None:
    busy(240, 0.3)
    write, options = part("io.lba").export_lba, part("core.lba.game").ExportOptions
    sizes = {}
    for reduction in ("NONE", "FIT"):
        path = tmp_path / f"{reduction}.anm"
        with part("core.reporting.log").collect() as said:
            write(bpy.context, options(path=str(path), reduction=reduction))
        sizes[reduction] = path.stat().st_size
        count, bones = struct.unpack_from("<2H", path.read_bytes())
        assert sizes[reduction] == 8 + count * (8 + 8 * bones)
        texts = [message.text for message in said.messages]
        room = (LARGEST - 8) // (8 + 8 * bones)
        large = f"240 keyframes, and the game's largest animations, of 7.9 KB, have {room} of so many bones"
        assert any(large in text for text in texts) == (reduction == "NONE")
        assert any("240 keyframes became" in text and "nothing is farther off than" in text for text in texts) == (reduction == "FIT")
        unbounded = [message.text for message in said.of("WARNING") if "Until It Fits has no bound" in message.text]
        assert len(unbounded) == (reduction == "FIT"), "it is off by more than is overlooked"
    assert sizes["NONE"] > LARGEST >= sizes["FIT"] > LARGEST / 2
    with part("core.reporting.log").collect() as said:
        write(bpy.context, options(path=str(tmp_path / "second.anm"), game="lba2"))
    large = f"240 keyframes, and the game's largest animations, of 8.2 KB, have {(8208 - 8) // (8 + 8 * bones)} of so many bones"
    assert any(large in message.text for message in said.messages)


def test_a_clip_that_is_a_little_too_long_keeps_most_keys(busy: Any, part: Part, tmp_path: Path) -> None:
    """Its joints go a few units: within 25 of them hardly a keyframe would be left."""
    busy(180, 0.05)
    path = tmp_path / "walk.anm"
    with part("core.reporting.log").collect() as said:
        part("io.lba").export_lba(bpy.context, part("core.lba.game").ExportOptions(path=str(path), reduction="FIT"))
    assert LARGEST >= path.stat().st_size > 0.7 * LARGEST
    levels = [message.level for message in said.messages if "180 keyframes became" in message.text]
    assert levels == ["INFO"], "nothing of it is off by much"


def test_a_clip_that_fits_keeps_all_keys_and_one_that_never_does_is_refused(busy: Any, part: Part, tmp_path: Path) -> None:
    obj = busy(40, 0.3)
    write, options = part("io.lba").export_lba, part("core.lba.game").ExportOptions
    one, other = tmp_path / "one.anm", tmp_path / "other.anm"
    write(bpy.context, options(path=str(one), reduction="FIT"))
    write(bpy.context, options(path=str(other)))
    assert one.read_bytes() == other.read_bytes()
    for frame in range(240):
        for bone in obj.pose.bones:
            if bone.parent is not None:
                bone.rotation_euler = (1.5 * (-1) ** frame, 0, 0)
                bone.keyframe_insert("rotation_euler", frame=1 + frame)
    before = one.read_bytes()
    with pytest.raises(part("core.reporting.errors").ExportError, match=r"\d+ keyframes are left within 400 units, and 164 would fit"):
        write(bpy.context, options(path=str(one), reduction="FIT"))
    assert one.read_bytes() == before
