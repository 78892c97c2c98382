"""Markers that were deleted, renamed or copied in the dope sheet do not say what the file has any more, which is named."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import pytest
from support.sample_characters import opened

Part = Callable[[str], ModuleType]
SAMPLES = Path(__file__).resolve().parents[3] / "samples"
LEFT, RIGHT = "footstep 1: Left", "footstep 2: Right"
GONE = "no marker is called so any more, and the file keeps what it stood for: remove that in the side panel, or call a marker so"
DOUBLED = "more than one marker is called so, and the file has one: add the others in the side panel"
STRANGE = "a marker that stands for nothing in the file, and is left out: add it in the side panel"
EARLY = "its marker stands before the clip, and is written at its first frame: move it there"


@pytest.fixture
def action(tmp_path: Path) -> Any:
    action = opened("oni", tmp_path)[0].animation_data.action
    assert [(marker.name, marker.frame) for marker in action.pose_markers] == [(LEFT, 1), (RIGHT, 25)]
    return action


@pytest.fixture
def said(part: Part, tmp_path: Path, action: Any) -> Callable[[], tuple[list[str], list[int]]]:
    """What an export says of the markers, and the frames of the steps that are in the file then."""

    def run() -> tuple[list[str], list[int]]:
        oni, path = part("io.oni"), tmp_path / "out.oni"
        lines = oni.export_oni(bpy.context, oni.ExportOptions(str(path))).warnings
        tram = part("core.oni.files.documents").TramFile.parse(path.read_bytes()).tram
        return [line.removeprefix(f"{action.name}: ") for line in lines], tram.footsteps["frame"].tolist()

    return run


def renamed(action: Any) -> None:
    action.pose_markers[RIGHT].name = "my step"
    action.pose_markers["my step"].frame = 30


def deleted(action: Any) -> None:
    action.pose_markers.remove(action.pose_markers[RIGHT])


def copied(action: Any) -> None:
    action.pose_markers.new(RIGHT).frame = 40


def added(action: Any) -> None:
    action.pose_markers.new("footstep 3: Left").frame = 40


def too_early(action: Any) -> None:
    action.pose_markers[RIGHT].frame = -5


def noted(action: Any) -> None:
    action.pose_markers.new("look at this").frame = 40


EDITS: dict[Callable[[Any], None], tuple[list[str], list[int]]] = {
    renamed: ([f"{RIGHT}: {GONE}"], [0, 24]),
    deleted: ([f"{RIGHT}: {GONE}"], [0, 24]),
    copied: ([f"{RIGHT}: {DOUBLED}"], [0, 24]),
    added: ([f"footstep 3: Left: {STRANGE}"], [0, 24]),
    too_early: ([f"{RIGHT}: {EARLY}"], [0, 0]),
    noted: ([], [0, 24]),
}


@pytest.mark.parametrize("edit", EDITS)
def test_markers_that_say_something_else_than_the_file(action: Any, said: Any, edit: Callable[[Any], None]) -> None:
    edit(action)
    assert said() == EDITS[edit]


def test_a_marker_between_two_times_stands_before_no_clip(part: Part, tmp_path: Path) -> None:
    """In a scene of 120 frames a second, which it keeps as something is animated there: frame 4 is time 1.5, and 2 in the file."""
    bpy.context.scene.render.fps = 120
    other: Any = bpy.data.objects.new("other", None)
    bpy.context.scene.collection.objects.link(other)
    for frame in (1, 9):
        other.keyframe_insert("location", frame=frame)
    action = opened("oni", tmp_path)[0].animation_data.action
    assert action.pose_markers[RIGHT].frame == 49
    action.pose_markers[RIGHT].frame = 4
    oni, path = part("io.oni"), tmp_path / "out.oni"
    lines = oni.export_oni(bpy.context, oni.ExportOptions(str(path))).warnings
    assert not [line for line in lines if "marker" in line]
    assert part("core.oni.files.documents").TramFile.parse(path.read_bytes()).tram.footsteps["frame"].tolist() == [0, 2]


def test_of_what_a_clip_has_once_no_other_can_be_added(action: Any, said: Any) -> None:
    action.oni_tram.action_frame = 3
    action.pose_markers.new("action frame").frame = 9
    assert said() == (["action frame: more than one marker is called so, and a file has no room for another"], [0, 24])


def test_what_was_deleted_is_gone_with_its_line_in_the_panel(action: Any, said: Any) -> None:
    deleted(action)
    action.oni_tram.footsteps.remove(1)
    assert said() == ([], [0])


def test_parts_have_the_events_that_they_play(part: Part, tmp_path: Path, action: Any) -> None:
    """From frame 12 on the right foot comes down, at frame 25, 13 frames after the part begins; the left one did so in the part before."""
    for name, frame in (("first", 1), ("second", 12)):
        bpy.context.scene.timeline_markers.new(name, frame=frame)
    oni = part("io.oni")
    lines = oni.export_oni(bpy.context, oni.ExportOptions(str(tmp_path / "x.oni"), source="MARKERS")).warnings
    read = part("core.oni.files.documents").TramFile.parse
    steps = [read((tmp_path / f"TRAM{name}.oni").read_bytes()).tram.footsteps.tolist() for name in ("first", "second")]
    assert steps == [[(0, 1)], [(13, 2)]]
    assert not [line for line in lines if "footstep" in line]
    assert [(step.type, step.frame) for step in action.oni_tram.footsteps] == [("Left", 0), ("Right", 24)]


def stripped(name: str, action: Any) -> Any:
    """A strip of the NLA from frame 1 on, which plays the action instead of the armature itself."""
    data: Any = next(obj for obj in bpy.context.scene.objects if obj.type == "ARMATURE").animation_data
    data.action = None
    strip = data.nla_tracks.new().strips.new(name, 1, action)
    if hasattr(strip, "action_slot"):
        strip.action_slot = action.slots[0]
    return strip


def test_a_strip_that_plays_twice_has_the_events_of_its_first_pass(part: Part, tmp_path: Path, action: Any) -> None:
    """Half as fast; what the passes after it would have is named."""
    strip = stripped("twice", action)
    strip.scale, strip.repeat = 2.0, 2.0
    oni, path = part("io.oni"), tmp_path / "x.oni"
    lines = oni.export_oni(bpy.context, oni.ExportOptions(str(path), source="NLA")).warnings
    tram = part("core.oni.files.documents").TramFile.parse(path.read_bytes()).tram
    assert tram.footsteps["frame"].tolist() == [0, 48]
    assert [line for line in lines if "footstep" in line] == [f"twice: {LEFT}, {RIGHT}: {DOUBLED}"]


def attacks(part: Part, path: Path) -> list[tuple[int, int]]:
    rows = part("core.oni.files.documents").TramFile.parse(path.read_bytes()).tram.attacks
    return [(int(row["start"]), int(row["end"])) for row in rows if row["start"] or row["end"]]


@pytest.fixture
def attacking(action: Any) -> Any:
    for start, end in ((2, 5), (9, 20), (30, 40)):
        line = action.oni_tram.attacks.add()
        line.start, line.end = start, end
    return action


@pytest.mark.usefixtures("attacking")
def test_parts_have_of_an_attack_what_they_play(part: Part, tmp_path: Path) -> None:
    """They begin at the action's times 0, 11, 14 and 32; the second, of 3 frames, lies within an attack."""
    for name, frame in (("one", 1), ("two", 12), ("three", 15), ("four", 33)):
        bpy.context.scene.timeline_markers.new(name, frame=frame)
    oni = part("io.oni")
    oni.export_oni(bpy.context, oni.ExportOptions(str(tmp_path / "x.oni"), source="MARKERS"))
    parts = [attacks(part, tmp_path / f"TRAM{name}.oni") for name in ("one", "two", "three", "four")]
    assert parts == [[(2, 5), (9, 10)], [(0, 2)], [(0, 6), (16, 17)], [(0, 8)]]


