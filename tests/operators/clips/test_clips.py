"""The clips of a character in the side panel: which they are, playing, editing and saving them."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import bpy as blender
import pytest
from mathutils import Matrix, Vector
from support.blender_layout import Layout

bpy: Any = blender
OPS: Any = bpy.ops
SAMPLES = Path(__file__).resolve().parents[3] / "samples"
Part = Callable[[str], ModuleType]


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """The sample game of LBA1: a mannequin with four clips."""
    shutil.copytree(SAMPLES / "lba1", tmp_path / "lba1", copy_function=shutil.copyfile)
    return tmp_path / "lba1" / "ANIM.HQR"


@pytest.fixture
def obj(archive: Path) -> Any:
    assert OPS.import_anim.lba(filepath=str(archive), entities="0", ask=True) == {"FINISHED"}
    return bpy.context.view_layer.objects.active


def names(part: Part, obj: Any) -> list[str]:
    return [action.name for action in part("operators.clips").clips_of(obj)]


def active(obj: Any) -> Any:
    return obj.animation_data.action


def edit(part: Part, action: Any) -> None:
    """As an animator moves one key, and Blender takes notice."""
    curve = next(curve for curve in part("io.blender.compat").curves(action) if curve.data_path.endswith("rotation_euler"))
    curve.keyframe_points[1].co.y += 0.5
    curve.update()
    action.update_tag()
    bpy.context.view_layer.update()


def test_the_clips_are_those_of_the_character(part: Part, obj: Any) -> None:
    assert OPS.import_anim.oni(filepath=str(SAMPLES / "oni/TRAMmannequin_walk.oni")) == {"FINISHED"}
    own = names(part, obj)
    assert len(own) == 4 and len(names(part, bpy.context.view_layer.objects.active)) == 1
    bpy.context.view_layer.objects.active = obj
    filtered, _ = part("operators.clips.operators").RETRO_ANIM_UL_clips.filter_items(
        type("List", (), {"filter_name": "", "bitflag_filter_item": 1 << 30, "use_filter_invert": False})(),
        bpy.context,
        bpy.data,
        "actions",
    )
    assert [action.name for action, left in zip(bpy.data.actions, filtered, strict=True) if left] == own


def test_clips_are_listed_as_people_count(part: Part, obj: Any) -> None:
    for number, action in zip((10, 9, 1, 2), list(part("operators.clips").clips_of(obj)), strict=True):
        action.name = f"{obj.name} {number} clip"
    own = [f"{obj.name} {number} clip" for number in (1, 2, 9, 10)]
    assert names(part, obj) == own
    bpy.data.actions.new("a further one")
    shown = type("List", (), {"filter_name": "", "bitflag_filter_item": 1, "use_filter_invert": False})()
    flags, positions = part("operators.clips.operators").RETRO_ANIM_UL_clips.filter_items(shown, bpy.context, bpy.data, "actions")
    by_position = {position: action.name for position, action, flag in zip(positions, bpy.data.actions, flags, strict=True) if flag}
    assert [by_position[position] for position in range(4)] == own and sorted(positions) == list(range(5))


def test_a_clip_that_was_renamed_stands_where_its_shown_name_does(part: Part, obj: Any) -> None:
    """The list shows the names of the others without that of their character."""
    for name, action in zip(("b", "d", "a", "e"), list(part("operators.clips").clips_of(obj)), strict=True):
        action.name = f"{obj.name} {name}"
    bpy.data.actions[f"{obj.name} e"].name = "c"
    short = part("operators.shared.clip_names").short_name
    assert [short(action, obj) for action in part("operators.clips").clips_of(obj)] == ["a", "b", "c", "d"]


def test_a_file_of_its_own_has_no_entry(part: Part, obj: Any, archive: Path) -> None:
    action, names = active(obj), part("operators.clips.names")
    own = action.retro_anim_goes_to_entry
    assert names.goes_to(action, 12) == f"#{own}" and own.isdigit()
    action.retro_anim_goes_to_file = str(archive.with_name("other.anm"))
    assert (names.goes_to(action, 12), action.retro_anim_goes_to_entry) == ("other.anm", "")
    action.retro_anim_goes_to_file = str(archive.with_name("OTHER.HQR"))
    assert (names.goes_to(action, 12), action.retro_anim_goes_to_entry) == (f"#{own}", own)


@pytest.mark.parametrize(
    ("width", "shown"), [(160, ""), (217, ""), (280, "…anm"), (340, "a long name of…"), (600, "a long name of a file.anm")]
)
def test_a_narrow_list_has_room_for_the_names_of_clips_first(
    part: Part, obj: Any, archive: Path, width: int, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And a wide one for the whole name of their file."""
    action, listed, drawn = active(obj), part("operators.clips.operators"), list[Any]()
    action.name = f"{obj.name} a walk"
    action.retro_anim_goes_to_file = str(archive.with_name("a long name of a file.anm"))
    monkeypatch.setattr(listed, "animated", lambda context: obj)
    context = SimpleNamespace(region=SimpleNamespace(width=width))
    listed.RETRO_ANIM_UL_clips.draw_item(None, context, Layout(drawn), None, action, 0, None, "")
    assert drawn[:2] == ["retro_anim_ticked", "a walk"] and drawn[2:-1][1:] == ([shown] if shown else [])
    assert len(drawn) == (5 if shown else 2), "the mark, and before it frames and file"


