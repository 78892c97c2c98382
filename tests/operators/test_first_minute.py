"""What a person sees right after the first import, and what every run says afterwards."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy as blender
import pytest
from mathutils import Vector

bpy: Any = blender
OPS: Any = bpy.ops
SAMPLES = Path(__file__).resolve().parents[2] / "samples"
Part = Callable[[str], ModuleType]

LOOPS = {
    "lba": ("lba1/walk.anm", 50, (1, 40)),
    "oni": ("oni/TRAMmannequin_walk.oni", 60, None),
    "oni2": ("oni2/Entity/mannequin/mannequin_walk.anim", 30, None),
    "mindpower": ("mindpower/animation/0001.lab", 30, None),
}
"""A sample of each game, its frames a second, and what is repeated where that is known: the walk's closing key lies at frame 41."""


def imported(game: str) -> Any:
    assert getattr(OPS.import_anim, game)(filepath=str(SAMPLES / LOOPS[game][0])) == {"FINISHED"}
    return bpy.context.view_layer.objects.active


@pytest.mark.parametrize("game", LOOPS)
def test_space_plays_the_clip_as_the_game_does(game: str) -> None:
    obj, scene = imported(game), bpy.context.scene
    _, rate, loop = LOOPS[game]
    action = obj.animation_data.action
    assert scene.render.fps / scene.render.fps_base == pytest.approx(rate)
    assert scene.use_preview_range and obj.select_get()
    repeated = scene.frame_preview_start, scene.frame_preview_end
    assert repeated == (loop or (action.frame_start, action.frame_end - action.use_cyclic))
    assert scene.frame_current == round(min(action.curve_frame_range[0], action.frame_start))
    (own,) = obj.users_collection
    assert own.name in bpy.context.collection.children


@pytest.mark.parametrize("game", LOOPS)
def test_the_keys_of_what_a_person_imports_are_in_the_timeline(part: Part, game: str) -> None:
    """It shows those of selected bones; whoever has chosen some keeps them."""
    path, compat = str(SAMPLES / LOOPS[game][0]), part("io.blender.compat")
    assert getattr(OPS.import_anim, game)(filepath=path, ask=True) == {"FINISHED"}
    obj = bpy.context.view_layer.objects.active
    assert compat.selected_bones(obj) == [bone.name for bone in obj.pose.bones]
    compat.select_bones(obj, [obj.pose.bones[-1].name])
    assert getattr(OPS.import_anim, game)(filepath=path, ask=True) == {"FINISHED"}
    assert compat.selected_bones(obj) == [obj.pose.bones[-1].name]


def test_a_character_that_comes_in_while_another_one_is_posed_is_the_active_one() -> None:
    """Clips for the one that is posed leave it in its mode."""
    first = imported("lba")
    bpy.ops.object.mode_set(mode="POSE")
    second = imported("oni")
    assert second != first and (second.mode, first.mode) == ("OBJECT", "OBJECT") and second.select_get() and not first.select_get()
    bpy.ops.object.mode_set(mode="POSE")
    assert imported("oni") == second and second.mode == "POSE"


def test_a_character_that_a_person_adds_stands_beside_those_that_are_there() -> None:
    """For scripts all of them stand at the origin; clips on an armature that is there leave it where it is."""
    assert [imported(game).matrix_world.translation.x for game in ("oni", "oni")] == [0, 0]
    path = str(SAMPLES / LOOPS["mindpower"][0])
    added = [bpy.context.view_layer.objects.active]
    for _ in range(2):
        assert OPS.import_anim.mindpower(filepath=path, ask=True) == {"FINISHED"}
        added.append(bpy.context.view_layer.objects.active)
        bpy.context.view_layer.objects.active = None
    ends = []
    for obj in added:
        parts = [obj, *(child for child in obj.children if child.type == "MESH")]
        corners = [(part.matrix_world @ Vector(corner)).x for part in parts for corner in part.bound_box]
        ends.append((min(corners), max(corners)))
    assert ends[0][1] < ends[1][0] and ends[1][1] < ends[2][0]
    before = added[2].matrix_world.copy()
    bpy.context.scene.frame_set(5)
    assert added[2].matrix_world == before


