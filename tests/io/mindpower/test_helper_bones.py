"""Bones that an import puts below a sheared one, to hold what Blender cannot show: no export takes them for somebody's own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import pytest

Part = Callable[[str], ModuleType]


@pytest.fixture
def obj(part: Part, game_file: Callable[[str], Path]) -> Any:
    """A character that has some, with its first action."""
    mindpower = part("io.mindpower")
    path = str(game_file("mindpower/animation/0725.lab"))
    imported = mindpower.import_mindpower(bpy.context, mindpower.ImportOptions((path,)))
    bpy.context.view_layer.objects.active = imported.armatures[0]
    part("io.blender.compat").assign(imported.armatures[0], imported.actions[0])
    return imported.armatures[0]


def said(part: Part, folder: Path, source: str) -> list[str]:
    mindpower = part("io.mindpower")
    exported = mindpower.export_mindpower(bpy.context, mindpower.ExportOptions(str(folder / "0725.lab"), source=source, dry_run=True))
    return [line for line in exported.warnings if "from what is shown" in line]


@pytest.mark.thorough
def test_a_faster_strip_is_the_reason_for_all_bones(part: Part, obj: Any, tmp_path: Path) -> None:
    data = obj.animation_data
    action, data.action = data.action, None
    data.nla_tracks.new().strips.new("fast", 1, action).scale = 0.4
    lines = said(part, tmp_path, "NLA")
    assert lines and all("with Scale 0.4 of the NLA strip" in line for line in lines), lines


@pytest.mark.thorough
def test_their_own_keys_are_named_as_what_they_are(part: Part, obj: Any, tmp_path: Path) -> None:
    """What hangs on the bone that they are for moves along in the file, and not in Blender."""
    curve = next(each for each in part("io.blender.compat").curves(obj.animation_data.action, obj) if "Bone07 shear 1" in each.data_path)
    curve.keyframe_points[3].co[1] += 0.3
    curve.update()
    (line,) = said(part, tmp_path, "ACTIVE")
    assert "Bone07 shear 1 only holds what Blender cannot show of the bone above it, and its keys were edited" in line
