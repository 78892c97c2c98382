"""Rigify's rigs as targets: by their FK and IK controls. They run in a process of their own, see noxfile.py."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from support import blender_rigs as rigs
from support.blender_rigs import apart
from support.pairs import pairs
from support.pairs.pair_sources import SOURCES
from support.pairs.pair_targets import TARGETS, sided, with_bones

OPS: Any = bpy.ops
Part = Callable[[str], ModuleType]
FRAMES = range(1, 31, 4)


@pytest.fixture(scope="module")
def rigify_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Rigify's basic human, generated once."""
    path = tmp_path_factory.mktemp("rigify") / "rig.blend"
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    OPS.preferences.addon_enable(module="rigify")
    OPS.object.armature_basic_human_metarig_add()
    OPS.pose.rigify_generate()
    bpy.data.libraries.write(str(path), {bpy.data.objects["rig"]})
    return path


@pytest.fixture
def rigify(rigify_file: Path) -> Any:
    libraries: Any = bpy.data.libraries
    with libraries.load(str(rigify_file)) as (_, wanted):
        wanted.objects = ["rig"]
    bpy.context.collection.objects.link(wanted.objects[0])
    return wanted.objects[0]


DEFORM = {role: name for role, name in rigs.RIGIFY_LIMBS.items() if role != "Shoulder"}


def rigify_limbs(source: Any, target: Any) -> float:
    """The largest distance between unit vectors along limbs: the source's joints, and Rigify's bones under the controls."""
    roles = [side + part for side in ("left", "right") for part in DEFORM]
    bones = [f"ORG-{DEFORM[role.removeprefix('left').removeprefix('right')]}.{'L' if role.startswith('left') else 'R'}" for role in roles]
    one, two = rigs.joints(source, [rigs.MIXAMO[role] for role in roles], FRAMES), rigs.joints(target, bones, FRAMES)
    worst = 0.0
    for start in range(len(roles) - 1):
        if roles[start].endswith(("Hand", "Toes")):
            continue
        offsets = [positions[:, start + 1] - positions[:, start] for positions in (one, two)]
        worst = max(worst, apart(*(offset / np.linalg.norm(offset, axis=1, keepdims=True) for offset in offsets)))
    return worst


def test_ends_of_hands_follow_no_ik_control(part: Part, run: Any, rigify: Any) -> None:
    """As many captures have them: `hand_ik` would be tried out, and the arms switched to IK."""
    source = rigs.build("source", names=rigs.MIXAMO, rotation=rigs.rolled(2))
    with_bones(source, sided([("mixamorig:*HandEnd", "mixamorig:*Hand", (0.05, 0, 0))], "Left", "Right"))
    rigs.dance(part, source)
    figure = part("io.retarget.reading.read").figure_of
    bone_map = part("core.retarget.mapping.mapping").map_bones(figure(source), figure(rigify))
    assert [pair.target for pair in bone_map.pairs if "_ik" in pair.target] == []
    run(source, rigify, bone_map, feet=False)
    assert rigify_limbs(source, rigify) < 1e-4


def test_ik_controls_of_which_an_earlier_action_has_keys(part: Part, run: Any, rigify: Any) -> None:
    """A tweak that follows hangs on the IK control, too: that has the keys of the motion then, and none at rest beside them."""
    source = rigs.build("source", names=rigs.MIXAMO)
    with_bones(source, sided([("mixamorig:*HandEnd", "mixamorig:*Hand", (0.05, 0, 0))], "Left", "Right"))
    rigs.dance(part, source)
    figure = part("io.retarget.reading.read").figure_of
    bone_map = part("core.retarget.mapping.mapping").map_bones(figure(source), figure(rigify))
    assert "hand_tweak.L" in bone_map.targets()
    first, again = (run(source, rigify, bone_map, rigify_ik=True, feet=False, earlier="KEEP").actions[0] for _ in range(2))
    keys = [
        {(curve.data_path, curve.array_index): len(curve.keyframe_points) for curve in part("io.blender.compat").curves(action, rigify)}
        for action in (first, again)
    ]
    hand = ('pose.bones["hand_ik.L"].location', 0)
    assert keys[0][hand] == keys[1][hand] == 30


