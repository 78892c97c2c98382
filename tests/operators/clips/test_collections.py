"""Blender's own collection exporters: each game's exporter is one, and writes the characters of its collection alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import pytest

OPS: Any = bpy.ops
DATA: Any = bpy.data
CONTEXT: Any = bpy.context
SAMPLES = Path(__file__).resolve().parent.parent.parent.parent / "samples"
GAMES = {
    "lba": ("lba1/walk.anm", "walk.anm"),
    "oni": ("oni/TRAMmannequin_walk.oni", "TRAMmannequin_walk.oni"),
    "mindpower": ("mindpower/animation/0001.lab", "0001.lab"),
    "oni2": ("oni2/RB.DAT", ""),
}


def _collection_of(objects: Any) -> Any:
    collection = DATA.collections.new("to write")
    CONTEXT.scene.collection.children.link(collection)
    for obj in objects:
        collection.objects.link(obj)
    return collection


@pytest.mark.parametrize("game", ["lba", "oni", "mindpower"])
def test_a_collection_s_exporter_writes_its_own_characters(addon: Any, game: str, tmp_path: Path) -> None:
    """Neither the active nor the selected character is meant, but the collection's; unedited it has the bytes of its source."""
    source, name = GAMES[game]
    assert getattr(OPS.import_anim, game)(filepath=str(SAMPLES / source)) == {"FINISHED"}
    collection = _collection_of([obj for obj in CONTEXT.scene.objects if obj.type == "ARMATURE"])
    assert OPS.import_anim.oni(filepath=str(SAMPLES / "oni/TRAMmannequin_walk.oni")) == {"FINISHED"}
    layers = CONTEXT.view_layer.layer_collection.children
    CONTEXT.view_layer.active_layer_collection = layers[collection.name]
    assert OPS.collection.exporter_add(name=f"IO_FH_{game}") == {"FINISHED"}
    exporter = collection.exporters[0]
    exporter.export_properties.filepath = str(tmp_path / name)
    assert OPS.collection.exporter_export(index=0) == {"FINISHED"}
    assert (tmp_path / name).read_bytes() == (SAMPLES / source).read_bytes()


def test_every_game_has_one(addon: Any, part: Any) -> None:
    handlers = {kind.bl_export_operator for kind in part("operators")._CLASSES if issubclass(kind, bpy.types.FileHandler)}
    assert handlers == {f"export_anim.{game}" for game in part("core.games").GAMES}


def test_a_collection_that_is_not_there_is_refused(addon: Any, tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="there is no collection nowhere"):
        OPS.export_anim.lba(filepath=str(tmp_path / "walk.anm"), collection="nowhere")
    assert list(tmp_path.iterdir()) == []


def test_no_path_in_a_file_that_was_never_saved_is_refused(addon: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blender gives the collection's name alone, which would go to the folder that Blender was started in."""
    monkeypatch.chdir(tmp_path)
    assert OPS.import_anim.lba(filepath=str(SAMPLES / "lba1/walk.anm")) == {"FINISHED"}
    collection = _collection_of([obj for obj in CONTEXT.scene.objects if obj.type == "ARMATURE"])
    with pytest.raises(RuntimeError, match=r"walk\.anm: is in no folder: set File Path in the exporter of the collection to write"):
        OPS.export_anim.lba(filepath="walk.anm", collection=collection.name)
    assert list(tmp_path.iterdir()) == []


def test_a_collection_without_characters_is_named(addon: Any, tmp_path: Path) -> None:
    assert OPS.import_anim.lba(filepath=str(SAMPLES / "lba1/walk.anm")) == {"FINISHED"}
    empty = _collection_of([])
    with pytest.raises(RuntimeError, match="put into the collection to write an armature with an action"):
        OPS.export_anim.lba(filepath=str(tmp_path / "walk.anm"), collection=empty.name)
