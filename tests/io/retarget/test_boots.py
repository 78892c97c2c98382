"""Boots as Blender shows them: their lowest vertex stands on the ground where the source's feet stand, as it does at rest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Quaternion
from support import blender_rigs as rigs
from support.pairs.pair_sources import PIRATE, SOURCES, game

Part = Callable[[str], ModuleType]
LEG = 0.83
"""Metres, of the made-up figures."""


SIDES = ("left", "right")


def shod(obj: Any, sides: Sequence[str] = SIDES) -> Any:
    """A mesh of boots, 0.3 m long, of which a fifth is before the toes' joint and moves half with these."""
    points, weights = [], []
    for side in sides:
        foot, toes = (np.array(obj.data.bones[side + part].head_local) for part in ("Foot", "Toes"))
        ahead = (toes - foot) * (1, 1, 0) / np.linalg.norm((toes - foot)[:2])
        across = np.cross(ahead, (0, 0, 1))
        for along, share in ((-0.06, 0.0), (0.1, 0.0), (0.24, 0.5)):
            for aside, up in ((-0.04, -0.02), (0.04, -0.02), (0.0, 0.04)):
                points.append(foot * (1, 1, 0) + along * ahead + aside * across + (0, 0, toes[2] + up))
                weights.append((side, share))
    data = bpy.data.meshes.new("boots")
    data.from_pydata([tuple(point) for point in points], [], [])
    mesh: Any = bpy.data.objects.new("boots", data)
    bpy.context.collection.objects.link(mesh)
    for side in SIDES:
        for part in ("Foot", "Toes"):
            mesh.vertex_groups.new(name=side + part)
    for row, (side, share) in enumerate(weights):
        for part, weight in (("Foot", 1 - share), ("Toes", share)):
            mesh.vertex_groups[side + part].add([row], weight, "REPLACE")
    mesh.modifiers.new("Armature", "ARMATURE").object = obj
    mesh.parent = obj
    return mesh


def hung(obj: Any, side: str) -> Any:
    """A boot that hangs on its foot as a whole."""
    mesh = shod(obj, (side,))
    mesh.modifiers.clear()
    mesh.vertex_groups.clear()
    bpy.context.view_layer.update()
    world = mesh.matrix_world.copy()
    mesh.parent_type, mesh.parent_bone = "BONE", side + "Foot"
    mesh.matrix_world = world
    return mesh


def stand(part: Part, obj: Any, up: float = 0.0, sides: Sequence[str] = ("left",)) -> None:
    """As at rest, for 30 frames. up: radians by which feet are tipped onto their heels."""
    keys = {("hips", "location"): np.zeros((3, 30))}
    for side in sides:
        rest = obj.data.bones[side + "Foot"].matrix_local.to_quaternion()
        foot = rest.inverted() @ Quaternion((1, 0, 0), -up) @ rest
        keys[side + "Foot", "rotation_quaternion"] = np.repeat(np.array(foot)[:, None], 30, axis=1)
    rigs.keyed(part, obj, "stands", keys)


def soles(part: Part, source: Any, target: Any) -> Any:
    """(K, 3) the points of its boots that may be the lowest, in the target's own space."""
    read = part("io.retarget.reading.read")
    figure = read.figure_of(target)
    bone_map = part("core.retarget.mapping.mapping").map_bones(read.figure_of(source), figure)
    return part("io.retarget.reading.soles").with_soles(bpy.context, target, figure, bone_map).sole_points


def lowest(mesh: Any, vertices: Any = slice(None)) -> float:
    """The height in the world of the lowest of some vertices, as they are shown."""
    shown = mesh.evaluated_get(bpy.context.evaluated_depsgraph_get())
    points = np.empty(3 * len(shown.data.vertices), np.float32)
    shown.data.vertices.foreach_get("co", points)
    matrix = np.array(shown.matrix_world)
    return float((points.reshape(-1, 3)[vertices] @ matrix[2, :3] + matrix[2, 3]).min())


def lows(mesh: Any, action: Any, vertices: Any = slice(None)) -> Any:
    """(F,) the same at the frames of an action."""
    result = []
    for frame in range(*map(round, action.frame_range)):
        bpy.context.scene.frame_set(frame)
        result.append(lowest(mesh, vertices))
    return np.array(result)


def at_rest(obj: Any, mesh: Any, vertices: Any = slice(None)) -> float:
    obj.data.pose_position = "REST"
    bpy.context.view_layer.update()
    low = lowest(mesh, vertices)
    obj.data.pose_position = "POSE"
    return low