def test_a_character_is_brought_into_view_without_the_objects_that_move_far_off(part: Part, monkeypatch: pytest.MonkeyPatch) -> None:
    """An object or a camera of Oni stands where it does in its level; by itself it is what came in."""
    framed: list[set[str]] = []
    monkeypatch.setattr(part("operators.shared.framing"), "frame", lambda _context, objects: framed.append({obj.type for obj in objects}))
    camera, walk = (str(SAMPLES / "oni" / f"{name}.oni") for name in ("OBANmannequin_camera", "TRAMmannequin_walk"))
    names = [{"name": Path(path).name} for path in (camera, walk)]
    assert OPS.import_anim.oni(directory=str(SAMPLES / "oni"), files=names, ask=True) == {"FINISHED"}
    assert OPS.import_anim.oni(filepath=camera, ask=True) == {"FINISHED"}
    assert framed == [{"ARMATURE", "MESH"}, {"EMPTY"}]


@pytest.mark.parametrize("how", ["object", "collection"])
def test_clips_for_a_character_that_is_hidden_say_so(how: str) -> None:
    """Nothing would be seen of them."""
    obj = imported("oni")
    path, kept = str(SAMPLES / "oni" / "TRAMmannequin_idle.oni"), bpy.context.window_manager.retro_anim_messages.lines
    assert OPS.import_anim.oni(filepath=path, ask=True) == {"FINISHED"}
    assert "WARNING" not in [line.level for line in kept] and bpy.context.view_layer.objects.active == obj
    if how == "object":
        obj.hide_set(True)
    else:
        obj.users_collection[0].hide_viewport = True
    assert OPS.import_anim.oni(filepath=path, ask=True) == {"FINISHED"}
    (said,) = (line.name for line in kept if line.level == "WARNING")
    assert said == f"{obj.name} cannot be seen: it or its collection is hidden: show that in the Outliner"


def test_a_loose_clip_of_an_entity_has_its_mesh() -> None:
    obj = imported("oni2")
    assert [child.type for child in obj.children] == ["MESH"]


def test_a_scene_that_moves_already_keeps_its_speed_and_range() -> None:
    bpy.ops.object.empty_add()
    bpy.context.object.keyframe_insert("location", frame=1)
    imported("lba")
    scene = bpy.context.scene
    assert (scene.render.fps, scene.use_preview_range) == (24, False)


def test_an_intro_is_played_once(part: Part) -> None:
    """Playback starts before the preview range, which is the loop without the closing key."""
    action = bpy.data.actions.new("clip")
    obj = bpy.data.objects.new("someone", None)
    bpy.context.collection.objects.link(obj)
    obj.animation_data_create().action = action
    for frame in (1, 11, 31):
        obj.keyframe_insert("location", frame=frame)
    action.use_frame_range = action.use_cyclic = True
    action.frame_start, action.frame_end = 11, 31
    part("io.pipeline.loops.playing").show(bpy.context.scene, action)
    scene = bpy.context.scene
    assert (scene.frame_current, scene.frame_preview_start, scene.frame_preview_end) == (1, 11, 30)


def test_a_clip_beyond_the_time_line_is_repeated_up_to_its_end(part: Part) -> None:
    """As that of a scene of billions of frames a second is. Blender's frames are integers of 32 bits, of which its time line shows 20."""
    action = bpy.data.actions.new("clip")
    action.use_frame_range = True
    action.frame_start, action.frame_end = 1, 1e12
    assert part("io.pipeline.loops.playing").show(bpy.context.scene, action).end == 1048574
    assert bpy.context.scene.frame_preview_end == 1048574


