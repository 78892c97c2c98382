"""What Would Change, Make Linear, and the command `changes`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import bpy
import numpy as np
import pytest

Part = Callable[[str], ModuleType]
OPS: Any = bpy.ops
FORM = {"action": str, "armature": str, "target": str, "state": str, "bones": list, "keys": int, "messages": list}


@pytest.fixture
def walk(anims: Path, fetch: Any) -> Any:
    imported = fetch(anims, entries="0-3", skeleton=f"{anims.with_name('BODY.HQR')}#0", fps_mode="SET")
    bpy.context.view_layer.objects.active = imported.armatures[0]
    imported.armatures[0].animation_data.action = imported.actions[1]
    return imported


def rotated(part: Part, action: Any) -> Any:
    """The curve that rotates a bone most."""
    curves = part("io.blender.compat").curves(action)
    kept = [curve for curve in curves if curve.data_path.startswith("pose") and curve.data_path.endswith("rotation_euler")]
    return max(kept, key=lambda curve: np.ptp([point.co[1] for point in curve.keyframe_points]))


def test_what_would_change(walk: Any, part: Part, anims: Path) -> None:
    before = anims.read_bytes()
    rotated(part, walk.actions[1]).keyframe_points[2].co[1] += 0.3
    assert OPS.retro_anim.what_would_change() == {"FINISHED"}
    assert anims.read_bytes() == before
    lines = bpy.data.texts["What Would Change"].as_string().splitlines()
    assert [line.split()[0] for line in lines] == ["unchanged", "changed", "unchanged", "unchanged"]
    assert lines[1].startswith(f"changed    #1 {walk.actions[1].name}: 1 key of group ")


def test_that_nothing_would_change_is_said_where_messages_are(walk: Any) -> None:
    """The line in the status bar is gone after a while."""
    assert OPS.retro_anim.what_would_change() == {"FINISHED"}
    said = [each.name for each in bpy.context.window_manager.retro_anim_messages.lines]
    assert said == ["nothing would change: 4 clips as in the file"]


def test_a_mesh_that_was_keyed_instead_of_a_bone(walk: Any) -> None:
    """As happens to who clicks the figure in Object Mode, rotates it and inserts a key."""
    mesh = next(each for each in bpy.context.view_layer.objects if each.type == "MESH" and each.find_armature() == walk.armatures[0])
    mesh.rotation_euler = (0.7, 0.0, 0.0)
    mesh.keyframe_insert("rotation_euler", frame=1)
    assert OPS.retro_anim.what_would_change() == {"FINISHED"}
    said = [each.name for each in bpy.context.window_manager.retro_anim_messages.lines if each.level == "WARNING"]
    wanted = f"{mesh.name} has keys of its own as an object, which no file of the game holds: delete them, and move the bones"
    assert said == [f"{wanted} of {walk.armatures[0].name} in Pose Mode instead"]


def test_why_a_clip_is_refused_is_said_at_once(walk: Any, anims: Path, part: Part, capfd: Any) -> None:
    rotated(part, walk.actions[1]).keyframe_points[2].co[1] += 0.3
    anims.chmod(0o444)
    try:
        assert OPS.retro_anim.what_would_change() == {"FINISHED"}
    finally:
        anims.chmod(0o644)
    assert "read-only: allow writing" in capfd.readouterr().out.splitlines()[-1]


def test_what_is_refused_is_named_once(walk: Any, capfd: Any) -> None:
    """Though the reason begins with the same name."""
    bone = walk.armatures[0].pose.bones[3]
    bone.scale = (1.5, 1, 1)
    bone.keyframe_insert("scale", frame=1)
    assert OPS.retro_anim.what_would_change() == {"FINISHED"}
    manager: Any = bpy.context.window_manager
    (line,) = (line.name for line in manager.retro_anim_messages.lines if "the game has no scale" in line.name)
    name = walk.armatures[0].animation_data.action.name
    assert line.startswith(f"{name}: refused: {bone.name} ") and line.count(name) == 1
    assert f"1 of 4 refused: {name}: {bone.name} " in capfd.readouterr().out.splitlines()[-1]


def test_nothing_to_change() -> None:
    assert OPS.retro_anim.what_would_change() == {"CANCELLED"}
    assert "What Would Change" not in bpy.data.texts


def test_make_linear(walk: Any, part: Part) -> None:
    """Afterwards the game shows what Blender shows."""
    preview = part("io.pipeline.out_of_blender.preview")
    for point in rotated(part, walk.actions[1]).keyframe_points:
        point.interpolation = "SINE"
    (change,) = preview.what_would_change(bpy.context, "ACTIVE")
    assert change.worst is not None and "Make Linear" in change.messages[0]
    assert OPS.retro_anim.make_linear() == {"FINISHED"}
    (change,) = preview.what_would_change(bpy.context, "ACTIVE")
    assert (change.worst, change.messages, change.state) == (None, (), "unchanged")


def test_the_command(walk: Any, part: Part, anims: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One JSON document of the clips; exit code 1 as soon as one of them is refused."""
    rotated(part, walk.actions[1]).keyframe_points[2].co[1] += 0.3
    saved = tmp_path / "saved.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(saved))
    main = part("cli.main").main
    capsys.readouterr()
    assert main(["changes", str(saved), "--json"]) == 0
    clips = json.loads(capsys.readouterr().out)["clips"]
    assert [clip["state"] for clip in clips] == ["unchanged", "changed", "unchanged", "unchanged"]
    assert all(isinstance(clip[name], kind) for clip in clips for name, kind in FORM.items())
    assert [clip["target"] for clip in clips] == [f"{anims}#{index}" for index in range(4)]
    assert all(clip["worst"] is None and set(clip) == {*FORM, "worst"} for clip in clips)
    name = clips[2]["action"]
    bpy.data.actions[name]["lba_first_duration"] = -5
    bpy.ops.wm.save_as_mainfile(filepath=str(saved))
    capsys.readouterr()
    assert main(["changes", str(saved)]) == 1
    said = capsys.readouterr().out
    assert "1 of 4 would change: #1" in said and "1 of 4 refused" in said and f"refused    {name}" in said


