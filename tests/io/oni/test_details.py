"""What a TRAM says besides its motion: as properties and pose markers of its action, and edits of either are exported."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import bpy
import numpy as np
import pytest
from support.blender_layout import Layout
from support.sample_files import SAMPLES

OPS: Any = bpy.ops
Part = Callable[[str], ModuleType]


@pytest.fixture
def source(game_file: Callable[[str], Path], tmp_path: Path) -> Path:
    """The given file with every optional block."""
    shutil.copyfile(game_file("oni/instances/TRBSTESTbody.oni"), tmp_path / "TRBSTESTbody.oni")
    return shutil.copyfile(game_file("oni/instances/TRAMTESTrandom.oni"), tmp_path / "TRAMTESTrandom.oni")


@pytest.fixture
def action(source: Path) -> Any:
    OPS.import_anim.oni(filepath=str(source))
    return bpy.data.actions["TRAMTESTrandom"]


@pytest.fixture
def exported(part: Part, tmp_path: Path) -> Callable[[], Any]:
    def run() -> Any:
        out = tmp_path / "out.oni"
        assert OPS.export_anim.oni(filepath=str(out)) == {"FINISHED"}
        return part("core.oni.files.documents").TramFile.parse(out.read_bytes()).tram

    return run


def test_words_instead_of_numbers(action: Any) -> None:
    shown = action.oni_tram
    assert (shown.type, shown.from_state, shown.name) == ("Walk", "Standing", "TRAMTESTrandom")
    assert shown.direct_1 == "TRAMSHINZOMidle1_wiki"
    assert [step.type for step in shown.footsteps] == ["Left", "Right"]
    assert len(shown.attacks) == len(shown.particles) == len(shown.throw) == 1
    markers = {marker.name: marker.frame for marker in action.pose_markers}
    assert markers["attack 1 start"] == 1 + shown.attacks[0].start
    assert markers["footstep 2: Right"] == 1 + shown.footsteps[1].frame
    assert markers[f"shortcut 1: {shown.shortcuts[0].from_state}"] == 1 + shown.shortcuts[0].length
    assert markers[f"throw: {shown.throw[0].type}"] == 1
    assert not any(marker.select for marker in action.pose_markers)  # who moves one would move all


def test_edits_are_exported(action: Any, exported: Any, part: Part, source: Path) -> None:
    before = part("core.oni.files.documents").TramFile.parse(source.read_bytes()).tram
    shown = action.oni_tram
    shown.type, shown.flags, shown.final_rotation = "PunchHeavy", {"Attack", "NoTurn"}, np.pi / 2
    shown.attacks[0].hit_points = 33
    step = shown.footsteps.add()
    step.frame, step.type = 40, "Left"
    assert "footstep 3: Left" in action.pose_markers
    after = exported()
    assert (after.type, after.flags) == (52, 0x110)
    assert after.final_rotation == np.float32(np.pi / 2)
    assert after.attacks["hit_points"].tolist() == [33]
    assert after.footsteps.tolist()[2] == (40, 1)
    for name in ("rotations", "positions", "heights", "particles", "sounds", "throw"):
        same = part("core.files.document").same
        assert same(getattr(after, name), getattr(before, name)), name


def test_moved_markers_are_exported(action: Any, exported: Any) -> None:
    action.pose_markers["attack 1 start"].frame = 4
    after = exported()
    assert after.attacks["start"].tolist() == [3]
    assert action.oni_tram.attacks[0].start == 3
    assert after.extents["frame"][0] == 3  # reaches follow the attack
    action.oni_tram.attacks[0].start = 5
    assert action.pose_markers["attack 1 start"].frame == 6


def test_the_panel_follows_moved_markers(action: Any, part: Part, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blender tells nobody of it. Nothing may be written while a panel is drawn, nor while a marker is moved, which may be given up.
    Without a window nobody looks again."""
    panel = part("operators.oni.panel")
    action.pose_markers["footstep 2: Right"].frame = 50
    panel.Oni.draw(SimpleNamespace(layout=Layout([])), bpy.context)
    assert bpy.app.timers.is_registered(panel._look) and action.oni_tram.footsteps[1].frame != 49
    panel.unregister()
    assert not bpy.app.timers.is_registered(panel._look)
    with monkeypatch.context() as moving:
        window = SimpleNamespace(modal_operators=[SimpleNamespace(bl_idname="MARKER_OT_move")], screen=SimpleNamespace(areas=[]))
        manager = SimpleNamespace(windows=[window])
        moving.setattr(panel, "bpy", SimpleNamespace(context=SimpleNamespace(window_manager=manager)))
        assert panel._look() is None and action.oni_tram.footsteps[1].frame != 49
    assert panel._look() is None
    assert action.oni_tram.footsteps[1].frame == 49
    bpy.data.actions.remove(action)
    assert panel._look() is None


