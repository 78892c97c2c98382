"""Tales of Pirates between the game's frames: every vertex in Blender against the game's own rule, whatever the scene's rate.

The rule, by the format's definition alone: positions straight, quaternions along the arc and what they have for a length straight, matrices
as a rotation along the arc and a straight stretch.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from numpy.typing import NDArray

Part = Callable[[str], ModuleType]
Floats = NDArray[np.float64]
PLAIN = ("0001", "0005", "0010", "0113", "0311", "0741")
SHEARED = ("0016", "0088", "0289", "0616", "0725", "0860", "0861")
WILD = {"0725": 0.05, "0860": 0.12}
"""Bones of shear that rotates by half a circle from one frame to the next; the part of the size that a vertex may be off there."""
PARTS = (0.0, 0.2, 0.25, 0.4, 0.5, 0.75)
"""Of a frame of the game: what whole frames of scenes at 24, 30, 50 and 60 a second fall on."""
FLIP = np.array([1.0, -1, 1])


def arc(one: Floats, other: Floats, part: float) -> Floats:
    """(..., 4) along the shorter arc between quaternions of length 1."""
    dot = (one * other).sum(-1, keepdims=True)
    other, angle = np.where(dot < 0, -other, other), np.arccos(np.abs(dot).clip(0, 1))
    sine = np.where(np.sin(angle) < 1e-6, 1.0, np.sin(angle))
    mixed = (np.sin((1 - part) * angle) * one + np.sin(part * angle) * other) / sine
    return np.where(np.sin(angle) < 1e-6, one + part * (other - one), mixed)


def rows(x: Floats, y: Floats, z: Floats, w: Floats) -> Floats:
    """(..., 3, 3) for row vectors; quaternions of another length scale and shear."""
    return np.stack(
        [
            np.stack([1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)], -1),
            np.stack([2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)], -1),
            np.stack([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)], -1),
        ],
        -2,
    )


def between_matrices(one: Floats, other: Floats, part: float) -> Floats:
    """(B, 3, 3): stretch, then rotation about one axis by a part of the angle between the two."""
    rotated: list[Floats] = []
    stretches: list[Floats] = []
    for rows_of in (one, other):
        mirrored = np.where(np.linalg.det(rows_of) < 0, -1.0, 1.0)[:, None, None]
        u, _, vt = np.linalg.svd(rows_of * mirrored)
        rotated.append(u @ vt)
        stretches.append(rows_of @ (u @ vt).swapaxes(1, 2))
    step = rotated[0].swapaxes(1, 2) @ rotated[1]
    angle = np.arccos(((np.trace(step, axis1=1, axis2=2) - 1) / 2).clip(-1, 1))
    skew = np.stack([step[:, 1, 2] - step[:, 2, 1], step[:, 2, 0] - step[:, 0, 2], step[:, 0, 1] - step[:, 1, 0]], 1)
    length = np.linalg.norm(skew, axis=1, keepdims=True)
    x, y, z = (skew / np.where(length < 1e-9, 1, length)).T
    sine = np.sin(part * angle / 2)
    partly = rows(x * sine, y * sine, z * sine, np.cos(part * angle / 2))
    return (stretches[0] + part * (stretches[1] - stretches[0])) @ rotated[0] @ np.where((length < 1e-9)[..., None], np.eye(3), partly)


def skins(lab: Any, frame: int, part: float) -> Floats:
    """(bones, 4, 4) for row vectors."""
    out, after = np.zeros((lab.bone_count, 4, 4)), min(frame + 1, lab.frame_count - 1)
    out[:, 3, 3] = 1
    if lab.key_type == 3:
        one, other = (lab.quaternions[:, at].astype(float) for at in (frame, after))
        sizes = [np.linalg.norm(keys, axis=1, keepdims=True) for keys in (one, other)]
        mixed = arc(one / sizes[0], other / sizes[1], part) * (sizes[0] + part * (sizes[1] - sizes[0]))
        out[:, :3, :3] = rows(*(mixed if part else one).T)
        ends = [lab.positions[:, at].astype(float) for at in (frame, after)]
    else:
        one, other = (lab.matrices[:, at, :3, :3].astype(float) for at in (frame, after))
        out[:, :3, :3] = between_matrices(one, other, part) if part else one
        ends = [lab.matrices[:, at, 3, :3].astype(float) for at in (frame, after)]
    out[:, 3, :3] = ends[0] + part * (ends[1] - ends[0])
    for bone, parent in enumerate(lab.bones["parent"].tolist()):
        if parent != 0xFFFFFFFF:
            out[bone] = out[bone] @ out[parent]
    return lab.inverse_binds.astype(float) @ out


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
        self.lab = part("core.mindpower.files.lab").Lab.parse(path.read_bytes())
        self.frames = self._frames()

    def _frames(self) -> list[int]:
        """Frames, each with the next in the same action: those with the largest motion to the next, and any."""
        table = part_table(self.part, self.path, self.lab.frame_count)
        inside = np.unique(np.concatenate([np.arange(*item) for item in table or [(0, self.lab.frame_count - 1)]]))
        keys = self.lab.quaternions if self.lab.key_type == 3 else self.lab.matrices[:, :, :3].reshape(*self.lab.matrices.shape[:2], -1)
        step = np.abs(np.diff(keys, axis=1)).max(axis=(0, 2))[inside]
        chance = np.random.default_rng(0)
        return sorted({*inside[np.argsort(-step)[:3]].tolist(), *chance.choice(inside, 9).tolist()})

    def errors(self, helped: bool) -> tuple[Floats, Floats, float]:
        """(K,) of all vertices at the game's frames, and between them; and the size of the character."""
        bpy.ops.wm.read_homefile(use_empty=True)
        bpy.context.scene.render.fps = 24
        mindpower, parse = self.part("io.mindpower.build"), self.part("core.mindpower.files.lgo").Lgo.parse
        options = mindpower.ImportOptions(
            (str(self.path),), actions="TIMELINE", fps_mode="KEEP", frame_start=0, helper_bones=helped, parts="all"
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
    table = part("core.mindpower.files.action_table").ActionTable.parse((path.parents[1] / "scripts/txt/CharacterAction.tx").read_bytes())
    return [(row.start, min(row.end, frames - 1)) for row in table.of_type(kind) if row.start < min(row.end, frames - 1)]


@pytest.mark.parametrize("name", [*PLAIN, *SHEARED])
def test_vertices_are_where_the_game_has_them_at_any_time(part: Part, game_file: Callable[[str], Path], name: str) -> None:
    fidelity = Fidelity(part, game_file(f"mindpower/animation/{name}.lab"))
    at, between, size = fidelity.errors(helped=True)
    assert at.max() < 1e-4
    assert np.median(between) < 1e-4
    assert np.quantile(between, 0.9) < (3e-3 if name not in WILD else 0.01 * size)
    assert between.max() < WILD.get(name, 0.01) * size
    if name in SHEARED:
        plain = fidelity.errors(helped=False)[1]
        assert between.max() < plain.max() + 1e-3
