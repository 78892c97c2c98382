"""What `source` means where there are several characters; and which frame rate counts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import bpy
import numpy as np
import pytest
from support.lba import lba1_chain
from support.one_edit import edit

Part = Callable[[str], ModuleType]
OPS: Any = bpy.ops
SAMPLES = Path(__file__).resolve().parent.parent.parent.parent.parent / "samples"


@pytest.fixture
def said(part: Part) -> Callable[..., tuple[Any, list[str]]]:
    def run(work: Callable[..., Any], *arguments: Any, **options: Any) -> tuple[Any, list[str]]:
        with part("core.reporting.log").collect() as messages:
            result = work(*arguments, **options)
        return result, messages.digest("WARNING")

    return run


@pytest.fixture
def heroes(fetch: Any, anims: Path) -> Any:
    """The hero twice, with two of his bodies: two characters that share all of their entries."""
    table, result = anims.with_name("FILE3D.HQR"), SimpleNamespace(armatures=[], actions=[])
    for body in (0, 1):
        bpy.context.view_layer.objects.active = None
        imported = fetch(table, entities="0", body=body)
        result.armatures += imported.armatures
        result.actions += imported.actions
    return result


def test_the_whole_scene_unedited_changes_nothing(heroes: Any, write: Any, anims: Path, said: Any) -> None:
    assert len(heroes.armatures) == 2
    before = anims.read_bytes()
    paths, lines = said(write, anims, source="SCENE")
    entries = {action["retro_anim_entry"] for action in heroes.actions}
    assert sorted(paths) == sorted(f"{anims}#{entry}" for entry in entries) and len(entries) < len(heroes.actions)
    assert anims.read_bytes() == before and not anims.with_name("ANIM.HQR.bak").exists() and not lines


def test_of_several_characters_with_one_entry_the_edited_one_is_meant(heroes: Any, write: Any, anims: Path, part: Part, entry: Any) -> None:
    by_entry: dict[int, list[Any]] = {}
    for action in heroes.actions:
        by_entry.setdefault(action["retro_anim_entry"], []).append(action)
    (index, shared), (_, others) = [(index, actions) for index, actions in sorted(by_entry.items()) if len(actions) > 1][:2]
    before = {index: entry(anims, index) for index in by_entry}
    edit(part, shared[1], bone="group 03")
    with part("core.reporting.log").collect() as messages:
        write(anims, source="SCENE")
    assert any(f"{shared[1].name} is written to" in line and shared[0].name in line for line in messages.digest("INFO"))
    assert [index for index, data in before.items() if entry(anims, index) != data] == [index]
    edit(part, others[0], bone="group 03")
    edit(part, others[1], 0.7, "group 03")
    with pytest.raises(part("core.reporting.errors").RetroAnimError, match="both go to"):
        write(anims, source="SCENE")


def test_selected_means_all_clips_of_the_selected_armatures(heroes: Any, write: Any, anims: Path) -> None:
    first, second = heroes.armatures[:2]
    for obj in bpy.context.scene.objects:
        obj.select_set(obj in (first, second))
    rigs = {obj.data["retro_anim_rig"] for obj in (first, second)}
    entries = {action["retro_anim_entry"] for action in heroes.actions if action["retro_anim_rig"] in rigs}
    assert len(write(anims, source="SELECTED")) == len(entries) > 5


def test_the_scene_of_two_games(heroes: Any, write: Any, anims: Path) -> None:
    """Armatures of another game, and of none, are not concerned."""
    assert OPS.import_anim.oni2(filepath=str(SAMPLES / "oni2/RB.DAT"), fps_mode="KEEP") == {"FINISHED"}
    OPS.object.armature_add()
    bpy.context.object.keyframe_insert("location")
    before = anims.read_bytes()
    assert len(write(anims, source="SCENE")) == len({action["retro_anim_entry"] for action in heroes.actions})
    assert anims.read_bytes() == before


@pytest.fixture
def chain_anm(chain: Path, fetch: Any) -> Path:
    scene = bpy.context.scene
    scene.render.fps = 25
    fetch(chain / "chain.anm", fps_mode="KEEP")
    return chain / "chain.anm"


def test_a_changed_rate_is_said_and_either_counts(chain_anm: Path, write: Any, part: Part, said: Any, tmp_path: Path) -> None:
    anm = part("core.lba.files.anm").Anm.parse
    bpy.context.scene.render.fps = 50
    (path,), lines = said(write, tmp_path / "scene.anm")
    assert "25 frames per second" in lines[0] and "50" in lines[0] and "IMPORT" in lines[0]
    assert all("keys lie between the game's own times" in line for line in lines[1:])  # 15 time units are 7 and a half now
    before, now = anm(lba1_chain.ANM), anm(Path(path).read_bytes())
    assert np.abs(now.times - before.times / 2).max() <= 1 and now.times[-1] < 0.6 * before.times[-1]
    assert (now.values == before.values).all() and (now.steps == before.steps).all()
    (path,), lines = said(write, tmp_path / "import.anm", fps_from="IMPORT")
    assert Path(path).read_bytes() == lba1_chain.ANM and not lines
    bpy.context.scene.render.fps = 25
    (path,), lines = said(write, tmp_path / "same.anm")
    assert Path(path).read_bytes() == lba1_chain.ANM and not lines


def test_a_clip_that_came_in_at_another_rate_does_not_replace_its_twin(fetch: Any, part: Part, anims: Path, said: Any) -> None:
    """The second import has set the scene's rate, so that the first one's clip plays faster now."""
    first = fetch(anims, entries="1", fps_mode="KEEP").actions[0]
    fetch(anims, entries="1", fps_mode="SET")
    before = anims.read_bytes()
    export = part("io.lba")
    exported, lines = said(export.export_lba, bpy.context, export.ExportOptions(str(anims), source="ALL"))
    assert anims.read_bytes() == before and exported.summary == "0 of 2 changed"
    assert any("frames per second" in line for line in lines) and any(f"{first.name} is left out" in line for line in lines)


SINGLE = {
    "lba": ("lba1/walk.anm", ".anm"),
    "oni": ("oni/TRAMmannequin_walk.oni", ".oni"),
    "oni2": ("oni2/RB.DAT", ".anim"),
    "mindpower": ("mindpower/animation/0001.lab", ".lab"),
}


@pytest.mark.parametrize("game", SINGLE)
def test_a_changed_rate_in_every_game(part: Part, said: Any, tmp_path: Path, game: str) -> None:
    sample, extension = SINGLE[game]
    bpy.context.scene.render.fps = 24
    row, games = part("core.games").GAMES[game], part("io.pipeline.games")
    options = {"entries": "*walk*.anim"} if game == "oni2" else {}
    imported = games.import_(bpy.context, row, [str(SAMPLES / sample)], {"fps_mode": "KEEP", **options})
    assert imported.actions
    target = tmp_path / f"before{extension}"
    _, lines = said(games.export, bpy.context, row, str(target), {})
    assert not any("frames per second" in line for line in lines)
    before = target.read_bytes()
    bpy.context.scene.render.fps = 30
    _, lines = said(games.export, bpy.context, row, str(tmp_path / f"import{extension}"), {"fps_from": "IMPORT"})
    assert (tmp_path / f"import{extension}").read_bytes() == before and not any("frames per second" in line for line in lines)
    _, lines = said(games.export, bpy.context, row, str(tmp_path / f"scene{extension}"), {})
    about = [line for line in lines if "24 frames per second" in line and "30" in line]
    assert len(about) == 1
    assert (tmp_path / f"scene{extension}").read_bytes() != before