def test_other_frame_rates_and_starts(source: Path, part: Part, exported: Any) -> None:
    bpy.context.scene.render.fps = 24
    OPS.import_anim.oni(filepath=str(source), fps_mode="KEEP", frame_start=100)
    action = bpy.data.actions["TRAMTESTrandom"]
    before = part("core.oni.files.documents").TramFile.parse(source.read_bytes()).tram
    start = int(before.attacks["start"][0])
    assert action.pose_markers["attack 1 start"].frame == round(100 + start * 0.4)
    assert part("core.files.document").same(exported(), before)


def test_numbers_without_a_word_are_kept(source: Path, part: Part, exported: Any, tmp_path: Path) -> None:
    documents = part("core.oni.files.documents")
    document = documents.TramFile.parse(source.read_bytes())
    odd = tmp_path / "TRAModd.oni"
    odd.write_bytes(replace(document, tram=replace(document.tram, type=4711, flags=0xF0000010)).pack())
    OPS.import_anim.oni(filepath=str(odd))
    action: Any = bpy.data.actions["TRAMTESTrandom"]
    assert action.oni_tram.type == "OTHER"
    assert OPS.export_anim.oni(filepath=str(tmp_path / "out.oni")) == {"FINISHED"}
    assert (tmp_path / "out.oni").read_bytes() == odd.read_bytes()


def test_without_the_holder_the_details_are_still_there(action: Any, exported: Any, part: Part, source: Path) -> None:
    bpy.data.batch_remove(list(bpy.data.texts))
    before, after = part("core.oni.files.documents").TramFile.parse(source.read_bytes()).tram, exported()
    for name in ("type", "flags", "direct", "attacks", "footsteps", "particles", "sounds", "throw", "shortcuts", "self_damage", "impact"):
        assert part("core.files.document").same(getattr(after, name), getattr(before, name)), name


def test_what_does_not_fit_is_refused(action: Any, tmp_path: Path) -> None:
    action.oni_tram.impact = "a name that is too long"
    with pytest.raises(RuntimeError, match=r"Impact.*at most 15"):
        OPS.export_anim.oni(filepath=str(tmp_path / "out.oni"))
    assert not (tmp_path / "out.oni").exists()


def test_a_file_is_updated_in_place(source: Path, part: Part, tmp_path: Path) -> None:
    """An action that never was a TRAM takes everything but the motion from the file that it is written to."""
    OPS.import_anim.oni(filepath=str(tmp_path / "TRBSTESTbody.oni"))
    obj = bpy.context.object
    bpy.context.scene.render.fps = 60
    bone = obj.pose.bones["head"]
    for frame, rotation in ((1, 0.0), (31, 1.0)):
        bone.rotation_mode = "XYZ"
        bone.rotation_euler = (rotation, 0, 0)
        bone.keyframe_insert("rotation_euler", frame=frame)
    before = part("core.oni.files.documents").TramFile.parse(source.read_bytes()).tram
    OPS.export_anim.oni(filepath=str(source))
    after = part("core.oni.files.documents").TramFile.parse(source.read_bytes()).tram
    assert (after.frame_count, after.duration) == (31, 31)
    assert (after.name, after.type, after.direct) == (before.name, before.type, before.direct)
    assert part("core.files.document").same(after.sounds, before.sounds)


