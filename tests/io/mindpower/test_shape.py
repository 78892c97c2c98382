"""Tales of Pirates: what deforms in Blender, and where dummies are, against the game's own formulas."""

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
FILES = ("0001", "0005", "0010", "0016", "0088", "0289", "0311", "0616", "0725", "0741", "0860")
SHEARED = ("0016", "0088", "0289", "0616", "0725", "0860")
EXACT = 1e-4
FLIP = np.array([1.0, -1, 1])


def rows(lab: Any, frames: NDArray[np.int64]) -> NDArray[np.float64]:
    """(bones, F, 4, 4) skin matrices for row vectors, by the definitions alone, bone after bone."""
    out = np.zeros((lab.bone_count, len(frames), 4, 4))
    for bone in range(lab.bone_count):
        out[bone, :, 3, 3] = 1
        if lab.key_type == 3:
            x, y, z, w = lab.quaternions[bone, frames].astype(float).T
            out[bone, :, 0, :3] = np.stack([1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)], 1)
            out[bone, :, 1, :3] = np.stack([2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)], 1)
            out[bone, :, 2, :3] = np.stack([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)], 1)
            out[bone, :, 3, :3] = lab.positions[bone, frames]
        else:
            out[bone, :, :, :3] = lab.matrices[bone, frames][..., :3]
        parent = int(lab.bones["parent"][bone])
        if parent != 0xFFFFFFFF:
            out[bone] = out[bone] @ out[parent]
    return lab.inverse_binds.astype(float)[:, None] @ out


def deformed(mesh: Any, skin: NDArray[np.float64], bone_count: int) -> NDArray[np.float64]:
    """(F, V, 3) in Blender's axes: v' = sum of weight * (v * skin); a vertex without weights goes with its first bone."""
    count = mesh.influences or 2
    palette = mesh.palette.astype(int)
    bones = palette[mesh.blend["index"][:, :count]]
    weights = mesh.blend["weight"][:, :count].astype(float)
    weights[weights.sum(axis=1) == 0, 0] = 1
    assert (bones < bone_count).all()
    points = np.column_stack([mesh.positions.astype(float), np.ones(len(mesh.positions))])
    placed = np.einsum("vi,vnfij,vn->fvj", points, skin[bones], weights)
    return placed[..., :3] * FLIP


def shown(obj: Any) -> NDArray[np.float64]:
    """(V, 3) as Blender deforms them."""
    evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    data = evaluated.to_mesh()
    positions = np.empty(3 * len(data.vertices), np.float32)
    data.vertices.foreach_get("co", positions)
    evaluated.to_mesh_clear()
    return positions.reshape(-1, 3).astype(float)


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "helped"), [*((name, False) for name in FILES), *((name, True) for name in SHEARED)])
def test_vertices_and_dummies_are_where_the_game_has_them(part: Part, game_file: Callable[[str], Path], name: str, helped: bool) -> None:
    """At 20 frames. Without helper bones a sheared character may be off as far as was said, and no farther, and so may its dummies."""
    path = game_file(f"mindpower/animation/{name}.lab")
    lab, log = part("core.mindpower.files.skeleton.lab").Lab.parse(path.read_bytes()), part("core.reporting.log")
    mindpower, parse = part("io.mindpower.build"), part("core.mindpower.files.mesh.lgo").Lgo.parse
    with log.collect() as said:
        options = mindpower.ImportOptions((str(path),), actions="TIMELINE", fps_mode="SET", frame_start=0, helper_bones=helped)
        imported = mindpower.import_mindpower(bpy.context, options)
    bound = float(imported.armatures[0].data.get(mindpower.ERROR, 0.0))
    assert any("sheared bones" in line for line in said.digest()) == (bound > 0)
    assert not (helped and bound)
    frames = np.unique(np.linspace(0, lab.frame_count - 1, 20).astype(int))
    skin = rows(lab, frames)
    expected = [deformed(parse(path.parents[1].joinpath("model", "character", f"{mesh.name}.lgo").read_bytes()).mesh, skin, lab.bone_count)
              for mesh in imported.meshes]  # fmt: skip
    assert imported.meshes
    empties = {obj["mindpower_order"]: obj for obj in bpy.data.objects if "mindpower_dummy" in obj}
    assert len(empties) == len(lab.dummies)
    stands = (lab.dummies["matrix"].astype(float)[:, None] @ skin[lab.dummies["parent"]])[:, :, 3, :3] * FLIP
    inexact = {int(bone) for bone in imported.armatures[0].data.get("mindpower_sheared", ())}
    assert not helped or any("mindpower_helper" in bone for bone in imported.armatures[0].data.bones)
    worst = 0.0
    for row, frame in enumerate(frames.tolist()):
        bpy.context.scene.frame_set(frame)
        worst = max(worst, *(np.abs(shown(mesh) - point[row]).max() for mesh, point in zip(imported.meshes, expected, strict=True)))
        for order, obj in empties.items():
            if int(lab.dummies["parent"][order]) not in inexact:
                assert np.abs(np.array(obj.matrix_world)[:3, 3] - stands[order, row]).max() < EXACT, (obj.name, frame)
    assert worst < max(EXACT, bound * (1 + 1e-3) + 1e-5)
    if not bound:
        assert worst < EXACT
