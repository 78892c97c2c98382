"""Figures that show something for a while, and come from other .blend files, or go into them."""

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


@pytest.fixture(autouse=True)
def kept_maps(part: Part, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(part("operators.retarget.mapping.bone_map"), "folder", lambda: tmp_path)


@pytest.fixture
def two(part: Part) -> tuple[Any, Any]:
    source = rigs.build("hero", names=rigs.MIXAMO)
    target = rigs.build("mannequin", names=rigs.UNREAL, pose=rigs.a_pose(), root="root")
    target.location.x = 2.0
    rigs.dance(part, source, "clip", seed=3)
    rigs.dance(part, target, "own", seed=4)
    choose(source, target)
    return source, target


def settings() -> Any:
    return bpy.context.scene.retro_anim_retarget


def choose(source: Any, target: Any) -> None:
    settings().source, settings().target = source, target


def actions(*objects: Any) -> list[str | None]:
    return [obj.animation_data.action.name if obj.animation_data and obj.animation_data.action else None for obj in objects]


def saved(folder: Path) -> Path:
    path = folder / "figures.blend"
    OPS.wm.save_as_mainfile(filepath=str(path))
    OPS.wm.read_homefile(use_empty=True)
    return path


def brought(path: Path, how: str) -> tuple[Any, Any]:
    """Both out of a file, in the scene of another one."""
    if how == "append":
        libraries: Any = bpy.data.libraries
        with libraries.load(str(path), link=False) as (_, wanted):
            wanted.objects = ["hero", "mannequin"]
        source, target = wanted.objects
        for obj in (source, target):
            bpy.context.scene.collection.objects.link(obj)
    else:
        source, target = (rigs.linked(path, name) for name in ("hero", "mannequin"))
    if how == "override":
        source, target = (obj.override_create(remap_local_usages=True) for obj in (source, target))
    bpy.context.view_layer.update()
    choose(source, target)
    return source, target


@pytest.mark.parametrize("operator", ["retarget_preview", "retarget_contacts"])
def test_what_needs_the_action_leaves_the_reference_pose(two: Any, operator: str) -> None:
    """Which has the actions put aside: neither of them is said to have none, nor one of the figures left in it."""
    OPS.retro_anim.retarget_pose()
    assert actions(*two) == [None, None]
    assert getattr(OPS.retro_anim, operator)() == {"FINISHED"}
    assert actions(two[0]) == ["clip"] and bpy.context.mode == "OBJECT"
    if operator == "retarget_preview":
        OPS.retro_anim.retarget_preview()
    assert actions(*two) == ["clip", "own"]


@pytest.mark.usefixtures("two")
def test_overrides_keep_their_actions_in_a_file_that_is_saved_while_they_are_aligned(tmp_path: Path) -> None:
    """Blender saves no property of ours with an override, so that what it was before would be lost. On the screen nothing changes."""
    source, target = brought(saved(tmp_path), "override")
    local = target.animation_data.action = target.animation_data.action.copy()
    local.name = "mine"
    assert OPS.retro_anim.retarget_pose() == {"FINISHED"}
    target.pose.bones["upperarm_l"].rotation_quaternion = posed = (0.5, 0.5, 0.5, 0.5)
    path = str(tmp_path / "scene.blend")
    OPS.wm.save_as_mainfile(filepath=path)
    assert actions(source, target) == [None, None] and bpy.context.mode == "POSE"
    assert tuple(target.pose.bones["upperarm_l"].rotation_quaternion) == pytest.approx(posed)
    OPS.wm.open_mainfile(filepath=path)
    assert actions(settings().source, settings().target) == ["clip", "mine"]
    assert settings().source.override_library is not None


@pytest.mark.parametrize("how", ["link", "override"])
@pytest.mark.usefixtures("two")
def test_figures_of_a_file_that_was_saved_while_they_were_aligned(tmp_path: Path, how: str) -> None:
    """Only there can they be given back: what was done here to what is linked would be gone, and an override's action with it."""
    OPS.retro_anim.retarget_pose()
    source, target = brought(saved(tmp_path), how)
    for operator in (OPS.retro_anim.retarget_preview, OPS.retro_anim.retarget_pose):
        with pytest.raises(RuntimeError, match=r"hero was saved in figures\.blend while Show Aligned was on: open that file, press Leave"):
            operator()
    assert actions(source, target) == [None, None]
    assert OPS.retro_anim.retarget() == {"FINISHED"}  # of all actions, whatever it shows
    assert [line.name for line in settings().reports] == ["clip on mannequin"]


@pytest.mark.usefixtures("two")
def test_one_that_was_appended_from_such_a_file_can_be_left(part: Part, tmp_path: Path) -> None:
    OPS.retro_anim.retarget_pose()
    source, target = brought(saved(tmp_path), "append")
    choose(None, None)
    assert part("operators.retarget.posing").has_begun(settings())
    assert OPS.retro_anim.retarget_pose() == {"FINISHED"}
    assert actions(source, target) == ["clip", "own"]


@pytest.mark.usefixtures("two")
def test_overrides_beside_what_they_override_are_the_ones_that_are_aligned(tmp_path: Path) -> None:
    """The linked figure has the same name."""
    path = saved(tmp_path)
    linked = [rigs.linked(path, name) for name in ("hero", "mannequin")]
    own = [obj.override_create() for obj in linked]
    for obj in own:
        if obj.name not in bpy.context.scene.collection.objects or obj not in bpy.context.scene.collection.objects.values():
            bpy.context.scene.collection.objects.link(obj)
    choose(*own)
    own[1].select_set(True)
    linked[0].select_set(True)
    bpy.context.view_layer.objects.active = linked[1]
    assert OPS.retro_anim.retarget_pose() == {"FINISHED"}
    assert bpy.context.view_layer.objects.active == own[1] and own[1].mode == "POSE"
    assert OPS.retro_anim.retarget_pose() == {"FINISHED"}
    assert bpy.context.view_layer.objects.active == linked[1]
    assert [obj.select_get() for obj in (*linked, *own)] == [True, False, False, True]