def test_a_strip_played_backwards_has_attacks_that_start_before_they_end(part: Part, tmp_path: Path, attacking: Any) -> None:
    """From the action's frame 48, the first one of the strip, back to 11: frame 41, the end of the last attack, is its time 7."""
    strip = stripped("back", attacking)
    strip.use_reverse, strip.action_frame_start = True, 11
    oni, path = part("io.oni"), tmp_path / "x.oni"
    oni.export_oni(bpy.context, oni.ExportOptions(str(path), source="NLA"))
    assert attacks(part, path) == [(27, 37), (7, 17)]


def test_a_part_of_one_frame_has_the_attack_in_which_it_lies(part: Part, tmp_path: Path, action: Any) -> None:
    line = action.oni_tram.attacks.add()
    line.start, line.end = 2, 30
    for name, frame in (("one", 1), ("two", 12), ("three", 13)):
        bpy.context.scene.timeline_markers.new(name, frame=frame)
    oni = part("io.oni")
    oni.export_oni(bpy.context, oni.ExportOptions(str(tmp_path / "x.oni"), source="MARKERS"))
    assert len(action.oni_tram.attacks) == 1
    assert [attacks(part, tmp_path / f"TRAM{name}.oni") for name in ("one", "three")] == [[(2, 10)], [(0, 18)]]
    (only,) = part("core.oni.files.documents").TramFile.parse((tmp_path / "TRAMtwo.oni").read_bytes()).tram.attacks
    assert (int(only["start"]), int(only["end"])) == (0, 0)