@pytest.mark.parametrize(("state", "icon"), [("", "NONE"), ("unchanged", "NONE"), ("edited", "GREASEPENCIL"), ("refused", "CANCEL")])
def test_in_a_narrow_list_what_asks_for_nothing_takes_no_room_from_the_names(
    part: Part, obj: Any, state: str, icon: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    action, listed, icons = active(obj), part("operators.clips.operators"), list[str]()
    monkeypatch.setattr(part("operators.clips.states"), "state", lambda action: state)
    monkeypatch.setattr(listed, "animated", lambda context: obj)

    class Line(Layout):
        def row(self, *_: Any, **__: Any) -> Line:
            return self

        def label(self, text: str = "", icon: str = "NONE", **_: Any) -> None:
            icons.append(icon)

    context = SimpleNamespace(region=SimpleNamespace(width=150))
    listed.RETRO_ANIM_UL_clips.draw_item(None, context, Line([]), None, action, 0, None, "")
    assert icons == [icon]


def test_a_clip_of_no_file_leaves_its_name_the_room(part: Part, obj: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    action, listed, drawn = bpy.data.actions.new(f"{obj.name} a new one"), part("operators.clips.operators"), list[Any]()
    monkeypatch.setattr(listed, "animated", lambda context: obj)
    context = SimpleNamespace(region=SimpleNamespace(width=280))
    listed.RETRO_ANIM_UL_clips.draw_item(None, context, Layout(drawn), None, action, 0, None, "")
    assert drawn[:2] == ["retro_anim_ticked", "a new one"] and len(drawn) == 4, "frames and the mark, and no empty label between them"


@pytest.mark.parametrize(("width", "kinds"), [(280, ("row", "column", "row", "row")), (217, ("column", "row", "column", "column"))])
def test_in_a_narrow_panel_the_list_has_the_whole_width(part: Part, obj: Any, archive: Path, width: int, kinds: tuple[str, ...]) -> None:
    """Its buttons are below it, and those with labels below each other."""
    drawn_in: dict[str, str] = {}

    class Within(Layout):
        kind = ""

        def _of(self, kind: str) -> Within:
            inner = Within(self.drawn)
            object.__setattr__(inner, "kind", kind)
            return inner

        def column(self, *_: Any, **__: Any) -> Within:
            return self._of("column")

        def row(self, *_: Any, **__: Any) -> Within:
            return self._of("row")

        def template_list(self, *_: Any, **__: Any) -> None:
            drawn_in["list"] = self.kind

        def operator(self, name: str, *_: Any, **__: Any) -> Any:
            drawn_in[name.partition(".")[2]] = self.kind
            return SimpleNamespace()

    assert active(obj) is not None
    clips = part("operators.clips.panel").Clips()
    clips.layout = Within([])
    known = ("scene", "screen", "window_manager", "view_layer", "object", "active_object")
    context = SimpleNamespace(region=SimpleNamespace(width=width), **{name: getattr(bpy.context, name) for name in known})
    clips.draw(context)
    assert tuple(drawn_in[name] for name in ("list", "clip_new", "save_clips", "make_linear")) == kinds


def test_names_in_the_list_leave_that_of_the_character_out(part: Part, obj: Any) -> None:
    short = part("operators.shared.clip_names").short_name
    for source in ("Twinsen", "Twinsen, normal"):
        bpy.data.objects.new(source, bpy.data.armatures.new(source))
    for name, shown in (
        ("jump", "jump"),
        (f"{obj.name}_jump", "jump"),
        (f"{obj.name} jump", "jump"),
        (f"{obj.name}jump", f"{obj.name}jump"),
        (f"{obj.name} animation 42 + animation 143", "anim. 42 + anim. 143"),
        (f"{obj.name} animation of mine", "animation of mine"),
        (f"someone jump on {obj.name}", "someone jump"),
        (f"someone jump on {obj.name}.001", "someone jump.001"),
        (f" on {obj.name}", f" on {obj.name}"),
        (f"{obj.name}.001", f"{obj.name}.001"),
        (f"Twinsen.001 on {obj.name}", "Twinsen.001"),
        (f"{obj.name}|{obj.name}|jump on {obj.name}", "jump"),
        ("nobody|jump", "nobody|jump"),
        (f"Twinsen, normal jump on {obj.name}.001", "jump of Twinsen, normal.001"),
        (f"Twinsen, normal jump on {obj.name}", "jump of Twinsen, normal"),
        ("Twinsen, normal jump", "Twinsen, normal jump"),
    ):
        action = active(obj)
        action.name = name
        assert short(action, obj) == shown
    active(obj).name = obj.name
    assert short(active(obj), obj) == obj.name
    obj.name, active(obj).name = "second.001", "Twinsen jump on second.001"
    assert short(active(obj), obj) == "jump of Twinsen", "the number is the character's"
    active(obj).name = "second jump.002"
    assert short(active(obj), obj) == "jump.002", "of a character that came in once more"


def test_names_of_oni_in_the_list_leave_the_kind_of_file_out(part: Part) -> None:
    assert OPS.import_anim.oni(filepath=str(SAMPLES / "oni" / "TRAMmannequin_walk.oni")) == {"FINISHED"}
    obj = bpy.context.view_layer.objects.active
    assert active(obj).name == "TRAMmannequin_walk"
    assert part("operators.shared.clip_names").short_name(active(obj), None) == "mannequin_walk"


def test_frames_in_the_list_are_those_that_are_shown(part: Part, obj: Any) -> None:
    frames, action = part("operators.clips.names").frames, active(obj)
    action.use_frame_range = True
    action.frame_start, action.frame_end, action.use_cyclic = 1, 1, False
    assert frames(action) == 1
    action.frame_end, action.use_cyclic = 41, True
    assert frames(action) == 40


def test_a_file_that_is_not_written_is_refused_with_one_that_is(obj: Any, tmp_path: Path) -> None:
    action = active(obj)
    action.name, action.retro_anim_goes_to_file = "a/clip", str(tmp_path / "level.dat")
    with pytest.raises(
        RuntimeError, match=r"a/clip goes to level\.dat, which is not written: choose another file, such as a_clip\.anm, under"
    ):
        OPS.retro_anim.save_clips()
    action.retro_anim_goes_to_file = tmp_path.anchor
    with pytest.raises(RuntimeError, match=r"a/clip goes to \S+, which is not written"):
        OPS.retro_anim.save_clips()


def test_what_goes_elsewhere_is_not_as_in_its_file(part: Part, obj: Any) -> None:
    states, action = part("operators.clips.states"), active(obj)
    own = action.retro_anim_goes_to_entry
    action.retro_anim_goes_to_entry = "new"
    assert states.state(action) == "new"
    action.retro_anim_goes_to_entry = "2"
    assert states.state(action) == "edited"
    action.retro_anim_goes_to_entry = own
    assert states.state(action) == "unchanged"


def test_saved_at_another_rate_it_is_said_how_much_longer_it_is(part: Part, tmp_path: Path) -> None:
    """Each keyframe takes twice the time in a scene of half the rate; the first 16 bits of a keyframe are its duration."""
    file = Path(shutil.copyfile(SAMPLES / "lba1" / "walk.anm", tmp_path / "walk.anm"))

    def durations() -> list[int]:
        data = file.read_bytes()
        count, bones = (int.from_bytes(data[at : at + 2], "little") for at in (0, 2))
        starts = (8 + frame * (8 + 8 * bones) for frame in range(1, count))
        return [int.from_bytes(data[at : at + 2], "little") for at in starts]

    before = durations()
    assert OPS.import_anim.lba(filepath=str(file), fps_mode="SET") == {"FINISHED"}
    bpy.context.scene.render.fps = 25
    with part("core.reporting.log").collect() as said:
        part("io.pipeline.out_of_blender.saving").save(bpy.context, [active(bpy.context.view_layer.objects.active).name])
    assert durations() == [2 * each for each in before]
    texts = [message.text for message in said.of("WARNING")]
    assert any("written as the scene plays it, 2 times as long: give the scene 50 again" in text for text in texts)
    assert not any("rate of the import counts" in message.text for message in said.messages)


def test_a_copy_saved_unedited_to_where_its_original_is_stays_a_copy(part: Part, obj: Any) -> None:
    original = active(obj)
    OPS.retro_anim.clip_duplicate()
    copy = active(obj)
    assert OPS.retro_anim.save_clips() == {"FINISHED"}
    assert part("io.pipeline.destination.targets").original_of(copy) == original


def test_a_copy_saved_to_where_its_original_is_makes_that_another_clip_than_the_file_has(part: Part, obj: Any, archive: Path) -> None:
    """Until both are alike, or the original is saved."""
    state, original = part("operators.clips.states").state, active(obj)
    OPS.retro_anim.clip_duplicate()
    copy = active(obj)
    assert OPS.retro_anim.save_clips() == {"FINISHED"}
    assert state(original) == state(copy) == "unchanged", "they are alike"
    edit(part, copy)
    assert OPS.export_anim.lba(filepath=str(archive), source="ACTIVE", overwrite=True) == {"FINISHED"}
    assert (state(original), state(copy)) == ("edited", "unchanged")


def test_next_and_previous(part: Part, obj: Any) -> None:
    own = names(part, obj)
    shown = [active(obj).name]
    for _ in own:
        OPS.retro_anim.clip_step(step=1)
        shown.append(active(obj).name)
    assert sorted(shown[:4]) == own and shown[4] == shown[0]
    OPS.retro_anim.clip_step(step=-1)
    assert active(obj).name == shown[3]


def test_a_click_in_the_list_shows_the_clip_and_its_loop(part: Part, obj: Any) -> None:
    """The preview range goes with it, since nothing was animated before the import."""
    scene, manager = bpy.context.scene, bpy.context.window_manager
    bpy.context.view_layer.update()
    other = next(action for action in part("operators.clips").clips_of(obj) if action != active(obj))
    manager.retro_anim_clip = bpy.data.actions.find(other.name)
    bpy.context.view_layer.update()
    assert active(obj) == other and manager.retro_anim_clip == bpy.data.actions.find(other.name)
    played = part("io.pipeline.loops.playing").played(other)
    assert (scene.frame_preview_start, scene.frame_preview_end, scene.frame_current) == (played.start, played.end, played.first)


def test_the_next_clip_of_a_character_that_is_out_of_sight_is_in_view(obj: Any) -> None:
    window = bpy.context.window_manager.windows[0]
    area = next(area for area in window.screen.areas if area.type == "VIEW_3D")
    obj.delta_location = (500, 0, 0)
    bpy.context.view_layer.update()
    view = area.spaces.active.region_3d
    with bpy.context.temp_override(window=window, area=area, region=area.regions[-1]):
        OPS.retro_anim.clip_step(step=1)
    assert (view.view_location - Vector((500, 0, 0))).length < 5


class View:
    """A viewport from above, without perspective: it shows `view_distance` to each side of `view_location`."""

    view_perspective, is_perspective = "ORTHO", False

    def __init__(self, middle: tuple[float, float, float], distance: float) -> None:
        self.view_location: Any = Vector(middle)
        self.view_distance = distance

    @property
    def window_matrix(self) -> Any:
        return Matrix.Diagonal((1 / self.view_distance, 1 / self.view_distance, -0.001, 1))

    @property
    def perspective_matrix(self) -> Any:
        return self.window_matrix @ Matrix.Translation(-self.view_location)


def test_a_character_that_a_clip_has_out_of_sight_comes_into_view(part: Part, obj: Any) -> None:
    """All that is played, from where it starts to where its loop ends; a view of any part of it stays as it is."""
    scene, bring_back = bpy.context.scene, part("operators.shared.framing").bring_back
    curves = {curve.array_index: curve for curve in part("io.blender.compat").curves(active(obj)) if curve.data_path == "location"}
    for key in curves[0].keyframe_points:
        key.co.y += 0.5 * key.co.x
    curves[0].update()
    played, shown = part("io.pipeline.loops.playing").played(active(obj)), scene.frame_current
    scene.frame_set(played.end)
    last = [obj.matrix_world @ bone.head for bone in obj.pose.bones]
    scene.frame_set(shown)
    first = [obj.matrix_world @ bone.head for bone in obj.pose.bones]
    beside, near = View((-300, 0, 0), 2.0), View(tuple(first[0]), 1000.0)
    for view in (beside, near):
        bring_back(SimpleNamespace(scene=scene, space_data=SimpleNamespace(type="VIEW_3D", region_3d=view)), obj, played)
    assert (near.view_location, near.view_distance, scene.frame_current) == (first[0], 1000.0, shown)
    assert max(abs(number) for point in (*first, *last) for number in (beside.perspective_matrix @ point)[:2]) <= 1.001
    assert (last[0] - first[0]).length / 2 < beside.view_distance < (last[0] - first[0]).length


def test_the_preview_range_goes_with_a_clip_that_is_chosen_while_blender_plays(part: Part, obj: Any) -> None:
    """Playback takes a new action in with its next frame, and says nothing of it but that frame."""
    scene = bpy.context.scene
    bpy.context.view_layer.update()
    other = next(action for action in part("operators.clips").clips_of(obj) if action.frame_range[1] != active(obj).frame_range[1])
    obj.animation_data.action = other
    frame = scene.frame_current + 1
    scene.frame_set(frame)
    played = part("io.pipeline.loops.playing").played(other)
    assert (scene.frame_preview_start, scene.frame_preview_end, scene.frame_current) == (played.start, played.end, frame)


def test_the_preview_range_of_a_new_clip_goes_with_its_keys(obj: Any) -> None:
    scene = bpy.context.scene
    bpy.context.view_layer.update()
    scene.frame_set(7)
    OPS.retro_anim.clip_new()
    bpy.context.view_layer.update()
    assert (scene.use_preview_range, scene.frame_current) == (False, 7), "there is nothing to repeat yet"
    for frame in (7, 31):
        scene.frame_set(frame)
        obj.pose.bones[1].keyframe_insert("rotation_euler")
        bpy.context.view_layer.update()
    shown = scene.use_preview_range, scene.frame_preview_start, scene.frame_preview_end, scene.frame_current
    assert shown == (True, 7, 31, 31)


def test_the_preview_range_stays_where_it_shall_not_follow(part: Part, obj: Any) -> None:
    scene = bpy.context.scene
    bpy.context.view_layer.update()
    scene.retro_anim_follows = False
    scene.frame_preview_start, scene.frame_preview_end = 3, 5
    OPS.retro_anim.clip_step(step=1)
    bpy.context.view_layer.update()
    assert (scene.frame_preview_start, scene.frame_preview_end) == (3, 5)


def test_new_duplicate_and_delete(part: Part, obj: Any) -> None:
    before = names(part, obj)
    OPS.retro_anim.clip_duplicate()
    copy = active(obj)
    assert len(names(part, obj)) == 5 and copy.name not in before
    assert OPS.retro_anim.clip_delete() == {"FINISHED"}
    assert names(part, obj) == before and active(obj).name in before
    OPS.retro_anim.clip_new()
    assert active(obj).name not in before and len(names(part, obj)) == 5
    for _ in range(5):
        OPS.retro_anim.clip_delete()
    assert names(part, obj) == [] and active(obj) is None
    assert not OPS.retro_anim.clip_delete.poll() and not OPS.retro_anim.clip_step.poll()


def test_what_is_edited_is_marked(part: Part, obj: Any) -> None:
    states, action = part("operators.clips.states"), active(obj)
    bpy.context.view_layer.update()
    for frame in (3, 9):
        bpy.context.scene.frame_set(frame)
    assert {states.state(each) for each in part("operators.clips").clips_of(obj)} == {"unchanged"}
    edit(part, action)
    assert states.state(action) == "edited"
    OPS.retro_anim.what_would_change(source="ALL")
    assert states.state(action) == "changed"


def test_what_an_export_wrote_is_as_in_its_file_until_that_is_restored(part: Part, obj: Any, archive: Path) -> None:
    states, action = part("operators.clips.states"), active(obj)
    other = next(clip for clip in part("operators.clips").clips_of(obj) if clip != action)
    bpy.context.view_layer.update()
    edit(part, action)
    assert OPS.export_anim.lba(filepath=str(archive), source="ALL", dry_run=True) == {"FINISHED"}
    assert states.state(action) == "edited"
    assert OPS.export_anim.lba(filepath=str(archive), source="ALL") == {"FINISHED"}
    assert (states.state(action), states.state(other)) == ("unchanged", "unchanged")
    assert OPS.retro_anim.restore(filepath=str(archive)) == {"FINISHED"}
    assert (states.state(action), states.state(other)) == ("", ""), "What Would Change says it"


def test_a_clip_that_no_file_can_take_is_saved_where_its_exporter_asks_for(part: Part, obj: Any, tmp_path: Path) -> None:
    clips, homes, action = part("operators.clips.saving"), part("io.pipeline.out_of_blender.clips_by_file"), active(obj)
    game = part("core.games").GAMES["lba"]
    assert homes.has_home(game, action) and clips.RETRO_ANIM_OT_save_clips._asked(None, bpy.context) is None
    action.retro_anim_goes_to_file = str(tmp_path / "level.dat")
    assert not homes.has_home(game, action)
    assert part("operators.files.exporter")._suggested(action, (".anm",)) == str(tmp_path / f"{action.name}.anm")
    OPS.retro_anim.clip_new()
    assert (
        not homes.has_home(game, active(obj))
        and part("operators.files.exporter")._suggested(active(obj), (".anm",)) == f"{active(obj).name}.anm"
    )


def test_save_writes_the_one_clip_to_its_entry(part: Part, obj: Any, archive: Path, entry: Callable[[Path, int], bytes]) -> None:
    before = [entry(archive, index) for index in range(4)]
    first = active(obj)
    edit(part, first)
    OPS.retro_anim.clip_step(step=1)
    edit(part, active(obj))
    bpy.context.view_layer.objects.active = obj
    part("operators.clips").make_active(bpy.context, first)
    assert OPS.retro_anim.save_clips() == {"FINISHED"}
    own = part("io.blender.source_data").entry_of(first)
    assert [index for index in range(4) if entry(archive, index) != before[index]] == [own]
    first.name = "called otherwise"
    assert part("operators.clips.states").state(first) == "unchanged"


def test_save_ticked_leaves_out_the_others(part: Part, obj: Any, archive: Path, entry: Callable[[Path, int], bytes]) -> None:
    before = [entry(archive, index) for index in range(4)]
    clips = part("operators.clips").clips_of(obj)
    for action in clips:
        edit(part, action)
    OPS.retro_anim.clips_tick(all_clips=False)
    with pytest.raises(RuntimeError, match="tick clips"):
        OPS.retro_anim.save_clips(ticked=True)
    ticked = clips[1:3]
    for action in ticked:
        action.retro_anim_ticked = True
    assert OPS.retro_anim.save_clips(ticked=True) == {"FINISHED"}
    entries = sorted(part("io.blender.source_data").entry_of(action) for action in ticked)
    assert [index for index in range(4) if entry(archive, index) != before[index]] == entries


def test_each_of_the_two_buttons_that_tick_says_what_it_does(obj: Any) -> None:
    tick = getattr(bpy.types, "RETRO_ANIM_OT_clips_tick")  # noqa: B009 - the stubs know no operators of ours
    said = [tick.description(bpy.context, SimpleNamespace(all_clips=every)) for every in (True, False)]
    assert said == ["Tick all clips of the character", "Untick all clips of the character"]


@pytest.mark.parametrize(
    ("name", "values", "said"),
    [
        (
            "clip_step",
            [{"step": 1}, {"step": -1}],
            ["Show the next clip of the character", "Show the clip of the character before this one"],
        ),
        ("save_clips", [{"ticked": True}, {"ticked": False}], ["Write all ticked clips", ""]),
    ],
)
def test_two_buttons_of_one_operator_each_say_what_they_do(obj: Any, name: str, values: Any, said: list[str]) -> None:
    """An empty text is the operator's own."""
    kind = getattr(bpy.types, f"RETRO_ANIM_OT_{name}")
    assert [kind.description(bpy.context, SimpleNamespace(**each)).partition(",")[0] for each in values] == said


def test_ticked_clips_are_a_source_of_exports(obj: Any, part: Part, tmp_path: Path) -> None:
    clips = part("operators.clips").clips_of(obj)
    OPS.retro_anim.clips_tick(all_clips=False)
    (tmp_path / "out").mkdir()
    for ticked in (clips[1:3], clips[3:]):
        for action in clips:
            action.retro_anim_ticked = action in ticked
        before = {path.stem for path in (tmp_path / "out").iterdir()}
        assert OPS.export_anim.lba(filepath=str(tmp_path / "out" / "any.anm"), source="TICKED") == {"FINISHED"}
        names = {action.name for action in ticked} if len(ticked) > 1 else {"any"}
        assert {path.stem for path in (tmp_path / "out").iterdir()} - before == names
    for action in clips:
        action.retro_anim_ticked = False
    with pytest.raises(RuntimeError, match="no clip is ticked"):
        OPS.export_anim.lba(filepath=str(tmp_path / "out" / "none.anm"), source="TICKED")


def test_loose_clips_go_back_to_their_own_files(part: Part, tmp_path: Path, chain: Path) -> None:
    files = [tmp_path / f"{name}.anm" for name in ("first", "second")]
    for path in files:
        path.write_bytes((chain / "chain.anm").read_bytes())
    OPS.import_anim.lba(directory=str(tmp_path), files=[{"name": path.name} for path in files], game="lba1", ask=True)
    before = files[0].read_bytes()
    edit(part, bpy.data.actions["second"])
    assert OPS.retro_anim.save_clips(ticked=True) == {"FINISHED"}
    assert files[0].read_bytes() == before != files[1].read_bytes()


def test_what_has_no_file_is_refused(part: Part, obj: Any, archive: Path) -> None:
    before = archive.read_bytes()
    OPS.retro_anim.clip_new()
    with pytest.raises(RuntimeError, match="has no file yet"):
        OPS.retro_anim.save_clips()
    assert archive.read_bytes() == before


def test_a_character_whose_clips_are_one_file(part: Part, tmp_path: Path) -> None:
    """Tales of Pirates: the clip goes back into the skeleton's file."""
    shutil.copytree(SAMPLES / "mindpower", tmp_path / "client", copy_function=shutil.copyfile)
    path = tmp_path / "client" / "animation" / "0001.lab"
    OPS.import_anim.mindpower(filepath=str(path))
    before = path.read_bytes()
    assert OPS.retro_anim.save_clips() == {"FINISHED"}
    assert path.read_bytes() == before


def test_clips_retargeted_to_a_rig_of_no_game_are_its_clips(part: Any) -> None:
    rig = bpy.data.objects.new("own", bpy.data.armatures.new("own"))
    retargeted, other = bpy.data.actions.new("a"), bpy.data.actions.new("b")
    retargeted["retro_anim_target"], other["retro_anim_target"] = "own", "another"
    assert part("operators.clips").clips_of(rig) == [retargeted]


def test_a_clip_that_is_chosen_in_the_list_is_a_step_of_undo(part: Part, obj: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blender takes none by itself; without one Ctrl+Z takes back what was done before, too. What is shown already is none."""
    operators, later, steps = part("operators.clips.operators"), list[Callable[[], None]](), list[str]()
    timers = SimpleNamespace(register=lambda function, first_interval: later.append(function))
    blender = SimpleNamespace(app=SimpleNamespace(background=False, timers=timers), context=bpy.context, data=bpy.data)
    monkeypatch.setattr(operators, "bpy", blender)
    monkeypatch.setattr(operators.modal, "push_undo", lambda _in_window, message: steps.append(message))
    other = next(each for each in part("operators.clips").clips_of(obj) if each != active(obj))
    for _ in range(2):
        operators._set_index(None, bpy.data.actions.find(other.name))
        assert active(obj) == other
    for push in later:
        push()
    assert steps == ["Show Clip"]


def test_who_saves_a_clip_of_a_rig_of_no_game_learns_where_it_stays(part: Part) -> None:
    """As one that was retargeted onto a rig of one's own."""
    rig = bpy.data.objects.new("rig", bpy.data.armatures.new("rig"))
    bpy.context.scene.collection.objects.link(rig)
    bpy.context.view_layer.objects.active = rig
    rig.keyframe_insert("location", frame=1)
    with pytest.raises(RuntimeError, match=r"a clip on another rig stays in the \.blend: retarget it onto one"):
        OPS.retro_anim.save_clips()
    assert OPS.retro_anim.what_would_change() == {"CANCELLED"}
