"""Retargeting again: what the last run made of a clip is replaced, unless somebody has edited or renamed it."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from support import blender_rigs as rigs

Part = Callable[[str], ModuleType]


@pytest.fixture
def again(part: Part) -> Callable[..., Any]:
    """Retarget clips of one armature onto the other: `again(source, target, "walk", mirror=True)`."""
    module, core = part("io.retarget.retarget"), part("core.retarget.options")

    def go(source: Any, target: Any, *names: str, only: Any = None, **options: Any) -> Any:
        inner = {key: options.pop(key) for key in list(options) if key in core.Options.__dataclass_fields__}
        pairs = rigs.pairs(part, only or rigs.PLAIN, rigs.PLAIN)
        asked = module.RetargetOptions(core=core.Options(**inner), actions=names, **options)
        return module.retarget_actions(bpy.context, source, target, pairs, asked)

    return go


@pytest.fixture
def two(part: Part) -> tuple[Any, Any]:
    source, target = rigs.build("one"), rigs.build("two")
    for number, name in enumerate(("walk", "run")):
        rigs.dance(part, source, name, seed=number)
    return source, target


def results(target: Any) -> list[str]:
    return sorted(action.name for action in bpy.data.actions if f"on {target.name}" in action.name)


def values(part: Part, name: str) -> dict[tuple[str, int], list[float]]:
    curves = part("io.blender.compat").every_curve(bpy.data.actions[name])
    return {(curve.data_path, curve.array_index): [point.co[1] for point in curve.keyframe_points] for curve in curves}


def edit(part: Part, name: str) -> None:
    curve = part("io.blender.compat").every_curve(bpy.data.actions[name])[3]
    curve.keyframe_points[2].co[1] += 0.01


def test_what_a_run_is_made_of_is_not_replaced_by_it(two: Any, again: Any) -> None:
    """The result of the last run among the clips of this one, as of two figures of one skeleton and one name."""
    source, target = two
    again(source, target, "walk")
    clip = bpy.data.actions["walk on two"]
    again(source, target, "walk", "walk on two")
    assert clip.name == "walk on two" and len(results(target)) == 3


def test_the_last_run_is_replaced_with_its_name_users_and_strips(part: Part, two: Any, again: Any) -> None:
    source, target = two
    again(source, target, "walk", "run")
    first = values(part, "walk on two")
    action: Any = bpy.data.actions["walk on two"]
    action["note"], action["retro_anim_to_entry"] = {"of": "the user"}, "7"
    action.asset_mark()  # which gives it a fake user, too
    bpy.data.actions["run on two"].use_fake_user = False
    target_of_run = rigs.build("four")
    part("io.blender.compat").assign(target_of_run, bpy.data.actions["run on two"])
    action.asset_data.description, action.asset_data.author = "a walk", "somebody"
    action.asset_data.tags.new("calm")
    track = target.animation_data.nla_tracks.new()
    strip = track.strips.new("a strip", 50, action)
    keyed = rigs.build("three")
    part("io.blender.compat").assign(keyed, action)
    assert again(source, target, "walk", "run", mirror=True).replaced == 2
    assert results(target) == ["run on two", "walk on two"]
    replaced: Any = bpy.data.actions["walk on two"]
    assert values(part, "walk on two") != first
    assert strip.action == keyed.animation_data.action == target.animation_data.action == replaced
    assert not any(part("io.blender.compat").has_no_slot(player) for player in (strip, keyed.animation_data, target.animation_data))
    assert replaced["note"].to_dict() == {"of": "the user"}
    assert (replaced["retro_anim_to_entry"], replaced.use_fake_user) == ("7", True)
    shown = replaced.asset_data
    assert (shown.description, shown.author, [tag.name for tag in shown.tags]) == ("a walk", "somebody", ["calm"])
    assert not bpy.data.actions["run on two"].use_fake_user
    again(source, target, "walk", "run")
    assert results(target) == ["run on two", "walk on two"]
    assert values(part, "walk on two") == first
    target.animation_data.action = None
    bpy.context.scene.frame_set(60)
    shown_by_strip = target.pose.bones["head"].matrix_basis.copy()
    part("io.blender.compat").assign(target, bpy.data.actions["walk on two"])
    bpy.context.scene.frame_set(11)
    assert np.abs(np.array(shown_by_strip) - np.array(target.pose.bones["head"].matrix_basis)).max() < 1e-5


def _key(part: Part, action: Any) -> None:
    edit(part, action.name)


def _interpolation(part: Part, action: Any) -> None:
    part("io.blender.compat").every_curve(action)[0].keyframe_points[1].interpolation = "BEZIER"


def _modifier(part: Part, action: Any) -> None:
    part("io.blender.compat").every_curve(action)[0].modifiers.new("NOISE")


def _muted(part: Part, action: Any) -> None:
    part("io.blender.compat").every_curve(action)[0].mute = True


def _gone(part: Part, action: Any) -> None:
    curves = part("io.blender.compat").every_curve(action)
    curves[0].keyframe_points.remove(curves[0].keyframe_points[0])


def _marker(_part: Part, action: Any) -> None:
    action.pose_markers.new("mine").frame = 3


def _range(_part: Part, action: Any) -> None:
    action.frame_end -= 2


@pytest.mark.parametrize("change", [_key, _interpolation, _modifier, _muted, _gone, _marker, _range])
def test_what_was_edited_stays_and_is_named(part: Part, two: Any, again: Any, change: Any) -> None:
    source, target = two
    log = part("core.reporting.log")
    again(source, target, "walk", "run")
    edited: Any = bpy.data.actions["walk on two"]
    change(part, edited)
    before = values(part, "walk on two")
    with log.collect() as said:
        reports = again(source, target, "walk", "run", mirror=True).reports
    assert results(target) == ["run on two", "walk on two", "walk on two.001"]
    assert values(part, "walk on two") == before
    assert [("walk on two" in line and "edited" in line) for line in reports[0].lines()].count(True) == 1
    assert not any("edited" in line for line in reports[1].lines())
    assert any("walk on two" in line and "edited" in line for line in said.digest("WARNING"))
    again(source, target, "walk", "run")  # the last run is now the one that made walk on two.001
    assert results(target) == ["run on two", "walk on two", "walk on two.001"]
    assert values(part, "walk on two") == before


def test_it_is_asked_what_becomes_of_them(part: Part, two: Any, again: Any) -> None:
    source, target = two
    again(source, target, "walk")
    edit(part, "walk on two")
    again(source, target, "walk", earlier="REPLACE_ALL")
    assert results(target) == ["walk on two"]
    again(source, target, "walk", earlier="KEEP")
    assert results(target) == ["walk on two", "walk on two.001"]


def test_what_was_renamed_or_copied_stays(two: Any, again: Any) -> None:
    source, target = two
    again(source, target, "walk")
    bpy.data.actions["walk on two"].name = "mine on two"
    again(source, target, "walk")
    assert results(target) == ["mine on two", "walk on two"]
    copy = bpy.data.actions["walk on two"].copy()
    again(source, target, "walk")
    assert results(target) == ["mine on two", "walk on two", copy.name]


def test_another_clip_of_the_same_name_is_another_clip(part: Part, two: Any, again: Any) -> None:
    """As files that are opened one after the other have them, each with one clip of the exporter's name."""
    source, target = two
    again(source, target, "walk")
    first = values(part, "walk on two")
    bpy.data.actions.remove(bpy.data.actions["walk"])
    rigs.dance(part, source, "walk", seed=5)
    again(source, target, "walk")
    assert results(target) == ["walk on two", "walk on two.001"]
    assert values(part, "walk on two") == first


