"""Bones and points in Blender are where the game has them, by an evaluation of our own in floating point."""

from __future__ import annotations

import struct
from pathlib import Path

import bpy
import numpy as np
import pytest
from support.lba.lba_stage import AT_KEYS, BETWEEN, Fetch, Part, Stage, evaluate, mesh_points, states
from support.lba.lba_walk import KEYFRAME_1


@pytest.fixture
def pairs(part: Part, anims: Path) -> dict[int, list[int]]:
    """Body -> the animations that some entity uses it with. Those that none uses go to the first body."""
    file3d, hqr = part("core.lba.files.file3d"), part("core.lba.files.archive.hqr").Hqr.parse(anims.with_name("FILE3D.HQR").read_bytes())
    result: dict[int, set[int]] = {}
    for index in range(len(hqr)):
        if not hqr.blank(index):
            entity = file3d.Entity.parse(hqr.read(index))
            for body in entity.bodies:
                result.setdefault(body, set()).update(entity.animations)
    archive = part("core.lba.files.archive.hqr").Hqr.parse(anims.read_bytes())
    rest = {entry for entry in range(len(archive)) if not archive.blank(entry)}.difference(*result.values())
    result[0] |= rest
    return {body: sorted(entries) for body, entries in sorted(result.items()) if entries}


@pytest.mark.thorough
def test_every_body_with_every_animation(fetch: Fetch, part: Part, anims: Path, pairs: dict[int, list[int]]) -> None:
    for body, entries in pairs.items():
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
        Stage(fetch, part, anims, body, entries).check()
    assert len(set().union(*pairs.values())) >= 70


@pytest.mark.thorough
def test_bones_towards_their_child(fetch: Fetch, part: Part, anims: Path, pairs: dict[int, list[int]]) -> None:
    """Every animation with the first body that has it."""
    covered: set[int] = set()
    for body, entries in pairs.items():
        new = [entry for entry in entries if entry not in covered]
        covered.update(new)
        if new:
            bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
            Stage(fetch, part, anims, body, new, bone_direction="CHILD").check()


@pytest.mark.parametrize("direction", ["GAME", "CHILD"])
@pytest.mark.parametrize("root", ["OBJECT", "BONE"])
def test_the_way_of_the_root(fetch: Fetch, part: Part, anims: Path, pairs: dict[int, list[int]], root: str, direction: str) -> None:
    stage = Stage(fetch, part, anims, 0, pairs[0], root_motion=root, bone_direction=direction)
    for number in range(len(stage.anms)):
        stage.check_path(number)


@pytest.mark.parametrize("direction", ["GAME", "CHILD"])
def test_the_walk_by_its_printed_numbers(fetch: Fetch, anims: Path, direction: str) -> None:
    bodies = anims.with_name("BODY.HQR")
    imported = fetch(anims, entries="1", skeleton=f"{bodies}#0", scale=1.0, fps_mode="SET", root_motion="NONE", bone_direction=direction)
    bpy.context.scene.frame_set(10)
    (mesh,) = [child for child in imported.armatures[0].children if not child.name.endswith(("lines", "spheres"))]
    points = mesh_points(imported.armatures[0], len(mesh.data.vertices))
    for vertex, position in KEYFRAME_1.items():
        assert np.abs(points[vertex] - position).max() < AT_KEYS, vertex


@pytest.mark.parametrize("direction", ["GAME", "CHILD"])
def test_the_chain_by_its_printed_numbers(fetch: Fetch, chain: Path, direction: str) -> None:
    imported = fetch(
        chain / "chain.anm", scale=1.0, fps_mode="SET", root_motion="NONE", bone_direction=direction, frame_start=0, game="lba1"
    )
    rest = {0: (0, 0, 0), 1: (0, 100, 0), 3: (50, 300, 0), 6: (50, 300, 300), 8: (-150, 300, 0), 10: (50, 220, 340)}
    first = {6: (122.89405, 354.69994, 279.85964), 8: (-131.75848, 255.04241, -16.44886), 10: (116.02154, 266.73974, 265.17047)}
    second = {6: (69.44177, 175.8069, 285.5513), 8: (-131.75848, 344.95759, -0.44886), 10: (153.05387, 187.61561, 315.0398)}
    for tick, printed in ((0, rest), (15, first), (25, second), (30, rest)):
        bpy.context.scene.frame_set(tick)
        points = mesh_points(imported.armatures[0], 11)
        for vertex, position in printed.items():
            assert np.abs(points[vertex] - position).max() < AT_KEYS, (tick, vertex)


@pytest.mark.parametrize("direction", ["GAME", "CHILD"])
def test_a_bone_that_moves_and_then_turns(fetch: Fetch, part: Part, chain: Path, direction: str) -> None:
    """Group 1 moves up to keyframe 1, turns up to keyframe 2, and moves again; the engine takes the old words for the new kind."""
    file = chain / "chain.anm"
    data = file.read_bytes()
    file.write_bytes(data[:120] + struct.pack("<4h", 0, 24, 0, 0) + data[128:])
    anm = part("core.lba.files.anm").Anm.parse(file.read_bytes())
    body = part("core.lba.body.body").Body.from_lm1(part("core.lba.files.lm1").Lm1.parse((chain / "chain.lm1").read_bytes()))
    imported = fetch(file, scale=1.0, fps_mode="SET", root_motion="NONE", bone_direction=direction, frame_start=0, game="lba1")
    ticks, keys, kinds, values = states(anm)
    _, points = evaluate(body, kinds, values)
    for tick, key, positions in zip(ticks.tolist(), keys.tolist(), points, strict=True):
        bpy.context.scene.frame_set(tick)
        assert np.abs(mesh_points(imported.armatures[0], 11) - positions).max() < (AT_KEYS if key else BETWEEN), tick
    export = part("io.lba.pack")
    packed = export.pack_action(bpy.context, imported.armatures[0], imported.actions[0], export.ExportOptions(""))
    assert packed.data == file.read_bytes()
