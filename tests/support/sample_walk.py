"""The walk of our sample of a game, in Blender, from a folder of its own."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy

from support.sample_files import CLIPS, SAMPLES


class SampleWalk:
    """obj, action: what it came in as; both are active. path: its file, which lies beside what belongs to it."""

    def __init__(self, part: Callable[[str], Any], game: str, folder: Path, **options: Any) -> None:
        self.games, self.compat, self.row = part("io.pipeline.games"), part("io.blender.compat"), part("core.games").GAMES[game]
        first, *rest = Path(CLIPS[game]).parts
        shutil.copytree(SAMPLES / first, folder / "in", copy_function=shutil.copyfile)
        self.path = folder / "in" / Path(*rest)
        imported = self.games.import_(bpy.context, self.row, [str(self.path)], {"fps_mode": "SET", **options})
        self.obj, self.action = imported.armatures[0], imported.actions[0]
        self.compat.assign(self.obj, self.action)
        bpy.context.view_layer.objects.active = self.obj

    def warnings(self, **options: Any) -> list[str]:
        """What an export says; nothing is written."""
        return list(map(str, self.games.export(bpy.context, self.row, str(self.path), {"dry_run": True, **options}).warnings))
