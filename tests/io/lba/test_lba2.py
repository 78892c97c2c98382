"""Little Big Adventure 2 in Blender: where its objects are, how they look, and that all comes back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from build_extension import ROOT
from support.lba import lba1_chain, lba_stage
from support.lba import lba2_chain as chain2
from support.lba.lba2_folder import CHAIN, COUNT, FIRST_RANDOM, TREE, random_anm
from support.lba.lba_stage import LBA2, Fetch, Part, Stage

OPS: Any = bpy.ops
"""The stubs do not know our operators."""

SAMPLES = ROOT / "samples"


@pytest.mark.parametrize("direction", ["GAME", "CHILD"])
def test_where_the_engine_has_everything(fetch: Fetch, part: Part, game: Path, direction: str) -> None:
    """One frame a millisecond, at keyframes and all 29 ms between."""
    bpy.context.scene.render.fps = 1000
    entries = list(range(FIRST_RANDOM, FIRST_RANDOM + COUNT))
    Stage(fetch, part, game, TREE, entries, LBA2, 1000, fps_mode="KEEP", bone_direction=direction).check(every=29)


def test_at_the_rate_of_a_film(fetch: Fetch, part: Part, game: Path) -> None:
    """Keyframes lie between frames."""
    Stage(fetch, part, game, TREE, [2, 3], LBA2, 1000).check(every=31)


@pytest.mark.parametrize(("durations", "rate"), [((100, 200, 700), 30), ((40, 80, 120), 25), ((20, 40, 60), 50), ((33, 1, 7), 30)])
def test_the_rate_at_which_keyframes_are_whole_frames(fetch: Fetch, tmp_path: Path, durations: tuple[int, ...], rate: int) -> None:
    """The lead-in, 77 ms here, is not a way between keyframes."""
    frames: list[chain2.Frame] = [(duration, (0, 0, 0), [(0, 0, 0, 0)] * 2) for duration in (77, *durations)]
    (tmp_path / "some.anm").write_bytes(chain2.anm(frames, loop_frame=9))
    imported = fetch(tmp_path / "some.anm", game="lba2", fps_mode="SET")
    assert bpy.context.scene.render.fps / bpy.context.scene.render.fps_base == rate
    last = 1 + sum(durations) * rate / 1000
    assert max(keys[-1] for keys in _frames(imported.actions[0])) == pytest.approx(last, abs=1e-4)


def test_keyframes_of_no_duration_are_kept_apart(fetch: Fetch, part: Part, game: Path) -> None:
    """Keyframe 2 stands 0.02 frame behind keyframe 1."""
    bpy.context.scene.render.fps = 1000
    stage = Stage(fetch, part, game, CHAIN, [0], LBA2, 1000, fps_mode="KEEP")
    anm = stage.anms[0]
    kinds, values = anm.types.astype(int) & 1, anm.values.astype(float)
    heads, points = lba_stage.evaluate(stage.body, kinds, values, LBA2)
    stage.play(0)
    for key, frame in enumerate([0, 400, 400.02, 733, 1000]):
        bpy.context.scene.frame_set(int(frame), subframe=frame % 1)
        shown_heads = np.array([bone.matrix.translation for bone in stage.bones]) @ lba_stage.AXES
        assert np.abs(shown_heads - heads[key]).max() < (0.1 if frame % 1 else lba_stage.AT_KEYS), key  # subframes are rounded by Blender
    assert points.shape == (5, 11, 3)


@pytest.mark.parametrize("root", ["OBJECT", "BONE"])
def test_the_way_of_the_root(fetch: Fetch, part: Part, game: Path, root: str) -> None:
    """All three master angles count, and only where the master word says so; 1 ms is one frame."""
    bpy.context.scene.render.fps = 1000
    stage = Stage(fetch, part, game, TREE, [1, 2, 3, 4], LBA2, 1000, fps_mode="KEEP", root_motion=root)
    for number in range(4):
        stage.check_path(number)


@pytest.mark.parametrize("direction", ["GAME", "CHILD"])
@pytest.mark.parametrize("root", ["OBJECT", "BONE", "NONE"])
def test_the_archive_comes_back(fetch: Fetch, write: Any, game: Path, tmp_path: Path, root: str, direction: str) -> None:
    fetch(game, entities="0,1", root_motion=root, bone_direction=direction)
    before = game.read_bytes()
    for obj in [obj for obj in bpy.data.objects if obj.type == "ARMATURE"]:
        bpy.context.view_layer.objects.active = obj
        write(game, source="ALL")
        assert game.read_bytes() == before


def test_loose_files_come_back(fetch: Fetch, write: Any, tmp_path: Path) -> None:
    for name, data in (("chain.lm2", chain2.LM2), ("chain.anm", chain2.ANM)):
        (tmp_path / name).write_bytes(data)
    imported = fetch(tmp_path / "chain.anm", fps_mode="SET")
    assert imported.actions[0]["lba_game"] == imported.armatures[0].data["lba_game"] == "lba2"
    assert len(imported.armatures[0].pose.bones) == 5
    write(tmp_path / "again.anm")
    assert (tmp_path / "again.anm").read_bytes() == chain2.ANM


def test_a_saved_file_still_knows_all(fetch: Fetch, write: Any, game: Path, tmp_path: Path) -> None:
    fetch(game, entities="0")
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "saved.blend"))
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "saved.blend"))
    game.unlink()
    write(game.with_name("chain.anm"))
    assert game.with_name("chain.anm").read_bytes() == chain2.ANM


@pytest.mark.thorough
@pytest.mark.parametrize("number", [0, 3])
@pytest.mark.parametrize("fps", [24, 30, 1000])
def test_without_the_holder_the_motion_is_the_same(fetch: Fetch, write: Any, part: Part, game: Path, number: int, fps: int) -> None:
    bpy.context.scene.render.fps = fps
    fetch(game, entries=str(number))
    for text in list(bpy.data.texts):
        bpy.data.texts.remove(text)
    write(game.with_name("one.anm"))
    parse = part("core.lba.files.anm").Anm.parse
    now, then = parse(game.with_name("one.anm").read_bytes()), parse(random_anm(2, 14) if number else chain2.ANM)
    assert now.durations.tolist() == then.durations.tolist()
    assert now.steps.tolist() == then.steps.tolist()
    assert now.loop_frame == then.loop_frame
    moves = then.types[:, 1:] & 1 == 1
    assert (now.values[:, 1:][moves] == then.values[:, 1:][moves]).all()
    assert (now.values[:, 1:][~moves] % 4096 == then.values[:, 1:][~moves] % 4096).all()


def test_an_edited_bone_changes_nothing_else(fetch: Fetch, write: Any, part: Part, game: Path, entry: Any) -> None:
    imported = fetch(game, entries="4", fps_mode="SET", skeleton=f"{game.with_name('BODY.HQR')}#{TREE}")
    compat, action = part("io.blender.compat"), imported.actions[0]
    curve = next(
        curve for curve in compat.curves(action) if curve.data_path == 'pose.bones["group 03"].rotation_euler' and curve.array_index == 0
    )
    keys = [key for key in curve.keyframe_points if key.type != compat.GENERATED_KEY]
    keys[1].co.y += np.radians(45)
    curve.update()
    before = part("core.lba.files.anm").Anm.parse(entry(game, 4))
    write(game)
    after = part("core.lba.files.anm").Anm.parse(entry(game, 4))
    assert np.argwhere(before.frames["bones"]["value"] != after.frames["bones"]["value"]).tolist() == [[1, 3, 0]]
    assert int(after.values[1, 3, 0] - before.values[1, 3, 0]) % 4096 == 512
    assert (before.types == after.types).all()
    assert part("core.lba.files.archive.hqr").Hqr.parse(game.read_bytes()).entry(4).method == 2


def test_a_character_and_what_it_is_called(fetch: Fetch, game: Path) -> None:
    imported = fetch(game, entities="0")
    assert [action.name for action in imported.actions] == ["entity 0 stand + walk", "entity 0 animation 200"]
    assert [action["lba_roles"] for action in imported.actions] == ["stand, walk", "animation 200"]
    assert {action["lba_game"] for action in imported.actions} == {"lba2"}
    (obj,) = imported.armatures
    assert obj.data["lba_game"] == "lba2"
    assert len(obj.children) == 3  # surface, lines, spheres


def test_which_body_of_a_character(fetch: Fetch, game: Path) -> None:
    """Of the first entity's two bodies the second; of the other one's only body that one, with a word about it."""
    imported = fetch(game, entities="0,1", body=1)
    surfaces = [next(child for child in obj.children if not child.name.endswith(("lines", "spheres"))) for obj in imported.armatures]
    assert [len(surface.data.polygons) for surface in surfaces] == [96, 0]
    assert len(imported.actions) == 2 + COUNT


def test_single_entries_are_called_by_their_use(fetch: Fetch, game: Path) -> None:
    imported = fetch(game, entries="0,1,8", body=1)
    assert [action.name for action in imported.actions] == ["ANIM 0 stand + walk", "ANIM 1 animation 200", "ANIM 8"]
    assert [action.get("lba_roles") for action in imported.actions] == ["stand, walk", "animation 200", None]


def test_single_entries_are_called_as_a_list_says(fetch: Fetch, game: Path) -> None:
    game.with_name("ANIM2.HQD").write_text("LBA2 animations\n\nA jump for joy\n\nA fall", encoding="utf-8")
    imported = fetch(game, entries="0-1")
    assert [action.name for action in imported.actions] == ["ANIM 0 stand + walk", "ANIM 1 A jump for joy"]
    assert [action.name for action in fetch(game, entries="*fall").actions] == ["ANIM 3 A fall"]
    (game.parent / "mine.txt").write_text("mine\nmy own name", encoding="utf-8")
    assert [action.name for action in fetch(f"{game}#0", names=str(game.parent / "mine.txt")).actions] == ["ANIM 0 my own name"]


def test_characters_that_are_somewhere_else(fetch: Fetch, game: Path, tmp_path: Path) -> None:
    """The entities say which body a single entry has, and bodies lie beside them."""
    other = tmp_path / "mine.hqr"
    other.write_bytes(game.read_bytes())
    imported = fetch(other, entries="1", file3d=str(game.with_name("RESS.HQR")), game="lba2")
    assert len(imported.armatures[0].pose.bones) == 5
    assert imported.actions[0].name == "mine 1 animation 200"


def test_entities_from_the_resources_themselves(fetch: Fetch, game: Path) -> None:
    assert len(fetch(game.with_name("RESS.HQR")).armatures) == 2
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    assert len(fetch(f"{game.with_name('RESS.HQR')}#44", entities="1").actions) == COUNT


def test_a_list_to_choose_from(part: Part, game: Path) -> None:
    result = part("core.lba.contents").contents(str(game))
    assert [line[0] for line in result["entities"]] == [0, 1]
    assert result["entities"][0][1] == "0: body 0, 1, 2 animations"
    assert [line[0] for line in result["entries"]] == [*range(1 + COUNT), 2 + COUNT]
    bodies = part("core.lba.contents").contents(str(game.with_name("BODY.HQR")))
    assert [line[1].partition(",")[0] for line in bodies["entries"]] == ["0: body", "1: body", "2: body"]
    assert [line[0] for line in part("core.lba.contents").contents(str(game.with_name("RESS.HQR")))["entities"]] == [0, 1]


def test_by_the_menu(game: Path) -> None:
    assert OPS.import_anim.lba(filepath=str(game.with_name("BODY.HQR")), entries="0-2") == {"FINISHED"}
    assert OPS.import_anim.lba(filepath=str(game), entities="0", game="lba2") == {"FINISHED"}
    assert OPS.export_anim.lba(filepath=str(game)) == {"FINISHED"}


@pytest.mark.parametrize("wanted", ["lba1", "lba2"])
def test_the_game_can_be_set(fetch: Fetch, write: Any, tmp_path: Path, wanted: str) -> None:
    """50 time units of the first keyframe's way are a second in one game, 50 ms in the other; the words come back either way."""
    (tmp_path / "chain.anm").write_bytes(lba1_chain.ANM)
    imported = fetch(tmp_path / "chain.anm", game=wanted, fps_mode="SET")
    assert imported.actions[0]["lba_game"] == wanted
    last = max(curve[-1] for curve in _frames(imported.actions[0]))
    rate = bpy.context.scene.render.fps / bpy.context.scene.render.fps_base
    assert last == pytest.approx(1 + 45 * rate / (50 if wanted == "lba1" else 1000), abs=0.03)
    write(tmp_path / "again.anm")
    assert (tmp_path / "again.anm").read_bytes() == lba1_chain.ANM


