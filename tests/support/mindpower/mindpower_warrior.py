"""A character of Tales of Pirates in Blender, and what an export of it changes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np

Part = Callable[[str], ModuleType]


class Warrior:
    """0005: quaternions; actions 1 = 2..44 and so on, as the table says."""

    def __init__(self, part: Part, client: Path) -> None:
        self.part, self.path = part, client / "animation" / "0005.lab"
        mindpower = part("io.mindpower.build")
        imported = mindpower.import_mindpower(bpy.context, mindpower.ImportOptions((str(self.path),), fps_mode="SET"))
        self.obj, self.actions = imported.armatures[0], imported.actions
        self.parse = part("core.mindpower.files.skeleton.lab").Lab.parse
        self.before = self.parse(self.path.read_bytes())

    def packed(self, **options: Any) -> Any:
        export = self.part("io.mindpower.pack")
        return export.pack_lab(bpy.context, self.obj, export.ExportOptions("", **options))

    def action(self, number: int) -> Any:
        return next(action for action in self.actions if number in map(int, action["mindpower_actions"].split(",")))

    def frames(self, number: int) -> tuple[int, int]:
        start, end = self.action(number)["mindpower_range"]
        return start, end

    def curve(self, action: Any, bone: str, channel: str, index: int) -> Any:
        path = f'pose.bones["{bone}"].{channel}'
        return next(one for one in self.part("io.blender.compat").curves(action) if (one.data_path, one.array_index) == (path, index))

    def changed(self, lab: Any) -> tuple[list[int], list[int]]:
        """Bones and frames whose keys have other bits."""
        off = (lab.quaternions != self.before.quaternions).any(axis=2) | (lab.positions != self.before.positions).any(axis=2)
        return np.flatnonzero(off.any(axis=1)).tolist(), np.flatnonzero(off.any(axis=0)).tolist()
