"""Back to the games: what each game's file holds of a motion that came from another one, as the report says it."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from support import game_clips
from support.pairs import pairs
from support.sample_files import EDITIONS, SAMPLES

Part = Callable[[str], ModuleType]


def character(part: Part, game: str) -> Any:
    """The mannequin of our own in a game's format, walking."""
    bpy.context.view_layer.objects.active = None
    games = part("io.pipeline.games")
    (result,) = games.import_files(bpy.context, [str(SAMPLES / EDITIONS[game])], {})
    (obj,) = result.armatures
    for action in result.actions:
        if "walk" in action.name:
            part("io.blender.compat").assign(obj, action)
    return obj


def losses(part: Part, source: str, target: str) -> tuple[float, float]:
    """Degrees and metres."""
    one, other = character(part, source), character(part, target)
    read = part("io.retarget.reading.read")
    bone_map = part("core.retarget.mapping.mapping").map_bones(read.figure_of(one), read.figure_of(other))
    (report,) = part("io.retarget.retarget").retarget_actions(bpy.context, one, other, bone_map).reports
    assert report.limb_max < 1e-3
    return report.quantisation, report.quantisation_distance


@pytest.mark.parametrize(
    ("source", "target", "angles", "offset"),
    [
        ("oni", "lba1", (0.05, 0.53), (1e-5, 0.006)),  # 1024 steps a turn: half of one about three axes
        ("oni2", "lba2", (0.01, 0.14), (1e-5, 0.003)),  # 4096 steps a turn
        ("lba1", "oni", (1e-4, 0.01), (1e-6, 2e-4)),  # 65536 steps a turn
        ("lba1", "lba2", (0.01, 0.14), (1e-5, 0.003)),  # a loop, whose lead-in lies before the action's range
        ("oni", "oni2", (0.0, 1e-4), (0.0, 1e-5)),  # float32
        ("oni", "mindpower", (0.0, 1e-4), (0.0, 1e-5)),  # float32
    ],
)
def test_what_a_game_s_numbers_round_away(
    part: Part, scene: Any, source: str, target: str, angles: tuple[float, float], offset: tuple[float, float]
) -> None:
    rotated, moved = losses(part, source, target)
    assert angles[0] <= rotated <= angles[1]
    assert offset[0] <= moved <= offset[1]


@pytest.mark.parametrize(("target", "angles", "offset"), [("mindpower", 1e-3, 1e-4), ("oni", 0.01, 1e-3), ("oni2", 1e-3, 1e-4)])
def test_what_lies_before_the_range_is_not_counted_as_rounded(part: Part, scene: Any, target: str, angles: float, offset: float) -> None:
    """The file holds the clip from the range's start on, and where it starts on the ground is not the file's."""
    one, other = character(part, "lba1"), character(part, target)
    action = one.animation_data.action
    start, end = action.frame_range
    action.use_frame_range, action.frame_start, action.frame_end = True, start + 8, end
    read = part("io.retarget.reading.read")
    bone_map = part("core.retarget.mapping.mapping").map_bones(read.figure_of(one), read.figure_of(other))
    (report,) = part("io.retarget.retarget").retarget_actions(bpy.context, one, other, bone_map).reports
    assert report.quantisation <= angles
    assert report.quantisation_distance <= offset


@pytest.mark.parametrize(("target", "rate"), [("lba1", 50), ("lba2", 1000)])
def test_a_clip_that_starts_turned_does_not_walk_askew_in_a_game_that_knows_only_turns(
    part: Part, scene: Any, tmp_path: Path, target: str, rate: int
) -> None:
    """The walk starts with the hips turned by nine degrees. In the game's axes characters look along the second one."""
    losses(part, "oni", target)
    part("io.pipeline.games").export_file(bpy.context, str(tmp_path / "clip.anm"), {})
    path = game_clips.lba((tmp_path / "clip.anm").read_bytes(), rate).path
    aside, ahead = path[-1] - path[0]
    assert ahead > 500
    assert abs(math.degrees(math.atan2(aside, ahead))) < 0.5


@pytest.mark.parametrize("target", ["lba1", "lba2"])
def test_hips_that_sway_do_not_turn_the_game_s_character(part: Part, scene: Any, tmp_path: Path, target: str) -> None:
    """The walk's hips look nine degrees to each side. What group 0 turns by would turn the actor; the hips are group 2."""
    one, other = character(part, "oni"), character(part, target)
    read = part("io.retarget.reading.read")
    bone_map = part("core.retarget.mapping.mapping").map_bones(read.figure_of(one), read.figure_of(other))
    (report,) = part("io.retarget.retarget").retarget_actions(bpy.context, one, other, bone_map).reports
    assert report.sway == pytest.approx(9, abs=0.2)
    assert any("sway of the hips: 9." in line for line in report.lines())
    part("io.pipeline.games").export_file(bpy.context, str(tmp_path / "clip.anm"), {})
    data = (tmp_path / "clip.anm").read_bytes()
    count, groups = struct.unpack_from("<2H", data)
    bones = np.frombuffer(data, "<i2", offset=8).reshape(count, 4 * (groups + 1))[:, 4:].reshape(count, groups, 4)
    assert (bones[:, 0, 1:] == 0).all()
    circle = 1024 if target == "lba1" else 4096
    beta = (bones[:, 2, 2].astype(int) * 360 / circle + 180) % 360 - 180
    assert (beta.max() - beta.min()) / 2 == pytest.approx(9, abs=0.7)


