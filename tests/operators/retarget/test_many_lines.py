"""What each drawing of the panel takes of a bone map with thousands of lines: counted, not timed."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import bpy
from support import counted


def test_a_bone_map_is_read_once_for_each_drawing(part: Callable[[str], ModuleType]) -> None:
    settings: Any = bpy.context.scene.retro_anim_retarget
    lines, columns = part("operators.retarget.mapping.map_table"), part("operators.retarget.panels.rows").columns
    taken: list[int] = []
    for most in (100, 200):
        for number in range(len(settings.pairs), most):
            lines.set_pair(settings.pairs.add(), f"source {number}", f"target {number}", "")
        with counted.calls() as calls:
            columns(settings.pairs, 20)
            taken.append(calls())
    assert taken[1] - taken[0] < 40 * 100
