"""What importing does to the user's scene, and what it leaves alone."""

from __future__ import annotations

import struct
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from support.lba import lba1_chain

OPS: Any = bpy.ops
"""The stubs do not know our operators."""

Part = Callable[[str], ModuleType]
GROWTH = 64 * 2**20


def archive(entry: bytes, method: int, claim: int) -> bytes:
    """An HQR of one entry, and what it says that it unpacks to."""
    header = claim.to_bytes(4, "little") + len(entry).to_bytes(4, "little") + method.to_bytes(2, "little")
    return (8).to_bytes(4, "little") + (18 + len(entry)).to_bytes(4, "little") + header + entry


ANM = (1).to_bytes(2, "little") * 2 + bytes(4 + 16)
HOSTILE = {
    "truncated.anm": ANM[:-3],
    "no frames.anm": bytes(8),
    "counts.anm": b"\xff" * 8 + ANM,
    "counts.lm1": (3).to_bytes(2, "little") + bytes(24) + b"\xff\xff" + bytes(40),
    "short.hqr": b"\x08\x00\x00",
    "outside.hqr": (8).to_bytes(4, "little") + (0xFFFFFF00).to_bytes(4, "little"),
    "4 GB stored.hqr": archive(ANM, 0, 0xFFFFFFFF),
    "4 GB packed.hqr": archive(b"\x00" + b"\xff\xff" * 8, 1, 0xFFFFFFFF),
    "before start.hqr": archive(b"\x00\xff\xff\x00\x00", 1, 100),
    "method.hqr": archive(ANM, 3, len(ANM)),
}


def resident() -> int:
    """Bytes of memory that the process has taken at most."""
    resource = pytest.importorskip("resource")
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def snapshot() -> dict[str, Any]:
    """What the user would notice."""
    kinds = [name for name in dir(bpy.data) if isinstance(getattr(bpy.data, name), bpy.types.bpy_prop_collection)]
    counts = {name: len(getattr(bpy.data, name)) for name in kinds}
    active = bpy.context.view_layer.objects.active
    return {
        **counts,
        "selected": sorted(obj.name for obj in bpy.context.selected_objects),
        "active": active.name if active else None,
        "mode": active.mode if active else None,
        "rate": (bpy.context.scene.render.fps, bpy.context.scene.render.fps_base),
        "frame": bpy.context.scene.frame_current,
    }


