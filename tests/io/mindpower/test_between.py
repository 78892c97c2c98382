"""Tales of Pirates between the game's frames: every vertex in Blender against the game's own rule, whatever the scene's rate."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from numpy.typing import NDArray
from support.mindpower.mindpower_files import lab
from support.mindpower.mindpower_rule import skins

Part = Callable[[str], ModuleType]
Floats = NDArray[np.float64]
PLAIN = ("0001", "0005", "0010", "0113", "0311", "0741")
SHEARED = ("0016", "0088", "0289", "0616", "0725", "0860", "0861")
PARTS = (0.0, 0.2, 0.25, 0.4, 0.5, 0.75)
"""Of a frame of the game: what whole frames of scenes at 24, 30, 50 and 60 a second fall on."""
FLIP = np.array([1.0, -1, 1])


def deformed(mesh: Any, skin: Floats) -> Floats:
    """(V, 3) in Blender's axes."""
    count = mesh.influences or 2
    bones, weights = mesh.palette.astype(int)[mesh.blend["index"][:, :count]], mesh.blend["weight"][:, :count].astype(float)
    weights[weights.sum(axis=1) == 0, 0] = 1
    points = np.column_stack([mesh.positions.astype(float), np.ones(len(mesh.positions))])
    return np.einsum("vi,vnij,vn->vj", points, skin[bones], weights / weights.sum(axis=1, keepdims=True))[:, :3] * FLIP


def shown(obj: Any) -> Floats:
    """(V, 3) as Blender deforms them."""
    data = obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh()
    positions = np.empty(3 * len(data.vertices), np.float32)
    data.vertices.foreach_get("co", positions)
    return positions.reshape(-1, 3).astype(float)


class Fidelity:
    """How far vertices are off, in an import at 24 frames a second."""

    def __init__(self, part: Part, path: Path) -> None:
        self.part, self.path = part, path
        self.lab = part("core.mindpower.files.skeleton.lab").Lab.parse(path.read_bytes())
        self.frames = self._frames()

    def _frames(self) -> list[int]:
        """Frames, each with the next in the same action: those with the largest motion to the next, and any."""
        table = part_table(self.part, self.path, self.lab.frame_count)
        inside = np.unique(np.concatenate([np.arange(*item) for item in table or [(0, self.lab.frame_count - 1)]]))
        keys = self.lab.quaternions if self.lab.key_type == 3 else self.lab.matrices[:, :, :3].reshape(*self.lab.matrices.shape[:2], -1)
        step = np.abs(np.diff(keys, axis=1)).max(axis=(0, 2))[inside]
        chance = np.random.default_rng(0)
        return sorted({*inside[np.argsort(-step)[:6]].tolist(), *chance.choice(inside, 12).tolist()})

    def errors(self, helped: bool, direction: str = "CHILD") -> tuple[Floats, Floats, float]:
        """(K,) of all vertices at the game's frames, and between them; and the size of the character."""
        bpy.ops.wm.read_homefile(use_empty=True)
        bpy.context.scene.render.fps = 24
        mindpower, parse = self.part("io.mindpower.build"), self.part("core.mindpower.files.mesh.lgo").Lgo.parse
        options = mindpower.ImportOptions(
            (str(self.path),),
            actions="TIMELINE",
            fps_mode="KEEP",
            frame_start=0,
            helper_bones=helped,
            parts="all",
            bone_direction=direction,
        )
        with self.part("core.reporting.log").collect():
            imported = mindpower.import_mindpower(bpy.context, options)
        folder = self.path.parents[1] / "model" / "character"
        meshes = [(obj, parse((folder / f"{obj.name}.lgo").read_bytes()).mesh) for obj in imported.meshes]
        meshes = [(obj, mesh) for obj, mesh in meshes if mesh.blend is not None]
        off: dict[bool, list[Floats]] = {True: [], False: []}
        for frame in self.frames:
            for part in PARTS:
                at = (frame + part) * 24 / 30
                bpy.context.scene.frame_set(int(at), subframe=at - int(at))
                skin = skins(self.lab, frame, part)
                off[part == 0] += [np.linalg.norm(shown(obj) - deformed(mesh, skin), axis=1) for obj, mesh in meshes]
        size = max(float(np.ptp(mesh.positions, axis=0).max()) for _, mesh in meshes)
        return np.concatenate(off[True]), np.concatenate(off[False]), size


def part_table(part: Part, path: Path, frames: int) -> list[tuple[int, int]]:
    """First and last frame of the character's actions."""
    kind = part("core.mindpower.client.client").companions(str(path), "").action_type
    parse = part("core.mindpower.files.tables.action_table").ActionTable.parse
    table = parse((path.parents[1] / "scripts/txt/CharacterAction.tx").read_bytes())
    return [(row.start, min(row.end, frames - 1)) for row in table.of_type(kind) if row.start < min(row.end, frames - 1)]


@pytest.mark.parametrize("name", ["0725", "0113"])
def test_bones_with_the_axes_of_the_game(part: Part, game_file: Callable[[str], Path], name: str) -> None:
    assert Fidelity(part, game_file(f"mindpower/animation/{name}.lab")).errors(True, "GAME")[0].max() < 1e-4


@pytest.mark.thorough
@pytest.mark.parametrize("name", [*PLAIN, *SHEARED])
def test_vertices_are_where_the_game_has_them_at_any_time(part: Part, game_file: Callable[[str], Path], name: str) -> None:
    fidelity = Fidelity(part, game_file(f"mindpower/animation/{name}.lab"))
    at, between, size = fidelity.errors(helped=True)
    assert at.max() < 1e-4
    assert np.median(between) < 1e-4
    assert np.quantile(between, 0.9) < 3e-3
    assert between.max() < 0.01 * size
    if name in SHEARED:
        plain = fidelity.errors(helped=False)[1]
        assert between.max() < plain.max() + 1e-3


def test_a_key_between_the_frames_that_is_beside_an_edited_one_is_named(part: Part, tmp_path: Path) -> None:
    """A quarter of a circle a frame has keys between, of which no file holds any: they are stale where the frame beside them was edited."""
    angles = np.radians(45 * np.arange(6))
    swing = [(0.0, 0.0, float(np.sin(angle)), float(np.cos(angle))) for angle in angles]
    path = tmp_path / "fast.lab"
    path.write_bytes(lab([-1, 0], [[(0, 0, 1)] * 6, [(1, 0, 0)] * 6], [[(0, 0, 0, 1)] * 6, swing]))
    mindpower, export = part("io.mindpower.build"), part("io.mindpower.write")
    (action,) = mindpower.import_mindpower(bpy.context, mindpower.ImportOptions((str(path),), fps_mode="SET")).actions
    curves = [curve for curve in part("io.blender.compat").curves(action) if curve.data_path.endswith('01"].rotation_quaternion')]
    frame = next(point.co.x for point in curves[0].keyframe_points if abs(point.co.x - 3) < 0.01)
    for curve, value in zip(sorted(curves, key=lambda curve: curve.array_index), (1.0, 0.0, 0.0, 0.0), strict=True):
        next(point for point in curve.keyframe_points if point.co.x == frame).co.y = value
    said = export.export_mindpower(bpy.context, export.ExportOptions(str(tmp_path / "out.lab"))).warnings
    assert any("between the game's frames" in line and "delete the keys of that type" in line for line in said), said
