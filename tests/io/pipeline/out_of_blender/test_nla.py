"""The NLA is exported as it plays: speed, repeats, trims, direction, blending, muted tracks, and without an active action."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest

Part = Callable[[str], ModuleType]


class Nla:
    """The walk of LBA1 as strips."""

    def __init__(self, part: Part, fetch: Any, write: Any, anims: Path, folder: Path) -> None:
        imported = fetch(anims, entries="1", fps_mode="SET")
        self.part, self.write, self.folder = part, write, folder
        self.obj, self.action = imported.armatures[0], imported.actions[0]
        self.before = self.anm(part("core.lba.files.archive.hqr").Hqr.parse(anims.read_bytes()).read(1))
        self.obj.animation_data.action = None
        self.said: list[str] = []

    def anm(self, data: bytes) -> Any:
        return self.part("core.lba.files.anm").Anm.parse(data)

    def strip(self, name: str, start: int = 1, action: Any = None, **values: Any) -> Any:
        """On a track of its own, above the others."""
        track = self.obj.animation_data.nla_tracks.new()
        track.name = f"{name} track"
        strip = track.strips.new(name, start, action or self.action)
        for key, value in values.items():
            setattr(strip, key, value)
        return strip

    def export(self, **options: Any) -> dict[str, Any]:
        """What is written, by the name of the file."""
        with self.part("core.reporting.log").collect() as said:
            paths = self.write(self.folder / "out.anm", **{"source": "NLA", **options})
        self.said = said.digest("WARNING")
        return {Path(path).stem: self.anm(Path(path).read_bytes()) for path in paths}

    def shown(self, frame: float, bone: int) -> Any:
        """A bone's own rotation as Blender shows it, as a matrix."""
        bpy.context.scene.frame_set(int(frame), subframe=frame - int(frame))
        evaluated = self.obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
        return np.array(evaluated.pose.bones[f"group {bone:02d}"].matrix_basis)[:3, :3]


@pytest.fixture
def nla(part: Part, fetch: Any, write: Any, anims: Path, tmp_path: Path) -> Nla:
    folder = tmp_path / "written"
    folder.mkdir()
    return Nla(part, fetch, write, anims, folder)


def times(anm: Any) -> list[int]:
    return anm.times.tolist()


def test_a_strip_that_plays_its_action_as_it_is(nla: Nla) -> None:
    nla.strip("any name", 40, action_frame_start=1)
    assert [anm.pack() for anm in nla.export().values()] == [nla.before.pack()]
    assert not nla.said


def test_a_loop_that_keyframes_lead_to(nla: Nla) -> None:
    """A new strip plays what repeats, here from keyframe 1 on; keyframe 0, which leads to it, is the clip's as well, and that is said."""
    looped = nla.strip("run")
    assert (looped.action_frame_start, looped.action_frame_end) == (10, 46)
    assert [anm.pack() for anm in nla.export().values()] == [nla.before.pack()]
    (line,) = nla.said
    assert "run plays only what repeats, from frame 10 of the action on" in line and "set Frame Start of its action clip to 1" in line
    nla.action.use_cyclic = False
    (anm,) = nla.export(overwrite=True).values()
    assert times(anm)[:4] == [0, 9, 18, 27] and same(anm, nla.before, [1, 2, 3, 4][: len(anm.frames)])
    assert not any("what repeats" in line for line in nla.said)


def test_a_range_that_somebody_shortened(nla: Nla) -> None:
    """The strip plays to its end and no farther, and so does what is written."""
    nla.action.frame_end = 37
    part = nla.strip("part")
    assert (part.action_frame_start, part.action_frame_end) == (10, 37)
    (anm,) = nla.export().values()
    assert times(anm) == [0, 9, 18, 27] and same(anm, nla.before, [1, 2, 3, 4])
    assert not any("all of it is written" in line for line in nla.said), nla.said


def test_a_range_that_begins_behind_the_loop(nla: Nla) -> None:
    """The loop goes back to frame 10; of a range from the keyframe behind it on, the strip plays that part, and that part is written."""
    nla.action.frame_start = 19
    strip = nla.strip("later")
    assert (strip.action_frame_start, strip.action_frame_end) == (19, 46)
    (anm,) = nla.export().values()
    assert times(anm)[:3] == [0, 9, 18] and same(anm, nla.before, [2, 3, 4, 1][: len(anm.frames)])
    assert not any("what repeats" in line for line in nla.said), nla.said


