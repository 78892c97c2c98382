"""Clips for a game: a loop loops, the figure goes ahead, keys are on whole time units. Read back from the files alone."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from support import blender_rigs as rigs
from support import game_clips
from support.sample_files import EDITIONS, SAMPLES

WRITTEN = {"lba1": "clip.anm", "lba2": "clip.anm", "oni": "clip.oni", "oni2": "clip.anim", "mindpower": "clip.lab"}
READ: dict[str, Callable[[bytes], game_clips.GameClip]] = {
    "lba1": lambda data: game_clips.lba(data, 50),
    "lba2": lambda data: game_clips.lba(data, 1000),
    "oni": game_clips.oni,
    "oni2": game_clips.oni2,
    "mindpower": lambda data: game_clips.lab(data, start=138),
}
AHEAD = {"lba1": (0, 1), "lba2": (0, 1), "oni": (0, 1), "oni2": (0, -1), "mindpower": (0, 1)}
"""Where characters look, of two axes over the ground."""

OPS: Any = bpy.ops
GAMES = list(EDITIONS)
Part = Callable[[str], ModuleType]


def character(part: Part, game: str) -> Any:
    """The mannequin of our own in a game's format."""
    bpy.context.view_layer.objects.active = None
    (result,) = part("io.pipeline.games").import_files(bpy.context, [str(SAMPLES / EDITIONS[game])], {"fps_mode": "KEEP"})
    (obj,) = result.armatures
    return obj


def walker(part: Part, heading: float = 0.0, start: float = 1.0, cycles: int = 1, closes: bool = True) -> Any:
    """A rig that walks steps of a second, 1.2 metres each, at 24 frames a second; towards -Y at heading 0."""
    obj = rigs.build("walker", names=rigs.MIXAMO)
    frames = np.arange(24 * cycles + closes)
    phase = 2 * np.pi * frames / 24
    values: dict[tuple[str, str], Any] = {}
    for role, size, late in (
        ("leftUpperLeg", 0.5, 0.0),
        ("rightUpperLeg", 0.5, np.pi),
        ("leftLowerLeg", 0.3, 0.5),
        ("rightLowerLeg", 0.3, 0.5 + np.pi),
        ("leftUpperArm", 0.4, np.pi),
        ("rightUpperArm", 0.4, 0.0),
        ("head", 0.1, 1.0),
    ):
        angle = size * np.sin(phase + late)
        # About the world's X.
        axis = np.array(obj.data.bones[rigs.MIXAMO[role]].matrix_local.to_3x3())[0]
        values[rigs.MIXAMO[role], "rotation_quaternion"] = np.concatenate([np.cos(angle / 2)[None], axis[:, None] * np.sin(angle / 2)])
    hips = obj.data.bones[rigs.MIXAMO["hips"]].matrix_local.to_3x3()
    up, ahead = (np.array(hips.inverted()) @ axis for axis in (np.array([0.0, 0, 1]), np.array([np.sin(heading), -np.cos(heading), 0])))
    sway = heading + 0.1 * np.sin(phase + 0.9)
    values[rigs.MIXAMO["hips"], "rotation_quaternion"] = np.concatenate([np.cos(sway / 2)[None], up[:, None] * np.sin(sway / 2)])
    values[rigs.MIXAMO["hips"], "location"] = ahead[:, None] * 1.2 * frames / 24 + up[:, None] * 0.02 * np.cos(2 * phase)
    action = rigs.keyed(part, obj, "walk", values, start)
    action.use_frame_range = action.use_cyclic = True
    action.frame_start, action.frame_end = start, start + 24 * cycles
    return obj


def export(part: Part, game: str, source: Any, target: Any, folder: Path, **options: Any) -> tuple[bytes, Any]:
    """The file with the retargeted clip, and its report; without a word said."""
    module, read, log = (part(name) for name in ("io.retarget.retarget", "io.retarget.reading.read", "core.reporting.log"))
    bone_map = part("core.retarget.mapping.mapping").map_bones(read.figure_of(source), read.figure_of(target))
    bone_map = replace(bone_map, limbs=options.pop("limbs", ()))
    core = part("core.retarget.options").Options(**options.pop("core", {"feet": False}))
    with log.collect() as said:
        result = module.retarget_actions(bpy.context, source, target, bone_map, module.RetargetOptions(core=core, **options))
        part("io.blender.scene").make_active(bpy.context, target)
        if game == "mindpower":
            result.actions[0]["mindpower_actions"] = "900"  # in its table of actions
        path = folder / WRITTEN[game]
        part("io.pipeline.games").export_file(bpy.context, str(path), {})
    messages = [str(message) for kind in ("WARNING", "ERROR") for message in said.of(kind)]
    assert [message for message in messages if "New Animation Like" not in message] == [], "when it is played is not the source's to say"
    return path.read_bytes(), result


