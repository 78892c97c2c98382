"""Retargeting as a person or a script does it: map, look, correct, retarget, report; maps as files and remembered."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import bpy
import numpy as np
import pytest
from support import blender_rigs as rigs

OPS: Any = bpy.ops
Part = Callable[[str], ModuleType]
SAMPLES = Path(__file__).resolve().parents[3] / "samples"


@pytest.fixture(autouse=True)
def kept_maps(part: Part, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder for maps that are remembered."""
    folder = tmp_path / "maps"
    monkeypatch.setattr(part("operators.retarget.mapping.bone_map"), "folder", lambda: folder)
    return folder


@pytest.fixture
def two(part: Part) -> tuple[Any, Any]:
    """A Mixamo rig with three clips, and an Unreal one in A-pose."""
    source = rigs.build("hero", names=rigs.MIXAMO)
    target = rigs.build("mannequin", names=rigs.UNREAL, pose=rigs.a_pose(), rotation=rigs.rolled(1), root="root")
    for number in range(3):
        rigs.dance(part, source, f"clip {number}", seed=number)
    return source, target


def settings() -> Any:
    return bpy.context.scene.retro_anim_retarget


def select(*objects: Any) -> None:
    """Select these; the last one is active."""
    for obj in bpy.data.objects:
        obj.select_set(obj in objects)
    bpy.context.view_layer.objects.active = objects[-1]


def test_one_click_gives_the_whole_library(two: Any) -> None:
    source, target = two
    select(source, target)
    assert OPS.retro_anim.retarget() == {"FINISHED"}
    assert sorted(action.name for action in bpy.data.actions if "on mannequin" in action.name) == [
        f"clip {n} on mannequin" for n in range(3)
    ]
    assert target.animation_data.action.name == "clip 2 on mannequin"  # the source's present one comes first
    assert len(settings().reports) == 3
    assert all(line.is_good for line in settings().reports)
    assert (settings().source, settings().target) == two
    # Run again: what was made for the target is no action of the source, and is replaced unless it is to be kept.
    assert OPS.retro_anim.retarget() == {"FINISHED"}
    assert len(bpy.data.actions) == 6
    assert OPS.retro_anim.retarget(earlier="KEEP") == {"FINISHED"}
    assert len(bpy.data.actions) == 9


def test_the_last_line_says_how_many_actions_want_a_look(two: Any, capfd: pytest.CaptureFixture[str]) -> None:
    """Also to who has the report folded in: here for an arm that rotates half as much as the source's."""
    select(*two)
    OPS.retro_anim.retarget()
    assert "see Report" not in capfd.readouterr().out
    next(line for line in settings().pairs if line.target == "upperarm_l").weight = 0.5
    OPS.retro_anim.retarget()
    assert not any(line.is_good for line in settings().reports)
    assert "; 3 actions to look at, see Report; limbs within" in capfd.readouterr().out


def test_in_edit_mode_it_is_the_same(two: Any) -> None:
    """Source and target are edited together; they still are afterwards, and the source's constraints are not at rest meanwhile."""
    source, target = two
    constraint = source.pose.bones[rigs.MIXAMO["leftLowerArm"]].constraints.new("COPY_ROTATION")
    constraint.target, constraint.subtarget, constraint.influence = source, rigs.MIXAMO["rightLowerArm"], 0.5
    select(source, target)
    OPS.object.mode_set(mode="EDIT")
    assert OPS.retro_anim.retarget() == {"FINISHED"}
    assert source.mode == target.mode == "EDIT"
    assert len(settings().reports) == 3 and all(line.is_good for line in settings().reports)
    OPS.object.mode_set(mode="OBJECT")
    forearms = [
        np.diff(rigs.joints(obj, [names[role] for role in ("leftLowerArm", "leftHand")], range(1, 31, 4)), axis=1)[:, 0]
        for obj, names in ((source, rigs.MIXAMO), (target, rigs.UNREAL))
    ]
    assert rigs.apart(*(forearm / np.linalg.norm(forearm, axis=1, keepdims=True) for forearm in forearms)) < 1e-4