def test_rigify_by_its_fk_controls(part: Part, run: Any, rigify: Any) -> None:
    """The source has a long pigtail, too, of which the rig has none."""
    source = with_bones(
        rigs.build("one", names=rigs.MIXAMO), [("pigtail", rigs.MIXAMO["head"], (0.0, 0.3, -0.8)), ("bow", "pigtail", (0.0, 0.0, -0.1))]
    )
    rigs.dance(part, source)
    figure = part("io.retarget.reading.read").figure_of
    bone_map = part("core.retarget.mapping.mapping").map_bones(figure(source), figure(rigify))
    before = [tuple(bone.matrix_basis[row][column] for row in range(4) for column in range(4)) for bone in rigify.pose.bones]
    switches = rigify.pose.bones["upper_arm_parent.L"]["IK_FK"]
    report = run(source, rigify, bone_map, assign=False).reports[0]
    assert report.limb_max < 1e-3
    missed = [item for item in report.unmapped if item.bone == "pigtail"]
    assert [(item.largest > 30, item.reach > 0.5, item.visible) for item in missed] == [(True, True, False)]
    assert before == [tuple(bone.matrix_basis[row][column] for row in range(4) for column in range(4)) for bone in rigify.pose.bones]
    assert rigify.pose.bones["upper_arm_parent.L"]["IK_FK"] == switches
    action = bpy.data.actions["dance on rig"]
    part("io.blender.compat").assign(rigify, action)
    assert rigify_limbs(source, rigify) < 2e-5
    # The pelvis goes where the source's goes, by the length of the legs.
    offset, own = rigs.joints(rigify, ["ORG-spine"], FRAMES)[:, 0], rigs.joints(source, ["mixamorig:Hips"], FRAMES)[:, 0]
    rest = np.array(source.data.bones["mixamorig:Hips"].head_local)
    start = np.array(rigify.data.bones["ORG-spine"].head_local)
    assert apart(offset - start, (own - rest) * report.factor) < 2e-4


@pytest.mark.parametrize(("source", "target"), [("twinsen", "rigify"), ("pirate", "metarig"), ("cesium", "rigify")])
def test_given_clips_onto_rigify_s_rigs(game_file: Callable[[str], Path], source: str, target: str) -> None:
    if bpy.app.version < (4, 5) and source == "cesium":
        pytest.skip("Blender 4.2 crashes at random when it imports glTF where a rig of Rigify was generated")
    result = pairs.measure(SOURCES[source], TARGETS[target], game_file(""), 40)
    assert result.limbs < 1e-3, result.worst
    assert result.hips < 1e-4
    assert abs(result.yaw) < 1e-2
    assert not result.flips
    assert result.reported[0] < 1e-3


def test_rigify_by_its_ik_controls(part: Part, run: Any, rigify: Any) -> None:
    source = rigs.build("one", names=rigs.MIXAMO)
    rigs.dance(part, source)
    figure = part("io.retarget.reading.read").figure_of
    bone_map = part("core.retarget.mapping.mapping").map_bones(figure(source), figure(rigify))
    action = run(source, rigify, bone_map, rigify_ik=True).actions[0]
    # Hands and feet are where the FK controls have them, elbows and knees too: Rigify's IK bones stretch a little, but not in the action.
    ik_bones = [f"{name}.{side}" for name in ("upper_arm_ik", "MCH-forearm_ik", "thigh_ik", "MCH-shin_ik") for side in ("L", "R")]
    ends = [f"{end}.{side}" for end in ("hand", "foot") for side in ("L", "R")]
    reached, wanted = ([f"{prefix}{end}" for end in ends] for prefix in ("ORG-", ""))
    wanted = [name.replace(".", "_fk.") for name in wanted]
    assert apart(rigs.joints(rigify, reached, FRAMES), rigs.joints(rigify, wanted, FRAMES)) < 2e-3
    assert rigify_limbs(source, rigify) < 0.01
    assert [rigify.pose.bones[name].ik_stretch for name in ik_bones] == [0.0] * 8
    assert rigify.pose.bones["thigh_parent.L"]["IK_FK"] == 0.0
    keyed = {
        channel.bone
        for curve in part("io.blender.compat").curves(action, rigify)
        if (channel := part("io.blender.motion.fcurves").channel_of(curve))
    }
    assert {"hand_ik.L", "foot_ik.R", "upper_arm_ik_target.R", "thigh_ik_target.L", "hand_fk.L"} <= keyed