@pytest.mark.parametrize("who", [(0,), (1,), (0, 1)])
def test_characters_of_games_under_a_parent_stand_as_that_has_them(part: Part, scene: Any, who: tuple[int, ...]) -> None:
    """Twice as large, tilted and elsewhere: looked at as Blender shows it, the first time as the second."""
    both = character(part, "lba1"), character(part, "lba2")
    for number in who:
        parent = bpy.data.objects.new("parent", None)
        bpy.context.collection.objects.link(parent)
        parent.location, parent.rotation_euler, parent.scale = (1, 2, 0.5), (0.3, -0.2, 0), (2, 2, 2)
        both[number].parent = parent
    bpy.context.view_layer.update()
    one, other = both
    read, module = part("io.retarget.reading.read"), part("io.retarget.retarget")
    bone_map = part("core.retarget.mapping.mapping").map_bones(read.figure_of(one), read.figure_of(other))
    options = module.RetargetOptions(core=part("core.retarget.options").Options(feet=False, facing="WORLD"))
    larger = {(0,): 0.5, (1,): 2.0, (0, 1): 1.0}[who]
    for _ in range(2):
        (report,) = module.retarget_actions(bpy.context, one, other, bone_map, options).reports
        assert report.factor == pytest.approx(larger, rel=1e-4)
        assert report.quantisation_distance < 0.003 * (2 if 1 in who else 1) + 0.002
        paths = [pairs.poses(obj, [5.0, 20.0, 35.0]).heads for obj in both]
        hips, knees = (
            [path[:, obj.pose.bones.find(f"group {bone:02d}")] for obj, path in zip(both, paths, strict=True)] for bone in (2, 9)
        )
        assert hips[1] - hips[1][0] == pytest.approx((hips[0] - hips[0][0]) * larger, abs=2e-4)
        assert knees[1] - hips[1] == pytest.approx((knees[0] - hips[0]) * larger, abs=2e-4)


def test_all_clips_of_a_character_are_those_retargeted_onto_it_too(part: Part, scene: Any, tmp_path: Path) -> None:
    """And no action of one's own that only moves bones of the same names."""
    one, other = character(part, "oni"), character(part, "lba1")
    read, run = part("io.retarget.reading.read"), part("io.retarget.retarget")
    for name in ("first", "second"):
        bone_map = part("core.retarget.mapping.mapping").map_bones(read.figure_of(one), read.figure_of(other))
        run.retarget_actions(bpy.context, one, other, bone_map)
        other.animation_data.action.name = name
    stray: Any = bpy.data.actions["second"].copy()
    for key in list(stray.keys()):
        del stray[key]
    stray.name = "stray"
    bpy.context.view_layer.objects.active = other
    lba = part("io.lba")
    exported = lba.export_lba(bpy.context, lba.ExportOptions(str(tmp_path / "x.anm"), source="ALL"))
    written = {path.stem for path in tmp_path.iterdir()}
    assert {"first", "second"} < written and not written & {"stray"}, exported.summary


COMMON = ["0 hit, strength 5", "2 left step", "1 throw magic ball, height 1200, alpha 30, speed 100, weight 16"]
"""In both games."""
OWN = {
    "lba1": ["1 sound 75", "3 throw, height 9, sprite 3, alpha 1, beta 2, speed 3, weight 4, strength 5"],
    "lba2": ["1 sound 75", "3 throw object 7, x 1, y 2, z 3, alpha 1, beta 2, speed 3, weight 4, strength 5", "4 left jump"],
}
"""With numbers of files of one game, or not in the other."""


@pytest.mark.parametrize(("source", "target"), [("lba1", "lba2"), ("lba2", "lba1"), ("lba2", "lba2")])
def test_numbers_of_one_game_do_not_go_to_its_sequel(part: Part, scene: Any, source: str, target: str) -> None:
    """Roles with a name and events that both games have do; what stays behind is named once, with what to do."""
    one, other = character(part, source), character(part, target)
    action = one.animation_data.action
    for marker in list(action.pose_markers):
        action.pose_markers.remove(marker)
    events = [*COMMON, *OWN[source], "90 sound 9 (never)"]
    action["lba_events"], action["lba_roles"] = "; ".join(events), "Walk, animation 41, animation 14"
    for event in events[:-1]:
        number, _, title = event.partition(",")[0].partition(" ")
        action.pose_markers.new(title).frame = 1 + 4 * int(number)
    action.pose_markers.new("sound 42").frame = 7
    action.pose_markers.new("a note").frame = 8
    read = part("io.retarget.reading.read")
    bone_map = part("core.retarget.mapping.mapping").map_bones(read.figure_of(one), read.figure_of(other))
    with part("core.reporting.log").collect() as said:
        (created,) = part("io.retarget.retarget").retarget_actions(bpy.context, one, other, bone_map).actions
    names = {marker.name for marker in created.pose_markers}
    reported = [message.text for message in said.of("WARNING") if "left behind" in message.text]
    if source == target:
        assert reported == [] and names == {marker.name for marker in action.pose_markers}
        assert (created["lba_roles"], created["lba_events"]) == (action["lba_roles"], action["lba_events"])
        return
    assert created["lba_roles"] == "Walk, jump" and created["lba_events"] == "; ".join(COMMON)
    assert names - {"loop", "intro"} == {"hit", "left step", "throw magic ball", "a note"}
    (text,) = reported
    for part_of_it in (
        "the role animation 41: say in Used For",
        "1 sound 75 at frame 5",
        "sound 42 at frame 7",
        "90 sound 9",
        "put markers",
    ):
        assert part_of_it in text
    assert all(event in text for event in OWN[source])
    for key in ("lba_roles", "lba_events"):
        del action[key]
    action["lba_roles"] = "animation 41"
    (again,) = part("io.retarget.retarget").retarget_actions(bpy.context, one, other, bone_map).actions
    assert "lba_roles" not in again and "lba_events" not in again