def test_the_nla_is_one_clip_instead_of_actions(two: Any) -> None:
    source, target = two
    data = source.animation_data
    action, data.action = data.action, None
    track = data.nla_tracks.new()
    for start in (1, 101):
        strip = track.strips.new("strip", start, action)
    select(source, target)
    before = set(bpy.data.actions.keys())
    assert OPS.retro_anim.retarget(source=source.name, target=target.name, nla=True) == {"FINISHED"}
    assert set(bpy.data.actions.keys()) - before == {f"{source.name} NLA on {target.name}"}
    assert tuple(target.animation_data.action.frame_range) == (1.0, strip.frame_end)


def test_the_map_is_a_table_that_can_be_corrected(two: Any, kept_maps: Path) -> None:
    _source, _target = two
    assert OPS.retro_anim.retarget_map(source="hero", target="mannequin") == {"FINISHED"}
    lines = {line.target: line for line in settings().pairs}
    assert lines["upperarm_l"].source == "mixamorig:LeftArm"
    assert lines["upperarm_l"].role == "leftUpperArm"
    assert 0.8 < lines["upperarm_l"].confidence <= 1
    assert not settings().edited
    lines["upperarm_l"].source = "mixamorig:RightArm"
    assert settings().edited
    lines["head"].weight = 0.0
    assert OPS.retro_anim.retarget(actions="clip 0") == {"FINISHED"}
    (result,) = [action for action in bpy.data.actions if "on mannequin" in action.name]
    assert result.name == "clip 0 on mannequin"
    # It is remembered for these skeletons, and the way back is known by it too.
    assert len(list(kept_maps.glob("*.json"))) == 1
    settings().pairs.clear()
    assert OPS.retro_anim.retarget_map() == {"FINISHED"}
    assert {line.target: line.source for line in settings().pairs}["upperarm_l"] == "mixamorig:RightArm"
    assert OPS.retro_anim.retarget_map(anew=True) == {"FINISHED"}
    assert {line.target: line.source for line in settings().pairs}["upperarm_l"] == "mixamorig:LeftArm"
    assert {line.target: line.weight for line in settings().pairs}["head"] == 1.0


def test_the_preview_range_follows_to_the_retargeted_clip(two: Any) -> None:
    scene, objects = bpy.context.scene, bpy.context.view_layer.objects
    objects.active = bpy.data.objects["hero"]
    scene.use_preview_range, scene.retro_anim_follows = True, True
    scene.frame_preview_start, scene.frame_preview_end = 3, 5
    bpy.context.view_layer.update()
    assert (scene.frame_preview_start, scene.frame_preview_end) == (3, 5)  # no clip of a game, and as it was
    assert OPS.retro_anim.retarget(source="hero", target="mannequin", actions="clip 0") == {"FINISHED"}
    objects.active = bpy.data.objects["mannequin"]
    bpy.context.view_layer.update()
    start, end = bpy.data.objects["mannequin"].animation_data.action.frame_range
    assert (scene.frame_preview_start, scene.frame_preview_end) == (round(start), round(end))


def test_clips_of_a_game_s_character_are_listed_as_new(two: Any, part: Part) -> None:
    """Until an export knows better; of a character of no game no file would take them."""
    states = part("operators.clips.states")
    assert OPS.import_anim.lba(filepath=str(SAMPLES / "lba1" / "walk.anm")) == {"FINISHED"}
    character = bpy.context.view_layer.objects.active
    for target, state in ((character.name, "new"), ("mannequin", "")):
        assert OPS.retro_anim.retarget(source="hero", target=target, actions="clip 0") == {"FINISHED"}
        assert states.state(bpy.data.objects[target].animation_data.action) == state
    assert OPS.retro_anim.retarget(source="hero", target=character.name, actions="clip 0") == {"FINISHED"}
    assert states.state(bpy.data.objects[character.name].animation_data.action) == "new", "the same action anew"


def test_lines_come_and_go(two: Any) -> None:
    OPS.retro_anim.retarget_map(source="hero", target="mannequin")
    before = len(settings().pairs)
    settings().index = 3
    gone = settings().pairs[3].target
    OPS.retro_anim.retarget_map_remove()
    assert gone not in [line.target for line in settings().pairs]
    OPS.retro_anim.retarget_map_add()
    assert len(settings().pairs) == before
    line = settings().pairs[settings().index]
    line.source, line.target = "mixamorig:Hips", "spine_01"
    with pytest.raises(RuntimeError, match="follows two bones"):
        line.target = "head"
        OPS.retro_anim.retarget()