def test_a_range_beyond_which_one_curve_does_not_go(nla: Nla) -> None:
    """It ends at keyframe 3 of 0 to 4, where a curve ends that lost its last keys; the others go on, and that is not written."""
    nla.action.use_cyclic = False
    nla.action.frame_start, nla.action.frame_end = 1, 28
    short = curve_of(nla, 5)
    while short.keyframe_points[-1].co[0] > 28:
        short.keyframe_points.remove(short.keyframe_points[-1])
    for curve in nla.part("io.blender.compat").curves(nla.action):
        while curve.keyframe_points[-1].co[0] > 37:  # those that close the loop
            curve.keyframe_points.remove(curve.keyframe_points[-1])
    part = nla.strip("part")
    assert (part.action_frame_start, part.action_frame_end) == (1, 28)
    (anm,) = nla.export().values()
    assert times(anm) == [0, 9, 18, 27] and same(anm, nla.before, [0, 1, 2, 3])


@pytest.mark.parametrize("values", [{"action_frame_end": 28}, {"repeat": 2.0}, {"use_reverse": True}, {"scale": 2.0}])
def test_a_curve_without_keys(nla: Nla, values: dict[str, Any]) -> None:
    """Which moves nothing, and is no key of what a strip plays either."""
    curve_of(nla, 5).keyframe_points.clear()
    nla.strip("part", action_frame_start=1, **values)
    (anm,) = nla.export().values()
    assert (anm.values[:, 5, 0] % 1024 == 0).all() and len(anm.frames) >= 4


def test_a_curve_of_samples(nla: Nla) -> None:
    """Of *Keys to Samples*, which a strip plays as it does keys: at half the speed a sample each second frame."""
    curve_of(nla, 5).convert_to_samples(1, 47)
    nla.strip("slow", action_frame_start=1, action_frame_end=37, scale=2.0)
    (anm,) = nla.export().values()
    whole = [times(anm).index(time) for time in (0, 18, 36, 54)]
    assert times(anm)[:3] == [0, 2, 4] and (anm.values[whole, 5] % 1024 == nla.before.values[:4, 5] % 1024).all()


def curve_of(nla: Nla, bone: int) -> Any:
    """The first rotation of a bone."""
    curves = nla.part("io.blender.compat").curves(nla.action)
    return next(each for each in curves if f'"group {bone:02d}"].rotation' in each.data_path and each.array_index == 0)


def same(anm: Any, before: Any, keyframes: list[int]) -> bool:
    """Whether all groups but the first are as in these keyframes."""
    return bool((anm.values[:, 1:] % 1024 == before.values[keyframes, 1:] % 1024).all())


def test_half_the_speed(nla: Nla) -> None:
    """A new strip plays the loop, which begins at keyframe 1 of 0 to 4; made longer, it plays the keyframe before as well."""
    actions = {action.name for action in bpy.data.actions}
    assert (times(nla.before), nla.before.loop_frame) == ([0, 9, 18, 27, 36], 1)
    strip = nla.strip("slow", scale=2.0)
    (anm,) = nla.export().values()
    assert times(anm) == [0, 18, 36, 54] and same(anm, nla.before, [1, 2, 3, 4]) and anm.loop_frame == 0
    strip.action_frame_start = 1
    (anm,) = nla.export(overwrite=True).values()
    assert times(anm) == [0, 18, 36, 54, 72] and same(anm, nla.before, [0, 1, 2, 3, 4]) and anm.loop_frame == 1
    assert (anm.steps == nla.before.steps).all()
    assert {action.name for action in bpy.data.actions} == actions and not nla.said


def test_one_action_in_two_strips_of_different_timing_is_two_clips(nla: Nla) -> None:
    nla.strip("walk", 1)
    nla.strip("slow", 100, scale=2.0)
    nla.strip("later", 300)
    written = nla.export()
    assert len(written) == 2 and written[nla.action.name].pack() == nla.before.pack()
    assert times(written["slow"]) == [0, 18, 36, 54] and same(written["slow"], nla.before, [1, 2, 3, 4])