def test_rotation_modes_changed_after_import_change_nothing(source: Path, part: Part) -> None:
    OPS.import_anim.oni(filepath=str(source))
    obj = bpy.context.object
    for bone in obj.pose.bones:
        bone.rotation_mode = "ZXY"
    before = part("core.oni.files.documents").TramFile.parse(source.read_bytes()).tram
    pack = part("io.oni.pack")
    with part("core.reporting.log").collect() as said:
        packed = pack.pack_action(bpy.context, obj, obj.animation_data.action, pack.ExportOptions())
    assert packed.record.rotations == before.rotations
    (line,) = said.digest("WARNING")
    assert "bones (first: pelvis) is not that of the curves, which do nothing now" in line


def test_a_changed_damage_moves_no_reach(action: Any, exported: Any, part: Part, source: Path) -> None:
    before = part("core.oni.files.documents").TramFile.parse(source.read_bytes()).tram
    action.oni_tram.attacks[0].hit_points += 7
    after, same = exported(), part("core.files.document").same
    assert after.attacks["hit_points"][0] == before.attacks["hit_points"][0] + 7
    for name in ("attack_ring", "extents", "reach", "min_y", "max_y", "first_extent", "max_extent"):
        assert same(getattr(after, name), getattr(before, name)), name


def test_a_renamed_copy_is_a_new_instance(action: Any, part: Part, tmp_path: Path) -> None:
    copy = action.copy()
    copy.name = "my kick"
    bpy.context.object.animation_data.action = copy
    OPS.export_anim.oni(filepath=str(tmp_path / "new.oni"))
    assert part("core.oni.files.documents").TramFile.parse((tmp_path / "new.oni").read_bytes()).tram.name == "TRAMmy_kick"


@pytest.mark.parametrize("kind", ["level", "xml"])
def test_a_renamed_copy_of_whatever_file_is_a_new_instance(part: Part, tmp_path: Path, game_file: Any, kind: str) -> None:
    """Alone, twice, and with all other actions, beside the one that it is a copy of."""
    if kind == "xml":
        OPS.import_anim.oni(filepath=str(game_file("oni/xml/TRAMTESTrandom.xml")))
    else:
        OPS.import_anim.oni(filepath=str(game_file("oni/level/level1_Final.dat")), entries="TRAMTESTrandom")
    obj: Any = bpy.context.object
    first = obj.animation_data.action
    copy = first.copy()
    copy.name = "my kick"
    parse = part("core.oni.files.documents").TramFile.parse

    def name(path: Path) -> str:
        return parse(path.read_bytes()).tram.name

    obj.animation_data.action = copy
    for _ in range(2):
        OPS.export_anim.oni(filepath=str(tmp_path / "new.oni"))
        assert name(tmp_path / "new.oni") == "TRAMmy_kick"
    obj.animation_data.action = first
    (tmp_path / "all").mkdir()
    for _ in range(2):
        OPS.export_anim.oni(filepath=str(tmp_path / "all" / "x.oni"), source="ALL")
        assert sorted(path.name for path in (tmp_path / "all").iterdir()) == ["TRAMTESTrandom.oni", "TRAMmy_kick.oni"]
        assert {name(path) for path in (tmp_path / "all").iterdir()} == {"TRAMTESTrandom", "TRAMmy_kick"}


def test_the_rest_of_a_calculation_is_no_velocity(part: Part) -> None:
    velocities = part("core.oni.motion.update")._velocities(np.array([[-3.7e-18, 0.5], [0.25, 1e-12]]))
    assert velocities.tolist() == [(0.0, 0.5), (0.25, 0.0)]