def _frames(action: Any) -> list[list[float]]:
    curves = action.fcurves if hasattr(action, "fcurves") else action.layers[0].strips[0].channelbags[0].fcurves
    return [[key.co.x for key in curve.keyframe_points] for curve in curves]


@pytest.mark.parametrize("name", ["walk", "wave", "turn"])
@pytest.mark.parametrize(("game", "other"), [("lba1", "lba2"), ("lba2", "lba1")])
def test_written_for_the_other_game(fetch: Fetch, write: Any, tmp_path: Path, name: str, game: str, other: str) -> None:
    """Our samples of both games are the same motion: one comes out of the other, in its own units."""
    fetch(SAMPLES / game / f"{name}.anm")
    write(tmp_path / "other.anm", game=other)
    assert (tmp_path / "other.anm").read_bytes() == (SAMPLES / other / f"{name}.anm").read_bytes()
    write(tmp_path / "same.anm", game=game)
    assert (tmp_path / "same.anm").read_bytes() == (SAMPLES / game / f"{name}.anm").read_bytes()


def test_the_archive_asked_for_is_the_one_that_comes_in(fetch: Fetch, game: Path, tmp_path: Path) -> None:
    """Its entities may lie somewhere else; bodies are taken from there only where none are beside it."""
    other = tmp_path / "edited" / "ANIM.HQR"
    other.parent.mkdir()
    other.write_bytes(chain2.archive([lba1_chain.ANM, chain2.ANM]))
    imported = fetch(other, entities="0", file3d=str(game.with_name("RESS.HQR")), game="lba2")
    assert [action["lba_loop_frame"] for action in imported.actions] == [1, 1]
    assert [action["lba_word3"] for action in imported.actions] == [1, 101]
    assert len(imported.armatures[0].children) == 3


