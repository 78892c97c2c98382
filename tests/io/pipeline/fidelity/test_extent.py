"""A frame range that somebody made shorter at an end, and keys that somebody moved behind the start: neither cuts, which is said."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import pytest
from support.sample_files import CLIPS
from support.sample_walk import SampleWalk

OPS: Any = bpy.ops
Part = Callable[[str], Any]


class Stage(SampleWalk):
    def move(self, by: float) -> None:
        """All keys, and the frame range."""
        for curve in self.compat.curves(self.action, self.obj):
            for point in curve.keyframe_points:
                point.co[0] += by
            curve.update()
        self.action.frame_start += by
        self.action.frame_end += by


@pytest.mark.parametrize("game", ["lba", "oni", "oni2"])
@pytest.mark.parametrize("edited", [False, True])
def test_a_frame_range_that_was_made_shorter(part: Part, tmp_path: Path, game: str, edited: bool) -> None:
    """The first half of a walk: what is written has the whole of it, edited or not."""
    it = Stage(part, game, tmp_path)
    assert it.warnings() == []
    if edited:
        it.obj.pose.bones[3].rotation_euler[0] += 0.01
        curve = next(each for each in it.compat.curves(it.action, it.obj) if "rotation" in each.data_path)
        curve.keyframe_points[1].co[1] += 0.01
        curve.update()
    it.action.frame_end = half = round(it.action.frame_range[1] / 2)
    (line,) = [line for line in it.warnings() if "frame range" in line]
    assert f"its frame range ends at frame {half:g}, and all of it is written" in line


@pytest.mark.thorough
@pytest.mark.parametrize("game", CLIPS)
@pytest.mark.parametrize("edited", [False, True])
@pytest.mark.parametrize("cyclic", [False, True])
def test_a_frame_range_that_begins_later(part: Part, tmp_path: Path, game: str, edited: bool, cyclic: bool) -> None:
    """It cuts in Tales of Pirates alone. Keys that are deleted up to there end the line where the clip begins with its first key."""
    it = Stage(part, game, tmp_path)
    it.action.use_cyclic = cyclic
    if edited:
        curve = next(each for each in it.compat.curves(it.action, it.obj) if "rotation" in each.data_path)
        curve.keyframe_points[1].co[1] += 0.01
        curve.update()
    it.action.frame_start += 6
    lines = [line for line in it.warnings() if "frame range begins" in line]
    if game == "mindpower":
        assert not lines
        return
    (line,) = lines
    wanted = "the game plays it from frame 1 on and repeats it from frame 1:" if game == "lba" else "all of it is written, from frame 1 on:"
    assert f"its frame range begins at frame 7, and {wanted}" in line and "delete the keys before" in line
    it.action.frame_start -= 6
    assert not any("frame range begins" in line for line in it.warnings())
    if game == "lba":
        it.action.frame_start += 6
        for curve in it.compat.curves(it.action, it.obj):
            for point in reversed(curve.keyframe_points):
                if point.co.x < 7:
                    curve.keyframe_points.remove(point)
        assert not any("frame range begins" in line for line in it.warnings())


@pytest.mark.parametrize("fps", [24, 50, 60])
def test_a_frame_range_that_begins_between_frames_of_the_game(part: Part, tmp_path: Path, fps: int) -> None:
    """30 a second: it is cut at the nearest one."""
    bpy.context.scene.render.fps = fps
    it = Stage(part, "mindpower", tmp_path, fps_mode="KEEP")
    for _ in range(6):
        it.action.frame_start += 1
        assert not any("frame range begins" in line for line in it.warnings())


def test_keys_that_lead_to_a_loop(part: Part, tmp_path: Path) -> None:
    """The frame range begins at the keyframe to which the game goes back; at another one than that, it is not what the game repeats."""
    it = Stage(part, "lba", tmp_path)
    frames = sorted({point.co.x for point in it.compat.curves(it.action, it.obj)[0].keyframe_points})
    it.action["lba_loop_frame"] = 2
    assert OPS.retro_anim.refit_loop() == {"FINISHED"}
    assert it.action.frame_start == frames[2]
    assert not any("frame range begins" in line for line in it.warnings())
    it.action.frame_start = frames[1]
    (line,) = [line for line in it.warnings() if "frame range begins" in line]
    wanted = f"at frame {frames[1]:g}, and the game plays it from frame 1 on and repeats it from frame {frames[2]:g}: set Loop From to"
    assert wanted in line and "choose Refit Loop" in line
    it.action["lba_loop_frame"] = 1
    assert OPS.retro_anim.refit_loop() == {"FINISHED"}
    assert not any("frame range begins" in line for line in it.warnings())


@pytest.mark.parametrize("game", ["lba", "oni", "oni2"])
@pytest.mark.parametrize("whole", [False, True])
def test_a_strip_of_another_extent_than_the_frame_range(part: Part, tmp_path: Path, game: str, whole: bool) -> None:
    """What the strip plays is written: all of the action, or what its frame range has."""
    it = Stage(part, game, tmp_path)
    first, last = it.action.curve_frame_range
    it.action.frame_start, it.action.frame_end = first + 6, last - 6
    assert sum("its frame range " in line for line in it.warnings()) == 2
    it.obj.animation_data.action = None
    strip = it.obj.animation_data.nla_tracks.new().strips.new("walk", 1, it.action)
    if whole:
        strip.action_frame_start, strip.action_frame_end = first, last
    for source in ("NLA", "ACTIVE"):
        assert not any("its frame range " in line for line in it.warnings(source=source))


@pytest.mark.parametrize("game", CLIPS)
def test_what_is_longer_than_its_frame_range_came_in_so(part: Part, tmp_path: Path, game: str) -> None:
    """Keys behind the end make a clip longer, in a game whose frame range is no loop: that was meant."""
    it = Stage(part, game, tmp_path)
    bone = it.obj.pose.bones[4]
    end = int(it.action.curve_frame_range[1]) + 10
    assert bone.keyframe_insert("rotation_quaternion" if bone.rotation_mode == "QUATERNION" else "rotation_euler", frame=end)
    assert not any("frame range ends" in line for line in it.warnings())


@pytest.mark.parametrize("game", ["oni", "oni2"])
def test_keys_that_were_moved_behind_the_start(part: Part, tmp_path: Path, game: str) -> None:
    it = Stage(part, game, tmp_path)
    it.move(7)
    assert sum("its first key is at frame 8, and it is written from frame 1 on" in line for line in it.warnings()) == 1
    it.move(-7)
    assert it.warnings() == []


@pytest.mark.parametrize("game", CLIPS)
def test_a_start_elsewhere_is_none_of_these(part: Part, tmp_path: Path, game: str) -> None:
    it = Stage(part, game, tmp_path, frame_start=101)
    assert it.warnings() == []


@pytest.mark.parametrize("game", ["lba", "oni", "oni2"])
@pytest.mark.parametrize("edited", [False, True])
@pytest.mark.parametrize("cyclic", [False, True])
def test_a_loop_whose_frame_range_was_made_longer(part: Part, tmp_path: Path, game: str, edited: bool, cyclic: bool) -> None:
    """The game goes on with the loop where its last key is; ending the range there again ends the line, too. In the first two games a clip
    repeats whatever its action is ticked as."""
    if not cyclic and game != "lba":
        pytest.skip("this one is played once then")
    it = Stage(part, game, tmp_path)
    it.action.use_cyclic = cyclic
    before, end = it.warnings(), it.action.frame_end
    assert not any("frame range" in line for line in before)
    if edited:
        for curve in it.compat.curves(it.action, it.obj):
            curve.extrapolation = "LINEAR"
    it.action.frame_end = end + 12
    (line,) = [line for line in it.warnings() if "frame range" in line]
    last = max(float(curve.keyframe_points[-1].co.x) for curve in it.compat.curves(it.action, it.obj))
    assert f"its frame range ends at frame {end + 12:g}, and the game goes on with the loop at frame {last:g}: end the range there" in line
    it.action.frame_end = last
    assert not any("frame range" in line for line in it.warnings())


@pytest.mark.parametrize("game", CLIPS)
def test_curves_that_go_on_behind_their_last_key(part: Part, tmp_path: Path, game: str) -> None:
    """In a line, as far as the clip plays in Blender: the game holds or repeats what the file has. Keys there are written."""
    it = Stage(part, game, tmp_path)
    it.action.use_cyclic = False
    before, curves = it.warnings(), it.compat.curves(it.action, it.obj)
    for curve in curves:
        curve.extrapolation = "LINEAR"
    assert it.warnings() == before, "as far as it plays"
    end = it.action.frame_end = it.action.frame_end + 12
    if game == "lba":
        return  # which repeats: see above
    (line,) = [line for line in it.warnings() if "go on in a line" in line]
    assert "put a key at the end of the clip" in line
    for curve in curves:
        curve.keyframe_points.insert(end, curve.evaluate(end)).interpolation = "LINEAR"
        curve.update()
    assert not any("go on in a line" in line for line in it.warnings())


@pytest.mark.thorough
@pytest.mark.parametrize("remedy", ["the range", "the extrapolation"])
@pytest.mark.parametrize("cyclic", [False, True])
@pytest.mark.parametrize("game", CLIPS)
def test_curves_that_go_on_before_their_first_key(part: Part, tmp_path: Path, game: str, cyclic: bool, remedy: str) -> None:
    """In a line, from where the clip plays in Blender: the game begins with what the file has first."""
    it = Stage(part, game, tmp_path)
    it.action.use_cyclic = cyclic
    before, curves = it.warnings(), it.compat.curves(it.action, it.obj)
    for curve in curves:
        curve.extrapolation = "LINEAR"
    it.action.frame_start -= 10
    lines = [line for line in it.warnings() if "go on in a line" in line]
    assert lines and all("go on in a line before their first key" in line for line in lines)
    assert all("let the frame range begin at the first key, or set their extrapolation to Constant" in line for line in lines)
    if remedy == "the range":
        it.action.frame_start += 10
        assert it.warnings() == before
        return
    for curve in curves:
        curve.extrapolation = "CONSTANT"
    assert [line for line in it.warnings() if "off at frame" in line] == before


@pytest.mark.skipif(bpy.app.version < (4, 4, 0), reason="actions have no slots")
@pytest.mark.parametrize("game", ["lba", "oni", "oni2"])
def test_a_further_slot_that_is_shorter_than_the_first(part: Part, tmp_path: Path, game: str) -> None:
    """To end the range would cut the first one: a key at its end makes the second as long."""
    it = Stage(part, game, tmp_path)
    it.action.use_cyclic = True
    end, own = it.action.frame_end, list(it.compat.curves(it.action, it.obj))
    bag: Any = it.action.layers[0].strips[0]
    others = bag.channelbag(it.action.slots.new("OBJECT", "second"), ensure=True).fcurves
    for curve in own:
        other = others.new(curve.data_path, index=curve.array_index)
        for point in curve.keyframe_points:
            if point.co[0] <= end / 2:
                other.keyframe_points.insert(*point.co).interpolation = "LINEAR"
    (line,) = [line for line in it.warnings(source="ALL") if "frame range" in line]
    assert f"second: its frame range ends at frame {end:g}, and the game goes on with the loop at frame " in line
    assert line.endswith(f": put a key of it at frame {end:g}, if it is to be as long")
    for curve, other in zip(own, others, strict=True):
        for point in curve.keyframe_points:
            if point.co[0] >= end - 1:
                other.keyframe_points.insert(*point.co).interpolation = "LINEAR"
    assert not any("frame range" in line for line in it.warnings(source="ALL"))


def test_a_loop_whose_frame_range_begins_earlier(part: Part, tmp_path: Path) -> None:
    """With what leads to it, or before the clip: the game repeats what it did."""
    it = Stage(part, "lba", tmp_path)
    it.action["lba_loop_frame"] = 2
    assert OPS.retro_anim.refit_loop() == {"FINISHED"}
    loop = it.action.frame_start
    for start in (1, -9):
        it.action.frame_start = start
        (line,) = [line for line in it.warnings() if "frame range" in line]
        assert f"begins at frame {start}, and the game repeats it from frame {loop:g}: begin the range there, or set" in line
    it.action.frame_start = loop
    assert it.warnings() == []