def test_a_clip_that_was_edited_or_renamed_is_the_same_clip(part: Part, two: Any, again: Any) -> None:
    source, target = two
    again(source, target, "walk")
    bpy.data.actions["walk"].name = "stroll"
    part("io.blender.compat").every_curve(bpy.data.actions["stroll"])[0].keyframe_points[0].co[1] += 0.2
    again(source, target, "stroll")
    assert results(target) == ["walk on two"]


def test_a_saved_file_knows_what_it_has(part: Part, two: Any, again: Any, tmp_path: Any) -> None:
    source, target = two
    again(source, target, "walk", "run")
    edit(part, "run on two")
    for name in ("walk", "run"):
        bpy.data.actions[name].use_fake_user = True
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "kept.blend"), check_existing=False)
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "kept.blend"))
    again(bpy.data.objects["one"], bpy.data.objects["two"], "walk", "run")
    assert results(bpy.data.objects["two"]) == ["run on two", "run on two.001", "walk on two"]


def test_rest_keys_of_a_later_run_are_no_edit(part: Part, two: Any, again: Any) -> None:
    """A run without the arms, then one with them, which gives the first clip a key at rest for them; then both clips again."""
    source, target = two
    trunk = {role: name for role, name in rigs.PLAIN.items() if "Arm" not in role and "Hand" not in role and "houlder" not in role}
    again(source, target, "walk", only=trunk)
    bare = len(values(part, "walk on two"))
    again(source, target, "run")
    assert len(values(part, "walk on two")) > bare
    again(source, target, "walk", "run")
    assert results(target) == ["run on two", "walk on two"]
    again(source, target, "walk", only=trunk)
    edit(part, "walk on two")
    again(source, target, "run", root_motion="NONE")
    again(source, target, "walk")
    assert results(target) == ["run on two", "walk on two", "walk on two.001"]


