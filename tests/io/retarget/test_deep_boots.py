"""Boots that do not stand, of one who wades and of one who sleeps: how much further in the ground they are than the source's own, by the
meshes as Blender shows them."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol

import bpy
import numpy as np
import pytest
from support.pairs.pair_sources import PIRATE, TWINSEN, game
from support.pairs.pairs import leg

SECOND = {role: name.replace("Bip01", "Bip02") for role, name in PIRATE.items()}
DEEPER = re.compile(r"foot is (\S+) leg lengths further in the ground than the source's at frame")
LASTING = 3
"""Frames that are looked at together: what is in the ground for less is not seen."""


class Part(Protocol):
    def __call__(self, name: str) -> ModuleType: ...


def boots(obj: Any, foot: str) -> list[tuple[Any, list[int]]]:
    """Of each mesh its vertices of which a foot or what hangs on it moves the most."""
    names, result = {foot, *(bone.name for bone in obj.data.bones[foot].children_recursive)}, list[tuple[Any, list[int]]]()
    meshes: list[Any] = [each for each in bpy.data.objects if each.type == "MESH" and each.find_armature() == obj]
    for mesh in meshes:
        own = {group.index for group in mesh.vertex_groups if group.name in names}
        heaviest = {vertex.index: max(vertex.groups, key=lambda item: item.weight).group for vertex in mesh.data.vertices if vertex.groups}
        result.append((mesh, [row for row, group in heaviest.items() if group in own]))
    return [each for each in result if each[1]]


def lowest(mesh: Any, vertices: list[int]) -> float:
    shown = mesh.evaluated_get(bpy.context.evaluated_depsgraph_get())
    points = np.empty(3 * len(shown.data.vertices), np.float32)
    shown.data.vertices.foreach_get("co", points)
    matrix = np.array(shown.matrix_world)
    return float((points.reshape(-1, 3)[vertices] @ matrix[2, :3] + matrix[2, 3]).min())


def low(obj: Any, roles: dict[str, str], frames: list[float]) -> Any:
    """(2, F) leg lengths of the lowest vertex of each boot above the lowest of both at rest."""
    feet = [boots(obj, roles[f"{side}Foot"]) for side in ("left", "right")]
    obj.data.pose_position = "REST"
    bpy.context.view_layer.update()
    ground = min(lowest(*each) for foot in feet for each in foot)
    obj.data.pose_position = "POSE"
    result = []
    for frame in frames:
        bpy.context.scene.frame_set(int(frame), subframe=frame % 1)
        result.append([min(lowest(*each) for each in foot) - ground for foot in feet])
    return np.array(result).T / leg(obj, roles)


WADER, SLEEPER = ("lba1/FILE3D.HQR", "animation 40", TWINSEN), ("mindpower/animation/0001.lab", " 3 sleep", PIRATE)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("moving", "body", "roles", "deep"),
    [(WADER, "0005", SECOND, 0.323), (WADER, "0010", PIRATE, 0.060), (WADER, "0088", PIRATE, 0.0), (SLEEPER, "0005", SECOND, 0.250)],
)
def test_a_boot_that_is_deeper_than_the_source_s_is_reported(
    part: Part, game_data: Path, moving: tuple[str, str, dict[str, str]], body: str, roles: dict[str, str], deep: float
) -> None:
    """As far as the source's own is in the ground it may be; what is a tenth of the leg deeper asks for a look."""
    path, clip, own = moving
    source = game(path, clip, **({"entities": "0"} if own is TWINSEN else {}))(game_data)
    target = game(f"mindpower/animation/{body}.lab")(game_data)
    action = source.animation_data.action
    assert clip in action.name
    module, read = part("io.retarget.retarget"), part("io.retarget.reading.read")
    bone_map = part("core.retarget.mapping.mapping").map_bones(read.figure_of(source), read.figure_of(target))
    result = module.retarget_actions(bpy.context, source, target, bone_map, module.RetargetOptions(actions=(action.name,)))
    target.animation_data.action = result.actions[0]
    curves = part("io.blender.compat").curves(result.actions[0], target)
    frames = sorted({point.co.x for curve in curves for point in curve.keyframe_points})
    away = np.minimum(low(source, own, frames), 0) - low(target, roles, frames)
    width = min(LASTING, len(frames))
    measured = np.lib.stride_tricks.sliding_window_view(away, width, axis=1).min(axis=2).max()
    assert max(measured, 0.0) == pytest.approx(deep, abs=0.01)
    report = result.reports[0]
    reported, asked = ([float(each[1]) for each in map(DEEPER.search, lines) if each] for lines in (report.lines(), report.reasons()))
    assert reported == ([pytest.approx(measured, abs=0.01)] if deep > 0.05 else [])
    assert asked == (reported if deep > 0.1 else [])