def test_maps_are_saved_and_loaded(two: Any, tmp_path: Path) -> None:
    OPS.retro_anim.retarget_map(source="hero", target="mannequin")
    lines = {line.target: line for line in settings().pairs}
    lines["head"].rotation, lines["head"].offset, lines["head"].location = "SWING", (0.1, 0.2, 0.3), True
    path = str(tmp_path / "map.json")
    assert OPS.retro_anim.retarget_map_save(filepath=path) == {"FINISHED"}
    before = [(line.source, line.target, line.role, line.turn, tuple(line.offset), line.location) for line in settings().pairs]
    settings().pairs.clear()
    assert OPS.retro_anim.retarget_map_load(filepath=path) == {"FINISHED"}
    assert [(line.source, line.target, line.role, line.turn, tuple(line.offset), line.location) for line in settings().pairs] == before
    (tmp_path / "bad.json").write_text("{", encoding="utf-8")
    with pytest.raises(RuntimeError, match="no JSON"):
        OPS.retro_anim.retarget_map_load(filepath=str(tmp_path / "bad.json"))
    assert OPS.retro_anim.retarget(map_file=path, actions_from="ACTIVE") == {"FINISHED"}


@pytest.mark.parametrize("save", ["retarget_map_save", "retarget_report"])
def test_neither_map_nor_report_replaces_another_file(two: Any, tmp_path: Path, save: str) -> None:
    OPS.retro_anim.retarget(source="hero", target="mannequin", actions="clip 1")
    path = tmp_path / "ANIM.HQR"
    path.write_bytes(b"an archive of the game")
    with pytest.raises(RuntimeError, match="is there already, and is not a"):
        getattr(OPS.retro_anim, save)(filepath=str(path))
    assert path.read_bytes() == b"an archive of the game"
    for _ in range(2):
        assert getattr(OPS.retro_anim, save)(filepath=str(tmp_path / "own.json")) == {"FINISHED"}


def test_the_way_back(two: Any) -> None:
    source, target = two
    OPS.retro_anim.retarget_map(source="hero", target="mannequin")
    OPS.retro_anim.retarget(actions="clip 1")
    OPS.retro_anim.retarget_swap()
    assert (settings().source, settings().target) == (target, source)
    assert OPS.retro_anim.retarget() == {"FINISHED"}
    assert [line.name for line in settings().reports] == ["clip 1 on mannequin on hero"]


def test_a_map_that_contradicts_itself_is_not_exchanged(two: Any) -> None:
    OPS.retro_anim.retarget_map(source="hero", target="mannequin")
    settings().pairs[0].target = settings().pairs[1].target
    with pytest.raises(RuntimeError, match="follows two bones"):
        OPS.retro_anim.retarget_swap()
    assert (settings().source, settings().target) == two


def test_patterns_and_wrong_wishes(two: Any) -> None:
    source, _target = two
    assert OPS.retro_anim.retarget(source="hero", target="mannequin", actions="clip 0, clip 2") == {"FINISHED"}
    assert [line.name for line in settings().reports] == ["clip 0 on mannequin", "clip 2 on mannequin"]
    with pytest.raises(RuntimeError, match="has no action"):
        OPS.retro_anim.retarget(actions="dance*")
    with pytest.raises(RuntimeError, match="no armature nobody"):
        OPS.retro_anim.retarget(source="nobody")
    settings().source = settings().target = None
    select(source)
    with pytest.raises(RuntimeError, match="choose Source and Target"):
        OPS.retro_anim.retarget()
    with pytest.raises(RuntimeError, match="the same armature"):
        OPS.retro_anim.retarget(source="hero", target="hero")


def test_who_was_deleted_is_no_more_than_an_empty_field(two: Any) -> None:
    """Blender keeps it for the field: the selection says who is meant, not somebody whom nobody sees."""
    source, target = two
    OPS.retro_anim.retarget(actions="clip 1", source="hero", target="mannequin")
    again = rigs.build("second", names=rigs.MIXAMO)
    select(source)
    OPS.object.delete()
    assert settings().source == source, "as Blender does it"
    select(again, target)
    OPS.retro_anim.retarget_map()
    assert (settings().source, settings().target) == (again, target)
    select(target)
    OPS.object.delete()
    with pytest.raises(RuntimeError, match="choose Source and Target"):
        OPS.retro_anim.retarget()


