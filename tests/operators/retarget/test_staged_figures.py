"""What happens meanwhile to figures that are shown aligned or in a preview: no action is lost, whatever else is done with them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import pytest
from support import blender_rigs as rigs

OPS: Any = bpy.ops
Part = Callable[[str], ModuleType]
WALK = Path(__file__).resolve().parents[3] / "samples" / "lba1" / "walk.anm"
UNKEPT = "the reference pose has ended and was not kept: press Keep"


@pytest.fixture(autouse=True)
def kept_maps(part: Part, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(part("operators.retarget.mapping.bone_map"), "folder", lambda: tmp_path)


@pytest.fixture
def two(part: Part) -> tuple[Any, Any]:
    source = rigs.build("hero", names=rigs.MIXAMO)
    target = rigs.build("mannequin", names=rigs.UNREAL, pose=rigs.a_pose(), root="root")
    rigs.dance(part, source, "clip", seed=3)
    rigs.dance(part, target, "own", seed=4)
    settings().source, settings().target = source, target
    return source, target


@pytest.fixture
def overrides(two: Any, tmp_path: Path) -> tuple[Any, Any]:
    """Both out of a library, which also has a property that a rig may be switched by."""
    two[1]["switch"] = 0.0
    two[1].property_overridable_library_set('["switch"]', True)
    path = tmp_path / "figures.blend"
    OPS.wm.save_as_mainfile(filepath=str(path))
    OPS.wm.read_homefile(use_empty=True)
    source, target = (rigs.linked(path, name).override_create(remap_local_usages=True) for name in ("hero", "mannequin"))
    bpy.context.view_layer.update()
    settings().source, settings().target = source, target
    return source, target


def settings() -> Any:
    return bpy.context.scene.retro_anim_retarget


def actions(*objects: Any) -> list[str | None]:
    return [obj.animation_data.action.name if obj.animation_data and obj.animation_data.action else None for obj in objects]


def staged(part: Part, *objects: Any) -> list[bool]:
    return [part("io.blender.identity").is_staged(obj) for obj in objects]


def tweak(obj: Any, action: str) -> None:
    """A strip of an action, and its tweak mode."""
    data = obj.animation_data
    track = data.nla_tracks.new()
    strip = track.strips.new("strip", 1, bpy.data.actions[action])
    strip.select = track.select = True
    data.nla_tracks.active = track
    data.use_tweak_mode = True
    assert data.use_tweak_mode


def test_a_figure_whose_strip_is_tweaked_meanwhile_gets_its_action_back(part: Part, two: Any) -> None:
    OPS.retro_anim.retarget_pose()
    tweak(two[1], "clip")
    assert OPS.retro_anim.retarget_pose() == {"FINISHED"}
    assert actions(*two) == ["clip", "own"] and staged(part, *two) == [False, False]
    assert two[1].animation_data.use_nla and not two[1].animation_data.use_tweak_mode


def test_what_cannot_be_given_back_keeps_its_record(part: Part, two: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """And the other figure is given back."""
    state = part("io.blender.temporary_state")
    OPS.retro_anim.retarget_pose()
    give = state._give_motion

    def refuses(obj: Any, kept: Any) -> None:
        if obj == two[1]:
            raise AttributeError
        give(obj, kept)

    monkeypatch.setattr(state, "_give_motion", refuses)
    with pytest.raises(AttributeError):
        state.give_all_back()
    assert staged(part, *two) == [False, True] and actions(*two) == ["clip", None]
    monkeypatch.undo()
    state.give_all_back()
    assert staged(part, *two) == [False, False] and actions(*two) == ["clip", "own"]


def test_overrides_whose_strip_is_tweaked_are_saved_with_their_actions(part: Part, overrides: Any, tmp_path: Path) -> None:
    OPS.retro_anim.retarget_pose()
    tweak(overrides[0], "own")
    path = str(tmp_path / "scene.blend")
    assert OPS.wm.save_as_mainfile(filepath=path) == {"FINISHED"}
    assert actions(*overrides) == [None, None] and staged(part, *overrides) == [True, True]
    assert part("operators.retarget.in_view")._aside == []
    OPS.retro_anim.retarget_pose()
    assert actions(*overrides) == ["clip", "own"]
    OPS.wm.open_mainfile(filepath=path)
    assert actions(settings().source, settings().target) == ["clip", "own"]


def test_overrides_whose_record_is_spoiled_are_saved_with_their_actions(part: Part, overrides: Any, tmp_path: Path) -> None:
    OPS.retro_anim.retarget_pose()
    del overrides[0][part("io.blender.identity").STAGED]["kind"]
    path = str(tmp_path / "scene.blend")
    OPS.wm.save_as_mainfile(filepath=path)
    assert part("operators.retarget.in_view")._aside == []
    OPS.wm.open_mainfile(filepath=path)
    assert actions(settings().source, settings().target) == ["clip", "own"]


def test_an_override_shows_its_switches_as_before_after_it_was_saved(part: Part, overrides: Any, tmp_path: Path) -> None:
    """In the file they are what they were."""
    state, target = part("io.blender.temporary_state"), overrides[1]
    state.take(target, "pose")
    state.keep_property(target, "", '["switch"]')
    target["switch"] = 1.0
    path = str(tmp_path / "scene.blend")
    OPS.wm.save_as_mainfile(filepath=path)
    assert target["switch"] == 1.0 and staged(part, target) == [True]
    state.give_back(target)
    assert target["switch"] == 0.0
    OPS.wm.open_mainfile(filepath=path)
    assert settings().target["switch"] == 0.0


def test_a_pose_that_auto_keying_has_keyed_takes_no_clip_s_place(part: Part, two: Any) -> None:
    """Its action stays in the file, and the figure has its own again."""
    target = two[1]
    OPS.retro_anim.retarget_pose()
    bpy.context.scene.tool_settings.use_keyframe_insert_auto = True
    target.pose.bones["upperarm_l"].keyframe_insert("rotation_quaternion", frame=5)
    keyed = target.animation_data.action.name
    OPS.retro_anim.retarget_pose()
    assert actions(*two) == ["clip", "own"] and staged(part, *two) == [False, False]
    assert bpy.data.actions[keyed].use_fake_user


@pytest.mark.parametrize("shown", ["retarget_pose", "retarget_preview"])
@pytest.mark.parametrize("how", ["new", "message", "editor"])
def test_an_action_that_a_figure_is_given_meanwhile_stays(part: Part, two: Any, shown: str, how: str) -> None:
    """By New Clip, a message that was clicked or Blender's own editor; the one before is kept too, and what is keyed next."""
    target = two[1]
    getattr(OPS.retro_anim, shown)()
    if bpy.context.mode != "OBJECT":
        OPS.object.mode_set(mode="OBJECT")
    bpy.context.view_layer.objects.active = target
    if how == "new":
        OPS.retro_anim.clip_new()
        wanted = "mannequin new"
    else:
        wanted = "wanted"
        action = bpy.data.actions["own"].copy()
        action.name = wanted
        if how == "message":
            context = part("io.pipeline.message_context")
            context.go(bpy.context, context.Pointer(target.name, wanted))
        else:
            target.animation_data.action = action
    bpy.context.view_layer.update()
    assert actions(target) == [wanted]
    target.pose.bones["upperarm_l"].keyframe_insert("rotation_quaternion", frame=5)
    bpy.context.view_layer.update()
    if any(staged(part, *two)):
        getattr(OPS.retro_anim, shown)()
    assert actions(*two) == ["clip", wanted] and staged(part, *two) == [False, False]
    assert all(action.users for action in bpy.data.actions)