def test_a_strip_with_the_name_of_its_action(nla: Nla) -> None:
    """It is not the one that plays the action as it is, which keeps the name."""
    name = nla.action.name
    nla.strip(name, 1, scale=2.0)
    nla.strip("plain", 200)
    written = nla.export()
    assert set(written) == {name, f"{name}.001"} and nla.action.name == name
    assert written[name].pack() == nla.before.pack() and times(written[f"{name}.001"]) == [0, 18, 36, 54]


def test_two_clips_of_one_action_do_not_go_to_one_entry(nla: Nla, anims: Path, part: Part) -> None:
    nla.strip("walk", 1)
    nla.strip("slow", 100, scale=2.0)
    before = anims.read_bytes()
    with pytest.raises(part("core.reporting.errors").RetroAnimError, match=r"slow did not come from an archive: .*'new'"):
        nla.write(anims, source="NLA")
    assert anims.read_bytes() == before


def test_repeats(nla: Nla) -> None:
    nla.strip("twice", repeat=2.0)
    (anm,) = nla.export().values()
    # The character goes back to where it began with each pass: its last frame before stands where it had come to.
    assert times(anm) == [0, 9, 18, 27, 35, 36, 45, 54, 63]
    kept = [0, 1, 2, 3, 5, 6, 7, 8]
    assert (anm.values[kept, 1:] % 1024 == nla.before.values[[1, 2, 3, 4, 1, 2, 3, 4], 1:] % 1024).all()
    assert anm.steps[5, 2] < -700 and anm.steps[[6, 7, 8], 2].tolist() == [240, 240, 240]


def test_a_trimmed_strip(nla: Nla) -> None:
    """It begins between keyframes."""
    strip = nla.strip("part")
    strip.action_frame_start, strip.action_frame_end = 6, 28
    (anm,) = nla.export().values()
    assert times(anm) == [0, 4, 13, 22]
    assert bool((anm.values[1:, 1:] % 1024 == nla.before.values[[1, 2, 3], 1:] % 1024).all())
    start, first, second = (each[3] for each in (anm.values[0], *nla.before.values[:2]))
    travel = (second.astype(float) - first + 512) % 1024 - 512
    assert np.abs((start - (first + travel * 5 / 9) + 512) % 1024 - 512).max() <= 1


def test_a_reversed_strip(nla: Nla) -> None:
    nla.strip("back", use_reverse=True)
    (anm,) = nla.export().values()
    assert times(anm)[:4] == [0, 9, 18, 27] and same(anm, nla.before, [1, 4, 3, 2, 1][: len(anm.frames)])
    assert anm.loop_frame == 0 and times(anm)[4:] in ([], [36]), "its end, which is as its beginning, closes the loop, or is a keyframe"


def test_a_reversed_strip_of_which_another_curve_goes_to_its_end(nla: Nla) -> None:
    """What closed the loop opens the strip, however often that plays, also where one bone has a usual key there: no loop is refitted."""
    for curve in nla.part("io.blender.compat").curves(nla.action):
        if '"group 03"' in curve.data_path:
            assert curve.keyframe_points[-1].co.x == 46
            curve.keyframe_points[-1].type = "KEYFRAME"
    nla.strip("back", action_frame_start=1, use_reverse=True, repeat=1.5)
    nla.export()
    assert not [line for line in nla.said if "Refit Loop" in line]


def test_influence_is_as_it_plays(nla: Nla) -> None:
    strip = nla.strip("half")
    strip.use_animated_influence = True
    strip.fcurves.find("influence").keyframe_points.insert(1, 0.5)
    (anm,) = nla.export().values()
    assert times(anm) == list(range(37))
    for keyframe in (1, 2, 3, 4):
        off = anm.values[9 * keyframe - 9, 3] - nla.before.values[keyframe, 3] / 2  # half of whole circles are half circles
        assert np.abs((off + 256) % 512 - 256).max() <= 1, keyframe


def test_a_stack_without_an_active_action(nla: Nla) -> None:
    """The upper strip adds to the lower one, and begins later."""
    nla.strip("walk", 1)
    top = nla.action.copy()
    nla.strip("more", 11, top, blend_type="ADD")
    (anm,) = nla.export(source="ACTIVE").values()
    last = nla.obj.animation_data.nla_tracks[1].strips[0].frame_end
    assert anm.times[-1] >= last - 2
    rules = nla.part("core.lba.files.variant").LBA1
    for index in (0, 8, 15, 30):
        frame = anm.times[index] + 1
        alpha, beta, gamma = anm.values[index, 3] * (2 * np.pi / rules.rotation)
        shown = nla.shown(float(frame), 3)
        assert np.isclose(np.trace(shown), np.trace(rotation(alpha, beta, gamma)), atol=0.03), frame
    with pytest.raises(nla.part("core.reporting.errors").RetroAnimError, match="name its entry, or 'new'"):
        nla.write(nla.folder / "out.hqr")


