"""Clips that came in without root motion: the path in their properties is compared as if it were shown."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import pytest

Part = Callable[[str], Any]


@pytest.fixture
def walk(fetch: Any, part: Part, anims: Path) -> Any:
    obj = fetch(anims, entries="1", skeleton=f"{anims.with_name('BODY.HQR')}#0", root_motion="NONE", fps_mode="SET").armatures[0]
    bpy.context.view_layer.objects.active = obj
    return obj


@pytest.fixture
def change(part: Part, walk: Any, tmp_path: Path) -> Callable[[], Any]:
    lba = part("io.lba")

    def run() -> Any:
        (result,) = lba.export_lba(bpy.context, lba.ExportOptions(str(tmp_path / "out.anm"), dry_run=True)).changes
        return result

    return run


def curve(part: Part, obj: Any, name: str, index: int) -> Any:
    curves = part("io.blender.compat").curves(obj.animation_data.action)
    return next(each for each in curves if each.data_path.endswith(f'["{name}"]') and each.array_index == index)


def test_unedited(change: Any) -> None:
    assert change().worst is None and not change().messages


def test_a_step_that_the_file_holds(part: Part, walk: Any, change: Any) -> None:
    for point in list(curve(part, walk, "root_motion", 1).keyframe_points)[2:]:
        point.co.y -= 0.1
    edited = change()
    assert edited.keys > 0 and edited.worst is None and not edited.messages


def test_what_it_does_not_hold_is_named(part: Part, walk: Any, change: Any) -> None:
    """A curve that jumps, and a tilt, which this game has not."""
    path = curve(part, walk, "root_motion", 1)
    for point in path.keyframe_points:
        point.interpolation = "CONSTANT"
    (line,) = change().messages
    assert "units off at frame" in line and "not straight lines" in line
    for point in path.keyframe_points:
        point.interpolation = "LINEAR"
    for point in curve(part, walk, "root_turn", 0).keyframe_points:
        point.co.y = 0.5
    edited = change()
    assert edited.worst.difference > 1 and edited.messages


@pytest.mark.parametrize("carrier", ["object", "root"])
def test_other_carriers_go_into_the_path(part: Part, walk: Any, change: Any, carrier: str) -> None:
    owner = walk if carrier == "object" else walk.pose.bones["group 00"]
    for frame, where in ((1, 0.0), (10, 0.1), (37, 0.4), (46, 0.5)):
        owner.location[0] = where
        owner.keyframe_insert("location", index=0, frame=frame)
    for each in part("io.blender.compat").curves(walk.animation_data.action):
        for point in each.keyframe_points if each.data_path.endswith("location") else ():
            point.interpolation = "LINEAR"
    edited = change()
    assert edited.worst is None or "loop" in " ".join(edited.messages)
