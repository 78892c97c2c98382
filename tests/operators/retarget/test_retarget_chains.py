"""The lines of the bone map edited in the window: chains made, joined, split, their ends picked, and what is drawn of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import MethodType, ModuleType, SimpleNamespace
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Matrix
from support import blender_rigs as rigs

OPS: Any = bpy.ops
Part = Callable[[str], ModuleType]


@pytest.fixture(autouse=True)
def kept_maps(part: Part, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(part("operators.retarget.mapping.bone_map"), "folder", lambda: tmp_path)


@pytest.fixture
def two(part: Part) -> tuple[Any, Any]:
    source = rigs.build("hero", names=rigs.MIXAMO)
    target = rigs.build("mannequin", names=rigs.UNREAL, pose=rigs.a_pose(), rotation=rigs.rolled(1), root="root")
    rigs.dance(part, source, "clip", seed=3)
    settings().source, settings().target = source, target
    OPS.retro_anim.retarget_map()
    return source, target


def settings() -> Any:
    return bpy.context.scene.retro_anim_retarget


def lines() -> dict[str, tuple[list[str], list[str]]]:
    """By the first target bone the bones of the chains."""
    return {json.loads(line.target)[0]: (json.loads(line.source), json.loads(line.target)) for line in settings().pairs if line.is_chain}


def pairs() -> list[tuple[str, str, str]]:
    return [(line.source, line.target, line.role) for line in settings().pairs if not line.is_chain]


def choose(target: str) -> Any:
    settings().index = next(position for position, line in enumerate(settings().pairs) if line.target == target)
    return settings().pairs[settings().index]


def select(*chosen: tuple[Any, list[str]]) -> None:
    """Bones in pose mode."""
    for obj in bpy.data.objects:
        obj.select_set(obj in [one for one, _ in chosen])
    bpy.context.view_layer.objects.active = chosen[0][0]
    OPS.object.mode_set(mode="POSE")
    for obj, names in chosen:
        for bone in obj.pose.bones:
            flags = bone if "select" in bone.bl_rna.properties else bone.bone
            flags.select = bone.name in names
        obj.data.bones.active = obj.data.bones[names[-1]]


SPINE = ["mixamorig:Spine", "mixamorig:Spine1", "mixamorig:Spine2"]


def test_chains_are_made_joined_and_split(two: Any) -> None:
    source, target = two
    count = len(settings().pairs)
    select((target, ["spine_01", "spine_03"]), (source, ["mixamorig:Spine", "mixamorig:Spine2"]))
    assert OPS.retro_anim.retarget_chain() == {"FINISHED"}
    assert lines() == {"spine_01": (SPINE, ["spine_01", "spine_02", "spine_03"])}
    assert len(settings().pairs) == count - 2 and settings().edited
    assert OPS.retro_anim.retarget_chain_split(at="spine_03") == {"FINISHED"}
    assert lines() == {"spine_01": (SPINE[:2], ["spine_01", "spine_02"])}
    last = settings().pairs[settings().index]
    assert (last.source, last.target, last.is_chain) == (SPINE[2], "spine_03", False)
    settings().index = next(row for row, line in enumerate(settings().pairs) if line.target == '["spine_01", "spine_02"]')
    assert OPS.retro_anim.retarget_chain_join() == {"FINISHED"}
    assert lines() == {"spine_01": (SPINE, ["spine_01", "spine_02", "spine_03"])}
    choose("upperarm_l")
    before = pairs()
    assert OPS.retro_anim.retarget_chain_join() == {"FINISHED"}
    assert lines()["upperarm_l"] == (["mixamorig:LeftArm", "mixamorig:LeftForeArm"], ["upperarm_l", "lowerarm_l"])
    assert OPS.retro_anim.retarget_chain_split() == {"FINISHED"}  # a chain joined and split is the pairs that it was, in their order
    assert pairs() == before
    choose("foot_l")
    OPS.retro_anim.retarget_chain_join()
    with pytest.raises(RuntimeError, match="no line goes on below ball_l"):
        OPS.retro_anim.retarget_chain_join()
    choose("pelvis")
    with pytest.raises(RuntimeError, match="below pelvis are spine_01 and thigh_l and thigh_r: select the bones that are meant"):
        OPS.retro_anim.retarget_chain_join()
    assert OPS.retro_anim.retarget(actions_from="ACTIVE") == {"FINISHED"}


def test_both_ends_are_picked(two: Any) -> None:
    _source, target = two
    select((target, ["spine_01", "spine_02"]))
    assert OPS.retro_anim.retarget_chain() == {"FINISHED"}  # follows what its bones followed
    line = settings().pairs[settings().index]
    assert (line.source_start, line.source_end, line.target_start, line.target_end) == (SPINE[0], SPINE[1], "spine_01", "spine_02")
    line.target_end, line.source_end = "neck_01", "mixamorig:Neck"
    assert json.loads(line.target) == ["spine_01", "spine_02", "spine_03", "neck_01"]
    assert json.loads(line.source) == [*SPINE, "mixamorig:Neck"]
    line.target_end = "hand_l"
    assert json.loads(line.target)[-1] == "hand_l" and not line.note
    line.target_start = "foot_l"
    assert "hand_l does not hang on foot_l" in line.note
    assert json.loads(line.target)[0] == "spine_01"


def test_a_bone_is_taken_from_the_selection(two: Any) -> None:
    source, target = two
    row = settings().pairs[:].index(choose("upperarm_l"))
    select((target, ["lowerarm_r"]), (source, ["mixamorig:RightForeArm"]))
    assert OPS.retro_anim.retarget_bone_take(line=row, field="source") == {"FINISHED"}
    assert OPS.retro_anim.retarget_bone_take(line=row, field="target") == {"FINISHED"}
    assert (settings().pairs[row].source, settings().pairs[row].target) == ("mixamorig:RightForeArm", "lowerarm_r")


def test_an_end_in_another_limb_is_a_step_of_undo_of_its_own(two: Any) -> None:
    """It says what is missing, and the other end can be picked next."""
    source, target = two
    select((target, ["spine_01", "spine_02"]))
    OPS.retro_anim.retarget_chain()
    row, line = settings().index, settings().pairs[settings().index]
    select((target, ["calf_l"]), (source, ["mixamorig:LeftLeg"]))
    assert OPS.retro_anim.retarget_bone_take(line=row, field="target_end") == {"FINISHED"}
    assert line.note == "calf_l does not hang on spine_01 in mannequin" and line.target_end == "calf_l"
    select((target, ["thigh_l"]), (source, ["mixamorig:LeftLeg"]))
    assert OPS.retro_anim.retarget_bone_take(line=row, field="target_start") == {"FINISHED"}
    assert json.loads(line.target) == ["thigh_l", "calf_l"] and not line.note


def test_the_bone_under_the_mouse(part: Part, two: Any) -> None:
    """In a view from the front, 100 pixels a metre, with the world's origin at (200, 50)."""
    _source, target = two

    class View:
        perspective_matrix = Matrix(((0.5, 0, 0, 0), (0, 0, 0.5, -0.75), (0, 0.01, 0, 0), (0, 0, 0, 1)))

    class Region:
        width = height = 400

    nearest = part("operators.retarget.mapping.chain_edits").nearest_bone
    for name in ("lowerarm_l", "calf_r", "head", "pelvis"):
        bone = target.pose.bones[name]
        middle = (bone.head * 0.4 + bone.tail * 0.6) if name != "pelvis" else bone.tail * 0.5 + bone.head * 0.5
        point = 200 + 100 * middle.x, 50 + 100 * middle.z
        assert nearest(target, Region, View, point) == name
    assert nearest(target, Region, View, (399, 1)) == ""
    bone = target.pose.bones["head"]
    middle = bone.head * 0.4 + bone.tail * 0.6
    aside = target.data.collections.new("mechanism")
    aside.assign(bone)
    aside.is_visible = False
    assert nearest(target, Region, View, (200 + 100 * middle.x, 50 + 100 * middle.z)) not in ("", "head")  # what nobody sees is not meant