@pytest.mark.parametrize("root_motion", ["BONE", "OBJECT"])
def test_what_the_object_does_is_the_pelvis(source: Path, part: Part, root_motion: str) -> None:
    """Where Blender shows the pelvis, and how it is turned, at every frame of the game."""
    OPS.import_anim.oni(filepath=str(source), root_motion=root_motion)
    obj: Any = bpy.context.object
    action = obj.animation_data.action
    obj.rotation_mode = "ZYX"
    last = int(action.frame_end)
    for frame, height, angle in ((1, 0.0, 0.0), (last, 0.5, 1.2)):
        obj.location[2], obj.rotation_euler = height, (0.2 * angle, 0, angle)
        obj.keyframe_insert("location", index=2, frame=frame)
        obj.keyframe_insert("rotation_euler", frame=frame)
    for curve in part("io.blender.compat").curves(action):
        for point in curve.keyframe_points:
            point.interpolation = "LINEAR"
    pack = part("io.oni.pack")
    record = pack.pack_action(bpy.context, obj, action, pack.ExportOptions()).record
    evaluate, rig = part("core.oni.motion.evaluate"), part("io.oni.build").read_rig(obj)[0]
    every = np.arange(record.frame_count, dtype=float)
    basis = rig.to_basis("quaternion", np.arange(len(rig.skeleton)), evaluate.local_rotations(evaluate.rotations_of(record), every))[:, 0]
    path = evaluate.root_path(record)
    for frame in range(record.frame_count):
        bpy.context.scene.frame_set(frame + 1)
        shown = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
        pelvis = np.array(shown.matrix_world @ shown.pose.bones["pelvis"].matrix)
        position = path[frame] @ np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]]) * obj.data["retro_anim_scale"]
        assert np.abs(pelvis[:3, 3] - position).max() < 2e-4
        rotated = rig.rest[0] @ part("core.motion.rotations.rotation_matrix").from_quaternion(basis[frame])
        assert np.abs(pelvis[:3, :3] - rotated).max() < 2e-3


def test_an_instance_of_a_file_with_several(source: Path, part: Part, tmp_path: Path) -> None:
    """The one of the same name is updated, or the one that is asked for; everything else in the file stays."""
    file_of, record = (
        part("core.oni.files.onifile").OniFile,
        part("core.oni.files.documents").TramFile.parse(source.read_bytes()).tram.record(),
    )
    parts = part("core.oni.files.onifile").Part
    result = [parts("TRAM", name, 0, record.body, record.blocks) for name in ("TRAMfirst", "TRAMTESTrandom", "TRAMlast")]
    pack = tmp_path / "pack.oni"
    pack.write_bytes(file_of.build(result).pack())
    OPS.import_anim.oni(filepath=str(source))
    action: Any = bpy.data.actions["TRAMTESTrandom"]
    action.oni_tram.type = "Run"
    OPS.export_anim.oni(filepath=str(pack))
    parse = part("core.oni.records.tram").Tram.of

    def types() -> list[int]:
        file = file_of.parse(pack.read_bytes())
        return [parse(file.record(index)).type for index in range(3)]

    assert types() == [2, 3, 2]
    OPS.export_anim.oni(filepath=str(pack), entry="TRAMlast")
    assert types() == [2, 3, 3]
    with pytest.raises(RuntimeError, match="TRAMnobody"):
        OPS.export_anim.oni(filepath=str(pack), entry="TRAMnobody")


def test_half_stop_of_an_object(game_file: Any, tmp_path: Path, part: Part) -> None:
    source = game_file("oni/instances/OBANBlackvan_FB_wiki.oni")
    OPS.import_anim.oni(filepath=str(source))
    action: Any = bpy.context.object.animation_data.action
    assert action.oni_oban.flags == set()
    action.oni_oban.half_stop = 250
    assert action.pose_markers["half stop"].frame == 251
    action.oni_oban.flags = {"Autostart"}
    OPS.export_anim.oni(filepath=str(tmp_path / "out.oni"))
    after = part("core.oni.files.documents").ObanFile.parse((tmp_path / "out.oni").read_bytes()).oban
    assert (after.half_stop, after.flags) == (250, 8)
    before = part("core.oni.files.documents").ObanFile.parse(source.read_bytes()).oban
    assert after.keys.tobytes() == before.keys.tobytes()


def test_a_new_animation_is_described_in_the_panel(source: Path, part: Part, tmp_path: Path) -> None:
    OPS.import_anim.oni(filepath=str(tmp_path / "TRBSTESTbody.oni"))
    obj = bpy.context.object
    obj.pose.bones["head"].keyframe_insert("rotation_quaternion", frame=1)
    obj.animation_data.action.name = "my walk"
    assert OPS.retro_anim.oni_new() == {"FINISHED"}
    action: Any = obj.animation_data.action
    assert action.oni_tram.name == "TRAMmy_walk"
    assert OPS.retro_anim.oni_line(what="footsteps", how="ADD") == {"FINISHED"}
    assert OPS.retro_anim.oni_line(what="sounds", how="ADD") == {"FINISHED"}
    assert OPS.retro_anim.oni_line(what="sounds", how="REMOVE") == {"FINISHED"}
    action.oni_tram.type = "Walk"
    action.oni_tram.footsteps[0].type = "Right"
    assert "footstep 1: Right" in action.pose_markers
    OPS.export_anim.oni(filepath=str(tmp_path / "new.oni"))
    result = part("core.oni.files.documents").TramFile.parse((tmp_path / "new.oni").read_bytes()).tram
    assert (result.name, result.type, result.vocalization, result.action_frame, result.fps) == ("TRAMmy_walk", 2, 0xFFFF, 0xFFFF, 60)
    assert result.footsteps.tolist() == [(0, 2)]
    assert result.sounds is None