@pytest.mark.parametrize("active", ["source", "target"])
def test_a_mesh_that_is_selected_stands_for_its_armature(two: Any, part: Any, active: str) -> None:
    """A person clicks on what there is to be seen. The active one is the target, whichever it is."""
    source, target = two
    settings().source = settings().target = None
    mesh = bpy.data.objects.new("skin", bpy.data.meshes.new("skin"))
    bpy.context.collection.objects.link(mesh)
    worn = target if active == "target" else source
    mesh.parent = worn
    modifier: Any = mesh.modifiers.new("Armature", "ARMATURE")
    modifier.object = worn
    select(source, target, mesh)  # of both one is meant, once
    assert part("operators.retarget.mapping.bone_map").pick(bpy.context) == (target if worn == source else source, worn)
    worn.select_set(False)
    assert part("operators.retarget.mapping.bone_map").pick(bpy.context) == (target if worn == source else source, worn)


def test_report_as_json(two: Any, tmp_path: Path) -> None:
    OPS.retro_anim.retarget(source="hero", target="mannequin", feet=True)
    path = tmp_path / "report.json"
    assert OPS.retro_anim.retarget_report(filepath=str(path)) == {"FINISHED"}
    reports = json.loads(path.read_text(encoding="utf-8"))["reports"]
    assert [report["name"] for report in reports] == ["clip 0", "clip 1", "clip 2"]
    wanted = ("limb_max", "limb_worst", "joint_error", "skate_source", "skate", "penetration", "flips", "unreached", "unmapped", "seconds")
    assert all(name in report for report in reports for name in wanted)


def test_the_first_clip_that_asks_for_a_look_is_chosen_in_the_report(two: Any, part: Part) -> None:
    """One with a key that is no number."""
    source, _target = two
    OPS.retro_anim.retarget(source="hero", target="mannequin")
    good = [line.is_good for line in settings().reports]
    assert all(good) and settings().report == 0
    clip = bpy.data.actions["clip 1"]
    curve = next(curve for curve in part("io.blender.compat").curves(clip, source) if "LeftArm" in curve.data_path)
    curve.keyframe_points[3].co.y = float("nan")
    OPS.retro_anim.retarget()
    assert [line.is_good for line in settings().reports].index(False) == settings().report > 0


def test_one_failure_among_several_is_told(two: Any) -> None:
    _source, _target = two
    bare = bpy.data.actions.new("clip bare")
    with pytest.raises(RuntimeError):
        OPS.retro_anim.retarget(source="hero", target="mannequin", actions="clip bare")
    assert bare.name in bpy.data.actions


def test_progress_is_told(part: Part, two: Any) -> None:
    source, target = two
    module = part("io.retarget.retarget")
    fractions: list[float] = []
    with part("core.reporting.progress").listen(fractions.append):
        bone_map = rigs.pairs(part, rigs.MIXAMO, rigs.UNREAL)
        module.retarget_actions(bpy.context, source, target, bone_map, module.RetargetOptions(actions=("clip 0", "clip 1")))
    assert fractions == [0.0, 0.5]


def test_where_contacts_are_marked_is_said(part: Part, two: Any, capfd: pytest.CaptureFixture[str]) -> None:
    """Blender shows pose markers nowhere unless it is asked to; and none is selected, since who moves one would move all."""
    source, target = two
    select(source, target)
    action = rigs.keyed(part, source, "stands", {("mixamorig:Hips", "rotation_quaternion"): np.tile([[1.0], [0], [0], [0]], 20)})
    assert OPS.retro_anim.retarget_contacts() == {"FINISHED"}
    assert "4 markers in stands: seen in the Action Editor with Marker > Show Pose Markers" in capfd.readouterr().out
    assert len(action.pose_markers) == 4 and not any(marker.select for marker in action.pose_markers)
    rigs.keyed(part, source, "flies", {("mixamorig:Hips", "location"): np.arange(60.0).reshape(3, 20)})
    assert OPS.retro_anim.retarget_contacts() == {"FINISHED"}
    assert "nothing stands on the ground for long in flies: no markers" in capfd.readouterr().out


