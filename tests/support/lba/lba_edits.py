"""The walk of LBA1's hero in Blender, to be edited, and what an export of it changes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest

Part = Callable[[str], ModuleType]

FIRST = 1.0


class Walk:
    """The walk on Twinsen at 50 frames a second: keyframes at frames 1, 10, 19, 28, 37, the closing key at 46."""

    def __init__(self, fetch: Any, part: Part, anims: Path) -> None:
        imported = fetch(anims, entries="1", skeleton=f"{anims.with_name('BODY.HQR')}#0", fps_mode="SET", bone_direction="GAME")
        self.obj, self.action, self.part, self.anims = imported.armatures[0], imported.actions[0], part, anims
        self.before = self.packed()
        self.out = anims.with_name("out.anm")

    def packed(self, **options: Any) -> Any:
        export = self.part("io.lba.pack")
        packed = export.pack_action(bpy.context, self.obj, self.action, export.ExportOptions("", **options))
        return self.part("core.lba.files.anm").Anm.parse(packed.data)

    def refused(self, *values: str) -> None:
        export = self.part("io.lba")
        with pytest.raises(self.part("core.reporting.errors").RetroAnimError) as raised:
            export.export_lba(bpy.context, export.ExportOptions(str(self.out)))
        assert all(value in str(raised.value) for value in values), str(raised.value)
        assert not self.out.exists()

    def curves(self, bone: int | None = None, kind: str = "") -> list[Any]:
        """Of a bone, or of all."""
        where = "" if bone is None else f'pose.bones["{self.name(bone)}"]'
        return [
            curve
            for curve in self.part("io.blender.compat").curves(self.action)
            if curve.data_path.startswith(where) and kind in curve.data_path
        ]

    def name(self, bone: int) -> str:
        return f"group {bone:02d}"

    def keys(self, curve: Any, frame: float) -> list[Any]:
        return [point for point in curve.keyframe_points if abs(point.co.x - frame) < 0.01]

    def put(self, curve: Any, frame: float) -> None:
        """A key on a line that is straight there."""
        curve.keyframe_points.insert(frame, curve.evaluate(frame), options={"FAST"}).interpolation = "LINEAR"
        curve.update()

    def insert(self, bone: int, channel: str, frame: float, value: Any) -> None:
        pose = self.obj.pose.bones[self.name(bone)]
        setattr(pose, channel, value)
        assert pose.keyframe_insert(channel, frame=frame)


def differing(one: Any, other: Any) -> list[list[int]]:
    """[keyframe, bone]"""
    assert len(one.frames) == len(other.frames)
    changed = np.argwhere((one.values != other.values).any(axis=2) | (one.types != other.types))
    return changed.tolist()


def same_but_bones(one: Any, other: Any) -> bool:
    return (one.durations == other.durations).all() and (one.steps == other.steps).all() and one.pack()[:8] == other.pack()[:8]


def warnings(part: Part, pack: Callable[[], Any]) -> tuple[Any, list[str]]:
    with part("core.reporting.log").collect() as said:
        packed = pack()
    return packed, [message.text for message in said.messages if message.level == "WARNING"]
