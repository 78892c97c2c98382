"""What an export says of each clip: as data for scripts, in one line for people, and in a dry run without writing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest

Part = Callable[[str], ModuleType]


@pytest.fixture
def archive(anims: Path, fetch: Any, part: Part) -> Any:
    """Entries 0 to 3 of an archive on one character; `export(**options)` writes them all back."""
    imported = fetch(anims, entries="0-3", skeleton=f"{anims.with_name('BODY.HQR')}#0", fps_mode="SET")
    lba = part("io.lba")

    class Archive:
        obj, actions, path = imported.armatures[0], imported.actions, anims

        def export(self, **options: Any) -> Any:
            return lba.export_lba(bpy.context, lba.ExportOptions(str(anims), **{"source": "ALL", **options}))

        def rotate(self, number: int, key: int, degrees: float) -> tuple[str, float]:
            """Rotate the first bone that an action rotates, at one of its keys; its name and the key's frame."""
            curve = next(
                curve
                for curve in part("io.blender.compat").curves(self.actions[number])
                if curve.data_path.endswith("rotation_euler")
                and curve.data_path.startswith("pose")
                and len(curve.keyframe_points) > key + 1
            )
            point = curve.keyframe_points[key]
            point.co[1] += np.radians(degrees)
            curve.update()
            return curve.data_path.split('"')[1], float(point.co[0])

    return Archive()


def test_unedited(archive: Any) -> None:
    exported = archive.export()
    assert [change.state for change in exported.changes] == ["unchanged"] * 4
    assert exported.written == [] and exported.warnings == []
    assert exported.paths == exported.unchanged == [f"{archive.path}#{index}" for index in range(4)]
    assert exported.summary == "0 of 4 changed"


def test_one_edited(archive: Any) -> None:
    before = archive.path.read_bytes()
    bone, _ = archive.rotate(1, 2, 20.0)
    dry = archive.export(dry_run=True)
    assert archive.path.read_bytes() == before and not archive.path.with_name("ANIM.HQR.bak").exists()
    exported = archive.export()
    assert archive.path.read_bytes() != before
    assert dry.changes == exported.changes
    assert [change.state for change in exported.changes] == ["unchanged", "changed", "unchanged", "unchanged"]
    change = exported.changes[1]
    assert (change.action, change.target, change.bones, change.keys) == (archive.actions[1].name, f"{archive.path}#1", (bone,), 1)
    assert (change.worst, change.messages) == (None, ())
    assert exported.written == [f"{archive.path}#1"]
    assert exported.summary == f"1 of 4 changed: #1 {archive.actions[1].name}"
    assert exported.report == f"{exported.summary}; written: ANIM.HQR in {archive.path.parent}" and dry.report == dry.summary
    assert dry.summary == f"1 of 4 would change: #1 {archive.actions[1].name}"


def test_refused_in_a_dry_run(archive: Any) -> None:
    """Each clip that is refused says why; the others say what would become of them."""
    archive.actions[2]["lba_first_duration"] = -5
    dry = archive.export(dry_run=True)
    states = {change.action: change.state for change in dry.changes}
    assert states.pop(archive.actions[2].name) == "refused" and set(states.values()) == {"unchanged"}
    assert any("first" in line.lower() for line in dry.changes[-1].messages)


def messages(exported: Any, number: int) -> tuple[str, ...]:
    return exported.changes[number].messages


def test_a_curve_between_its_keys(archive: Any, part: Part) -> None:
    """A Bezier curve with level handles from a to b is 5/32 of the way at a quarter, where a line is 1/4: 3/32 of the rotation off."""
    curve, index, angle = None, 0, 0.0
    for each in part("io.blender.compat").curves(archive.actions[1]):
        if each.data_path.startswith("pose") and each.data_path.endswith("rotation_euler"):
            for key in range(len(each.keyframe_points) - 2):
                one, other = each.keyframe_points[key].co[1], each.keyframe_points[key + 1].co[1]
                if abs(other - one) > abs(angle):
                    curve, index, angle = each, key, other - one
    assert curve is not None and np.degrees(abs(angle)) > 8
    point, after = curve.keyframe_points[index], curve.keyframe_points[index + 1]
    point.interpolation = "BEZIER"
    third = (after.co[0] - point.co[0]) / 3
    for one in (point, after):
        one.handle_left_type = one.handle_right_type = "FREE"
        one.handle_left, one.handle_right = (one.co[0] - third, one.co[1]), (one.co[0] + third, one.co[1])
    curve.update()
    span = after.co[0] - point.co[0]  # now: keys may lie elsewhere in memory afterwards
    quarter = point.co[0] + span * 0.25
    exported = archive.export()
    change = exported.changes[1]
    assert change.state == "unchanged" and change.worst is not None
    assert change.worst.difference == pytest.approx(np.degrees(abs(angle)) * 3 / 32, rel=0.02)
    assert min(abs(change.worst.frame - quarter), abs(change.worst.frame - quarter - span / 2)) < 1e-3
    (line,) = change.messages
    bone = curve.data_path.split('"')[1]
    assert line.startswith(f"{bone}: ") and "straight lines" in line and "Make Linear" in line
    assert exported.warnings == [f"{archive.actions[1].name}: {line}"]