def test_contacts_set_by_hand_stay_where_none_is_found(part: Part, two: Any, capfd: pytest.CaptureFixture[str]) -> None:
    source, target = two
    select(source, target)
    flies = rigs.keyed(part, source, "flies", {("mixamorig:Hips", "location"): np.arange(60.0).reshape(3, 20)})
    for name, frame in (("leftFoot down", 5), ("leftFoot up", 12)):
        flies.pose_markers.new(name).frame = frame
    assert OPS.retro_anim.retarget_contacts() == {"FINISHED"}
    assert "nothing stands on the ground for long in flies: its markers are kept" in capfd.readouterr().out
    assert [(marker.name, marker.frame) for marker in flies.pose_markers] == [("leftFoot down", 5), ("leftFoot up", 12)]


def test_marking_contacts_again_replaces_its_own_markers_alone(part: Part, two: Any) -> None:
    """Markers of a person keep their place, whatever their names begin with, and so do those of hands that are not asked for."""
    source, target = two
    select(source, target)
    action = rigs.keyed(part, source, "stands", {("mixamorig:Hips", "rotation_quaternion"): np.tile([[1.0], [0], [0], [0]], 20)})
    kept = [("leftFoot lands", 3), ("leftFoot", 4), ("leftHand down", 5), ("leftHand up", 9), ("step", 6)]
    for name, frame in [*kept, ("leftFoot down", 7), ("leftFoot up", 11)]:
        action.pose_markers.new(name).frame = frame
    for _ in range(2):
        assert OPS.retro_anim.retarget_contacts() == {"FINISHED"}
        marked = [(marker.name, marker.frame) for marker in action.pose_markers]
        assert [one for one in marked if one in kept] == kept
        ends = [("leftFoot down", 1), ("leftFoot up", 20), ("rightFoot down", 1), ("rightFoot up", 20)]
        assert sorted(one for one in marked if one not in kept) == ends


def test_contacts_of_a_linked_action_are_refused(part: Part, two: Any, tmp_path: Path) -> None:
    """They would be gone with the next opening of the file, and so would be those that the library has."""
    source, target = two
    action = rigs.keyed(part, source, "stands", {("mixamorig:Hips", "rotation_quaternion"): np.tile([[1.0], [0], [0], [0]], 20)})
    action.pose_markers.new("leftFoot down").frame = 7
    library = str(tmp_path / "library.blend")
    bpy.data.libraries.write(library, {action})
    bpy.data.actions.remove(action)
    libraries: Any = bpy.data.libraries
    with libraries.load(library, link=True) as (_, taken):
        taken.actions = ["stands"]
    linked: Any = taken.actions[0]
    part("io.blender.compat").assign(source, linked)
    select(source, target)
    with pytest.raises(RuntimeError, match=r"stands is linked from .*library\.blend: make it local to mark contacts"):
        OPS.retro_anim.retarget_contacts()
    assert [(marker.name, marker.frame) for marker in linked.pose_markers] == [("leftFoot down", 7)]
    source.animation_data.action = linked.make_local()
    assert OPS.retro_anim.retarget_contacts() == {"FINISHED"}


def test_contacts_can_be_marked_and_moved(two: Any) -> None:
    source, target = two
    select(source, target)
    assert OPS.retro_anim.retarget_contacts() == {"FINISHED"}
    action = source.animation_data.action
    for marker in list(action.pose_markers):
        action.pose_markers.remove(marker)
    for name, frame in (("leftFoot down", 5), ("leftFoot up", 20)):
        action.pose_markers.new(name).frame = frame
    assert OPS.retro_anim.retarget(actions_from="ACTIVE", feet=True) == {"FINISHED"}
    toes = rigs.joints(target, ["ball_l"], range(9, 17))[:, 0]
    assert abs(toes - toes[0]).max() < 1e-3


def test_what_the_game_cannot_hold_is_found_part_by_part_and_can_be_stopped(two: Any, part: Part, monkeypatch: pytest.MonkeyPatch) -> None:
    """It packs every new clip into the game's format, which takes long for long ones; the clips stay without it."""
    run, titles, compared = part("operators.retarget.run").Run, list[str](), list[str]()
    whole = run.steps

    def steps(self: Any, context: Any) -> Any:
        work, stop = whole(self, context), None
        while True:
            try:
                titles.append(work.send(stop).title)
            except StopIteration as end:
                return end.value
            stop = len(titles) == 5
            yield SimpleNamespace(share=0)

    monkeypatch.setattr(run, "steps", steps)
    monkeypatch.setattr(part("io.retarget.retarget"), "losses", lambda _context, _obj, action: compared.append(action.name))
    assert OPS.retro_anim.retarget(source="hero", target="mannequin") == {"FINISHED"}
    assert titles == ["clip 2", "clip 0", "clip 1", "checking clip 2 on mannequin", "checking clip 0 on mannequin"]
    assert compared == ["clip 2 on mannequin"]
    assert {f"clip {number} on mannequin" for number in range(3)} <= set(bpy.data.actions.keys())
    assert len(settings().reports) == 3