@pytest.fixture
def busy() -> None:
    """The user has an armature in pose mode and a second object selected."""
    data = bpy.data.armatures.new("mine")
    obj = bpy.data.objects.new("mine", data)
    other = bpy.data.objects.new("other", None)
    for new in (obj, other):
        bpy.context.scene.collection.objects.link(new)
        new.select_set(True)
    bpy.context.view_layer.objects.active = obj
    bpy.ops.object.mode_set(mode="EDIT")
    bone = data.edit_bones.new("bone")
    bone.tail = (0, 0, 1)
    bpy.ops.object.mode_set(mode="POSE")


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file(name: str, busy: None, fetch: Any, part: Part, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_bytes(HOSTILE[name])
    before, size = snapshot(), resident()
    with pytest.raises(part("core.reporting.errors").RetroAnimError) as raised:
        fetch(file, fps_mode="SET")
    assert str(raised.value).startswith(str(file))
    assert "\n" not in str(raised.value)
    assert snapshot() == before
    assert resident() - size < GROWTH
    with pytest.raises(RuntimeError) as reported:
        OPS.import_anim.lba(filepath=str(file), fps_mode="SET")
    assert "Traceback" not in str(reported.value)
    assert snapshot() == before


@pytest.mark.parametrize("name", ["chain.anm", "chain.lm1", "chain.hqr"])
def test_cut_off_at_many_places(name: str, busy: None, fetch: Any, part: Part, tmp_path: Path) -> None:
    """A cut file is refused, with the scene as it was. Of a cut archive what is whole comes in, and a body whose last word is missing."""
    data = {"chain.anm": lba1_chain.ANM, "chain.lm1": lba1_chain.LM1, "chain.hqr": lba1_chain.HQR}[name]
    file, before, size = tmp_path / name, snapshot(), resident()
    whole = {"chain.anm": len(data), "chain.lm1": len(data) - 2, "chain.hqr": 0x188}[name]
    for cut in [*range(0, whole, 11), whole - 1]:
        file.write_bytes(data[:cut])
        with pytest.raises(part("core.reporting.errors").RetroAnimError) as raised:
            fetch(file, fps_mode="SET", game="lba1")
        assert str(raised.value).startswith(str(file)), cut
        assert snapshot() == before, cut
    assert resident() - size < GROWTH
    for cut in range(whole, len(data), 40):
        file.write_bytes(data[:cut])
        assert fetch(file, game="lba1").armatures, cut


def test_spoiled_at_many_places(fetch: Any, part: Part, chain: Path) -> None:
    """Any single byte: what comes in comes in whole, or not at all."""
    for name in ("chain.anm", "chain.lm1"):
        file = chain / name
        data = file.read_bytes()
        for position in range(0, len(data), 9):
            file.write_bytes(data[:position] + bytes((data[position] ^ 0xFF,)) + data[position + 1 :])
            before = snapshot()
            try:
                imported = fetch(chain / "chain.anm")
            except part("core.reporting.errors").RetroAnimError:
                assert snapshot() == before
                continue
            assert imported.actions
            bpy.data.batch_remove([*bpy.data.objects, *bpy.data.armatures, *bpy.data.actions, *bpy.data.meshes, *bpy.data.texts])
        file.write_bytes(data)


def test_a_failure_while_building(busy: None, fetch: Any, part: Part, chain: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = snapshot()

    def fail(*_: object) -> None:
        raise part("core.reporting.errors").FormatError("broken")

    monkeypatch.setattr(part("io.blender.motion.actions"), "show", fail)
    with pytest.raises(part("core.reporting.errors").RetroAnimError, match="broken"):
        fetch(chain / "chain.anm", fps_mode="SET")
    assert snapshot() == before


def test_range_loop_and_markers(fetch: Any, chain: Path) -> None:
    """Keyframes at ticks 0, 15, 25, 30; the loop goes from the second one over the closing key at 45."""
    (action,) = fetch(chain / "chain.anm", fps_mode="SET", frame_start=1, game="lba1").actions
    assert tuple(action.frame_range) == (16, 46)
    assert action.use_frame_range
    assert action.use_cyclic
    assert {marker.name: marker.frame for marker in action.pose_markers} == {"intro": 1, "loop": 16}
    assert bpy.context.scene.render.fps / bpy.context.scene.render.fps_base == 50


def test_no_loop(fetch: Any, chain: Path) -> None:
    path = chain / "chain.anm"
    data = path.read_bytes()
    path.write_bytes(data[:4] + b"\x09\x00" + data[6:])
    (action,) = fetch(path, fps_mode="SET", game="lba1").actions
    assert not action.use_cyclic
    assert tuple(action.frame_range) == (1, 31)


def test_the_rate_of_the_scene_is_kept(fetch: Any, chain: Path) -> None:
    bpy.context.scene.render.fps = 24
    (action,) = fetch(chain / "chain.anm", game="lba1", fps_mode="KEEP").actions
    assert bpy.context.scene.render.fps == 24
    assert np.allclose(action.frame_range, (1 + 15 * 24 / 50, 1 + 45 * 24 / 50))


@pytest.mark.parametrize("entry", [94, 426])
def test_bones_that_change_from_rest_need_no_key_of_ours(fetch: Any, part: Part, anims: Path, entry: int) -> None:
    imported = fetch(anims, entries=str(entry), fps_mode="SET")
    assert _generated(part, imported.actions[0]) == {imported.actions[0].frame_range[1]}


def test_bones_that_change_between_turning_and_moving(fetch: Any, part: Part, chain: Path) -> None:
    """One tick after keyframes 1 and 2 a key of ours, so that the in-between is the game's; and the closing key."""
    file = chain / "chain.anm"
    data = file.read_bytes()
    file.write_bytes(data[:120] + struct.pack("<4h", 0, 24, 0, 0) + data[128:])
    imported = fetch(file, fps_mode="SET", game="lba1")
    assert _generated(part, imported.actions[0]) == {17, 27, 46}


def _generated(part: Part, action: Any) -> set[float]:
    """The frames of keys that belong to no file."""
    compat = part("io.blender.compat")
    return {point.co.x for curve in compat.curves(action) for point in curve.keyframe_points if point.type == compat.GENERATED_KEY}


def test_onto_the_character_that_is_there(fetch: Any, anims: Path) -> None:
    first = fetch(anims, entries="1", fps_mode="SET")
    curves = len(bpy.data.objects)
    first.actions[0]["mine"] = 1
    second = fetch(anims, entries="1", fps_mode="SET")
    assert second.armatures == first.armatures
    assert len(bpy.data.objects) == curves
    assert second.actions[0] != first.actions[0]
    assert "mine" in first.actions[0]
    assert "mine" not in second.actions[0]
    assert len(bpy.data.actions) == 2
    assert first.armatures[0].animation_data.action == second.actions[0]


def test_motion_starts_where_the_user_put_the_character(fetch: Any, anims: Path) -> None:
    obj = fetch(anims, entries="0", root_motion="NONE", fps_mode="SET").armatures[0]
    obj.location, obj.rotation_mode, obj.rotation_euler = (3, 4, 5), "XYZ", (0, 0, np.pi / 2)
    bpy.context.view_layer.update()
    fetch(anims, entries="1", fps_mode="SET")
    bpy.context.scene.frame_set(1)
    assert np.allclose(obj.matrix_world.translation, (3, 4, 5), atol=1e-5)
    bpy.context.scene.frame_set(37)
    assert np.allclose(obj.matrix_world.translation, (3.96, 4, 5), atol=1e-4)
    assert np.isclose(obj.matrix_world.to_euler().z, np.pi / 2, atol=1e-5)


def test_undo(chain: Path) -> None:
    bpy.ops.ed.undo_push(message="before")
    before = snapshot()
    assert OPS.import_anim.lba(filepath=str(chain / "chain.anm")) == {"FINISHED"}
    assert snapshot() != before
    bpy.ops.ed.undo_push(message="import")
    bpy.ops.ed.undo()
    assert snapshot() == before
