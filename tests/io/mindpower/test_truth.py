"""Tales of Pirates: what Blender shows is in the file, within a step, or it is said where not; and nothing is said without a difference.

The file is evaluated by the format's definition alone, at the game's frames and at the quarters between them; sheared bones
at the frames alone, since between them they come in only nearly.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from support.mindpower.mindpower_rule import skins

Part = Callable[[str], ModuleType]
Floats = NDArray[np.float64]
SIGNS = np.outer([1.0, -1, 1, 1], [1.0, -1, 1, 1])
QUIET, SPOKEN = 2e-4, 4e-3
"""Of a skin matrix: what may be off when a message speaks of a difference at least, and what may be off in silence at most."""


class Character:
    """0741: 34 bones, quaternions; 0010: matrices; 0088: sheared bones with helper bones. Without its meshes."""

    def __init__(self, part: Part, client: Path, name: str, fps: int) -> None:
        bpy.ops.wm.read_homefile(use_empty=True)
        self.part, self.name = part, name
        bpy.context.scene.render.fps = fps
        mindpower = part("io.mindpower.build")
        with part("core.reporting.log").collect():
            imported = mindpower.import_mindpower(
                bpy.context, mindpower.ImportOptions((str(client / "animation" / f"{name}.lab"),), fps_mode="KEEP")
            )
        bpy.data.batch_remove(imported.meshes)
        self.obj, self.actions = imported.armatures[0], imported.actions[:2]
        self.fps = fps
        for action in imported.actions[2:]:
            bpy.data.actions.remove(action)
        self.bones = [bone.name for bone in self.obj.data.bones if "mindpower_helper" not in bone]
        helpers = {bone["mindpower_helper"]: bone.name for bone in self.obj.data.bones if "mindpower_helper" in bone}
        self.carriers = [helpers.get(bone["retro_anim_bone"], bone.name) for bone in self.obj.data.bones if bone.name in self.bones]
        order = np.argsort([bone["retro_anim_bone"] for bone in self.obj.data.bones if bone.name in self.bones])
        self.bones, self.carriers = ([names[index] for index in order] for names in (self.bones, self.carriers))

    def curves(self, action: Any, bone: str) -> list[Any]:
        path = f'pose.bones["{bone}"]'
        return [curve for curve in self.part("io.blender.compat").curves(action) if curve.data_path.startswith(path)]

    def shown(self, action: Any, frames: Floats) -> Floats:
        """(K, bones, 4, 4) what moves vertices, from where the object stands as the action begins."""
        self.obj.animation_data.action = action
        scene, out, worlds = bpy.context.scene, np.empty((len(frames), len(self.bones), 4, 4)), np.empty((len(frames), 4, 4))
        scene.frame_set(int(action.frame_range[0]))
        start = np.array(self.obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world, float)
        rest = np.linalg.inv(np.array([self.obj.data.bones[name].matrix_local for name in self.carriers], float))
        for row, frame in enumerate(frames.tolist()):
            scene.frame_set(int(frame), subframe=frame - int(frame))
            obj = self.obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
            out[row] = np.array([obj.pose.bones[name].matrix for name in self.carriers], float) @ rest
            worlds[row] = np.array(obj.matrix_world, float)
        return (np.linalg.inv(start) @ worlds)[:, None] @ out


def move(draw: Any, one: Character, action: Any, bone: str) -> None:
    curves = one.curves(action, bone)
    if curves:
        curve = draw(st.sampled_from(curves))
        point = curve.keyframe_points[draw(st.integers(0, len(curve.keyframe_points) - 1))]
        point.co.y += draw(st.sampled_from([0.3, -0.2, 0.05]))
        curve.update()


def delete(draw: Any, one: Character, action: Any, bone: str) -> None:
    for curve in one.curves(action, bone):
        for index in range(len(curve.keyframe_points) - 2, 0, -2):
            curve.keyframe_points.remove(curve.keyframe_points[index])


def between(draw: Any, one: Character, action: Any, bone: str) -> None:
    """A key that lies between two frames of the game."""
    for curve in one.curves(action, bone)[:2]:
        at = action.frame_start + draw(st.integers(1, 5)) + 0.4
        curve.keyframe_points.insert(at, curve.evaluate(at) + 0.2).interpolation = "LINEAR"


def slower(draw: Any, one: Character, action: Any, bone: str) -> None:
    for curve in one.part("io.blender.compat").curves(action):
        for point in curve.keyframe_points:
            point.co.x = action.frame_start + 2 * (point.co.x - action.frame_start)
        curve.update()
    action.frame_end = action.frame_start + 2 * (action.frame_end - action.frame_start)


def mode(draw: Any, one: Character, action: Any, bone: str) -> None:
    one.obj.pose.bones[bone].rotation_mode = "XYZ"


def constraint(draw: Any, one: Character, action: Any, bone: str) -> None:
    limit: Any = one.obj.pose.bones[bone].constraints.new("LIMIT_ROTATION")
    limit.use_limit_x, limit.owner_space = True, "LOCAL"
    limit.min_x = limit.max_x = 0.3


def of_object(draw: Any, one: Character, action: Any, bone: str) -> None:
    one.obj.animation_data.action = action
    for frame, x in ((action.frame_start, 0.0), (action.frame_end, 2.0)):
        one.obj.location = (x, 1.0, 0.0)
        one.obj.keyframe_insert("location", frame=frame)
    for curve in one.part("io.blender.compat").curves(action):
        if curve.data_path == "location":
            for point in curve.keyframe_points:
                point.interpolation = "LINEAR"


def round_off(draw: Any, one: Character, action: Any, bone: str) -> None:
    """Half of the keys gone, and soft curves between the others."""
    delete(draw, one, action, bone)
    for curve in one.curves(action, bone):
        for point in curve.keyframe_points:
            point.interpolation = "BEZIER"


def muted(draw: Any, one: Character, action: Any, bone: str) -> None:
    for curve in one.curves(action, bone):
        curve.mute = True


def noise(draw: Any, one: Character, action: Any, bone: str) -> None:
    for curve in one.curves(action, bone)[:1]:
        curve.modifiers.new("NOISE")


def longer(draw: Any, one: Character, action: Any, bone: str) -> None:
    action.frame_end += 8


def nothing(*_: Any) -> None:
    """An export without an edit."""


EDITS = (move, move, delete, between, slower, mode, constraint, of_object, round_off, muted, noise, longer, nothing)


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["0741", "0010", "0088"])
@settings(
    max_examples=2,
    deadline=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(data=st.data())
def test_any_edit_is_in_the_file_or_is_named(
    part: Part, game_file: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory, name: str, data: st.DataObject
) -> None:
    one = Character(part, game_file("mindpower"), name, data.draw(st.sampled_from([30, 30, 24])))
    for _ in range(data.draw(st.integers(1, 2))):
        edit = data.draw(st.sampled_from(EDITS))
        edit(data.draw, one, data.draw(st.sampled_from(one.actions)), data.draw(st.sampled_from(one.bones)))
    for block in (*one.actions, one.obj):
        block.update_tag()  # or Blender would go on showing what was there before
    bpy.context.view_layer.objects.active = one.obj
    export, target = part("io.mindpower.write"), tmp_path_factory.mktemp("out") / f"{name}.lab"
    sampling = data.draw(st.sampled_from(["KEYS", "VISUAL"]))
    try:
        exported = export.export_mindpower(bpy.context, export.ExportOptions(str(target), sampling=sampling))
    except part("core.reporting.errors").ExportError as error:
        assert "\n" not in str(error)
        return
    lab = part("core.mindpower.files.skeleton.lab").Lab.parse(target.read_bytes())
    table = part("core.mindpower.files.tables.action_table").ActionTable.parse((target.parent / "CharacterAction.tx").read_bytes())
    rows = {row.number: row for row in table.of_type(one.obj.data["mindpower_type"])}
    messages = {change.action: change.messages for change in exported.changes}
    for action in one.actions:
        row = rows[int(action["mindpower_actions"].split(",")[0])]
        steps = np.arange(0, round((action.frame_end - action.frame_start) * 30 / one.fps) + 0.1, 1.0 if name == "0088" else 0.25)
        shown = one.shown(action, action.frame_start + steps * one.fps / 30)
        written = np.array([skins(lab, row.start + int(step), step % 1) for step in steps.tolist()]).swapaxes(-1, -2) * SIGNS
        off = np.abs(shown - written).max(axis=(0, 2, 3))
        if off.max() > SPOKEN:
            assert messages[action.name], (action.name, one.bones[int(np.argmax(off))], float(off.max()))
        if off.max() < QUIET and name != "0088":
            assert not messages[action.name], (action.name, off.max(), messages[action.name])


def test_a_mirrored_bone_in_another_mode_shows_the_same_in_the_other_action(
    part: Part, game_file: Callable[[str], Path], tmp_path: Path
) -> None:
    """Only the action that is on the armature has it as still: the other one is put on the pose that is there."""
    one = Character(part, game_file("mindpower"), "0741", 30)
    one.obj.pose.bones["Bip01 R Finger0Nub"].rotation_mode = "XYZ"
    assert min(one.obj.pose.bones["Bip01 R Finger0Nub"].scale) == pytest.approx(-1)
    bpy.context.view_layer.objects.active = one.obj
    export = part("io.mindpower.write")
    exported = export.export_mindpower(bpy.context, export.ExportOptions(str(tmp_path / "0741.lab"), sampling="VISUAL"))
    assert [change.messages for change in exported.changes] == [(), ()]