def test_undo_takes_it_all_back(two: Any) -> None:
    bpy.ops.ed.undo_push(message="before")
    OPS.retro_anim.retarget(source="hero", target="mannequin", actions="clip 0")
    assert "clip 0 on mannequin" in bpy.data.actions
    bpy.ops.ed.undo_push(message="after")
    bpy.ops.ed.undo()
    assert "clip 0 on mannequin" not in bpy.data.actions


def test_one_undo_brings_back_what_the_last_run_made(two: Any, part: Part) -> None:
    def values() -> list[float]:
        curves = part("io.blender.compat").every_curve(bpy.data.actions["clip 0 on mannequin"])
        return [point.co[1] for curve in curves for point in curve.keyframe_points]

    OPS.retro_anim.retarget(source="hero", target="mannequin", actions="clip 0")
    before, names = values(), sorted(bpy.data.actions.keys())
    bpy.ops.ed.undo_push(message="before")
    OPS.retro_anim.retarget(source="hero", target="mannequin", actions="clip 0", mirror=True)
    assert sorted(bpy.data.actions.keys()) == names and values() != before
    bpy.ops.ed.undo_push(message="after")
    bpy.ops.ed.undo()
    assert sorted(bpy.data.actions.keys()) == names and values() == before
    assert bpy.data.objects["mannequin"].animation_data.action.name == "clip 0 on mannequin"


def test_dialog_and_panel_have_the_declared_options(part: Part) -> None:
    options = part("core.retarget.options")
    shown = [OPS.retro_anim.retarget.get_rna_type().properties, settings().bl_rna.properties]
    for kind in (options.Options, options.RetargetOptions):
        for name, item in part("core.declare.options").declared(kind).items():
            for prop in (properties[name] for properties in shown):
                assert (prop.name, prop.description) == (item.label, item.help)
                assert prop.default == pytest.approx(item.default) if item.type == "float" else prop.default == item.default
                if item.type == "choice":
                    assert [choice.identifier for choice in prop.enum_items] == [choice.id for choice in item.choices]
                if item.minimum is not None:
                    assert (prop.hard_min, prop.hard_max) == pytest.approx((item.minimum, item.maximum))


def test_ticked_actions_may_have_commas_in_their_names(part: Part, two: Any) -> None:
    """As the clips of *Twinsen, normal* have; the list is there as soon as it is asked for, from the selection too."""
    source, target = two
    for action in list(bpy.data.actions):
        action.name = f"hero, normal {action.name}"
    select(source, target)
    settings().actions_from = "CHOSEN"
    assert {line.name for line in settings().choices} == {f"hero, normal clip {number}" for number in range(3)}
    source.name = "hero, normal"
    OPS.retro_anim.retarget_list()
    assert {line.title for line in settings().choices} == {f"clip {number}" for number in range(3)}, "what all begin with is left out"
    chosen = [line for line in settings().choices if not line.name.endswith("1")]
    for line in chosen:
        line.chosen = True
    values: Any = SimpleNamespace()
    part("operators.retarget.operators").pass_on(values, settings())
    assert OPS.retro_anim.retarget(**{name: value for name, value in vars(values).items() if value != ""}) == {"FINISHED"}
    assert [line.name for line in settings().reports] == [f"{line.name} on mannequin" for line in chosen]
    assert [line.title for line in settings().reports] == [line.title for line in chosen]
    for line in chosen:
        line.chosen = False
    part("operators.retarget.operators").pass_on(values, settings())
    with pytest.raises(RuntimeError, match="no action is ticked"):
        OPS.retro_anim.retarget(actions_from=values.actions_from, actions=values.actions)


