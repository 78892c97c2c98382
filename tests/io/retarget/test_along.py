"""What comes along with a clip on request: shape keys, custom properties, and props that hang on bones."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Matrix
from support import blender_rigs as rigs

Part = Callable[[str], ModuleType]
FRAMES = range(1, 11)


def skin(obj: Any, *shapes: str) -> Any:
    """A mesh that an armature deforms, with these shape keys."""
    data = bpy.data.meshes.new(f"{obj.name} skin")
    data.from_pydata([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [], [(0, 1, 2)])
    mesh = bpy.data.objects.new(f"{obj.name} skin", data)
    bpy.context.collection.objects.link(mesh)
    mesh.parent = obj
    modifier: Any = mesh.modifiers.new("Armature", "ARMATURE")
    modifier.object = obj
    for name in ("Basis", *shapes):
        mesh.shape_key_add(name=name).value = 0.0
    return mesh


@pytest.fixture
def two(part: Part) -> tuple[Any, Any]:
    source = rigs.build("hero", names=rigs.MIXAMO, rotation=rigs.rolled(1))
    target = rigs.build("giant", names=rigs.UNREAL, pose=rigs.a_pose(), rotation=rigs.rolled(2), sizes=dict.fromkeys(rigs.JOINTS, 3.0))
    rigs.dance(part, source, frames=len(FRAMES))
    return source, target


def run(part: Part, two: tuple[Any, Any], **options: Any) -> Any:
    core = part("core.retarget.options")
    chosen = core.RetargetOptions(core=core.Options(feet=False), **options)
    result = part("io.retarget").retarget_actions(bpy.context, *two, rigs.pairs(part, rigs.MIXAMO, rigs.UNREAL), chosen)
    bpy.context.view_layer.update()
    return result


def test_shape_keys_of_the_same_name_follow(part: Part, two: Any) -> None:
    source, target = two
    mesh, other = skin(source, "smile", "blink"), skin(target, "smile", "frown")
    for name in ("smile", "blink"):
        block = mesh.data.shape_keys.key_blocks[name]
        for frame in FRAMES:
            block.value = np.sin(frame) ** 2
            block.keyframe_insert("value", frame=frame)
    assert other.data.shape_keys.animation_data is None
    assert run(part, two).beside == []
    assert other.data.shape_keys.animation_data is None, "only on request"
    with part("core.reporting.log").collect() as said:
        run(part, two, shape_keys=True)
    assert [str(message).count("blink") for message in said.of("WARNING")] == [1]
    for frame in FRAMES:
        bpy.context.scene.frame_set(frame)
        keys = other.data.shape_keys.evaluated_get(bpy.context.evaluated_depsgraph_get()).key_blocks
        assert keys["smile"].value == pytest.approx(np.sin(frame) ** 2, abs=1e-6)
        assert keys["frown"].value == 0


def test_custom_properties_follow_their_bones(part: Part, two: Any) -> None:
    source, target = two
    action = source.animation_data.action
    hand, its = source.pose.bones[rigs.MIXAMO["leftHand"]], target.pose.bones[rigs.UNREAL["leftHand"]]
    for owner in (hand, its, source, target):
        owner["grip"] = 0.0
    hand["unknown"] = 0.0
    for frame in FRAMES:
        hand["grip"], source["grip"], hand["unknown"] = frame / 10, float(frame > 5), frame / 5
        for owner, name in ((hand, "grip"), (source, "grip"), (hand, "unknown")):
            owner.keyframe_insert(f'["{name}"]', frame=frame)
    assert source.animation_data.action == action
    for curve in part("io.blender.compat").curves(action, source):
        if curve.data_path == '["grip"]':
            for key in curve.keyframe_points:
                key.interpolation = "CONSTANT"
    with part("core.reporting.log").collect() as said:
        run(part, two, properties=True)
    assert [str(message).count("unknown") for message in said.of("WARNING")] == [1]
    for frame in (1, 5, 5.5, 8):
        bpy.context.scene.frame_set(int(frame), subframe=frame % 1)
        shown = target.evaluated_get(bpy.context.evaluated_depsgraph_get())
        assert shown.pose.bones[its.name]["grip"] == pytest.approx(frame / 10, abs=1e-6)
        assert shown["grip"] == float(frame > 5.9), "steps stay steps"


def on_track(owner: Any, start: int) -> None:
    """The action goes to a strip of the NLA that begins at a frame and plays at half the speed."""
    data = owner.animation_data
    strip = data.nla_tracks.new().strips.new("strip", start, data.action)
    strip.scale = 2.0
    data.action = None


def test_what_the_nla_shows_comes_along(part: Part, two: Any) -> None:
    """A strip that plays at half the speed, of bones with a property and of a hidden mesh's shape keys."""
    source, target = two
    mesh, other = skin(source, "smile"), skin(target, "smile")
    hand, its = source.pose.bones[rigs.MIXAMO["leftHand"]], target.pose.bones[rigs.UNREAL["leftHand"]]
    hand["grip"] = its["grip"] = 0.0
    block = mesh.data.shape_keys.key_blocks["smile"]
    for frame in FRAMES:
        hand["grip"], block.value = frame / 10, frame / 20
        hand.keyframe_insert('["grip"]', frame=frame)
        block.keyframe_insert("value", frame=frame)
    compat, keys = part("io.blender.compat"), mesh.data.shape_keys
    for curve in (
        *compat.all_curves(source.animation_data.action),
        *part("io.blender.motion.shape_key_actions").curves(keys.animation_data.action, keys),
    ):
        for key in curve.keyframe_points:
            key.interpolation = "LINEAR"
    on_track(source, 5)
    on_track(keys, 5)
    mesh.hide_viewport = True
    with part("core.reporting.log").collect() as said:
        run(part, two, nla=True, properties=True, shape_keys=True)
    assert not said.of("WARNING")
    for frame in (5, 10, 23):
        bpy.context.scene.frame_set(frame)
        graph = bpy.context.evaluated_depsgraph_get()
        played = 1 + (frame - 5) / 2
        assert target.evaluated_get(graph).pose.bones[its.name]["grip"] == pytest.approx(played / 10, abs=1e-6)
        assert other.data.shape_keys.evaluated_get(graph).key_blocks["smile"].value == pytest.approx(played / 20, abs=1e-6)


