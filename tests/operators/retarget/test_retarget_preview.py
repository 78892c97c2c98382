"""The live preview: what the target shows is what retargeting writes, and leaving it restores all that was there before."""

from __future__ import annotations

from collections.abc import Callable, Generator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import bpy
import numpy as np
import pytest
from support import blender_rigs as rigs
from support import counted
from support.blender_layout import Layout

OPS: Any = bpy.ops
TYPES: Any = bpy.types
Part = Callable[[str], ModuleType]
SAMPLES = Path(__file__).parents[3] / "samples"
UNREAL = [rigs.UNREAL[role] for role in rigs.JOINTS if role in rigs.UNREAL]


@pytest.fixture(autouse=True)
def kept_maps(part: Part, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[None]:
    monkeypatch.setattr(part("operators.retarget.mapping.bone_map"), "folder", lambda: tmp_path)
    yield
    part("operators.retarget.preview").stop()


@pytest.fixture
def two(part: Part) -> tuple[Any, Any]:
    """A Mixamo rig that dances, and an Unreal one with an action and a pose of its own."""
    source = rigs.build("hero", names=rigs.MIXAMO)
    target = rigs.build("mannequin", names=rigs.UNREAL, pose=rigs.a_pose(), rotation=rigs.rolled(1), root="root")
    rigs.dance(part, source, "clip", seed=3)
    rigs.dance(part, target, "own", seed=9, frames=5)
    settings().source, settings().target = source, target
    return source, target


def settings() -> Any:
    return bpy.context.scene.retro_anim_retarget


def looks(obj: Any) -> Any:
    """All joints as Blender shows them now, and where the bones point."""
    shown: Any = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return np.array([[*(shown.matrix_world @ bone.head), *(shown.matrix_world @ bone.tail)] for bone in shown.pose.bones])


def state(part: Part) -> str:
    """Everything that a preview may not leave changed."""
    curves_of = part("io.blender.compat").curves
    bpy.context.view_layer.update()
    result: list[Any] = []
    for obj in [obj for obj in bpy.data.objects if obj.pose is not None]:
        data, own = obj.animation_data, (list(obj.keys()), np.array(obj.matrix_world).tolist())
        pose = [[*bone.location, *bone.rotation_quaternion, *bone.rotation_euler, *bone.scale] for bone in obj.pose.bones]
        result.append((obj.name, data and data.action and data.action.name, data and data.use_nla, own, pose))
    for action in bpy.data.actions:
        keys = [[tuple(key.co) for key in curve.keyframe_points] for curve in curves_of(action)]
        result.append((action.name, action.users, keys))
    return repr(result)


def written(part: Part, frames: list[int]) -> list[Any]:
    """What retargeting writes with the panel's options, as Blender shows it; the action is removed again."""
    chosen = {name: getattr(settings(), name) for name in ("feet", "mirror", "align")}
    assert OPS.retro_anim.retarget(actions_from="ACTIVE", **chosen) == {"FINISHED"}
    target = settings().target
    result = []
    for frame in frames:
        bpy.context.scene.frame_set(frame)
        result.append(looks(target))
    bpy.data.actions.remove(target.animation_data.action)
    return result


@pytest.mark.parametrize("change", ["none", "mirror", "map", "rest"])
def test_it_shows_what_retargeting_writes(part: Part, two: Any, change: str) -> None:
    _source, target = two
    frames = [1, 7, 18, 30]
    OPS.retro_anim.retarget_map()
    bpy.context.scene.frame_set(frames[0])
    assert OPS.retro_anim.retarget_preview() == {"FINISHED"}
    actions = len(bpy.data.actions)
    before = looks(target)
    if change == "mirror":
        settings().mirror = True
    if change == "rest":
        settings().align = "REST"
    if change == "map":
        next(line for line in settings().pairs if line.target == "upperarm_l").weight = 0.25
    bpy.context.view_layer.update()
    assert (np.abs(looks(target) - before).max() > 0.01) == (change != "none")
    shown = []
    for frame in frames:
        bpy.context.scene.frame_set(frame)
        shown.append(looks(target))
    assert len(bpy.data.actions) == actions
    assert np.abs(shown[1] - shown[0]).max() > 0.05
    assert np.abs(np.array(shown) - np.array(written(part, frames))).max() < 2e-5


def test_a_long_action_is_where_all_of_it_has_it_at_once(part: Part, two: Any, game_file: Callable[[str], Path]) -> None:
    """Some frames of a capture tell otherwise than all of it which ground it is on."""
    _source, target = two
    OPS.import_anim.bvh(filepath=str(game_file("mocap/ad_rokoko_jesse_dance.bvh")), global_scale=0.01)
    settings().source = bpy.context.object
    OPS.retro_anim.retarget_map()
    bpy.context.scene.frame_set(230)
    OPS.retro_anim.retarget_preview()
    next(line for line in settings().pairs if line.target == "upperarm_l").weight = 0.25
    bpy.context.view_layer.update()
    assert np.abs(looks(target) - written(part, [230])[0]).max() < 2e-5


@pytest.mark.parametrize("file", ["lba1/walk.anm", "oni/TRAMmannequin_walk.oni", "mindpower/animation/0001.lab"])
def test_it_shows_what_is_written_for_a_game(part: Part, file: str) -> None:
    """Keys are on the game's time units there, not on whole frames, and the motion over the ground may be the object's."""
    (result,) = part("io.pipeline.games").import_files(bpy.context, [str(SAMPLES / file)], {"fps_mode": "KEEP"})
    (target,) = result.armatures
    source = rigs.build("hero", names=rigs.MIXAMO)
    rigs.dance(part, source, "clip", seed=3, most=0.5)
    settings().source, settings().target = source, target
    OPS.retro_anim.retarget_map()
    bpy.context.scene.frame_set(1)
    before = state(part)
    OPS.retro_anim.retarget_preview()
    frames, shown = [3, 11, 20, 26], []
    for frame in frames:
        bpy.context.scene.frame_set(frame)
        shown.append(looks(target))
    bpy.context.scene.frame_set(1)
    OPS.retro_anim.retarget_preview()
    assert state(part) == before
    wanted = np.array(written(part, frames))
    assert np.abs(np.array(shown) - wanted).max() < 1e-5 * np.abs(wanted).max()


def test_contacts_that_are_marked_otherwise_are_followed(part: Part, two: Any) -> None:
    """Blender tells nobody that a marker was moved: it is seen with the next frame."""
    source, _target = two
    OPS.retro_anim.retarget_map()
    bpy.context.scene.frame_set(1)
    OPS.retro_anim.retarget_preview()
    frames = [6, 10, 14]

    def shown() -> Any:
        bpy.context.scene.frame_set(1)
        return np.array([looks(settings().target) for frame in frames if bpy.context.scene.frame_set(frame) is None])

    before = shown()
    for name, frame in (("leftFoot down", 5), ("leftFoot up", 20)):
        source.animation_data.action.pose_markers.new(name).frame = frame
    marked = shown()
    assert np.abs(marked - before).max() > 0.01
    source.animation_data.action.pose_markers["leftFoot up"].frame = 8
    moved = shown()
    assert np.abs(moved - marked).max() > 0.01
    assert np.abs(moved - np.array(written(part, frames))).max() < 2e-5


@pytest.mark.parametrize("noticed", ["update", "frame"])
def test_another_frame_rate_is_followed(part: Part, two: Any, noticed: str) -> None:
    """The way of a foot into where it is held lasts some seconds, whatever number of frames these are."""
    source, _target = two
    OPS.retro_anim.retarget_map()
    for name, frame in (("leftFoot down", 5), ("leftFoot up", 8)):
        source.animation_data.action.pose_markers.new(name).frame = frame
    scene = bpy.context.scene
    scene.render.fps = 24
    scene.frame_set(1)
    OPS.retro_anim.retarget_preview()
    frames = [6, 10, 14, 22]

    def shown() -> Any:
        return np.array([looks(settings().target) for frame in frames if scene.frame_set(frame) is None])

    before = shown()
    scene.render.fps = 120
    if noticed == "update":
        bpy.context.view_layer.update()
    after = shown()
    assert np.abs(after - before).max() > 0.01
    assert np.abs(after - np.array(written(part, frames))).max() < 2e-5


def test_a_source_that_is_posed_by_hand_is_followed(two: Any) -> None:
    source, target = two
    OPS.retro_anim.retarget_preview()
    bpy.context.scene.frame_set(4)
    before = looks(target)
    bone = source.pose.bones["mixamorig:LeftArm"]
    bone.rotation_mode = "QUATERNION"
    bone.rotation_quaternion = (0.7071, 0.0, 0.0, 0.7071)
    bpy.context.view_layer.update()
    after = looks(target)
    hand = target.pose.bones.find("lowerarm_l")
    assert np.abs(after - before)[hand].max() > 0.05
    ends = [
        np.array(obj.pose.bones[second].head - obj.pose.bones[first].head)
        for obj, first, second in (
            (source, "mixamorig:LeftArm", "mixamorig:LeftForeArm"),
            (target, "upperarm_l", "lowerarm_l"),
        )
    ]
    first, second = (end / np.linalg.norm(end) for end in ends)
    assert np.abs(first - second).max() < 1e-3
    bpy.context.scene.frame_set(5)
    bpy.context.scene.frame_set(4)
    assert np.abs(looks(target) - before).max() < 1e-5


@pytest.mark.parametrize("leaving", ["button", "pose", "retarget", "save", "undo", "unregister", "export", "file"])
def test_leaving_restores_everything(part: Part, two: Any, leaving: str, tmp_path: Path) -> None:
    _source, target = two
    OPS.retro_anim.retarget_map()
    target.pose.bones["head"].scale = (1.5, 1.5, 1.5)
    bpy.context.scene.frame_set(3)
    bpy.context.view_layer.update()
    before = state(part)
    preview = part("operators.retarget.preview")
    assert OPS.retro_anim.retarget_preview() == {"FINISHED"}
    bpy.context.scene.frame_set(9)
    settings().feet = False
    bpy.context.view_layer.update()
    assert target.animation_data.action is None
    assert preview.running() is not None
    bpy.context.scene.frame_set(3)
    settings().feet = True
    if leaving == "button":
        OPS.retro_anim.retarget_preview()
    if leaving == "pose":
        OPS.retro_anim.retarget_pose()
        assert preview.running() is None
        OPS.retro_anim.retarget_pose()
    if leaving == "retarget":
        OPS.retro_anim.retarget(assign=False)
        for action in [action for action in bpy.data.actions if "on mannequin" in action.name]:
            bpy.data.actions.remove(action)
    if leaving == "save":
        OPS.wm.save_as_mainfile(filepath=str(tmp_path / "kept.blend"))
    if leaving == "undo":
        for handler in bpy.app.handlers.undo_pre:
            handler(bpy.context.scene)
    if leaving == "unregister":
        part("operators.retarget.in_view").unregister()
        part("operators.retarget.in_view").register()
    if leaving == "export":
        part("io.pipeline.out_of_blender.preview").what_would_change(bpy.context, "ALL")
    if leaving == "file":  # such as one that was saved automatically: nobody runs its preview
        bpy.app.handlers.save_pre.remove(part("operators.retarget.in_view")._leave)
        OPS.wm.save_as_mainfile(filepath=str(tmp_path / "kept.blend"), copy=True)
        bpy.app.handlers.save_pre.append(part("operators.retarget.in_view")._leave)
        part("operators.retarget.preview")._state["preview"] = None
        OPS.wm.open_mainfile(filepath=str(tmp_path / "kept.blend"))
    assert preview.running() is None
    assert state(part) == before


@pytest.mark.parametrize("linked", ["source", "target"])
def test_a_linked_figure_may_have_the_same_name(part: Part, tmp_path: Path, linked: str) -> None:
    """Every rig of an exchange format is called Armature."""
    source = rigs.build("Armature", names=rigs.MIXAMO)
    rigs.dance(part, source, "clip", seed=3)
    OPS.wm.save_as_mainfile(filepath=str(tmp_path / "theirs.blend"))
    OPS.wm.read_homefile(use_empty=True)
    theirs = rigs.linked(tmp_path / "theirs.blend", "Armature")
    own = rigs.build("Armature", names=rigs.UNREAL)
    rigs.dance(part, own, "clip", seed=9)
    assert theirs.name == own.name
    settings().source, settings().target = (theirs, own) if linked == "source" else (own, theirs)
    assert part("operators.retarget.settings").armatures_of(settings()) == ((theirs, own) if linked == "source" else (own, theirs))
    OPS.retro_anim.retarget_map()
    if linked == "target":
        with pytest.raises(RuntimeError, match="is linked: make a library override"):
            OPS.retro_anim.retarget_preview()
        return
    OPS.retro_anim.retarget_preview()
    bpy.context.scene.frame_set(9)
    shown = looks(own)
    OPS.retro_anim.retarget_preview()
    OPS.retro_anim.retarget(actions_from="ACTIVE")
    bpy.context.scene.frame_set(9)
    assert np.abs(looks(own) - shown).max() < 1e-4, "not as the clip of the same name shows it"


@pytest.mark.parametrize("gone", [0, 1])
def test_it_ends_when_a_figure_is_deleted(part: Part, two: Any, gone: int) -> None:
    """Blender keeps the object for the panel's field that names it."""
    OPS.retro_anim.retarget_map()
    bpy.context.scene.frame_set(3)
    before = state(part)
    OPS.retro_anim.retarget_preview()
    bpy.context.scene.frame_set(9)
    for obj in bpy.data.objects:
        obj.select_set(obj == two[gone])
    OPS.object.delete()
    bpy.context.view_layer.update()
    assert part("operators.retarget.preview").running() is None
    assert two[1].animation_data.action.name == "own" and not part("io.blender.identity").is_staged(two[1])
    bpy.context.collection.objects.link(two[gone])
    bpy.context.scene.frame_set(3)
    assert state(part) == before


def test_it_ends_when_the_source_is_deleted_while_it_plays(part: Part, two: Any) -> None:
    """Of which Blender tells with the next frame alone."""
    OPS.retro_anim.retarget_map()
    OPS.retro_anim.retarget_preview()
    bpy.data.objects.remove(two[0])
    bpy.context.scene.frame_set(9)
    assert part("operators.retarget.preview").running() is None
    assert two[1].animation_data.action.name == "own" and not part("io.blender.identity").is_staged(two[1])


@pytest.mark.parametrize("side", [0, 1])
def test_a_figure_is_renamed_meanwhile(part: Part, two: Any, side: int) -> None:
    """It goes on, and leaving it restores the target; another object may have the name by then."""
    OPS.retro_anim.retarget_map()
    bpy.context.scene.frame_set(3)
    before = state(part)
    assert OPS.retro_anim.retarget_preview() == {"FINISHED"}
    bpy.context.scene.frame_set(9)
    shown, name = looks(two[1]), two[side].name
    bpy.context.scene.frame_set(3)
    two[side].name, two[0].animation_data.action.name = "renamed", "another clip"
    other = bpy.data.objects.new(name, bpy.data.armatures.new("other"))
    bpy.context.scene.frame_set(9)
    preview = part("operators.retarget.preview").running()
    assert preview is not None and np.abs(looks(two[1]) - shown).max() < 1e-5 and not preview.message
    assert preview.action[0] == "another clip"
    assert OPS.retro_anim.retarget_preview() == {"FINISHED"}
    bpy.data.objects.remove(other)
    two[side].name, two[0].animation_data.action.name = name, "clip"
    bpy.context.scene.frame_set(3)
    assert state(part) == before


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("change", ["added", "deleted", "all deleted"])
def test_bones_come_and_go_meanwhile(part: Part, two: Any, capfd: pytest.CaptureFixture[str], side: int, change: str) -> None:
    """It goes on with those that there are, and ends without any; leaving it restores the target."""
    before = two[1].animation_data.action
    assert OPS.retro_anim.retarget_preview() == {"FINISHED"}
    bpy.context.view_layer.objects.active = obj = two[side]
    bpy.ops.object.mode_set(mode="EDIT")
    bones = obj.data.edit_bones
    if change == "added":
        bones.new("one more").tail = (0, 0, 1)
    for bone in list(bones)[-1 if change == "deleted" else 0 :] if change != "added" else ():
        bones.remove(bone)
    bpy.ops.object.mode_set(mode="OBJECT")
    for frame in (3, 5):
        bpy.context.scene.frame_set(frame)
    assert (part("operators.retarget.preview").running() is None) == (change == "all deleted")
    part("operators.retarget.preview").stop()
    assert two[1].animation_data.action == before and "retro_anim_before" not in two[1]
    assert "Traceback" not in capfd.readouterr().err


def test_a_step_of_undo_that_holds_a_preview_is_restored(part: Part, two: Any) -> None:
    OPS.retro_anim.retarget_map()
    bpy.context.scene.frame_set(3)
    before = state(part)
    OPS.retro_anim.retarget_preview()
    part("operators.retarget.preview")._state["preview"] = None  # as after an undo to a step in the midst of it
    for handler in bpy.app.handlers.undo_post:
        handler(bpy.context.scene)
    assert state(part) == before


def test_what_cannot_be_shown_is_told_and_nothing_is_changed(part: Part, two: Any) -> None:
    source, _target = two
    before = state(part)
    source.animation_data.action = None
    with pytest.raises(RuntimeError, match=r"has no active action$"):
        OPS.retro_anim.retarget_preview()
    track = source.animation_data.nla_tracks.new()
    track.strips.new("clip", 1, bpy.data.actions["clip"])
    with pytest.raises(RuntimeError, match="has no active action: choose one, or retarget with NLA as One Clip"):
        OPS.retro_anim.retarget_preview()
    source.animation_data.nla_tracks.remove(track)
    source.animation_data.action = bpy.data.actions["clip"]
    bpy.context.scene.frame_set(bpy.context.scene.frame_current)
    assert state(part) == before


def test_a_frame_is_looked_up_and_not_computed(part: Part, two: Any) -> None:
    """By fewer calls than a pose of one bone takes that is calculated."""
    preview = part("operators.retarget.preview")
    OPS.retro_anim.retarget_preview()
    shown = preview.running()
    taken = []
    for frame in range(1, 31):
        with counted.calls() as calls:
            preview._before_frame(bpy.context.scene)
        taken.append(calls())
        bpy.context.scene.frame_set(frame)
    assert shown is not None
    assert max(taken) < 100


@pytest.mark.parametrize("how", ["object", "parent"])
def test_a_source_that_is_put_aside_leaves_the_target_where_it_is(part: Part, two: Any, how: str) -> None:
    """As figures that came in one inside the other are: motion counts from where each of them stands, and so it does after a change."""
    source, target = two
    if how == "parent":
        source.parent = bpy.data.objects.new("stand", None)
        bpy.context.scene.collection.objects.link(source.parent)
    bpy.context.view_layer.update()
    OPS.retro_anim.retarget_preview()
    bpy.context.scene.frame_set(7)
    before = looks(target)
    (source.parent or source).location.x += 3
    bpy.context.view_layer.update()
    assert np.abs(looks(target) - before).max() < 1e-4
    settings().mirror = True
    settings().mirror = False
    bpy.context.view_layer.update()
    assert np.abs(looks(target) - before).max() < 1e-4


def test_it_says_which_action_it_shows_and_follows_another_one(part: Part, two: Any) -> None:
    """Also one that was chosen just before another frame was."""
    source, target = two
    other = rigs.dance(part, source, "other clip", seed=5)
    part("io.blender.compat").assign(source, bpy.data.actions["clip"])
    OPS.retro_anim.retarget_preview()
    drawn: list[str] = []
    panel: Any = TYPES.VIEW3D_PT_retro_anim_retarget
    panel.draw(SimpleNamespace(layout=Layout(drawn)), bpy.context)
    first, last = source.animation_data.action.frame_range
    assert f"Shows clip, the source's active action, in its frames {first:g} to {last:g}" in " ".join(drawn), "it stands before and behind"
    bpy.context.scene.frame_end = int(last) - 5
    drawn.clear()
    panel.draw(SimpleNamespace(layout=Layout(drawn)), bpy.context)
    assert f"{last:g}; the time line plays 1 to {last - 5:g}" in " ".join(drawn)
    played = part("operators.retarget.panels.main")._played
    ends = (last + 0.2, last + 1.2)  # which is a loop's closing pose, between two frames
    bpy.context.scene.frame_end = int(last)
    assert [bool(played(bpy.context.scene, 1, end)) for end in (*ends, last + 2.2)] == [False, False, True]
    bpy.context.scene.retro_anim_retarget.nla = True
    drawn.clear()
    panel.draw(SimpleNamespace(layout=Layout(drawn)), bpy.context)
    assert f"{last:g}; what the strips show together only Retarget does" in " ".join(drawn)
    bpy.context.scene.retro_anim_retarget.nla = False
    shown: Any = part("operators.retarget.preview").running()
    shown._motion = None
    drawn.clear()
    panel.draw(SimpleNamespace(layout=Layout(drawn)), bpy.context)
    assert "frames" not in " ".join(drawn), "there are none before it was computed"
    part("io.blender.compat").assign(source, other)
    bpy.context.scene.frame_set(9)
    bpy.context.scene.frame_set(10)
    shown = looks(target)
    assert part("operators.retarget.preview").running().action == ("other clip", None)
    assert np.abs(shown - written(part, [10])[0]).max() < 2e-5


def test_a_clip_that_is_chosen_for_the_target_is_shown_instead(part: Part, two: Any) -> None:
    _, target = two
    own = rigs.dance(part, target, "own clip", seed=7)
    bpy.context.view_layer.objects.active = target
    before = looks(target)
    OPS.retro_anim.retarget_preview()
    assert part("operators.retarget.preview").running() is not None
    part("operators.clips.operators").choose(bpy.context, own)
    bpy.context.view_layer.update()
    assert part("operators.retarget.preview").running() is None
    assert target.animation_data.action == own and np.abs(looks(target) - before).max() < 1e-6
    bpy.context.scene.frame_set(9)
    assert part("operators.retarget.preview").running() is None and target.animation_data.action == own


def test_the_scene_may_get_another_name(two: Any) -> None:
    """The target goes on following, instead of standing as it was last."""
    target, scene = two[1], bpy.context.scene
    scene.frame_set(3)
    assert OPS.retro_anim.retarget_preview() == {"FINISHED"}
    scene.frame_set(12)
    shown = looks(target)
    scene.frame_set(3)
    scene.name = "act 1"
    scene.frame_set(12)
    assert np.abs(looks(target) - shown).max() < 1e-6


def test_another_scene_shows_no_preview_of_this_one(two: Any, part: Part) -> None:
    """Its panel says nothing of armatures that are not there; what is asked for there begins a preview of its own, and ends this one."""
    before, context = state(part), bpy.context
    assert OPS.retro_anim.retarget_preview() == {"FINISHED"}

    def said() -> list[str]:
        drawn: list[Any] = []
        part("operators.retarget.panels.main").draw(Layout(drawn), context)
        return [text for text in drawn if str(text).startswith("Shows clip")]

    assert said()
    scene, other = context.scene, bpy.data.scenes.new("other")
    window: Any = context.window
    window.scene = other
    assert not said()
    with pytest.raises(RuntimeError):
        OPS.retro_anim.retarget_preview()
    window.scene = scene
    assert not said()
    assert state(part) == before


def test_it_ends_where_its_scene_is_deleted(two: Any, part: Part) -> None:
    """A linked copy of the scene has its figures still, and no button of its own that would give the target back."""
    before, window = state(part), bpy.context.window
    assert OPS.retro_anim.retarget_preview() == {"FINISHED"}
    scene = bpy.context.scene
    bpy.ops.scene.new(type="LINK_COPY")
    assert window.scene != scene and len(window.scene.objects) == len(scene.objects) > 1
    bpy.data.scenes.remove(scene)
    window.scene.frame_set(window.scene.frame_current)
    assert part("operators.retarget.preview").running() is None and state(part) == before
