"""Groups that a later import translates rest in the earlier actions, which still export as they came."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from support.lba import lba2_chain as chain2

Part = Callable[[str], ModuleType]
Fetch = Callable[..., Any]

BONE = 3


def clip(kind: int, value: tuple[int, int, int], loop_frame: int = 0) -> bytes:
    """Two keyframes of 300 ms for five groups; group 3 rotates (0) or moves (1) in the second."""
    rest = [(0, 0, 0, 0)] * 5
    posed = [*rest[:BONE], (kind, *value), *rest[BONE + 1 :]]
    still = [*rest[:BONE], (kind, 0, 0, 0), *rest[BONE + 1 :]]
    return chain2.anm([(100, (0, 0, 0), still), (300, (0, 0, 0), posed)], loop_frame)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "chain.lm2").write_bytes(chain2.LM2)
    for name, data in (("turns", clip(0, (300, 0, 0))), ("moves", clip(1, (0, 200, 0))), ("bends", clip(0, (0, 77, 0)))):
        (tmp_path / f"{name}.anm").write_bytes(data)
    return tmp_path


@pytest.fixture
def imported(fetch: Fetch, folder: Path) -> tuple[Any, list[Any]]:
    """Three imports onto one armature; the second translates what the others do not."""
    body = str(folder / "chain.lm2")
    actions = [fetch(folder / f"{name}.anm", skeleton=body, game="lba2").actions[0] for name in ("turns", "moves", "bends")]
    (obj,) = [obj for obj in bpy.data.objects if obj.type == "ARMATURE"]
    return obj, actions


def position(part: Part, obj: Any, action: Any, frame: float) -> Any:
    part("io.blender.compat").assign(obj, action)
    bpy.context.scene.frame_set(int(frame))
    return np.array(obj.pose.bones[f"group {BONE:02d}"].matrix.translation)


@pytest.mark.parametrize("earlier", [0, 2])
def test_after_the_one_that_moves_the_others_are_at_rest(part: Part, imported: tuple[Any, list[Any]], earlier: int) -> None:
    obj, actions = imported
    rest = np.array(obj.data.bones[f"group {BONE:02d}"].matrix_local.translation)
    last = actions[1].frame_range[1]
    moved = [position(part, obj, actions[1], frame) for frame in range(1, int(last))]
    assert max(float(np.abs(each - rest).max()) for each in moved) > 0.1
    assert np.abs(position(part, obj, actions[earlier], 1) - rest).max() < 1e-6


def test_what_was_not_edited_is_written_as_it_was(imported: tuple[Any, list[Any]], write: Any, part: Part, folder: Path) -> None:
    log = part("core.reporting.log")
    with log.collect() as said:
        written = write(folder, source="ALL")
    assert [message.text for message in said.messages if message.level == "WARNING"] == []
    for name, action in zip(("turns", "moves", "bends"), imported[1], strict=True):
        (path,) = [path for path in written if action.name in path]
        assert Path(path).read_bytes() == (folder / f"{name}.anm").read_bytes()


def test_what_another_clip_poses_is_no_part_of_a_clip_of_fewer_groups(part: Part, fetch: Fetch, folder: Path) -> None:
    still = [(0, 0, 0, 0)] * BONE  # groups 0 to 2: as it looks, group 3 is at rest, whatever the clip that plays does with it
    (folder / "short.anm").write_bytes(chain2.anm([(100, (0, 0, 0), still), (300, (0, 0, 0), still)], loop_frame=0))
    body = str(folder / "chain.lm2")
    short, longer = (fetch(folder / f"{name}.anm", skeleton=body, game="lba2").actions[0] for name in ("short", "turns"))
    (obj,) = [obj for obj in bpy.data.objects if obj.type == "ARMATURE"]
    part("io.blender.compat").assign(obj, longer)
    bpy.context.scene.frame_set(int(longer.frame_range[1]) - 1)
    before = obj.pose.bones[BONE].matrix.copy()
    changes = part("io.pipeline.out_of_blender.preview").what_would_change(bpy.context, "SCENE", sampling="VISUAL")
    assert {change.action: (change.state, change.messages) for change in changes} == {
        short.name: ("unchanged", ()),
        longer.name: ("unchanged", ()),
    }
    assert obj.pose.bones[BONE].matrix == before and obj.animation_data.action == longer


def test_from_rotated_to_moved_is_named_with_what_helps(part: Part, fetch: Fetch, folder: Path, tmp_path: Path) -> None:
    (folder / "once.anm").write_bytes(clip(1, (0, 200, 0), loop_frame=9))
    action = fetch(folder / "once.anm", skeleton=str(folder / "chain.lm2"), game="lba2").actions[0]
    curves = part("io.blender.compat").curves(action)
    path = f'pose.bones["group {BONE:02d}"].'
    end = next(curve for curve in curves if curve.data_path == path + "location").keyframe_points[1].co[0]
    rotation = next(curve for curve in curves if curve.data_path == path + "rotation_euler")
    lba = part("io.lba")

    def key(curve: Any, frame: float, value: float) -> None:
        curve.keyframe_points.insert(frame, value, keyframe_type="KEYFRAME").interpolation = "LINEAR"

    def said() -> list[str]:
        return lba.export_lba(bpy.context, lba.ExportOptions(str(tmp_path / "out.anm"))).warnings

    key(rotation, 1, 1.0)
    key(rotation, end, 0.0)
    (line,) = said()
    assert f"between frames 1 and {end:g} it goes from rotated to moved, or back, which the game does at once" in line
    for curve in curves:
        if curve.data_path.startswith(path):
            key(curve, (1 + end) / 2, 0.0)
    assert said() == []