def test_ik_controls_that_are_not_moved_are_named(part: Part, run: Any, rigify: Any) -> None:
    """Of a rig without any, and of a leg of which the map has no foot."""
    source, plain = rigs.build("one", names=rigs.MIXAMO), rigs.build("plain")
    rigs.dance(part, source)
    (report,) = run(source, plain, rigs.pairs(part, rigs.MIXAMO, rigs.PLAIN), rigify_ik=True).reports
    (line,) = [line for line in report.lines() if "IK Controls" in line]
    assert line.startswith("IK Controls does nothing: plain has no hand_ik or foot_ik")
    figure = part("io.retarget.reading.read").figure_of
    bone_map = part("core.retarget.mapping.mapping").map_bones(figure(source), figure(rigify))
    said = [line for line in run(source, rigify, bone_map, rigify_ik=True).reports[0].lines() if "IK Controls" in line]
    assert said == []
    fewer = replace(bone_map, pairs=tuple(pair for pair in bone_map.pairs if pair.target != "foot_fk.L"))
    said = [line for line in run(source, rigify, fewer, rigify_ik=True).reports[0].lines() if "IK Controls" in line]
    assert said == ["IK Controls leaves out foot_ik.L: add lines to the bone map for foot_fk.L"]


def test_a_preview_of_ik_controls_gives_back_how_far_ik_may_stretch(part: Part, rigify: Any) -> None:
    source = rigs.build("one", names=rigs.MIXAMO)
    rigs.dance(part, source)
    figure = part("io.retarget.reading.read").figure_of
    bone_map = part("core.retarget.mapping.mapping").map_bones(figure(source), figure(rigify))
    bone = rigify.pose.bones["MCH-shin_ik.R"]
    before = bone.ik_stretch
    assert before > 0
    preview = part("io.retarget.in_view.preview").Preview(bpy.context, source, rigify)
    preview.change(bpy.context, bone_map, part("io.retarget.retarget").RetargetOptions(rigify_ik=True))
    assert bone.ik_stretch == 0
    part("io.blender.temporary_state").give_back(rigify)
    assert bone.ik_stretch == before and "ik_stretch" not in bone


def test_the_pelvis_of_a_source_whose_thighs_begin_above_its_hips(part: Part, run: Any, rigify: Any) -> None:
    """As those of Rigify's own deform bones do: it rotates as the source's hips, and the trunk stands on it."""
    source = rigs.build("one", names=rigs.MIXAMO)
    bpy.context.view_layer.objects.active = source
    OPS.object.mode_set(mode="EDIT")
    source.data.edit_bones[rigs.MIXAMO["hips"]].head.z -= 0.12
    OPS.object.mode_set(mode="OBJECT")
    rigs.dance(part, source)
    figure = part("io.retarget.reading.read").figure_of
    bone_map = part("core.retarget.mapping.mapping").map_bones(figure(source), figure(rigify))
    run(source, rigify, bone_map, feet=False, facing="WORLD")
    worst = 0.0
    for frame in FRAMES:
        bpy.context.scene.frame_set(frame)
        rotated = [away(obj, bone) for obj, bone in ((source, rigs.MIXAMO["hips"]), (rigify, "DEF-spine"))]
        worst = max(worst, float(np.degrees(rotated[0].rotation_difference(rotated[1]).angle)))
    assert worst < 20  # the least rotation that brings unlike spines and thighs together is some degrees
    heights = [rigs.joints(obj, bones, FRAMES)[:, :, 2] for obj, bones in ((source, SPINE), (rigify, ["DEF-spine", "DEF-spine.006"]))]
    lengths = [np.diff(each, axis=1) / np.diff(each, axis=1).max() for each in heights]
    assert np.abs(lengths[0] - lengths[1]).max() < 0.1


