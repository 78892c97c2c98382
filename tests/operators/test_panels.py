"""The games' panels and dialogs draw with what Blender really has."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import bpy
import pytest
from support.blender_layout import Layout

OPS: Any = bpy.ops
TYPES: Any = bpy.types
SAMPLES = Path(__file__).resolve().parent.parent.parent / "samples"
GAMES = {"lba": "lba1/walk.anm", "oni": "oni/TRAMmannequin_walk.oni", "oni2": "oni2/RB.DAT", "mindpower": "mindpower/animation/0001.lab"}


@pytest.mark.parametrize("game", GAMES)
def test_a_game_s_panel(addon: Any, game: str) -> None:
    kinds = {name: getattr(TYPES, f"VIEW3D_PT_retro_anim_{name}") for name in GAMES}
    assert not any(kind.poll(bpy.context) for kind in kinds.values())
    assert getattr(OPS.import_anim, game)(filepath=str(SAMPLES / GAMES[game])) == {"FINISHED"}
    assert [name for name, kind in kinds.items() if kind.poll(bpy.context)] == [game]
    drawn: list[str] = []
    panel: Any = kinds[game]
    shown = SimpleNamespace(layout=Layout(drawn), game=getattr(panel, "game", None))
    shown._draw_action = lambda action: panel._draw_action(shown, action)
    panel.draw(shown, bpy.context)
    source = "RB.DAT, entry" if game == "oni2" else Path(GAMES[game]).name
    assert any(line.startswith(source) for line in drawn)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("way", ["IMPORTERS", "EXPORTERS"])
def test_a_game_s_dialogs(part: Any, game: str, way: str) -> None:
    """Every property of a dialog is one that the operator has, and the dialog leaves none out."""
    for kind in getattr(part(f"operators.{game}.operators"), way):
        category, _, name = kind.bl_idname.partition(".")
        has = set(getattr(getattr(OPS, category), name).get_rna_type().properties.keys())
        shown = [name for names in kind.groups.values() for name in names] if way == "IMPORTERS" else [*kind.names, "overwrite"]
        assert len(shown) == len(set(shown)) and set(shown) <= has
        assert has - set(shown) == {"rna_type", "filepath", "filter_glob"} | (
            {"directory", "files", "ask"} if way == "IMPORTERS" else {"check_existing"}
        )