@pytest.mark.parametrize("scale", [1.0, 2.5])
def test_boots_stand_on_the_ground(part: Part, run: Callable[..., Any], scale: float) -> None:
    """On ankles that are higher above the toes than the source's, one foot turned out: joints alone would put the heels into the ground."""
    source = rigs.build("source", rotation=rigs.rolled(1))
    stand(part, source)
    pose = {"leftFoot": (0.5, 0.0, 0.1), "rightFoot": (0.5, 0.0, 0.5)}
    target = rigs.build("target", rotation=rigs.rolled(2), pose=pose)
    mesh = shod(target)
    target.scale = (scale,) * 3
    bpy.context.view_layer.update()
    ground = at_rest(target, mesh)
    free = run(source, target, feet=False)
    deep = lows(mesh, free.actions[0]).min() - ground
    assert deep < -0.05 * LEG * scale
    assert free.reports[0].off_ground * LEG * scale == pytest.approx(deep, abs=0.002 * LEG * scale)
    held = run(source, target)
    assert np.abs(lows(mesh, held.actions[0]) - ground).max() < 0.021 * LEG * scale
    assert held.reports[0].is_good


def on_heel(part: Part, run: Callable[..., Any], dress: Callable[[Any], Any]) -> tuple[float, float]:
    """Of who stands with the left foot on its heel, how far below the ground its boot is, in leg lengths, without and with Hold Feet.

    dress: makes boots for a target on higher ankles."""
    source = rigs.build("source", rotation=rigs.rolled(1))
    stand(part, source, 0.35)
    target = rigs.build("target", rotation=rigs.rolled(2), pose={"leftFoot": (0.5, 0.0, 0.1), "rightFoot": (0.5, 0.0, 0.1)})
    mesh = dress(target)
    bpy.context.view_layer.update()
    ground, left = at_rest(target, mesh), slice(9)
    free, held = ((lows(mesh, run(source, target, feet=feet).actions[0], left).min() - ground) / LEG for feet in (False, True))
    return free, held


@pytest.mark.parametrize("shown", [True, False])
def test_what_is_hidden_stands_on_no_ground_while_anything_is_shown(part: Part, run: Callable[..., Any], shown: bool) -> None:
    """Skis that are hidden beside boots that are shown; and boots that are hidden for a while, with nothing else."""

    def dress(obj: Any) -> Any:
        mesh, other = shod(obj), shod(obj)
        for row, vertex in enumerate(other.data.vertices):
            ankle = obj.data.bones["leftFoot" if row < 9 else "rightFoot"].head_local
            vertex.co.xy = ankle.xy + 3 * (vertex.co - ankle).xy
        (other if shown else mesh).hide_set(True)
        if not shown:
            bpy.data.objects.remove(other)
        return mesh

    free, held = on_heel(part, run, dress)
    assert free < -0.03
    assert abs(held) < 0.01


def test_a_boot_that_hangs_on_a_bone_stands_on_the_ground(part: Part, run: Callable[..., Any]) -> None:
    """As a robot's, which has no weights."""

    def dress(obj: Any) -> Any:
        mesh, _ = (hung(obj, side) for side in SIDES)
        return mesh

    free, held = on_heel(part, run, dress)
    assert free < -0.03
    assert abs(held) < 0.01


@pytest.mark.parametrize("hide", ["nothing", "object", "collection"])
@pytest.mark.parametrize("hang", ["weights", "whole", "relative"])
def test_soles_are_where_boots_are_at_rest(part: Part, hang: str, hide: str) -> None:
    """As Blender shows them there, though it evaluates nothing that is hidden when the target is posed and moved afterwards."""
    source, target = rigs.build("source"), rigs.build("target", rotation=rigs.tumbled(2))
    for side in SIDES:
        target.data.bones[side + "Foot"].use_relative_parent = hang == "relative"
    target.location, target.scale = (1, 2, 0.3), (2, 2, 2)
    bpy.context.view_layer.update()
    meshes = [shod(target)] if hang == "weights" else [hung(target, side) for side in SIDES]
    hidden = bpy.data.collections.new("hidden")
    bpy.context.scene.collection.children.link(hidden)
    for mesh in meshes:
        mesh.location.y += 0.01
        mesh.delta_rotation_euler.z += 0.1
        bpy.context.collection.objects.unlink(mesh)
        hidden.objects.link(mesh)
    bpy.context.view_layer.update()
    inverse = target.matrix_world.inverted()
    expected = np.array([inverse @ mesh.matrix_world @ vertex.co for mesh in meshes for vertex in mesh.data.vertices])
    for each in meshes if hide == "object" else [hidden] if hide == "collection" else []:
        each.hide_viewport = True
    bpy.context.view_layer.update()
    target.pose.bones["leftUpperLeg"].rotation_quaternion = Quaternion((1, 0, 0), 1.2)
    target.location, target.rotation_euler = (4, 0, 0.5), (0, 0, 1)
    bpy.context.view_layer.update()
    points = soles(part, source, target)
    away = np.linalg.norm(points[:, None] - expected, axis=2).min(axis=1)
    assert away.max() < 1e-5
    assert points[:, 2].min() == pytest.approx(expected[:, 2].min(), abs=1e-5)