@pytest.mark.parametrize("how", ["tweaked", "linked", "saved aligned"])
def test_where_one_cannot_be_aligned_the_other_keeps_its_action(part: Part, two: Any, tmp_path: Path, how: str) -> None:
    source, target = two
    if how == "tweaked":
        tweak(target, "own")
    else:
        if how == "saved aligned":
            part("io.blender.temporary_state").take(target, "pose")
        path = tmp_path / "figures.blend"
        OPS.wm.save_as_mainfile(filepath=str(path))
        OPS.wm.read_homefile(use_empty=True)
        source = rigs.build("hero", names=rigs.MIXAMO)
        rigs.dance(part, source, "clip", seed=3)
        target = rigs.linked(path, "mannequin")
        if how == "saved aligned":
            target = target.override_create(remap_local_usages=True)
        bpy.context.view_layer.update()
        settings().source, settings().target = source, target
    with pytest.raises(RuntimeError, match="mannequin"):
        OPS.retro_anim.retarget_pose()
    assert actions(source) == ["clip"] and staged(part, source) == [False]


@pytest.fixture
def walking(part: Part, two: Any) -> Any:
    """A game's character as the target."""
    (imported,) = part("io.pipeline.games").import_files(bpy.context, [str(WALK)], {"fps_mode": "KEEP"})
    (settings().target,) = imported.armatures
    assert two
    return settings().target