def test_loose_clips_of_one_skeleton_make_one_armature(part: Part, tmp_path: Path, chain: Path) -> None:
    for name in ("first", "second", "third"):
        (tmp_path / f"{name}.anm").write_bytes((chain / "chain.anm").read_bytes())
    names = [{"name": f"{name}.anm"} for name in ("first", "second", "third")]
    assert OPS.import_anim.lba(directory=str(tmp_path), files=names, game="lba1") == {"FINISHED"}
    assert len([obj for obj in bpy.data.objects if obj.type == "ARMATURE"]) == 1
    assert sorted(action.name for action in bpy.data.actions) == ["first", "second", "third"]


class Operator:
    def __init__(self) -> None:
        self.lines: list[tuple[set[str], str]] = []

    def report(self, level: set[str], text: str) -> None:
        self.lines.append((level, text))


def run(part: Part, *warnings: str, error: str = "") -> list[tuple[set[str], str]]:
    """The last line of a job that warns of these. error: of a part of it that failed."""
    log, job = part("core.reporting.log"), part("operators.shared.job")

    def work() -> int:
        for text in warnings:
            log.warning(text)
        if error:
            log.error(error)
        return 3

    operator = Operator()
    job.run(operator, bpy.context, work, summary=lambda result: f"{result} characters from here", onward="go on there")
    return operator.lines[-1:]


def test_the_last_line_has_the_highest_level(part: Part) -> None:
    assert run(part) == [({"INFO"}, "3 characters from here; go on there")]
    assert run(part, "no body") == [({"WARNING"}, "3 characters from here; no body: see N > Retro Anim")]
    assert run(part, "no body", "no palette") == [({"WARNING"}, "3 characters from here; 2 warnings: see N > Retro Anim")]
    several = run(part, "no body", "no palette", error="the file is empty")
    assert several == [({"WARNING"}, "3 characters from here; 1 error, 2 warnings: see N > Retro Anim")], "as the panel has them"


def test_a_message_leads_to_its_bone_and_frame(part: Part) -> None:
    obj = imported("lba")
    action, name = obj.animation_data.action, obj.data.bones[3].name
    obj.animation_data.action = None
    with part("core.reporting.log").collect() as said:
        part("core.reporting.log").info("somewhere else")
        with part("core.reporting.log").about(action.name):
            part("core.reporting.log").warning(f"{name}: 12 units off at frame 7.5: move it", bone=name, frame=7.5)
    part("operators.shared.messages").keep(bpy.context, said)
    lines = bpy.context.window_manager.retro_anim_messages.lines
    assert [(line.level, line.obj, line.bone, line.frame) for line in lines] == [("WARNING", obj.name, name, 7.5), ("INFO", "", "", 0.0)]
    assert "Warning: " in bpy.data.texts["Retro Game Animation log"].as_string()
    assert OPS.retro_anim.show_message(index=0) == {"FINISHED"}
    obj = bpy.context.view_layer.objects.active
    assert obj.mode == "POSE" and obj.data.bones.active.name == name and obj.animation_data.action == action
    assert bpy.context.scene.frame_current_final == 7.5
    assert OPS.retro_anim.show_message(index=1) == {"CANCELLED"} and OPS.retro_anim.show_message(index=9) == {"CANCELLED"}


def test_a_row_of_the_messages_calls_a_clip_as_the_list_of_clips_does(part: Part) -> None:
    """Else all that has room in it is the name of the character, with which every clip of it begins."""
    obj = imported("lba")
    obj.name, obj.animation_data.action.name = "Hero, young", "Hero, young animation 7"
    with part("core.reporting.log").collect() as said, part("core.reporting.log").about("Hero, young animation 7"):
        part("core.reporting.log").warning("odd")
    part("operators.shared.messages").keep(bpy.context, said)
    (line,) = bpy.context.window_manager.retro_anim_messages.lines
    assert (line.name, line.short) == ("Hero, young animation 7: odd", "anim. 7: odd")