@pytest.fixture(autouse=True)
def at_24(scene: Any) -> None:
    bpy.context.scene.render.fps = 24


@pytest.mark.parametrize("game", GAMES)
def test_a_loop_is_one_in_the_game(part: Part, tmp_path: Path, game: str) -> None:
    data, _ = export(part, game, walker(part, start=4.25), character(part, game), tmp_path)
    clip = READ[game](data)
    if game.startswith("lba"):
        assert clip.loop == 1
        assert (clip.poses[0] == clip.poses[-1]).all()
        # From the last keyframe the game goes to keyframe 1 in that one's time: nothing is lost, and the figure goes on as it did.
        assert clip.times[-1] == clip.rate
        return
    assert len(clip.poses) == clip.rate  # a second of steps: the pose of the start is in it once
    steps = np.linalg.norm(np.diff(clip.poses, axis=0), axis=1)
    assert 0 < np.linalg.norm(clip.poses[-1] - clip.poses[0]) < 1.5 * steps.max()
    assert clip.loop in (None, 1)


@pytest.mark.thorough
@pytest.mark.parametrize("heading", [0.0, 0.65, -2.0])
@pytest.mark.parametrize("game", GAMES)
def test_it_goes_ahead_as_the_game_has_it_wherever_the_source_goes(part: Part, tmp_path: Path, game: str, heading: float) -> None:
    data, result = export(part, game, walker(part, heading, cycles=2), character(part, game), tmp_path)
    path = READ[game](data).path
    gone = path[-1] - path[0]
    assert gone @ AHEAD[game] > 0.99 * np.linalg.norm(gone) > 0
    assert abs(path[0]).max() < 1e-6
    lost = {"lba1": 0.006, "lba2": 0.003}.get(game, 1e-3)
    assert result.reports[0].quantisation_distance < lost, "where the object stands meanwhile, and which way it faces, is not lost"


@pytest.mark.parametrize("game", ["lba1", "lba2", "mindpower"])
def test_the_way_over_the_ground_is_in_the_file_whatever_carries_it(part: Part, tmp_path: Path, game: str) -> None:
    """Of the bones of Little Big Adventure none moves over the ground: the object does."""
    gone: dict[str, float] = {}
    for root_motion in ("HIPS", "BONE", "OBJECT"):
        core = {"feet": False, "root_motion": root_motion}
        data, _ = export(part, game, walker(part, cycles=2), character(part, game), tmp_path, core=core)
        path = READ[game](data).path
        gone[root_motion] = float(np.linalg.norm(path[-1] - path[0]))
        bpy.data.batch_remove([*bpy.data.objects, *bpy.data.actions])
    assert gone["HIPS"] > 0 and gone == pytest.approx(dict.fromkeys(gone, gone["HIPS"]), rel=0.01)


@pytest.mark.thorough
@pytest.mark.parametrize("root_motion", ["HIPS", "NONE"])
@pytest.mark.parametrize("game", GAMES)
def test_a_loop_that_would_jump_back_in_the_game_is_reported(part: Part, tmp_path: Path, game: str, root_motion: str) -> None:
    """The loops of Tales of Pirates go nowhere: the client moves characters, and the next round begins where the last one did."""
    data, result = export(part, game, walker(part), character(part, game), tmp_path, core={"feet": False, "root_motion": root_motion})
    (report,) = result.reports
    said = [line for line in report.lines() if "jump back" in line]
    assert bool(said) == (game == "mindpower" and root_motion == "HIPS")
    if game == "mindpower":
        path = READ[game](data).path
        gone = float(np.linalg.norm(path[-1] - path[0])) * 30 / 29  # the pose of the start is in the file once
        assert said == [] if gone < 1e-3 else f"by {gone:.2f} m" in said[0]
        assert report.is_good, "one that is played once is right as it is: Little Big Adventure has loops alone"