def pose_by_hand(target: Any) -> Any:
    bone = target.pose.bones[3]
    bone.rotation_mode = "QUATERNION"
    bone.rotation_quaternion = (0.5, 0.5, 0.5, 0.5)
    return bone


def test_a_failed_import_leaves_the_reference_pose_as_it_was_posed(
    part: Part, two: Any, walking: Any, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """One that succeeds ends it, and says so where it was not kept."""
    own = actions(walking)
    OPS.retro_anim.retarget_pose()
    bone = pose_by_hand(walking)
    OPS.object.mode_set(mode="OBJECT")
    bpy.context.view_layer.objects.active = walking

    def fails(*_: Any, **__: Any) -> None:
        raise MemoryError

    with monkeypatch.context() as broken:
        broken.setattr(part("io.blender.motion.actions"), "show", fails)
        with pytest.raises((RuntimeError, MemoryError)):
            OPS.import_anim.lba(filepath=str(WALK))
    assert staged(part, two[0], walking) == [True, True] and actions(two[0], walking) == [None, None]
    assert tuple(bone.rotation_quaternion) == pytest.approx((0.5,) * 4)
    capfd.readouterr()
    assert OPS.import_anim.lba(filepath=str(WALK)) == {"FINISHED"}
    assert UNKEPT in capfd.readouterr().out
    assert staged(part, two[0], walking) == [False, False] and actions(walking) not in ([None], own)


@pytest.mark.parametrize("how", ["exported", "imported", "chosen"])
@pytest.mark.parametrize("active", [0, 1], ids=["source", "target"])
def test_what_else_ends_the_reference_pose_restores_mode_and_selection(
    two: Any, walking: Any, how: str, active: int, tmp_path: Path
) -> None:
    """A clip that was chosen, or imported, leaves its character active."""
    figures = two[0], walking
    own = walking.animation_data.action
    OPS.object.select_all(action="DESELECT")
    for obj in (figures[active], two[1]):
        obj.select_set(True)
    bpy.context.view_layer.objects.active = figures[active]
    OPS.retro_anim.retarget_pose()
    assert bpy.context.mode == "POSE" and bpy.context.view_layer.objects.active == walking
    if how == "exported":
        assert OPS.export_anim.lba(filepath=str(tmp_path / "walk.anm"), source="ALL") == {"FINISHED"}
    elif how == "imported":
        assert OPS.import_anim.lba(filepath=str(WALK)) == {"FINISHED"}
    else:
        bpy.context.window_manager.retro_anim_clip = bpy.data.actions.find(own.name)
    assert bpy.context.mode == "OBJECT" and not settings().before
    assert bpy.context.view_layer.objects.active == walking
    assert {*(bpy.context.selected_objects or ())} == {figures[active], two[1], walking}


@pytest.mark.parametrize("operator", ["retarget_preview", "retarget_contacts", "retarget"])
def test_what_ends_the_reference_pose_and_fails_leaves_it_as_it_was_posed(part: Part, operator: str) -> None:
    """As there is no action to follow."""
    source = rigs.build("hero", names=rigs.MIXAMO)
    target = rigs.build("mannequin", names=rigs.UNREAL, pose=rigs.a_pose(), root="root")
    settings().source, settings().target = source, target
    bpy.context.view_layer.objects.active = source
    OPS.retro_anim.retarget_pose()
    bone = pose_by_hand(target)
    with pytest.raises(RuntimeError, match="hero has no a"):
        getattr(OPS.retro_anim, operator)()
    assert tuple(bone.rotation_quaternion) == pytest.approx((0.5,) * 4)
    assert staged(part, source, target) == [True, True]
    assert bpy.context.mode == "POSE" and bpy.context.view_layer.objects.active == target
    OPS.retro_anim.retarget_pose()
    assert bpy.context.mode == "OBJECT" and bpy.context.view_layer.objects.active == source


@pytest.mark.parametrize("amiss", ["clips", "code"])
def test_a_run_that_fails_leaves_all_as_it_was(part: Part, two: Any, amiss: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether no clip can be retargeted or something unforeseen happens after the first one is there."""
    retarget, action = part("io.retarget.retarget"), bpy.data.actions["clip"]
    bpy.context.view_layer.objects.active = two[0]
    OPS.retro_anim.retarget_pose()
    bone = pose_by_hand(two[1])
    before = sorted(bpy.data.actions.keys())
    if amiss == "clips":
        part("io.blender.compat").curves(action, two[0])[0].keyframe_points[-1].co.x = 1e9
    else:
        monkeypatch.setattr(retarget.Job, "_between", lambda *_: 1 / 0)
    with pytest.raises((RuntimeError, ZeroDivisionError)):
        OPS.retro_anim.retarget(actions_from="ACTIVE", pose_frame=1)
    assert sorted(bpy.data.actions.keys()) == before
    assert staged(part, *two) == [True, True] and tuple(bone.rotation_quaternion) == pytest.approx((0.5,) * 4)
    assert bpy.context.mode == "POSE" and bpy.context.view_layer.objects.active == two[1]
    OPS.retro_anim.retarget_pose()
    assert actions(*two) == ["clip", "own"] and bpy.context.view_layer.objects.active == two[0]


@pytest.mark.parametrize("where", ["_finish", "_show"])
@pytest.mark.parametrize("first", [True, False])
def test_a_run_that_fails_at_its_very_end_leaves_all_as_it_was(
    part: Part, two: Any, where: str, first: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """None of the new actions, and those of the last run with their names, their users, and known to the next one."""

    def run() -> list[str]:
        OPS.retro_anim.retarget(actions_from="ACTIVE")
        return state()

    def state() -> list[str]:
        return sorted(f"{action.name} {action.session_uid} {action.users} {action.use_fake_user}" for action in bpy.data.actions)

    bpy.context.view_layer.objects.active = two[0]
    before = state() if first else run()
    shown = two[1].animation_data.action
    with monkeypatch.context() as broken, pytest.raises((RuntimeError, ZeroDivisionError)):
        broken.setattr(part("io.retarget.retarget").Job, where, lambda *_: 1 / 0)
        run()
    assert state() == before and two[1].animation_data.action == shown
    names = sorted(bpy.data.actions.keys())
    run()
    assert len(bpy.data.actions) == len(names) + first


@pytest.mark.parametrize("how", ["untouched", "posed", "kept"])
def test_a_pose_that_ends_without_being_kept_is_told(two: Any, capfd: pytest.CaptureFixture[str], how: str) -> None:
    OPS.retro_anim.retarget_pose()
    if how != "untouched":
        pose_by_hand(two[1])
    if how == "kept":
        OPS.retro_anim.retarget_pose_keep(name="Mine")
    capfd.readouterr()
    OPS.retro_anim.retarget_pose()
    assert (UNKEPT in capfd.readouterr().out) == (how == "posed")


def test_the_selection_before_is_that_of_its_own_figures(part: Part, two: Any) -> None:
    """The pose ended otherwise; another figure, as one that was appended while it was aligned, is left later."""
    camera = bpy.data.objects.new("camera", None)
    bpy.context.scene.collection.objects.link(camera)
    bpy.context.view_layer.objects.active = camera
    OPS.retro_anim.retarget_pose()
    assert settings().before
    bpy.context.view_layer.objects.active = two[1]
    part("operators.clips").make_active(bpy.context, bpy.data.actions["own"])
    assert staged(part, *two) == [False, False]
    OPS.object.mode_set(mode="OBJECT")
    other = rigs.build("other", names=rigs.MIXAMO)
    part("io.blender.temporary_state").take(other, "pose")
    bpy.context.view_layer.objects.active = other
    OPS.retro_anim.retarget_pose()
    assert bpy.context.view_layer.objects.active == other and settings().before == ""


@pytest.mark.usefixtures("two")
def test_what_is_drawn_asks_few_objects(part: Part, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not all of the file, at each draw; what was shown aligned counts also where others are chosen meanwhile."""
    identity, posing = part("io.blender.identity"), part("operators.retarget.posing")
    for number in range(50):
        bpy.data.objects.new(f"more {number}", None)
    asked, is_staged = list[str](), identity.is_staged

    def counting(obj: Any, kind: str = "") -> bool:
        asked.append(obj.name)
        return is_staged(obj, kind)

    monkeypatch.setattr(identity, "is_staged", counting)
    assert not posing.is_offered(settings()) and len(asked) <= 4
    OPS.retro_anim.retarget_pose()
    settings().source = settings().target = None
    asked.clear()
    assert posing.is_offered(settings()) and len(asked) <= 4
    settings().before = '{"figures": [7, [1, 2], ["hero"], ["gone", null], ["hero", "nowhere.blend"]]}'
    assert not posing.is_offered(settings())