@pytest.mark.parametrize(
    ("blend", "expected"),
    [
        ("REPLACE", lambda lower, upper, share: lower + share * (upper - lower)),
        ("ADD", lambda lower, upper, share: lower + share * upper),
        ("SUBTRACT", lambda lower, upper, share: lower - share * upper),
        ("MULTIPLY", lambda lower, upper, share: lower * (1 - share + share * upper)),
    ],
)
def test_blending_by_hand(nla: Nla, blend: str, expected: Any) -> None:
    """Two strips that hold a bone still at 0.4 and at 0.6 radians, the upper one coming in over eight frames: each step of the numbers."""
    curves = nla.part("io.blender.compat").curves
    others = []
    for action, angle in ((nla.action, 0.4), (nla.action.copy(), 0.6)):
        for curve in (curve for curve in curves(action) if '"group 05"' in curve.data_path and "rotation" in curve.data_path):
            for point in curve.keyframe_points:
                point.co[1] = angle if curve.array_index == 0 else 0.0
            curve.update()
        others.append(action)
    nla.strip("lower", 1, others[0])
    nla.strip("upper", 1, others[1], blend_type=blend, blend_in=8)
    (anm,) = nla.export(source="ACTIVE").values()
    for index in (0, 2, 5, 8, 20):
        share = min(float(anm.times[index]) / 8, 1.0)
        angle = expected(0.4, 0.6, share) * 1024 / (2 * np.pi)
        numbers = (anm.values[index, 5].astype(float) + 512) % 1024 - 512
        assert np.abs(numbers - [angle, 0, 0]).max() <= 0.51, (blend, index)


@pytest.mark.parametrize("fps", [30, 60])
def test_a_stack_is_sampled_at_the_times_of_the_game(nla: Nla, fps: int) -> None:
    """At 60 frames a second two of them may lie in one fiftieth; at 30 none but each third is one of the game's times."""
    bpy.context.scene.render.fps = fps
    nla.strip("walk", 1)
    nla.strip("more", 4, nla.action.copy(), blend_type="ADD", blend_in=7)
    (anm,) = nla.export(source="ACTIVE").values()
    assert anm.durations[1:].min() >= 1 and len(anm.frames) > 20
    assert not any("between the game's own times" in line or "closing key" in line for line in nla.said)
    for index in range(0, len(anm.frames), 4):
        alpha, beta, gamma = anm.values[index, 3] * (2 * np.pi / 1024)
        shown = nla.shown(1 + float(anm.times[index]) * fps / 50, 3)  # this bone stands along the game's own axes
        assert np.abs(shown - rotation(alpha, beta, gamma)).max() < 0.01, index


def test_keys_within_one_unit_of_time_become_one(nla: Nla) -> None:
    """So fast that the game has one keyframe where Blender has two or three: it has the first, the last, and one each between."""
    nla.strip("fast", 1, action_frame_start=1, scale=0.05)
    (anm,) = nla.export().values()
    assert times(anm) == [0, 1, 2] and same(anm, nla.before, [0, 2, 4])
    assert any("from what is shown" in line for line in nla.said)


def test_a_strip_in_which_the_loop_s_first_keyframe_is_gone(nla: Nla) -> None:
    """Nothing of its loop can be mended in the action, which is as it was."""
    nla.strip("fast", 1, action_frame_start=1, scale=0.02)
    nla.export()
    lines = "\n".join(nla.said)
    assert "to which the loop goes back, is gone" in lines and "bake what it plays into an action of its own" in lines
    assert "Refit Loop" not in lines and "set Loop From" not in lines


def rotation(alpha: float, beta: float, gamma: float) -> Any:
    """Rx Rz Ry, as the game has it."""
    (ca, cb, cc), (sa, sb, sc) = np.cos([alpha, beta, gamma]), np.sin([alpha, beta, gamma])
    x = np.array([[1, 0, 0], [0, ca, -sa], [0, sa, ca]])
    y = np.array([[cb, 0, sb], [0, 1, 0], [-sb, 0, cb]])
    z = np.array([[cc, -sc, 0], [sc, cc, 0], [0, 0, 1]])
    return x @ z @ y