def halved(part: Part, where: int | None) -> tuple[Any, Any, Any]:
    """A source that stands on both heels, and a target and its mesh of a left boot. where: the place of its Mirror modifier, if it has one;
    its Armature modifier has place 0 without."""
    source = rigs.build("source", rotation=rigs.rolled(1))
    stand(part, source, 0.35, SIDES)
    target = rigs.build("target", rotation=rigs.rolled(2), pose={"leftFoot": (0.5, 0.0, 0.1), "rightFoot": (0.5, 0.0, -0.1)})
    mesh = shod(target, ("left",))
    for side, letter in (("left", "L"), ("right", "R")):
        for each in ("Foot", "Toes"):
            target.data.bones[side + each].name = f"{each.lower()}.{letter}"
    if where is not None:
        mesh.modifiers.new("Mirror", "MIRROR")
        mesh.modifiers.move(1, where)
    bpy.context.view_layer.update()
    return source, target, mesh


def run_named(part: Part, source: Any, target: Any) -> Any:
    module, read = part("io.retarget.retarget"), part("io.retarget.reading.read")
    bone_map = part("core.retarget.mapping.mapping").map_bones(read.figure_of(source), read.figure_of(target))
    return module.retarget_actions(bpy.context, source, target, bone_map, module.RetargetOptions())


def test_a_mirrored_boot_stands_on_the_ground(part: Part) -> None:
    source, target, mesh = halved(part, 0)
    ground = at_rest(target, mesh)
    action = run_named(part, source, target).actions[0]
    for vertices in (slice(9), slice(9, 18)):
        assert np.abs(lows(mesh, action, vertices) - ground).max() < 0.01 * LEG


@pytest.mark.parametrize("where", [1, None])
def test_a_boot_of_one_foot_counts_for_neither(part: Part, where: int | None) -> None:
    """Of who has lost the other, or has its image alone: the hips do not come down for one of two feet that stand alike."""
    source, target, mesh = halved(part, where)
    assert not len(soles(part, source, target))
    action = run_named(part, source, target).actions[0]
    ankles = [[target.pose.bones[f"foot.{letter}"].head.z for letter in "LR"] for _ in lows(mesh, action)]
    assert np.ptp(ankles, axis=1).max() < 0.01 * LEG


@pytest.mark.parametrize("off", ["deform", "groups"])
def test_boots_that_bones_do_not_move_are_no_soles(part: Part, off: str) -> None:
    source, target = rigs.build("source"), rigs.build("target")
    mesh = shod(target)
    bpy.context.view_layer.update()
    assert len(soles(part, source, target))
    for side in SIDES:
        for each in ("Foot", "Toes"):
            target.data.bones[side + each].use_deform = off != "deform"
    mesh.modifiers[0].use_vertex_groups = off != "groups"
    assert not len(soles(part, source, target))
    before = lowest(mesh)
    target.pose.bones["leftUpperLeg"].rotation_quaternion = target.pose.bones["rightUpperLeg"].rotation_quaternion = (0, 1, 0, 0)
    bpy.context.view_layer.update()
    assert lowest(mesh) == before


def test_vertices_that_are_nowhere_stand_on_no_ground(part: Part, run: Callable[..., Any]) -> None:
    source = rigs.build("source")
    stand(part, source)
    target = rigs.build("target", rotation=rigs.rolled(2))
    vertices = shod(target).data.vertices
    vertices[0].co, vertices[1].co = (np.nan,) * 3, (-np.inf,) * 3
    report = run(source, target).reports[0]
    assert report.is_good
    assert np.isfinite([report.off_ground, report.hips_down, report.foot_pass]).all()


def test_a_pirate_s_boots(part: Part, game_data: Path) -> None:
    """One who stands in a fighting stance at rest does jumping jacks."""
    source, target = SOURCES["jacks"].make(game_data), game("mindpower/animation/0010.lab")(game_data)
    bpy.context.view_layer.update()
    mesh: Any = next(obj for obj in bpy.data.objects if obj.type == "MESH" and obj.find_armature() == target)
    names = {group.index for group in mesh.vertex_groups if group.name in (PIRATE["leftFoot"], PIRATE["rightFoot"])}
    heaviest = [max(vertex.groups, key=lambda item: item.weight).group for vertex in mesh.data.vertices]
    boots = [row for row, group in enumerate(heaviest) if group in names]
    heads = [[np.array(target.data.bones[PIRATE[f"left{each}"]].head_local) for each in ("UpperLeg", "LowerLeg", "Foot")]]
    leg = float(sum(np.linalg.norm(np.diff(each, axis=0), axis=1).sum() for each in heads))
    ground = at_rest(target, mesh, boots)
    module, read = part("io.retarget.retarget"), part("io.retarget.reading.read")
    bone_map = part("core.retarget.mapping.mapping").map_bones(read.figure_of(source), read.figure_of(target))
    result = module.retarget_actions(bpy.context, source, target, bone_map, module.RetargetOptions())
    low = (lows(mesh, result.actions[0], boots) - ground) / leg
    assert low.min() > -0.025
    assert np.median(low) < 0.03
    assert result.reports[0].is_good
