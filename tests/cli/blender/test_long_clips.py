"""Clips of very many frames into files that hold every frame: bounded, and their time said before it is taken."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy as blender
import pytest

bpy: Any = blender

Convert = Callable[..., tuple[int, list[str], list[str]]]


def lasting(chain: Path, ticks: int) -> Path:
    """The animation of the folder with another name, and a first keyframe that lasts this long: its duration stands at offset 8."""
    path = chain / f"ticks{ticks}.anm"
    data = bytearray((chain / "chain.anm").read_bytes())
    frames, bones = struct.unpack_from("<2H", data)
    for frame in range(frames):
        struct.pack_into("<H", data, 8 + frame * (8 + 8 * bones), ticks)
    path.write_bytes(data)
    return path


def test_a_clip_of_too_many_frames_is_left_out(convert: Convert, chain: Path) -> None:
    """Four times 65535 ticks and the closing key: the .blend holds them, a .glb without its only clip is not written."""
    long, out = lasting(chain, 65535), chain / "out.glb"
    code, written, said = convert(long, "-o", out)
    assert (code, written) == (1, []) and not out.exists()
    assert any("ticks65535" in line and "262141 frames" in line and ".blend or .bvh" in line for line in said), said
    assert convert(long, "-o", chain / "out.blend")[0] == 0
    code, written, said = convert(long, lasting(chain, 9), "-o", out)
    assert (code, written) == (1, [str(out)]) and b"ticks9" in out.read_bytes() and b"ticks65535" not in out.read_bytes()
    code, written, said = convert(long, "-o", f"{chain / 'fbx'}/", "--to", "fbx", "--jobs", 1)
    assert (code, written) == (1, []) and any("262141 frames" in line for line in said)


def test_a_long_clip_of_two_objects(part: Callable[[str], ModuleType]) -> None:
    """As copies of a character have it: it is left out of both, and named once."""
    sampled, log, data = part("cli.sampled"), part("core.reporting.log"), bpy.data
    objects = [data.objects.new(name, data.armatures.new(name)) for name in ("one", "two")]
    for obj, last in zip(objects, (20, 200_000), strict=True):
        bpy.context.scene.collection.objects.link(obj)
        for frame in (1, last):
            obj.keyframe_insert("location", frame=frame)
    bpy.context.view_layer.update()  # without poses Blender crashes
    short, long = (obj.animation_data.action for obj in objects)
    long.name = "long"
    part("io.blender.compat").assign(objects[0], long)
    actions = {obj: [long, short] for obj in objects}
    with log.collect() as said:
        sampled.bound(actions, ".glb", "out.glb")
    (line,) = (str(message) for message in said.of("ERROR"))
    assert "long: left out" in line and actions == {obj: [short] for obj in objects}
    assert [obj.animation_data.action for obj in objects] == [short, short] and "long" not in data.actions


def test_a_long_time_is_said(convert: Convert, chain: Path, part: Callable[[str], ModuleType], monkeypatch: pytest.MonkeyPatch) -> None:
    """By bones and frames: below the limit nothing is said."""
    sampled = part("cli.sampled")
    clip = lasting(chain, 40)
    assert not any("sampled" in line for line in convert(clip, "-o", chain / "out.glb")[2])
    monkeypatch.setattr(sampled, "LONG", 0)
    monkeypatch.setattr(sampled, "PER_SECOND", 5)
    (line,) = (line for line in convert(clip, "-o", chain / "out.glb")[2] if "sampled" in line)
    assert line == f"out.glb: every frame of every bone is sampled, which takes about {4 * 40 + 1} seconds"
