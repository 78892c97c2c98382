"""An export that finds nothing says where the armature is that is meant, and how to get at it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import pytest

SAMPLES = Path(__file__).resolve().parents[5] / "samples"
FILES = {
    "lba": ("lba1/walk.anm", "out.anm"),
    "oni": ("oni/TRAMmannequin_walk.oni", "out.oni"),
    "oni2": ("oni2/Entity/mannequin/mannequin_walk.anim", "out.anim"),
    "mindpower": ("mindpower/animation/0001.lab", "out.lab"),
}


def excluded(obj: Any) -> None:
    collection = bpy.data.collections.new("away")
    bpy.context.scene.collection.children.link(collection)
    only_in(obj, collection)
    bpy.context.view_layer.layer_collection.children[collection.name].exclude = True


def hidden(obj: Any) -> None:
    obj.hide_set(True)


def elsewhere(obj: Any) -> None:
    only_in(obj, bpy.data.scenes.new("Second").collection)


def nowhere(obj: Any) -> None:
    only_in(obj, None)


def only_in(obj: Any, collection: Any) -> None:
    for each in obj.users_collection:
        each.objects.unlink(obj)
    if collection is not None:
        collection.objects.link(obj)


@pytest.mark.parametrize("game", FILES)
@pytest.mark.parametrize(
    ("hide", "expected"),
    [
        (excluded, "excluded from the view layer: tick that in the Outliner"),
        (hidden, "is hidden: show it"),
        (elsewhere, "is in the scene Second: go there"),
        (nowhere, "is in no scene: link it"),
    ],
    ids=lambda item: getattr(item, "__name__", ""),
)
def test_an_armature_out_of_reach_is_named(part: Any, tmp_path: Path, game: str, hide: Any, expected: str) -> None:
    games, row = part("io.pipeline.games"), part("core.games").GAMES[game]
    sample, target = FILES[game]
    (obj,) = games.import_(bpy.context, row, [str(SAMPLES / sample)], {}).armatures
    hide(obj)
    bpy.context.view_layer.objects.active = None
    with pytest.raises(part("core.reporting.errors").RetroAnimError) as refused:
        games.export(bpy.context, row, str(tmp_path / target), {})
    assert str(refused.value).startswith("there is no ") and obj.name in str(refused.value) and expected in str(refused.value)


def test_one_within_reach_is_asked_for_as_ever(part: Any, tmp_path: Path) -> None:
    games, row = part("io.pipeline.games"), part("core.games").GAMES["lba"]
    for _ in range(2):
        bpy.context.view_layer.objects.active = None
        (obj,) = games.import_(bpy.context, row, [str(SAMPLES / FILES["lba"][0])], {}).armatures
    hidden(obj)
    bpy.context.view_layer.objects.active = None
    with pytest.raises(part("core.reporting.errors").RetroAnimError, match="select an armature with an action"):
        games.export(bpy.context, row, str(tmp_path / "out.anm"), {})
