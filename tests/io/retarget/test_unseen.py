"""Results that are right and are not what Blender shows, since the target is shown otherwise; and armatures in Edit Mode, which show their
rest pose. What is shown is measured here on evaluated poses."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from support import blender_rigs as rigs

OPS: Any = bpy.ops
Part = Callable[[str], ModuleType]
FRAMES = range(1, 31, 4)


def resting(target: Any) -> None:
    target.data.pose_position = "REST"


def solo(target: Any) -> None:
    target.animation_data.nla_tracks[0].is_solo = True


def solo_of_an_empty_track(target: Any) -> None:
    target.animation_data.nla_tracks.new().is_solo = True


def added(target: Any) -> None:
    target.animation_data.action_blend_type = "COMBINE"


def half(target: Any) -> None:
    target.animation_data.action_influence = 0.5


def plain(target: Any) -> None:
    pass


def muted(target: Any) -> None:
    half(target)
    target.animation_data.nla_tracks[0].mute = True


def without_nla(target: Any) -> None:
    solo(target)
    half(target)
    target.animation_data.use_nla = False


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (resting, "rest position"),
        (solo, "own plays alone"),
        (solo_of_an_empty_track, "plays alone"),
        (added, "mixed with its NLA"),
        (half, "mixed with its NLA"),
        (plain, ""),
        (muted, ""),
        (without_nla, ""),
    ],
    ids=lambda each: getattr(each, "__name__", ""),
)
def test_what_keeps_a_new_action_from_being_seen_is_said(part: Part, run: Any, change: Callable[[Any], None], said: str) -> None:
    source, target = rigs.build("one"), rigs.build("two", rotation=rigs.rolled(2))
    rigs.dance(part, source)
    own = rigs.dance(part, target, "own", seed=4)
    track = target.animation_data.nla_tracks.new()
    track.name = "own"
    track.strips.new("own", 1, own)
    target.animation_data.action = None
    change(target)
    with part("core.reporting.log").collect() as logged:
        report = run(source, target, feet=False).reports[0]
    assert report.limb_max < 1e-3
    away = rigs.apart(*(rigs.joints(obj, rigs.JOINTS, FRAMES) for obj in (source, target)))
    assert (away > 0.1) == bool(said)
    lines = [line for line in logged.digest("WARNING") if target.name in line]
    assert [said in line for line in lines] == ([True] if said else [])


def test_a_source_at_rest_is_followed_as_its_clips_move(part: Part, run: Any) -> None:
    """Nobody sees it move: that is said. A preview follows no pose that nobody can give it."""
    source, target = rigs.build("one"), rigs.build("two", rotation=rigs.rolled(2))
    rigs.dance(part, source)
    resting(source)
    with part("core.reporting.log").collect() as logged:
        report = run(source, target, feet=False).reports[0]
    (line,) = [line for line in logged.digest("WARNING") if source.name in line]
    assert "one is shown in its rest position, and is followed as its clips move: choose Pose Position" in line
    assert report.limb_max < 1e-3
    target.animation_data.action = None
    preview = part("io.retarget.in_view.preview").Preview(bpy.context, source, target)
    bpy.context.scene.frame_set(9)
    options = part("core.retarget.options").RetargetOptions(core=part("core.retarget.retarget").Options(feet=False, root_motion="NONE"))
    preview.change(bpy.context, rigs.pairs(part, rigs.PLAIN, rigs.PLAIN), options)
    assert "one is shown in its rest position" in preview.message
    before = heads(target)
    preview.follow(bpy.context)
    after = heads(target)
    preview.stop()
    source.data.pose_position = "POSE"
    assert np.array_equal(before, after) and rigs.apart(heads(source), after) < 1e-3


def heads(obj: Any) -> Any:
    """(1, bones, 3) at the present frame, from the hips."""
    bpy.context.view_layer.update()
    return np.array([[obj.pose.bones[name].head - obj.pose.bones["hips"].head for name in rigs.JOINTS]])


@pytest.mark.parametrize("edited", ["source", "target"])
def test_who_is_in_edit_mode_moves_as_in_object_mode(part: Part, run: Any, edited: str) -> None:
    """Also one whose constraints are evaluated, and with what was changed there. It is in Edit Mode again afterwards."""
    source, target = rigs.build("one"), rigs.build("two", rotation=rigs.rolled(2))
    rigs.dance(part, source)
    constraint = source.pose.bones["leftLowerArm"].constraints.new("COPY_ROTATION")
    constraint.target, constraint.subtarget, constraint.influence = source, "rightLowerArm", 0.5
    obj = {"source": source, "target": target}[edited]
    bpy.context.view_layer.objects.active = obj
    OPS.object.mode_set(mode="EDIT")
    obj.data.edit_bones["leftFoot"].roll += 1.0
    with part("core.reporting.log").collect() as logged:
        report = run(source, target, feet=False).reports[0]
    assert [f"{obj.name} is in Edit Mode, which shows its rest pose" in line for line in logged.digest("WARNING")] == [True]
    assert obj.mode == "EDIT" and report.limb_max < 1e-3
    OPS.object.mode_set(mode="OBJECT")
    assert rigs.apart(*(rigs.joints(each, rigs.JOINTS, FRAMES) for each in (source, target))) < 2e-5


def test_nothing_is_prepared_in_edit_mode(part: Part) -> None:
    """As for a preview, which cannot leave it by itself."""
    source, target = rigs.build("one"), rigs.build("two")
    rigs.dance(part, source)
    bpy.context.view_layer.objects.active = target
    OPS.object.mode_set(mode="EDIT")
    options = part("core.retarget.options").RetargetOptions()
    with pytest.raises(part("core.reporting.errors").RetroAnimError, match="two is in Edit Mode"):
        part("io.retarget.prepared").Prepared(bpy.context, source, target, rigs.pairs(part, rigs.PLAIN, rigs.PLAIN), options)


@pytest.mark.parametrize("keyed", [False, True])
def test_a_size_that_is_posed_without_a_key_is_named(part: Part, run: Any, keyed: bool) -> None:
    """The new action has the bone as it rests; where another action has left its size behind, that is no news."""
    source, target = rigs.build("one"), rigs.build("two", rotation=rigs.rolled(2))
    rigs.dance(part, source)
    if keyed:
        rigs.keyed(part, target, "grows", {("head", "scale"): np.tile(np.linspace(1.0, 1.5, 5), (3, 1))})
        target.animation_data.action = None  # which would be shown anew
    target.pose.bones["head"].scale = (1.5, 1.5, 1.5)
    with part("core.reporting.log").collect() as logged:
        run(source, target, feet=False)
    bpy.context.scene.frame_set(3)
    assert np.allclose(target.pose.bones["head"].scale, 1)
    assert any("head is scaled without a key" in line for line in logged.digest("WARNING")) != keyed