def test_a_chest_goes_along_with_a_spine_of_a_single_bone(part: Part, run: Any, rigify: Any) -> None:
    """Its controls go from the middle of the spine towards both ends, so that those above it hang on none of those below. It rotates as
    the source's spine, and how far a hand is off its goal is reported."""
    names = {role: name for role, name in rigs.MIXAMO.items() if role not in ("chest", "upperChest")}
    source = rigs.build("one", names=names)
    rigs.dance(part, source)
    figure = part("io.retarget.reading.read").figure_of
    bone_map = part("core.retarget.mapping.mapping").map_bones(figure(source), figure(rigify))
    limbs = (part("core.retarget.figures.maps.bone_map").Limb("leftHand", "BODY"),)
    report = run(source, rigify, replace(bone_map, limbs=limbs), feet=False, facing="WORLD").reports[0]
    between, missed = list[float](), 0.0
    for frame in range(1, 31):
        bpy.context.scene.frame_set(frame)
        if frame in FRAMES:
            rotations = [away(obj, bone) for obj, bone in ((source, rigs.MIXAMO["spine"]), (rigify, "ORG-spine.003"))]
            between.append(np.degrees(rotations[0].rotation_difference(rotations[1]).angle))
        shown: Any = [obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones for obj in (source, rigify)]
        own, reached = (
            np.array(bones[hand].head) - np.array(bones[hips].head)
            for bones, hand, hips in zip(shown, (rigs.MIXAMO["leftHand"], "ORG-hand.L"), (rigs.MIXAMO["hips"], "ORG-spine"), strict=True)
        )
        missed = max(missed, float(np.linalg.norm(reached - own * report.factor)))
    assert np.ptp(between) < 0.1, between
    assert abs(report.goals[0].missed - missed) < 1e-4


SPINE = [rigs.MIXAMO["hips"], rigs.MIXAMO["head"]]


def away(obj: Any, name: str) -> Any:
    """How a bone that Blender shows is rotated away from rest."""
    shown = obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones[name].matrix.to_quaternion()
    return shown @ obj.data.bones[name].matrix_local.to_quaternion().inverted()


def test_the_skin_of_trunk_and_toes_follows_by_fk_and_by_ik(part: Part, run: Any, rigify: Any) -> None:
    """Of the skeleton that the rig is made of each bone points where that of the skin does, but for the neck, two bones of one control."""
    OPS.object.armature_basic_human_metarig_add()
    plain: Any = bpy.context.object
    random, time = np.random.default_rng(3), np.arange(30) / 30
    values: dict[tuple[str, str], Any] = {}
    names = [bone.name for bone in plain.data.bones if not bone.name.startswith(("heel", "pelvis"))]
    for name in names:
        plain.pose.bones[name].rotation_mode = "QUATERNION"
        angles = 0.4 * np.sin(random.uniform(0, 6) + time * 3)
        axis = random.normal(size=3)
        axis /= np.linalg.norm(axis)
        values[name, "rotation_quaternion"] = np.stack([np.cos(angles / 2), *(axis[:, None] * np.sin(angles / 2))])
    rigs.keyed(part, plain, "dance", values)
    figure = part("io.retarget.reading.read").figure_of
    bone_map = part("core.retarget.mapping.mapping").map_bones(figure(plain), figure(rigify))
    for rigify_ik in (False, True):
        run(plain, rigify, bone_map, feet=False, facing="WORLD", rigify_ik=rigify_ik)
        for frame in FRAMES:
            bpy.context.scene.frame_set(frame)
            graph = bpy.context.evaluated_depsgraph_get()
            shown: Any = [obj.evaluated_get(graph).pose.bones for obj in (plain, rigify)]
            for name in [name for name in names if name not in ("spine.004", "spine.005", "breast.L", "breast.R")]:
                axes = [
                    np.array(bones[key].matrix.to_3x3().col[1].normalized())
                    for bones, key in zip(shown, (name, f"DEF-{name}"), strict=True)
                ]
                assert apart(axes[0][None], axes[1][None]) < 2e-3, (name, frame, rigify_ik)