def test_clips_are_listed_as_people_count(part: Part, two: Any) -> None:
    """In the choice of actions and in the report; first of all is made of what the source shows."""
    source, target = two
    for number in (17, 11, 10):
        rigs.dance(part, source, f"clip {number}", seed=number)
    select(source, target)
    settings().actions_from = "CHOSEN"
    assert [line.title for line in settings().choices] == [f"clip {number}" for number in (0, 1, 2, 10, 11, 17)]
    assert OPS.retro_anim.retarget(target=target.name, source=source.name) == {"FINISHED"}
    assert [line.name for line in settings().reports] == [f"clip {number} on mannequin" for number in (0, 1, 2, 10, 11, 17)]
    assert target.animation_data.action.name == "clip 10 on mannequin"


@pytest.mark.parametrize("linked", [False, True])
def test_a_line_of_the_report_leads_to_the_clip_itself(part: Part, tmp_path: Path, linked: bool) -> None:
    """Where the source and its clip have the names of others, in this file or in another one."""
    rigs.dance(part, rigs.build("Armature", names=rigs.MIXAMO), "clip", seed=1)
    OPS.wm.save_as_mainfile(filepath=str(tmp_path / "theirs.blend"))
    OPS.wm.read_homefile(use_empty=True)
    theirs = rigs.linked(tmp_path / "theirs.blend", "Armature")
    own, target = rigs.build("Armature", names=rigs.MIXAMO), rigs.build("mannequin", names=rigs.UNREAL)
    rigs.dance(part, own, "clip", seed=2)
    source, other = (theirs, own) if linked else (own, theirs)
    clips = {obj: obj.animation_data.action for obj in (own, theirs)}
    settings().source, settings().target = source, target
    assert OPS.retro_anim.retarget(actions_from="ACTIVE") == {"FINISHED"}
    for obj in (own, theirs):
        obj.animation_data.action = None
    assert OPS.retro_anim.retarget_show(index=0) == {"FINISHED"}
    assert source.animation_data.action == clips[source] and other.animation_data.action is None
    assert source.select_get() and not other.select_get()


def test_a_step_of_the_bone_map_leaves_what_the_last_run_said(part: Part, two: Any) -> None:
    """What such a step said itself goes with the next one, and all of it with the next run."""
    said, messages = bpy.context.window_manager.retro_anim_messages, part("operators.shared.messages")
    log = part("core.reporting.log").Log()
    log.messages.append(part("core.reporting.log").Message("WARNING", "said by a run"))
    messages.keep(bpy.context, log)
    select(*two)
    assert OPS.retro_anim.retarget_map() == OPS.retro_anim.retarget_swap() == OPS.retro_anim.retarget_list() == {"FINISHED"}
    assert [line.name for line in said.lines] == ["said by a run"] and not messages.is_undone(bpy.context)
    with pytest.raises(RuntimeError, match="there is no armature nobody"):
        OPS.retro_anim.retarget_map(source="nobody")
    assert [line.name for line in said.lines] == ["there is no armature nobody"]
    assert OPS.retro_anim.retarget_map() == {"FINISHED"} and not said.lines
    messages.keep(bpy.context, log)
    assert OPS.retro_anim.retarget(source=two[0].name, target=two[1].name) == {"FINISHED"}
    assert "said by a run" not in [line.name for line in said.lines]


def test_a_line_of_the_report_leads_to_its_clip_and_to_the_sources(two: Any, part: Part) -> None:
    """Also while a preview runs, which ends, and where another object is active meanwhile."""
    source, target = two
    select(source, target)
    assert OPS.retro_anim.retarget() == {"FINISHED"}
    lines = [line.name for line in settings().reports]
    index = lines.index("clip 0 on mannequin")
    assert OPS.retro_anim.retarget_preview() == {"FINISHED"} and part("operators.retarget.preview").running() is not None
    assert OPS.retro_anim.retarget_show(index=index) == {"FINISHED"}
    assert part("operators.retarget.preview").running() is None
    assert (source.animation_data.action.name, target.animation_data.action.name) == ("clip 0", "clip 0 on mannequin")
    assert settings().report == index and bpy.context.view_layer.objects.active == target and source.select_get()
    bpy.data.actions.remove(bpy.data.actions["clip 0"])
    bpy.context.view_layer.objects.active = source
    assert OPS.retro_anim.retarget_show(index=index) == {"FINISHED"}
    assert target.animation_data.action.name == "clip 0 on mannequin" and bpy.context.view_layer.objects.active == target
    bpy.data.actions.remove(bpy.data.actions["clip 0 on mannequin"])
    with pytest.raises(RuntimeError, match="clip 0 on mannequin is not there any more"):
        OPS.retro_anim.retarget_show(index=index)
