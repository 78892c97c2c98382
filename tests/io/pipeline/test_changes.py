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
    assert dry.summary == f"1 of 4 would change: #1 {archive.actions[1].name}"


def test_refused_in_a_dry_run(archive: Any) -> None:
    """Each clip that is refused says why; the others say what would become of them."""
    archive.actions[2]["lba_first_duration"] = -5
    dry = archive.export(dry_run=True)
    states = {change.action: change.state for change in dry.changes}
    assert states.pop(archive.actions[2].name) == "refused" and set(states.values()) == {"unchanged"}
    assert any("first" in line.lower() for line in dry.changes[-1].messages)