def test_a_clip_without_a_file_of_its_own(chain: Path, fetch: Any, part: Part) -> None:
    """Imported from a file that is gone: unchanged as long as it stands for what came in."""
    imported = fetch(chain / "chain.anm", skeleton=str(chain / "chain.lm1"), fps_mode="SET")
    preview = part("io.pipeline.out_of_blender.preview")
    (change,) = preview.what_would_change(bpy.context, "SCENE")
    assert (change.state, change.target) == ("unchanged", str(chain / "chain.anm"))
    (chain / "chain.anm").unlink()
    (change,) = preview.what_would_change(bpy.context, "SCENE")
    assert (change.state, change.target) == ("new", str(chain / "chain.anm"))
    chain.joinpath("chain.lm1").unlink()
    chain.rmdir()
    (change,) = preview.what_would_change(bpy.context, "SCENE")
    assert (change.state, change.target, change.keys) == ("unchanged", "", 0)
    rotated(part, imported.actions[0]).keyframe_points[1].co[1] += 0.3
    (change,) = preview.what_would_change(bpy.context, "SCENE")
    assert (change.state, change.target, change.keys) == ("changed", "", 1)


def said() -> list[str]:
    return [item.name for item in bpy.context.window_manager.retro_anim_messages.lines]


def test_what_was_mended_is_not_said_any_more(walk: Any, part: Part) -> None:
    """Of the clip the list and the text say what is true now; what was said of the others stays."""
    states = part("operators.clips.states")
    first, second = walk.actions[1:3]
    for action in (first, second):
        for point in rotated(part, action).keyframe_points:
            point.interpolation = "SINE"
    assert OPS.retro_anim.what_would_change() == {"FINISHED"}
    assert [sum(f"{action.name}: " in line and "Make Linear" in line for line in said()) for action in (first, second)] == [1, 1]
    assert OPS.retro_anim.make_linear() == {"FINISHED"}
    assert not any(f"{first.name}: " in line for line in said())
    assert sum(f"{second.name}: " in line and "Make Linear" in line for line in said()) == 1
    assert f"{first.name}: " not in bpy.data.texts["Retro Game Animation log"].as_string()
    assert states.state(first) == "unchanged"


def test_a_loop_that_was_refitted_is_not_refused_any_more(walk: Any, part: Part) -> None:
    """Neither does the list ask for the button that was pressed."""
    states = part("operators.clips.states")
    action = walk.actions[1]
    keys = rotated(part, action).keyframe_points
    keys.insert(keys[-1].co[0] + 9, keys[0].co[1])
    assert OPS.retro_anim.what_would_change() == {"FINISHED"}
    assert any("Refit Loop" in line for line in said()) and states.state(action) != "unchanged"
    assert OPS.retro_anim.refit_loop() == {"FINISHED"}
    assert not any("Refit Loop" in line for line in said())
    assert states.state(action) == "changed" and any(line.startswith(f"{action.name}: ") for line in said())


def test_a_game_without_closing_keys_says_so(addon: Any) -> None:
    samples = Path(__file__).resolve().parents[3] / "samples"
    OPS.import_anim.mindpower(filepath=str(samples / "mindpower" / "animation" / "0001.lab"))
    with pytest.raises(RuntimeError, match="clips of Tales of Pirates have no closing key: there is nothing to refit"):
        OPS.retro_anim.refit_loop()