def test_a_loop_of_shorter_steps_would_jump_back_by_less(part: Part, tmp_path: Path) -> None:
    """By as much as the file goes on, which is half of what the source's steps would be."""
    limbs = tuple(part("core.retarget.figures.maps.bone_map").Limb(name, stride=0.5) for name in ("leftFoot", "rightFoot"))
    core = {"feet": False, "root_motion": "HIPS"}
    data, result = export(part, "mindpower", walker(part), character(part, "mindpower"), tmp_path, core=core, limbs=limbs)
    (line,) = [line for line in result.reports[0].lines() if "jump back" in line]
    path = READ["mindpower"](data).path
    assert f"by {float(np.linalg.norm(path[-1] - path[0])) * 30 / 29:.2f} m" in line


@pytest.mark.parametrize("game", GAMES)
def test_keys_are_on_whole_time_units_from_where_the_action_s_range_starts(part: Part, tmp_path: Path, game: str) -> None:
    """The source's range starts between frames, and its first key before it."""
    source = walker(part, cycles=2)
    action = source.animation_data.action
    action.use_cyclic, action.frame_start, action.frame_end = False, 5.3, 40.0
    _, result = export(part, game, source, character(part, game), tmp_path)
    (created,) = result.actions
    assert (created.frame_start, created.use_cyclic) == (pytest.approx(5.3), False)
    frames = np.array([point.co[0] for curve in part("io.blender.compat").curves(created) for point in curve.keyframe_points], np.float64)
    rate = {"lba1": 50, "lba2": 1000, "oni": 60}.get(game, 30)
    ticks = (frames - np.float32(5.3)) * rate / 24
    assert np.abs(ticks - np.rint(ticks)).max() < 1e-3 * max(1, rate / 50)
    assert ticks.min() >= 0 and 40 - 1e-4 <= frames.max() < 40 + max(1, 24 / rate)


@pytest.mark.parametrize("game", GAMES)
def test_a_loop_that_ends_a_step_before_its_first_pose_gets_that_step(part: Part, tmp_path: Path, game: str) -> None:
    source = walker(part, closes=False)
    source.animation_data.action.use_cyclic = False
    source.animation_data.action.frame_end = 24
    data, result = export(part, game, source, character(part, game), tmp_path, loop="YES")
    assert result.actions[0].frame_end == pytest.approx(25, abs=0.03)
    clip = READ[game](data)
    assert clip.loop in (None, 1)
    if game.startswith("lba"):
        assert clip.times[-1] == pytest.approx(clip.rate, abs=clip.rate / 24)
    else:
        assert len(clip.poses) == clip.rate


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["0001.lab", "0005.lab", "0088.lab"])
def test_mirrored_tips_and_sheared_bones_leave_quaternions_quaternions(
    part: Part, game_file: Callable[[str], Path], tmp_path: Path, name: str
) -> None:
    """They are not followed: written as matrices because of them, a file would be nearly twice as long. Nor is it said to be."""
    path = game_file(f"mindpower/animation/{name}")
    (result,) = part("io.pipeline.games").import_files(bpy.context, [str(path)], {})
    (target,) = result.armatures
    assert any(abs(size - 1) > 1e-3 for bone in target.pose.bones for size in bone.scale)
    bpy.context.view_layer.objects.active = None
    source = walker(part)
    module, read = part("io.retarget.retarget"), part("io.retarget.reading.read")
    bone_map = part("core.retarget.mapping.mapping").map_bones(read.figure_of(source), read.figure_of(target))
    with part("core.reporting.log").collect() as said:
        (action,) = module.retarget_actions(bpy.context, source, target, bone_map).actions
        action["mindpower_actions"] = "900"
        part("io.blender.scene").make_active(bpy.context, target)
        part("io.pipeline.games").export_file(bpy.context, str(tmp_path / name), {})
    assert not any("matrices" in message.text for message in said.of("WARNING"))
    before, after = (struct.unpack_from("<5I", file.read_bytes()) for file in (path, tmp_path / name))
    assert (before[4], after[4]) == (3, 3)
    assert after[2] > before[2]


@pytest.mark.parametrize(("bone", "steps"), [("mixamorig:Head", False), ("mixamorig:Spine1", True)])
def test_only_a_scaled_bone_above_followed_ones_is_looked_at_frame_by_frame(
    part: Part, monkeypatch: pytest.MonkeyPatch, scene: Any, bone: str, steps: bool
) -> None:
    source, target = walker(part), rigs.build("target", names=rigs.UNREAL)
    source.pose.bones[bone].scale = (1.2, 1.2, 1.2)
    module, read = part("io.retarget.retarget"), part("io.retarget.reading.read")
    asked: list[str] = []
    shown = read.shown
    monkeypatch.setattr(read, "shown", lambda *arguments: asked.append("") or shown(*arguments))
    bone_map = part("core.retarget.mapping.mapping").map_bones(read.figure_of(source), read.figure_of(target))
    (report,) = module.retarget_actions(bpy.context, source, target, bone_map).reports
    assert bool(asked) == steps
    assert report.limb_max < 1e-3