@pytest.fixture
def warned(part: Part, tmp_path: Path) -> Callable[..., list[str]]:
    """The warnings of an export."""

    def run(**options: Any) -> list[str]:
        oni = part("io.oni")
        return oni.export_oni(bpy.context, oni.ExportOptions(path=str(tmp_path / "out.oni"), **options)).warnings

    return run


def test_compression_by_hand(action: Any, exported: Any) -> None:
    """Quaternions instead of three angles: the same rotations, 16 bytes a key."""
    action.oni_tram.compression, action.oni_tram.fps = "Quaternions", 30
    after = exported()
    assert (after.compression, after.fps) == (16, 30)
    size = len(after.rotations)
    action.oni_tram.compression = "Angles"
    again = exported()
    assert again.compression == 6
    assert len(again.rotations) < size


def test_reaches_by_hand_stay(action: Any, exported: Any) -> None:
    """Though the attack is edited, too, after which they would be computed anew."""
    action.oni_tram.extents[0].length = 31.5
    action.oni_tram.ring_left[2] = 44.0
    action.oni_tram.attacks[0].end += 1
    after = exported()
    assert after.extents["length"][0] == 3150
    assert after.attack_ring[2] == 44
    assert len(after.extents) == 3


def test_what_the_game_cannot_use_is_said(action: Any, warned: Any, part: Part, source: Path) -> None:
    assert warned() == [], "nothing was edited"
    last = part("core.oni.files.documents").TramFile.parse(source.read_bytes()).tram.frame_count - 1
    action.oni_tram.type = "None"
    action.oni_tram.sounds[0].frame = last + 5
    lines = [line.partition(": ")[2] for line in warned()]
    assert lines[0].startswith("type: None, so that the game never plays it")
    assert lines[1] == f"sound 1 is at frame {last + 5}, and the animation ends at {last}"
    assert len(lines) == 2, "its direct animation is looked for only where a level is at hand"


@pytest.mark.thorough
def test_fewer_keys_until_onisplit_can_import_it(source: Path, warned: Any, part: Part, tmp_path: Path) -> None:
    """A key on each of 300 frames: the last of 19 tracks would start behind byte 32767."""
    bpy.context.scene.render.fps = 60
    OPS.import_anim.oni(filepath=str(tmp_path / "TRBSTESTbody.oni"))
    obj: Any = bpy.context.object
    for bone in obj.pose.bones:
        for frame, angle in ((1, 0.0), (150, 1.0), (300, 0.2)):
            bone.rotation_quaternion = (np.cos(angle), np.sin(angle), 0, 0)
            bone.keyframe_insert("rotation_quaternion", frame=frame)
    assert OPS.retro_anim.oni_new(file=str(source)) == {"FINISHED"}
    for bone in obj.pose.bones:
        bone.constraints.new("COPY_ROTATION").mute = True
    assert any("Until It Fits" in line for line in warned(sampling="VISUAL"))
    assert not any("Until It Fits" in line for line in warned(sampling="VISUAL", reduction="FIT"))
    record = part("core.oni.files.documents").TramFile.parse((tmp_path / "out.oni").read_bytes()).tram
    assert record.frame_count == 300
    assert np.frombuffer(record.rotations[:38], "<u2")[-1] <= 32767