@pytest.mark.thorough
def test_a_spoiled_archive_opens_as_far_as_it_goes(fetch: Fetch, part: Part, game: Path) -> None:
    """Single bytes of the resources and of the bodies, at many places: what comes in is whole, or an error says why not."""
    error = part("core.reporting.errors").RetroAnimError
    for name in ("RESS.HQR", "BODY.HQR"):
        file = game.with_name(name)
        data = file.read_bytes()
        for position in range(0, len(data), len(data) // 7):
            file.write_bytes(data[:position] + bytes((data[position] ^ 0x55,)) + data[position + 1 :])
            bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
            try:
                imported = fetch(game, entities="0")
            except error:
                assert not bpy.data.objects
                continue
            assert imported.armatures
        file.write_bytes(data)


@pytest.mark.parametrize(
    ("bones", "said"),
    [
        (2, "it has fewer bones than the body has groups, as many clips of the game do: the last groups stay as they are at rest"),
        (29, "it has more bones than the body has groups, as many clips of the game do: those show nothing, and stay in the file"),
    ],
)
def test_a_clip_that_has_not_the_body_s_number_of_bones_says_what_that_means(
    tmp_path: Path, bones: int, said: str, capfd: pytest.CaptureFixture[str]
) -> None:
    frames: list[chain2.Frame] = [(duration, (0, 0, 0), [(0, 0, 0, 0)] * bones) for duration in (100, 100)]
    (tmp_path / "some.anm").write_bytes(chain2.anm(frames, loop_frame=0))
    body = str(SAMPLES / "lba2" / "mannequin.lm2")
    assert OPS.import_anim.lba(filepath=str(tmp_path / "some.anm"), game="lba2", skeleton=body) == {"FINISHED"}
    assert said in capfd.readouterr().out