@pytest.mark.parametrize(("game", "most"), [("lba1", 25.0), ("lba2", 25.0)])
def test_retargeted_clips_have_few_keyframes_within_the_bound(part: Part, scene: Any, tmp_path: Path, game: str, most: float) -> None:
    """Joints by the game's own description, at every tick, beside those of a file with all keyframes."""
    target = character(part, game)
    rate = 50 if game == "lba1" else 1000
    whole, _ = export(part, game, walker(part, cycles=2), target, tmp_path)
    files = {}
    for kind in ("NONE", "AUTO"):
        path = tmp_path / f"{kind}.anm"
        part("io.pipeline.games").export_file(bpy.context, str(path), {"reduction": kind})
        files[kind] = path.read_bytes()
    assert files["AUTO"] == whole
    dense, less = (game_clips.lba(files[kind], rate) for kind in ("NONE", "AUTO"))
    assert len(less.times) < 0.5 * len(dense.times)
    assert (less.loop, less.times[-1]) == (1, dense.times[-1])
    bones = {bone.name: bone["retro_anim_bone"] for bone in target.data.bones}
    order = sorted(bones, key=lambda name: bones[name])
    parents = [bones[bone.parent.name] if bone.parent else -1 for bone in (target.data.bones[name] for name in order)]
    # Blender's axes are x, -z, y of the game's.
    heads = np.array([target.data.bones[name].head_local for name in order])[:, [0, 2, 1]] * [1, 1, -1] * 1000
    worst = max(
        np.abs(
            np.linalg.norm(game_clips.lba_joints(dense, time, heads, parents) - game_clips.lba_joints(less, time, heads, parents), axis=1)
        ).max()
        for time in dense.times
    )
    assert 1.0 < worst <= most


@pytest.mark.parametrize("game", ["lba1", "lba2"])
def test_a_hand_that_was_added_for_a_goal_is_not_written(part: Part, tmp_path: Path, game: str) -> None:
    """At the end of a limb: the clip has as many bones as before, and nothing is to be said of it."""
    source, target = walker(part), character(part, game)
    plain, _ = export(part, game, source, target, tmp_path)
    bpy.ops.object.mode_set(mode="EDIT")
    last = next(bone for bone in target.data.edit_bones if not bone.children)
    added = target.data.edit_bones.new("added")
    added.head, added.tail, added.parent = last.tail, last.tail + 0.3 * (last.tail - last.head), last
    bpy.ops.object.mode_set(mode="OBJECT")
    after, _ = export(part, game, source, target, tmp_path)
    assert READ[game](after).poses.shape == READ[game](plain).poses.shape


@pytest.mark.parametrize("file", ["lba1/FILE3D.HQR", "lba2/RESS.HQR"])
def test_a_hand_is_found_by_the_name_that_the_message_gives_it(part: Part, game_file: Callable[[str], Path], file: str) -> None:
    """In the hero of the games, whose arms end with the lower arm, and whose bones are known by their numbers: as source and as target."""
    walking = walker(part)
    OPS.import_anim.lba(filepath=str(game_file(file)), entities="0")
    target: Any = bpy.context.object
    read, mapping = part("io.retarget.reading.read"), part("core.retarget.mapping.mapping")

    def hands(first: Any, second: Any) -> set[str]:
        mapped = mapping.map_bones(read.figure_of(first), read.figure_of(second))
        return {pair.role for pair in mapped.pairs} & {"leftHand", "rightHand"}

    mapped = mapping.map_bones(read.figure_of(walking), read.figure_of(target))
    ends = {pair.role: pair.target for pair in mapped.pairs if pair.role.endswith("LowerArm")}
    assert hands(walking, target) == set() == hands(target, walking)
    bpy.ops.object.mode_set(mode="EDIT")
    for role, name in (("leftLowerArm", "hand.L"), ("rightLowerArm", "hand.R")):
        arm, hand = target.data.edit_bones[ends[role]], target.data.edit_bones.new(name)
        hand.head, hand.tail, hand.parent = arm.tail, arm.tail + 0.3 * (arm.tail - arm.head), arm
    bpy.ops.object.mode_set(mode="OBJECT")
    assert hands(walking, target) == {"leftHand", "rightHand"} == hands(target, walking)