def test_one_line_leads_to_every_clip_of_which_the_same_was_said(part: Part) -> None:
    """One after the other, and again to the first; the text has each of them."""
    obj = imported("lba")
    first = obj.animation_data.action
    actions = [first, *(first.copy() for _ in range(2))]
    with part("core.reporting.log").collect() as said:
        for number, action in enumerate(actions):
            with part("core.reporting.log").about(action.name):
                part("core.reporting.log").warning("odd", frame=float(number))
    part("operators.shared.messages").keep(bpy.context, said)
    (line,) = bpy.context.window_manager.retro_anim_messages.lines
    assert line.name == f"odd (3 times: {', '.join(action.name for action in actions)})" and line.short == "3 × odd"
    assert bpy.data.texts["Retro Game Animation log"].as_string().splitlines() == [f"Warning: {action.name}: odd" for action in actions]
    for number in (0, 1, 2, 0):
        assert OPS.retro_anim.show_message(index=0) == {"FINISHED"}
        assert obj.animation_data.action == actions[number] and bpy.context.scene.frame_current == number


def test_an_export_says_where_to_look(part: Part, tmp_path: Path) -> None:
    """The bone and the frame are known, not read out of the text."""
    obj = imported("lba")
    action, bone = obj.animation_data.action, obj.pose.bones[3]
    bone.constraints.new("LIMIT_ROTATION").use_limit_x = True  # which an export as keyed does not see
    with part("core.reporting.log").collect() as said:
        part("io.pipeline.games").export(bpy.context, part("core.games").GAMES["lba"], str(tmp_path / "walk.anm"), {})
    (message,) = (message for message in said.messages if message.frame is not None)
    assert message.bone in obj.data.bones and action.frame_start <= message.frame <= action.frame_end
    pointer = part("io.pipeline.message_context").Scene(bpy.context).pointer(message)
    assert (pointer.obj, pointer.bone, pointer.frame) == (obj.name, message.bone, message.frame)


@pytest.mark.parametrize("game", ["lba", "oni", "oni2"])
def test_a_refusal_leads_to_its_bone(part: Part, tmp_path: Path, game: str) -> None:
    """Whatever other bones and frames its text may seem to name."""
    obj = imported(game)
    bone = next(each for each in obj.pose.bones if each.parent is not None)
    obj.animation_data.action.name = f"{obj.pose.bones[-1].name} frame 99"
    bone.scale = (1, 2, 1)
    bone.keyframe_insert("scale", frame=10)
    with pytest.raises(part("core.reporting.errors").ExportError) as refused:
        part("io.pipeline.games").export(
            bpy.context, part("core.games").GAMES[game], str(tmp_path / f"out{Path(LOOPS[game][0]).suffix}"), {}
        )
    assert refused.value.where.bone == bone.name and str(refused.value.where) == str(refused.value)
    operator = Operator()
    part("operators.shared.job").run(operator, bpy.context, partial(failing, refused.value))
    (line,) = bpy.context.window_manager.retro_anim_messages.lines
    assert (line.level, line.obj, line.bone) == ("ERROR", obj.name, bone.name)
    assert line.frame in ((0.0,) if game == "oni" else (1.0, 10.0))


def failing(error: Exception) -> Any:
    raise error


def test_a_message_about_what_is_gone(part: Part) -> None:
    obj = imported("lba")
    with part("core.reporting.log").collect() as said:
        part("core.reporting.log").warning(f"{obj.name}: something")
    part("operators.shared.messages").keep(bpy.context, said)
    bpy.data.objects.remove(obj)
    assert OPS.retro_anim.show_message(index=0) == {"CANCELLED"}


@pytest.mark.parametrize("touched", [False, True])
def test_the_cube_of_a_new_file_is_not_in_the_way(touched: bool) -> None:
    bpy.ops.mesh.primitive_cube_add()
    cube = bpy.context.object
    assert cube.name == "Cube"
    if touched:
        cube.data.vertices[0].co.x -= 0.5
    OPS.import_anim.lba(filepath=str(SAMPLES / LOOPS["lba"][0]), ask=True)
    assert cube.hide_get() != touched