def test_parts_have_of_a_clip_s_own_times_what_they_play(part: Part, tmp_path: Path, action: Any) -> None:
    """The second begins at the action's time 20: it is atomic nowhere, plays no action frame, and hurts nobody from its first one on."""
    own = action.oni_tram
    own.atomic_start, own.atomic_end, own.invulnerable_start, own.invulnerable_end, own.action_frame = 2, 10, 5, 40, 3
    for name, frame in (("one", 1), ("two", 21)):
        bpy.context.scene.timeline_markers.new(name, frame=frame)
    oni = part("io.oni")
    oni.export_oni(bpy.context, oni.ExportOptions(str(tmp_path / "x.oni"), source="MARKERS"))
    names = ("atomic_start", "atomic_end", "invulnerable_start", "invulnerable_end", "action_frame")
    trams = [part("core.oni.files.documents").TramFile.parse((tmp_path / f"TRAM{name}.oni").read_bytes()).tram for name in ("one", "two")]
    assert [[getattr(tram, name) for name in names] for tram in trams] == [[2, 10, 5, 19, 3], [0, 0, 0, 20, 0xFFFF]]
    assert [getattr(own, name) for name in names] == [2, 10, 5, 40, 3]


def test_shortcuts_are_no_events_of_the_time_at_which_they_end(part: Part, tmp_path: Path, action: Any) -> None:
    """A transition lasts as long from the beginning of any part."""
    line = action.oni_tram.shortcuts.add()
    line.length = 10
    for name, frame in (("one", 1), ("two", 6), ("three", 21)):
        bpy.context.scene.timeline_markers.new(name, frame=frame)
    oni = part("io.oni")
    oni.export_oni(bpy.context, oni.ExportOptions(str(tmp_path / "x.oni"), source="MARKERS"))
    read = part("core.oni.files.documents").TramFile.parse
    trams = [read((tmp_path / f"TRAM{name}.oni").read_bytes()).tram for name in ("one", "two", "three")]
    assert [None if tram.shortcuts is None else tram.shortcuts["length"].tolist() for tram in trams] == [[10]] * 3


@pytest.mark.parametrize(("source", "time"), [("NLA", 72.0), ("MARKERS", 24 - 7.5)])
def test_events_of_parts_are_where_they_were_and_not_where_whole_frames_are(part: Part, tmp_path: Path, source: str, time: float) -> None:
    """At 24 frames/s: the second step, at 24 of the game, is at frame 10.6 and its marker at 11. A third as fast, or from frame 4 on."""
    bpy.context.scene.render.fps = 24
    oni, path = part("io.oni"), tmp_path / "x.oni"
    walk = SAMPLES / "oni/TRAMmannequin_walk.oni"
    built = oni.import_oni(bpy.context, oni.ImportOptions((str(walk),), fps_mode="KEEP"))
    bpy.context.view_layer.objects.active = built.armatures[0]
    if source == "NLA":
        stripped("slow", built.actions[0]).scale = 3.0
    else:
        bpy.context.scene.timeline_markers.new("part", frame=4)
    oni.export_oni(bpy.context, oni.ExportOptions(str(path), source=source))
    tram = part("core.oni.files.documents").TramFile.parse(path.read_bytes()).tram
    assert abs(int(tram.footsteps["frame"][-1]) - time) <= 0.5