@pytest.fixture
def smiling(part: Part, two: Any) -> Any:
    """The shape keys of the target. Both have a body that can smile, and the source does so by the end of its walk."""
    for obj in two:
        mesh = bpy.data.meshes.new(f"{obj.name} body")
        mesh.from_pydata([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [], [(0, 1, 2)])
        body = bpy.data.objects.new(mesh.name, mesh)
        bpy.context.scene.collection.objects.link(body)
        body.parent = obj
        body.shape_key_add(name="Basis")
        body.shape_key_add(name="smile")
    keys: Any = bpy.data.meshes["one body"].shape_keys
    action = bpy.data.actions["walk"]
    part("io.blender.compat").assign(two[0], action)
    _, curves = part("io.blender.motion.shape_key_actions").new_curves(action, keys)
    curve = curves.new('key_blocks["smile"].value', 0, "Shape Keys")
    curve.keyframe_points.insert(1, 0.0)
    curve.keyframe_points.insert(30, 1.0)
    part("io.blender.motion.shape_key_actions").assign(keys, action)
    return bpy.data.meshes["two body"].shape_keys


def test_shape_keys_go_with_their_action(part: Part, two: Any, smiling: Any, again: Any) -> None:
    source, target = two
    compat = part("io.blender.compat")
    before = len(bpy.data.actions)
    again(source, target, "walk", shape_keys=True)
    of_one_run = len(bpy.data.actions) - before
    again(source, target, "walk", shape_keys=True, mirror=True)
    assert len(bpy.data.actions) - before == of_one_run
    bpy.context.scene.frame_set(30)
    assert smiling.key_blocks["smile"].value == pytest.approx(1.0)
    smile = smiling.animation_data.action
    edited = next(curve for curve in compat.every_curve(smile) if "smile" in curve.data_path)
    edited.keyframe_points[-1].co[1] = 0.5
    again(source, target, "walk", shape_keys=True)
    assert "walk on two.001" in bpy.data.actions
    bpy.context.scene.frame_set(30)


@pytest.mark.parametrize("options", [{}, {"keys": "SOURCE"}, {"step": 0.25}, {"loop": "YES"}, {"root_motion": "OBJECT"}])
def test_what_is_remembered_is_what_blender_has(part: Part, two: Any, again: Any, options: dict[str, Any]) -> None:
    """The digest is made of what was to be written, and compared with what is there."""
    source, target = two
    earlier = part("io.retarget.earlier")
    rigs.dance(part, source, "long", 300)
    for action in again(source, target, "walk", "run", "long", **options).actions:
        assert int(earlier.origin_of(action).digest, 16) == earlier.content(action, target)


def group(name: str, **properties: Any) -> Any:
    return type(name, (bpy.types.PropertyGroup,), {"__annotations__": properties})


@pytest.fixture
def registered() -> Any:
    prop = bpy.props
    row = group("Row", power=prop.IntProperty())
    fields = group(
        "Fields",
        level=prop.IntProperty(default=7),
        at=prop.FloatVectorProperty(size=3),
        rows=prop.CollectionProperty(type=row),
    )
    for kind in (row, fields):
        bpy.utils.register_class(kind)
    owner: Any = bpy.types.Action
    owner.own_fields = prop.PointerProperty(type=fields)
    yield
    del owner.own_fields
    for kind in (fields, row):
        bpy.utils.unregister_class(kind)


@pytest.mark.usefixtures("registered")
def test_fields_in_groups_and_lists_go_with_the_name(two: Any, again: Any) -> None:
    """As those of a game's animation are that an action was made one of."""
    source, target = two
    again(source, target, "walk")
    first: Any = bpy.data.actions["walk on two"]
    fields = first.own_fields
    fields.level, fields.at = 0, (1, 2, 3)
    fields.rows.add().power = 4
    fields.rows.add().power = 5
    again(source, target, "walk")
    assert results(target) == ["walk on two"]
    second: Any = bpy.data.actions["walk on two"]
    now = second.own_fields
    assert (now.level, tuple(now.at), [row.power for row in now.rows]) == (0, (1, 2, 3), [4, 5])


def test_a_run_that_fails_leaves_no_rest_keys(part: Part, two: Any, again: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not in the clips of earlier runs, which would have got them from it."""
    source, target = two
    trunk = {role: name for role, name in rigs.PLAIN.items() if "Arm" not in role and "Hand" not in role and "houlder" not in role}
    again(source, target, "walk", only=trunk)
    before, record = values(part, "walk on two"), str(dict(bpy.data.actions["walk on two"].items()))
    with monkeypatch.context() as broken, pytest.raises(ZeroDivisionError):
        broken.setattr(part("io.retarget.retarget").Job, "_finish", lambda *_: 1 / 0)
        again(source, target, "run")
    assert len(values(part, "walk on two")) == len(before) and str(dict(bpy.data.actions["walk on two"].items())) == record
    again(source, target, "run")
    assert len(values(part, "walk on two")) > len(before)
    again(source, target, "walk", "run")
    assert results(target) == ["run on two", "walk on two"]


def test_a_run_that_fails_while_it_takes_over_leaves_the_last_one(
    part: Part, two: Any, again: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, target = two
    again(source, target, "walk")
    old = target.animation_data.action
    old.asset_mark()
    before = old.session_uid, old.name, old.users, old.use_fake_user
    with monkeypatch.context() as broken, pytest.raises(ZeroDivisionError):
        broken.setattr(part("io.retarget.takeover"), "_mark", lambda *_: 1 / 0)
        again(source, target, "walk")
    assert results(target) == ["walk on two"] and target.animation_data.action == old
    assert (old.session_uid, old.name, old.users, old.use_fake_user) == before and old.asset_data is not None


@pytest.mark.parametrize("shown", ["walk", "run"])
def test_a_run_that_fails_at_its_end_leaves_shape_keys_as_they_were(
    part: Part, two: Any, smiling: Any, again: Any, monkeypatch: pytest.MonkeyPatch, shown: str
) -> None:
    """They show what the last run made, or something else."""
    source, target = two
    again(source, target, "walk", shape_keys=True)
    if shown == "run":
        action, curves = part("io.blender.motion.shape_key_actions").new_curves(bpy.data.actions["run"], smiling)
        curves.new('key_blocks["smile"].value', 0, "Shape Keys").keyframe_points.insert(30, 0.25)
        part("io.blender.motion.shape_key_actions").assign(smiling, bpy.data.actions["run"])
        assert smiling.animation_data.action == action
    before = smiling.animation_data.action.name, smiling.animation_data.action.session_uid, len(bpy.data.actions)
    with monkeypatch.context() as broken, pytest.raises(ZeroDivisionError):
        broken.setattr(part("io.retarget.retarget").Job, "_settle", lambda *_: 1 / 0)
        again(source, target, "walk", shape_keys=True, mirror=True)
    playing = smiling.animation_data.action
    assert playing is not None and (playing.name, playing.session_uid, len(bpy.data.actions)) == before
    bpy.context.scene.frame_set(30)
    assert smiling.key_blocks["smile"].value == pytest.approx(1.0 if shown == "walk" else 0.25)


def test_a_setting_of_another_add_on_whose_choice_is_gone(part: Part, two: Any, again: Any) -> None:
    """Which nothing can be set to any more."""
    source, target = two
    again(source, target, "walk")
    choices = [("SLOW", "Slow", ""), ("FAST", "Fast", "")]
    kind: Any = bpy.types.Action
    kind.pace = bpy.props.EnumProperty(items=lambda _owner, _context: choices)
    try:
        target.animation_data.action.pace = "FAST"
        del choices[1]
        again(source, target, "walk")
        assert results(target) == ["walk on two"]
    finally:
        del kind.pace