def test_one_strip_without_an_active_action(nla: Nla) -> None:
    nla.strip("walk", 30, action_frame_start=1)
    (anm,) = nla.export(source="ACTIVE").values()
    assert anm.pack() == nla.before.pack() and not nla.said


def test_muted_tracks_and_solo(nla: Nla, part: Part) -> None:
    nla.strip("walk", 1, action_frame_start=1)
    nla.strip("slow", 1, scale=2.0)
    tracks = nla.obj.animation_data.nla_tracks
    tracks[1].mute = True
    (anm,) = nla.export().values()
    assert anm.pack() == nla.before.pack() and len(nla.said) == 1 and "slow track does not play" in nla.said[0]
    tracks[1].mute, tracks[1].is_solo = False, True
    (anm,) = nla.export().values()
    assert times(anm) == [0, 18, 36, 54] and "walk track does not play" in nla.said[0]
    tracks[1].is_solo = False
    tracks[0].mute = tracks[1].mute = True
    with pytest.raises(part("core.reporting.errors").RetroAnimError, match="no action to export"):
        nla.export()


def test_root_motion_comes_along(nla: Nla) -> None:
    """Of a strip that is blended, and sampled for that."""
    nla.strip("walk", 1, blend_in=0.0, blend_type="COMBINE")
    (anm,) = nla.export().values()
    total = np.abs(nla.before.steps[1:].sum(axis=0))
    assert np.abs(np.abs(anm.steps[1:].sum(axis=0)) - total).max() <= 0.15 * total.max()


def test_the_scene_is_as_before(nla: Nla) -> None:
    nla.strip("walk", 1)
    nla.strip("more", 11, blend_type="ADD", influence=0.3)
    nla.obj.animation_data.action = nla.action
    if hasattr(nla.obj.animation_data, "action_slot"):
        nla.obj.animation_data.action_slot = nla.action.slots[0]
    bpy.context.scene.frame_set(7)

    def state() -> Any:
        data = nla.obj.animation_data
        strips = [(track.name, track.mute, track.is_solo, strip.name, strip.mute) for track in data.nla_tracks for strip in track.strips]
        return data.action, data.use_nla, strips, bpy.context.scene.frame_current, [action.name for action in bpy.data.actions]

    before = state()
    nla.export()
    assert state() == before
    assert any("more" in line for line in nla.said)


def test_the_tweak_mode_is_refused(nla: Nla, part: Part) -> None:
    strip = nla.strip("walk", 1)
    track = nla.obj.animation_data.nla_tracks[0]
    nla.obj.animation_data.nla_tracks.active = track
    strip.select = True
    nla.obj.animation_data.use_tweak_mode = True
    with pytest.raises(part("core.reporting.errors").RetroAnimError, match="tweak mode of the NLA: leave it first"):
        nla.export()


def test_two_strips_of_an_oni_action_are_two_records(part: Part, tmp_path: Path) -> None:
    """The second one is called after its strip, in the file and inside."""
    oni = part("io.oni")
    sample = Path(__file__).resolve().parent.parent.parent.parent.parent / "samples/oni/TRAMmannequin_walk.oni"
    imported = oni.import_oni(bpy.context, oni.ImportOptions((str(sample),), fps_mode="SET"))
    data = imported.armatures[0].animation_data
    data.action = None
    bpy.context.view_layer.objects.active = imported.armatures[0]
    data.nla_tracks.new().strips.new("walk", 1, imported.actions[0])
    data.nla_tracks.new().strips.new("slow", 200, imported.actions[0]).scale = 2.0
    paths = oni.export_oni(bpy.context, oni.ExportOptions(str(tmp_path / "out.oni"), source="NLA")).paths
    assert [Path(path).name for path in paths] == ["TRAMmannequin_walk.oni", "TRAMslow.oni"]
    first, second = (part("core.oni.files.documents").TramFile.parse(Path(path).read_bytes()).tram for path in paths)
    assert Path(paths[0]).read_bytes() == sample.read_bytes()
    assert second.name == "TRAMslow" and 1.9 * first.frame_count < second.frame_count < 2.1 * first.frame_count