def test_level_and_constant_curves_are_straight(archive: Any, part: Part) -> None:
    """Curves that differ from lines in name only."""
    for curve in part("io.blender.compat").curves(archive.actions[1]):
        values = {point.co[1] for point in curve.keyframe_points}
        for point in curve.keyframe_points:
            if len(values) == 1:
                point.interpolation = "CONSTANT"
    assert archive.export().warnings == []


def test_a_constraint(archive: Any) -> None:
    """Limit Rotation holds a bone at rest that the file rotates: written is the rotation, and As It Looks writes what is shown."""
    bpy.context.view_layer.objects.active = archive.obj
    bone, frame = archive.rotate(0, 1, 0.0)
    archive.obj.animation_data.action = archive.actions[0]
    archive.rotate(0, 1, 40.0)
    constraint = archive.obj.pose.bones[bone].constraints.new("LIMIT_ROTATION")
    constraint.owner_space = "LOCAL"
    constraint.use_limit_x = constraint.use_limit_y = constraint.use_limit_z = True
    exported = archive.export(source="ACTIVE", dry_run=True)
    (change,) = exported.changes
    assert change.worst is not None and change.worst.bone == bone and change.worst.frame == pytest.approx(frame)
    assert change.worst.difference > 30
    line = next(line for line in change.messages if line.startswith(f"{bone}: "))
    assert "a Limit Rotation constraint moves it: choose As It Looks" in line
    assert archive.export(source="ACTIVE", sampling="VISUAL").warnings == []


def test_posed_and_not_keyed(archive: Any, part: Part) -> None:
    """Twenty degrees about the bone's own axis, in no curve."""
    archive.obj.animation_data.action = archive.actions[0]
    bpy.context.scene.frame_set(1)
    keyed = {curve.data_path.split('"')[1] for curve in part("io.blender.compat").curves(archive.actions[0]) if '"' in curve.data_path}
    name = next((bone.name for bone in archive.obj.pose.bones if bone.name not in keyed), "")
    if not name:
        name = sorted(keyed)[-1]
        curves = (
            archive.actions[0].layers[0].strips[0].channelbags[0].fcurves
            if hasattr(archive.actions[0], "layers")
            else archive.actions[0].fcurves
        )
        for curve in [curve for curve in curves if f'"{name}"' in curve.data_path]:
            curves.remove(curve)
    archive.obj.pose.bones[name].rotation_euler = (0.0, np.radians(20.0), 0.0)
    (change,) = archive.export(source="ACTIVE", dry_run=True).changes
    assert change.worst is not None and change.worst.bone == name
    assert change.worst.difference == pytest.approx(20.0, abs=0.4)
    assert any("posed and not keyed" in line for line in change.messages)


def test_the_way_back(archive: Any) -> None:
    """The first pose is changed, the key that closes the loop still shows the old one."""
    bone, _ = archive.rotate(1, archive.actions[1]["lba_loop_frame"], 20.0)
    change = archive.export(dry_run=True).changes[1]
    assert (change.bones, change.keys) == ((bone,), 1) and change.worst is not None
    assert change.worst.difference == pytest.approx(20.0, abs=0.4)
    (line,) = change.messages
    assert line.startswith("the game loops back to keyframe") and f"{bone} by " in line and "Refit Loop" in line


def test_a_read_only_file_refuses_only_what_would_change(archive: Any) -> None:
    archive.rotate(1, 2, 20.0)
    archive.path.chmod(0o444)
    changes = archive.export(dry_run=True).changes
    assert [change.state for change in changes] == ["unchanged", "refused", "unchanged", "unchanged"]
    assert "read-only" in changes[1].messages[0]
