"""What object and root bone do is taken together: the joints stand in the game where Blender shows them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest

Part = Callable[[str], ModuleType]
FRAMES = (1, 10, 19, 28, 37)
Y_UP = np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])


class Walk:
    """The walk of LBA1 on Twinsen, with keys at FRAMES."""

    def __init__(self, part: Part, anims: Path, root_motion: str) -> None:
        lba = part("io.lba")
        body = f"{anims.with_name('BODY.HQR')}#0"
        options = lba.ImportOptions(
            (str(anims),), entries="1", skeleton=body, fps_mode="SET", root_motion=root_motion, bone_direction="GAME"
        )
        imported = lba.import_lba(bpy.context, options)
        self.part, self.obj, self.action = part, imported.armatures[0], imported.actions[0]
        archive = part("core.lba.files.archive.hqr").Hqr.parse(anims.with_name("BODY.HQR").read_bytes())
        self.body = part("core.lba.body.body").Body.of(part("core.lba.files.lm1").Lm1.parse(archive.read(0)))

    def key(self, owner: Any, path: str, values: dict[int, tuple[float, ...]]) -> None:
        for frame, value in values.items():
            setattr(owner, path, value)
            assert owner.keyframe_insert(path, frame=frame)
        for curve in self.part("io.blender.compat").curves(self.obj.animation_data.action):
            for point in curve.keyframe_points:
                point.interpolation = "LINEAR"

    def written(self) -> tuple[Any, list[str]]:
        export = self.part("io.lba.pack")
        with self.part("core.reporting.log").collect() as said:
            action = self.obj.animation_data.action
            with self.part("io.pipeline.out_of_blender.packing").about(action):
                packed = export.pack_action(bpy.context, self.obj, action, export.ExportOptions())
        return self.part("core.lba.files.anm").Anm.parse(packed.data), said.digest("WARNING")

    def apart(self, anm: Any, frames: tuple[float, ...] = FRAMES) -> float:
        """How far, in game units, a joint is from where Blender shows it, at worst."""
        playback, game = self.part("core.lba.motion.playback"), self.part("core.lba.files.variant").LBA1
        scale = self.obj.data["retro_anim_scale"]
        worst = 0.0
        for frame in frames:
            bpy.context.scene.frame_set(int(frame), subframe=frame - int(frame))
            shown = self.obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
            names = [f"group {bone:02d}" for bone in range(1, self.body.group_count)]
            heads = np.array([shown.matrix_world @ shown.pose.bones[name].head for name in names]) / scale @ Y_UP
            time = np.array([float(frame - 1)])
            posed = self.part("core.lba.motion.evaluate").evaluate(self.body, playback.state_at(anm, game, time), game)
            root = playback.root_at(anm, game, time)
            moved = posed.matrices[0, 1:, :3, 3]
            expected = moved @ playback.rotation_matrix_of(root.angles[0] * 2 * np.pi / game.rotation).T + root.positions[0]
            worst = max(worst, float(np.linalg.norm(heads - expected, axis=1).max()))
        return worst


@pytest.fixture
def walk(part: Part, anims: Path) -> Callable[[str], Walk]:
    return lambda root_motion: Walk(part, anims, root_motion)


@pytest.mark.parametrize("root_motion", ["OBJECT", "BONE"])
def test_the_truth_is_measured(walk: Callable[[str], Walk], root_motion: str) -> None:
    imported = walk(root_motion)
    anm, said = imported.written()
    assert not said and imported.apart(anm) < 3


@pytest.mark.parametrize("root_motion", ["OBJECT", "BONE", "NONE"])
@pytest.mark.parametrize("carrier", ["object", "root"])
def test_steps_and_heading_of_either_carrier(walk: Callable[[str], Walk], root_motion: str, carrier: str) -> None:
    imported = walk(root_motion)
    if root_motion == "NONE":  # what was imported as a property is not shown: without it all that is keyed is shown
        for curve in [curve for curve in imported.part("io.blender.compat").curves(imported.action) if '["root_' in curve.data_path]:
            for point in curve.keyframe_points:
                point.co.y = 0.0
    owner = imported.obj if carrier == "object" else imported.obj.pose.bones["group 00"]
    imported.key(owner, "location", {1: (0, 0, 0), 19: (0.2, 0.1, 0.3), 37: (0.5, -0.3, 0.3)})
    imported.key(owner, "rotation_euler", {1: (0, 0, 0), 37: (0, 0, 2.5)})
    anm, said = imported.written()
    assert all("on the loop's way back" in line or "since it rotates on the way" in line for line in said)  # the closing key is not moved
    assert imported.apart(anm) < 4


def test_keys_in_both(walk: Callable[[str], Walk]) -> None:
    imported = walk("OBJECT")
    root = imported.obj.pose.bones["group 00"]
    imported.key(root, "location", {1: (0, 0, 0), 37: (0.4, 0.2, 0.1)})
    imported.key(root, "rotation_euler", {1: (0, 0, 0), 37: (0, 0, -1.5)})
    anm, said = imported.written()
    assert all("on the loop's way back" in line or "since it rotates on the way" in line for line in said)
    assert imported.apart(anm) < 4


def test_what_no_step_holds_is_below_the_root_or_told(walk: Callable[[str], Walk]) -> None:
    imported = walk("OBJECT")
    root = imported.obj.pose.bones["group 00"]
    imported.key(root, "rotation_euler", {1: (0.3, 0, 0), 19: (0.3, 0.2, 0), 37: (0.3, 0, 0)})
    anm, said = imported.written()
    tilted = imported.apart(anm)
    assert any("degrees off how it is shown at frame" in line for line in said)
    imported.key(root, "location", {1: (0, 0.25, 0)})
    lifted, said = imported.written()
    assert imported.apart(lifted) == pytest.approx(tilted, abs=2), "the bone below is translated, and goes where it is shown"
    assert any("degrees off how it is shown at frame" in line for line in said)


def test_a_new_action_moves_as_it_is_shown(walk: Callable[[str], Walk]) -> None:
    imported = walk("BONE")
    imported.obj.animation_data.action = None
    for bone in imported.obj.pose.bones:
        bone.matrix_basis.identity()
        bone.location, bone.rotation_euler = (0, 0, 0), (0, 0, 0)
    imported.key(imported.obj.pose.bones["group 00"], "location", {1: (0, 0, 0), 37: (0, 0.4, 0)})
    imported.key(imported.obj, "location", {1: (0, 0, 0), 37: (0.4, 0, 0)})
    anm, said = imported.written()
    assert not said and imported.apart(anm) < 3