def test_all_actions_are_not_what_a_faster_strip_plays(nla: Nla) -> None:
    nla.strip("as it is", 1)
    assert nla.export(source="ALL") and not nla.said
    nla.strip("fast", 100, scale=0.5)
    assert nla.export(source="ALL")
    (line,) = nla.said
    assert "fast" in line and "as it is" not in line and "source NLA" in line


def test_timeline_markers_divide_the_active_action(nla: Nla) -> None:
    """The walk has keyframes at frames 1, 10, 19, 28 and 37; each part is a clip of its own that begins where its marker stands."""
    nla.obj.animation_data.action = nla.action
    scene = bpy.context.scene
    with pytest.raises(nla.part("core.reporting.errors").ExportError, match="the timeline has no markers"):
        nla.export(source="MARKERS")
    for name, frame in (("second", 19), ("hidden", 19), ("first", 1), ("beyond", 400)):
        scene.timeline_markers.new(name, frame=frame)
    clips = nla.export(source="MARKERS")
    assert set(clips) == {"first", "second"}
    assert "the marker hidden is left out, as another one is on its frame, 19: move one of them" in nla.said[0]
    assert "from the marker beyond at frame 400 on, which is left out: move it before frame 46, the last key" in nla.said[1]
    assert times(clips["first"]) == [0, 9, 17] and same_at(clips["first"], nla.before, [0, 1])
    assert times(clips["second"])[:3] == [0, 9, 18] and same_at(clips["second"], nla.before, [2, 3, 4])
    assert nla.obj.animation_data.action == nla.action and [a for a in bpy.data.actions if a.name in clips] == []
    looks = nla.export(source="MARKERS", sampling="VISUAL")
    np.testing.assert_array_equal(looks["second"].values[:3, 1:] % 1024, nla.before.values[2:5, 1:] % 1024)


def same_at(anm: Any, before: Any, keyframes: list[int]) -> bool:
    """Whether the first keyframes are these, but for the first group, which carries the root motion."""
    return bool((anm.values[: len(keyframes), 1:] % 1024 == before.values[keyframes, 1:] % 1024).all())


def test_strips_that_are_hours_apart_are_refused_at_once(nla: Nla, part: Part) -> None:
    """Without an active action; sampled frame by frame, they would keep Blender busy for as long as they last."""
    nla.strip("first")
    nla.strip("pushed away", 1_000_000)
    errors = part("core.reporting.errors")
    with pytest.raises(errors.RetroAnimError, match=r"plays from frame 1 to .*, which is longer than any clip: .* pushed away, ends there"):
        nla.export(source="ACTIVE")
    assert not list(nla.folder.iterdir())


def test_a_marker_on_the_key_that_closes_a_loop(nla: Nla) -> None:
    """Is a pose."""
    nla.obj.animation_data.action = nla.action
    for name, frame in (("walk", 1), ("end", 46)):
        bpy.context.scene.timeline_markers.new(name, frame=frame)
    clips = nla.export(source="MARKERS")
    assert times(clips["end"]) == [0] and same_at(clips["end"], nla.before, [1])  # to which it goes back


REPEATED = [(19, False), (34, False), (241, False), (359, False), (44, True), (359, True)]
"""Entries of the second game, and whether only what repeats is played, or all of it."""


@pytest.mark.parametrize(("entry", "loop"), REPEATED)
def test_a_strip_that_plays_twice(entry: int, loop: bool, part: Part, fetch: Any, write: Any, game_file: Any, tmp_path: Path) -> None:
    """No line is about keys of it, which nobody can move; what is advised ends what is said of its loop."""
    imported = fetch(game_file("lba2/ANIM.HQR"), entries=str(entry), fps_mode="SET")
    obj, action = imported.armatures[0], imported.actions[0]
    obj.animation_data.action = None
    strip = obj.animation_data.nla_tracks.new().strips.new("twice", 1, action)
    if not loop:
        strip.action_frame_start, strip.action_frame_end = action.curve_frame_range

    def said() -> str:
        with part("core.reporting.log").collect() as log:
            write(tmp_path / "out.anm", source="NLA", overwrite=True)
        return "\n".join(log.digest("WARNING"))

    strip.repeat = 2
    lines = said()
    assert "move them to whole frames" not in lines and "Refit Loop" not in lines and "end the range there" not in lines
    assert ("set the strip's Repeat to 1" in lines) == loop
    strip.repeat = 1
    assert "Repeat to 1" not in said() and "Refit Loop" not in said()
