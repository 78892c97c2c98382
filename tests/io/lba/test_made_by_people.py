"""Bodies and animations of LBA2 that people made, in Blender: posed as the engine does, and kept to the byte."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from support.lba import lba2_chain as chain2
from support.lba.lba_stage import AT_KEYS, LBA2, Fetch, Part, Stage, mesh_points

GIVEN = [("Human_Hand", "Human_Hand_P1"), ("Twinsen_Mario_LBA2", "Twinsen_Walk")]


@pytest.mark.parametrize(("body", "clip"), GIVEN)
def test_the_given_characters(fetch: Fetch, part: Part, game_file: Callable[[str], Path], tmp_path: Path, body: str, clip: str) -> None:
    """As entries of archives, at keyframes and between."""
    (tmp_path / "ANIM.HQR").write_bytes(chain2.archive([game_file(f"lba2/{clip}.anm").read_bytes()]))
    (tmp_path / "BODY.HQR").write_bytes(chain2.archive([game_file(f"lba2/{body}.lm2").read_bytes()]))
    bpy.context.scene.render.fps = 1000
    Stage(fetch, part, tmp_path / "ANIM.HQR", 0, [0], LBA2, 1000, fps_mode="KEEP").check(every=37)


@pytest.mark.parametrize(("body", "clip"), GIVEN)
def test_the_given_files_come_back(
    fetch: Fetch, write: Any, game_file: Callable[[str], Path], tmp_path: Path, body: str, clip: str
) -> None:
    source = game_file(f"lba2/{clip}.anm")
    imported = fetch(source, skeleton=str(game_file(f"lba2/{body}.lm2")))
    assert len(imported.meshes) >= 1
    write(tmp_path / "again.anm")
    assert (tmp_path / "again.anm").read_bytes() == source.read_bytes()


def test_several_groups_without_a_parent(fetch: Fetch, part: Part, tmp_path: Path) -> None:
    body_bytes = bytes(32) + chain2.lm2(runs=chain2.every_kind())[32:]
    body_bytes = body_bytes[: 96 + 24] + struct.pack("<H", 0xFFFF) + body_bytes[96 + 26 :]
    (tmp_path / "chain.lm2").write_bytes(body_bytes)
    (tmp_path / "chain.anm").write_bytes(chain2.ANM)
    obj = fetch(tmp_path / "chain.anm", fps_mode="SET", scale=1.0, root_motion="NONE", frame_start=0.0).armatures[0]
    body = part("core.lba.body.body").Body.of(part("core.lba.files.lm2").Lm2.parse(body_bytes))
    anm, rules = part("core.lba.files.anm").Anm.parse(chain2.ANM), part("core.lba.files.variant").LBA2
    scene = bpy.context.scene
    for time in anm.times[[1, -1]].tolist():
        frame = time * scene.render.fps / 1000
        scene.frame_set(int(frame), subframe=frame % 1)
        state = part("core.lba.motion.playback").state_at(anm, rules, np.array([float(time)]))
        wanted = part("core.lba.motion.evaluate").evaluate(body, state, rules).points[0]
        assert np.abs(mesh_points(obj, len(body.points)) - wanted).max() < AT_KEYS


def test_half_a_turn_in_one_keyframe_is_refused(fetch: Fetch, write: Any, tmp_path: Path) -> None:
    """The game takes 12 bits with a sign, and would go the other way round."""
    (tmp_path / "chain.lm2").write_bytes(chain2.LM2)
    frames = [(100, (0, 0, 0), [(1, 0, value, 0)] + [(0, 0, 0, 0)] * 4) for value in (0, 3840, 0)]
    (tmp_path / "chain.anm").write_bytes(chain2.anm(frames))
    imported = fetch(tmp_path / "chain.anm", fps_mode="SET")
    obj = imported.armatures[0]
    bpy.context.scene.frame_set(int(imported.actions[0].frame_range[1]))
    assert obj.rotation_euler[2] == pytest.approx(-np.radians(22.5), abs=1e-5)
    write(tmp_path / "again.anm")
    assert (tmp_path / "again.anm").read_bytes() == (tmp_path / "chain.anm").read_bytes()
    bpy.context.scene.frame_set(7)  # the last keyframe, after 200 ms
    obj.rotation_euler[2] = 3.5
    obj.keyframe_insert("rotation_euler", index=2)
    with pytest.raises(Exception, match="by half a turn or more in one keyframe"):
        write(tmp_path / "again.anm", overwrite=True)
