"""Oni 2 in Blender against the format's description: joints at frames, half frames, and whole frames of scenes at four rates."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import bpy
import numpy as np
import pytest
from support.oni2.oni2_shown import Skeleton, table_of

Part = Callable[[str], ModuleType]
SAMPLES = Path(__file__).resolve().parents[3] / "samples" / "oni2" / "Entity" / "mannequin"
TOKEN = re.compile(r"bone (\S+) \{|offset (\S+) (\S+) (\S+)|(trans|rot)([XYZ])(?!\s+lock)|(\})")


class Described:
    """Names, parents and offsets of a .skel's bones in the file's order. columns: of the numbers of a frame, among three translations of
    the root and three rotations a bone."""

    def __init__(self, text: str) -> None:
        self.names: list[str] = []
        self.parents: list[int] = []
        self.offsets: list[tuple[float, float, float]] = []
        self.columns: list[int] = []
        inside: list[int] = []
        for token in TOKEN.finditer(text):
            if token[1]:
                self.parents.append(inside[-1] if inside else -1)
                inside.append(len(self.names))
                self.names.append(token[1])
            elif token[2]:
                self.offsets.append((float(token[2]), float(token[3]), float(token[4])))
            elif token[5]:
                assert token[5] == "rot" or not inside[-1]
                self.columns.append("XYZ".index(token[6]) + (3 + 3 * inside[-1] if token[5] == "rot" else 0))
            elif inside:
                inside.pop()


@pytest.mark.thorough
@pytest.mark.parametrize(("fps", "direction"), [(24, "CHILD"), (30, "GAME"), (50, "CHILD"), (60, "GAME")])
def test_joints_are_where_the_game_has_them(part: Part, fps: int, direction: str) -> None:
    skeleton = Described((SAMPLES / "mannequin.skel").read_text())
    oni2 = part("io.oni2.build")
    for path in sorted(SAMPLES.glob("*.anim")):
        bpy.ops.wm.read_homefile(use_empty=True)
        bpy.context.scene.render.fps = fps
        options = oni2.ImportOptions((str(path),), fps_mode="KEEP", frame_start=0, bone_direction=direction)
        body = Skeleton(oni2.import_oni2(bpy.context, options).armatures[0], skeleton.names, skeleton.parents, skeleton.offsets)
        table = table_of(path.read_bytes())[1]
        values = np.zeros((len(table), 3 + 3 * len(skeleton.names)))
        values[:, skeleton.columns] = table
        times = np.unique(np.concatenate([np.arange(0, len(values) - 1, 30 / fps), np.arange(0, len(values) - 0.9, 0.5)]))
        off = np.linalg.norm(body.shown(times * fps / 30)[0] - body.written(values, times)[0], axis=-1)
        assert off.max() < 1e-5, (path.name, times[off.max(axis=1).argmax()], off.max())