def beside(obj: Any, prop: Any, bone: str) -> Any:
    """(4, 4) a prop in the axes of the bone's swing away from rest: as the world sees it, hung on the joint."""
    graph = bpy.context.evaluated_depsgraph_get()
    armature, shown = obj.evaluated_get(graph), prop.evaluated_get(graph)
    return np.array(shown.matrix_world), np.array(armature.matrix_world @ armature.pose.bones[bone].head)


@pytest.mark.parametrize("kind", ["parent", "constraint"])
def test_props_hang_on_the_targets_hand_as_on_the_sources(part: Part, two: Any, kind: str) -> None:
    source, target = two
    target.location, target.scale = (4.0, 1.0, 0.0), (0.5, 0.5, 0.5)
    sword = bpy.data.objects.new("sword", bpy.data.meshes.new("sword"))
    bpy.context.collection.objects.link(sword)
    sword.location = (0.02, 0.1, 0.03)
    sword.rotation_euler = (0.3, 0.2, 0.1)
    hand, back = rigs.MIXAMO["rightHand"], rigs.MIXAMO["spine"]
    if kind == "parent":
        sword.parent, sword.parent_type, sword.parent_bone = source, "BONE", hand
        sword.matrix_parent_inverse = Matrix.Rotation(0.4, 4, "X")
    else:
        for bone in (hand, back):
            held: Any = sword.constraints.new("CHILD_OF")
            held.name = held.subtarget = bone
            held.target = source
            held.inverse_matrix = Matrix.Rotation(0.7, 4, "Z")
        for frame, share in ((1, 1.0), (6, 0.0)):
            for name, influence in ((hand, share), (back, 1 - share)):
                sword.constraints[name].influence = influence
                sword.keyframe_insert(f'constraints["{name}"].influence', frame=frame)
        for curve in part("io.blender.compat").all_curves(sword.animation_data.action):
            for key in curve.keyframe_points:
                key.interpolation = "CONSTANT"
    bpy.context.view_layer.update()
    result = run(part, two, props=True)
    (copy,) = result.props
    assert (copy.parent if kind == "parent" else copy.constraints[0].target) == target
    factor = 3.0 * 0.5
    for frame in FRAMES:
        bpy.context.scene.frame_set(frame)
        role = "rightHand" if kind == "parent" or frame < 6 else "spine"
        one, joint = beside(source, sword, rigs.MIXAMO[role])
        other, its = beside(target, copy, rigs.UNREAL[role])
        assert np.abs(other[:3, :3] - one[:3, :3] * factor).max() < 2e-5, "as the source's points, as large beside the target"
        assert np.abs((other[:3, 3] - its) - (one[:3, 3] - joint) * factor).max() < 2e-5, "and as far from the hand"
    again = run(part, two, props=True)
    assert len([obj for obj in bpy.data.objects if obj.name.startswith("sword")]) == 2
    assert len(again.props) == 1
    assert sword.parent in (None, source), "the source keeps its own"