@pytest.mark.parametrize("root_motion", ["HIPS", "BONE", "OBJECT"])
def test_where_root_motion_goes_onto_rigify(part: Part, run: Any, rigify: Any, root_motion: str) -> None:
    """The pelvis comes to the same positions by the torso, by what carries it and by the object, which is turned and of another size."""
    rigify.rotation_euler, rigify.scale, rigify.location = (0, 0, 1.0), (2, 2, 2), (1, 2, 0.5)
    source = rigs.build("one", names=rigs.MIXAMO)
    rigs.dance(part, source)
    figure = part("io.retarget.reading.read").figure_of
    bone_map = part("core.retarget.mapping.mapping").map_bones(figure(source), figure(rigify))
    report = run(source, rigify, bone_map, feet=False, facing="WORLD", root_motion=root_motion).reports[0]
    assert rigify_limbs(source, rigify) < 2e-5
    paths = [rigs.joints(obj, [bone], FRAMES)[:, 0] for obj, bone in ((source, rigs.MIXAMO["hips"]), (rigify, "ORG-spine"))]
    own, offset = (path - path[0] for path in paths)
    assert apart(offset, own * report.factor) < 1e-3


def test_keyed_controls_of_one_rig_onto_another(part: Part, run: Any, rigify_file: Path, rigify: Any) -> None:
    """Limbs of the skin, by IK and by FK; what the rig moves by itself is not mapped."""
    libraries: Any = bpy.data.libraries
    with libraries.load(str(rigify_file)) as (names, wanted):
        wanted.objects = [name for name in names.objects if name == rigify.name.split(".")[0]]
    other = wanted.objects[0]
    bpy.context.collection.objects.link(other)
    time = np.arange(24) / 24
    swing = np.stack([0.1 * np.sin(4 * time), 0.1 * np.sin(3 * time + 1), 0.1 * np.sin(5 * time)])
    ends = [f"{end}_ik.{side}" for end in ("hand", "foot") for side in "LR"]
    rigs.keyed(part, rigify, "reach", {(end, "location"): swing for end in ends})
    rigify.pose.bones["upper_arm_parent.L"]["IK_FK"] = 0.5
    figure = part("io.retarget.reading.read").figure_of
    bone_map = part("core.retarget.mapping.mapping").map_bones(figure(rigify), figure(other))
    hidden = ("ORG-", "DEF-", "MCH-", "tweak_")
    assert [
        pair.target for pair in bone_map.pairs if pair.target.startswith(hidden) or "_tweak" in pair.target or "_ik" in pair.target
    ] == []
    run(rigify, other, bone_map, feet=False, facing="WORLD")
    for limb in (("upper_arm", "forearm", "hand"), ("thigh", "shin", "foot")):
        for side in "LR":
            names = [f"DEF-{name}.{side}" for name in limb]
            lines = [np.diff(rigs.joints(obj, names, range(1, 25)), axis=1) for obj in (rigify, other)]
            first, second = (line / np.linalg.norm(line, axis=2, keepdims=True) for line in lines)
            assert np.abs(first - second).max() < 1e-3, names


def test_controls_that_do_not_hang_on_each_other_are_joined(
    rigify: Any, part: Part, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the body's bones below them do: of the spine's, two are parents of others from the middle towards both ends. Split, they are as
    before."""
    monkeypatch.setattr(part("operators.retarget.mapping.bone_map"), "folder", lambda: tmp_path)
    settings: Any = bpy.context.scene.retro_anim_retarget
    settings.source, settings.target = rigs.build("hero", names=rigs.MIXAMO), rigify
    OPS.retro_anim.retarget_map()
    table = part("operators.retarget.mapping.map_table")
    settings.pairs.clear()
    spine = ["spine_fk", "spine_fk.001", "spine_fk.002"]
    for source, target in zip(("Spine", "Spine1", "Spine2"), spine, strict=True):
        table.set_pair(settings.pairs.add(), f"mixamorig:{source}", target, "")
    table.set_pair(settings.pairs.add(), "mixamorig:LeftForeArm", "forearm_fk.L", "")
    table.set_pair(settings.pairs.add(), "mixamorig:LeftHand", "hand_fk.L", "")
    settings.index = 0
    for end in (2, 3):
        assert OPS.retro_anim.retarget_chain_join() == {"FINISHED"}
        assert json.loads(settings.pairs[0].target) == spine[:end]
    settings.index = 1
    assert OPS.retro_anim.retarget_chain_join() == {"FINISHED"}
    assert json.loads(settings.pairs[1].target) == ["forearm_fk.L", "hand_fk.L"]  # without the mechanism between
    settings.pairs[0].target_start = "spine_fk.001"
    assert json.loads(settings.pairs[0].target) == spine[1:] and not settings.pairs[0].note