@pytest.mark.parametrize("button", ["SAVE", "CHECK"])
def test_a_pose_that_was_not_keyed_is_named(walk: Any, part: Part, anims: Path, button: str) -> None:
    """Whoever poses a bone, sees it so and presses Save has no key of it in the file. What is keyed, or moved by another clip, is none of
    it; neither is what a script leaves, which sees nothing."""
    obj, action = walk.armatures[0], walk.actions[1]
    bpy.context.scene.frame_set(4)
    bone = next(
        each
        for each in obj.pose.bones
        if f'pose.bones["{each.name}"].rotation_euler' in {curve.data_path for curve in part("io.blender.compat").curves(action)}
    )
    saving = part("operators.clips.saving")
    kind = saving.RETRO_ANIM_OT_save_clips if button == "SAVE" else saving.RETRO_ANIM_OT_what_would_change

    def said(in_window: bool = True) -> list[str]:
        operator = SimpleNamespace(report=lambda *_: None, in_window=in_window, ticked=False, source="ALL", sampling="KEYS")
        kind.execute(operator, bpy.context)
        return [each.name for each in bpy.context.window_manager.retro_anim_messages.lines if each.level == "WARNING"]

    assert said() == []
    bone.rotation_euler[0] += 0.5
    does = "insert a keyframe (I) and write it again, else no file has it and the next frame takes it away"
    assert said(in_window=False) == []
    assert said() == [f"{action.name}: {bone.name} is posed and not keyed at frame 4: {does}"]
    OPS.retro_anim.show_message(index=0)
    assert bpy.context.active_pose_bone == bone and bone.rotation_euler[0] > 0.4, "it is still there to be keyed"
    obj.hide_viewport = True
    assert said() == [], "what nobody sees stands as in the frame in which it was hidden"
    obj.hide_viewport = False
    bone.keyframe_insert("rotation_euler")
    assert not any("not keyed" in line for line in said())


def test_a_pose_that_was_not_keyed_is_named_of_parts_between_markers(walk: Any, part: Part) -> None:
    """They are clips for the export alone: whoever sees the pose sees it in the action that plays."""
    obj, action = walk.armatures[0], walk.actions[1]
    bpy.context.scene.frame_set(4)
    for name, frame in (("first", 1), ("second", 9)):
        bpy.context.scene.timeline_markers.new(name, frame=frame)
    bone = part("io.blender.motion.fcurves").channel_of(rotated(part, action)).bone
    obj.pose.bones[bone].rotation_euler[0] += 0.5
    check = part("operators.clips.saving").RETRO_ANIM_OT_what_would_change
    check.execute(SimpleNamespace(report=lambda *_: None, in_window=True, source="MARKERS", sampling="KEYS"), bpy.context)
    assert sum(line.startswith(f"{action.name}: {bone} is posed and not keyed at frame 4: ") for line in said()) == 1


@pytest.mark.parametrize("moves", ["EMPTY", "SLOTLESS"])
def test_what_blender_does_not_play_leaves_no_pose_unkeyed(walk: Any, part: Part, moves: str) -> None:
    """A curve without a key, as a script leaves it, and an action of which no slot is chosen move nothing: no key is lacking."""
    compat, unkeyed = part("io.blender.compat"), part("io.blender.motion.unkeyed")
    obj, action = walk.armatures[0], walk.actions[1]
    if moves == "EMPTY":
        curves = action.layers[0].strips[0].channelbag(obj.animation_data.action_slot).fcurves if compat.SLOTTED else action.fcurves
        curves.new(f'pose.bones["{obj.pose.bones[0].name}"].scale', index=0)
    elif compat.SLOTTED:
        obj.animation_data.action_slot = None
    bpy.context.scene.frame_set(9)
    assert unkeyed.posed(obj, 9.0) == []


@pytest.mark.parametrize("plays", [False, True])
def test_a_pose_beside_strips_is_unkeyed_where_they_do_not_play(walk: Any, part: Part, plays: bool) -> None:
    """What is posed under an NLA that plays is not the action's alone; one that is switched off takes no part."""
    obj, action = walk.armatures[0], walk.actions[1]
    obj.animation_data.nla_tracks.new().strips.new("strip", 1, action)
    obj.animation_data.use_nla = plays
    bpy.context.scene.frame_set(4)
    bone = part("io.blender.motion.fcurves").channel_of(rotated(part, action)).bone
    obj.pose.bones[bone].rotation_euler[0] += 0.5
    assert part("io.blender.motion.unkeyed").posed(obj, 4.0) == ([] if plays else [bone])


def test_it_is_said_how_many_curves_were_made_linear(walk: Any, part: Part, capfd: pytest.CaptureFixture[str]) -> None:
    """None of them has no number."""
    action = walk.actions[1]
    assert OPS.retro_anim.make_linear() == {"FINISHED"}
    assert f"{action.name}: its curves are straight lines already" in capfd.readouterr().out
    rotated(part, action).keyframe_points[0].interpolation = "BEZIER"
    assert OPS.retro_anim.make_linear() == {"FINISHED"}
    assert f"{action.name}: 1 curve made linear" in capfd.readouterr().out