def test_each_view_of_a_quad_view_is_one_of_its_own(part: Part) -> None:
    """As Blender lays them out: the first ends where the next begins; side panels are no views."""
    where = [("HEADER", 0, 90, 80, 10, None), *(("WINDOW", x, y, 40, 45, f"view {x} {y}") for x in (0, 40) for y in (0, 45))]
    regions = [SimpleNamespace(type=kind, x=x, y=y, width=w, height=h, data=data) for kind, x, y, w, h, data in where]
    areas = [SimpleNamespace(type="OUTLINER", regions=regions), SimpleNamespace(type="VIEW_3D", regions=regions)]
    at = partial(part("operators.retarget.mapping.chain_edits").view_at, SimpleNamespace(areas=areas))
    assert [at(x, y).data for x, y in ((39, 44), (40, 44), (39, 45), (79, 89))] == ["view 0 0", "view 40 0", "view 0 45", "view 40 45"]
    assert at(20, 95) is None and at(20, 200) is None


def test_empty_fields_are_filled_by_whom_the_selection_means(part: Part, two: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """They show them in grey; every button of the table takes them so."""
    source, target = two
    pick = part("operators.retarget.mapping.picking").RETRO_ANIM_OT_retarget_bone_pick

    def cleared() -> None:
        settings().source = settings().target = None
        settings().pairs.clear()

    def chosen() -> Any:
        return settings().source, settings().target

    select((source, ["mixamorig:Head"]), (target, ["head"]))
    bpy.context.view_layer.objects.active = target
    cleared()
    OPS.retro_anim.retarget_map_add()
    assert chosen() == (source, target) and settings().pairs[0].target == "head"
    cleared()
    OPS.retro_anim.retarget_chain()
    assert chosen() == (source, target) and lines() == {"head": (["mixamorig:Head"], ["head"])}
    cleared()
    settings().pairs.add()
    assert OPS.retro_anim.retarget_bone_take(line=0, field="source") == {"FINISHED"}
    assert chosen() == (source, target) and settings().pairs[0].source == "mixamorig:Head"
    cleared()
    operator = SimpleNamespace(field="target", report=lambda *_: None)
    assert pick.settled(operator, bpy.context) == target and chosen() == (source, target)
    cleared()
    OPS.retro_anim.retarget_swap()
    assert chosen() == (target, source)
    settings().source, settings().target = source, None
    OPS.object.mode_set(mode="OBJECT")
    OPS.object.select_all(action="DESELECT")
    bpy.context.view_layer.objects.active = None
    OPS.retro_anim.retarget_swap()
    assert chosen() == (None, source), "a single one goes to the other field"
    OPS.retro_anim.retarget_map_add()
    for button in ("chain", "bone_take"):
        with pytest.raises(RuntimeError, match="choose Source and Target"):
            getattr(OPS.retro_anim, f"retarget_{button}")()


def test_a_click_beside_all_bones_is_told_and_the_next_one_takes_a_bone(part: Part, two: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    pick = part("operators.retarget.mapping.picking").RETRO_ANIM_OT_retarget_bone_pick
    row, reports, under = settings().pairs[:].index(choose("upperarm_l")), [], iter(("", "lowerarm_r"))
    operator = SimpleNamespace(line=row, field="target", report=lambda _kind, text: reports.append(text), _under=lambda *_: next(under))
    for name in ("set", "edit", "armature"):
        setattr(operator, name, MethodType(getattr(pick, name), operator))
    operator._end = lambda _context, result: result
    click = SimpleNamespace(type="LEFTMOUSE", value="PRESS", mouse_x=0, mouse_y=0)
    assert [pick.modal(operator, bpy.context, click) for _ in range(2)] == [{"RUNNING_MODAL"}, {"FINISHED"}]
    assert reports == ["no bone of mannequin is near the click", "Target: lowerarm_r"]


def test_a_pick_whose_window_is_closed_leaves_no_text_in_the_status_bar(part: Part) -> None:
    """It would stay in the other windows, which show the same workspace."""
    pick = part("operators.retarget.mapping.picking").RETRO_ANIM_OT_retarget_bone_pick
    restored: list[object] = []
    window = SimpleNamespace(cursor_modal_restore=lambda: restored.append("cursor"))
    context = SimpleNamespace(window=window, workspace=SimpleNamespace(status_text_set=restored.append))
    operator = SimpleNamespace()
    operator._end = MethodType(pick._end, operator)
    pick.cancel(operator, context)
    pick.cancel(operator, SimpleNamespace(window=None, workspace=None))
    assert restored == ["cursor", None]


def test_the_lines_bones_are_drawn(part: Part, two: Any) -> None:
    _source, target = two
    target.location.x = 3.0
    choose("upperarm_l")
    bpy.context.view_layer.update()
    ends = part("operators.retarget.mapping.highlight").lines(bpy.context)
    bone = target.pose.bones["upperarm_l"]
    assert np.allclose(np.array(ends["target"]), [target.matrix_world @ bone.head, target.matrix_world @ bone.tail])
    assert len(ends["source"]) == 2
    settings().highlight = False
    assert part("operators.retarget.mapping.highlight").lines(bpy.context) == {}


def test_the_lines_bones_are_drawn_of_whom_the_selection_means(part: Part, two: Any) -> None:
    """Their bones are those that the line offers, too."""
    source, target = two
    choose("upperarm_l")
    settings().source = settings().target = None
    for obj in bpy.data.objects:
        obj.select_set(obj in two)
    bpy.context.view_layer.objects.active = target
    ends = part("operators.retarget.mapping.highlight").lines(bpy.context)
    for side, obj, name in (("source", source, "mixamorig:LeftArm"), ("target", target, "upperarm_l")):
        bone = obj.pose.bones[name]
        assert np.allclose(np.array(ends[side]), [obj.matrix_world @ bone.head, obj.matrix_world @ bone.tail])
    target.select_set(False)
    assert part("operators.retarget.mapping.highlight").lines(bpy.context) == {}, "one alone says nothing"


def test_views_are_drawn_again_once_when_the_lines_bones_are_first_drawn(part: Part, monkeypatch: pytest.MonkeyPatch) -> None:
    """The panel is drawn behind the view, which nothing else would draw anew."""
    module, redrawn, added = part("operators.retarget.mapping.highlight"), list[str](), list[str]()
    areas = [SimpleNamespace(type=kind, tag_redraw=partial(redrawn.append, kind)) for kind in ("VIEW_3D", "OUTLINER", "VIEW_3D")]
    window_manager = SimpleNamespace(windows=[SimpleNamespace(screen=SimpleNamespace(areas=areas))])
    view = SimpleNamespace(draw_handler_add=lambda *where: added.append(where[-1]) or "handle", draw_handler_remove=lambda *_: None)
    blender = {
        "app": SimpleNamespace(background=False),
        "context": SimpleNamespace(window_manager=window_manager),
        "types": SimpleNamespace(SpaceView3D=view),
    }
    monkeypatch.setattr(module, "bpy", SimpleNamespace(**blender))
    for _ in range(3):
        module.register()
    module.unregister()
    assert added == ["POST_VIEW"] and redrawn == ["VIEW_3D", "VIEW_3D"]


def test_a_chain_follows_as_strongly_as_it_is_asked_to(part: Part, two: Any) -> None:
    """The source's chest bends by 60 degrees, the target's by half of that."""
    source, target = two
    select((target, ["spine_01", "spine_03"]), (source, ["mixamorig:Spine", "mixamorig:Spine2"]))
    OPS.retro_anim.retarget_chain()
    OPS.object.mode_set(mode="OBJECT")
    settings().pairs[settings().index].weight = 0.5
    for bone in source.pose.bones:
        bone.matrix_basis = Matrix()
    bend = np.repeat(np.array([[np.cos(np.pi / 6)], [np.sin(np.pi / 6)], [0.0], [0.0]]), 2, axis=1)
    rigs.keyed(part, source, "bend", {("mixamorig:Spine", "rotation_quaternion"): bend})
    assert OPS.retro_anim.retarget(actions_from="ACTIVE") == {"FINISHED"}
    bpy.context.scene.frame_set(1)
    shown: Any = target.evaluated_get(bpy.context.evaluated_depsgraph_get())
    angles = []
    for name in ("spine_03", "spine_01"):
        bone = shown.pose.bones[name]
        angles.append(np.degrees((bone.matrix @ bone.bone.matrix_local.inverted()).to_quaternion().angle))
    assert abs(angles[0] - 30) < 1
    assert angles[1] < angles[0] + 1


def test_chains_stand_among_the_pairs_from_the_hips_outwards(part: Part, two: Any) -> None:
    """In the order of a body; what has no role in it as the target's bones hang on each other."""
    bone_map = part("core.retarget.figures.maps.bone_map")
    chains = [
        bone_map.Chain((source,), (target, "x"), name) for source, target, name in (("t", "thumb_01_l", "leftThumb"), ("s", "b", "spine"))
    ]
    pairs = [
        bone_map.Pair(name, name, role)
        for name, role in (("head", "head"), ("hand_l", "leftHand"), ("pelvis", "hips"), ("foot_r", ""), ("foot_l", ""))
    ]
    part("operators.retarget.mapping.map_table").fill(settings(), bone_map.BoneMap(tuple(pairs), tuple(chains)))
    shown = [json.loads(line.target)[0] if line.is_chain else line.target for line in settings().pairs]
    assert shown[:5] == ["pelvis", "b", "head", "hand_l", "thumb_01_l"]
    assert shown[5:] == [bone.name for bone in two[1].data.bones if bone.name in ("foot_l", "foot_r")]


def test_the_other_end_of_a_foot_is_a_foot() -> None:
    """And stays the same in a file of a map."""
    names = {
        limb: getattr(settings(), f"limb_{limb}").bl_rna.properties["reach"].enum_items["HAND"].name for limb in ("leftHand", "rightFoot")
    }
    assert names == {"leftHand": "Other Hand", "rightFoot": "Other Foot"}