def test_a_new_animation_like_another(source: Path, part: Part, game_file: Callable[[str], Path], tmp_path: Path) -> None:
    """Of a .oni, and of a level by name: everything but the motion, and what follows from it."""
    other = part("core.oni.files.documents").TramFile.parse(source.read_bytes()).tram
    bpy.context.scene.render.fps = 60
    OPS.import_anim.oni(filepath=str(tmp_path / "TRBSTESTbody.oni"))
    obj: Any = bpy.context.object
    for frame in (1, 31):
        obj.pose.bones["head"].rotation_quaternion = (1, 0.01 * frame, 0, 0)
        obj.pose.bones["head"].keyframe_insert("rotation_quaternion", frame=frame)
    obj.animation_data.action.name = "my kick"
    for given in ({"file": str(source)}, {"file": str(game_file("oni/level/level1_Final.dat")), "animation": "TRAMTESTrandom"}):
        assert OPS.retro_anim.oni_like(**given) == {"FINISHED"}
        OPS.export_anim.oni(filepath=str(tmp_path / "kick.oni"))
        record = part("core.oni.files.documents").TramFile.parse((tmp_path / "kick.oni").read_bytes()).tram
        assert (record.name, record.frame_count) == ("TRAMmy_kick", 31)
        for name in ("type", "from_state", "to_state", "varient", "flags", "interpolation_max", "direct", "impact", "final_rotation"):
            assert getattr(record, name) == getattr(other, name), name
        for name in ("attacks", "sounds", "particles", "footsteps", "throw"):
            assert part("core.files.document").same(getattr(record, name), getattr(other, name)), name
        assert record.extents["frame"][0] == int(other.attacks["start"][0])
        assert record.extents.tobytes() != other.extents.tobytes(), "of the body's own reach"
    with pytest.raises(RuntimeError, match="is of an object"):
        OPS.retro_anim.oni_like(file=str(game_file("oni/instances/OBANBlackvan_FB_wiki.oni")))
    with pytest.raises(RuntimeError, match="no file is chosen"):
        OPS.retro_anim.oni_like()
    with pytest.raises(RuntimeError, match=r"no animation of level1_Final\.dat is chosen"):
        OPS.retro_anim.oni_like(file=str(game_file("oni/level/level1_Final.dat")))


def test_a_new_animation_like_one_beside_the_body(source: Path, part: Part, game_file: Callable[[str], Path], tmp_path: Path) -> None:
    """The file that is offered is the body's, which has none itself: those of its folder are listed by their files' names."""
    shutil.copyfile(game_file("oni/instances/OBANBlackvan_FB_wiki.oni"), tmp_path / "OBANvan.oni")
    OPS.import_anim.oni(filepath=str(tmp_path / "TRBSTESTbody.oni"))
    obj: Any = bpy.context.object
    obj.pose.bones["head"].keyframe_insert("rotation_quaternion", frame=1)
    action, fields = obj.animation_data.action, part("io.oni.fields.copied_fields")
    offered = fields.likely_file(action, obj)
    assert offered == str(tmp_path / "TRBSTESTbody.oni")
    assert fields.animations(offered, "TRAM") == [source.stem]
    assert fields.animations(offered, "OBAN") == ["OBANvan"]
    with pytest.raises(RuntimeError, match=r"TRBSTESTbody\.oni: no animation: choose one in Like"):
        OPS.retro_anim.oni_new(file=offered)
    assert OPS.retro_anim.oni_new(file=offered, animation=source.stem) == {"FINISHED"}
    shown = action.oni_tram
    assert (shown.type, shown.from_state, len(shown.attacks)) == ("Walk", "Standing", 1)


def test_no_file_of_another_game_is_offered(part: Part, tmp_path: Path) -> None:
    """As for a clip of another game that is to become a new one of Oni."""
    data = bpy.data.armatures.new("hero")
    hero = bpy.data.objects.new("hero", data)
    for name, offered in (("BODY.HQR", False), ("TRBShero.ONI", True), ("level0_Final.dat", True)):
        path = tmp_path / name.partition(".")[0] / name
        path.parent.mkdir()
        path.touch()
        data[part("io.oni.fields.properties").BODY] = str(path)
        assert part("io.oni.fields.copied_fields").likely_file(None, hero) == (str(path) if offered else "")


@pytest.fixture
def posed(game_file: Callable[[str], Path], tmp_path: Path) -> Path:
    """A body, in a folder of its own, whose armature has an action that somebody made."""
    body = tmp_path / "TRBSTESTbody.oni"
    shutil.copyfile(game_file("oni/instances/TRBSTESTbody.oni"), body)
    OPS.import_anim.oni(filepath=str(body))
    bpy.context.object.pose.bones["head"].keyframe_insert("rotation_quaternion", frame=1)
    return body


def test_a_new_animation_like_one_to_which_the_file_links(posed: Path, game_file: Callable[[str], Path]) -> None:
    """The file has its name alone, and the animation is in one beside it."""
    names = ("TRAMTESTrandom", "TRAMSHINZOMidle1_wiki")
    for name in names:
        shutil.copyfile(game_file(f"oni/instances/{name}.oni"), posed.parent / f"{name}.oni")
    action: Any = bpy.context.object.animation_data.action
    assert OPS.retro_anim.oni_new(file=str(posed.parent / f"{names[0]}.oni"), animation=names[1]) == {"FINISHED"}
    assert (action.oni_tram.type, action.oni_tram.from_state) == ("Idle", "Standing")


def test_a_listed_animation_whose_file_has_a_mark_of_addresses_in_its_name(part: Part, posed: Path) -> None:
    name = "TRAMa#b"
    shutil.copyfile(SAMPLES / "oni/TRAMmannequin_walk.oni", posed.parent / f"{name}.oni")
    assert part("io.oni.fields.copied_fields").animations(str(posed), "TRAM") == [name]
    assert OPS.retro_anim.oni_new(file=str(posed), animation=name) == {"FINISHED"}


def test_a_listed_animation_that_is_damaged(posed: Path) -> None:
    """What is wrong with its file is said."""
    broken = posed.parent / "TRAMbroken.oni"
    broken.write_bytes((SAMPLES / "oni/TRAMmannequin_walk.oni").read_bytes()[:300])
    with pytest.raises(RuntimeError, match=r"TRAMbroken\.oni: the data table ends at"):
        OPS.retro_anim.oni_new(file=str(posed), animation=broken.stem)
    with pytest.raises(RuntimeError, match="no entry is called TRAMnone"):
        OPS.retro_anim.oni_new(file=str(posed), animation="TRAMnone")


@pytest.mark.parametrize("path", ["", "lba1/ANIM.HQR#0", "mindpower/animation/0001.lab"])
def test_no_animation_where_none_can_be_chosen(posed: Path, path: str) -> None:
    """A body that lies alone, and files of other games: nothing is listed beside them."""
    with pytest.raises(RuntimeError, match=r"no animation$"):
        OPS.retro_anim.oni_new(file=str(SAMPLES / path if path else posed))


def test_a_new_animation_like_none_is_said_at_once(game_file: Callable[[str], Path], capfd: Any) -> None:
    """A level holds many: without a name the fields are those of an animation that the game never plays."""
    OPS.object.armature_add()
    bpy.context.object.pose.bones[0].keyframe_insert("location", frame=1)
    action: Any = bpy.context.object.animation_data.action
    capfd.readouterr()
    assert OPS.retro_anim.oni_new(file=str(game_file("oni/level/level1_Final.dat"))) == {"FINISHED"}
    assert (action.oni_tram.type, action.oni_tram.from_state) == ("None", "None")
    line = f"{action.name}: no animation of level1_Final.dat is chosen: type and states stay None, so that the game never plays it"
    assert f"Warning: {line}" in capfd.readouterr().out


@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan, 1e-42, -0.0, 3.4e38])
def test_numbers_that_a_property_shows_otherwise_stay_as_the_file_has_them(part: Part, source: Path, value: float) -> None:
    """In each kind of field that has parts of a number: alone, in a list, and in a row of a block."""
    document = part("core.oni.files.documents").TramFile.parse(source.read_bytes())
    tram = document.tram
    ring, extent, attacks, throw = tram.attack_ring.copy(), np.float32(value), tram.attacks.copy(), tram.throw.copy()
    ring[[0, 20]], attacks["knockback"], throw["angle"] = extent, extent, extent
    odd = replace(tram, final_rotation=extent, attack_ring=ring, attacks=attacks, throw=throw)
    source.write_bytes(replace(document, tram=odd).pack())
    before = source.read_bytes()
    OPS.import_anim.oni(filepath=str(source))
    assert OPS.export_anim.oni(filepath=str(source)) == {"FINISHED"}
    assert source.read_bytes() == before
